/* The examination of look.h. */
#include "observe/look.h"

#include "tensix/riscv/polls.h"

uint64_t obs_work_done(const struct tx_tile *t) {
  uint64_t sum = t->engine.effect_count;
  for (unsigned core = 0; core < TX_CORES; core++)
    sum += t->port[core].stores + t->core[core].l1_arrival + t->core[core].l1_under_way + t->core[core].queue_count;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) sum += t->gate[thread].issued + t->frontend[thread].pushed;
  return sum;
}

bool obs_only_cores_act(const struct tx_tile *t) {
  if (t->engine.effect_count) return false;
  for (unsigned agent = 0; agent < t->engine.agent_count; agent++)
    if (!(agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC) && t->engine.agents[agent].at != SIM_NEVER) return false;
  return true;
}

static bool spins(const struct tx_tile *t, unsigned core) {
  return t->core[core].state == TX_CORE_RUNNING && !t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind;
}

bool obs_some_core_spins(const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (spins(t, core)) return true;
  return false;
}

static void on_instruction(void *context, const struct sim_event *e) {
  struct obs_look *look = context;
  unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core < TX_CORES && (look->cores >> core & 1u)) obs_orbit_step(&look->orbit[core], &look->t->core[core], e);
}

bool obs_look_begin(struct obs_look *look, struct tx_tile *t) {
  look->t = t;
  look->cores = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!spins(t, core)) continue;
    look->cores |= 1u << core;
    obs_orbit_begin(&look->orbit[core], &t->core[core]);
  }
  look->handle = look->cores ? sim_log_attach(&t->unsaved.log, on_instruction, look, 1u << TX_EVENT_CORE) : -1;
  return look->handle >= 0;
}

void obs_look_pause(struct obs_look *look) {
  if (look->t) sim_log_detach(&look->t->unsaved.log, look->handle);
  look->t = NULL;
}

bool obs_look_resume(struct obs_look *look, struct tx_tile *t) {
  look->t = t;
  look->handle = sim_log_attach(&t->unsaved.log, on_instruction, look, 1u << TX_EVENT_CORE);
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

static bool all_closed(const struct obs_look *look) { return in_state(look, OBS_ORBIT_CLOSED) == look->cores; }

bool obs_look_closed(const struct obs_look *look) { return all_closed(look) && !some_reads_old_words(look); }
bool obs_look_lost(const struct obs_look *look) {
  return in_state(look, OBS_ORBIT_LOST) != 0 || (all_closed(look) && some_reads_old_words(look));
}

static void report_polling_cores(const struct obs_look *look, sim_time since) {
  struct tx_tile *t = look->t;
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct obs_orbit *o = &look->orbit[core];
    unsigned agent = TX_AGENT_TRISC0 + core;
    if (!(look->cores >> core & 1u)) continue;
    if (t->engine.agents[agent].wait.kind) continue; /* it was parked meanwhile and has its own start time */
    uint32_t value = o->polls && o->address <= TX_L1_BYTES - 4 ? tx_l1_read(t, o->address & ~3u, 4) : 0;
    struct sim_wait wait = {.kind = o->polls ? TX_BLOCKED_ADDRESS : TX_BLOCKED_LOOP,
                            .object = o->polls ? o->address : o->low_pc,
                            .detail = o->polls ? (uint64_t)value << 32 : o->local_address};
    sim_block(&t->engine, agent, wait);
    t->engine.agents[agent].wait.since = since;
  }
}

void obs_look_end(struct obs_look *look, bool hangs, sim_time since) {
  if (hangs) report_polling_cores(look, since);
  obs_look_pause(look);
}
