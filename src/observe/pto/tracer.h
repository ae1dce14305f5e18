/* Traces of PTO programs: the events of one block (src/pto/runtime/events.def) in the formats of tracer.h, all but Kanata.
 *
 * A track per pipe of a core with its work and waits, one per slot of a FIFO with its tile, counters of flags and of slots
 * in use; an arrow from each push of a tile to its pop. Work and waits are reported when they end: marks are held back
 * until no unfinished one began before them. */
#ifndef TESSERA_OBSERVE_PTO_TRACER_H
#define TESSERA_OBSERVE_PTO_TRACER_H

#include "observe/trace/tracer.h"
#include "pto/runtime/machine.h"

struct obs_pto_tracer {
  struct obs_tracer out;
  struct pto_machine *m;
  int sink;
  uint8_t readers[PTO_PIPES_MAX][PTO_DIRECTIONS][PTO_SLOTS_MAX]; /* unfinished pops of each slot */
  uint8_t pushed[PTO_PIPES_MAX][PTO_DIRECTIONS][PTO_SLOTS_MAX];  /* bit per core that has pushed the tile in the slot */
};

/* Begins to write; false: the machine has no free observer slot. */
bool obs_pto_tracer_begin(struct obs_pto_tracer *w, struct pto_machine *m, const struct obs_trace_options *options);
/* Closes open slices and writes the rest. false: a write failed. */
bool obs_pto_tracer_end(struct obs_pto_tracer *w);

#endif
