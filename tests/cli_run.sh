# tessera run as a command, on executables made by the cross compiler. Prints TAP. Reads BUILD (the build directory).
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0

kernel() { # NAME BASE SOURCE [FLAGS]: $work/NAME.elf
  riscv64-unknown-elf-gcc -g -O1 -march=rv32im_zicsr_zba_zbb -mabi=ilp32 -nostdlib -nostartfiles -ffreestanding -fno-pic -Wl,-N \
    -Wl,--defsym=BASE="$2" -T tests/cores/core.ld $4 tests/cores/start.S "tests/cores/$3" -o "$work/$1.elf" \
    2> "$work/err" || { cat "$work/err"; exit 1; }
}
kernel sum 0x6000 sum.c
kernel hang_flag 0x6000 hang_flag.c
kernel hang_semaphore 0x6000 hang_semaphore.c
kernel bad_push 0x6000 bad_push.c
kernel long_loop 0x6000 long_loop.c
kernel flag 0x9000 flag.c
kernel brisc 0x0 boot_brisc.c
for i in 0 1 2; do kernel "trisc$i" "0x$((6 + i))000" boot_trisc.c "-DCORE=$i"; done

ok() { # NAME STATUS: the next test
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/out" "$work/err" 2> /dev/null | head -n 40
  fi
}
run() { # CODE ARGUMENTS: runs and compares the exit code
  code=$1
  shift
  "$tessera" run "$@" > "$work/out" 2> "$work/err"
  got=$?
  [ $got -eq "$code" ] || echo "exit code $got, not $code" >> "$work/err"
  [ $got -eq "$code" ]
}
says() { for word; do grep -qF -- "$word" "$work/out" || { echo "no '$word'" >> "$work/err"; return 1; }; done; }

for timing in off cycle; do
  run 0 --elf trisc0="$work/sum.elf" --timing $timing --dump 0x20000:20:"$work/dump" --json "$work/json" --show sem &&
    says "done after" "TRISC0" "ebreak" "FPU share of peak" "5 UNPACK_SYNC                2    3" &&
    [ "$(od -An -tu4 -j0 -N4 "$work/dump" | tr -d ' ')" -eq 16941 ] && [ "$(od -An -tu4 -j16 -N4 "$work/dump" | tr -d ' ')" -eq 1 ] &&
    grep -q '"result":"done"' "$work/json" && grep -q '"core":"TRISC0","state":"ebreak"' "$work/json"
  ok "a kernel runs, timing $timing" $?
  run 0 --elf brisc="$work/brisc.elf" --elf trisc0="$work/trisc0.elf" --elf trisc1="$work/trisc1.elf" --elf trisc2="$work/trisc2.elf" \
    --cores brisc --until 0x20080=0xD0E/0xFFF --timing $timing && says "condition met" "BRISC"
  ok "BRISC starts the tile as firmware does, timing $timing" $?
  run 4 --elf trisc0="$work/hang_flag.elf" --timing $timing --verbose &&
    says "hang after" "the word at 0x00020040" "wait_for_flag" "hang_flag.c:4" "where the cores are" "to become 0xcafe"
  ok "a flag that is never set is named with function and line, timing $timing" $?
  run 4 --elf trisc1="$work/hang_semaphore.elf" --timing $timing --verbose &&
    says "waiting for a post to semaphore 4 (PACK_DONE)" "value 0, maximum 1" "thread 1 to become idle (tensix_sync)" "acquire" \
      "hang_semaphore.c"
  ok "a semaphore that is never posted is named, timing $timing" $?
  run 3 --elf trisc2="$work/bad_push.elf" --timing $timing &&
    says "TRISC2: store of 4 bytes to 0xffe50000: this hangs a T core" "push_to_math" "bad_push.c:3"
  ok "a push to another thread's FIFO is a fault with its place, timing $timing" $?
  run 6 --elf trisc0="$work/long_loop.elf" --max-cycles 50000 --timing $timing && says "limit after 50000 cycles" "TRISC0" "running"
  ok "a long computation is not called a hang, timing $timing" $?
done

run 4 --elf trisc0="$work/hang_flag.elf" && [ "$(sed -n 's/^hang after \([0-9]*\) cycles.*/\1/p' "$work/out")" -lt 10000 ]
ok "a hang is found within 10,000 cycles" $?
run 0 --elf trisc0="$work/sum.elf" --break trisc0:sum --show dst,srca,srcb,lreg,rwc,adc,cfg,sem &&
  says "break: TRISC0 at 0x0000" "sum+0x0 (sum.c:5)" "Dst:" "SrcA bank 0" "SrcB bank 1" "LReg" "RWC" "ADC" "Config" "semaphore"
ok "a break shows the registers" $?
run 0 --elf trisc0="$work/sum.elf" --trace "$work/trace" && grep -q 'TRISC0 .*\[00020000\] = 0000422d' "$work/trace" &&
  grep -q 'thread0 .*SEMINIT\|thread0 .*seminit' "$work/trace"
ok "a trace has one line per instruction, with what it wrote" $?
printf '\223\000\000\000\163\000\020\000' > "$work/raw" # addi ra, zero, 0; ebreak
run 0 --load 0x9000:"$work/raw" --reset-pc ncrisc=0x9000 && says "NCRISC"
ok "a raw image runs at an address" $?
run 0 --elf trisc0="$work/sum.elf" --json - && head -c1 "$work/out" | grep -q '{'
ok "the report as JSON on standard output" $?

# Writes in the middle of a run, several conditions, watchpoints, many files.
run 0 --elf trisc0="$work/hang_flag.elf" --poke 0x20040=0xcafe@5000 && says "done after 5"
ok "a write at a cycle releases a core that waits" $?
run 4 --elf trisc0="$work/hang_flag.elf" --poke 0x20044=0xcafe@5000 && says "hang after"
ok "a write to another word does not" $?
for timing in cycle off; do
  run 6 --elf trisc0="$work/hang_flag.elf" --poke 0x20040=0xcafe@20000 --max-cycles 20000 --timing $timing && says "limit after 20000 cycles" "(now 0xcafe, not read yet) to become 0xcafe"
  ok "a word that was written just before the limit is not read yet, timing $timing" $?
done
run 0 --elf trisc0="$work/hang_flag.elf" --poke 0x20040=0xcafe@5000 --poke 0x20044=1@9000 && says "done after 9000 cycles" &&
  run 0 --elf trisc0="$work/hang_flag.elf" --poke 0x20040=0xcafe@5000 --poke 0x20044=1@9000 --max-cycles 8000 && says "done after 5"
ok "the last write ends a run whose cores have stopped, if it is within --max-cycles" $?
run 0 --elf trisc0="$work/hang_flag.elf" --elf trisc1="$work/flag.elf" --when 0x20080=7:0x20040=0xcafe && says "done after"
ok "a write when a condition is met releases a core that waits" $?
run 0 --elf trisc1="$work/flag.elf" --until 0x20080=99 --until 0x20080=7 &&
  says "condition met: the word at 0x00020080 is 0x7" && run 0 --elf trisc1="$work/flag.elf" --until 0x20080=7,0x20084=8 &&
  says "condition met: the word at 0x00020080 is 0x7 and the word at 0x00020084 is 0x8"
ok "several conditions: any of them, or all at once" $?
run 0 --elf trisc1="$work/flag.elf" --watch 0x20084 && says "watchpoint: a word from 0x00020084 on was written"
ok "a watchpoint stops after the write" $?
run 0 --elf trisc0="$work/sum.elf" --break trisc0:sum --break trisc0:_start && says "break: TRISC0 at 0x00006000"
ok "several breaks: the first that is reached stops" $?
loads=
i=0
while [ $i -lt 100 ]; do loads="$loads --load $((0x30000 + 16 * i)):$work/raw" && i=$((i + 1)); done
# shellcheck disable=SC2086
run 0 $loads --reset-pc ncrisc=0x30630 && says "NCRISC"
ok "a hundred files are loaded" $?

bad() { # WORDS ARGUMENTS: exit code 2, one line on stderr that has the words, nothing on stdout
  words=$1
  shift
  run 2 "$@" && [ ! -s "$work/out" ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -qF -- "$words" "$work/err"
  ok "refused: $*" $?
}
elf=trisc0=$work/sum.elf
bad "nothing to run"
bad "unknown option" --wrong
bad "needs a value" --elf
bad "CORE=FILE" --elf sum.elf
bad "CORE=FILE" --elf trisc3=x
bad "two --elf" --elf "$elf" --elf "$elf"
bad "cannot read" --elf trisc0=/nonexistent
bad "not an ELF file" --elf trisc0=tests/cli_run.sh
bad "ADDR=VALUE" --elf "$elf" --poke 5
bad "ADDR=VALUE" --elf "$elf" --poke 0x100=0x100000000
bad "visible to the NoC" --elf "$elf" --poke 0xFFEF0000=1
bad "ADDR:FILE" --elf "$elf" --load 12
bad "do not fit" --elf "$elf" --load 0x17ffff:"$work/sum.elf"
bad "aligned address in L1" --elf "$elf" --reset-pc trisc0=2
bad "aligned address in L1" --elf "$elf" --break trisc0:0x6003
bad "a list of" --elf "$elf" --cores trisc0,,brisc
bad "ADDR=VALUE or" --elf "$elf" --until 0x20000
bad "ADDR=VALUE@CYCLE" --elf "$elf" --poke 0x20000=1@x
bad "--when takes" --elf "$elf" --when 0x20000=1
bad "at most four words" --elf "$elf" --until 0=1,4=1,8=1,12=1,16=1
bad "ADDR:LENGTH" --elf "$elf" --watch x
bad "--watch" --elf "$elf" --watch 0xFFB14000
bad "not a saved state" --restore tests/cli_run.sh
bad "inside its mask" --elf "$elf" --until 0x20000=0x100/0xff
bad "--until" --elf "$elf" --until 0xFFB121F0=5
bad "above 0" --elf "$elf" --max-cycles 0
bad "off or cycle" --elf "$elf" --timing fast
bad "a list of dst" --elf "$elf" --show dest
bad "CORE:SYMBOL" --elf "$elf" --break sum
bad "no symbol 'nothing'" --elf "$elf" --break trisc0:nothing
bad "ADDR:LENGTH:FILE" --elf "$elf" --dump 0x100:0:x
bad "a range of L1" --elf "$elf" --dump 0x17fff0:64:x
bad "no parameter" --elf "$elf" --param nothing=1
bad "could not be written" --elf "$elf" --json /nonexistent/x
bad "is not an option" --elf "$elf" extra

# Without lines: the function from the symbol table, and for compressed debug sections what to do.
kernel packed 0x6000 hang_flag.c -gz
"$tessera" run --elf trisc0="$work/packed.elf" > "$work/out" 2> "$work/err"
[ $? -eq 4 ] && grep -q "^tessera run: note: TRISC0's debug sections are compressed and are not read: compile with -gz=none to see lines\$" "$work/err" &&
  head -n 1 "$work/out" | grep -q 'TRISC0 at 0x[0-9a-f]* in wait_for_flag has been waiting'
ok "compressed debug sections: a note, and the function's name" $?

echo "1..$number"
[ $failures -eq 0 ]
