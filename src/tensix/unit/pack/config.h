/* Decodes the packer's configuration and rejects unsupported settings. */
#ifndef TESSERA_TENSIX_PACK_CONFIG_H
#define TESSERA_TENSIX_PACK_CONFIG_H

#include <stdbool.h>

#include "tensix/machine.h"

/* t->pack.config is that of `thread`. */
static inline bool tx_pack_is_current(const struct tx_tile *t, unsigned thread) {
  const struct tx_pack_config *c = &t->pack.config;
  return c->version == t->config.version + 1 &&
         c->bank == (t->config.thread_words[thread][TX_CFG_CFG_STATE_ID_StateID_ADDR] & 1u);
}

/* The configuration of `thread`. NULL: a fault was recorded. */
const struct tx_pack_config *tx_pack_configure(struct tx_tile *t, unsigned thread);

/* The edge mask of a row: bit set = the datum passes. */
unsigned tx_pack_edge_mask(const struct tx_pack_config *c, unsigned row, unsigned plane);

#endif
