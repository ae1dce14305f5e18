"""A kernel's folder: kernel.chip describes tensors, circular buffers, arguments and what is expected, as `tessera kernel run` reads it.

>>> import os, tessera
>>> from tessera.build import kernel_library
>>> kernel = tessera.Kernel.from_directory(os.path.join(kernel_library(), "template"))
>>> run = kernel.run_on_chip(timing="off")
>>> run["C"].shape, [good for _, good in run.expectations]
((64, 128), [True])
"""

from __future__ import annotations

import os
import re
import struct
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, formats
from .chip import Chip
from .errors import FaultError, FindingError, HangError, InvalidError, LimitError
from .findings import Finding
from .report import Report
from .tile import L1_BYTES, Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel

__all__ = ["ChipRun", "Description"]

_ALIGNMENT = 64  # of a page in DRAM
_CORES = {"reader": "ncrisc", "compute": "trisc0", "writer": "brisc"}
_COMMAND = "tessera kernel run has it, the package does not"
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
        self.buffers: list[tuple[int, int, str, int]] = []
        self.args: list[tuple[str | None, list[str]]] = []
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
        kind, rest = words[0], words[1:]
        if kind in _CORES and len(rest) == 1:
            self.sources[kind] = os.path.join(self.folder, rest[0])
        elif hasattr(self, "_read_" + kind):
            getattr(self, "_read_" + kind)(rest)
        elif kind in ("image", "dump", "until", "save", "elf", "kernel"):
            raise self.refuse(f"'{kind}': {_COMMAND}")
        else:
            raise self.refuse(f"no statement '{kind}'")

    def _float(self, word: str) -> float:
        try:
            return float(word)
        except ValueError:
            raise self.refuse(f"'{word}' is no number") from None

    def _number(self, word: str) -> int:
        try:
            return int(word, 0)
        except ValueError:
            raise self.refuse(f"'{word}' is no number") from None

    def _without_tiles(self, words: list[str]) -> list[str]:
        if words and _TILES.fullmatch(words[0]) and self._places(words[0]) != self.grid:
            raise self.refuse(f"tiles other than the grid's: {_COMMAND}")
        return words[1:] if words and _TILES.fullmatch(words[0]) else words

    def _places(self, word: str) -> tuple[tuple[int, ...], tuple[int, ...]]:
        found = _TILES.fullmatch(word)
        if not found:
            raise self.refuse(f"'{word}': tiles are X,Y or X0-X1,Y0-Y1")
        x0, x1, y0, y1 = (int(part) if part else None for part in found.groups())
        assert x0 is not None and y0 is not None
        columns = tuple(x for x in range(x0, (x1 if x1 is not None else x0) + 1) if x not in (8, 9))
        return columns, tuple(range(y0, (y1 if y1 is not None else y0) + 1))

    def _read_product(self, words: list[str]) -> None:
        self.product = words[0] if words else None

    def _read_timing(self, words: list[str]) -> None:
        if words not in (["off"], ["cycle"]):
            raise self.refuse("timing is off or cycle")
        self.timing = words[0]

    def _read_cycles(self, words: list[str]) -> None:
        self.cycles = self._number(words[0] if words else "")

    def _read_grid(self, words: list[str]) -> None:
        self.grid = self._places(words[0] if words else "")
        if not self.grid[0] or not self.grid[1]:
            raise self.refuse(f"there is no Tensix tile at {words[0]}")

    def _read_define(self, words: list[str]) -> None:
        roles = [words.pop(0)] if words and words[0] in _CORES else list(_CORES)
        for role in roles:
            self.defines[role] += ["-D" + word for word in words]

    def _read_compile(self, words: list[str]) -> None:
        if not words or words[0] not in _CORES:
            raise self.refuse("write: compile reader|compute|writer WORD...")
        if any(":" in word for word in words):
            raise self.refuse(f"'accessor:': {_COMMAND}")
        numbers = ",".join(str(self._number(word)) for word in words[1:])
        self.defines[words[0]].append("-DKERNEL_COMPILE_TIME_ARGS=" + numbers)

    def _read_tensor(self, words: list[str]) -> None:
        if len(words) not in (5, 6) or words[3] not in ("tiles", "rows"):
            raise self.refuse("write: tensor NAME SOURCE FORMAT tiles|rows PLACE [ADDRESS]")
        name, source, format, order, place = words[:5]
        if not re.fullmatch(r"dram(:[0-7])?", place):
            raise self.refuse(f"a tensor in L1: {_COMMAND}" if _TILES.fullmatch(place) else f"'{place}': DRAM is dram or dram:0 to dram:7")
        if ":" in source and not re.fullmatch(r"zero:[1-9]\d*x[1-9]\d*|fill:[1-9]\d*x[1-9]\d*:\S+|random:[1-9]\d*x[1-9]\d*:\d+", source):
            raise self.refuse(f"'{source}': write zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE or random:ROWSxCOLUMNS:SEED")
        if source.startswith("fill:"):
            self._float(source.rsplit(":", 1)[1])
        bank = int(place[5:]) if place != "dram" else None
        self.tensors[name] = _Tensor(name, source, self._format(format), order == "tiles", bank,
                                     self._number(words[5]) if len(words) > 5 else -1)

    def _format(self, name: str) -> formats.Format:
        try:
            return formats.named(name)
        except InvalidError as error:
            raise self.refuse(str(error)) from None

    def _read_buffer(self, words: list[str]) -> None:
        words = self._without_tiles(words)
        if len(words) not in (3, 4):
            raise self.refuse("write: buffer INDEX PAGES FORMAT [PAGE_BYTES]" if "on" not in words else f"'on': {_COMMAND}")
        if words[2] not in self.tensors:
            self._format(words[2])
        self.buffers.append((self._number(words[0]), self._number(words[1]), words[2], self._number(words[3]) if len(words) > 3 else 0))

    def _read_args(self, words: list[str]) -> None:
        words = self._without_tiles(words)
        role = words[0] if words and words[0] in _CORES else None
        for word in words:
            if word.startswith("float:"):
                self._float(word[6:])
        self.args.append((role, words[1:] if role else words))

    def _read_expect(self, words: list[str]) -> None:
        if len(words) not in (3, 5) or (len(words) == 5 and words[1] not in ("sum", "matmul")) or words[0] not in self.tensors:
            raise self.refuse("write: expect NAME FILE.npy TOLERANCE, or expect NAME sum|matmul A B TOLERANCE")
        self._float(words[-1])
        for name in words[2:4] if len(words) == 5 else ():
            if name not in self.tensors:
                raise self.refuse(f"no tensor '{name}'")
        if len(words) == 3 and not os.path.isfile(os.path.join(self.folder, words[1])):
            raise self.refuse(f"{words[1]}: No such file or directory")
        self.expects.append(words)

    # --- numbers ---

    def fill(self, tensor: _Tensor, given: npt.ArrayLike | None) -> None:
        """The tensor's numbers: the caller's, or the description's."""
        if given is None:
            tensor.values = self._made(tensor)
        else:
            own = self._made(tensor, shape_only=True)
            array = np.asarray(given)
            if own.size and own.shape != array.shape:
                raise InvalidError(f"'{tensor.name}' is {' x '.join(map(str, own.shape))} in {self.path}, not {' x '.join(map(str, array.shape))}")
            tensor.values = array
        if tensor.values.ndim != 2 or (tensor.tiles and (tensor.shape[0] % 32 or tensor.shape[1] % 32)):
            raise InvalidError(f"'{tensor.name}': a matrix of {' x '.join(map(str, tensor.values.shape))} is not made of tiles of 32 x 32")

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
            raise InvalidError(f"{path}: {getattr(error, 'strerror', None) or error}") from None

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
            raise InvalidError(f"{d.path} has no tensor '{min(unknown)}' ({', '.join(d.tensors)})")
        top = 0x1000
        for tensor in d.tensors.values():
            d.fill(tensor, inputs.get(tensor.name))
            if tensor.address < 0:
                tensor.address = top
            top = max(top, tensor.address + tensor.stride * (-(-tensor.pages // len(self._banks(tensor))))) + 31 & ~31
            top = -(-top // _ALIGNMENT) * _ALIGNMENT
            self._write(tensor)
        self.tiles = [chip.tile(x, y) for y in d.grid[1] for x in d.grid[0]]

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
        for number, pages, name, asked in self.d.buffers:
            tensor = self.d.tensors.get(name)
            f = tensor.format if tensor else formats.named(name)
            page_bytes = asked or (tensor.page_bytes if tensor else f.bytes_of_tile)
            if at + pages * page_bytes > L1_BYTES:
                raise InvalidError(f"buffer {number}: {pages * page_bytes} bytes do not fit into L1, {L1_BYTES - at} are left")
            rows[number] = (at, page_bytes, pages, f.name)
            at = at + pages * page_bytes + 31 & ~31
        return rows

    def _word(self, word: str, here: Mapping[str, int]) -> int:
        if word in here:
            return here[word]
        if word.startswith("float:"):
            return int(struct.unpack("<I", struct.pack("<f", float(word[6:])))[0])
        try:
            return int(word, 0) & 0xFFFFFFFF
        except ValueError:
            raise InvalidError(f"{self.d.path}: '{word}' is no number, no tensor and no word of args") from None

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
                words = [self._word(word, here) for own, part in self.d.args if own in (None, role) for word in part]
                if len(words) > _abi.LAUNCH_ARGS:
                    raise InvalidError(f"{len(words)} arguments: a kernel has at most {_abi.LAUNCH_ARGS}")
                tile.launch_args(core, words)
            tile.start()


class ChipRun:
    """The run of a kernel's folder: its tensors afterwards, its chip, its report."""

    def __init__(self, kernel: Kernel, job: _Job, ended: str) -> None:
        self.kernel, self.chip, self.ended, self._job = kernel, job.chip, ended, job
        self.tiles: list[Tile] = job.tiles
        self.expectations = [self._compare(words) for words in job.d.expects] if ended == "done" else []

    def __repr__(self) -> str:
        return f"<ChipRun of {self.kernel.name}: {self.ended} after {self.cycles} cycles>"

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self._job.d.tensors:
            raise InvalidError(f"{self._job.d.path} has no tensor '{name}' ({', '.join(self._job.d.tensors)})")
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
        return int(str(self.report()).split(maxsplit=1)[0])

    @property
    def findings(self) -> list[Finding]:
        """What was found, tile by tile."""
        return [finding for tile in self.tiles for finding in tile.findings]

    def report(self) -> Report:
        """The chip's report, as the command prints it."""
        return self.chip.report()

    def check(self) -> None:
        """Raises what went wrong, in the order of the command's exit codes; an expectation that does not hold is an AssertionError."""
        if self.ended == "fault":
            raise FaultError(self.chip.explain(), self.chip.fault)
        if self.ended == "hang":
            raise HangError(self.chip.explain(), self.chip.hang)
        errors = [finding for finding in self.findings if finding.severity == "error"]
        if errors:
            raise FindingError("\n".join(map(str, errors)), errors)
        if self.ended == "limit":
            raise LimitError(f"limit after {self.cycles} cycles")
        for text, good in self.expectations:
            if not good:
                raise AssertionError(text)
