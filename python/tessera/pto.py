"""PTO Cube-Vector pipe programs: read, check, run, explore.

>>> from tessera import pto
>>> import numpy as np
>>> program = pto.Program('''
... module attributes {pto.target_arch = "a2a3"} {
...   pto.global @X : tensor<16x16xf32>
...   pto.global @Y : tensor<16x16xf32>
...   func.func @kernel(%X: !pto.ptr<f32>, %Y: !pto.ptr<f32>) attributes {pto.core = "aiv"} {
...     %in = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>
...     %out = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>
...     pto.tload ins(%X : !pto.ptr<f32>) outs(%in : !pto.tile_buf<vec, f32, 16, 16>)
...     pto.trelu ins(%in : !pto.tile_buf<f32, 16, 16>) outs(%out : !pto.tile_buf<f32, 16, 16>)
...     pto.tstore ins(%out : !pto.tile_buf<f32, 16, 16>) outs(%Y : !pto.ptr<f32>)
...     return
...   }
... }''')
>>> x = np.linspace(-1, 1, 256, dtype=np.float32).reshape(16, 16)
>>> bool((program.run({"X": x})["Y"] == np.maximum(x, 0)).all())
True
"""

from __future__ import annotations

import ctypes
import json
import os
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, _args, findings, formats
from ._args import checked
from ._lib import Handle, at_exit, in_thread, lib, text, until_interrupt
from ._trace import TraceFile
from .errors import Error, FaultError, FindingError, HangError, InvalidError, LimitError, RefusedError
from .errors import hidden as __tracebackhide__
from .report import Report

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Program", "Run", "Note", "Exploration", "WorkEvent", "profiles", "policies"]

_ERROR_BYTES = 8192
_LIMIT = 1_000_000_000
_DTYPES: dict[str, Any] = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16, "i32": np.int32, "i16": np.int16, "i8": np.int8,
                           "u32": np.uint32, "u16": np.uint16, "u8": np.uint8}
_CORES = ["AIC", "AIV0", "AIV1"]
_SEVERITIES = ("note", "warning", "error")
_HOOK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.POINTER(_abi.PtoEvent))
_TRACE_ENDINGS = {".pftrace": _abi.PTO_TRACE_PERFETTO, ".json": _abi.PTO_TRACE_CHROME, ".txt": _abi.PTO_TRACE_TEXT,
                  ".trace": _abi.PTO_TRACE_TEXT, ".log": _abi.PTO_TRACE_TEXT}


def _names(call: Callable[[int], bytes]) -> list[str]:
    names: list[str] = []
    while name := text(call(len(names))):
        names.append(name)
    return names


def profiles() -> list[str]:
    """Machines that programs can be written for.

    >>> profiles()
    ['a2a3', 'a5']
    """
    return _names(lib.tessera_pto_profile_name)


def policies() -> list[str]:
    """Credit policies."""
    return _names(lib.tessera_pto_policy_name)


def _policy(name: str | None) -> bytes | None:
    """Checked here: a program of the library keeps its first error."""
    if name and name not in policies():
        raise InvalidError("no such policy")
    return name.encode() if name else None


@dataclass(frozen=True)
class Note:
    """A note, warning or error of check()."""

    severity: str
    rule: str
    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"{self.line}:{self.column}: {self.severity}: {self.text}"


@dataclass(frozen=True)
class Exploration:
    """Schedules of the cores that were run, and the smallest that breaks the program."""

    runs: int
    broken: int
    finding: str
    cycles: int
    schedule: str
    text: str

    @property
    def good(self) -> bool:
        """No schedule breaks it."""
        return self.broken == 0

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class WorkEvent:
    """A pipe of a core did the work of one instruction, or a FIFO's occupancy changed."""

    kind: str  #: "work", "occupancy"
    begin: int
    end: int
    core: str
    unit: str
    operation: str
    line: int
    tile: int
    pipe: str
    direction: str
    slots: int
    block: int = 0


def _trace_format(name: str) -> int:
    for end, format in _TRACE_ENDINGS.items():
        if name.endswith(end):
            return format
    raise InvalidError(f"{name}: a trace ends in {', '.join(_TRACE_ENDINGS)}")


def _destroy(handle: int) -> None:
    if not at_exit():
        lib.tessera_pto_destroy(handle)


def _stop(handle: int, program: object) -> None:
    if not at_exit():
        lib.tessera_pto_stop(handle)


class Program(Handle):
    """A program in PTO IR: its text, or the path of a file. RefusedError has the command's message, with line and caret."""

    @checked
    def __init__(self, source: str | os.PathLike[str], profile: str | None = None, *, name: str | None = None,
                 **settings: int) -> None:
        is_text = isinstance(source, str) and "\n" in source
        self.name = name or ("input" if is_text else os.path.basename(os.fspath(source)))
        if is_text:
            content = _args.text_of(source, "Program: source").encode()
        else:
            content = _args.read_file(source, "Program: source", _args.TEXT_BYTES)
        settings = {key: _args.integer(value, f"Program: {key}", 0, (1 << 64) - 1) for key, value in settings.items()}
        values = (_abi.PtoSetting * max(len(settings), 1))(*[_abi.PtoSetting(k.encode(), v) for k, v in settings.items()])
        described = _abi.PtoSource(name=os.fsencode(name or ("input" if is_text else source)),
                                   text=content, length=len(content), profile=profile.encode() if profile else None,
                                   settings=ctypes.addressof(values), setting_count=len(settings))
        error = ctypes.create_string_buffer(_ERROR_BYTES)
        handle = lib.tessera_pto_parse_source(ctypes.byref(described), error, _ERROR_BYTES)
        if not handle:
            raise RefusedError.of_text(text(error.value).rstrip("\n"))
        self._handle: int = handle
        self._finalizer = weakref.finalize(self, _destroy, handle)

    def __repr__(self) -> str:
        return f"<PTO program {self.name}: {', '.join(self.tensors)}>"

    @property
    def tensors(self) -> dict[str, tuple[str, tuple[int, ...]]]:
        """Names of tensors to their format and shape."""
        found = {}
        for index in range(lib.tessera_pto_tensor_count(self._handle)):
            t = _abi.PtoTensor()
            lib.tessera_pto_tensor(self._handle, index, ctypes.byref(t))
            found[text(t.name)] = (text(lib.tessera_pto_dtype_name(t.dtype)), tuple(t.shape[: t.rank]))
        return found

    @checked
    def check(self, policy: str | None = None) -> list[Note]:
        """Checks the program without running it."""
        name = _policy(policy)
        count = lib.tessera_pto_notes(self._handle, name, None, 0)
        if count < 0:
            raise InvalidError(text(lib.tessera_pto_error(self._handle)))
        notes = (_abi.PtoNote * max(count, 1))()
        lib.tessera_pto_notes(self._handle, name, notes, count)
        return [Note(_SEVERITIES[n.severity], text(n.rule), n.line, n.column, text(n.text)) for n in notes[:count]]

    @checked
    def explore(self, schedules: int = 1000, *, seed: int = 1, policy: str | None = None) -> Exploration:
        """Runs it under schedules of the cores; the smallest that breaks it is explained."""
        options = _abi.PtoExploreOptions(schedules=schedules, seed=seed, policy=_policy(policy))
        found = _abi.PtoExploration()
        if until_interrupt(lambda stop: lib.tessera_pto_explore_until(self._handle, ctypes.byref(options), ctypes.byref(stop), ctypes.byref(found))) < 0:
            raise InvalidError(text(lib.tessera_pto_error(self._handle)))
        name = text(lib.tessera_pto_finding_name(found.kind)) if found.broken else ""
        return Exploration(found.runs, found.broken, name, found.cycles, text(found.schedule), text(found.text).rstrip("\n"))

    @checked
    def run(self, tensors: Mapping[str, npt.ArrayLike] | None = None, *, policy: str | None = None, strict: bool = False,
            cycles: int = _LIMIT, raises: bool = True, hook: Callable[[WorkEvent], object] | None = None,
            trace: str | os.PathLike[str] | None = None) -> Run:
        """Runs it once with these tensors; the others are zero. trace: a file, .pftrace Perfetto, .json Chrome, .txt text. An exception of the
        hook is raised after the run."""
        __tracebackhide__ = True
        given = _args.table(tensors, "Program.run: tensors", "a mapping of names to arrays")
        if trace is not None:
            _trace_format(os.fspath(trace))
        handle = lib.tessera_pto_start(self._handle, _policy(policy))
        if not handle:
            raise InvalidError(text(lib.tessera_pto_error(self._handle)))
        run = Run(self, handle)
        for name, values in given.items():
            run._write(name, formats.numbers(values, f"tensor '{name}'"))
        if strict:
            lib.tessera_pto_set_strict(handle, 1)
        if trace is None:
            run._go(cycles, hook)
        else:
            run._traced(trace, cycles, hook)
        if raises:
            run.check()
        return run


class Run(Handle):
    """A run of a PTO program: its tensors, its report."""

    def __init__(self, program: Program, handle: int) -> None:
        self.program, self._handle = program, handle
        self._finalizer = weakref.finalize(self, _stop, handle, program)

    def __repr__(self) -> str:
        return f"<Run of {self.program.name}: {self.cycles} cycles, exit code {self.exit_code}>"

    def _tensor(self, name: str) -> tuple[int, str, tuple[int, ...]]:
        known = self.program.tensors
        if not isinstance(name, str) or name not in known:
            raise InvalidError(f"no tensor {_args.shown(name)} ({', '.join(known)})")
        return list(known).index(name), *known[name]

    def _write(self, name: str, values: npt.NDArray[Any]) -> None:
        index, dtype, shape = self._tensor(name)
        if values.shape != shape:
            raise InvalidError(f"tensor '{name}' is {_args.shape_text(shape)}, not {_args.shape_text(values.shape)}")
        self._holds(name, dtype, values)
        doubles = np.ascontiguousarray(values, dtype=np.float64)
        if lib.tessera_pto_write(self._handle, index, doubles.ctypes.data, doubles.size) != _abi.PTO_OK:
            raise InvalidError(f"tensor '{name}' cannot be written")

    @staticmethod
    def _holds(name: str, dtype: str, values: npt.NDArray[Any]) -> None:
        """A tensor of integers accepts values in its range."""
        if dtype[0] not in "iu" or not values.size:
            return
        low, high = int(np.iinfo(_DTYPES[dtype]).min), int(np.iinfo(_DTYPES[dtype]).max)
        wide = values if values.dtype.kind in "iub" else values.astype(np.float64)
        wrong = ~((wide >= low) & (wide <= high) & (wide == np.floor(wide)))
        if wrong.any():
            raise InvalidError(f"tensor '{name}': {dtype} holds whole numbers of {low} to {high}, not {wide[wrong].reshape(-1)[0]}")

    def _go(self, cycles: int, hook: Callable[[WorkEvent], object] | None) -> None:
        raised: list[BaseException] = []

        def called(_: Any, pointer: Any) -> None:
            e = pointer.contents
            kind = "work" if e.kind == _abi.PTO_EVENT_WORK else "occupancy"
            if hook is None or raised:
                return
            try:
                hook(WorkEvent(kind, e.begin, e.end, text(lib.tessera_pto_core_name(e.core)), text(lib.tessera_pto_unit_name(e.unit)),
                               text(e.operation), e.line, e.tile, text(e.pipe), text(e.direction), e.slots, e.block))
            except BaseException as error:  # C cannot propagate it
                raised.append(error)
                lib.tessera_pto_request_stop(self._handle)

        callback = _HOOK(called)
        if hook is not None:
            lib.tessera_pto_set_hook(self._handle, callback, None)
            lib.tessera_pto_run(self._handle, min(cycles, _abi.FOREVER))
        else:
            self._wait(min(cycles, _abi.FOREVER))
        lib.tessera_pto_set_hook(self._handle, None, None)
        if raised:
            raise raised[0]

    def _wait(self, cycles: int) -> None:
        in_thread(lambda: lib.tessera_pto_run(self._handle, cycles), lambda: lib.tessera_pto_request_stop(self._handle))

    def _traced(self, path: str | os.PathLike[str], cycles: int, hook: Callable[[WorkEvent], object] | None) -> None:
        name = os.fspath(path)
        format = _trace_format(name)
        with TraceFile(name, "Program.run: trace") as file:
            lib.tessera_pto_trace(self._handle, format, file.write, None)
            try:
                self._go(cycles, hook)
            finally:
                result = lib.tessera_pto_trace_end(self._handle)
            file.check()
            if result != _abi.PTO_OK:
                raise InvalidError(f"{name}: could not be written")

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        """A tensor after the run: one copy; bf16 as float32."""
        index, dtype, shape = self._tensor(name)
        data = np.empty(shape, dtype=_DTYPES[dtype])
        if lib.tessera_pto_read_bytes(self._handle, index, 0, data.ctypes.data, data.nbytes) != _abi.PTO_OK:
            raise InvalidError(f"tensor '{name}' cannot be read")
        return formats.from_bytes(data, "bf16").reshape(shape) if dtype == "bf16" else data

    @property
    def cycles(self) -> int:
        """Cycles of the run."""
        return int(lib.tessera_pto_cycles(self._handle))

    @property
    def hazards(self) -> int:
        """Findings of the run, leaks included."""
        return int(lib.tessera_pto_hazards(self._handle))

    @property
    def exit_code(self) -> int:
        """The command's exit code."""
        return int(lib.tessera_pto_exit_code(self._handle))

    @property
    def hang(self) -> findings.Hang | None:
        """The hang of the run; its waiters are pipes of cores. Of several blocks: that of the first that hangs."""
        return findings.read_hang(self._handle, lib.tessera_pto_hang, lib.tessera_pto_waiter, self.explain(), _CORES, _abi.PTO_OK)

    def explain(self) -> str:
        """Hazards, hang, fault, as the command prints them."""
        return text(lib.tessera_pto_report(self._handle)).rstrip("\n")

    def report(self) -> Report:
        """The whole report of the run."""
        words, data, sarif = (text(lib.tessera_pto_run_report(self._handle, i)) for i in range(3))
        return Report(words, {**json.loads(data), "code": self.exit_code}, sarif, title=self.program.name)

    def _repr_html_(self) -> str:
        return self.report()._repr_html_()

    def check(self) -> None:
        """Raises the exception for the result."""
        __tracebackhide__ = True
        code, words = self.exit_code, self.explain()
        error: Error | None = None
        if code == 3:
            error = FaultError(words)
        elif code == 4:
            error = HangError(words, self.hang)
        elif code == 5:
            error = FindingError(words, [])
        elif code == 6:
            error = LimitError(words or f"limit after {self.cycles} cycles")
        if error is not None:
            raise error
