/* The parser and --help of verb.h. */
#include "cli/verb.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

#define COLUMN 26

/* --- parsing --- */

/* The value of the option in argv[*i]: after '=', or the next word. NULL: there is none. */
static const char *value_of(const struct cli_opt *o, int argc, char **argv, int *i) {
  size_t length = strlen(o->name);
  if (argv[*i][length] == '=') return argv[*i] + length + 1;
  return *i + 1 < argc ? argv[++*i] : NULL;
}

static const struct cli_opt *find(const struct cli_verb *verb, const char *arg) {
  for (size_t k = 0; k < verb->option_count; k++) {
    const struct cli_opt *o = &verb->options[k];
    size_t length = strlen(o->name);
    if (strncmp(arg, o->name, length) != 0) continue;
    if (arg[length] == '\0' || (arg[length] == '=' && o->argument)) return o;
  }
  return NULL;
}

static bool parse_one(const struct cli_verb *verb, int argc, char **argv, int *i, void *settings) {
  const char *arg = argv[*i];
  const struct cli_opt *o = find(verb, arg);
  if (!o) return cli_bad_input(verb->name, "unknown option '%s'; tessera %s --help lists them", arg, verb->name), false;
  if (!o->argument) return o->set(settings, NULL);
  const char *value = value_of(o, argc, argv, i);
  if (!value) return cli_bad_input(verb->name, "%s needs a value", arg), false;
  return o->set(settings, value);
}

/* One place to write twice, or to read and write? Devices can be shared. */
static bool same_file(const char *a, const char *b) {
  struct stat at_a, at_b;
  if (strcmp(a, b) == 0) return stat(a, &at_a) != 0 || S_ISREG(at_a.st_mode);
  if (stat(a, &at_a) != 0 || stat(b, &at_b) != 0) return false;
  return S_ISREG(at_a.st_mode) && at_a.st_dev == at_b.st_dev && at_a.st_ino == at_b.st_ino;
}

/* The path that argv[*i] has written; NULL: none. Moves *i to the option's last word. */
static const char *output_of(const struct cli_verb *verb, int argc, char **argv, int *i, const struct cli_opt **option) {
  *option = argv[*i][0] == '-' && argv[*i][1] ? find(verb, argv[*i]) : NULL;
  if (!*option || !(*option)->argument) return NULL;
  const char *value = value_of(*option, argc, argv, i);
  if (!value || strcmp((*option)->complete, CLI_OUTPUT) != 0) return NULL;
  const char *equals = strncmp((*option)->argument, "NAME=", 5) == 0 ? strchr(value, '=') : NULL;
  return equals ? equals + 1 : value;
}

/* Before the run: afterwards the first of two would be lost. */
static bool outputs_differ(const struct cli_verb *verb, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const struct cli_opt *first, *second;
    const char *path = output_of(verb, argc, argv, &i, &first);
    for (int k = 1; path && k < argc; k++) {
      const int word = k;
      const char *other = output_of(verb, argc, argv, &k, &second);
      if (!second && argv[word][0] != '-' && strcmp(verb->operands, CLI_FILE) == 0 && strcmp(path, "-") != 0 &&
          same_file(path, argv[word]))
        return cli_bad_input(verb->name, "%s would overwrite %s, which is read", first->name, path), false;
      if (k <= i || !other || (second == first && strncmp(first->argument, "NAME=", 5) != 0)) continue;
      if (same_file(path, other))
        return cli_bad_input(verb->name, "%s and %s cannot both go to %s", first->name, second->name,
                             strcmp(path, "-") == 0 ? "standard output" : path),
               false;
    }
  }
  return true;
}

bool cli_parse(const struct cli_verb *verb, int argc, char **argv, void *settings, cli_operand_fn *operand) {
  for (int i = 1; i < argc; i++) {
    bool option = argv[i][0] == '-' && argv[i][1] != '\0';
    if (!(option ? parse_one(verb, argc, argv, &i, settings) : operand(settings, argv[i]))) return false;
  }
  return outputs_differ(verb, argc, argv);
}

/* --- help --- */

static void print_options(FILE *out, const struct cli_verb *verb) {
  for (size_t i = 0; i < verb->option_count; i++) {
    const struct cli_opt *o = &verb->options[i];
    char left[64];
    snprintf(left, sizeof left, "%s%s%s", o->name, o->argument ? " " : "", o->argument ? o->argument : "");
    fprintf(out, "  %-*s  %s\n", COLUMN, left, o->what);
  }
}

static void print_help(FILE *out, const struct cli_verb *verb) {
  const char *space = verb->name[0] ? " " : "";
  fprintf(out, "usage: tessera%s%s%s%s\n\n%s\n", space, verb->name, verb->usage[0] ? " " : "", verb->usage, verb->about);
  if (verb->option_count) fputc('\n', out);
  print_options(out, verb);
  if (verb->sub_count) fputc('\n', out);
  for (size_t i = 0; i < verb->sub_count; i++) {
    const char *name = strrchr(verb->subs[i]->name, ' ');
    fprintf(out, "  %-10s %s\n", name ? name + 1 : verb->subs[i]->name, verb->subs[i]->what);
  }
  if (verb->notes[0]) fprintf(out, "\n%s\n", verb->notes);
  fprintf(out, "\nexample: %s\n", verb->example);
}

static int call(const struct cli_verb *verb, const struct cli_verb *command, int argc, char **argv) {
  if (!verb->subs && cli_wants_help(argc, argv)) {
    print_help(stdout, verb);
    return CLI_OK;
  }
  return verb->describe ? verb->describe(verb, command, argc, argv) : verb->run(verb, argc, argv);
}

int cli_call(const struct cli_verb *verb, int argc, char **argv) { return call(verb, verb, argc, argv); }

int cli_run_sub(const struct cli_verb *verb, int argc, char **argv) {
  const char *space = verb->name[0] ? " " : "";
  for (size_t i = 0; argc > 1 && i < verb->sub_count; i++) {
    const char *name = strrchr(verb->subs[i]->name, ' ');
    if (strcmp(argv[1], name ? name + 1 : verb->subs[i]->name) == 0) return call(verb->subs[i], verb, argc - 1, argv + 1);
  }
  bool asked = argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "help") == 0);
  if (argc > 1 && !asked) {
    char word[256];
    fprintf(stderr, "tessera%s%s: unknown %sverb '", space, verb->name, verb->name[0] ? "sub-" : "");
    snprintf(word, sizeof word, "%s", argv[1]);
    cli_show(stderr, word);
    fprintf(stderr, "'; tessera%s%s --help lists them\n", space, verb->name);
    return CLI_BAD_INPUT;
  }
  print_help(asked ? stdout : stderr, verb);
  return asked ? CLI_OK : CLI_BAD_INPUT;
}
