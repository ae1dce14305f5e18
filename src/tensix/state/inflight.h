/* The list of L1 ranges in flight. Plain data; the functions are in mem/inflight.h. */
#ifndef TESSERA_TENSIX_STATE_INFLIGHT_H
#define TESSERA_TENSIX_STATE_INFLIGHT_H

#include <stdint.h>

#define TX_INFLIGHT_MAX 64u
#define TX_INFLIGHT_NONE 0u
#define TX_INFLIGHT_WATCHED (UINT64_C(1) << 63) /* of `used`: a checker receives every access; no range has this index */

/* `rows` pieces of `width` bytes, each `stride` bytes after the one before. */
struct tx_range {
  uint32_t base, width, stride, rows;
  uint32_t word;  /* the instruction; 0: a command of TDMA-RISC */
  uint32_t pc;    /* of the core's instruction that caused it */
  uint16_t agent; /* enum tx_agent: who issued it */
  uint8_t unit;   /* enum tx_unit */
  uint8_t write;  /* 0: reads; of the NoC enum noc_claim */
};

struct tx_inflight {
  uint64_t used;      /* bit per range, and TX_INFLIGHT_WATCHED */
  uint32_t low, high; /* all of them lie in [low, high) */
  struct tx_range range[TX_INFLIGHT_MAX];
};

#endif
