/* The snapshots of a run, oldest first: the way back. A snapshot is taken now and then while the run goes on for the first time, so
 * seldom that it costs about one per cent of the time. Who goes back takes more of them on the way, close to the place
 * (gdb_history_note). When they take more memory than they may, the one goes whose neighbours are close for its distance from the place:
 * what is far away is kept in wide steps, what is near in narrow ones. */
#ifndef TESSERA_GDB_HISTORY_H
#define TESSERA_GDB_HISTORY_H

#include "gdb/machine.h"

#define GDB_HISTORY_BYTES ((size_t)256 << 20)
#define GDB_HISTORY_MAX 4096u

struct gdb_history {
  struct gdb_snapshot *at; /* GDB_HISTORY_MAX of them, by cycle */
  size_t count;
  size_t bytes, bytes_max;
  uint64_t place;     /* where the session is, or is going */
  uint64_t interval;  /* cycles to the next snapshot */
  double since, cost; /* seconds: when the last one was made, and how long it took */
};

bool gdb_history_begin(struct gdb_history *h, struct gdb_machine *m); /* the first snapshot; false: no memory */
void gdb_history_free(struct gdb_history *h);
/* The last snapshot at or before a cycle; NULL: none is that old. */
const struct gdb_snapshot *gdb_history_before(const struct gdb_history *h, uint64_t cycle);
/* The first snapshot after a cycle that was changed by hand; NULL. */
const struct gdb_snapshot *gdb_history_pinned(const struct gdb_history *h, uint64_t cycle);
/* The machine is at a cycle of the run; keeps its state. Without memory there is one snapshot less. */
void gdb_history_note(struct gdb_history *h, struct gdb_machine *m);
/* The same, and the interval follows what the snapshot cost: in the first run, with seconds of the host. */
void gdb_history_note_timed(struct gdb_history *h, struct gdb_machine *m, double (*clock)(void));
/* The state has been changed at this cycle: what came after it is forgotten. false: no memory. */
bool gdb_history_cut(struct gdb_history *h, struct gdb_machine *m);
void gdb_history_limit(struct gdb_history *h, size_t bytes);

#endif
