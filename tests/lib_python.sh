# The Python package in the source tree, with the installed python3 and NumPy: the binding matches the headers, the tests that need no compiler pass, exceptions
# have the same text as the command. tests/python.sh has the rest (make test-all). Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0
check() { # WHAT: passes if the previous command succeeded, with the log where it failed
  if [ $? -eq 0 ]; then result=ok; else result="not ok"; fi
  number=$((number + 1))
  echo "$result $number - $1"
  [ "$result" = ok ] || sed 's/^/# /' "$work/log" | tail -n 60
}
skip() { number=$((number + 1)) && echo "ok $number # SKIP $1"; }

python=
for candidate in "${PYTHON:-python3}" /usr/bin/python3; do
  "$candidate" -c 'import numpy' 2> /dev/null && { python=$candidate; break; }
done
export PYTHONPATH=python PYTHONDONTWRITEBYTECODE=1 TESSERA_CACHE="$work/cache"
export TESSERA_LIBRARY="$(cd "$BUILD" && pwd)/libtessera.so.1"
echo "1..4"
python3 tools/python-abi --check > "$work/log" 2>&1
check "the binding is what the headers declare"
python3 tests/python/abi_sizes.py "$CC" "$work" > "$work/log" 2>&1
check "structs have the C compiler's sizes and offsets"
if [ -z "$python" ]; then
  skip "words of exceptions: python3-numpy is not installed"
  skip "tests of the package: python3-numpy is not installed"
  exit
fi
"$python" tests/python/words.py "$BUILD/tessera" "$BUILD" "$work" > "$work/log" 2>&1
check "exceptions have the words and the code of the command"
if "$python" -c 'import pytest' 2> /dev/null; then
  "$python" -m pytest -q -p no:cacheprovider -p tessera.pytest_plugin -m "not builds" python/tessera/tests > "$work/log" 2>&1
  check "tests of the package that need no RISC-V compiler"
  sed -n 's/^note: /note: /p' "$work/log"
else
  skip "tests of the package: pytest is not installed"
fi
