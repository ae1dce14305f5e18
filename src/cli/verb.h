/* A verb of the command as data: its options with their help, completions, an example. The parser, --help, the manual pages
 * and the completion scripts of shells all read these tables. */
#ifndef TESSERA_CLI_VERB_H
#define TESSERA_CLI_VERB_H

#include <stdbool.h>
#include <stddef.h>

/* The kind of an argument, for completion. A text of words separated by spaces completes to those words. */
#define CLI_FILE "FILE"     /* a path */
#define CLI_OUTPUT "OUTPUT" /* a path that is written; cli_parse refuses one path for two of them */
#define CLI_CORE "CORE="    /* a core's name, then another text */
#define CLI_NOTHING ""

struct cli_opt {
  const char *name;                               /* "--elf" */
  const char *argument;                           /* "CORE=FILE"; NULL: a flag */
  const char *what;                               /* one line of help */
  const char *complete;                           /* CLI_FILE, words, ... */
  bool (*set)(void *settings, const char *value); /* value is NULL for a flag; false: it has printed an error */
};

struct cli_verb {
  const char *name;  /* "run", "pto run" */
  const char *what;  /* one line */
  const char *usage; /* the text after the name */
  const char *about; /* paragraphs */
  const struct cli_opt *options;
  size_t option_count;
  const char *notes;                                              /* paragraphs below the options; "" */
  const char *example;                                            /* a command */
  const char *operands;                                           /* completion of operands */
  int (*run)(const struct cli_verb *verb, int argc, char **argv); /* argv[0] is the last word of the name */
  /* Instead of `run`, for a verb that prints the tables: `command` is the verb that has this one among its sub-verbs. */
  int (*describe)(const struct cli_verb *verb, const struct cli_verb *command, int argc, char **argv);
  const struct cli_verb *const *subs; /* sub-verbs, or NULL */
  size_t sub_count;
};

#define CLI_COUNT(array) (sizeof(array) / sizeof *(array))
#define CLI_OPTIONS(array) .options = (array), .option_count = CLI_COUNT(array)

/* Parses options (--name VALUE, --name=VALUE, -n VALUE) and passes all other words to `operand`. false after one line on
 * stderr. */
typedef bool cli_operand_fn(void *settings, const char *text);
bool cli_parse(const struct cli_verb *verb, int argc, char **argv, void *settings, cli_operand_fn *operand);

/* Runs the sub-verb that argv[1] names; otherwise prints help or an error. */
int cli_run_sub(const struct cli_verb *verb, int argc, char **argv);
/* Runs a verb, or prints its help if an argument requests it. */
int cli_call(const struct cli_verb *verb, int argc, char **argv);

#endif
