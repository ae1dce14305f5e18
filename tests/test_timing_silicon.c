/* Issue costs as silicon measured them (facts/timing.md, "Tensix issue cost"), both sides printed. A probe is a loop over 64
 * unrolled instructions; the loop itself costs the core two cycles, which are taken out as they were there. */
#include "rig.h"

#define ALLOWED 0.02

struct probe {
  const char *name;
  uint32_t words[2]; /* one instruction, or a pair */
  unsigned count;
  double silicon[3]; /* per instruction (pair) with 1, 2, 3 threads */
};

static const struct probe probes[] = {
    {"NOP", {OP(NOP, 0)}, 1, {1, 1, 1}},
    {"DMANOP", {OP(DMANOP, 0)}, 1, {1, 2, 3}},
    {"SETDMAREG", {OP(SETDMAREG, 5u << 8 | 3)}, 1, {1, 2, 3}},
    {"SETRWC", {OP(SETRWC, 0)}, 1, {1, 2, 3}},
    {"INCRWC", {OP(INCRWC, 0)}, 1, {1, 2, 3}},
    {"RDCFG", {OP(RDCFG, 7u << 16 | 13)}, 1, {1, 2, 3}},
    {"ADDDMAREG", {OP(ADDDMAREG, 1u << 23)}, 1, {3, 6, 9}},
    {"MULDMAREG", {OP(MULDMAREG, 1u << 23)}, 1, {3, 6, 9}},
    {"SHIFTDMAREG", {OP(SHIFTDMAREG, 1u << 23)}, 1, {3, 6, 9}},
    {"CMPDMAREG", {OP(CMPDMAREG, 1u << 23)}, 1, {3, 6, 9}},
    {"{RMWCIB0; STALLWAIT met}", {OP(RMWCIB0, 13), STALL(0x1ff, 1u << TX_C4_MATRIX)}, 2, {3}},
    {"{RDCFG; ADDDMAREG of it}", {OP(RDCFG, 60u << 16), OP(ADDDMAREG, 1u << 23 | 63u << 12 | 60)}, 2, {3}},
    {"{RDCFG; ADDDMAREG}", {OP(RDCFG, 60u << 16), OP(ADDDMAREG, 1u << 23 | 63u << 12 | 59)}, 2, {3}},
    {"{NOP; NOP}", {OP(NOP, 0), OP(NOP, 0)}, 2, {2}},
};

#define LOOP_OVERHEAD 2.0

/* Cycle in which thread 0 passed the last of `loops` times 64 instructions. */
static double last_cycle(const struct probe *p, unsigned threads, unsigned loops) {
  struct rig *r = rig_new(true);
  for (unsigned thread = 0; thread < threads; thread++)
    for (unsigned i = 0; i < loops * 64; i++)
      for (unsigned k = 0; k < p->count; k++) rig_push(r, thread, p->words[k]);
  rig_run_well(r);
  sim_time last = 0;
  for (size_t i = 0; i < r->issue_count; i++)
    if (r->issues[i].thread == 0) last = r->issues[i].at;
  rig_free(r);
  return (double)last;
}

static double cost(const struct probe *p, unsigned threads) {
  double per_loop = (last_cycle(p, threads, 48) - last_cycle(p, threads, 16)) / 32;
  double raw = per_loop / 64, pushed = p->count + p->count * LOOP_OVERHEAD / 64;
  /* When the core's pushing is the bound, its own overhead is in the figure: one loop of 64 words costs 66 cycles here. */
  return raw <= pushed + 0.001 ? raw - p->count * LOOP_OVERHEAD / 64 : raw;
}

static void issue_costs_match_silicon(void **state) {
  (void)state;
  unsigned wrong = 0;
  for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
    for (unsigned threads = 1; threads <= 3; threads++) {
      double silicon = probes[i].silicon[threads - 1];
      if (silicon == 0) continue;
      double here = cost(&probes[i], threads);
      bool good = here > silicon * (1 - ALLOWED) && here < silicon * (1 + ALLOWED);
      printf("note: %-26s %u thread%s  silicon %5.2f  here %5.2f%s\n", probes[i].name, threads, threads > 1 ? "s" : " ",
             silicon, here, good ? "" : "  OFF");
      wrong += !good;
    }
  }
  assert_int_equal(wrong, 0);
}

/* With timing off every instruction costs one cycle, whatever its unit; between two turns of a thread its core has its own. */
static void timing_off_costs_one_cycle_each(void **state) {
  (void)state;
  for (size_t i = 0; i < 10; i++) {
    struct rig *r = rig_new(false);
    rig_push_times(r, 0, probes[i].words[0], 100);
    rig_run_well(r);
    unsigned apart = 0;
    for (unsigned k = 0; k < 99; k++) apart += r->issues[k + 1].at - r->issues[k].at != 1;
    assert_in_range(apart, 0, 5);
    rig_free(r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(issue_costs_match_silicon),
      cmocka_unit_test(timing_off_costs_one_cycle_each),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
