#include "host/tlb.h"

/* First bits of the fields after the address. The two layouts differ only in the width of the address. */
enum {
  X_END = 0,
  Y_END = 6,
  X_START = 12,
  Y_START = 18,
  NOC = 24,
  BROADCAST = 26,
  ORDERING = 27,
  LINKED = 29,
  STATIC_VC = 30,
  BUDDY = 32,
  CLASS = 33,
};
#define SMALL_ADDRESS_BITS 43u
#define LARGE_ADDRESS_BITS 32u

uint32_t host_tlb_config_read(const struct host_tlb *tlb, uint32_t offset) {
  uint32_t index = offset / 4;
  if (index < HOST_TLB_COUNT * 3) return tlb->word[index / 3][index % 3];
  index -= HOST_TLB_COUNT * 3;
  return index < HOST_TLB_STRIDED ? tlb->strided[index] : 0xffffffffu;
}

void host_tlb_config_write(struct host_tlb *tlb, uint32_t offset, uint32_t value) {
  uint32_t index = offset / 4;
  if (index < HOST_TLB_COUNT * 3) {
    tlb->word[index / 3][index % 3] = value;
    return;
  }
  index -= HOST_TLB_COUNT * 3;
  if (index < HOST_TLB_STRIDED) tlb->strided[index] = value;
}

/* `count` bits (1 to 63) of the 96-bit number, from bit `first`. */
static uint64_t bits(const uint32_t word[3], unsigned first, unsigned count) {
  uint64_t low = word[0] | (uint64_t)word[1] << 32, value;
  if (first >= 64) value = word[2] >> (first - 64);
  else if (first == 0) value = low;
  else value = low >> first | (uint64_t)word[2] << (64 - first);
  return value & ((1ull << count) - 1);
}

uint64_t host_tlb_decode(const struct host_tlb *tlb, unsigned window, struct host_target *target) {
  const uint32_t *word = tlb->word[window];
  bool small = window < HOST_TLB_SMALL;
  unsigned base = small ? SMALL_ADDRESS_BITS : LARGE_ADDRESS_BITS;
  target->x_end = (uint8_t)bits(word, base + X_END, 6);
  target->y_end = (uint8_t)bits(word, base + Y_END, 6);
  target->x_start = (uint8_t)bits(word, base + X_START, 6);
  target->y_start = (uint8_t)bits(word, base + Y_START, 6);
  target->noc = (uint8_t)bits(word, base + NOC, 1);
  target->broadcast = bits(word, base + BROADCAST, 1) != 0;
  target->ordering = (uint8_t)bits(word, base + ORDERING, 2);
  target->linked = bits(word, base + LINKED, 1) != 0;
  target->static_vc = bits(word, base + STATIC_VC, 1) != 0;
  target->vc = (uint8_t)(bits(word, base + CLASS, 2) << 1 | bits(word, base + BUDDY, 1));
  target->strided = target->broadcast && window < HOST_TLB_STRIDED ? tlb->strided[window] : 0;
  return bits(word, 0, base) << (small ? HOST_TLB_SMALL_SHIFT : HOST_TLB_LARGE_SHIFT);
}

/* Runs of `keep` positions that receive and `skip` that do not, counted from the start of the axis, wrapping at its end. */
static bool axis_keeps(unsigned keep, unsigned skip, unsigned at, unsigned start, unsigned length) {
  if (!keep || !skip) return true;
  return (at + length - start) % length % (keep + skip) < keep;
}

static bool axis_excludes(bool upwards, unsigned coordinate, unsigned at) {
  return upwards ? at >= coordinate : at <= coordinate;
}

bool host_tlb_stride_keeps(uint32_t strided, unsigned x, unsigned y, unsigned x_start, unsigned y_start, unsigned columns,
                           unsigned rows) {
  if (!axis_keeps(strided & 3, strided >> 2 & 3, x, x_start, columns)) return false;
  if (!axis_keeps(strided >> 4 & 3, strided >> 6 & 3, y, y_start, rows)) return false;
  bool apply = strided >> 19 & 1;
  return !(apply && axis_excludes(strided >> 17 & 1, strided >> 8 & 31, x) &&
           axis_excludes(strided >> 18 & 1, strided >> 13 & 15, y));
}
