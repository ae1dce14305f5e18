/* The report as one HTML file: the chip's grid with a colour for the state of every tile, then the text. The page loads
 * nothing from the network. */
#ifndef TESSERA_HOST_PAGE_H
#define TESSERA_HOST_PAGE_H

#include <stdio.h>

#include "chip/chip.h"

/* `text` is the report of report.h. */
void host_page_write(struct chip *chip, const char *text, FILE *file);

#endif
