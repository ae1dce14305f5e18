# Bugs written by hand in assembly are named by plain `tessera exec`; `make bugs` also has those in C. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
exec python3 tests/bugs/seeded.py --build "$BUILD" --slice
