# tessera chip run --profile and --coverage: the sums of all tiles, against the accounts and against one tile alone. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
KERNELS=${KERNELS:-$BUILD/kernels}
T=$BUILD/tessera
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    sed 's/^/# /' "$dir/err" "$dir/out" 2> /dev/null | tail -n 40
  fi
}

# Two programs without packets: each takes the same cycles on every tile and alone.
cat > "$dir/count.c" << 'C'
#ifndef ROUNDS
#define ROUNDS 40
#endif
static volatile unsigned *const word = (volatile unsigned *)0x20000;
static __attribute__((noinline)) unsigned step(unsigned n) {
  for (unsigned i = 0; i < n; i++) *word += i;
  return *word;
}
static inline unsigned twice(unsigned n) { return step(n) + step(n + 1); }
void kernel(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < ROUNDS; i++) sum += i & 1 ? twice(i) : step(1);
  if (sum == 1) *word = 7;
}
C
for rounds in 40 90; do
  riscv64-unknown-elf-gcc -g -O1 -march=rv32im_zicsr_zba_zbb -mabi=ilp32 -nostdlib -nostartfiles -ffreestanding -fno-pic -Wl,-N \
    -Wl,--defsym=BASE=0x6000 -T tests/cores/core.ld -DROUNDS=$rounds tests/cores/start.S "$dir/count.c" -o "$dir/$rounds.elf" 2> "$dir/err" || { cat "$dir/err"; exit 1; }
  for file in callgrind info; do
    option=--profile
    [ $file = info ] && option=--coverage
    "$T" run --elf brisc="$dir/$rounds.elf" --check none $option "$dir/$rounds.$file" > "$dir/out" 2> "$dir/err" || { cat "$dir/err"; exit 1; }
  done
done
printf 'elf 1-6,2 brisc %s\nelf 1-2,3 brisc %s\n' "$dir/40.elf" "$dir/90.elf" > "$dir/count.chip"
for threads in 1 3; do
  "$T" chip run "$dir/count.chip" --quiet --check none --threads $threads --profile "$dir/$threads.callgrind" --coverage "$dir/$threads.info" --account \
    --json "$dir/$threads.report" > "$dir/out" 2> "$dir/err"
  echo "exit code $?" >> "$dir/err"
  "$T" chip run "$dir/count.chip" --quiet --check none --threads $threads --profile "$dir/$threads.json" > "$dir/out2" 2>> "$dir/err"
done
grep -q 'exit code 0' "$dir/err" && cmp -s "$dir/1.callgrind" "$dir/3.callgrind" && cmp -s "$dir/1.info" "$dir/3.info" && cmp -s "$dir/1.json" "$dir/3.json"
check "profile and coverage are the same with 1 and 3 host threads" $?

# The costs and calls of each function and line: six times those of the one program alone and twice those of the other.
cat > "$dir/sums.py" << 'PYTHON'
import sys
def read(path):
    costs, name, file, call = {}, None, None, None
    for line in open(path):
        key, _, rest = line.rstrip("\n").partition("=")
        if key == "fl": file = own = rest
        elif key == "fi": file = rest
        elif key == "fn": name = (own, rest)
        elif key == "cfi": callee_file = rest
        elif key == "cfn": callee = rest
        elif key == "calls": call = (callee, int(rest.split()[0]))
        elif line.startswith("events:"): events = line.split()[1:]
        elif line.startswith("totals:"): totals = dict(zip(events, map(int, line.split()[1:])))
        elif line[0].isdigit():
            at, *numbers = map(int, line.split())
            if call:
                costs["calls", name, at, call[0]] = costs.get(("calls", name, at, call[0]), 0) + call[1]
            for event, n in zip(events, numbers):
                if n: costs[event, name, file, at, call and call[0]] = costs.get((event, name, file, at, call and call[0]), 0) + n
            call = None
    return costs, {k: n for k, n in totals.items() if n}
def lcov(path):
    counts, test, file = {}, None, None
    for line in open(path):
        key, _, rest = line.strip().partition(":")
        if key == "TN": test = rest
        if key == "SF": file = rest
        if key == "DA": counts[test, file, int(rest.split(",")[0])] = int(rest.split(",")[1])
    return counts, {}
kind, whole, first, second = sys.argv[1:]
reader = lcov if kind == "lcov" else read
all, one, other = reader(whole), reader(first), reader(second)
for n in range(2):
    want = {k: 6 * one[n].get(k, 0) + 2 * other[n].get(k, 0) for k in one[n].keys() | other[n].keys()}
    if n == 0 and not want: sys.exit("nothing to compare")
    for k in want.keys() | all[n].keys():
        if want.get(k) != all[n].get(k): sys.exit(f"{k}: {all[n].get(k)}, not {want.get(k)}")
print(len(all[0]), "figures")
PYTHON
python3 "$dir/sums.py" callgrind "$dir/1.callgrind" "$dir/40.callgrind" "$dir/90.callgrind" > "$dir/out" 2> "$dir/err"
check "callgrind: costs and calls are those of one tile alone, times the tiles" $?
python3 "$dir/sums.py" lcov "$dir/1.info" "$dir/40.info" "$dir/90.info" > "$dir/out" 2> "$dir/err"
check "coverage: the counts of one tile alone, times the tiles" $?

# Against the accounts: the profile has every cycle of cores and threads but those of no instruction.
cat > "$dir/accounts.py" << 'PYTHON'
import json, sys
report = json.load(open(sys.argv[1]))
of_no_line = {"reset", "stopped", "not begun", "nothing to issue", "unknown"}
want = {}
for a in report["accounts"]:
    for row in [*a["cores"].values(), *a["threads"].values()]:
        for k, n in row.items():
            if k not in of_no_line: want[k] = want.get(k, 0) + n
for path in sys.argv[2:]:
    if path.endswith(".json"):
        scope = json.load(open(path))
        names = [f["name"] for f in scope["shared"]["frames"]]
        got = {}
        for p in scope["profiles"]:
            if sum(p["weights"]) != p["endValue"]: sys.exit(p["name"])
            for stack, n in zip(p["samples"], p["weights"]): got[names[stack[-1]]] = got.get(names[stack[-1]], 0) + n
    else:
        lines = open(path).read().splitlines()
        events = [line for line in lines if line.startswith("events:")][0].split()[1:]
        got = {k.replace("_", " "): int(n) for k, n in zip(events, [line for line in lines if line.startswith("totals:")][0].split()[1:])}
        if got.pop("Cycles") != sum(got.values()): sys.exit(f"{path}: the columns do not sum to the cycles")
        got = {k: n for k, n in got.items() if n}
    if got != want: sys.exit(f"{path}: {got}, accounts {want}")
print(sum(want.values()))
PYTHON
python3 "$dir/accounts.py" "$dir/1.report" "$dir/1.callgrind" "$dir/1.json" > "$dir/out" 2> "$dir/err"
check "callgrind and speedscope have the cycles of the accounts, by category" $?
grep -q '"name":"BRISC, sum of (1, 2) and 5 more tiles"' "$dir/1.json" && grep -q '"name":"BRISC, sum of (1, 3) and 1 more tile"' "$dir/1.json"
check "speedscope has one profile for the tiles with the same program" $?
for name in grid_matmul reduce_tree dispatch; do
  sed "s|build/kernels|$KERNELS|" "examples/$name/$name.chip" > "$dir/$name.chip"
  for threads in 1 3; do
    "$T" chip run "$dir/$name.chip" --quiet --threads $threads --account --json "$dir/$name.report" --profile "$dir/$name.$threads" --coverage "$dir/$name.$threads.info" > "$dir/out" 2> "$dir/err"
    "$T" chip run "$dir/$name.chip" --quiet --threads $threads --profile "$dir/$name.$threads.json" > "$dir/out" 2>> "$dir/err"
  done
  cmp -s "$dir/$name.1" "$dir/$name.3" && cmp -s "$dir/$name.1.json" "$dir/$name.3.json" && cmp -s "$dir/$name.1.info" "$dir/$name.3.info" && [ -s "$dir/$name.1.info" ] &&
    python3 "$dir/accounts.py" "$dir/$name.report" "$dir/$name.1" "$dir/$name.1.json" > "$dir/cycles" 2>> "$dir/err"
  check "$name: the cycles of the accounts of all tiles, the same with 1 and 3 host threads" $?
  if command -v callgrind_annotate > "$dir/where"; then
    callgrind_annotate --auto=no --show=Cycles "$dir/$name.1" > "$dir/out" 2> "$dir/err"
    [ "$(sed -n 's/ (100\.0%)  PROGRAM TOTALS$//p' "$dir/out" | tr -d ',')" = "$(cat "$dir/cycles")" ] && [ ! -s "$dir/err" ]
    check "$name: callgrind_annotate's total is $(cat "$dir/cycles")" $?
  else
    echo "note: callgrind_annotate is not here; the profile of $name was not read with it"
  fi
done
"$T" annotate "$dir/grid_matmul.1" > "$dir/out" 2> "$dir/err" && grep -q 'reader.c' "$dir/out"
check "tessera annotate reads the profile" $?
# Tiles whose profiles have different columns: the line with most cycles polls.
"$T" chip run "$dir/dispatch.chip" --quiet --report "$dir/dispatch.html" > "$dir/out" 2> "$dir/err"
grep -o 'tensix_io.h",[0-9]*,[0-9]*,"TT_INLINE uint32_t tt_load([^"]*",[0-9]*,"[A-Z]* [a-z]*"' "$dir/dispatch.html" | head -n 1 | grep -q '"[A-Z]* polling"$'
check "--report names what the line with most cycles does, with tiles that run different programs" $?

# Files that cannot be written, and what cannot be combined.
refused() { # NAME OPTIONS
  name=$1
  shift
  "$T" chip run "$dir/count.chip" "$@" > "$dir/out" 2> "$dir/err"
  [ $? = 2 ] && [ "$(wc -l < "$dir/err")" = 1 ] && [ ! -s "$dir/out" ] && [ -z "$(ls "$dir"/bad* 2> /dev/null)" ]
  check "$name" $?
}
refused "--profile to a place that does not exist is one line" --profile /nonexistent/p --coverage "$dir/bad.info"
refused "--coverage to a place that does not exist is one line, and leaves no file" --profile "$dir/bad.callgrind" --coverage /nonexistent/c --trace "$dir/bad.json"
refused "--profile to standard output is one line" --profile -
refused "--profile and --gdb are one line" --profile "$dir/bad.callgrind" --gdb "unix:$dir/bad.socket"
refused "--profile and --coverage with one name are one line" --profile "$dir/bad" --coverage "$dir/bad"
echo "1..$number"
