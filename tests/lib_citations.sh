# Every citation of the code and the documents resolves (tests/citations.py), a planted one does not, and every diagnostic is explained. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0 failures=0
ok() { # ok WHAT STATUS
  number=$((number + 1))
  [ "$2" -eq 0 ] && echo "ok $number - $1" && return
  failures=$((failures + 1))
  echo "not ok $number - $1"
  sed 's/^/# /' "$work/out" | head -n 20
}
command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }

python3 tests/citations.py . > "$work/out"
ok "every citation resolves" $?

# plant PATH LINE: in a small copy of the tree the checker must find exactly this line
plant() {
  rm -rf "$work/tree" && mkdir -p "$work/tree/docs/evidence" "$work/tree/src" "$work/tree/tools"
  echo '- `WormholeB0/MVMUL.md`, `vendor.h`' > "$work/tree/docs/evidence/sources.md"
  echo '# Time' > "$work/tree/docs/evidence/time.md"
  printf '| # | holds |\n|---|---|\n| A1 | a row |\n| A2 | a row |\n' > "$work/tree/docs/evidence/errata.md"
  printf '#!/bin/sh\n# draws docs/evidence/time.md\n' > "$work/tree/tools/draw"
  echo '/* ISA: MVMUL.md; docs/evidence/errata.md A1, A2; good.c, vendor.h, docs/evidence/time.md; seed 2 of the generator */' > "$work/tree/src/good.c"
  [ -n "${good:-}" ] || python3 tests/citations.py "$work/tree" > "$work/out" || { ok "a tree without a plant is good" 1; return; }
  good=1 # the same tree each time
  case $1 in tools/*) echo '#!/bin/sh' ;; esac > "$work/tree/$1"
  echo "$2" >> "$work/tree/$1"
  python3 tests/citations.py "$work/tree" > "$work/out"
  [ $? -eq 1 ] && grep -q "^$1" "$work/out" && [ "$(wc -l < "$work/out")" -eq 1 ]
  ok "a planted citation is found: $2" $?
}
plant src/bad.c '/* ISA: NoSuchPage.md */'
plant src/bad.c '/* see facts B */'
plant src/bad.c '/* seed 004 */'
plant src/bad.c '"; F.2"'
plant src/bad.c '/* see fact A14 */'
plant src/bad.c '/* see facts A14, A67 */'
plant docs/bad.md 'A claim [seed 2:198-199].'
plant src/bad.c '/* ISA: NoSuchPage */'
plant src/bad.c '/* compared by tests/test_nosuch.c */'
plant src/bad.c '/* as nosuch.h has it */'
plant docs/bad.md '<img src="pictures/none.svg">'
plant docs/bad.md '[a link](evidence/nowhere.png)'
plant docs/bad.md '[a heading](evidence/time.md#no-such-heading)'

plant src/bad.c '/* see seed 12 */'
plant src/bad.c '/* see facts, section 3 */'
plant src/bad.c '/* docs/evidence/errata.md A999 */'
plant src/bad.c '/* docs/evidence/errata.md A1, A3 */'
plant docs/bad.md 'As [errata](evidence/errata.md) has it (errata.md A999).'
plant tools/bad '# see facts B'
plant src/bad.c '/* the matmul of the seeds */'
plant src/bad.c '/* the words of table 3.2 */'

# Each diagnostic has its reason and its remedy, and the page is what the command writes.
"$BUILD/tessera" explain --json > "$work/json"
python3 - "$work/json" > "$work/out" << 'PY'
import json, sys
rows = json.load(open(sys.argv[1]))
bad = [r["name"] for r in rows if len(r["why"]) < 20 or len(r["mend"]) < 8]
print(len(rows), "diagnostics; unexplained:", bad)
sys.exit(bool(bad) or len(rows) < 90)
PY
ok "every diagnostic has a reason and a remedy (diag_help.def)" $?
"$BUILD/tessera" explain --markdown | cmp - docs/reference/diagnostics.md > "$work/out" 2>&1
ok "docs/reference/diagnostics.md is current (make docs)" $?

echo "1..$number"
[ $failures -eq 0 ]
