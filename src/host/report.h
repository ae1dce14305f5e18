/* What a user of the library reads: why the chip has stopped, and where every core of every tile is. */
#ifndef TESSERA_HOST_REPORT_H
#define TESSERA_HOST_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "chip/chip.h"
#include "host/host.h"
#include "host/kernels.h"

/* The fault of the chip in one line, and the state of the tile's cores after it. */
void host_report_error(struct chip *chip, struct host_kernels *kernels, char *text, size_t size);
/* Findings of all tiles: how many different ones. */
uint64_t host_report_findings(struct chip *chip);
/* The whole: error, time, host accesses, and the tiles, those in the same state together. */
void host_report_write(struct chip *chip, const struct host *host, struct host_kernels *kernels, const char *when,
                       FILE *file);

#endif
