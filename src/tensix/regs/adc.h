/* ADCs: the X, Y, Z, W counters that address L1 and the register files for unpackers and packer; a set per thread.
 *
 * Blackhole widths: X 18 bits, Y 13, Z 13, W 13. Follows ADCs.md and the pages of the eight instructions. */
#ifndef TESSERA_TENSIX_ADC_H
#define TESSERA_TENSIX_ADC_H

#include <stdbool.h>
#include <stdint.h>

enum tx_adc_dim { TX_ADC_X, TX_ADC_Y, TX_ADC_Z, TX_ADC_W, TX_ADC_DIMS };
enum tx_adc_unit { TX_ADC_UNPACKER0, TX_ADC_UNPACKER1, TX_ADC_PACKER, TX_ADC_UNITS };

struct tx_adc_channel {
  uint32_t c[TX_ADC_DIMS];  /* X, Y, Z, W */
  uint32_t cr[TX_ADC_DIMS]; /* their checkpoints */
};

struct tx_adc {
  struct tx_adc_channel unit[TX_ADC_UNITS][2];
};

/* Who changed which set in the last cycle in which anybody did: two threads in one cycle corrupt it (F.6). */
struct tx_adc_watch {
  uint64_t cycle;
  uint8_t by[3]; /* thread + 1, per set */
  uint8_t pad[5];
};

/* The width of each counter as a mask. */
extern const uint32_t tx_adc_mask[TX_ADC_DIMS];

struct tx_tile;

/* PACR's address mode: steps Y and Z of the packer's two channels by section 0..3 of ADDR_MOD_PACK. */
void tx_adc_apply_pack(struct tx_tile *t, unsigned thread, unsigned section);
/* UNPACR's eight immediate increment bits: channel 1 Y, Z and channel 0 Y, Z, two bits each (UNPACR_Regular.md). */
void tx_adc_apply_unpack(struct tx_tile *t, unsigned thread, unsigned unpacker, unsigned increments);

#endif
