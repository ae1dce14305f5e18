/* Shared by the files of the hang report. */
#ifndef TESSERA_OBSERVE_HANG_HANG_INTERNAL_H
#define TESSERA_OBSERVE_HANG_HANG_INTERNAL_H

#include "debug/program.h"
#include "observe/hang/hang_value.h"
#include "sim/text.h"

struct obs_finder {
  const struct tx_tile *t;
  const struct dbg_program *program;
  struct obs_hang *hang;
  enum obs_party_state state[TX_CORES];
  bool alone; /* no other tile ends a wait of this one */
  bool failed;
  struct dbg_failure failure;
};

void obs_place_words(const struct obs_waiter *w, char *text, size_t size); /* "writer.c:9 (BRISC)" */
/* The same with another name: "writer.c:9 (BRISC of Tensix (1,2))" */
void obs_place_words_of(const struct dbg_source *place, const char *name, char *text, size_t size);
void obs_at_words(const struct dbg_source *place, char *text, size_t size); /* " at reader.c:14", or "" */

/* Circular buffers (hang/hang_buffer.c): the past of the awaited buffer, its counts as text, the subject of the cause. */
void obs_buffer_past(const struct obs_finder *f, struct obs_waiter *w);
void obs_buffer_detail(struct obs_waiter *w);
void obs_buffer_subject(const struct obs_finder *f, const struct obs_waiter *w, char *text, size_t size);

unsigned obs_core_of_agent(unsigned agent); /* the core of a thread or core agent; TX_CORES: none */
void obs_actor_set(const struct obs_finder *f, const struct tx_trail *trail, struct obs_actor *out);
/* The writer of the polled word that a repeated run has recorded (replay.h); NULL: none was repeated. */
const struct tx_writer *obs_writer_of(const struct tx_tile *t, uint32_t address);

/* `few` of a waiter: `who` of `cores` that wait themselves add this much to its word or buffer, which does not end its wait. */
void obs_few_words(struct obs_waiter *w, const char *who, unsigned cores, uint32_t adds);

/* The agents that can release a wait, the last actor, and the waiter that has to continue first. */
void obs_hang_roles(struct obs_finder *f, struct obs_waiter *w);
/* The wait for the resource (0) or a further word (from 1) alone: its last actor, its releasers, and the waiter that has to continue first. */
void obs_word_waiter(struct obs_finder *f, const struct obs_waiter *w, uint32_t word, struct obs_waiter *out);
/* Does the agent that `w` waits for release it after its own wait, on every path? Also true if there is no code to follow. */
bool obs_link_holds(const struct obs_finder *f, const struct obs_waiter *w);
/* Can another word of the loop than the resource end the wait? */
bool obs_alternatives(const struct obs_waiter *w);
/* "nothing has written it"; of several words: "nothing has written them". */
void obs_add_past(struct sim_text *out, const char *past, bool several);
/* Sentences: `what` of each waiter, the cause. */
void obs_hang_words(struct obs_finder *f);
/* `what` of the waiter, and what has happened to its resource: "nothing has written it". */
void obs_waiter_words(struct obs_finder *f, struct obs_waiter *w, char *past, size_t size);
void obs_wait_cause(struct obs_finder *f, const struct obs_waiter *w, char *text, size_t size); /* of one wait */

/* The resource that a core polls or blocks on. */
uint32_t obs_poll_pc(const struct tx_core *c, uint32_t address); /* the load of a poll */
/* Fills the resource and the words of the waiter. */
void obs_poll_resource(const struct obs_finder *f, unsigned agent, const struct sim_wait *w, struct obs_waiter *out);
void obs_mailbox_resource(const struct obs_finder *f, unsigned core, const struct sim_wait *w, struct obs_resource *r);
void obs_local_resource(const struct obs_finder *f, unsigned core, const struct sim_wait *w, struct obs_resource *r);
/* A word of L1 on which a loop of the core branches that also stores or sends. `*ends`: the loop ends when the branch changes, as far as the
 * code shows. false: there is none. */
bool obs_loop_resource(const struct obs_finder *f, unsigned core, struct obs_waiter *out, bool *ends);
/* The variable in local RAM on which a core loops, or NULL. */
const char *obs_polled_variable(const struct obs_finder *f, unsigned core, const struct sim_wait *w);
/* Names words that noc_semaphore_wait polls, or entries of the kernel library's table of semaphores, as semaphores. */
void obs_name_semaphores(const struct obs_finder *f, struct obs_waiter *w);
void obs_semaphore_resource(const struct tx_tile *t, uint32_t mask, bool on_zero, struct obs_resource *r);

/* This project's kernel library's record of a circular buffer in a core's local RAM. */
struct obs_buffer {
  bool known;
  uint32_t pages, packed, acked, received;
  uint32_t write, page_bytes; /* the next page to fill */
};
void obs_buffer_read(const struct obs_finder *f, unsigned core, unsigned cb, struct obs_buffer *out);

#endif
