# Every function that the library exports, called with NULL and with bad handles. The calls are generated from the list of exported
# symbols, so none is missing. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
  echo "1..1"
  echo "not ok 1 - every function of the API is called with NULL and bad handles"
  sed 's/^/# /' "$work/log" | head -n 30
  exit 1
}

headers=$(cd include && ls tessera/*.h)
nm -D --defined-only "$BUILD/libtessera.so" | awk '$2 == "T" { sub(/@.*/, "", $3); print $3 }' | sort -u > "$work/symbols"
# shellcheck disable=SC2086
python3 tests/api/null_calls.py $headers < "$work/symbols" > "$work/calls.c" 2> "$work/log" || fail
$CC -std=c11 -g -Wall -Wno-nonnull -Iinclude "$work/calls.c" -L"$BUILD" -ltessera -o "$work/calls" 2> "$work/log" || fail
LD_LIBRARY_PATH=$BUILD "$work/calls" > "$work/tap" 2> "$work/log" || { tail -n 3 "$work/tap" >> "$work/log"; fail; }
cat "$work/tap"
