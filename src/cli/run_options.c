/* The command line of tessera run. Every option is checked here; nonsense is one clear line and exit code 2. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/run.h"

static bool bad(const char *option, const char *wants, const char *got) {
  cli_bad_input("run", "%s takes %s, not '%s'", option, wants, got);
  return false;
}

bool run_parse_number(const char *text, size_t length, uint32_t *value) {
  char copy[32];
  uint64_t v;
  if (length == 0 || length >= sizeof copy) return false;
  memcpy(copy, text, length);
  copy[length] = '\0';
  if (!cli_parse_u64(copy, &v) || v > UINT32_MAX) return false;
  *value = (uint32_t)v;
  return true;
}

static bool core_of(const char *text, size_t length, unsigned *core) {
  int number = dbg_core_number(text, length);
  if (number >= 0) *core = (unsigned)number;
  return number >= 0;
}

#define CORE_NAMES "brisc, ncrisc, trisc0, trisc1 or trisc2"

static bool add_elf(struct run_options *o, const char *text) {
  const char *equals = strchr(text, '=');
  unsigned core;
  if (!equals || !equals[1] || !core_of(text, (size_t)(equals - text), &core))
    return bad("--elf", "CORE=FILE with CORE " CORE_NAMES, text);
  if (o->elf[core]) return cli_bad_input("run", "two --elf for %s", tx_core_name(core)), false;
  o->elf[core] = equals + 1;
  return true;
}

static bool add_load(struct run_options *o, const char *text) {
  const char *colon = strchr(text, ':');
  uint32_t address;
  if (o->load_count == RUN_ITEMS_MAX) return cli_bad_input("run", "more than %d --load", RUN_ITEMS_MAX), false;
  if (!colon || !colon[1] || !run_parse_number(text, (size_t)(colon - text), &address))
    return bad("--load", "ADDR:FILE", text);
  o->loads[o->load_count].address = address;
  o->loads[o->load_count++].path = colon + 1;
  return true;
}

static bool add_poke(struct run_options *o, const char *text) {
  const char *equals = strchr(text, '=');
  uint32_t address, value;
  if (o->poke_count == RUN_ITEMS_MAX) return cli_bad_input("run", "more than %d --poke", RUN_ITEMS_MAX), false;
  if (!equals || !run_parse_number(text, (size_t)(equals - text), &address) ||
      !run_parse_number(equals + 1, strlen(equals + 1), &value))
    return bad("--poke", "ADDR=VALUE, both of 32 bits", text);
  if ((address & 3u) || !tx_outside_visible(address, 4))
    return bad("--poke",
               "an aligned address that the network sees: L1, local RAMs from 0xffb14000, control, NoC and stream registers",
               text);
  o->pokes[o->poke_count].address = address;
  o->pokes[o->poke_count++].value = value;
  return true;
}

static bool add_dump(struct run_options *o, const char *text) {
  const char *first = strchr(text, ':'), *second = first ? strchr(first + 1, ':') : NULL;
  uint32_t address, length;
  if (o->dump_count == RUN_ITEMS_MAX) return cli_bad_input("run", "more than %d --dump", RUN_ITEMS_MAX), false;
  if (!second || !second[1] || !run_parse_number(text, (size_t)(first - text), &address) ||
      !run_parse_number(first + 1, (size_t)(second - first - 1), &length) || !length)
    return bad("--dump", "ADDR:LENGTH:FILE", text);
  if (!tx_outside_visible(address, length)) return bad("--dump", "a range of L1, of a local RAM or of registers", text);
  o->dumps[o->dump_count].address = address;
  o->dumps[o->dump_count].length = length;
  o->dumps[o->dump_count++].path = second + 1;
  return true;
}

static bool set_reset_pc(struct run_options *o, const char *text) {
  const char *equals = strchr(text, '=');
  unsigned core;
  uint32_t pc;
  if (!equals || !core_of(text, (size_t)(equals - text), &core) || !run_parse_number(equals + 1, strlen(equals + 1), &pc) ||
      (pc & 3u) || pc >= TX_L1_BYTES)
    return bad("--reset-pc", "CORE=ADDR with CORE " CORE_NAMES " and ADDR an aligned address in L1", text);
  o->reset_pc[core] = pc;
  o->has_reset_pc[core] = true;
  return true;
}

static bool set_cores(struct run_options *o, const char *text) {
  for (const char *at = text;;) {
    size_t length = strcspn(at, ",");
    unsigned core;
    if (!core_of(at, length, &core)) return bad("--cores", "a list of " CORE_NAMES ", separated by commas", text);
    o->cores |= 1u << core;
    if (!at[length]) return true;
    at += length + 1;
  }
}

/* ADDR=VALUE or ADDR=VALUE/MASK */
static bool set_until(struct run_options *o, const char *text) {
  const char *equals = strchr(text, '='), *slash = equals ? strchr(equals, '/') : NULL;
  o->until_mask = UINT32_MAX;
  if (!equals || !run_parse_number(text, (size_t)(equals - text), &o->until_address) ||
      !run_parse_number(equals + 1, slash ? (size_t)(slash - equals - 1) : strlen(equals + 1), &o->until_value) ||
      (slash && !run_parse_number(slash + 1, strlen(slash + 1), &o->until_mask)))
    return bad("--until", "ADDR=VALUE or ADDR=VALUE/MASK", text);
  if (o->until_value & ~o->until_mask) return bad("--until", "a value inside its mask", text);
  o->has_until = true;
  return true;
}

static bool add_shows(struct run_options *o, const char *text) {
  static const char *const names[RUN_SHOW_COUNT] = {"dst", "srca", "srcb", "lreg", "rwc", "adc", "cfg", "sem"};
  for (const char *at = text;;) {
    size_t length = strcspn(at, ","), i = 0;
    while (i < RUN_SHOW_COUNT && (strlen(names[i]) != length || strncmp(at, names[i], length) != 0)) i++;
    if (i == RUN_SHOW_COUNT) return bad("--show", "a list of dst, srca, srcb, lreg, rwc, adc, cfg, sem", text);
    o->shows |= 1u << i;
    if (!at[length]) return true;
    at += length + 1;
  }
}

static bool set_break(struct run_options *o, const char *text) {
  const char *colon = strchr(text, ':');
  if (!colon || !colon[1] || !core_of(text, (size_t)(colon - text), &o->break_core))
    return bad("--break", "CORE:SYMBOL or CORE:ADDR with CORE " CORE_NAMES, text);
  if (o->break_symbol) return cli_bad_input("run", "one --break at a time"), false;
  o->break_symbol = colon + 1;
  return true;
}

static bool set_param(struct run_options *o, const char *text) {
  const char *equals = strchr(text, '=');
  uint32_t value;
  if (!equals || !run_parse_number(equals + 1, strlen(equals + 1), &value)) return bad("--param", "NAME=VALUE", text);
  for (size_t i = 0; i < tx_param_count; i++) {
    const struct tx_param_info *p = &tx_param_infos[i];
    if (strlen(p->name) != (size_t)(equals - text) || strncmp(p->name, text, strlen(p->name)) != 0) continue;
    memcpy((char *)&o->params + p->offset, &value, sizeof value);
    return true;
  }
  return cli_bad_input("run", "no parameter '%.*s'; tessera exec --params lists them", (int)(equals - text), text), false;
}

static bool set_timing(struct run_options *o, const char *text) {
  o->timing = strcmp(text, "cycle") == 0;
  return o->timing || strcmp(text, "off") == 0 || bad("--timing", "off or cycle", text);
}

static bool set_max_cycles(struct run_options *o, const char *text) {
  if (cli_parse_u64(text, &o->max_cycles) && o->max_cycles > 0 && o->max_cycles < SIM_NEVER / 2) return true;
  return bad("--max-cycles", "a number of cycles above 0", text);
}

static bool set_json(struct run_options *o, const char *text) { return (o->json = text) != NULL; }
static bool set_sarif(struct run_options *o, const char *text) { return (o->sarif = text) != NULL; }
static bool set_trace(struct run_options *o, const char *text) { return (o->trace = text) != NULL; }

static const struct {
  const char *name;
  bool (*set)(struct run_options *o, const char *text);
} options[] = {
    {"--elf", add_elf},           {"--load", add_load},   {"--poke", add_poke},   {"--dump", add_dump},
    {"--reset-pc", set_reset_pc}, {"--cores", set_cores}, {"--until", set_until}, {"--max-cycles", set_max_cycles},
    {"--timing", set_timing},     {"--json", set_json},   {"--trace", set_trace}, {"--show", add_shows},
    {"--break", set_break},       {"--param", set_param}, {"--sarif", set_sarif},
};

static bool parse_one(int argc, char **argv, int *i, struct run_options *o) {
  const char *arg = argv[*i];
  bool missing = false;
  for (size_t k = 0; k < sizeof options / sizeof *options; k++) {
    const char *value = cli_option(argc, argv, i, options[k].name, &missing);
    if (value) return options[k].set(o, value);
    if (missing) return cli_bad_input("run", "%s needs a value", arg), false;
  }
  if (strcmp(arg, "--strict") == 0) return o->strict = true;
  if (strcmp(arg, "--quiet-hazards") == 0) return o->quiet = true;
  if (strcmp(arg, "--verbose") == 0) return o->verbose = true;
  if (arg[0] != '-') return cli_bad_input("run", "'%s' is no option; a program is given as --elf CORE=FILE", arg), false;
  return cli_bad_input("run", "unknown option '%s'; tessera run --help lists them", arg), false;
}

static bool check_together(struct run_options *o) {
  unsigned with_program = 0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (o->elf[core] || o->has_reset_pc[core]) with_program |= 1u << core;
  if (!o->cores) o->cores = with_program;
  bool memory = o->load_count || o->poke_count; /* a core may start in what these bring */
  if (o->cores && (with_program || memory)) return true;
  return cli_bad_input(
             "run", "nothing to run: give --elf CORE=FILE, or --load with --reset-pc; tessera run --help shows an example"),
         false;
}

bool run_parse_options(int argc, char **argv, struct run_options *o) {
  for (int i = 1; i < argc; i++)
    if (!parse_one(argc, argv, &i, o)) return false;
  return check_together(o);
}
