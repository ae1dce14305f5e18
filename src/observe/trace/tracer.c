/* The tracer of tracer.h: filter, ordering of future marks, and translation of events into marks. */
#include "observe/trace/tracer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "observe/report/chip_figures.h"
#include "observe/words.h"
#include "sim/format.h"

/* --- writing --- */

/* --- tracks --- */

static void track_name(const void *machine, unsigned track, char *text, size_t size) {
  (void)machine;
  if (track < OBS_TRACK_UNIT) snprintf(text, size, "%s", obs_agent_name(track));
  else if (track < OBS_TRACK_BANK) snprintf(text, size, "%s", obs_unit_name(track - OBS_TRACK_UNIT));
  else if (track < OBS_TRACK_MUTEX)
    snprintf(text, size, "Src%c bank %u", track - OBS_TRACK_BANK < 2 ? 'A' : 'B', (track - OBS_TRACK_BANK) % 2);
  else if (track < OBS_TRACK_ZONE) snprintf(text, size, "mutex %u", track - OBS_TRACK_MUTEX);
  else if (track < OBS_TRACK_SEMAPHORE) snprintf(text, size, "%s zones", tx_core_name(track - OBS_TRACK_ZONE));
  else if (track < OBS_TRACK_BUFFER) snprintf(text, size, "semaphore %s", obs_semaphore_name(track - OBS_TRACK_SEMAPHORE));
  else snprintf(text, size, "CB %u pages", track - OBS_TRACK_BUFFER);
}

static bool track_counts(unsigned track) { return track >= OBS_TRACK_SEMAPHORE; }

static const struct obs_tracks tile_tracks = {"Tensix tile (1 ns is one cycle)", track_name, track_counts};
_Static_assert(OBS_TRACKS <= OBS_TRACKS_MAX, "tracks of a tile");

static obs_mark_fn *writer_of(enum obs_trace_format format) {
  switch (format) {
    case OBS_TRACE_PERFETTO: return obs_perfetto_mark;
    case OBS_TRACE_CHROME: return obs_chrome_mark;
    case OBS_TRACE_KANATA: return obs_kanata_mark;
    case OBS_TRACE_COMPACT: return obs_compact_mark;
    case OBS_TRACE_VCD: return obs_vcd_mark;
    default: return NULL; /* text has no marks */
  }
}

/* --- slices --- */

static int32_t number_of(uint32_t kind, uint32_t object) {
  if (kind == TX_BLOCKED_SEMAPHORE && object) return __builtin_ctz(object);
  return kind == TX_BLOCKED_MUTEX ? (int32_t)object : -1;
}

static void on_block(struct obs_tracer *w, const struct sim_event *e) {
  if (e->agent > TX_AGENT_NCRISC) return;
  if (e->agent >= TX_AGENT_TRISC0) obs_tracer_core_blocks(w, e);
  else obs_tracer_state(w, e->at, e->agent, e->a ? obs_wait_name(e->a) : NULL, number_of(e->a, e->b), e->a != 0);
}

static void on_unit(struct obs_tracer *w, const struct sim_event *e) {
  unsigned unit = e->a & 0xffu, track = OBS_TRACK_UNIT + unit, thread = e->agent % TX_THREADS;
  const char *name = tx_ops[w->word[thread] >> 24].name;
  if (unit >= TX_UNIT_COUNT || !name) return;
  obs_tracer_slice_begins(w, e->at, thread, name, -1, false);
  obs_tracer_slice_ends(w, e->at + 1, thread);
  obs_tracer_slice_begins(w, e->at + (e->a >> 8), track, name, -1, false);
  if (e->b) obs_tracer_slice_ends(w, e->at + e->b, track);
  else w->inside[unit] = 1;
}

static void on_retire(struct obs_tracer *w, const struct sim_event *e) {
  unsigned unit = (unsigned)(e->c & 0xffu);
  if (unit >= TX_UNIT_COUNT || !w->inside[unit]) return;
  w->inside[unit] = 0;
  obs_tracer_slice_ends(w, e->at + (e->c >> 16), OBS_TRACK_UNIT + unit);
}

/* --- counters and arrows --- */

void obs_tracer_count(struct obs_tracer *w, sim_time at, unsigned track, uint64_t value) {
  obs_tracer_mark(
      w, (struct obs_mark){.at = at, .type = OBS_MARK_COUNTER, .track = (uint16_t)track, .number = -1, .value = value});
}

/* Is the thread or core among those of the trace? Other tracks are in every trace. */
static bool shows(const struct obs_tracer *w, unsigned agent) {
  return agent > TX_AGENT_NCRISC || w->options.agents >> agent & 1u;
}

static void arrow(struct obs_tracer *w, const struct sim_event *e, const char *name, unsigned number, uint64_t flow,
                  bool ends) {
  if (e->agent > TX_AGENT_NCRISC) return;
  const bool shown = shows(w, e->agent);
  if (!shown && !ends) return;
  obs_tracer_mark(w, (struct obs_mark){.at = e->at,
                                       .type = OBS_MARK_INSTANT,
                                       .track = shown ? (uint16_t)e->agent : OBS_ELSEWHERE,
                                       .name = name,
                                       .number = (int32_t)number,
                                       .flow = flow,
                                       .flow_ends = ends});
}

static void on_semaphore(struct obs_tracer *w, const struct sim_event *e) {
  unsigned i = e->a % TX_SEMAPHORES;
  uint64_t flow = UINT64_C(1) << 40 | (uint64_t)i << 32;
  if (e->b > w->value[i]) arrow(w, e, "post", i, flow | ++w->posts[i], false);
  else if (e->b < w->value[i] && w->gets[i] < w->posts[i]) arrow(w, e, "get", i, flow | ++w->gets[i], true);
  w->value[i] = e->b;
  obs_tracer_count(w, e->at, OBS_TRACK_SEMAPHORE + i, e->b);
}

static void on_buffer(struct obs_tracer *w, const struct sim_event *e) {
  unsigned i = e->a, side = e->b & 1u;
  if (i >= 32) return;
  uint16_t value = (uint16_t)e->c, added = (uint16_t)(value - w->counter[i][side]);
  w->counter[i][side] = value;
  if (value == 0 || added > 1024) { /* a launch sets both to zero */
    w->pages[i][0] = w->pages[i][1] = 0;
    w->counter[i][0] = w->counter[i][1] = 0;
    added = 0;
  }
  for (uint16_t k = 0; k < added && k < 8; k++) {
    uint64_t flow = UINT64_C(2) << 40 | (uint64_t)i << 32 | (w->pages[i][side] + k + 1u);
    arrow(w, e, side ? "push CB" : "pop CB", i, flow, side == 0);
  }
  w->pages[i][side] += added;
  obs_tracer_count(w, e->at, OBS_TRACK_BUFFER + i, w->pages[i][1] - w->pages[i][0]);
}

/* --- zones --- */

/* Names are stored when their zone first begins; what does not fit is "zone". */
static const char *zone_name(struct obs_tracer *w, uint32_t address) {
  for (uint32_t i = 0; i < w->zone_count; i++)
    if (w->zones[i].address == address) return w->zones[i].name;
  if (w->zone_count == OBS_ZONES) return "zone";
  w->zones[w->zone_count].address = address;
  obs_zone_name(w->t, address, w->zones[w->zone_count].name, OBS_ZONE_NAME);
  return w->zones[w->zone_count++].name;
}

static void on_zone(struct obs_tracer *w, const struct sim_event *e) {
  unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES) return;
  if (e->a) {
    w->zone_depth[core]++;
    obs_tracer_slice_begins(w, e->at, OBS_TRACK_ZONE + core, zone_name(w, e->b), -1, false);
  } else if (w->zone_depth[core]) { /* else it began before the trace */
    w->zone_depth[core]--;
    obs_tracer_slice_ends(w, e->at, OBS_TRACK_ZONE + core);
  }
}

/* --- events --- */

/* What the tile shares has its value from the events of all cores: which of them the trace shows is decided mark by mark. */
static bool is_shared(uint32_t kind) {
  return kind == TX_EVENT_BANK || kind == TX_EVENT_MUTEX || kind == TX_EVENT_SEMAPHORE || kind == TX_EVENT_BUFFER;
}

static bool is_of_core(uint32_t kind) { return kind == TX_EVENT_CORE || kind == TX_EVENT_CORE_WAIT; }
static unsigned core_of(const struct sim_event *e) { return (e->agent - TX_AGENT_TRISC0) % TX_CORES; }

/* The cycles of a core may be before its event. Marks before the first cycle are held: slices that are open there begin with it. Any event may be the first after a core's reset. */
static bool wanted(const struct obs_tracer *w, const struct sim_event *e) {
  bool marks = w->options.format != OBS_TRACE_TEXT && w->options.format != OBS_TRACE_KANATA;
  if (marks && is_of_core(e->kind)) return shows(w, e->agent) && w->cores[core_of(e)].next <= w->options.to;
  if (e->at > w->options.to) return false;
  if (w->options.format == OBS_TRACE_KANATA) return shows(w, e->agent);
  return marks || (e->at >= w->options.from && shows(w, e->agent));
}

static void on_mark_event(struct obs_tracer *w, const struct sim_event *e) {
  if (!shows(w, e->agent) && !is_shared(e->kind)) return;
  switch (e->kind) {
    case TX_EVENT_ISSUE: w->word[e->agent % TX_THREADS] = e->a; break;
    case TX_EVENT_BLOCK: on_block(w, e); break;
    case TX_EVENT_UNIT: on_unit(w, e); break;
    case TX_EVENT_RETIRE: on_retire(w, e); break;
    case TX_EVENT_BANK:
      obs_tracer_state(w, e->at, OBS_TRACK_BANK + 2 * (e->a & 1u) + (e->b & 1u), e->c ? "matrix unit" : "unpackers", -1,
                       false);
      break;
    case TX_EVENT_MUTEX:
      obs_tracer_state(w, e->at, OBS_TRACK_MUTEX + e->a % TX_MUTEXES, e->b == TX_MUTEX_FREE ? NULL : obs_agent_name(e->b),
                       -1, false);
      break;
    case TX_EVENT_SEMAPHORE: on_semaphore(w, e); break;
    case TX_EVENT_BUFFER: on_buffer(w, e); break;
    case TX_EVENT_ZONE: on_zone(w, e); break;
    default: break;
  }
}

/* A core has stopped at a failed check: the other cores go on until the run notices it, but the account and the trace end there. What is
 * later has not been written: marks wait for the cycles of every core that runs. */
static void end_at_failure(struct obs_tracer *w) {
  const struct tx_core *c = w->t->core;
  _Static_assert(TX_CORES == 5 && TX_CORE_EBREAK < 4, "two bits per core");
  const uint32_t stopped = c[0].state | c[1].state << 2 | c[2].state << 4 | c[3].state << 6 | c[4].state << 8;
  sim_time at;
  if (__builtin_expect(stopped == w->stopped, 1)) return;
  w->stopped = stopped;
  if (w->options.program && dbg_program_failed_at(w->options.program, w->t, &at) && at < w->options.to) w->options.to = at;
}

static void on_event(void *context, const struct sim_event *e) {
  struct obs_tracer *w = context;
  end_at_failure(w);
  if (!wanted(w, e)) return;
  if (w->options.format == OBS_TRACE_TEXT) {
    char line[512];
    if (e->kind == TX_EVENT_CORE_WAIT && e->a != TX_BLOCKED_ADDRESS) return; /* the gap between two lines shows it */
    size_t n = obs_trace_line(w->t, e, &w->seen, line, sizeof line - 1);
    if (n > sizeof line - 2) n = sizeof line - 2;
    line[n] = '\n';
    obs_tracer_put(w, line, n + 1);
    return;
  }
  if (w->options.format == OBS_TRACE_KANATA) {
    obs_tracer_catch_up(w, e->at - 1);
    obs_kanata_event(w, e);
  } else if (is_of_core(e->kind)) {
    obs_tracer_core(w, e);
    if (w->count > OBS_MARKS_MAX / 4) obs_tracer_catch_up(w, obs_tracer_cores_until(w, w->t->engine.now) - 1);
  } else {
    obs_tracer_catch_up(w, obs_tracer_cores_until(w, e->at) - 1);
    on_mark_event(w, e);
  }
}

static uint32_t events_of(enum obs_trace_format format) {
  const uint32_t units = 1u << TX_EVENT_ISSUE | 1u << TX_EVENT_BLOCK | 1u << TX_EVENT_UNIT | 1u << TX_EVENT_RETIRE;
  const uint32_t things = 1u << TX_EVENT_BANK | 1u << TX_EVENT_SEMAPHORE | 1u << TX_EVENT_MUTEX | 1u << TX_EVENT_BUFFER;
  const uint32_t zones = 1u << TX_EVENT_ZONE;
  const uint32_t cores = 1u << TX_EVENT_CORE | 1u << TX_EVENT_CORE_WAIT;
  if (format == OBS_TRACE_TEXT) return 1u << TX_EVENT_ISSUE | cores | 1u << TX_EVENT_FINDING | things | zones;
  if (format == OBS_TRACE_KANATA) return units;
  return units | things | zones | cores;
}

void obs_tracer_open(struct obs_tracer *w, const struct obs_trace_options *options, const struct obs_tracks *tracks,
                     const void *machine) {
  memset(w, 0, sizeof *w);
  w->options = *options;
  w->write_mark = writer_of(options->format);
  w->tracks = tracks;
  w->machine = machine;
  w->first = true;
  w->cores_to = SIM_NEVER;
  w->narrowed = options->to < SIM_NEVER - 1;
  if (options->format != OBS_TRACE_CHROME) return;
  if (options->part) {
    w->first = false;
    obs_tracer_printf(w, ",\n{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":%u,\"args\":{\"name\":\"%s\"}}",
                      options->part + 1, options->title);
  } else obs_tracer_printf(w, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
}

bool obs_tracer_begin(struct obs_tracer *w, struct tx_tile *t, const struct obs_trace_options *options) {
  obs_tracer_open(w, options, &tile_tracks, t);
  w->t = t;
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) w->value[i] = t->sync.sem[i].value;
  for (unsigned core = 0; core < TX_CORES; core++) {
    w->cores[core].next = t->engine.now + 1;
    w->cores[core].asks = t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind != 0;
  }
  w->sink = sim_log_attach(&t->unsaved.log, on_event, w, events_of(options->format));
  if (options->format != OBS_TRACE_TEXT && options->format != OBS_TRACE_KANATA)
    sim_log_accept_early(&t->unsaved.log, w->sink);
  return w->sink >= 0;
}

/* The clock of a chip goes on to the end of its slice. */
static sim_time end_of_tile(const struct tx_tile *t) {
  sim_time end = obs_chip_tile_end(t);
  return end && end < t->engine.now ? end : t->engine.now;
}

bool obs_tracer_end(struct obs_tracer *w, sim_time stop) {
  end_at_failure(w);
  sim_time end = end_of_tile(w->t), last = end < stop ? end : stop, at = last < w->options.to ? last + 1 : w->options.to + 1;
  if (at < w->last) at = w->last;
  sim_log_detach(&w->t->unsaved.log, w->sink);
  if (w->options.format != OBS_TRACE_TEXT) {
    if (w->options.format != OBS_TRACE_KANATA) obs_tracer_cores_end(w, at);
    w->cores_to = at - 1;
    obs_tracer_catch_up(w, SIM_NEVER);
    if (w->last > at) at = w->last;
    for (unsigned track = 0; track < OBS_TRACKS; track++) {
      bool inside = track >= OBS_TRACK_UNIT && track < OBS_TRACK_BANK && w->inside[track - OBS_TRACK_UNIT];
      if (w->options.format != OBS_TRACE_KANATA && (w->open[track] || inside)) obs_tracer_slice_ends(w, at, track);
    }
    if (w->options.format == OBS_TRACE_KANATA) obs_kanata_end(w, at);
    for (unsigned core = 0; core < TX_CORES; core++)
      for (; w->zone_depth[core]; w->zone_depth[core]--) obs_tracer_slice_ends(w, at, OBS_TRACK_ZONE + core);
  }
  return obs_tracer_close(w);
}
