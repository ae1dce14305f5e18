/* tessera run: what the command line asked for, and the parts of the verb. */
#ifndef TESSERA_CLI_RUN_H
#define TESSERA_CLI_RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/input.h"
#include "debug/program.h"
#include "tensix/tile/tile.h"

#define RUN_ITEMS_MAX 64

enum run_show {
  RUN_SHOW_DST,
  RUN_SHOW_SRCA,
  RUN_SHOW_SRCB,
  RUN_SHOW_LREG,
  RUN_SHOW_RWC,
  RUN_SHOW_ADC,
  RUN_SHOW_CFG,
  RUN_SHOW_SEM,
  RUN_SHOW_COUNT
};

struct run_options {
  const char *elf[TX_CORES];
  struct {
    uint32_t address;
    const char *path;
  } loads[RUN_ITEMS_MAX];
  struct {
    uint32_t address, value;
  } pokes[RUN_ITEMS_MAX];
  struct {
    uint32_t address, length;
    const char *path;
    FILE *file; /* open from before the run on */
  } dumps[RUN_ITEMS_MAX];
  int load_count, poke_count, dump_count;
  uint32_t reset_pc[TX_CORES];
  bool has_reset_pc[TX_CORES];
  unsigned cores; /* bit per core; 0: those that have a program */
  bool has_until, timing, strict, quiet, verbose;
  uint32_t until_address, until_mask, until_value;
  uint64_t max_cycles;
  const char *json, *trace, *sarif;
  unsigned shows;           /* bit per enum run_show */
  const char *break_symbol; /* NULL: none */
  unsigned break_core;
  struct tx_params params;
};

/* false after one line on stderr. */
bool run_parse_options(int argc, char **argv, struct run_options *o);
bool run_parse_number(const char *text, size_t length, uint32_t *value);

void run_show(FILE *out, const struct tx_tile *t, unsigned shows);

struct run_trace; /* opaque */
/* Attaches a writer of trace lines to the tile; NULL after one line on stderr. */
struct run_trace *run_trace_open(struct tx_tile *t, const char *path);
bool run_trace_close(struct run_trace *trace); /* false: the file could not be written to its end */

#endif
