"""Rows for users.py: waits for two words in one loop, and flags in DRAM."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- two tiles send a row each and count in a semaphore each ---

TWO = '''#include "noc.h"

enum { ROW = 1024, ROWS = 0x60000, STAGE = 0x70000, ROUNDS = 3, SEM_A = 3, SEM_B = 4, SEM_GO = 5 };

static uint32_t count(uint32_t semaphore) { return tt_load(get_semaphore(semaphore)); }

static void send(uint32_t column) {
  for (uint32_t i = 1; i <= ROUNDS; i++) {
    noc_semaphore_wait_min(get_semaphore(SEM_GO), i - 1);
    for (uint32_t turn = 0; turn < 100 * column; turn++) __asm__ volatile("nop");
    noc_async_write(STAGE, get_noc_addr(my_x - column, my_y, ROWS + column * ROW), ROW);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(my_x - column, my_y, get_semaphore(SEM_A + column - 1)), 1);
  }
}

static void take(const struct InterleavedAddrGen *c) {
  for (uint32_t i = 1; i <= ROUNDS; i++) {
    while (count(SEM_A) < i || count(SEM_B) < i) {}
    for (uint32_t k = 1; k <= 2; k++) noc_async_write_page(k, c, ROWS + k * ROW);
    noc_async_writes_flushed();
    for (uint32_t k = 1; k <= 2; k++) noc_semaphore_inc(get_noc_addr(my_x + k, my_y, get_semaphore(SEM_GO)), 1);
  }
}

void kernel_main(void) {
  const uint32_t column = get_arg_val(2);
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW}, c = {get_arg_val(1), ROW};
  noc_async_read_page(column, &a, STAGE);
  noc_async_read_barrier();
  if (column) send(column);
  else take(&c);
  noc_async_full_barrier();
}
'''
TWO_CHIP = '''grid 1-3,2
tensor A random:3x256:1 int32 rows dram
tensor C zero:3x256     int32 rows dram
args reader A C col
args writer A C col
args compute A C col
'''

# --- two cores of the tile store a flag each ---

CORES = '''
enum { WORDS = 32, DATA = 0x50000, FLAG_A = 0x58000, FLAG_B = 0x58010 };

static inline void fill(uint32_t part, uint32_t flag) {
  for (uint32_t turn = 0; turn < 100 * part; turn++) __asm__ volatile("nop");
  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * (WORDS * part + k), 10 * part + k);
  tt_store(flag, 1);
}
'''
CORES_TAKE = '#include "noc.h"\n' + CORES + '''
void kernel_main(void) {
  const volatile uint32_t *a = (const volatile uint32_t *)FLAG_A, *b = (const volatile uint32_t *)FLAG_B;
  uint32_t sum = 0;
  while (*a == 0 || *b == 0) {}
  for (uint32_t k = 0; k < 2 * WORDS; k++) sum += tt_load(DATA + 4 * k);
  tt_store(get_arg_val(0), sum);
}
'''
CORES_B = '#include "noc.h"\n' + CORES + 'void kernel_main(void) { fill(0, FLAG_A); }\n'
CORES_T = '#include "compute.h"\n' + CORES + 'void kernel_main(void) {\n#ifdef TRISC_MATH\n  fill(1, FLAG_B);\n#endif\n}\n'
ONE = '''grid 1,2
tensor S zero:1x16 int32 rows 1,2 0x80000
tensor F zero:1x64 int32 rows 1,2 0x58000
args reader S
args writer S
args compute S
'''

# --- a page goes through DRAM: the writer announces it by a word in DRAM, which the reader fetches until it is there ---

DRAM = '''#include "noc.h"

enum { PAGE = 1024, STAGE = 0x60000, FLAG = 0x70000, SEEN = 0x71000 };

void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), PAGE}, t = {get_arg_val(1), PAGE}, f = {get_arg_val(2), 64}, c = {get_arg_val(3), PAGE};
  const uint32_t pages = get_arg_val(5);
  for (uint32_t i = 0; i < pages; i++) {
    if (get_arg_val(4)) {
      noc_async_read_page(i, &a, STAGE);
      noc_async_read_barrier();
      noc_async_write_page(i, &t, STAGE);
      noc_async_write_barrier();
      for (uint32_t k = 0; k < 16; k++) tt_store(FLAG + 4 * k, i + 1);
      l1_fence(FLAG + 60);
      noc_async_write(FLAG, get_interleaved_noc_addr(&f, i), 32);
      noc_async_write_barrier();
    } else {
      do {
        noc_async_read(get_interleaved_noc_addr(&f, i), SEEN, 32);
        noc_async_read_barrier();
      } while (tt_load(SEEN) != i + 1);
      noc_async_read_page(i, &t, STAGE);
      noc_async_read_barrier();
      noc_async_write_page(i, &c, STAGE);
      noc_async_write_barrier();
    }
  }
  noc_async_full_barrier();
}
'''
DRAM_CHIP = '''grid 1-2,2
tensor A random:8x256:1 int32 rows dram
tensor T zero:8x256     int32 rows dram
tensor F zero:8x16      int32 rows dram
tensor C zero:8x256     int32 rows dram
args reader A T F C col A.pages
args writer A T F C col A.pages
args compute A T F C col A.pages
'''

FOLDERS = {
    'either': {R: TWO, W: EMPTY, C: NOTHING, K: TWO_CHIP},
    'eithercore': {R: CORES_TAKE, W: CORES_B, C: CORES_T, K: ONE},
    'dramflag': {R: DRAM, W: EMPTY, C: NOTHING, K: DRAM_CHIP},
}

BOTH = 'while (count(SEM_A) < i || count(SEM_B) < i) {}'
WRITE = '      noc_async_write_page(i, &t, STAGE);\n      noc_async_write_barrier();\n'
NEXT = '      noc_async_write(FLAG, get_interleaved_noc_addr(&f, i), 32);\n'
NEXT_BANK = (R, 'get_interleaved_noc_addr(&f, i)', 'get_interleaved_noc_addr(&f, (i + 1) % pages)')
WAITS = '    if (get_arg_val(6)) noc_async_writes_flushed();\n    else noc_async_write_barrier();\n'
FLAG_TO_L1 = (R, 'noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE)), 1)',
              'tt_store(0x7f000, i + 1), l1_fence(0x7f000), noc_semaphore_set_remote(0x7f000, get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE))), noc_async_writes_flushed()')

BUGS = [
    ('either', 'waits for either semaphore', R, BOTH, 'while (count(SEM_A) < i && count(SEM_B) < i) {}'),
    ('either', 'waits for either in the other order', R, BOTH, 'while (count(SEM_B) < i && count(SEM_A) < i) {}'),
    ('either', 'waits for either of equal values', R, BOTH, 'while (count(SEM_A) != i && count(SEM_B) != i) {}'),
    ('either', 'waits for the sum of one', R, BOTH, 'while (count(SEM_A) + count(SEM_B) < i) {}'),
    ('either', 'loads both and waits for either', R, BOTH, 'for (uint32_t a = 0, b = 0; a < i && b < i;) a = count(SEM_A), b = count(SEM_B);'),
    ('eithercore', 'waits for either flag', R, '*a == 0 || *b == 0', '*a == 0 && *b == 0'),
    ('eithercore', 'waits for either flag in the other order', R, '*a == 0 || *b == 0', '*b == 0 && *a == 0'),
    ('eithercore', 'loads both and waits for either', R, 'while (*a == 0 || *b == 0) {}', 'while ((*a | *b) == 0) {}'),
    ('dramflag', 'a flush between the page and a flag in the next bank', R, WRITE, WRITE.replace('noc_async_write_barrier', 'noc_async_writes_flushed'), *NEXT_BANK),
    ('hop', 'flushes the page to DRAM, then writes a flag to L1', *FLAG_TO_L1, R, WAITS, '    noc_async_writes_flushed();\n'),
    ('dramflag', 'a flag in the next bank without a barrier', R, WRITE, WRITE.replace('      noc_async_write_barrier();\n', ''), *NEXT_BANK),
    ('dramflag', 'fetches the flag and does not look', R, 'while (tt_load(SEEN) != i + 1)', 'while (0)'),
    ('dramflag', 'the flag first', R, WRITE, '', R, NEXT, NEXT + '      noc_async_write_page(i, &t, STAGE);\n'),
]

CORRECT = [
    ('either', 'loads both and waits for both', R, BOTH, 'for (uint32_t a = 0, b = 0; a < i || b < i;) a = count(SEM_A), b = count(SEM_B);'),
    ('either', 'one after the other', R, BOTH, 'while (count(SEM_B) < i) {}\n    while (count(SEM_A) < i) {}'),
    ('either', 'waits for the sum', R, BOTH, 'while (count(SEM_A) + count(SEM_B) < 2 * i) {}'),
    ('eithercore', 'one after the other', R, '  while (*a == 0 || *b == 0) {}\n', '  while (*b == 0) {}\n  while (*a == 0) {}\n'),
    ('eithercore', 'loads both and waits for both', R, 'while (*a == 0 || *b == 0) {}', 'while ((*a & *b) == 0) {}'),
    ('dramflag', 'a flag in the next bank', *NEXT_BANK),
    ('dramflag', 'no barrier: the page and its flag go to one bank', R, WRITE, WRITE.replace('      noc_async_write_barrier();\n', '')),
    ('hop', 'writes a flag to L1', *FLAG_TO_L1),
]
