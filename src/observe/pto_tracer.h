/* Traces of PTO programs: the events of one block (src/pto/runtime/events.def) in the formats of tracer.h, all but Kanata.
 *
 * A track per pipe of a core with what it does and waits for, one per slot of a FIFO with the tile that is in it, counters of flags and of
 * slots in use; an arrow from each push of a tile to its pop. Work and waits are known when they end: marks are held back until nothing
 * that is under way began before them. */
#ifndef TESSERA_OBSERVE_PTO_TRACER_H
#define TESSERA_OBSERVE_PTO_TRACER_H

#include "observe/tracer.h"
#include "pto/runtime/machine.h"

struct obs_pto_tracer {
  struct obs_tracer out;
  struct pto_machine *m;
  int sink;
  uint8_t readers[PTO_PIPES_MAX][PTO_DIRECTIONS][PTO_SLOTS_MAX]; /* pops under way, of each slot */
  uint8_t pushed[PTO_PIPES_MAX][PTO_DIRECTIONS][PTO_SLOTS_MAX];  /* bit per core that has pushed the tile in it */
};

/* Begins to write; false: the machine has no room for another observer. */
bool obs_pto_tracer_begin(struct obs_pto_tracer *w, struct pto_machine *m, const struct obs_trace_options *options);
/* Closes what is open and writes the rest. false: something could not be written. */
bool obs_pto_tracer_end(struct obs_pto_tracer *w);
/* One event as a line without a newline; the length of the whole, as snprintf. */
size_t obs_pto_trace_line(const struct pto_machine *m, const struct sim_event *e, char *line, size_t size);

#endif
