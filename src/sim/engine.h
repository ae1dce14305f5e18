/* The engine: agents and pending effects on virtual time.
 *
 * An agent is anything that acts in order on its own (a core, a Tensix thread, an Ascend pipe). Each has the time of its next
 * action. The engine goes from one such time to the next; a cycle without an action costs nothing. A cycle has
 * four phases, always in this order:
 *
 *   1. effects     pending effects that are due now are applied
 *   2. request     every agent that is due reads that state and makes its request
 *   3. arbitrate   the machine grants requests (round robin per unit, never the order of agents)
 *   4. issue       every agent that is due acts, then sets its next action: at a time, on an event, or when an address
 *                  on which it spins is written
 *
 * Because all requests of a cycle are made before any of its issues, an action in cycle t is visible to other agents in cycle t+1
 * at the earliest, and a run does not depend on the order of agents.
 *
 * Plain data: no pointers, can be copied with memcpy. The machine's behaviour is passed to sim_run as a table of functions. */
#ifndef TESSERA_SIM_ENGINE_H
#define TESSERA_SIM_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/assert.h"
#include "sim/keep.h"
#include "sim/time.h"

#define SIM_AGENTS_MAX 64u
#define SIM_EFFECTS_MAX SIM_LIMIT(1024u, 192u)
#define SIM_PARK_KEYS_MAX 4u
#define SIM_PARK_PAGE_SHIFT 10u /* keys of one page share a bit of sim_engine.park_pages */
/* That bit: of pages far apart, like those of memory and of registers, not the same low bits. */
#define SIM_PARK_BIT(page) ((uint32_t)((page)*2654435769u) >> 26)
#define SIM_EFFECT_WORDS 6u

/* A pending effect: already decided, visible to others at `at`. Only the machine interprets it. */
struct sim_effect {
  sim_time at;
  uint32_t seq; /* order of creation: equal times apply in this order */
  uint16_t kind;
  uint16_t agent; /* who caused it */
  uint32_t pc;    /* at which instruction; 0: not known */
  uint32_t extra; /* for use by the machine */
  uint32_t word;  /* the instruction that caused it; 0: not known */
  uint32_t pad;
  uint32_t w[SIM_EFFECT_WORDS];
};

/* The resource that an agent is blocked on: the only source of stall tables, hang reports and traces. The machine defines kind
 * and object; kind 0 always means "not blocked": an agent that waits for an event with kind 0 is merely idle. */
struct sim_wait {
  sim_time since;
  uint32_t kind;
  uint32_t object;
  uint64_t detail;
};

enum sim_agent_state {
  SIM_AGENT_OFF = 0, /* never runs */
  SIM_AGENT_TIMED,   /* acts at `at`; events may make it earlier */
  SIM_AGENT_EVENT,   /* acts when one of `channels` is signalled */
  SIM_AGENT_PARKED,  /* spins: acts, in phase, after one of `keys` is written */
  SIM_AGENT_DONE,    /* finished; does not count as blocked */
};

struct sim_agent {
  sim_time at;          /* SIM_NEVER while it waits for an event */
  uint64_t channels;    /* events that wake it */
  sim_time woken_at;    /* the first time for which a signal on `channels` was due since the agent set this to 0; 0: none */
  sim_time park_origin; /* a time at which the parked spin polls */
  uint32_t park_period; /* cycles between two polls */
  uint32_t park_count;
  uint32_t park_keys[SIM_PARK_KEYS_MAX];
  uint32_t state;     /* enum sim_agent_state */
  uint32_t park_span; /* a write to key + 0 .. span - 1 wakes it */
  struct sim_wait wait;
};

enum sim_stops { SIM_STOP = 1, SIM_PAUSE = 2, SIM_HALT = 4 };

struct sim_engine {
  sim_time now;
  uint64_t parked;              /* bit per parked agent */
  uint32_t park_low, park_high; /* no agent is parked on a key outside this range; reset when no agent is parked */
  uint64_t park_pages;          /* bit SIM_PARK_BIT(key / 1024): an agent may be parked on such a key; reset likewise */
  uint64_t
      watched; /* channels that an agent may be waiting for: a signal of another channel costs one test. May also contain earlier
                       channels, depending on how the run was divided: not part of a hash or a saved state (sim_watched) */
  /* channels signalled in the cycle `signalled_at`: an agent that goes to sleep later in that cycle does not miss them */
  uint64_t signalled;
  sim_time signalled_at;
  uint32_t agent_count;
  uint32_t agents_used; /* 1 + the highest agent that ever had a time: the others need not be visited */
  uint32_t effect_count;
  uint32_t effect_seq;
  uint32_t stop; /* enum sim_stops: leave sim_run after this cycle */
  /* an effect was scheduled or an agent got a time: the agent that runs alone recomputes its limit */
  uint32_t schedule_changed;
  uint32_t in_effects; /* phase 1: an agent that is woken now still acts in this cycle */
  uint32_t sole;       /* 1 + the agent that runs alone; 0: none */
  sim_time until;      /* the last cycle of the current run; 0 between runs */
  /* turns: bit per agent that is aside: it only reads what others do not change, so it has a time of its own and no turns. Between two turns it catches up with
   * the others (sim_engine.caught_up). The schedule of the others does not depend on it. */
  uint64_t aside;
  sim_time caught_up; /* turns: agents aside have acted up to this cycle; 0: there is none */
  sim_time turn_end;  /* turns: the turn of `turn` ends before this cycle at the latest; 0: no turn in progress */
  sim_time
      /* turns: the agent of the turn has advanced to this cycle, past an effect or the end of the run; time catches up */
      turn_reached;
  uint64_t takers;   /* bit per agent that calls sim_take_signal: signals are noted for these alone */
  uint64_t urgent;   /* turns: bit per agent that ends the turn of another when it is woken */
  const struct sim_machine *ops; /* of the current run; NULL between runs */
  uint32_t turn;     /* turns: 1 + the agent of the current turn; 0: none */
  uint32_t in_turns; /* this run uses turns (sim_machine.turn_cycles) */
  struct sim_agent agents[SIM_AGENTS_MAX];
  struct sim_effect effects[SIM_EFFECTS_MAX]; /* binary heap by (at, seq) */
};

struct sim_machine {
  void (*effect)(void *machine, const struct sim_effect *effect);
  void (*request)(void *machine, unsigned agent);
  void (*arbitrate)(void *machine, uint64_t due); /* bit per agent that is due this cycle */
  void (*issue)(void *machine, unsigned agent);
  /* Optional: performs the three phases for all agents that are due, in the same order, and calls sim_acted after each
   * agent. */
  void (*cycle)(void *machine, uint64_t due);
  /* Optional. No other agent acts and no effect is due before `limit`: the agent may execute all phases of its cycles and
   * advance engine.now itself as long as its next time is before `limit` and schedule_changed is not set. */
  void (*run_sole)(void *machine, unsigned agent, sim_time limit);
  /* Optional, without turns. The first `group` agents may act in any order of times, but no other agent acts and no effect is due before
   * `limit`: executes all phases of their cycles before it and advances engine.now. When schedule_changed is set,
   * sim_group_limit returns the new limit. */
  void (*run_group)(void *machine, sim_time limit);
  unsigned group;
  /* 0: agents act in the order of time. Else, with `run_sole`: they take turns. An agent runs for up to this many cycles,
   * or until it is idle, while the others pause; then the one that is furthest behind runs. Effects still apply in the
   * order of time, and time never decreases. The order of two agents that do not wait for each other may then differ from
   * hardware; a run is still deterministic. */
  sim_time turn_cycles;
  /* With turns: agents aside act now, in times of their own that may be before `now`; 0: no longer. */
  void (*acts_aside)(void *machine, sim_time now);
  /* With turns: a key on which this urgent agent is parked was written. true: it has looked at once, and may have stopped the run; the turn of the writer
   * does not end. false: it looks in a turn of its own. */
  bool (*looks)(struct sim_engine *engine, unsigned agent, uint32_t key);
};

enum sim_end {
  SIM_END_TIME,    /* the requested time is reached */
  SIM_END_STOPPED, /* sim_stop was called: a fault, a breakpoint, all work done */
  SIM_END_DONE,    /* every agent is done and nothing is pending */
  SIM_END_BLOCKED, /* no agent can ever act again and one is not done: deadlock */
};

void sim_engine_init(struct sim_engine *engine, unsigned agent_count);
/* The same if all its bytes are 0: the pages of the effects are not touched. */
void sim_engine_init_zeroed(struct sim_engine *engine, unsigned agent_count);

/* Runs all cycles up to and including `until`. After SIM_END_TIME the next call continues with cycle until+1. */
enum sim_end sim_run(struct sim_engine *engine, sim_time until, const struct sim_machine *ops, void *machine);
/* Every agent is done and nothing is pending: sim_run would end at once with SIM_END_DONE. */
bool sim_idle(const struct sim_engine *engine);

/* The next time at which an agent acts or an effect is due. SIM_NEVER: there is none. */
sim_time sim_next(const struct sim_engine *engine);
/* The channels that agents wait for now: sim_engine.watched without earlier channels. */
uint64_t sim_watched(const struct sim_engine *engine);
/* Is an agent that is not done blocked? */
bool sim_blocked(const struct sim_engine *engine);
/* Must a running agent return to the engine? Yes if an effect is due at `at` or before or, in exact order, if the schedule
 * changed. */
static inline bool sim_must_return(const struct sim_engine *engine, sim_time at) {
  if (!engine->in_turns) return engine->schedule_changed;
  return engine->stop || at >= engine->turn_end || (engine->effect_count && engine->effects[0].at <= at);
}

/* For an agent that runs alone without turns: may it go on at `at`? If the schedule changed, another agent may act before. */
static inline bool sim_alone_before(const struct sim_engine *engine, sim_time at, sim_time limit) {
  return at < limit && !engine->schedule_changed;
}

/* For an agent in its turn: it has advanced to `at` with work that no other agent can observe or affect. Time advances with
 * it, at most to the end of the run, and no further than the next effect, which applies in its own cycle; the rest follows. */
static inline void sim_turn_goes_to(struct sim_engine *engine, sim_time at) {
  sim_time last = engine->until;
  if (engine->effect_count && engine->effects[0].at <= last)
    last = engine->effects[0].at > engine->now ? engine->effects[0].at - 1 : engine->now;
  if (at > last) engine->turn_reached = at;
  engine->now = at > last ? last : at;
}

#define SIM_NAP_CYCLES 64u /* turns: an agent that sleeps for longer ends its turn */

/* For an agent in its turn, before it looks in cycle `at` at what others may change: if one is behind that cycle, the turn ends. true: it has ended. */
bool sim_turn_gives_way(struct sim_engine *engine, sim_time at);
/* For an agent in its turn, or aside: from here on it is aside, or no longer. Its turn ends. */
void sim_turn_step_aside(struct sim_engine *engine, unsigned agent);
void sim_turn_step_back(struct sim_engine *engine, unsigned agent);
/* Lets these agents aside act alone, up to and including cycle `to`, as if nothing were pending. They stop before it if they step back, or if one stops the run: the cycle
 * of that is returned, else 0. */
sim_time sim_turns_catch_up(struct sim_engine *engine, uint64_t agents, sim_time to, const struct sim_machine *ops,
                            void *machine);
/* The time before which the turn is not over and no effect is due. */
sim_time sim_turn_limit(const struct sim_engine *engine);
/* Up to which cycle, exclusive, is no agent due but that of the turn and `agent`, nor in the cycle after, nor an effect, and the run does not end? 0: also if
 * another agent waits for these channels, or is aside. When the first sleeps, it may execute a turn of the second that is due and ends before. If it cannot complete it, it goes to
 * sleep, sets engine.turn and turn_end, and returns. */
sim_time sim_turns_alone_until(const struct sim_engine *engine, unsigned agent, uint64_t channels);

/* For a group: the time before which no agent outside it acts and no effect is due, at present. `now`: sim_stop was called. */
sim_time sim_group_limit(struct sim_engine *engine, unsigned group);

/* Sets an agent's next action; called in its own issue phase, or from outside between runs. */
static inline void sim_sleep_until(struct sim_engine *engine, unsigned agent, sim_time at) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  sim_assert(agent < engine->agent_count);
  engine->parked &= ~(UINT64_C(1) << agent);
  a->state = SIM_AGENT_TIMED;
  a->channels = 0;
  a->at = at;
  if (agent + 1 != engine->sole) engine->schedule_changed = 1; /* by another agent */
  if (agent >= engine->agents_used) engine->agents_used = agent + 1;
}
void sim_take_missed(struct sim_engine *engine, unsigned agent); /* it goes to sleep after a signal of this cycle */
static inline void sim_sleep_on(struct sim_engine *engine, unsigned agent, uint64_t channels, sim_time at_latest) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  sim_assert(agent < engine->agent_count);
  engine->parked &= ~(UINT64_C(1) << agent);
  if (agent >= engine->agents_used) engine->agents_used = agent + 1;
  a->state = SIM_AGENT_EVENT;
  a->channels = channels;
  a->at = at_latest;
  engine->watched |= channels;
  if ((engine->signalled & channels) && engine->signalled_at == engine->now && !engine->in_turns)
    sim_take_missed(engine, agent);
}
/* Is a signal on the agent's channels due? True once per signal: an agent that also acts for other reasons re-evaluates its
 * wait only then, so that the times of those other actions do not matter. */
static inline bool sim_take_signal(struct sim_engine *engine, unsigned agent) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  if (!a->woken_at || a->woken_at > engine->now) return false;
  a->woken_at = 0;
  return true;
}
void sim_park(struct sim_engine *engine, unsigned agent, const uint32_t *keys, unsigned count, sim_time origin,
              uint32_t period);
#define SIM_PARK_HALTS UINT32_MAX /* in park_period, with turns: a write halts the run, and the agent does not act */
/* Parks on all keys from `first` to `first + span - 1`; polls in the cycle after a write to one of them. */
void sim_park_range(struct sim_engine *engine, unsigned agent, uint32_t first, uint32_t span);
void sim_done(struct sim_engine *engine, unsigned agent);
/* Keeps `parked` from becoming 0: machines skip their work for parked agents while it is. This wakes no agent. */
void sim_park_nobody(struct sim_engine *engine);

/* An agent has acted: its next action is in the next cycle at the earliest, regardless of its own request or a signal. */
static inline void sim_acted(struct sim_engine *engine, unsigned agent) {
  if (engine->agents[agent].at <= engine->now) engine->agents[agent].at = engine->now + 1;
}

/* Signals a channel in this cycle: the agents that wait for it re-evaluate their wait from `at` on. */
void sim_wake_listeners(struct sim_engine *engine, uint64_t channels, sim_time at); /* the slow half of sim_signal */
void sim_wake_listener(struct sim_engine *engine, unsigned agent, sim_time at);     /* the same for one that waits */
static inline void sim_signal(struct sim_engine *engine, uint64_t channels, sim_time at) {
  engine->signalled = engine->signalled_at == engine->now ? engine->signalled | channels : channels;
  engine->signalled_at = engine->now;
  if (engine->watched & channels) sim_wake_listeners(engine, channels, at);
}
/* The same for one agent, if it waits for one of the channels. */
static inline void sim_wake_agent(struct sim_engine *engine, unsigned agent, uint64_t channels, sim_time at) {
  struct sim_agent *a = sim_keep(&engine->agents[agent]);
  if (!(a->channels & channels) || at >= a->at) return;
  a->at = at;
  engine->schedule_changed = 1;
}
/* Keys (addresses) in [first, first + length) were written: parked agents that spin on one of them poll again. */
void sim_wake_parked(struct sim_engine *engine, uint32_t first, uint32_t length); /* the slow half */
static inline void sim_poke_range(struct sim_engine *engine, uint32_t first, uint32_t length) {
  if (!engine->parked || first > engine->park_high || (first < engine->park_low && engine->park_low - first >= length))
    return;
  const uint32_t page = first >> SIM_PARK_PAGE_SHIFT, last = (first + (length - 1)) >> SIM_PARK_PAGE_SHIFT;
  if (page == last && !(engine->park_pages >> SIM_PARK_BIT(page) & 1u)) return;
  sim_wake_parked(engine, first, length);
}
static inline void sim_poke(struct sim_engine *engine, uint32_t key) { sim_poke_range(engine, key, 1); }

/* false: the queue is full (the caller turns that into a fault). */
bool sim_effect_at(struct sim_engine *engine, struct sim_effect effect);
/* Puts an effect that is being applied back, at a later time but in its old place among effects of one time: an effect that must
 * wait still precedes effects decided after it. There is room, because the effect has just been removed. */
void sim_effect_retry(struct sim_engine *engine, struct sim_effect effect, sim_time at);
/* Postpones a pending effect, in its old place among effects of one time. `seq` is the value of engine.effect_seq before sim_effect_at
 * queued it; the effect must be pending. */
void sim_effect_postpone(struct sim_engine *engine, uint32_t seq, sim_time at);
/* Removes the pending effect with this `seq`; false: there is none. */
bool sim_effect_take(struct sim_engine *engine, uint32_t seq, struct sim_effect *effect);

/* Removes the first pending effect if it is due at `by` or before, and advances to its time; false: none is. */
bool sim_effect_next(struct sim_engine *engine, sim_time by, struct sim_effect *effect);

void sim_block(struct sim_engine *engine, unsigned agent,
               struct sim_wait wait); /* keeps `since` if kind and object are the same */
void sim_unblock(struct sim_engine *engine, unsigned agent);
void sim_stop(struct sim_engine *engine);
/* Like sim_stop, for a caller that may continue as if the run had not stopped: sim_paused_only returns whether sim_stop was
 * not called in that cycle. */
static inline void sim_pause(struct sim_engine *engine) {
  engine->stop |= SIM_PAUSE;
  engine->schedule_changed = 1;
}
/* With turns: like sim_stop, also between two effects of a cycle. */
static inline void sim_halt(struct sim_engine *engine) {
  sim_stop(engine);
  engine->stop |= SIM_HALT;
}
static inline bool sim_paused_only(const struct sim_engine *engine) { return engine->stop == SIM_PAUSE; }

#endif
