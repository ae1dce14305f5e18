# Mistakes in a kernel's calls: one line with the place in the user's source, a check of the library, a finding or the sentence of a hang. The template of
# `tessera kernel new` is changed in one place each. Below TESSERA_TEST_SCALE 100 every fortieth runs. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$(pwd)/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
command -v riscv64-unknown-elf-gcc > /dev/null || { echo "1..0 # SKIP no riscv64-unknown-elf-gcc"; exit 0; }
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1
"$T" kernel new mine > /dev/null
cp -r mine original
step=40
[ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || step=1
number=0
seen=0
failures=0

mistake() { # NAME FILE SED EXIT LINE: the change to FILE ends the run with this exit code, and a line of the report is this pattern
  seen=$((seen + 1))
  [ $((seen % step)) = 0 ] || return 0
  number=$((number + 1))
  cp original/* mine/
  sed -i "$3" "mine/$2"
  "$T" kernel run mine > log 2>&1
  code=$?
  if [ $code = "$4" ] && ! cmp -s "mine/$2" "original/$2" && grep -q "$5" log; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    failures=1
    { echo "exit code $code, expected $4: $5"; head -4 log; } | sed 's/^/# /'
  fi
}
stop() { mistake "$1" compute.c "$2" 3 "^tessera kernel: compute.c:[0-9]*: TRISC$3 stopped: $4"; }

without_acquire='tile_regs_acquire is missing: it precedes what writes Dst, again after each tile_regs_commit$'
without_wait='tile_regs_wait is missing: it precedes what reads Dst, again after each tile_regs_release$'
stop 'no init of the formats' '/binary_op_init/d' 1 'no init has set the formats of the inputs: call binary_op_init, unary_op_init or mm_init first$'
stop 'no init of the operation' '/add_tiles_init/d' 1 'add, sub, mul or a broadcast without its init: call add_tiles_init, .* before it, again after another init$'
stop 'no init of the output' 's/binary_op_init(CB_A, CB_B, CB_C)/compute_reconfigure_inputs(CB_A, CB_B, 0)/' 2 'no init has named an output buffer: call binary_op_init'
stop 'no tile_regs_acquire' '/tile_regs_acquire/d' 1 "$without_acquire"
stop 'no tile_regs_wait' '/tile_regs_wait/d' 2 "$without_wait"
stop 'the init after the operation' '/add_tiles_init/d; s/    cb_pop_front(CB_A, 1);/&add_tiles_init();/' 1 'add, sub, mul or a broadcast without its init'
stop 'matmul after the init of add' 's/add_tiles(/matmul_tiles(/' 1 'matmul without its init: call mm_init, mm_block_init or a short form before it, again after another init$'
stop 'a copy after the init of add' 's/add_tiles(CB_A, CB_B, 0, 0, 0)/copy_tile(CB_A, 0, 0)/' 1 'a copy or transpose without its init: call copy_tile_init or transpose_wh_init before it'
stop 'a reduction after the init of add' 's/add_tiles(/reduce_tile(/' 1 'reduce without its init: call reduce_init before it'
stop 'tilize after the init of add' 's/add_tiles(CB_A, CB_B, 0, 0, 0)/tilize_tile(CB_A, 0, 0)/' 1 'tilize or untilize without its init: call tilize_init or untilize_init before it'
stop 'the vector unit before tile_regs_acquire' 's/    tile_regs_acquire();/    exp_tile(0);&/' 1 "$without_acquire"
stop 'the vector unit after tile_regs_commit' 's/    pack_tile(0, CB_C);/&exp_tile(0);/' 1 "$without_acquire"
stop 'packing before tile_regs_wait' '/tile_regs_wait/d; s/    pack_tile(0, CB_C);/&tile_regs_wait();/' 2 "$without_wait"
stop 'packing after tile_regs_release' '/tile_regs_release/d; s/    pack_tile/    tile_regs_release();pack_tile/' 2 "$without_wait"
stop 'a function of the pack core before tile_regs_wait' 's/    tile_regs_wait();/    exp_tile_pack(0);&/' 2 "$without_wait"
mistake 'an operand larger than its field' compute.c 's/^void kernel_main(void) {/&TTI_SETC16(2, 0x10000);/' 2 '^tessera kernel: compute.c does not build: mine/compute.c:[0-9]*:[0-9]*: error: .*operand does not fit its field'
past_front='tile index %s is past the end of its circular buffer: it counts from the front page and stays below the number of pages that cb_wait_front waits for$'
past_back='page 2 after the write pointer is past the end of the circular buffer: it stays below the number of pages that cb_reserve_back reserves$'
past() { stop "tile index $1 of $2" "s/add_tiles(CB_A, CB_B, 0, 0, 0)/$2/" 0 "$(printf "$past_front" "$1")"; }
past 2 'add_tiles(CB_A, CB_B, 2, 0, 0)'
past 5 'add_tiles(CB_A, CB_B, 0, 5, 0)'
past 2 'matmul_tiles(CB_A, CB_B, 0, 2, 0)'
past 2 'matmul_block(CB_A, CB_B, 2, 0, 0, 1, 1, 1)'
past 3 'copy_tile(CB_A, 3, 0)'
past 2 'transpose_wh_tile(CB_A, i * 2, 0)'
past 2 'reduce_tile(CB_A, CB_B, 0, 2, 0)'
past 2 'tilize_tile(CB_A, 2, 0)'
past 2 'untilize_tile(CB_A, 2, 0, 1)'
past 4294967295 'copy_bcast_tile(CB_A, -1, 0)'
past 2 'eltwise_reuse_tile(ELWADD_TYPE, 0, CB_A, 2, 0)'
stop 'a page to pack past the end' 's/pack_tile(0, CB_C)/pack_tile_at(0, CB_C, 2)/' 2 "$past_back"
mistake 'a buffer that no tile has' compute.c 's/add_tiles(CB_A, CB_B/add_tiles(CB_A, 33/' 3 "compute.c:14: TRISC0 uses circular buffer 33: circular buffers have the numbers 0 to 31"
mistake 'a buffer that the description lacks' compute.c 's/add_tiles(CB_A, CB_B/add_tiles(CB_A, 5/' 3 "compute.c:14: TRISC0 uses circular buffer 5, which mine/kernel.chip does not have: add 'buffer 5 PAGES FORMAT'"
mistake 'another operation than that of the init' compute.c 's/add_tiles_init/mul_tiles_init/' 1 'compute.c:14 .*: error: .*add_tiles is called and ELWMUL runs'
mistake 'another tile than that of the operation' compute.c 's/pack_tile(0,/pack_tile(1,/' 1 'compute.c:20 .*: error: the packer reads a tile of Dst that no instruction has written'
mistake 'no tile_regs_commit' compute.c '/tile_regs_commit/d' 4 '^hang after .*MATH_PACK): never posted: TRISC1 has not called tile_regs_commit; compute.c:17 (thread 2 (pack), in tile_regs_wait)'
mistake 'no tile_regs_release' compute.c '/tile_regs_release/d' 4 '^hang after .*MATH_PACK): never taken: TRISC2 has not called tile_regs_release; compute.c:11 (thread 1 (math), in tile_regs_acquire)'
mistake 'no cb_pop_front' compute.c '/cb_pop_front(CB_A/d' 4 '^hang after .*: CB 0 is full (2 pages): .*TRISC0 waited for them at compute.c:12 and popped none; reader.c:9 (NCRISC)'
mistake 'no cb_push_back' compute.c '/cb_push_back/d' 4 '^hang after .*: CB 16: TRISC2 packed 8 pages and pushed none; writer.c:9 (BRISC)'
mistake 'no cb_push_back of the reader' reader.c '/cb_push_back(CB_B/d' 4 '^hang after .*: CB 1: NCRISC reserved a page at reader.c:10, filled it and pushed none'
mistake 'no cb_reserve_back' compute.c '/cb_reserve_back/d' 5 'compute.c:19 .*: error: .*no cb_reserve_back, or no wait before the pop'
mistake 'no barrier after reads' reader.c '/noc_async_read_barrier/d' 1 'compute.c:14 .*: error: .*in flight'
mistake 'no barrier before the pop' writer.c '/noc_async_write_barrier/d' 5 'compute.c:20 .*: error: .*no cb_reserve_back, or no wait before the pop'
mistake 'fewer pages than the kernel takes' reader.c 's/i < tiles/i + 1 < tiles/' 4 '^hang after .*: CB 0: NCRISC pushed 7 pages, the last at reader.c:14, and has returned; compute.c:12'
mistake 'more pages than the kernel takes' reader.c 's/i < tiles/i < tiles + 1/; s/read_page(i,/read_page(i % tiles,/' 0 'reader.c:14 .*: note: pages were pushed and never popped: CB 0: 1 page'
outside="error: a NoC request accesses DRAM that no tensor of the description has:"
mistake 'a page far beyond the tensor' writer.c 's/write_page(i,/write_page(i + 4000000,/' 1 "^writer.c:10 .*: $outside write of 2048 bytes at 0x[0-9a-f]* of controller 0, 0x[0-9a-f]* after the end of tensor C \[BRISC"
mistake 'the page after the last' writer.c 's/write_page(i,/write_page(i + 1,/' 1 "^writer.c:10 .*: $outside write of 2048 bytes at 0x[0-9a-f]* of controller 0, directly after the end of tensor C \[BRISC.* 1 time;"
mistake 'a page between two tensors' reader.c 's/read_page(i, &b/read_page(i + 8, \&b/' 1 "^reader.c:12 .*: $outside read of 2048 bytes at 0x[0-9a-f]* of controller 0, directly after the end of tensor B, 0x10000 before tensor C \[NCRISC"
mistake 'a page that is too long' writer.c 's/get_tile_size(CB_C)}/3072}/' 5 "^writer.c:10 .*: $outside write of 3072 bytes at 0x[0-9a-f]* of controller [0-7], 1024 of them after the end of tensor C \[BRISC"
mistake 'an address before all tensors' writer.c 's/{get_arg_val(0), /{get_arg_val(0) \& 0xffff, /' 1 "^writer.c:10 .*: $outside write of 2048 bytes at 0x[0-9a-f]* of controller 0, 0x[0-9a-f]* before tensor A \[BRISC"
over='error: a write overwrites the program of a core: .* lies in the program of TRISC1'
mistake 'stores over the program of another core' reader.c 's/^  for (/  for (uint32_t k = 0; k < 1024; k += 4) tt_store(0x14000 + k, 0x457);\n&/' 3 '^tessera kernel: .*TRISC1 stopped: TRISC1: illegal instruction 0x00000457 at .*; its program was overwritten by NCRISC at .*(reader.c:8, in tt_store)$'
mistake 'the finding about it' reader.c 's/^  for (/  for (uint32_t k = 0; k < 1024; k += 4) tt_store(0x14000 + k, 0x457);\n&/' 3 "^reader.c:8 .*: $over"
mistake 'a stack larger than local RAM' reader.c 's/^  for (/  volatile uint32_t large[4096];\n  large[0] = 1;\n&/' 3 '^tessera kernel: .*(reader.c:9): NCRISC stopped: NCRISC: store of 4 bytes to 0xffaf[0-9a-f]*: the stack has left .*local data RAM (0xffb00000\.\.0xffb01fff), sp is 0xffaf'
mistake 'the finding about the stack' reader.c 's/^  for (/  volatile uint32_t large[4096];\n  large[0] = 1;\n&/' 3 '^reader.c:[0-9]* .*: error: the stack of a core goes below the end of its data: NCRISC: .*STACK_OVERFLOW'
mistake 'no fence between a store and the NoC write of the same core' writer.c 's/^    noc_async_write_page/    tt_store(get_read_ptr(CB_C), 0);\n&/' 1 '^writer.c:11 .*: error: .*CB 16, page 0 is read by a NoC write, and a store of BRISC may not have arrived: no load back of it before'
mistake 'findings on many tiles' kernel.chip 's/^grid .*/grid 1-4,2-5/' 5 '^[1-9][0-9]* more findings on [0-9]* tiles: --verbose lists them, --json FILE has them all$'
sem='get_semaphore(0)'
cp original/* mine/
sed -i "s/^  for (/  noc_semaphore_set($sem, 6);\n  noc_semaphore_wait($sem, 3);\n&/" mine/reader.c
sed -i "s/^}/  noc_semaphore_inc(get_noc_addr(my_x, my_y, $sem), 3);\n&/" mine/writer.c
"$T" kernel run mine > log 2>&1
number=$((number + 1))
if { grep -q '^hang after .*(now 0x6, past it) to become 0x3' log && ! grep -q 'missing' log; }; then echo "ok $number - a semaphore that is past its value: nothing is missing"; else
  echo "not ok $number - a semaphore that is past its value: nothing is missing"
  failures=1
  head -4 log | sed 's/^/# /'
fi

# The same in C++: the library's function has a name with template arguments that are longer than the place for it.
cp original/* mine/
rm mine/writer.c
cat > mine/writer.cpp << 'END'
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto c = TensorAccessor(args, get_arg_val<uint32_t>(0), get_tile_size(16));
  for (uint32_t i = 0; i < get_arg_val<uint32_t>(1); i++) {
    cb_wait_front(16, 1);
    noc_async_write_page(i + 1, c, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
END
echo 'compile writer accessor:C' >> mine/kernel.chip
"$T" kernel run mine > log 2>&1
number=$((number + 1))
if grep -q "^writer.cpp:6 (kernel_main, in noc_async_write_page): $outside .*directly after the end of tensor C" log; then echo "ok $number - a page too far by a TensorAccessor"; else
  echo "not ok $number - a page too far by a TensorAccessor"
  failures=1
  head -4 log | sed 's/^/# /'
fi

rm mine/compute.c mine/writer.cpp
cp original/kernel.chip original/writer.c mine/

# What the vendor's library needs and this one does not: inits of the vector unit, formats that an init leaves. And a copy that a transpose's init
# has turned, a type that is not that of the tile. The calls of the second list are correct.
vendors() { # NAME EXIT LINE FORMATS INITS CALLS: a kernel of buffers 0 and 1 with these formats, whose calls on tile 0 follow a copy to tile 0
  seen=$((seen + 1))
  [ $((seen % 8)) = 0 ] || [ $step = 1 ] || return 0
  number=$((number + 1))
  set -- "$1" "$2" "$3" "${4%-*}" "${4#*-}" "$5" "$6"
  printf 'void kernel_main() {\n  %s\n  %s\n  for (uint32_t i = 0; i < 8; i++) {\n    cb_wait_front(0, 1);\n    cb_wait_front(1, 1);\n    tile_regs_acquire();\n    %s\n    tile_regs_commit();\n    tile_regs_wait();\n    cb_reserve_back(16, 1);\n    pack_tile(0, 16);\n    cb_push_back(16, 1);\n    tile_regs_release();\n    cb_pop_front(0, 1);\n    cb_pop_front(1, 1);\n  }\n}\n' "$start" "$6" "$7" > mine/compute.cpp
  sed "s/^tensor A random:64x128:1 bf16/tensor A zero:64x128 $4/; s/^tensor B random:64x128:2 bf16/tensor B zero:64x128 $5/; s/^tensor C zero:64x128     bf16/tensor C zero:64x128 $4/; /^expect/d" original/kernel.chip > mine/kernel.chip
  "$T" kernel run mine > log 2>&1
  code=$?
  if [ $code = "$2" ] && grep -q "$3" log; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    failures=1
    { echo "exit code $code, expected $2: $3"; head -4 log; } | sed 's/^/# /'
  fi
}
refused() { vendors "$1" 3 "^tessera kernel: compute.cpp:8: TRISC$2 stopped: $3\$" "$4" "$5" "$6"; }
quiet() { vendors "$1: no message" 0 '^done after ' "$2" "$3" "$4"; }
take='copy_tile(0, 0, 0);'
start='init_sfpu(0, 16);'
take2='copy_tile(0, 0, 0); copy_tile(1, 0, 1);'
formats='the buffer has another data format than the unpacker, and this init leaves it: call reconfig_data_format before, or an init that ends in _with_dt'
refused 'exp_tile without its init' 1 'exp_tile without its init: call exp_tile_init before it' bf16-bf16 '' "$take exp_tile(0);"
refused 'recip_tile with the init of exp_tile' 1 'recip_tile without its init: call recip_tile_init before it' bf16-bf16 'exp_tile_init();' "$take exp_tile(0); recip_tile(0);"
refused 'exp_tile with a mode, without its init' 1 'exp_tile without its init: call exp_tile_init before it' bf16-bf16 'relu_tile_init();' "$take exp_tile<true>(0, VectorMode::C);"
refused 'a function without any init of the vector unit' 1 'floor_tile without its init: call rounding_op_tile_init before it' bf16-bf16 '' "$take floor_tile(0);"
refused 'where_tile without its init' 1 'where_float_tile without its init: call where_tile_init before it' bf16-bf16 'relu_tile_init();' "$take2 where_tile<DataFormat::Float16_b>(0, 1, 1, 0);"
refused 'the init of the math core for the pack core' 2 'exp_tile_pack without its init: call exp_tile_init before it' bf16-bf16 'exp_tile_init();' "$take tile_regs_commit(); tile_regs_wait(); exp_tile_pack(0);"
refused 'cumsum_tile without its init' 1 'cumsum_tile without its init: call cumsum_tile_init before it' bf16-bf16 '' "$take cumsum_tile(0);"
refused 'typecast_tile with the init of other formats' 1 'typecast_tile without its init: call typecast_tile_init of the same two formats before it' fp32-fp32 'typecast_tile_init<0, 5>();' "$take typecast_tile<5, 0>(0);"
refused 'a copy after the init of a transpose' 0 'copy_tile after the init of a transpose: call copy_tile_init or copy_tile_to_dst_init_short before it' bf16-bf16 'transpose_wh_init_short(0);' "$take"
vendors 'a copy after a reduction without reduce_uninit' 3 \
  '^tessera kernel: compute.cpp:9: TRISC1 stopped: reduce_uninit is missing: the packer still masks what a reduction leaves out, and this part of Dst has none$' bf16-bf16 '' \
  "reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16); reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0); tile_regs_commit(); tile_regs_wait(); tile_regs_release(); tile_regs_acquire(); copy_tile_to_dst_init_short(0); $take"
start=
refused 'a sum of a kernel that nothing has started' 0 'no init has set the formats of the inputs: call compute_kernel_hw_startup, .*' fp32-fp32 '' "add_tiles_init(0, 1); add_tiles(0, 1, 0, 0, 0);"
start='init_sfpu(0, 16);'
refused 'a copy of another format' 0 "$formats" bf16-fp32 '' "copy_tile_to_dst_init_short(1); copy_tile(1, 0, 0);"
refused 'a sum of other formats' 0 "$formats" bf16-bfp8 '' "add_tiles_init(0, 1); add_tiles(0, 1, 0, 0, 0);"
refused 'Int32 of UINT16' 1 "tile 0 of Dst holds UINT16, and the function's template argument is another type: give that type, or typecast_tile before" uint16-uint16 'add_int_tile_init();' "$take2 add_int_tile<DataFormat::Int32>(0, 1, 0);"
refused 'UInt16 of INT32' 1 "tile 0 of Dst holds integers of 32 bits, and .*" int32-int32 'lt_int_tile_init();' "$take2 lt_int_tile<DataFormat::UInt16>(0, 1, 0);"
refused 'Int32 of floats' 1 "tile 1 of Dst holds floats, and .*" int32-fp32 'sub_int_tile_init();' "$take copy_tile_to_dst_init_short_with_dt(0, 1); copy_tile(1, 0, 1); sub_int_tile<DataFormat::Int32>(0, 1, 0); copy_tile_to_dst_init_short_with_dt(1, 0);"
quiet 'inits once, other inits between' bf16-bf16 'exp_tile_init(); recip_tile_init(); reconfig_data_format(0, 1); copy_tile_to_dst_init_short(0);' "$take exp_tile(0); add_unary_tile(0, 0x3f800000); recip_tile<false>(0); relu_tile(0);"
quiet 'an init inside a condition' bf16-bf16 'for (uint32_t j = 0; j < 2; j++) if (j == get_arg_val<uint32_t>(0) / 8) gelu_tile_init<true>();' "$take gelu_tile<true>(0);"
quiet 'a reduction that is used in Dst' bf16-bf16 'recip_tile_init();' "reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16); reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0); recip_tile(0); copy_tile_to_dst_init_short(0); copy_tile(0, 0, 1);"
quiet 'a copy after reduce_uninit' bf16-bf16 '' "reduce_init<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 16); reduce_tile<PoolType::SUM, ReduceDim::REDUCE_ROW>(0, 1, 0, 0, 0); tile_regs_commit(); tile_regs_wait(); tile_regs_release(); reduce_uninit(); tile_regs_acquire(); copy_tile_to_dst_init_short(0); $take"
quiet 'a copy with the transposing short init' bf16-bf16 'copy_tile_to_dst_init_short(0, 1);' "$take"
quiet 'formats set before and after the init' bf16-fp32 '' "reconfig_data_format_srca(1); copy_tile_to_dst_init_short(1); copy_tile(1, 0, 0); copy_tile_to_dst_init_short(0); reconfig_data_format_srca(1, 0); copy_tile(0, 0, 0);"
quiet 'a copy with _with_dt' bf16-bfp8 '' "copy_tile_to_dst_init_short_with_dt(0, 1); copy_tile(1, 0, 0); copy_tile_to_dst_init_short_with_dt(1, 0); copy_tile(0, 0, 0);"
quiet 'UInt16 of UINT16' uint16-uint16 'add_int_tile_init();' "$take2 add_int_tile<DataFormat::UInt16>(0, 1, 0);"
quiet 'Int32 of INT32' int32-int32 'mul_int_tile_init<DataFormat::Int32>(); typecast_tile_init<8, 8>();' "$take2 mul_int_tile<DataFormat::Int32>(0, 1, 0); typecast_tile<8, 8>(0);"

# The compiler takes the < of a call with template arguments, if the function is no template, as a comparison.
for call in 'add_tiles<true>(0, 1, 0, 0, 0)' 'cb_wait_front<1>(0)' 'copy_tile_init<1>(0)'; do
  number=$((number + 1))
  printf 'void kernel_main() {\n  %s;\n}\n' "$call" > mine/compute.cpp
  "$T" kernel build mine > log 2>&1
  if [ $? = 2 ] && grep -q "^tessera kernel: compute.cpp does not build: mine/compute.cpp:2:[0-9]*: error: ${call%%<*} is a function without template arguments: call it without <...> (all of it: " log; then echo "ok $number - template arguments of ${call%%<*}"; else
    echo "not ok $number - template arguments of ${call%%<*}"
    failures=1
    head -4 log | sed 's/^/# /'
  fi
done

# DPRINT's holes are checked by the compiler.
printed() { # NAME DPRINT TEXT
  seen=$((seen + 1))
  [ $((seen % 8)) = 0 ] || [ $step = 1 ] || return 0
  number=$((number + 1))
  printf 'void kernel_main() {\n  %s;\n}\n' "$2" > mine/compute.cpp
  "$T" kernel build mine > log 2>&1
  code=$?
  if [ $code = 2 ] && [ "$(wc -l < log)" = 1 ] && grep -q "^tessera kernel: compute.cpp does not build: mine/compute.cpp:2:[0-9]*: error: static assertion failed: DPRINT: $3 (all of it: " log; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    failures=1
    { echo "exit code $code"; head -4 log; } | sed 's/^/# /'
  fi
}
printed 'DPRINT with too few values' 'DPRINT("{} {}", 1)' 'the number of holes {} is not the number of values'
printed 'DPRINT with too many values' 'DPRINT("{}", 1, 2)' 'the number of holes {} is not the number of values'
printed 'DPRINT with an index too high' 'DPRINT("{0} {2}", 1, 2)' 'the number of a hole is not below the number of values'
printed 'DPRINT with an unused value' 'DPRINT("{0} {0}", 1, 2)' 'a value is in no hole'
printed 'DPRINT with {} and {0}' 'DPRINT("{} {1}", 1, 2)' 'holes with and without numbers, as {} and {0}, in one text'
printed 'DPRINT with a hole that is none' 'DPRINT("{x}", 1)' 'a { begins no hole such as {}, {0} or {:8.3f}; {{ is a brace'
printed 'DPRINT with the type of another value' 'DPRINT("{:.2f}", 1)' 'the letter of a hole does not suit its value, as {:f} and an integer'
printed 'DPRINT with a precision too high' 'DPRINT("{:.99f}", 1.0f)' 'a width above 255 or a precision above 60'

# Every pop takes a page that is not known to be there: the second finding had 65535 pages.
cp -r original pops
sed -i '/cb_wait_front/d' pops/writer.c
"$T" kernel run pops > log 2>&1
number=$((number + 1))
if [ "$(grep -c '1 page popped, but only 0 are known to be present' log)" -ge 2 ] && ! grep -q 'only 6553' log; then echo "ok $number - pops without a wait are counted from 0"; else
  echo "not ok $number - pops without a wait are counted from 0"
  failures=1
fi
echo "1..$number"
exit $failures
