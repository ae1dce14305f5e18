/* The checks of valid_units.h. */
#include "tensix/tile/valid_units.h"

#include <string.h>

#include "noc/niu.h"
#include "tensix/machine.h"
#include "tensix/num/format.h"
#include "tensix/num/format_pack.h"
#include "tensix/tile/bus.h"
#include "tensix/unit/pack/output.h"
#include "tensix/unit/scalar.h"
#include "tensix/unit/vector/op.h"

#define SOON_MAX (1u << 30) /* largest distance of a planned time from now */
#define IS_BOOL(x) ((x) <= 1)

static bool in_l1(uint32_t address, uint64_t bytes) { return address + bytes <= TX_L1_BYTES; }
static bool soon(const struct tx_tile *t, sim_time at) { return at <= t->engine.now + SOON_MAX; }
static bool is_core(unsigned agent) { return agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC; }
static bool is_agent(unsigned agent) { return agent < TX_AGENT_COUNT; }

static unsigned count_effects(const struct tx_tile *t, unsigned kind) {
  unsigned count = 0;
  for (uint32_t i = 0; i < t->engine.effect_count; i++) count += t->engine.effects[i].kind == kind;
  return count;
}

/* --- effects --- */

static bool config_effect_valid(const struct sim_effect *e) {
  unsigned action = e->w[0] & 0xffu, index = e->w[1];
  return action <= 4 && e->w[0] >> 16 < TX_THREADS && index < TX_CFG_WORDS - (action == 1 ? 3u : 0u) &&
         (action != 4 || e->w[2] < NOC_STREAMS_MAX);
}

static bool core_effect_valid(const struct tx_tile *t, const struct sim_effect *e) {
  uint32_t bytes = e->w[4] & 0xffu;
  if (!is_core(e->agent)) return false;
  switch (e->kind) {
    case TX_EFFECT_CORE_LINE: return !(e->w[0] & 15u) && e->w[0] < t->l1_bytes && e->w[5] && e->w[5] <= 0xffffu;
    case TX_EFFECT_CORE_ATOMIC: return !(e->w[0] & 3u) && e->w[0] < t->l1_bytes;
    default:
      return e->w[0] < TX_REGIONS && (bytes == 1 || bytes == 2 || bytes == 4) && !(e->w[1] & (bytes - 1)) &&
             e->w[4] >> 8 < 1u << TX_SYNC_RESOURCES && tx_bus_arrives(t, e->agent, e->w[1], bytes);
  }
}

bool tx_effect_valid(const struct tx_tile *t, const struct sim_effect *e) {
  switch (e->kind) {
    case TX_EFFECT_GPR_WRITE: return e->w[0] < TX_THREADS && e->w[1] < TX_GPRS && e->w[3] <= 0xfu && IS_BOOL(e->w[4]);
    case TX_EFFECT_SCALAR_MEMORY: return is_agent(e->agent) && tx_scalar_request_valid(e);
    case TX_EFFECT_CFG_WRITE: return config_effect_valid(e);
    case TX_EFFECT_CORE_REQUEST:
    case TX_EFFECT_CORE_LINE:
    case TX_EFFECT_CORE_ATOMIC: return core_effect_valid(t, e);
    case TX_EFFECT_BANK_HAND_OVER: return e->w[0] <= TX_SRCB && e->w[1] < 32;
    case TX_EFFECT_BANK_RELEASE: return e->w[0] <= TX_SRCB && e->w[1] < 2 && e->w[2] <= 3;
    case TX_EFFECT_UNPACK_DONE: return e->w[0] < 2;
    case TX_EFFECT_LINK_FRAME: return t->ethernet.on && t->link.due;
    case TX_EFFECT_LINK_DOWN: return t->ethernet.on && t->link.linked;
    case TX_EFFECT_NOC_EVENT: return e->w[0] < TX_NOCS && noc_event_valid(&t->niu[e->w[0]], e->w[1]);
    default: return true;
  }
}

/* --- semaphores, counters, configuration --- */

bool tx_sync_valid(const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) {
    const struct sim_csem *s = &t->sync.sem[i];
    if (!s->width || s->width > 16 || s->value > sim_csem_full(s) || s->sources > SIM_CSEM_SOURCES_MAX) return false;
  }
  for (unsigned i = 0; i < TX_MUTEXES; i++)
    if (t->sync.mutex_holder[i] >= TX_THREADS && t->sync.mutex_holder[i] != TX_MUTEX_FREE) return false;
  return true;
}

bool tx_counters_valid(const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_THREADS; i++) {
    const struct tx_rwc *r = &t->rwc[i];
    if ((r->srca | r->srca_cr | r->srcb | r->srcb_cr) > 63 || (r->dst | r->dst_cr) > 1023 || r->fidelity > 3) return false;
    if (t->adc_watch.by[i] > TX_THREADS) return false;
  }
  return true;
}

bool tx_config_valid(const struct tx_tile *t) {
  const struct tx_config *c = &t->config;
  for (unsigned i = 0; i < TX_CONFIG_READERS; i++)
    if (c->reads[i].index >= TX_CFG_WORDS || c->reads[i].bank > 1 || !IS_BOOL(c->reads[i].valid)) return false;
  for (unsigned i = 0; i < TX_THREADS; i++)
    if (!soon(t, c->pending_until[i])) return false;
  return c->pipe < 32 && !(c->pipe_old & ~c->pipe) && c->pipe_at <= t->engine.now && c->stream_thread < TX_THREADS;
}

/* --- scalar unit --- */

bool tx_scalar_valid(const struct tx_tile *t) {
  const struct tx_scalar *s = &t->scalar;
  uint32_t pending[TX_THREADS][TX_GPRS], outstanding[TX_THREADS];
  memset(pending, 0, sizeof pending);
  memset(outstanding, 0, sizeof outstanding);
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    unsigned first = e->w[1], count = 1, thread = e->w[0];
    if (e->kind == TX_EFFECT_GPR_WRITE) outstanding[thread] += e->w[4];
    else if (e->kind != TX_EFFECT_SCALAR_MEMORY) continue;
    else {
      thread = e->w[0] >> 8 & 0xffu;
      outstanding[thread]++;
      count = tx_scalar_request_marks(e, &first);
    }
    for (unsigned k = 0; k < count; k++) pending[thread][first + k]++;
  }
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    if (s->outstanding[thread] != outstanding[thread] || s->rdcfg_gpr[thread] >= TX_GPRS) return false;
    for (unsigned reg = 0; reg < TX_GPRS; reg++)
      if (s->gpr_pending[thread][reg] != pending[thread][reg]) return false;
  }
  const struct sim_agent *agent = &t->engine.agents[TX_AGENT_SCALAR];
  if (!s->waiting_word) return agent->state == SIM_AGENT_OFF || agent->state == SIM_AGENT_DONE;
  return s->waiting_thread < TX_THREADS && t->units[TX_UNIT_SCALAR].free_at == SIM_NEVER &&
         tx_scalar_waits(s->waiting_word) &&
         (agent->state == SIM_AGENT_TIMED || agent->state == SIM_AGENT_PARKED || agent->state == SIM_AGENT_EVENT);
}

/* --- Src, Dst --- */

bool tx_src_valid(const struct tx_tile *t) {
  for (unsigned which = 0; which < 2; which++) {
    if (t->src.matrix_bank[which] > 1 || t->src.unpack_bank[which] > 1) return false;
    for (unsigned bank = 0; bank < 2; bank++) {
      const struct tx_src_bank *b = &t->src.bank[which][bank];
      if (b->owner > TX_CLIENT_MATRIX || b->format > 31 || !IS_BOOL(b->filled)) return false;
    }
  }
  for (unsigned i = 0; i < TX_DST_ROWS; i++)
    if (t->dst.valid[i] >= TX_DST_STATES) return false;
  for (unsigned i = 0; i < TX_DST_BLOCKS; i++)
    if (!soon(t, t->dst.busy_until[i])) return false;
  return t->matrix.srca_row < TX_SRC_ROWS;
}

/* --- vector unit --- */

static bool vop_valid(const struct tx_vop *op) {
  return tx_vector_ops[op->opcode].run && op->va < TX_LREGS && op->vb < TX_LREGS && op->vc < TX_LREGS && op->vd < TX_LREGS &&
         op->mod < 16 && op->addr_mode < 8 && IS_BOOL(op->two_cycles);
}

static bool slots_valid(const struct tx_vector *v, unsigned sub, unsigned delay) {
  uint32_t columns = 0;
  for (unsigned i = 0; i < TX_VECTOR_COLUMNS; i++) {
    const struct tx_scheduled *s = &v->slots[sub][delay][i];
    if (!s->columns) continue;
    if ((columns & s->columns) || s->thread >= TX_THREADS || !IS_BOOL(s->by_instructions) || !vop_valid(&s->op))
      return false;
    if (tx_vector_ops[s->op.opcode].sub_unit != sub && s->op.opcode != TX_SFPNOP) return false;
    columns |= s->columns;
  }
  return !columns || (v->occupied[sub] >> delay & 1u);
}

bool tx_vector_valid(const struct tx_tile *t) {
  const struct tx_vector *v = &t->vector;
  if (v->undefined & ~(TX_UNDEFINED_KIND | TX_UNDEFINED_KIND << TX_UNDEFINED_PARTIAL)) return false;
  if (v->slot_base > 7 || !IS_BOOL(v->scalar_only) || v->executing >> TX_SUB_UNITS || v->macro_thread >= TX_THREADS)
    return false;
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++) {
    if (v->occupied[sub] > 0xffu) return false;
    for (unsigned delay = 0; delay < 8; delay++)
      if (!slots_valid(v, sub, delay)) return false;
  }
  for (unsigned i = 0; i < 2; i++)
    if ((v->hidden[i].rows | v->hidden[i].held_rows | v->hidden[i].fresh_rows | v->hidden[i].wanted_rows) >> TX_LREGS)
      return false;
  for (unsigned i = 0; i < TX_VECTOR_COLUMNS; i++)
    if (v->lane_config[i] & ~(uint32_t)TX_LANE_CONFIG_BITS) return false;
  return !(v->unread >> TX_LREGS) && !(v->written >> TX_LREGS) &&
         (v->swap_at == SIM_NEVER || v->swap_at < t->engine.now || vop_valid(&v->swap));
}

/* --- unpackers --- */

static bool job_valid(const struct tx_tile *t, const struct tx_unpack_job *job) {
  if (job->thread >= TX_THREADS || job->kind > TX_UNPACK_STREAM || job->flags > 1023) return false;
  if (job->stream_end != SIM_NEVER && !soon(t, job->stream_end)) return false;
  if (job->done_at != SIM_NEVER && !soon(t, job->done_at)) return false;
  if ((job->stream_end == SIM_NEVER) != (job->done_at == SIM_NEVER) || !soon(t, job->ready_at) || job->format > 31)
    return false;
  if (job->kind != TX_UNPACK_DATUMS) return true;
  if (!IS_BOOL(job->how.to_dst) || !IS_BOOL(job->how.e4m3) || !IS_BOOL(job->how.is_unsigned) || job->how.in > 31 ||
      job->how.out > 31)
    return false;
  if (!num_unpack_legal(job->how.in, job->how.out, job->how.to_dst)) return false;
  return job->row_datums && (!(job->flags & TX_UNPACK_TILIZE) || job->row_datums >= 16) && job->row_base < TX_SRC_ROWS &&
         job->count < 1u << 24 && job->bytes < 1u << 24 && job->out < 1u << 24;
}

bool tx_unpack_valid(const struct tx_tile *t) {
  const struct tx_unpack *unpack = &t->unpack;
  for (unsigned u = 0; u < 2; u++) {
    uint8_t inside[TX_THREADS] = {0};
    if (unpack->jobs[u] > TX_UNPACK_JOBS || !soon(t, unpack->stream_end[u])) return false;
    for (unsigned i = 0; i < unpack->jobs[u]; i++) {
      if (!job_valid(t, &unpack->job[u][i])) return false;
      inside[unpack->job[u][i].thread]++;
    }
    if (memcmp(inside, unpack->inside[u], sizeof inside) != 0) return false;
    for (unsigned thread = 0; thread < TX_THREADS; thread++)
      if (unpack->context_counter[u][thread] > 7 || unpack->src_row[u][thread] > 63) return false;
  }
  return true;
}

/* --- mover and TDMA-RISC --- */

static bool move_valid(const struct tx_move *m) {
  bool reads = m->mode == TX_MOVE_L1_TO_CONFIG || m->mode == TX_MOVE_L1_TO_L1;
  bool writes = m->mode == TX_MOVE_CLEAR_L1 || m->mode == TX_MOVE_L1_TO_L1;
  if (m->mode > TX_MOVE_L1_TO_L1 || m->length % 16 || !is_agent(m->agent)) return false;
  if (!writes && (m->target & 0xffffu) + (uint64_t)m->length > 0x10000u) return false;
  return (!reads || in_l1(m->source, m->length)) && (!writes || in_l1(m->target, m->length));
}

bool tx_mover_valid(const struct tx_tile *t) {
  const struct tx_mover *m = &t->mover;
  uint32_t credits = 0;
  if (!IS_BOOL(m->busy) || !IS_BOOL(m->command_pending) || m->commands > TX_TDMA_COMMANDS) return false;
  if (count_effects(t, TX_EFFECT_MOVER_DONE) != m->busy || (m->busy && !move_valid(&m->move))) return false;
  if (!m->busy && (m->range[0] || m->range[1])) return false;
  for (uint32_t i = 0; i < t->engine.effect_count; i++)
    if (t->engine.effects[i].kind == TX_EFFECT_MOVER_DONE && t->engine.effects[i].at < m->done_at) return false;
  for (uint32_t i = 0; i < m->commands; i++) {
    if (!is_agent(m->queue[i].agent)) return false;
    credits += !(m->queue[i].command >> 31);
  }
  return m->credits_used == credits && credits <= TX_TDMA_CREDITS;
}

/* --- packer --- */

/* The decoded configuration must equal the one decoded from its own request, since the arithmetic uses it as an index. */
static bool pack_config_valid(const struct tx_pack_config *c) {
  struct num_pack how;
  uint8_t map[2];
  memcpy(map, &c->map, sizeof map); /* bools: read as bytes */
  if (map[0] > 1 || map[1] > 1 || c->bank > 1) return false;
  if (!c->version || c->refusal) return true;
  memset(&how, 0, sizeof how);
  return c->request.intermediate < 32 && c->request.from < 32 && c->request.to < 32 && c->request.shift < 32 &&
         num_pack_make(&c->request, &how) && memcmp(&how, &c->how, sizeof how) == 0 && c->datum_shift <= 4 &&
         c->relu_mode <= 3;
}

static bool batch_valid(const struct tx_tile *t, const struct tx_pack_batch *b) {
  if (!IS_BOOL(b->ends_tile) || !IS_BOOL(b->add_header) || !IS_BOOL(b->out_fifo) || !IS_BOOL(b->closed) ||
      !IS_BOOL(b->accumulate))
    return false;
  if (b->agent >= TX_THREADS || b->format > 31 || !tx_pack_batch_fits(b) || !soon(t, b->done_at)) return false;
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++) {
    const struct tx_pack_piece *piece = &b->piece[i];
    if (piece->length > b->bits[i] / 8 || piece->length % 16 || !in_l1(piece->address, piece->length)) return false;
  }
  return true;
}

/* The batch has its effect, not before the batch is complete. */
static bool batch_has_effect(const struct tx_tile *t, const struct tx_pack_batch *b) {
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind == TX_EFFECT_PACK_DONE && e->seq == b->effect) return e->at == b->done_at;
  }
  return false;
}

bool tx_pack_valid(const struct tx_tile *t) {
  const struct tx_pack *p = &t->pack;
  const struct tx_pack_batch *before = NULL;
  if (!pack_config_valid(&p->config) || p->first >= TX_PACK_BATCHES || p->count > TX_PACK_BATCHES) return false;
  if (p->metadata_count > TX_PACK_METADATA || count_effects(t, TX_EFFECT_PACK_DONE) != p->count) return false;
  for (uint32_t i = 0; i < p->count; i++) {
    const struct tx_pack_batch *b = &p->batch[(p->first + i) % TX_PACK_BATCHES];
    if (!batch_valid(t, b) || !batch_has_effect(t, b)) return false;
    if (before &&
        (b->done_at < before->done_at || (b->done_at == before->done_at && (int32_t)(b->effect - before->effect) < 0)))
      return false;
    before = b;
  }
  for (unsigned i = 0; i < TX_PACK_STREAMS; i++)
    if (p->stream[i].bits > 127 || !IS_BOOL(p->stream[i].open)) return false;
  const struct tx_pack_compress *c = &p->compress;
  for (unsigned i = 0; i < sizeof c->zeros; i++)
    if (c->zeros[i] > 15) return false;
  for (unsigned i = 0; i < TX_PACKERS; i++)
    if (t->pack_stats.packer[i].last_thread >= TX_THREADS) return false;
  return c->in_group < 32 && IS_BOOL(c->in_row) && c->held_zeros <= 15 && IS_BOOL(c->row_zero) && soon(t, p->last_done_at);
}

/* --- ranges of L1 in flight: each has one owner that removes it --- */

static bool take_handle(const struct tx_tile *t, uint64_t *owned, uint32_t handle) {
  if (handle == TX_INFLIGHT_NONE) return true;
  if (handle >= TX_INFLIGHT_MAX || !(t->inflight.used >> (handle - 1) & 1u) || (*owned >> (handle - 1) & 1u)) return false;
  *owned |= UINT64_C(1) << (handle - 1);
  return true;
}

static bool handles_valid(const struct tx_tile *t) {
  uint64_t owned = 0;
  bool ok = take_handle(t, &owned, t->mover.range[0]) && take_handle(t, &owned, t->mover.range[1]);
  for (unsigned u = 0; u < 2; u++)
    for (unsigned i = 0; i < t->unpack.jobs[u]; i++)
      for (unsigned k = 0; k < TX_UNPACK_RANGES; k++) ok = ok && take_handle(t, &owned, t->unpack.job[u][i].range[k]);
  for (uint32_t i = 0; i < t->pack.count; i++) {
    const struct tx_pack_batch *b = &t->pack.batch[(t->pack.first + i) % TX_PACK_BATCHES];
    for (unsigned k = 0; k < TX_PACK_STREAMS; k++) {
      uint32_t handle = b->piece[k].length ? b->piece[k].handle : 0;
      ok = ok && take_handle(t, &owned, handle) && (!handle || t->inflight.range[handle - 1].rows == 1);
    }
  }
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    for (unsigned i = 0; i < NOC_LOOPS; i++) {
      const struct noc_loop *loop = &t->niu[noc].loop[i];
      if (loop->used) ok = ok && take_handle(t, &owned, loop->packet.claim) && take_handle(t, &owned, loop->source_claim);
    }
    for (unsigned i = 0; i < NOC_INITIATORS; i++) ok = ok && take_handle(t, &owned, t->niu[noc].claims[i]);
  }
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind == TX_EFFECT_NOC_EVENT) ok = ok && take_handle(t, &owned, noc_event_claim(e->w[1]));
  }
  return ok;
}

bool tx_inflight_valid(const struct tx_tile *t) {
  const struct tx_inflight *list = &t->inflight;
  for (uint64_t left = list->used & ~TX_INFLIGHT_WATCHED; left; left &= left - 1) {
    const struct tx_range *r = &list->range[__builtin_ctzll(left)];
    if (!r->rows || !r->width || r->rows > TX_L1_BYTES || r->stride > TX_L1_BYTES ||
        (r->agent >= TX_AGENT_COUNT && r->agent != TX_AGENT_NETWORK))
      return false;
    uint64_t end = r->base + (uint64_t)(r->rows - 1) * r->stride + r->width;
    if (end > TX_L1_BYTES || (r->unit >= TX_UNIT_COUNT && r->unit != TX_UNIT_FRONTEND) ||
        (!(list->used & TX_INFLIGHT_WATCHED) && (r->base < list->low || end > list->high)))
      return false;
  }
  return handles_valid(t);
}

/* --- mailboxes, NIUs, ports, watches --- */

static bool backlog_valid(const struct tx_backlog *b, unsigned targets) {
  if (b->count > TX_BACKLOG_WORDS) return false;
  for (uint32_t i = 0; i < b->count; i++)
    if (b->to[i] >= targets) return false;
  return true;
}

bool tx_mailboxes_valid(const struct tx_tile *t) {
  for (unsigned from = 0; from < TX_MAILBOX_CORES; from++) {
    uint32_t sum = 0;
    for (unsigned to = 0; to < TX_MAILBOX_CORES; to++) {
      const struct tx_mailbox *box = &t->mailboxes.box[from][to];
      if (box->head >= TX_MAILBOX_WORDS || box->count > TX_MAILBOX_WORDS) return false;
      sum += box->count;
    }
    if (sum > TX_MAILBOX_WORDS || !backlog_valid(&t->mailboxes.backlog[from], TX_MAILBOX_CORES)) return false;
  }
  for (unsigned i = 0; i < TX_THREADS; i++)
    if (t->pcbufs.buf[i].head >= TX_PCBUF_WORDS || t->pcbufs.buf[i].count > TX_PCBUF_WORDS) return false;
  for (unsigned i = 0; i < 2; i++)
    if (!IS_BOOL(t->pic.in_handler[i]) || t->pic.last[i] >= TX_PIC_INTERRUPTS) return false;
  return backlog_valid(&t->pcbufs.backlog, TX_THREADS);
}

bool tx_noc_valid(const struct tx_tile *t) {
  for (unsigned noc = 0; noc < TX_NOCS; noc++)
    if (t->niu[noc].noc != noc || !noc_niu_valid(&t->niu[noc])) return false;
  return true;
}

bool tx_l1_ports_valid(const struct tx_tile *t) {
  const struct tx_l1_ports *p = &t->l1_ports;
  for (unsigned i = 0; i < TX_L1_PORTS; i++)
    if (p->read_next[i] >= TX_L1_READS || !soon(t, p->port_free[i])) return false;
  for (unsigned i = 0; i < TX_L1_BANKS; i++)
    if (p->bank_last[i] >= TX_L1_PORTS || !soon(t, p->bank_free[i])) return false;
  for (unsigned i = 0; i < TX_L1_CLIENTS; i++)
    if (p->client[i].bank > TX_L1_BANKS) return false;
  for (unsigned i = 0; i < TX_L1_STREAMERS; i++) {
    if (p->delay[i] > SOON_MAX || p->elevenths[i] > 10 || p->stream_next[i] >= TX_L1_PLANNED) return false;
    for (unsigned k = 0; k < TX_L1_PLANNED; k++)
      if (p->stream[i][k].until && (!p->stream[i][k].rate || p->stream[i][k].rate > TX_L1_BANKS)) return false;
  }
  for (unsigned i = 0; i < TX_NOCS; i++)
    if (p->niu[i].delay > SOON_MAX || !soon(t, p->niu[i].until) || !soon(t, p->niu[i].resume)) return false;
  return t->control.event_position <= 4 && t->control.event_bits <= 128 && t->control.watchdog_since <= t->engine.now;
}

static bool no_signal_beyond(const uint64_t mask[TX_PERF_MASKS]) {
  return !(mask[TX_PERF_MASKS - 1] >> (TX_PERF_SIGNALS - 1) % 64 >> 1);
}

bool tx_perf_valid(const struct tx_tile *t) {
  const struct tx_perf *p = &t->perf;
  if (p->counting >> TX_PERF_GROUPS || (p->counting && p->sampled_at > t->engine.now)) return false;
  if (!no_signal_beyond(p->pulse) || !no_signal_beyond(p->first) || !no_signal_beyond(p->rest)) return false;
  for (unsigned group = 0; group < TX_PERF_GROUPS; group++) {
    const struct tx_perf_group *g = &p->group[group];
    if (!IS_BOOL(g->started) || g->mode > 2 || g->mux > 7 || g->stopped_at < g->started_at) return false;
    if ((p->counting >> group & 1u) && (!g->started || g->started_at > t->engine.now)) return false;
  }
  return true;
}

bool tx_watches_valid(const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_WATCHES; i++) {
    const struct tx_watch *w = &t->watch[i];
    if (w->kind > TX_WATCH_TIMER || !IS_BOOL(w->armed) || !IS_BOOL(w->met) || !IS_BOOL(w->parked)) return false;
    if (w->kind == TX_WATCH_CONDITION && (!w->count || w->count > TX_WATCH_WORDS)) return false;
    unsigned state = t->engine.agents[TX_AGENT_WATCH + i].state;
    if (w->kind == TX_WATCH_FREE && state != SIM_AGENT_OFF && state != SIM_AGENT_DONE) return false;
  }
  return true;
}
