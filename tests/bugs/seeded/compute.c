/* The three T cores of the seeded bugs: A + B, tile by tile, with the calls of the kernel library. Argument: 0 tiles. */
#include "compute.h"
#include "sfpu.h"

enum { CB_A = 0, CB_B = 1, CB_OUT = 16 };

static void get_two(void) {
  cb_wait_front(CB_A, 1);
  cb_wait_front(CB_B, 1);
}
static void give_two(void) {
  cb_pop_front(CB_A, 1);
  cb_pop_front(CB_B, 1);
}
static void put_one(void) {
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
  cb_push_back(CB_OUT, 1);
}

static void one(uint32_t i) {
#if BUG == 60 /* math continues to write Dst after its commit */
  tile_regs_acquire();
  get_two();
  tile_regs_commit();
  add_tiles(CB_A, CB_B, 0, 0, 0);
  give_two();
#elif BUG == 61 /* a function of the vector unit after the commit */
  tile_regs_acquire();
  get_two();
  add_tiles(CB_A, CB_B, 0, 0, 0);
  give_two();
  tile_regs_commit();
  exp_tile(0);
#elif BUG == 62 /* pops the pages before they are unpacked */
  tile_regs_acquire();
  get_two();
  give_two();
  add_tiles(CB_A, CB_B, 0, 0, 0);
  tile_regs_commit();
#elif BUG == 63 /* unpacks the second tile of a buffer after waiting for one */
  tile_regs_acquire();
  get_two();
  add_tiles(CB_A, CB_B, 0, 1, 0);
  give_two();
  tile_regs_commit();
#elif BUG == 64 /* waits for A twice and never for B */
  tile_regs_acquire();
  cb_wait_front(CB_A, 1);
  cb_wait_front(CB_A, 1);
  add_tiles(CB_A, CB_B, 0, 0, 0);
  give_two();
  tile_regs_commit();
#elif BUG == 65 /* pops A twice, B never */
  tile_regs_acquire();
  get_two();
  add_tiles(CB_A, CB_B, 0, 0, 0);
  cb_pop_front(CB_A, 1);
  cb_pop_front(CB_A, 1);
  tile_regs_commit();
#elif BUG == 66 /* another tile of Dst than the one that is packed */
  tile_regs_acquire();
  get_two();
  add_tiles(CB_A, CB_B, 0, 0, 1);
  give_two();
  tile_regs_commit();
#else
  tile_regs_acquire();
  get_two();
  add_tiles(CB_A, CB_B, 0, 0, 0);
  give_two();
  tile_regs_commit();
#endif
#if BUG == 67 /* packs before the math core has committed */
  put_one();
  tile_regs_wait();
  tile_regs_release();
#elif BUG == 68 /* releases Dst before it packs */
  tile_regs_wait();
  tile_regs_release();
  put_one();
#elif BUG == 69 /* pushes the page before it is packed */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  cb_push_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
  tile_regs_release();
#elif BUG == 70 /* releases twice */
  tile_regs_wait();
  put_one();
  tile_regs_release();
  if (i == 1) tile_regs_release();
#elif BUG == 71 /* packs without a reserve: the consumer may still read */
  tile_regs_wait();
  pack_tile(0, CB_OUT);
  cb_reserve_back(CB_OUT, 1);
  cb_push_back(CB_OUT, 1);
  tile_regs_release();
#elif BUG == 72 /* releases Dst by its own SEMGET: no wait for the packer */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
#ifdef TRISC_PACK
  TT_ZEROACC(p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, dst_half);
  TTI_SEMGET(1u << semaphore_MATH_PACK);
  dst_flip();
#endif
  cb_push_back(CB_OUT, 1);
  PACK(pack_select_dst();)
#elif BUG == 73 /* waits for the packer, but blocks the wrong unit: the post overtakes the packer */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
#ifdef TRISC_PACK
  TTI_STALLWAIT(p_stall_STALL_UNPACK, p_stall_PACK);
  TT_ZEROACC(p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, dst_half);
  TTI_SEMGET(1u << semaphore_MATH_PACK);
  dst_flip();
#endif
  cb_push_back(CB_OUT, 1);
  PACK(pack_select_dst();)
#elif BUG == 74 /* waits for the wrong unit */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
#ifdef TRISC_PACK
  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_MATH);
  TT_ZEROACC(p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, dst_half);
  TTI_SEMGET(1u << semaphore_MATH_PACK);
  dst_flip();
#endif
  cb_push_back(CB_OUT, 1);
  PACK(pack_select_dst();)
#elif BUG == 75 /* the packer's half of Dst is not changed with the math core's */
  tile_regs_wait();
  put_one();
#ifdef TRISC_PACK
  TTI_STALLWAIT(p_stall_STALL_MATH | p_stall_STALL_SYNC, p_stall_PACK);
  TT_ZEROACC(p_zeroacc_CLR_HALF, 0, 0, ADDR_MOD_0, dst_half);
  TTI_SEMGET(1u << semaphore_MATH_PACK);
#endif
#elif BUG == 76 /* ReLU for the next tile, with no wait for the packer that still works on this one */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
  PACK(cfg_rmw(STACC_RELU_ApplyRelu_RMW, ~i & 1u);)
  cb_push_back(CB_OUT, 1);
  tile_regs_release();
#elif BUG == 77 /* the address register is written while the packer may still need it */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
#ifdef TRISC_PACK
  TT_SETADC(p_setadc_PAC, p_setadc_CH_0, p_setadc_SET_W, 0);
  gpr_set(p_gpr_pack_OUTPUT_ADDR, (cb_at(CB_OUT)->write >> 4) - 1);
  cfg_from_gpr(THCON_SEC0_REG1_L1_Dest_addr_ADDR32, p_gpr_pack_OUTPUT_ADDR);
  mop_run();
#endif
  cb_push_back(CB_OUT, 1);
  tile_regs_release();
#elif BUG == 78 /* the core pushes the page by its own store: the packer may still write */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
#ifdef TRISC_PACK
  struct cb_interface *c = cb_at(CB_OUT);
  c->received++;
  cb_advance(c, &c->write, 1);
  c->packed = 0;
  tt_store(cb_register(CB_OUT, CB_STREAM_RECEIVED), c->received);
#endif
  tile_regs_release();
#elif BUG == 79 /* overwrites the MOP template that may still expand */
  tile_regs_wait();
  put_one();
#ifdef TRISC_PACK
  mop_config_store(0, 4);
#endif
  tile_regs_release();
#elif BUG == 80 /* packs from a tile that math never writes */
  tile_regs_wait();
  cb_reserve_back(CB_OUT, 1);
  pack_tile(3, CB_OUT);
  cb_push_back(CB_OUT, 1);
  tile_regs_release();
#elif BUG == 81 /* reserves one page for two tiles */
  tile_regs_wait();
  if (!(i & 1u)) cb_reserve_back(CB_OUT, 1);
  pack_tile(0, CB_OUT);
  cb_push_back(CB_OUT, 1);
  tile_regs_release();
#else
  tile_regs_wait();
  put_one();
  tile_regs_release();
#endif
  (void)i;
}

void kernel_main(void) {
  uint32_t tiles = get_arg_val(0);
#if BUG == 82 /* configured for a buffer of another format */
  binary_op_init(CB_A, CB_B, 17);
#else
  binary_op_init(CB_A, CB_B, CB_OUT);
#endif
#if BUG == 83 /* the semaphore starts with one post: the packer packs a half that is not ready */
  MATH(TTI_SEMINIT(2, 1, 1u << semaphore_MATH_PACK);)
#elif BUG == 84 /* posts another semaphore than the packer waits for */
  MATH(TTI_SEMINIT(2, 0, 1u << semaphore_MATH_DONE);)
  MATH(TTI_SEMPOST(1u << semaphore_MATH_DONE);)
  MATH(TTI_SEMWAIT(p_stall_STALL_MATH, 1u << semaphore_UNPACK_TO_DEST, p_stall_STALL_ON_ZERO);)
#elif BUG == 85 /* room for three halves: there are two */
  MATH(TTI_SEMINIT(3, 0, 1u << semaphore_MATH_PACK);)
#endif
#if BUG != 86 /* without its init the matrix unit runs a template that no core has programmed */
  add_tiles_init();
#endif
#if BUG == 87 /* stores the packer's mask without waiting for the packer */
  PACK(cfg_store(PCK_EDGE_OFFSET_SEC0_mask_ADDR32, 0xff);)
#elif BUG == 88 /* copies a GPR that was never set into the configuration */
  PACK(TT_WRCFG(40, p_cfg_WRCFG_32b, PCK_EDGE_OFFSET_SEC1_mask_ADDR32);)
#elif BUG == 89 /* unpacks a tile that the matrix unit never reads */
  UNPACK(unpack_zero_srcb();)
#endif
  for (uint32_t i = 0; i < tiles; i++) {
#if BUG == 90 /* changes the format while the unpackers may still work on the last tile */
    UNPACK(cfg_store(THCON_SEC0_REG2_Out_data_format_ADDR32, DATA_FORMAT_BFLOAT16 | 2u << 4 | (i & 1u) << 8);)
#elif BUG == 91 /* the math mode changes under instructions that still run, and the packer reads it as well */
    MATH(cfg_rmw(ALU_ACC_CTRL_Fp32_enabled_RMW, i & 1u);)
#endif
    one(i);
  }
}
