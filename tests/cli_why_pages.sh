# `tessera kernel run --why` where pages of circular buffers are handed over badly: a consumer that waits for all pages before it uses the first,
# and cores that count single pages most of their time. Verdict, line and rerun, against the same kernel changed by hand. Prints TAP. Reads BUILD.
. tests/tap.sh
BUILD=${BUILD:-build}
. tests/why_rig.sh

# BLOCK pages at a time; CHANGED: each page is awaited in the loop. TIMES: work per page.
block_compute() { # BLOCK TIMES
  cat << PART
#include "compute.h"
enum { CB_A = 0, CB_B = 1, CB_C = 16, BLOCK = $1, TIMES = $2 };
void kernel_main(void) {
  binary_op_init(CB_A, CB_B, CB_C);
  add_tiles_init();
  for (uint32_t done = 0, tiles = get_arg_val(0); done < tiles; done += BLOCK) {
#ifndef CHANGED
    cb_wait_front(CB_A, BLOCK); /* here */
    cb_wait_front(CB_B, BLOCK);
#endif
    for (uint32_t i = 0; i < BLOCK; i++) {
#ifdef CHANGED
      cb_wait_front(CB_A, i + 1);
      cb_wait_front(CB_B, i + 1);
#endif
      tile_regs_acquire();
      for (uint32_t n = 0; n < TIMES; n++) add_tiles(CB_A, CB_B, i, i, 0);
      tile_regs_commit();
      tile_regs_wait();
      cb_reserve_back(CB_C, 1);
      pack_tile(0, CB_C);
      cb_push_back(CB_C, 1);
      tile_regs_release();
    }
    cb_pop_front(CB_A, BLOCK);
    cb_pop_front(CB_B, BLOCK);
  }
}
PART
}

kernel all_pages_first
sed -i 's/^buffer \([01]\)  2/buffer \1  16/' "$k/kernel.chip"
block_compute 16 8 > "$k/compute.c"
slow 'bound by a wait for all pages first: TRISC0 waits at @here (kernel_main) for 16 pages of CB 0, which NCRISC pushes one after the other'
grep -q '^  change: wait for each page where it is used, .*: cb_wait_front(0, 1) and cb_pop_front(0, 1) in the loop, ' "$work/out" &&
  grep -q '^    TRISC0 waits for each page where it uses it: [0-9]* cycles' "$work/out"
ok "all_pages_first: the change, and the rerun that makes it" $?
"$BUILD/tessera" kernel run "$k" --define CHANGED --build "$k/changed" --why --check none > "$work/out" 2> "$work/err" && grep -q '^why: bound by ' "$work/out" &&
  ! grep -q 'all pages first' "$work/out"
ok "all_pages_first: changed, the wait is not named" $?

# Below TESSERA_TEST_SCALE 100 this is all: make test has it, make test-all the others.
[ "${TESSERA_TEST_SCALE:-100}" -ge 100 ] || finish

kernel blocks_of_four
sed -i 's/^buffer \([01]\)  2/buffer \1  4/' "$k/kernel.chip"
block_compute 4 16 > "$k/compute.c"
slow 'bound by a wait for all pages first: TRISC0 waits at @here (kernel_main) for 4 pages of CB 0, which NCRISC pushes one after the other'

kernel writer_all_pages
sed -i 's/^buffer 16  *2/buffer 16 16/' "$k/kernel.chip"
cat > "$k/writer.c" << 'PART'
#include "noc.h"
enum { CB_C = 16 };
void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(CB_C)};
  const uint32_t tiles = get_arg_val(1);
#ifndef CHANGED
  cb_wait_front(CB_C, tiles); /* here */
#endif
  for (uint32_t i = 0; i < tiles; i++) {
#ifdef CHANGED
    cb_wait_front(CB_C, i + 1);
#endif
    noc_async_write_page(i, &c, get_read_ptr(CB_C) + i * 2048);
    noc_async_write_barrier();
  }
  cb_pop_front(CB_C, tiles);
}
PART
slow 'bound by a wait for all pages first: BRISC waits at @here (kernel_main) for 16 pages of CB 16, which thread 2 (pack) pushes one after the other'

# The cores count single pages: changed, four at a time. The matrix unit takes the same time in both.
kernel single_pages
sed -i 's/^buffer \([01]\)  2/buffer \1  8/' "$k/kernel.chip"
pages='#ifdef CHANGED\nenum { N = 4 };\n#else\nenum { N = 1 };\n#endif'
cat > "$k/reader.c" << 'PART'
#include "noc.h"
void kernel_main(void) {
  for (uint32_t i = 0, tiles = 16 * get_arg_val(2); i < tiles; i += N)
    for (uint32_t cb = 0; cb < 2; cb++) {
      cb_reserve_back(cb, N);
      cb_push_back(cb, N);
    }
}
PART
cat > "$k/compute.c" << 'PART'
#include "compute.h"
enum { CB_A = 0, CB_B = 1, CB_C = 16 };
void kernel_main(void) {
  mm_init(CB_A, CB_B, CB_C);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    tile_regs_acquire();
    for (uint32_t n = 0; n < 16; n += N) {
      cb_wait_front(CB_A, N);
      cb_wait_front(CB_B, N);
      for (uint32_t m = 0; m < N; m++) matmul_tiles(CB_A, CB_B, m, m, 0);
      cb_pop_front(CB_A, N);
      cb_pop_front(CB_B, N); /* here */
    }
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(CB_C, 1);
    pack_tile(0, CB_C);
    cb_push_back(CB_C, 1);
    tile_regs_release();
  }
}
PART
sed -i "1i $pages" "$k/reader.c" "$k/compute.c"
slow 'bound by the hand-over of single pages: TRISC0 counts pages of circular buffers in 6'
grep -q " of the cycles, most at $here (kernel_main, in cb_pop_front)" "$work/out" && grep -q '^  change: hand over several pages at once: cb_wait_front(cb, n), n pages, cb_pop_front(cb, n), in a buffer of 2 n; ' "$work/out"
ok "single_pages: the line with most of it, and the change" $?
# The same in C++, where the calls are functions.
cp -r "$k" "$work/single_pages_cpp" && k=$work/single_pages_cpp && rm -rf "$k/build" "$k/changed" && mv "$k/compute.c" "$k/compute.cpp" && mv "$k/reader.c" "$k/reader.cpp"
"$BUILD/tessera" kernel run "$k" --why --check none > "$work/out" 2> "$work/err"
grep -q 'why: bound by the hand-over of single pages: TRISC0 counts pages of circular buffers in 6[0-9.]*% of the cycles, most at compute.cpp:[0-9]* (kernel_main' "$work/out"
ok "single_pages_cpp: the same verdict" $?
predicted=$(sed -n 's/^    pages of circular buffers are counted [0-9]* at once: \([0-9]*\) cycles instead of .*/\1/p' "$work/out")
[ $((${by_hand:-0} * 95)) -le $((${predicted:-0} * 100)) ] && [ $((${predicted:-0} * 100)) -le $((${by_hand:-0} * 105)) ]
ok "single_pages_cpp: what-if: ${predicted:-no} cycles, in C by hand ${by_hand:-no}" $?
# The packer's side: eight pages of one tile of Dst, in a buffer of sixteen.
kernel single_pushes
sed -i 's/^buffer 16 .*/buffer 16 16 C/; s/^args writer .*/args writer C 256/' "$k/kernel.chip"
sed -i 's/64x128/128x256/; s/128x128/128x256/' "$k/kernel.chip"
awk '/noc_async_read_page\(i, &a/ { print "    if (i < 2) {" } { print } /noc_async_read_barrier/ { print "    }" }' "$k/reader.c" > "$work/whole" && mv "$work/whole" "$k/reader.c"
cat > "$k/writer.c" << 'PART'
#include "noc.h"
enum { CB_C = 16 };
#ifdef CHANGED
#define N 8
#else
#define N 1
#endif
void kernel_main(void) {
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i += N) {
    cb_wait_front(CB_C, N);
    cb_pop_front(CB_C, N);
  }
}
PART
cat > "$work/part" << 'PART'
#ifdef CHANGED
    cb_reserve_back(CB_C, 8);
    for (int r = 0; r < 8; r++) pack_tile(0, CB_C);
    cb_push_back(CB_C, 8);
#else
    for (int r = 0; r < 8; r++) {
      cb_reserve_back(CB_C, 1);
      pack_tile(0, CB_C);
      cb_push_back(CB_C, 1); /* here */
    }
#endif
PART
awk -v part="$work/part" '/cb_reserve_back/ { while ((getline line < part) > 0) print line; next } /pack_tile\(0|cb_push_back/ { next } { print }' "$k/compute.c" > "$work/whole" && mv "$work/whole" "$k/compute.c"
slow 'bound by the hand-over of single pages: TRISC2 counts pages of circular buffers in '
grep -q '; the rerun counts 8 at once on every core$' "$work/out"
ok "single_pushes: half of the buffer at once" $?
finish
