/* The front end of one thread: FIFO 1, MOP expander, mux, FIFO 2, replay expander, FIFO 3. The wait gate consumes FIFO 3.
 *
 *   T core --> FIFO 1 --> MOP expander --> mux --> FIFO 2 --> replay expander --> FIFO 3 --> wait gate
 *                                           ^
 *                                 BRISC ----+
 *
 * A word moves one stage per cycle. The stages are stepped lazily: `stepped` is the last cycle that was stepped, and
 * code that reads or changes this state first calls tx_frontend_settle. In a cycle the gate consumes first, then the stages move
 * (from the gate backwards), then cores push: a word pushed in cycle c can pass the gate in cycle c+3.
 *
 * ISA: PushTensixInstruction.md (Blackhole), MOPExpander.md, REPLAY.md; occupancy rule: docs/evidence/errata.md A42. */
#ifndef TESSERA_TENSIX_FRONTEND_H
#define TESSERA_TENSIX_FRONTEND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/keep.h"
#include "tensix/frontend/mop.h"
#include "tensix/isa/isa.h"
#include "tensix/state.h"

/* Steps all cycles up to and including `through`. */
void tx_frontend_settle_slowly(struct tx_tile *t, unsigned thread, sim_time through);
static inline void tx_frontend_settle(struct tx_tile *t, unsigned thread, sim_time through) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (!t->timing) fe->stepped = through; /* only the gate moves words, by pulling them */
  else if (fe->stepped >= through) return;
  else if (!fe->moving) fe->stepped = through; /* until a push or the gate changes its state */
  else tx_frontend_settle_slowly(t, thread, through);
}
/* Moves each stage once in zero time: for words of a what-if rerun. false: nothing moved. */
bool tx_frontend_hurry(struct tx_tile *t, unsigned thread);
/* The next time at which a slot of FIFO 1 may become free without the gate consuming a word; 0: none, the gate signals it
 * (TX_CH_FIFO). */
sim_time tx_frontend_drains_at(const struct tx_tile *t, unsigned thread);
/* The number of words that FIFO 1 certainly accepts, even if none leaves it meanwhile. */
static inline uint32_t tx_frontend_room(struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_frontend_settle(t, thread, t->engine.now);
  return fe->refusing ? 0 : t->params.fifo1_accept_max + 1 - fe->fifo1.count;
}
void tx_frontend_wake(struct tx_tile *t, unsigned thread); /* after the first tx_frontend_push_at of a run */
/* A push in cycle `at`, the present or a later one; there must be room, and Auto TTSync must be off. */
void tx_frontend_push_at(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at);
/* The same for a word that stays in the core's store queue until then: the gate ignores it before. Wakes the gate. */
#define TX_WORD_QUEUED 8u /* in tx_word.flags, in FIFO 1 only */
void tx_frontend_push_queued(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at);
/* Several pushes: puts each into FIFO 1, for which there must be room, then counts them. `first_queued`: the cycle of the
 * first that stays in the store queue until then; 0: none. */
static inline void tx_frontend_put(struct tx_frontend *fe, uint32_t word, uint32_t pc, uint32_t flags, sim_time at) {
  const uint32_t slot = (fe->fifo1.head + fe->fifo1.count++) % TX_FIFO_SLOTS;
  fe->pushed_at[slot] = at;
  fe->fifo1.slot[slot] = (struct tx_word){word, pc, flags};
}
void tx_frontend_note_pushes(struct tx_tile *t, unsigned thread, uint32_t count, sim_time first_queued);
/* Timing off: pushes the consecutive .ttinsn words at the start of `line` (code) for which FIFO 1 has room, one at least;
 * returns their number. `accept_max`: params.fifo1_accept_max */
static inline unsigned tx_frontend_push_line(struct tx_frontend *fe, uint32_t accept_max, const uint32_t *line,
                                             unsigned count, uint32_t pc) {
  struct tx_fifo *fifo = &fe->fifo1;
  sim_assert(fifo->count <= accept_max && !fe->refusing && (line[0] & 3u) != 3u);
  const uint32_t room = accept_max + 1 - fifo->count;
  uint32_t end = fifo->head + fifo->count;
  unsigned pushed = 0;
  if (count > room) count = room;
  do {
    struct tx_word *slot = &fifo->slot[end++ % TX_FIFO_SLOTS];
    slot->word = line[pushed] >> 2 | line[pushed] << 30;
    slot->pc = pc + 4 * pushed;
    slot->flags = TX_WORD_PLAIN;
  } while (++pushed < count && (line[pushed] & 3u) != 3u);
  fifo->count += pushed;
  fe->refusing = pushed == room;
  fe->pushed += pushed;
  return pushed;
}
/* The number of words of FIFO 1 that have arrived: a core may push ahead of time, and such a word is not visible before its
 * cycle. */
uint32_t tx_frontend_arrived(const struct tx_tile *t, unsigned thread);
bool tx_frontend_empty(const struct tx_tile *t,
                       unsigned thread); /* nothing queued, expanding or playing (a load may be open) */
bool tx_frontend_mop_idle(const struct tx_tile *t, unsigned thread); /* no MOP queued before or in the expander */
/* One more push in this cycle, fused with the one before. */
void tx_frontend_push_fused(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc);
/* A T core's push in this cycle. false: FIFO 1 is full; wait for channel TX_CH_FIFO + thread. */
bool tx_frontend_push(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc);
/* BRISC's push, after the MOP expander. false: FIFO 2 is full. */
bool tx_frontend_push_brisc(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc);
/* Timing off: consumes the head of FIFO 1. `accept_max`: params.fifo1_accept_max */
static inline struct tx_word tx_frontend_take(struct tx_frontend *fe, uint32_t accept_max) {
  struct tx_word w = fe->fifo1.slot[fe->fifo1.head];
  sim_poison(&fe->fifo1.slot[fe->fifo1.head]);
  fe->fifo1.head = (fe->fifo1.head + 1) % TX_FIFO_SLOTS;
  if (--fe->fifo1.count <= accept_max) fe->refusing = 0;
  w.flags &= ~(uint32_t)TX_WORD_PLAIN;
  return w;
}
/* Timing off, without Auto TTSync: a REPLAY that has reached the replay expander starts a playback. false: it does something
 * else, without a change. */
bool tx_frontend_play(const struct tx_tile *t, struct tx_frontend *fe, uint32_t word, uint32_t pc);
/* Timing off: the head of FIFO 1 starts a MOP or a playback, or sets the mask of MOPs; the expanders are idle. false: it does
 * something else, or has a finding, without a change. */
bool tx_frontend_feed(const struct tx_tile *t, struct tx_frontend *fe);
/* Timing off: removes the next word for the gate from the front end; false: there is none, or a fault. FIFO 3 must be
 * empty. */
bool tx_frontend_pull(struct tx_tile *t, unsigned thread, struct tx_word *w);
/* Timing off: the pulled word cannot pass; it waits in FIFO 3. */
void tx_frontend_put_back(struct tx_tile *t, unsigned thread, const struct tx_word *w);
/* Auto TTSync waits for words to pass, or BRISC for room in FIFO 2. */
static inline bool tx_frontend_others_wait(const struct tx_tile *t, unsigned thread) {
  return t->autosync[thread].core_waits || t->engine.agents[TX_AGENT_BRISC].channels >> (TX_CH_FIFO + thread) & 1u;
}
/* Signals to the cores that a word has left this front end, for which no other agent waits. `idle`: it was the last; `frees`: one has left FIFO 1 with
 * it, else none has yet in this cycle. */
void tx_frontend_wake_cores(struct tx_tile *t, unsigned thread, bool frees);
static inline void tx_frontend_signal_taken(struct tx_tile *t, unsigned thread, bool idle, bool frees) {
  struct sim_engine *engine = &t->engine;
  const struct sim_agent *cores = &engine->agents[TX_AGENT_TRISC0];
  const uint64_t channel = TX_CH(TX_CH_FIFO + thread), channels = channel | (idle ? TX_CH(TX_CH_IDLE) : 0);
  if (engine->watched & channels & TX_CH(TX_CH_IDLE)) {
    sim_signal(engine, channels, engine->now + 1);
    return;
  }
  engine->signalled = engine->signalled_at == engine->now ? engine->signalled | channels : channels;
  engine->signalled_at = engine->now;
  if ((cores[0].channels | cores[1].channels | cores[2].channels | cores[3].channels | cores[4].channels) & channel)
    tx_frontend_wake_cores(t, thread, frees);
}
void tx_frontend_pop(struct tx_tile *t, unsigned thread); /* the gate consumes the head of FIFO 3 */
void tx_frontend_step(struct tx_tile *t,
                      unsigned thread); /* then the stages move in this cycle, if that causes no fault or finding */
/* The same; if that causes no fault or finding it also steps the stages for this cycle (pop.h has the fast paths). */
void tx_frontend_pop_and_step_slowly(struct tx_tile *t, unsigned thread);
/* --- a plain stream over many cycles (stream.c): the words keep their order, so that three numbers describe its moves --- */
struct tx_flow {
  uint32_t to2, to3, passed; /* words that left FIFO 1, 2 and 3 */
  uint32_t moving;           /* after the last step */
  sim_time stepped;          /* the last cycle that was stepped */
};
/* May it be one? No expansion, recording, playback or BRISC word, a word at the gate, settled up to the cycle before. */
static inline bool tx_frontend_flows(const struct tx_frontend *fe, sim_time now) {
  if (fe->replay.playing | fe->replay.loading | fe->mop.active | fe->mop.dead | fe->brisc_count) return false;
  return fe->stepped == now - 1 && fe->fifo3.count;
}
/* Performs these moves; each FIFO has slots for all words that pass through it. */
void tx_frontend_flow(struct tx_tile *t, unsigned thread, const struct tx_flow *flow);
/* The core's store to MopCfg[index] is processed in this cycle. */
void tx_frontend_write_mop_cfg(struct tx_tile *t, unsigned thread, unsigned index, uint32_t value);

#endif
