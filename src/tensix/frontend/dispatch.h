/* Which body the wait gate runs for an opcode, and which units have an entry rule of their own. */
#ifndef TESSERA_TENSIX_DISPATCH_H
#define TESSERA_TENSIX_DISPATCH_H

#include "tensix/body.h"
#include "tensix/isa/isa.h"

extern tx_body_fn *const tx_bodies[256];           /* NULL: state LATER or UNDOC, or consumed by the front end */
extern tx_ready_fn *const tx_ready[TX_UNIT_COUNT]; /* NULL: none */

#endif
