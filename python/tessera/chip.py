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
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, findings, formats
from ._lib import at_exit, lib, refuse, text
from .errors import FaultError, HangError, InvalidError
from .memory import Memory
from .report import Report
from .tile import CORES, Tile, timing_number

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel

__all__ = ["Chip", "Node", "products"]

_BANKS = 8
_DRAM_ALIGNMENT = 64


@dataclass(frozen=True)
class Node:
    """What stands at a place of the chip."""

    kind: str
    good: bool  #: False: fused off
    index: int
    noc: tuple[int, int]  #: raw coordinates of NoC 0
    bytes: int  #: of memory from address 0 on


def products() -> list[str]:
    """Names of products, by what is fused off.

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


class Chip:
    """A chip. Coordinates are those that software uses: Tensix x 1..7 and 10..16, y 2..11; DRAM x 17 and 18, y 12..23."""

    def __init__(self, product: str | None = None, timing: str = "cycle", *, threads: int = 0) -> None:
        if product is not None and product not in products():
            raise InvalidError(f"no product '{product}' ({', '.join(products())})")
        name = product.encode() if product is not None else None
        options = _abi.ChipOptions(product=name, timing=timing_number(timing), threads=threads)
        handle = lib.tessera_chip_create(ctypes.byref(options))
        if not handle:
            raise InvalidError("the chip cannot be made: the options make no sense, or there is no memory")
        self._handle: int = handle
        self._finalizer = weakref.finalize(self, _destroy, handle)
        self._tiles: weakref.WeakSet[Tile] = weakref.WeakSet()

    def __enter__(self) -> Chip:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory back; the chip and its tiles are not usable any more."""
        for tile in self._tiles:
            tile.close()
        self._finalizer()
        self._handle = 0

    def __repr__(self) -> str:
        return f"<Chip at cycle {self.cycle}>" if self._handle else "<Chip, closed>"

    def node(self, x: int, y: int) -> Node:
        """What stands there."""
        found = _abi.Node()
        if lib.tessera_chip_node(self._handle, x, y, ctypes.byref(found)) != _abi.OK:
            raise InvalidError(f"there is nothing at ({x}, {y})")
        return Node(text(lib.tessera_node_kind_name(found.kind)), bool(found.good), found.index, (found.noc_x, found.noc_y), found.bytes)

    def tile(self, x: int, y: int) -> Tile:
        """The Tensix tile there, for everything but to run, reset and restore it."""
        handle = lib.tessera_chip_tile(self._handle, x, y)
        if not handle:
            raise InvalidError(f"({x}, {y}) is no Tensix tile")
        tile = Tile._of_chip(handle, self)
        self._tiles.add(tile)
        return tile

    def tiles(self) -> list[tuple[int, int]]:
        """Coordinates of all Tensix tiles that are not fused off."""
        places = [(x, y) for y in range(2, 12) for x in (*range(1, 8), *range(10, 17))]
        return [place for place in places if self._is_tensix(*place)]

    def _is_tensix(self, x: int, y: int) -> bool:
        found = _abi.Node()
        result = lib.tessera_chip_node(self._handle, x, y, ctypes.byref(found))
        return bool(result == _abi.OK and found.kind == _abi.NODE_TENSIX and found.good)

    def memory(self, x: int, y: int) -> Memory:
        """Memory and registers of any tile as NoC 0 sees them."""
        node = self.node(x, y)
        return Memory(f"{node.kind} ({x}, {y})", node.bytes, lambda a, p, n: int(lib.tessera_chip_read(self._handle, x, y, a, p, n)),
                      lambda a, p, n: int(lib.tessera_chip_write(self._handle, x, y, a, p, n)), lambda: "")

    def dram(self, bank: int) -> Memory:
        """A DRAM bank, 0 to 7."""
        if not 0 <= bank < _BANKS:
            raise InvalidError(f"no DRAM bank {bank}: there are {_BANKS}")
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
        f, tiles = formats.named(format), formats.tilize(np.asarray(matrix))
        pages = formats.to_bytes(tiles, f).reshape(len(tiles), f.bytes_of_tile)
        for memory, part, start, stride in self._interleaved(address, len(pages), f.bytes_of_tile):
            own = pages[part]
            if len(own):
                padded = np.zeros((len(own), stride), dtype=np.uint8)
                padded[:, : f.bytes_of_tile] = own
                memory.write_bytes(start, padded)

    def read_tensor(self, address: int, shape: tuple[int, int], format: str | formats.Format = "bf16") -> npt.NDArray[Any]:
        """The matrix that write_tensor or a kernel has put there."""
        f, count = formats.named(format), shape[0] * shape[1] // 1024
        pages = np.empty((count, f.bytes_of_tile), dtype=np.uint8)
        for memory, part, start, stride in self._interleaved(address, count, f.bytes_of_tile):
            own = len(range(count)[part])
            if own:
                pages[part] = memory.bytes_at(start, own * stride).reshape(own, stride)[:, : f.bytes_of_tile]
        return formats.from_tiles(pages, shape, f)

    def broadcast(self, start: tuple[int, int], end: tuple[int, int], address: int, data: bytes) -> None:
        """To every tile of a rectangle that takes part in broadcasts."""
        result = lib.tessera_chip_broadcast(self._handle, *start, *end, address, data, len(data))
        if result != _abi.OK:
            raise refuse(result, "the broadcast reaches nothing")

    def launch(self, x: int, y: int, kernel: Kernel, buffers: Mapping[int, tuple[int, str]], args: Sequence[int] = ()) -> dict[int, int]:
        """Loads a kernel on a tile and launches it once; buffers: number to (pages, format). Returns the buffers' addresses."""
        tile = self.tile(x, y)
        return kernel.load(tile, buffers, args, dram_banks=len(self.banks))

    def run(self, cycles: int, *, check: bool = True) -> str:
        """Runs for at most so many more cycles: "done", "limit". A fault and a hang are exceptions unless check=False."""
        return self._ended(lib.tessera_chip_run(self._handle, cycles), check)

    def run_until(self, x: int, y: int, address: int, value: int, *, mask: int = 0xFFFFFFFF, every: int = 1000,
                  cycles: int = 1_000_000_000, check: bool = True) -> str:
        """Runs until (word & mask) == value at that place, looked at every so many cycles: "stopped" when it is."""
        return self._ended(lib.tessera_chip_run_until(self._handle, x, y, address, mask, value, every, cycles), check)

    def _ended(self, result: int, check: bool) -> str:
        if check and result == _abi.FAULT:
            raise FaultError(self.explain(), self.fault)
        if check and result == _abi.HANG:
            raise HangError(self.explain(), self.hang)
        if result in (_abi.INVALID, _abi.NO_MEMORY):
            raise refuse(result, "")
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
        """The hang that the last run ended in; its waiters are those of all tiles."""
        return findings.read_hang(self._handle, lib.tessera_chip_hang, lib.tessera_chip_waiter, self.explain(), CORES)

    def explain(self) -> str:
        """Lines about the last fault or hang; tiles by both coordinates."""
        return text(lib.tessera_chip_explain(self._handle)).rstrip("\n")

    def report(self) -> Report:
        """Tiles, traffic and findings of the run so far."""
        return Report(text(lib.tessera_chip_report(self._handle)), {})

    @property
    def packets(self) -> int:
        """Packets over the NoC so far."""
        return int(lib.tessera_chip_packets(self._handle))

    @property
    def hash(self) -> int:
        """A hash of the state; it does not depend on the number of threads."""
        return int(lib.tessera_chip_hash(self._handle))

    def save(self) -> bytes:
        """What was touched so far."""
        state, length = ctypes.c_void_p(), ctypes.c_size_t()
        result = lib.tessera_chip_save(self._handle, ctypes.byref(state), ctypes.byref(length))
        if result != _abi.OK:
            raise refuse(result, "")
        try:
            return ctypes.string_at(state.value or 0, length.value)
        finally:
            lib.tessera_chip_free(state)

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state."""
        result = lib.tessera_chip_restore(self._handle, state, len(state))
        if result != _abi.OK:
            raise refuse(result, "not a saved state of this version of the library, or damaged")
