# Programs in assembly with a bug are named by plain `tessera exec`, their correct twins are quiet. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
exec python3 tests/bugs/twins.py --build "$BUILD"
