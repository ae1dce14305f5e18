/* The event log and faults as values. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "sim/fault.h"
#include "sim/log.h"

struct seen {
  unsigned count;
  struct sim_event last;
};

static void sink(void *context, const struct sim_event *event) {
  struct seen *seen = context;
  seen->count++;
  seen->last = *event;
}

static void a_sink_sees_what_its_mask_says(void **state) {
  (void)state;
  struct sim_log log = {0};
  struct seen three = {0}, all = {0};
  assert_int_equal(sim_log_wants(&log, 3), 0);
  int a = sim_log_attach(&log, sink, &three, 1u << 3);
  assert_int_equal(sim_log_wants(&log, 3), 1);
  assert_int_equal(sim_log_wants(&log, 4), 0);
  int b = sim_log_attach(&log, sink, &all, UINT32_MAX);
  struct sim_event event = {.at = 99, .kind = 3, .agent = 2, .a = 5, .b = 6, .c = 7};
  sim_log_emit(&log, &event);
  event.kind = 31;
  sim_log_emit(&log, &event);
  assert_int_equal(three.count, 1);
  assert_int_equal(three.last.kind, 3);
  assert_int_equal(three.last.at, 99);
  assert_int_equal(all.count, 2);
  assert_int_equal(all.last.c, 7);
  sim_log_detach(&log, b);
  sim_log_emit(&log, &event);
  assert_int_equal(all.count, 2);
  assert_int_equal(log.mask, 1u << 3);
  sim_log_detach(&log, a);
  assert_int_equal(log.mask, 0);
  assert_int_equal(log.count, 0);
  sim_log_detach(&log, -1);
  sim_log_detach(&log, 99);
}

static void places_run_out_and_come_back(void **state) {
  (void)state;
  struct sim_log log = {0};
  struct seen seen = {0};
  int handle[SIM_SINKS_MAX];
  for (unsigned i = 0; i < SIM_SINKS_MAX; i++) {
    handle[i] = sim_log_attach(&log, sink, &seen, 1);
    assert_true(handle[i] >= 0);
  }
  assert_int_equal(sim_log_attach(&log, sink, &seen, 1), -1);
  sim_log_detach(&log, handle[1]);
  assert_int_equal(sim_log_attach(&log, sink, &seen, 1), handle[1]);
  sim_log_emit(&log, &(struct sim_event){.kind = 0});
  assert_int_equal(seen.count, SIM_SINKS_MAX);
}

static void a_fault_is_filled_and_clean(void **state) {
  (void)state;
  struct sim_fault a, b;
  memset(&a, 0xff, sizeof a);
  memset(&b, 0x00, sizeof b);
  sim_fault_set(&a, SIM_FAULT_ADDRESS, 42, "Mailboxes.md", "address %x is outside", 0x1234u);
  sim_fault_set(&b, SIM_FAULT_ADDRESS, 42, "Mailboxes.md", "address %x is outside", 0x1234u);
  assert_memory_equal(&a, &b, sizeof a); /* earlier events are not visible */
  assert_string_equal(a.why, "address 1234 is outside");
  assert_string_equal(a.document, "Mailboxes.md");
  assert_int_equal(a.cycle, 42);
  assert_int_equal(a.kind, SIM_FAULT_ADDRESS);
  assert_int_equal(a.agent, SIM_NO_AGENT);
  for (size_t i = strlen(a.why); i < sizeof a.why; i++) assert_int_equal(a.why[i], 0);
}

static void long_words_are_cut(void **state) {
  (void)state;
  char word[400];
  memset(word, 'x', sizeof word);
  word[sizeof word - 1] = '\0';
  struct sim_fault fault;
  sim_fault_set(&fault, SIM_FAULT_CAPACITY, 1, word, "%s", word);
  assert_int_equal(strlen(fault.why), SIM_WHY_MAX - 1);
  assert_int_equal(strlen(fault.document), sizeof fault.document - 1);
  sim_fault_set(&fault, SIM_FAULT_CAPACITY, 1, NULL, "short");
  assert_string_equal(fault.document, "");
}

static void kinds_have_distinct_names(void **state) {
  (void)state;
  for (uint32_t a = SIM_FAULT_NONE; a <= SIM_FAULT_HAZARD; a++) {
    assert_string_not_equal(sim_fault_kind_name(a), "unknown");
    for (uint32_t b = 0; b < a; b++) assert_string_not_equal(sim_fault_kind_name(a), sim_fault_kind_name(b));
  }
  assert_string_equal(sim_fault_kind_name(1000), "unknown");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_sink_sees_what_its_mask_says), cmocka_unit_test(places_run_out_and_come_back),
      cmocka_unit_test(a_fault_is_filled_and_clean),    cmocka_unit_test(long_words_are_cut),
      cmocka_unit_test(kinds_have_distinct_names),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
