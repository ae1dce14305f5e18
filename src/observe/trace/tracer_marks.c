/* Marks in the order of their time, and the buffer that they are written to (tracer.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "observe/trace/tracer.h"
#include "sim/format.h"

void obs_tracer_flush(struct obs_tracer *w) {
  if (w->buffered && !w->failed) w->failed = !w->options.write(w->options.context, w->buffer, w->buffered);
  w->buffered = 0;
}

void obs_tracer_put(struct obs_tracer *w, const void *bytes, size_t size) {
  if (size > OBS_TRACE_BUFFER - w->buffered) obs_tracer_flush(w);
  if (size > OBS_TRACE_BUFFER) return; /* no record is that long */
  memcpy(w->buffer + w->buffered, bytes, size);
  w->buffered += (uint32_t)size;
}

void obs_tracer_printf(struct obs_tracer *w, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  size_t n = sim_format_list(text, sizeof text, format, args);
  va_end(args);
  obs_tracer_put(w, text, n < sizeof text ? n : sizeof text - 1);
}

/* Copies what fits; returns its end. */
static char *copy(char *to, const char *end, const char *text) {
  size_t length = strlen(text);
  if (length > (size_t)(end - to)) length = (size_t)(end - to);
  memcpy(to, text, length);
  return to + length;
}

/* Half of the marks have such a name: printf would take longer than all else of a mark. */
size_t obs_mark_name(const struct obs_mark *m, char *text, size_t size) {
  char digits[12], *digit = digits + sizeof digits;
  char *end = text + size - 1, *at = text;
  if (m->waits) at = copy(at, end, "waits: ");
  at = copy(at, end, m->name);
  if (m->number >= 0) {
    uint32_t n = (uint32_t)m->number;
    *--digit = '\0';
    do *--digit = (char)('0' + n % 10u);
    while (n /= 10u);
    *--digit = ' ';
    at = copy(at, end, digit);
  }
  *at = '\0';
  return (size_t)(at - text);
}

uint64_t obs_tracer_flow(const struct obs_tracer *w, uint64_t flow) { return flow | (uint64_t)w->options.part << 48; }

static bool earlier(const struct obs_mark *a, const struct obs_mark *b) {
  return a->at != b->at ? a->at < b->at : a->seq < b->seq;
}

static struct obs_mark take_first(struct obs_tracer *w) {
  struct obs_mark first = w->ahead[0], last = w->ahead[--w->count];
  uint32_t i = 0;
  for (;;) {
    uint32_t child = 2 * i + 1;
    if (child >= w->count) break;
    if (child + 1 < w->count && earlier(&w->ahead[child + 1], &w->ahead[child])) child++;
    if (!earlier(&w->ahead[child], &last)) break;
    w->ahead[i] = w->ahead[child];
    i = child;
  }
  w->ahead[i] = last;
  return first;
}

/* --- the cycles of the trace: slices are cut at its begin and at its end --- */

/* The last of the slices that are open on a track ends. */
static void release(struct obs_before *b, unsigned track) {
  uint32_t i = b->count;
  if (b->lost[track]) {
    b->lost[track]--;
    return;
  }
  while (i > 0 && b->held[i - 1].track != track) i--;
  if (!i) return;
  memmove(&b->held[i - 1], &b->held[i], (b->count - i) * sizeof b->held[0]);
  b->count--;
}

static void hold(struct obs_before *b, const struct obs_mark *m) {
  if (m->type == OBS_MARK_BEGIN && b->count == OBS_HELD_MAX) b->lost[m->track]++;
  else if (m->type == OBS_MARK_BEGIN) b->held[b->count++] = *m;
  else if (m->type == OBS_MARK_END) release(b, m->track);
  if (m->type == OBS_MARK_COUNTER) {
    b->has_value[m->track] = true;
    b->value[m->track] = m->value;
  }
}

/* --- arrows: each that begins in the trace also ends in it, and none ends that has not begun there --- */

#define ARROW_PLACES 16u /* that are searched */

#define OUTSIDE "ends outside the trace"

static struct obs_arrow *arrow_of(struct obs_tracer *w, uint64_t flow) {
  uint32_t at = (uint32_t)(flow * UINT64_C(0x9e3779b97f4a7c15) >> 40);
  for (unsigned i = 0; i < ARROW_PLACES; i++) {
    struct obs_arrow *a = &w->arrows[(at + i) % OBS_ARROWS_MAX];
    if (a->flow == flow) return a;
  }
  return NULL;
}

static bool begin_arrow(struct obs_tracer *w, const struct obs_mark *m) {
  uint32_t at = (uint32_t)(m->flow * UINT64_C(0x9e3779b97f4a7c15) >> 40);
  for (unsigned i = 0; i < ARROW_PLACES; i++) {
    struct obs_arrow *a = &w->arrows[(at + i) % OBS_ARROWS_MAX];
    if (a->flow && !a->ended) continue;
    *a = (struct obs_arrow){.flow = m->flow, .track = m->track};
    return true;
  }
  return false;
}

/* false: an end elsewhere of no arrow of the trace. */
static bool join_arrow(struct obs_tracer *w, struct obs_mark *m) {
  struct obs_arrow *arrow = m->flow_ends ? arrow_of(w, m->flow) : NULL;
  if (m->flow_ends ? !arrow : !begin_arrow(w, m)) m->flow = 0;
  if (m->track != OBS_ELSEWHERE) {
    if (arrow) arrow->ended = true;
    return true;
  }
  if (!arrow || arrow->ended) return false;
  arrow->ended = true;
  m->track = arrow->track; /* whose own event it is not: it has no name of one */
  m->name = OUTSIDE;
  m->number = -1;
  return true;
}

#define MARK_BYTES 8192u /* of the longest mark with the declaration of its track */

/* What is passed on at once consists of whole marks: those of several tracers may go to one file. */
static void put_mark(struct obs_tracer *w, const struct obs_mark *m) {
  w->write_mark(w, m);
  w->last = m->at;
  if (w->buffered > OBS_TRACE_BUFFER - MARK_BYTES) obs_tracer_flush(w);
}

static void begin_with(struct obs_tracer *w, sim_time from) {
  struct obs_before *b = &w->before;
  b->over = true;
  for (uint32_t i = 0; i < b->count; i++) {
    b->held[i].at = from;
    put_mark(w, &b->held[i]);
  }
  for (unsigned track = 0; track < OBS_TRACKS_MAX; track++)
    if (b->has_value[track])
      put_mark(w,
               &(struct obs_mark){
                   .at = from, .type = OBS_MARK_COUNTER, .track = (uint16_t)track, .number = -1, .value = b->value[track]});
}

static bool is_core(const struct obs_tracer *w, unsigned track) {
  return w->t && track >= TX_AGENT_TRISC0 && track <= TX_AGENT_NCRISC;
}

/* After the last cycle only slices of the trace end, with it. */
static bool is_behind(struct obs_tracer *w, struct obs_mark *m) {
  const sim_time to = is_core(w, m->track) && w->cores_to < w->options.to ? w->cores_to : w->options.to;
  if (m->at <= to) return false;
  if (m->type == OBS_MARK_BEGIN) w->behind[m->track]++;
  if (m->type != OBS_MARK_END) return true;
  m->at = to + 1;
  if (!w->behind[m->track]) return false;
  w->behind[m->track]--;
  return true;
}

/* What ends in the first cycle was before it, and what begins there is held with the rest. */
static bool is_before(const struct obs_tracer *w, const struct obs_mark *m) {
  const sim_time from = w->options.from;
  return m->at < from || (m->at == from && from && m->type != OBS_MARK_INSTANT);
}

static void put_inside(struct obs_tracer *w, struct obs_mark m) {
  struct obs_before *b = &w->before;
  if (w->options.format == OBS_TRACE_KANATA) { /* rows of instructions: what the trace has not seen begin is not in it */
    if (m.at > w->options.to && m.type != OBS_MARK_RETIRE) return;
    if (m.at > w->options.to + 1) m.number = 1; /* flushed where the trace ends */
    if (m.at > w->options.to + 1) m.at = w->options.to + 1;
    put_mark(w, &m);
    return;
  }
  if (is_before(w, &m)) {
    hold(b, &m);
    return;
  }
  if (!b->over && m.at > w->options.from) begin_with(w, w->options.from);
  if (b->lost[m.track] && m.type == OBS_MARK_END) {
    b->lost[m.track]--;
    return;
  }
  if (m.flow && m.at <= w->options.to && !join_arrow(w, &m)) return;
  if (!is_behind(w, &m)) put_mark(w, &m);
}

static bool is_narrowed(const struct obs_tracer *w) {
  const uint32_t all = (2u << TX_AGENT_NCRISC) - 1u;
  return w->narrowed || (w->t && (w->options.agents & all) != all);
}

/* Arrows whose end is after the last cycle, or never, end with the trace. */
static void end_arrows(struct obs_tracer *w) {
  for (unsigned i = 0; i < OBS_ARROWS_MAX; i++) {
    const struct obs_arrow *a = &w->arrows[i];
    if (!a->flow || a->ended) continue;
    put_mark(w, &(struct obs_mark){.at = w->last,
                                   .type = OBS_MARK_INSTANT,
                                   .track = a->track,
                                   .name = is_narrowed(w) ? OUTSIDE : "not taken until the end",
                                   .number = -1,
                                   .flow = a->flow,
                                   .flow_ends = true});
  }
}

void obs_tracer_catch_up(struct obs_tracer *w, sim_time until) {
  while (w->count && w->ahead[0].at <= until) put_inside(w, take_first(w));
}

void obs_tracer_mark(struct obs_tracer *w, struct obs_mark mark) {
  mark.seq = w->seq++;
  if (w->t && mark.at < w->last) mark.at = w->last;                      /* more were pending than a tile can have */
  if (w->count == OBS_MARKS_MAX) obs_tracer_catch_up(w, w->ahead[0].at); /* more pending marks than a tile can have */
  uint32_t i = w->count++;
  while (i > 0 && earlier(&mark, &w->ahead[(i - 1) / 2])) {
    w->ahead[i] = w->ahead[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  w->ahead[i] = mark;
}

/* --- slices --- */

void obs_tracer_slice_begins(struct obs_tracer *w, sim_time at, unsigned track, const char *name, int32_t number,
                             bool waits) {
  obs_tracer_mark(
      w, (struct obs_mark){
             .at = at, .type = OBS_MARK_BEGIN, .track = (uint16_t)track, .name = name, .number = number, .waits = waits});
}

void obs_tracer_slice_ends(struct obs_tracer *w, sim_time at, unsigned track) {
  obs_tracer_mark(w, (struct obs_mark){.at = at, .type = OBS_MARK_END, .track = (uint16_t)track, .number = -1});
}

void obs_tracer_slice(struct obs_tracer *w, sim_time from, sim_time to, unsigned track, const char *name, int32_t number,
                      bool waits) {
  obs_tracer_slice_begins(w, from, track, name, number, waits);
  obs_tracer_slice_ends(w, to, track);
}

void obs_tracer_state(struct obs_tracer *w, sim_time at, unsigned track, const char *name, int32_t number, bool waits) {
  if (w->open[track]) obs_tracer_slice_ends(w, at, track);
  w->open[track] = name;
  if (name) obs_tracer_slice_begins(w, at, track, name, number, waits);
}

bool obs_tracer_close(struct obs_tracer *w) {
  if (w->options.format != OBS_TRACE_TEXT) obs_tracer_catch_up(w, SIM_NEVER);
  if (w->options.format == OBS_TRACE_PERFETTO || w->options.format == OBS_TRACE_CHROME) end_arrows(w);
  if (w->options.format == OBS_TRACE_CHROME && !w->options.part) obs_tracer_printf(w, "\n]}\n");
  obs_tracer_flush(w);
  return !w->failed;
}
