/* The delays of delay.h. */
#include "check/delay.h"

static sim_time later(sim_time a, sim_time b) { return a > b ? a : b; }

static void hold_core(struct tx_tile *t, unsigned core, uint32_t cycles) {
  struct tx_core *c = &t->core[core];
  if (c->state == TX_CORE_RUNNING) c->clock = later(c->clock, t->engine.now) + cycles;
}

static void hold_thread(struct tx_tile *t, unsigned thread, uint32_t cycles) {
  t->scalar.hold_until[thread] = later(t->scalar.hold_until[thread], t->engine.now) + cycles;
}

static void hold_unit(struct tx_tile *t, unsigned unit, uint32_t cycles) {
  struct tx_unit_state *u = &t->units[unit];
  u->free_at = later(u->free_at, t->engine.now) + cycles;
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (u->drained_at[thread] > t->engine.now) u->drained_at[thread] += cycles;
}

/* Delays a job: its effect retries at the later time (unpack.c). */
static void slow_unpacker(struct tx_tile *t, unsigned unpacker, uint32_t cycles) {
  struct tx_unpack *p = &t->unpack;
  for (unsigned i = 0; i < p->jobs[unpacker]; i++) {
    struct tx_unpack_job *job = &p->job[unpacker][i];
    if (job->stream_end == SIM_NEVER) continue;
    job->stream_end += cycles;
    job->done_at += cycles;
  }
  p->stream_end[unpacker] = later(p->stream_end[unpacker], t->engine.now) + cycles;
}

static void slow_packer(struct tx_tile *t, uint32_t cycles) {
  struct tx_pack *p = &t->pack;
  struct tx_unit_state *u = &t->units[TX_UNIT_PACK];
  for (unsigned i = p->count; i-- > 0;) { /* the newest first: they leave in order */
    struct tx_pack_batch *b = &p->batch[(p->first + i) % TX_PACK_BATCHES];
    b->done_at += cycles;
    sim_effect_postpone(&t->engine, b->effect, b->done_at);
  }
  if (p->count) p->last_done_at += cycles;
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (u->drained_at[thread] > t->engine.now) u->drained_at[thread] += cycles;
  u->free_at = later(u->free_at, t->engine.now + cycles);
}

/* The outputs of the NIUs are busy, so that requests wait with their source unread. Delays these events of the NIUs by the same time, so that
 * their order stays. A packet that has departed is not held: its answer could arrive before its last flit has left. */
static void slow_noc(struct tx_tile *t, uint32_t cycles) {
  uint32_t seq[SIM_EFFECTS_MAX];
  sim_time at[SIM_EFFECTS_MAX];
  uint32_t count = 0;
  for (unsigned noc = 0; noc < NOC_NOCS; noc++) t->niu[noc].free_at = later(t->niu[noc].free_at, t->engine.now) + cycles;
  for (uint32_t i = 0; i < t->engine.effect_count; i++) {
    const struct sim_effect *e = &t->engine.effects[i];
    if (e->kind != TX_EFFECT_NOC_EVENT || noc_event_departed(e->w[1])) continue;
    seq[count] = t->engine.effects[i].seq;
    at[count++] = t->engine.effects[i].at + cycles;
  }
  for (uint32_t i = 0; i < count; i++) sim_effect_postpone(&t->engine, seq[i], at[i]);
}

void chk_delay_apply(struct tx_tile *t, unsigned target, uint32_t cycles) {
  if (target < CHK_DELAY_THREAD) hold_core(t, target, cycles);
  else if (target < CHK_DELAY_UNPACK) hold_thread(t, target - CHK_DELAY_THREAD, cycles);
  else if (target < CHK_DELAY_MATRIX) slow_unpacker(t, target - CHK_DELAY_UNPACK, cycles);
  else if (target == CHK_DELAY_MATRIX) hold_unit(t, TX_UNIT_MATRIX, cycles);
  else if (target == CHK_DELAY_VECTOR) hold_unit(t, TX_UNIT_VECTOR, cycles);
  else if (target == CHK_DELAY_PACK) slow_packer(t, cycles);
  else if (target == CHK_DELAY_SCALAR) hold_unit(t, TX_UNIT_SCALAR, cycles);
  else slow_noc(t, cycles);
}

const char *chk_delay_name(unsigned target) {
  static const char *const names[CHK_DELAY_TARGETS] = {
      "TRISC0",          "TRISC1",          "TRISC2",     "BRISC",      "NCRISC",          "thread 0 (unpack)",
      "thread 1 (math)", "thread 2 (pack)", "unpacker 0", "unpacker 1", "the matrix unit", "the vector unit",
      "the packer",      "the scalar unit", "the NoC"};
  return target < CHK_DELAY_TARGETS ? names[target] : "";
}
