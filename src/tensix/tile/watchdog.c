/* The watchdog timer of watchdog.h. */
#include "tensix/tile/watchdog.h"

#include "tensix/machine.h"

#define COUNTS 1u /* bit 0 of WDT_CNTL */

static uint32_t timer(const struct tx_tile *t) {
  uint32_t value = t->control.word[TX_CONTROL_WATCHDOG_TIMER / 4];
  sim_time passed = t->engine.now - t->control.watchdog_since;
  if (!(t->control.word[TX_CONTROL_WDT_CNTL / 4] & COUNTS)) return value;
  return passed < value ? value - (uint32_t)passed : 0;
}

void tx_watchdog_reset(struct tx_tile *t) { t->control.word[TX_CONTROL_WATCHDOG_TIMER / 4] = 0xffffffffu; }

bool tx_watchdog_write(struct tx_tile *t, uint32_t offset, uint32_t value) {
  if (offset == TX_CONTROL_WDT_STATUS) return true; /* no effect */
  if (offset == TX_CONTROL_WDT_CNTL && (value & ~COUNTS)) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "CycleCounters.md",
             "WDT_CNTL = 0x%08x: bit 0 counts; no document defines the others in a Tensix tile", value);
    return false;
  }
  t->control.word[TX_CONTROL_WATCHDOG_TIMER / 4] = offset == TX_CONTROL_WATCHDOG_TIMER ? value : timer(t);
  if (offset == TX_CONTROL_WDT_CNTL) t->control.word[TX_CONTROL_WDT_CNTL / 4] = value;
  t->control.watchdog_since = t->engine.now;
  return true;
}

uint32_t tx_watchdog_read(const struct tx_tile *t, uint32_t offset) {
  if (offset == TX_CONTROL_WATCHDOG_TIMER) return timer(t);
  uint32_t control = t->control.word[TX_CONTROL_WDT_CNTL / 4];
  return offset == TX_CONTROL_WDT_CNTL ? control : (control & COUNTS) && !timer(t);
}
