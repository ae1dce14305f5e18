"""Kernels from strings, files and executables; their outputs, errors, reports, profiles and cost."""

from __future__ import annotations

import inspect
import json
import pathlib
import re
import shutil
import signal
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tessera
from tessera.build import kernel_library
from tessera.tests.kernels import ADD, BROKEN, CHECKED, NO_WAIT
from tessera.tests.test_pto import GOOD

pytestmark = pytest.mark.builds
RNG = np.random.default_rng(11)
A, B = RNG.normal(size=(64, 64)), RNG.normal(size=(64, 64))


@pytest.mark.parametrize("format, allowed", [("bf16", 0.05), ("fp32", 0.05), ("bfp8", 0.1), ("fp16", 0.01)])
@pytest.mark.parametrize("timing", ["off", "cycle"])
def test_add_in_formats(format: str, allowed: float, timing: str) -> None:
    run = tessera.Kernel(ADD).run([A, B], A.shape, args=[4], format=format, timing=timing)
    assert np.abs(run.output - (A + B)).max() < allowed and run.findings == []


def test_files_directories_and_executables(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compute.c").write_text(ADD)
    kernel = tessera.Kernel(tmp_path / "compute.c")
    want = kernel.run([A, B], A.shape, args=[4])
    same = tessera.Kernel.from_directory(tmp_path).run([A, B], A.shape, args=[4])
    np.testing.assert_array_equal(want.output, same.output)
    assert want.cycles == same.cycles
    elfs = tmp_path / "elfs"
    elfs.mkdir()
    for core, elf in kernel.build().items():
        (elfs / f"{core}.elf").write_bytes(elf)
    loaded = tessera.Kernel.from_elfs(elfs)
    loaded._own_reader = loaded._own_writer = True  # these executables have the package's reader and writer in them
    np.testing.assert_array_equal(loaded.run([A, B], A.shape, args=[4]).output, want.output)


def test_folder_with_a_description(tmp_path: pathlib.Path) -> None:
    template = pathlib.Path(kernel_library()) / "template"
    folder = tmp_path / "mine"
    shutil.copytree(template, folder)
    kernel = tessera.Kernel.from_directory(folder)
    with pytest.raises(tessera.InvalidError, match="run_on_chip"):
        kernel.run()
    run = kernel.run_on_chip(timing="off")
    assert [good for _, good in run.expectations] == [True] and "C against sum of A and B: worst error" in run.expectations[0][0]
    assert run.findings == [] and 1000 < run.cycles < 100_000 and "cycles" in str(run.report())
    a, b = np.full((64, 128), 1.5), np.full((64, 128), 2.0)
    np.testing.assert_array_equal(kernel.run_on_chip({"A": a, "B": b}, timing="off")["C"], a + b)
    with pytest.raises(tessera.InvalidError, match="'A' is 64 x 128 in .*, not 32 x 32"):
        kernel.run_on_chip({"A": np.zeros((32, 32))})
    with pytest.raises(tessera.InvalidError, match="no tensor 'D'"):
        kernel.run_on_chip({"D": a})
    np.save(folder / "b.npy", b)
    b[1, 2] = b[63, 0] = np.nan
    np.save(folder / "nans.npy", b)
    chip = folder / "kernel.chip"
    text = re.sub("^tensor B [^ ]*", "tensor B nans.npy", chip.read_text(), flags=re.M)
    chip.write_text(re.sub("^expect .*", "expect B b.npy 0", text, flags=re.M))
    with pytest.raises(tessera.ExpectationError, match=r"^B against .*b\.npy: 2 of 8192 numbers are NaN where none is expected, the first at \[1, 2\]: WRONG"):
        tessera.Kernel.from_directory(folder).run_on_chip(timing="off")
    b[:] = 2
    b[3, 4] = np.inf
    np.save(folder / "b.npy", b)
    chip.write_text(re.sub("^tensor B [^ ]*", "tensor B fill:64x128:2", chip.read_text(), flags=re.M))
    with pytest.raises(tessera.ExpectationError, match=r"^B against .*b\.npy: worst error inf \(allowed 0\) at \[3, 4\]: WRONG"):
        tessera.Kernel.from_directory(folder).run_on_chip(timing="off")


def test_many_arguments() -> None:
    source = "#include \"dataflow.h\"\nvoid kernel_main(void) { for (uint32_t i = 0; i < 3; i++) tt_store(0x100000 + 4 * i, get_arg_val(170 * i)); }\n"
    kernel = tessera.Kernel(reader=source, writer='#include "dataflow.h"\nvoid kernel_main(void) {}\n')
    run = kernel.run(args={"reader": [*range(1000, 1341)]}, timing="off")
    assert [run.tile.l1.word(0x100000 + 4 * i) for i in range(3)] == [1000, 1170, 1340]
    with pytest.raises(tessera.InvalidError, match="^342 arguments: a kernel has at most 341$"):
        kernel.run(args={"reader": [0] * 342})


def test_types_of_arrays(tmp_path: pathlib.Path) -> None:
    kernel = described(tmp_path, "")
    ones = np.ones((64, 128))
    with pytest.raises(tessera.InvalidError, match="^tensor 'A': the array holds int32, which cannot fill a tensor of bf16: astype converts it$"):
        kernel.run_on_chip({"A": ones.astype(np.int32)})
    words = np.full((64, 128), 0x3FC0, dtype=np.uint16)  # 1.5
    np.testing.assert_array_equal(kernel.run_on_chip({"A": words, "B": ones.tolist()}, timing="off")["C"], ones + 1.5)
    with pytest.raises(tessera.InvalidError, match="^tensor 'A': the array holds float64, which cannot fill a tensor of int32"):
        described(tmp_path, "", **{"bf16 tiles": "int32 tiles"}).run_on_chip({"A": ones})
    with pytest.raises(tessera.InvalidError, match=r"kernel.chip:\d+: the sizes of C \(64 x 128\), A \(64 x 128\) and D \(32 x 32\) do not match$"):
        described(tmp_path, "tensor D zero:32x32 bf16 tiles dram\nexpect C sum A D 0\n").run_on_chip()
    with pytest.raises(tessera.InvalidError, match=r"kernel.chip:\d+: .*none/c.npy: could not be written: No such file or directory$"):
        described(tmp_path, "save C none/c.npy\n").run_on_chip()


def test_long_texts(tmp_path: pathlib.Path) -> None:
    (tmp_path / "reader.cpp").write_text('void kernel_main() { for (uint32_t i = 0; i < 1500; i++) DPRINT("line {}\\n", i); }\n')
    (tmp_path / "kernel.chip").write_text("")
    lines = [f"NCRISC: line {i}" for i in range(1500)]
    run = tessera.Kernel.from_directory(tmp_path).run_on_chip(timing="off")
    assert run.printed().splitlines() == lines
    alone = tessera.Kernel(reader=tmp_path / "reader.cpp", writer='#include "dataflow.h"\nvoid kernel_main(void) {}\n').run(timing="off")
    assert alone.tile.printed().splitlines() == lines and alone.tile.printed("ncrisc").count("\n") == 1500


NAMES = """void kernel_main() {
  constexpr uint32_t block = get_arg(args::block);
  Scratchpad<uint32_t> pad(scratch::pad);
  pad[3] = block;
  DPRINT("{} {} {} {} {}\\n", pad[3], get_arg(args::count), get_arg(args::shared), (uint32_t)dfb::in, get_vararg(0));
  DPRINT("{} {}\\n", sem::go, TensorAccessor(tensor::src).get_aligned_page_size());
}
"""


def test_names(tmp_path: pathlib.Path) -> None:
    (tmp_path / "reader.cpp").write_text(NAMES)
    (tmp_path / "kernel.chip").write_text("tensor A zero:64x64 bf16 tiles dram\nbuffer in=3 2 A\nargs reader count=A.pages 8\nargs common shared=-1\n"
                                          "compile block=5\ncompile reader src=accessor:A go=semaphore:7 pad=scratch:64\n")
    assert tessera.Kernel.from_directory(tmp_path).run_on_chip(timing="off").printed() == "NCRISC: 5 4 4294967295 3 8\nNCRISC: 7 2048\n"


@pytest.mark.parametrize("line, why", [("nonsense", "unknown statement 'nonsense'"), ("tensor A zero:32x32 bf17 tiles dram", "bf17"),
                                       ("grid 1", "'1' is not a tile; write X,Y"), ("buffer 0 two bf16", "the number of pages must be a number, not 'two'"),
                                       ("timing fast", "timing is off or cycle"), ("args " + "1 " * 342, "a kernel has at most 341 of them"),
                                       ("tensor A zero:32x32 bf16 tiles dram:9", "'dram:9'"), ("cycles 08", "must be a number, not '08'")])
def test_descriptions_are_refused_by_line(tmp_path: pathlib.Path, line: str, why: str) -> None:
    (tmp_path / "kernel.chip").write_text(f"# a comment\n{line}\n")
    with pytest.raises(tessera.InvalidError, match=re.escape(why)) as caught:
        tessera.Kernel.from_directory(tmp_path)
    assert "kernel.chip:2: " in str(caught.value)


def test_a_second_line_of_arguments_is_refused(tmp_path: pathlib.Path) -> None:
    (tmp_path / "kernel.chip").write_text("args reader 1\nargs writer 1\nargs reader 2\n")
    with pytest.raises(tessera.InvalidError, match="kernel.chip:3: the arguments are set in line 1 already"):
        tessera.Kernel.from_directory(tmp_path)


def test_descriptions_numbers_are_the_commands() -> None:
    from tessera.chip_tensor import _random

    np.testing.assert_allclose(_random(3, 1, False, True), [0.1331231503, 0.4915635145, 0.9420055072], atol=1e-9)


def described(tmp_path: pathlib.Path, more: str, **changes: str) -> tessera.Kernel:
    """The template with further lines."""
    folder = tmp_path / "mine"
    shutil.copytree(pathlib.Path(kernel_library()) / "template", folder, dirs_exist_ok=True)
    text = (folder / "kernel.chip").read_text()
    for old, new in changes.items():
        text = text.replace(old.replace("_", " "), new)
    (folder / "kernel.chip").write_text(text + more)
    return tessera.Kernel.from_directory(folder)


def test_a_descriptions_files_formats_and_places(tmp_path: pathlib.Path) -> None:
    """Statements that only the command supported before: tensors in L1, images, save, dump, formats of a host, repeated arguments, a grid after its use."""
    np.save(tmp_path / "n.npy", np.arange(-512, 512, dtype=np.int32).reshape(32, 32))
    kernel = described(tmp_path, f"timing off\ntensor N {tmp_path / 'n.npy'} int32 tiles dram:1 0x4000\ntensor S random:64x32:1 bf16 tiles 3-4,4\n"
                                 f"image dram:2 0x10000 {tmp_path / 'n.npy'}\nsave N saved.npy\ndump dram:1 0x4000 16 dumped\nargs common 5 x\n")
    run = kernel.run_on_chip()
    np.testing.assert_array_equal(run["N"], np.load(tmp_path / "n.npy"))
    np.testing.assert_array_equal(np.load(tmp_path / "mine/saved.npy"), run["N"])
    assert np.fromfile(tmp_path / "mine/dumped", dtype=np.int32).tolist() == [-512, -511, -510, -509]  # two's complement, as a host writes it
    assert run["S"].shape == (64, 32) and run.chip.tile(4, 4).l1.read(int(run._job.tensors["S"].address), 3).any()
    assert run.chip.dram(2).bytes_at(0x10000, 6).tobytes() == b"\x93NUMPY"


def test_until_ends_the_run_of_a_kernel_that_never_returns(tmp_path: pathlib.Path) -> None:
    described(tmp_path, "until 1,2 0x100000 0xff 7\n")
    writer = tmp_path / "mine/writer.c"
    writer.write_text(writer.read_text().rstrip().removesuffix("}") + "  *(volatile uint32_t *)0x100000 = 7;\n  for (volatile uint32_t i = 0;; i++) {}\n}\n")
    run = tessera.Kernel.from_directory(tmp_path / "mine").run_on_chip()
    assert (run.ended, run.code, [good for _, good in run.expectations]) == ("stopped", 0, [True]) and run.cycles % 256 == 0
    assert str(run.report()).startswith(f"stopped after {run.cycles} cycles\n")
    assert run.tiles[0].stop.reason == "condition"
    description = tmp_path / "mine/kernel.chip"
    description.write_text(description.read_text().replace("0xff 7", "0xff 8"))
    with pytest.raises(tessera.LimitError, match="BRISC still runs"):
        tessera.Kernel.from_directory(tmp_path / "mine").run_on_chip(cycles=50000)


def test_a_run_on_a_chip_reports_as_the_command(tmp_path: pathlib.Path) -> None:
    """Text and code are the command's (tests/python/words.py compares them); an expectation that does not hold comes before a finding."""
    run = described(tmp_path, "timing off\n").run_on_chip()
    assert str(run.report()).startswith("done after ") and str(run.report()).endswith(": good\n") and run.report().cycles == run.cycles
    source = tmp_path / "mine/compute.c"
    source.write_text(source.read_text().replace("    cb_wait_front(CB_B, 1);\n", ""))
    found = tessera.Kernel.from_directory(tmp_path / "mine").run_on_chip(timing="cycle", raises=False)
    assert found.code == found.report().code == 5 and found.findings
    description = tmp_path / "mine/kernel.chip"
    description.write_text(description.read_text().replace("sum A B", "sum A A"))
    wrong = tessera.Kernel.from_directory(tmp_path / "mine").run_on_chip(timing="cycle", raises=False)
    assert wrong.code == wrong.report().code == 1 and wrong.findings and "findings" in str(wrong.report())
    with pytest.raises(tessera.ExpectationError) as caught:
        wrong.check()
    assert caught.value.code == 1 and caught.value.run is wrong and isinstance(caught.value, AssertionError)


def test_prints_of_kernels(tmp_path: pathlib.Path) -> None:
    source = '#include "compute.h"\n#include "dprint.h"\nvoid kernel_main(void) { DPRINT_MATH("tile {}\\nof {}\\n", 3, 4); }\n'
    run = tessera.Kernel(source).run()
    assert run.tile.printed("trisc1") == "tile 3\nof 4\n" and run.tile.printed("ncrisc") == ""
    assert run.printed() == "TRISC1: tile 3\nTRISC1: of 4\n"
    kernel = described(tmp_path, "timing off\n")
    text = (tmp_path / "mine/writer.c").read_text()
    (tmp_path / "mine/writer.c").write_text('#include "dprint.h"\n' + text.replace("void kernel_main(void) {", 'void kernel_main(void) {\n  DPRINT("here\\n");'))
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the library's header draws none
        run_on_chip = kernel.run_on_chip()
    assert run_on_chip.printed() == "BRISC: here\n" and str(run_on_chip.report()).startswith("BRISC: here\ndone after ")


def test_names_and_own_reader_and_writer() -> None:
    reader = """#include "dataflow.h"
void kernel_main(void) {
  for (uint32_t i = 0; i < get_arg_val(0); i++)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, 1);
      uint32_t to = get_write_ptr(cb), bytes = get_tile_size(cb);
      l1_copy(to, get_arg_val(1 + cb) + i * bytes, bytes);
      l1_fence(to + bytes - 4);
      cb_push_back(cb, 1);
    }
}
"""
    writer = """#include "dataflow.h"
void kernel_main(void) {
  uint32_t bytes = get_tile_size(16);
  for (uint32_t i = 0; i < get_arg_val(0); i++) {
    cb_wait_front(16, 1);
    l1_copy(get_arg_val(3) + i * bytes, get_read_ptr(16), bytes);
    cb_pop_front(16, 1);
  }
}
"""
    kernel, buffers = tessera.Kernel(ADD, reader, writer), {0: 2, 1: 2, 16: 2}
    run = kernel.run({"a": A, "b": B}, {"c": A.shape}, args=[4, "a", "b", "c"], buffers=buffers)
    assert np.abs(run["c"] - (A + B)).max() < 0.05
    each = {"reader": [4, "a", "b"], "compute": [4], "writer": [4, 0, 0, "c"]}
    np.testing.assert_array_equal(kernel.run({"a": A, "b": B}, {"c": A.shape}, args=each, buffers=buffers)["c"], run["c"])
    with pytest.raises(tessera.InvalidError, match="reader, compute and writer, not 'maths'"):
        kernel.run(args={"maths": [1]})


def test_text_of_cpp_is_told_from_c() -> None:
    from tessera.build import _CXX_WORDS

    for cpp in ("namespace NAMESPACE { void MAIN {} }", "  constexpr int a = 1;", "template <int n> void f();", "uint32_t n = get_arg_val<uint32_t>(0);",
                "auto x = 1;", "#include <cstdint>", '#include "api/compute/common.h"', "tt::CBIndex::c_0"):
        assert _CXX_WORDS.search("int x;\n" + cpp + "\n"), cpp
    for c in ("// a template of a namespace", " * uses auto::names", '  DPRINT("std::cout");', '#include "compute.h"', "#include <stdint.h>", "int class_of(int x);",
              "if (a < b && c > d) x = a;"):
        assert not _CXX_WORDS.search(c), c


def test_vendors_cpp_names() -> None:
    source = """#include "api/compute/eltwise_binary.h"
constexpr uint32_t a = 0, b = 1, c = 16;
void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  binary_op_init_common(a, b, c);
  add_tiles_init(a, b);
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(a, 1);
    cb_wait_front(b, 1);
    tile_regs_acquire();
    add_tiles(a, b, 0, 0, 0);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(c, 1);
    pack_tile(0, c);
    tile_regs_release();
    cb_push_back(c, 1);
    cb_pop_front(a, 1);
    cb_pop_front(b, 1);
  }
}
"""
    run = tessera.Kernel(source).run([A, B], A.shape, args=[4])
    assert np.abs(run.output - (A + B)).max() < 0.05


def test_finding_names_the_users_line() -> None:
    with pytest.raises(tessera.FindingError) as caught:
        tessera.Kernel(NO_WAIT).run([A, B], A.shape, args=[4])
    error = caught.value
    assert error.code == 5 and error.run is not None
    place = next(f.place for f in error.findings if f.id == "L1_UNDEFINED")
    assert place is not None and place.file == "compute.c" and place.line == 10
    assert place.lines(0) == [">   10 |     add_tiles(0, 1, 0, 0, 0);"]
    assert str(error.findings[0]) in str(error.run.report())


def test_hang_names_the_users_line() -> None:
    with pytest.raises(tessera.HangError) as caught:
        tessera.Kernel(ADD).run([A, B], A.shape, args=[5])
    error = caught.value
    assert error.hang is not None and "compute.c:8" in error.hang.cause and "CB 0" in error.hang.cause
    waiter = next(w for w in error.hang.waiters if w.name == "TRISC0")
    assert waiter.place is not None and waiter.place.lines(0) == [">    8 |     cb_wait_front(0, 1);"]
    quiet = tessera.Kernel(ADD).run([A, B], A.shape, args=[5], raises=False)
    assert quiet.stop.reason == "hang" and np.abs(quiet.output - (A + B)).max() < 0.05


def test_failed_check_limit_and_compiler() -> None:
    with pytest.raises(tessera.FaultError, match="argument 1 is 0") as caught:
        tessera.Kernel(CHECKED).run([A, B], A.shape, args=[4, 1])
    assert caught.value.code == 3 and caught.value.fault is not None and "compute.c:4" in caught.value.fault.place
    with pytest.raises(tessera.LimitError, match="limit after 1000 cycles"):
        tessera.Kernel(ADD).run([A, B], A.shape, args=[4], cycles=1000)
    with pytest.raises(tessera.BuildError, match=r"compute.c does not build: .*compute.c:\d+:\d+: error:") as built:
        tessera.Kernel(BROKEN).build()
    assert built.value.code == 2 and "\n" not in str(built.value) and "\n" in built.value.log


def test_wrong_settings_are_one_line(tmp_path: pathlib.Path) -> None:
    kernel = tessera.Kernel(ADD)
    for call in (lambda: kernel.run([A[:30], B], A.shape), lambda: kernel.run([A, B], (64, 65)), lambda: kernel.run([A], A.shape, args=["x"]),
                 lambda: kernel.run([A, B], A.shape, args=[0] * 342), lambda: kernel.run([A, B], A.shape, feed=[(0, 9)]),
                 lambda: kernel.run([A, B], A.shape, feed=[(7, 0)]), lambda: kernel.run([A, B], A.shape, format="bf15"),
                 lambda: kernel.run([np.zeros((2048, 1024))], A.shape), lambda: kernel.run([A, B], {0: A.shape}),
                 lambda: kernel.run([A, B], A.shape, buffers={0: 3}, feed=[(0, 0, 2)]),
                 lambda: tessera.Kernel(tmp_path / "none.c"), lambda: tessera.Kernel.from_directory(tmp_path / "none"),
                 lambda: tessera.Kernel.from_directory(tmp_path), lambda: tessera.Kernel.from_elfs(tmp_path)):
        with pytest.raises(tessera.Error) as caught:
            call()
        assert caught.value.code == 2 and str(caught.value) and "\n" not in str(caught.value)


def test_report_in_a_notebook_and_as_files(tmp_path: pathlib.Path) -> None:
    run = tessera.Kernel(ADD, name="add").run([A, B], A.shape, args=[4], account=True, trace=tmp_path / "add.pftrace")
    report = run.report()
    page = report._repr_html_()
    assert run._repr_html_() == page  # a cell that ends in the run shows it
    assert f"done after {run.cycles} cycles" in page and "TRISC1" in page and "matrix unit" in page and "<script" not in page
    assert report.why and report.result == "done" and report.code == 0 and report.cycles == run.cycles
    for name in ("r.txt", "r.json", "r.sarif", "r.html"):
        report.save(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 100
    assert json.loads((tmp_path / "r.sarif").read_text())["version"] == "2.1.0"
    assert (tmp_path / "add.pftrace").stat().st_size > 1000
    run.profile(tmp_path / "p.json")
    assert "speedscope" in (tmp_path / "p.json").read_text()
    run.profile(tmp_path / "p.out")
    assert "compute.c" in (tmp_path / "p.out").read_text()
    with pytest.raises(tessera.InvalidError, match="account=True"):
        tessera.Kernel(ADD).run([A, B], A.shape, args=[4]).profile(tmp_path / "none")
    bad = tessera.Kernel(NO_WAIT).run([A, B], A.shape, args=[4], raises=False).report()._repr_html_()
    assert "compute.c:10" in bad


def test_breakpoints_and_steps() -> None:
    kernel, tile = tessera.Kernel(ADD), tessera.Tile()
    kernel.load(tile, {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [0])
    number = tile.breakpoint("trisc1", "kernel_main")
    stop = tile.run(100000)
    assert stop.reason == "breakpoint" and stop.number == number and stop.core == "TRISC1" and "kernel_main" in stop.place
    assert tile.pc("trisc1") == stop.pc == tile.symbol("trisc1", "kernel_main")
    assert tile.step("trisc1").pc != stop.pc
    place = tile.place("trisc1", stop.pc)
    assert place is not None and place.function == "kernel_main" and place.file.endswith("compute.c")
    assert "compute.c" in tile.where()
    tile.unbreak()
    assert tile.run().reason == "done"


def test_breakpoints_by_source_line(tmp_path: pathlib.Path) -> None:
    (tmp_path / "compute.c").write_text(ADD)
    kernel, tile = tessera.Kernel(tmp_path / "compute.c"), tessera.Tile()
    kernel.load(tile, {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [1])
    number = tile.breakpoint("trisc0", "compute.c:8")
    stop = tile.run(100000)
    assert stop.reason == "breakpoint" and stop.number == number and stop.core == "TRISC0" and "compute.c:8" in stop.place
    assert tile.line("trisc0", f"{tmp_path.name}/compute.c", 8) == stop.pc  # with a directory
    with pytest.raises(tessera.InvalidError, match=r"compute.c:2 has no code on TRISC0; the next line that has is \d+"):
        tile.breakpoint("trisc0", "compute.c:2")
    with pytest.raises(tessera.InvalidError, match="has no lines of 'other.c'"):
        tile.breakpoint("trisc0", "other.c:8")
    with pytest.raises(tessera.InvalidError, match="TRISC0's executable has no symbol 'nothing'"):
        tile.breakpoint("trisc0", "nothing")


def hang_of(call: Any) -> str:
    with pytest.raises(tessera.HangError) as caught:
        call()
    return str(caught.value)


def test_a_state_keeps_its_programs() -> None:
    """A fresh tile that restores a state reports the same hang: lines and symbols are saved with it, also through a file and with another program loaded."""
    kernel, tile = tessera.Kernel(ADD), tessera.Tile()
    kernel.load(tile, {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [1])
    tile.run(500)
    state = tile.save()
    want = hang_of(tile.run)
    assert "compute.c:8" in want and "CB 0" in want
    fresh, other = tessera.Tile(), tessera.Tile()
    tessera.Kernel(CHECKED).load(other, {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [1])
    for machine in (fresh, other):
        machine.restore(state)
        assert machine.cycle == 500 and machine.save() == state
        assert hang_of(machine.run) == want
    damaged = bytearray(state)
    damaged[-5000] ^= 1
    before = fresh.hash
    with pytest.raises(tessera.RefusedError, match="damaged"):
        fresh.restore(bytes(damaged))
    assert fresh.hash == before


def test_a_chips_state_keeps_its_programs() -> None:
    kernel, chip = tessera.Kernel(ADD), tessera.Chip(timing="off")
    for x in (1, 2):
        chip.launch(x, 2, kernel, {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [1])
    chip.run(500)
    state = chip.save()
    want = hang_of(lambda: chip.run(10**6))
    assert "compute.c:8" in want
    fresh = tessera.Chip(timing="off")
    fresh.restore(state)
    assert fresh.cycle == 500 and hang_of(lambda: fresh.run(10**6)) == want
    assert len(state) < 2 * len(tessera.Chip(timing="off").save()) + 8_000_000  # the program of two tiles once


def test_dst_has_the_width_of_the_format() -> None:
    """fp32 through a 16-bit Dst has 8 bits of mantissa; the kernel is built for 32 bits unless it defines otherwise."""
    from tessera.examples.gelu import gelu, reference
    from tessera.examples.gelu import SOURCE

    x = np.linspace(-3, 3, 2048).reshape(32, 64)
    want = reference(x)
    assert np.abs(gelu(x, format="fp32").output - want).max() < 2.5e-3  # SrcA holds TF32
    exact = tessera.Kernel(SOURCE, defines={"UNPACK_TO_DST": 1}).run([x], x.shape, args=[2], format="fp32").output
    assert np.abs(exact - want).max() < 1e-6  # past SrcA
    assert np.abs(gelu(x).output - want).max() < 0.02
    narrow = tessera.Kernel(SOURCE, defines={"DST_ACCUM_MODE": 0}).run([x], x.shape, args=[2], format="fp32").output
    assert np.abs(narrow - want).max() > 5e-3
    own = tessera.Kernel("#define DST_ACCUM_MODE 0\n" + SOURCE).run([x], x.shape, args=[2], format="fp32").output
    np.testing.assert_array_equal(own, narrow)
    assert tessera.Kernel(SOURCE).build("fp32") != tessera.Kernel(SOURCE).build() == tessera.Kernel(SOURCE).build("bfp8")


def test_arguments_are_exact() -> None:
    source = """#include "compute.h"
void kernel_main(void) {}
"""
    writer = """#include "dataflow.h"
void kernel_main(void) { for (uint32_t i = 0; i < 4; i++) tt_store(0x30000 + 4 * i, get_arg_val(i)); }
"""
    run = tessera.Kernel(source, writer=writer, reader=writer.replace("0x30000", "0x31000")).run(args=[-1, -(2**31), 2**32 - 1, np.int16(-2)])
    assert [run.tile.l1.word(0x30000 + 4 * i) for i in range(4)] == [2**32 - 1, 2**31, 2**32 - 1, 2**32 - 2]
    assert [run.tile.l1.word(0x31000 + 4 * i) for i in range(4)] == [2**32 - 1, 2**31, 2**32 - 1, 2**32 - 2]
    for value in (8.5, 8.0, 2**32, -(2**31) - 1, None, np.float32(1), "8", [8]):
        with pytest.raises(tessera.InvalidError):
            tessera.Kernel(source).run(args=[value])


def test_explore_finds_the_race_and_passes_the_good_kernel() -> None:
    assert tessera.Kernel(ADD).explore([A, B], A.shape, args=[4], schedules=5).good
    found = tessera.Kernel(NO_WAIT).explore([A, B], A.shape, args=[4], schedules=20)
    assert not found.good and "end differently" in str(found) and found.delays


def test_chip_runs_a_kernel() -> None:
    chip, kernel = tessera.Chip(), tessera.Kernel(reader="""#include "noc.h"
void kernel_main(void) { tt_store(0x30000, 42); }
""", writer='#include "dataflow.h"\nvoid kernel_main(void) {}\n')
    chip.launch(1, 2, kernel, {})
    assert chip.run(100000) == "done"
    assert chip.tile(1, 2).l1.word(0x30000) == 42


def timed_library(monkeypatch: pytest.MonkeyPatch) -> dict[str, float]:
    """Replaces the library by one that adds up the time of its calls."""
    from tessera import _abi, chip, explore, isa, kernel, tile  # noqa: F401
    from tessera import _lib

    spent = {"seconds": 0.0}
    for name in _abi.FUNCTIONS:
        plain = getattr(_lib.lib, name)

        def timed(*args: Any, plain: Any = plain) -> Any:
            begin = time.perf_counter()
            result = plain(*args)
            spent["seconds"] += time.perf_counter() - begin
            return result

        monkeypatch.setattr(_lib.lib, name, timed, raising=False)
    return spent


def test_round_trip_costs_less_than_5_ms(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    kernel = tessera.Kernel(ADD)
    kernel.run([A, B], A.shape, args=[4])
    spent, least = timed_library(monkeypatch), 1.0
    for _ in range(10):
        spent["seconds"] = 0.0
        begin = time.perf_counter()
        kernel.run([A, B], A.shape, args=[4])
        least = min(least, time.perf_counter() - begin - spent["seconds"])
    with capsys.disabled():
        print(f"\nnote: a kernel's round trip costs {1000 * least:.2f} ms in Python over the C API's own {1000 * spent['seconds']:.1f} ms (at most 5)")
    assert least < 0.005


def test_a_tile_runs_one_kernel():
    """Cores that have stopped do not start again: a second kernel is rejected."""
    kernel = tessera.Kernel(compute='#include "compute.h"\nvoid kernel_main(void) {}\n')
    tile = tessera.Tile()
    kernel.run(tile=tile)
    with pytest.raises(tessera.InvalidError, match="reset"):
        kernel.run(tile=tile)
    tile.reset()
    kernel.run(tile=tile).check()
    with tessera.Chip() as chip:
        chip.launch(1, 2, kernel, {})
        with pytest.raises(tessera.InvalidError, match="new Chip"):
            chip.launch(1, 2, kernel, {})


def test_headers_are_part_of_the_build(tmp_path):
    """A header in another folder, one that a header includes and one found by -I: a change to any of them triggers a rebuild."""
    (tmp_path / "deep").mkdir()
    (tmp_path / "far").mkdir()
    (tmp_path / "far/value.h").write_text("#define VALUE 1\n")
    (tmp_path / "deep/outer.h").write_text('#include "inner.h"\n')
    (tmp_path / "deep/inner.h").write_text("#define INNER 1\n")
    source = tmp_path / "compute.c"
    source.write_text('#include "compute.h"\n#include "deep/outer.h"\n#include "value.h"\n'
                      "void kernel_main(void) { *(volatile uint32_t *)0x90000 = VALUE * 16 + INNER; }\n")

    def result() -> int:
        tile = tessera.Tile()
        tessera.Kernel(compute=str(source), flags=["-I" + str(tmp_path / "far")]).run(tile=tile)
        return tile.l1.word(0x90000)

    assert result() == 0x11
    (tmp_path / "deep/inner.h").write_text("#define INNER 2\n")
    assert result() == 0x12
    (tmp_path / "far/value.h").write_text("#define VALUE 3\n")
    assert result() == 0x32


def test_a_file_that_changes_is_built_again(tmp_path: pathlib.Path) -> None:
    """The same Kernel, as a notebook keeps it."""
    source = tmp_path / "compute.c"
    source.write_text(ADD)
    kernel = tessera.Kernel(source)
    assert np.abs(kernel.run([A, B], A.shape, args=[4]).output - (A + B)).max() < 0.05
    source.write_text(ADD.replace("add_tiles", "sub_tiles"))
    assert np.abs(kernel.run([A, B], A.shape, args=[4]).output - (A - B)).max() < 0.05


def test_copies_of_structs_are_linked() -> None:
    """The compiler calls memcpy and memset; other undefined names stay an error."""
    copies = """struct big { uint32_t word[64]; };
static struct big given, table[3];
void kernel_main(void) {
  volatile uint32_t which = 2;
  struct big empty = {{0}};
  table[which] = given;
  table[which - 1] = empty;
"""
    source = ADD.replace("void kernel_main(void) {\n", copies)
    assert source != ADD
    assert np.abs(tessera.Kernel(source).run([A, B], A.shape, args=[4]).output - (A + B)).max() < 0.05
    with pytest.raises(tessera.BuildError, match="undefined reference to `memchr'"):
        tessera.Kernel(ADD.replace("void kernel_main(void) {\n", "void *memchr(const void *, int, unsigned);\nvoid kernel_main(void) {\n  memchr(0, 0, 0);\n")).build()


def test_what_the_compiler_cannot_do_is_a_build_error(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    latin = tmp_path / "compute.c"
    latin.write_bytes(b'#include "compute.h"\nvoid kernel_main(void) {\n  foo(); // Gr\xf6\xdfe\n}\n')
    monkeypatch.chdir(tmp_path)
    with pytest.raises(tessera.BuildError) as caught:
        tessera.Kernel("compute.c").build()
    words = "compute.c does not build: compute.c:3:3: error: implicit declaration of function 'foo'"  # the path as it was given
    assert str(caught.value).startswith(words) and "foo(); // Gr" in caught.value.log
    given = [caught] if inspect.signature(caught.traceback[0].ishidden).parameters else []  # pytest before 7.4 takes no argument
    files = [pathlib.Path(entry.path).name for entry in caught.traceback if not entry.ishidden(*given)]
    assert files == ["test_kernel.py"]  # pytest shows the caller's line alone
    script = tmp_path / "cc"
    script.write_text("no script")
    script.chmod(0o755)
    for compiler, words in (("nonesuch", "cannot find the compiler 'nonesuch'"), ("/bin/true", "cannot read brisc.elf: "),
                            (str(script), f"{script}: Exec format error")):
        monkeypatch.setenv("TESSERA_RISCV_CC", compiler)
        with pytest.raises(tessera.BuildError) as caught:
            tessera.Kernel(ADD).build()
        assert str(caught.value).startswith(words)
    monkeypatch.delenv("TESSERA_RISCV_CC")
    monkeypatch.setenv("TESSERA_CACHE", str(latin))
    with pytest.raises(tessera.BuildError, match="Not a directory .TESSERA_CACHE names another"):
        tessera.Kernel(ADD + "// never built").build()


def interrupted(call: Callable[[], object]) -> float:
    """Sends Ctrl-C after a tenth of a second; returns the time until the call ended."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    begin = time.monotonic()
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(KeyboardInterrupt):
            call()
        return time.monotonic() - begin - 0.1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_ctrl_c_ends_a_run_and_the_machine_goes_on() -> None:
    endless = tessera.Kernel('#include "compute.h"\nvoid kernel_main(void) { for (volatile uint32_t i = 0; i < 100000000; i++); }\n')
    endless.build()
    tile = tessera.Tile()
    assert interrupted(lambda: endless.run(tile=tile, cycles=10**12)) < 2
    cycle = tile.cycle
    assert cycle and tile.run(1000).reason == "limit" and tile.cycle == cycle + 1000
    tile.close()
    with tessera.Chip() as chip:
        chip.launch(1, 2, endless, {})
        assert interrupted(lambda: chip.run(10**12)) < 2
        cycle = chip.cycle
        assert cycle and chip.run(4096) == "limit" and chip.cycle == cycle + 4096
        assert interrupted(lambda: chip.run_until(1, 2, 0x90000, 1, cycles=10**12)) < 2
        assert chip.run(64) == "limit"


def test_ctrl_c_ends_explore() -> None:
    """In the run without delays, and between schedules; a PTO program's too."""
    endless = tessera.Kernel('#include "compute.h"\nvoid kernel_main(void) { for (volatile uint32_t i = 0; i < 100000000; i++); }\n')
    good = tessera.Kernel(ADD)
    endless.build(), good.build()
    assert interrupted(lambda: endless.explore(schedules=2)) < 2
    assert interrupted(lambda: good.explore([A, B], A.shape, args=[4], schedules=10**6)) < 2
    assert good.explore([A, B], A.shape, args=[4], schedules=5).runs == 5
    program = tessera.pto.Program(GOOD)
    assert interrupted(lambda: program.explore(10**8)) < 2
    assert program.explore(20).runs == 20


def test_the_compilers_warnings_are_warnings() -> None:
    source = '#include "compute.h"\nvoid kernel_main(void) { int unused; }\n'
    for _ in ("new", "cached"):
        with pytest.warns(tessera.CompilerWarning) as caught:
            tessera.Kernel(source).build()
        assert [str(w.message) for w in caught] == ["compute.c:2:30: warning: unused variable 'unused' [-Wunused-variable]"]
        assert caught[0].filename == __file__


def test_ctrl_c_ends_the_compiler(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow, marks = tmp_path / "cc", tmp_path / "marks"
    slow.write_text(f"#!/bin/sh\nsleep 5\necho done >> {marks}\n")
    slow.chmod(0o755)
    monkeypatch.setenv("TESSERA_RISCV_CC", str(slow))
    monkeypatch.setenv("TESSERA_CACHE", str(tmp_path / "cache"))
    assert interrupted(lambda: tessera.Kernel(ADD).build()) < 3
    assert not marks.exists() and not list((tmp_path / "cache" / "built").glob("tmp*"))


def test_a_run_in_parts_is_the_same_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python runs a machine in parts, so that it handles signals: result, state and text are those of one call."""
    from tessera import _lib

    def ends(tiles: int) -> tuple[object, ...]:
        with tessera.Chip() as chip:
            chip.launch(1, 2, tessera.Kernel(ADD), {0: (2, "bf16"), 1: (2, "bf16"), 16: (2, "bf16")}, [tiles])
            return chip.run(100001, check=False), chip.cycle, chip.hash, chip.explain(), str(chip.report())

    def ends_on_a_tile() -> tuple[object, ...]:
        run = tessera.Kernel(ADD).run([A, B], A.shape, args=[5], raises=False)
        return run.stop, run.tile.hash, str(run.report())

    parts = [ends(0), ends(3), ends_on_a_tile()]
    monkeypatch.setattr(_lib, "_FIRST_PART", 1 << 60)
    assert [ends(0), ends(3), ends_on_a_tile()] == parts
    assert [part[0] for part in parts[:2]] == ["done", "hang"]
