"""Every exception has the words of the command: both are given the same input. usage: words.py TESSERA BUILD WORK"""

import pathlib
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
    """The exception's text stands in what the command prints, and its code is the command's."""
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
print(f"{failed} differ")
sys.exit(1 if failed else 0)
