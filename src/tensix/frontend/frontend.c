/* The front end of frontend.h: its two expanders, pushes, and what others ask of it.
 * The end of frontend.h moves the words. */
#include "tensix/frontend/frontend.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/frontend/autosync.h"
#include "tensix/frontend/fifo.h"
#include "tensix/frontend/mop.h"
#include "tensix/machine.h"

/* Sets the thread and the word that diagnostics and faults of the front end name, and their cycle: that which is stepped. */
static void set_current(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc) {
  t->unsaved.settling = t->timing ? t->frontend[thread].stepped : 0;
  t->current.agent = tx_agent_of_thread(thread);
  t->current.word = word;
  t->current.pc = pc;
  t->current.unit = TX_UNIT_FRONTEND;
}

/* The instruction that ran before a step. */
static void reset_current(struct tx_tile *t, const struct tx_current *current) {
  t->unsaved.settling = 0;
  t->current = *current;
}

/* --- replay expander: FIFO 2 to FIFO 3 --- */

static void play_one(struct tx_tile *t, unsigned thread, struct tx_frontend *fe, uint32_t flags) {
  struct tx_replay *r = &fe->replay;
  tx_assert(r->playing > 0 && r->playing <= TX_REPLAY_SLOTS && r->index < TX_REPLAY_SLOTS);
  if (!(r->loaded >> r->index & 1u)) {
    set_current(t, thread, r->slot[r->index], r->pc);
    tx_diag(t, TX_DIAG_REPLAY_UNLOADED, "slot %u", r->index);
  }
  tx_fifo_push(&fe->fifo3, r->slot[r->index], r->pc, flags | r->entry << TX_SYNC_ENTRY_SHIFT);
  r->index = (r->index + 1) % TX_REPLAY_SLOTS;
  r->playing--;
  fe->replayed++;
}

static void record_one(struct tx_frontend *fe) {
  struct tx_replay *r = &fe->replay;
  struct tx_word w = *tx_fifo_head(&fe->fifo2);
  tx_fifo_pop(&fe->fifo2);
  tx_assert(r->loading > 0 && r->loading <= TX_REPLAY_SLOTS && r->index < TX_REPLAY_SLOTS);
  r->slot[r->index] = w.word;
  r->loaded |= 1u << r->index;
  r->index = (r->index + 1) % TX_REPLAY_SLOTS;
  r->loading--;
  if (r->forward) tx_fifo_push(&fe->fifo3, w.word, w.pc, w.flags);
  else if (w.flags & TX_WORD_PLAIN) fe->plain_behind--;
  tx_assert(fe->plain_behind <= 2 * TX_FIFO_SLOTS); /* did not underflow */
}

/* A REPLAY word leaves FIFO 2. Playback emits its first word in the same cycle. */
static void start_replay(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  struct tx_replay *r = &fe->replay;
  struct tx_word w = *tx_fifo_head(&fe->fifo2);
  bool load = TX_FIELD(w.word, REPLAY, load_mode), exec = TX_FIELD(w.word, REPLAY, execute_while_loading);
  uint32_t count = TX_FIELD(w.word, REPLAY, len);
  set_current(t, thread, w.word, w.pc);
  if (exec && !load) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "REPLAY.md", "REPLAY with execute_while_loading but without load_mode");
    return;
  }
  if (count > TX_REPLAY_SLOTS) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "REPLAY.md", "REPLAY of %u words: the buffer holds %u", count, TX_REPLAY_SLOTS);
    return;
  }
  tx_fifo_pop(&fe->fifo2);
  tx_assert(!r->loading && !r->playing);
  if (w.flags & TX_WORD_PLAIN) fe->plain_behind--;
  if (count == 0) count = TX_REPLAY_SLOTS;
  r->index = TX_FIELD(w.word, REPLAY, start_idx);
  if (__builtin_expect(t->unsaved.ports->replay != NULL, 0)) t->unsaved.ports->replay(t, thread, load, r->index, count);
  if (load) {
    r->loading = count;
    r->forward = exec;
  } else {
    r->playing = count;
    r->pc = w.pc;
    r->entry = w.flags >> TX_SYNC_ENTRY_SHIFT;
    play_one(t, thread, fe, w.flags & TX_WORD_ORDERED);
  }
}

static bool step_expander(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  struct tx_replay *r = &fe->replay;
  const bool room = fe->fifo3.count < t->params.fifo3_capacity;
  if (r->playing) {
    if (room) play_one(t, thread, fe, 0);
    return room;
  }
  const struct tx_word *w = tx_fifo_head(&fe->fifo2);
  const bool is_replay = w->word >> 24 == TX_REPLAY;
  if (r->loading) {
    if (r->forward && !room) return false;
    if (is_replay) { /* stored like any other word; the gate rejects it when it is forwarded or played */
      set_current(t, thread, w->word, w->pc);
      tx_diag(t, TX_DIAG_REPLAY_RECORDED, "slot %u", r->index);
    }
    record_one(fe);
    return true;
  }
  tx_assert(is_replay);
  if (!room && !TX_FIELD(w->word, REPLAY, load_mode)) return false;
  start_replay(t, thread, fe);
  return true;
}

bool tx_frontend_replay(struct tx_tile *t, unsigned thread) {
  const struct tx_current current = t->current;
  const bool moved = step_expander(t, thread, sim_keep(&t->frontend[thread]));
  reset_current(t, &current);
  return moved;
}

/* --- MOP expander and mux: FIFO 1 to FIFO 2 --- */

static void start_mop(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  const struct tx_word w = *tx_fifo_head(&fe->fifo1);
  const struct tx_current current = t->current;
  tx_fifo_pop(&fe->fifo1);
  set_current(t, thread, w.word, w.pc);
  tx_assert(!fe->mop.active);
  switch (tx_mop_start(&fe->mop, w.word, w.pc)) {
    case TX_MOP_OUTER_129: tx_diag(t, TX_DIAG_MOP_OUTER_129, NULL); break;
    case TX_MOP_LOW_BITS: tx_diag(t, TX_DIAG_MOP_LOW_BITS, "low bits 0x%x", w.word & 0x7fffffu); break;
    case TX_MOP_FINE: break;
  }
  fe->mop.entry = w.flags >> TX_SYNC_ENTRY_SHIFT;
  reset_current(t, &current);
  tx_frontend_expand(fe, w.flags & TX_WORD_ORDERED);
}

/* BRISC uses the mux in the cycle in which the last word has entered FIFO 2: that word is lost. */
static void lose_last(struct tx_tile *t, unsigned thread, struct tx_frontend *fe) {
  const struct tx_word w = fe->fifo2.slot[(fe->fifo2.head + --fe->fifo2.count) % TX_FIFO_SLOTS];
  const struct tx_current current = t->current;
  fe->plain_behind -= w.flags & TX_WORD_PLAIN;
  set_current(t, thread, w.word, w.pc);
  tx_diag(t, TX_DIAG_MUX_COLLISION, NULL);
  reset_current(t, &current);
}

bool tx_frontend_step_mux(struct tx_tile *t, unsigned thread) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const uint32_t before = fe->fifo2.count;
  tx_frontend_step_mop(t, thread, fe);
  if (fe->fifo2.count > before) lose_last(t, thread, fe);
  tx_fifo_push(&fe->fifo2, fe->brisc.word, fe->brisc.pc, TX_WORD_BRISC);
  fe->brisc_count = 0;
  return true;
}

bool tx_frontend_ingest(struct tx_tile *t, unsigned thread, bool room) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_word w = *tx_fifo_head(&fe->fifo1);
  if (w.word >> 24 == TX_MOP) {
    if (room) start_mop(t, thread, fe);
    return room;
  }
  if (w.word >> 24 == TX_MOP_CFG) fe->mop.mask_hi = TX_FIELD(w.word, MOP_CFG, zmask_hi16);
  else if (!(w.flags & TX_WORD_ORDERED)) /* RESOURCEDECL: while Auto TTSync is on the push has changed its tables */
    tx_autosync_declare(t, thread, w.word);
  tx_fifo_pop(&fe->fifo1);
  return true;
}

/* --- timing off: no stages, the gate pulls the next word directly --- */

/* A word has reached the replay expander: a REPLAY, or one that is recorded. true: `w` proceeds to the gate, unchanged or as the first
 * word of a playback. */
static bool pull_replay(struct tx_tile *t, unsigned thread, struct tx_word *w) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_fifo_push(&fe->fifo2, w->word, w->pc, w->flags);
  tx_frontend_step_replay(t, thread, fe);
  if (!fe->fifo3.count || t->fault.kind) return false;
  *w = *tx_fifo_head(&fe->fifo3);
  tx_fifo_pop(&fe->fifo3);
  return true;
}

/* The head of FIFO 1 is a word for the MOP expander: consumes it. false: it produces no word. */
static bool pull_by_expander(struct tx_tile *t, unsigned thread, struct tx_frontend *fe, struct tx_word *w) {
  tx_frontend_ingest(t, thread, true);
  if (!fe->fifo2.count) return false;
  *w = *tx_fifo_head(&fe->fifo2);
  tx_fifo_pop(&fe->fifo2);
  if (w->flags & TX_WORD_PLAIN) fe->plain_behind--;
  w->flags &= ~(uint32_t)TX_WORD_PLAIN;
  return true;
}

/* The next word of the playback; its slot may not be loaded. */
static void pull_played(struct tx_tile *t, unsigned thread, struct tx_frontend *fe, struct tx_word *w) {
  struct tx_replay *r = &fe->replay;
  *w = (struct tx_word){r->slot[r->index], r->pc, r->entry << TX_SYNC_ENTRY_SHIFT};
  if (!(r->loaded >> r->index & 1u)) {
    set_current(t, thread, w->word, w->pc);
    tx_diag(t, TX_DIAG_REPLAY_UNLOADED, "slot %u", r->index);
  }
  r->index = (r->index + 1) % TX_REPLAY_SLOTS;
  r->playing--;
  fe->replayed++;
}

bool tx_frontend_play(const struct tx_tile *t, struct tx_frontend *fe, uint32_t word, uint32_t pc) {
  const uint32_t count = TX_FIELD(word, REPLAY, len);
  if (TX_FIELD(word, REPLAY, load_mode) | TX_FIELD(word, REPLAY, execute_while_loading) || count > TX_REPLAY_SLOTS ||
      t->unsaved.ports->replay)
    return false;
  fe->replay.index = TX_FIELD(word, REPLAY, start_idx);
  fe->replay.playing = count ? count : TX_REPLAY_SLOTS;
  fe->replay.pc = pc;
  fe->replay.entry = 0;
  return true;
}

bool tx_frontend_feed(const struct tx_tile *t, struct tx_frontend *fe) {
  const struct tx_word w = *tx_fifo_head(&fe->fifo1);
  if (w.flags != TX_WORD_PLAIN) return false;
  if (w.word >> 24 == TX_MOP) {
    if (!tx_mop_starts_well(&fe->mop, w.word)) return false;
    tx_mop_start(&fe->mop, w.word, w.pc);
    fe->mop.entry = 0;
  } else if (w.word >> 24 == TX_MOP_CFG) {
    fe->mop.mask_hi = TX_FIELD(w.word, MOP_CFG, zmask_hi16);
  } else if (w.word >> 24 != TX_REPLAY || !tx_frontend_play(t, fe, w.word, w.pc)) {
    return false;
  }
  tx_fifo_pop(&fe->fifo1);
  return true;
}

/* The next word that reaches the replay expander. false: there is none. */
static bool pull_unreplayed(struct tx_tile *t, unsigned thread, struct tx_frontend *fe, struct tx_word *w) {
  for (;;) {
    if (fe->brisc_count) {
      *w = (struct tx_word){fe->brisc.word, fe->brisc.pc, TX_WORD_BRISC};
      fe->brisc_count = 0;
      return true;
    }
    if (fe->mop.active) {
      if (!tx_mop_next(&fe->mop, &w->word)) continue;
      w->pc = fe->mop.pc;
      w->flags = fe->mop.entry << TX_SYNC_ENTRY_SHIFT;
      fe->expanded++;
      return true;
    }
    if (!fe->fifo1.count) return false;
    *w = *tx_fifo_head(&fe->fifo1);
    uint32_t opcode = w->word >> 24;
    if ((opcode == TX_MOP || opcode == TX_MOP_CFG) && tx_frontend_feed(t, fe)) continue;
    if (opcode != TX_MOP && opcode != TX_MOP_CFG && opcode != TX_RESOURCEDECL) {
      tx_fifo_pop(&fe->fifo1);
      w->flags &= ~(uint32_t)TX_WORD_PLAIN;
      return true;
    }
    if (pull_by_expander(t, thread, fe, w)) return true;
    if (t->fault.kind) return false;
  }
}

bool tx_frontend_pull(struct tx_tile *t, unsigned thread, struct tx_word *w) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  while (!t->fault.kind) {
    if (fe->replay.playing) {
      pull_played(t, thread, fe, w);
      return true;
    }
    if (!pull_unreplayed(t, thread, fe, w)) break;
    if (w->word >> 24 != TX_REPLAY && !fe->replay.loading) return true;
    if (!fe->replay.loading && !w->flags && tx_frontend_play(t, fe, w->word, w->pc)) continue;
    if (pull_replay(t, thread, w)) return true;
  }
  fe->moving = 0;
  return false;
}

void tx_frontend_put_back(struct tx_tile *t, unsigned thread, const struct tx_word *w) {
  tx_fifo_push(&t->frontend[thread].fifo3, w->word, w->pc, w->flags);
}

/* --- the outside --- */

void tx_frontend_settle_slowly(struct tx_tile *t, unsigned thread, sim_time through) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (t->fault.kind) return;
  do {
    if (fe->moving == TX_MOVING) {
      fe->stepped++;
    } else if (!fe->moving) {
      fe->stepped = through;
      return;
    } else { /* no word moves before the arrival of one that is pushed ahead of time, if the expander lets it in */
      const sim_time arrives = fe->fifo1.count && !fe->mop.active ? fe->pushed_at[fe->fifo1.head] : 0;
      if (arrives >= through) {
        fe->stepped = through;
        return;
      }
      fe->stepped = (arrives > fe->stepped ? arrives : fe->stepped) + 1;
    }
    tx_frontend_step(t, thread, fe);
  } while (fe->stepped < through && !t->fault.kind);
}

bool tx_frontend_hurry(struct tx_tile *t, unsigned thread) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  const struct tx_what_if *w = t->unsaved.what_if;
  for (uint32_t i = 0; i < fe->fifo1.count; i++) { /* words that the core pushed in zero time have arrived */
    uint32_t slot = (fe->fifo1.head + i) % TX_FIFO_SLOTS;
    if (!tx_what_if_code(w, thread, fe->fifo1.slot[slot].pc)) break;
    if (fe->pushed_at[slot] >= fe->stepped) fe->pushed_at[slot] = fe->stepped ? fe->stepped - 1 : 0;
  }
  if (t->fault.kind) return false;
  tx_frontend_step(t, thread, fe);
  return fe->moving == TX_MOVING;
}

uint32_t tx_frontend_arrived(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  uint32_t count = fe->fifo1.count;
  while (t->timing && count && fe->pushed_at[(fe->fifo1.head + count - 1) % TX_FIFO_SLOTS] > t->engine.now) count--;
  return count;
}

bool tx_frontend_empty(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (fe->fifo2.count | fe->fifo3.count | fe->mop.active | fe->replay.playing | fe->brisc_count) return false;
  return !fe->fifo1.count || (t->timing && fe->pushed_at[fe->fifo1.head] > t->engine.now); /* the head arrives first */
}

bool tx_frontend_mop_idle(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (fe->mop.active) return false;
  for (uint32_t i = 0, count = tx_frontend_arrived(t, thread); i < count; i++)
    if ((fe->fifo1.slot[(fe->fifo1.head + i) % TX_FIFO_SLOTS].word >> 24) == TX_MOP) return false;
  return true;
}

/* The gate acts when the first new word can have reached it; a push does not wake cores that wait for room. */
void tx_frontend_wake(struct tx_tile *t, unsigned thread) {
  if (!t->frontend[thread].moving) t->frontend[thread].moving = TX_MOVING_LATER;
  sim_wake_agent(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_FIFO + thread), t->engine.now + 3);
}

/* Its head is for an expander, which may consume it without a free slot after it. */
static bool moves_by_itself(const struct tx_fifo *fifo) {
  return fifo->count && tx_is_frontend_opcode(fifo->slot[fifo->head].word);
}

bool tx_frontend_playback_blocks(const struct tx_tile *t, const struct tx_frontend *fe) {
  return fe->replay.playing && fe->fifo2.count >= t->params.fifo2_capacity && !fe->brisc_count &&
         (fe->mop.active || !moves_by_itself(&fe->fifo1));
}

/* FIFO 1 keeps its words until a plain one passes the gate, and the next to pass is not plain: a core that waits for room need not look in the
 * next cycle. It looks in the cycle after that other one has passed. */
static bool awaits_plain(const struct tx_tile *t, const struct tx_frontend *fe) {
  if (fe->plain_behind < t->params.plain_behind_max || !fe->fifo1.count || !fe->fifo3.count) return false;
  if (fe->fifo3.slot[fe->fifo3.head].flags & TX_WORD_PLAIN || (fe->mop.active | fe->brisc_count)) return false;
  if (t->unsaved.log.mask & TX_EVENTS_OF_CORES || t->unsaved.what_if) return false; /* a log has the core's attempts */
  return !moves_by_itself(&fe->fifo1) && !tx_frontend_may_record(fe);
}

/* A push that is in FIFO 1 ahead of time leaves the core's queue now. Its departure would have set `moving`, which a step before it has cleared. */
static bool departs_now(const struct tx_tile *t, const struct tx_frontend *fe) {
  for (uint32_t i = fe->fifo1.count; i > 0; i--) {
    const uint32_t slot = (fe->fifo1.head + i - 1) % TX_FIFO_SLOTS;
    if (fe->pushed_at[slot] < t->engine.now) break;
    if (fe->pushed_at[slot] == t->engine.now && fe->fifo1.slot[slot].flags & TX_WORD_QUEUED) return true;
  }
  return false;
}

sim_time tx_frontend_drains_at(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  if (!t->timing || tx_frontend_is_stuck(t, fe) || (!fe->moving && !departs_now(t, fe))) return 0;
  if (awaits_plain(t, fe)) return 0;
  if (tx_frontend_playback_blocks(t, fe)) return t->engine.now + fe->replay.playing;
  /* A plain stream whose slots after FIFO 1 are full moves only when the gate takes a word. */
  if (tx_frontend_is_plain(fe) && fe->plain_behind >= t->params.plain_behind_max &&
      fe->fifo3.count >= t->params.fifo3_capacity && !moves_by_itself(&fe->fifo1) && !moves_by_itself(&fe->fifo2))
    return 0;
  uint32_t left = tx_mop_left(&fe->mop);
  return t->engine.now + (left ? left : 1);
}

/* A push, of which Auto TTSync knows `flags`. */
static void push(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, uint32_t flags, sim_time at) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_assert(thread < TX_THREADS && fe->fifo1.count < TX_FIFO_SLOTS);
  tx_assert(at >= t->engine.now || t->engine.in_turns); /* with turns a core may be behind the others */
  tx_frontend_put(fe, 0, word, pc, TX_WORD_PLAIN | flags, at);
  tx_frontend_enter(fe, 1);
}

void tx_frontend_push_at(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at) {
  tx_assert(tx_frontend_places(t, &t->frontend[thread]) && !TX_AUTOSYNC_ON(t, thread));
  push(t, thread, word, pc, 0, at);
}

void tx_frontend_push_queued(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc, sim_time at) {
  tx_assert(tx_frontend_places(t, &t->frontend[thread]) && !TX_AUTOSYNC_ON(t, thread));
  push(t, thread, word, pc, TX_WORD_QUEUED, at);
  if (!t->frontend[thread].moving) t->frontend[thread].moving = TX_MOVING_LATER;
  sim_wake_agent(&t->engine, tx_agent_of_thread(thread), TX_CH(TX_CH_FIFO + thread), at + 3);
}

void tx_frontend_push_fused(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc) {
  push(t, thread, word, pc, TX_AUTOSYNC_ON(t, thread) ? tx_autosync_enter(t, thread, word) : 0, t->engine.now);
}

bool tx_frontend_push(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc) {
  if (tx_frontend_room(t, thread) == 0) return false;
  tx_frontend_push_fused(t, thread, word, pc);
  tx_frontend_wake(t, thread);
  return true;
}

bool tx_frontend_push_brisc(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t pc) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_frontend_settle(t, thread, t->engine.now);
  if (fe->brisc_count || fe->fifo2.count >= t->params.fifo2_capacity) return false;
  tx_assert(thread < TX_THREADS && !fe->brisc_count);
  fe->brisc.word = word; /* at the mux in the next cycle */
  fe->brisc.pc = pc;
  fe->brisc_count = 1;
  fe->pushed++;
  fe->moving = TX_MOVING;
  tx_frontend_wake(t, thread);
  return true;
}

void tx_frontend_wake_cores(struct tx_tile *t, unsigned thread, bool frees) {
  struct sim_engine *engine = &t->engine;
  if (!frees && awaits_plain(t, sim_keep(&t->frontend[thread])) && !tx_frontend_others_wait(t, thread)) return;
  for (unsigned agent = TX_AGENT_TRISC0; agent <= TX_AGENT_NCRISC; agent++)
    if (engine->agents[agent].channels >> (TX_CH_FIFO + thread) & 1u) sim_wake_listener(engine, agent, engine->now + 1);
}

void tx_frontend_pop(struct tx_tile *t, unsigned thread) {
  tx_frontend_take_head(t, thread, sim_keep(&t->frontend[thread]));
}

void tx_frontend_write_mop_cfg(struct tx_tile *t, unsigned thread, unsigned index, uint32_t value) {
  struct tx_frontend *fe = sim_keep(&t->frontend[thread]);
  tx_frontend_settle(t, thread, t->engine.now);
  if (!tx_frontend_mop_idle(t, thread)) {
    t->current.agent = tx_agent_of_trisc(thread);
    t->current.word = fe->mop.active ? fe->mop.word : 0;
    tx_diag(t, TX_DIAG_MOPCFG_RACE, "MopCfg[%u] of thread %u", index, thread);
  }
  fe->mop.cfg[index] = value;
}
