"""Faults, findings and hangs as values that print like the command."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any

from . import _abi
from ._args import checked
from ._lib import text

__all__ = ["Source", "Finding", "Fault", "Releaser", "Waiter", "Hang"]


@dataclass(frozen=True)
class Source:
    """A position in the user's source: the innermost frame outside the kernel library, and the library call in it."""

    file: str
    line: int
    function: str = ""
    call: str = ""
    path: str = ""
    pc: int = 0
    caller: str = ""  #: the user's line that calls the function, "writer.c:5"

    def __str__(self) -> str:
        inner = ", in ".join(part for part in (self.function, self.call) if part)
        return f"{self.file}:{self.line}" + (f", called at {self.caller}" if self.caller else "") + (f" ({inner})" if inner else "")

    @checked
    def lines(self, around: int = 2) -> list[str]:
        """The source around the position, with the line itself marked with >; [] if the file does not exist."""
        for path in (self.path, self.file):
            if path and self.line and os.path.isfile(path):
                with open(path, encoding="utf-8", errors="replace") as file:
                    source = file.read().splitlines()
                first = max(self.line - around, 1)
                numbered = enumerate(source[first - 1 : self.line + around], first)
                return [f"{'>' if number == self.line else ' '} {number:4} | {line}" for number, line in numbered]
        return []


def source_of(value: dict[str, Any] | None) -> Source | None:
    """A place of the JSON report."""
    if not value or not value.get("file"):
        return None
    return Source(value["file"], value["line"], value.get("function", ""), value.get("call", ""), value.get("path", ""), value["pc"], value.get("caller", ""))


def _source(s: _abi.Source) -> Source | None:
    if not s.file:
        return None
    return Source(text(s.file), s.line, text(s.function), text(s.call), text(s.path), s.pc, text(s.caller))


@dataclass(frozen=True)
class Finding:
    """One place of the program to which a diagnostic applies. ``str`` is the text of the command's report."""

    id: str
    severity: str  #: "note", "warning", "error"
    core: str | None  #: whose program it is in
    who: str
    what: str  #: the rule
    why: str  #: the values in this case
    document: str  #: where the rule is written
    first_cycle: int
    count: int
    pc: int
    word: int
    place: Source | None
    other: Source | None  #: the other side of a race
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Fault:
    """The reason why the machine stopped: an access, an instruction, or a kernel's own check. ``str`` is the command's text."""

    cycle: int
    kind: str
    who: str
    pc: int
    word: int
    why: str
    document: str
    place: str
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True)
class Releaser:
    """An agent that could end a wait, and its present state."""

    name: str
    role: str
    state: str


@dataclass(frozen=True)
class Waiter:
    """A waiting core or thread: its resource, cycle and place, and the agents that could release it."""

    name: str
    core: str | None
    since: int
    what: str
    resource: str
    kind: str
    value: int
    wanted: int
    wish: str
    place: Source | None
    waits_for: int  #: the number of the waiter that has to go on first; -1: none will
    releasers: tuple[Releaser, ...]
    last: str  #: who wrote, posted or filled last; ""
    last_cycle: int
    last_place: Source | None
    tile: tuple[int, int] | None
    why: str

    def __str__(self) -> str:
        at = f" at {self.place}" if self.place else ""
        return f"{self.name}{at} has been waiting since cycle {self.since} for {self.what}"


@dataclass(frozen=True)
class Party:
    """A core that does not wait: its kernel has returned, it idles in its firmware, it loops or runs."""

    name: str
    core: str
    state: str
    place: Source | None
    tile: tuple[int, int] | None


@dataclass(frozen=True)
class Hang:
    """No agent can continue. ``str`` is the command's text; ``cause`` is its first sentence."""

    cycle: int
    cause: str
    deadlock: bool
    waiters: tuple[Waiter, ...]
    chain: tuple[int, ...]  #: waiters by number, the cause first
    words: str
    others: tuple[Party, ...] = ()  #: the cores that do not wait; of a chip those of the tiles that ran

    def __str__(self) -> str:
        return self.words


def _waiter(w: _abi.Waiter, cores: list[str]) -> Waiter:
    releasers = tuple(Releaser(text(r.name), text(r.role), text(r.state)) for r in w.releasers[: w.releaser_count])
    return Waiter(
        name=text(w.name), core=cores[w.core] if w.core >= 0 else None, since=w.since, what=text(w.what), resource=text(w.resource),
        kind=text(w.kind), value=w.value, wanted=w.wanted, wish=text(w.wish), place=_source(w.place), waits_for=w.waits_for,
        releasers=releasers, last=text(w.last_name), last_cycle=w.last_cycle, last_place=_source(w.last_place),
        tile=(w.tile_x, w.tile_y) if w.tile_x >= 0 else None, why=text(w.why),
    )


def _others(handle: int | None, party_call: Any, cores: list[str]) -> tuple[Party, ...]:
    others: list[Party] = []
    party = _abi.Party()
    while party_call and party_call(handle, len(others), ctypes.byref(party)) == _abi.OK:
        tile = (party.tile_x, party.tile_y) if party.tile_x >= 0 else None
        others.append(Party(text(party.name), cores[party.core], text(party.state), _source(party.place), tile))
    return tuple(others)


def read_hang(
    handle: int | None, hang_call: Any, waiter_call: Any, words: str, cores: list[str], good: int = _abi.OK, party_call: Any = None
) -> Hang | None:
    """The hang of a tile, chip or PTO program; `good` is the result of a successful waiter_call."""
    found = _abi.Hang()
    if not hang_call(handle, ctypes.byref(found)):
        return None
    waiters = []
    for index in range(found.waiter_count):
        waiter = _abi.Waiter()
        if waiter_call(handle, index, ctypes.byref(waiter)) == good:
            waiters.append(_waiter(waiter, cores))
    chain = tuple(found.chain[: found.chain_count])
    return Hang(found.cycle, text(found.cause), bool(found.deadlock), tuple(waiters), chain, words, _others(handle, party_call, cores))


def read_fault(f: _abi.Fault, words: str) -> Fault:
    """A fault of the C API, with the text of its explanation."""
    return Fault(f.cycle, text(f.kind), text(f.who), f.pc, f.word, text(f.why), text(f.document), text(f.place), words)
