"""Every exception has the command's message: both get the same input. usage: words.py TESSERA BUILD WORK"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import warnings

import numpy as np

import tessera
from tessera import pto

command, build, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
failed = 0


def says(*arguments: str) -> tuple[int, str]:
    result = subprocess.run([command, *arguments], capture_output=True, text=True)
    return result.returncode, result.stdout + result.stderr


def compare(name: str, call, *arguments: str, cut: int = 0) -> None:
    """The exception's text and its log are part of the command's output, and its code is the command's exit code."""
    global failed
    code, printed = says(*arguments)
    try:
        call()
        words, log, ours = "", "", 0
    except tessera.Error as error:
        words, log, ours = str(error), error.log if isinstance(error, tessera.RefusedError) else "", error.code
    if not words or words not in printed or log not in printed or ours != code or (log and ("\n" in words or not log.startswith(words + "\n"))):
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


def caught(call) -> tessera.RefusedError:
    try:
        call()
    except tessera.RefusedError as error:
        return error
    return tessera.RefusedError("nothing")


bad, bad_path = asm("bad.tta", ".thread 0\n  ttmvmull 0\n  ttnop 1, 2, 3\n")
compare("assembler", bad, "exec", "--verbose", bad_path)
try:
    tessera.Tile().load_asm("\n" * ((1 << 24) + 1), "long.tta")
    found = "nothing"
except tessera.Error as error:
    found = f"{type(error).__name__}: {error}"
if not found.startswith("RefusedError: long.tta:1:1: error: the text is longer than 16 MiB"):
    failed += 1
    print(f"a text beyond the limit: {found}")
hang, hang_path = asm("hang.tta", ".thread 0\n  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\n  ttnop\n")
compare("hang", hang, "exec", hang_path)
strict, strict_path = asm("strict.tta", ".thread 1\n  ttsemget 1 << semaphore::MATH_PACK\n", strict=True)
compare("finding", strict, "exec", "--strict", strict_path)
fault, fault_path = asm("fault.tta", ".thread 0\n  .ttinsn 0xff000000\n")
compare("fault", fault, "exec", "--verbose", fault_path)

(work / "no.elf").write_bytes(b"this is no executable")
compare("executable", lambda: tessera.Tile().load_elf("brisc", str(work / "no.elf")), "run", "--elf", f"brisc={work / 'no.elf'}")
compare("checkers", lambda: tessera.Tile(check="a,z"), "exec", "--check", "a,z", hang_path)

(work / "bad.pto").write_text("pto.foo\n")
if "'ttmvmull'" not in str(refused := caught(bad)) or "NOP takes 0 operands" not in refused.log or "\n" in str(refused):
    failed += 1
    print(f"two errors of a text: {refused}\n{refused.log}")
compare("pto text", lambda: pto.Program(work / "bad.pto"), "pto", "run", "--verbose", str(work / "bad.pto"))
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


def others(call) -> None:
    """A hang on two tiles has the cores that have returned, each with its tile and its kernel."""
    global failed
    try:
        call()
        wrong = "no hang"
    except tessera.HangError as error:
        found = {(party.tile, party.core, party.state) for party in error.hang.others}
        wrong = "" if found >= {((x, 2), "NCRISC", "returned") for x in (1, 2)} and all(party.place for party in error.hang.others) else str(error.hang.others)
    if wrong:
        failed += 1
        print(f"the cores of a hang that do not wait: {wrong}")


def kernels() -> None:
    shutil.copytree("kernels/template", folder)
    source = (folder / "compute.c").read_text()
    source = source.replace("  binary_op_init", '  KERNEL_CHECK(get_arg_val(1) != 7, "argument 1 is not 7");\n  binary_op_init', 1)
    (folder / "compute.c").write_text(source.replace("    cb_wait_front(CB_B, 1);", "    if (get_arg_val(1) != 8) cb_wait_front(CB_B, 1);"))
    count = "args compute A.pages 0"
    two = CHIP.replace("grid 1,2", "grid 1-2,2")
    for name, text in sliced((
            ("kernel hang", CHIP.replace(count, "args compute 9 0")), ("kernel check", CHIP.replace(count, "args compute A.pages 7")),
            ("kernel finding", CHIP.replace(count, "args compute A.pages 8")), ("kernel limit", CHIP + "cycles 500\n"),
            ("kernel without a buffer", CHIP.replace("buffer 16 2 C\n", "")), ("kernel expectation", CHIP.replace("sum A B", "sum A A")),
            ("kernel check on two tiles", two.replace(count, "args compute A.pages 7")),
            ("kernel hang on two tiles", two.replace(count, "args compute 9 0")), ("kernel limit of two tiles", two + "cycles 500\n"),
            ("kernel without a buffer on two tiles", two.replace("buffer 16 2 C\n", "")))):
        compare(name, on_chip(text), "kernel", "run", str(folder))
    others(on_chip(two.replace(count, "args compute 9 0")))
    arrays()
    for old, new in sliced(DESCRIPTIONS):
        assert old in CHIP, old
        compare(f"description {new}", on_chip(CHIP.replace(old, new)), "kernel", "run", str(folder))
    for name, text in LIMITS.items():
        bounded(name, text)
    for name, text in sliced(list(REPORTS.items())):
        report(name, text)
    on_chip(CHIP)
    warned(folder / "writer.c")
    (folder / "writer.c").write_text("void kernel_main(void) { nothing_of_this_name(); }\n")
    compare("compiler", lambda: tessera.Kernel.from_directory(folder).build(), "kernel", "run", str(folder))
    (folder / "writer.cpp").write_text("void kernel_main(void) {}\n")
    compare("two sources", lambda: tessera.Kernel.from_directory(folder), "kernel", "run", str(folder))
    (work / "empty").mkdir()
    (work / "empty" / "kernel.chip").write_text("")
    compare("no source", lambda: tessera.Kernel.from_directory(work / "empty"), "kernel", "run", str(work / "empty"))


LIMITS = {  # one line more, one tensor more, ...: refused by both, with the same line
    "statements": CHIP + "define X\n" * 8182, "settings": "grid 1,2\n" * 8193, "tensors": "".join(f"tensor T{i} zero:32x32 bf16 tiles dram\n" for i in range(100_000)),
    "elements": CHIP + "".join(f"tensor T{i} zero:16384x8192 bf16 tiles dram\n" for i in range(8)),
    "sum of elements": CHIP + "".join(f"tensor T{i} random:4096x4096:1 bf16 tiles dram\n" for i in range(4)),
    "words": CHIP + f"compile reader {'1 ' * 1024}\n" * 300, "words of a line": f"args reader {'1 ' * 4_000_000}\n", "bytes": "\n" * (16 << 20) + "#",
    "nothing": "\n" * (15 << 20) + "nonsense", "comments": "#a\n" * (5 << 20) + "nonsense"}


def bounded(name: str, text: str) -> None:
    """A description beyond a limit: the command's line, under a second of processor time and under 256 MiB."""
    global failed
    call = on_chip(text)
    compare(f"limit: {name}", call, "kernel", "run", str(folder))
    code = f"import re, time, tessera\ntry: tessera.Kernel.from_directory({str(folder)!r}).run_on_chip()\nexcept tessera.InvalidError: pass\n" \
           "print(time.process_time(), int(re.search('VmHWM:\\s*([0-9]+)', open('/proc/self/status').read())[1]) >> 10)"
    seconds, mebibytes = map(float, subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split())
    if seconds > 1.5 or mebibytes > 256:  # of it the import about 0.3
        failed += 1
        print(f"limit: {name}: {seconds:.2f} s, {mebibytes:.0f} MiB")


def warned(writer: pathlib.Path) -> None:
    """The compiler's warnings are the lines that the command prints; a build that the cache has repeats them."""
    global failed
    writer.write_text('#include "noc.h"\nvoid kernel_main(void) { int first; }\nstatic int second;\n')
    printed = [line.removeprefix("tessera kernel: ") for line in says("kernel", "build", str(folder))[1].splitlines() if "warning" in line]
    for attempt in ("new", "cached"):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            tessera.Kernel.from_directory(folder).build()
        own = [str(w.message) for w in caught if w.category is tessera.CompilerWarning]
        if own != printed or len(own) != 2 or {w.filename for w in caught} != {__file__}:
            failed += 1
            print(f"warnings of a {attempt} build: Python {own} at {[(w.filename, w.lineno) for w in caught]}, the command {printed}")


def report(name: str, text: str) -> None:
    """The report is what the command prints, byte for byte, and so are JSON and SARIF; saved tensors are the same numbers."""
    global failed
    on_chip(text)
    code, printed = says("kernel", "run", str(folder), "--json", str(work / "r.json"), "--sarif", str(work / "r.sarif"))
    saved = {line.split()[1]: np.load(folder / line.split()[2]) for line in text.splitlines() if line.startswith("save")}
    run = tessera.Kernel.from_directory(folder).run_on_chip(raises=False)
    own = {tensor: run[tensor] for tensor in saved}
    same = all(own[tensor].dtype == saved[tensor].dtype and np.array_equal(own[tensor], saved[tensor], equal_nan=True) for tensor in saved)
    written = run.report()
    same = same and {**json.loads((work / "r.json").read_text()), "expectations": written.data["expectations"]} == written.data
    same = same and json.loads((work / "r.sarif").read_text()) == json.loads(written.sarif)
    if str(written) != printed or run.code != code or not same:
        failed += 1
        print(f"report of {name}: Python {run.code}:\n{written}\nthe command {code}:\n{printed}\n{own}\n{saved}")


FORMATS = "bf16 fp32 tf32 fp16 bfp8 bfp4 bfp2 int32 uint32 uint16 int8 u8".split()
REPORTS = {
    "a good run": CHIP, "two tiles": CHIP.replace("grid 1,2", "grid 1-2,2"), "a finding": CHIP.replace("A.pages 0", "A.pages 8").split("expect")[0],
    "a finding on two tiles": CHIP.replace("A.pages 0", "A.pages 8").replace("grid 1,2", "grid 1-2,2"), "an output with a NaN": CHIP.replace("random:32x64:1", "nan.npy") + "expect C sum A B 9\n", "a hang": CHIP.replace("compute A.pages", "compute 9"),
    "a hang and findings on two tiles": CHIP.replace("compute A.pages 0", "compute 9 8").replace("grid 1,2", "grid 1-2,2"),
    "a run that until ends": CHIP + "until 1,2 0x58 0xff 1\n",
    "an input in Fortran's order": CHIP.replace("random:32x64:1", "fortran.npy") + "save A a.npy\n",
    "a wrong result": CHIP.replace("sum A B", "sum A A"),
    "the limit after a finding": CHIP.replace("A.pages 0", "A.pages 8") + "cycles 7000\n",
    "32 bits": CHIP.replace("bf16", "fp32").replace("0.01", "0.001") + "save C c.npy\n",
    "tensors of all formats": CHIP + "".join(f"tensor T{f} {source} {f} tiles dram\nsave T{f} {f}.npy\n" for f in FORMATS
                                            for source in [f"random:64x32:{FORMATS.index(f)}"]),
    "numbers that a format rounds": CHIP + "".join(f"tensor R{f} {source}.npy {f} tiles dram:3\nsave R{f} {f}.out.npy\n" for f in FORMATS
                                                   for source in ["whole" if "int" in f or f == "u8" else "floats"]),
    "a grid that comes late, other tiles, arguments over arguments": CHIP.replace("grid 1,2\n", "").replace(
        "buffer 0 2 A", "args 7 8 9 10\ngrid 1-2,2\nbuffer 1,2 0 2 A\nbuffer 2,2 0 4 A").replace("args reader A B", "args 2,2 reader A B\nargs reader A B"),
    "many arguments": CHIP.replace("args compute A.pages 0", "args compute A.pages 0" + " 3" * 339 + "\ncompile reader" + " 5" * 300),
    "everything else": CHIP.replace("buffer 0 2 A", "tensor S random:64x32:5 bf16 tiles 3,4\nimage dram:2 0x10000 whole.npy\ndump dram:2 0x10000 64 dumped\n"
                                    "define compute X=3\ncompile reader 1 0x2 accessor:A accessor:S\nargs common 5 float:1.5 x y banks\nbuffer 1 2 B 2048\n"
                                    "buffer 0 2 bf16").replace("buffer 1 2 B\n", "") + "save S s.npy\ncycles 0\n",
}


def sliced(cases: list) -> list:
    """make test takes a part of them (TESSERA_TEST_SCALE), make test-all all."""
    scale = int(os.environ.get("TESSERA_TEST_SCALE", "100"))
    every = 1 if scale >= 100 else 12
    return cases[::every]


def arrays() -> None:
    rng = np.random.default_rng(3)
    nan = rng.normal(size=(32, 64)).astype(np.float32)
    nan[3, 5] = np.nan
    np.save(folder / "nan.npy", nan)
    np.save(folder / "whole.npy", rng.integers(0, 100, size=(32, 32), dtype=np.int16))
    floats = (rng.normal(size=(64, 32)) * np.exp2(rng.integers(-40, 40, size=(64, 32)))).astype(np.float64)
    floats[0, :8] = [0, -0.0, np.inf, -np.inf, 1e300, -1e-300, 65504, 2.0**-24]
    floats[:16, 16:] = 0
    np.save(folder / "floats.npy", floats)
    np.save(folder / "one.npy", np.zeros(5))
    np.save(folder / "three.npy", np.zeros((3, 3), dtype=np.float32))
    np.save(folder / "big.npy", np.zeros((32, 64), dtype=">f4"))
    np.save(folder / "fortran.npy", np.asfortranarray(rng.integers(-9, 9, size=(32, 64)).astype(np.float64)))
    np.save(folder / "objects.npy", np.array([None]), allow_pickle=True)
    np.save(folder / "many.npy", np.full((32, 64), 1 << 40))
    (folder / "junk.npy").write_bytes(b"junk and more junk")
    (folder / "short.npy").write_bytes((folder / "floats.npy").read_bytes()[:200])


DESCRIPTIONS = [  # invalid lines
    ("grid 1,2", "grid 1,2\ngrid 1,3"), ("grid 1,2", "product p200"), ("grid 1,2", "timing off\ntiming off"),
    ("args compute A.pages 0", "args compute tiles=A.pages int=0"), ("args compute A.pages 0", "args compute tiles=A.pages tiles=0"),
    ("expect C", "compile reader a=accessor:Q\nexpect C"), ("expect C", "compile in=buffer:3\nexpect C"), ("expect C", "compile reader s=semaphore:32\nexpect C"),
    ("expect C", "compile reader pad=scratch:3\nexpect C"), ("expect C", "compile reader n=x\nexpect C"), ("expect C", "compile 3\nexpect C"),
    ("expect C", "define A-B\nexpect C"), ("buffer 0 2 A", "buffer in=0x 2 A"), ("expect C", "compile pad=scratch:0x170000\nexpect C"),
    ("grid 1,2", "grid 8,2"), ("grid 1,2", "grid here"), ("grid 1,2", "griid 1,2"), ("grid 1,2", "product p1"), ("grid 1,2", "timing fast"),
    ("grid 1,2", "cycles many"), ("random:32x64:1", "random:32x64"), ("random:32x64:1", "none.npy"), ("random:32x64:1", "zero:33x64"),
    ("zero:32x64 bf16", "zero:32x64 bf17"), ("zero:32x64 bf16 tiles", "zero:32x64 bf16 bricks"), ("C zero:32x64 bf16 tiles dram", "C zero:32x64"),
    ("dram\nbuffer 0", "dram:9\nbuffer 0"), ("buffer 0 2 A", "buffer 0 2 D"), ("buffer 0 2 A", "buffer 0 0 A"), ("buffer 0 2 A", "buffer 32 2 A"),
    ("buffer 0 2 A", "buffer 1 2 A"), ("buffer 0 2 A", "buffer 0"), ("A B A.pages", "A D A.pages"), ("args compute A.pages 0", "args compute " + "1 " * 342), ("grid 1,2", "args common " + "1 " * 33), ("grid 1,2", "compile reader " + "1 " * 1025),
    ("args compute A.pages 0", "args compute A.pages 0" + " 1" * 50 + "\ntensor D zero:32x32 bf16 tiles 1,2 0x17f000"),
    ("expect C sum A B 0.01", "expect D sum A B 0.01"), ("expect C sum A B 0.01", "expect C sum A D 0.01"), ("expect C sum A B 0.01", "expect C none.npy 0.01"),
    ("expect C sum A B 0.01", "expect C sum A B much"), ("buffer 0 2 A", "tensor A zero:32x64 bf16 tiles dram\nbuffer 0 2 A"), ("buffer 0 2 A", "buffer 0 20000 A"),
    ("grid 1,2", "cycles 010"), ("grid 1,2", "cycles 08"), ("grid 1,2", "cycles 18446744073709551616"), ("grid 1,2", "grid 32,2"), ("grid 1,2", "grid 0,0"),
    ("grid 1,2", "compute none.c"), ("grid 1,2", "define 1X"), ("grid 1,2", "define X Y"), ("grid 1,2", "compile 5"), ("grid 1,2", "compile reader x"),
    ("grid 1,2", "x" * 70), ("grid 1,2", "args " + "1 " * 1033), ("grid 1,2", "product " + "x" * 64), ("grid 1,2", "until 1,2 3 4 5"), ("grid 1,2", "grid 1,2\nuntil 1,2 0x300000 1 1"),
    ("grid 1,2", "grid 1,2\nuntil 1,2 0x58 1 1\nuntil 1,2 0x5c 1 1"),
    ("grid 1,2", "image dram 0 nan.npy"), ("grid 1,2", "image 1,2 0 nan.npy"), ("grid 1,2", "image dram:0 0 none.bin"), ("grid 1,2", "elf 3,3 arm nan.npy"),
    ("grid 1,2", "elf 3,3 brisc nan.npy"), ("grid 1,2", "kernel 3,3 nowhere"), ("grid 1,2", "kernel 3,3 nowhere now"), ("grid 1,2", "dump dram 0 4 d"),
    ("grid 1,2", "dump 1-2,2 0 4 d"), ("grid 1,2", "dump 1,2 0xffffffff 4 d"), ("grid 1,2", "save D d.npy"), ("grid 1,2", "args 3,3 5"), ("grid 1,2", "args 1,2 A.size"),
    ("grid 1,2", "tensor D zero:32x32 bf16 tiles dram 7"), ("grid 1,2", "tensor D zero:32x32 bf16 tiles dram 0xfffffffffff0"), ("grid 1,2", "tensor D zero:0x32 bf16 rows dram"),
    ("grid 1,2", "tensor D zero:32x32 bf16 tiles dram 0xff000000"), ("grid 1,2", "tensor D fill:32x32:300 int8 tiles dram"), ("grid 1,2", "tensor D fill:32x32:0.5 u8 tiles dram"),
    ("grid 1,2", "tensor D zero:32x32 bf16 tiles 1,2 0"), ("grid 1,2", "tensor D zero:32x32 bf16 tiles 1-2,2"), ("grid 1,2", "tensor D zero:32x32 bfp8 rows dram"),
    ("grid 1,2", "tensor D zero:32x32 bf16 tiles 8,2"), ("random:32x64:1", "three.npy"), ("random:32x64:1", "big.npy"),
    ("random:32x64:1", "objects.npy"), ("random:32x64:1", "junk.npy"), ("random:32x64:1", "short.npy"), ("random:32x64:1", "many.npy"), ("random:32x64:1 bf16", "many.npy int32"),
    ("random:32x64:1 bf16", "floats.npy int32"), ("buffer 0 2 A", "buffer 0 2 A 17"), ("buffer 0 2 A", "buffer 0 2 A on B"), ("buffer 0 2 A", "buffer 0 2 A off B"),
    ("buffer 0 2 A", "buffer 3,3 0 2 A"), ("expect C sum A B 0.01", "expect C one.npy 0.01"), ("expect C sum A B 0.01", "expect C three.npy 0.01"),
    ("expect C sum A B 0.01", "expect C junk.npy 0.01"), ("expect C sum A B 0.01", "expect C matmul A B 0.01"), ("grid 1,2", "tensor D random:32x32:0x10 bf16 tiles dram"),
]
if shutil.which("riscv64-unknown-elf-gcc"):
    kernels()
else:
    print("note: no RISC-V compiler: the words of kernels are not compared")
print(f"{failed} differ")
sys.exit(1 if failed else 0)
