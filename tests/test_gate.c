/* The wait gate, dispatch and arbitration: the cycle in which an instruction passes. Figures from STALLWAIT.md, SEMWAIT.md,
 * SyncUnit.md and docs/evidence/time.md. */
#include "rig.h"
#include "scale.h"

#define NOP_WORD OP(NOP, 0)
#define MARK(n) OP(SETADC, (n)&0xffffu)
#define DMANOP_WORD OP(DMANOP, 0)
#define SEM(n) (1u << (2 + (n)))

static sim_time at(const struct rig *r, unsigned thread, uint8_t opcode, unsigned n) {
  return rig_issued(r, thread, opcode, n)->at;
}

/* --- latched waits --- */

/* "the instruction immediately after STALLWAIT will always be subject to the block mask for at least one cycle" */
static void satisfied_wait_delays_a_blocked_instruction_by_one_cycle(void **state) {
  (void)state;
  for (unsigned blocked = 0; blocked < 2; blocked++) {
    struct rig *r = rig_new(true);
    rig_push(r, 0, STALL(blocked ? TX_B(0) : TX_B(6), 1u << TX_C4_MATRIX)); /* the matrix unit is idle */
    rig_push(r, 0, MARK(1));                                                /* a misc instruction: B0 */
    rig_run_well(r);
    assert_int_equal(at(r, 0, TX_SETADC, 0) - at(r, 0, TX_STALLWAIT, 0), blocked ? 2 : 1);
    rig_free(r);
  }
}

static void second_wait_waits_for_the_first(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, STALL(TX_B(6), 1u << TX_C4_MATRIX));
  rig_push(r, 0, STALL(TX_B(6), 1u << TX_C4_MATRIX));
  rig_push(r, 0, STALL(TX_B(6), 1u << TX_C4_MATRIX));
  rig_run_well(r);
  assert_int_equal(at(r, 0, TX_STALLWAIT, 1) - at(r, 0, TX_STALLWAIT, 0), 2);
  assert_int_equal(at(r, 0, TX_STALLWAIT, 2) - at(r, 0, TX_STALLWAIT, 1), 2);
  rig_free(r);
}

/* Every instruction against every block bit, from the csv's own words copied here: whether a wait that never ends stops it. */
static bool passes_under(uint16_t mask, const struct tx_op *op) {
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMWAIT, (uint32_t)mask << 15 | SEM(0) | 1)); /* semaphore 0 is 0 and no thread posts it */
  rig_push(r, 0, (uint32_t)op->opcode << 24 | (op->opcode == TX_SEMWAIT ? SEM(1) | 1u : 0));
  rig_run(r);
  bool passed =
      r->t->gate[0].issued == 2 || r->t->fault.kind; /* a fault of the body also means that the instruction passed */
  rig_free(r);
  return passed;
}

static void block_bits_stop_exactly_their_classes(void **state) {
  (void)state;
  for (unsigned opcode = 0; opcode < 256; opcode++) {
    const struct tx_op *op = &tx_ops[opcode];
    if (!op->name || op->unit == TX_UNIT_FRONTEND || (op->wait & (TX_WAIT_SRCA | TX_WAIT_SRCB))) continue;
    for (unsigned bit = 0; bit < 9; bit++) {
      bool wait = opcode == TX_STALLWAIT || opcode == TX_SEMWAIT || opcode == TX_STREAMWAIT;
      bool stops = wait || (opcode != TX_NOP && (op->block >> bit & 1u));
      if (passes_under((uint16_t)(1u << bit), op) == stops) fail_msg("%s under B%u", op->name, bit);
    }
    assert_false(passes_under(0x1ff, op));
  }
  assert_true(passes_under(0x1fe, &tx_ops[TX_NOP])); /* NOP: only by all nine */
}

static void block_mask_zero_means_the_matrix_unit(void **state) {
  (void)state;
  assert_true(passes_under(0, &tx_ops[TX_DMANOP]));
  assert_false(passes_under(0, &tx_ops[TX_SETRWC]));
}

/* --- conditions --- */

/* Sets up a condition, evaluates the gate, and removes it again. */
static void conditions_look_at_their_units(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  struct tx_tile *t = r->t;
  t->engine.now = 100;
  uint32_t idle = 1u << TX_C7_SRCA_VALID | 1u << TX_C8_SRCB_VALID; /* after reset the unpackers own all banks */
  assert_int_equal(tx_conditions_unmet(t, 1, 0x1fff), idle);
  t->scalar.outstanding[1] = 1;
  t->units[TX_UNIT_PACK].drained_at[1] = 101;
  t->units[TX_UNIT_MATRIX].drained_at[1] = 101;
  t->units[TX_UNIT_VECTOR].drained_at[1] = 101;
  t->config.busy_until = 101;
  t->port[1].outstanding = 1;
  t->src.bank[TX_SRCA][0].owner = TX_CLIENT_MATRIX;
  uint32_t want = 1u << TX_C0_SCALAR_MEMORY | 1u << TX_C3_PACK | 1u << TX_C4_MATRIX | 1u << TX_C11_VECTOR |
                  1u << TX_C12_CONFIG | 1u << TX_C10_CORE_REQUESTS | 1u << TX_C5_SRCA_CLEARED | 1u << TX_C8_SRCB_VALID;
  assert_int_equal(tx_conditions_unmet(t, 1, 0x1fff), want);
  /* another thread's instructions count only for the shared ones */
  assert_int_equal(tx_conditions_unmet(t, 0, 0x1fff),
                   1u << TX_C12_CONFIG | 1u << TX_C5_SRCA_CLEARED | 1u << TX_C8_SRCB_VALID);
  rig_free(r);
}

static void stallwait_ends_when_the_unit_has_drained(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SETDVALID, 3)); /* banks that no instruction reads, but the counters of the matrix unit can be used */
  rig_push(r, 0, OP(SETRWC, 0));
  rig_push(r, 0, STALL(TX_B(0), 1u << TX_C4_MATRIX));
  rig_push(r, 0, MARK(1));
  rig_run_well(r);
  assert_int_equal(at(r, 0, TX_SETADC, 0) - at(r, 0, TX_STALLWAIT, 0), 2);
  rig_free(r);
}

static void stallwait_on_a_bank_is_released_by_another_thread(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, STALL(TX_B(0), 1u << TX_C7_SRCA_VALID));
  rig_push(r, 0, MARK(1));
  rig_push_times(r, 1, NOP_WORD, 50);
  rig_push(r, 1, OP(SETDVALID, 1));
  rig_run_well(r);
  assert_true(at(r, 0, TX_SETADC, 0) > at(r, 1, TX_SETDVALID, 0));
  assert_in_range(at(r, 0, TX_SETADC, 0) - at(r, 1, TX_SETDVALID, 0), 2, 3);
  assert_true(r->t->gate[0].stalled[TX_BLOCKED_CONDITION] > 40);
  rig_free(r);
}

/* --- semaphores --- */

/* LLK counts with a semaphore that no thread initialises (UNPACK_SYNC); one that was given a maximum should stay below it. At 15 a post
 * is lost. */
static void post_above_maximum_needs_a_maximum(void **state) {
  (void)state;
  for (unsigned initialised = 0; initialised < 2; initialised++)
    for (unsigned posts = 1; posts <= 17; posts++) {
      struct rig *r = rig_new(true);
      unsigned max = initialised ? 2 : 15;
      if (initialised) rig_push(r, 0, OP(SEMINIT, 2u << 20 | SEM(5)));
      rig_push_times(r, 0, OP(SEMPOST, SEM(5)), posts);
      rig_run_well(r);
      assert_int_equal(r->t->diag.counts[TX_DIAG_SEM_POST_ABOVE_MAX], posts > max ? posts - max : 0);
      assert_int_equal(r->t->sync.sem[5].value, posts < 15 ? posts : 15);
      rig_free(r);
    }
}

/* The vendor's copy of tiles to Dst: each SETRWC releases SrcA, for which MOVA2D waited, and SrcB, which an UNPACR_NOP hands over. */
static void copy_releases_the_bank_of_its_unpacr_nop(void **state) {
  enum { CLEARS = 1, HANDS_OVER = 1 << 8, LIKE_UNPACR = 1 << 5, SRCB = 1 << 23, TILES = 40 };
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    for (unsigned i = 0; i < TILES; i++) {
      rig_push(r, 0, OP(UNPACR_NOP, CLEARS | HANDS_OVER | LIKE_UNPACR));
      rig_push(r, 0, OP(UNPACR_NOP, CLEARS | HANDS_OVER | SRCB));
      rig_push_times(r, 1, OP(MOVA2D, TX_PUT(MOVA2D, instr_mod, 2)), 2);
      rig_push(r, 1, OP(SETRWC, TX_PUT(SETRWC, clear_ab_vld, 3)));
    }
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_BANK_RELEASE_INVALID], 0);
    for (unsigned i = 0; i < 4; i++) assert_int_equal(r->t->src.bank[i / 2][i % 2].owner, TX_CLIENT_UNPACKERS);
    assert_int_equal(r->t->src.matrix_bank[TX_SRCB], r->t->src.unpack_bank[TX_SRCB]);
    rig_free(r);
  }
}

/* A release of a bank that no unpacker hands over eventually passes, and is reported. */
static void release_of_no_bank_passes(void **state) {
  (void)state;
  for (unsigned timing = 0; timing < 2; timing++) {
    struct rig *r = rig_new(timing);
    rig_push_times(r, 1, OP(SETRWC, TX_PUT(SETRWC, clear_ab_vld, 3)), 2);
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_BANK_RELEASE_INVALID], 4);
    rig_free(r);
  }
}

static void semaphores_count_saturate_and_wait(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMINIT, 15u << 20 | 14u << 16 | SEM(2) | SEM(5)));
  rig_push_times(r, 0, OP(SEMPOST, SEM(2)), 3);
  rig_push_times(r, 0, OP(SEMGET, SEM(5)), 20);
  rig_run_well(r);
  assert_int_equal(r->t->sync.sem[2].value, 15); /* saturates at 15, not at Max */
  assert_int_equal(r->t->sync.sem[5].value, 0);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SEM_POST_ABOVE_MAX], 2);
  assert_int_equal(r->t->diag.counts[TX_DIAG_SEM_GET_AT_ZERO], 6);
  rig_free(r);
}

static void semwait_on_zero_and_on_maximum(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 1, OP(SEMINIT, 1u << 20 | SEM(1)));
  rig_push(r, 1, OP(SEMPOST, SEM(1)));
  rig_push(r, 1, OP(SEMWAIT, 0x1ffu << 15 | SEM(1) | 2)); /* while value >= max */
  rig_push(r, 1, MARK(1));
  rig_push(r, 2, STALL(TX_B(1), 1u << TX_C3_PACK));
  rig_push_times(r, 2, NOP_WORD, 30);
  rig_push(r, 2, OP(SEMWAIT, 0x1ffu << 15 | SEM(1) | 1)); /* while value is 0 */
  rig_push(r, 2, OP(SEMGET, SEM(1)));
  rig_run_well(r);
  assert_int_equal(at(r, 1, TX_SETADC, 0) - at(r, 2, TX_SEMGET, 0), 2); /* seen next cycle, and the lag */
  assert_int_equal(r->t->sync.sem[1].value, 0);
  assert_int_equal(rig_findings(r), 0);
  rig_free(r);
}

/* The latch is evaluated in every cycle, even when the thread has no instruction: a value present for one cycle ends
 * the wait. */
static void latched_wait_sees_a_passing_value(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMWAIT, 0x1ffu << 15 | SEM(3) | 1));
  rig_poll(r, 0, 0x20000, 0xffffffffu, 1); /* no further instruction arrives for some cycles */
  rig_push(r, 0, MARK(9));
  rig_push(r, 1, OP(SEMINIT, 1u << 20 | SEM(3)));
  rig_push(r, 1, OP(SEMPOST, SEM(3)));
  rig_push(r, 1, OP(SEMGET, SEM(3)));
  rig_sync(r, 1);
  rig_store(r, 1, 0x20000, 1);
  rig_run_well(r);
  assert_int_equal(r->t->sync.sem[3].value, 0);
  assert_int_equal(r->t->gate[0].issued, 2);
  rig_free(r);
}

static void sync_unit_takes_one_a_cycle(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  for (unsigned thread = 0; thread < 3; thread++) rig_push_times(r, thread, OP(SEMINIT, 1u << 20 | SEM(thread)), 40);
  rig_run_well(r);
  for (size_t i = 1; i < r->issue_count; i++) assert_int_equal(r->issues[i].at - r->issues[i - 1].at, 1);
  rig_free(r);
}

static void semwait_without_condition_faults(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMWAIT, 0x1ffu << 15 | SEM(1)));
  assert_int_equal(rig_run(r), SIM_END_STOPPED);
  assert_non_null(strstr(r->t->fault.why, "SEMWAIT"));
  rig_free(r);
}

/* --- mutexes --- */

static void mutex_goes_round(void **state) {
  (void)state;
  static const unsigned mutexes[] = {0, 2, 3, 4};
  for (unsigned m = 0; m < 4; m++) {
    struct rig *r = rig_new(true);
    for (unsigned thread = 0; thread < 3; thread++)
      for (unsigned i = 0; i < 5; i++) {
        rig_push(r, thread, OP(ATGETM, mutexes[m]));
        rig_push_times(r, thread, NOP_WORD, 5);
        rig_push(r, thread, OP(ATRELM, mutexes[m]));
      }
    rig_run_well(r);
    /* holders in the order of acquisition: 0, 1, 2, 0, 1, 2 ... and never two at once */
    unsigned expected = 0, held = 0;
    for (size_t i = 0; i < r->issue_count; i++) {
      if (r->issues[i].word >> 24 == TX_ATGETM) {
        assert_int_equal(r->issues[i].thread, expected);
        assert_int_equal(held, 0);
        expected = (expected + 1) % 3;
        held = 1;
      } else if (r->issues[i].word >> 24 == TX_ATRELM) {
        held = 0;
      }
    }
    assert_int_equal(rig_findings(r), 0);
    rig_free(r);
  }
}

static void three_mutex_operations_a_cycle_on_different_mutexes(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  static const unsigned mutexes[] = {0, 2, 3};
  for (unsigned thread = 0; thread < 3; thread++) rig_push(r, thread, OP(ATGETM, mutexes[thread]));
  rig_run_well(r);
  assert_int_equal(r->issues[0].at, r->issues[2].at);
  rig_free(r);
}

static void wrong_use_of_a_mutex_is_reported(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(ATRELM, 2));
  rig_push(r, 0, OP(ATGETM, 2));
  rig_push(r, 0, OP(ATGETM, 2));
  rig_run_well(r);
  assert_int_equal(r->t->diag.counts[TX_DIAG_MUTEX_FOREIGN_RELEASE], 1);
  assert_int_equal(r->t->diag.counts[TX_DIAG_MUTEX_REACQUIRE], 1);
  rig_free(r);
  for (unsigned bad = 1; bad < 8; bad += bad == 1 ? 4 : 1) {
    r = rig_new(true);
    rig_push(r, 0, OP(ATGETM, bad));
    assert_int_equal(rig_run(r), SIM_END_STOPPED);
    assert_non_null(strstr(r->t->fault.why, "does not exist"));
    rig_free(r);
  }
}

/* --- the text of a hang --- */

static void deadlock_is_found_at_once_and_explained(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(ATGETM, 0));
  rig_push_times(r, 0, NOP_WORD, 10);
  rig_push(r, 0, OP(ATGETM, 2));
  rig_push(r, 1, OP(ATGETM, 2));
  rig_push_times(r, 1, NOP_WORD, 10);
  rig_push(r, 1, OP(ATGETM, 0));
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  assert_true(r->t->engine.now < 100);
  char text[4096];
  obs_hang_report(r->t, text, sizeof text);
  assert_non_null(strstr(text, "deadlock: thread 0 (unpack) -> thread 1 (math) -> thread 0 (unpack)"));
  assert_non_null(strstr(text, "mutex 2 (held by thread 1 (math))"));
  assert_non_null(strstr(text, "mutex 0 (held by thread 0 (unpack))"));
  rig_free(r);
}

static void missing_post_is_named(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 2, OP(SEMINIT, 2u << 20 | SEM(1)));
  rig_push(r, 2, OP(SEMWAIT, 0x1ffu << 15 | SEM(1) | 1));
  rig_push(r, 2, NOP_WORD);
  rig_sync(r, 2);
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  char text[4096];
  obs_hang_report(r->t, text, sizeof text);
  assert_non_null(strstr(text, "thread 2 (pack) has been waiting for a post to semaphore 1 (MATH_PACK)"));
  assert_non_null(strstr(text, "value 0, maximum 2"));
  assert_non_null(strstr(text, "TRISC2: waiting for thread 2 to become idle (tensix_sync)"));
  assert_null(strstr(text, "deadlock"));
  rig_free(r);
}

/* A note when an instruction enters the unit that is waited for; none when the mask covers it, nor for the usual
 * pair of a wait that blocks the sync unit and the post after it. */
static void block_mask_advice(void **state) {
  (void)state;
  for (unsigned good = 0; good < 2; good++) {
    struct rig *r = rig_new(true);
    r->t->units[TX_UNIT_MATRIX].drained_at[0] = 50; /* an instruction of this thread is in the unit */
    rig_push(r, 0, STALL(good ? TX_B(6) : TX_B(8), 1u << TX_C4_MATRIX));
    rig_push(r, 0, OP(SETRWC, 0));
    rig_push(r, 0, STALL(TX_B(1), 1u << TX_C4_MATRIX));
    rig_push(r, 0, OP(SEMINIT, 1u << 20 | SEM(1)));
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_STALL_BLOCK_ADVICE], good ? 0 : 1);
    rig_free(r);
  }
}

/* A post and the waiting thread's check fall into one cycle, in either order of the threads: no wake-up is lost. */
static void post_in_the_cycle_of_going_to_sleep_is_not_lost(void **state) {
  (void)state;
  for (unsigned waiter = 0; waiter < 3; waiter++)
    for (unsigned delay = 0; delay < 12; delay++) {
      unsigned poster = (waiter + 1) % 3;
      struct rig *r = rig_new(true);
      r->t->sync.sem[4].max = 1;
      rig_push_times(r, waiter, NOP_WORD, 4);
      rig_push(r, waiter, OP(SEMWAIT, 0x1ffu << 15 | SEM(4) | 1));
      rig_push(r, waiter, OP(SEMGET, SEM(4)));
      rig_push_times(r, poster, NOP_WORD, delay);
      rig_push(r, poster, OP(SEMPOST, SEM(4)));
      rig_run_well(r);
      assert_int_equal(r->t->sync.sem[4].value, 0);
      rig_free(r);
    }
}

static void init_above_maximum_and_setdvalid_are_reported(void **state) {
  (void)state;
  for (unsigned good = 0; good < 2; good++) {
    struct rig *r = rig_new(true);
    rig_push(r, 0, OP(SEMINIT, 2u << 20 | (good ? 2u : 3u) << 16 | SEM(1)));
    if (!good) rig_push(r, 0, OP(SETDVALID, 1));
    rig_run_well(r);
    assert_int_equal(r->t->diag.counts[TX_DIAG_SEM_INIT_ABOVE_MAX], !good);
    assert_int_equal(r->t->diag.counts[TX_DIAG_SETDVALID_BLACKHOLE], !good);
    rig_free(r);
  }
}

static void strict_mode_stops_at_a_warning(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  r->t->diag.strict = 1;
  rig_push(r, 0, OP(SEMGET, SEM(0)));
  rig_push(r, 0, NOP_WORD);
  assert_int_equal(rig_run(r), SIM_END_STOPPED);
  assert_int_equal(r->t->fault.kind, SIM_FAULT_HAZARD);
  assert_int_equal(r->t->gate[0].issued, 1);
  rig_free(r);
}

/* With timing off every instruction costs one cycle, in any unit; between two turns of a thread its core gets a turn. */
static void timing_off_costs_one_cycle_each(void **state) {
  static const uint32_t words[] = {OP(NOP, 0),
                                   OP(DMANOP, 0),
                                   OP(SETDMAREG, 5u << 8 | 3),
                                   OP(SETRWC, 0),
                                   OP(INCRWC, 0),
                                   OP(RDCFG, 13),
                                   OP(ADDDMAREG, 1u << 23),
                                   OP(MULDMAREG, 1u << 23),
                                   OP(SHIFTDMAREG, 1u << 23),
                                   OP(CMPDMAREG, 1u << 23)};
  (void)state;
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
    struct rig *r = rig_new(false);
    rig_push_times(r, 0, words[i], 100);
    rig_run_well(r);
    unsigned apart = 0;
    for (unsigned k = 0; k < 99; k++) apart += r->issues[k + 1].at - r->issues[k].at != 1;
    assert_in_range(apart, 0, 5);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(timing_off_costs_one_cycle_each),
      cmocka_unit_test(satisfied_wait_delays_a_blocked_instruction_by_one_cycle),
      cmocka_unit_test(second_wait_waits_for_the_first),
      cmocka_unit_test(block_bits_stop_exactly_their_classes),
      cmocka_unit_test(block_mask_zero_means_the_matrix_unit),
      cmocka_unit_test(conditions_look_at_their_units),
      cmocka_unit_test(stallwait_ends_when_the_unit_has_drained),
      cmocka_unit_test(stallwait_on_a_bank_is_released_by_another_thread),
      cmocka_unit_test(copy_releases_the_bank_of_its_unpacr_nop),
      cmocka_unit_test(release_of_no_bank_passes),
      cmocka_unit_test(semaphores_count_saturate_and_wait),
      cmocka_unit_test(post_above_maximum_needs_a_maximum),
      cmocka_unit_test(semwait_on_zero_and_on_maximum),
      cmocka_unit_test(latched_wait_sees_a_passing_value),
      cmocka_unit_test(sync_unit_takes_one_a_cycle),
      cmocka_unit_test(semwait_without_condition_faults),
      cmocka_unit_test(mutex_goes_round),
      cmocka_unit_test(three_mutex_operations_a_cycle_on_different_mutexes),
      cmocka_unit_test(wrong_use_of_a_mutex_is_reported),
      cmocka_unit_test(deadlock_is_found_at_once_and_explained),
      cmocka_unit_test(missing_post_is_named),
      cmocka_unit_test(block_mask_advice),
      cmocka_unit_test(post_in_the_cycle_of_going_to_sleep_is_not_lost),
      cmocka_unit_test(init_above_maximum_and_setdvalid_are_reported),
      cmocka_unit_test(strict_mode_stops_at_a_warning),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
