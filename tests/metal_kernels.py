"""Which kernels of a checkout of tt-metal compile against the kernel library, unchanged: those of its programming examples and of its test kernels.

metal_kernels.py BUILD [PART]: the checkout is TT_METAL_HOME; PART limits the list to paths that contain it. Prints a line per kernel that does not
compile, with the compiler's first message, and the counts. What the host gives is made up: 200 compile-time arguments, 32 buffers of BFLOAT16, a name
for each of args::, dfb::, sem:: and tensor:: that the kernel uses, and 1 for a macro that the compiler misses.
"""
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

FOLDERS = ("tt_metal/programming_examples", "tests/tt_metal/tt_metal/test_kernels")
# Kernels of other chips (Quasar: buffers of its own in dfb_* and *_2_0), of other cores (Ethernet, DRAM), of the fabric between chips, and those that must not compile.
LEFT_OUT = {"quasar": "another chip", "dfb_": "Quasar's buffers", "_2_0": "Quasar's buffers", "drisc": "a core of a DRAM controller", "erisc": "an Ethernet core", "ethernet": "an Ethernet core",
            "socket": "the fabric between chips", "fabric": "the fabric between chips", "device_print/failures": "must not compile"}
MADE_UP = {"BCAST_LLKOP": "EltwiseBinaryType::ELWADD", "BCAST_DIM": "BroadcastType::ROW", "ELTWISE_OP_TYPE": "EltwiseBinaryType::ELWADD", "ELTWISE_OP": "add_tiles", "BCAST_OP": "add_tiles_bcast"}
SPACES = {"args": ("KERNEL_ARG_NAMES", "KERNEL_CTA(%s,2u)"), "dfb": ("KERNEL_BUFFER_NAMES", "KERNEL_DFB(%s,0)"), "sem": ("KERNEL_SEMAPHORE_NAMES", "KERNEL_SEM(%s,0)"),
          "tensor": ("KERNEL_TENSOR_NAMES", "KERNEL_TENSOR(%s,0,4)")}


def kernels(root, part):
    """(path, text) of the files with a kernel, and the number that is left out by reason."""
    found, left = [], {}
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(root, folder)):
            for name in sorted(names):
                path = os.path.join(place, name)
                short = os.path.relpath(path, root)
                if not name.endswith(".cpp") or part not in short:
                    continue
                text = open(path, errors="replace").read()
                if not re.search(r"\bkernel_main\b|namespace NAMESPACE|\bMAIN\b", text):
                    continue
                reason = next((why for word, why in LEFT_OUT.items() if word in short), None)
                if reason:
                    left[reason] = left.get(reason, 0) + 1
                else:
                    found.append((path, text))
    return found, left


def is_compute(path, text):
    return "/compute/" in path or '"api/compute/' in text or "compute_kernel_api" in text or "_compute" in os.path.basename(path)


def names_of(text):
    words = []
    for space, (macro, form) in SPACES.items():
        names = sorted(set(re.findall(r"\b%s::(\w+)" % space, text)))
        if names:
            words.append("-D%s=%s" % (macro, " ".join(form % name for name in names)))
    named = sorted(set(re.findall(r'get_named_compile_time_arg_val\("(\w+)"\)', text)))
    if named:
        words.append("-DKERNEL_NAMED_COMPILE_ARGS=" + "".join('{"%s",2},' % name for name in named))
    return words


def compile_one(build, root, path, text):
    """None, or the compiler's first message."""
    core = "-DTRISC_MATH" if is_compute(path, text) else "-DCOMPILE_FOR_NCRISC"
    fixed = ["riscv64-unknown-elf-g++", "-march=rv32im_zba_zbb", "-mabi=ilp32", "-ffreestanding", "-O1", "-fsyntax-only", "-w", core, "-DKERNEL_OWN_ARGS", "-DARCH_BLACKHOLE",
             "-Ikernels/include", "-I" + build + "/kernels/include", "-std=c++17", "-fno-exceptions", "-fno-rtti", "-include", "kernels/include/kernel_api.h",
             "-DKERNEL_COMPILE_TIME_ARGS=" + ",".join(["2"] * 200), "-DKERNEL_BUFFERS=" + "".join("{%d,2048,5}," % i for i in range(32)), "-DSFPU_OP_CHAIN_0=", "-I" + root]
    extra = names_of(text)
    while True:
        done = subprocess.run(fixed + extra + [path], capture_output=True, text=True)
        if done.returncode == 0:
            return None
        missing = sorted(set(re.findall(r"error: '([A-Z][A-Z0-9_]+)' was not declared", done.stderr)))
        more = ["-D%s=%s" % (name, MADE_UP.get(name, "1")) for name in missing]
        if not [word for word in more if word not in extra]:
            lines = [line for line in done.stderr.splitlines() if "error:" in line]
            return lines[0].split("error: ", 1)[1] if lines else done.stderr[:200]
        extra += more


def main():
    build, part, root = sys.argv[1], "".join(sys.argv[2:3]), os.environ.get("TT_METAL_HOME", "")
    if not os.path.isdir(os.path.join(root, FOLDERS[0])):
        print("1..0 # SKIP TT_METAL_HOME names no checkout of tt-metal")
        return
    found, left = kernels(root, part)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        wrong = list(pool.map(lambda kernel: compile_one(build, root, *kernel), found))
    for (path, _), why in zip(found, wrong):
        if why:
            print("%s: %s" % (os.path.relpath(path, root), why))
    print("%d of %d compile; left out: %s" % (wrong.count(None), len(found), ", ".join("%d %s" % (n, why) for why, n in sorted(left.items()))))


if __name__ == "__main__":
    main()
