/* Marks as the events of Chrome's JSON trace format ("Trace Event Format", JSON Object Format). */
#include <stdio.h>

#include "observe/tracer.h"

static void separate(struct obs_tracer *w) {
  obs_tracer_printf(w, w->first ? "\n" : ",\n");
  w->first = false;
}

static void declare(struct obs_tracer *w, unsigned track) {
  char name[64];
  if (w->declared[track] || w->tracks->counts(track)) return;
  w->declared[track] = true;
  w->tracks->name(w->machine, track, name, sizeof name);
  separate(w);
  obs_tracer_printf(w, "{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
                    w->options.part + 1, track, name);
}

/* Names are mnemonics and identifiers of this project: they need no escapes. */
void obs_chrome_mark(struct obs_tracer *w, const struct obs_mark *m) {
  static const char phases[] = {'B', 'E', 'i', 'C'};
  char name[64];
  declare(w, m->track);
  separate(w);
  obs_tracer_printf(w, "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%llu", phases[m->type], w->options.part + 1, m->track,
                    (unsigned long long)m->at);
  if (m->type == OBS_MARK_COUNTER) {
    w->tracks->name(w->machine, m->track, name, sizeof name);
    obs_tracer_printf(w, ",\"name\":\"%s\",\"args\":{\"value\":%llu}", name, (unsigned long long)m->value);
  } else if (m->name) {
    obs_mark_name(m, name, sizeof name);
    obs_tracer_printf(w, ",\"name\":\"%s\"", name);
  }
  if (m->type == OBS_MARK_INSTANT) obs_tracer_printf(w, ",\"s\":\"t\"");
  obs_tracer_printf(w, "}");
  if (!m->flow) return;
  separate(w);
  obs_tracer_printf(w,
                    "{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"id\":\"%llx\",\"name\":\"flow\",\"cat\":\"flow\"%s}",
                    m->flow_ends ? 'f' : 's', w->options.part + 1, m->track, (unsigned long long)m->at,
                    (unsigned long long)obs_tracer_flow(w, m->flow), m->flow_ends ? ",\"bp\":\"e\"" : "");
}
