/* How many 32x32 tiles per second the packer packs, one core, timing on: MOPs of sixteen PACRs as kernels issue them,
 * through front end, gate, packer and L1. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensix/tile/tile.h"

#define TILES 10000u
#define ROUNDS 12u /* the best of many short rounds: the machine is shared */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* the machine may be shared */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#define SET(t, name, value) set_field((t), TX_CFG_##name##_ADDR, TX_CFG_##name##_SHIFT, TX_CFG_##name##_WIDTH, (value))

static void set_field(struct tx_tile *t, unsigned addr, unsigned shift, unsigned width, uint32_t value) {
  uint32_t mask = (0xffffffffu >> (32 - width)) << shift;
  for (unsigned bank = 0; bank < 2; bank++)
    t->config.words[bank][addr] = (t->config.words[bank][addr] & ~mask) | value << shift;
  t->config.version++;
}

struct kind {
  const char *name;
  uint8_t wide, intermediate, to, relu, accumulate;
};

/* Strides, address modes and MOP as the kernel library sets them for a whole tile. */
static void prepare(struct tx_tile *t, const struct kind *k) {
  unsigned bytes = (k->intermediate & 3u) == 0 ? 4 : (k->intermediate & 3u) == 1 ? 2 : 1;
  uint16_t *section = &t->config.thread_words[2][TX_CFG_ADDR_MOD_PACK_SEC0_YsrcIncr_ADDR];
  uint32_t pacr = (uint32_t)TX_PACR << 24;
  SET(t, PCK_DEST_RD_CTRL_Read_32b_data, k->wide);
  SET(t, ALU_FORMAT_SPEC_REG2_Dstacc, k->intermediate);
  SET(t, THCON_SEC0_REG1_In_data_format, k->intermediate);
  SET(t, THCON_SEC0_REG1_Out_data_format, k->to);
  SET(t, THCON_SEC0_REG1_Pack_L1_Acc, k->accumulate);
  SET(t, STACC_RELU_ApplyRelu, k->relu);
  SET(t, THCON_SEC0_REG1_Exp_section_size, 4);
  SET(t, THCON_SEC0_REG1_L1_Dest_addr, 0x5fff);
  SET(t, THCON_SEC0_REG1_Disable_zero_compress, 1);
  SET(t, PCK_EDGE_OFFSET_SEC0_mask, 0xffff);
  SET(t, PACK_COUNTERS_SEC0_pack_reads_per_xy_plane, 16);
  SET(t, PCK0_ADDR_CTRL_XY_REG_0_Ystride, 16 * bytes);
  SET(t, PCK0_ADDR_CTRL_ZW_REG_0_Zstride, 256 * bytes);
  t->adc[2].unit[TX_ADC_PACKER][1].c[TX_ADC_X] = 15;
  section[0] = 4, section[1] = 1u << 5 | 1u << 13, section[2] = 1u << 5 | 1u << 12;
  uint32_t nop = (uint32_t)TX_NOP << 24, mop[9] = {4, 4, nop, nop, nop, pacr, nop, 0, 0};
  mop[7] = pacr | TX_PUT(PACR, addr_mode, 1) | TX_PUT(PACR, last, 1); /* the last of the last face */
  mop[8] = pacr | TX_PUT(PACR, addr_mode, 2);                         /* the last of another face */
  memcpy(t->frontend[2].mop.cfg, mop, sizeof mop);
  for (unsigned r = 0; r < TX_DST_ROWS; r++) {
    t->dst.valid[r] = 1;
    for (unsigned c = 0; c < TX_DST_COLUMNS; c++) t->dst.bits[r][c] = (uint16_t)((r * 16 + c) * 40503u);
  }
}

static void figure(struct tx_tile *t, const struct kind *k, const struct tx_script *script) {
  double best = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    tx_tile_reset(t, true);
    prepare(t, k);
    tx_script_attach(t, 2, script);
    double start = seconds();
    if (tx_tile_run(t, UINT64_C(1) << 40) != SIM_END_DONE) {
      printf("pack, %s: did not end well: %s\n", k->name, t->fault.why);
      return;
    }
    double now = TILES / (seconds() - start);
    if (now > best) best = now;
  }
  printf("pack, %-38s %8.0f tiles/s, %.1f cycles per tile\n", k->name, best, (double)t->engine.now / TILES);
}

/* The packer without the front end before it: the bodies of a tile's sixteen PACRs, and their effects. */
static void figure_alone(struct tx_tile *t, const struct kind *k) {
  double best = 0;
  for (unsigned round = 0; round < ROUNDS; round++) {
    tx_tile_reset(t, true);
    prepare(t, k);
    double start = seconds();
    for (uint32_t n = 0; n < TILES * 16; n++) {
      uint32_t word = t->frontend[2].mop.cfg[n % 4 != 3 ? 5 : n % 16 != 15 ? 8 : 7];
      struct tx_cost cost = {.issue = 1};
      t->current = (struct tx_current){.agent = TX_AGENT_THREAD2, .word = word, .unit = TX_UNIT_PACK};
      tx_exec_PACR(t, 2, word, &cost);
      tx_tile_run(t, t->engine.now + cost.hold + cost.issue);
    }
    double now = TILES / (seconds() - start);
    if (now > best) best = now;
  }
  printf("pack, %-38s %8.0f tiles/s, packer alone\n", k->name, best);
}

/* An argument: only the kind of this name. */
int main(int argc, char **argv) {
  static const struct kind kinds[] = {
      {"BF16", 0, NUM_BF16, NUM_BF16, 0, 0},
      {"BF16 to BFP8", 0, NUM_BF16, NUM_BFP8, 0, 0},
      {"BF16 to BFP8 by E8M6", 0, NUM_BFP8, NUM_BFP8, 0, 0},
      {"BF16 to BFP4", 0, NUM_BF16, NUM_BFP4, 0, 0},
      {"BF16 with ReLU", 0, NUM_BF16, NUM_BF16, 1, 0},
      {"FP32", 1, NUM_FP32, NUM_FP32, 0, 0},
      {"32-bit Dst to BF16", 1, NUM_BF16, NUM_BF16, 0, 0},
      {"32-bit Dst to BFP8", 1, NUM_FP32, NUM_BFP8, 0, 0},
      {"BF16 accumulating in L1", 0, NUM_BF16, NUM_BF16, 0, 1},
  };
  struct tx_tile *t = malloc(sizeof *t);
  struct tx_script_op *ops = malloc(TILES * sizeof *ops);
  if (!t || !ops) {
    free(t), free(ops);
    return 1;
  }
  for (uint32_t i = 0; i < TILES; i++)
    ops[i] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = (uint32_t)TX_MOP << 24 | 1u << 23};
  struct tx_script script = {.ops = ops, .count = TILES};
  for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (argc < 2 || !strcmp(argv[1], kinds[i].name)) figure(t, &kinds[i], &script);
  for (unsigned i = 0; i < 2; i++)
    if (argc < 2) figure_alone(t, &kinds[i]);
  free(ops), free(t);
  return 0;
}
