/* The past NoC traffic of a tile, for reports: which tiles wrote which of its words with small packets, and the last
 * broadcasts that it sent. Saved with the chip, but not part of its hash: only reports depend on it. */
#ifndef TESSERA_CHIP_TRAIL_H
#define TESSERA_CHIP_TRAIL_H

#include "noc/packet.h"

#define CHIP_TRAIL_WRITES 256u
#define CHIP_TRAIL_BYTES 16u /* larger writes are data, not semaphores or flags */

/* The last small write or atomic of one tile to 16 bytes of another. */
struct chip_trail_write {
  sim_time cycle; /* of its arrival; 0: empty */
  uint32_t line;  /* address / 16 */
  uint32_t tile;  /* who sent it */
};

struct chip_trail {
  /* indexed by a hash of line and tile; a later write replaces an earlier one */
  struct chip_trail_write writes[CHIP_TRAIL_WRITES];
  struct noc_packet broadcast[NOC_NOCS]; /* the last one sent, without its payload; departs 0: none */
  struct noc_packet other[NOC_NOCS];     /* the last one before it to another rectangle */
};

void chip_trail_arrived(struct chip_trail *trail, const struct noc_packet *packet);
void chip_trail_sent(struct chip_trail *trail, const struct noc_packet *packet);
/* The time of the last write of `tile` to the 16 bytes around `address`; 0: none, or no longer recorded. */
sim_time chip_trail_find(const struct chip_trail *trail, uint32_t address, unsigned tile);

#endif
