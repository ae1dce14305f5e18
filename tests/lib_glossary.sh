# The words that docs/glossary.md bans stand nowhere in src, include, kernels, docs or the README; a planted one is found. Prints TAP.
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
# banned FROM UNTIL: the first column of the table between the two lines, without what stands in brackets.
banned() {
  sed -n "/$1/,/$2/s/^| \([^|]*\) |.*/\1/p" docs/glossary.md | sed 's/([^)]*)//g' | tr ',' '\n' | sed 's/^ *//; s/ *$//' | grep -vE '^(not|not there|-+|)$'
}
banned '^## Words that are not used' '^In documents' > "$work/banned"
banned '^In documents' '^## No such heading' > "$work/banned-there"
look() { list=$1; shift; grep -rniwFf "$work/$list" "$@" | grep -v '^docs/glossary.md:'; }
none() { # NUMBER NAME, offenders in $work/found
  if [ -s "$work/found" ]; then
    echo "not ok $1 - $2"
    sed 's/^/# /' "$work/found" | cut -c 1-160 | head -n 20
  else
    echo "ok $1 - $2"
  fi
}

echo "1..5"
[ "$(wc -l < "$work/banned")" -ge 8 ] && [ "$(wc -l < "$work/banned-there")" -ge 6 ] &&
  echo "ok 1 - the glossary bans $(cat "$work/banned" "$work/banned-there" | wc -l) words" || echo "not ok 1 - the glossary's tables of banned words were not found"
look banned src include kernels docs examples README.md CONTRIBUTING.md Makefile > "$work/found"
none 2 "no banned word is used"
look banned-there src/tensix/unit src/tensix/regs src/observe src/cli src/api src/pto include kernels docs examples README.md CONTRIBUTING.md Makefile > "$work/found"
none 3 "no word of the second table is used where it does not belong"
echo '/* wakes whoever waits */' > "$work/planted.c"
look banned "$work/planted.c" > "$work/found" && echo "ok 4 - a planted word is found" || echo "not ok 4 - a planted word is found"
echo '/* so nobody sees it */' > "$work/planted.c"
look banned-there "$work/planted.c" > "$work/found" && echo "ok 5 - a planted word of the second table is found" || echo "not ok 5 - a planted word of the second table is found"
