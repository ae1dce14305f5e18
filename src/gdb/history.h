/* The snapshots of a run, oldest first. During the first pass over a run snapshots are so rare that they cost about one per cent of the
 * time (at most 1.5). Going back adds snapshots close to the position (gdb_history_note). When the snapshots exceed their memory limit, the
 * history drops the one whose neighbours are closest relative to its distance from the position: distant snapshots are sparse, near ones
 * dense. */
#ifndef TESSERA_GDB_HISTORY_H
#define TESSERA_GDB_HISTORY_H

#include "gdb/machine.h"

#define GDB_HISTORY_BYTES ((size_t)192 << 20)
#define GDB_HISTORY_MAX 4096u

struct gdb_history {
  struct gdb_snapshot *at; /* GDB_HISTORY_MAX snapshots, by cycle */
  size_t count;
  struct gdb_pool *pool;      /* of the machine */
  struct gdb_snapshot origin; /* the first snapshot, if the user has changed the state at its cycle */
  bool has_origin;
  size_t bytes_max;
  uint64_t place;     /* the cycle of the session, or its target while it moves */
  uint64_t interval;  /* cycles to the next snapshot */
  double since, cost; /* seconds: the time of the last snapshot, and the mean cost of one */
};

bool gdb_history_begin(struct gdb_history *h, struct gdb_machine *m); /* takes the first snapshot; false: out of memory */
void gdb_history_free(struct gdb_history *h);
/* The last snapshot at or before a cycle; NULL: there is none. */
const struct gdb_snapshot *gdb_history_before(const struct gdb_history *h, uint64_t cycle);
/* The first snapshot after a cycle that the user's writes changed; NULL. */
const struct gdb_snapshot *gdb_history_pinned(const struct gdb_history *h, uint64_t cycle);
/* Takes a snapshot of the machine at its present cycle. If out of memory, the snapshot is omitted. */
void gdb_history_note(struct gdb_history *h, struct gdb_machine *m);
/* The same, and adapts the interval to the cost of the snapshot in seconds of the host: used in the first run. */
void gdb_history_note_timed(struct gdb_history *h, struct gdb_machine *m, double (*clock)(void));
/* The user changed the state at this cycle: discards all later snapshots. false: out of memory. */
bool gdb_history_cut(struct gdb_history *h, struct gdb_machine *m);
/* Has the user changed the state? */
bool gdb_history_changed(const struct gdb_history *h);
/* Restores the first state without the user's changes; the history begins again there. false: out of memory. */
bool gdb_history_reset(struct gdb_history *h, struct gdb_machine *m);
void gdb_history_limit(struct gdb_history *h, size_t bytes);

#endif
