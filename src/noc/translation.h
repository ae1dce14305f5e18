/* Coordinate translation of an NIU: the coordinates that software writes into a request initiator become raw coordinates of
 * the NoC before the packet leaves. The tables are configuration words 6..28 of the NIU; NIU_CFG_0 bit 14 turns the
 * translation on.
 *
 * ISA: NoC/Coordinates.md, "Translation algorithm". */
#ifndef TESSERA_NOC_TRANSLATION_H
#define TESSERA_NOC_TRANSLATION_H

#include <stdbool.h>
#include <stdint.h>

#define NOC_CONFIG_WORDS 32u

struct noc_translation {
  uint8_t x[32], y[32], ddr[32];
  uint32_t row_mask, column_mask, ddr_swap;
  uint32_t ddr_columns; /* bit 0: `ddr` translates column 9, bit 1: column 0 (bits 10 and 11 of the DDR table's last word) */
};

void noc_translate(const struct noc_translation *t, unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y);
/* Are these the coordinates of a tile, translated or raw? The tables translate each axis for itself, so the other combinations reach a tile as
 * well, but not one that the vendor's firmware gives this name. */
bool noc_is_name(unsigned x, unsigned y);
/* noc_translate from the configuration words of an NIU. */
void noc_translate_words(const uint32_t config[NOC_CONFIG_WORDS], unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y);
/* Converts the tables to these words. */
void noc_translation_store(const struct noc_translation *t, uint32_t config[NOC_CONFIG_WORDS]);

#endif
