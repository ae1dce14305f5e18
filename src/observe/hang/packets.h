/* The NoC packets that code sends: follows stores to the registers of an NIU's initiators, of which each may be known or not, up to the
 * store that sends the request. */
#ifndef TESSERA_OBSERVE_HANG_PACKETS_H
#define TESSERA_OBSERVE_HANG_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/packet.h"
#include "observe/hang/hang_value.h"
#include "tensix/tile/tile.h"

#define OBS_NIU_WORDS (NOC_NOCS * NOC_INITIATORS * NOC_INITIATOR_WORDS)

/* A packet that may set a flag: an atomic, or a write. */
struct obs_packet {
  uint32_t pc, address, length; /* length 0: not known */
  uint32_t tile;                /* its destination, unless it is a broadcast */
  struct noc_place start, end;  /* the rectangle of a broadcast, raw coordinates of `noc` */
  uint8_t noc;
  bool address_known, tile_known;
  bool value_known; /* a write of one word: it sets it to `value` */
  uint32_t value;
  bool counts; /* an increment; by `adds`, 0: not known */
  uint32_t adds;
  bool copies;                 /* it copies the bytes at `source` of L1, which are not known then */
  uint32_t source;             /* ... and if its address is not known: UINT32_MAX */
  bool data;                   /* a write of more than a few bytes */
  bool broadcast, with_source; /* a broadcast reaches the sender's tile if it is in the rectangle and `with_source` */
};

enum obs_sends {
  OBS_SENDS_NONE,     /* no packet writes the word */
  OBS_SENDS_POSSIBLY, /* the destination of one is not known, or the code could not be followed */
  OBS_SENDS_SURELY,   /* one has this word as its destination */
};

/* Sets the words to the present contents of the tile's NIUs. */
void obs_niu_begin(const struct tx_tile *t, uint32_t *value, bool *known);
/* A store at this offset of the NIUs' windows. `*word`: the word that it changes, OBS_NIU_WORDS: none. true: it sends the request of an
 * initiator, whose first word is `*first`. */
bool obs_niu_store(uint32_t offset, uint32_t *word, uint32_t *first);
/* The request of the initiator with this first word. false: it writes no flag (a read, or a write of data whose place is not known). `*vague`: its
 * kind is not known. */
bool obs_niu_packet(const struct tx_tile *t, const uint32_t *value, const bool *known, uint32_t first, uint32_t pc,
                    struct obs_packet *out, bool *vague);
/* Does a packet of the tile `from` write the word at `address` of `tile`, and not with a value that is of no use for `want` (NULL: any)? The bytes
 * that a packet copies are taken as they are now. */
enum obs_sends obs_packet_writes(const struct obs_packet *p, const struct tx_tile *from, unsigned tile, uint32_t address,
                                 const struct obs_resource *want);
/* A value that does not end the wait: a flag that is cleared, a semaphore that is reset. */
bool obs_is_of_no_use(const struct obs_resource *want, uint32_t address, uint32_t value);

#endif
