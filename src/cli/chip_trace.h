/* tessera chip run --trace FILE: the packets of the NoCs, as text or, when FILE ends in .json, for ui.perfetto.dev and chrome://tracing. */
#ifndef TESSERA_CLI_CHIP_TRACE_H
#define TESSERA_CLI_CHIP_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tessera/chip.h"

#define CHIP_TRACE_PLACES (17u * 12u)

struct chip_trace {
  FILE *file;
  bool json;
  uint64_t count;
  uint64_t sent[CHIP_TRACE_PLACES][2]; /* 1 + the sequence of the packet whose departure was written last */
  bool declared[CHIP_TRACE_PLACES * 4];
};

/* Before the run; false after one line on stderr. */
bool chip_trace_begin(struct chip_trace *t, struct tessera_chip *chip, const char *path);
/* After it; false after one line on stderr. Without a file nothing happens. */
bool chip_trace_end(struct chip_trace *t, struct tessera_chip *chip, const char *path);

#endif
