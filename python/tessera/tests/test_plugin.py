"""The pytest plugin, tested by pytest itself."""

from __future__ import annotations

import json
import pathlib
import shutil

import pytest

from tessera.build import kernel_library
from tessera.tests.kernels import ADD, BROKEN, NO_WAIT

pytest_plugins = ["pytester"]

TESTS = """
import numpy as np
import pytest

A, B = np.ones((32, 64)), np.full((32, 64), 2.0)

def test_tile(tessera_tile):
    tessera_tile.l1.write(0x20000, A, "bf16", tiles=True)
    assert tessera_tile.l1.read(0x20000, (32, 64), "bf16", tiles=True).sum() == 2048

@pytest.mark.tessera_timing("off", "cycle")
def test_timings(tessera_tile, tessera_timing):
    assert tessera_timing in ("off", "cycle")
"""
KERNELS = """
import numpy as np
import pytest

A, B = np.ones((32, 64)), np.full((32, 64), 2.0)

@pytest.mark.tessera_explore(schedules=3)
@pytest.mark.tessera_timing("cycle")
def test_good(tessera_kernel):
    assert (tessera_kernel("add.c").run([A, B], A.shape, args=[2]).output == 3).all()

def test_race(tessera_kernel):
    tessera_kernel("race.c").run([A, B], A.shape, args=[2])

def test_hang(tessera_kernel):
    tessera_kernel("add.c").run([A, B], A.shape, args=[3])

def test_wrong(tessera_kernel):
    run = tessera_kernel("race.c").run([A, B], A.shape, args=[2], raises=False)
    assert (run.output == 4).all()

@pytest.mark.tessera_explore(schedules=20)
def test_explored(tessera_kernel):
    tessera_kernel("race.c").run([A, B], A.shape, args=[2], raises=False)

def test_broken(tessera_kernel):
    tessera_kernel("broken.c").run([A, B], A.shape, args=[2])

def test_folder(tessera_kernel):
    tessera_kernel("folder").run_on_chip(timing="off", cycles=500)

def test_tile_hang(tessera_tile):
    tessera_tile.load_asm(".thread 0\\n  ttsemwait 0x1ff, 1 << semaphore::MATH_PACK, p_stall::STALL_ON_ZERO\\n  ttnop\\n")
    tessera_tile.run()
"""


@pytest.fixture
def plugin(request: pytest.FixtureRequest) -> list[str]:
    """The plugin by name where the package is not installed and so has no entry point."""
    return [] if request.config.pluginmanager.has_plugin("tessera") else ["-p", "tessera.pytest_plugin"]


def test_fixtures_and_timings(pytester: pytest.Pytester, plugin: list[str]) -> None:
    pytester.makepyfile(test_it=TESTS)
    result = pytester.runpytest(*plugin, "-v")
    result.assert_outcomes(passed=3)
    result.stdout.fnmatch_lines(["*test_timings*off*PASSED*", "*test_timings*cycle*PASSED*"])
    pytester.makepyfile(test_it=TESTS.replace('"off", "cycle")', '"fast")'))
    assert pytester.runpytest(*plugin).ret != 0


@pytest.mark.builds
def test_failures_show_the_users_lines(pytester: pytest.Pytester, plugin: list[str]) -> None:
    pytester.makepyfile(test_it=KERNELS)
    (pytester.path / "add.c").write_text(ADD)
    (pytester.path / "race.c").write_text(NO_WAIT)
    shutil.copytree(pathlib.Path(kernel_library()) / "template", pytester.path / "folder")
    (pytester.path / "broken.c").write_text(BROKEN)
    reports = pytester.path / "reports"
    result = pytester.runpytest(*plugin, "--tessera-report", str(reports))
    result.assert_outcomes(passed=1, failed=7)
    result.stdout.fnmatch_lines([
        "*test_race*", "*- tessera -*", "race.c:10 (kernel_main, in *): error: *; L1_UNDEFINED]*",
        "  >   10 |     add_tiles(0, 1, 0, 0, 0);",
        "*test_hang*", "*- tessera -*", "hang after * cycles: *add.c:8*",
        "  >    8 |     cb_wait_front(0, 1);",
        "*test_wrong*", "*- tessera -*", "race.c:10*", "*test_explored*", "*schedules*end differently*",
        "*test_broken*", "E *BuildError: broken.c does not build: *broken.c:5:*: error:*", "*- tessera -*", "*test_folder*",
        "E *LimitError: not done after 500 cycles*", "*test_tile_hang*",
        "E *HangError: hang after *", "*- tessera -*", "hang after *"])
    result.stdout.no_fnmatch_line("*kernel.py:*: HangError")  # the traceback ends in the user's line
    result.stdout.no_fnmatch_line("  tensix_io.h:*")  # the kernel library's lines are not the user's
    check_reports(reports)


def check_reports(reports: pathlib.Path) -> None:
    sarif = json.loads((reports / "tessera.sarif").read_text())
    results = sarif["runs"][0]["results"]
    rules = {rule["id"] for rule in sarif["runs"][0]["tool"]["driver"]["rules"]}
    assert {"HANG", "L1_UNDEFINED", "BUILD"} <= {result["ruleId"] for result in results} <= rules
    places = {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in results if result.get("locations")}
    assert {"race.c", "add.c", "broken.c"} <= places  # relative to the root, as code review wants them
    assert len([path for path in reports.iterdir() if path.suffix == ".html"]) == 9  # one per run, tile and build, and the index
    index = (reports / "index.html").read_text()
    for test, found in (("test_hang", 1), ("test_tile_hang", 1), ("test_broken", 1), ("test_folder", 1), ("test_good", 0)):
        row = next(line for line in index.splitlines() if f"::{test}<" in line or f"::{test}[" in line)
        assert row.endswith(f"<td align=right>{found}</td></tr>"), row
    assert "does not build: " in (reports / "test_it.py_test_broken.txt").read_text()
    assert "test_it.py::test_hang" in index and "failed" in index and "passed" in index
    assert not list(reports.glob("*.row"))


CHIPS = """
import numpy as np
import pytest
import tessera

A, B = np.ones((32, 64)), np.full((32, 64), 2.0)

@pytest.mark.tessera_timing("off", "cycle")
def test_marker(tessera_kernel, tessera_timing):
    run = tessera_kernel("folder").run_on_chip()
    assert run.tile.report().data["timing"] == tessera_timing

def test_option(tessera_kernel, request):
    run = tessera_kernel("folder").run_on_chip()
    assert run.tile.report().data["timing"] == (request.config.getoption("--tessera-timing") or "cycle")

@pytest.mark.tessera_explore(2)
def test_positional(tessera_kernel, monkeypatch):
    seen, plain = [], tessera.Kernel.explore
    monkeypatch.setattr(tessera.Kernel, "explore", lambda self, *a, **k: seen.append(k["schedules"]) or plain(self, *a, **k))
    tessera_kernel("add.c").run([A, B], A.shape, args=[2])
    assert seen == [2]

@pytest.mark.tessera_explore(schedules=2)
def test_explored_chip(tessera_kernel):
    tessera_kernel("folder").run_on_chip()

@pytest.mark.tessera_timing("off")
def test_own_tile(tessera_kernel, tessera_tile):
    assert (tessera_kernel("add.c").run([A, B], A.shape, args=[2], tile=tessera_tile).output == 3).all()
"""
FAILURES = """
import numpy as np
import pytest
import tessera

A, B = np.ones((32, 64)), np.full((32, 64), 2.0)

@pytest.fixture
def ran(tessera_kernel):
    return tessera_kernel("add.c").run([A, B], A.shape, args=[3])

def test_fixture(ran):
    pass

def test_file(tessera_tile):
    tessera_tile.load_elf("brisc", "none.elf")

def test_expected(tessera_kernel):
    tessera_kernel("folder").run_on_chip(timing="off")

def test_own_kernel(request):
    tessera.Kernel(request.path.parent / "add.c", name="own").run([A, B], A.shape, args=[3])

@pytest.mark.parametrize("n", [1])
def test_x(tessera_kernel, n):
    tessera_kernel("add.c", name="with a parameter").run([A, B], A.shape, args=[2])

def test_x_1(tessera_kernel):
    tessera_kernel("add.c", name="without").run([A, B], A.shape, args=[2])

@pytest.mark.parametrize("n", ["z" * 300], ids=["z" * 300])
def test_long(tessera_kernel, n):
    tessera_kernel("add.c").run([A, B], A.shape, args=[2])
"""


def folder(pytester: pytest.Pytester) -> pathlib.Path:
    (pytester.path / "add.c").write_text(ADD)
    return pathlib.Path(shutil.copytree(pathlib.Path(kernel_library()) / "template", pytester.path / "folder"))


@pytest.mark.builds
def test_markers_and_options_reach_a_chip(pytester: pytest.Pytester, plugin: list[str]) -> None:
    pytester.makepyfile(test_it=CHIPS)
    folder(pytester)
    result = pytester.runpytest(*plugin)
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["tessera_explore: schedules are explored on one tile: call run() instead of run_on_chip()"])
    pytester.runpytest(*plugin, "--tessera-timing", "off", "-k", "test_option").assert_outcomes(passed=1)


@pytest.mark.parametrize("marker", ["tessera_explore(schedulez=5)", "tessera_explore(0)", "tessera_explore(5, schedules=5)", "tessera_explore(1.5)",
                                    "tessera_explore(1, 2, 3, 4)", "tessera_timing('fast')", "tessera_timing()"])
def test_wrong_markers_are_one_line(pytester: pytest.Pytester, plugin: list[str], marker: str) -> None:
    pytester.makepyfile(test_it=f"import pytest\n@pytest.mark.{marker}\ndef test_it(tessera_tile):\n    pass\n")
    result = pytester.runpytest(*plugin)
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([f"{marker.split('(')[0]} takes *, not *"])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*pytest_plugin.py*")


@pytest.mark.builds
def test_every_failure_has_its_report(pytester: pytest.Pytester, plugin: list[str]) -> None:
    pytester.makepyfile(test_it=FAILURES)
    description = folder(pytester) / "kernel.chip"
    description.write_text(description.read_text().replace("sum A B", "sum A A"))
    reports = pytester.path / "reports"
    result = pytester.runpytest(*plugin, "--tessera-report", str(reports))
    result.assert_outcomes(passed=3, failed=3, errors=1)
    result.stdout.fnmatch_lines([">       tessera_tile.load_elf(*", "E       tessera.errors.FileError: none.elf: No such file or directory", "", "*test_it.py:*: FileError"],
                                consecutive=True)
    result.stdout.fnmatch_lines([
        "*ERROR at setup of test_fixture*", "*- tessera -*", "hang after * cycles: *add.c:8*", "  >    8 |     cb_wait_front(0, 1);",
        "*test_expected*", "E *ExpectationError: C against sum of A and A: worst error * WRONG", "*- tessera -*",
        "*test_own_kernel*", "*- tessera -*", "  >    8 |     cb_wait_front(0, 1);"])
    index = (reports / "index.html").read_text()
    rows = [line for line in index.splitlines() if line.startswith("<tr><td><a")]
    assert [row.count(f"::{test}<") for row, test in zip(rows, ("test_expected", "test_fixture"))] == [1, 1] and len(rows) == 6
    for kernel in ("folder", "own", "with a parameter", "without"):
        assert f"<td>{kernel}</td>" in index
    names = {row.split("'")[1] for row in rows}
    assert len(names) == 6 and all((reports / name).is_file() for name in names)
    assert "failed" in rows[0] and "failed" in rows[1]


def test_reports_that_cannot_be_written(pytester: pytest.Pytester, plugin: list[str]) -> None:
    pytester.makepyfile(test_it="def test_it():\n    pass\n")
    (pytester.path / "file").write_text("")
    result = pytester.runpytest(*plugin, "--tessera-report", "file/reports")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --tessera-report file/reports: Not a directory"])
    pytester.makepyfile(test_it="import shutil\n\ndef test_it(tessera_tile):\n    tessera_tile.load_asm('.thread 0\\n ttnop\\n')\n    tessera_tile.run()\n"
                                "    shutil.rmtree('reports')\n    open('reports', 'w').close()\n")
    result = pytester.runpytest(*plugin, "--tessera-report", "reports")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "--tessera-report reports: " in result.stdout.str() + result.stderr.str() and "INTERNALERROR" not in result.stdout.str()
