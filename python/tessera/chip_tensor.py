"""Tensors of a description: from a file, zeros or random numbers into DRAM or L1 and back, as `tessera kernel run` loads them (src/cli/chip_job_tensor.c)."""

from __future__ import annotations

import os
import re
import stat
import struct
from collections.abc import Container
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from . import formats
from ._args import shape_text
from ._names import Names
from .chip_format import ChipFormat
from .description import Description, Statement
from .errors import InvalidError
from .errors import hidden as __tracebackhide__

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]

__all__ = ["ChipTensor", "Elements", "accessor_words", "names_of", "page_bytes_of"]

_ALIGNMENT = 64  # of a page in DRAM
_ELEMENTS_MAX = 1 << 26  # of all tensors of a description
_FILE_MAX = 1 << 28  # of a file; what reads it has lower limits
_NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|inf|nan)"
_MADE = re.compile(rf"zero:([0-9]+)x([0-9]+)|fill:([0-9]+)x([0-9]+):({_NUMBER})|random:([0-9]+)x([0-9]+):([0-9]+)", re.I)


# --- .npy, as the command reads it ---


class _Npy:
    """A file with an array: its header, and after read() its numbers. Errors have the command's text."""

    def __init__(self, d: Description, path: str) -> None:
        self.path, self._opened = path, d.open_path(path)
        try:
            with open(self._opened, "rb") as file:
                head = file.read(12)
                if len(head) < 12 or head[:6] != b"\x93NUMPY":
                    raise InvalidError(f"{path}: this is not a .npy file")
                length = struct.unpack_from("<H" if head[6] == 1 else "<I", head, 8)[0]
                if length >= 1024:
                    raise InvalidError(f"{path}: the .npy header is too long")
                self._start = (10 if head[6] == 1 else 12) + length
                head += file.read(max(self._start - 12, 0))
        except OSError as error:
            raise InvalidError(f"cannot read {path}: {error.strerror}") from None
        if len(head) < self._start:
            raise InvalidError(f"{path}: the file is truncated")
        self.dtype, self.shape, self._order = _npy_header(path, head[self._start - length : self._start].decode("latin-1"))

    @property
    def count(self) -> int:
        return _product(self.shape)

    @property
    def matrix(self) -> tuple[int, int]:
        """Rows, and columns: the last dimension."""
        columns = self.shape[-1] if self.shape else 1
        return (self.count // columns if columns else 0), columns

    def read(self) -> npt.NDArray[Any]:
        """The numbers."""
        wanted = self.count * self.dtype.itemsize
        try:
            with open(self._opened, "rb") as file:
                is_file, length = stat.S_ISREG(os.fstat(file.fileno()).st_mode), os.fstat(file.fileno()).st_size
                if is_file and length < self._start + wanted:
                    raise InvalidError(f"{self.path}: the file is truncated")
                file.read(self._start)
                data = file.read(wanted)
        except OSError as error:
            raise InvalidError(f"cannot read {self.path}: {error.strerror}") from None
        if len(data) < wanted:
            raise InvalidError(f"{self.path}: the file is truncated")
        return np.frombuffer(data, dtype=self.dtype, count=self.count).reshape(self.shape, order=self._order)


def _product(dims: tuple[int, ...]) -> int:
    count = 1
    for dim in dims:
        count *= dim
    return count


def _npy_header(path: str, header: str) -> tuple[np.dtype[Any], tuple[int, ...], Literal["C", "F"]]:
    if not all(key in header for key in ("'descr'", "'shape'", "'fortran_order'")):
        raise InvalidError(f"{path}: not a .npy header: descr, shape or fortran_order is missing")
    fortran = "True" in header[header.index("'fortran_order'") :][:28]
    descr = re.search(r"'descr'\s*:\s*'(.)([^']*)", header)
    if not descr or descr[1] == ">":
        raise InvalidError(f"{path}: only little-endian numbers are supported")
    if not re.fullmatch(r"[fiuV][1248]", descr[2]) or descr[2] == "f1":
        raise InvalidError(f"{path} holds '{descr[1]}{descr[2]}': only floats and integers of NumPy, and bfloat16, can be read")
    shape = re.search(r"'shape'\s*:\s*\(([^)]*)", header)
    dims = tuple(int(part) for part in re.findall(r"[0-9]+", shape[1] if shape else ""))
    if len(dims) > 8 or any(dim > _FILE_MAX for dim in dims) or _product(dims) > _FILE_MAX:
        raise InvalidError(f"{path}: the tensor is too large")
    return np.dtype(("<" if descr[1] != "|" else "|") + descr[2]), dims, "F" if fortran else "C"


def _is_raw(dtype: np.dtype[Any], format: ChipFormat) -> bool:
    """NumPy has no bfloat16: its words."""
    return format.name == "bf16" and dtype.kind != "f" and dtype.itemsize == 2


def _unsuited(dtype: np.dtype[Any], format: ChipFormat) -> str:
    """The type of numbers that cannot fill a tensor of this format; "" if they can."""
    kind, size = dtype.kind, dtype.itemsize
    if kind in "iu" if format.integer else kind == "f" or _is_raw(dtype, format):
        return ""
    return "bool" if kind == "b" else {"f": "float", "i": "int", "u": "uint"}.get(kind, "void") + str(8 * size)


def _wide(array: npt.NDArray[Any], format: ChipFormat) -> Numbers:
    if not _is_raw(array.dtype, format):
        return array.astype(np.float64)
    words = np.ascontiguousarray(array).view(np.uint16).astype(np.uint32) << np.uint32(16)
    return words.view(np.float32).astype(np.float64)


def _suited_file(d: Description, s: Statement, format: ChipFormat) -> _Npy:
    file = _Npy(d, s.path)
    wrong = _unsuited(file.dtype, format)
    if wrong:
        raise d.refuse(s.line, f"{s.path} holds {wrong}, which cannot fill a tensor of {format.name}")
    return file


def _numbers_of(d: Description, s: Statement, format: ChipFormat, file: _Npy) -> Numbers:
    """The numbers of the statement's file, which the format can hold."""
    values = _wide(file.read(), format).reshape(file.matrix)
    check_range(d, s, format, values)
    return values


def expected_of(d: Description, s: Statement, t: ChipTensor) -> Numbers:
    """The numbers of an expectation's file, of the tensor's size."""
    file = _suited_file(d, s, t.s.format)
    if file.matrix != (t.rows, t.columns):
        raise d.refuse(s.line, f"{s.path} is {file.matrix[0]} x {file.matrix[1]}, {s.name} is {t.rows} x {t.columns}")
    return _numbers_of(d, s, t.s.format, file)


class Elements:
    """Counts the elements of a description's tensors: those of generated ones first, before any work."""

    def __init__(self, d: Description, given: Container[str]) -> None:
        self._d, self._count = d, 0
        for s in d.of_kind("tensor"):
            made = _made(d, s)
            if made is not None and s.name not in given:
                self.add(s, made[0], made[1])

    def add(self, s: Statement, rows: int, columns: int) -> None:
        """Checks that the shape is a matrix, and the sum."""
        if not rows or not columns:
            raise self._d.refuse(s.line, f"tensor {s.name} has no size")
        self._count += rows * columns
        if self._count > _ELEMENTS_MAX:
            raise self._d.refuse(s.line, f"tensor {s.name} is too large: the tensors of a description have at most {_ELEMENTS_MAX} elements")


def check_size(d: Description, s: Statement, rows: int, columns: int) -> None:
    """Checks that a tensor in tiles has a whole number of them."""
    if s.tiled and (rows % 32 or columns % 32):
        raise d.refuse(s.line, f"tensor {s.name} is {rows} x {columns}; in tiles both are multiples of 32")


def range_help(format: ChipFormat, value: float) -> str:
    """INT8 is the format in which the least number of its file's type is missing."""
    if format.name != "int8" or value != -128:
        return ""
    return ", which the chip holds as sign and magnitude, -127 to 127: clip the numbers to -127, or make the tensor int32"


def check_range(d: Description, s: Statement, format: ChipFormat, values: Numbers) -> None:
    """Checks that integers fit into their format."""
    if not format.integer:
        return
    least, most = format.range
    wrong = ~((values >= least) & (values <= most) & (np.floor(values) == values))
    if wrong.any():
        row, column = np.unravel_index(int(wrong.argmax()), values.shape)
        source = s.path if s.kind == "expect" or not _MADE.fullmatch(s.path) else s.name
        raise d.refuse(s.line, f"{source}: {values[row, column]:.0f} at [{row}, {column}] does not fit into {format.name}{range_help(format, values[row, column])}")


# --- generated numbers ---


def _made(d: Description, s: Statement) -> tuple[int, int, str] | None:
    """Rows, columns and the value or seed of a generated source; None: a file."""
    if not s.path.startswith(("zero:", "fill:", "random:")):
        return None
    found = _MADE.fullmatch(s.path)
    if not found:
        raise d.refuse(s.line, f"'{s.path}': write zero:ROWSxCOLUMNS, fill:ROWSxCOLUMNS:VALUE or random:ROWSxCOLUMNS:SEED")
    rows, columns, *more = [part for part in found.groups() if part is not None]
    return int(rows), int(columns), more[0] if more else ""


def _random(count: int, seed: int, integer: bool, signed: bool) -> Numbers:
    """The numbers that the command generates for random:ROWSxCOLUMNS:SEED."""
    with np.errstate(over="ignore"):
        z = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, count + 1, dtype=np.uint64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    v = ((z ^ (z >> np.uint64(31))) >> np.uint64(11)).astype(np.float64) / 4503599627370496.0 - 1.0
    return np.floor((v if signed else v + 1) * 100) if integer else v


def values_of(d: Description, s: Statement, elements: Elements) -> Numbers:
    """The description's numbers of a tensor."""
    made = _made(d, s)
    if made is None:
        file = _suited_file(d, s, s.format)
        elements.add(s, *file.matrix)
        check_size(d, s, *file.matrix)
        return _numbers_of(d, s, s.format, file)
    rows, columns, more = made
    check_size(d, s, rows, columns)
    if s.path.startswith("random:"):
        return _random(rows * columns, int(more) & (1 << 64) - 1, s.format.integer, s.format.range[0] < 0).reshape(rows, columns)
    value = float(more) if more else 0.0
    least, most = s.format.range
    if s.format.integer and not (least <= value <= most and value == np.floor(value)):
        raise d.refuse(s.line, f"{value:g} does not fit into {s.format.name}{range_help(s.format, value)}")
    return np.full((rows, columns), value)


def given_values(d: Description, s: Statement, array: npt.ArrayLike, elements: Elements) -> Numbers:
    """The caller's numbers of a tensor. A tensor with generated numbers, or with an existing file, has a shape."""
    values = formats.numbers(array, f"tensor '{s.name}'")
    try:
        made = _made(d, s)
        own = made[:2] if made else _Npy(d, s.path).matrix
    except InvalidError:
        own = None
    if own is not None and own != values.shape:
        raise InvalidError(f"'{s.name}' is {shape_text(own)} in {d.path}, not {shape_text(values.shape)}")
    if values.ndim != 2:
        raise d.refuse(s.line, f"tensor {s.name} is {shape_text(values.shape)}; in tiles both are multiples of 32")
    elements.add(s, *values.shape)
    check_size(d, s, *values.shape)
    if formats.of_array(values) == formats.named("bf16"):  # of ml_dtypes
        values = formats.from_bytes(formats.to_bytes(values, "bf16"), "bf16").reshape(values.shape)
    wrong = _unsuited(values.dtype, s.format) if isinstance(array, np.ndarray) else ""  # numbers of a list have no type of their own
    if wrong:
        raise InvalidError(f"tensor '{s.name}': the array holds {wrong}, which cannot fill a tensor of {s.format.name}: astype converts it")
    wide = _wide(values, s.format) if isinstance(array, np.ndarray) else values.astype(np.float64)
    check_range(d, s, s.format, wide)
    return wide


# --- compile-time arguments of a kernel ---


def _shape_of(d: Description, s: Statement) -> tuple[int, int]:
    """An unreadable shape is 0: loading the tensor reports the error."""
    found = re.match(r"[a-z]+:([0-9]+)x([0-9]+)", s.path) if s.path.startswith(("zero:", "fill:", "random:")) else None
    if found:
        return int(found[1]), int(found[2])
    return (0, 0) if s.path.startswith(("zero:", "fill:", "random:")) else _Npy(d, s.path).matrix


def page_bytes_of(d: Description, s: Statement) -> int:
    """Elements of a tensor's page: a data tile, or a row."""
    return s.format.size(1024 if s.tiled else _shape_of(d, s)[1])


def accessor_words(d: Description, s: Statement) -> list[int]:
    """The compile-time words of a tensor (kernels/include/api_tensor.h)."""
    rows, columns = _shape_of(d, s)
    size = s.format.size(1024 if s.tiled else columns)
    if s.place.kind == "dram":
        return [2, size]
    pages = rows // 32 * (columns // 32) if s.tiled else rows
    places = [x << 8 | y for x, y in s.place.tiles() if x not in (8, 9)] if s.place.kind == "tiles" else [s.place.bank << 8]
    stride = size if s.place.kind == "tiles" else -(-size // _ALIGNMENT) * _ALIGNMENT
    words = [1 | (0 if s.place.kind == "tiles" else 2), stride, 1, len(places), pages, -(-pages // len(places))]
    return words + [places[i] | (places[i + 1] << 16 if i + 1 < len(places) else 0) for i in range(0, len(places), 2)]


def _size_word(d: Description, s: Statement, what: str) -> int | None:
    rows, columns = _shape_of(d, s)
    found = {".pages": rows // 32 * (columns // 32) if s.tiled else rows, ".rows": rows, ".cols": columns, ".ht": rows // 32, ".wt": columns // 32,
             ".page_bytes": s.format.size(1024 if s.tiled else columns)}
    return found.get(what)


def names_of(d: Description) -> Names:
    """The names of the description."""
    return Names(d, lambda s: accessor_words(d, s), lambda s, what: _size_word(d, s, what))


# --- pages ---


class ChipTensor:
    """A tensor of two dimensions and its place. A page is a data tile of 32 x 32 or a row."""

    def __init__(self, s: Statement, values: Numbers) -> None:
        self.s, self.values, self.address = s, values, s.number[0]
        self.rows, self.columns = values.shape
        self.page_elements = 1024 if s.tiled else self.columns
        self.page_bytes = s.format.size(self.page_elements)
        self.pages = self.rows // 32 * (self.columns // 32) if s.tiled else self.rows
        self.places: list[tuple[int, int]] = []  # of its pages: interleaved over banks, or a shard each

    @property
    def stride(self) -> int:
        """Bytes from one page to the next."""
        return self.page_bytes if self.s.place.kind == "tiles" else -(-self.page_bytes // _ALIGNMENT) * _ALIGNMENT

    @property
    def per(self) -> int:
        """Pages of a place."""
        return -(-self.pages // len(self.places))

    def own(self, index: int) -> slice:
        """The pages of one place."""
        return slice(index, self.pages, len(self.places)) if self.s.place.kind == "dram" else slice(index * self.per, (index + 1) * self.per)

    def to_pages(self, values: Numbers) -> npt.NDArray[np.uint8]:
        """The bytes of all pages."""
        pages = formats.tilize(values) if self.s.tiled else values
        return self.s.format.encode(np.asarray(pages, dtype=np.float64))

    def of_pages(self, data: npt.NDArray[np.uint8]) -> Numbers:
        """The numbers of all pages."""
        numbers = self.s.format.decode(data, self.page_elements)
        return np.asarray(formats.untilize(numbers, self.rows, self.columns), dtype=np.float64) if self.s.tiled else numbers

    def word(self, what: str) -> int | None:
        """The value of a word of an argument: "" the address, "pages", "rows", ...; None: unknown."""
        found = {"": self.address, ".pages": self.pages, ".rows": self.rows, ".cols": self.columns, ".ht": self.rows // 32,
                 ".wt": self.columns // 32, ".page_bytes": self.page_bytes}
        return found.get(what)
