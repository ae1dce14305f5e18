/* The pseudo-random generators behind stochastic rounding: a 32-bit shift register each. ISA: VectorUnit.md "PRNG", which gives the
 * step for the vector unit. SoftReset.md says that the matrix unit and the packer have generators too, BackendConfiguration.md that a
 * write to PRNG_SEED seeds all; that they step alike, and how a seed becomes states, is inferred from the vector unit (golden model).
 */
#ifndef TESSERA_NUM_PRNG_H
#define TESSERA_NUM_PRNG_H

#include <stdint.h>

static inline uint32_t num_prng_step(uint32_t state) {
  return (uint32_t)~__builtin_popcount(state & 0x80200003u) << 31 | state >> 1;
}

/* The bits of this draw; the generator moves on. */
static inline uint32_t num_prng_next(uint32_t *state) {
  uint32_t bits = *state;
  *state = num_prng_step(bits);
  return bits;
}

/* 32 steps from the seed, then two for each generator, from the last to the first (golden model: no document says). */
void num_prng_seed(uint32_t *states, unsigned count, uint32_t seed);

/* What is discarded rounds up from this limit on: 23 random bits, scaled to `dropped` bits. The comparison is >=, the bug that
 * SFPSTOCHRND_FloatFloat.md and Packers/FormatConversion.md tell of: a limit of 0 rounds up what needs no rounding. */
static inline uint32_t num_prng_limit(uint32_t random, unsigned dropped) {
  uint32_t bits = random & 0x7fffffu;
  return dropped <= 23 ? bits >> (23 - dropped) : bits << (dropped - 23);
}

#endif
