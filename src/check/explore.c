/* The exploration of explore.h. Each schedule is a run of a copy of the tile, stopped at the cycle of each delay. */
#include "check/explore.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "observe/hang/progress.h"
#include "sim/parallel.h"

#define SCHEDULES_DEFAULT 300u
#define LIMIT_DEFAULT UINT64_C(1000000000)
#define PART_CYCLES (UINT64_C(1) << 18) /* a run polls the watcher's stop flag at this interval */
#define PERIODS 24u                     /* number of periods of a schedule that delays one target throughout */

/* What a run leaves. */
struct outcome {
  enum sim_end end;
  uint32_t fault;
  uint8_t found[TX_DIAG_COUNT]; /* error findings */
  const uint8_t *l1;
};

struct explore {
  const struct tx_tile *base;
  const struct chk_explore_options *o;
  struct outcome expected;
  uint8_t *l1; /* of the run without delays */
  sim_time cycles, limit;
  pthread_mutex_t lock;
  struct tx_tile *idle[64]; /* tiles that no run uses at present */
  uint32_t idles;
  bool no_memory;
  uint32_t runs, broken, first;
  struct chk_schedule worst;
  struct chk_explore_result worst_result;
};

static bool stopped(const struct explore *x) { return sim_watcher_stops(&x->o->watcher); }

/* --- a tile for a run --- */

static struct tx_tile *take_tile(struct explore *x) {
  pthread_mutex_lock(&x->lock);
  struct tx_tile *t = x->idles ? x->idle[--x->idles] : NULL;
  pthread_mutex_unlock(&x->lock);
  if (!t && (t = malloc(sizeof *t))) tx_tile_reset(t, x->base->timing);
  if (!t) return NULL;
  t->unsaved.cores.code = x->base->unsaved.cores.code;
  tx_tile_copy_state(t, x->base);
  t->diag.strict = 0;
  memcpy(t->unsaved.scripts, x->base->unsaved.scripts, sizeof t->unsaved.scripts);
  return t;
}

static void give_tile(struct explore *x, struct tx_tile *t) {
  pthread_mutex_lock(&x->lock);
  if (x->idles < sizeof x->idle / sizeof *x->idle) x->idle[x->idles++] = t, t = NULL;
  pthread_mutex_unlock(&x->lock);
  free(t);
}

/* --- a run --- */

static enum sim_end run_to(const struct explore *x, struct tx_tile *t, sim_time until) {
  struct obs_progress p = {.phase = OBS_PROGRESS_NONE};
  enum sim_end end = SIM_END_TIME;
  while (end == SIM_END_TIME && t->engine.now < until && !stopped(x))
    end = obs_run_on(&p, t, NULL, NULL, until - t->engine.now > PART_CYCLES ? t->engine.now + PART_CYCLES : until);
  return end;
}

static enum sim_end run_schedule(const struct explore *x, struct tx_tile *t, const struct chk_schedule *s, uint32_t *pc) {
  enum sim_end end = SIM_END_TIME;
  sim_time extra = 0;
  for (uint32_t i = 0; i < s->count && end == SIM_END_TIME; i++) {
    const struct chk_delay *d = &s->delay[i];
    if (d->cycle > t->engine.now) end = run_to(x, t, d->cycle);
    if (end != SIM_END_TIME || stopped(x)) break;
    unsigned core = d->target < CHK_DELAY_THREAD   ? d->target
                    : d->target < CHK_DELAY_UNPACK ? d->target - CHK_DELAY_THREAD
                                                   : TX_CORES;
    if (pc) pc[i] = core < TX_CORES ? t->core[core].pc : 0;
    chk_delay_apply(t, d->target, d->cycles);
    extra += d->cycles;
  }
  if (end == SIM_END_TIME) end = run_to(x, t, x->limit + 4 * extra);
  return end;
}

static struct outcome outcome_of(const struct tx_tile *t, enum sim_end end) {
  struct outcome o = {.end = end, .fault = t->fault.kind, .l1 = t->l1};
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
    o.found[id] = t->diag.counts[id] && tx_diag_infos[id].severity == SIM_ERROR;
  return o;
}

static bool ignored(const struct explore *x, uint32_t address) {
  for (uint32_t i = 0; i < x->o->ignored; i++)
    if (address - x->o->ignore[i].address < x->o->ignore[i].length) return true;
  return false;
}

static bool l1_differs(const struct explore *x, const uint8_t *l1, uint32_t *address) {
  if (memcmp(x->l1, l1, TX_L1_BYTES) == 0) return false;
  for (*address = 0; *address < TX_L1_BYTES; *address += 4)
    if (memcmp(x->l1 + *address, l1 + *address, 4) != 0 && !ignored(x, *address)) return true;
  return false;
}

static enum chk_explore_kind compare(const struct explore *x, const struct outcome *o, struct chk_explore_result *r) {
  uint32_t address = 0;
  r->end = o->end;
  if (o->fault != x->expected.fault) return CHK_FAULT;
  if (o->end != x->expected.end) return CHK_END;
  for (unsigned id = 0; id < TX_DIAG_COUNT; id++) {
    if (!o->found[id] || x->expected.found[id]) continue;
    r->finding = id;
    return CHK_FINDING;
  }
  bool ended =
      o->end == SIM_END_DONE || o->end == SIM_END_BLOCKED; /* a firmware that waits for the host is blocked at its end */
  if (!ended || !l1_differs(x, o->l1, &address)) return CHK_SAME;
  r->address = address;
  memcpy(&r->expected, x->l1 + address, 4);
  memcpy(&r->found, o->l1 + address, 4);
  return CHK_OUTPUT;
}

/* CHK_SAME if the watcher stops the run. */
static enum chk_explore_kind try_schedule(struct explore *x, const struct chk_schedule *s, struct chk_explore_result *r) {
  struct tx_tile *t = stopped(x) ? NULL : take_tile(x);
  if (!t) {
    if (!stopped(x)) x->no_memory = true;
    return CHK_SAME;
  }
  struct outcome o = outcome_of(t, run_schedule(x, t, s, r->pc));
  enum chk_explore_kind kind = stopped(x) ? CHK_SAME : compare(x, &o, r);
  give_tile(x, t);
  return kind;
}

/* --- schedules --- */

/* First delays one target throughout, then all cores but one. */
static void make_fixed(const struct explore *x, uint32_t number, struct chk_schedule *s) {
  sim_time period = x->cycles / PERIODS + 1;
  unsigned target = number % CHK_DELAY_TARGETS;
  bool others = number >= CHK_DELAY_TARGETS;
  for (uint32_t i = 0; i < PERIODS; i++) {
    if (!others) chk_schedule_add(s, 0, i * period + 1, target, period);
    else if (i % 4 == 0)
      for (unsigned core = 0; core < 5; core++)
        if (core != target % 5) chk_schedule_add(s, 0, i * period + 1, CHK_DELAY_CORE + core, 3 * period);
  }
}

/* Picks a few random delays, short ones as often as long ones. */
static void make_random(const struct explore *x, uint32_t number, struct chk_schedule *s) {
  uint64_t state = x->o->seed * UINT64_C(0x2545f4914f6cdd1d) + number;
  uint32_t count = 1 + (uint32_t)(chk_random(&state) % 24);
  for (uint32_t i = 0; i < count; i++) {
    sim_time longest = UINT64_C(1) << (2 + chk_random(&state) % 14);
    if (longest > x->cycles) longest = x->cycles + 1;
    chk_schedule_add(s, 0, 1 + chk_random(&state) % (x->cycles + 1), (unsigned)(chk_random(&state) % CHK_DELAY_TARGETS),
                     1 + chk_random(&state) % longest);
  }
  chk_schedule_sort(s);
}

static void make_schedule(const struct explore *x, uint32_t number, struct chk_schedule *s) {
  s->count = 0;
  if (number < CHK_DELAY_TARGETS + 5) make_fixed(x, number, s);
  else make_random(x, number, s);
}

static void job(void *context, unsigned number) {
  struct explore *x = context;
  struct chk_explore_result r = {0};
  struct chk_schedule s;
  make_schedule(x, number, &s);
  r.kind = try_schedule(x, &s, &r);
  pthread_mutex_lock(&x->lock);
  if (r.kind != CHK_SAME || !stopped(x)) x->runs++;
  if (r.kind != CHK_SAME) x->broken++;
  if (r.kind != CHK_SAME && (x->first == UINT32_MAX || number < x->first)) {
    x->first = number;
    x->worst = s;
    x->worst_result = r;
  }
  pthread_mutex_unlock(&x->lock);
}

/* --- the smallest schedule --- */

static bool breaks(void *context, const struct chk_schedule *s) {
  struct chk_explore_result r = {0};
  return try_schedule(context, s, &r) != CHK_SAME;
}

static void find_smallest(struct explore *x, struct chk_explore_result *r) {
  struct chk_schedule s = x->worst;
  chk_schedule_reduce(&s, breaks, x);
  r->kind = try_schedule(x, &s, r);
  if (stopped(x)) *r = x->worst_result, s = x->worst;
  r->count = s.count;
  memcpy(r->delay, s.delay, sizeof r->delay);
}

static void run_schedules(struct explore *x, struct chk_explore_result *r) {
  sim_parallel(x->o->threads, x->o->schedules ? x->o->schedules : SCHEDULES_DEFAULT, job, x, x->o->watcher);
  if (x->broken) find_smallest(x, r);
  r->runs = x->runs;
  r->broken = x->broken;
  r->first = x->first;
}

static bool run_undisturbed(struct explore *x) {
  static const struct chk_schedule none;
  struct tx_tile *t = take_tile(x);
  x->l1 = malloc(TX_L1_BYTES);
  if (!t || !x->l1) {
    free(t);
    return false;
  }
  x->expected = outcome_of(t, run_schedule(x, t, &none, NULL));
  memcpy(x->l1, t->l1, TX_L1_BYTES);
  x->expected.l1 = x->l1;
  x->cycles = t->engine.now - x->base->engine.now;
  x->limit = x->base->engine.now + 64 * x->cycles + 100000;
  give_tile(x, t);
  return true;
}

bool chk_explore(const struct tx_tile *base, const struct chk_explore_options *options, struct chk_explore_result *result) {
  struct explore *x = calloc(1, sizeof *x);
  if (!x) return false;
  memset(result, 0, sizeof *result);
  *x = (struct explore){.base = base, .o = options, .first = UINT32_MAX};
  x->limit = base->engine.now + (options->limit ? options->limit : LIMIT_DEFAULT);
  pthread_mutex_init(&x->lock, NULL);
  bool good = run_undisturbed(x);
  if (good && !x->expected.fault && x->expected.end != SIM_END_TIME) run_schedules(x, result);
  result->cycles = x->cycles;
  result->base_end = x->expected.end;
  result->stopped = stopped(x);
  good = good && !x->no_memory;
  while (x->idles) free(x->idle[--x->idles]);
  pthread_mutex_destroy(&x->lock);
  free(x->l1);
  free(x);
  return good;
}
