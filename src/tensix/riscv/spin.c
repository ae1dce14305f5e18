/* Spins: a load that is executed again with the same registers, with only loads in between, and that returns the same value, repeats
 * until one of the loaded words is written. The core is then parked before that load and woken, in phase, by such a write; the
 * iterations in between are counted as executed.
 *
 * A core can be parked only on words whose writes are signalled to the engine (sim_poke): L1, and registers that the bus does not mark
 * as moving. */
#include "tensix/riscv/spin.h"

#include <string.h>

#include "tensix/lap_notes.h"
#include "tensix/mem/l1.h"
#include "tensix/riscv/fetch.h"
#include "tensix/riscv/polls.h"
#include "tensix/riscv/queue.h"

#define OTHER_LOADS (SIM_PARK_KEYS_MAX - 1u) /* loads of a loop besides the first */

/* Hits of L0 at the last execution of the load; while the core is parked, hits per iteration. keys[0] uses `value` and
 * `word`, so values[0] is free for this. */
static uint32_t *l0_hits(struct tx_core_spin *s) { return &s->values[0]; }

/* The present word, without the side effects of a load. false: not known here. */
static bool peek(const struct tx_core_run *run, uint32_t address, uint32_t *value) {
  if (tx_in_l1(run->t, address)) {
    *value = tx_l1_read(run->t, address, 4);
    return true;
  }
  if (address < TX_ADDR_SEMAPHORE || address >= TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES) return false;
  *value = run->t->sync.sem[(address - TX_ADDR_SEMAPHORE) / 4].value;
  return true;
}

static void begin(struct tx_core_run *run, uint32_t pc, uint32_t address, uint32_t value, sim_time enter) {
  struct tx_core_spin *s = &run->c->spin;
  s->pc = pc;
  s->value = value;
  s->count = 1;
  s->keys[0] = address & ~3u;
  if (!peek(run, s->keys[0], &s->word)) s->word = 0;
  s->at = enter;
  s->retired = run->c->retired;
  *l0_hits(s) = run->c->l0_hits;
  memcpy(s->registers, run->c->r, sizeof s->registers);
}

static bool note_key(struct tx_core_run *run, uint32_t address, sim_time enter) {
  struct tx_core_spin *s = &run->c->spin;
  uint32_t key = address & ~3u;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->keys[i] == key) return true;
  if (s->count == SIM_PARK_KEYS_MAX) return false;
  if (!peek(run, key, &s->values[s->count])) return false;
  tx_assert(s->count < SIM_PARK_KEYS_MAX);
  s->offsets[s->count] = (uint32_t)(enter - s->at);
  s->keys[s->count++] = key;
  return true;
}

/* Are the words of the other keys the same as in the last iteration? */
static bool others_unchanged(struct tx_core_run *run) {
  struct tx_core_spin *s = &run->c->spin;
  uint32_t value;
  for (uint32_t i = 1; i < s->count; i++)
    if (!peek(run, s->keys[i], &value) || value != s->values[i]) return false;
  return true;
}

static void park(struct tx_core_run *run, uint32_t value, sim_time enter) {
  struct tx_core_spin *s = &run->c->spin;
  struct tx_tile *t = run->t;
  tx_assert(enter > s->at && !s->parked && s->count <= SIM_PARK_KEYS_MAX);
  s->period = (uint32_t)(enter - s->at);
  s->parked = 1;
  s->at = enter;
  s->retired = run->c->retired - s->retired; /* per iteration */
  *l0_hits(s) = run->c->l0_hits - *l0_hits(s);
  tx_block(t, run->agent,
           &(struct sim_wait){.kind = TX_BLOCKED_ADDRESS, .object = s->keys[0], .detail = (uint64_t)value << 32});
  t->engine.agents[run->agent].wait.since = enter; /* not when its turn ended, which depends on how the run was divided */
  sim_park(&t->engine, run->agent, s->keys, s->count, enter + 1,
           1); /* woken in the cycle after a write: see tx_spin_resume */
}

static void candidate(struct tx_core_spin *s, uint32_t pc, uint32_t address) {
  s->seen = 1;
  s->pc = pc;
  s->keys[0] = address & ~3u;
  s->count = 0;
}

/* A hit of L0 on the word that the spin's own load has fetched belongs to the load. Any other hit depends on earlier contents of the
 * cache, which a write to L1 does not change. */
void tx_spin_hit(struct tx_core *c, uint32_t address) {
  if (c->spin.keys[0] != (address & ~3u)) c->spin.seen = 0;
}

bool tx_spin_load(struct tx_core_run *run, uint32_t pc, uint32_t address, uint32_t value, sim_time enter) {
  struct tx_core *c = run->c;
  struct tx_core_spin *s = &c->spin;
  /* A break inside the loop would have stopped the core, and `seen` is 0 then (execute.c). */
  bool comes_by = tx_core_stepped(run) || c->one_by_one || tx_fetch_is_invalid(run);
  if (tx_queue_occupied(c, enter) || c->l1_under_way || c->waiting.kind || !run->t->params.park_spins || comes_by) {
    s->seen = 0;
    return false;
  }
  if (!s->seen || s->pc != pc) { /* first time, or another load of the same loop */
    if (s->seen > 1 && note_key(run, address, enter)) return false;
    /* The first load is executed again, if it is such a loop. With timing on each of its loads may have to wait for a port
     * of L1: not parked. */
    if (s->seen == 1 && !run->t->timing && s->count++ < OTHER_LOADS) return false;
    candidate(s, pc, address);
    return false;
  }
  if (s->seen == 1) {
    s->seen = 2;
    begin(run, pc, address, value, enter);
    return false;
  }
  /* Every 125th hit flushes L0: after the only hit of an iteration no load up to the next iteration uses L0. */
  bool steady = c->l0_hits - *l0_hits(s) <= 1;
  bool same = steady && s->value == value && s->keys[0] == (address & ~3u) && enter > s->at && others_unchanged(run) &&
              memcmp(s->registers, c->r, sizeof s->registers) == 0;
  if (same && !tx_core_steps_back(run)) {
    park(run, value, enter);
    return true;
  }
  candidate(s, pc, address);
  return false;
}

/* A time that had passed when the core was parked is not shifted, so that a tile whose cores only poll returns to the same
 * state (chip/orbit.h). */
static void shift(const struct tx_core_spin *s, sim_time *at, sim_time by) {
  if (*at != SIM_NEVER && *at >= s->at) *at += by;
}

/* A word was written `phase` cycles into an iteration. Does that iteration read the new value? Yes if the first word is
 * unchanged and the changed words are loaded later in it. */
static bool sees_now(struct tx_core_run *run, sim_time phase) {
  struct tx_core_spin *s = &run->c->spin;
  uint32_t value;
  bool sees = false;
  if (peek(run, s->keys[0], &value) && value != s->word) return false;
  for (uint32_t i = 1; i < s->count; i++) {
    if (peek(run, s->keys[i], &value) && value == s->values[i]) continue;
    if (s->offsets[i] < phase) return false;
    sees = true;
  }
  return sees;
}

/* A word was written one cycle ago; writes take effect before the cores act in that cycle, so a load of that cycle reads
 * the new value. The core continues before the first such poll of the word; if the word is one of the loop's later words
 * and not yet loaded, before the current iteration, whose first load returns the same value again. */
void tx_spin_resume(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  struct tx_core_spin *s = &c->spin;
  tx_assert(s->parked && s->period > 0 && run->now > s->at);
  sim_time since = run->now - 1 - s->at;
  uint64_t iterations = since / s->period;
  if (since % s->period && !sees_now(run, since % s->period)) iterations++;
  sim_time by = iterations * s->period;
  for (unsigned i = 0; i < TX_CORE_REGISTERS; i++) shift(s, &c->ready[i], by);
  for (unsigned i = 0; i < TX_CORE_RETIRE; i++) shift(s, &c->retire[i], by);
  c->clock += by;
  shift(s, &c->fetch.ready, by);
  shift(s, &c->loads_ready, by);
  shift(s, &c->lsu_free, by);
  for (unsigned i = 0; i < TX_CORE_LOADS; i++) shift(s, &c->lsu_slot[i], by);
  tx_polls_skip(c, s->retired, iterations * s->retired, by);
  c->retired += iterations * s->retired;
  if (tx_lap_noting(run->t)) run->t->unsaved.lap->skipped[run->core] += iterations * s->retired;
  c->l0_hits += (uint32_t)iterations * *l0_hits(s);
  s->parked = 0;
  s->at += by - s->period;
  s->retired = c->retired - s->retired;
  *l0_hits(s) = c->l0_hits - *l0_hits(s);
}

/* A jump to itself never ends. Each is executed in its own cycle, so that the one with which the core parks does not depend on how the run is divided. */
bool tx_spin_jump(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  /* every iteration has to be executed */
  if (tx_core_stepped(run) || tx_core_has_break(run) || c->one_by_one || tx_fetch_is_invalid(run)) return false;
  if (enter > run->now) {
    tx_step_ahead(run, enter);
    return true;
  }
  if (tx_queue_occupied(c, enter) || c->waiting.kind) return false; /* the queue drains first */
  if (tx_core_steps_back(run)) {
    tx_step_at(run, enter);
    return true;
  }
  c->spin.parked = 1;
  c->spin.at = enter;
  c->spin.period = 1;
  c->spin.retired = 1;
  tx_block(run->t, run->agent, &(struct sim_wait){.kind = TX_BLOCKED_LOOP, .object = c->pc});
  sim_park(&run->t->engine, run->agent, NULL, 0, enter + 1, 1); /* only a reset wakes it */
  run->wake = 0;
  return true;
}
