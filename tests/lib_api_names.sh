# Every enumeration of include/tessera has one function that names its values. The calls are generated from the headers, so none is
# forgotten. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
fail() {
  echo "1..1"
  echo "not ok 1 - every enumeration of the API has names"
  sed 's/^/# /' "$work/log" | head -n 30
  exit 1
}

headers=$(cd include && ls tessera/*.h)
# shellcheck disable=SC2086
python3 tests/api/enum_names.py $headers > "$work/names.c" 2> "$work/log" || fail
$CC -std=c11 -g -Wall -Werror=implicit-function-declaration -Iinclude "$work/names.c" -L"$BUILD" -ltessera -o "$work/names" 2> "$work/log" || fail
LD_LIBRARY_PATH=$BUILD "$work/names"
