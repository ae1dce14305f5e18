/* The last writers of a few words of L1: recorded only in a tile that repeats a run (observe/hang/replay.h). Not part of the
 * state. */
#ifndef TESSERA_TENSIX_STATE_WRITERS_H
#define TESSERA_TENSIX_STATE_WRITERS_H

#include <stdint.h>

#include "tensix/trail.h"

#define TX_WRITERS 8u

struct tx_writer {
  uint32_t address, length; /* bytes of L1 */
  struct tx_trail last;
  struct tx_trail other; /* the last write by another agent than that of `last` */
};

struct tx_writers {
  uint32_t count;
  uint32_t pad;
  sim_time since; /* writes before this cycle are not known */
  struct tx_writer of[TX_WRITERS];
};

#endif
