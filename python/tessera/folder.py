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
import errno
import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, formats
from ._args import read_bounded, shown
from ._lib import lib
from ._lib import text as text_of
from ._names import float_bits, value_of
from .chip import Chip
from .chip_tensor import ChipTensor, Elements, expected_of, given_values, names_of, values_of
from .description import ALL, COMMON, ROLES, Description, Place, Statement, u64
from .errors import Error, ExpectationError, FaultError, FindingError, HangError, InvalidError, LimitError
from .errors import hidden as __tracebackhide__
from .findings import Finding
from .names import CORES, L1_BYTES
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel

__all__ = ["ChipRun", "Description"]

_CORE_OF = {"reader": "ncrisc", "compute": "trisc0", "writer": "brisc"}
_PART_CYCLES = 1 << 18  # of a run, as the command's: the clock of a chip that hangs advances to the end of a part
_SLICE = 256  # cycles between two comparisons of `until`
_FINISHED = 0x58  # counts launches that are finished (kernels/include/launch.h)
_FILE_BYTES = 64 << 20  # of an executable, an image and a dump, as the command's
_HANG_LINES = 24  # of such a report
_GRID_FINDINGS = 12  # most findings that the report of several tiles shows
_HANG_FINDINGS = 4  # most findings that the report of a hang on several tiles shows
_DRAM_FIRST = 0x100000  # first address of tensors without one
_DRAM_GAP = 0x10000  # free before and after them, so that a page beyond a tensor's end is in no other one
_HEAP: int = _abi.LAUNCH_HEAP
At = tuple[int, int]


class _Unit:
    """A tile with programs."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.cores: list[str] = []
        self.kernel = self.waits = False
        self.rows: dict[int, tuple[int, int, int, formats.Format]] = {}
        self.args: dict[str, list[int]] = {role: [0] * _abi.LAUNCH_ARGS for role in (*ROLES, COMMON)}


@dataclass(frozen=True)
class _Until:
    """The statement `until`: the run ends when (word & mask) == value."""

    line: int
    x: int
    y: int
    address: int
    mask: int
    value: int


class _Job:
    """The description on a chip: loading, and the results that are read afterwards."""

    def __init__(self, kernel: Kernel, d: Description, chip: Chip, inputs: Mapping[str, Any], check: str) -> None:
        self.kernel, self.d, self.chip, self.given = kernel, d, chip, bool(inputs)
        unknown = set(inputs) - {s.name for s in d.of_kind("tensor")}
        if unknown:
            raise InvalidError(f"{d.path} has no tensor '{min(unknown, key=str)}' ({', '.join(s.name for s in d.of_kind('tensor'))})")
        self.tensors: dict[str, ChipTensor] = {}
        self._units: dict[At, _Unit] = {}
        self.until: _Until | None = None
        self._ranges: dict[tuple[str, int, int], list[tuple[int, int, int]]] = {}  # by memory: first, end, line
        self._elements = Elements(d, inputs)
        elfs = kernel.build()
        self.places = self._tiles(d.grid, 0)
        self.tiles = [chip.tile(x, y) for x, y in self.places]
        for tile in self.tiles:  # before anything is loaded, so that the checkers see every write
            tile._set_check(check)
        self._load(elfs, inputs)
        self._start(check)

    # --- memory ---

    def _tiles(self, place: Place, line: int) -> list[At]:
        good = set(self.chip.tiles())
        for x, y in place.tiles():
            if (x, y) not in good:
                words = f"({x}, {y}) is not a Tensix tile of product {self.d.product}"
                line = line or self.d.grid_line
                raise self.d.refuse(line, words) if line else InvalidError(words)
        return place.tiles()

    def _target(self, at: At) -> tuple[str, int, int]:
        """The three ports of a DRAM controller access the same bytes."""
        node = self.chip.node(*at)
        return (node.kind, node.index, 0) if node.kind == "DRAM" else (node.kind, *at)

    def _overlap(self, at: At, first: int, length: int) -> tuple[int, int, int] | None:
        return next((r for r in self._ranges.get(self._target(at), []) if first < r[1] and first + length > r[0]), None)

    def _claim(self, at: At, address: int, length: int, line: int) -> None:
        node = self.chip.node(*at)
        if not node.good:
            raise self.d.refuse(line, f"DRAM controller {node.index} is fused off")
        if address >= node.bytes or length > node.bytes - address:
            memory = "DRAM" if node.kind == "DRAM" else "L1 of"
            raise self.d.refuse(line, f"0x{length:x} bytes at 0x{address:x} do not fit into {memory} ({at[0]}, {at[1]}), which has 0x{node.bytes:x}")
        other = self._overlap(at, address, length)
        if other:
            raise self.d.refuse(line, f"0x{length:x} bytes at 0x{address:x} of ({at[0]}, {at[1]}) overlap those of {f'line {other[2]}' if other[2] else 'the kernels'}")
        self._ranges.setdefault(self._target(at), []).append((address, address + length, line))

    def _free_from(self, at: At, first: int, length: int) -> int:
        while other := self._overlap(at, first, length):
            first = other[1] + 63 & ~63
        return first

    @staticmethod
    def _bank(bank: int) -> At:
        return 17 + bank // 4, 12 + 3 * (bank % 4)

    # --- loading ---

    def _load(self, elfs: Mapping[str, bytes], inputs: Mapping[str, Any]) -> None:
        """Programs and tensors are loaded first: buffers use the remaining memory, and arguments name tensors."""
        d = self.d
        for s in d.statements:
            if s.kind == "elf":
                self._load_elf(s)
            elif s.kind == "kernel":
                self._load_kernel(s, {core: self._read(f"{s.path}/{core}.elf") for core in ("trisc0", "trisc1", "trisc2", "brisc", "ncrisc")})
        self._load_kernel(Statement("kernel", 0, d.grid), elfs)
        for s in d.statements:
            if s.kind == "image":
                self._load_image(s)
            elif s.kind == "tensor":
                self._load_tensor(s, inputs)
            elif s.kind == "dump" and s.place.kind == "bank":
                self._note_range(s, self._bank(s.place.bank), s.number[1], "dump")
        for s in d.statements:
            if s.kind == "until":
                self._set_until(s)
            elif s.kind in ("save", "dump"):
                self._check_file(s)
            elif s.kind in ("buffer", "args"):
                act = self._add_buffer if s.kind == "buffer" else self._set_args
                across = len(s.place.columns)
                for index, at in enumerate(self._tiles(s.place, s.line)):
                    unit = self._units.get(at)
                    if unit is None or not unit.kernel:
                        raise d.refuse(s.line, f"({at[0]}, {at[1]}) has no kernel")
                    act(s, at, unit, index % across, index // across)
        self._set_addresses()

    def _read(self, path: str) -> bytes:
        try:
            with open(self.d.open_path(path), "rb") as file:
                return read_bounded(file, path, _FILE_BYTES)
        except OSError as error:
            raise InvalidError(f"cannot read {path}: {error.strerror}") from None

    def _load_one(self, s: Statement, at: At, core: str, elf: bytes) -> _Unit:
        unit = self._units.setdefault(at, _Unit(self.chip.tile(*at)))
        if core in unit.cores:
            raise self.d.refuse(s.line, f"({at[0]}, {at[1]}): this core already has a program")
        try:
            unit.tile.load_elf(core, elf)
        except Error as error:
            raise self.d.refuse(s.line, f"{s.path}: {error}") from None
        unit.cores.append(core)
        return unit

    def _load_elf(self, s: Statement) -> None:
        if s.name.upper() not in CORES:
            raise self.d.refuse(s.line, f"cores are brisc, ncrisc, trisc0, trisc1 and trisc2, not '{s.name}'")
        elf = self._read(s.path)
        for at in self._tiles(s.place, s.line):
            self._load_one(s, at, s.name.lower(), elf)

    def _load_kernel(self, s: Statement, elfs: Mapping[str, bytes]) -> None:
        for at in self._tiles(s.place, s.line):
            self._claim(at, 0, _HEAP, s.line)
            for core, elf in elfs.items():
                unit = self._load_one(s, at, core, elf)
            unit.kernel, unit.waits = True, bool(s.number[0])

    def _load_image(self, s: Statement) -> None:
        if s.place.kind == "dram":
            raise self.d.refuse(s.line, "an image goes to tiles or to one bank (dram:0); a tensor is interleaved")
        data = self._read(s.path)
        for at in [self._bank(s.place.bank)] if s.place.kind == "bank" else self._tiles(s.place, s.line):
            self._claim(at, s.number[0], len(data), s.line)
            self._note_range(s, at, len(data), "image")
            self.chip.memory(*at).write_bytes(s.number[0], data)

    def _note_range(self, s: Statement, at: At, length: int, what: str) -> None:
        """An image or a dump in DRAM is memory that kernels may access."""
        if s.place.kind == "bank":
            lib.tessera_chip_note_range(self.chip._handle, *at, s.number[0], length, f"the {what} of line {s.line}".encode())

    def _load_tensor(self, s: Statement, inputs: Mapping[str, Any]) -> None:
        if s.name in self.tensors:
            raise self.d.refuse(s.line, f"tensor {s.name} is already defined")
        given = s.name in inputs
        t = ChipTensor(s, given_values(self.d, s, inputs[s.name], self._elements) if given else values_of(self.d, s, self._elements))
        step = 16 if s.place.kind == "tiles" else 64
        if s.number[0] % step:
            raise self.d.refuse(s.line, f"tensor {s.name}: addresses are multiples of {step}")
        banks = [self._bank(bank) for bank in range(len(self.chip.banks))]
        t.places = self._tiles(s.place, s.line) if s.place.kind == "tiles" else banks if s.place.kind == "dram" else [self._bank(s.place.bank)]
        if s.place.kind == "tiles" and t.pages % len(t.places):
            raise self.d.refuse(s.line, f"tensor {s.name}: {t.pages} pages do not divide over {len(t.places)} tiles")
        if not s.placed:
            self._find_room(t)
        for at in t.places:
            self._claim(at, t.address, t.per * t.stride, s.line)
        self.tensors[s.name] = t
        self._write(t)
        t.values = self.read(t)  # rounding by the format is not an error of the program

    def _find_room(self, t: ChipTensor) -> None:
        """The first address that is free in all its tiles or banks."""
        gap = 0 if t.s.place.kind == "tiles" else _DRAM_GAP
        found, following = -1, _HEAP if t.s.place.kind == "tiles" else _DRAM_FIRST - gap
        while found != following:
            found = following
            for at in t.places:
                following = self._free_from(at, following, t.per * t.stride + 2 * gap)
        t.address = found + gap

    def _write(self, t: ChipTensor) -> None:
        pages = np.zeros((t.pages, t.stride), dtype=np.uint8)
        pages[:, : t.page_bytes] = t.to_pages(t.values)
        for index, at in enumerate(t.places):
            own = pages[t.own(index)]
            if len(own):
                self.chip.memory(*at).write_bytes(t.address, np.ascontiguousarray(own))
            if len(own) and t.s.place.kind != "tiles":  # the checkers compare circular buffers and accesses to DRAM with it
                name = t.s.name.encode("utf-8", "replace")
                lib.tessera_chip_note_format(self.chip._handle, *at, t.address, len(own) * t.stride, t.s.format.code, name)
                lib.tessera_chip_note_range(self.chip._handle, *at, t.address, len(own) * t.stride, b"tensor " + name)

    def read(self, t: ChipTensor) -> npt.NDArray[np.float64]:
        """The present values of the tensor."""
        pages = np.zeros((t.pages, t.stride), dtype=np.uint8)
        for index, at in enumerate(t.places):
            own = len(pages[t.own(index)])
            if own:
                pages[t.own(index)] = self.chip.memory(*at).bytes_at(t.address, own * t.stride).reshape(own, t.stride)
        return t.of_pages(np.ascontiguousarray(pages[:, : t.page_bytes]))

    def read_as(self, t: ChipTensor) -> npt.NDArray[Any]:
        """The same, in NumPy's type for the format."""
        with np.errstate(over="ignore"):  # a block's largest numbers
            return self.read(t).astype(t.s.format.dtype)

    # --- buffers and arguments ---

    def _add_buffer(self, s: Statement, at: At, unit: _Unit, _column: int, _row: int) -> None:
        refuse, (number, pages, asked) = self.d.refuse, s.number
        like = self.tensors.get(s.path) if s.path else None
        f = like.s.format if like else s.format
        size = asked or (like.page_bytes if like else f.size(1024))
        if number >= _abi.LAUNCH_BUFFERS:
            raise refuse(s.line, f"circular buffer {number}: the index must be below 32")
        if number in unit.rows:
            raise refuse(s.line, f"circular buffer {number} is already defined")
        if not pages:
            raise refuse(s.line, f"circular buffer {number} needs at least 1 page, not 0")
        if size % 16:
            raise refuse(s.line, f"circular buffer {number}: a page of {size} bytes; pages are multiples of 16 bytes")
        if pages * size > L1_BYTES:
            raise refuse(s.line, f"circular buffer {number}: {pages} pages of {size} bytes do not fit into L1, which has {L1_BYTES}")
        unit.rows[number] = self._buffer_place(s, at, pages * size), size, pages, formats.Format(f.name, f.code, f.bits)

    def _buffer_place(self, s: Statement, at: At, length: int) -> int:
        """Places the buffer on a tensor's shard or in free memory."""
        if s.name:
            t = self.tensors.get(s.name)
            if t is None or t.s.place.kind != "tiles":
                raise self.d.refuse(s.line, f"buffer {s.number[0]}: {s.name} is not a tensor in L1")
            return t.address
        address = self._free_from(at, _HEAP, length)
        if address + length > L1_BYTES:
            raise self.d.refuse(s.line, f"({at[0]}, {at[1]}): no room in L1 for the buffer")
        self._claim(at, address, length, s.line)
        return address

    def _set_args(self, s: Statement, at: At, unit: _Unit, column: int, row: int) -> None:
        here = {"x": at[0], "y": at[1], "col": column, "row": row, "banks": len(self.chip.banks), "rows": s.place.y1 - s.place.y0 + 1,
                "cols": len(s.place.columns), "index": row * len(s.place.columns) + column}
        for index, word in enumerate(s.words):
            value = self._word(s, word, here)
            for role in (*ROLES, COMMON) if s.role == ALL else [s.role]:
                own = unit.args[role]
                if role == COMMON and index >= len(own):
                    continue  # these are the kernels' own
                if index == len(own):
                    if len(own) == _abi.LAUNCH_ARGS and all(len(unit.args[other]) <= _abi.LAUNCH_ARGS for other in ROLES):
                        self._claim(at, _abi.LAUNCH_OWN_AT, 4096, s.line)
                    own.append(0)
                own[index] = value

    def _word(self, s: Statement, word: str, here: Mapping[str, int]) -> int:
        given, (_, word) = word, value_of(word)
        name, dot, rest = word.partition(".")
        t = self.tensors.get(name)
        value = t.word(dot + rest) if t else None
        if value is None and word.startswith("float:"):
            value = float_bits(word[6:])
        if value is None:
            value = here[word] if word in here else u64(word)
        if value is None and word.startswith("-") and (u64(word[1:]) or 1 << 32) <= 1 << 31:
            value = -(u64(word[1:]) or 0) & 0xFFFFFFFF
        if value is None or (t is None and value > 0xFFFFFFFF):
            roles = "; kernels are reader, compute, writer and common" if s.role == ALL and given is s.words[0] else ""
            raise self.d.refuse(s.line, f"'{word}' is neither a 32-bit number nor a tensor nor one of x y col row cols rows index banks{roles}")
        return value & 0xFFFFFFFF

    def _set_addresses(self) -> None:
        """Addresses of named tensors, and memory for scratchpads: common arguments after those of the description."""
        names = names_of(self.d)
        for at in self._tiles(self.d.grid, self.d.grid_line) if names.addresses else []:
            own = self._units[at].args[COMMON]
            for index, word in enumerate(names.addresses, names.first):
                own[index] = self._scratchpad(at, word) if word.startswith("scratch:") else self.tensors[word].address

    def _scratchpad(self, at: At, word: str) -> int:
        length = u64(word.removeprefix("scratch:")) or 0
        address = self._free_from(at, _HEAP, length)
        if address + length > L1_BYTES:
            raise InvalidError(f"({at[0]}, {at[1]}): no room in L1 for {word}")
        self._claim(at, address, length, 0)
        return address

    def _set_until(self, s: Statement) -> None:
        address, mask, value = s.number
        tiles = self._tiles(s.place, s.line)
        if len(tiles) != 1 or address > 0xFFFFFFFF or address & 3 or value & ~mask:
            raise self.d.refuse(s.line, "until takes one tile, an aligned address, a mask and a value within it")
        if self.until:
            raise self.d.refuse(s.line, f"line {self.until.line} already has an until")
        (x, y), word = tiles[0], ctypes.c_uint32()
        if lib.tessera_chip_read(self.chip._handle, x, y, address, ctypes.byref(word), 4) != _abi.OK:
            raise self.d.refuse(s.line, f"the word at 0x{address:x} of ({x}, {y}) cannot be read")
        self.until = _Until(s.line, x, y, address, mask, value)

    def _start(self, check: str) -> None:
        for unit in self._units.values():
            if unit.kernel:
                rows: Any = unit.rows
                unit.tile.launch(rows, unit.args[COMMON], waits=unit.waits, dram_banks=len(self.chip.banks))
                for role, core in _CORE_OF.items():
                    unit.tile.launch_args(core, unit.args[role])
            unit.tile._set_check(check)
            unit.tile.start(unit.cores)

    # --- afterwards ---

    def named(self, s: Statement, name: str) -> ChipTensor:
        """A tensor that a statement names."""
        if name not in self.tensors:
            raise self.d.refuse(s.line, f"there is no tensor {name}")
        return self.tensors[name]

    def finish(self) -> list[tuple[str, bool]]:
        """save, dump and expect, in their order; lines of the expectations, and which hold."""
        found = []
        for s in self.d.statements:
            if s.kind == "save":
                self._save(s)
            elif s.kind == "dump":
                self._dump(s)
            elif s.kind == "expect" and (s.words or not self.given):
                found.append(self._compare(s))
        return found

    def _save(self, s: Statement) -> None:
        t = self.named(s, s.name)
        try:
            with open(self.d.open_path(s.path), "wb") as file:
                np.save(file, self.read_as(t))
        except OSError as error:
            raise InvalidError(f"{s.path}: {error.strerror}") from None

    def _check_file(self, s: Statement) -> None:
        """Before the run, which may be long: can the file be written?"""
        if s.kind == "save":
            self.named(s, s.name)
        path = self.d.open_path(s.path)
        try:
            if os.path.isdir(path):
                raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
            if not os.path.exists(path):
                with tempfile.TemporaryFile(dir=os.path.dirname(os.path.realpath(path))):
                    pass
            elif not os.access(path, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as error:
            raise self.d.refuse(s.line, f"{s.path}: could not be written: {error.strerror}") from None

    def _dump(self, s: Statement) -> None:
        if s.place.kind == "dram":
            raise self.d.refuse(s.line, "dump takes a tile or one bank (dram:0)")
        places = [self._bank(s.place.bank)] if s.place.kind == "bank" else self._tiles(s.place, s.line)
        if len(places) != 1:
            raise self.d.refuse(s.line, "dump takes one tile")
        try:
            data = self.chip.memory(*places[0]).bytes_at(s.number[0], s.number[1]) if s.number[1] <= _FILE_BYTES else None
        except InvalidError:
            data = None
        if data is None:
            raise self.d.refuse(s.line, "the range lies outside the memory")
        try:
            data.tofile(self.d.open_path(s.path))
        except OSError:
            raise self.d.refuse(s.line, f"{s.path} cannot be written") from None

    def _expected(self, s: Statement, t: ChipTensor) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """The expected values, and the scale of the error."""
        if not s.words:
            want = expected_of(self.d, s, t)
            return want, 1 + np.abs(want)
        a, b = (self.named(s, name).values for name in s.words)
        match = a.shape[1] == b.shape[0] and (a.shape[0], b.shape[1]) == t.values.shape if s.path == "matmul" else a.shape == b.shape == t.values.shape
        if not match:
            sizes = [f"{name} ({t.rows} x {t.columns})" for name in (s.name, *s.words) for t in [self.named(s, name)]]
            raise self.d.refuse(s.line, f"the sizes of {sizes[0]}, {sizes[1]} and {sizes[2]} do not match")
        return (a @ b, np.abs(a) @ np.abs(b)) if s.path == "matmul" else (a + b, 1 + np.abs(a + b))

    def _compare(self, s: Statement) -> tuple[str, bool]:
        t = self.named(s, s.name)
        want, scale = self._expected(s, t)
        got = self.read(t)
        what = f"{s.path} of {s.words[0]} and {s.words[1]}" if s.words else s.path
        nan = np.isnan(got) & ~np.isnan(want)
        if nan.any():  # no error to name
            count, (row, column) = int(nan.sum()), np.argwhere(nan)[0]
            return (f"{s.name} against {what}: {count} of {nan.size} numbers {'is' if count == 1 else 'are'} NaN where none is expected, "
                    f"the first at [{row}, {column}]: WRONG"), False
        same = (got == want) | np.isnan(got)  # equal infinities; NaN is expected here
        finite = np.isfinite(got) & np.isfinite(want)
        with np.errstate(invalid="ignore"):
            error = np.where(same, 0, np.where(finite, np.abs(got - want) / np.where(scale > 0, scale, 1), np.inf))
        row, column = np.unravel_index(int(error.argmax()), error.shape)
        worst = float(error[row, column])
        good = worst <= s.tolerance
        return (f"{s.name} against {what}: worst error {worst:.2g} (allowed {s.tolerance:.2g}) at [{row}, {column}]: "
                f"{'good' if good else 'WRONG'}"), good


class ChipRun:
    """The run of a kernel's folder: its tensors afterwards, its chip, its report."""

    def __init__(self, kernel: Kernel, job: _Job, cycles: int) -> None:
        self.kernel, self.chip, self._job, self._cycles = kernel, job.chip, job, cycles
        self.tiles: list[Tile] = job.tiles
        self._result = self._run(cycles)
        self.ended = text_of(lib.tessera_result_name(self._result))
        self.code, self._words = self._verdict()
        finished = self.code not in (3, 4, 6) and self._result != _abi.LIMIT  # otherwise there is no result to compare
        self.expectations = job.finish() if finished else []
        if not all(good for _, good in self.expectations):
            self.code = 1  # before an error finding

    def _run(self, cycles: int) -> int:
        """As `tessera kernel run` runs: in parts, and at the end in small steps, so that the report shows the kernels' cycles. The clock of a
        chip advances after all cores have stopped. `until` ends the run where its word has its value."""
        if until := self._job.until:
            return self.chip._result_until(until.x, until.y, until.address, until.mask, until.value, _SLICE, cycles)
        for tile in self.tiles:
            tile.until(_FINISHED, 1)
            tile._drain_begin()
        result, end = int(_abi.LIMIT), self.chip.cycle + cycles
        while result == _abi.LIMIT and self.chip.cycle < end:
            result = self.chip._result(min(end - self.chip.cycle, _PART_CYCLES))
            if result == _abi.STOPPED:
                for tile in self.tiles:
                    tile._drain()
                result = self._last() if all(tile.l1.word(_FINISHED) & 0xFF for tile in self.tiles) else int(_abi.LIMIT)
        return result

    def _last(self) -> int:
        for _ in range(1000):
            result = self.chip._result(64 - self.chip.cycle % 64)
            if result != _abi.LIMIT:
                return result
        return int(_abi.LIMIT)

    def _verdict(self) -> tuple[int, str]:
        """Exit code and text of `tessera kernel run` before its expectations, from the library."""
        places = (_abi.TileAt * len(self.tiles))(*[_abi.TileAt(x, y) for x, y in self._job.places])
        run = _abi.KernelRun(end=self._result, cycles=self._cycles, description=os.fsencode(self._job.d.path),
                             tiles=ctypes.addressof(places), tile_count=len(self.tiles))
        code = ctypes.c_int()
        words = text_of(lib.tessera_chip_verdict(self.chip._handle, ctypes.byref(run), ctypes.byref(code)))
        return code.value, words.rstrip("\n")

    def explain(self) -> str:
        """The first problem, as `tessera kernel run` prints it; "" if there is none."""
        return self._words

    def __repr__(self) -> str:
        return f"<ChipRun of {self.kernel.name}: {self.ended} after {self.cycles} cycles>"

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        tensors = self._job.tensors
        if not isinstance(name, str) or name not in tensors:
            raise InvalidError(f"{self._job.d.path} has no tensor {shown(name)} ({', '.join(tensors)})")
        return self._job.read_as(tensors[name])

    @property
    def cycles(self) -> int:
        """Cycles of the run, as in its report."""
        if len(self.tiles) == 1:
            return int(self.tiles[0].report().data["cycles"])
        hang = self.chip.hang if self.code == 4 else None
        return hang.cycle if hang else int(str(self.chip.report()).split(maxsplit=1)[0])

    @property
    def tile(self) -> Tile:
        """The tile of the command's JSON and SARIF output: the first, unless only another has something to report."""
        wrong = [tile for tile in self.tiles if tile.exit_code not in (0, 6)]
        return wrong[0] if wrong and self.tiles[0].exit_code == 0 else self.tiles[0]

    @property
    def findings(self) -> list[Finding]:
        """Findings, tile by tile."""
        return [finding for tile in self.tiles for finding in tile.findings]

    def report(self) -> Report:
        """The report, as the command prints it; its JSON and SARIF are those of --json and --sarif."""
        import json

        more = "".join(f"{text}\n" for text, _ in self.expectations)
        if self.code == 6:
            more = self._words + "\n"
        lib.tessera_chip_set_exit_code(self.chip._handle, self.code)
        data, sarif = (text_of(lib.tessera_chip_outcome(self.chip._handle, self.tile._handle, form)) for form in (_abi.REPORT_JSON, _abi.REPORT_SARIF))
        place = {"tile": list(self._job.places[self.tiles.index(self.tile)])} if len(self.tiles) > 1 else {}
        values = {**place, **json.loads(data), "expectations": [text for text, _ in self.expectations]}
        return Report(self.printed() + self._text() + more, values, sarif, title=self.kernel.name)

    def printed(self) -> str:
        """What the kernels have printed with DPRINT, as the command prints it."""
        places = [f"({x}, {y}) " if len(self.tiles) > 1 else "" for x, y in self._job.places]
        return "".join(f"{place}{line}\n" for place, tile in zip(places, self.tiles) for line in tile.printed().splitlines())

    def _text(self) -> str:
        if self.code == 3:
            return self._words + "\n"
        if len(self.tiles) == 1:
            return str(self.tiles[0].report())
        if self._result == _abi.HANG:
            words = f"{self.chip.explain()}\n"
            return words + self._findings(_HANG_FINDINGS, words.count("\n"), _HANG_LINES)
        (x, y), grid, own = self._job.places[0], str(self.chip.report()), str(self.tiles[0].report())
        head, tables = (grid + "\n\n").split("\n\n", 1)  # the first lines come before the findings of all tiles, the tables after them
        before, _, after = own.partition("\nfindings\n")
        rest = after.partition("\n\n")[2]
        own = before + ("\n" + rest if rest else "")
        return f"{head}\n{self._findings(_GRID_FINDINGS)}\n{tables.removesuffix(chr(10) * 2)}\ntile ({x}, {y})\n{own}"

    def _findings(self, most: int, lines: int = 0, last_line: int = 1 << 31) -> str:
        """Of all tiles, errors first and the earliest of them first: at most so many, up to this line of the output."""
        found = [(-("note", "warning", "error").index(finding.severity), finding.first_cycle, i, k, finding)
                 for i, tile in enumerate(self.tiles) for k, finding in enumerate(tile.findings)]
        found.sort(key=lambda row: row[:4])
        shown: list[str] = []
        for _, _, i, _, finding in found:
            x, y = self._job.places[i]
            text = f"tile ({x}, {y}): {finding}\n"
            used = lines + 3 + sum(one.count("\n") for one in shown)
            if len(shown) == most or used + text.count("\n") > last_line:
                break
            shown.append(text)
        left = found[len(shown):]
        tiles = len({row[2] for row in left})
        more = f"{len(left)}{' more' if shown else ''} finding{'' if len(left) == 1 else 's'} on {tiles} tile{'' if tiles == 1 else 's'}: --verbose lists them, --json FILE has them all\n"
        return ("\nfindings\n" if shown else "") + "".join(shown) + (more if left else "")

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def check(self) -> None:
        """Raises the exception for the command's exit code; a failed expectation is an ExpectationError."""
        __tracebackhide__ = True
        code, words = self.code, self._words
        error: Error | None = None
        if code == 1:
            error = ExpectationError("\n".join(text for text, good in self.expectations if not good))
        elif code == 3:
            error = FaultError(words, self.chip.fault)
        elif code == 4:
            error = HangError(words, self.tiles[0].hang if len(self.tiles) == 1 else self.chip.hang)
        elif code == 5:
            error = FindingError(words, [finding for finding in self.findings if finding.severity == "error"] or self.findings)
        elif code == 6:
            error = LimitError(words)
        if error is not None:
            error.run = self
            raise error
