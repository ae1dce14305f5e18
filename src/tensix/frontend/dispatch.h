/* The body that the wait gate runs for an opcode, and the units with their own entry rule. */
#ifndef TESSERA_TENSIX_DISPATCH_H
#define TESSERA_TENSIX_DISPATCH_H

#include "tensix/body.h"
#include "tensix/isa/isa.h"

extern tx_body_fn *const tx_bodies[256]; /* NULL: state LATER or UNDOC, or consumed by the front end */
/* Timing off: the properties of a word that only a source bank or the state of its unit can block, and whose body does not hold its
 * thread. */
struct tx_quick {
  /* NULL: another condition may block it, or no unit executes it; of a wait: a body that sets schedule_changed if it latches */
  tx_body_fn *body;
  uint32_t unused;    /* bits of no field */
  uint8_t unit, wait; /* wait: as tx_op.wait, and TX_QUICK_IDLE or TX_QUICK_PACKER */
};
#define TX_QUICK_PACKER (1u << 6) /* passes quickly if nothing is inside the packer */
#define TX_QUICK_IDLE (1u << 7)   /* passes quickly if its unit is idle (turn.c) */
extern const struct tx_quick tx_quick[256];
extern tx_ready_fn *const tx_ready[TX_UNIT_COUNT]; /* NULL: none */
/* Timing on: the properties of a word that only its unit or a source bank can block. */
struct tx_timed {
  tx_body_fn *body;    /* NULL: another condition may block it, or no unit executes it */
  tx_ready_fn *ready;  /* as tx_ready */
  struct tx_cost cost; /* without what the body adds */
  uint32_t used;       /* as tx_op.used */
  uint8_t unit, wait;  /* as tx_op.unit and tx_op.wait */
};
extern const struct tx_timed tx_timed[256];

#endif
