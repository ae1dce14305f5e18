"""docs/reference/kernel-tests.md: every function that C++ kernels can call, the tests that run it and compare the result with an independent reference
(plain arithmetic, NumPy's double precision), and the formats and modes of those runs. kernel_audit.py BUILD [--write]; prints TAP.

The names are those of kernel_names.py. A test counts for a function if its kernel calls it; the comparisons are of what kernels leave in their outputs.
A function without a test fails the audit, except those of WITHOUT, each with its reason."""
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "kernels"))
import api_cases
import api_groups
import kernel_names

PAGE = "docs/reference/kernel-tests.md"
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*(?:<[^;(){}]*>)?\s*\(")
INT_FORMS = "INT32, UINT16 in both widths of Dst; pack core"
FLOAT_FORMS = "FP32 (Dst 32), BF16 and FP16 (Dst 16); pack core"

# Kernels of tests that compare, and the formats and modes in which they run.
SOURCES = [
    ("test_kernels.c, test_kernels_formats.c, test_kernels_reduce.c", ["ops.c"],
     "BF16, FP32, TF32, FP16, FP8, BFP8, BFP4, BFP2 and their 5-bit forms, INT8; Dst 16 and 32, halves and whole; fidelities 0 to 4; broadcasts"),
    ("test_kernels_cores.c", ["matmul_api.cpp"], "BF16"),
    ("test_pool.c", ["pool_ops.c"], "FP32, BF16, FP16"),
    ("test_sfpu.c, test_sfpu_modes.c", ["sfpu_ops.c"], "conversions and quantization: FP32, INT32, UINT16, in a 32-bit Dst"),
    ("test_sort.c", ["sort_ops.c"], "FP32, BF16, FP16; INT32 and UINT16 indices"),
    ("cli_kernel_api.sh", ["api_run.cpp"], "BF16, Dst 16"),
    ("cli_kernel_api.sh", ["api_run_more.cpp", "api_run_rows.cpp"], "BF16, Dst 16 and 32"),
    ("cli_kernel_api.sh", ["../cli_kernel_api.sh"], "as the case says"),
    ("cli_kernel.sh", ["api_forms.cpp"], "BF16, Dst 16; text"),
    ("cli_kernel_formats.sh", ["format_runs.py"], "as the case says"),
    ("cli_kernel_dataflow.sh", ["api_noc_run.cpp", "api_paths.cpp"], "words and pages"),
    ("cli_kernel_functions.sh", ["api_words.cpp", "api_words_noc.cpp"], "words"),
    ("cli_kernel_names.sh", ["names_run.cpp", "names_more.cpp"], "words"),
    ("cli_chip.sh", ["noc_calls.c"], "words and pages"),
    ("cli_kernel_meaning.sh", ["../cli_kernel_meaning.sh"], "text"),
]
EXAMPLES = ["gelu", "rmsnorm", "linear", "layernorm", "attention", "matmul", "eltwise", "softmax", "grid_matmul", "grid_add", "all_gather", "reduce_tree", "dispatch"]

# Parts of functions: (name, the function that calls it). That one must have a test.
PARTS = {
    "compute_configure": "binary_op_init", "compute_configure_rest": "unary_op_init", "compute_reconfigure_copy": "copy_tile_init", "compute_goes_past_src": "binary_op_init_common",
    "copy_tile_turned": "transpose_wh_tile", "mm_block_init_transposed": "matmul_block_init", "mm_init_transposed": "matmul_init", "mm_block_start": "mm_block_init", "pack_tile_at": "pack_tile", "reduce_onto": "reduce_tile",
    "untilize_narrow": "untilize_block", "untilize_wide": "untilize_block", "pack_untilize_from": "pack_untilize_dest", "reduce_block_run": "reduce_block_max_row",
    "reduce_block_start": "reduce_block_max_row_init", "columns_with_column": "sfpu_bcast", "reduce_columns": "sfpu_reduce", "transpose_dest_tile": "transpose_dest",
    "tilizes_by_rows": "tilize_block", "untilizes_by_rows": "untilize_block", "dbg_dst_format": "dbg_read_dest_tile", "zone_begin": "DeviceZoneScopedN", "zone_end": "DeviceZoneScopedN",
    "load_replay_buf": "ckernel_template", "set_dst_write_addr": "ckernel_template", "init": "tilizeA_B_reduce_init",
    "float_to_nearest_int32_tile": "typecast_tile", "float_to_uint16_tile": "typecast_tile", "int32_to_signed_tile": "typecast_tile", "int32_to_uint16_tile": "typecast_tile", "signed_to_int32_tile": "typecast_tile",
    "uint16_to_float_tile": "typecast_tile", "uint16_to_int32_tile": "typecast_tile", "uint32_to_uint16_tile": "typecast_tile", "uint32_to_signed_tile": "typecast_tile", "int32_to_uint8_tile": "typecast_tile",
}
# No result to compare.
WITHOUT = {
    "clear_compute_special_value_flags": "stops the run: the register is not modelled (cli_kernel_functions.sh checks the line)",
    "get_compute_special_value_flags": "stops the run: the register is not modelled (cli_kernel_functions.sh checks the line)",
    "get_compute_special_value_flags_fpu": "three bits of the word that the function above would return",
    "get_compute_special_value_flags_sfpu": "four bits of the same word",
    "topk_uint16_prepare_value_tile_for_pack": "empty: values of 16 bits are where the packer reads them",
    "enable_fp32_dest_acc": "stops a kernel of the other width (cli_kernel_functions.sh checks the line)",
}
# What each function of a buffer's tiles must have been run in. Without: the reason.
NEEDED = ["bf16 in Dst 16", "a 32-bit Dst", "fp32", "bfp8"]
NO_BFP8 = re.compile(r"tilize|pack_rows|reduce_block_max_row|reduce_tile_math")  # numbers that share exponents are not row-major; maxima of blocks are bf16 and fp32


def text_of(path):
    with open(path, errors="replace") as f:
        return re.sub(r"/\*.*?\*/|//[^\n]*", " ", f.read(), flags=re.S)


def evidence():
    """{name: {test: set of formats}}"""
    found = {}

    def add(text, test, formats):
        for name in set(CALL.findall(text)):
            found.setdefault(name, {}).setdefault(test, set()).add(formats)
        for name in re.findall(r"\b(DeviceZoneScopedN|ckernel_template)\b", text):
            found.setdefault(name, {}).setdefault(test, set()).add(formats)

    for test, files, formats in SOURCES:
        for file in files:
            add(text_of("tests/kernels/" + file), test, formats)
    add(text_of("tests/kernels/matmul_mop.cpp") + text_of("tests/kernels/matmul_llk.cpp"), "test_kernels_cores.c", "BF16")
    for example in EXAMPLES:
        for file in sorted(os.listdir("examples/" + example)):
            if file.endswith(".c") and file != "main.c":
                add(text_of(f"examples/{example}/{file}"), "examples", "BF16, FP32")
    for group in api_groups.all_groups():
        text = api_cases.kernel_of(group)
        for config in group.configs:
            add(text, "cli_kernel_functions.sh", config.name)
    for kind, name in re.findall(r"^\s*(ROUNDED|EXACT|INTEGER)\((\w+)", text_of("tests/kernels/sfpu_reference.def"), re.M):
        for each in name, name + "_pack":
            found.setdefault(each, {}).setdefault("test_sfpu.c, test_sfpu_modes.c", set()).add(INT_FORMS if kind == "INTEGER" else FLOAT_FORMS)
    for name in "rand_tile", "dropout_tile", "stochastic_round_tile":
        found.setdefault(name, {}).setdefault("test_sfpu.c", set()).add("FP32 (Dst 32), BF16 (Dst 16): distribution")
    return found


def inits(name, found):
    """NAME_tile_init, _init_pack and NAME_tile_pack have the tests of NAME_tile: sfpu.h and api_sfpu.h make them by one macro for all rows."""
    for end in "_init", "_init_pack", "_pack":
        if name.endswith(end) and name[: -len(end)] in found:
            return found[name[: -len(end)]]
    return None


def lacking(name, tests):
    """Formats in which a function of api_groups.py was not run, though it can be."""
    modes = tests.get("cli_kernel_functions.sh")
    if not modes or len(tests) > 1 or "words" in modes:
        return []
    configs = {c.name: c for g in api_groups.all_groups() for c in g.configs}
    used = [configs[m] for m in modes if m in configs]
    if not used or all(c.a == "int32" for c in used):
        return []
    have = {"bf16 in Dst 16": any(c.a == "bf16" and not c.wide for c in used), "a 32-bit Dst": any(c.wide for c in used),
            "fp32": any("fp32" in (c.a, c.b) for c in used), "bfp8": any("bfp8" in (c.a, c.b) for c in used)}
    return [n for n in NEEDED if not have[n] and not (n == "bfp8" and NO_BFP8.search(name))]


def shown(tests):
    return "; ".join(f"{test}: {', '.join(sorted(forms))}" for test, forms in sorted(tests.items()))


def audit(names, found):
    """Rows of the page by role and header, and what is missing."""
    rows, missing = [], []
    for role, (functions, _) in names.items():
        for header in sorted(functions):
            lines = []
            for name in sorted(kernel_names.without_pack(functions[header])):
                tests = found.get(name) or inits(name, found)
                if tests is None and name in PARTS and PARTS[name] in found:
                    lines.append(f"| {name} | part of {PARTS[name]} |")
                elif tests is None and name in WITHOUT:
                    lines.append(f"| {name} | none: {WITHOUT[name]} |")
                elif tests is None:
                    missing.append(f"{header}: {name} has no test")
                else:
                    missing += [f"{header}: {name} was not run in {what}" for what in lacking(name, tests)]
                    lines.append((name, shown(tests)))
            rows += [f"## {role.capitalize()} kernels: {header}", "", "| function | tests: formats and modes |", "|---|---|"] + merged(lines) + [""]
    return rows, missing


def merged(lines):
    """Functions with equal tests share a row."""
    out, places = [], {}
    for line in lines:
        if isinstance(line, str):
            out.append(line)
        elif line[1] in places:
            out[places[line[1]]][0].append(line[0])
        else:
            places[line[1]] = len(out)
            out.append(([line[0]], line[1]))
    return [line if isinstance(line, str) else f"| {' '.join(line[0])} | {line[1]} |" for line in out]


def main():
    names, found = kernel_names.everything(sys.argv[1]), evidence()
    rows, missing = audit(names, found)
    cases = api_groups.all_groups()
    head = ["# Tests of the kernel library's functions", "",
            "Generated by tests/kernel_audit.py (`--write`), which fails if a function of [the names](kernel-api.md) has no test against an independent reference.",
            "C++'s cases are those of tests/kernels/api_groups.py: %d cases in %d runs, of which each is compared with plain arithmetic in Python; the C tests" %
            (sum(len(g.cases) for g in cases), sum(len(g.cases) * len(g.configs) for g in cases)),
            "compare with tests/kernels/golden.h, every bit, and with double precision (tests/kernels/sfpu_reference.def). Names of runs: the format of A, of B and of the result",
            "where they differ, dst16 or dst32 where the format does not tell, lofi to hifi3 the fidelities below 4. `make test` runs a part, `make test-all` more, `make soak` everything.", ""]
    text = "\n".join(head + rows)
    if "--write" in sys.argv:
        with open(PAGE, "w") as f:
            f.write(text)
    there = open(PAGE).read() if os.path.exists(PAGE) else ""
    print("1..2")
    print(f"{'not ok' if missing else 'ok'} 1 - every function of the kernel library has a test against a reference" + "".join("\n# " + m for m in missing))
    print(f"{'ok' if there == text else 'not ok'} 2 - {PAGE} is what the tests have" + ("" if there == text else f"; python3 tests/kernel_audit.py {sys.argv[1]} --write"))
    sys.exit(bool(missing) or there != text)


if __name__ == "__main__":
    main()
