"""pytest plugin: fixtures for tiles and kernels; a failing test shows the finding or hang with the user's lines.

    def test_add(tessera_kernel):
        kernel = tessera_kernel("add.c")
        run = kernel.run([a, b], a.shape, args=[a.size // 1024])
        assert np.allclose(run.output, a + b)

Fixtures
    tessera_tile      a fresh Tile
    tessera_kernel    makes a Kernel (the arguments are Kernel's); files are searched beside the test

Markers
    tessera_timing("off", "cycle")       run the test once for each; default --tessera-timing, else cycle, for run_on_chip the setting of kernel.chip
    tessera_explore(schedules=300)       every kernel on a tile also runs under schedules that hardware may have: a difference fails the test

Options
    --tessera-report DIR        a report of every kernel run, of every tessera_tile that has run and of every kernel that does not build (text, JSON,
                                HTML), an index, and tessera.sarif for code review
    --tessera-timing off|cycle
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

from . import _pytest_reports

if TYPE_CHECKING:
    from .errors import Error
    from .findings import Source
    from .folder import ChipRun
    from .kernel import Kernel, Run
    from .report import Report
    from .tile import Tile

T = TypeVar("T")
_LIBRARY = re.compile(r"/kernels/(include|firmware)/")  # lines of the kernel library, not of the user
_EXPLORE = ("schedules", "seed", "threads")
_RUNS = pytest.StashKey["list[Run | ChipRun]"]()
_TILE = pytest.StashKey["Tile"]()
_SEEN = pytest.StashKey["list[Run | ChipRun | Tile]"]()  # already in the test's reports


def pytest_addoption(parser: pytest.Parser) -> None:
    """--tessera-report and --tessera-timing."""
    group = parser.getgroup("tessera", "kernels on the Tessera simulator")
    group.addoption("--tessera-report", metavar="DIR", help="write a report of every kernel run and tessera.sarif to DIR")
    group.addoption("--tessera-timing", choices=["off", "cycle"], help="timing of tests without a marker (cycle)")


def pytest_configure(config: pytest.Config) -> None:
    """Markers; the reports' directory."""
    config.addinivalue_line("markers", "tessera_timing(*timings): run the test with timing off, cycle, or both")
    config.addinivalue_line("markers", "tessera_explore(schedules=300, seed=1): kernels also run under schedules of hardware")
    directory = config.getoption("--tessera-report")
    if directory and not hasattr(config, "workerinput"):
        _pytest_reports.prepare(directory)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each timing of the marker."""
    _schedules(metafunc.definition.get_closest_marker("tessera_explore"))
    marker = metafunc.definition.get_closest_marker("tessera_timing")
    if marker is None or "tessera_timing" not in metafunc.fixturenames:
        return
    timings = list(marker.args)
    wrong = [timing for timing in timings if timing not in ("off", "cycle")]
    if wrong or not timings:
        raise pytest.Collector.CollectError(f"tessera_timing takes \"off\" and \"cycle\", not {wrong}")
    metafunc.parametrize("tessera_timing", timings, indirect=True)


def _schedules(marker: pytest.Mark | None) -> dict[str, int] | None:
    """The marker's settings for Kernel.explore; None without the marker."""
    if marker is None:
        return None
    given = dict(zip(_EXPLORE, marker.args))
    wrong = len(marker.args) > len(_EXPLORE) or set(given) & set(marker.kwargs) or set(marker.kwargs) - set(_EXPLORE)
    given.update(marker.kwargs)
    if wrong or any(type(value) is not int or value < 0 for value in given.values()) or given.get("schedules") == 0:
        words = ", ".join([*map(repr, marker.args), *(f"{key}={value!r}" for key, value in marker.kwargs.items())])
        raise pytest.Collector.CollectError(f"tessera_explore takes schedules, seed and threads as whole numbers, not ({words})")
    return given


def _timing(request: pytest.FixtureRequest) -> str | None:
    """The timing of the marker or the option; None: neither."""
    own = request.node.callspec.params.get("tessera_timing") if hasattr(request.node, "callspec") else None
    return own or request.config.getoption("--tessera-timing") or None


@pytest.fixture
def tessera_timing(request: pytest.FixtureRequest) -> str:
    """The timing of this test: "off" or "cycle"."""
    return str(_timing(request) or "cycle")


@pytest.fixture
def tessera_tile(request: pytest.FixtureRequest, tessera_timing: str) -> Iterator[Tile]:
    """A fresh tile with the checkers of `tessera run`."""
    from .tile import Tile

    tile = Tile(tessera_timing, check="a,b,c,d,e")
    request.node.stash[_TILE] = tile
    yield tile
    tile.close()


class KernelMaker:
    """Makes kernels whose runs belong to a test."""

    def __init__(self, node: pytest.Item, timing: str | None) -> None:
        self._node, self._timing, self._schedules = node, timing, _schedules(node.get_closest_marker("tessera_explore"))
        node.stash[_RUNS] = []

    def __repr__(self) -> str:
        return "<tessera_kernel>"

    def _beside(self, source: Any) -> Any:
        if not isinstance(source, (str, os.PathLike)) or (isinstance(source, str) and ("\n" in source or "{" in source)):
            return source
        near = self._node.path.parent / source
        return near if near.exists() else source

    def __call__(self, compute: Any = None, reader: Any = None, writer: Any = None, **more: Any) -> Kernel:
        """A Kernel; the arguments are Kernel's. A directory has compute.c, reader.c and writer.c."""
        from .kernel import Kernel

        compute, reader, writer = (self._beside(source) for source in (compute, reader, writer))
        if isinstance(compute, os.PathLike) and os.path.isdir(compute):
            kernel = Kernel.from_directory(compute, **more)
        else:
            kernel = Kernel(compute, reader, writer, **more)
        return self._watched(kernel)

    def _watched(self, kernel: Kernel) -> Kernel:
        plain, maker, on_chip = kernel.run, self, kernel.run_on_chip

        def run_on_chip(*args: Any, **settings: Any) -> ChipRun:
            __tracebackhide__ = True
            if maker._schedules is not None:
                pytest.fail("tessera_explore: schedules are explored on one tile: call run() instead of run_on_chip()", pytrace=False)
            if maker._timing is not None:  # otherwise the description's setting
                settings.setdefault("timing", maker._timing)
            return maker._kept(on_chip, args, settings)

        def run(*args: Any, **settings: Any) -> Run:
            __tracebackhide__ = True
            if settings.get("tile") is None:  # a tile has its own
                settings.setdefault("timing", maker._timing or "cycle")
            result = maker._kept(plain, args, settings)
            maker._explore(kernel, args, settings)
            return result

        kernel.run = run  # type: ignore[method-assign]
        kernel.run_on_chip = run_on_chip  # type: ignore[method-assign]
        return kernel

    def _kept(self, call: Callable[..., T], args: tuple[Any, ...], settings: dict[str, Any]) -> T:
        """The run, which belongs to the test whether it is good or not."""
        from .errors import Error

        __tracebackhide__ = True
        try:
            result = call(*args, **settings)
        except Error as error:
            if error.run is not None:
                self._node.stash[_RUNS].append(error.run)
            raise
        self._node.stash[_RUNS].append(result)  # type: ignore[arg-type]
        return result

    def _explore(self, kernel: Kernel, args: Any, settings: dict[str, Any]) -> None:
        __tracebackhide__ = True
        if self._schedules is None:
            return
        names = ("inputs", "outputs", "args", "format", "formats", "buffers", "feed", "drain")
        same = {**{k: v for k, v in settings.items() if k in names}, **self._schedules}
        explore: Any = kernel.explore
        found = explore(*args, **same)
        if not found.good:
            pytest.fail(f"tessera_explore: {found}", pytrace=False)


@pytest.fixture
def tessera_kernel(request: pytest.FixtureRequest, tessera_timing: str) -> KernelMaker:
    """Makes kernels: tessera_kernel("compute.c"), tessera_kernel(source), tessera_kernel("directory")."""
    node: pytest.Item = request.node
    return KernelMaker(node, _timing(request))


# --- output of a failing test ---


def _with_lines(place: Source | None) -> list[str]:
    return [f"  {place}:", *(f"  {line}" for line in place.lines())] if place is not None and place.lines() else []


def _places(error: Error | None, tile: Tile | None) -> list[Source]:
    """The source positions of findings and waiters, once each."""
    found: list[Source | None] = []
    hang = getattr(error, "hang", None) or (tile.hang if tile else None)
    for finding in getattr(error, "findings", None) or (tile.findings if tile else []):
        found += [finding.place, finding.other]
    if hang is not None:
        found += [hang.waiters[i].place for i in (hang.chain or range(len(hang.waiters)))]
    unique: dict[tuple[str, int], Source] = {}
    for place in found:
        if place is not None and not _LIBRARY.search(place.path):
            unique.setdefault((place.path, place.line), place)
    return list(unique.values())[:6]


def _section(error: Error | None, tile: Tile | None) -> str:
    words = str(error) if error is not None else ""
    if not words and tile is not None:
        words = tile.explain() or "\n".join(str(finding) for finding in tile.findings)
    lines = [words] if words else []
    log = getattr(error, "log", "").rstrip()
    if log:  # an error of the compiler, which shows the lines itself
        lines += log.splitlines()[:40]
    if getattr(error, "code", 0) == 1 and tile is not None:  # a failed expectation: a finding may be its reason
        lines += [str(finding) for finding in tile.findings]
    if tile is not None and tile.printed():
        lines += ["printed by the kernel:", *(f"  {line}" for line in tile.printed().splitlines())]
    for place in _places(error, tile):
        lines += _with_lines(place)
    return "\n".join(lines)


def _tile_of(item: pytest.Item) -> Tile | None:
    """The test's tessera_tile, once it has run."""
    tile = item.stash.get(_TILE, None)
    return tile if tile is not None and tile._open and tile.cycle else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Adds the section "tessera" to a failing test; writes the reports. A failing fixture is shown like a test."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()  # type: ignore[attr-defined]
    if call.when != "call" and not report.failed:
        return
    from .errors import Error

    runs, tile = item.stash.get(_RUNS, []), _tile_of(item)
    value = call.excinfo.value if call.excinfo is not None else None
    error = value if isinstance(value, Error) else None
    if error is not None and error.run is not None and error.run not in runs:  # of a kernel that the test has made without tessera_kernel
        runs = [*runs, error.run]
    at_fault = error.run.tile if error is not None and error.run is not None else runs[-1].tile if runs else tile
    if report.failed and (error is not None or at_fault is not None):
        section = _section(error, at_fault)
        if section:
            report.sections.append(("tessera", section))
    directory = item.config.getoption("--tessera-report")
    if directory:
        _pytest_reports.write(item, directory, _reports(item, runs, tile, error), report.outcome)


def _reports(item: pytest.Item, runs: list[Run | ChipRun], tile: Tile | None, error: Error | None) -> list[tuple[str, Report]]:
    """New results since the last report of the test: its runs, its tile, the kernel that does not build."""
    from .errors import BuildError

    seen = item.stash.setdefault(_SEEN, [])
    reports = [(run.kernel.name, run.report()) for run in runs if run not in seen]
    if tile is not None and tile not in seen:
        reports.append(("tessera_tile", tile.report()))
    seen += [*runs, *([tile] if tile is not None else [])]
    if isinstance(error, BuildError):
        reports.append(("does not build", _pytest_reports.build_report(error)))
    return reports


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One SARIF file and an index of all reports."""
    directory = session.config.getoption("--tessera-report")
    if directory and not hasattr(session.config, "workerinput"):
        _pytest_reports.summarize(directory, session.config.rootpath)
