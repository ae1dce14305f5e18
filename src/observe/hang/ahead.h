/* The code ahead of a core: its instructions, and whether it reads a register before it overwrites it. */
#ifndef TESSERA_OBSERVE_HANG_AHEAD_H
#define TESSERA_OBSERVE_HANG_AHEAD_H

#include "tensix/riscv/decode.h"
#include "tensix/riscv/fetch.h"
#include "tensix/tile/tile.h"

/* The instruction that the core executes at this address: from its cache, where a word is decoded once, else from L1. */
static inline struct tx_insn obs_insn_at(const struct tx_tile *t, const struct tx_core *core, uint32_t pc) {
  int slot = tx_fetch_slot(core, pc);
  if (slot < 0) return tx_rv_decode(tx_l1_read(t, pc, 4));
  const struct tx_insn *line = tx_fetch_decoded(t, (unsigned)(core - t->core), (uint32_t)slot);
  const uint32_t place = pc >> 2 & 3u;
  return line ? line[place] : tx_rv_decode(core->fetch.words[(uint32_t)slot * TX_IC_WORDS + place]);
}

/* Is one of these registers (bits 1 to 31) read from `from` on, on any way? Also true where a way is not known or too long. */
bool obs_reads_ahead(const struct tx_tile *t, unsigned core, uint32_t from, uint32_t registers);

/* May a branch depend on what the load at this address returns? */
bool obs_decides(const struct tx_tile *t, unsigned core, uint32_t load);
/* May the core load the word that the store at this address writes, later and with a branch on its value? */
bool obs_compares_stored(const struct tx_tile *t, unsigned core, uint32_t at);

#endif
