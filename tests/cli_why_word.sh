# `tessera kernel run --why` where two cores of one tile wait for each other through a word of L1, and where the largest cause is a recursion
# or a line with work and waits: the verdict names both sides, and the rerun takes as long, within 5 %, as the kernel changed by hand. Prints
# TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

both_sides() { # WORD CALL: the line of the writer, and the change
  name=$(basename "$k")
  signal=writer.c:$(sed -n '/\* signal/=' "$k/writer.c")
  grep -q "^why: .* of the cycles for $1, which BRISC changes at $signal (kernel_main$2) after it has waited for NCRISC in turn\$" "$work/out" &&
    grep -q "^  change: do not wait at $here for each page: let NCRISC run ahead of BRISC by several" "$work/out" &&
    grep -q "^    NCRISC does not wait at $here: " "$work/out"
  ok "$name: both sides, and the change" $?
  awk '/^  critical path/ { on = 1; next } /^  waits/ { on = 0 } on && $1 == "BRISC" { share = $2 + 0 } END { exit share < 25 }' "$work/out"
  ok "$name: the critical path moves to the writer of the word" $?
}

# The reader waits for each page until the writer has written the one before: with a packet to its own tile ...
kernel semaphore_packet
echo '    noc_semaphore_wait_min(get_semaphore(0), i); /* here */' | put reader.c 'cb_reserve_back(CB_A'
sed -i 's|^    cb_pop_front(CB_C, 1);|&\n    noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1); /* signal */|' "$k/writer.c"
slow 'bound by two cores that wait for each other: NCRISC waits at @here (kernel_main, in noc_semaphore_wait_min) '
both_sides 'NoC semaphore 0' ', in noc_semaphore_inc'

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

# ... with a store ...
kernel semaphore_store
echo '    noc_semaphore_wait_min(get_semaphore(0), i); /* here */' | put reader.c 'cb_reserve_back(CB_A'
sed -i 's|^    cb_pop_front(CB_C, 1);|&\n    noc_semaphore_set(get_semaphore(0), i + 1); /* signal */|' "$k/writer.c"
slow 'bound by two cores that wait for each other: NCRISC waits at @here (kernel_main, in noc_semaphore_wait_min) '
both_sides 'NoC semaphore 0' ', in noc_semaphore_set'
# ... and by a loop of its own.
kernel word
echo '    while (*(volatile uint32_t *)0x150000 < i) {} /* here */' | put reader.c 'cb_reserve_back(CB_A'
sed -i 's|^    cb_pop_front(CB_C, 1);|&\n    *(volatile uint32_t *)0x150000 = i + 1; /* signal */|' "$k/writer.c"
slow 'bound by two cores that wait for each other: NCRISC waits at @here (kernel_main) '
both_sides 'the word at 0x00150000' ''
line=reader.c:$(sed -n '/cb_push_back(CB_A/=' "$k/reader.c")
"$BUILD/tessera" kernel run "$k" --no-build --what-if "ncrisc@$line without its wait" --check none > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "the program of NCRISC has no loop that only polls at $line\$" "$work/err"
ok "word: a line that does not poll has no wait to leave out" $?

# A writer that is only slow: the path stays with it.
kernel slow_signal
echo '    while (*(volatile uint32_t *)0x150000 <= i) {}' | insert reader.c 'cb_reserve_back(CB_A'
cat > "$k/writer.c" << 'PART'
#include "noc.h"
enum { CB_C = 16 };
volatile uint32_t seed = 7;
void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)};
  const uint32_t tiles = get_arg_val(1);
  for (uint32_t i = 0; i < tiles; i++) {
#ifndef CHANGED
    for (uint32_t n = 0; n < 400; n++) seed += n; /* here */
#endif
    *(volatile uint32_t *)0x150000 = i + 1;
  }
  for (uint32_t i = 0; i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    noc_async_write_page(i, &c, get_read_ptr(CB_C));
    cb_pop_front(CB_C, 1);
  }
  noc_async_write_barrier();
}
PART
slow 'bound by BRISC: the loop at writer.c:7-11 (kernel_main) takes'

# Functions that call each other, through a table: their work is that of the line that calls them.
kernel recursion
sed -i 's|^void kernel_main|static uint32_t even(uint32_t n);\
__attribute__((noinline)) static uint32_t odd(uint32_t n) { return n == 0 ? 0 : even(n - 1) + 1; }\
__attribute__((noinline)) static uint32_t even(uint32_t n) { return n == 0 ? 1 : odd(n - 1) * 3; }\
uint32_t (*volatile table[2])(uint32_t);\
volatile uint32_t sink;\
&|; s|^  const struct Interleaved|  table[0] = odd, table[1] = even;\n&|' "$k/writer.c"
echo '    sink = table[i \& 1](60); /* here */' | sed 's/\\&/\&/' | put writer.c 'noc_async_write_page'
slow 'bound by BRISC: @here (kernel_main, in '

# Two lines wait for requests about as long as each other: the one with more work beside its waits saves more.
kernel atomics
echo '    for (int n = 0; n < 8; n++) { noc_semaphore_inc(get_noc_addr(1, 2, 0x160000), 1); noc_async_atomic_barrier(); } /* here */' | put writer.c 'cb_pop_front(CB_C'
slow 'bound by the NoC: BRISC waits for its requests at @here (kernel_main, in noc_async_atomic_barrier), '

finish
