"""The tile: memory, registers, running, stopping, events, traces, state."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import struct
import zlib

import numpy as np
import pytest

import tessera
from tessera import isa

COUNT = """
.thread 1
    ttsetrwc 0, 0, 0, 0, 0, 15
    ttincrwc 0, 4, 0, 0
    ttincrwc 0, 2, 0, 0
"""
HANG = ".thread 0\n    ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\n    ttnop\n"


def test_l1_is_one_call_each_way(monkeypatch: pytest.MonkeyPatch) -> None:
    tile, calls = tessera.Tile(), []
    from tessera import tile as module

    def counted(name: str) -> None:
        plain = getattr(module.lib, name)
        monkeypatch.setattr(module.lib, name, lambda *a: calls.append(name) or plain(*a), raising=False)

    for name in ("tessera_tile_read", "tessera_tile_write", "tessera_tile_registers", "tessera_tile_register"):
        counted(name)
    matrix = np.random.default_rng(1).normal(size=(256, 256))
    tile.l1.write(0x20000, matrix, "bf16", tiles=True)
    back = tile.l1.read(0x20000, (256, 256), "bf16", tiles=True)
    assert calls == ["tessera_tile_write", "tessera_tile_read"]
    assert np.abs(back - matrix).max() < 0.02
    calls.clear()
    assert tile.dst.array("bf16").shape == (1024, 16)
    assert calls.count("tessera_tile_registers") == 2 and "tessera_tile_register" not in calls  # Dst, and the row map's word


def test_l1_whole_and_outside() -> None:
    tile = tessera.Tile()
    l1 = tile.l1
    l1[0x1000:0x1010] = range(16)
    assert np.asarray(l1)[0x1000:0x1010].tolist() == list(range(16))
    assert len(l1) == 1536 * 1024
    l1[0x1000:0x1010] = 7
    assert set(l1[0x1000:0x1010].tolist()) == {7}
    l1.set_word(0x20, 0x12345678)
    assert l1.word(0x20) == 0x12345678
    with pytest.raises(tessera.InvalidError):
        l1.read(len(l1) - 2, 4, "fp32")
    with pytest.raises(tessera.InvalidError, match="do not fill"):
        l1[0:4] = [1, 2]
    with pytest.raises(tessera.InvalidError, match="has no format"):
        l1.write(0, np.zeros(4))


def test_dst_formats() -> None:
    tile = tessera.Tile()
    rows = np.zeros((1024, 16), dtype=np.uint32)
    rows[0, :2] = [0x007F, 0x8080]  # s | mantissa 7 | exponent 8: 1.0, -2.0
    rows[16 + 3, 5] = 0x0080  # 2.0
    tile.set_registers("dst", rows)
    bf16 = tile.dst.array("bf16")
    assert bf16[0, 0] == 1.0 and bf16[0, 1] == -2.0 and bf16[19, 5] == 2.0
    assert tile.dst.tile(0)[3, 16 + 5] == 2.0
    rows[8, 0] = 0x8000  # the low half of row 0 in the 32-bit view
    tile.set_registers("dst", rows[:16])
    assert tile.dst.array("fp32")[0, 0] == np.uint32(0x3F808000).view(np.float32)
    assert tile.dst.array("fp32").shape == (512, 16)
    rows[0, 0] = 0x0001 << 5 | 15  # fp16: s | mantissa 10 | exponent 5
    tile.set_registers("dst", rows[:16])
    assert tile.dst.array("fp16")[0, 0] == np.float32(1 + 2**-10)
    with pytest.raises(tessera.InvalidError, match="Dst holds"):
        tile.dst.array("bfp8")
    assert tile.dst.valid.all()


def test_assembled_program_runs() -> None:
    tile = tessera.Tile()
    tile.load_asm(COUNT)
    stop = tile.run()
    assert stop.reason == "done" and str(stop) == f"done after {tile.cycle} cycles"
    assert tile.registers("rwc")[1, 4] == 6
    assert tile.counter("issued", 1) == 3
    assert tile.exit_code == 0 and tile.findings == [] and tile.hang is None and tile.fault is None
    assert str(tile.report()).startswith(str(stop))


def test_assembler_errors_have_line_and_caret() -> None:
    with pytest.raises(tessera.RefusedError) as caught:
        tessera.Tile().load_asm(".thread 0\n  ttmvmull 0\n", "bad.tta")
    assert str(caught.value).startswith("bad.tta:2:3: error:") and "\n" not in str(caught.value) and "^" in caught.value.log


def test_events_and_hooks() -> None:
    tile = tessera.Tile()
    tile.load_asm(COUNT)
    with tile.events("issue", texts=True) as events:
        tile.run()
    assert [event.who for event in events] == ["thread 1 (math)"] * 3
    assert events[1].text.endswith("ttincrwc 0,4,0,0") or "incrwc" in events[1].text.lower()
    assert [isa.disassemble(event.a) for event in events][1] == "ttincrwc 0,4,0,0"
    cycles = [event.cycle for event in events]
    assert cycles == sorted(cycles)


def test_hook_stops_and_raises() -> None:
    tile = tessera.Tile()
    tile.load_asm(COUNT)
    number = tile.hook(lambda event: tile.request_stop(), ["issue"])
    assert tile.run().reason == "request"
    tile.unhook(number)

    def broken(event: tessera.Event) -> None:
        raise KeyError("in a hook")

    tile.hook(broken, "issue")
    with pytest.raises(KeyError, match="in a hook"):
        tile.run()
    with pytest.raises(tessera.InvalidError, match="no event 'isue'"):
        tile.hook(broken, ["isue"])


def test_trace_files(tmp_path: pathlib.Path) -> None:
    for name, begin in (("t.pftrace", b"\n"), ("t.json", b"[") , ("t.kanata", b"Kanata\t0004"), ("t.vcd", b"$"), ("t.txt", b"")):
        tile = tessera.Tile()
        tile.load_asm(COUNT)
        with tile.trace(tmp_path / name):
            tile.run()
        data = (tmp_path / name).read_bytes()
        assert len(data) > 50 and (data.startswith(begin) or name == "t.json")
    json.loads((tmp_path / "t.json").read_bytes())
    assert b"incrwc" in (tmp_path / "t.txt").read_bytes().lower()
    with pytest.raises(tessera.InvalidError, match="--trace-format takes"), tile.trace(tmp_path / "x", "fst"):
        pass


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("format", ["perfetto", "chrome", "kanata", "vcd", "text"])
def test_a_trace_on_a_full_disk_is_one_error(format: str, tmp_path: pathlib.Path, capfd: pytest.CaptureFixture[str]) -> None:
    for lines in (1, 20_000):  # the last bytes, and those of the run
        tile = tessera.Tile()
        tile.load_asm(".thread 1\n" + "  ttincrwc 0, 1, 0, 0\n" * lines)
        with pytest.raises(tessera.FileError) as caught, tile.trace("/dev/full", format):
            tile.run()
        assert str(caught.value) == "/dev/full: No space left on device" and caught.value.errno == 28
        del tile, caught
        gc.collect()
    with pytest.raises(KeyError), tessera.Tile().trace("/dev/full", format):
        raise KeyError("the block's own")
    (tmp_path / "full.txt").symlink_to("/dev/full")
    with pytest.raises(tessera.FileError, match="No space left"):
        tessera.Tile().report("t").save(tmp_path / "full.txt")
    assert capfd.readouterr().err == ""


def saved(state: bytes, data: bytes, table: bytes) -> bytes:
    """A state with programs as _state.py writes it, with a valid CRC."""
    return state + data + table + struct.pack("<QQI16s", len(data), len(table), zlib.crc32(data + table), b"tessera programs")


@pytest.mark.parametrize("table, data", [
    (b"[" * 200_000, b""), (b"[]", b""), (b"null", b""), (b"\xff", b""), (b'{"lengths":[0],"programs":[["","zzz","n",0]]}', b""),
    (b'{"lengths":[0],"programs":[["9,99","asm","n",0]]}', b""), (b'{"lengths":[-5],"programs":[["","brisc","n",0]]}', b""),
    (b'{"lengths":[1000000000000000000000],"programs":[["","brisc","n",0]]}', b""), (b'{"lengths":[NaN],"programs":[]}', b""), (b'{"lengths":[1e400],"programs":[]}', b""),
    (b'{"lengths":"abc","programs":[]}', b""), (b'{"lengths":[true],"programs":[]}', b"x"), (b'{"lengths":[],"programs":[["",1]]}', b""),
    (b'{"lengths":[],"programs":[["","BRISC","x",7]]}', b""), (b'{"lengths":[0],"programs":[["","BRISC","x",-1]]}', b""),
    (b'{"lengths":[0],"programs":[["","BRISC","x","0"]]}', b""), (b'{"lengths":[0],"programs":[[[],"BRISC","x",0]]}', b""),
    (b'{"lengths":[4],"programs":[["","BRISC","n",0]]}', b"abcd"), (b'{"lengths":[3],"programs":[["","BRISC","n",0]]}', b"abcd"),
    (b'{"lengths":[2],"programs":[["","asm","n",0]]}', b"\xff\xfe"), (b'{"lengths":[4],"programs":[["","asm","n\\u001b[31m",0]]}', b"zzz\n"),
    (b'{"lengths":[6],"programs":[["","asm","n\\u0000x\\ud800",0]]}', b"ttnop\n"), (b'{"lengths":[' + b"9" * 5000 + b'],"programs":[]}', b""),
    (b'{"programs":[]}', b""), (b'{"lengths":[],"programs":{}}', b"")])
def test_damaged_programs_change_nothing(table: bytes, data: bytes) -> None:
    tile, chip = tessera.Tile(), tessera.Chip(timing="off")
    for machine in (tile, chip):
        state = machine.save()
        memory = machine.l1 if isinstance(machine, tessera.Tile) else machine.memory(1, 2)
        memory.set_word(0x20000, 0x12345678)
        before = machine.hash
        with pytest.raises(tessera.RefusedError) as caught:
            machine.restore(saved(state, data, table))
        assert str(caught.value).startswith("the saved state ") and str(caught.value).isprintable()
        assert machine.hash == before and memory.word(0x20000) == 0x12345678


def test_save_restore_and_hash() -> None:
    tile = tessera.Tile()
    tile.load_asm(COUNT)
    tile.run(2)
    state, before = tile.save(), tile.hash
    tile.run()
    after = tile.hash
    assert after != before
    tile.restore(state)
    assert tile.hash == before
    tile.run()
    assert tile.hash == after
    with pytest.raises(tessera.RefusedError) as caught:
        tile.restore(state[:100])
    assert str(caught.value) and tile.hash == after
    other = tessera.Tile()
    other.restore(state)
    assert other.hash == before


def test_hang_is_a_value() -> None:
    tile = tessera.Tile()
    tile.load_asm(HANG)
    with pytest.raises(tessera.HangError) as caught:
        tile.run()
    hang = caught.value.hang
    assert hang is not None and hang.waiters[0].name == "thread 0 (unpack)"
    assert "MATH_PACK" in hang.waiters[0].resource and hang.cause in str(caught.value)
    assert str(hang) == str(caught.value) and caught.value.code == 4 == tile.exit_code
    assert tile.run(10, check=False).reason == "hang"


def test_findings_print_as_the_report_does() -> None:
    tile = tessera.Tile()
    tile.push(1, [0xA5000004 | 1 << 2])  # SEMGET of a semaphore at zero
    tile.run()
    (finding,) = tile.findings
    assert finding.id == "SEM_GET_AT_ZERO" and finding.count == 1 and finding.who == "thread 1 (math)"
    assert str(finding) in str(tile.report())
    strict = tessera.Tile(strict=True)
    strict.push(1, [0xA5000004 | 1 << 2])
    with pytest.raises(tessera.FindingError) as caught:
        strict.run()
    assert "SEM_GET_AT_ZERO" in str(caught.value) and caught.value.code == 5


def test_bad_input_is_one_line(tmp_path: pathlib.Path) -> None:
    tile = tessera.Tile()
    (tmp_path / "no.elf").write_bytes(b"not an ELF file at all")
    for call in (lambda: tile.load_elf("brisc", tmp_path / "no.elf"), lambda: tile.load_elf("brisk", b""),
                 lambda: tessera.Tile("fast"), lambda: tessera.Tile(check="z"), lambda: tile.set_param("nothing", 1),
                 lambda: tile.breakpoint("brisc", "main"), lambda: tile.registers("dts"), lambda: tile.counter("nothing"),
                 lambda: tile.profile("svg"), lambda: tile.run(-1), lambda: tile.launch({40: (0x20000, 2048, 2, "bf16")}),
                 lambda: tile.launch({0: (0x100, 2048, 2, "bf16")}), lambda: tile.registers("dst", 1000, 100),
                 lambda: tile.until(0x20001, 0)):
        with pytest.raises(tessera.Error) as caught:
            call()  # type: ignore[no-untyped-call]
        assert caught.value.code == 2 and str(caught.value) and "\n" not in str(caught.value)


def test_closed_tile_is_refused() -> None:
    with tessera.Tile() as tile:
        l1, dst = tile.l1, tile.dst
    assert repr(tile) == "<Tile, closed>"
    for call in (lambda: l1[0:4], lambda: dst.array(), lambda: tile.run(1), lambda: tile.save()):
        with pytest.raises(tessera.Error):
            call()


def test_memory_keeps_its_tile() -> None:
    l1 = tessera.Tile().l1
    l1[0:4] = b"abcd"
    assert l1[0:4].tobytes() == b"abcd"


def test_until_and_watch() -> None:
    tile = tessera.Tile()
    tile.load_asm(".thread 0\n    .store 0x20000, 5\n    ttnop\n    .store 0x20000, 9\n")
    number = tile.watch(0x20000)
    stop = tile.run()
    assert stop.reason == "watchpoint" and stop.number == number
    tile.unwatch(number)
    assert tile.run_until(0x20000, 9).reason == "condition"
    assert tile.l1.word(0x20000) == 9
    with pytest.raises(tessera.LimitError, match="limit after"):
        tile.load_asm(".thread 0\n" + "    ttnop\n" * 100)
        tile.run_until(0x20000, 10, cycles=50)


def test_account_sums_to_the_cycles() -> None:
    tile = tessera.Tile(account=True)
    tile.load_asm(COUNT)
    tile.run()
    rows = tile.account()
    assert {sum(row.values()) for name, row in rows.items()} == {tile.cycle} and "matrix unit" in rows
    for call in (tessera.Tile().account, tessera.Tile().why, tessera.Tile().profile):
        with pytest.raises(tessera.InvalidError, match=r"Tile\(account=True\)"):
            call()


def test_the_interpreter_may_end_while_a_thread_runs_a_tile() -> None:
    """A daemon thread is inside Tile.run when the tile would be freed: that ended in a segmentation fault."""
    import subprocess
    import sys

    program = (
        "import struct, threading, time, tessera\n"
        "tile = tessera.Tile()\n"
        "tile.l1[0x8000:0x8008] = struct.pack('<2I', 0x10002503, 0xffdff06f)  # lw a0, 0x100(x0); j back\n"
        "tile.set_reset_pc('brisc', 0x8000)\n"
        "tile.start(['brisc'])\n"
        "threading.Thread(target=lambda: tile.run(5_000_000, check=False), daemon=True).start()\n"
        "time.sleep(0.2)\n")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
