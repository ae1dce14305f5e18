/* The NoC packets that a waiting core can still send, found by following its code in L1 from the present state of the core:
 * registers, local RAM and the initiators' registers are known until an instruction makes them unknown. Where two paths
 * join, a value is known if both have the same. */
#ifndef TESSERA_OBSERVE_SENDS_H
#define TESSERA_OBSERVE_SENDS_H

#include "debug/program.h"
#include "tensix/tile/tile.h"

enum obs_sends {
  OBS_SENDS_NONE,     /* no packet that it can send writes the word */
  OBS_SENDS_POSSIBLY, /* the destination of one is not known, or the code could not be followed */
  OBS_SENDS_SURELY,   /* an atomic or an inline write has this word as its destination */
};

/* Can `core` of `t` write the word at `address` of another tile after its present wait? `program` (or NULL) locates the end of
 * its kernel. */
enum obs_sends obs_sends_to(const struct tx_tile *t, const struct dbg_program *program, unsigned core, unsigned tile,
                            uint32_t address);

#endif
