"""Kernels of the tests: one that adds, and variants with one error each."""

from __future__ import annotations

ADD = """#include "compute.h"

void kernel_main(void) {
  binary_op_init(0, 1, 16);
  add_tiles_init();
  for (uint32_t i = 0; i < get_arg_val(0); i++) {
    tile_regs_acquire();
    cb_wait_front(0, 1);
    cb_wait_front(1, 1);
    add_tiles(0, 1, 0, 0, 0);
    cb_pop_front(0, 1);
    cb_pop_front(1, 1);
    tile_regs_commit();
    tile_regs_wait();
    cb_reserve_back(16, 1);
    pack_tile(0, 16);
    cb_push_back(16, 1);
    tile_regs_release();
  }
}
"""
NO_WAIT = ADD.replace("    cb_wait_front(1, 1);\n", "    ;\n")  # line 9 stays: a race with the reader
CHECKED = ADD.replace("  binary_op_init", '  KERNEL_CHECK(get_arg_val(1) == 0, "argument 1 is 0");\n  binary_op_init')
BROKEN = ADD.replace("add_tiles_init();", "add_tiles_init()")
