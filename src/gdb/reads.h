/* Reads of watched bytes (rwatch, awatch), found during a trial run: loads of the cores, transfers of the units, requests of the NoC.
 *
 * The listener intercepts the ports of a tile (state/ports.h), as a checker does; while no such watchpoint is set there is none. A core
 * that polls in a loop is parked after some iterations: the loads of the iterations that are left out are no reads. */
#ifndef TESSERA_GDB_READS_H
#define TESSERA_GDB_READS_H

#include "gdb/hit.h"

enum gdb_reads_which { GDB_FIRST_READ /* stops the tile */, GDB_LAST_READ };

/* Timing off: a cycle can contain several instructions of a core. All accesses to watched bytes and all executed breakpoints of a tile in
 * their order; a search for the first access, or for the last event. */
struct gdb_exact {
  bool halt; /* stops the tile directly after an access ... */
  uint64_t skip_cycle;
  unsigned skip; /* ... that is not among the first of this cycle */
  bool halted;
  uint64_t cycle; /* of the last access */
  unsigned ordinal;
  uint64_t passed[TX_CORES]; /* number of the last executed instruction with a breakpoint; 0: none */
  struct gdb_event {
    enum gdb_stop_kind kind; /* GDB_STOP_BREAK, GDB_STOP_WATCH; GDB_STOP_START: none */
    unsigned core;           /* whose instruction; TX_CORES: of none */
    uint64_t number;         /* of that instruction */
    uint64_t cycle;
    unsigned ordinal; /* of an access */
    unsigned watch;
    bool write;
    struct tx_trail by;
  } last;
};

/* Before the first such watchpoint is set. false: out of memory. */
bool gdb_reads_reserve(struct tessera_debugger *d);
/* Listens to every tile with such a watchpoint; after gdb_begin_trial. */
void gdb_reads_begin(struct tessera_debugger *d, enum gdb_reads_which which);
/* Ends that. A read before `hit` (GDB_LAST_READ: after it), or any if *found is false, becomes the hit. */
void gdb_reads_end(struct tessera_debugger *d, struct gdb_hit *hit, bool *found);

/* Runs a tile alone with that to a cycle, or to a place in it; after gdb_begin_trial. false: out of memory. */
bool gdb_exact_run(struct tessera_debugger *d, uint64_t until, const struct gdb_inside *to, struct gdb_exact *x);
/* The watchpoint of x->last as a hit. */
void gdb_exact_hit(struct tessera_debugger *d, const struct gdb_exact *x, struct gdb_hit *hit);

#endif
