"""One Tensix tile: load, run, stop, inspect, save.

>>> import tessera
>>> tile = tessera.Tile()
>>> tile.load_asm('''
... .thread 1
...     ttsetrwc 0, 0, 0, 0, 0, 15
...     ttincrwc 0, 4, 0, 0
... ''')
>>> tile.run().reason
'done'
>>> int(tile.registers("rwc")[1, 4])
4
"""

from __future__ import annotations

import ctypes
import os
import weakref
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, _args, _state, formats
from ._args import checked
from ._lib import at_exit, grown, in_parts, lib, refuse, text
from ._trace import TraceFile
from .dst import Dst
from .errors import Error, FaultError, FindingError, HangError, InvalidError, LimitError, RefusedError
from .errors import hidden as __tracebackhide__
from .names import (CORES, EVENTS, FOREVER, OPTIONS, TRACES, Event, Place, Stop, arguments, check_mask, core_number, cores_mask, file_shape,
                    timing_number, trace_format)
from .tile_view import TileView

if TYPE_CHECKING:
    import numpy.typing as npt

    from .explore import Exploration

__all__ = ["Tile", "Stop", "Event", "Place", "Dst", "FOREVER", "CORES", "EVENTS"]

_HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_abi.Event))


def _destroy(handle: int) -> None:
    if not at_exit():
        lib.tessera_tile_destroy(handle)


class Tile(TileView):
    """A Blackhole Tensix tile: five RISC-V cores, the coprocessor, 1.5 MiB of L1.

    check names checkers by letter ("a,b,c,d,e", "all"); the default is none, as in the C API. account=True accounts for every cycle: why(),
    account() and profile() need it.
    """

    @checked
    def __init__(self, timing: str = "cycle", *, strict: bool = False, check: str = "none", account: bool = False,
                 verbose: bool = False, params: Mapping[str, int] | None = None) -> None:
        handle = lib.tessera_tile_create(timing_number(timing))
        if not handle:
            raise MemoryError("out of memory")
        self._setup(handle)
        self._finalizer = weakref.finalize(self, _destroy, handle)
        for name, value in (("strict", strict), ("verbose", verbose)):
            if value:
                self.set_option(name, 1)
        for name, number in _args.table(params, "Tile: params", "a mapping of names to whole numbers").items():
            self.set_param(name, number)
        if check != "none":
            self._set_check(check)
        if account:
            self.set_option("account", 1)

    @classmethod
    def _of_chip(cls, handle: int, chip: object, place: str, programs: _state.Programs) -> Tile:
        tile = cls.__new__(cls)
        tile._setup(handle, chip)
        tile._place, tile._programs = place, programs
        return tile

    def __enter__(self) -> Tile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Frees the memory; the tile becomes unusable."""
        self._idle("close")
        for number in list(self._callbacks) if self._open else []:  # a tile of a chip stays, without its hooks
            self.unhook(number)
        finalizer = getattr(self, "_finalizer", None)
        if finalizer:
            finalizer()
        self._open = 0

    def __repr__(self) -> str:
        return f"<Tile at cycle {self.cycle}>" if self._open else "<Tile, closed>"

    def _take(self, call: str) -> None:
        """For a kernel. Cores that have stopped do not start again: a second kernel would not run."""
        if self._launched:
            remedy = "a kernel runs once on a tile of a chip; make a new Chip()" if self._owner else "call reset() first, or use a new Tile()"
            raise InvalidError(f"{call}: a kernel was launched on this tile before: {remedy}")
        self._launched = True

    # --- settings ---

    def reset(self, timing: str = "cycle") -> None:
        """Resets the tile and removes programs, options, parameters, breakpoints and hooks."""
        self._idle("reset")
        self._ok(lib.tessera_tile_reset(self._handle, timing_number(timing)))
        self._callbacks.clear()
        self._programs.clear()
        self._launched, self._drained = False, {}

    @checked
    def set_option(self, name: str, value: int) -> None:
        """strict, quiet, verbose, scalar, account."""
        self._idle("set_option")
        if name not in OPTIONS:
            raise InvalidError(f"no option '{name}' ({', '.join(OPTIONS)})")
        self._ok(lib.tessera_tile_set_option(self._handle, OPTIONS[name], value))

    def _set_check(self, check: str) -> None:
        self._idle("set_check")
        self._ok(lib.tessera_tile_set_option(self._handle, _abi.OPTION_CHECK, check_mask(check)))

    @checked
    def set_param(self, name: str, value: int) -> None:
        """A parameter of the model; params() lists them."""
        self._idle("set_param")
        self._ok(lib.tessera_tile_set_param(self._handle, name.encode(), value))

    # --- programs ---

    @checked
    def load_elf(self, core: str | int, file: str | os.PathLike[str] | bytes) -> None:
        """Loads a RISC-V executable for a core (a path, or its bytes) and sets its reset vector."""
        self._idle("load_elf")
        number = core_number(core)
        content, name = (file, "") if isinstance(file, bytes) else (_args.read_file(file, "Tile.load_elf: file"), f"{os.fspath(file)}: ")
        result = lib.tessera_tile_load_elf(self._handle, number, content, len(content))
        if result != _abi.OK:
            raise refuse(result, name + text(lib.tessera_tile_error(self._handle)))
        self._programs[self._place, CORES[number]] = "", content

    @property
    def load_notes(self) -> str:
        """Warnings about the executables: overlapping segments of two cores."""
        return text(lib.tessera_tile_load_notes(self._handle))

    @checked
    def load_asm(self, source: str, name: str = "program.tta") -> None:
        """Assembles a program (docs/reference/assembler.md) and queues it for the threads."""
        from .isa import Assembly

        program = Assembly(source, name)
        self._idle("load_asm")
        self._ok(lib.tessera_tile_load_asm(self._handle, program.handle))
        self._programs[self._place, "asm"] = name, source.encode()

    @checked
    def push(self, thread: int, words: Iterable[int]) -> None:
        """Instruction words for a thread, pushed by a scripted core."""
        self._idle("push")
        array = np.array(_args.integers(words, "Tile.push: words"), dtype=np.uint32)
        self._ok(lib.tessera_tile_push(self._handle, thread, array.ctypes.data, array.size))

    @checked
    def set_reset_pc(self, core: str | int, pc: int) -> None:
        """Sets the address at which the core starts, instead of its executable's entry point."""
        self._idle("set_reset_pc")
        self._ok(lib.tessera_tile_set_reset_pc(self._handle, core_number(core), pc))

    def start(self, cores: Iterable[str | int] | None = None) -> None:
        """Releases cores from reset; all five by default."""
        self._idle("start")
        mask = (1 << _abi.CORES) - 1 if cores is None else cores_mask(cores, "Tile.start: cores")
        self._ok(lib.tessera_tile_start(self._handle, mask))

    # --- running ---

    @checked
    def run(self, cycles: int = FOREVER, *, check: bool = True) -> Stop:
        """Runs for at most `cycles` more cycles. With check, a fault, a hang and a finding of a strict tile are exceptions."""
        __tracebackhide__ = True
        result = self._go("run", lambda part: int(lib.tessera_tile_run(self._handle, part)), min(cycles, FOREVER))
        if result in (_abi.INVALID, _abi.REFUSED, _abi.NO_MEMORY):
            raise refuse(result, text(lib.tessera_tile_error(self._handle)))
        return self._stopped(check)

    def _go(self, name: str, call: Callable[[int], int], cycles: int) -> int:
        if not self._run_lock.acquire(False):
            raise self._runs(name)
        try:
            return in_parts(call, cycles)
        finally:
            self._run_lock.release()

    def _stopped(self, check: bool) -> Stop:
        __tracebackhide__ = True
        if self._raised is not None:
            error, self._raised = self._raised, None
            raise error
        stop = self.stop
        if check and stop.reason == "fault":
            raise FaultError(self.explain(), self.fault)
        if check and stop.reason == "hang":
            raise HangError(self.explain(), self.hang)
        if check and stop.reason == "finding":
            raise FindingError("".join(str(f) for f in self.findings[-1:]).rstrip(), self.findings)
        return stop

    @checked
    def run_until(self, address: int, value: int, mask: int = 0xFFFFFFFF, cycles: int = FOREVER) -> Stop:
        """Runs until (word & mask) == value. LimitError: not within `cycles`."""
        number = self.until(address, value, mask)
        try:
            stop = self.run(cycles)
        finally:
            lib.tessera_tile_unwatch(self._handle, number)
        if stop.reason == "limit":
            raise LimitError(f"limit after {stop.cycle} cycles")
        return stop

    @checked
    def step(self, core: str | int, count: int = 1, cycles: int = 1_000_000) -> Stop:
        """Runs the whole tile until this core has executed `count` more instructions."""
        stop, number = self.stop, core_number(core)
        for _ in range(count):
            result = self._go("step", lambda part: int(lib.tessera_tile_step(self._handle, number, part)), min(cycles, FOREVER))
            if result == _abi.INVALID:
                raise refuse(result, text(lib.tessera_tile_error(self._handle)))
            stop = self._stopped(True)
            if stop.reason != "step":
                break
        return stop

    # --- where to stop ---

    @staticmethod
    def _address(address: int) -> int:
        return _args.integer(address, "a tile's address")

    def _numbered(self, call: Callable[..., int], *arguments: Any) -> int:
        number = ctypes.c_int(-1)
        self._ok(call(self._handle, *arguments, ctypes.byref(number)))
        return number.value

    @checked
    def until(self, address: int, value: int, mask: int = 0xFFFFFFFF) -> int:
        """A condition: runs stop when (word & mask) == value. Returns its number."""
        self._idle("until")
        return self._numbered(lib.tessera_tile_until, self._address(address), mask, value)

    def until_all(self, words: Sequence[tuple[int, int, int]]) -> int:
        """Up to four words (address, mask, value) that have their values at the same time."""
        self._idle("until_all")
        rows = [_args.integers(row, "Tile.until_all: words") for row in _args.items(words, "Tile.until_all: words", "a list of (address, mask, value)")]
        if any(len(row) != 3 for row in rows):
            raise InvalidError(f"Tile.until_all: words is a list of (address, mask, value), not {_args.shown(words)}")
        array = (_abi.Word * max(len(rows), 1))(*[_abi.Word(*row) for row in rows])
        return self._numbered(lib.tessera_tile_until_all, array, len(rows))

    @checked
    def until_cycle(self, cycle: int) -> int:
        """A condition: this cycle."""
        self._idle("until_cycle")
        return self._numbered(lib.tessera_tile_until_cycle, min(cycle, FOREVER))

    @checked
    def watch(self, address: int, length: int = 4) -> int:
        """Runs stop after every write to the range."""
        self._idle("watch")
        if not 0 < length <= 0xFFFFFFFF:
            raise InvalidError(f"Tile.watch: length is a whole number of 1 to 4294967295, not {length}")
        return self._numbered(lib.tessera_tile_watch, self._address(address), length)

    @checked
    def unwatch(self, number: int = -1) -> None:
        """Removes a condition or watchpoint; -1: all of them."""
        self._ok(lib.tessera_tile_unwatch(self._handle, number))

    @checked
    def breakpoint(self, core: str | int, place: str | int) -> int:
        """Stops a core before an instruction: an address, a symbol of its executable ("kernel_main"), or the first instruction of
        a source line ("compute.c:12"). Returns its number."""
        self._idle("breakpoint")
        pc = self._find(core, place) if isinstance(place, str) else _args.integer(place, "Tile.breakpoint: place")
        return self._numbered(lib.tessera_tile_break, core_number(core), pc)

    def _find(self, core: str | int, place: str) -> int:
        file, colon, number = place.rpartition(":")
        return self.line(core, file, int(number)) if colon and file and number.isdecimal() and number.isascii() else self.symbol(core, place)

    @checked
    def unbreak(self, number: int = -1) -> None:
        """Removes a breakpoint; -1: all of them."""
        self._ok(lib.tessera_tile_unbreak(self._handle, number))

    # --- events ---

    @checked
    def hook(self, call: Callable[[Event], object], kinds: Iterable[str], *, texts: bool = False) -> int:
        """Calls a function for every event of these kinds (EVENTS); returns a number for unhook. A hook may read the tile, but not change or
        run it; request_stop is the exception. An exception in a hook stops the run and is raised by run()."""
        mask = 0
        for kind in [kinds] if isinstance(kinds, str) else _args.items(kinds, "Tile.hook: kinds", "a list of names of events"):
            if not isinstance(kind, str) or kind not in EVENTS:
                raise InvalidError(f"no event {_args.shown(kind)} ({', '.join(EVENTS)})")
            mask |= 1 << EVENTS.index(kind)

        def called(_: Any, pointer: Any) -> None:
            if self._raised is not None:
                return
            e = pointer.contents
            line = grown(lib.tessera_trace_text, self._handle, pointer) if texts else ""
            try:
                call(Event(e.cycle, EVENTS[e.kind], text(lib.tessera_agent_name(e.agent)), e.a, e.b, e.c, line))
            except BaseException as error:  # an exception cannot pass through C: the run ends, and run() raises it
                self._raised = error
                lib.tessera_tile_request_stop(self._handle)

        callback = _HOOK(called)
        number = self._numbered(lib.tessera_tile_hook, mask, callback, None)
        self._callbacks[number] = callback
        return number

    @checked
    def unhook(self, number: int) -> None:
        """Removes a hook."""
        self._ok(lib.tessera_tile_unhook(self._handle, number))
        self._callbacks.pop(number, None)

    def request_stop(self) -> None:
        """In a hook: the run ends after this cycle."""
        self._ok(lib.tessera_tile_request_stop(self._handle))

    @contextmanager
    def events(self, *kinds: str, texts: bool = False) -> Iterator[list[Event]]:
        """A list that fills with events while the block runs the tile."""
        found: list[Event] = []
        number = self.hook(found.append, kinds or ("issue",), texts=texts)
        try:
            yield found
        finally:
            self.unhook(number)

    @contextmanager
    def trace(self, path: str | os.PathLike[str], format: str | None = None, *, start: int = 0, stop: int = 0,
              cores: Iterable[str | int] = ()) -> Iterator[None]:
        """Writes a trace while the block runs the tile: .pftrace Perfetto, .json Chrome, .kanata Konata, .vcd waves, .txt text; format names
        one for another extension."""
        name, wanted = trace_format(path, format)
        mask = cores_mask(cores, "Tile.trace: cores")
        start, stop = (_args.integer(v, f"Tile.trace: {n}", 0, (1 << 64) - 1) for v, n in ((start, "start"), (stop, "stop")))
        options = _abi.TraceOptions(format=TRACES[wanted], to=stop, cores=mask)
        setattr(options, "from", start)
        handle = self._handle
        with TraceFile(name, "Tile.trace: path") as file:
            self._ok(lib.tessera_tile_trace(self._handle, ctypes.byref(options), file.write, None))
            try:
                yield
            finally:
                result = lib.tessera_tile_trace_end(handle) if self._open == handle else _abi.OK  # closed: the trace has ended with the tile
            file.check()
            self._ok(result)

    # --- registers ---

    def set_registers(self, file: str, values: npt.ArrayLike, first: int = 0) -> None:
        """Writes rows of a register file."""
        self._idle("set_registers")
        number, _, items = file_shape(file)
        given, first = formats.numbers(values, "Tile.set_registers: values"), _args.integer(first, "Tile.set_registers: first")
        if given.dtype.kind not in "iub" or (given.size and (given.min() < 0 or given.max() > 0xFFFFFFFF)) or given.size % items:
            raise InvalidError(f"Tile.set_registers: values are rows of {items} words of 32 bits without sign, not {_args.shown(values)}")
        array = np.ascontiguousarray(given, dtype=np.uint32).reshape(-1, items)
        self._ok(lib.tessera_tile_set_registers(self._handle, number, first, len(array), array.ctypes.data))

    @checked
    def set_register(self, file: str, index: int, item: int, value: int) -> None:
        """Writes one register."""
        self._idle("set_register")
        self._ok(lib.tessera_tile_set_register(self._handle, file_shape(file)[0], index, item, value))

    # --- the state as a value ---

    def save(self) -> bytes:
        """The whole state, and the programs with their lines and symbols; not settings, hooks and breakpoints. A fresh tile that restores it
        continues like this one, with the same reports.

        >>> tile = Tile()
        >>> tile.l1[0:4] = b"abcd"
        >>> state = tile.save()
        >>> tile.l1[0:4] = b"wxyz"
        >>> tile.restore(state)
        >>> tile.l1[0:4].tobytes()
        b'abcd'
        """
        size = lib.tessera_tile_state_size(self._handle)
        buffer = np.empty(size, dtype=np.uint8)
        self._ok(lib.tessera_tile_save(self._handle, buffer.ctypes.data, size))
        return _state.join(buffer.tobytes(), self._programs)

    @checked
    def restore(self, state: bytes) -> None:
        """Restores a saved state. RefusedError: not a saved state, damaged or of another version; the tile is unchanged."""
        self._idle("restore")
        machine, programs = _state.split(state)
        if programs is not None and programs != self._programs:
            Tile._check_programs(programs)
        self._ok(lib.tessera_tile_restore(self._handle, machine, len(machine)))
        self._launched, self._drained = False, {}
        if programs is None or programs == self._programs:
            return
        for (_, core), (name, content) in programs.items():  # lines and symbols; the state that loading changes is restored afterwards
            self._load_saved(core, name, content)
        self._programs.clear()
        self._programs.update(programs)
        self._ok(lib.tessera_tile_restore(self._handle, machine, len(machine)))

    def _load_saved(self, core: str, name: str, content: bytes) -> None:
        if core == "asm":
            self.load_asm(content.decode(), name)
        else:
            self.load_elf(core, content)

    @classmethod
    def _check_programs(cls, programs: _state.Programs, places: Container[str] = ("",)) -> None:
        """Loads the programs of a saved state into a tile of their own, before anything of the state is taken."""
        with cls("off") as tile:
            for place, core in programs:
                if place not in places or core not in (*CORES, "asm"):
                    raise RefusedError(f"the saved state has a program for '{core}'" + (f" at '{place}'" if place else ""))
            for core, name, content in {(core, *program) for (_, core), program in programs.items()}:
                try:
                    tile._load_saved(core, name, content)
                except (Error, UnicodeDecodeError) as error:
                    raise RefusedError(f"{_state.DAMAGED} ({str(error).partition(chr(10))[0]})") from None

    # --- kernels of the kernel library ---

    @checked
    def launch(self, buffers: Mapping[int, tuple[int, int, int, str]], args: Sequence[int] = (), *, launches: int = 1,
               waits: bool = False, dram_banks: int = 0) -> None:
        """Writes the launch block. Buffers: number to (address, bytes of a page, pages, format)."""
        self._idle("launch")
        block = _abi.Launch(launches=launches, waits=int(waits), dram_banks=dram_banks)
        for number, row in _args.table(buffers, "Tile.launch: buffers", "{number: (address, bytes of a page, pages, format)}").items():
            _args.integer(number, "Tile.launch: a circular buffer's number", 0, _abi.LAUNCH_BUFFERS - 1)
            parts = _args.items(row, f"Tile.launch: buffer {number}", "(address, bytes of a page, pages, format)")
            if len(parts) != 4:
                raise InvalidError(f"Tile.launch: buffer {number} is (address, bytes of a page, pages, format), not {_args.shown(row)}")
            address, page_bytes, pages = _args.integers(parts[:3], f"Tile.launch: buffer {number}")
            block.buffer[number] = _abi.LaunchBuffer(address, page_bytes, pages, formats.named(parts[3]).code)
        for index, value in enumerate(arguments(args, "Tile.launch")):
            block.args[index] = value
        self._ok(lib.tessera_tile_launch(self._handle, ctypes.byref(block)))

    @checked
    def launch_args(self, core: str | int, args: Sequence[int], first: int = 0) -> None:
        """After launch: arguments of the kernel on one core alone (the T cores share a kernel)."""
        self._idle("launch_args")
        number = core_number(core)
        words = np.array(arguments(args, "Tile.launch_args", _abi.LAUNCH_OWN_ARGS), dtype=np.uint32)
        if words.size:
            self._ok(lib.tessera_tile_launch_args(self._handle, number, first, words.ctypes.data, words.size))

    @checked
    def explore(self, schedules: int = 300, *, seed: int = 1, threads: int = 0, cycles: int = 0,
                ignore: Iterable[tuple[int, int]] = ()) -> Exploration:
        """Runs the loaded and started program under schedules that hardware may have; the tile is unchanged."""
        self._idle("explore")
        from .explore import explore

        return explore(self, schedules, seed=seed, threads=threads, cycles=cycles, ignore=ignore)
