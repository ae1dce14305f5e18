/* How many million instructions per second a baby core executes, timing off and on, and the cost of idle and waiting cores. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "tensix/riscv/core.h"
#include "tensix/tile/tile.h"

#define ITERATIONS 2000000u
#define CORE 0u

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); /* the machine is shared */
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Loops; s0 (x8) counts down, sp (x2) points into local RAM, a5 (x15) to L1. The last two words are addi s0, s0, -1 and bne. */
#define SETADC ((uint32_t)TX_SETADC << 26 | (uint32_t)TX_SETADC >> 6)

struct program {
  const char *name;
  unsigned count;
  uint32_t words[16];
  unsigned iterations;
};

static const struct program programs[] = {
    {"arithmetic and branches",
     9,
     {0x00150513 /* addi a0,a0,1 */, 0x00a5c5b3 /* xor a1,a1,a0 */, 0x00359613 /* slli a2,a1,3 */,
      0x00c586b3 /* add a3,a1,a2 */, 0x00d6f463 /* bgeu a3,a3,+8 */, 0x00000013, 0x02a68733 /* mul a4,a3,a0 */,
      0x40c705b3 /* sub a1,a4,a2 */, 0x00b57533 /* and a0,a0,a1 */},
     ITERATIONS * 2},
    {"with local RAM",
     8,
     {0x00012503 /* lw a0,0(sp) */, 0x00150513, 0x00a12023 /* sw a0,0(sp) */, 0x00412583 /* lw a1,4(sp) */, 0x00a5c5b3,
      0x00b12223 /* sw a1,4(sp) */, 0x00359613, 0x00c586b3},
     ITERATIONS * 2},
    {"with L1: a load and a store in 10",
     8,
     {0x0007a503 /* lw a0,0(a5) */, 0x00150513, 0x00a7a223 /* sw a0,4(a5) */, 0x00a5c5b3, 0x00359613, 0x00c586b3, 0x00d6c733,
      0x00e58593},
     ITERATIONS / 4},
    {".ttinsn: eight SETADC in 10", 8, {SETADC, SETADC, SETADC, SETADC, SETADC, SETADC, SETADC, SETADC}, ITERATIONS / 4},
};

static void put(struct tx_tile *t, uint32_t *at, uint32_t word) {
  memcpy(&t->l1[*at], &word, 4);
  *at += 4;
}

static void load(struct tx_tile *t, const struct program *p) {
  uint32_t at = 0;
  put(t, &at, 0x000402b7); /* lui t0, 0x40: cfg0 bit 18 */
  put(t, &at, 0x00828293); /* addi t0, t0, 8: and bit 3 */
  put(t, &at, 0x7c02a073); /* csrs cfg0, t0 */
  put(t, &at, 0xffb00137); /* lui sp, 0xffb00 */
  put(t, &at, 0x000207b7); /* lui a5, 0x20 */
  put(t, &at, (p->iterations + 0x800) >> 12 << 12 | 0x437);
  put(t, &at, (p->iterations & 0xfff) << 20 | 0x40413);
  uint32_t top = at;
  for (unsigned i = 0; i < p->count; i++) put(t, &at, p->words[i]);
  put(t, &at, 0xfff40413); /* addi s0, s0, -1 */
  uint32_t back = top - at;
  put(t, &at,
      (back >> 12 & 1u) << 31 | (back >> 5 & 63u) << 25 | 8u << 15 | 1u << 12 | (back >> 1 & 15u) << 8 |
          (back >> 11 & 1u) << 7 | 0x63u);
  put(t, &at, 0x00100073); /* ebreak */
}

/* Cores that poll a word that is never written, with firmware's settings. */
static void load_spinner(struct tx_tile *t, uint32_t at) {
  put(t, &at, 0x000402b7);
  put(t, &at, 0x00828293);
  put(t, &at, 0x7c02a073);
  put(t, &at, 0x000307b7); /* lui a5, 0x30 */
  put(t, &at, 0x0007a503); /* lw a0, 0(a5) */
  put(t, &at, 0xfe050ee3); /* beqz a0, -4 */
}

/* Million instructions per second, best of three. */
static double rate(struct tx_tile *t, const struct program *p, bool timing, unsigned spinners) {
  double best = 0;
  for (unsigned round = 0; round < 3; round++) {
    tx_tile_reset(t, timing);
    load(t, p);
    load_spinner(t, 0x8000);
    for (unsigned core = 1; core <= spinners; core++) tx_core_start(t, core, 0x8000);
    tx_core_start(t, CORE, 0);
    double start = seconds();
    tx_tile_run(t, UINT64_C(1) << 40);
    double took = seconds() - start;
    if (t->core[CORE].state != TX_CORE_EBREAK) return 0;
    double now = (double)t->core[CORE].retired / took / 1e6;
    if (now > best) best = now;
  }
  return best;
}

int main(void) {
  struct tx_tile *t = malloc(sizeof *t);
  if (!t) return 1;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
    for (unsigned timing = 0; timing < 2; timing++)
      printf("baby core, %-34s timing %-5s %8.1f million instructions/s\n", programs[i].name, timing ? "cycle" : "off",
             rate(t, &programs[i], timing, 0));
  printf("baby core, %-34s timing %-5s %8.1f million instructions/s\n", "beside three cores that wait", "cycle",
         rate(t, &programs[0], true, 3));
  free(t);
  return 0;
}
