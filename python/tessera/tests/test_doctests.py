"""Runs the example of every docstring; the packages must have some."""

from __future__ import annotations

import doctest
import importlib

import pytest

PLAIN = ["tessera", "tessera.formats", "tessera.memory", "tessera.tile", "tessera.chip", "tessera.isa", "tessera.pto"]
BUILDS = ["tessera.kernel", "tessera.examples.gelu", "tessera.examples.rmsnorm", "tessera.examples.linear"]


@pytest.mark.parametrize("name", PLAIN + [pytest.param(name, marks=pytest.mark.builds) for name in BUILDS])
def test_examples_in_docstrings(name: str) -> None:
    result = doctest.testmod(importlib.import_module(name))
    assert result.failed == 0 and result.attempted >= 3
