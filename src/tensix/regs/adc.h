/* ADCs: the X, Y, Z, W counters by which unpackers and packer address L1 and the register files; one set per thread.
 *
 * Blackhole widths: X 18 bits, Y 13, Z 13, W 13. Follows ADCs.md and the pages of the eight instructions. */
#ifndef TESSERA_TENSIX_ADC_H
#define TESSERA_TENSIX_ADC_H

#include "tensix/state/adc.h"

struct tx_tile;

/* The width of each counter as a mask. */
extern const uint32_t tx_adc_mask[TX_ADC_DIMS];

/* PACR's address mode: steps Y and Z of the packer's two channels by section 0..3 of ADDR_MOD_PACK. */
void tx_adc_apply_pack(struct tx_tile *t, unsigned thread, unsigned section);
/* The same of a set whose packer channels and whose word of ADDR_MOD_PACK are known. */
void tx_adc_step_pack(struct tx_adc_channel *ch, uint32_t mode);
/* UNPACR's eight immediate increment bits: channel 1 Y, Z and channel 0 Y, Z, two bits each (UNPACR_Regular.md). */
void tx_adc_apply_unpack(struct tx_tile *t, unsigned thread, unsigned unpacker, unsigned increments);

#endif
