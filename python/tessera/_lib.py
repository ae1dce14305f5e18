"""The library: finding it, calling it, and the meaning of its results."""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, NoReturn

from . import _abi, errors

_HERE = os.path.dirname(os.path.abspath(__file__))
_NAME = "libtessera.so.1"


def candidates() -> list[str]:
    """Possible locations of the library, in order: TESSERA_LIBRARY, the wheel, a source tree, the system."""
    given = os.environ.get("TESSERA_LIBRARY")
    if given:
        return [given]
    top = os.path.dirname(os.path.dirname(_HERE))
    places = [os.path.join(_HERE, "_lib", _NAME)]
    if os.path.isfile(os.path.join(top, "src", "tessera.map")):
        places.append(os.path.join(top, os.environ.get("BUILD", "build"), _NAME))
    return [place for place in places if os.path.exists(place)] + [_NAME]


class Library:
    """libtessera: functions get their types when they are first used."""

    def __init__(self) -> None:
        reasons = []
        for path in candidates():
            try:
                self._dll = ctypes.CDLL(path)
                break
            except OSError as error:
                reasons.append(str(error))
        else:
            raise ImportError(f"tessera: no library: {'; '.join(reasons)} (TESSERA_LIBRARY names one)")
        self.path: str = path
        version = self.tessera_api_version()
        if version != _abi.API_VERSION:
            raise ImportError(f"tessera: {path} has version {version} of the C API, this package needs {_abi.API_VERSION}")

    def __getattr__(self, name: str) -> Any:
        result, arguments = _abi.FUNCTIONS.get(name, (None, None))
        if arguments is None:
            raise AttributeError(name)
        try:
            function = getattr(self._dll, name)
        except AttributeError:
            raise AttributeError(f"{self.path} has no function {name}: it is older than this package") from None
        function.restype, function.argtypes = result, arguments
        setattr(self, name, function)
        return function


lib = Library()


def text(value: bytes | None) -> str:
    """A text of the library."""
    return value.decode("utf-8", "replace") if value else ""


def grown(call: Any, *arguments: Any) -> str:
    """A text from a function that works as snprintf does."""
    size = 4096
    while True:
        buffer = ctypes.create_string_buffer(size)
        needed = int(call(*arguments, buffer, size))
        if needed < size:
            return text(buffer.value)
        size = needed + 1


_FIRST_PART = 1 << 12  # cycles; for 140 tiles they take a second
_PART_SECONDS = 0.05


def in_parts(run: Callable[[int], int], cycles: int, step: int = 1) -> int:
    """Runs in parts of about 50 ms, of whole steps. Python handles signals between two calls of the library: Ctrl-C ends a run there, and the
    next run continues from there. A run in parts is the same run (tests/test_invariance.c)."""
    part, left = -(-_FIRST_PART // step) * step, cycles
    while True:
        began = time.monotonic()
        result = run(min(part, left))
        left -= part
        if result != _abi.LIMIT or left <= 0:
            return result
        faster = _PART_SECONDS / max(time.monotonic() - began, 1e-6)
        part = max(int(part * min(faster, 8.0)) // step * step, step)


def in_thread(call: Callable[[], object], stop: Callable[[], object]) -> None:
    """Calls in another thread: Python handles signals while this one waits, and Ctrl-C calls `stop` and returns after the call. It waits for an
    event and not with join: a join that a signal has ended takes the thread for ended."""
    done = threading.Event()

    def run() -> None:
        try:
            call()
        finally:
            done.set()

    threading.Thread(target=run).start()
    try:
        done.wait()
    except BaseException:
        stop()
        while not done.is_set():
            try:
                done.wait()
            except BaseException:
                pass
        raise


def until_interrupt(call: Callable[[ctypes.c_int], int]) -> int:
    """The result of a call that ends soon after its word `stop` is not 0: Ctrl-C sets it."""
    stop, results, raised = ctypes.c_int(0), list[int](), list[BaseException]()

    def run() -> None:
        try:
            results.append(call(stop))
        except BaseException as error:
            raised.append(error)

    def end() -> None:
        stop.value = 1

    in_thread(run, end)
    if raised:
        raise raised[0]
    return results[0]


def refuse(result: int, words: str) -> errors.Error | MemoryError:
    """The exception for an error result."""
    if result == _abi.NO_MEMORY:
        return MemoryError("out of memory")
    kind = errors.RefusedError if result == _abi.REFUSED else errors.InvalidError
    return kind(words or text(lib.tessera_result_name(result)))


class Handle:
    """A handle of the library: not copyable, because a copy would outlive the object."""

    def __reduce_ex__(self, protocol: object) -> NoReturn:
        kind = type(self).__name__
        more = ": save() and restore() copy the state" if hasattr(self, "save") else ""
        raise errors.ArgumentTypeError(f"a {kind} is neither copied nor pickled{more}")


def at_exit() -> bool:
    """True while the interpreter ends: modules may be gone."""
    return sys.is_finalizing()
