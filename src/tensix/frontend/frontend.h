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
#include "tensix/frontend/autosync.h"
#include "tensix/frontend/fifo.h"
#include "tensix/frontend/mop.h"
#include "tensix/isa/isa.h"
#include "tensix/machine.h"
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
/* --- the entry of FIFO 1 --- */
/* FIFO 1 accepts a push while it holds at most fifo1_accept_max words: the number of pushes for which that is so, if no word
 * leaves. */
static inline uint32_t tx_frontend_places(const struct tx_tile *t, const struct tx_frontend *fe) {
  const uint32_t end = t->params.fifo1_accept_max + 1;
  return fe->fifo1.count < end ? end - fe->fifo1.count : 0;
}
/* Every push: writes a word, pushed in cycle `at`, `behind` places after the end of FIFO 1. Then tx_frontend_enter counts all
 * words that were written so. */
static inline void tx_frontend_put(struct tx_frontend *fe, uint32_t behind, uint32_t word, uint32_t pc, uint32_t flags,
                                   sim_time at) {
  const uint32_t slot = (fe->fifo1.head + fe->fifo1.count + behind) % TX_FIFO_SLOTS;
  fe->pushed_at[slot] = at;
  fe->fifo1.slot[slot] = (struct tx_word){word, pc, flags};
}
static inline void tx_frontend_enter(struct tx_frontend *fe, uint32_t words) {
  fe->fifo1.count += words;
  fe->pushed += words;
  sim_assert(fe->fifo1.count <= TX_FIFO_SLOTS);
}
/* The number of words that FIFO 1 certainly accepts, even if none leaves it meanwhile. */
static inline uint32_t tx_frontend_room(struct tx_tile *t, unsigned thread) {
  tx_frontend_settle(t, thread, t->engine.now);
  return tx_frontend_places(t, sim_keep(&t->frontend[thread]));
}
void tx_frontend_wake(struct tx_tile *t, unsigned thread); /* after the first tx_frontend_push_at of a run */
/* A push in cycle `at`, the present or a later one; there must be room, and Auto TTSync must be off. */
void tx_frontend_push_at(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at);
/* The same for a word that stays in the core's store queue until then: the gate ignores it before. Wakes the gate. */
#define TX_WORD_QUEUED 8u /* in tx_word.flags, in FIFO 1 only */
void tx_frontend_push_queued(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at);
/* Timing off: pushes the consecutive .ttinsn words at the start of `line` (code), in cycle `at`, for which FIFO 1 has room,
 * one at least; returns their number. */
static inline unsigned tx_frontend_push_line(const struct tx_tile *t, struct tx_frontend *fe, const uint32_t *line,
                                             unsigned count, uint32_t pc, sim_time at) {
  const uint32_t places = tx_frontend_places(t, fe);
  unsigned pushed = 0;
  sim_assert(places && (line[0] & 3u) != 3u);
  if (count > places) count = places;
  do {
    tx_frontend_put(fe, pushed, line[pushed] >> 2 | line[pushed] << 30, pc + 4 * pushed, TX_WORD_PLAIN, at);
  } while (++pushed < count && (line[pushed] & 3u) != 3u);
  tx_frontend_enter(fe, pushed);
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
/* --- a plain stream over many cycles (stream.c): the words keep their order, so that three numbers describe its moves --- */
struct tx_flow {
  uint32_t to2, to3, passed; /* words that left FIFO 1, 2 and 3 */
  uint32_t moving;           /* after the last step */
  sim_time stepped;          /* the last cycle that was stepped */
};
/* No expansion, recording, playback or BRISC word. */
static inline bool tx_frontend_is_plain(const struct tx_frontend *fe) {
  return !(fe->replay.playing | fe->replay.loading | fe->mop.active | fe->brisc_count);
}
/* May it be one? Also a word is at the gate, and the stages are settled up to the cycle before. */
static inline bool tx_frontend_flows(const struct tx_frontend *fe, sim_time now) {
  return tx_frontend_is_plain(fe) && fe->stepped == now - 1 && fe->fifo3.count;
}
/* Performs these moves; each FIFO has slots for all words that pass through it. */
void tx_frontend_flow(struct tx_tile *t, unsigned thread, const struct tx_flow *flow);
/* The core's store to MopCfg[index] is processed in this cycle. */
void tx_frontend_write_mop_cfg(struct tx_tile *t, unsigned thread, unsigned index, uint32_t value);

/* --- the stages in one cycle: the only place that moves a word from FIFO to FIFO while time counts.
 *
 * As a recurrence, for word k of a thread, in cycles: the MOP expander emits it in t2, the replay expander in t3, the gate
 * passes it in `pass`. FIFO 2 has 8 slots, FIFO 3 has 2, and at most 5 plain words are behind the MOP expander.
 *   t2[k] = max(t2[k-1] + 1, push + 1, t3[k-8], the end of all but 4 of the plain words before it)
 *   t3[k] = max(t3[k-1] + 1, t2[k] + 1, pass[k-2])
 *   pass[k] >= max(pass[k-1] + 1, t3[k] + 1)
 * A plain word ends when it passes. The words of a MOP follow each other in t2, each with the registers of that cycle. Its
 * end is found in max(t2 of its last word + 1, t3[k-8]): a MOP may follow in that cycle, another word in the next. The words
 * of a playback follow each other in t3, the first in the cycle in which the REPLAY leaves FIFO 2 and ends. A word that is
 * only recorded leaves FIFO 2, and ends, without a slot of FIFO 3. BRISC's word enters FIFO 2 in the cycle after its push; a
 * word of the thread in that cycle is lost.
 * tests/test_frontend_times.c computes random programs so and compares. */
#define TX_STAGE static inline __attribute__((always_inline))

/* --- frontend.c: what is rare, or may be reported --- */
/* The replay expander starts a playback or a recording, records, or plays a slot. */
bool tx_frontend_replay(struct tx_tile *t, unsigned thread);
/* The head of FIFO 1 is for the MOP expander; `room`: FIFO 2 has a slot. */
bool tx_frontend_ingest(struct tx_tile *t, unsigned thread, bool room);
/* The MOP expander and the mux while BRISC's word is there. */
bool tx_frontend_step_mux(struct tx_tile *t, unsigned thread);
/* FIFO 2 is full and waits for the end of a playback, and no word of FIFO 1 can go elsewhere: FIFO 1 keeps its words for as
 * many cycles as words are left to be played. */
bool tx_frontend_playback_blocks(const struct tx_tile *t, const struct tx_frontend *fe);

/* The head of FIFO 1 was pushed before the cycle being stepped. */
static inline bool tx_frontend_has_arrived(const struct tx_frontend *fe) {
  return fe->fifo1.count && fe->pushed_at[fe->fifo1.head] < fe->stepped;
}

/* The replay expander, with a REPLAY before it or in it. true: a word has moved. */
static inline bool tx_frontend_step_replay(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  struct tx_replay *r = &fe->replay;
  if (!r->playing || !(r->loaded >> r->index & 1u)) return tx_frontend_replay(t, thread);
  if (fe->fifo3.count >= t->params.fifo3_capacity) return false;
  tx_fifo_push(&fe->fifo3, r->slot[r->index], r->pc, r->entry << TX_SYNC_ENTRY_SHIFT);
  r->index = (r->index + 1) % TX_REPLAY_SLOTS;
  r->playing--;
  fe->replayed++;
  return true;
}

/* The next word of the expansion enters FIFO 2. false: there is none, and the expander becomes inactive. */
TX_STAGE bool tx_frontend_expand(struct tx_frontend *fe, uint32_t flags) {
  uint32_t word;
  if (!tx_mop_next(&fe->mop, &word)) return false;
  fe->expanded++;
  tx_fifo_push(&fe->fifo2, word, fe->mop.pc, flags | fe->mop.entry << TX_SYNC_ENTRY_SHIFT);
  return true;
}

#define TX_FOR_MOP_EXPANDER (1u << TX_MOP | 1u << TX_MOP_CFG | 1u << TX_RESOURCEDECL)

/* FIFO 1 and the MOP expander. true: a word has moved, or an expansion has ended: in that cycle only a MOP may follow it. */
TX_STAGE bool tx_frontend_step_mop(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  const bool room = fe->fifo2.count < t->params.fifo2_capacity;
  bool ended = false;
  if (fe->mop.active) {
    if (!room) return false;
    if (tx_frontend_expand(fe, 0)) return true;
    ended = true;
  }
  if (!tx_frontend_has_arrived(fe)) return ended;
  struct tx_word *w = tx_fifo_head(&fe->fifo1);
  const uint32_t opcode = w->word >> 24;
  if (ended && opcode != TX_MOP) return true;
  if (opcode <= TX_RESOURCEDECL && TX_FOR_MOP_EXPANDER >> opcode & 1u) return tx_frontend_ingest(t, thread, room) | ended;
  if (!room || fe->plain_behind >= t->params.plain_behind_max) return false;
  w->flags &= ~(uint32_t)TX_WORD_QUEUED;
  tx_fifo_move(&fe->fifo1, &fe->fifo2);
  fe->plain_behind++;
  return true;
}

/* The expander holds a word without a free slot for it, and only the gate can free one. */
static inline bool tx_frontend_is_stuck(const struct tx_tile *t, const struct tx_frontend *fe) {
  return fe->mop.active && fe->fifo2.count >= t->params.fifo2_capacity && fe->fifo3.count >= t->params.fifo3_capacity &&
         !(fe->brisc_count | fe->replay.loading) && fe->fifo2.slot[fe->fifo2.head].word >> 24 != TX_REPLAY;
}

/* The cycle `stepped`. */
static inline void tx_frontend_step(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  const bool forwards = !(fe->replay.playing | fe->replay.loading);
  bool expands = forwards && fe->mop.active && !fe->brisc_count, replayed = false;
  if (fe->fifo2.count && forwards && tx_fifo_head(&fe->fifo2)->word >> 24 != TX_REPLAY) {
    replayed = fe->fifo3.count < t->params.fifo3_capacity;
    if (replayed) tx_fifo_move(&fe->fifo2, &fe->fifo3);
  } else if (fe->fifo2.count | fe->replay.playing) {
    expands = expands && !fe->fifo2.count;
    replayed = tx_frontend_step_replay(t, thread, fe);
  }
  const bool moved = fe->brisc_count ? tx_frontend_step_mux(t, thread) : tx_frontend_step_mop(t, thread, fe);
  tx_assert(fe->plain_behind <= fe->fifo2.count + fe->fifo3.count);
  if (replayed | moved)
    fe->moving = expands && tx_frontend_is_stuck(t, fe) ? 0 : TX_MOVING; /* 0: not even in the next step */
  else fe->moving = !fe->mop.active && fe->fifo1.count && !tx_frontend_has_arrived(fe) ? TX_MOVING_LATER : 0;
}

/* Timing on: as tx_frontend_settle before a look of the gate, where mostly one cycle is missing. false: none was. */
static inline bool tx_frontend_settle_gate(struct tx_tile *t, unsigned thread, struct tx_frontend *fe, sim_time through) {
  if (fe->stepped >= through) return false;
  if (fe->stepped == through - 1 && fe->moving == TX_MOVING) {
    fe->stepped = through;
    tx_frontend_step(t, thread, fe);
  } else {
    tx_frontend_settle(t, thread, through);
  }
  return true;
}

/* The expander or the playback has a word for the slot that was just freed: it frees none of FIFO 1. */
static inline bool tx_frontend_refills(const struct tx_tile *t, const struct tx_frontend *fe) {
  if (fe->replay.playing && tx_frontend_playback_blocks(t, fe)) return true;
  return fe->mop.active && tx_mop_has(&fe->mop, fe->fifo2.count < t->params.fifo2_capacity ? 2 : 1) &&
         !tx_frontend_may_record(fe);
}

/* The gate consumes the head of FIFO 3. */
TX_STAGE void tx_frontend_take_head(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  const uint32_t flags = tx_fifo_head(&fe->fifo3)->flags;
  fe->plain_behind -= flags & TX_WORD_PLAIN;
  if (flags >> TX_SYNC_ENTRY_SHIFT) tx_autosync_pass(t, thread, flags);
  tx_fifo_pop(&fe->fifo3);
  fe->moving = TX_MOVING;
  if ((fe->replay.playing | fe->mop.active) && tx_frontend_refills(t, fe) && !tx_frontend_others_wait(t, thread)) return;
  /* A TTSync load is evaluated again at once. */
  tx_frontend_signal_taken(t, thread, !(fe->fifo3.count | fe->fifo2.count) && tx_frontend_empty(t, thread), false);
}

#endif
