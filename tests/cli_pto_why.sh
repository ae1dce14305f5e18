# The verdict of tessera pto run: the sentence names what bounds a program by construction, and the change that it names makes the program
# faster while another one does not. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; return; fi
  failures=$((failures + 1))
  echo "not ok $number - $1"
  head -n 5 "$work/out" "$work/err" | sed 's/^/# /'
}
verdict() { # NAME PATTERN ARGUMENTS...: the line after "ran after" is the sentence, in JSON too
  name=$1 pattern=$2
  shift 2
  "$tessera" pto run "$@" > "$work/out" 2> "$work/err"
  sed -n '/^ran after/{n;p;}' "$work/out" > "$work/line"
  "$tessera" pto run "$@" --json > "$work/json" 2> "$work/err"
  grep -qE -- "$pattern" "$work/line" && python3 -c 'import json, sys
sys.exit(json.load(open(sys.argv[1]))["verdict"] + "\n" != open(sys.argv[2]).read())' "$work/json" "$work/line"
  ok "$name" $?
}
cycles() { "$tessera" pto run "$@" 2>&1 | sed -n 's/^ran after \([0-9]*\) cycles.*/\1/p'; }
stages() { # CUBE VECTOR SLOTS PERIOD: stages.pto with these cycles per tile
  sed -e "s/\(tstore.*cost = \)1000/\1$1/" -e "s/\(tload.*cost = \)1000/\1$2/" -e "s/1024, 4, 2>/1024, $3, $4>/" examples/pto/stages.pto > "$work/stages_$1_$2_$3.pto"
}
stages 1000 100 4 2
stages 500 100 4 2
stages 1000 50 4 2
stages 100 1000 4 2
stages 1000 1000 1 1

verdict "two equal stages" '^bound by AIC FIX \(stages.pto:9\), AIV0 MTE2 \(stages.pto:18\) and AIV1 MTE2 \(stages.pto:18\), each busy 99 % of the time; to change: ' examples/pto/stages.pto
verdict "a slow Cube" '^bound by AIC FIX \(stages_1000_100_4.pto:9\), busy 100 % of the time; AIV. waits 90 % of the time for a tile of %pipe C2V at stages_1000_100_4.pto:17; to change: move fewer bytes' "$work/stages_1000_100_4.pto"
slow=$(cycles "$work/stages_1000_100_4.pto") half=$(cycles "$work/stages_500_100_4.pto") other=$(cycles "$work/stages_1000_50_4.pto")
[ $((half * 10)) -lt $((slow * 6)) ] && [ $((other * 100)) -gt $((slow * 99)) ]
ok "half of the Cube's work: $slow to $half cycles; half of the Vectors': $other" $?
verdict "slow Vectors" '^bound by AIV0 MTE2 \(.*:18\) and AIV1 MTE2 \(.*:18\), each busy 100 % of the time' "$work/stages_100_1000_4.pto"
verdict "one slot" '^bound by waits: the busiest core, AI[CV]0?, works 50 % of the time; .* waits (49|50) % of the time for a (tile|free slot) of %pipe C2V at [a-z0-9_]*.pto:(8|17), and .* waits (49|50) % of the time for a (tile|free slot) of %pipe C2V at [a-z0-9_]*.pto:(8|17); to change: give %pipe more slots' "$work/stages_1000_1000_1.pto"
one=$(cycles "$work/stages_1000_1000_1.pto") four=$(cycles examples/pto/stages.pto)
[ $((four * 10)) -lt $((one * 6)) ]
ok "four slots: $one to $four cycles" $?
verdict "one credit" '^bound by the credits of policy apr: %pipe has 4 slots, of which its 1 credit lets one end fill 1; AIC waits 50 % of the time for a free slot of %pipe C2V at stages.pto:8, and AIV0 waits 50 % of the time for a tile of %pipe C2V at stages.pto:17; to change: another policy, such as exact: more slots do nothing$' examples/pto/stages.pto --policy apr
stages 1000 1000 8 2
[ "$(cycles "$work/stages_1000_1000_8.pto" --policy apr)" -ge "$(cycles examples/pto/stages.pto --policy apr)" ]
ok "eight slots are no faster with one credit" $?
verdict "credits for whole rounds" '^bound by the credits of policy may-jul: it frees the 4 slots of %pipe 4 at a time; AIC waits [12][0-9] % of the time for a free slot of %pipe C2V at stages.pto:8, and AIV[01] waits [12][0-9] % of the time for a tile of %pipe C2V at stages.pto:17; to change: a shorter period of credits' examples/pto/stages.pto --policy may-jul
verdict "global memory" '^bound by global memory: the 24 blocks use 99 % of its bandwidth' examples/pto/attention.pto --blocks 24
verdict "fewer blocks than memory can serve" '^bound by AIC FIX \(attention.pto:[0-9]+ has [0-9]+ % of it\), busy 8[0-9] % of the time' examples/pto/attention.pto --blocks 1
verdict "pipes of a core in turn" '^bound by AIV0, busy 91 % of the time: its pipes work in turn \(MTE2 49 %, most at issue226.pto:17; MTE3 42 %, most at issue226.pto:18\); to change: use two tiles in turn' examples/pto/issue226.pto

# What if: the rerun has the cycles of the program changed by hand.
what_if() { # NAME CHANGE CYCLES ARGUMENTS...
  name=$1 change=$2 wanted=$3
  shift 3
  "$tessera" pto run "$@" --why > "$work/out" 2> "$work/err"
  found=$(sed -n "s/^    $change: \([0-9]*\) cycles.*/\1/p" "$work/out")
  "$tessera" pto run "$@" --why --json > "$work/json" 2> "$work/err"
  [ -n "$found" ] && [ $((found * 100)) -ge $((wanted * 95)) ] && [ $((found * 100)) -le $((wanted * 105)) ] &&
    python3 -c 'import json, sys
w = json.load(open(sys.argv[1]))["what_if"]
sys.exit(len(w) != 1 or w[0]["cycles"] != int(sys.argv[2]))' "$work/json" "$found"
  ok "what if: $name, $wanted cycles by hand, ${found:-no} in the rerun" $?
}
stages 0 100 4 2
what_if "a slow Cube" "AIC FIX works in no time" "$(cycles "$work/stages_0_100_4.pto")" "$work/stages_1000_100_4.pto"
stages 1000 1000 2 1
what_if "one slot" "%pipe has twice the slots" "$(cycles "$work/stages_1000_1000_2.pto")" "$work/stages_1000_1000_1.pto"
what_if "one credit" "policy exact" "$(cycles examples/pto/stages.pto --policy exact)" examples/pto/stages.pto --policy apr
what_if "credits for whole rounds" "policy exact" "$(cycles examples/pto/stages.pto --policy exact)" examples/pto/stages.pto --policy may-jul
"$tessera" pto run examples/pto/stages.pto > "$work/out" 2>&1 && ! grep -q 'what if' "$work/out"
ok "without --why there is no rerun" $?

# Every cycle of a pipe is busy, stalled or idle, also at a limit inside work and waits.
for program in stages attention pattern1 pattern2 pattern3 issue226; do
  for limit in 1000000000 700; do
    "$tessera" pto run examples/pto/$program.pto --blocks 1 --limit $limit --json > "$work/json" 2> "$work/err"
    python3 -c 'import json, sys
r = json.load(open(sys.argv[1]))
for p in r["pipes"]:
    assert p["busy"] + p["stalled"] + p["idle"] == r["cycles"] and p["stalled"] == sum(p["stalled_on"].values()), p
assert r["pipes"] and (r["end"] != "ran" or r["verdict_line"] > 0), r' "$work/json" > "$work/out" 2>&1
    ok "the rows of $program sum to its cycles (limit $limit)" $?
  done
done

# The HTML report has the sentence in its text and as data of the paragraph at its top; a hang has another cause.
"$tessera" pto run examples/pto/stages.pto --report "$work/page.html" > "$work/out" 2> "$work/err" && grep -q '<p id="verdict">' "$work/page.html" &&
  grep -q '^bound by AIC FIX (stages.pto:9), AIV0 MTE2' "$work/page.html" && grep -q '"verdict": "bound by AIC FIX (stages.pto:9), AIV0 MTE2' "$work/page.html" &&
  grep -q '^    AIC FIX, AIV0 MTE2 and AIV1 MTE2 work in no time: [0-9]* cycles instead of 129020' "$work/page.html" && grep -q '"what_if": \[{"change": "AIC FIX' "$work/page.html"
ok "the HTML report" $?
"$tessera" pto run examples/pto/issue301.pto --verbose > "$work/out" 2> "$work/err"
[ $? -eq 4 ] && ! grep -q '^bound by' "$work/out" && grep -q '^core pipe' "$work/out"
ok "a hang has no verdict" $?
echo "1..$number"
[ $failures -eq 0 ]
