/* The store queue of a core. */
#ifndef TESSERA_TENSIX_RISCV_QUEUE_H
#define TESSERA_TENSIX_RISCV_QUEUE_H

#include "sim/keep.h"
#include "tensix/frontend/frontend.h"
#include "tensix/riscv/run.h"

enum tx_step tx_queue_store(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes, sim_time enter);
enum tx_step tx_queue_push(struct tx_core_run *run, const uint32_t *words, unsigned count, sim_time enter);

/* --- timing on: pushes of a stretch that follow others, each in FIFO 1 ahead of its cycle --- */
/* Cycles from the entry of a push to its departure if its port is free. */
static inline uint32_t tx_push_cycles(const struct tx_tile *t) { return 2 + t->params.push_request_cycles; }
/* Those since the last tx_queue_note_run, which the core does before anything that depends on them. */
struct tx_push_run {
  struct tx_frontend *fe;
  uint32_t cycles; /* tx_push_cycles */
  bool stores;     /* stores to FIFO 1 may be among them */
  uint32_t count;
  uint32_t store, store_pc; /* the last store among them: its instruction; 0: none */
  sim_time first_queued;    /* the cycle of the first that counts as in the queue until then; 0: none */
  sim_time last_enter;
};
/* Begins one. The number of such pushes for which FIFO 1 certainly has room, while the core executes nothing else that others see; 0: also if something
 * could block them. */
uint32_t tx_queue_room_ahead(struct tx_core_run *run, struct tx_push_run *pushes);
void tx_queue_note_run(struct tx_core_run *run, const struct tx_push_run *pushes);
/* Cycles after a push reaches FIFO 1 up to which the front end surely moves words: a later push has to find out whether it has to wake it. */
#define TX_PUSH_MOVES 2u
/* One more, if there is room; the caller retires it. `store`: the instruction if it is a store, which counts as in the queue too; else 0. false: it
 * takes the general path. */
static inline bool tx_queue_push_next(struct tx_core *c, struct tx_push_run *pushes, uint32_t word, uint32_t pc,
                                      sim_time enter, uint32_t store) {
  struct tx_frontend *fe = pushes->fe;
  const bool queued = store || enter < c->push_left;
  const sim_time due = enter + pushes->cycles, at = tx_later_of(due, c->port_free);
  if (store ? at != due : !queued && !fe->moving && !pushes->first_queued) return false;
  if (!queued && enter >= c->port_free + TX_PUSH_MOVES) return false;
  tx_frontend_put(fe, 0, word, pc, TX_WORD_PLAIN | (queued ? TX_WORD_QUEUED : 0), at);
  tx_frontend_enter(fe, 1);
  if (store) {
    pushes->store = store;
    pushes->store_pc = pc;
  }
  if (queued) {
    c->push_left = at;
    if (!pushes->first_queued) pushes->first_queued = at;
  }
  c->port_free = at + 1;
  pushes->last_enter = enter;
  pushes->count++;
  return true;
}

/* --- timing off --- */
/* Timing off: pushes those of the `count` words of a cache line from pc on that are .ttinsn and for which FIFO 1 has room. */
unsigned tx_queue_push_at_once(struct tx_core_run *run, const uint32_t *line, unsigned count);
/* Timing off: would a push in cycle `at` find what an earlier one of this stretch has found, and room? */
static inline bool tx_queue_goes_on(const struct tx_core_run *run, sim_time at) {
  return at < run->pushes_until && !run->t->engine.schedule_changed && tx_frontend_places(run->t, run->fe);
}
/* The same as tx_queue_push_at_once for the words from `pc` on in that case, the first of which is a .ttinsn, if the core has not loaded from the
 * tile since the push before. */
static inline unsigned tx_queue_push_on(struct tx_core_run *run, sim_time at, const uint32_t *line, unsigned count,
                                        uint32_t pc) {
  struct tx_tile *t = run->t;
  if (at > run->now) run->now = t->engine.now = at;
  const unsigned pushed = tx_frontend_push_line(t, run->fe, line, count, pc, t->engine.now);
  t->port[run->core].stores += pushed;
  t->unsaved.memo.last_tile_access[run->core] = at + pushed - 1;
  return pushed;
}
/* And for a store of a word to the core's own FIFO 1. */
static inline __attribute__((always_inline)) void tx_queue_store_on(struct tx_core_run *run, sim_time at, uint32_t word,
                                                                    uint32_t pc) {
  struct tx_tile *t = run->t;
  struct tx_frontend *fe = run->fe;
  if (at > run->now) run->now = t->engine.now = at;
  tx_frontend_put(fe, 0, word, pc, TX_WORD_PLAIN, t->engine.now);
  tx_frontend_enter(fe, 1);
  t->port[run->core].stores++;
  t->unsaved.memo.last_tile_access[run->core] = at;
}
/* Timing off: a T core's store of a word to its own FIFO 1 in this cycle; false: it may be blocked, and tx_queue_store
 * decides. */
bool tx_queue_push_word(struct tx_core_run *run, uint32_t word);
/* Timing off: FIFO 1 has no room for a push of this word at the core's pc, and the core waits for it. UNKNOWN: it may have, or something else may block the
 * push. FREED: with `drains`, its thread was next, with only words for the vector unit, and the core after it: they were executed here. The core goes on in a new
 * turn of its own, and its push finds room. */
enum tx_room { TX_ROOM_UNKNOWN, TX_ROOM_AWAITED, TX_ROOM_FREED };
enum tx_room tx_queue_await_room(struct tx_core_run *run, uint32_t word, bool drains);
/* time at which its head is emitted; SIM_NEVER: empty, or rejected by the bus */
sim_time tx_queue_due(const struct tx_core *c);
void tx_queue_drain(struct tx_core_run *run);
void tx_queue_ask_again(struct tx_core *c); /* the bus may accept the rejected store now */
/* Is a store in the queue in cycle `at`, the present or a later one? A push may already be in FIFO 1, for the cycle in
 * which it leaves. */
bool tx_queue_occupied(const struct tx_core *c, sim_time at);
/* A load that is repeated precedes a push that leaves the queue in the same cycle. Delays such words in FIFO 1 by a cycle;
 * returns a bit for each slot, for tx_queue_show. */
uint32_t tx_queue_hide(const struct tx_core_run *run);
void tx_queue_show(const struct tx_core_run *run, uint32_t slots);
bool tx_queue_overlaps(const struct tx_core *c, uint32_t address, unsigned bytes, sim_time at);
uint32_t tx_queue_writes(const struct tx_core_run *run); /* resources of Auto TTSync that instructions in it write */
void tx_effect_CORE_LINE(struct tx_tile *t, const struct sim_effect *e);

/* Timing on: a push is held in EX1 because FIFO 1 was full, and nothing else is pending. true: it is still full, and the
 * run has the core's wait, as after another attempt. */
bool tx_queue_fifo_is_full(struct tx_core_run *run);

#endif
