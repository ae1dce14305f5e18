/* The laps of lap.h. */
#include "tensix/lap/lap.h"

#include <stdlib.h>
#include <string.h>

#include "tensix/lap/apart.h"
#include "tensix/lap/repeat.h"
#include "tensix/lap/same.h"
#include "tensix/lap/sign.h"
#include "tensix/lap/trace.h"
#include "tensix/lap_notes.h"
#include "tensix/tile/tile.h"

#define ANCHORS_MAX 4096u   /* a search ends after this many */
#define ANCHOR_TURNS 8u     /* of T cores before one of them becomes the anchor */
#define FIRST_REFERENCE 8u  /* anchors before the first reference */
#define WORK_MIN 16u        /* words without which no search begins */
#define UNCUT_CYCLES 512u   /* the end of a run is not cut at anchors: how agents wait may depend on the last cuts */
#define LIVELY_CYCLES 2048u /* words of a lap are closer to each other */
/* A core that has not returned to its anchor for so long is given another one; doubled each time. */
#define ANCHOR_CYCLES 512u
#define ANCHOR_CYCLES_MAX (UINT64_C(1) << 20)
/* Between a search without a result and the next one; doubled each time. */
#define REST_CYCLES 4096u
#define REST_CYCLES_MAX (UINT64_C(1) << 22)
/* READY: so many looks have to gain so many cycles each, which executing them would take less time than looking. */
#define LOOKS 512u
#define LOOK_CYCLES 256u
#define APART_CYCLES 16384u /* for which cores apart run ahead of laps that are shorter */

enum stage { REST, SEARCH, READY };

struct tx_lap {
  enum stage stage;
  uint32_t anchors; /* since the search began */
  uint32_t misses;  /* READY: anchors in another state than that of the lap */
  uint32_t looks;   /* READY: at anchors, and the cycles repeated before the first of them */
  uint64_t repeated_before;
  bool noting; /* from the reference on */
  uint32_t anchor_core, anchor_pc;
  sim_time anchor_since, patience; /* the last anchor; cycles for which the next one may not be reached */
  sim_time rest_until, rest;       /* the end and the length of a rest */
  uint64_t work;                   /* words that had passed when it began */
  sim_time at, period;             /* time of the reference; of a lap */
  uint64_t sign;                   /* of the reference */
  uint32_t last_after;             /* cycles from the beginning of a lap to its last word */
  struct tx_lap_told told;
  uint64_t same_pages[TX_L1_PAGES / 64]; /* l1_same at the reference; after the lap the pages that are not written in it */
  struct tx_lap_same same;
  struct tx_lap_notes notes;
  struct tx_core before[TX_CORES]; /* at the reference */
  struct tx_lap_trace trace[TX_CORES];
  struct tx_lap_scratch scratch;
  struct tx_lap_plan plan;
  struct tx_lap_apart apart;
};

/* The arrays are written before they are read: their pages are not touched before. */
struct tx_lap *tx_lap_create(void) {
  struct tx_lap *lap = malloc(sizeof *lap);
  if (!lap) return NULL;
  memset(lap, 0, offsetof(struct tx_lap, same));
  return lap;
}

void tx_lap_destroy(struct tx_lap *lap) { free(lap); }

struct tx_lap_told tx_lap_told(const struct tx_lap *lap) {
  return lap ? lap->told : (struct tx_lap_told){0, 0};
}

/* --- may it --- */

static bool is_observed(const struct tx_tile *t) {
  const struct tx_unsaved *u = &t->unsaved;
  const struct tx_breaks *b = &u->breaks;
  return u->log.mask || u->what_if || u->ports->shadow || u->check || b->used || b->stepping || b->awaited || u->memo.on ||
         u->writers.count || t->perf.counting || (t->inflight.used & TX_INFLIGHT_WATCHED);
}

static bool has_laps(const struct tx_tile *t) {
  if (t->fault.kind || t->ethernet.on || t->diag.strict || is_observed(t)) return false; /* strict: a finding ends the run */
  for (unsigned i = 0; i < TX_CORES; i++) {
    const struct tx_core *c = &t->core[i];
    if (c->state == TX_CORE_HELD && t->unsaved.scripts[i] && t->unsaved.scripts[i]->count) return false;
    if (c->state == TX_CORE_RUNNING && c->one_by_one) return false;
    if (i < TX_THREADS && TX_AUTOSYNC_ON(t, i)) return false;
  }
  return true;
}

/* --- notes --- */

static void end_notes(struct tx_lap *lap, struct tx_tile *t) {
  if (!lap->noting) return;
  lap->noting = false;
  t->unsaved.lap = NULL;
  for (unsigned i = 0; i < TX_L1_PAGES / 64; i++) {
    const uint64_t unwritten = t->unsaved.l1_same[i];
    t->unsaved.l1_same[i] &= lap->same_pages[i];
    lap->same_pages[i] = unwritten;
  }
}

static void begin_notes(struct tx_lap *lap, struct tx_tile *t) {
  struct tx_lap_notes *n = &lap->notes;
  end_notes(lap, t);
  memset(n, 0, offsetof(struct tx_lap_notes, load));
  n->since = t->engine.now;
  memcpy(lap->before, t->core, sizeof lap->before);
  memcpy(lap->same_pages, t->unsaved.l1_same, sizeof lap->same_pages);
  memset(t->unsaved.l1_same, 0xff, sizeof t->unsaved.l1_same);
  t->unsaved.lap = n;
  lap->noting = true;
}

/* --- the search --- */

/* A search has ended without a result. */
static void rest(struct tx_lap *lap, const struct tx_tile *t) {
  lap->rest = lap->rest ? 2 * lap->rest : REST_CYCLES;
  if (lap->rest > REST_CYCLES_MAX) lap->rest = REST_CYCLES_MAX;
  lap->rest_until = t->engine.now + lap->rest;
  lap->stage = REST;
}

static void search(struct tx_lap *lap, struct tx_tile *t) {
  end_notes(lap, t);
  lap->stage = SEARCH;
  lap->anchors = lap->misses = lap->anchor_pc = 0;
  lap->anchor_core = ANCHOR_TURNS;
  lap->anchor_since = t->engine.now;
}

void tx_lap_forget(struct tx_lap *lap) {
  if (!lap) return;
  lap->stage = REST;
  lap->rest = lap->rest_until = 0;
  lap->patience = ANCHOR_CYCLES;
}

/* The cores that since the last reference have read the clock and done nothing else that others can observe. */
static uint32_t cores_apart(const struct tx_lap *lap, const struct tx_tile *t) {
  const struct tx_lap_notes *n = &lap->notes;
  uint32_t cores = lap->noting ? (n->apart | n->clocked) & ~n->acted : 0;
  for (unsigned i = 0; i < TX_CORES; i++)
    if (cores >> i & 1u && !tx_lap_may_be_apart(t, i)) cores &= ~(1u << i);
  return cores;
}

/* The present state becomes the reference. */
static void remember(struct tx_lap *lap, struct tx_tile *t) {
  const uint32_t apart = cores_apart(lap, t);
  lap->at = t->engine.now;
  lap->sign = tx_lap_sign(t, apart);
  tx_lap_note(&lap->same, t, apart);
  begin_notes(lap, t);
  lap->notes.apart = lap->apart.cores = apart;
}

/* Words pass often enough that no hang is suspected in any lap (observe/hang/progress.h). Notes the last one. */
static bool is_lively(struct tx_lap *lap) {
  const struct tx_lap_notes *n = &lap->notes;
  uint32_t first = 0, last = 0;
  bool any = false;
  for (uint32_t i = 0; i < n->count; i++) {
    if (n->note[i].kind != TX_NOTE_WORD) continue;
    if (any && n->note[i].after - last >= LIVELY_CYCLES) return false;
    if (!any) first = n->note[i].after;
    last = n->note[i].after;
    any = true;
  }
  lap->last_after = last;
  return any && first + (lap->period - last) < LIVELY_CYCLES;
}

/* The polls of a parked core compete with other cores for the ports of L1: its phase has to be the same. */
static bool has_phase(const struct tx_lap *lap, const struct tx_tile *t) {
  const struct tx_lap_notes *n = &lap->notes;
  bool in_phase = true;
  for (unsigned i = 0; i < TX_CORES; i++) {
    const struct tx_core_spin *s = &t->core[i].spin;
    if (s->parked && s->period && s->at <= lap->at && lap->period % s->period) in_phase = false;
  }
  for (uint32_t i = 0; i < n->count && !in_phase; i++)
    if (n->note[i].kind == TX_NOTE_GRANT) return false;
  return true;
}

/* A parked core polls words whose writes would wake it: none is in a page of L1 that is written in the lap. */
static bool stays_parked(const struct tx_lap *lap, const struct tx_tile *t, unsigned core) {
  const struct tx_core_spin *s = &t->core[core].spin;
  for (uint32_t i = 0; s->parked && i < s->count; i++) {
    const uint32_t page = s->keys[i] / TX_L1_PAGE;
    if (s->keys[i] < t->l1_bytes && !(lap->same_pages[page / 64] >> page % 64 & 1u)) return false;
  }
  return true;
}

static bool build_traces(struct tx_lap *lap, const struct tx_tile *t) {
  const struct tx_lap_notes *n = &lap->notes;
  const char *why = n->refusal;
  if (n->clocked & ~n->apart) return false;
  for (unsigned i = 0; i < TX_CORES; i++)
    if (!stays_parked(lap, t, i)) return false;
  for (unsigned i = 0; i < TX_CORES && !why; i++) {
    if (n->apart >> i & 1u) continue;
    const struct tx_core *before = &lap->before[i], *after = &t->core[i];
    const struct tx_lap_request r = {.before = before,
                                     .after = after,
                                     .core = i,
                                     .timing = t->timing,
                                     .l1 = t->l1,
                                     .l1_bytes = t->l1_bytes,
                                     .unwritten = lap->same_pages,
                                     .load_count = n->loads[i],
                                     .steps = after->retired - before->retired - n->skipped[i],
                                     .loads = n->load[i]};
    if (!tx_lap_trace_build(&lap->trace[i], &lap->scratch, &r, &why)) break;
  }
  return !why;
}

/* The state is that of the reference again. true: the lap in between can be repeated. */
static bool end_lap(struct tx_lap *lap, struct tx_tile *t) {
  if (lap->notes.ports &&
      lap->notes.apart_ports) { /* a core apart may have delayed another one: the next lap may be without that */
    remember(lap, t);
    return false;
  }
  lap->period = t->engine.now - lap->at;
  end_notes(lap, t);
  if (!is_lively(lap) || !has_phase(lap, t) || !build_traces(lap, t)) {
    rest(lap, t);
    return false;
  }
  tx_lap_prepare(&lap->plan, &lap->notes, t->timing);
  lap->stage = READY;
  lap->looks = 0;
  lap->repeated_before = lap->told.repeated;
  return true;
}

/* An anchor of the search. true: a lap was found, and can be repeated now. */
static bool finds_lap(struct tx_lap *lap, struct tx_tile *t) {
  if (lap->noting && tx_lap_sign(t, lap->same.apart) == lap->sign && tx_lap_is_same(&lap->same, t, NULL) && end_lap(lap, t))
    return true;
  if (lap->stage != SEARCH) return false;
  lap->anchors++;
  if (lap->anchors >= ANCHORS_MAX || (lap->noting && lap->notes.refusal)) {
    end_notes(lap, t);
    rest(lap, t);
  } else if (lap->anchors >= FIRST_REFERENCE && !(lap->anchors & (lap->anchors - 1))) {
    remember(lap, t);
  }
  return false;
}

/* --- repetition --- */

/* What is executed again changes these, which belong to what is not. */
struct kept {
  struct tx_core_port port[5];
  struct tx_l1_client client[TX_L1_CLIENTS];
  sim_time release_by, pipe_at, stream_leaves_at;
  uint32_t pipe, pipe_old;
  struct tx_current current;
  uint64_t parked, watched, signalled;
  sim_time signalled_at;
};

static void keep(const struct tx_tile *t, struct kept *k) {
  memcpy(k->port, t->port, sizeof k->port);
  memcpy(k->client, t->l1_ports.client, sizeof k->client);
  k->release_by = t->matrix.release_by;
  k->pipe_at = t->config.pipe_at;
  k->stream_leaves_at = t->config.stream_leaves_at;
  k->pipe = t->config.pipe;
  k->pipe_old = t->config.pipe_old;
  k->current = t->current;
  k->parked = t->engine.parked;
  k->watched = t->engine.watched;
  k->signalled = t->engine.signalled;
  k->signalled_at = t->engine.signalled_at;
}

static void put_back(struct tx_tile *t, const struct kept *k, uint32_t apart) {
  for (unsigned i = 0; i < TX_CORES; i++) {
    if (apart >> i & 1u) continue;
    t->port[i] = k->port[i];
    t->l1_ports.client[i] = k->client[i];
  }
  t->matrix.release_by = k->release_by;
  t->config.pipe_at = k->pipe_at;
  t->config.stream_leaves_at = k->stream_leaves_at;
  t->config.pipe = k->pipe;
  t->config.pipe_old = k->pipe_old;
  t->current = k->current;
  t->engine.parked = k->parked;
  t->engine.watched = k->watched;
  t->engine.signalled = k->signalled;
  t->engine.signalled_at = k->signalled_at;
}

/* Each core would do the same in another lap: then its registers and local RAM are those of the end of that lap. */
static bool cores_go_on(struct tx_lap *lap, struct tx_tile *t) {
  const uint32_t apart = lap->same.apart;
  for (unsigned i = 0; i < TX_CORES; i++)
    if (!(apart >> i & 1u) && !tx_lap_trace_try(&lap->trace[i], &t->core[i], t->l1)) return false;
  for (unsigned i = 0; i < TX_CORES; i++)
    if (!(apart >> i & 1u)) tx_lap_trace_commit(&lap->trace[i], &t->core[i]);
  return true;
}

/* Another lap ends before the run does. */
static bool has_time(const struct tx_lap *lap, const struct tx_tile *t, sim_time furthest) {
  return furthest > t->engine.now && furthest - t->engine.now >= lap->period;
}

/* A tile that has left its laps is back: so are the cores in all that does not differ from lap to lap. */
static bool cores_fit(const struct tx_lap *lap, const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_CORES; i++)
    if (!(lap->same.apart >> i & 1u) && !tx_lap_trace_fits(&lap->trace[i], &t->core[i], t->l1)) return false;
  return true;
}

/* Laps for which the cores apart can run ahead of the others, and have; 0: none. As many as there have been, so that they are not far ahead of
 * the last one. */
static uint64_t run_apart(struct tx_lap *lap, struct tx_tile *t, sim_time furthest, uint64_t parked, uint64_t before) {
  uint64_t laps = (furthest - t->engine.now) / lap->period, most = 1 + APART_CYCLES / lap->period;
  if (!lap->same.apart) return laps;
  if (most > before + 1) most = before + 1;
  if (laps > most) laps = most;
  t->engine.parked = parked;
  while (laps && !tx_lap_apart_run(&lap->apart, t, &lap->notes, lap->same_pages, laps * lap->period)) {
    const uint64_t fit = lap->apart.ran ? (lap->apart.ran - 1) / lap->period : 0;
    laps = fit < laps ? fit : laps - 1;
  }
  t->engine.parked = 0;
  return laps;
}

/* Returns the number of laps. */
static uint64_t repeat(struct tx_lap *lap, struct tx_tile *t, sim_time furthest) {
  struct kept k;
  uint64_t laps = 0, ahead = 0;
  keep(t, &k);
  tx_lap_apart_begin(&lap->apart, t);
  t->engine.parked = t->engine.watched = 0;
  while (!t->fault.kind && !t->engine.stop && has_time(lap, t, furthest)) {
    if (!ahead) ahead = run_apart(lap, t, furthest, k.parked, laps);
    if (!ahead || !cores_go_on(lap, t)) break;
    tx_lap_repeat(t, &lap->notes, &lap->plan, lap->period);
    laps++;
    ahead--;
  }
  t->engine.parked = k.parked;
  if (ahead && lap->same.apart) tx_lap_apart_return(&lap->apart, t, &lap->notes, lap->same_pages);
  put_back(t, &k, lap->same.apart);
  if (!laps) return 0;
  tx_lap_skip(&lap->same, t, laps);
  lap->told.repeated += laps * lap->period;
  lap->anchor_since = t->engine.now; /* the anchor was reached in each of them */
  lap->told.last_word = t->engine.now - lap->period + lap->last_after;
  return laps;
}

/* --- the run --- */

/* The run goes on from the anchor until no core can be ahead of the tile: the state there does not depend on earlier cuts. */
static enum sim_end run_to_cut(struct tx_tile *t, sim_time until) {
  const sim_time cut = t->engine.now + TX_CORE_AHEAD;
  return tx_tile_run(t, cut < until ? cut : until);
}

static void note_anchor(struct tx_lap *lap, const struct tx_tile *t) {
  lap->anchor_since = t->engine.now;
  lap->anchor_core = t->unsaved.cores.anchor_core;
  lap->anchor_pc = t->unsaved.cores.anchor_pc;
}

/* Have the laps since the last judgement gained more than the looks for them cost? */
static void judge(struct tx_lap *lap, struct tx_tile *t) {
  const uint64_t gained = lap->told.repeated - lap->repeated_before;
  lap->looks = 0;
  lap->repeated_before = lap->told.repeated;
  if (gained >= LOOKS * LOOK_CYCLES) lap->rest = 0;
  else rest(lap, t);
}

/* The run was cut behind the anchor. */
static void look(struct tx_lap *lap, struct tx_tile *t, sim_time furthest) {
  if (lap->stage == SEARCH) {
    if (finds_lap(lap, t)) repeat(lap, t, furthest);
  } else if (tx_lap_is_back(&lap->same, t, NULL) && cores_fit(lap, t)) {
    lap->misses = repeat(lap, t, furthest) || !lap->same.apart ? 0 : lap->misses + 1;
  } else {
    lap->misses++;
  }
  if (lap->stage == READY && lap->misses >= ANCHORS_MAX) search(lap, t);
  if (lap->stage == READY && ++lap->looks == LOOKS) judge(lap, t);
}

/* Cycles for which the anchor may not be reached. */
static sim_time patience(const struct tx_lap *lap) {
  return lap->stage == READY && lap->patience < 4 * lap->period ? 4 * lap->period : lap->patience;
}

static uint64_t words_passed(const struct tx_tile *t) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < TX_THREADS; i++) sum += t->gate[i].issued;
  return sum;
}

/* A rest is over, or the anchor was not reached for too long. */
static void choose_stage(struct tx_lap *lap, struct tx_tile *t) {
  if (lap->stage == REST && t->engine.now < lap->rest_until) return;
  if (lap->stage != REST && t->engine.now < lap->anchor_since + patience(lap)) return;
  if (lap->stage != REST && lap->patience < ANCHOR_CYCLES_MAX) lap->patience *= 2;
  end_notes(lap, t);
  const uint64_t work = words_passed(t), since = work - lap->work;
  lap->work = work;
  if (lap->stage == REST && since < WORK_MIN) lap->rest_until = t->engine.now + REST_CYCLES;
  else search(lap, t);
}

static void set_anchor(const struct tx_lap *lap, struct tx_tile *t) {
  struct tx_core_cache *cores = &t->unsaved.cores;
  cores->anchor_core = lap->anchor_core;
  cores->anchor_pc = lap->anchor_pc;
  cores->anchor_on = lap->stage == SEARCH || lap->stage == READY ? TX_ANCHOR_TURN : TX_ANCHOR_NONE;
}

/* The part of the run after which something is to be done. */
static sim_time part_end(const struct tx_lap *lap, sim_time until) {
  const sim_time end = lap->stage == REST ? lap->rest_until : lap->anchor_since + patience(lap);
  return end < until ? end : until;
}

/* The engine has paused, and nothing but the anchor was the reason. */
static bool is_at_anchor(struct tx_tile *t, enum sim_end end) {
  const bool reached = t->unsaved.cores.anchor_on == TX_ANCHOR_REACHED;
  t->unsaved.cores.anchor_on = TX_ANCHOR_NONE;
  return reached && end == SIM_END_STOPPED && sim_paused_only(&t->engine) && !t->fault.kind && !t->unsaved.breaks.paused &&
         !t->unsaved.breaks.stopped;
}

void tx_lap_pause(struct tx_lap *lap, struct tx_tile *t) {
  if (lap) end_notes(lap, t);
}

enum sim_end tx_lap_run(struct tx_lap *lap, struct tx_tile *t, sim_time until, sim_time furthest) {
  if (lap) lap->told.last_word = 0;
  for (;;) {
    if (!lap || !has_laps(t)) {
      tx_lap_pause(lap, t);
      tx_lap_forget(lap);
      return tx_tile_run(t, until);
    }
    if (furthest - t->engine.now <= UNCUT_CYCLES) {
      tx_lap_pause(lap, t);
      return tx_tile_run(t, until);
    }
    choose_stage(lap, t);
    set_anchor(lap, t);
    enum sim_end end = tx_tile_run(t, part_end(lap, until));
    const bool at_anchor = is_at_anchor(t, end);
    const sim_time cut = t->engine.now + TX_CORE_AHEAD;
    if (at_anchor) note_anchor(lap, t);
    if (at_anchor) end = run_to_cut(t, until);
    if (end != SIM_END_TIME) {
      tx_lap_pause(lap, t);
      return end;
    }
    if (at_anchor && t->engine.now == cut) look(lap, t, furthest);
    if (t->fault.kind) return SIM_END_STOPPED;
    if (t->engine.now >= until) return SIM_END_TIME;
  }
}
