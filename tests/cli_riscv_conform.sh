#!/bin/sh
# Every conformance case passes when its op lists run as RISC-V code on the T cores. Prints TAP. BUILD: the build directory.
. tests/tap.sh
BUILD=${BUILD:-build}
n=0
log=$(mktemp) && trap 'rm -f "$log"' EXIT

for cases in tests/cases/*.case.gz; do
  case $cases in */noc.case.gz) continue ;; esac # programs over many tiles
  for timing in off cycle; do
    n=$((n + 1))
    if "$BUILD/tessera" conform --riscv --timing $timing "$cases" > "$log" 2>&1; then
      echo "ok $n - $cases as RISC-V code, timing $timing: $(tail -n 1 "$log")"
    else
      echo "not ok $n - $cases as RISC-V code, timing $timing: $(tail -n 1 "$log")"
      head -n 5 "$log" | sed 's/^/# /'
    fi
  done
done
echo "1..$n"
[ "$n" -gt 0 ]
