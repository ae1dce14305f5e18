# Formats and shapes of the compute API: UINT16 in a 32-bit Dst, INT8 and UINT8, reductions with functions of the vector unit after them, rows
# of numbers of any width (tests/kernels/format_runs.py). Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$(pwd)/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
# Each case compiles a kernel, so few run below TESSERA_TEST_SCALE 100 (make test-all has all).
some="int8-to-int32-refused untilize-bf16-10"
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] && some=
python3 tests/kernels/format_runs.py "$T" "$dir" $some
