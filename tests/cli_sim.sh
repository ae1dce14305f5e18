#!/bin/sh
# tessera sim: every variable of the library is in its help, and the line it prints chooses the library. Prints TAP. Reads BUILD.
. tests/tap.sh
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

# A product's directory: the masks of the cluster descriptor are those of the chip's own table, and both lines are printed again.
mkdir -p "$work/ttnn/tt_metal/soc_descriptors" && : > "$work/ttnn/__init__.py" && : > "$work/ttnn/tt_metal/soc_descriptors/blackhole_140_arch.yaml"
make_dir() { PYTHONPATH=$work TESSERA_LIB=$work/sim/libttsim.so sh tools/sim-dir "$work/of" python3 "$1"; }
mask() { sed -n "s/^ *$1: //p" "$work/of/cluster_descriptor.yaml"; }
bad=0 products=0
sed -n 's/^GRID_PRODUCT("\([a-z0-9]*\)", \([0-9xA-F]*\), \([0-9xA-F]*\), \([0-9xA-F]*\), \([01]\),.*/\1 \2 \3 \4 \5/p' src/chips/blackhole/grid.def > "$work/products"
while read -r product tensix dram ethernet pcie; do
  products=$((products + 1))
  made=$(make_dir "$product") && [ "$made" = "$("$BUILD/tessera" sim "$work/of")" ] || bad=1
  if [ "$product" = full ]; then
    [ ! -e "$work/of/cluster_descriptor.yaml" ] || bad=1
    continue
  fi
  echo "$made" | grep -q "^export TESSERA_PRODUCT=$product\$" || bad=1
  [ "$(mask harvest_mask) $(mask dram_harvesting_mask) $(mask eth_harvesting_mask) $(mask pcie_harvesting_mask)" = \
    "$((tensix)) $((dram)) $((ethernet)) $((2 >> pcie))" ] || bad=1
done < "$work/products"
[ $bad -eq 0 ] && [ $products -eq 4 ] && ! make_dir p200 2> "$work/log" && grep -q 'no such product: p200' "$work/log"
ok $? 5 "sim-dir tells the host the fused-off tiles of each product"

# A system: the descriptor has its chips and links, and a second call without --system prints the same lines.
made=$("$BUILD/tessera" sim "$work/sim" --system p300 --product galaxy) && [ "$made" = "export TESSERA_SYSTEM=p300
export TESSERA_PRODUCT=galaxy
export TT_METAL_MOCK_CLUSTER_DESC_PATH=$(cd "$work/sim" && pwd -P)/cluster_descriptor.yaml
export TT_METAL_SIMULATOR=$(cd "$work/sim" && pwd -P)/libttsim.so" ] && [ "$made" = "$("$BUILD/tessera" sim "$work/sim")" ] &&
  [ "$(grep -c 'chan: ' "$work/sim/cluster_descriptor.yaml")" = 4 ] && [ "$(grep -c 'harvest_mask: 64$' "$work/sim/cluster_descriptor.yaml")" = 2 ]
ok $? 6 "sim --system makes the directory a system"
refused() { expected=$1; shift; ! "$BUILD/tessera" sim "$@" > "$work/out" 2> "$work/log" && [ "$(cat "$work/log")" = "tessera sim: $expected" ]; }
refused "there is no system 'p301'; it must be one of p150, p300, quietbox, quietbox2, loudbox, galaxy" "$work/sim" --system p301 &&
  refused "there is no system 'p300' of product 'p100'; systems: p150, p300, quietbox, quietbox2, loudbox, galaxy" "$work/sim" --system p300 --product p100 &&
  refused "--system needs the directory that sim-dir created" --system p300
ok $? 7 "systems that do not exist are refused"
echo 1..7
