# The reference page of kernel names is what the headers have. Prints TAP.
BUILD=${BUILD:-build}
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
[ -f "$BUILD/kernels/include/tensix_isa.h" ] || { echo "1..0 # SKIP no $BUILD/kernels/include"; exit 0; }
exec python3 tests/kernel_names.py "$BUILD"
