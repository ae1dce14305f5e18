"""Tests of add.c: run them with `pytest`, with a report by `pytest --tessera-report reports`."""

from __future__ import annotations

import pathlib

import numpy as np
import pytest

from tessera.pytest_plugin import KernelMaker

RNG = np.random.default_rng(1)
A, B = RNG.normal(size=(64, 96)), RNG.normal(size=(64, 96))


@pytest.mark.tessera_timing("off", "cycle")
@pytest.mark.parametrize("format, allowed", [("bf16", 0.05), ("bfp8", 0.1)])
def test_adds(tessera_kernel: KernelMaker, format: str, allowed: float) -> None:
    run = tessera_kernel("add.c").run([A, B], A.shape, args=[6], format=format)
    assert np.abs(run.output - (A + B)).max() < allowed


@pytest.mark.tessera_explore(schedules=10)
def test_has_no_race(tessera_kernel: KernelMaker) -> None:
    tessera_kernel("add.c").run([A, B], A.shape, args=[6])


@pytest.mark.xfail(reason="shows what a race looks like", strict=True)
def test_missing_wait(tessera_kernel: KernelMaker) -> None:
    source = (pathlib.Path(__file__).parent / "add.c").read_text()
    tessera_kernel(source.replace("cb_wait_front(1, 1);", "")).run([A, B], A.shape, args=[6])


@pytest.mark.xfail(reason="shows what a hang looks like", strict=True)
def test_wrong_count(tessera_kernel: KernelMaker) -> None:
    tessera_kernel("add.c").run([A, B], A.shape, args=[7])
