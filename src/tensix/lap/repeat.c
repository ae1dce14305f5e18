/* The repetition of repeat.h. Everything happens in the cycle and in the order in which it was noted, so the units compute their own times; effects are
 * due in their own cycles, before what is noted for that cycle. */
#include "tensix/lap/repeat.h"

#include <string.h>

#include "tensix/frontend/dispatch.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/tile.h"

static inline void apply_effects(struct tx_tile *t, sim_time by) {
  struct sim_effect e;
  if (!t->engine.effect_count || t->engine.effects[0].at > by) return;
  t->engine.in_effects = 1;
  while (sim_effect_next(&t->engine, by, &e)) tx_tile_apply_effect(t, &e);
  t->engine.in_effects = 0;
}

/* --- words --- */

/* Only the gate knows that a word waits. */
static inline bool is_wait(uint32_t opcode) {
  return opcode == TX_STALLWAIT || opcode == TX_SEMWAIT || opcode == TX_STREAMWAIT;
}

/* The first words of a lap by which a unit's state is known before any of them is executed: waits, and with timing off, where a word takes one cycle, all but those
 * of the vector unit. No body that a lap may contain reads that state. */
static bool is_known(const struct tx_lap_note *note, bool timing) {
  return note->kind == TX_NOTE_WORD && (is_wait(note->word >> 24) || (!timing && note->unit != TX_UNIT_VECTOR));
}

static void add_use(struct tx_lap_use *use, const struct tx_lap_note *note, bool timing) {
  const struct tx_cost *cost = &tx_timed[note->word >> 24].cost;
  const uint32_t busy = timing ? cost->issue : 1, drained = timing && cost->latency ? cost->latency : busy;
  use->used = true;
  use->busy += busy;
  use->words[note->by]++;
  if (use->free_after < note->after + busy) use->free_after = note->after + busy;
  if (use->drained_after[note->by] < note->after + drained) use->drained_after[note->by] = note->after + drained;
}

static void apply_use(struct tx_unit_state *unit, const struct tx_lap_use *use, sim_time begin) {
  unit->busy_cycles += use->busy;
  if (unit->free_at < begin + use->free_after) unit->free_at = begin + use->free_after;
  for (unsigned i = 0; i < TX_THREADS; i++) {
    if (!use->words[i]) continue;
    unit->accepted[i] += use->words[i];
    if (unit->drained_at[i] < begin + use->drained_after[i]) unit->drained_at[i] = begin + use->drained_after[i];
  }
}

void tx_lap_prepare(struct tx_lap_plan *plan, struct tx_lap_notes *notes, bool timing) {
  uint32_t kept = 0;
  memset(plan->use, 0, sizeof plan->use);
  for (uint32_t i = 0; i < notes->count; i++) {
    const struct tx_lap_note *note = &notes->note[i];
    if (is_known(note, timing)) add_use(&plan->use[note->unit], note, timing);
    if (note->kind == TX_NOTE_WORD && is_wait(note->word >> 24)) continue;
    notes->note[kept++] = *note;
  }
  notes->count = kept;
  tx_lap_vectors_begin(&plan->vectors, notes);
}

static inline void occupy(struct tx_tile *t, const struct tx_lap_note *note, const struct tx_cost *cost) {
  struct tx_unit_state *unit = sim_keep(&t->units[note->unit]);
  const sim_time now = t->engine.now, free_at = now + cost->hold + cost->issue,
                 drained_at = cost->latency ? now + cost->hold + cost->latency : free_at;
  if (unit->free_at < free_at) unit->free_at = free_at;
  if (unit->drained_at[note->by] < drained_at) unit->drained_at[note->by] = drained_at;
  unit->busy_cycles += free_at - now;
  unit->accepted[note->by]++;
}

static inline __attribute__((always_inline)) void repeat_word(struct tx_tile *t, const struct tx_lap_note *note,
                                                              bool timing) {
  const uint32_t opcode = note->word >> 24;
  struct tx_cost cost = {.issue = 1, .thread = 1};
  if (timing) cost = tx_timed[opcode].cost;
  t->current =
      (struct tx_current){.agent = tx_agent_of_thread(note->by), .word = note->word, .pc = note->pc, .unit = note->unit};
  tx_bodies[opcode](t, note->by, note->word, &cost);
  if (timing) occupy(t, note, &cost);
}

/* --- cores --- */

static void repeat_store(struct tx_tile *t, const struct tx_lap_note *note) {
  const unsigned agent = tx_agent_of_trisc(note->by);
  t->current = (struct tx_current){.agent = agent, .word = note->word, .pc = note->pc, .unit = TX_UNIT_FRONTEND};
  const struct tx_request r = {
      .agent = agent, .address = note->address, .value = note->word, .bytes = note->bytes, .store = true};
  const struct tx_bus_answer answer = tx_bus_emit(t, &r, (enum tx_bus_region)note->unit);
  tx_assert(answer.result == TX_BUS_DONE);
  (void)answer;
}

static void repeat_load(struct tx_tile *t, const struct tx_lap_note *note) {
  const unsigned agent = tx_agent_of_trisc(note->by);
  t->current = (struct tx_current){.agent = agent, .word = note->address, .pc = note->pc, .unit = TX_UNIT_FRONTEND};
  const struct tx_bus_answer answer = t->unsaved.ports->load(t, agent, note->address, note->bytes);
  tx_assert(answer.result == TX_BUS_DONE && answer.value == note->word);
  (void)answer;
}

static void repeat_line(struct tx_tile *t, const struct tx_lap_note *note, const struct tx_lap_line *line, sim_time begin) {
  struct tx_core *c = sim_keep(&t->core[note->by]);
  const struct sim_effect e = {.at = begin + line->arrives,
                               .kind = TX_EFFECT_CORE_LINE,
                               .agent = (uint16_t)tx_agent_of_trisc(note->by),
                               .pc = note->pc,
                               .extra = line->ahead,
                               .w = {note->address, line->data[0], line->data[1], line->data[2], line->data[3], line->mask}};
  if (!sim_effect_at(&t->engine, e))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
  c->l1_arrival = e.at;
  c->l1_under_way++;
}

static void repeat_grant(struct tx_tile *t, const struct tx_lap_note *note, sim_time begin) {
  const sim_time at = begin + (sim_time)(int32_t)note->word;
  const struct tx_l1_request r = {
      .core = note->by, .address = note->address, .since = at, .hold = note->bytes, .load = note->unit};
  tx_l1_occupy(t, &r, at);
}

static void repeat_access(struct tx_tile *t, const struct tx_lap_notes *notes, const struct tx_lap_note *note,
                          sim_time begin) {
  switch (note->kind) {
    case TX_NOTE_STORE: repeat_store(t, note); break;
    case TX_NOTE_LOAD: repeat_load(t, note); break;
    case TX_NOTE_LINE: repeat_line(t, note, &notes->line[note->word], begin); break;
    default: repeat_grant(t, note, begin); break;
  }
}

static inline __attribute__((always_inline)) void repeat(struct tx_tile *t, struct tx_lap_notes *notes,
                                                         struct tx_lap_vectors *vectors, bool timing) {
  struct tx_lap_note *note = notes->note, *end = note + notes->count;
  const sim_time begin = t->engine.now;
  while (note < end) {
    const sim_time now = begin + note->after;
    apply_effects(t, now);
    t->engine.now = now;
    if (note->kind != TX_NOTE_WORD) repeat_access(t, notes, note++, begin);
    else if (note->unit == TX_UNIT_VECTOR) note += tx_lap_vectors_run(vectors, t, note, begin);
    else repeat_word(t, note++, timing);
  }
}

void tx_lap_repeat(struct tx_tile *t, struct tx_lap_notes *notes, struct tx_lap_plan *plan, sim_time period) {
  const sim_time begin = t->engine.now;
  if (t->timing) repeat(t, notes, &plan->vectors, true);
  else repeat(t, notes, &plan->vectors, false);
  apply_effects(t, begin + period);
  t->engine.now = begin + period;
  for (unsigned i = 0; i < TX_UNIT_COUNT; i++)
    if (plan->use[i].used) apply_use(&t->units[i], &plan->use[i], begin);
}
