/* Forwards in time. Each sets d->stop. */
#ifndef TESSERA_GDB_TRAVEL_H
#define TESSERA_GDB_TRAVEL_H

#include "gdb/debugger.h"

/* With a grant: waits for the next one when the last is used up. false: there are no more. */
bool gdb_wait_for_grant(struct tessera_debugger *d);
void gdb_step(struct tessera_debugger *d, struct gdb_where w);
void gdb_continue(struct tessera_debugger *d, struct gdb_where from);
/* To the beginning of the session, without the user's changes. */
void gdb_reset(struct tessera_debugger *d);
void gdb_goto(struct tessera_debugger *d, uint64_t cycle); /* in either direction, as a command */

#endif
