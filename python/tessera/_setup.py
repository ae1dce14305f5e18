"""Contents of L1 for a run of a kernel: tensors, circular buffers, the reader's and the writer's tables, arguments."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _abi, _args, formats
from .errors import ArgumentTypeError, InvalidError
from .errors import hidden as __tracebackhide__
from .names import L1_BYTES

if TYPE_CHECKING:
    import numpy.typing as npt

    from .kernel import Kernel
    from .tile import Tile

__all__ = ["Arguments", "Heap", "Key", "ROLES", "Setup", "Tensor", "pages_of"]

_HEAP: int = _abi.LAUNCH_HEAP
ROLES = {"reader": "ncrisc", "compute": "trisc0", "writer": "brisc"}

Key = Union[int, str]
Arguments = Union[Sequence[Union[int, str]], Mapping[str, Sequence[Union[int, str]]]]


@dataclass(frozen=True)
class Tensor:
    """An array with its own format, if it differs from the run's. tiles=False: row-major."""

    array: npt.ArrayLike
    format: str | None = None
    tiles: bool = True


@dataclass
class _Placed:
    """A tensor's place in L1."""

    format: formats.Format
    shape: tuple[int, ...]
    address: int
    pages: int
    tiles: bool
    data: npt.NDArray[np.uint8] | None

    @property
    def length(self) -> int:
        return self.pages * self.format.bytes_of_tile if self.tiles else int(np.prod(self.shape)) * self.format.bits // 8


class Heap:
    """L1 from the heap on, 32-aligned."""

    def __init__(self) -> None:
        self.next = _HEAP

    def take(self, length: int, what: str) -> int:
        address, self.next = self.next, (self.next + length + 31) & ~31
        if self.next > L1_BYTES:
            raise InvalidError(f"{what}: {length} bytes do not fit into L1, {L1_BYTES - address} are left")
        return address


def pages_of(row: object, where: str) -> tuple[int, Any]:
    """(pages, format) of a circular buffer."""
    parts = _args.items(row, where, "(pages, format)")
    if len(parts) != 2:
        raise InvalidError(f"{where} is (pages, format), not {_args.shown(row)}")
    return _args.integer(parts[0], f"{where}: pages", 1, 0xFFFF), parts[1]


def _key(key: object, where: str) -> Key:
    """A circular buffer's number, or a name."""
    if isinstance(key, str):
        return key
    return _args.integer(key, f"{where}: a circular buffer", 0, _abi.LAUNCH_BUFFERS - 1)


def _inputs(inputs: object) -> dict[Key, Tensor]:
    """Inputs by buffer or name."""
    if isinstance(inputs, Mapping):
        given: dict[Any, Any] = dict(inputs)
    elif isinstance(inputs, np.ndarray) or not isinstance(inputs, (list, tuple)):
        raise ArgumentTypeError(f"inputs is a list of arrays or {{buffer: array}}; for one input write [x], not {_args.shown(inputs)}")
    else:
        given = dict(enumerate(inputs))
    found = {}
    for key, value in given.items():
        key = _key(key, "inputs")
        tensor = value if isinstance(value, Tensor) else Tensor(value)
        found[key] = Tensor(formats.numbers(tensor.array, f"input '{key}'"), tensor.format, tensor.tiles)
    return found


def _outputs(outputs: object) -> dict[Key, tuple[int, ...]]:
    """Shapes of outputs by buffer or name."""
    given: dict[Any, Any] = dict(outputs) if isinstance(outputs, Mapping) else {} if outputs is None else {16: outputs}
    found = {}
    for key, value in given.items():
        key = _key(key, "outputs")
        found[key] = _args.shape(value, f"outputs: the shape of '{key}'")
    return found


def _transfers(rows: object, name: str) -> list[tuple[int, ...]]:
    """The order of a reader or writer."""
    wants = "(buffer, tile) or (buffer, first tile, tiles)"
    found = []
    for index, row in enumerate(_args.items(rows, name, f"a list of {wants}")):
        parts = _args.integers(row, f"{name}[{index}]", 0, 1 << 20)
        if len(parts) not in (2, 3) or (len(parts) == 3 and not parts[2]):
            raise InvalidError(f"{name}[{index}] is {wants}, not {_args.shown(row)}")
        found.append(tuple(parts))
    return found


class Setup:
    """Contents of L1 for a run: tensors, buffers, tables, arguments."""

    def __init__(self, kernel: Kernel, inputs: Any, outputs: Any, args: Arguments, format: str,
                 exceptions: Mapping[Key, str] | None, buffers: Mapping[int, int | tuple[int, str]] | None, feed: Iterable[tuple[int, ...]] | None,
                 drain: Iterable[tuple[int, ...]] | None) -> None:
        self.kernel, self.format, self.heap = kernel, format, Heap()
        self.exceptions = _args.table(exceptions, "formats", "a mapping of buffers and names to formats")
        self.inputs = _inputs(inputs)
        self.outputs = _outputs(outputs)
        unknown = set(self.exceptions) - set(self.inputs) - set(self.outputs) - set(_args.table(buffers, "buffers", "{number: pages}"))
        if unknown:
            raise InvalidError(f"formats: there is no buffer or tensor {_args.shown(min(unknown, key=str))}")
        both = set(self.inputs) & set(self.outputs)
        if both:
            raise InvalidError(f"'{min(both, key=str)}' is both an input and an output")
        for key, shape in self.outputs.items():
            length = math.prod(shape) // 1024 * self._named_format(key).bytes_of_tile
            if length > L1_BYTES:
                raise InvalidError(f"output '{key}': {length} bytes do not fit into L1, which has {L1_BYTES}")
        self.placed: dict[Key, _Placed] = {}
        self.rows: dict[int, tuple[int, int, int, str]] = {}
        feed = _transfers(feed, "feed") if feed is not None else self._in_order(self.inputs)
        drain = _transfers(drain, "drain") if drain is not None else self._in_order(self.outputs)
        self._buffers(_args.table(buffers, "buffers", "{number: pages} or {number: (pages, format)}"), [*feed, *drain])
        for key, value in self.inputs.items():
            self.placed[key] = self._place(key, value)
        for key, shape in self.outputs.items():
            self.placed[key] = self._room(key, shape)
        self.feed = self._table(feed) if kernel._own_reader else np.zeros((0, 4), dtype=np.uint32)
        self.drain = self._table(drain) if kernel._own_writer else np.zeros((0, 4), dtype=np.uint32)
        self.feed_at = self.heap.take(self.feed.nbytes, "the reader's table")
        self.drain_at = self.heap.take(self.drain.nbytes, "the writer's table")
        self.args = self._arguments(args)
        if any(len(words) > _abi.LAUNCH_ARGS for words in self.args.values()) and self.heap.next > _abi.LAUNCH_OWN_AT:
            raise InvalidError(f"more than {_abi.LAUNCH_ARGS} arguments take the last 4096 bytes of L1, which the tensors and buffers use")

    def _named_format(self, key: Key, own: str | None = None) -> formats.Format:
        return formats.named(own or self.exceptions.get(key) or self.format)

    def _count(self, key: Key) -> int:
        if key in self.outputs:
            return math.prod(self.outputs[key]) // 1024
        return int(np.size(self.inputs[key].array)) // 1024

    def _in_order(self, tensors: Mapping[Key, Any]) -> list[tuple[int, ...]]:
        """Tile 0 of each buffer, then tile 1 of each, ..."""
        counts = {key: self._count(key) for key in tensors if isinstance(key, int)}
        most = max(counts.values(), default=0)
        return [(key, i) for i in range(most) for key, count in counts.items() if i < count]

    def _buffers(self, given: dict[int, int | tuple[int, str]], transfers: list[tuple[int, ...]]) -> None:
        numbers = {key for key in (*self.inputs, *self.outputs) if isinstance(key, int)}
        numbers |= {_args.integer(key, "buffers: a circular buffer", 0, _abi.LAUNCH_BUFFERS - 1) for key in given}
        for number in sorted(numbers):
            asked = given.get(number, 2 * max((t[2] for t in transfers if t[0] == number and len(t) > 2), default=1))
            pages, name = pages_of(asked, f"buffer {number}") if isinstance(asked, (tuple, list)) else (asked, None)
            pages = _args.integer(pages, f"buffer {number}: pages", 1, 0xFFFF)
            tensor = self.inputs.get(number)
            f = self._named_format(number, name or (tensor.format if tensor else None))
            address = self.heap.take(pages * f.bytes_of_tile, f"buffer {number}")
            self.rows[number] = (address, f.bytes_of_tile, pages, f.name)

    def _place(self, key: Key, tensor: Tensor) -> _Placed:
        array, f = np.asarray(tensor.array), self._named_format(key, tensor.format)
        try:
            data = formats.to_bytes(formats.tilize(array) if tensor.tiles else array, f)
        except InvalidError as error:
            raise InvalidError(f"input '{key}': {error}") from None
        address = self.heap.take(data.size, f"input '{key}'")
        return _Placed(f, array.shape, address, array.size // 1024, tensor.tiles, data)

    def _room(self, key: Key, shape: tuple[int, ...]) -> _Placed:
        f, size = self._named_format(key), math.prod(shape)
        if len(shape) != 2 or shape[0] % 32 or shape[1] % 32:
            raise InvalidError(f"output '{key}': {formats._matrix(shape)} is not made of tiles of 32 x 32")
        return _Placed(f, shape, self.heap.take(size // 1024 * f.bytes_of_tile, f"output '{key}'"), size // 1024, True, None)

    def _table(self, transfers: list[tuple[int, ...]]) -> npt.NDArray[np.uint32]:
        rows = np.zeros((len(transfers), 4), dtype=np.uint32)
        for index, (number, first, *more) in enumerate(transfers):
            tensor, pages = self.placed.get(number), more[0] if more else 1
            if tensor is None or number not in self.rows:
                raise InvalidError(f"buffer {number} has no tensor to feed it or to take its tiles")
            if first + pages > tensor.pages:
                raise InvalidError(f"buffer {number}: its tensor has {tensor.pages} tiles, not {first + pages}")
            if self.rows[number][2] % pages:
                raise InvalidError(f"buffer {number}: {pages} tiles at once do not divide its {self.rows[number][2]} pages")
            rows[index] = number, tensor.address + first * tensor.format.bytes_of_tile, pages, 0
        return rows

    def _words(self, args: object, role: str) -> list[int]:
        words = []
        for index, value in enumerate(_args.items(args, f"args of the {role}", "a list of whole numbers and names of tensors")):
            if isinstance(value, str):
                if value not in self.placed:
                    raise InvalidError(f"no tensor '{value}' for an argument")
                words.append(self.placed[value].address)
            else:
                words.append(_args.word(value, f"args[{index}] of the {role}"))
        most = _abi.LAUNCH_ARGS if self.kernel._elfs is not None else _abi.LAUNCH_OWN_ARGS
        if len(words) > most:
            why = " of executables" if most == _abi.LAUNCH_ARGS else ""
            raise InvalidError(f"{len(words)} arguments: a kernel{why} has at most {most}")
        return words

    def _arguments(self, args: Arguments) -> dict[str, list[int]]:
        """Arguments of each of the three kernels; the package's own reader and writer read their tables."""
        given = args if isinstance(args, Mapping) else {role: args for role in ROLES}
        unknown = set(given) - set(ROLES)
        if unknown:
            raise InvalidError(f"arguments are for reader, compute and writer, not '{min(unknown, key=str)}'")
        words = {role: self._words(given.get(role, ()), role) for role in ROLES}
        if self.kernel._own_reader:
            words["reader"] = [self.feed_at, len(self.feed)]
        if self.kernel._own_writer:
            words["writer"] = [self.drain_at, len(self.drain)]
        return words

    def load(self, tile: Tile) -> None:
        """Loads everything into the tile and starts the cores."""
        __tracebackhide__ = True
        used = [row[3] for row in self.rows.values()] + [placed.format.name for placed in self.placed.values()]
        many = {role: len(words) for role, words in self.args.items() if len(words) > _abi.LAUNCH_ARGS}
        for core, elf in self.kernel._build(used, many).items():
            tile.load_elf(core, elf)
        for placed in self.placed.values():
            data = placed.data if placed.data is not None else np.zeros(placed.length, dtype=np.uint8)
            tile.l1.write_bytes(placed.address, data)
        for address, table in ((self.feed_at, self.feed), (self.drain_at, self.drain)):
            tile.l1.write_bytes(address, table.view(np.uint8))
        tile.launch(self.rows, self.args["compute"][: _abi.LAUNCH_ARGS])  # a program that `tessera kernel` did not build reads these on all cores
        for role, core in ROLES.items():
            tile.launch_args(core, self.args[role])
        tile.start()

    def results(self, tile: Tile) -> dict[Key, npt.NDArray[Any]]:
        """The outputs."""
        found = {}
        for key in self.outputs:
            p = self.placed[key]
            found[key] = formats.from_tiles(tile.l1.bytes_at(p.address, p.length), (p.shape[0], p.shape[1]), p.format)
        return found
