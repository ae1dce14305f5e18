#!/bin/sh
# tessera pto as a command: exit codes, messages, files. Prints TAP. BUILD: the build directory.
. tests/tap.sh
BUILD=${BUILD:-build}
tessera=$BUILD/tessera
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
n=0

# check CODE WORDS ARGUMENTS...: exit code, and a text on stdout or stderr
check() {
  code=$1 words=$2
  shift 2
  n=$((n + 1))
  "$tessera" pto "$@" > "$work/out" 2>&1 < /dev/null
  got=$?
  if [ "$got" -eq "$code" ] && grep -qF -- "$words" "$work/out"; then
    echo "ok $n - pto $*"
  else
    echo "not ok $n - pto $* (exit $got: $(head -c 400 "$work/out" | tr '\n' '|'))"
  fi
}
that() { # WHAT: passes if the previous command succeeded
  if [ $? -eq 0 ]; then result=ok; else result="not ok"; fi
  n=$((n + 1))
  echo "$result $n - $1"
}

e=examples/pto
printf 'module {\n  func.func @c() attributes {pto.core = "aic"} {\n    %%x = pto.tfoo %%y\n  }\n}\n' > "$work/bad.pto"
printf 'module {\n  pto.global @A : tensor<4x4xf32>\n  func.func @v() attributes {pto.core = "aiv0"} {\n    %%i = arith.constant 900 : index\n    %%v = pto.partition_view @A, offsets = [%%i, 0], sizes = [4, 4]\n    %%a = pto.tload %%v : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 4, 4>\n  }\n}\n' > "$work/fault.pto"

check 0 "example: tessera pto run" run --help
check 0 "example: tessera pto check" check --help
check 0 "example: tessera pto explore" explore --help
check 0 "6 when a run does not end in time" explore --help
check 0 "Exit code 3 for a fault" explore --help
check 0 "example: tessera pto sweep" sweep --help
check 0 "usage: tessera pto" --help
check 0 "races for odd depths" policies
check 2 "unknown sub-verb" walk
check 2 "no file given" run
check 2 "cannot read" run "$work/none.pto"
check 2 "unknown option" run $e/pattern1.pto --fast
check 2 "--policy takes one of exact, apr, " run $e/pattern1.pto --policy best
check 2 "--profile takes a2a3 or a5, not 'a9'" run $e/pattern1.pto --profile a9
check 2 "--limit takes a number from 1 to " run $e/pattern1.pto --limit 0
check 2 "--dispatches takes a number from 1 to 100000, not '0'" run $e/pattern1.pto --dispatches 0
check 2 "--dispatches takes a number from 1 to 100000, not '100001'" run $e/pattern1.pto --dispatches=100001
check 2 "--schedules takes a number from 1 to " explore $e/pattern1.pto --schedules 0
check 2 "--schedules takes a number from 1 to " sweep $e/stages.pto --schedules 4294967296
check 2 "--period takes a number from 1 to " sweep $e/stages.pto --period 0
check 2 "--depth takes A:B" sweep $e/stages.pto --depth 0
check 2 "--depth takes A:B" sweep $e/stages.pto --depth 99
check 0 "schedules, nothing breaks" explore $e/pattern1.pto --schedules 1 --seed 0
check 2 "--limit needs a value" run $e/pattern1.pto --limit
check 2 "bad.pto:3:10: error: unknown operation 'pto.tfoo'; the nearest are " run "$work/bad.pto"
check 0 "ran after" run $e/pattern1.pto
check 0 "fifo %pipe C2V" run $e/pattern1.pto --no-data
check 0 "\"end\": \"ran\"" run $e/pattern1.pto --json
check 3 "fault (address)" run "$work/fault.pto"
check 4 "fixed-drain makes the destructor take 4" run $e/issue248.pto
head -n 1 "$work/out" | grep -q '^hang after [0-9]* cycles: AIC S has been waiting since cycle [0-9]* for flag 1 .* at issue248.pto:5, .*should be set by AIV0 and AIV1: policy' &&
  ! grep -q 'could be released' "$work/out" && grep -q '^have ended: AIV0, AIV1$' "$work/out"
that "the first line of a hang has the cause; cores that have ended release nothing"
! grep -q '^core pipe' "$work/out"
that "the tables of a hang are left to --verbose"
check 4 "core pipe " run $e/issue248.pto --verbose
# Counts that differ: one pop too many, and a ring that is not emptied. The first line has the line of the wait.
cat > "$work/pops.pto" << 'PTO'
module attributes {pto.target_arch = "a2a3"} {
  func.func @cube() attributes {pto.core = "aic"} {
    %pipe = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>
    %tile = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>
    scf.for %i = 0 to 3 step 1 {
      pto.tpush %tile, %pipe : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)
    }
  }
  func.func @vec() attributes {pto.core = "aiv"} {
    %pipe = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2>
    scf.for %i = 0 to 4 step 1 {
      %x = pto.tpop %pipe : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>
      pto.tfree %pipe : (!pto.tpipe<...>)
    }
  }
}
PTO
sed 's/0 to 3 step/0 to 6 step/; s/0 to 4 step/0 to 2 step/' "$work/pops.pto" > "$work/pushes.pto"
check 4 "tpop at pops.pto:12, tile 3; flag 0 of AIV0 should be set by AIC: its program ended after 3 pushes" run "$work/pops.pto"
check 4 "tpush at pushes.pto:6, tile 4; flag 1 of AIC should be set by AIV0 and AIV1: its program ended after 2 pops" run "$work/pushes.pto"
check 4 '"hang": {"cycle":' run $e/issue301.pto --json --sarif "$work/hang.sarif"
python3 - "$work/out" "$work/hang.sarif" << 'HANG'
import json, sys
hang = json.load(open(sys.argv[1]))["hang"]
row = next(row for row in json.load(open(sys.argv[2]))["runs"][0]["results"] if row["ruleId"] == "hang")
names = [hang["waiters"][i]["name"] for i in hang["chain"]]
first = hang["waiters"][hang["chain"][0]]
assert hang["deadlock"] and hang["cause"].startswith("deadlock: " + " -> ".join([*names, names[0]]) + "; "), hang["cause"]
assert all(hang["waiters"][a]["waits_for"] == b for a, b in zip(hang["chain"], hang["chain"][1:] + hang["chain"][:1]))
assert first["place"]["line"] == 8 and first["place"]["file"] == "issue301.pto" and first["resource"]["kind"] == "pool"
assert {r["state"] for w in hang["waiters"] for r in w["releasers"]} == {"waiting"}
place = row["locations"][0]["physicalLocation"]
assert row["message"]["text"] == hang["cause"] and place["region"]["startLine"] == 8 and place["artifactLocation"]["uri"].endswith("issue301.pto")
assert len(row["relatedLocations"]) == len(hang["waiters"]) and row["properties"]["cycle"] == hang["cycle"]
HANG
that "JSON has the hang as an object, and SARIF its line"
check 5 "overwrite-before-read" run $e/issue226.pto --strict
check 5 "ran after" run $e/issue226.pto --sarif "$work/two.sarif"
python3 -c 'import json, sys; rows = json.load(open(sys.argv[1]))["runs"][0]["results"]; assert [row["ruleId"] for row in rows] == ["overwrite-before-read"], rows' "$work/two.sarif"
that "SARIF has a finding of both vector cores once"
check 0 "launches" --help
check 0 "ran after" run $e/attention.pto --blocks 3 --no-data
check 0 "3 blocks, global memory" run $e/attention.pto --blocks 3 --no-data
check 0 "\"blocks\": 2" run $e/attention.pto --blocks 2 --no-data --json
check 2 "several values of --set or --blocks are for sweep" run $e/attention.pto --blocks 1,2
check 2 "several values of --set or --blocks are for sweep" run $e/attention.pto --set M=1,2
check 2 "--set takes NAME=VALUE" run $e/attention.pto --set M
check 2 "--blocks takes a number of blocks" run $e/attention.pto --blocks 0
check 0 "      32      2" sweep $e/attention.pto --own-depth --set M=32,64 --blocks 2,3 --schedules 2
check 0 "\"M\": 64, \"blocks\": 3" sweep $e/attention.pto --own-depth --set M=32,64 --blocks 2,3 --schedules 2 --json --threads 2
check 2 "--svg draws depths of one program" sweep $e/attention.pto --set M=32,64 --svg "$work/x.svg"
check 0 "gm_total" profiles
check 0 "inferred" profiles
check 2 "profiles does not take 'x'" profiles x
printf 'gm_to_l1 = 1350\n' > "$work/slow.figures"
check 0 "ran after" run $e/attention.pto --profile-file "$work/slow.figures" --no-data
printf 'gm_to_l1 = 0\n' > "$work/bad.figures"
check 2 "bad.figures: line 1: not a figure and a value it can have" run $e/attention.pto --profile-file "$work/bad.figures"
printf 'ub_bytes = 4096\n' > "$work/tiny.figures"
check 2 "does not fit" run $e/attention.pto --profile-file "$work/tiny.figures"
check 0 "pto.tpush" ops
"$tessera" pto ops --markdown | cmp -s - docs/reference/pto-ir.md
that "docs/reference/pto-ir.md is what the tables say (make docs)"
check 0 "usage: tessera pto launches" launches --help
check 2 "cannot read" launches "$work/none.cpp"
printf 'void f() {\n  k<<<1>>>;\n}\n' > "$work/half.cpp"
check 2 "half.cpp:2: no complete launch" launches "$work/half.cpp"
check 6 "limit after 100 cycles" run $e/pattern1.pto --limit 100
check 0 "ran after" run $e/issue248.pto --policy a2a3-head
check 0 "ran after" run $e/pattern2.pto
check 1 "it hangs [policy]" check $e/issue248.pto
check 0 "0 errors" check $e/pattern1.pto
check 0 "\"errors\": 0" check $e/pattern1.pto --json
check 5 "writes tile" explore $e/pattern3.pto
check 4 "share" explore $e/issue301.pto --schedules 50
check 0 "nothing breaks" explore $e/pattern1.pto --schedules 200
check 0 "\"broken\": false" explore $e/pattern1.pto --schedules 20 --json
check 0 "first safe depth at full speed: 2" sweep $e/stages.pto --depth 1:4 --svg "$work/s.svg"
grep -q '</svg>' "$work/s.svg"
that "the plot is written"
check 0 "\"first_safe_depth\": 2" sweep $e/stages.pto --depth 2:3 --json
check 2 "cannot write" sweep $e/stages.pto --depth 2 --svg "$work/no/s.svg"
! grep -q "cycles/tile" "$work/out"
that "a plot that cannot be written is said before the sweep"
sed 's/C2V/C2V_GM/' $e/stages.pto > "$work/gm.pto"
check 3 "fault (unsupported): line 5: pipe %pipe: a2a3 has no direction C2V_GM" run "$work/gm.pto"
check 3 "fault (unsupported): line 5: pipe %pipe: a2a3 has no direction C2V_GM" sweep "$work/gm.pto" --svg "$work/gm.svg"
[ "$(wc -l < "$work/out")" -eq 1 ] && [ ! -e "$work/gm.svg" ]
that "a refused program is refused once, and no plot is begun"
check 3 "{\"fault\": \"line 5: pipe %pipe: a2a3 has no direction C2V_GM\"}" sweep "$work/gm.pto" --json
check 0 "does not fit" sweep $e/stages.pto --depth 8:9 --policy per-slot --schedules 3
check 3 "there are 0 to 15" sweep $e/stages.pto --depth 9 --policy per-slot
sed 's/1024, 4, 2/16, 4, 2/' $e/stages.pto > "$work/small.pto"
check 3 "reaches byte 0x400 of gm" run "$work/small.pto"
check 3 "reaches byte 0x400 of gm" explore "$work/small.pto"
check 6 "has not ended after" explore $e/pattern1.pto --limit 100
sed 's/<0, C2V, 1024, 4, 2>/<8, BOTH, 1024, 14, 2>/' $e/stages.pto > "$work/ids.pto"
check 1 "needs flags 8 to 63, there are 0 to 15" check "$work/ids.pto" --policy per-slot
check 3 "needs flags 8 to 63, there are 0 to 15" run "$work/ids.pto" --policy per-slot
check 0 "@C (4096 x f32)" run $e/pattern1.pto --print C --out C="$work/c.npy" --trace "$work/t.json"
[ "$(head -c 6 "$work/c.npy" | tail -c 5)" = NUMPY ] && [ "$(wc -c < "$work/c.npy")" -eq $((128 + 64 * 64 * 4)) ]
that "the tensor is written as .npy"
grep -q '"ph":"B"' "$work/t.json" && tail -n 1 "$work/t.json" | grep -q ']}'
that "the trace is a JSON object"
check 0 "ran after" run $e/pattern1.pto --expect C="$work/c.npy"
cp "$work/c.npy" "$work/d.npy" && printf '\101' | dd of="$work/d.npy" bs=1 seek=203 conv=notrunc 2> /dev/null
check 1 "1 of 4096 elements differ" run $e/pattern1.pto --expect C="$work/d.npy"
check 2 "has 4096 elements" run $e/issue226.pto --expect C="$work/c.npy"
check 2 "has 4096 elements, @A has 2048" run $e/pattern1.pto --in A="$work/c.npy"
for option in --print=Z --out=Z=z.npy --expect=Z=z.npy; do
  check 2 "no global tensor @Z" run $e/pattern1.pto $option
  ! grep -q "ran after" "$work/out"
  that "an unknown tensor is said before the run: $option"
done
check 2 "this is not a .npy file" run $e/pattern1.pto --in A=$e/pattern1.pto
echo "1..$n"
