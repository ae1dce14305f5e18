/* The tables and the algorithm of translation.h. */
#include "noc/translation.h"

#include <stdbool.h>
#include <string.h>

#define WEST_X 0u /* the two columns that the DDR table can translate */
#define EAST_X 9u

enum { X_TABLE = 6, Y_TABLE = 12, COLUMN_MASK = 20, ROW_MASK = 21, DDR_TABLE = 22, DDR_SWAP = 28 };

static bool is_ddr_column(const struct noc_translation *t, unsigned x) {
  return (x == EAST_X && t->ddr_columns & 1u) || (x == WEST_X && t->ddr_columns & 2u);
}

void noc_translate(const struct noc_translation *t, unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y) {
  unsigned x31 = x & 31u, y31 = y & 31u;
  if (t->ddr_swap >> y31 & 1u && is_ddr_column(t, x31 ^ EAST_X)) *raw_x = x31 ^ EAST_X;
  else if (t->row_mask >> y31 & 1u) *raw_x = x;
  else *raw_x = t->x[x31];
  if (is_ddr_column(t, x31)) *raw_y = t->ddr[y31];
  else if (t->column_mask >> x31 & 1u) *raw_y = y;
  else *raw_y = t->y[y31];
}

#define ENTRIES_PER_WORD 6u
#define ENTRY_BITS 5u
#define DDR_COLUMNS_BIT 10u /* in the DDR table's last word, which holds two entries */

static uint8_t entry(const uint32_t *words, unsigned i) {
  return (uint8_t)(words[i / ENTRIES_PER_WORD] >> (i % ENTRIES_PER_WORD * ENTRY_BITS) & 31u);
}

static void load_table(uint8_t table[32], const uint32_t *words) {
  for (unsigned i = 0; i < 32; i++) table[i] = entry(words, i);
}

/* Loads the fields that are not tables. */
static void load_masks(struct noc_translation *t, const uint32_t config[NOC_CONFIG_WORDS]) {
  t->ddr_columns = config[DDR_TABLE + 5] >> DDR_COLUMNS_BIT & 3u;
  t->column_mask = config[COLUMN_MASK];
  t->row_mask = config[ROW_MASK];
  t->ddr_swap = config[DDR_SWAP];
}

void noc_translate_words(const uint32_t config[NOC_CONFIG_WORDS], unsigned x, unsigned y, unsigned *raw_x, unsigned *raw_y) {
  struct noc_translation t;
  unsigned x31 = x & 31u, y31 = y & 31u;
  load_masks(&t, config);
  t.x[x31] = entry(&config[X_TABLE], x31);
  t.y[y31] = entry(&config[Y_TABLE], y31);
  t.ddr[y31] = entry(&config[DDR_TABLE], y31);
  noc_translate(&t, x, y, raw_x, raw_y);
}

static void store_table(const uint8_t table[32], uint32_t *words) {
  memset(words, 0, 6 * sizeof *words);
  for (unsigned i = 0; i < 32; i++)
    words[i / ENTRIES_PER_WORD] |= (uint32_t)(table[i] & 31u) << (i % ENTRIES_PER_WORD * ENTRY_BITS);
}

void noc_translation_load(struct noc_translation *t, const uint32_t config[NOC_CONFIG_WORDS]) {
  load_table(t->x, &config[X_TABLE]);
  load_table(t->y, &config[Y_TABLE]);
  load_table(t->ddr, &config[DDR_TABLE]);
  load_masks(t, config);
}

void noc_translation_store(const struct noc_translation *t, uint32_t config[NOC_CONFIG_WORDS]) {
  store_table(t->x, &config[X_TABLE]);
  store_table(t->y, &config[Y_TABLE]);
  store_table(t->ddr, &config[DDR_TABLE]);
  config[DDR_TABLE + 5] |= t->ddr_columns << DDR_COLUMNS_BIT;
  config[COLUMN_MASK] = t->column_mask;
  config[ROW_MASK] = t->row_mask;
  config[DDR_SWAP] = t->ddr_swap;
}
