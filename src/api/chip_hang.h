/* The hang of a whole chip. */
#ifndef TESSERA_API_CHIP_HANG_H
#define TESSERA_API_CHIP_HANG_H

#include "api/hang.h"

/* Adds the hang of the whole chip to the report of one of its tiles. */
void api_chip_of_hang(const struct tessera_tile *tile, struct obs_report *report);

#endif
