/* See finding.h. */
#include "pto/runtime/finding.h"

const char *pto_finding_name(unsigned kind) {
  static const char *const names[PTO_FIND_KINDS] = {"none",
                                                    "overwrite-before-read",
                                                    "read-before-write",
                                                    "use-after-free",
                                                    "double-free",
                                                    "landing-overwritten",
                                                    "counter-overflow",
                                                    "flag-collision",
                                                    "split-mismatch",
                                                    "slot-too-small",
                                                    "credit-leak",
                                                    "unsynchronised",
                                                    "ring-over-tile",
                                                    "ring-over-ring",
                                                    "ends-disagree",
                                                    "fault",
                                                    "cycle-limit",
                                                    "hang",
                                                    "data-race",
                                                    "two-writers",
                                                    "type-mismatch",
                                                    "tile-over-tile",
                                                    "result-differs"};
  return kind < PTO_FIND_KINDS ? names[kind] : "?";
}

bool pto_finding_is_hazard(unsigned kind) { return kind != PTO_FIND_LEAK && kind != PTO_FIND_NONE; }
