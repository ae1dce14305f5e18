"""A kernel's folder: kernel.chip describes tensors, circular buffers, arguments and what is expected, as `tessera kernel run` reads it.

>>> import os, tessera
>>> from tessera.build import kernel_library
>>> kernel = tessera.Kernel.from_directory(os.path.join(kernel_library(), "template"))
>>> run = kernel.run_on_chip(timing="off")
>>> run["C"].shape, [good for _, good in run.expectations]
((64, 128), [True])
"""

from __future__ import annotations

import ctypes
import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, formats
from ._args import shape_text, shown
from ._lib import lib
from ._lib import text as text_of
from .chip import Chip, products
from .errors import Error, ExpectationError, FaultError, FindingError, HangError, InvalidError, LimitError
from .findings import Finding
from .names import L1_BYTES
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel

__all__ = ["ChipRun", "Description"]

_ALIGNMENT = 64  # of a page in DRAM
_CORES = {"reader": "ncrisc", "compute": "trisc0", "writer": "brisc"}
_FINISHED = 0x58  # counts launches that are finished (kernels/include/launch.h)
_COMMAND = "tessera kernel run has it, the package does not"
_FORMATS = "bf16 fp32 tf32 fp16 bfp8 bfp4 bfp2 int32 uint32 uint16 int8 u8".split()  # the command's
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_MADE = re.compile(rf"zero:[1-9]\d*x[1-9]\d*|fill:[1-9]\d*x[1-9]\d*:{_NUMBER}|random:[1-9]\d*x[1-9]\d*:\d+")
_TILES = re.compile(r"(\d+)(?:-(\d+))?,(\d+)(?:-(\d+))?")


def _random(count: int, seed: int, integer: bool, signed: bool) -> npt.NDArray[np.float64]:
    """The command's numbers of random:ROWSxCOLUMNS:SEED."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    v = ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 4503599627370496.0 - 1.0
    return np.floor((v if signed else v + 1) * 100) if integer else v


@dataclass
class _Tensor:
    name: str
    source: str
    format: formats.Format
    tiles: bool
    bank: int | None
    address: int
    line: int
    values: npt.NDArray[Any] = field(default_factory=lambda: np.zeros((0, 0)))

    @property
    def shape(self) -> tuple[int, int]:
        return int(self.values.shape[0]), int(self.values.shape[1])

    @property
    def page_bytes(self) -> int:
        return self.format.bytes_of_tile if self.tiles else self.shape[1] * self.format.bits // 8

    @property
    def pages(self) -> int:
        return self.shape[0] * self.shape[1] // 1024 if self.tiles else self.shape[0]

    @property
    def stride(self) -> int:
        return -(-self.page_bytes // _ALIGNMENT) * _ALIGNMENT

    def words(self) -> dict[str, int]:
        """What an argument can name."""
        rows, columns = self.shape
        n = self.name
        return {n: self.address, f"{n}.pages": self.pages, f"{n}.rows": rows, f"{n}.cols": columns, f"{n}.ht": rows // 32,
                f"{n}.wt": columns // 32, f"{n}.page_bytes": self.page_bytes}


class Description:
    """kernel.chip, read. Statements that only the command has are refused by name."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = os.fspath(path)
        self.folder = os.path.dirname(os.path.abspath(self.path))
        self.product: str | None = None
        self.timing, self.cycles = "cycle", 1_000_000_000
        self.grid: tuple[tuple[int, ...], tuple[int, ...]] = ((1,), (2,))
        self.tensors: dict[str, _Tensor] = {}
        self.buffers: list[tuple[int, int, str, int, int]] = []  # index, pages, format or tensor, bytes of a page, line
        self.args: list[tuple[str | None, list[str], int]] = []  # role, words, line
        self.words: list[str] = []  # of the line, still to be read
        self.expects: list[list[str]] = []
        self.sources: dict[str, str] = {}
        self.defines: dict[str, list[str]] = {role: [] for role in _CORES}
        self.line = 0
        try:
            with open(self.path, encoding="utf-8") as file:
                lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InvalidError(f"{self.path}: {getattr(error, 'strerror', None) or 'no text'}") from None
        for self.line, text in enumerate(lines, 1):
            words = text.split("#")[0].split()
            if words:
                self._statement(words)

    def refuse(self, why: str) -> InvalidError:
        """An error that names the line."""
        return InvalidError(f"{self.path}:{self.line}: {why}")

    def _statement(self, words: list[str]) -> None:
        """One statement. What is refused is refused in the command's words (src/cli/chip_file.c); tests/python/words.py compares them."""
        kind, self.words = words[0], words[1:]
        if kind in _CORES:
            self.sources[kind] = os.path.join(self.folder, self._word("the file"))
        elif kind in ("image", "dump", "until", "save", "elf", "kernel"):
            raise self.refuse(f"'{kind}': {_COMMAND}")
        elif hasattr(self, "_read_" + kind):
            getattr(self, "_read_" + kind)()
        else:
            raise self.refuse(f"'{kind}' begins no statement")
        if self.words:
            raise self.refuse(f"unexpected '{self.words[0]}' at the end of the line")

    def _word(self, what: str) -> str:
        if not self.words:
            raise self.refuse(f"{what} is missing")
        return self.words.pop(0)

    def _number(self, what: str) -> int:
        word = self._word(what)
        try:
            if not word[0].isdigit():
                raise ValueError
            return int(word, 0)
        except ValueError:
            raise self.refuse(f"{what} is a number, not '{word}'") from None

    def _role(self) -> str | None:
        return self.words.pop(0) if self.words and self.words[0] in _CORES else None

    def _tiles(self) -> None:
        """Tiles in front of a statement: those of the grid, or none."""
        if self.words and "," in self.words[0] and self._places(self.words.pop(0)) != self.grid:
            raise self.refuse(f"tiles other than the grid's: {_COMMAND}")

    def _places(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = _TILES.fullmatch(word)
        x0, x1, y0, y1 = (int(part) if part else -1 for part in found.groups()) if found else (0, 0, 0, 0)
        x1, y1 = x1 if x1 >= 0 else x0, y1 if y1 >= 0 else y0
        if not found or x0 > x1 or y0 > y1 or max(x1, y1) > 255:
            raise self.refuse(f"'{word}' is no tile; write X,Y or X0-X1,Y0-Y1")
        return tuple(x for x in range(x0, x1 + 1) if x not in (8, 9) or not x0 < 8 < 9 < x1), tuple(range(y0, y1 + 1))

    def _read_product(self) -> None:
        self.product = self._word("the product")
        if self.product not in products():
            raise InvalidError(f"products are {', '.join(products())}, not '{self.product}'")

    def _read_timing(self) -> None:
        if self.words[:1] not in (["off"], ["cycle"]):
            raise self.refuse("timing is off or cycle")
        self.timing = self.words.pop(0)

    def _read_cycles(self) -> None:
        self.cycles = self._number("the number of cycles")

    def _read_grid(self) -> None:
        if self.buffers or self.args:
            raise self.refuse(f"a grid after buffers or arguments: {_COMMAND}")
        self.grid = self._places(self._word("the tile"))

    def _read_define(self) -> None:
        role, word = self._role(), self._word("the name")
        if not re.match(r"[A-Za-z_]", word):
            raise self.refuse(f"'{word}' is no name that can be defined")
        for each in [role] if role else list(_CORES):
            self.defines[each].append("-D" + word)

    def _read_compile(self) -> None:
        role = self._role()
        if role is None:
            raise self.refuse("compile needs reader, compute or writer")
        if any(":" in word for word in self.words):
            raise self.refuse(f"'accessor:': {_COMMAND}")
        self._most("a compile-time argument")
        count = len(self.words)
        numbers = ",".join(str(self._number("a compile-time argument")) for _ in range(count))
        self.defines[role].append("-DKERNEL_COMPILE_TIME_ARGS=" + numbers)

    def _most(self, what: str) -> None:
        if len(self.words) > _abi.LAUNCH_ARGS:
            raise self.refuse(f"a kernel has {_abi.LAUNCH_ARGS} of them: {what}")

    def _read_tensor(self) -> None:
        name, source = self._word("the tensor's name"), self._word("the source")
        f = self._format()
        order = self.words.pop(0) if self.words else ""
        if order not in ("tiles", "rows"):
            raise self.refuse("a tensor lies in tiles or in rows")
        place = self.words.pop(0) if self.words else ""
        if not place.startswith("dram"):
            self._places(place)
            raise self.refuse(f"a tensor in L1: {_COMMAND}")
        if not re.fullmatch(r"dram(:[0-7])?", place):
            raise self.refuse(f"'{place}': DRAM banks are 0 to 7")
        if f.block and order == "rows":
            raise self.refuse(f"tensor {name}: {f.name} has no rows, only tiles")
        address = self._number("the address") if self.words else -1
        if source.startswith(("zero:", "fill:", "random:")) and not _MADE.fullmatch(source):
            raise self.refuse(f"'{source}': write zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE or random:ROWSxCOLUMNS:SEED")
        if name in self.tensors:
            raise self.refuse(f"tensor {name} is already defined")
        self.tensors[name] = _Tensor(name, source, f, order == "tiles", int(place[5:]) if place != "dram" else None, address, self.line)

    def _format(self) -> formats.Format:
        word = self.words.pop(0) if self.words else ""
        if word not in _FORMATS:
            listed = ", ".join(_FORMATS[:-1]) + f" and {_FORMATS[-1]}"
            raise self.refuse(f"formats are {listed}, not '{word}'")
        if word not in formats.FORMATS:
            raise self.refuse(f"'{word}': {_COMMAND}")
        return formats.named(word)

    def _read_buffer(self) -> None:
        self._tiles()
        index, pages = self._number("the buffer's index"), self._number("the number of pages")
        like = self.words[0] if self.words else ""
        if like in self.tensors and like not in _FORMATS:
            self.words.pop(0)
        else:
            like = self._format().name
        if "on" in self.words:
            raise self.refuse(f"'on': {_COMMAND}")
        page_bytes = self._number("the bytes of a page") if self.words else 0
        self.buffers.append((index, pages, like, page_bytes, self.line))

    def _read_args(self) -> None:
        self._tiles()
        role = self._role()
        self._most("an argument")
        self.args.append((role, self.words, self.line))
        self.words = []

    def _read_expect(self) -> None:
        name, what = self._word("the tensor's name"), self._word("what is expected")
        operands = [self._word("an operand") for _ in range(2)] if what in ("sum", "matmul") else []
        tolerance = self.words.pop(0) if self.words else ""
        try:
            if not float(tolerance) >= 0:
                raise ValueError
        except ValueError:
            raise self.refuse("expect needs a tolerance at the end") from None
        for tensor in [name, *operands]:
            if tensor not in self.tensors:
                raise self.refuse(f"there is no tensor {tensor}")
        if not operands and not os.path.isfile(os.path.join(self.folder, what)):
            raise InvalidError(f"cannot read {os.path.join(self.folder, what)}: No such file or directory")
        self.expects.append([name, what, *operands, tolerance])

    # --- numbers ---

    def fill(self, tensor: _Tensor, given: npt.ArrayLike | None) -> None:
        """The tensor's numbers: the caller's, or the description's."""
        if given is None:
            tensor.values = self._made(tensor)
        else:
            own = self._made(tensor, shape_only=True)
            array = formats.numbers(given, f"tensor '{tensor.name}'")
            if own.size and own.shape != array.shape:
                raise InvalidError(f"'{tensor.name}' is {shape_text(own.shape)} in {self.path}, not {shape_text(array.shape)}")
            tensor.values = array
        if tensor.values.ndim != 2 or (tensor.tiles and (tensor.shape[0] % 32 or tensor.shape[1] % 32)):
            raise InvalidError(f"{self.path}:{tensor.line}: tensor {tensor.name} is {shape_text(tensor.values.shape)}; in tiles both are multiples of 32")

    def _made(self, tensor: _Tensor, shape_only: bool = False) -> npt.NDArray[Any]:
        if found := re.fullmatch(r"(zero|fill|random):(\d+)x(\d+)(?::(.+))?", tensor.source):
            kind, rows, columns, more = found[1], int(found[2]), int(found[3]), found[4]
            integer = tensor.format.name in ("int32", "uint32", "uint16", "int8", "u8")
            if kind == "random" and not shape_only:
                signed = tensor.format.name in ("int32", "int8")
                return _random(rows * columns, int(more or "0", 0), integer, signed).reshape(rows, columns)
            return np.full((rows, columns), float(more) if kind == "fill" and more else 0.0)
        path = os.path.join(self.folder, tensor.source)
        try:
            return np.asarray(np.load(path, allow_pickle=False))
        except (OSError, ValueError, EOFError) as error:
            if shape_only:
                return np.zeros(0)
            raise InvalidError(f"cannot read {path}: {getattr(error, 'strerror', None) or error}") from None

    def expected(self, words: list[str]) -> tuple[npt.NDArray[Any], npt.NDArray[Any], float]:
        """What is expected, the scale of the error, and the tolerance."""
        tolerance = float(words[-1])
        if len(words) == 3:
            want = np.asarray(np.load(os.path.join(self.folder, words[1]), allow_pickle=False), dtype=np.float64)
            return want, 1 + np.abs(want), tolerance
        a, b = (self._rounded(self.tensors[name]) for name in words[2:4])
        if words[1] == "sum":
            return a + b, 1 + np.abs(a + b), tolerance
        return a @ b, np.abs(a) @ np.abs(b), tolerance

    def _rounded(self, tensor: _Tensor) -> npt.NDArray[np.float64]:
        raw = formats.to_bytes(formats.tilize(tensor.values), tensor.format) if tensor.tiles else formats.to_bytes(tensor.values, tensor.format)
        back = formats.from_tiles(raw, tensor.shape, tensor.format) if tensor.tiles else formats.from_bytes(raw, tensor.format).reshape(tensor.shape)
        return np.asarray(back, dtype=np.float64)


class _Job:
    """The description on a chip."""

    def __init__(self, kernel: Kernel, d: Description, chip: Chip, inputs: Mapping[str, Any]) -> None:
        self.kernel, self.d, self.chip = kernel, d, chip
        unknown = set(inputs) - set(d.tensors)
        if unknown:
            raise InvalidError(f"{d.path} has no tensor '{min(unknown, key=str)}' ({', '.join(d.tensors)})")
        top = 0x1000
        for tensor in d.tensors.values():
            d.fill(tensor, inputs.get(tensor.name))
            if tensor.address < 0:
                tensor.address = top
            top = max(top, tensor.address + tensor.stride * (-(-tensor.pages // len(self._banks(tensor))))) + 31 & ~31
            top = -(-top // _ALIGNMENT) * _ALIGNMENT
            self._write(tensor)
        self.given = bool(inputs)
        self.places = [(x, y) for y in d.grid[1] for x in d.grid[0]]
        good = set(chip.tiles())
        for x, y in self.places:
            if (x, y) not in good:
                raise InvalidError(f"({x}, {y}) is no Tensix tile of product {d.product or 'full'}")
        self.tiles = [chip.tile(x, y) for x, y in self.places]

    def _banks(self, tensor: _Tensor) -> list[int]:
        return self.chip.banks if tensor.bank is None else [tensor.bank]

    def _write(self, t: _Tensor) -> None:
        raw = formats.to_bytes(formats.tilize(t.values) if t.tiles else t.values, t.format)
        pages = np.zeros((t.pages, t.stride), dtype=np.uint8)
        pages[:, : t.page_bytes] = raw.reshape(t.pages, t.page_bytes)
        banks = self._banks(t)
        for number, bank in enumerate(banks):
            own = pages[number :: len(banks)]
            if len(own):
                self.chip.dram(bank).write_bytes(t.address, np.ascontiguousarray(own))

    def read(self, t: _Tensor) -> npt.NDArray[Any]:
        """The tensor as it is now."""
        pages = np.zeros((t.pages, t.stride), dtype=np.uint8)
        banks = self._banks(t)
        for number, bank in enumerate(banks):
            own = len(pages[number :: len(banks)])
            if own:
                pages[number :: len(banks)] = self.chip.dram(bank).bytes_at(t.address, own * t.stride).reshape(own, t.stride)
        raw = np.ascontiguousarray(pages[:, : t.page_bytes]).reshape(-1)
        return formats.from_tiles(raw, t.shape, t.format) if t.tiles else formats.from_bytes(raw, t.format).reshape(t.shape)

    def _rows(self) -> dict[int, tuple[int, int, int, str]]:
        rows, at = {}, int(_abi.LAUNCH_HEAP)
        for number, pages, name, asked, line in self.d.buffers:
            where = f"{self.d.path}:{line}"
            if number >= _abi.LAUNCH_BUFFERS:
                raise InvalidError(f"{where}: circular buffers are 0 to 31")
            if number in rows:
                raise InvalidError(f"{where}: circular buffer {number} is already defined")
            tensor = self.d.tensors.get(name)
            f = tensor.format if tensor else formats.named(name)
            page_bytes = asked or (tensor.page_bytes if tensor else f.bytes_of_tile)
            if not pages or page_bytes % 16 or pages * page_bytes > L1_BYTES:
                raise InvalidError(f"{where}: a buffer needs pages of a multiple of 16 bytes that fit into L1")
            if at + pages * page_bytes > L1_BYTES:
                x, y = self.places[0]
                raise InvalidError(f"{where}: ({x}, {y}): no room in L1 for the buffer")
            rows[number] = (at, page_bytes, pages, f.name)
            at = at + pages * page_bytes + 31 & ~31
        return rows

    def _word(self, word: str, here: Mapping[str, int], line: int) -> int:
        if word in here:
            return here[word]
        try:
            if word.startswith("float:"):
                return int(struct.unpack("<I", struct.pack("<f", float(word[6:])))[0])
            value = int(word, 0) if word[0].isdigit() else -1
        except (ValueError, OverflowError):
            value = -1
        if not 0 <= value <= 0xFFFFFFFF:
            raise InvalidError(f"{self.d.path}:{line}: '{word}' is no number of 32 bits, no tensor and none of x y col row cols rows banks")
        return value

    def start(self, check: str) -> None:
        """Loads and launches the kernel on every tile of the grid."""
        columns, lines = self.d.grid
        shared = {"cols": len(columns), "rows": len(lines), "banks": len(self.chip.banks)}
        for tensor in self.d.tensors.values():
            shared.update(tensor.words())
        rows, elfs = self._rows(), self.kernel.build()
        for index, tile in enumerate(self.tiles):
            column, row = index % len(columns), index // len(columns)
            here = {**shared, "x": columns[column], "y": lines[row], "col": column, "row": row}
            tile._set_check(check)
            for core, elf in elfs.items():
                tile.load_elf(core, elf)
            tile.launch(rows, dram_banks=len(self.chip.banks))
            for role, core in _CORES.items():
                words = [self._word(word, here, line) for own, part, line in self.d.args if own in (None, role) for word in part]
                if len(words) > _abi.LAUNCH_ARGS:
                    raise InvalidError(f"{len(words)} arguments: a kernel has at most {_abi.LAUNCH_ARGS}")
                tile.launch_args(core, words)
            tile.start()


class ChipRun:
    """The run of a kernel's folder: its tensors afterwards, its chip, its report."""

    def __init__(self, kernel: Kernel, job: _Job, cycles: int) -> None:
        self.kernel, self.chip, self._job, self._cycles = kernel, job.chip, job, cycles
        self.tiles: list[Tile] = job.tiles
        self._result = self._run(cycles)
        self.ended = text_of(lib.tessera_result_name(self._result))
        self.code, self._words = self._verdict()
        expects = [words for words in job.d.expects if not job.given or len(words) == 5]
        self.expectations = [self._compare(words) for words in expects] if self._result == _abi.DONE else []

    def _run(self, cycles: int) -> int:
        """As `tessera kernel run` runs: in parts, and at the end in small steps, so that the report's cycles are the kernels'. The clock of a
        chip goes on when all has stopped."""
        for tile in self.tiles:
            tile.until(_FINISHED, 1)
        result, end = int(_abi.LIMIT), self.chip.cycle + cycles
        while result == _abi.LIMIT and self.chip.cycle < end:
            result = self.chip._result(min(end - self.chip.cycle, 1 << 16))
            if result == _abi.STOPPED:
                result = self._last() if all(tile.l1.word(_FINISHED) & 0xFF for tile in self.tiles) else int(_abi.LIMIT)
        return result

    def _last(self) -> int:
        for _ in range(1000):
            result = self.chip._result(64 - self.chip.cycle % 64)
            if result != _abi.LIMIT:
                return result
        return int(_abi.LIMIT)

    def _verdict(self) -> tuple[int, str]:
        """The exit code of `tessera kernel run` and its words, from the library."""
        places = (_abi.TileAt * len(self.tiles))(*[_abi.TileAt(x, y) for x, y in self._job.places])
        run = _abi.KernelRun(end=self._result, cycles=self._cycles, description=os.fspath(self._job.d.path).encode(),
                             tiles=ctypes.addressof(places), tile_count=len(self.tiles))
        code = ctypes.c_int()
        words = text_of(lib.tessera_chip_verdict(self.chip._handle, ctypes.byref(run), ctypes.byref(code)))
        return code.value, words.rstrip("\n")

    def explain(self) -> str:
        """What went wrong, in the words of `tessera kernel run`; "" when nothing did."""
        return self._words

    def __repr__(self) -> str:
        return f"<ChipRun of {self.kernel.name}: {self.ended} after {self.cycles} cycles>"

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if not isinstance(name, str) or name not in self._job.d.tensors:
            raise InvalidError(f"{self._job.d.path} has no tensor {shown(name)} ({', '.join(self._job.d.tensors)})")
        return self._job.read(self._job.d.tensors[name])

    def _compare(self, words: list[str]) -> tuple[str, bool]:
        want, scale, tolerance = self._job.d.expected(words)
        got = np.asarray(self[words[0]], dtype=np.float64)
        if got.shape != want.shape:
            raise InvalidError(f"{words[0]} is {got.shape[0]} x {got.shape[1]}, what is expected {' x '.join(map(str, want.shape))}")
        error = np.abs(got - want) / np.where(scale > 0, scale, 1)
        worst = float(error.max())
        good = worst <= tolerance
        row, column = np.unravel_index(int(error.argmax()), error.shape)
        what = words[1] if len(words) == 3 else f"{words[1]} of {words[2]} and {words[3]}"
        return (f"{words[0]} against {what}: worst error {worst:.2g} (allowed {tolerance:.2g}) at [{row}, {column}]: "
                f"{'good' if good else 'WRONG'}"), good

    @property
    def cycles(self) -> int:
        """Cycles of the run, as its report has them: the clock of a chip goes on to the limit when everything has completed."""
        return int(str(self.chip.report()).split(maxsplit=1)[0])

    @property
    def tile(self) -> Tile:
        """The tile that the command's SARIF is about: the first, unless only another has something to report."""
        wrong = [tile for tile in self.tiles if tile.exit_code not in (0, 6)]
        return wrong[0] if wrong and self.tiles[0].exit_code == 0 else self.tiles[0]

    @property
    def findings(self) -> list[Finding]:
        """What was found, tile by tile."""
        return [finding for tile in self.tiles for finding in tile.findings]

    def report(self) -> Report:
        """The chip's report, as the command prints it."""
        words = f"{self._words}\n\n" if self._words else ""
        data = {"result": self.ended, "code": self.code, "cycles": self.cycles, "expectations": [text for text, _ in self.expectations]}
        return Report(words + str(self.chip.report()), data, self.tile.report().sarif, title=self.kernel.name)

    def check(self) -> None:
        """Raises what went wrong, by the command's exit code; an expectation that does not hold is an ExpectationError."""
        __tracebackhide__ = True
        code, words = self.code, self._words
        error: Error | None = None
        if code == 2:
            error = InvalidError(words)
        elif code == 3:
            error = FaultError(words, self.chip.fault)
        elif code == 4:
            error = HangError(words, self.tiles[0].hang if len(self.tiles) == 1 else self.chip.hang)
        elif code == 5:
            error = FindingError(words, [finding for finding in self.findings if finding.severity == "error"] or self.findings)
        elif code == 6:
            error = LimitError(words)
        wrong = [text for text, good in self.expectations if not good]
        if error is None and wrong:
            error = ExpectationError("\n".join(wrong))
        if error is not None:
            error.run = self
            raise error
