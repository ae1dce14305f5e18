/* The unpackers' bodies, their queues of jobs, and time. See unpack.h. */
#include "tensix/unit/unpack/unpack.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/body.h"
#include "tensix/lap_notes.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/mem/paged.h"
#include "tensix/regs/context.h"
#include "tensix/regs/src.h"
#include "tensix/unit/unpack/address.h"
#include "tensix/unit/unpack/datapath.h"
#include "tensix/unit/unpack/plan.h"

#define LOOK_AGAIN 1u /* of TX_EFFECT_UNPACK_DONE: nothing is complete, a job may begin */

static const char *const src_names[] = {"SrcA", "SrcB"};

/* --- queries of the wait gate --- */

static unsigned selected(uint32_t word) { return word >> 23 & 1u; } /* the same bit in UNPACR and UNPACR_NOP */

static unsigned capacity(const struct tx_tile *t) {
  uint32_t n = t->params.unpack_queue;
  return n < 1 ? 1 : n > TX_UNPACK_JOBS ? TX_UNPACK_JOBS : n;
}

void tx_unpack_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  (void)thread;
  unsigned u = selected(word);
  if (t->unpack.jobs[u] < capacity(t)) return;
  *answer = (struct tx_answer){.retry_at = SIM_NEVER,
                               .channels = TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK),
                               .wait = {.kind = TX_BLOCKED_UNPACK_BANK, .object = u}};
}

bool tx_unpack_busy(const struct tx_tile *t, unsigned unpacker, unsigned thread) {
  return t->unpack.inside[unpacker][thread];
}

const struct tx_unpack_job *tx_unpack_waiting(const struct tx_tile *t, unsigned unpacker) {
  for (unsigned i = 0; i < t->unpack.jobs[unpacker]; i++)
    if (t->unpack.job[unpacker][i].stream_end == SIM_NEVER) return &t->unpack.job[unpacker][i];
  return NULL;
}

/* --- when a job begins and ends --- */

/* Do the unpackers own the bank that a job will use? Each earlier job may hand over one: after one hand-over it is the
 * other bank, after two certainly one that is not free. */
static inline bool bank_is_free(const struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, unsigned place) {
  unsigned bank = t->src.unpack_bank[u], handed_over = 0;
  tx_assert(place < t->unpack.jobs[u] && bank < 2);
  for (const struct tx_unpack_job *before = job - place; before != job; before++)
    if (before->flags & TX_UNPACK_HAND_OVER) handed_over++;
  return handed_over < 2 && t->src.bank[u][bank ^ handed_over].owner == TX_CLIENT_UNPACKERS;
}

/* What-if "page by page": the page that the job reads is not there yet. The job is tried again in the next cycle. */
__attribute__((noinline)) static bool awaits_page(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job) {
  struct tx_what_if *w = t->unsaved.what_if;
  const uint32_t words[SIM_EFFECT_WORDS] = {u, LOOK_AGAIN};
  if (!w->paged.buffers || tx_paged_there(t, job->data_bit / 8)) return false;
  if (!w->paged.looks[u]) tx_later(t, 1, TX_EFFECT_UNPACK_DONE, words);
  w->paged.looks[u] = 1;
  return true;
}

/* ISA: UNPACR_Regular.md waits for the unpacker's bank, also for Dst; UNPACR_NOP_ZEROSRC.md waits with WaitLikeUnpacr;
 * UNPACR_NOP_SETDVALID.md does not wait. */
static inline bool may_begin(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job, unsigned place) {
  if (__builtin_expect(t->unsaved.what_if != NULL, 0) && job->kind == TX_UNPACK_DATUMS && awaits_page(t, u, job))
    return false;
  if (job->kind != TX_UNPACK_DATUMS && job->kind != TX_UNPACK_CLEAR) return true;
  if (job->flags & TX_UNPACK_WAIT_MATRIX) /* a job before this one may still change the matrix unit's bank */
    return place == 0 && t->src.bank[u][t->src.matrix_bank[u]].owner == TX_CLIENT_UNPACKERS;
  return bank_is_free(t, u, job, place);
}

static sim_time later_of(sim_time a, sim_time b) { return a > b ? a : b; }

static sim_time stream_cycles(const struct tx_unpack_job *job) {
  sim_time cycles = job->rate ? (job->bytes + job->rate - 1) / job->rate : 1;
  return cycles ? cycles : 1;
}

static void schedule_done(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job) {
  tx_assert(job->done_at > tx_now(t) && job->done_at != SIM_NEVER);
  uint32_t w[SIM_EFFECT_WORDS] = {u};
  t->current.agent = tx_agent_of_thread(job->thread);
  tx_later(t, (uint32_t)(job->done_at - tx_now(t)), TX_EFFECT_UNPACK_DONE, w);
}

/* While both unpackers stream, each gets unpack_pair_percent of its rate: the unpacker that overlaps is delayed. The default, 100,
 * has no effect, consistent with silicon's 18.5 cycles for a pair of bf16 data tiles. */
static void slow_down_pair(struct tx_tile *t, unsigned u, struct tx_unpack_job *job, sim_time start) {
  uint32_t percent = t->params.unpack_pair_percent;
  if (percent >= 100 || percent == 0) return;
  struct tx_unpack *unpack = &t->unpack;
  for (unsigned i = 0; i < unpack->jobs[u ^ 1u]; i++) {
    struct tx_unpack_job *other = &unpack->job[u ^ 1u][i];
    if (other->kind != TX_UNPACK_DATUMS || other->stream_end == SIM_NEVER || other->stream_end <= start) continue;
    sim_time overlap = other->stream_end - start;
    sim_time own = job->stream_end - start;
    if (own < overlap) overlap = own;
    sim_time extra = overlap * (100 - percent) / percent;
    job->stream_end += extra;
    other->stream_end += extra;
    other->done_at += extra; /* its pending effect is then too early and is repeated */
    unpack->stream_end[u ^ 1u] = later_of(unpack->stream_end[u ^ 1u], other->stream_end);
  }
}

/* Cores have delayed the stream: it, and the streams planned after it, end later. Pending effects are then too early and
 * are repeated. */
__attribute__((noinline)) static void apply_delay(struct tx_tile *t, unsigned u, uint32_t delay) {
  struct tx_unpack *unpack = &t->unpack;
  unpack->stream_end[u] += delay;
  for (unsigned i = 0; i < unpack->jobs[u]; i++) {
    struct tx_unpack_job *job = &unpack->job[u][i];
    if (job->stream_end == SIM_NEVER) continue;
    job->stream_end += delay;
    job->done_at += delay;
  }
  if (!u) tx_perf_request(t, TX_PERF_L1_UNPACKER, 0, delay);
}

static inline void take_delay(struct tx_tile *t, unsigned u) {
  const uint32_t delay = tx_l1_take_delay(t, u ? TX_L1_UNPACKER_1 : TX_L1_UNPACKER_0);
  if (delay) apply_delay(t, u, delay);
}

static void begin(struct tx_tile *t, unsigned u, struct tx_unpack_job *job) {
  struct tx_unpack *unpack = &t->unpack;
  take_delay(t, u);
  sim_time now = tx_now(t);
  sim_time start = later_of(later_of(now, job->ready_at), unpack->stream_end[u]);
  unpack->bank_wait_cycles[u] += now > job->ready_at ? now - job->ready_at : 0;
  if (!t->timing) {
    job->stream_end = job->done_at = now + 1;
  } else if (job->kind == TX_UNPACK_DATUMS) {
    job->stream_end = start + stream_cycles(job);
    slow_down_pair(t, u, job, start);
    job->done_at = job->stream_end + t->params.unpack_fill_cycles;
    tx_l1_stream(t, u ? TX_L1_UNPACKER_1 : TX_L1_UNPACKER_0, job->data_bit / 8, job->rate, start, job->stream_end);
  } else {
    job->stream_end = job->done_at = start + 1;
  }
  tx_assert(job->stream_end >= unpack->stream_end[u] || !t->timing); /* jobs stream in order */
  unpack->stream_end[u] = job->stream_end;
  schedule_done(t, u, job);
  tx_perf_touch(t);
}

/* Begins every job that can, in order; those before the one at `place`, `job`, have begun. */
static void advance_from(struct tx_tile *t, unsigned u, struct tx_unpack_job *job, unsigned place) {
  do {
    if (job->stream_end != SIM_NEVER) continue;
    if (!may_begin(t, u, job, place)) return;
    begin(t, u, job);
  } while (job++, ++place < t->unpack.jobs[u]);
}

/* They begin in order: if the newest one has begun, all have. */
static inline void advance(struct tx_tile *t, unsigned u) {
  const unsigned jobs = t->unpack.jobs[u];
  struct tx_unpack_job *job = sim_keep(t->unpack.job[u]);
  if (jobs && job[jobs - 1].stream_end == SIM_NEVER) advance_from(t, u, job, 0);
}

/* An owner or pointer of a Src bank changed: a waiting job may begin. */
static void banks_changed(struct tx_tile *t) {
  advance(t, 0);
  advance(t, 1);
}

static void hand_over(struct tx_tile *t, enum tx_src_which which, unsigned format, bool record_format) {
  tx_src_hand_over(t, which, format, record_format);
  banks_changed(t);
}

void tx_effect_BANK_HAND_OVER(struct tx_tile *t, const struct sim_effect *e) {
  hand_over(t, (enum tx_src_which)e->w[0], e->w[1], e->w[2] != 0);
}

void tx_effect_BANK_RELEASE(struct tx_tile *t, const struct sim_effect *e) {
  tx_src_release_now(t, (enum tx_src_which)e->w[0], e->w[1] & 1u, e->w[2]);
  banks_changed(t);
}

/* Room for a job that is not accepted yet. It is empty, and stays so when the job is refused: equal states have equal bytes. */
static struct tx_unpack_job *free_job(struct tx_tile *t, unsigned u) {
  tx_assert(u < 2 && t->unpack.jobs[u] < TX_UNPACK_JOBS); /* ensured by tx_unpack_ready */
  return sim_keep(&t->unpack.job[u][t->unpack.jobs[u]]);
}

/* Accepts the job in the unpacker's free room. */
static void accept(struct tx_tile *t, unsigned u, struct tx_unpack_job *job, const struct tx_cost *cost) {
  struct tx_unpack *unpack = &t->unpack;
  tx_assert(job == free_job(t, u) && job->thread < TX_THREADS);
  job->ready_at = tx_now(t) + (t->timing ? cost->issue : 0);
  job->stream_end = job->done_at = SIM_NEVER;
  job->word = t->current.word;
  job->pc = t->current.pc;
  unpack->inside[u][job->thread]++;
  const unsigned place = unpack->jobs[u]++;
  if (place && job[-1].stream_end == SIM_NEVER) advance_from(t, u, job - place, 0);
  else advance_from(t, u, job, place);
}

/* --- the end of a job --- */

static inline void take_oldest(struct tx_unpack *unpack, unsigned u, struct tx_unpack_job *job) {
  tx_assert(unpack->jobs[u] > 0 && unpack->jobs[u] <= TX_UNPACK_JOBS);
  static const struct tx_unpack_job
      empty; /* copied, because the compiler clears a job by repeated stores of a string instruction */
  struct tx_unpack_job *queue = sim_keep(unpack->job[u]);
  *job = queue[0];
  for (unsigned left = --unpack->jobs[u]; left; left--, queue++) queue[0] = queue[1];
  *queue = empty;
  tx_assert(unpack->inside[u][job->thread] > 0);
  unpack->inside[u][job->thread]--;
}

static void clear_bank(struct tx_tile *t, unsigned u, const struct tx_unpack_job *job) {
  for (unsigned b = 0; b < 2; b++) {
    if (!(job->flags & TX_UNPACK_BOTH_BANKS) && b != t->src.unpack_bank[u]) continue;
    struct tx_src_bank *bank = &t->src.bank[u][b];
    if (bank->owner == TX_CLIENT_MATRIX)
      tx_diag(t, TX_DIAG_BANK_TOUCH_FOREIGN, "UNPACR_NOP clears %s bank %u, which the matrix unit owns", src_names[u], b);
    tx_src_fill(bank, job->clear_value);
  }
  t->src.clear_at[u] = tx_now(t) + 1;
}

static void write_stream(struct tx_tile *t, const struct tx_unpack_job *job) {
  if (t->unsaved.ports->register_write(t, job->address, job->clear_value, 0xffffffffu)) return;
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "UNPACR_NOP_OverlayClear.md",
           "UNPACR_NOP writes 0x%08x: the tile has no such register of the NoC overlay", job->address);
}

void tx_effect_UNPACK_DONE(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_unpack *unpack = &t->unpack;
  unsigned u = e->w[0];
  tx_assert(u < 2);
  if (e->w[1] == LOOK_AGAIN && t->unsaved.what_if) {
    t->unsaved.what_if->paged.looks[u] = 0;
    advance(t, u);
    return;
  }
  if (!unpack->jobs[u]) return;
  take_delay(t, u);
  if (unpack->job[u][0].done_at > tx_now(t)) { /* was slowed down meanwhile */
    if (unpack->job[u][0].done_at != SIM_NEVER) schedule_done(t, u, &unpack->job[u][0]);
    return;
  }
  struct tx_unpack_job job;
  take_oldest(unpack, u, &job);
  t->current =
      (struct tx_current){.agent = tx_agent_of_thread(job.thread), .word = job.word, .pc = job.pc, .unit = TX_UNIT_UNPACK};
  tx_inflight_remove(t, job.range[0]);
  for (unsigned i = 1; i < TX_UNPACK_RANGES; i++) /* rarely used */
    if (job.range[i] != TX_INFLIGHT_NONE) tx_inflight_remove(t, job.range[i]);
  if (job.kind == TX_UNPACK_DATUMS) tx_unpack_move(t, u, &job);
  else if (job.kind == TX_UNPACK_CLEAR) clear_bank(t, u, &job);
  else if (job.kind == TX_UNPACK_STREAM) write_stream(t, &job);
  unpack->drained_at[u][job.thread] = tx_now(t);
  tx_emit(t, TX_EVENT_RETIRE, t->current.agent, job.word, job.pc, TX_UNIT_UNPACK | u << 8);
  if (job.flags & TX_UNPACK_HAND_OVER) hand_over(t, (enum tx_src_which)u, job.format, true);
  advance(t, u);
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK) | TX_CH(TX_CH_IDLE), tx_now(t));
}

/* --- the instructions --- */

/* The rest of UNPACR_Regular.md after the datums: context counter, row counter of the Src bank. */
static bool step_after(struct tx_tile *t, unsigned u, unsigned thread, uint32_t word, unsigned context) {
  if (TX_FIELD(word, UNPACR, ovrd_thread_id) && TX_FIELD(word, UNPACR, auto_inc_context_id) &&
      !tx_context_step(t, u, thread, context))
    return false;
  if (TX_FIELD(word, UNPACR, set_dat_valid)) {
    tx_context_restart_rows(t, u, thread);
  } else {
    uint32_t config = tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd_ADDR + 48u * u);
    if (config >> TX_CFG_THCON_SEC0_REG2_Unpack_Src_Reg_Set_Upd_SHIFT & 1u) {
      uint8_t row = t->unpack.src_row[u][thread];
      tx_context_restart_rows(t, u, thread);
      t->unpack.src_row[u][thread] = (uint8_t)((row + 16u + t->unpack.src_row[u][thread]) & 0x3fu);
    }
  }
  return true;
}

/* The host's cache loads a tile of data while the job is under way: with many tiles of the chip it is rarely there. */
static void fetch_ahead(const struct tx_tile *t, const struct tx_unpack_job *job) {
  uint32_t from = job->data_bit / 8u;
  if (job->bytes > 4096 || from + job->bytes > TX_L1_BYTES) return;
  for (uint32_t at = 0; at < job->bytes; at += 64) __builtin_prefetch(&t->l1[from + at]);
}

/* Timing off, nothing before it in the unpacker, and no hand-over that another agent waits for: no agent sees whether the data moves now or
 * in the next cycle, when the job would be complete. */
static inline bool may_move_at_once(const struct tx_tile *t, unsigned u, uint32_t word) {
  return !t->timing && !t->unpack.jobs[u] && !TX_FIELD(word, UNPACR, set_dat_valid) && tx_src_unpack_owns(&t->src, u) &&
         !t->perf.counting && !t->unsaved.what_if;
}

/* What begin and TX_EFFECT_UNPACK_DONE do with such a job. */
static void leave_at_once(struct tx_tile *t, unsigned u, unsigned thread) {
  t->unpack.stream_end[u] = t->unpack.drained_at[u][thread] = tx_now(t) + 1;
  tx_emit(t, TX_EVENT_RETIRE, t->current.agent, t->current.word, t->current.pc, TX_UNIT_UNPACK | u << 8);
}

static inline struct tx_range range_of(const struct tx_unpack_rows *rows, unsigned thread, uint32_t word) {
  return (struct tx_range){.base = rows->from,
                           .width = rows->bytes,
                           .rows = 1,
                           .word = word,
                           .agent = (uint16_t)tx_agent_of_thread(thread),
                           .unit = TX_UNIT_UNPACK};
}

static inline void move_rows_at_once(struct tx_tile *t, unsigned u, unsigned thread, uint32_t word,
                                     const struct tx_unpack_rows *rows) {
  struct tx_src_bank *bank = sim_keep(&t->src.bank[u][t->src.unpack_bank[u]]);
  if (tx_inflight_near(t, rows->from, rows->bytes)) {
    const struct tx_range range = range_of(rows, thread, word);
    tx_inflight_once(t, &range);
  }
  bank->version++;
  t->unpack.datums[u] += rows->count * TX_SRC_COLUMNS;
  t->unpack.bytes[u] += rows->bytes;
  leave_at_once(t, u, thread);
  num_unpack_rows(&rows->plan->how, &t->l1[rows->from], NULL, 0, rows->count, &bank->datum[rows->to]);
}

static inline void take_rows(struct tx_tile *t, unsigned u, unsigned thread, uint32_t word,
                             const struct tx_unpack_rows *rows, struct tx_cost *cost) {
  struct tx_unpack_job *job = free_job(t, u);
  const struct tx_range range = range_of(rows, thread, word);
  tx_unpack_fill_job(t, thread, u, rows, job);
  if (TX_FIELD(word, UNPACR, set_dat_valid)) {
    job->flags |= TX_UNPACK_HAND_OVER;
    tx_context_restart_rows(t, u, thread);
  }
  job->range[0] = (uint8_t)tx_inflight_add(t, &range);
  fetch_ahead(t, job);
  accept(t, u, job, cost);
}

static inline void step_planned(struct tx_tile *t, unsigned u, unsigned thread, unsigned adc, uint32_t increments) {
  if (!increments) return;
  tx_adc_apply_unpack(t, thread, u, increments);
  if (adc != thread) tx_adc_apply_unpack(t, adc, u, increments);
}

/* An UNPACR of whole rows like one before it. false: nothing done. */
static inline bool unpack_by_plan(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  const unsigned u = selected(word);
  struct tx_unpack_rows rows;
  if (!tx_unpack_find_rows(t, thread, u, word, &rows)) return false;
  const bool plain = !rows.plan->how.to_dst && !(rows.plan->flags & TX_UNPACK_TRANSPOSE);
  cost->thread = cost->issue;
  step_planned(t, u, thread, rows.plan->adc, TX_FIELD(word, UNPACR, addr_mode));
  if (plain && may_move_at_once(t, u, word)) move_rows_at_once(t, u, thread, word, &rows);
  else take_rows(t, u, thread, word, &rows, cost);
  return true;
}

/* Any other UNPACR. Out of line: keeps the usual one short. */
__attribute__((noinline)) static void unpack_in_general(struct tx_tile *t, unsigned thread, uint32_t word,
                                                        struct tx_cost *cost) {
  const unsigned u = selected(word);
  bool at_once = may_move_at_once(t, u, word);
  struct tx_unpack_job *job = free_job(t, u);
  unsigned context = 0;
  bool accepted = tx_unpack_decode(t, thread, word, job, &context, &at_once);
  if (accepted) {
    const bool compressed = job->flags & TX_UNPACK_COMPRESSED;
    if (compressed) cost->issue += t->params.unpack_row_start_cycles;
    if (compressed && tx_lap_noting(t)) tx_lap_refuse(t, "the time of an UNPACR depends on data");
    cost->thread = cost->issue;
    accepted = step_after(t, u, thread, word, context);
  }
  if (!accepted) {
    memset(job, 0, sizeof *job);
    return;
  }
  if (at_once) {
    tx_unpack_move(t, u, job);
    memset(job, 0, sizeof *job);
    leave_at_once(t, u, thread);
    return;
  }
  fetch_ahead(t, job);
  accept(t, u, job, cost);
}

void tx_exec_UNPACR(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (TX_FIELD(word, UNPACR, search_cache_flush)) { /* ISA: UNPACR_FlushCache.md; no cache is modelled */
    cost->thread = cost->issue = 1;
  } else if (TX_FIELD(word, UNPACR, cfg_context_cnt_inc)) {
    const unsigned u = selected(word);
    cost->thread = cost->issue = 1;
    tx_context_step(t, u, thread, t->unpack.context_counter[u][thread]);
  } else if (!unpack_by_plan(t, thread, word, cost)) {
    unpack_in_general(t, thread, word, cost);
  }
}

/* The value a clearing UNPACR_NOP writes. 0 and minus infinity are golden; 1 (in the format of clr_to1_fmt_ctrl) and the
 * register come only from assembly.yaml: inferred. */
static uint32_t clear_value(struct tx_tile *t, unsigned thread, unsigned u, uint32_t word) {
  static const uint32_t one[4] = {15u, 127u, (1u << 8) | 16u, 127u}; /* FP16, BF16, INT8 */
  switch (TX_FIELD(word, UNPACR_NOP, src_clr_val_ctrl)) {
    case 0: return 0;
    case 1: return 0x7ffffu;
    case 2:
      tx_diag(t, TX_DIAG_UNTESTED_MODE, "UNPACR_NOP clears to 1");
      return one[TX_FIELD(word, UNPACR_NOP, clr_to1_fmt_ctrl)];
    default:
      tx_diag(t, TX_DIAG_UNTESTED_MODE, "UNPACR_NOP clears to UNP%u_NOP_REG_CLR_VAL", u);
      return 0x7ffffu & (u ? TX_CFG_GET(t, thread, UNP1_NOP_REG_CLR_VAL_nop_reg_clr_val)
                           : TX_CFG_GET(t, thread, UNP0_NOP_REG_CLR_VAL_nop_reg_clr_val));
  }
}

static void decode_clear(struct tx_tile *t, unsigned thread, unsigned u, uint32_t word, struct tx_unpack_job *job) {
  job->kind = TX_UNPACK_CLEAR;
  job->clear_value = clear_value(t, thread, u, word);
  if (TX_FIELD(word, UNPACR_NOP, bank_clr_ctrl)) {
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "UNPACR_NOP clears both banks of %s", src_names[u]);
    job->flags |= TX_UNPACK_BOTH_BANKS;
  }
  if (!TX_FIELD(word, UNPACR_NOP, stall_clr_cntrl)) job->flags |= TX_UNPACK_WAIT_MATRIX;
  if (TX_FIELD(word, UNPACR_NOP, set_dvalid)) job->flags |= TX_UNPACK_HAND_OVER;
}

/* UNP_POP: clears messages of a stream of the NoC overlay. ISA: UNPACR_NOP_OverlayClear.md */
static void decode_stream(struct tx_tile *t, unsigned thread, unsigned u, uint32_t word, struct tx_unpack_job *job) {
  uint32_t stream = u ? TX_THREAD_CFG_GET(t, thread, NOC_OVERLAY_MSG_CLEAR_StreamId_1)
                      : TX_THREAD_CFG_GET(t, thread, NOC_OVERLAY_MSG_CLEAR_StreamId_0);
  if (TX_FIELD(word, UNPACR_NOP, unpack_pop) == 3 && TX_FIELD(word, UNPACR_NOP, msg_clr_cnt))
    stream = TX_FIELD(word, UNPACR_NOP, stream_id);
  job->kind = TX_UNPACK_STREAM;
  job->address = TX_ADDR_STREAM + stream * TX_STREAM_BYTES + NOC_STREAM_MSG_DATA_CLEAR * 4u;
  job->clear_value = 1;
}

void tx_exec_UNPACR_NOP(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  unsigned u = selected(word), pop = TX_FIELD(word, UNPACR_NOP, unpack_pop);
  struct tx_unpack_job decoded = {.thread = (uint8_t)thread, .kind = TX_UNPACK_NOTHING}, *job = free_job(t, u);
  uint32_t out = tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG2_Out_data_format_ADDR + 48u * u);
  decoded.format = out >> TX_CFG_THCON_SEC0_REG2_Out_data_format_SHIFT & 15u;
  if (pop == 1 && TX_FIELD(word, UNPACR_NOP, src_clr_val_ctrl) != 2 && TX_FIELD(word, UNPACR_NOP, clr_to1_fmt_ctrl) == 3) {
    decoded.kind = TX_UNPACK_SET_VALID; /* assembly.yaml: this encoding only sets dvalid */
    decoded.flags = TX_UNPACK_HAND_OVER;
  } else if (pop == 1) {
    decode_clear(t, thread, u, word, &decoded);
  } else if (pop == 3 && (TX_FIELD(word, UNPACR_NOP, src_clr_val_ctrl) & 1u)) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "UNPACR_NOP_SETREG.md",
             "UNPACR_NOP: the register write by message count has no known use and is not reliably documented");
    return;
  } else if (pop != 2) {
    decode_stream(t, thread, u, word, &decoded);
  }
  if (decoded.flags & TX_UNPACK_HAND_OVER) tx_context_restart_rows(t, u, thread);
  cost->thread = 1;
  *job = decoded;
  accept(t, u, job, cost);
}
