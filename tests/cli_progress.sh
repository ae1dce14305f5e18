# On a terminal a long run shows a line with its cycles, its speed and what it does, and erases it at the end; in a file it writes none. Prints TAP.
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
shows() { # NAME COMMAND WHAT
  script -qec "stty cols 200; $2" "$dir/typescript" > "$dir/out" 2>&1
  tr '\r' '\n' < "$dir/typescript" | tr -d '\033' > "$dir/out"
  grep -q "^$line: $3\[K" "$dir/out"
  ok "$1 shows its cycles, its speed and what it does on a terminal" $?
}
run="$T run --load 0x1000:$dir/count --reset-pc trisc0=0x1000 --cores trisc0 --max-cycles 1500000"
shows run "$run" "TRISC0 runs"
script -qec "stty cols 50; $run" "$dir/typescript" > "$dir/out" 2>&1
tr '\r' '\n' < "$dir/typescript" | tr -d '\033' > "$dir/out"
grep "^$line: " "$dir/out" | sed 's/\[K.*//' | awk 'length > 49 { bad = 1 } END { exit bad || !NR }'
ok "the line is not longer than one of the terminal" $?
# lw x1, 256(x0); beqz x1, -4: polls a word that stays 0
printf '\203\040\000\020\343\216\000\376' > "$dir/poll"
# lui x2, 0xffe40; lui x3, 0x26000; sw x3, 0(x2); j 0: pushes MVMUL, for which SrcA has no data, and ends in a loop
printf '\067\001\344\377\267\001\000\046\043\040\061\000\157\000\000\000' > "$dir/product"
shows "run of three cores" "$T run --load 0x1000:$dir/count --load 0x2000:$dir/poll --load 0x3000:$dir/product --reset-pc trisc0=0x1000 --reset-pc ncrisc=0x2000 --reset-pc trisc1=0x3000 --cores trisc0,trisc1,ncrisc --max-cycles 1500000" \
  "TRISC0 runs; thread 1 (math) waits: SrcA bank; 2 cores poll"
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
  shows "chip run" "$T chip run $dir/count.chip --max-cycles 600000" "1 of 1 tile runs"
  # A core that polls a register of its NIU, and one that polls its L1.
  printf '.globl _start\n_start: lui x2, 0xffb20\n1: lw x1, 0x200(x2)\n beqz x1, 1b\n j 1b\n' > "$dir/noc.S"
  printf '.globl _start\n_start: lw x1, 256(x0)\n beqz x1, _start\n' > "$dir/poll.S"
  for name in noc poll; do
    riscv64-unknown-elf-gcc -march=rv32i -mabi=ilp32 -nostdlib -Wl,-Ttext=0x1000,-N,--no-warn-rwx-segments "$dir/$name.S" -o "$dir/$name.elf"
  done
  printf 'elf 1,2 trisc0 %s\nelf 2,2 brisc %s\nelf 3,2 brisc %s\n' "$dir/count.elf" "$dir/noc.elf" "$dir/poll.elf" > "$dir/three.chip"
  shows "chip run of three tiles" "$T chip run $dir/three.chip --max-cycles 600000" "1 of 3 tiles run, 1 waits for the NoC, 1 only waits"
  # The search for the cause takes seconds in large kernels, and each rerun as long as the run.
  "$T" kernel new "$dir/mine" > "$dir/out" 2>&1 && script -qec "$T kernel run $dir/mine --why --check none" "$dir/typescript" > "$dir/out" 2>&1
  tr '\r' '\n' < "$dir/typescript" | tr -d '\033' > "$dir/out"
  grep -q '^looking for the cause\[K' "$dir/out" && grep -q '^rerun, ' "$dir/out" && grep -q '^why: ' "$dir/out"
  ok "kernel run --why shows the search for the cause and the reruns" $?
  "$T" kernel run "$dir/mine" --no-build --why --check none > "$dir/out" 2>&1 && ! grep -q '^looking for\|^rerun, ' "$dir/out"
  ok "kernel run --why shows nothing of it in a file" $?
else
  echo "note: no RISC-V compiler: the line of chip run was not looked at"
fi

echo "1..$number"
[ $failures -eq 0 ]
