"""Run the commands that documents show and compare their outputs.

    shown.py BUILD DOCUMENT...             prints TAP
    shown.py --write BUILD DOCUMENT...     replaces the documents' outputs by the current ones
    shown.py --compare DOCUMENT NAME FILE  compares FILE with the block after the line "<!-- NAME -->"; another test has written FILE

A block counts when its first line begins with "$ ". Its commands run one after the other, with those of the document's earlier blocks, in an empty folder that
has build, examples, kernels, tests and include of the tree; `tessera` is BUILD/tessera. Standard output and standard error are compared line by line:
a line "..." of the document matches any lines, a line that ends in " ..." any rest of its line. The document may break a long line. The README shows
exactly what its commands print. In a guide figures of time (cycle N, N cycles, N %) may differ by a tenth, program counters and rows of counts
freely: a loop that became two cycles faster does not make it wrong.
A block after an HTML comment is not run: the comment names the test that compares it, or why it cannot be run.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^(?P<not_run><!--[^\n]*-->\n)?```\n(?P<block>\$ .*?)^```", re.M | re.S)
TIME = re.compile(r"(?<=cycle )\d+|\d+(?=,? cycles)|\d+(?:\.\d+)?(?= ?%| times faster)|(?<=instead of )\d+|(?<=pc )0x[0-9a-f]+")
TABLE = re.compile(r"^(TRISC\d|BRISC|NCRISC|thread \d|(sync|matrix|scalar|misc|vector|configuration) unit|unpackers|packer) ")  # rows of counts
LINES_OF_ONE = 8  # into how many lines a document may break one


def same_line(wanted, got, exact):
    wanted, got = wanted.rstrip(), got.rstrip()
    cut = wanted.endswith(" ...")
    wanted = wanted[:-4] if cut else wanted
    if exact:
        return got.startswith(wanted) if cut else got == wanted
    if TABLE.match(wanted) and TABLE.match(got):
        return re.sub(r"[\d.]+ *", "N ", wanted) == re.sub(r"[\d.]+ *", "N ", got)
    masked = TIME.sub("N", got)
    if not (masked.startswith(TIME.sub("N", wanted)) if cut else masked == TIME.sub("N", wanted)):
        return False
    pairs = [(w, g) for w, g in zip(TIME.findall(wanted), TIME.findall(got)) if not w.startswith("0x")]
    return all(abs(float(w) - float(g)) <= max(1, float(g) / 10) for w, g in pairs)


def matches(wanted, got, exact=False):
    if not wanted:
        return not got
    if wanted[0] == "...":
        return any(matches(wanted[1:], got[i:], exact) for i in range(len(got) + 1))
    if not got:
        return False
    for count in range(1, min(len(wanted), LINES_OF_ONE) + 1):
        joined = " ".join([wanted[0].rstrip()] + [line.strip() for line in wanted[1:count]])
        if same_line(joined, got[0], exact) and matches(wanted[count:], got[1:], exact):
            return True
    return False


def lines(text):
    return text.rstrip("\n").split("\n") if text.strip() else []


def differences(wanted, got):
    return "\n".join(["# wanted " + line for line in wanted if line not in got] + ["# got    " + line for line in got if line not in wanted])


def run(command, folder, build):
    environment = dict(os.environ, PATH=os.path.abspath(build) + ":" + os.environ["PATH"], COLUMNS="80")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8", "replace")


def commands(text):
    """For each command in the blocks that are run: the command, the output that the document shows, and where that begins."""
    for found in BLOCK.finditer(text):
        if not found["not_run"]:
            for part in re.finditer(r"^\$ (?P<command>(?:[^\n]*\\\n)*[^\n]*)\n(?P<wanted>.*?)(?=^\$ |\Z)", found["block"], re.M | re.S):
                yield part["command"].replace("\\\n", " "), part["wanted"], found.start("block") + part.start("wanted")


def refreshed(wanted, got):
    """The document's lines with the current figures; the whole output where nothing is left out."""
    if "..." not in wanted:
        return got
    digits = re.compile(r"(?<![A-Za-z0-9.])\d+(\.\d+)?")
    alike = {" ".join(digits.sub("N", line).split()): line for line in reversed(got)}
    return [alike.get(" ".join(digits.sub("N", line).split()), line) for line in wanted]


def check(name, build, number, write):
    """Number of the last test, number of failures."""
    failures = 0
    text = open(name, encoding="utf-8").read()
    changes = []
    with tempfile.TemporaryDirectory() as folder:
        for link in ("examples", "kernels", "tests", "include"):
            os.symlink(os.path.abspath(link), os.path.join(folder, link))
        os.symlink(os.path.abspath(build), os.path.join(folder, "build"))
        for command, shown, start in commands(text):
            number += 1
            wanted, got = lines(shown), lines(run(command, folder, build))
            same = matches(wanted, got, exact=os.path.basename(name) == "README.md")
            print("%s %d - %s: %s" % ("ok" if same else "not ok", number, name, command[:100]))
            if not same:
                failures += 1
                print(differences(wanted, got))
            if write and wanted and " ".join(wanted).split() != " ".join(got).split():
                changes.append((start, start + len(shown), "".join(line.rstrip() + "\n" for line in refreshed(wanted, got))))
    for start, end, new in reversed(changes):
        text = text[:start] + new + text[end:]
    if changes:
        open(name, "w", encoding="utf-8").write(text)
    return number, failures


def compare(document, name, output):
    text = open(document, encoding="utf-8").read()
    block = re.search(r"^<!-- " + re.escape(name) + r" -->\n```\n(?:\$ [^\n]*\n)?(.*?)^```", text, re.M | re.S)
    if not block:
        print("# %s has no block %s" % (document, name))
        return 1
    wanted, got = lines(block[1]), lines(open(output, encoding="utf-8").read())
    if matches(wanted, got):
        return 0
    print(differences(wanted, got))
    return 1


def main(arguments):
    if arguments[0] == "--compare":
        return compare(*arguments[1:])
    write = arguments[0] == "--write"
    build, names = arguments[write], arguments[write + 1:]
    number = failures = 0
    for name in names:
        before = number
        number, failed = check(name, build, number, write)
        failures += failed or number == before  # a listed document must contain a command
    print("1..%d" % number)
    return 1 if failures and not write else 0


sys.exit(main(sys.argv[1:]))
