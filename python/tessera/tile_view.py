"""Reading a tile: memory, registers, counters, places in programs, findings, reports."""

from __future__ import annotations

import ctypes
from _thread import allocate_lock
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _abi, _args, _state
from ._args import checked
from ._lib import Handle, grown, lib, refuse, text
from .dst import Dst
from .errors import FaultError, InvalidError
from .errors import hidden as __tracebackhide__
from .memory import Memory
from .names import CORES, COUNTERS, L1_BYTES, PROFILES, Place, Stop, core_number, file_shape
from .report import Report

if TYPE_CHECKING:
    import numpy.typing as npt

    from .findings import Fault, Finding, Hang

__all__ = ["TileView"]

_PRINT_ORDER = ("BRISC", "NCRISC", "TRISC0", "TRISC1", "TRISC2")


class TileView(Handle):
    """The read-only part of a Tile: a hook and another thread may call it while the tile runs."""

    def _setup(self, handle: int, owner: object = None) -> None:
        self._open: int = handle  # 0: closed
        self._owner = owner  # a chip that the tile belongs to
        self._callbacks: dict[int, Any] = {}
        self._raised: BaseException | None = None  # by a hook
        self._run_lock = allocate_lock()  # held while it runs
        self._place = ""  # "x,y" in a chip
        self._drained: dict[int, bytes] = {}  # of each core: text that _drain took out of its print buffer
        self._launched = False  # a kernel has run since creation, reset or restore
        self._programs: _state.Programs = {}  # a chip's tiles share its own

    @property
    def _handle(self) -> int:
        if not self._open:
            raise InvalidError("the tile is closed: make a new one (Tile(), or the chip's tile())")
        return self._open

    @property
    def l1(self) -> Memory:
        """L1, and the registers above it that the NoC can access."""
        return Memory("L1", L1_BYTES, lambda a, p, n: int(lib.tessera_tile_read(self._handle, a, p, n)),
                      self._write, lambda: text(lib.tessera_tile_error(self._handle)))

    def _write(self, address: int, data: int, length: int) -> int:
        self._idle("l1")
        return int(lib.tessera_tile_write(self._handle, address, data, length))

    def _idle(self, call: str) -> None:
        """A hook is called in the middle of a run: it must not change or close the machine."""
        lock = getattr(self._owner, "_run_lock", self._run_lock)
        if lock.locked():
            raise self._runs(call)

    @staticmethod
    def _runs(call: str) -> InvalidError:
        return InvalidError(f"Tile.{call}: the tile runs: a hook and other threads read it, and request_stop() ends the run")

    @property
    def dst(self) -> Dst:
        """Dst as arrays."""
        return Dst(self)

    def _ok(self, result: int) -> None:
        if result == _abi.FAULT:
            raise FaultError(self.explain(), self.fault)
        if result != _abi.OK:
            raise refuse(result, text(lib.tessera_tile_error(self._handle)))

    @property
    def stop(self) -> Stop:
        """The reason of the last stop."""
        info = _abi.StopInfo()
        lib.tessera_tile_stop_info(self._handle, ctypes.byref(info))
        core = CORES[info.core] if info.core >= 0 else None
        place = self.place_text(info.core, info.pc) if core else ""
        return Stop(text(lib.tessera_stop_name(info.reason)), info.cycle, info.number, core, info.pc, info.address, place)

    @property
    def cycle(self) -> int:
        """The tile's time."""
        return int(lib.tessera_tile_cycle(self._handle))

    @property
    def hash(self) -> int:
        """A hash of the state."""
        return int(lib.tessera_tile_hash(self._handle))

    @checked
    def param(self, name: str) -> int:
        """The value of a parameter."""
        value = ctypes.c_uint32()
        self._ok(lib.tessera_tile_param(self._handle, name.encode(), ctypes.byref(value)))
        return value.value

    # --- programs ---

    @checked
    def symbol(self, core: str | int, name: str) -> int:
        """The address of a symbol of the core's executable."""
        address = ctypes.c_uint32()
        if lib.tessera_tile_symbol(self._handle, core_number(core), name.encode(), ctypes.byref(address)) != _abi.OK:
            raise InvalidError(f"{CORES[core_number(core)]}'s executable has no symbol '{name}'")
        return address.value

    @checked
    def place(self, core: str | int, pc: int) -> Place | None:
        """Function and line of pc in the core's program."""
        found = _abi.Place()
        if lib.tessera_tile_place(self._handle, core_number(core), pc, ctypes.byref(found)) != _abi.OK:
            return None
        return Place(text(found.function), found.offset, text(found.file), found.line)

    @checked
    def place_text(self, core: str | int, pc: int) -> str:
        """"main+0x14 (kernel.c:31)" or ""."""
        return grown(lib.tessera_tile_place_text, self._handle, core_number(core), pc)

    @checked
    def line(self, core: str | int, file: str, line: int) -> int:
        """The address of the first instruction of a source line. InvalidError names the next line that has code on this core."""
        address = ctypes.c_uint32()
        self._ok(lib.tessera_tile_line(self._handle, core_number(core), file.encode(), line, ctypes.byref(address)))
        return address.value

    # --- errors and costs ---

    @property
    def fault(self) -> Fault | None:
        """The first fault, or the kernel's check that failed."""
        from .findings import read_fault  # imported at first use

        found = _abi.Fault()
        if not lib.tessera_tile_fault(self._handle, ctypes.byref(found)):
            return None
        return read_fault(found, self.explain())

    @property
    def hang(self) -> Hang | None:
        """The hang of the last run."""
        from .findings import read_hang

        return read_hang(self._handle, lib.tessera_tile_hang, lib.tessera_tile_waiter, self.explain(), CORES, party_call=lib.tessera_tile_party)

    @property
    def findings(self) -> list[Finding]:
        """Findings so far, in the order of time."""
        count = lib.tessera_tile_finding_count(self._handle)
        if not count:
            return []
        import json  # the import takes 3 ms, which most programs save

        places = json.loads(text(lib.tessera_tile_report(self._handle, _abi.REPORT_JSON)))["findings"]
        return [self._finding(index, places[index]) for index in range(count)]

    def _finding(self, index: int, more: dict[str, Any]) -> Finding:
        from .findings import Finding, source_of

        f = _abi.Finding()
        self._ok(lib.tessera_tile_finding(self._handle, index, ctypes.byref(f)))
        words = grown(lib.tessera_tile_finding_text, self._handle, index).rstrip("\n")
        other = more.get("other") or {}
        return Finding(
            text(f.id), text(lib.tessera_severity_name(f.severity)), CORES[f.core] if f.core >= 0 else None, text(f.who), text(f.what),
            text(f.why), text(f.document), f.first_cycle, f.count, f.pc, f.word, source_of(more.get("place")),
            source_of(other.get("place")), words)

    def explain(self) -> str:
        """Lines about the last fault or hang, as the command prints them; "" when there is none."""
        return text(lib.tessera_tile_explain(self._handle)).rstrip("\n")

    def where(self) -> str:
        """Source position and wait of every core and thread."""
        return text(lib.tessera_tile_where(self._handle))

    @checked
    def printed(self, core: str | int | None = None) -> str:
        """What the kernels have printed with DPRINT: of one core unchanged, of all cores line by line with the core's name."""
        if core is not None:
            return self._printed(core_number(core))[0]
        lines = []
        for number, name in enumerate(CORES):
            words, dropped = self._printed(number)
            lines += [f"{name}: {line}\n" for line in words.removesuffix("\n").split("\n")] if words else []
            lines += [f"{name}: {dropped} more characters did not fit into the print buffer\n"] if dropped else []
        return "".join(lines)

    def _printed(self, core: int) -> tuple[str, int]:
        """The text, and how many characters did not fit into the print buffer."""
        kept, length = self._print_area(core)
        return text(self._drained.get(core, b"") + kept), max(length - len(kept), 0)

    def _print_area(self, core: int) -> tuple[bytes, int]:
        buffer = ctypes.create_string_buffer(1 << 14)
        length = int(lib.tessera_tile_printed(self._handle, core, buffer, len(buffer)))
        return buffer.value, length

    def _drain_begin(self) -> None:
        """Before the start: a core whose print buffer is full waits, and the run stops until _drain has emptied it."""
        self._drained = {}
        self.l1.write_bytes(_abi.LAUNCH_PRINT_DRAINED, (1).to_bytes(4, "little"))
        self._print_arm()

    def _print_arm(self) -> None:
        self._print_condition = ctypes.c_int(-2)
        lib.tessera_tile_until(self._handle, _abi.LAUNCH_PRINT_FULL, 0xFFFFFFFF, 1, ctypes.byref(self._print_condition))

    def _drain(self) -> bool:
        """Empties the print buffers; False: no core waits for it."""
        if not self.l1.word(_abi.LAUNCH_PRINT_FULL):
            return False
        for core, name in enumerate(CORES):
            kept, length = self._print_area(core)
            if length >= _abi.LAUNCH_PRINT_BYTES - 4:
                self._drained[core] = self._drained.get(core, b"") + kept
                self.l1.write_bytes(_abi.LAUNCH_PRINT_AREAS + _abi.LAUNCH_PRINT_BYTES * _PRINT_ORDER.index(name), bytes(4))
        self.l1.write_bytes(_abi.LAUNCH_PRINT_FULL, bytes(4))
        lib.tessera_tile_unwatch(self._handle, self._print_condition.value)  # a chip keeps one that is met
        self._print_arm()
        return True

    @property
    def exit_code(self) -> int:
        """The command's exit code for the run so far."""
        return int(lib.tessera_tile_exit_code(self._handle))

    @checked
    def report(self, title: str = "") -> Report:
        """The report of the run so far."""
        import json

        words, data, sarif = (text(lib.tessera_tile_report(self._handle, i)) for i in range(3))
        return Report(words, json.loads(data), sarif, text(lib.tessera_tile_why(self._handle)), title)

    def _accounted(self, content: Any) -> Any:
        if not content:
            raise InvalidError("there is no account of the cycles: make the tile with Tile(account=True), run the kernel with run(..., account=True)")
        return content

    def why(self) -> str:
        """The reason for the length of the run. InvalidError without account=True."""
        return str(self._accounted(text(lib.tessera_tile_why(self._handle))))

    @checked
    def profile(self, format: str = "callgrind") -> str:
        """Cycles by source line: callgrind, speedscope, lcov. InvalidError without account=True."""
        if format not in PROFILES:
            raise InvalidError(f"no profile '{format}' ({', '.join(PROFILES)})")
        return str(self._accounted(text(lib.tessera_tile_profile(self._handle, PROFILES[format]))))

    def account(self) -> dict[str, dict[str, int]]:
        """Cycles of each core, thread and unit by category; each sums to the cycles of the run. InvalidError without
        account=True."""
        names = [text(lib.tessera_category_name(i)) for i in range(lib.tessera_category_count())]
        groups: list[tuple[int, int, Callable[[int], bytes]]] = [
            (_abi.OF_CORE, _abi.CORES, lib.tessera_core_name), (_abi.OF_THREAD, 3, lib.tessera_thread_name),
            (_abi.OF_UNIT, 16, lib.tessera_unit_name)]
        result = {}
        for of, count, name in groups:
            for index in range(count):
                row = self._account_row(of, index, names)
                if row:
                    result[text(name(index))] = row
        return dict(self._accounted(result))

    def _account_row(self, of: int, index: int, names: list[str]) -> dict[str, int]:
        value, row = ctypes.c_uint64(), {}
        for category, name in enumerate(names):
            if lib.tessera_tile_account(self._handle, of, index, category, ctypes.byref(value)) == _abi.OK and value.value:
                row[name] = value.value
        return row

    # --- registers and counters ---

    @checked
    def registers(self, file: str, first: int = 0, count: int | None = None) -> npt.NDArray[np.uint32]:
        """A register file as (indices, items), as stored: core, gpr, config, dst, srca, lreg, rwc, adc, semaphore, ..."""
        number, indices, items = file_shape(file)
        count = indices - first if count is None else count
        if count < 0 or first + count > indices:
            last = f" to {first + count - 1}" if count > 1 else ""
            raise InvalidError(f"{file} has rows 0 to {indices - 1}: {first}{last} lies outside")
        values = np.empty((count, items), dtype=np.uint32)
        self._ok(lib.tessera_tile_registers(self._handle, number, first, count, values.ctypes.data))
        return values

    def pc(self, core: str | int) -> int:
        """The core's program counter."""
        return int(self.registers("core", core_number(core), 1)[0, 64])

    @checked
    def counter(self, name: str, index: int = 0) -> int:
        """instructions, core_cycles, issued, stalled, unit_accepted, unit_busy, findings."""
        if name not in COUNTERS:
            raise InvalidError(f"no counter '{name}' ({', '.join(COUNTERS)})")
        value = ctypes.c_uint64()
        self._ok(lib.tessera_tile_counter(self._handle, COUNTERS.index(name), index, ctypes.byref(value)))
        return value.value
