"""Numbers of a description's tensors as bytes and back, as `tessera kernel run` lays them out (src/cli/chip_format.h).

formats.py has the hardware's formats for L1 and Dst. A description's tensors differ in the formats of a host: int32 is two's complement, fp16
saturates, and there are the unsigned formats of a host."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import numpy.typing as npt

    Numbers = npt.NDArray[np.float64]
    Bytes = npt.NDArray[np.uint8]

__all__ = ["CHIP_FORMATS", "ChipFormat", "NAMES", "chip_format"]

_BLOCK = 16  # numbers that share an exponent: a row of a face


@dataclass(frozen=True)
class ChipFormat:
    """A format of a tensor. bits: of an element; of a block format of a mantissa with its sign."""

    name: str
    code: int  #: the hardware's number
    bits: int
    dtype: str  #: what NumPy gets
    integer: bool = False
    block: bool = False

    def size(self, elements: int) -> int:
        """Bytes of this many numbers."""
        return elements * self.bits // 8 + (elements // _BLOCK if self.block else 0)

    @property
    def range(self) -> tuple[int, int]:
        """The least and the largest whole number."""
        signed = self.name in ("int32", "int8")
        size = 1 << (self.bits - signed)
        return (-size if self.name == "int32" else 1 - size if self.name == "int8" else 0), size - 1

    def encode(self, values: Numbers) -> Bytes:
        """Pages (a row of the array each) as bytes, rounded to nearest, ties to even."""
        if self.block:
            return self._encode_blocks(values)
        words = self._bits(values).astype(np.uint32)
        return np.ascontiguousarray(words.view(np.uint8).reshape(len(values), -1, 4)[:, :, : self.bits // 8]).reshape(len(values), -1)

    def decode(self, data: Bytes, elements: int) -> Numbers:
        """The numbers of pages."""
        if self.block:
            return self._decode_blocks(data, elements)
        words = np.zeros((len(data), elements, 4), dtype=np.uint8)
        words[:, :, : self.bits // 8] = data.reshape(len(data), elements, -1)
        return self._of_bits(words.view(np.uint32)[:, :, 0])

    def _bits(self, values: Numbers) -> npt.NDArray[Any]:
        if self.integer:
            whole = values.astype(np.int64)
            if self.name in ("int8", "int32sm"):
                return np.where(whole < 0, 1 << (self.bits - 1) | -whole, whole)
            return whole & 0xFFFFFFFF
        if self.name == "fp16":
            return _half(values)
        with np.errstate(over="ignore", invalid="ignore"):
            single = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.int64)
        if self.name == "bf16":
            near = (single + 0x7FFF + (single >> 16 & 1)) >> 16
            return np.where(np.isnan(values), 0x7FC0, near & 0xFFFF)
        if self.name == "tf32":
            return np.where(np.isfinite(values), (single + 0xFFF + (single >> 13 & 1)) & 0xFFFFE000, single)
        return single

    def _of_bits(self, bits: npt.NDArray[np.uint32]) -> Numbers:
        if self.name == "bf16":
            return (bits << np.uint32(16)).view(np.float32).astype(np.float64)
        if self.name in ("fp32", "tf32"):
            return np.ascontiguousarray(bits).view(np.float32).astype(np.float64)
        wide = bits.astype(np.int64)
        if self.name == "fp16":
            exponent = wide >> 10 & 31
            size = np.where(exponent > 0, np.ldexp((1024 + (wide & 1023)).astype(np.float64), exponent - 25), 0)
            return np.where(wide & 0x8000, -size, size)
        if self.name in ("int8", "int32sm"):
            sign = 1 << (self.bits - 1)
            return np.where(wide & sign, -(wide & (sign - 1)), wide).astype(np.float64)
        return (bits.view(np.int32) if self.name == "int32" else bits).astype(np.float64)

    def _encode_blocks(self, values: Numbers) -> Bytes:
        """64 exponents of a data tile, then magnitudes whose first bit has the weight of the exponent's power of two."""
        pages, rows = len(values), values.reshape(-1, _BLOCK)
        finite = np.where(np.isfinite(rows), np.abs(rows), 0)
        largest = np.where(finite.max(axis=1) > 0, np.minimum(np.frexp(finite.max(axis=1))[1] - 1, 128), -127)
        most = (1 << (self.bits - 1)) - 1
        with np.errstate(over="ignore"):
            scaled = np.rint(np.ldexp(np.abs(rows), (self.bits - 2 - largest)[:, None]))
        magnitude = np.where(scaled < most, scaled, most).astype(np.uint8)
        datum = magnitude | ((np.signbit(rows) & (magnitude > 0)).astype(np.uint8) << (self.bits - 1))
        per = 8 // self.bits
        parts = datum.reshape(-1, per)
        packed = np.zeros(len(parts), dtype=np.uint8)
        for i in range(per):
            packed |= (parts[:, i] << np.uint8(self.bits * i)).astype(np.uint8)
        exponents = (largest + 127).astype(np.uint8)
        return np.concatenate([exponents.reshape(pages, -1), packed.reshape(pages, -1)], axis=1)

    def _decode_blocks(self, data: Bytes, elements: int) -> Numbers:
        exponents = data[:, : elements // _BLOCK].astype(np.int64).reshape(-1)
        packed = np.ascontiguousarray(data[:, elements // _BLOCK :])
        datum = np.stack([packed >> (self.bits * i) & ((1 << self.bits) - 1) for i in range(8 // self.bits)], axis=2).reshape(-1, _BLOCK)
        size = np.ldexp((datum & ((1 << (self.bits - 1)) - 1)).astype(np.float64), (exponents - 127 - (self.bits - 2))[:, None])
        return np.where(datum >> (self.bits - 1), -size, size).reshape(len(data), elements)


def _half(values: Numbers) -> npt.NDArray[np.int64]:
    """The hardware's FP16 has no infinity and no denormals: larger numbers saturate, smaller ones become 0."""
    sign = np.where(np.signbit(values), 0x8000, 0)
    finite = np.isfinite(values)
    fraction, exponent = np.frexp(np.abs(np.where(finite, values, 0)))
    mantissa = np.rint(fraction * 2048).astype(np.int64)
    carry = mantissa == 2048
    mantissa, exponent = np.where(carry, 1024, mantissa), exponent.astype(np.int64) + carry
    normal = sign | exponent + 14 << 10 | (mantissa & 1023)
    found = np.where((mantissa == 0) | (exponent + 14 <= 0), sign, np.where(exponent + 14 > 31, sign | 0x7FFF, normal))
    return np.where(finite, found, sign | 0x7FFF)


CHIP_FORMATS = {f.name: f for f in (
    ChipFormat("bf16", 5, 16, "float32"), ChipFormat("fp32", 0, 32, "float32"), ChipFormat("tf32", 4, 32, "float32"),
    ChipFormat("fp16", 1, 16, "float32"), ChipFormat("bfp8", 6, 8, "float32", block=True), ChipFormat("bfp4", 7, 4, "float32", block=True),
    ChipFormat("bfp2", 15, 2, "float32", block=True), ChipFormat("int32", 8, 32, "int32", True), ChipFormat("int32sm", 8, 32, "int32", True),
    ChipFormat("uint32", 8, 32, "uint32", True),
    ChipFormat("uint16", 9, 16, "uint16", True), ChipFormat("int8", 14, 8, "int8", True), ChipFormat("u8", 30, 8, "uint8", True))}
NAMES = ", ".join(list(CHIP_FORMATS)[:-1]) + " and u8"


def chip_format(name: str) -> ChipFormat | None:
    """The format with the command's name; None: there is none."""
    return CHIP_FORMATS.get("u8" if name == "uint8" else name)
