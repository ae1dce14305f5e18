#!/bin/sh
# Every allocation of twelve commands and of a program that calls the whole API fails once: no crash, no hang, and a command that does not succeed writes one
# line. make test tries six allocations of each, make test-all (TESSERA_TEST_SCALE 100) all of them.
. tests/tap.sh
set -u
scale=${TESSERA_TEST_SCALE:-25}
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
case $BUILD in *asan*) echo "1..0 # SKIP the sanitizers have their own allocator"; exit 0 ;; esac
${CC:-cc} -O1 -fPIC -shared -o "$tmp/fail.so" tests/alloc/fail.c -ldl || exit 1
printf 'x\n' > "$tmp/bad.elf"
zcat tests/cases/scalar.case.gz | head -c 40000 | sed '$d' > "$tmp/a.case"
pto=examples/pto/pattern1.pto
tried=0 number=0 failed=0

# one NAME COMMAND...: fails one allocation after the other, at less than 100 per cent six of them, evenly spread
one() {
  name=$1; shift
  TESSERA_FAIL_COUNT=$tmp/count LD_PRELOAD=$tmp/fail.so "$@" > /dev/null 2>&1
  count=$(cat "$tmp/count")
  want=$count; [ "$scale" -lt 100 ] && [ "$want" -gt 6 ] && want=6
  number=$((number + 1)) bad= i=0
  while [ "$i" -lt "$want" ]; do
    at=$((1 + i * count / want)) i=$((i + 1)) tried=$((tried + 1))
    TESSERA_FAIL_AT=$at LD_PRELOAD=$tmp/fail.so timeout 60 "$@" > "$tmp/out" 2> "$tmp/err"
    rc=$?
    lines=$(wc -l < "$tmp/err")
    if [ "$rc" -ge 124 ]; then bad="$bad allocation $at of $count: exit code $rc;"
    elif [ "$rc" -eq 2 ] && [ "$lines" -ne 1 ]; then bad="$bad allocation $at of $count: $lines lines of error;"
    fi
  done
  if [ -n "$bad" ]; then failed=1; echo "not ok $number - $name: $bad"; else echo "ok $number - $name: $want of $count allocations failed"; fi
}

t=$BUILD/tessera
one exec $t exec examples/mop_and_replay.tta
one "exec --json" $t exec --json examples/mop_and_replay.tta
one "exec --trace" $t exec --trace "$tmp/t.txt" tests/asm/handshake.tta
one asm $t asm examples/mop_and_replay.tta
one dis $t dis 0x02000000 0x26000000
one isa $t isa MVMUL
one explain $t explain MUX_COLLISION
one conform $t conform "$tmp/a.case"
one "run of a bad file" $t run --elf "brisc=$tmp/bad.elf"
one "pto run" $t pto run "$pto"
one "pto check" $t pto check "$pto"
one man $t man tessera
${CC:-cc} -std=c11 -Iinclude -o "$tmp/api" tests/alloc/api.c "$BUILD/libtessera.a" -lm -pthread || exit 1
one "API walk" "$tmp/api"
echo "1..$number"
echo "note: $tried allocations failed, one at a time, in $number programs"
exit $failed
