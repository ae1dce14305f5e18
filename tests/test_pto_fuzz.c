/* Programs with a wrong number in them. For every number a run ends with a defined result; the sanitizers check that it accesses only its
 * own memory. */
#include "pto/program/check.h"
#include "pto/runtime/hang.h"
#include "pto/util.h"

#define LIMIT 60000u /* cycles: long enough to wrap the rings of the examples */

static const char *const examples[] = {"issue188", "issue226",     "issue248", "issue301", "issue521",
                                       "pattern1", "pattern1_ssa", "pattern2", "pattern3", "stages"};
static const char *const odd_values[] = {"0",     "1",         "2",          "3",          "5",      "7",  "15",  "16",
                                         "17",    "31",        "33",         "63",         "64",     "65", "255", "1000",
                                         "1023",  "4097",      "65535",      "0x20000",    "196608", "-1", "-64", "-4096",
                                         "65536", "0x1ffffff", "2147483648", "4294967295", "1e30",   "0.5"};

static uint64_t seed = 20250801;
static unsigned pick(unsigned below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (unsigned)(seed >> 33) % below;
}

static bool digit(char c) { return c >= '0' && c <= '9'; }
static bool of_word(char c) { return digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/* Where the n-th number of a text begins and ends; false: there are fewer. Digits inside a word count where they follow `x`,
 * as in 16x16xf32. */
static bool number(const char *text, unsigned n, size_t *begin, size_t *end) {
  bool comment = false;
  for (size_t i = 0; text[i]; i++) {
    if (text[i] == '\n') comment = false;
    if (text[i] == '/' && text[i + 1] == '/') comment = true;
    if (comment || !digit(text[i])) continue;
    bool first = i == 0 || !of_word(text[i - 1]) || (text[i - 1] == 'x' && i > 1 && digit(text[i - 2]));
    size_t stop = i;
    while (digit(text[stop])) stop++;
    if (text[stop] == 'x' && stop == i + 1 && text[i] == '0')
      for (stop++; of_word(text[stop]); stop++) {}
    if (first && n-- == 0) {
      *begin = i;
      *end = stop;
      return true;
    }
    i = stop - 1;
  }
  return false;
}

static unsigned ends[5], refused_by_parser;

/* Every hang has a cause: a wait that no agent can release and has a reason, or a closed chain. */
static void expect_cause(const struct pto_machine *m) {
  struct pto_hang h;
  char text[32768];
  unsigned lines = 0;
  pto_hang_find(m, &h);
  assert_in_range(h.chain_count, 1, h.waiter_count);
  assert_true(strlen(h.cause) < sizeof h.cause - 1);
  if (!h.deadlock) assert_true(!h.waiters[h.chain[0]].release && h.waiters[h.chain[0]].why[0]);
  for (uint32_t i = 0; i < h.chain_count; i++) {
    const struct pto_waiter *w = &h.waiters[h.chain[i]];
    assert_true(w->since <= h.cycle);
    if (h.deadlock) assert_int_equal(w->waits_for, h.chain[(i + 1) % h.chain_count]);
    bool behind = i == 0; /* one of the waiters before it */
    for (uint32_t k = 0; k < i; k++) behind |= w->waits_for == (int)h.chain[k];
    assert_true(behind || h.deadlock);
  }
  assert_true(pto_explain_deadlock(m, text, sizeof text) < sizeof text);
  for (const char *c = text; *c; c++) lines += *c == '\n';
  assert_in_range(lines, 2, 24);
}

static void run_text(const char *text) {
  struct pto_ir_error error;
  struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  if (!p) {
    refused_by_parser++;
    return;
  }
  static struct pto_notes notes;
  pto_check(p, -1, &notes);
  if (p->dispatches > 3) p->dispatches = 3;
  struct pto_machine *m = p->gm_bytes <= UINT64_C(64) << 20 ? pto_machine_new(p, true) : NULL; /* more only takes time */
  if (m) {
    enum pto_end_kind end = pto_machine_run(m, LIMIT);
    assert_true(end < 5);
    assert_int_equal(end == PTO_FAULTED, m->fault.kind != SIM_FAULT_NONE);
    ends[end]++;
    if (end == PTO_DEADLOCKED) expect_cause(m);
  }
  pto_machine_free(m);
  pto_program_free(p);
}

/* One number of one example is replaced; every number is replaced in turn by some of the values. */
static void wrong_numbers(void **state) {
  (void)state;
  unsigned values = sizeof odd_values / sizeof odd_values[0], tried = util_scale(4);
  if (tried > values) tried = values;
  static char source[1 << 16], text[1 << 16];
  unsigned runs = 0;
  for (unsigned e = 0; e < sizeof examples / sizeof examples[0]; e++) {
    char path[64];
    size_t begin = 0, end = 0;
    snprintf(path, sizeof path, "examples/pto/%s.pto", examples[e]);
    snprintf(source, sizeof source, "%s", util_read(path));
    for (unsigned n = 0; number(source, n, &begin, &end); n++)
      for (unsigned k = 0, first = pick(values); k < tried; k++, runs++) {
        const char *value = odd_values[(first + k) % values];
        assert_true(snprintf(text, sizeof text, "%.*s%s%s", (int)begin, source, value, source + end) < (int)sizeof text);
        run_text(text);
      }
  }
  print_message("%u programs: %u not read, %u ran, %u faults, %u deadlocks, %u out of time\n", runs, refused_by_parser,
                ends[PTO_RAN], ends[PTO_FAULTED], ends[PTO_DEADLOCKED], ends[PTO_TIME_LIMIT]);
  assert_true(runs > 300);
  assert_true(ends[PTO_RAN] > 10 && ends[PTO_FAULTED] > 5 && refused_by_parser > 10);
}

/* Both ends get the same wrong number, so the program stays consistent and goes further. */
static void wrong_pipes(void **state) {
  (void)state;
  static char text[1 << 16], piece[256];
  for (unsigned n = 0; n < util_scale(200); n++) {
    const char *source = util_read(pick(2) ? "examples/pto/stages.pto" : "examples/pto/pattern3.pto");
    static const unsigned sizes[] = {1, 4, 16, 60, 252, 1000, 1024, 4096, 65536, 1000000};
    snprintf(piece, sizeof piece, "!pto.tpipe<%u, C2V, %u, %u, %u>", pick(18), sizes[pick(10)], pick(20), pick(6));
    text[0] = '\0';
    for (const char *at = source, *next; *at; at = next) {
      size_t used = strlen(text);
      if (strncmp(at, "!pto.tpipe<", 11) == 0 && digit(at[11])) {
        next = strchr(at, '>') + 1;
        util_append(text, sizeof text, piece);
        continue;
      }
      next = at + 1;
      assert_true(used + 1 < sizeof text);
      text[used] = *at;
      text[used + 1] = '\0';
    }
    run_text(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(wrong_numbers), cmocka_unit_test(wrong_pipes)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
