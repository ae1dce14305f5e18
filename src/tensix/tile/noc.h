/* The tile's side of its two NIUs (noc/niu.h), 0xFFB20000 and 0xFFB30000: registers as cores see them, and the port by which the NIUs
 * reach L1 and registers.
 *
 * A tile alone sits at (1, 2) of NoC 0, the first Tensix tile of a Blackhole chip, mirrored on NoC 1, with coordinate translation off:
 * requests to itself are carried out, anything else faults and says where it wanted to go. In a chip tx_noc_attach gives the tile its
 * place and a way to the network. */
#ifndef TESSERA_TENSIX_NOC_H
#define TESSERA_TENSIX_NOC_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/noc.h"

struct tx_tile;
struct sim_effect;

void tx_noc_reset(struct tx_tile *t);
/* Puts the tile into a chip; before anything runs. */
void tx_noc_attach(struct tx_tile *t, struct tx_network network);
/* Aligned 32-bit accesses in either NIU. false: no such register (nothing recorded), or a fault was recorded. */
bool tx_noc_read(struct tx_tile *t, uint32_t address, uint32_t *value);
bool tx_noc_write(struct tx_tile *t, uint32_t address, uint32_t value);
void tx_effect_NOC_EVENT(struct tx_tile *t, const struct sim_effect *e);
/* A packet arrives in cycle `at`, before anything of that cycle happens; the tile has been run up to the cycle before. */
void tx_noc_arrive(struct tx_tile *t, const struct noc_packet *packet, uint64_t at);
/* A tile that has slept until `now` and does nothing before `now` + 1. */
void tx_noc_catch_up(struct tx_tile *t, uint64_t now);

/* The tile as the network sees it: L1, local RAMs, control, PIC, NIU and stream registers. Registers are read and written whole (four
 * bytes, aligned); memory in any way. false: not visible there, or a fault was recorded. */
bool tx_outside_visible(uint32_t address, uint32_t length); /* in a Tensix tile */
bool tx_outside_visible_in(const struct tx_tile *t, uint32_t address, uint32_t length);
bool tx_outside_is_memory(uint32_t address, uint32_t length); /* L1 or a local RAM */
bool tx_outside_read(struct tx_tile *t, uint32_t address, void *bytes, uint32_t length);
bool tx_outside_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);
/* The same by the host: no agent of the tile is the writer. */
bool tx_host_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length);

#endif
