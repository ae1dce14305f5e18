"""Names that kernel.chip gives to arguments, buffers, semaphores, tensors and scratchpads, as the command defines them for the compiler
(src/cli/kernel_names.c): args::NAME, dfb::NAME, sem::NAME, tensor::NAME, scratch::NAME. And compile-time arguments."""

from __future__ import annotations

import re
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING

from . import _abi
from .errors import InvalidError
from .errors import hidden as __tracebackhide__

if TYPE_CHECKING:
    from .description import Description, Statement

__all__ = ["Names", "float_bits", "is_macro", "value_of"]

_NAMED = re.compile(r"([A-Za-z_][A-Za-z0-9_]*)=(.+)", re.S)
_KEYWORDS = frozenset(
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t char32_t class compl const constexpr const_cast continue "
    "decltype default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline int long mutable namespace new "
    "noexcept not not_eq nullptr operator or or_eq private protected public register reinterpret_cast return short signed sizeof static static_assert "
    "static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while "
    "xor xor_eq".split())
_MACROS = {"args": "KERNEL_ARG_NAMES", "dfb": "KERNEL_BUFFER_NAMES", "sem": "KERNEL_SEMAPHORE_NAMES", "tensor": "KERNEL_TENSOR_NAMES",
           "scratch": "KERNEL_SCRATCH_NAMES"}
_COMPILE = 1024  # compile-time arguments of a kernel
_INDICES = 32  # of buffers and of semaphores


def value_of(word: str) -> tuple[str, str]:
    """Name and value of an argument's word, NAME=VALUE or VALUE."""
    found = _NAMED.fullmatch(word)
    return (found[1], found[2]) if found else ("", word)


def is_macro(text: str) -> bool:
    """NAME or NAME=VALUE with the name of a macro."""
    return re.match(r"[A-Za-z_][A-Za-z0-9_]*(=|\Z)", text) is not None


def float_bits(text: str) -> int | None:
    """The word of float:VALUE; None: not a number."""
    try:
        return int(struct.unpack("<I", struct.pack("<f", float(text)))[0])
    except OverflowError:
        return 0xFF800000 if text.startswith("-") else 0x7F800000
    except ValueError:
        return None


class Names:
    """What the kernels of a description get."""

    def __init__(self, d: Description, accessor: Callable[[Statement], list[int]], word: Callable[[Statement, str], int | None]) -> None:
        """accessor: the words of a tensor; word: its size in an argument's word, as ".pages"."""
        self.d, self._accessor, self._word = d, accessor, word
        self.addresses: list[str] = []  #: words of the common arguments from `first` on
        self._slots: dict[tuple[int, int], int] = {}
        self.first = min(_abi.LAUNCH_ARGS, max([0, *(s.number[0] + len(s.words) for s in d.of_kind("args") if s.role in ("common", ""))]))
        for i, s in enumerate(d.of_kind("compile")):
            for k, given in enumerate(s.words):
                self._add_address(i, k, *value_of(given))
        if self.first + len(self.addresses) > _abi.LAUNCH_ARGS:
            raise InvalidError(f"{d.path}: {self.first} common arguments and the addresses of named tensors and scratchpads: a kernel has at most {_abi.LAUNCH_ARGS}")

    def _add_address(self, i: int, k: int, name: str, value: str) -> None:
        if not name or not value.startswith(("accessor:", "scratch:")):
            return
        shown = value.removeprefix("accessor:")
        if value.startswith("scratch:") or shown not in self.addresses:
            self._slots[i, k] = len(self.addresses)
            self.addresses.append(shown)
        else:
            self._slots[i, k] = self.addresses.index(shown)

    def flags(self, role: str) -> list[str]:
        """The definitions for the compiler of a kernel."""
        return _OfRole(self, role).flags()

    def number(self, word: str) -> int | None:
        """A number of a compile-time argument; None: it is none."""
        from .description import u64

        value = u64(word)
        if value is not None:
            return value if value <= 0xFFFFFFFF else None
        if word.startswith("-") and (u64(word[1:]) or 1 << 32) <= 1 << 31:
            return -(u64(word[1:]) or 0) & 0xFFFFFFFF
        if word.startswith("float:"):
            return float_bits(word[6:])
        name, dot, what = word.partition(".")
        t = self.d.tensor(name) if dot else None
        return self._word(t, dot + what) if t else None


class _OfRole:
    def __init__(self, names: Names, role: str) -> None:
        self.names, self.d, self.role = names, names.d, role
        self.lists: dict[str, dict[str, str]] = {space: {} for space in _MACROS}
        self.map, self.words = "", list[int]()
        self.named = {"args": 0, "common": 0}
        for s in self.d.statements:
            if s.kind == "args":
                self._name_args(s)
            elif s.kind == "buffer" and s.label:
                self._add(s, "dfb", s.label, "KERNEL_DFB", f"{s.number[0]}")
        self._compile(False)
        self.positional = len(self.words)
        self._compile(True)

    def flags(self) -> list[str]:
        found = ["-DKERNEL_COMPILE_TIME_ARGS=" + ",".join(f"{word}u" for word in self.words)] if self.words else []
        found += [f"-D{_MACROS[space]}=" + "".join(rows.values()) for space, rows in self.lists.items() if rows]
        counts = {"NAMED_ARGS": self.named["args"], "NAMED_COMMON_ARGS": self.named["common"], "COMPILE_VARARGS": self.positional}
        return found + (["-DKERNEL_NAMED_COMPILE_ARGS=" + self.map] if self.map else []) + [f"-DKERNEL_{what}={n}" for what, n in counts.items() if n]

    def _add(self, s: Statement, space: str, name: str, macro: str, value: str) -> None:
        if name in _KEYWORDS:
            raise self.d.refuse(s.line, f"'{name}' is a word of C++: choose another name")
        if name in self.lists[space]:
            raise self.d.refuse(s.line, f"{space}::{name} is named twice for {self.role}")
        self.lists[space][name] = f"{macro}({name},{value}) "

    def _name_args(self, s: Statement) -> None:
        common = s.role == "common"
        if not common and s.role not in (self.role, ""):
            return
        for at, given in enumerate(s.words, s.number[0]):
            name, _ = value_of(given)
            if name:
                self._add(s, "args", name, "KERNEL_CRTA" if common else "KERNEL_RTA", f"{4 * at}")
                kind = "common" if common else "args"
                self.named[kind] = max(self.named[kind], at + 1)

    def _compile(self, named: bool) -> None:
        """Words without a name come first, so that names change no index."""
        for i, s in enumerate(self.d.of_kind("compile")):
            for k, given in enumerate(s.words if s.role in (self.role, "") else []):
                name, value = value_of(given)
                if bool(name) != named:
                    continue
                if named:
                    self._name_word(s, given, name, value, self.names._slots.get((i, k), 0))
                else:
                    self.words += self._positional(s, value)
                if len(self.words) > _COMPILE:
                    raise self.d.refuse(s.line, f"a kernel has {_COMPILE} compile-time arguments at most")

    def _positional(self, s: Statement, word: str) -> list[int]:
        value = self.names.number(word)
        if value is not None:
            return [value]
        if not word.startswith("accessor:"):
            raise self.d.refuse(s.line, f"'{word}' is neither a 32-bit number nor accessor:TENSOR")
        return self._tensor(s, word, word[9:])

    def _tensor(self, s: Statement, word: str, name: str) -> list[int]:
        t = self.d.tensor(name)
        if t is None:
            raise self.d.refuse(s.line, f"{word}: there is no tensor {name}")
        return self.names._accessor(t)

    def _name_word(self, s: Statement, word: str, name: str, value: str, slot: int) -> None:
        from .description import u64

        kind, colon, rest = value.partition(":")
        at = self.names.first + slot
        if colon and kind == "accessor":
            words = self._tensor(s, word, rest)
            self._add(s, "tensor", name, "KERNEL_TENSOR", f"{len(self.words)},{4 * at}")
            self.words += words
        elif colon and kind == "scratch":
            size = u64(rest)
            if not size or size % 4 or size > 1536 << 10:
                raise self.d.refuse(s.line, f"{word}: a scratchpad has a multiple of 4 bytes, in L1")
            self._add(s, "scratch", name, "KERNEL_SCRATCH", f"{at},{size}")
        elif colon and kind in ("buffer", "semaphore"):
            index = u64(rest)
            if index is None or index >= _INDICES:
                raise self.d.refuse(s.line, f"{word}: the index must be below {_INDICES}")
            if kind == "buffer" and all(b.number[0] != index for b in self.d.of_kind("buffer")):
                raise self.d.refuse(s.line, f"{word}: there is no buffer {index}")
            self._add(s, *(("dfb", name, "KERNEL_DFB") if kind == "buffer" else ("sem", name, "KERNEL_SEM")), f"{index}")
        else:
            number = self.names.number(value)
            if number is None:
                raise self.d.refuse(s.line, f"'{value}' is neither a 32-bit number nor accessor:TENSOR, buffer:INDEX, semaphore:INDEX or scratch:BYTES")
            self.map += f'{{"{name}",{number}u}},'
            self._add(s, "args", name, "KERNEL_CTA", f"{number}u")
