"""Follows every citation of the tree. Usage: citations.py [ROOT]. Prints one line per citation that does not resolve; exit 1 if there is one.

A name that ends in .md is a file of the tree, or a page of a public repository that docs/evidence/sources.md lists. A path that begins
with a directory of the tree exists; so does a source file that a comment or a document names, or sources.md lists it. A relative link of a
Markdown file leads to a file, and its #anchor to a heading of that file; so does an HTML src or href. A comment that cites the ISA names a
page. A row that follows errata.md (A42) is a row of its tables. Citations of unpublished lists are rejected by their form. Scripts without an
extension are read too, if their first line is #!."""
import os
import re
import sys

ROOMS = (*"src include kernels docs python examples tests bench tools debian".split(), "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "Makefile")
TEXT = (".c", ".h", ".cpp", ".hpp", ".def", ".md", ".py", ".pyi", ".sh", ".mk", ".S", ".chip", ".tta", ".js")
PRIVATE = re.compile(r"\b[Ff]acts?,? (?:[A-H]\d*\b|section \d|\d)|\b[Ss]eeds? (?:00\d|\d+:\d+)|\b[Ss]ee (?:the )?seeds? \d|\[seeds? \d|\b[Tt]he seeds?(?:'s?)? (?:explicit|table)|\b(?:of|in) the seeds\b|\b[Tt]able \d\.\d|(?<![\w.])[A-H]\.\d+\b(?![\w.(]|\s*[=+*/])")
HINT = re.compile(r"[FfSs](?:act|eed)s?,? |[SsFf]eed|\[seed|[Tt]able \d|[A-H]\.\d")  # every match of PRIVATE contains one: this pattern is fast
ERRATA = re.compile(r"errata\.md\W{0,3}((?:A\d+(?:, | and | to |\.\.|-)?)+)")
PAGE = re.compile(r"(?<![$}{\w./-])[A-Za-z0-9_./-]*[A-Za-z0-9_]\.md\b")
PATH = re.compile(r"(?<![\w./$}<{~-])(?:src|tests|docs|include|kernels|tools|examples|bench|python)/[\w./-]*[\w-]\.(?:c|h|def|md|py|sh|svg|png|cpp|hpp|chip|tta|pto|gz|csv|npy)\b")
SOURCE = re.compile(r"(?<![\w./*$}<{-])[a-z]\w*(?:/\w+)*\.(?:c|h|def)\b(?!\w)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
ISA = re.compile(r"\bISA: (?!.*\.md)(?!.*isa_blackhole)", re.S)
LINK = re.compile(r"\]\(([^)\s]+)\)")
HTML = re.compile(r"<(?:img|a)\b[^>]*\b(?:src|href)=\"([^\"]+)\"")
CHECKERS = ("citations.py", "lib_citations.sh")  # these contain errors on purpose
GENERATED = ("index.md",)  # the front page of the site, which tools/build-site writes
EXAMPLES = ("file.c", "dir/file.c", "ping.c", "softmax/compute.c", "tensix_isa.h", "include/tensix_isa.h")  # of comments; the last is generated
BLOCK = re.compile(r"^```.*?^```", re.M | re.S)


def is_text(path):
    """Whether the checker reads the file: by its extension, or as a script without one."""
    if path.endswith(TEXT):
        return True
    if "." in os.path.basename(path):
        return False
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def files_of(root):
    for room in ROOMS:
        path = os.path.join(root, room)
        if os.path.isfile(path):
            yield path
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(f for f in folders if f not in ("__pycache__", "fuzz", "corpus"))
            yield from (os.path.join(folder, name) for name in sorted(names) if name not in CHECKERS and is_text(os.path.join(folder, name)))


def anchors_of(text):
    found = set()
    for heading in re.findall(r"^#+ +(.*)$", BLOCK.sub("", text), re.M):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", heading).lower())
        found.add(words.replace(" ", "-"))
    return found


def resolves(root, at, name, pages):
    rooms = (root, os.path.join(root, "docs"), os.path.dirname(at), *(os.path.join(root, "docs", r) for r in ("guide", "reference", "evidence")))
    if any(os.path.isfile(os.path.join(room, name)) for room in rooms):
        return True
    return any(page == name or page.endswith("/" + name) for page in pages)


def bad_link(at, link):
    if re.match(r"[a-z]+:", link):
        return None
    path, _, anchor = link.partition("#")
    target = os.path.normpath(os.path.join(os.path.dirname(at), path)) if path else at
    if not os.path.exists(target):
        return "link to %s, which does not exist" % link
    if anchor and target.endswith(".md") and anchor not in anchors_of(open(target, encoding="utf-8").read()):
        return "link to %s: no such heading" % link
    return None


def errata_rows(root):
    """The rows of errata.md that have a number: A1, A2, ..."""
    path = os.path.join(root, "docs/evidence/errata.md")
    return set(re.findall(r"^\| *(A\d+)\b", open(path, encoding="utf-8").read(), re.M)) if os.path.isfile(path) else set()


def lines_of(at, root, text, pages, rows):
    """Errors in single lines."""
    name = os.path.relpath(at, root)
    for number, line in enumerate(text.split("\n"), 1):
        where = "%s:%d" % (name, number)
        if HINT.search(line):
            yield from ("%s: %s is a list that no reader has" % (where, m.group()) for m in PRIVATE.finditer(line))
        if ".md" not in line and "/" not in line:
            continue
        for row in (r for cited in ERRATA.findall(line) for r in re.findall(r"A\d+", cited) if r not in rows):
            yield "%s: errata.md has no row %s" % (where, row)
        outside = re.sub(r"https?://\S+", "", line)
        listed = at.endswith("evidence/sources.md")
        if not listed:
            yield from ("%s: %s does not resolve" % (where, n) for n in PAGE.findall(outside) if n not in GENERATED and not resolves(root, at, n.lstrip("./"), pages))
        for path in () if listed or line.lstrip().startswith("#include") else PATH.findall(outside):
            if not (os.path.exists(os.path.join(root, path)) or "NAME" in path or path in EXAMPLES or resolves(root, at, path, pages)):
                yield "%s: %s does not exist" % (where, path)


def comments_of(at, root, text, names, listed):
    """Errors in comments: source files that do not exist, and ISA references without a page."""
    for comment in COMMENT.findall(text):
        if "." not in comment and "ISA:" not in comment:
            continue
        for name in SOURCE.findall(comment):
            if not PATH.match(name) and "/" + name not in names and name not in listed and name not in EXAMPLES:
                yield "%s: %s does not exist" % (os.path.relpath(at, root), name)
        if "ISA: " in comment and ISA.search(comment):
            yield "%s: a citation of the ISA names no page: %s" % (os.path.relpath(at, root), " ".join(comment.split())[:60])


def check(root):
    sources = open(os.path.join(root, "docs/evidence/sources.md"), encoding="utf-8").read()
    pages = re.findall(r"`([^`\s]+\.md)`", sources)
    rows = errata_rows(root)
    files = list(files_of(root))
    names = set()
    for at in files:  # "/c.h", "/b/c.h", "/a/b/c.h"
        parts = os.path.relpath(at, root).split(os.sep)
        names.update("/" + "/".join(parts[i:]) for i in range(len(parts)))
    bad = []
    for at in files:
        text = open(at, encoding="utf-8").read()
        bad += lines_of(at, root, text, pages, rows)
        if at.endswith((".c", ".h", ".def")) and not at.startswith(os.path.join(root, "tests")):
            bad += comments_of(at, root, text, names, sources)
        if at.endswith(".md"):
            links = (bad_link(at, link) for link in LINK.findall(BLOCK.sub("", text)) + HTML.findall(BLOCK.sub("", text)))
            bad += ["%s: %s" % (os.path.relpath(at, root), said) for said in links if said]
    return bad


if __name__ == "__main__":
    problems = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
