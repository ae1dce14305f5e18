/* Delays that hardware could show: a core that does not get its next instruction, a thread that loses the arbitration, a
 * unit or a transfer that is slow because L1 or the NoC is busy. A delay never changes an order that hardware keeps. */
#ifndef TESSERA_CHECK_DELAY_H
#define TESSERA_CHECK_DELAY_H

#include "tensix/tile/tile.h"

enum chk_target {
  CHK_DELAY_CORE = 0,   /* +core: T0, T1, T2, BRISC, NCRISC */
  CHK_DELAY_THREAD = 5, /* +thread */
  CHK_DELAY_UNPACK = 8, /* +unpacker: the data that it streams */
  CHK_DELAY_MATRIX = 10,
  CHK_DELAY_VECTOR,
  CHK_DELAY_PACK, /* data in flight into L1 */
  CHK_DELAY_SCALAR,
  CHK_DELAY_NOC,
  CHK_DELAY_TARGETS
};

struct chk_delay {
  sim_time cycle;
  uint32_t target, cycles;
  uint32_t tile; /* of a chip: its id (chip/grid.h), or CHK_ALL_TILES */
};

/* Holds a target for this many cycles from now on. */
void chk_delay_apply(struct tx_tile *t, unsigned target, uint32_t cycles);
const char *chk_delay_name(unsigned target); /* "TRISC0", "thread 1", "the packer" */

#endif
