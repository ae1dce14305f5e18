/* Tiles that are not simulated: L2CPU, security, and places with only a router. The identity and configuration registers of their NIUs
 * work; every other access is rejected with the name of the tile.
 *
 * ISA: NoC/MemoryMap.md; the NIU of router-only tiles is at 0xFF000000 in the vendor's firmware and driver, and at
 * 0xFFB20000 or 0xFFB30000 in the page: all three addresses work. */
#include <stdlib.h>

#include "chip/kinds.h"
#include "chip/passive.h"

static bool router_niu(uint64_t address, unsigned noc, unsigned *which, uint32_t *offset) {
  *which = noc;
  if (address - CHIP_ROUTER_NIU < NOC_NIU_BYTES) *offset = (uint32_t)(address - CHIP_ROUTER_NIU);
  else if (address >= CHIP_ROUTER_NIU_0 && address < CHIP_ROUTER_NIU_END)
    *offset = (uint32_t)(address - CHIP_ROUTER_NIU_0) % NOC_NIU_BYTES;
  else return false;
  return true;
}

static const char *refuse_l2cpu(struct chip_passive *p, uint64_t address) {
  (void)p, (void)address;
  return "the x280 cores of an L2CPU tile and their memory are not simulated";
}

static const char *refuse_security(struct chip_passive *p, uint64_t address) {
  (void)p, (void)address;
  return "the security tile is not simulated";
}

static const char *refuse_router(struct chip_passive *p, uint64_t address) {
  (void)p, (void)address;
  return "this place has a router and no tile";
}

static const struct chip_passive_map l2cpu_map = {.niu = chip_niu_at_top, .refusal = refuse_l2cpu};
static const struct chip_passive_map security_map = {.niu = chip_niu_at_top, .refusal = refuse_security};
static const struct chip_passive_map router_map = {.niu = router_niu, .refusal = refuse_router};

static void *create(struct chip *chip, struct chip_endpoint *endpoint) {
  struct chip_passive *p = calloc(1, sizeof *p);
  (void)chip;
  if (!p) return NULL;
  unsigned kind = endpoint->slot->kind;
  chip_passive_init(p, endpoint, kind == CHIP_L2CPU ? &l2cpu_map : kind == CHIP_SECURITY ? &security_map : &router_map);
  return p;
}

#define BARE(label) \
  { \
    .name = label, .create = create, .destroy = free, .take = chip_passive_take, .read = chip_passive_read, \
    .write = chip_passive_write, .space = chip_passive_space, .niu = chip_passive_niu, .save = chip_passive_save, \
    .restore = chip_passive_restore, .hash = chip_passive_hash, \
  }

const struct chip_endpoint_ops chip_l2cpu_ops = BARE("L2CPU");
const struct chip_endpoint_ops chip_security_ops = BARE("security");
const struct chip_endpoint_ops chip_router_ops = BARE("router");
