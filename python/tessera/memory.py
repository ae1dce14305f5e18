"""Memory as NumPy arrays: one copy in, one copy out."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Callable, overload

import numpy as np

from . import _abi, _args, formats
from ._args import checked
from ._lib import refuse
from .errors import ArgumentTypeError, InvalidError
from .errors import hidden as __tracebackhide__

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Memory"]


class Memory:
    """A range of addresses. ``memory[a]`` is a byte, ``memory[a:b]`` an array of bytes; read and write know shapes and formats.

    >>> import tessera, numpy as np
    >>> l1 = tessera.Tile().l1
    >>> l1[0x20000:0x20004] = [1, 2, 3, 4]
    >>> l1[0x20000:0x20004]
    array([1, 2, 3, 4], dtype=uint8)
    >>> l1.write(0x30000, np.arange(4.0), "bf16")
    8
    >>> l1.read(0x30000, 4, "bf16")
    array([0., 1., 2., 3.], dtype=float32)
    """

    def __init__(self, name: str, size: int, read: Callable[[int, int, int], int], write: Callable[[int, int, int], int],
                 error: Callable[[], str], limit: int = 1 << 32) -> None:
        self.name, self.size = name, size
        self._limit = limit  # address range: registers are above the memory
        self._read, self._write, self._error = read, write, error

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<{self.name}: {self.size:,} bytes>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        if copy is False:
            raise InvalidError(f"{self.name}: an array of it is a copy")
        return self.bytes_at(0, self.size) if dtype is None else self.bytes_at(0, self.size).astype(dtype)

    def __iter__(self) -> Iterator[int]:
        for start in range(0, self.size, 65536):
            yield from self.bytes_at(start, min(65536, self.size - start)).tolist()

    def _within(self, address: int, length: int) -> None:
        if address + length > self._limit:
            raise InvalidError(f"{self.name}: no memory for {length} bytes at 0x{address:x}")

    def _checked(self, result: int, address: int, length: int) -> None:
        if result != _abi.OK:
            raise refuse(result, self._error() or f"{self.name}: no memory for {length} bytes at 0x{address:x}")

    @checked
    def bytes_at(self, address: int, length: int) -> npt.NDArray[np.uint8]:
        """A copy of these bytes."""
        self._within(address, length)
        if length > self.size and length > 1 << 20:  # a range beyond the registers is rejected before it is allocated
            raise InvalidError(f"{self.name}: no memory for {length} bytes at 0x{address:x}")
        data = np.empty(length, dtype=np.uint8)
        if length:
            self._checked(self._read(address, data.ctypes.data, length), address, length)
        return data

    def _raw(self, data: npt.ArrayLike | bytes | bytearray | memoryview) -> npt.NDArray[np.uint8]:
        """Bytes as an array; numbers other than 0 to 255 are rejected."""
        if isinstance(data, (bytes, bytearray, memoryview)):
            return np.frombuffer(data, dtype=np.uint8)
        raw = formats.numbers(data, f"{self.name}: bytes")
        if raw.dtype == np.uint8:
            return raw
        if raw.dtype.kind not in "iub" and raw.size:
            raise ArgumentTypeError(f"{self.name}: bytes are whole numbers of 0 to 255, not {raw.dtype.name}; write() converts numbers to a format")
        if raw.dtype.kind in "iu" and raw.size and (raw.min() < 0 or raw.max() > 255):
            raise InvalidError(f"{self.name}: bytes are 0 to 255")
        return raw.astype(np.uint8)

    @checked
    def write_bytes(self, address: int, data: npt.ArrayLike | bytes | bytearray | memoryview) -> int:
        """Writes bytes without conversion; returns their number."""
        raw = np.ascontiguousarray(self._raw(data)).reshape(-1)
        self._within(address, raw.size)
        if raw.size:
            self._checked(self._write(address, raw.ctypes.data, raw.size), address, raw.size)
        return int(raw.size)

    def _range(self, key: object) -> tuple[int, int]:
        if not isinstance(key, slice):
            raise ArgumentTypeError(f"{self.name}: an index is an address or a range of them, [a] or [a:b], not {_args.shown(key)}")
        try:
            start, stop, step = key.indices(self.size)
        except (TypeError, ValueError):
            raise ArgumentTypeError(f"{self.name}: a range is [a:b] of whole numbers, not {_args.shown(key)}") from None
        if step != 1:
            raise InvalidError(f"{self.name}: ranges have step 1")
        return start, max(stop - start, 0)

    def _index(self, key: object) -> int:
        address = _args.integer(key, f"{self.name}: an index", -self.size, self.size - 1)
        return address + self.size if address < 0 else address

    @overload
    def __getitem__(self, key: int) -> int: ...
    @overload
    def __getitem__(self, key: slice) -> npt.NDArray[np.uint8]: ...
    def __getitem__(self, key: int | slice) -> int | npt.NDArray[np.uint8]:
        if hasattr(key, "__index__"):
            return int(self.bytes_at(self._index(key), 1)[0])
        return self.bytes_at(*self._range(key))

    def __setitem__(self, key: int | slice, data: npt.ArrayLike | bytes | bytearray | memoryview) -> None:
        if hasattr(key, "__index__"):
            start, length = self._index(key), 1
        else:
            start, length = self._range(key)
        raw = self._raw(data)
        if raw.ndim == 0:
            raw = np.full(length, raw)
        if raw.size != length:
            raise InvalidError(f"{self.name}: {raw.size} bytes do not fill a range of {length}")
        self.write_bytes(start, raw)

    @checked
    def word(self, address: int) -> int:
        """One word of 32 bits."""
        value = ctypes.c_uint32()
        self._within(address, 4)
        self._checked(self._read(address, ctypes.addressof(value), 4), address, 4)
        return value.value

    def set_word(self, address: int, value: int) -> None:
        """Writes one word of 32 bits, also to a register. A negative value is its two's complement."""
        address = _args.integer(address, "Memory.set_word: address", 0, (1 << 64) - 1)
        word = ctypes.c_uint32(_args.word(value, "Memory.set_word: value"))
        self._within(address, 4)
        self._checked(self._write(address, ctypes.addressof(word), 4), address, 4)

    @checked
    def read(self, address: int, shape: int | tuple[int, ...], format: str | formats.Format = "fp32", *,
             tiles: bool = False) -> npt.NDArray[Any]:
        """Numbers of this format. tiles=True: a matrix stored in tiles of 32 x 32."""
        f = formats.named(format)
        dims = _args.shape(shape, "Memory.read: shape")
        count = math.prod(dims)
        if f.block and count % 1024:
            raise InvalidError(f"{f.name}: {count} numbers are not whole tiles of 1024")
        length = count // 1024 * f.bytes_of_tile if f.block else count * f.bits // 8
        numbers = formats.from_bytes(self.bytes_at(address, length), f)
        if tiles:
            if len(dims) != 2:
                raise InvalidError("tiles are read as a matrix: shape (rows, columns)")
            return formats.untilize(numbers, *dims)
        return numbers.reshape(dims)

    @checked
    def write(self, address: int, values: npt.ArrayLike, format: str | formats.Format | None = None, *, tiles: bool = False) -> int:
        """Writes numbers in this format (none: that of the array's type); returns the number of bytes."""
        array = formats.numbers(values)
        f = formats.named(format) if format is not None else formats.of_array(array)
        if f is None:
            raise InvalidError(f"an array of {array.dtype} has no format of its own: name one ({', '.join(formats.FORMATS)})")
        return self.write_bytes(address, formats.to_bytes(formats.tilize(array) if tiles else array, f))
