/* Marks as short lines of text, which the HTML report reads: one mark per line, times as differences.
 *
 *   T <track> <name>            a track, before its first mark
 *   N <number> <name>           a name, before its first use
 *   B <track> <dt> <name>       a slice begins        E <track> <dt>           the innermost slice of the track ends
 *   I <track> <dt> <name>       an instant            C <track> <dt> <value>   a counter has this value from here on
 *   A <track> <id> <ends>       an arrow begins (0) or ends (1) at the mark before */
#include <stdio.h>
#include <string.h>

#include "observe/trace/tracer.h"

static uint32_t name_number(struct obs_tracer *w, const struct obs_mark *m) {
  char text[OBS_ZONE_NAME + 8];
  for (uint32_t i = 0; i < w->name_count; i++)
    if (w->names[i].name == m->name && w->names[i].number == m->number && w->names[i].waits == m->waits) return i;
  if (w->name_count == OBS_TRACE_NAMES) return OBS_TRACE_NAMES - 1; /* "others" */
  uint32_t i = w->name_count++;
  if (w->name_count == OBS_TRACE_NAMES) {
    obs_tracer_printf(w, "N %u others\n", i);
    return i;
  }
  w->names[i].name = m->name;
  w->names[i].number = m->number;
  w->names[i].waits = m->waits;
  obs_mark_name(m, text, sizeof text);
  obs_tracer_printf(w, "N %u %s\n", i, text);
  return i;
}

void obs_compact_mark(struct obs_tracer *w, const struct obs_mark *m) {
  static const char letters[] = {'B', 'E', 'I', 'C'};
  char track[64];
  if (!w->declared[m->track]) {
    w->tracks->name(w->machine, m->track, track, sizeof track);
    obs_tracer_printf(w, "T %u %s\n", m->track, track);
    w->declared[m->track] = true;
  }
  uint32_t name = m->name ? name_number(w, m) : 0;
  long long dt = w->first ? (long long)m->at : (long long)(m->at - w->last);
  w->first = false;
  if (m->type == OBS_MARK_END) obs_tracer_printf(w, "E %u %lld\n", m->track, dt);
  else
    obs_tracer_printf(w, "%c %u %lld %llu\n", letters[m->type], m->track, dt,
                      m->type == OBS_MARK_COUNTER ? (unsigned long long)m->value : name);
  if (m->flow) obs_tracer_printf(w, "A %u %llx %u\n", m->track, (unsigned long long)m->flow, m->flow_ends ? 1u : 0u);
}
