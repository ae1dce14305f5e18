#include "host/iatu.h"

enum { CONTROL1, CONTROL2, BASE_LOW, BASE_HIGH, LIMIT_LOW, TARGET_LOW, TARGET_HIGH, CONTROL3, LIMIT_HIGH };
#define CONTROL1_LONG (1u << 13)
#define CONTROL2_ENABLE (1u << 31)
#define PAGE_MASK 0xfffull

static const uint32_t *find(const struct host_iatu *iatu, uint32_t offset) {
  uint32_t region = offset / HOST_IATU_STRIDE, word = offset % (HOST_IATU_STRIDE / 2) / 4;
  if (region >= HOST_IATU_REGIONS || word >= HOST_IATU_WORDS) return 0;
  return offset & HOST_IATU_STRIDE / 2 ? &iatu->inbound[region][word] : &iatu->outbound[region][word];
}

bool host_iatu_read(const struct host_iatu *iatu, uint32_t offset, uint32_t *value) {
  const uint32_t *word = find(iatu, offset);
  if (word) *value = *word;
  return word != 0;
}

bool host_iatu_write(struct host_iatu *iatu, uint32_t offset, uint32_t value) {
  const uint32_t *word = find(iatu, offset);
  if (!word) return false;
  uint32_t region = offset / HOST_IATU_STRIDE;
  if (offset & HOST_IATU_STRIDE / 2) iatu->inbound[region][word - iatu->inbound[region]] = value;
  else iatu->outbound[region][word - iatu->outbound[region]] = value;
  return true;
}

static uint64_t pair(uint32_t low, uint32_t high) { return low | (uint64_t)high << 32; }

static uint64_t region_base(const uint32_t *r) { return pair(r[BASE_LOW], r[BASE_HIGH]) & ~PAGE_MASK; }
static uint64_t region_target(const uint32_t *r) { return pair(r[TARGET_LOW], r[TARGET_HIGH]) & ~PAGE_MASK; }

/* Without the long form a region ends in the 4 GiB in which it begins. */
static uint64_t region_last(const uint32_t *r) {
  return pair(r[LIMIT_LOW], r[CONTROL1] & CONTROL1_LONG ? r[LIMIT_HIGH] : r[BASE_HIGH]) | PAGE_MASK;
}

static uint64_t smaller(uint64_t a, uint64_t b) { return a < b ? a : b; }

uint64_t host_iatu_translate(const struct host_iatu *iatu, uint64_t address, uint64_t *length) {
  for (unsigned i = 0; i < HOST_IATU_REGIONS; i++) {
    const uint32_t *r = iatu->outbound[i];
    if (!(r[CONTROL2] & CONTROL2_ENABLE)) continue;
    uint64_t base = region_base(r), last = region_last(r);
    if (address < base) *length = smaller(*length, base - address);
    if (address < base || address > last) continue;
    if (last - address != UINT64_MAX) *length = smaller(*length, last - address + 1);
    return region_target(r) + (address - base);
  }
  return address;
}
