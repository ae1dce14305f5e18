/* The tile: reset, run, hash, copy. The gates and the cores implement the phases of a cycle. */
#include "tensix/tile/tile.h"

#include <string.h>

#include "sim/hash.h"
#include "tensix/frontend/sole.h"
#include "tensix/frontend/turn.h"
#include "tensix/lap_notes.h"
#include "tensix/mem/memo.h"
#include "tensix/tile/noc_port.h"
#include "tensix/tile/perf.h"
#include "tensix/tile/window_mmio.h"

/* --- effects --- */

#define EFFECT(name) void tx_effect_##name(struct tx_tile *t, const struct sim_effect *e);
#include "tensix/effects.def"
#undef EFFECT

void tx_tile_apply_effect(struct tx_tile *t, const struct sim_effect *effect) {
  typedef void handler_fn(struct tx_tile * t, const struct sim_effect *e);
  static handler_fn *const handlers[TX_EFFECT_COUNT] = {
#define EFFECT(name) [TX_EFFECT_##name] = tx_effect_##name,
#include "tensix/effects.def"
#undef EFFECT
  };
  t->current.agent = effect->agent;
  t->current.pc = effect->pc;
  t->current.word = effect->word;
  tx_assert(effect->kind < TX_EFFECT_COUNT && effect->at <= t->engine.now);
  handlers[effect->kind](t, effect);
}

static void apply_effect(void *machine, const struct sim_effect *effect) { tx_tile_apply_effect(machine, effect); }

/* --- the phases of a cycle --- */

static void request(void *machine, unsigned agent) {
  struct tx_tile *t = machine;
  if (agent <= TX_AGENT_THREAD2) tx_gate_request(t, agent);
}

static void arbitrate(void *machine, uint64_t due) {
  struct tx_tile *t = machine;
  (void)due;
  if (t->arbiter.touched) tx_gate_arbitrate(t);
}

static void issue_core(struct tx_tile *t, unsigned core) {
  if (t->core[core].state == TX_CORE_HELD && t->unsaved.scripts[core]) tx_script_issue(t, core);
  else tx_core_issue(t, core);
}

static void issue(void *machine, unsigned agent) {
  struct tx_tile *t = machine;
  if (tx_lap_noting(t) && agent > TX_AGENT_NCRISC)
    tx_lap_refuse(t, "an instruction waits in the scalar unit, or a watch acts");
  if (agent <= TX_AGENT_THREAD2) tx_gate_issue(t, agent);
  else if (agent <= TX_AGENT_NCRISC) issue_core(t, agent - TX_AGENT_TRISC0);
  else if (agent == TX_AGENT_SCALAR) tx_scalar_issue(t);
  else if (agent >= TX_AGENT_WATCH) tx_watch_issue(t, agent - TX_AGENT_WATCH);
}

/* A cycle with all its phases. */
static void cycle(void *machine, uint64_t due) {
  struct tx_tile *t = machine;
  const uint64_t threads = due & ((1u << TX_THREADS) - 1u);
  if (threads) tx_gate_cycle(t, (unsigned)threads);
  for (uint64_t left = due & ~threads; left; left &= left - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(left);
    issue(t, agent);
    sim_acted(&t->engine, agent);
  }
}

static void run_threads(void *machine, sim_time limit) { tx_gate_run_threads(machine, limit); }

static void run_sole(void *machine, unsigned agent, sim_time limit) {
  struct tx_tile *t = machine;
  if (agent <= TX_AGENT_THREAD2) {
    tx_gate_take_turn(t, agent, limit); /* with timing they run as a group */
    return;
  }
  if (agent <= TX_AGENT_NCRISC && t->core[agent - TX_AGENT_TRISC0].state != TX_CORE_HELD) {
    tx_core_run_sole(t, agent - TX_AGENT_TRISC0, limit);
    return;
  }
  request(machine, agent);
  issue(machine, agent);
  if (t->engine.agents[agent].at <= t->engine.now) t->engine.agents[agent].at = t->engine.now + 1;
}

/* A log is in the order of time. */
static void acts_aside(void *machine, sim_time now) {
  struct tx_tile *t = machine;
  t->unsaved.log.floor = now;
}

/* Front ends are stepped lazily: they are settled before the tile is read. If no agent can continue, words that still move get
 * the cycles they need. */
static void settle_all(struct tx_tile *t, enum sim_end end) {
  bool moving;
  do {
    moving = false;
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
      tx_frontend_settle(t, thread, t->engine.now);
      moving |= t->frontend[thread].moving;
    }
    if (end == SIM_END_BLOCKED && moving) t->engine.now++;
  } while (t->timing && end == SIM_END_BLOCKED && moving && !t->fault.kind);
}

/* Before the run ends, pushes that are in FIFO 1 ahead of time leave their core's store queue. */
static enum sim_end let_pushes_leave(struct tx_tile *t, sim_time until, enum sim_end end) {
  sim_time last = t->engine.now;
  if (end != SIM_END_BLOCKED && end != SIM_END_DONE) return end;
  for (unsigned core = 0; core < TX_THREADS; core++)
    if (t->core[core].push_left > last) last = t->core[core].push_left;
  t->engine.now = last <= until ? last : until;
  if (last > until) return SIM_END_TIME;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    if (t->core[thread].push_left != last) continue;
    tx_frontend_settle(t, thread, last);
    if (!t->frontend[thread].moving) t->frontend[thread].moving = TX_MOVING_LATER; /* as after a push in this cycle */
  }
  return end;
}

static bool looks(struct sim_engine *engine, unsigned agent, uint32_t key) {
  struct tx_tile *t = (struct tx_tile *)((char *)engine - offsetof(struct tx_tile, engine));
  return tx_watch_look(t, agent - TX_AGENT_WATCH, key);
}

static const struct sim_machine in_time = {.effect = apply_effect,
                                           .request = request,
                                           .arbitrate = arbitrate,
                                           .issue = issue,
                                           .cycle = cycle,
                                           .run_sole = run_sole,
                                           .run_group = run_threads,
                                           .group = TX_AGENT_THREAD2 + 1};
static const struct sim_machine in_turns = {.effect = apply_effect,
                                            .request = request,
                                            .arbitrate = arbitrate,
                                            .issue = issue,
                                            .run_sole = run_sole,
                                            .turn_cycles = TX_TURN_CYCLES,
                                            .acts_aside = acts_aside,
                                            .looks = looks};

#ifdef TESSERA_INVARIANTS
static void set_guards(struct tx_tile *t) {
#define SET(name) t->guard_##name = SIM_GUARD_VALUE;
  TX_GUARDS(SET)
#undef SET
}

static void check_guards(const struct tx_tile *t) {
#define CHECK(name) tx_assert(t->guard_##name == SIM_GUARD_VALUE);
  TX_GUARDS(CHECK)
#undef CHECK
}
#else
static void set_guards(const struct tx_tile *t) { (void)t; }
static void check_guards(const struct tx_tile *t) { (void)t; }
#endif

/* A core that waits for nothing forgets signals of its last wait when it is entered again, which in a turn happens where the run is divided:
 * it forgets them here, so that the state does not depend on that. */
static void forget_signals(struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!t->core[core].refused && !t->core[core].waiting.kind) t->engine.agents[TX_AGENT_TRISC0 + core].woken_at = 0;
}

enum sim_end tx_tile_run(struct tx_tile *t, sim_time until) {
  tx_assert(t->unsaved.ports && t->engine.agent_count == TX_AGENT_COUNT);
  if (t->fault.kind) return SIM_END_STOPPED;
  t->unsaved.cores.until = until;
  enum sim_end end = sim_run(&t->engine, until, t->timing ? &in_time : &in_turns, t);
  if (t->timing) end = let_pushes_leave(t, until, end);
  else forget_signals(t);
  settle_all(t, end);
  check_guards(t);
  return end;
}

/* --- some cores alone --- */

#define ALONE_EFFECTS 16u /* more than cores can cause before the run ends */

/* What the engine is without during such a run. */
struct others {
  struct sim_agent agents[TX_AGENT_COUNT];
  struct sim_effect effects[ALONE_EFFECTS];
  unsigned char head[offsetof(struct sim_engine, agents)];
};

static bool is_one_of(uint32_t cores, unsigned agent) {
  return agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC && cores >> (agent - TX_AGENT_TRISC0) & 1u;
}

static void take_others(struct sim_engine *e, uint32_t cores, struct others *o) {
  memcpy(o->head, e, sizeof o->head);
  memcpy(o->agents, e->agents, sizeof o->agents);
  memcpy(o->effects, e->effects, sizeof o->effects);
  e->watched = e->signalled = e->signalled_at = 0;
  e->effect_count = 0;
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++) {
    if (is_one_of(cores, i)) continue;
    e->agents[i].at = SIM_NEVER;
    e->agents[i].channels = 0;
    e->agents[i].state = SIM_AGENT_DONE;
  }
}

static void give_others(struct sim_engine *e, uint32_t cores, const struct others *o) {
  memcpy(e, o->head, sizeof o->head);
  memcpy(e->effects, o->effects, sizeof o->effects);
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++)
    if (!is_one_of(cores, i)) e->agents[i] = o->agents[i];
}

/* The same with timing off, where they are aside. */
static bool catch_up_alone(struct tx_tile *t, uint32_t cores, sim_time until, sim_time *reached) {
  struct sim_engine *e = &t->engine;
  const uint64_t aside = (uint64_t)cores << TX_AGENT_TRISC0;
  const uint32_t turn = e->turn;
  const sim_time turn_end = e->turn_end, turn_reached = e->turn_reached, caught_up = e->caught_up;
  tx_assert((aside & ~e->aside) == 0);
  e->turn = 0;
  e->stop = 0;
  e->in_turns = 1;
  sim_turns_catch_up(e, aside, until, &in_turns, t);
  const bool only_read = !e->stop && (aside & ~e->aside) == 0;
  *reached = caught_up;
  for (unsigned i = TX_AGENT_TRISC0; i <= TX_AGENT_NCRISC; i++)
    if (aside >> i & 1u && e->agents[i].at > *reached) *reached = e->agents[i].at;
  e->aside |= aside;
  e->stop = 0;
  e->in_turns = 0;
  e->turn = turn;
  e->turn_end = turn_end;
  e->turn_reached = turn_reached;
  e->caught_up = caught_up;
  return only_read;
}

bool tx_tile_run_alone(struct tx_tile *t, uint32_t cores, sim_time until, sim_time *reached) {
  struct sim_engine *e = &t->engine;
  const uint64_t parked = e->parked; /* their polls still count at the ports of L1 */
  if (!t->timing) {
    t->unsaved.cores.until = until;
    return catch_up_alone(t, cores, until, reached);
  }
  struct others others;
  take_others(e, cores, &others);
  t->unsaved.cores.until = until;
  const enum sim_end end = sim_run(e, until, &in_time, t);
  const bool only_read = end == SIM_END_TIME && !e->effect_count && e->parked == parked;
  *reached = e->now;
  give_others(e, cores, &others);
  return only_read;
}

bool tx_tile_rest(struct tx_tile *t, sim_time until) {
  if (t->fault.kind || !sim_idle(&t->engine)) return false;
  if (t->engine.now < until) t->engine.now = until;
  settle_all(t, SIM_END_TIME);
  return true;
}

/* The next event limits the time: another tile's fault stops a chip before this tile has run all cycles of the window. */
static sim_time time_limit(const struct tx_tile *t, sim_time now) {
  const struct sim_engine *engine = &t->engine;
  if (t->fault.kind) return now;
  sim_time next = t->timing ? sim_next(engine) : engine->effect_count ? engine->effects[0].at : SIM_NEVER;
  return next < now ? next : now;
}

void tx_tile_catch_up(struct tx_tile *t, sim_time now) {
  now = time_limit(t, now);
  if (t->engine.now < now) t->engine.now = now;
  if (!t->fault.kind) settle_all(t, SIM_END_TIME);
}

enum sim_end tx_tile_run_window(struct tx_tile *t, sim_time until, sim_time ahead) {
  if (t->fault.kind) return SIM_END_STOPPED;
  t->unsaved.cores.until = ahead > until ? ahead : until;
  enum sim_end end = sim_run(&t->engine, until, t->timing ? &in_time : &in_turns, t);
  if (t->timing) end = let_pushes_leave(t, until, end);
  else forget_signals(t);
  if (end != SIM_END_STOPPED && t->engine.now < until) t->engine.now = until;
  settle_all(t, SIM_END_TIME);
  check_guards(t);
  return end;
}

/* --- reset --- */

static void reset_agents(struct tx_tile *t) {
  sim_engine_init_zeroed(&t->engine, TX_AGENT_COUNT);
  t->engine.urgent = ~UINT64_C(0) << TX_AGENT_WATCH; /* a condition that is met stops the tile at once */
  t->engine.takers = tx_core_agents();
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    unsigned agent = tx_agent_of_thread(thread);
    sim_sleep_on(&t->engine, agent, TX_CH(TX_CH_FIFO + thread), SIM_NEVER);
    sim_done(&t->engine, tx_agent_of_trisc(thread));
  }
}

static const struct tx_ports ports = {.register_read = tx_mmio_read,
                                      .register_write = tx_mmio_write,
                                      .noc = &tx_noc_port,
                                      .load = tx_bus_load_sized,
                                      .store = tx_bus_store_sized,
                                      .l1_written = tx_ethernet_written,
                                      .perf_look = tx_perf_look};

void tx_tile_reset(struct tx_tile *t, bool timing) {
  memset(t, 0, sizeof *t);
  tx_tile_reset_zeroed(t, timing);
}

void tx_tile_reset_zeroed(struct tx_tile *t, bool timing) {
  set_guards(t);
  t->timing = timing;
  t->l1_bytes = TX_L1_BYTES;
  t->params = tx_params_default();
  t->unsaved.ports = &ports;
  reset_agents(t);
  tx_gate_reset(t);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) tx_autosync_reset(&t->autosync[thread]);
  tx_sync_reset(&t->sync);
  tx_config_reset(&t->config);
  tx_dst_reset(t);
  tx_vector_reset(t);
  for (unsigned core = 0; core < TX_CORES; core++) tx_core_reset(t, core);
  tx_control_reset(t);
  tx_noc_reset(t);
}

/* --- state as a value --- */

void tx_tile_copied(struct tx_tile *t) {
  check_guards(t);
  tx_inflight_copied(t);
  tx_matrix_forget(t);
  tx_forget_decoded(t);
  tx_perf_resume(t);
  tx_memo_forget(t);
}

void tx_tile_copy_state(struct tx_tile *to, const void *from) {
  tx_assert((const void *)to != from);
  memcpy(to, from, offsetof(struct tx_tile, unsaved));
  memset(to->unsaved.l1_same, 0, sizeof to->unsaved.l1_same);
  tx_tile_copied(to);
}

/* Slots that hold no word any more. */
static void clear_passed(struct tx_fifo *fifo) {
  for (uint32_t i = fifo->count; i < TX_FIFO_SLOTS; i++)
    memset(&fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS], 0, sizeof fifo->slot[0]);
}

/* Does a core still push a word of FIFO 1, which is there ahead of its cycle? */
static bool is_pushed_ahead(const struct tx_tile *t, const struct tx_frontend *fe) {
  return fe->fifo1.count && fe->pushed_at[(fe->fifo1.head + fe->fifo1.count - 1) % TX_FIFO_SLOTS] > t->engine.now;
}

/* A word that a core pushed ahead of time keeps its mark in FIFO 1 after its cycle, in which no block reads it. A core that is traced or
 * checked pushes no word ahead: the mark is not part of the hash. Nor are words that have passed, nor whether a step has cleared `moving` since a push
 * ahead of time, which sets it again in its cycle. */
static uint64_t mix_frontends(uint64_t h, const struct tx_tile *t) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    struct tx_frontend fe = t->frontend[thread];
    if (!t->timing) memset(fe.pushed_at, 0, sizeof fe.pushed_at); /* not read, and tx_frontend_push_line does not set it */
    for (uint32_t i = fe.fifo1.count; i < TX_FIFO_SLOTS; i++) fe.pushed_at[(fe.fifo1.head + i) % TX_FIFO_SLOTS] = 0;
    for (unsigned slot = 0; slot < TX_FIFO_SLOTS; slot++)
      if (fe.pushed_at[slot] < t->engine.now) fe.fifo1.slot[slot].flags &= ~TX_WORD_QUEUED;
    if (fe.moving == TX_MOVING_LATER && is_pushed_ahead(t, &fe)) fe.moving = 0;
    clear_passed(&fe.fifo1);
    clear_passed(&fe.fifo2);
    clear_passed(&fe.fifo3);
    h = sim_hash_bytes(h, &fe, sizeof fe);
  }
  return h;
}

/* With timing off nothing reads the order of retirement and the store port's time, and not every push updates them: which ones do depends on
 * observers. They are not part of the hash then. */
static uint64_t mix_cores(uint64_t h, const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct tx_core c = t->core[core];
    if (!tx_spin_has_begun(&c.spin)) { /* it is not read */
      const struct tx_core_spin s = c.spin;
      c.spin = (struct tx_core_spin){.pc = s.pc, .seen = s.seen, .count = s.count, .keys = {s.keys[0]}, .jumps = s.jumps};
    }
    if (!t->timing) {
      memset(c.retire, 0, sizeof c.retire);
      memset(c.waiting.complete, 0, sizeof c.waiting.complete);
      c.retire_next = c.waiting.slot = 0;
      c.port_free = 0;
    }
    h = sim_hash_bytes(h, &c, sizeof c);
  }
  return h;
}

/* Whether a checker watches the list of ranges in flight is no part of the state. */
static uint64_t mix_units(uint64_t h, const struct tx_tile *t, size_t from, size_t to) {
  const unsigned char *bytes = (const unsigned char *)t;
  const size_t inflight = offsetof(struct tx_tile, inflight), behind = inflight + sizeof t->inflight;
  struct tx_inflight plain;
  tx_inflight_plain(t, &plain);
  h = sim_hash_bytes(h, bytes + from, inflight - from);
  h = sim_hash_bytes(h, &plain, sizeof plain);
  return sim_hash_bytes(h, bytes + behind, to - behind);
}

/* `current` is the instruction whose body ran last; engine.stop and schedule_changed are left by what ended the last run. They depend on
 * how the run was divided and are not part of the hash. After a fault cores, and words that they pushed, may be ahead of its cycle by
 * state that only they can observe: it is not part of the hash. */
uint64_t tx_tile_hash(const struct tx_tile *t) {
  const unsigned char *bytes = (const unsigned char *)t;
  const size_t end = offsetof(struct tx_tile, unsaved), units = offsetof(struct tx_tile, units),
               core = offsetof(struct tx_tile, core), script = offsetof(struct tx_tile, script),
               current = offsetof(struct tx_tile, current), frontend = offsetof(struct tx_tile, frontend);
  uint64_t h = UINT64_C(0x9e3779b97f4a7c15);
  if (!t->fault.kind) {
    const uint64_t watched = sim_watched(&t->engine);
    const size_t at = offsetof(struct tx_tile, engine.watched), behind = at + sizeof watched;
    const size_t stop = offsetof(struct tx_tile, engine.stop), after = offsetof(struct tx_tile, engine.in_effects);
    h = sim_hash_bytes(h, bytes, at);
    h = sim_hash_bytes(h, &watched, sizeof watched);
    h = sim_hash_bytes(h, bytes + behind, stop - behind);
    h = sim_hash_bytes(h, bytes + after, current - after);
    h = sim_hash_bytes(h, bytes + current + sizeof t->current, frontend - current - sizeof t->current);
    h = mix_frontends(h, t);
    h = mix_units(h, t, frontend + sizeof t->frontend, core);
    h = mix_cores(h, t);
    h = sim_hash_bytes(h, bytes + core + sizeof t->core, end - core - sizeof t->core);
  } else {
    h = sim_hash_bytes(h, &t->engine.now, sizeof t->engine.now);
    h = sim_hash_bytes(h, &t->fault, sizeof t->fault);
    h = mix_units(h, t, units, core);
    h = sim_hash_bytes(h, bytes + script, end - script);
  }
  return sim_hash_end(h);
}

void tx_tile_use_scalar(struct tx_tile *t) {
  t->vector.scalar_only = 1;
  t->unsaved.matrix.ops = &num_fpu_scalar;
}
