/* The windows through which cores push instructions and write MOP configuration. ISA: PushTensixInstruction.md, MOPExpander.md */
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

struct tx_bus_answer tx_access_push(struct tx_tile *t, const struct tx_request *r) {
  unsigned window = (r->address - TX_ADDR_PUSH) >> 16;
  if (!r->store)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "the instruction FIFOs cannot be read");
  if (r->agent == TX_AGENT_NCRISC)
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "PushTensixInstruction.md", "NCRISC cannot push Tensix instructions");
  unsigned target = r->agent == TX_AGENT_BRISC ? window : tx_core_of(r->agent);
  if (t->control.word[TX_CONTROL_DBG_INSTRN_BUF_CTRL0 / 4] >> target & 1u)
    return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
                         "the debug bus has control of this FIFO: the word is very likely lost");
  if (r->agent == TX_AGENT_BRISC) {
    if (tx_frontend_push_brisc(t, window, r->value, t->current.pc)) return tx_bus_done(0, 1);
    bool moving = t->timing && t->frontend[window].moving == TX_MOVING; /* FIFO 2 may have room in the next cycle */
    sim_time at = moving ? t->engine.now + 1 : 0;
    return tx_bus_wait(TX_CH(TX_CH_FIFO + window), at, TX_BLOCKED_FIFO, window);
  }
  if (window)
    return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "PushTensixInstruction.md",
                         "this hangs a T core: it pushes to its own thread, through 0xffe40000");
  unsigned thread = tx_core_of(r->agent);
  if (tx_frontend_push(t, thread, r->value, t->current.pc)) return tx_bus_done(0, 1);
  return tx_bus_wait(TX_CH(TX_CH_FIFO + thread), tx_frontend_drains_at(t, thread), TX_BLOCKED_FIFO, thread);
}

struct tx_bus_answer tx_access_mop(struct tx_tile *t, const struct tx_request *r) {
  uint32_t index = (r->address - TX_ADDR_MOP_CFG) / 4;
  if (index >= TX_MOP_REGISTERS) return tx_bus_unmapped();
  if (!tx_is_trisc(r->agent))
    return tx_bus_refuse(t, r, SIM_FAULT_ADDRESS, "MOPExpander.md",
                         "MOP configuration is mapped for the T cores only, each its own");
  if (!r->store) return tx_bus_refuse(t, r, SIM_FAULT_UNDEFINED, "MOPExpander.md", "MOP configuration is write-only");
  tx_assert(index < TX_MOP_REGISTERS && tx_core_of(r->agent) < TX_THREADS);
  tx_frontend_write_mop_cfg(t, tx_core_of(r->agent), index, r->value);
  return tx_bus_done(0, 1);
}
