# No word that docs/glossary.md bans is in src, include, kernels, docs, python, examples, tests, bench, tools, the README, CHANGELOG or CONTRIBUTING; each one is found when it is
# planted. Prints TAP.
. tests/tap.sh
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
places="src include kernels docs python examples tests bench tools README.md CHANGELOG.md CONTRIBUTING.md Makefile"
# The first column of the table, without text in brackets.
sed -n '/^## Words that are not used/,$s/^| \([^|]*\) |.*/\1/p' docs/glossary.md | sed 's/([^)]*)//g' | tr ',' '\n' | sed 's/^ *//; s/ *$//' |
  grep -vE '^(not|-+|)$' > "$work/banned"
failed=
# shellcheck disable=SC2086
look() { grep -rniwIFf "$work/banned" --exclude-dir=__pycache__ "$@" | grep -vE "^(docs/glossary.md|tests/lib_glossary.sh):"; }

echo "1..3"
[ "$(wc -l < "$work/banned")" -ge 40 ] && echo "ok 1 - the glossary bans $(wc -l < "$work/banned") words" || echo "not ok 1 - the glossary's table of banned words was not found"
# shellcheck disable=SC2086
if look $places > "$work/found"; then
  failed=1
  echo "not ok 2 - no banned word is used"
  sed 's/^/# /' "$work/found" | cut -c 1-160 | head -n 20
else
  echo "ok 2 - no banned word is used"
fi
missed=
while read -r word; do
  printf '/* an agent, %s, waits */\n' "$word" > "$work/planted.c"
  look "$work/planted.c" > "$work/found" || missed="$missed '$word'"
done < "$work/banned"
if [ -z "$missed" ]; then echo "ok 3 - every word is found when it is planted"; else
  failed=1
  echo "not ok 3 - planted and not found:$missed"
fi
[ -z "$failed" ]
