/* The event log: up to SIM_SINKS_MAX sinks, each with a mask of the kinds it wants. */
#include "sim/log.h"

#include <string.h>

#include "sim/assert.h"

static void update_mask(struct sim_log *log) {
  log->mask = log->ordered = log->kept;
  log->count = 0;
  for (unsigned i = 0; i < SIM_SINKS_MAX; i++) {
    if (!log->sinks[i].fn) continue;
    log->mask |= log->sinks[i].mask;
    if (!log->sinks[i].early) log->ordered |= log->sinks[i].mask;
    if (!log->count++) log->first = i;
  }
}

int sim_log_attach(struct sim_log *log, sim_sink_fn *fn, void *context, uint32_t mask) {
  sim_assert(fn != NULL);
  for (unsigned i = 0; i < SIM_SINKS_MAX; i++) {
    if (log->sinks[i].fn) continue;
    log->sinks[i].fn = fn;
    log->sinks[i].context = context;
    log->sinks[i].mask = mask;
    update_mask(log);
    return (int)i;
  }
  return -1;
}

void sim_log_replace(struct sim_log *log, int handle, sim_sink_fn *fn, void *context) {
  if (handle < 0 || (unsigned)handle >= SIM_SINKS_MAX || !log->sinks[handle].fn) return;
  log->sinks[handle].fn = fn;
  log->sinks[handle].context = context;
}

void sim_log_accept_early(struct sim_log *log, int handle) {
  if (handle < 0 || (unsigned)handle >= SIM_SINKS_MAX) return;
  log->sinks[handle].early = 1;
  update_mask(log);
}

void sim_log_detach(struct sim_log *log, int handle) {
  if (handle < 0 || (unsigned)handle >= SIM_SINKS_MAX) return;
  memset(&log->sinks[handle], 0, sizeof log->sinks[handle]);
  update_mask(log);
}

void sim_log_keep(struct sim_log *log, uint32_t mask) {
  log->kept = mask;
  update_mask(log);
}

void sim_log_emit(struct sim_log *log, const struct sim_event *event) {
  sim_assert(event->kind < 32 && log->count <= SIM_SINKS_MAX);
  uint32_t bit = UINT32_C(1) << (event->kind & 31u);
  struct sim_event late;
  if (!(log->mask & bit)) return;
  if (event->at < log->floor) {
    late = *event;
    late.at = log->floor;
    event = &late;
  }
  if (log->count == 1) { /* a profile, or a trace */
    if (log->sinks[log->first].mask & bit) log->sinks[log->first].fn(log->sinks[log->first].context, event);
    return;
  }
  for (unsigned i = log->first, left = log->count; left && i < SIM_SINKS_MAX; i++) {
    if (!log->sinks[i].fn) continue;
    left--;
    if (log->sinks[i].mask & bit) log->sinks[i].fn(log->sinks[i].context, event);
  }
}
