/* The PCIe tiles. The one in use connects to host memory: 64 windows of 2^58 bytes at the top six bits of the address, which the host
 * side maps (plain, relaxed ordering, no snoop, and the same through the outbound iATU). The other one is not connected to a host.
 *
 * NIU registers of the NoC of the access are in the top 16 MiB. Rejected by name: DBI and SII registers of the PCIe controller.
 * ISA: NoC/MemoryMap.md, PCIExpressTile (Blackhole). */
#include <stdlib.h>

#include "chip/kinds.h"
#include "chip/passive.h"

#define SPLIT_BYTES 4096u /* a PCIe request does not cross a 4 KiB boundary */

static enum noc_space space(struct chip_passive *p, uint64_t address, uint64_t length) {
  if (p->endpoint->slot->index != chip_grid(p->endpoint->chip)->harvest.pcie) return NOC_SPACE_NOTHING;
  return address < CHIP_PCIE_DBI && length <= CHIP_PCIE_DBI - address ? NOC_SPACE_MEMORY : NOC_SPACE_NOTHING;
}

static const char *refusal(struct chip_passive *p, uint64_t address) {
  if (address >= CHIP_PCIE_SII) return "the SII registers of the PCIe controller are not simulated";
  if (address >= CHIP_PCIE_DBI) return "the DBI registers of the PCIe controller are not simulated";
  if (p->endpoint->slot->index != chip_grid(p->endpoint->chip)->harvest.pcie)
    return "this PCIe tile is not connected to a host";
  return chip_host(p->endpoint->chip)->read ? NULL : "no host memory is installed";
}

static bool read(struct chip_passive *p, uint64_t address, void *bytes, uint32_t length) {
  const struct chip_host *host = chip_host(p->endpoint->chip);
  uint8_t *to = bytes;
  while (length) {
    uint32_t left = SPLIT_BYTES - (uint32_t)address % SPLIT_BYTES, chunk = left < length ? left : length;
    if (!host->read || !host->read(host->host, address, to, chunk)) return false;
    to += chunk;
    address += chunk;
    length -= chunk;
  }
  return true;
}

static bool write(struct chip_passive *p, uint64_t address, const void *bytes, uint32_t length) {
  const struct chip_host *host = chip_host(p->endpoint->chip);
  const uint8_t *from = bytes;
  while (length) {
    uint32_t left = SPLIT_BYTES - (uint32_t)address % SPLIT_BYTES, chunk = left < length ? left : length;
    if (!host->write || !host->write(host->host, address, from, chunk)) return false;
    from += chunk;
    address += chunk;
    length -= chunk;
  }
  return true;
}

static const struct chip_passive_map map = {
    .niu = chip_niu_at_top, .space = space, .read = read, .write = write, .refusal = refusal};

static void *create(struct chip *chip, struct chip_endpoint *endpoint) {
  struct chip_passive *p = calloc(1, sizeof *p);
  (void)chip;
  if (p) chip_passive_init(p, endpoint, &map);
  return p;
}

const struct chip_endpoint_ops chip_pcie_ops = {
    .name = "PCIe",
    .create = create,
    .destroy = free,
    .take = chip_passive_take,
    .read = chip_passive_read,
    .write = chip_passive_write,
    .space = chip_passive_space,
    .niu = chip_passive_niu,
    .save = chip_passive_save,
    .restore = chip_passive_restore,
    .hash = chip_passive_hash,
};
