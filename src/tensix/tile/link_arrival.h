/* The receiving end of a link: a frame writes L1 or one register. */
#ifndef TESSERA_TENSIX_LINK_ARRIVAL_H
#define TESSERA_TENSIX_LINK_ARRIVAL_H

#include <stdint.h>

struct tx_tile;
struct noc_packet;

/* A frame of the other end arrives at the start of cycle `at`; the tile has been run up to the cycle before. */
void tx_link_arrive(struct tx_tile *t, const struct noc_packet *frame, uint64_t at);

#endif
