/* The MOP expander of one thread. Plain data; the functions are in frontend/mop.h. */
#ifndef TESSERA_TENSIX_STATE_MOP_H
#define TESSERA_TENSIX_STATE_MOP_H

#include <stdint.h>

#define TX_MOP_REGISTERS 9u
#define TX_MOP_LOOP_BODY 1u /* `step` of template 1: inside the inner loop */

struct tx_mop {
  uint32_t cfg[TX_MOP_REGISTERS];
  uint32_t mask_hi; /* set by MOP_CFG, kept */
  uint32_t word;    /* the MOP being expanded */
  uint32_t pc;
  uint32_t active;
  uint32_t step;       /* position inside one iteration; its meaning depends on the template */
  uint32_t outer_left; /* template 1: remaining outer iterations; template 0: remaining iterations */
  uint32_t inner_done; /* template 1: inner iterations emitted in this outer one */
  uint32_t odd;        /* template 1: the alternation between the two loop ops */
  uint32_t mask;       /* template 0: remaining bits, lowest first */
  uint32_t entry;      /* entry of the MOP in Auto TTSync, or 0 */
};

#endif
