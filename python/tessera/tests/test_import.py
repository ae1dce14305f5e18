"""The cost of an import, and its contents."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

import pytest

import tessera


IMPORT = """import time
a = time.process_time()
import numpy
b = time.process_time()
import tessera
print(b - a, time.process_time() - b)
"""
NUMPY_SECONDS = 0.1  # NumPy's own import time on an idle machine; the limit scales with it


def test_import_adds_less_than_50_ms_to_numpys(tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(tmp_path)}  # compiled modules, as pip leaves them
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for _ in range(4):
        result = subprocess.run([sys.executable, "-c", IMPORT], check=True, env=environment, capture_output=True, text=True)
        times.append([float(word) for word in result.stdout.split()])
    numpys, ours = min(times, key=lambda pair: pair[1])
    with capsys.disabled():
        print(f"\nnote: importing tessera takes {1000 * ours:.0f} ms of CPU time after NumPy's {1000 * numpys:.0f} (at most 50 after 100)")
    assert ours < 0.050 * max(numpys / NUMPY_SECONDS, 1)


def test_requires_numpy_alone() -> None:
    code = ("import sys, numpy; before = set(sys.modules); import tessera, tessera.pto, tessera.isa, tessera.build\n"
            "extra = {m.split('.')[0] for m in set(sys.modules) - before} - {'tessera', 'numpy'} - sys.stdlib_module_names\n"
            "assert not extra, extra")
    subprocess.run([sys.executable, "-c", code], check=True)


def test_versions_and_names() -> None:
    assert tessera.__version__.count(".") == 2
    assert all(hasattr(tessera, name) for name in tessera.__all__)
    with pytest.raises(AttributeError):
        tessera.nothing  # type: ignore[attr-defined]


def test_a_library_that_is_not_there_is_one_line() -> None:
    environment = {**os.environ, "TESSERA_LIBRARY": "/nonexistent/libtessera.so"}
    result = subprocess.run([sys.executable, "-c", "import tessera"], env=environment, capture_output=True, text=True)
    assert result.returncode and result.stderr.splitlines()[-1].startswith("ImportError: tessera: no library: /nonexistent")


def test_ipython_shows_the_users_lines_alone(tmp_path: pathlib.Path) -> None:
    """IPython hides the package's frames of a tessera.Error; another exception keeps all its frames."""
    pytest.importorskip("IPython")
    cell = "import tessera\ndef mine():\n    tessera.Tile(timing='fast')\nmine()"
    command = [sys.executable, "-m", "IPython", "--no-banner", "--colors=NoColor", "-c", cell]
    shown = subprocess.run(command, env={**os.environ, "IPYTHONDIR": str(tmp_path)}, capture_output=True, text=True).stdout
    assert "----> 4 mine()" in shown and "----> 3     tessera.Tile(timing='fast')" in shown and "/tessera/" not in shown, shown
    assert shown.rstrip().endswith("InvalidError: timing is off or cycle, not 'fast'"), shown
