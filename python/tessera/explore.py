"""A program under schedules that hardware may have."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from . import _abi, _args
from ._lib import lib, refuse, text, until_interrupt
from .errors import InvalidError
from .errors import hidden as __tracebackhide__

if TYPE_CHECKING:
    from .tile import Tile

__all__ = ["Delay", "Exploration", "explore"]


@dataclass(frozen=True)
class Delay:
    """The held target, the cycle and the length of a delay."""

    target: str
    cycle: int
    cycles: int
    place: str

    def __str__(self) -> str:
        unit = "cycle" if self.cycles == 1 else "cycles"
        return f"cycle {self.cycle}: {self.target} is held for {self.cycles} {unit}" + (f" at {self.place}" if self.place else "")


@dataclass(frozen=True)
class Exploration:
    """The result: the number of schedules that change the outcome, and the smallest one."""

    runs: int
    broken: int
    cycles: int
    what: str  #: the difference in a sentence; ""
    finding: str  #: its name; ""
    delays: tuple[Delay, ...]

    @property
    def good(self) -> bool:
        """No schedule changes the outcome."""
        return self.broken == 0

    def __str__(self) -> str:
        head = f"{self.runs} schedules, {self.cycles} cycles without delays: "
        if self.good:
            return head + "all end alike"
        named = f" [{self.finding}]" if self.finding else ""
        count = f"smallest schedule, {len(self.delays)} delay{'' if len(self.delays) == 1 else 's'}:"
        return "\n".join([f"{head}{self.broken} of them end differently: {self.what}{named}", count] + [f"  {d}" for d in self.delays])


def explore(tile: Tile, schedules: int, *, seed: int, threads: int, cycles: int, ignore: Iterable[tuple[int, int]]) -> Exploration:
    """See Tile.explore."""
    ranges = [_args.integers(part, "Tile.explore: ignore") for part in _args.items(ignore, "Tile.explore: ignore", "a list of (address, bytes)")]
    if any(len(part) != 2 for part in ranges):
        raise InvalidError(f"Tile.explore: ignore is a list of (address, bytes), not {_args.shown(ignore)}")
    words = (_abi.Word * max(len(ranges), 1))(*[_abi.Word(address, 0, length) for address, length in ranges])
    options = _abi.ExploreOptions(schedules=schedules, threads=threads, seed=seed, max_cycles=min(cycles, _abi.FOREVER),
                                  ignore=ctypes.addressof(words), ignore_count=len(ranges))
    found = _abi.Exploration()
    result = until_interrupt(lambda stop: lib.tessera_tile_explore_until(tile._handle, ctypes.byref(options), ctypes.byref(stop), ctypes.byref(found)))
    if result != _abi.OK:
        raise refuse(result, text(lib.tessera_tile_error(tile._handle)))
    if not found.runs:
        raise InvalidError("the program faults or does not end within the cycle limit: run it first")
    delays = tuple(Delay(text(lib.tessera_delay_target(d.target)), d.cycle, d.cycles, text(d.place)) for d in found.delay[: found.delay_count])
    return Exploration(found.runs, found.broken, found.cycles, text(found.what), text(found.finding), delays)
