/* The code around the places of findings, copied soon after they appear: the next program of the host overwrites it, and the report would
 * take that program's lines for theirs. */
#ifndef TESSERA_HOST_FINDINGS_H
#define TESSERA_HOST_FINDINGS_H

#include "chip/chip.h"
#include "host/kernels.h"

struct host_finding_code {
  unsigned tile, index; /* of the tile's list of findings */
  uint32_t from[2];     /* addresses, of the finding and of its other side */
  uint8_t code[2][2 * HOST_KERNEL_REACH];
};

struct host_findings {
  struct host_finding_code *kept;
  size_t count, capacity;
  uint32_t seen[CHIP_TILES]; /* findings of each tile that are kept */
  unsigned vendors;          /* of the last report: those that lie in the vendor's own code */
  uint8_t *l1;               /* an L1 with one finding's code; NULL: not needed yet */
};

/* Copies the code of the tile's new findings; CHIP_NO_TILE: of all tiles. */
void host_findings_note(struct host_findings *findings, struct chip *chip, unsigned tile);
/* L1 as it was around the place of a finding (side 0) or of its other side (1); the L1 of now if it was not copied. */
const uint8_t *host_findings_l1(struct host_findings *findings, const struct tx_tile *t, unsigned tile, unsigned index,
                                unsigned side);
void host_findings_free(struct host_findings *findings);

#endif
