/* The speed of the vector unit: SFPMAD and others through the whole front end with timing on, for each version of the lanes'
 * arithmetic, and the lanes' multiply-add by itself. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tensix/tile/tile.h"

#define MOPS 4u /* few enough for the FIFO: the core never waits */
#define ROUNDS 40u
#define WORDS_PER_MOP (127u * 127u)

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static uint32_t mad(unsigned va, unsigned vb, unsigned vc, unsigned vd) {
  return (uint32_t)TX_SFPMAD << 24 | va << 16 | vb << 12 | vc << 8 | vd << 4;
}

/* The best of many short rounds: the machine is shared. A MOP of 127 x 127 x one word keeps the pushing core out of the figure. */
static double rate(struct tx_tile *t, uint32_t word, const struct tx_lane_ops *ops) {
  static const struct tx_script_op push = {.kind = TX_SCRIPT_PUSH, .a = (uint32_t)TX_MOP << 24 | 1u << 23};
  struct tx_script_op pushes[MOPS];
  struct tx_script script = {.ops = pushes, .count = MOPS};
  double best = 0;
  for (unsigned i = 0; i < MOPS; i++) pushes[i] = push;
  for (unsigned round = 0; round < ROUNDS; round++) {
    tx_tile_reset(t, true);
    t->unsaved.lane_ops = ops;
    for (unsigned i = 0; i < 9; i++)
      t->frontend[0].mop.cfg[i] = i < 2 ? 127 : i == 5 || i > 6 ? word : (uint32_t)TX_NOP << 24;
    for (unsigned reg = 0; reg < 8; reg++)
      for (unsigned l = 0; l < TX_LANES; l++)
        t->vector.lreg[reg][l] = 0x3e800000u + reg * 0x123456u + l * 0x3571u; /* below 1 */
    tx_script_attach(t, 0, &script);
    double start = seconds();
    if (tx_tile_run(t, UINT64_C(1) << 40) != SIM_END_DONE) return 0;
    double now = MOPS * (double)WORDS_PER_MOP / (seconds() - start);
    if (t->units[TX_UNIT_VECTOR].accepted[0] != MOPS * WORDS_PER_MOP) return 0;
    if (now > best) best = now;
  }
  return best;
}

static double lanes_alone(const struct tx_lane_ops *ops) {
  static tx_row a, b, c, d;
  double best = 1e9;
  for (unsigned l = 0; l < TX_LANES; l++) a[l] = b[l] = c[l] = 0x3f800000u + l * 0x35713u;
  struct tx_lane_args args = {.d = d, .a = a, .b = b, .c = c, .mask = TX_ALL_LANES};
  for (unsigned round = 0; round < ROUNDS; round++) {
    double start = seconds();
    for (unsigned i = 0; i < 10000; i++) {
      ops->fn[TX_LANE_MAD](&args);
      __asm__ volatile("" : : "r"(&args) : "memory");
    }
    double now = (seconds() - start) / 10000;
    if (now < best) best = now;
  }
  return best;
}

int main(void) {
  struct tx_tile *t = malloc(sizeof *t);
  if (!t) return 1;
  for (unsigned i = 0; tx_lanes_version(i); i++) {
    const struct tx_lane_ops *ops = tx_lanes_version(i);
    printf("vector unit, %-6s SFPMAD through the front end %7.2f million/s, 32 lanes of it alone %6.1f ns\n", ops->name,
           rate(t, mad(1, 2, 3, 4), ops) / 1e6, lanes_alone(ops) * 1e9);
  }
  const struct {
    const char *name;
    uint32_t word;
  } others[] = {{"SFPMAD, each reading the last", mad(4, 2, 3, 4)},
                {"SFPNOP", (uint32_t)TX_SFPNOP << 24},
                {"SFPMOV", (uint32_t)TX_SFPMOV << 24 | 1u << 8 | 2u << 4},
                {"SFPLOAD FP32", (uint32_t)TX_SFPLOAD << 24 | 3u << 16},
                {"SFPSTORE FP32", (uint32_t)TX_SFPSTORE << 24 | 3u << 16},
                {"SFPLUTFP32", (uint32_t)TX_SFPLUTFP32 << 24 | 7u << 4 | 2u},
                {"SFPSETCC", (uint32_t)TX_SFPSETCC << 24 | 1u << 8 | 1u}};
  for (unsigned i = 0; i < sizeof others / sizeof others[0]; i++)
    printf("vector unit, %-29s %7.2f million/s\n", others[i].name, rate(t, others[i].word, tx_lanes_best()) / 1e6);
  free(t);
  return 0;
}
