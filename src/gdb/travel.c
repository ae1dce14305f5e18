/* Forwards in time, as described in debugger.h. */
#define _POSIX_C_SOURCE 200809L
#include "gdb/travel.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/findings.h"
#include "gdb/back.h"
#include "gdb/breaks.h"
#include "gdb/middle.h"
#include "gdb/place.h"
#include "gdb/probe.h"
#include "gdb/reads.h"
#include "gdb/values.h"
#include "observe/report/chip_figures.h"

#define STEP_CYCLES 4096u /* most steps are shorter */

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now); /* CPU time: does not depend on the load of the host */
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- ends --- */

static enum gdb_stop_kind kind_of(enum gdb_end end) {
  switch (end) {
    case GDB_END_DONE: return GDB_STOP_DONE;
    case GDB_END_HANG: return GDB_STOP_HANG;
    case GDB_END_FINDING: return GDB_STOP_FINDING;
    case GDB_END_FAULT: return GDB_STOP_FAULT;
    default: return GDB_STOP_NO_MEMORY;
  }
}

/* The core that a fault or hang concerns. */
static struct gdb_where blamed(struct tessera_debugger *d, enum gdb_end end) {
  struct gdb_where w = d->focus;
  struct tessera_hang hang;
  struct tessera_waiter waiter;
  struct gdb_machine *m = &d->machine;
  for (unsigned u = 0; end == GDB_END_FAULT || end == GDB_END_FINDING ? u < m->count : false; u++) {
    const struct sim_fault *f = &gdb_tile(m, u)->fault;
    int core = f->kind ? api_core_behind(f->agent) : -1;
    if (core >= 0) return (struct gdb_where){u, (unsigned)core};
  }
  if (end != GDB_END_HANG || !m->tile || !tessera_tile_hang(m->tile, &hang) || !hang.chain_count) return w;
  if (tessera_tile_waiter(m->tile, hang.chain[0], &waiter) == TESSERA_OK && waiter.core >= 0) w.core = (unsigned)waiter.core;
  return w;
}

static void say_end(struct tessera_debugger *d) {
  const char *text = d->end_text ? d->end_text : "";
  size_t line = strcspn(text, "\n");
  if (d->end == GDB_END_DONE)
    snprintf(d->stop.text, sizeof d->stop.text, "everything has completed at cycle %llu", (unsigned long long)d->end_cycle);
  else snprintf(d->stop.text, sizeof d->stop.text, "%.*s", (int)line, text);
}

static void end_again(struct tessera_debugger *d) {
  gdb_stop_at(d, kind_of(d->end), d->stop.where);
  say_end(d);
}

/* The clock of a chip has advanced to the end of the piece: goes back to the cycle in which the cores ended, then on until the
 * units and the network have ended too. The cycle does not depend on how the run was divided. */
static void go_to_completion(struct tessera_debugger *d) {
  struct chip *chip = d->machine.chip->chip;
  const uint64_t cores = obs_chip_end(chip), latest = gdb_now(&d->machine);
  gdb_go_to(d, cores);
  while (gdb_now(&d->machine) < latest && chip_run(chip, gdb_now(&d->machine)) != CHIP_END_DONE) {
    uint64_t next = gdb_now(&d->machine) + (gdb_now(&d->machine) - cores < 64 ? 1 : 64);
    gdb_go_to(d, next < latest ? next : latest);
  }
}

static void finish(struct tessera_debugger *d, enum gdb_end end) {
  struct gdb_where where = blamed(d, end);
  free(d->end_text);
  d->end = end;
  d->end_text = strdup(gdb_explain(&d->machine));
  if (d->machine.chip && end == GDB_END_DONE) go_to_completion(d);
  gdb_front_settle(&d->machine); /* the end of a repeated run is that of the first, which the checkers watched */
  gdb_arrive(d);
  d->end_cycle = d->cycle;
  d->plain = false; /* the analysis of a hang changes the state */
  gdb_arm(d, false);
  gdb_stop_at(d, kind_of(end), where);
  say_end(d);
}

static bool at_end(const struct tessera_debugger *d) { return d->end != GDB_END_TIME && d->cycle >= d->end_cycle; }

static bool is_interrupted(const struct tessera_debugger *d) {
  return d->interrupted && d->interrupted(d->interrupted_context);
}

/* --- continue --- */

static void stop_before(struct tessera_debugger *d, struct gdb_hit *hit, uint64_t from) {
  if (d->machine.chip && !gdb_first_break(d, from, hit)) { /* its tiles run to the end of their window */
    gdb_go_to(d, from);
    gdb_stop_at(d, GDB_STOP_NO_MEMORY, hit->where);
    return;
  }
  gdb_approach(d, hit->cycle - 1, GDB_NEAR);
  gdb_go_to(d, hit->cycle - 1);
  gdb_stop_at(d, GDB_STOP_BREAK, hit->where);
  gdb_stand_at_break(d, hit->where, 0);
  gdb_show_break(d, hit->where);
}

static void describe(struct tessera_debugger *d, const struct gdb_hit *hit) {
  gdb_stop_at(d, hit->kind, hit->where);
  d->stop.address = hit->address;
  d->stop.access = hit->access;
  if (hit->text[0]) snprintf(d->stop.text, sizeof d->stop.text, "%s", hit->text);
}

static void stop_behind(struct tessera_debugger *d, const struct gdb_hit *hit) {
  gdb_go_to(d, hit->ordinal ? hit->cycle - 1 : hit->cycle);
  if (hit->ordinal) gdb_go_inside(d, &(struct gdb_inside){.accesses = hit->ordinal});
  describe(d, hit);
}

/* Where a piece ends. */
static uint64_t piece_end(const struct tessera_debugger *d) {
  uint64_t now = gdb_now(&d->machine), until = now + d->history.interval;
  const struct gdb_snapshot *pinned = gdb_history_pinned(&d->history, now);
  if (pinned && pinned->cycle < until) until = pinned->cycle;
  if (d->grant && d->granted < until) until = d->granted;
  return until < d->cycle_max ? until : d->cycle_max;
}

static void stop_at_limit(struct tessera_debugger *d, struct gdb_where where) {
  gdb_stop_at(d, GDB_STOP_LIMIT, where);
  snprintf(d->stop.text, sizeof d->stop.text, "the cycle limit %llu is reached", (unsigned long long)d->cycle_max);
}

/* The piece has passed without a stop. true: continue. */
static bool next_piece(struct tessera_debugger *d) {
  uint64_t now = gdb_now(&d->machine);
  const struct gdb_snapshot *s = gdb_history_before(&d->history, now);
  gdb_arrive(d);
  d->history.place = now;
  if (s && s->cycle == now && s->pinned) gdb_put(&d->machine, s);
  else gdb_history_note_timed(&d->history, &d->machine, seconds);
  bool limit = now >= d->cycle_max;
  if (!limit && !d->asked && !is_interrupted(d)) return true;
  d->asked = false;
  gdb_arm(d, false);
  if (limit) stop_at_limit(d, d->focus);
  else gdb_stop_at(d, GDB_STOP_INTERRUPT, d->focus);
  return false;
}

/* The user changed the state at the end or later, so the run continued. */
static bool go_over_end(struct tessera_debugger *d, uint64_t from) {
  const struct gdb_snapshot *s = gdb_history_pinned(&d->history, from);
  return s && s->cycle <= d->cycle_max && gdb_put(&d->machine, s);
}

/* --- grants --- */

static bool some_core_runs(const struct gdb_machine *m) {
  for (unsigned unit = 0; unit < m->count; unit++)
    for (unsigned core = 0; core < TX_CORES; core++)
      if (gdb_tile(m, unit)->core[core].state == TX_CORE_RUNNING) return true;
  return false;
}

/* Restarts the history here. */
static void begin_again(struct tessera_debugger *d) {
  gdb_history_free(&d->history);
  if (!gdb_history_begin(&d->history, &d->machine)) d->granted = 0;
}

/* Changes made while the machine waited belong to this cycle. While no core that gdb observes runs, no stop is possible and
 * no state is kept. */
bool gdb_wait_for_grant(struct tessera_debugger *d) {
  struct gdb_machine *m = &d->machine;
  bool changed = false, skipped = false;
  if (!d->grant) return true;
  while (gdb_now(m) >= d->granted) {
    bool now_changed = false;
    d->granted = d->grant(d->grant_context, gdb_now(m), &now_changed);
    changed |= now_changed;
    d->asked |= is_interrupted(d);
    if (!d->granted || d->asked || some_core_runs(m) || chip_run(m->chip->chip, d->granted) == CHIP_END_FAULT) break;
    skipped = true;
  }
  if (changed || skipped) {
    d->plain = true;
    d->trail.to = 0;
    if (skipped) begin_again(d);
    else gdb_history_cut(&d->history, m);
  }
  gdb_arrive(d);
  return d->granted != 0;
}

static void say_closed(struct tessera_debugger *d) {
  gdb_arm(d, false);
  d->end = GDB_END_DONE;
  d->end_cycle = d->cycle;
  free(d->end_text);
  d->end_text = NULL;
  gdb_stop_at(d, GDB_STOP_DONE, d->focus);
  snprintf(d->stop.text, sizeof d->stop.text, "the host program has closed the device in cycle %llu",
           (unsigned long long)d->cycle);
}

/* A chip whose host may still access it never ends. */
static enum gdb_end run_piece(struct tessera_debugger *d, uint64_t until) {
  enum gdb_end end = gdb_run(&d->machine, until, !d->grant);
  return d->grant && (end == GDB_END_HANG || end == GDB_END_DONE) ? GDB_END_TIME : end;
}

static bool comes_first(struct tessera_debugger *d, const struct gdb_hit *hit) {
  gdb_go_to(d, hit->cycle - 1);
  return gdb_access_is_first(d, hit);
}

static bool has_breaks(const struct tessera_debugger *d) {
  for (unsigned i = 0; i < GDB_BREAKS; i++)
    if (d->breaks[i].uses) return true;
  return false;
}

/* Will a breakpoint stop the run up to this cycle? The state is as before; breakpoints are not armed. A breakpoint stops in the middle of
 * a cycle: checkers must not watch that. */
static bool find_break(struct tessera_debugger *d, uint64_t until, struct gdb_hit *hit) {
  struct gdb_machine *m = &d->machine;
  struct gdb_snapshot p;
  if (!has_breaks(d)) return false;
  if (!gdb_take(m, &p, gdb_history_before(&d->history, gdb_now(m)))) {
    *hit = (struct gdb_hit){.kind = GDB_STOP_NO_MEMORY, .where = d->focus, .cycle = gdb_now(m) + 1};
    return true;
  }
  gdb_begin_trial(m);
  gdb_arm(d, true);
  gdb_mark_passed(d, true);
  bool found = gdb_try(m, until, false) == GDB_END_STOPPED && gdb_find_hit(d, hit);
  gdb_arm(d, false);
  gdb_put(m, &p);
  gdb_pages_drop(&m->pool, &p);
  return found;
}

static void run_on(struct tessera_debugger *d) {
  struct gdb_machine *m = &d->machine;
  struct gdb_hit hit = {0};
  gdb_go_to(d, d->cycle);
  d->history.since = seconds();
  for (;;) {
    gdb_arm(d, false); /* for the searches */
    if (!gdb_wait_for_grant(d)) {
      say_closed(d);
      return;
    }
    uint64_t until = piece_end(d), from = gdb_now(m);
    bool behind = gdb_probe_piece(d, until, &hit);
    if (behind) until = hit.cycle;
    struct gdb_hit broke = {0};
    const bool watched = gdb_is_watched(m) || m->front.known, breaks = watched && find_break(d, until, &broke);
    if (broke.kind == GDB_STOP_NO_MEMORY) {
      gdb_stop_at(d, GDB_STOP_NO_MEMORY, d->focus);
      return;
    }
    gdb_arm(d, !watched);
    gdb_mark_passed(d, !watched);
    enum gdb_end end = run_piece(d, breaks ? broke.cycle - 1 : until);
    gdb_mark_passed(d, false);
    if (breaks && end == GDB_END_TIME ? true : end == GDB_END_STOPPED && gdb_find_hit(d, &broke)) {
      if (behind && hit.ordinal && broke.cycle == hit.cycle && comes_first(d, &hit)) stop_behind(d, &hit);
      else stop_before(d, &broke, from);
      return;
    }
    if (end == GDB_END_TIME && behind) {
      stop_behind(d, &hit);
      return;
    }
    if (end != GDB_END_TIME && end != GDB_END_STOPPED && !go_over_end(d, from)) {
      finish(d, end);
      return;
    }
    if (!next_piece(d)) return;
  }
}

/* A second breakpoint in the group at the core's pc. */
static bool later_in_group(struct tessera_debugger *d, struct gdb_where w) {
  const uint32_t pc = gdb_core(d, w)->pc;
  if (!gdb_has_break(d, w, gdb_pc(d, w))) return false;
  for (unsigned i = (gdb_pc(d, w) - pc) / 4 + 1; i < gdb_group(d, w, pc); i++) {
    if (!gdb_has_break(d, w, pc + 4 * i)) continue;
    gdb_stop_at(d, GDB_STOP_BREAK, w);
    d->sub = i;
    d->sub_of = w;
    return true;
  }
  return false;
}

void gdb_continue(struct tessera_debugger *d, struct gdb_where from) {
  d->focus = from;
  if (at_end(d)) {
    end_again(d);
    return;
  }
  if (d->cycle >= d->cycle_max) {
    stop_at_limit(d, from);
    return;
  }
  if (later_in_group(d, from)) return;
  if (gdb_has_break(d, from, gdb_pc(d, from))) gdb_pass(d, from, gdb_core(d, from)->retired + 1);
  run_on(d);
}

/* --- step --- */

/* Runs until the core has executed an instruction or another stop occurs; false: neither did. read: a read of watched bytes up to then, or of
 * kind GDB_STOP_START. */
static bool probe_step(struct tessera_debugger *d, struct gdb_where w, struct gdb_hit *hit, struct gdb_hit *read) {
  struct gdb_machine *m = &d->machine;
  struct tx_tile *t = gdb_tile(m, w.unit);
  struct gdb_first first = {.engine = &t->engine, .agent = TX_AGENT_TRISC0 + w.core};
  gdb_begin_trial(m);
  gdb_arm(d, true);
  gdb_mark_passed(d, true);
  if (t->core[w.core].passed_break <= t->core[w.core].retired)
    t->core[w.core].passed_break = t->core[w.core].retired + 1; /* ignores a breakpoint at the present pc */
  int handle = sim_log_attach(&t->unsaved.log, gdb_note_first, &first, 1u << TX_EVENT_CORE);
  gdb_reads_begin(d, GDB_FIRST_READ);
  enum gdb_end end = gdb_try(m, gdb_now(m) + STEP_CYCLES, false);
  while (end == GDB_END_TIME && gdb_now(m) < d->cycle_max && !is_interrupted(d))
    end = gdb_try(m, gdb_now(m) + 16 * STEP_CYCLES, true);
  if (handle >= 0) sim_log_detach(&t->unsaved.log, handle);
  bool found = gdb_find_hit(d, hit), was_read = false;
  gdb_reads_end(d, read, &was_read);
  if (first.found && (!found || first.cycle < hit->cycle))
    *hit = (struct gdb_hit){.kind = GDB_STOP_STEP, .where = w, .cycle = first.cycle};
  gdb_arm(d, false);
  return found || first.found;
}

static bool step_in_group(struct tessera_debugger *d, struct gdb_where w) {
  uint32_t have = d->sub && gdb_same(d->sub_of, w) ? d->sub : 0;
  if (have + 1 >= gdb_group(d, w, gdb_core(d, w)->pc)) return false;
  d->sub = have + 1;
  d->sub_of = w;
  gdb_stop_at(d, gdb_has_break(d, w, gdb_pc(d, w)) ? GDB_STOP_BREAK : GDB_STOP_STEP, w);
  return true;
}

static void stepped(struct tessera_debugger *d, const struct gdb_hit *hit, const struct gdb_snapshot *p) {
  struct gdb_machine *m = &d->machine;
  uint64_t values[GDB_WATCHES];
  gdb_put(m, p);
  d->plain = true;
  gdb_watch_values(d, values);
  enum gdb_end end = gdb_run(m, hit->kind == GDB_STOP_STEP ? hit->cycle : hit->cycle - 1, false);
  if (end == GDB_END_FINDING || end == GDB_END_FAULT) {
    finish(d, end);
    return;
  }
  gdb_arrive(d);
  gdb_stop_at(d, hit->kind, hit->where);
  if (hit->kind == GDB_STOP_BREAK) gdb_stand_at_break(d, hit->where, 0);
  gdb_show_break(d, hit->where);
  if (gdb_has_break(d, hit->where, gdb_pc(d, hit->where))) d->stop.kind = GDB_STOP_BREAK;
  gdb_watch_changed(d, values, &d->stop);
}

/* Timing off: the next instruction of the core may be in the cycle of its last one. */
static void step_exactly(struct tessera_debugger *d, struct gdb_where w) {
  struct gdb_machine *m = &d->machine;
  const uint64_t retired = gdb_core(d, w)->retired;
  uint64_t values[GDB_WATCHES];
  gdb_watch_values(d, values);
  for (;;) {
    struct gdb_hit hit = {0}, next = {0}, read = {.kind = GDB_STOP_START};
    gdb_go_to(d, d->cycle);
    gdb_history_note(&d->history, m); /* the searches return to it */
    if (gdb_step_inside(d, w, retired, &hit)) {
      describe(d, &hit);
      if (hit.kind == GDB_STOP_STEP) gdb_watch_changed(d, values, &d->stop);
      return;
    }
    enum gdb_end end = gdb_run(m, d->cycle + 1, false);
    gdb_arrive(d);
    if (end != GDB_END_TIME) {
      finish(d, end);
      return;
    }
    if (gdb_core(d, w)->retired != retired) break;
    const uint64_t from = d->cycle;
    bool found = probe_step(d, w, &next, &read) && next.cycle <= d->cycle_max;
    d->plain = false;
    gdb_go_to(d, from);
    if (!found) { /* it waits forever, or longer than the limit */
      if (is_interrupted(d)) gdb_stop_at(d, GDB_STOP_INTERRUPT, w);
      else run_on(d);
      return;
    }
    uint64_t cycle = read.kind == GDB_STOP_WATCH && read.cycle < next.cycle ? read.cycle : next.cycle;
    if (cycle > from + 1) gdb_go_to(d, cycle - 1);
  }
  gdb_stop_at(d, gdb_has_break(d, w, gdb_pc(d, w)) ? GDB_STOP_BREAK : GDB_STOP_STEP, w);
  gdb_watch_changed(d, values, &d->stop);
}

void gdb_step(struct tessera_debugger *d, struct gdb_where w) {
  struct gdb_hit hit, read = {.kind = GDB_STOP_START};
  struct gdb_snapshot p;
  d->focus = w;
  if (at_end(d)) {
    end_again(d);
    return;
  }
  if (d->cycle >= d->cycle_max) {
    stop_at_limit(d, w);
    return;
  }
  if (gdb_core(d, w)->state != TX_CORE_RUNNING) {
    gdb_stop_at(d, GDB_STOP_STEP, w);
    snprintf(d->stop.text, sizeof d->stop.text, "%s does not run", tx_core_name(w.core));
    return;
  }
  if (gdb_is_exact(d)) {
    step_exactly(d, w);
    return;
  }
  if (step_in_group(d, w)) return;
  uint64_t from = d->cycle;
  gdb_go_to(d, from);
  if (!gdb_take(&d->machine, &p, gdb_history_before(&d->history, from))) {
    gdb_stop_at(d, GDB_STOP_NO_MEMORY, w);
    return;
  }
  bool found = probe_step(d, w, &hit, &read) && hit.cycle <= d->cycle_max;
  if (found && (read.kind != GDB_STOP_WATCH || read.cycle >= hit.cycle)) {
    stepped(d, &hit, &p);
    if (read.kind == GDB_STOP_WATCH && read.cycle == hit.cycle && d->stop.kind == GDB_STOP_STEP) {
      d->stop.kind = GDB_STOP_WATCH;
      d->stop.address = read.address;
      d->stop.access = read.access;
      memcpy(d->stop.text, read.text, sizeof read.text);
    }
  } else { /* it waits forever, or longer than the limit */
    gdb_put(&d->machine, &p);
    d->plain = true;
    d->cycle = from;
    if (is_interrupted(d)) gdb_stop_at(d, GDB_STOP_INTERRUPT, w);
    else run_on(d);
  }
  gdb_pages_drop(&d->machine.pool, &p);
}

void gdb_goto(struct tessera_debugger *d, uint64_t cycle) {
  gdb_pass_none(d);
  if (cycle <= d->cycle || (d->end != GDB_END_TIME && cycle >= d->end_cycle)) {
    uint64_t first = d->history.at[0].cycle;
    if (d->end != GDB_END_TIME && cycle > d->end_cycle) cycle = d->end_cycle;
    gdb_go_to(d, cycle < first ? first : cycle);
    gdb_stop_at(d, GDB_STOP_START, d->focus);
    return;
  }
  uint64_t limit = d->cycle_max;
  struct gdb_where focus = d->focus;
  if (cycle < limit) d->cycle_max = cycle;
  run_on(d);
  d->cycle_max = limit;
  if (d->stop.kind != GDB_STOP_LIMIT || d->cycle >= limit) return;
  gdb_stop_at(d, GDB_STOP_START, focus);
}

/* The changes of a host program stay: the machine would not match the program otherwise. */
void gdb_reset(struct tessera_debugger *d) {
  if (d->grant || !gdb_history_changed(&d->history)) {
    gdb_goto(d, 0);
    return;
  }
  gdb_pass_none(d);
  gdb_arm(d, false);
  bool good = gdb_history_reset(&d->history, &d->machine);
  d->end = GDB_END_TIME;
  d->trail.to = 0;
  d->plain = true;
  gdb_arrive(d);
  gdb_stop_at(d, good ? GDB_STOP_START : GDB_STOP_NO_MEMORY, d->focus);
}
