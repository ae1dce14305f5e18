"""Every exception has the words of the command: both are given the same input. usage: words.py TESSERA BUILD WORK"""

import pathlib
import shutil
import subprocess
import sys

import tessera
from tessera import pto

command, build, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
failed = 0


def says(*arguments: str) -> tuple[int, str]:
    result = subprocess.run([command, *arguments], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def compare(name: str, call, *arguments: str, cut: int = 0) -> None:
    """The exception's text is in what the command prints, and its code is the command's."""
    global failed
    code, printed = says(*arguments)
    try:
        call()
        words, ours = "", 0
    except tessera.Error as error:
        words, ours = str(error), error.code
    if not words or words not in printed or ours != code:
        failed += 1
        print(f"{name}: Python {ours}:\n{words}\nthe command {code}:\n{printed[:2000]}")


def asm(name: str, text: str, **settings):
    path = work / name
    path.write_text(text)

    def call() -> None:
        tile = tessera.Tile(**settings)
        tile.load_asm(text, str(path))
        tile.run()

    return call, str(path)


bad, bad_path = asm("bad.tta", ".thread 0\n  ttmvmull 0\n  ttnop 1, 2, 3\n")
compare("assembler", bad, "exec", bad_path)
hang, hang_path = asm("hang.tta", ".thread 0\n  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\n  ttnop\n")
compare("hang", hang, "exec", hang_path)
strict, strict_path = asm("strict.tta", ".thread 1\n  ttsemget 1 << semaphore::MATH_PACK\n", strict=True)
compare("finding", strict, "exec", "--strict", strict_path)
fault, fault_path = asm("fault.tta", ".thread 0\n  .ttinsn 0xff000000\n")
compare("fault", fault, "exec", fault_path)

(work / "no.elf").write_bytes(b"this is no executable")
compare("executable", lambda: tessera.Tile().load_elf("brisc", str(work / "no.elf")), "run", "--elf", f"brisc={work / 'no.elf'}")
compare("checkers", lambda: tessera.Tile(check="a,z"), "exec", "--check", "a,z", hang_path)

(work / "bad.pto").write_text("pto.foo\n")
compare("pto text", lambda: pto.Program(work / "bad.pto"), "pto", "run", str(work / "bad.pto"))
for name in ("issue188", "issue248", "issue301"):
    path = f"examples/pto/{name}.pto"
    compare(name, lambda: pto.Program(path).run(), "pto", "run", path)

elfs = build / "kernels" / "eltwise"
if (elfs / "trisc2.elf").exists():
    options = [word for core in ("brisc", "ncrisc", "trisc0", "trisc1", "trisc2") for word in ("--elf", f"{core}={elfs}/{core}.elf")]

    def idle(cycles: int = 10**9) -> None:
        tile = tessera.Tile()
        for core in ("brisc", "ncrisc", "trisc0", "trisc1", "trisc2"):
            tile.load_elf(core, elfs / f"{core}.elf")
        tile.start()
        if tile.run(cycles).reason == "limit":
            tessera.Run(tessera.Kernel.from_elfs(elfs), tile, tile.stop, {}).check()

    compare("idle kernels", idle, "run", *options)
    compare("limit", lambda: idle(500), "run", "--max-cycles", "500", *options)

# --- a kernel's folder: run_on_chip and `tessera kernel run` ---

CHIP = """grid 1,2
tensor A random:32x64:1 bf16 tiles dram
tensor B random:32x64:2 bf16 tiles dram
tensor C zero:32x64 bf16 tiles dram
buffer 0 2 A
buffer 1 2 B
buffer 16 2 C
args reader A B A.pages
args compute A.pages 0
args writer C C.pages
expect C sum A B 0.01
"""
folder = work / "mine"


def on_chip(text: str):
    """The folder with this description, in Python."""
    (folder / "kernel.chip").write_text(text)

    def call() -> None:
        tessera.Kernel.from_directory(folder).run_on_chip()

    return call


def kernels() -> None:
    shutil.copytree("kernels/template", folder)
    source = (folder / "compute.c").read_text()
    source = source.replace("  binary_op_init", '  KERNEL_CHECK(get_arg_val(1) != 7, "argument 1 is not 7");\n  binary_op_init', 1)
    (folder / "compute.c").write_text(source.replace("    cb_wait_front(CB_B, 1);", "    if (get_arg_val(1) != 8) cb_wait_front(CB_B, 1);"))
    count = "args compute A.pages 0"
    two = CHIP.replace("grid 1,2", "grid 1-2,2")
    for name, text in (
            ("kernel hang", CHIP.replace(count, "args compute 9 0")), ("kernel check", CHIP.replace(count, "args compute A.pages 7")),
            ("kernel finding", CHIP.replace(count, "args compute A.pages 8")), ("kernel limit", CHIP + "cycles 500\n"),
            ("kernel without a buffer", CHIP.replace("buffer 16 2 C\n", "")), ("kernel expectation", CHIP.replace("sum A B", "sum A A")),
            ("kernel check on two tiles", two.replace(count, "args compute A.pages 7")),
            ("kernel hang on two tiles", two.replace(count, "args compute 9 0")), ("kernel limit of two tiles", two + "cycles 500\n"),
            ("kernel without a buffer on two tiles", two.replace("buffer 16 2 C\n", ""))):
        compare(name, on_chip(text), "kernel", "run", str(folder))
    for old, new in DESCRIPTIONS:
        assert old in CHIP, old
        compare(f"description {new}", on_chip(CHIP.replace(old, new)), "kernel", "run", str(folder))
    on_chip(CHIP)
    (folder / "writer.c").write_text("void kernel_main(void) { nothing_of_this_name(); }\n")
    compare("compiler", lambda: tessera.Kernel.from_directory(folder).build(), "kernel", "run", str(folder))


DESCRIPTIONS = [  # lines that make no sense
    ("grid 1,2", "grid 8,2"), ("grid 1,2", "grid here"), ("grid 1,2", "griid 1,2"), ("grid 1,2", "product p1"), ("grid 1,2", "timing fast"),
    ("grid 1,2", "cycles many"), ("random:32x64:1", "random:32x64"), ("random:32x64:1", "none.npy"), ("random:32x64:1", "zero:33x64"),
    ("zero:32x64 bf16", "zero:32x64 bf17"), ("zero:32x64 bf16 tiles", "zero:32x64 bf16 bricks"), ("C zero:32x64 bf16 tiles dram", "C zero:32x64"),
    ("dram\nbuffer 0", "dram:9\nbuffer 0"), ("buffer 0 2 A", "buffer 0 2 D"), ("buffer 0 2 A", "buffer 0 0 A"), ("buffer 0 2 A", "buffer 32 2 A"),
    ("buffer 0 2 A", "buffer 1 2 A"), ("buffer 0 2 A", "buffer 0"), ("A B A.pages", "A D A.pages"), ("args compute A.pages 0", "args compute " + "1 " * 33),
    ("expect C sum A B 0.01", "expect D sum A B 0.01"), ("expect C sum A B 0.01", "expect C sum A D 0.01"), ("expect C sum A B 0.01", "expect C none.npy 0.01"),
    ("expect C sum A B 0.01", "expect C sum A B much"), ("buffer 0 2 A", "tensor A zero:32x64 bf16 tiles dram\nbuffer 0 2 A"), ("buffer 0 2 A", "buffer 0 20000 A"),
]
if shutil.which("riscv64-unknown-elf-gcc"):
    kernels()
else:
    print("note: no RISC-V compiler: the words of kernels are not compared")
print(f"{failed} differ")
sys.exit(1 if failed else 0)
