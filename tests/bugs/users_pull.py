"""Rows for users.py: polls by NoC reads. A tile fetches a word of another tile, or of DRAM, until it has the value that it waits for."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- the left tile fetches rounds of words which the right tile stores; the right one fetches the left one's count of rounds that are free ---

PULL = '''#include "noc.h"

enum { WORDS = 64, SLOTS = 2, ROUNDS = 6, DATA = 0x50000, READY = 0x58000, FREE = 0x58100, COPY = 0x59000, SEEN = 0x59800 };

static uint32_t fetch(uint32_t x, uint32_t address) {
  noc_async_read(get_noc_addr(x, my_y, address), SEEN, 4);
  noc_async_read_barrier();
  return tt_load(SEEN);
}
static void await(uint32_t x, uint32_t address, uint32_t count) {
  while (fetch(x, address) < count) {}
}
static void announce(uint32_t address, uint32_t count) { tt_store(address, count); }

static void make(uint32_t other) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t slot = DATA + i % SLOTS * 4 * WORDS;
    if (i >= SLOTS) await(other, FREE, i + 1 - SLOTS);
    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);
    announce(READY, i + 1);
  }
}

static uint32_t take(uint32_t other) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t slot = DATA + i % SLOTS * 4 * WORDS;
    await(other, READY, i + 1);
    noc_async_read(get_noc_addr(other, my_y, slot), COPY, 4 * WORDS);
    noc_async_read_barrier();
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(COPY + 4 * k);
    announce(FREE, i + 1);
  }
  return sum;
}

void kernel_main(void) {
  if (get_arg_val(0)) make(my_x - 1);
  else tt_store(get_arg_val(1), take(my_x + 1));
  noc_async_full_barrier();
}
'''
PULL_CHIP = '''grid 1-2,2
tensor S zero:1x16 int32 rows 1,2 0x80000
tensor F zero:2x128 int32 rows 1-2,2 0x58000
args reader col S
args writer col S
args compute col S
'''

# --- a ring: every tile takes the word of its left neighbour once that one has stored it, adds its own and stores it ---

RING = '''#include "noc.h"

enum { WORDS = 16, DATA = 0x50000, READY = 0x58000, COPY = 0x59000, SEEN = 0x59800 };

void kernel_main(void) {
  const uint32_t column = get_arg_val(0);
  if (column) {
    for (uint32_t go = 0; !go;) {
      noc_async_read(get_noc_addr(my_x - 1, my_y, READY), SEEN, 4);
      noc_async_read_barrier();
      go = *(volatile uint32_t *)SEEN;
    }
    noc_async_read(get_noc_addr(my_x - 1, my_y, DATA), COPY, 4 * WORDS);
    noc_async_read_barrier();
  }
  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, (column ? tt_load(COPY + 4 * k) : 0) + column + k);
  tt_store(READY, 1);
  noc_async_full_barrier();
}
'''
RING_CHIP = '''grid 1-4,2
tensor D zero:4x16 int32 rows 1-4,2 0x50000
tensor F zero:4x16 int32 rows 1-4,2 0x58000
args reader col
args writer col
args compute col
'''

FOLDERS = {
    'pull': {R: PULL, W: EMPTY, C: NOTHING, K: PULL_CHIP},
    'pullring': {R: RING, W: EMPTY, C: NOTHING, K: RING_CHIP},
}

AWAIT = '  while (fetch(x, address) < count) {}\n'
STORE = 'static void announce(uint32_t address, uint32_t count) { tt_store(address, count); }\n'
ADD = 'static void announce(uint32_t address, uint32_t count) {\n  (void)count;\n  noc_semaphore_inc(get_noc_addr(my_x, my_y, address), 1);\n}\n'
LOOP = '''  uint32_t turns = 0;
  do {
    noc_async_read(get_noc_addr(x, my_y, address), SEEN, 16);
    noc_async_read_barrier();
    turns++;
  } while (*(volatile uint32_t *)SEEN != count && turns < 1000000);
'''
FIRST = '    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);\n    announce(READY, i + 1);\n'
FENCED = FIRST.replace('    announce', '    l1_fence(slot + 4 * WORDS - 4);\n    announce')

BUGS = [
    ('pull', 'counts by increments without a fence', R, STORE, ADD),
    ('pull', 'fetches 32 bytes one round too early', R, 'SEEN, 4)', 'SEEN, 32)', R, 'await(other, READY, i + 1)', 'await(other, READY, i)'),
    ('pull', 'does not wait for the words', R, '    await(other, READY, i + 1);\n', ''),
    ('pull', 'waits for one round too few', R, 'await(other, READY, i + 1)', 'await(other, READY, i)'),
    ('pull', 'does not wait for a free slot', R, '    if (i >= SLOTS) await(other, FREE, i + 1 - SLOTS);\n', ''),
    ('pull', 'waits for a free slot one round too few', R, 'await(other, FREE, i + 1 - SLOTS)', 'await(other, FREE, i - SLOTS)'),
    ('pull', 'fetches the count once and goes on', R, AWAIT, '  (void)fetch(x, address), (void)count;\n'),
    ('pull', 'announces before the stores', R, FIRST, '    announce(READY, i + 1);\n    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);\n'),
    ('pull', 'looks before the read has ended', R, '    noc_async_read(get_noc_addr(other, my_y, slot), COPY, 4 * WORDS);\n    noc_async_read_barrier();\n', '    noc_async_read(get_noc_addr(other, my_y, slot), COPY, 4 * WORDS);\n'),
    ('pullring', 'does not wait', R, 'go = *(volatile uint32_t *)SEEN;', 'go = 1;'),
    ('pullring', 'announces before the stores', R, '  tt_store(READY, 1);\n', '', R, '  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA', '  tt_store(READY, 1);\n  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA'),
]

CORRECT = [
    ('pull', 'waits for the exact count', R, AWAIT, '  while (fetch(x, address) != count) {}\n', R, 'SLOTS = 2', 'SLOTS = 1'),
    ('pull', 'a loop with a limit', R, AWAIT, LOOP, R, 'SLOTS = 2', 'SLOTS = 1'),
    ('pull', 'counts by increments', R, STORE, ADD, R, FIRST, FENCED),
    ('pull', 'fetches 32 bytes', R, 'SEEN, 4)', 'SEEN, 32)'),
]
