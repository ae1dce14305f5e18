/* Effects, faults and findings of machine.h. */
#include "tensix/machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* --- delayed effects --- */

void tx_forget_decoded(struct tx_tile *t) {
  memset(t->unsaved.cores.line, 0, sizeof t->unsaved.cores.line);
  t->unsaved.pack.harmless = 0;
  t->unsaved.pack.thread = 0;
  t->unsaved.harmless_to_unpack = t->unsaved.harmless_to_matrix = 0;
  t->unsaved.matrix.known.version = t->unsaved.matrix.moves.version = 0;
  for (unsigned i = 0; i < TX_VECTOR_DECODED; i++) t->unsaved.vector.words[i].word = 0; /* plans among them */
  for (unsigned i = 0; i < 4; i++) t->unsaved.unpack[i / 2][i % 2].version = 0;
}

void tx_later(struct tx_tile *t, uint32_t cycles, enum tx_effect_kind kind, const uint32_t w[SIM_EFFECT_WORDS]) {
  tx_assert(kind < TX_EFFECT_COUNT && t->current.agent < TX_AGENT_COUNT);
  struct sim_effect effect = {.at = t->engine.now + (t->timing && cycles ? cycles : 1),
                              .kind = (uint16_t)kind,
                              .agent = (uint16_t)t->current.agent,
                              .pc = t->current.pc,
                              .word = t->current.word};
  memcpy(effect.w, w, sizeof effect.w);
  if (!sim_effect_at(&t->engine, effect))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
}

/* --- events --- */

void tx_emit_slow(struct tx_tile *t, enum tx_event kind, unsigned agent, uint32_t a, uint32_t b, uint64_t c) {
  const struct sim_event event = {.at = t->engine.now, .kind = kind, .agent = agent, .a = a, .b = b, .c = c};
  if (t->unsaved.log.kept >> kind & 1u) t->unsaved.ports->perf_look(t, &event);
  sim_log_give(&t->unsaved.log, &event);
}

void tx_block_slow(struct tx_tile *t, unsigned agent, const struct sim_wait *wait) {
  const struct sim_wait *old = sim_keep(&t->engine.agents[agent].wait);
  bool changes = old->kind != wait->kind || old->object != wait->object;
  if (wait->kind) sim_block(&t->engine, agent, *wait);
  else sim_unblock(&t->engine, agent);
  if (changes) tx_emit(t, TX_EVENT_BLOCK, agent, wait->kind, wait->object, wait->detail);
}

/* --- faults --- */

/* Front ends are stepped late: their events belong to the cycle of the step. */
static sim_time time_of(const struct tx_tile *t) { return t->unsaved.settling ? t->unsaved.settling : t->engine.now; }

void tx_fault(struct tx_tile *t, enum sim_fault_kind kind, const char *document, const char *format, ...) {
  tx_assert(kind != SIM_FAULT_NONE);
  if (t->fault.kind) return;
  char why[SIM_WHY_MAX];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  sim_fault_set(&t->fault, kind, time_of(t), document, "%s", why);
  t->fault.agent = (uint16_t)t->current.agent;
  t->fault.word = t->current.word;
  t->fault.pc = t->current.pc;
  t->fault.unit = (uint16_t)t->current.unit;
  sim_stop(&t->engine);
}

/* --- findings: counted, the first at each place kept; strict mode stops at warnings and errors --- */

const struct tx_diag_info tx_diag_infos[TX_DIAG_COUNT] = {
#define DIAG(id, severity_, where_, what_) \
  [TX_DIAG_##id] = {.name = #id, .where = (where_), .what = (what_), .severity = SIM_##severity_},
#include "chips/blackhole/diag.def"
#include "sim/keep.h"
#undef DIAG
};

static struct tx_finding *find_place(struct tx_diag *diag, enum tx_diag_id id, const struct tx_current *current,
                                     const struct tx_side *other) {
  for (uint32_t i = 0; i < diag->finding_count; i++) {
    struct tx_finding *f = &diag->findings[i];
    if (f->id != (uint32_t)id || f->pc != current->pc || f->agent != current->agent) continue;
    if (other ? f->other.known && f->other.pc == other->pc && f->other.agent == other->agent : f->word == current->word)
      return f;
  }
  return NULL;
}

/* A mode is a property of the simulator's evidence, not of a place: one finding for all instructions of a thread that use it. */
static struct tx_finding *find_mode(struct tx_diag *diag, const struct tx_current *current, const char *detail,
                                    va_list args) {
  char why[sizeof diag->findings[0].why];
  vsnprintf(why, sizeof why, detail, args);
  for (uint32_t i = 0; i < diag->finding_count; i++) {
    struct tx_finding *f = &diag->findings[i];
    if (f->id == TX_DIAG_UNTESTED_MODE && f->agent == current->agent && strcmp(f->why, why) == 0) return f;
  }
  return NULL;
}

/* The order of the list: independent of the time at which a front end is stepped. */
static bool comes_before(const struct tx_finding *a, const struct tx_finding *b) {
  if (a->first_cycle != b->first_cycle) return a->first_cycle < b->first_cycle;
  if (a->agent != b->agent) return a->agent < b->agent;
  if (a->id != b->id) return a->id < b->id;
  if (a->pc != b->pc) return a->pc < b->pc;
  if (a->word != b->word) return a->word < b->word;
  return a->other.pc < b->other.pc;
}

/* The list holds the places found first; later ones are only counted by kind. */
static struct tx_finding *new_place(struct tx_tile *t, enum tx_diag_id id, const struct tx_side *other, const char *detail,
                                    va_list args) {
  struct tx_diag *diag = &t->diag;
  struct tx_finding f = {
      .first_cycle = time_of(t), .id = id, .word = t->current.word, .pc = t->current.pc, .agent = t->current.agent};
  if (other) f.other = *other, f.other.known = 1;
  uint32_t at = diag->finding_count;
  while (at && comes_before(&f, &diag->findings[at - 1])) at--;
  if (at == TX_FINDINGS_MAX) return NULL;
  if (detail) vsnprintf(f.why, sizeof f.why, detail, args);
  if (diag->finding_count < TX_FINDINGS_MAX) diag->finding_count++;
  memmove(&diag->findings[at + 1], &diag->findings[at], (diag->finding_count - 1 - at) * sizeof f);
  diag->findings[at] = f;
  return &diag->findings[at];
}

static void emit_finding(struct tx_tile *t, const struct tx_finding *f) {
  tx_emit(t, TX_EVENT_FINDING, f->agent, f->id, f->word, (uint64_t)(f - t->diag.findings));
}

static void note_finding(struct tx_tile *t, enum tx_diag_id id, const struct tx_side *other, const char *detail,
                         va_list args) {
  tx_assert(id < TX_DIAG_COUNT && t->diag.finding_count <= TX_FINDINGS_MAX);
  const struct tx_diag_info *info = &tx_diag_infos[id];
  if (t->unsaved.lap && t->unsaved.lap->alone) { /* a core runs ahead of the others: it is found in its own cycle */
    t->unsaved.lap->refusal = "a core apart has a finding";
    sim_pause(&t->engine);
    return;
  }
  t->diag.counts[id]++;
  struct tx_finding *f = find_place(&t->diag, id, &t->current, other);
  if (!f && id == TX_DIAG_UNTESTED_MODE) {
    va_list again;
    va_copy(again, args);
    f = find_mode(&t->diag, &t->current, detail, again);
    va_end(again);
  }
  if (!f) {
    f = new_place(t, id, other, detail, args);
    if (f) emit_finding(t, f);
  }
  if (f) f->count++;
  if (t->diag.strict && info->severity >= SIM_WARNING)
    tx_fault(t, SIM_FAULT_HAZARD, info->where, "%s%s%s", info->what, f && f->why[0] ? ": " : "", f ? f->why : "");
}

void tx_diag(struct tx_tile *t, enum tx_diag_id id, const char *detail, ...) {
  va_list args;
  va_start(args, detail);
  note_finding(t, id, NULL, detail, args);
  va_end(args);
}

void tx_diag_pair(struct tx_tile *t, enum tx_diag_id id, const struct tx_side *other, const char *detail, ...) {
  va_list args;
  va_start(args, detail);
  note_finding(t, id, other, detail, args);
  va_end(args);
}

void tx_diag_after(struct tx_tile *t, enum tx_diag_id id, const struct tx_trail *last, const char *detail, ...) {
  struct tx_side side = {.cycle = last->cycle, .pc = last->pc, .agent = last->agent};
  va_list args;
  va_start(args, detail);
  note_finding(t, id, last->known && last->agent != SIM_NO_AGENT ? &side : NULL, detail, args);
  va_end(args);
}
