/* MVMULs per second: bf16, one phase, 16-bit Dst, issued by a scripted core through MOP expander, replay buffer and
 * wait gate, with timing on. One line per version of the arithmetic, with and without new operands every 16 instructions;
 * then the bodies alone. `bench_matrix NAME` runs one version only. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensix/num/format.h"
#include "tensix/num/num_fpu_vec.h"
#include "tensix/tile/tile.h"
#include "ttsim_mvmul.h"

#define OP(name) ((uint32_t)TX_##name << 24)
#define TILES_MAX 200000u

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* CPU time, independent of other load */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static void fill_banks(struct tx_tile *t) {
  uint64_t x = UINT64_C(88172645463325252);
  for (unsigned which = 0; which < 2; which++)
    for (unsigned bank = 0; bank < 2; bank++) {
      struct tx_src_bank *b = &t->src.bank[which][bank];
      b->owner = TX_CLIENT_MATRIX;
      b->format = NUM_BF16;
      b->filled = 1;
      b->version++;
      for (unsigned r = 0; r < 64; r++)
        for (unsigned c = 0; c < 16; c++) {
          x ^= x << 13, x ^= x >> 7, x ^= x << 17;
          b->datum[r][c] = (uint32_t)(x & 0x7f800u) | (120 + (uint32_t)(x >> 40) % 12);
        }
    }
}

static void address_modes(struct tx_tile *t) {
  static const uint16_t ab[8] = {
      8 << 8, 16 | 1 << 14, 1 << 6 | 32 << 8 | 1 << 14, 0, 32 | 1 << 6 | 48 << 8 | 1 << 14, 1 << 7 | 1 << 15};
  static const uint16_t dst[8] = {8, 8, 8, 0, 1 << 10, 1 << 11};
  for (unsigned i = 0; i < 8; i++) {
    t->config.thread_words[1][TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + i] = ab[i];
    t->config.thread_words[1][TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + i] = dst[i];
  }
}

/* The 32x32 matmul of LLK: 16 MVMULs in the replay buffer, one MOP per tile. */
static const unsigned matmul_modes[16] = {0, 1, 0, 2, 0, 1, 0, 4, 0, 1, 0, 2, 0, 1, 0, 5};
#define REPLAY_WORD (OP(REPLAY) | TX_PUT(REPLAY, start_idx, 16) | TX_PUT(REPLAY, len, 16))
#define MOP_WORD (OP(MOP) | TX_PUT(MOP, mop_type, 1))
static const uint32_t mop[9] = {1, 1, OP(NOP), OP(NOP), OP(NOP), REPLAY_WORD, OP(NOP), REPLAY_WORD, REPLAY_WORD};

static uint32_t mvmul(unsigned i, uint32_t last_clear) {
  return OP(MVMUL) | TX_PUT(MVMUL, addr_mode, matmul_modes[i]) | TX_PUT(MVMUL, clear_dvalid, i == 15 ? last_clear : 0);
}

static uint32_t make_program(struct tx_script_op *ops, uint32_t tiles, uint32_t last_clear) {
  uint32_t n = 0;
  ops[n++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = REPLAY_WORD | TX_PUT(REPLAY, load_mode, 1)};
  for (unsigned i = 0; i < 16; i++) ops[n++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = mvmul(i, last_clear)};
  for (unsigned i = 0; i < 9; i++)
    ops[n++] = (struct tx_script_op){.kind = TX_SCRIPT_STORE, .a = 0xffb80000u + 4 * i, .b = mop[i]};
  for (uint32_t i = 0; i < tiles; i++) ops[n++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = MOP_WORD};
  return n;
}

/* MVMULs per second. `fresh`: every tile decodes its banks again, as after an unpack. */
static double whole_machine(struct tx_tile *t, struct tx_script_op *ops, const struct num_fpu_ops *version, uint32_t tiles,
                            bool fresh) {
  tx_tile_reset(t, true);
  t->unsaved.matrix.ops = version;
  fill_banks(t);
  address_modes(t);
  memset(t->dst.valid, TX_DST_UNDEFINED, sizeof t->dst.valid);
  if (fresh) /* the pointer flips, the bank stays with the matrix unit */
    t->config.thread_words[1][TX_CFG_CLR_DVALID_SrcA_Disable_ADDR] |= 3u;
  struct tx_script script = {.ops = ops, .count = make_program(ops, tiles, fresh ? 3 : 0)};
  tx_script_attach(t, 1, &script);
  double begin = seconds();
  enum sim_end end = SIM_END_TIME;
  for (sim_time until = 16; end == SIM_END_TIME; until += 16) {
    end = tx_tile_run(t, fresh ? until : SIM_NEVER - 1);
    if (fresh)
      for (unsigned which = 0; which < 2; which++)
        for (unsigned bank = 0; bank < 2; bank++) t->src.bank[which][bank].version++;
  }
  double took = seconds() - begin;
  if (t->fault.kind) fprintf(stderr, "bench_matrix: %s\n", t->fault.why);
  return (double)t->units[TX_UNIT_MATRIX].accepted[1] / took;
}

static double body_only(struct tx_tile *t, const struct num_fpu_ops *version, uint32_t count) {
  tx_tile_reset(t, true);
  t->unsaved.matrix.ops = version;
  fill_banks(t);
  memset(t->dst.valid, TX_DST_UNDEFINED, sizeof t->dst.valid);
  double begin = seconds();
  for (uint32_t i = 0; i < count; i++) {
    struct tx_cost cost = {0};
    t->engine.now += 8;
    tx_exec_MVMUL(t, 1, OP(MVMUL) | TX_PUT(MVMUL, dst, 8 * (i % 64)), &cost);
  }
  return (seconds() - begin) / count * 1e9;
}

/* Both in one run. ttsim has one version, so it is compared with the best of ours. */
static void compare_with_ttsim(const char *path, double ours) {
  uint32_t matmul[16];
  for (unsigned i = 0; i < 16; i++) matmul[i] = mvmul(i, 0);
  double theirs = ttsim_mvmul_rate(path, matmul, mop, REPLAY_WORD | TX_PUT(REPLAY, load_mode, 1), MOP_WORD, 20000, seconds);
  if (theirs > 0) printf("matrix ttsim    %7.3f million MVMUL/s; ratio %.1f\n", theirs * 1e-6, ours / theirs);
  else printf("matrix ttsim    could not be measured\n");
}

int main(int argc, char **argv) {
  struct tx_tile *t = malloc(sizeof *t);
  struct tx_script_op *ops = malloc((TILES_MAX + 64) * sizeof *ops);
  if (!t || !ops) {
    free(ops);
    free(t);
    return 1;
  }
  double fastest = 0;
  for (size_t n = 0; num_fpu_nth(n); n++) {
    const struct num_fpu_ops *version = num_fpu_nth(n);
    if (argc > 1 && strcmp(argv[1], version->name) != 0) continue;
    uint32_t tiles = n == 0 ? 500 : n == 1 ? 5000 : 60000;
    double best = 0, fresh = 0, body = 1e30;
    for (unsigned round = 0; round < 3; round++) { /* the best of three: other load only slows a run down */
      double rate = whole_machine(t, ops, version, tiles, false);
      if (rate > best) best = rate;
      rate = whole_machine(t, ops, version, tiles, true);
      if (rate > fresh) fresh = rate;
      double cost = body_only(t, version, tiles * 16);
      if (cost < body) body = cost;
    }
    printf("matrix %-8s %7.3f million MVMUL/s through the front end, %7.3f with new operands every 16; body %.0f ns\n",
           version->name, best * 1e-6, fresh * 1e-6, body);
    if (best > fastest) fastest = best;
  }
  if (getenv("TTSIM_LIB")) compare_with_ttsim(getenv("TTSIM_LIB"), fastest);
  free(ops);
  free(t);
  return 0;
}
