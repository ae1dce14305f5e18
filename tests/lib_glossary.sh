# The words that docs/glossary.md bans stand nowhere in src, include, kernels, docs or the README; a planted one is found. Prints TAP.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# The first column of the last table, without what stands in brackets.
sed -n '/^## Words that are not used/,$s/^| \([^|]*\) |.*/\1/p' docs/glossary.md | sed 's/([^)]*)//g' | tr ',' '\n' | sed 's/^ *//; s/ *$//' |
  grep -vE '^(not|-+|)$' > "$work/banned"
look() { grep -rniwFf "$work/banned" "$@" | grep -v '^docs/glossary.md:'; }

echo "1..3"
[ "$(wc -l < "$work/banned")" -ge 8 ] && echo "ok 1 - the glossary bans $(wc -l < "$work/banned") words" || echo "not ok 1 - the glossary's table of banned words was not found"
if look src include kernels docs README.md CONTRIBUTING.md Makefile > "$work/found"; then
  echo "not ok 2 - no banned word is used"
  sed 's/^/# /' "$work/found" | cut -c 1-160 | head -n 20
else
  echo "ok 2 - no banned word is used"
fi
echo '/* wakes whoever waits */' > "$work/planted.c"
look "$work/planted.c" > "$work/found" && echo "ok 3 - a planted word is found" || echo "not ok 3 - a planted word is found"
