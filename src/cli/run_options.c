/* The command line of tessera run. Every option is checked here; an invalid one gives one clear line and exit code 2. */
#include <stdlib.h>
#include <string.h>

#include "cli/gdb.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/verb.h"
#include "cli/what_if.h"

#define CORE_NAMES "brisc, ncrisc, trisc0, trisc1 or trisc2"

static bool bad(const struct run_settings *s, const char *option, const char *wants, const char *got) {
  cli_bad_input(s->session.verb, "%s takes %s, not '%s'", option, wants, got);
  return false;
}

/* Adds an item to a list of settings; NULL after one line. */
#define ADD(list, count) (add_item((void **)&(list), &(count), sizeof *(list)) ? &(list)[(count)-1] : NULL)
static bool add_item(void **items, size_t *count, size_t size) {
  void *moved = cli_grow("run", *items, count, size);
  if (moved) *items = moved;
  return moved != NULL;
}

static bool core_of(const char *text, size_t length, enum tessera_core *core) {
  char name[16];
  if (length >= sizeof name) return false;
  memcpy(name, text, length);
  name[length] = '\0';
  int number = tessera_core_number(name);
  if (number >= 0) *core = (enum tessera_core)number;
  return number >= 0;
}

static bool add_elf(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *equals = strchr(text, '=');
  enum tessera_core core;
  if (!equals || !equals[1] || !core_of(text, (size_t)(equals - text), &core))
    return bad(s, "--elf", "CORE=FILE with CORE " CORE_NAMES, text);
  if (s->elf[core]) return cli_bad_input(s->session.verb, "two --elf for %s", tessera_core_name(core)), false;
  s->elf[core] = equals + 1;
  return true;
}

static bool add_load(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *colon = strchr(text, ':');
  uint32_t address;
  if (!colon || !colon[1] || !cli_parse_u32(text, (size_t)(colon - text), &address))
    return bad(s, "--load", "ADDR:FILE", text);
  struct run_load *load = ADD(s->loads, s->load_count);
  if (load) *load = (struct run_load){.address = address, .path = colon + 1};
  return load != NULL;
}

/* ADDR=VALUE in the first `length` characters */
static bool parse_write(const char *text, size_t length, struct run_poke *poke) {
  const char *equals = memchr(text, '=', length);
  return equals && cli_parse_u32(text, (size_t)(equals - text), &poke->address) &&
         cli_parse_u32(equals + 1, length - (size_t)(equals + 1 - text), &poke->value);
}

static bool check_write(const struct run_settings *s, const char *option, const char *text, const struct run_poke *poke) {
  return (!(poke->address & 3u) && tessera_visible(poke->address, 4)) ||
         bad(s, option,
             "an aligned address visible to the NoC: L1, local RAMs from 0xffb14000, control, NoC and stream registers",
             text);
}

static bool add_poke(void *settings, const char *text) {
  struct run_settings *s = settings;
  struct run_poke poke = {.when = RUN_BEFORE, .number = -1};
  const char *at = strchr(text, '@');
  if (!parse_write(text, at ? (size_t)(at - text) : strlen(text), &poke) || (at && !cli_parse_u64(at + 1, &poke.cycle)))
    return bad(s, "--poke", "ADDR=VALUE, both of 32 bits, or ADDR=VALUE@CYCLE", text);
  if (at) poke.when = RUN_AT_CYCLE;
  if (!check_write(s, "--poke", text, &poke)) return false;
  struct run_poke *made = ADD(s->pokes, s->poke_count);
  if (made) *made = poke;
  return made != NULL;
}

/* ADDR=VALUE or ADDR=VALUE/MASK in the first `length` characters */
static bool parse_word(const char *text, size_t length, struct tessera_word *word) {
  const char *equals = memchr(text, '=', length), *slash = memchr(text, '/', length), *end = text + length;
  word->mask = UINT32_MAX;
  return equals && (!slash || slash > equals) && cli_parse_u32(text, (size_t)(equals - text), &word->address) &&
         cli_parse_u32(equals + 1, (size_t)((slash ? slash : end) - equals - 1), &word->value) &&
         (!slash || cli_parse_u32(slash + 1, (size_t)(end - slash - 1), &word->mask));
}

static bool add_when(void *settings, const char *text) {
  struct run_settings *s = settings;
  struct run_poke poke = {.when = RUN_AT_CONDITION, .number = -1};
  const char *colon = strchr(text, ':');
  if (!colon || !parse_word(text, (size_t)(colon - text), &poke.condition) ||
      !parse_write(colon + 1, strlen(colon + 1), &poke))
    return bad(s, "--when", "ADDR=VALUE[/MASK]:ADDR=VALUE", text);
  if (poke.condition.value & ~poke.condition.mask) return bad(s, "--when", "a value inside its mask", text);
  if (!check_write(s, "--when", text, &poke)) return false;
  struct run_poke *made = ADD(s->pokes, s->poke_count);
  if (made) *made = poke;
  return made != NULL;
}

static bool add_until(void *settings, const char *text) {
  struct run_settings *s = settings;
  struct run_until until = {.number = -1};
  for (const char *at = text;;) {
    size_t length = strcspn(at, ",");
    if (until.count == TESSERA_CONDITION_WORDS) return bad(s, "--until", "at most four words at the same time", text);
    struct tessera_word *word = &until.words[until.count++];
    if (!parse_word(at, length, word)) return bad(s, "--until", "ADDR=VALUE or ADDR=VALUE/MASK, several with commas", text);
    if (word->value & ~word->mask) return bad(s, "--until", "a value inside its mask", text);
    if (!at[length]) break;
    at += length + 1;
  }
  struct run_until *made = ADD(s->untils, s->until_count);
  if (made) *made = until;
  return made != NULL;
}

static bool add_dump(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
  uint32_t address, length;
  if (!second || !second[1] || !cli_parse_u32(text, (size_t)(first - text), &address) ||
      !cli_parse_u32(first + 1, (size_t)(second - first - 1), &length) || !length)
    return bad(s, "--dump", "ADDR:LENGTH:FILE", text);
  if (!tessera_visible(address, length)) return bad(s, "--dump", "a range of L1, of a local RAM or of registers", text);
  struct run_dump *made = ADD(s->dumps, s->dump_count);
  if (made) *made = (struct run_dump){.address = address, .length = length, .path = second + 1};
  return made != NULL;
}

static bool set_reset_pc(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *equals = strchr(text, '=');
  enum tessera_core core;
  uint32_t pc;
  if (!equals || !core_of(text, (size_t)(equals - text), &core) || !cli_parse_u32(equals + 1, strlen(equals + 1), &pc) ||
      (pc & 3u) || pc >= TESSERA_L1_BYTES)
    return bad(s, "--reset-pc", "CORE=ADDR with CORE " CORE_NAMES " and ADDR an aligned address in L1", text);
  s->reset_pc[core] = pc;
  s->has_reset_pc[core] = true;
  return true;
}

static bool set_cores(void *settings, const char *text) {
  struct run_settings *s = settings;
  for (const char *at = text;;) {
    size_t length = strcspn(at, ",");
    enum tessera_core core;
    if (!core_of(at, length, &core)) return bad(s, "--cores", "a list of " CORE_NAMES ", separated by commas", text);
    s->cores |= 1u << core;
    if (!at[length]) return true;
    at += length + 1;
  }
}

static bool add_shows(void *settings, const char *text) {
  struct run_settings *s = settings;
  static const char *const names[RUN_SHOW_COUNT] = {"dst", "srca", "srcb", "lreg", "rwc", "adc", "cfg", "sem"};
  for (const char *at = text;;) {
    size_t length = strcspn(at, ","), i = 0;
    while (i < RUN_SHOW_COUNT && (strlen(names[i]) != length || strncmp(at, names[i], length) != 0)) i++;
    if (i == RUN_SHOW_COUNT) return bad(s, "--show", "a list of dst, srca, srcb, lreg, rwc, adc, cfg, sem", text);
    s->shows |= 1u << i;
    if (!at[length]) return true;
    at += length + 1;
  }
}

static bool add_break(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *colon = strchr(text, ':');
  enum tessera_core core;
  if (!colon || !colon[1] || !core_of(text, (size_t)(colon - text), &core))
    return bad(s, "--break", "CORE:SYMBOL or CORE:ADDR with CORE " CORE_NAMES, text);
  struct run_break *made = ADD(s->breaks, s->break_count);
  if (made) *made = (struct run_break){.core = core, .symbol = colon + 1};
  return made != NULL;
}

static bool add_watch(void *settings, const char *text) {
  struct run_settings *s = settings;
  const char *colon = strchr(text, ':');
  struct run_watch watch = {.length = 4};
  if (!cli_parse_u32(text, colon ? (size_t)(colon - text) : strlen(text), &watch.address) ||
      (colon && !cli_parse_u32(colon + 1, strlen(colon + 1), &watch.length)))
    return bad(s, "--watch", "ADDR or ADDR:LENGTH", text);
  struct run_watch *made = ADD(s->watches, s->watch_count);
  if (made) *made = watch;
  return made != NULL;
}

static bool set_json(void *settings, const char *text) {
  ((struct run_settings *)settings)->json_path = text;
  return true;
}

static bool set_report(void *settings, const char *text) {
  struct run_settings *s = settings;
  s->session.account = true;
  s->report_path = text;
  return cli_is_file(s->session.verb, "--report", text);
}

static bool set_why(void *settings, const char *text) {
  struct run_settings *s = settings;
  (void)text;
  s->session.account = true;
  return s->why = true;
}

static bool add_what_if(void *settings, const char *text) {
  struct run_settings *s = settings;
  if (!cli_what_if_known(s->session.verb, text)) return false;
  const char **made = ADD(s->what_ifs, s->what_if_count);
  if (made) *made = text;
  return made && set_why(settings, text);
}

static bool set_gdb(void *settings, const char *text) {
  ((struct run_settings *)settings)->gdb = text;
  return true;
}

static bool set_restore(void *settings, const char *text) {
  ((struct run_settings *)settings)->restore_path = text;
  return true;
}

static bool set_save(void *settings, const char *text) {
  ((struct run_settings *)settings)->save_path = text;
  return true;
}

/* clang-format off */
const struct cli_opt run_option_table[RUN_OPTION_COUNT] = {
    {"--elf", "CORE=FILE", "load a RISC-V executable and start the core at its entry point", CLI_CORE, add_elf},
    {"--load", "ADDR:FILE", "load a raw file", CLI_NOTHING, add_load},
    {"--poke", "ADDR=VALUE[@CYCLE]", "write a word as the NoC does, before the run or at a cycle of it", CLI_NOTHING, add_poke},
    {"--when", "COND:ADDR=VALUE", "write a word when COND (ADDR=VALUE[/MASK]) is met, and continue", CLI_NOTHING, add_when},
    {"--reset-pc", "CORE=ADDR", "start a core there instead of at its executable's entry", CLI_CORE, set_reset_pc},
    {"--cores", "LIST", "release only these cores (default: those that have a program)", "brisc ncrisc trisc0 trisc1 trisc2", set_cores},
    {"--until", "COND[,COND...]", "stop when words of L1 or registers have values: ADDR=VALUE[/MASK]; with commas: all at the same time; repeated: any of them", CLI_NOTHING, add_until},
    {"--break", "CORE:SYMBOL", "stop before this instruction (an address, or a symbol of the core's executable: all functions with that name)", CLI_NOTHING, add_break},
    {"--watch", "ADDR[:LENGTH]", "stop after a write to this word or range", CLI_NOTHING, add_watch},
    {"--dump", "ADDR:LENGTH:FILE", "write memory to a file afterwards", CLI_NOTHING, add_dump},
    {"--show", "LIST", "print dst, srca, srcb, lreg, rwc, adc, cfg, sem at the end or at the stop", "dst srca srcb lreg rwc adc cfg sem", add_shows},
    {"--json", "FILE", "write the report as JSON to FILE (- is standard output, instead of text)", CLI_OUTPUT, set_json},
    {"--save-state", "FILE", "write the state of the tile to FILE afterwards", CLI_OUTPUT, set_save},
    {"--restore", "FILE", "continue from a state that --save-state has written; --elf then names symbols only", CLI_FILE, set_restore},
    {"--report", "FILE", "write one HTML file: verdict, timeline, where the cycles go, source lines, findings; no network", CLI_OUTPUT, set_report},
    {"--why", NULL, "report what bounds the run, where, and what to change; with --account", CLI_NOTHING, set_why},
    CLI_WHAT_IF_OPTION(add_what_if),
    CLI_FROM_OPTION,
    CLI_GDB_OPTION(set_gdb),
    CLI_SESSION_OPTIONS,
};
/* clang-format on */

/* --- explore --- */

static bool set_count(const char *option, const char *text, uint64_t most, uint64_t *value) {
  return (cli_parse_u64(text, value) && *value <= most) ||
         (cli_bad_input("explore", "%s takes a number up to %llu, not '%s'", option, (unsigned long long)most, text), false);
}

static bool set_schedules(void *settings, const char *text) {
  uint64_t *schedules = &((struct run_settings *)settings)->explore.schedules;
  return set_count("--schedules", text, 100000000, schedules) &&
         (*schedules || (cli_bad_input("explore", "--schedules takes at least 1"), false));
}

static bool set_seed(void *settings, const char *text) {
  return set_count("--seed", text, UINT64_MAX, &((struct run_settings *)settings)->explore.seed);
}

static bool set_threads(void *settings, const char *text) {
  uint64_t *threads = &((struct run_settings *)settings)->explore.threads;
  return set_count("--threads", text, 1024, threads) &&
         (*threads || (cli_bad_input("explore", "--threads takes at least 1"), false));
}

static bool add_ignored(void *settings, const char *text) {
  struct run_explore *e = &((struct run_settings *)settings)->explore;
  const char *colon = strchr(text, ':');
  struct tessera_word range = {0};
  if (e->ignored == sizeof e->ignore / sizeof *e->ignore || !colon ||
      !cli_parse_u32(text, (size_t)(colon - text), &range.address) ||
      !cli_parse_u32(colon + 1, strlen(colon + 1), &range.value) || !range.value)
    return cli_bad_input("explore", "--ignore takes ADDR:LENGTH, at most eight times, with a length of at least 1, not '%s'",
                         text),
           false;
  e->ignore[e->ignored++] = range;
  return true;
}

static bool add_to_list(struct run_list *list, const char *value) {
  const char **moved = cli_grow("explore", (void *)list->of, &list->count, sizeof *list->of);
  if (!moved) return false;
  list->of = moved;
  moved[list->count - 1] = value;
  return true;
}

#define EXPLORE_LIST(name, list) \
  static bool name(void *settings, const char *value) { \
    return add_to_list(&((struct run_settings *)settings)->explore.list, value); \
  }
EXPLORE_LIST(add_in, ins)
EXPLORE_LIST(add_cb, cbs)
EXPLORE_LIST(add_arg, args)
EXPLORE_LIST(add_define, defines)

#define EXPLORE_TEXT(name, member) \
  static bool name(void *settings, const char *value) { \
    ((struct run_settings *)settings)->explore.member = value; \
    return true; \
  }
EXPLORE_TEXT(set_build, build)
EXPLORE_TEXT(set_compiler, compiler)
EXPLORE_TEXT(set_library, library)
EXPLORE_TEXT(set_product, product)
EXPLORE_TEXT(set_explore_json, json_path)

static bool set_no_build(void *settings, const char *value) {
  (void)value;
  return ((struct run_settings *)settings)->explore.no_build = true;
}

static bool set_explore_check(void *settings, const char *text) {
  ((struct run_settings *)settings)->explore.own_check = true;
  return cli_set_check(settings, text);
}

/* The program of tessera explore and tessera debug. */
/* clang-format off */
#define PROGRAM_OPTIONS \
  {"--elf", "CORE=FILE", "load a RISC-V executable and start the core at its entry point", CLI_CORE, add_elf}, \
  {"--load", "ADDR:FILE", "load a raw file", CLI_NOTHING, add_load}, \
  {"--poke", "ADDR=VALUE", "write a word as the NoC does, before the run", CLI_NOTHING, add_poke}, \
  {"--reset-pc", "CORE=ADDR", "start a core there instead of at its executable's entry", CLI_CORE, set_reset_pc}, \
  {"--cores", "LIST", "release only these cores (default: those that have a program)", "brisc ncrisc trisc0 trisc1 trisc2", set_cores}

const struct cli_opt explore_option_table[EXPLORE_OPTION_COUNT] = {
    PROGRAM_OPTIONS,
    {"--schedules", "N", "number of schedules (default 300)", CLI_NOTHING, set_schedules},
    {"--seed", "N", "seed of the random schedules", CLI_NOTHING, set_seed},
    {"--threads", "N", "host threads (default: one per processor); the result does not depend on it", CLI_NOTHING, set_threads},
    {"--ignore", "ADDR:LENGTH", "bytes of L1 (of every tile) that may differ, such as measured times", CLI_NOTHING, add_ignored},
    {"--json", "FILE", "write the result as JSON to FILE (- is standard output, instead of text)", CLI_OUTPUT, set_explore_json},
    {"--sarif", "FILE", "what the checkers find, of a folder or a chip under the schedule that breaks it, else without delays, as SARIF 2.1.0", CLI_OUTPUT, cli_set_sarif},
    {"--verbose", NULL, "all errors of a FILE.tta, each with its line", CLI_NOTHING, cli_set_verbose},
    {"--check", "LIST", "checkers of every run of a folder or a chip, or of --sarif: letters a to f with commas, or all, none (default a to e)", "all none", set_explore_check},
    {"--max-cycles", "N", "cycle limit of the run without delays", CLI_NOTHING, cli_set_max_cycles},
    {"--param", "NAME=VALUE", "change a parameter of the model; tessera exec --params lists them", CLI_NOTHING, cli_set_param},
    {"--in", "NAME=FILE[:FORMAT]", "of a kernel's folder: a tensor's numbers from a .npy file", CLI_FILE, add_in},
    {"--cb", "INDEX=PAGES:FORMAT", "of a kernel's folder: a circular buffer", CLI_NOTHING, add_cb},
    {"--arg", "INDEX=VALUE", "of a kernel's folder: an argument of all kernels; reader.INDEX=VALUE of one", CLI_NOTHING, add_arg},
    {"--define", "NAME[=VALUE]", "of a kernel's folder: define a macro for all three kernels", CLI_NOTHING, add_define},
    {"--build", "DIR", "of a kernel's folder: where the executables go (default the folder's build)", CLI_FILE, set_build},
    {"--no-build", NULL, "of a kernel's folder: use the existing build", CLI_NOTHING, set_no_build},
    {"--cc", "PROGRAM", "of a kernel's folder: the RISC-V compiler", CLI_NOTHING, set_compiler},
    {"--library", "DIR", "of a kernel's folder: the kernel library", CLI_FILE, set_library},
    {"--product", "NAME", "of a chip: full, p150, galaxy or p100", "full p150 galaxy p100", set_product},
};

const struct cli_opt debug_option_table[DEBUG_OPTION_COUNT] = {
    PROGRAM_OPTIONS,
    {"--restore", "FILE", "continue from a state that tessera run --save-state has written; --elf then names symbols only", CLI_FILE, set_restore},
    CLI_MACHINE_OPTIONS,
};
/* clang-format on */

static bool set_program(void *settings, const char *text) {
  struct run_explore *e = &((struct run_settings *)settings)->explore;
  if (e->program) return cli_bad_input("explore", "two programs: '%s' and '%s'", e->program, text), false;
  e->program = text;
  return true;
}

static bool refuse_operand(void *settings, const char *text) {
  const struct run_settings *s = settings;
  return cli_bad_input(s->session.verb, "'%s' is not an option; a program is given as --elf CORE=FILE", text), false;
}

static bool check_together(struct run_settings *s) {
  unsigned with_program = 0;
  for (unsigned core = 0; core < TESSERA_CORES; core++)
    if (s->elf[core] || s->has_reset_pc[core]) with_program |= 1u << core;
  bool moved = false;
  for (unsigned core = 0; core < TESSERA_CORES; core++) moved |= s->has_reset_pc[core];
  if (s->restore_path && (moved || s->session.timing_given))
    return cli_bad_input(s->session.verb, "%s cannot be combined with --restore: the state has its own",
                         moved ? "--reset-pc" : "--timing"),
           false;
  if (s->restore_path) return true;
  if (!s->cores) s->cores = with_program;
  bool memory = s->load_count || s->poke_count; /* a core may start in code that these write */
  if (s->cores && (with_program || memory)) return true;
  return cli_bad_input(s->session.verb,
                       "nothing to run: give --elf CORE=FILE, or --load with --reset-pc; tessera %s --help shows an example",
                       s->session.verb),
         false;
}

bool run_can_debug(const struct run_settings *s) {
  bool timed = s->until_count || s->watch_count || s->break_count;
  for (size_t i = 0; i < s->poke_count; i++) timed |= s->pokes[i].when != RUN_BEFORE;
  if (timed)
    return cli_bad_input(s->session.verb, "--until, --watch, --break, --when and --poke at a cycle cannot be used with a "
                                          "debugger: it has commands for them"),
           false;
  if (!s->session.trace_path && !s->session.account && !s->session.profile_path && !s->session.coverage_path) return true;
  return cli_bad_input(s->session.verb, "--trace, --account, --why, --report, --profile and --coverage cannot be used with "
                                        "a debugger: it can step back"),
         false;
}

bool run_parse(const struct cli_verb *verb, int argc, char **argv, struct run_settings *s) {
  return cli_parse(verb, argc, argv, s, refuse_operand) && check_together(s);
}

bool explore_parse(const struct cli_verb *verb, int argc, char **argv, struct run_settings *s) {
  if (!cli_parse(verb, argc, argv, s, set_program)) return false;
  bool elf = false;
  for (unsigned core = 0; core < TESSERA_CORES; core++) elf |= s->elf[core] != NULL;
  if (s->explore.program && elf)
    return cli_bad_input("explore", "%s and --elf exclude each other: a folder or file names its own binaries",
                         s->explore.program),
           false;
  return s->explore.program || check_together(s);
}

void run_free(struct run_settings *s) {
  cli_discard(s->report, s->report_path);
  cli_report_free(&s->html);
  cli_discard(s->json, s->json_path);
  cli_discard(s->save, s->save_path);
  for (size_t i = 0; i < s->dump_count; i++) cli_discard(s->dumps[i].file, s->dumps[i].path);
  free(s->loads);
  free(s->pokes);
  free(s->dumps);
  free(s->untils);
  free(s->breaks);
  free(s->watches);
  free(s->what_ifs);
  free((void *)s->explore.ins.of);
  free((void *)s->explore.cbs.of);
  free((void *)s->explore.args.of);
  free((void *)s->explore.defines.of);
  cli_session_free(&s->session);
}
