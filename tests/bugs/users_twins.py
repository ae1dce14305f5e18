"""Further rows for users.py that no mutation of a wait or a count gives, with correct programs that look alike."""
R, C, W, K, H = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip', 'scratch.h'

NEXT_POPS = '  cb_pop_front(CB_A, 1);\n  cb_pop_front(CB_ACC, 1);\n  cb_reserve_back(to, 1);\n'
PACK = '  tile_regs_wait();\n  pack_tile(0, to);\n  tile_regs_release();\n  cb_push_back(to, 1);\n'

BUGS = [
    # --- a partial sum that is packed and unpacked again ---
    ('acc', 'reserves the output and packs the partial sum', C, 'cb_reserve_back(to, 1)', 'cb_reserve_back(CB_C, 1)'),
    ('acc', 'takes the partial sum before it is used', C, '  add_tiles(CB_A, CB_ACC, 0, 0, 0);\n', '  cb_pop_front(CB_ACC, 1);\n  add_tiles(CB_A, CB_ACC, 0, 0, 0);\n', C, NEXT_POPS, '  cb_pop_front(CB_A, 1);\n  cb_reserve_back(to, 1);\n'),
    ('acc', 'waits for the partial sum once per sum', C, '  cb_wait_front(CB_ACC, 1);\n', '', C, '    add_tiles_init();\n', '    add_tiles_init();\n    cb_wait_front(CB_ACC, 1);\n'),
    ('acc', 'the copy runs with the template of the sum', C, '  copy_tile_init(CB_A);\n', '', C, '  binary_op_init(CB_A, CB_ACC, CB_C);\n', '  binary_op_init(CB_A, CB_ACC, CB_C);\n  copy_tile_init(CB_A);\n'),
    ('acc', 'the sum is initialised once, before the copy', C, '    first();\n    add_tiles_init();\n', '    add_tiles_init();\n    first();\n'),
    ('acc', 'gives the half of Dst back before the packer has read it', C, '  pack_tile(0, to);\n  tile_regs_release();\n', '  tile_regs_release();\n  pack_tile(0, to);\n'),
    ('acc', 'announces the page between two waits of the packer', C, PACK, '  cb_push_back(to, 1);\n  tile_regs_wait();\n  pack_tile(0, to);\n  tile_regs_release();\n'),
    ('acc', 'the second half of the loop packs without a commit', C, '  add_tiles(CB_A, CB_ACC, 0, 0, 0);\n  tile_regs_commit();\n', '  tile_regs_commit();\n  add_tiles(CB_A, CB_ACC, 0, 0, 0);\n'),
    ('acc', 'the partial sum shares its page with the input', K, 'buffer 24 1 bf16', 'buffer 24 1 bf16', C, 'CB_ACC = 24', 'CB_ACC = 0'),
    # --- the pack core reads what its packer has written ---
    ('scratch', 'no wait for the packer', C, '  tensix_sync();\n', ''),
    ('scratch', 'waits for the MOP, not for the packer', C, '  tensix_sync();\n', '  mop_sync();\n'),
    ('scratch', 'counts before it stores', C, '  tt_store(SUMS + 4 * i, tt_load(page));\n  tt_store(COUNT, i + 1);\n', '  uint32_t word = tt_load(page);\n  tt_store(COUNT, i + 1);\n  tt_store(SUMS + 4 * i, word);\n'),
    ('scratch', 'the writer sends the words without a look at the count', W, '  while (tt_load(COUNT) < tiles) {}\n', ''),
    ('scratch', 'the writer waits for one word too few', W, 'tt_load(COUNT) < tiles', 'tt_load(COUNT) + 1 < tiles'),
    ('scratch', 'the words lie in the page of a buffer', H, 'SUMS = 0x100000', 'SUMS = 0x20000'),
    ('scratch', 'the words lie in the code of the unpack core', H, 'SUMS = 0x100000', 'SUMS = 0xe100'),
    ('scratch', 'changes the packed tile after the push', C, '    cb_push_back(CB_C, 1);\n', '    PACK(uint32_t page = cb_interfaces[CB_C].write;)\n    cb_push_back(CB_C, 1);\n    PACK(tt_store(page + 64, 0);)\n'),
    ('scratch', 'changes the packed tile with no fence before the push', C, '    cb_push_back(CB_C, 1);\n', '    PACK(tt_store(cb_interfaces[CB_C].write + 64, 0);)\n    cb_push_back(CB_C, 1);\n'),
    ('scratch', 'the math core clears the count of the pack core', C, '  PACK(tt_store(COUNT, 0);)\n', '  MATH(tt_store(COUNT, 0);)\n'),
    # --- edges of neighbours ---
    ('halo', 'one slot for all steps', R, 'base + (step & 1) * EDGE', 'base'),
    ('halo', 'no fence between the sums and the next write', R, '  l1_fence(to + EDGE - 4);\n', ''),
    ('halo', 'the semaphore overtakes the edge', R, '  noc_async_write_barrier();\n  noc_semaphore_inc', '  noc_async_writes_flushed();\n  noc_semaphore_inc'),
    ('halo', 'waits for the left neighbour only', R, '    if (index < last) noc_semaphore_wait_min(get_semaphore(SEM_RIGHT), step + 1);\n', ''),
    ('halo', 'waits for the last step', R, 'get_semaphore(SEM_LEFT), step + 1', 'get_semaphore(SEM_LEFT), step'),
    ('halo', 'both neighbours count in one semaphore', R, 'enum { SEM_LEFT, SEM_RIGHT };', 'enum { SEM_LEFT, SEM_RIGHT = SEM_LEFT };'),
    ('halo', 'an edge that is longer than its slot', R, 'noc_async_write(edge, get_noc_addr(x, my_y, to), EDGE)', 'noc_async_write(edge, get_noc_addr(x, my_y, to), 2 * EDGE)'),
    ('halo', 'slots of both neighbours overlap', R, 'FROM_RIGHT = 0x50100', 'FROM_RIGHT = 0x50020'),
    ('halo', 'sends the row before it has arrived', R, '  noc_async_read_page(index, &a, DATA);\n  noc_async_read_barrier();\n', '  noc_async_read_page(index, &a, DATA);\n'),
    ('halo', 'sends the next step before it has added the last', R, '    if (index > 0) add(DATA, slot(FROM_LEFT, step));\n', '    if (index > 0 && step) add(DATA, slot(FROM_LEFT, step - 1));\n'),
    ('halo', 'the result leaves before the last sum has arrived', R, '  l1_fence(to + EDGE - 4);\n', '', R, '    if (index > 0) send(', '    l1_fence(DATA + EDGE - 4);\n    l1_fence(DATA + ROW - 4);\n    if (index > 0) send('),
    # --- a packet of an earlier request that leaves later ---
    ('behind', 'frees the slot for the next round before it has read it', R, '    noc_semaphore_wait_min(get_semaphore(FREE), i + 1);\n', '    noc_semaphore_wait_min(get_semaphore(FREE), i);\n'),
    # --- a tile of constants ---
    ('scale', 'the constants are pushed before their stores have arrived', W, '  l1_fence(page + bytes - 4);\n', ''),
    ('scale', 'half of the constants', W, 'at < bytes; at += 4', 'at < bytes / 2; at += 4', W, '  l1_fence(page + bytes - 4);\n', '  l1_fence(page + bytes / 2 - 4);\n'),
    ('scale', 'twice as many constants as the page holds', W, 'at < bytes; at += 4', 'at < 2 * bytes; at += 4'),
    ('scale', 'the compute kernel never waits for the constants', C, '  cb_wait_front(CB_TWO, 1);\n', ''),
    ('scale', 'the constants are popped in the loop', C, '    cb_pop_front(CB_A, 1);\n', '    cb_pop_front(CB_A, 1);\n    cb_pop_front(CB_TWO, 1);\n'),
    ('scale', 'both data cores push the constants', R, 'void kernel_main(void) {\n', 'void kernel_main(void) {\n  cb_reserve_back(1, 1);\n  for (uint32_t at = 0; at < 2048; at += 4) tt_store(get_write_ptr(1) + at, 0x40004000u);\n  l1_fence(get_write_ptr(1) + 2044);\n  cb_push_back(1, 1);\n', K, 'buffer 1  1 bf16', 'buffer 1  2 bf16'),
    ('scale', 'the page of constants is written through the read pointer of the output', W, 'page = get_write_ptr(CB_TWO)', 'page = get_read_ptr(CB_C)'),
    # --- buffers over tensors in L1 ---
    ('shard', 'the output begins in the input', K, 'tensor C zero:64x64     bf16 tiles 1,2 0x80000', 'tensor C zero:64x64     bf16 tiles 1,2 0x80000', K, 'buffer 16 4 C on C', 'buffer 16 4 C on A'),
    ('shard', 'announces more pages than the shard has', R, '  cb_push_back(CB_A, tiles);\n', '  cb_push_back(CB_A, tiles + 1);\n'),
    ('shard', 'uses a tile past the shard', C, 'add_tiles(CB_A, CB_B, i, 0, 0)', 'add_tiles(CB_A, CB_B, i + 1, 0, 0)'),
    ('shard', 'the reader clears the shard after it has announced it', R, '  for (uint32_t i = 0; i < tiles; i++) {\n', '  tt_store(get_read_ptr(CB_A), 0);\n  for (uint32_t i = 0; i < tiles; i++) {\n'),
    ('shard', 'announces the result tile by tile, before it is packed', C, '    pack_tile(0, CB_C);\n', '    cb_push_back(CB_C, 1);\n    pack_tile(0, CB_C);\n', C, '  cb_push_back(CB_C, tiles);\n', ''),
    ('shard', 'the reader fetches B over the last page of A', R, 'get_write_ptr(CB_B)', '(i == 1 ? 0x60000 + 3 * 2048 : get_write_ptr(CB_B))'),
    # --- requests with transaction numbers ---
    ('trid', 'waits for the other number before the push', 'reader.cpp', 'noc_async_read_barrier_with_trid(1)', 'noc_async_read_barrier_with_trid(3)'),
    ('trid', 'waits for the first number twice', 'reader.cpp', 'noc_async_read_barrier_with_trid(2)', 'noc_async_read_barrier_with_trid(1)'),
    ('trid', 'pushes both pages after the first number', 'reader.cpp', '    cb_push_back(tt::CBIndex::c_0, 1);\n    noc_async_read_barrier_with_trid(2);\n', '    cb_push_back(tt::CBIndex::c_0, 1);\n    cb_push_back(tt::CBIndex::c_0, 1);\n    noc_async_read_barrier_with_trid(2);\n', 'reader.cpp', '    noc_async_read_barrier_with_trid(2);\n    cb_push_back(tt::CBIndex::c_0, 1);\n', '    noc_async_read_barrier_with_trid(2);\n'),
    ('trid', 'pops the first page after the wait for none', 'writer.cpp', 'noc_async_write_barrier_with_trid(1)', 'noc_async_write_barrier_with_trid(4)'),
    ('trid', 'pops both pages after the first number', 'writer.cpp', '    cb_pop_front(tt::CBIndex::c_16, 1);\n    noc_async_write_barrier_with_trid(2);\n    cb_pop_front', '    cb_pop_front(tt::CBIndex::c_16, 1);\n    cb_pop_front', ),
    ('stage', 'waits for one page too few, which an earlier wait has seen', R, 'get_semaphore(STAGED), i + 1', 'get_semaphore(STAGED), i'),
]

# Correct: no finding with --check all --strict.
CORRECT = [
    ('acc', 'reserves before it takes', K, 'buffer 24 1 bf16', 'buffer 24 2 bf16', C, NEXT_POPS, '  cb_reserve_back(to, 1);\n  cb_pop_front(CB_A, 1);\n  cb_pop_front(CB_ACC, 1);\n'),
    ('acc', 'pushes before the release', C, PACK, '  tile_regs_wait();\n  pack_tile(0, to);\n  cb_push_back(to, 1);\n  tile_regs_release();\n'),
    ('acc', 'initialises for every step', C, '  tile_regs_acquire();\n  add_tiles', '  add_tiles_init();\n  tile_regs_acquire();\n  add_tiles'),
    ('acc', 'three pages of partial sums', K, 'buffer 24 1 bf16', 'buffer 24 3 bf16'),
    ('acc', 'commits after the pops', C, '  tile_regs_commit();\n  cb_pop_front(CB_A, 1);\n  cb_pop_front(CB_ACC, 1);\n', '  cb_pop_front(CB_A, 1);\n  cb_pop_front(CB_ACC, 1);\n  tile_regs_commit();\n'),
    ('scratch', 'waits for the packer by a STALLWAIT and a semaphore of the core', C, '    PACK(look(cb_interfaces[CB_C].write, i);)\n', '    PACK(TTI_STALLWAIT(p_stall_STALL_SYNC, p_stall_PACK);)\n    PACK(look(cb_interfaces[CB_C].write, i);)\n'),
    ('scratch', 'corrects the packed tile, with a fence', C, '    cb_push_back(CB_C, 1);\n', '    PACK(tt_store(cb_interfaces[CB_C].write + 64, 0);)\n    PACK(uint32_t read = tt_load(cb_interfaces[CB_C].write + 64); __asm__ volatile("andi zero, %0, 0" : : "r"(read) : "memory");)\n    cb_push_back(CB_C, 1);\n'),
    ('scratch', 'the count lies behind the words', H, 'COUNT = 0x100100', 'COUNT = SUMS + 32'),
    ('scratch', 'the writer looks at every word', W, '  while (tt_load(COUNT) < tiles) {}\n', '  for (uint32_t i = 0; i < tiles; i++)\n    while (tt_load(COUNT) <= i) {}\n'),
    ('scratch', 'the writer reads the words itself', W, '  noc_async_write_page(0, &s, SUMS);\n', '  uint32_t sum = 0;\n  for (uint32_t i = 0; i < tiles; i++) sum += tt_load(SUMS + 4 * i);\n  tt_store(0x100200, sum);\n  l1_fence(0x100200);\n  noc_async_write_page(0, &s, 0x100200);\n', K, 'int32 rows dram\nbuffer', 'int32 rows dram\nbuffer'),
    ('halo', 'four slots', R, '(step & 1) * EDGE', '(step & 3) * EDGE'),
    ('halo', 'waits in the other order', R, '    if (index > 0) noc_semaphore_wait_min(get_semaphore(SEM_LEFT), step + 1);\n    if (index < last) noc_semaphore_wait_min(get_semaphore(SEM_RIGHT), step + 1);\n    if (index > 0) add(DATA, slot(FROM_LEFT, step));\n', '    if (index > 0) noc_semaphore_wait_min(get_semaphore(SEM_LEFT), step + 1);\n    if (index > 0) add(DATA, slot(FROM_LEFT, step));\n    if (index < last) noc_semaphore_wait_min(get_semaphore(SEM_RIGHT), step + 1);\n'),
    ('halo', 'one fence for both sums', R, '  l1_fence(to + EDGE - 4);\n', '', R, '    if (index < last) add(DATA + ROW - EDGE, slot(FROM_RIGHT, step));\n', '    if (index < last) add(DATA + ROW - EDGE, slot(FROM_RIGHT, step));\n    l1_fence(index < last ? DATA + ROW - 4 : DATA + EDGE - 4);\n'),
    ('halo', 'one slot and an answer for every edge', R, 'base + (step & 1) * EDGE', 'base', R, 'enum { SEM_LEFT, SEM_RIGHT };', 'enum { SEM_LEFT, SEM_RIGHT, SEM_ANSWERS };', R, '    if (index > 0) send(DATA, my', '    noc_semaphore_wait_min(get_semaphore(SEM_ANSWERS), step * ((index > 0) + (index < last)));\n    if (index > 0) send(DATA, my', R, '    if (index > 0) add(DATA, slot(FROM_LEFT, step));\n', '    if (index > 0) add(DATA, slot(FROM_LEFT, step));\n    if (index > 0) noc_semaphore_inc(get_noc_addr(my_x - 1, my_y, get_semaphore(SEM_ANSWERS)), 1);\n', R, '    if (index < last) add(DATA + ROW - EDGE, slot(FROM_RIGHT, step));\n', '    if (index < last) add(DATA + ROW - EDGE, slot(FROM_RIGHT, step));\n    if (index < last) noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_ANSWERS)), 1);\n'),
    ('scale', 'the constants are popped at the end', C, '    cb_push_back(CB_C, 1);\n  }\n', '    cb_push_back(CB_C, 1);\n  }\n  cb_pop_front(CB_TWO, 1);\n'),
    ('scale', 'waits for the constants in the loop', C, '    cb_wait_front(CB_A, 1);\n', '    cb_wait_front(CB_A, 1);\n    cb_wait_front(CB_TWO, 1);\n'),
    ('scale', 'the constants are stored from the end', W, 'tt_store(page + at, 0x40004000u)', 'tt_store(page + bytes - 4 - at, 0x40004000u)', W, 'l1_fence(page + bytes - 4)', 'l1_fence(page)'),
    ('scale', 'a barrier for every tile', W, 'noc_async_writes_flushed', 'noc_async_write_barrier'),
    ('shard', 'waits for one page of four, which are pushed at once', C, '  cb_wait_front(CB_A, tiles);\n', '  cb_wait_front(CB_A, 1);\n'),
    ('acc', 'the order of reserve and pop is that of two cores', C, NEXT_POPS, '  cb_pop_front(CB_A, 1);\n  cb_reserve_back(to, 1);\n  cb_pop_front(CB_ACC, 1);\n'),
    ('mm', 'waits for one tile of a row of B, which is pushed at once', C, '      cb_wait_front(CB_B, columns);\n', '      cb_wait_front(CB_B, 1);\n'),
    ('credits', 'the wait for B covers the second tile of A', C, '    cb_wait_front(CB_A, 2);\n', ''),
    ('shard', 'announces the pages one by one', R, '  cb_push_back(CB_A, tiles);\n', '  for (uint32_t i = 0; i < tiles; i++) cb_push_back(CB_A, 1);\n'),
    ('shard', 'announces the result tile by tile', C, '    tile_regs_release();\n', '    tile_regs_release();\n    cb_push_back(CB_C, 1);\n', C, '  cb_push_back(CB_C, tiles);\n', ''),
    ('shard', 'pops the shard page by page', C, 'add_tiles(CB_A, CB_B, i, 0, 0)', 'add_tiles(CB_A, CB_B, 0, 0, 0)', C, '    cb_pop_front(CB_B, 1);\n', '    cb_pop_front(CB_B, 1);\n    cb_pop_front(CB_A, 1);\n', C, '  cb_pop_front(CB_A, tiles);\n', '', C, '  cb_wait_front(CB_A, tiles);\n', '', C, '    cb_wait_front(CB_B, 1);\n', '    cb_wait_front(CB_B, 1);\n    cb_wait_front(CB_A, 1);\n'),
    ('trid', 'one barrier for both', 'reader.cpp', 'noc_async_read_barrier_with_trid(1)', 'noc_async_read_barrier()'),
    ('trid', 'the numbers the other way round', 'reader.cpp', 'noc_async_read_barrier_with_trid(1)', 'noc_async_read_barrier_with_trid(2), noc_async_read_barrier_with_trid(1)'),
    ('trid', 'a number for the reads only', 'writer.cpp', 'noc_async_write_barrier_with_trid(1)', 'noc_async_write_barrier()'),
    ('trid', 'waits until the writes have left', 'writer.cpp', 'noc_async_write_barrier_with_trid(1)', 'noc_async_write_flushed_with_trid(1)'),
    ('stage', 'the NoC writes one half of a word, the core the other', R, '  uint32_t pages = get_arg_val(2);\n', '  uint32_t pages = get_arg_val(2);\n  tt_store(0x100000, 7);\n  l1_fence(0x100000);\n  noc_async_write(0x100000, get_noc_addr(my_x, my_y, 0x100020), 2);\n  *(volatile uint16_t *)0x100022 = 5;\n  noc_async_write_barrier();\n'),
]
