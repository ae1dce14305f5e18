/* The debugged machine: a single tile, or a chip with some observed tiles; its snapshots, and runs that end at a cycle.
 *
 * A position in a run is a cycle: the state after all cycles up to it. Running to a cycle in one piece or in many gives the same
 * state, so a run may be interrupted anywhere, repeated from a snapshot, and observed without changing its result. */
#ifndef TESSERA_GDB_MACHINE_H
#define TESSERA_GDB_MACHINE_H

#include "api/chip.h"
#include "api/tile_value.h"
#include "gdb/pages.h"

#define GDB_UNITS CHIP_TENSIX_TILES

/* An observed tile. */
struct gdb_unit {
  struct tessera_tile *tile;
  unsigned x, y; /* on a chip */
};

/* The state at which the checkers were paused (front.h). */
struct gdb_front {
  bool known; /* the checkers are paused */
  struct gdb_snapshot state;
  struct tx_diag *findings[CHIP_TILES]; /* of its tiles; NULL: not checked */
};

struct gdb_machine {
  struct tessera_tile *tile; /* alone; NULL: */
  struct tessera_chip *chip;
  struct gdb_unit unit[GDB_UNITS];
  unsigned count;
  struct gdb_pool pool;
  struct gdb_front front;
  struct chip_stream stream;  /* of the chip's snapshots: all state except tiles and DRAM */
  struct gdb_region *regions; /* of the snapshot being taken */
  size_t region_count, region_size;
};

enum gdb_end {
  GDB_END_TIME,
  GDB_END_STOPPED,
  GDB_END_DONE,
  GDB_END_HANG,
  GDB_END_FAULT,
  GDB_END_FINDING,
  GDB_END_NO_MEMORY
};

static inline struct tx_tile *gdb_tile(const struct gdb_machine *m, unsigned unit) { return &m->unit[unit].tile->tile; }
uint64_t gdb_now(const struct gdb_machine *m);

/* false: out of memory. */
bool gdb_take(struct gdb_machine *m, struct gdb_snapshot *s, const struct gdb_snapshot *base);
/* Breakpoints are kept; hooks on the tiles of a chip are removed. The checkers must be paused. false: out of memory. */
bool gdb_put_state(struct gdb_machine *m, const struct gdb_snapshot *s);
/* gdb_run (front.h) without regard to the checkers. */
enum gdb_end gdb_run_state(struct gdb_machine *m, uint64_t until, bool watchful);
/* The first fault as text for the user; "" */
const char *gdb_explain(struct gdb_machine *m);
void gdb_machine_free(struct gdb_machine *m);

#endif
