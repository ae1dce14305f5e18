/* The front end: the output of the expanders (compared with a reference written here from the pages), its cycle, and how
 * many words it holds. */
#include "rig.h"
#include "scale.h"
#include "tensix/frontend/mop.h"

#define NOP_WORD OP(NOP, 0)
/* A harmless instruction that can be identified: SETADC that selects no counter, with a number in its value field. */
#define MARK(n) OP(SETADC, (n)&0xffffu)

/* --- MOP: reference generators (MOPExpander.md) --- */

struct words {
  uint32_t *word;
  size_t count;
};

static void emit(struct words *out, uint32_t word) { out->word[out->count++] = word; }

static void expect_masked(struct words *out, const uint32_t cfg[9], uint32_t mask, uint32_t iterations) {
  for (uint32_t i = 0; i < iterations; i++) {
    bool skip = i < 32 && (mask >> i & 1u);
    emit(out, skip ? cfg[7] : cfg[3]);
    for (unsigned k = 4; !skip && (cfg[1] & 2) && k <= 6; k++) emit(out, cfg[k]);
    if (cfg[1] & 1) emit(out, skip ? cfg[8] : cfg[2]);
  }
}

static bool nop(uint32_t word) { return word >> 24 == 2; }

static void expect_loop(struct words *out, const uint32_t cfg[9]) {
  uint32_t outer = cfg[0] & 127, inner = cfg[1] & 127;
  bool two = !nop(cfg[6]);
  if (outer == 1 && nop(cfg[2]) && inner == 0 && !nop(cfg[3])) outer = 129;
  for (uint32_t j = 0; j < outer; j++) {
    if (!nop(cfg[2])) emit(out, cfg[2]);
    for (uint32_t i = 0; i < inner; i++) {
      bool last = i == inner - 1;
      uint32_t final = j == outer - 1 ? cfg[7] : cfg[8];
      if (two) emit(out, cfg[5]);
      emit(out, last ? final : two ? cfg[6] : cfg[5]);
    }
    if (!nop(cfg[3])) {
      emit(out, cfg[3]);
      if (!nop(cfg[4])) emit(out, cfg[4]);
    }
  }
}

static void set_mop(struct rig *r, const uint32_t cfg[9]) {
  for (unsigned i = 0; i < 9; i++) rig_store(r, 1, TX_ADDR_MOP_CFG + 4 * i, cfg[i]);
}

/* Thread 1's passed words must be exactly these, in order, without regard to time. */
static void assert_words(const struct rig *r, const struct words *want) {
  assert_int_equal(r->issue_count, want->count);
  for (size_t i = 0; i < want->count; i++) assert_int_equal(r->issues[i].word, want->word[i]);
}

static void random_cfg(uint64_t *seed, uint32_t cfg[9], bool loop) {
  for (unsigned i = 0; i < 9; i++) cfg[i] = MARK(i + 1);
  cfg[1] = (uint32_t)rig_random(seed) & 3;
  if (!loop) return;
  cfg[0] = (uint32_t)rig_random(seed) % 6;
  cfg[1] = (uint32_t)rig_random(seed) % 6;
  for (unsigned i = 2; i < 9; i++)
    if (rig_random(seed) % 3 == 0) cfg[i] = NOP_WORD;
}

static void mop_emits_what_the_page_says(void **state) {
  (void)state;
  uint64_t seed = 11;
  struct words want = {.word = malloc(70000 * sizeof(uint32_t))};
  for (uint64_t n = test_scaled(300); n; n--) {
    uint32_t cfg[9], mask = (uint32_t)rig_random(&seed), iterations = (uint32_t)rig_random(&seed) % 128;
    bool loop = rig_random(&seed) & 1;
    struct rig *r = rig_new(n & 1);
    random_cfg(&seed, cfg, loop);
    want.count = 0;
    set_mop(r, cfg);
    if (loop) {
      rig_push(r, 1, OP(MOP, 1u << 23));
      expect_loop(&want, cfg);
    } else {
      rig_push(r, 1, OP(MOP_CFG, mask >> 16));
      rig_push(r, 1, OP(MOP, iterations << 16 | (mask & 0xffff)));
      expect_masked(&want, cfg, mask, iterations + 1);
    }
    rig_run_well(r);
    assert_words(r, &want);
    rig_free(r);
  }
  free(want.word);
}

/* One word by places (template 1) or by a look and a step (template 0). */
static bool step_by_places(struct tx_mop *mop, struct tx_mop_loop *l, bool loop, uint32_t *word) {
  if (!loop) {
    if (!tx_mop_masked_word(mop, word)) return false;
    tx_mop_masked_skip(mop);
    return true;
  }
  if (l->at == l->behind && !tx_mop_loop_again(mop, l)) return false;
  *word = tx_mop_loop_word(mop, l);
  l->at++;
  return true;
}

/* Words that pass without an exact state between them, in stretches of any length, leave the expander as tx_mop_next does. */
static void stretches_leave_the_expander_exact(void **state) {
  (void)state;
  uint64_t seed = 12;
  for (uint64_t n = test_scaled(3000); n; n--) {
    struct tx_mop exact = {.mask_hi = (uint32_t)rig_random(&seed) & 0xffffu}, mop;
    bool loop = rig_random(&seed) & 1, more = true;
    uint32_t want, word;
    random_cfg(&seed, exact.cfg, loop);
    tx_mop_start(&exact, OP(MOP, loop ? 1u << 23 : (uint32_t)rig_random(&seed) & 0x7fffffu), 0);
    mop = exact;
    while (more) {
      struct tx_mop_loop l;
      bool places = !loop || tx_mop_loop_enter(&mop, &l);
      for (uint32_t k = (uint32_t)rig_random(&seed) % 9; more && k; k--) {
        more = tx_mop_next(&exact, &want);
        bool also = places ? step_by_places(&mop, &l, loop, &word) : tx_mop_next(&mop, &word);
        assert_int_equal(also, more);
        if (more) assert_int_equal(word, want);
        else places = false; /* nothing to leave */
      }
      bool moved = places && loop && l.at != l.first; /* else the next look finds the same place */
      if (places && loop) tx_mop_loop_leave(&mop, l);
      if (moved || !more) assert_memory_equal(&mop, &exact, sizeof mop);
    }
  }
}

static void largest_mop_emits_32639_words(void **state) {
  (void)state;
  uint32_t cfg[9] = {127, 127, MARK(1), MARK(2), MARK(3), MARK(4), MARK(5), MARK(6), MARK(7)};
  struct rig *r = rig_new(true);
  struct words want = {.word = malloc(70000 * sizeof(uint32_t))};
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP, 1u << 23));
  expect_loop(&want, cfg);
  rig_run_well(r);
  assert_int_equal(want.count, 32639);
  assert_words(r, &want);
  /* one word per cycle, without a gap */
  assert_int_equal(r->issues[r->issue_count - 1].at - r->issues[0].at, 32638);
  free(want.word);
  rig_free(r);
}

static void mop_mask_is_kept_between_mops(void **state) {
  (void)state;
  uint32_t cfg[9] = {0, 0, NOP_WORD, MARK(1), NOP_WORD, NOP_WORD, NOP_WORD, MARK(2), NOP_WORD};
  struct rig *r = rig_new(true);
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP_CFG, 0xffff));
  rig_push(r, 1, OP(MOP, 31u << 16));
  rig_push(r, 1, OP(MOP, 39u << 16)); /* beyond 32 iterations nothing is skipped */
  rig_run_well(r);
  unsigned skipped = 0;
  for (size_t i = 0; i < r->issue_count; i++) skipped += r->issues[i].word == MARK(2);
  assert_int_equal(r->issue_count, 32 + 40);
  assert_int_equal(skipped, 16 + 16);
  rig_free(r);
}

static void mop_bug_of_129_is_reported(void **state) {
  (void)state;
  uint32_t cfg[9] = {1, 0, NOP_WORD, MARK(1), NOP_WORD, NOP_WORD, NOP_WORD, NOP_WORD, NOP_WORD};
  struct rig *r = rig_new(true);
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP, 1u << 23));
  rig_run_well(r);
  assert_int_equal(r->issue_count, 129);
  assert_int_equal(r->t->diag.counts[TX_DIAG_MOP_OUTER_129], 1);
  rig_free(r);
}

/* MopCfg is read while expanding: a store in the middle changes the rest of the expansion, and is reported as a race. */
static void mop_configuration_is_sampled_while_expanding(void **state) {
  (void)state;
  uint32_t cfg[9] = {1, 100, NOP_WORD, NOP_WORD, NOP_WORD, MARK(1), NOP_WORD, MARK(1), MARK(1)};
  struct rig *r = rig_new(true);
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP, 1u << 23));
  for (unsigned i = 0; i < 20; i++) rig_store(r, 1, 0x20000, i); /* pass some time */
  rig_store(r, 1, TX_ADDR_MOP_CFG + 4 * 5, MARK(2));
  rig_run_well(r);
  assert_int_equal(r->issue_count, 100);
  assert_int_equal(r->issues[0].word, MARK(1));
  assert_int_equal(r->issues[98].word, MARK(2));
  assert_int_equal(r->t->diag.counts[TX_DIAG_MOPCFG_RACE], 1);
  rig_free(r);
}

/* "After expanding a MOP instruction, if the next instruction is not a MOP, one dead cycle." */
static void one_dead_cycle_after_a_mop(void **state) {
  (void)state;
  uint32_t cfg[9] = {1, 4, NOP_WORD, NOP_WORD, NOP_WORD, MARK(1), NOP_WORD, MARK(1), MARK(1)};
  struct rig *r = rig_new(true);
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP, 1u << 23));
  rig_push(r, 1, OP(MOP, 1u << 23)); /* no gap between MOPs */
  rig_push(r, 1, MARK(2));
  rig_push(r, 1, MARK(3));
  rig_run_well(r);
  assert_int_equal(r->issue_count, 10);
  for (unsigned i = 0; i < 7; i++) assert_int_equal(r->issues[i + 1].at - r->issues[i].at, 1);
  assert_int_equal(r->issues[8].at - r->issues[7].at, 2);
  assert_int_equal(r->issues[9].at - r->issues[8].at, 1);
  rig_free(r);
}

/* --- replay --- */

static uint32_t replay(unsigned start, unsigned len, unsigned exec, unsigned load) {
  return OP(REPLAY, start << 14 | len << 4 | exec << 1 | load);
}

static void replay_records_and_plays_back(void **state) {
  (void)state;
  uint64_t seed = 5;
  for (uint64_t n = test_scaled(100); n; n--) {
    unsigned start = (unsigned)rig_random(&seed) % 32, len = (unsigned)rig_random(&seed) % 32, exec = n & 1;
    unsigned count = len ? len : 32, again = (unsigned)rig_random(&seed) % 32;
    struct rig *r = rig_new(true);
    rig_push(r, 1, replay(0, 0, 0, 1)); /* fill all 32 slots so that none is unloaded */
    for (unsigned i = 0; i < 32; i++) rig_push(r, 1, MARK(100 + i));
    rig_push(r, 1, replay(start, len, exec, 1));
    for (unsigned i = 0; i < count; i++) rig_push(r, 1, MARK(200 + i));
    rig_push(r, 1, replay(again, 0, 0, 0));
    rig_push(r, 1, MARK(300));
    rig_run_well(r);
    uint32_t slot[32];
    for (unsigned i = 0; i < 32; i++) slot[i] = MARK(100 + i);
    for (unsigned i = 0; i < count; i++) slot[(start + i) % 32] = MARK(200 + i);
    size_t at = 0;
    for (unsigned i = 0; exec && i < count; i++) assert_int_equal(r->issues[at++].word, MARK(200 + i));
    for (unsigned i = 0; i < 32; i++) {
      if (i) assert_int_equal(r->issues[at].at - r->issues[at - 1].at, 1); /* one a cycle, no gap */
      assert_int_equal(r->issues[at++].word, slot[(again + i) % 32]);
    }
    assert_int_equal(r->issues[at].at - r->issues[at - 1].at, 1); /* no penalty afterwards */
    assert_int_equal(r->issues[at++].word, MARK(300));
    assert_int_equal(r->issue_count, at);
    assert_int_equal(rig_findings(r), 0);
    rig_free(r);
  }
}

static void mop_of_replays_multiplies(void **state) {
  (void)state;
  uint32_t cfg[9] = {
      1, 3, NOP_WORD, NOP_WORD, NOP_WORD, replay(4, 8, 0, 0), NOP_WORD, replay(4, 8, 0, 0), replay(4, 8, 0, 0)};
  struct rig *r = rig_new(true);
  rig_push(r, 1, replay(4, 8, 0, 1));
  for (unsigned i = 0; i < 8; i++) rig_push(r, 1, MARK(i));
  set_mop(r, cfg);
  rig_push(r, 1, OP(MOP, 1u << 23));
  rig_run_well(r);
  assert_int_equal(r->issue_count, 24);
  for (unsigned i = 0; i < 24; i++) assert_int_equal(r->issues[i].word, MARK(i % 8));
  assert_int_equal(r->issues[23].at - r->issues[0].at, 23);
  rig_free(r);
}

/* --- occupancy --- */

#define ADDDMAREG_WORD OP(ADDDMAREG, 1u << 23)

/* Cycle in which the core's last push was accepted. */
static sim_time last_push(unsigned count, uint32_t word) {
  struct rig *r = rig_new(true);
  rig_push_times(r, 0, word, count);
  rig_run_well(r);
  sim_time at = r->t->script[0].last_push;
  rig_free(r);
  return at;
}

/* Silicon: slope 3.00 and about 34 words absorbed (tests/silicon has the cycles as a core sees them). */
static void fifo_absorbs_and_then_follows_the_unit(void **state) {
  (void)state;
  static const struct { unsigned n, silicon; } burst[] = {{64, 107}, {128, 299}, {256, 683}, {512, 1451}, {1024, 2987}};
  sim_time cycles[5];
  for (unsigned i = 0; i < 5; i++) cycles[i] = last_push(burst[i].n, ADDDMAREG_WORD);
  for (unsigned i = 1; i < 5; i++) {
    double slope = (double)(cycles[i] - cycles[i - 1]) / (double)(burst[i].n - burst[i - 1].n);
    double silicon = (double)(burst[i].silicon - burst[i - 1].silicon) / (double)(burst[i].n - burst[i - 1].n);
    printf("note: thread FIFO, %4u ADDDMAREG: silicon %4u cycles, here %4llu; slope %.2f against %.2f\n", burst[i].n,
           burst[i].silicon, (unsigned long long)cycles[i], slope, silicon);
    assert_true(slope > 2.999 && slope < 3.001);
  }
  unsigned absorbed = 1024 - (unsigned)(cycles[4] / 3);
  printf("note: thread FIFO absorbs %u words (silicon: about 34)\n", absorbed);
  assert_in_range(absorbed, 27, 34);
}

static void plain_stream_never_holds_more_than_34_words(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMWAIT, 0x1ffu << 15 | 1u << 2 | 1)); /* semaphore 0 is 0: nothing passes */
  rig_push_times(r, 0, NOP_WORD, 100);
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  assert_int_equal(r->t->frontend[0].pushed - r->t->gate[0].issued, 34);
  assert_int_equal(r->t->frontend[0].fifo1.count, 29);
  assert_int_equal(r->t->engine.agents[TX_AGENT_TRISC0].wait.kind, TX_BLOCKED_FIFO);
  rig_free(r);
}

static void expanded_words_fill_the_fifos_behind(void **state) {
  (void)state;
  uint32_t cfg[9] = {1, 100, NOP_WORD, NOP_WORD, NOP_WORD, MARK(1), NOP_WORD, MARK(1), MARK(1)};
  struct rig *r = rig_new(true);
  set_mop(r, cfg);
  rig_push(r, 1, OP(SEMWAIT, 0x1ffu << 15 | 1u << 2 | 1));
  rig_push(r, 1, OP(MOP, 1u << 23));
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  assert_int_equal(r->t->frontend[1].fifo2.count, 8);
  assert_int_equal(r->t->frontend[1].fifo3.count, 2);
  rig_free(r);
}

/* A word passes the gate three cycles after its push, and one thread's back-pressure does not affect another thread. */
static void a_word_needs_three_cycles_to_the_gate(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 2, MARK(1));
  rig_run_well(r);
  assert_int_equal(r->issues[0].at - r->t->script[2].last_push, 3);
  rig_free(r);
}

static void threads_do_not_hold_each_other_up(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, OP(SEMWAIT, 0x1ffu << 15 | 1u << 2 | 1));
  rig_push_times(r, 0, NOP_WORD, 100);
  rig_push_times(r, 1, NOP_WORD, 500);
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  assert_int_equal(r->t->gate[1].issued, 500);
  rig_free(r);
}

/* --- BRISC at the mux --- */

static void brisc_word_bypasses_the_mop_expander(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_attach(r);
  assert_true(tx_frontend_push_brisc(r->t, 2, MARK(7), 0));
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE);
  assert_int_equal(r->issue_count, 1);
  assert_int_equal(r->issues[0].word, MARK(7));
  assert_int_equal(r->issues[0].thread, 2);
  rig_free(r);
}

static void colliding_word_of_the_thread_is_lost_and_reported(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push_times(r, 2, MARK(1), 20);
  rig_attach(r);
  tx_tile_run(r->t, 8);
  assert_true(tx_frontend_push_brisc(r->t, 2, MARK(2), 0)); /* at the mux in the same cycle as one of the twenty */
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_DONE);
  unsigned own = 0, brisc = 0;
  for (size_t i = 0; i < r->issue_count; i++) {
    own += r->issues[i].word == MARK(1);
    brisc += r->issues[i].word == MARK(2);
  }
  assert_int_equal(brisc, 1);
  assert_int_equal(own, 19);
  assert_int_equal(r->t->diag.counts[TX_DIAG_MUX_COLLISION], 1);
  rig_free(r);
}

static void mop_from_brisc_faults(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_attach(r);
  assert_true(tx_frontend_push_brisc(r->t, 0, OP(MOP, 1u << 23), 0));
  assert_int_equal(tx_tile_run(r->t, RIG_FOREVER), SIM_END_STOPPED);
  assert_int_equal(r->t->fault.kind, SIM_FAULT_UNDEFINED);
  assert_non_null(strstr(r->t->fault.why, "MOP"));
  rig_free(r);
}

/* --- wrong words --- */

static void assert_fault(uint32_t first, uint32_t second, enum sim_fault_kind kind, const char *words) {
  struct rig *r = rig_new(true);
  rig_push(r, 0, first);
  rig_push(r, 0, second);
  rig_push(r, 0, NOP_WORD);
  assert_int_equal(rig_run(r), SIM_END_STOPPED);
  assert_int_equal(r->t->fault.kind, kind);
  assert_non_null(strstr(r->t->fault.why, words));
  assert_int_equal(r->t->fault.agent, TX_AGENT_THREAD0);
  rig_free(r);
}

static void wrong_words_fault_by_name(void **state) {
  (void)state;
  assert_fault(NOP_WORD, 0xff000000u, SIM_FAULT_BAD_INSTRUCTION, "unknown opcode 0xff");
  assert_fault(NOP_WORD, 0x00000000u, SIM_FAULT_BAD_INSTRUCTION, "unknown opcode 0x00");
  assert_fault(replay(0, 4, 1, 0), NOP_WORD, SIM_FAULT_UNDEFINED, "execute_while_loading");
  assert_fault(replay(0, 4, 1, 1), replay(0, 4, 0, 0), SIM_FAULT_UNDEFINED, "REPLAY reached the wait gate");
  assert_fault(OP(REPLAY, 33u << 4), NOP_WORD, SIM_FAULT_UNDEFINED, "33 words");
  assert_fault(NOP_WORD, OP(RAREB, 0), SIM_FAULT_UNSUPPORTED, "RAREB");
  assert_fault(NOP_WORD, OP(CONV3S1, 0), SIM_FAULT_UNSUPPORTED, "CONV3S1");
}

/* REPLAY.md: the load records the next words whatever they are, so a load that is too long also records the playback meant to
 * follow it. Only playing the stored REPLAY is an error. */
static void a_recorded_replay_is_stored_and_reported(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, replay(0, 3, 0, 1));
  rig_push(r, 0, MARK(1));
  rig_push(r, 0, replay(0, 1, 0, 0)); /* slot 1: neither played nor a start of playing */
  rig_push(r, 0, MARK(2));
  rig_push(r, 0, MARK(3));
  rig_push(r, 0, replay(2, 1, 0, 0));
  rig_push(r, 0, replay(0, 1, 0, 0));
  rig_run_well(r);
  static const unsigned marks[] = {3, 2, 1};
  assert_int_equal(r->issue_count, 3);
  for (unsigned i = 0; i < 3; i++) assert_int_equal(r->issues[i].word, MARK(marks[i]));
  assert_int_equal(r->t->diag.counts[TX_DIAG_REPLAY_RECORDED], 1);
  rig_push(r, 0, replay(1, 1, 0, 0));
  assert_int_equal(rig_run(r), SIM_END_STOPPED);
  assert_non_null(strstr(r->t->fault.why, "REPLAY reached the wait gate"));
  rig_free(r);
}

static void unloaded_slot_and_unused_bits_are_reported(void **state) {
  (void)state;
  struct rig *r = rig_new(true);
  rig_push(r, 0, replay(3, 1, 0, 0)); /* slot 3 holds 0: reported, then faults as unknown opcode 0 */
  assert_int_equal(rig_run(r), SIM_END_STOPPED);
  assert_int_equal(r->t->diag.counts[TX_DIAG_REPLAY_UNLOADED], 1);
  rig_free(r);
  r = rig_new(true);
  rig_push(r, 0, OP(NOP, 5));
  rig_push(r, 0, OP(MOP, 1u << 23 | 5)); /* and a template 1 MOP with low bits */
  rig_run_well(r);
  assert_int_equal(r->t->diag.counts[TX_DIAG_UNUSED_BITS], 1);
  assert_int_equal(r->t->diag.counts[TX_DIAG_MOP_LOW_BITS], 1);
  rig_free(r);
}

/* --- sleeping agents are woken --- */

#define WAIT_FOR(n) OP(SEMWAIT, 0x1ffu << 15 | 1u << (2 + (n)) | 1u) /* until semaphore n is not 0 */

static struct rig *two_semaphores(uint32_t idle) {
  struct rig *r = rig_new(true);
  r->t->sync.sem[0].max = r->t->sync.sem[1].max = 15;
  rig_push_times(r, 1, OP(NOP, 0), idle);
  rig_push(r, 1, OP(SEMPOST, 8u)); /* semaphore 1 */
  return r;
}

static void store_mop_cfg(struct rig *r, const uint32_t cfg[9]) {
  for (unsigned i = 0; i < 9; i++) rig_store(r, 0, TX_ADDR_MOP_CFG + 4 * i, cfg[i]);
}

/* The places of a plain stream are taken, but the words before the expander need none: MOPSYNC ends while the gate is
 * stalled. */
static void the_expander_moves_while_the_gate_stands(void **state) {
  (void)state;
  const uint32_t cfg[9] = {
      1, 1, OP(NOP, 0), OP(NOP, 0), OP(NOP, 0), OP(SETADC, 2), OP(NOP, 0), OP(SETADC, 3), OP(SETADC, 3)};
  struct rig *r = two_semaphores(100);
  store_mop_cfg(r, cfg);
  rig_push(r, 0, WAIT_FOR(1));
  rig_push(r, 0, WAIT_FOR(0));
  rig_push_times(r, 0, OP(SETADC, 7), 3);
  rig_push(r, 0, OP(MOP_CFG, 0));
  rig_push(r, 0, OP(MOP, 1u << 23)); /* one word */
  rig_copy(r, 0, TX_ADDR_MOPSYNC, 0x50000);
  rig_store(r, 0, TX_ADDR_SEMAPHORE, 0); /* posts semaphore 0 */
  assert_int_equal(rig_run(r), SIM_END_DONE);
  rig_free(r);
}

/* A recording consumes the rest of a MOP before the gate: the core that waits for the MOP, or for room, continues. */
static void a_recording_empties_the_front_end(void **state) {
  (void)state;
  const uint32_t cfg[9] = {
      1, 21, OP(REPLAY, 1u), OP(SETADC, 1), OP(NOP, 0), OP(SETADC, 2), OP(NOP, 0), OP(SETADC, 3), OP(SETADC, 3)};
  for (unsigned room = 0; room < 2; room++) {
    struct rig *r = two_semaphores(200);
    store_mop_cfg(r, cfg);
    rig_push(r, 0, WAIT_FOR(1));
    rig_push(r, 0, OP(SETADC, 7));
    rig_push(r, 0, WAIT_FOR(0));
    rig_push(r, 0, OP(MOP, 0));                         /* SETADC, REPLAY that records 32 */
    rig_push(r, 0, OP(MOP, 1u << 23));                  /* 24 words, all recorded */
    if (room) rig_push_times(r, 0, OP(MOP_CFG, 0), 40); /* more than FIFO 1 holds; none reaches the gate */
    else rig_copy(r, 0, TX_ADDR_MOPSYNC, 0x50000);
    rig_store(r, 0, TX_ADDR_SEMAPHORE, 0);
    assert_int_equal(rig_run(r), SIM_END_DONE);
    rig_free(r);
  }
}

/* A playback in front of a closed gate, an expansion behind it: a word pushed ahead of time moves nothing, even before it arrives, so
 * that no core is told to look again. */
static void a_word_behind_an_expansion_moves_nothing(void **state) {
  (void)state;
  const uint32_t cfg[9] = {
      1, 60, OP(NOP, 0), OP(NOP, 0), OP(NOP, 0), replay(0, 16, 0, 0), OP(NOP, 0), OP(SETADC, 3), OP(SETADC, 3)};
  struct rig *r = rig_new(true);
  struct tx_frontend *fe = &r->t->frontend[0];
  for (unsigned i = 0; i < TX_REPLAY_SLOTS; i++) fe->replay.slot[i] = MARK(i);
  fe->replay.loaded = UINT32_MAX;
  store_mop_cfg(r, cfg);
  rig_push(r, 0, WAIT_FOR(0));
  rig_push(r, 0, OP(MOP, 1u << 23));
  assert_int_equal(rig_run(r), SIM_END_BLOCKED);
  assert_true(fe->mop.active && fe->replay.playing && !fe->moving);
  assert_int_equal(tx_frontend_drains_at(r->t, 0), 0);
  tx_frontend_push_at(r->t, 0, MARK(99), 0, r->t->engine.now + 10);
  tx_frontend_wake(r->t, 0);
  r->t->engine.now += 2;
  tx_frontend_settle(r->t, 0, r->t->engine.now);
  assert_int_equal(tx_frontend_drains_at(r->t, 0), 0);
  rig_free(r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mop_emits_what_the_page_says),
      cmocka_unit_test(stretches_leave_the_expander_exact),
      cmocka_unit_test(largest_mop_emits_32639_words),
      cmocka_unit_test(mop_mask_is_kept_between_mops),
      cmocka_unit_test(mop_bug_of_129_is_reported),
      cmocka_unit_test(mop_configuration_is_sampled_while_expanding),
      cmocka_unit_test(one_dead_cycle_after_a_mop),
      cmocka_unit_test(replay_records_and_plays_back),
      cmocka_unit_test(mop_of_replays_multiplies),
      cmocka_unit_test(fifo_absorbs_and_then_follows_the_unit),
      cmocka_unit_test(plain_stream_never_holds_more_than_34_words),
      cmocka_unit_test(expanded_words_fill_the_fifos_behind),
      cmocka_unit_test(a_word_needs_three_cycles_to_the_gate),
      cmocka_unit_test(threads_do_not_hold_each_other_up),
      cmocka_unit_test(brisc_word_bypasses_the_mop_expander),
      cmocka_unit_test(colliding_word_of_the_thread_is_lost_and_reported),
      cmocka_unit_test(mop_from_brisc_faults),
      cmocka_unit_test(wrong_words_fault_by_name),
      cmocka_unit_test(a_recorded_replay_is_stored_and_reported),
      cmocka_unit_test(unloaded_slot_and_unused_bits_are_reported),
      cmocka_unit_test(the_expander_moves_while_the_gate_stands),
      cmocka_unit_test(a_recording_empties_the_front_end),
      cmocka_unit_test(a_word_behind_an_expansion_moves_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
