/* The tables and the algorithm of translation.h. */
#include "noc/translation.h"

#include <string.h>

#include "chips/blackhole/grid.h"
#include "chips/blackhole/noc_map.h"

static bool is_ddr_column(const struct noc_translation *t, unsigned x) {
  return (x == NOC_EAST_X && t->ddr_columns & 1u) || (x == NOC_WEST_X && t->ddr_columns & 2u);
}

void noc_translate(const struct noc_translation *t, unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y) {
  unsigned x31 = x & 31u, y31 = y & 31u;
  if (t->ddr_swap >> y31 & 1u && is_ddr_column(t, x31 ^ NOC_EAST_X)) *raw_x = x31 ^ NOC_EAST_X;
  else if (t->row_mask >> y31 & 1u) *raw_x = x;
  else *raw_x = t->x[x31];
  if (is_ddr_column(t, x31)) *raw_y = t->ddr[y31];
  else if (t->column_mask >> x31 & 1u) *raw_y = y;
  else *raw_y = t->y[y31];
}

bool noc_is_name(unsigned x, unsigned y) {
  if (x < NOC_GRID_X && y < NOC_GRID_Y) return true;
  if (x == CHIP_TRANSLATED_DRAM_X || x == CHIP_TRANSLATED_DRAM_X + 1)
    return y >= CHIP_TRANSLATED_DRAM_Y && y < CHIP_TRANSLATED_PCIE_Y;
  if (x == CHIP_MIDDLE_X) return y >= CHIP_TRANSLATED_L2CPU_Y && y <= CHIP_TRANSLATED_SECURITY_Y;
  if (x == CHIP_TRANSLATED_PCIE_X) return y == CHIP_TRANSLATED_PCIE_Y;
  return x >= CHIP_TRANSLATED_ETHERNET_X && x < CHIP_TRANSLATED_ETHERNET_X + CHIP_TRANSLATED_ETHERNETS &&
         y == CHIP_TRANSLATED_ETHERNET_Y;
}

static uint8_t entry(const uint32_t *words, unsigned i) {
  return (uint8_t)(words[i / NOC_ENTRIES_PER_WORD] >> (i % NOC_ENTRIES_PER_WORD * NOC_ENTRY_BITS) & 31u);
}

/* Loads the fields that are not tables. */
static void load_masks(struct noc_translation *t, const uint32_t config[NOC_CONFIG_WORDS]) {
  t->ddr_columns = config[NOC_CFG_DDR_TABLE + 5] >> NOC_DDR_COLUMNS_BIT & 3u;
  t->column_mask = config[NOC_CFG_COLUMN_MASK];
  t->row_mask = config[NOC_CFG_ROW_MASK];
  t->ddr_swap = config[NOC_CFG_DDR_SWAP];
}

void noc_translate_words(const uint32_t config[NOC_CONFIG_WORDS], unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y) {
  struct noc_translation t;
  unsigned x31 = x & 31u, y31 = y & 31u;
  load_masks(&t, config);
  t.x[x31] = entry(&config[NOC_CFG_X_TABLE], x31);
  t.y[y31] = entry(&config[NOC_CFG_Y_TABLE], y31);
  t.ddr[y31] = entry(&config[NOC_CFG_DDR_TABLE], y31);
  noc_translate(&t, x, y, raw_x, raw_y);
}

static void store_table(const uint8_t table[32], uint32_t *words) {
  memset(words, 0, 6 * sizeof *words);
  for (unsigned i = 0; i < 32; i++)
    words[i / NOC_ENTRIES_PER_WORD] |= (uint32_t)(table[i] & 31u) << (i % NOC_ENTRIES_PER_WORD * NOC_ENTRY_BITS);
}

void noc_translation_store(const struct noc_translation *t, uint32_t config[NOC_CONFIG_WORDS]) {
  store_table(t->x, &config[NOC_CFG_X_TABLE]);
  store_table(t->y, &config[NOC_CFG_Y_TABLE]);
  store_table(t->ddr, &config[NOC_CFG_DDR_TABLE]);
  config[NOC_CFG_DDR_TABLE + 5] |= t->ddr_columns << NOC_DDR_COLUMNS_BIT;
  config[NOC_CFG_COLUMN_MASK] = t->column_mask;
  config[NOC_CFG_ROW_MASK] = t->row_mask;
  config[NOC_CFG_DDR_SWAP] = t->ddr_swap;
}
