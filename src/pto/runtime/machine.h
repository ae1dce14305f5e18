/* A machine from creation to the end of its last dispatch. */
#ifndef TESSERA_PTO_RUNTIME_MACHINE_H
#define TESSERA_PTO_RUNTIME_MACHINE_H

#include "pto/runtime/state.h"

/* The program must be finished and outlive the machine. with_data false: no memories, control and hazards only. */
struct pto_machine *pto_machine_new(const struct pto_program *program, bool with_data);
/* A block of a grid: its rings and the tensors of all blocks lie in memory that the grid owns. NULL: its own. */
struct pto_memory {
  uint8_t *rings, *tensors;
  uint32_t block, blocks;
};
struct pto_machine *pto_machine_new_in(const struct pto_program *program, bool with_data, const struct pto_memory *shared);
void pto_machine_free(struct pto_machine *machine);
void pto_machine_reset(struct pto_machine *machine);                  /* flags, time, findings, and initial data */
void pto_machine_set_policy(struct pto_machine *machine, int policy); /* for all pipes; -1: the program's */
/* Runs all dispatches. */
enum pto_end_kind pto_machine_run(struct pto_machine *machine, sim_time limit);
/* The same in steps: PTO_GOING_ON until it has ended. */
enum pto_end_kind pto_machine_begin(struct pto_machine *machine);
enum pto_end_kind pto_machine_advance(struct pto_machine *machine, sim_time until);
enum pto_end_kind pto_machine_give_up(struct pto_machine *machine); /* that still went on: PTO_TIME_LIMIT */

#endif
