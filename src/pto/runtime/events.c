/* See events.h. */
#include "pto/runtime/events.h"

#include <stddef.h>

static const struct pto_event_row rows[PTO_EVENTS] = {
#define PTO_EVENT(kind, name, track, form, agent, a, b, c, meaning) \
  [PTO_EV_##kind] = {name, PTO_TRACK_##track, PTO_FORM_##form, agent, a, b, c, meaning},
#include "pto/runtime/events.def"
#undef PTO_EVENT
};

const struct pto_event_row *pto_event_row(unsigned kind) { return kind < PTO_EVENTS ? &rows[kind] : NULL; }
