/* See results.h. */
#include "pto/runtime/results.h"

#include <string.h>

#include "pto/runtime/grid.h"

#define WORK_MAX (UINT64_C(1) << 26) /* products and sums: some tenths of a second */

static uint64_t hash_of(const struct pto_grid *g, const struct pto_global *tensor) {
  const uint8_t *at = pto_gm_at(g->blocks[0], tensor->addr);
  uint64_t hash = UINT64_C(0xcbf29ce484222325), word;
  for (uint64_t i = 0; i < tensor->bytes; i += sizeof word) {
    uint64_t left = tensor->bytes - i;
    word = 0;
    memcpy(&word, at + i, left < sizeof word ? left : sizeof word);
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    hash ^= hash >> 29;
  }
  return hash;
}

/* Tensors of floats with atomic additions: their sums depend on the order. */
static void find_free(const struct pto_program *p, bool is_free[PTO_GLOBALS_MAX]) {
  for (unsigned f = 0; f < p->function_count; f++)
    for (uint32_t n = 0; n < p->functions[f].instr_count; n++) {
      const struct pto_instr *i = &p->functions[f].instrs[n];
      int global = i->op == PTO_OP_STORE && i->atomic_add ? p->functions[f].views[i->view].global : PTO_NONE;
      if (global >= 0 && p->functions[f].views[i->view].dtype < PTO_I32) is_free[global] = true;
    }
}

static uint64_t run(struct pto_grid *g, const struct pto_schedule *s, sim_time limit) {
  uint64_t work = 0;
  for (uint32_t block = 0; block < g->count; block++) {
    g->blocks[block]->schedule = *s;
    pto_machine_reset(g->blocks[block]);
  }
  pto_grid_run(g, limit);
  for (uint32_t block = 0; block < g->count; block++) work += g->blocks[block]->elements;
  return work;
}

bool pto_results_compare(const struct pto_program *program, const struct pto_explore_options *options, uint32_t schedules,
                         struct pto_results *r) {
  uint64_t first[PTO_GLOBALS_MAX], done = 0;
  bool is_free[PTO_GLOBALS_MAX] = {false};
  struct pto_grid *g = pto_explore_blocks(program, options, true);
  memset(r, 0, sizeof *r);
  if (!g) return false;
  for (uint32_t i = 0; i < g->count; i++) find_free(g->blocks[i]->program, is_free);
  for (uint32_t n = 0; n < schedules && !r->differ && !sim_watcher_stops(&options->watcher); n++) {
    struct pto_schedule s = pto_explore_schedule(n, options->seed);
    uint64_t work = run(g, &s, options->limit ? options->limit : UINT64_C(1000000000));
    done += work;
    for (unsigned t = 0; t < program->global_count && !r->differ; t++) {
      uint64_t hash = is_free[t] ? 0 : hash_of(g, &program->globals[t]);
      if (n == 0) first[t] = hash;
      if (hash == first[t]) continue;
      r->differ = true;
      r->schedule = s;
      r->number = n;
      r->global = (int)t;
    }
    if (!r->differ) r->compared++;
    if (n && done + work > WORK_MAX) break;
  }
  pto_grid_free(g);
  return true;
}
