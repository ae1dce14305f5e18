/* How many 32x32 tiles per second the unpackers unpack, one core, timing on: one UNPACR per tile, through front end, gate,
 * unpacker and source bank. Handed over: thread 1 waits for each bank and releases it, as a kernel's math thread does. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensix/tile/tile.h"

#define TILES 64000u
#define PER_MOP 64u

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* the machine may be shared */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

struct kind {
  const char *name;
  uint8_t in, out, to_dst, transpose, tilize, hand_over, face;
};

static void set(struct tx_tile *t, unsigned addr, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = (0xffffffffu >> (32 - width)) << shift;
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][addr] = (t->config.words[bank][addr] & ~mask) | value << shift;
  t->config.version++;
}

static void set_mop(struct tx_tile *t, unsigned thread, uint32_t first, uint32_t second) {
  uint32_t nop = (uint32_t)TX_NOP << 24,
           mop[9] = {1, PER_MOP, nop, nop, nop, first, second, second == nop ? first : second, 0};
  mop[8] = mop[7];
  memcpy(t->frontend[thread].mop.cfg, mop, sizeof mop);
}

static void prepare(struct tx_tile *t, const struct kind *k) {
  uint32_t datums = k->face ? 256 : 1024;
  set(t, TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR, 0, 32, k->in | 1u << 4 | datums << 16);
  set(t, TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR + 1, 0, 32, 1u | 4u << 16);
  set(t, TX_CFG_THCON_SEC0_REG2_Out_data_format_ADDR, 0, 4, k->out);
  set(t, TX_CFG_THCON_SEC0_REG2_Haloize_mode_ADDR, TX_CFG_THCON_SEC0_REG2_Haloize_mode_SHIFT, 1, k->transpose);
  set(t, TX_CFG_THCON_SEC0_REG2_Tileize_mode_ADDR, TX_CFG_THCON_SEC0_REG2_Tileize_mode_SHIFT, 1, k->tilize);
  if (k->tilize)
    set(t, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_ADDR, TX_CFG_THCON_SEC0_REG2_Shift_amount_cntx0_SHIFT, 12, 32);
  set(t, TX_CFG_THCON_SEC0_REG2_Disable_zero_compress_cntx0_ADDR, 0, 1, 1);
  set(t, TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_ADDR, TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_SHIFT, 1, k->to_dst);
  set(t, TX_CFG_THCON_SEC0_REG3_Base_address_ADDR, 0, 32, 0x2000);
  set(t, TX_CFG_THCON_SEC0_REG5_Tile_x_dim_cntx0_ADDR, 0, 16, datums);
  set(t, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR, 0, 16, 64);
  t->config.thread_words[0][TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR] =
      k->to_dst ? 0 : 1u << TX_CFG_SRCA_SET_SetOvrdWithAddr_SHIFT;
  t->adc[0].unit[TX_ADC_UNPACKER0][1].c[TX_ADC_X] = datums - 1;
  for (uint32_t i = 0; i < 0x10000; i++) t->l1[0x20000 + i] = (uint8_t)(i * 2654435761u >> 13);
  uint32_t nop = (uint32_t)TX_NOP << 24;
  set_mop(t, 0,
          (uint32_t)TX_UNPACR << 24 | TX_PUT(UNPACR, ovrd_thread_id, 1) | TX_PUT(UNPACR, set_dat_valid, k->hand_over) | 1u,
          nop);
  set_mop(t, 1, (uint32_t)TX_STALLWAIT << 24 | TX_PUT(STALLWAIT, stall_res, 1u << 6) | TX_PUT(STALLWAIT, wait_res, 1u << 7),
          (uint32_t)TX_CLEARDVALID << 24 | TX_PUT(CLEARDVALID, cleardvalid, 1));
}

static void figure(struct tx_tile *t, const struct kind *k, const struct tx_script *script) {
  double best = 0;
  for (unsigned round = 0; round < 3; round++) { /* best of three */
    tx_tile_reset(t, true);
    prepare(t, k);
    tx_script_attach(t, 0, script);
    if (k->hand_over) tx_script_attach(t, 1, script);
    double start = seconds();
    if (tx_tile_run(t, UINT64_C(1) << 40) != SIM_END_DONE) {
      printf("unpack, %s: did not end well: %s\n", k->name, t->fault.why);
      return;
    }
    double now = TILES / (seconds() - start);
    if (now > best) best = now;
  }
  if (t->unpack.datums[0] != (uint64_t)TILES * (k->face ? 256 : 1024)) printf("unpack, %s: datums are missing\n", k->name);
  printf("unpack, %-36s %8.0f %s/s, %.1f cycles each\n", k->name, best, k->face ? "faces" : "tiles",
         (double)t->engine.now / TILES);
}

/* An argument: only the kind of this name. */
int main(int argc, char **argv) {
  static const struct kind kinds[] = {
      {"BF16", NUM_BF16, NUM_BF16, 0, 0, 0, 0, 0},
      {"BF16, handed over and given back", NUM_BF16, NUM_BF16, 0, 0, 0, 1, 0},
      {"BFP8", NUM_BFP8, NUM_BFP8, 0, 0, 0, 0, 0},
      {"BFP8, handed over and given back", NUM_BFP8, NUM_BFP8, 0, 0, 0, 1, 0},
      {"BFP4", NUM_BFP4, NUM_BFP4, 0, 0, 0, 0, 0},
      {"FP16", NUM_FP16, NUM_FP16, 0, 0, 0, 0, 0},
      {"FP32 to TF32", NUM_FP32, NUM_TF32, 0, 0, 0, 0, 0},
      {"INT8", NUM_INT8, NUM_INT8, 0, 0, 0, 0, 0},
      {"FP32 to Dst", NUM_FP32, NUM_FP32, 1, 0, 0, 0, 0},
      {"BF16 to Dst", NUM_BF16, NUM_BF16, 1, 0, 0, 0, 0},
      {"BF16 transposed, by face", NUM_BF16, NUM_BF16, 0, 1, 0, 0, 1},
      {"BF16 tilized", NUM_BF16, NUM_BF16, 0, 0, 1, 0, 0},
  };
  struct tx_tile *t = malloc(sizeof *t);
  struct tx_script_op *ops = malloc(TILES / PER_MOP * sizeof *ops);
  if (!t || !ops) {
    free(ops), free(t);
    return 1;
  }
  for (uint32_t i = 0; i < TILES / PER_MOP; i++)
    ops[i] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = (uint32_t)TX_MOP << 24 | 1u << 23};
  struct tx_script script = {.ops = ops, .count = TILES / PER_MOP};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (argc < 2 || !strcmp(argv[1], kinds[i].name)) figure(t, &kinds[i], &script);
  free(ops), free(t);
  return 0;
}
