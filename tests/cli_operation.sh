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

# The init of one broadcast, dimension or transposition, and the call of another: ROLE's lines of both.
rm -f "$dir/elf"/*
# Below TESSERA_TEST_SCALE 100 every twelfth one runs; make test-all has all.
variants=0
variant() { # NAME LANGUAGE INIT CALL WORDS: what the finding says; "": none
  variants=$((variants + 1))
  [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || [ $((variants % 12)) -eq 2 ] || [ "$variants" -eq 18 ] || return
  rm -rf "$dir/case" && cp -rp tests/bugs/users/choose "$dir/case" && sed -i '/^expect/d' "$dir/case/kernel.chip" && rm "$dir/case/compute.c"
  {
    echo '#ifdef __cplusplus'
    echo '#include "api/compute/bcast.h"'
    echo '#include "api/compute/reduce.h"'
    echo '#include "api/compute/transpose_wh.h"'
    echo '#include "api/compute/eltwise_binary.h"'
    echo '#define FIRST_ARG get_arg_val<uint32_t>(0)'
    echo '#else'
    echo '#include "compute.h"'
    echo '#define FIRST_ARG get_arg_val(0)'
    echo '#endif'
    echo 'void kernel_main(void) {'
    echo "  binary_op_init(0, 1, 16);"
    echo "  $3;"
    echo '  for (uint32_t i = 0; i < FIRST_ARG; i++) {'
    echo '    cb_wait_front(0, 1); cb_wait_front(1, 1); tile_regs_acquire();'
    echo "    $4;"
    echo '    tile_regs_commit(); cb_pop_front(0, 1); cb_pop_front(1, 1); tile_regs_wait(); cb_reserve_back(16, 1); pack_tile(0, 16);'
    echo '    tile_regs_release(); cb_push_back(16, 1);'
    echo '  }'
    echo '}'
  } > "$dir/case/compute.$2"
  "$BUILD/tessera" kernel run "$dir/case" --build "$dir/variant" > "$dir/out" 2> "$dir/err" # reader and writer are compiled once
  code=$?
  if [ -z "$5" ]; then test $code = 0 && ! grep -q 'error: ' "$dir/out"
  else
    test $code = 5 && grep -q "compute.$2:16 (kernel_main, in [a-z_<>A-Z:(), 0-9]*): error: .*: $5 .*OPERATION_MISMATCH" "$dir/out" &&
      grep -A1 OPERATION_MISMATCH "$dir/out" | grep -q "other side: compute.$2:13 (kernel_main, in "
  fi
  result=$?
  [ $result = 0 ] || sed 's/^/# /' "$dir/out" "$dir/err" | grep -E 'error|other|warn|stopped' | head -5
  check "$1" $result
}
variant "a sum with its broadcast is quiet" c 'add_tiles_bcast_init(BROADCAST_ROW)' 'add_tiles_bcast(0, 1, 0, 0, 0)' ''
variant "a broadcast without its init" c 'add_tiles_init()' 'add_tiles_bcast(0, 1, 0, 0, 0)' 'add_tiles_bcast is called and ELWADD without broadcast runs'
variant "a sum with the init of a broadcast" c 'add_tiles_bcast_init(BROADCAST_COL)' 'add_tiles(0, 1, 0, 0, 0)' "add_tiles is called and ELWADD with a column's broadcast runs"
variant "rows and their init are quiet" cpp 'mul_bcast_rows_init_short(0, 1)' 'mul_tiles_bcast_rows(0, 1, 0, 0, 0)' ''
variant "rows with the init of columns" cpp 'mul_bcast_cols_init_short(0, 1)' 'mul_tiles_bcast_rows(0, 1, 0, 0, 0)' "mul_tiles_bcast_rows is called and ELWMUL with a column's broadcast runs"
variant "the form with a template argument is quiet" cpp 'sub_bcast_cols_init_short(0, 1)' 'sub_tiles_bcast<BroadcastType::COL>(0, 1, 0, 0, 0)' ''
variant "and not with the init of a number" cpp 'sub_tiles_bcast_scalar_init_short(0, 1)' 'sub_tiles_bcast<BroadcastType::COL>(0, 1, 0, 0, 0)' "sub_tiles_bcast.* is called and ELWSUB with a number's broadcast runs"
variant "another operation with the right broadcast" cpp 'add_bcast_cols_init_short(0, 1)' 'sub_tiles_bcast_cols(0, 1, 0, 0, 0)' 'sub_tiles_bcast_cols is called and ELWADD runs'
variant "a reduction with its init is quiet" cpp 'reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16)' 'reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0)' ''
variant "a reduction of rows with the init of columns" cpp 'reduce_init<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 16)' 'reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0)' 'reduce_tile is called and GAPOOL along columns (REDUCE_COL) runs'
variant "a reduction of columns with the init of one number" cpp 'reduce_init<PoolType::SUM, ReduceDim::REDUCE_SCALAR>(0, 1, 16)' 'reduce_tile<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0)' 'reduce_tile is called and GAPOOL to one number (REDUCE_SCALAR) runs'
variant "a maximum with the init of a sum" cpp 'reduce_init<PoolType::SUM, ReduceDim::REDUCE_COL>(0, 1, 16)' 'reduce_tile<PoolType::MAX, ReduceDim::REDUCE_COL>(0, 1, 0, 0, 0)' 'reduce_tile is called and GAPOOL runs'
variant "calls in branches keep their names" cpp 'if (FIRST_ARG & 1) mul_bcast_rows_init_short(0, 1); else mul_bcast_cols_init_short(0, 1)' 'if (FIRST_ARG & 1) mul_tiles_bcast_rows(0, 1, 0, 0, 0); else mul_tiles_bcast<BroadcastType::COL>(0, 1, 0, 0, 0)' ''
variant "a transposition and a copy in branches too" cpp 'if (FIRST_ARG & 1) transpose_wh_init_short(0); else copy_tile_init(0)' 'if (FIRST_ARG & 1) transpose_wh_tile(0, 0, 0); else copy_tile(0, 0, 0)' ''
variant "a transposition with its init is quiet" cpp 'transpose_wh_init_short(0)' 'transpose_wh_tile(0, 0, 0)' ''
variant "a transposition with the init of a copy" cpp 'copy_tile_init(0)' 'transpose_wh_tile(0, 0, 0)' 'transpose_wh_tile is called and unpacker 0 does not transpose'
variant "a reduction of rows that is finished is quiet" c 'reduce_init(POOL_SUM, REDUCE_ROW, 0, 1)' 'reduce_tile(0, 1, 0, 0, 0); reduce_row_done(0)' ''
variant "one that a later tile continues too" c 'reduce_init(POOL_SUM, REDUCE_ROW, 0, 1)' 'if (i) { copy_tile_init(0); copy_tile(0, 0, 0); } else reduce_tile(0, 1, 0, 0, 0)' ''
sed -i 's/if (i) { .* } else //' "$dir/case/compute.c"
"$BUILD/tessera" kernel run "$dir/case" > "$dir/out" 2> "$dir/err"
test $? = 5 && grep -q 'compute.c:16 (kernel_main, in reduce_onto): error: .*REDUCE_UNFINISHED' "$dir/out" &&
  grep -A1 REDUCE_UNFINISHED "$dir/out" | grep -q 'other side: compute.c:17 (kernel_main, in tile_regs_commit'
check "one that nothing finishes, with the line of the commit" $?
# The unpacker's formats are set in a function of the library that is not inlined: the other side is the kernel's call of it.
rm -rf "$dir/case" && cp -r tests/bugs/users/choose "$dir/case" && sed -i '/^expect/d; s/^buffer 1 .*/buffer 1 2 fp32/; s/^tensor B \([^ ]*\) bf16/tensor B \1 fp32/' "$dir/case/kernel.chip"
sed -i 's/binary_op_init(CB_A, CB_B, CB_C)/binary_op_init(CB_A, CB_A, CB_C)/' "$dir/case/compute.c"
"$BUILD/tessera" kernel run "$dir/case" > "$dir/out" 2> "$dir/err"
test $? = 5 && grep -A1 'CB 1 holds FP32, unpacker 1 is set to BF16.*FORMAT_MISMATCH' "$dir/out" | grep -q 'other side: compute.c:[0-9]* (kernel_main, in binary_op_init)'
check "a wrong format names the line of the init" $?
REUSE='EltwiseBinaryReuseDestType::DEST_TO_SRCA'
variant "a product with a tile of Dst after the init of a sum" cpp 'add_tiles_init(0, 1)' "binary_dest_reuse_tiles<ELWMUL, $REUSE>(0, 0, 0)" 'binary_dest_reuse_tiles is called and ELWADD runs'
variant "a product with a tile of Dst" cpp "binary_dest_reuse_tiles_init<ELWMUL, $REUSE>(0)" "binary_dest_reuse_tiles<ELWMUL, $REUSE>(0, 0, 0)" ''
echo "1..$number"
