/* Copies a program, changes depth and period of its rings, places it again, runs it once for time and explores it for
 * safety. */
#include "pto/runtime/sweep.h"

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/program/check.h"
#include "pto/program/pipe.h"
#include "pto/program/place.h"
#include "pto/runtime/explore.h"
#include "pto/runtime/grid.h"
#include "sim/text.h"

/* Local and remote bytes of all rings. */
static void count_bytes(const struct pto_program *p, struct pto_sweep_row *row) {
  row->gm_bytes = row->ub_bytes = row->l1_bytes = 0;
  for (unsigned i = 0; i < p->pipe_count; i++) {
    const struct pto_pipe *pipe = &p->pipes[i];
    row->gm_bytes += pipe->gm_bytes;
    for (unsigned core = 0; core < PTO_CORES; core++) {
      const struct pto_pipe_config *c = &pipe->end[core];
      unsigned direction = core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V;
      if (!pipe->has[core] || !pto_pipe_direction_exists(c, direction) || core == PTO_AIV1)
        continue; /* one Vector counts for both */
      uint64_t bytes = (uint64_t)pto_own_slots(p, p->core_function[core], i, c, direction) * c->slot_size;
      *(core == PTO_AIC ? &row->l1_bytes : &row->ub_bytes) += bytes;
    }
  }
}

/* depth 0: the depth given in the program. */
static void set_ring(struct pto_program *p, uint32_t depth, uint32_t period) {
  if (!depth) return;
  for (unsigned i = 0; i < p->pipe_count; i++)
    for (unsigned core = 0; core < PTO_CORES; core++) {
      p->pipes[i].end[core].slot_num = depth;
      p->pipes[i].end[core].sync_period = period;
    }
}

static void time_row(const struct pto_program *p, const struct pto_sweep_options *o, struct pto_grid *g,
                     struct pto_sweep_row *row) {
  pto_grid_set_policy(g, o->policy);
  g->bounded = true;
  if (pto_grid_run(g, UINT64_C(1) << 40) == PTO_TIME_LIMIT) row->kinds |= 1u << PTO_FIND_LIMIT;
  row->cycles = pto_grid_cycles(g);
  const struct pto_machine *m = g->blocks[0];
  for (unsigned i = 0; i < p->pipe_count; i++)
    for (unsigned core = 0; core < PTO_CORES; core++)
      if (m->cores[core].ends[i].pushes_done > row->tiles) row->tiles = m->cores[core].ends[i].pushes_done;
  row->tiles *= p->dispatches;
  if (m->fault.kind == SIM_FAULT_ADDRESS || m->fault.kind == SIM_FAULT_UNSUPPORTED) row->fits = false;
}

static bool run_row(struct pto_program *p, const struct pto_sweep_options *o, struct pto_sweep_row *row) {
  struct pto_explore_result *result = malloc(sizeof *result);
  const struct pto_program *program = p;
  struct pto_explore_options e = {.schedules = o->schedules ? o->schedules : 40,
                                  .programs = &program, /* block 0: depth and period are the same for all */
                                  .program_count = 1,
                                  .blocks = 1,
                                  .policy = o->policy,
                                  .keep_going = true,
                                  .watcher = {.stop = o->watcher.stop}};
  if (!result) return false;
  set_ring(p, row->depth, row->period);
  p->error[0] = '\0';
  row->fits = pto_program_finish(p);
  count_bytes(p, row);
  const struct pto_pipe_config *c = p->pipe_count ? pto_pipe_any_end(&p->pipes[0]) : NULL;
  if (!row->depth && c)
    row->depth = c->slot_num, row->period = pto_policy_period(pto_pipe_policy(p, 0, o->policy), c->slot_num, c->sync_period);
  bool good = true;
  row->done = true;
  if (row->fits) {
    const struct pto_program *one = p;
    struct pto_grid *g = pto_grid_new(&one, 1, row->blocks, pto_program_needs_data(p));
    good = g && pto_explore(p, &e, result);
    if (good && result->stopped) row->done = false;
    else if (good) {
      row->kinds = result->kinds;
      if (!result->too_long) time_row(p, o, g, row);
    }
    pto_grid_free(g);
  }
  free(result);
  return good;
}

struct sweep_work {
  const struct pto_program *const *variants;
  const struct pto_sweep_options *options;
  struct pto_sweep *sweep;
  atomic_bool failed;
};

/* Each row has its own copy of the program, which shares the literals and does not own them. */
static void sweep_job(void *context, unsigned index) {
  struct sweep_work *w = context;
  struct pto_sweep_row *row = &w->sweep->rows[index];
  struct pto_program *copy = malloc(sizeof *copy);
  if (copy) memcpy(copy, w->variants[row->variant], sizeof *copy);
  if (!copy || !run_row(copy, w->options, row)) atomic_store(&w->failed, true);
  free(copy);
}

double pto_sweep_time(const struct pto_sweep_row *row) { return row->tiles ? (double)row->cycles / (double)row->tiles : 0; }

uint32_t pto_sweep_first_safe(const struct pto_sweep *s) {
  double best = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    double t = pto_sweep_time(&s->rows[i]);
    if (s->rows[i].fits && !s->rows[i].kinds && t > 0 && (best == 0 || t < best)) best = t;
  }
  uint32_t first = 0;
  for (uint32_t i = 0; i < s->count && best > 0; i++)
    if (s->rows[i].fits && !s->rows[i].kinds && pto_sweep_time(&s->rows[i]) <= best * 1.02 &&
        (!first || s->rows[i].depth < first))
      first = s->rows[i].depth;
  return first;
}

/* A program with too much work has it at every depth: it is refused before the rows are run. false: out of memory. */
static bool is_too_long(struct pto_program *p, const struct pto_sweep_options *o, struct pto_note *why, bool *refused) {
  struct pto_explore_options e = {
      .schedules = 1, .policy = o->policy, .keep_going = true, .watcher = {.stop = o->watcher.stop}};
  struct pto_explore_result *r = malloc(sizeof *r);
  p->error[0] = '\0';
  bool good = r && (!pto_program_finish(p) || pto_explore(p, &e, r));
  *refused = good && !p->error[0] && r->too_long;
  if (*refused) *why = (struct pto_note){.severity = SIM_ERROR, .rule = PTO_RULE_LENGTH, .text = PTO_WORK_WORDS};
  free(r);
  return good;
}

/* false: out of memory. */
bool pto_sweep_refused(const struct pto_program *program, const struct pto_sweep_options *o, struct pto_note *why,
                       bool *refused) {
  struct pto_program *copy = malloc(sizeof *copy);
  if (!copy) return false;
  memcpy(copy, program, sizeof *copy);
  set_ring(copy, o->depth_min ? o->depth_min : 1, 0);
  *refused = pto_check_refuses(copy, o->policy, why);
  bool good = *refused || is_too_long(copy, o, why, refused);
  free(copy);
  return good;
}

static void add_row(struct pto_sweep *s, struct pto_sweep_row row) {
  if (s->count < PTO_SWEEP_ROWS_MAX) s->rows[s->count++] = row;
}

/* Rows of one variant on one number of blocks. */
static void add_depths(struct pto_sweep *s, const struct pto_sweep_options *o, struct pto_sweep_row row) {
  uint32_t from = o->depth_min ? o->depth_min : 1, to = o->depth_max ? o->depth_max : 16;
  if (o->keep_depth) {
    add_row(s, row);
    return;
  }
  for (row.depth = from; row.depth <= to && row.depth <= PTO_SLOTS_MAX; row.depth++) {
    uint32_t periods[3] = {1, row.depth / 2, row.depth}, last = 0;
    for (unsigned k = 0; k < 3; k++) {
      row.period = o->period ? o->period : periods[k];
      if (row.period <= last || row.period > row.depth) continue;
      last = row.period;
      add_row(s, row);
    }
  }
}

bool pto_sweep_all(const struct pto_program *const *variants, uint32_t variant_count, const struct pto_sweep_options *o,
                   struct pto_sweep *s) {
  struct sweep_work work = {.variants = variants, .options = o, .sweep = s};
  atomic_init(&work.failed, false);
  memset(s, 0, sizeof *s);
  for (uint32_t v = 0; v < variant_count; v++)
    for (uint32_t b = 0; b < (o->block_count ? o->block_count : 1u); b++)
      add_depths(s, o, (struct pto_sweep_row){.variant = v, .blocks = o->block_count ? o->blocks[b] : variants[v]->blocks});
  sim_parallel(o->threads, s->count, sweep_job, &work, o->watcher);
  uint32_t done = 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (s->rows[i].done) s->rows[done++] = s->rows[i];
  s->count = done;
  s->first_safe = pto_sweep_first_safe(s);
  return !atomic_load(&work.failed);
}

bool pto_sweep(const struct pto_program *program, const struct pto_sweep_options *o, struct pto_sweep *s) {
  return pto_sweep_all(&program, 1, o, s);
}

/* --- the plot --- */

enum { WIDTH = 640, HEIGHT = 360, LEFT = 70, RIGHT = 620, TOP = 40, BOTTOM = 310 };

static double x_of(const struct pto_sweep *s, uint32_t depth) {
  uint32_t first = s->rows[0].depth, last = s->rows[s->count - 1].depth;
  return LEFT + (double)(RIGHT - LEFT) * (double)(depth - first) / (double)(last > first ? last - first : 1);
}

static double y_of(double time, double top) { return BOTTOM - (double)(BOTTOM - TOP) * time / top; }

/* The period rule of a row, one of three; a period of 1 counts as the first. */
static unsigned rule_of(const struct pto_sweep_row *r) { return r->period == 1 ? 0 : r->period == r->depth ? 2 : 1; }

static void draw_rule(const struct pto_sweep *s, unsigned rule, double top, struct sim_text *o) {
  static const char *const colours[] = {"#1b6ca8", "#2e8b57", "#c0392b"};
  static const char *const names[] = {"period 1", "half the depth", "the whole depth"};
  sim_text_add(o, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"", colours[rule]);
  for (uint32_t i = 0; i < s->count; i++)
    if (rule_of(&s->rows[i]) == rule && s->rows[i].fits && s->rows[i].tiles)
      sim_text_add(o, "%.1f,%.1f ", x_of(s, s->rows[i].depth), y_of(pto_sweep_time(&s->rows[i]), top));
  sim_text_add(o, "\"/>\n");
  for (uint32_t i = 0; i < s->count; i++)
    if (rule_of(&s->rows[i]) == rule && s->rows[i].fits && s->rows[i].tiles)
      sim_text_add(o, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\" stroke=\"%s\"/>\n", x_of(s, s->rows[i].depth),
                   y_of(pto_sweep_time(&s->rows[i]), top), s->rows[i].kinds ? "white" : colours[rule], colours[rule]);
  sim_text_add(o, "<text x=\"%d\" y=\"%u\" fill=\"%s\" text-anchor=\"end\">%s</text>\n", RIGHT, TOP + 16 * (rule + 1),
               colours[rule], names[rule]);
}

/* The step between ticks: 1, 2 or 5 times a power of ten, so that at most six of them reach `most`. */
static double tick_step(double most) {
  double step = 1;
  while (step * 10 * 6 < most) step *= 10;
  static const double factors[] = {1, 2, 5, 10, 20, 50};
  for (unsigned i = 0; i < sizeof factors / sizeof factors[0]; i++)
    if (step * factors[i] * 6 >= most) return step * factors[i];
  return step * 100;
}

static void draw_axes(const struct pto_sweep *s, double top, double step, struct sim_text *o) {
  for (double y = 0; y <= top + step / 2; y += step)
    sim_text_add(o, "<path d=\"M%d %.1f h-4\" stroke=\"black\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%.0f</text>\n",
                 LEFT, y_of(y, top), LEFT - 6, y_of(y, top) + 4, y);
  uint32_t first = s->rows[0].depth, last = s->rows[s->count - 1].depth;
  uint32_t every = last - first < 16 ? 1 : (uint32_t)tick_step((double)(last - first) / 2);
  for (uint32_t depth = first; depth <= last; depth++)
    if (every == 1 || depth % every == 0)
      sim_text_add(o, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%u</text>\n", x_of(s, depth), BOTTOM + 18, depth);
}

size_t pto_sweep_svg(const struct pto_sweep *s, const char *title, char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  double top = 1;
  if (size) text[0] = '\0';
  if (!s->count) return 0;
  for (uint32_t i = 0; i < s->count; i++)
    if (pto_sweep_time(&s->rows[i]) > top) top = pto_sweep_time(&s->rows[i]);
  double step = tick_step(top);
  top = ceil(top / step) * step;
  sim_text_add(
      &o,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" font-size=\"12\">\n",
      WIDTH, HEIGHT);
  sim_text_add(&o, "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n<text x=\"%d\" y=\"22\" font-size=\"15\">", WIDTH,
               HEIGHT, LEFT);
  for (const char *c = title; *c; c++) { /* the title may come from a file name */
    if (*c == '<') sim_text_add(&o, "&lt;");
    else if (*c == '&') sim_text_add(&o, "&amp;");
    else sim_text_add(&o, "%c", *c);
  }
  sim_text_add(&o, "</text>\n<path d=\"M%d %d V%d H%d\" fill=\"none\" stroke=\"black\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
  draw_axes(s, top, step, &o);
  sim_text_add(&o, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">depth (hollow: breaks under some schedule)</text>\n",
               (LEFT + RIGHT) / 2, BOTTOM + 38);
  sim_text_add(&o, "<text x=\"16\" y=\"%d\" transform=\"rotate(-90 16 %d)\" text-anchor=\"middle\">cycles per tile</text>\n",
               (TOP + BOTTOM) / 2, (TOP + BOTTOM) / 2);
  for (unsigned rule = 0; rule < 3; rule++) draw_rule(s, rule, top, &o);
  sim_text_add(&o, "</svg>\n");
  return o.length;
}
