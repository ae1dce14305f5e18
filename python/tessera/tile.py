"""One Tensix tile: load, run, stop, look, save.

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
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, formats
from ._lib import at_exit, grown, lib, refuse, text
from .errors import FaultError, FindingError, HangError, InvalidError, LimitError
from .memory import Memory
from .report import Report

if TYPE_CHECKING:
    import numpy.typing as npt

    from .explore import Exploration
    from .findings import Fault, Finding, Hang

__all__ = ["Tile", "Stop", "Event", "Place", "FOREVER", "CORES", "EVENTS"]

FOREVER: int = _abi.FOREVER
L1_BYTES: int = _abi.L1_BYTES
CORES: list[str] = [text(lib.tessera_core_name(i)) for i in range(_abi.CORES)]
EVENTS: list[str] = [text(lib.tessera_event_name(i)) for i in range(_abi.EVENT_KINDS)]
_FILES: list[str] = [text(lib.tessera_file_name(i)) for i in range(_abi.FILES)]
_COUNTERS: list[str] = [text(lib.tessera_counter_name(i)) for i in range(_abi.COUNTERS)]
_OPTIONS = {"strict": _abi.OPTION_STRICT, "quiet": _abi.OPTION_QUIET, "verbose": _abi.OPTION_VERBOSE, "scalar": _abi.OPTION_SCALAR,
            "account": _abi.OPTION_ACCOUNT}
_TRACES = {"text": _abi.TRACE_TEXT, "perfetto": _abi.TRACE_PERFETTO, "chrome": _abi.TRACE_CHROME, "kanata": _abi.TRACE_KANATA,
           "vcd": _abi.TRACE_VCD, "compact": _abi.TRACE_COMPACT}
_TRACE_ENDINGS = {".pftrace": "perfetto", ".perfetto-trace": "perfetto", ".json": "chrome", ".kanata": "kanata", ".vcd": "vcd"}
_PROFILES = {"callgrind": 0, "speedscope": 1, "lcov": 2}

_HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_abi.Event))
_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


def timing_number(timing: str) -> int:
    """"cycle": instructions take their time; "off": one cycle each."""
    if timing not in ("cycle", "off"):
        raise InvalidError(f"timing is off or cycle, not '{timing}'")
    return _abi.TIMING_CYCLE if timing == "cycle" else _abi.TIMING_OFF


def core_number(core: str | int) -> int:
    """The number of a core, by its name in any case."""
    number = core if isinstance(core, int) else lib.tessera_core_number(core.encode())
    if not 0 <= number < _abi.CORES:
        raise InvalidError(f"no core '{core}' (brisc, ncrisc, trisc0, trisc1, trisc2)")
    return int(number)


def check_mask(check: str | None) -> int:
    """Checkers by their letters: "a,b,c,d,e", "all", "none", None is what `tessera run` has."""
    if check is None:
        return _abi.CHECK_DEFAULT
    if check in ("all", "none", ""):
        return _abi.CHECK_ALL if check == "all" else 0
    letters = check.split(",")
    if any(letter not in tuple("abcdef") for letter in letters):
        raise InvalidError(f"--check takes letters of a to f with commas, all or none, not '{check}'")
    return sum(1 << "abcdef".index(letter) for letter in set(letters))


@dataclass(frozen=True)
class Stop:
    """Why a run stopped."""

    reason: str  #: "done", "limit", "condition", "breakpoint", "watchpoint", "step", "request", "hang", "finding", "fault"
    cycle: int
    number: int  #: of the condition, breakpoint or watchpoint; -1
    core: str | None
    pc: int
    address: int
    place: str  #: "main+0x14 (kernel.c:31)" or ""

    def __str__(self) -> str:
        if self.reason == "done":
            return f"done after {self.cycle} cycles"
        at = f": {self.core} at {self.place or hex(self.pc)}" if self.core else ""
        return f"stopped by {self.reason} after {self.cycle} cycles{at}"


@dataclass(frozen=True)
class Place:
    """What lies at an address of a core's program."""

    function: str
    offset: int
    file: str
    line: int


@dataclass(frozen=True)
class Event:
    """Something that happened in a run; docs/reference/trace-schema.md has the meaning of a, b and c for each kind."""

    cycle: int
    kind: str
    who: str
    a: int
    b: int
    c: int
    text: str = ""


def _destroy(handle: int) -> None:
    if not at_exit():
        lib.tessera_tile_destroy(handle)


class Tile:
    """A Blackhole Tensix tile: five RISC-V cores, the coprocessor, 1.5 MiB of L1.

    check names checkers by letter ("a,b,c,d,e", "all"); the default is none, as in the C API. account=True accounts for every cycle.
    """

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
        for name, number in (params or {}).items():
            self.set_param(name, number)
        if check != "none":
            self._set_check(check)
        if account:
            self.set_option("account", 1)

    def _setup(self, handle: int, owner: object = None) -> None:
        self._handle: int = handle
        self._owner = owner  # a chip that the tile belongs to
        self._callbacks: dict[int, Any] = {}
        self._raised: BaseException | None = None  # by a hook

    @property
    def l1(self) -> Memory:
        """L1, and the registers that the network sees above it."""
        return Memory("L1", L1_BYTES, lambda a, p, n: int(lib.tessera_tile_read(self._handle, a, p, n)),
                      lambda a, p, n: int(lib.tessera_tile_write(self._handle, a, p, n)),
                      lambda: text(lib.tessera_tile_error(self._handle)))

    @property
    def dst(self) -> Dst:
        """Dst as arrays."""
        return Dst(self)

    @classmethod
    def _of_chip(cls, handle: int, chip: object) -> Tile:
        tile = cls.__new__(cls)
        tile._setup(handle, chip)
        return tile

    def __enter__(self) -> Tile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Gives the memory back; the tile is not usable any more."""
        finalizer = getattr(self, "_finalizer", None)
        if finalizer:
            finalizer()
        self._handle = 0

    def __repr__(self) -> str:
        return f"<Tile at cycle {self.cycle}>" if self._handle else "<Tile, closed>"

    def _ok(self, result: int) -> None:
        if result == _abi.FAULT:
            raise FaultError(self.explain(), self.fault)
        if result != _abi.OK:
            raise refuse(result, text(lib.tessera_tile_error(self._handle)))

    # --- settings ---

    def reset(self, timing: str = "cycle") -> None:
        """As new: programs, options, parameters, breakpoints and hooks are gone."""
        self._ok(lib.tessera_tile_reset(self._handle, timing_number(timing)))
        self._callbacks.clear()

    def set_option(self, name: str, value: int) -> None:
        """strict, quiet, verbose, scalar, account."""
        if name not in _OPTIONS:
            raise InvalidError(f"no option '{name}' ({', '.join(_OPTIONS)})")
        self._ok(lib.tessera_tile_set_option(self._handle, _OPTIONS[name], value))

    def _set_check(self, check: str) -> None:
        self._ok(lib.tessera_tile_set_option(self._handle, _abi.OPTION_CHECK, check_mask(check)))

    def set_param(self, name: str, value: int) -> None:
        """A parameter of the model; params() lists them."""
        self._ok(lib.tessera_tile_set_param(self._handle, name.encode(), value))

    def param(self, name: str) -> int:
        """The value of a parameter."""
        value = ctypes.c_uint32()
        self._ok(lib.tessera_tile_param(self._handle, name.encode(), ctypes.byref(value)))
        return value.value

    # --- programs ---

    def load_elf(self, core: str | int, file: str | os.PathLike[str] | bytes) -> None:
        """Loads a RISC-V executable for a core (a path, or its bytes) and sets its reset vector."""
        if isinstance(file, bytes):
            content, name = file, ""
        else:
            name = os.fspath(file) + ": "
            with open(file, "rb") as stream:
                content = stream.read()
        result = lib.tessera_tile_load_elf(self._handle, core_number(core), content, len(content))
        if result != _abi.OK:
            raise refuse(result, name + text(lib.tessera_tile_error(self._handle)))

    @property
    def load_notes(self) -> str:
        """What is doubtful about the executables: segments of two cores in one place."""
        return text(lib.tessera_tile_load_notes(self._handle))

    def load_asm(self, source: str, name: str = "program.tta") -> None:
        """Assembles a program (docs/reference/assembler.md) and queues it for the threads."""
        from .isa import Assembly

        program = Assembly(source, name)
        self._ok(lib.tessera_tile_load_asm(self._handle, program.handle))

    def push(self, thread: int, words: Iterable[int]) -> None:
        """Instruction words for a thread, pushed by a stand-in for its core."""
        array = np.fromiter(words, dtype=np.uint32)
        self._ok(lib.tessera_tile_push(self._handle, thread, array.ctypes.data, array.size))

    def set_reset_pc(self, core: str | int, pc: int) -> None:
        """Where the core starts, instead of at its executable's entry point."""
        self._ok(lib.tessera_tile_set_reset_pc(self._handle, core_number(core), pc))

    def start(self, cores: Iterable[str | int] | None = None) -> None:
        """Releases cores from reset; all five by default."""
        mask = (1 << _abi.CORES) - 1 if cores is None else sum(1 << n for n in {core_number(core) for core in cores})
        self._ok(lib.tessera_tile_start(self._handle, mask))

    # --- running ---

    def run(self, cycles: int = FOREVER, *, check: bool = True) -> Stop:
        """Runs for at most so many more cycles. With check, a fault, a hang and a finding of a strict tile are exceptions."""
        if cycles < 0:
            raise InvalidError(f"a number of cycles is at least 0, not {cycles}")
        result = lib.tessera_tile_run(self._handle, min(cycles, FOREVER))
        if result in (_abi.INVALID, _abi.REFUSED, _abi.NO_MEMORY):
            raise refuse(result, text(lib.tessera_tile_error(self._handle)))
        return self._stopped(check)

    def _stopped(self, check: bool) -> Stop:
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

    def run_until(self, address: int, value: int, mask: int = 0xFFFFFFFF, cycles: int = FOREVER) -> Stop:
        """Runs until (word & mask) == value. LimitError: it was not within so many cycles."""
        number = self.until(address, value, mask)
        try:
            stop = self.run(cycles)
        finally:
            lib.tessera_tile_unwatch(self._handle, number)
        if stop.reason == "limit":
            raise LimitError(f"limit after {stop.cycle} cycles")
        return stop

    def step(self, core: str | int, count: int = 1, cycles: int = 1_000_000) -> Stop:
        """Runs the whole tile until this core has executed so many more instructions."""
        stop = self.stop
        for _ in range(count):
            result = lib.tessera_tile_step(self._handle, core_number(core), cycles)
            if result == _abi.INVALID:
                raise refuse(result, text(lib.tessera_tile_error(self._handle)))
            stop = self._stopped(True)
            if stop.reason != "step":
                break
        return stop

    @property
    def stop(self) -> Stop:
        """Why the last run stopped."""
        info = _abi.StopInfo()
        lib.tessera_tile_stop_info(self._handle, ctypes.byref(info))
        core = CORES[info.core] if info.core >= 0 else None
        place = self.place_text(info.core, info.pc) if core else ""
        return Stop(text(lib.tessera_stop_name(info.reason)), info.cycle, info.number, core, info.pc, info.address, place)

    @property
    def cycle(self) -> int:
        """The tile's time."""
        return int(lib.tessera_tile_cycle(self._handle))

    # --- where to stop ---

    def _numbered(self, call: Callable[..., int], *arguments: Any) -> int:
        number = ctypes.c_int(-1)
        self._ok(call(self._handle, *arguments, ctypes.byref(number)))
        return number.value

    def until(self, address: int, value: int, mask: int = 0xFFFFFFFF) -> int:
        """A condition: runs stop when (word & mask) == value. Returns its number."""
        return self._numbered(lib.tessera_tile_until, address, mask, value)

    def until_all(self, words: Sequence[tuple[int, int, int]]) -> int:
        """Up to four words (address, mask, value) that have their values at the same time."""
        array = (_abi.Word * len(words))(*[_abi.Word(*word) for word in words])
        return self._numbered(lib.tessera_tile_until_all, array, len(words))

    def until_cycle(self, cycle: int) -> int:
        """A condition: this cycle."""
        return self._numbered(lib.tessera_tile_until_cycle, cycle)

    def watch(self, address: int, length: int = 4) -> int:
        """Runs stop after every write to the range."""
        return self._numbered(lib.tessera_tile_watch, address, length)

    def unwatch(self, number: int = -1) -> None:
        """Removes a condition or watchpoint; -1: all of them."""
        self._ok(lib.tessera_tile_unwatch(self._handle, number))

    def breakpoint(self, core: str | int, place: str | int) -> int:
        """Stops a core in front of an instruction: an address, or a symbol of its executable. Returns its number."""
        pc = self.symbol(core, place) if isinstance(place, str) else place
        return self._numbered(lib.tessera_tile_break, core_number(core), pc)

    def unbreak(self, number: int = -1) -> None:
        """Removes a breakpoint; -1: all of them."""
        self._ok(lib.tessera_tile_unbreak(self._handle, number))

    def symbol(self, core: str | int, name: str) -> int:
        """The address of a symbol of the core's executable."""
        address = ctypes.c_uint32()
        if lib.tessera_tile_symbol(self._handle, core_number(core), name.encode(), ctypes.byref(address)) != _abi.OK:
            raise InvalidError(text(lib.tessera_tile_error(self._handle)) or f"no symbol '{name}'")
        return address.value

    def place(self, core: str | int, pc: int) -> Place | None:
        """What lies at pc in the core's program."""
        found = _abi.Place()
        if lib.tessera_tile_place(self._handle, core_number(core), pc, ctypes.byref(found)) != _abi.OK:
            return None
        return Place(text(found.function), found.offset, text(found.file), found.line)

    def place_text(self, core: str | int, pc: int) -> str:
        """"main+0x14 (kernel.c:31)" or ""."""
        return grown(lib.tessera_tile_place_text, self._handle, core_number(core), pc)

    # --- events ---

    def hook(self, call: Callable[[Event], object], kinds: Iterable[str], *, texts: bool = False) -> int:
        """Calls a function for every event of these kinds (EVENTS); returns a number for unhook. A hook reads the tile, it does not change or
        run it; request_stop is the exception. An exception in a hook stops the run and is raised by run()."""
        mask = 0
        for kind in [kinds] if isinstance(kinds, str) else kinds:
            if kind not in EVENTS:
                raise InvalidError(f"no event '{kind}' ({', '.join(EVENTS)})")
            mask |= 1 << EVENTS.index(kind)

        def called(_: Any, pointer: Any) -> None:
            if self._raised is not None:
                return
            e = pointer.contents
            line = grown(lib.tessera_trace_text, self._handle, pointer) if texts else ""
            try:
                call(Event(e.cycle, EVENTS[e.kind], text(lib.tessera_agent_name(e.agent)), e.a, e.b, e.c, line))
            except BaseException as error:  # C cannot pass it on: the run ends, and run() raises it
                self._raised = error
                lib.tessera_tile_request_stop(self._handle)

        callback = _HOOK(called)
        number = self._numbered(lib.tessera_tile_hook, mask, callback, None)
        self._callbacks[number] = callback
        return number

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
        """Writes a trace while the block runs the tile: .pftrace Perfetto, .json Chrome, .kanata Konata, .vcd waves, else text."""
        name = os.fspath(path)
        wanted = format or next((f for end, f in _TRACE_ENDINGS.items() if name.endswith(end)), "text")
        if wanted not in _TRACES:
            raise InvalidError(f"--trace-format takes text, perfetto, chrome, kanata, vcd or compact, not '{wanted}'")
        mask = sum(1 << n for n in {core_number(core) for core in cores})
        options = _abi.TraceOptions(format=_TRACES[wanted], to=stop, cores=mask)
        setattr(options, "from", start)
        with open(name, "wb") as file:
            write = _WRITE(lambda _, data, size: 0 if file.write(ctypes.string_at(data, size)) == size else 1)
            self._ok(lib.tessera_tile_trace(self._handle, ctypes.byref(options), write, None))
            try:
                yield
            finally:
                self._ok(lib.tessera_tile_trace_end(self._handle))

    # --- what went wrong, what it took ---

    @property
    def fault(self) -> Fault | None:
        """The first fault, or the kernel's check that failed."""
        from .findings import read_fault  # loaded at its first use

        found = _abi.Fault()
        if not lib.tessera_tile_fault(self._handle, ctypes.byref(found)):
            return None
        return read_fault(found, self.explain())

    @property
    def hang(self) -> Hang | None:
        """The hang that the last run ended in."""
        from .findings import read_hang

        return read_hang(self._handle, lib.tessera_tile_hang, lib.tessera_tile_waiter, self.explain(), CORES)

    @property
    def findings(self) -> list[Finding]:
        """What was found so far, in the order of time."""
        count = lib.tessera_tile_finding_count(self._handle)
        if not count:
            return []
        import json  # 3 ms that most programs do not need

        places = json.loads(text(lib.tessera_tile_report(self._handle, _abi.REPORT_JSON)))["findings"]
        return [self._finding(index, places[index]) for index in range(count)]

    def _finding(self, index: int, more: dict[str, Any]) -> Finding:
        from .findings import Finding, source_of

        f = _abi.Finding()
        self._ok(lib.tessera_tile_finding(self._handle, index, ctypes.byref(f)))
        words = grown(lib.tessera_tile_finding_text, self._handle, index).rstrip("\n")
        other = more.get("other") or {}
        return Finding(
            text(f.id), text(lib.tessera_severity_name(f.severity)), CORES[f.core] if f.core >= 0 else None, text(f.who), text(f.what),
            text(f.why), text(f.document), f.first_cycle, f.count, f.pc, f.word, source_of(more.get("place")),
            source_of(other.get("place")), words)

    def explain(self) -> str:
        """Lines about the last fault or hang, as the command prints them; "" when there is none."""
        return text(lib.tessera_tile_explain(self._handle)).rstrip("\n")

    def where(self) -> str:
        """Where every core and thread stands in its source, and what it waits for."""
        return text(lib.tessera_tile_where(self._handle))

    @property
    def exit_code(self) -> int:
        """The command's exit code for the run so far."""
        return int(lib.tessera_tile_exit_code(self._handle))

    def report(self, title: str = "") -> Report:
        """The report of the run so far."""
        import json

        words, data, sarif = (text(lib.tessera_tile_report(self._handle, i)) for i in range(3))
        return Report(words, json.loads(data), sarif, self.why(), title)

    def why(self) -> str:
        """Why the run took as long as it did. "" without account=True."""
        return text(lib.tessera_tile_why(self._handle))

    def profile(self, format: str = "callgrind") -> str:
        """Cycles by source line: callgrind, speedscope, lcov. "" without account=True."""
        if format not in _PROFILES:
            raise InvalidError(f"no profile '{format}' ({', '.join(_PROFILES)})")
        return text(lib.tessera_tile_profile(self._handle, _PROFILES[format]))

    def account(self) -> dict[str, dict[str, int]]:
        """Cycles of each core, thread and unit by category; each sums to the cycles of the run. {} without account=True."""
        names = [text(lib.tessera_category_name(i)) for i in range(lib.tessera_category_count())]
        groups: list[tuple[int, int, Callable[[int], bytes]]] = [
            (_abi.OF_CORE, _abi.CORES, lib.tessera_core_name), (_abi.OF_THREAD, 3, lib.tessera_thread_name),
            (_abi.OF_UNIT, 16, lib.tessera_unit_name)]
        result = {}
        for of, count, name in groups:
            for index in range(count):
                row = self._account_row(of, index, names)
                if row:
                    result[text(name(index))] = row
        return result

    def _account_row(self, of: int, index: int, names: list[str]) -> dict[str, int]:
        value, row = ctypes.c_uint64(), {}
        for category, name in enumerate(names):
            if lib.tessera_tile_account(self._handle, of, index, category, ctypes.byref(value)) == _abi.OK and value.value:
                row[name] = value.value
        return row

    # --- registers and counters ---

    def registers(self, file: str, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint32]:
        """A register file as (indices, items), as stored: core, gpr, config, dst, srca, lreg, rwc, adc, semaphore, ..."""
        number, indices, items = _shape(file)
        count = indices - first if count is None else count
        if first < 0 or count < 0 or first + count > indices:
            raise InvalidError(f"{file} has {indices} rows: {first} to {first + count} are outside")
        values = np.empty((count, items), dtype=np.uint32)
        self._ok(lib.tessera_tile_registers(self._handle, number, first, count, values.ctypes.data))
        return values

    def set_registers(self, file: str, values: npt.ArrayLike, first: int = 0) -> None:
        """Writes rows of a register file."""
        number, _, items = _shape(file)
        array = np.ascontiguousarray(values, dtype=np.uint32).reshape(-1, items)
        self._ok(lib.tessera_tile_set_registers(self._handle, number, first, len(array), array.ctypes.data))

    def set_register(self, file: str, index: int, item: int, value: int) -> None:
        """Writes one register."""
        self._ok(lib.tessera_tile_set_register(self._handle, _shape(file)[0], index, item, value))

    def pc(self, core: str | int) -> int:
        """The core's program counter."""
        return int(self.registers("core", core_number(core), 1)[0, 64])

    def counter(self, name: str, index: int = 0) -> int:
        """instructions, core_cycles, issued, stalled, unit_accepted, unit_busy, findings."""
        if name not in _COUNTERS:
            raise InvalidError(f"no counter '{name}' ({', '.join(_COUNTERS)})")
        value = ctypes.c_uint64()
        self._ok(lib.tessera_tile_counter(self._handle, _COUNTERS.index(name), index, ctypes.byref(value)))
        return value.value

    # --- the state as a value ---

    def save(self) -> bytes:
        """The whole state but executables, hooks and breakpoints.

        >>> tile = Tile()
        >>> tile.l1[0:4] = b"abcd"
        >>> state = tile.save()
        >>> tile.l1[0:4] = b"wxyz"
        >>> tile.restore(state)
        >>> tile.l1[0:4].tobytes()
        b'abcd'
        """
        size = lib.tessera_tile_state_size(self._handle)
        state = np.empty(size, dtype=np.uint8)
        self._ok(lib.tessera_tile_save(self._handle, state.ctypes.data, size))
        return state.tobytes()

    def restore(self, state: bytes) -> None:
        """Goes back to a saved state. RefusedError: foreign, damaged or of another version; the tile is as before."""
        self._ok(lib.tessera_tile_restore(self._handle, state, len(state)))

    @property
    def hash(self) -> int:
        """A hash of the state."""
        return int(lib.tessera_tile_hash(self._handle))

    # --- kernels of the kernel library ---

    def launch(self, buffers: Mapping[int, tuple[int, int, int, str]], args: Sequence[int] = (), *, launches: int = 1,
               waits: bool = False, dram_banks: int = 0) -> None:
        """Writes the launch block. Buffers: number to (address, bytes of a page, pages, format)."""
        block = _abi.Launch(launches=launches, waits=int(waits), dram_banks=dram_banks)
        for number, (address, page_bytes, pages, format) in buffers.items():
            if not 0 <= number < _abi.LAUNCH_BUFFERS:
                raise InvalidError(f"no circular buffer {number}: there are {_abi.LAUNCH_BUFFERS}")
            block.buffer[number] = _abi.LaunchBuffer(address, page_bytes, pages, formats.named(format).code)
        if len(args) > _abi.LAUNCH_ARGS:
            raise InvalidError(f"{len(args)} arguments: a kernel has at most {_abi.LAUNCH_ARGS}")
        for index, value in enumerate(args):
            block.args[index] = value & 0xFFFFFFFF
        self._ok(lib.tessera_tile_launch(self._handle, ctypes.byref(block)))

    def launch_args(self, core: str | int, args: Sequence[int], first: int = 0) -> None:
        """Behind launch: arguments of the kernel on one core alone (the T cores share a kernel)."""
        words = np.array([value & 0xFFFFFFFF for value in args], dtype=np.uint32)
        if words.size:
            self._ok(lib.tessera_tile_launch_args(self._handle, core_number(core), first, words.ctypes.data, words.size))

    def explore(self, schedules: int = 300, *, seed: int = 1, threads: int = 0, cycles: int = 0,
                ignore: Iterable[tuple[int, int]] = ()) -> Exploration:
        """Runs the loaded and started program under schedules that hardware might run; the tile stays as it is."""
        from .explore import explore

        return explore(self, schedules, seed=seed, threads=threads, cycles=cycles, ignore=ignore)


def _shape(file: str) -> tuple[int, int, int]:
    if file not in _FILES:
        raise InvalidError(f"no register file '{file}' ({', '.join(_FILES)})")
    indices, items = ctypes.c_uint(), ctypes.c_uint()
    lib.tessera_file_shape(_FILES.index(file), ctypes.byref(indices), ctypes.byref(items))
    return _FILES.index(file), indices.value, items.value


class Dst:
    """Dst: 1024 rows of 16 numbers of 16 bits, or 512 of 32 bits. Each read is one copy."""

    def __init__(self, tile: Tile) -> None:
        self._tile = tile

    def _maps(self, tile: Tile) -> tuple[bool, bool]:
        from .isa import config_field

        words = tile.registers("config", 0, 1)[0]
        remap, swizzle = config_field("DEST_ACCESS_CFG_remap_addrs"), config_field("DEST_ACCESS_CFG_swizzle_32b")
        return bool(words[remap.address] >> remap.low_bit & 1), bool(words[swizzle.address] >> swizzle.low_bit & 1)

    def _rows(self, tile: Tile, wide: bool) -> npt.NDArray[np.int64]:
        """Physical rows of the rows of a view. ISA: Dst.md"""
        row: npt.NDArray[np.int64] = np.arange(512 if wide else 1024, dtype=np.int64)
        remap, swizzle = self._maps(tile)
        if remap:
            row = (row & 0x3C7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2)
        if wide and swizzle:
            row = (row & 0x3F3) ^ ((row & 0x18) >> 1) ^ ((row & 4) << 1)
        return (row & 0x1F8) << 1 | row & 0x207 if wide else row

    def array(self, format: str = "bf16") -> npt.NDArray[Any]:
        """All rows: bf16 and fp16 as (1024, 16), fp32, tf32 and int32 as (512, 16)."""
        tile, f = self._tile, formats.named(format)
        bits = tile.registers("dst")
        if f.name in ("bf16", "fp16"):
            return formats.dst16_to_float(bits[self._rows(tile, False)], f)
        if f.name not in ("fp32", "tf32", "int32"):
            raise InvalidError(f"Dst holds bf16, fp16, fp32, tf32 or int32, not {f.name}")
        high = self._rows(tile, True)
        words = formats.dst32_to_bits(bits[high], bits[high + 8])
        return formats._of_sign_magnitude(words, 32) if f.name == "int32" else words.view(np.float32)

    def tile(self, index: int, format: str = "bf16") -> npt.NDArray[Any]:
        """Data tile `index` as a matrix of 32 x 32."""
        rows = self.array(format)
        if not 0 <= index < len(rows) // 64:
            raise InvalidError(f"Dst holds {len(rows) // 64} tiles of {format}: there is no tile {index}")
        return formats.untilize(rows[64 * index : 64 * index + 64], 32, 32)

    @property
    def valid(self) -> npt.NDArray[np.bool_]:
        """Physical rows that are defined."""
        valid: npt.NDArray[np.bool_] = self._tile.registers("dst_valid")[:, 0] != 0
        return valid

    def __repr__(self) -> str:
        return "<Dst: 1024 rows of 16 numbers>"
