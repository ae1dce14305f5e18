"""Finds functions of src and include with more than seven parameters, which should take a request struct. Prints one line each; exit code 1 if there is one.

usage: parameters.py [FILE...]     without files: the sources of src and include
"""

import glob
import re
import sys

LIMIT = 7
# Version 1 of the public API: their signatures stay as they are for as long as TESSERA_API_VERSION is 1.
EXCEPTIONS = {"tessera_chip_broadcast", "tessera_chip_run_until"}
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)
MACRO = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)
INSIDE = r"[^(){};]*(?:\([^(){};]*\)[^(){};]*)*"
FUNCTION = re.compile(r"[\w*][\s*]+([a-z_]\w*)\s*\((" + INSIDE + r")\)\s*(?:\{|;|__attribute__)")
NO_TYPE = re.compile(r"\b(return|else|goto|case)[\s*]+$")


def blank(match):
    return "\n" * match.group(0).count("\n") + " "


def count(parameters):
    depth, commas = 0, 0
    for letter in parameters:
        depth += (letter in "([") - (letter in ")]")
        commas += letter == "," and depth == 0
    return commas + 1


def main():
    files = sys.argv[1:] or sorted(glob.glob("src/**/*.[ch]", recursive=True) + glob.glob("include/**/*.h", recursive=True))
    functions, bad, excused = 0, 0, set()
    for path in files:
        with open(path, encoding="utf-8") as source:
            text = MACRO.sub(blank, COMMENT.sub(blank, source.read()))
        for found in FUNCTION.finditer(text):
            if NO_TYPE.search(text[: found.start(1)]):
                continue
            functions += 1
            if count(found.group(2)) <= LIMIT:
                continue
            if found.group(1) in EXCEPTIONS:
                excused.add(found.group(1))
                continue
            line = text.count("\n", 0, found.start(1)) + 1
            print(f"{path}:{line}: {found.group(1)} has {count(found.group(2))} parameters")
            bad = 1
    if not sys.argv[1:]:
        if functions < 2000:
            print(f"only {functions} functions found: the patterns no longer fit the sources")
            bad = 1
        for name in sorted(EXCEPTIONS - excused):
            print(f"tests/parameters.py: {name} is no longer an exception")
            bad = 1
    return bad


sys.exit(main())
