/* The hash of hash.h. */
#include "sim/hash.h"

#include <string.h>

uint64_t sim_hash_bytes(uint64_t h, const void *bytes, size_t length) {
  const uint8_t *b = bytes;
  size_t i = 0;
  for (; i + 8 <= length; i += 8) {
    uint64_t v;
    memcpy(&v, b + i, 8);
    h = (h ^ v) * UINT64_C(0x2127599bf4325c37); /* fast-hash */
    h ^= h >> 47;
  }
  for (; i < length; i++) h = (h ^ b[i]) * UINT64_C(0x100000001b3); /* FNV-1a */
  return h;
}
