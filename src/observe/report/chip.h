/* The chip as text: a fault with its tile, tiles and traffic of a run. Hangs are in hang/chip.h. */
#ifndef TESSERA_OBSERVE_REPORT_CHIP_H
#define TESSERA_OBSERVE_REPORT_CHIP_H

#include <stddef.h>

#include "chip/chip.h"

/* "Tensix (1,2), NoC 0 (1,2)": translated and raw coordinates. */
void obs_tile_name(const struct chip *chip, unsigned tile, char *text, size_t size);
/* All return the length, as snprintf does. */
size_t obs_chip_fault(struct chip *chip, char *text, size_t size);
/* Tiles that ran, instructions, packets, and maps of the grid with utilisation and traffic. */
size_t obs_chip_report(struct chip *chip, char *text, size_t size);
/* The same as JSON, with every tile of the grid, its units and its links. */
size_t obs_chip_json(struct chip *chip, uint64_t cycles, char *text, size_t size); /* cycles 0: up to the last core's end */

#endif
