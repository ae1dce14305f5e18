/* Marks as a value change dump (IEEE 1364-2005, clause 18) for waveform viewers. One cycle is 1 ns.
 *
 * Counters are integers of 32 bits. The activity of a core, thread, unit, bank or mutex is a string, a type that GTKWave
 * added to the format; "" is idle. A slice inside another one hides it until it ends. */
#include <stdio.h>
#include <string.h>

#include "observe/trace/tracer.h"

/* An identifier of printable characters: base 94 from '!' on. */
static const char *identifier(unsigned track, char text[4]) {
  unsigned n = 0;
  do text[n++] = (char)('!' + track % 94);
  while ((track /= 94) != 0);
  text[n] = '\0';
  return text;
}

/* Makes a single word: white space separates fields in the format. */
static void as_word(char *text) {
  for (; *text; text++)
    if (*text == ' ') *text = '_';
}

static void put_header(struct obs_tracer *w) {
  char name[64], id[4];
  obs_tracer_printf(w, "$timescale 1 ns $end\n$scope module tile $end\n");
  for (unsigned track = 0; track < OBS_TRACKS; track++) {
    w->tracks->name(w->machine, track, name, sizeof name);
    as_word(name);
    obs_tracer_printf(w, "$var %s %s %s $end\n", w->tracks->counts(track) ? "integer 32" : "string 1", identifier(track, id),
                      name);
  }
  obs_tracer_printf(w, "$upscope $end\n$enddefinitions $end\n");
  w->first = false;
}

static void put_text(struct obs_tracer *w, unsigned track, const char *text) {
  char id[4];
  obs_tracer_printf(w, "s%s %s\n", text, identifier(track, id));
}

static void put_number(struct obs_tracer *w, unsigned track, uint64_t value) {
  char bits[65], id[4];
  unsigned n = 0, width = 32;
  while (width > 1 && !(value >> (width - 1) & 1u)) width--;
  while (width--) bits[n++] = (char)('0' + (value >> width & 1u));
  bits[n] = '\0';
  obs_tracer_printf(w, "b%s %s\n", bits, identifier(track, id));
}

static void put_slice(struct obs_tracer *w, const struct obs_mark *m) {
  char name[OBS_ZONE_NAME + 8];
  obs_mark_name(m, name, sizeof name);
  as_word(name);
  put_text(w, m->track, name);
}

static void begin(struct obs_tracer *w, const struct obs_mark *m) {
  uint32_t depth = w->vcd[m->track].depth++;
  if (depth < OBS_VCD_DEPTH) w->vcd[m->track].open[depth] = *m;
  put_slice(w, m);
}

/* The slice around the one that ends is shown again. */
static void end(struct obs_tracer *w, unsigned track) {
  uint32_t depth = w->vcd[track].depth ? --w->vcd[track].depth : 0;
  if (depth > OBS_VCD_DEPTH) depth = OBS_VCD_DEPTH;
  if (depth) put_slice(w, &w->vcd[track].open[depth - 1]);
  else put_text(w, track, "");
}

void obs_vcd_mark(struct obs_tracer *w, const struct obs_mark *m) {
  bool first = w->first;
  if (first) put_header(w);
  if (first || m->at > w->last) obs_tracer_printf(w, "#%llu\n", (unsigned long long)m->at);
  if (m->type == OBS_MARK_COUNTER) put_number(w, m->track, m->value);
  else if (m->type == OBS_MARK_BEGIN) begin(w, m);
  else if (m->type == OBS_MARK_END) end(w, m->track);
}
