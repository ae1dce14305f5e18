/* The debug interface of the cores. Plain data; the functions are in tile/core_debug.h. */
#ifndef TESSERA_TENSIX_STATE_CORE_DEBUG_H
#define TESSERA_TENSIX_STATE_CORE_DEBUG_H

#include <stdint.h>

#define TX_DR_COUNT 18u

struct tx_core_debug {
  uint32_t dr[4][TX_DR_COUNT]; /* BRISC, T0, T1, T2 */
  uint32_t status[2];          /* RISC_DBG_STATUS_0, _1 */
  uint8_t paused[4];           /* by command, not by ebreak */
  uint32_t pad;
};

#endif
