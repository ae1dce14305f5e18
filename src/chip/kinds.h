/* The table of functions for a kind of tile. NULL: no endpoint exists there. */
#ifndef TESSERA_CHIP_KINDS_H
#define TESSERA_CHIP_KINDS_H

#include "chip/endpoint.h"

/* One table per kind of tile (kinds.c lists them). */
extern const struct chip_endpoint_ops chip_tensix_ops, chip_dram_ops, chip_ethernet_ops, chip_arc_ops, chip_pcie_ops,
    chip_l2cpu_ops, chip_security_ops, chip_router_ops;

const struct chip_endpoint_ops *chip_kind_ops(unsigned kind);

#endif
