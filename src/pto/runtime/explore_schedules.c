/* The schedules of explore, and the blocks that it runs.
 *
 * In order: without delays; each core slow as a whole (producer first, consumer first); both Vectors slow, as a whole and
 * their scalar units alone; each pipe slow; then random delays of three magnitudes. */
#include "pto/runtime/explore_schedules.h"

#include <string.h>

#include "pto/runtime/grid.h"

#define SLOW_CYCLES 20000u

bool pto_program_needs_data(const struct pto_program *program) {
  for (unsigned f = 0; f < program->function_count; f++)
    for (uint32_t i = 0; i < program->functions[f].instr_count; i++) {
      const struct pto_instr *in = &program->functions[f].instrs[i];
      if (in->op == PTO_OP_TPOP && in->event >= 0) return true;
    }
  return false;
}

static void slow_core(struct pto_schedule *s, unsigned core) {
  for (unsigned unit = 0; unit < PTO_UNITS; unit++)
    s->delays[s->count++] =
        (struct pto_delay){.agent = (uint16_t)pto_agent(core, unit), .item = PTO_EVERY_ITEM, .cycles = SLOW_CYCLES};
}

struct pto_schedule pto_explore_schedule(uint32_t n, uint32_t seed) {
  struct pto_schedule s;
  memset(&s, 0, sizeof s);
  if (n == 0) return s;
  if (n <= PTO_CORES) {
    slow_core(&s, n - 1);
  } else if (n == PTO_CORES + 1) {
    slow_core(&s, PTO_AIV0);
    slow_core(&s, PTO_AIV1);
  } else if (n == PTO_CORES + 2) { /* start-up credits at once, pops late */
    for (unsigned core = PTO_AIV0; core <= PTO_AIV1; core++)
      s.delays[s.count++] =
          (struct pto_delay){.agent = (uint16_t)pto_agent(core, PTO_S), .item = PTO_EVERY_ITEM, .cycles = SLOW_CYCLES};
  } else if (n < PTO_EXPLORE_FIXED) {
    s.delays[s.count++] =
        (struct pto_delay){.agent = (uint16_t)(n - PTO_CORES - 3), .item = PTO_EVERY_ITEM, .cycles = SLOW_CYCLES};
  } else {
    static const uint32_t magnitudes[] = {256, 4096, 65536};
    s.seed = seed * 7919u + n;
    s.max_cycles = magnitudes[n % 3];
    s.random_agents = (UINT64_C(1) << PTO_AGENTS) - 1;
  }
  return s;
}

/* A machine for each block, up to PTO_EXPLORE_BLOCKS of them, the last block among them. */
struct pto_grid *pto_explore_blocks(const struct pto_program *program, const struct pto_explore_options *options,
                                    bool with_data) {
  const struct pto_program *const *programs = options->programs ? options->programs : &program;
  uint32_t all = options->programs ? options->blocks : program->blocks,
           count = all < PTO_EXPLORE_BLOCKS ? all : PTO_EXPLORE_BLOCKS;
  struct pto_grid *g = pto_grid_new(programs, options->programs ? options->program_count : 1, count, with_data);
  for (uint32_t i = 0; g && i < count; i++) {
    if (!with_data) g->blocks[i]->link = NULL; /* each block is run alone */
    g->blocks[i]->block = i + 1 == count ? all - 1 : i;
    g->blocks[i]->blocks = all;
    g->blocks[i]->dispatch_limit = PTO_EXPLORE_DISPATCHES;
  }
  if (g) pto_grid_set_policy(g, options->policy);
  return g;
}
