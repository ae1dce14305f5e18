"""Runs the Python blocks of docs/guide/python.md and compares their output with the text block after each. Numbers may differ, the words
may not. usage: guide.py [--write]"""

import atexit
import contextlib
import io
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

top = pathlib.Path(__file__).resolve().parent.parent.parent
guide = top / "docs/guide/python.md"
os.chdir(top)
BLOCKS = re.compile(r"```(python|console)\n((?:(?!```).)*)```\n```text\n(.*?)```\n", re.S)
FILES = re.compile(r"```python\n# (test_\w+\.py)\n(.*?)```\n", re.S)  # files of the pytest example, beside the example's kernel
space: dict = {"__name__": "guide"}
mine = tempfile.mkdtemp()
atexit.register(shutil.rmtree, mine)
shutil.copy(top / "python/examples/kernel_tests/add.c", mine)
for name, content in FILES.findall(guide.read_text()):
    (pathlib.Path(mine) / name).write_text(f"# {name}\n{content}")


def printed(kind: str, code: str) -> str:
    if kind == "console":
        words = [sys.executable, "-m", *shlex.split(code.removeprefix("$ ")), "-p", "no:cacheprovider"]
        if not subprocess.run([sys.executable, "-m", "pytest", "-h"], capture_output=True, text=True).stdout.count("--tessera-report"):
            words += ["-p", "tessera.pytest_plugin"]
        here = {name: value for name, value in os.environ.items() if name not in ("CI", "BUILD_NUMBER")}  # with these pytest cuts no line
        out = subprocess.run(words, capture_output=True, text=True, cwd=mine, env={**here, "COLUMNS": "80"}).stdout
        if not (pathlib.Path(mine) / "reports/index.html").is_file():
            return out + "no reports/index.html"
        return out
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        exec(compile(code, "docs/guide/python.md", "exec"), space)
    return output.getvalue()


def words(text: str) -> list[str]:
    text = re.sub(r"^(FAILED \S+) .*", r"\1", text, flags=re.M)  # cut at the width of the terminal
    text = re.sub(r"^ *\^+\n", "", text, flags=re.M)  # Python 3.11 and later mark the call
    text = re.sub(r"0x[0-9a-f]+|[-+]?[0-9][0-9.,e+%-]*", "#", text)
    return re.sub(r"[ \t]+", " ", text).split("\n")


text, wrong, position, result = guide.read_text(), 0, 0, []
for match in BLOCKS.finditer(text):
    got = printed(match.group(1), match.group(2))
    got = "\n".join(line.rstrip() for line in got.splitlines()) + "\n"
    result += [text[position : match.start(3)], got]
    position = match.end(3)
    if words(got) != words(match.group(3)):
        wrong += 1
        if "--write" not in sys.argv:
            print(f"docs/guide/python.md: this block\n{match.group(2)}prints\n{got}and the guide has\n{match.group(3)}")
first = BLOCKS.search(text)
assert first is not None
if len(first.group(2).splitlines()) > 15:
    wrong += 1
    print("the first kernel takes more than 15 lines")
if "--write" in sys.argv:
    guide.write_text("".join(result) + text[position:])
    sys.exit(0)
print(f"{wrong} blocks differ")
sys.exit(1 if wrong else 0)
