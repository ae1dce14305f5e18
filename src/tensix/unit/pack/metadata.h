/* The packer's records about the data tiles it has written: statistics, histogram of exponents, metadata FIFO. TDMA-RISC and SETDMAREG
 * read them. ISA: TDMA-RISC.md, SETDMAREG_Special.md */
#ifndef TESSERA_TENSIX_PACK_METADATA_H
#define TESSERA_TENSIX_PACK_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/pack.h"

struct tx_tile;

void tx_pack_clear_histogram(struct tx_tile *t);
/* The batch that ends a tile has been written. */
void tx_pack_metadata_publish(struct tx_tile *t, const struct tx_pack_batch *b);
/* TDMA-RISC: write to ACC_PACKED_SIZE; the oldest tile in the metadata FIFO (false: none). */
void tx_pack_metadata_set_offset(struct tx_tile *t, uint32_t value);
bool tx_pack_metadata_read(struct tx_tile *t, bool pop, uint32_t *tile_size, uint32_t *all_zero_flags);

#endif
