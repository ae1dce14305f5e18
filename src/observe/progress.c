/* The watchful run of progress.h. */
#include "observe/progress.h"

#include <string.h>

/* Cycles without a sign of progress before the cores are looked at, at first and when they were looked at in vain. Together with the
 * longest loop that is recognised they stay below the 10,000 cycles within which a hang is to be found. */
#define QUIET_CYCLES 2048u
#define QUIET_CYCLES_MAX 6144u
#define STEP_CYCLES 2048u
#define RETURNS_MAX 8u /* a loop may go through so many states */

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

/* A core as it was when the close look began. */
struct snapshot {
  uint32_t pc, registers[64];
  uint8_t local[TX_LOCAL_BYTES];
  uint64_t retired;
  unsigned returns; /* how often it came back to pc in another state */
};

static void take_snapshot(struct snapshot *s, const struct tx_core *c) {
  s->pc = c->pc;
  memcpy(s->registers, c->r, sizeof s->registers);
  memcpy(s->local, c->local, sizeof s->local);
  s->retired = c->retired;
  s->returns = 0;
}

/* It has moved and is where it was, exactly. Coming back otherwise again and again is work, not a spin. */
static bool is_back(struct snapshot *s, const struct tx_core *c) {
  if (c->pc != s->pc || c->retired == s->retired) return false;
  if (memcmp(s->registers, c->r, sizeof s->registers) == 0 && memcmp(s->local, c->local, sizeof s->local) == 0) return true;
  s->returns++;
  s->retired = c->retired; /* one return is counted once, however long it stands there */
  return false;
}

/* What a spinning core polls: the first load of its loop that is not from its local RAM. */
struct loop {
  uint32_t low_pc, address, value;
  bool polls;
};

static void note_load(const struct tx_tile *t, unsigned core, struct loop *loop) {
  const struct tx_core *c = &t->core[core];
  if (c->pc < loop->low_pc) loop->low_pc = c->pc;
  if (loop->polls || c->pc > TX_L1_BYTES - 4) return;
  struct tx_insn d = tx_rv_decode(tx_l1_read(t, c->pc, 4));
  uint32_t address = c->r[d.rs1] + d.imm;
  if (d.class != TX_RV_CLASS_LOAD || address - TX_LOCAL_BASE < TX_LOCAL_BYTES) return;
  loop->polls = true;
  loop->address = address;
  loop->value = address <= TX_L1_BYTES - 4 ? tx_l1_read(t, address & ~3u, 4) : c->r[d.rd & 31u];
}

static void name_loops(struct tx_tile *t, unsigned cores, const struct loop loops[TX_CORES]) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct loop *l = &loops[core];
    struct sim_wait wait = {.kind = l->polls ? TX_BLOCKED_ADDRESS : TX_BLOCKED_LOOP,
                            .object = l->polls ? l->address : l->low_pc,
                            .detail = (uint64_t)l->value << 32};
    if (cores >> core & 1u) sim_block(&t->engine, TX_AGENT_TRISC0 + core, wait);
  }
}

/* Steps the cores and waits for each to repeat itself. SIM_END_TIME: they did not, or something happened. */
static enum sim_end look_closely(struct tx_tile *t, sim_time until) {
  struct snapshot snapshots[TX_CORES];
  struct loop loops[TX_CORES] = {{0}};
  uint64_t before = work_done(t);
  unsigned cores = 0, left;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!spins(t, core)) continue;
    cores |= 1u << core;
    loops[core].low_pc = t->core[core].pc;
    take_snapshot(&snapshots[core], &t->core[core]);
  }
  left = cores;
  for (unsigned step = 0; step < STEP_CYCLES && left && t->engine.now < until; step++) {
    enum sim_end end = tx_tile_run(t, t->engine.now + 1);
    if (end != SIM_END_TIME) return end;
    if (work_done(t) != before || !only_cores_act(t)) return SIM_END_TIME;
    for (unsigned core = 0; core < TX_CORES; core++) {
      if (!(cores >> core & 1u)) continue;
      note_load(t, core, &loops[core]);
      if (left >> core & 1u && is_back(&snapshots[core], &t->core[core])) left &= ~(1u << core);
      if (left >> core & 1u && snapshots[core].returns == RETURNS_MAX) return SIM_END_TIME;
    }
  }
  if (left || !cores) return SIM_END_TIME;
  name_loops(t, cores, loops);
  return SIM_END_BLOCKED;
}

enum sim_end obs_run(struct tx_tile *t, sim_time until) {
  sim_time quiet = QUIET_CYCLES;
  for (;;) {
    uint64_t before = work_done(t);
    sim_time stop = until - t->engine.now > quiet ? t->engine.now + quiet : until;
    enum sim_end end = tx_tile_run(t, stop);
    if (end != SIM_END_TIME || t->engine.now >= until) return end;
    bool busy = work_done(t) != before || !only_cores_act(t);
    quiet = busy ? QUIET_CYCLES : QUIET_CYCLES_MAX; /* a long computation is not looked at more often than need be */
    if (busy) continue;
    end = look_closely(t, until);
    if (end != SIM_END_TIME || t->engine.now >= until) return end;
  }
}
