/* Interrupts of BRISC and NCRISC against PIC.md: entry, number, the register that reading clears, mret, no nesting, round robin,
 * the cores that are enabled, and faults. Every program runs with timing on and off, whole and cut into pieces of seven
 * cycles. */
#include "riscv_rig.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/outside.h"

#define PIC 0xFFB13000u
#define SW_EN(core) (PIC + ((core) == BRISC ? 0u : 12u))
#define HW_EN(core) (SW_EN(core) + 4)
#define INT_NO(core) (SW_EN(core) + 8)
#define SW_INT(i) (PIC + 0x18 + 4 * (i))
#define SW_PC(i) (PIC + 0xa8 + 4 * (i))
#define NCRISC TX_CORE_NCRISC
#define RV_MRET 0x30200073u

enum { MAIN = 0x1000, OTHER = 0x20000, HANDLER = 0x6000, LOG = 0x8000, DONE = 0x9000, COUNT = 0x9010 };

static void store_word(struct rv *r, uint32_t address, uint32_t value) {
  rv_li(r, T0, address);
  rv_li(r, T1, value);
  rv_put(r, rv_sw(T1, 0, T0));
}

/* Writes number and value of each interrupt after one another at LOG; s0 holds the place. The value of the register is read, which clears it.
 * After `last` entries it sets DONE. */
static void put_handler(struct rv *r, unsigned core, unsigned last) {
  r->at = HANDLER;
  rv_li(r, A0, INT_NO(core));
  rv_put(r, rv_lw(A1, 0, A0));
  rv_put(r, rv_sw(A1, 0, S0));
  rv_put(r, rv_i(2, A1, 1, A2, 0x13)); /* slli a2, a1, 2 */
  rv_li(r, A0, SW_INT(0));
  rv_put(r, rv_r(0, A2, A0, 0, A0, 0x33)); /* add */
  rv_put(r, rv_lw(A1, 0, A0));
  rv_put(r, rv_sw(A1, 4, S0));
  rv_put(r, rv_lw(A1, 0, A0)); /* it is cleared */
  rv_put(r, rv_sw(A1, 8, S0));
  rv_put(r, rv_addi(S0, S0, 12));
  rv_li(r, A0, LOG + 12 * last);
  rv_put(r, rv_bne(S0, A0, 24));
  rv_li(r, A0, DONE);
  rv_put(r, rv_addi(A1, ZERO, 1));
  rv_put(r, rv_sw(A1, 0, A0));
  rv_put(r, RV_FENCE);
  rv_put(r, RV_MRET);
}

/* Enables the interrupts of `mask` with one handler, then counts until DONE. */
static void put_main(struct rv *r, unsigned core, uint32_t at, uint32_t mask) {
  r->at = at;
  rv_li(r, S0, LOG);
  for (unsigned i = 0; i < 32; i++)
    if (mask >> i & 1u) store_word(r, SW_PC(i), HANDLER);
  store_word(r, SW_EN(core), mask);
  rv_li(r, A5, DONE);
  rv_li(r, A6, 0);
  rv_put(r, rv_addi(A6, A6, 1)); /* the loop */
  rv_put(r, rv_lw(A7, 0, A5));
  rv_put(r, rv_beq(A7, ZERO, -8));
  rv_li(r, T0, COUNT);
  rv_put(r, rv_sw(A6, 0, T0));
  store_word(r, SW_EN(core), 0);
  rv_put(r, RV_EBREAK);
}

static void finish(struct rv *r, bool pieces) {
  if (pieces)
    for (unsigned i = 0; i < 100000; i++)
      if (tx_tile_run(r->t, r->t->engine.now + 7) != SIM_END_TIME) break;
  rv_finish(r);
}

static void expect_log(const struct rv *r, unsigned entry, uint32_t number, uint32_t value) {
  assert_int_equal(rv_peek(r, LOG + 12 * entry), number);
  assert_int_equal(rv_peek(r, LOG + 12 * entry + 4), value);
  assert_int_equal(rv_peek(r, LOG + 12 * entry + 8), 0);
}

/* NCRISC raises three of BRISC's interrupts, with pauses; 9 is raised but not enabled. */
static uint32_t raised_by_another_core(bool timing, bool pieces) {
  struct rv r;
  rv_new(&r, timing);
  put_handler(&r, BRISC, 3);
  put_main(&r, BRISC, MAIN, 1u << 5 | 1u << 7 | 1u << 31);
  r.at = OTHER;
  static const uint32_t raise[] = {9, 5, 31, 7};
  for (unsigned i = 0; i < 4; i++) {
    rv_put_times(&r, RV_NOP, 1500);
    store_word(&r, SW_INT(raise[i]), 100 + raise[i]);
  }
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, BRISC, MAIN);
  tx_core_start(r.t, NCRISC, OTHER);
  finish(&r, pieces);
  /* With timing off NCRISC may raise two before BRISC is interrupted: then the next in round-robin order comes first. */
  bool turned = !timing && rv_peek(&r, LOG + 12) == 7;
  expect_log(&r, 0, 5, 105);
  expect_log(&r, turned ? 2 : 1, 31, 131);
  expect_log(&r, turned ? 1 : 2, 7, 107);
  assert_int_equal(r.t->pic.word[TX_PIC_SW_INT + 9], 109);
  uint32_t count = rv_peek(&r, COUNT);
  assert_true(count > 20); /* the loop went on */
  uint32_t cycles = (uint32_t)r.t->core[BRISC].clock;
  rv_free(&r);
  return cycles * 100000 + count;
}

static void entry_and_return(void **state) {
  (void)state;
  assert_int_equal(raised_by_another_core(true, false), raised_by_another_core(true, true));
  raised_by_another_core(false, false);
  raised_by_another_core(false, true);
}

/* All are raised before they are enabled: the handlers run one after the other in round-robin order, none nested. */
static void several_come_in_turn(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rv r;
    rv_new(&r, timing);
    put_handler(&r, NCRISC, 4);
    put_main(&r, NCRISC, OTHER, 1u << 2 | 1u << 3 | 1u << 20 | 1u << 30);
    static const unsigned numbers[] = {2, 3, 20, 30};
    for (unsigned i = 0; i < 4; i++) r.t->pic.word[TX_PIC_SW_INT + numbers[i]] = 7 + numbers[i];
    r.t->pic.last[1] = 10; /* the last one served */
    tx_core_start(r.t, NCRISC, OTHER);
    rv_finish(&r);
    expect_log(&r, 0, 20, 27);
    expect_log(&r, 1, 30, 37);
    expect_log(&r, 2, 2, 9);
    expect_log(&r, 3, 3, 10);
    rv_free(&r);
  }
}

/* A handler of several words; the saved pc is in intp_restore_pc; registers are unchanged. */
static void the_pc_comes_back(void **state) {
  (void)state;
  struct rv r;
  rv_new(&r, true);
  r.at = HANDLER;
  rv_put(&r, rv_csrrs(A0, 0xbca, ZERO));
  rv_li(&r, A1, LOG);
  rv_put(&r, rv_sw(A0, 0, A1));
  rv_li(&r, A1, SW_INT(0));
  rv_put(&r, rv_lw(A1, 0, A1));
  rv_put(&r, RV_FENCE);
  rv_put(&r, RV_MRET);
  r.at = MAIN;
  store_word(&r, SW_PC(0), HANDLER);
  store_word(&r, SW_INT(0), 1);
  store_word(&r, SW_EN(BRISC), 1);
  uint32_t first = r.at;
  rv_li(&r, S1, 0);
  for (unsigned i = 0; i < 100; i++) rv_put(&r, rv_addi(S1, S1, 1));
  uint32_t last = r.at;
  rv_put(&r, RV_EBREAK);
  rv_run(&r, BRISC, MAIN);
  assert_int_equal(r.t->core[BRISC].x[S1], 100); /* none twice, none left out */
  uint32_t pc = rv_peek(&r, LOG);
  assert_true(pc >= first - 12 && pc <= last);
  rv_free(&r);
}

static void expect_fault(struct rv *r, const char *words) {
  assert_int_equal(tx_tile_run(r->t, 100000), SIM_END_STOPPED);
  if (!strstr(r->t->fault.why, words)) fail_msg("says \"%s\"", r->t->fault.why);
  rv_free(r);
}

static void what_faults(void **state) {
  (void)state;
  struct rv r;
  rv_new(&r, true);
  r.at = MAIN;
  rv_put(&r, RV_MRET);
  tx_core_start(r.t, BRISC, MAIN);
  expect_fault(&r, "no interrupt handler runs");
  rv_new(&r, true);
  r.at = MAIN;
  rv_put(&r, RV_MRET);
  tx_core_start(r.t, 1, MAIN);
  expect_fault(&r, "no interrupt handler runs");
  rv_new(&r, true);
  r.at = MAIN;
  store_word(&r, HW_EN(NCRISC), 8);
  rv_put(&r, RV_EBREAK);
  tx_core_start(r.t, BRISC, MAIN);
  expect_fault(&r, "watchdog");
  rv_new(&r, true);
  r.at = HANDLER;
  rv_put(&r, rv_csrrw(ZERO, 0x7c3, ZERO)); /* cfg1 */
  r.at = MAIN;
  store_word(&r, SW_PC(4), HANDLER);
  store_word(&r, SW_INT(4), 1);
  store_word(&r, SW_EN(BRISC), 1u << 4);
  rv_put(&r, rv_jal(ZERO, 0));
  tx_core_start(r.t, BRISC, MAIN);
  expect_fault(&r, "interrupt handlers cannot write to CSRs");
}

/* An interrupt that is enabled from outside reaches a core parked in a spin. So does an interrupt of the NIU. */
static void a_parked_core_is_interrupted(void **state) {
  (void)state;
  for (unsigned hardware = 0; hardware < 2; hardware++) {
    struct rv r;
    rv_new(&r, true);
    r.at = HANDLER;
    store_word(&r, DONE, 77);
    rv_put(&r, RV_EBREAK);
    r.at = MAIN;
    rv_put(&r, rv_jal(ZERO, 0));
    tx_core_start(r.t, BRISC, MAIN);
    assert_int_not_equal(tx_tile_run(r.t, 1000), SIM_END_DONE);
    uint32_t handler = HANDLER, one = hardware ? 2 : 1, value = 1;
    assert_true(tx_outside_write(r.t, hardware ? PIC + 0x128 + 4 : SW_PC(0), &handler, 4));
    assert_true(tx_outside_write(r.t, hardware ? HW_EN(BRISC) : SW_EN(BRISC), &one, 4));
    if (hardware) r.t->pic.word[TX_PIC_HW_INT + 1] = 1;
    else assert_true(tx_outside_write(r.t, SW_INT(0), &value, 4));
    rv_finish(&r);
    assert_int_equal(rv_peek(&r, DONE), 77);
    assert_int_equal(r.t->pic.word[2], hardware ? 33 : 0);
    rv_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(entry_and_return),
      cmocka_unit_test(several_come_in_turn),
      cmocka_unit_test(the_pc_comes_back),
      cmocka_unit_test(what_faults),
      cmocka_unit_test(a_parked_core_is_interrupted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
