/* The window on TDMA-RISC (tdma.h). */
#include "tensix/machine.h"
#include "tensix/tile/bus_order.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"
#include "tensix/unit/tdma.h"

static struct tx_bus_answer access_tdma(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.cfg_request_cycles;
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "TDMA-RISC is not mapped for NCRISC");
  if (r->store) return tx_bus_emit(t, r, TX_REGION_TDMA);
  if (tx_bus_behind_stores(t, r, TX_REGION_TDMA, &answer)) return answer;
  switch (tx_tdma_read(t, r->agent, r->address, &value)) {
    case TX_TDMA_DONE:
      answer = tx_bus_finish_load(t, r, value, there, 2 * there);
      answer.moves = (r->address & 0xffu) == 0x3c; /* the busy state of the packer: no signal is raised when it ends */
      return answer;
    case TX_TDMA_NONE: return tx_bus_unmapped();
    default:
      return tx_bus_wait_load(t, r, TX_CH(TX_CH_UNIT + TX_UNIT_PACK) | TX_CH(TX_CH_UNIT + TX_UNIT_MOVER), 0, TX_BLOCKED_LOAD,
                              r->address);
  }
}

struct tx_bus_answer tx_access_tdma(struct tx_tile *t, const struct tx_request *r) {
  return tx_bus_in_order(t, r, access_tdma);
}

bool tx_arrive_tdma(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  if (t->control.word[TX_CONTROL_SOFT_RESET_0 / 4] >> 8 & 1u) return true; /* held in reset: discarded. ISA: SoftReset.md */
  enum tx_tdma_result result = tx_tdma_write(t, r->agent, r->address, r->value);
  if (result == TX_TDMA_WAIT) tx_bus_again(t, e); /* the command queue is full */
  if (result == TX_TDMA_NONE) tx_bus_unmapped();
  return result != TX_TDMA_WAIT;
}
