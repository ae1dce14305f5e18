#include "tensix/tile/debug_bus.h"

#include <stdbool.h>

#include "tensix/machine.h"
#include "tensix/tile/core_debug.h"

enum { CORES_DAISY = 7, PC_BITS = 0x3fffffff, RETIRE_PC_BITS = 0x7fffffff };

/* SignalSel of the cores' groups A; group B is the next number. */
static const uint8_t group_a[TX_CORES] = {12, 14, 16, [TX_CORE_BRISC] = 10, [TX_CORE_NCRISC] = 24} /* T0, T1, T2, B, NC */;

static bool find_core(uint32_t signal, unsigned *core, bool *group_b) {
  for (*core = 0; *core < TX_CORES; ++*core) {
    *group_b = signal == group_a[*core] + 1u;
    if (*group_b || signal == group_a[*core]) return true;
  }
  return false;
}

uint32_t tx_debug_bus_read(struct tx_tile *t, uint32_t select) {
  uint32_t signal = select & 0xffffu, daisy = select >> 16 & 0xffu, part = select >> 25 & 3u;
  bool enabled = select >> 29 & 1u, group_b = false;
  unsigned core = 0;
  if (!enabled) return 0;
  if (daisy != CORES_DAISY || !find_core(signal, &core, &group_b)) {
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "the debug daisychain reads 0: DaisySel %u, SignalSel %u is not modelled", daisy,
            signal);
    return 0;
  }
  uint32_t pc = tx_core_debug_pc(t, core);
  if (group_b) return part == 1 ? pc & PC_BITS : 0;
  return part == 0 ? pc & RETIRE_PC_BITS : part == 2 ? pc & PC_BITS : 0;
}
