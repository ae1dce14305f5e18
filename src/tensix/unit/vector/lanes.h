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
/* Operations one after the other, all with one mask; their rows are offsets from `base`. The generators of those that step them are one row,
 * which no other operation of the run uses: they may be stepped at its end. */
typedef void tx_lane_run_fn(void *base, const struct tx_lane_step *const *steps, unsigned count, uint32_t mask);

#define TX_LANE_HALF 0x400000u /* of 23 discarded bits: from here on to nearest rounds up */
#define TX_LANE_LOW_HALVES 64u /* STORE32: words from the rows of the high halves to those of the low halves */

enum tx_lane_op {
#define LANE_OP(name, what) TX_LANE_##name,
#include "tensix/unit/vector/lanes.def"
#undef LANE_OP
  TX_LANE_COUNT
};

struct tx_lane_ops {
  const char *name; /* "scalar", "base", "avx2", "avx512" */
  tx_lane_fn *fn[TX_LANE_COUNT];
  tx_lane_run_fn *run;
};

static inline struct tx_lane_args tx_lane_step_args(void *base, const struct tx_lane_step *s, uint32_t mask) {
  char *from = base;
  return (struct tx_lane_args){.d = (uint32_t *)(void *)(from + s->d),
                               .a = (const uint32_t *)(void *)(from + s->a),
                               .b = (const uint32_t *)(void *)(from + s->b),
                               .c = (const uint32_t *)(void *)(from + s->c),
                               .i = s->i,
                               .j = s->j,
                               .mask = mask};
}

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
