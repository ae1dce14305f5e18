// The three T cores: C = A - B, two tiles in Dst at a time. Argument: number of tiles.

constexpr auto cb_a = tt::CBIndex::c_0, cb_b = tt::CBIndex::c_1, cb_c = tt::CBIndex::c_16;

void kernel_main() {
  const uint32_t tiles = get_arg_val<uint32_t>(0);
  binary_op_init_common(cb_a, cb_b, cb_c);
  sub_tiles_init(cb_a, cb_b);
  for (uint32_t i = 0; i < tiles; i += 2) {
    cb_wait_front(cb_a, 2);
    cb_wait_front(cb_b, 2);
    tile_regs_acquire();
    sub_tiles(cb_a, cb_b, 0, 0, 0);
    sub_tiles(cb_a, cb_b, 1, 1, 1);
    tile_regs_commit();
    cb_pop_front(cb_a, 2);
    cb_pop_front(cb_b, 2);
    cb_reserve_back(cb_c, 2);
    tile_regs_wait();
    pack_tile(0, cb_c);
    pack_tile(1, cb_c);
    tile_regs_release();
    cb_push_back(cb_c, 2);
  }
}
