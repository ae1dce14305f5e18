# For scripts that run `tessera kernel run --why` on kernels made from the template of `kernel new`: each is slow for one reason, marked /* here */,
# and the same kernel compiled with CHANGED has the cause removed by hand. Reads BUILD; sets work, k, here and number.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
failures=0
ok() { # NAME STATUS
  number=$((number + 1))
  if [ "$2" -eq 0 ]; then echo "ok $number - $1"; else
    failures=$((failures + 1))
    echo "not ok $number - $1"
    sed 's/^/# /' "$work/err" "$work/out" 2> /dev/null | tail -n 40
  fi
}
adds_up() { # [ROWS]: at least so many
  awk '/^where the cycles go/ { sum = $NF; on = 1; next }
    on && NF == 0 { on = 0 }
    on { n = 0; line = $0; while (match(line, /[0-9]+ \([0-9.]+%\)/)) { split(substr(line, RSTART, RLENGTH), part, " "); n += part[1]; line = substr(line, RSTART + RLENGTH) }
         rows++; if (n != sum) { print "row does not sum: " $0; bad = 1 } }
    END { exit bad || rows < '"${1:-8}"' }' "$work/out" >> "$work/err"
}
kernel() { # NAME: a folder with the template, on 16 data tiles
  k=$work/$1
  "$BUILD/tessera" kernel new "$k" > "$work/out" 2> "$work/err" || return 1
  sed -i 's/64x128/128x128/; /^expect/d' "$k/kernel.chip"
}
put() { # FILE LINE: the standard input goes before the line that contains LINE, unless CHANGED
  { echo '#ifndef CHANGED'; cat; echo '#endif'; } | insert "$1" "$2"
}
insert() { # the same, always
  cat > "$work/part"
  awk -v what="$2" -v part="$work/part" 'index($0, what) && !done { while ((getline line < part) > 0) print line; done = 1 } { print }' "$k/$1" > "$work/whole" && mv "$work/whole" "$k/$1"
}
# VERDICT: the cause, with @here for the marked line.
slow() {
  name=$(basename "$k")
  here=$(grep -nH "/\* here" "$k"/*.c* | sed "s|.*/\([a-z]*\.c[p]*\):\([0-9]*\):.*|\1:\2|")
  "$BUILD/tessera" kernel run "$k" --why --account --check none > "$work/out" 2> "$work/err"
  code=$?
  why="why: $(echo "$1" | sed "s/@here/$here/")"
  grep -qF -- "$why" "$work/out" && [ $code -eq 0 ]
  ok "$name: $why" $?
  adds_up
  ok "$name: every row of the account sums to the cycles" $?
  predicted=$(sed -n 's/^    .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out" | head -n 1)
  by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" |
    sed -n 's/^where the cycles go: each line sums to //p')
  [ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ] && [ "${by_hand:-0}" -gt 0 ]
  ok "$name: what-if: ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?
}
finish() {
  echo "1..$number"
  [ $failures -eq 0 ]
  exit
}
