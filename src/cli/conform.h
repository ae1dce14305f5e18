/* Between the files of tessera conform: options, totals, the report of one case. */
#ifndef TESSERA_CLI_CONFORM_H
#define TESSERA_CLI_CONFORM_H

#include <stdbool.h>
#include <stdint.h>

#define CONFORM_SELECTORS 32
#define CONFORM_REPORT_BYTES 4096

struct conform_options {
  const char *only[CONFORM_SELECTORS], *except[CONFORM_SELECTORS];
  int only_count, except_count;
  bool timing, list, json, quiet, scalar, riscv;
  uint64_t max_cycles;
  unsigned threads; /* of the chip; 0: all cores */
};

struct conform_totals {
  uint64_t selected, passed, failed, cycles;
  uint64_t golden_passed, golden_failed, document_passed, document_failed; /* NoC cases by their source */
};

/* One line for one case, as the options ask, and its place in the totals. */
void conform_report(const struct conform_options *o, struct conform_totals *totals, const char *path, const char *name,
                    const char *tags, bool passed, uint64_t cycles, const char *why);
/* Selects by --only and --except, through what a case matches. */
bool conform_selected(const struct conform_options *o, bool (*matches)(const void *c, const char *selector), const void *c);

/* A file of NoC cases. 0 or an exit code. */
int conform_noc_file(const struct conform_options *o, const char *path, struct conform_totals *totals);

#endif
