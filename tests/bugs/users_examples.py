"""Rows for users.py: bugs that a user may write into the programs of examples/, and correct programs that look alike."""
R, C, W, K, H = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip', 'grid.h'

GRID = """grid 1-3,2-4
tensor A random:192x256:1 bf16 tiles dram
tensor B random:256x192:2 bf16 tiles dram
tensor C zero:192x192     bf16 tiles dram
define compute MATH_FIDELITY=0
define compute DST_SYNC_FULL=1
buffer 0  8 bf16
buffer 1  8 bf16
buffer 16 2 bf16
args reader  2 8 2 col row cols rows 1 2 A B C 2
args compute 2 8 2 col row cols rows 1 2 A B C 2
args writer  2 8 2 col row cols rows 1 2 A B C 2
expect C matmul A B 0.02
"""
TREE = """grid 1-6,6
tensor V random:6x256:9 int32 rows 1-6,6 0x40000
tensor ONES fill:1x6:1  int32 rows dram
tensor R zero:1x256     int32 rows 1,6 0x50000
args reader col cols 1 V R 1024
expect R matmul ONES V 0
"""
GATHER = """grid 1-5,4
tensor A random:5x256:7 int32 rows 1-5,4 0x40000
tensor Z zero:5x256     int32 rows dram
tensor LAST zero:5x256  int32 rows 5,4 0x50000
args reader col cols 1 A LAST 1024
expect LAST sum A Z 0
"""
E = 'examples/'
FOLDERS = {**{name: E + name for name in ('linear', 'layernorm', 'attention', 'rmsnorm', 'gelu')},
           'grid': {R: E + 'grid_matmul/reader.c', C: E + 'grid_matmul/compute.c', W: E + 'grid_matmul/writer.c', H: E + 'grid_matmul/grid.h', K: GRID},
           'tree': {R: E + 'reduce_tree/reduce.c', K: TREE}, 'all': {R: E + 'all_gather/gather.c', K: GATHER}}

FILL = '  cb_reserve_back(CB_EPSILON, 1);\n  for (uint32_t i = 0; i < 2048; i += 4) tt_store(get_write_ptr(CB_EPSILON) + i, get_arg_val(6) >> 16 | (get_arg_val(6) & 0xffff0000u));\n'
SEND = '    noc_async_write_page(i, &c, get_read_ptr(CB_C));\n    noc_async_write_barrier();\n    cb_pop_front(CB_C, 1);\n'
READY = '  noc_semaphore_wait(get_semaphore(ready), receivers);\n  noc_semaphore_set(get_semaphore(ready), 0);\n'
DATA = '  noc_async_write_multicast(from, get_noc_multicast_addr(x0, y0, x1, y1, from), bytes, receivers, 1);\n'
FLAG = '  noc_semaphore_set_multicast(get_semaphore(valid), get_noc_multicast_addr(x0, y0, x1, y1, get_semaphore(valid)), receivers,\n                              0);\n'
ARRIVED = '    noc_async_write_barrier();\n    noc_semaphore_inc(get_noc_addr(next, my_y, get_semaphore(SEM_ARRIVED)), 1);\n'
PAGES = '  for (uint32_t i = 0; i < tiles; i++) noc_async_read_page(first + i, &from, get_write_ptr(cb) + i * get_tile_size(cb));\n  noc_async_read_barrier();\n  cb_push_back(cb, tiles);\n'
ONE_BY_ONE = '  for (uint32_t i = 0; i < tiles; i++) {\n    noc_async_read_page(first + i, &from, get_write_ptr(cb));\n    noc_async_read_barrier();\n    cb_push_back(cb, 1);\n  }\n'

BUGS = [
    # --- linear: a product in FP32 that is unpacked again, weights that stay ---
    ('linear', 'the packer keeps the format of the product', C, '  pack_reconfig_data_format(cb);\n', '  if (cb != CB_C) pack_reconfig_data_format(cb);\n'),
    ('linear', 'reconfigures the packer after the first pack', C, '  pack_reconfig_data_format(cb);\n', '', C, '  cb_push_back(cb, 1);\n', '  cb_push_back(cb, 1);\n  pack_reconfig_data_format(cb);\n'),
    ('linear', 'takes the product before it adds the bias', C, '  cb_pop_front(CB_PRODUCT, 1);\n', '', C, '  relu_tile(0);\n', '  relu_tile(0);\n', C, '  tile_regs_acquire();\n  add_tiles_bcast(', '  tile_regs_acquire();\n  cb_pop_front(CB_PRODUCT, 1);\n  add_tiles_bcast('),
    ('linear', 'the bias goes to another tile of Dst', C, 'CB_B, 0, n, 0)', 'CB_B, 0, n, 1)'),
    ('linear', 'no init of the bias', C, '  add_tiles_bcast_init(BROADCAST_ROW);\n', ''),
    ('linear', 'the inputs keep the formats of the product', C, '  compute_reconfigure_inputs(CB_PRODUCT, CB_B, 0);\n', ''),
    ('linear', 'no init of the second product', C, '  mm_init_short(CB_A, CB_W);\n', ''),
    ('linear', 'releases a row of A too early', C, '    cb_wait_front(CB_A, kt);\n', '    cb_wait_front(CB_A, kt);\n    cb_pop_front(CB_A, kt);\n', C, '    }\n    cb_pop_front(CB_A, kt);\n', '    }\n'),
    ('linear', 'a buffer of W with half of the pages', K, 'buffer 1  8 W', 'buffer 1  4 W'),
    ('linear', 'a buffer of another format than the tensor', K, 'buffer 1  8 W', 'buffer 1  8 bfp8'),
    ('linear', 'a buffer of FP32 with the pages of BF16', K, 'buffer 24 1 fp32', 'buffer 24 1 fp32 2048'),
    ('linear', 'counts and widths of W exchanged', K, 'args reader  A.ht A.wt W.wt', 'args reader  A.ht W.wt A.wt'),
    ('linear', 'no read barrier', R, '  noc_async_read_barrier();\n', ''),
    ('linear', 'reads one page after the barrier', R, '  noc_async_read_barrier();\n', '  noc_async_read_barrier();\n  noc_async_read_page(first, &from, get_write_ptr(cb));\n'),
    ('linear', 'a second core fills the bias', W, '  const struct', '  cb_reserve_back(2, 2);\n  cb_push_back(2, 2);\n  const struct', K, 'buffer 2  2 B', 'buffer 2  4 B'),
    ('linear', 'sends a header from the stack', W, SEND, '    uint32_t header[8];\n    for (uint32_t k = 0; k < 8; k++) header[k] = i;\n    noc_async_write_page(i, &c, get_read_ptr(CB_C));\n    noc_async_write((uint32_t)header, get_interleaved_noc_addr(&c, i), 32);\n    noc_async_write_barrier();\n    cb_pop_front(CB_C, 1);\n'),
    ('linear', 'changes a page and sends it with no fence', W, SEND, '    tt_store(get_read_ptr(CB_C), 0);\n' + SEND),
    ('linear', 'changes a page that is being sent', W, '    noc_async_write_barrier();\n', '    tt_store(get_read_ptr(CB_C), 0);\n    noc_async_write_barrier();\n'),
    ('linear', 'no write barrier', W, '    noc_async_write_barrier();\n', ''),
    ('linear', 'the write barrier of the other NoC', W, '    noc_async_write_barrier();\n', '    noc_async_read_barrier();\n'),
    ('linear', 'a table of pages that the host should have written', W, 'noc_async_write_page(i, &c,', 'noc_async_write_page(tt_load(0x100000 + 4 * i) & 3, &c,'),
    ('linear', 'notes in the code of the math core', C, '  mm_init_short(CB_A, CB_W);\n', '  mm_init_short(CB_A, CB_W);\n  MATH(tt_store(0x14100 + 4 * n, kt);)\n'),
    ('linear', 'notes in the arguments', W, '    cb_pop_front(CB_C, 1);\n', '    cb_pop_front(CB_C, 1);\n    tt_store(0x288 + 4 * i, i);\n'),
    ('linear', 'a frame that is larger than the stack', C, 'static void product(uint32_t kt, uint32_t nt, uint32_t n) {\n', 'static void product(uint32_t kt, uint32_t nt, uint32_t n) {\n  volatile uint32_t order[1000];\n  for (uint32_t k = 0; k < 1000; k++) order[k] = k;\n'),
    # --- layernorm, rmsnorm: constants by a core, buffers in two roles ---
    ('layernorm', 'fills a tile with no fence', R, '  push_filled_tile(CB_EPSILON, get_arg_val(6));\n', FILL + '  cb_push_back(CB_EPSILON, 1);\n'),
    ('layernorm', 'reads back another word than the last', R, '  push_filled_tile(CB_EPSILON, get_arg_val(6));\n', FILL + '  l1_fence(get_write_ptr(CB_EPSILON));\n  cb_push_back(CB_EPSILON, 1);\n'),
    ('layernorm', 'fills three quarters of a tile', R, '  push_filled_tile(CB_EPSILON, get_arg_val(6));\n', FILL.replace('i < 2048', 'i < 1536') + '  l1_fence(get_write_ptr(CB_EPSILON) + 1532);\n  cb_push_back(CB_EPSILON, 1);\n'),
    ('layernorm', 'the mean is not taken', C, '  cb_pop_front(CB_ROWS, 1);\n  cb_pop_front(CB_A, wt);\n', '  cb_pop_front(CB_A, wt);\n'),
    ('layernorm', 'no wait for the second column', C, '  cb_wait_front(CB_ROWS, 1);\n  each(ELWMUL', '  each(ELWMUL'),
    ('layernorm', 'takes A before it is centred', C, '  cb_pop_front(CB_ROWS, 1);\n  cb_pop_front(CB_A, wt);\n', '  cb_pop_front(CB_ROWS, 1);\n', C, '  cb_wait_front(CB_ROWS, 1);\n  each(ELWSUB', '  cb_wait_front(CB_ROWS, 1);\n  cb_pop_front(CB_A, wt);\n  each(ELWSUB'),
    ('layernorm', 'one page for four tiles', K, 'buffer 25 4 bf16', 'buffer 25 1 bf16'),
    ('layernorm', 'waits for the row of the wrong buffer', C, '  cb_wait_front(cb_a, wt);\n  compute', '  cb_wait_front(CB_A, wt);\n  compute'),
    ('rmsnorm', 'takes the squares before they are added', C, '  cb_wait_front(CB_SQUARE, wt);\n', '  cb_wait_front(CB_SQUARE, wt);\n  cb_pop_front(CB_SQUARE, wt);\n', C, '  pack_one(CB_SCALE);\n  cb_pop_front(CB_SQUARE, wt);\n', '  pack_one(CB_SCALE);\n'),
    ('rmsnorm', 'the function of the vector unit after the commit', C, '  rsqrt_tile(0);\n  pack_one(CB_SCALE);\n', '  pack_one(CB_SCALE);\n  rsqrt_tile(0);\n'),
    ('rmsnorm', 'pushes a page before it is packed', C, '  pack_tile(0, cb);\n  cb_push_back(cb, 1);\n', '  cb_push_back(cb, 1);\n  pack_tile(0, cb);\n'),
    ('rmsnorm', 'packs before the math core has ended', C, '  tile_regs_commit();\n  tile_regs_wait();\n  cb_reserve_back(cb, 1);\n  pack_tile(0, cb);\n', '  cb_reserve_back(cb, 1);\n  pack_tile(0, cb);\n  tile_regs_commit();\n  tile_regs_wait();\n'),
    # --- attention ---
    ('attention', 'no init of the products', C, '  mm_init_short(cb_a, cb_b);\n', ''),
    ('attention', 'the maximum is not finished', C, '  reduce_row_done(0);\n', ''),
    ('attention', 'the maximum is not initialised', C, '  reduce_init(POOL_MAX, REDUCE_ROW, CB_SCORE, CB_SCALER);\n', ''),
    ('attention', 'one tile of K too far', C, 't * dt + d, 0)', 't * dt + d + 1, 0)'),
    ('attention', 'takes the maximum before it is subtracted', C, '  row_max(tt);\n', '  row_max(tt);\n  cb_wait_front(CB_ROWS, 1);\n  cb_pop_front(CB_ROWS, 1);\n', C, '  cb_pop_front(CB_SCORE, tt);\n  cb_pop_front(CB_ROWS, 1);\n  row_inv', '  cb_pop_front(CB_SCORE, tt);\n  row_inv'),
    ('attention', 'room for one tile of K transposed', K, 'buffer 24 4 bf16', 'buffer 24 2 bf16'),
    ('attention', 'V is not waited for', C, '  cb_wait_front(CB_V, tt * dt);\n', '', R, '  deliver(CB_V, get_arg_val(5), 0, tt * dt);\n  for (uint32_t s = 0; s < st; s++) deliver(CB_Q, get_arg_val(3), s * dt, dt);\n', '  for (uint32_t s = 0; s < st; s++) deliver(CB_Q, get_arg_val(3), s * dt, dt);\n  deliver(CB_V, get_arg_val(5), 0, tt * dt);\n', K, 'buffer 0  2 Q', 'buffer 0  4 Q'),
    # --- gelu ---
    ('gelu', 'the page is taken before it is copied', C, '    copy_tile(CB_A, 0, 0);\n    cb_pop_front(CB_A, 1);\n', '    cb_pop_front(CB_A, 1);\n    copy_tile(CB_A, 0, 0);\n'),
    ('gelu', 'the function reads another tile of Dst', C, 'gelu_tile(0)', 'gelu_tile(1)'),
    ('gelu', 'Dst is given back before it is packed', C, '    pack_tile(0, CB_C);\n    cb_push_back(CB_C, 1);\n    tile_regs_release();\n', '    tile_regs_release();\n    pack_tile(0, CB_C);\n    cb_push_back(CB_C, 1);\n'),
    # --- a grid of products ---
    ('grid', 'the flag before the data', H, DATA, '', H, FLAG, FLAG + DATA),
    ('grid', 'does not wait for the receivers', H, READY, ''),
    ('grid', 'waits for one receiver too few', H, 'get_semaphore(ready), receivers);', 'get_semaphore(ready), receivers - 1);'),
    ('grid', 'the receiver clears the flag after it is ready', H, '  noc_semaphore_set(get_semaphore(valid), 0);\n  noc_semaphore_wait(get_semaphore(valid), 0); /* the store has arrived: the sender\'s flag comes after it */\n  noc_semaphore_inc(get_noc_addr(sender_x, sender_y, get_semaphore(ready)), 1);\n', '  noc_semaphore_inc(get_noc_addr(sender_x, sender_y, get_semaphore(ready)), 1);\n  noc_semaphore_set(get_semaphore(valid), 0);\n'),
    ('grid', 'the receiver has not reserved', R, '    cb_reserve_back(CB_A, tiles);\n    if (col == 0) {\n', '    if (col == 0) {\n      cb_reserve_back(CB_A, tiles);\n'),
    ('grid', 'no read barrier before the multicast', H, '  noc_async_read_barrier();\n', ''),
    ('grid', 'no barrier after the multicast', H, '  noc_async_write_barrier();\n}', '}', R, '  noc_async_full_barrier();\n', ''),
    ('grid', 'counts itself among the receivers', R, '                        cols - 1);', '                        cols);'),
    ('grid', 'one semaphore for A and B', H, 'SEM_A_READY, SEM_A_VALID, SEM_B_READY, SEM_B_VALID', 'SEM_A_READY, SEM_A_VALID, SEM_B_READY = 0, SEM_B_VALID = 1'),
    ('grid', 'the receiver does not wait for the flag', H, '  noc_semaphore_wait(get_semaphore(valid), 1);\n', ''),
    ('grid', 'one row of C is written by two tiles', W, 'first = get_arg_val(ARG_ROW) * mt * across', 'first = get_arg_val(ARG_ROW) / 2 * mt * across'),
    ('grid', 'packs more tiles than Dst has', C, 'i < mt * nt', 'i < mt * nt + 13'),
    # --- a tree of sums ---
    ('tree', 'no read barrier', R, '    noc_async_read_barrier();\n', ''),
    ('tree', 'no fence after the sum', R, '  l1_fence(to + bytes - 4);\n', ''),
    ('tree', 'does not wait for the child', R, '    noc_semaphore_wait_min(get_semaphore(SEM_DONE) + 16 * rounds, 1);\n', ''),
    ('tree', 'waits for the first child only', R, 'get_semaphore(SEM_DONE) + 16 * rounds, 1)', 'get_semaphore(SEM_DONE) + 16, 1)'),
    ('tree', 'reads half of the vector', R, 'vector), SCRATCH, bytes);', 'vector), SCRATCH, bytes / 2);'),
    ('tree', 'tells the parent before it adds', R, '    add(vector, SCRATCH, bytes);\n  }\n', '  }\n', R, '  noc_async_full_barrier();\n}', '  if (rounds) add(vector, SCRATCH, bytes);\n  noc_async_full_barrier();\n}'),
    ('tree', 'the scratch space lies in the code', R, 'SCRATCH = 0x60000', 'SCRATCH = 0x8200'),
    # --- a ring ---
    ('all', 'no barrier before the semaphore', R, ARRIVED, ARRIVED.split('\n', 1)[1]),
    ('all', 'the semaphore before the data', R, '    noc_async_write(at, get_noc_addr(next, my_y, at), bytes);\n' + ARRIVED, ARRIVED.split('\n', 1)[1] + '    noc_async_write(at, get_noc_addr(next, my_y, at), bytes);\n    noc_async_write_barrier();\n'),
    ('all', 'waits for one step too few', R, 'SEM_ARRIVED), step)', 'SEM_ARRIVED), step - 1)'),
    ('all', 'all shards in one place', R, 'get_noc_addr(next, my_y, at), bytes', 'get_noc_addr(next, my_y, all), bytes'),
    ('all', 'does not wait for its own shard', R, 'all + index * bytes), bytes);\n  noc_async_write_barrier();\n', 'all + index * bytes), bytes);\n'),
    # --- lines: own instructions of the vector unit and the packer ---
    ('lines', 'records in the slots of the matrix unit', C, 'DOUBLE = 0, TURN = 4', 'DOUBLE = 16, TURN = 20'),
    ('lines', 'the second recording begins in the first', C, 'TURN = 4', 'TURN = 2'),
    ('lines', 'plays one word too many', C, 'each_line(DOUBLE, 3);', 'each_line(DOUBLE, 4);'),
    ('lines', 'records one word too few', C, 'replay_record(TURN, 3)', 'replay_record(TURN, 2)'),
    ('lines', 'records one word too many', C, 'replay_record(DOUBLE, 3)', 'replay_record(DOUBLE, 4)'),
    ('lines', 'stores the address in the configuration itself', C, '    cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);\n', '    cfg_store(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, ((address + line * LINE) >> 4) - 1);\n'),
    ('lines', 'the template has one tile too many', C, '.outer = TILES, .inner = 1', '.outer = TILES + 1, .inner = 1'),
    ('lines', 'packs from the row that is left over', C, '    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Z, line / 16 * 2);\n', '    TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_Z, line / 8 * 2);\n'),
    ('lines', 'lines of twice the length', C, 'address + line * LINE', 'address + line * 2 * LINE'),
    ('lines', 'reads another width of Dst', C, 'TTI_SFPLOAD(1, InstrModLoadStore_FP16B', 'TTI_SFPLOAD(1, InstrModLoadStore_FP32'),
    ('lines', 'changes the tiles after the commit', C, '    MATH(for (uint32_t k = 0; k < TILES; k++) change_tile(k);)\n    cb_pop_front(CB_A, TILES);\n    tile_regs_commit();\n', '    cb_pop_front(CB_A, TILES);\n    tile_regs_commit();\n    MATH(for (uint32_t k = 0; k < TILES; k++) change_tile(k);)\n'),
    ('lines', 'changes a tile that is not copied', C, 'k < TILES; k++) change_tile(k)', 'k < TILES; k++) change_tile(k + 1)'),
    ('lines', 'pushes before the last line is packed', C, '    PACK(pack_lines(cb_interfaces[CB_C].write);)\n    cb_push_back(CB_C, TILES);\n', '    PACK(uint32_t to = cb_interfaces[CB_C].write;)\n    cb_push_back(CB_C, TILES);\n    PACK(pack_lines(to);)\n'),
    ('lines', 'a GPR that is never written', C, '    cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);', '    cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, 61);'),
]

CORRECT = [
    ('lines', 'the slots of the matrix unit are recorded again before they are played', C, 'DOUBLE = 0, TURN = 4', 'DOUBLE = 16, TURN = 20', C, '  MATH(record();)\n', '', C, '    tile_regs_acquire();\n', '    copy_tile_init(CB_A);\n    tile_regs_acquire();\n', C, '    MATH(for (uint32_t k = 0', '    MATH(record();)\n    MATH(for (uint32_t k = 0'),
    ('lines', 'two recordings that are played as one', C, 'DOUBLE = 0, TURN = 4', 'DOUBLE = 0, TURN = 3', C, '  each_line(DOUBLE, 3);\n  each_line(TURN, 3);\n  each_line(TURN, 3);\n', '  each_line(TURN, 3);\n  each_line(DOUBLE, 3);\n  each_line(TURN, 3);\n'),
    ('lines', 'a word of a recording is replaced', C, '  replay_record(TURN, 3);\n', '  replay_record(DOUBLE + 1, 1);\n  TTI_SFPADD(10, 0, 0, 0, 0);\n  replay_record(TURN, 3);\n'),
    ('lines', 'a template per line, which waits itself', C, '    mop_run();\n  }\n}\n#endif\n\nvoid', '    mop_run();\n    pack_start();\n  }\n}\n#endif\n\nvoid'),
    ('lines', 'a template per row, after a wait', C, '    PACK(pack_lines(', '    PACK(mop_sync(); pack_start();)\n    PACK(pack_lines('),

    ('linear', 'pages one by one', R, PAGES, ONE_BY_ONE),
    ('linear', 'flushes each page and waits once at the end', W, '    noc_async_write_barrier();\n    cb_pop_front(CB_C, 1);\n  }\n', '    noc_async_writes_flushed();\n    cb_pop_front(CB_C, 1);\n  }\n  noc_async_write_barrier();\n'),
    ('linear', 'changes a page, reads it back and sends it', W, SEND, '    tt_store(get_read_ptr(CB_C), tt_load(get_read_ptr(CB_C)));\n    l1_fence(get_read_ptr(CB_C));\n' + SEND),
    ('linear', 'a frame that fits', C, 'static void product(uint32_t kt, uint32_t nt, uint32_t n) {\n', 'static void product(uint32_t kt, uint32_t nt, uint32_t n) {\n  volatile uint32_t order[100];\n  for (uint32_t k = 0; k < 100; k++) order[k] = k;\n'),
    ('layernorm', 'fills a tile and reads the last word back', R, '  push_filled_tile(CB_EPSILON, get_arg_val(6));\n', FILL + '  l1_fence(get_write_ptr(CB_EPSILON) + 2044);\n  cb_push_back(CB_EPSILON, 1);\n'),
    ('layernorm', 'more room', K, 'buffer 25 4 bf16', 'buffer 25 8 bf16'),
    ('gelu', 'takes the page after the function', C, '    cb_pop_front(CB_A, 1);\n    gelu_tile(0);\n', '    gelu_tile(0);\n    cb_pop_front(CB_A, 1);\n'),
    ('grid', 'flushes after the multicast and waits at the end', H, '  noc_async_write_barrier();\n}', '  noc_async_writes_flushed();\n}'),
    ('tree', 'another scratch space', R, 'SCRATCH = 0x60000', 'SCRATCH = 0x100000'),
    ('all', 'waits for exactly as many', R, 'noc_semaphore_wait_min(get_semaphore(SEM_ARRIVED), step)', 'while (tt_load(get_semaphore(SEM_ARRIVED)) < step) {}'),
]
