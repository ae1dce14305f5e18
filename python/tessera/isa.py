"""The instruction set: assembler, disassembler, description of an instruction.

>>> from tessera import isa
>>> hex(isa.assemble("ttsetrwc 0, 0, 0, 0, 0, 15")[0][0])
'0x3700000f'
>>> isa.disassemble(0x02000000)
'ttnop'
"""

from __future__ import annotations

import ctypes
import functools
import weakref
from typing import TYPE_CHECKING

import numpy as np

from . import _abi
from ._args import checked
from ._lib import Handle, at_exit, grown, lib, text
from .errors import InvalidError, RefusedError
from .errors import hidden as __tracebackhide__

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Assembly", "assemble", "disassemble", "fields", "explain", "config_field", "c_header"]


def _destroy(handle: int) -> None:
    if not at_exit():
        lib.tessera_asm_destroy(handle)


class Assembly(Handle):
    """An assembled program; RefusedError has the first error, and all of them in its ``log``."""

    @checked
    def __init__(self, source: str, name: str = "program.tta") -> None:
        content = source.encode()
        handle = lib.tessera_assemble(name.encode(), content, len(content))
        if not handle:
            raise MemoryError("out of memory")
        self.handle: int = handle
        self._finalizer = weakref.finalize(self, _destroy, handle)
        count = lib.tessera_asm_error_count(handle)
        if count:
            raise RefusedError.of_text("\n".join(grown(lib.tessera_asm_explain, handle, i).rstrip("\n") for i in range(count)))

    @checked
    def words(self, thread: int) -> npt.NDArray[np.uint32]:
        """The words of a thread."""
        return self._copy(thread, lib.tessera_asm_words)

    @checked
    def lines(self, thread: int) -> npt.NDArray[np.uint32]:
        """The source line of each word."""
        return self._copy(thread, lib.tessera_asm_lines)

    def _copy(self, thread: int, call: object) -> npt.NDArray[np.uint32]:
        count = lib.tessera_asm_word_count(self.handle, thread)
        address = call(self.handle, thread) if callable(call) and count else None
        if not address:
            return np.zeros(0, dtype=np.uint32)
        return np.ctypeslib.as_array((ctypes.c_uint32 * count).from_address(address)).copy()


@checked
def assemble(source: str, name: str = "program.tta") -> list[npt.NDArray[np.uint32]]:
    """The words of the three threads."""
    program = Assembly(source, name)
    return [program.words(thread) for thread in range(_abi.THREADS)]


@checked
def disassemble(word: int) -> str:
    """An instruction as text; for a word that is none, .ttinsn with the reason."""
    return grown(lib.tessera_disassemble, word)


@checked
def fields(word: int) -> str:
    """Every field of an instruction by name."""
    return grown(lib.tessera_disassemble_fields, word)


@checked
def explain(name: str) -> str:
    """The text of `tessera isa NAME`: bits, operands, blocking conditions, cycles, evidence."""
    opcode = lib.tessera_isa_find(name.encode())
    if opcode < 0:
        nearest = text(lib.tessera_isa_nearest(name.encode()))
        raise InvalidError(f"no instruction '{name}'" + (f"; is it '{nearest}'?" if nearest else ""))
    return grown(lib.tessera_isa_text, _abi.ISA_EXPLAIN, opcode)


def c_header() -> str:
    """tensix_isa.h: instructions, constants and configuration fields for kernels."""
    return grown(lib.tessera_isa_text, _abi.ISA_C_HEADER, 0)


@checked
def config_field(name: str) -> _abi.ConfigField:
    """A field of the configuration registers by its name."""
    return _config_field(name)


@functools.lru_cache(maxsize=64)
def _config_field(name: str) -> _abi.ConfigField:
    found = _abi.ConfigField()
    for index in range(lib.tessera_config_field_count()):
        if lib.tessera_config_field(index, ctypes.byref(found)) == _abi.OK and text(found.name) == name:
            return found
    raise InvalidError(f"no configuration field '{name}'")
