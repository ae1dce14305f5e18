"""Rows for users.py: order of NoC writes without a barrier. It holds to one tile, on one NoC and one virtual channel, and no barrier waits for posted writes."""
R, C, W, K = 'reader.cpp', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
EMPTY = '#include "noc.h"\nvoid kernel_main(void) {}\n'

# --- the first tile writes rounds of words to the second and a flag behind them; the third may take part ---

SEND = '''#include "api/dataflow/dataflow_api.h"

constexpr uint32_t WORDS = 128, ROUNDS = 5, OUT = 0x50000, IN = 0x54000, SRC = 0x58000, COPY = 0x5A000;
enum { FULL, FREE, TOLD };

static void data(uint32_t to) { noc_async_write(OUT, get_noc_addr(to, my_y[0], IN), 4 * WORDS); }
static void other(uint32_t) {}
static void flag(uint32_t to, uint32_t round) {
  tt_store(SRC, round);
  l1_fence(SRC);
  noc_async_write(SRC, get_noc_addr(to, my_y[0], get_semaphore(FULL)), 4);
}
static void send(uint32_t to) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(FREE)), i);
    for (uint32_t k = 0; k < WORDS; k++) tt_store(OUT + 4 * k, 10 * i + k);
    l1_fence(OUT + 4 * WORDS - 4);
    data(to);
    other(to);
    flag(to, i + 1);
    noc_async_full_barrier();
  }
}
static uint32_t take(uint32_t from) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(FULL)), i + 1);
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(IN + 4 * k);
    noc_semaphore_inc(get_noc_addr(from, my_y[0], get_semaphore(FREE)), 1);
  }
  return sum;
}
void kernel_main() {
  uint32_t col = get_arg_val<uint32_t>(0), x = my_x[0] - col;
  if (col == 0) send(x + 1);
  else if (col == 1) tt_store(get_arg_val<uint32_t>(1), take(x));
  noc_async_full_barrier();
}
'''
CHIP = '''grid 1-3,2
tensor S zero:3x16 int32 rows 1-3,2 0x80000
args reader col S
args writer col S
args compute col S
'''

# --- each tile takes tickets, a number that no other tile has ---

TICKET = '''#include "noc.h"

enum { ROUNDS = 4, MINE = 0x50000, OUT = 0x51000 };

static uint32_t ticket(void) {
  noc_semaphore_inc(get_noc_addr(my_x - get_arg_val(0), my_y, get_semaphore(0)), 1);
  noc_async_atomic_barrier();
  return tt_load(NOC_ATOMIC_SCRATCH);
}
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) sum += ticket();
  tt_store(get_arg_val(1), sum);
  noc_async_full_barrier();
}
'''
FOLDERS = {
    'channels': {R: SEND, W: EMPTY, C: NOTHING, K: CHIP},
    'tickets': {'reader.c': TICKET, W: EMPTY, C: NOTHING, K: CHIP},
}

DATA = 'static void data(uint32_t to) { noc_async_write(OUT, get_noc_addr(to, my_y[0], IN), 4 * WORDS); }\n'
POSTED_DATA = 'static void data(uint32_t to) { noc_async_write<NOC_MAX_BURST_SIZE + 1, true, true>(OUT, get_noc_addr(to, my_y[0], IN), 4 * WORDS); }\n'
TWO = 'static void data(uint32_t to) {\n  noc_async_write(OUT, get_noc_addr(to, my_y[0], IN), 2 * WORDS);\n  noc_async_write(OUT + 2 * WORDS, get_noc_addr(to, my_y[0], IN + 2 * WORDS), 2 * WORDS, noc_index, 2);\n}\n'
OTHER = 'static void other(uint32_t) {}\n'
FLAG = '  noc_async_write(SRC, get_noc_addr(to, my_y[0], get_semaphore(FULL)), 4);\n'
SECOND = FLAG.replace(', 4);', ', 4, noc_index, 2);')
POSTED = FLAG.replace('noc_async_write(', 'noc_async_write<NOC_MAX_BURST_SIZE + 1, true, true>(')
INC = '  noc_semaphore_inc(get_noc_addr(to, my_y[0], get_semaphore(FULL)), 1);\n'
BARRIER = '  noc_async_write_barrier();\n'
# the third tile reads the words of the second one: the first tells the third
THIRD = '''static uint32_t take(uint32_t from) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t *>(get_semaphore(FULL)), i + 1);
    noc_async_read(get_noc_addr(from + 1, my_y[0], IN), COPY, 4 * WORDS);
    noc_async_read_barrier();
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(COPY + 4 * k);
    noc_semaphore_inc(get_noc_addr(from, my_y[0], get_semaphore(FREE)), 1);
  }
  return sum;
}
'''
TAKE = SEND[SEND.index('static uint32_t take'):SEND.index('void kernel_main')]
TO_THIRD = (R, TAKE, THIRD, R, 'col == 1', 'col == 2', R, FLAG, FLAG.replace('get_noc_addr(to,', 'get_noc_addr(to + 1,'))
MULTI = 'static void data(uint32_t to) { noc_async_write_multicast(OUT, get_noc_multicast_addr(to, my_y[0], to + 1, my_y[0], IN), 4 * WORDS, 2); }\n'
MULTI_FLAG = '  noc_semaphore_set_multicast(SRC, get_noc_multicast_addr(to, my_y[0], to + 1, my_y[0], get_semaphore(FULL)), 2);\n'

T, WAIT = 'reader.c', '  noc_async_atomic_barrier();\n'
BUGS = [
    ('channels', 'the flag on another channel', R, FLAG, SECOND),
    ('channels', 'the data on another channel', R, DATA, DATA.replace('4 * WORDS);', '4 * WORDS, noc_index, 3);')),
    ('channels', 'half of the data on another channel', R, DATA, TWO),
    ('channels', 'half of the data on another channel, which the flag has', R, DATA, TWO, R, FLAG, SECOND),
    ('channels', 'data by multicast, flag by unicast', R, DATA, MULTI),
    ('channels', 'data by unicast, flag by multicast', R, FLAG, MULTI_FLAG),
    ('channels', 'posted data, and a flag on another channel', R, DATA, POSTED_DATA, R, FLAG, POSTED.replace(', 4);', ', 4, noc_index, 2);')),
    ('channels', 'posted data, the barrier of answered writes, an increment', R, DATA, POSTED_DATA, R, FLAG, BARRIER + INC),
    ('channels', 'posted data, the barrier of answered writes, a flag on another channel', R, DATA, POSTED_DATA, R, FLAG, BARRIER + SECOND),
    ('channels', 'posted data, a flush, an increment', R, DATA, POSTED_DATA, R, FLAG, '  noc_async_posted_writes_flushed();\n' + INC),
    ('channels', 'the flag goes to a third tile', *TO_THIRD),
    ('tickets', 'no barrier', T, WAIT, ''),
    ('tickets', 'the barrier of reads', T, WAIT, '  noc_async_read_barrier();\n'),
    ('tickets', 'the barrier of writes', T, WAIT, '  noc_async_write_barrier();\n'),
    ('tickets', 'polls the answer, and its own store may come later', T, WAIT, '  while (tt_load(NOC_ATOMIC_SCRATCH) == ~0u) {}\n', T, '  noc_semaphore_inc', '  tt_store(NOC_ATOMIC_SCRATCH, ~0u);\n  noc_semaphore_inc'),
    ('tickets', 'the barrier behind the load', T, WAIT, '', T, '  return tt_load(NOC_ATOMIC_SCRATCH);\n', '  uint32_t old = tt_load(NOC_ATOMIC_SCRATCH);\n  noc_async_atomic_barrier();\n  return old;\n'),
]

CORRECT = [
    ('channels', 'all on another channel', R, DATA, DATA.replace('4 * WORDS);', '4 * WORDS, noc_index, 2);'), R, FLAG, SECOND),
    ('channels', 'two channels, a flag behind a barrier', R, DATA, TWO, R, FLAG, BARRIER + FLAG),
    ('channels', 'an unrelated write on another channel', R, OTHER, 'static void other(uint32_t to) { noc_async_write(OUT, get_noc_addr(to + 1, my_y[0], IN), 64, noc_index, 3); }\n'),
    ('channels', 'an unrelated multicast on another channel', R, OTHER, 'static void other(uint32_t to) { noc_async_write_multicast(OUT, get_noc_multicast_addr(to, my_y[0], to + 1, my_y[0], COPY), 64, 2); }\n'),
    ('channels', 'a flag on another channel behind a barrier', R, FLAG, BARRIER + SECOND),
    ('channels', 'multicasts', R, DATA, MULTI, R, FLAG, MULTI_FLAG),
    ('channels', 'posted data and a posted flag', R, DATA, POSTED_DATA, R, FLAG, POSTED),
    ('channels', 'posted data and an answered flag', R, DATA, POSTED_DATA),
    ('channels', 'posted data, an answered write behind it, its barrier, an increment', R, DATA, POSTED_DATA, R, OTHER, 'static void other(uint32_t to) { noc_async_write(OUT, get_noc_addr(to, my_y[0], COPY), 16); }\n', R, FLAG, BARRIER + INC),
    ('channels', 'an increment behind a barrier', R, FLAG, BARRIER + INC),
    ('tickets', 'a barrier for everything', T, WAIT, '  noc_async_full_barrier();\n'),
    ('tickets', 'polls the answer', T, WAIT, '  while (tt_load(NOC_ATOMIC_SCRATCH) == ~0u) {}\n', T, '  noc_semaphore_inc', '  tt_store(NOC_ATOMIC_SCRATCH, ~0u);\n  l1_fence(NOC_ATOMIC_SCRATCH);\n  noc_semaphore_inc'),
    ('tickets', 'does not use the answers', T, WAIT, '', T, 'return tt_load(NOC_ATOMIC_SCRATCH)', 'return 0'),
    ('channels', 'a flag to a third tile behind a barrier', *TO_THIRD, R, '    flag(to, i + 1);\n', '    noc_async_write_barrier();\n    flag(to, i + 1);\n'),
]
