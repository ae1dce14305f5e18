/* Which body the wait gate runs for an opcode, and which units have an entry rule of their own. */
#ifndef TESSERA_TENSIX_DISPATCH_H
#define TESSERA_TENSIX_DISPATCH_H

#include "tensix/body.h"
#include "tensix/isa/isa.h"

extern tx_body_fn *const tx_bodies[256]; /* NULL: state LATER or UNDOC, or consumed by the front end */
/* Timing off: what a thread needs to know of a word that nothing can hold but a source bank, and in the packer a full list of batches. */
struct tx_quick {
  tx_body_fn *body; /* NULL: something else may hold it, or no unit executes it */
  uint32_t used;    /* as tx_op.used */
  uint8_t unit, wait;
};
extern const struct tx_quick tx_quick[256];
extern tx_ready_fn *const tx_ready[TX_UNIT_COUNT]; /* NULL: none */

#endif
