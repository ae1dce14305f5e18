/* The instruction cache and the branch predictor of a core. */
#ifndef TESSERA_TENSIX_RISCV_FETCH_H
#define TESSERA_TENSIX_RISCV_FETCH_H

#include <string.h>

#include "tensix/riscv/code.h"
#include "tensix/riscv/run.h"

/* The slot of the line in the instruction cache; -1: not present. */
int tx_fetch_slot(const struct tx_core *c, uint32_t pc);
/* Makes the line of pc the current one. false: a fault was recorded, or the core has to wait until run->wake. */
bool tx_fetch_line(struct tx_core_run *run, uint32_t pc);
/* The cache is to be invalidated before the core fetches a line again. */
static inline bool tx_fetch_is_invalid(const struct tx_core_run *run) {
  return run->t->config.ic_invalidate & tx_core_cache_bit(run->core);
}
/* The usual case: the line is in the cache and equal to L1. false: tx_fetch_line has to do it. */
static inline bool tx_fetch_present(struct tx_core_run *run, uint32_t pc) {
  struct tx_core_fetch *f = &run->c->fetch;
  const uint32_t line = pc & ~15u, set = line >> 4 & (TX_IC_SETS - 1);
  uint32_t slot = set * TX_IC_WAYS;
  if (f->tag[slot] != line + 1 && f->tag[++slot] != line + 1) return false;
  if (pc & 3u || tx_fetch_is_invalid(run) || run->t->fault.kind ||
      memcmp(&f->words[slot * TX_IC_WORDS], &run->t->l1[line], 16) != 0)
    return false;
  f->recent[set] = slot % TX_IC_WAYS;
  f->slot = slot;
  f->line = line + 1;
  f->ready = 0;
  return true;
}
/* The decoded line in this slot of the instruction cache, which is looked up or decoded now. Valid until the core enters another line. */
const struct tx_insn *tx_fetch_decode(struct tx_core_run *run, uint32_t slot);
/* The decoded line in this slot; NULL: it has not been looked up. */
static inline const struct tx_insn *tx_fetch_decoded(const struct tx_tile *t, unsigned core, uint32_t slot) {
  const uint32_t line = t->unsaved.cores.line[core][slot];
  return line ? t->unsaved.cores.code->line[line] : NULL;
}
/* As tx_fetch_decode. */
static inline const struct tx_insn *tx_fetch_insns(struct tx_core_run *run, uint32_t slot) {
  const struct tx_insn *line = tx_fetch_decoded(run->t, run->core, slot);
  return __builtin_expect(line != NULL, 1) ? line : tx_fetch_decode(run, slot);
}
/* Predicts, updates the predictor, and returns whether the prediction was wrong. */
bool tx_fetch_mispredicts(struct tx_core *c, uint32_t pc, bool taken, uint32_t target, bool indirect);

#endif
