/* What bounds a run: follows the waits from the math thread to the core or unit that does not wait. Made from the account and the
 * profile; the tile must not be running. */
#ifndef TESSERA_OBSERVE_WHY_H
#define TESSERA_OBSERVE_WHY_H

#include "debug/program.h"
#include "observe/profile.h"
#include "sim/text.h"

/* The verdict in one sentence with its line, the chain that leads to it, what to change, and the account. */
void obs_why_text(const struct obs_profile *p, const struct dbg_program *program, struct sim_text *out);

#endif
