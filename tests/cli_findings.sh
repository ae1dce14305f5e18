# Findings and exit codes: 3 before 4 before 5 before 6; errors give 5, warnings under --strict only, notes never. Findings precede
# the tables; JSON and SARIF are structures. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0

ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/out" "$work/err" | head -n 30
  fi
}
exec_tta() { # CODE OPTIONS: the program comes from standard input
  code=$1
  shift
  cat > "$work/p.tta"
  "$tessera" exec "$@" "$work/p.tta" > "$work/out" 2> "$work/err"
  got=$?
  [ $got -eq "$code" ] || { echo "exit code $got, not $code" >> "$work/err"; return 1; }
}
says() { for word; do grep -qF -- "$word" "$work/out" || { echo "no '$word'" >> "$work/err"; return 1; }; done; }
valid_json() { ! command -v python3 > "$work/null" || python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1" 2>> "$work/err"; }

valid_sarif() { ! command -v python3 > "$work/null" || python3 tests/sarif_rules.py "$1" 2>> "$work/err"; }

error_program=".thread 1
  ttsemget 2
"
warning_program=".thread 1
  ttseminit 1, 3, 2
"
printf '%s' "$error_program" | exec_tta 5 && says "p.tta:2: error: semaphore taken at zero" "done after"
ok "an error finding gives 5, and the run goes on to its end" $?
[ "$(grep -n '^findings' "$work/out" | cut -d: -f1)" -lt "$(grep -n '^thread  *issued' "$work/out" | cut -d: -f1)" ]
ok "findings precede the tables" $?
printf '%s' "$warning_program" | exec_tta 0 && says "p.tta:2: warning: semaphore initialised above its maximum"
ok "a warning gives 0" $?
printf '%s' "$warning_program" | exec_tta 5 --strict && says "hazard after"
ok "a warning under --strict gives 5" $?
printf '%s  .word 0\n' "$error_program" | exec_tta 3 && says "fault after" "p.tta:3"
ok "a fault comes before an error finding" $?
printf '%s  ttsemwait 0x1ff, 8, 1\n  ttnop\n.sync\n' "$error_program" | exec_tta 4 && says "hang after" "semaphore 3" "error: semaphore taken at zero" &&
  [ "$(wc -l < "$work/out")" -le 24 ]
ok "a hang comes before an error finding, and shows it" $?
{ printf '%s' "$error_program"; for i in 1 2 3 4 5 6 7 8; do printf '  ttnop\n'; done; } | exec_tta 5 --max-cycles 4
ok "an error finding comes before the limit" $?
printf '.thread 1\n  ttnop\n  ttnop\n  ttnop\n  ttnop\n' | exec_tta 6 --max-cycles 3
ok "the limit alone gives 6" $?
printf '.thread 0\n  ttsetdmareg 0, 1, 0, 8\n  ttsetdmareg 0, 0x1000, 0, 10\n  ttsetdmareg 0, 0, 0, 12\n  ttstoreind 1, 0, 1, 12, 0, 4, 5\n.thread 1\n  ttsetdmareg 0, 2, 0, 8\n  ttsetdmareg 0, 0x1000, 0, 10\n  ttsetdmareg 0, 0, 0, 12\n  ttstoreind 1, 0, 1, 12, 0, 4, 5\n.sync\n' > "$work/two.tta"
"$tessera" explore "$work/two.tta" --schedules 50 --sarif "$work/sarif" > "$work/out" 2> "$work/err"
[ $? = 5 ] && says "end differently" && valid_sarif "$work/sarif" && grep -qF '"ruleId":"L1_UNORDERED"' "$work/sarif" && grep -qF '"startLine":10' "$work/sarif"
ok "explore of a program writes SARIF of what the checkers find" $?
"$tessera" explore "$work/two.tta" --schedules 5 --sarif - > "$work/sarif" 2> "$work/err" || [ $? = 5 ] && valid_sarif "$work/sarif"
ok "and to standard output, with nothing else there" $?
printf '.thread 0\n.poll 0xFFB121F0, 0xffffffff, 0xf0000000\n' | exec_tta 6 --max-cycles 10000 --sarif "$work/sarif" &&
  says "limit after 10000 cycles: TRISC0 still runs at p.tta:2" && grep -qF '"startLine":2' "$work/sarif"
ok "the limit names the line of a scripted core that still polls, in SARIF too" $?
{ printf '.thread 0\n  ttseminit 2, 0, 8\n  ttsemwait 0x1ff, 8, 1\n  ttnop\n.thread 1\n'; for i in 1 2 3 4 5 6 7 8; do printf '  ttnop\n'; done; } > "$work/wait"
exec_tta 6 --max-cycles 8 --sarif "$work/sarif" < "$work/wait" &&
  says "limit after 8 cycles: p.tta:3 (thread 0 (unpack)) has been waiting for a post to semaphore 3 (UNPACK_OPERAND_SYNC) since cycle 5" &&
  grep -qF '"startLine":3' "$work/sarif" && valid_sarif "$work/sarif"
ok "the limit names a thread that waits, for what and since when, in SARIF too" $?
exec_tta 6 --max-cycles 8 --json < "$work/wait" && says '"running":[],"waiting":[{"name":"thread 0 (unpack)"' && valid_json "$work/out"
ok "the limit has the waits as structures in JSON" $?

printf '%s' "$error_program" | exec_tta 5 --json --sarif "$work/sarif" &&
  says '"code":5' '"id":"SEM_GET_AT_ZERO","severity":"error"' '"place":{"pc":0,"line":2,"file":"p.tta"' && valid_json "$work/out"
ok "findings are structures in JSON" $?
grep -qF '"version":"2.1.0"' "$work/sarif" && grep -qF '"ruleId":"SEM_GET_AT_ZERO","level":"error"' "$work/sarif" &&
  grep -qF '"startLine":2' "$work/sarif" && valid_sarif "$work/sarif"
ok "SARIF 2.1.0 names rule, level and line" $?
says '"explain":"tessera explain SEM_GET_AT_ZERO","page":"docs/reference/diagnostics.md#sem_get_at_zero"' &&
  grep -qF 'Help: tessera explain SEM_GET_AT_ZERO (docs/reference/diagnostics.md#sem_get_at_zero)' "$work/sarif" &&
  printf '%s' "$error_program" | exec_tta 5 && says '  help: tessera explain SEM_GET_AT_ZERO (docs/reference/diagnostics.md#sem_get_at_zero)' &&
  grep -q '^## SEM_GET_AT_ZERO$' docs/reference/diagnostics.md
ok "a finding names its page in text, JSON and SARIF" $?
"$tessera" exec --json --sarif "$work/sarif" tests/hangs/mutexes.tta > "$work/out" 2> "$work/err"
[ $? -eq 4 ] && says '"hang":{"cycle":' '"deadlock":true,"chain":[0,1]' '"kind":"mutex","index":3' '"role":"holds"' && valid_json "$work/out" &&
  grep -qF '"ruleId":"HANG"' "$work/sarif" && grep -qF '"relatedLocations":[{' "$work/sarif" && valid_sarif "$work/sarif"
ok "a hang is a structure in JSON and a result in SARIF" $?
"$tessera" exec --sarif /nonexistent/x examples/mop_and_replay.tta > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ]
ok "a SARIF file that cannot be written is one line" $?

# A path with a space and a percent sign becomes a valid URI.
mkdir "$work/a b%" && printf '%s' "$error_program" > "$work/a b%/p.tta"
"$tessera" exec --sarif "$work/sarif" "$work/a b%/p.tta" > "$work/out" 2> "$work/err"
[ $? -eq 5 ] && grep -qF '/a%20b%25/p.tta"' "$work/sarif" && valid_sarif "$work/sarif"
ok "SARIF escapes paths" $?

# PTO: a hazard, a deadlock and the notes of check, all in SARIF.
"$tessera" pto run --sarif "$work/sarif" examples/pto/issue521.pto > "$work/out" 2> "$work/err"
code=$?
[ $code -eq 4 ] || [ $code -eq 5 ] && grep -qF '"level":"error"' "$work/sarif" && grep -qF '"uri":"examples/pto/issue521.pto"' "$work/sarif" &&
  valid_sarif "$work/sarif"
ok "pto run writes SARIF (code $code)" $?
noted=0
for file in examples/pto/*.pto; do
  "$tessera" pto check --sarif "$work/sarif" "$file" > "$work/out" 2> "$work/err"
  [ $? -le 1 ] && valid_sarif "$work/sarif" || { noted=-1; break; }
  noted=$((noted + $(grep -o '"ruleId"' "$work/sarif" | wc -l)))
done
[ $noted -gt 0 ]
ok "pto check writes SARIF: $noted results" $?

# The same codes for a chip: TRISC1 takes semaphore 2 at zero, and NCRISC's program determines the code.
chip_kernel() { # NCRISC'S BODY: $work/chip.chip runs it on two tiles
  mkdir -p "$work/chip"
  printf '%s\n' '#ifdef TRISC_MATH' '#include "compute.h"' 'void kernel_main(void) { TT_SEMGET(4); }' '#elif defined COMPILE_FOR_NCRISC' \
    '#include "dataflow.h"' "void kernel_main(void) { $1 }" '#else' '#include "circular_buffer.h"' 'void kernel_main(void) {}' '#endif' > "$work/chip/kernel.c"
  (work=$work/chip && . tests/kernel_elfs.sh && kernel_build "$work/kernel.c") 2> "$work/err" || return 1
  echo "kernel 1-2,2 $work/chip" > "$work/chip.chip"
}
chip_ends() { # CODE OPTIONS
  code=$1
  shift
  "$tessera" chip run "$work/chip.chip" --quiet "$@" > "$work/err" 2> "$work/out"
  got=$?
  [ $got -eq "$code" ] || { echo "exit code $got, not $code" >> "$work/err"; return 1; }
}
if command -v riscv64-unknown-elf-gcc > "$work/null"; then
  chip_kernel '' && chip_ends 5 && says '(1, 2): kernel.c:3 (kernel_main): error: semaphore taken at zero' '(2, 2): kernel.c:3' && ! grep -q '^$' "$work/out"
  ok "chip run: an error finding gives 5 and names tile and line" $?
  chip_kernel 'for (volatile uint32_t i = 0; i < 1000000; i++) {}' && chip_ends 5 --max-cycles 8000 && says 'not done after 8000 cycles' 'semaphore taken at zero' &&
    chip_ends 6 --max-cycles 100
  ok "chip run: an error finding comes before the limit" $?
  chip_kernel 'cb_wait_front(7, 1);' && chip_ends 3 && says 'circular buffer 7' 'semaphore taken at zero'
  ok "chip run: a failed check comes before an error finding" $?
  chip_kernel 'volatile uint32_t *flag = (volatile uint32_t *)0x70000; while (*flag == 0) {}' && chip_ends 4 && says 'hang after' 'kernel.c:6' 'semaphore taken at zero'
  ok "chip run: a hang comes before an error finding" $?
else
  echo "# the exit codes of chip run: riscv64-unknown-elf-gcc is not installed"
fi

# Every diagnostic names its source: a page of the instruction set documentation, a page here, a checker, or that it is inferred.
sed -n 's/^DIAG([A-Z0-9_]*, [A-Z]*, "\([^"]*\)".*/\1/p' src/chips/blackhole/diag.def > "$work/out"
! grep -vE '^([A-Za-z0-9_/]+\.md|inferred|check [a-f])$' "$work/out" > "$work/err" && [ "$(wc -l < "$work/out")" -gt 80 ]
ok "every diagnostic names its page" $?

# A grid: the findings of all tiles stand once, before the tables; --strict's first line has the cycle of the finding.
mkdir "$work/grid"
cat > "$work/grid/reader.c" << 'C'
#include "noc.h"
void kernel_main(void) {
  if (my_x == 1) {
    for (volatile int k = 0; k < 100; k++) {}
    noc_semaphore_inc(get_noc_addr(2, my_y, get_semaphore(1)), 1);
    noc_async_atomic_barrier();
  } else {
    for (volatile int k = 0; k < 500; k++) {}
    noc_semaphore_set(get_semaphore(1), 0);
  }
}
C
printf 'grid 1-2,2\n' > "$work/grid/kernel.chip"
"$tessera" kernel run "$work/grid" > "$work/out" 2> "$work/err"
[ $? -eq 5 ] && says 'tile (2, 2): reader.c:9 (kernel_main, in noc_semaphore_set): error: ' && [ "$(grep -c 'in noc_semaphore_set): error: ' "$work/out")" -eq 1 ] &&
  [ "$(grep -n '^findings' "$work/out" | cut -d: -f1)" -lt "$(grep -n '^matrix unit occupied' "$work/out" | cut -d: -f1)" ]
ok "the findings of a grid stand once, before the tables" $?
"$tessera" kernel run "$work/grid" --no-build --strict --json "$work/json" > "$work/out" 2> "$work/err"
[ $? -eq 5 ] && head -n 1 "$work/out" | grep -qF "hazard after $(grep -o '"cycles":[0-9]*' "$work/json" | head -n 1 | cut -d: -f2) cycles: tile (2, 2): reader.c:9 (kernel_main, in noc_semaphore_set): hazard: "
ok "--strict on a grid: the first line has the finding and the cycle of the JSON" $?
# The stop is the verdict: there is no result to compare (exit code 1 comes before 5 elsewhere).
printf '%s\n' 'grid 1-2,2' 'tensor A random:1x4:7 int32 rows dram' 'tensor Z zero:1x4 int32 rows dram' 'expect Z sum A Z 0' > "$work/grid/kernel.chip"
"$tessera" kernel run "$work/grid" > "$work/out" 2> "$work/err"
plain=$?
"$tessera" kernel run "$work/grid" --no-build --strict > "$work/out2" 2> "$work/err"
[ $? -eq 5 ] && [ $plain -eq 1 ] && says ': WRONG' && ! grep -q 'WRONG\|Z against' "$work/out2" "$work/err"
ok "--strict: kernel run compares nothing after the finding" $?
{ sed 1d "$work/grid/kernel.chip" | grep -v expect && printf 'kernel 1-2,2 %s\nexpect Z sum A Z 0\n' "$work/grid/build"; } > "$work/grid.chip"
"$tessera" chip run "$work/grid.chip" --quiet > "$work/out" 2> "$work/err"
plain=$?
"$tessera" chip run "$work/grid.chip" --strict --quiet > "$work/out2" 2> "$work/err"
[ $? -eq 5 ] && [ $plain -eq 1 ] && says ': WRONG' && ! grep -q 'WRONG\|Z against' "$work/out2" "$work/err"
ok "--strict: chip run compares nothing after the finding" $?

# Declared ranges of DRAM may overlap: the whole tensor stays accessible.
cp -r tests/bugs/users/choose "$work/overlap"
sed -i "s|^tensor A .*|dump dram:0 0x100000 64 $work/dump.bin\ntensor A random:64x64:1 bf16 tiles dram 0x100000|" "$work/overlap/kernel.chip"
"$tessera" kernel run "$work/overlap" > "$work/out" 2> "$work/err"
[ $? -eq 0 ] && ! grep -q DRAM_OUTSIDE "$work/out"
ok "a dump inside a tensor does not hide the tensor" $?
sed -i "s|^args reader .*|args reader A B 16|" "$work/overlap/kernel.chip"
"$tessera" kernel run "$work/overlap" --no-build > "$work/out" 2> "$work/err"
says 'read of 2048 bytes at 0x100000 of controller 4, where no tensor is'
ok "a read after the tensor is named" $?

"$tessera" kernel run "$work/grid" --no-build --max-cycles 1000 > "$work/out" 2> "$work/err"
[ $? -eq 6 ] && grep -q '^tessera kernel: not done after 1000 cycles: tile (1, 2): .*BRISC, NCRISC are in the firmware, and no kernel runs$' "$work/err"
ok "the limit says that all cores are in the firmware" $?

echo "1..$number"
[ $failures -eq 0 ]
