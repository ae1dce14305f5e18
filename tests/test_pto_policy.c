/* Credit policies (docs/guide/pto.md, "Credits" and "Depth and period"): verdicts against a model of counters written here, cycles per tile against computed figures. */
#include "pto/util.h"

#define STREAM \
  "module attributes {pto.target_arch = \"%s\", pto.policy = \"%s\", pto.dispatches = %u} {\n" \
  "func.func @c() attributes {pto.core = \"aic\"} {\n" \
  "  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, %s, 1024, %u, 2>\n" \
  "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n" \
  "  scf.for %%i = 0 to %u step 1 {\n    pto.tpush %%t, %%p {cost = 100} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  " \
  "}\n}\n" \
  "func.func @v() attributes {pto.core = \"%s\"} {\n" \
  "  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, %s, 1024, %u, 2>\n" \
  "  scf.for %%i = 0 to %u step 1 {\n    %%x = pto.tpop %%p {cost = 100} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, " \
  "16>\n" \
  "    pto.tfree %%p : !pto.tpipe<...>\n  }\n}\n}\n"

/* --- the model: two schedules, consumer as late and as early as the flags allow --- */

struct rules {
  const char *name;
  unsigned (*initial)(unsigned s, unsigned p);
  unsigned (*period)(unsigned s);
  bool (*waits)(unsigned t, unsigned s, unsigned p);
  bool every_notify;
  unsigned (*drain)(unsigned n, unsigned s, unsigned p);
};

static unsigned zero(unsigned s, unsigned p) {
  (void)s, (void)p;
  return 0;
}
static unsigned one(unsigned s, unsigned p) {
  (void)s, (void)p;
  return 1;
}
static unsigned all_p(unsigned s, unsigned p) {
  (void)s;
  return p;
}
static unsigned half(unsigned s) { return s <= 2 ? s : s / 2; }
static unsigned whole(unsigned s) { return s; }
static unsigned single(unsigned s) {
  (void)s;
  return 1;
}
static bool always(unsigned t, unsigned s, unsigned p) {
  (void)t, (void)s, (void)p;
  return true;
}
static bool window(unsigned t, unsigned s, unsigned p) { return t >= s && t % p == 0; }
static bool aligned(unsigned t, unsigned s, unsigned p) {
  (void)p;
  return t >= s;
}
static unsigned drain_one(unsigned n, unsigned s, unsigned p) {
  (void)n, (void)s, (void)p;
  return 1;
}
static unsigned drain_p(unsigned n, unsigned s, unsigned p) {
  (void)n, (void)s;
  return p;
}
static unsigned drain_left(unsigned n, unsigned s, unsigned p) {
  unsigned waits = 0;
  for (unsigned t = 0; t < n; t++) waits += window(t, s, p);
  return n / p > waits ? n / p - waits : 0;
}
static unsigned drain_exact(unsigned n, unsigned s, unsigned p) {
  (void)p;
  return n < s ? n : s;
}

static const struct rules table[] = {
    {"exact", zero, single, aligned, false, drain_exact}, {"apr", one, single, always, true, drain_one},
    {"tmpipe", one, single, always, true, drain_one},     {"may-jul", zero, whole, window, false, drain_left},
    {"a2a3-head", zero, half, window, false, drain_left}, {"a5-head", all_p, half, window, false, drain_p},
    {"fixed-drain", zero, half, window, false, drain_p},
};

enum {
  SAFE = 0,
  OVERWRITE = 1 << PTO_FIND_OVERWRITE,
  LEAK = 1 << PTO_FIND_LEAK,
  DEADLOCK = 1 << PTO_FIND_DEADLOCK,
  OVERFLOW15 = 1 << PTO_FIND_OVERFLOW
};

struct counters {
  unsigned ready, credits, pushed, popped, found;
};

static void add(struct counters *c, unsigned *counter) {
  if (*counter == 15) c->found |= OVERFLOW15;
  else ++*counter;
}

static bool pop_one(const struct rules *r, struct counters *c, unsigned n, unsigned p) {
  if (c->popped == n || !c->ready) return false;
  c->ready--;
  if (r->every_notify || (c->popped + 1) % p == 0) add(c, &c->credits);
  c->popped++;
  return true;
}

static unsigned model(const struct rules *r, unsigned s, unsigned n, bool consumer_late) {
  unsigned p = r->period(s);
  struct counters c = {.credits = 0};
  for (unsigned i = 0; i < r->initial(s, p); i++) add(&c, &c.credits);
  while (c.pushed < n) {
    if (!consumer_late)
      while (pop_one(r, &c, n, p)) {}
    if (r->waits(c.pushed, s, p)) {
      while (!c.credits)
        if (!pop_one(r, &c, n, p)) return c.found | DEADLOCK;
      c.credits--;
    }
    if (c.pushed >= s && c.popped <= c.pushed - s) c.found |= OVERWRITE;
    c.pushed++;
    add(&c, &c.ready);
  }
  for (unsigned left = r->drain(n, s, p); left; left--) {
    while (!c.credits)
      if (!pop_one(r, &c, n, p)) return c.found | DEADLOCK;
    c.credits--;
  }
  while (pop_one(r, &c, n, p)) {}
  if (c.popped < n) return c.found | DEADLOCK;
  if (c.credits || c.ready) c.found |= LEAK;
  return c.found;
}

static unsigned explored(const char *arch, const char *policy, const char *dir, const char *lanes, unsigned s, unsigned n,
                         unsigned schedules) {
  struct pto_program *program = util_program(STREAM, arch, policy, 1u, dir, s, n, lanes, dir, s, n);
  struct pto_explore_result result;
  assert_true(pto_explore(program, &(struct pto_explore_options){.schedules = schedules, .policy = -1, .keep_going = true},
                          &result));
  pto_program_free(program);
  return result.kinds & (OVERWRITE | LEAK | DEADLOCK | OVERFLOW15);
}

/* SlotNum 1..16, 1..64 tiles, every policy: the verdicts of the model. */
static void every_policy_gets_its_verdict(void **state) {
  (void)state;
  unsigned compared = 0, step = util_scale(100) >= 100 ? 1 : 7;
  for (unsigned k = 0; k < sizeof table / sizeof table[0]; k++)
    for (unsigned s = 1; s <= 16; s++)
      for (unsigned n = 1; n <= 64; n += step) {
        unsigned expected = model(&table[k], s, n, true) | model(&table[k], s, n, false);
        unsigned a3 = explored("a2a3", table[k].name, "C2V", "aiv", s, n, 7);
        if (a3 != expected) fail_msg("%s SlotNum %u, %u tiles: model 0x%x, machine 0x%x", table[k].name, s, n, expected, a3);
        compared++;
      }
  assert_true(compared > 600);
}

/* The verdicts of the table in docs/guide/pto.md, row by row. */
static void table_of_verdicts(void **state) {
  (void)state;
  static const unsigned safe_slots[] = {1, 2, 3, 4, 6, 8, 10, 12, 14};
  for (unsigned i = 0; i < sizeof safe_slots / sizeof safe_slots[0]; i++) {
    assert_int_equal(explored("a2a3", "a2a3-head", "C2V", "aiv", safe_slots[i], 40, 30), SAFE);
    assert_int_equal(explored("a2a3", "may-jul", "C2V", "aiv", safe_slots[i], 40, 30), SAFE);
  }
  for (unsigned s = 5; s <= 15; s += 2) assert_true(explored("a2a3", "a2a3-head", "C2V", "aiv", s, 40, 5) & OVERWRITE);
  for (unsigned s = 1; s <= 15; s++) {
    assert_int_equal(explored("a2a3", "exact", "C2V", "aiv", s, 40, 30), SAFE);
    assert_int_equal(explored("a2a3", "apr", "C2V", "aiv", s, 40, 5), SAFE);
    assert_true(explored("a2a3", "a5-head", "C2V", "aiv", s, s + 1, 5) & OVERWRITE); /* once N > SlotNum */
  }
  /* 40 tiles leave 1, 1 and 2 credits, the fixed drain takes 2, 3 and 4 (#248 is the last) */
  for (unsigned s = 2; s <= 8; s += s == 2 ? 4 : 2)
    assert_int_equal(explored("a2a3", "fixed-drain", "C2V", "aiv", s, 40, 5), DEADLOCK);
  assert_true(explored("a2a3", "exact", "C2V", "aiv", 16, 40, 5) & OVERFLOW15);
  for (unsigned s = 1; s <= 8; s++) assert_int_equal(explored("a2a3", "per-slot", "C2V", "aiv", s, 40, 30), SAFE);
}

/* A5, UB FIFO with TFREE: exact is safe, A5 HEAD races once the ring wraps. */
static void a5_local_verdicts(void **state) {
  (void)state;
  for (unsigned s = 1; s <= 15; s++) {
    assert_int_equal(explored("a5", "exact", "C2V", "aiv0", s, 40, 30), SAFE);
    assert_true(explored("a5", "a5-head", "C2V", "aiv0", s, s + 1, 30) & OVERWRITE);
  }
  for (unsigned s = 1; s <= 8; s++) assert_int_equal(explored("a5", "per-slot", "C2V", "aiv0", s, 40, 30), SAFE);
}

/* A5 HEAD, SlotNum 8, 40 tiles: 4 + 10 - 8 - 4 = 2 credits stay in each dispatch. After six there are 12, and the 4 that the next
 * construction gives make 16: over 15 at dispatch 7, one dispatch before the remaining credits alone would exceed it. */
static void leaks_cross_dispatches(void **state) {
  (void)state;
  struct pto_program *program = util_program(STREAM, "a2a3", "a5-head", 9u, "C2V", 8u, 40u, "aiv", "C2V", 8u, 40u);
  struct pto_machine *m = pto_machine_new(program, false);
  pto_machine_run(m, 100000000);
  unsigned overflow = UINT32_MAX, leak = UINT32_MAX;
  for (uint32_t i = 0; i < m->finding_count; i++) {
    bool happens = m->findings[i].detail != PTO_UNORDERED; /* not: under another schedule */
    if (m->findings[i].kind == PTO_FIND_OVERFLOW && happens && m->findings[i].dispatch < overflow)
      overflow = m->findings[i].dispatch;
    if (m->findings[i].kind == PTO_FIND_LEAK && m->findings[i].dispatch < leak) leak = m->findings[i].dispatch;
  }
  assert_int_equal(leak, 0);
  assert_int_equal(overflow + 1, 7);
  pto_machine_free(m);
  pto_program_free(program);
}

/* --- cycles per tile by depth and period --- */

#define STAGES \
  "module attributes {pto.target_arch = \"a2a3\", pto.policy = \"%s\"} {\n" \
  "func.func @c() attributes {pto.core = \"aic\"} {\n" \
  "  %%p = pto.tpipe {sync_period = %u} : !pto.tpipe<0, C2V, 1024, %u, 2>\n" \
  "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n" \
  "  scf.for %%i = 0 to %u step 1 {\n" \
  "    %%g = pto.talloc %%p : (!pto.tpipe<...>) -> !pto.tensor_view<16x16xf32>\n" \
  "    pto.tstore ins(%%t : !pto.tile_buf<acc, f32, 16, 16>) outs(%%g : !pto.tensor_view<16x16xf32>) {cost = 10000}\n" \
  "    pto.tpush %%g, %%p : (!pto.tensor_view<16x16xf32>, !pto.tpipe<...>)\n  }\n}\n" \
  "func.func @v() attributes {pto.core = \"aiv\"} {\n" \
  "  %%p = pto.tpipe {sync_period = %u} : !pto.tpipe<0, C2V, 1024, %u, 2>\n" \
  "  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n" \
  "  scf.for %%i = 0 to %u step 1 {\n" \
  "    %%g = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tensor_view<16x16xf32>\n" \
  "    pto.tload ins(%%g : !pto.tensor_view<16x16xf32>) outs(%%t : !pto.tile_buf<vec, f32, 16, 16>) {cost = 10000}\n" \
  "    pto.tfree %%g, %%p : (!pto.tensor_view<16x16xf32>, !pto.tpipe<...>)\n  }\n}\n}\n"

static sim_time stage_time(const char *policy, unsigned s, unsigned p, unsigned n) {
  struct pto_program *program = util_program(STAGES, policy, p, s, n, p, s, n);
  struct pto_machine *m = pto_machine_new(program, false);
  enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 40);
  util_expect_clean(m, end);
  sim_time now = m->engine.now;
  pto_machine_free(m);
  pto_program_free(program);
  return now;
}

static void time_per_tile(void **state) {
  (void)state;
  static const struct {
    const char *policy;
    unsigned s, p;
    double expected;
  } rows[] = {{"exact", 8, 1, 1.0},     {"exact", 8, 4, 1.0},     {"exact", 8, 8, 1.125},   {"exact", 4, 2, 1.0},
              {"exact", 4, 4, 1.25},    {"exact", 3, 1, 1.0},     {"exact", 2, 1, 1.0},     {"exact", 2, 2, 1.5},
              {"exact", 1, 1, 2.0},     {"a2a3-head", 8, 0, 1.0}, {"a2a3-head", 4, 0, 1.0}, {"a2a3-head", 2, 0, 1.5},
              {"a2a3-head", 3, 0, 1.0}, {"may-jul", 8, 0, 1.125}, {"apr", 1, 0, 2.0},       {"apr", 4, 0, 2.0},
              {"apr", 8, 0, 2.0}};
  for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    double stage = 10000.0;
    double measured = (double)(stage_time(rows[i].policy, rows[i].s, rows[i].p, 264) -
                               stage_time(rows[i].policy, rows[i].s, rows[i].p, 64)) /
                      200.0 / stage;
    if (measured < rows[i].expected * 0.98 || measured > rows[i].expected * 1.02)
      fail_msg("%s S%uP%u: %.4f per tile, table says %.3f", rows[i].policy, rows[i].s, rows[i].p, measured,
               rows[i].expected);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_policy_gets_its_verdict),
      cmocka_unit_test(table_of_verdicts),
      cmocka_unit_test(a5_local_verdicts),
      cmocka_unit_test(leaks_cross_dispatches),
      cmocka_unit_test(time_per_tile),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
