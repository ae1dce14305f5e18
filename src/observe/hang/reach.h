/* The instructions that a core can still reach: from its program counter along branches, jumps, calls and returns, up to
 * the return of its kernel. An agent that waits after its last push, post or store cannot reach it again, and so releases
 * no other agent. */
#ifndef TESSERA_OBSERVE_HANG_REACH_H
#define TESSERA_OBSERVE_HANG_REACH_H

#include "debug/program.h"
#include "tensix/riscv/decode.h"

#define OBS_REACH_BYTES 0x10000u /* bytes of code around the kernel; a larger program is not searched */

struct obs_reach {
  bool known;  /* false: the code has a jump with a computed target, or is missing */
  bool script; /* of a scripted core: all operations after index `from` of its list */
  bool ends;   /* the return of the kernel is among them; false: they never end, or end in a failed check */
  uint32_t from;
  uint32_t base, bytes;
  uint64_t seen[OBS_REACH_BYTES / 4 / 64];
};

/* The instructions that the core can reach from `pc` on, including `pc`. */
void obs_reach_from(struct obs_reach *r, const struct dbg_program *program, unsigned core, uint32_t pc);
/* The same for a scripted core that waits in this line. */
void obs_reach_script(struct obs_reach *r, const struct tx_tile *t, unsigned core, uint32_t line);
/* Also true if it is not known. */
bool obs_reaches(const struct obs_reach *r, uint32_t pc);

/* Is the instruction at `pc` the return of the core's kernel? The firmware then waits for the next launch. `ra`: its target; NULL: not known. */
bool obs_reach_ends(const struct dbg_program *program, const struct tx_tile *t, unsigned core, const struct tx_insn *d,
                    uint32_t pc, const uint32_t *ra);

#endif
