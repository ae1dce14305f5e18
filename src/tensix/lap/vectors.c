/* The stretches of vectors.h. */
#include "tensix/lap/vectors.h"

#include <string.h>

#include "tensix/tile/tile.h"
#include "tensix/unit/vector/batch.h"
#include "tensix/unit/vector/issue.h"
#include "tensix/unit/vector/run.h"

/* --- the notes --- */

void tx_lap_vectors_begin(struct tx_lap_vectors *v, struct tx_lap_notes *notes) {
  uint32_t words = 0;
  v->stretches = v->steps = v->kinds = v->groups = 0;
  memset(v->kind_at, 0, sizeof v->kind_at);
  for (uint32_t i = notes->count; i-- > 0;) {
    struct tx_lap_note *note = &notes->note[i];
    const bool follows = words && note[1].by == note->by;
    words = note->kind == TX_NOTE_WORD && note->unit == TX_UNIT_VECTOR ? follows ? words + 1 : 1 : 0;
    if (words) note->address = words;
    note->stretch[0] = note->stretch[1] = 0;
  }
}

/* --- steps --- */

static uint32_t hash(const struct tx_lane_step *s) {
  const uint32_t words[] = {s->op, s->d, s->a, s->b, s->c, s->i, s->j};
  uint64_t h = 0;
  for (unsigned i = 0; i < sizeof words / sizeof words[0]; i++) h = (h ^ words[i]) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)(h >> 32);
}

static bool is_same(const struct tx_lane_step *a, const struct tx_lane_step *b) {
  return a->op == b->op && a->d == b->d && a->a == b->a && a->b == b->b && a->c == b->c && a->i == b->i && a->j == b->j;
}

/* Equal steps are kept once: loops repeat them. */
static const struct tx_lane_step *keep_step(void *owner, const struct tx_lane_step *step) {
  struct tx_lap_vectors *v = owner;
  const uint32_t places = 2 * TX_LAP_STEP_KINDS;
  uint32_t at = hash(step) % places;
  for (; v->kind_at[at]; at = (at + 1) % places)
    if (is_same(&v->kind[v->kind_at[at] - 1u], step)) return &v->kind[v->kind_at[at] - 1u];
  if (v->kinds == TX_LAP_STEP_KINDS) return NULL;
  v->kind[v->kinds] = *step;
  v->kind_at[at] = (uint16_t)++v->kinds;
  return &v->kind[v->kinds - 1];
}

/* --- word by word --- */

/* What words of the vector unit that follow each other add to its state. */
struct use {
  sim_time free_at, drained_at, busy_cycles;
  uint32_t words;
};

static inline void enter(struct tx_tile *t, const struct tx_lap_note *note, struct tx_vector_batch *batch, struct use *use) {
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

static inline bool effect_is_due(const struct sim_engine *engine, sim_time at) {
  return engine->effect_count && engine->effects[0].at <= at;
}

/* Up to `end`, an effect, or a word that is lost to the tape. */
static uint32_t run_words(struct tx_tile *t, const struct tx_lap_note *note, const struct tx_lap_note *end, sim_time begin,
                          struct tx_vector_tape *tape) {
  const struct tx_lap_note *from = note;
  const unsigned thread = note->by;
  struct sim_engine *engine = &t->engine;
  struct tx_unit_state *unit = sim_keep(&t->units[TX_UNIT_VECTOR]);
  struct use use = {.free_at = unit->free_at, .drained_at = unit->drained_at[thread]};
  struct tx_vector_batch batch;
  tx_vector_batch_begin(&batch, t, thread);
  batch.tape = tape;
  do {
    enter(t, note, &batch, &use);
    engine->now = begin + (++note)->after;
  } while (note < end && !(tape && tape->lost) && !effect_is_due(engine, engine->now));
  engine->now = begin + note[-1].after;
  tx_vector_batch_end(&batch);
  unit->free_at = use.free_at;
  unit->drained_at[thread] = use.drained_at;
  unit->busy_cycles += use.busy_cycles;
  unit->accepted[thread] += use.words;
  return (uint32_t)(note - from);
}

/* --- a stretch --- */

static uint32_t since(sim_time first, sim_time at) { return (uint32_t)(at - first); }
static uint32_t since_and_one(sim_time first, sim_time at) {
  return at < first || at == SIM_NEVER ? 0 : since(first, at) + 1;
}

/* What the stores to Dst change is found by comparison. */
struct before {
  sim_time sfpu_until[TX_DST_BLOCKS];
  uint8_t valid[TX_DST_ROWS];
};

static void note_before(struct before *b, const struct tx_dst *dst) {
  memcpy(b->sfpu_until, dst->sfpu_until, sizeof b->sfpu_until);
  memcpy(b->valid, dst->valid, sizeof b->valid);
}

/* false: no room. */
static bool note_dst(struct tx_lap_vectors *v, struct tx_lap_stretch *s, const struct tx_dst *dst,
                     const struct before *before, sim_time first) {
  s->group = v->groups;
  for (uint32_t i = 0; i < TX_DST_ROWS / 4; i++) {
    const sim_time until = dst->sfpu_until[i / 2];
    const bool stored = until != before->sfpu_until[i / 2];
    struct tx_lap_dst g = {.group = i, .until_after = stored ? since(first, until) : 0};
    memcpy(&g.valid, &dst->valid[4 * i], sizeof g.valid);
    if (!stored && memcmp(&dst->valid[4 * i], &before->valid[4 * i], sizeof g.valid) == 0) continue;
    if (v->groups == TX_LAP_DST_GROUPS) return false;
    v->dst[v->groups++] = g;
  }
  s->groups = v->groups - s->group;
  return true;
}

/* What it has left, just executed from cycle `first` on. */
static void note_left(struct tx_lap_stretch *s, const struct tx_tile *t, unsigned thread, sim_time first) {
  const struct tx_vector *v = &t->vector;
  const struct tx_unit_state *unit = &t->units[TX_UNIT_VECTOR];
  s->free_after = since(first, unit->free_at);
  s->drained_after = since(first, unit->drained_at[thread]);
  s->written = v->written;
  s->unread = v->unread;
  s->nop_only_after = since_and_one(first, v->nop_only_at);
  for (unsigned i = 0; i < 2; i++) {
    const struct tx_hidden *h = &v->hidden[i];
    s->hidden[i].after = since_and_one(first, h->at);
    s->hidden[i].rows = h->rows;
    s->hidden[i].held_rows = h->held_rows;
    s->hidden[i].fresh_rows = h->fresh_rows;
    s->hidden[i].wanted_rows = h->wanted_rows;
  }
  s->rwc = t->rwc[thread];
}

static void leave(struct tx_tile *t, const struct tx_lap_vectors *vectors, const struct tx_lap_stretch *s, unsigned thread,
                  sim_time first) {
  struct tx_vector *v = sim_keep(&t->vector);
  struct tx_unit_state *unit = sim_keep(&t->units[TX_UNIT_VECTOR]);
  unit->free_at = first + s->free_after;
  unit->drained_at[thread] = first + s->drained_after;
  unit->busy_cycles += s->busy;
  unit->accepted[thread] += s->words;
  v->written = s->written;
  v->unread = s->unread;
  if (s->nop_only_after) v->nop_only_at = first + s->nop_only_after - 1;
  for (unsigned i = 0; i < 2; i++) {
    struct tx_hidden *h = &v->hidden[i];
    if (!s->hidden[i].after) continue;
    h->at = first + s->hidden[i].after - 1;
    h->rows = s->hidden[i].rows;
    h->held_rows = s->hidden[i].held_rows;
    h->fresh_rows = s->hidden[i].fresh_rows;
    h->wanted_rows = s->hidden[i].wanted_rows;
  }
  t->rwc[thread] = s->rwc;
  for (uint32_t i = 0; i < s->groups; i++) {
    const struct tx_lap_dst *g = &vectors->dst[s->group + i];
    memcpy(&t->dst.valid[4 * g->group], &g->valid, sizeof g->valid);
    if (g->until_after) t->dst.sfpu_until[g->group / 2] = first + g->until_after;
  }
}

/* Executes the words and finds out what they do. A word that is lost to the tape ends the stretch before it. */
static uint32_t try_stretch(struct tx_lap_vectors *v, struct tx_tile *t, struct tx_lap_note *note, uint16_t *stretch,
                            sim_time begin) {
  const sim_time first = t->engine.now, busy = t->units[TX_UNIT_VECTOR].busy_cycles;
  struct before before;
  struct tx_vector_tape tape = {.step = &v->step[v->steps], .room = TX_LAP_STEPS - v->steps, .keep = keep_step, .owner = v};
  note_before(&before, &t->dst);
  const uint32_t words = run_words(t, note, note + note->address, begin, &tape);
  *stretch = TX_LAP_STRETCHES;
  if (tape.lost && !tape.full && words > 1) {
    note->address = words - 1;
    *stretch = 0;
  } else if (tape.lost) {
    note->address = words;
  }
  if (tape.lost || v->stretches == TX_LAP_STRETCHES - 1) return words;
  struct tx_lap_stretch *s = &v->stretch[v->stretches];
  *s = (struct tx_lap_stretch){.words = words, .step = v->steps, .steps = tape.count};
  if (!note_dst(v, s, &t->dst, &before, first)) return words;
  note_left(s, t, note->by, first);
  s->busy = (uint32_t)(t->units[TX_UNIT_VECTOR].busy_cycles - busy);
  v->steps += tape.count;
  *stretch = (uint16_t)++v->stretches;
  return words;
}

/* The state of the unit lets its words enter as before. */
static bool is_open(const struct tx_vector *v) {
  return tx_vector_enabled(v, &v->now) == TX_ALL_LANES && !(v->config_any | v->undefined);
}

uint32_t tx_lap_vectors_run(struct tx_lap_vectors *v, struct tx_tile *t, struct tx_lap_note *note, sim_time begin) {
  const unsigned thread = note->by;
  const sim_time first = begin + note->after;
  const struct tx_lap_note *end = note + note->address;
  t->engine.now = first;
  t->current =
      (struct tx_current){.agent = tx_agent_of_thread(thread), .word = note->word, .pc = note->pc, .unit = TX_UNIT_VECTOR};
  if (!is_open(&t->vector)) return run_words(t, note, end, begin, NULL);
  uint16_t *stretch =
      &note->stretch[t->timing & first & 1u]; /* where a result is hidden depends on the parity of the cycle */
  if (!*stretch) return try_stretch(v, t, note, stretch, begin);
  if (*stretch == TX_LAP_STRETCHES) return run_words(t, note, end, begin, NULL);
  const struct tx_lap_stretch *s = &v->stretch[*stretch - 1];
  const sim_time last = begin + note[s->words - 1].after;
  if (effect_is_due(&t->engine, last)) return run_words(t, note, end, begin, NULL);
  tx_vector_lane_ops(t)->run(t, &v->step[s->step], s->steps, TX_ALL_LANES);
  leave(t, v, s, thread, first);
  t->engine.now = last;
  return s->words;
}
