# `tessera kernel run --why` where the cause is no single line: work over many lines, work that runs once, a wait for an idle thread, buffers of one
# block, a token that tiles hand on, the port of a tile that many read, a page that all tiles read. Verdict, line and rerun, against the same kernel
# changed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# Fourteen divisions on as many lines: each has a few per cent.
kernel many_lines
sed -i 's/^void kernel_main/static volatile uint32_t sink;\n&/' "$k/reader.c"
{
  echo '    volatile uint32_t *h = (volatile uint32_t *)get_write_ptr(CB_A);'
  for n in 0 1 2 3 4 5 6 7 8 9 10 11 12 13; do echo "    const uint32_t n$n = h[$n] / (i + $((n + 3)));"; done
  echo '    sink = n0 ^ n1 ^ n2 ^ n3 ^ n4 ^ n5 ^ n6 ^ n7 ^ n8 ^ n9 ^ n10 ^ n11 ^ n12 ^ n13;'
} | put reader.c 'cb_push_back(CB_A'
first=$(grep -n 'volatile uint32_t \*h' "$k/reader.c" | cut -d: -f1) # the barrier before it is one for the compiler: the address is loaded again
slow "bound by NCRISC: reader.c:$first-"
grep -qE "^why: bound by NCRISC: reader.c:$first-$((first + 15)) \(kernel_main\) takes (3|4)[0-9.]*% of the cycles; " "$work/out"
ok "many_lines: the range of lines and its share" $?

# A table that is computed before the loop over the pages.
kernel start_up
sed -i 's/^void kernel_main/static uint32_t table[256];\nstatic volatile uint32_t sink;\n&/' "$k/reader.c"
put reader.c 'for (uint32_t i' << 'PART'
  for (uint32_t r = 0; r < 256; r++) { /* here */
    uint32_t c = r;
    for (int n = 0; n < 8; n++) c = c & 1 ? 0xedb88320u ^ c >> 1 : c >> 1;
    table[r] = c;
  }
  sink = table[17];
PART
line=$(grep -n 'r < 256' "$k/reader.c" | cut -d: -f1)
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err" &&
  grep -qE "^why: bound by NCRISC: the loop at reader.c:$line-$((line + 3)) \(kernel_main\) takes [0-9.]+% of the cycles and runs once; " "$work/out" &&
  grep -q '^  change: this runs once in the kernel, not once per page: ' "$work/out" && ! grep -q 'do less per page' "$work/out"
ok "start_up: the outer loop, that it runs once, and no advice per page" $?

# A limit of cycles within it: BRISC waits since its begin, but the core at work has the path, and there is no rerun to speak of.
"$BUILD/tessera" kernel run "$k" --why --max-cycles 12000 --check none > "$work/out" 2> "$work/err"
[ $? -eq 6 ] && grep -q "^why: until the limit of cycles, at which the run had not ended: bound by NCRISC: the loop at reader.c:$line-$((line + 3)) .*; NCRISC has 100.0% of the critical path$" "$work/out" && ! grep -q rerun "$work/out"
ok "start_up: at a limit of cycles the core at work has the path" $?
"$BUILD/tessera" kernel run "$k" --why --what-if none --timing off --check none > "$work/out" 2> "$work/err" && grep -q '^  timing is off: every instruction takes one cycle, so none of these cycles are those of the chip$' "$work/out" &&
  "$BUILD/tessera" kernel run "$k" --why --what-if none --check none > "$work/out" 2> "$work/err" && ! grep -q 'timing is off' "$work/out"
ok "start_up: --timing off: the verdict states that its cycles mean nothing" $?
"$BUILD/tessera" kernel run "$k" --check none --trace "$work/late.json" --trace-from 100000000 > "$work/out" 2> "$work/err" && grep -q '^tessera kernel: --trace-from 100000000 is after the end of the run at cycle [0-9]*: the trace is empty$' "$work/err"
ok "start_up: a trace that begins after the end states it" $?

# A page in 32 pieces: the change is one request, and the rerun has the time of one.
kernel small_pieces
sed -i 's/^ *noc_async_read_page(i, &a, .*/#ifdef CHANGED\n&\n#else\n    for (uint32_t o = 0; o < 2048; o += 64) noc_async_read(get_interleaved_noc_addr(\&a, i) + o, get_write_ptr(CB_A) + o, 64); \/* here *\/\n#endif/' "$k/reader.c"
slow 'bound by NCRISC: @here '
grep -q '^  change: fewer, larger requests: .*; the rerun makes those of the loop in one of its turns$' "$work/out" &&
  grep -q "^    NCRISC makes the requests of the loop at $here in one turn of it: " "$work/out"
ok "small_pieces: the change, and its rerun" $?
"$BUILD/tessera" kernel run "$k" --what-if 'NCRISC@reader.c:7 in one turn' --check none > "$work/out" 2> "$work/err"
[ $? -eq 2 ] && grep -q "the program of NCRISC has no loop at reader.c:7$" "$work/err"
ok "small_pieces: a line without a loop has no turns" $?

# Below TESSERA_TEST_SCALE 100 these are all: make test has them, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

# Several lines call one function of the vector unit: it is named, with one of them, and the rerun is without all of its calls.
kernel many_calls
sed -i 's/"compute.h"/"compute.h"\n#include "sfpu.h"/' "$k/compute.c"
put compute.c 'tile_regs_commit' << 'PART'
    gelu_tile_init();
    gelu_tile(0);
    gelu_tile(0);
PART
slow 'bound by the vector unit, busy '
line=$(grep -n 'gelu_tile(0)' "$k/compute.c" | head -n 1 | cut -d: -f1)
grep -qE "^why: .*: the function gelu_tile \(most at compute.c:($line|$((line + 1)))\)$" "$work/out" && grep -q '^    the T cores spend no time in gelu_tile: ' "$work/out"
ok "many_calls: the function, one of its lines, and its rerun" $?

# A chain of two operations: T cores neither wait nor count pages at most lines, and the call that bounds them has its own line.
kernel chain
sed -i 's/^buffer 16 .*/&\nbuffer 24 1 A/' "$k/kernel.chip"
sed -i '/noc_async/d' "$k/reader.c" "$k/writer.c" # pages without data, and without a wait
cat > "$k/compute.c" << 'PART'
#include "compute.h"

enum { CB_A = 0, CB_B = 1, CB_M = 24, CB_C = 16 };
void kernel_main(void) {
  binary_op_init(CB_A, CB_B, CB_M);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    add_tiles_init(); /* here */
    tile_regs_acquire();
    cb_wait_front(CB_A, 1);
    cb_wait_front(CB_B, 1);
    add_tiles(CB_A, CB_B, 0, 0, 0);
    cb_pop_front(CB_A, 1);
    cb_pop_front(CB_B, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_M, 1);
    pack_tile(0, CB_M);
    cb_push_back(CB_M, 1);
    tile_regs_release();
    copy_tile_init(CB_M);
    tile_regs_acquire();
    cb_wait_front(CB_M, 1);
    copy_tile(CB_M, 0, 0);
    cb_pop_front(CB_M, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_C, 1);
    pack_tile(0, CB_C);
    cb_push_back(CB_C, 1);
    tile_regs_release();
  }
}
PART
here=compute.c:$(grep -n 'here' "$k/compute.c" | cut -d: -f1)
"$BUILD/tessera" kernel run "$k" --why --account --check none > "$work/out" 2> "$work/err" &&
  grep -q "^why: bound by TRISC1: $here (kernel_main, in add_tiles_init) takes [0-9.]*% of the cycles; " "$work/out" &&
  grep -q "^  change: fewer calls of add_tiles_init at $here, " "$work/out" && grep -q "^    the T cores spend no time at $here: .* times faster\$" "$work/out" && adds_up
ok "chain: the call that bounds the T cores has its own line, not all lines of the kernel" $?

# The thread is idle before each new tile.
kernel serial
insert compute.c 'cb_pop_front(CB_A' << 'PART'
    for (int n = 0; n < 24; n++) {
      add_tiles(CB_A, CB_B, 0, 0, 0);
#ifndef CHANGED
      tensix_sync(); /* here */
#endif
    }
PART
slow 'bound by a wait for an idle thread: TRISC1 waits at @here (kernel_main, in tensix_sync) '

# The block that the producer fills is the whole buffer: its consumer works while it waits, and the other way round.
kernel one_block
sed -i 's/128x128/128x512/; s/^buffer \([01]\)  2/buffer \1  4/' "$k/kernel.chip"
cat > "$k/reader.c" << 'PART'
#include "noc.h"
enum { CB_A = 0, CB_B = 1, N = 4 };
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i += N) {
    cb_reserve_back(CB_A, N); /* here */
    cb_reserve_back(CB_B, N);
    for (uint32_t n = 0; n < N; n++) {
      noc_async_read_page(i + n, &a, get_write_ptr(CB_A) + n * 2048);
      noc_async_read_page(i + n, &b, get_write_ptr(CB_B) + n * 2048);
    }
    noc_async_read_barrier();
    cb_push_back(CB_A, N);
    cb_push_back(CB_B, N);
  }
}
PART
cat > "$k/compute.c" << 'PART'
#include "compute.h"
enum { CB_A = 0, CB_B = 1, CB_C = 16, N = 4 };
void kernel_main(void) {
  mm_init(CB_A, CB_B, CB_C);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i += N) {
    cb_wait_front(CB_A, N);
    cb_wait_front(CB_B, N);
    tile_regs_acquire();
    for (uint32_t m = 0; m < N; m++)
      for (uint32_t n = 0; n < N; n++) matmul_tiles(CB_A, CB_B, m, n, n);
    tile_regs_commit();
    cb_pop_front(CB_A, N);
    cb_pop_front(CB_B, N);
    tile_regs_wait();
    cb_reserve_back(CB_C, 1);
    pack_tile(0, CB_C);
    cb_push_back(CB_C, 1);
    tile_regs_release();
  }
}
PART
cat > "$k/writer.c" << 'PART'
#include "noc.h"
void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i += 4) {
    cb_wait_front(16, 1);
    cb_pop_front(16, 1);
  }
}
PART
cp -r "$k" "$work/two_blocks" && sed -i 's/^buffer \([01]\)  4/buffer \1  8/' "$work/two_blocks/kernel.chip"
by_hand=$("$BUILD/tessera" kernel run "$work/two_blocks" --account --from kernel_main --check none 2> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err" &&
  grep -qF 'why: bound by a single buffer: CB 0 has 4 pages, of which its producer fills 4 at once, and its two sides take turns: reader.c:6 (kernel_main) waits for room' "$work/out" &&
  grep -qF '  change: give CB 0 and CB 1 twice as many pages, as the rerun does, or fill half as many at once' "$work/out" &&
  grep -q "^    CB 0 and CB 1 have twice as many pages: ${by_hand:-no} cycles instead of " "$work/out"
ok "one_block: the buffer, the change, and the cycles of the kernel with twice the pages (${by_hand:-no})" $?
"$BUILD/tessera" kernel run "$k" --why --what-if buffers --check none > "$work/out" 2> "$work/err" && grep -q "^    CB 0 and CB 1 have twice as many pages: ${by_hand:-no} cycles" "$work/out"
ok "one_block: --what-if buffers doubles them too" $?
"$BUILD/tessera" kernel run "$k" --what-if 'buffers 1' --check none > "$work/out" 2> "$work/err" && grep -q '^    CB 1 has twice as many pages: [0-9]* cycles instead of ' "$work/out"
ok "one_block: --what-if 'buffers 1' doubles one of them" $?
for what in 'buffers 32' 'buffers 1,' 'buffers x' 'buffers -1'; do
  "$BUILD/tessera" kernel run "$k" --what-if "$what" > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && grep -qF "not '$what'" "$work/err"
  ok "one_block: --what-if '$what' is refused" $?
done

grid() { # NAME ARGS: a kernel on these tiles, 16 pages each
  kernel "$1"
  sed -i "s/^grid   1,2 /grid   $2 /; s/128x128/512x512/; s/^buffer \([01]\)  2/buffer \1  8/; s/^args reader .*/args reader A B 16 col row x y/; s/^args compute .*/args compute 16/; s/^args writer .*/args writer C 16 col row x y/" "$k/kernel.chip"
}

# A token goes from tile to tile; each works between its receipt and its hand-over.
grid token 1-4,2
cat > "$k/writer.c" << 'PART'
#include "noc.h"
enum { CB_C = 16 };
static volatile uint32_t sink;
void kernel_main(void) {
  const uint32_t me = get_arg_val(2), x = get_arg_val(4), y = get_arg_val(5);
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_wait_front(CB_C, 1);
    if (i || me) noc_semaphore_wait_min(get_semaphore(0), me ? i + 1 : i);
#ifndef CHANGED
    for (uint32_t n = 0; n < 400; n++) sink += n; /* here */
#endif
    noc_semaphore_inc(get_noc_addr(me == 3 ? x - 3 : x + 1, y, get_semaphore(0)), 1);
    noc_async_atomic_barrier();
    cb_pop_front(CB_C, 1);
  }
}
PART
slow 'tile (4, 2) ended last: bound by BRISC: @here (kernel_main) takes 2'
grep -q '; BRISC has 2[0-9.]*% of the critical path, and that of 4 tiles, one after the other, 9[0-9.]*%$' "$work/out" &&
  grep -q '^  change: the next tile waits for this: ' "$work/out"
ok "token: the share of all tiles, and the change" $?

# Sixteen tiles read the L1 of one; changed, each its own.
reads() { # READ CHANGED
  cat << PART
#include "noc.h"
enum { CB_A = 0, CB_B = 1 };
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(CB_A)}, b = {get_arg_val(1), get_tile_size(CB_B)};
  const uint32_t me = get_arg_val(3) + 4 * get_arg_val(4);
  for (uint32_t i = 0, tiles = get_arg_val(2); i < tiles; i += 4) {
    cb_reserve_back(CB_A, 4);
    cb_reserve_back(CB_B, 4);
    for (uint32_t n = 0; n < 4; n++) {
      const uint32_t to_a = get_write_ptr(CB_A) + n * 2048, to_b = get_write_ptr(CB_B) + n * 2048;
#ifndef CHANGED
      $1
#else
      $2
#endif
    }
    noc_async_read_barrier(); /* here */
    cb_push_back(CB_A, 4);
    cb_push_back(CB_B, 4);
  }
  (void)me, (void)a, (void)b;
}
PART
}
grid owner 1-4,2-5
own='noc_async_read(get_noc_addr(X, Y, 0x100000 + n * 2048), to_a, 2048), noc_async_read(get_noc_addr(X, Y, 0x110000 + n * 2048), to_b, 2048);'
reads "$(echo "$own" | sed 's/X, Y/1, 2/g')" "$(echo "$own" | sed 's/X, Y/get_arg_val(5), get_arg_val(6)/g')" > "$k/reader.c"
here=reader.c:$(grep -n 'here' "$k/reader.c" | cut -d: -f1)
"$BUILD/tessera" kernel run "$k" --why --json "$work/json" --check none > "$work/out" 2> "$work/err" && grep -q '^{"tile":\[1,2\],"' "$work/json" && python3 -m json.tool "$work/json" > /dev/null &&
  grep -qE "bound by the link of NoC 0 out of the tile at \(1,2\), which carries data in (7|8|9)[0-9.]+% of the cycles: NCRISC waits for its requests at $here " "$work/out" &&
  grep -q '^    what passes the link of NoC 0 out of the tile at (1,2) loads no link and no memory: [0-9]* cycles instead of [0-9]*, [2-9][0-9.]* times faster' "$work/out" && ! grep -q 'page where it uses it' "$work/out"
ok "owner: the link out of the tile that all read" $?

# All tiles read from one tile, beside what they read from DRAM; changed, each from its own L1. What passes the link has no weight in the
# rerun, what does not pass it keeps its own: less than half of the cycles if links and memories carry all at once.
grid one_link 1-4,2-5
reads 'for (int r = 0; r < 8; r++) noc_async_read(get_noc_addr(1, 2, 0x100000), to_a, 2048);' 'for (int r = 0; r < 8; r++) noc_async_read(get_noc_addr(my_x, my_y, 0x100000), to_a, 2048);' > "$k/reader.c"
sed -i 's/^    noc_async_read_barrier.*/    noc_async_read_page(i, \&a, get_write_ptr(CB_A));\n    noc_async_read_page(i, \&b, get_write_ptr(CB_B));\n&/' "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
predicted=$(sed -n 's/^    what passes the link of NoC 0 out of the tile at (1,2) loads no link and no memory: \([0-9]*\) cycles.*/\1/p' "$work/out")
by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
grep -q '; the rerun makes the same requests, and those over this link load no other link and no memory: ' "$work/out" && [ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "one_link: what-if: ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?
for what in 'link 2 1,2 out' 'link 0 17,2 out' 'link 0 1,2 up' 'link 0 1,2 out ' 'hand-overs 1' 'hand-overs 4x'; do
  "$BUILD/tessera" kernel run "$k" --what-if "$what" > "$work/out" 2> "$work/err"
  [ $? -eq 2 ] && grep -q -- '--what-if takes ' "$work/err" || break
done
[ "$what" = 'hand-overs 4x' ]
ok "one_link: links and hand-overs that there are not" $?

# Sixteen tiles read one page of DRAM; changed, each its own pages.
grid same_page 1-4,2-5
reads 'noc_async_read_page(me * 16 + i + n, \&a, to_a), noc_async_read_page(0, \&b, to_b);' 'noc_async_read_page(me * 16 + i + n, \&a, to_a), noc_async_read_page(me * 16 + i + n, \&b, to_b);' | sed 's/\\&/\&/g' > "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
predicted=$(sed -n 's/^    requests to DRAM bank 0 go to all banks in turn: \([0-9]*\) cycles.*/\1/p' "$work/out")
by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
grep -q 'ended last: bound by DRAM bank 0, busy ' "$work/out" && [ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "same_page: the bank; what-if: ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?

grep -q "; the rerun keeps the kernel's instructions, and an address of a page whose number is no constant takes about 25 cycles more$" "$work/out"
ok "same_page: what the rerun assumes" $?

# All tiles read pages of one bank, and end at about the same time; changed, of all banks.
grid same_bank 1-4,2-5
reads 'noc_async_read_page((i + n + me) * 8 % 32, \&a, to_a), noc_async_read_page((i + n + me + 4) * 8 % 32, \&b, to_b);' 'noc_async_read_page((i + n + me) % 32, \&a, to_a), noc_async_read_page((i + n + me + 4) % 32, \&b, to_b);' | sed 's/\\&/\&/g' > "$k/reader.c"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
predicted=$(sed -n 's/^    requests to DRAM bank 0 go to all banks in turn: \([0-9]*\) cycles.*/\1/p' "$work/out")
by_hand=$("$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --account --from kernel_main --check none 2>> "$work/err" | sed -n 's/^where the cycles go: each line sums to //p')
grep -q 'ended last: bound by DRAM bank 0, busy ' "$work/out" && [ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "same_bank: the bank; what-if: ${predicted:-no} cycles, changed by hand ${by_hand:-no}" $?

finish
