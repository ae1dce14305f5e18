/* The watchful run of progress.h. */
#include "observe/progress.h"

#include <string.h>

#include "observe/orbit.h"

/* Cycles without a sign of progress before the cores are looked at. A look lasts at most a window; after one in vain the next comes
 * eight windows later and lasts twice as long: a long computation pays an eighth of its time at most, a pause of any length between
 * two polls is seen through in time. */
#define QUIET_CYCLES 2048u
#define WINDOW_CYCLES 16384u
#define WINDOW_CYCLES_MAX (UINT32_C(1) << 24)
#define QUIET_WINDOWS 8u
#define STEP_CYCLES 64u

/* Everything that counts as progress, added up. */
static uint64_t work_done(const struct tx_tile *t) {
  uint64_t sum = t->engine.effect_count;
  for (unsigned core = 0; core < TX_CORES; core++)
    sum += t->port[core].stores + t->core[core].l1_arrival + t->core[core].l1_under_way + t->core[core].queue_count;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) sum += t->gate[thread].issued + t->frontend[thread].pushed;
  return sum;
}

static bool spins(const struct tx_tile *t, unsigned core) {
  return t->core[core].state == TX_CORE_RUNNING && !t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind;
}

/* Only cores are awake: no effect is pending, and whoever else acts next waits for an event. */
static bool only_cores_act(const struct tx_tile *t) {
  if (t->engine.effect_count) return false;
  for (unsigned agent = 0; agent < t->engine.agent_count; agent++)
    if (!(agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC) && t->engine.agents[agent].at != SIM_NEVER) return false;
  return true;
}

/* --- the close look --- */

struct look {
  struct tx_tile *t;
  unsigned cores; /* bit per core that is followed */
  struct obs_orbit orbit[TX_CORES];
};

static void on_instruction(void *context, const struct sim_event *e) {
  struct look *look = context;
  unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core < TX_CORES && (look->cores >> core & 1u)) obs_orbit_step(&look->orbit[core], &look->t->core[core], e);
}

static unsigned in_state(const struct look *look, enum obs_orbit_state state) {
  unsigned cores = 0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if ((look->cores >> core & 1u) && look->orbit[core].state == state) cores |= 1u << core;
  return cores;
}

/* SIM_END_BLOCKED: all orbits are closed; SIM_END_TIME: not so, or something happened. */
static enum sim_end follow_cores(struct look *look, sim_time until) {
  struct tx_tile *t = look->t;
  uint64_t before = work_done(t);
  while (t->engine.now < until) {
    sim_time stop = until - t->engine.now > STEP_CYCLES ? t->engine.now + STEP_CYCLES : until;
    enum sim_end end = tx_tile_run(t, stop);
    if (end != SIM_END_TIME) return end;
    if (work_done(t) != before || !only_cores_act(t) || in_state(look, OBS_ORBIT_LOST)) return SIM_END_TIME;
    if (in_state(look, OBS_ORBIT_CLOSED) == look->cores) return SIM_END_BLOCKED;
  }
  return SIM_END_TIME;
}

/* Gives the cores that spin a wait that reports can name, since `since` at the latest. */
static void name_loops(const struct look *look, sim_time since) {
  struct tx_tile *t = look->t;
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct obs_orbit *o = &look->orbit[core];
    unsigned agent = TX_AGENT_TRISC0 + core;
    if (!(look->cores >> core & 1u)) continue;
    uint32_t value = o->polls && o->address <= TX_L1_BYTES - 4 ? tx_l1_read(t, o->address & ~3u, 4) : 0;
    struct sim_wait wait = {.kind = o->polls ? TX_BLOCKED_ADDRESS : TX_BLOCKED_LOOP,
                            .object = o->polls ? o->address : o->low_pc,
                            .detail = o->polls ? (uint64_t)value << 32 : o->local_address};
    sim_block(&t->engine, agent, wait);
    t->engine.agents[agent].wait.since = since;
  }
}

static enum sim_end look_closely(struct tx_tile *t, sim_time since, sim_time until) {
  struct look look = {.t = t};
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!spins(t, core)) continue;
    look.cores |= 1u << core;
    obs_orbit_begin(&look.orbit[core], &t->core[core]);
  }
  int handle = look.cores ? sim_log_attach(&t->unsaved.log, on_instruction, &look, 1u << TX_EVENT_CORE) : -1;
  if (handle < 0) return SIM_END_TIME;
  enum sim_end end = follow_cores(&look, until);
  sim_log_detach(&t->unsaved.log, handle);
  if (end == SIM_END_BLOCKED && in_state(&look, OBS_ORBIT_CLOSED) == look.cores) name_loops(&look, since);
  return end;
}

static sim_time at_most(sim_time now, sim_time cycles, sim_time until) {
  return until - now > cycles ? now + cycles : until;
}

enum sim_end obs_run(struct tx_tile *t, sim_time until) {
  sim_time quiet = QUIET_CYCLES, window = WINDOW_CYCLES, since = t->engine.now; /* since when nothing has moved */
  for (;;) {
    uint64_t before = work_done(t);
    enum sim_end end = tx_tile_run(t, at_most(t->engine.now, quiet, until));
    if (end != SIM_END_TIME || t->engine.now >= until) return end;
    bool moved = work_done(t) != before || !only_cores_act(t);
    if (!moved) {
      end = look_closely(t, since, at_most(t->engine.now, window, until));
      if (end != SIM_END_TIME || t->engine.now >= until) return end;
      moved = work_done(t) != before || !only_cores_act(t);
    }
    if (moved) since = t->engine.now;
    quiet = moved ? QUIET_CYCLES : QUIET_WINDOWS * window;
    window = moved ? WINDOW_CYCLES : window < WINDOW_CYCLES_MAX ? 2 * window : window;
  }
}
