"""Files of --tessera-report: a report of every run, an index, and one SARIF file for code review."""

from __future__ import annotations

import hashlib
import html
import json
import os
import pathlib
import re
import urllib.parse
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest

from .report import Report

if TYPE_CHECKING:
    from .errors import BuildError

__all__ = ["build_report", "merge_sarif", "prepare", "summarize", "write"]

_NAMES = pytest.StashKey["Counter[str]"]()  # of the session's tests, as files
_WRITTEN = pytest.StashKey[int]()  # reports of a test so far
_LONGEST = 120  # characters of a file's name, without its extension


def prepare(directory: str) -> None:
    """UsageError if the directory is not writable: before the tests run, not after them."""
    try:
        os.makedirs(directory, exist_ok=True)
        probe = os.path.join(directory, f".tessera.{os.getpid()}")
        open(probe, "w").close()
        os.unlink(probe)
        for row in pathlib.Path(directory).glob("*.row"):  # of tests that were interrupted
            row.unlink()
    except OSError as error:
        raise pytest.UsageError(f"--tessera-report {directory}: {error.strerror}") from None


def build_report(error: BuildError) -> Report:
    """The report of a kernel that does not build: the compiler's output, and its first error as a result for code review."""
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


def _plain(nodeid: str) -> str:
    return re.sub(r"[^\w.-]+", "_", nodeid).strip("_")


def _name(item: pytest.Item) -> str:
    """The test's file name. test_x[1] and test_x_1 look alike without their brackets, and a parameter may be a long text: then a hash of the
    test's own name distinguishes them, the same in every process of pytest-xdist."""
    config, plain = item.config, _plain(item.nodeid)
    if _NAMES not in config.stash:
        config.stash[_NAMES] = Counter(_plain(other.nodeid) for other in item.session.items)
    if config.stash[_NAMES][plain] < 2 and len(plain) <= _LONGEST and not re.search(r"\.\d+$", plain):
        return plain
    return f"{plain[:_LONGEST]}-{hashlib.sha256(item.nodeid.encode('utf-8', 'replace')).hexdigest()[:8]}"


def write(item: pytest.Item, directory: str, reports: list[tuple[str, Report]], outcome: str) -> None:
    """Writes a test's reports, each with the name of its kernel; a further call adds to them."""
    try:
        _write(item, pathlib.Path(directory), reports, outcome)
    except OSError as error:
        pytest.exit(f"--tessera-report {directory}: {error.strerror or error}", int(pytest.ExitCode.USAGE_ERROR))


def _write(item: pytest.Item, directory: pathlib.Path, reports: list[tuple[str, Report]], outcome: str) -> None:
    first = item.stash.get(_WRITTEN, 0)
    item.stash[_WRITTEN] = first + len(reports)
    for number, (kernel, report) in enumerate(reports, first):
        directory.mkdir(parents=True, exist_ok=True)
        name = _name(item) + (f".{number}" if first + len(reports) > 1 else "")
        report.title = item.nodeid
        for ending in (".txt", ".json", ".html", ".sarif"):
            report.save(directory / (name + ending))
        # A hang, a fault and a failed build count like a finding: SARIF has one result for each.
        found = sum(len(run["results"]) for run in json.loads(report.sarif)["runs"])
        row = {"test": item.nodeid, "outcome": outcome, "file": name, "kernel": kernel, "cycles": report.cycles, "code": report.code,
               "findings": found}
        (directory / (name + ".row")).write_text(json.dumps(row), encoding="utf-8")


def summarize(directory: str, root: pathlib.Path) -> None:
    """One SARIF file and an index of all reports."""
    try:
        _summarize(pathlib.Path(directory), root)
    except OSError as error:
        pytest.exit(f"--tessera-report {directory}: {error.strerror or error}", int(pytest.ExitCode.USAGE_ERROR))


def _summarize(top: pathlib.Path, root: pathlib.Path) -> None:
    top.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted(top.glob("*.row")):
        rows.append(json.loads(path.read_text(encoding="utf-8")))
        path.unlink()
    parts = [json.loads((top / (row["file"] + ".sarif")).read_text(encoding="utf-8")) for row in rows]
    (top / "tessera.sarif").write_text(json.dumps(merge_sarif(parts, root), indent=1) + "\n", encoding="utf-8")
    for row in rows:
        (top / (row["file"] + ".sarif")).unlink()
    (top / "index.html").write_text(_index(rows), encoding="utf-8")


def _index(rows: list[dict[str, Any]]) -> str:
    cells = "".join(
        f"<tr><td><a href='{urllib.parse.quote(row['file'])}.html'>{html.escape(row['test'])}</a></td><td>{row['outcome']}</td>"
        f"<td>{html.escape(row['kernel'])}</td><td align=right>{row['cycles']:,}</td><td align=right>{row['findings']}</td></tr>\n"
        for row in rows)
    return ("<!doctype html><meta charset='utf-8'><title>Tessera: kernel tests</title><h1>Kernel tests</h1>"
            "<table cellpadding=4><tr><th>test<th>outcome<th>kernel<th>cycles<th>findings</tr>\n" + cells + "</table>\n")


def merge_sarif(parts: list[dict[str, Any]], root: pathlib.Path) -> dict[str, Any]:
    """One run of all results, each once, with paths relative to the root, as code review requires."""
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
