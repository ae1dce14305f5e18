/* Decoded lines of code: one store for all tiles of a machine, which mostly execute the same programs. A line is found by its content and never
 * changes, so a tile holds only its number and any host thread may look it up or add it. When the store is full, or if a tile has none, a core
 * decodes a line each time it enters it. */
#ifndef TESSERA_TENSIX_RISCV_CODE_H
#define TESSERA_TENSIX_RISCV_CODE_H

#include "tensix/state/core.h"

#define TX_CODE_LINES SIM_LIMIT(1u << 18, 48u)
#define TX_CODE_HEADS SIM_LIMIT(1u << 14, 4u)

/* Lines whose contents have the same hash are a list. Line 0 is not used. */
struct tx_code {
  uint32_t count; /* lines that were taken; more than there are: the store is full */
  uint32_t head[TX_CODE_HEADS];
  uint32_t next[TX_CODE_LINES];
  struct tx_insn line[TX_CODE_LINES][TX_IC_WORDS];
};

struct tx_code *tx_code_create(void); /* NULL: out of memory */
void tx_code_destroy(struct tx_code *code);
/* The number of the line with these words; 0: there is no room for it. */
uint32_t tx_code_find(struct tx_code *code, const uint32_t words[TX_IC_WORDS]);

#endif
