# tessera run --trace and --profile: every format is read back by a program of its own and compared with the report of the same run.
# Perfetto's is decoded with the classes of the `perfetto` package from PyPI, installed into the build directory when there is a network.
# Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/kernel_elfs.sh
kernel_build tests/slow/slow_reader.c || exit 1
launch=$(kernel_launch 2)

run() { # OPTIONS
  # shellcheck disable=SC2086
  "$BUILD/tessera" run $elfs $launch --check none --json "$work/json" "$@" > "$work/out" 2> "$work/err"
}
read_window() { PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py window "$@" > "$work/out" 2> "$work/err"; }
read_back() { PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py "$1" "$2" "$work/json" > "$work/out" 2> "$work/err"; }

run && plain=$(sed -n 's/^done after \([0-9]*\) cycles.*/\1/p' "$work/out") && [ -n "$plain" ]
ok "a run without a trace" $?
for kind in chrome:json kanata:kanata vcd:vcd; do
  run --trace "$work/trace.${kind#*:}" && grep -q "^done after $plain cycles" "$work/out" && read_back "${kind%:*}" "$work/trace.${kind#*:}"
  ok "the ${kind%:*} trace is what the report says, and changes no cycle" $?
done
run --trace "$work/t.pftrace" && cp "$work/json" "$work/json.pf" && grep -q "^done after $plain cycles" "$work/out"
ok "a Perfetto trace changes no cycle" $?
[ -d "$BUILD/python-perfetto/perfetto" ] ||
  timeout 120 python3 -m pip install --quiet --disable-pip-version-check --target "$BUILD/python-perfetto" perfetto > "$work/pip" 2>&1 ||
  rm -rf "$BUILD/python-perfetto"
if [ -d "$BUILD/python-perfetto/perfetto" ]; then
  perfetto_is_there=1
  read_back perfetto "$work/t.pftrace"
  ok "the Perfetto trace is what the report says" $?
else
  echo "note: the perfetto package could not be installed; its trace was not decoded"
fi
# The track of a core has each of its cycles in one slice: the sums are its row of the account, at a limit of cycles too.
for kind in ${perfetto_is_there:+pftrace} json vcd; do
  for limit in "" "--max-cycles 20001"; do
    # shellcheck disable=SC2086
    run --account --from start --trace "$work/s.$kind" $limit || [ -n "$limit" ] && read_back states "$work/s.$kind" &&
      [ "$(grep -cE '^(run|waits: (load|fetch|mispredict|memory port|FIFO full|PC buffer|polling CB 0))$' "$work/out")" -eq 8 ]
    ok "the slices of each core in the $kind trace sum to its account${limit:+ (at a limit)}" $?
  done
done
# TRISC0 polls a register until BRISC, 800 cycles later, puts it into reset.
printf '.globl _start\n_start: li x2, 0xffb40028\n1: lw x1, 0(x2)\n beqz x1, 1b\n' > "$work/poll.S"
printf '.globl _start\n_start: li x5, 400\n1: addi x5, x5, -1\n bnez x5, 1b\n li x6, 0xffb121b0\n li x7, 0x47000\n sw x7, 0(x6)\n li x5, 50\n2: addi x5, x5, -1\n bnez x5, 2b\n ebreak\n' > "$work/stop.S"
for part in poll:0x1000 stop:0x2000; do
  $kernel_cc "-Wl,-Ttext=${part#*:},-N,--no-warn-rwx-segments" "$work/${part%:*}.S" -o "$work/${part%:*}.elf"
done
"$BUILD/tessera" run --elf trisc0="$work/poll.elf" --elf brisc="$work/stop.elf" --account --from start --json "$work/json" --trace "$work/s.json" > "$work/out" 2> "$work/err" &&
  grep -q '^TRISC0  *polling 7[0-9][0-9] ' "$work/out" && read_back states "$work/s.json"
ok "a wait that a reset ends is in the account and in the trace" $?
"$BUILD/tessera" kernel run examples/linear --account --from start --json "$work/json" --trace "$work/s.json" > "$work/out" 2> "$work/err" &&
  read_back states "$work/s.json" && grep -qE '^waits: (operand|divide)$' "$work/out"
ok "they do so for a kernel on a chip, which runs in parts" $?
# A and W are 8 data tiles each, B 2 and C 4 (examples/linear/kernel.chip): a request and an access of DRAM for each.
python3 - "$work/s.json" << 'PYTHON' > "$work/out" 2> "$work/err"
import collections, json, sys
events = json.load(open(sys.argv[1]))["traceEvents"]
names = {(e["pid"], e["tid"]): e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "thread_name"}
slices = [(names[e["pid"], e["tid"]], e) for e in events if e["ph"] == "X"]
sent = collections.Counter((track, e["name"]) for track, e in slices if track.startswith("(1,2) NoC ") and track.endswith(" sends"))
dram = collections.Counter(e["name"] for track, e in slices if track.startswith("DRAM "))
assert sent[("(1,2) NoC 0 sends", "read")] == 18 and sent[("(1,2) NoC 1 sends", "write")] == 4, sent
assert dram == {"read": 18, "write": 4}, dram
assert all(e["args"]["hops"] > 0 and e["args"]["to"] for track, e in slices if track.startswith("(1,2) NoC 0 sends"))
arrows = collections.Counter(e["ph"] for e in events if e["pid"] == 1)
assert arrows["s"] == arrows["f"] >= 2 * 22, arrows  # requests and answers
PYTHON
ok "the trace of a kernel on one tile has its packets and the accesses of DRAM" $?
run --account --profile "$work/p.json" && grep -q "^done after $plain cycles" "$work/out" && read_back speedscope "$work/p.json"
ok "the speedscope profile is what the report says" $?
# The table's occupied is JSON's occupied_cycles; the account's busy is at least as long, and longer for the unpackers. SETC16 of several threads may enter the
# configuration unit in one cycle: of that unit the cycles count in which the trace has a word.
run --account --trace "$work/units.txt" && python3 - "$work/json" "$work/out" "$work/units.txt" << 'PYTHON' 2> "$work/err"
import json, sys
configured = [line.split()[0] for line in open(sys.argv[3]) if line.rstrip().endswith("configuration unit")]
report, text = json.load(open(sys.argv[1])), open(sys.argv[2]).read().split("\nunit ")[1].split("\n\n")[0].split("\n")[1:]
assert text, "no table"
for line in text:
    name, accepted, percent = line[:18].strip(), *line[18:].split()
    unit = [u for u in report["units"] if u["unit"] == name][0]
    busy = report["account"]["units"][name].get("busy", 0)
    assert sum(unit["accepted"]) == int(accepted) and abs(100 * unit["occupied_cycles"] / report["cycles"] - float(percent[:-1])) < 0.06, line
    least = unit["occupied_cycles"]
    if name == "configuration unit":
        assert len(configured) == int(accepted), (len(configured), accepted)
        least -= len(configured) - len(set(configured))
    assert busy >= least and (name != "unpackers" or busy > unit["occupied_cycles"]), (name, busy, unit)
PYTHON
ok "a unit's occupied cycles are the same in text and JSON; its busy cycles are not fewer" $?
run --trace "$work/t.txt" && awk '$1 < last { bad = 1 } { last = $1 } END { exit bad || NR < 1000 }' "$work/t.txt"
ok "the text trace is in the order of time" $?
run --trace "$work/t.txt" --trace-from 20000 --trace-to 21000 --trace-cores ncrisc &&
  awk '$1 < 20000 || $1 > 21000 || $2 ~ /^TRISC|^BRISC|^thread/ { bad = 1 } END { exit bad || NR < 100 }' "$work/t.txt"
ok "a trace is narrowed to cycles and cores" $?
# A part of a trace is the whole one, cut: slices that are open at its begin begin there, those that are open at its end end there.
for kind in ${perfetto_is_there:+pftrace} json; do
  run --trace "$work/w.$kind" && run --trace "$work/part.$kind" --trace-from 20000 --trace-to 21000 &&
    read_window "$work/part.$kind" "$work/w.$kind" 20000 21000
  ok "the $kind trace of a window has what is open at its begin and its end, cut" $?
done
# Konata: instructions inside the units where the trace begins do not retire in it, those where it ends are flushed.
middle=$(awk '/^C=/ { now = $2 } /^C\t/ { now += $2 } /^I/ { at[n++] = now } END { print at[int(n / 2)] }' "$work/trace.kanata")
for from in 0 1 5 9 14 22 31; do
  for length in 20 40 300; do
    run --trace "$work/part.kanata" --trace-from $((middle + from)) --trace-to $((middle + from + length)) &&
      python3 tests/read_trace.py kanata_part "$work/part.kanata" "$work/json" > "$work/out" 2> "$work/err" || break 2
    cat "$work/out" >> "$work/flushed"
  done
done
[ "$(wc -l < "$work/flushed")" -eq 21 ] && grep -q ' [1-9][0-9]* flushed' "$work/flushed"
ok "the Kanata trace of a few cycles has each instruction from its begin to its end" $?
# What the tile shares has the values of all cores, whichever of them the trace shows.
for kind in ${perfetto_is_there:+pftrace} json; do
  for core in ncrisc:NCRISC 'trisc2:TRISC2,thread 2 (pack)'; do
    run --trace "$work/part.$kind" --trace-cores "${core%%:*}" &&
      PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py cores "$work/part.$kind" "$work/w.$kind" "${core#*:}" > "$work/out" 2> "$work/err"
    ok "the $kind trace of ${core%%:*} alone has the counters, banks and mutexes of the whole one" $?
  done
done
# A run that ends before the pages are popped.
for kind in ${perfetto_is_there:+pftrace} json; do
  run --trace "$work/cut.$kind" --max-cycles 20000
  PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py arrows "$work/cut.$kind" > "$work/out" 2> "$work/err"
  ok "every arrow of the $kind trace of a run that is cut has both ends" $?
done
# A check that fails ends the run, though the other cores go on until the run notices it: all writers end with the cycle of the report.
"$BUILD/tessera" kernel new "$work/fails" > "$work/out" 2> "$work/err" &&
  sed -i 's/^tensor \(.\) \([a-z]*\):[0-9x]*/tensor \1 \2:128x128/' "$work/fails/kernel.chip" &&
  sed -i 's/cb_pop_front(CB_C, 1);/if (i < 4) cb_pop_front(CB_C, 1); else cb_wait_front(CB_C, 3);/' "$work/fails/writer.c" &&
  "$BUILD/tessera" kernel build "$work/fails" > "$work/out" 2> "$work/err"
ok "a kernel with a check that fails is built" $?
for kind in ${perfetto_is_there:+pftrace} json vcd kanata txt; do
  "$BUILD/tessera" kernel run "$work/fails" --no-build --account --from start --json "$work/json" --trace "$work/f.$kind" > "$work/out" 2> "$work/err"
  [ $? -eq 3 ] && grep -q "has fewer pages" "$work/err" && read_back stop "$work/f.$kind"
  ok "the $kind trace of a failed check ends with the cycle of the report, in order, with both ends of every arrow" $?
done
# Without debug information all code is at line 0: callers and callees do not add the same cycles there. With that of one core missing neither.
strip=$(${kernel_cc%% *} -print-prog-name=strip)
for cores in brisc "brisc ncrisc trisc0 trisc1 trisc2"; do
  for core in $cores; do "$strip" -g "$work/$core.elf"; done
  run --profile "$work/p.callgrind" && "$BUILD/tessera" annotate "$work/p.callgrind" > "$work/out" 2> "$work/err" &&
    awk '/: [0-9]* cycles, / { here = /^\(unknown\): /; seen += here } $3 ~ /%$/ { if ($3 + 0 > 100 || (here && $1 != $2)) bad = 1 } END { exit bad || !seen }' "$work/out"
  ok "annotate counts cycles without debug information once ($cores stripped)" $?
done
kernel_build tests/slow/slow_reader.c || exit 1
run --trace "$work/t.x" --trace-format perfetto && cmp -s "$work/t.x" "$work/t.pftrace"
ok "the format is chosen by name" $?
run --report "$work/alone.html" && run --report "$work/both.html" --trace "$work/both.pftrace" && cmp -s "$work/both.pftrace" "$work/t.pftrace" && cmp -s "$work/alone.html" "$work/both.html"
ok "a report and a trace of one run are those of two" $?

# Zones of a kernel: nested, with the names of its source; observing them changes no cycle.
kernel_build tests/kernels/zones.c || exit 1
run && plain=$(sed -n 's/^done after \([0-9]*\) cycles.*/\1/p' "$work/out") && [ -n "$plain" ] &&
  run --trace "$work/z.txt" && grep -q "^done after $plain cycles" "$work/out" &&
  awk '/ zone / { n++; name = $4; if ($5 == "begins") stack[++depth] = name; else if (stack[depth--] != name) bad = 1
       if ($2 != "NCRISC") bad = 1 } END { exit bad || depth || n != 24 }' "$work/z.txt"
ok "the text trace has the zones of a kernel, nested" $?
whole="</script>\"'\\<16,32>&größe=a_name_that_is_longer_than_all_of_the_others_together_."
grep -qF "zone $whole begins" "$work/z.txt" && run --report "$work/z.html" && grep -qF "\\u003c/script>\"'\\\\u003c16,32>&größe=a_name_that_is_longer_than_all_of_the_others_together_." "$work/z.html"
ok "the name of a zone is whole, in the report without its '<'" $?
run --trace "$work/z.json" && grep -q "^done after $plain cycles" "$work/out" &&
  python3 tests/read_trace.py zones "$work/z.json" "$work/z.txt" > "$work/out" 2> "$work/err"
ok "the Chrome trace has the same zones in the same cycles" $?
run --trace "$work/z.vcd" && grep -q "^done after $plain cycles" "$work/out" &&
  python3 tests/read_trace.py zones "$work/z.vcd" "$work/z.txt" > "$work/out" 2> "$work/err"
ok "the VCD signal of the zones is the innermost one, cycle by cycle" $?
if [ -d "$BUILD/python-perfetto/perfetto" ]; then
  run --trace "$work/z.pftrace" &&
    PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py zones "$work/z.pftrace" "$work/z.txt" > "$work/out" 2> "$work/err"
  ok "the Perfetto trace has the same zones in the same cycles" $?
fi
inner=$(awk '/ zone / { n++; depth += $5 == "begins" ? 1 : -1; if (n > 4 && depth == 3) { print $1 + 2; exit } }' "$work/z.txt")
run --trace "$work/part.json" --trace-from "$inner" --trace-to $((inner + 100)) && read_window "$work/part.json" "$work/z.json" "$inner" $((inner + 100)) &&
  python3 -c 'import json, sys
e = json.load(open(sys.argv[1]))["traceEvents"]
zones = [x["tid"] for x in e if x["ph"] == "M" and x["args"]["name"] == "NCRISC zones"]
sys.exit(sum(x["ph"] == "B" and x["tid"] in zones and x["ts"] == int(sys.argv[2]) for x in e) != 3)' "$work/part.json" "$inner" >> "$work/out" 2>> "$work/err"
ok "a window inside three zones has all of them" $?
first=$(awk '/zone copy begins/ { print $1; exit }' "$work/z.txt")
run --from zone:copy --account && grep -q "each line sums to $((plain - first))$" "$work/out"
ok "an account begins with a zone" $?
run --from zone:none --account
[ $? -eq 2 ] && grep -qF "no zone 'none' began" "$work/err"
ok "a zone that never begins is an error" $?
kernel_build tests/slow/slow_reader.c || exit 1

bad() { # WORDS OPTIONS
  words=$1
  shift
  run "$@"
  [ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -qF -- "$words" "$work/err"
  ok "refused: $*" $?
}
bad "text, perfetto, chrome, kanata, vcd or compact" --trace "$work/x" --trace-format fst
bad "FST is not written" --trace "$work/x.fst"
bad "go with --trace FILE" --trace-from 5
bad "the name of a zone has" --from zone: --account
bad "'slow_reader.c:9999' is a line; a region begins with a function or with zone:NAME" --from slow_reader.c:9999 --account
bad "no core's executable has a function 'no_such'" --from no_such --why
bad "--from needs --account, --why, --report or --profile" --from kernel_main
bad "--what-if ncrisc@slow_reader.c:9999: the program of NCRISC has no instruction of slow_reader.c:9999" --what-if ncrisc@slow_reader.c:9999
bad "--what-if trisc1@no_such: the program of TRISC1 has no instruction of no_such" --why --what-if trisc1@no_such
bad "a cycle above 0" --trace "$work/x" --trace-to 0
bad "a list of" --trace "$work/x" --trace-cores brisc,,ncrisc
bad "could not be written" --trace /nonexistent/x
bad "could not be written" --profile /nonexistent/x
bad "could not be written" --coverage /nonexistent/x
run --trace /dev/full
[ $? -eq 2 ] && grep -q "could not be written completely" "$work/err"
ok "a full disk is an error" $?
"$BUILD/tessera" annotate "$work/pages" > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "not a profile" "$work/err"
ok "annotate refuses what is no profile" $?

echo "1..$number"
[ $failures -eq 0 ]
