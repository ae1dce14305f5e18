# libttsim.so as host programs load it: its exports, its dependencies, and loading. Prints TAP. Reads BUILD and CC.
. tests/tap.sh
BUILD=${BUILD:-build}
CC=${CC:-gcc}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
library=$BUILD/libttsim.so

if ! $CC -std=c11 -Wall -Wextra -Werror tests/ttsim_loader.c -ldl -pthread -o "$work/loader"; then
  echo "1..1"; echo "not ok 1 - the loader compiles"; exit 1
fi
"$work/loader" "$(realpath "$library")" > "$work/out" 2> "$work/err"
status=$?
sed "s/^1\.\.9$/1..14/" "$work/out"
[ $status -eq 0 ] && echo "ok 10 - the loader ends well" || echo "not ok 10 - the loader ends with status $status: $(head -c 300 "$work/err")"

others=$(nm -D --defined-only "$library" | awk '{ print $3 }' | sort | tr '\n' ' ')
wanted="libttsim_clock libttsim_exit libttsim_init libttsim_pci_config_rd32 libttsim_pci_config_wr32 libttsim_pci_mem_rd_bytes \
libttsim_pci_mem_wr_bytes libttsim_set_pci_dma_mem_callbacks libttsim_tile_rd_bytes libttsim_tile_wr_bytes "
[ "$others" = "$wanted" ] && echo "ok 11 - it exports the ABI and nothing else" || echo "not ok 11 - exports: $others"
needs=$(readelf -d "$library" | awk '/NEEDED/ && !/\[lib[cm]\.so\.6\]/ && !/\[ld-linux/ { print $NF }')
[ -z "$needs" ] && echo "ok 12 - it needs libc and its libm only" || echo "not ok 12 - needs: $needs"

TESSERA_THREADS=4 TESSERA_REPORT=$work/report TESSERA_TRACE=$work/trace timeout 60 "$work/loader" "$(realpath "$library")" fork > "$work/out" 2> "$work/err"
status=$?
[ $status -eq 0 ] && echo "ok 13 - a child of fork has no device and ends; its parent keeps its own" || echo "not ok 13 - fork: status $status: $(head -c 300 "$work/err")"
[ "$(grep -c 'forked from one with a device' "$work/err")" = 1 ] && [ ! -e "$work/report/report.txt" ] &&
  echo "ok 14 - the child prints one line and writes no report" || echo "not ok 14 - $(ls "$work/report"): $(head -c 300 "$work/err")"
