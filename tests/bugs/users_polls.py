"""Further rows for users.py: loops that wait in other ways than the library's, and pages that two agents fill."""
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'
D = 'tests/bugs/users/'

# --- waits with pauses, and conditions that compute ---

NOPS = '{ for (uint32_t d = 0; d < 200; d++) __asm__ volatile("nop"); }'
STACK = '{ for (volatile uint32_t d = 0; d < 30; d++) {} }'
DOUBLED = '{ for (uint32_t d = 0; d < pause; d++) __asm__ volatile("nop"); if (pause < 4096) pause *= 2; }'
CLOCK = '{ uint32_t start = tt_load(0xFFB121F0u); while (tt_load(0xFFB121F0u) - start < 100) {} }'
CYCLES = '{ uint32_t start, now; __asm__ volatile(".insn i 0x73, 2, %0, x0, -1024" : "=r"(start)); do __asm__ volatile(".insn i 0x73, 2, %0, x0, -1024" : "=r"(now)); while (now - start < 100); }'
PAUSES = [('a fixed pause', NOPS), ('a pause counted on the stack', STACK), ('a pause that doubles', DOUBLED), ('a pause by the wall clock', CLOCK), ('a pause by the cycle counter', CYCLES)]

SEMAPHORE = '    noc_semaphore_wait(get_semaphore(SEM_FULL), 2);\n'
FULL = 'tt_load(get_semaphore(SEM_FULL))'


def semaphore(what, condition, body='{}'):
    return ('gather', what, R, SEMAPHORE, f'    for (uint32_t pause = 1; {condition};) {body}\n')


PAGE = '    cb_wait_front(CB_C, 1);\n'
ARRIVED = '(uint16_t)(tt_load(cb_register(CB_C, CB_STREAM_RECEIVED)) - cb_interfaces[CB_C].acked)'


def page(what, condition, body='{}'):
    return ('add', what, W, PAGE, f'    for (uint32_t pause = 1; {condition};) {body}\n')


AVAILABLE = '    cb_wait_front(tt::CBIndex::c_16, 1);\n'
SERVE = '''// NCRISC: two buffers, each filled when it has room. Arguments: A, B, number of tiles.

void kernel_main() {
  constexpr auto args_a = TensorAccessorArgs<0>();
  constexpr auto args_b = TensorAccessorArgs<args_a.next_compile_time_args_offset()>();
  const auto a = TensorAccessor(args_a, get_arg_val<uint32_t>(0), get_tile_size(tt::CBIndex::c_0));
  const auto b = TensorAccessor(args_b, get_arg_val<uint32_t>(1), get_tile_size(tt::CBIndex::c_1));
  const uint32_t tiles = get_arg_val<uint32_t>(2);
  uint32_t i = 0, j = 0;
  while (i < tiles || j < tiles) {
    if (i < tiles && cb_pages_reservable_at_back(tt::CBIndex::c_0, 1)) {
      noc_async_read_page(i, a, get_write_ptr(tt::CBIndex::c_0));
      noc_async_read_barrier();
      cb_push_back(tt::CBIndex::c_0, 1);
      i++;
    }
    if (j < tiles && cb_pages_reservable_at_back(tt::CBIndex::c_1, 1)) {
      noc_async_read_page(j, b, get_write_ptr(tt::CBIndex::c_1));
      noc_async_read_barrier();
      cb_push_back(tt::CBIndex::c_1, 1);
      j++;
    }
  }
}
'''
FOLDERS = {'serve': {'reader.cpp': SERVE, 'compute.cpp': D + 'cpp/compute.cpp', 'writer.cpp': D + 'cpp/writer.cpp', K: open(D + 'cpp/kernel.chip').read().replace('64x64', '64x128').replace('buffer 0  4', 'buffer 0  2').replace('buffer 1  4', 'buffer 1  2')}}

# --- a page of B that the NoC fills up to a byte and the core from a byte on ---

READ_B = '    noc_async_read_page(i, &b, get_write_ptr(CB_B));\n'
HALF = '    noc_async_read(get_interleaved_noc_addr(&b, i), get_write_ptr(CB_B), 1024);\n'
ROWS = '    for (uint32_t k = 0; k < 2048; k += 128) noc_async_read(get_interleaved_noc_addr(&b, i) + k, get_write_ptr(CB_B) + k, 64);\n'
FENCE = '    l1_fence(get_write_ptr(CB_B) + 2044);\n'
EXPECT = (K, 'expect C sum A B 0.01 ', '#')


def clear(first):
    return f'    for (uint32_t k = {first}; k < 2048; k += 4) tt_store(get_write_ptr(CB_B) + k, 0);\n'


BETWEEN = '    for (uint32_t k = 64; k < 2048; k += 128) for (uint32_t at = k; at < k + %d; at += 4) tt_store(get_write_ptr(CB_B) + at, 0);\n'

BUGS = [
    *[semaphore(f'waits for one of two with {name}', f'{FULL} < 1', body) for name, body in PAUSES],
    semaphore('waits for one of two by a division', f'{FULL} * 2 / 2 < 1'),
    semaphore('waits for one of two by a remainder', f'{FULL} % 4 < 1'),
    *[page(f'waits for no page with {name}', f'(uint16_t)({ARRIVED} + 1) < 1', body) for name, body in PAUSES],
    ('cpp', 'asks for no page', 'writer.cpp', AVAILABLE, '    while (!cb_pages_available_at_front(tt::CBIndex::c_16, 0)) riscv_wait(100);\n'),
    ('serve', 'fills the second buffer when it has room for none', 'reader.cpp', 'cb_pages_reservable_at_back(tt::CBIndex::c_1, 1)', 'cb_pages_reservable_at_back(tt::CBIndex::c_1, 0)'),
    ('serve', 'fills the second buffer without a look', 'reader.cpp', 'j < tiles && cb_pages_reservable_at_back(tt::CBIndex::c_1, 1)', 'j < tiles'),
    ('add', 'the core clears the page one line too early', R, READ_B, HALF + clear(1008) + FENCE, *EXPECT),
    ('add', 'the core clears a word too many between rows of the NoC', R, READ_B, ROWS + (BETWEEN % 68).replace('k = 64;', 'k = 64 - 4;') + FENCE, *EXPECT),
    ('add', 'half a page is pushed before its stores have arrived', R, READ_B, HALF + clear(1024), *EXPECT),
    ('halves', 'the second half begins too early', W, 'noc_async_read(get_interleaved_noc_addr(&b, i) + HALF, tt_load(WHERE) + HALF, HALF)', 'noc_async_read(get_interleaved_noc_addr(&b, i) + HALF - 64, tt_load(WHERE) + HALF - 64, HALF)'),
    ('halves', 'the second half is announced before it has arrived', W, '    noc_async_read_barrier();\n    tt_store(DONE, i + 1);\n', '    tt_store(DONE, i + 1);\n    noc_async_read_barrier();\n'),
    ('halves', 'does not wait for the second half', R, '    while (tt_load(DONE) != i + 1) {}\n', ''),
]

CORRECT = [
    *[semaphore(f'waits with {name}', f'{FULL} != 2', body) for name, body in PAUSES],
    *[semaphore(f'waits for at least two with {name}', f'{FULL} < 2', body) for name, body in PAUSES],
    semaphore('waits by a division', f'{FULL} / 2 != 1'),
    semaphore('waits by a remainder', f'{FULL} % 3 != 2'),
    *[page(f'waits with {name}', f'{ARRIVED} < 1', body) for name, body in PAUSES],
    ('cpp', 'asks for a page and pauses', 'writer.cpp', AVAILABLE, '    while (!cb_pages_available_at_front(tt::CBIndex::c_16, 1)) riscv_wait(100);\n'),
    ('serve', 'asks in the other order', 'reader.cpp', 'i < tiles && cb_pages_reservable_at_back(tt::CBIndex::c_0, 1)', 'cb_pages_reservable_at_back(tt::CBIndex::c_0, 1) && i < tiles'),
    ('add', 'the core clears the half that the NoC does not fill', R, READ_B, HALF + clear(1024) + FENCE, *EXPECT),
    ('add', 'the core clears first, then the NoC fills the rest', R, READ_B, clear(1024) + HALF + FENCE, *EXPECT),
    ('add', 'rows of a page in turns from the NoC and the core', R, READ_B, ROWS + BETWEEN % 64 + FENCE, *EXPECT),
]
