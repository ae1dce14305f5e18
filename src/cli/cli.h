/* What the verbs of the tessera command share: exit codes, the list of verbs, small helpers. Only this folder prints. */
#ifndef TESSERA_CLI_H
#define TESSERA_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The same everywhere (docs/exit-codes in README). */
enum cli_exit {
  CLI_OK = 0,
  CLI_FAILED = 1,    /* a case or check failed */
  CLI_BAD_INPUT = 2, /* bad input or usage */
  CLI_FAULT = 3,
  CLI_HANG = 4,   /* deadlock or hang */
  CLI_HAZARD = 5, /* an error finding; under --strict a warning too */
  CLI_LIMIT = 6,  /* cycle limit reached */
};

typedef int cli_verb_fn(int argc, char **argv); /* argv[0] is the verb */

cli_verb_fn cli_run, cli_asm, cli_dis, cli_isa, cli_exec, cli_conform, cli_pto, cli_chip;

/* One line on stderr: "tessera VERB: ..."; returns CLI_BAD_INPUT. */
int cli_bad_input(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --name=VALUE or --name VALUE: when argv[*i] is that option, returns its value and moves *i past it; NULL when it is another
 * argument. A missing value is reported through *missing. */
const char *cli_option(int argc, char **argv, int *i, const char *name, bool *missing);

bool cli_parse_u64(const char *text, uint64_t *value); /* decimal or 0x; whole string; no sign */
bool cli_wants_help(int argc, char **argv);            /* --help or -h anywhere */

/* A line that is rewritten in place, only when stderr is a terminal. */
void cli_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_progress_clear(void);

#endif
