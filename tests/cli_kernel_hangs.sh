# tessera kernel run: hangs of kernels on several tiles. The first line has the cause, and a deadlock is named only where there is one. Each run compiles a kernel:
# below TESSERA_TEST_SCALE 100 (make test) a third of them run, make test-all has all. Prints TAP.
. tests/tap.sh
BUILD=${BUILD:-build}
top=$(pwd)
dir=$(mktemp -d) || exit 1
trap 'rm -rf "$dir"' EXIT
T=$top/$BUILD/tessera
case $BUILD in /*) T=$BUILD/tessera ;; esac
number=0
check() { # NAME RESULT
  number=$((number + 1))
  if [ "$2" = 0 ]; then echo "ok $number - $1"; else echo "not ok $number - $1"; fi
}
run() { "$T" kernel run "$@" > "$dir/out" 2> "$dir/err"; }
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] && echo "1..27" || echo "1..14"
cd "$dir" || exit 1

# Two tiles that do not communicate: the report has the cause of one tile and no deadlock between them.
"$T" kernel new apart > /dev/null && sed -i '/cb_push_back(CB_B/d' apart/reader.c && sed -i 's/^grid .*/grid 1-2,2-2/' apart/kernel.chip
"$T" kernel run apart > "$dir/out" 2> "$dir/err"
[ $? = 4 ] && cat "$dir/out" "$dir/err" | grep -q '^hang after [0-9]* cycles: Tensix (1,2): CB 1: NCRISC reserved a page at reader.c:10, filled it and pushed none; compute.c:13 (TRISC0)' &&
  ! cat "$dir/out" "$dir/err" | grep -q deadlock
check "a hang on two tiles names the cause inside one, and no deadlock between them" $?
grep -q '^  compute.c:14 (thread 1 (math) of Tensix (1,2), in add_tiles): waiting for a filled bank of SrcA since cycle [0-9]*, behind TRISC0$' "$dir/out" &&
  [ "$(grep -c '(NCRISC of Tensix (.,2)): waiting for room in CB 0 .* since cycle [0-9]*, behind TRISC0;' "$dir/out")" = 2 ]
check "each wait of a grid has the wait that it is behind" $?

# All tiles of a grid that hang are structures with their place; --verbose adds the waits that the text leaves out and their writers.
run apart --json "$dir/json" --sarif "$dir/sarif"
python3 - "$dir/json" "$dir/sarif" << 'PY'
import json, sys
report, sarif = (json.load(open(path)) for path in sys.argv[1:])
hang = report['hang']
assert {(w['tile']['x'], w['tile']['y']) for w in hang['waiters']} == {(1, 2), (2, 2)}, hang
assert hang['tiles'] == 2 and not hang['deadlock'] and report['cycles'] == hang['cycle'] < 65536
assert hang['cycle'] >= max(w['since'] for w in hang['waiters'])
page = next(w for w in hang['waiters'] if w['name'] == 'TRISC0')
assert page['pages']['pushed'] == 0 and page['pages']['filled'] and page['pages']['reserve']['name'] == 'NCRISC'
assert page['pages']['reserve']['place']['file'] == 'reader.c' and page['pages']['reserve']['place']['line'] == 10
results = [r for r in sarif['runs'][0]['results'] if r['ruleId'] == 'HANG']
assert {r['properties']['tile'] for r in results} == {'1,2', '2,2'} and all(r['locations'] for r in results), results
PY
check "a hang of two tiles in JSON and SARIF: every waiter has its tile" $?
lines=$(wc -l < "$dir/out")
run apart --verbose
[ $? = 4 ] && [ "$lines" -le 24 ] && [ "$(wc -l < "$dir/out")" -gt "$lines" ] && grep -q '      in kernel_main, pc 0x' "$dir/out"
check "--verbose of a hang on a grid adds lines" $?

# Semaphores in L1: the name, the value, the last writer and its line, in the tile and from another one.
"$T" kernel new sem > /dev/null
sed -i 's/^  for (uint32_t i = 0, tiles/  noc_semaphore_wait(get_semaphore(3), 2);\n&/' sem/reader.c
sed -i 's/^  for (uint32_t i = 0, tiles/  noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(3)), 1);\n&/' sem/writer.c
run sem
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '^hang after [0-9]* cycles: NoC semaphore 3 at 0x00001030: BRISC last wrote it at writer.c:8 in cycle [0-9]* and cannot reach that line again; reader.c:8 (NCRISC, in noc_semaphore_wait) has been waiting for NoC semaphore 3 at 0x00001030 (now 0x1) to become 0x2 since cycle'
check "a semaphore that the tile's own writer increments once" $?
sed -i 's/^grid .*/grid 1-2,2-2/' sem/kernel.chip
sed -i 's/  noc_semaphore_inc.*/  if (my_x == 2) noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(3)), 1);/' sem/writer.c
run sem
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'reader.c:8 (NCRISC of Tensix (1,2), in noc_semaphore_wait) has been waiting for NoC semaphore 3 .*: BRISC of Tensix (2,2) last wrote it at writer.c:8 in cycle [0-9]* and cannot reach that line again' &&
  ! grep -q deadlock "$dir/out"
check "a semaphore that another tile increments: its core and line" $?
sed -i '/noc_semaphore_inc/d' sem/writer.c
sed -i 's/.*noc_semaphore_wait.*/  noc_semaphore_wait(get_semaphore(3), 1);\n  noc_semaphore_inc(get_noc_addr(3 - my_x, 2, get_semaphore(3)), 1);/' sem/reader.c
run sem
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '^hang after [0-9]* cycles: deadlock: NCRISC of Tensix (2,2) -> NCRISC of Tensix (1,2) -> NCRISC of Tensix (2,2); reader.c:8 (NCRISC of Tensix (2,2), in noc_semaphore_wait) .*NoC semaphore 3 at 0x00001030 (now 0x0) to become 0x1 since cycle [0-9]*$'
check "two tiles that wait for each other's semaphore: a deadlock of the two cores" $?
sed -i '/noc_semaphore_inc/d' sem/reader.c
run sem
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'no packet has written it, and no kernel of the only other tile' && ! grep -q deadlock "$dir/out"
check "two tiles that wait and never post: no deadlock is claimed" $?

# Rows of tiles: the cause is the wait that no other tile can end; a deadlock only where the code increments the word that is waited for.
row() { # TILES WAIT INC: readers in row 2; c is the tile's number from 0
  mkdir -p row && printf 'grid 1-%s,2\nbuffer 0 2 bf16\nargs col row cols rows\n' "$1" > row/kernel.chip
  printf '#include "compute.h"\nvoid kernel_main(void) {}\n' > row/compute.c
  printf '#include "noc.h"\n#include "dataflow.h"\nvoid kernel_main(void) {}\n' > row/writer.c
  printf '#include "noc.h"\n#include "dataflow.h"\nvoid kernel_main(void) {\n  uint32_t c = get_arg_val(0);\n  %s\n  %s\n}\n' "$2" "$3" > row/reader.c
  run row
}
# Stores of two cores to one word, of which one core would have polled it later: the checkers report what they know when the run hangs.
row 1 'tt_store(0x30000, 1); cb_wait_front(0, 1);' 'while (tt_load(0x30000) != 2) {}'
sed -i 's/{}/{ tt_store(0x30000, 2); }/' row/writer.c
run row
[ $? = 4 ] && grep -q '^reader.c:5 .*error: .*0x30000 written by NCRISC, which does not wait for BRISC .*L1_UNORDERED' "$dir/out" && grep -q '^  other side: writer.c:3 ' "$dir/out"
check "a word that two cores store is reported although the run hangs" $?
row 2 'if (!c) { for (volatile uint32_t i = 0; i < 2000; i++) {} noc_inline_dw_write(get_noc_addr(2, 2, 0xFFB121B0u), 0x47800u); noc_async_full_barrier(); }' 'noc_semaphore_wait(get_semaphore(c), 1);'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'NCRISC of Tensix (1,2), .*no packet has written it, Tensix (2,2) has been put back into reset, and all other kernels have ended$'
check "a tile that was put back into reset while it waited has not ended" $?
post_left='if (c) noc_semaphore_inc(get_noc_addr(c, 2, get_semaphore(0)), 1);'
row 2 'noc_semaphore_wait(get_semaphore(c == 1 ? 3 : 0), 1);' "$post_left"
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '(NCRISC of Tensix (2,2), in noc_semaphore_wait) .* NoC semaphore 3 at .*no packet has written it, and no kernel of the only other tile' && ! grep -q deadlock "$dir/out"
check "a semaphore that no code increments is the cause, and not a deadlock with the tile behind it" $?
row 4 'if (c == 3) { while (*(volatile uint32_t *)0x30000 == 0) {} } else noc_semaphore_wait(get_semaphore(0), 1);' "$post_left"
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: reader.c:5 (NCRISC of Tensix (4,2)) .*the word at 0x00030000 .*no kernel of the 3 other tiles' && ! grep -q deadlock "$dir/out" &&
  grep -q '^  reader.c:5 (NCRISC of Tensix (1,2), .*the tile that would, Tensix (2,2), waits itself' "$dir/out"
check "a chain of tiles behind a flag: the flag first, each other wait with the tile before it" $?
row 3 'if (c == 2) cb_wait_front(0, 1); else noc_semaphore_wait(get_semaphore(0), 1);' "$post_left"
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: Tensix (3,2): CB 0: no core has pushed a page; reader.c:5 (NCRISC)' && ! grep -q deadlock "$dir/out"
check "a chain of tiles behind a page of a circular buffer: the page first" $?
row 4 'noc_semaphore_wait(get_semaphore(0), 1);' 'noc_semaphore_inc(get_noc_addr(1 + (c + 1) % 4, 2, get_semaphore(0)), 1);'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: deadlock: NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2); reader.c:5' &&
  [ "$(grep -c 'the tile that would, Tensix (.,2)' "$dir/out")" = 4 ]
check "a ring of four tiles: a deadlock" $?
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || exit 0
row 4 'noc_semaphore_wait(get_semaphore(0), 1);' 'noc_semaphore_inc(get_noc_addr(*(volatile uint32_t *)0x30000, 2, get_semaphore(0)), 1);'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'the 3 other tiles whose kernels have not ended wait themselves' && ! grep -q deadlock "$dir/out"
check "increments whose tile is only known at run time: no deadlock is claimed" $?
row 4 'if (c == 2) cb_wait_front(0, 1); noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);' \
  'if (c) noc_semaphore_wait(get_semaphore(1), 1); else { noc_semaphore_wait_min(get_semaphore(0), 4); noc_semaphore_inc(get_noc_addr(2 + *(volatile uint32_t *)0x30000, 2, get_semaphore(1)), 1); }'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: Tensix (3,2): CB 0: no core has pushed a page; reader.c:5 (NCRISC)' && ! grep -q deadlock "$dir/out" &&
  grep -q '^  reader.c:6 (NCRISC of Tensix (1,2), .*(now 0x3) to reach 4 .*: NCRISC of Tensix (3,2) has not reached its write at reader.c:5 and waits itself' "$dir/out" &&
  [ "$(grep -c 'to become 0x1 .*the only tile that perhaps would, Tensix (1,2), waits itself' "$dir/out")" = 2 ]
check "a barrier that one tile does not reach: its wait first, before the tiles that have arrived" $?
row 4 'for (uint32_t r = 0; r < 3; r++) { if (r == 1 && c == 2) cb_wait_front(0, 1); noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);' \
  'if (c) noc_semaphore_wait_min(get_semaphore(1), r + 1); else { noc_semaphore_wait_min(get_semaphore(0), 4 * r + 4); for (uint32_t x = 2; x < 5; x++) noc_semaphore_inc(get_noc_addr(x, 2, get_semaphore(1)), 1); } }'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: Tensix (3,2): CB 0: no core has pushed a page; reader.c:5 (NCRISC)' && ! grep -q deadlock "$dir/out" &&
  grep -q '^  reader.c:6 (NCRISC of Tensix (1,2), .*(now 0x7) to reach 8 .*: NCRISC of Tensix (3,2) wrote it once, last in cycle [0-9]*, has not reached its next write at reader.c:5 and waits itself' "$dir/out"
check "the second round of a barrier: the tiles that have arrived write it again later, and are not the cause" $?
row 3 'if (c == 1) cb_wait_front(0, 1); noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);' 'if (!c) noc_semaphore_wait(get_semaphore(0), 3);'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: Tensix (2,2): CB 0: no core has pushed a page; reader.c:5 (NCRISC)' && ! grep -q deadlock "$dir/out" &&
  grep -q '^  reader.c:6 (NCRISC of Tensix (1,2), .*(now 0x2) to become 0x3 .*: NCRISC of Tensix (2,2) has not reached its write at reader.c:5' "$dir/out"
check "a counter of finished tiles, of which the others have returned: the tile that has not finished first" $?
row 3 'if (c == 1) noc_semaphore_wait(get_semaphore(1), 1); noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);' 'if (!c) { noc_semaphore_wait(get_semaphore(0), 3); noc_semaphore_inc(get_noc_addr(2, 2, get_semaphore(1)), 1); }'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: deadlock: NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2) -> NCRISC of Tensix (.,2); ' && ! head -n 1 "$dir/out" | grep -q 'Tensix (3,2)'
check "a counter whose last tile waits for the tile that counts: a deadlock of the two" $?
row 2 'if (!c) for (uint32_t r = 1; r < 6; r++) { noc_semaphore_inc(get_noc_addr(2, 2, get_semaphore(0)), 1); noc_semaphore_wait_min(get_semaphore(1), r); }' \
  'if (c) for (uint32_t r = 1; r < 6; r++) { noc_semaphore_wait_min(get_semaphore(0), r); if (r < 3) noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(1)), 1); }'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: reader.c:5 (NCRISC of Tensix (1,2), .*NoC semaphore 1 at .*: NCRISC of Tensix (2,2) last wrote it at reader.c:6 .* and cannot reach that line again' && ! grep -q deadlock "$dir/out"
check "an increment in a branch that is not taken again: no deadlock of the two tiles" $?
row 2 'cb_wait_front(0, 1);' ''
printf '#include "compute.h"\nvoid kernel_main(void) {\n  MATH(while (semaphore_read(7) == 0) {})\n  PACK(while (semaphore_read(6) == 0) {})\n  UNPACK(cb_wait_front(1, 1);)\n}\n' > row/compute.c
sed -i 's/^grid .*/grid 1-7,2-11/; s/^buffer.*/&\nbuffer 1 2 bf16/' row/kernel.chip
run row --json many.json
[ $? = 4 ] && head -n 1 "$dir/out" | grep -qE 'cycles: Tensix \(1,2\): (CB [01]: no core has pushed a page|semaphore [67] .*never posted).*; (reader|compute)\.c:[0-9]+ .* since cycle' &&
  grep -q ' and 70 tiles wait' "$dir/out" && ! grep -q deadlock "$dir/out" && [ "$(grep -o '"waits_for_what"' many.json | wc -l)" = 280 ]
check "tiles that each wait for four things: one of them with its reason, and JSON has every wait" $?
row 1 'while (*(volatile uint32_t *)0x30000 == 0) for (volatile uint32_t i = 0; i < 3000; i++) {}' ''
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '^hang after [0-9]* cycles: the word at 0x00030000: .* since cycle'
check "a poll with a long pause is a hang" $?
row 1 'for (uint32_t i = 0; i < 700; i++) tt_store(0x40000 + 4 * i, i + 1); while (*(volatile uint32_t *)0x30000 == 0) {}' ''
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '^hang after [0-9]* cycles: the word at 0x00030000: nothing has written it; '
check "a poll of a word that nothing has written, beside more stores than are recorded" $?
row 1 'for (uint32_t old = 1; old;) __asm__ volatile(".option push\n.option arch,+a\namoswap.w %0, %1, (%2)\n.option pop" : "=r"(old) : "r"(1), "r"(0x30000) : "memory");' \
  'for (uint32_t old = 1; old;) __asm__ volatile(".option push\n.option arch,+a\namoswap.w %0, %1, (%2)\n.option pop" : "=r"(old) : "r"(1), "r"(0x30000) : "memory");'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q '^hang after [0-9]* cycles: the word at 0x00030000: NCRISC last wrote it at reader.c:5 .*; reader.c:6 (NCRISC) has been waiting for the word at 0x00030000 (now 0x1) to become 0x0 since cycle'
check "a spin on an atomic for a lock that is never free is a hang" $?
row 4 'noc_semaphore_set(0x30000, 1); if (!c) { noc_async_write_multicast(0x30000, get_noc_multicast_addr(2, 2, 4, 2, get_semaphore(0)), 4, 3, 1); noc_async_write_barrier(); }' \
  'if (c == 1) { noc_semaphore_wait(get_semaphore(0), 1); noc_async_write_multicast(0x30000, get_noc_multicast_addr(3, 2, 4, 2, get_semaphore(1)), 4, 2, 0); noc_async_write_barrier(); } if (c > 1) noc_semaphore_wait(get_semaphore(1), 1);'
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: reader.c:6 (NCRISC of Tensix (2,2), in noc_async_write_barrier) .*: its multicast at reader.c:6 in cycle [0-9]* to (3,2) to (4,2) waits at Tensix (2,2) for virtual channel 4 of NoC 0, which the linked transaction of Tensix (1,2) holds: its multicast at reader.c:5 in cycle [0-9]* to (2,2) to (4,2); no request without NOC_CTRL bit 6 has ended it' &&
  grep -q "^  reader.c:6 (NCRISC of Tensix (3,2), .*: Tensix (2,2)'s multicast at reader.c:6 .* waits at Tensix (2,2) for virtual channel 4" "$dir/out" &&
  grep -q '^tile (1, 2): reader.c:5 .*a linked request, and no later request of the core ends the transaction .*NOC_LEFT' "$dir/out"
check "a linked multicast that nothing ends stops the other tiles: the packet, the channel, both tiles and lines" $?
# Credits of a stream (register 270), by which workers tell a dispatcher that they are done, change the register that it polls (297).
credit='noc_inline_dw_write(get_noc_addr(1, 2, 0xFFB70438), 1 << 6); noc_async_full_barrier();'
row 3 'if (!c) while (tt_load(0xFFB704A4) != 2) {}' "if (c == 1) { $credit }"
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: reader.c:5 (NCRISC of Tensix (1,2), .*the register at 0xffb704a4 (now 0x1) to become 0x2 .*: Tensix (2,2) last wrote it in cycle [0-9]* and has no kernel that runs'
check "a credit of a stream that is missing: the tile that gave one" $?
row 3 'if (!c) while (tt_load(0xFFB704A4) != 2) {}' "if (c) { noc_semaphore_wait(get_semaphore(1), 1); $credit }"
[ $? = 4 ] && head -n 1 "$dir/out" | grep -q 'cycles: reader.c:6 (NCRISC of Tensix (.,2), in noc_semaphore_wait) ' && grep -q 'the register at 0xffb704a4 .*and the tile that would, Tensix (.,2), waits itself' "$dir/out"
check "workers that have their credits before them wait for a semaphore: its wait first" $?
