# The TPUSH document's listings compile against tessera/pto.hpp and run on the model. Prints TAP. Reads BUILD, CXX.
. tests/tap.sh
BUILD=${BUILD:-build}
CXX=${CXX:-g++}
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
if ! command -v "$CXX" > /dev/null; then
  echo "1..0 # skip: no C++ compiler"
  exit 0
fi
if ! "$CXX" -std=c++17 -O1 -Wall -Wextra -Werror -Iinclude -Iinclude/tessera/compat tests/pto/listings.cpp "$BUILD/libtessera.a" -lm \
  -o "$out/listings"; then
  echo "1..1"
  echo "not ok 1 - the listings compile"
  exit 1
fi
"$out/listings"
