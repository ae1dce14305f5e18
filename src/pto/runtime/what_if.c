/* The reruns of what_if.h: without data, so that nothing that the user has stored changes. */
#include "pto/runtime/what_if.h"

#include <stdlib.h>
#include <string.h>

#include "pto/program/place.h"
#include "pto/runtime/explore.h"

/* A copy shares the literals and does not own them. */
static struct pto_program *with_more_slots(const struct pto_program *program, int pipe) {
  struct pto_program *copy = malloc(sizeof *copy);
  if (!copy) return NULL;
  memcpy(copy, program, sizeof *copy);
  for (unsigned core = 0; core < PTO_CORES; core++) {
    struct pto_pipe_config *end = &copy->pipes[pipe].end[core];
    end->slot_num = 2 * end->slot_num < PTO_SLOTS_MAX ? 2 * end->slot_num : PTO_SLOTS_MAX;
  }
  copy->error[0] = '\0';
  if (pto_program_finish(copy)) return copy;
  free(copy);
  return NULL;
}

static sim_time run(const struct pto_grid *from, struct pto_grid *g, const struct pto_change *change, sim_time limit) {
  pto_grid_set_policy(g, change->policy >= 0 ? change->policy : from->blocks[0]->policy_asked);
  for (uint32_t i = 0; i < g->count; i++) {
    g->blocks[i]->what_if = change->machine;
    g->blocks[i]->schedule = from->blocks[i]->schedule;
    g->blocks[i]->dispatch_limit = from->blocks[i]->dispatch_limit;
    if (change->all_bandwidth) g->blocks[i]->link = NULL;
  }
  return pto_grid_run(g, limit) == PTO_RAN ? pto_grid_cycles(g) : 0;
}

sim_time pto_what_if_cycles(const struct pto_grid *grid, const struct pto_change *change, sim_time limit) {
  const struct pto_program **programs = calloc(grid->count, sizeof *programs);
  struct pto_program *copy = NULL;
  struct pto_grid *g = NULL;
  sim_time cycles = 0;
  bool good = programs != NULL, alike = true;
  for (uint32_t i = 0; good && i < grid->count; i++) {
    programs[i] = grid->blocks[i]->program;
    alike = alike && programs[i] == programs[0];
    good = !pto_program_needs_data(programs[i]);
  }
  if (good && change->double_slots >= 0) {
    good = alike && (copy = with_more_slots(programs[0], change->double_slots)) != NULL;
    programs[0] = copy;
  }
  if (good) g = pto_grid_new(programs, alike ? 1 : grid->count, grid->count, false);
  if (g) cycles = run(grid, g, change, limit);
  pto_grid_free(g);
  free(copy);
  free(programs);
  return cycles;
}
