/* The C API's views of a program and of a run, on the examples: tensors, notes, exploration, sweep, events, exit codes. Figures are those
 * of the programs' own text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tessera/pto.h"

static char source_text[1 << 16];

static struct tessera_pto_source read_source(const char *path) {
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  size_t length = fread(source_text, 1, sizeof source_text - 1, file);
  fclose(file);
  source_text[length] = '\0';
  return (struct tessera_pto_source){.name = path, .text = source_text, .length = length};
}

static struct tessera_pto_program *parse(const char *path) {
  char error[512];
  struct tessera_pto_source source = read_source(path);
  struct tessera_pto_program *program = tessera_pto_parse_source(&source, error, sizeof error);
  assert_non_null(program);
  assert_string_equal(error, "");
  return program;
}

static void errors_begin_with_the_name(void **state) {
  (void)state;
  char error[512];
  struct tessera_pto_source source = {.name = "mine.pto", .text = "module {\n  what\n}\n", .length = 17};
  assert_null(tessera_pto_parse_source(&source, error, sizeof error));
  assert_int_equal(strncmp(error, "mine.pto:2:", 11), 0);
  source.profile = "a9";
  assert_null(tessera_pto_parse_source(&source, error, sizeof error));
  assert_string_equal(error, "no profile a9");
  assert_null(tessera_pto_parse_source(NULL, error, sizeof error));
  assert_string_equal(tessera_pto_profile_name(0), "a2a3");
  assert_string_equal(tessera_pto_profile_name(2), "");
  assert_string_equal(tessera_pto_policy_name(0), "exact");
}

static void tensors_of_pattern1(void **state) {
  (void)state;
  struct tessera_pto_program *program = parse("examples/pto/pattern1.pto");
  struct tessera_pto_tensor t;
  assert_int_equal(tessera_pto_tensor_count(program), 3);
  assert_int_equal(tessera_pto_tensor(program, 0, &t), 0);
  assert_string_equal(t.name, "A");
  assert_string_equal(t.file, "");
  assert_true(t.rank == 2 && t.shape[0] == 64 && t.shape[1] == 32 && t.elements == 64 * 32 && t.bytes == 64 * 32 * 2);
  assert_string_equal(tessera_pto_dtype_name(t.dtype), "f16");
  assert_int_equal(tessera_pto_dtype_bytes(t.dtype), 2);
  assert_int_equal(tessera_pto_dtype_bytes((enum tessera_pto_dtype)99), 0);
  assert_int_equal(tessera_pto_tensor(program, 3, &t), -1);
  assert_int_equal(tessera_pto_tensor(program, -1, &t), -1);
  tessera_pto_destroy(program);
}

struct seen {
  unsigned pushes, occupancies;
  uint64_t last_end;
};

static void see(void *context, const struct tessera_pto_event *e) {
  struct seen *s = context;
  assert_true(e->begin <= e->end && e->end >= s->last_end);
  s->last_end = e->end;
  if (e->kind == TESSERA_PTO_EVENT_OCCUPANCY) {
    s->occupancies++;
    assert_string_equal(e->direction, "C2V");
    assert_true(e->slots <= 4);
    return;
  }
  assert_true(e->core < TESSERA_PTO_CORES && e->unit < TESSERA_PTO_ALL_UNITS && e->line > 0);
  s->pushes += strcmp(e->operation, "tpush") == 0;
}

static void events_and_code_of_a_good_run(void **state) {
  (void)state;
  struct tessera_pto_program *program = parse("examples/pto/pattern1.pto");
  for (unsigned without = 0; without < 2; without++) {
    struct seen seen = {0};
    double value;
    struct tessera_pto_machine *m =
        without ? tessera_pto_start_without_data(program, NULL) : tessera_pto_start(program, NULL);
    assert_non_null(m);
    assert_int_equal(tessera_pto_set_hook(m, see, &seen), TESSERA_PTO_OK);
    assert_int_equal(tessera_pto_run(m, 1000000), TESSERA_PTO_RAN);
    assert_int_equal(tessera_pto_exit_code(m), 0);
    assert_int_equal(seen.pushes, 1);
    assert_int_equal(seen.occupancies, 2); /* pushed, freed */
    assert_true(seen.last_end <= tessera_pto_cycles(m));
    assert_non_null(strstr(tessera_pto_run_report(m, TESSERA_PTO_REPORT_JSON), "examples/pto/pattern1.pto"));
    assert_int_equal(tessera_pto_read(m, 2, &value, 1), without ? TESSERA_PTO_INVALID : TESSERA_PTO_OK);
    assert_int_equal(tessera_pto_set_hook(m, NULL, NULL), TESSERA_PTO_OK);
    assert_string_equal(tessera_pto_core_name(0), "AIC");
    assert_string_equal(tessera_pto_core_name(3), "?");
    assert_string_equal(tessera_pto_unit_name(TESSERA_PTO_MTE2), "MTE2");
    assert_true(tessera_pto_clock_mhz(m) > 0);
    tessera_pto_stop(m);
  }
  tessera_pto_destroy(program);
}

struct kept {
  char *text;
  size_t size;
};

static int keep(void *context, const void *bytes, size_t size) {
  struct kept *k = context;
  k->text = realloc(k->text, k->size + size + 1);
  assert_non_null(k->text);
  memcpy(k->text + k->size, bytes, size);
  k->size += size;
  k->text[k->size] = '\0';
  return 0;
}

static int refuse(void *context, const void *bytes, size_t size) {
  (void)context, (void)bytes, (void)size;
  return 1;
}

/* The trace of eight blocks as the API gives it: in the order of time over all of them. */
static void a_trace_is_in_the_order_of_time(void **state) {
  (void)state;
  struct tessera_pto_program *program = parse("examples/pto/attention.pto");
  for (unsigned format = TESSERA_PTO_TRACE_TEXT; format <= TESSERA_PTO_TRACE_CHROME; format += TESSERA_PTO_TRACE_CHROME) {
    struct kept kept = {0};
    unsigned count = 0, turns = 0;
    unsigned long long last = 0, last_block = 0;
    struct tessera_pto_machine *m = tessera_pto_start_grid(&program, 1, 8, NULL);
    assert_non_null(m);
    assert_int_equal(tessera_pto_trace(m, (enum tessera_pto_trace_format)format, keep, &kept), TESSERA_PTO_OK);
    assert_int_equal(tessera_pto_trace_range(m, 1, 2), TESSERA_PTO_INVALID); /* it has begun */
    assert_int_equal(tessera_pto_trace_scratch(m, "x"), TESSERA_PTO_INVALID);
    tessera_pto_run(m, 1000000);
    assert_int_equal(tessera_pto_trace_end(m), TESSERA_PTO_OK);
    assert_int_equal(tessera_pto_trace_end(m), TESSERA_PTO_INVALID);
    for (const char *line = kept.text; line && *line; line = strchr(line, '\n'), line += line != NULL) {
      const char *end = strchr(line, '\n'), *time = format ? strstr(line, "\"ts\":") : line;
      const char *block = format ? strstr(line, "\"pid\":") : strstr(line, "block ");
      if (!end || !time || time > end || !block || block > end) continue;
      unsigned long long at = strtoull(time + (format ? 5 : 0), NULL, 10), of = strtoull(block + 6, NULL, 10);
      assert_true(at >= last);
      turns += of != last_block;
      last = at, last_block = of;
      count++;
    }
    assert_true(count > 1000 && turns > 100);
    assert_true(last <= tessera_pto_cycles(m));
    tessera_pto_stop(m);
    free(kept.text);
  }
  struct tessera_pto_machine *m = tessera_pto_start_grid(&program, 1, 2, NULL);
  assert_int_equal(tessera_pto_trace_range(m, 2, 1), TESSERA_PTO_INVALID);
  assert_int_equal(tessera_pto_trace_range(m, 0, 0), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_trace_scratch(m, "/nonexistent/x"), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_trace(m, TESSERA_PTO_TRACE_CHROME, keep, NULL), TESSERA_PTO_INVALID);
  assert_int_equal(tessera_pto_trace_scratch(m, NULL), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_trace(m, TESSERA_PTO_TRACE_CHROME, refuse, NULL), TESSERA_PTO_OK);
  tessera_pto_run(m, 1000000);
  assert_int_equal(tessera_pto_trace_end(m), TESSERA_PTO_INVALID); /* it could not be written */
  tessera_pto_stop(m);
  tessera_pto_destroy(program);
}

static void a_limit_is_code_6(void **state) {
  (void)state;
  struct tessera_pto_program *program = parse("examples/pto/pattern1.pto");
  struct tessera_pto_machine *m = tessera_pto_start(program, NULL);
  assert_int_equal(tessera_pto_run(m, 10), TESSERA_PTO_LIMIT);
  assert_int_equal(tessera_pto_exit_code(m), 6);
  tessera_pto_stop(m);
  tessera_pto_destroy(program);
}

static void notes_and_exploration(void **state) {
  (void)state;
  static struct tessera_pto_note notes[64];
  static struct tessera_pto_exploration found;
  const struct tessera_pto_explore_options options = {.schedules = 60};
  struct tessera_pto_program *program = parse("examples/pto/issue248.pto");
  int count = tessera_pto_notes(program, NULL, notes, 64), errors = 0;
  assert_true(count > 0 && count <= 64);
  for (int i = 0; i < count; i++) {
    errors += notes[i].severity == TESSERA_PTO_ERROR;
    assert_true(notes[i].line > 0 && notes[i].text[0] && notes[i].rule[0]);
  }
  assert_true(errors > 0);
  assert_int_equal(tessera_pto_check(program, NULL, 0), 1);
  assert_int_equal(tessera_pto_notes(program, NULL, NULL, 0), count);
  tessera_pto_destroy(program);

  program = parse("examples/pto/pattern3.pto");
  assert_int_equal(tessera_pto_explore_with(program, &options, &found), 1);
  assert_true(found.broken > 0 && found.kind != TESSERA_PTO_FOUND_NONE && found.text[0] && found.cycles > 0);
  assert_string_not_equal(tessera_pto_finding_name(found.kind), "?");
  tessera_pto_destroy(program);

  program = parse("examples/pto/pattern1.pto");
  assert_int_equal(tessera_pto_explore_with(program, &options, &found), 0);
  assert_true(found.broken == 0 && found.runs == 60);
  const struct tessera_pto_explore_options unknown = {.policy = "best"};
  assert_int_equal(tessera_pto_explore_with(program, &unknown, &found), -1);
  tessera_pto_destroy(program);
}

/* Two equal stages overlap from two slots on: docs/guide/pto.md. */
static void a_sweep_has_a_first_safe_depth(void **state) {
  (void)state;
  static struct tessera_pto_sweep_row rows[16];
  const struct tessera_pto_sweep_options options = {.depth_min = 1, .depth_max = 3, .period = 1, .schedules = 5};
  struct tessera_pto_program *program = parse("examples/pto/stages.pto");
  struct tessera_pto_note why;
  assert_int_equal(tessera_pto_sweep_refused(program, &options, &why), 0);
  int count = tessera_pto_sweep(&program, 1, &options, rows, 16);
  assert_int_equal(count, 3);
  uint32_t depth = tessera_pto_sweep_first_safe(rows, (size_t)count);
  double best = 0, at_depth = 0;
  for (int i = 0; i < count; i++) {
    double t = (double)rows[i].cycles / (double)rows[i].tiles;
    if (best == 0 || t < best) best = t;
    if (rows[i].depth == depth) at_depth = t;
  }
  assert_true(depth > 1 && at_depth > 0 && at_depth <= 1.02 * best);
  static char svg[1 << 16];
  size_t need = tessera_pto_sweep_svg(rows, (size_t)count, "title", svg, sizeof svg);
  assert_true(need > 0 && need < sizeof svg && strlen(svg) == need);
  assert_non_null(strstr(svg, "<svg"));
  assert_int_equal(tessera_pto_sweep_svg(NULL, 0, NULL, NULL, 0), 0);
  assert_int_equal(tessera_pto_sweep_first_safe(NULL, 3), 0);
  tessera_pto_destroy(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_begin_with_the_name),
      cmocka_unit_test(tensors_of_pattern1),
      cmocka_unit_test(events_and_code_of_a_good_run),
      cmocka_unit_test(a_trace_is_in_the_order_of_time),
      cmocka_unit_test(a_limit_is_code_6),
      cmocka_unit_test(notes_and_exploration),
      cmocka_unit_test(a_sweep_has_a_first_safe_depth),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
