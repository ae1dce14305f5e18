/* Requests between the tiles of a chip, and the vectors that they carry. */
#ifndef TESSERA_CHECK_TILES_H
#define TESSERA_CHECK_TILES_H

#include "check/internal.h"

void chk_tiles_request(struct chk *c, unsigned core, unsigned noc, unsigned initiator, uint32_t ctrl);
void chk_tiles_barrier(struct chk *c, unsigned core); /* all writes of the core have arrived */
void chk_tiles_sent(struct tx_tile *t, const struct noc_packet *p);
void chk_tiles_arrives(struct tx_tile *t, const struct noc_packet *p);
/* An atomic or a read of the tile on itself, at place `place` of those under way, starts or is about to take effect. */
void chk_tiles_looped(struct tx_tile *t, const struct noc_packet *p, unsigned place, bool done);

#endif
