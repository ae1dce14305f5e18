# tests/hangs/grid: kernels that hang on one tile or on a grid of tiles, by tessera kernel run. The head of each program has the grid, the cores that
# the program is for (reader: NCRISC, writer: BRISC), the exit code, the first line of the report, as "also: " parts of other lines, as "error: " a part of what goes to standard error and as "never: " a part of none (@here, @held
# and @there are replaced by the lines with those comments). A closed chain may be claimed only where the first line expects one. Every program has circular buffers
# 0, 1, 2, 3 and 16 of two pages, and the arguments col, cols, row, rows. Prints TAP.
# Below TESSERA_TEST_SCALE 100 every third program runs; make test-all has all. Reads BUILD; HANGS names one program to run alone, HANGS_SHOW prints its report.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export TESSERA_PROGRESS_SECONDS=1000

# The head of a program: one line per item, with "@here" and the like replaced.
read_head() { # SOURCE
  awk '
    function item(name, text) { sub(/ \*\/$/, "", text); if (name == "also") alsos = alsos text "\n"; else items[name] = text }
    /^[\/ ]\* (grid|cores|code|run|first line|error|also|never): / && !over {
      text = $0; sub(/^[\/ ]\* /, "", text); name = text; sub(/: .*/, "", name); sub(/^[a-z ]*: /, "", text); item(name, text) }
    /\*\/$/ { over = 1 }
    /[;*] here/ && !here { here = FNR }
    /[;*] held/ && !held { held = FNR }
    /[;*] there/ && !there { there = FNR }
    function lines(text) { gsub(/@here/, here, text); gsub(/@held/, held, text); gsub(/@there/, there, text); return text }
    END { printf "%s\n%s\n%s\n%s\n%s\n%s\n%s\n%s", items["grid"], items["cores"], items["code"], items["run"], lines(items["first line"]), lines(items["never"]), lines(items["error"]), lines(alsos) }' \
    "$1" > "$mine/head"
  { read -r grid; read -r cores; read -r code; read -r options; read -r expected; read -r never; read -r error; cat > "$mine/also"; } < "$mine/head"
}
plain() { sed 's/cycle [0-9]*/cycle N/g; s/ [0-9]* cycles/ cycles/'; }
run() { # SOURCE
  read_head "$1"
  rm -rf "$mine/folder"
  mkdir "$mine/folder"
  for core in $cores; do cp "$1" "$mine/folder/$core.${1##*.}"; done
  { echo "grid $grid"; for core in $cores; do echo "args $core col cols row rows"; done; for cb in 0 1 2 3 16; do echo "buffer $cb 2 bf16"; done; } > "$mine/folder/kernel.chip"
  "$BUILD/tessera" kernel run "$mine/folder" $options --json "$mine/json" --sarif "$mine/sarif" > "$mine/out" 2> "$mine/err"
  got=$?
  plain < "$mine/out" > "$mine/plain"
  : > "$mine/wrong"
  [ $got -eq "$code" ] || echo "exit code $got, not $code" >> "$mine/wrong"
  head -n 1 "$mine/plain" | grep -qF -- "$expected" || echo "first line without: $expected" >> "$mine/wrong"
  case $expected in *deadlock*) ;; *) ! grep -q deadlock "$mine/out" || echo "a false deadlock" >> "$mine/wrong" ;; esac
  [ -z "$error" ] || plain < "$mine/err" | grep -qF -- "$error" || echo "standard error without: $error" >> "$mine/wrong"
  [ -z "$never" ] || ! grep -qF -- "$never" "$mine/plain" || echo "a line with: $never" >> "$mine/wrong"
  while read -r part; do grep -qF -- "$part" "$mine/plain" || echo "no line with: $part" >> "$mine/wrong"; done < "$mine/also"
  [ "$code" -ne 4 ] || [ "$(wc -l < "$mine/out")" -le 24 ] || echo "more than 24 lines" >> "$mine/wrong"
  echo $got > "$work/agree/$name.code"
  cat "$mine/out" "$mine/err" > "$work/agree/$name.out"
  mv "$mine/json" "$work/agree/$name.json"
  mv "$mine/sarif" "$work/agree/$name.sarif"
  [ -z "$HANGS_SHOW" ] || cat "$mine/out"
  if [ ! -s "$mine/wrong" ]; then echo "ok - $name on $grid"; else
    echo "not ok - $name on $grid"
    cat "$mine/wrong" "$mine/err" "$mine/out" | head -n 20 | sed 's/^/# /'
  fi
}
worker() { # NUMBER
  mine=$work/worker$1
  mkdir "$mine"
  turn=0 nth=0
  for source in tests/hangs/grid/*.c tests/hangs/grid/*.cpp; do
    [ -f "$source" ] || continue
    name=${source##*/}
    name=${name%.*}
    case $HANGS in "" | "$name") ;; *) continue ;; esac
    nth=$((nth + 1))
    [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || [ $((nth % 3)) -eq 1 ] || [ "$name" = barrier_second_round ] || continue
    turn=$((1 - turn))
    [ $turn -eq "$1" ] || continue
    run "$source"
  done
}
mkdir "$work/agree"
worker 0 > "$work/tap0" &
worker 1 > "$work/tap1"
wait
python3 tests/agree.py "$work/agree" > "$work/agreed"
ok=$?
{ [ $ok -eq 0 ] && printf 'ok' || printf 'not ok'; echo " - text, JSON and SARIF of every run agree"; cat "$work/agreed"; } > "$work/tap2"
# The value behind the text: releasers of other tiles, the cores that have returned, and the callers' lines for editors.
if [ -f "$work/agree/barrier_second_round.json" ]; then
  python3 - "$work/agree/barrier_second_round" > "$work/structure" 2>&1 << 'PY'
import json, sys
hang = json.load(open(sys.argv[1] + ".json"))["hang"]
first = hang["waiters"][hang["chain"][0]]
assert {"name": "NCRISC of Tensix (3,2)", "role": "writes", "state": "returned"} in first["releasers"], first["releasers"]
assert all(w["releasers"] for w in hang["waiters"])
gone = [o for o in hang["others"] if o["tile"] == {"x": 3, "y": 2} and o["state"] == "returned"]
assert len(gone) == 5 and {o["place"]["file"] for o in gone if o["name"] == "NCRISC"} == {"reader.c"}, gone
assert len(hang["others"]) == 17
for result in json.load(open(sys.argv[1] + ".sarif"))["runs"][0]["results"]:
    lines = [place["physicalLocation"]["region"]["startLine"] for place in result["relatedLocations"]]
    assert len(lines) == 2 and result["relatedLocations"][1]["message"]["text"] == "calls barrier", result
PY
  ok=$?
  { [ $ok -eq 0 ] && printf 'ok' || printf 'not ok'; echo " - JSON has the releasers and the cores that have returned, SARIF the callers"; sed 's/^/# /' "$work/structure"; } >> "$work/tap2"
fi
cat "$work"/tap? | awk '/^(not )?ok - / { sub(/ok - /, "ok " ++n " - ") } { print } END { print "1.." n }'
! grep -q '^not ok' "$work"/tap?
