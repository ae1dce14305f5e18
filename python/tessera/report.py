"""The report of a run: as the command prints it, as values, and as HTML for notebooks."""

from __future__ import annotations

import os
from typing import Any

from ._args import checked, write_file
from .errors import InvalidError
from .errors import hidden as __tracebackhide__

__all__ = ["Report"]

_STYLE = """<style>
.tessera{font:13px/1.45 system-ui,sans-serif;max-width:60em}
.tessera table{border-collapse:collapse;margin:.5em 0}
.tessera td,.tessera th{padding:.15em .7em;text-align:right;border-bottom:1px solid #8884}
.tessera td:first-child,.tessera th:first-child,.tessera td.words,.tessera th.words{text-align:left}
.tessera .verdict{font-weight:600;padding:.3em .6em;border-radius:.3em;color:#fff;display:inline-block}
.tessera .good{background:#197a3d}.tessera .bad{background:#b3261e}.tessera .note{background:#8a6100}
.tessera .bar{display:inline-block;height:.7em;background:#3b6fd4;vertical-align:middle}
.tessera pre{white-space:pre-wrap;background:#8881;padding:.6em;border-radius:.3em}
</style>"""


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;").replace("'", "&#x27;")


class Report:
    """A run's report. ``str(report)`` is the command's text; in a notebook it shows tables."""

    def __init__(self, text: str, data: dict[str, Any], sarif: str = "", why: str = "", title: str = "") -> None:
        self.text = text  #: as the command prints it
        self.data = data  #: the JSON report
        self.sarif = sarif  #: SARIF 2.1.0, for editors and code review
        self.why = why  #: why the run took as long as it did; "" without an account
        self.title = title

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Report: {self.text.splitlines()[0] if self.text else 'nothing has run'}>"

    @property
    def cycles(self) -> int:
        """Cycles of the run."""
        return int(self.data.get("cycles", 0))

    @property
    def result(self) -> str:
        """How the run ended: "done", "stopped", "hang", "fault", "limit"; "interrupted" in reports of the command."""
        return str(self.data.get("result", ""))

    @property
    def code(self) -> int:
        """The command's exit code for this run."""
        return int(self.data.get("code", 0))

    @checked
    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a file: .json, .sarif, .html, .txt for text."""
        import json

        name = os.fspath(path)
        if not name.endswith((".json", ".sarif", ".html", ".htm", ".txt")):
            raise InvalidError(f"{name}: a report ends in .json, .sarif, .html, .htm or .txt")
        if name.endswith(".json"):
            content = json.dumps(self.data, indent=1) + "\n"
        elif name.endswith(".sarif"):
            content = self.sarif
        elif name.endswith((".html", ".htm")):
            content = f"<!doctype html><meta charset='utf-8'><title>{_escape(self.title or 'Tessera')}</title>{self._repr_html_()}\n"
        else:
            content = self.text
        write_file(name, content, "Report.save: path")

    def _verdict(self) -> str:
        kind = "good" if self.code == 0 else "note" if self.code == 6 else "bad"
        first = _escape(self.text.splitlines()[0] if self.text else "nothing has run")
        errors = sum(finding.get("severity") == "error" for finding in self.data.get("findings", []))
        more = f"; {errors} error{'' if errors == 1 else 's'} found" if errors else ""
        return f'<div class="verdict {kind}">{first}{more}</div>'

    def _findings(self) -> str:
        rows = []
        for finding in self.data.get("findings", []) if "cores" in self.data else []:
            place = finding.get("place") or {}
            where = f"{place['file']}:{place['line']}" if place.get("file") else finding.get("agent", "")
            what = finding["what"] + (f": {finding['why']}" if finding.get("why") else "")
            rows.append([where, finding["severity"], what, str(finding["count"])])
        return _table(["place", "severity", "finding", "times"], rows) if rows else ""

    def _cores(self) -> str:
        rows = [[c["core"], c["state"], f"{c['instructions']:,}", f"{c['cycles']:,}"] for c in self.data.get("cores", []) if c["cycles"]]
        return _table(["core", "state", "instructions", "cycles"], rows) if rows else ""

    def _threads(self) -> str:
        rows = []
        for thread, name in zip(self.data.get("threads", []), ("unpack", "math", "pack")):
            waits = sorted(thread["stalled"].items(), key=lambda item: -item[1])[:3]
            rows.append([f"thread {thread['thread']} ({name})", f"{thread['issued']:,}", ", ".join(f"{k} {v:,}" for k, v in waits)])
        return _table(["thread", "issued", "waited for (cycles)"], rows) if any(row[1] != "0" for row in rows) else ""

    def _units(self) -> str:
        rows = []
        for unit in self.data.get("units", []):
            share = 100.0 * unit["occupied_cycles"] / max(self.cycles, 1)
            if sum(unit["accepted"]):
                bar = f'<span class="bar" style="width:{min(share, 100):.1f}px"></span>'
                rows.append([unit["unit"], f"{sum(unit['accepted']):,}", _Raw(f"{bar} {share:.1f} %")])
        return _table(["unit", "instructions", "occupied"], rows) if rows else ""

    def _repr_html_(self) -> str:
        why = f"<pre>{_escape(self.why)}</pre>" if self.why else ""
        words = f"<pre>{_escape(self.text)}</pre>" if self.code in (3, 4) or "cores" not in self.data else ""
        parts = [self._verdict(), words, self._findings(), why, self._cores(), self._threads(), self._units()]
        return f'{_STYLE}<div class="tessera">{"".join(parts)}</div>'


class _Raw(str):
    """HTML as it is."""


def _is_words(value: str) -> bool:
    return not isinstance(value, _Raw) and " " in value


def _table(head: list[str], rows: list[list[str]]) -> str:
    words = [any(_is_words(row[column]) for row in rows) for column in range(len(head))]

    def cell(tag: str, column: int, value: str) -> str:
        kind = ' class="words"' if words[column] else ""
        return f"<{tag}{kind}>{value if isinstance(value, _Raw) else _escape(value)}</{tag}>"

    def line(tag: str, row: list[str]) -> str:
        return "<tr>" + "".join(cell(tag, column, value) for column, value in enumerate(row)) + "</tr>"

    return f"<table>{line('th', head)}{''.join(line('td', row) for row in rows)}</table>"
