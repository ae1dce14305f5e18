"""Kernels: build from files or strings, run on a tile, look at what they did.

>>> import numpy as np, tessera
>>> kernel = tessera.Kernel(compute='''
... #include "compute.h"
... void kernel_main(void) {
...   binary_op_init(0, 1, 16);
...   add_tiles_init();
...   for (uint32_t i = 0; i < get_arg_val(0); i++) {
...     tile_regs_acquire();
...     cb_wait_front(0, 1);
...     cb_wait_front(1, 1);
...     add_tiles(0, 1, 0, 0, 0);
...     cb_pop_front(0, 1);
...     cb_pop_front(1, 1);
...     tile_regs_commit();
...     tile_regs_wait();
...     cb_reserve_back(16, 1);
...     pack_tile(0, 16);
...     cb_push_back(16, 1);
...     tile_regs_release();
...   }
... }''')
>>> a, b = np.ones((32, 64)), np.full((32, 64), 2.0)
>>> run = kernel.run([a, b], (32, 64), args=[2])
>>> float(run.output.min()), float(run.output.max())
(3.0, 3.0)
>>> run.findings
[]
"""

from __future__ import annotations

import copy
import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Union

import numpy as np

from . import _abi, _args, formats
from ._args import checked
from .errors import ArgumentTypeError, BuildError, FaultError, FindingError, HangError, InvalidError, LimitError
from .explore import Exploration
from .findings import Finding
from .names import CORES, L1_BYTES, Stop, trace_format
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    import numpy.typing as npt

    from .folder import ChipRun, Description

__all__ = ["Kernel", "Run", "Tensor"]

_HEAP: int = _abi.LAUNCH_HEAP
_ROLES = {"reader": "ncrisc", "compute": "trisc0", "writer": "brisc"}

FEED = """/* NCRISC: pages from L1 into circular buffers, by a table of the host: buffer, address, pages. */
#include "dataflow.h"

void kernel_main(void) {
  uint32_t row = get_arg_val(0), end = row + 16 * get_arg_val(1);
  for (; row < end; row += 16) {
    uint32_t cb = tt_load(row), from = tt_load(row + 4), pages = tt_load(row + 8), bytes = pages * get_tile_size(cb);
    cb_reserve_back(cb, pages);
    uint32_t to = get_write_ptr(cb);
    l1_copy(to, from, bytes);
    l1_fence(to + bytes - 4);
    cb_push_back(cb, pages);
  }
}
"""
DRAIN = """/* BRISC: pages of circular buffers to L1, by a table of the host: buffer, address, pages. */
#include "dataflow.h"

void kernel_main(void) {
  uint32_t row = get_arg_val(0), end = row + 16 * get_arg_val(1);
  for (; row < end; row += 16) {
    uint32_t cb = tt_load(row), to = tt_load(row + 4), pages = tt_load(row + 8), bytes = pages * get_tile_size(cb);
    cb_wait_front(cb, pages);
    l1_copy(to, get_read_ptr(cb), bytes);
    l1_fence(to + bytes - 4);
    cb_pop_front(cb, pages);
  }
}
"""
_DST32 = ("fp32", "tf32", "int32", "int8")  # formats that a 16-bit Dst would cut
_EMPTY = '#include "circular_buffer.h"\nvoid kernel_main(void) {}\n'

Key = Union[int, str]
Source = Union[str, "os.PathLike[str]"]
Arguments = Union[Sequence[Union[int, str]], Mapping[str, Sequence[Union[int, str]]]]


@dataclass(frozen=True)
class Tensor:
    """An array with a format, when it is not the run's. tiles=False: rows as they are."""

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


class _Heap:
    """L1 from the heap on, 32-aligned."""

    def __init__(self) -> None:
        self.next = _HEAP

    def take(self, length: int, what: str) -> int:
        address, self.next = self.next, (self.next + length + 31) & ~31
        if self.next > L1_BYTES:
            raise InvalidError(f"{what}: {length} bytes do not fit into L1, {L1_BYTES - address} are left")
        return address


def _given(source: Source | None, default: str, role: str) -> tuple[str, str]:
    if source is None:
        return "text", default
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentTypeError(f"Kernel: {role} is a path or the source, not {_args.shown(source)}")
    if isinstance(source, str) and "\0" in source:
        raise InvalidError(f"Kernel: {role} is a path or the source, not {_args.shown(source)}")
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return "text", source
    path = os.fspath(source)
    if not os.path.isfile(path):
        raise BuildError(f"{path}: No such file or directory")
    return "path", path


class Kernel:
    """A program for the five cores: compute (three T cores), reader (NCRISC), writer (BRISC).

    Each is a path or the source itself. Without a reader and writer the kernel gets ones that feed the inputs' tiles to the circular
    buffers 0, 1, ... in order, and take the outputs' from 16 on.

    Dst holds 16 bits of a number, or 32 bits and half as many tiles (DST_ACCUM_MODE). A kernel whose tensors are fp32, tf32, int32 or int8 is
    built for 32 bits, others for 16; ``defines={"DST_ACCUM_MODE": 0}`` or 1, or the name in the compute source, takes the choice away. SrcA and SrcB
    hold TF32 at most: ``defines={"UNPACK_TO_DST": 1}`` lets copies of fp32 keep all their bits.
    """

    @checked
    def __init__(self, compute: Source | None = None, reader: Source | None = None, writer: Source | None = None, *,
                 defines: Mapping[str, object] | None = None, flags: Sequence[str] = (), name: str = "kernel") -> None:
        self.name = name
        given = _args.table(defines, "Kernel: defines", "a mapping of names to values")
        more = _args.items(flags, "Kernel: flags", "a list of texts")
        if any(not isinstance(flag, str) or "\0" in flag for flag in [*given, *more]):
            raise ArgumentTypeError(f"Kernel: names of defines and flags are texts, not {_args.shown([*given, *more])}")
        self._own_reader, self._own_writer = reader is None, writer is None
        self._sources = {"compute": _given(compute, _EMPTY, "compute"), "reader": _given(reader, FEED, "reader"),
                         "writer": _given(writer, DRAIN, "writer")}
        self._flags = [f"-D{key}={value}" for key, value in given.items()] + more
        self._elfs: dict[str, bytes] | None = None  # of from_elfs
        self._built: dict[bool, dict[str, bytes]] = {}  # by the width of Dst
        self.description: Description | None = None  #: kernel.chip of from_directory

    @classmethod
    def from_directory(cls, directory: str | os.PathLike[str], **more: Any) -> Kernel:
        """A folder with compute.c, reader.c and writer.c (or .cpp); those that are not there are the package's own.

        With kernel.chip in it, run_on_chip() does what `tessera kernel run` does; a kernel that is missing then does nothing.
        """
        top = _args._path(directory, "Kernel.from_directory: directory")
        if not os.path.isdir(top):
            raise BuildError(f"{top}: No such directory")
        found: dict[str, Any] = {}
        described = os.path.join(top, "kernel.chip")
        if os.path.exists(described):
            return cls._described(described, more)
        for role in ("compute", "reader", "writer"):
            paths = [os.path.join(top, role + ending) for ending in (".c", ".cpp")]
            found.update({role: path for path in paths if os.path.isfile(path)})
        if not found:
            raise BuildError(f"{top}: no compute.c, reader.c or writer.c")
        return cls(**found, name=os.path.basename(os.path.abspath(top)), **more)

    @classmethod
    def _described(cls, path: str, more: dict[str, Any]) -> Kernel:
        from .folder import Description

        description = Description(path)
        found: dict[str, Any] = {role: _EMPTY for role in _ROLES}
        for role in _ROLES:
            paths = [os.path.join(description.folder, role + ending) for ending in (".c", ".cpp")]
            found.update({role: own for own in paths if os.path.isfile(own)})
        found.update(description.sources)
        kernel = cls(**found, name=os.path.basename(description.folder), **more)
        kernel.description = description
        return kernel

    @classmethod
    def from_elfs(cls, directory: str | os.PathLike[str]) -> Kernel:
        """Executables that are built already: brisc.elf, ncrisc.elf, trisc0.elf, trisc1.elf, trisc2.elf."""
        top = _args._path(directory, "Kernel.from_elfs: directory")
        kernel = cls(reader=_EMPTY, writer=_EMPTY, name=os.path.basename(os.path.abspath(top)))
        elfs = {}
        for core in CORES:
            path = os.path.join(top, core.lower() + ".elf")
            try:
                with open(path, "rb") as file:
                    elfs[core.lower()] = file.read()
            except OSError as error:
                raise BuildError(f"{path}: {error.strerror}") from None
        kernel._elfs = elfs
        return kernel

    def __repr__(self) -> str:
        return f"<Kernel {self.name}>"

    @checked
    def build(self, format: str = "bf16") -> dict[str, bytes]:
        """Executables of the cores, for tensors of this format. The compiler runs once: what is built is kept (TESSERA_CACHE). BuildError has
        its words."""
        return self._build([format])

    def _build(self, used: Iterable[str]) -> dict[str, bytes]:
        """For tensors and buffers of these formats."""
        if self._elfs is not None:
            return self._elfs
        wide = any(formats.named(name).name in _DST32 for name in used) and not self._chooses_dst()
        if wide not in self._built:
            from .build import compile_kernel

            flags = [*self._flags, "-DDST_ACCUM_MODE=1"] if wide else self._flags
            self._built[wide] = compile_kernel(self._sources, flags, self.description.defines if self.description else None)
        return self._built[wide]

    def _chooses_dst(self) -> bool:
        """The width of Dst is the kernel's own choice: in its flags, its description or its source."""
        kind, source = self._sources["compute"]
        if any("DST_ACCUM_MODE" in flag for flag in self._flags) or self.description is not None:
            return True
        if kind == "text":
            return "DST_ACCUM_MODE" in source
        return b"DST_ACCUM_MODE" in _args.read_file(source, "Kernel: compute")

    # --- running ---

    @checked
    def run(self, inputs: Mapping[Key, Any] | Sequence[Any] = (), outputs: Mapping[Key, tuple[int, ...]] | tuple[int, ...] | None = None,
            args: Arguments = (), *, format: str = "bf16", formats: Mapping[Key, str] | None = None,
            buffers: Mapping[int, int | tuple[int, str]] | None = None, feed: Iterable[tuple[int, ...]] | None = None,
            drain: Iterable[tuple[int, ...]] | None = None, timing: str = "cycle", check: str = "a,b,c,d,e", account: bool = False,
            strict: bool = False, cycles: int = 1_000_000_000, trace: str | os.PathLike[str] | None = None, raises: bool = True,
            tile: Tile | None = None) -> Run:
        """Runs the kernel once on a tile.

        inputs    arrays for the circular buffers 0, 1, ...; or {buffer: array} and {name: array}: a name's address is an argument
        outputs   the shape of what buffer 16 gives; or {buffer: shape}, {name: shape}
        args      numbers, and names of tensors for their addresses; {"reader": [...], "compute": [...], "writer": [...]} for each its own
        format    of all tensors and buffers; formats has exceptions by buffer or name. fp32, tf32, int32, int8: Dst has 32 bits
        buffers   {buffer: pages} or {buffer: (pages, format)}, for buffers between kernels and other depths than 2
        feed      the order of the reader: (buffer, tile) or (buffer, first tile, tiles); drain: of the writer
        account   every cycle is accounted for: the report says where they go and why() what bounds the run; profile() needs it
        cycles    the most cycles that it may take; LimitError after them
        trace     a file: .pftrace Perfetto, .json Chrome, .kanata Konata, .vcd waves, .txt text
        raises    False: a fault, hang or finding is in the result instead of an exception
        tile      one of the caller's, with its own timing, checkers and account; it has run no kernel since it was made or reset
        """
        __tracebackhide__ = True
        if self.description and inputs == () and outputs is None and args == () and buffers is None:
            raise InvalidError(f"{self.description.path} describes a run on a chip: run_on_chip() runs it")
        if trace is not None:
            trace_format(trace)
        if tile is not None and not isinstance(tile, Tile):
            raise ArgumentTypeError(f"Kernel.run: tile is a Tile, not {_args.shown(tile)}")
        setup = _Setup(self, inputs, outputs, args, format, formats, buffers, feed, drain)
        machine = tile if tile is not None else Tile(timing, strict=strict, check=check, account=account)
        machine._take("Kernel.run")
        setup.load(machine)
        if trace is None:
            stop = machine.run(cycles, check=False)
        else:
            with machine.trace(trace):
                stop = machine.run(cycles, check=False)
        run = Run(self, machine, stop, setup.results(machine))
        if raises:
            run.check()
        return run

    @checked
    def run_on_chip(self, inputs: Mapping[str, Any] | None = None, *, timing: str | None = None, cycles: int | None = None,
                    check: str = "a,b,c,d,e", threads: int = 0, raises: bool = True) -> ChipRun:
        """Runs a folder's kernel as its kernel.chip describes it, and compares what it expects.

        inputs    {tensor: array} instead of the description's numbers; expectations of files are then left out
        """
        from .chip import Chip
        from .folder import ChipRun, _Job

        __tracebackhide__ = True
        if self.description is None:
            raise InvalidError(f"{self.name} has no kernel.chip: run() runs it on a tile")
        d, given = copy.deepcopy(self.description), _args.table(inputs, "Kernel.run_on_chip: inputs", "a mapping of tensors to arrays")
        job = _Job(self, d, Chip(d.product, timing or d.timing, threads=threads), given)
        job.start(check)
        run = ChipRun(self, job, cycles if cycles is not None else d.cycles)
        if raises:
            run.check()
        return run

    @checked
    def explore(self, inputs: Mapping[Key, Any] | Sequence[Any] = (), outputs: Mapping[Key, tuple[int, ...]] | tuple[int, ...] | None = None,
                args: Arguments = (), *, schedules: int = 300, seed: int = 1, threads: int = 0, format: str = "bf16",
                formats: Mapping[Key, str] | None = None, buffers: Mapping[int, int | tuple[int, str]] | None = None,
                feed: Iterable[tuple[int, ...]] | None = None, drain: Iterable[tuple[int, ...]] | None = None) -> Exploration:
        """Runs the kernel under schedules that hardware might run: the outputs are the same under all, or it has a race."""
        setup = _Setup(self, inputs, outputs, args, format, formats, buffers, feed, drain)
        machine = Tile(check="a,b,c,d,e")
        setup.load(machine)
        return machine.explore(schedules, seed=seed, threads=threads)

    @checked
    def load(self, tile: Tile, buffers: Mapping[int, tuple[int, str]], args: Sequence[int] = (), *, dram_banks: int = 0,
             launches: int = 1) -> dict[int, int]:
        """Loads and launches the kernel on a tile (of a chip); buffers: number to (pages, format). Returns the buffers' addresses."""
        if not isinstance(tile, Tile):
            raise ArgumentTypeError(f"Kernel.load: tile is a Tile, not {_args.shown(tile)}")
        tile._take("Kernel.load")
        heap, rows, places = _Heap(), {}, {}
        for number, row in _args.table(buffers, "Kernel.load: buffers", "{number: (pages, format)}").items():
            pages, format = _pages(row, f"Kernel.load: buffer {number}")
            f = formats.named(format)
            places[number] = heap.take(pages * f.bytes_of_tile, f"buffer {number}")
            rows[number] = (places[number], f.bytes_of_tile, pages, f.name)
        for core, elf in self._build(row[3] for row in rows.values()).items():
            tile.load_elf(core, elf)
        tile.launch(rows, args, launches=launches, dram_banks=dram_banks)
        tile.start()
        return places


def _pages(row: object, where: str) -> tuple[int, Any]:
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


class _Setup:
    """What a run needs in L1: tensors, buffers, tables, arguments."""

    def __init__(self, kernel: Kernel, inputs: Any, outputs: Any, args: Arguments, format: str,
                 exceptions: Mapping[Key, str] | None, buffers: Mapping[int, int | tuple[int, str]] | None, feed: Iterable[tuple[int, ...]] | None,
                 drain: Iterable[tuple[int, ...]] | None) -> None:
        self.kernel, self.format, self.heap = kernel, format, _Heap()
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
            pages, name = _pages(asked, f"buffer {number}") if isinstance(asked, (tuple, list)) else (asked, None)
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
        if len(words) > _abi.LAUNCH_ARGS:
            raise InvalidError(f"{len(words)} arguments: a kernel has at most {_abi.LAUNCH_ARGS}")
        return words

    def _arguments(self, args: Arguments) -> dict[str, list[int]]:
        """Of each of the three kernels; the package's own reader and writer take their tables."""
        given = args if isinstance(args, Mapping) else {role: args for role in _ROLES}
        unknown = set(given) - set(_ROLES)
        if unknown:
            raise InvalidError(f"arguments are for reader, compute and writer, not '{min(unknown, key=str)}'")
        words = {role: self._words(given.get(role, ()), role) for role in _ROLES}
        if self.kernel._own_reader:
            words["reader"] = [self.feed_at, len(self.feed)]
        if self.kernel._own_writer:
            words["writer"] = [self.drain_at, len(self.drain)]
        return words

    def load(self, tile: Tile) -> None:
        """Everything into the tile; the cores start."""
        used = [row[3] for row in self.rows.values()] + [placed.format.name for placed in self.placed.values()]
        for core, elf in self.kernel._build(used).items():
            tile.load_elf(core, elf)
        for placed in self.placed.values():
            data = placed.data if placed.data is not None else np.zeros(placed.length, dtype=np.uint8)
            tile.l1.write_bytes(placed.address, data)
        for address, table in ((self.feed_at, self.feed), (self.drain_at, self.drain)):
            tile.l1.write_bytes(address, table.view(np.uint8))
        tile.launch(self.rows, self.args["compute"])  # a program that `tessera kernel` did not build reads these on all cores
        for role, core in _ROLES.items():
            tile.launch_args(core, self.args[role])
        tile.start()

    def results(self, tile: Tile) -> dict[Key, npt.NDArray[Any]]:
        """The outputs."""
        found = {}
        for key in self.outputs:
            p = self.placed[key]
            found[key] = formats.from_tiles(tile.l1.bytes_at(p.address, p.length), (p.shape[0], p.shape[1]), p.format)
        return found


class Run:
    """A kernel's run: its outputs, its tile, its report."""

    def __init__(self, kernel: Kernel, tile: Tile, stop: Stop, outputs: dict[Key, npt.NDArray[Any]]) -> None:
        self.kernel, self.tile, self.stop, self.outputs = kernel, tile, stop, outputs

    def __repr__(self) -> str:
        return f"<Run of {self.kernel.name}: {self.stop}>"

    def __getitem__(self, key: Key) -> npt.NDArray[Any]:
        if not isinstance(key, (int, str)) or key not in self.outputs:
            raise InvalidError(f"the run has no output {_args.shown(key)} ({', '.join(map(str, self.outputs)) or 'none'})")
        return self.outputs[key]

    @property
    def output(self) -> npt.NDArray[Any]:
        """The only output."""
        if len(self.outputs) != 1:
            raise InvalidError(f"the run has {len(self.outputs)} outputs: name one")
        return next(iter(self.outputs.values()))

    @property
    def cycles(self) -> int:
        """Cycles of the run."""
        return self.tile.cycle

    @property
    def findings(self) -> list[Finding]:
        """What was found."""
        return self.tile.findings

    def report(self) -> Report:
        """The report, as the command prints it; in a notebook, tables."""
        return self.tile.report(self.kernel.name)

    def why(self) -> str:
        """Why the run took as long as it did. InvalidError without account=True."""
        return self.tile.why()

    @checked
    def profile(self, path: str | os.PathLike[str]) -> None:
        """Cycles by source line: .json speedscope, .info LCOV, .out callgrind (or callgrind.out.N). InvalidError without account=True."""
        name = os.fspath(path)
        format = "speedscope" if name.endswith(".json") else "lcov" if name.endswith(".info") else "callgrind"
        content = self.tile.profile(format)
        if format == "callgrind" and not name.endswith((".out", ".callgrind")) and "callgrind.out" not in os.path.basename(name):
            raise InvalidError(f"{name}: a profile ends in .json (speedscope), .info (LCOV), .out or .callgrind")
        _args.write_file(name, content, "Run.profile: path")

    def check(self) -> None:
        """Raises what went wrong: FaultError, HangError, FindingError, LimitError, as the command's exit code has it."""
        __tracebackhide__ = True
        code, tile = self.tile.exit_code, self.tile
        if code == 0:
            return
        error: FaultError | HangError | FindingError | LimitError
        if code == 3:
            error = FaultError(tile.explain(), tile.fault)
        elif code == 4:
            error = HangError(tile.explain(), tile.hang)
        elif code == 5:
            least = ("warning", "error") if tile.stop.reason == "finding" else ("error",)
            found = [finding for finding in tile.findings if finding.severity in least]
            error = FindingError("\n".join(map(str, found)), found)
        else:
            error = LimitError(f"limit after {tile.cycle} cycles")
        error.run = self
        raise error
