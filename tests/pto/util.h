/* Common code of the tests of the PTO machine: programs from text, runs, expected words. */
#ifndef TESSERA_TESTS_PTO_UTIL_H
#define TESSERA_TESTS_PTO_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "pto/ir/parse.h"
#include "pto/program/place.h"
#include "pto/program/regions.h"
#include "pto/runtime/explain.h"
#include "pto/runtime/explore.h"
#include "pto/runtime/machine.h"
#include "same.h"

static char util_text[1 << 20];

__attribute__((unused)) static unsigned util_scale(unsigned count) {
  const char *percent = getenv("TESSERA_TEST_SCALE");
  unsigned long scaled = (unsigned long)count * (percent ? strtoul(percent, NULL, 10) : 100ul) / 100ul;
  return scaled ? (unsigned)scaled : 1u;
}

__attribute__((unused)) static struct pto_program *util_parse(const char *text) {
  struct pto_ir_error error;
  struct pto_program *program = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  if (!program) {
    char words[1024];
    pto_ir_error_text(&error, "test", text, strlen(text), words, sizeof words);
    fail_msg("%s", words);
  }
  return program;
}

/* Appends to a text in an array of `size`; a text that is too long fails the test. */
__attribute__((unused)) static void util_append(char *text, size_t size, const char *more) {
  size_t used = strlen(text), length = strlen(more);
  if (length >= size - used) fail_msg("the text is too long");
  memcpy(text + used, more, length + 1);
}

/* printf-style source */
__attribute__((unused, format(printf, 1, 2))) static struct pto_program *util_program(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(util_text, sizeof util_text, format, args);
  va_end(args);
  return util_parse(util_text);
}

__attribute__((unused)) static char *util_read(const char *path) {
  const char *root = getenv("TESSERA_ROOT");
  char full[512];
  snprintf(full, sizeof full, "%s%s%s", root ? root : "", root ? "/" : "", path);
  FILE *file = fopen(full, "rb");
  if (!file) fail_msg("cannot open %s", full);
  size_t length = fread(util_text, 1, sizeof util_text - 1, file);
  fclose(file);
  util_text[length] = '\0';
  return util_text;
}

__attribute__((unused)) static int util_global(const struct pto_program *p, const char *name) {
  for (uint32_t i = 0; i < p->global_count; i++)
    if (strcmp(p->globals[i].name, name) == 0) return (int)i;
  fail_msg("no global %s", name);
  return -1;
}

__attribute__((unused)) static double util_get(const struct pto_machine *m, const char *name, size_t index) {
  const struct pto_global *g = &m->program->globals[util_global(m->program, name)];
  return pto_dtype_load(g->dtype, pto_gm_at(m, g->addr) + index * pto_dtype_bytes(g->dtype));
}

__attribute__((unused)) static void util_put(struct pto_machine *m, const char *name, size_t index, double value) {
  const struct pto_global *g = &m->program->globals[util_global(m->program, name)];
  pto_dtype_store(g->dtype, pto_gm_at(m, g->addr) + index * pto_dtype_bytes(g->dtype), value);
}

/* Fails and prints all of the machine's messages. */
__attribute__((unused)) static void util_expect_clean(const struct pto_machine *m, enum pto_end_kind end) {
  char words[4096];
  if (m->fault.kind) fail_msg("fault: %s", m->fault.why);
  if (m->finding_count) {
    pto_explain_finding(m, &m->findings[0], words, sizeof words);
    fail_msg("%s", words);
  }
  if (end == PTO_DEADLOCKED) {
    pto_explain_deadlock(m, words, sizeof words);
    fail_msg("%s", words);
  }
  assert_int_equal(end, PTO_RAN);
}

__attribute__((unused)) static bool util_found(const struct pto_machine *m, unsigned kind) {
  return m->finding_total[kind] > 0;
}

__attribute__((unused)) static void util_assert_words(const char *text, const char *words) {
  if (!strstr(text, words)) fail_msg("no \"%s\" in:\n%s", words, text);
}

#endif
