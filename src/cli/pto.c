/* tessera pto: Ascend PTO Cube-Vector pipe programs. This file reads the command line; the sub-verbs are in pto_*.c. */
#include <stdlib.h>
#include <string.h>

#include "cli/pto_cli.h"
#include "cli/pto_launches.h"
#include "pto/ir/parse.h"
#include "pto/ir/reference.h"
#include "pto/program/place.h"

#define SOURCE_MAX ((size_t)16 << 20)

struct sub_verb {
  const char *name;
  int (*run)(struct pto_cli *cli);
  const char *what, *help;
};

#define COMMON_HELP \
  "  --profile NAME    a2a3 or a5, instead of what the file says\n" \
  "  --policy NAME     credit policy for all pipes (tessera pto policies lists them)\n" \
  "  --profile-file F  figures of the profile, lines key = value (tessera pto profiles lists them)\n" \
  "  --dispatches N    launch the program N times; flags survive\n" \
  "  --blocks N        launch it on N blocks, instead of what the file says\n" \
  "  --set NAME=VALUE  a parameter of the file\n" \
  "  --json            for machines\n"

static const struct sub_verb sub_verbs[] = {
    {"run", pto_cli_run, "run a program: result, time, stalls, occupancy",
     "usage: tessera pto run FILE.pto [OPTIONS]\n\n"
     "  --in NAME=FILE.npy      a global tensor's content\n"
     "  --out NAME=FILE.npy     write it after the run\n"
     "  --expect NAME=FILE.npy  compare with it; a difference is exit code 1\n"
     "  --tol X                 relative and absolute tolerance of --expect (0: exact)\n"
     "  --print NAME            show the first elements of a global tensor\n"
     "  --strict                stop at the first hazard; a leak, which is a warning, is exit code 5 too\n"
     "  --limit CYCLES          give up after so many, exit code 6\n"
     "  --no-data               flags, time and hazards only\n"
     "  --trace FILE.json       what every pipe did, for a trace viewer\n" COMMON_HELP
     "\nExit code 5 when a finding means that results can be wrong, 4 for a deadlock, 3 for a fault.\n"
     "\nexample: tessera pto run examples/pto/pattern1.pto --print C\n"},
    {"check", pto_cli_check, "what is wrong with a program: rules, weighed by a few schedules",
     "usage: tessera pto check FILE.pto [OPTIONS]\n\nExit code 1 when there is an error; notes and warnings are "
     "0.\n\n" COMMON_HELP "\nexample: tessera pto check examples/pto/issue248.pto\n"},
    {"explore", pto_cli_explore, "run a program under many schedules, show the smallest that breaks it",
     "usage: tessera pto explore FILE.pto [OPTIONS]\n\n"
     "  --schedules N   how many (1000)\n"
     "  --seed N        of the random ones\n"
     "  --limit CYCLES  per run\n" COMMON_HELP
     "\nExit code 3 for a fault, 4 for a deadlock, 5 for a hazard or a leak, 6 when a run does not end in time,\n"
     "0 when nothing breaks.\n"
     "\nexample: tessera pto explore examples/pto/pattern3.pto\n"},
    {"sweep", pto_cli_sweep, "depth and period against time per tile, memory and safety",
     "usage: tessera pto sweep FILE.pto [OPTIONS]\n\n"
     "  --depth A:B      depths to try (1:16)\n"
     "  --period N       one period instead of 1, half and full depth\n"
     "  --schedules N    for the verdict (40)\n"
     "  --own-depth      the depth and period of the file: only parameters and blocks differ\n"
     "  --threads N      of the host (all)\n"
     "  --set NAME=A,B   several values of a parameter: every combination is tried\n"
     "  --blocks A,B     several numbers of blocks\n"
     "  --svg FILE       write a plot\n" COMMON_HELP
     "\nExit code 0 whatever the verdicts are, 3 when the program is refused as `run` refuses it.\n"
     "\nexample: tessera pto sweep examples/pto/stages.pto --depth 1:8 --svg sweep.svg\n"},
};

#define SUB_VERBS (sizeof sub_verbs / sizeof *sub_verbs)

static void print_help(FILE *out) {
  fputs("usage: tessera pto SUB-VERB FILE.pto [OPTIONS]\n\n", out);
  for (size_t i = 0; i < SUB_VERBS; i++) fprintf(out, "  %-9s %s\n", sub_verbs[i].name, sub_verbs[i].what);
  fputs("  policies  list the credit policies\n"
        "  profiles  print the figures of the two profiles, with their sources\n"
        "  ops       list the operations of PTO IR\n"
        "  launches  print a C++ source with its kernel launches as calls\n\ntessera pto SUB-VERB --help says more.\n\n"
        "example: tessera pto explore examples/pto/pattern3.pto\n",
        out);
}

static int print_policies(int argc, char **argv) {
  if (cli_wants_help(argc, argv)) {
    fputs("usage: tessera pto policies\n\nLists the credit policies that --policy takes.\n\n"
          "example: tessera pto policies\n",
          stdout);
    return CLI_OK;
  }
  if (argc > 1) return cli_bad_input("pto", "policies takes no argument, not '%s'", argv[1]);
  for (unsigned i = 0; i < pto_policy_count(); i++) printf("%-12s %s\n", pto_policy_get(i)->name, pto_policy_get(i)->about);
  return CLI_OK;
}

static bool bind(struct pto_cli_binding *list, unsigned *count, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || (size_t)(equals - text) >= PTO_NAME_MAX || *count == PTO_CLI_BINDINGS_MAX) return false;
  memcpy(list[*count].name, text, (size_t)(equals - text));
  list[*count].name[equals - text] = '\0';
  list[(*count)++].path = equals + 1;
  return true;
}

static bool parse_range(const char *text, uint64_t *low, uint64_t *high) {
  char first[32];
  const char *colon = strchr(text, ':');
  size_t length = colon ? (size_t)(colon - text) : strlen(text);
  if (length >= sizeof first) return false;
  memcpy(first, text, length);
  first[length] = '\0';
  if (!cli_parse_u64(first, low) || !cli_parse_u64(colon ? colon + 1 : first, high)) return false;
  return *low >= 1 && *low <= *high && *high <= PTO_SLOTS_MAX;
}

/* Numbers, and how large they may be; 0 would mean that nothing was said, so only a seed can be 0. 1: taken, 0: not one of
 * these, -1: bad, and said. */
static int number_option(struct pto_cli *cli, int argc, char **argv, int *i, bool *missing) {
  const struct {
    const char *name;
    uint64_t *place, low, high;
  } numbers[] = {{"--dispatches", &cli->dispatches, 1, 100000}, {"--limit", &cli->limit, 1, UINT64_C(1) << 60},
                 {"--schedules", &cli->schedules, 1, 10000000}, {"--seed", &cli->seed, 0, UINT32_MAX},
                 {"--period", &cli->period, 1, PTO_SLOTS_MAX},  {"--threads", &cli->threads, 1, 64}};
  for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    const char *v = cli_option(argc, argv, i, numbers[k].name, missing);
    if (!v) continue;
    if (cli_parse_u64(v, numbers[k].place) && *numbers[k].place >= numbers[k].low && *numbers[k].place <= numbers[k].high)
      return 1;
    cli_bad_input("pto", "%s takes a number from %llu to %llu, not '%s'", numbers[k].name,
                  (unsigned long long)numbers[k].low, (unsigned long long)numbers[k].high, v);
    return -1;
  }
  return 0;
}

/* --profile and --policy: a name of a list. */
static int name_option(struct pto_cli *cli, int argc, char **argv, int *i, bool *missing) {
  char list[256] = "";
  size_t used = 0;
  const char *v = cli_option(argc, argv, i, "--profile", missing);
  if (v && (cli->profile = pto_profile_find(v)) >= 0) return 1;
  if (v) return cli_bad_input("pto", "--profile takes a2a3 or a5, not '%s'", v), -1;
  if (!(v = cli_option(argc, argv, i, "--policy", missing))) return 0;
  if ((cli->policy = pto_policy_find(v)) >= 0) return 1;
  for (unsigned k = 0; k < pto_policy_count() && used < sizeof list; k++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", pto_policy_get(k)->name);
  cli_bad_input("pto", "--policy takes one of %s, not '%s'", list, v);
  return -1;
}

/* A,B,C */
static bool parse_list(const char *text, int64_t *values, unsigned *count) {
  char *end;
  for (*count = 0; *count < PTO_CLI_VALUES_MAX; text = end + 1) {
    long long value = strtoll(text, &end, 0);
    if (end == text) return false;
    values[(*count)++] = value;
    if (!*end) return true;
    if (*end != ',') return false;
  }
  return false;
}

/* --set NAME=VALUE or, for a sweep, NAME=A,B,C. */
static bool take_setting(struct pto_cli *cli, const char *text) {
  struct pto_cli_axis axis = {.count = 0};
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || (size_t)(equals - text) >= sizeof axis.name) return false;
  memcpy(axis.name, text, (size_t)(equals - text));
  if (!parse_list(equals + 1, axis.values, &axis.count)) return false;
  if (axis.count > 1) {
    if (cli->axis_count == PTO_CLI_AXES_MAX) return false;
    cli->axes[cli->axis_count++] = axis;
    return true;
  }
  if (cli->setting_count + PTO_CLI_AXES_MAX >= PTO_PARAMS_MAX) return false;
  struct pto_setting *s = &cli->settings[cli->setting_count++];
  memcpy(s->name, axis.name, sizeof s->name);
  s->value = axis.values[0];
  return true;
}

static bool take_blocks(struct pto_cli *cli, const char *text) {
  int64_t values[PTO_CLI_VALUES_MAX];
  if (!parse_list(text, values, &cli->block_count)) return false;
  for (unsigned i = 0; i < cli->block_count; i++) {
    if (values[i] < 1 || values[i] > (int64_t)PTO_BLOCKS_MAX) return false;
    cli->block_list[i] = (uint32_t)values[i];
  }
  cli->blocks = cli->block_list[0];
  return true;
}

/* Any other option with a value. 1: taken, 0: not one of these, -1: bad. */
static int value_option(struct pto_cli *cli, int argc, char **argv, int *i, bool *missing) {
  const char *v;
  if ((v = cli_option(argc, argv, i, "--in", missing))) return bind(cli->in, &cli->in_count, v) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--out", missing))) return bind(cli->out, &cli->out_count, v) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--expect", missing))) return bind(cli->expect, &cli->expect_count, v) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--depth", missing))) return parse_range(v, &cli->depth_min, &cli->depth_max) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--trace", missing))) return cli->trace = v, 1;
  if ((v = cli_option(argc, argv, i, "--svg", missing))) return cli->svg = v, 1;
  if ((v = cli_option(argc, argv, i, "--profile-file", missing))) return cli->profile_file = v, 1;
  if ((v = cli_option(argc, argv, i, "--set", missing))) return take_setting(cli, v) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--blocks", missing))) return take_blocks(cli, v) ? 1 : -1;
  if ((v = cli_option(argc, argv, i, "--tol", missing))) {
    char *end;
    cli->tolerance = strtod(v, &end);
    return *v && !*end && cli->tolerance >= 0 ? 1 : -1;
  }
  if ((v = cli_option(argc, argv, i, "--print", missing))) {
    if (cli->print_count == PTO_CLI_BINDINGS_MAX) return -1;
    cli->print[cli->print_count++] = v;
    return 1;
  }
  return *missing ? -1 : 0;
}

static int parse_arguments(struct pto_cli *cli, int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    const char *arg = argv[i];
    bool missing = false;
    int taken = number_option(cli, argc, argv, &i, &missing);
    if (!taken) taken = name_option(cli, argc, argv, &i, &missing);
    if (taken < 0) return CLI_BAD_INPUT;
    if (!taken) taken = value_option(cli, argc, argv, &i, &missing);
    if (taken < 0)
      return cli_bad_input("pto", "bad or missing value: %s%s%s", arg, i > 0 && argv[i] != arg ? " " : "",
                           argv[i] != arg ? argv[i] : "");
    if (taken) continue;
    if (strcmp(arg, "--json") == 0) cli->json = true;
    else if (strcmp(arg, "--strict") == 0) cli->strict = true;
    else if (strcmp(arg, "--no-data") == 0) cli->no_data = true;
    else if (strcmp(arg, "--own-depth") == 0) cli->own_depth = true;
    else if (arg[0] == '-' && arg[1])
      return cli_bad_input("pto", "unknown option '%s'; tessera pto %s --help lists them", arg, argv[0]);
    else if (cli->file) return cli_bad_input("pto", "one file only, not also %s", arg);
    else cli->file = arg;
  }
  if (!cli->file) return cli_bad_input("pto", "no file given; tessera pto %s --help shows an example", argv[0]);
  return CLI_OK;
}

static bool read_figures(struct pto_cli *cli, struct pto_program *program) {
  struct cli_input file = {0};
  char why[160];
  if (!cli->profile_file) return true;
  if (!cli_input_read(&file, "pto", cli->profile_file, SOURCE_MAX)) return false;
  bool good = pto_profile_read(&program->figures, file.data, file.size, why, sizeof why);
  cli_input_free(&file);
  if (!good) cli_bad_input("pto", "%s: %s", cli->profile_file, why);
  else if (!(good = pto_program_finish(program))) cli_bad_input("pto", "%s: %s", cli->file, program->error);
  return good;
}

struct pto_program *pto_cli_parse(struct pto_cli *cli, const struct pto_setting *settings, unsigned count) {
  struct pto_ir_error error;
  struct pto_program *program = pto_ir_parse_with(cli->source.data, cli->source.size, cli->profile, settings, count, &error);
  if (!program) {
    char text[1024];
    pto_ir_error_text(&error, cli->file, cli->source.data, cli->source.size, text, sizeof text);
    fputs(text, stderr);
    return NULL;
  }
  if (cli->dispatches) program->dispatches = (uint32_t)cli->dispatches;
  if (cli->blocks) program->blocks = (uint32_t)cli->blocks;
  if (read_figures(cli, program)) return program;
  pto_program_free(program);
  return NULL;
}

static int load(struct pto_cli *cli, bool sweep) {
  struct pto_setting settings[PTO_PARAMS_MAX];
  unsigned count = cli->setting_count;
  if (!sweep && (cli->axis_count || cli->block_count > 1))
    return cli_bad_input("pto", "several values of --set or --blocks are for sweep");
  if (!cli_input_read(&cli->source, "pto", cli->file, SOURCE_MAX)) return CLI_BAD_INPUT;
  memcpy(settings, cli->settings, sizeof settings);
  for (unsigned i = 0; i < cli->axis_count; i++, count++) { /* the first of each axis */
    memcpy(settings[count].name, cli->axes[i].name, sizeof settings[count].name);
    settings[count].value = cli->axes[i].values[0];
  }
  cli->program = pto_cli_parse(cli, settings, count);
  return cli->program ? CLI_OK : CLI_BAD_INPUT;
}

static int print_text(const char *verb, int argc, char **argv, const char *help) {
  if (cli_wants_help(argc, argv)) return fputs(help, stdout), CLI_OK;
  bool markdown = argc == 2 && strcmp(argv[1], "--markdown") == 0 && strcmp(verb, "ops") == 0;
  if (argc > 1 && !markdown) return cli_bad_input("pto", "%s does not take '%s'", verb, argv[1]);
  size_t (*write)(char *, size_t) = strcmp(verb, "profiles") == 0 ? pto_profiles_text
                                    : markdown                    ? pto_ir_reference
                                                                  : pto_ir_list;
  size_t need = write(NULL, 0);
  char *text = malloc(need + 1);
  if (!text) return cli_bad_input("pto", "out of memory");
  write(text, need + 1);
  fputs(text, stdout);
  free(text);
  return CLI_OK;
}

int cli_pto(int argc, char **argv) {
  const struct sub_verb *verb = NULL;
  for (size_t i = 0; i < SUB_VERBS; i++)
    if (argc > 1 && strcmp(argv[1], sub_verbs[i].name) == 0) verb = &sub_verbs[i];
  if (argc > 1 && strcmp(argv[1], "policies") == 0) return print_policies(argc - 1, argv + 1);
  if (argc > 1 && strcmp(argv[1], "ops") == 0)
    return print_text("ops", argc - 1, argv + 1,
                      "usage: tessera pto ops [--markdown]\n\nLists the operations of PTO IR; --markdown prints "
                      "docs/reference/pto-ir.md.\n\n"
                      "example: tessera pto ops\n");
  if (argc > 1 && strcmp(argv[1], "profiles") == 0)
    return print_text("profiles", argc - 1, argv + 1,
                      "usage: tessera pto profiles\n\nPrints the figures of A2/A3 and A5 with their sources; --profile-file "
                      "overrides them.\n\n"
                      "example: tessera pto profiles\n");
  if (argc > 1 && strcmp(argv[1], "launches") == 0) return pto_cli_launches(argc - 1, argv + 1);
  if (!verb) {
    bool asked = argc > 1 && cli_wants_help(argc, argv);
    if (argc > 1 && !asked) return cli_bad_input("pto", "unknown sub-verb '%s'; tessera pto --help lists them", argv[1]);
    print_help(asked ? stdout : stderr);
    return asked ? CLI_OK : CLI_BAD_INPUT;
  }
  if (cli_wants_help(argc - 1, argv + 1)) {
    fputs(verb->help, stdout);
    return CLI_OK;
  }
  struct pto_cli *cli = calloc(1, sizeof *cli);
  if (!cli) return cli_bad_input("pto", "out of memory");
  cli->profile = cli->policy = -1;
  int result = parse_arguments(cli, argc - 1, argv + 1);
  if (result == CLI_OK) result = load(cli, verb->run == pto_cli_sweep);
  if (result == CLI_OK) result = verb->run(cli);
  pto_program_free(cli->program);
  cli_input_free(&cli->source);
  free(cli);
  return result;
}

void pto_cli_json_string(FILE *out, const char *text) {
  fputc('"', out);
  for (const char *c = text; *c; c++) {
    if (*c == '"' || *c == '\\') fprintf(out, "\\%c", *c);
    else if (*c == '\n') fputs("\\n", out);
    else if ((unsigned char)*c < 32) fprintf(out, "\\u%04x", (unsigned)(unsigned char)*c);
    else fputc(*c, out);
  }
  fputc('"', out);
}

int pto_cli_find_global(const struct pto_program *program, const char *name) {
  for (uint32_t i = 0; i < program->global_count; i++)
    if (strcmp(program->globals[i].name, name) == 0) return (int)i;
  cli_bad_input("pto", "no global tensor @%s in this program", name);
  return -1;
}
