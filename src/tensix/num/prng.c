#include "tensix/num/prng.h"

void num_prng_seed(uint32_t *states, unsigned count, uint32_t seed) {
  for (unsigned i = 0; i < 32; i++) seed = num_prng_step(seed);
  for (unsigned i = count; i-- > 0;) {
    seed = num_prng_step(num_prng_step(seed));
    states[i] = seed;
  }
}
