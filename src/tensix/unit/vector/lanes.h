/* The arithmetic of the 32 lanes (lanes.def), in a plain version and in vector versions for several targets. All
 * versions compute the same bits; the plain one (lanes_scalar.c) is the reference.
 *
 * ISA: SFPMAD.md and the other BlackholeA0 pages of SFP* instructions. */
#ifndef TESSERA_TENSIX_VECTOR_LANES_H
#define TESSERA_TENSIX_VECTOR_LANES_H

#include <stdint.h>

#include "tensix/state/vector.h"

struct tx_lane_args {
  uint32_t *d;
  const uint32_t *a, *b, *c; /* may be the row d itself */
  const tx_row *regs;        /* LUT and LUT32 */
  uint32_t i, j;
  uint32_t mask; /* lanes that are written */
};

typedef uint32_t tx_lane_fn(const struct tx_lane_args *x);

enum tx_lane_op {
#define LANE_OP(name, what) TX_LANE_##name,
#include "tensix/unit/vector/lanes.def"
#undef LANE_OP
  TX_LANE_COUNT
};

struct tx_lane_ops {
  const char *name; /* "scalar", "base", "avx2", "avx512" */
  tx_lane_fn *fn[TX_LANE_COUNT];
};

extern const struct tx_lane_ops tx_lanes_scalar, tx_lanes_base;
#if defined(__x86_64__)
extern const struct tx_lane_ops tx_lanes_avx2, tx_lanes_avx512;
#endif

/* The fastest version for this processor. */
const struct tx_lane_ops *tx_lanes_best(void);
/* All versions that this processor supports, NULL after the last. */
const struct tx_lane_ops *tx_lanes_version(unsigned index);

/* Tables of SFPARECIP, on magnitudes; coefficients of SFPLUT and SFPLUTFP32. (tables.c) */
uint32_t tx_approximate_reciprocal(uint32_t magnitude);
uint32_t tx_approximate_exponential(uint32_t magnitude);

#endif
