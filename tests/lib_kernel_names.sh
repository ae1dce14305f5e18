# The reference pages of kernel names and of their tests are what the headers and the tests have. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
[ -f "$BUILD/kernels/include/tensix_isa.h" ] || { echo "1..0 # SKIP no $BUILD/kernels/include"; exit 0; }
names=$(python3 tests/kernel_names.py "$BUILD") && failed=0 || failed=1
tests=$(python3 tests/kernel_audit.py "$BUILD") || failed=1
printf '%s\n' "$names" | sed 's/^1\.\.1$/1..3/'
printf '%s\n' "$tests" | sed '/^1\.\.2$/d; s/^\(not \)*ok 2 /\1ok 3 /; t; s/^\(not \)*ok 1 /\1ok 2 /'
exit $failed
