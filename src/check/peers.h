/* The state of other tiles of the chip that a tile is ordered after, from the messages of their cores. */
#ifndef TESSERA_CHECK_PEERS_H
#define TESSERA_CHECK_PEERS_H

#include "check/internal.h"

/* What the core of a request had heard of a tile; NULL: nothing, or there was no room for it (`full`). */
const struct chk_heard *chk_heard_of(const struct chk_request *s, unsigned tile);
/* A write of a core of another tile. */
struct chk_wrote {
  uint32_t clock;
  unsigned dest; /* tile; chk_is_behind: controller of DRAM */
  unsigned core, channel;
  bool posted;
};
/* Has it arrived, by what was heard of the tile? */
bool chk_has_arrived(const struct chk_heard *h, const struct chk_wrote *w);
/* Sets what the core of a request has heard of all tiles. */
void chk_add_heard(const struct chk_tiles *n, struct chk_request *q);
/* The host has written to a tile since this access: everything later is ordered after it. */
bool chk_tiles_before_host(const struct chk_clocks *c, const struct chk_mark *m);
/* Is the entity ordered after an access, where one of the two is of another tile? */
bool chk_tiles_know(const struct chk_clocks *c, unsigned entity, const struct chk_mark *m);
/* Records an arrival from a tile. The one that the ring drops for it counts as read. */
struct chk_news *chk_note_news(struct chk_tiles *n, unsigned tile, const struct chk_request *s);
/* A record of another tile: what it knew when it wrote a word of `dest`, as in chk_news. */
struct chk_told {
  unsigned tile, dest;
  const struct chk_request *sent;
  bool wrote, written;
};
/* Orders the entity, which has read the word there, after it. */
void chk_tiles_answer(struct chk *c, const struct chk_told *told, unsigned entity);
/* A core has read a flag in DRAM that the request `s` wrote: writes of the flag's core to the same controller on the same
 * channel arrived before it. Packets stay in order on the way to one place only: a write to another controller than the flag's needs a barrier before the flag. */
void chk_note_behind(struct chk *c, unsigned tile, const struct chk_request *s, unsigned controller);
bool chk_is_behind(struct chk *c, unsigned tile, const struct chk_wrote *w);
/* Admits all arrivals of other tiles; returns the newest number. */
uint32_t chk_admit_all(struct chk *c);
/* Orders the entity after all arrivals, those of the tile itself too. */
void chk_read_all(struct chk *c, unsigned entity);
/* Adds what the arrivals at a word tell. */
void chk_told_at(struct chk *c, struct chk_vector *v, uint32_t address);
/* A core's poll of a word that another tile has written ends. */
void chk_tiles_acquire(struct chk *c, unsigned core, const struct tx_range *r);
/* A core loads a word that another tile has written, without waiting for it. true: a branch depends on the value; the core is ordered
 * after the arrivals without which it had gone another way. */
bool chk_tiles_look(struct chk *c, unsigned core, const struct tx_range *r);
/* The side of a finding, possibly on another tile. */
struct tx_side chk_side_of(const struct chk *c, const struct chk_mark *m);

#endif
