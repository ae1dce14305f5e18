/* The front: the state up to which the checkers have watched the run.
 *
 * A checker's state is larger than the tile's, so snapshots do not contain it. The checkers watch each cycle once, in the first run over it.
 * Before the debugger leaves that state it keeps it, the front, and pauses the checkers: runs over older cycles and trial runs are unwatched.
 * A run that reaches the front's cycle takes the front's state, findings and fault included, and the checkers resume. When the user changes
 * the state before the front, the checkers restart there and treat all of L1 as written. */
#ifndef TESSERA_GDB_FRONT_H
#define TESSERA_GDB_FRONT_H

#include "gdb/machine.h"

/* Restores a snapshot. Breakpoints are kept; hooks on the tiles of a chip are removed. false: out of memory. */
bool gdb_put(struct gdb_machine *m, const struct gdb_snapshot *s);
/* Runs all cycles up to and including `until`. `watchful`: also detects hangs of cores that spin. The detection observes
 * only this run, so a repeated run does not need it. */
enum gdb_end gdb_run(struct gdb_machine *m, uint64_t until, bool watchful);
/* Before the state is replaced, or changed for a trial run: pauses the checkers and keeps the state. */
void gdb_begin_trial(struct gdb_machine *m);
/* A trial run, unwatched: the caller restores the state after it. A caller that changes the state before the run (watches, breaks, a core
 * that passes its break) first calls gdb_begin_trial: the kept state would contain the change. */
enum gdb_end gdb_try(struct gdb_machine *m, uint64_t until, bool watchful);
/* Takes the front's state if the machine is at its cycle. */
void gdb_front_settle(struct gdb_machine *m);
/* The checkers watch the machine: a run must end at the end of a cycle, because they cannot go back. */
bool gdb_is_watched(const struct gdb_machine *m);
/* The user changed the state: discards the front and restarts the checkers. */
void gdb_front_changed(struct gdb_machine *m);
/* The session ends here. */
void gdb_front_end(struct gdb_machine *m);
/* Hash of the state; of checked tiles without the findings, which unwatched runs lack. */
uint64_t gdb_front_hash(struct gdb_machine *m);

#endif
