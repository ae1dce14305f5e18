/* The RWCs of the three threads. Plain data; the functions are in regs/rwc.h. */
#ifndef TESSERA_TENSIX_STATE_RWC_H
#define TESSERA_TENSIX_STATE_RWC_H

#include <stdint.h>

struct tx_rwc {
  uint16_t dst, dst_cr;  /* 10 bits */
  uint8_t srca, srca_cr; /* 6 bits */
  uint8_t srcb, srcb_cr;
  uint8_t fidelity;       /* 2 bits */
  uint8_t extra_addr_mod; /* 1 bit, no effect on Blackhole */
  uint16_t sp;            /* SFPU stack pointer */
};

#endif
