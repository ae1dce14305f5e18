# On a terminal a long run shows a line with its cycles and speed, and erases it at the end; in a file it writes none. Prints TAP.
# The terminal is that of script(1), Debian's bsdutils.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$BUILD/tessera
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
failures=0
ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else failures=$((failures + 1)); echo "not ok $number - $1"; sed 's/^/# /' "$dir/out" | head -n 20; fi
}
if ! command -v script > "$dir/where"; then
  echo "ok 1 # SKIP script(1) is not here"
  echo "1..1"
  exit 0
fi

# addi x1, x1, 1; j -4
printf '\223\200\020\000\157\360\337\377' > "$dir/count"
line='[0-9]* cycles, [0-9.]* million per second'
shows() { # NAME COMMAND
  script -qec "$2" "$dir/typescript" > "$dir/out" 2>&1
  tr '\r' '\n' < "$dir/typescript" > "$dir/out"
  grep -q "^$line" "$dir/out"
  ok "$1 shows its cycles and speed on a terminal" $?
}
run="$T run --load 0x1000:$dir/count --reset-pc trisc0=0x1000 --cores trisc0 --max-cycles 1500000"
shows run "$run"
$run > "$dir/out" 2>&1
! grep -q "^$line" "$dir/out"
ok "run shows nothing of it in a file" $?
script -qec "$T conform tests/cases/scalar.case.gz" "$dir/typescript" > "$dir/out" 2>&1
tr '\r' '\n' < "$dir/typescript" > "$dir/out"
grep -q '^tests/cases/.*: [1-9][0-9]* passed, 0 failed' "$dir/out"
ok "conform shows what has passed" $?
counts() { # NAME WHAT COMMAND: "1 of 20 schedules" on a terminal, nothing in a file
  script -qec "$3" "$dir/typescript" > "$dir/out" 2>&1
  tr '\r' '\n' < "$dir/typescript" > "$dir/out"
  grep -q "^[1-9][0-9]* of [1-9][0-9]* $2" "$dir/out"
  ok "$1 counts its $2 on a terminal" $?
  $3 > "$dir/out" 2>&1
  ! grep -q " of [1-9][0-9]* $2" "$dir/out"
  ok "$1 does not count in a file" $?
}
counts explore schedules "$T explore tests/asm/handshake.tta --schedules 20 --threads 1"
counts "explore of a chip" schedules "$T explore examples/reduce_tree/reduce_tree.chip --schedules 20 --threads 1"
counts "pto explore" schedules "$T pto explore examples/pto/attention.pto --schedules 20"
counts "pto sweep" points "$T pto sweep examples/pto/attention.pto --depth 1:2 --schedules 2 --threads 1"
if command -v riscv64-unknown-elf-gcc > "$dir/where"; then
  printf '.globl _start\n_start: addi x1, x1, 1\n j _start\n' > "$dir/count.S"
  riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -Wl,-Ttext=0x1000,-N,--no-warn-rwx-segments "$dir/count.S" -o "$dir/count.elf" &&
    echo "elf 1,2 trisc0 $dir/count.elf" > "$dir/count.chip"
  shows "chip run" "$T chip run $dir/count.chip --max-cycles 600000"
else
  echo "note: no RISC-V compiler: the line of chip run was not looked at"
fi

echo "1..$number"
[ $failures -eq 0 ]
