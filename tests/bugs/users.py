#!/usr/bin/env python3
"""Bugs as users write them, over `tessera kernel run`: own kernels, raw instructions, two and three tiles.

users.py [--build DIR] [--jobs N] [--only TEXT] [--table FILE] [--verbose]

Every row is an edit of one of the correct programs in tests/bugs/users/, or of the template of `tessera kernel new`: a folder with reader.c, compute.c, writer.c and kernel.chip. The correct ones
must give no finding with all checkers. A bug counts as named when plain `tessera kernel run` ends with a finding, a hang or a fault that has a line,
with both sides where two instructions meet.
"""
import argparse, concurrent.futures, json, os, shutil, subprocess, sys, tempfile

sys.path.insert(0, os.path.dirname(__file__))
from bugs import naming
import users_arrive, users_atomics, users_channels, users_contend, users_defined, users_either, users_examples, users_fetch, users_merged, users_more, users_own, users_polls, users_pull, users_scan, users_styles, users_twins, users_unused

D = 'tests/bugs/users/'
FOLDERS = {'add': 'kernels/template', **users_examples.FOLDERS, **users_polls.FOLDERS, **users_own.FOLDERS, **users_pull.FOLDERS, **users_scan.FOLDERS, **users_either.FOLDERS, **users_styles.FOLDERS, **users_fetch.FOLDERS, **users_channels.FOLDERS, **users_atomics.FOLDERS, **users_merged.FOLDERS, **users_unused.FOLDERS, **users_contend.FOLDERS}  # what `tessera kernel new` makes, and examples: a folder, or a file or text for each name
R, C, W, K = 'reader.c', 'compute.c', 'writer.c', 'kernel.chip'

# base, what is wrong, file, old text, new text (all occurrences of the old one)
BUGS = [
    # --- one tile from and to DRAM ---
    ('add', 'read barrier after the pushes', R, '    noc_async_read_barrier();\n    cb_push_back(CB_A, 1);\n    cb_push_back(CB_B, 1);\n', '    cb_push_back(CB_A, 1);\n    cb_push_back(CB_B, 1);\n    noc_async_read_barrier();\n'),
    ('add', 'barrier only once per two pages', R, '    noc_async_read_barrier();\n', '    if (i & 1) noc_async_read_barrier();\n'),
    ('add', 'reads both operands into one buffer', R, '&b, get_write_ptr(CB_B)', '&b, get_write_ptr(CB_A)'),
    ('add', 'a buffer number that no core fills', C, 'CB_B = 1', 'CB_B = 2'),
    ('add', 'pushes the wrong buffer', R, 'cb_push_back(CB_B, 1)', 'cb_push_back(CB_A, 1)'),
    ('add', 'write barrier after the pop', W, '    noc_async_write_barrier();\n    cb_pop_front(CB_C, 1);', '    cb_pop_front(CB_C, 1);\n    noc_async_write_barrier();'),
    ('add', 'writes from the write pointer', W, 'get_read_ptr(CB_C)', 'cb_interfaces[CB_C].write + 2048'),
    ('add', 'reads half a page', R, 'noc_async_read_page(i, &b, get_write_ptr(CB_B))', 'noc_async_read(get_interleaved_noc_addr(&b, i), get_write_ptr(CB_B), 1024)'),
    ('add', 'reads a page too long', R, 'noc_async_read_page(i, &b, get_write_ptr(CB_B))', 'noc_async_read(get_interleaved_noc_addr(&b, i), get_write_ptr(CB_B), 4096)'),
    ('add', 'never reads B', R, '    noc_async_read_page(i, &b, get_write_ptr(CB_B));\n', ''),
    ('add', 'fills B by a loop of the core with no fence', R, '    noc_async_read_page(i, &b, get_write_ptr(CB_B));\n    noc_async_read_barrier();\n', '    noc_async_read_barrier();\n    for (uint32_t at = 0; at < 2048; at += 4) tt_store(get_write_ptr(CB_B) + at, 0x3f803f80u);\n'),
    ('add', 'one tile too many in the compute kernel', C, 'tiles = get_arg_val(0)', 'tiles = get_arg_val(0) + 1'),
    ('add', 'the eighth tile of half of a 16-bit Dst', C, 'add_tiles(CB_A, CB_B, 0, 0, 0)', 'add_tiles(CB_A, CB_B, 0, 0, 8)'),
    ('add', 'packs tile 1 instead of tile 0', C, 'pack_tile(0, CB_C)', 'pack_tile(1, CB_C)'),
    ('add', 'another tile index than was waited for', C, 'add_tiles(CB_A, CB_B, 0, 0, 0)', 'add_tiles(CB_A, CB_B, 1, 0, 0)'),
    ('add', 'commit in front of the work', C, '    add_tiles(CB_A, CB_B, 0, 0, 0);\n    cb_pop_front(CB_A, 1);\n    cb_pop_front(CB_B, 1);\n    tile_regs_commit();\n', '    tile_regs_commit();\n    add_tiles(CB_A, CB_B, 0, 0, 0);\n    cb_pop_front(CB_A, 1);\n    cb_pop_front(CB_B, 1);\n'),
    ('add', 'no release', C, '    tile_regs_release();\n', ''),
    ('add', 'no release after the last tile but one', C, '    tile_regs_release();\n', '    if (i + 2 != tiles) tile_regs_release();\n'),
    ('add', 'buffer of FP32 for data of BF16', K, 'buffer 1  2 B', 'buffer 1  2 fp32'),
    ('add', 'the copy initialisation, then an addition', C, 'add_tiles_init();', 'copy_tile_init(CB_A);'),
    ('add', 'a table on the stack that is too large', R, '  for (uint32_t i = 0, tiles', '  volatile uint32_t table[2048];\n  for (uint32_t i = 0; i < 2048; i += 64) table[i] = i;\n  for (uint32_t i = 0, tiles'),
    ('add', 'a table on the stack that is never filled', R, '    noc_async_read_page(i, &b, get_write_ptr(CB_B));\n', '    uint32_t order[8];\n    __asm__ volatile("" : : "r"(order) : "memory");\n    noc_async_read_page(order[i & 7] + i, &b, get_write_ptr(CB_B));\n'),
    ('add', 'scratch of the writer lies in the code', W, '    cb_pop_front(CB_C, 1);\n', '    tt_store(0x2000 + 0x6000 + 4 * i, tt_load(get_read_ptr(CB_C)));\n    cb_pop_front(CB_C, 1);\n'),
    ('add', 'scratch of the reader lies in a buffer', R, '    noc_async_read_barrier();\n', '    noc_async_read_barrier();\n    tt_store(cb_interfaces[16].base + 64, i);\n'),
    ('add', 'reader and writer share a counter with no order', R, '    noc_async_read_barrier();\n', '    noc_async_read_barrier();\n    tt_store(0x100000, tt_load(0x100000) + 1);\n', W, '    noc_async_write_barrier();\n', '    noc_async_write_barrier();\n    tt_store(0x100000, tt_load(0x100000) + 1);\n'),
    # --- formats that change ---
    ('mixed', 'no reconfiguration of the inputs', C, '  compute_reconfigure_inputs(CB_A, CB_B, 0);\n', ''),
    ('mixed', 'no reconfiguration back', C, '  compute_reconfigure_inputs(CB_SUM, CB_D, 0);\n', ''),
    ('mixed', 'no reconfiguration of the packer', C, '  pack_reconfig_data_format(CB_C);\n', ''),
    ('mixed', 'no init of the product', C, '  mul_tiles_init();\n', ''),
    ('mixed', 'the sum is used before it is waited for', C, '  cb_wait_front(CB_SUM, 1);\n', ''),
    ('mixed', 'the sum is never popped', C, '  cb_pop_front(CB_SUM, 1);\n', ''),
    # --- raw instructions in the kernel ---
    ('raw', 'a core store into GPRs with no wait', C, '  gpr_set(GPR_FROM, (from >> 4) - 1);\n', '  tt_store(REGFILE_BASE + 4 * GPR_FROM, (from >> 4) - 1);\n'),
    ('raw', 'posts without waiting for the vector unit', C, 'p_stall_MATH | p_stall_WAIT_SFPU);\n  TTI_SETRWC', 'p_stall_MATH);\n  TTI_SETRWC'),
    ('raw', 'replay of other slots than were recorded', C, 'replay_play(4, 3)', 'replay_play(5, 3)'),
    ('raw', 'records more words than it means to', C, '  replay_record(4, 3);\n', '  replay_record(4, 6);\n'),
    ('raw', 'MOP template changed in the loop', C, '  mop_run();\n  TTI_STALLWAIT(p_stall_STALL_SFPU', '  mop_run();\n  mop_config_store(1, 8);\n  mop_config_store(5, TT_OP_MOVA2D(0, 0, ADDR_MOD_0, p_mova2d_MOV_8_ROWS, 0));\n  TTI_STALLWAIT(p_stall_STALL_SFPU'),
    ('raw', 'the packer keeps the first half', C, '  gpr_set(GPR_TO + 1, 512 * half);\n', '  gpr_set(GPR_TO + 1, 0);\n'),
    ('raw', 'ZEROACC without waiting for the packer', C, '  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_PACK);\n', '  TTI_STALLWAIT(p_stall_STALL_SYNC, p_stall_PACK);\n'),
    ('raw', 'ZEROACC of the wrong half', C, 'ADDR_MOD_0, half);', 'ADDR_MOD_0, half ^ 1);'),
    ('raw', 'does not wait for the packer before the get', C, '  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_PACK);\n', ''),
    ('raw', 'ADC counter left over', C, '  mop_run();\n  TTI_STALLWAIT(p_stall_STALL_MATH | p', '  TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_W, 1);\n  mop_run();\n  TTI_STALLWAIT(p_stall_STALL_MATH | p'),
    ('raw', 'SrcA is never given back', C, 'TT_OP_SETRWC(p_setrwc_CLR_A', 'TT_OP_SETRWC(p_setrwc_CLR_NONE'),
    ('raw', 'the core reads the result with no sync', C, '  TTI_SEMGET(DST_READY);\n}\n#endif\n\nvoid', '  TTI_SEMGET(DST_READY);\n  tt_store(0x100000 + 4 * half, tt_load(to));\n}\n#endif\n\nvoid'),
    ('raw', 'reads 32 bits of a 16-bit Dst', C, 'TTI_SFPLOAD(0, InstrModLoadStore_FP16B', 'TTI_SFPLOAD(0, InstrModLoadStore_FP32'),
    ('raw', 'unpacks a page past the tensor', C, 'get_arg_val(0) + i * BYTES', 'get_arg_val(0) + (i + 1) * BYTES'),
    # --- two tiles ---
    ('pair', 'no write barrier before the semaphore', R, '    noc_async_write_barrier();\n', ''),
    ('pair', 'flush instead of a barrier before the semaphore', R, '    noc_async_write_barrier();\n', '    noc_async_writes_flushed();\n'),
    ('pair', 'does not wait for a free slot', R, '    if (i >= SLOTS) noc_semaphore_wait_min(get_semaphore(SEM_ACKED), i + 1 - SLOTS - get_arg_val(4));\n', ''),
    ('pair', 'waits for a slot one page too late', R, 'i + 1 - SLOTS - get', 'i - SLOTS - get'),
    ('pair', 'the receiver does not wait', R, '    noc_semaphore_wait_min(get_semaphore(SEM_SENT), i + 1);\n', ''),
    ('pair', 'the receiver waits for the first page only', R, 'noc_semaphore_wait_min(get_semaphore(SEM_SENT), i + 1)', 'noc_semaphore_wait_min(get_semaphore(SEM_SENT), 1)'),
    ('pair', 'acknowledges before the page has left', R, '    noc_async_writes_flushed();\n', ''),
    ('pair', 'semaphore in front of the data', R, '    noc_async_write(stage, get_noc_addr(to_x, my_y, SLOT + i % SLOTS * PAGE), PAGE);\n    noc_async_write_barrier();\n    noc_semaphore_inc(get_noc_addr(to_x, my_y, get_semaphore(SEM_SENT)), 1);\n', '    noc_semaphore_inc(get_noc_addr(to_x, my_y, get_semaphore(SEM_SENT)), 1);\n    noc_async_write(stage, get_noc_addr(to_x, my_y, SLOT + i % SLOTS * PAGE), PAGE);\n    noc_async_write_barrier();\n'),
    ('pair', 'no read barrier before the page is sent on', R, '    noc_async_read_barrier();\n', ''),
    ('pair', 'the other semaphore', R, 'get_semaphore(SEM_ACKED)), 1)', 'get_semaphore(SEM_SENT)), 1)'),
    ('pair', 'acknowledges with no wait and the sender fetches', R, 'noc_async_write(stage, get_noc_addr(to_x, my_y, SLOT + i % SLOTS * PAGE), PAGE)', 'noc_async_write(stage, get_noc_addr(to_x, my_y, SLOT), PAGE)'),
    # --- multicast ---
    ('mcast', 'multicasts into pages that are in use', R, '    noc_semaphore_wait(get_semaphore(SEM_ROOM), OTHERS);\n', ''),
    ('mcast', 'waits for one receiver of two', R, '    noc_semaphore_wait(get_semaphore(SEM_ROOM), OTHERS);\n', '    noc_semaphore_wait_min(get_semaphore(SEM_ROOM), 1);\n'),
    ('mcast', 'the receiver has no room when it says so', R, '    cb_reserve_back(CB, 1);\n', ''),
    ('mcast', 'the receiver does not wait for the page', R, '    noc_semaphore_wait(get_semaphore(SEM_VALID), 1);\n', ''),
    ('mcast', 'the semaphore is multicast before the page', R, '    noc_async_write_multicast(page, all | page, bytes, OTHERS, 1);\n    noc_semaphore_set_multicast(get_semaphore(SEM_VALID), all | get_semaphore(SEM_VALID), OTHERS, 0);\n', '    noc_semaphore_set_multicast(get_semaphore(SEM_VALID), all | get_semaphore(SEM_VALID), OTHERS, 1);\n    noc_async_write_multicast(page, all | page, bytes, OTHERS, 0);\n'),
    ('mcast', 'the receiver announces room before it clears the flag', R, '    noc_semaphore_set(get_semaphore(SEM_VALID), 0);\n    noc_semaphore_wait(get_semaphore(SEM_VALID), 0);\n    noc_semaphore_inc(get_noc_addr(from_x, my_y, get_semaphore(SEM_ROOM)), 1);\n', '    noc_semaphore_inc(get_noc_addr(from_x, my_y, get_semaphore(SEM_ROOM)), 1);\n    noc_semaphore_set(get_semaphore(SEM_VALID), 0);\n'),
    ('mcast', 'no load back of the flag before the receiver announces room', R, '    noc_semaphore_wait(get_semaphore(SEM_VALID), 0);\n', ''),
    ('mcast', 'no load back of the reset before the multicast', R, '    noc_semaphore_wait(get_semaphore(SEM_ROOM), 0); /* the store has arrived */\n', ''),
    ('mcast', 'the sender overwrites a page that is still being sent', R, '    noc_async_write_barrier();\n  }\n}\n\nstatic void receive', '  }\n}\n\nstatic void receive'),
    ('mcast', 'no read barrier before the multicast', R, '    noc_async_read_barrier();\n', ''),
    # --- through DRAM, one tile ---
    ('stage', 'announces the page before its write has arrived', W, '  noc_async_write_barrier();\n', '  noc_async_writes_flushed();\n'),
    ('stage', 'announces the page before it is written', W, '    drain(&t, i);\n    noc_semaphore_set(get_semaphore(STAGED), i + 1);\n', '    noc_semaphore_set(get_semaphore(STAGED), i + 1);\n    drain(&t, i);\n'),
    ('stage', 'fetches the page back with no wait', R, '    noc_semaphore_wait_min(get_semaphore(STAGED), i + 1);\n', ''),
    ('stage', 'fetches the page after the one that it waited for', R, '    fetch(&t, i);', '    fetch(&t, (i + 1) % pages);'),
    ('stage', 'waits for a semaphore that no core sets', R, 'STAGED = 3', 'STAGED = 4'),
    ('stage', 'never reserves the page', R, '  cb_reserve_back(CB_IN, 1);\n', ''),
    # --- through DRAM, three tiles ---
    ('hop', 'tells the next tile before the page is in DRAM', R, 'get_arg_val(6)', '1'),
    ('hop', 'the last tile does not wait', R, 'if (index > 0) noc', 'if (index == 1) noc'),
    ('hop', 'waits for one page too few', R, 'get_semaphore(SEM_THERE), i + 1)', 'get_semaphore(SEM_THERE), i)'),
    ('hop', 'tells the wrong tile', R, 'get_noc_addr(my_x + 1, my_y, get', 'get_noc_addr(my_x + 2 - 2 * index, my_y, get'),
    ('hop', 'waits for the first page only', R, 'get_semaphore(SEM_THERE), i + 1)', 'get_semaphore(SEM_THERE), 1)'),
    ('hop', 'sends on before the read has ended', R, '    noc_async_read_barrier();\n', ''),
    ('hop', 'tells first and writes then', R, '    noc_async_write_page(i, &to, buffer);\n    if (get_arg_val(6)) noc_async_writes_flushed();\n    else noc_async_write_barrier();\n    if (index < 2) noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE)), 1);\n', '    if (index < 2) noc_semaphore_inc(get_noc_addr(my_x + 1, my_y, get_semaphore(SEM_THERE)), 1);\n    noc_async_write_page(i, &to, buffer);\n    noc_async_write_barrier();\n'),
    # --- two senders ---
    ('gather', 'waits for one sender of two', R, 'noc_semaphore_wait(get_semaphore(SEM_FULL), 2)', 'noc_semaphore_wait_min(get_semaphore(SEM_FULL), 1)'),
    ('gather', 'the semaphore is never reset', R, '    noc_semaphore_set(get_semaphore(SEM_FULL), 0);\n', ''),
    ('gather', 'both senders use one slot', R, 'SLOT + (index - 1) * PAGE', 'SLOT'),
    ('gather', 'frees the slots before they are read', R, '    for (uint32_t at = 0; at < PAGE; at += 4) tt_store(SUM + at, tt_load(SLOT + at) + tt_load(SLOT + PAGE + at));\n    l1_fence(SUM + PAGE - 4);\n    for (uint32_t x = 1; x <= 2; x++) noc_semaphore_inc(get_noc_addr(my_x + x, my_y, get_semaphore(SEM_FREE)), 1);\n', '    for (uint32_t x = 1; x <= 2; x++) noc_semaphore_inc(get_noc_addr(my_x + x, my_y, get_semaphore(SEM_FREE)), 1);\n    for (uint32_t at = 0; at < PAGE; at += 4) tt_store(SUM + at, tt_load(SLOT + at) + tt_load(SLOT + PAGE + at));\n    l1_fence(SUM + PAGE - 4);\n'),
    ('gather', 'a sender does not wait for its slot', R, '    noc_semaphore_wait_min(get_semaphore(SEM_FREE), i);\n', ''),
    ('gather', 'only one sender is told', R, 'x <= 2', 'x <= 1'),
    ('gather', 'resets the semaphore after the answer', R, '    noc_semaphore_set(get_semaphore(SEM_FULL), 0);\n', '', R, '    noc_async_write_page(i, &c, SUM);\n', '    noc_async_write_page(i, &c, SUM);\n    noc_semaphore_set(get_semaphore(SEM_FULL), 0);\n'),
    ('gather', 'overwrites the sum that is still being sent', R, '    noc_async_writes_flushed();\n', ''),
    ('gather', 'no fence between the stores and the NoC write', R, '    l1_fence(SUM + PAGE - 4);\n', ''),
    ('gather', 'increments by two', R, 'get_semaphore(SEM_FULL)), 1)', 'get_semaphore(SEM_FULL)), 2)'),
    # --- matmul ---
    ('mm', 'the operands of the initialisation are swapped', C, 'mm_init(CB_A, CB_B, CB_C)', 'mm_init(CB_B, CB_A, CB_C)'),
    ('mm', 'pops in front of the product', C, '      for (uint32_t column = 0; column < columns; column++) matmul_tiles(CB_A, CB_B, 0, column, column);\n      cb_pop_front(CB_A, 1);\n', '      cb_pop_front(CB_A, 1);\n      for (uint32_t column = 0; column < columns; column++) matmul_tiles(CB_A, CB_B, 0, column, column);\n'),
    ('mm', 'packs after the release', C, '    for (uint32_t column = 0; column < columns; column++) pack_tile(column, CB_C);\n    tile_regs_release();\n', '    tile_regs_release();\n    for (uint32_t column = 0; column < columns; column++) pack_tile(column, CB_C);\n'),
    ('mm', 'no acquire', C, '    tile_regs_acquire();\n', ''),
    ('mm', 'no wait for the results', C, '    tile_regs_wait();\n', ''),
    ('mm', 'commits inside the loop over k', C, '      cb_pop_front(CB_B, columns);\n    }\n    tile_regs_commit();\n', '      cb_pop_front(CB_B, columns);\n      tile_regs_commit();\n    }\n'),
    ('mm', 'reserves one page and pushes two', C, 'cb_reserve_back(CB_C, columns)', 'cb_reserve_back(CB_C, 1)'),
    ('mm', 'pushes before it packs', C, '    for (uint32_t column = 0; column < columns; column++) pack_tile(column, CB_C);\n    tile_regs_release();\n    cb_push_back(CB_C, columns);\n', '    cb_push_back(CB_C, columns);\n    for (uint32_t column = 0; column < columns; column++) pack_tile(column, CB_C);\n    tile_regs_release();\n'),
    ('mm', 'both tiles of a row go to one tile of Dst', C, 'matmul_tiles(CB_A, CB_B, 0, column, column)', 'matmul_tiles(CB_A, CB_B, 0, column, 0)'),
    ('mm', 'packs the row one tile further', C, 'pack_tile(column, CB_C)', 'pack_tile(column + 1, CB_C)'),
    ('mm', 'the writer pops while its pages are being sent', W, '    noc_async_writes_flushed();\n', ''),
    ('mm', 'the buffer of B is declared as BF16', K, 'buffer 1  4 B', 'buffer 1  4 bf16'),
    ('mm', 'the output buffer is declared as BFP8', K, 'buffer 16 4 C', 'buffer 16 4 bfp8'),
    ('mm', 'the reader fetches the tiles of B to one page', R, 'get_write_ptr(CB_B) + column * get_tile_size(CB_B)', 'get_write_ptr(CB_B)'),
    # --- vector unit, several operations ---
    ('act', 'no initialisation of the product', C, '  mul_tiles_init();\n', ''),
    ('act', 'no initialisation of the copy', C, '  copy_tile_init(CB_A);\n', ''),
    ('act', 'the vector unit works on another tile', C, 'silu_tile(0)', 'silu_tile(1)'),
    ('act', 'commits before the vector unit has begun', C, '  silu_tile(0);\n  tile_regs_commit();\n', '  tile_regs_commit();\n  silu_tile(0);\n'),
    ('act', 'the packer takes 32 bits', C, '#include "compute.h"\n', '#ifdef TRISC_PACK\n#define DST_ACCUM_MODE 1\n#endif\n#include "compute.h"\n'),
    ('act', 'the packer has the whole Dst, the others halves', C, '#include "compute.h"\n', '#ifdef TRISC_PACK\n#define DST_SYNC_FULL 1\n#endif\n#include "compute.h"\n'),
    ('act', 'the intermediate is used before it is waited for', C, '  cb_wait_front(CB_MID, 1);\n', ''),
    ('act', 'an addition where the product was initialised', C, '  mul_tiles(CB_MID', '  add_tiles(CB_MID'),
    ('act', 'the vector unit is used after the release', C, '  tile_regs_release();\n  cb_push_back(CB_MID, 1);\n', '  tile_regs_release();\n  silu_tile(0);\n  cb_push_back(CB_MID, 1);\n'),
    # --- the operation is an argument ---
    ('choose', 'another operation is initialised', C, 'start(get_arg_val(2))', 'start(0)'),
    ('choose', 'no operation is initialised', C, '  start(get_arg_val(2));\n', ''),
    ('choose', 'the last write is not waited for', W, '    noc_async_write_barrier();\n', '    if (i + 1 < tiles) noc_async_write_barrier();\n'),
    # --- the vendor's names ---
    ('cpp', 'no barrier', 'reader.cpp', '    noc_async_read_barrier();\n', ''),
    ('cpp', 'reserves one page and fills two', 'reader.cpp', 'cb_reserve_back(tt::CBIndex::c_1, 2)', 'cb_reserve_back(tt::CBIndex::c_1, 1)'),
    ('cpp', 'pushes one page of two', 'reader.cpp', 'cb_push_back(tt::CBIndex::c_1, 2)', 'cb_push_back(tt::CBIndex::c_1, 1)'),
    ('cpp', 'the second tile overwrites the first', 'reader.cpp', 'get_write_ptr(tt::CBIndex::c_1) + k * bytes', 'get_write_ptr(tt::CBIndex::c_1)'),
    ('cpp', 'the common initialisation only', 'compute.cpp', '  sub_tiles_init(cb_a, cb_b);\n', ''),
    ('cpp', 'initialises the addition', 'compute.cpp', 'sub_tiles_init(cb_a, cb_b)', 'add_tiles_init(cb_a, cb_b)'),
    ('cpp', 'pops the inputs twice', 'compute.cpp', '    cb_reserve_back(cb_c, 2);\n', '    cb_pop_front(cb_b, 2);\n    cb_reserve_back(cb_c, 2);\n'),
    ('cpp', 'packs one tile of two', 'compute.cpp', '    pack_tile(1, cb_c);\n', ''),
    ('cpp', 'pops in front of the write', 'writer.cpp', '    noc_async_write_page(i, c, get_read_ptr(tt::CBIndex::c_16));\n    noc_async_write_barrier();\n    cb_pop_front(tt::CBIndex::c_16, 1);\n', '    cb_pop_front(tt::CBIndex::c_16, 1);\n    noc_async_write_page(i, c, get_read_ptr(tt::CBIndex::c_16));\n    noc_async_write_barrier();\n'),
    ('cpp', 'waits for no page', 'writer.cpp', '    cb_wait_front(tt::CBIndex::c_16, 1);\n', ''),
    ('cpp', 'the pages of the buffer are half a tile', K, 'buffer 16 4 C', 'buffer 16 4 bf16 1024'),
]


BUGS += users_more.BUGS + users_twins.BUGS + users_defined.BUGS + users_examples.BUGS + users_polls.BUGS + users_arrive.BUGS + users_own.BUGS + users_pull.BUGS + users_scan.BUGS + users_either.BUGS + users_styles.BUGS + users_fetch.BUGS + users_channels.BUGS + users_atomics.BUGS + users_merged.BUGS + users_unused.BUGS + users_contend.BUGS


def make(rig, base, edits):
    """A folder of the edited program."""
    where = tempfile.mkdtemp(dir=rig.work)
    folder = FOLDERS.get(base, D + base)
    paths = folder if isinstance(folder, dict) else {name: f'{folder}/{name}' for name in os.listdir(folder)}
    texts = {name: path if '\n' in path else open(path).read() for name, path in paths.items() if name.endswith(('.c', '.cpp', '.h', '.chip'))}
    for name in paths:
        if name.endswith('.npy'):
            shutil.copy(paths[name], where)
    for name, old, new in edits:
        if old not in texts[name]:
            raise RuntimeError(f'{base}: no {old!r} in {name}')
        texts[name] = texts[name].replace(old, new)
    for name, text in texts.items():
        open(f'{where}/{name}', 'w').write(text)
    return where


def run(rig, where, check, strict=False):
    path = f'{where}/report.json'
    c = [f'{rig.o.build}/tessera', 'kernel', 'run', where, '--json', path, '--max-cycles', '2000000'] + (['--check', check] if check else [])
    c += ['--strict'] if strict else []
    r = subprocess.run(c, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    report = json.load(open(path)) if os.path.exists(path) else {}
    return r.returncode, report, r.stdout.decode()


def ids(report):
    return ','.join(sorted({f['id'] for f in report.get('findings', []) if f['severity'] != 'note' or f['id'] == 'CB_LEFT'}))


class Rig:
    def __init__(self, o):
        self.o, self.work = o, tempfile.mkdtemp(prefix='tessera-users.')


def judge(rig, row):
    base, what, rest = row[0], row[1], row[2:]
    where = make(rig, base, [rest[i:i + 3] for i in range(0, len(rest), 3)])
    correct = what.startswith('correct')
    code, report, text = run(rig, where, 'all' if correct else '', correct)
    if not rig.o.keep:
        shutil.rmtree(where)
    return base, what, code, report, text, where


# The light slice of make test: what once was missed, and what once was a false alarm.
SLICE = ['queue: correct', 'halfcount: correct', 'batch: correct', 'batch: leaves', 'dramflag: correct: no barrier', 'dramflag: a flag in the next bank without', 'either: waits for either sem', 'pull: correct', 'pull: waits for one round', 'scan: correct', 'scan: looks and goes', 'share: correct: waits for the word of two halves', 'share: waits for any half', 'bytes: correct', 'bytes: both store every', 'mails: correct', 'own: correct', 'own: the drain waits for one round', 'ownboth: correct', 'own: correct: posts by the NoC write', 'raw: the upper half of a GPR', 'raw: correct: the upper half of a GPR', 'arrive: leaves the first field', 'arrive: leaves the last byte', 'arrive: correct: waits for three fields', 'arrive: correct: waits for three bytes', 'gather: correct: waits with a pause by the wall', 'gather: waits for one of two with a pause by the wall', 'add: correct: waits with a pause counted', 'add: correct: rows of a page', 'add: the core clears the page', 'serve: correct', 'serve: fills the second buffer when', 'gather: correct: waits by a division',
         'sum: every fourth word', 'sum: sends L1', 'sum: correct: one field', 'l1acc: adds from', 'behind: correct', 'behind: frees', 'funnel: correct', 'funnel: waits for the tile', 'funnel: the left tile', 'trid: waits until writes of no', 'trid: correct: a write without', 'stage: waits for one page too few', 'stage: correct: the NoC writes one half', 'remote: the producer counts three pages', 'scratch: the writer waits for one word too few', 'shard: announces the result tile by tile, before', 'acc: takes the partial', 'trid: correct', 'trid: waits for the first number twice', 'remote: the consumer frees the page first', 'mail: a fence, which', 'cppsem: waits for two of three',
         'lines: records in the slots', 'lines: the second recording', 'lines: correct: a word of a recording', 'lines: correct: the slots',
         'fetchline: correct: a block of 256', 'fetchline: correct: takes as many as there are, at', 'fetchline: waits for one round too few, and', 'fetchown: correct', 'fetchown: waits for one', 'fetchmeet: waits for all but', 'fetchdram: correct', 'fetchdram: waits for one page too few, and', 'channels: correct: an unrelated write', 'channels: the flag on another', 'channels: correct: posted data, an', 'channels: posted data, the barrier of answered writes, an', 'channels: the flag goes', 'tickets: no barrier', 'tickets: correct: polls',
         'pingpong: frees the buffer', 'cppsem: correct', 'pingpong: correct: pauses by a counter', 'cppsem: correct: the wait invalidates',
         'amolock: correct', 'amolock: waits for one of two', 'amolock: unlocks before', 'amolock: correct: tickets', 'amolock: correct: counts without', 'amolock: reads the sum', 'amoslot: correct', 'amoslot: empties before', 'amocount: correct', 'amocount: waits for one of two by', 'amosecond: correct', 'amosecond: the first',
         'letters: correct: all bits', 'letters: any bit will do, and', 'letters: correct: the lowest bit of', 'letters: takes a row of its', 'bytewise: correct: all', 'bytewise: any', 'tryqueue: correct', 'tryqueue: counts before it fills', 'tryqueue: correct: a late consumer of long', 'peterson: correct', 'peterson: correct: one core', 'peterson: reads', 'jointcount: correct', 'jointcount: does not wait for the last', 'gprstore: correct', 'gprstore: the upper half of the v', 'fillsend: correct', 'fillsend: a load whose',
         'take: correct', 'take: the core does not', 'meetown: correct: stores', 'meetown: stores', 'handover: correct', 'handover: BRISC', 'bell: correct']


def run_slice(rig, rows):
    failed = 0
    if int(os.environ.get('TESSERA_TEST_SCALE', 100)) < 100:  # make test; make test-all has the whole slice
        rows = rows[::10]
    for number, row in enumerate(rows):
        base, what, code, report, _, _ = judge(rig, row)
        good = code == 0 and not ids(report) if what.startswith('correct') else naming(code, report) >= 3
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number + 1} - {base}, {what}: code {code} {ids(report)}", flush=True)
    print(f'1..{len(rows)}')
    shutil.rmtree(rig.work)
    return failed != 0


def main():
    a = argparse.ArgumentParser()
    a.add_argument('--build', default=os.environ.get('BUILD', 'build'))
    a.add_argument('--jobs', type=int, default=2)
    a.add_argument('--only', default='')
    a.add_argument('--table', default='')
    a.add_argument('--keep', action='store_true')
    a.add_argument('--slice', action='store_true')
    a.add_argument('--verbose', action='store_true')
    o = a.parse_args()
    rig, rows, quiet, correct = Rig(o), [], True, 0
    chosen = [(base, 'correct') for base in sorted({*os.listdir(D), *FOLDERS})] + BUGS
    chosen += [(row[0], 'correct: ' + row[1], *row[2:]) for row in users_more.CORRECT + users_twins.CORRECT + users_defined.CORRECT + users_examples.CORRECT + users_polls.CORRECT + users_arrive.CORRECT + users_own.CORRECT + users_pull.CORRECT + users_scan.CORRECT + users_either.CORRECT + users_styles.CORRECT + users_fetch.CORRECT + users_channels.CORRECT + users_atomics.CORRECT + users_merged.CORRECT + users_unused.CORRECT + users_contend.CORRECT]
    if o.slice:
        return run_slice(rig, [next(row for row in chosen if f'{row[0]}: {row[1]}'.startswith(text)) for text in SLICE])
    chosen = [row for row in chosen if o.only in f'{row[0]}: {row[1]}']
    with concurrent.futures.ThreadPoolExecutor(o.jobs) as pool:
        for base, what, code, report, text, where in pool.map(lambda row: judge(rig, row), chosen):
            level, found = naming(code, report), ids(report)
            print(f'{base:6} {what:60} code {code} named {level} {found}' + (f' {where}' if o.keep else ''), flush=True)
            if o.verbose:
                print('\n'.join(line[:400] for line in text.split('\n') if 'error:' in line or 'other side' in line or 'tessera' in line))
            if what.startswith('correct'):
                quiet &= code == 0 and not found
                correct += 1
            else:
                rows.append((base, what, code, level, found))
    print(f"note: {len(rows)} bugs of users; named {sum(r[3] >= 3 for r in rows)}; {correct} correct ones {'quiet' if quiet else 'NOT quiet'}")
    if o.table:
        with open(o.table, 'w') as f:
            f.write('| program | what is wrong | plain run | named by |\n|---|---|---|---|\n')
            for base, what, code, level, found in rows:
                end = {0: 'ends well', 1: 'wrong numbers', 3: 'fault', 4: 'hang', 5: 'error finding'}.get(code, str(code))
                f.write(f"| {base} | {what} | {end} | {found.replace(',', ', ') or ('the report' if level >= 2 else '**not named**')} |\n")
    if not o.keep:
        shutil.rmtree(rig.work)
    return 0 if quiet else 1


if __name__ == '__main__':
    sys.exit(main())
