/* Decodes the packer's configuration and rejects unsupported settings. */
#ifndef TESSERA_TENSIX_PACK_CONFIG_H
#define TESSERA_TENSIX_PACK_CONFIG_H

#include <stdbool.h>

struct tx_tile;
struct tx_pack_config;

/* The configuration of `thread`. NULL: a fault was recorded. */
const struct tx_pack_config *tx_pack_configure(struct tx_tile *t, unsigned thread);

/* The edge mask of a row: bit set = the datum passes. */
unsigned tx_pack_edge_mask(const struct tx_pack_config *c, unsigned row, unsigned plane);

#endif
