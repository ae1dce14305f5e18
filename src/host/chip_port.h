/* The host side's port onto a chip: what the PCIe tile in use does to the others, with the translation tables of its own NIUs. */
#ifndef TESSERA_HOST_CHIP_PORT_H
#define TESSERA_HOST_CHIP_PORT_H

#include "chip/chip.h"
#include "host/port.h"

struct host_port host_chip_port(struct chip *chip);
/* The tile that a window on one tile shows; CHIP_NO_TILE: none. */
unsigned host_chip_port_tile(struct chip *chip, const struct host_target *target);

#endif
