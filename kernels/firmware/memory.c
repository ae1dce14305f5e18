/* What the compiler calls for copies, clearing and comparisons of structs and arrays. Linked only with a kernel that needs one of them, behind
 * its code, so that no other kernel changes; a kernel's own function takes its place. */
#include <stddef.h>
#include <stdint.h>

#define MEMORY_FUNCTION(name) __attribute__((weak)) name

void *MEMORY_FUNCTION(memcpy)(void *to, const void *from, size_t size) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((((uint32_t)t | (uint32_t)f) & 3) == 0)
    for (; size >= 4; size -= 4, t += 4, f += 4) *(uint32_t *)t = *(const uint32_t *)f;
  for (; size; size--) *t++ = *f++;
  return to;
}

void *MEMORY_FUNCTION(memmove)(void *to, const void *from, size_t size) {
  uint8_t *t = to;
  const uint8_t *f = from;
  if ((uint32_t)t - (uint32_t)f >= size) {
    for (size_t i = 0; i < size; i++) t[i] = f[i];
  } else {
    while (size--) t[size] = f[size];
  }
  return to;
}

void *MEMORY_FUNCTION(memset)(void *to, int value, size_t size) {
  uint8_t *t = to;
  if (((uint32_t)t & 3) == 0)
    for (uint32_t word = (uint8_t)value * 0x01010101u; size >= 4; size -= 4, t += 4) *(uint32_t *)t = word;
  for (; size; size--) *t++ = (uint8_t)value;
  return to;
}

int MEMORY_FUNCTION(memcmp)(const void *left, const void *right, size_t size) {
  const uint8_t *l = left, *r = right;
  for (; size; size--, l++, r++)
    if (*l != *r) return *l - *r;
  return 0;
}
