/* Statistics of the packer about the data tiles it has written, for SETDMAREG's special form and TDMA-RISC.
 *
 * The pages describe four packers; Blackhole has one, which is number 0 here, and the others stay zero. The packer fills the
 * statistics in at the end of a data tile, CLREXPHIST clears the histogram. ISA: SETDMAREG_Special.md, TDMA-RISC.md. */
#ifndef TESSERA_TENSIX_STATE_PACK_STATS_H
#define TESSERA_TENSIX_STATE_PACK_STATS_H

#include <stdint.h>

#define TX_PACKERS 4u

struct tx_pack_stats_of {
  uint16_t last_tile_size;
  uint16_t acc_tile_size[3]; /* per thread */
  uint32_t all_zero_flags;
  uint8_t exponent_histogram[32]; /* saturating counters */
  uint8_t last_thread;
  uint8_t pad[3];
};

struct tx_pack_stats {
  struct tx_pack_stats_of packer[TX_PACKERS];
  uint32_t exponent_histogram_max;
  uint32_t pad;
};

#endif
