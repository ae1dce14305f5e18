/* The examination of look.h. */
#include "observe/hang/look.h"

#include <stddef.h>

#include "tensix/riscv/polls.h"

#define IDLE_MIN 8192u /* instructions without a load from outside before a core computes; more in a long examination */
#define CYCLES_PER_RETURN 64u /* returns in new states, before a core computes: as many as an examination has of these */
#define SETTLING_CYCLES 128u  /* after them every store of before has arrived, and has been read by a poll */

uint64_t obs_work_done(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) sum += t->gate[thread].issued + t->frontend[thread].pushed;
  return sum;
}

uint64_t obs_stores_done(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned core = 0; core < TX_CORES; core++) sum += t->port[core].stores;
  return sum;
}

/* Stores and atomics of cores on their way to L1 belong to their loops. */
static bool only_stores_pend(const struct tx_tile *t) {
  for (uint32_t i = 0; i < t->engine.effect_count; i++)
    if (t->engine.effects[i].kind != TX_EFFECT_CORE_LINE && t->engine.effects[i].kind != TX_EFFECT_CORE_ATOMIC) return false;
  return true;
}

bool obs_only_cores_act(const struct tx_tile *t) {
  if (!only_stores_pend(t)) return false;
  for (unsigned agent = 0; agent < t->engine.agent_count; agent++)
    if (!(agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC) && t->engine.agents[agent].at != SIM_NEVER) return false;
  return true;
}

/* An atomic has been sent and its result arrives: the core goes on by itself. */
static bool awaits_atomic(const struct tx_core *c) { return c->waiting.kind == TX_WAITING_ATOMIC; }

static bool spins(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  const struct sim_agent *agent = &t->engine.agents[TX_AGENT_TRISC0 + core];
  const bool answered = agent->wait.kind == TX_BLOCKED_LOAD && agent->at != SIM_NEVER; /* it acts when its turn comes */
  bool waits = agent->wait.kind && !awaits_atomic(c) && !answered;
  return c->state == TX_CORE_RUNNING && !waits;
}

/* Parked, but a word that it polls was written: it looks again. */
static bool is_woken(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  return c->state == TX_CORE_RUNNING && c->spin.parked && t->engine.agents[TX_AGENT_TRISC0 + core].at != SIM_NEVER;
}

bool obs_some_core_spins(const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (spins(t, core)) return true;
  return false;
}

/* What was stored may end an orbit: every core has to execute a whole round after this. */
static void settle_again(struct obs_look *look, sim_time at) {
  look->settled = at + SETTLING_CYCLES;
  for (unsigned core = 0; core < TX_CORES; core++) look->orbit[core].whole = look->orbit[core].confirmed = false;
}

/* The core waits for a known time: in TTSync for a unit that is busy until then. */
static bool wakes_later(const struct tx_tile *t, unsigned core) {
  const struct sim_agent *agent = &t->engine.agents[TX_AGENT_TRISC0 + core];
  return agent->wait.kind == TX_BLOCKED_TTSYNC && agent->at != SIM_NEVER;
}

static void on_instruction(void *context, const struct sim_event *e) {
  struct obs_look *look = context;
  unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES) return;
  if (look->late >> core & 1u) settle_again(look, e->at); /* what it stores now may end a loop */
  if (!(look->cores >> core & 1u)) return;
  struct obs_orbit *o = &look->orbit[core];
  const uint32_t writes = o->writes;
  const bool was_open = o->state == OBS_ORBIT_OPEN;
  obs_orbit_step(o, look->t, core, e, e->at >= look->settled);
  if (was_open && o->writes != writes) settle_again(look, e->at);
}

static void on_atomic(struct tx_atomic_listener *listener, const struct tx_atomic *a, uint32_t pc) {
  struct obs_look *look = (struct obs_look *)((char *)listener - offsetof(struct obs_look, atomics));
  struct obs_orbit *o = &look->orbit[a->core];
  if (!(look->cores >> a->core & 1u)) return;
  obs_orbit_atomic(o, pc, a->address, a->old, a->value);
  if (o->state == OBS_ORBIT_OPEN && a->value != a->old) settle_again(look, look->t->engine.now);
}

static void listen(struct obs_look *look, struct tx_tile *t) {
  look->handle = sim_log_attach(&t->unsaved.log, on_instruction, look, 1u << TX_EVENT_CORE);
  if (look->handle < 0) return;
  look->atomics.note = on_atomic;
  t->unsaved.atomics = &look->atomics;
}

bool obs_look_begin(struct obs_look *look, struct tx_tile *t, sim_time cycles) {
  const uint32_t idle_max = cycles / 2 > IDLE_MIN ? (uint32_t)(cycles / 2) : IDLE_MIN;
  look->t = t;
  look->cores = 0;
  look->settled = t->engine.now + SETTLING_CYCLES;
  look->late = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (wakes_later(t, core)) look->late |= 1u << core;
    if (!spins(t, core)) continue;
    look->cores |= 1u << core;
    obs_orbit_begin(&look->orbit[core], &t->core[core], idle_max, (uint32_t)(cycles / CYCLES_PER_RETURN));
  }
  look->handle = -1;
  if (look->cores) listen(look, t);
  return look->handle >= 0;
}

void obs_look_pause(struct obs_look *look) {
  if (look->t && look->handle >= 0) {
    sim_log_detach(&look->t->unsaved.log, look->handle);
    look->t->unsaved.atomics = NULL;
    look->atomics.note = NULL;
  }
  look->t = NULL;
}

bool obs_look_resume(struct obs_look *look, struct tx_tile *t) {
  look->t = t;
  listen(look, t);
  if (look->handle < 0) look->t = NULL;
  return look->handle >= 0;
}

static unsigned in_state(const struct obs_look *look, enum obs_orbit_state state) {
  unsigned cores = 0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if ((look->cores >> core & 1u) && look->orbit[core].state == state) cores |= 1u << core;
  return cores;
}

/* L0 is not coherent: a loop reads old words until one of its hits flushes the cache, and may then end. */
static bool reads_old_words(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  if (!(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_L0) && c->csr[TX_CSR_CFG0] & TX_CFG0_NO_L0_FLUSH)
    return false; /* old words forever */
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    uint32_t pc = c->polls.pc[i], address = c->polls.address[i];
    if (!tx_core_polls_now(c, i) || pc > TX_L1_BYTES - 4 || address > TX_L1_BYTES - 4) continue;
    unsigned bytes = tx_access_bytes(tx_rv_decode(tx_l1_read(t, pc, 4)).op);
    if (tx_l1_read(t, address, bytes) != c->polls.value[i]) return true;
  }
  return false;
}

static bool some_reads_old_words(const struct obs_look *look) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if ((look->cores >> core & 1u) && reads_old_words(look->t, core)) return true;
  return false;
}

/* Is one of these words polled by the parked core? A store to it wakes the core. */
static bool wakes(const struct tx_core *c, const struct obs_words *words) {
  for (unsigned i = 0; i < c->spin.count; i++)
    if (obs_words_have(words, c->spin.keys[i])) return true;
  return false;
}

/* Does the core load one of these words, or store to it? A core that is not traced was parked. */
static bool uses(const struct obs_look *look, unsigned core, const struct obs_words *words) {
  const struct tx_core *c = &look->t->core[core];
  const struct obs_orbit *o = &look->orbit[core];
  if (c->state != TX_CORE_RUNNING) return false;
  if (look->cores >> core & 1u) return obs_words_meet(words, &o->loaded) || obs_words_meet(words, &o->stored);
  return c->spin.parked ? wakes(c, words) : spins(look->t, core);
}

/* A core stores in its loop to a word that another one uses: together they may still change something. */
static bool some_share_words(const struct obs_look *look) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct obs_orbit *o = &look->orbit[core];
    for (unsigned other = 0; (look->cores >> core & 1u) && other < TX_CORES; other++)
      if (other != core && uses(look, other, &o->stored)) return true;
  }
  return false;
}

static bool some_counts(const struct obs_look *look, uint32_t word) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (look->cores >> core & 1u && obs_words_have(&look->orbit[core].counted, word)) return true;
  return false;
}

/* Cores that store to them in loops of other lengths may at some time have stored what a condition on several words wants. */
static bool some_key_is_stored(const struct obs_look *look, const struct sim_agent *a) {
  for (unsigned core = 0; core < TX_CORES; core++)
    for (uint32_t i = 0; look->cores >> core & 1u && i < a->park_count; i++)
      if (obs_words_have(&look->orbit[core].stored, a->park_keys[i] & ~3u)) return true;
  return false;
}

/* An agent that is no core waits for a word in which a core counts its rounds: a unit, or a condition of the host. */
static bool some_count_is_awaited(const struct obs_look *look) {
  const struct sim_engine *engine = &look->t->engine;
  for (unsigned agent = 0; agent < engine->agent_count; agent++) {
    const struct sim_agent *a = &engine->agents[agent];
    if (!(engine->parked >> agent & 1u) || (agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC)) continue;
    if (a->park_count > 1 && some_key_is_stored(look, a)) return true;
    for (uint32_t i = 0; i < a->park_count; i++)
      for (uint32_t at = 0; at == 0 || at < a->park_span; at += 4)
        if (a->park_keys[i] + at < TX_L1_BYTES && some_counts(look, (a->park_keys[i] + at) & ~3u)) return true;
  }
  return false;
}

/* A core looks into a local RAM whose content varies from round to round. */
static bool some_peeks(const struct obs_look *look) {
  bool peeks = false, hides = false;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!(look->cores >> core & 1u)) continue;
    peeks |= look->orbit[core].peeks;
    hides |= look->orbit[core].hides;
  }
  return peeks && hides;
}

/* A core measures how long a load takes, which depends on what the others do then. */
static bool some_measures_beside_others(const struct obs_look *look) {
  unsigned running = 0, measures = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    running += look->t->core[core].state == TX_CORE_RUNNING;
    measures += look->cores >> core & 1u && look->orbit[core].measures;
  }
  return measures && running > 1;
}

static bool may_end(const struct obs_look *look) {
  return some_reads_old_words(look) || some_share_words(look) || some_count_is_awaited(look) || some_peeks(look) ||
         some_measures_beside_others(look);
}

static bool all_closed(const struct obs_look *look) { return in_state(look, OBS_ORBIT_CLOSED) == look->cores; }

/* Each core has executed a round of its orbit since the last store that may end one. A core whose clock is ahead (tessera explore holds it) has not yet seen
 * what was stored meanwhile. */
static bool all_confirmed(const struct obs_look *look) {
  const struct tx_tile *t = look->t;
  if (t->engine.now < look->settled) return false;
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &t->core[core];
    bool traced = look->cores >> core & 1u, held = c->clock > t->engine.now + SETTLING_CYCLES;
    if (c->state != TX_CORE_RUNNING || (traced && look->orbit[core].confirmed && !c->spin.parked)) continue;
    if (is_woken(t, core) || held || (traced && !c->spin.parked) || (!traced && wakes_later(t, core))) return false;
  }
  return true;
}

/* A core that was parked when the examination began, and was not traced, has been woken: it may do anything now. */
static bool some_is_woken(const struct obs_look *look) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!(look->cores >> core & 1u) && (is_woken(look->t, core) || spins(look->t, core))) return true;
  return false;
}

bool obs_look_closed(const struct obs_look *look) {
  return all_closed(look) && all_confirmed(look) && !some_is_woken(look) && !may_end(look);
}
bool obs_look_lost(const struct obs_look *look) {
  return in_state(look, OBS_ORBIT_LOST) != 0 || some_is_woken(look) ||
         (all_closed(look) && all_confirmed(look) && may_end(look));
}

/* The first word that the core has loaded in its round, or another one that it does not write itself: it does not wait for its own lock. */
static uint32_t awaited_word(const struct obs_look *look, unsigned core) {
  const struct obs_orbit *o = &look->orbit[core];
  const struct tx_core_polls *p = &look->t->core[core].polls;
  unsigned last = TX_CORE_POLLS;
  if (o->address > TX_L1_BYTES - 4 || !obs_words_have(&o->stored, o->address & ~3u)) return o->address;
  for (unsigned i = 0; i < TX_CORE_POLLS; i++) {
    const uint32_t word = p->address[i] & ~3u;
    if (!p->last[i] || !obs_words_have(&o->loaded, word) || obs_words_have(&o->stored, word)) continue;
    last = tx_core_later_poll(&look->t->core[core], i, last);
  }
  return last == TX_CORE_POLLS ? o->address : p->address[last];
}

static void report_polling_cores(const struct obs_look *look, sim_time since) {
  struct tx_tile *t = look->t;
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct obs_orbit *o = &look->orbit[core];
    unsigned agent = TX_AGENT_TRISC0 + core;
    if (!(look->cores >> core & 1u)) continue;
    bool atomic = awaits_atomic(&t->core[core]);
    if (t->engine.agents[agent].wait.kind && !atomic) continue; /* it was parked meanwhile and has its own start time */
    const uint32_t address = awaited_word(look, core);
    uint32_t value = o->polls && address <= TX_L1_BYTES - 4 ? tx_l1_read(t, address & ~3u, 4) : 0;
    struct sim_wait wait = {.kind = o->polls ? TX_BLOCKED_ADDRESS : TX_BLOCKED_LOOP,
                            .object = o->polls ? address : o->low_pc,
                            .detail = o->polls ? (uint64_t)value << 32 : o->local_address};
    if (atomic) t->engine.agents[agent].wait = wait;
    else sim_block(&t->engine, agent, wait);
    const sim_time started = t->core[core].started_at;
    t->engine.agents[agent].wait.since = since > started ? since : started;
  }
}

void obs_look_end(struct obs_look *look, bool hangs, sim_time since) {
  if (hangs) report_polling_cores(look, since);
  obs_look_pause(look);
}
