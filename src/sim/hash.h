/* The hash of state and of saved bytes: eight bytes per step, a multiplication and a shift each. Not cryptographic. */
#ifndef TESSERA_SIM_HASH_H
#define TESSERA_SIM_HASH_H

#include <stddef.h>
#include <stdint.h>

#define SIM_HASH_BASIS UINT64_C(0xcbf29ce484222325)

/* Continues the hash `h` over the bytes. The result depends on where calls divide the bytes. */
uint64_t sim_hash_bytes(uint64_t h, const void *bytes, size_t length);
/* Spreads the upper bits: the last step of a hash. */
static inline uint64_t sim_hash_end(uint64_t h) { return h ^ (h >> 29); }

#endif
