"""Formats against independent arithmetic: exact fractions, NumPy's own types, ml_dtypes if installed."""

from __future__ import annotations

import numpy as np
import pytest

import tessera
from tessera import formats

RNG = np.random.default_rng(7)
NUMBERS = np.concatenate([RNG.normal(size=2000), RNG.normal(size=1072) * 10.0 ** RNG.integers(-20, 20, 1072)]).astype(np.float32)


def nearest(values: np.ndarray, bits: int) -> np.ndarray:
    """float32 with this many mantissa bits, ties to even, by scaling: independent of the bit tricks under test."""
    mantissa, exponent = np.frexp(values.astype(np.float64))
    return np.ldexp(np.rint(mantissa * 2.0 ** (bits + 1)), exponent - bits - 1)


@pytest.mark.parametrize("name, bits", [("bf16", 7), ("tf32", 10)])
def test_short_floats_round_to_nearest_even(name: str, bits: int) -> None:
    got = formats.from_bytes(formats.to_bytes(NUMBERS, name), name)
    np.testing.assert_array_equal(got.astype(np.float64), nearest(NUMBERS, bits))


def test_bf16_is_ml_dtypes_bfloat16() -> None:
    ml_dtypes = pytest.importorskip("ml_dtypes")
    special = np.array([0.0, -0.0, np.inf, -np.inf, 3.3895e38, 1e-40], dtype=np.float32)
    values = np.concatenate([NUMBERS, special])
    theirs = values.astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(formats.to_bytes(values, "bf16").view(np.uint16), theirs.view(np.uint16))
    assert formats.of_array(theirs) == formats.named("bf16")
    np.testing.assert_array_equal(formats.to_bytes(theirs, "bf16"), theirs.view(np.uint8))


def test_nan_stays_nan() -> None:
    for name in ("fp32", "tf32", "bf16", "fp16"):
        assert np.isnan(formats.from_bytes(formats.to_bytes(np.array([np.nan], dtype=np.float32), name), name)).all()


def test_fp16_is_numpys() -> None:
    small = RNG.normal(size=500).astype(np.float32)
    np.testing.assert_array_equal(formats.from_bytes(formats.to_bytes(small, "fp16"), "fp16"), small.astype(np.float16).astype(np.float32))


def test_fp8_is_e5m2() -> None:
    every = np.arange(256, dtype=np.uint8)
    values = formats.from_bytes(every, "fp8")
    finite = np.isfinite(values)
    np.testing.assert_array_equal(formats.to_bytes(values[finite], "fp8"), every[finite])
    assert formats.from_bytes(np.array([0x3C, 0x3D, 0xC0], dtype=np.uint8), "fp8").tolist() == [1.0, 1.25, -2.0]
    ml_dtypes = pytest.importorskip("ml_dtypes")
    values = np.concatenate([NUMBERS, np.array([1e9, 57344, 61439, 61441, 2.0**-17, np.inf], dtype=np.float32)])
    np.testing.assert_array_equal(formats.to_bytes(values, "fp8"), values.astype(ml_dtypes.float8_e5m2).view(np.uint8))


@pytest.mark.parametrize("name, bits", [("bfp8", 7), ("bfp4", 3), ("bfp2", 1), ("bfp8a", 7), ("bfp4a", 3), ("bfp2a", 1)])
def test_block_formats_share_an_exponent(name: str, bits: int) -> None:
    values = (RNG.normal(size=2048) * 2.0 ** np.repeat(RNG.integers(-5, 5, 128), 16)).astype(np.float32)
    raw = formats.to_bytes(values, name)
    assert raw.size == 2 * formats.named(name).bytes_of_tile
    got = formats.from_bytes(raw, name).reshape(-1, 16)
    rows = values.reshape(-1, 16).astype(np.float64)
    step = 2.0 ** (np.floor(np.log2(np.abs(rows).max(axis=1))) - (bits - 1))[:, None]
    want = np.sign(rows) * np.minimum(np.rint(np.abs(rows) / step), 2**bits - 1) * step
    np.testing.assert_array_equal(got, want)


def test_zero_and_integers() -> None:
    assert not formats.from_bytes(formats.to_bytes(np.zeros(1024), "bfp8"), "bfp8").any()
    whole = np.array([0, 1, -1, 127, -127])
    assert formats.from_bytes(formats.to_bytes(whole, "int8"), "int8").tolist() == whole.tolist()
    large = np.array([2**31 - 1, -(2**31 - 1), 5, -5])
    assert formats.from_bytes(formats.to_bytes(large, "int32"), "int32").tolist() == large.tolist()
    assert formats.to_bytes(np.array([-1]), "int32").view(np.uint32)[0] == 0x80000001  # sign and magnitude
    assert formats.from_bytes(formats.to_bytes(np.array([65535, 3]), "uint16"), "uint16").tolist() == [65535, 3]


@pytest.mark.parametrize("name, value", [
    ("int32", -(2**31)), ("int32", 2**31), ("int8", -128), ("int8", 200), ("uint16", -1), ("uint16", 65536), ("uint16", 2**40), ("int32", 1.5),
    ("uint16", np.nan), ("int8", np.inf), ("bfp8", np.inf), ("bfp4", np.nan), ("int32", 2.0**31), ("int32", np.uint64(2**63))])
def test_what_a_format_cannot_hold_is_refused(name: str, value: float) -> None:
    with pytest.raises(tessera.InvalidError, match=f"^{name} holds "):
        formats.to_bytes(np.full(1024, value), name)
    with pytest.raises(tessera.InvalidError, match=f"^{name} holds "):
        tessera.Tile().l1.write(0x20000, np.full(1024, value), name)


def test_whole_floats_fit_integer_formats() -> None:
    assert formats.from_bytes(formats.to_bytes(np.array([-5.0, 2.0]), "int32"), "int32").tolist() == [-5, 2]
    assert formats.from_bytes(formats.to_bytes(np.array([True, False]), "uint16"), "uint16").tolist() == [1, 0]


def test_tiles_are_four_faces() -> None:
    matrix = np.arange(64 * 96).reshape(64, 96)
    tiles = formats.tilize(matrix)
    for row, column in ((0, 0), (17, 3), (40, 70), (63, 95)):
        tile = row // 32 * 3 + column // 32
        face = row % 32 // 16 * 2 + column % 32 // 16
        assert tiles[tile, face * 256 + row % 16 * 16 + column % 16] == matrix[row, column]
    np.testing.assert_array_equal(formats.untilize(tiles, 64, 96), matrix)


@pytest.mark.parametrize("call", [
    lambda: formats.named("bf17"), lambda: formats.tilize(np.zeros((32, 33))), lambda: formats.tilize(np.zeros(32)),
    lambda: formats.to_bytes(np.zeros(100), "bfp8"), lambda: formats.from_bytes(np.zeros(3, dtype=np.uint8), "bf16"),
    lambda: formats.untilize(np.zeros(1024), 32, 64)])
def test_what_makes_no_sense_is_one_line(call: object) -> None:
    with pytest.raises(tessera.InvalidError) as caught:
        call()  # type: ignore[operator]
    assert "\n" not in str(caught.value) and caught.value.code == 2
