"""pytest plugin: fixtures for tiles and kernels; a failing test shows the finding or hang with the user's lines.

    def test_add(tessera_kernel):
        kernel = tessera_kernel("add.c")
        run = kernel.run([a, b], a.shape, args=[a.size // 1024])
        assert np.allclose(run.output, a + b)

Fixtures
    tessera_tile      a fresh Tile
    tessera_kernel    makes a Kernel (the arguments are Kernel's); files are looked for beside the test

Markers
    tessera_timing("off", "cycle")       run the test once for each; default --tessera-timing, which is cycle
    tessera_explore(schedules=300)       every kernel also runs under schedules that hardware might run: a difference fails the test

Options
    --tessera-report DIR        a report of every kernel run, of every tessera_tile that has run and of every kernel that does not build (text, JSON,
                                HTML), an index, and tessera.sarif for code review
    --tessera-timing off|cycle
"""

from __future__ import annotations

import html
import json
import os
import pathlib
import re
import urllib.parse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, TypeVar

import pytest

if TYPE_CHECKING:
    from .errors import BuildError, Error
    from .findings import Source
    from .folder import ChipRun
    from .kernel import Kernel, Run
    from .report import Report
    from .tile import Tile

T = TypeVar("T")
_LIBRARY = re.compile(r"/kernels/(include|firmware)/")  # lines of the kernel library, not of the user
_RUNS = pytest.StashKey["list[Run | ChipRun]"]()
_TILE = pytest.StashKey["Tile"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """--tessera-report and --tessera-timing."""
    group = parser.getgroup("tessera", "kernels on the Tessera simulator")
    group.addoption("--tessera-report", metavar="DIR", help="write a report of every kernel run and tessera.sarif to DIR")
    group.addoption("--tessera-timing", choices=["off", "cycle"], default="cycle", help="timing of tests without a marker (cycle)")


def pytest_configure(config: pytest.Config) -> None:
    """Markers."""
    config.addinivalue_line("markers", "tessera_timing(*timings): run the test with timing off, cycle, or both")
    config.addinivalue_line("markers", "tessera_explore(schedules=300, seed=1): kernels also run under schedules of hardware")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One test for each timing of the marker."""
    marker = metafunc.definition.get_closest_marker("tessera_timing")
    if marker is None or "tessera_timing" not in metafunc.fixturenames:
        return
    timings = list(marker.args)
    wrong = [timing for timing in timings if timing not in ("off", "cycle")]
    if wrong or not timings:
        raise pytest.UsageError(f"tessera_timing takes \"off\" and \"cycle\", not {wrong}")
    metafunc.parametrize("tessera_timing", timings, indirect=True)


@pytest.fixture
def tessera_timing(request: pytest.FixtureRequest) -> str:
    """The timing of this test: "off" or "cycle"."""
    return str(getattr(request, "param", request.config.getoption("--tessera-timing")))


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

    def __init__(self, node: pytest.Item, timing: str) -> None:
        self._node, self._timing, self._marker = node, timing, node.get_closest_marker("tessera_explore")
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
            return maker._kept(on_chip, args, settings)

        def run(*args: Any, **settings: Any) -> Run:
            __tracebackhide__ = True
            settings.setdefault("timing", maker._timing)
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
        if self._marker is None:
            return
        __tracebackhide__ = True
        names = ("inputs", "outputs", "args", "format", "formats", "buffers", "feed", "drain")
        same = {**{k: v for k, v in settings.items() if k in names}, **self._marker.kwargs}
        explore: Any = kernel.explore
        found = explore(*args, **same)
        if not found.good:
            pytest.fail(f"tessera_explore: {found}", pytrace=False)


@pytest.fixture
def tessera_kernel(request: pytest.FixtureRequest, tessera_timing: str) -> KernelMaker:
    """Makes kernels: tessera_kernel("compute.c"), tessera_kernel(source), tessera_kernel("directory")."""
    node: pytest.Item = request.node
    return KernelMaker(node, tessera_timing)


# --- what a failing test shows ---


def _with_lines(place: Source | None) -> list[str]:
    return [f"  {place}:", *(f"  {line}" for line in place.lines())] if place is not None and place.lines() else []


def _places(error: Error | None, tile: Tile | None) -> list[Source]:
    """Where the user has to look: places of findings, of waiters, once each."""
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
    if log:  # of the compiler, which shows the lines itself
        lines += log.splitlines()[:40]
    for place in _places(error, tile):
        lines += _with_lines(place)
    return "\n".join(lines)


def _tile_of(item: pytest.Item) -> Tile | None:
    """The test's tessera_tile, once it has run."""
    tile = item.stash.get(_TILE, None)
    return tile if tile is not None and tile._open and tile.cycle else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Adds the section "tessera" to a failing test; writes the reports."""
    outcome = yield
    report: pytest.TestReport = outcome.get_result()  # type: ignore[attr-defined]
    if call.when != "call":
        return
    from .errors import BuildError, Error

    runs, tile = item.stash.get(_RUNS, []), _tile_of(item)
    value = call.excinfo.value if call.excinfo is not None else None
    error = value if isinstance(value, Error) else None
    at_fault = error.run.tile if error is not None and error.run is not None else runs[-1].tile if runs else tile
    if report.failed and (error is not None or at_fault is not None):
        section = _section(error, at_fault)
        if section:
            report.sections.append(("tessera", section))
    directory = item.config.getoption("--tessera-report")
    if directory:
        reports = [(run.kernel.name, run.report()) for run in runs] + ([("tessera_tile", tile.report())] if tile is not None else [])
        if isinstance(error, BuildError):
            reports.append(("does not build", build_report(error)))
        _write(item, pathlib.Path(directory), reports, report.outcome)


def build_report(error: BuildError) -> Report:
    """The report of a kernel that does not build: the compiler's words, and for code review its first error as a result."""
    from .report import Report

    words = f"{error}\n\n{error.log}" if error.log else f"{error}\n"
    result: dict[str, Any] = {"ruleId": "BUILD", "level": "error", "message": {"text": str(error)}}
    found = re.search(r"^(/?[^:\n]+):(\d+):(?:(\d+):)? (?:fatal )?error: ", error.log, re.M)
    if found:
        region = {"startLine": int(found[2]), **({"startColumn": int(found[3])} if found[3] else {})}
        result["locations"] = [{"physicalLocation": {"artifactLocation": {"uri": urllib.parse.quote(found[1])}, "region": region}}]
    rule = {"id": "BUILD", "shortDescription": {"text": "a kernel does not build"}}
    driver = {"name": "tessera", "rules": [rule]}
    sarif = {"version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": [result]}]}
    return Report(words, {"result": "build", "code": error.code, "cycles": 0, "words": str(error)}, json.dumps(sarif))


def _write(item: pytest.Item, directory: pathlib.Path, reports: list[tuple[str, Report]], outcome: str) -> None:
    for number, (kernel, report) in enumerate(reports):
        directory.mkdir(parents=True, exist_ok=True)
        name = re.sub(r"[^\w.-]+", "_", item.nodeid).strip("_") + (f".{number}" if len(reports) > 1 else "")
        report.title = item.nodeid
        for ending in (".txt", ".json", ".html", ".sarif"):
            report.save(directory / (name + ending))
        # A hang, a fault and a kernel that does not build are found as well as a finding is: SARIF has one result for each.
        found = sum(len(run["results"]) for run in json.loads(report.sarif)["runs"])
        row = {"test": item.nodeid, "outcome": outcome, "file": name, "kernel": kernel, "cycles": report.cycles, "code": report.code,
               "findings": found}
        (directory / (name + ".row")).write_text(json.dumps(row))


def pytest_sessionfinish(session: pytest.Session) -> None:
    """One SARIF file and an index of all reports."""
    directory = session.config.getoption("--tessera-report")
    if not directory or hasattr(session.config, "workerinput"):
        return
    top = pathlib.Path(directory)
    top.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted(top.glob("*.row")):
        rows.append(json.loads(path.read_text()))
        path.unlink()
    parts = [json.loads((top / (row["file"] + ".sarif")).read_text()) for row in rows]
    (top / "tessera.sarif").write_text(json.dumps(merge_sarif(parts, session.config.rootpath), indent=1) + "\n")
    for row in rows:
        (top / (row["file"] + ".sarif")).unlink()
    (top / "index.html").write_text(_index(rows))


def _index(rows: list[dict[str, Any]]) -> str:
    cells = "".join(
        f"<tr><td><a href='{html.escape(row['file'])}.html'>{html.escape(row['test'])}</a></td><td>{row['outcome']}</td>"
        f"<td>{html.escape(row['kernel'])}</td><td align=right>{row['cycles']:,}</td><td align=right>{row['findings']}</td></tr>\n"
        for row in rows)
    return ("<!doctype html><meta charset='utf-8'><title>Tessera: kernel tests</title><h1>Kernel tests</h1>"
            "<table cellpadding=4><tr><th>test<th>outcome<th>kernel<th>cycles<th>findings</tr>\n" + cells + "</table>\n")


def merge_sarif(parts: list[dict[str, Any]], root: pathlib.Path) -> dict[str, Any]:
    """One run of all results, each once, with paths relative to the root as code review wants them."""
    results: dict[str, Any] = {}
    rules: dict[str, Any] = {}
    driver: dict[str, Any] = {"name": "tessera", "rules": []}
    schema = "https://json.schemastore.org/sarif-2.1.0.json"
    for part in parts:
        for run in part["runs"]:
            if len(run["tool"]["driver"]["rules"]) > len(driver["rules"]):
                driver = run["tool"]["driver"]
            rules.update({rule["id"]: rule for rule in run["tool"]["driver"]["rules"]})
            for result in run["results"]:
                _relative(result, root)
                results.setdefault(json.dumps({k: result.get(k) for k in ("ruleId", "locations")}, sort_keys=True), result)
    merged = {"tool": {"driver": {**driver, "rules": list(rules.values())}}, "results": list(results.values())}
    return {"$schema": schema, "version": "2.1.0", "runs": [merged]}


def _relative(value: Any, root: pathlib.Path) -> None:
    if isinstance(value, list):
        for part in value:
            _relative(part, root)
    elif isinstance(value, dict):
        uri = value.get("uri")
        if isinstance(uri, str) and os.path.isabs(uri) and pathlib.Path(uri).is_relative_to(root):
            value["uri"] = pathlib.Path(uri).relative_to(root).as_posix()
        for part in value.values():
            _relative(part, root)
