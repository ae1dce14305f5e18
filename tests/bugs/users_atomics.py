"""Rows for users.py: cores of one tile that synchronise by RISC-V atomics on words of L1."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

NOTHING = '#include "compute.h"\nvoid kernel_main(void) {}\n'
ONE = 'grid 1,2\ncycles 200000\ntensor S zero:1x64 int32 rows 1,2 0x80000\nargs reader S\nargs writer S\nargs compute S\n'


def amo(name):
    return f'static inline uint32_t {name}(uint32_t a, uint32_t v) {{\n  uint32_t r;\n  __asm__ volatile(".option push\\n.option arch,+a\\n{name}.w %0, %1, (%2)\\n.option pop" : "=r"(r) : "r"(v), "r"(a) : "memory");\n  return r;\n}}\n'


AMO = '#include "noc.h"\n' + ''.join(map(amo, ('amoadd', 'amoor', 'amoswap', 'amomaxu')))
WORDS = '''
enum { LOCK = 0x40000, JOIN = 0x40004, FREE = 0x40040, DATA = 0x50000, ROUNDS = 6, WORDS = 8 };
#define l1_look() __asm__ volatile("fence" ::: "memory")
'''
HEAD = AMO + WORDS

# --- a counter behind a spinlock; BRISC joins. The lock and the count of those that are done lie in one line of L1 ---

LOCK_WORK = HEAD + '''
static void work(uint32_t sum) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    while (amoswap(LOCK, 1)) {}
    tt_store(sum, tt_load(sum) + 1);
    tt_store(LOCK, 0);
  }
  amoadd(JOIN, 1);
}
'''
LOCK_R = LOCK_WORK + 'void kernel_main(void) { work(get_arg_val(0)); }\n'
LOCK_W = LOCK_WORK + '''void kernel_main(void) {
  uint32_t sum = get_arg_val(0);
  work(sum);
  while (amoadd(JOIN, 0) != 2) {}
  tt_store(sum + 16, tt_load(sum));
}
'''
ENTER, CHANGE, LEAVE, ENDED = '    while (amoswap(LOCK, 1)) {}\n', '    tt_store(sum, tt_load(sum) + 1);\n', '    tt_store(LOCK, 0);\n', '  while (amoadd(JOIN, 0) != 2) {}\n'

# --- one slot: NCRISC fills, BRISC polls by an atomic that changes nothing, and empties by another ---

SLOT_R = HEAD + '''
void kernel_main(void) {
  for (uint32_t i = 0; i < ROUNDS; i++) {
    while (tt_load(LOCK) != 0) l1_look();
    for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, 10 * i + k + 1);
    tt_store(LOCK, 1);
  }
}
'''
SLOT_W = HEAD + '''
void kernel_main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    while (amoadd(LOCK, 0) != 1) {}
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(DATA + 4 * k);
    amoswap(LOCK, 0);
  }
  tt_store(get_arg_val(0), sum);
}
'''
FILL, FULL = '    for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, 10 * i + k + 1);\n', '    tt_store(LOCK, 1);\n'
TAKE, EMPTY = '    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(DATA + 4 * k);\n', '    amoswap(LOCK, 0);\n'
ROOM, THERE = '    while (tt_load(LOCK) != 0) l1_look();\n', '    while (amoadd(LOCK, 0) != 1) {}\n'

# --- two cores count what they have stored, the third waits for both by a load ---

COUNT_R = HEAD + '''
void kernel_main(void) {
  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, k + 1);
  amoadd(JOIN, 1);
}
'''
COUNT_C = COUNT_R.replace('"noc.h"', '"compute.h"').replace('DATA +', 'DATA + 256 +').replace('(void) {\n', '(void) {\n#ifdef TRISC_MATH\n').replace('1);\n}\n', '1);\n#endif\n}\n')
COUNT_W = HEAD + '''
void kernel_main(void) {
  uint32_t sum = 0;
  while (tt_load(JOIN) != 2) l1_look();
  for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(DATA + 4 * k) + tt_load(DATA + 256 + 4 * k);
  tt_store(get_arg_val(0), sum);
}
'''
BOTH = '  while (tt_load(JOIN) != 2) l1_look();\n'

# --- the core that comes second adds up what both have stored: a branch on the old value, and no loop ---

SECOND = HEAD + '''
static void part(uint32_t which, uint32_t to) {
  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 256 * which + 4 * k, k + 1);
  if (amoadd(JOIN, 1) == 1) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < WORDS; k++) sum += tt_load(DATA + 4 * k) + tt_load(DATA + 256 + 4 * k);
    tt_store(to, sum);
  }
}
'''

FOLDERS = {
    'amolock': {R: LOCK_R, C: NOTHING, W: LOCK_W, K: ONE},
    'amoslot': {R: SLOT_R, C: NOTHING, W: SLOT_W, K: ONE},
    'amocount': {R: COUNT_R, C: COUNT_C, W: COUNT_W, K: ONE},
    'amosecond': {R: SECOND + 'void kernel_main(void) { part(0, get_arg_val(0)); }\n', C: NOTHING, W: SECOND + 'void kernel_main(void) { part(1, get_arg_val(0)); }\n', K: ONE},
}


def both(old, new):
    return (R, old, new, W, old, new)


TICKET = '    uint32_t mine = amoadd(LOCK, 1);\n    while (tt_load(FREE) != mine) l1_look();\n'
FETCH = '    noc_async_read(get_noc_addr(my_x, my_y, DATA), DATA + 512, 512);\n    noc_async_read_barrier();\n'

BUGS = [
    ('amolock', 'takes no lock', *both(ENTER, '')),
    ('amolock', 'takes the lock on one side only', R, ENTER, ''),
    ('amolock', 'tries the lock once', R, ENTER, '    amoswap(LOCK, 1);\n'),
    ('amolock', 'unlocks before the change', *both(CHANGE + LEAVE, LEAVE + CHANGE)),
    ('amolock', 'unlocks by an atomic before the change', *both(CHANGE + LEAVE, '    amoswap(LOCK, 0);\n' + CHANGE)),
    ('amolock', 'reads the sum before the lock', *both(ENTER + CHANGE, '    uint32_t old = tt_load(sum);\n' + ENTER + '    tt_store(sum, old + 1);\n')),
    ('amolock', 'waits for one of two', W, 'amoadd(JOIN, 0) != 2', 'amoadd(JOIN, 0) < 1'),
    ('amolock', 'does not wait', W, ENDED, ''),
    ('amolock', 'counts itself before its last change', R, '  for (uint32_t i = 0;', '  amoadd(JOIN, 1);\n  for (uint32_t i = 0;', R, '  }\n  amoadd(JOIN, 1);\n', '  }\n'),
    ('amolock', 'reads a count that both increase before the wait', *both('  amoadd(JOIN, 1);\n', '  amoadd(FREE, 1);\n  amoadd(JOIN, 1);\n'), W, ENDED, '  tt_store(sum + 32, tt_load(FREE));\n' + ENDED),
    ('amolock', 'serves the next ticket before the change', *both(ENTER + CHANGE + LEAVE, TICKET + '    tt_store(FREE, mine + 1);\n' + CHANGE)),
    ('amolock', 'unlocks while a NoC read of the section is under way', *both(CHANGE, FETCH.replace('    noc_async_read_barrier();\n', '')), *both('  amoadd(JOIN, 1);\n', '  noc_async_read_barrier();\n  amoadd(JOIN, 1);\n')),
    ('amoslot', 'announces before it fills', R, FILL + FULL, FULL + FILL),
    ('amoslot', 'announces by an atomic before it fills', R, FILL + FULL, '    amoor(LOCK, 1);\n' + FILL),
    ('amoslot', 'does not wait for room', R, ROOM, ''),
    ('amoslot', 'does not wait for data', W, THERE, ''),
    ('amoslot', 'looks once', W, THERE, '    amoadd(LOCK, 0);\n'),
    ('amoslot', 'empties before it reads', W, TAKE + EMPTY, EMPTY + TAKE),
    ('amoslot', 'waits for any value', W, 'amoadd(LOCK, 0) != 1', 'amoadd(LOCK, 0) > 1'),
    ('amocount', 'waits for one of two', W, 'tt_load(JOIN) != 2', 'tt_load(JOIN) < 1'),
    ('amocount', 'waits for one of two by an atomic', W, 'tt_load(JOIN) != 2', 'amoadd(JOIN, 0) < 1'),
    ('amocount', 'does not wait', W, BOTH, ''),
    ('amocount', 'counts before it stores', R, '  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, k + 1);\n  amoadd(JOIN, 1);\n', '  amoadd(JOIN, 1);\n  for (uint32_t k = 0; k < WORDS; k++) tt_store(DATA + 4 * k, k + 1);\n'),
    ('amosecond', 'both add up', *both('if (amoadd(JOIN, 1) == 1)', 'amoadd(JOIN, 1);\n')),
    ('amosecond', 'the first adds up', *both('amoadd(JOIN, 1) == 1', 'amoadd(JOIN, 1) == 0')),
]

CORRECT = [
    ('amolock', 'a lock and a count 128 bytes apart', *both('JOIN = 0x40004', 'JOIN = 0x40080')),
    ('amolock', 'atomics on 40 more words', *both('  amoadd(JOIN, 1);\n', '  amoadd(JOIN, 1);\n  for (uint32_t k = 0; k < 40; k++) amoadd(0x42000 + 4 * k, 1);\n')),
    ('amolock', 'unlocks by an atomic', *both(LEAVE, '    amoswap(LOCK, 0);\n')),
    ('amolock', 'a lock with a pause', *both(ENTER, '    while (amoswap(LOCK, 1)) { for (uint32_t d = 0; d < 20; d++) __asm__ volatile("nop"); }\n')),
    ('amolock', 'looks by a load until the lock is free', *both(ENTER, '    while (amoswap(LOCK, 1)) { while (tt_load(LOCK)) l1_look(); }\n')),
    ('amolock', 'a lock that amomaxu takes', *both('amoswap(LOCK, 1)', 'amomaxu(LOCK, 1)')),
    ('amolock', 'a lock of one bit', *both('amoswap(LOCK, 1)', 'amoor(LOCK, 4) & 4')),
    ('amolock', 'tickets', *both(ENTER + CHANGE + LEAVE, TICKET + CHANGE + '    tt_store(FREE, mine + 1);\n')),
    ('amolock', 'tickets served by an atomic', *both(ENTER + CHANGE + LEAVE, TICKET + CHANGE + '    amoadd(FREE, 1);\n')),
    ('amolock', 'joins by a load', W, 'while (amoadd(JOIN, 0) != 2) {}', 'while (tt_load(JOIN) != 2) l1_look();'),
    ('amolock', 'joins by loads of both', R, '{ work(get_arg_val(0)); }', '{\n  work(get_arg_val(0));\n  while (tt_load(JOIN) != 2) l1_look();\n  tt_store(get_arg_val(0) + 32, tt_load(get_arg_val(0)));\n}'),
    ('amolock', 'counts without a wait for them', *both(CHANGE, CHANGE + '    amoadd(FREE, 1);\n')),
    ('amolock', 'reads a count that both increase behind the wait', *both('  amoadd(JOIN, 1);\n', '  amoadd(FREE, 1);\n  amoadd(JOIN, 1);\n'), W, ENDED, ENDED + '  tt_store(sum + 32, tt_load(FREE));\n'),
    ('amolock', 'a NoC read in the section', *both(CHANGE, FETCH)),
    ('amoslot', 'announces by an atomic', R, FULL, '    amoor(LOCK, 1);\n'),
    ('amoslot', 'waits for room by an atomic', R, ROOM, '    while (amoadd(LOCK, 0) != 0) {}\n'),
    ('amoslot', 'empties by a store', W, EMPTY, '    tt_store(LOCK, 0);\n'),
    ('amocount', 'waits by an atomic', W, BOTH, '  while (amoadd(JOIN, 0) != 2) {}\n'),
    ('amocount', 'waits for at least two by an atomic', W, BOTH, '  while (amoor(JOIN, 0) < 2) {}\n'),
]
