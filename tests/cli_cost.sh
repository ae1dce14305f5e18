# What a profile and traces cost: host instructions (callgrind) per row of eight tiles of examples/matmul under `tessera run`, the difference of
# two rows and one, so without the start of the run. A profile costs at most 1.5 times, a full trace at most 5 times the plain run. The figures are
# notes; docs/evidence/speed.md has them. Below TESSERA_TEST_SCALE 100 it does not run. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
if [ "${TESSERA_TEST_SCALE:-100}" -lt 100 ] || ! command -v valgrind > /dev/null 2>&1; then
  echo "ok 1 # SKIP the cost of a profile and of traces: needs valgrind, and TESSERA_TEST_SCALE of at least 100"
  echo "1..1"
  exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
. tests/gdb_rig.sh
gdb_programs || exit 1
cat "$work/mm/tiles" "$work/mm/tiles" > "$work/a"
count() { # ROWS OPTIONS
  rows=$1
  shift
  # shellcheck disable=SC2086
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/tessera" run $elfs $(kernel_launch 2) --load "0x60000:$work/a" --load "0x90000:$work/a" \
    --poke 0x288="$rows" --poke 0x28c=1 --poke 0x290=8 --poke 0x2a8=0x60000 --poke 0x2ac=0x90000 --poke 0x2b0=0xb0000 --check none "$@" 2>&1 > "$work/out" |
    sed -n 's/.*Collected : //p'
}
cost() { # OPTIONS: host instructions of a row
  one=$(count 1 "$@") && two=$(count 2 "$@") && echo $((two - one))
}
plain=$(cost)
[ "${plain:-0}" -gt 1000000 ] && grep -q '^done after' "$work/out"
ok "a row of examples/matmul: ${plain:-no} host instructions" $?
at_most() { # TENTHS NAME OPTIONS
  tenths=$1
  name=$2
  shift 2
  with=$(cost "$@")
  echo "note: $name: ${with:-no} host instructions per row, $((${with:-0} * 100 / plain)) % of the plain run's"
  [ "${with:-0}" -gt "$plain" ] && [ $((${with:-0} * 10)) -le $((plain * tenths)) ]
  ok "$name costs at most $tenths tenths of a plain run" $?
}
at_most 15 "a profile" --profile "$work/p.json"
at_most 50 "a Perfetto trace" --trace "$work/t.pftrace"
at_most 50 "a Chrome trace" --trace "$work/t.json"
at_most 50 "a text trace, with every instruction of the cores" --trace "$work/t.txt"

# A kernel whose vector unit issues in almost every cycle, on a chip, where parts are merged: the difference of four tiles and two.
"$BUILD/tessera" kernel new "$work/dense" > "$work/out" && sed -i '/^expect/d; s/64x128/32x64/' "$work/dense/kernel.chip" &&
  sed -i 's/"compute.h"/"compute.h"\n#include "sfpu.h"/; s/^ *tile_regs_commit.*/    gelu_tile_init();\n    gelu_tile(0);\n    gelu_tile(0);\n&/' "$work/dense/compute.c" &&
  cp -r "$work/dense" "$work/denser" && sed -i 's/32x64/64x64/' "$work/denser/kernel.chip" && "$BUILD/tessera" kernel build "$work/dense" > "$work/out" && "$BUILD/tessera" kernel build "$work/denser" > "$work/out"
ok "a kernel of SFPU instructions builds" $?
count() { # ROWS OPTIONS
  of=$([ "$1" -eq 1 ] && echo dense || echo denser)
  shift
  valgrind --tool=callgrind --callgrind-out-file=/dev/null "$BUILD/tessera" kernel run "$work/$of" --check none "$@" 2>&1 > "$work/out" | sed -n 's/.*Collected : //p'
}
plain=$(cost)
at_most 50 "a Perfetto trace of SFPU instructions" --trace "$work/t.pftrace"
at_most 50 "a Chrome trace of SFPU instructions" --trace "$work/t.json"
at_most 50 "a VCD trace of SFPU instructions" --trace "$work/t.vcd"
echo "1..$number"
[ $failures -eq 0 ]
