"""Rows for users.py: cores of one tile that synchronise by NoC requests to their own tile."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'

# --- a ring of two slots: BRISC fills, NCRISC drains; both count by increments of words of their own tile ---

OWN = '''#include "noc.h"

enum { WORDS = 32, SLOTS = 2, DATA = 0x50000, ROUNDS = 6 };
enum { SEM_FULL = 3, SEM_FREE = 4 };

static void post(uint32_t semaphore) { noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(semaphore)), 1); }
static void await(uint32_t semaphore, uint32_t count) { noc_semaphore_wait_min(get_semaphore(semaphore), count); }
'''
OWN_FILLS = OWN + '''
void kernel_main(void) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t slot = DATA + i % SLOTS * 4 * WORDS;
    if (i >= SLOTS) await(SEM_FREE, i + 1 - SLOTS);
    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);
    l1_fence(slot + 4 * WORDS - 4);
    post(SEM_FULL);
  }
  noc_async_full_barrier();
}
'''
OWN_DRAINS = OWN + '''
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    uint32_t slot = DATA + i % SLOTS * 4 * WORDS;
    await(SEM_FULL, i + 1);
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(slot + 4 * k);
    post(SEM_FREE);
  }
  tt_store(get_arg_val(0), sum);
  noc_async_full_barrier();
}
'''
ONE = '''grid 1,2
tensor S zero:1x16 int32 rows 1,2 0x80000
args reader S
args writer S
args compute S
'''

# --- BRISC, NCRISC and T1 meet after every round: each has written a part, each reads the next one's; the T core arrives by a store ---

MEET = '''
enum { WORDS = 16, PART = 0x50000, ROUNDS = 4, SEM_MEET = 3, SEM_THIRD = 4, SEM_GO = 5 };

static void work(uint32_t part, uint32_t round) {
  for (uint32_t k = 0; k < WORDS; k++) tt_store(PART + 256 * part + 4 * k, 1000 * round + 10 * part + k);
  l1_fence(PART + 256 * part + 4 * WORDS - 4);
}
static uint32_t look(uint32_t part) {
  uint32_t sum = 0;
  for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(PART + 256 * part + 4 * k);
  return sum;
}
'''
MEET_CORE = '#include "noc.h"\n' + MEET + '''
static void meet(uint32_t count) {
  noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_MEET)), 1);
  noc_semaphore_wait_min(get_semaphore(SEM_MEET), 2 * count);
}

void kernel_main(void) {
  uint32_t sum = 0, count = 0;
  for (uint32_t round = 0; round < ROUNDS; round++) {
    work(%d, round);
    meet(++count);
    sum += look(%d);
    meet(++count);
  }
  tt_store(get_arg_val(0) + 4 * %d, sum);
  noc_async_full_barrier();
}
'''

# --- a service: NCRISC asks by an increment, BRISC reads the request, answers by an increment ---

SERVICE = '#include "noc.h"\nenum { QUESTION = 0x50000, ANSWER = 0x50100, CALLS = 5, SEM_ASK = 3, SEM_TOLD = 4 };\n'
ASKS = SERVICE + '''
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 1; i <= CALLS; i++) {
    for (uint32_t k = 0; k < 4; k++) tt_store(QUESTION + 4 * k, 7 * i + k);
    l1_fence(QUESTION + 12);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_ASK)), 1);
    noc_semaphore_wait(get_semaphore(SEM_TOLD), 1);
    noc_semaphore_set(get_semaphore(SEM_TOLD), 0);
    sum += tt_load(ANSWER);
  }
  tt_store(get_arg_val(0), sum);
  noc_async_full_barrier();
}
'''
TELLS = SERVICE + '''
void kernel_main(void) {
  for (uint32_t i = 1; i <= CALLS; i++) {
    uint32_t sum = 0;
    while (tt_load(get_semaphore(SEM_ASK)) < i) {}
    for (uint32_t k = 0; k < 4; k++) sum += tt_load(QUESTION + 4 * k);
    tt_store(ANSWER, sum);
    l1_fence(ANSWER);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_TOLD)), 1);
  }
  noc_async_full_barrier();
}
'''

# --- a total to which both data cores add, and for which T1 waits: pages from DRAM and stores ---

TOTAL = '#include "noc.h"\nenum { PAGE = 1024, PAGES = 2, FROM = 0x50000, SEM_TOTAL = 3, SEM_AGAIN = 4 };\n'
TOTAL_ADDS = TOTAL + '''
void kernel_main(void) {
  const struct InterleavedAddrGen a = {get_arg_val(0), PAGE};
  for (uint32_t i = 0; i < PAGES; i++) {
    noc_async_read_page(2 * i + get_arg_val(1), &a, FROM + (2 * i + get_arg_val(1)) * PAGE);
    noc_async_read_barrier();
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_TOTAL)), 1);
  }
  noc_async_full_barrier();
}
'''
TOTAL_TAKES = '''#include "compute.h"
enum { PAGE = 1024, PAGES = 4, FROM = 0x50000, TOTAL = 0x1000 + 16 * 3 };
void kernel_main(void) {
#ifdef TRISC_MATH
  uint32_t sum = 0;
  while (tt_load(LAUNCH_SEMAPHORES + 16 * 3) != PAGES) {}
  for (uint32_t k = 0; k < PAGES * PAGE; k += 4) sum += tt_load(FROM + k);
  tt_store(get_arg_val(2), sum);
#endif
}
'''
TOTAL_CHIP = '''grid 1,2
tensor A random:4x256:3 int32 rows dram
tensor S zero:1x16 int32 rows 1,2 0x80000
args reader A 0 S
args writer A 1 S
args compute A 0 S
'''

# --- the first tile's cores count, and so do those of the second tile ---

BOTH = '#include "noc.h"\nenum { WORDS = 64, FROM = 0x50000, SEM_TOTAL = 3, CORES = 4 };\n'
BOTH_CORE = BOTH + '''
void kernel_main(void) {
  const uint32_t column = get_arg_val(0), part = 2 * column + %d, own = FROM + part * 4 * WORDS;
  uint32_t sum = 0;
  for (uint32_t k = 0; k < WORDS; k++) tt_store(own + 4 * k, 10 * part + k);
  l1_fence(own + 4 * WORDS - 4);
  if (column) {
    noc_async_write(own, get_noc_addr(my_x - 1, my_y, own), 4 * WORDS);
    noc_async_write_barrier();
  }
  noc_semaphore_inc(get_noc_addr(my_x - column, my_y, get_semaphore(SEM_TOTAL)), 1);
  if (!column) {
    while (tt_load(get_semaphore(SEM_TOTAL)) < CORES) {}
    for (uint32_t k = 0; k < CORES * WORDS; k++) sum += tt_load(FROM + 4 * k);
    tt_store(get_arg_val(1) + 4 * %d, sum);
  }
  noc_async_full_barrier();
}
'''
BOTH_CHIP = '''grid 1-2,2
tensor S zero:1x16 int32 rows 1,2 0x80000
args reader col S
args writer col S
args compute col S
'''

FOLDERS = {
    'own': {R: OWN_DRAINS, W: OWN_FILLS, C: NOTHING, K: ONE},
    'ownmeet': {R: MEET_CORE % (0, 1, 0), W: MEET_CORE % (1, 0, 1), C: NOTHING, K: ONE},
    'ownask': {R: ASKS, W: TELLS, C: NOTHING, K: ONE},
    'owntotal': {R: TOTAL_ADDS, W: TOTAL_ADDS, C: TOTAL_TAKES, K: TOTAL_CHIP},
    'ownboth': {R: BOTH_CORE % (0, 0), W: BOTH_CORE % (1, 1), C: NOTHING, K: BOTH_CHIP},
}

AWAIT = 'noc_semaphore_wait_min(get_semaphore(semaphore), count);'
INC = 'noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(semaphore)), 1);'
POLL = 'while ((int32_t)(*(volatile uint32_t *)get_semaphore(semaphore) - count) < 0) {}'
NOPS = 'while (tt_load(get_semaphore(semaphore)) < count) for (uint32_t d = 0; d < 20; d++) __asm__ volatile("nop");'
FILL = '    for (uint32_t k = 0; k < WORDS; k++) tt_store(slot + 4 * k, 100 * i + k);\n    l1_fence(slot + 4 * WORDS - 4);\n'
COPY = '''    for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 0x1000 + 4 * k, 100 * i + k);
    l1_fence(DATA + 0x1000 + 4 * WORDS - 4);
    noc_async_write(DATA + 0x1000, get_noc_addr(my_x, my_y, slot), 4 * WORDS);
    noc_async_write_barrier();
'''
TWICE = (R, 'post(SEM_FREE);', 'for (uint32_t n = 0; n < 3; n++) post(SEM_FREE);', W, 'await(SEM_FREE, i + 1 - SLOTS)', 'await(SEM_FREE, 3 * (i + 1 - SLOTS))')
RESET = (R, 'await(SEM_FULL, i + 1);', 'noc_semaphore_wait(get_semaphore(SEM_FULL), 1);\n    noc_semaphore_set(get_semaphore(SEM_FULL), 0);', W, 'SLOTS = 2', 'SLOTS = 1', R, 'SLOTS = 2', 'SLOTS = 1')
SENT = '''tt_store(DATA + 0x2000 + 16 * i, i + 1);
    l1_fence(DATA + 0x2000 + 16 * i);
    noc_semaphore_set_remote(DATA + 0x2000 + 16 * i, get_noc_addr(my_x, my_y, get_semaphore(SEM_FULL)));'''

BUGS = [
    ('own', 'waits for the NoC write of a flag one round too few', W, 'post(SEM_FULL);', SENT, R, 'await(SEM_FULL, i + 1)', 'await(SEM_FULL, i)'),
    ('own', 'the drain does not wait', R, '    await(SEM_FULL, i + 1);\n', ''),
    ('own', 'the drain waits for one round too few', R, 'await(SEM_FULL, i + 1)', 'await(SEM_FULL, i)'),
    ('own', 'the drain waits for the first round only', R, 'await(SEM_FULL, i + 1)', 'await(SEM_FULL, 1)'),
    ('own', 'the filler does not wait', W, '    if (i >= SLOTS) await(SEM_FREE, i + 1 - SLOTS);\n', ''),
    ('own', 'the filler waits for one slot too few', W, 'i + 1 - SLOTS', 'i - SLOTS'),
    ('own', 'posts before the stores', W, FILL + '    post(SEM_FULL);\n', '    post(SEM_FULL);\n' + FILL),
    ('own', 'posts without a fence', W, '    l1_fence(slot + 4 * WORDS - 4);\n', ''),
    ('own', 'frees the slot before it is read', R, '    await(SEM_FULL, i + 1);\n', '    await(SEM_FULL, i + 1);\n    post(SEM_FREE);\n', R, 'tt_load(slot + 4 * k);\n    post(SEM_FREE);\n', 'tt_load(slot + 4 * k);\n'),
    ('own', 'posts before a NoC write to the own tile has arrived', W, FILL, COPY.replace('    noc_async_write_barrier();\n', '    noc_async_writes_flushed();\n')),
    ('ownmeet', 'no second meeting', R, '    meet(++count);\n  }', '  }', W, '    meet(++count);\n  }', '  }'),
    ('ownmeet', 'one core does not wait', R, '  noc_semaphore_wait_min(get_semaphore(SEM_MEET), 2 * count);\n', ''),
    ('ownmeet', 'waits for one of two', R, '2 * count)', '2 * count - 1)'),
    ('ownask', 'asks before the question is stored', R, '    l1_fence(QUESTION + 12);\n', ''),
    ('ownask', 'takes the answer at once', R, '    noc_semaphore_wait(get_semaphore(SEM_TOLD), 1);\n    noc_semaphore_set(get_semaphore(SEM_TOLD), 0);\n', ''),
    ('ownask', 'does not wait for the question', W, '    while (tt_load(get_semaphore(SEM_ASK)) < i) {}\n', ''),
    ('owntotal', 'waits for three of four', C, '!= PAGES) {}', '< PAGES - 1) {}'),
    ('owntotal', 'counts before the page has arrived', R, '    noc_async_read_barrier();\n    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_TOTAL)), 1);\n', '    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM_TOTAL)), 1);\n    noc_async_read_barrier();\n'),
    ('ownboth', 'waits for three of four', R, '< CORES) {}', '< CORES - 1) {}'),
    ('ownboth', 'the other tile counts before its write has arrived', W, '    noc_async_write_barrier();\n', ''),
]

CORRECT = [
    ('own', 'posts by the NoC write of a flag', W, 'post(SEM_FULL);', SENT),
    ('own', 'an own loop', R, AWAIT, POLL, W, AWAIT, POLL),
    ('own', 'a loop with a pause', R, AWAIT, NOPS, W, AWAIT, NOPS),
    ('own', 'waits for the exact number', R, 'await(SEM_FULL, i + 1)', 'noc_semaphore_wait(get_semaphore(SEM_FULL), i + 1)', W, 'SLOTS = 2', 'SLOTS = 1', R, 'SLOTS = 2', 'SLOTS = 1'),
    ('own', 'resets the semaphore', *RESET),
    ('own', 'posts several times', *TWICE),
    ('own', 'data by a NoC write to the own tile', W, FILL, COPY),
    ('own', 'fills by an increment, frees by a store', R, 'post(SEM_FREE);', 'noc_semaphore_set(get_semaphore(SEM_FREE), i + 1);'),
    ('own', 'fills by a store, frees by an increment', W, 'post(SEM_FULL);', 'noc_semaphore_set(get_semaphore(SEM_FULL), i + 1);'),
    ('ownask', 'resets the request', W, 'while (tt_load(get_semaphore(SEM_ASK)) < i) {}', 'noc_semaphore_wait(get_semaphore(SEM_ASK), 1);\n    noc_semaphore_set(get_semaphore(SEM_ASK), 0);'),
    ('owntotal', 'at least the total', C, '!= PAGES) {}', '< PAGES) {}'),
]
