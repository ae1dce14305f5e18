"""Rows for users.py: polls by NoC reads of whole lines and blocks, of the core's own tile, of DRAM; polls that find more than they wait for."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- the right tile fills slots and counts them in a line of its L1; the left one fetches the line ---

LINE = '''#include "noc.h"

enum { WORDS = 80, SLOTS = 4, ROUNDS = 8, BYTES = 64, DATA = 0x50000, LINE = 0x58000, FREE = 0x58400, COPY = 0x59000, SEEN = 0x5A000 };

static void pause(uint32_t turns) {
  for (volatile uint32_t k = 0; k < turns; k++) {}
}

static void make(void) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t slot = DATA + i % SLOTS * 4 * WORDS;
    if (i >= SLOTS) noc_semaphore_wait_min(FREE, i + 1 - SLOTS);
    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);
    tt_store(LINE + 12, i + 1);
  }
}

static uint32_t take(uint32_t other) {
  uint32_t sum = 0;
  pause(get_arg_val(2));
  for (uint32_t i = 0; i < ROUNDS; i++) {
    do {
      noc_async_read(get_noc_addr(other, my_y, LINE), SEEN, BYTES);
      noc_async_read_barrier();
    } while (tt_load(SEEN + 12) < i + 1);
    noc_async_read(get_noc_addr(other, my_y, DATA + i % SLOTS * 4 * WORDS), COPY, 4 * WORDS);
    noc_async_read_barrier();
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(COPY + 4 * k);
    noc_semaphore_inc(get_noc_addr(other, my_y, FREE), 1);
  }
  return sum;
}

void kernel_main(void) {
  if (get_arg_val(0)) make();
  else tt_store(get_arg_val(1), take(my_x + 1));
  noc_async_full_barrier();
}
'''
LINE_CHIP = '''grid 1-2,2
tensor S zero:1x16 int32 rows 1,2 0x80000
tensor F zero:2x512 int32 rows 1-2,2 0x58000
args reader col S 3000
args writer col S 3000
args compute col S 3000
'''
LATE = 'tt_load(SEEN + 12) < i + 1'
TAKE = '''  for (uint32_t i = 0; i < ROUNDS;) {
    noc_async_read(get_noc_addr(other, my_y, LINE), SEEN, BYTES);
    noc_async_read_barrier();
    uint32_t have = tt_load(SEEN + 12) - i;
    for (uint32_t k = 0; k < have; k++) noc_async_read(get_noc_addr(other, my_y, DATA + (i + k) % SLOTS * 4 * WORDS), COPY + 4 * WORDS * k, 4 * WORDS);
    noc_async_read_barrier();
    for (uint32_t k = 0; k < have * WORDS; k++) sum += tt_load(COPY + 4 * k);
    if (have) noc_semaphore_inc(get_noc_addr(other, my_y, FREE), have);
    i += have;
  }
'''
OLD_TAKE = LINE[LINE.index('  for (uint32_t i = 0; i < ROUNDS; i++) {\n    do'):LINE.index('  return sum')]

# --- BRISC fills slots and NCRISC of the same tile fetches the count over the NoC ---

SELF = '''#include "noc.h"

enum { WORDS = 80, ROUNDS = 6, DATA = 0x50000, COUNT = 0x58000, SEEN = 0x59000 };

void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    do {
      noc_async_read(get_noc_addr(my_x, my_y, COUNT), SEEN, 16);
      noc_async_read_barrier();
    } while (tt_load(SEEN) < i + 1);
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(DATA + 4 * (i * WORDS + k));
  }
  tt_store(get_arg_val(0), sum);
}
'''
SELF_FILL = '''#include "noc.h"

enum { WORDS = 80, ROUNDS = 6, DATA = 0x50000, COUNT = 0x58000 };

static void announce(uint32_t count) { tt_store(COUNT, count); }

void kernel_main(void) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * (i * WORDS + k), i + k);
    announce(i + 1);
  }
  noc_async_full_barrier();
}
'''
SELF_CHIP = '''grid 1,2
tensor S zero:1x16 int32 rows 1,2 0x80000
tensor F zero:1x512 int32 rows 1,2 0x58000
args reader S
args writer S
args compute S
'''
STORE = 'static void announce(uint32_t count) { tt_store(COUNT, count); }\n'
ADD = 'static void announce(uint32_t count) {\n  (void)count;\n  noc_semaphore_inc(get_noc_addr(my_x, my_y, COUNT), 1);\n}\n'
FENCED = ('    announce(i + 1);\n', '    l1_fence(DATA + 4 * (i * WORDS + WORDS - 1));\n    announce(i + 1);\n')

# --- four tiles meet at the first: each adds one to a word there, each, the first too, fetches the word ---

MEET = '''#include "noc.h"

enum { WORDS = 80, MINE = 0x50000, COUNT = 0x58000, COPY = 0x59000, SEEN = 0x5A000 };

void kernel_main(void) {
  uint32_t column = get_arg_val(0), columns = get_arg_val(1), sum = 0, next = 1 + (column + 1) % columns;
  for (uint32_t k = 0; k < WORDS; k++) tt_store(MINE + 4 * k, 100 * column + k);
  l1_fence(MINE + 4 * WORDS - 4);
  noc_semaphore_inc(get_noc_addr(1, my_y, COUNT), 1);
  do {
    noc_async_read(get_noc_addr(1, my_y, COUNT), SEEN, 64);
    noc_async_read_barrier();
  } while (tt_load(SEEN) < columns);
  noc_async_read(get_noc_addr(next, my_y, MINE), COPY, 4 * WORDS);
  noc_async_read_barrier();
  for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(COPY + 4 * k);
  tt_store(get_arg_val(2), sum);
  noc_async_full_barrier();
}
'''
MEET_CHIP = '''grid 1-4,2
tensor S zero:4x16 int32 rows 1-4,2 0x80000
tensor F zero:4x512 int32 rows 1-4,2 0x58000
args reader col cols S
args writer col cols S
args compute col cols S
'''
# each tile stores into a word of its own of a line at the first tile
EACH = ('  noc_semaphore_inc(get_noc_addr(1, my_y, COUNT), 1);\n', '  tt_store(SEEN + 256 + 4 * column, 1);\n  l1_fence(SEEN + 256 + 4 * column);\n  noc_async_write(SEEN + 256 + 4 * column, get_noc_addr(1, my_y, COUNT + 4 * column), 4);\n')
EACH_WAIT = ('  do {\n    noc_async_read(get_noc_addr(1, my_y, COUNT), SEEN, 64);\n    noc_async_read_barrier();\n  } while (tt_load(SEEN) < columns);\n', '''  for (uint32_t all = 0; !all;) {
    noc_async_read(get_noc_addr(1, my_y, COUNT), SEEN, 64);
    noc_async_read_barrier();
    all = 1;
    for (uint32_t t = 0; t < columns; t++)
      if (!tt_load(SEEN + 4 * t)) all = 0;
  }
''')

# --- two tiles, the pages and the count of them in DRAM ---

MEMORY = '''#include "noc.h"

enum { STAGE = 0x60000, LINE = 0x70000, BYTES = 64 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), 2048}, d = {get_arg_val(1), 2048}, c = {get_arg_val(3), 2048};
  uint64_t flag = get_dram_noc_addr(0, get_arg_val(2));
  uint32_t pages = get_arg_val(4);
  if (get_arg_val(5) == 0) {
    for (uint32_t at = 0; at < BYTES; at += 4) tt_store(LINE + at, 0);
    for (uint32_t i = 0; i < pages; i++) {
      noc_async_read_page(i, &a, STAGE);
      noc_async_read_barrier();
      noc_async_write_page(i, &d, STAGE);
      noc_async_write_barrier();
      tt_store(LINE + 8, i + 1);
      l1_fence(LINE + 8);
      noc_async_write(LINE, flag, BYTES);
      noc_async_write_barrier();
    }
  } else {
    for (volatile uint32_t k = 0; k < get_arg_val(6); k++) {}
    for (uint32_t i = 0; i < pages; i++) {
      do {
        noc_async_read(flag, LINE, BYTES);
        noc_async_read_barrier();
      } while (tt_load(LINE + 8) < i + 1);
      noc_async_read_page(i, &d, STAGE);
      noc_async_read_barrier();
      noc_async_write_page(i, &c, STAGE);
      noc_async_writes_flushed();
    }
    noc_async_write_barrier();
  }
}
'''
MEMORY_CHIP = '''grid 1-2,2
tensor A random:64x128:1 bf16 tiles dram
tensor Z zero:64x128 bf16 tiles dram
tensor D zero:64x128 bf16 tiles dram
tensor F zero:1x64 int32 rows dram:0
tensor C zero:64x128 bf16 tiles dram
args reader A D F C A.pages col 900
expect C sum A Z 0
'''
SHORT = (K, '1x64', '1x16')

FOLDERS = {
    'fetchline': {R: LINE, W: EMPTY, C: NOTHING, K: LINE_CHIP},
    'fetchown': {R: SELF, W: SELF_FILL, C: NOTHING, K: SELF_CHIP},
    'fetchmeet': {R: MEET, W: EMPTY, C: NOTHING, K: MEET_CHIP},
    'fetchdram': {R: MEMORY, W: EMPTY, C: NOTHING, K: MEMORY_CHIP},
}

SLOW = (K, ' 3000', ' 30')
SEVENTH = 'tt_load(SEEN + 12) < i'
SOON = 'tt_load(LINE + 8) < i'
BUGS = [
    ('fetchline', 'waits for one round too few, and finds more', R, LATE, SEVENTH),
    ('fetchline', 'waits for one round too few', R, LATE, SEVENTH, *SLOW),
    ('fetchline', 'waits for one round too few in a block', R, LATE, SEVENTH, R, 'BYTES = 64', 'BYTES = 256'),
    ('fetchline', 'counts a round before its words', R, 'tt_store(LINE + 12, i + 1)', 'tt_store(LINE + 12, i + 2)', R, 'ROUNDS = 8', 'ROUNDS = 4'),
    ('fetchline', 'takes one round more than there are', R, OLD_TAKE, TAKE.replace('- i;', '- i + 1;').replace('i < ROUNDS;)', 'i + 1 < ROUNDS;)'), *SLOW),
    ('fetchline', 'frees the slot first', R, '    noc_async_read_barrier();\n    for (uint32_t k = 0; k < WORDS; k++) sum', '    noc_semaphore_inc(get_noc_addr(other, my_y, FREE), 1);\n    noc_async_read_barrier();\n    for (uint32_t k = 0; k < WORDS; k++) sum', R, '    noc_semaphore_inc(get_noc_addr(other, my_y, FREE), 1);\n  }\n  return', '  }\n  return'),
    ('fetchline', 'does not wait for a slot', R, '    if (i >= SLOTS) noc_semaphore_wait_min(FREE, i + 1 - SLOTS);\n', ''),
    ('fetchown', 'waits for one round too few', R, 'tt_load(SEEN) < i + 1', 'tt_load(SEEN) < i'),
    ('fetchown', 'fetches the count and does not compare it', R, '    do {\n', '    {\n', R, '    } while (tt_load(SEEN) < i + 1);\n', '      sum += tt_load(SEEN) & 0;\n    }\n'),
    ('fetchown', 'counts before the words', W, '    announce(i + 1);\n', '', W, '    for (uint32_t k', '    announce(i + 1);\n    for (uint32_t k'),
    ('fetchown', 'counts by increments without a fence', W, STORE, ADD),
    ('fetchmeet', 'waits for all but one', R, '< columns)', '+ 1 < columns)'),
    ('fetchmeet', 'adds first and stores then', R, '  noc_semaphore_inc(get_noc_addr(1, my_y, COUNT), 1);\n', '', R, '  for (uint32_t k = 0; k < WORDS; k++) tt_store', '  noc_semaphore_inc(get_noc_addr(1, my_y, COUNT), 1);\n  for (uint32_t k = 0; k < WORDS; k++) tt_store'),
    ('fetchmeet', 'each a word of its own, and waits for all but one', R, *EACH, R, *EACH_WAIT, R, 't = 0; t < columns', 't = 1; t < columns'),
    ('fetchdram', 'waits for one page too few, and finds more', R, 'tt_load(LINE + 8) < i + 1', SOON),
    ('fetchdram', 'waits for one page too few', R, 'tt_load(LINE + 8) < i + 1', SOON, K, ' 900', ' 1'),
    ('fetchdram', 'waits for one page too few in 16 bytes', R, 'tt_load(LINE + 8) < i + 1', SOON, R, 'BYTES = 64', 'BYTES = 16'),
    ('fetchdram', 'counts a page too early', R, 'tt_store(LINE + 8, i + 1)', 'tt_store(LINE + 8, i + 2)'),
    ('fetchdram', 'the flag follows a flush', R, '      noc_async_write_page(i, &d, STAGE);\n      noc_async_write_barrier();\n', '      noc_async_write_page(i, &d, STAGE);\n      noc_async_writes_flushed();\n'),
    ('fetchdram', 'fetches the line and does not compare it', R, '      do {\n', '      {\n', R, '      } while (tt_load(LINE + 8) < i + 1);\n', '      }\n'),
]

CORRECT = [
    ('fetchline', 'at once', *SLOW),
    ('fetchline', 'four words', R, 'BYTES = 64', 'BYTES = 16'),
    ('fetchline', 'a block of 128 bytes', R, 'BYTES = 64', 'BYTES = 128', *SLOW),
    ('fetchline', 'a block of 256 bytes', R, 'BYTES = 64', 'BYTES = 256'),
    ('fetchline', 'takes as many as there are', R, OLD_TAKE, TAKE),
    ('fetchline', 'takes as many as there are, at once', R, OLD_TAKE, TAKE, *SLOW),
    ('fetchline', 'waits for the count of the last round', R, 'SLOTS = 4', 'SLOTS = 8', R, LATE, 'tt_load(SEEN + 12) < ROUNDS'),
    ('fetchline', 'the line is cleared first', R, 'static void make(void) {\n', 'static void make(void) {\n  for (uint32_t at = 0; at < 64; at += 4) tt_store(LINE + at, 0);\n', *SLOW),
    ('fetchown', 'a line', R, 'SEEN, 16)', 'SEEN, 64)'),
    ('fetchown', 'waits for all', R, '< i + 1', '< ROUNDS'),
    ('fetchown', 'counts by increments', W, STORE, ADD, W, *FENCED),
    ('fetchmeet', 'exactly all', R, '< columns', '!= columns'),
    ('fetchmeet', '16 bytes', R, 'SEEN, 64', 'SEEN, 16'),
    ('fetchmeet', 'each a word of its own', R, *EACH, R, *EACH_WAIT),
    ('fetchdram', 'at once', K, ' 900', ' 1'),
    ('fetchdram', '16 bytes', R, 'BYTES = 64', 'BYTES = 16'),
    ('fetchdram', '128 bytes', R, 'BYTES = 64', 'BYTES = 128'),
    ('fetchdram', 'waits for all pages', R, 'tt_load(LINE + 8) < i + 1', 'tt_load(LINE + 8) < pages'),
]
