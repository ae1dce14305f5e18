/* The bottleneck of a run: follows the waits from the math thread to the core or unit that does not wait. Computed from the account and
 * the profile; the tile must not be running. */
#ifndef TESSERA_OBSERVE_WHY_H
#define TESSERA_OBSERVE_WHY_H

#include "debug/program.h"
#include "observe/profile.h"
#include "sim/text.h"

/* The verdict in one sentence with its line, the chain that leads to it, the change to make, and the account. */
void obs_why_text(const struct obs_profile *p, const struct dbg_program *program, struct sim_text *out);
/* The change of the machine that confirms the verdict, as an argument of tessera_tile_set_what_if; "": none. */
struct obs_what_if {
  char text[320];
};
struct obs_what_if obs_why_what_if(const struct obs_profile *p, const struct dbg_program *program);

#endif
