# SIGINT and SIGTERM end a run with the report so far, complete files and exit code 130 or 143. Output files get their names when they are
# complete: a run that is killed leaves the old ones. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
ok() { # STATUS NAME
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then echo "ok $number - $2"; return; fi
  failures=$((failures + 1))
  echo "not ok $number - $2"
  sed 's/^/# /' "$work/out" "$work/err" | head -n 20
}
valid_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }
parts() { ls "$work" | grep -c '\.part'; }

# A core that counts forever: the run neither hangs nor ends.
printf '.globl _start\n_start: addi a0, a0, 1\nj _start\n' > "$work/count.s"
riscv64-unknown-elf-gcc -march=rv32im -mabi=ilp32 -nostdlib -Wl,-Ttext=0x1000,--no-warn-rwx-segments,-N "$work/count.s" -o "$work/count.elf" ||
  exit 1

# Starts a command in the background and sends it a signal when it has begun its run: then its files exist under another name.
interrupt() { # SIGNAL COMMAND...
  signal=$1
  shift
  "$@" > "$work/out" 2> "$work/err" &
  pid=$!
  tries=0
  while [ "$(parts)" -eq 0 ] && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
  sleep 0.2
  kill "-$signal" $pid 2>> "$work/err"
  wait $pid
}

run="$tessera run --elf trisc0=$work/count.elf --max-cycles 1000000000000000"
echo old > "$work/json"
interrupt INT $run --json "$work/json" --sarif "$work/sarif" --save-state "$work/state" --dump "0x1000:16:$work/dump"
status=$?
[ $status -eq 130 ] && grep -q '^interrupted after [0-9]* cycles: TRISC0 still runs' "$work/out" && grep -q 'interrupted by SIGINT' "$work/err" &&
  grep -q '^{"result":"interrupted","code":130,' "$work/json"
ok $? "run ends with 130 after SIGINT and reports (got $status)"
valid_json "$work/json" && valid_json "$work/sarif" && [ "$(wc -c < "$work/dump")" -eq 16 ] && [ "$(wc -c < "$work/state")" -gt 1000000 ]
ok $? "its files are complete"
[ "$(parts)" -eq 0 ]
ok $? "no other files are left"

interrupt TERM $run --json "$work/json"
status=$?
[ $status -eq 143 ] && valid_json "$work/json" && grep -q 'interrupted by SIGTERM' "$work/err"
ok $? "run ends with 143 after SIGTERM (got $status)"

echo old > "$work/json"
interrupt KILL $run --json "$work/json" 2> /dev/null
[ "$(cat "$work/json")" = old ]
ok $? "a run that is killed leaves the old file"
rm -f "$work"/*.part*

interrupt INT "$tessera" pto run --dispatches 100000 --sarif "$work/sarif" examples/pto/attention.pto
status=$?
[ $status -eq 130 ] && grep -q '^interrupted after' "$work/out" && valid_json "$work/sarif" && grep -q 'interrupted by SIGINT' "$work/err"
ok $? "pto run ends with 130 after SIGINT (got $status)"

# A loop without an instruction: a cycle of it has 4096 scalars, so that a million cycles between two looks at the signal were 12 s.
sed '0,/return/s//scf.for %i = 0 to 99999999999 step 1 {\n}\nreturn/' examples/pto/pattern1.pto > "$work/empty.pto"
began=$(date +%s)
interrupt TERM "$tessera" pto run --sarif "$work/sarif" "$work/empty.pto"
status=$?
[ $status -eq 143 ] && grep -q '^interrupted after' "$work/out" && [ $(($(date +%s) - began)) -lt 6 ]
ok $? "pto run of an empty loop ends at once after SIGTERM (got $status after $(($(date +%s) - began)) s)"

# 140 tiles with five busy cores: between two looks at the signal there were 2^18 cycles, 7 s.
for core in brisc ncrisc trisc0 trisc1 trisc2; do echo "elf 1-16,2-11 $core $work/count.elf"; done > "$work/busy.chip"
began=$(date +%s)
interrupt INT "$tessera" chip run "$work/busy.chip" --json "$work/json"
status=$?
[ $status -eq 130 ] && valid_json "$work/json" && [ $(($(date +%s) - began)) -lt 5 ]
ok $? "chip run of 140 busy tiles ends soon after SIGINT (got $status after $(($(date +%s) - began)) s)"

# A program of the assembler that takes minutes: MOPs of 127 times 127 instructions.
{
  printf '.thread 1\n.store 0xFFB80000, 127\n.store 0xFFB80004, 127\n'
  for register in 08 0C 10 18; do printf '.store 0xFFB800%s, 0x02000000\n' $register; done
  for register in 14 1C 20; do printf '.store 0xFFB800%s, 0x38004000\n' $register; done
  awk 'BEGIN { for (i = 0; i < 100000; i++) print "ttmop 1, 0, 0" }'
} > "$work/long.tta"
for signal in INT TERM; do
  case $signal in INT) code=130 ;; *) code=143 ;; esac
  rm -f "$work/sarif"
  interrupt $signal "$tessera" exec --sarif "$work/sarif" "$work/long.tta"
  status=$?
  [ $status -eq $code ] && valid_json "$work/sarif" && grep -q "interrupted by SIG$signal" "$work/err" && grep -q '^interrupted after' "$work/out"
  ok $? "exec ends with $code after SIG$signal and reports (got $status)"
done
# A trace makes a cycle a hundred times as slow: the command looks at the signal after a time, not after a number of cycles.
"$tessera" exec --trace "$work/t.txt" "$work/long.tta" > "$work/out" 2> "$work/err" &
pid=$!
sleep 1
kill -INT $pid
wait $pid
status=$?
cycles=$(sed -n 's/^interrupted after \([0-9]*\) cycles.*/\1/p' "$work/out")
[ $status -eq 130 ] && [ $((${cycles:-0} % 1048576)) -ne 0 ]
ok $? "exec with a trace ends between cycles that take long (got $status after ${cycles:-no} cycles)"
rm -f "$work/t.txt"
# The socket of a debugger goes with the command.
"$tessera" run --elf "trisc0=$work/count.elf" --gdb "unix:$work/socket" > "$work/out" 2> "$work/err" &
pid=$!
tries=0
while [ ! -S "$work/socket" ] && [ $tries -lt 100 ]; do sleep 0.05; tries=$((tries + 1)); done
sleep 0.2
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ] && [ $tries -lt 100 ] && [ ! -e "$work/socket" ]
ok $? "a signal removes the socket of --gdb (got $status)"

# explore: in the run without delays, and between schedules.
explored() { # NAME TEXT COMMAND...
  name=$1
  text=$2
  shift 2
  "$@" > "$work/out" 2> "$work/err" &
  pid=$!
  sleep "${pause:-0.7}"
  kill -INT $pid
  wait $pid
  status=$?
  [ $status -eq 130 ] && grep -q "interrupted by SIGINT" "$work/err" && head -n 1 "$work/out" | grep -q "$text"
  ok $? "$name ends with 130 after SIGINT and reports (got $status)"
}
explored "explore of an endless run" '^0 schedules: the run without delays has not ended' \
  "$tessera" explore --elf "trisc0=$work/count.elf" --max-cycles 1000000000000000
explored explore '^[0-9]* schedules, [0-9]* cycles without delays: all end alike' \
  "$tessera" explore tests/asm/handshake.tta --schedules 4000000
pause=4 # its first run must have ended, also on a busy host
explored "explore of a chip" '^[0-9]* schedules, [0-9]* cycles without delays: all end alike' \
  "$tessera" explore examples/reduce_tree/reduce_tree.chip --schedules 4000000
pause=
explored "pto explore" '^[0-9]* schedules, nothing breaks' "$tessera" pto explore examples/pto/attention.pto --schedules 4000000

# Nothing shows that a chip has begun its run; a second is enough to load it.
printf 'elf 1,2 trisc0 %s\n' "$work/count.elf" > "$work/count.chip"
for signal in INT TERM; do
  case $signal in INT) code=130 ;; *) code=143 ;; esac
  "$tessera" chip run "$work/count.chip" --max-cycles 1000000000000 > "$work/out" 2> "$work/err" &
  pid=$!
  sleep 1
  kill -$signal $pid
  wait $pid
  status=$?
  [ $status -eq $code ] && grep -q "interrupted by SIG$signal" "$work/err" && head -n 1 "$work/out" | grep -q '^[0-9]* cycles:'
  ok $? "chip run ends with $code after SIG$signal and reports (got $status)"
done

# A kernel: the report, then the line; in one file they are in this order. The verdict is about the cycles until the signal.
"$tessera" kernel new "$work/kernel" > "$work/out" 2> "$work/err"
sed -i 's/  for (uint32_t i = 0/  for (volatile uint64_t n = 1; n;) n += 2;\n&/' "$work/kernel/reader.c"
"$tessera" kernel build "$work/kernel" > "$work/out" 2>> "$work/err"
for tiles in 1,2 1-2,2; do
  sed -i "s/^grid   [0-9,-]*/grid   $tiles/" "$work/kernel/kernel.chip"
  "$tessera" kernel run "$work/kernel" --no-build --why --check none --max-cycles 1000000000000 > "$work/out" 2>&1 &
  pid=$!
  sleep 1
  kill -INT $pid
  wait $pid
  status=$?
  [ $status -eq 130 ] && ! grep -q '^limit after\|limit of cycles' "$work/out" && grep -q '^interrupted after [0-9]* cycles' "$work/out" &&
    grep -q '^why: until the interrupt, at which the run had not ended: ' "$work/out" &&
    tail -n 1 "$work/out" | grep -q '^tessera kernel: interrupted by SIGINT'
  ok $? "kernel run on $tiles ends with 130 after SIGINT, and its line follows the report (got $status)"
done
"$tessera" kernel run "$work/kernel" --no-build --check none --max-cycles 20000 > "$work/out" 2>&1
[ $? -eq 6 ] && tail -n 1 "$work/out" | grep -q '^tessera kernel: not done after 20000 cycles'
ok $? "the line about the limit follows the report"

"$tessera" run --elf "trisc0=$work/count.elf" --max-cycles 1000 --json /dev/null > "$work/out" 2> "$work/err"
[ $? -eq 6 ] && [ -c /dev/null ]
ok $? "a device is written in place"
"$tessera" run --elf "trisc0=$work/count.elf" --max-cycles 1000 --json /nonexistent/x > "$work/out" 2> "$work/err"
[ $? -eq 2 ]
ok $? "a path that cannot be written is refused"
# At any moment, also before the run: the code, a line, and no file under another name.
python3 - "$tessera" "$work" << 'PYTHON' > "$work/out" 2> "$work/err"
import os, random, shutil, signal, subprocess, sys, time
tessera, work = sys.argv[1:]
folder, wrong = work + "/early", []
shutil.copytree("examples/reduce_tree", work + "/tree", dirs_exist_ok=True)
commands = [
    ["run", "--elf", f"trisc0={work}/count.elf", "--max-cycles", "100000000000", "--json", "a", "--sarif", "b", "--report", "c", "--save-state", "d"],
    ["chip", "run", os.path.abspath(work + "/count.chip"), "--max-cycles", "100000000000", "--json", "a", "--report", "c", "--trace", "t"],
    ["pto", "sweep", os.path.abspath("examples/pto/attention.pto"), "--schedules", "100000", "--svg", "s"],
    ["conform"] + [os.path.abspath("tests/cases/noc.case.gz")] * 40,
    ["explore", "--elf", f"trisc0={work}/count.elf", "--max-cycles", "100000000000", "--json", "a", "--sarif", "b"],
]
random.seed(1)
for n in range(30):
    command, name = commands[n % len(commands)], random.choice(["SIGINT", "SIGTERM"])
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    process = subprocess.Popen([os.path.abspath(tessera)] + command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    if n % 2:
        end = time.time() + 2
        while not os.listdir(folder) and time.time() < end: pass  # as early as a file can remain
    else:
        time.sleep(random.choice([0.02, 0.05, 0.1, 0.3]))
    process.send_signal(getattr(signal, name))
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
    code = 130 if name == "SIGINT" else 143
    left = [f for f in os.listdir(folder) if ".part" in f]
    lines = err.decode().splitlines()
    if process.returncode == -getattr(signal, name): continue  # before main
    if process.returncode != code or left or len(lines) != 1 or "interrupted by " + name not in lines[0]:
        wrong.append((command[:2], name, process.returncode, left, lines[:3]))
print(*wrong, sep="\n")
sys.exit(bool(wrong))
PYTHON
ok $? "30 signals to five commands, from their start on"

"$tessera" pto sweep examples/pto/attention.pto --schedules 2000 --depth 1:16 --threads 1 --svg "$work/svg" > "$work/out" 2> "$work/err" &
pid=$!
sleep 3
kill -INT $pid
wait $pid
status=$?
rows=$(grep -c '^ *[0-9]* *[0-9]*  ' "$work/out")
[ $status -eq 130 ] && grep -q '^depth period' "$work/out" && [ "$rows" -gt 0 ] && [ "$rows" -lt 45 ] && ! grep -q 'no depth' "$work/out" &&
  grep -q '</svg>' "$work/svg"
ok $? "pto sweep ends with the rows so far (got $status, $rows rows)"

(cd "$work" && "$OLDPWD/$tessera" kernel new mine > /dev/null)
"$tessera" kernel build "$work/mine" > "$work/out" 2> "$work/err" &
pid=$!
tries=0
while ! ls "$work/mine/build" 2> /dev/null | grep -q log && [ $tries -lt 200 ]; do sleep 0.01; tries=$((tries + 1)); done
kill -TERM $pid
wait $pid
status=$?
sleep 0.5
before=$(ls "$work/mine/build")
sleep 1.5
after=$(ls "$work/mine/build")
[ "$after" = "$before" ] || echo "later: $(echo $after), before: $(echo $before)" >> "$work/err"
[ $status -eq 143 ] && [ "$after" = "$before" ] && [ "$(cat "$work/err")" = "tessera: interrupted by SIGTERM" ]
ok $? "a signal during a build ends the compilers too (got $status)"

mkfifo "$work/fifo"
"$tessera" debug --elf "trisc0=$work/count.elf" --max-cycles 1000000000000 < "$work/fifo" > "$work/out" 2> "$work/err" &
pid=$!
exec 9> "$work/fifo"
echo continue >&9
sleep 1
kill -TERM $pid
wait $pid
status=$?
exec 9>&-
[ $status -eq 143 ] && grep -q 'interrupted by SIGTERM' "$work/err"
ok $? "debug ends with 143 after SIGTERM (got $status)"

# A limit on the size of files is a write that fails.
(ulimit -f 8; cd "$work" && "$OLDPWD/$tessera" run --elf trisc0=count.elf --max-cycles 1000 --save-state big > out 2> err)
[ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -q 'big' "$work/err" && [ "$(parts)" -eq 0 ] && [ ! -e "$work/big" ]
ok $? "a file above its limit"

# Everything that a signal has to end or to remove, not only the first: compilers and output files together.
printf '#!/bin/sh\nsleep 5\n' > "$work/slow"
chmod +x "$work/slow"
interrupt TERM "$tessera" explore "$work/mine" --build "$work/other" --cc "$work/slow" --json "$work/early.json"
status=$?
sleep 0.3
[ $status -eq 143 ] && [ "$(parts)" -eq 0 ] && ! pgrep -f "$work/slow" > /dev/null
ok $? "a signal ends compilers and removes files (got $status)"

# One signal ends a wait for the other end of a pipe.
mkfifo "$work/pipe"
"$tessera" conform "$work/pipe" > "$work/out" 2> "$work/err" &
pid=$!
sleep 0.5
kill -TERM $pid
wait $pid
status=$?
[ $status -eq 143 ]
ok $? "a signal ends conform while it waits for its input (got $status)"

echo "1..$number"
[ $failures -eq 0 ]
