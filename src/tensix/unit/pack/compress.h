/* Compression of zeros: every datum carries a count of the zeros after it, up to fifteen, which are left out.
 *
 *   row starts   RSI[0] = 0, then after each row how many datums the tile has so far; 16 bits each
 *   exponents    block formats: one byte for 16 datums that are left, whichever rows they are of
 *   data         32 datums, 32 counts of four bits, 32 datums ...; the last group is padded with zeros
 *
 * The first and the last datum of a row are never left out. A row is what PACRs give until one without Concat.
 * ISA: Packers/Compression.md, which fixes the format but not how hardware chooses among equal encodings: inferred. */
#ifndef TESSERA_TENSIX_PACK_COMPRESS_H
#define TESSERA_TENSIX_PACK_COMPRESS_H

#include <stdint.h>

#include "tensix/unit/pack/output.h"

/* A tile begins: its first row start. */
void tx_pack_compress_begin(struct tx_pack *p, struct tx_pack_batch *out);
void tx_pack_compress_datum(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out, uint32_t datum);
void tx_pack_compress_end_row(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out);
/* The tile ends: the last group goes out. */
void tx_pack_compress_end(struct tx_pack *p, const struct num_pack *how, struct tx_pack_batch *out);

#endif
