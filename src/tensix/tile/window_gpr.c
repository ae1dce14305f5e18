/* The window on the GPRs. ISA: MemoryOrdering.md, "Aliasing" */
#include "tensix/machine.h"
#include "tensix/regs/gpr.h"
#include "tensix/tile/bus_order.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

static bool find_gpr(const struct tx_request *r, unsigned *thread, unsigned *reg) {
  uint32_t index = (r->address - TX_ADDR_GPR) / 4;
  if (r->agent == TX_AGENT_BRISC && index < TX_THREADS * TX_GPRS) {
    *thread = index / TX_GPRS;
    *reg = index % TX_GPRS;
    return true;
  }
  if (!tx_is_trisc(r->agent)) return false;
  *thread = tx_core_of(r->agent);
  *reg = index % TX_GPRS;
  return true;
}

static struct tx_bus_answer access_gpr(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread, reg;
  struct tx_bus_answer answer;
  if (!find_gpr(r, &thread, &reg))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "ScalarUnit.md", "BRISC can access 192 GPRs, NCRISC none");
  if (r->store) return tx_bus_emit(t, r, TX_REGION_GPR);
  if (tx_bus_behind_stores(t, r, TX_REGION_GPR, &answer)) return answer;
  uint32_t there = t->params.gpr_request_cycles;
  answer = tx_bus_finish_load(t, r, t->scalar.gpr[thread][reg], there, 2 * there);
  /* a write wakes only pollers of the first alias */
  answer.moves = tx_is_trisc(r->agent) && r->address >= TX_ADDR_GPR + 4 * TX_GPRS;
  return answer;
}

struct tx_bus_answer tx_access_gpr(struct tx_tile *t, const struct tx_request *r) {
  return tx_bus_in_order(t, r, access_gpr);
}

bool tx_arrive_gpr(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  unsigned thread = 0, reg = 0;
  (void)e;
  find_gpr(r, &thread, &reg);
  tx_assert(thread < TX_THREADS && reg < TX_GPRS);
  tx_gpr_write(t, thread, reg, r->value, 0xfu);
  return true;
}
