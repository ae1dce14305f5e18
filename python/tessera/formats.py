"""Data formats of L1, DRAM and Dst, to and from NumPy.

A matrix is stored in L1 as tiles of 32 x 32, each as four faces of 16 x 16. Block formats (bfp8, bfp4, bfp2) begin with 64 exponents, one for
16 numbers. Conversions are NumPy expressions over whole arrays. Formats of floats round to nearest even; formats of integers (int32, int8, uint16)
and of blocks reject values that they cannot represent: int32 and int8 are sign and magnitude, without -2**31 and -128, and blocks have no infinity and no NaN.

>>> import numpy as np
>>> from tessera import formats
>>> formats.to_bytes(np.array([1.0, -2.5]), "bf16").tobytes().hex()
'803f20c0'
>>> formats.from_bytes(formats.tile_bytes(np.eye(32), "bfp8"), "bfp8").reshape(-1)[:2]
array([1., 0.], dtype=float32)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from . import _args
from ._args import checked, shape_text, shown
from .errors import ArgumentTypeError, InvalidError
from .errors import hidden as __tracebackhide__

__all__ = ["Format", "FORMATS", "named", "numbers", "of_array", "to_bytes", "from_bytes", "tilize", "untilize", "tile_bytes", "from_tiles"]

if TYPE_CHECKING:  # numpy.typing is slow to import
    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Bytes = npt.NDArray[np.uint8]
    Float = npt.NDArray[np.float32]


class Format(NamedTuple):
    """A data format: the hardware's number, bits of a number in L1, mantissa bits of a number in a block (0: no block format)."""

    name: str
    code: int
    bits: int
    block: int = 0
    exponent5: bool = False

    @property
    def bytes_of_tile(self) -> int:
        """Bytes of 32 x 32 numbers in L1."""
        return 1024 * self.bits // 8 + (64 if self.block else 0)


FORMATS: dict[str, Format] = {
    f.name: f
    for f in (
        Format("fp32", 0, 32),
        Format("fp16", 1, 16, exponent5=True),
        Format("bfp8a", 2, 8, 7, True),
        Format("bfp4a", 3, 4, 3, True),
        Format("tf32", 4, 32),
        Format("bf16", 5, 16),
        Format("bfp8", 6, 8, 7),
        Format("bfp4", 7, 4, 3),
        Format("int32", 8, 32),
        Format("uint16", 9, 16),
        Format("fp8", 10, 8, exponent5=True),
        Format("bfp2a", 11, 2, 1, True),
        Format("int8", 14, 8),
        Format("bfp2", 15, 2, 1),
    )
}
_ALIASES = {
    "float32": "fp32", "float16": "fp16", "bfloat16": "bf16", "float16_b": "bf16", "bfp8_b": "bfp8", "bfp4_b": "bfp4",
    "bfp2_b": "bfp2", "float8_e5m2": "fp8", "int16": "uint16", "lf8": "fp8",
}


def named(format: str | Format) -> Format:
    """The format of this name.

    >>> named("bf16").code, named("bfp8").bytes_of_tile
    (5, 1088)
    """
    if isinstance(format, Format):
        return format
    if not isinstance(format, str):
        raise ArgumentTypeError(f"a format is a name ({', '.join(FORMATS)}), not {shown(format)}")
    found = FORMATS.get(_ALIASES.get(format.lower(), format.lower()))
    if found is None:
        raise InvalidError(f"no format '{format}' ({', '.join(FORMATS)})")
    return found


def of_array(array: Array) -> Format | None:
    """The L1 format of the array's NumPy (or ml_dtypes) type; None for float64 and other types without one."""
    name = _ALIASES.get(array.dtype.name, array.dtype.name) if isinstance(array, np.ndarray) else ""
    return FORMATS.get(name)


@checked
def numbers(values: npt.ArrayLike, what: str = "values") -> Array:
    """An array of numbers. Texts, complex numbers, objects (None) and ragged lists are rejected.

    >>> numbers([[1, 2], [3, 4]]).shape
    (2, 2)
    """
    if isinstance(values, np.ma.MaskedArray) and np.any(values.mask):
        raise InvalidError(f"{what}: masked numbers have no value: {int(np.sum(values.mask))} of {values.size}; filled() gives them one")
    try:
        array = np.asarray(values)
    except Exception as error:  # whatever an object's own __array__ raises
        reason = str(error).splitlines()[0].split(" The detected")[0].rstrip(".") if str(error) else type(error).__name__
        raise ArgumentTypeError(f"{what}: no array of numbers: {reason}") from None
    if array.dtype.kind == "V" and array.dtype.names is None and of_array(array) is None:  # ml_dtypes' types without a format here
        try:
            array = array.astype(np.float32)
        except (TypeError, ValueError):
            pass
    if array.dtype.kind not in "biuf" and (array.dtype.kind != "V" or of_array(array) is None):
        raise ArgumentTypeError(f"{what} is an array of numbers, not of {array.dtype.name}: {shown(values)}")
    return array


def _float_bits(values: Array) -> npt.NDArray[np.uint32]:
    with np.errstate(over="ignore"):  # values beyond the largest float32 become infinity
        return np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)


def _exact(values: Array, format: Format, low: int, high: int) -> npt.NDArray[np.int64]:
    """Whole numbers in this range; the first other one is rejected."""
    if values.dtype.kind in "iub":
        wrong = (values < low) | (values > high) if values.dtype.kind != "b" else np.zeros(values.shape, dtype=bool)
    else:
        values = values.astype(np.float64)
        wrong = ~((values >= low) & (values <= high) & (np.rint(values) == values))
    if wrong.any():
        raise InvalidError(f"{format.name} holds whole numbers of {low} to {high}, not {values.reshape(-1)[int(wrong.argmax())]}")
    return values.astype(np.int64)


def _rounded(bits: npt.NDArray[np.uint32], drop: int) -> npt.NDArray[np.uint32]:
    """Float bits with the low `drop` bits rounded away, to nearest even; infinities and NaNs stay."""
    odd = (bits >> np.uint32(drop)) & np.uint32(1)
    special = (bits & np.uint32(0x7F800000)) == np.uint32(0x7F800000)
    quiet = np.where((bits & np.uint32(0x7FFFFF)) != 0, bits | np.uint32(1 << 22), bits)
    with np.errstate(over="ignore"):
        near = bits + np.uint32((1 << (drop - 1)) - 1) + odd
    mask = np.uint32(0xFFFFFFFF << drop & 0xFFFFFFFF)
    rounded: npt.NDArray[np.uint32] = np.where(special, quiet, near) & mask
    return rounded


def _sign_magnitude(values: Array, format: Format) -> npt.NDArray[np.uint32]:
    most = (1 << (format.bits - 1)) - 1
    number = _exact(values, format, -most, most)
    magnitude = np.abs(number).astype(np.uint32)
    signed: npt.NDArray[np.uint32] = np.where(number < 0, magnitude | np.uint32(1 << (format.bits - 1)), magnitude)
    return signed


def _of_sign_magnitude(raw: Array, bits: int) -> npt.NDArray[np.int32]:
    wide = raw.astype(np.int64)
    magnitude = wide & ((1 << (bits - 1)) - 1)
    return np.where(wide >> (bits - 1), -magnitude, magnitude).astype(np.int32)


def _to_blocks(values: Array, format: Format) -> tuple[Bytes, Bytes]:
    """Exponents and mantissas of rows of 16 numbers: sign and magnitude, 1.0 has the top bit of the magnitude set."""
    rows = np.asarray(values, dtype=np.float64).reshape(-1, 16)
    if not np.isfinite(rows).all():
        raise InvalidError(f"{format.name} holds finite numbers, not {rows[~np.isfinite(rows)][0]}")
    bias, top = (15, 31) if format.exponent5 else (127, 255)
    magnitude = np.abs(rows)
    largest = np.frexp(magnitude.max(axis=1))[1] - 1
    exponent = np.clip(np.where(magnitude.max(axis=1) > 0, largest, 1 - bias), 1 - bias, top - bias)
    most = (1 << format.block) - 1
    scaled = np.minimum(np.rint(np.ldexp(magnitude, (format.block - 1 - exponent)[:, None])), most).astype(np.uint8)
    sign = ((rows < 0) & (scaled > 0)).astype(np.uint8) << format.block
    return (exponent + bias).astype(np.uint8), (scaled | sign).reshape(-1)


def _from_blocks(exponents: Bytes, mantissas: Bytes, format: Format) -> Float:
    bias = 15 if format.exponent5 else 127
    magnitude = (mantissas & ((1 << format.block) - 1)).astype(np.float64).reshape(-1, 16)
    value = np.ldexp(magnitude, (exponents.astype(np.int64) - bias - (format.block - 1))[:, None])
    return np.where((mantissas >> format.block & 1).reshape(-1, 16), -value, value).astype(np.float32)


def _packed(small: Bytes, bits: int) -> Bytes:
    """Numbers of less than a byte, the first one in the low bits."""
    if bits == 8:
        return small
    per = 8 // bits
    parts = small.reshape(-1, per)
    out = np.zeros(len(parts), dtype=np.uint8)
    for i in range(per):
        out |= parts[:, i] << np.uint8(bits * i)
    return out


def _unpacked(raw: Bytes, bits: int) -> Bytes:
    if bits == 8:
        return raw
    per = 8 // bits
    return np.stack([raw >> (bits * i) & ((1 << bits) - 1) for i in range(per)], axis=1).reshape(-1)


def to_bytes(values: npt.ArrayLike, format: str | Format) -> Bytes:
    """Numbers in memory order. Block formats: each group of 1024 begins with its 64 exponents."""
    f = named(format)
    values = numbers(values)
    if f.block:
        if values.size % 1024:
            raise InvalidError(f"{f.name}: {values.size} numbers are not whole tiles of 1024")
        exponents, mantissas = _to_blocks(values, f)
        data = _packed(mantissas, f.bits).reshape(values.size // 1024, -1)
        return np.concatenate([exponents.reshape(-1, 64), data], axis=1).reshape(-1)
    if of_array(values) == f and f.name in ("bf16", "fp8"):  # ml_dtypes: the bits unchanged
        return np.ascontiguousarray(values).reshape(-1).view(np.uint8)
    flat = values.reshape(-1)
    if f.name in ("fp32", "tf32"):
        bits = _float_bits(flat)
        return (_rounded(bits, 13) if f.name == "tf32" else bits).view(np.uint8)
    if f.name == "bf16":
        return (_rounded(_float_bits(flat), 16) >> np.uint32(16)).astype(np.uint16).view(np.uint8)
    if f.name == "fp16":
        with np.errstate(over="ignore"):
            return np.ascontiguousarray(flat, dtype=np.float16).view(np.uint8)
    if f.name == "fp8":
        return _fp8(flat)
    if f.name == "uint16":
        return np.ascontiguousarray(_exact(flat, f, 0, 0xFFFF), dtype=np.uint16).view(np.uint8)
    return np.ascontiguousarray(_sign_magnitude(flat, f).astype(np.uint32 if f.bits == 32 else np.uint8)).view(np.uint8)


def _fp8(values: Array) -> Bytes:
    """E5M2: the top byte of the fp16 number with two mantissa bits that is nearest, ties to even."""
    wide = np.asarray(values, dtype=np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        exponent = np.maximum(np.frexp(np.where(np.isfinite(wide), wide, 0))[1] - 1, -14)
        near = np.where(np.isfinite(wide), np.ldexp(np.rint(np.ldexp(wide, 2 - exponent)), exponent - 2), wide)
        half = near.astype(np.float16).view(np.uint16)
    return (half >> np.uint16(8)).astype(np.uint8)


def from_bytes(raw: npt.ArrayLike | bytes, format: str | Format) -> Array:
    """The reverse of to_bytes: float32, or int32 and uint16 for integers."""
    f = named(format)
    given = np.frombuffer(raw, dtype=np.uint8) if isinstance(raw, (bytes, bytearray, memoryview)) else numbers(raw, "bytes")
    data = np.ascontiguousarray(given).view(np.uint8).reshape(-1)
    if f.block:
        if data.size % f.bytes_of_tile:
            raise InvalidError(f"{f.name}: {data.size} bytes are not whole tiles of {f.bytes_of_tile}")
        tiles = data.reshape(-1, f.bytes_of_tile)
        mantissas = _unpacked(np.ascontiguousarray(tiles[:, 64:]).reshape(-1), f.bits)
        return _from_blocks(np.ascontiguousarray(tiles[:, :64]).reshape(-1), mantissas, f).reshape(-1)
    if data.size * 8 % f.bits:
        raise InvalidError(f"{f.name}: {data.size} bytes are not whole numbers of {f.bits // 8}")
    if f.name in ("fp32", "tf32"):
        return data.view(np.float32)
    if f.name == "bf16":
        return (data.view(np.uint16).astype(np.uint32) << np.uint32(16)).view(np.float32)
    if f.name == "fp16":
        return data.view(np.float16).astype(np.float32)
    if f.name == "fp8":
        return (data.astype(np.uint16) << np.uint16(8)).view(np.float16).astype(np.float32)
    if f.name == "uint16":
        return data.view(np.uint16)
    return _of_sign_magnitude(data.view(np.uint32 if f.bits == 32 else np.uint8), f.bits)


def _matrix(dims: tuple[int, ...]) -> str:
    return f"a matrix of {shape_text(dims)}" if dims else shape_text(dims)


def tilize(matrix: npt.ArrayLike) -> Array:
    """A matrix of whole tiles as (tiles, 1024), each tile in the order of its faces.

    >>> tilize(np.arange(64 * 32).reshape(64, 32))[1, :3]
    array([1024, 1025, 1026])
    """
    matrix = numbers(matrix, "a matrix")
    if matrix.ndim != 2 or matrix.shape[0] % 32 or matrix.shape[1] % 32:
        raise InvalidError(f"{_matrix(matrix.shape)} is not made of tiles of 32 x 32")
    down, across = matrix.shape[0] // 32, matrix.shape[1] // 32
    faces = matrix.reshape(down, 2, 16, across, 2, 16).transpose(0, 3, 1, 4, 2, 5)
    return faces.reshape(down * across, 1024)


@checked
def untilize(tiles: npt.ArrayLike, rows: int, columns: int) -> Array:
    """The reverse of tilize."""
    tiles = numbers(tiles, "tiles")
    if rows % 32 or columns % 32 or tiles.size != rows * columns:
        raise InvalidError(f"{tiles.size} numbers are not a matrix of {rows} x {columns} in tiles of 32 x 32")
    faces = tiles.reshape(rows // 32, columns // 32, 2, 2, 16, 16).transpose(0, 2, 4, 1, 3, 5)
    return faces.reshape(rows, columns)


def tile_bytes(matrix: npt.ArrayLike, format: str | Format) -> Bytes:
    """The bytes of a matrix in tiles, as stored in L1."""
    return to_bytes(tilize(matrix), format)


def from_tiles(raw: npt.ArrayLike | bytes, shape: tuple[int, int], format: str | Format) -> Array:
    """The matrix that these bytes hold in tiles.

    >>> m = np.linspace(-1, 1, 32 * 64).reshape(32, 64)
    >>> bool(np.abs(from_tiles(tile_bytes(m, "bf16"), (32, 64), "bf16") - m).max() < 2.0**-8)
    True
    """
    dims = _args.shape(shape, "from_tiles: shape")
    if len(dims) != 2:
        raise InvalidError(f"from_tiles: shape is (rows, columns), not {shown(shape)}")
    return untilize(from_bytes(raw, format), *dims)


# --- registers: Dst keeps the exponent at the low end ---


def dst16_to_float(bits: npt.NDArray[np.uint32], format: str | Format = "bf16") -> Float:
    """16-bit rows of Dst as numbers."""
    f = named(format)
    if f.name == "bf16":
        return ((bits & 0x8000) << 16 | (bits & 0xFF) << 23 | (bits >> 8 & 0x7F) << 16).astype(np.uint32).view(np.float32)
    if f.name != "fp16":
        raise InvalidError(f"16-bit Dst holds bf16 or fp16, not {f.name}")
    half = (bits & 0x8000 | (bits & 0x1F) << 10 | bits >> 5 & 0x3FF).astype(np.uint16)
    return half.view(np.float16).astype(np.float32)


def dst32_to_bits(high: npt.NDArray[np.uint32], low: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """The two halves of 32-bit Dst as FP32 or INT32 bits."""
    top = high & 0x8000 | (high & 0xFF) << 7 | high >> 8 & 0x7F
    return (top << 16 | low & 0xFFFF).astype(np.uint32)
