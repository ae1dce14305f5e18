# tessera pto run --trace and --report: for every example each format is read back (the Perfetto one by a decoder of the test's own), and its
# slices sum to the report's figures for each pipe, in the order of time over all blocks; a trace changes no cycle. Prints TAP. Reads BUILD.
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
  head -n 20 "$work/err" | sed 's/^/# /'
}

for file in examples/pto/*.pto; do
  "$tessera" pto run "$file" --blocks 1 --json > "$work/plain" 2> "$work/err"
  plain=$?
  status=0
  for kind in chrome:json perfetto:pftrace text:txt; do
    "$tessera" pto run "$file" --blocks 1 --json --trace "$work/t.${kind#*:}" > "$work/json" 2>> "$work/err"
    [ $? -eq $plain ] && cmp -s "$work/plain" "$work/json" &&
      python3 tests/read_pto_trace.py "${kind%:*}" "$work/t.${kind#*:}" "$work/json" 2>> "$work/err" || status=1
  done
  ok "${file##*/}" $status
done

file=examples/pto/attention.pto
"$tessera" pto run $file --report "$work/alone.html" > "$work/out" 2> "$work/err" && "$tessera" pto run $file --trace "$work/alone.json" --trace-from 100 > "$work/out" 2>> "$work/err" &&
  "$tessera" pto run $file --report "$work/both.html" --trace "$work/both.json" --trace-from 100 > "$work/out" 2>> "$work/err" && cmp -s "$work/alone.html" "$work/both.html" && cmp -s "$work/alone.json" "$work/both.json"
ok "a report and a trace of one run are those of two" $?

# Several blocks: each has its own tracks, and the page has the block of the report, which is not the first one.
for file in attention issue521; do
  "$tessera" pto run examples/pto/$file.pto --blocks 8 --json > "$work/json" 2> "$work/err"
  plain=$?
  grep -q '"blocks": 8, "block": 7,' "$work/json"
  status=$?
  for kind in chrome:json perfetto:pftrace text:txt; do
    "$tessera" pto run examples/pto/$file.pto --blocks 8 --trace "$work/t.${kind#*:}" > "$work/out" 2>> "$work/err"
    [ $? -eq $plain ] && python3 tests/read_pto_trace.py "${kind%:*}" "$work/t.${kind#*:}" "$work/json" 2>> "$work/err" || status=1
  done
  ok "$file.pto, 8 blocks" $status
  "$tessera" pto run examples/pto/$file.pto --blocks 8 --report "$work/page.html" > "$work/out" 2>> "$work/err"
  python3 - "$work/page.html" "$work/json" << 'PYTHON' 2>> "$work/err"
import json, re, sys
page, report = open(sys.argv[1]).read(), json.load(open(sys.argv[2]))
lines = json.loads(re.search(r'id="data-lines">(.*?)</script>', page, re.S).group(1))
busy = sum(p["busy"] for p in report["pipes"] if p["pipe"] != "S")
assert sum(l[2] for l in lines) == busy, (sum(l[2] for l in lines), busy)
marks = re.search(r'id="data-marks">(.*?)</script>', page, re.S).group(1)
names = [l.split(" ", 2)[2] for l in marks.splitlines() if l.startswith("T ")]
assert len(names) == len(set(names)), "two tracks of one name"
PYTHON
  ok "$file.pto, 8 blocks: lines and timeline of the page are those of the report's block" $?
done

# A wait that begins before thousands of other marks and is known when it ends has its place in time, too.
cat > "$work/late.pto" << 'PTO'
module attributes {pto.target_arch = "a2a3"} {
  func.func @cube() attributes {pto.core = "aic"} {
    %pipe = pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 2>
    %tile = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>
    scf.for %i = 0 to 3000 step 1 {
      pto.tmov ins(%tile : !pto.tile_buf<acc, f32, 16, 16>) outs(%tile : !pto.tile_buf<acc, f32, 16, 16>) {cost = 10}
    }
    %slot = pto.talloc %pipe : (!pto.tpipe<...>) -> !pto.tensor_view<16x16xf32>
    pto.tstore ins(%tile : !pto.tile_buf<acc, f32, 16, 16>) outs(%slot : !pto.tensor_view<16x16xf32>) {cost = 1000}
    pto.tpush %slot, %pipe : (!pto.tensor_view<16x16xf32>, !pto.tpipe<...>)
  }
  func.func @vec() attributes {pto.core = "aiv"} {
    %pipe = pto.tpipe : !pto.tpipe<0, C2V, 1024, 4, 2>
    %tile = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>
    %slot = pto.tpop %pipe : (!pto.tpipe<...>) -> !pto.tensor_view<16x16xf32>
    pto.tload ins(%slot : !pto.tensor_view<16x16xf32>) outs(%tile : !pto.tile_buf<vec, f32, 16, 16>) {cost = 1000}
    pto.tfree %slot, %pipe : (!pto.tensor_view<16x16xf32>, !pto.tpipe<...>)
  }
}
PTO
for blocks in 1 4; do
  status=0
  for kind in chrome:json perfetto:pftrace text:txt; do
    "$tessera" pto run "$work/late.pto" --blocks $blocks --json --trace "$work/t.${kind#*:}" > "$work/json" 2> "$work/err" &&
      python3 tests/read_pto_trace.py "${kind%:*}" "$work/t.${kind#*:}" "$work/json" 2>> "$work/err" || status=1
  done
  ok "a long wait, $blocks blocks" $status
done

# --trace-from and --trace-to: a part of a trace is the whole one, cut. stages.pto has waits that last longer than the window.
windows="attention:3000:5000 attention:700:1500 stages:60000:60100" grids="1 8"
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || { windows=attention:3000:5000 grids=8; } # make test-all has the others
for window in $windows; do
  file=${window%%:*} from=${window#*:} to=${window##*:}
  from=${from%:*}
  for blocks in $grids; do
    for kind in json pftrace; do
      if [ $kind = pftrace ] && [ ! -d "$BUILD/python-perfetto/perfetto" ]; then
        number=$((number + 1))
        echo "ok $number # SKIP the perfetto package is not in $BUILD/python-perfetto (tests/cli_trace.sh installs it)"
        continue
      fi
      "$tessera" pto run examples/pto/$file.pto --blocks $blocks --trace "$work/whole.$kind" > "$work/out" 2> "$work/err" &&
        "$tessera" pto run examples/pto/$file.pto --blocks $blocks --trace "$work/part.$kind" --trace-from $from --trace-to $to > "$work/out" 2>> "$work/err" &&
        PYTHONPATH=$BUILD/python-perfetto python3 tests/read_trace.py pto_window "$work/part.$kind" "$work/whole.$kind" $from $to 2>> "$work/err"
      ok "$file.pto, $blocks blocks, cycles $from to $to: .$kind" $?
    done
    "$tessera" pto run examples/pto/$file.pto --blocks $blocks --trace "$work/whole.txt" > "$work/out" 2> "$work/err" &&
      "$tessera" pto run examples/pto/$file.pto --blocks $blocks --trace "$work/part.txt" --trace-from $from --trace-to $to > "$work/out" 2>> "$work/err" &&
      awk -v from=$from -v to=$to '$1 >= from && $1 <= to' "$work/whole.txt" | cmp - "$work/part.txt" 2>> "$work/err" && [ -s "$work/part.txt" ]
    ok "$file.pto, $blocks blocks, cycles $from to $to: text" $?
  done
done
"$tessera" pto run examples/pto/attention.pto --trace "$work/part.json" --trace-from 100000 > "$work/out" 2> "$work/err" &&
  python3 -c 'import json, sys
sys.exit(any(e["ph"] != "M" for e in json.load(open(sys.argv[1]))["traceEvents"]))' "$work/part.json" 2>> "$work/err"
ok "cycles after the end of the run: a trace without events" $?
rm -f "$work"/whole.* "$work"/part.*

# More than the merge sorts in memory at once (32 MiB).
"$tessera" pto run examples/pto/stages.pto --blocks 16 --dispatches 12 --json --trace "$work/t.json" > "$work/json" 2> "$work/err" &&
  [ "$(wc -c < "$work/t.json")" -gt 40000000 ] &&
  grep -o '"ts":[0-9]*' "$work/t.json" | cut -d: -f2 | awk '$1 < last {back++} {last = $1} END {exit !(NR > 500000 && !back)}'
ok "a trace of several pieces" $?
rm -f "$work/t.json"

# The format is that of the file's name, or the one of --trace-format; names of formats for tiles only are refused before the run.
for kind in text:txt perfetto:pftrace chrome:json; do
  "$tessera" pto run examples/pto/attention.pto --blocks 3 --trace "$work/named.${kind#*:}" > "$work/out" 2> "$work/err" &&
    "$tessera" pto run examples/pto/attention.pto --blocks 3 --trace "$work/any.vcd" --trace-format "${kind%:*}" > "$work/out" 2> "$work/err" &&
    cmp "$work/named.${kind#*:}" "$work/any.vcd" 2>> "$work/err" &&
    "$tessera" pto run examples/pto/attention.pto --blocks 3 --json --trace /dev/stderr --trace-format "${kind%:*}" 2> "$work/piped" > "$work/out" &&
    cmp "$work/named.${kind#*:}" "$work/piped" 2>> "$work/err"
  ok "--trace-format ${kind%:*}" $?
done
rm -f "$work/any.vcd"
refused() { # TEXT ARGUMENTS...: one line with TEXT, exit code 2, nothing written
  text=$1
  shift
  "$tessera" pto run examples/pto/pattern1.pto "$@" > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ] && grep -qF -- "$text" "$work/err" && [ ! -s "$work/out" ] &&
    [ -z "$(find "$work" -name 'refused*')" ]
  ok "refused: $text ($(echo "$@" | sed "s|$work/||g"))" $?
}
refused "--trace writes text, .pftrace or .json" --trace "$work/refused.vcd"
refused "--trace writes text, .pftrace or .json" --trace "$work/refused.kanata"
for name in vcd kanata compact x; do refused "text, perfetto or chrome" --trace "$work/refused.txt" --trace-format $name; done
for option in "--trace-format text" "--trace-from 5" "--trace-to 5"; do
  refused "--trace-format, --trace-from and --trace-to go with --trace FILE" $option
  refused "--trace-format, --trace-from and --trace-to go with --trace FILE" --report "$work/refused.html" $option
done
refused "--trace-from 500 is after --trace-to 100" --trace "$work/refused.txt" --trace-from 500 --trace-to 100
refused "--trace-from takes a cycle" --trace "$work/refused.txt" --trace-from x
refused "--trace-to takes a cycle above 0" --trace "$work/refused.txt" --trace-to 0
"$tessera" pto run --help > "$work/out" 2> "$work/err" && grep -q -- '--trace FILE .*all blocks' "$work/out" &&
  grep -q -- '--trace-format NAME .*text, perfetto or chrome' "$work/out" && grep -q -- '--trace-from CYCLE' "$work/out" && grep -q -- '--trace-to CYCLE' "$work/out"
ok "--help has the options of traces" $?

# The page holds the marks, the report and the lines, and fetches nothing.
"$tessera" pto run examples/pto/attention.pto --report "$work/page.html" > "$work/out" 2> "$work/err" &&
  ! grep -qE 'src=|href="http|@import' "$work/page.html" && grep -q 'id="data-marks">T ' "$work/page.html" &&
  grep -q '^A [0-9]* [0-9a-f]* 0$' "$work/page.html" && grep -q '^A [0-9]* [0-9a-f]* 1$' "$work/page.html" &&
  grep -q '^T [0-9]* down C2V slot 0$' "$work/page.html" && grep -q '^T [0-9]* AIC flag [0-9]*$' "$work/page.html"
ok "the HTML report" $?
for option in --trace --report; do
  "$tessera" pto run examples/pto/pattern1.pto $option /nonexistent/x > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && [ "$(wc -l < "$work/err")" -eq 1 ]
  ok "$option to a file that cannot be written" $?
  "$tessera" pto run examples/pto/pattern1.pto $option /dev/full > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && grep -q "could not be written completely" "$work/err"
  ok "$option to a full disk" $?
done
echo "1..$number"
[ $failures -eq 0 ]
