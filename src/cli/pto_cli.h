/* Shared by the sub-verbs of `tessera pto`. */
#ifndef TESSERA_CLI_PTO_CLI_H
#define TESSERA_CLI_PTO_CLI_H

#include "cli/cli.h"
#include "cli/input.h"
#include "tessera/pto.h"

#define PTO_CLI_BINDINGS_MAX 32u
#define PTO_CLI_VALUES_MAX 16u
#define PTO_CLI_AXES_MAX 6u
#define PTO_CLI_NAME_MAX 32u
#define PTO_CLI_SOURCE_MAX ((size_t)16 << 20)

struct pto_cli_binding {
  char name[PTO_CLI_NAME_MAX];
  const char *path;
};

struct pto_cli {
  const char *file;
  const char *profile, *policy; /* NULL: as given in the file */
  bool json, strict, verbose, no_data, own_depth, why;
  uint64_t dispatches, limit, schedules, seed;
  uint64_t depth_min, depth_max, period, blocks, threads;
  const char *profile_file;
  struct pto_cli_setting { /* --set NAME=VALUE */
    char name[PTO_CLI_NAME_MAX];
    int64_t value;
  } settings[TESSERA_PTO_SETTINGS_MAX];
  unsigned setting_count;
  struct pto_cli_axis { /* sweep: --set NAME=A,B,C and --blocks A,B,C */
    char name[PTO_CLI_NAME_MAX];
    int64_t values[PTO_CLI_VALUES_MAX];
    unsigned count;
  } axes[PTO_CLI_AXES_MAX];
  unsigned axis_count;
  uint32_t block_list[PTO_CLI_VALUES_MAX];
  unsigned block_count;
  double tolerance;
  const char *trace, *report, *svg, *sarif;
  uint64_t trace_from, trace_to; /* cycles; 0: not given */
  unsigned trace_format;         /* 1 + enum tessera_pto_trace_format; 0: by the file's name */
  struct pto_cli_binding in[PTO_CLI_BINDINGS_MAX], out[PTO_CLI_BINDINGS_MAX], expect[PTO_CLI_BINDINGS_MAX];
  unsigned in_count, out_count, expect_count;
  const char *print[PTO_CLI_BINDINGS_MAX];
  unsigned print_count;
  struct cli_input source;
  struct tessera_pto_program *program;
};

/* The program of the file with these values for its parameters; NULL after an error message. */
struct tessera_pto_program *pto_cli_parse(struct pto_cli *cli, const struct pto_cli_setting *settings, unsigned count);
/* Prints the reason why the program was rejected as one line on stderr; returns CLI_BAD_INPUT. */
int pto_cli_refused(const struct pto_cli *cli, const struct tessera_pto_program *program);

int pto_cli_find_global(const struct tessera_pto_program *program, const char *name);

#endif
