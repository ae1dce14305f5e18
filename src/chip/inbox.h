/* The packets in flight to an endpoint whose arrival is known. */
#ifndef TESSERA_CHIP_INBOX_H
#define TESSERA_CHIP_INBOX_H

#include "chip/internal.h"

void chip_inbox_put(struct chip_endpoint *endpoint, struct noc_packet *packet);
struct noc_packet *chip_inbox_take(struct chip_endpoint *endpoint);
bool chip_packet_before(const struct noc_packet *a, const struct noc_packet *b); /* by (arrives, departs, tile, sequence) */
/* For the network: a packet reaches the tile. */
void chip_arrive(struct chip *chip, unsigned tile, struct noc_packet *packet);

#endif
