/* Compression of zeros: every datum has a count of the zeros after it, up to fifteen, which are omitted.
 *
 *   row starts   RSI[0] = 0, then after each row the number of datums of the tile so far; 16 bits each
 *   exponents    block formats: one byte per 16 remaining datums, across rows
 *   data         32 datums, 32 counts of four bits, 32 datums ...; the last group is padded with zeros
 *
 * The first and the last datum of a row are never omitted. A row is the output of PACRs up to one without Concat.
 * ISA: Packers/Compression.md, which defines the format but not the choice among equivalent encodings: inferred. */
#ifndef TESSERA_TENSIX_PACK_COMPRESS_H
#define TESSERA_TENSIX_PACK_COMPRESS_H

#include <stdint.h>

#include "tensix/unit/pack/output.h"

/* Begins a tile: writes its first row start. */
void tx_pack_compress_begin(struct tx_pack *p, struct tx_pack_batch *out);
void tx_pack_compress_datum(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out, uint32_t datum);
void tx_pack_compress_end_row(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out);
/* Ends the tile: writes the last group. */
void tx_pack_compress_end(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out);

#endif
