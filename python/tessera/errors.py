"""Errors, with the text of the ``tessera`` command and its exit code.

Every exception is an :class:`Error`; ``error.code`` is the exit code that the command would end with. Where Python has its own class for an error,
the error derives from it too: :class:`InvalidError` is a ValueError, :class:`ArgumentTypeError` also a TypeError, :class:`FileError`
also an OSError, :class:`ExpectationError` is an AssertionError. Three kinds are Python's own: a call with too few, too many or unknown arguments is a TypeError, memory that runs out a MemoryError,
and an exception of a hook propagates unchanged from the run.
"""

from __future__ import annotations

import re
from types import TracebackType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .findings import Fault, Finding, Hang
    from .folder import ChipRun
    from .kernel import Run

__all__ = ["Error", "InvalidError", "ArgumentTypeError", "FileError", "RefusedError", "BuildError", "CompilerWarning", "FaultError", "HangError", "FindingError", "LimitError", "ExpectationError"]


_UNSAFE = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def _bytes_of(match: re.Match[str]) -> str:
    character = match[0]
    raw = bytes([ord(character) & 0xFF]) if "\udc80" <= character <= "\udcff" else character.encode("utf-8", "surrogatepass")
    return "".join(f"\\x{byte:02x}" for byte in raw)


def escaped(text: str, one_line: bool = True) -> str:
    """The text as the command shows it: bytes of characters that a terminal obeys (tessera_text_shown), and of what is not UTF-8, as \\x1b."""
    shown = _UNSAFE.sub(_bytes_of, text)
    return shown.replace("\n", "\\x0a") if one_line else shown


class Error(Exception):
    """An error that Tessera reports. ``code`` is the command's exit code."""

    code: int = 1
    _one_line = False  # reports of a machine and of a compiler have several
    run: Run | ChipRun | None = None  #: the kernel's run, where one was under way: its tile or chip stays readable

    def __reduce__(self) -> tuple[Any, ...]:
        """For another process: everything except the run, whose machine cannot be pickled."""
        values = {key: value for key, value in self.__dict__.items() if key != "run"}
        if isinstance(self, OSError):
            values.update(errno=self.errno, filename=self.filename)
        return _rebuilt, (type(self), self.args[:1], values)

    def _render_traceback_(self) -> list[str]:
        """IPython and Jupyter call this: their traceback, without the package's own frames after the user's last."""
        shell: Any = __import__("IPython").get_ipython()
        lines: list[str] = shell.InteractiveTB.structured_traceback(type(self), self, _of_user(self.__traceback__))
        return lines

    def __str__(self) -> str:
        """The message; names and paths in it are shown escaped."""
        return escaped(str(self.args[0]) if self.args else "", self._one_line)

    @property
    def words(self) -> str:
        """The text that the command prints."""
        return str(self)


def _of_user(tb: TracebackType | None) -> TracebackType | None:
    """The traceback up to the last frame that is not the package's; all of it if there is none."""
    frames: list[TracebackType] = []
    step = tb
    while step:
        frames.append(step)
        step = step.tb_next
    while frames and _is_own(frames[-1].tb_frame.f_globals.get("__name__", "")):
        frames.pop()
    short: TracebackType | None = None
    for frame in reversed(frames):
        short = TracebackType(short, frame.tb_frame, frame.tb_lasti, frame.tb_lineno)
    return short or tb


def _is_own(module: str) -> bool:
    return module.partition(".")[0] == "tessera" and not module.startswith(("tessera.tests", "tessera.examples"))


def hidden(excinfo: Any) -> bool:
    """Value of __tracebackhide__ in the package's modules: pytest shows the traceback of an Error up to the user's line, and the whole traceback of other exceptions."""
    return isinstance(excinfo.value, Error)


def _rebuilt(kind: type[Error], arguments: tuple[Any, ...], values: dict[str, Any]) -> Error:
    error = kind(*arguments)
    for key, value in values.items():
        setattr(error, key, value)
    return error


class InvalidError(Error, ValueError):
    """An argument is invalid; the call did nothing."""

    code = 2
    _one_line = True


class ArgumentTypeError(InvalidError, TypeError):
    """An argument has a type that the call does not accept: 1.5 for a number of cycles, None for a format."""


class FileError(InvalidError, OSError):
    """A file cannot be read or written. ``filename`` and ``errno`` are those of the operating system."""


class RefusedError(Error, ValueError):
    """A file, text or saved state is damaged or of another kind: one line. For assembler and PTO text ``log`` has all errors with their lines, as
    `--verbose` of the command prints them."""

    code = 2
    log: str = ""

    @classmethod
    def of_text(cls, log: str) -> RefusedError:
        """The first error of a text is the message."""
        error = cls(log.partition("\n")[0])
        error.log = escaped(log, False)
        return error


class BuildError(Error):
    """A kernel does not compile: one line with the compiler's first error; ``log`` is all that it printed."""

    code = 2
    log: str = ""


class CompilerWarning(UserWarning):
    """The compiler's warning about a kernel: the line that `tessera kernel` prints. ``warnings`` filters it as any other."""


class FaultError(Error):
    """The machine has faulted and is frozen, or a kernel's own check failed. It stays readable."""

    code = 3

    def __init__(self, words: str, fault: Fault | None = None) -> None:
        super().__init__(words)
        self.fault = fault


class HangError(Error):
    """No agent can continue. ``hang`` names each waiter with its resource and cycle, and the possible releasers."""

    code = 4

    def __init__(self, words: str, hang: Hang | None = None) -> None:
        super().__init__(words)
        self.hang = hang


class FindingError(Error):
    """A finding: results may be wrong on hardware."""

    code = 5

    def __init__(self, words: str, findings: list[Finding] | None = None) -> None:
        super().__init__(words)
        self.findings = findings or []


class LimitError(Error):
    """The requested cycles have passed, and the program is not done."""

    code = 6


class ExpectationError(Error, AssertionError):
    """A tensor differs from kernel.chip's expectation: the line that the command prints."""

    code = 1
