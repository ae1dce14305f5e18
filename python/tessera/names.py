"""Names of cores, events, options and formats, and result values of runs."""

from __future__ import annotations

import ctypes
import operator
import os
from dataclasses import dataclass

from . import _abi, _args
from ._lib import lib, text
from .errors import ArgumentTypeError, InvalidError
from .errors import hidden as __tracebackhide__

__all__ = ["Stop", "Event", "Place", "FOREVER", "L1_BYTES", "CORES", "EVENTS", "arguments", "check_mask", "core_number", "cores_mask",
           "file_shape", "timing_number", "trace_format"]

FOREVER: int = _abi.FOREVER
L1_BYTES: int = _abi.L1_BYTES
CORES: list[str] = [text(lib.tessera_core_name(i)) for i in range(_abi.CORES)]
EVENTS: list[str] = [text(lib.tessera_event_name(i)) for i in range(_abi.EVENT_KINDS)]
FILES: list[str] = [text(lib.tessera_file_name(i)) for i in range(_abi.FILES)]
COUNTERS: list[str] = [text(lib.tessera_counter_name(i)) for i in range(_abi.COUNTERS)]
OPTIONS = {"strict": _abi.OPTION_STRICT, "quiet": _abi.OPTION_QUIET, "verbose": _abi.OPTION_VERBOSE, "scalar": _abi.OPTION_SCALAR,
            "account": _abi.OPTION_ACCOUNT}
TRACES = {"text": _abi.TRACE_TEXT, "perfetto": _abi.TRACE_PERFETTO, "chrome": _abi.TRACE_CHROME, "kanata": _abi.TRACE_KANATA,
           "vcd": _abi.TRACE_VCD, "compact": _abi.TRACE_COMPACT}
TRACE_ENDINGS = {".txt": "text", ".trace": "text", ".log": "text", ".pftrace": "perfetto", ".perfetto-trace": "perfetto", ".json": "chrome",
                  ".kanata": "kanata", ".vcd": "vcd"}
PROFILES = {"callgrind": 0, "speedscope": 1, "lcov": 2}


def timing_number(timing: str) -> int:
    """"cycle": instructions have their costs; "off": one cycle each."""
    if not isinstance(timing, str) or timing not in ("cycle", "off"):
        raise InvalidError(f"timing is off or cycle, not {_args.shown(timing)}")
    return _abi.TIMING_CYCLE if timing == "cycle" else _abi.TIMING_OFF


def core_number(core: str | int) -> int:
    """The number of a core, by its case-insensitive name."""
    if isinstance(core, str):
        number = lib.tessera_core_number(core.encode("utf-8", "replace")) if "\0" not in core else -1
    else:
        try:
            number = operator.index(core)
        except TypeError:
            raise ArgumentTypeError(f"a core is brisc, ncrisc, trisc0, trisc1 or trisc2, not {_args.shown(core)}") from None
    if not 0 <= number < _abi.CORES:
        raise InvalidError(f"no core '{core}' (brisc, ncrisc, trisc0, trisc1, trisc2)")
    return int(number)


def cores_mask(cores: object, where: str) -> int:
    """Cores as bits: a list of names or numbers, or one name."""
    given = [cores] if isinstance(cores, str) else _args.items(cores, where, "a list of cores")
    mask = 0
    for core in given:
        mask |= 1 << core_number(core)
    return mask


def check_mask(check: str | None) -> int:
    """Checkers by their letters: "a,b,c,d,e", "all", "none", None is the default of `tessera run`."""
    if check is None:
        return _abi.CHECK_DEFAULT
    if not isinstance(check, str):
        raise ArgumentTypeError(f"check is letters of a to f with commas, all or none, not {_args.shown(check)}")
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
    """The function and line of an address of a core's program."""

    function: str
    offset: int
    file: str
    line: int


@dataclass(frozen=True)
class Event:
    """An event of a run; docs/reference/trace-schema.md has the meaning of a, b and c for each kind."""

    cycle: int
    kind: str
    who: str
    a: int
    b: int
    c: int
    text: str = ""


def trace_format(path: str | os.PathLike[str], format: str | None = None) -> tuple[str, str]:
    """A trace's file and format: by its extension, unless named."""
    try:
        name = os.fspath(path)
    except TypeError:
        raise ArgumentTypeError(f"a trace is written to a path, not {_args.shown(path)}") from None
    wanted = format if format is not None else next((f for end, f in TRACE_ENDINGS.items() if str(name).endswith(end)), None)
    if wanted is None:
        raise InvalidError(f"{name}: a trace ends in {', '.join(TRACE_ENDINGS)}, or format= names one of {', '.join(TRACES)}")
    if not isinstance(wanted, str) or wanted not in TRACES:
        raise InvalidError(f"--trace-format takes text, perfetto, chrome, kanata, vcd or compact, not {_args.shown(wanted)}")
    return name, wanted


def arguments(args: object, where: str, most: int = _abi.LAUNCH_ARGS) -> list[int]:
    """Arguments of a kernel: words of 32 bits, exactly."""
    words = [_args.word(value, f"{where}: args[{i}]") for i, value in enumerate(_args.items(args, f"{where}: args", "a list of whole numbers"))]
    if len(words) > most:
        raise InvalidError(f"{len(words)} arguments: a kernel has at most {most}")
    return words


def file_shape(file: str) -> tuple[int, int, int]:
    if not isinstance(file, str) or file not in FILES:
        raise InvalidError(f"no register file {_args.shown(file)} ({', '.join(FILES)})")
    indices, items = ctypes.c_uint(), ctypes.c_uint()
    lib.tessera_file_shape(FILES.index(file), ctypes.byref(indices), ctypes.byref(items))
    return FILES.index(file), indices.value, items.value
