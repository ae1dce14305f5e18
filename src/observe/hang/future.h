/* The acts that a waiting core still performs: executes its code from its present state on, with registers, local RAM and arguments as
 * they are. A value that another agent can change is unknown; a branch on it is followed both ways. So the end of a poll, a counted
 * loop, a call with its arguments and a branch that is decided already are what they will be. */
#ifndef TESSERA_OBSERVE_HANG_FUTURE_H
#define TESSERA_OBSERVE_HANG_FUTURE_H

#include "debug/program.h"
#include "observe/hang/deed.h"
#include "observe/hang/hang_value.h"
#include "tensix/tile/tile.h"

enum obs_future {
  OBS_FUTURE_UNKNOWN, /* no such act was found, and not every path could be followed */
  OBS_FUTURE_NEVER,   /* no path to the end of the kernel has such an act */
  OBS_FUTURE_PERHAPS, /* some path has one, another ends without it, or could not be followed to its end */
  OBS_FUTURE_SURELY,  /* every path has one */
};

/* A wait for a word of L1 on the way, behind the present wait of the core: is it one that no agent surely ends? The value and what is wanted
 * count from the word's present value: a word that the core has reset needs more. */
struct obs_waits {
  bool (*lasts)(void *context, const struct tx_tile *t, unsigned core, const struct obs_resource *word, unsigned depth);
  void *context;
  unsigned depth; /* waits of other cores on the way to their acts, which the answer depends on */
};

/* `fn` returns true for the act. `waits`: a path ends at such a wait; NULL: every wait on the way ends. `blind`: set if the core stores to an address that is not known, which may be the act; may be NULL. */
enum obs_future obs_future_find(const struct tx_tile *t, const struct dbg_program *program, unsigned core, obs_deed_fn *fn,
                                void *context, const struct obs_waits *waits, bool *blind);

#endif
