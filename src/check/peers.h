/* The state of other tiles of the chip that a tile is ordered after, from the messages of their cores. */
#ifndef TESSERA_CHECK_PEERS_H
#define TESSERA_CHECK_PEERS_H

#include "check/internal.h"

/* The state of the tile at arrival `bound`; NULL: none. `*lost`: the ring no longer holds it. */
const struct chk_heard *chk_heard_by(const struct chk_peer *peer, uint32_t bound, bool *lost);
/* What the core of a request had heard of a tile; NULL: nothing, or there was no room for it (`full`). */
const struct chk_heard *chk_heard_of(const struct chk_request *s, unsigned tile);
/* The host has written to a tile since this access: everything later is ordered after it. */
bool chk_tiles_before_host(const struct chk_clocks *c, const struct chk_mark *m);
/* Is the entity ordered after an access, where one of the two is of another tile? */
bool chk_tiles_know(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m);
/* Takes over what the sender of an arrival knew: the arrival gets a number. */
void chk_admit(struct chk_tiles *n, struct chk_news *e);
/* Admits all arrivals; returns the newest number. */
uint32_t chk_admit_all(struct chk *c);
/* A core's poll of a word that another tile has written ends. */
void chk_tiles_acquire(struct chk *c, unsigned core, const struct tx_range *r);
/* The side of a finding, possibly on another tile. */
struct tx_side chk_side_of(const struct chk *c, const struct chk_mark *m);

#endif
