/* The signals of perf.h: which are high, since when, and the sums of their cycles.
 *
 *                  cycle   sampled_at   +1   +2  ...  now
 *   first, pulse           #####                          levels of the cycle of the last look, and what happened in it
 *   rest                         ####################     levels after it
 *   span                             ########             signals whose end was known in advance
 *
 * An update adds the cycles from sampled_at to now, and then samples the levels again. */
#include <string.h>

#include "tensix/machine.h"
#include "tensix/tile/perf.h"
#include "tensix/unit/conditions.h"
#include "tensix/unit/unpack/unpack.h"

#define EVENTS \
  (1u << TX_EVENT_ISSUE | 1u << TX_EVENT_BLOCK | 1u << TX_EVENT_UNIT | 1u << TX_EVENT_RETIRE | 1u << TX_EVENT_SEMAPHORE)

static void raise(uint64_t mask[TX_PERF_MASKS], unsigned signal) { mask[signal / 64] |= UINT64_C(1) << signal % 64; }
static bool is_high(const uint64_t mask[TX_PERF_MASKS], unsigned signal) { return mask[signal / 64] >> signal % 64 & 1u; }

/* --- sums --- */

static uint32_t overlap(const struct tx_perf_span *s, sim_time from, sim_time until) {
  sim_time first = s->from > from ? s->from : from, last = s->until < until ? s->until : until;
  return last > first ? (uint32_t)(last - first) : 0;
}

/* Signals of spans that are not already high as levels. */
static void add_spans(struct tx_perf *p, const uint64_t mask[TX_PERF_MASKS], sim_time from, sim_time until) {
  static const struct {
    uint8_t span, signal, count;
  } plain[] = {
      {TX_PERF_SPAN_THCON, TX_PERF_THCON_BUSY0, 3},
      {TX_PERF_SPAN_PACK, TX_PERF_PACK_BUSY0, 3},
      {TX_PERF_SPAN_MATH, TX_PERF_MATH_BUSY0, 3},
      {TX_PERF_SPAN_SFPU, TX_PERF_SFPU_BUSY0, 3},
      {TX_PERF_SPAN_PACKER, TX_PERF_PACKER, 1},
      {TX_PERF_SPAN_DST_READ, TX_PERF_DST_READ, 1},
      {TX_PERF_SPAN_FPU_RUNS, TX_PERF_FPU, 1},
      {TX_PERF_SPAN_SFPU_RUNS, TX_PERF_SFPU, 1},
      {TX_PERF_SPAN_MATH_INSIDE, TX_PERF_MATH_AVAILABLE, 1},
      {TX_PERF_SPAN_MATH_INSIDE, TX_PERF_MATH_SOURCE_READY, 1},
      {TX_PERF_SPAN_MATH_INSIDE, TX_PERF_MATH_NO_HAZARD, 1},
      {TX_PERF_SPAN_MATH_INSIDE, TX_PERF_MATH_NO_SCOREBOARD, 1},
  };
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++)
    for (unsigned k = 0; k < plain[i].count; k++)
      if (!is_high(mask, plain[i].signal + k))
        p->sum[plain[i].signal + k] += overlap(&p->span[plain[i].span + k], from, until);
  const struct tx_perf_span *fpu = &p->span[TX_PERF_SPAN_FPU_RUNS];
  const sim_time both_from = fpu->from > from ? fpu->from : from, both_until = fpu->until < until ? fpu->until : until;
  p->sum[TX_PERF_FPU_OR_SFPU] += overlap(fpu, from, until) + overlap(&p->span[TX_PERF_SPAN_SFPU_RUNS], from, until);
  if (both_until > both_from)
    p->sum[TX_PERF_FPU_OR_SFPU] -= overlap(&p->span[TX_PERF_SPAN_SFPU_RUNS], both_from, both_until);
  p->sum[TX_PERF_MATH_NO_SCOREBOARD] -= overlap(&p->span[TX_PERF_SPAN_MATH_HELD], from, until);
}

/* Jobs of an unpacker stream one after the other; the next may wait for its bank meanwhile. */
static void add_unpacker(struct tx_perf *p, unsigned u, const uint64_t mask[TX_PERF_MASKS], sim_time from, sim_time until) {
  uint32_t waits = overlap(&p->wait[u], from, until), wanted = waits;
  for (unsigned i = 0; i < TX_UNPACK_JOBS; i++) {
    const struct tx_perf_job *job = &p->job[u][i];
    uint32_t cycles = overlap(&job->streams, from, until);
    if (u == 0 && (job->flags & TX_PERF_READS_L1)) {
      p->sum[TX_PERF_L1_UNPACKER] += cycles;
      p->sum[TX_PERF_L1_UNPACKER_GRANTED] += cycles;
    }
    if (!(job->flags & TX_PERF_WRITES_SRC) || !cycles) continue;
    p->sum[TX_PERF_SRCA_WRITTEN + u] += cycles;
    if (job->thread < 2) p->sum[TX_PERF_SRCA_WRITTEN_0 + 2 * u + job->thread] += cycles;
    const sim_time first = p->wait[u].from > from ? p->wait[u].from : from;
    wanted += cycles - (waits ? overlap(&job->streams, first, until) : 0);
  }
  p->sum[TX_PERF_SRCA_WANTED + u] += wanted;
  if (!is_high(mask, TX_PERF_SRCA_CLEAR + u)) p->sum[TX_PERF_SRCA_CLEAR + u] += waits;
}

static void add(struct tx_perf *p, const uint64_t mask[TX_PERF_MASKS], sim_time from, sim_time until) {
  if (until <= from) return;
  for (unsigned i = 0; i < TX_PERF_MASKS; i++)
    for (uint64_t left = mask[i]; left; left &= left - 1)
      p->sum[64 * i + (unsigned)__builtin_ctzll(left)] += (uint32_t)(until - from);
  add_spans(p, mask, from, until);
  add_unpacker(p, 0, mask, from, until);
  add_unpacker(p, 1, mask, from, until);
}

static void sum_until(struct tx_perf *p, sim_time at) {
  if (at <= p->sampled_at) return;
  for (unsigned i = 0; i < TX_PERF_MASKS; i++) p->first[i] |= p->pulse[i];
  add(p, p->first, p->sampled_at, p->sampled_at + 1);
  add(p, p->rest, p->sampled_at + 1, at);
  memcpy(p->first, p->rest, sizeof p->first);
  memset(p->pulse, 0, sizeof p->pulse);
  p->sampled_at = at;
}

/* --- the machine's levels --- */

/* The class of a word by its unit: the first of its three signals, or 0. */
static unsigned class_of(unsigned unit) {
  static const uint8_t classes[TX_UNIT_COUNT] = {
      [TX_UNIT_CONFIG] = TX_PERF_CFG_HEAD0, [TX_UNIT_SYNC] = TX_PERF_SYNC_HEAD0,     [TX_UNIT_SCALAR] = TX_PERF_THCON_HEAD0,
      [TX_UNIT_MOVER] = TX_PERF_MOVE_HEAD0, [TX_UNIT_MATRIX] = TX_PERF_FPU_HEAD0,    [TX_UNIT_VECTOR] = TX_PERF_FPU_HEAD0,
      [TX_UNIT_PACK] = TX_PERF_PACK_HEAD0,  [TX_UNIT_UNPACK] = TX_PERF_UNPACK_HEAD0,
  };
  return unit < TX_UNIT_COUNT ? classes[unit] : 0;
}

/* A word of the matrix unit waits for that unit, its hazards or its banks, not for a latched wait. */
static void raise_math(uint64_t mask[TX_PERF_MASKS], const struct sim_wait *wait) {
  bool bank = wait->kind == TX_BLOCKED_SRCA || wait->kind == TX_BLOCKED_SRCB;
  bool hazard = wait->kind == TX_BLOCKED_HAZARD;
  if (!bank && !hazard && wait->kind != TX_BLOCKED_UNIT) return;
  raise(mask, TX_PERF_MATH_AVAILABLE);
  if (!bank) raise(mask, TX_PERF_MATH_SOURCE_READY);
  if (!hazard) raise(mask, TX_PERF_MATH_NO_HAZARD);
  if (!hazard) raise(mask, TX_PERF_MATH_NO_SCOREBOARD);
}

static void raise_stall(const struct tx_tile *t, unsigned thread, uint64_t mask[TX_PERF_MASKS]) {
  const struct sim_wait *wait = &t->engine.agents[tx_agent_of_thread(thread)].wait;
  const struct tx_fifo *heads = &t->frontend[thread].fifo3;
  raise(mask, TX_PERF_STALLED0 + thread);
  raise(mask, TX_PERF_ANY_STALLED);
  unsigned unit = heads->count ? tx_ops[heads->slot[heads->head].word >> 24].unit : TX_UNIT_COUNT, head = class_of(unit);
  if (head) raise(mask, head + thread);
  if (unit == TX_UNIT_MATRIX) raise_math(mask, wait);
  uint32_t conditions = wait->kind == TX_BLOCKED_CONDITION ? (uint32_t)wait->object : 0;
  if (conditions >> TX_C5_SRCA_CLEARED & 1u) raise(mask, TX_PERF_SRCA_CLEAR);
  if (conditions >> TX_C6_SRCB_CLEARED & 1u) raise(mask, TX_PERF_SRCB_CLEAR);
  if (conditions >> TX_C7_SRCA_VALID & 1u || wait->kind == TX_BLOCKED_SRCA) raise(mask, TX_PERF_SRCA_VALID);
  if (conditions >> TX_C8_SRCB_VALID & 1u || wait->kind == TX_BLOCKED_SRCB) raise(mask, TX_PERF_SRCB_VALID);
}

static void raise_semaphores(const struct tx_tile *t, unsigned thread, uint64_t mask[TX_PERF_MASKS]) {
  const struct tx_latch *latch = &t->gate[thread].latch;
  if (latch->opcode != TX_SEMWAIT) return;
  for (uint32_t left = latch->semaphores; left; left &= left - 1) {
    const struct sim_csem *sem = &t->sync.sem[__builtin_ctz(left)];
    if ((latch->condition & 1u) && sem->value == 0) raise(mask, TX_PERF_SEM_ZERO0 + thread);
    if ((latch->condition & 2u) && sem->value >= sem->max) raise(mask, TX_PERF_SEM_FULL0 + thread);
  }
}

static void raise_busy(const struct tx_tile *t, unsigned thread, uint64_t mask[TX_PERF_MASKS]) {
  const uint32_t conditions =
      1u << TX_C0_SCALAR_MEMORY | 1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1 | 1u << TX_C9_MOVER | 1u << TX_C10_CORE_REQUESTS;
  uint32_t busy = tx_conditions_unmet(t, thread, conditions);
  if (busy >> TX_C0_SCALAR_MEMORY & 1u) raise(mask, TX_PERF_THCON_BUSY0 + thread);
  if (busy & (1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1)) raise(mask, TX_PERF_UNPACK_BUSY0 + thread);
  if (busy >> TX_C9_MOVER & 1u) raise(mask, TX_PERF_MOVE_BUSY0 + thread);
  if (busy >> TX_C10_CORE_REQUESTS & 1u) raise(mask, TX_PERF_MMIO_BUSY0 + thread);
  for (unsigned u = 0; u < 2 && thread < 2; u++)
    if (busy >> (TX_C1_UNPACK0 + u) & 1u) raise(mask, TX_PERF_UNPACK0_THREAD0 + 2 * u + thread);
}

/* A wait that was recorded in advance begins in the next cycle (frontend/gate.c): it is not in `first`. */
static void look_at_levels(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  memset(p->first, 0, sizeof p->first);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    raise_semaphores(t, thread, p->first);
    raise_busy(t, thread, p->first);
  }
  memcpy(p->rest, p->first, sizeof p->rest);
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    const struct sim_wait *wait = &t->engine.agents[tx_agent_of_thread(thread)].wait;
    if (!wait->kind || wait->kind == TX_BLOCKED_LATCH) continue;
    raise_stall(t, thread, p->rest);
    if (wait->since <= p->sampled_at) raise_stall(t, thread, p->first);
  }
}

/* --- signals that end at a known time --- */

static void look_at_drains(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  static const struct {
    uint8_t unit, span;
  } drains[] = {{TX_UNIT_SCALAR, TX_PERF_SPAN_THCON},
                {TX_UNIT_PACK, TX_PERF_SPAN_PACK},
                {TX_UNIT_MATRIX, TX_PERF_SPAN_MATH},
                {TX_UNIT_VECTOR, TX_PERF_SPAN_SFPU}};
  for (size_t i = 0; i < sizeof drains / sizeof *drains; i++)
    for (unsigned thread = 0; thread < TX_THREADS; thread++) {
      sim_time until = t->units[drains[i].unit].drained_at[thread];
      p->span[drains[i].span + thread] = (struct tx_perf_span){.from = p->sampled_at, .until = until};
      if (drains[i].unit == TX_UNIT_PACK && p->span[TX_PERF_SPAN_PACKER].until < until)
        p->span[TX_PERF_SPAN_PACKER] = (struct tx_perf_span){.from = p->sampled_at, .until = until};
    }
}

/* The cycles in which a job streams precede its end; delays by cores in between are not recorded. */
static void look_at_job(struct tx_perf_job *to, const struct tx_unpack_job *job, bool timing) {
  memset(to, 0, sizeof *to);
  if (job->stream_end == SIM_NEVER) return;
  uint32_t cycles = job->kind == TX_UNPACK_DATUMS && job->rate && timing ? (job->bytes + job->rate - 1) / job->rate : 1;
  to->streams.until = job->stream_end;
  to->streams.from = job->stream_end - (cycles ? cycles : 1);
  to->thread = job->thread;
  if (job->kind == TX_UNPACK_DATUMS) to->flags |= TX_PERF_READS_L1;
  if ((job->kind == TX_UNPACK_DATUMS && !job->how.to_dst) || job->kind == TX_UNPACK_CLEAR) to->flags |= TX_PERF_WRITES_SRC;
}

/* A finished job is no longer in the unpacker, and its cycles have been summed: the last of them is before its end. */
static void look_at_unpackers(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  for (unsigned u = 0; u < 2; u++) {
    memset(&p->job[u], 0, sizeof p->job[u]);
    for (unsigned i = 0; i < t->unpack.jobs[u]; i++) look_at_job(&p->job[u][i], &t->unpack.job[u][i], t->timing != 0);
    const struct tx_unpack_job *waits = tx_unpack_waiting(t, u);
    bool bank = waits && (waits->kind == TX_UNPACK_DATUMS || waits->kind == TX_UNPACK_CLEAR);
    p->wait[u] = (struct tx_perf_span){.from = bank ? waits->ready_at : 0, .until = bank ? SIM_NEVER : 0};
  }
}

static void look_at_nocs(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  for (unsigned noc = 0; noc < TX_NOCS; noc++) {
    const uint32_t *c = t->niu[noc].counter;
    const uint32_t flits[2] = {c[NOC_MST_NP_WORDS] + c[NOC_MST_P_WORDS] + c[NOC_SLV_RD_WORDS],
                               c[NOC_MST_RD_WORDS] + c[NOC_SLV_NP_WORDS] + c[NOC_SLV_P_WORDS]};
    for (unsigned way = 0; way < 2; way++) {
      p->sum[TX_PERF_NOC0_OUT + 2 * noc + way] += flits[way] - p->noc_seen[2 * noc + way];
      p->noc_seen[2 * noc + way] = flits[way];
    }
  }
}

/* --- events --- */

static void note_issue(struct tx_tile *t, unsigned thread, uint32_t word, unsigned unit) {
  struct tx_perf *p = &t->perf;
  unsigned head = class_of(unit), phase = t->rwc[thread].fidelity & 3u, opcode = word >> 24;
  bool multiplies = opcode == TX_MVMUL || opcode == TX_ELWMUL || opcode == TX_DOTPV || opcode == TX_GAPOOL;
  raise(p->pulse, TX_PERF_ISSUED0 + thread);
  if (head) raise(p->pulse, head + thread);
  if (unit != TX_UNIT_MATRIX) return;
  raise(p->pulse, TX_PERF_MATH_STARTED);
  raise(p->pulse, !multiplies || !phase ? TX_PERF_MATH_PHASE_1 : phase == 1 ? TX_PERF_MATH_PHASE_2 : TX_PERF_MATH_PHASE_4);
}

/* a = unit | cycles until it starts << 8, b = cycles until the unit accepts the next */
static void note_unit(struct tx_perf *p, sim_time now, uint32_t a, uint32_t b) {
  struct tx_perf_span runs = {.from = now + (a >> 8), .until = now + b};
  switch (a & 0xffu) {
    case TX_UNIT_MATRIX:
      p->span[TX_PERF_SPAN_FPU_RUNS] = runs;
      p->span[TX_PERF_SPAN_MATH_INSIDE] = (struct tx_perf_span){.from = now, .until = runs.from + 1};
      p->span[TX_PERF_SPAN_MATH_HELD] = (struct tx_perf_span){.from = now, .until = runs.from};
      break;
    case TX_UNIT_VECTOR: p->span[TX_PERF_SPAN_SFPU_RUNS] = runs; break;
    case TX_UNIT_PACK: p->span[TX_PERF_SPAN_DST_READ] = runs; break;
    default: break;
  }
}

/* --- groups --- */

static void freeze(struct tx_tile *t, unsigned group) {
  struct tx_perf *p = &t->perf;
  struct tx_perf_group *g = &p->group[group];
  for (unsigned i = 0; i < TX_PERF_SIGNALS; i++) g->base[i] = p->sum[i] - g->base[i];
  g->stopped_at = p->sampled_at;
  p->counting &= ~(1u << group);
  tx_perf_resume(t);
}

/* The group whose period ended first, in this cycle or before. */
static struct tx_perf_group *over(struct tx_perf *p, sim_time now) {
  struct tx_perf_group *first = NULL;
  for (unsigned group = 0; group < TX_PERF_GROUPS; group++)
    if ((p->counting >> group & 1u) && p->group[group].stopped_at <= now &&
        (!first || p->group[group].stopped_at < first->stopped_at))
      first = &p->group[group];
  return first;
}

static void advance(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  for (struct tx_perf_group *g; (g = over(p, t->engine.now));) {
    sum_until(p, g->stopped_at);
    freeze(t, (unsigned)(g - p->group));
  }
  sum_until(p, t->engine.now);
}

static void look(struct tx_tile *t) {
  look_at_levels(t);
  look_at_drains(t);
  look_at_unpackers(t);
  look_at_nocs(t);
}

void tx_perf_look(struct tx_tile *t, const struct sim_event *event) {
  advance(t);
  if (!t->perf.counting) return;
  if (event && event->kind == TX_EVENT_ISSUE) note_issue(t, event->agent - TX_AGENT_THREAD0, event->a, (unsigned)event->c);
  if (event && event->kind == TX_EVENT_UNIT) note_unit(&t->perf, event->at, event->a, event->b);
  look(t);
}

/* The first group starts: earlier events are unknown, and work in progress is taken from the machine. */
static void begin_gathering(struct tx_tile *t) {
  struct tx_perf *p = &t->perf;
  p->sampled_at = t->engine.now;
  memset(p->pulse, 0, sizeof p->pulse);
  memset(p->span, 0, sizeof p->span);
  static const struct {
    uint8_t unit, span;
  } runs[] = {{TX_UNIT_MATRIX, TX_PERF_SPAN_FPU_RUNS},
              {TX_UNIT_VECTOR, TX_PERF_SPAN_SFPU_RUNS},
              {TX_UNIT_PACK, TX_PERF_SPAN_DST_READ}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
    p->span[runs[i].span] = (struct tx_perf_span){.from = p->sampled_at, .until = t->units[runs[i].unit].free_at};
  look(t);
  memset(p->sum, 0, sizeof p->sum);
}

void tx_perf_begin(struct tx_tile *t, unsigned group, sim_time period) {
  struct tx_perf *p = &t->perf;
  struct tx_perf_group *g = &p->group[group];
  if (p->counting) tx_perf_look(t, NULL);
  if (!p->counting) begin_gathering(t);
  g->started_at = t->engine.now;
  g->stopped_at = period ? t->engine.now + period : SIM_NEVER;
  memcpy(g->base, p->sum, sizeof g->base);
  p->counting |= 1u << group;
  tx_perf_resume(t);
}

void tx_perf_end(struct tx_tile *t, unsigned group) {
  tx_perf_look(t, NULL);
  if (t->perf.counting >> group & 1u) freeze(t, group);
}

void tx_perf_resume(struct tx_tile *t) { sim_log_keep(&t->unsaved.log, t->perf.counting ? EVENTS : 0); }
