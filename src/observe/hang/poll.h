/* The values that end a polling loop: executes the loop on a copy of the core's registers with other values of the word. */
#ifndef TESSERA_OBSERVE_HANG_POLL_H
#define TESSERA_OBSERVE_HANG_POLL_H

#include "observe/hang/hang_value.h"

/* The loop goes through the load at `pc`, which now reads `value`. OBS_WISH_UNKNOWN: no simple condition ends it. `counter`: the word
 * only increases, so the nearest larger value is returned. */
enum obs_wish obs_poll_wish(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value, bool counter,
                            uint32_t *wanted);

/* The first branch that depends on a load. */
struct obs_branch {
  uint32_t at, other; /* where the core continues if it goes the other way */
  unsigned against;   /* the register that the loaded value is compared with; 0: a constant, or the load's own value */
};
/* The values that change the first branch that depends on the load, of a loop that also stores, sends or pushes. */
enum obs_wish obs_poll_branch_wish(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value, uint32_t *wanted,
                                   struct obs_branch *branch);

/* A load of L1 or of a register in a loop, and its value. */
struct obs_polled {
  uint32_t pc, address, bytes, value;
  bool pointer; /* the value is part of the address of another load: not a flag */
};
/* The loads in one iteration of the core's current loop, at most `room`; 0: the iteration ends in another state, or never, or reads
 * the time. */
unsigned obs_poll_round(const struct tx_tile *t, unsigned core, struct obs_polled *out, unsigned room);
/* As obs_poll_wish, for one word of a loop over several (a sum, a condition on two flags): executes whole iterations, in which the
 * other words have their present values. `polled`: all loads of the loop. */
enum obs_wish obs_poll_round_wish(const struct tx_tile *t, unsigned core, const struct obs_polled *polled, unsigned count,
                                  const struct obs_polled *word, bool counter, uint32_t *wanted);

/* The same for a poll of this word alone that lies ahead of the core, which then has these registers. */
enum obs_wish obs_poll_wish_ahead(const struct tx_tile *t, unsigned core, const uint32_t *registers,
                                  const struct obs_polled *word, uint32_t *wanted);

/* Does the core leave its loop if the load at `pc` returns `value`? Also true if the core is in no loop. */
bool obs_poll_ends(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* The same, and which way the core goes from the load on: equal numbers, equal branches among those that depend on the value. */
struct obs_way {
  bool ends;
  bool others; /* a branch depends on another word too, which may change before the core loads it */
  uint32_t path;
};
struct obs_way obs_poll_way(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* What the core does with the value, as far as it lives: behind stores, which are not executed, waits for something else, and loads of
 * other words at the same place, as in a scan. */
struct obs_use {
  uint32_t path;    /* equal numbers, equal branches among those that depend on the value; 0: none does */
  uint32_t effects; /* the same of the addresses, and values stored, that depend on it */
  bool open;        /* the code behind the part that could be followed may still use the value */
};
struct obs_use obs_poll_follow(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* Does the core the same with both values, as far as is known? */
bool obs_same_use(const struct obs_use *a, const struct obs_use *b);
/* Does the core return to this load, with this value or another? */
bool obs_poll_is_loop(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* Does the code have the shape of a poll: back to the load without a store, with one address? The registers decide whether
 * it loops: a wait for "at least 0" never loops, the next wait for "at least 1" at the same load does. */
bool obs_poll_may_loop(const struct tx_tile *t, unsigned core, uint32_t pc);

#endif
