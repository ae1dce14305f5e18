# The kernels of tt-metal's programming examples, and some of ttnn's operations, unchanged: compiled against the kernel library, run by `tessera kernel run`, their results
# compared. Needs a checkout of tt-metal in TT_METAL_SRC, which is read only. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
T=$(pwd)/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
examples=$TT_METAL_SRC/tt_metal/programming_examples
if [ -z "$TT_METAL_SRC" ] || [ ! -d "$examples" ]; then
  echo "1..0 # SKIP TT_METAL_SRC names no checkout of tt-metal"
  exit 0
fi
for program in riscv64-unknown-elf-gcc python3; do
  command -v $program > /dev/null || { echo "1..0 # SKIP no $program"; exit 0; }
done
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
number=0

# 64 x 128 numbers that BFLOAT16 holds, and the expected result
python3 - "$dir" << 'PY'
import math, struct, sys
def save(name, values, shape=(64, 128), kind="f"):
    head = "{'descr': '<%s4', 'fortran_order': False, 'shape': %s, }" % (kind, shape)
    head += " " * (117 - len(head)) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack(f"<{len(values)}{kind}", *values))
a = [(i * 37 % 256 - 128) / 64 for i in range(64 * 128)]
b = [(i * 101 % 256 - 128) / 128 for i in range(64 * 128)]
save("a", a)
save("b", b)
save("sum", [x + y for x, y in zip(a, b)])
save("exp", [math.exp(x) for x in a])
save("silu", [x / (1 + math.exp(-x)) for x in a])
save("logsigmoid", [-math.log1p(math.exp(-x)) for x in a])
save("turned", [a[128 * (r // 32 * 32 + c % 32) + c // 32 * 32 + r % 32] for r in range(64) for c in range(128)])
save("softplus", [math.log(math.e + 1)] * 1024, (32, 32))
save("integer", [21] + [0] * 15, (1, 16), "i")
PY

# run NAME KERNELS [OPTIONS], the description of the run on standard input. KERNELS: "reader FILE", ... with files of the example.
run() {
  name=$1 place=$2
  shift 2
  number=$((number + 1))
  mkdir -p "$dir/$name"
  cp "$dir"/*.npy "$dir/$name"
  sed -E "s#^(reader|compute|writer) #\1 $examples/$place/kernels/#" > "$dir/$name/kernel.chip"
  if "$T" kernel run "$dir/$name" "$@" > "$dir/$name/log" 2>&1; then echo "ok $number - $name"
  else echo "not ok $number - $name"; tail -3 "$dir/$name/log" | sed 's/^/# /'; fi
}

[ -d "$TT_METAL_SRC/ttnn/cpp/ttnn/operations" ] && ttnn=3 || ttnn=0
echo "1..$((11 + ttnn))"
run loopback loopback << 'E2'
tensor A a.npy bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
reader loopback_dram_copy.cpp
compile reader accessor:A accessor:C
args reader 0x80000 A C A.pages
expect C a.npy 0
E2
run add_2_integers_in_riscv add_2_integers_in_riscv << 'E2'
tensor A fill:1x16:14 int32 rows dram
tensor B fill:1x16:7 int32 rows dram
tensor C zero:1x16 int32 rows dram
reader reader_writer_add_in_riscv.cpp
args reader A B C 0x80000 0x80100 0x80200
expect C integer.npy 0
E2
run add_2_integers_in_compute add_2_integers_in_compute << 'E2'
tensor A random:32x32:1 bf16 tiles dram
tensor B random:32x32:2 bf16 tiles dram
tensor C zero:32x32 bf16 tiles dram
buffer 0 1 A
buffer 1 1 B
buffer 16 1 C
reader dataflow/reader_binary_1_tile.cpp
compute compute/add_2_tiles.cpp
writer dataflow/writer_1_tile.cpp
args reader A B
args writer C
expect C sum A B 0.01
E2
run eltwise_binary eltwise_binary << 'E2'
tensor A a.npy bf16 tiles dram
tensor B b.npy bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer 1 2 B
buffer 16 2 C
reader dataflow/read_tiles.cpp
compute compute/tiles_add.cpp
writer dataflow/write_tile.cpp
compile reader accessor:A accessor:B
compile writer accessor:C
args reader A B A.pages
args compute A.pages
args writer C C.pages
expect C sum.npy 0.01
E2
run eltwise_sfpu eltwise_sfpu << 'E2'
tensor A a.npy bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer 16 2 C
reader dataflow/read_tile.cpp
compute compute/eltwise_sfpu.cpp
writer dataflow/write_tile.cpp
compile reader accessor:A
compile writer accessor:C
args reader A A.pages
args compute A.pages
args writer C C.pages
expect C exp.npy 0.005
E2
run matmul_single_core matmul/matmul_single_core << 'E2'
tensor A random:64x96:1 bf16 tiles dram
tensor B random:96x128:2 bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer 1 2 B
buffer 16 2 C
reader dataflow/reader_single_core_mm.cpp
compute compute/mm.cpp
writer dataflow/writer_single_core_mm.cpp
compile reader accessor:A accessor:B
compile writer accessor:C
compile compute 2 3 4
args reader A B 2 3 4
args writer C 2 4
expect C matmul A B 0.02
E2
# Its kernel reads data from L1 without waiting for it, as its own comment says, which the checker of circular buffers would report.
run vecadd_sharding vecadd_sharding --check none << 'E2'
tensor A a.npy bf16 tiles 1,2
tensor B b.npy bf16 tiles 1,2
tensor C zero:64x128 bf16 tiles 1,2
buffer 0 8 A on A
buffer 1 8 B on B
buffer 2 8 C on C
compute add_sharding.cpp
compile compute 0 1 2
args compute A.pages
expect C sum.npy 0.01
E2
run vecadd contributed/vecadd << 'E2'
tensor A a.npy bf16 tiles dram
tensor B b.npy bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer 1 2 B
buffer 16 2 C
reader interleaved_tile_read.cpp
compute add.cpp
writer tile_write.cpp
compile reader accessor:A accessor:B
compile writer accessor:C
args reader A B A.pages
args compute A.pages
args writer C C.pages
expect C sum.npy 0.01
E2
# Its reader fills a page by stores and pushes it without waiting for them, which the checker reports (CB_RACE).
run sfpu_eltwise_chain sfpu_eltwise_chain --check none << 'E2'
tensor A fill:32x32:1 bf16 tiles dram
tensor C zero:32x32 bf16 tiles dram
buffer 0 1 A
buffer 1 1 A
buffer 16 1 C
reader dataflow/reader.cpp
compute compute/compute.cpp
writer dataflow/writer.cpp
compile reader 0 1 accessor:A
compile compute 0 1 16
compile writer 16 accessor:C
args reader A
args writer C
expect C softplus.npy 0.005
E2
run matmul_multi_core matmul/matmul_multi_core << 'E2'
grid 1,2-3
tensor A random:64x96:1 bf16 tiles dram
tensor B random:96x128:2 bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer 1 2 B
buffer 16 2 C
reader dataflow/reader_mm_output_tiles_partitioned.cpp
compute compute/mm.cpp
writer dataflow/writer_unary_interleaved_start_id.cpp
compile reader accessor:A accessor:B
compile writer accessor:C
args 1,2 reader A B 2 3 4 0 3
args 1,3 reader A B 2 3 4 3 5
args 1,2 compute 3 3
args 1,3 compute 5 3
args 1,2 writer C 3 0
args 1,3 writer C 5 3
expect C matmul A B 0.02
E2
# Blocks of two of the four tiles of K, partial results in buffer 24
run matmul_multicore_reuse matmul/matmul_common << 'E2'
tensor A random:64x128:1 bf16 tiles dram
tensor B random:128x128:2 bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 8 A
buffer 1 16 B
buffer 16 8 C
buffer 24 8 C
reader dataflow/reader_bmm_tile_layout.cpp
compute compute/bmm_large_block_zm.cpp
writer dataflow/writer_bmm_tile_layout.cpp
compile reader accessor:A accessor:B
compile writer accessor:C
compile compute 2 2 4 2 2 8 4 2 1 2 2 1
args reader A 0 1 4 2 2 2 4 B 0 1 4 8 4 2 8 2 8 16 1 0
args writer C 0 1 4 2 4 2 1 2 2 2 8 1
expect C matmul A B 0.03
E2

# ttnn's operations on one tensor: their reader and writer with three of their compute kernels
ttnn() { # NAME COMPUTE OUTPUT EXPECTED [DEFINE]
  run "$1" ../../ttnn/cpp/ttnn/operations/eltwise/unary/device << E2
tensor A a.npy bf16 tiles dram
tensor C zero:64x128 bf16 tiles dram
buffer 0 2 A
buffer $3 2 C
reader dataflow/reader_unary_interleaved_start_id.cpp
compute $2
writer dataflow/writer_unary_interleaved_start_id.cpp
compile reader accessor:A
compile writer $3 accessor:C
args reader A A.pages 0
args compute A.pages
args writer C C.pages 0
expect C $4.npy 0.01
$5
E2
}
if [ $ttnn != 0 ]; then
  ttnn ttnn_eltwise_unary compute/eltwise_sfpu.cpp 2 silu 'define compute SFPU_OP_CHAIN_0=silu_tile_init();silu_tile(0);'
  ttnn ttnn_logsigmoid compute/logsigmoid_kernel.cpp 2 logsigmoid
  ttnn ttnn_transpose_wh ../../../../data_movement/transpose/device/kernels/compute/transpose_wh.cpp 16 turned
fi
