/* The packer's two conversions with the configured rounding: to nearest, or stochastic in the early one
 * (ALU_ROUNDING_MODE_Gasket_srnd_en) and in the late one (Packer_srnd_en; block formats).
 *
 * Inferred: there is a generator for each datum of a row in each conversion, and every rounded row draws once. SoftReset.md
 * only states that the early conversion has generators, Packers/FormatConversion.md that both can round stochastically. */
#ifndef TESSERA_TENSIX_PACK_ROUNDING_H
#define TESSERA_TENSIX_PACK_ROUNDING_H

#include <stdint.h>

#include "tensix/num/format_pack.h"

struct tx_tile;
struct tx_pack;

/* Before a PACR's rows: applies a new seed, and reports that the bits are inferred. */
void tx_pack_prepare_rounding(struct tx_tile *t);
void tx_pack_early(struct tx_pack *p, const uint16_t *high, const uint16_t *low, union num_pack_row *row);
uint8_t tx_pack_block(struct tx_pack *p, const union num_pack_row *row, unsigned count, uint8_t bytes[NUM_PACK_ROW_BYTES]);

#endif
