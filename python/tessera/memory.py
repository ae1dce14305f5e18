"""Memory as NumPy arrays: one copy in, one copy out."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Callable

import numpy as np

from . import _abi, formats
from ._lib import refuse
from .errors import InvalidError

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Memory"]


class Memory:
    """A range of addresses. ``memory[a:b]`` is an array of bytes; read and write know shapes and formats.

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
                 error: Callable[[], str]) -> None:
        self.name, self.size = name, size
        self._read, self._write, self._error = read, write, error

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"<{self.name}: {self.size:,} bytes>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return self.bytes_at(0, self.size) if dtype is None else self.bytes_at(0, self.size).astype(dtype)

    def _checked(self, result: int, address: int, length: int) -> None:
        if result != _abi.OK:
            raise refuse(result, self._error() or f"{self.name}: no memory for {length} bytes at 0x{address:x}")

    def bytes_at(self, address: int, length: int) -> npt.NDArray[np.uint8]:
        """A copy of these bytes."""
        data = np.empty(length, dtype=np.uint8)
        if length:
            self._checked(self._read(address, data.ctypes.data, length), address, length)
        return data

    def write_bytes(self, address: int, data: npt.ArrayLike | bytes | bytearray | memoryview) -> int:
        """Writes bytes as they are; returns how many."""
        raw = np.frombuffer(data, dtype=np.uint8) if isinstance(data, (bytes, bytearray, memoryview)) else np.asarray(data)
        if raw.dtype != np.uint8:
            if raw.dtype.kind in "iu" and raw.size and (raw.min() < 0 or raw.max() > 255):
                raise InvalidError(f"{self.name}: bytes are 0 to 255")
            raw = raw.astype(np.uint8)
        raw = np.ascontiguousarray(raw).reshape(-1)
        if raw.size:
            self._checked(self._write(address, raw.ctypes.data, raw.size), address, raw.size)
        return int(raw.size)

    def _range(self, key: slice) -> tuple[int, int]:
        start, stop, step = key.indices(self.size)
        if step != 1:
            raise InvalidError(f"{self.name}: ranges have step 1")
        return start, max(stop - start, 0)

    def __getitem__(self, key: slice) -> npt.NDArray[np.uint8]:
        return self.bytes_at(*self._range(key))

    def __setitem__(self, key: slice, data: npt.ArrayLike | bytes | bytearray | memoryview) -> None:
        start, length = self._range(key)
        raw = np.frombuffer(data, dtype=np.uint8) if isinstance(data, (bytes, bytearray, memoryview)) else np.asarray(data)
        if raw.ndim == 0:
            raw = np.full(length, raw)
        if raw.size != length:
            raise InvalidError(f"{self.name}: {raw.size} bytes do not fill a range of {length}")
        self.write_bytes(start, raw)

    def word(self, address: int) -> int:
        """One word of 32 bits."""
        value = ctypes.c_uint32()
        self._checked(self._read(address, ctypes.addressof(value), 4), address, 4)
        return value.value

    def set_word(self, address: int, value: int) -> None:
        """Writes one word of 32 bits, also to a register."""
        word = ctypes.c_uint32(value)
        self._checked(self._write(address, ctypes.addressof(word), 4), address, 4)

    def read(self, address: int, shape: int | tuple[int, ...], format: str | formats.Format = "fp32", *,
             tiles: bool = False) -> npt.NDArray[Any]:
        """Numbers of this format. tiles=True: a matrix that lies there in tiles of 32 x 32."""
        f = formats.named(format)
        dims = (shape,) if isinstance(shape, int) else tuple(shape)
        count = int(np.prod(dims))
        length = count // 1024 * f.bytes_of_tile if f.block else count * f.bits // 8
        numbers = formats.from_bytes(self.bytes_at(address, length), f)
        if tiles:
            if len(dims) != 2:
                raise InvalidError("tiles are read as a matrix: shape (rows, columns)")
            return formats.untilize(numbers, *dims)
        return numbers.reshape(dims)

    def write(self, address: int, values: npt.ArrayLike, format: str | formats.Format | None = None, *, tiles: bool = False) -> int:
        """Writes numbers in this format (none: that of the array's type); returns the number of bytes."""
        array = np.asarray(values)
        f = formats.named(format) if format is not None else formats.of_array(array)
        if f is None:
            raise InvalidError(f"an array of {array.dtype} has no format of its own: name one ({', '.join(formats.FORMATS)})")
        return self.write_bytes(address, formats.to_bytes(formats.tilize(array) if tiles else array, f))
