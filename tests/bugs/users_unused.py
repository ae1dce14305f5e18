"""Rows for users.py: loads whose value is not used, which make nothing wait, and halves of GPRs that are not set."""
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

FOLDERS = {
    'gprstore': {R: EMPTY, W: EMPTY, C: STORE, K: ONE},
    'fillsend': {R: SEND, W: EMPTY, C: NOTHING, K: ONE},
}

BUGS = [
    ('gprstore', 'the upper half of the value is not set', C, 'gpr_set(VALUE, value)', 'gpr_set_low(VALUE, value)'),
    ('gprstore', 'the lower half of the value is not set', C, 'gpr_set(VALUE, value)', 'gpr_set_high(VALUE, value)'),
    ('gprstore', 'the upper half of the address is not set', C, 'gpr_set(AT, DATA >> 4)', 'gpr_set_low(AT, DATA >> 4)'),
    ('fillsend', 'no fence', R, FENCE, ''),
    ('fillsend', 'a load whose value is not used', R, FENCE, '    (void)tt_load(PART + 4 * WORDS - 4);\n'),
]

CORRECT = [
    ('gprstore', 'only the half that is an offset', C, 'gpr_set(OFFSET, 4 * word)', 'gpr_set_low(OFFSET, 4 * word)'),
    ('gprstore', 'the upper half first', C, 'gpr_set(VALUE, value)', 'gpr_set_high(VALUE, value);\n  gpr_set_low(VALUE, value)'),
    ('gprstore', 'stores one byte of a value of 16 bits', C, 'TTI_STOREIND(1, 0, 1,', 'TTI_STOREIND(1, 1, 1,', C, 'gpr_set(VALUE, value)', 'gpr_set_low(VALUE, value & 0xffffu)', C, '4 * word)', 'word)', C, 'i < WORDS; i++) tt_store', 'i < WORDS / 4; i++) tt_store'),
    ('fillsend', 'waits for the value', R, FENCE, '    while (tt_load(PART + 4 * WORDS - 4) != 10 * round + WORDS - 1) {}\n'),
    ('fillsend', 'uses the value later', R, FENCE, '    uint32_t last = tt_load(PART + 4 * WORDS - 4);\n    __asm__ volatile("nop\\nnop\\nadd zero, %0, zero" : : "r"(last) : "memory");\n'),
]
