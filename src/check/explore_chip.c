/* The exploration of explore_chip.h. Each schedule is a run of a chip of its own, which gets the state of the caller's chip first. */
#include "check/explore_chip.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chip/orbit.h"
#include "debug/program.h"
#include "observe/hang/chip_progress.h"

#define SCHEDULES_DEFAULT 300u
#define LIMIT_DEFAULT UINT64_C(1000000000)
#define PART_CYCLES (UINT64_C(1) << 16) /* a run polls the watcher's stop flag at this interval */
#define PERIODS 24u                     /* number of periods of a schedule that delays one target throughout */
#define WORKERS_MAX 64u
#define NARROW_MAX 32u /* tiles that are tried in place of all tiles */

/* What a run leaves beside the chip's memory. */
struct outcome {
  enum chip_end end;
  uint32_t fault; /* its kind + 1, or FAILED_CHECK */
};
#define FAILED_CHECK UINT32_MAX

struct worker {
  struct chip *chip;
  struct obs_chip_progress progress;
  struct chip_holds holds;
  struct chip_hold hold[CHK_DELAYS];
  const struct explore_chip *x;
};

typedef uint8_t error_set[CHIP_TILES][TX_DIAG_COUNT];

struct explore_chip {
  const struct chk_chip_explore_options *o;
  struct chip_config config;
  struct chk_start *start;
  sim_time began, cycles, limit;
  struct outcome expected;
  struct chk_memory *memory; /* after the run without delays */
  struct chk_compared compared;
  struct chk_range *ignore;           /* of `compared` */
  error_set *errors;                  /* of the run without delays */
  uint32_t tile[CHIP_TILES], tiles;   /* with running cores */
  uint32_t place[CHIP_TILES], places; /* these, and DRAM */
  pthread_mutex_t lock;
  struct worker *idle[WORKERS_MAX];
  uint32_t idles;
  bool no_memory;
  uint32_t runs, broken, first;
  struct chk_schedule worst;
  struct chk_chip_result worst_result;
};

static bool stopped(const struct explore_chip *x) { return sim_watcher_stops(&x->o->watcher); }

void chk_chip_delay_name(unsigned target, char *text, size_t size) {
  static const char *const kinds[CHIP_HOLD_KINDS] = {[NOC_READ] = "read requests",
                                                     [NOC_ATOMIC] = "atomics",
                                                     [NOC_WRITE] = "writes",
                                                     [NOC_READ_ANSWER] = "answers to reads",
                                                     [NOC_WRITE_ANSWER] = "answers to writes",
                                                     [NOC_ATOMIC_ANSWER] = "answers to atomics",
                                                     [CHIP_HOLD_MULTICAST] = "multicasts",
                                                     [CHIP_HOLD_ALL] = "packets",
                                                     [CHIP_HOLD_ARRIVALS] = "arrivals"};
  if (target >= CHK_CHIP_TARGETS) snprintf(text, size, "%s", "");
  else if (target < CHK_DELAY_TILE) snprintf(text, size, "%s", chk_delay_name(target));
  else if (target == CHK_DELAY_TILE) snprintf(text, size, "%s", "all cores");
  else
    snprintf(text, size, "%s on NoC %u", kinds[(target - CHK_DELAY_PACKETS) % CHIP_HOLD_KINDS],
             (target - CHK_DELAY_PACKETS) / CHIP_HOLD_KINDS);
}

/* --- delays --- */

static void hold_tile(struct chip *chip, uint32_t tile, const struct chk_delay *d, uint32_t *pc) {
  struct chip_endpoint *e = chip_endpoint_peek(chip, tile);
  struct tx_tile *t = e->self;
  if (!t || e->slot->kind != CHIP_TENSIX) return;
  e->ops->wake(t, chip_now(chip));
  chip_orbit_forget(e->orbit);
  unsigned core = d->target < CHK_DELAY_THREAD   ? d->target
                  : d->target < CHK_DELAY_UNPACK ? d->target - CHK_DELAY_THREAD
                                                 : TX_CORES;
  if (pc && core < TX_CORES) *pc = t->core[core].pc;
  if (d->target < CHK_DELAY_TILE) chk_delay_apply(t, d->target, d->cycles);
  else
    for (unsigned i = 0; i < TX_CORES; i++) chk_delay_apply(t, CHK_DELAY_CORE + i, d->cycles);
  e->next = e->ops->next(t);
}

static void hold(struct chip *chip, const struct chk_delay *d, uint32_t *pc) {
  if (d->tile != CHK_ALL_TILES) {
    hold_tile(chip, d->tile, d, pc);
    return;
  }
  for (uint32_t tile = 0; tile < CHIP_TILES; tile++) hold_tile(chip, tile, d, NULL);
}

/* Delays of packets are known to the network in advance. */
static uint32_t packet_holds(const struct chk_schedule *s, struct chip_hold holds[CHK_DELAYS]) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct chk_delay *d = &s->delay[i];
    if (d->target < CHK_DELAY_PACKETS) continue;
    unsigned which = d->target - CHK_DELAY_PACKETS;
    holds[count++] = (struct chip_hold){.from = d->cycle,
                                        .cycles = d->cycles,
                                        .tile = d->tile == CHK_ALL_TILES ? CHIP_NO_TILE : (uint16_t)d->tile,
                                        .noc = (uint8_t)(which / CHIP_HOLD_KINDS),
                                        .kind = (uint8_t)(which % CHIP_HOLD_KINDS)};
  }
  return count;
}

typedef enum chip_end run_fn(void *context, sim_time until);

/* Stops at each delay of a tile. */
static enum chip_end run_schedule(struct chip *chip, const struct chk_schedule *s, sim_time limit, run_fn *run,
                                  void *context, uint32_t *pc) {
  enum chip_end end = CHIP_END_TIME;
  for (uint32_t i = 0; i < s->count; i++) {
    const struct chk_delay *d = &s->delay[i];
    if (d->target >= CHK_DELAY_PACKETS) continue;
    if (d->cycle > chip_now(chip) && d->cycle < limit) end = run(context, d->cycle);
    if (end != CHIP_END_TIME) return end;
    hold(chip, d, pc ? &pc[i] : NULL);
  }
  return run(context, limit);
}

enum chip_end chk_run_delayed(struct chip *chip, const struct chk_schedule *s, sim_time until, run_fn *run, void *context,
                              uint32_t *pc) {
  struct chip_hold hold_of[CHK_DELAYS];
  struct chip_holds *holds = calloc(1, sizeof *holds);
  if (holds) {
    holds->hold = hold_of;
    holds->count = packet_holds(s, hold_of);
    chip_hold_packets(chip, holds);
  }
  enum chip_end end = run_schedule(chip, s, until, run, context, pc);
  chip_hold_packets(chip, NULL);
  free(holds);
  return end;
}

/* --- a chip for a run --- */

static void free_worker(struct worker *w) {
  if (!w) return;
  obs_chip_progress_reset(&w->progress);
  if (w->chip) chip_destroy(w->chip);
  free(w);
}

static struct worker *new_worker(const struct explore_chip *x) {
  struct worker *w = calloc(1, sizeof *w);
  const char *why;
  if (w) w->chip = chip_create(&x->config, &why);
  if (w && w->chip) return w;
  free(w);
  return NULL;
}

static void set_up_tiles(const struct worker *w) {
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = chip_endpoint_peek(w->chip, tile);
    struct tx_tile *t = e->self;
    if (!t || e->slot->kind != CHIP_TENSIX) continue;
    t->diag.strict = 0;
    t->unsaved.writers.count = 0;
  }
}

static struct worker *take_worker(struct explore_chip *x) {
  pthread_mutex_lock(&x->lock);
  struct worker *w = x->idles ? x->idle[--x->idles] : NULL;
  pthread_mutex_unlock(&x->lock);
  if (!w) w = new_worker(x);
  if (!w) return NULL;
  w->x = x;
  obs_chip_progress_reset(&w->progress);
  chip_hold_packets(w->chip, NULL);
  if (!chk_start_put(x->start, w->chip)) {
    free_worker(w);
    return NULL;
  }
  set_up_tiles(w);
  return w;
}

static void give_worker(struct explore_chip *x, struct worker *w) {
  pthread_mutex_lock(&x->lock);
  if (x->idles < WORKERS_MAX) x->idle[x->idles++] = w, w = NULL;
  pthread_mutex_unlock(&x->lock);
  free_worker(w);
}

/* --- a run --- */

static bool check_failed(const void *context) {
  const struct worker *w = context;
  for (uint32_t i = 0; i < w->x->tiles; i++) {
    uint32_t tile = w->x->tile[i];
    const struct dbg_program *p = w->x->o->program ? w->x->o->program[tile] : NULL;
    const struct tx_tile *t = chip_endpoint_peek(w->chip, tile)->self;
    if (p && t && dbg_program_failed_core(p, t, (1u << TX_CORES) - 1) >= 0) return true;
  }
  return false;
}

static bool condition_holds(const struct worker *w) {
  const struct chk_chip_explore_options *o = w->x->o;
  uint8_t raw[4];
  if (!chip_read(w->chip, o->until.tile, o->until.address, raw, sizeof raw)) return false;
  uint32_t word = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return (word & o->until.mask) == o->until.value;
}

static enum chip_end run_to(void *context, sim_time until) {
  struct worker *w = context;
  uint64_t every = w->x->o->until.every, part = every ? every : PART_CYCLES;
  enum chip_end end = CHIP_END_TIME;
  while (end == CHIP_END_TIME && chip_now(w->chip) < until && !stopped(w->x)) {
    sim_time now = chip_now(w->chip);
    end = obs_chip_run(&w->progress, w->chip, until - now > part ? now + part : until, check_failed, w);
    if (every && end != CHIP_END_FAULT && condition_holds(w)) return CHIP_END_STOPPED;
    if (end == CHIP_END_TIME && check_failed(w)) return CHIP_END_FAULT;
  }
  return end;
}

static struct outcome run(struct worker *w, const struct chk_schedule *s, sim_time limit, uint32_t *pc) {
  memset(&w->holds, 0, sizeof w->holds);
  w->holds.hold = w->hold;
  w->holds.count = packet_holds(s, w->hold);
  if (w->holds.count) chip_hold_packets(w->chip, &w->holds);
  for (uint32_t i = 0; i < s->count; i++) limit += 4 * (sim_time)s->delay[i].cycles;
  struct outcome o = {.end = run_schedule(w->chip, s, limit, run_to, w, pc)};
  const struct sim_fault *fault = chip_fault(w->chip, NULL);
  o.fault = fault ? fault->kind + 1u : check_failed(w) ? FAILED_CHECK : 0;
  return o;
}

static void errors_of(const struct worker *w, error_set *errors) {
  memset(errors, 0, sizeof *errors);
  for (uint32_t i = 0; i < w->x->tiles; i++) {
    uint32_t tile = w->x->tile[i];
    const struct tx_tile *t = chip_endpoint_peek(w->chip, tile)->self;
    for (unsigned id = 0; id < TX_DIAG_COUNT; id++)
      (*errors)[tile][id] = t->diag.counts[id] && tx_diag_infos[id].severity == SIM_ERROR;
  }
}

static bool new_error(const struct explore_chip *x, const struct worker *w, struct chk_chip_result *r) {
  error_set errors;
  errors_of(w, &errors);
  for (uint32_t i = 0; i < x->tiles; i++)
    for (unsigned id = 0; id < TX_DIAG_COUNT; id++) {
      uint32_t tile = x->tile[i];
      if (!errors[tile][id] || (*x->errors)[tile][id]) continue;
      r->finding = id;
      r->finding_tile = tile;
      return true;
    }
  return false;
}

static enum chk_explore_kind compare(struct explore_chip *x, struct worker *w, const struct outcome *o,
                                     struct chk_chip_result *r) {
  r->end = o->end;
  if (o->fault != x->expected.fault) return CHK_FAULT;
  if (o->end != x->expected.end) return CHK_END;
  if (new_error(x, w, r)) return CHK_FINDING;
  if (o->end == CHIP_END_TIME) return CHK_SAME;
  bool failed = false;
  bool differs = chk_memory_differs(x->memory, w->chip, &x->compared, &r->difference, &failed);
  if (failed) x->no_memory = true;
  return differs && !failed ? CHK_OUTPUT : CHK_SAME;
}

/* CHK_SAME if the watcher stops the run. */
static enum chk_explore_kind try_schedule(struct explore_chip *x, const struct chk_schedule *s, struct chk_chip_result *r) {
  struct worker *w = stopped(x) ? NULL : take_worker(x);
  if (!w) {
    if (!stopped(x)) x->no_memory = true;
    return CHK_SAME;
  }
  struct outcome o = run(w, s, x->limit, r->pc);
  enum chk_explore_kind kind = stopped(x) ? CHK_SAME : compare(x, w, &o, r);
  give_worker(x, w);
  return kind;
}

/* --- schedules --- */

static bool of_packets(unsigned target) { return target >= CHK_DELAY_PACKETS; }

/* First delays one target of all tiles throughout, then all cores of one tile. */
static uint32_t fixed_count(const struct explore_chip *x) {
  return CHK_CHIP_TARGETS + (x->tiles < CHK_DELAYS ? x->tiles : CHK_DELAYS);
}

static void make_fixed(const struct explore_chip *x, uint32_t number, struct chk_schedule *s) {
  sim_time period = x->cycles / PERIODS + 1;
  bool one = number >= CHK_CHIP_TARGETS;
  for (uint32_t i = 0; i < PERIODS; i++)
    chk_schedule_add(s, one ? x->tile[number - CHK_CHIP_TARGETS] : CHK_ALL_TILES, x->began + i * period + 1,
                     one ? CHK_DELAY_TILE : number, period);
}

/* Packets as often as cores and units; one tile more often than all. */
static void make_random(const struct explore_chip *x, uint32_t number, struct chk_schedule *s) {
  uint64_t state = x->o->seed * UINT64_C(0x2545f4914f6cdd1d) + number;
  uint32_t count = 1 + (uint32_t)(chk_random(&state) % 24);
  for (uint32_t i = 0; i < count; i++) {
    sim_time longest = UINT64_C(1) << (2 + chk_random(&state) % 14);
    if (longest > x->cycles) longest = x->cycles + 1;
    bool packets = chk_random(&state) & 1u;
    unsigned target = packets ? CHK_DELAY_PACKETS + (unsigned)(chk_random(&state) % (CHK_CHIP_TARGETS - CHK_DELAY_PACKETS))
                              : (unsigned)(chk_random(&state) % CHK_DELAY_PACKETS);
    uint32_t tile = packets ? x->place[chk_random(&state) % x->places] : x->tile[chk_random(&state) % x->tiles];
    if (chk_random(&state) % 8 == 0) tile = CHK_ALL_TILES;
    chk_schedule_add(s, tile, x->began + 1 + chk_random(&state) % (x->cycles + 1), target, 1 + chk_random(&state) % longest);
  }
  chk_schedule_sort(s);
}

/* Fixed and random ones in turn, so that few schedules have some of both. */
static void make_schedule(const struct explore_chip *x, uint32_t number, struct chk_schedule *s) {
  s->count = 0;
  if (number % 2 == 0 && number / 2 < fixed_count(x)) make_fixed(x, number / 2, s);
  else make_random(x, number, s);
}

static void job(void *context, unsigned number) {
  struct explore_chip *x = context;
  struct chk_chip_result r = {0};
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
  struct chk_chip_result r = {0};
  return try_schedule(context, s, &r) != CHK_SAME;
}

/* A delay of all tiles becomes one of a single tile if that is enough. */
static void narrow(struct explore_chip *x, struct chk_schedule *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->delay[i].tile != CHK_ALL_TILES) continue;
    bool packets = of_packets(s->delay[i].target);
    uint32_t count = packets ? x->places : x->tiles;
    for (uint32_t k = 0; k < count && k < NARROW_MAX; k++) {
      struct chk_schedule less = *s;
      less.delay[i].tile = packets ? x->place[k] : x->tile[k];
      if (!breaks(x, &less)) continue;
      *s = less;
      break;
    }
  }
}

static void find_smallest(struct explore_chip *x, struct chk_chip_result *r) {
  struct chk_schedule s = x->worst;
  chk_schedule_reduce(&s, breaks, x);
  narrow(x, &s);
  chk_schedule_reduce(&s, breaks, x);
  r->kind = try_schedule(x, &s, r);
  if (stopped(x)) *r = x->worst_result, s = x->worst;
  r->smallest = s;
}

/* --- the last writers of the word that differs --- */

struct recorder {
  const struct chip *chip;
  const struct chk_difference *d;
  struct chk_side side;  /* the last packet that wrote the word */
  struct chk_side asked; /* the request of the last read whose answer goes there */
};

static bool covers(uint64_t address, uint64_t length, uint64_t word) {
  return address < word + 4 && word < address + length;
}

/* The three ports of a DRAM controller have one memory. */
static bool same_memory(const struct recorder *r, unsigned tile) {
  const struct chip_slot *a = &chip_grid(r->chip)->slot[tile], *b = &chip_grid(r->chip)->slot[r->d->tile];
  return tile == r->d->tile || (a->kind == CHIP_DRAM && b->kind == CHIP_DRAM && a->index == b->index);
}

static void note_packet(void *context, const struct noc_packet *p, unsigned tile, uint32_t cycles) {
  struct recorder *r = context;
  struct chk_side side = {
      .known = true, .cycle = p->arrives, .pc = p->pc, .tile = p->tile, .agent = p->agent, .packet = (int)p->kind};
  uint64_t length = p->kind == NOC_ATOMIC ? 4 : p->length;
  bool answer = p->kind == NOC_READ_ANSWER || p->kind == NOC_ATOMIC_ANSWER;
  (void)cycles;
  if (p->kind == NOC_READ && p->tile == r->d->tile && covers(p->answer_address, p->length, r->d->address)) r->asked = side;
  if (p->kind == NOC_WRITE_ANSWER || p->kind == NOC_READ || !covers(p->address, length, r->d->address)) return;
  if (!same_memory(r, tile) || (r->side.known && side.cycle < r->side.cycle)) return;
  if (answer) {
    side.pc = r->asked.pc;
    side.tile = r->d->tile;
    side.agent = r->asked.known ? r->asked.agent : SIM_NO_AGENT;
  }
  r->side = side;
}

static void find_writer(struct explore_chip *x, const struct chk_schedule *s, const struct chk_difference *d,
                        struct chk_side *side) {
  struct worker *w = take_worker(x);
  if (!w) return;
  const struct chip_endpoint *e = chip_endpoint_peek(w->chip, d->tile);
  struct tx_tile *t = e->slot->kind == CHIP_TENSIX ? e->self : NULL;
  struct recorder r = {.chip = w->chip, .d = d};
  if (t) t->unsaved.writers = (struct tx_writers){.count = 1, .of = {{.address = (uint32_t)d->address, .length = 4}}};
  chip_watch(w->chip, note_packet, &r);
  run(w, s, x->limit, NULL);
  chip_watch(w->chip, NULL, NULL);
  const struct tx_trail *last = t ? &t->unsaved.writers.of[0].last : NULL;
  *side = r.side;
  if (last && last->known && last->agent < TX_AGENT_COUNT)
    *side = (struct chk_side){
        .known = true, .cycle = last->cycle, .pc = last->pc, .tile = d->tile, .agent = last->agent, .packet = -1};
  if (t) t->unsaved.writers.count = 0;
  give_worker(x, w);
}

static const struct chk_schedule no_delays;

static void find_sides(struct explore_chip *x, struct chk_chip_result *r) {
  if (r->kind != CHK_OUTPUT || stopped(x)) return;
  find_writer(x, &no_delays, &r->difference, &r->side[0]);
  find_writer(x, &r->smallest, &r->difference, &r->side[1]);
}

/* --- the whole --- */

static void run_schedules(struct explore_chip *x, struct chk_chip_result *r) {
  sim_parallel(x->o->threads, x->o->schedules ? x->o->schedules : SCHEDULES_DEFAULT, job, x, x->o->watcher);
  if (x->broken) find_smallest(x, r);
  find_sides(x, r);
  r->runs = x->runs;
  r->broken = x->broken;
}

static void find_tiles(struct explore_chip *x, struct chip *base) {
  for (uint32_t tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = chip_endpoint_peek(base, tile);
    const struct tx_tile *t = e->self;
    bool runs = false;
    for (unsigned core = 0; t && e->slot->kind == CHIP_TENSIX && core < TX_CORES; core++)
      runs |= t->core[core].state == TX_CORE_RUNNING;
    if (runs) x->tile[x->tiles++] = tile;
  }
}

/* The cycle of the last event of a tile. */
static sim_time last_cycle(const struct explore_chip *x, const struct worker *w) {
  sim_time last = x->began;
  for (uint32_t i = 0; i < x->tiles; i++) {
    const struct tx_tile *t = chip_endpoint_peek(w->chip, x->tile[i])->self;
    if (t->engine.now > last) last = t->engine.now;
  }
  return last;
}

/* Words in which atomics return the old value. That value depends on the order of the atomics; if a program uses it, other words differ too. */
static bool ignore_returned(struct explore_chip *x, const struct worker *w) {
  const struct chk_compared *compared = &x->o->compared;
  x->ignore = calloc(compared->ignored + (size_t)x->tiles * NOC_NOCS * NOC_INITIATORS + 1, sizeof *x->ignore);
  if (!x->ignore) return false;
  if (compared->ignored) memcpy(x->ignore, compared->ignore, compared->ignored * sizeof *x->ignore);
  x->compared = *compared;
  x->compared.ignore = x->ignore;
  for (uint32_t i = 0; i < x->tiles; i++)
    for (unsigned k = 0; k < NOC_NOCS * NOC_INITIATORS; k++) {
      const struct tx_tile *t = chip_endpoint_peek(w->chip, x->tile[i])->self;
      const uint32_t *words = t->niu[k % NOC_NOCS].initiator[k / NOC_NOCS];
      if ((words[NOC_CTRL] & NOC_CTRL_TYPE) == NOC_ATOMIC)
        x->ignore[x->compared.ignored++] =
            (struct chk_range){.tile = x->tile[i], .address = words[NOC_RET_LO] & ~3u, .length = 4};
    }
  return true;
}

static bool run_undisturbed(struct explore_chip *x) {
  struct worker *w = take_worker(x);
  if (!w) return false;
  x->expected = run(w, &no_delays, x->limit, NULL);
  sim_time end = x->expected.end == CHIP_END_STOPPED ? chip_now(w->chip) : last_cycle(x, w);
  x->cycles = end - x->began;
  x->limit = end + 64 * x->cycles + 100000;
  errors_of(w, x->errors);
  bool good = ignore_returned(x, w);
  for (uint32_t tile = 0; tile < CHIP_TILES; tile++) {
    const struct chip_endpoint *e = chip_endpoint_peek(w->chip, tile);
    if (e->self && e->slot->kind == CHIP_DRAM) x->place[x->places++] = tile;
  }
  memcpy(&x->place[x->places], x->tile, x->tiles * sizeof *x->tile);
  x->places += x->tiles;
  x->memory = stopped(x) ? NULL : chk_memory_take(w->chip);
  good = good && (x->memory || stopped(x));
  give_worker(x, w);
  return good;
}

static bool explore(struct explore_chip *x, struct chip *base, struct chk_chip_result *r) {
  x->start = chk_start_take(base);
  x->errors = calloc(1, sizeof *x->errors);
  find_tiles(x, base);
  if (!x->start || !x->errors || !run_undisturbed(x)) return false;
  bool ends = !x->expected.fault && x->expected.end != CHIP_END_TIME;
  if (ends && x->tiles && !stopped(x)) run_schedules(x, r);
  if (x->memory) r->hash = chk_memory_hash(x->memory);
  return !x->no_memory;
}

bool chk_explore_chip(struct chip *base, const struct chk_chip_explore_options *options, struct chk_chip_result *result) {
  struct explore_chip *x = calloc(1, sizeof *x);
  if (!x) return false;
  memset(result, 0, sizeof *result);
  x->o = options;
  x->first = UINT32_MAX;
  x->config = (struct chip_config){.harvest = chip_config(base)->harvest, .timing = true, .threads = 1};
  x->began = chip_now(base);
  x->limit = x->began + (options->limit ? options->limit : LIMIT_DEFAULT);
  pthread_mutex_init(&x->lock, NULL);
  bool good = explore(x, base, result);
  result->cycles = x->cycles;
  result->base_end = x->expected.end;
  result->stopped = stopped(x);
  while (x->idles) free_worker(x->idle[--x->idles]);
  pthread_mutex_destroy(&x->lock);
  chk_memory_free(x->memory);
  chk_start_free(x->start);
  free(x->errors);
  free(x->ignore);
  free(x);
  return good;
}
