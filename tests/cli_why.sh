# tests/slow: kernels that are slow for one reason each. `tessera run --why` names the reason and the user's line, and the account of every
# core, thread and unit sums to the cycles. The head of each program has what the verdict must say (@here: the line with that comment).
# Prints TAP. Reads BUILD; SLOW names one program to run alone.
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
cc="riscv64-unknown-elf-gcc -march=rv32im_zba_zbb -mabi=ilp32 -ffreestanding -nostdlib -O2 -g -fno-tree-loop-distribute-patterns
  -Wno-unused -Ikernels/include -I$BUILD/kernels/include"
[ -f "$BUILD/kernels/include/tensix_isa.h" ] || { mkdir -p "$BUILD/kernels/include" && "$BUILD/tessera" isa --c-header > "$BUILD/kernels/include/tensix_isa.h"; }

define() { case $1 in brisc) echo COMPILE_FOR_BRISC ;; ncrisc) echo COMPILE_FOR_NCRISC ;; trisc0) echo TRISC_UNPACK ;;
  trisc1) echo TRISC_MATH ;; *) echo TRISC_PACK ;; esac; }
base() { case $1 in brisc) echo 0x2000 ;; ncrisc) echo 0x8000 ;; trisc0) echo 0xe000 ;; trisc1) echo 0x14000 ;; *) echo 0x1a000 ;; esac; }
local_bytes() { case $1 in brisc | ncrisc) echo 8192 ;; *) echo 4096 ;; esac; }

$cc -c kernels/firmware/start.S -o "$work/start.o" || exit 1
for core in brisc ncrisc trisc0 trisc1 trisc2; do
  $cc "-D$(define $core)" -c kernels/firmware/firmware.c -o "$work/$core.firmware.o" || exit 1
done
head -c 20480 /dev/zero > "$work/pages"

launch() { # PAGES: go, one launch, circular buffers 0, 1 and 16 of pages of 2048 bytes (BF16)
  printf '%s' "--poke 0x40=0x80 --poke 0x54=1 --load 0x40000:$work/pages"
  page=$((0x40000))
  for cb in 0 1 16; do
    row=$((0x88 + 16 * cb))
    printf '%s' " --poke $row=$page --poke $((row + 4))=2048 --poke $((row + 8))=$1 --poke $((row + 12))=5"
    page=$((page + 4096))
  done
}
build() { # SOURCE: sets $elfs
  elfs=
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    $cc "-D$(define $core)" -c "$1" -o "$work/kernel.o" &&
      $cc "$work/start.o" "$work/$core.firmware.o" "$work/kernel.o" -T kernels/firmware/tensix.ld -Wl,--no-warn-rwx-segments \
        -Wl,--defsym,CODE_BASE="$(base $core)",--defsym,LOCAL_BYTES="$(local_bytes $core)" -o "$work/$core.elf" || return 1
    elfs="$elfs --elf $core=$work/$core.elf"
  done
}
ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/err" "$work/out" 2> /dev/null | head -n 50
  fi
}
head_of() { sed -n "s|^ [*] $2: \(.*[^ ]\)\( [*]/\)\{0,1\}$|\1|p" "$1" | sed 's| \*/$||' | head -n 1; }
# Every line of the account sums to the cycles.
adds_up() {
  awk '/^where the cycles go/ { sum = $NF; on = 1; next }
    on && NF == 0 { on = 0 }
    on { n = 0; line = $0; while (match(line, /[0-9]+ \([0-9.]+%\)/)) { split(substr(line, RSTART, RLENGTH), part, " "); n += part[1]; line = substr(line, RSTART + RLENGTH) }
         rows++; if (n != sum) { print "row does not sum: " $0; bad = 1 } }
    END { exit bad || rows < 8 }' "$work/out" >> "$work/err"
}

for source in ${SLOW:-tests/slow/*.c}; do
  name=$(basename "$source" .c)
  : > "$work/out"
  build "$source" 2> "$work/err" || { ok "$name compiles" 1; continue; }
  pages=$(head_of "$source" pages)
  here=$(grep -n '/\* here' "$source" | cut -d: -f1)
  why=$(head_of "$source" why | sed "s/@here/$here/")
  change=$(head_of "$source" change)
  # shellcheck disable=SC2046,SC2086
  "$BUILD/tessera" run $elfs $(launch "${pages:-2}") --why --check none --profile "$work/$name.callgrind" \
    --coverage "$work/$name.info" > "$work/out" 2> "$work/err"
  code=$?
  grep -qF -- "why: $why" "$work/out" && grep -qF -- "$change" "$work/out" && [ $code -eq 0 ]
  ok "$name: $why" $?
  adds_up
  ok "$name: every row of the account sums to the cycles" $?
  if command -v callgrind_annotate > "$work/where"; then
    callgrind_annotate --auto=no "$work/$name.callgrind" > "$work/out" 2> "$work/err" && grep -q 'kernel_main' "$work/out" &&
      grep -q 'PROGRAM TOTALS' "$work/out"
    ok "$name: callgrind_annotate reads the profile" $?
  else
    echo "note: callgrind_annotate is not here; the profile of $name was not read with it"
  fi
  "$BUILD/tessera" annotate --file "$name.c" "$work/$name.callgrind" > "$work/out" 2> "$work/err" && grep -q "here" "$work/out"
  ok "$name: tessera annotate shows the line" $?
  grep -q "^SF:.*$name.c" "$work/$name.info" && grep -q '^DA:[0-9]*,0$' "$work/$name.info" && grep -q '^DA:[0-9]*,16$' "$work/$name.info"
  ok "$name: coverage has lines that ran 16 times and lines that did not" $?
done

echo "1..$number"
[ $failures -eq 0 ]
