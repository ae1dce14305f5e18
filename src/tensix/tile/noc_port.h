/* The port by which the tile's NIUs reach L1, registers and the network. */
#ifndef TESSERA_TENSIX_NOC_PORT_H
#define TESSERA_TENSIX_NOC_PORT_H

#include "noc/port.h"

extern const struct noc_port tx_noc_port;

#endif
