"""Finds numbers of the Blackhole chip outside src/chips/blackhole. Prints one line per place; exit code 1 if there is one.

usage: chip_literals.py [FILE...]     without files: the sources of src

A number of the chip, in code or in a text (comments may name what they describe), is one of the listed ones:
  - a 32-bit address of the tile's registers, 0xFFB00000 to 0xFFEFFFFF, or where they begin, 0xFF000000
  - a 64-bit address of NIU, DBI or SII registers: 0xF800000000000000, or 0xFFFFFFFFF0000000 and up (but not all ones)
  - an address of base firmware in an Ethernet tile, 0x7C000 to 0x7DFFF; of the ARC, 0x80030000 to 0x80030FFF; of BAR 0's registers,
    0x1FC00000 to 0x1FEFFFFF
  - the size of L1: 0x180000, 1572864, 1536 times 1024
  - the counts 137 (instructions) and 140 (Tensix tiles)

or, in code alone, one that looks like a number of the chip:
  - odd: a hexadecimal number from 0x100 up whose bits are not one run (an address, a register's index, a reset value; not a mask)
  - named: in the model of the hardware, a hexadecimal number that a #define, an enumerator, an initializer or a case label names, or that
    is shifted into a field, and that is no mask of low bits (an offset, a message's code)
  - index: in the model of the hardware, a decimal number from 100 up that is neither round (a multiple of 100) nor next to a power of two
    (an index of a register, a frequency)
  - coordinate: in the model of the hardware, a name that ends in _X or _Y, or x or y themselves, with a number: a constant or a comparison;
    or three rows {number, number} below 32 in one initializer

EXCUSED lists what looks so and is not of the chip, with the reason; a line of it that excuses nothing is an error.
"""

import fnmatch
import glob
import re
import sys

RANGES = [
    (0xFF000000, 0xFF000000),
    (0xFFB00000, 0xFFEFFFFF),
    (0xF800000000000000, 0xF800000000000000),
    (0xFFFFFFFFF0000000, 0xFFFFFFFFFFBFFFFF),
    (0x7C000, 0x7DFFF),
    (0x80030000, 0x80030FFF),
    (0x1FC00000, 0x1FEFFFFF),
    (0x180000, 0x180000),
]
COUNTS = {"137", "140", "1536", "1572864"}  # as written: 0x600 is not a size of L1
MODEL = ("src/noc/", "src/chip/", "src/tensix/", "src/host/")

# Constants of published hash functions and random number generators: FNV-1a, splitmix64, xorshift*, MurmurHash3, xxHash, fast-hash, Knuth.
HASHES = {
    0x811C9DC5, 0x01000193, 0xCBF29CE484222325, 0x100000001B3, 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB,
    0x2545F4914F6CDD1D, 0x9E3779B1, 0x85EBCA77, 0x1B873593, 0x2C1B3C6D, 0x2127599BF4325C37, 2654435761,
}  # fmt: skip
ALTERNATING = {0x55555555, 0x33333333, 0x0F0F0F0F, 0x00FF00FF, 0xAAAA, 0x01010101, 0x0101, 0x80808080}  # masks of every second part
FLOAT = "the bits of a floating-point number (IEEE 754) or a bias of its exponent"
# Path, numbers (None: all of the kinds odd, named and index), reason.
EXCUSED = [
    ("src/*", HASHES, "a published hash function or random number generator"),
    ("src/*", ALTERNATING, "a mask of every second bit, pair, byte"),
    ("src/tensix/isa/isa.c", {0xFF000000}, "the opcode's bits of a word"),
    ("src/tensix/isa/isa.h", {0x8000}, "TX_BLOCK_ALL9: a flag of the table of instructions beside its nine bits"),
    ("src/tensix/frontend/dispatch.c", {0xFF000000}, "the opcode's bits of a word"),
    ("src/tensix/unit/vector/simple.c", {0xFF000000}, "a mask of lanes"),
    ("src/tensix/unit/vector/tables.c", None, "the vector unit's tables of reciprocals, roots and exponentials"),
    ("src/tensix/unit/vector/tables.c", {137, 140}, "the table of reciprocals"),
    ("src/tensix/unit/vector/config.c", None, "reset values of LReg constants: floating-point numbers"),
    ("src/tensix/unit/vector/lanes*", None, FLOAT),
    ("src/tensix/unit/vector/loadstore.[ch]", {112}, FLOAT),
    ("src/tensix/unit/vector/loadstore.c", {0x83F1}, "a set of format codes"),
    ("src/tensix/unit/vector/macro.c", {0x80, 0x40}, "two flags of this file's own table"),
    ("src/tensix/unit/vector/[mrs]*.c", {0x80000000, 0x7F800000}, FLOAT),
    ("src/tensix/unit/matrix/multiply.c", {0x3F9}, "a mask: one row of each pair of groups of Dst"),
    ("src/tensix/unit/matrix/control.c", {768}, "two bits of an offset into Dst"),
    ("src/tensix/state/dst.h", {0x3C7, 0x3F3, 0x207}, "masks of a permutation of Dst's rows"),
    ("src/tensix/state/pack.h", {2752}, "the size of a buffer of the simulator"),
    ("src/tensix/unit/pack/output.c", {2688}, "parts of a buffer of the simulator"),
    ("src/tensix/unit/pack/output.h", {2560, 432}, "parts of a buffer of the simulator"),
    ("src/tensix/unit/unpack/address.c", {120}, "a bit of the tile descriptor"),
    ("src/tensix/regs/rwc.h", {0xC0C0}, "a mask of two fields"),
    ("src/tensix/num/*", None, FLOAT),
    ("src/tensix/riscv/float.c", None, FLOAT),
    ("src/tensix/riscv/riscv.def", None, "encodings of RISC-V, a public standard"),
    ("src/tensix/state/core.h", {125}, "TX_L0_HITS_PER_FLUSH: a measured rate of the core, no address"),
    ("src/tensix/tile/ethernet.c", {0x8067}, "an instruction of RISC-V"),
    ("src/tensix/tile/window_dst.c", {0x80000000}, "the sign"),
    ("src/tensix/tile/window_push.c", {0xFFE40000}, "a message"),
    ("src/tensix/isa/lex.h", {192}, "the size of a message"),
    ("src/noc/at.c", {160}, "the size of a message"),
    ("src/noc/packet.h", {0x80000000}, "a bit of the packet header"),
    ("src/host/abi/debug.c", {200809, 320}, "POSIX's version; the size of a message"),
    ("src/host/machine.c", {160}, "the size of a message"),
    ("src/host/pci_config.c", None, "the header of PCI configuration space, a public standard"),
    ("src/load/conform_riscv.c", None, "instructions of RISC-V, and where the cases' generator puts code in L1"),
    ("src/observe/hang/orbit.c", {0xB00}, "the counters' range of CSR numbers, a public standard"),
    ("src/observe/hang/poll.c", {0x5A5A5A5A}, "a pattern that a poll's register must not keep"),
    ("src/check/internal.h", {0x308}, "the launch block: kernels/include/launch.h"),
    ("src/debug/dwarf.c", {0x2007}, "an attribute of DWARF, a public standard"),
    ("src/sim/assert.h", {0xA5A5A5A5A5A5A5A5}, "the poison of the invariant build"),
    ("src/api/handle.h", None, "marks of handles"),
    ("src/cli/run_options.c", {0xFFB14000}, "the help of an option"),
]
PIECES = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[^/"\']+|.', re.S)
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|[0-9]+)(?=[uUlL]*\b)(?!\.)")
NAMES = re.compile(r"(#\s*define\s+\w+\s+\(?|\w\s*=\s*|\bcase\s+)$")
SHIFTED = re.compile(r"[uUlL]*\s*<<")
COORDINATE = re.compile(r"\b(?:#\s*define\s+\w+_[XY]\s+\(?|(?:\w+_)?[xyXY]\s*[!=]=\s*|\w+_[XY]\s*=\s*)([0-9]+)u?\b|#\s*define\s+\w+_[XY]\s+\(?([0-9]+)u?\b")
PAIRS = re.compile(r"(?:\{\s*([0-9]+)u?\s*,\s*([0-9]+)u?\s*\}\s*,?\s*){3,}")


def one_run(value):
    """True when the set bits of value lie side by side."""
    while value and not value & 1:
        value >>= 1
    return not value & (value + 1)


def is_mask(value):
    width = next(w for w in (8, 16, 32, 64, 128) if value < 1 << w)
    return one_run(value) or one_run(value ^ ((1 << width) - 1))


def listed(digits, value):
    return digits in COUNTS or any(first <= value <= last for first, last in RANGES)


def kind_of(path, digits, value, before, after):
    """The reason why a number in code looks like one of the chip, or None."""
    if digits[:2] in ("0x", "0X"):
        if value >= 0x100 and not is_mask(value):
            return "odd"
        if path.startswith(MODEL) and value & (value + 1) and (NAMES.search(before) or SHIFTED.match(after)):
            return "named"
    elif path.startswith(MODEL) and digits[0] != "0" and value >= 100 and value % 100 and value & (value - 1) and value & (value + 1):
        return "index"
    return None


def coordinates(code):
    """(position, value) of numbers that a name or a table shows to be coordinates."""
    for found in COORDINATE.finditer(code):
        digits = found.group(1) or found.group(2)
        if int(digits) > 1 or "define" in found.group(0):
            yield found.start(), int(digits)
    for found in PAIRS.finditer(code):
        if all(int(n) < 32 for n in re.findall(r"[0-9]+", found.group(0))):
            yield found.start(), int(found.group(1))


def numbers(path, text):
    """(line, value, kind) of each number of the chip that is not in a comment."""
    line = 1
    code = ""
    for piece in PIECES.findall(text):
        if piece.startswith(("/*", "//")):
            code += "\n" * piece.count("\n")
        else:
            is_text = piece[0] in "\"'"
            for found in NUMBER.finditer(piece):
                digits = found.group(1)
                value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
                if listed(digits, value):
                    yield line + piece.count("\n", 0, found.start()), value, "listed"
                elif not is_text:
                    kind = kind_of(path, digits, value, (code + piece[: found.start()])[-80:], piece[found.end() :])
                    if kind:
                        yield line + piece.count("\n", 0, found.start()), value, kind
            code += "" if is_text else piece
        line += piece.count("\n")
    if path.startswith(MODEL):
        for at, value in coordinates(code):
            yield 1 + code.count("\n", 0, at), value, "coordinate"


def excuse_of(path, value, kind):
    for excuse in EXCUSED:
        of_kind = value in excuse[1] if excuse[1] is not None else kind in ("odd", "named", "index")
        if of_kind and fnmatch.fnmatch(path, excuse[0]):
            return excuse[0], excuse[2]
    return None


def main():
    # PATH=AS reads a file as if it stood there.
    files = sys.argv[1:] or sorted(f for kind in ("c", "h", "def") for f in glob.glob(f"src/**/*.{kind}", recursive=True))
    used, bad = set(), 0
    for argument in files:
        name, _, as_path = argument.partition("=")
        path = as_path or name
        if path.startswith("src/chips/blackhole/"):
            continue
        with open(name, encoding="utf-8") as source:
            for line, value, kind in sorted(numbers(path, source.read())):
                excuse = excuse_of(path, value, kind)
                used.add(excuse)
                if not excuse:
                    print(f"{path}:{line}: {value:#x} ({value}, {kind}) belongs into src/chips/blackhole")
                    bad = 1
    for path, _, reason in EXCUSED if not sys.argv[1:] else []:
        if (path, reason) not in used:
            print(f"tests/chip_literals.py: no longer needed: {path}: {reason}")
            bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
