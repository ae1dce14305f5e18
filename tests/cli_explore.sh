# tessera explore on a chip: racy grids are found with both sides, correct ones are quiet (tests/bugs/explore.py). Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
exec python3 tests/bugs/explore.py --build "$BUILD"
