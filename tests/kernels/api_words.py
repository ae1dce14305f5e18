"""Words that kernels print (api_words.cpp on the T cores, api_words_noc.cpp on a grid of 2 x 2 tiles), compared with plain arithmetic.
api_words.py TESSERA DIRECTORY; prints TAP, one line per core."""
import os
import re
import struct
import subprocess
import sys

from api_matrices import made, save

HERE = os.path.dirname(os.path.abspath(__file__))
A = made(32, 64, lambda i, j: ((i * 37 + j * 11) % 128 - 64) / 16)


READ = """void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto from = TensorAccessor(args, get_arg_val<uint32_t>(0));
  cb_reserve_back(0, 2);
  for (uint32_t i = 0; i < 2; i++) noc_async_read_page(i, from, get_write_ptr(0) + i * get_tile_size(0));
  noc_async_read_barrier();
  cb_push_back(0, 2);
}
"""
WRITE = """void kernel_main() {
  cb_wait_front(16, 1);
  cb_pop_front(16, 1);
}
"""


def bits(x):
    return struct.unpack("<I", struct.pack("<f", x))[0]


def bf16(x):
    return bits(x) >> 16


def in_dst(x):
    """BF16 as a 16-bit Dst holds it: sign, mantissa, exponent (docs/reference/tiles.md)."""
    word = bf16(x)
    return word & 0x8000 | (word & 0x7F) << 8 | word >> 7 & 0xFF


def slice_word(h0, h1, hs, w0, w1, ws):
    return h0 + 100 * h1 + 10000 * hs + 7 * w0 + 700 * w1 + 70000 * ws


# The expressions of SHOW, as they are in the source, and their values. Tile (1, 2) is the first worker: logical (0, 0).
COMMON = {
    "sorted(314159265, false)": int("".join(sorted("314159265"))), "sorted(271828182, true)": int("".join(sorted("271828182", reverse=True))), "sorted(7, true)": 7,
    "tensor_shape_from_num_faces(16, 2).total_tensor_size()": 16 * 32, "make_tensor_shape(8, 16, 1, 2).total_row_dim() * DEFAULT_TENSOR_SHAPE.total_col_dim()": 8 * 32, "DEFAULT_TENSOR_SHAPE.total_num_faces()": 4,
    "get_tile_size(0)": 2048, "get_tile_hw(0)": 1024, "get_tile_num_faces(0)": 4, "get_dataformat(0)": 5, "get_dataformat(16)": 5, "get_operand_id(3)": 3,
    "get_local_cb_interface(0).fifo_page_size": 128, "get_local_cb_interface(0).fifo_num_pages": 2, "get_local_cb_interface(0).fifo_size": 256,
    "read_tile_value<uint16_t>(0, 1, 5)": bf16(A[0][37]), "read_tile_value(0, 0, 3)": bf16(A[0][6]) | bf16(A[0][7]) << 16,
    "read_tile_value<uint8_t>(0, 0, 1)": bf16(A[0][0]) >> 8, "get_tile_address(0, 1) - get_tile_address(0, 0)": 2048,
    "CircularBuffer(0).get_tile_size()": 2048, "DataflowBuffer(0).get_total_size_bytes()": 4096, "align(37, 12)": -(-37 // 12) * 12,
    "align_power_of_2(37, 16)": -(-37 // 16) * 16, "is_power_of_2(48)": 0, "is_power_of_2(64)": 1, "is_power_of_2(0)": 0,
    "bits_of(bf16_to_fp32(0xbfc0))": bits(-1.5), "fp32_to_bf16_truncate(-1.999f)": bf16(-1.999), "bfloat16_greater(0x3f80, 0xbf80)": int(1 > -1),
    "bfloat16_greater(0xbf80, 0xc000)": int(-1 > -2), "bfloat16_greater(0xc000, 0x3f80)": int(-2 > 1), "float32_greater(0x3f800001, 0x3f800000)": 1,
    "float32_greater(0x7fc00000, 0)": 0, "float32_greater(0, 0x80000000)": 0, "int32_greater(1, 0xffffffff)": int(1 > -1), "int32_greater(0x80000000, 0)": 0,
    "get_absolute_logical_x()": 0, "get_absolute_logical_y()": 0, "get_relative_logical_x()": 0, "get_relative_logical_y()": 0,
    "*(volatile uint32_t *)get_common_arg_addr(1)": 55, "get_common_arg_val<uint32_t>(0)": 44, "*(volatile uint32_t *)get_arg_addr(0)": 33,
    "get_arg_val<uint32_t>(0)": 33, "load_blocking(&here)": 4711, "bf16_t(0x4049).bits": 0x4049,
    "sum_of(SliceRange::hw0_32_16())": slice_word(0, 32, 16, 0, 32, 16), "sum_of(SliceRange::hw0_32_8())": slice_word(0, 32, 8, 0, 32, 8),
    "sum_of(SliceRange::hw0_32_4())": slice_word(0, 32, 4, 0, 32, 4), "sum_of(SliceRange::h0_w0_32())": slice_word(0, 1, 1, 0, 32, 1),
    "sum_of(SliceRange::h0_32_w0())": slice_word(0, 32, 1, 0, 1, 1), "sum_of(SliceRange::h0_32_w1())": slice_word(0, 32, 1, 1, 2, 1),
    "sum_of(SliceRange::hw041())": slice_word(0, 4, 1, 0, 4, 1),
}
TOGETHER = {
    0: [2048, 1, 0],
    1: [77, 0, 2, 3, 2, 1, 2, bits(0.25), in_dst(A[1][0]) | in_dst(A[1][1]) << 16, in_dst(A[1][14]) | in_dst(A[1][15]) << 16],
    2: [1, 0],
}


def noc_words(tile):
    column, row = tile % 2, tile // 2
    words = [6, 2, 1, 1024, 4, 5, 2048, 2048, 2, 0, 0, 2048, 1, 0, 1, 32, 3 * 112 + 4, 48, 48, 1, 1, 1, 1, 0xBFC0, column + 256 * row, column + 256 * row, 44, 7]
    words += [8 + 16 + 32 + 1, 1 + 1 + 4, 8, 16, 1, 32, 32, 9]
    return words + [2000 + 2 * i for i in range(8)] + [12, 13]


def shown(file, skip_guards):
    text = open(os.path.join(HERE, file)).read()
    body = text[text.index("static void common") :] if skip_guards else text
    return re.findall(r"SHOW\((.*)\);", body)


def run(tessera, folder, chip, sources):
    os.mkdir(folder)
    save(f"{folder}/a.npy", "f4", A)
    for name, source in sources.items():
        with open(f"{folder}/{name}.cpp", "w") as f:
            f.write(source if "\n" in source else open(os.path.join(HERE, source)).read())
    with open(f"{folder}/kernel.chip", "w") as f:
        f.write(chip)
    done = subprocess.run([tessera, "kernel", "run", folder, "--timing", "off"], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"Bail out! {folder}: {(done.stderr + done.stdout).splitlines()[:3]}")
    return re.findall(r"^(\S.*?): ((?:\d+ )+)end$", done.stdout, re.M)


def main():
    tessera, root = sys.argv[1:3]
    results = []
    chip = "tensor A a.npy bf16 tiles dram\nbuffer 0 2 A\nbuffer 16 2 A\nargs common 44 55\nargs compute 33\nargs reader A\n"
    chip += "compile reader accessor:A\n"
    printed = dict(run(tessera, f"{root}/words", chip, {"compute": "api_words.cpp", "reader": READ, "writer": WRITE}))
    names = shown("api_words.cpp", True)[: len(COMMON)]
    for core in range(3):
        got = [int(w) for w in printed.get(f"TRISC{core}", "").split()]
        want = [COMMON[n] for n in names] + TOGETHER[core]
        wrong = [f"{n}: {g}, expected {w}" for n, g, w in zip(names + ["together"] * 20, got, want) if g != w]
        results.append((f"words of TRISC{core}", got == want, wrong[:5] or [f"{len(got)} words, expected {len(want)}"]))
    chip = "grid 1-2,2-3\ntensor A random:64x128:3 bf16 tiles dram\ntensor C zero:64x128 bf16 tiles dram\ntensor Z zero:64x128 bf16 tiles dram\nbuffer 0 2 A\n"
    chip += "args common 44\nargs reader col row A C 1 2\ncompile reader accessor:A accessor:C\nexpect C sum A Z 0\n"
    printed = run(tessera, f"{root}/grid", chip, {"reader": "api_words_noc.cpp"})
    results.append(("four tiles print", len(printed) == 4, [str(p) for p in printed]))
    for tile, (core, text) in enumerate(sorted(printed, key=lambda p: [int(n) for n in re.findall(r"\d+", p[0])][::-1])):
        got, want = [int(w) for w in text.split()], noc_words(tile)
        results.append((f"words of {core}", got == want, [f"{got}, expected {want}"]))
    print(f"1..{len(results)}")
    for number, (name, good, why) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {number} - {name}" + "".join("\n# " + line for line in ([] if good else why)))
    sys.exit(not all(good for _, good, _ in results))


if __name__ == "__main__":
    main()
