/* The host side's port to a chip: accesses of the PCIe tile in use to the other tiles, with the translation tables of its
 * own NIUs. */
#ifndef TESSERA_HOST_CHIP_PORT_H
#define TESSERA_HOST_CHIP_PORT_H

#include "chip/chip.h"
#include "host/port.h"
#include "system/system.h"

struct host_port host_chip_port(struct system *system, unsigned chip);
/* The tile to which a window on one tile points; CHIP_NO_TILE: none. */
unsigned host_chip_port_tile(struct chip *chip, const struct host_target *target);

#endif
