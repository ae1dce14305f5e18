/* The counters of context.h. */
#include "tensix/regs/context.h"

#include "tensix/machine.h"

void tx_context_restart_rows(struct tx_tile *t, unsigned unpacker, unsigned thread) {
  tx_assert(unpacker < 2 && thread < TX_THREADS);
  uint32_t base = unpacker ? TX_THREAD_CFG_GET(t, thread, SRCB_SET_Base) : TX_THREAD_CFG_GET(t, thread, SRCA_SET_Base);
  t->unpack.src_row[unpacker][thread] = (uint8_t)(base << 4 & 0x3fu);
}

/* ISA: UNPACR_IncrementContextCounter.md. The meaning of Context_count_non_log2 is not documented. */
bool tx_context_step(struct tx_tile *t, unsigned u, unsigned thread, unsigned context) {
  uint32_t word0 = tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG2_Context_count_ADDR + 48u * u);
  uint32_t word1 = tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG2_Context_count_non_log2_en_ADDR + 48u * u);
  if (word1 >> TX_CFG_THCON_SEC0_REG2_Context_count_non_log2_en_SHIFT & 1u) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "UNPACR_IncrementContextCounter.md",
             "unpacker %u: no document defines Context_count_non_log2_en", u);
    return false;
  }
  tx_assert(u < 2 && thread < TX_THREADS && context < 8);
  unsigned next = (context + 1) & 7u;
  unsigned count = 1u << (word0 >> TX_CFG_THCON_SEC0_REG2_Context_count_SHIFT & 3u);
  t->unpack.context_counter[u][thread] = (uint8_t)(next >= count ? 0 : next);
  return true;
}

/* ISA: BackendConfiguration.md, "SETC16 to UNPACK_MISC_CFG". The Inc bits step by one (inferred from their name). */
void tx_context_misc_written(struct tx_tile *t, unsigned thread, uint32_t value) {
  for (unsigned u = 0; u < 2; u++) {
    unsigned shift =
        u ? TX_CFG_UNPACK_MISC_CFG_CfgContextCntReset_1_SHIFT : TX_CFG_UNPACK_MISC_CFG_CfgContextCntReset_0_SHIFT;
    if (value >> shift & 1u) t->unpack.context_counter[u][thread] = 0;
    else if (value >> (shift + 1) & 1u) tx_context_step(t, u, thread, t->unpack.context_counter[u][thread]);
  }
}
