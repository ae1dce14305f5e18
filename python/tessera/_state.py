"""A saved state with its programs: the executables that give lines and symbols are saved with the bytes of the machine.

The library's own state is the machine alone. save() puts the executables and assembled programs after it, so that a state which is restored into
a fresh tile, or read from a file by another process, gives the same hangs, faults and reports. A state of the C API, which has no
programs, is accepted too: the tile keeps its own programs.

    state of the library | programs, each once | table (JSON) | lengths, CRC-32, magic
"""

from __future__ import annotations

import json
import struct
import zlib

from .errors import RefusedError

__all__ = ["DAMAGED", "Programs", "join", "split"]

#: (place, core or "asm") to (name, content): place is "" for a tile, "x,y" for a tile of a chip
Programs = dict[tuple[str, str], tuple[str, bytes]]

_MAGIC = b"tessera programs"
_END = struct.Struct("<QQI16s")
DAMAGED = "the saved state is damaged: its programs are not what was saved"


def join(state: bytes, programs: Programs) -> bytes:
    """The library's state with programs after it; unchanged if there are none."""
    if not programs:
        return state
    blobs: dict[bytes, int] = {}
    rows = [[place, core, name, blobs.setdefault(content, len(blobs))] for (place, core), (name, content) in programs.items()]
    data = b"".join(blobs)
    table = json.dumps({"lengths": [len(blob) for blob in blobs], "programs": rows}).encode()
    return state + data + table + _END.pack(len(data), len(table), zlib.crc32(data + table), _MAGIC)


def split(saved: bytes) -> tuple[bytes, Programs | None]:
    """The library's state, and its programs; None: saved without programs."""
    if not saved.endswith(_MAGIC):
        return saved, None
    if len(saved) < _END.size:
        raise RefusedError(DAMAGED)
    data_bytes, table_bytes, check, _ = _END.unpack(saved[-_END.size :])
    length = len(saved) - _END.size - data_bytes - table_bytes
    if length < 0 or zlib.crc32(saved[length : -_END.size]) != check:
        raise RefusedError(DAMAGED)
    try:
        table = json.loads(saved[length + data_bytes : -_END.size])
        lengths, rows = table["lengths"], table["programs"]
        if not _is_table(lengths, rows) or sum(lengths) != data_bytes:
            raise RefusedError(DAMAGED)
        blobs, at = [], length
        for size in lengths:
            blobs.append(saved[at : at + size])
            at += size
        return saved[:length], {(place, core): (name, blobs[blob]) for place, core, name, blob in rows}
    except (ValueError, KeyError, TypeError, IndexError, RecursionError):
        raise RefusedError(DAMAGED) from None


def _is_table(lengths: object, rows: object) -> bool:
    """Whether the parsed table is one that join() makes."""
    if not isinstance(lengths, list) or not all(type(size) is int and size >= 0 for size in lengths) or not isinstance(rows, list):
        return False
    return all(isinstance(row, list) and [type(part) for part in row] == [str, str, str, int] and 0 <= row[3] < len(lengths) for row in rows)
