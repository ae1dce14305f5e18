/* Sweep and the text of schedules: the table has the expected cycles per tile, the first safe depth is found, the plot is valid SVG. */
#include "pto/runtime/sweep.h"
#include "pto/util.h"

static struct pto_sweep sweep;

static const struct pto_sweep_row *row(uint32_t depth, uint32_t period) {
  for (uint32_t i = 0; i < sweep.count; i++)
    if (sweep.rows[i].depth == depth && sweep.rows[i].period == period) return &sweep.rows[i];
  fail_msg("no row %u/%u", depth, period);
  return NULL;
}

static void equal_stages(void **state) {
  (void)state;
  struct pto_program *p = util_parse(util_read("examples/pto/stages.pto"));
  assert_true(pto_sweep(p, &(struct pto_sweep_options){.depth_max = 8, .policy = -1}, &sweep));
  static const struct {
    uint32_t s, p;
    double t;
  } table[] = {{8, 1, 1}, {8, 4, 1}, {8, 8, 1.125}, {4, 2, 1}, {4, 4, 1.25}, {3, 1, 1}, {2, 1, 1}, {2, 2, 1.5}, {1, 1, 2}};
  for (unsigned i = 0; i < sizeof table / sizeof table[0]; i++) {
    const struct pto_sweep_row *r = row(table[i].s, table[i].p);
    double t = pto_sweep_time(r) / 1000;
    if (t < table[i].t * 0.98 || t > table[i].t * 1.02) fail_msg("S%uP%u: %.3f", table[i].s, table[i].p, t);
    assert_int_equal(r->kinds, 0);
    assert_int_equal(r->gm_bytes, 1024u * table[i].s);
    assert_int_equal(r->tiles, 128);
  }
  assert_int_equal(sweep.first_safe, 2);
  assert_int_equal(p->pipes[0].end[PTO_AIC].slot_num, 4); /* the program itself is unchanged */
  pto_program_free(p);
}

static void unsafe_depths_are_marked(void **state) {
  (void)state;
  struct pto_program *p = util_parse(util_read("examples/pto/stages.pto"));
  assert_true(pto_sweep(p, &(struct pto_sweep_options){.depth_min = 15, .depth_max = 16, .policy = -1}, &sweep));
  assert_int_equal(row(15, 1)->kinds, 0);
  assert_true(row(16, 1)->kinds & 1u << PTO_FIND_OVERFLOW);
  assert_int_equal(sweep.first_safe, 15);
  pto_program_free(p);
}

static void what_does_not_fit_is_said(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module attributes {pto.target_arch = \"a5\"} {\n"
      "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 65536, 2, 2>\n  "
      "%%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 128, 128>\n"
      "  pto.tpush %%t, %%p : (!pto.tile<f32, 128, 128>)\n}\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n  %%p = "
      "pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 65536, 2, 2>\n"
      "  %%u = pto.alloc_tile : !pto.tile_buf<vec, f32, 64, 128>\n  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> "
      "!pto.tile<vec, f32, 128, 128>\n  pto.trelu ins(%%u : !pto.tile_buf<f32, 1, 1>) outs(%%u : !pto.tile_buf<f32, 1, 1>)\n"
      "  pto.tfree %%p : !pto.tpipe<...>\n}\n}\n");
  assert_true(pto_sweep(p, &(struct pto_sweep_options){.depth_max = 6, .period = 1, .policy = -1}, &sweep));
  assert_true(row(3, 1)->fits); /* 3 * 64 KB and 32 KB in 256 KB */
  assert_false(row(4, 1)->fits);
  assert_int_equal(row(3, 1)->ub_bytes, 3 * 65536);
  pto_program_free(p);
}

static void the_plot(void **state) {
  (void)state;
  struct pto_program *p = util_parse(util_read("examples/pto/stages.pto"));
  static char svg[65536];
  assert_true(pto_sweep(p, &(struct pto_sweep_options){.depth_max = 4, .policy = -1}, &sweep));
  size_t need = pto_sweep_svg(&sweep, "a <b> & c", svg, sizeof svg);
  assert_int_equal(need, strlen(svg));
  util_assert_words(svg, "<svg xmlns=");
  util_assert_words(svg, "a &lt;b> &amp; c");
  unsigned circles = 0;
  for (const char *c = svg; (c = strstr(c, "<circle")); c++) circles++;
  assert_int_equal(circles, sweep.count);
  assert_string_equal(svg + need - 7, "</svg>\n");
  assert_int_equal(pto_sweep_svg(&sweep, "a <b> & c", svg, 10), need);
  assert_int_equal(strlen(svg), 9);
  pto_program_free(p);
}

/* Explore shrinks a schedule to its relevant steps and prints where they are. */
static void the_smallest_schedule(void **state) {
  (void)state;
  struct pto_program *p = util_program(
      "module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tpipe {policy = \"a2a3-head\"} : "
      "!pto.tpipe<0, C2V, 1024, 5, 2>\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  scf.for %%i = 0 to 12 step 1 {\n    pto.tpush %%t, %%p {cost = 500} : (!pto.tile<f32, 16, 16>)\n  }\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tpipe {policy = \"a2a3-head\"} : !pto.tpipe<0, C2V, "
      "1024, 5, 2>\n  scf.for %%i = 0 to 12 step 1 {\n"
      "    %%x = pto.tpop %%p {cost = 100} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  }\n}\n}\n");
  struct pto_explore_result r;
  assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = 500, .policy = -1}, &r));
  assert_int_equal(r.finding.kind, PTO_FIND_OVERWRITE);
  assert_true(r.first_run > 0); /* it runs correctly without delays: a plain run does not show the bug */
  assert_int_equal(r.schedule.count, 1);
  assert_int_not_equal(r.schedule.delays[0].item, PTO_EVERY_ITEM);
  assert_true(r.schedule.delays[0].cycles < 6000);
  util_assert_words(r.schedule_text, "delay AIV");
  util_assert_words(r.schedule_text, "(line ");
  util_assert_words(r.text, "writes tile 5 into slot 0");
  pto_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(equal_stages), cmocka_unit_test(unsafe_depths_are_marked),
                                     cmocka_unit_test(what_does_not_fit_is_said), cmocka_unit_test(the_plot),
                                     cmocka_unit_test(the_smallest_schedule)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
