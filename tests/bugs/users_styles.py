"""Rows for users.py: small programs that synchronise in styles of their own, all correct, and what is left when a wait is missing."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '''#include "compute.h"
void kernel_main(void) {}
'''
EMPTY = '''#include "noc.h"
void kernel_main(void) {}
'''

ONE = '''grid 1,2
tensor S zero:1x64 int32 rows 1,2 0x80000
tensor F zero:1x1024 int32 rows 1,2 0x58000
args reader S
args writer S
args compute S
'''

FOLDERS = {}
BUGS = []
CORRECT = []


def grid(tiles):
    return ONE.replace('1,2', f'1-{tiles},2').replace('zero:1x', f'zero:{tiles}x').replace('args reader S', 'args reader col S cols').replace('args writer S', 'args writer col S cols').replace('args compute S', 'args compute col S cols')


# --- a message of three words and its number, between two cores ---

FOLDERS['box'] = {R: '''#include "noc.h"
struct box { uint32_t a, b, c, seq; };
#define BOX ((volatile struct box *)0x50000)
#define ACK ((volatile uint32_t *)0x58000)
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 1; i < 9; i++) {
    while (BOX->seq != i) {}
    sum += BOX->a + BOX->b * BOX->c;
    *ACK = i;
  }
  tt_store(get_arg_val(0), sum);
}
''', W: '''#include "noc.h"
struct box { uint32_t a, b, c, seq; };
#define BOX ((volatile struct box *)0x50000)
#define ACK ((volatile uint32_t *)0x58000)
void kernel_main(void) {
  for (uint32_t i = 1; i < 9; i++) {
    while (*ACK != i - 1) {}
    BOX->a = i, BOX->b = 2 * i, BOX->c = 3 * i;
    BOX->seq = i;
  }
}
''', C: NOTHING, K: ONE}
BUGS += [
    ('box', 'takes the message without a wait', R, '    while (BOX->seq != i) {}\n', ''),
    ('box', 'fills the box without a wait', W, '    while (*ACK != i - 1) {}\n', ''),
]

# --- four tiles meet in two steps ---

FOLDERS['diss'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, COPY = 0x52000, SEM = 3 };
static void barrier(uint32_t col, uint32_t n, uint32_t x0, uint32_t phase) {
  for (uint32_t step = 1, r = 0; step < n; step *= 2, r++) {
    noc_semaphore_inc(get_noc_addr(x0 + (col + step) % n, my_y, get_semaphore(SEM + r)), 1);
    noc_semaphore_wait_min(get_semaphore(SEM + r), phase);
  }
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), x0 = my_x - col, sum = 0;
  for (uint32_t i = 0; i < 3; i++) {
    for (uint32_t k = 0; k < 64; k++) tt_store(DATA + 4 * k, 100 * i + col + k);
    l1_fence(DATA + 252);
    barrier(col, n, x0, 2 * i + 1);
    noc_async_read(get_noc_addr(x0 + (col + 2) % n, my_y, DATA), COPY, 256);
    noc_async_read_barrier();
    for (uint32_t k = 0; k < 64; k++) sum += tt_load(COPY + 4 * k);
    barrier(col, n, x0, 2 * i + 2);
  }
  tt_store(get_arg_val(1), sum);
  noc_async_full_barrier();
}
''', W: EMPTY, C: NOTHING, K: grid(4)}
BUGS += [
    ('diss', 'no meeting before the read', R, '    barrier(col, n, x0, 2 * i + 1);\n', ''),
    ('diss', 'no meeting after the read', R, '    barrier(col, n, x0, 2 * i + 2);\n', ''),
]

# --- five tiles meet in a tree ---

FOLDERS['treemeet'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, COPY = 0x52000, SEM_UP = 3, SEM_DOWN = 4 };
static void barrier(uint32_t col, uint32_t n, uint32_t x0, uint32_t phase) {
  uint32_t kids = (2 * col + 1 < n) + (2 * col + 2 < n);
  if (kids) noc_semaphore_wait_min(get_semaphore(SEM_UP), kids * phase);
  if (col) {
    noc_semaphore_inc(get_noc_addr(x0 + (col - 1) / 2, my_y, get_semaphore(SEM_UP)), 1);
    noc_semaphore_wait_min(get_semaphore(SEM_DOWN), phase);
  }
  for (uint32_t k = 2 * col + 1; k <= 2 * col + 2 && k < n; k++) noc_semaphore_inc(get_noc_addr(x0 + k, my_y, get_semaphore(SEM_DOWN)), 1);
}
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), x0 = my_x - col, sum = 0;
  for (uint32_t k = 0; k < 64; k++) tt_store(DATA + 4 * k, col + k);
  l1_fence(DATA + 252);
  barrier(col, n, x0, 1);
  noc_async_read(get_noc_addr(x0 + (col + 1) % n, my_y, DATA), COPY, 256);
  noc_async_read_barrier();
  for (uint32_t k = 0; k < 64; k++) sum += tt_load(COPY + 4 * k);
  barrier(col, n, x0, 2);
  for (uint32_t k = 0; k < 64; k++) tt_store(DATA + 4 * k, sum);
  tt_store(get_arg_val(1), sum);
  noc_async_full_barrier();
}
''', W: EMPTY, C: NOTHING, K: grid(5)}
BUGS += [
    ('treemeet', 'no meeting before the read', R, '  barrier(col, n, x0, 1);\n', ''),
    ('treemeet', 'no meeting before the store', R, '  barrier(col, n, x0, 2);\n', ''),
]

# --- three cores of a tile meet: two count, the third one tells them ---

FOLDERS['threecores'] = {R: '''#include "noc.h"

enum { DATA = 0x50000, SEM_IN = 0x1000 + 16 * 3, GO = 0x58000, TREADY = 0x58010 };
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 1; i < 4; i++) {
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 4 * k, i + k);
    l1_fence(DATA + 60);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(3)), 1);
    while (tt_load(GO) < i) {}
    for (uint32_t k = 0; k < 48; k++) sum += tt_load(DATA + 4 * k);
    l1_fence(DATA);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(4)), 1);
    while (tt_load(GO + 0x100) < i) {}
  }
  tt_store(get_arg_val(0), sum);
  noc_async_full_barrier();
}
''', W: '''#include "noc.h"

enum { DATA = 0x50000, SEM_IN = 0x1000 + 16 * 3, GO = 0x58000, TREADY = 0x58010 };
void kernel_main(void) {
  for (uint32_t i = 1; i < 4; i++) {
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 + 4 * k, i + k);
    l1_fence(DATA + 124);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(3)), 1);
    while (tt_load(GO) < i) {}
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(4)), 1);
    while (tt_load(GO + 0x100) < i) {}
  }
  noc_async_full_barrier();
}
''', C: '''#include "compute.h"

enum { DATA = 0x50000, SEM_IN = 0x1000 + 16 * 3, GO = 0x58000, TREADY = 0x58010 };
void kernel_main(void) {
#ifdef TRISC_PACK
  for (uint32_t i = 1; i < 4; i++) {
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 128 + 4 * k, i + k);
    while (tt_load(LAUNCH_SEMAPHORES + 48) != 2 * i) {}
    tt_store(GO, i);
    while (tt_load(LAUNCH_SEMAPHORES + 64) != 2 * i) {}
    tt_store(GO + 0x100, i);
  }
#endif
}
''', K: ONE}
BUGS += [
    ('threecores', 'does not wait for the two cores', C, '    while (tt_load(LAUNCH_SEMAPHORES + 48) != 2 * i) {}\n', ''),
    ('threecores', 'lets the next round begin at once', C, '    while (tt_load(LAUNCH_SEMAPHORES + 64) != 2 * i) {}\n', ''),
    ('threecores', 'does not wait for the others', R, '    while (tt_load(GO) < i) {}\n', ''),
]

# --- a queue of four places with an index at either end: the consumer takes all that its one look has shown ---

FOLDERS['queue'] = {R: '''#include "noc.h"

enum { SIZE = 4, ITEMS = 20, Q = 0x50000, HEAD = 0x58000, TAIL = 0x58020 };
void kernel_main(void) {
  uint32_t sum = 0, tail = 0;
  while (tail < ITEMS) {
    uint32_t head = tt_load(HEAD);
    while (tail != head) {
      sum += tt_load(Q + 16 * (tail % SIZE)) + tt_load(Q + 16 * (tail % SIZE) + 4);
      tail++;
      tt_store(TAIL, tail);
    }
  }
  tt_store(get_arg_val(0), sum);
}
''', W: '''#include "noc.h"

enum { SIZE = 4, ITEMS = 20, Q = 0x50000, HEAD = 0x58000, TAIL = 0x58020 };
void kernel_main(void) {
  for (uint32_t head = 0; head < ITEMS;) {
    while (head - tt_load(TAIL) == SIZE) {}
    tt_store(Q + 16 * (head % SIZE), head);
    tt_store(Q + 16 * (head % SIZE) + 4, 2 * head);
    tt_store(HEAD, ++head);
  }
}
''', C: NOTHING, K: ONE}
BUGS += [
    ('queue', 'fills a full queue', W, '    while (head - tt_load(TAIL) == SIZE) {}\n', ''),
    ('queue', 'takes an item that may not be there', R, '    uint32_t head = tt_load(HEAD);\n', '    uint32_t head = tail + 1;\n'),
]

# --- three T cores set a byte of a word each ---

FOLDERS['status'] = {R: '''#include "noc.h"

enum { DATA = 0x50000, ST = 0x58000 };
static inline void fill(uint32_t c) { for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * c + 4 * k, c + k); ((volatile uint8_t *)ST)[c] = 0xff; }
void kernel_main(void) {
  uint32_t sum = 0;
  while ((tt_load(ST) & 0xffffff) != 0xffffff) {}
  for (uint32_t k = 0; k < 48; k++) sum += tt_load(DATA + 4 * k);
  tt_store(get_arg_val(0), sum);
}
''', W: EMPTY, C: '''#include "compute.h"

enum { DATA = 0x50000, ST = 0x58000 };
static inline void fill(uint32_t c) { for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * c + 4 * k, c + k); ((volatile uint8_t *)ST)[c] = 0xff; }
void kernel_main(void) {
#ifdef TRISC_UNPACK
  fill(0);
#elif defined TRISC_MATH
  fill(1);
#else
  fill(2);
#endif
}
''', K: ONE}
BUGS += [
    ('status', 'leaves the third byte out', R, '(tt_load(ST) & 0xffffff) != 0xffffff', '(tt_load(ST) & 0xffff) != 0xffff'),
    ('status', 'does not wait', R, '  while ((tt_load(ST) & 0xffffff) != 0xffffff) {}\n', ''),
]

# --- the words of three tiles are fetched at once, and all must be set ---

FOLDERS['batch'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, DONE = 0x58000, SEEN = 0x59000, COPY = 0x5a000 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), sum = 0;
  if (col) {
    for (uint32_t t = 0; t < 50 * col; t++) __asm__ volatile("nop");
    for (uint32_t k = 0; k < 32; k++) tt_store(DATA + 4 * k, col + k);
    tt_store(DONE, 1);
    return;
  }
  for (uint32_t all = 0; !all;) {
    for (uint32_t k = 1; k < n; k++) noc_async_read(get_noc_addr(my_x + k, my_y, DONE), SEEN + 32 * k, 16);
    noc_async_read_barrier();
    all = 1;
    for (uint32_t k = 1; k < n; k++) if (!tt_load(SEEN + 32 * k)) all = 0;
  }
  for (uint32_t k = 1; k < n; k++) {
    noc_async_read(get_noc_addr(my_x + k, my_y, DATA), COPY, 128);
    noc_async_read_barrier();
    for (uint32_t i = 0; i < 32; i++) sum += tt_load(COPY + 4 * i);
  }
  tt_store(get_arg_val(1), sum);
}
''', W: EMPTY, C: NOTHING, K: grid(4)}
BUGS += [
    ('batch', 'fetches the words and does not look', R, 'if (!tt_load(SEEN + 32 * k)) all = 0;', '(void)tt_load(SEEN + 32 * k);'),
    ('batch', 'leaves the first word out', R, 'for (uint32_t k = 1; k < n; k++) if (!tt_load', 'for (uint32_t k = 2; k < n; k++) if (!tt_load'),
]

# --- the same, by their sum ---

FOLDERS['batchsum'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, DONE = 0x58000, SEEN = 0x59000, COPY = 0x5a000 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), sum = 0;
  if (col) {
    for (uint32_t t = 0; t < 50 * col; t++) __asm__ volatile("nop");
    for (uint32_t k = 0; k < 32; k++) tt_store(DATA + 4 * k, col + k);
    tt_store(DONE, 1);
    return;
  }
  for (uint32_t all = 0; !all;) {
    for (uint32_t k = 1; k < n; k++) noc_async_read(get_noc_addr(my_x + k, my_y, DONE), SEEN + 32 * k, 16);
    noc_async_read_barrier();
    uint32_t count = 0;
    for (uint32_t k = 1; k < n; k++) count += tt_load(SEEN + 32 * k);
    all = count == n - 1;
  }
  for (uint32_t k = 1; k < n; k++) {
    noc_async_read(get_noc_addr(my_x + k, my_y, DATA), COPY, 128);
    noc_async_read_barrier();
    for (uint32_t i = 0; i < 32; i++) sum += tt_load(COPY + 4 * i);
  }
  tt_store(get_arg_val(1), sum);
}
''', W: EMPTY, C: NOTHING, K: grid(4)}
BUGS += [
    ('batchsum', 'waits for all but one', R, 'all = count == n - 1;', 'all = count >= n - 2;'),
]

# --- C++: increments of the own tile ---

FOLDERS['cppown'] = {'reader.cpp': '''#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  volatile tt_l1_ptr uint32_t* data = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(0x50000);
  uint32_t sum = 0;
  for (uint32_t i = 1; i <= 4; i++) {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3)), i);
    for (uint32_t k = 0; k < 16; k++) sum += data[k];
    noc_semaphore_inc(get_noc_addr(my_x[noc_index], my_y[noc_index], get_semaphore(4)), 1);
  }
  *reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_arg_val<uint32_t>(0)) = sum;
  noc_async_atomic_barrier();
}
''', 'writer.cpp': '''#include "api/dataflow/dataflow_api.h"
void kernel_main() {
  volatile tt_l1_ptr uint32_t* data = reinterpret_cast<volatile tt_l1_ptr uint32_t*>(0x50000);
  uint32_t sem = get_semaphore(3);
  for (uint32_t i = 1; i <= 4; i++) {
    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(4)), i - 1);
    for (uint32_t k = 0; k < 16; k++) data[k] = i + k;
    while (data[15] != i + 15) {}
    noc_semaphore_inc(get_noc_addr(my_x[noc_index], my_y[noc_index], sem), 1);
  }
  noc_async_atomic_barrier();
}
''', C: NOTHING, K: ONE}
BUGS += [
    ('cppown', 'does not wait for the data', 'reader.cpp', '    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(3)), i);\n', ''),
    ('cppown', 'does not wait for the slot', 'writer.cpp', '    noc_semaphore_wait_min(reinterpret_cast<volatile tt_l1_ptr uint32_t*>(get_semaphore(4)), i - 1);\n', ''),
]

# --- C++: a poll by NoC reads in a lambda ---

FOLDERS['cpppull'] = {'reader.cpp': '''#include "api/dataflow/dataflow_api.h"
constexpr uint32_t DATA = 0x50000, READY = 0x58000, SEEN = 0x59000, COPY = 0x5a000;
template <typename F> static void until(F f) { while (!f()) {} }
void kernel_main() {
  const uint32_t col = get_arg_val<uint32_t>(0);
  auto word = [](uint32_t a) { return reinterpret_cast<volatile tt_l1_ptr uint32_t*>(a); };
  if (col) {
    for (uint32_t k = 0; k < 32; k++) word(DATA)[k] = k * k;
    *word(READY) = 7;
    return;
  }
  until([&] {
    noc_async_read(get_noc_addr(my_x[noc_index] + 1, my_y[noc_index], READY), SEEN, 16);
    noc_async_read_barrier();
    return *word(SEEN) == 7;
  });
  noc_async_read(get_noc_addr(my_x[noc_index] + 1, my_y[noc_index], DATA), COPY, 128);
  noc_async_read_barrier();
  uint32_t sum = 0;
  for (uint32_t k = 0; k < 32; k++) sum += word(COPY)[k];
  *word(get_arg_val<uint32_t>(1)) = sum;
}
''', W: EMPTY, C: NOTHING, K: grid(2)}
BUGS += [
    ('cpppull', 'any value is enough', 'reader.cpp', 'return *word(SEEN) == 7;', 'return *word(SEEN) <= 7;'),
]

# --- commands and answers between two cores ---

FOLDERS['state'] = {R: '''#include "noc.h"

enum { DATA = 0x50000, CMD = 0x58000, RESP = 0x58100 };
void kernel_main(void) {
  uint32_t state = 0, sum = 0;
  for (;;) {
    uint32_t cmd = tt_load(CMD);
    if (cmd == state) continue;
    state = cmd;
    switch (cmd & 3u) {
      case 1: sum += tt_load(DATA); break;
      case 2: sum += tt_load(DATA + 4) * 2; break;
      default: tt_store(get_arg_val(0), sum); tt_store(RESP, state); return;
    }
    tt_store(RESP, state);
  }
}
''', W: '''#include "noc.h"

enum { DATA = 0x50000, CMD = 0x58000, RESP = 0x58100 };
static void ask(uint32_t cmd) {
  tt_store(CMD, cmd);
  while (tt_load(RESP) != cmd) {}
}
void kernel_main(void) {
  tt_store(DATA, 5);
  ask(5);
  tt_store(DATA + 4, 6);
  ask(10);
  tt_store(DATA, 7);
  ask(17);
  ask(3);
}
''', C: NOTHING, K: ONE}

# --- two cores count in the halves of a word, far ahead of the one that waits ---

FOLDERS['halfcount'] = {R: '''#include "noc.h"

enum { DATA = 0x50000, CNT = 0x58000 };
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 1; i < 6; i++) {
    uint32_t w;
    do w = tt_load(CNT); while ((w & 0xffff) < i || (w >> 16) < i);
    sum += tt_load(DATA + 16 * i) + tt_load(DATA + 0x400 + 16 * i);
  }
  tt_store(get_arg_val(0), sum);
}
''', W: '''#include "noc.h"

enum { DATA = 0x50000, CNT = 0x58000 };
void kernel_main(void) {
  for (uint32_t i = 1; i < 6; i++) { tt_store(DATA + 16 * i, i); *(volatile uint16_t *)CNT = (uint16_t)i; }
}
''', C: '''#include "compute.h"

enum { DATA = 0x50000, CNT = 0x58000 };
void kernel_main(void) {
#ifdef TRISC_MATH
  for (uint32_t i = 1; i < 6; i++) { tt_store(DATA + 0x400 + 16 * i, i); *(volatile uint16_t *)(CNT + 2) = (uint16_t)i; }
#endif
}
''', K: ONE}
BUGS += [
    ('halfcount', 'leaves the upper half out', R, ' || (w >> 16) < i', ''),
    ('halfcount', 'leaves the lower half out', R, '(w & 0xffff) < i || ', ''),
]

# --- a ring in which a flag follows each row on the same channel ---

FOLDERS['ringar'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, IN = 0x52000, FLAGS = 0x58000, FLAG = 0x59000 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), x0 = my_x - col, next = x0 + (col + 1) % n;
  for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 4 * k, col + k);
  for (uint32_t s = 0; s + 1 < n; s++) {
    l1_fence(DATA + 60);
    noc_async_write(DATA, get_noc_addr(next, my_y, IN + 64 * s), 64);
    tt_store(FLAG + 16 * s, 1);
    l1_fence(FLAG + 16 * s);
    noc_async_write(FLAG + 16 * s, get_noc_addr(next, my_y, FLAGS + 16 * s), 4);
    noc_async_writes_flushed();
    while (tt_load(FLAGS + 16 * s) != 1) {}
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 4 * k, tt_load(IN + 64 * s + 4 * k) + col + k);
  }
  for (uint32_t k = 0; k < 16; k++) tt_store(get_arg_val(1) + 4 * k, tt_load(DATA + 4 * k));
  noc_async_full_barrier();
}
''', W: EMPTY, C: NOTHING, K: grid(4)}
BUGS += [
    ('ringar', 'does not wait for the row', R, '    while (tt_load(FLAGS + 16 * s) != 1) {}\n', ''),
    ('ringar', 'stores into a row that is being sent', R, '    noc_async_writes_flushed();\n', ''),
]

# --- two cores count in a word of their tile, which another tile fetches ---

FOLDERS['mixpull'] = {R: '''#include "noc.h"
enum { DATA = 0x50000, SEEN = 0x59000, COPY = 0x5a000, SEM = 3 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), sum = 0;
  if (col) {
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * 0 + 4 * k, k);
    l1_fence(DATA + 64 * 0 + 60);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM)), 1);
    noc_async_full_barrier();
    return;
  }
  if (0) return;
  do {
    noc_async_read(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM)), SEEN, 16);
    noc_async_read_barrier();
  } while (tt_load(SEEN) < 2);
  noc_async_read(get_noc_addr(my_x + 1, my_y, DATA), COPY, 128);
  noc_async_read_barrier();
  for (uint32_t k = 0; k < 32; k++) sum += tt_load(COPY + 4 * k);
  tt_store(get_arg_val(1), sum);
}
''', W: '''#include "noc.h"
enum { DATA = 0x50000, SEEN = 0x59000, COPY = 0x5a000, SEM = 3 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), sum = 0;
  if (col) {
    for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * 1 + 4 * k, k);
    l1_fence(DATA + 64 * 1 + 60);
    noc_semaphore_inc(get_noc_addr(my_x, my_y, get_semaphore(SEM)), 1);
    noc_async_full_barrier();
    return;
  }
  if (1) return;
  do {
    noc_async_read(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM)), SEEN, 16);
    noc_async_read_barrier();
  } while (tt_load(SEEN) < 2);
  noc_async_read(get_noc_addr(my_x + 1, my_y, DATA), COPY, 128);
  noc_async_read_barrier();
  for (uint32_t k = 0; k < 32; k++) sum += tt_load(COPY + 4 * k);
  tt_store(get_arg_val(1), sum);
}
''', C: NOTHING, K: grid(2)}
BUGS += [
    ('mixpull', 'waits for none', R, 'while (tt_load(SEEN) < 2);', 'while (tt_load(SEEN) < 0);'),
    ('mixpull', 'counts before the stores have arrived', W, '    l1_fence(DATA + 64 * 1 + 60);\n', ''),
]

# --- bits of one word, by increments of three tiles, handled as they come ---

FOLDERS['events'] = {R: '''#include "noc.h"
enum { DATA = 0x60000, STAGE = 0x70000, SEM = 3 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), n = get_arg_val(2), sum = 0;
  if (col) {
    for (uint32_t t = 0; t < 90 * (n - col); t++) __asm__ volatile("nop");
    for (uint32_t k = 0; k < 16; k++) tt_store(STAGE + 4 * k, col * k);
    l1_fence(STAGE + 60);
    noc_async_write(STAGE, get_noc_addr(my_x - col, my_y, DATA + 64 * col), 64);
    noc_async_write_barrier();
    noc_semaphore_inc(get_noc_addr(my_x - col, my_y, get_semaphore(SEM)), 1u << col);
    noc_async_full_barrier();
    return;
  }
  for (uint32_t pending = (1u << n) - 2u; pending;) {
    uint32_t events = tt_load(get_semaphore(SEM)) & pending;
    for (uint32_t k = 1; k < n; k++) {
      if (!(events >> k & 1u)) continue;
      for (uint32_t i = 0; i < 16; i++) sum += tt_load(DATA + 64 * k + 4 * i);
      pending &= ~(1u << k);
    }
  }
  tt_store(get_arg_val(1), sum);
}
''', W: EMPTY, C: NOTHING, K: grid(4)}
BUGS += [
    ('events', 'takes all rows at once', R, '      if (!(events >> k & 1u)) continue;\n', ''),
    ('events', 'the bit before the row', R, '    noc_async_write_barrier();\n', ''),
]

# --- bytes of a word, handled as they come ---

FOLDERS['eventscore'] = {R: '''#include "noc.h"

enum { DATA = 0x50000, ST = 0x58000 };
static inline void fill(uint32_t c) { for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * c + 4 * k, c + k); ((volatile uint8_t *)ST)[c] = 0xff; }
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t left = 7; left;) {
    for (uint32_t k = 0; k < 3; k++) {
      if (!(left >> k & 1u) || !((volatile uint8_t *)ST)[k]) continue;
      for (uint32_t i = 0; i < 16; i++) sum += tt_load(DATA + 64 * k + 4 * i);
      left &= ~(1u << k);
    }
  }
  tt_store(get_arg_val(0), sum);
}
''', W: EMPTY, C: '''#include "compute.h"

enum { DATA = 0x50000, ST = 0x58000 };
static inline void fill(uint32_t c) { for (uint32_t k = 0; k < 16; k++) tt_store(DATA + 64 * c + 4 * k, c + k); ((volatile uint8_t *)ST)[c] = 0xff; }
void kernel_main(void) {
#ifdef TRISC_UNPACK
  fill(0);
#elif defined TRISC_MATH
  fill(1);
#else
  fill(2);
#endif
}
''', K: ONE}
BUGS += [
    ('eventscore', 'takes all parts at once', R, ' || !((volatile uint8_t *)ST)[k]', ''),
]

# --- two buffers in turns, whose flags are fetched together ---

FOLDERS['alternate'] = {R: '''#include "noc.h"
enum { BUF = 0x50000, FULL = 0x58000, SEEN = 0x59000, COPY = 0x5a000, SEM_EMPTY = 3 };
void kernel_main(void) {
  uint32_t col = get_arg_val(0), sum = 0;
  for (uint32_t i = 0; i < 6; i++) {
    uint32_t b = i & 1u, turn = i / 2 + 1;
    if (col) {
      if (i > 1) noc_semaphore_wait_min(get_semaphore(SEM_EMPTY + b), turn - 1);
      for (uint32_t k = 0; k < 16; k++) tt_store(BUF + 64 * b + 4 * k, i + k);
      tt_store(FULL + 16 * b, turn);
    } else {
      for (;;) {
        noc_async_read(get_noc_addr(my_x + 1, my_y, FULL), SEEN, 32);
        noc_async_read_barrier();
        if (tt_load(SEEN + 16 * b) == turn) break;
      }
      noc_async_read(get_noc_addr(my_x + 1, my_y, BUF + 64 * b), COPY, 64);
      noc_async_read_barrier();
      for (uint32_t k = 0; k < 16; k++) sum += tt_load(COPY + 4 * k);
      noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_EMPTY + b)), 1);
    }
  }
  if (!col) tt_store(get_arg_val(1), sum);
  noc_async_full_barrier();
}
''', W: EMPTY, C: NOTHING, K: grid(2)}
BUGS += [
    ('alternate', 'looks at the other flag', R, 'if (tt_load(SEEN + 16 * b) == turn) break;', 'if (tt_load(SEEN + 16 * (b ^ 1u)) <= turn) break;'),
]
