/* Events of a run as data: events.def. */
#ifndef TESSERA_PTO_RUNTIME_EVENTS_H
#define TESSERA_PTO_RUNTIME_EVENTS_H

enum pto_event_kind {
#define PTO_EVENT(kind, name, track, form, agent, a, b, c, meaning) PTO_EV_##kind,
#include "pto/runtime/events.def"
#undef PTO_EVENT
  PTO_EVENTS
};
enum pto_event_track { PTO_TRACK_PIPE, PTO_TRACK_FLAG, PTO_TRACK_FIFO };
enum pto_event_form { PTO_FORM_SPAN, PTO_FORM_COUNTER, PTO_FORM_FLOW, PTO_FORM_INSTANT };

struct pto_event_row {
  const char *name;
  enum pto_event_track track;
  enum pto_event_form form;
  const char *agent, *a, *b, *c, *meaning;
};
const struct pto_event_row *pto_event_row(unsigned kind); /* NULL: no such kind */

/* Field a of a SLOT event. */
#define PTO_SLOT_FIELD(pipe, direction, mark) ((unsigned)(pipe) << 8 | (unsigned)(direction) << 4 | (unsigned)(mark))

#endif
