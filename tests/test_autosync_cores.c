/* Auto TTSync with real cores: the store queue between them and the front end, and the hardware bug caused by it (AutoTTSync.md);
 * programs compared with program order; a core that is stopped while it waits. */
#include "riscv_rig.h"
#include "scale.h"

#define GPRS 0xFFE00000u
#define CONFIG 0xFFEF0000u
#define SEMAPHORES 0xFFE80020u
#define EVERYTHING 0x1fu /* ThreadConfig 56 */
#define OP(name, bits) ((uint32_t)TX_##name << 24 | (uint32_t)(bits))
#define SETDMA(reg, value) OP(SETDMAREG, (uint32_t)(value) << 8 | 2 * (reg))
#define ADD(to, a, n) OP(ADDDMAREG, 1u << 23 | (uint32_t)(to) << 12 | (uint32_t)(n) << 6 | (a))
#define HOLD OP(SEMWAIT, TX_BLOCK_BITS << 15 | 1u << 2 | 1u)

static void start_program(struct rv *r, bool timing) {
  rv_new(r, timing);
  r->t->config.thread_words[0][56] = EVERYTHING;
  r->t->sync.sem[0].max = 1;
  rv_firmware(r);
  rv_li(r, A0, GPRS);
  rv_li(r, A1, 0x8000);
  rv_li(r, A2, CONFIG + 400);
}

/* "One way of ensuring this is to execute a RISCV fence instruction between the store and the load." */
static void a_load_overtakes_a_push_in_the_store_queue(void **state) {
  (void)state;
  for (unsigned variant = 0; variant < 6; variant++) {
    bool timing = variant & 1u;
    unsigned between = variant / 2; /* nothing, a fence, unrelated instructions */
    struct rv r;
    start_program(&r, timing);
    rv_put(&r, rv_ttinsn(SETDMA(2, 7)));
    if (between == 1) rv_put(&r, RV_FENCE);
    if (between == 2) rv_put_times(&r, RV_NOP, 12); /* long enough for it to leave the queue */
    rv_put(&r, rv_lw(A3, 8, A0));
    rv_put(&r, rv_sw(A3, 0, A1));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, 0, 0);
    bool overtakes = timing && between == 0; /* with timing off there is no store queue */
    assert_int_equal(rv_peek(&r, 0x8000), overtakes ? 0 : 7);
    assert_int_equal(r.t->diag.counts[TX_DIAG_AUTOSYNC_OVERTAKEN], overtakes);
    rv_free(&r);
  }
}

/* The core continues after a load that waits; an instruction pushed meanwhile does not change the loaded value. */
static void a_push_behind_a_waiting_load_comes_after_it(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv r;
    start_program(&r, timing);
    rv_li(&r, A4, SEMAPHORES);
    rv_put(&r, rv_ttinsn(HOLD));
    rv_put(&r, rv_ttinsn(SETDMA(2, 5)));
    rv_put(&r, RV_FENCE);
    rv_put(&r, rv_lw(A3, 8, A0));
    rv_put(&r, rv_ttinsn(SETDMA(2, 9)));
    rv_put(&r, rv_sw(ZERO, 0, A4)); /* lets the thread go */
    rv_put(&r, rv_sw(A3, 0, A1));
    rv_put(&r, RV_EBREAK);
    rv_run(&r, 0, 0);
    assert_int_equal(rv_peek(&r, 0x8000), 5);
    assert_int_equal(r.t->scalar.gpr[0][2], 9);
    rv_free(&r);
  }
}

enum { CELLS = 4 };

/* One random step of a program, and of a model that does everything in order. Loads have a fence in front. */
static void add_step(struct rv *r, uint32_t gpr[CELLS], uint32_t config[CELLS], uint64_t *seed, uint32_t *loads,
                     uint32_t *expected) {
  uint32_t a = (uint32_t)(rv_random(seed) % CELLS), b = (uint32_t)(rv_random(seed) % CELLS);
  uint32_t value = (uint32_t)(rv_random(seed) % 60);
  switch (rv_random(seed) % 8) {
    case 0:
      rv_put(r, rv_ttinsn(ADD(a, b, value)));
      gpr[a] = gpr[b] + value;
      break;
    case 1:
      rv_put(r, rv_ttinsn(OP(WRCFG, a << 16 | (100 + b))));
      config[b] = gpr[a];
      break;
    case 2:
      rv_put(r, rv_addi(A4, ZERO, (int32_t)value));
      rv_put(r, rv_sw(A4, (int32_t)(4 * a), A0));
      gpr[a] = value;
      break;
    case 3:
      rv_put(r, rv_addi(A4, ZERO, (int32_t)value));
      rv_put(r, rv_sw(A4, (int32_t)(4 * a), A2));
      config[a] = value;
      break;
    case 4:
    case 5:
      rv_put(r, RV_FENCE);
      rv_put(r, rv_lw(A3, (int32_t)(4 * a), value & 1u ? A0 : A2));
      if (value & 2u) rv_put(r, rv_ttinsn(ADD(3, 3, 0))); /* after it, before its value is there */
      rv_put(r, rv_sw(A3, (int32_t)(16 * *loads), A1));
      expected[(*loads)++] = value & 1u ? gpr[a] : config[a];
      break;
    case 6: rv_put(r, rv_ttinsn(OP(SETRWC, 0))); break;
    default: rv_put_times(r, RV_NOP, value % 8); break;
  }
}

/* Runs the programs of r's tile without a cut on a second tile, and in pieces of `step` cycles: core `core` takes the same cycles and
 * does the same work. Returns the second tile, which the caller releases. */
static struct tx_tile *run_whole_and_cut(struct rv *r, unsigned core, uint32_t pc_of_t1, sim_time step) {
  struct tx_tile *both[] = {tile_take(), r->t};
  tx_tile_reset(both[0], r->t->timing);
  tx_tile_copy_state(both[0], r->t);
  for (unsigned k = 0; k < 2; k++) {
    tx_core_start(both[k], core, 0);
    if (pc_of_t1) tx_core_start(both[k], 1, pc_of_t1);
  }
  assert_int_equal(tx_tile_run(both[0], 1000000), SIM_END_DONE);
  for (sim_time at = 0; tx_tile_run(r->t, at) != SIM_END_DONE; at += step) assert_true(at < 1000000);
  assert_int_equal(both[0]->core[core].clock, r->t->core[core].clock);
  assert_int_equal(both[0]->core[core].retired, r->t->core[core].retired);
  assert_int_equal(both[0]->gate[0].issued, r->t->gate[0].issued);
  assert_memory_equal(both[0]->l1, r->t->l1, TX_L1_BYTES);
  return both[0];
}

static void programs_run_as_if_in_program_order(void **state) {
  (void)state;
  uint64_t seed = 2656;
  for (uint64_t n = 0; n < test_scaled(300); n++) {
    struct rv r;
    uint32_t gpr[CELLS] = {0}, config[CELLS] = {0}, expected[200], loads = 0;
    start_program(&r, n % 2);
    for (unsigned i = 0; i < 200 && loads < 127; i++) add_step(&r, gpr, config, &seed, &loads, expected);
    rv_put(&r, RV_EBREAK);
    struct tx_tile *whole = run_whole_and_cut(&r, 0, 0, 1 + n % 7);
    for (uint32_t i = 0; i < loads; i++) {
      if (rv_peek(&r, 0x8000 + 16 * i) != expected[i])
        fail_msg("program %u, load %u: %u instead of %u", (unsigned)n, i, rv_peek(&r, 0x8000 + 16 * i), expected[i]);
      assert_int_equal(tx_l1_read(whole, 0x8000 + 16 * i, 4), expected[i]);
    }
    for (unsigned i = 0; i < CELLS; i++) {
      assert_int_equal(r.t->scalar.gpr[0][i], gpr[i]);
      assert_int_equal(r.t->config.words[0][100 + i], config[i]);
    }
    tile_give_back(whole);
    rv_free(&r);
  }
}

/* Without Auto TTSync nothing orders loads and instructions, but splitting the run must change neither bytes nor cycles. */
static void where_a_run_is_cut_does_not_count(void **state) {
  (void)state;
  uint64_t seed = 77;
  for (uint64_t n = 0; n < test_scaled(300); n++) {
    struct rv r;
    uint32_t gpr[CELLS] = {0}, config[CELLS] = {0}, expected[200], loads = 0;
    start_program(&r, true);
    r.t->config.thread_words[0][56] = 0;
    for (unsigned i = 0; i < 200 && loads < 127; i++) add_step(&r, gpr, config, &seed, &loads, expected);
    rv_put(&r, RV_EBREAK);
    tile_give_back(run_whole_and_cut(&r, 0, 0, 1 + n % 7));
    rv_free(&r);
  }
}

/* BRISC pushes into a stalled front end: the bus rejects the push, and later stores of BRISC wait for it, wherever the run is
 * cut. T1 releases the thread after a while. */
static void a_refused_push_holds_what_comes_after_it(void **state) {
  (void)state;
  enum { CODE_OF_T1 = 0x4000 };
  uint64_t seed = 5;
  for (uint64_t n = 0; n < test_scaled(200); n++) {
    struct rv r;
    start_program(&r, true);
    r.t->config.thread_words[0][56] = 0;
    rv_li(&r, A3, TX_ADDR_PUSH);
    rv_li(&r, A4, HOLD);
    rv_put(&r, rv_sw(A4, 0, A3));
    rv_li(&r, A4, OP(NOP, 0));
    for (unsigned i = 0; i < 40; i++) {
      unsigned what = (unsigned)(rv_random(&seed) % 8);
      if (what < 3) rv_put(&r, rv_sw(A4, 0, A3));
      else if (what < 5) rv_put(&r, rv_sw(A4, (int32_t)(4 * (rv_random(&seed) % 64)), A1));
      else if (what < 6) rv_put(&r, rv_sw(A4, (int32_t)(4 * (rv_random(&seed) % 4)), A0));
      else rv_put_times(&r, RV_NOP, (unsigned)(rv_random(&seed) % 12));
    }
    rv_put(&r, RV_EBREAK);
    r.at = CODE_OF_T1;
    rv_li(&r, A0, SEMAPHORES);
    rv_put_times(&r, RV_NOP, 60 + (unsigned)(rv_random(&seed) % 200));
    rv_put(&r, rv_sw(ZERO, 0, A0));
    rv_put(&r, RV_EBREAK);
    tile_give_back(run_whole_and_cut(&r, TX_CORE_BRISC, CODE_OF_T1, 1 + n % 3));
    rv_free(&r);
  }
}

/* A core in reset waits for nothing: its thread must not wait for its load. */
static void a_stopped_core_holds_no_instruction(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv r;
    start_program(&r, timing);
    rv_put(&r, rv_ttinsn(HOLD));
    rv_put(&r, rv_ttinsn(SETDMA(2, 5)));
    rv_put(&r, RV_FENCE);
    rv_put(&r, rv_lw(A3, 8, A0));
    rv_put(&r, rv_ttinsn(SETDMA(2, 9)));
    rv_put(&r, rv_addi(A3, A3, 0));
    rv_put(&r, RV_EBREAK);
    tx_core_start(r.t, 0, 0);
    assert_int_equal(tx_tile_run(r.t, 500), SIM_END_BLOCKED);
    char text[4096];
    obs_hang_report(r.t, text, sizeof text);
    if (!strstr(text, "instructions of thread 0 that use GPRs to pass the gate")) fail_msg("%s", text);
    tx_core_stop(r.t, 0);
    r.t->sync.sem[0].value = 1;
    tx_signal(r.t, TX_CH_SEM);
    tx_tile_run(r.t, 1000);
    assert_int_equal(r.t->scalar.gpr[0][2], 9);
    rv_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_load_overtakes_a_push_in_the_store_queue),
      cmocka_unit_test(a_push_behind_a_waiting_load_comes_after_it),
      cmocka_unit_test(programs_run_as_if_in_program_order),
      cmocka_unit_test(where_a_run_is_cut_does_not_count),
      cmocka_unit_test(a_refused_push_holds_what_comes_after_it),
      cmocka_unit_test(a_stopped_core_holds_no_instruction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
