/* The report as one HTML file: the chip's grid, where every tile has the colour of what it does, and the text after it. Nothing is fetched. */
#ifndef TESSERA_HOST_PAGE_H
#define TESSERA_HOST_PAGE_H

#include <stdio.h>

#include "chip/chip.h"

/* `text` is the report of report.h. */
void host_page_write(struct chip *chip, const char *text, FILE *file);

#endif
