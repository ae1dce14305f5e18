# `tessera kernel run --why` where more work follows the slow line, where several resources are shared, and where two tiles wait for each other:
# the verdict names the cause, and the rerun takes as long, within 5 %, as the kernel changed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# The compiler puts the rare case of noc_async_read_page behind the loop, from where it jumps back into it: that is no end of the loop.
kernel page_loop
sed -i 's/^buffer \([01]\)  2/buffer \1  8/' "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
enum { CB_A = 0, CB_B = 1, N = 4 };
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i += N) {
    cb_reserve_back(CB_A, N);
    cb_reserve_back(CB_B, N);
    for (uint32_t n = 0; n < N; n++) {
      noc_async_read_page(i + n, &a, get_write_ptr(CB_A) + n * 2048);
      noc_async_read_page(i + n, &b, get_write_ptr(CB_B) + n * 2048);
#ifndef CHANGED
      noc_async_read_barrier(); /* here */
#endif
    }
#ifdef CHANGED
    noc_async_read_barrier();
#endif
    cb_push_back(CB_A, N);
    cb_push_back(CB_B, N);
  }
}
PART
slow 'bound by the NoC: NCRISC waits for its requests at @here (kernel_main, in noc_async_read_barrier)'
grep -q 'change: one barrier for all requests of the loop at reader.c:8-12: move that of reader.c:12 behind it' "$work/out"
ok "page_loop: the inner loop is named" $?

# A multicast in small pieces to a far tile, whose path takes long to reserve: the core waits to send, and there is no barrier to move.
kernel pieces
sed -i 's/^grid   1,2 /grid   1-2,2 /; s/^args reader .*/args reader A B A.pages col/' "$k/kernel.chip"
insert reader.c 'cb_push_back(CB_A' << 'PART'
    if (!get_arg_val(3))
      for (uint32_t n = 0; n < 2048; n += 64)
        noc_async_write_multicast(0x90000 + n, get_noc_multicast_addr(14, 2, 14, 2, 0x90000 + n), 64, 1, 0); /* here */
PART
sed -i 's/^}/  noc_async_full_barrier();\n}/' "$k/reader.c"
here=reader.c:$(sed -n '/here/=' "$k/reader.c")
"$BUILD/tessera" kernel run "$k" --why --what-if none --check none > "$work/out" 2> "$work/err"
grep -q "bound by the NoC: NCRISC waits for its requests at $here (kernel_main, in noc_async_write_multicast)" "$work/out" &&
  grep -q "^  change: fewer, larger requests: at $here the core waits until the NIU has sent the one before" "$work/out"
ok "pieces: larger requests, and no barrier" $?

# Two tiles that hand over to each other: neither is slow, and both lines are named.
kernel in_turn
sed -i 's/^grid   1,2 /grid   1-2,2 /; s/^args reader .*/args reader A B A.pages col/' "$k/kernel.chip"
insert reader.c 'cb_push_back(CB_A' << 'PART'
    for (uint32_t n = 1; n <= 8; n++)
      if (get_arg_val(3)) {
        noc_semaphore_wait_min(get_semaphore(0), i * 8 + n); /* B */
        noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);
      } else {
        noc_semaphore_inc(get_noc_addr(2, 2, get_semaphore(0)), 1);
        noc_semaphore_wait_min(get_semaphore(0), i * 8 + n); /* A */
      }
PART
"$BUILD/tessera" kernel run "$k" --why --what-if none --check none > "$work/out" 2> "$work/err"
a=reader.c:$(sed -n '/\* A \*/=' "$k/reader.c") b=reader.c:$(sed -n '/\* B \*/=' "$k/reader.c")
grep -q "NCRISC waits for NoC semaphore 0 at $a (.*, and NCRISC of tile (2, 2), which writes it, waits for another tile in turn at $b (.*: the way there and back is the cause" "$work/out" &&
  grep -q '^  change: fewer hand-overs between the two tiles' "$work/out"
ok "in_turn: the way there and back, with both lines" $?
for tile in 1,2:$a:$b 2,2:$b:$a; do
  own=${tile#*:} && other=$(echo "$own" | cut -d: -f3-) && own=$(echo "$own" | cut -d: -f1-2)
  "$BUILD/tessera" kernel run "$k" --no-build --tile "${tile%%:*}" --why --what-if none --check none > "$work/out" 2> "$work/err"
  grep -q "^why: bound by another tile: NCRISC waits for NoC semaphore 0 at $own (.*, waits for another tile in turn at $other (.*: the way there and back is the cause" "$work/out" &&
    ! grep -q -- '--tile [0-9]' "$work/out"
  ok "in_turn: --tile ${tile%%:*} names both lines, too, and not the other tile's verdict" $?
done

# The unpackers are busy beside the core that pushes to them, which has the path: without a rerun that shows otherwise, the core is the verdict.
kernel beside
sed -i 's/128x128/64x128/' "$k/kernel.chip"
insert compute.c 'cb_pop_front(CB_A' << 'PART'
    for (int q = 0; q < 60; q++) add_tiles(CB_A, CB_B, 0, 0, 0); /* here */
PART
here=compute.c:$(sed -n '/here/=' "$k/compute.c")
"$BUILD/tessera" kernel run "$k" --why --what-if none --account --check none --json "$work/json" > "$work/out" 2> "$work/err"
verdict="bound by TRISC0: $here (kernel_main, in add_tiles) takes "
grep -qF "why: $verdict" "$work/out" && grep -qF "\"verdict\":\"$verdict" "$work/json" &&
  grep -q '^    TRISC0 [5-9][0-9]\.' "$work/out" && awk '/^unpackers .* busy/ { sub(/%.*/, ""); sub(/.*\(/, ""); busy = $0 } END { exit busy < 70 }' "$work/out"
ok "beside: the core with the critical path, not a unit that is busy beside it" $?

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

# One page is handed over at a time: half of the sender's time are its barrier and its wait for the answer, and the receiver waits for the page.
kernel hand_over
sed -i 's/^grid   1,2 /grid   1-2,2 /; s/^args reader .*/args reader A B 16 col/' "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
enum { CB_A = 0, CB_B = 1 };
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++) {
    cb_reserve_back(CB_A, 1);
    cb_reserve_back(CB_B, 1);
    if (get_arg_val(3) == 0) {
      if (i) noc_semaphore_wait_min(get_semaphore(0), i); /* A */
      noc_async_write(0x90000, get_noc_addr(2, 2, 0x90000 + i % 8 * 2048), 2048);
      noc_async_write_barrier();
      noc_semaphore_inc(get_noc_addr(2, 2, get_semaphore(1)), 1);
    } else {
      noc_semaphore_wait_min(get_semaphore(1), i + 1); /* B */
      noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);
    }
    cb_push_back(CB_A, 1);
    cb_push_back(CB_B, 1);
  }
  noc_async_full_barrier();
}
PART
"$BUILD/tessera" kernel run "$k" --why --what-if none --check none > "$work/out" 2> "$work/err"
grep -q "bound by another tile: NCRISC waits for NoC semaphore 0 at reader.c:8 (kernel_main, .*, and NCRISC of tile (2, 2), which writes it, waits for another tile in turn at reader.c:13 (.*: the way there and back is the cause" "$work/out" &&
  grep -q '^  change: fewer hand-overs between the two tiles' "$work/out"
ok "hand_over: one answer per page is the cause, with both lines" $?

# A signal behind the first rerun, which refutes its cause: nothing is decided, so the verdict is that of the path, and says so. Every run reads
# the description, so a pipe in its place tells when the second rerun begins.
k=$work/beside
mv "$k/kernel.chip" "$work/description" && mkfifo "$k/kernel.chip"
cat > "$work/cut.py" << 'PART'
import os, signal, subprocess, sys, time
run = subprocess.Popen(sys.argv[3:])
def reads():
    files = f"/proc/{run.pid}/fd"
    return any(os.path.realpath(f"{files}/{name}") == os.path.realpath(sys.argv[2]) for name in os.listdir(files))
for last in False, False, True: # the run, the first rerun, the second
    with open(sys.argv[2], "w") as pipe:
        pipe.write(open(sys.argv[1]).read())
        pipe.flush()
        while not last and not reads(): time.sleep(0.01) # the reader's open may still be under way
    while not last and reads(): time.sleep(0.01) # the next open waits for a writer, so it is not seen here
run.send_signal(signal.SIGTERM)
sys.exit(run.wait())
PART
timeout 60 python3 "$work/cut.py" "$work/description" "$k/kernel.chip" "$BUILD/tessera" kernel run "$k" --no-build --why --check none --json "$work/json" > "$work/out" 2> "$work/err"
[ $? -eq 143 ] && grep -qF "why: $verdict" "$work/out" && grep -q '^    the unpackers move a tile in one cycle: .*, no faster' "$work/out" &&
  grep -q '^  the verdict is not verified: the reruns were interrupted$' "$work/out" && grep -qF "\"verdict\":\"$verdict" "$work/json" &&
  python3 -c 'import json, sys; why = json.load(open(sys.argv[1]))["why"]; assert why["interrupted"] and len(why["reruns"]) == 1' "$work/json" 2>> "$work/err"
ok "beside: reruns that a signal ends refute nothing, and the verdict is not verified" $?

# A function that is called from several lines: its name, and the line with most of its cycles.
"$BUILD/tessera" kernel run examples/attention --build "$work/attention" --why --what-if none --check none --json "$work/json" > "$work/out" 2> "$work/err"
line=$(sed -n 's/^why: bound by TRISC1: the function each (most at compute.c:\([0-9]*\)) takes .*/\1/p' "$work/out")
sed -n "${line:-1}p" examples/attention/compute.c | grep -q exp_tile && grep -q "\"verdict\":\"bound by TRISC1: the function each (most at compute.c:$line) takes" "$work/json"
ok "attention: the function, and its line compute.c:${line:-none}" $?

# A multicast comes late: the line of the sender before it.
kernel late_sender
sed -i 's/^grid   1,2 /grid   1-4,2 /; s/^args reader .*/args reader A B 16 col/' "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
enum { CB_A = 0, CB_B = 1 };
volatile uint32_t seed = 3;
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++) {
    cb_reserve_back(CB_A, 1);
    cb_reserve_back(CB_B, 1);
    if (get_arg_val(3) == 0) {
#ifndef CHANGED
      for (uint32_t n = 0; n < 200; n++) seed = seed * 3 + 1; /* here */
#endif
      noc_semaphore_wait_min(get_semaphore(0), 3 * (i + 1));
      noc_async_write_multicast(0x90000, get_noc_multicast_addr(2, 2, 4, 2, 0x90000), 2048, 3, 0);
      noc_semaphore_set(get_semaphore(1), i + 1);
      noc_semaphore_set_multicast(get_semaphore(1), get_noc_multicast_addr(2, 2, 4, 2, get_semaphore(1)), 3, 0);
    } else {
      noc_semaphore_inc(get_noc_addr(1, 2, get_semaphore(0)), 1);
      noc_semaphore_wait_min(get_semaphore(1), i + 1);
    }
    cb_push_back(CB_A, 1);
    cb_push_back(CB_B, 1);
  }
  noc_async_full_barrier();
}
PART
slow 'tile (4, 2) ended last and waited for tile (1, 2), which has '
grep -q "of the critical path: bound by NCRISC: $here (kernel_main) takes" "$work/out"
ok "late_sender: the line of the other tile" $?
# Small requests in place of one: the rerun takes as long as with a single request per page.
kernel small_reads
cat > "$k/reader.c" << 'PART'
#include "noc.h"
enum { CB_A = 0, CB_B = 1 };
#ifdef CHANGED
enum { BYTES = 2048 };
#else
enum { BYTES = 64 };
#endif
void kernel_main(void) {
  for (uint32_t i = 0; i < 16; i++) {
    cb_reserve_back(CB_A, 1);
    cb_reserve_back(CB_B, 1);
    for (uint32_t n = 0; n < 2048; n += BYTES) noc_async_read(get_noc_addr(7, 9, 0x80000 + n), get_write_ptr(CB_A) + n, BYTES); /* here */
    noc_async_read_barrier();
    cb_push_back(CB_A, 1);
    cb_push_back(CB_B, 1);
  }
}
PART
slow 'bound by NCRISC: @here (kernel_main, in noc_async_read) takes'
# Two barriers where the second is enough.
kernel two_barriers
echo '    noc_async_read_barrier(); /* here */' | put reader.c 'noc_async_read_page(i, &b'
slow 'bound by the NoC: NCRISC waits for its requests at @here (kernel_main, in noc_async_read_barrier)'

# A line of the T cores with more work of its thread behind it: what is left takes its own time only.
sfpu_init() { # INITS
  sed -i "s/  add_tiles_init();/  add_tiles_init();\n  $1/" "$k/compute.c"
}
kernel gelu_exp
sfpu_init 'exp_tile_init(); gelu_tile_init();'
echo '    exp_tile(0);' | insert compute.c 'tile_regs_commit'
echo '    gelu_tile(0); /* here */' | put compute.c '    exp_tile(0)'
slow 'bound by the vector unit, busy 8'
kernel exp_recip
sfpu_init 'exp_tile_init(); recip_tile_init();'
echo '    recip_tile(0);' | insert compute.c 'tile_regs_commit'
echo '    exp_tile(0); /* here */' | put compute.c '    recip_tile(0)'
slow 'bound by the vector unit, busy 7'
grep -q ' and by TRISC1, which pushes its words one by one: compute.c:' "$work/out" && grep -q '^  change: .*; a faster unit alone saves nothing$' "$work/out"
ok "exp_recip: the core that pushes each word is as much the cause" $?
kernel exp_rv
sfpu_init 'exp_tile_init();'
sed -i 's/^void kernel_main/volatile uint32_t seed = 7;\n&/' "$k/compute.c"
echo '    MATH(for (uint32_t n = 0; n < 100; n++) seed = seed * 3 + 1;)' | insert compute.c 'tile_regs_commit'
echo '    exp_tile(0); /* here */' | put compute.c '    MATH(for'
slow 'bound by TRISC1: @here (kernel_main, in exp_tile) takes'
kernel add_add
echo '    for (int n = 0; n < 20; n++) add_tiles(CB_A, CB_B, 0, 0, 1);' | insert compute.c 'cb_pop_front(CB_A'
echo '    for (int n = 0; n < 24; n++) add_tiles(CB_A, CB_B, 0, 0, 0); /* here */' | put compute.c '    for (int n = 0; n < 20'
slow 'bound by TRISC0: @here (kernel_main, in add_tiles) takes'

# The loop of a reader without circular buffers ends with its barrier.
kernel only_reader
cat > "$k/reader.c" << 'PART'
#include "noc.h"
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(0)}, b = {get_arg_val(1), get_tile_size(1)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i++) {
    noc_async_read_page(i, &a, 0x80000);
    noc_async_read_page(i, &b, 0x90000);
#ifndef CHANGED
    noc_async_read_barrier(); /* here */
#endif
  }
#ifdef CHANGED
  noc_async_read_barrier();
#endif
}
PART
sed -i 's/^args compute .*/args compute 0/; s/^args writer .*/args writer C 0/' "$k/kernel.chip"
slow 'bound by the NoC: NCRISC waits for its requests at @here (kernel_main, in noc_async_read_barrier)'
grep -q 'of the loop at reader.c:4-8: move that of reader.c:8 behind it' "$work/out"
ok "only_reader: the loop ends with its barrier" $?

# Requests of a line without time load neither links nor DRAM.
kernel write_loop
put writer.c 'noc_async_write_barrier' << 'PART'
    for (uint32_t n = 0; n < 16; n++)
      noc_async_write(get_read_ptr(CB_C), get_noc_addr(7, 9, 0x80000), 2048);
PART
slow 'bound by BRISC: the loop at writer.c:12-13 (kernel_main) takes'
kernel dram_read_loop
put reader.c 'noc_async_read_page(i, &b' << 'PART'
    for (uint32_t n = 0; n < 8; n++)
      noc_async_read_page(i + n, &a, get_write_ptr(CB_B));
PART
slow 'bound by NCRISC: the loop at reader.c:13-14 (kernel_main) takes'

# The rerun gives two pages to every buffer of one, and the sentence names them all.
kernel single_in
sed -i 's/^buffer \([01]\)  2/buffer \1  1/' "$k/kernel.chip"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
grep -q '^  change: give CB 0 and CB 1 two pages each, as the rerun does$' "$work/out"
ok "single_in: both buffers are named" $?
predicted=$(sed -n 's/^    circular buffers of one page have two: \([0-9]*\) cycles instead of .*/\1/p' "$work/out")
sed -i 's/^buffer \([01]\)  1/buffer \1  2/' "$k/kernel.chip"
by_hand=$("$BUILD/tessera" kernel run "$k" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
[ "${predicted:-0}" = "$by_hand" ]
ok "single_in: what-if: ${predicted:-no} cycles, changed by hand $by_hand" $?

# 16 tiles read the L1 of one: the link out of it is full, and a rerun without the wait is no faster than that link.
kernel full_link
sed -i 's/^grid   1,2 /grid   1-4,2-5 /' "$k/kernel.chip"
sed -i 's|noc_async_read_page(i, &\([ab]\), \(.*\));|noc_async_read(get_noc_addr(1, 2, 0x80000), \2, 2048);|; /InterleavedAddrGen/d; s|noc_async_read_barrier();|& /* here */|' "$k/reader.c"
here=reader.c:$(sed -n '/here/=' "$k/reader.c")
"$BUILD/tessera" kernel run "$k" --why --what-if "ncrisc@$here" --check none > "$work/out" 2> "$work/err"
grep -q "bound by the link of NoC 0 out of the tile at (1,2), which carries data in [89][0-9.]*% of the cycles: NCRISC waits for its requests at $here " "$work/out" &&
  grep -q "^  change: move less over this link: [0-9.]*% of what it carries are answers to [0-9]* reads of this tile's memory, and on 15 of 16 tiles NCRISC waits at $here: let this tile multicast " "$work/out"
ok "full_link: the link and its share, and who uses it" $?
rerun=$(sed -n 's/^    NCRISC spends no time at .*: \([0-9]*\) cycles instead of .*/\1/p' "$work/out")
[ "${rerun:-0}" -ge $((16 * 16 * 2 * 2048 / 64)) ]
ok "full_link: the rerun, ${rerun:-no} cycles, promises no more than the link carries" $?

# 16 tiles write into the L1 of one: the link into it is full.
kernel full_inlet
sed -i 's/^grid   1,2 /grid   1-4,2-5 /' "$k/kernel.chip"
sed -i 's|noc_async_write_page(i, &c, \(.*\));|for (uint32_t n = 0; n < 8; n++) noc_async_write(\1, get_noc_addr(1, 2, 0x100000 + n * 2048), 2048);|; /InterleavedAddrGen/d; s|noc_async_write_barrier();|& /* here */|' "$k/writer.c"
here=writer.c:$(sed -n '/here/=' "$k/writer.c")
"$BUILD/tessera" kernel run "$k" --why --what-if none --check none > "$work/out" 2> "$work/err"
grep -qE 'bound by the link of NoC 1 into the tile at .*: BRISC waits for its requests at writer.c:' "$work/out" &&
  grep -qE "^  change: move less over this link: [0-9.]*% of what it carries are data of [0-9]* writes by other tiles, and on [0-9]* of 16 tiles BRISC waits at writer.c:[0-9]*: divide what is written there " "$work/out"
ok "full_inlet: the link into the tile, and who uses it" $?

finish
