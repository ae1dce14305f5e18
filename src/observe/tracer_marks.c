/* Marks in the order of their time, and the buffer that they are written to (tracer.h). */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "observe/tracer.h"
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

void obs_mark_name(const struct obs_mark *m, char *text, size_t size) {
  const char *before = m->waits ? "waits: " : "";
  if (m->number >= 0) snprintf(text, size, "%s%s %d", before, m->name, (int)m->number);
  else snprintf(text, size, "%s%s", before, m->name);
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

void obs_tracer_catch_up(struct obs_tracer *w, sim_time until) {
  while (w->count && w->ahead[0].at <= until) {
    struct obs_mark m = take_first(w);
    w->write_mark(w, &m);
    w->last = m.at;
  }
}

void obs_tracer_mark(struct obs_tracer *w, struct obs_mark mark) {
  mark.seq = w->seq++;
  if (w->count == OBS_MARKS_MAX) obs_tracer_catch_up(w, w->ahead[0].at); /* more pending marks than a tile can have */
  uint32_t i = w->count++;
  while (i > 0 && earlier(&mark, &w->ahead[(i - 1) / 2])) {
    w->ahead[i] = w->ahead[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  w->ahead[i] = mark;
}

bool obs_tracer_close(struct obs_tracer *w) {
  if (w->options.format != OBS_TRACE_TEXT) obs_tracer_catch_up(w, SIM_NEVER);
  if (w->options.format == OBS_TRACE_CHROME && !w->options.part) obs_tracer_printf(w, "\n]}\n");
  obs_tracer_flush(w);
  return !w->failed;
}
