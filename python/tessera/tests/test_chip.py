"""The chip: coordinates, DRAM tensors, state."""

from __future__ import annotations

import json
import pathlib

import numpy as np
import pytest

import tessera


def test_places() -> None:
    chip = tessera.Chip(timing="off")
    assert len(chip.tiles()) == 140 and chip.tiles()[0] == (1, 2)
    assert chip.node(17, 12).kind == "DRAM" and chip.node(1, 2).kind == "Tensix" and chip.node(1, 2).bytes == 1536 * 1024
    assert len(tessera.Chip("p100", "off").tiles()) < 140
    for call in (lambda: chip.tile(17, 12), lambda: chip.node(40, 40), lambda: chip.dram(8), lambda: tessera.Chip("p1000")):
        with pytest.raises(tessera.InvalidError) as caught:
            call()
        assert "\n" not in str(caught.value)


@pytest.mark.parametrize("format", ["bf16", "fp32", "bfp8"])
def test_dram_tensors_take_one_call_per_bank(format: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from tessera import chip as module

    chip, calls = tessera.Chip(timing="off"), []
    for name in ("tessera_chip_read", "tessera_chip_write"):
        plain = getattr(module.lib, name)
        monkeypatch.setattr(module.lib, name, lambda *a, plain=plain, name=name: calls.append(name) or plain(*a), raising=False)
    matrix = np.random.default_rng(3).normal(size=(320, 96))
    chip.write_tensor(0x100000, matrix, format)
    back = chip.read_tensor(0x100000, (320, 96), format)
    assert calls.count("tessera_chip_read") == calls.count("tessera_chip_write") == 8
    assert np.abs(back - matrix).max() < 0.05
    first = tessera.formats.tile_bytes(matrix, format)[: tessera.formats.named(format).bytes_of_tile]
    np.testing.assert_array_equal(chip.dram(0).bytes_at(0x100000, first.size), first)  # page 0 is on bank 0


def test_state_is_a_value_and_tiles_end_with_the_chip() -> None:
    chip = tessera.Chip(timing="off")
    chip.memory(3, 4).write_bytes(0x20000, b"hello")
    state, before = chip.save(), chip.hash
    chip.memory(3, 4).write_bytes(0x20000, b"world")
    assert chip.hash != before
    chip.restore(state)
    assert chip.hash == before and chip.tile(3, 4).l1[0x20000:0x20005].tobytes() == b"hello"
    with pytest.raises(tessera.RefusedError):
        chip.restore(b"nonsense")
    tile = chip.tile(3, 4)
    chip.close()
    with pytest.raises(tessera.InvalidError):
        tile.l1[0:4]


def test_run_passes_time() -> None:
    chip = tessera.Chip(timing="off", threads=1)
    assert chip.run(100) in ("done", "limit") and chip.cycle == 100
    assert chip.fault is None and chip.hang is None and chip.explain() == ""


def test_hooks_of_tiles_that_no_name_holds():
    """The chip keeps its tiles: a hook works when the caller's tile is gone, and closing a tile removes its hooks."""
    import gc

    chip, seen = tessera.Chip(timing="off"), []
    assert chip.tile(1, 2) is chip.tile(1, 2)
    chip.tile(1, 2).load_asm(".thread 0\n ttnop\n")
    chip.tile(1, 2).hook(lambda e: seen.append(e.kind), ["issue"])
    gc.collect()
    with chip.tile(2, 2) as tile:
        tile.load_asm(".thread 0\n ttnop\n")
        tile.hook(lambda e: seen.append("closed"), ["issue"])
    del tile
    gc.collect()
    chip.run(10000)
    assert seen and "closed" not in seen
    assert chip.tile(2, 2) is chip.tile(2, 2)
    chip.close()


def test_report_has_values_and_files(tmp_path: pathlib.Path) -> None:
    """Cycles, result and code were 0 and empty, and so were the JSON and SARIF files."""
    chip = tessera.Chip(timing="off")
    chip.tile(2, 3).load_asm(".thread 0\n  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\n  ttnop\n")
    assert chip.run(1000, check=False) == "hang"
    report = chip.report()
    assert report.cycles == report.data["cycles"] <= chip.cycle and report.result == "hang" and report.code == 4
    report.save(tmp_path / "r.json")
    report.save(tmp_path / "r.sarif")
    assert json.loads((tmp_path / "r.json").read_text()) == report.data
    results = json.loads((tmp_path / "r.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["HANG"] and "MATH_PACK" in results[0]["message"]["text"]
    assert "hang" in str(chip.explain()) and 'class="verdict bad"' in report._repr_html_()
