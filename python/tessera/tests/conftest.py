"""Marker `builds`: the test compiles kernels for the RISC-V cores; without a compiler it is skipped."""

from __future__ import annotations

import os
import shutil

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "builds: compiles kernels for the RISC-V cores")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if shutil.which(os.environ.get("TESSERA_RISCV_CC", "riscv64-unknown-elf-gcc")) is None:
        for item in items:
            if item.get_closest_marker("builds"):
                item.add_marker(pytest.mark.skip(reason="no RISC-V compiler"))
