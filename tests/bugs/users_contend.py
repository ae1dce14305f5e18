"""Rows for users.py: semaphores that a tile decrements by NoC requests to itself, words that two cores store."""

R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- counting semaphores over two tiles: the tile that takes one decrements the word of its own tile ---

TAKE = '''#include "noc.h"

enum { ROW = 512, DEPTH = 3, STAGE = 0x50000, SLOTS = 0x60000 };

static void take(uint32_t semaphore) {
  noc_semaphore_wait_min(semaphore, 1);
  noc_semaphore_inc(get_noc_addr(my_x, my_y, semaphore), (uint32_t)-1);
  noc_async_atomic_barrier();
}

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  const uint32_t column = get_arg_val(2), rows = get_arg_val(3), full = get_semaphore(0), empty = get_semaphore(1);
  if (column) noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, empty), DEPTH);
  for (uint32_t i = 0; i < rows; i++) {
    uint32_t slot = SLOTS + i % DEPTH * ROW;
    if (!column) {
      noc_async_read_page(i, &a, STAGE);
      noc_async_read_barrier();
      take(empty);
      noc_async_write(STAGE, get_noc_addr(my_x + 1, my_y, slot), ROW);
      noc_async_write_barrier();
      noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, full), 1);
    } else {
      take(full);
      noc_async_write_page(i, &c, slot);
      noc_async_writes_flushed();
      noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, empty), 1);
    }
  }
  noc_async_full_barrier();
}
'''
TAKE_CHIP = '''grid 1-2,3
cycles 400000
tensor A random:9x128:1 int32 rows dram
tensor Z zero:9x128     int32 rows dram
tensor C zero:9x128     int32 rows dram
args reader A C col A.pages
expect C sum A Z 0
'''
BARRIER = '  noc_async_atomic_barrier();\n'

# --- the tiles of a row meet at a word of each tile, which also its own core increments ---

MEET = '''#include "noc.h"

enum { TILES = 3, OUT = 0x50000 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), 64};
  const uint32_t column = get_arg_val(1), count = get_semaphore(0);
  for (uint32_t round = 1; round <= 4; round++) {
    for (uint32_t x = 0; x < TILES; x++) noc_semaphore_inc(get_noc_addr(my_x - column + x, my_y, count), 1);
    noc_semaphore_wait_min(count, round * TILES);
  }
  for (uint32_t k = 0; k < 64; k += 4) tt_store(OUT + k, 4 * TILES);
  l1_fence(OUT + 60);
  noc_async_write_page(column, &c, OUT);
  noc_async_full_barrier();
}
'''
MEET_CHIP = '''grid 1-3,2
cycles 400000
tensor C zero:3x16 int32 rows dram
args reader C col
'''

# --- BRISC leaves the address of half a page in a word; NCRISC sends that half and clears the word ---

HALVES_C = '''#include "compute.h"

void kernel_main(void) {
  unary_op_init(0, 16);
  copy_tile_init(0);
  for (uint32_t i = 0, tiles = get_arg_val(0); i < tiles; i++) {
    cb_wait_front(0, 1);
    tile_regs_acquire();
    copy_tile(0, 0, 0);
    tile_regs_commit();
    cb_pop_front(0, 1);
    cb_reserve_back(16, 1);
    tile_regs_wait();
    pack_tile(0, 16);
    tile_regs_release();
    cb_push_back(16, 1);
  }
}
'''
HALVES_R = '''#include "noc.h"

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), get_tile_size(0)}, c = {get_arg_val(1), get_tile_size(16)};
  for (uint32_t tiles = get_arg_val(2), in = 0, out = 0; out < tiles;) {
    if (in < tiles && in <= out + 1) {
      cb_reserve_back(0, 1);
      noc_async_read_page(in++, &a, get_write_ptr(0));
      noc_async_read_barrier();
      cb_push_back(0, 1);
    }
    uint32_t from = tt_load(get_semaphore(9));
    if (!from) continue;
    noc_async_write(from, get_interleaved_noc_addr(&c, out++) + 1024, 1024);
    noc_async_writes_flushed();
    tt_store(get_semaphore(9), 0);
  }
  noc_async_full_barrier();
}
'''
HALVES_W = '''#include "noc.h"

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), get_tile_size(16)};
  for (uint32_t i = 0, tiles = get_arg_val(1); i < tiles; i++) {
    cb_wait_front(16, 1);
    tt_store(get_semaphore(9), get_read_ptr(16) + 1024);
    noc_async_write(get_read_ptr(16), get_interleaved_noc_addr(&c, i), 1024);
    noc_async_writes_flushed();
    while (tt_load(get_semaphore(9)) != 0) {}
    cb_pop_front(16, 1);
  }
  noc_async_full_barrier();
}
'''
HALVES_CHIP = '''grid 1,2
cycles 400000
tensor A random:32x160:1 bf16 tiles dram
tensor Z zero:32x160     bf16 tiles dram
tensor C zero:32x160     bf16 tiles dram
buffer 0  1 A
buffer 16 2 C
args reader A C A.pages
args compute A.pages
args writer C C.pages
expect C sum A Z 0.01
'''
CLEARED = '    while (tt_load(get_semaphore(9)) != 0) {}\n'

# --- a bell: the core that is called clears it before it looks for work, and the other one rings without waiting ---

BELL_R = '''#include "noc.h"

enum { BELL = 9, DONE = 10, ROWS = 0x50000, ROW = 64 };

void kernel_main(void) {
  for (uint32_t i = 0, rows = get_arg_val(0); i < rows; i++) {
    for (uint32_t k = 0; k < ROW; k += 4) tt_store(ROWS + i * ROW + k, 100 * i + k);
    tt_store(get_semaphore(DONE), i + 1);
    tt_store(get_semaphore(BELL), 1);
  }
}
'''
BELL_W = '''#include "noc.h"

enum { BELL = 9, DONE = 10, ROWS = 0x50000, ROW = 64 };

void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), ROW};
  for (uint32_t i = 0, rows = get_arg_val(1); i < rows;) {
    while (tt_load(get_semaphore(BELL)) == 0) {}
    tt_store(get_semaphore(BELL), 0);
    for (uint32_t done = tt_load(get_semaphore(DONE)); i < done; i++) noc_async_write_page(i, &c, ROWS + i * ROW);
  }
  noc_async_full_barrier();
}
'''
BELL_CHIP = '''grid 1,2
cycles 400000
tensor C zero:8x16 int32 rows dram
args reader C.pages
args writer C C.pages
'''

FOLDERS = {
    'take': {R: TAKE, W: EMPTY, C: NOTHING, K: TAKE_CHIP},
    'meetown': {R: MEET, W: EMPTY, C: NOTHING, K: MEET_CHIP},
    'handover': {R: HALVES_R, W: HALVES_W, C: HALVES_C, K: HALVES_CHIP},
    'bell': {R: BELL_R, W: BELL_W, C: NOTHING, K: BELL_CHIP},
}

BUGS = [
    ('take', 'the core does not wait for its own decrement', R, BARRIER, ''),
    ('meetown', 'stores the count before its own increment is known to be in it', R, 'tt_store(OUT + k, 4 * TILES)', 'tt_store(OUT + k, tt_load(count))', R, '    noc_semaphore_wait_min(count, round * TILES);\n', '    if (column > TILES) noc_semaphore_wait_min(count, round * TILES);\n'),
    ('handover', 'BRISC does not wait until the word is cleared', W, CLEARED, ''),
]

CORRECT = [
    ('take', 'waits for all requests', R, BARRIER, '  noc_async_full_barrier();\n'),
    ('take', 'waits at the next turn', R, BARRIER, '', R, '  noc_semaphore_wait_min(semaphore, 1);\n', '  noc_async_atomic_barrier();\n  noc_semaphore_wait_min(semaphore, 1);\n'),
    ('meetown', 'stores the count', R, 'tt_store(OUT + k, 4 * TILES)', 'tt_store(OUT + k, tt_load(count))'),
    ('meetown', 'waits for the exact count', R, '    noc_semaphore_wait_min(count, round * TILES);\n', '    if (round == 4) noc_semaphore_wait(count, round * TILES);\n    else noc_semaphore_wait_min(count, round * TILES);\n'),
    ('meetown', 'looks at the count in a loop with a pause', R, '    noc_semaphore_wait_min(count, round * TILES);\n', '    while (tt_load(count) < round * TILES)\n      for (uint32_t k = 0; k < 20; k++) __asm__ volatile("nop");\n'),
    ('handover', 'waits before the next word', W, CLEARED, '', W, '    tt_store(get_semaphore(9), get_read_ptr(16) + 1024);\n', CLEARED + '    if (i) cb_pop_front(16, 1), cb_wait_front(16, 1);\n    tt_store(get_semaphore(9), get_read_ptr(16) + 1024);\n', W, '    cb_pop_front(16, 1);\n  }\n', '  }\n' + CLEARED + '  cb_pop_front(16, 1);\n'),
]
