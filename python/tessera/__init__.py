"""Tessera: the Tenstorrent Blackhole Tensix tile and chip, and the Ascend PTO pipe, simulated bit by bit and cycle by cycle.

>>> import numpy as np, tessera
>>> tile = tessera.Tile()
>>> tile.l1.write(0x20000, np.eye(32), "bf16", tiles=True)
2048
>>> float(tile.l1.read(0x20000, (32, 32), "bf16", tiles=True).trace())
32.0
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import errors, formats
from ._lib import lib as _library
from ._lib import text as _text
from .errors import ArgumentTypeError, BuildError, CompilerWarning, Error, ExpectationError, FaultError, FileError, FindingError, HangError, InvalidError, LimitError, RefusedError
from .memory import Memory
from .names import CORES, EVENTS, FOREVER, Event, Place, Stop
from .report import Report
from .tile import Tile

if TYPE_CHECKING:
    from . import isa, pto
    from .chip import Chip, Node, products
    from .explore import Delay, Exploration
    from .findings import Fault, Finding, Hang, Source, Waiter
    from .folder import ChipRun
    from .kernel import Kernel, Run, Tensor

__version__: str = _text(_library.tessera_version())

__all__ = [
    "ArgumentTypeError", "BuildError", "CORES", "Chip", "ChipRun", "CompilerWarning", "Delay", "EVENTS", "Error", "Event", "ExpectationError", "Exploration", "FOREVER", "Fault", "FaultError", "FileError", "Finding",
    "FindingError", "Hang", "HangError", "InvalidError", "Kernel", "LimitError", "Memory", "Node", "Place", "RefusedError", "Report", "Run",
    "Source", "Stop", "Tensor", "Tile", "Waiter", "errors", "formats", "isa", "products", "pto",
]

# Loaded at first use, so that an import loads only what a program needs.
_LATER = {"Chip": "chip", "ChipRun": "folder", "Node": "chip", "products": "chip", "Delay": "explore", "Exploration": "explore", "Kernel": "kernel",
          "Run": "kernel", "Tensor": "kernel", "Fault": "findings", "Finding": "findings", "Hang": "findings", "Source": "findings",
          "Waiter": "findings"}


def __getattr__(name: str) -> Any:
    import importlib

    if name in ("isa", "pto"):
        return importlib.import_module("." + name, __name__)
    if name in _LATER:
        value = getattr(importlib.import_module("." + _LATER[name], __name__), name)
        globals()[name] = value
        return value
    raise AttributeError(f"module 'tessera' has no attribute '{name}'")
