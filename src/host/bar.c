/* BAR 0, 2 and 4: maps an address to a window or register (ISA: PCIExpressTile/HostToDeviceTLBs.md). An access may cross from one window
 * into the next; registers take aligned words. Not modelled: the ARC's memory at BAR 0 0x1fe00000, and the DMA engine in BAR 2, which no
 * public driver of this chip uses. */
#include <string.h>

#include "host/host.h"

enum place_kind { OUTSIDE, NOWHERE, WINDOW, TLB_CONFIG, NIU, ARC, IATU };

struct place {
  enum place_kind kind;
  unsigned index;  /* window, or NoC */
  uint64_t offset; /* in it */
  uint64_t left;   /* bytes up to its end */
};

static bool within(struct place *place, enum place_kind kind, unsigned index, uint64_t offset, uint64_t base,
                   uint64_t size) {
  if (offset - base >= size) return false;
  *place = (struct place){kind, index, offset - base, size - (offset - base)};
  return true;
}

static struct place window_place(uint64_t offset, unsigned first, unsigned shift) {
  uint64_t size = 1ull << shift, in = offset & (size - 1);
  return (struct place){WINDOW, first + (unsigned)(offset >> shift), in, size - in};
}

static struct place bar0_place(uint64_t offset) {
  struct place place;
  if (offset < (uint64_t)HOST_TLB_SMALL << HOST_TLB_SMALL_SHIFT) return window_place(offset, 0, HOST_TLB_SMALL_SHIFT);
  if (within(&place, TLB_CONFIG, 0, offset, HOST_BAR0_TLB_CONFIG, HOST_TLB_CONFIG_SIZE)) return place;
  if (within(&place, NIU, 0, offset, HOST_BAR0_NIU_0, HOST_BAR0_NIU_BYTES)) return place;
  if (within(&place, NIU, 1, offset, HOST_BAR0_NIU_1, HOST_BAR0_NIU_BYTES)) return place;
  if (within(&place, ARC, 0, offset, HOST_BAR0_ARC, HOST_BAR0_ARC_BYTES)) return place;
  return (struct place){NOWHERE, 0, offset, 4 - offset % 4};
}

static struct place find_place(const struct host *host, uint64_t address) {
  uint64_t offset = 0;
  struct place place;
  switch (host_pci_find_bar(&host->config, address, &offset)) {
    case 0: return bar0_place(offset);
    case 1:
      if (within(&place, IATU, 0, offset, HOST_IATU_BASE, HOST_IATU_SIZE)) return place;
      break;
    case 2: return window_place(offset, HOST_TLB_SMALL, HOST_TLB_LARGE_SHIFT);
    default: return (struct place){OUTSIDE, 0, 0, 0};
  }
  return (struct place){NOWHERE, 0, offset, 4 - offset % 4};
}

static bool register_read(struct host *host, const struct place *place, uint32_t *value) {
  switch (place->kind) {
    case TLB_CONFIG: *value = host_tlb_config_read(&host->tlb, (uint32_t)place->offset); return true;
    case NIU: host_settle(host); return host->port.niu_read(host->port.chip, place->index, (uint32_t)place->offset, value);
    case ARC:
      host_settle(host);
      return host->port.arc_read && host->port.arc_read(host->port.chip, (uint32_t)place->offset, value);
    case IATU: return host_iatu_read(&host->iatu, (uint32_t)place->offset, value);
    default: return false;
  }
}

static bool register_write(struct host *host, const struct place *place, uint32_t value) {
  switch (place->kind) {
    case TLB_CONFIG: host_tlb_config_write(&host->tlb, (uint32_t)place->offset, value); return true;
    case NIU:
      host_settle(host);
      host->time->idle = false;
      return host->port.niu_write(host->port.chip, place->index, (uint32_t)place->offset, value);
    case ARC:
      host_settle(host);
      host->time->idle = false;
      return host->port.arc_write && host->port.arc_write(host->port.chip, (uint32_t)place->offset, value);
    case IATU: return host_iatu_write(&host->iatu, (uint32_t)place->offset, value);
    default: return false;
  }
}

/* One register, or the bytes up to the next aligned word when the access is not an aligned word. Returns the number of bytes. */
static uint32_t read_piece(struct host *host, const struct place *place, uint64_t address, uint8_t *bytes, uint32_t size) {
  uint32_t value = 0xffffffffu, most = 4 - (uint32_t)(place->offset % 4), count = size < most ? size : most;
  bool whole = count == 4;
  if (!whole || !register_read(host, place, &value))
    host_lost(host, "the host reads %u bytes at 0x%llx: there is no register", count, (unsigned long long)address);
  memcpy(bytes, &value, count);
  return count;
}

static uint32_t write_piece(struct host *host, const struct place *place, uint64_t address, const uint8_t *bytes,
                            uint32_t size) {
  uint32_t value = 0, most = 4 - (uint32_t)(place->offset % 4), count = size < most ? size : most;
  memcpy(&value, bytes, count);
  if (count != 4 || !register_write(host, place, value))
    host_lost(host, "the host writes %u bytes at 0x%llx: there is no register", count, (unsigned long long)address);
  return count;
}

/* One line for the whole access: no BAR has its first byte, or it goes beyond the last address. */
static bool is_outside(struct host *host, const struct place *place, const char *verb, uint64_t address, uint32_t size) {
  bool beyond = size > 1 && address + (size - 1) < address;
  if (place->kind != OUTSIDE && !beyond) return false;
  host_lost(host, "the host %s %u bytes at 0x%llx: %s", verb, size, (unsigned long long)address,
            beyond ? "the end lies beyond the last address" : "no BAR is there");
  return true;
}

static uint32_t in_place(const struct place *place, uint32_t size) {
  return size < place->left ? size : (uint32_t)place->left;
}

void host_read(struct host *host, uint64_t address, void *bytes, uint32_t size) {
  uint8_t *to = bytes;
  if (host->time->frozen) {
    memset(to, 0xff, size);
    return;
  }
  while (size) {
    struct place place = find_place(host, address);
    uint32_t count = in_place(&place, size);
    if (is_outside(host, &place, "reads", address, size)) {
      memset(to, 0xff, size);
      return;
    }
    if (place.kind == WINDOW) {
      struct host_target target;
      uint64_t base = host_tlb_decode(&host->tlb, place.index, &target);
      host_window_read(host, &target, base + place.offset, to, count);
    } else {
      count = read_piece(host, &place, address, to, count);
    }
    to += count, address += count, size -= count;
  }
}

void host_write(struct host *host, uint64_t address, const void *bytes, uint32_t size) {
  const uint8_t *from = bytes;
  while (size && !host->time->frozen) {
    struct place place = find_place(host, address);
    uint32_t count = in_place(&place, size);
    if (is_outside(host, &place, "writes", address, size)) return;
    if (place.kind == WINDOW) {
      struct host_target target;
      uint64_t base = host_tlb_decode(&host->tlb, place.index, &target);
      host_window_write(host, &target, base + place.offset, from, count);
    } else {
      count = write_piece(host, &place, address, from, count);
    }
    from += count, address += count, size -= count;
  }
}
