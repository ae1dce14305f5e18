/* The event log. With no sink attached a call costs one test of a mask.
 *
 * Sinks are functions plus a context and live in the unsaved part of a machine. A sink receives events in the order of their times;
 * times never decrease within one machine. A sink that accepts early events may receive those of an agent that runs ahead of
 * the machine: their times never decrease within one agent. */
#ifndef TESSERA_SIM_LOG_H
#define TESSERA_SIM_LOG_H

#include <stdint.h>

#include "sim/time.h"

struct sim_event {
  sim_time at;
  uint32_t kind; /* bit number, 0..31; the machine's numbering */
  uint32_t agent;
  uint32_t a, b;
  uint64_t c;
};

typedef void sim_sink_fn(void *context, const struct sim_event *event);

#define SIM_SINKS_MAX 8u

struct sim_log {
  uint32_t mask;    /* union of the sinks' masks and `kept`: the only field that the hot path reads */
  uint32_t ordered; /* kinds that the machine or a sink needs in the order of time */
  uint32_t kept;    /* kinds that the machine itself needs */
  uint32_t count;
  uint32_t first; /* the first sink that is attached: often the only one */
  sim_time floor; /* events have at least this time: that of the machine, while an agent acts that is behind */
  struct {
    sim_sink_fn *fn;
    void *context;
    uint32_t mask;
    uint32_t early;
  } sinks[SIM_SINKS_MAX];
};

/* Returns a handle >= 0, or -1 if SIM_SINKS_MAX are attached. */
int sim_log_attach(struct sim_log *log, sim_sink_fn *fn, void *context, uint32_t mask);
/* Another function for the rest of the events; it may be called by the old one. */
void sim_log_replace(struct sim_log *log, int handle, sim_sink_fn *fn, void *context);
void sim_log_accept_early(struct sim_log *log, int handle);
void sim_log_detach(struct sim_log *log, int handle);
void sim_log_keep(struct sim_log *log, uint32_t mask);
void sim_log_emit(struct sim_log *log, const struct sim_event *event);
/* The same without a call in between where there is one sink, as with the checkers alone. */
static inline void sim_log_give(struct sim_log *log, const struct sim_event *event) {
  if (log->count != 1 || event->at < log->floor) sim_log_emit(log, event);
  else if (log->sinks[log->first].mask >> (event->kind & 31u) & 1u)
    log->sinks[log->first].fn(log->sinks[log->first].context, event);
}

static inline int sim_log_wants(const struct sim_log *log, uint32_t kind) { return (int)((log->mask >> kind) & 1u); }

#endif
