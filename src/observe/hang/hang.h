/* Finds the reason why a tile hangs (hang/hang_value.h) and writes it as text and JSON. */
#ifndef TESSERA_OBSERVE_HANG_HANG_H
#define TESSERA_OBSERVE_HANG_HANG_H

#include "debug/program.h"
#include "observe/hang/hang_value.h"
#include "sim/text.h"

/* `program` may be NULL: then source positions are unknown. */
void obs_hang_find(const struct tx_tile *t, const struct dbg_program *program, struct obs_hang *hang);
/* The same in memory of its own, which the caller frees: 200 KB are too much for a small stack. NULL: out of memory. */
struct obs_hang *obs_hang_new(const struct tx_tile *t, const struct dbg_program *program);
/* The same for one of several tiles: another one may end any wait of a core. */
void obs_hang_find_part(const struct tx_tile *t, const struct dbg_program *program, struct obs_hang *hang);
/* The same with the wait of `agent` as the cause, for a caller that has found it as such (hang/chip.h). false: it does not wait. */
bool obs_hang_find_at(const struct tx_tile *t, const struct dbg_program *program, unsigned agent, struct obs_hang *hang);
/* Does the agent that `agent` waits for release it after its own wait, on every path? Also true if its code could not be followed. */
bool obs_hang_link_holds(const struct tx_tile *t, const struct dbg_program *program, unsigned agent, struct obs_hang *hang);
/* The cause, the chain, the other waiters, the cores that have returned: at most 24 lines; `verbose` adds releasers and
 * last actors. */
void obs_hang_text(const struct obs_hang *hang, bool verbose, struct sim_text *out);
/* The text for callers without a program, with releasers and last actors. Returns the length, as snprintf does. */
size_t obs_hang_report(const struct tx_tile *t, char *text, size_t size);
/* A word on which a loop of a core branches that does more than poll. */
struct obs_loop {
  struct obs_waiter wait;
  bool ends;      /* the code shows that the loop ends when the word has the value */
  char past[400]; /* "nothing has written it" */
};
/* false: there is none. */
bool obs_hang_polls(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct obs_loop *loop);
/* One JSON object. */
void obs_hang_json(const struct obs_hang *hang, struct sim_text *out);

/* The members of a waiter's JSON object; the lines that --verbose adds to its line. */
void obs_waiter_json(const struct obs_waiter *waiter, struct sim_text *out);
void obs_party_json(const struct obs_party *party, struct sim_text *out); /* the members of a party's */
void obs_waiter_verbose(const struct obs_waiter *waiter, struct sim_text *out);

/* A place as a JSON object, or null. */
/* "waiting for page 1 of CB 16 since cycle 4613", "its kernel has returned" (dbg_program_cores); nothing if the hang says nothing about
 * the core. */
void obs_hang_core_words(const void *hang, unsigned core, char *text, size_t size);
/* "waiting", "returned", "idle", ...; NULL: the hang says nothing about the core. */
const char *obs_hang_core_state(const struct obs_hang *hang, unsigned core);
void obs_source_json(const struct dbg_source *source, struct sim_text *out);

const char *obs_party_state_name(enum obs_party_state state);
const char *obs_resource_name(enum obs_resource_kind kind); /* "buffer_pages" */
const char *obs_wish_name(enum obs_wish wish);              /* "at_least" */

#endif
