/* The port between the host side and a chip: the accesses of a PCIe endpoint to the chip, as functions. The chip fills one in
 * (src/host/chip_port.c), and tests fill one in with plain memory. The host side depends on the chip only through this header. */
#ifndef TESSERA_HOST_PORT_H
#define TESSERA_HOST_PORT_H

#include <stdbool.h>
#include <stdint.h>

/* The target of a TLB window: one tile, or a rectangle of tiles. Coordinates are as configured, before the PCIe tile's translation. */
struct host_target {
  uint8_t noc;
  bool broadcast;
  uint8_t x_end, y_end;     /* one tile: its coordinates */
  uint8_t x_start, y_start; /* rectangle only */
  uint8_t ordering;         /* enum host_ordering */
  bool linked, static_vc;
  uint8_t vc;       /* class << 1 | buddy, with static_vc */
  uint32_t strided; /* rectangle only: the word of windows 0 to 31 that excludes tiles; 0 excludes none */
};
enum host_ordering { HOST_ORDER_DEFAULT, HOST_ORDER_STRICT, HOST_ORDER_POSTED, HOST_ORDER_COUNTED };

struct host_port {
  void *chip;
  void *system; /* the chip and those that share its clock: run, cycle and faulted are about all of them */
  /* False if no tile responds at that address. A failed read leaves `bytes` unchanged. */
  bool (*read)(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size);
  bool (*write)(void *chip, const struct host_target *target, uint64_t address, const void *bytes, uint32_t size);
  /* Reads memory only: false for a register, whose read may have a side effect. */
  bool (*peek)(void *chip, const struct host_target *target, uint64_t address, void *bytes, uint32_t size);
  /* The target is one tile, and that tile is fused off. NULL: no tile is. */
  bool (*fused_off)(void *chip, const struct host_target *target);
  /* The coordinates are no tile's, and the tables lead to the one at these raw coordinates of NoC 0. NULL: none do. */
  bool (*alias)(void *chip, const struct host_target *target, unsigned *x, unsigned *y);
  /* The PCIe tile's own NIU registers, aligned words. */
  bool (*niu_read)(void *chip, unsigned noc, uint32_t offset, uint32_t *value);
  bool (*niu_write)(void *chip, unsigned noc, uint32_t offset, uint32_t value);
  /* The ARC's registers, aligned words, for a host that has them in BAR 0; false: it has not, or there is no such register. May be NULL. */
  bool (*arc_read)(void *chip, uint32_t offset, uint32_t *value);
  bool (*arc_write)(void *chip, uint32_t offset, uint32_t value);
  /* Advances time by `cycles`, or less if a chip stops at a fault. False: all chips stay idle until the host accesses one. */
  bool (*run)(void *system, uint64_t cycles);
  uint64_t (*cycle)(void *system);
  bool (*faulted)(void *system); /* a chip has stopped */
  /* Why the last command to the debug interface of the tile's cores had no effect; NULL: it had one. */
  const char *(*refusal)(void *chip, const struct host_target *target);
};

#endif
