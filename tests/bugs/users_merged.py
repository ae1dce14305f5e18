"""Rows for users.py: one load that carries the flags of several senders, queues that are looked at without waiting, locks of plain loads and stores, counts that cores and tiles increase."""
from users_atomics import amo

R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- three tiles send a row each and set a bit of one word; the first tile takes the rows as they come ---

LETTERS = '''#include "noc.h"

enum { TILES = 4, ROW = 256, STAGE = 0x50000, ROWS = 0x60000 };

static inline uint32_t bit_of(uint32_t k) { return 4 * k; }

static void send(const struct InterleavedAddrGen *a, uint32_t k, uint32_t seen) {
  noc_async_read_page(k, a, STAGE);
  noc_async_read_barrier();
  noc_async_write(STAGE, get_noc_addr(my_x - k, my_y, ROWS + ROW * k), ROW);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(my_x - k, my_y, seen), 1u << bit_of(k));
}

static void collect(const struct InterleavedAddrGen *c, uint32_t word) {
  uint32_t taken = 0;
  while (taken != (1u << TILES) - 2u) {
    uint32_t now = tt_load(word);
    for (uint32_t k = 1; k < TILES; k++) {
      if (taken >> k & 1u || !(now >> bit_of(k) & 1u)) continue;
      noc_async_write_page(k, c, ROWS + ROW * k);
      taken |= 1u << k;
    }
  }
}

void kernel_main(void) {
  const uint32_t column = get_arg_val(2);
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  if (column) send(&a, column, get_semaphore(3));
  else collect(&c, get_semaphore(3));
  noc_async_full_barrier();
}
'''
LETTERS_CHIP = '''grid 1-4,2
cycles 400000
tensor A random:4x64:1 int32 rows dram
tensor C zero:4x64     int32 rows dram
args reader A C col
args writer A C col
args compute A C col
'''
LATE = (R, '  uint32_t taken = 0;\n', '  uint32_t taken = 0;\n  for (uint32_t turn = 0; turn < 3000; turn++) __asm__ volatile("nop");\n')
BIT = '4 * k; }'
LOOP = LETTERS[LETTERS.index('    for (uint32_t k = 1; k < TILES; k++) {'):LETTERS.index('  }\n}\n\nvoid kernel_main')]
LOWEST = '''    now &= ~taken;
    if (!now) continue;
    uint32_t k = (uint32_t)__builtin_ctz(now) / 4;
    noc_async_write_page(k, c, ROWS + ROW * k);
    taken |= 1u << bit_of(k);
'''
SNAPSHOT = '''    uint32_t fresh = now & ~taken;
    if (fresh & 0x10) noc_async_write_page(1, c, ROWS + ROW);
    if (fresh & 0x100) noc_async_write_page(2, c, ROWS + 2 * ROW);
    if (fresh & 0x1000) noc_async_write_page(3, c, ROWS + 3 * ROW);
    taken = now;
'''
ALL_BITS = (R, '(1u << TILES) - 2u', '0x1110u')
EVERY = LOOP.replace('k = 1; k < TILES; k++', 'b = 0; b < 32; b++').replace('      if (', '      const uint32_t k = b / 8;\n      if (b % 8) continue;\n      if (')

# --- the same by cores of one tile, which set a byte each ---

CORES = '''
enum { WORDS = 24, DATA = 0x50000, WORD = 0x58000 };

static inline uint32_t part_at(uint32_t part) { return DATA + 4 * WORDS * part; }
'''
CORES_FILL = '''
static void fill(uint32_t part) {
  for (uint32_t k = 0; k < WORDS; k++) tt_store(part_at(part) + 4 * k, 100 * part + k);
  *(volatile uint8_t *)(WORD + part) = 1;
}
'''
CORES_TAKE = '#include "noc.h"\n' + CORES + '''
void kernel_main(void) {
  uint32_t taken = 0, out = get_arg_val(0);
  while (taken != 0x010101u) {
    uint32_t now = tt_load(WORD);
    for (uint32_t part = 0; part < 3; part++) {
      if (!(now & ~taken & 1u << 8 * part)) continue;
      for (uint32_t k = 0; k < WORDS; k++) tt_store(out + 4 * (WORDS * part + k), tt_load(part_at(part) + 4 * k));
      taken |= 1u << 8 * part;
    }
  }
}
'''
CORES_T = '#include "compute.h"\n' + CORES + CORES_FILL + '''
void kernel_main(void) {
#ifdef TRISC_UNPACK
  fill(0);
#elif defined TRISC_MATH
  fill(1);
#else
  fill(2);
#endif
}
'''
ONE = 'grid 1,2\ncycles 400000\ntensor S zero:4x64 int32 rows 1,2 0x80000\nargs reader S\nargs writer S\nargs compute S\n'
CORES_LATE = (R, '  uint32_t taken = 0, out', '  for (uint32_t turn = 0; turn < 3000; turn++) __asm__ volatile("nop");\n  uint32_t taken = 0, out')

# --- a queue: each side looks at the other's count and takes, or fills, as much as there is ---

QUEUE = '''#include "noc.h"

enum { SLOTS = 8, WORDS = 4, ITEMS = 20, QUEUE = 0x50000, FILLED = 0x58000, TAKEN = 0x58040 };

static inline uint32_t slot_at(uint32_t item) { return QUEUE + item % SLOTS * 4 * WORDS; }
#define l1_look() __asm__ volatile("fence" ::: "memory")
'''
QUEUE_R = QUEUE + '''
void kernel_main(void) {
  uint32_t item = 0;
  while (item < ITEMS) {
    l1_look();
    uint32_t room = SLOTS - (item - tt_load(TAKEN));
    if (room > ITEMS - item) room = ITEMS - item;
    for (; room; room--, item++)
      for (uint32_t k = 0; k < WORDS; k++) tt_store(slot_at(item) + 4 * k, 10 * item + k);
    tt_store(FILLED, item);
  }
}
'''
QUEUE_W = QUEUE + '''
void kernel_main(void) {
  uint32_t item = 0, out = get_arg_val(0), idle = 0;
  while (item < ITEMS) {
    l1_look();
    uint32_t filled = tt_load(FILLED);
    if (item == filled) {
      idle++;
      continue;
    }
    for (; item < filled; item++)
      for (uint32_t k = 0; k < WORDS; k++) tt_store(out + 4 * k, tt_load(slot_at(item) + 4 * k));
    tt_store(TAKEN, item);
  }
  tt_store(out + 64, idle);
}
'''
TAKE = QUEUE_W[QUEUE_W.index('    for (; item < filled'):QUEUE_W.index('    tt_store(TAKEN')]
FILL = QUEUE_R[QUEUE_R.index('    for (; room;'):QUEUE_R.index('    tt_store(FILLED')]
IDLE = QUEUE_W[QUEUE_W.index('    if (item == filled) {'):QUEUE_W.index('    for (; item')]
LONG = tuple(x for f in (R, W) for x in (f, 'WORDS = 4,', 'WORDS = 40,'))

# --- Peterson's lock around a counter ---

LOCK = '''#include "noc.h"

enum { ROUNDS = 6, WANTS = 0x58000, TURN = 0x58040 };
#define l1_look() __asm__ volatile("fence" ::: "memory")

static void enter(uint32_t me) {
  tt_store(WANTS + 16 * me, 1);
  tt_store(TURN, 1 - me);
  l1_fence(TURN);
  do l1_look();
  while (tt_load(WANTS + 16 * (1 - me)) && tt_load(TURN) == 1 - me);
  l1_look();
}

static void leave(uint32_t me) { tt_store(WANTS + 16 * me, 0); }

static void work(uint32_t sum, uint32_t me) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    enter(me);
    tt_store(sum, tt_load(sum) + 1);
    leave(me);
  }
}
'''
LOCK_R = LOCK + '\nvoid kernel_main(void) { work(get_arg_val(0), 0); }\n'
LOCK_W = LOCK + '\nvoid kernel_main(void) { work(get_arg_val(0), 1); }\n'
SPIN = '  do l1_look();\n  while (tt_load(WANTS + 16 * (1 - me)) && tt_load(TURN) == 1 - me);\n'

# --- a count that BRISC and T1 increase by atomics and another tile by the NoC; NCRISC waits for all of them ---

COUNT = '#include "HEADER.h"\n' + amo('amoadd') + '''
enum { WORDS = 16, ROUNDS = 3, DATA = 0x50000, STAGE = 0x54000, COUNT = 0x58000, ROUND = 0x58040 };

static inline uint32_t part_at(uint32_t part) { return DATA + 4 * WORDS * part; }

static inline void fill(uint32_t part) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    while (tt_load(ROUND) != round) {}
    for (uint32_t k = 0; k < WORDS; k++) tt_store(part_at(part) + 4 * k, 100 * part + k + round);
    amoadd(COUNT, 1);
  }
}
'''
COUNT_R = COUNT.replace('HEADER', 'noc') + '''
static void send(uint32_t round) {
  for (uint32_t k = 0; k < WORDS; k++) tt_store(STAGE + 4 * k, 300 + k + round);
  l1_fence(STAGE + 4 * WORDS - 4);
  noc_async_write(STAGE, get_noc_addr(my_x - 1, my_y, part_at(2)), 4 * WORDS);
  noc_async_write_barrier();
  noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, COUNT), 1);
  noc_async_atomic_barrier();
}

static void collect(uint32_t round, uint32_t out) {
  uint32_t sum = 0;
  while (tt_load(COUNT) < 3 * (round + 1)) {}
  for (uint32_t k = 0; k < 3 * WORDS; k++) sum += tt_load(DATA + 4 * k);
  tt_store(out + 4 * round, sum);
  tt_store(ROUND, round + 1);
  l1_fence(ROUND);
  noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, ROUND), 1);
}

void kernel_main(void) {
  for (uint32_t round = 0; round < ROUNDS; round++) {
    if (get_arg_val(1)) {
      while (tt_load(ROUND) != round) {}
      send(round);
    } else {
      collect(round, get_arg_val(0));
    }
  }
  noc_async_full_barrier();
}
'''
COUNT_W = COUNT.replace('HEADER', 'noc') + 'void kernel_main(void) {\n  if (!get_arg_val(1)) fill(0);\n}\n'
COUNT_T = COUNT.replace('HEADER', 'compute') + '''void kernel_main(void) {
#ifdef TRISC_MATH
  if (!get_arg_val(1)) fill(1);
#endif
}
'''
COUNT_CHIP = '''grid 1-2,2
cycles 400000
tensor S zero:1x64 int32 rows 1,2 0x80000
args reader S col
args writer S col
args compute S col
'''
ALL_THREE = '  while (tt_load(COUNT) < 3 * (round + 1)) {}\n'

# --- orders of four words in a queue: the first word of an order decides a branch, and is no flag ---

ORDERS = '''#include "noc.h"

enum { ORDERS = 6, QUEUE = 0x50000, GIVEN = 0x58000, ADD = 1, PUT = 2 };
'''
ORDERS_R = ORDERS + '''
void kernel_main(void) {
  for (uint32_t i = 0; i < ORDERS; i++) {
    uint32_t at = QUEUE + 16 * i;
    tt_store(at, i & 1 ? ADD : PUT), tt_store(at + 4, get_arg_val(0)), tt_store(at + 8, i), tt_store(at + 12, 7);
    tt_store(GIVEN, i + 1);
  }
}
'''
ORDERS_W = ORDERS + '''
void kernel_main(void) {
  for (uint32_t i = 0; i < ORDERS; i++) {
    while (tt_load(GIVEN) <= i) {}
    uint32_t at = QUEUE + 16 * i, what = tt_load(at), to = tt_load(at + 4), value = tt_load(at + 8) * tt_load(at + 12);
    if (what == ADD) tt_store(to, tt_load(to) + value);
    else if (what == PUT) tt_store(to, value);
  }
}
'''
GIVE = '    tt_store(GIVEN, i + 1);\n'

FOLDERS = {
    'orders': {R: ORDERS_R, W: ORDERS_W, C: NOTHING, K: ONE},
    'jointcount': {R: COUNT_R, W: COUNT_W, C: COUNT_T, K: COUNT_CHIP},
    'letters': {R: LETTERS, W: EMPTY, C: NOTHING, K: LETTERS_CHIP},
    'bytewise': {R: CORES_TAKE, W: EMPTY, C: CORES_T, K: ONE},
    'tryqueue': {R: QUEUE_R, W: QUEUE_W, C: NOTHING, K: ONE},
    'peterson': {R: LOCK_R, W: LOCK_W, C: NOTHING, K: ONE},
}

BUGS = [
    ('orders', 'counts before it writes the order', R, GIVE, '', R, '    uint32_t at', GIVE + '    uint32_t at'),
    ('orders', 'does not wait for the order', W, '    while (tt_load(GIVEN) <= i) {}\n', ''),
    ('jointcount', 'does not wait for the last of the three', R, ALL_THREE, '  while (tt_load(COUNT) < 3 * (round + 1) - 1) {}\n'),
    ('jointcount', 'waits for one of them', R, ALL_THREE, '  while (tt_load(COUNT) < 3 * round + 1) {}\n'),
    ('jointcount', 'does not wait', R, ALL_THREE, ''),
    ('jointcount', 'counts before the row has arrived', R, '  noc_async_write_barrier();\n  noc_semaphore_inc', '  noc_semaphore_inc'),
    ('jointcount', 'a core counts before it fills', W, '    for (uint32_t k = 0; k < WORDS; k++) tt_store(part_at(part) + 4 * k, 100 * part + k + round);\n    amoadd(COUNT, 1);\n', '    amoadd(COUNT, 1);\n    for (uint32_t k = 0; k < WORDS; k++) tt_store(part_at(part) + 4 * k, 100 * part + k + round);\n'),
    ('jointcount', 'the next round begins before the parts are read', R, '  tt_store(ROUND, round + 1);\n', '', R, ALL_THREE, ALL_THREE + '  tt_store(ROUND, round + 1);\n'),
    ('letters', 'any bit will do', R, ' || !(now >> bit_of(k) & 1u)', ' || !now'),
    ('letters', 'any bit will do, and all are set before the first look', R, ' || !(now >> bit_of(k) & 1u)', ' || !now', *LATE),
    ('letters', 'the bit of the row before', R, '!(now >> bit_of(k) & 1u)', '!(now >> bit_of(k == 1 ? 3 : k - 1) & 1u)'),
    ('letters', 'the bit is set before the row has arrived', R, '  noc_async_write_barrier();\n  noc_semaphore_inc', '  noc_semaphore_inc'),
    ('letters', 'the lowest bit, and takes the next row', R, LOOP, LOWEST.replace('ROWS + ROW * k);', 'ROWS + ROW * (k % 3 + 1));'), *ALL_BITS, *LATE),
    ('letters', 'takes a row of its snapshot with another bit', R, LOOP, SNAPSHOT.replace('fresh & 0x100)', 'fresh & 0x10)'), *ALL_BITS),
    ('bytewise', 'any byte will do', R, '(now & ~taken & 1u << 8 * part)', 'now'),
    ('bytewise', 'the byte of the part before', R, '(now & ~taken & 1u << 8 * part)', '(now & 1u << 8 * (part == 0 ? 2 : part - 1))'),
    ('bytewise', 'sets the byte first', C, '  for (uint32_t k = 0; k < WORDS; k++) tt_store', '  *(volatile uint8_t *)(WORD + part) = 1;\n  for (uint32_t k = 0; k < WORDS; k++) tt_store'),
    ('tryqueue', 'takes one more than there is', W, 'item < filled; item++', 'item <= filled && item < ITEMS; item++', W, IDLE, ''),
    ('tryqueue', 'counts before it fills', R, FILL + '    tt_store(FILLED, item);\n', '    tt_store(FILLED, item + room);\n' + FILL),
    ('tryqueue', 'counts before it takes', W, TAKE + '    tt_store(TAKEN, item);\n', '    tt_store(TAKEN, filled);\n' + TAKE),
    ('tryqueue', 'does not look whether there is room', R, 'SLOTS - (item - tt_load(TAKEN))', '2'),
    ('tryqueue', 'does not look whether something has come', W, 'tt_load(FILLED)', 'item + 1'),
    ('peterson', 'does not wait', R, SPIN, ''),
    ('peterson', 'reads the sum before it has the lock', R, '    enter(me);\n    tt_store(sum, tt_load(sum) + 1);\n', '    uint32_t before = tt_load(sum);\n    enter(me);\n    tt_store(sum, before + 1);\n'),
]

CORRECT = [
    ('jointcount', 'exactly', R, ALL_THREE, '  while (tt_load(COUNT) != 3 * (round + 1)) {}\n'),
    ('jointcount', 'polls by an atomic', R, ALL_THREE, '  while (amoadd(COUNT, 0) != 3 * (round + 1)) {}\n'),
    ('jointcount', 'the tile comes late', R, '      send(round);\n', '      for (uint32_t turn = 0; turn < 600; turn++) __asm__ volatile("nop");\n      send(round);\n'),
    ('jointcount', 'the cores come late', W, '    amoadd(COUNT, 1);\n', '    for (uint32_t turn = 0; turn < 600; turn++) __asm__ volatile("nop");\n    amoadd(COUNT, 1);\n', C, '    amoadd(COUNT, 1);\n', '    for (uint32_t turn = 0; turn < 900; turn++) __asm__ volatile("nop");\n    amoadd(COUNT, 1);\n'),
    ('jointcount', 'waits in two steps', R, ALL_THREE, '  while (tt_load(COUNT) < 3 * round + 1) {}\n' + ALL_THREE),
    ('letters', 'all bits are set before the first look', *LATE),
    ('letters', 'the lowest bit', R, LOOP, LOWEST, *ALL_BITS),
    ('letters', 'the lowest bit of all', R, LOOP, LOWEST, *ALL_BITS, *LATE),
    ('letters', 'a snapshot', R, LOOP, SNAPSHOT, *ALL_BITS),
    ('letters', 'a snapshot of all', R, LOOP, SNAPSHOT, *ALL_BITS, *LATE),
    ('letters', 'bytes', R, BIT, '8 * (k - 1); }', *LATE),
    ('letters', 'bits of the upper half', R, BIT, '8 * k; }', *LATE),
    ('letters', 'a loop over all bits', R, BIT, '8 * k; }', R, LOOP, EVERY, *LATE),
    ('letters', 'from the last row on', R, 'k = 1; k < TILES; k++', 'k = TILES; --k > 0;', *LATE),
    ('bytewise', 'all bytes are set before the first look', *CORES_LATE),
    ('bytewise', 'from the last byte on', R, 'part = 0; part < 3; part++', 'part = 3; part-- > 0;', *CORES_LATE),
    ('tryqueue', 'counts only what it has filled', R, '    tt_store(FILLED, item);\n', '    if (item != tt_load(FILLED)) tt_store(FILLED, item);\n'),
    ('tryqueue', 'takes nothing in a turn without items', W, IDLE, ''),
    ('tryqueue', 'takes at most three', W, '    for (; item < filled', '    if (filled > item + 3) filled = item + 3;\n    for (; item < filled'),
    ('tryqueue', 'waits for room', R, 'uint32_t room = SLOTS - (item - tt_load(TAKEN));', 'uint32_t room = 1;\n    while (item - tt_load(TAKEN) >= SLOTS) l1_look();'),
    ('tryqueue', 'long items', *LONG),
    ('tryqueue', 'long items, at most two at once', *LONG, W, '    for (; item < filled', '    if (filled > item + 2) filled = item + 2;\n    for (; item < filled'),
    ('tryqueue', 'a late consumer', W, '  uint32_t item = 0, out', '  for (uint32_t turn = 0; turn < 3000; turn++) __asm__ volatile("nop");\n  uint32_t item = 0, out'),
    ('tryqueue', 'a late consumer of long items', *LONG, W, '  uint32_t item = 0, out', '  for (uint32_t turn = 0; turn < 3000; turn++) __asm__ volatile("nop");\n  uint32_t item = 0, out'),
    ('peterson', 'the wait as a loop over both words', R, SPIN, '  for (;;) {\n    l1_look();\n    if (!tt_load(WANTS + 16 * (1 - me))) break;\n    if (tt_load(TURN) != 1 - me) break;\n  }\n'),
    ('peterson', 'one core comes late', R, '{ work(', '{\n  for (uint32_t turn = 0; turn < 400; turn++) __asm__ volatile("nop");\n  work('),
]
