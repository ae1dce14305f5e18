/* The text report of the library: why the chip has stopped, and the position of every core of every tile. */
#ifndef TESSERA_HOST_REPORT_H
#define TESSERA_HOST_REPORT_H

#include <stddef.h>
#include <stdio.h>

#include "chip/chip.h"
#include "host/findings.h"
#include "host/host.h"
#include "host/kernels.h"

/* The fault of the chip in one line, and the state of the tile's cores after it. */
void host_report_error(struct chip *chip, struct host_kernels *kernels, char *text, size_t size);
/* The number of different findings of all tiles; `errors`: without notes and warnings. */
uint64_t host_report_findings(struct chip *chip, bool errors);
/* The whole report: error, time, host accesses, and the tiles grouped by state. */
void host_report_write(struct chip *chip, const struct host *host, struct host_kernels *kernels,
                       struct host_findings *findings, const char *when, const char *process, FILE *file);

#endif
