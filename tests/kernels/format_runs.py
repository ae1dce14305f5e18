"""Kernels of the C++ API in formats and shapes of their own, each built and run by `tessera kernel run` and compared with plain arithmetic.
format_runs.py TESSERA DIRECTORY [NAME...]; prints TAP. Without names: all."""
import math
import os
import random
import subprocess
import sys

from api_matrices import TYPES, clip, each, load, made, product, save, tile_of

TESSERA, ROOT, CHOSEN = sys.argv[1], sys.argv[2], sys.argv[3:]
random.seed(20261116)


def integers(rows, columns, least, most):
    return made(rows, columns, lambda r, c: random.randint(least, most))


def floats(rows, columns):
    """Numbers that bf16 and fp16 hold."""
    return made(rows, columns, lambda r, c: random.randint(-128, 128) / 32)


READ = """
template <typename G> static void all(uint32_t cb, const G &from, uint32_t pages) {
  for (uint32_t i = 0; i < pages; i++) {
    cb_reserve_back(cb, 1);
    noc_async_read_page(i, from, get_write_ptr(cb));
    noc_async_read_barrier();
    cb_push_back(cb, 1);
  }
}
void kernel_main() {
%s}
"""
WRITE = """
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(args, get_arg_val<uint32_t>(0));
  const uint32_t pages = get_arg_val<uint32_t>(1), tiles = get_arg_val<uint32_t>(2);
  cb_wait_front(16, tiles);
  const uint32_t bytes = tiles * get_tile_size(16) / pages;
  for (uint32_t i = 0; i < pages; i++) noc_async_write_page(i, to, get_read_ptr(16) + i * bytes);
  noc_async_write_barrier();
  cb_pop_front(16, tiles);
}
"""


def run(name, compute, inputs, shape, out, layout="tiles", defines=(), reference=None, tolerance=0, refusal=None, buffers=()):
    """inputs: (matrix, format) of buffers 0, 1..; the result is one matrix in buffer 16; buffers: further ones. Returns what is wrong, or None."""
    folder = os.path.join(ROOT, name)
    os.mkdir(folder)
    chip, reads, arguments = [], "", []
    for i, (matrix, form) in enumerate(inputs):
        save(f"{folder}/{'AB'[i]}.npy", TYPES[form], matrix)
        chip += [f"tensor {'AB'[i]} {'AB'[i]}.npy {form} tiles dram", f"buffer {i} {len(matrix) * len(matrix[0]) // 1024} {'AB'[i]}"]
        before = f"a{i - 1}.next_compile_time_args_offset()" if i else "0"
        reads += f"  constexpr auto a{i} = TensorAccessorArgs<{before}>();\n"
        reads += f"  all({i}, TensorAccessor(a{i}, get_arg_val<uint32_t>({2 * i})), get_arg_val<uint32_t>({2 * i + 1}));\n"
        arguments += ["AB"[i], "AB"[i] + ".pages"]
    tiles = shape[0] * shape[1] // 1024
    chip += [f"tensor C zero:{shape[0]}x{shape[1]} {out} {layout} dram", f"buffer 16 {tiles} {out}", "args reader " + " ".join(arguments)]
    chip += ["compile reader " + " ".join("accessor:" + "AB"[i] for i in range(len(inputs))), "compile writer accessor:C"]
    chip += [f"args writer C C.pages {tiles}", "save C c.npy"] + [f"define compute {d}" for d in defines] + [f"buffer {b}" for b in buffers]
    for file, text in (("kernel.chip", "\n".join(chip) + "\n"), ("compute.cpp", compute), ("reader.cpp", READ % reads), ("writer.cpp", WRITE)):
        with open(f"{folder}/{file}", "w") as f:
            f.write(text)
    done = subprocess.run([TESSERA, "kernel", "run", folder, "--timing", "off"], capture_output=True, text=True)
    text = (done.stdout + done.stderr).strip().splitlines() or [""]
    if refusal:
        return None if len(text) == 1 and refusal in text[0] and "compute.cpp:" in text[0] else f"no line with '{refusal}': {text[0]}"
    if done.returncode:
        return f"exit code {done.returncode}: {text[0]}"
    worst = (0, None)
    for r, (got, want) in enumerate(zip(load(f"{folder}/c.npy", TYPES[out], *shape), reference)):
        for c, (g, w) in enumerate(zip(got, want)):
            error = abs(g - w) / (1 + abs(w))
            if not error <= worst[0]:
                worst = (error, f"[{r}, {c}]: {g}, expected {w}")
    return None if worst[0] <= tolerance else f"error {worst[0]:.4g} at {worst[1]}"


def kernel(start, body, tiles, inputs=1, include="compute_kernel_api"):
    """One tile of each input at a time."""
    waits = "".join(f"cb_wait_front({k}, 1); " for k in range(inputs))
    pops = "".join(f"cb_pop_front({k}, 1); " for k in range(inputs))
    return f"""#include "api/compute/{include}.h"
#include "api/compute/eltwise_unary/typecast.h"
constexpr uint32_t T_F32 = 0, T_BF16 = 5, T_I32 = 8, T_U16 = 9, T_I8 = 14, T_U8 = 30, T_U32 = 24;
void kernel_main() {{
  {start}
  for (uint32_t i = 0; i < {tiles}; i++) {{
    {waits}
    tile_regs_acquire();
    {body}
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
    {pops}
  }}
}}
"""


def blocks(start, call, tiles):
    return f"""#include "api/compute/untilize.h"
#include "api/compute/pack_untilize.h"
void kernel_main() {{
  compute_kernel_hw_startup(0, 16);
  {start}
  cb_wait_front(0, {tiles});
  cb_reserve_back(16, {tiles});
  {call}
  cb_push_back(16, {tiles});
  cb_pop_front(0, {tiles});
}}
"""


def matmul(start, body, depth):
    """64 x 32 depth x 64"""
    return f"""#include "api/compute/matmul.h"
#include "api/compute/eltwise_unary/relu.h"
#include "api/compute/eltwise_unary/typecast.h"
constexpr uint32_t T_I32 = 8, T_I8 = 14;
void kernel_main() {{
  mm_init(0, 1, 16);
  {start}
  cb_wait_front(0, {2 * depth});
  cb_wait_front(1, {2 * depth});
  for (uint32_t i = 0; i < 4; i++) {{
    tile_regs_acquire();
    for (uint32_t k = 0; k < {depth}; k++) matmul_tiles(0, 1, i / 2 * {depth} + k, 2 * k + i % 2, 0);
    {body}
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }}
}}
"""


SOFTMAX = """#include "api/compute/bcast.h"
#include "api/compute/eltwise_unary/exp.h"
#include "api/compute/eltwise_unary/recip.h"
#include "api/compute/reduce.h"
constexpr uint32_t in = 0, scaler = 1, largest = 24, powers = 25, sums = 26, out = 16, width = 4;
static void finish(uint32_t cb) {
  tile_regs_commit();
  tile_regs_wait();
  pack_reconfig_data_format(cb);
  cb_reserve_back(cb, 1);
  pack_tile(0, cb);
  cb_push_back(cb, 1);
  tile_regs_release();
}
template <PoolType pool> static void reduced(uint32_t from, uint32_t to, bool reciprocal) {
  reconfig_data_format(from, scaler);
  reduce_init<pool, ReduceDim::REDUCE_ROW>(from, scaler, to);
  tile_regs_acquire();
  for (uint32_t w = 0; w < width; w++) reduce_tile<pool, ReduceDim::REDUCE_ROW>(from, scaler, w, 0, 0);
  recip_tile_init();
  if (reciprocal) recip_tile(0, VectorMode::C);
  finish(to);
  reduce_uninit();
  cb_wait_front(to, 1);
}
void kernel_main() {
  compute_kernel_hw_startup(in, scaler, out);
  cb_wait_front(scaler, 1);
  for (uint32_t row = 0; row < 2; row++) {
    cb_wait_front(in, width);
    reduced<PoolType::MAX>(in, largest, false);
    reconfig_data_format(in, largest);
    sub_bcast_cols_init_short(in, largest);
    exp_tile_init();
    for (uint32_t w = 0; w < width; w++) {
      tile_regs_acquire();
      sub_tiles_bcast_cols(in, largest, w, 0, 0);
      exp_tile(0);
      finish(powers);
    }
    cb_wait_front(powers, width);
    reduced<PoolType::SUM>(powers, sums, true);
    reconfig_data_format(powers, sums);
    mul_bcast_cols_init_short(powers, sums);
    for (uint32_t w = 0; w < width; w++) {
      tile_regs_acquire();
      mul_tiles_bcast_cols(powers, sums, w, 0, 0);
      finish(out);
    }
    cb_pop_front(in, width);
    cb_pop_front(largest, 1);
    cb_pop_front(powers, width);
    cb_pop_front(sums, 1);
  }
}
"""


def softmax(rows):
    powers = [[math.exp(x - max(row)) for x in row] for row in rows]
    return [[x / sum(row) for x in row] for row in powers]


def cast(*path):
    """A kernel that copies and converts: typecast_tile<first, second>, ..."""
    pairs = list(zip(path, path[1:]))
    start = "init_sfpu(0, 16); copy_tile_init(0); " + " ".join(f"typecast_tile_init<T_{a}, T_{b}>();" for a, b in pairs)
    return kernel(start, "copy_tile(0, 0, 0); " + " ".join(f"typecast_tile<T_{a}, T_{b}>(0);" for a, b in pairs), 4)


COPY = kernel("init_sfpu(0, 16); copy_tile_init(0);", "copy_tile(0, 0, 0);", 4)
WIDE = ["DST_ACCUM_MODE=1"]
SHAPE = (64, 64)


def reduced(m, dim, pool):
    """Of each 32 x 32 tile; what is not a result is 0."""

    def number(r, c):
        t = tile_of(m, r // 32 * 32, c // 32 * 32)
        if dim == "ROW":
            return pool(t[r % 32]) if c % 32 == 0 else 0
        if dim == "COL":
            return pool(row[c % 32] for row in t) if r % 32 == 0 else 0
        return pool(pool(row) for row in t) if r % 32 == 0 and c % 32 == 0 else 0

    return made(len(m), len(m[0]), number)


def reduction(dim, pool, function):
    start = f"compute_kernel_hw_startup(0, 1, 16); reduce_init<PoolType::{pool}, ReduceDim::REDUCE_{dim}>(0, 1, 16); cb_wait_front(1, 1);"
    body = f"reduce_tile<PoolType::{pool}, ReduceDim::REDUCE_{dim}>(0, 1, 0, 0, 0); {function}"
    return kernel(start, body, 4, include="reduce")


def all_cases():
    u16, w16 = integers(64, 64, 0, 65535), integers(64, 64, 0, 65535)
    i32 = integers(64, 64, -(2**31), 2**31 - 1)
    small = integers(64, 64, -300, 300)
    turned = made(64, 64, lambda r, c: u16[r // 32 * 32 + c % 32][c // 32 * 32 + r % 32])
    # UINT16 in a 32-bit Dst
    yield "uint16-copy-32", run, (COPY, [(u16, "uint16")], SHAPE, "uint16", "tiles", WIDE, u16)
    text = kernel("transpose_wh_init(0, 16);", "transpose_wh_tile(0, 0, 0);", 4, include="transpose_wh")
    yield "uint16-transpose-32", run, (text, [(u16, "uint16")], SHAPE, "uint16", "tiles", WIDE, turned)
    yield "uint16-to-int32", run, (cast("U16", "I32"), [(u16, "uint16")], SHAPE, "int32", "tiles", (), u16)
    yield "uint16-to-fp32", run, (cast("U16", "F32"), [(u16, "uint16")], SHAPE, "fp32", "tiles", (), u16)
    yield "fp32-to-uint16", run, (cast("F32", "U16"), [(each(lambda x: x * 300.75, small), "fp32")], SHAPE, "uint16", "tiles", (),
                                  each(lambda x: clip(0, 65535)(math.floor(x * 300.75 + 0.5)), small)) # x * 300.75 has halves
    yield "bf16-to-uint16", run, (cast("BF16", "U16"), [(each(lambda x: x / 4, small), "bf16")], SHAPE, "uint16", "tiles", (),
                                  each(lambda x: clip(0, 65535)(math.floor(x / 4 + 0.5)), small))
    yield "int32-to-uint16", run, (cast("I32", "U16"), [(each(lambda x: x * 300, small), "int32")], SHAPE, "uint16", "tiles", (),
                                   each(lambda x: clip(0, 65535)(x * 300), small))
    # the conversion at the end of a tile does not change how the next tile is read
    body = "copy_tile(0, 0, 0); bitwise_and_tile(0, 0xff); typecast_tile<T_U16, T_BF16>(0);"
    text = kernel("init_sfpu(0, 16); copy_tile_init(0); typecast_tile_init<T_U16, T_BF16>();", body, 4)
    yield "uint16-function-then-float", run, (text, [(u16, "uint16")], SHAPE, "bf16", "tiles", (), each(lambda x: x & 255, u16))
    body = "copy_tile(0, 0, 0); copy_tile(1, 0, 1); add_int_tile(0, 1, 0); typecast_tile<T_U16, T_I32>(0);"
    text = kernel("init_sfpu(0, 16); copy_tile_init(0); typecast_tile_init<T_U16, T_I32>();", body, 4, 2)
    yield "uint16-sum-to-int32", run, (text, [(u16, "uint16"), (w16, "uint16")], SHAPE, "int32", "tiles", (), each(lambda x, y: x + y & 65535, u16, w16))
    # INT8 and UINT8
    a, b = integers(64, 64, -127, 127), integers(64, 64, -127, 127)
    bytes_a, bytes_b = integers(64, 64, 0, 255), integers(64, 64, 0, 255)
    pair = [(a, "int8"), (b, "int8")]
    add = kernel("binary_op_init_common(0, 1, 16); add_tiles_init(0, 1);", "add_tiles(0, 1, 0, 0, 0);", 4, 2)
    mul = kernel("binary_op_init_common(0, 1, 16); mul_tiles_init(0, 1);", "mul_tiles(0, 1, 0, 0, 0);", 4, 2)
    yield "int8-copy", run, (COPY, [(a, "int8")], SHAPE, "int8", "tiles", (), a)
    yield "int8-sum-in-range", run, (add, pair, SHAPE, "int8", "tiles", (), each(lambda x, y: clip(-127, 127)(x + y), a, b))
    yield "int8-product-sign-magnitude", run, (mul, pair, SHAPE, "int32sm", "tiles", (), each(lambda x, y: x * y, a, b))
    yield "u8-copy", run, (COPY, [(bytes_a, "u8")], SHAPE, "u8", "tiles", (), bytes_a)
    yield "u8-sum-in-range", run, (add, [(bytes_a, "u8"), (bytes_b, "u8")], SHAPE, "u8", "tiles", (), each(lambda x, y: min(x + y, 255), bytes_a, bytes_b))
    text = matmul("typecast_tile_init<T_I8, T_I32>();", "typecast_tile<T_I8, T_I32>(0);", 2)
    yield "int8-matmul-to-int32", run, (text, pair, SHAPE, "int32", "tiles", (), product(a, b))
    text = matmul("abs_tile_init();", "abs_tile_int32(0); clamp_tile_int32(0, 100, 5000);", 2)
    yield "int8-matmul-functions", run, (text, pair, SHAPE, "int32sm", "tiles", (), each(lambda x: clip(100, 5000)(abs(x)), product(a, b)))
    yield "int32-to-int8", run, (cast("I32", "I8"), [(small, "int32")], SHAPE, "int8", "tiles", (), each(clip(-127, 127), small))
    # to UInt8 the low 8 bits, as the vendor's library; to Int8, which that does not have, the nearest number
    yield "int32-to-u8", run, (cast("I32", "U8"), [(i32, "int32")], SHAPE, "u8", "tiles", (), each(lambda x: x & 255, i32))
    u32 = integers(64, 64, 0, 2**32 - 1)
    yield "uint32-to-u8", run, (cast("U32", "U8"), [(u32, "uint32")], SHAPE, "u8", "tiles", (), each(lambda x: x & 255, u32))
    yield "uint32-to-int8", run, (cast("U32", "I8"), [(u32, "uint32")], SHAPE, "int8", "tiles", (), each(clip(0, 127), u32))
    yield "fp32-to-u8", run, (cast("F32", "U8"), [(each(lambda x: x * 3.75, small), "fp32")], SHAPE, "u8", "tiles", (),
                              each(lambda x: math.trunc(x * 3.75) & 255, small))
    # comparisons of integers without a sign
    v32 = each(lambda x, y: y if x % 3 else x, u32, integers(64, 64, 0, 2**32 - 1))
    take = "copy_tile(0, 0, 2); "
    compare = take + "lt_int_tile_init<DataFormat::UInt32>(); lt_int_tile<DataFormat::UInt32>(2, 1, 2); bitwise_or_binary_tile(3, 2, 3); "
    compare += take + "gt_int_tile_init<DataFormat::UInt32>(); gt_int_tile<DataFormat::UInt32>(2, 1, 2); left_shift_tile(2, 1); bitwise_or_binary_tile(3, 2, 3); "
    compare += take + "le_int_tile_init<DataFormat::UInt32>(); le_int_tile<DataFormat::UInt32>(2, 1, 2); left_shift_tile(2, 2); bitwise_or_binary_tile(3, 2, 3); "
    compare += take + "ge_int_tile_init<DataFormat::UInt32>(); ge_int_tile<DataFormat::UInt32>(2, 1, 2); left_shift_tile(2, 3); bitwise_or_binary_tile(3, 2, 3); "
    text = kernel("init_sfpu(0, 16); copy_tile_init(0); fill_tile_init();", "copy_tile(0, 0, 0); copy_tile(1, 0, 1); fill_tile_int<DataFormat::Int32>(3, 0); " + compare
                  + " copy_dest_values(3, 0);", 4, 2, include="compute_kernel_api")
    yield "uint32-comparisons", run, (text, [(u32, "uint32"), (v32, "uint32")], SHAPE, "uint32", "tiles", (),
                                      each(lambda x, y: (x < y) | (x > y) << 1 | (x <= y) << 2 | (x >= y) << 3, u32, v32))
    yield "int8-to-int32-refused", run, (COPY, [(a, "int8")], SHAPE, "int32", "tiles", (), None, 0, "typecast_tile<Int8, Int32>")
    yield "int32-to-int8-refused", run, (COPY, [(i32, "int32")], SHAPE, "int8", "tiles", (), None, 0, "typecast_tile<Int32, Int8>")
    # what reduce_tile leaves is defined everywhere
    x = integers(64, 64, -3, 3)
    ones = made(32, 32, lambda r, c: 1.0 if r == 0 and c < 16 else 0.0)
    for dim in "ROW", "COL", "SCALAR":
        for pool, reference in ("SUM", sum), ("MAX", max):
            want = each(lambda v: -v, reduced(x, dim, reference))
            yield f"reduce-{dim}-{pool}-negative".lower(), run, (reduction(dim, pool, "negative_tile_init(); negative_tile(0);"), [(x, "bf16"), (ones, "bf16")], SHAPE, "bf16",
                                                                  "tiles", (), want, 0.02)
        yield f"reduce-{dim}-sum-32".lower(), run, (reduction(dim, "SUM", "negative_tile_init(); negative_tile(0);"), [(x, "fp32"), (ones, "fp32")], SHAPE, "fp32", "tiles", (),
                                                    each(lambda v: -v, reduced(x, dim, sum)), 1e-5)
    # rows of numbers, of any width
    for form, widths in ("bf16", (3, 10)), ("fp32", (4, 9)), ("uint16", (4, 10)), ("int32", (7,)), ("fp16", (10,)), ("int8", (4,)):
        for tiles in widths:
            values = floats(32, 32 * tiles) if TYPES[form] == "f4" else integers(32, 32 * tiles, -127 if form == "int8" else 0, 127)
            text = blocks("untilize_init(0);", f"untilize_block(0, {tiles}, 16); untilize_uninit(0);", tiles)
            yield f"untilize-{form}-{tiles}", run, (text, [(values, form)], (32, 32 * tiles), form, "rows", (), values)
            if tiles != 4:
                continue
            text = blocks("pack_untilize_init<4>(0, 16);", "pack_untilize_block<4>(0, 1, 16); pack_untilize_uninit(16);", tiles)
            yield f"pack-untilize-{form}", run, (text, [(values, form)], (32, 128), form, "rows", (), values)
    values = floats(32, 320)
    text = blocks("untilize_init(0);", "untilize_block(0, 10, 16);", 10)
    yield "untilize-bfp8", run, (text, [(values, "bfp8")], (32, 320), "bf16", "rows", (), values, 0.035)
    wide16 = integers(32, 256, 0, 65535)
    for tiles in 4, 8:
        part = [row[: 32 * tiles] for row in wide16]
        text = blocks("untilize_init(0);", f"untilize_block(0, {tiles}, 16);", tiles)
        yield f"untilize-uint16-32-{tiles}", run, (text, [(part, "uint16")], (32, 32 * tiles), "uint16", "rows", WIDE, part)
    # the product and ReLU in one kernel: by the vector unit, by the packer
    m, n = integers(64, 128, -7, 7), integers(128, 64, -7, 7)
    want = each(lambda v: max(v, 0), product(m, n))
    for form in "bf16", "bfp8":
        for way, start, body in ("unit", "relu_tile_init();", "relu_tile(0);"), ("packer", "PACK((llk_pack_relu_config(ReluType::ZERO_RELU)));", ""):
            yield f"matmul-relu-{way}-{form}", run, (matmul(start, body, 4), [(m, form), (n, form)], SHAPE, "fp32", "tiles", (), want,
                                                     0.005)
    # Softmax of 64 rows: reductions, broadcasts and functions in one kernel. The column of 1 / sum has 1 / 0 beside it, and infinity would take
    # the exponent that bfp8 shares among 16 numbers, so the two columns are bf16. SrcA holds ten bits of fp32, in three operations.
    values = floats(64, 128)
    for form, powers, tolerance in ("bf16", "bf16", 0.003), ("fp32", "fp32", 2e-4), ("bfp8", "bfp8", 0.004), ("bfp8", "bf16", 0.004):
        column = "bf16" if form == "bfp8" else form
        more = [f"24 1 {column}", f"25 4 {powers}", f"26 1 {column}"]
        yield f"softmax-{form}-{powers}", run, (SOFTMAX, [(values, form), (ones, form)], (64, 128), form, "tiles", (), softmax(rounded(values, form)), tolerance,
                                                None, more)
    yield "hash", hash_of_buffer, (i32,)


def rounded(m, form):
    """What bfp8 keeps of numbers: seven bits under the largest exponent of each 16 numbers of a row; other formats hold them."""
    if form != "bfp8":
        return m

    def row_of(row):
        out = []
        for first in range(0, len(row), 16):
            step = 2.0 ** (math.floor(math.log2(max(abs(x) for x in row[first : first + 16]))) - 6)
            out += [math.copysign(min(127, math.floor(abs(x) / step + 0.5)) * step, x) for x in row[first : first + 16]]
        return out

    return [row_of(row) for row in m]


def hash_of_buffer(name, numbers):
    """hash_cb_sfpu: 32 lanes of four rows and eight columns each, in the order of Dst; the exclusive or of the packed tile is that of the lanes."""
    text = """#include "api/compute/debug/cb_hash.h"
void kernel_main() {
  unary_op_init_common(0, 16);
  copy_tile_init(0);
  tile_regs_acquire();
  hash_cb_sfpu(0, 4);
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(16, 1);
  pack_tile(0, 16);
  cb_push_back(16, 1);
  tile_regs_release();
}
"""
    lanes = [0x1C9DC5] * 32
    for t in range(4):
        tile = tile_of(numbers, t // 2 * 32, t % 2 * 32)
        rows = [tile[face // 2 * 16 + r][face % 2 * 16 : face % 2 * 16 + 16] for face in range(4) for r in range(16)]
        for group in range(0, 64, 4):
            for odd in 0, 1:
                for lane in range(32):
                    lanes[lane] = ((lanes[lane] ^ rows[group + lane // 8][lane % 8 * 2 + odd]) & 0x7FFFFF) * 0x193 & 0x7FFFFF
    want = made(32, 32, lambda r, c: lanes[8 * r + c // 2] if r < 4 and c < 16 and c % 2 == 0 else 0)
    return run(name, text, [(numbers, "int32")], (32, 32), "int32", "tiles", ["DEBUG_CB_HASH"], want)


chosen = [case for case in all_cases() if not CHOSEN or case[0] in CHOSEN]
print(f"1..{len(chosen)}", flush=True)
failed = 0
for number, (name, function, arguments) in enumerate(chosen, 1):
    wrong = function(name, *arguments)
    failed += wrong is not None
    print(f"{'not ok' if wrong else 'ok'} {number} - {name}" + (f"\n# {wrong}" if wrong else ""), flush=True)
sys.exit(failed > 0)
