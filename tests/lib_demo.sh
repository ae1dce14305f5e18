# tessera demo, in the source tree and where make install-demo puts its kernels. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
unset MAKEFLAGS MAKELEVEL MFLAGS
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo "1..3"
number=0
check() { # WHAT: passes if the previous command succeeded
  if [ $? -eq 0 ]; then result=ok; else result="not ok"; fi
  number=$((number + 1))
  echo "$result $number - $1"
  [ "$result" = ok ] || sed 's/^/# /' "$work/log"
}
make -s BUILD="$BUILD" CC="$CC" PREFIX=/usr DESTDIR="$work" install-demo > "$work/log" 2>&1 && install -D "$BUILD/tessera" "$work/usr/bin/tessera"
check "make install-demo"
(cd / && "$work/usr/bin/tessera" demo) > "$work/log" 2>&1 && grep -q 'C against matmul of A and B: worst error .*: good' "$work/log" &&
  tail -n 1 "$work/log" | grep -q '^PASS: '
check "tessera demo runs from any directory and checks its product"
rm -r "$work/usr/share" && "$work/usr/bin/tessera" demo > "$work/log" 2>&1
[ $? -eq 2 ] && [ "$(wc -l < "$work/log")" -eq 1 ] && grep -q 'the demo kernels are not built; run make demo' "$work/log"
check "without its kernels it says so in one line"
