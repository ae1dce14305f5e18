"""Kernels: build from files or strings, run on a tile, read the results.

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

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Union

from . import _abi, _args, formats
from ._args import checked
from ._setup import ROLES, Arguments, Heap, Key, Setup, Tensor, pages_of
from .errors import ArgumentTypeError, BuildError, FaultError, FindingError, HangError, InvalidError, LimitError
from .errors import hidden as __tracebackhide__
from .explore import Exploration
from .findings import Finding
from .names import CORES, Stop, trace_format
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from .description import Description
    from .folder import ChipRun

__all__ = ["Kernel", "Run", "Tensor"]

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
_CHECK = "a,b,c,d,e"  # the checkers of `tessera run`
_DST32 = ("fp32", "tf32", "int32", "int8")  # formats that a 16-bit Dst would truncate
_EMPTY = '#include "circular_buffer.h"\nvoid kernel_main(void) {}\n'

Source = Union[str, "os.PathLike[str]"]


def _given(source: Source | None, default: str, role: str) -> tuple[str, str, str]:
    """("text", source, "") or ("path", path as given, resolved path)."""
    if source is None:
        return "text", default, ""
    where = f"Kernel: {role}"
    if not isinstance(source, (str, os.PathLike)):
        raise ArgumentTypeError(f"{where} is a path or the source, not {_args.shown(source)}")
    if isinstance(source, str) and ("\n" in source or "{" in source):
        return "text", _args.text_of(source, where), ""
    path = _args.path_of(source, where)
    if os.path.isdir(path):
        raise BuildError(f"{path}: Is a directory (Kernel.from_directory takes one)")
    if not os.path.isfile(path):
        raise BuildError(f"{path}: No such file or directory")
    return "path", path, os.path.abspath(path)


class Kernel:
    """A program for the five cores: compute (three T cores), reader (NCRISC), writer (BRISC).

    Each is a path or the source itself. Without a reader and writer the kernel gets default ones that push the inputs' tiles to the circular
    buffers 0, 1, ... in order, and pop the outputs' from 16 on.

    Dst holds 16 bits of a number, or 32 bits and half as many tiles (DST_ACCUM_MODE). A kernel whose tensors are fp32, tf32, int32 or int8 is
    built for 32 bits, others for 16; ``defines={"DST_ACCUM_MODE": 0}`` or 1, or the name in the compute source, overrides this choice. SrcA and SrcB
    hold TF32 at most: ``defines={"UNPACK_TO_DST": 1}`` lets copies of fp32 keep all their bits.
    """

    @checked
    def __init__(self, compute: Source | None = None, reader: Source | None = None, writer: Source | None = None, *,
                 defines: Mapping[str, object] | None = None, flags: Sequence[str] = (), name: str = "kernel") -> None:
        self.name = name
        given = _args.table(defines, "Kernel: defines", "a mapping of names to values")
        more = _args.items(flags, "Kernel: flags", "a list of texts")
        for key, value in given.items():
            if not re.fullmatch(r"[A-Za-z_]\w*(\(.*\))?", _args.text_of(key, "Kernel: a name in defines"), re.ASCII):
                raise InvalidError(f"'{key}' cannot be defined as a macro")
            _args.text_of(_args.printed(value), f"Kernel: defines: the value of {key}")
        for flag in more:
            _args.text_of(flag, "Kernel: a flag")
        self._own_reader, self._own_writer = reader is None, writer is None
        self._sources = {"compute": _given(compute, _EMPTY, "compute"), "reader": _given(reader, FEED, "reader"),
                         "writer": _given(writer, DRAIN, "writer")}
        self._flags = [f"-D{key}={_args.printed(value)}" for key, value in given.items()] + more
        self._elfs: dict[str, bytes] | None = None  # of from_elfs
        self._built: dict[str, dict[str, bytes]] = {}  # the last build and its inputs
        self.description: Description | None = None  #: kernel.chip of from_directory

    @classmethod
    def from_directory(cls, directory: str | os.PathLike[str], **more: Any) -> Kernel:
        """A folder with compute.c, reader.c and writer.c (or .cpp); missing ones are replaced by the package's own.

        With kernel.chip in it, run_on_chip() does what `tessera kernel run` does; a kernel that is missing then does nothing.
        """
        top = _args.path_of(directory, "Kernel.from_directory: directory")
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
        from .description import Description

        description = Description(path)
        sources: dict[str, Any] = dict(description.sources(_EMPTY))
        kernel = cls(**sources, name=os.path.basename(os.path.abspath(description.folder)), **more)
        kernel.description = description
        return kernel

    @classmethod
    def from_elfs(cls, directory: str | os.PathLike[str]) -> Kernel:
        """Existing executables: brisc.elf, ncrisc.elf, trisc0.elf, trisc1.elf, trisc2.elf."""
        top = _args.path_of(directory, "Kernel.from_elfs: directory")
        kernel = cls(reader=_EMPTY, writer=_EMPTY, name=os.path.basename(os.path.abspath(top)))
        elfs = {}
        for core in CORES:
            path = os.path.join(top, core.lower() + ".elf")
            try:
                with open(path, "rb") as file:
                    elfs[core.lower()] = _args.read_bounded(file, path, _args.PROGRAM_BYTES, BuildError)
            except OSError as error:
                raise BuildError(f"{path}: {error.strerror}") from None
        kernel._elfs = elfs
        return kernel

    def __repr__(self) -> str:
        return f"<Kernel {self.name}>"

    @checked
    def build(self, format: str = "bf16") -> dict[str, bytes]:
        """Executables of the cores, for tensors of this format. Builds are cached (TESSERA_CACHE) until a source or a header changes.
        BuildError has the compiler's message."""
        __tracebackhide__ = True
        return self._build([format])

    def _build(self, used: Iterable[str], many: Mapping[str, int] | None = None) -> dict[str, bytes]:
        """For tensors and buffers of these formats; many: the number of arguments of kernels with more than 32, which lie elsewhere."""
        __tracebackhide__ = True
        if self._elfs is not None:
            return self._elfs
        wide = any(formats.named(name).name in _DST32 for name in used) and not self._chooses_dst()
        from .build import build_key, compile_kernel

        flags = [*self._flags, "-DDST_ACCUM_MODE=1"] if wide else self._flags
        own = self._own_flags()
        for role, count in (many or {}).items():
            own[role] = [*own.get(role, ()), f"-DKERNEL_ARG_COUNT={count}", f"-DKERNEL_COMMON_ARG_COUNT={_abi.LAUNCH_ARGS}"]
        key = build_key(self._sources, flags, own)
        if key not in self._built:
            self._built = {key: compile_kernel(key, self._sources, flags, own)}
        return self._built[key]

    def _own_flags(self) -> dict[str, list[str]]:
        """The compiler flags of the description for each role."""
        if self.description is None:
            return {}
        from .chip_tensor import names_of, page_bytes_of

        d = self.description
        return d.flags(self._flags, lambda s: page_bytes_of(d, s), names_of(d))

    def _chooses_dst(self) -> bool:
        """The width of Dst is the kernel's own choice: in its flags, its description or its source."""
        kind, source, path = self._sources["compute"]
        if any("DST_ACCUM_MODE" in flag for flag in self._flags) or self.description is not None:
            return True
        if kind == "text":
            return "DST_ACCUM_MODE" in source
        return b"DST_ACCUM_MODE" in _args.read_file(path, "Kernel: compute", _args.TEXT_BYTES)

    # --- running ---

    @checked
    def run(self, inputs: Mapping[Key, Any] | Sequence[Any] = (), outputs: Mapping[Key, tuple[int, ...]] | tuple[int, ...] | None = None,
            args: Arguments = (), *, format: str = "bf16", formats: Mapping[Key, str] | None = None,
            buffers: Mapping[int, int | tuple[int, str]] | None = None, feed: Iterable[tuple[int, ...]] | None = None,
            drain: Iterable[tuple[int, ...]] | None = None, timing: str | None = None, check: str | None = None, account: bool | None = None,
            strict: bool | None = None, cycles: int = 1_000_000_000, trace: str | os.PathLike[str] | None = None, raises: bool = True,
            tile: Tile | None = None) -> Run:
        """Runs the kernel once on a tile.

        inputs    arrays for the circular buffers 0, 1, ...; or {buffer: array} and {name: array}: a name's address is an argument
        outputs   the shape of buffer 16's output; or {buffer: shape}, {name: shape}
        args      numbers, and names of tensors for their addresses; or one list per kernel: {"reader": [...], "compute": [...], "writer": [...]}
        format    of all tensors and buffers; formats has exceptions by buffer or name. fp32, tf32, int32, int8: Dst has 32 bits
        buffers   {buffer: pages} or {buffer: (pages, format)}, for buffers between kernels and other depths than 2
        feed      the order of the reader: (buffer, tile) or (buffer, first tile, tiles); drain: of the writer
        timing    "cycle" or "off"; check: checkers by letter, those of `tessera run` unless given
        account   accounts for every cycle: the report shows the categories and why() what bounds the run; profile() needs it
        cycles    the most cycles of the run; LimitError after them
        trace     a file: .pftrace Perfetto, .json Chrome, .kanata Konata, .vcd waves, .txt text
        raises    False: a fault, hang or finding is in the result instead of an exception
        tile      the caller's tile, with its own timing, checkers and account; no kernel has run on it since it was created or reset
        """
        __tracebackhide__ = True
        if self.description and inputs == () and outputs is None and args == () and buffers is None:
            raise InvalidError(f"{self.description.path} describes a run on a chip: run_on_chip() runs it")
        if trace is not None:
            trace_format(trace)
        if tile is not None and not isinstance(tile, Tile):
            raise ArgumentTypeError(f"Kernel.run: tile is a Tile, not {_args.shown(tile)}")
        own = {"timing": timing, "check": check, "account": account, "strict": strict}
        given = [name for name, value in own.items() if value is not None]
        if tile is not None and given:
            raise InvalidError(f"Kernel.run: {given[0]} is the tile's own: give it to Tile()")
        setup = Setup(self, inputs, outputs, args, format, formats, buffers, feed, drain)
        machine = tile if tile is not None else Tile(timing or "cycle", strict=bool(strict), check=_CHECK if check is None else check, account=bool(account))
        machine._take("Kernel.run")
        setup.load(machine)
        if tile is None:
            machine._drain_begin()
        if trace is None:
            stop = self._run(machine, cycles)
        else:
            with machine.trace(trace):
                stop = self._run(machine, cycles)
        run = Run(self, machine, stop, setup.results(machine))
        if raises:
            run.check()
        return run

    @staticmethod
    def _run(machine: Tile, cycles: int) -> Stop:
        """To the end: what stops at a full print buffer continues."""
        __tracebackhide__ = True
        end = machine.cycle + cycles
        stop = machine.run(cycles, check=False)
        while stop.reason == "condition" and machine._drain():
            stop = machine.run(max(end - machine.cycle, 0), check=False)
        return stop

    @checked
    def run_on_chip(self, inputs: Mapping[str, Any] | None = None, *, timing: str | None = None, cycles: int | None = None,
                    check: str = _CHECK, threads: int = 0, raises: bool = True) -> ChipRun:
        """Runs a folder's kernel as its kernel.chip describes it, and checks the expectations.

        inputs    {tensor: array} instead of the description's numbers; expectations from files are then skipped
        """
        from .chip import Chip
        from .folder import ChipRun, _Job

        __tracebackhide__ = True
        if self.description is None:
            raise InvalidError(f"{self.name} has no kernel.chip: run() runs it on a tile")
        d, given = self.description, _args.table(inputs, "Kernel.run_on_chip: inputs", "a mapping of tensors to arrays")
        d.check_product()
        job = _Job(self, d, Chip(d.product, timing or d.timing, threads=threads), given, check)
        run = ChipRun(self, job, cycles if cycles is not None else d.cycles)
        if raises:
            run.check()
        return run

    @checked
    def explore(self, inputs: Mapping[Key, Any] | Sequence[Any] = (), outputs: Mapping[Key, tuple[int, ...]] | tuple[int, ...] | None = None,
                args: Arguments = (), *, schedules: int = 300, seed: int = 1, threads: int = 0, format: str = "bf16",
                formats: Mapping[Key, str] | None = None, buffers: Mapping[int, int | tuple[int, str]] | None = None,
                feed: Iterable[tuple[int, ...]] | None = None, drain: Iterable[tuple[int, ...]] | None = None) -> Exploration:
        """Runs the kernel under schedules that hardware may have: the outputs are the same under all, or it has a race."""
        setup = Setup(self, inputs, outputs, args, format, formats, buffers, feed, drain)
        machine = Tile(check=_CHECK)
        setup.load(machine)
        return machine.explore(schedules, seed=seed, threads=threads)

    @checked
    def load(self, tile: Tile, buffers: Mapping[int, tuple[int, str]], args: Sequence[int] = (), *, dram_banks: int = 0,
             launches: int = 1) -> dict[int, int]:
        """Loads and launches the kernel on a tile (of a chip); buffers: number to (pages, format). Returns the buffers' addresses."""
        if not isinstance(tile, Tile):
            raise ArgumentTypeError(f"Kernel.load: tile is a Tile, not {_args.shown(tile)}")
        tile._take("Kernel.load")
        heap, rows, places = Heap(), {}, {}
        for number, row in _args.table(buffers, "Kernel.load: buffers", "{number: (pages, format)}").items():
            pages, format = pages_of(row, f"Kernel.load: buffer {number}")
            f = formats.named(format)
            places[number] = heap.take(pages * f.bytes_of_tile, f"buffer {number}")
            rows[number] = (places[number], f.bytes_of_tile, pages, f.name)
        for core, elf in self._build(row[3] for row in rows.values()).items():
            tile.load_elf(core, elf)
        tile.launch(rows, args, launches=launches, dram_banks=dram_banks)
        tile.start()
        return places


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

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def printed(self) -> str:
        """What the kernels have printed with DPRINT: one line each, with the core's name in front."""
        return self.tile.printed()

    def why(self) -> str:
        """The reason for the length of the run. InvalidError without account=True."""
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
        """Raises FaultError, HangError, FindingError or LimitError, by the command's exit code."""
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
