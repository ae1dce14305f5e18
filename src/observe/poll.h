/* The values that end a polling loop: executes the loop on a copy of the core's registers with other values of the word. */
#ifndef TESSERA_OBSERVE_POLL_H
#define TESSERA_OBSERVE_POLL_H

#include "observe/hang_value.h"

/* The loop goes through the load at `pc`, which now reads `value`. OBS_WISH_UNKNOWN when nothing simple ends it. `counter`: the word
 * only counts up, so the nearest higher value is the answer. */
enum obs_wish obs_poll_wish(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value, bool counter,
                            uint32_t *wanted);

/* A load of L1 in a loop. */
struct obs_polled {
  uint32_t pc, address, bytes;
};
/* The loads of L1 in one iteration of the core's current loop, at most `room`; 0: the iteration ends in another state, or never. */
unsigned obs_poll_round(const struct tx_tile *t, unsigned core, struct obs_polled *out, unsigned room);
/* As obs_poll_wish, for one word of a loop over several (a sum, a condition of two flags): whole rounds are executed. */
enum obs_wish obs_poll_round_wish(const struct tx_tile *t, unsigned core, const struct obs_polled *word, uint32_t value,
                                  uint32_t *wanted);

/* Whether the core leaves its loop when the load at `pc` returns `value`. Also true when the core is in no loop. */
bool obs_poll_ends(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* Does the core come back to this load, with this value or another? */
bool obs_poll_is_loop(const struct tx_tile *t, unsigned core, uint32_t pc, uint32_t value);
/* Has the code the shape of a poll: back to the load without a store, from one address? The registers decide whether it is one: a wait for
 * "at least 0" never loops, the next wait for "at least 1" at the same load does. */
bool obs_poll_may_loop(const struct tx_tile *t, uint32_t pc);

#endif
