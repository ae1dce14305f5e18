"""kernel.chip, read as `tessera kernel run` reads it (src/cli/chip_file.h): one statement per line, with the same error messages.
tests/python/words.py compares the two."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from . import _abi
from ._args import TEXT_BYTES, read_bounded
from .chip import products
from ._names import Names, is_macro, value_of
from .chip_format import CHIP_FORMATS, NAMES, ChipFormat, chip_format
from .errors import BuildError, InvalidError
from .errors import hidden as __tracebackhide__

__all__ = ["ALL", "COMMON", "Description", "Place", "Statement", "u64"]

ROLES = ("reader", "compute", "writer")
ALL, COMMON = "", "common"  # roles of arguments
_WORDS, _WORD, _PATH = 1032, 128, 512  # limits: words of a line, bytes of a word and of a path
_STATEMENTS, _TENSORS, _ALL_WORDS = 8192, 1024, 1 << 18  # limits of a description: lines, tensors, words of args and compile
_COMPILE = 1024  # compile-time arguments of a kernel
_COORDINATE_MAX = 31
_U64 = re.compile(r"0[xX][0-9a-fA-F]+|0[0-7]*|[1-9][0-9]*")
_TILES = re.compile(r"([0-9]+)(?:-([0-9]+))?,([0-9]+)(?:-([0-9]+))?")
_MADE = ("zero:", "fill:", "random:")
_LINE = re.compile(rb"^[ \t\r]*[^ \t\r\n#][^\n]*", re.M)  # with a statement


def u64(word: str) -> int | None:
    """A number in C syntax: decimal, 0x or with a leading 0 octal; None: not a 64-bit number."""
    if not _U64.fullmatch(word):
        return None
    value = int(word, 16) if word[:2] in ("0x", "0X") else int(word, 8) if word[0] == "0" else int(word)
    return value if value < 1 << 64 else None


@dataclass(frozen=True)
class Place:
    """Tiles (inclusive), all DRAM banks interleaved, or one bank."""

    kind: str  #: "tiles", "dram", "bank"
    x0: int = 0
    x1: int = 0
    y0: int = 0
    y1: int = 0
    bank: int = 0

    @property
    def columns(self) -> list[int]:
        """Columns 8 and 9 have no Tensix tiles and are skipped."""
        return [x for x in range(self.x0, self.x1 + 1) if x not in (8, 9) or not (self.x0 < 8 and self.x1 > 9)]

    def tiles(self) -> list[tuple[int, int]]:
        """Row by row."""
        return [(x, y) for y in range(self.y0, self.y1 + 1) for x in self.columns]


@dataclass
class Statement:
    """One line."""

    kind: str
    line: int
    place: Place
    name: str = ""  #: of a tensor; core of an elf
    label: str = ""  #: dfb::LABEL of a buffer
    path: str = ""  #: file, directory, source; of a buffer the tensor whose format it has
    number: list[int] = field(default_factory=lambda: [0, 0, 0])
    tolerance: float = 0.0
    format: ChipFormat = CHIP_FORMATS["bf16"]
    tiled: bool = False
    role: str = ALL
    placed: bool = False  #: a tensor with an address
    words: list[str] = field(default_factory=list)


class Description:
    """kernel.chip of a folder. Messages show paths relative to the given folder; files are opened relative to the working directory at that time."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.folder, self._top = os.path.dirname(self.path), os.getcwd()
        self.product, self.timing, self.cycles = "full", "cycle", 1_000_000_000
        self.grid = Place("tiles", 1, 1, 2, 2)
        self.grid_line = 0
        self._set_lines: dict[str, int] = {}  # where product, grid, cycles and timing are set
        self.statements: list[Statement] = []
        self._tensors: dict[str, Statement] = {}  # the first of each name
        self._tensor_count = self._words = 0
        self._line, self._left = 1, [""]  # the line, and its remaining words
        try:
            with open(self.path, "rb") as file:
                text = read_bounded(file, self.path, TEXT_BYTES)
        except OSError as error:
            raise InvalidError(f"cannot read {self.path}: {error.strerror}") from None
        if b"\0" in text:
            raise InvalidError(f"{self.path}: not a text file")
        at = 0
        for count, found in enumerate(_LINE.finditer(text)):
            self._line, at = self._line + text.count(b"\n", at, found.start()), found.start()
            if count == _STATEMENTS:
                raise self._refuse(f"more than {_STATEMENTS} statements in a description")
            words = re.split(rb"[ \t\r]+", found[0].partition(b"#")[0], maxsplit=_WORDS + 2)  # an empty one may be first and last
            self._left = [word.decode("utf-8", "surrogateescape") for word in words if word]
            if len(self._left) > _WORDS:
                raise self._refuse(f"more than {_WORDS} words")
            self._statement()

    def refuse(self, line: int, why: str) -> InvalidError:
        """An error that names the line."""
        return InvalidError(f"{self.path}:{line}: {why}")

    def _refuse(self, why: str) -> InvalidError:
        return self.refuse(self._line, why)

    def open_path(self, shown: str) -> str:
        """The path of a file of the description."""
        return os.path.join(self._top, shown)

    def of_kind(self, kind: str) -> list[Statement]:
        """Reads the statements in order."""
        return [s for s in self.statements if s.kind == kind]

    # --- words ---

    def _take(self, what: str) -> str:
        if not self._left:
            raise self._refuse(f"{what} is missing")
        return self._left.pop(0)

    def _copy(self, what: str, size: int = _WORD) -> str:
        word = self._take(what)
        if len(word.encode("utf-8", "surrogateescape")) >= size:
            raise self._refuse(f"{what} has more than {size - 1} characters")
        return word

    def _file(self, what: str) -> str:
        word = self._take(what)
        path = word if word.startswith("/") else f"{self.folder}/{word}"
        if len(path.encode("utf-8", "surrogateescape")) >= _PATH:
            raise self._refuse(f"{what} has more than {_PATH - 1} characters")
        return path

    def _number(self, what: str) -> int:
        word = self._take(what)
        value = u64(word)
        if value is None:
            raise self._refuse(f"{what} must be a number, not '{word}'")
        return value

    def _tiles(self) -> Place:
        """The tiles named before a statement; without them the grid's."""
        return self._rectangle() if self._left and "," in self._left[0] else self.grid

    def _rectangle(self) -> Place:
        word = self._take("the tile")
        found = _TILES.fullmatch(word)
        x0, x1, y0, y1 = (int(part) if part else -1 for part in found.groups()) if found else (0, 0, 0, 0)
        x1, y1 = x1 if x1 >= 0 else x0, y1 if y1 >= 0 else y0
        if not found or x0 > x1 or y0 > y1 or max(x1, y1) > _COORDINATE_MAX:
            raise self._refuse(f"'{word}' is not a tile; write X,Y or X0-X1,Y0-Y1")
        return Place("tiles", x0, x1, y0, y1)

    def _any_place(self) -> Place:
        word = self._left[0] if self._left else ""
        if word == "dram":
            self._left.pop(0)
            return Place("dram")
        if not word.startswith("dram:"):
            return self._tiles()
        bank = u64(word[5:])
        if bank is None or bank > 7:
            raise self._refuse(f"'{word}': DRAM banks are 0 to 7")
        self._left.pop(0)
        return Place("bank", bank=bank)

    def _format(self) -> ChipFormat:
        word = self._left.pop(0) if self._left else ""
        found = chip_format(word)
        if found is None:
            raise self._refuse(f"formats are {NAMES}, not '{word}'")
        return found

    def _role(self) -> str:
        return self._left.pop(0) if self._left and self._left[0] in ROLES else ALL

    def _rest(self, what: str, most: int) -> list[str]:
        if len(self._left) > most:
            raise self._refuse(f"{len(self._left)} words: a kernel has at most {most} of them: {what}")
        self._words += len(self._left)
        if self._words > _ALL_WORDS:
            raise self._refuse(f"more than {_ALL_WORDS} words of args and compile in a description")
        return [self._copy(what) for _ in range(len(self._left))]

    # --- statements ---

    def _statement(self) -> None:
        kind = self._left.pop(0)
        setting = {"product": self._set_product, "grid": self._set_grid, "cycles": self._set_cycles, "timing": self._set_timing}.get(kind)
        readers: dict[str, Callable[[Statement], None]] = {
            "elf": self._read_elf, "kernel": self._read_kernel, "buffer": self._read_buffer, "args": self._read_args, "image": self._read_image,
            "tensor": self._read_tensor, "until": self._read_until, "save": self._read_save, "dump": self._read_dump, "expect": self._read_expect,
            "define": self._read_define, "compile": self._read_compile, **{role: self._read_source for role in ROLES}}
        if setting is not None:
            if kind in self._set_lines:
                raise self._refuse(f"{kind} is already set in line {self._set_lines[kind]}")
            self._set_lines[kind] = self._line
            setting()
        elif kind in readers:
            s = Statement("source" if kind in ROLES else kind, self._line, self.grid, role=kind if kind in ROLES else ALL)
            readers[kind](s)
            self.statements.append(s)
        else:
            raise self._refuse(f"unknown statement '{kind}'")
        if self._left:
            raise self._refuse(f"unexpected '{self._left[0]}' at the end of the line")

    def _set_product(self) -> None:
        self.product = self._copy("the product")

    def _set_grid(self) -> None:
        self.grid = self._rectangle()
        self.grid_line = self._line

    def _set_cycles(self) -> None:
        self.cycles = self._number("the number of cycles") or 1_000_000_000

    def _set_timing(self) -> None:
        self.timing = self._left.pop(0) if self._left else ""
        if self.timing not in ("off", "cycle"):
            raise self._refuse("timing is off or cycle")

    def check_product(self) -> None:
        """Checks that the product exists."""
        if self.product not in products():
            raise self.refuse(self._set_lines["product"], f"products are {', '.join(products())}, not '{self.product}'")

    def _read_elf(self, s: Statement) -> None:
        s.place, s.name, s.path = self._tiles(), self._copy("the core"), self._file("the file")

    def _read_kernel(self, s: Statement) -> None:
        s.place, s.path = self._tiles(), self._file("the directory")
        s.number[0] = bool(self._left)
        word = self._left.pop(0) if self._left else "waits"
        if word != "waits":
            raise self._refuse(f"'{word}': only 'waits' may follow the directory")

    def _read_args(self, s: Statement) -> None:
        s.place = self._tiles()
        s.role = self._role()
        if s.role == ALL and self._left[:1] == ["common"]:
            s.role = self._left.pop(0)
        for other in self.of_kind("args"):
            if (other.place, other.role) == (s.place, s.role):
                raise self._refuse(f"the arguments are set in line {other.line} already: one line has all of them")
        s.words = self._rest("an argument", _abi.LAUNCH_ARGS if s.role == COMMON else _abi.LAUNCH_OWN_ARGS)

    def _read_image(self, s: Statement) -> None:
        s.place, s.number[0], s.path = self._any_place(), self._number("the address"), self._file("the file")

    def _read_until(self, s: Statement) -> None:
        s.place = self._tiles()
        s.number = [self._number(what) for what in ("the address", "the mask", "the value")]

    def _read_save(self, s: Statement) -> None:
        s.name, s.path = self._copy("the tensor's name"), self._file("the file")

    def _read_dump(self, s: Statement) -> None:
        s.place = self._any_place()
        s.number[:2] = [self._number("the address"), self._number("the length")]
        s.path = self._file("the file")

    def _read_source(self, s: Statement) -> None:
        s.path = self._file("the file")

    def _read_define(self, s: Statement) -> None:
        s.role, s.path = self._role(), self._copy("the name", _PATH)
        if not is_macro(s.path):
            raise self._refuse(f"'{s.path}' cannot be defined as a macro: write NAME or NAME=VALUE")

    def _read_compile(self, s: Statement) -> None:
        s.role = self._role()
        s.words = self._rest("a compile-time argument", _COMPILE)
        if s.role == ALL and not (s.words and all(value_of(word)[0] for word in s.words)):
            raise self._refuse("compile needs reader, compute or writer, or NAME=WORD")

    def _read_tensor(self, s: Statement) -> None:
        self._tensor_count += 1
        if self._tensor_count > _TENSORS:
            raise self._refuse(f"more than {_TENSORS} tensors")
        s.name = self._copy("the tensor's name")
        made = bool(self._left) and self._left[0].startswith(_MADE)
        s.path = self._copy("the source", _PATH) if made else self._file("the source")
        s.format = self._format()
        order = self._left.pop(0) if self._left else ""
        if order not in ("tiles", "rows"):
            raise self._refuse("the layout of a tensor is tiles or rows")
        s.tiled, s.place = order == "tiles", self._any_place()
        s.placed = bool(self._left)
        if s.format.block and not s.tiled:
            raise self._refuse(f"tensor {s.name}: {s.format.name} has no rows, only tiles")
        if s.placed and u64(self._left[0]) is None:
            raise self._refuse(f"'{self._left[0]}' is neither a place (dram, dram:BANK, X,Y) nor an address")
        if s.placed:
            s.number[0] = self._number("the address")
        self._tensors.setdefault(s.name, s)

    def _read_buffer(self, s: Statement) -> None:
        s.place = self._tiles()
        s.label, index = value_of(self._left[0]) if self._left else ("", "")
        if s.label:
            self._left[0] = index
        s.number[:2] = [self._number("the buffer's index"), self._number("the number of pages")]
        like = self._left[0] if self._left else ""
        if chip_format(like) is not None:
            s.format = self._format()
        elif like in self._tensors:
            s.path = self._copy("the tensor", _PATH)
        elif like:
            raise self._refuse(f"'{like}' is neither a tensor above nor a format: {NAMES}")
        else:
            raise self._refuse(f"the format of the buffer is missing: a tensor, or {NAMES}")
        if self._left and self._left[0] != "on":
            s.number[2] = self._number("the bytes of a page")
        if self._left:
            word = self._left.pop(0)
            if word != "on":
                raise self._refuse(f"'{word}': only 'on TENSOR' may follow the page")
            s.name = self._copy("the tensor's name")

    def _read_expect(self, s: Statement) -> None:
        s.name = self._copy("the tensor's name")
        computed = self._left[:1] in (["matmul"], ["sum"])
        wanted = self._left[0] if self._left else ""
        s.path = self._copy("what is expected", _PATH) if computed else self._file("what is expected")
        if not computed and len(self._left) > 1:
            raise self._refuse(f"expect takes FILE.npy, 'sum A B' or 'matmul A B', then a tolerance; not '{wanted}'")
        s.words = [self._copy("an operand") for _ in range(2)] if computed else []
        if not self._left:
            raise self._refuse("expect needs a tolerance at the end")
        word = self._left.pop(0)
        try:
            s.tolerance = float(word)
        except ValueError:
            s.tolerance = -1.0
        if not 0 <= s.tolerance < math.inf:
            raise self._refuse(f"the tolerance must be a number of at least 0, not '{word}'")

    # --- the build ---

    def sources(self, empty: str) -> dict[str, str]:
        """The path of each role's kernel, else the empty kernel."""
        found = {role: self._source(role) for role in ROLES}
        if not any(found.values()):
            raise BuildError(f"{self.folder} has no reader.c, compute.c or writer.c (or .cpp)")
        return {role: path or empty for role, path in found.items()}

    def _source(self, role: str) -> str:
        for s in self.of_kind("source"):
            if s.role == role:
                if not os.access(self.open_path(s.path), os.R_OK):
                    why = "Permission denied" if os.path.exists(self.open_path(s.path)) else "No such file or directory"
                    raise self.refuse(s.line, f"{s.path}: {why}")
                return s.path
        c, cpp = (f"{self.folder}/{role}{ending}" for ending in (".c", ".cpp"))
        found = [path for path in (c, cpp) if os.access(self.open_path(path), os.R_OK)]
        if len(found) == 2:
            raise BuildError(f"both {c} and {cpp} exist; remove one or name it in kernel.chip")
        return found[0] if found else ""

    def tensor(self, name: str) -> Statement | None:
        """The tensor of this name."""
        return self._tensors.get(name)

    def flags(self, flags: Sequence[str], page_bytes: Callable[[Statement], int], names: Names) -> dict[str, list[str]]:
        """The compiler's flags of each role; `flags`: those of the caller, which come after them."""
        return {
            role: [*self._buffer_flags(role, flags, page_bytes), *names.flags(role), *self._arg_flags(role, names), *self._role_flags(role)]
            for role in ROLES
        }

    def _arg_flags(self, role: str, names: Names) -> list[str]:
        """How many arguments the description gives: get_arg_val stops at an index beyond them."""
        own, common = (max([0, *(s.number[0] + len(s.words) for s in self.of_kind("args") if s.role in roles)]) for roles in ((role, ALL), ("common", ALL)))
        if names.addresses:
            common = names.first + len(names.addresses)
        return [f"-DKERNEL_ARG_COUNT={own}", f"-DKERNEL_COMMON_ARG_COUNT={min(common, _abi.LAUNCH_ARGS)}"]

    def _buffer_flags(self, role: str, flags: Sequence[str], page_bytes: Callable[[Statement], int]) -> list[str]:
        """The circular buffers as constants, and which of them hold integers in two's complement. Numbers of 32 bits or INT8 in one of them need
        a 32-bit Dst, which the compute kernel gets unless it is defined."""
        rows, wide, complements, mask = "", False, 0, 0
        for s in self.of_kind("buffer"):
            like = self.tensor(s.path) if s.path else None
            f = like.format if like else s.format
            page = s.number[2] or (page_bytes(like) if like else f.size(1024))
            rows += f"{{{s.number[0] & 255},{page & 0xFFFFFFFF},{f.code}}},"
            wide |= f.name in ("fp32", "int32", "int32sm", "uint32", "int8", "u8")
            complements |= (f.name in ("int32", "uint32")) << (s.number[0] & 31)
            mask |= 1 << (s.number[0] & 31)
        found = ["-DKERNEL_BUFFERS=" + rows] if rows else []
        found += [f"-DKERNEL_BUFFER_MASK={mask:#x}u"]
        found += [f"-DKERNEL_TWOS_COMPLEMENT={complements:#x}u"] if complements else []
        if wide and role == "compute" and not self._defines(role, "DST_ACCUM_MODE", flags):
            found.append("-DDST_ACCUM_MODE=1")
            if not self._defines(role, "UNPACK_TO_DST", flags):
                found.append("-DUNPACK_TO_DST=1")
        return found

    def _defines(self, role: str, name: str, flags: Sequence[str]) -> bool:
        own = [s.path for s in self.of_kind("define") if s.role in (role, ALL)] + [flag[2:] for flag in flags if flag.startswith("-D")]
        return any(define.split("=")[0] == name for define in own)

    def _role_flags(self, role: str) -> list[str]:
        return ["-D" + s.path for s in self.of_kind("define") if s.role in (role, ALL)]
