"""Rows for users.py: flags that a core looks at without waiting for each one, and flags that share a word."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- BRISC and the T cores fill a part each and set a flag each; NCRISC takes the parts as they come ---

PARTS = '''
enum { PARTS = 4, WORDS = 32, DATA = 0x50000, FLAGS = 0x58000 };

static inline uint32_t part_at(uint32_t part) { return DATA + part * 4 * WORDS; }
static inline uint32_t flag_at(uint32_t part) { return FLAGS + 16 * part; }
'''
FILL = '''
static void fill(uint32_t part) {
  for (uint32_t turn = 0; turn < 40 * part; turn++) __asm__ volatile("nop");
  for (uint32_t k = 0; k < WORDS; k++) tt_store(part_at(part) + 4 * k, 100 * part + k);
  tt_store(flag_at(part), 1);
}
'''
SCAN = '#include "noc.h"\n' + PARTS + '''
static uint32_t take(uint32_t part) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(part_at(part) + 4 * k);
  return sum;
}

void kernel_main(void) {
  uint32_t seen = 0, sum = 0;
  while (seen != (1u << PARTS) - 1u) {
    for (uint32_t part = 0; part < PARTS; part++) {
      if (seen >> part & 1u) continue;
      if (!tt_load(flag_at(part))) continue;
      sum += take(part);
      seen |= 1u << part;
    }
  }
  tt_store(get_arg_val(0), sum);
}
'''
SCAN_BRISC = '#include "noc.h"\n' + PARTS + FILL + '\nvoid kernel_main(void) { fill(3); }\n'
SCAN_T = '''#include "compute.h"
''' + PARTS + FILL + '''
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
ONE = '''grid 1,2
tensor S zero:1x16 int32 rows 1,2 0x80000
tensor F zero:1x64 int32 rows 1,2 0x58000
args reader S
args writer S
args compute S
'''

# --- three tiles send a row each and write a flag behind it; the first tile takes the rows as they come ---

MAILS = '''#include "noc.h"

enum { TILES = 4, ROW = 1024, ROWS = 0x60000, STAGE = 0x70000, FLAG = 0x71000, FLAGS = 0x58000 };

static void send(uint32_t x, uint32_t column) {
  noc_async_write(STAGE, get_noc_addr(x, my_y, ROWS + column * ROW), ROW);
  noc_async_write_barrier();
  tt_store(FLAG, column);
  l1_fence(FLAG);
  noc_semaphore_set_remote(FLAG, get_noc_addr(x, my_y, FLAGS + 16 * column));
}

static void collect(const struct InterleavedAddrGen *c) {
  uint32_t left = TILES - 1, seen[TILES] = {0};
  while (left) {
    for (uint32_t k = 1; k < TILES; k++) {
      if (seen[k]) continue;
      if (tt_load(FLAGS + 16 * k) != k) continue;
      noc_async_write_page(k, c, ROWS + k * ROW);
      seen[k] = 1;
      left--;
    }
  }
}

void kernel_main(void) {
  const uint32_t column = get_arg_val(2);
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  noc_async_read_page(column, &a, STAGE);
  noc_async_read_barrier();
  if (column) send(my_x - column, column);
  else collect(&c);
  noc_async_full_barrier();
}
'''
MAILS_CHIP = '''grid 1-4,2
tensor A random:4x256:1 int32 rows dram
tensor F zero:4x64      int32 rows 1-4,2 0x58000
tensor C zero:4x256     int32 rows dram
args reader A C col
args writer A C col
args compute A C col
'''

# --- flags that share a word: BRISC and T1 announce by a byte, or a halfword, each; NCRISC waits for each or for the word ---

SHARE = '''
enum { WORDS = 32, ROUNDS = 4, DATA = 0x50000, WORD = 0x58000, FREE = 0x58010 };
typedef uint8_t flag_type;

static inline volatile flag_type *flag(uint32_t k) { return (volatile flag_type *)WORD + k; }
static inline uint32_t part_at(uint32_t k) { return DATA + 4 * WORDS * k; }
'''
SHARE_FILL = '''
static void fill(uint32_t k) {
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    while (tt_load(FREE) < round - 1) {}
    for (uint32_t i = 0; i < WORDS; i++) tt_store(part_at(k) + 4 * i, 10 * k + i + round);
    *flag(k) = (flag_type)round;
  }
}
'''
SHARE_TAKE = '#include "noc.h"\n' + SHARE + '''
static uint32_t take(uint32_t k) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < WORDS; i++) sum += tt_load(part_at(k) + 4 * i);
  return sum;
}

void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t round = 1; round <= ROUNDS; round++) {
    for (uint32_t k = 0; k < 2; k++) {
      while (*flag(k) != round) {}
      sum += take(k);
    }
    tt_store(FREE, round);
  }
  tt_store(get_arg_val(0), sum);
}
'''
SHARE_T = '#include "compute.h"\n' + SHARE + SHARE_FILL + '''
void kernel_main(void) {
#ifdef TRISC_MATH
  fill(1);
#endif
}
'''
SHARE_B = '#include "noc.h"\n' + SHARE + SHARE_FILL + '\nvoid kernel_main(void) { fill(0); }\n'

# --- two cores store the bytes of a row in turns, each after the other, and no order is between them ---

BYTES = '''
enum { BYTES = 64, ROW = 0x50000, DONE = 0x58000 };

static inline void fill(uint32_t first) {
  for (uint32_t k = first; k < BYTES; k += 2) *(volatile uint8_t *)(ROW + k) = (uint8_t)(k + 1);
  tt_store(DONE + 16 * first, 1);
}
'''
BYTES_TAKE = '#include "noc.h"\n' + BYTES + '''
void kernel_main(void) {
  uint32_t sum = 0;
  fill(0);
  while (!tt_load(DONE + 16)) {}
  for (uint32_t k = 0; k < BYTES; k += 4) sum += tt_load(ROW + k);
  tt_store(get_arg_val(0), sum);
}
'''
BYTES_B = '#include "noc.h"\n' + BYTES + 'void kernel_main(void) { fill(1); }\n'

FOLDERS = {
    'share': {R: SHARE_TAKE, W: SHARE_B, C: SHARE_T, K: ONE},
    'bytes': {R: BYTES_TAKE, W: BYTES_B, C: NOTHING, K: ONE},
    'scan': {R: SCAN, W: SCAN_BRISC, C: SCAN_T, K: ONE},
    'mails': {R: MAILS, W: EMPTY, C: NOTHING, K: MAILS_CHIP},
}

LOOK = '      if (!tt_load(flag_at(part))) continue;\n'
SET = '  tt_store(flag_at(part), 1);\n'
PACKED = tuple(x for f in (R, W, C) for x in (f, 'FLAGS + 16 * part', 'FLAGS + 4 * part'))
SLOW = (R, '  uint32_t seen = 0, sum = 0;\n', '  uint32_t seen = 0, sum = 0;\n  for (uint32_t turn = 0; turn < 2000; turn++) __asm__ volatile("nop");\n')
BACK = (R, 'for (uint32_t part = 0; part < PARTS; part++) {', 'for (uint32_t part = PARTS; part-- > 0;) {')
COUNT = (R, '  while (seen != (1u << PARTS) - 1u) {', '  for (uint32_t left = PARTS; left;) {', R, '      seen |= 1u << part;\n', '      seen |= 1u << part;\n      left--;\n')
FIRST = FILL[FILL.index('  for (uint32_t k'):FILL.index('  tt_store(flag_at')]
POSTS = '  noc_semaphore_set_remote(FLAG, get_noc_addr(x, my_y, FLAGS + 16 * column));\n'
ADDS = '  noc_semaphore_inc(get_noc_addr(x, my_y, FLAGS + 16 * column), column);\n'
MAIL_LOOK = '      if (tt_load(FLAGS + 16 * k) != k) continue;\n'
HALVES = tuple(x for f in (R, W, C) for x in (f, 'typedef uint8_t flag_type', 'typedef uint16_t flag_type'))
EACH = '    for (uint32_t k = 0; k < 2; k++) {\n      while (*flag(k) != round) {}\n      sum += take(k);\n    }\n'
WHOLE = '    while (tt_load(WORD) != %s * round) {}\n    sum += take(0) + take(1);\n'
ANY = '    while (!(tt_load(WORD) & %s)) {}\n    sum += take(0) + take(1);\n'

BUGS = [
    ('share', 'does not wait for the second byte', R, EACH, '    while (*flag(0) != round) {}\n    sum += take(0) + take(1);\n'),
    ('share', 'does not wait for the first byte', R, EACH, '    while (*flag(1) != round) {}\n    sum += take(0) + take(1);\n'),
    ('share', 'waits for any byte', R, EACH, ANY % '0xffffu'),
    ('share', 'waits for any half', *HALVES, R, EACH, ANY % '0xffffffffu'),
    ('share', 'a mask without the upper half', *HALVES, R, EACH, '    while ((tt_load(WORD) & 0xffffu) != round) {}\n    sum += take(0) + take(1);\n'),
    ('share', 'does not wait until the parts are free', W, '    while (tt_load(FREE) < round - 1) {}\n', ''),
    ('bytes', 'both store every byte', W, 'k = first; k < BYTES; k += 2', 'k = 0; k < BYTES; k++'),
    ('bytes', 'both store the odd bytes', R, 'k = first;', 'k = 1;'),
    ('bytes', 'does not wait for the other bytes', R, '  while (!tt_load(DONE + 16)) {}\n', ''),
    ('scan', 'takes the parts without a look', R, LOOK, ''),
    ('scan', 'looks and goes on', R, LOOK, '      (void)tt_load(flag_at(part));\n'),
    ('scan', 'looks at the next flag', R, LOOK, '      if (!tt_load(flag_at((part + 1) % PARTS))) continue;\n'),
    ('scan', 'looks at the first flag only', R, LOOK, '      if (!tt_load(flag_at(0))) continue;\n'),
    ('scan', 'sets the flag first', W, FIRST + SET, SET + FIRST),
    ('scan', 'any value is enough', R, LOOK, '      if (tt_load(flag_at(part)) > 1) continue;\n'),
    ('mails', 'takes the rows without a look', R, MAIL_LOOK, ''),
    ('mails', 'looks at the next flag', R, MAIL_LOOK, '      if (tt_load(FLAGS + 16 * (k % 3 + 1)) != k % 3 + 1) continue;\n'),
    ('mails', 'the flag is sent before the row has arrived', R, '  noc_async_write_barrier();\n  tt_store(FLAG', '  tt_store(FLAG', R, POSTS, ADDS),
]

CORRECT = [
    ('share', 'halves', *HALVES),
    ('share', 'waits for the word of two bytes', R, EACH, WHOLE % '0x101u'),
    ('share', 'waits for the word of two halves', *HALVES, R, EACH, WHOLE % '0x10001u'),
    ('share', 'the second byte first', R, 'for (uint32_t k = 0; k < 2; k++) {', 'for (uint32_t k = 2; k-- > 0;) {'),
    ('share', 'waits until both halves of the word differ from before', *HALVES, R, EACH, '    for (uint32_t word = 0; (word & 0xffffu) != round || word >> 16 != round;) word = tt_load(WORD);\n    sum += take(0) + take(1);\n'),
    ('bytes', 'in blocks of four bytes', R, 'k = first; k < BYTES; k += 2) *(volatile uint8_t *)(ROW + k)', 'k = first; k < BYTES; k += 2) *(volatile uint8_t *)(ROW + (k & ~3u) + (k >> 1 & 1u) * 2 + first)'),
    ('scan', 'packed flags', *PACKED),
    ('scan', 'all flags are set before the first look', *SLOW),
    ('scan', 'all packed flags are set before the first look', *PACKED, *SLOW),
    ('scan', 'from the last flag on', *BACK),
    ('scan', 'counts those left', *COUNT),
    ('scan', 'looks in a branch', R, LOOK, '      const volatile uint32_t *flag = (const volatile uint32_t *)flag_at(part);\n      if (*flag != 1) continue;\n'),
    ('mails', 'increments in place of flags', R, POSTS, ADDS),
    ('mails', 'at least', R, '!= k) continue;', '< k) continue;'),
]
