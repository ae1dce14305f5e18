/* The vectors of reset_vector.h. ISA: SoftReset.md (Blackhole) */
#include "tensix/tile/reset_vector.h"

#include "tensix/machine.h"
#include "tensix/tile/ethernet.h"

uint32_t tx_control_reset_pc(const struct tx_tile *t, unsigned core) {
  static const uint32_t fixed[TX_CORES] = TX_RESET_PCS;
  const uint32_t *w = t->control.word;
  if (t->ethernet.on) return tx_ethernet_reset_pc(t, core);
  if (core < 3 && w[TX_CONTROL_TRISC_RESET_PC_OVERRIDE / 4] >> core & 1u) return w[TX_CONTROL_TRISC0_RESET_PC / 4 + core];
  if (core == TX_CORE_NCRISC && (w[TX_CONTROL_NCRISC_RESET_PC_OVERRIDE / 4] & 1u)) return w[TX_CONTROL_NCRISC_RESET_PC / 4];
  return fixed[core];
}
