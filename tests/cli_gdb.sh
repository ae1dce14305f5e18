# gdb-multiarch on the five kernels of a matmul, forwards and backwards: breakpoints by line, backtraces with inlined frames, watchpoints,
# steps back, stops at a hang, a fault and a finding. Prints TAP. Reads BUILD, TESSERA_TEST_SCALE.
. tests/tap.sh
BUILD=${BUILD:-build}
for tool in gdb-multiarch riscv64-unknown-elf-gcc; do
  command -v $tool > /dev/null || { echo "1..0 # SKIP $tool is not installed"; exit 0; }
done
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/gdb_rig.sh
gdb_programs 2> "$work/err" || { echo "1..1"; ok "the kernels compile" 1; exit 1; }
has() { for text in "$@"; do grep -qF -- "$text" "$work/out" || { echo "missing: $text" >> "$work/err"; return 1; }; done; }

# A breakpoint by file and line in each of the five kernels, and the inlined functions around it. (gdb does not report the first stop of the
# inferior it is connected to unless that one is continued first.)
gdb_do << 'GDB'
tbreak reader.c:9
tbreak writer.c:9
tbreak compute.c:13
inferior 2
tbreak compute.c:16
inferior 3
tbreak compute.c:21 thread 3.1
tbreak pack_tile
inferior 1
continue
bt
continue
bt
continue
bt
continue
bt
continue
bt
continue
bt
info threads
thread 2.1
unset tdesc filename
info registers tensix
info registers csr
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
has '"BRISC" hit' '"NCRISC" hit' '"TRISC0" hit' '"TRISC1" hit' '"TRISC2" hit' 'examples/matmul/reader.c' 'examples/matmul/writer.c:9' \
  'examples/matmul/compute.c:13' ' in kernel_entry ()' ' in firmware_main ()' '3.1  Thread 3.1 "TRISC2"' &&
  grep -q '"TRISC2" hit Temporary breakpoint 5.*compute\.c:21' "$work/out"
ok "breakpoints by line in the five kernels" $?
has ' pack_tile (' '  kernel_main () at examples/matmul/compute.c:22' ' launch_once (' ' in firmware_main () at'
ok "backtraces with inlined frames" $?
has 'rwc_dst ' 'sem1 ' 'adc_unpack0_ch0_x' 'gpr63 ' 'cfg0 ' 'instret '
ok "the registers of the coprocessor by name" $?

# The first page of CB 16 is at 0x42000: four tiles go through two pages.
gdb_do << 'GDB'
watch *(unsigned *)0x42000
continue
monitor last-write 0x42000
continue
print *(unsigned *)0x42000
reverse-continue
reverse-continue
print *(unsigned *)0x42000
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
[ "$(grep -c 'hit Hardware watchpoint 1: \*(unsigned' "$work/out")" -eq 4 ] &&
  has '0x42000: written by thread 2 (pack) at kernel_main+' '(compute.c:22, in pack_tile) in cycle ' '$2 = 0'
ok "a watchpoint on a page of a circular buffer finds its writer, and goes back to the write before" $?

# Reads of L1 by a unit and by a core, of local RAM, and reads and writes of a register (pages received of CB 0), forwards and backwards.
gdb_do << 'GDB'
rwatch *(unsigned *)0x40000
continue
continue
reverse-continue
reverse-continue
delete
awatch *(unsigned *)0x42000
continue
continue
reverse-continue
reverse-continue
delete
inferior 5
rwatch *(unsigned *)0xffb00034
continue
reverse-continue
delete
awatch *(unsigned *)0xffb40028
continue
continue
reverse-continue
reverse-continue
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
[ "$(grep -c 'hit Hardware read watchpoint 1: \*(unsigned \*)0x40000' "$work/out")" -eq 4 ] && [ "$(grep -c '^read by thread 0 (unpack) at kernel_main+.*in matmul_tiles' "$work/out")" -eq 4 ] &&
  [ "$(grep -c 'hit Hardware access (read/write) watchpoint 2' "$work/out")" -eq 4 ] && has 'written by thread 2 (pack)' 'read by BRISC at kernel_main' &&
  [ "$(grep -c 'hit Hardware read watchpoint 3' "$work/out")" -eq 2 ] && has 'read by NCRISC at kernel_main' && [ "$(grep -c 'hit Hardware access (read/write) watchpoint 4' "$work/out")" -eq 4 ]
ok "rwatch and awatch on L1, local RAM and a register, forwards and backwards" $?

# Timing off: a core that was behind its neighbour writes a word several times in one cycle. gdb shows each value, in both directions.
cat > "$work/count.S" << 'KERNEL'
.option norvc
.globl _start
_start:
  li t0, 0x8000
  li t1, 0
loop:
  addi t1, t1, 1
  sw t1, 0(t0)
  sw zero, 0(t0)
  j loop
KERNEL
printf '.option norvc\n.globl _start\n_start: j 1f\n1: addi t1, t1, 1\n  j 1b\n' > "$work/delay.S"
matmul=$run
for name in count delay; do
  riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -Wl,-Ttext=$([ $name = count ] && echo 0x4000 || echo 0x6000) "$work/$name.S" -o "$work/$name.elf" 2> "$work/err"
done
run="--timing off --elf brisc=$work/count.elf --elf trisc0=$work/delay.elf --max-cycles 100000"
gdb_do << 'GDB'
inferior 4
watch *(unsigned *)0x8000
continue
continue
continue
continue
reverse-continue
reverse-continue
reverse-continue
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
run=$matmul
[ "$(sed -n 's/^New value = //p' "$work/out" | tr '\n' ' ')" = '1 0 2 0 2 0 1 ' ]
ok "with timing off a watchpoint stops at each write of a cycle" $?

# Dst before the .ttinsn that runs the MOP, long after it, and back before it.
gdb_do << 'GDB'
inferior 2
break compute.c:15
continue
set $here = $pc
monitor dst 0 8 hex
stepi 8
monitor cycle 2700
monitor dst 0 8 hex
reverse-stepi 3
reverse-continue
monitor dst 0 8 hex
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
awk '/^ +[0-7]: / { part[int(n / 8)] = part[int(n / 8)] $0; n++ } END { exit !(n == 24 && part[0] == part[2] && part[0] != part[1]) }' "$work/out"
sed -n '/^ *[0-7]: /!d;p' "$work/out" > "$work/seen"
ok "stepping back over a .ttinsn restores Dst" $?

# TRISC0 is parked in its wait for the first page: gdb's `next` steps over the loop instruction by instruction.
gdb_do << 'GDB'
tbreak compute.c:13
continue
next
next
reverse-next
continue
next
step
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
has '13	      cb_wait_front(CB_A, 1);' '14	      cb_wait_front(CB_B, 1);' '15	      matmul_tiles' && [ "$(grep -c '^14	' "$work/out")" -ge 2 ]
ok "next goes over a wait for a circular buffer, and back" $?
[ "$(grep -c 'received signal SIGSTOP' "$work/out")" -eq 3 ] && [ "$(grep -c '^everything has completed' "$work/out")" -eq 3 ]
ok "next and step at the end of the run stop there" $?

# --- stops at the end of a run, before anything is torn down ---

matmul=$run
small() { # SOURCE CORE: that kernel on one core, the others have none
  run=
  code=$((0x2000))
  for core in brisc ncrisc trisc0 trisc1 trisc2; do
    source=kernels/empty.c
    [ $core != "$2" ] || source=$1
    $kernel_cc "-D$(kernel_define $core)" "$source" "$work/start.o" "$work/$core.firmware.o" -T kernels/firmware/tensix.ld \
      -Wl,--no-warn-rwx-segments -Wl,--defsym,CODE_BASE=$code,--defsym,LOCAL_BYTES=4096 -o "$work/small.$core.elf" || return 1
    run="$run --elf $core=$work/small.$core.elf"
    code=$((code + 0x6000))
  done
  run="$run $(kernel_launch 2)"
}
small tests/hangs/missing_push.c trisc0 2> "$work/err" && gdb_do << 'GDB'
continue
bt
monitor why
reverse-stepi
stepi
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
has 'received signal SIGABRT' 'missing_push.c:' 'CB 0: ' 'has been waiting for page 1 since cycle'
ok "a hang stops in gdb at the place, with its cause" $?
small tests/hangs/kernel_check.c ncrisc 2> "$work/err" && gdb_do << 'GDB'
continue
bt
monitor why
reverse-continue
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
has 'received signal SIGSEGV' 'circular buffer 7 was never configured' 'No more reverse-execution history'
ok "a fault stops in gdb at the place" $?
cat > "$work/taken.c" << 'KERNEL'
#include "compute.h"
void kernel_main(void) {
  TT_SEMGET(4); /* semaphore 2 is zero */
  TT_NOP;
}
KERNEL
gdb_more=--strict
small "$work/taken.c" trisc1 2> "$work/err" && gdb_do << 'GDB'
continue
monitor why
monitor findings
reverse-stepi
monitor hash
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
has 'Thread 2.1 "TRISC1" received signal SIGUSR1' 'hazard: semaphore taken at zero: semaphore 2' 'taken.c:3)' 'error SEM_GET_AT_ZERO: thread 1 (math)' 'hash '
ok "a finding under --strict stops in gdb at the place, and the run goes back from there" $?
gdb_more=

# A wait counts from its first poll, in `where` as in the hang report.
small tests/hangs/missing_push.c trisc0 2> "$work/err" && gdb_do << 'GDB'
continue
monitor where
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
since=$(sed -n 's/^hang after .*since cycle \([0-9]*\).*/\1/p; s/^CB 0: .*since cycle \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
[ -n "$since" ] && has "missing_push.c:" && grep '^TRISC0 at ' "$work/out" | grep -q "waiting for page [0-9]* of CB 0 since cycle $since\$"
ok "a wait counts from its first poll in monitor where" $?
run=$matmul

# Two tiles of a chip: the first one's cores are processes from the start, the other's once one of them is attached or stops.
printf 'kernel 1-2,2 %s\nbuffer 1-2,2 0 2 bf16\nbuffer 1-2,2 1 2 bf16\nbuffer 1-2,2 16 2 bf16\nimage 1-2,2 0x60000 %s\n' "$work/mm" "$work/mm/tiles" > "$work/two.chip"
echo 'args 1-2,2 2 2 2 0 0 0 0 0 0x60000 0x62000 0x70000' >> "$work/two.chip"
cat > "$work/commands" << GDB
set pagination off
set confirm off
set width 0
set schedule-multiple on
target extended-remote | exec $BUILD/tessera chip run $work/two.chip --gdb stdio 2> $work/chip.err
info threads
echo one tile\n
tbreak compute.c:13
continue
attach 7
info threads
tbreak compute.c:16
continue
monitor hash
reverse-stepi
stepi
monitor hash
continue
kill inferiors 1 2 3 4 5 6 7 8 9 10
shell for i in \$(seq 100); do grep -q 'ended by' $work/chip.err && break; sleep 0.1; done
GDB
timeout 60 gdb-multiarch -nx -batch -x "$work/commands" > "$work/out" 2>&1
cat "$work/chip.err" >> "$work/out" # gdb kills the command behind its pipe on exit: wait for the last line first
has 'Thread 1.1 "tile 1,2 TRISC0" hit Temporary breakpoint' '"tile 2,2 TRISC1"' '"tile 2,2 NCRISC"' 'TRISC1" hit Temporary breakpoint' \
  'everything has completed at cycle' 'tessera chip: ended by the debugger' &&
  ! sed '/^one tile/q' "$work/out" | grep -q 'tile 2,2' &&
  [ "$(grep -c '^cycle [0-9]* hash ' "$work/out")" -eq 2 ] && [ "$(grep '^cycle [0-9]* hash ' "$work/out" | sort -u | wc -l)" -eq 1 ]
ok "two tiles of a chip: a process per core on demand, a step back and forth gives the hash" $?

# The checkers watch a chip: both tiles read a register that was not written.
cat > "$work/unwritten.c" << 'KERNEL'
#include "compute.h"
void kernel_main(void) {
  TT_NOP;
#ifdef TRISC_MATH
  TT_ADDDMAREG(0, 10, 5, 6);
#endif
}
KERNEL
matmul=$run
mkdir -p "$work/bad"
small "$work/unwritten.c" trisc1 2> "$work/err" && for core in brisc ncrisc trisc0 trisc1 trisc2; do cp "$work/small.$core.elf" "$work/bad/$core.elf"; done
run=$matmul
printf 'kernel 1-2,2 %s\n' "$work/bad" > "$work/bad.chip"
cat > "$work/commands" << GDB
set pagination off
set confirm off
set width 0
set schedule-multiple on
target extended-remote | exec $BUILD/tessera chip run $work/bad.chip --strict --gdb stdio 2> $work/chip.err
continue
monitor findings
reverse-stepi 12
monitor findings
stepi
continue
monitor findings
kill inferiors 1 2 3 4 5 6 7 8 9 10
GDB
timeout 60 gdb-multiarch -nx -batch -x "$work/commands" > "$work/out" 2>&1
[ "$(grep -c 'TRISC1" received signal SIGUSR1' "$work/out")" -ge 1 ] && [ "$(grep -c 'error GPR_UNDEFINED: thread 1' "$work/out")" -eq 2 ] &&
  has 'hazard fault: read of a GPR' 'unwritten.c:5' 'no findings up to cycle'
ok "a finding of a checker stops a chip in gdb under --strict, again after a step back" $?
"$BUILD/tessera" chip run "$work/bad.chip" --strict --quiet > "$work/out" 2>&1
[ $? -eq 5 ] && has 'hazard fault: read of a GPR'
ok "chip run --strict stops at the first finding with exit code 5" $?

# shellcheck disable=SC2086
timeout 120 python3 tests/gdb_clients.py "$BUILD/tessera" $run > "$work/out" 2> "$work/err"
has 'listens at 127.0.0.1' 'slow: True' 'second: closed' 'first still answers: True' 'third answers: True' 'fourth answers: True' 'exit code: 0' \
  'ends as a plain run: True'
ok "clients that are slow, second, vanish, kill or detach; nothing beyond this machine" $?

# --- the terminal ---

steps=$((20 * ${TESSERA_TEST_SCALE:-100} / 25))
random_walk() { # N: steps forwards and backwards on all cores, then runs to the end
  awk -v n="$1" 'BEGIN { srand(7); split("brisc ncrisc trisc0 trisc1 trisc2", core, " "); print "goto 9000"
    for (i = 0; i < n; i++) { r = rand()
      if (r < 0.04) print "core " core[1 + int(5 * rand())]
      else if (r < 0.05) print "goto " 5000 + int(27000 * rand())
      else if (r < 0.06) print "cycle " 1 + int(500 * rand())
      else print (r < 0.53 ? "step" : "back") }
    print "delete"; print "continue"; print "hash" }'
}
terminal() { # commands on standard input, output in $work/out
  # shellcheck disable=SC2086
  "$BUILD/tessera" debug --check ${checks:-none} --timing ${timing:-cycle} $run > "$work/out" 2> "$work/err"
}
printf 'continue\nhash\n' | terminal
straight=$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")
random_walk $steps | terminal
[ -n "$straight" ] && [ "$straight" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ] &&
  [ "$(grep -c '^(tessera) \(step\|back\)' "$work/out")" -gt $((steps / 2)) ]
ok "$steps random steps in both directions end in the hash of a straight run" $?

# Checkers watch the first run over each cycle only; the end does not depend on them.
random_walk $((steps / 2)) | checks=all terminal
[ "$straight" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ] && [ "$(grep -c '^(tessera) \(step\|back\)' "$work/out")" -gt $((steps / 4)) ]
ok "$((steps / 2)) with checkers end in the same hash" $?
printf 'continue\nback 3\ncontinue\nhash\n' | checks=all terminal
[ "$straight" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ]
ok "the end of a run that was repeated is that of the watched one" $?

# The hash of a cycle is the same after one run, after many short ones and after a run from a snapshot.
printf 'continue\nhash\ngoto 20000\nhash\ncontinue\nhash\n' | terminal
first=$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")
{ for cycle in $(seq 150 907 20000); do echo "goto $cycle"; done; printf 'continue\nhash\ngoto 20000\nhash\ngoto 31000\ncontinue\nhash\n'; } | terminal
[ "$first" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ] && [ "$(echo "$first" | sed -n 1p)" = "$(echo "$first" | sed -n 3p)" ]
ok "the hash of a place does not depend on how the run came there" $?

# The same with timing off, where cores take turns and an observed core pushes its words one by one.
printf 'goto 26162\nhash\ncontinue\nhash\n' | timing=off terminal
plain=$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")
{ random_walk $steps | sed '/^continue$/,$d'; printf 'goto 26162\nback 3\ngoto 26162\nhash\ncontinue\nhash\n'; } | timing=off terminal
[ "$(echo "$plain" | wc -l)" -eq 2 ] && [ "$plain" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ]
ok "with timing off the hash does not depend on steps back either" $?
cuts=0
for timing in cycle off; do
  for cycle in 3001 7777 12345; do
    "$BUILD/tessera" chip run "$work/two.chip" --timing $timing --max-cycles $cycle --hash --quiet --check none 2> "$work/err" | sed -n 's/^hash //p' > "$work/seen"
    { seq 100 613 $cycle | sed 's/^/goto /'; printf 'goto %s\nback 3\ngoto %s\nhash\n' $cycle $cycle; } |
      "$BUILD/tessera" debug --check none --timing $timing "$work/two.chip" > "$work/out" 2>> "$work/err"
    [ -s "$work/seen" ] && [ "$(cat "$work/seen")" = "$(sed -n 's/^cycle [0-9]* hash //p' "$work/out")" ] && cuts=$((cuts + 1))
  done
done
timing=
[ $cuts -eq 6 ]
ok "nor does that of a chip, with and without timing" $?

# Options of tessera debug apply to a chip or are refused.
echo continue | "$BUILD/tessera" debug "$work/bad.chip" --strict > "$work/out" 2> "$work/err"
has 'hazard fault: read of a GPR' || has 'finding at cycle'
strict=$?
echo continue | "$BUILD/tessera" debug "$work/two.chip" --max-cycles 5000 > "$work/out" 2> "$work/err"
[ $strict -eq 0 ] && has 'the cycle limit 5000 is reached' && ! "$BUILD/tessera" debug "$work/two.chip" --poke 0x100=1 < /dev/null > "$work/out" 2>&1 &&
  has 'names its programs' && ! "$BUILD/tessera" debug "$work/two.chip" --param ttinsn_fusion=1 < /dev/null > "$work/out" 2>&1 && has 'param is for a single tile'
ok "options of tessera debug apply to a chip or are refused" $?

printf 'break trisc2 pack_tile\nbreak trisc1 kernel_main\ncontinue\nstep 5\nback 5\nwatch 0x42000\npoints\ndelete\nnonsense\ngoto 12000\nwhere\nquit\n' | terminal
has 'breakpoint: TRISC1' 'breakpoint at cycle' "no command 'nonsense'" 'at cycle 12000' 'has been waiting since cycle'
ok "the terminal breaks, steps, goes back and shows" $?
printf 'break trisc1 compute.c:15\ncontinue\n' | terminal
grep -q '^breakpoint at cycle .*(compute.c:15, in matmul_tiles)$' "$work/out"
ok "the terminal breaks at a line that begins with an inlined call, which gdb cannot" $?
# shellcheck disable=SC2086
timeout 120 python3 tests/debug_terminal.py "$BUILD/tessera" debug --check none $run > "$work/out" 2> "$work/err"
[ "$(grep -c ': good$' "$work/out")" -eq 10 ] && has 'exit code: 0'
ok "on a terminal: TAB completes, the arrows recall earlier lines" $?
printf 'awatch 0x42000\ncontinue\ncontinue\ncontinue\nreverse\nreverse\nreverse\npoints\ndelete\nawatch 0xffe80020\nrwatch\ncontinue\nhash\n' | terminal
[ "$(sed -n 's/^\(written\|read\) by \([a-zA-Z]*\).*/\1 \2/p' "$work/out" | tr '\n' ,)" = 'written thread,read BRISC,written thread,written thread,read BRISC,written thread,' ] &&
  has 'awatch 0x42000:4' '4 bytes at 0xffe80020 are neither in L1' 'registers that signal a write' 'rwatch takes ADDR' "$straight"
ok "reads and writes in their order, forwards and backwards, and the hash of a straight run" $?
printf 'break\nbreak brisc a b\ncontinue 5\nbreak trisc1 compute.c:13\nbreak trisc1 compute.c:99\nstep abc\nback 0\nhistory x\ncycle 99999999999999999999\ngoto -1\nstop semaphore 8\nstop FOO\npage 0xfffffff0 bf16\n' | terminal
has 'break takes [CORE] and a symbol' 'break takes [CORE] SYMBOL|FILE:LINE|ADDR' 'continue takes no argument' \
  'compute.c:13 has no code on TRISC1; the next line that has is 15' 'compute.c:99 has no code on TRISC1, nor' "step takes a number from 1 on, not 'abc'" "back takes a number from 1 on, not '0'" "history takes MiB from 1 on, not 'x'" 'cycle takes a number from 1 on' \
  'goto takes a cycle' "stop semaphore takes a number up to 7, not '8'" "no event and no instruction 'FOO'" '0xfffffff0 cannot be read' &&
  [ "$(grep -vc '^(tessera)' "$work/out")" -eq 13 ]
ok "a wrong argument of a command is one line, and nothing moves" $?
for where in 99999 unix: abc: 1.2.3.4:5; do
  # shellcheck disable=SC2086
  timeout 20 "$BUILD/tessera" run $run --gdb $where > "$work/out" 2>&1 < /dev/null
  [ $? -eq 2 ] && [ "$(wc -l < "$work/out")" -eq 1 ] && grep -qF "cannot listen at '$where'" "$work/out" || break
done
[ $where = 1.2.3.4:5 ] && grep -qF "cannot listen at '1.2.3.4:5'" "$work/out"
ok "a place that cannot be listened at is one line" $?
# The session of docs/guide/debugging.md: the same text except for cycles and addresses.
run=
code=$((0x2000))
for core in brisc ncrisc trisc0 trisc1 trisc2; do
  case $core in ncrisc | trisc0) source=tests/hangs/missing_push.c ;; *) source=kernels/empty.c ;; esac
  $kernel_cc "-D$(kernel_define $core)" "$source" "$work/start.o" "$work/$core.firmware.o" -T kernels/firmware/tensix.ld \
    -Wl,--no-warn-rwx-segments -Wl,--defsym,CODE_BASE=$code,--defsym,LOCAL_BYTES=4096 -o "$work/small.$core.elf" 2> "$work/err"
  run="$run --elf $core=$work/small.$core.elf"
  code=$((code + 0x6000))
done
run="$run $(kernel_launch 2)"
sed -n '/^```session/,/^```$/{/^```/d;p}' docs/guide/debugging.md > "$work/session"
sed -n 's/^(tessera) //p' "$work/session" | terminal
numbers() { sed 's/0x[0-9a-f]*/N/g; s/[0-9][0-9]*/N/g' "$1"; }
numbers "$work/session" > "$work/expected" && numbers "$work/out" > "$work/seen" && [ -s "$work/session" ] && diff "$work/expected" "$work/seen" > "$work/err"
ok "the session of docs/guide/debugging.md is what the terminal says" $?
echo "1..$number"
[ $failures -eq 0 ]
