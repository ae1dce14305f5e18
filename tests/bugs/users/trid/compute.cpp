// The three T cores: a copy. Argument: number of tiles.

constexpr auto cb_in = tt::CBIndex::c_0, cb_out = tt::CBIndex::c_16;

void kernel_main() {
  unary_op_init_common(cb_in, cb_out);
  copy_tile_init(cb_in);
  for (uint32_t i = 0, tiles = get_arg_val<uint32_t>(0); i < tiles; i++) {
    cb_wait_front(cb_in, 1);
    tile_regs_acquire();
    copy_tile(cb_in, 0, 0);
    tile_regs_commit();
    cb_pop_front(cb_in, 1);
    cb_reserve_back(cb_out, 1);
    tile_regs_wait();
    pack_tile(0, cb_out);
    tile_regs_release();
    cb_push_back(cb_out, 1);
  }
}
