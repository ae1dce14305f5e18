/* The ports of the tile with the checker above them. */
#ifndef TESSERA_CHECK_PORTS_H
#define TESSERA_CHECK_PORTS_H

#include "check/internal.h"

void chk_ports_make(struct chk *c);

#endif
