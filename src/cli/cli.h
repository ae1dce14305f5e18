/* Shared by the verbs of the tessera command: exit codes, the list of verbs, small helpers. Only this folder prints, and it uses
 * only include/tessera. */
#ifndef TESSERA_CLI_H
#define TESSERA_CLI_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct cli_verb;

/* The exit codes of all verbs (docs/guide/running.md). */
enum cli_exit {
  CLI_OK = 0,
  CLI_FAILED = 1,    /* a case or check failed */
  CLI_BAD_INPUT = 2, /* bad input or usage */
  CLI_FAULT = 3,
  CLI_HANG = 4,   /* hang */
  CLI_HAZARD = 5, /* an error finding; under --strict a warning too */
  CLI_LIMIT = 6,  /* cycle limit reached */
};

#define CLI_EXIT_CODES \
  "exit codes: 0 good, 1 a case or check failed, 2 bad input or usage, 3 fault or failed KERNEL_CHECK,\n" \
  "            4 hang, 5 an error finding (under --strict a warning too), 6 cycle limit; if several apply, the first of " \
  "3, 4, 1, 5, 6"

extern const struct cli_verb cli_run, cli_explain, cli_exec, cli_asm, cli_dis, cli_isa, cli_conform, cli_pto, cli_chip,
    cli_sim, cli_demo, cli_man, cli_annotate, cli_completion, cli_explore, cli_kernel;
extern const struct cli_verb cli_debug;

/* Text that may hold foreign words: what a terminal would obey, except new lines and tabs, and what is not UTF-8 becomes \xNN. */
void cli_show(FILE *out, const char *text);
/* The text as one word of a shell: in quotes if it needs them. false: it does not fit. */
bool cli_shell_word(const char *text, char *out, size_t size);
void cli_showf(const char *format, ...) __attribute__((format(printf, 1, 2))); /* on stdout, at most 4095 bytes */

/* One line on stderr: "tessera VERB: ..."; returns CLI_BAD_INPUT. */
extern volatile int cli_memory_failed; /* an allocation of the command has failed (memory.c) */
extern bool cli_complained;            /* an error has been printed */
int cli_bad_input(const char *verb, const char *format, ...) __attribute__((format(printf, 2, 3)));

bool cli_parse_u64(const char *text, uint64_t *value); /* decimal or 0x; the whole string; no sign */
bool cli_wants_help(int argc, char **argv);            /* --help or -h anywhere */

/* Makes room for `needed` items of a list; the new part is not cleared. false: out of memory, the list is unchanged. */
bool cli_reserve(void **items, size_t *capacity, size_t needed, size_t item_size);

void cli_json_string(FILE *out, const char *text); /* with its quotes */

/* A line that is rewritten in place; printed only if stderr is a terminal. */
void cli_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void cli_progress_clear(void);
void cli_progress_runs(void *what, uint64_t done,
                       uint64_t all); /* tessera_progress_fn: "12 of 300 schedules"; `what`: "schedules" */

/* What a machine does at this moment: as tessera_tile_activity. */
typedef size_t cli_activity_fn(void *machine, char *text, size_t size);

/* The same for a run: cycles, speed and what the machine does, drawn at most once per second. Without a terminal one line on stderr after ten seconds, or TESSERA_PROGRESS_SECONDS. */
struct cli_run_clock {
  const char *verb;
  double began, late;
  uint64_t from;
  bool reported;
  double drawn; /* 0: not yet */
  cli_activity_fn *activity;
  void *machine;
  const char *rerun; /* the change of a what-if; NULL: the run itself */
  uint64_t part;     /* cycles of the next part */
  double part_began;
};
struct cli_run_clock cli_run_begin(const char *verb, uint64_t cycle, cli_activity_fn *activity, void *machine);
void cli_run_progress(struct cli_run_clock *clock, uint64_t cycle);
/* A run goes in parts of about a twentieth of a second and at most `most` cycles, between which it looks at signals: the cycles of the next part,
 * of `left`. */
uint64_t cli_run_part(struct cli_run_clock *clock, uint64_t left, uint64_t most);

#endif
