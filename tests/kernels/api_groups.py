"""The cases of tests/kernels/api_cases.py: groups of calls of the C++ compute API with their expected results in plain arithmetic.

A group is one kernel. Its cases run one after the other in one launch, so each init also has to undo what the case before has set. A case
is (name, text, result, scale): it makes four tiles (64 x 64 numbers, tiles in rows of two) from those of buffers 0 and 1 (A and B); None in its
result is not compared; an error is a part of its scale, without one of 1 + |result|. Buffer 2
has two scaler tiles, of 1 and of 1/32. tests/kernel_audit.py reads the names that the cases call."""
import math

from api_matrices import each, made, tile_of

N = range(64)
# Seven significant bits in steps of 1/16: bf16, fp16, bfp8, TF32 and fp32 hold them.
A = made(64, 64, lambda i, j: ((i * 37 + j * 11) % 128 - 64) / 16)
B = made(64, 64, lambda i, j: ((i * 13 + j * 29) % 64 - 20) / 16)
IA = made(64, 64, lambda i, j: (i * 7919 + j * 104729) % 20011 - 10000)
IB = made(64, 64, lambda i, j: (i * 31 + j * 17) % 301 - 150)
SCALERS = made(32, 64, lambda i, j: 0.0 if i or j % 32 >= 16 else 1.0 if j < 32 else 1 / 32)


class Config:
    """Formats of A, B and the result, the width of Dst, settings; tolerance: of an error."""

    def __init__(self, name, a, b, out, wide, tolerance, defines=()):
        self.name, self.a, self.b, self.out, self.wide, self.tolerance, self.defines = name, a, b, out, wide, tolerance, list(defines)


BF16 = Config("bf16", "bf16", "bf16", "bf16", 0, 2**-8)
BF16_32 = Config("bf16-dst32", "bf16", "bf16", "bf16", 1, 2**-8)
FP32 = Config("fp32", "fp32", "fp32", "fp32", 1, 1e-6)
FP32_16 = Config("fp32-dst16", "fp32", "fp32", "bf16", 0, 2**-8)
FP16 = Config("fp16", "fp16", "fp16", "fp16", 0, 2**-10)
BFP8 = Config("bfp8", "bfp8", "bfp8", "bfp8", 0, 0.07)
BFP8_IN = Config("bfp8-bf16", "bfp8", "bfp8", "bf16", 0, 2**-8)
MIXED = Config("bf16-bfp8-fp32", "bf16", "bfp8", "fp32", 1, 1e-6)
INT32 = Config("int32", "int32", "int32", "int32", 1, 0)
TO_DST = Config("fp32-to-dst", "fp32", "fp32", "fp32", 1, 0, ["UNPACK_TO_DST=1"])
UINT16 = Config("uint16", "uint16", "uint16", "uint16", 0, 0)
FULL = Config("bf16-dst-full", "bf16", "bf16", "bf16", 0, 2**-8, ["DST_SYNC_FULL=1"])
FLOATS = [BF16, BF16_32, FP32, FP32_16, FP16, BFP8, MIXED]


def fidelity(name, phases):
    return Config(name, "bf16", "bf16", "fp32", 1, 1e-6, [f"MATH_FIDELITY={phases}"])


LOFI, HIFI2, HIFI3 = fidelity("lofi", 0), fidelity("hifi2", 2), fidelity("hifi3", 3)


def kept(x, bits):
    """The number without what a fidelity phase leaves out: `bits` significant bits remain."""
    if x == 0:
        return x
    step = 2.0 ** (math.floor(math.log2(abs(x))) + 1 - bits)
    return math.trunc(x / step) * step


def t(i):
    """Where the tile begins."""
    return i // 32 * 32


def by_place(f):
    """f(a, b, i, j) of the matrices and the place."""
    return lambda a, b: made(64, 64, lambda i, j: f(a, b, i, j))


def turned(m):
    return made(64, 64, lambda i, j: m[t(i) + j % 32][t(j) + i % 32])


def per_tile(f, m):
    """f of each tile, which has 32 x 32 numbers or None."""
    tiles = {(r, c): f(tile_of(m, r, c)) for r in (0, 32) for c in (0, 32)}
    return made(64, 64, lambda i, j: tiles[t(i), t(j)][i % 32][j % 32])


def row_major(m):
    """How 64 x 64 numbers, untilized by blocks of 32 rows, look if their pages are read as tiles."""
    flat = [m[t(r) + k // 64 % 32][k % 64] for r in (0, 32) for k in range(2048)]

    def number(i, j):
        page = i // 32 * 2 + j // 32
        face = i % 32 // 16 * 2 + j % 32 // 16
        return flat[1024 * page + 256 * face + i % 16 * 16 + j % 16]

    return made(64, 64, number)


ELW = {"add": "ELWADD", "sub": "ELWSUB", "mul": "ELWMUL"}
PLACES = {"rows": "ROW", "cols": "COL", "scalar": "SCALAR"}


def spread(b, place, i, j):
    return b[t(i) if place != "cols" else i][t(j) if place != "rows" else j]


def binary(op):
    """Of one operation: every init with every form of the call."""
    f = {"add": lambda x, y: x + y, "sub": lambda x, y: x - y, "mul": lambda x, y: x * y}[op]
    plain = by_place(lambda a, b, i, j: f(a[i][j], b[i][j]))
    twice = by_place(lambda a, b, i, j: 2 * f(a[i][j], b[i][j]))
    cases = [
        ("init", f"{op}_init(a, b); each([](uint32_t i) {{ {op}_tiles(a, b, i, i, 0); }});", plain),
        ("init-onto", f"{op}_init(a, b, true); each([](uint32_t i) {{ {op}_tiles(a, b, i, i, 0); {op}_tiles(a, b, i, i, 0); }});", twice),
        ("block", f"{op}_tiles_init(a, b); pairs([](uint32_t i) {{ {op}_block(a, b, i, i, 0, 2); }});", plain),
        ("binary_tiles_init", f"binary_tiles_init<true, {ELW[op]}>(a, b); each([](uint32_t i) {{ {op}_tiles(a, b, i, i, 0); }});", plain),
        ("scalar_init_short", f"{op}_tiles_bcast_scalar_init_short(a, b); each([](uint32_t i) {{ {op}_tiles_bcast_scalar(a, b, i, i, 0); }});",
         by_place(lambda a, b, i, j: f(a[i][j], b[t(i)][t(j)]))),
    ]
    for place, kind in PLACES.items():
        want = by_place(lambda a, b, i, j, place=place: f(a[i][j], spread(b, place, i, j)))
        call = "each([](uint32_t i) { %s(a, b, i, i, 0); });"
        cases += [
            (f"bcast_{place}", f"{op}_bcast_{place}_init(a, b); " + call % f"{op}_tiles_bcast_{place}", want),
            (f"bcast_{place}_short", f"{op}_bcast_{place}_init_short(a, b); " + (call % f"{op}_tiles_bcast<BroadcastType::{kind}>").replace("i, 0)", "i, 0, 0)"), want),
            (f"any-bcast_{place}", f"bcast_init<{ELW[op]}, BroadcastType::{kind}>(a, b); " + call % f"any_tiles_bcast<{ELW[op]}, BroadcastType::{kind}>", want),
        ]
    for side in "SRCA", "SRCB":
        from_dst = "EltwiseBinaryReuseDestType::DEST_TO_" + side
        want = by_place(lambda a, b, i, j, side=side: f(a[i][j], b[i][j]) if side == "SRCA" else f(b[i][j], a[i][j]))
        for name, init, call in (
            ("reuse", f"{op}_reuse_dest_init<{from_dst}>", f"{op}_reuse_dest_tiles<{from_dst}>"),
            ("binary-reuse", f"binary_reuse_dest_init<{ELW[op]}, {from_dst}>", f"binary_reuse_dest_tiles<{ELW[op]}, {from_dst}>"),
            ("dest-reuse", f"binary_dest_reuse_tiles_init<{ELW[op]}, {from_dst}>", f"binary_dest_reuse_tiles<{ELW[op]}, {from_dst}>"),
        ):
            body = f"each([](uint32_t i) {{ copy_tile_to_dst_init_short(a); copy_tile(a, i, 0); {init}(b); {call}(b, i, 0); }});"
            cases.append((f"{name}-{side.lower()}", body, want))
    cases.append(("init_bcast", f"init_bcast<{ELW[op]}, BroadcastType::COL>(a, b, out); each([](uint32_t i) {{ {op}_tiles_bcast_cols(a, b, i, i, 0); }});",
                  by_place(lambda a, b, i, j: f(a[i][j], b[i][t(j)]))))
    return cases


def fidelities():
    """Products with fewer phases: SrcA has five significant bits in the first, SrcB seven."""
    def mul(bits_a):
        return by_place(lambda a, b, i, j: kept(a[i][j], bits_a) * kept(b[i][j], 7))

    def matmul(bits_b):  # in1 feeds SrcA
        return by_place(lambda a, b, i, j: sum(kept(a[i][k], 7) * kept(b[k][j], bits_b) for k in N))

    text = [("mul", "mul_init(a, b); each([](uint32_t i) { mul_tiles(a, b, i, i, 0); });", mul, None),
            ("matmul", "matmul_init(a, b); each([](uint32_t i) { for (uint32_t k = 0; k < 2; k++) matmul_tiles(a, b, i / 2 * 2 + k, 2 * k + i % 2, 0); });", matmul, terms)]
    return {"lofi": [(n, body, f(5), scale) for n, body, f, scale in text], "hifi2": [(n, body, f(10), scale) for n, body, f, scale in text]}


def terms(a, b):
    """The sum of the products' magnitudes, of which an error is a part."""
    return made(64, 64, lambda i, j: 1 + sum(abs(a[i][k] * b[k][j]) for k in N))


def matmuls():
    return [case + (terms,) for case in matmul_cases()]


def matmul_cases():
    straight = by_place(lambda a, b, i, j: sum(a[i][k] * b[k][j] for k in N))
    transposed = by_place(lambda a, b, i, j: sum(a[i][k] * b[t(k) + j % 32][t(j) + k % 32] for k in N))
    upper = by_place(lambda a, b, i, j: sum(a[i % 32][k] * b[k][j] for k in N))
    tiles = " each([](uint32_t i) { for (uint32_t k = 0; k < 2; k++) matmul_tiles(a, b, i / 2 * 2 + k, 2 * k + i % 2, 0END); });"
    cases = []
    for name, init, end in (
        ("mm_init", "mm_init(a, b, out);", ""), ("mm_init-4", "mm_init(a, b, out, 0);", ", 0"), ("matmul_init", "matmul_init(a, b);", ""),
        ("mm_init_short", "mm_init_short(a, b, 0);", ""), ("with_dt", "mm_init_short_with_dt(a, b, out);", ""),
        ("with_both_dt", "mm_init_short_with_both_dt(a, b, out, out);", ""),
    ):
        cases.append((name, init + tiles.replace("END", end), straight))
    for name, init in (
        ("mm_init-t", "mm_init(a, b, out, 1);"), ("matmul_init-t", "matmul_init(a, b, 1);"), ("mm_init_short-t", "mm_init_short(a, b, 1);"),
        ("with_dt-t", "mm_init_short_with_dt(a, b, out, 1);"), ("with_both_dt-t", "mm_init_short_with_both_dt(a, b, out, out, 1);"),
    ):
        cases.append((name, init + tiles.replace("END", ""), transposed))
    block = " block([] { for (uint32_t k = 0; k < 2; k++) %s }, %s);"
    whole = "matmul_block(a, b, k, 2 * k, 0, %d, 2, 2, 2);"
    packs = ["[] { pack_block(0, out, 4); }", "[] { matmul_pack_tile(0, out, 4); }", "[] { pack_tile_block(0, out, 4); }",
             "[] { for (uint32_t i = 4; i-- > 0;) pack_tile<true>(i, out, i); }"]
    for turn in 0, 1:
        for number, (name, init) in enumerate((
            ("mm_block_init", f"mm_block_init(a, b, out, {turn}, 2, 2, 2);"), ("matmul_block_init", f"matmul_block_init(a, b, {turn}, 2, 2, 2);"),
            ("block_short", f"mm_block_init_short(a, b, {turn}, 2, 2, 2);"), ("block_with_dt", f"mm_block_init_short_with_dt(a, b, out, {turn}, 2, 2, 2);"),
            ("block_with_both_dt", f"mm_block_init_short_with_both_dt(a, b, out, out, {turn}, 2, 2, 2);"),
        )):
            cases.append((name + "-t" * turn, init + block % (whole % turn, packs[number % 4]), transposed if turn else straight))
    own = "UNPACK(llk_unpack_AB_matmul_block(a, b, k, 2 * k, 2, 2, 2);) matmul_block_math_dynamic_throttle(a, b, 0, 0, 2, 2);"
    cases.append(("dynamic_throttle", "matmul_block_init(a, b, 0, 2, 2, 2);" + block % ("{ " + own + " }", packs[0]), straight))
    two = "pairs([](uint32_t i) { for (uint32_t k = 0; k < 2; k++) matmul_block(a, b, k, 2 * k, 0, 0, 2, 1, 2); });"
    cases.append(("block-1x2", "matmul_block_init(a, b, 0, 2, 1, 2); " + two, upper))
    two = "pairs([](uint32_t i) { for (uint32_t k = 0; k < 2; k++) matmul_block(a, b, k, 2 * k, 0, 0, 1, 2, 2); });"
    # both tiles of a pair are those of a column
    cases.append(("block-2x1", "matmul_block_init(a, b, 0, 1, 2, 2); " + two,
                  column_pairs))
    return cases


def column_pairs(a, b):
    first = [[sum(a[i][k] * b[k][j] for k in N) for j in range(32)] for i in N]
    return made(64, 64, lambda i, j: first[i % 32 + t(j)][j % 32])


COPY = "each([](uint32_t i) { copy_tile(a, i, 0); });"


def copies(with_matrix_unit):
    """Everything that keeps the numbers; broadcasts by the matrix unit take floats only."""
    same = by_place(lambda a, b, i, j: a[i][j])
    turn = lambda a, b: turned(a)
    two = "pairs([](uint32_t i) { %s });"
    cases = [
        ("copy_tile_init", "copy_tile_init(a); " + COPY, same),
        ("init_sfpu", "init_sfpu(a, out); " + COPY, same),
        ("unary_op_init_common", "unary_op_init_common(a, out); " + COPY, same),
        ("no_pack", "unary_op_init_common_no_pack(a); " + COPY, same),
        ("dst_init_short", "copy_tile_to_dst_init_short(a); " + COPY, same),
        ("with_dt", "copy_tile_to_dst_init_short_with_dt(b, a); " + COPY, same),
        ("copy_block", "copy_tile_init(a); " + two % "copy_block(a, i, 0, 2);", same),
        ("partials", "copy_tile_init(a); " + two % "copy_block_matmul_partials(a, i, 0, 2);", same),
        ("older-pair", "copy_tile_init(a); for (uint32_t i = 0; i < 4; i++) { acquire_dst(); copy_tile(a, i, 0); cb_reserve_back(out, 1); "
                       "pack_tile(0, out); cb_push_back(out, 1); release_dst(); }", same),
        ("pack_init", "copy_tile_init(a); pack_init(out); " + COPY, same),
        ("copy_dest_values", "copy_tile_init(a); copy_dest_values_init(); each_from(3, [](uint32_t i) { copy_tile(a, i, 0); copy_dest_values(0, 3); });", same),
        ("dst_init_short-t", "copy_tile_to_dst_init_short(a, 1); " + COPY, turn),
        ("with_dt-t", "copy_tile_to_dst_init_short_with_dt(b, a, 1); " + COPY, turn),
        ("transpose_wh", "transpose_wh_init_short(a); each([](uint32_t i) { transpose_wh_tile(a, i, 0); });", turn),
        ("transpose_wh_init", "transpose_wh_init(a, out); each([](uint32_t i) { transpose_wh_tile(a, i, 0); });", turn),
        ("transpose_tile", "transpose_init(a); each([](uint32_t i) { transpose_tile(a, i, 0); });", turn),
        ("transpose_block", "transpose_init(a); " + two % "transpose_block(a, i, 0, 2);", turn),
    ]
    if not with_matrix_unit:
        return cases
    in_dst = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); %s });"
    cases += [
        ("transpose_dest", in_dst % "transpose_dest_init(); transpose_dest(0);", turn),
        ("transpose_wh_dest", in_dst % "transpose_wh_dest_init_short(); transpose_wh_dest(0);", turn),
        ("transpose_faces", in_dst % "transpose_dest_init<false, false>(); transpose_dest<false, false>(0);",
         by_place(lambda a, b, i, j: a[i // 16 * 16 + j % 16][j // 16 * 16 + i % 16])),
    ]
    for place, kind in PLACES.items():
        cases.append((f"unary_bcast_{place}", f"unary_bcast_init<BroadcastType::{kind}>(a, out); each([](uint32_t i) {{ unary_bcast<BroadcastType::{kind}>(a, i, 0); }}); "
                      f"unary_bcast_uninit<BroadcastType::{kind}>(a);", by_place(lambda a, b, i, j, place=place: spread(a, place, i, j))))
    cases.append(("unary_bcast_init-1", "unary_bcast_init<BroadcastType::ROW>(a); each([](uint32_t i) { unary_bcast<BroadcastType::ROW>(a, i, 0); });",
                  by_place(lambda a, b, i, j: a[t(i)][j])))
    return cases


def reconfigurations():
    """A and B differ in their formats: the call replaces what the init has set."""
    both = by_place(lambda a, b, i, j: 2 * b[i][j])
    mixed = by_place(lambda a, b, i, j: a[i][j] + b[i][j])
    both_text, mixed_text = "each([](uint32_t i) { add_tiles(b, b, i, i, 0); });", "each([](uint32_t i) { add_tiles(a, b, i, i, 0); });"
    cases = []
    for name in "reconfig_data_format", "reconfig_full_operand", "reconfig_df_both", "reconfig_data_format_skip_int8":
        cases.append((name, f"add_init(a, a); {name}(b, b); " + both_text, both))
        cases.append((name + "-4", f"add_init(a, a); {name}(a, b, a, b); " + both_text, both))
    cases.append(("reconfig_df_both<>", f"add_init(a, a); reconfig_df_both<false, true>(a, b, a, b); reconfig_df_both<false, false>(b, b); " + both_text, both))
    for name in "reconfig_data_format_%s", "reconfig_full_operand_%s", "reconfig_df_%s", "reconfig_data_format_%s_skip_int8":
        for side, one in ("srca", "a"), ("srcb", "b"):
            other = "b" if one == "a" else "a"
            cases.append((name % side, f"add_init({other}, {other}); {name % side}({one}); " + mixed_text, mixed))
            if name == "reconfig_df_%s":
                cases.append((name % side + "<>", f"add_init({other}, {other}); {name % side}<false, false>({other}, {one}); " + mixed_text, mixed))
            cases.append((name % side + "-2", f"add_init({other}, {other}); {name % side}({other}, {one}); " + mixed_text, mixed))
    shapes = "reconfig_tile_shape(a, b); reconfig_tile_shape(b, a, a, b); reconfig_tile_shape_srca(a); reconfig_tile_shape_srcb(a, b); "
    shapes += "reconfig_ts_both(a, b); reconfig_ts_both(a, a, b, b); reconfig_ts_srca(b, a); reconfig_ts_srcb(b); "
    cases.append(("tile-shapes", "add_init(a, b); " + shapes + mixed_text, mixed))
    # the packer: a tile to the buffer between, which has B's format, then the output's format again
    there = "copy_tile_to_dst_init_short_with_dt(out, a); each([](uint32_t i) { copy_tile(a, i, 0); tile_regs_commit(); tile_regs_wait(); pack_reconfig_data_format(between); "
    there += "cb_reserve_back(between, 1); pack_tile(0, between); cb_push_back(between, 1); %s tile_regs_release(); cb_wait_front(between, 1); copy_tile_to_dst_init_short_with_dt(a, between); "
    there += "tile_regs_acquire(); copy_tile(between, 0, 0); cb_pop_front(between, 1); copy_tile_to_dst_init_short_with_dt(between, a); });"
    same = by_place(lambda a, b, i, j: a[i][j])
    cases.append(("pack_reconfig_data_format", there % "pack_reconfig_data_format(out);", same))
    cases.append(("pack_reconfig_data_format-2", there % "pack_reconfig_data_format(between, out);", same))
    cases.append(("hw_startup", "compute_kernel_hw_startup(a, b, out); add_init(a, b); " + mixed_text, mixed))
    cases.append(("hw_startup-reverse", "compute_kernel_hw_startup<SrcOrder::Reverse>(a, b, out); matmul_init(a, b); "
                  "each([](uint32_t i) { matmul_tiles(a, b, i, i, 0); });",
                  lambda a, b: made(64, 64, lambda i, j: sum(a[i][t(j) + k] * b[t(i) + k][j] for k in range(32))), terms))
    return cases


def orders():
    """Which of SrcA and SrcB the first buffer feeds: add_tiles needs A's format in SrcA, and the init has set B's."""
    mixed = by_place(lambda a, b, i, j: a[i][j] + b[i][j])
    add = "each([](uint32_t i) { add_tiles(a, b, i, i, 0); });"
    cases = []
    for name in "reconfig_data_format", "reconfig_full_operand", "reconfig_data_format_skip_int8":
        for order, first, second in ("Regular", "a", "b"), ("Reverse", "b", "a"):
            cases.append((f"{name}-{order}", f"add_init(b, a); {name}<SrcOrder::{order}>({first}, {second}); " + add, mixed))
            cases.append((f"{name}-{order}-4", f"add_init(b, a); {name}<ckernel::SrcOrder::{order}>({second}, {first}, {first}, {second}); " + add, mixed))
    shapes = "reconfig_tile_shape<SrcOrder::Reverse>(b, a); reconfig_tile_shape<SrcOrder::Regular>(b, a, a, b); "
    packs = "pack_reconfig_data_format<true>(b); pack_reconfig_data_format<false>(b, out); "
    cases.append(("tile-shapes", "add_init(a, b); " + shapes + packs + add, mixed))
    for side in "srca", "srcb": # the math core follows by the call of both
        old, new = ("b", "a") if side == "srca" else ("a", "b")
        part = f"llk_unpack_reconfig_data_format_{side}"
        both = f"MATH((reconfig_data_format_{side}({new}))); "
        start = f"add_init({old}, {old}); "
        cases.append((part, start + f"UNPACK(({part}({new}))); " + both + add, mixed))
        cases.append((part + "-2", start + f"UNPACK(({part}<DST_ACCUM_MODE, p_dim_stride_target::IGNORE>({old}, {new}))); " + both + add, mixed))
    cases.append(("hw_startup-Regular", "compute_kernel_hw_startup<SrcOrder::Regular>(a, b, out); add_init(a, b); " + add, mixed))
    return cases


def pooled(pool, dim):
    def of(tile):
        f = {"SUM": sum, "AVG": lambda x: sum(x) / 32, "MAX": max}[pool]
        if dim == "ROW":
            return [[f(row) if c == 0 else None for c in range(32)] for row in tile]
        if dim == "COL":
            return [[f([row[c] for row in tile]) if r == 0 else None for c in range(32)] for r in range(32)]
        every = [x for row in tile for x in row]
        return [[f(every) if r == c == 0 else None for c in range(32)] for r in range(32)]

    return lambda a, b: per_tile(of, a)


def reductions():
    cases = []
    for pool in "SUM", "AVG", "MAX":
        for dim in "ROW", "COL", "SCALAR":
            options = f"<PoolType::{pool}, ReduceDim::REDUCE_{dim}>"
            scaler = 1 if pool == "AVG" else 0
            cases.append((f"{pool}-{dim}".lower(), f"reduce_init{options}(a, scalers, out); each([](uint32_t i) {{ reduce_tile{options}(a, scalers, i, {scaler}, 0); }}); "
                          "reduce_uninit();", pooled(pool, dim)))
    options = "<PoolType::SUM, ReduceDim::REDUCE_ROW>"
    cases.append(("block", f"reduce_init{options}(a, scalers, out); pairs([](uint32_t i) {{ reduce_block{options}(a, scalers, i, 0, 0, 2); }}); reduce_uninit();", pooled("SUM", "ROW")))
    cases.append(("two-onto-one", f"reduce_init{options}(a, scalers, out); each([](uint32_t i) {{ reduce_tile{options}(a, scalers, i / 2 * 2, 0, 0); "
                  f"reduce_tile{options}(a, scalers, i / 2 * 2 + 1, 0, 0); }}); reduce_uninit();",
                  by_place(lambda a, b, i, j: sum(a[i]) if j % 32 == 0 else None)))
    # several tiles onto one number: three of A, then two with only numbers below 0, of which the first or the second has the largest
    options = "<PoolType::MAX, ReduceDim::REDUCE_SCALAR>"
    several = f"reduce_init{options}(%s, scalers, out); each([](uint32_t i) {{ for (uint32_t k = 0; k < %d; k++) reduce_tile{options}(%s, scalers, (i + k) %% 4, 0, 0); }}); "

    def largest(matrix, tiles):
        numbers = [max(x for row in tile_of(matrix, 32 * (n // 2), 32 * (n % 2)) for x in row) for n in range(4)]
        return made(64, 64, lambda i, j: max(numbers[(i // 32 * 2 + j // 32 + k) % 4] for k in range(tiles)) if i % 32 == j % 32 == 0 else None)

    cases.append(("max-scalar-three-onto-one", several % ("a", 3, "a") + "reduce_uninit();", lambda a, b: largest(a, 3)))
    bits, limits = (0xC0400000, 0xBF800000, 0xC0200000, 0xBF000000), (-3, -1, -2.5, -0.5)
    below = f"const uint32_t limits[] = {{{', '.join(map(hex, bits))}}}; copy_tile_init(a); unary_min_tile_init(); pack_reconfig_data_format(between); "
    below += "for (uint32_t i = 0; i < 4; i++) { tile_regs_acquire(); copy_tile(a, i, 0); unary_min_tile(0, limits[i]); tile_regs_commit(); tile_regs_wait(); "
    below += "cb_reserve_back(between, 1); pack_tile(0, between); cb_push_back(between, 1); tile_regs_release(); } cb_wait_front(between, 4); pack_reconfig_data_format(out); "
    cases.append(("max-scalar-two-negative", below + several % ("between", 2, "between") + "reduce_uninit(); cb_pop_front(between, 4);",
                  lambda a, b: largest(made(64, 64, lambda i, j: min(a[i][j], limits[i // 32 * 2 + j // 32])), 2)))
    return cases


def block_maxima():
    widest = by_place(lambda a, b, i, j: max(a[i]) if j % 32 == 0 else None)
    cases = []
    for name, end in ("init", ""), ("reinit_short", ""), ("reinit_minimal", ""):
        call = "each([](uint32_t i) { reduce_block_max_row<2>(a, scalers, i / 2 * 2, 0); }); reduce_block_max_row_uninit(a);"
        cases.append((name, f"reduce_block_max_row_{name}<2>(out); " + call, widest))
        call = "each([](uint32_t i) { reduce_block_max_row_runtime(a, scalers, i / 2 * 2, 0); }); reduce_block_max_row_uninit_runtime(a);"
        cases.append((name + "_runtime", f"reduce_block_max_row_{name}_runtime(out, 2); " + call, widest))
    shape = "static constexpr auto shape = tensor_shape_from_num_faces(); "
    call = "each([](uint32_t i) { reduce_block_max_row<2>(shape, a, scalers, i / 2 * 2, 0); }); reduce_block_max_row_uninit(a);"
    cases.append(("init-shape", shape + "reduce_block_max_row_init<2>(shape, out); " + call, widest))
    call = "each([](uint32_t i) { reduce_block_max_row_runtime(DEFAULT_TENSOR_SHAPE, a, scalers, i / 2 * 2, 0); }); reduce_block_max_row_uninit_runtime(a);"
    cases.append(("init_runtime-shape", "reduce_block_max_row_init_runtime(make_tensor_shape(16, 16, 2, 2), out, 2); " + call, widest))
    # the rows of numbers that untilize makes, tilized into SrcA again: the maximum of each column
    rows = "untilize_rows(); tilizeA_B_reduce_init(between, scalers, 2); for (uint32_t r = 0; r < 2; r++) { tile_regs_acquire(); "
    rows += "unpack_tilizeA_B_block(between, scalers, 2, 0); reduce_tile_math<PoolType::MAX, ReduceDim::REDUCE_COL>(0); reduce_tile_math<PoolType::MAX, ReduceDim::REDUCE_COL>(1, DEFAULT_TENSOR_SHAPE); "
    rows += "cb_pop_front(between, 2); finish_pair(); } unpack_tilizeA_B_uninit(between);"
    cases.append(("tilizeA_B", rows, pooled("MAX", "COL")))
    return cases


def tilizes():
    """Both ways: the output's pages hold rows of numbers; and back, which gives the tiles again."""
    same, rows = by_place(lambda a, b, i, j: a[i][j]), lambda a, b: row_major(a)
    upper = lambda a, b: row_major(a[:32] + a[:32])  # untilize_block takes the tiles at the front
    by_row = "for (uint32_t r = 0; r < 2; r++) { cb_reserve_back(out, 2); %s cb_push_back(out, 2); } "
    cases = [
        ("untilize", "untilize_init(a); for (uint32_t r = 0; r < 2; r++) { cb_reserve_back(out, 2); untilize_block(a, 2, out); cb_push_back(out, 2); } untilize_uninit(a);", upper),
        ("untilize<2>", "untilize_init(a); for (uint32_t r = 0; r < 2; r++) { cb_reserve_back(out, 2); untilize_block<2>(a, 2, out); cb_push_back(out, 2); } untilize_uninit(a);", upper),
        ("pack_untilize", "pack_untilize_init<2>(a, out); cb_reserve_back(out, 4); pack_untilize_block<2>(a, 2, out); cb_push_back(out, 4); pack_untilize_uninit(out);", rows),
        ("pack_untilize-remap", "pack_untilize_init_skip_remap<2>(a, out); cb_reserve_back(out, 4); pack_untilize_block<2>(a, 2, out); cb_push_back(out, 4); pack_untilize_uninit(out);", rows),
        ("pack_untilize_dest", "copy_tile_init(a); pack_untilize_dest_init<2>(out); for (uint32_t r = 0; r < 2; r++) { tile_regs_acquire(); copy_block(a, 2 * r, 0, 2); "
         "tile_regs_commit(); tile_regs_wait(); cb_reserve_back(out, 2); pack_untilize_dest<2>(out); cb_push_back(out, 2); tile_regs_release(); } pack_untilize_uninit(out);", rows),
        ("fast_untilize", "fast_untilize_init<2>(a, out); " + by_row % "fast_untilize_block<2>(a, out, 2 * r, 0);" + "fast_untilize_uninit<2>(out);", rows),
        ("fast_untilize-remap", "fast_untilize_init_skip_remap<2>(a, out); " + by_row % "fast_untilize_block<2>(a, out, 2 * r);" + "fast_untilize_uninit<2>(out);", rows),
    ]
    for name, init, call, end in (
        ("tilize_init", "tilize_init(between, 2, out);", "tilize_block", "tilize_uninit(between, out);"),
        ("tilize_init_short", "tilize_init_short(between, 2, out);", "tilize_block", "tilize_uninit_with_dt(between, a, out);"),
        ("tilize_with_dt", "tilize_init_short_with_dt(a, between, 2, out);", "tilize_block", "tilize_uninit(between, out);"),
        ("fast_tilize", "fast_tilize_init(between, 2, out);", "fast_tilize_block", "fast_tilize_uninit(between, out);"),
        ("fast_tilize_with_dt", "fast_tilize_init_with_dt(between, 2, out);", "fast_tilize_block", "fast_tilize_uninit(between, out, a);"),
        ("fast_tilize-remap", "fast_tilize_init_skip_remap(between, 2, out);", "fast_tilize_block", "fast_tilize_uninit(between, out);"),
        ("fast_tilize_with_dt-remap", "fast_tilize_init_with_dt_skip_remap(between, 2, out);", "fast_tilize_block", "fast_tilize_uninit(between, out);"),
    ):
        cases.append((name, f"untilize_rows(); {init} for (uint32_t r = 0; r < 2; r++) {{ cb_reserve_back(out, 2); {call}(between, 2, out); cb_push_back(out, 2); cb_pop_front(between, 2); }} {end}", same))
    return cases


def rows_of_tiles():
    """The vector unit on rows and columns."""
    take = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); %s });"
    cases = []
    for op, f in ("add", lambda x, y: x + y), ("sub", lambda x, y: x - y), ("mul", lambda x, y: x * y):
        for side, place in ("row", "rows"), ("col", "cols"):
            want = by_place(lambda a, b, i, j, f=f, place=place: f(a[i][j], spread(b, place, i, j)))
            cases.append((f"sfpu_{op}_bcast_{side}", take % f"sfpu_{op}_bcast_{side}_init(); sfpu_{op}_bcast_{side}(0, 1);", want))
    cases.append(("sfpu_bcast", take % "sfpu_bcast_init<BroadcastType::ROW>(); sfpu_bcast_row_init(); sfpu_bcast_col_init(); sfpu_bcast<BroadcastType::ROW, ELWSUB>(0, 1);",
                  by_place(lambda a, b, i, j: a[i][j] - b[t(i)][j])))
    f = {"SUM": sum, "AVG": lambda x: sum(x) / 32, "MAX": max, "MIN": min}
    for pool in f:
        for dim in "ROW", "COL":
            g = lambda m, i, j, pool=pool, dim=dim: (f[pool](m[i][t(j) : t(j) + 32]) if j % 32 == 0 else None) if dim == "ROW" else \
                (f[pool]([m[t(i) + r][j] for r in range(32)]) if i % 32 == 0 else None)
            cases.append((f"sfpu_reduce-{pool}-{dim}".lower(), take % f"sfpu_reduce_init<PoolType::{pool}, KIND>(); sfpu_reduce<PoolType::{pool}, KIND, ReduceDim::REDUCE_{dim}>(0);",
                          by_place(lambda a, b, i, j, g=g: g(a, i, j))))
    return cases


def more_rows():
    take = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); %s });"
    second = "each_from(1, [](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); %s });"

    def averaged(tile):
        out, before = [], [0.0] * 32
        for row in tile:
            before = [0.75 * y + 0.25 * x for x, y in zip(row, before)]
            out.append(before)
        return out

    def running(tile):
        rows = [tile[face // 2 * 16 + r][face % 2 * 16 : face % 2 * 16 + 16] for face in range(4) for r in range(16)]
        out = made(64, 16, lambda r, c: 0.0)
        for lane in range(32):
            value = 1.0
            for i in range(32):
                r, c = 4 * (i // 2) + lane // 8, 2 * (lane % 8) + i % 2
                value = out[r][c] = value * rows[r][c]
        return made(32, 32, lambda r, c: out[(r // 16 * 2 + c // 16) * 16 + r % 16][c % 16])

    def scattered(a, b):
        return made(64, 64, lambda i, j: b[i][j] + sum(a[t(i) + r][j] for r in range(32) if r != 5 and (r * 3 + 1) % 32 == i % 32))

    scatter = "MATH(for (uint32_t r = 0; r < 32; r++) ((volatile uint8_t *)0x170010)[r] = r == 5 ? 255 : (r * 3 + 1) % 32; l1_settle();) "
    largest = lambda rows: by_place(lambda a, b, i, j: max(a[t(i) + r][j] for r in range(rows)) if i % 32 == 0 else None)
    mean = lambda a, b: per_tile(lambda tile: [[sum(row[c] for row in tile) / 32 if r == 0 else None for c in range(32)] for r in range(32)], a)

    def variance(tile):
        columns = list(zip(*tile))
        means = [sum(x) / 32 for x in columns]
        return [[sum((v - m) ** 2 for v in x) / 32 if r == 0 else None for x, m in zip(columns, means)] for r in range(32)]

    welford = "copy_tile(b, i, 2); copy_tile(b, i, 3); welford_init(); welford_update<0>(0, 0, {}); "
    return [
        ("ema", second % "ema_init(0x3f400000, 0x3e800000); ema_clear_previous_output(); ema_tile(0);", lambda a, b: per_tile(averaged, a)),
        ("cumsum", take % "cumsum_tile_init(); cumsum_tile(0);", by_place(lambda a, b, i, j: sum(a[r][j] for r in range(t(i), i + 1)))),
        ("reshuffle", scatter + second % "reshuffle_rows_tile_init(); reshuffle_rows_tile(0, 0x170000);", scattered),
        ("tiled_prod", take % "negative_tile_init(); negative_tile(0); recip_small(); tiled_prod_tile_init(); tiled_prod_tile(0);", lambda a, b: per_tile(running, each(small, a))),
        ("rotate", take % "alt_complex_rotate90_tile_init(); alt_complex_rotate90_tile(0);", by_place(lambda a, b, i, j: a[i][j - 1] if j % 2 else -a[i][j + 1])),
        ("top_row", second % "sfpu_add_top_row_init(); sfpu_add_top_row<KIND>(0, 1, 1);", by_place(lambda a, b, i, j: a[i][j] + b[i][j] if i % 32 == 0 else None)),
        ("max_with_indices", take % "copy_tile(b, i, 2); max_reduce_with_indices_init(); max_reduce_with_indices<9>(0, 2);", largest(9)),
        ("max_with_indices-32", take % "copy_tile(b, i, 2); max_reduce_with_indices_init(); max_reduce_with_indices<32>(0, 2);", largest(32)),
        ("welford-mean", "each_from(2, [](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); " + welford + "welford_finalize_to_row<0>(2, 31, {}); });", mean),
        ("welford-variance", "each_from(3, [](uint32_t i) { welford_reinit(a); copy_tile(a, i, 0); " + welford + "welford_finalize_to_row<0>(2, 31, {}); });", lambda a, b: per_tile(variance, a)),
        ("welford-face", "each_from(2, [](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 2); copy_tile(b, i, 3); welford_init(); welford_update<0>(0, 0, {}); "
         "welford_finalize_to_face<0>(2, 31, {}); });", lambda a, b: per_tile(face_means, a)),
    ]


def small(x):
    """What recip_small of the kernel makes of a number: 1 or 1.5, so that products stay in range."""
    return 1.0 if x > 0 else 1.125


def face_means(tile):
    """welford_finalize_to_face: four rows of the first face hold eight numbers each, two apart: of columns 0 2 .. 14, 1 3 .. 15, 16 .. 30, 17 .. 31."""
    means = [sum(row[c] for row in tile) / 32 for c in range(32)]
    return made(32, 32, lambda r, c: means[r // 2 * 16 + c // 2 * 2 + r % 2] if r < 4 and c < 16 and c % 2 == 0 else None)


def packer_relu():
    """The packer's ReLU stays on: a group of its own."""
    take = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); %s });"
    relu = by_place(lambda a, b, i, j: max(a[i][j], 0.0))
    return [
        ("relu_config", take % "PACK((llk_pack_relu_config(i & 1 ? ReluConfig::min_threshold(0) : ReluConfig::max_threshold(0x7800))));", relu),
        ("relu_packed", take % ("ReluConfig c = ReluConfig::zero(); pack_relu_config(ReluConfig::none()); "
                                "pack_relu_config(ReluConfig::from_packed((uint32_t)c.get_mode() | c.get_threshold() << 16));"), relu),
    ]


def vector_floats():
    """Wrappers of the vector unit's functions whose arguments differ from those of sfpu_functions.def."""
    take = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); %s });"
    third = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); copy_tile(a, 3 - i, 2); %s });"

    def both(f):
        return by_place(lambda a, b, i, j: f(a[i][j], b[i][j]))

    def three(f):
        return by_place(lambda a, b, i, j: f(a[i][j], b[i][j], a[32 - t(i) + i % 32][32 - t(j) + j % 32]))

    def faces(f, chosen):
        return by_place(lambda a, b, i, j: f(a[i][j]) if i % 32 // 16 * 2 + j % 32 // 16 in chosen else a[i][j])

    return [
        ("where", third % "where_tile_init(); gtz_tile(0); where_tile<KIND>(0, 1, 2, 0);", three(lambda x, y, z: y if x > 0 else z)),
        ("logical_not", take % "relu_tile(0); logical_not_tile_init(); logical_not_tile<KIND>(0);", both(lambda x, y: float(x <= 0))),
        ("mask", take % "relu_tile(1); mask_tile_init(); mask_tile(0, 1);", both(lambda x, y: x if y > 0 else 0.0)),
        ("mask_posinf", take % "relu_tile(1); mask_posinf_tile(0, 1); clamp_tile(0, 0xc2c80000, 0x42c80000);", both(lambda x, y: x if y > 0 else 100.0)),
        ("isclose", take % "isclose_binary_tile_init(); isclose_binary_tile(0, 1, 0, 0x3e000000, 0x3f000000);",
         both(lambda x, y: float(abs(x - y) <= 0.5 + 0.125 * abs(y)))),
        ("snake_beta", third % "abs_tile_init(); abs_tile(2); add_unary_tile(2, 0x3f800000); copy_dest_values(2, 1); snake_beta_tile_init(); snake_beta_tile<KIND>(0, 1, 2, 0);",
         three(lambda x, y, z: x + math.sin((abs(z) + 1) * x) ** 2 / (abs(z) + 1))),
        ("fmod", take % "fmod_tile_init(0x3fc00000, 0x3f2aaaab); fmod_tile(0);", both(lambda x, y: math.fmod(x, 1.5))),
        ("remainder", take % "remainder_tile_init(0x3fc00000, 0x3f2aaaab); remainder_tile(0);", both(lambda x, y: x - 1.5 * math.floor(x / 1.5))),
        ("round", take % "rounding_op_tile_init(); round_tile_init(); round_tile(0, 0);", both(lambda x, y: round(x))),
        ("round-1", take % "round_tile_init(); round_tile(0, -1);", both(lambda x, y: 10 * round(x / 10))),
        ("round+1", take % "round_tile_init(); round_tile(0, 1);", both(lambda x, y: round(x * 10) / 10)),
        ("fill", take % "fill_tile_init(); fill_tile(0, 2.5f);", both(lambda x, y: 2.5)),
        ("rand", take % "rand_tile_init(7); rand_tile(0, 0x40400000, 0x3f000000); floor_tile(0);", both(lambda x, y: 3.0)),
        ("dropout-none", take % "dropout_kernel_init(7); dropout_tile(0, 0, 0x40000000);", both(lambda x, y: 2 * x)),
        ("dropout-all", take % "dropout_kernel_init(7); dropout_tile(0, 0x7fffffff, 0x40000000);", both(lambda x, y: 0.0)),
        ("scalars", take % "binop_with_scalar_tile_init(); add_unary_tile(0, 0x3f800000); mul_unary_tile(0, 0x40000000);", both(lambda x, y: 2 * (x + 1))),
        ("exp-scale", take % "exp_tile_init(); exp_tile(0, VectorMode::RC, 0x3f00);", both(lambda x, y: math.exp(x / 2))),
        ("exp-none", take % "exp_tile_init(); exp_tile(0, VectorMode::None);", faces(math.exp, (0,))),
        ("exp-r", take % "exp_tile_init(); exp_tile(0, (int)VectorMode::R);", faces(math.exp, (0, 1))),
        ("exp-c", take % "exp_tile_init<true>(); exp_tile<true>(0, VectorMode::C);", faces(math.exp, (0, 2))),
        ("recip-r", take % "abs_tile_init(); recip_tile_init(); abs_tile(0); add_unary_tile(0, 0x3f800000); negative_tile(0); negative_tile(0); recip_tile(0, (int)VectorMode::R); relu_tile(0);",
         by_place(lambda a, b, i, j: 1 / (1 + abs(a[i][j])) if i % 32 < 16 else 1 + abs(a[i][j]))),
        ("sigmoid-c", take % "sigmoid_tile_init(); sigmoid_tile(0, (int)VectorMode::C);", faces(lambda x: 1 / (1 + math.exp(-x)), (0, 2))),
        ("sigmoid<c>", take % "sigmoid_tile_init(); sigmoid_tile<VectorMode::C, true>(0);", faces(lambda x: 1 / (1 + math.exp(-x)), (0, 2))),
        ("exp-clamping", take % "exp_tile_init<true, 0x3F800000, InputClamping::None>(); exp_tile<true, false, InputClamping::None, 8>(0, VectorMode::R);", faces(math.exp, (0, 1))),
        ("exp-clamped", take % "exp_tile_init<true, 0x3F800000, InputClamping::ClampToNegative>(); exp_tile<true, true, InputClamping::ClampToNegative>(0, VectorMode::RC, 0x3f00);",
         both(lambda x, y: math.exp(x / 2))),
        ("rdiv-c", take % "abs_tile_init(); abs_tile(0); add_unary_tile(0, 0x3f800000); rdiv_tile_init(); rdiv_tile(0, 0x40000000, (int)VectorMode::C);",
         by_place(lambda a, b, i, j: 2 / (1 + abs(a[i][j])) if j % 32 < 16 else 1 + abs(a[i][j]))),
        ("rdiv<none>", take % "abs_tile_init(); abs_tile(0); add_unary_tile(0, 0x3f800000); rdiv_tile_init(); rdiv_tile<RoundingMode::None>(0, 0x40000000);", both(lambda x, y: 2 / (1 + abs(x)))),
        ("add_binary<default>", take % "add_binary_tile_init(); add_binary_tile<ckernel::DstRoundingMode::Default>(0, 1, 0);", both(lambda x, y: x + y)),
        ("rsub_binary<nearest>", take % "rsub_binary_tile_init(); rsub_binary_tile<ckernel::DstRoundingMode::NearestEven>(0, 1, 0);", both(lambda x, y: y - x)),
        ("rpow-r", take % "rpow_tile_init(); rpow_tile(0, 0x40000000, (int)VectorMode::R);", faces(lambda x: 2.0**x, (0, 1))),
        ("binary_max-c", take % "binary_max_tile_init(); binary_max_tile(0, 1, 0, (int)VectorMode::C);",
         by_place(lambda a, b, i, j: max(a[i][j], b[i][j]) if j % 32 < 16 else a[i][j])),
        ("binary_min-r", take % "binary_min_tile_init(); binary_min_tile(0, 1, 0, (int)VectorMode::R);",
         by_place(lambda a, b, i, j: min(a[i][j], b[i][j]) if i % 32 < 16 else a[i][j])),
    ]


def vector_on_pack():
    same = by_place(lambda a, b, i, j: math.exp(a[i][j] / 2))
    text = "copy_tile_init(a); for (uint32_t i = 0; i < 4; i++) { tile_regs_acquire(); copy_tile(a, i, 0); tile_regs_commit(); tile_regs_wait(); %s "
    text += "cb_reserve_back(out, 1); pack_tile(0, out); cb_push_back(out, 1); tile_regs_release(); }"
    return [
        ("exp_packthread", text % "exp_packthread_tile_init<true>(); exp_packthread_tile(0, VectorMode::RC, 0x3f00);", same),
        ("exp_packthread-c", text % "exp_packthread_tile_init(); exp_packthread_tile(0, VectorMode::C);",
         by_place(lambda a, b, i, j: math.exp(a[i][j]) if j % 32 < 16 else a[i][j])),
        ("gelu_pack", text % "gelu_tile_init_pack(); gelu_tile_pack(0);", by_place(lambda a, b, i, j: 0.5 * a[i][j] * math.erfc(-a[i][j] / math.sqrt(2)))),
        ("clamp_pack", text % "clamp_tile_init_pack(); clamp_tile_pack(0, 0, 0x3f800000);", by_place(lambda a, b, i, j: min(1.0, max(0.0, a[i][j])))),
    ]


def quotients():
    """-7.3 / (1 + |x|), rounded to an integer: only a 32-bit Dst holds the quotient exactly enough."""
    text = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); rdiv_tile_init(); abs_tile(0); add_unary_tile(0, 0x3f800000); %s });"
    quotient = lambda a, i, j: -7.300000190734863 / (1 + abs(a[i][j]))
    return [
        ("rdiv<trunc>", text % "rdiv_tile<RoundingMode::Trunc>(0, 0xc0e9999a);", by_place(lambda a, b, i, j: math.trunc(quotient(a, i, j)))),
        ("rdiv<floor>", text % "rdiv_tile<ckernel::RoundingMode::Floor>(0, 0xc0e9999a, VectorMode::RC);", by_place(lambda a, b, i, j: math.floor(quotient(a, i, j)))),
        ("rdiv<floor>-c", text % "rdiv_tile<RoundingMode::Floor>(0, 0xc0e9999a, (int)VectorMode::C);",
         by_place(lambda a, b, i, j: math.floor(quotient(a, i, j)) if j % 32 < 16 else 1 + abs(a[i][j]))),
    ]


def vector_integers():
    take = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); %s });"
    third = "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 1); copy_tile(a, 3 - i, 2); %s });"

    def both(f):
        return by_place(lambda a, b, i, j: f(a[i][j], b[i][j]))

    def three(f):
        return by_place(lambda a, b, i, j: f(a[i][j], b[i][j], a[32 - t(i) + i % 32][32 - t(j) + j % 32]))

    def away(x):
        return math.trunc(x + math.copysign(0.5, x))

    cut = lambda least, most, x: max(least, min(most, x))
    return [
        ("where", third % "where_tile_init(); gtz_tile_int32(0); where_tile<DataFormat::Int32>(0, 1, 2, 0);", three(lambda x, y, z: y if x > 0 else z)),
        ("logical_not", take % "relu_tile_int32(0); logical_not_tile_init(); logical_not_tile<DataFormat::Int32>(0);", both(lambda x, y: int(x <= 0))),
        ("fill_int", take % "fill_tile_init(); fill_tile_int<DataFormat::Int32>(0, 1234567);", both(lambda x, y: 1234567)),
        ("bitwise", take % "binary_bitwise_tile_init(); bitwise_xor_binary_tile(0, 1, 0);", both(lambda x, y: x ^ y)),
        ("shift", take % "binary_shift_tile_init(); abs_tile_int32(1); bitwise_and_tile(1, 7); binary_left_shift_tile(0, 1, 0);", both(lambda x, y: x << (abs(y) & 7))),
        ("sfpu_add_int", "each([](uint32_t i) { copy_tile_init(a); copy_tile(a, i, 0); copy_tile(b, i, 2); add_int_tile_init(); sfpu_add_int(0); });", both(lambda x, y: x + y)),
        ("sum_int_col", take % "sfpu_sum_int_init(); sfpu_sum_int_col(0);", by_place(lambda a, b, i, j: sum(a[t(i) + r][j] for r in range(32)) if i % 32 == 0 else None)),
        ("sum_int_row", take % "sfpu_sum_int_init(); sfpu_sum_int_row(0);", by_place(lambda a, b, i, j: sum(a[i][t(j) : t(j) + 32]) if j % 32 == 0 else None)),
        ("requant", take % "fill_tile_init(); fill_tile(1, 0.0078125f); requant_tile_init(0x40400000); requant_tile(0, 1, 0);", both(lambda x, y: cut(-127, 127, away(x / 128 + 3)))),
        ("requant_uint8", take % "fill_tile_init(); fill_tile(1, 0.0078125f); requant_uint8_tile_init(0x40400000); requant_tile(0, 1, 0);", both(lambda x, y: cut(0, 255, away(x / 128 + 3)))),
        ("quant", take % "typecast_tile_init<8, 0>(); typecast_tile<8, 0>(0); fill_tile(1, 0.0078125f); quant_tile_init(0x40400000); quant_tile(0, 1, 0);", both(lambda x, y: cut(-127, 127, away(x / 128 + 3)))),
        ("quant_uint8", take % "typecast_tile_init<8, 0>(); typecast_tile<8, 0>(0); fill_tile(1, 0.0078125f); quant_uint8_tile_init(0x40400000); quant_tile(0, 1, 0);", both(lambda x, y: cut(0, 255, away(x / 128 + 3)))),
        ("dequant", take % "fill_tile_init(); fill_tile(1, 0.5f); dequant_tile_init(0xc0400000); dequant_tile(0, 1, 0); typecast_tile_init<0, 8>(); typecast_tile<0, 8>(0);",
         both(lambda x, y: math.trunc((x - 3) * 0.5))),
        ("div_int32", take % "div_int32_tile_init(); div_int32_tile(0, 1, 0); typecast_tile_init<0, 8>(); typecast_tile<0, 8>(0);", both(lambda x, y: math.trunc(x / y) if y else None)),
    ]


class Group:
    """roundings: how many a 16-bit Dst adds up, one per phase of a product."""

    def __init__(self, name, cases, configs, matrices="floats", roundings=1):
        self.name, self.configs, self.matrices, self.roundings = name, configs, matrices, roundings
        self.cases = [case if len(case) == 4 else case + (None,) for case in cases]

    def tolerance(self, config, scale):
        """Of a sum of products, whose terms the matrix unit aligns with the largest (docs/reference/matrix-unit.md): parts of their sum."""
        if scale:
            return 2**-11 if config.out == "fp32" else 0.0056
        return config.tolerance * (1 if config.wide else self.roundings)


def split(name, cases, configs, size, **how):
    """A core has 24 KiB for its code."""
    return [Group(f"{name}-{n}", cases[first : first + size], configs, **how) for n, first in enumerate(range(0, len(cases), size), 1)]


def all_groups():
    some = fidelities()
    products = [BF16, BF16_32, FP32, FP32_16, FP16, BFP8_IN]
    groups = [Group("eltwise-" + op, binary(op), FLOATS + [FULL]) for op in ("add", "sub")]
    groups += [
        Group("eltwise-mul", binary("mul"), products + [MIXED], roundings=4),
        Group("lofi", some["lofi"], [LOFI]),
        Group("hifi", some["hifi2"], [HIFI2, HIFI3]),
        Group("copy-bits", copies(False), [INT32, UINT16, TO_DST], matrices="integers"),
        Group("reconfigure-order", orders(), [Config("bf16-bfp8", "bf16", "bfp8", "bf16", 0, 0.07), Config("fp32-bf16", "fp32", "bf16", "bf16", 1, 2**-8)]),
        Group("reduce", reductions(), [BF16, BF16_32, FP32, FP32_16, BFP8_IN], roundings=4),
        Group("block-maximum", block_maxima(), [BF16, BF16_32, FP32, FP32_16]),
        Group("vector-on-pack", vector_on_pack(), [BF16, FP32, BFP8_IN]),
        Group("quotients", quotients(), [BF16_32, FP32]),
    ]
    groups += split("reconfigure", reconfigurations(), [Config("bf16-bfp8", "bf16", "bfp8", "bf16", 0, 0.07), MIXED, Config("fp32-bf16", "fp32", "bf16", "bf16", 1, 2**-8)], 15)
    groups += split("copy", copies(True), [BF16, BF16_32, FP32_16, FP16, BFP8], 12)
    groups += split("matmul", matmuls(), products, 8)
    groups += split("tilize", tilizes(), [BF16, BF16_32, FP32, FP16], 7)
    groups += split("more-rows", more_rows(), [BF16, FP32, BFP8_IN], 6)
    groups += split("vector-integers", vector_integers(), [INT32], 5, matrices="integers")
    groups += split("rows", rows_of_tiles(), products, 3)
    groups.append(Group("packer-relu", packer_relu(), [BF16, BF16_32, FP32, BFP8_IN]))
    groups += split("vector-floats", vector_floats(), [BF16, BF16_32, FP32, BFP8_IN], 6)
    return groups
