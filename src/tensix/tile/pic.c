/* The PIC of pic.h. */
#include "tensix/tile/pic.h"

#include "tensix/machine.h"
#include "tensix/riscv/interrupt.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/windows.h"

#define NOC_INTERRUPTS 6u /* 1 and 2 */

bool tx_pic_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  static const uint8_t core[5] = {3, 4, 0, 1, 2};
  uint32_t index = (address - TX_ADDR_PIC) / 4;
  if (index < TX_PIC_WORDS) *value = t->pic.word[index];
  if (index >= TX_PIC_SW_INT && index < TX_PIC_HW_INT && *value) {
    t->pic.word[index] = 0;
    sim_poke(&t->engine, address);
  }
  if (index >= TX_PIC_WORDS) *value = t->core[core[(address - TX_ADDR_PC_SNAPSHOT) / 4]].pc;
  return true;
}

bool tx_pic_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  enum { BRISC_SW_EN, BRISC_HW_EN, BRISC_NUMBER, NCRISC_SW_EN, NCRISC_HW_EN, NCRISC_NUMBER };
  uint32_t index = (address - TX_ADDR_PIC) / 4;
  bool hardware = index >= TX_PIC_HW_INT && index < TX_PIC_HW_INT + 4;
  if (index >= TX_PIC_WORDS || index == BRISC_NUMBER || index == NCRISC_NUMBER || hardware) return true; /* read-only */
  bool hardware_enable = index == BRISC_HW_EN || index == NCRISC_HW_EN;
  if (hardware_enable && value & ~NOC_INTERRUPTS) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "PIC.md",
             "PIC: hardware interrupts enabled (0x%x to 0x%08x): those of the overlay and of the watchdog are not modelled",
             value, address);
    return false;
  }
  t->pic.word[index] = value;
  if (hardware_enable || index == BRISC_SW_EN || index == NCRISC_SW_EN)
    tx_interrupt_enabled(t, index <= BRISC_HW_EN ? TX_CORE_BRISC : TX_CORE_NCRISC);
  sim_poke(&t->engine, address);
  return true;
}

struct tx_bus_answer tx_access_pic(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0, there = t->params.mmio_request_cycles;
  if (r->store) return tx_bus_emit(t, r, TX_REGION_CONTROL);
  if (tx_bus_behind_stores(t, r, TX_REGION_CONTROL, &answer)) return answer;
  tx_pic_read(t, r->address & ~3u, &value);
  answer = tx_bus_finish_load(t, r, value, there, 2 * there + 1);
  answer.moves = r->address >= TX_ADDR_PC_SNAPSHOT;
  return answer;
}

bool tx_arrive_pic(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_pic_write(t, r->address, r->value);
  return true;
}
