/* The tracer of pto/tracer.h: translates events into marks. */
#include "observe/pto/tracer.h"

#include <stdio.h>
#include <string.h>

#include "observe/pto/hang.h"
#include "pto/runtime/events.h"
#include "pto/runtime/finding.h"

enum pto_track {
  TRACK_PIPE = 0,          /* +agent */
  TRACK_SLOT = PTO_AGENTS, /* +((pipe * directions) + direction) * slots + slot */
  TRACK_FIFO = TRACK_SLOT + PTO_PIPES_MAX * PTO_DIRECTIONS * PTO_SLOTS_MAX, /* +pipe * directions + direction: a counter */
  TRACK_FLAG = TRACK_FIFO + PTO_PIPES_MAX * PTO_DIRECTIONS,                 /* +core * flags + flag: a counter */
  TRACKS = TRACK_FLAG + PTO_CORES * PTO_FLAGS
};
_Static_assert((unsigned)TRACKS <= OBS_TRACKS_MAX, "tracks of a block");

static const char *direction_name(unsigned direction) { return direction == PTO_DIRECTION_C2V ? "C2V" : "V2C"; }

/* --- tracks --- */

static void track_name(const void *machine, unsigned track, char *text, size_t size) {
  const struct pto_machine *m = machine;
  if (track < TRACK_SLOT) {
    snprintf(text, size, "%s %s", pto_core_name(track / PTO_UNITS), pto_unit_name(track % PTO_UNITS));
  } else if (track < TRACK_FIFO) {
    unsigned slot = (track - TRACK_SLOT) % PTO_SLOTS_MAX, direction = (track - TRACK_SLOT) / PTO_SLOTS_MAX;
    snprintf(text, size, "%s %s slot %u", m->program->pipes[direction / PTO_DIRECTIONS].name,
             direction_name(direction % PTO_DIRECTIONS), slot);
  } else if (track < TRACK_FLAG) {
    unsigned direction = track - TRACK_FIFO;
    snprintf(text, size, "%s %s slots in use", m->program->pipes[direction / PTO_DIRECTIONS].name,
             direction_name(direction % PTO_DIRECTIONS));
  } else {
    snprintf(text, size, "%s flag %u", pto_core_name((track - TRACK_FLAG) / PTO_FLAGS), (track - TRACK_FLAG) % PTO_FLAGS);
  }
}

static bool track_counts(unsigned track) { return track >= TRACK_FIFO; }

static const struct obs_tracks block_tracks = {"PTO (1 ns is one cycle)", track_name, track_counts};

/* --- events as marks --- */

static const struct pto_instr *instr_of(const struct pto_machine *m, const struct sim_event *e) {
  return pto_instr_at(m, e->agent / PTO_UNITS, e->a);
}

/* The awaited flag; -1: another kind of wait. */
static int32_t flag_of(unsigned kind, uint32_t object) { return kind == PTO_WAIT_FLAG ? (int32_t)(object % PTO_FLAGS) : -1; }

/* All events before this cycle have been written. */
static sim_time settled(const struct pto_machine *m) {
  sim_time first = m->engine.now;
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (m->engine_id[agent] == PTO_NO_ENGINE_ID) continue;
    const struct sim_wait *wait = &m->engine.agents[m->engine_id[agent]].wait;
    if (m->queues[agent].running && m->queues[agent].begin < first) first = m->queues[agent].begin;
    if (wait->kind && wait->since < first) first = wait->since;
  }
  return first;
}

static void arrow(struct obs_pto_tracer *w, const struct sim_event *e, unsigned lane, bool ends) {
  uint64_t flow = UINT64_C(1) << 63 | (uint64_t)(w->m->dispatch & (w->m->blocks > 1 ? 0xffu : 0xffffu)) << 40 |
                  (uint64_t)(e->a >> 4) << 24 | (uint64_t)lane << 22 | ((e->c + 1) & 0x3fffffu);
  obs_tracer_mark(&w->out, (struct obs_mark){.at = e->at,
                                             .type = OBS_MARK_INSTANT,
                                             .track = (uint16_t)e->agent,
                                             .name = ends ? "pop" : "push",
                                             .number = -1,
                                             .flow = flow,
                                             .flow_ends = ends});
}

/* An arrow goes from the push of a tile to its pop. Two Vectors that push halves of one tile start an arrow each, and the Cube's pop ends
 * both; two Vectors that pop one tile of the Cube both end its arrow. */
static void add_arrows(struct obs_pto_tracer *w, const struct sim_event *e, uint8_t *pushed) {
  unsigned core = e->agent / PTO_UNITS, lane = core == PTO_AIC ? 0 : core - PTO_AIV0;
  bool up = (e->a >> 4 & 15u) == PTO_DIRECTION_V2C;
  if ((e->a & 15u) == PTO_BEGIN_WRITE) {
    *pushed |= (uint8_t)(1u << lane);
    arrow(w, e, lane, false);
    return;
  }
  for (unsigned from = 0; from < 2; from++)
    if (*pushed >> from & 1u) arrow(w, e, from, true);
  if (up) *pushed = 0;
}

static void on_slot(struct obs_pto_tracer *w, const struct sim_event *e) {
  unsigned pipe = e->a >> 8, direction = e->a >> 4 & 15u, mark = e->a & 15u, slot = e->b;
  if (pipe >= PTO_PIPES_MAX || direction >= PTO_DIRECTIONS || slot >= PTO_SLOTS_MAX) return;
  unsigned track = TRACK_SLOT + (pipe * PTO_DIRECTIONS + direction) * PTO_SLOTS_MAX + slot;
  uint8_t *readers = &w->readers[pipe][direction][slot], *pushed = &w->pushed[pipe][direction][slot];
  if (mark == PTO_BEGIN_WRITE && direction == PTO_DIRECTION_C2V) *pushed = 0;
  if (mark == PTO_BEGIN_WRITE) *readers = 0;
  if (mark == PTO_BEGIN_READ) ++*readers;
  if (mark == PTO_END_READ && *readers) --*readers;
  if (mark == PTO_BEGIN_WRITE) obs_tracer_state(&w->out, e->at, track, "push, tile", (int32_t)e->c, false);
  else if (mark == PTO_END_WRITE) obs_tracer_state(&w->out, e->at, track, "tile", (int32_t)e->c, false);
  else if (mark == PTO_BEGIN_READ) obs_tracer_state(&w->out, e->at, track, "pop, tile", (int32_t)e->c, false);
  else if (!*readers) obs_tracer_state(&w->out, e->at, track, NULL, -1, false);
  if (mark == PTO_BEGIN_WRITE || mark == PTO_BEGIN_READ) add_arrows(w, e, pushed);
}

static void on_finding(struct obs_pto_tracer *w, const struct sim_event *e) {
  obs_tracer_mark(&w->out, (struct obs_mark){.at = e->at,
                                             .type = OBS_MARK_INSTANT,
                                             .track = (uint16_t)(TRACK_PIPE + e->agent * PTO_UNITS),
                                             .name = pto_finding_name(e->a),
                                             .number = -1});
}

static void on_mark_event(struct obs_pto_tracer *w, const struct sim_event *e) {
  switch (e->kind) {
    case PTO_EV_WORK: obs_tracer_slice(&w->out, e->c, e->at, e->agent, pto_op_name(instr_of(w->m, e)->op), -1, false); break;
    case PTO_EV_WAIT:
      obs_tracer_slice(&w->out, e->c, e->at, e->agent, obs_pto_wait_name(e->a), flag_of(e->a, e->b), true);
      break;
    case PTO_EV_FLAG: obs_tracer_count(&w->out, e->at, TRACK_FLAG + e->agent * PTO_FLAGS + e->a, e->b); break;
    case PTO_EV_OCCUPANCY: obs_tracer_count(&w->out, e->at, TRACK_FIFO + e->agent * PTO_DIRECTIONS + e->a, e->b); break;
    case PTO_EV_SLOT: on_slot(w, e); break;
    case PTO_EV_FINDING: on_finding(w, e); break;
    default: break;
  }
}

/* --- events as text --- */

static int line_of_slot(const struct pto_machine *m, const struct sim_event *e, char *line, size_t size) {
  unsigned mark = e->a & 15u;
  const char *what = mark == PTO_BEGIN_WRITE  ? "push begins"
                     : mark == PTO_END_WRITE  ? "push ends"
                     : mark == PTO_BEGIN_READ ? "pop begins"
                                              : "pop ends";
  return snprintf(line, size, "%s %s slot %u: %s, tile %llu", m->program->pipes[e->a >> 8].name,
                  direction_name(e->a >> 4 & 15u), e->b, what, (unsigned long long)e->c);
}

static size_t event_line(const struct pto_machine *m, const struct sim_event *e, char *line, size_t size) {
  char who[32] = "", what[160] = "", block[24] = "";
  if (m->blocks > 1) snprintf(block, sizeof block, "block %-3u  ", m->block);
  bool of_pipe = e->kind == PTO_EV_WORK || e->kind == PTO_EV_WAIT || e->kind == PTO_EV_SLOT;
  if (of_pipe) snprintf(who, sizeof who, "%s %s", pto_core_name(e->agent / PTO_UNITS), pto_unit_name(e->agent % PTO_UNITS));
  else if (e->kind != PTO_EV_OCCUPANCY) snprintf(who, sizeof who, "%s", pto_core_name(e->agent));
  unsigned long long span = (unsigned long long)(e->at - e->c);
  switch (e->kind) {
    case PTO_EV_WORK:
      snprintf(what, sizeof what, "%s, line %u, tile %u, %llu cycles", pto_op_name(instr_of(m, e)->op), instr_of(m, e)->line,
               e->b, span);
      break;
    case PTO_EV_WAIT:
      if (e->a == PTO_WAIT_FLAG) snprintf(what, sizeof what, "waited for flag %u, %llu cycles", e->b % PTO_FLAGS, span);
      else snprintf(what, sizeof what, "waited for %s, %llu cycles", obs_pto_wait_name(e->a), span);
      break;
    case PTO_EV_FLAG: snprintf(what, sizeof what, "flag %u = %u, line %llu", e->a, e->b, (unsigned long long)e->c); break;
    case PTO_EV_OCCUPANCY:
      snprintf(what, sizeof what, "%s %s: %u slots in use", m->program->pipes[e->agent].name, direction_name(e->a), e->b);
      break;
    case PTO_EV_SLOT: line_of_slot(m, e, what, sizeof what); break;
    default:
      snprintf(what, sizeof what, "finding: %s, line %u, tile %llu", pto_finding_name(e->a), e->b, (unsigned long long)e->c);
  }
  int n = snprintf(line, size, "%10llu  %s%-9s  %s", (unsigned long long)e->at, block, who, what);
  return n > 0 ? (size_t)n : 0;
}

/* --- the run --- */

static void on_event(void *context, const struct sim_event *e) {
  struct obs_pto_tracer *w = context;
  if (w->out.options.format == OBS_TRACE_TEXT) {
    if (e->at < w->out.options.from || e->at > w->out.options.to) return;
    char line[256];
    size_t n = event_line(w->m, e, line, sizeof line - 1);
    if (n > sizeof line - 2) n = sizeof line - 2;
    line[n] = '\n';
    obs_tracer_put(&w->out, line, n + 1);
    if (w->m->blocks > 1) obs_tracer_flush(&w->out); /* the lines of all blocks are in the order of time */
    return;
  }
  on_mark_event(w, e); /* also outside the trace's cycles: what is open at their begin or end is cut there */
  sim_time safe = settled(w->m);
  if (safe) obs_tracer_catch_up(&w->out, safe - 1);
}

bool obs_pto_tracer_begin(struct obs_pto_tracer *w, struct pto_machine *m, const struct obs_trace_options *options) {
  memset(w, 0, sizeof *w);
  obs_tracer_open(&w->out, options, &block_tracks, m);
  w->m = m;
  w->sink = sim_log_attach(&m->log, on_event, w, (1u << PTO_EVENTS) - 1);
  return w->sink >= 0;
}

/* A run that ends in a deadlock: extends the waits to its end. */
static void close_waits(struct obs_pto_tracer *w) {
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (w->m->engine_id[agent] == PTO_NO_ENGINE_ID) continue;
    const struct sim_wait *wait = &w->m->engine.agents[w->m->engine_id[agent]].wait;
    if (!wait->kind) continue;
    obs_tracer_slice(&w->out, wait->since, w->m->engine.now, agent, obs_pto_wait_name(wait->kind),
                     flag_of(wait->kind, wait->object), true);
  }
}

bool obs_pto_tracer_end(struct obs_pto_tracer *w) {
  sim_log_detach(&w->m->log, w->sink);
  if (w->out.options.format != OBS_TRACE_TEXT) {
    close_waits(w);
    for (unsigned track = TRACK_SLOT; track < TRACK_FIFO; track++)
      if (w->out.open[track]) obs_tracer_state(&w->out, w->m->engine.now, track, NULL, -1, false);
  }
  return obs_tracer_close(&w->out);
}
