/* What the small examples have in common: load, launch, read back, report. */
#ifndef TESSERA_EXAMPLES_RUN_H
#define TESSERA_EXAMPLES_RUN_H

#include "../../kernels/host/kernel_host.h"

struct region {
  uint32_t address;
  uint8_t *bytes;
  uint32_t length;
};

/* Writes `in` regions, launches, reads `out`, prints the report. The exit code of the program, 0 when the launch is done. */
int example_run(const char *name, const char *directory, const struct launch *l, const struct region *in, unsigned ins,
                const struct region *out);

#endif
