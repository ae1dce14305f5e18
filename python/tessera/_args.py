"""Arguments of public calls. Each is accepted exactly, or rejected with a line that names the call, the argument and the accepted values.

``checked`` reads a function's annotations: `int`, `str`, `bool`, `bytes`, paths and `core` are checked before the function runs. The function itself
checks other types (arrays, mappings), with the helpers below.
"""

from __future__ import annotations

import functools
import operator
import os
from collections.abc import Callable, Iterable, Mapping
from typing import IO, Any, TypeVar

from .errors import ArgumentTypeError, Error, FileError, InvalidError
from .errors import hidden as __tracebackhide__

__all__ = ["checked", "file_error", "integer", "integers", "items", "open_file", "path_of", "printed", "read_bounded", "read_file", "shape", "shape_text", "shown", "table", "text_of",
           "word", "write_file"]

F = TypeVar("F", bound=Callable[..., Any])
WORD = 0xFFFFFFFF
_MOST = 60  # characters of a value in a message
_PART = 1 << 20  # bytes that are read at once
PROGRAM_BYTES = 96 << 20  # of an executable or another program, as the command's
TEXT_BYTES = 16 << 20  # of a description and of PTO IR

# Ranges by argument name; other integers are words of 32 bits.
_RANGES: dict[str, tuple[int, int | None]] = {
    "cycles": (0, (1 << 64) - 1), "cycle": (0, (1 << 64) - 1), "start": (0, (1 << 64) - 1), "stop": (0, (1 << 64) - 1), "seed": (0, (1 << 64) - 1),
    "address": (0, (1 << 64) - 1), "number": (-1, (1 << 31) - 1), "thread": (0, 2), "schedules": (1, (1 << 31) - 1),
    "threads": (0, 1024), "every": (1, (1 << 64) - 1), "length": (0, (1 << 48) - 1), "count": (0, (1 << 31) - 1),
    "first": (0, (1 << 31) - 1), "index": (0, (1 << 31) - 1), "item": (0, (1 << 31) - 1), "around": (0, 1 << 20),
    "launches": (0, WORD), "rows": (0, 1 << 31), "columns": (0, 1 << 31), "x": (0, 63), "y": (0, 63), "bank": (0, 7),
    "word": (0, WORD), "most": (0, (1 << 31) - 1),
}


def shown(value: object) -> str:
    """A value in a message: one line, not too long."""
    try:
        text = repr(value)
    except Exception:
        text = f"a {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= _MOST else f"{text[:_MOST]}..."


def printed(value: object) -> str:
    """str(), which may fail for a foreign class."""
    try:
        return str(value)
    except Exception:
        raise ArgumentTypeError(f"{shown(value)} has no text") from None


def _range_text(low: int, high: int | None) -> str:
    return f"a whole number of at least {low}" if high is None or high > WORD else f"a whole number of {low} to {high}"


def integer(value: object, where: str, low: int = 0, high: int | None = WORD) -> int:
    """A whole number in a range. NumPy integers are accepted, floats are not, not even 8.0."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{where} is {_range_text(low, high)}, not {shown(value)}") from None
    if high is not None and number > high > WORD:
        raise InvalidError(f"{where} is a whole number of at most {high}, not {shown(number)}")
    if number < low or (high is not None and number > high):
        raise InvalidError(f"{where} is {_range_text(low, high)}, not {shown(number)}")
    return number


def word(value: object, where: str) -> int:
    """32 bits: a number without sign, or a negative one as its two's complement."""
    hint = "; the bits of a float: np.float32(x).view(np.uint32)" if isinstance(value, float) or hasattr(value, "dtype") else ""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{where} is a whole number of 32 bits, not {shown(value)}{hint}") from None
    if not -(1 << 31) <= number <= WORD:
        raise InvalidError(f"{where} is a whole number of 32 bits, -2147483648 to 4294967295, not {shown(number)}")
    return number & WORD


def items(value: object, where: str, wants: str) -> list[Any]:
    """The items of a sequence; a text, an array's numbers and a single value are rejected."""
    if isinstance(value, (str, bytes, Mapping)) or not isinstance(value, Iterable):
        raise ArgumentTypeError(f"{where} is {wants}, not {shown(value)}")
    try:
        return list(value)
    except TypeError:  # an array without dimensions
        raise ArgumentTypeError(f"{where} is {wants}, not {shown(value)}") from None


def integers(value: object, where: str, low: int = 0, high: int | None = WORD) -> list[int]:
    """A sequence of whole numbers."""
    return [integer(part, f"{where}[{i}]", low, high) for i, part in enumerate(items(value, where, "a list of whole numbers"))]


def table(value: object, where: str, wants: str) -> dict[Any, Any]:
    """A mapping as a dict; None is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ArgumentTypeError(f"{where} is {wants}, not {shown(value)}")
    return dict(value)


def shape(value: object, where: str) -> tuple[int, ...]:
    """The shape of an array: a whole number, or a tuple of them."""
    wants = "a shape, such as 64 or (64, 128)"
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes, Mapping)):
        try:
            parts = list(value)
        except TypeError:
            raise ArgumentTypeError(f"{where} is {wants}, not {shown(value)}") from None
    else:
        parts = [value]
    numbers = []
    for part in parts:
        try:
            numbers.append(operator.index(part))
        except TypeError:
            raise ArgumentTypeError(f"{where} is {wants}, not {shown(value)}") from None
    if any(not 0 <= number < 1 << 40 for number in numbers):
        raise InvalidError(f"{where} is {wants}, not {shown(value)}")
    return tuple(numbers)


def shape_text(dims: tuple[int, ...]) -> str:
    """"64 x 128"; a single number has no dimensions."""
    return " x ".join(map(str, dims)) if dims else "a single number"


def path_of(value: object, where: str) -> str:
    """A path as a text; a path of bytes is rejected."""
    try:
        path = os.fspath(value)  # type: ignore[call-overload]
    except TypeError:
        path = None
    if not isinstance(path, str):
        raise ArgumentTypeError(f"{where} is a path, not {shown(value)}")
    if not path or "\0" in path:
        raise InvalidError(f"{where} is a path, not {shown(value)}")
    return path


def file_error(path: str, error: OSError | ValueError) -> FileError:
    made = FileError(f"{path}: {getattr(error, 'strerror', None) or error}")
    made.filename, made.errno = path, getattr(error, "errno", None)
    return made


def open_file(path: str | os.PathLike[str], mode: str, where: str) -> IO[Any]:
    """open(), with a FileError if the file cannot be opened."""
    name = path_of(path, where)
    try:
        return open(name, mode, encoding=None if "b" in mode else "utf-8")
    except (OSError, ValueError) as error:
        raise file_error(name, error) from None


def read_bounded(file: IO[bytes], path: str, most: int, kind: type[Error] = InvalidError) -> bytes:
    """The bytes of a file that has no more than `most`: a device may have no end."""
    content = bytearray()
    while part := file.read(min(_PART, most + 1 - len(content))):
        content += part
        if len(content) > most:
            raise kind(f"cannot read {path}: longer than {most >> 20} MiB")
    return bytes(content)


def read_file(path: str | os.PathLike[str], where: str, most: int = PROGRAM_BYTES) -> bytes:
    """The bytes of a file."""
    with open_file(path, "rb", where) as file:
        try:
            return read_bounded(file, os.fspath(path), most)
        except OSError as error:  # a directory, a disk
            raise file_error(os.fspath(path), error) from None


def write_file(path: str | os.PathLike[str], content: str, where: str) -> None:
    """Writes a text."""
    try:
        with open_file(path, "w", where) as file:
            file.write(content)
    except FileError:
        raise
    except OSError as error:  # of a full disk, some when the file is closed
        raise file_error(os.fspath(path), error) from None


# --- by annotation ---


def text_of(value: object, where: str) -> str:
    """A text that C and a file accept."""
    if not isinstance(value, str):
        raise ArgumentTypeError(f"{where} is a text, not {shown(value)}")
    if "\0" in value:
        raise InvalidError(f"{where} is a text without a zero character, not {shown(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidError(f"{where} is a text in Unicode, not {shown(value)}") from None
    return str(value)


def _flag(value: object, where: str) -> bool:
    if type(value).__name__ not in ("bool", "bool_") and not (isinstance(value, int) and value in (0, 1)):
        raise ArgumentTypeError(f"{where} is True or False, not {shown(value)}")
    return bool(value)


def _name_or_number(value: object, where: str) -> str | int:
    if isinstance(value, str):
        return text_of(value, where)
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ArgumentTypeError(f"{where} is a name or a whole number, not {shown(value)}") from None


def _bytes(value: object, where: str) -> bytes:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        raise ArgumentTypeError(f"{where} is bytes, not {shown(value)}")
    return bytes(value)


def _path_or_bytes(value: object, where: str) -> str | bytes:
    return bytes(value) if isinstance(value, (bytes, bytearray, memoryview)) else path_of(value, where)


def _callable(value: object, where: str) -> object:
    if not callable(value):
        raise ArgumentTypeError(f"{where} is a function, not {shown(value)}")
    return value


Converter = Callable[[Any, str], Any]
_CONVERTERS: dict[str, Converter] = {
    "str": text_of, "bool": _flag, "bytes": _bytes, "str | os.PathLike[str]": path_of, "str | os.PathLike[str] | bytes": _path_or_bytes,
    "str | int": _name_or_number,
}


def _optional(convert: Converter) -> Converter:
    return lambda value, where: None if value is None else convert(value, where)


def _converter(name: str, annotation: str) -> Converter | None:
    base = annotation.removesuffix(" | None")
    found: Converter | None
    if base == "int":
        low, high = _RANGES.get(name, (0, WORD))
        found = lambda value, where: integer(value, where, low, high)  # noqa: E731
    elif base.startswith("Callable["):
        found = _callable
    else:
        found = _CONVERTERS.get(base)
    return _optional(found) if found is not None and base != annotation else found


def checked(function: F) -> F:
    """Checks arguments by their annotations before the function runs."""
    code = function.__code__
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    title = function.__qualname__.removesuffix(".__init__").replace("TileView.", "Tile.")
    plan: dict[str, tuple[Converter, str]] = {}
    for name, annotation in function.__annotations__.items():
        convert = _converter(name, annotation) if name in names else None
        if convert is not None:
            plan[name] = convert, f"{title}: {name}"
    order = [plan.get(name) for name in names[: code.co_argcount]]

    @functools.wraps(function)
    def call(*args: Any, **more: Any) -> Any:
        __tracebackhide__ = True  # pytest shows the caller's line
        given = [step[0](value, step[1]) if step else value for step, value in zip(order, args)]
        for name in more:
            if name in plan:
                convert, where = plan[name]
                more[name] = convert(more[name], where)
        return function(*given, *args[len(given) :], **more)

    return call  # type: ignore[return-value]
