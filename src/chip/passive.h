/* Passive endpoints: tiles that act only when a packet arrives (DRAM, ARC, PCIe, L2CPU, security, router only). They share the two NIUs,
 * the response side, and the struct of the address map. Each kind of tile fills in the map.
 *
 * Calls come from the thread that runs the chip, in the order of arrival. Their NIUs cannot send requests: a write to
 * NOC_CMD_CTRL is rejected. ISA: NoC/MemoryMap.md, for all kinds but DRAM, whose core is not simulated. */
#ifndef TESSERA_CHIP_PASSIVE_H
#define TESSERA_CHIP_PASSIVE_H

#include "chip/chip.h"

struct chip_passive;

struct chip_passive_map {
  /* Is this address a register of an NIU? Sets the NoC and the offset. `noc` is that of the access. */
  bool (*niu)(uint64_t address, unsigned noc, unsigned *which, uint32_t *offset);
  /* All other addresses; NULL: there are none. */
  enum noc_space (*space)(struct chip_passive *p, uint64_t address, uint64_t length);
  bool (*read)(struct chip_passive *p, uint64_t address, void *bytes, uint32_t length);
  bool (*write)(struct chip_passive *p, uint64_t address, const void *bytes, uint32_t length);
  /* The name of the block at this address, for the error message; NULL: none. */
  const char *(*refusal)(struct chip_passive *p, uint64_t address);
  /* The completion time of an access that begins now; NULL: the NIU's constant. */
  sim_time (*serve)(struct chip_passive *p, uint64_t address, uint32_t length, bool write);
};

/* The first member of a passive endpoint's state. */
struct chip_passive {
  struct chip_endpoint *endpoint;
  const struct chip_passive_map *map;
  sim_time now; /* time of the current packet */
  unsigned noc; /* the NoC of the current packet */
  struct noc_niu niu[CHIP_NOCS];
};

void chip_passive_init(struct chip_passive *p, struct chip_endpoint *endpoint, const struct chip_passive_map *map);

/* Functions for the tables of endpoint.h. */
uint32_t chip_passive_take(void *self, const struct noc_packet *packet, sim_time at);
bool chip_passive_read(void *self, uint64_t address, void *bytes, size_t length);
bool chip_passive_write(void *self, uint64_t address, const void *bytes, size_t length);
enum noc_space chip_passive_space(void *self, uint64_t address, size_t length);
struct noc_niu *chip_passive_niu(void *self, unsigned noc);
void chip_passive_save(const void *self, struct chip_stream *to);
bool chip_passive_restore(void *self, struct chip_stream *from);
uint64_t chip_passive_hash(const void *self);

/* Registers of an NIU, from outside. false: no such register, or rejected. */
bool chip_passive_niu_read(void *self, unsigned noc, uint32_t offset, uint32_t *value);
bool chip_passive_niu_write(void *self, unsigned noc, uint32_t offset, uint32_t value);

/* FNV-like mix for hashes of endpoints. */

/* NIU registers in the top 16 MiB of a 64-bit address space (PCIe, ARC, L2CPU, security): those of the NoC of the access. */
bool chip_niu_at_top(uint64_t address, unsigned noc, unsigned *which, uint32_t *offset);

#endif
