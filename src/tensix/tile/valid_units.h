/* The checks of valid.h for the execution units and related blocks: false if a block cannot be in this state. */
#ifndef TESSERA_TENSIX_TILE_VALID_UNITS_H
#define TESSERA_TENSIX_TILE_VALID_UNITS_H

#include <stdbool.h>

struct sim_effect;
struct tx_tile;

bool tx_effect_valid(const struct tx_tile *t, const struct sim_effect *e); /* its operands; e->kind is valid */
bool tx_sync_valid(const struct tx_tile *t);
bool tx_counters_valid(const struct tx_tile *t);
bool tx_config_valid(const struct tx_tile *t);
bool tx_scalar_valid(const struct tx_tile *t);
bool tx_src_valid(const struct tx_tile *t);
bool tx_vector_valid(const struct tx_tile *t);
bool tx_unpack_valid(const struct tx_tile *t);
bool tx_mover_valid(const struct tx_tile *t);
bool tx_pack_valid(const struct tx_tile *t);
bool tx_inflight_valid(const struct tx_tile *t);
bool tx_mailboxes_valid(const struct tx_tile *t);
bool tx_noc_valid(const struct tx_tile *t);
bool tx_l1_ports_valid(const struct tx_tile *t);
bool tx_perf_valid(const struct tx_tile *t);
bool tx_watches_valid(const struct tx_tile *t);

#endif
