/* One coverage file for several tiles: the counts of each line of a core's program add up. */
#ifndef TESSERA_CLI_COVERAGE_H
#define TESSERA_CLI_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct cli_coverage_line {
  unsigned long line;
  uint64_t times;
};

/* The lines of one file as one core executed them. */
struct cli_coverage_record {
  char *name; /* "TN:...\nSF:...\n" */
  struct cli_coverage_line *lines;
  size_t count, room;
};

struct cli_coverage {
  struct cli_coverage_record *records;
  size_t count, room;
};

/* Adds the records of an LCOV text. false: no memory. */
bool cli_coverage_add(struct cli_coverage *c, const char *text);
bool cli_coverage_write(const struct cli_coverage *c, FILE *out);
void cli_coverage_free(struct cli_coverage *c);

#endif
