"""Checks the dependencies between files of src by the symbols of the objects.

usage: structure.py headers|circles < SYMBOLS

SYMBOLS has one line per symbol: "D NAME FILE" where FILE defines it, "U NAME FILE" where FILE uses it; FILE is below src/. One line per
finding; exit code 1 when there is one.

headers   A header declares the functions and tables of its own file. A block that is split over several files has one header: NAME.h, or
          NAME_internal.h between them, for NAME.c and NAME_*.c. FOLDER/FOLDER.h is the face of its folder. FACES lists the others.
circles   No file calls a file that calls it, directly or through others.
"""

import glob
import os
import re
import sys

# Header: why it declares what several files define.
FACES = {
    "tensix/tile/windows.h": "the regions of the address map: all have one of two types",
    "tensix/num/num_fpu_vec.h": "one table of functions per vector width",
    "tensix/unit/vector/lanes.h": "one table of functions per vector width",
    "chip/kinds.h": "one table of functions per kind of tile",
}

COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
MACRO = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.M)


def read_symbols():
    defined, used = {}, {}
    for line in sys.stdin:
        kind, name, path = line.split()
        if kind == "D":
            defined.setdefault(name, path)
        else:
            used.setdefault(path, set()).add(name)
    return defined, used


def without_bodies(text):
    """The declarations of a header: braces and what is in them are left out."""
    out, depth = [], 0
    for letter in text:
        depth += letter == "{"
        if depth == 0:
            out.append(letter)
        if letter == "}":
            depth -= 1
            out.append(" " if depth else ";")
    return "".join(out)


def declared(path):
    with open("src/" + path, encoding="utf-8") as header:
        text = without_bodies(MACRO.sub("", COMMENT.sub(" ", header.read())))
    names = set(re.findall(r"([A-Za-z_]\w*)\s*\(", text))
    for statement in text.split(";"):
        if re.match(r"\s*(extern\b|tx_\w+_fn\s)", statement):
            names.update(re.findall(r"(\w+)\s*(?:\[[^\]]*\])*\s*(?:,|$)", statement))
    return names


def owns(header, source):
    folder, name = os.path.split(header[:-2])
    block = name.removesuffix("_internal")
    if os.path.dirname(source) != folder:
        return False
    stem = os.path.basename(source)[:-2]
    return stem == block or stem.startswith(block + "_") or block == os.path.basename(folder)


def headers(defined, _):
    found, all_of_them, faces = {}, 0, set()
    for path in sorted(glob.glob("src/**/*.h", recursive=True)):
        header = path[len("src/") :]
        for name in sorted(declared(header) & set(defined)):
            all_of_them += 1
            if owns(header, defined[name]):
                continue
            if header in FACES:
                faces.add(header)
            else:
                found.setdefault((header, defined[name]), []).append(name)
    if all_of_them < 1000:
        yield f"only {all_of_them} declarations found: the patterns no longer fit the headers"
    for header in sorted(set(FACES) - faces):
        yield f"tests/structure.py: {header} needs no exception"
    for (header, source), names in sorted(found.items()):
        yield f"{header} declares {' '.join(names)} of {source}"


def components(edges):
    """Strongly connected components of more than one file (Tarjan)."""
    index, low, stack, found = {}, {}, [], []

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        for w in sorted(edges.get(v, ())):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in stack:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            at = stack.index(v)
            if len(stack) - at > 1:
                found.append(sorted(stack[at:]))
            del stack[at:]

    sys.setrecursionlimit(10000)
    for v in sorted(edges):
        if v not in index:
            visit(v)
    return found


def circles(defined, used):
    edges = {user: {defined[n] for n in names if n in defined} - {user} for user, names in used.items()}
    if len(edges) < 200:
        yield f"only {len(edges)} files"
    for circle in components(edges):
        yield f"{len(circle)} files call each other: {' '.join(circle)}"


def main():
    found = list({"headers": headers, "circles": circles}[sys.argv[1]](*read_symbols()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


sys.exit(main())
