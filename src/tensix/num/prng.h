/* The pseudo-random generators for stochastic rounding: a 32-bit shift register each. ISA: VectorUnit.md "PRNG", which gives the
 * step for the vector unit. SoftReset.md says that the matrix unit and the packer have generators too, BackendConfiguration.md that a
 * write to PRNG_SEED seeds all; that they step alike, and how a seed becomes states, is inferred from the vector unit (golden model).
 */
#ifndef TESSERA_NUM_PRNG_H
#define TESSERA_NUM_PRNG_H

#include <stdint.h>

static inline uint32_t num_prng_step(uint32_t state) {
  return (uint32_t)~__builtin_popcount(state & 0x80200003u) << 31 | state >> 1;
}

/* Returns the bits of this draw and steps the generator. */
static inline uint32_t num_prng_next(uint32_t *state) {
  uint32_t bits = *state;
  *state = num_prng_step(bits);
  return bits;
}

/* 32 steps from the seed, then two for each generator, from the last to the first (golden model; undocumented). */
void num_prng_seed(uint32_t *states, unsigned count, uint32_t seed);

/* Dropped bits from this limit on round up: 23 random bits, scaled to `dropped` bits. The comparison is >=, the bug described in
 * SFPSTOCHRND_FloatFloat.md and Packers/FormatConversion.md: a limit of 0 rounds up an exact value. */
static inline uint32_t num_prng_limit(uint32_t random, unsigned dropped) {
  uint32_t bits = random & 0x7fffffu;
  return dropped <= 23 ? bits >> (23 - dropped) : bits << (dropped - 23);
}

#endif
