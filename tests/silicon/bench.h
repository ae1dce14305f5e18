/* The structure of the public probes on a tile of five cores (mesham/tt-sim, perfbench: riscvbench, tensixbench): a barrier in L1, then a
 * loop over a body between two reads of the wall clock, for several lengths. The T cores of `mask` run it, or BRISC; all other
 * cores poll a word of L1 as idle firmware does, one poll in IDLE_CYCLES. Written from scratch: only the structure is theirs. */
#ifndef TESSERA_TESTS_SILICON_BENCH_H
#define TESSERA_TESTS_SILICON_BENCH_H

#include "../riscv_rig.h"

#include "tensix/isa/isa.h"

enum { S2 = 18, S3, S4, S5, S6, S7, S8, S9, S10, S11 };
enum {
  ALONE = 1 << 8, /* in a mask of cores: the others are in reset */
  BENCH_POINTS = 8,
  IDLE_CYCLES = 18, /* inferred: fits silicon's pointer chase beside idle cores */
  SCRATCH = 0x20000,
  SCRATCH_BYTES = 2048, /* per core: all begin at the same bank, as in riscvbench */
  BARRIER = 0x18000,
  RESULTS = 0x18100,
  IDLE_WORDS = 0x18400,
  CODE_BASE = 0x1000,
  CODE_BYTES = 0x2c00,
};

typedef void bench_body(struct rv *r, unsigned core);

/* Iterations of a point: as many as the one before, `first` more, or twice as many. */
enum bench_growth { SAME, MORE, TWICE };

struct bench {
  bench_body *body;
  unsigned mask;   /* cores that run it: bit 0 TRISC0 ... bit 3 BRISC */
  unsigned first;  /* iterations of the first point */
  unsigned points; /* at most BENCH_POINTS */
  enum bench_growth growth;
  bool syncs;          /* tensix_sync before the first read of the clock */
  bench_body *prepare; /* Tensix instructions that run first, or NULL */
};

static inline uint32_t bench_code(unsigned core) { return CODE_BASE + core * CODE_BYTES; }

static inline void bench_idle(struct rv *r, unsigned core) {
  rv_li(r, S0, IDLE_WORDS + 64 * core);
  rv_put_times(r, RV_NOP, IDLE_CYCLES - 9);
  rv_put(r, rv_lw(A0, 0, S0));
  rv_put(r, rv_beq(A0, ZERO, -4 * (IDLE_CYCLES - 8)));
  rv_put(r, RV_EBREAK);
}

static inline void bench_barrier(struct rv *r, unsigned core, unsigned mask) {
  rv_put(r, rv_addi(S8, S8, 1));
  rv_put(r, rv_sw(S8, 4 * (int32_t)core, S3));
  for (unsigned other = 0; other < 4; other++) {
    if (!(mask >> other & 1u)) continue;
    rv_put(r, rv_lw(A5, 4 * (int32_t)other, S3));
    rv_put(r, rv_b(-4, S8, A5, 6)); /* bltu a5, s8 */
  }
}

static inline void bench_sync(struct rv *r) {
  rv_put(r, rv_sw(ZERO, 0, S6));
  rv_put(r, rv_lw(A5, 0, S6));
  rv_put(r, rv_i(0, A5, 7, A5, 0x13)); /* andi: waits for it */
}

/* A loop that is too long for a backward branch uses jal. */
static inline void bench_loop_end(struct rv *r, uint32_t top) {
  rv_put(r, rv_addi(S0, S0, -1));
  int32_t back = (int32_t)top - (int32_t)r->at;
  if (back >= -4096) {
    rv_put(r, rv_bne(S0, ZERO, back));
    return;
  }
  rv_put(r, rv_beq(S0, ZERO, 8));
  rv_put(r, rv_jal(ZERO, (int32_t)top - (int32_t)r->at));
}

/* A ring of 64 words, 16 bytes apart, for pointer chases. */
static inline void bench_chain(struct rv *r, unsigned core) {
  uint32_t base = SCRATCH + core * SCRATCH_BYTES;
  for (unsigned i = 0; i < 64; i++) rv_poke(r, base + 16 * i, base + 16 * ((i + 1) % 64));
}

static inline void bench_registers(struct rv *r, const struct bench *b, unsigned core) {
  rv_li(r, A6, SCRATCH + core * SCRATCH_BYTES);
  rv_li(r, A7, TX_LOCAL_BASE + 0x100);
  rv_put(r, rv_sw(A7, 0, A7));
  rv_li(r, T1, 0x12345678);
  rv_li(r, T2, 3);
  rv_li(r, S3, BARRIER);
  rv_li(r, S4, 0xFFB121F0u);
  rv_li(r, S5, RESULTS + 64 * core);
  rv_li(r, S6, 0xFFE80004u);
  rv_li(r, S7, b->points);
  rv_li(r, S1, b->first);
  rv_li(r, S2, b->growth == MORE ? b->first : 0);
  rv_put(r, rv_addi(S8, ZERO, 0));
}

static inline void bench_program(struct rv *r, const struct bench *b, unsigned core) {
  rv_firmware(r);
  bench_registers(r, b, core);
  if (b->prepare) b->prepare(r, core);
  uint32_t again = r->at;
  bench_barrier(r, core, b->mask);
  if (b->syncs) bench_sync(r);
  rv_put(r, rv_addi(S0, S1, 0));
  rv_put(r, rv_lw(S9, 0, S4));
  uint32_t top = r->at;
  b->body(r, core);
  bench_loop_end(r, top);
  rv_put(r, rv_lw(S10, 0, S4));
  rv_put(r, rv_r(0x20, S9, S10, 0, S10, 0x33)); /* sub */
  rv_put(r, rv_sw(S10, 0, S5));
  rv_put(r, rv_addi(S5, S5, 4));
  rv_put(r, b->growth == TWICE ? rv_r(0, S1, S1, 0, S1, 0x33) : rv_r(0, S2, S1, 0, S1, 0x33)); /* add */
  rv_put(r, rv_addi(S7, S7, -1));
  rv_put(r, rv_beq(S7, ZERO, 8));
  rv_put(r, rv_jal(ZERO, (int32_t)again - (int32_t)r->at));
  bench_idle(r, core);
}

/* All points of all cores that run; cycles[core][point]. */
static inline void bench_run(const struct bench *b, uint64_t cycles[TX_CORES][BENCH_POINTS]) {
  struct rv r;
  rv_new(&r, true);
  for (unsigned core = 0; core < TX_CORES; core++) {
    r.at = bench_code(core);
    bench_chain(&r, core);
    if (b->mask >> core & 1u) bench_program(&r, b, core);
    else rv_firmware(&r), bench_idle(&r, core);
    if (r.at > bench_code(core + 1)) fail_msg("a probe of %u bytes", r.at - bench_code(core));
  }
  for (unsigned core = 0; core < TX_CORES; core++)
    if (b->mask >> core & 1u || !(b->mask & ALONE)) tx_core_start(r.t, core, bench_code(core));
  for (;;) {
    tx_tile_run(r.t, r.t->engine.now + 500);
    unsigned missing = 0;
    for (unsigned core = 0; core < TX_CORES; core++)
      missing += b->mask >> core & 1u && !rv_peek(&r, RESULTS + 64 * core + 4 * (b->points - 1));
    if (!missing) break;
    bool stuck = r.t->fault.kind || r.t->engine.now > 3000000 || sim_next(&r.t->engine) == SIM_NEVER;
    if (stuck) fail_msg("a probe does not end: %s", r.t->fault.why);
  }
  for (unsigned core = 0; core < TX_CORES; core++)
    for (unsigned p = 0; p < b->points; p++) cycles[core][p] = rv_peek(&r, RESULTS + 64 * core + 4 * p);
  rv_free(&r);
}

#endif
