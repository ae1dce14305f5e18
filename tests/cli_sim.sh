#!/bin/sh
# tessera sim: every variable of the library is in its help, and the line it prints chooses the library. Prints TAP. Reads BUILD.
BUILD=${BUILD:-build}
work=$(mktemp -d) && trap 'rm -rf "$work"' EXIT
ok() { if [ "$1" -eq 0 ]; then echo "ok $2 - $3"; else echo "not ok $2 - $3"; fi; }

"$BUILD/tessera" sim --help > "$work/help" && sed -n 's/.*VARIABLE("\(TESSERA_[A-Z_]*\)".*/\1/p' include/tessera/host.h > "$work/names" &&
  [ "$(wc -l < "$work/names")" -ge 9 ] && while read -r name; do grep -q "^  $name=" "$work/help" || exit 1; done < "$work/names"
ok $? 1 "the help has every variable"

grep -oE '`TESSERA_[A-Z_]+`' docs/guide/ttnn.md | tr -d '`' | sort -u > "$work/guide"
sort -u "$work/names" | comm -23 - "$work/guide" > "$work/missing" && [ ! -s "$work/missing" ]
ok $? 2 "the guide has every variable"

mkdir "$work/sim" && : > "$work/sim/libttsim.so" && : > "$work/sim/soc_descriptor.yaml" &&
  [ "$("$BUILD/tessera" sim "$work/sim")" = "export TT_METAL_SIMULATOR=$(cd "$work/sim" && pwd -P)/libttsim.so" ]
ok $? 3 "the line to export"

library=$("$BUILD/tessera" sim --library 2> "$work/log")
if [ -e "$BUILD/libttsim.so" ]; then [ "$(basename "$library")" = libttsim.so ] && [ -r "$library" ]; else grep -q 'is neither' "$work/log"; fi
ok $? 4 "the path of the library"
echo 1..4
