/* The baby cores as parts of the tile: the load/store unit, order, spins, pushes, caches, stops, state as a value. */
#include "riscv_rig.h"
#include "scale.h"
#include "tensix/isa/isa.h"
#include "tensix/riscv/breaks.h"

enum { CODE = 0x1000, CODE2 = 0x4000, DATA = 0x20000, FLAG = 0x21000, DONE = 0x21040 };

#define OP(name, bits) ((uint32_t)TX_##name << 24 | (uint32_t)(bits))

static void begin(struct rv *r, uint32_t at) {
  r->at = at;
  rv_firmware(r);
}

/* Cycles from one mcycle read to another around `count` words; both reads are in it. */
static uint64_t measure(const uint32_t *words, unsigned count, unsigned core) {
  struct rv r;
  uint64_t took[2];
  for (unsigned pass = 0; pass < 2; pass++) { /* the second pass of the loop has warm caches */
    rv_new(&r, true);
    begin(&r, CODE);
    rv_li(&r, S0, DATA);
    rv_li(&r, S1, TX_LOCAL_BASE);
    rv_put(&r, rv_addi(T2, ZERO, 2));
    uint32_t top = r.at;
    rv_put(&r, RV_FENCE);
    rv_put(&r, rv_csrrs(GP, 0xb00, ZERO));
    for (unsigned i = 0; i < count; i++) rv_put(&r, words[i]);
    rv_put(&r, rv_csrrs(TP, 0xb00, ZERO));
    rv_put(&r, rv_addi(T2, T2, -1));
    rv_put(&r, rv_bne(T2, ZERO, (int32_t)top - (int32_t)r.at));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, core, CODE);
    took[pass] = r.t->core[core].x[TP] - r.t->core[core].x[GP];
    rv_free(&r);
  }
  assert_int_equal(took[0], took[1]);
  return took[1];
}

/* --- loads --- */

/* ISA: README.md: a latency of N is hidden by N - 1 independent instructions. */
static void loads_block_only_when_their_register_is_read(void **state) {
  uint32_t words[16];
  (void)state;
  for (unsigned between = 0; between <= 8; between++) {
    unsigned n = 0;
    words[n++] = rv_lw(A0, 0, S0);
    for (unsigned i = 0; i < between; i++) words[n++] = rv_addi(A1 + i % 4, ZERO, 1);
    words[n++] = rv_addi(A0, A0, 0);
    uint64_t nothing = measure(words, 0, 1), took = measure(words, n, 1);
    uint64_t stall = between < 7 ? 7 - between : 0;
    assert_int_equal(took - nothing, n + stall);
  }
}

/* The retire-order queue holds eight: the ninth instruction after a load waits even when it does not use it. */
static void eight_instructions_can_be_under_way(void **state) {
  uint32_t words[40];
  (void)state;
  for (unsigned i = 0; i < 12; i++) words[i] = i == 0 ? rv_r(1, T2, T2, 5, A0, 0x33) : RV_NOP;
  words[0] = rv_lw(A0, 0, S0);
  uint64_t all = measure(words, 12, 0);
  for (unsigned i = 0; i < 12; i++) words[i] = RV_NOP;
  uint64_t nops = measure(words, 12, 0);
  assert_int_equal(all, nops); /* latency 8: the queue is just long enough */
}

/* By region: local RAM 2, semaphores 3, GPRs and configuration 4, L1 8, tile control 7 at least. */
static void latency_depends_on_the_region(void **state) {
  static const struct {
    uint32_t address, cycles;
  } rows[] = {{TX_LOCAL_BASE, 2}, {0xFFE80020, 3}, {0xFFE00000, 4}, {0xFFEF0000, 4}, {0xFFB121B0, 7}, {DATA, 8}};
  (void)state;
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    uint32_t low = rows[i].address & 0xfffu, high = rows[i].address + (low >> 11 << 12);
    uint32_t words[5] = {rv_lui(T1, high), rv_addi(T1, T1, (int32_t)(low << 20) >> 20), RV_NOP, rv_lw(A0, 0, T1),
                         rv_addi(A0, A0, 0)};
    uint64_t took = measure(words, 5, 1) - measure(words, 3, 1);
    printf("note: load of 0x%08x: %u cycles\n", rows[i].address, (unsigned)took - 1);
    assert_int_equal(took, rows[i].cycles + 1);
  }
}

/* --- divide --- */

static uint64_t divide_takes(uint32_t f3, uint32_t a, uint32_t b) {
  uint32_t words[6];
  const uint32_t values[2] = {a, b};
  for (unsigned i = 0; i < 2; i++) {
    uint32_t low = values[i] & 0xfffu, high = values[i] + (low >> 11 << 12);
    words[2 * i] = rv_lui(A0 + i, high);
    words[2 * i + 1] = rv_addi(A0 + i, A0 + i, (int32_t)(low << 20) >> 20);
  }
  words[4] = rv_r(1, A1, A0, f3, A2, 0x33);
  return measure(words, 5, 0) - measure(words, 4, 0);
}

/* ISA: README.md, "EX1" */
static void divide_depends_on_its_operands(void **state) {
  (void)state;
  assert_int_equal(divide_takes(5, 1000, 0), 2);
  assert_int_equal(divide_takes(5, 1000, 1), 2);
  assert_int_equal(divide_takes(4, 0x80000000, 0xffffffff), 2);
  assert_int_equal(divide_takes(5, 0, 3), 6);
  assert_int_equal(divide_takes(7, 0xffffffff, 3), 33);
  assert_int_equal(divide_takes(5, 0x12345678, 3), 33); /* silicon */
  assert_true(divide_takes(4, 0xfffffff0, 3) < 12);     /* a small magnitude */
}

/* Cycles of 40 addi, the second of each pair reading the first when `dependent`, and of a load with its use, while cfg0 has `bits`. */
static uint64_t in_order_takes(uint32_t bits, bool dependent, unsigned count) {
  struct rv r;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_li(&r, T0, bits);
  rv_put(&r, rv_csrrs(ZERO, 0x7c0, T0));
  rv_li(&r, S0, DATA);
  for (unsigned i = 0; i < count; i++) rv_put(&r, rv_addi(A0 + (dependent ? 0 : i % 6), dependent ? A0 : ZERO, 1));
  rv_put(&r, rv_lw(A0, 0, S0));
  rv_put(&r, rv_addi(A1, dependent ? A0 : ZERO, 0));
  rv_put(&r, RV_EBREAK);
  uint64_t cycles = rv_run(&r, 1, CODE);
  rv_free(&r);
  return cycles;
}
static double in_order_each(uint32_t bits, bool dependent) { /* a line of code comes every five cycles: 1.25 at least */
  return (double)(in_order_takes(bits, dependent, 72) - in_order_takes(bits, dependent, 40)) / 32;
}

/* ISA: CSRs.md, cfg0: SyncAllOps (bit 9) and DisRegForwarding (bit 20). How long retirement takes is inferred from CSR accesses. */
static void cfg0_keeps_instructions_in_order(void **state) {
  (void)state;
  assert_true(in_order_each(0, true) == 1.25 && in_order_each(0, false) == 1.25);
  assert_true(in_order_each(1u << 9, true) == 4 && in_order_each(1u << 9, false) == 4);
  assert_true(in_order_each(1u << 20, true) == 4 && in_order_each(1u << 20, false) == 1.25);
  assert_true(in_order_takes(1u << 9, false, 0) >= in_order_takes(0, false, 0) + 8); /* the addi waits for the load */
  assert_true(in_order_takes(1u << 20, true, 0) >= in_order_takes(0, true, 0) + 3);
}

/* --- stores --- */

static void stores_merge_within_sixteen_bytes(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_li(&r, S0, DATA);
  rv_li(&r, T1, 0x11223344);
  for (int i = 0; i < 4; i++) rv_put(&r, rv_sw(T1, 4 * i, S0)); /* one full line */
  rv_put(&r, rv_s(17, T1, S0, 0, 0x23));                        /* sb, sb next to it: one entry */
  rv_put(&r, rv_s(18, T1, S0, 0, 0x23));
  rv_put(&r, rv_sw(T1, 32, S0));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 2, CODE);
  assert_int_equal(r.t->port[2].stores, 3); /* requests to L1 */
  for (uint32_t i = 0; i < 4; i++) assert_int_equal(rv_peek(&r, DATA + 4 * i), 0x11223344);
  assert_int_equal(rv_peek(&r, DATA + 16), 0x00444400);
  assert_int_equal(rv_peek(&r, DATA + 32), 0x11223344);
  rv_free(&r);
}

/* cfg0: a store to L1 waits up to StMergeTimer cycles to be merged; with merging off it leaves at once. */
static void merge_timer_delays_a_lonely_store(void **state) {
  (void)state;
  for (unsigned off = 0; off < 2; off++) {
    struct rv r;
    rv_new(&r, true);
    begin(&r, CODE);
    rv_li(&r, T0, 1u << 12);
    if (off) rv_put(&r, rv_csrrs(ZERO, 0x7c0, T0));
    rv_li(&r, S0, DATA);
    rv_put(&r, rv_addi(A0, ZERO, 1));
    rv_put(&r, rv_sw(A0, 0, S0));
    uint32_t store = r.at - 4;
    rv_put_times(&r, RV_NOP, 100);
    rv_put(&r, RV_EBREAK);
    tx_core_start(r.t, 0, CODE);
    sim_time seen = 0;
    assert_int_equal(tx_break_add(r.t, 0, store), 0);
    assert_int_equal(tx_tile_run(r.t, 10000), SIM_END_STOPPED);
    sim_time at = r.t->core[0].clock;
    for (sim_time now = r.t->engine.now; !seen; now++) {
      tx_tile_run(r.t, now);
      if (rv_peek(&r, DATA)) seen = now;
    }
    assert_in_range(seen - at, off ? 5 : 20, off ? 8 : 23); /* the way to L1 takes 4 */
    rv_free(&r);
  }
}

/* Store, then load of other bytes: the load overtakes, unless pmacfg0 or cfg0's DisLdBufByp forbids it. */
static void loads_overtake_stores_unless_told_not_to(void **state) {
  uint64_t took[3];
  (void)state;
  for (unsigned how = 0; how < 3; how++) {
    struct rv r;
    rv_new(&r, true);
    begin(&r, CODE);
    rv_put(&r, rv_addi(T1, ZERO, 1));
    if (how) rv_put(&r, rv_csrrs(ZERO, how == 1 ? 0x7c0 : 0x7c1, T1));
    rv_li(&r, S0, DATA);
    rv_put(&r, RV_FENCE);
    rv_put(&r, rv_csrrs(GP, 0xb00, ZERO));
    rv_put(&r, rv_sw(T1, 0, S0));
    rv_put(&r, rv_lw(A0, 64, S0));
    rv_put(&r, rv_addi(A0, A0, 0));
    rv_put(&r, rv_csrrs(TP, 0xb00, ZERO));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, BRISC, CODE);
    took[how] = r.t->core[BRISC].x[TP] - r.t->core[BRISC].x[GP];
    assert_int_equal(rv_peek(&r, DATA), 1);
    rv_free(&r);
  }
  assert_true(took[1] > took[0]);
  assert_true(took[2] > took[0]);
}

/* MemoryOrdering.md, "Mailbox read from the future": the load waits; the store after it leaves the core and ends the wait. */
static void a_waiting_load_lets_later_stores_pass(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv r;
    rv_new(&r, timing);
    begin(&r, CODE);
    rv_li(&r, T1, 0xFFEC0000u);
    rv_put(&r, rv_addi(T2, ZERO, 123));
    rv_put(&r, rv_lw(A0, 0, T1));
    rv_put(&r, rv_sw(T2, 0, T1));
    rv_put(&r, rv_addi(A1, A0, 1));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, BRISC, CODE);
    assert_int_equal(r.t->core[BRISC].x[A0], 123);
    assert_int_equal(r.t->core[BRISC].x[A1], 124);
    rv_free(&r);
  }
}

/* --- spins --- */

/* TRISC0 polls FLAG; BRISC counts down `delay` and then writes it. Cycle in which TRISC0 has seen it. */
static sim_time poll_until_written(uint32_t delay, bool park, bool timing, unsigned words, unsigned written,
                                   uint64_t *retired) {
  struct rv r;
  rv_new(&r, timing);
  r.t->params.park_spins = park;
  begin(&r, CODE);
  rv_li(&r, S0, FLAG);
  rv_put(&r, rv_lw(A0, 0, S0));
  if (words > 1) rv_put_times(&r, RV_NOP, 6);
  if (words > 1) rv_put(&r, rv_lw(A1, 64, S0));
  rv_put(&r, rv_r(0, A1, A0, 6, A2, 0x33)); /* or */
  rv_put(&r, rv_beq(A2, ZERO, words > 1 ? -36 : -8));
  rv_put(&r, RV_EBREAK);
  begin(&r, CODE2);
  rv_li(&r, S0, FLAG + 64 * written);
  rv_li(&r, T1, delay);
  rv_put(&r, rv_addi(T1, T1, -1));
  rv_put(&r, rv_bne(T1, ZERO, -4));
  rv_put(&r, rv_sw(S0, 0, S0));
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, 0, CODE);
  tx_core_start(r.t, BRISC, CODE2);
  rv_finish(&r);
  assert_int_equal(r.t->core[0].x[A2], FLAG + 64 * written);
  sim_time at = r.t->core[0].clock;
  *retired = r.t->core[0].retired;
  rv_free(&r);
  return at;
}

/* Parked or executed, in every phase: the same cycle and the same number of instructions. With timing off cores run in turns, and a
 * core that executes its polls has longer turns: only the value is the same. */
static void parked_spins_wake_in_phase(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned kind = 0; kind < 3; kind++) /* one word; the first of two; the second of two */
      for (uint32_t delay = 100; delay < 150; delay++) {
        uint64_t parked, executed;
        unsigned words = kind ? 2 : 1, written = kind == 2;
        sim_time with = poll_until_written(delay, true, timing, words, written, &parked);
        sim_time without = poll_until_written(delay, false, timing, words, written, &executed);
        if (!timing) continue;
        assert_int_equal(with, without);
        assert_int_equal(parked, executed);
      }
}

/* With timing off a loop of several loads is parked too: firmware waits in such loops on every tile. */
static void a_spin_of_four_loads_is_parked(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, false);
  begin(&r, CODE);
  rv_li(&r, S0, FLAG);
  for (int i = 0; i < 4; i++) rv_put(&r, rv_lw(A0, 64 * i, S0));
  rv_put(&r, rv_beq(A0, ZERO, -16));
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, 1, CODE);
  assert_int_equal(tx_tile_run(r.t, RV_FOREVER), SIM_END_BLOCKED);
  assert_true(r.t->engine.now < 10000);
  uint32_t one = 1;
  tx_l1_write(r.t, FLAG + 64 * 3, &one, 4);
  rv_finish(&r);
  assert_int_equal(r.t->core[1].x[A0], 1);
  rv_free(&r);
}

/* Polling a word that is never written takes no host time, and the run ends at once with the report of the wait. */
static void a_spin_for_ever_is_found_at_once(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_li(&r, S0, FLAG);
  rv_put(&r, rv_lw(A0, 0, S0));
  rv_put(&r, rv_beq(A0, ZERO, -4));
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, 1, CODE);
  assert_int_equal(tx_tile_run(r.t, RV_FOREVER), SIM_END_BLOCKED);
  assert_true(r.t->engine.now < 10000);
  const struct sim_wait *w = &r.t->engine.agents[TX_AGENT_TRISC1].wait;
  assert_int_equal(w->kind, TX_BLOCKED_ADDRESS);
  assert_int_equal(w->object, FLAG);
  /* then another agent writes the word */
  r.t->engine.now += 1000000;
  rv_poke(&r, FLAG, 1);
  rv_finish(&r);
  assert_int_equal(r.t->core[1].state, TX_CORE_EBREAK);
  assert_true(r.t->core[1].retired > 100000); /* as if the spin had been executed */
  rv_free(&r);
}

static void a_jump_to_itself_is_found_at_once(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  r.at = CODE;
  rv_put(&r, rv_jal(ZERO, 0));
  tx_core_start(r.t, BRISC, CODE);
  assert_int_equal(tx_tile_run(r.t, RV_FOREVER), SIM_END_BLOCKED);
  assert_int_equal(r.t->engine.agents[TX_AGENT_BRISC].wait.kind, TX_BLOCKED_LOOP);
  rv_free(&r);
}

/* Not a spin: the value comes from local RAM that the loop itself changes. */
static void a_loop_with_a_store_is_not_parked(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_li(&r, S0, FLAG);
  rv_li(&r, S1, TX_LOCAL_BASE);
  rv_put(&r, rv_lw(A0, 0, S0)); /* always 0 */
  rv_put(&r, rv_lw(A1, 0, S1));
  rv_put(&r, rv_addi(A1, A1, 1));
  rv_put(&r, rv_sw(A1, 0, S1));
  rv_put(&r, rv_i(100, A1, 2, A2, 0x13)); /* slti */
  rv_put(&r, rv_addi(A1, ZERO, 0));
  rv_put(&r, rv_bne(A2, ZERO, -24));
  rv_put(&r, RV_EBREAK);
  rv_run(&r, 0, CODE);
  rv_free(&r);
}

/* --- pushes --- */

static void brisc_and_triscs_push_to_their_threads(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_put(&r, rv_ttinsn(OP(SETDMAREG, 0x1234u << 8 | 20))); /* GPR 10 low half of the core's own thread */
  rv_li(&r, T1, 0xFFE80004u);
  rv_put(&r, rv_sw(ZERO, 0, T1));
  rv_put(&r, rv_lw(A0, 0, T1));
  rv_put(&r, rv_addi(ZERO, A0, 0));
  rv_put(&r, RV_EBREAK);
  for (unsigned core = 0; core < 3; core++) tx_core_start(r.t, core, CODE);
  rv_finish(&r);
  for (unsigned thread = 0; thread < 3; thread++) assert_int_equal(r.t->scalar.gpr[thread][10], 0x1234);
  rv_free(&r);
}

/* A T core that pushes to another's FIFO hangs in hardware: here it is a fault with that message. */
static void pushing_to_another_thread_faults(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  begin(&r, CODE);
  rv_li(&r, T1, 0xFFE50000u);
  rv_put(&r, rv_sw(ZERO, 0, T1));
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, 0, CODE);
  assert_int_equal(tx_tile_run(r.t, 10000), SIM_END_STOPPED);
  assert_int_equal(r.t->fault.agent, TX_AGENT_TRISC0);
  assert_int_equal(r.t->fault.pc, r.at - 8);
  rv_free(&r);
}

/* While a MOP of thousands of slow instructions expands, its core computes at full speed. */
static void the_core_runs_on_while_a_mop_expands(void **state) {
  sim_time took[2];
  (void)state;
  for (unsigned with = 0; with < 2; with++) {
    struct rv r;
    rv_new(&r, true);
    begin(&r, CODE);
    rv_li(&r, T1, 0xFFB80000u);
    for (int i = 0; i < 9; i++) {
      rv_li(&r, T2, i < 2 ? 100 : i == 5 ? OP(ADDDMAREG, 1u << 23) : OP(NOP, 0));
      rv_put(&r, rv_sw(T2, 4 * i, T1));
    }
    rv_li(&r, S0, 200);
    rv_put(&r, RV_FENCE);
    rv_put(&r, with ? rv_ttinsn(OP(MOP, 1u << 23)) : RV_NOP);
    rv_put(&r, rv_csrrs(A0, 0xb00, ZERO));
    rv_put_times(&r, rv_addi(A2, A2, 1), 14);
    rv_put(&r, rv_addi(S0, S0, -1));
    rv_put(&r, rv_bne(S0, ZERO, -60));
    rv_put(&r, rv_csrrs(A1, 0xb00, ZERO));
    rv_put(&r, RV_EBREAK);
    tx_core_start(r.t, 1, CODE);
    rv_finish(&r);
    took[with] = r.t->core[1].x[A1] - r.t->core[1].x[A0];
    if (with) {
      sim_time end = r.t->engine.now;
      printf("note: the core's 3200 instructions took %u cycles beside a MOP that took %u\n", (unsigned)took[1],
             (unsigned)end);
      assert_true(end > 100 * 99 * 3); /* the MOP was still expanding long afterwards */
    }
    rv_free(&r);
  }
  assert_int_equal(took[0], took[1]);
}

/* Fusion is an option; with it four adjacent .ttinsn take one cycle. */
static void fused_pushes_take_one_cycle(void **state) {
  uint64_t took[2];
  (void)state;
  for (unsigned fused = 0; fused < 2; fused++) {
    struct rv r;
    rv_new(&r, true);
    r.t->params.ttinsn_fusion = fused;
    r.at = CODE;
    rv_li(&r, T2, 2);
    uint32_t top = r.at;
    rv_put(&r, rv_csrrs(A0, 0xb00, ZERO));
    while (r.at % 16) rv_put(&r, RV_NOP);
    rv_put_times(&r, rv_ttinsn(OP(NOP, 0)), 8);
    rv_put(&r, rv_csrrs(A1, 0xb00, ZERO));
    rv_put(&r, rv_addi(T2, T2, -1));
    rv_put(&r, rv_bne(T2, ZERO, (int32_t)top - (int32_t)r.at));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, 0, CODE);
    assert_int_equal(r.t->frontend[0].pushed, 16);
    took[fused] = r.t->core[0].x[A1] - r.t->core[0].x[A0];
    rv_free(&r);
  }
  assert_int_equal(took[0] - took[1], 6);
}

/* --- instruction cache --- */

/* Code written to L1 is not seen until RISCV_IC_INVALIDATE is written. ISA: InstructionCache.md */
static void the_instruction_cache_is_not_coherent(void **state) {
  (void)state;
  for (unsigned invalidate = 0; invalidate < 2; invalidate++) {
    struct rv r;
    rv_new(&r, true);
    begin(&r, CODE);
    uint32_t victim = CODE + 0x400;
    rv_li(&r, S0, victim);
    rv_put(&r, rv_i(0, S0, 0, RA, 0x67)); /* call: the line is in the cache now */
    rv_li(&r, T1, rv_addi(A0, ZERO, 2));
    rv_put(&r, rv_sw(T1, 0, S0));
    rv_put(&r, rv_lw(T2, 0, S0));
    rv_put(&r, rv_addi(ZERO, T2, 0));
    rv_li(&r, T1, 0xFFEF0000u + 4 * 185);
    rv_put(&r, rv_addi(T2, ZERO, 0x1f));
    if (invalidate) {
      rv_put(&r, rv_sw(T2, 0, T1));
      rv_put(&r, rv_lw(T2, 0, T1));
      rv_put(&r, rv_addi(ZERO, T2, 0));
    }
    rv_put_times(&r, RV_NOP, 20);
    rv_put(&r, rv_i(0, S0, 0, RA, 0x67));
    rv_put(&r, RV_EBREAK);
    r.at = victim;
    rv_put(&r, rv_addi(A0, ZERO, 1));
    rv_put(&r, rv_i(0, RA, 0, ZERO, 0x67));
    rv_run(&r, BRISC, CODE);
    assert_int_equal(r.t->core[BRISC].x[A0], invalidate ? 2 : 1);
    assert_int_equal(r.t->diag.counts[TX_DIAG_STALE_CODE], !invalidate); /* and the old words are reported */
    rv_free(&r);
  }
}

/* Another core patches a loop and invalidates the cache: the loop, which may be parked, and within one line, ends. */
static void a_loop_that_is_patched_ends(void **state) {
  static const struct {
    const char *what;
    uint32_t word[4]; /* the last one jumps back */
  } loops[] = {
      {"a jump to itself", {RV_NOP, RV_NOP, RV_NOP, 0x0000006f}},
      {"a poll", {0x0005a503 /* lw a0, 0(a1) */, RV_NOP, RV_NOP, 0xfe050ae3 /* beqz a0, -12 */}},
      {"a poll with a store", {0x0005a503, 0x00a5a223 /* sw a0, 4(a1) */, RV_NOP, 0xfe050ae3}},
  };
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++)
    for (unsigned i = 0; i < sizeof loops / sizeof *loops; i++) {
      struct rv r;
      const uint32_t victim = CODE + 0x400;
      rv_new(&r, timing);
      begin(&r, CODE);
      rv_li(&r, T1, 400);
      rv_put(&r, rv_addi(T1, T1, -1));
      rv_put(&r, rv_bne(T1, ZERO, -4));
      rv_li(&r, S0, victim + 12);
      rv_li(&r, T1, RV_EBREAK);
      rv_put(&r, rv_sw(T1, 0, S0));
      rv_put(&r, rv_lw(T2, 0, S0));
      rv_put(&r, rv_addi(ZERO, T2, 0));
      rv_li(&r, T1, 0xFFEF0000u + 4 * 185);
      rv_put(&r, rv_addi(T2, ZERO, 0x1f));
      rv_put(&r, rv_sw(T2, 0, T1));
      rv_put(&r, RV_EBREAK);
      r.at = victim;
      for (unsigned k = 0; k < 4; k++) rv_put(&r, loops[i].word[k]);
      tx_core_start(r.t, 1, victim);
      r.t->core[1].r[A1] = DATA;
      tx_core_start(r.t, BRISC, CODE);
      if (tx_tile_run(r.t, 20000) != SIM_END_DONE || r.t->core[1].state != TX_CORE_EBREAK)
        fail_msg("timing %u: %s does not end", timing, loops[i].what);
      rv_free(&r);
    }
}

/* --- state as a value --- */

/* All five cores: arithmetic, memory, pushes and polling. */
static void load_mixture(struct rv *r) {
  begin(r, CODE);
  rv_li(r, S0, DATA);
  rv_li(r, S1, TX_LOCAL_BASE);
  rv_li(r, T1, 300);
  uint32_t top = r->at;
  rv_put(r, rv_r(0, T1, S0, 2, A0, 0x2f)); /* amoadd */
  rv_put(r, rv_mul(A1, A0, T1));
  rv_put(r, rv_sw(A1, 8, S1));
  rv_put(r, rv_lw(A2, 8, S1));
  rv_put(r, rv_sw(A2, 64, S0));
  rv_put(r, rv_lw(A3, 64, S0));
  rv_put(r, rv_divu(A4, A3, T1));
  rv_put(r, rv_addi(T1, T1, -1));
  rv_put(r, rv_bne(T1, ZERO, (int32_t)top - (int32_t)r->at));
  rv_put(r, RV_EBREAK);
  for (unsigned core = 0; core < TX_CORES; core++) tx_core_start(r->t, core, CODE);
}

static void a_run_can_be_cut_copied_and_goes_on_the_same(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv whole, cut, copy;
    rv_new(&whole, timing);
    rv_new(&cut, timing);
    rv_new(&copy, timing);
    load_mixture(&whole);
    load_mixture(&cut);
    rv_finish(&whole);
    for (sim_time at = 37; at < 3000; at += 37) tx_tile_run(cut.t, at);
    tx_tile_copy_state(copy.t, cut.t);
    rv_finish(&cut);
    rv_finish(&copy);
    assert_true(tx_tile_hash(cut.t) == tx_tile_hash(copy.t));
    assert_int_equal(rv_peek(&whole, DATA), 5 * (300 * 301 / 2)); /* five cores added 300, 299, ... atomically */
    assert_int_equal(rv_peek(&cut, DATA), rv_peek(&whole, DATA));
    for (unsigned core = 0; core < TX_CORES; core++) {
      assert_int_equal(cut.t->core[core].retired, whole.t->core[core].retired);
      assert_int_equal(cut.t->core[core].clock, whole.t->core[core].clock);
    }
    rv_free(&whole);
    rv_free(&cut);
    rv_free(&copy);
  }
}

/* A single store to L1 waits to be merged; a fence sends it when the fence itself is in EX1, not when the core first tries
 * to issue it. */
static void a_fence_empties_the_store_queue_in_its_own_cycle(void **state) {
  (void)state;
  for (unsigned between = 0; between < 24; between++) {
    uint64_t cycles[2];
    for (unsigned cut = 0; cut < 2; cut++) {
      struct rv r;
      rv_new(&r, true);
      begin(&r, CODE);
      rv_li(&r, A0, DATA);
      rv_put(&r, rv_sw(ZERO, 0, A0));
      rv_put_times(&r, RV_NOP, between);
      rv_put(&r, RV_FENCE);
      rv_put(&r, RV_EBREAK);
      tx_core_start(r.t, 0, CODE);
      for (sim_time at = 1; cut && at < 300; at++) tx_tile_run(r.t, at);
      rv_finish(&r);
      cycles[cut] = r.t->core[0].clock;
      rv_free(&r);
    }
    assert_int_equal(cycles[0], cycles[1]);
  }
}

static void ignore_event(void *context, const struct sim_event *event) { (void)context, (void)event; }

/* A push by a store goes to FIFO 1 ahead of the cycle in which it leaves the store queue, but not when a log is attached. A fence waits for
 * it, a load of TTSync counts it from that cycle on, and the core's cycles are the same either way. */
static void a_stored_push_leaves_the_queue_in_its_own_cycle(void **state) {
  (void)state;
  uint64_t alone = 0;
  for (unsigned program = 0; program < 24; program++) {
    uint64_t cycles[3];
    for (unsigned how = 0; how < 3; how++) { /* plain, cut, logged */
      struct rv r;
      rv_new(&r, true);
      begin(&r, CODE);
      rv_li(&r, A0, TX_ADDR_PUSH);
      rv_li(&r, A1, TX_ADDR_TTSYNC);
      rv_li(&r, T1, (uint32_t)TX_NOP << 24);
      rv_put_times(&r, rv_sw(T1, 0, A0), program % 3);
      rv_put_times(&r, RV_NOP, program / 6);
      if (program / 3 % 2) rv_put(&r, rv_lw(A2, 0, A1));
      rv_put(&r, RV_FENCE);
      rv_put(&r, RV_EBREAK);
      int handle = how == 2 ? sim_log_attach(&r.t->unsaved.log, ignore_event, NULL, ~0u) : -1;
      tx_core_start(r.t, 0, CODE);
      for (sim_time at = 1; how == 1 && at < 300; at++) tx_tile_run(r.t, at);
      rv_finish(&r);
      if (handle >= 0) sim_log_detach(&r.t->unsaved.log, handle);
      assert_int_equal(r.t->frontend[0].pushed, program % 3);
      cycles[how] = r.t->core[0].clock;
      rv_free(&r);
    }
    assert_int_equal(cycles[0], cycles[1]);
    assert_int_equal(cycles[0], cycles[2]);
    if (program == 0) alone = cycles[0];
    if (program == 1) assert_true(cycles[0] > alone + 1); /* with one more instruction the fence waits for it */
  }
}

/* What earlier pushes of a run have found does not outlive a store that changes it: here the debug bus takes the FIFO. */
static void a_push_sees_the_store_before_it(void **state) {
  (void)state;
  for (unsigned how = 0; how < 4; how++) { /* kind of push, number of pushes before */
    struct rv r;
    rv_new(&r, false);
    begin(&r, CODE);
    rv_li(&r, A0, TX_ADDR_PUSH);
    rv_li(&r, A1, TX_ADDR_CONTROL + TX_CONTROL_DBG_INSTRN_BUF_CTRL0);
    rv_li(&r, A2, 1);
    rv_li(&r, T1, OP(NOP, 0));
    const uint32_t push = how & 1u ? rv_sw(T1, 0, A0) : rv_ttinsn(OP(NOP, 0));
    rv_put_times(&r, push, 1 + 2 * (how >> 1));
    rv_put(&r, rv_sw(A2, 0, A1));
    rv_put(&r, push);
    rv_put(&r, RV_EBREAK);
    tx_core_start(r.t, 0, CODE);
    tx_tile_run(r.t, 1000);
    assert_int_equal(r.t->fault.kind, SIM_FAULT_UNDEFINED);
    assert_int_equal(r.t->frontend[0].pushed, 1 + 2 * (how >> 1));
    rv_free(&r);
  }
}

/* Pushes are made ahead of time only where that is invisible: a run that is stopped every few cycles gives the same result. */
static void pushes_do_not_depend_on_where_a_run_is_cut(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv runs[2];
    for (unsigned cut = 0; cut < 2; cut++) {
      struct rv *r = &runs[cut];
      uint64_t seed = 7;
      rv_new(r, timing);
      begin(r, CODE);
      rv_li(r, S0, 4);
      uint32_t top = r->at;
      for (unsigned i = 0; i < 300; i++) {
        uint32_t z = (uint32_t)rv_random(&seed);
        rv_put(r, rv_ttinsn(z % 3 ? OP(NOP, 0) : OP(ADDDMAREG, 1u << 23)));
        rv_put_times(r, rv_addi(A0, A0, 1), z % 7 ? 0 : z / 7 % 9);
        if (z % 31 == 0) rv_put(r, rv_lw(A1, 0, ZERO));
      }
      rv_put(r, rv_addi(S0, S0, -1));
      rv_put(r, rv_bne(S0, ZERO, (int32_t)top - (int32_t)r->at));
      rv_put(r, RV_EBREAK);
      for (unsigned core = 0; core < 3; core++) tx_core_start(r->t, core, CODE);
      for (sim_time at = 5; cut && at < 8000; at += 5) tx_tile_run(r->t, at);
      rv_finish(r);
    }
    for (unsigned core = 0; core < 3; core++) {
      assert_int_equal(runs[0].t->core[core].clock, runs[1].t->core[core].clock);
      assert_int_equal(runs[0].t->frontend[core].pushed, 1200);
      assert_int_equal(runs[0].t->units[TX_UNIT_SCALAR].drained_at[core], runs[1].t->units[TX_UNIT_SCALAR].drained_at[core]);
    }
    rv_free(&runs[0]);
    rv_free(&runs[1]);
  }
}

/* After reset local RAM is cleared at one word per cycle; the core's first access waits for the end. */
static void local_ram_is_busy_after_reset(void **state) {
  struct rv r;
  (void)state;
  rv_new(&r, true);
  r.t->params.local_ram_clears = 1;
  r.at = CODE;
  rv_li(&r, S1, TX_LOCAL_BASE);
  rv_put(&r, rv_lw(A0, 0, S1));
  rv_put(&r, RV_EBREAK);
  assert_in_range(rv_run(&r, BRISC, CODE), 2048, 2060);
  rv_free(&r);
}

/* A word of random code: any bits; a valid opcode; or an instruction that allows a long run (loads and stores beside the
 * code, arithmetic, short jumps). */
static uint32_t random_word(uint64_t *seed, unsigned how) {
  static const uint8_t opcodes[8] = {0x03, 0x13, 0x17, 0x23, 0x33, 0x37, 0x63, 0x6f};
  uint32_t word = (uint32_t)rv_random(seed), rd = word >> 7 & 31u, rs2 = word >> 20 & 31u;
  if (how == 0) return word;
  if (how == 1) return (word & ~0x7fu) | opcodes[rv_random(seed) % 8];
  switch (word >> 27 & 7u) {
    case 0: return rv_lw(rd, (int32_t)(0x600u | (word >> 8 & 0x1fcu)), ZERO);
    case 1: return rv_sw(rs2, (int32_t)(0x600u | (word >> 8 & 0x1fcu)), ZERO);
    case 2: return rv_b((int32_t)(4 + (word >> 8 & 0x1cu)), rs2, rd, word >> 16 & 1u);
    case 3: return rv_r(1, rs2, rd, word >> 16 & 7u, word >> 11 & 31u, 0x33);
    case 4: return rv_csrrs(rd, 0xb00, ZERO);
    default: return rv_r(0, rs2, rd, word >> 16 & 7u, word >> 11 & 31u, 0x33);
  }
}

/* For all words the run ends with a defined result, and the tile stays readable. */
static void random_words_end_in_a_fault_at_worst(void **state) {
  uint64_t seed = 2026;
  unsigned ends[4] = {0};
  (void)state;
  for (uint64_t n = 0; n < test_scaled(2000); n++) {
    struct rv r;
    rv_new(&r, n % 2);
    while (r.at < 0x400) rv_put(&r, random_word(&seed, (unsigned)(n / 2 % 3)));
    rv_put_times(&r, rv_jal(ZERO, -0x400), 8); /* a jump beyond the end also arrives here */
    for (unsigned core = 0; core < TX_CORES; core++) {
      tx_core_start(r.t, core, 0x80 * core);
      for (unsigned i = 1; i < 64; i++) r.t->core[core].r[i] = (uint32_t)rv_random(&seed) % 0x800 & ~3u;
    }
    ends[tx_tile_run(r.t, 3000)]++;
    assert_true(r.t->fault.kind == SIM_FAULT_NONE || r.t->fault.why[0]);
    rv_free(&r);
  }
  printf("note: random code: %u ran on, %u faulted, %u ended, %u blocked\n", ends[SIM_END_TIME], ends[SIM_END_STOPPED],
         ends[SIM_END_DONE], ends[SIM_END_BLOCKED]);
}

/* ManualTTSync.md: while a TTSync load waits, no other load of the PC buffer or mailbox range; no finding when its result is used
 * first. */
static void a_load_beside_a_waiting_ttsync_is_reported(void **state) {
  (void)state;
  for (unsigned careful = 0; careful < 2; careful++) {
    struct rv r;
    rv_new(&r, true);
    rv_firmware(&r);
    rv_li(&r, A0, 0xFFE80000u);
    rv_put_times(&r, rv_ttinsn((uint32_t)TX_ADDDMAREG << 24 | 1u << 23), 20); /* sixty cycles of work */
    rv_put(&r, rv_sw(ZERO, 4, A0));
    rv_put(&r, rv_lw(A1, 4, A0));
    if (careful) rv_put(&r, rv_addi(A1, A1, 0));
    rv_put(&r, rv_lw(A2, 0x20, A0)); /* a semaphore */
    rv_put(&r, RV_EBREAK);
    rv_run(&r, 1, 0);
    assert_int_equal(r.t->diag.counts[TX_DIAG_TTSYNC_OVERLAP] != 0, !careful);
    rv_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_beside_a_waiting_ttsync_is_reported),
      cmocka_unit_test(random_words_end_in_a_fault_at_worst),
      cmocka_unit_test(loads_block_only_when_their_register_is_read),
      cmocka_unit_test(eight_instructions_can_be_under_way),
      cmocka_unit_test(latency_depends_on_the_region),
      cmocka_unit_test(divide_depends_on_its_operands),
      cmocka_unit_test(stores_merge_within_sixteen_bytes),
      cmocka_unit_test(cfg0_keeps_instructions_in_order),
      cmocka_unit_test(merge_timer_delays_a_lonely_store),
      cmocka_unit_test(loads_overtake_stores_unless_told_not_to),
      cmocka_unit_test(a_waiting_load_lets_later_stores_pass),
      cmocka_unit_test(parked_spins_wake_in_phase),
      cmocka_unit_test(a_spin_of_four_loads_is_parked),
      cmocka_unit_test(a_spin_for_ever_is_found_at_once),
      cmocka_unit_test(a_jump_to_itself_is_found_at_once),
      cmocka_unit_test(a_loop_with_a_store_is_not_parked),
      cmocka_unit_test(brisc_and_triscs_push_to_their_threads),
      cmocka_unit_test(pushing_to_another_thread_faults),
      cmocka_unit_test(the_core_runs_on_while_a_mop_expands),
      cmocka_unit_test(fused_pushes_take_one_cycle),
      cmocka_unit_test(the_instruction_cache_is_not_coherent),
      cmocka_unit_test(a_loop_that_is_patched_ends),
      cmocka_unit_test(a_run_can_be_cut_copied_and_goes_on_the_same),
      cmocka_unit_test(a_stored_push_leaves_the_queue_in_its_own_cycle),
      cmocka_unit_test(a_push_sees_the_store_before_it),
      cmocka_unit_test(pushes_do_not_depend_on_where_a_run_is_cut),
      cmocka_unit_test(a_fence_empties_the_store_queue_in_its_own_cycle),
      cmocka_unit_test(local_ram_is_busy_after_reset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
