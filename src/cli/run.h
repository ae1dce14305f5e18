/* tessera run: the settings of the command line, and the parts of the verb. */
#ifndef TESSERA_CLI_RUN_H
#define TESSERA_CLI_RUN_H

#include "cli/report_html.h"
#include "cli/session.h"
#include "cli/what_if.h"

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

struct run_load {
  uint32_t address;
  const char *path;
};

/* A write before the run, at a cycle of it, or each time a condition is met. */
enum run_when { RUN_BEFORE, RUN_AT_CYCLE, RUN_AT_CONDITION };
struct run_poke {
  uint32_t address, value;
  enum run_when when;
  bool done;
  uint64_t cycle;
  struct tessera_word condition;
  int number; /* number of the tile's condition */
};

struct run_dump {
  uint32_t address, length;
  const char *path;
  FILE *file; /* opened before the run */
};

struct run_until {
  struct tessera_word words[TESSERA_CONDITION_WORDS];
  size_t count;
  int number;
};

struct run_break {
  enum tessera_core core;
  const char *symbol;
};

struct run_watch {
  uint32_t address, length;
};

struct run_settings {
  struct cli_session session; /* first */
  const char *elf[TESSERA_CORES];
  uint32_t reset_pc[TESSERA_CORES];
  bool has_reset_pc[TESSERA_CORES];
  unsigned cores; /* bit per core; 0: the cores that have a program */
  struct run_load *loads;
  struct run_poke *pokes;
  struct run_dump *dumps;
  struct run_until *untils;
  struct run_break *breaks;
  struct run_watch *watches;
  size_t load_count, poke_count, dump_count, until_count, break_count, watch_count;
  const char *json_path, *restore_path, *save_path;
  FILE *json, *save; /* opened before the run, so that a bad path is reported at once */
  bool why;
  const char *what_if;   /* of a rerun; NULL: the unchanged machine */
  const char **what_ifs; /* --what-if; none given: that of the verdict */
  size_t what_if_count;
  const char *gdb;         /* --gdb */
  const char *report_path; /* HTML */
  FILE *report;
  struct cli_report html;
  unsigned shows;      /* bit per enum run_show */
  struct run_explore { /* of tessera explore */
    uint64_t schedules, seed, threads;
    struct tessera_word ignore[8]; /* address, and the length in `value` */
    size_t ignored;
    const char *program; /* a .tta file, a kernel's folder or a .chip file; NULL: --elf */
    const char *build, *compiler, *library, *product, *json_path;
    bool no_build, own_check;
    struct run_list {
      const char **of;
      size_t count;
    } ins, cbs, args, defines; /* as in tessera kernel run */
  } explore;
};

/* The command line of tessera run; false after one line on stderr. */
bool run_parse(const struct cli_verb *verb, int argc, char **argv, struct run_settings *s);
void run_free(struct run_settings *s);
/* Rejects options that are impossible with a debugger, which also runs backwards; false after one line on stderr. */
bool run_can_debug(const struct run_settings *s);
/* Loads the files of the settings and starts the cores; false after one line on stderr. */
bool run_set_up(struct run_settings *s);
#define EXPLORE_OPTION_COUNT 24u
extern const struct cli_opt explore_option_table[EXPLORE_OPTION_COUNT];
bool explore_parse(const struct cli_verb *verb, int argc, char **argv, struct run_settings *s);
#define DEBUG_OPTION_COUNT 11u
extern const struct cli_opt debug_option_table[DEBUG_OPTION_COUNT];
#define RUN_OPTION_COUNT 35u
extern const struct cli_opt run_option_table[RUN_OPTION_COUNT];

/* Runs until the tile is idle, with the writes at their cycles; *good is false after one line on stderr. */
enum tessera_result run_all(struct run_settings *s, bool *good);
/* Runs again with each what-if of --what-if or of the verdict of --why: one line each. The caller frees the text; NULL:
 * there is none. */
/* Does the program have every line and function that --what-if names? false after one line on stderr. */
bool run_what_ifs_apply(const struct run_settings *s);
struct cli_reruns run_what_ifs(struct run_settings *s, enum tessera_result result);

void run_show(FILE *out, const struct tessera_tile *tile, unsigned shows);

#endif
