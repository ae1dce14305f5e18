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

struct pto_cli_binding {
  char name[PTO_CLI_NAME_MAX];
  const char *path;
};

struct pto_cli {
  const char *file;
  const char *profile, *policy; /* NULL: as given in the file */
  bool json, strict, no_data, own_depth;
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
  struct pto_cli_binding in[PTO_CLI_BINDINGS_MAX], out[PTO_CLI_BINDINGS_MAX], expect[PTO_CLI_BINDINGS_MAX];
  unsigned in_count, out_count, expect_count;
  const char *print[PTO_CLI_BINDINGS_MAX];
  unsigned print_count;
  struct cli_input source;
  struct tessera_pto_program *program;
};

extern const struct cli_verb pto_launches;

/* The program of the file with these values for its parameters; NULL after an error message. */
struct tessera_pto_program *pto_cli_parse(struct pto_cli *cli, const struct pto_cli_setting *settings, unsigned count);
/* Prints the reason why the program was rejected as one line on stderr; returns CLI_BAD_INPUT. */
int pto_cli_refused(const struct pto_cli *cli, const struct tessera_pto_program *program);
int pto_cli_run(struct pto_cli *cli);
int pto_cli_check(struct pto_cli *cli);
int pto_cli_explore(struct pto_cli *cli);
int pto_cli_sweep(struct pto_cli *cli);

int pto_cli_find_global(const struct tessera_pto_program *program, const char *name);

/* A tensor of a machine, and files of NumPy (npy.h). Numbers are converted to the tensor's format; bfloat16 is stored as 2-byte words. */
struct pto_cli_tensor {
  struct tessera_pto_machine *machine;
  int index;
  struct tessera_pto_tensor info;
};
bool pto_npy_load(const char *path, const struct pto_cli_tensor *tensor);
bool pto_npy_save(const char *path, const struct pto_cli_tensor *tensor);
/* Compares with the file and prints the first difference. 0: the same, 1: different, -1: cannot be compared. */
int pto_npy_compare(const char *path, const struct pto_cli_tensor *tensor, double tolerance);

/* The trace or the HTML report of a run: opened before, closed after it. NULL, false: one line on stderr. */
struct pto_trace;
struct pto_trace *pto_trace_open(const struct pto_cli *cli, struct tessera_pto_machine *machine);
bool pto_trace_close(struct pto_trace *trace);

#endif
