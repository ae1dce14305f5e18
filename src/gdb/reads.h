/* Reads of watched bytes (rwatch, awatch), found during a trial run: loads of the cores, transfers of the units, requests of the NoC.
 *
 * The listener intercepts the ports of a tile (state/ports.h), as a checker does; while no such watchpoint is set there is none. A core
 * that polls in a loop is parked after some iterations: the loads of the iterations that are left out are no reads. */
#ifndef TESSERA_GDB_READS_H
#define TESSERA_GDB_READS_H

#include "gdb/hit.h"

enum gdb_reads_which { GDB_FIRST_READ /* stops the tile */, GDB_LAST_READ };

/* Before the first such watchpoint is set. false: out of memory. */
bool gdb_reads_reserve(struct tessera_debugger *d);
/* Listens to every tile with such a watchpoint; after gdb_begin_trial. */
void gdb_reads_begin(struct tessera_debugger *d, enum gdb_reads_which which);
/* Ends that. A read before `hit` (GDB_LAST_READ: after it), or any if *found is false, becomes the hit. */
void gdb_reads_end(struct tessera_debugger *d, struct gdb_hit *hit, bool *found);

#endif
