"""Runs the groups of api_groups.py, each in its formats and settings, and compares every case with plain arithmetic.
api_cases.py TESSERA DIRECTORY [--two | GROUP[/CONFIG]...]; prints TAP, one line per case. Without names: all; --two: each group in two formats."""
import os
import subprocess
import sys

import api_groups
from api_matrices import TYPES, each, load, save

READ = """#include "api/dataflow/dataflow_api.h"
template <typename G> static void all(uint32_t cb, const G &from, uint32_t pages) {
  cb_reserve_back(cb, pages);
  for (uint32_t i = 0; i < pages; i++) noc_async_read_page(i, from, get_write_ptr(cb) + i * get_tile_size(cb));
  noc_async_read_barrier();
  cb_push_back(cb, pages);
}
void kernel_main() {
  constexpr auto a = TensorAccessorArgs<0>();
  constexpr auto b = TensorAccessorArgs<a.next_compile_time_args_offset()>();
  constexpr auto s = TensorAccessorArgs<b.next_compile_time_args_offset()>();
  all(0, TensorAccessor(a, get_arg_val<uint32_t>(0)), 4);
  all(1, TensorAccessor(b, get_arg_val<uint32_t>(1)), 4);
  all(2, TensorAccessor(s, get_arg_val<uint32_t>(2)), 2);
}
"""
WRITE = """#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  constexpr auto args = TensorAccessorArgs<0>();
  const auto to = TensorAccessor(args, get_arg_val<uint32_t>(0));
  for (uint32_t i = 0, pages = get_arg_val<uint32_t>(1); i < pages; i++) {
    cb_wait_front(16, 1);
    noc_async_write_tile(i, to, get_read_ptr(16));
    noc_async_write_barrier();
    cb_pop_front(16, 1);
  }
}
"""
# Helpers of all cases. They are functions of their own where the code would not fit into a core's 24 KiB.
HEAD = """#define REDUCE_OP PoolType::MAX
#define REDUCE_DIM ReduceDim::REDUCE_COL
#include "api/compute/compute_kernel_api.h"
#include "api/compute/compute_kernel_hw_startup.h"
#include "api/compute/eltwise_binary.h"
#include "api/compute/tile_move_copy.h"
constexpr uint32_t a = 0, b = 1, scalers = 2, between = 24, out = 16;
constexpr DataFormat KIND = get_dataformat(a);
#define APART __attribute__((noinline)) static void
APART finish_from(uint32_t dst, uint32_t tiles) {
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(out, tiles);
  for (uint32_t i = 0; i < tiles; i++) pack_tile(dst + i, out);
  cb_push_back(out, tiles);
  tile_regs_release();
}
APART finish_pair() { finish_from(0, 2); }
template <typename F> static void each_from(uint32_t dst, F f) {
  for (uint32_t i = 0; i < 4; i++) {
    tile_regs_acquire();
    f(i);
    finish_from(dst, 1);
  }
}
template <typename F> static void each(F f) { each_from(0, f); }
template <typename F> static void pairs(F f) { // i: 0, 2
  for (uint32_t i = 0; i < 4; i += 2) {
    tile_regs_acquire();
    f(i);
    finish_pair();
  }
}
template <typename F, typename P> static void block(F f, P pack) {
  tile_regs_acquire();
  f();
  tile_regs_commit();
  tile_regs_wait();
  cb_reserve_back(out, 4);
  pack();
  cb_push_back(out, 4);
  tile_regs_release();
}
"""
ROWS = """// A as rows of numbers, in the buffer between
APART untilize_rows() {
  copy_tile_init(a);
  pack_reconfig_data_format(between);
  cb_reserve_back(between, 4);
  pack_untilize_block<2>(a, 2, between);
  cb_push_back(between, 4);
  cb_wait_front(between, 4);
  pack_reconfig_data_format(out);
}
"""
SMALL = """// 1 where the number is below 0, else 1.125
APART recip_small() {
  ltz_tile(0);
  mul_unary_tile(0, 0xbe000000);
  add_unary_tile(0, 0x3f900000);
}
#ifdef TRISC_MATH
static void l1_settle() { (void)load_blocking((volatile uint8_t *)0x17002f); }
#endif
"""


def kernel_of(group):
    """The kernel's text: a function per case, called in order; argument 0 selects one alone (0: all)."""
    texts = [case[1] for case in group.cases]
    head = HEAD + "".join(part for part, name in ((ROWS, "untilize_rows"), (SMALL, "recip_small")) if any(name in text for text in texts))
    functions = "".join(f"// {name}\nAPART case_{n}() {{\n  {text}\n}}\n" for n, (name, text, _, _) in enumerate(group.cases))
    calls = "".join(f"  case_{n}();\n" for n in range(len(group.cases)))
    return head + functions + "void kernel_main() {\n  cb_wait_front(a, 4);\n  cb_wait_front(b, 4);\n  cb_wait_front(scalers, 2);\n" + \
        "  compute_kernel_hw_startup(a, b, out);\n" + calls + "}\n"


def operands(group, config):
    if group.matrices == "floats":
        return api_groups.A, api_groups.B
    if config.a == "uint16":
        return each(lambda x: x % 65536, api_groups.IA), each(lambda x: x % 65536, api_groups.IB)
    return api_groups.IA, api_groups.IB


def run_group(tessera, folder, group, config):
    """What is wrong with the whole group, or None; and the numbers of each case."""
    os.mkdir(folder)
    a, b = operands(group, config)
    tiles = 4 * len(group.cases)
    scaler_format = config.a if TYPES[config.a] == "f4" else "bf16"
    save(f"{folder}/a.npy", TYPES[config.a], a)
    save(f"{folder}/b.npy", TYPES[config.b], b)
    save(f"{folder}/s.npy", "f4", api_groups.SCALERS)
    chip = f"""tensor A a.npy {config.a} tiles dram
tensor B b.npy {config.b} tiles dram
tensor S s.npy {scaler_format} tiles dram
tensor C zero:{64 * len(group.cases)}x64 {config.out} tiles dram
buffer 0 4 A
buffer 1 4 B
buffer 2 2 S
buffer 24 4 {config.b}
buffer 16 4 C
compile reader accessor:A accessor:B accessor:S
compile writer accessor:C
define compute DST_ACCUM_MODE={config.wide}
args reader A B S
args writer C {tiles}
save C c.npy
"""
    chip += "".join(f"define compute {d}\n" for d in config.defines)
    for file, text in (("kernel.chip", chip), ("compute.cpp", kernel_of(group)), ("reader.cpp", READ), ("writer.cpp", WRITE)):
        with open(f"{folder}/{file}", "w") as f:
            f.write(text)
    done = subprocess.run([tessera, "kernel", "run", folder, "--timing", "off"], capture_output=True, text=True)
    text = (done.stderr + done.stdout).strip().splitlines() or [""]
    if done.returncode:
        return f"exit code {done.returncode}: {text[0]}", None
    finding = [line for line in text if line.startswith(("error", "warning"))]
    return (finding[0] if finding else None), load(f"{folder}/c.npy", TYPES[config.out], 64 * len(group.cases), 64)


def wrong(got, want, scale, tolerance):
    worst = (-1, None)
    for r in range(64):
        for c in range(64):
            g, w = got[r][c], want[r][c]
            if w is None:
                continue
            error = abs(g - w) / (scale[r][c] if scale else 1 + abs(w))
            if not error <= worst[0]:
                worst = (error, f"[{r}, {c}]: {g}, expected {w}")
    return None if worst[0] <= tolerance else f"error {worst[0]:.4g} at {worst[1]}"


def main():
    tessera, root, chosen = sys.argv[1], sys.argv[2], sys.argv[3:]
    groups = api_groups.all_groups()
    if chosen == ["--two"]:  # not the same two of each
        chosen = [f"{g.name}/{g.configs[(n + k * (len(g.configs) // 2 or 1)) % len(g.configs)].name}" for n, g in enumerate(groups) for k in (0, 1)]
    runs = [(group, config) for group in groups for config in group.configs if not chosen or group.name in chosen or f"{group.name}/{config.name}" in chosen]
    print(f"1..{sum(len(group.cases) for group, _ in runs)}", flush=True)
    number = failed = 0
    for group, config in runs:
        fault, numbers = run_group(tessera, os.path.join(root, f"{group.name}-{config.name}"), group, config)
        a, b = operands(group, config)
        for n, (name, _, reference, scale) in enumerate(group.cases):
            number += 1
            why = fault or wrong(numbers[64 * n : 64 * n + 64], reference(a, b), scale and scale(a, b), group.tolerance(config, scale))
            failed += why is not None
            print(f"{'not ok' if why else 'ok'} {number} - {group.name}/{config.name}: {name}" + (f"\n# {why}" if why else ""), flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
