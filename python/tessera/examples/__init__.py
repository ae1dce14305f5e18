"""Kernels to read, run and change. Each module's docstring runs it and compares with NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tessera import InvalidError, formats
from tessera._args import shape_text

if TYPE_CHECKING:
    import numpy.typing as npt


def matrix(values: npt.ArrayLike, name: str) -> npt.NDArray[Any]:
    """An argument of an example: a matrix of whole tiles."""
    array = formats.numbers(values, name)
    if array.ndim != 2 or array.shape[0] % 32 or array.shape[1] % 32 or not array.size:
        raise InvalidError(f"{name} is a matrix in tiles of 32 x 32, not {shape_text(array.shape)}")
    return array


def vector(values: npt.ArrayLike, name: str, length: int) -> npt.NDArray[Any]:
    """An argument of an example: one number for each column."""
    array = formats.numbers(values, name)
    if array.shape != (length,):
        raise InvalidError(f"{name} has one number for each of {length} columns, not {shape_text(array.shape)}")
    return array
