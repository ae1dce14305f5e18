# A slice of tests/bugs: correct kernels have no finding, mutants of them are named with both sides, exploring shrinks their schedules.
# `make bugs` has all mutants. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
exec python3 tests/bugs/bugs.py --build "$BUILD" --slice
