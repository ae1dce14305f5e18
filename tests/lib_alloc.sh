#!/bin/sh
# Every allocation of 21 commands and of a program that calls the whole API fails once: no crash, no hang; a command either does what it does
# with memory, or ends with code 2, one line and no unfinished file. make test tries six allocations of each, make test-all (TESSERA_TEST_SCALE 100) all of them.
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
tried=0 number=0 failed=0 files=$tmp/files

# one NAME COMMAND...: fails one allocation after the other, at less than 100 per cent six of them, evenly spread. Either nothing differs (code, standard
# output and the files in $files), or the code is 2, with one line and no unfinished file.
one() {
  name=$1; shift
  rm -rf "$files"; mkdir "$files"
  TESSERA_FAIL_COUNT=$tmp/count LD_PRELOAD=$tmp/fail.so "$@" > "$tmp/good" 2> /dev/null
  good=$?
  cp -r "$files" "$tmp/wanted"
  count=$(cat "$tmp/count")
  want=$count; [ "$scale" -lt 100 ] && [ "$want" -gt 6 ] && want=6
  number=$((number + 1)) bad= i=0
  while [ "$i" -lt "$want" ]; do
    at=$((1 + i * count / want)) i=$((i + 1)) tried=$((tried + 1))
    rm -rf "$files"; mkdir "$files"
    TESSERA_FAIL_AT=$at LD_PRELOAD=$tmp/fail.so timeout 60 "$@" > "$tmp/out" 2> "$tmp/err"
    rc=$?
    lines=$(wc -l < "$tmp/err")
    left=$(ls "$files" | grep -c '\.part')
    if [ "$rc" -ge 124 ]; then bad="$bad allocation $at of $count: exit code $rc;"
    elif [ "$left" -ne 0 ]; then bad="$bad allocation $at of $count: $left unfinished files;"
    elif [ "$rc" -eq 2 ] && [ "$lines" -ne 1 ]; then bad="$bad allocation $at of $count: $lines lines of error;"
    elif [ "$rc" -eq 2 ] && [ "$good" -ne 2 ] && ! grep -q memory "$tmp/err"; then bad="$bad allocation $at of $count: $(cat "$tmp/err");"
    elif [ "$rc" -ne 2 ] && [ "$rc" -ne "$good" ]; then bad="$bad allocation $at of $count: exit code $rc;"
    elif [ "$rc" -ne 2 ] && ! { cmp -s "$tmp/good" "$tmp/out" && diff -rq "$tmp/wanted" "$files" > /dev/null; }; then
      bad="$bad allocation $at of $count: exit code $rc with another output;"
    fi
  done
  rm -rf "$tmp/wanted"
  if [ -n "$bad" ]; then failed=1; echo "not ok $number - $name: $bad"; else echo "ok $number - $name: $want of $count allocations failed"; fi
}

# soon COMMAND...: an allocation in the middle and all after it fail; the command ends no later than it does with memory.
soon() {
  number=$((number + 1))
  TESSERA_FAIL_COUNT=$tmp/count LD_PRELOAD=$tmp/fail.so "$@" > /dev/null 2>&1
  begin=$(date +%s%N)
  "$@" > /dev/null 2>&1
  middle=$(date +%s%N)
  TESSERA_FAIL_ON=1 TESSERA_FAIL_AT=$(($(cat "$tmp/count") / 2)) LD_PRELOAD=$tmp/fail.so timeout 120 "$@" > /dev/null 2> "$tmp/err"
  rc=$? end=$(date +%s%N)
  if [ $rc -eq 2 ] && [ "$(wc -l < "$tmp/err")" -eq 1 ] && grep -q memory "$tmp/err" && [ $((end - middle)) -lt $((2 * (middle - begin) + 2000000000)) ]; then
    echo "ok $number - ends soon after the failure: $*"
  else
    failed=1
    echo "not ok $number - exit code $rc after $(((end - middle) / 1000000)) ms, with memory after $(((middle - begin) / 1000000)): $*"
  fi
}

t=$BUILD/tessera
one exec $t exec examples/mop_and_replay.tta
one "exec --json" $t exec --json examples/mop_and_replay.tta
one "exec --trace" $t exec --trace "$files/t.txt" tests/asm/handshake.tta
one "exec with every file" $t exec --account --sarif "$files/s" --profile "$files/p" --coverage "$files/c" --trace "$files/t.vcd" examples/mop_and_replay.tta
one "explore --sarif" $t explore --schedules 3 --threads 1 --json "$files/j" --sarif "$files/s" tests/asm/handshake.tta
one "pto check --sarif" $t pto check --sarif "$files/s" examples/pto/issue248.pto
one "pto sweep --svg" $t pto sweep --depth 1:2 --threads 1 --svg "$files/s" "$pto"
one "pto run with files" $t pto run --trace "$files/t" --sarif "$files/s" "$pto"
if command -v riscv64-unknown-elf-gcc > /dev/null; then
  (cd "$tmp" && "$OLDPWD/$t" kernel new mine > /dev/null && "$OLDPWD/$t" kernel build mine > /dev/null) || exit 1
  run="$t kernel run $tmp/mine --no-build"
  one "kernel run" $run --json "$files/j" --sarif "$files/s" --out "C=$files/c.npy"
  one "kernel run --trace" $run --trace "$files/t.pftrace" --profile "$files/p"
  one "run --save-state" $t run --elf "brisc=$tmp/mine/build/brisc.elf" --max-cycles 500 --json "$files/j" --save-state "$files/s"
  soon $run --why --what-if all --report "$files/r.html"
  $run --profile "$tmp/profile" > /dev/null
  one annotate $t annotate "$tmp/profile"
fi
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
