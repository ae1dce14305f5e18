"""Dst as NumPy arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from . import formats
from ._args import checked
from .errors import InvalidError

if TYPE_CHECKING:
    import numpy.typing as npt

    from .tile_view import TileView

__all__ = ["Dst"]


class Dst:
    """Dst: 1024 rows of 16 numbers of 16 bits, or 512 of 32 bits. Each read is one copy."""

    def __init__(self, tile: TileView) -> None:
        self._tile = tile

    def _maps(self, tile: TileView) -> tuple[bool, bool]:
        from .isa import config_field

        words = tile.registers("config", 0, 1)[0]
        remap, swizzle = config_field("DEST_ACCESS_CFG_remap_addrs"), config_field("DEST_ACCESS_CFG_swizzle_32b")
        return bool(words[remap.address] >> remap.low_bit & 1), bool(words[swizzle.address] >> swizzle.low_bit & 1)

    def _rows(self, tile: TileView, wide: bool) -> npt.NDArray[np.int64]:
        """Physical rows of the rows of a view. ISA: Dst.md"""
        row: npt.NDArray[np.int64] = np.arange(512 if wide else 1024, dtype=np.int64)
        remap, swizzle = self._maps(tile)
        if remap:
            row = (row & 0x3C7) ^ ((row & 0x30) >> 1) ^ ((row & 8) << 2)
        if wide and swizzle:
            row = (row & 0x3F3) ^ ((row & 0x18) >> 1) ^ ((row & 4) << 1)
        return (row & 0x1F8) << 1 | row & 0x207 if wide else row

    def array(self, format: str = "bf16") -> npt.NDArray[Any]:
        """All rows: bf16 and fp16 as (1024, 16), fp32, tf32 and int32 as (512, 16)."""
        tile, f = self._tile, formats.named(format)
        bits = tile.registers("dst")
        if f.name in ("bf16", "fp16"):
            return formats.dst16_to_float(bits[self._rows(tile, False)], f)
        if f.name not in ("fp32", "tf32", "int32"):
            raise InvalidError(f"Dst holds bf16, fp16, fp32, tf32 or int32, not {f.name}")
        high = self._rows(tile, True)
        words = formats.dst32_to_bits(bits[high], bits[high + 8])
        return formats._of_sign_magnitude(words, 32) if f.name == "int32" else words.view(np.float32)

    @checked
    def tile(self, index: int, format: str = "bf16") -> npt.NDArray[Any]:
        """Data tile `index` as a matrix of 32 x 32."""
        rows = self.array(format)
        if not 0 <= index < len(rows) // 64:
            raise InvalidError(f"Dst holds {len(rows) // 64} tiles of {format}: there is no tile {index}")
        return formats.untilize(rows[64 * index : 64 * index + 64], 32, 32)

    @property
    def valid(self) -> npt.NDArray[np.bool_]:
        """Which physical rows are defined."""
        valid: npt.NDArray[np.bool_] = self._tile.registers("dst_valid")[:, 0] != 0
        return valid

    def __repr__(self) -> str:
        return "<Dst: 1024 rows of 16 numbers>"
