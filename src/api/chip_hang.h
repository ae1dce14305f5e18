/* The hang of a whole chip. */
#ifndef TESSERA_API_CHIP_HANG_H
#define TESSERA_API_CHIP_HANG_H

#include "api/chip_value.h"
#include "api/hang.h"

/* The hang of the last run; NULL: there is none, or out of memory. The chip owns it. */
const struct obs_chip_hang *api_chip_hang(struct tessera_chip *chip);
void api_chip_forget_hang(struct tessera_chip *chip);
/* Adds the hang of the whole chip to the report of one of its tiles. */
void api_chip_of_hang(const struct tessera_tile *tile, struct obs_report *report);

#endif
