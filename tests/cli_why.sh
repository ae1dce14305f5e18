# tests/slow: kernels that are slow for one reason each. `tessera run --why` names the reason and the user's line, and the account of every
# core, thread and unit sums to the cycles. The run that --why repeats with one change takes as long, within 5 %, as the program
# changed by hand (CHANGED; `changed` in the head: the cores that differ, or the pages; races: it ends with a finding). The head of each program has the expected verdict (@here: the line with that comment).
# Prints TAP. Reads BUILD; SLOW names one program to run alone.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/kernel_elfs.sh

head_of() { sed -n "s|^ [*] $2: \(.*[^ ]\)\( [*]/\)\{0,1\}$|\1|p" "$1" | sed 's| \*/$||' | head -n 1; }
# Every line of the account sums to the cycles.
adds_up() {
  awk '/^where the cycles go/ { sum = $NF; on = 1; next }
    on && NF == 0 { on = 0 }
    on { n = 0; line = $0; while (match(line, /[0-9]+ \([0-9.]+%\)/)) { split(substr(line, RSTART, RLENGTH), part, " "); n += part[1]; line = substr(line, RSTART + RLENGTH) }
         rows++; if (n != sum) { print "row does not sum: " $0; bad = 1 } }
    END { exit bad || rows < 8 }' "$work/out" >> "$work/err"
}

# PREDICTED: the program changed by hand takes as long, within 5 %. Sets by_hand.
predicts() {
  pages_changed=${pages:-2}
  ends_with=0
  for changed in $(head_of "$source" changed); do
    case $changed in pages=*) pages_changed=${changed#pages=} ;;
      races) ends_with=5 ;;
      *) kernel_core "$changed" "$source" CHANGED 2>> "$work/err" || return 1 ;; esac
  done
  # shellcheck disable=SC2046,SC2086
  "$BUILD/tessera" run $elfs $(kernel_launch "$pages_changed") --account --from kernel_main --check none > "$work/seen" 2>> "$work/err"
  [ $? -eq $ends_with ] || return 1
  by_hand=$(sed -n 's/^where the cycles go: each line sums to //p' "$work/seen")
  [ $((${by_hand:-0} * 95)) -le $(($1 * 100)) ] && [ $(($1 * 100)) -le $((${by_hand:-0} * 105)) ]
}

# Below TESSERA_TEST_SCALE 100 every fifth program runs, and the one that the guide shows; make test-all runs all of them.
nth=0
for source in ${SLOW:-tests/slow/*.c}; do
  name=$(basename "$source" .c)
  nth=$((nth + 1))
  [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || [ -n "$SLOW" ] || [ "$name" = slow_reader ] || [ $((nth % 5)) -eq 1 ] || continue
  : > "$work/out"
  kernel_build "$source" 2> "$work/err" || { ok "$name compiles" 1; continue; }
  pages=$(head_of "$source" pages)
  here=$(grep -n '/\* here' "$source" | cut -d: -f1)
  why=$(head_of "$source" why | sed "s/@here/$here/")
  change=$(head_of "$source" change | sed "s/@here/$here/")
  # shellcheck disable=SC2046,SC2086
  "$BUILD/tessera" run $elfs $(kernel_launch "${pages:-2}") --why --check none --profile "$work/$name.callgrind" \
    --coverage "$work/$name.info" > "$work/out" 2> "$work/err"
  code=$?
  grep -qF -- "why: $why" "$work/out" && grep -qF -- "$change" "$work/out" && [ $code -eq 0 ]
  ok "$name: $why" $?
  if [ "$name" = slow_reader ]; then
    python3 tests/shown.py --compare docs/guide/why-slow.md slow_reader "$work/out" >> "$work/err"
    ok "docs/guide/why-slow.md shows what $name prints" $?
  fi
  adds_up
  ok "$name: every row of the account sums to the cycles" $?
  predicted=$(sed -n 's/^    .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" | head -n 1)
  predicts "${predicted:-0}"
  ok "$name: what-if: ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?
  if command -v callgrind_annotate > "$work/where"; then
    callgrind_annotate --auto=no "$work/$name.callgrind" > "$work/out" 2> "$work/err" && grep -q 'kernel_main' "$work/out" &&
      grep -q 'PROGRAM TOTALS' "$work/out"
    ok "$name: callgrind_annotate reads the profile" $?
  else
    echo "note: callgrind_annotate is not here; the profile of $name was not read with it"
  fi
  "$BUILD/tessera" annotate --file "$name.c" "$work/$name.callgrind" > "$work/out" 2> "$work/err" && grep -q "here" "$work/out"
  ok "$name: tessera annotate shows the line" $?
  grep -q "^SF:.*$name.c" "$work/$name.info" && grep -q '^DA:[0-9]*,0$' "$work/$name.info" && grep -q '^DA:[0-9]*,16$' "$work/$name.info"
  ok "$name: coverage has lines that ran 16 times and lines that did not" $?
done

echo "1..$number"
[ $failures -eq 0 ]
