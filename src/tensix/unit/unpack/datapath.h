/* The data path of an unpacker: from L1 to Src or Dst. */
#ifndef TESSERA_TENSIX_UNPACK_DATAPATH_H
#define TESSERA_TENSIX_UNPACK_DATAPATH_H

#include <stdint.h>

#include "tensix/state/unpack.h"

struct tx_tile;

/* Moves the job's datums. */
void tx_unpack_move(struct tx_tile *t, unsigned unpacker, const struct tx_unpack_job *job);

#endif
