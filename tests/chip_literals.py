"""Finds numbers of the Blackhole chip outside src/chips/blackhole. Prints one line per place; exit code 1 if there is one.

usage: chip_literals.py [FILE...]     without files: the sources of src

A number of the chip is, in code or in a text (comments may name what they describe):
  - a 32-bit address of the tile's registers, 0xFFB00000 to 0xFFEFFFFF, or where they begin, 0xFF000000
  - a 64-bit address of NIU, DBI or SII registers: 0xF800000000000000, or 0xFFFFFFFFF0000000 and up (but not all ones)
  - an address of base firmware in an Ethernet tile, 0x7C000 to 0x7DFFF; of the ARC, 0x80030000 to 0x80030FFF; of BAR 0's registers,
    0x1FC00000 to 0x1FEFFFFF
  - the size of L1: 0x180000, 1572864, 1536 times 1024
  - the counts 137 (instructions) and 140 (Tensix tiles)
"""

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
# Path, number, reason.
EXCEPTIONS = [
    ("src/tensix/isa/isa.c", 0xFF000000, "the opcode's bits of a word"),
    ("src/tensix/frontend/dispatch.c", 0xFF000000, "the opcode's bits of a word"),
    ("src/tensix/unit/vector/simple.c", 0xFF000000, "a mask of lanes"),
    ("src/tensix/unit/vector/tables.c", 137, "the table of reciprocals"),
    ("src/tensix/unit/vector/tables.c", 140, "the table of reciprocals"),
    ("src/chip/bare.c", 0xFF000000, "a message"),
    ("src/chip/bare.c", 0xFFFFFFFFFF000000, "a message"),
    ("src/tensix/tile/window_push.c", 0xFFE40000, "a message"),
    ("src/cli/run_options.c", 0xFFB14000, "the help of an option"),
]
PIECES = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|[^/"\']+|.', re.S)
NUMBER = re.compile(r"(?<![\w.])(0[xX][0-9a-fA-F]+|[0-9]+)(?=[uUlL]*\b)(?!\.)")


def numbers(text):
    """(line, value) of each number of the chip that is not in a comment."""
    line = 1
    for piece in PIECES.findall(text):
        if not piece.startswith(("/*", "//")):
            for found in NUMBER.finditer(piece):
                digits = found.group(1)
                value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits)
                if digits in COUNTS or any(first <= value <= last for first, last in RANGES):
                    yield line + piece.count("\n", 0, found.start()), value
        line += piece.count("\n")


def main():
    files = sys.argv[1:] or sorted(f for kind in ("c", "h", "def") for f in glob.glob(f"src/**/*.{kind}", recursive=True))
    used, bad = set(), 0
    for path in files:
        if path.startswith("src/chips/blackhole/"):
            continue
        with open(path, encoding="utf-8") as source:
            for line, value in numbers(source.read()):
                excuse = next((e for e in EXCEPTIONS if e[:2] == (path, value)), None)
                used.add(excuse)
                if not excuse:
                    print(f"{path}:{line}: {value:#x} ({value}) belongs into src/chips/blackhole")
                    bad = 1
    for excuse in EXCEPTIONS if not sys.argv[1:] else []:
        if excuse not in used:
            print(f"tests/chip_literals.py: no longer needed: {excuse}")
            bad = 1
    return bad


sys.exit(main())
