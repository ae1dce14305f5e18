# The pictures of docs/pictures are what the scripts of tools draw, and every picture is shown by a document. Prints TAP.
. tests/tap.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
mkdir "$work/drawn"
echo "1..4"
tools/draw-figures "$work/drawn" > "$work/log" 2>&1 && tools/draw-l1-ports > "$work/drawn/l1-ports.svg" 2>> "$work/log" && [ "$(ls "$work/drawn" | wc -l)" -ge 18 ] &&
  echo "ok 1 - the scripts draw $(ls "$work/drawn" | wc -l) pictures" || { echo "not ok 1 - the scripts draw"; sed 's/^/# /' "$work/log"; }

for drawn in "$work"/drawn/*.svg; do cmp -s "$drawn" "docs/pictures/${drawn##*/}" || echo "${drawn##*/}: run tools/draw-figures or tools/draw-l1-ports"; done > "$work/stale"
[ ! -s "$work/stale" ] && echo "ok 2 - the pictures in the tree are what the scripts draw" || { echo "not ok 2 - the pictures in the tree are what the scripts draw"; sed 's/^/# /' "$work/stale"; }

python3 -c 'import sys, xml.dom.minidom
for name in sys.argv[1:]: xml.dom.minidom.parse(name)' "$work"/drawn/*.svg 2> "$work/log" && echo "ok 3 - every picture is XML" || { echo "not ok 3 - every picture is XML"; sed 's/^/# /' "$work/log"; }

for picture in docs/pictures/*; do grep -rqF "pictures/${picture##*/}" README.md docs --include='*.md' || echo "$picture"; done > "$work/unused"
[ ! -s "$work/unused" ] && echo "ok 4 - a document shows every picture" || { echo "not ok 4 - a document shows every picture"; sed 's/^/# /' "$work/unused"; }
