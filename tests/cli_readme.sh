# The commands that README.md shows after "$ " give the output that it shows, and its figures are what their commands print. Prints TAP. Reads BUILD.
# tests/cli_guides.sh does the former for docs/guide.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
python3 tests/shown.py "$BUILD" README.md > "$work/shown"
shown=$?
grep -v '^1\.\.' "$work/shown"
number=$(grep -cE '^(not )?ok ' "$work/shown")
failures=0
ok() { # STATUS NAME
  number=$((number + 1))
  if [ "$1" -eq 0 ]; then echo "ok $number - $2"; else echo "not ok $number - $2"; failures=$((failures + 1)); fi
}
claims() { grep -qF -- "$1" README.md; ok $? "README: $1"; } # the command's output in the form that the README must have
thousands() { echo "$1" | sed ':a; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; ta'; }
heads() { grep -lE "code: $1([^0-9]|$)" tests/hangs/*.c tests/hangs/*.tta; } # programs of tests/hangs that end with this exit code

tools/readme-figures --print "$BUILD" > "$work/figures" || echo "tools/readme-figures fails" > "$work/figures"
while read -r phrase; do claims "$phrase"; done < "$work/figures"
# shellcheck disable=SC2046
tile=$("$BUILD/tessera" conform --timing off $(ls tests/cases/*.case.gz | grep -v noc) | sed -n '$s/ passed, 0 failed$//p')
zcat tests/cases/noc.case.gz > "$work/noc"
noc=$(grep -c '^case ' "$work/noc")
golden=$(grep -c '^tag src=golden' "$work/noc")
claims "$(thousands "$tile"); with those of the NoC $(thousands $((tile + noc)))"
claims "$(thousands "$noc") on any number of host threads: $golden recorded from ttsim, $((noc - golden)) written from documents"
claims "those of ttsim in all $(thousands $((tile + golden))) recorded cases"
claims "$(heads 4 | wc -l) programs; $(grep -lE '@here|@held|first line: .*\.tta:' $(heads 4) | wc -l) of the sentences name the user's line"
if [ "${TESSERA_TEST_SCALE:-100}" -ge 10 ]; then # two seconds, many more under the sanitizers
  "$BUILD/tests/test_silicon" --table > "$work/silicon"
  claims "$(sed -n 's/^all of a card *\([0-9]*\) .*/\1/p' "$work/silicon") figures measured on a card; beside them $(sed -n 's/^documents *\([0-9]*\) .*/\1/p' "$work/silicon") that documents state"
  claims "$(sed -n 's/^all of a card *[0-9]* *\([0-9.]* %\) *\([0-9.]* %\) *\([0-9.]* %\)$/median \1, 90th percentile \2, worst \3;/p' "$work/silicon")"
fi
# Ratios of docs/evidence/speed.md: the table of bench_users, timing on and off.
ratio() { awk -F '|' -v row="$1" -v at="$2" '/^\| program of bench_users/ { on = 1 } on && index($2, row) == 2 { gsub(/ /, "", $at); print $at; exit }' docs/evidence/speed.md; }
few='140 tiles, elementwise over DRAM, 8 pages each' many='140 tiles, elementwise over DRAM, 64 pages each' product='matmul 1024'
claims "140 tiles that stream DRAM $(ratio "$few" 3) to $(ratio "$many" 3), $(ratio "$few" 4) to $(ratio "$many" 4); a matmul on 64 tiles $(ratio "$product" 3), $(ratio "$product" 4);"
grep -v ttsempost examples/mop_and_replay.tta | "$BUILD/tessera" exec - > "$work/out" 2>&1
claims "exit code $?:"
echo "1..$number"
[ $shown -eq 0 ] && [ $failures -eq 0 ]
