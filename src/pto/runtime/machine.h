/* A machine from creation to the end of its last dispatch. */
#ifndef TESSERA_PTO_RUNTIME_MACHINE_H
#define TESSERA_PTO_RUNTIME_MACHINE_H

#include "pto/runtime/state.h"

/* A block of a grid: the grid owns the memory of its rings and of all tensors. NULL: the machine's own. */
struct pto_memory {
  uint8_t *rings, *tensors; /* NULL: the machine has no data */
  struct pto_races *races;
  uint32_t block, blocks;
};
/* The program must be finished and outlive the machine. with_data false: no memories, only control flow and hazards. */
struct pto_machine *pto_machine_new_in(const struct pto_program *program, bool with_data, const struct pto_memory *shared);
static inline struct pto_machine *pto_machine_new(const struct pto_program *program, bool with_data) {
  return pto_machine_new_in(program, with_data, NULL);
}
void pto_machine_free(struct pto_machine *machine);
/* resets flags, time, findings, and restores initial data */
void pto_machine_reset(struct pto_machine *machine);
void pto_machine_set_policy(struct pto_machine *machine,
                            int policy); /* sets the policy of all pipes; -1: each pipe keeps that of the program */
/* Runs all dispatches in steps: returns PTO_GOING_ON until the run has ended. */
enum pto_end_kind pto_machine_begin(struct pto_machine *machine);
enum pto_end_kind pto_machine_advance(struct pto_machine *machine, sim_time until);
enum pto_end_kind pto_machine_give_up(struct pto_machine *machine); /* a run that has not ended: PTO_TIME_LIMIT */

/* Runs them at once. */
static inline enum pto_end_kind pto_machine_run(struct pto_machine *machine, sim_time limit) {
  enum pto_end_kind end = pto_machine_begin(machine);
  if (end == PTO_GOING_ON) end = pto_machine_advance(machine, limit);
  return end == PTO_GOING_ON ? pto_machine_give_up(machine) : end;
}

#endif
