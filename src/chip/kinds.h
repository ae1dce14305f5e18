/* Which table of functions belongs to a kind of tile. NULL: nothing answers there. */
#ifndef TESSERA_CHIP_KINDS_H
#define TESSERA_CHIP_KINDS_H

#include "chip/endpoint.h"

const struct chip_endpoint_ops *chip_kind_ops(unsigned kind);

#endif
