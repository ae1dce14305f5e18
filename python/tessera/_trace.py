"""A file for a trace, which the library writes while a machine runs."""

from __future__ import annotations

import ctypes
import os
from types import TracebackType
from typing import Any

from . import _args

__all__ = ["TraceFile"]

_WRITE = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t)


class TraceFile:
    """The file of a `with` block; `write` is the library's callback. An exception cannot pass through C: the first one that writing raises, on a
    full disk, ends the block with a FileError, unless the block has an error of its own."""

    def __init__(self, path: str | os.PathLike[str], where: str) -> None:
        self._file, self._path = _args.open_file(path, "wb", where), os.fspath(path)
        self._error: OSError | ValueError | None = None
        self.write: Any = _WRITE(self._written)

    def _written(self, _: Any, data: int, size: int) -> int:
        """0: the bytes are written."""
        try:
            if self._error is None:
                self._file.write(ctypes.string_at(data, size))
        except (OSError, ValueError) as error:
            self._error = error
        return self._error is not None

    def check(self) -> None:
        """Raises the error of what was written so far."""
        if self._error is not None:
            raise _args.file_error(self._path, self._error) from None

    def __enter__(self) -> TraceFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        try:
            self._file.close()
        except OSError as error:
            self._error = self._error or error
        if kind is None:
            self.check()
