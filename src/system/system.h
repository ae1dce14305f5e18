/* Chips that run together: one clock, and in time the links between them. A chip alone is a system of one.
 *
 * Accesses from outside go to a chip (chip.h); time passes only here. */
#ifndef TESSERA_SYSTEM_SYSTEM_H
#define TESSERA_SYSTEM_SYSTEM_H

#include "chip/chip.h"
#include "system/plan.h"

struct system;

/* `chip` is the configuration of every chip but for its harvest and its identity, which are the plan's; `configure`, if it is not NULL,
 * may change it for one chip. NULL: `why` has the reason. */
struct system *system_create(const struct system_plan *plan, const struct chip_config *chip,
                             void (*configure)(void *context, unsigned number, struct chip_config *chip), void *context,
                             const char **why);
void system_destroy(struct system *system); /* NULL is allowed */

const struct system_plan *system_plan(const struct system *system);
struct chip *system_chip(const struct system *system, unsigned number);

/* Runs all chips to the same cycle: all cycles up to and including `until`, or fewer if one stops. The strongest end of a chip: a fault,
 * a stop, the time (a chip still has events), a hang, done. */
enum chip_end system_run(struct system *system, sim_time until);
/* Cycles that chips with links run apart: the least latency of a link. */
uint32_t system_window(const struct system *system);
sim_time system_now(const struct system *system);
bool system_faulted(const struct system *system);

#endif
