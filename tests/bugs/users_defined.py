"""Further rows for users.py: L1 that no agent has written, and programs that use it correctly."""
R, C, W = 'reader.c', 'compute.c', 'writer.c'

BUGS = [
    # --- a GPR that is read with 32 bits ---
    ('raw', 'the upper half of a GPR is never set', C, 'gpr_set(GPR_TO, (to >> 4) - 1);', 'gpr_set_low(GPR_TO, (to >> 4) - 1);'),
    # --- a sum by a core in L1 outside the circular buffers ---
    ('sum', 'the sum is never cleared', W, '  for (uint32_t k = 0; k < ROW; k += 4) tt_store(SUM + k, 0);\n', ''),
    ('sum', 'a quarter of the sum is not cleared', W, 'k < ROW; k += 4) tt_store(SUM + k, 0)', 'k < ROW - ROW / 4; k += 4) tt_store(SUM + k, 0)'),
    ('sum', 'every fourth word of the sum is not cleared', W, 'k += 4) tt_store(SUM + k, 0)', 'k += 4) if (k % 16 != 12) tt_store(SUM + k, 0)'),
    ('sum', 'an address from a word that no agent has written', W, '  tt_store(STOP, 0);\n', '  tt_store(STOP, 0);\n  (void)tt_load(tt_load(STOP + 64) + STOP);\n'),
    ('sum', 'pushes pages with no read', R, '    noc_async_read(get_interleaved_noc_addr(&a, i), get_write_ptr(CB_A), ROW);\n', '    (void)a;\n'),
    ('sum', 'reads half a row', R, 'get_write_ptr(CB_A), ROW)', 'get_write_ptr(CB_A), ROW / 2)'),
    ('sum', 'sends L1 from another place than the sum', W, '&c, SUM)', '&c, SUM + 0x800)'),
    ('sum', 'a word that no agent has written, copied into a page', R, '    cb_push_back(CB_A, 1);\n', '    tt_store(get_write_ptr(CB_A), tt_load(0x47000));\n    l1_fence(get_write_ptr(CB_A));\n    cb_push_back(CB_A, 1);\n'),
    # --- a sum by the packer ---
    ('l1acc', 'adds from the first tile on', C, 'pack_reconfig_l1_acc(i > 0)', 'pack_reconfig_l1_acc(1)'),
]

CORRECT = [
    ('raw', 'the upper half of a GPR is set first', C, 'gpr_set(GPR_TO, (to >> 4) - 1);', 'gpr_set_high(GPR_TO, (to >> 4) - 1);\n  gpr_set_low(GPR_TO, (to >> 4) - 1);'),
    ('sum', 'a flag that is polled from the start', R, 'void kernel_main(void) {\n', 'void kernel_main(void) {\n  tt_store(0x46000, 1);\n', W, 'void kernel_main(void) {\n', 'void kernel_main(void) {\n  while (!tt_load(0x46000)) {}\n'),
    ('sum', 'words that no agent has written are copied and not used', W, '  tt_store(STOP, 0);\n', '  tt_store(STOP, 0);\n  for (uint32_t k = 0; k < ROW; k += 4) tt_store(0x46000 + k, tt_load(0x47000 + k));\n'),
    ('sum', 'one field of a word that no agent has written is set', W, '  tt_store(STOP, 0);\n', '  tt_store(STOP, 0);\n  tt_store(0x46000, (tt_load(0x46000) & 0xffff0000u) | 5);\n  if ((tt_load(0x46000) & 0xffffu) != 5) return;\n'),
    ('sum', 'a word that no agent has written is loaded and dropped', W, '  tt_store(STOP, 0);\n', '  tt_store(STOP, 0);\n  (void)tt_load(0x47000);\n'),
    ('sum', 'the sum begins with the first row', W, '  for (uint32_t k = 0; k < ROW; k += 4) tt_store(SUM + k, 0);\n', '', W, 'tt_store(SUM + k, tt_load(SUM + k) + tt_load(row + k))', 'tt_store(SUM + k, i ? tt_load(SUM + k) + tt_load(row + k) : tt_load(row + k))'),
    ('l1acc', 'the page is cleared and added to from the first tile on', C, '    pack_reconfig_l1_acc(i > 0);\n', '    pack_reconfig_l1_acc(1);\n', C, 'void kernel_main(void) {\n', 'void kernel_main(void) {\n#ifdef TRISC_PACK\n  for (uint32_t k = 0; k < 2048; k += 4) tt_store(cb_interfaces[CB_C].write + k, 0);\n  __asm__ volatile("andi zero, %0, 0" : : "r"(tt_load(cb_interfaces[CB_C].write + 2044)) : "memory");\n#endif\n'),
]
