/* The repetition of repeat.h. Everything happens in the cycle and in the order in which it was noted, so the units compute their own times; effects are
 * due in their own cycles, before what is noted for that cycle. */
#include "tensix/lap/repeat.h"

#include "tensix/frontend/dispatch.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/tile.h"
#include "tensix/unit/config.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/run.h"

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

static inline void occupy(struct tx_tile *t, const struct tx_lap_note *note, const struct tx_cost *cost) {
  struct tx_unit_state *unit = sim_keep(&t->units[note->unit]);
  const sim_time now = t->engine.now;
  sim_time free_at = now + 1, drained_at = free_at;
  if (t->timing) {
    free_at = now + cost->hold + cost->issue;
    drained_at = cost->latency ? now + cost->hold + cost->latency : free_at;
  }
  if (unit->free_at < free_at) unit->free_at = free_at;
  if (unit->drained_at[note->by] < drained_at) unit->drained_at[note->by] = drained_at;
  unit->busy_cycles += free_at - now;
  unit->accepted[note->by]++;
}

static inline void name_word(struct tx_tile *t, const struct tx_lap_note *note) {
  t->current =
      (struct tx_current){.agent = tx_agent_of_thread(note->by), .word = note->word, .pc = note->pc, .unit = note->unit};
  if (__builtin_expect(t->config.pending_until[note->by] > t->engine.now, 0))
    tx_config_check_reader(t, note->by, note->word);
}

static inline void repeat_word(struct tx_tile *t, const struct tx_lap_note *note) {
  const uint32_t opcode = note->word >> 24;
  struct tx_cost cost = tx_timed[opcode].cost;
  name_word(t, note);
  if (!is_wait(opcode)) tx_bodies[opcode](t, note->by, note->word, &cost);
  occupy(t, note, &cost);
}

/* What words of the vector unit that follow each other add to its state. */
struct use {
  sim_time free_at, drained_at, busy_cycles;
  uint32_t words;
};

static inline void enter_vector(struct tx_tile *t, const struct tx_lap_note *note, struct tx_vector_batch *batch,
                                struct use *use) {
  const sim_time now = t->engine.now;
  const struct tx_vector_word *known = tx_vector_find(t, note->word);
  if (__builtin_expect(!known, 0)) known = tx_vector_batch_decode(batch, note->word);
  struct tx_cost cost = {.issue = known->issue_cycles, .latency = known->latency_cycles, .thread = 1};
  t->current.word = note->word;
  t->current.pc = note->pc;
  if (tx_vector_batch_step(batch, known, tx_vector_hidden(t))) cost.issue = 1;
  else tx_vector_batch_word(batch, known, &cost);
  sim_time free_at = now + 1, drained_at = free_at;
  if (t->timing) {
    free_at = now + cost.hold + cost.issue;
    drained_at = cost.latency ? now + cost.hold + cost.latency : free_at;
  }
  if (use->free_at < free_at) use->free_at = free_at;
  if (use->drained_at < drained_at) use->drained_at = drained_at;
  use->busy_cycles += free_at - now;
  use->words++;
}

void tx_lap_prepare(struct tx_lap_notes *notes) {
  uint32_t words = 0;
  for (uint32_t i = notes->count; i-- > 0;) {
    struct tx_lap_note *note = &notes->note[i];
    const bool follows = words && note[1].by == note->by;
    words = note->kind == TX_NOTE_WORD && note->unit == TX_UNIT_VECTOR ? follows ? words + 1 : 1 : 0;
    if (words) note->address = words;
  }
}

/* Words of the vector unit that follow each other, with no effect in between; none of them is reported. Returns the note after them. */
static const struct tx_lap_note *repeat_vectors(struct tx_tile *t, const struct tx_lap_note *note, sim_time begin) {
  const unsigned thread = note->by;
  const struct tx_lap_note *end = note + note->address;
  struct sim_engine *engine = &t->engine;
  struct tx_unit_state *unit = sim_keep(&t->units[TX_UNIT_VECTOR]);
  struct use use = {.free_at = unit->free_at, .drained_at = unit->drained_at[thread]};
  struct tx_vector_batch batch;
  engine->now = begin + note->after;
  name_word(t, note);
  if (t->config.pending_until[thread] > engine->now) end = note + 1;
  tx_vector_batch_begin(&batch, t, thread);
  do {
    enter_vector(t, note, &batch, &use);
    engine->now = begin + (++note)->after;
  } while (note < end && !(engine->effect_count && engine->effects[0].at <= engine->now));
  engine->now = begin + note[-1].after;
  tx_vector_batch_end(&batch);
  unit->free_at = use.free_at;
  unit->drained_at[thread] = use.drained_at;
  unit->busy_cycles += use.busy_cycles;
  unit->accepted[thread] += use.words;
  return note;
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

void tx_lap_repeat(struct tx_tile *t, const struct tx_lap_notes *notes, sim_time period) {
  const struct tx_lap_note *note = notes->note, *end = note + notes->count;
  const sim_time begin = t->engine.now;
  while (note < end) {
    const sim_time now = begin + note->after;
    apply_effects(t, now);
    t->engine.now = now;
    if (note->kind != TX_NOTE_WORD) {
      repeat_access(t, notes, note++, begin);
    } else if (note->unit == TX_UNIT_VECTOR) {
      note = repeat_vectors(t, note, begin);
    } else {
      repeat_word(t, note++);
    }
  }
  apply_effects(t, begin + period);
  t->engine.now = begin + period;
}
