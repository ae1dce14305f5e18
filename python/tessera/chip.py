"""The Blackhole chip: Tensix tiles, DRAM and the NoC.

>>> import numpy as np, tessera
>>> chip = tessera.Chip(timing="off")
>>> chip.memory(1, 2).write(0x20000, np.arange(8, dtype=np.float32))
32
>>> chip.tile(1, 2).l1.read(0x20000, 3)
array([0., 1., 2.], dtype=float32)
>>> chip.node(17, 12).kind
'DRAM'
"""

from __future__ import annotations

import ctypes
import weakref
from _thread import allocate_lock
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, _args, _state, findings, formats
from ._args import checked
from ._lib import Handle, at_exit, in_parts, lib, refuse, text
from .errors import ArgumentTypeError, FaultError, HangError, InvalidError
from .errors import hidden as __tracebackhide__
from .memory import Memory
from .names import CORES, FOREVER, timing_number
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel

__all__ = ["Chip", "Node", "products"]

_BANKS = 8
_DRAM_ALIGNMENT = 64
_PART = 1 << 12  # a run in parts of this many cycles has the hash of the whole run


@dataclass(frozen=True)
class Node:
    """The tile at coordinates of the chip."""

    kind: str
    good: bool  #: False: fused off
    index: int
    noc: tuple[int, int]  #: raw coordinates of NoC 0
    bytes: int  #: of memory from address 0 on


def products() -> list[str]:
    """Names of products; they differ in the tiles that are fused off.

    >>> products()[0]
    'full'
    """
    names: list[str] = []
    while name := text(lib.tessera_chip_product(len(names))):
        names.append(name)
    return names


def _destroy(handle: int) -> None:
    if not at_exit():
        lib.tessera_chip_destroy(handle)


class Chip(Handle):
    """A chip. Coordinates are those that software uses: Tensix x 1..7 and 10..16, y 2..11; DRAM x 17 and 18, y 12..23."""

    @checked
    def __init__(self, product: str | None = None, timing: str = "cycle", *, threads: int = 0) -> None:
        if product is not None and product not in products():
            raise InvalidError(f"no product '{product}' ({', '.join(products())})")
        name = product.encode() if product is not None else None
        options = _abi.ChipOptions(product=name, timing=timing_number(timing), threads=threads)
        handle = lib.tessera_chip_create(ctypes.byref(options))
        if not handle:
            raise InvalidError("the chip cannot be created: invalid options, or out of memory")
        self._open: int = handle  # 0: closed
        self._finalizer = weakref.finalize(self, _destroy, handle)
        self._tiles: dict[tuple[int, int], Tile] = {}  # kept: the library calls their hooks
        self._programs: _state.Programs = {}  # of all tiles
        self._run_lock = allocate_lock()  # held during a run

    @property
    def _handle(self) -> int:
        if not self._open:
            raise InvalidError("the chip is closed: make a new one (Chip())")
        return self._open

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the memory; the chip and its tiles become unusable."""
        self._idle("close")
        for tile in self._tiles.values():
            tile.close()
        self._finalizer()
        self._open = 0

    def __repr__(self) -> str:
        return f"<Chip at cycle {self.cycle}>" if self._open else "<Chip, closed>"

    def _idle(self, call: str) -> None:
        """A hook on a tile is called in the middle of a run."""
        if self._run_lock.locked():
            raise self._runs(call)

    @staticmethod
    def _runs(call: str) -> InvalidError:
        return InvalidError(f"Chip.{call}: the chip runs: a hook and other threads read it, and a tile's request_stop() ends the run")

    @checked
    def node(self, x: int, y: int) -> Node:
        """What is there."""
        found = _abi.Node()
        if lib.tessera_chip_node(self._handle, x, y, ctypes.byref(found)) != _abi.OK:
            raise InvalidError(f"there is no tile at ({x}, {y})")
        return Node(text(lib.tessera_node_kind_name(found.kind)), bool(found.good), found.index, (found.noc_x, found.noc_y), found.bytes)

    @checked
    def tile(self, x: int, y: int) -> Tile:
        """The Tensix tile there, for all calls except run, reset and restore. The same object every time, until it is closed."""
        tile = self._tiles.get((x, y))
        if tile is not None and tile._open:
            return tile
        handle = lib.tessera_chip_tile(self._handle, x, y)
        if not handle:
            raise InvalidError(f"({x}, {y}) is not a Tensix tile")
        tile = Tile._of_chip(handle, self, f"{x},{y}", self._programs)
        self._tiles[x, y] = tile
        return tile

    def tiles(self) -> list[tuple[int, int]]:
        """Coordinates of all Tensix tiles that are not fused off."""
        places = [(x, y) for y in range(2, 12) for x in (*range(1, 8), *range(10, 17))]
        return [place for place in places if self._is_tensix(*place)]

    def _is_tensix(self, x: int, y: int) -> bool:
        found = _abi.Node()
        result = lib.tessera_chip_node(self._handle, x, y, ctypes.byref(found))
        return bool(result == _abi.OK and found.kind == _abi.NODE_TENSIX and found.good)

    @checked
    def memory(self, x: int, y: int) -> Memory:
        """Memory and registers of any tile as NoC 0 addresses them."""
        node = self.node(x, y)
        return Memory(f"{node.kind} ({x}, {y})", node.bytes, lambda a, p, n: int(lib.tessera_chip_read(self._handle, x, y, a, p, n)),
                      lambda a, p, n: int(lib.tessera_chip_write(self._handle, x, y, a, p, n)), lambda: "", limit=1 << 64)

    @checked
    def dram(self, bank: int) -> Memory:
        """A DRAM bank, 0 to 7."""
        return self.memory(17 + bank // 4, 12 + 3 * (bank % 4))

    @property
    def banks(self) -> list[int]:
        """DRAM banks that are not fused off."""
        return [bank for bank in range(_BANKS) if self.node(17 + bank // 4, 12 + 3 * (bank % 4)).good]

    def _interleaved(self, address: int, pages: int, page_bytes: int) -> Iterable[tuple[Memory, slice, int, int]]:
        """Bank, its pages, address, bytes from one page to the next: page p is on bank p % count."""
        banks, stride = self.banks, -(-page_bytes // _DRAM_ALIGNMENT) * _DRAM_ALIGNMENT
        for number, bank in enumerate(banks):
            yield self.dram(bank), slice(number, pages, len(banks)), address, stride

    def write_tensor(self, address: int, matrix: npt.ArrayLike, format: str | formats.Format = "bf16") -> None:
        """A matrix in tiles, interleaved over the DRAM banks: one write per bank."""
        address = _args.integer(address, "Chip.write_tensor: address", 0, (1 << 64) - 1)
        f, tiles = formats.named(format), formats.tilize(matrix)
        pages = formats.to_bytes(tiles, f).reshape(len(tiles), f.bytes_of_tile)
        for memory, part, start, stride in self._interleaved(address, len(pages), f.bytes_of_tile):
            own = pages[part]
            if len(own):
                padded = np.zeros((len(own), stride), dtype=np.uint8)
                padded[:, : f.bytes_of_tile] = own
                memory.write_bytes(start, padded)

    def read_tensor(self, address: int, shape: tuple[int, int], format: str | formats.Format = "bf16") -> npt.NDArray[Any]:
        """The matrix written by write_tensor or by a kernel."""
        address, dims = _args.integer(address, "Chip.read_tensor: address", 0, (1 << 64) - 1), _args.shape(shape, "Chip.read_tensor: shape")
        if len(dims) != 2 or dims[0] % 32 or dims[1] % 32:
            raise InvalidError(f"Chip.read_tensor: shape is that of a matrix in tiles of 32 x 32, not {_args.shape_text(dims)}")
        f, count = formats.named(format), dims[0] * dims[1] // 1024
        if count * f.bytes_of_tile > 1 << 36:
            raise InvalidError(f"Chip.read_tensor: {_args.shape_text(dims)} numbers do not fit into DRAM")
        pages = np.empty((count, f.bytes_of_tile), dtype=np.uint8)
        for memory, part, start, stride in self._interleaved(address, count, f.bytes_of_tile):
            own = len(range(count)[part])
            if own:
                pages[part] = memory.bytes_at(start, own * stride).reshape(own, stride)[:, : f.bytes_of_tile]
        return formats.from_tiles(pages, (dims[0], dims[1]), f)

    @checked
    def broadcast(self, start: tuple[int, int], end: tuple[int, int], address: int, data: bytes) -> None:
        """Writes to every tile of a rectangle that accepts broadcasts."""
        corners = [_args.integers(corner, f"Chip.broadcast: {name}", 0, 63) for corner, name in ((start, "start"), (end, "end"))]
        if any(len(corner) != 2 for corner in corners):
            raise InvalidError(f"Chip.broadcast: start and end are (x, y), not {_args.shown(start)} and {_args.shown(end)}")
        result = lib.tessera_chip_broadcast(self._handle, *corners[0], *corners[1], address, data, len(data))
        if result != _abi.OK:
            raise refuse(result, "the broadcast reaches nothing")

    @checked
    def launch(self, x: int, y: int, kernel: Kernel, buffers: Mapping[int, tuple[int, str]], args: Sequence[int] = ()) -> dict[int, int]:
        """Loads a kernel on a tile and launches it once; buffers: number to (pages, format). Returns the buffers' addresses."""
        from .kernel import Kernel

        if not isinstance(kernel, Kernel):
            raise ArgumentTypeError(f"Chip.launch: kernel is a Kernel, not {_args.shown(kernel)}")
        tile = self.tile(x, y)
        return kernel.load(tile, buffers, args, dram_banks=len(self.banks))

    @checked
    def run(self, cycles: int, *, check: bool = True) -> str:
        """Runs for at most `cycles` more cycles: "done", "limit". A fault and a hang are exceptions unless check=False."""
        __tracebackhide__ = True
        return self._ended(self._result(cycles), check)

    def _result(self, cycles: int) -> int:
        """Runs and returns the result. The clock advances even if the chip is idle."""
        left = cycles = min(cycles, FOREVER)

        def run(part: int) -> int:
            nonlocal left
            left -= part
            return int(lib.tessera_chip_run(self._handle, part))

        result = self._go("run", run, cycles, _PART)
        return self._go("run", run, left, left) if left and result in (_abi.DONE, _abi.HANG) else result

    def _go(self, name: str, call: Callable[[int], int], cycles: int, step: int = 1) -> int:
        """Runs; raises an exception of a tile's hook afterwards."""
        if not self._run_lock.acquire(False):
            raise self._runs(name)
        try:
            result = in_parts(call, cycles, step)
        finally:
            self._run_lock.release()
        for tile in self._tiles.values():
            if tile._raised is not None:
                error, tile._raised = tile._raised, None
                raise error
        return result

    @checked
    def run_until(self, x: int, y: int, address: int, value: int, *, mask: int = 0xFFFFFFFF, every: int = 1000,
                  cycles: int = 1_000_000_000, check: bool = True) -> str:
        """Runs until (word & mask) == value at that address, compared every `every` cycles: "stopped" if it is."""
        __tracebackhide__ = True
        return self._ended(self._result_until(x, y, address, mask, value, every, min(cycles, FOREVER)), check)

    def _result_until(self, x: int, y: int, address: int, mask: int, value: int, every: int, cycles: int) -> int:
        def run(part: int) -> int:
            return int(lib.tessera_chip_run_until(self._handle, x, y, address, mask, value, every, part))

        return self._go("run_until", run, cycles, every)

    def _ended(self, result: int, check: bool) -> str:
        __tracebackhide__ = True
        if check and result == _abi.FAULT:
            raise FaultError(self.explain(), self.fault)
        if check and result == _abi.HANG:
            raise HangError(self.explain(), self.hang)
        if result in (_abi.INVALID, _abi.NO_MEMORY):
            raise refuse(result, "the chip does not run: the place has no memory that can be read")
        return text(lib.tessera_result_name(result))

    @property
    def cycle(self) -> int:
        """The chip's time."""
        return int(lib.tessera_chip_cycle(self._handle))

    @property
    def fault(self) -> findings.Fault | None:
        """The first fault of any tile."""
        found = _abi.Fault()
        if not lib.tessera_chip_fault(self._handle, ctypes.byref(found), None, None):
            return None
        return findings.read_fault(found, self.explain())

    @property
    def hang(self) -> findings.Hang | None:
        """The hang of the last run; its waiters are those of all tiles."""
        return findings.read_hang(self._handle, lib.tessera_chip_hang, lib.tessera_chip_waiter, self.explain(), CORES, party_call=lib.tessera_chip_party)

    def explain(self) -> str:
        """Lines about the last fault or hang; tiles by both coordinates."""
        return text(lib.tessera_chip_explain(self._handle)).rstrip("\n")

    def report(self) -> Report:
        """Tiles, traffic and findings of the run so far."""
        import json

        words, data = text(lib.tessera_chip_report(self._handle)), json.loads(text(lib.tessera_chip_report_json(self._handle)))
        return Report(words, data, text(lib.tessera_chip_outcome(self._handle, None, _abi.REPORT_SARIF)))

    @property
    def packets(self) -> int:
        """Packets over the NoC so far."""
        return int(lib.tessera_chip_packets(self._handle))

    @property
    def hash(self) -> int:
        """A hash of the state; it does not depend on the number of threads."""
        return int(lib.tessera_chip_hash(self._handle))

    def save(self) -> bytes:
        """All accessed state, and the programs of its tiles with their lines and symbols: a fresh chip that restores it gives the same reports."""
        state, length = ctypes.c_void_p(), ctypes.c_size_t()
        result = lib.tessera_chip_save(self._handle, ctypes.byref(state), ctypes.byref(length))
        if result != _abi.OK:
            raise refuse(result, "")
        try:
            return _state.join(ctypes.string_at(state.value or 0, length.value), self._programs)
        finally:
            lib.tessera_chip_free(state)

    @checked
    def restore(self, state: bytes) -> None:
        """Restores a saved state."""
        self._idle("restore")
        machine, programs = _state.split(state)
        places = {f"{x},{y}": (x, y) for x, y in self.tiles()}
        if programs is not None and programs != self._programs:
            Tile._check_programs(programs, places)
        self._restore(machine)
        if programs is None or programs == self._programs:
            return
        for (place, core), (name, content) in programs.items():  # lines and symbols; the state that loading changes is restored afterwards
            self.tile(*places[place])._load_saved(core, name, content)
        self._programs.clear()
        self._programs.update(programs)
        self._restore(machine)

    def _restore(self, machine: bytes) -> None:
        result = lib.tessera_chip_restore(self._handle, machine, len(machine))
        if result != _abi.OK:
            raise refuse(result, lib.tessera_chip_error(self._handle).decode())
