/* tessera pto: Ascend PTO Cube-Vector pipe programs. This file reads the command line; the sub-verbs are in pto_*.c. */
#include <stdlib.h>
#include <string.h>

#include "cli/output.h"
#include "cli/pto_cli.h"
#include "cli/pto_launches.h"
#include "cli/pto_run.h"
#include "cli/pto_tools.h"
#include "cli/verb.h"

static bool bind(struct pto_cli_binding *list, unsigned *count, const char *text) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text || (size_t)(equals - text) >= PTO_CLI_NAME_MAX || *count == PTO_CLI_BINDINGS_MAX)
    return false;
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
  return *low >= 1 && *low <= *high && *high <= TESSERA_PTO_SLOTS_MAX;
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
  if (cli->setting_count + PTO_CLI_AXES_MAX >= TESSERA_PTO_SETTINGS_MAX) return false;
  struct pto_cli_setting *s = &cli->settings[cli->setting_count++];
  memcpy(s->name, axis.name, sizeof s->name);
  s->value = axis.values[0];
  return true;
}

static bool take_blocks(struct pto_cli *cli, const char *text) {
  int64_t values[PTO_CLI_VALUES_MAX];
  if (!parse_list(text, values, &cli->block_count)) return false;
  for (unsigned i = 0; i < cli->block_count; i++) {
    if (values[i] < 1 || values[i] > (int64_t)TESSERA_PTO_BLOCKS_MAX) return false;
    cli->block_list[i] = (uint32_t)values[i];
  }
  cli->blocks = cli->block_list[0];
  return true;
}

/* --- options --- */

static bool bad(const char *option, const char *wants, const char *got) {
  cli_bad_input("pto", "%s takes %s, not '%s'", option, wants, got);
  return false;
}

/* Numbers and their ranges; 0 would mean that the option was not given, so only a seed can be 0. */
static bool number(uint64_t *place, const char *option, uint64_t low, uint64_t high, const char *value) {
  if (cli_parse_u64(value, place) && *place >= low && *place <= high) return true;
  cli_bad_input("pto", "%s takes a number from %llu to %llu, not '%s'", option, (unsigned long long)low,
                (unsigned long long)high, value);
  return false;
}

static bool set_dispatches(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->dispatches, "--dispatches", 1, 100000, value);
}

static bool set_limit(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->limit, "--limit", 1, UINT64_C(1) << 60, value);
}

static bool set_schedules(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->schedules, "--schedules", 1, 10000000, value);
}

static bool set_seed(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->seed, "--seed", 0, UINT32_MAX, value);
}

static bool set_period(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->period, "--period", 1, TESSERA_PTO_SLOTS_MAX, value);
}

static bool set_threads(void *settings, const char *value) {
  return number(&((struct pto_cli *)settings)->threads, "--threads", 1, 64, value);
}

static bool set_profile_file(void *settings, const char *value) {
  ((struct pto_cli *)settings)->profile_file = value;
  return true;
}

static bool add_setting(void *settings, const char *value) {
  return take_setting(settings, value) || bad("--set", "NAME=VALUE, for a sweep NAME=A,B,C", value);
}

static bool set_blocks(void *settings, const char *value) {
  return take_blocks(settings, value) || bad("--blocks", "a number of blocks, for a sweep A,B,C", value);
}

static bool set_own_depth(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->own_depth = true;
}

/* One of the names of `name_at`, which returns "" after the last. */
static bool choose(const char **place, const char *option, const char *(*name_at)(unsigned index), const char *value) {
  bool two = !name_at(2)[0];
  char list[256];
  size_t used = (size_t)snprintf(list, sizeof list, two ? "" : "one of ");
  for (unsigned i = 0; name_at(i)[0]; i++) {
    if (strcmp(name_at(i), value) == 0) return *place = value, true;
    if (used < sizeof list)
      used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", !i ? "" : two ? " or " : ", ", name_at(i));
  }
  return bad(option, list, value);
}

static bool set_profile(void *settings, const char *value) {
  return choose(&((struct pto_cli *)settings)->profile, "--profile", tessera_pto_profile_name, value);
}

static bool set_policy(void *settings, const char *value) {
  return choose(&((struct pto_cli *)settings)->policy, "--policy", tessera_pto_policy_name, value);
}

static bool add_in(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  return bind(cli->in, &cli->in_count, value) || bad("--in", "NAME=FILE.npy", value);
}

static bool add_out(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  return bind(cli->out, &cli->out_count, value) || bad("--out", "NAME=FILE.npy", value);
}

static bool add_expect(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  return bind(cli->expect, &cli->expect_count, value) || bad("--expect", "NAME=FILE.npy", value);
}

static bool set_depth(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  return parse_range(value, &cli->depth_min, &cli->depth_max) || bad("--depth", "A:B, depths from 1 on", value);
}

static bool set_trace(void *settings, const char *value) {
  ((struct pto_cli *)settings)->trace = value;
  return cli_is_file("pto", "--trace", value);
}

static bool set_trace_format(void *settings, const char *value) {
  for (unsigned i = 0; i <= TESSERA_PTO_TRACE_CHROME; i++)
    if (strcmp(tessera_pto_trace_format_name((enum tessera_pto_trace_format)i), value) == 0)
      return (((struct pto_cli *)settings)->trace_format = i + 1) != 0;
  return bad("--trace-format", "text, perfetto or chrome", value);
}

static bool set_trace_from(void *settings, const char *value) {
  return cli_parse_u64(value, &((struct pto_cli *)settings)->trace_from) || bad("--trace-from", "a cycle", value);
}

static bool set_trace_to(void *settings, const char *value) {
  uint64_t *to = &((struct pto_cli *)settings)->trace_to;
  return (cli_parse_u64(value, to) && *to) || bad("--trace-to", "a cycle above 0", value);
}

static bool set_report(void *settings, const char *value) {
  ((struct pto_cli *)settings)->report = value;
  return cli_is_file("pto", "--report", value);
}

static bool set_sarif(void *settings, const char *value) {
  ((struct pto_cli *)settings)->sarif = value;
  return true;
}

static bool set_svg(void *settings, const char *value) {
  ((struct pto_cli *)settings)->svg = value;
  return true;
}

static bool set_tolerance(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  char *end;
  cli->tolerance = strtod(value, &end);
  return (*value && !*end && cli->tolerance >= 0) || bad("--tol", "a number of at least 0", value);
}

static bool add_print(void *settings, const char *value) {
  struct pto_cli *cli = settings;
  if (cli->print_count == PTO_CLI_BINDINGS_MAX) return bad("--print", "fewer tensors", value);
  cli->print[cli->print_count++] = value;
  return true;
}

static bool set_json(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->json = true;
}

static bool set_verbose(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->verbose = true;
}

static bool set_why(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->why = true;
}

static bool set_strict(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->strict = true;
}

static bool set_no_data(void *settings, const char *value) {
  (void)value;
  return ((struct pto_cli *)settings)->no_data = true;
}

static bool set_file(void *settings, const char *text) {
  struct pto_cli *cli = settings;
  if (cli->file) return cli_bad_input("pto", "one file only, not also %s", text), false;
  cli->file = text;
  return true;
}

static int load(struct pto_cli *cli, bool sweep) {
  struct pto_cli_setting settings[TESSERA_PTO_SETTINGS_MAX];
  unsigned count = cli->setting_count;
  if (!sweep && (cli->axis_count || cli->block_count > 1))
    return cli_bad_input("pto", "several values of --set or --blocks are for sweep");
  if (!cli_input_read(&cli->source, "pto", cli->file, PTO_CLI_SOURCE_MAX)) return CLI_BAD_INPUT;
  memcpy(settings, cli->settings, sizeof settings);
  for (unsigned i = 0; i < cli->axis_count; i++, count++) { /* the first value of each axis */
    memcpy(settings[count].name, cli->axes[i].name, sizeof settings[count].name);
    settings[count].value = cli->axes[i].values[0];
  }
  cli->program = pto_cli_parse(cli, settings, count);
  return cli->program ? CLI_OK : CLI_BAD_INPUT;
}

/* --- the verbs --- */

static int run_with(const struct cli_verb *verb, int argc, char **argv, int (*run)(struct pto_cli *cli)) {
  struct pto_cli *cli = calloc(1, sizeof *cli);
  if (!cli) return cli_bad_input("pto", "out of memory");
  int result = cli_parse(verb, argc, argv, cli, set_file) ? CLI_OK : CLI_BAD_INPUT;
  if (result == CLI_OK && !cli->file)
    result = cli_bad_input("pto", "no file given; tessera %s --help shows an example", verb->name);
  if (result == CLI_OK) result = load(cli, run == pto_cli_sweep);
  if (result == CLI_OK) result = run(cli);
  tessera_pto_destroy(cli->program);
  cli_input_free(&cli->source);
  free(cli);
  return result;
}

static int run_run(const struct cli_verb *verb, int argc, char **argv) { return run_with(verb, argc, argv, pto_cli_run); }
static int run_check(const struct cli_verb *verb, int argc, char **argv) {
  return run_with(verb, argc, argv, pto_cli_check);
}
static int run_explore(const struct cli_verb *verb, int argc, char **argv) {
  return run_with(verb, argc, argv, pto_cli_explore);
}
static int run_sweep(const struct cli_verb *verb, int argc, char **argv) {
  return run_with(verb, argc, argv, pto_cli_sweep);
}

typedef size_t text_fn(char *text, size_t size);

static int print_text(text_fn *write) {
  size_t need = write(NULL, 0);
  char *text = malloc(need + 1);
  if (!text) return cli_bad_input("pto", "out of memory");
  write(text, need + 1);
  fputs(text, stdout);
  free(text);
  return CLI_OK;
}

static bool refuse_operand(void *settings, const char *text) {
  (void)settings;
  return cli_bad_input("pto", "%s does not take '%s'", *(const char **)settings, text), false;
}

struct text_settings {
  const char *verb; /* first member: used by refuse_operand */
  bool markdown;
};

static bool set_markdown(void *settings, const char *value) {
  (void)value;
  return ((struct text_settings *)settings)->markdown = true;
}

static int run_ops(const struct cli_verb *verb, int argc, char **argv) {
  struct text_settings s = {.verb = "ops"};
  if (!cli_parse(verb, argc, argv, &s, refuse_operand)) return CLI_BAD_INPUT;
  return print_text(s.markdown ? tessera_pto_reference_text : tessera_pto_operations_text);
}

static int run_profiles(const struct cli_verb *verb, int argc, char **argv) {
  struct text_settings s = {.verb = "profiles"};
  return cli_parse(verb, argc, argv, &s, refuse_operand) ? print_text(tessera_pto_profiles_text) : CLI_BAD_INPUT;
}

static bool refuse(void *settings, const char *text) {
  (void)settings;
  return cli_bad_input("pto", "policies takes no argument; got '%s'", text), false;
}

static int run_policies(const struct cli_verb *verb, int argc, char **argv) {
  if (!cli_parse(verb, argc, argv, NULL, refuse)) return CLI_BAD_INPUT;
  return print_text(tessera_pto_policies_text);
}

/* clang-format off */
#define COMMON \
  {"--profile", "NAME", "a2a3 or a5, instead of the file's profile", "a2a3 a5", set_profile}, \
  {"--policy", "NAME", "credit policy for all pipes (tessera pto policies lists them)", CLI_NOTHING, set_policy}, \
  {"--profile-file", "FILE", "figures of the profile, lines key = value (tessera pto profiles lists them)", CLI_FILE, set_profile_file}, \
  {"--dispatches", "N", "launch the program N times; flags keep their values", CLI_NOTHING, set_dispatches}, \
  {"--blocks", "N", "launch it on N blocks, instead of the file's number; sweep: A,B,C", CLI_NOTHING, set_blocks}, \
  {"--set", "NAME=VALUE", "a parameter of the file; sweep: NAME=A,B,C, every combination is tried", CLI_NOTHING, add_setting}, \
  {"--verbose", NULL, "the source line of an error too; run: after a hang also the work and the waits of every pipe", CLI_NOTHING, set_verbose}, \
  {"--json", NULL, "print JSON instead of text", CLI_NOTHING, set_json}

#define SARIF {"--sarif", "FILE", "write what was found as SARIF 2.1.0, for editors and code review", CLI_OUTPUT, set_sarif}

static const struct cli_opt run_options[] = {
    {"--in", "NAME=FILE.npy", "a global tensor's content", CLI_NOTHING, add_in},
    {"--out", "NAME=FILE.npy", "write it after the run", CLI_OUTPUT, add_out},
    {"--expect", "NAME=FILE.npy", "compare with it; a difference is exit code 1", CLI_NOTHING, add_expect},
    {"--tol", "X", "relative and absolute tolerance of --expect (0: exact)", CLI_NOTHING, set_tolerance},
    {"--print", "NAME", "show the first elements of a global tensor", CLI_NOTHING, add_print},
    {"--strict", NULL, "stop at the first hazard; a leak, which is a warning, is exit code 5 too", CLI_NOTHING, set_strict},
    {"--limit", "CYCLES", "stop after CYCLES cycles, exit code 6", CLI_NOTHING, set_limit},
    {"--no-data", NULL, "flags, time and hazards only", CLI_NOTHING, set_no_data},
    {"--trace", "FILE", "write a trace of all blocks: .pftrace Perfetto, .json Chrome, else one line per event", CLI_OUTPUT, set_trace},
    {"--trace-format", "NAME", "text, perfetto or chrome, regardless of the file's name", "text perfetto chrome", set_trace_format},
    {"--trace-from", "CYCLE", "begin the trace at this cycle", CLI_NOTHING, set_trace_from},
    {"--trace-to", "CYCLE", "end it with this cycle", CLI_NOTHING, set_trace_to},
    {"--why", NULL, "verify the verdict: run again with the change that it names and print those cycles", CLI_NOTHING, set_why},
    {"--report", "FILE", "write one HTML file: findings, timeline, where the cycles go, source lines; no network", CLI_OUTPUT, set_report},
    SARIF,
    COMMON,
};
static const struct cli_opt check_options[] = {SARIF, COMMON};
static const struct cli_opt explore_options[] = {
    {"--schedules", "N", "number of schedules (default 1000)", CLI_NOTHING, set_schedules},
    {"--seed", "N", "seed of the random schedules", CLI_NOTHING, set_seed},
    {"--limit", "CYCLES", "stop each run after CYCLES cycles", CLI_NOTHING, set_limit},
    COMMON,
};
static const struct cli_opt sweep_options[] = {
    {"--depth", "A:B", "depths to try (1:16)", CLI_NOTHING, set_depth},
    {"--period", "N", "one period instead of 1, half and full depth", CLI_NOTHING, set_period},
    {"--schedules", "N", "schedules per verdict (default 40)", CLI_NOTHING, set_schedules},
    {"--own-depth", NULL, "keep the depth and period of the file, vary only parameters and blocks", CLI_NOTHING, set_own_depth},
    {"--threads", "N", "host threads (default: all cores)", CLI_NOTHING, set_threads},
    {"--svg", "FILE", "write a plot", CLI_OUTPUT, set_svg},
    COMMON,
};
/* clang-format on */

static const struct cli_verb pto_run = {
    .name = "pto run",
    .what = "run a program: result, time, stalls, occupancy",
    .usage = "FILE.pto [OPTIONS]",
    .about = "Runs a PTO Cube-Vector pipe program and reports the work and the waits of every pipe.",
    CLI_OPTIONS(run_options),
    .notes = "Exit code 5 when a finding means that results can be wrong, 4 for a hang, 3 for a fault.",
    .example = "tessera pto run examples/pto/pattern1.pto --print C",
    .operands = CLI_FILE,
    .run = run_run,
};

static const struct cli_verb pto_check_verb = {
    .name = "pto check",
    .what = "check a program against the rules of its pipes, and under a few schedules",
    .usage = "FILE.pto [OPTIONS]",
    .about = "Compares a PTO program with the rules of its pipes (locations, directions, limits, overlaps, sizes, splits, "
             "counts) and\n"
             "runs it under a few schedules: each finding, hang and fault of them is an error with the sentence of the run; "
             "a rule\n"
             "that none of them shows to be broken is a warning.",
    CLI_OPTIONS(check_options),
    .notes = "Exit code 1 when there is an error; notes and warnings are 0.",
    .example = "tessera pto check examples/pto/issue248.pto",
    .operands = CLI_FILE,
    .run = run_check,
};

static const struct cli_verb pto_explore_verb = {
    .name = "pto explore",
    .what = "run a program under many schedules, show the smallest that breaks it",
    .usage = "FILE.pto [OPTIONS]",
    .about = "Runs the program under schedules that hardware may have and shows the smallest one that breaks it.",
    CLI_OPTIONS(explore_options),
    .notes =
        "Exit code 3 for a fault, 4 for a hang, 5 for a hazard, 6 when a run does not end in time; a leak is a warning;\n"
        "0 when nothing breaks, 130 and 143 after SIGINT and SIGTERM: the report is of the schedules so far.",
    .example = "tessera pto explore examples/pto/pattern3.pto",
    .operands = CLI_FILE,
    .run = run_explore,
};

static const struct cli_verb pto_sweep_verb = {
    .name = "pto sweep",
    .what = "depth and period against time per tile, memory and safety",
    .usage = "FILE.pto [OPTIONS]",
    .about = "Runs the program with rings of several depths and periods.",
    CLI_OPTIONS(sweep_options),
    .notes = "Exit code 0 for any verdict, 3 if `run` would reject the program.",
    .example = "tessera pto sweep examples/pto/stages.pto --depth 1:8 --svg sweep.svg",
    .operands = CLI_FILE,
    .run = run_sweep,
};

static const struct cli_verb pto_policies = {
    .name = "pto policies",
    .what = "list the credit policies",
    .usage = "",
    .about = "Lists the credit policies that --policy takes.",
    .notes = "",
    .example = "tessera pto policies",
    .operands = CLI_NOTHING,
    .run = run_policies,
};

static const struct cli_opt ops_options[] = {
    {"--markdown", NULL, "print docs/reference/pto-ir.md", CLI_NOTHING, set_markdown},
};

static const struct cli_verb pto_ops = {
    .name = "pto ops",
    .what = "list the operations of PTO IR",
    .usage = "[--markdown]",
    .about = "Lists the operations of PTO IR.",
    CLI_OPTIONS(ops_options),
    .notes = "",
    .example = "tessera pto ops",
    .operands = CLI_NOTHING,
    .run = run_ops,
};

static const struct cli_verb pto_profiles_verb = {
    .name = "pto profiles",
    .what = "print the figures of the two profiles, with their sources",
    .usage = "",
    .about = "Prints the figures of A2/A3 and A5 with their sources; --profile-file overrides them.",
    .notes = "",
    .example = "tessera pto profiles",
    .operands = CLI_NOTHING,
    .run = run_profiles,
};

static const struct cli_verb *const sub_verbs[] = {&pto_run,      &pto_check_verb,    &pto_explore_verb, &pto_sweep_verb,
                                                   &pto_policies, &pto_profiles_verb, &pto_ops,          &pto_launches};

const struct cli_verb cli_pto = {
    .name = "pto",
    .what = "run, check, explore and sweep PTO Cube-Vector pipe programs",
    .usage = "SUB-VERB FILE.pto [OPTIONS]",
    .about = "Ascend PTO Cube-Vector pipe programs in PTO IR (docs/guide/pto.md).",
    .notes = "tessera pto SUB-VERB --help shows every option.",
    .example = "tessera pto explore examples/pto/pattern3.pto",
    .operands = CLI_NOTHING,
    .run = cli_run_sub,
    .subs = sub_verbs,
    .sub_count = CLI_COUNT(sub_verbs),
};
