# tests/hangs: programs that hang, each with one mistake. The first line names the cause, the resource and the user's line; the report
# has at most 24 lines; a closed chain is claimed only where there is one. The head of each program lists the cores that have a kernel,
# the exit code, the first line, as "also: " a part of another line and, as "kernel run: " and "two tiles: ", a part of that of tessera kernel run on one tile and on two (@here, @held and @there are replaced by the lines with those comments). docs/guide/when-it-hangs.md shows some of
# their outputs. Prints TAP. Reads BUILD; HANGS names one program to run alone, HANGS_SHOW prints its report, HANGS_KEEP is a directory for all its
# forms.
# Below TESSERA_TEST_SCALE 100 every tenth program runs, and those of the guide with timing only; make test-all has all, and README's two figures.
# Two workers compile and run the programs; the headers of the kernel library are compiled beforehand, once per core.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
flags="-march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns -Wno-unused"
cc="riscv64-unknown-elf-gcc $flags"
include="-Ikernels/include -I$BUILD/kernels/include"
all="brisc ncrisc trisc0 trisc1 trisc2"

define() { case $1 in brisc) echo COMPILE_FOR_BRISC ;; ncrisc) echo COMPILE_FOR_NCRISC ;; trisc0) echo TRISC_UNPACK ;;
  trisc1) echo TRISC_MATH ;; *) echo TRISC_PACK ;; esac; }
base() { case $1 in brisc) echo 0x2000 ;; ncrisc) echo 0x8000 ;; trisc0) echo 0xe000 ;; trisc1) echo 0x14000 ;; *) echo 0x1a000 ;; esac; }
local_bytes() { case $1 in brisc | ncrisc) echo 8192 ;; *) echo 4096 ;; esac; }
library() { case $1 in brisc | ncrisc) echo dataflow.h ;; *) echo compute.h ;; esac; }
link() { # CORE KERNEL OUT FLAGS
  $cc $4 "$2" "$work/start.o" "$work/$1.firmware.o" -T kernels/firmware/tensix.ld -Wl,--no-warn-rwx-segments \
    -Wl,--defsym,CODE_BASE="$(base "$1")",--defsym,LOCAL_BYTES="$(local_bytes "$1")" -o "$3"
}

# Once per core: its headers, its firmware, and an executable without a kernel.
prepare() { # CORE
  mkdir "$work/$1"
  $cc $include "-D$(define $1)" -x c-header "kernels/include/$(library $1)" -o "$work/$1/$(library $1).gch" &&
    $cc $include "-D$(define $1)" -c kernels/firmware/firmware.c -o "$work/$1.firmware.o" &&
    link $1 kernels/empty.c "$work/$1.empty.elf" "-D$(define $1) $include" && touch "$work/$1.ready"
}
$cc -c kernels/firmware/start.S -o "$work/start.o" || exit 1
{ prepare brisc && prepare ncrisc; } &
prepare trisc0 && prepare trisc1 && prepare trisc2
wait
for core in $all; do [ -f "$work/$core.ready" ] || exit 1; done

# The launch block: go, one launch, circular buffers 0, 1, 2, 3 and 16 of two pages of 2048 bytes (BF16).
launch="--poke 0x40=0x80 --poke 0x54=1"
page=0x40000
for cb in 0 1 2 3 16; do
  row=$((0x88 + 16 * cb))
  launch="$launch --poke $row=$((page)) --poke $((row + 4))=2048 --poke $((row + 8))=2 --poke $((row + 12))=5"
  page=$((page + 4096))
done

# Most readers push pages that they do not fill: the host fills them, so that unpacked data is defined.
head -c 20480 /dev/zero > "$work/pages"
launch="$launch --load 0x40000:$work/pages"

# The head of a program: sets $cores, $code, $own (flags), $options (of the run), $expected and $on_chip.
read_head() { # SOURCE
  awk '
    /first line: / && !first { first = $0; sub(/^.*first line: /, "", first); sub(/ \*\/$/, "", first) }
    /^ \* kernel run: / { chip = $0; sub(/^ \* kernel run: /, "", chip); sub(/ \*\/$/, "", chip) }
    /^ \* two tiles: / { two = $0; sub(/^ \* two tiles: /, "", two); sub(/ \*\/$/, "", two) }
    /^[ ;]\** *also: / { also = $0; sub(/^.*also: /, "", also); sub(/ \*\/$/, "", also) }
    /^\/\* cores: / { cores = $0; sub(/^\/\* cores: /, "", cores) }
    /^[ ;]\** *code: / { code = $0; sub(/^.*code: /, "", code); sub(/[^0-9].*$/, "", code) }
    /^ \* code: .*; flags: / { own = $0; sub(/^.*; flags: /, "", own) }
    /^ \* code: .*; run: / { options = $0; sub(/^.*; run: /, "", options) }
    /[;*] here/ && !here { here = FNR }
    /[;*] held/ && !held { held = FNR }
    /[;*] there/ && !there { there = FNR }
    function lines(text) { gsub(/@here/, here, text); gsub(/@held/, held, text); gsub(/@there/, there, text); return text }
    END { printf "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s\n", cores, code, own, options, lines(first), lines(chip), lines(also), lines(two) }' "$1" > "$mine/head"
  { read -r cores; read -r code; read -r own; read -r options; read -r expected; read -r on_chip; read -r also; read -r on_two; } < "$mine/head"
}
build() { # SOURCE: sets $elfs
  elfs=
  for core in $all; do
    elf=$work/$core.empty.elf
    case " $cores " in
      *" $core "*)
        elf=$mine/$core.elf
        link $core "$1" "$elf" "$own -D$(define $core) -I$work/$core $include" || return 1
        ;;
    esac
    elfs="$elfs --elf $core=$elf"
  done
}

# Checks an output: exit code (GOT), first line, length, and whether a chain is called closed. A closed chain begins with its oldest wait; which that is, is
# not promised with timing off (docs/architecture.md, "Timing off: turns"), so there it may begin with any of its agents.
judge() { # GOT TIMING
  awk -v got="$1" -v code="$code" -v expected="$expected" -v also="$also" -v timing="$2" '
    function begins_elsewhere(line,   head, agents, first, count, i, chain) {
      if (timing != "off" || !match(expected, /deadlock: [^;]*; /)) return 0
      head = substr(expected, RSTART + 10, RLENGTH - 12)
      if (!index(line, substr(expected, RSTART + RLENGTH))) return 0
      count = split(head, agents, " -> ") - 1
      for (first = 1; first <= count; first++) {
        chain = "cycles: deadlock: "
        for (i = 0; i < count; i++) chain = chain agents[(first - 1 + i) % count + 1] " -> "
        if (index(line, chain agents[first] "; ")) return 1
      }
      return 0
    }
    NR == 1 { sub(/ [0-9]* cycles: /, " cycles: "); sub(/in cycle [0-9]*/, "in cycle N")
              if (!index($0, expected) && !begins_elsewhere($0)) print "first line without: " expected }
    also { line = $0; gsub(/cycle [0-9]*/, "cycle N", line); if (index(line, also)) found = 1 }
    /deadlock/ && !index(expected, "deadlock") { print "a false deadlock" }
    /^still running: / { print "a core that runs in a hang" }
    /^  other side: tensix_io\.h/ { print "a line of the library as the other side of a finding" }
    END { if (got != code) print "exit code " got ", not " code
          if (also && !found) print "no line with: " also
          if (code == 4 && NR > 24) print "more than 24 lines" }' "$mine/out" >> "$mine/err"
  [ ! -s "$mine/err" ]
}
# Keeps all forms of a run for tests/agree.py.
keep() { # NAME CODE
  echo "$2" > "$work/agree/$1.code"
  cat "$mine/out" "$mine/err" > "$work/agree/$1.out"
  mv "$mine/json" "$work/agree/$1.json"
  mv "$mine/sarif" "$work/agree/$1.sarif"
}
check() { # TIMING
  "$BUILD/tessera" run $elfs $launch $options --timing "$1" --json "$mine/json" --sarif "$mine/sarif" > "$mine/out" 2> "$mine/err"
  got=$?
  keep "$name.run.$1" $got
  judge $got "$1"
}

# The same kernels with kernel run, on one tile and on two, and with chip run, without circular buffers. The command writes its own launch block, so
# the outcome may differ.
chips() { # SOURCE
  [ -z "$options" ] || return 0
  [ $part -eq 0 ] || [ -n "$on_chip$on_two" ] || return 0
  mkdir -p "$mine/folder/build"
  for word in $elfs; do case $word in *=*) cp "${word#*=}" "$mine/folder/build/${word%%=*}.elf" ;; esac; done
  limit=200000
  [ -z "$on_chip$on_two" ] || limit=2000000 # a line is expected: also with long pauses between the polls
  for grid in 1,2 1-2,2; do
    { echo "grid $grid"; for cb in 0 1 2 3 16; do echo "buffer $cb 2 bf16"; done; } > "$mine/folder/kernel.chip"
    "$BUILD/tessera" kernel run "$mine/folder" --no-build --max-cycles $limit --json "$mine/json" --sarif "$mine/sarif" > "$mine/out" 2> "$mine/err"
    keep "$name.kernel.$grid" $?
    case $grid in 1,2) wanted=$on_chip ;; *) wanted=$on_two ;; esac
    [ -n "$wanted" ] || continue
    head -n 1 "$mine/out" | sed 's/in cycle [0-9]*/in cycle N/; s/ [0-9]* cycles/ cycles/' | grep -qF -- "$wanted" && ! grep -q '^still running: ' "$mine/out"
    ok "$name by kernel run, grid $grid" $?
  done
  echo "kernel 1,2 $mine/folder/build" > "$mine/chip"
  "$BUILD/tessera" chip run "$mine/chip" --max-cycles 200000 --json "$mine/json" --sarif "$mine/sarif" > "$mine/out" 2> "$mine/err"
  keep "$name.chip" $?
}

ok() { # NAME STATUS
  if [ "$2" -eq 0 ]; then echo "ok - $1"; else
    echo "not ok - $1"
    sed 's/^/# /' "$mine/err" "$mine/out" | head -n 30
  fi
}

# The guide shows the output of these programs: the block after "<!-- NAME -->", without its first line (the command). Cycles may differ.
guide=docs/guide/when-it-hangs.md
shown_names=" $(sed -n 's/^<!-- \(.*\) -->$/\1/p' $guide | tr '\n' ' ')"
cycles() { sed 's/cycle [0-9]*/cycle N/g; s/after [0-9]* cycles/after N cycles/'; }
in_guide() { # NAME
  awk -v name="<!-- $1 -->" '$0 == name { found = 1 } found && /^```$/ { if (inside) exit; inside = 1; getline; next } inside' $guide |
    cycles > "$mine/guide"
  cycles < "$mine/out" | diff "$mine/guide" - > "$mine/err"
}

run_c() { # SOURCE
  read_head "$1"
  build "$1" 2> "$mine/err" || { : > "$mine/out"; ok "$name is compiled" 1; return; }
  chips "$1"
  for timing in cycle off; do
    case $timing$part in off[12]) break ;; esac
    check $timing
    ok "$name, timing $timing" $?
    [ -z "$HANGS_SHOW" ] || cat "$mine/out"
    case $timing$shown_names in cycle*" $name "*) ;; *) continue ;; esac
    in_guide "$name"
    ok "$name in the guide" $?
  done
}

# A program for the assembler: lines of the .tta file.
run_tta() { # SOURCE
  read_head "$1"
  "$BUILD/tessera" exec "$1" --json > "$mine/json" 2> "$mine/err"
  "$BUILD/tessera" exec "$1" --sarif "$mine/sarif" > "$mine/out" 2> "$mine/err"
  got=$?
  keep "$name" $got
  judge $got cycle
  ok "$name" $?
}

worker() { # NUMBER
  mine=$work/worker$1
  mkdir "$mine"
  turn=0 nth=0 part=0
  for source in tests/hangs/*.c tests/hangs/*.tta; do
    name=${source##*/}
    name=${name%.c}
    case $HANGS in "" | "$name") ;; *) continue ;; esac
    turn=$((1 - turn)) nth=$((nth + 1))
    if [ "${TESSERA_TEST_SCALE:-100}" -lt 100 ]; then
      part=$((nth % 10))
      case $part$shown_names in 0* | *" $name "*) ;; *) continue ;; esac
    fi
    [ $turn -eq "$1" ] || continue
    case $source in *.c) run_c "$source" ;; *) run_tta "$source" ;; esac
  done
}

mkdir "$work/agree"
worker 0 > "$work/tap0" &
worker 1 > "$work/tap1"
wait
shown=$(grep -c '^<!-- ' $guide)
checked=$(cat "$work"/tap? | grep -c '^ok - .* in the guide')
[ -n "$HANGS" ] || if [ "$shown" -eq "$checked" ]; then echo "ok - all $shown outputs of the guide are compared"; else
  echo "not ok - the guide shows $shown outputs, $checked are compared"
fi > "$work/tap2"
touch "$work/tap2"
python3 tests/agree.py "$work/agree" > "$work/agreed"
ok=$?
# README's two figures: programs that hang, and those whose first line names a line of the program.
hang=0 named=0
for file in "$work"/agree/*.run.cycle.code "$work"/agree/*.tta.code; do
  [ -f "$file" ] && [ "$(cat "$file")" -eq 4 ] || continue
  name=${file##*/}
  name=${name%.code}
  name=${name%.run.cycle}
  hang=$((hang + 1))
  head -n 1 "${file%.code}.out" | grep -qE "(^|[^A-Za-z0-9_])${name%.tta}\.(c|tta):[0-9]+" && named=$((named + 1))
done
[ -n "$HANGS" ] || [ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || if grep -q "| $hang programs; $named of the sentences name the user's line |" README.md; then
  echo "ok - README has the number of hangs and of those that name the user's line"
else
  echo "not ok - README has other numbers than $hang hangs, $named with the user's line"
fi >> "$work/tap2"
{ [ $ok -eq 0 ] && printf 'ok' || printf 'not ok'; echo " - text, JSON and SARIF of every run agree"; cat "$work/agreed"; } >> "$work/tap2"
[ -z "$HANGS_KEEP" ] || cp -r "$work/agree" "$HANGS_KEEP"
cat "$work"/tap? | awk '/^(not )?ok - / { sub(/ok - /, "ok " ++n " - ") } { print } END { print "1.." n }'
echo "# $hang programs hang; the first line of $named names the user's line"
! grep -q '^not ok' "$work"/tap?
