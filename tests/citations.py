"""Follows every citation of the tree. Usage: citations.py ROOT. Prints one line per citation that does not resolve; exit 1 if there is one.

A name that ends in .md is a file of the tree, or a page of a public repository that docs/evidence/sources.md lists. A relative link of a
Markdown file leads to a file, and its #anchor to a heading of that file. Lists that only the authors had are refused by their form."""
import os
import re
import sys

ROOMS = ("src", "include", "kernels", "docs", "README.md", "CONTRIBUTING.md")
PRIVATE = re.compile(r"\b[Ff]acts [A-H]\b|\b[Ss]eed 00|\bF\.[1-9]")
PAGE = re.compile(r"[A-Za-z0-9_./-]*[A-Za-z0-9_]\.md\b")
LINK = re.compile(r"\]\(([^)\s]+)\)")
BLOCK = re.compile(r"^```.*?^```", re.M | re.S)


def files_of(root):
    for room in ROOMS:
        path = os.path.join(root, room)
        if os.path.isfile(path):
            yield path
        for folder, _, names in os.walk(path):
            yield from (os.path.join(folder, name) for name in sorted(names) if not name.endswith((".png", ".svg", ".gz", ".npy", ".elf")))


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


def check(root):
    sources = os.path.join(root, "docs/evidence/sources.md")
    pages = re.findall(r"`([^`\s]+\.md)`", open(sources, encoding="utf-8").read())
    bad = []
    for at in files_of(root):
        text = open(at, encoding="utf-8").read()
        for number, line in enumerate(text.split("\n"), 1):
            where = "%s:%d" % (os.path.relpath(at, root), number)
            bad += ["%s: %s is a list that no reader has" % (where, m.group()) for m in PRIVATE.finditer(line)]
            outside = re.sub(r"https?://\S+", "", line)
            bad += ["%s: %s does not resolve" % (where, n) for n in PAGE.findall(outside) if not resolves(root, at, n.lstrip("./"), pages)]
        if at.endswith(".md"):
            links = (bad_link(at, link) for link in LINK.findall(BLOCK.sub("", text)))
            bad += ["%s: %s" % (os.path.relpath(at, root), said) for said in links if said]
    return bad


if __name__ == "__main__":
    problems = check(sys.argv[1] if len(sys.argv) > 1 else ".")
    print("\n".join(problems))
    sys.exit(1 if problems else 0)
