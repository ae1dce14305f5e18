/* tessera chip run --trace FILE: the packets of the NoCs, as text or, by the end of FILE's name, for ui.perfetto.dev and
 * chrome://tracing. */
#ifndef TESSERA_CLI_CHIP_TRACE_H
#define TESSERA_CLI_CHIP_TRACE_H

#include <stdbool.h>
#include <stdio.h>

#include "tessera/chip.h"

struct chip_trace {
  FILE *file;
};

/* Before the run; false after one line on stderr. */
bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const char *path);
/* After the run; false after one line on stderr. Does nothing without a file. */
bool chip_trace_end(struct chip_trace *t, struct tessera_chip *chip, const char *path);

#endif
