/* The checks of valid.h: the engine, front ends, gates and cores; valid_units.c has the execution units. */
#include "tensix/tile/valid.h"

#include <string.h>

#include "tensix/frontend/autosync.h"
#include "tensix/machine.h"
#include "tensix/riscv/decode.h"
#include "tensix/tile/bus.h"
#include "tensix/tile/link.h"
#include "tensix/tile/valid_units.h"

#define TIME_MAX (UINT64_C(1) << 60) /* sums of times do not overflow */
#define PUSH_AHEAD_MAX (1u << 16)    /* cycles for which a front end may be stepped for a future push */
#define IS_BOOL(x) ((x) <= 1)

/* --- the engine --- */

static bool agent_valid(const struct sim_engine *engine, unsigned i) {
  const struct sim_agent *a = &engine->agents[i];
  const bool parked = engine->parked >> i & 1u;
  if (a->state > SIM_AGENT_DONE || a->park_count > SIM_PARK_KEYS_MAX || a->wait.kind >= TX_BLOCKED_COUNT) return false;
  if (a->channels >> TX_CH_COUNT || parked != (a->state == SIM_AGENT_PARKED)) return false;
  if (a->channels && a->state != SIM_AGENT_EVENT) return false;
  if (parked && (!a->park_period || a->park_origin > TIME_MAX)) return false;
  if (a->at != SIM_NEVER && a->at > TIME_MAX) return false;
  const sim_time ahead = i < TX_THREADS ? 1 : PUSH_AHEAD_MAX; /* a core that runs ahead waits from its own cycle on */
  return a->wait.since <= engine->now + ahead &&
         (i < engine->agents_used || a->at == SIM_NEVER || a->state == SIM_AGENT_OFF);
}

static bool effects_valid(const struct tx_tile *t) {
  const struct sim_engine *engine = &t->engine;
  if (engine->effect_count > SIM_EFFECTS_MAX) return false;
  for (uint32_t i = 0; i < engine->effect_count; i++) {
    const struct sim_effect *e = &engine->effects[i], *above = &engine->effects[i ? (i - 1) / 2 : 0];
    if (e->at < engine->now && !t->fault.kind)
      return false; /* a faulted tile is frozen while the time of its chip goes on */
    if (e->at > TIME_MAX || e->kind >= TX_EFFECT_COUNT) return false;
    if (e->at < above->at || (e->at == above->at && (int32_t)(e->seq - above->seq) < 0)) return false;
    if (e->agent >= TX_AGENT_COUNT && e->agent != TX_AGENT_NETWORK && e->agent != SIM_NO_AGENT) return false;
    if (!tx_effect_valid(t, e)) return false;
  }
  return true;
}

/* Only cores that run, with timing off, are aside (riscv/run.h). */
static bool aside_valid(const struct tx_tile *t) {
  const struct sim_engine *engine = &t->engine;
  const uint64_t may = UINT64_C(1) << TX_AGENT_BRISC | UINT64_C(1) << TX_AGENT_NCRISC;
  if (engine->caught_up > TIME_MAX || engine->aside & ~may || (engine->aside && (t->timing || t->ethernet.on))) return false;
  for (unsigned i = TX_AGENT_BRISC; i <= TX_AGENT_NCRISC; i++) {
    const struct tx_core *c = &t->core[i - TX_AGENT_TRISC0];
    if (!(engine->aside >> i & 1u)) continue;
    if (engine->agents[i].state != SIM_AGENT_TIMED || c->state != TX_CORE_RUNNING || c->queue_count || c->waiting.kind)
      return false;
  }
  return true;
}

static bool engine_valid(const struct tx_tile *t) {
  const struct sim_engine *engine = &t->engine;
  const uint64_t no_agent = UINT64_C(1) << (SIM_AGENTS_MAX - 1);
  if (engine->now > TIME_MAX || engine->agent_count != TX_AGENT_COUNT || engine->agents_used > TX_AGENT_COUNT) return false;
  if (engine->in_effects | engine->sole | engine->in_turns || engine->until || engine->ops) return false;
  if (engine->turn > TX_AGENT_COUNT || engine->turn > engine->agents_used ||
      engine->urgent != ~UINT64_C(0) << TX_AGENT_WATCH || engine->takers != tx_core_agents())
    return false;
  if (engine->turn_end != SIM_NEVER && engine->turn_end > TIME_MAX) return false;
  if (!aside_valid(t)) return false;
  if (engine->turn_reached > TIME_MAX || (engine->parked & ~no_agent) >> TX_AGENT_COUNT) return false;
  for (unsigned i = 0; i < TX_AGENT_COUNT; i++) {
    if (!agent_valid(engine, i)) return false;
    if (engine->agents[i].at < engine->now && t->timing && !t->fault.kind && engine->agents[i].state != SIM_AGENT_OFF)
      return false;
  }
  return effects_valid(t);
}

/* --- front ends and gates --- */

static bool fifo_valid(const struct tx_fifo *fifo) { return fifo->head < TX_FIFO_SLOTS && fifo->count <= TX_FIFO_SLOTS; }

static uint32_t plain_words(const struct tx_fifo *fifo) {
  uint32_t plain = 0;
  for (uint32_t i = 0; i < fifo->count; i++) plain += fifo->slot[(fifo->head + i) % TX_FIFO_SLOTS].flags & TX_WORD_PLAIN;
  return plain;
}

static bool mop_valid(const struct tx_mop *mop) {
  return IS_BOOL(mop->active) && IS_BOOL(mop->odd) && mop->mask_hi <= 0xffffu && mop->entry <= TX_SYNC_ENTRY_MAX &&
         (!mop->active || mop->outer_left <= 255);
}

static bool replay_valid(const struct tx_replay *r) {
  return r->loading <= TX_REPLAY_SLOTS && r->playing <= TX_REPLAY_SLOTS && r->index < TX_REPLAY_SLOTS &&
         IS_BOOL(r->forward) && !(r->loading && r->playing) && r->entry <= TX_SYNC_ENTRY_MAX;
}

static bool frontend_valid(const struct tx_tile *t, unsigned thread) {
  const struct tx_frontend *fe = &t->frontend[thread];
  if (!fifo_valid(&fe->fifo1) || !fifo_valid(&fe->fifo2) || !fifo_valid(&fe->fifo3)) return false;
  if (fe->fifo2.count > t->params.fifo2_capacity + 1 || fe->fifo3.count > t->params.fifo3_capacity + 1) return false;
  if (!IS_BOOL(fe->brisc_count) || fe->moving > TX_MOVING_LATER) return false;
  if (fe->plain_behind != plain_words(&fe->fifo2) + plain_words(&fe->fifo3) || fe->stepped > t->engine.now) return false;
  for (uint32_t i = 0; i < fe->fifo1.count; i++)
    if (fe->pushed_at[(fe->fifo1.head + i) % TX_FIFO_SLOTS] > t->engine.now + PUSH_AHEAD_MAX) return false;
  return mop_valid(&fe->mop) && replay_valid(&fe->replay);
}

static bool latch_valid(const struct tx_latch *latch) {
  switch (latch->opcode) {
    case 0: break;
    case TX_STALLWAIT:
      if (latch->condition >> TX_CONDITIONS) return false;
      break;
    case TX_SEMWAIT: break;
    case TX_STREAMWAIT:
      if (latch->stream >= NOC_STREAMS_MAX || latch->condition > 0x3ffu) return false;
      break;
    default: return false;
  }
  return latch->block <= TX_BLOCK_BITS && latch->semaphores < 1u << TX_SEMAPHORES && latch->since <= TIME_MAX;
}

/* Number of entries with a word that has not passed. */
static uint32_t entries_open(const struct tx_tile *t, unsigned thread) {
  uint32_t from = tx_autosync_oldest(&t->frontend[thread]);
  return from ? ((t->autosync[thread].last - from) & TX_SYNC_ENTRY_MAX) + 1 : 0;
}

/* Stores of a core in progress that Auto TTSync tracks. */
static bool autosync_valid(const struct tx_tile *t, unsigned thread) {
  const struct tx_autosync *a = &t->autosync[thread];
  uint32_t stores[TX_SYNC_RESOURCES] = {0}, accesses = (a->load != 0) + (uint32_t)(a->lingering != 0);
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind != TX_EFFECT_CORE_REQUEST || e->agent != tx_agent_of_trisc(thread) || !(e->w[4] >> 8)) continue;
    for (uint32_t left = e->w[4] >> 8; left; left &= left - 1) stores[__builtin_ctz(left)]++;
    accesses++;
  }
  for (unsigned i = 0; i < TX_SYNC_RESOURCES; i++)
    if (a->stores[i] != stores[i] || (a->store_mask >> i & 1u) != (stores[i] != 0)) return false;
  if (a->store_mask >> TX_SYNC_RESOURCES || a->load >> TX_SYNC_RESOURCES || a->last > TX_SYNC_ENTRY_MAX) return false;
  return t->gate[thread].accesses == accesses && entries_open(t, thread) < TX_SYNC_ENTRIES;
}

static bool gates_valid(const struct tx_tile *t) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    const struct tx_gate *g = &t->gate[thread];
    if (!latch_valid(&g->latch) || g->wants > TX_PORT_COUNT || !IS_BOOL(g->granted) || !IS_BOOL(g->latch_met)) return false;
    if (!autosync_valid(t, thread)) return false;
  }
  for (unsigned port = 0; port < TX_PORT_COUNT; port++)
    if (t->arbiter.last[port] >= TX_THREADS) return false;
  return true;
}

static bool frontends_valid(const struct tx_tile *t) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (!frontend_valid(t, thread)) return false;
  return true;
}

/* --- cores --- */

static bool store_valid(const struct tx_tile *t, const struct tx_core_store *s) {
  if (!IS_BOOL(s->is_l1) || s->pushes > 4 || !s->mask) return false;
  if (s->is_l1) return !(s->address & 15u) && s->address < t->l1_bytes && !s->pushes;
  return s->mask == 1 || s->mask == 3 || s->mask == 0xf;
}

static bool waiting_valid(const struct tx_core_waiting *w) {
  if (w->kind > TX_WAITING_ATOMIC) return false;
  return !w->kind || (w->rd < TX_CORE_REGISTERS && w->slot < TX_CORE_RETIRE && w->op < TX_RV_COUNT &&
                      w->wait.kind < TX_BLOCKED_COUNT && !(w->channels >> TX_CH_COUNT) && (w->channels || w->retry_at));
}

static bool spin_valid(const struct tx_tile *t, const struct tx_core_spin *s) {
  return s->count <= SIM_PARK_KEYS_MAX && IS_BOOL(s->parked) && (!s->parked || (s->period && s->at <= t->engine.now));
}

static bool fetch_valid(const struct tx_tile *t, const struct tx_core_fetch *f) {
  if (f->slot >= TX_IC_LINES) return false;
  if (f->line && (((f->line - 1) & 15u) || f->line - 1 >= t->l1_bytes)) return false;
  for (unsigned i = 0; i < TX_IC_SETS; i++)
    if (f->recent[i] >= TX_IC_WAYS) return false;
  return true;
}

static bool core_valid(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  uint32_t under_way = 0;
  if (c->state > TX_CORE_EBREAK || c->retire_next >= TX_CORE_RETIRE || c->retire_pad) return false;
  if (c->queue_count > TX_CORE_STORES || c->lsu_next >= TX_CORE_LOADS || !IS_BOOL(c->lsu_again)) return false;
  if (!IS_BOOL(c->held) || !IS_BOOL(c->flush) || !IS_BOOL(c->refused) || c->polls.next >= TX_CORE_POLLS ||
      c->polls.current >= TX_CORE_POLLS)
    return false;
  if (c->push_left > t->engine.now + PUSH_AHEAD_MAX) return false;
  if (c->r[0] || c->l0_next >= TX_L0_LINES || c->refused_wait.kind >= TX_BLOCKED_COUNT || (c->refused && !c->queue_count))
    return false;
  if (c->refused_channels >> TX_CH_COUNT || (c->refused && !c->refused_channels && !c->refused_retry)) return false;
  for (uint32_t i = 0; i < c->queue_count; i++)
    if (!store_valid(t, &c->queue[i])) return false;
  for (uint32_t i = 0; i < t->engine.effect_count; i++)
    under_way += t->engine.effects[i].kind == TX_EFFECT_CORE_LINE && t->engine.effects[i].agent == TX_AGENT_TRISC0 + core;
  if (c->l1_under_way != under_way || c->clock > TIME_MAX || c->started_at > TIME_MAX) return false;
  return waiting_valid(&c->waiting) && spin_valid(t, &c->spin) && fetch_valid(t, &c->fetch);
}

/* The requests in progress of each core, by region, match the pending effects. */
static bool port_valid(const struct tx_tile *t, unsigned core) {
  const struct tx_core_port *port = &t->port[core];
  uint32_t pending[TX_REGIONS] = {0};
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind == TX_EFFECT_CORE_REQUEST && e->agent == TX_AGENT_TRISC0 + core) pending[e->w[0]]++;
  }
  for (unsigned i = 0; i < TX_REGIONS; i++)
    if (port->pending[i] != pending[i]) return false;
  return port->outstanding == pending[TX_REGION_GPR] + pending[TX_REGION_CONFIG] + pending[TX_REGION_TDMA];
}

static bool cores_valid(const struct tx_tile *t) {
  for (unsigned core = 0; core < TX_CORES; core++)
    if (!core_valid(t, core) || !port_valid(t, core)) return false;
  return true;
}

/* --- the rest of the tile --- */

static bool findings_valid(const struct tx_tile *t) {
  const struct tx_diag *d = &t->diag;
  if (d->finding_count > TX_FINDINGS_MAX) return false;
  for (uint32_t i = 0; i < d->finding_count; i++) {
    const struct tx_finding *f = &d->findings[i];
    if (f->id >= TX_DIAG_COUNT || !memchr(f->why, 0, sizeof f->why)) return false;
    if (f->agent >= TX_AGENT_COUNT && f->agent != TX_AGENT_NETWORK && f->agent != SIM_NO_AGENT) return false;
  }
  return true;
}

static bool fault_valid(const struct tx_tile *t) {
  const struct sim_fault *f = &t->fault;
  return f->kind <= SIM_FAULT_HAZARD && memchr(f->why, 0, sizeof f->why) && memchr(f->document, 0, sizeof f->document) &&
         (f->agent < TX_AGENT_COUNT || f->agent == TX_AGENT_NETWORK || f->agent == SIM_NO_AGENT || !f->kind);
}

static bool params_valid(const struct tx_tile *t) {
  const struct tx_params *p = &t->params;
  if (!IS_BOOL(t->timing) || (t->l1_bytes != TX_L1_BYTES && t->l1_bytes != TX_ETH_L1_BYTES)) return false;
  if (!IS_BOOL(t->ethernet.on) || t->ethernet.on != (t->l1_bytes == TX_ETH_L1_BYTES)) return false;
  if (!tx_link_valid(t)) return false;
  for (size_t i = 0; i < tx_param_count; i++) {
    uint32_t value;
    memcpy(&value, (const unsigned char *)p + tx_param_infos[i].offset, sizeof value);
    if (value > 1u << 24) return false;
  }
  return p->fifo1_accept_max < TX_FIFO_SLOTS && p->fifo2_capacity && p->fifo2_capacity < TX_FIFO_SLOTS &&
         p->fifo3_capacity && p->fifo3_capacity < TX_FIFO_SLOTS && p->unpack_queue && p->unpack_queue <= TX_UNPACK_JOBS;
}

static bool guards_valid(const struct tx_tile *t) {
  bool valid = true;
#ifdef TESSERA_INVARIANTS
#define CHECK(name) valid = valid && t->guard_##name == SIM_GUARD_VALUE;
  TX_GUARDS(CHECK)
#undef CHECK
#endif
  (void)t;
  return valid;
}

const char *tx_tile_wrong(const struct tx_tile *t) {
  static const struct {
    bool (*valid)(const struct tx_tile *t);
    const char *block;
  } blocks[] = {
      {guards_valid, "guards"},
      {params_valid, "parameters"},
      {fault_valid, "fault"},
      {engine_valid, "engine"},
      {frontends_valid, "front ends"},
      {gates_valid, "gates"},
      {cores_valid, "cores"},
      {findings_valid, "findings"},
      {tx_sync_valid, "semaphores"},
      {tx_counters_valid, "counters"},
      {tx_config_valid, "configuration"},
      {tx_scalar_valid, "scalar unit"},
      {tx_src_valid, "Src"},
      {tx_vector_valid, "vector unit"},
      {tx_unpack_valid, "unpackers"},
      {tx_mover_valid, "mover"},
      {tx_pack_valid, "packer"},
      {tx_inflight_valid, "ranges in flight"},
      {tx_mailboxes_valid, "mailboxes"},
      {tx_noc_valid, "NIUs"},
      {tx_l1_ports_valid, "L1 ports"},
      {tx_perf_valid, "performance counters"},
      {tx_watches_valid, "watches"},
  };
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    if (!blocks[i].valid(t)) return blocks[i].block;
  return NULL;
}
