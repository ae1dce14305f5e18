/* The table of kinds.h. */
#include "chip/kinds.h"

const struct chip_endpoint_ops *chip_kind_ops(unsigned kind) {
  static const struct chip_endpoint_ops *const ops[CHIP_KINDS] = {
      [CHIP_TENSIX] = &chip_tensix_ops,
  };
  return kind < CHIP_KINDS ? ops[kind] : NULL;
}
