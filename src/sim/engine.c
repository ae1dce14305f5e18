/* The engine of engine.h: an event heap, a scan over the agents, and the four phases of a cycle. */
#include "sim/engine.h"

#include "sim/keep.h"

#include <string.h>

void sim_engine_init(struct sim_engine *engine, unsigned agent_count) {
  memset(engine, 0, sizeof *engine);
  sim_engine_init_zeroed(engine, agent_count);
}

void sim_engine_init_zeroed(struct sim_engine *engine, unsigned agent_count) {
  sim_assert(agent_count <= SIM_AGENTS_MAX - 3); /* a search reads up to three more than are used */
  engine->agent_count = agent_count;
  for (unsigned i = 0; i < SIM_AGENTS_MAX; i++) engine->agents[i].at = SIM_NEVER;
}

/* --- pending effects: a binary heap by (at, seq) --- */

static bool earlier(const struct sim_effect *a, const struct sim_effect *b) {
  if (a->at != b->at) return a->at < b->at;
  return (int32_t)(a->seq - b->seq) < 0; /* sequence numbers wrap; fewer than 2^31 effects are ever pending */
}

/* Entry i is not earlier than its parent, nor are its children earlier than it. For assertions. */
__attribute__((unused)) static bool is_heap(const struct sim_engine *engine, uint32_t i) {
  const struct sim_effect *e = engine->effects;
  if (i > 0 && earlier(&e[i], &e[(i - 1) / 2])) return false;
  for (uint32_t child = 2 * i + 1; child < engine->effect_count && child <= 2 * i + 2; child++)
    if (earlier(&e[child], &e[i])) return false;
  return true;
}

/* Inserts an effect with its own time and sequence number. */
static void insert_effect(struct sim_engine *engine, const struct sim_effect *effect) {
  sim_assert(engine->effect_count < SIM_EFFECTS_MAX);
  sim_assert(effect->at > engine->now); /* an effect takes place later than it is decided */
  uint32_t i = engine->effect_count++;
  while (i > 0) {
    uint32_t parent = (i - 1) / 2;
    if (!earlier(effect, &engine->effects[parent])) break;
    engine->effects[i] = engine->effects[parent];
    i = parent;
  }
  engine->effects[i] = *effect;
  sim_assert(is_heap(engine, i));
}

bool sim_effect_at(struct sim_engine *engine, struct sim_effect effect) {
  if (engine->effect_count >= SIM_EFFECTS_MAX) return false;
  if (effect.at <= engine->now) effect.at = engine->now + 1;
  effect.seq = engine->effect_seq++;
  engine->schedule_changed = 1;
  insert_effect(engine, &effect);
  return true;
}

void sim_effect_retry(struct sim_engine *engine, struct sim_effect effect, sim_time at) {
  effect.at = at > engine->now ? at : engine->now + 1;
  insert_effect(engine, &effect);
}

/* Places an effect at entry i, or below it if it is later than its children. */
static void sink(struct sim_engine *engine, uint32_t i, const struct sim_effect *effect) {
  uint32_t count = engine->effect_count;
  sim_assert(i <= count && count <= SIM_EFFECTS_MAX);
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= count) break;
    if (child + 1 < count && earlier(&engine->effects[child + 1], &engine->effects[child])) child++;
    if (!earlier(&engine->effects[child], effect)) break;
    engine->effects[i] = engine->effects[child];
    i = child;
  }
  engine->effects[i] = *effect;
}

void sim_effect_postpone(struct sim_engine *engine, uint32_t seq, sim_time at) {
  for (uint32_t i = 0; i < engine->effect_count; i++) { /* a handful */
    if (engine->effects[i].seq != seq) continue;
    sim_assert(at >= engine->effects[i].at);
    engine->effects[i].at = at;
    if (2 * i + 1 >= engine->effect_count) return; /* nothing below it */
    struct sim_effect effect = engine->effects[i];
    sink(engine, i, &effect);
    return;
  }
}

bool sim_effect_take(struct sim_engine *engine, uint32_t seq, struct sim_effect *effect) {
  uint32_t i = 0;
  while (i < engine->effect_count && engine->effects[i].seq != seq) i++;
  if (i == engine->effect_count) return false;
  *effect = engine->effects[i];
  const struct sim_effect last = engine->effects[--engine->effect_count];
  memset(&engine->effects[engine->effect_count], 0, sizeof engine->effects[0]);
  if (i == engine->effect_count) return true;
  for (; i > 0 && earlier(&last, &engine->effects[(i - 1) / 2]); i = (i - 1) / 2)
    engine->effects[i] = engine->effects[(i - 1) / 2];
  sink(engine, i, &last);
  return true;
}

static struct sim_effect take_first_effect(struct sim_engine *engine) {
  sim_assert(engine->effect_count > 0 && engine->effects[0].at <= engine->now);
  struct sim_effect first = engine->effects[0];
  struct sim_effect last = engine->effects[--engine->effect_count];
  uint32_t count = engine->effect_count;
  sink(engine, 0, &last);
  /* Clears the freed entry, so that equal states have equal bytes. */
  memset(&engine->effects[count], 0, sizeof engine->effects[count]);
  return first;
}

bool sim_effect_next(struct sim_engine *engine, sim_time by, struct sim_effect *effect) {
  if (!engine->effect_count || engine->effects[0].at > by) return false;
  if (engine->now < engine->effects[0].at) engine->now = engine->effects[0].at;
  *effect = take_first_effect(engine);
  return true;
}

/* --- the next time of an agent --- */

static void unpark(struct sim_engine *engine, unsigned agent) { engine->parked &= ~(UINT64_C(1) << agent); }

/* For an agent that takes no signals the first one ever would stay, and when that is due depends on how the run was divided. */
static void note_signal(const struct sim_engine *engine, struct sim_agent *a, sim_time at) {
  if (!(engine->takers >> (a - engine->agents) & 1u)) return;
  if (!a->woken_at || at < a->woken_at) a->woken_at = at;
}

void sim_take_missed(struct sim_engine *engine, unsigned agent) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  note_signal(engine, a, engine->now + 1);
  if (a->at > engine->now + 1) a->at = engine->now + 1;
}

/* Extends the range of keys on which agents are parked. */
static void widen(struct sim_engine *engine, uint32_t first, uint32_t span) {
  uint32_t last = span - 1 > UINT32_MAX - first ? UINT32_MAX : first + (span - 1);
  if (first < engine->park_low) engine->park_low = first;
  if (last > engine->park_high) engine->park_high = last;
  const uint32_t page = first >> SIM_PARK_PAGE_SHIFT, pages = (last >> SIM_PARK_PAGE_SHIFT) - page;
  if (pages >= 63) engine->park_pages = UINT64_MAX;
  else
    for (uint32_t i = 0; i <= pages; i++) engine->park_pages |= UINT64_C(1) << SIM_PARK_BIT(page + i);
}

void sim_park(struct sim_engine *engine, unsigned agent, const uint32_t *keys, unsigned count, sim_time origin,
              uint32_t period) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  if (count > SIM_PARK_KEYS_MAX) { /* too many addresses to watch: keep polling instead */
    sim_sleep_until(engine, agent, engine->now + period);
    return;
  }
  if (agent >= engine->agents_used) engine->agents_used = agent + 1;
  a->state = SIM_AGENT_PARKED;
  a->channels = 0;
  a->at = SIM_NEVER;
  a->park_origin = origin;
  a->park_period = period ? period : 1;
  a->park_count = count;
  a->park_span = 1;
  for (unsigned i = 0; i < SIM_PARK_KEYS_MAX; i++) a->park_keys[i] = i < count ? keys[i] : 0;
  if (!(engine->parked & ~(UINT64_C(1) << agent))) {
    engine->park_low = UINT32_MAX;
    engine->park_high = 0;
    engine->park_pages = 0;
  }
  engine->parked |= UINT64_C(1) << agent;
  for (unsigned i = 0; i < count; i++) widen(engine, keys[i], 1);
}

void sim_park_range(struct sim_engine *engine, unsigned agent, uint32_t first, uint32_t span) {
  sim_park(engine, agent, &first, 1, engine->now + 1, 1);
  engine->agents[agent].park_span = span;
  widen(engine, first, span);
}

void sim_done(struct sim_engine *engine, unsigned agent) {
  unpark(engine, agent);
  engine->agents[agent].state = SIM_AGENT_DONE;
  engine->agents[agent].channels = 0;
  engine->agents[agent].at = SIM_NEVER;
  sim_unblock(engine, agent);
}

void sim_wake_listener(struct sim_engine *engine, unsigned agent, sim_time at) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  note_signal(engine, a, at);
  if (at >= a->at) return;
  a->at = at;
  engine->schedule_changed = 1;
}

/* `watched` may contain channels for which no agent waits any longer; a signal that visits every agent recomputes it. */
void sim_wake_listeners(struct sim_engine *engine, uint64_t channels, sim_time at) {
  sim_assert(at >= engine->now && engine->agents_used <= engine->agent_count);
  uint64_t watched = 0;
  for (unsigned i = 0; i < engine->agents_used; i++) {
    struct sim_agent *a = &engine->agents[i];
    watched |= a->channels;
    if (!(a->channels & channels)) continue;
    sim_wake_listener(engine, i, at);
  }
  engine->watched = watched;
}

void sim_park_nobody(struct sim_engine *engine) {
  if (engine->agent_count < SIM_AGENTS_MAX) engine->parked |= UINT64_C(1) << (SIM_AGENTS_MAX - 1); /* it has no keys */
}

/* The first poll of the spin that comes after this cycle. */
static sim_time next_poll(const struct sim_engine *engine, const struct sim_agent *a) {
  sim_assert(a->park_period > 0);
  sim_time from = engine->now + 1;
  if (from <= a->park_origin) return a->park_origin;
  sim_time periods = (from - a->park_origin + a->park_period - 1) / a->park_period;
  return a->park_origin + periods * a->park_period;
}

static bool looks_at_once(struct sim_engine *engine, unsigned agent, uint32_t key) {
  return engine->in_turns && engine->urgent >> agent & 1u && engine->ops && engine->ops->looks &&
         engine->ops->looks(engine, agent, key);
}

void sim_wake_parked(struct sim_engine *engine, uint32_t first, uint32_t length) {
  for (uint64_t left = engine->parked; left; left &= left - 1) {
    struct sim_agent *a = &engine->agents[__builtin_ctzll(left)];
    sim_assert((a->state == SIM_AGENT_PARKED || !a->park_count) &&
               a->park_count <= SIM_PARK_KEYS_MAX); /* sim_park_nobody has no keys */
    for (uint32_t k = 0; k < a->park_count; k++) {
      if (a->park_keys[k] - first >= length && first - a->park_keys[k] >= a->park_span) continue;
      if (looks_at_once(engine, (unsigned)(a - engine->agents), first)) break;
      sim_time at = next_poll(engine, a);
      if (at < a->at) a->at = at;
      if (a->park_period == SIM_PARK_HALTS) sim_halt(engine);
      if (engine->in_turns && engine->urgent >> (a - engine->agents) & 1u) engine->turn_end = engine->now;
      engine->schedule_changed = 1;
      break;
    }
  }
}

void sim_block(struct sim_engine *engine, unsigned agent, struct sim_wait wait) {
  struct sim_wait *w = &engine->agents[agent].wait;
  if (w->kind == wait.kind && w->object == wait.object) {
    w->detail = wait.detail;
    return;
  }
  wait.since = engine->now;
  *w = wait;
}

void sim_unblock(struct sim_engine *engine, unsigned agent) {
  if (engine->agents[agent].wait.kind) memset(&engine->agents[agent].wait, 0, sizeof engine->agents[agent].wait);
}

void sim_stop(struct sim_engine *engine) {
  engine->stop |= SIM_STOP;
  engine->schedule_changed = 1;
}

/* --- the loop --- */

/* Searches go in steps of four: an agent that was never used has no time. */
#define STEP 4u

/* The first time of an agent from `from` on, or `first` if that is earlier. */
static inline sim_time first_from(const struct sim_engine *engine, unsigned from, sim_time first) {
  const struct sim_agent *a = &engine->agents[from], *end = &engine->agents[engine->agents_used];
  for (; a < end; a += STEP) {
    const sim_time x = a[0].at < a[1].at ? a[0].at : a[1].at, y = a[2].at < a[3].at ? a[2].at : a[3].at;
    first = x < first ? x : first;
    first = y < first ? y : first;
  }
  return first;
}

/* The same of the first `count` agents. */
static inline sim_time first_of(const struct sim_engine *engine, unsigned count, sim_time first) {
  for (unsigned i = 0; i < count; i++) first = engine->agents[i].at < first ? engine->agents[i].at : first;
  return first;
}

/* The agents that are due at `at`, the first time of all. */
static inline uint64_t due_at(const struct sim_engine *engine, sim_time at) {
  uint64_t due = 0;
  for (unsigned i = 0; i < engine->agents_used; i += STEP) {
    const struct sim_agent *a = &engine->agents[i];
    const unsigned bits = (a[0].at <= at) + 2u * (a[1].at <= at) + 4u * (a[2].at <= at) + 8u * (a[3].at <= at);
    due |= (uint64_t)bits << i;
  }
  return due;
}

static sim_time next_effect(const struct sim_engine *engine) {
  return engine->effect_count ? engine->effects[0].at : SIM_NEVER;
}

static enum sim_end why_nothing_is_next(const struct sim_engine *engine) {
  for (unsigned i = 0; i < engine->agent_count; i++) {
    const struct sim_agent *a = &engine->agents[i];
    if (a->state != SIM_AGENT_DONE && a->state != SIM_AGENT_OFF && a->wait.kind != 0) return SIM_END_BLOCKED;
  }
  return SIM_END_DONE;
}

/* The agent of the turn is ahead of the engine's time: no agent acts until that time is reached. */
static bool turn_is_ahead(const struct sim_engine *engine) {
  return engine->turn && engine->turn_reached > engine->now && engine->turn_end > engine->now;
}

bool sim_idle(const struct sim_engine *engine) {
  return first_from(engine, 0, next_effect(engine)) == SIM_NEVER && why_nothing_is_next(engine) == SIM_END_DONE;
}

sim_time sim_next(const struct sim_engine *engine) {
  sim_time first = engine->effect_count ? engine->effects[0].at : SIM_NEVER;
  if (turn_is_ahead(engine)) return engine->turn_reached < first ? engine->turn_reached : first;
  return first_from(engine, 0, first);
}

uint64_t sim_watched(const struct sim_engine *engine) {
  uint64_t watched = 0;
  for (unsigned i = 0; i < engine->agents_used; i++) watched |= engine->agents[i].channels;
  return watched;
}

bool sim_blocked(const struct sim_engine *engine) { return why_nothing_is_next(engine) == SIM_END_BLOCKED; }

static void apply_effects(struct sim_engine *engine, const struct sim_machine *ops, void *machine) {
  engine->in_effects = 1;
  while (engine->effect_count && engine->effects[0].at <= engine->now) {
    struct sim_effect effect = take_first_effect(engine);
    ops->effect(machine, &effect);
    if (engine->stop & SIM_HALT) break;
  }
  engine->in_effects = 0;
  sim_assert(!engine->effect_count || engine->effects[0].at > engine->now || engine->stop & SIM_HALT);
}

static void run_cycle(struct sim_engine *engine, uint64_t due, const struct sim_machine *ops, void *machine) {
  if (ops->cycle) {
    ops->cycle(machine, due);
    return;
  }
  for (uint64_t left = due; left; left &= left - 1) ops->request(machine, (unsigned)__builtin_ctzll(left));
  ops->arbitrate(machine, due);
  for (uint64_t left = due; left; left &= left - 1) {
    unsigned agent = (unsigned)__builtin_ctzll(left);
    ops->issue(machine, agent);
    sim_acted(engine, agent);
    sim_assert(engine->agents[agent].at > engine->now);
  }
}

static void run_alone(struct sim_engine *engine, unsigned agent, sim_time limit, const struct sim_machine *ops,
                      void *machine) {
  engine->schedule_changed = 0;
  sim_assert(agent < engine->agents_used && limit > engine->now && !engine->sole);
  engine->sole = agent + 1;
  ops->run_sole(machine, agent, limit);
  engine->sole = 0;
}

/* A cycle in which agents outside the group act; a single agent may go on alone. `effect`: the time of the next one. */
static void run_others(struct sim_engine *engine, sim_time effect, const struct sim_machine *ops, void *machine) {
  const uint64_t due = due_at(engine, engine->now);
  if (ops->run_sole && !(due & (due - 1))) {
    const unsigned agent = (unsigned)__builtin_ctzll(due);
    const sim_time end = effect <= engine->until ? effect : engine->until + 1;
    run_alone(engine, agent, first_from(engine, agent + 1, first_of(engine, agent, end)), ops, machine);
  } else {
    run_cycle(engine, due, ops, machine);
  }
}

sim_time sim_group_limit(struct sim_engine *engine, unsigned group) {
  if (engine->stop) return engine->now;
  engine->schedule_changed = 0;
  const sim_time first = first_from(engine, group, next_effect(engine));
  return first <= engine->until ? first : engine->until + 1;
}

/* Agents of the group act next, and no other agent or effect before `limit`. */
static void run_group(struct sim_engine *engine, sim_time limit, const struct sim_machine *ops, void *machine) {
  engine->schedule_changed = 0;
  sim_assert(limit > engine->now && !engine->sole);
  ops->run_group(machine, limit);
  sim_assert(!engine->sole);
}

static enum sim_end run(struct sim_engine *engine, sim_time until, const struct sim_machine *ops, void *machine) {
  const unsigned group = ops->run_group ? ops->group : 0;
  for (;;) {
    const sim_time effect = next_effect(engine);
    const sim_time others = first_from(engine, group, effect);
    const sim_time next = first_of(engine, group, others);
    if (next == SIM_NEVER) return why_nothing_is_next(engine);
    if (next > until) {
      if (engine->now < until) engine->now = until;
      return SIM_END_TIME;
    }
    sim_assert(next >= engine->now); /* time never decreases */
    engine->now = next;
    if (next < others) {
      run_group(engine, others <= until ? others : until + 1, ops, machine);
    } else if (effect > next) {
      run_others(engine, effect, ops, machine);
    } else { /* agents act after the effects, also those that they wake for this cycle */
      apply_effects(engine, ops, machine);
      if (engine->stop) run_cycle(engine, due_at(engine, next), ops, machine);
    }
    if (engine->stop) return SIM_END_STOPPED;
  }
}

/* --- turns --- */

static bool is_aside(const struct sim_engine *engine, unsigned agent) { return engine->aside >> agent & 1u; }

/* The agent of the next turn: an urgent agent that was woken, else the one that is furthest behind. */
static unsigned next_turn(const struct sim_engine *engine) {
  unsigned agent = 0; /* never aside */
  sim_time first = engine->agents[0].at;
  const uint64_t used = engine->agents_used < SIM_AGENTS_MAX ? (UINT64_C(1) << engine->agents_used) - 1 : UINT64_MAX;
  for (uint64_t left = engine->urgent & used; left; left &= left - 1)
    if (engine->agents[__builtin_ctzll(left)].at <= engine->now + 1) return (unsigned)__builtin_ctzll(left);
  for (unsigned i = 1; i < engine->agents_used; i++) {
    if (engine->agents[i].at >= first || is_aside(engine, i)) continue;
    first = engine->agents[i].at;
    agent = i;
  }
  return agent;
}

void sim_turn_step_aside(struct sim_engine *engine, unsigned agent) {
  sim_assert(engine->turn == agent + 1 && agent);
  engine->aside |= UINT64_C(1) << agent;
  engine->turn_end = engine->now;
}

void sim_turn_step_back(struct sim_engine *engine, unsigned agent) {
  engine->aside &= ~(UINT64_C(1) << agent);
  engine->turn_end = engine->now;
}

/* Of these agents the one whose time is the first, up to `to`, and up to when it is; SIM_AGENTS_MAX: none. */
static unsigned first_aside(const struct sim_engine *engine, uint64_t agents, sim_time to, sim_time *end) {
  unsigned agent = SIM_AGENTS_MAX;
  sim_time first = to + 1;
  *end = to;
  for (uint64_t left = agents; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(left);
    const sim_time at = engine->agents[i].at;
    if (at >= first) {
      if (at < *end) *end = at;
      continue;
    }
    if (agent < SIM_AGENTS_MAX) *end = first;
    first = at;
    agent = i;
  }
  return agent;
}

sim_time sim_turns_catch_up(struct sim_engine *engine, uint64_t agents, sim_time to, const struct sim_machine *ops,
                            void *machine) {
  const sim_time now = engine->now, until = engine->until;
  sim_time stopped = 0;
  const uint32_t effects = engine->effect_count;
  sim_assert(!engine->turn && !engine->sole && (agents & ~engine->aside) == 0);
  engine->caught_up = to;
  engine->effect_count = 0; /* reading causes none */
  ops->acts_aside(machine, now);
  while (agents && (engine->aside & agents) == agents && !engine->stop) {
    sim_time end;
    const unsigned agent = first_aside(engine, agents, to, &end);
    if (agent == SIM_AGENTS_MAX) break;
    engine->now = engine->agents[agent].at;
    engine->until = end;
    engine->turn_end = end + 1;
    engine->turn = engine->sole = agent + 1;
    ops->run_sole(machine, agent, end + 1);
    engine->turn = engine->sole = 0;
  }
  ops->acts_aside(machine, 0);
  if (engine->stop) stopped = engine->now;
  sim_assert(!engine->effect_count);
  engine->effect_count = effects;
  engine->until = until;
  engine->now = now;
  engine->turn_end = engine->turn_reached = 0;
  return stopped;
}

bool sim_turn_gives_way(struct sim_engine *engine, sim_time at) {
  const unsigned self = engine->turn - 1;
  sim_assert(engine->turn);
  for (unsigned i = 0; i < engine->agents_used; i++) {
    if (i == self || engine->agents[i].at >= at || is_aside(engine, i)) continue;
    engine->turn_end = engine->now;
    return true;
  }
  return false;
}

sim_time sim_turn_limit(const struct sim_engine *engine) {
  const sim_time end = engine->turn_end <= engine->until ? engine->turn_end : engine->until + 1,
                 effect = next_effect(engine);
  return effect < end ? effect : end;
}

sim_time sim_turns_alone_until(const struct sim_engine *engine, unsigned agent, uint64_t channels) {
  const unsigned self = engine->turn - 1;
  sim_time end = next_effect(engine) <= engine->until ? next_effect(engine) : engine->until + 1;
  sim_assert(engine->turn);
  if (engine->stop || turn_is_ahead(engine) || engine->aside) return 0;
  for (unsigned i = 0; i < engine->agents_used; i++) {
    const struct sim_agent *a = &engine->agents[i];
    if (i == agent || i == self) continue;
    if (a->channels & channels) return 0;
    if (a->at <= end) end = a->at ? a->at - 1 : 0;
  }
  return end;
}

/* One turn: until its cycles have passed, the agent goes to sleep, or the run ends. */
static void take_turn(struct sim_engine *engine, const struct sim_machine *ops, void *machine) {
  unsigned agent = engine->turn - 1;
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  for (;;) {
    if (engine->effect_count && engine->effects[0].at <= engine->now) apply_effects(engine, ops, machine);
    if (engine->stop) return;
    if (engine->now >= engine->turn_end) break;
    if (a->at > engine->now) {
      bool ahead = turn_is_ahead(engine);
      if (!ahead && (a->at > engine->now + SIM_NAP_CYCLES || a->at >= engine->turn_end)) break;
      sim_time next = ahead ? engine->turn_reached : a->at;
      if (engine->effect_count && engine->effects[0].at < next) next = engine->effects[0].at;
      if (next > engine->until) return;
      engine->now = next;
      continue;
    }
    engine->sole = agent + 1;
    ops->run_sole(machine, agent, sim_turn_limit(engine));
    engine->sole = 0;
    if (engine->turn == agent + 1) continue;
    agent = engine->turn - 1; /* it has left the turn to another */
    a = sim_keep(&engine->agents[agent]);
  }
  engine->turn = 0;
  engine->turn_end = engine->turn_reached = 0;
}

/* Between two turns; the next agent or effect is due at `next`. false: an agent is no longer aside, or the run was stopped. */
static bool catch_up(struct sim_engine *engine, sim_time next, sim_time until, const struct sim_machine *ops,
                     void *machine) {
  const uint64_t aside = engine->aside;
  sim_time to = next > engine->now ? next : engine->now;
  if (to > until) to = until;
  const sim_time stopped = sim_turns_catch_up(engine, aside, to, ops, machine);
  if (stopped > engine->now) engine->now = stopped; /* nothing else is due before */
  if (!engine->aside) engine->caught_up = 0;
  return engine->aside == aside && !engine->stop;
}

static enum sim_end run_turns(struct sim_engine *engine, sim_time until, const struct sim_machine *ops, void *machine) {
  for (;;) {
    if (!engine->turn) {
      unsigned agent = next_turn(engine);
      sim_time next = engine->agents[agent].at;
      const bool effects = engine->effect_count && engine->effects[0].at < next;
      if (effects) next = engine->effects[0].at;
      if (engine->aside && !catch_up(engine, next, until, ops, machine)) {
        if (engine->stop) return SIM_END_STOPPED;
        continue;
      }
      if (next == SIM_NEVER && !engine->aside) return why_nothing_is_next(engine);
      if (next > until) break;
      if (next > engine->now) engine->now = next;
      if (effects) { /* they may wake an agent that is due earlier */
        apply_effects(engine, ops, machine);
        if (engine->stop) return SIM_END_STOPPED;
        continue;
      }
      engine->turn = agent + 1;
      engine->turn_end = engine->now + ops->turn_cycles;
    }
    take_turn(engine, ops, machine);
    if (engine->stop) return SIM_END_STOPPED;
    if (engine->turn) break;
  }
  if (engine->now < until) engine->now = until;
  return SIM_END_TIME;
}

enum sim_end sim_run(struct sim_engine *engine, sim_time until, const struct sim_machine *ops, void *machine) {
  sim_assert(!engine->until && !engine->in_effects); /* not from inside a run */
  engine->stop = 0;
  engine->until = until < SIM_NEVER ? until : SIM_NEVER - 1;
  engine->in_turns = ops->turn_cycles && ops->run_sole;
  engine->ops = ops;
  enum sim_end end = engine->in_turns ? run_turns(engine, until, ops, machine) : run(engine, until, ops, machine);
  /* What no agent reads from here on is cleared, so that the state does not depend on how the run was divided. */
  if (engine->in_turns) engine->signalled = engine->signalled_at = 0;
  if (engine->turn_reached <= engine->now) engine->turn_reached = 0; /* it is not ahead */
  engine->schedule_changed = 0;
  engine->in_turns = 0;
  engine->ops = NULL;
  engine->until = 0;
  return end;
}
