/* The table of functions for a kind of tile. NULL: no endpoint exists there. */
#ifndef TESSERA_CHIP_KINDS_H
#define TESSERA_CHIP_KINDS_H

#include "chip/endpoint.h"

const struct chip_endpoint_ops *chip_kind_ops(unsigned kind);

#endif
