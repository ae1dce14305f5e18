"""Run the commands that documents show and compare their outputs: shown.py [--write] BUILD DOCUMENT...; --write puts what they print into the documents.

A block counts when its first line begins with "$ ". Its commands run one after the other, with those of the document's earlier blocks, in an empty folder that
has build, examples, kernels and tests of the tree; `tessera` is BUILD/tessera. Standard output and standard error are compared line by line. A line that
ends in " ..." in the document matches any rest of that line, figures of time may differ by a tenth (same_line); a line "..." matches any lines. A line that ends in a backslash continues in the next.
A block right after an HTML comment is not run: the comment names the test that compares it, or why it cannot be run. Prints TAP.
"""
import os
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^(?P<not_run><!--.*-->\n)?```\n(?P<block>\$ .*?)^```", re.M | re.S)


CYCLES = re.compile(r"(?<=cycle )\d+|\d+(?= cycles)|\d+(?:\.\d+)?(?= ?%)")


def same_line(wanted, got):
    """Equal, but for figures of time (cycle N, N cycles, N %), which may differ by a tenth: a document is not wrong because a loop got two cycles faster."""
    if wanted.endswith(" ..."):
        head = CYCLES.sub("N", wanted[:-4])
        return CYCLES.sub("N", got).startswith(head)
    if CYCLES.sub("N", wanted) != CYCLES.sub("N", got):
        return False
    pairs = zip(map(float, CYCLES.findall(wanted)), map(float, CYCLES.findall(got)))
    return all(abs(w - g) <= max(1, g / 10) for w, g in pairs)


def matches(wanted, got):
    if not wanted:
        return not got
    if wanted[0] == "...":
        return any(matches(wanted[1:], got[i:]) for i in range(len(got) + 1))
    if not got:
        return False
    return same_line(wanted[0], got[0]) and matches(wanted[1:], got[1:])


def lines(text):
    return text.rstrip("\n").split("\n") if text.strip() else []


def run(command, folder, build):
    environment = dict(os.environ, PATH=os.path.abspath(build) + ":" + os.environ["PATH"], COLUMNS="80")
    done = subprocess.run(["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
    return done.stdout.decode("utf-8", "replace")


def check(name, build, number):
    """Number of the last test, number of failures."""
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for link in ("examples", "kernels", "tests"):
            os.symlink(os.path.abspath(link), os.path.join(folder, link))
        os.symlink(os.path.abspath(build), os.path.join(folder, "build"))
        for found in BLOCK.finditer(open(name, encoding="utf-8").read()):
            if found["not_run"]:
                continue
            for part in re.split(r"^\$ ", found["block"].replace("\\\n", " "), flags=re.M)[1:]:
                command, _, wanted = part.partition("\n")
                number += 1
                got = lines(run(command, folder, build))
                wanted = lines(wanted)
                same = matches(wanted, got)
                print("%s %d - %s: %s" % ("ok" if same else "not ok", number, name, command[:100]))
                if not same:
                    failures += 1
                    print("\n".join(["# wanted " + line for line in wanted if line not in got] + ["# got    " + line for line in got if line not in wanted]))
    return number, failures


def main(build, names):
    number = failures = 0
    for name in names:
        number, failed = check(name, build, number)
        failures += failed
    print("1..%d" % number)
    return 1 if failures or number < len(names) else 0


sys.exit(main(sys.argv[1], sys.argv[2:]))
