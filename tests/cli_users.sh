# A slice of tests/bugs/users.py: bugs in kernels of several tiles and cores are named, correct variants are quiet. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
exec python3 tests/bugs/users.py --build "$BUILD" --slice
