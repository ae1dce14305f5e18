# tests/hangs: programs that hang, each with one mistake. The first line names the cause, the resource and the user's line; the report
# has at most 24 lines; a closed chain is claimed only where there is one. The head of each program says which cores have a kernel, the
# exit code and the first line (@here and @held stand for the lines with those comments). docs/guide/when-it-hangs.md shows some of
# their outputs. Prints TAP. Reads BUILD; HANGS names one program to run alone, HANGS_SHOW prints what it says.
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
cc="riscv64-unknown-elf-gcc -march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns
  -Wno-unused -Ikernels/include -I$BUILD/kernels/include"

define() { case $1 in brisc) echo COMPILE_FOR_BRISC ;; ncrisc) echo COMPILE_FOR_NCRISC ;; trisc0) echo TRISC_UNPACK ;;
  trisc1) echo TRISC_MATH ;; *) echo TRISC_PACK ;; esac; }
base() { case $1 in brisc) echo 0x2000 ;; ncrisc) echo 0x8000 ;; trisc0) echo 0xe000 ;; trisc1) echo 0x14000 ;; *) echo 0x1a000 ;; esac; }
local_bytes() { case $1 in brisc | ncrisc) echo 8192 ;; *) echo 4096 ;; esac; }
link() { # CORE KERNEL.o OUT
  $cc "$work/start.o" "$work/$1.firmware.o" "$2" -T kernels/firmware/tensix.ld -Wl,--no-warn-rwx-segments \
    -Wl,--defsym,CODE_BASE="$(base "$1")",--defsym,LOCAL_BYTES="$(local_bytes "$1")" -o "$3"
}

# Once: the firmware of each core, and a core without a kernel.
$cc -c kernels/firmware/start.S -o "$work/start.o" || exit 1
for core in brisc ncrisc trisc0 trisc1 trisc2; do
  $cc "-D$(define $core)" -c kernels/firmware/firmware.c -o "$work/$core.firmware.o" &&
    $cc "-D$(define $core)" -c kernels/empty.c -o "$work/empty.o" && link $core "$work/empty.o" "$work/$core.empty.elf" || exit 1
done

# The launch block: go, one launch, circular buffers 0, 1, 2, 3 and 16 of two pages of 2048 bytes (BF16).
launch="--poke 0x40=0x80 --poke 0x54=1"
page=0x40000
for cb in 0 1 2 3 16; do
  row=$((0x88 + 16 * cb))
  launch="$launch --poke $row=$((page)) --poke $((row + 4))=2048 --poke $((row + 8))=2 --poke $((row + 12))=5"
  page=$((page + 4096))
done

# Most readers push pages that they do not fill: the host has, so that what is unpacked is written.
head -c 20480 /dev/zero > "$work/pages"
launch="$launch --load 0x40000:$work/pages"

head_of() { sed -n "s|^.*[*;] $2: \([^;]*\).*$|\1|p" "$1" | head -n 1; }
build() { # SOURCE: sets $elfs
  elfs=
  cores=$(sed -n 's|^/\* cores: ||p' "$1")
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    elf=$work/$core.empty.elf
    case " $cores " in
      *" $core "*)
        elf=$work/$core.elf
        $cc $(head_of "$1" flags) "-D$(define $core)" -c "$1" -o "$work/kernel.o" && link $core "$work/kernel.o" "$elf" || return 1
        ;;
    esac
    elfs="$elfs --elf $core=$elf"
  done
}
line_of() { grep -n "/\* $2" "$1" | cut -d: -f1 | head -n 1; }

check() { # SOURCE TIMING
  expected=$(sed -n 's|^ \* first line: \(.*\) \*/$|\1|p' "$1" | sed "s/@here/$(line_of "$1" here)/; s/@held/$(line_of "$1" held)/")
  code=$(sed -n 's|^ \* code: \([0-9]*\).*|\1|p' "$1")
  "$BUILD/tessera" run $elfs $launch $(head_of "$1" run) --timing "$2" > "$work/out" 2> "$work/err"
  got=$?
  [ $got -eq "$code" ] || echo "exit code $got, not $code" >> "$work/err"
  head -n 1 "$work/out" | sed 's/[0-9]* cycles: /cycles: /' > "$work/first"
  grep -qF -- "$expected" "$work/first" || echo "first line without: $expected" >> "$work/err"
  [ "$code" -ne 4 ] || [ "$(wc -l < "$work/out")" -le 24 ] || echo "more than 24 lines" >> "$work/err"
  case $expected in *deadlock*) ;; *) ! grep -q "deadlock" "$work/out" || echo "a false deadlock" >> "$work/err" ;; esac
  [ ! -s "$work/err" ]
}

ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/err" "$work/out" | head -n 30
  fi
}

# The guide shows what these programs print: the block behind "<!-- NAME -->", without its first line (the command). Cycles may differ.
guide=docs/guide/when-it-hangs.md
cycles() { sed 's/cycle [0-9]*/cycle N/g; s/after [0-9]* cycles/after N cycles/'; }
in_guide() { # NAME
  awk -v name="<!-- $1 -->" '$0 == name { found = 1 } found && /^```$/ { if (inside) exit; inside = 1; getline; next } inside' $guide |
    cycles > "$work/guide"
  cycles < "$work/out" | diff "$work/guide" - > "$work/err"
}

for source in tests/hangs/*.c; do
  name=$(basename "$source" .c)
  [ -z "$HANGS" ] || [ "$HANGS" = "$name" ] || continue
  build "$source" 2> "$work/err" || { cat "$work/err"; exit 1; }
  for timing in cycle off; do
    check "$source" $timing
    ok "$name, timing $timing" $?
    [ -z "$HANGS_SHOW" ] || cat "$work/out"
    [ $timing = cycle ] && grep -qxF -- "<!-- $name -->" $guide || continue
    in_guide "$name"
    ok "$name in the guide" $?
  done
done

# Programs for the assembler: lines of the .tta file.
for source in tests/hangs/*.tta; do
  name=$(basename "$source")
  expected=$(sed -n 's|^; first line: ||p' "$source" | sed "s/@here/$(grep -n '; here' "$source" | cut -d: -f1)/")
  "$BUILD/tessera" exec "$source" > "$work/out" 2> "$work/err"
  [ $? -eq "$(sed -n 's|^; code: ||p' "$source")" ] && head -n 1 "$work/out" | grep -qF -- "$expected" && [ "$(wc -l < "$work/out")" -le 24 ]
  ok "$name" $?
done
echo "1..$number"
[ $failures -eq 0 ]
