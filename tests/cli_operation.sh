# Checker e against the operation that a kernel calls and the tensors that it takes: both sides and their lines. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
if ! command -v riscv64-unknown-elf-gcc > /dev/null; then
  echo "1..0 # SKIP no riscv64-unknown-elf-gcc"
  exit 0
fi
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}
run() { "$BUILD/tessera" kernel run tests/bugs/users/choose --build "$dir/elf" "$@" > "$dir/out" 2> "$dir/err"; }

echo "1..12"
for operation in 0 1 2; do
  run --check all --arg compute.1=$operation --arg compute.2=$operation
  check "operation $operation with its own initialisation is quiet" $?
done
run --no-build --arg compute.1=2 --arg compute.2=0
test $? = 5
check "a product with the initialisation of a sum: exit code 5" $?
grep -q 'compute.c:[0-9]* ([a-z_]*, in mul_tiles): error: .*mul_tiles is called and ELWADD runs.*OPERATION_MISMATCH' "$dir/out"
check "its finding has the line of the call" $?
grep -q 'other side: compute.c:[0-9]* ([a-z_]*, in add_tiles_init)' "$dir/out"
check "and the line of the initialisation" $?
run --no-build --cb 1=2:fp32
test $? = 5
check "a tensor of BF16 in a buffer of FP32: exit code 5" $?
grep -q 'compute.c:[0-9]* ([a-z_]*, in [a-z]*_tiles): error: .*tensor B is BF16, but CB 1 and unpacker 1 read it as FP32.*TENSOR_FORMAT' "$dir/out"
check "its finding has the line of the operation" $?
grep -q 'other side: reader.c:[0-9]* (kernel_main, in noc_async_read)' "$dir/out"
check "and the line of the read" $?
run --no-build --cb 16=2:bfp8
grep -q 'writer.c:[0-9]* (kernel_main, in noc_async_write): error: .*tensor C is BF16, the packer made BFP8 for CB 16.*TENSOR_FORMAT' "$dir/out"
check "pages that are packed as BFP8 and written to a tensor of BF16" $?
grep -q 'other side: compute.c:[0-9]* (kernel_main, in pack_tile)' "$dir/out"
check "with the line of the packer" $?
cp -r tests/bugs/users/choose "$dir/ints" && sed -i 's/^tensor A .*/tensor A fill:64x64:3 int32 tiles dram/; s/^buffer 0 .*/buffer 0 2 bf16/; /^expect/d' "$dir/ints/kernel.chip"
"$BUILD/tessera" kernel run "$dir/ints" --build "$dir/elf" > "$dir/out" 2> "$dir/err"
test $? = 5 && grep -q 'tensor A is INT32, but CB 0 and unpacker 0 read it as BF16.*TENSOR_FORMAT' "$dir/out"
check "a tensor of INT32 in a buffer of BF16: exit code 5" $?
