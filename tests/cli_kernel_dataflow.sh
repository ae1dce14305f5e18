# The dataflow API in C++ (tests/kernels/api_noc_run.cpp) on a row of four tiles: requests with state and transaction numbers, objects,
# sharded tensors, multicasts and semaphores; then wrong use. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
top=$(pwd)
T=$top/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0
failures=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else
    echo "not ok $number - $1"
    failures=1
    sed 's/^/# /' "$dir/log" | tail -4
  fi
}

# Contents of each tile's row of E: the vector, the inline words, the semaphores, the arguments.
python3 - "$dir" << 'PY'
import struct, sys
def row(column):
    others = column > 0
    r = [100, 101, 102, 103, 4711 if column == 1 else 0, 815 if others else 0, 5 if others else 0, 1, 1234, column, 0]
    return r + [1 + (1 if column == 2 else 0)] + [0] * 4
rows = [row(c) for c in range(4)]
head = "{'descr': '<i4', 'fortran_order': False, 'shape': (4, 16), }"
head += " " * (117 - len(head)) + "\n"
with open(sys.argv[1] + "/rows.npy", "wb") as f:
    f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack("<16i", *r) for r in rows))
PY
cp "$top/tests/kernels/api_noc_run.cpp" "$dir/reader.cpp"
cat > "$dir/kernel.chip" << 'E2'
grid 3-6,4
tensor A random:64x128:1 bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
tensor S random:64x128:2 bf16 tiles 3-6,4 0x40000
tensor D zero:64x128 bf16 tiles dram
tensor T zero:64x128 bf16 tiles 3-6,4 0x50000
tensor E zero:4x16 int32 rows dram
tensor U zero:32x32 bf16 tiles dram:3
tensor Z zero:64x128 bf16 tiles dram
buffer 0 8 A
buffer 1 2 A
compile reader accessor:A accessor:C accessor:S accessor:D accessor:E accessor:U 99
define reader NUM=4
args reader col 3 A C S D E T U
args common 1234
expect C sum A Z 0
expect D sum S Z 0
expect T sum S Z 0
expect E rows.npy 0
save U u.npy
save A a.npy
E2
"$T" kernel build "$dir" > "$dir/log" 2>&1
check "build" $?
timings=cycle
[ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || timings="cycle off"
for timing in $timings; do
  "$T" kernel run "$dir" --no-build --timing $timing > "$dir/log" 2>&1
  check "every call, timing $timing" $?
  for tensor in C D T E; do
    grep -q "^$tensor against .* worst error 0 .*: good" "$dir/log"
    check "$tensor, timing $timing" $?
  done
  python3 - "$dir" << 'PY' >> "$dir/log" 2>&1
import struct, sys
def load(name, columns):
    data = open(f"{sys.argv[1]}/{name}.npy", "rb").read()
    values = struct.unpack(f"<{(len(data) - 128) // 4}f", data[128:])
    return [values[columns * r : columns * r + 32] for r in range(32)]
assert load("a", 128) == load("u", 32)
PY
  check "a page in one DRAM bank, timing $timing" $?
done

refused() { # NAME LINE CODE...: a kernel with this code stops with this line
  name=$1 line=$2
  mkdir "$dir/$name"
  printf 'void kernel_main() { %s }\n' "$3" > "$dir/$name/reader.cpp"
  printf 'grid 3,4\ntensor S zero:64x128 bf16 tiles 3-6,4\nbuffer 0 2 S\ncompile reader accessor:S\nargs reader S\n' > "$dir/$name/kernel.chip"
  "$T" kernel run "$dir/$name" --timing off > "$dir/log" 2>&1
  [ $? = "${4:-3}" ] && grep -qF "$line" "$dir/log"
  check "$name" $?
}
refused page-behind-tensor "TensorAccessor: the page is after the tensor's last" \
  'noc_async_read_page(8, TensorAccessor(TensorAccessorArgs<0>(), get_arg_val<uint32_t>(0)), 0x90000);'
refused long-packet '16385 bytes do not fit into one packet: 16384 at most' 'noc_async_read_one_packet(0, 0x90000, 16385);'
refused transaction 'transaction number 16: the largest is 15' 'noc_async_read_set_trid(16);'
refused assertion 'ASSERT(1 + 1 == 3) does not hold' 'ASSERT(1 + 1 == 3);'
refused wrong-argument 'the first word is not a set of flags' 'TensorAccessorArgs<1> args; (void)args;' 2

# As many arguments as the vendor's host gives: 341, and 1,024 at compile time; all in one piece (get_arg_addr), those of the others as before.
mkdir "$dir/many"
cat > "$dir/many/reader.cpp" << 'CPP'
#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  uint32_t sum = 0, wrong = 0;
  volatile uint32_t *at = (volatile uint32_t *)get_arg_addr(0);
  for (uint32_t i = 0; i < 341; i++) sum += get_arg_val<uint32_t>(i), wrong += at[i] != 1000 + i;
  DPRINT << "reader " << sum << " " << wrong << " " << get_compile_time_arg_val(0) << " " << get_compile_time_arg_val(1023) << ENDL();
}
CPP
echo 'void kernel_main() { DPRINT << "writer " << get_arg_val<uint32_t>(0) << " " << get_arg_val<uint32_t>(31) << ENDL(); }' > "$dir/many/writer.cpp"
echo 'void kernel_main() { MATH(DPRINT << "compute " << get_arg_val<uint32_t>(32) << ENDL();) }' > "$dir/many/compute.cpp"
manifest() { # ARGUMENTS COMPILE
  printf 'tensor A zero:32x32 bf16 tiles dram\nbuffer 0 2 A\nargs reader %s\n' "$(seq -s ' ' 1000 $((999 + $1)))"
  printf 'args writer %s\nargs compute %s\ncompile reader %s\n' "$(seq -s ' ' 7 38)" "$(seq -s ' ' 500 532)" "$(seq -s ' ' 0 $(($2 - 1)))"
}
manifest 341 1024 > "$dir/many/kernel.chip"
"$T" kernel run "$dir/many" > "$dir/log" 2>&1 && grep -qx 'NCRISC: reader 398970 0 0 1023' "$dir/log" && grep -qx 'BRISC: writer 7 38' "$dir/log" && grep -qx 'TRISC1: compute 532' "$dir/log"
check "341 arguments and 1,024 at compile time" $?
manifest 340 1 > "$dir/many/kernel.chip"
sed -i 's/, get_compile_time_arg_val(1023)//; s/ << " " << get_compile_time_arg_val(1023)//' "$dir/many/reader.cpp"
"$T" kernel run "$dir/many" --arg reader.340=1340 > "$dir/log" 2>&1 && grep -q 'NCRISC: reader 398970 0 0' "$dir/log"
check "the last of 341 arguments by --arg" $?
for case in 342/1/'kernel.chip:3: 342 words: a kernel has at most 341 of them: an argument' 341/1025/'kernel.chip:6: 1025 words: a kernel has at most 1024 of them: a compile-time argument'; do
  words=${case##*/} counts=${case%/*}
  manifest "${counts%/*}" "${counts#*/}" > "$dir/many/kernel.chip"
  "$T" kernel run "$dir/many" > "$dir/log" 2>&1
  [ $? = 2 ] && grep -q "$words\$" "$dir/log" && [ "$(wc -l < "$dir/log")" = 1 ]
  check "one line: $words" $?
done
manifest 341 1 > "$dir/many/kernel.chip"
echo 'tensor B zero:32x32 bf16 tiles 1,2 0x17f800' >> "$dir/many/kernel.chip"
"$T" kernel run "$dir/many" > "$dir/log" 2>&1
[ $? = 2 ] && grep -q 'kernel.chip:3: 0x1000 bytes at 0x17f000 of (1, 2) overlap those of line 7' "$dir/log"
check "a tensor where the arguments lie" $?

# A core's stores are in flight at the push: the finding names l1_fence; ASSERT in C.
mkdir "$dir/fence" && cp kernels/template/writer.c "$dir/fence"
cat > "$dir/fence/reader.c" << 'C'
#include "api/debug/assert.h"
#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t t = 0; t < 4; t++) {
    cb_reserve_back(0, 1);
    volatile uint32_t *at = (volatile uint32_t *)get_write_ptr(0);
    for (uint32_t i = 0; i < 512; i++) at[i] = 0x3f803f80;
    cb_push_back(0, 1);
  }
  ASSERT(get_arg_val(0) == 4);
}
C
cat > "$dir/fence/compute.c" << 'C'
#include "compute.h"
void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
  for (uint32_t t = 0; t < 4; t++) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
C
printf 'tensor C zero:64x64 bf16 tiles dram\nbuffer 0 2 C\nbuffer 16 2 C\nargs reader 4\nargs writer C 4\n' > "$dir/fence/kernel.chip"
"$T" kernel run "$dir/fence" > "$dir/log" 2>&1
[ $? = 5 ] && grep -q 'compute.c:8 .*CB 0, page 0 is read by unpacker 0 while NCRISC may still use it: no cb_wait_front, or no load back before the push' "$dir/log" &&
  grep -q 'other side: reader.c:7' "$dir/log"
check "stores of a core before a push: l1_fence" $?
sed -i 's/    cb_push_back/    l1_fence((uint32_t)\&at[511]);\n&/' "$dir/fence/reader.c"
"$T" kernel run "$dir/fence" > "$dir/log" 2>&1
check "with l1_fence there is no finding" $?
"$T" kernel run "$dir/fence" --arg reader.0=3 > "$dir/log" 2>&1
[ $? = 3 ] && grep -q 'reader.c:11: NCRISC stopped: ASSERT(get_arg_val(0) == 4) does not hold' "$dir/log"
check "ASSERT in C" $?

# Paths of the vendor: with what they stand for, or one line.
mkdir "$dir/paths"
cp tests/kernels/api_paths.cpp "$dir/paths/reader.cpp"
printf 'tensor A zero:32x32 bf16 tiles dram\nbuffer 0 3 A\nargs reader 5 6 4000000000\nargs common 9\ncompile reader 11\n' > "$dir/paths/kernel.chip"
"$T" kernel run "$dir/paths" > "$dir/log" 2>&1 && grep -q ': args 6 9 11$' "$dir/log" && grep -q ": division $((4000000000 / 94)) $((4000000000 % 12)) $((12000000000 % 4294967296))$" "$dir/log" &&
  grep -q ': buffer 3 2048$' "$dir/log"
check "kernel_args.h, mod_div_lib.h and circular_buffer_interface.h" $?
for path in api/remote_circular_buffer.h api/socket_api.h; do
  printf '#include "%s"\nvoid kernel_main() {}\n' "$path" > "$dir/paths/reader.cpp"
  "$T" kernel run "$dir/paths" > "$dir/log" 2>&1
  [ $? = 2 ] && [ "$(wc -l < "$dir/log")" = 1 ] && grep -q "reader.cpp:1.*$path: " "$dir/log"
  check "$path: one line" $?
done
echo 'compile writer accessor:Q' >> "$dir/paths/kernel.chip"
"$T" kernel run "$dir/paths" > "$dir/log" 2>&1
[ $? = 2 ] && grep -q 'kernel.chip:6: accessor:Q: there is no tensor Q$' "$dir/log"
check "the accessor of a tensor that is not described" $?
echo "1..$number"
exit $failures
