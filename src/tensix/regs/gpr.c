/* The registers of gpr.h. */
#include "tensix/regs/gpr.h"

#include "tensix/machine.h"

/* Spreads the four bits to one per byte, then each of them over its byte. */
static uint32_t byte_bits(uint32_t byte_mask) {
  return (byte_mask * (1u | 1u << 7 | 1u << 14 | 1u << 21) & UINT32_MAX / UINT8_MAX) * UINT8_MAX;
}

void tx_gpr_write(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask) {
  tx_assert(thread < TX_THREADS && reg < TX_GPRS && byte_mask <= 0xfu);
  uint32_t bits = byte_bits(byte_mask), *gpr = &t->scalar.gpr[thread][reg];
  *gpr = (*gpr & ~bits) | (value & bits);
  /* All GPRs share a page of keys, on which a core is rarely parked. */
  _Static_assert(TX_ADDR_GPR % (1u << SIM_PARK_PAGE_SHIFT) + 4 * TX_THREADS * TX_GPRS <= 1u << SIM_PARK_PAGE_SHIFT,
                 "one page");
  if (!(t->engine.park_pages >> SIM_PARK_BIT(TX_ADDR_GPR >> SIM_PARK_PAGE_SHIFT) & 1u)) return;
  /* at the address for the thread's own core */
  sim_poke(&t->engine, TX_ADDR_GPR + 4 * reg);
  if (thread) sim_poke(&t->engine, TX_ADDR_GPR + 4 * (thread * TX_GPRS + reg)); /* as BRISC does */
}

uint32_t tx_gpr_read(struct tx_tile *t, unsigned thread, unsigned reg) {
  tx_assert(thread < TX_THREADS && reg < TX_GPRS);
  if (t->scalar.gpr_pending[thread][reg]) tx_diag(t, TX_DIAG_GPR_READ_TOO_SOON, "GPR %u of thread %u", reg, thread);
  return t->scalar.gpr[thread][reg];
}

void tx_gpr_write_later(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask,
                        uint32_t cycles, bool ends_request) {
  tx_assert(thread < TX_THREADS && reg < TX_GPRS && t->scalar.gpr_pending[thread][reg] < UINT8_MAX);
  t->scalar.gpr_pending[thread][reg]++;
  tx_later(t, cycles, TX_EFFECT_GPR_WRITE, (const uint32_t[SIM_EFFECT_WORDS]){thread, reg, value, byte_mask, ends_request});
}

void tx_effect_GPR_WRITE(struct tx_tile *t, const struct sim_effect *e) {
  unsigned thread = e->w[0], reg = e->w[1];
  tx_gpr_write(t, thread, reg, e->w[2], e->w[3]);
  tx_assert(t->scalar.gpr_pending[thread][reg] > 0);
  t->scalar.gpr_pending[thread][reg]--;
  if (!e->w[4]) return;
  tx_assert(t->scalar.outstanding[thread] > 0);
  t->scalar.outstanding[thread]--;
  tx_perf_touch(t);
  sim_signal(&t->engine, TX_CH(TX_CH_MEMORY), t->engine.now);
}
