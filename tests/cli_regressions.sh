#!/bin/sh
# Reports of defects that became tests (tests/regressions): each failed before the fix.
. tests/tap.sh
set -u
t=$BUILD/tessera r=tests/regressions n=0 failed=0
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
check() { n=$((n + 1)); if [ "$2" -eq 0 ]; then echo "ok $n - $1"; else echo "not ok $n - $1"; failed=1; fi; }

# A core that runs ahead faulted after one cycle; traced, the run ended with another fault in another cycle.
order="--load 0:$r/fault_order/brisc.bin --load 0x6000:$r/fault_order/trisc0.bin --cores brisc,trisc0"
$t run $order > "$tmp/plain" 2>&1; a=$?
$t run $order --trace "$tmp/trace" > "$tmp/traced" 2>&1; b=$?
head -1 "$tmp/plain" > "$tmp/p1"; head -1 "$tmp/traced" > "$tmp/t1"
[ $a -eq 3 ] && [ $b -eq 3 ] && cmp -s "$tmp/p1" "$tmp/t1" && grep -q '^fault after 14 cycles' "$tmp/p1"
check "the same fault in the same cycle, traced or not" $?

# Escape sequences of an input reached the terminal.
$t pto run $r/esc.pto > "$tmp/out" 2>&1; ! grep -q "$(printf '\033')" "$tmp/out"; check "no escape sequence of a .pto file is printed" $?
$t conform $r/esc.case > "$tmp/out" 2>&1; ! grep -q "$(printf '\033')" "$tmp/out"; check "no escape sequence of a case file is printed" $?

# An executable with 65,535 segments took ten seconds; an endless file is rejected at its size limit.
printf '\177ELF\001\001\001\000\000\000\000\000\000\000\000\000\002\000\363\000\001\000\000\000\000\000\000\000\064\000\000\000' > "$tmp/many.elf"
printf '\000\000\000\000\000\000\000\000\064\000\040\000\377\377\050\000\000\000\000\000' >> "$tmp/many.elf"
head -c 2097120 /dev/zero >> "$tmp/many.elf"
timeout 5 $t run --elf brisc="$tmp/many.elf" > "$tmp/out" 2> "$tmp/err"; a=$?
[ $a -eq 2 ] && [ "$(wc -l < "$tmp/err")" -eq 1 ] && grep -q 'program headers' "$tmp/err"; check "65,535 segments are refused with one line" $?
for verb in asm conform "pto run" "run --elf brisc=/dev/zero"; do
  case $verb in run*) set -- $verb ;; *) set -- $verb /dev/zero ;; esac
  (ulimit -v 700000; timeout 20 $t "$@" > "$tmp/out" 2> "$tmp/err"); a=$?
  [ $a -eq 2 ] && [ "$(wc -l < "$tmp/err")" -eq 1 ]; check "$verb: an endless file is refused with one line" $?
done

# Cases on which the simulator and the golden model disagreed.
for timing in off cycle; do
  $t conform --timing $timing $r/golden.case.gz > "$tmp/out" 2>&1; check "golden cases, timing $timing" $?
done
echo "1..$n"
exit $failed
