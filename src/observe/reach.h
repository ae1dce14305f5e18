/* The instructions that a core can still come to: from its program counter along branches, jumps, calls and returns, up to the return of
 * its kernel. An agent that waits after its last push, post or store does not come back to it, and releases no other agent. */
#ifndef TESSERA_OBSERVE_REACH_H
#define TESSERA_OBSERVE_REACH_H

#include "debug/program.h"

#define OBS_REACH_BYTES 0x10000u /* of code around the kernel; a longer program is not followed */

struct obs_reach {
  bool known;  /* false: the code has a jump whose target is computed, or is not there */
  bool script; /* of a scripted core: everything after place `from` of its list */
  uint32_t from;
  uint32_t base, bytes;
  uint64_t seen[OBS_REACH_BYTES / 4 / 64];
};

/* What the core can reach from `pc` on, `pc` included. */
void obs_reach_from(struct obs_reach *r, const struct dbg_program *program, unsigned core, uint32_t pc);
/* The same for a scripted core that waits in this line. */
void obs_reach_script(struct obs_reach *r, const struct tx_tile *t, unsigned core, uint32_t line);
/* true also when it is not known. */
bool obs_reaches(const struct obs_reach *r, uint32_t pc);

#endif
