# The C++ compute API (tests/kernels/api_run.cpp) on the five cores: one build, each operation compared with plain arithmetic in Python; and
# DPRINT. Prints TAP.
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
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; sed 's/^/# /' "$dir/log" | tail -3; fi
}

# The build alone takes seconds, so the operations run from TESSERA_TEST_SCALE 100 on (make test-all); test_kernels.c has them in C.
operations() {
python3 - "$dir" << 'PY'
import math, struct, sys
N = range(64)
def save(name, m):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': (64, 64), }"
    head += " " * (117 - len(head)) + "\n"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack("<64f", *row) for row in m))
def made(f): return [[f(i, j) for j in N] for i in N]
A = made(lambda i, j: ((i * 37 + j * 11) % 64 - 32) / 16)
B = made(lambda i, j: ((i * 13 + j * 29) % 64 - 20) / 32)
# the scaler of a reduction: ones in row 0 of the first face of its tile
S = made(lambda i, j: 1.0 if i == 0 and j < 16 else 0.0)
t = lambda i: i // 32 * 32 # where the tile begins
def row_reduced(f): # tiles 0 and 1, then 2 and 3, become column 0 of tiles 0 and 1; tiles 2 and 3 are copies
    return made(lambda i, j: A[i][j] if i >= 32 else f(A[32 * (j // 32) + i]) if j % 32 == 0 else None)
want = {
    0: made(lambda i, j: A[i][j] + B[i][j]), 1: made(lambda i, j: A[i][j] - B[i][j]), 2: made(lambda i, j: A[i][j] * B[i][j]),
    3: made(lambda i, j: 2 * (A[i][j] + B[i][j])), 4: made(lambda i, j: A[i][j] * B[t(i)][j]), 5: made(lambda i, j: A[i][j] - B[i][t(j)]),
    6: made(lambda i, j: A[i][j] + B[t(i)][t(j)]), 7: made(lambda i, j: A[i][j] + B[i][j]), 8: made(lambda i, j: A[i][j] - B[i][j]),
    9: made(lambda i, j: B[i][j] - A[i][j]), 10: made(lambda i, j: A[i][j] * B[i][j]), 11: made(lambda i, j: A[i][t(j)]),
    12: made(lambda i, j: A[t(i)][j]), 13: row_reduced(sum), 16: row_reduced(max),
    14: made(lambda i, j: A[i][j] if i >= 32 else sum(A[32 * (j // 32) + r][j % 32 + c] for r in range(32) for c in (0, 32)) if i == 0 else None),
    15: made(lambda i, j: A[i][j] if i >= 32 else sum(sum(A[32 * (j // 32) + r]) for r in range(32)) if (i, j % 32) == (0, 0) else None),
    17: A, 18: made(lambda i, j: sum(A[i][k] * B[k][j] for k in N)), 19: made(lambda i, j: A[t(i) + j % 32][t(j) + i % 32]),
    20: made(lambda i, j: math.exp(A[i][j]) if j % 32 < 16 else A[i][j]), 21: made(lambda i, j: math.exp(A[i][j]) if i % 32 < 16 else A[i][j]),
    22: A, 23: A, 24: made(lambda i, j: sum(A[i][k] * B[t(k) + j % 32][t(j) + k % 32] for k in N)),
    26: made(lambda i, j: A[t(i) + j % 32][t(j) + i % 32] + B[t(i) + j % 32][t(j) + i % 32]),
    27: made(lambda i, j: (lambda r, c: A[r][c] + B[r][c])(i // 16 * 16 + j % 16, j // 16 * 16 + i % 16)), 28: row_reduced(max),
}
want[25] = want[24]
want[29] = made(lambda i, j: A[i][j] if i % 32 < 16 and (j % 32 < 16 or i % 32 < 8) else None)
tile = lambda i, j: (t(i), t(j)) # its first row and column
def turned(f): # tiles 1 and 2 of the result come from tiles 2 and 1
    return made(lambda i, j: f(t(j) + i % 32, t(i) + j % 32))
def columns(i, j): return [A[32 * (r // 32) + r % 32][t(i) + j % 32] for r in range(32)] + [A[32 + r][t(i) + j % 32] for r in range(4, 24)]
def statistic(i, j): # tile 0: means of columns 0 to 31, tile 1: their variances, tiles 2 and 3 those of columns 32 to 63
    if i % 32: return None
    x = columns(i, j)
    mean = sum(x) / 52
    return mean if j < 32 else sum((v - mean) ** 2 for v in x) / 52
want.update({
    30: made(lambda i, j: A[i][j] + B[t(i)][j]), 31: made(lambda i, j: A[i][j] * B[t(i)][j]), 32: made(lambda i, j: A[i][j] - B[i][t(j)]),
    33: made(lambda i, j: sum(A[t(i) + r][j] for r in range(32)) if i % 32 == 0 else A[i][j]),
    34: made(lambda i, j: max(A[t(i) + r][j] for r in range(32)) if i % 32 == 0 else A[i][j]),
    35: made(lambda i, j: min(A[i][t(j) : t(j) + 32]) if j % 32 == 0 else A[i][j]),
    36: made(lambda i, j: sum(A[i][t(j) : t(j) + 32]) / 32 if j % 32 == 0 else A[i][j]),
    37: turned(lambda i, j: sum(A[r][j] for r in range(i + 1))), 38: made(statistic),
    39: made(lambda i, j: A[i][j - 1] if j % 2 else -A[i][j + 1]), 40: made(lambda i, j: A[i][j] + B[i][j] if i % 32 == 0 else B[i][j] if i % 32 > 3 else None),
})
save("a", A), save("b", B), save("s", S)
for op, m in want.items():
    mask = made(lambda i, j: 1.0 if m[i][j] is not None else 0.0)
    save(f"want{op}", made(lambda i, j: m[i][j] if m[i][j] is not None else 0.0))
    save(f"mask{op}", mask)
PY

cat > "$dir/compare.py" << 'PY'
# Compares where the mask is 1: results of reductions leave the rest of their tile undefined.
import struct, sys
def load(name):
    with open(name, "rb") as f: return struct.unpack("<4096f", f.read()[128:])
got, want, mask = (load(name) for name in sys.argv[1:4])
worst = max((abs(g - w) / (1 + abs(w)), k) for k, (g, w, m) in enumerate(zip(got, want, mask)) if m)
print(f"worst error {worst[0]:.4f} at {divmod(worst[1], 64)}: {got[worst[1]]}, expected {want[worst[1]]}")
sys.exit(not worst[0] <= float(sys.argv[4]))
PY

cp "$top/tests/kernels/api_run.cpp" "$dir/compute.cpp"
cat > "$dir/reader.cpp" << 'CPP'
template <typename Gen> static void all(uint32_t cb, const Gen &from) {
  cb_reserve_back(cb, 4);
  for (uint32_t i = 0; i < 4; i++) noc_async_read_page(i, from, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, 4);
}
void kernel_main() {
  constexpr auto a_args = TensorAccessorArgs<0>();
  constexpr auto b_args = TensorAccessorArgs<a_args.next_compile_time_args_offset()>();
  all(0, TensorAccessor(a_args, get_arg_val<uint32_t>(0)));
  all(1, TensorAccessor(b_args, get_arg_val<uint32_t>(1)));
}
CPP
cat > "$dir/writer.cpp" << 'CPP'
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(args, get_arg_val<uint32_t>(0));
  Noc noc;
  CircularBuffer out(16);
  for (uint32_t i = 0; i < 4; i++) {
    out.wait_front(1);
    noc.async_write(out, to, out.get_tile_size(), {}, {.page_id = i});
    noc.async_write_barrier();
    out.pop_front(1);
  }
}
CPP
cat > "$dir/kernel.chip" << 'E2'
tensor A a.npy bf16 tiles dram
tensor B b.npy bf16 tiles dram
tensor C zero:64x64 bf16 tiles dram
buffer 0 4 A
buffer 1 4 B
buffer 16 4 C
buffer 24 2 A
compile reader accessor:A accessor:B
compile writer accessor:C
args reader A B
args compute 0
args writer C
E2

names="add sub mul add-onto mul-rows sub-cols add-scalar reuse-add reuse-sub-a reuse-sub-b reuse-mul"
others="repeat-column repeat-row sum-rows sum-columns sum-all max-rows untilize-tilize matmul-block transpose exp-left-faces exp-upper-faces"
more="pack-untilize-block pack-untilize-columns matmul-transposed matmul-block-transposed transpose-in-dst transpose-faces-in-dst block-maximum
pack-rows"
rows="add-row mul-row sub-column sum-to-row max-to-row min-to-column mean-to-column"
rows_more="cumulate welford rotate-complex add-top-row"
run_all() { # SOURCE FIRST NAMES...: builds and compares one operation after the other; $define is for the compiler
  cp "$top/tests/kernels/$1" "$dir/compute.cpp"
  op=$2
  shift 2
  "$T" kernel build "$dir" $define > "$dir/log" 2>&1
  check "build $define" $?
  for name in "$@"; do
    scaler=$dir/b.npy
    tolerance=0.012
    case $name in sum-* | max-* | block-max*) scaler=$dir/s.npy ;; matmul-*) tolerance=0.04 ;; esac # 64 products are added in BFLOAT16
    "$T" kernel run "$dir" --no-build --timing off --arg compute.0=$op --in B="$scaler" --out C="$dir/c.npy" > "$dir/log" 2>&1 &&
      python3 "$dir/compare.py" "$dir/c.npy" "$dir/want$op.npy" "$dir/mask$op.npy" $tolerance >> "$dir/log" 2>&1 && ! grep -A2 '^findings' "$dir/log" > "$dir/log.findings"
    check "$name $define" $?
    op=$((op + 1))
  done
}
define=
run_all api_run.cpp 11 $others
define="--define FIRST_HALF"
run_all api_run.cpp 0 $names
"$T" kernel run "$dir" --no-build --timing off > "$dir/log" 2>&1
grep -qx 'TRISC2: operation 0 of api_run: -15 true' "$dir/log" && grep -qx 'TRISC0: 0xabc' "$dir/log" && ! grep -q '^TRISC1: ' "$dir/log"
check "DPRINT on the cores that print" $?
for define in "" "--define DST_ACCUM_MODE=1"; do # a 32-bit Dst
  run_all api_run_more.cpp 22 $more
  run_all api_run_rows.cpp 37 $rows_more
  define="$define --define FIRST_HALF"
  run_all api_run_rows.cpp 30 $rows
done
}
if [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ]; then
  echo "1..81"
  operations
else
  echo "1..4"
fi

# Conversions: INT32 to FLOAT32 and back, numbers that both hold; from FLOAT32 the unpacker goes straight into Dst.
conversion() { # NAME FROM TO FORMAT_IN FORMAT_OUT
  mkdir "$dir/$1"
  cp "$dir/writer.cpp" "$dir/$1"
  sed 's/all(1,.*//; s/constexpr auto b_args.*//' "$dir/reader.cpp" > "$dir/$1/reader.cpp"
  cat > "$dir/$1/compute.cpp" << 'CPP'
#include "api/compute/eltwise_unary/typecast.h"
void kernel_main() {
  init_sfpu(0, 16);
  typecast_tile_init<FROM, TO>();
  cb_wait_front(0, 4);
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    copy_tile(0, i, 0);
    typecast_tile<FROM, TO>(0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
CPP
  cat > "$dir/$1/kernel.chip" << E2
tensor A fill:64x64:$6 $4 tiles dram
tensor C zero:64x64 $5 tiles dram
tensor D fill:64x64:$7 $5 tiles dram
tensor Z zero:64x64 $5 tiles dram
buffer 0 4 A
buffer 16 4 C
compile reader accessor:A
compile writer accessor:C
define compute DST_ACCUM_MODE=1
define compute UNPACK_TO_DST=1
define compute FROM=$2
define compute TO=$3
args reader A
args writer C
expect C sum D Z 0
E2
  "$T" kernel run "$dir/$1" --timing off > "$dir/log" 2>&1
  check "$1" $?
}
# topk: 64 values of a column sorted with their indices, which stay in order among equals; then uint16 to bf16.
topk() {
  mkdir "$dir/topk"
  cp "$dir/reader.cpp" "$dir/topk"
  cat > "$dir/topk/writer.cpp" << 'CPP'
template <typename Gen> static void both(uint32_t cb, const Gen &to, uint32_t column) {
  cb_wait_front(cb, 2);
  for (uint32_t i = 0; i < 2; i++) noc_async_write_page(column + 2 * i, to, get_read_ptr(cb) + i * get_tile_size(cb));
  noc_async_write_barrier();
  cb_pop_front(cb, 2);
}
void kernel_main() {
  constexpr auto c_args = TensorAccessorArgs<0>();
  constexpr auto d_args = TensorAccessorArgs<c_args.next_compile_time_args_offset()>();
  for (uint32_t column = 0; column < 2; column++) {
    both(16, TensorAccessor(c_args, get_arg_val<uint32_t>(0)), column);
    both(17, TensorAccessor(d_args, get_arg_val<uint32_t>(1)), column);
  }
}
CPP
  cat > "$dir/topk/compute.cpp" << 'CPP'
#include "api/compute/compute_kernel_api.h"
#include "api/compute/tile_move_copy.h"
#include "api/debug/dprint_tile.h"
static void pack_both(uint32_t dst, uint32_t cb) {
  pack_reconfig_data_format(cb);
  cb_reserve_back(cb, 2);
  pack_tile(dst, cb);
  pack_tile(dst + 1, cb);
  cb_push_back(cb, 2);
}
void kernel_main() {
  compute_kernel_hw_startup(0, 16);
  topk_tile_init();
  cb_wait_front(0, 4);
  cb_wait_front(1, 4);
  riscv_wait(100);
  UNPACK(DPRINT("{}", TileSlice(0, 1, SliceRange{.h0 = 15, .h1 = 18, .hs = 2, .w0 = 14, .w1 = 18, .ws = 3}));)
  UNPACK(DPRINT << TileSlice(1, 2, SliceRange::hw041(), false, true) << ENDL();)
  for (uint32_t column = 0; column < 2; column++) {
    tile_regs_acquire();
    for (uint32_t cb = 0; cb < 2; cb++) {
      copy_tile_to_dst_init_short_with_dt(1 - cb, cb);
      for (uint32_t i = 0; i < 2; i++) copy_tile(cb, column + 2 * i, 2 * cb + i);
    }
    topk_local_sort<true>(0, 0, 4);
    topk_merge<false, true>(0, 0, 32);
    topk_rebuild<true>(0, false, 0, 32, 5, 0);
    topk_local_sort<true>(0, 0, 5);
    tile_regs_commit();
    tile_regs_wait();
    pack_both(0, 16);
    pack_both(2, 17);
    tile_regs_release();
  }
}
CPP
  python3 - "$dir/topk" > "$dir/printed" << 'PY'
import struct, sys
def save(name, kind, m):
    head = "{'descr': '<%s', 'fortran_order': False, 'shape': (64, 64), }" % kind
    head += " " * (117 - len(head)) + "\n"
    code = "f" if kind == "f4" else "H"
    with open(f"{sys.argv[1]}/{name}.npy", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + b"".join(struct.pack("<64" + code, *row) for row in m))
N = range(64)
a = [[((i * 37 + j * 11) % 50 - 20) / 4 for j in N] for i in N]
index = [[i * 1024 + j for j in N] for i in N]
order = [sorted(N, key=lambda i: (-a[i][j], index[i][j])) for j in N]
save("a", "f4", a), save("i", "u2", index)
for row in (15, 17): print("TRISC0: %g %g" % (a[row][46], a[row][49]))
print("TRISC0: " + " ".join(" ".join(str(index[32 + r][c]) for c in range(4)) for r in range(4)) + " ")
save("c", "f4", [[a[order[j][r]][j] for j in N] for r in N]), save("d", "u2", [[index[order[j][r]][j] for j in N] for r in N])
PY
  cat > "$dir/topk/kernel.chip" << 'E2'
tensor A a.npy bf16 tiles dram
tensor I i.npy uint16 tiles dram
tensor C zero:64x64 bf16 tiles dram
tensor D zero:64x64 uint16 tiles dram
buffer 0 4 A
buffer 1 4 I
buffer 16 4 C
buffer 17 4 D
compile reader accessor:A accessor:I
compile writer accessor:C accessor:D
args reader A I
args writer C D
expect C c.npy 0
expect D d.npy 0
E2
  "$T" kernel run "$dir/topk" --timing off > "$dir/log" 2>&1
  check "topk: sorted columns with their indices" $?
  grep '^TRISC0: ' "$dir/log" | cmp -s - "$dir/printed"
  check "DPRINT of parts of tiles" $?
}
# The math core reads a tile of Dst, writes it negated to the next one while the others halt; the unpack core hashes the input.
debugging() {
  mkdir "$dir/debug"
  cp "$dir/writer.cpp" "$dir/debug"
  sed 's/all(1,.*//; s/constexpr auto b_args.*//' "$dir/reader.cpp" > "$dir/debug/reader.cpp"
  cat > "$dir/debug/compute.cpp" << 'CPP'
#include "api/compute/compute_kernel_api_debug.h"
#include "api/compute/debug/cb_hash.h"
void kernel_main() {
  uint16_t *numbers = (uint16_t *)0x140000;
  init_sfpu(0, 16);
  cb_wait_front(0, 4);
  hash_cb_trisc(0, 4, 0xab);
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    copy_tile(0, i, 0);
    copy_tile(0, i, 1);
    dbg_halt();
    dbg_read_dest_tile<DataFormat::Float16_b>(0, numbers);
    MATH(for (uint32_t k = 0; k < 1024; k++) numbers[k] ^= 0x8000;)
    dbg_write_dest_tile<DataFormat::Float16_b>(1, numbers);
    dbg_unhalt();
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(1, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
CPP
  cat > "$dir/debug/kernel.chip" << 'E2'
tensor A fill:64x64:1.5 bf16 tiles dram
tensor C zero:64x64 bf16 tiles dram
tensor D fill:64x64:-1.5 bf16 tiles dram
tensor Z zero:64x64 bf16 tiles dram
buffer 0 4 A
buffer 16 4 C
compile reader accessor:A
compile writer accessor:C
define compute DEBUG_CB_HASH
args reader A
args writer C
expect C sum D Z 0
E2
  hash=$(python3 -c "
h = 2166136261
for b in b'\\xc0\\x3f' * 4096: h = (h ^ b) * 16777619 & 0xffffffff
print('%x' % h)")
  "$T" kernel run "$dir/debug" --timing off > "$dir/log" 2>&1 && grep -q "^TRISC0: hash\[0xab\] cb=0 tiles=4 = 0x$hash\$" "$dir/log"
  check "Dst through the math core; the hash of a buffer" $?
}
if [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ]; then
  debugging
  topk
  conversion int32-to-float32 8 0 int32 fp32 -1234567 -1234567
  conversion float32-to-int32 0 8 fp32 int32 -77.75 -77
  conversion float32-beyond-int32 0 8 fp32 int32 3e9 -2147483648
  conversion float32-beyond-int8 0 14 fp32 int8 3e9 127
fi

# DPRINT in C, and a text that is longer than the buffer.
mkdir "$dir/c"
printf '#include "compute.h"\n' > "$dir/c/compute.c"
cat >> "$dir/c/compute.c" << 'C'
#include "dprint.h"
void kernel_main(void) {
  DPRINT_MATH("{} and {}\n", get_arg_val(0), 42u);
  for (uint32_t i = 0; i < 2000; i++) DPRINT_PACK("12345678\n");
}
C
echo 'args compute 7' > "$dir/c/kernel.chip"
"$T" kernel run "$dir/c" --timing off > "$dir/log" 2>&1
grep -qx 'TRISC1: 7 and 42' "$dir/log" && ! grep -q 'did not fit' "$dir/log" && [ "$(grep -c "^TRISC2: 12345678\$" "$dir/log")" = 2000 ]
check "DPRINT in C: the host empties a full buffer" $?

# DPRINT's format specifications on a core: Python's format is the reference.
mkdir "$dir/print"
cat > "$dir/print/reader.cpp" << 'CPP'
#include "api/debug/dprint.h"
enum class Colour : uint8_t { red = 3 };
struct fields {
  uint8_t small;
  volatile uint32_t word;
} __attribute__((packed));
void kernel_main() {
  fields f = {200, 0xdeadbeef};
  uint64_t big = 18446744073709551615ull;
  int64_t low = -9223372036854775807ll - 1;
  DPRINT("{:x} {:#x} {:08d} {:.2f} {:>6}|{:<6}|{:^6}|{:*^7}|{:+}|{: }\n", 255, 255, -42, 3.14159f, 7, 8, 9, 10, 11, 12);
  DPRINT("{} {} {:#X} {:#b} {:#010x} {:+09.3f} {:<+9.2e}|{:020d}\n", big, low, 48879u, 5, 255, -2.5f, 12345.0f, low);
  DPRINT("{{}} {1} {0} {1:>4}|{2:8.3f}|{2:e}\n", 1, 2, 2.5f);
  DPRINT("{} {:d} {:>7}|{:s} {:c} {:5}|{:.2}|{:>4.1}|\n", 1, true, "false", "text", 97, "ab", "abc", "xyz");
  DPRINT("{} {} {:#x}\n", f.small, (int16_t)-16, f.word);
  DPRINT("{} {} {} {} {} {}\n", 3.14f, 0.25f, 1e-5f, 6.28, bf16_t(0x3dfb), -0.0f);
  DPRINT("{} {} {} {} {} {}\n", true, Colour::red, 'a', (const void *)0x1234, bf4_t(128, 1), bf8_t(130, 3));
  DPRINT("no values\n");
  DPRINT << SETPRECISION(3) << FIXED() << 1.23456f << ' ' << DEFAULTFLOAT() << 1.23456f << SETW(8) << 2.5f << 3ull << ENDL();
}
CPP
echo 'cycles 1000000' > "$dir/print/kernel.chip"
python3 > "$dir/printed" << 'PY'
big, low = 2 ** 64 - 1, -2 ** 63
print("NCRISC: {:x} {:#x} {:08d} {:.2f} {:>6}|{:<6}|{:^6}|{:*^7}|{:+}|{: }".format(255, 255, -42, 3.14159, 7, 8, 9, 10, 11, 12))
print("NCRISC: {} {} {:#X} {:#b} {:#010x} {:+09.3f} {:<+9.2e}|{:020d}".format(big, low, 48879, 5, 255, -2.5, 12345.0, low))
print("NCRISC: {{}} {1} {0} {1:>4}|{2:8.3f}|{2:e}".format(1, 2, 2.5))
print("NCRISC: {} {:d} {:>7}|{:s} {:c} {:5}|{:.2}|{:>4.1}|".format(1, True, "false", "text", 97, "ab", "abc", "xyz"))
print("NCRISC: 200 -16 0xdeadbeef")
print("NCRISC: 3.14 0.25 1e-05 6.28 0.122558594 -0") # {fmt}'s: 0.12255859375 in nine digits, no ".0"
print("NCRISC: true 3 97 0x1234 0.5 0.375")
print("NCRISC: no values")
print("NCRISC: 1.235 1.23     2.5       3")
PY
"$T" kernel run "$dir/print" --timing off > "$dir/log" 2>&1
grep '^NCRISC: ' "$dir/log" | cmp -s - "$dir/printed" && ! grep -q 'warning' "$dir/log"
check "format specifications of DPRINT" $?

# Pages, tiles and Dst.
mkdir "$dir/pages"
cat > "$dir/pages/reader.cpp" << 'CPP'
#include "api/debug/dprint_pages.h"
using namespace tt::data_movement::common;
void kernel_main() {
  volatile uint32_t *words = reinterpret_cast<volatile uint32_t *>(0x100000);
  for (uint32_t i = 0; i < 8; i++) words[i] = 0x3f800000 + (i << 20);
  print_f32_pages(0x100000, 2, 2, 1);
  print_bf16_pages(0x100000, 2, 1);
  print_u8_pages(0x100000, 4, 1, 1);
  print_u16_pages(0x100000, 4, 1);
  print_u32_pages(0x100000, 1, 2);
  print_cb_details(0);
  uint32_t bits[2] = {0x40003f80, 0x8f017f};
  DPRINT("{:.2f}|{}|{}|{}|{}\n", dp_typed_array_t<1>((uint16_t)DataFormat::Float16_b, bits), dp_typed_array_t<1>((uint16_t)DataFormat::Int8, bits + 1),
         dp_typed_array_t<1>((uint16_t)DataFormat::UInt8, bits + 1), dp_typed_array_t<1>((uint16_t)DataFormat::UInt16, bits), dp_typed_array_t<1>((uint16_t)DataFormat::UInt32, bits));
  cb_reserve_back(0, 1);
  volatile uint16_t *numbers = reinterpret_cast<volatile uint16_t *>(get_write_ptr(0));
  for (uint32_t i = 0; i < 1024; i++) numbers[i] = (uint16_t)(0x3f80 + (i % 16 << 3));
  (void)numbers[1023];
  cb_push_back(0, 1);
}
CPP
cat > "$dir/pages/compute.cpp" << 'CPP'
#include "api/compute/tile_move_copy.h"
#include "api/debug/dprint_pages.h"
#include "api/debug/dprint_tensix.h"
void kernel_main() {
  init_sfpu(0, 16);
  cb_wait_front(0, 1);
  UNPACK(tt::compute::common::print_tile_rows(0, 0, true, 15, 17, 14, 18);)
  UNPACK(tt::compute::common::print_full_tile(0);)
  PACK(dprint_data_format((uint8_t)DataFormat::Bfp8_b);)
  [[maybe_unused]] uint32_t two[2] = {1, 0xffffffff};
  PACK((dprint_array_with_data_type<2>((uint32_t)DataFormat::Int32, two)));
  tile_regs_acquire();
  copy_tile(0, 0, 1);
  dprint_tensix_dest_reg<true>(1);
  tile_regs_commit();
  tile_regs_wait();
  tile_regs_release();
  cb_pop_front(0, 1);
}
CPP
printf 'tensor A zero:32x32 bf16 tiles dram\nbuffer 0 2 A\nbuffer 16 2 A\n' > "$dir/pages/kernel.chip"
python3 > "$dir/printed" << 'PY'
import struct
word = lambda i: 0x3F800000 + (i << 20)
real = lambda bits: "%g" % struct.unpack("<f", struct.pack("<I", bits))
raw = b"".join(struct.pack("<I", word(i)) for i in range(8))
halves = struct.unpack("<16H", raw)
print("NCRISC: 1: %s %s " % (real(word(2)), real(word(3))))
print("NCRISC: 2: %s %s " % (real(word(4)), real(word(5))))
print("NCRISC: 0: %s %s " % (real(halves[0] << 16), real(halves[1] << 16)))
print("NCRISC: 1: " + "".join("0x%02X " % b for b in raw[4:8]))
print("NCRISC: 0: " + "".join("%d " % h for h in halves[:4]))
for i in range(2): print("NCRISC: %d: %d " % (i, word(i)))
print("NCRISC: cb_id 0: { size: 4096, limit: LIMIT, page_size: 2048, num_pages: 2, rd_ptr: BASE, wr_ptr: BASE, wr_tile_ptr: 0 }")
print("NCRISC: 1.00 2.00 |127 1 -113 0 |127 1 143 0 |16256 16384 |1073758080 ")
tile = ["%g" % (struct.unpack("<f", struct.pack("<I", (0x3F80 + (c % 16 << 3)) << 16))) for c in range(32)]
full = ["======"] + ["%d: %s" % (r, " ".join(tile)) + "\n" for r in range(32)] + ["++++++"]
text = "cb_idx: 0 tile_idx: 0\n======\n" + "".join("%d: %s\n\n" % (r, " ".join(tile[14:18])) for r in (15, 16)) + "++++++\n" + "\n".join(full) + "\n"
def shown(core, text):
    for line in text.removesuffix("\n").split("\n"): print("%s: %s" % (core, line))
shown("TRISC0", text)
shown("TRISC1", "Tile ID = 1\n" + ("".join(x + " " for x in tile[:16]) + "\n") * 16 + "\n" + (("".join(x + " " for x in tile[:16]) + "\n") * 16 + "\n") * 3)
shown("TRISC2", "Bfp8_b1 -1 \n")
PY
"$T" kernel run "$dir/pages" --timing off > "$dir/log" 2>&1
sed -n 's/limit: [0-9]*/limit: LIMIT/; s/rd_ptr: \([0-9]*\), wr_ptr: \1,/rd_ptr: BASE, wr_ptr: BASE,/; /^\(NCRISC\|TRISC[0-2]\): /p' "$dir/log" | sort -s -k1,1 > "$dir/got"
diff "$dir/got" "$dir/printed" >> "$dir/log"
check "pages, tiles and Dst by DPRINT" $?

# FP32 in the buffers: the compute kernel gets a 32-bit Dst, so all of the vector unit's bits are kept, unless the description chooses 16.
mkdir "$dir/gelu"
cp "$top"/examples/gelu/*.c "$dir/gelu"
sed 's/bf16/fp32/g; s/^expect.*/save A a.npy\nsave C c.npy/' "$top/examples/gelu/kernel.chip" > "$dir/gelu/kernel.chip"
gelu() { # OPTIONS: prints whether the worst error is in the range of FP32 or of BFLOAT16
  "$T" kernel run "$dir/gelu" --timing off "$@" > "$dir/log" 2>&1 && python3 - "$dir/gelu" << 'PY' 2>> "$dir/log"
import math, struct, sys
a, c = (struct.unpack("<8192f", open(f"{sys.argv[1]}/{n}.npy", "rb").read()[128:]) for n in "ac")
worst = max(abs(y - 0.5 * x * math.erfc(-x / math.sqrt(2))) for x, y in zip(a, c))
print("fp32" if worst < 1e-6 else "bf16" if worst < 0.01 else worst)
PY
}
[ "$(gelu)" = fp32 ]
check "FP32 buffers choose a 32-bit Dst" $?
if [ "${TESSERA_TEST_SCALE:-100}" -ge 100 ]; then
  [ "$(gelu --define DST_ACCUM_MODE=0)" = bf16 ]
  check "the description may choose a 16-bit Dst" $?
fi
