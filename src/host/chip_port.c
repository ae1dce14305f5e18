/* The port of chip_port.h. Accesses are functional: they take no time and send no packet. A rectangle is written tile by tile, to the
 * tiles that take part in broadcasts. ISA: BlackholeA0/PCIExpressTile/HostToDeviceTLBs.md. */
#include "host/chip_port.h"

#include <stddef.h>

#include "chip/passive.h"
#include "chip/receivers.h"
#include "chips/blackhole/address_map.h"
#include "host/tlb.h"
#include "tensix/tile/tile.h"

static unsigned pcie_tile(struct chip *chip) {
  const struct chip_grid *grid = chip_grid(chip);
  return chip_tile_of_kind(grid, CHIP_PCIE, grid->harvest.pcie);
}

/* Coordinates of a window become raw coordinates of the NoC, by the tables of the PCIe tile. */
static struct noc_place raw_place(struct chip *chip, unsigned noc, unsigned x, unsigned y) {
  struct chip_endpoint *pcie = chip_endpoint(chip, pcie_tile(chip));
  const struct noc_niu *niu = pcie && pcie->self ? pcie->ops->niu(pcie->self, noc) : NULL;
  if (niu && niu->config[NOC_CFG_NIU_0] & NOC_NIU_CFG_TRANSLATE) noc_translate_words(niu->config, x, y, &x, &y);
  return (struct noc_place){(uint8_t)x, (uint8_t)y};
}

unsigned host_chip_port_tile(struct chip *chip, const struct host_target *target) {
  struct noc_place at = raw_place(chip, target->noc & 1u, target->x_end, target->y_end);
  return chip_tile_of_raw(target->noc & 1u, at.x, at.y);
}

/* A fused-off tile has no clock: of the whole tile only the registers of its NIUs answer. The other kinds of tiles check it themselves. */
static bool is_off(struct chip *chip, unsigned tile, uint64_t address) {
  const struct chip_slot *slot = &chip_grid(chip)->slot[tile];
  bool cores = slot->kind == CHIP_TENSIX || slot->kind == CHIP_ETHERNET;
  return !slot->good && cores && (uint32_t)address - TX_ADDR_NOC >= TX_NOC_WINDOWS_BYTES;
}

static bool fused_off(void *chip, const struct host_target *target) {
  unsigned tile = target->broadcast ? CHIP_NO_TILE : host_chip_port_tile(chip, target);
  return tile != CHIP_NO_TILE && !chip_grid(chip)->slot[tile].good;
}

static bool alias(void *chip, const struct host_target *target, unsigned *x, unsigned *y) {
  struct chip_endpoint *pcie = chip_endpoint(chip, pcie_tile(chip));
  const struct noc_niu *niu = pcie && pcie->self ? pcie->ops->niu(pcie->self, target->noc & 1u) : NULL;
  unsigned tile = niu && !niu->own_tables ? host_chip_port_tile(chip, target) : CHIP_NO_TILE;
  if (tile == CHIP_NO_TILE || noc_is_name(target->x_end, target->y_end)) return false;
  chip_raw_of_tile(0, tile, x, y);
  return true;
}

static enum noc_space space_of(struct chip *chip, unsigned tile, uint64_t address, uint32_t size) {
  if (tile == CHIP_NO_TILE || is_off(chip, tile, address)) return NOC_SPACE_NOTHING;
  struct chip_endpoint *e = chip_endpoint(chip, tile);
  return e && e->self ? e->ops->space(e->self, address, size) : NOC_SPACE_NOTHING;
}

/* A block of registers is read and written word by word; memory in one piece. */
static bool is_registers(struct chip *chip, unsigned tile, uint64_t address, uint32_t size) {
  return size > 4 && size % 4 == 0 && space_of(chip, tile, address, 4) == NOC_SPACE_REGISTERS;
}

/* L1 of a Tensix tile: reading it has no side effect, so a dormant tile is not advanced first. Hosts poll there. */
static bool read_l1(struct chip *chip, unsigned tile, uint64_t address, void *bytes, uint32_t size) {
  struct chip_endpoint *e = chip_endpoint(chip, tile);
  if (!e || e->slot->kind != CHIP_TENSIX || e->ops->space(e->self, address, size) != NOC_SPACE_L1) return false;
  return e->ops->read(e->self, address, bytes, size);
}

static bool read(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size) {
  unsigned tile = host_chip_port_tile(chip, target);
  if (tile == CHIP_NO_TILE || is_off(chip, tile, address)) return false;
  if (read_l1(chip, tile, address, bytes, size)) return true;
  if (!is_registers(chip, tile, address, size)) return chip_read(chip, tile, address, bytes, size);
  for (uint32_t i = 0; i < size; i += 4)
    if (!chip_read(chip, tile, address + i, (uint8_t *)bytes + i, 4)) return false;
  return true;
}

static bool write_tile(struct chip *chip, unsigned tile, uint64_t address, const void *bytes, uint32_t size) {
  if (tile == CHIP_NO_TILE || is_off(chip, tile, address)) return false;
  if (!is_registers(chip, tile, address, size)) return chip_write(chip, tile, address, bytes, size);
  for (uint32_t i = 0; i < size; i += 4)
    if (!chip_write(chip, tile, address + i, (const uint8_t *)bytes + i, 4)) return false;
  return true;
}

static bool peek(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size) {
  unsigned tile = host_chip_port_tile(chip, target);
  if (tile == CHIP_NO_TILE || is_off(chip, tile, address)) return false;
  if (read_l1(chip, tile, address, bytes, size)) return true;
  enum noc_space space = space_of(chip, tile, address, size);
  return (space == NOC_SPACE_L1 || space == NOC_SPACE_MEMORY) && chip_read(chip, tile, address, bytes, size);
}

static bool write_rectangle(struct chip *chip, const struct host_target *target, uint64_t address, const void *bytes,
                            uint32_t size) {
  uint16_t tiles[CHIP_TILES];
  unsigned noc = target->noc & 1u, written = 0;
  struct noc_place start = raw_place(chip, noc, target->x_start, target->y_start);
  struct noc_place end = raw_place(chip, noc, target->x_end, target->y_end);
  if (start.x >= CHIP_GRID_X || start.y >= CHIP_GRID_Y || end.x >= CHIP_GRID_X || end.y >= CHIP_GRID_Y) return false;
  unsigned count = chip_receivers(chip, noc, start, end, 0, tiles);
  for (unsigned i = 0; i < count; i++) {
    unsigned x, y;
    chip_raw_of_tile(noc, tiles[i], &x, &y);
    if (!host_tlb_stride_keeps(target->strided, x, y, start.x, start.y, CHIP_GRID_X, CHIP_GRID_Y)) continue;
    if (!write_tile(chip, tiles[i], address, bytes, size)) return false;
    written++;
  }
  return written > 0;
}

static bool write(void *chip, const struct host_target *target, uint64_t address, const void *bytes, uint32_t size) {
  if (target->broadcast) return write_rectangle(chip, target, address, bytes, size);
  return write_tile(chip, host_chip_port_tile(chip, target), address, bytes, size);
}

static bool niu_read(void *chip, unsigned noc, uint32_t offset, uint32_t *value) {
  struct chip_endpoint *pcie = chip_endpoint(chip, pcie_tile(chip));
  return pcie && pcie->self && chip_passive_niu_read(pcie->self, noc, offset, value);
}

static bool niu_write(void *chip, unsigned noc, uint32_t offset, uint32_t value) {
  struct chip_endpoint *pcie = chip_endpoint(chip, pcie_tile(chip));
  return pcie && pcie->self && chip_passive_niu_write(pcie->self, noc, offset, value);
}

/* The ARC tile, if the host's PCIe tile has its registers: the second one does. */
static unsigned arc_tile(struct chip *chip, uint32_t offset) {
  const struct chip_grid *grid = chip_grid(chip);
  unsigned tile = grid->harvest.pcie == 1 ? chip_tile_of_kind(grid, CHIP_ARC, 0) : CHIP_NO_TILE;
  return space_of(chip, tile, CHIP_ARC_REGISTERS + offset, 4) == NOC_SPACE_REGISTERS ? tile : CHIP_NO_TILE;
}

static bool arc_read(void *chip, uint32_t offset, uint32_t *value) {
  unsigned tile = arc_tile(chip, offset);
  return tile != CHIP_NO_TILE && chip_read(chip, tile, CHIP_ARC_REGISTERS + offset, value, sizeof *value);
}

static bool arc_write(void *chip, uint32_t offset, uint32_t value) {
  unsigned tile = arc_tile(chip, offset);
  return tile != CHIP_NO_TILE && chip_write(chip, tile, CHIP_ARC_REGISTERS + offset, &value, sizeof value);
}

static bool run(void *system, uint64_t cycles) { return system_run(system, system_now(system) + cycles) == CHIP_END_TIME; }
static uint64_t cycle(void *system) { return system_now(system); }
static bool faulted(void *system) { return system_faulted(system); }

static const char *refusal(void *chip, const struct host_target *target) {
  unsigned tile = host_chip_port_tile(chip, target);
  struct chip_endpoint *e = tile == CHIP_NO_TILE ? NULL : chip_endpoint_peek(chip, tile);
  if (!e || !e->self || e->slot->kind != CHIP_TENSIX) return NULL;
  return ((const struct tx_tile *)e->self)->unsaved.debug_refusal;
}

struct host_port host_chip_port(struct system *system, unsigned chip) {
  return (struct host_port){.chip = system_chip(system, chip),
                            .system = system,
                            .read = read,
                            .write = write,
                            .peek = peek,
                            .fused_off = fused_off,
                            .alias = alias,
                            .niu_read = niu_read,
                            .niu_write = niu_write,
                            .arc_read = arc_read,
                            .arc_write = arc_write,
                            .run = run,
                            .cycle = cycle,
                            .faulted = faulted,
                            .refusal = refusal};
}
