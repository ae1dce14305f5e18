/* check, run and explore agree on generated programs: no error of check on a program that 200 schedules prove safe, no hazard in a
 * run that check calls clean of the kinds it checks. Programs vary in profile, policy, direction, depth, slot size, split, places of
 * tiles and slots, flags, counts, TFREE and statuses; most parts are correct in most programs. `make soak` runs 10000 programs; a
 * test run does a hundredth of them. */
#include "pto/runtime/verdict.h"
#include "pto/util.h"

#define SCHEDULES 200u
#define TEXT_MAX 16384u

static uint64_t seed;
static unsigned pick(unsigned below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % below;
}
static bool rarely(void) { return pick(12) == 0; }

static char text[TEXT_MAX];
static size_t used;
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(text + used, sizeof text - used, format, args);
  va_end(args);
  assert_true(n >= 0 && (size_t)n < sizeof text - used);
  used += (size_t)n;
}

/* The intended parameters of one pipe, and the seeded mistakes. */
struct plan {
  bool a5, both, up, gm; /* up: V2C */
  unsigned flag, slots, size, tiles, down_split, up_split;
  unsigned ring_at; /* consumers' buffer; ~0u: anywhere */
};

static const char *const splits[] = {"NO_SPLIT", "UP_DOWN", "LEFT_RIGHT"};

static const char *dir_name(const struct plan *p) {
  if (p->both) return p->gm ? "BOTH_GM" : "BOTH";
  return p->up ? p->gm ? "V2C_GM" : "V2C" : p->gm ? "C2V_GM" : "C2V";
}

static void say_pipe(const struct plan *p, unsigned n) {
  unsigned slots = rarely() && rarely() ? p->slots + 1 : p->slots;
  say("    %%p%u = pto.tpipe (", n);
  if (p->ring_at != ~0u) say("c2v_consumer_buf = %u, v2c_consumer_buf = %u", p->ring_at, p->ring_at);
  else say("gm_slot_buffer = %u", 0x40000 * (n + 1));
  say(") : !pto.tpipe<%u, %s, %u, %u, 2>\n", p->flag, dir_name(p), p->size, slots);
}

static unsigned part(unsigned split, unsigned which, unsigned whole) { return split == which ? whole / 2 : whole; }

static void say_push(const char *tile, unsigned n, unsigned split, unsigned rows, unsigned cols) {
  say("      pto.tpush %%%s, %%p%u {split = \"%s\"} : (!pto.tile<f32, %u, %u>, !pto.tpipe<...>)\n", tile, n, splits[split],
      rows, cols);
}

static void say_pop(const char *tile, unsigned n, unsigned split, const char *loc, unsigned rows, unsigned cols) {
  say("      %%%s = pto.tpop %%p%u {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<%s, f32, %u, %u>\n", tile, n,
      splits[split], loc, rows, cols);
}

static void say_frees(const struct plan *p, unsigned n, unsigned split) {
  unsigned count = p->a5 && !p->gm ? 1 : 0;
  if (rarely() && rarely()) count = pick(3);
  for (unsigned i = 0; i < count; i++) say("      pto.tfree %%p%u {split = \"%s\"} : !pto.tpipe<...>\n", n, splits[split]);
}

static void say_status(unsigned n) {
  static const char *const names[] = {"allocate", "record", "wait", "free"};
  if (rarely() && rarely()) say("    pto.set_%s_status %%p%u, false\n", names[pick(4)], n);
}

static void cube(const struct plan *p, unsigned n) {
  unsigned tiles = rarely() && rarely() ? p->tiles + pick(2) : p->tiles,
           split = rarely() && rarely() ? pick(3) : p->down_split;
  say_status(n);
  say("    scf.for %%i%u = 0 to %u step 1 {\n", n, tiles);
  if (pick(2)) say("      pto.compute {unit = \"M\", cost = %u}\n", 1 + pick(600));
  bool first = pick(2); /* BOTH: push before pop, or pop first, which hangs when the Vectors do so too */
  if (p->both && first) say_push("acc", n, split, 16, 16);
  if (p->up || p->both) {
    say_pop("m", n, p->up_split, "mat", 16, 16);
    if (pick(2)) say("      %%l = pto.tmov %%m : (!pto.tile<f32, 16, 16>) -> !pto.tile<left, f32, 16, 16>\n");
    say_frees(p, n, p->up_split);
  }
  if ((!p->up && !p->both) || (p->both && !first)) say_push("acc", n, split, 16, 16);
  say("    }\n");
}

static void vector(const struct plan *p, unsigned n) {
  unsigned down_rows = part(p->down_split, 1, 16), down_cols = part(p->down_split, 2, 16);
  unsigned up_rows = part(p->up_split, 1, 16), up_cols = part(p->up_split, 2, 16);
  /* A5 without split reaches lane 0 alone */
  bool lane0 = p->a5 && ((p->up || p->both) ? p->up_split : p->down_split) == 0 && !rarely();
  if (lane0)
    say("    %%lane%u = pto.get_subblock_idx : index\n    %%zero%u = arith.cmpi eq, %%lane%u, 0 : index\n    scf.if "
        "%%zero%u {\n",
        n, n, n, n);
  say_status(n);
  say("    scf.for %%i%u = 0 to %u step 1 {\n", n, p->tiles);
  if (pick(2)) say("      pto.compute {unit = \"V\", cost = %u}\n", 1 + pick(600));
  if (p->up || p->both) say_push("v", n, p->up_split, up_rows, up_cols);
  if (!p->up || p->both) {
    say_pop("x", n, p->down_split, "vec", down_rows, down_cols);
    if (pick(2))
      say("      %%y = pto.tadds %%x, 1.0 : (!pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, %u, %u>\n", down_rows, down_cols);
    say_frees(p, n, p->down_split);
  }
  say("    }\n");
  if (lane0) say("    }\n");
}

/* A tile at a random address, used before the pipes, after them, or in between; it may overlap the ring. */
static void say_scratch(const char *name, unsigned at, unsigned when, unsigned moment) {
  if (moment == 0) say("    %%%s = pto.alloc_tile {addr = %u} : !pto.tile_buf<vec, f32, 16, 16>\n", name, at);
  if (moment == 0 && when == 3) return;
  if (moment == when || when == 3)
    say("    %%%s%u = pto.texpands 2.0 : (f32) -> !pto.tile<vec, f32, 16, 16>\n"
        "    pto.tadd ins(%%%s%u, %%%s%u : !pto.tile_buf<f32, 16, 16>) outs(%%%s : !pto.tile_buf<f32, 16, 16>)\n",
        name, moment, name, moment, name, moment, name);
}

static void generate(void) {
  static const char *const policies[] = {"exact",     "exact",   "exact",       "apr",      "may-jul", "a2a3-head",
                                         "a2a3-head", "a5-head", "fixed-drain", "per-slot", "cpu-sim", "tmpipe"};
  static const unsigned depths[] = {1, 2, 2, 3, 4, 4, 5, 6, 8, 16};
  bool a5 = pick(2);
  unsigned pipes = 1 + (pick(4) == 0), scratch_at = pick(3) * 4096, scratch_when = pick(4);
  bool scratch = pick(3) == 0;
  struct plan plan[2];
  used = 0;
  say("module attributes {pto.target_arch = \"%s\", pto.policy = \"%s\"%s} {\n", a5 ? "a5" : "a2a3",
      policies[pick(sizeof policies / sizeof *policies)], rarely() ? ", pto.dispatches = 2" : "");
  for (unsigned n = 0; n < pipes; n++) {
    struct plan *p = &plan[n];
    p->a5 = a5;
    p->both = pick(4) == 0;
    p->up = !p->both && pick(2);
    p->gm = a5 && pick(4) == 0;
    p->flag = rarely() ? n : 4 * n;
    p->slots = depths[pick(10)];
    p->size = rarely() && rarely() ? 512 : 1024;
    p->tiles = 1 + pick(rarely() ? 30 : 12);
    p->down_split = pick(3);
    p->up_split = p->both ? p->down_split : pick(3);
    p->ring_at = pick(2) ? ~0u : n * 0x8000;
  }
  say("  func.func @cube() attributes {pto.core = \"aic\"} {\n    %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, "
      "16>\n");
  for (unsigned n = 0; n < pipes; n++) say_pipe(&plan[n], n);
  for (unsigned n = 0; n < pipes; n++) cube(&plan[n], n);
  say("  }\n  func.func @vec() attributes {pto.core = \"%s\"} {\n", rarely() && rarely() ? "aiv0" : "aiv");
  say("    %%v = pto.alloc_tile : !pto.tile_buf<vec, f32, %u, %u>\n", part(plan[0].up_split, 1, 16),
      part(plan[0].up_split, 2, 16));
  if (scratch) say_scratch("s", scratch_at, scratch_when, 0);
  for (unsigned n = 0; n < pipes; n++) say_pipe(&plan[n], n);
  for (unsigned n = 0; n < pipes; n++) vector(&plan[n], n);
  if (scratch) say_scratch("s", scratch_at, scratch_when, 1);
  say("  }\n}\n");
}

static bool notes_name(const struct pto_notes *notes, unsigned rule, uint32_t line) {
  for (uint32_t i = 0; i < notes->count; i++)
    if (notes->notes[i].rule == rule && notes->notes[i].line == line) return true;
  return false;
}

struct tally {
  unsigned parsed, safe, broken, errors, warned_safe, hazards;
};

/* Every finding of a run is one of check, with its line: an error, or a note if it is the consequence of another. */
static void compare_run(const struct pto_machine *m, const struct pto_notes *notes, struct tally *tally) {
  for (uint32_t i = 0; i < m->finding_count; i++) {
    const struct pto_finding *f = &m->findings[i];
    if (!pto_finding_is_hazard(f->kind)) continue;
    tally->hazards++;
    if (!notes_name(notes, PTO_RULES + f->kind, f->line))
      fail_msg("run finds %s at line %u, check has nothing about it:\n%s", pto_finding_name(f->kind), f->line, text);
  }
}

static void agree(unsigned number, struct tally *tally) {
  static struct pto_notes notes;
  static struct pto_explore_result r;
  seed = number * UINT64_C(0x9e3779b97f4a7c15) + 1;
  generate();
  struct pto_ir_error error;
  struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  if (!p) return;
  tally->parsed++;
  assert_true(pto_verdict(&(struct pto_subject){(const struct pto_program *const[]){p}, 1, 1}, -1, &notes));
  uint32_t listed[3] = {0};
  for (uint32_t i = 0; i < notes.count; i++) listed[notes.notes[i].severity]++;
  assert_int_equal(listed[SIM_ERROR], notes.errors);
  assert_int_equal(listed[SIM_WARNING], notes.warnings);
  assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = SCHEDULES, .policy = -1}, &r));
  if (notes.errors && !r.broken)
    for (uint32_t i = 0; i < notes.count; i++)
      if (notes.notes[i].severity == SIM_ERROR)
        fail_msg("program %u: check: line %u: %s\nbut %u schedules prove it safe:\n%s", number, notes.notes[i].line,
                 notes.notes[i].text, r.runs, text);
  struct pto_machine *m = pto_machine_new(p, false);
  assert_non_null(m);
  enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 40);
  if (end == PTO_DEADLOCKED || end == PTO_FAULTED) assert_true(r.broken);
  for (unsigned kind = 1; kind < PTO_FIND_KINDS; kind++)
    if (m->finding_total[kind]) assert_true(r.broken); /* the run without delays is explore's first */
  compare_run(m, &notes, tally);
  bool run_fails = end == PTO_DEADLOCKED || end == PTO_FAULTED, explore_fails = r.broken && r.finding.kind != PTO_FIND_LEAK;
  for (uint32_t i = 0; i < m->finding_count; i++) run_fails = run_fails || pto_finding_is_hazard(m->findings[i].kind);
  if (run_fails != (notes.errors != 0) || run_fails != explore_fails)
    fail_msg("program %u: run %s, check has %u errors, explore %s (%s):\n%s", number, run_fails ? "fails" : "is good",
             notes.errors, explore_fails ? "fails" : "is good", r.text, text);
  tally->errors += notes.errors != 0;
  tally->safe += !r.broken;
  tally->broken += r.broken != 0;
  tally->warned_safe += !r.broken && notes.warnings;
  pto_machine_free(m);
  pto_program_free(p);
}

static void verdicts_agree(void **state) {
  (void)state;
  struct tally tally = {0};
  unsigned count = util_scale(100);
  for (unsigned n = 0; n < count; n++) agree(n, &tally);
  print_message("%u programs: %u parsed, %u safe (%u of them with warnings), %u broken, %u with errors of check, %u kinds "
                "of hazards met\n",
                count, tally.parsed, tally.safe, tally.warned_safe, tally.broken, tally.errors, tally.hazards);
  assert_true(tally.parsed * 10 >= count * 8);
  if (count >= 20) assert_true(tally.safe * 5 >= tally.parsed && tally.broken * 10 >= tally.parsed); /* both sides are met */
}

/* Tiles that share bytes with slots: an error in check and in run only if both are in use at the same time. */
static void bytes_at_different_times(void **state) {
  (void)state;
  static const char *const source =
      "module attributes {pto.target_arch = \"a5\"} {\n"
      "  func.func @cube() attributes {pto.core = \"aic\"} {\n"
      "    %%p = pto.tpipe (c2v_consumer_buf = 0) : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "    %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "    scf.for %%i = 0 to 4 step 1 {\n"
      "      pto.tpush %%acc, %%p {split = \"UP_DOWN\"} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n"
      "    }\n  }\n"
      "  func.func @vec() attributes {pto.core = \"aiv\"} {\n"
      "    %%p = pto.tpipe (c2v_consumer_buf = 0) : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
      "    %%t = pto.alloc_tile {addr = 512} : !pto.tile_buf<vec, f32, 8, 16>\n"
      "    scf.for %%i = 0 to 4 step 1 {\n"
      "      %%x = pto.tpop %%p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 8, 16>\n"
      "%s      pto.tfree %%p {split = \"UP_DOWN\"} : !pto.tpipe<...>\n"
      "    }\n%s  }\n}\n";
  static const char *const use =
      "      %o = pto.texpands 2.0 : (f32) -> !pto.tile<vec, f32, 8, 16>\n"
      "      pto.tadd ins(%o, %o : !pto.tile_buf<f32, 8, 16>) outs(%t : !pto.tile_buf<f32, 8, 16>)\n";
  for (unsigned inside = 0; inside < 2; inside++) {
    struct pto_notes *notes = calloc(1, sizeof *notes);
    struct pto_program *p = util_program(source, inside ? use : "", inside ? "" : use);
    struct pto_explore_result r;
    assert_true(pto_verdict(&(struct pto_subject){(const struct pto_program *const[]){p}, 1, 1}, -1, notes));
    assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = 200, .policy = -1}, &r));
    assert_int_equal(notes->errors != 0, inside);
    assert_int_equal(r.broken != 0, inside);
    if (!inside) assert_int_equal(notes->warnings, 1);
    free(notes);
    pto_program_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(verdicts_agree), cmocka_unit_test(bytes_at_different_times)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
