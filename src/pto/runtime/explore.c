/* Adversarial and random schedules.
 *
 * The first schedule that breaks the program is reduced step by step as long as it still breaks it in the same way: fewer pipes,
 * single items instead of all, shorter delays. */
#include "pto/runtime/explore.h"

#include <stdio.h>
#include <string.h>

#include "pto/runtime/explain.h"
#include "pto/runtime/grid.h"
#include "pto/runtime/machine.h"
#include "pto/runtime/race.h"
#include "pto/runtime/results.h"
#include "pto/runtime/schedule.h"

#define SHRINK_RUNS 400u

/* The machines of all runs, one for each block, and what ends them. */
struct runner {
  struct pto_grid *grid;
  int only; /* the block that runs; -1: all */
  sim_time limit;
  struct sim_watcher watcher;
  pto_explore_run_fn *done;
  void *context;
};

/* How a schedule ends: the kind of the first finding that is not a leak, and its block. */
struct outcome {
  unsigned kind;
  bool later; /* this schedule is good, but nothing orders two accesses: another one may break the program */
  uint32_t block;
};

static enum pto_end_kind run_parts(const struct runner *r, uint32_t block) {
  struct pto_machine *m = r->grid->blocks[block];
  enum pto_end_kind end = pto_machine_begin(m);
  pto_grid_rings(r->grid, block);
  for (sim_time until = 0; end == PTO_GOING_ON;) {
    until = r->limit - until > PTO_PART_CYCLES ? until + PTO_PART_CYCLES : r->limit;
    end = pto_machine_advance(m, until);
    if (end == PTO_GOING_ON && (until == r->limit || m->work > PTO_WORK_MAX || sim_watcher_stops(&r->watcher)))
      return pto_machine_give_up(m);
  }
  return end;
}

static struct outcome outcome_of(const struct pto_machine *m, enum pto_end_kind end, uint32_t block) {
  struct outcome later = {.block = block};
  for (uint32_t i = 0; i < m->finding_count; i++) {
    unsigned kind = m->findings[i].kind;
    if (!pto_finding_is_hazard(kind)) continue;
    if (m->findings[i].detail != PTO_UNORDERED) return (struct outcome){kind, false, block};
    if (!later.kind) later = (struct outcome){kind, true, block};
  }
  if (end == PTO_DEADLOCKED) return (struct outcome){PTO_FIND_DEADLOCK, false, block};
  if (end == PTO_FAULTED) return (struct outcome){PTO_FIND_FAULT, false, block};
  if (end == PTO_TIME_LIMIT) return (struct outcome){PTO_FIND_LIMIT, false, block};
  if (!later.kind && m->finding_count) later.kind = m->findings[0].kind;
  return later;
}

/* What happens comes before what may happen, and that before a leak. */
static unsigned rank_of(const struct outcome *o) { return !o->kind ? 0 : o->kind == PTO_FIND_LEAK ? 1 : o->later ? 2 : 3; }

/* Runs one schedule on all blocks; the worst outcome of a block. */
static struct outcome run_one(const struct runner *r, const struct pto_schedule *s) {
  struct outcome worst = {0};
  for (uint32_t block = 0; block < r->grid->count; block++) {
    struct pto_machine *m = r->grid->blocks[block];
    if (r->only >= 0 && block != (uint32_t)r->only) continue;
    m->schedule = *s;
    pto_machine_reset(m);
    if (r->only > 0) pto_races_reset(m->races);
    enum pto_end_kind end = run_parts(r, block);
    struct outcome o = outcome_of(m, end, block);
    if (rank_of(&o) > rank_of(&worst)) worst = o;
    if (r->done) r->done(r->context, m, end);
    if (sim_watcher_stops(&r->watcher) || m->work > PTO_WORK_MAX) break;
  }
  return worst;
}

static uint32_t kinds_of(const struct pto_grid *g, unsigned kind) {
  uint32_t kinds = kind ? 1u << kind : 0;
  for (uint32_t block = 0; block < g->count; block++) {
    const struct pto_machine *m = g->blocks[block];
    for (unsigned k = 1; k < PTO_FIND_KINDS; k++)
      if (m->finding_total[k]) kinds |= 1u << k;
    if (m->deadlocked) kinds |= 1u << PTO_FIND_DEADLOCK;
  }
  return kinds;
}

/* --- making it smaller --- */

struct shrinker {
  const struct runner *runner;
  struct outcome first;
  uint32_t runs;
};

static bool still(struct shrinker *k, const struct pto_schedule *s) {
  if (k->runs++ >= SHRINK_RUNS || sim_watcher_stops(&k->runner->watcher)) return false;
  struct outcome o = run_one(k->runner, s);
  return o.kind == k->first.kind && o.later == k->first.later && !sim_watcher_stops(&k->runner->watcher);
}

static void drop_random_agents(struct shrinker *k, struct pto_schedule *s) {
  for (unsigned agent = 0; agent < PTO_AGENTS && s->seed; agent++) {
    struct pto_schedule less = *s;
    less.random_agents &= ~(UINT64_C(1) << agent);
    if (less.random_agents != s->random_agents && still(k, &less)) *s = less;
  }
}

/* Replaces random delays by explicit ones, if they are few enough. */
static void write_out(struct shrinker *k, struct pto_schedule *s) {
  struct pto_schedule list;
  memset(&list, 0, sizeof list);
  run_one(k->runner, s);
  const struct pto_machine *m = k->runner->grid->blocks[k->first.block];
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    uint32_t items = agent % PTO_UNITS == PTO_S ? m->cores[agent / PTO_UNITS].started : m->queues[agent].started;
    for (uint32_t item = 0; item < items; item++) {
      uint32_t cycles = pto_schedule_delay(s, agent, item, 0);
      if (!cycles) continue;
      if (list.count == PTO_DELAYS_MAX) return;
      list.delays[list.count++] = (struct pto_delay){.agent = (uint16_t)agent, .item = item, .cycles = cycles};
    }
  }
  if (still(k, &list)) *s = list;
}

static void drop_delays(struct shrinker *k, struct pto_schedule *s) {
  for (uint32_t i = s->count; i-- > 0;) {
    struct pto_schedule less = *s;
    less.count--;
    for (uint32_t j = i; j < less.count; j++) less.delays[j] = less.delays[j + 1];
    memset(&less.delays[less.count], 0, sizeof less.delays[0]);
    if (still(k, &less)) *s = less;
  }
}

static void single_items(struct shrinker *k, struct pto_schedule *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    if (s->delays[i].item != PTO_EVERY_ITEM) continue;
    for (uint32_t item = 0; item < 24; item++) {
      struct pto_schedule one = *s;
      one.delays[i].item = item;
      if (!still(k, &one)) continue;
      *s = one;
      break;
    }
  }
}

static void shorter(struct shrinker *k, struct pto_schedule *s) {
  for (uint32_t i = 0; i < s->count; i++)
    while (s->delays[i].cycles > 1) {
      struct pto_schedule less = *s;
      less.delays[i].cycles /= 2;
      if (!still(k, &less)) break;
      *s = less;
    }
}

static void shrink(const struct runner *r, struct outcome first, struct pto_schedule *s) {
  struct runner one = *r;
  if (first.kind != PTO_FIND_RACE) one.only = (int)first.block; /* a race may need two blocks */
  struct shrinker k = {&one, first, 0};
  if (s->seed) {
    drop_random_agents(&k, s);
    write_out(&k, s);
  }
  drop_delays(&k, s);
  single_items(&k, s);
  drop_delays(&k, s);
  shorter(&k, s);
  for (uint32_t i = 0; i < s->count; i++) s->delays[i].line = 0;
}

static size_t schedule_text(const struct pto_schedule *s, char *text, size_t size) {
  size_t used = 0;
  if (size) text[0] = '\0';
  if (!s->count && !s->seed) return (size_t)snprintf(text, size, "without delays\n");
  for (uint32_t i = 0; i < s->count; i++) {
    const struct pto_delay *d = &s->delays[i];
    char which[48] = "every item", where[40] = "";
    if (d->item != PTO_EVERY_ITEM) snprintf(which, sizeof which, "item %u", d->item);
    if (d->line) snprintf(where, sizeof where, " (line %u)", d->line);
    int n = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "delay %s %s by %u cycles at %s%s\n",
                     pto_core_name(d->agent / PTO_UNITS), pto_unit_name(d->agent % PTO_UNITS), d->cycles, which, where);
    if (n > 0) used += (size_t)n;
  }
  if (s->seed) {
    int n = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0,
                     "random delays up to %u cycles, seed %u, on pipes 0x%llx\n", s->max_cycles, s->seed,
                     (unsigned long long)s->random_agents);
    if (n > 0) used += (size_t)n;
  }
  return used;
}

/* The run for the description is a short one that has broken the program: it is not stopped. */
static void describe(const struct runner *runner, struct pto_explore_result *r, struct outcome first) {
  struct runner whole = {.grid = runner->grid, .only = -1, .limit = runner->limit};
  struct pto_machine *m = runner->grid->blocks[first.block];
  run_one(&whole, &r->schedule);
  r->schedule = m->schedule; /* the run has added the lines that it delayed */
  schedule_text(&r->schedule, r->schedule_text, sizeof r->schedule_text);
  memset(&r->finding, 0, sizeof r->finding);
  r->finding.kind = (uint8_t)first.kind;
  r->hangs = m->deadlocked != 0;
  r->faults = m->fault.kind != 0;
  r->block = m->block;
  size_t used = 0;
  if (m->blocks > 1) used = (size_t)snprintf(r->text, sizeof r->text, "block %u: ", m->block);
  for (uint32_t i = 0; i < m->finding_count; i++) {
    if (m->findings[i].kind != first.kind || (!first.later && m->findings[i].detail == PTO_UNORDERED)) continue;
    r->finding = m->findings[i];
    used += pto_explain_finding(m, &m->findings[i], r->text + used, sizeof r->text - used);
    if (r->faults && used < sizeof r->text)
      snprintf(r->text + used, sizeof r->text - used, "\nconsequence: fault (%s): %s", sim_fault_kind_name(m->fault.kind),
               m->fault.why);
    if (m->deadlocked && used + 32 < sizeof r->text) {
      used += (size_t)snprintf(r->text + used, sizeof r->text - used, "\nconsequence: ");
      pto_explain_deadlock(m, r->text + used, sizeof r->text - used);
    }
    return;
  }
  if (m->deadlocked) pto_explain_deadlock(m, r->text + used, sizeof r->text - used);
  else if (first.kind == PTO_FIND_FAULT)
    snprintf(r->text + used, sizeof r->text - used, "fault (%s): %s", sim_fault_kind_name(m->fault.kind), m->fault.why);
  else snprintf(r->text + used, sizeof r->text - used, "has not ended after %llu cycles", (unsigned long long)m->engine.now);
}

/* Other schedules would take as long, and would be stopped as early. */
static void describe_long(struct pto_explore_result *r, unsigned kind) {
  r->finding = (struct pto_finding){.kind = (uint8_t)kind};
  schedule_text(&r->schedule, r->schedule_text, sizeof r->schedule_text);
  snprintf(r->text, sizeof r->text, "%s; it was stopped after %llu cycles", PTO_WORK_WORDS, (unsigned long long)r->cycles);
}

/* Runs schedules up to the first that breaks the program, or all; returns how it breaks. A schedule that only may break the program does
 * not end the search: one that does says more. */
static struct outcome run_schedules(const struct runner *runner, const struct pto_explore_options *options,
                                    struct pto_explore_result *r) {
  uint32_t count = options->schedules ? options->schedules : 1000;
  struct outcome first = {0};
  for (uint32_t n = 0; n < count; n++) {
    struct pto_schedule s = pto_explore_schedule(n, options->seed);
    struct outcome o = run_one(runner, &s);
    const struct pto_machine *m = runner->grid->blocks[0];
    if (sim_watcher_stops(&runner->watcher)) break;
    r->runs++;
    if (options->watcher.done) options->watcher.done(options->watcher.context, r->runs, count);
    for (uint32_t block = 0; block < runner->grid->count; block++)
      r->too_long = r->too_long || runner->grid->blocks[block]->work > PTO_WORK_MAX;
    if (n == 0) r->cycles = m->engine.now;
    r->kinds |= kinds_of(runner->grid, o.kind);
    if (!o.kind) continue;
    r->broken++;
    if (rank_of(&o) > rank_of(&first)) {
      first = o;
      r->schedule = s;
      r->first_run = n;
    }
    if (r->too_long || (!options->keep_going && rank_of(&first) == 3)) break;
  }
  return first;
}

/* No schedule breaks the program: are the final tensors those of every schedule? */
static bool compare_results(const struct pto_program *program, const struct pto_explore_options *options,
                            struct pto_explore_result *r) {
  struct pto_results results;
  if (!pto_results_compare(program, options, r->runs, &results)) return false;
  r->compared = results.compared;
  if (!results.differ) return true;
  const struct pto_global *g = &program->globals[results.global];
  r->broken = 1;
  r->first_run = results.number;
  r->schedule = results.schedule;
  r->finding = (struct pto_finding){.kind = PTO_FIND_RESULT, .line = g->line};
  r->kinds |= 1u << PTO_FIND_RESULT;
  schedule_text(&r->schedule, r->schedule_text, sizeof r->schedule_text);
  snprintf(r->text, sizeof r->text, "result-differs: tensor @%s (line %u) ends with other bytes than without delays",
           g->name, g->line);
  return true;
}

bool pto_explore(const struct pto_program *program, const struct pto_explore_options *options,
                 struct pto_explore_result *r) {
  struct runner runner = {.grid = pto_explore_blocks(program, options, pto_program_needs_data(program)),
                          .only = -1,
                          .limit = options->limit ? options->limit : UINT64_C(1000000000),
                          .watcher = options->watcher,
                          .done = options->done,
                          .context = options->context};
  memset(r, 0, sizeof *r);
  if (!runner.grid) return false;
  struct outcome found = run_schedules(&runner, options, r);
  struct pto_schedule first = r->schedule;
  runner.done = NULL;
  if (r->broken && !r->too_long && !options->keep_going) shrink(&runner, found, &r->schedule);
  r->stopped = sim_watcher_stops(&runner.watcher);
  if (r->stopped) r->schedule = first;
  if (r->too_long) describe_long(r, found.kind);
  else if (r->broken) describe(&runner, r, found);
  pto_grid_free(runner.grid);
  if (r->broken || r->too_long || r->stopped || options->keep_going) return true;
  return compare_results(program, options, r);
}
