"""Rows for users.py: loads whose value is not used, which make nothing wait, halves of GPRs that are not set, and waits that no value holds."""
from users_merged import EMPTY, ONE

R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

# --- T0 stores a word to L1 by the scalar unit and tells T1 by a mailbox; T1 stores what it reads ---

STORE = '''#include "compute.h"

enum { WORDS = 8, DATA = 0x50000, VALUE = 4, AT = 5, OFFSET = 6 };

static inline void put(uint32_t word, uint32_t value) {
  gpr_set(VALUE, value);
  gpr_set(AT, DATA >> 4);
  gpr_set(OFFSET, 4 * word);
  TTI_STOREIND(1, 0, 1, 2 * OFFSET, 0, VALUE, AT);
}

void kernel_main(void) {
#ifdef TRISC_UNPACK
  for (uint32_t i = 0; i < WORDS; i++) put(i, 0x12340000u + i);
  tensix_sync();
  tt_store(TRISC_MAILBOX, 1);
#elif defined TRISC_MATH
  while (!tt_load(TRISC_MAILBOX)) {}
  for (uint32_t i = 0; i < WORDS; i++) tt_store(get_arg_val(0) + 4 * i, tt_load(DATA + 4 * i));
#endif
}
'''.replace('TRISC_MAILBOX', '0x58000')

# --- a core fills a part and sends it: the stores must have arrived ---

SEND = '''#include "noc.h"

enum { WORDS = 16, PART = 0x50000, SLOT = 0x54000 };

void kernel_main(void) {
  for (uint32_t round = 0; round < 3; round++) {
    for (uint32_t k = 0; k < WORDS; k++) tt_store(PART + 4 * k, 10 * round + k);
    l1_fence(PART + 4 * WORDS - 4);
    noc_async_write(PART, get_noc_addr(my_x, my_y, get_arg_val(0) + 64 * round), 4 * WORDS);
    noc_async_write_barrier();
  }
}
'''
NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
FENCE = '    l1_fence(PART + 4 * WORDS - 4);\n'

# --- a ring of rows in L1: the reader waits for room, the writer for a row ---

RING = {
    R: '''#include "noc.h"
enum { ROW = 1024, ROWS = 0x80000, SLOTS = 3 };
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), ROW};
  uint32_t head = get_semaphore(0), tail = get_semaphore(1), h = 0;
  for (uint32_t i = 0, n = get_arg_val(1); i < n; i++) {
    uint32_t next = h + 1 == SLOTS ? 0 : h + 1;
    while (tt_load(tail) == next) {}
    noc_async_read_page(i, &a, ROWS + h * ROW);
    noc_async_read_barrier();
    tt_store(head, next);
    h = next;
  }
}
''', W: '''#include "noc.h"
enum { ROW = 1024, ROWS = 0x80000, SLOTS = 3 };
void kernel_main(void) {
  const struct InterleavedAddrGen c = {get_arg_val(0), ROW};
  uint32_t head = get_semaphore(0), tail = get_semaphore(1), t = 0;
  for (uint32_t i = 0, n = get_arg_val(1); i < n; i++) {
    while (tt_load(head) == t) {}
    noc_async_write_page(i, &c, ROWS + t * ROW);
    noc_async_writes_flushed();
    t = t + 1 == SLOTS ? 0 : t + 1;
    tt_store(tail, t);
  }
  noc_async_write_barrier();
}
''', C: NOTHING, K: '''grid 1,2
tensor A random:8x256:1 int32 rows dram
tensor Z zero:8x256 int32 rows dram
tensor C zero:8x256 int32 rows dram
args reader A A.pages
args writer C C.pages
expect C sum A Z 0
'''}
ROOM = 'while (tt_load(tail) == next) {}'

FOLDERS = {
    'gprstore': {R: EMPTY, W: EMPTY, C: STORE, K: ONE},
    'fillsend': {R: SEND, W: EMPTY, C: NOTHING, K: ONE},
    'rows3': RING,
}

BUGS = [
    ('gprstore', 'the upper half of the value is not set', C, 'gpr_set(VALUE, value)', 'gpr_set_low(VALUE, value)'),
    ('gprstore', 'the lower half of the value is not set', C, 'gpr_set(VALUE, value)', 'gpr_set_high(VALUE, value)'),
    ('gprstore', 'the upper half of the address is not set', C, 'gpr_set(AT, DATA >> 4)', 'gpr_set_low(AT, DATA >> 4)'),
    ('fillsend', 'no fence', R, FENCE, ''),
    ('rows3', 'no wait for room', R, ROOM, ''),
    ('rows3', 'waits for a value that is never stored', R, ROOM, ROOM.replace('next', '77')),
    ('rows3', 'waits for a value next to those that are stored', R, ROOM, ROOM.replace('next', '3')),
    ('fillsend', 'a load whose value is not used', R, FENCE, '    (void)tt_load(PART + 4 * WORDS - 4);\n'),
]

CORRECT = [
    ('rows3', 'looks at the tail once before it waits', R, ROOM, 'if (tt_load(tail) == next) ' + ROOM),
    ('rows3', 'pauses between the looks', R, ROOM, 'while (tt_load(tail) == next) for (uint32_t n = 0; n < 40; n++) __asm__ volatile("nop");'),
    ('gprstore', 'only the half that is an offset', C, 'gpr_set(OFFSET, 4 * word)', 'gpr_set_low(OFFSET, 4 * word)'),
    ('gprstore', 'the upper half first', C, 'gpr_set(VALUE, value)', 'gpr_set_high(VALUE, value);\n  gpr_set_low(VALUE, value)'),
    ('gprstore', 'stores one byte of a value of 16 bits', C, 'TTI_STOREIND(1, 0, 1,', 'TTI_STOREIND(1, 1, 1,', C, 'gpr_set(VALUE, value)', 'gpr_set_low(VALUE, value & 0xffffu)', C, '4 * word)', 'word)', C, 'i < WORDS; i++) tt_store', 'i < WORDS / 4; i++) tt_store'),
    ('fillsend', 'waits for the value', R, FENCE, '    while (tt_load(PART + 4 * WORDS - 4) != 10 * round + WORDS - 1) {}\n'),
    ('fillsend', 'uses the value later', R, FENCE, '    uint32_t last = tt_load(PART + 4 * WORDS - 4);\n    __asm__ volatile("nop\\nnop\\nadd zero, %0, zero" : : "r"(last) : "memory");\n'),
]
