/* Code shared by the small examples: load, launch, read back, report. */
#ifndef TESSERA_EXAMPLES_RUN_H
#define TESSERA_EXAMPLES_RUN_H

#include <stdbool.h>

#include "../../kernels/host/kernel_host.h"

/* Command lines: --help or -h anywhere; a whole decimal number up to `most`; errors are one line and exit code 2. */
bool example_wants_help(int argc, char **argv);
bool example_number(const char *text, unsigned most, unsigned *value);
bool example_size(const char *text, unsigned most, unsigned *value); /* a multiple of 32, not 0 */
int example_complain(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct region {
  uint32_t address;
  uint8_t *bytes;
  uint32_t length;
};

/* Writes `in` regions, launches, reads `out`, prints the report. Returns the exit code of the program, 0 when the launch is done. */
int example_run(const char *name, const char *directory, const struct launch *l, const struct region *in, unsigned ins,
                const struct region *out);

#endif
