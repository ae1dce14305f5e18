/* A system as data: chips on boards, the links between their Ethernet channels, and the chips that are PCI devices. A chip alone is a
 * system of one. Known boards and boxes are rows of chips/blackhole/systems.def; any other is a cluster descriptor (descriptor.h). */
#ifndef TESSERA_SYSTEM_PLAN_H
#define TESSERA_SYSTEM_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "chip/config.h"

#define SYSTEM_CHIPS 32u /* a PCI bus has as many devices */
#define SYSTEM_LINKS (SYSTEM_CHIPS * CHIP_TRANSLATED_ETHERNETS / 2u)

struct system_end {
  uint8_t chip, channel;
};

struct system_link {
  struct system_end end[2];
};

struct system_chip {
  struct chip_harvest harvest;
  struct chip_identity identity;
  bool device;   /* a PCI device: number and chip number are the same */
  uint8_t board; /* the number of its board in the system */
};

struct system_plan {
  unsigned chips, links;
  struct system_chip chip[SYSTEM_CHIPS];
  struct system_link link[SYSTEM_LINKS];
};

struct system_product {
  const char *name, *text;
};

const struct system_product *system_product_at(unsigned index); /* NULL after the last */
/* One chip in no system. */
void system_plan_alone(struct system_plan *plan, const struct chip_harvest *harvest);
/* The parts of each chip are fused off as in `harvest`; the PCIe tile in use is the system's. False: there is no such system. */
bool system_plan_find(struct system_plan *plan, const char *name, const struct chip_harvest *harvest);
/* Options of links, separated by spaces: CHIP.CHANNEL=down, =down@CYCLE, =latency:CYCLES, =bits:BITS_PER_CYCLE, for both directions of the
 * link of that channel. False: `error` names the option. */
bool system_plan_options(struct system_plan *plan, const char *options, char *error, size_t error_size);
/* Enters the links into the identities of their two ends. False: a link has a bad end, which `error` names. */
bool system_plan_connect(struct system_plan *plan, char *error, size_t error_size);

#endif
