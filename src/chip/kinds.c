/* The table of kinds.h. */
#include "chip/kinds.h"

const struct chip_endpoint_ops *chip_kind_ops(unsigned kind) {
  static const struct chip_endpoint_ops *const ops[CHIP_KINDS] = {
      [CHIP_ROUTER] = &chip_router_ops,     [CHIP_TENSIX] = &chip_tensix_ops, [CHIP_DRAM] = &chip_dram_ops,
      [CHIP_ETHERNET] = &chip_ethernet_ops, [CHIP_PCIE] = &chip_pcie_ops,     [CHIP_ARC] = &chip_arc_ops,
      [CHIP_SECURITY] = &chip_security_ops, [CHIP_L2CPU] = &chip_l2cpu_ops,
  };
  return kind < CHIP_KINDS ? ops[kind] : NULL;
}
