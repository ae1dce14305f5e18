/* tessera exec: assembles a program for the three threads, runs it on a tile and says what happened. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/input.h"
#include "observe/report.h"
#include "observe/words.h"
#include "tensix/isa/asm.h"
#include "tensix/isa/dis.h"
#include "tensix/tile/tile.h"

#define REPORT_BYTES (1 << 18)
#define DUMPS_MAX 16

static const char help[] =
    "usage: tessera exec [OPTIONS] FILE.tta\n\n"
    "Assembles FILE (docs/assembler.md), has the three cores push its words, runs until everything has completed, and\n"
    "reports: cycles, what each thread issued and waited for, how busy the units were, what was found.\n\n"
    "  --timing off|cycle   cycle (default): instructions take their time; off: one cycle each\n"
    "  --max-cycles N       stop after N cycles (default 100000000)\n"
    "  --param NAME=VALUE   change a parameter of the model; --params lists them with their sources\n"
    "  --strict             stop at the first finding that is a warning or an error (exit code 5)\n"
    "  --quiet-hazards      only count what was found\n"
    "  --trace FILE         a line per instruction: cycle, thread, text, word, unit\n"
    "  --dump ADDR:LEN      print LEN bytes of L1 from ADDR afterwards; may be given again\n"
    "  --json               the report as one JSON object\n"
    "  --sarif FILE         write faults, hangs and findings as SARIF 2.1.0\n"
    "  --verbose            after a hang: all releasers and the tables\n\n"
    "example: tessera exec examples/mop_and_replay.tta\n";

struct options {
  const char *path, *trace, *sarif;
  bool timing, strict, quiet, json, verbose;
  uint64_t max_cycles;
  struct {
    uint32_t address, length;
  } dumps[DUMPS_MAX];
  int dump_count;
  struct tx_params params;
};

static void list_params(void) {
  for (size_t i = 0; i < tx_param_count; i++) {
    const struct tx_param_info *p = &tx_param_infos[i];
    printf("%-24s %6u  %-9s %s (%s)\n", p->name, p->initial, p->evidence, p->what, p->source);
  }
}

static bool set_param(struct options *o, const char *text) {
  const char *equals = strchr(text, '=');
  uint64_t value;
  if (!equals || !cli_parse_u64(equals + 1, &value) || value > UINT32_MAX) {
    cli_bad_input("exec", "--param takes NAME=VALUE, not '%s'", text);
    return false;
  }
  for (size_t i = 0; i < tx_param_count; i++) {
    const struct tx_param_info *p = &tx_param_infos[i];
    if (strlen(p->name) != (size_t)(equals - text) || strncmp(p->name, text, strlen(p->name)) != 0) continue;
    uint32_t v = (uint32_t)value;
    memcpy((char *)&o->params + p->offset, &v, sizeof v);
    return true;
  }
  cli_bad_input("exec", "no parameter '%.*s'; tessera exec --params lists them", (int)(equals - text), text);
  return false;
}

static bool add_dump(struct options *o, const char *text) {
  char address_text[32];
  uint64_t address, length;
  const char *colon = strchr(text, ':');
  if (o->dump_count < DUMPS_MAX && colon && (size_t)(colon - text) < sizeof address_text) {
    snprintf(address_text, sizeof address_text, "%.*s", (int)(colon - text), text);
    if (cli_parse_u64(address_text, &address) && cli_parse_u64(colon + 1, &length) && length && address < TX_L1_BYTES &&
        length <= TX_L1_BYTES - address) {
      o->dumps[o->dump_count].address = (uint32_t)address;
      o->dumps[o->dump_count++].length = (uint32_t)length;
      return true;
    }
  }
  cli_bad_input("exec", "--dump takes ADDR:LEN inside L1 (0x%x bytes), at most %d times, not '%s'", TX_L1_BYTES, DUMPS_MAX,
                text);
  return false;
}

static bool parse_flag(struct options *o, const char *arg) {
  if (strcmp(arg, "--strict") == 0) o->strict = true;
  else if (strcmp(arg, "--json") == 0) o->json = true;
  else if (strcmp(arg, "--verbose") == 0) o->verbose = true;
  else if (strcmp(arg, "--quiet-hazards") == 0) o->quiet = true;
  else return false;
  return true;
}

static bool parse_options(int argc, char **argv, struct options *o) {
  for (int i = 1; i < argc; i++) {
    bool missing = false;
    const char *value;
    if (argv[i][0] != '-' || strcmp(argv[i], "-") == 0) {
      if (o->path) return cli_bad_input("exec", "one file at a time: '%s' and '%s'", o->path, argv[i]), false;
      o->path = argv[i];
    } else if ((value = cli_option(argc, argv, &i, "--timing", &missing))) {
      o->timing = strcmp(value, "cycle") == 0;
      if (!o->timing && strcmp(value, "off") != 0)
        return cli_bad_input("exec", "--timing takes off or cycle, not '%s'", value), false;
    } else if ((value = cli_option(argc, argv, &i, "--max-cycles", &missing))) {
      if (!cli_parse_u64(value, &o->max_cycles) || o->max_cycles == 0)
        return cli_bad_input("exec", "--max-cycles takes a number of cycles above 0, not '%s'", value), false;
    } else if ((value = cli_option(argc, argv, &i, "--trace", &missing))) {
      o->trace = value;
    } else if ((value = cli_option(argc, argv, &i, "--sarif", &missing))) {
      o->sarif = value;
    } else if ((value = cli_option(argc, argv, &i, "--dump", &missing))) {
      if (!add_dump(o, value)) return false;
    } else if ((value = cli_option(argc, argv, &i, "--param", &missing))) {
      if (!set_param(o, value)) return false;
    } else if (missing) {
      return cli_bad_input("exec", "%s needs a value", argv[i]), false;
    } else if (!parse_flag(o, argv[i])) {
      return cli_bad_input("exec", "unknown option '%s'; tessera exec --help lists them", argv[i]), false;
    }
  }
  if (!o->path) cli_bad_input("exec", "no file given; tessera exec --help shows an example");
  return o->path != NULL;
}

/* --- the program --- */

/* A thread's words and its core's operations in one list, in order of the text. */
static struct tx_script_op *make_script(const struct tx_asm_words *w, uint32_t *count) {
  static const uint32_t kinds[] = {
      [TX_ASM_STORE] = TX_SCRIPT_STORE, [TX_ASM_POLL] = TX_SCRIPT_WAIT, [TX_ASM_SYNC] = TX_SCRIPT_SYNC};
  struct tx_script_op *ops = calloc(w->count + w->core_count + 1, sizeof *ops);
  size_t core = 0, n = 0;
  if (!ops) return NULL;
  for (size_t i = 0; i <= w->count; i++) {
    for (; core < w->core_count && w->core[core].before <= i; core++) {
      const struct tx_asm_core_op *op = &w->core[core];
      ops[n++] =
          (struct tx_script_op){.kind = kinds[op->kind], .a = op->v[0], .b = op->v[1], .c = op->v[2], .line = op->line};
    }
    if (i < w->count) ops[n++] = (struct tx_script_op){.kind = TX_SCRIPT_PUSH, .a = w->words[i], .line = w->lines[i]};
  }
  *count = (uint32_t)n;
  return ops;
}

static bool assemble(const struct options *o, struct tx_asm *program) {
  struct cli_input in;
  char text[1024];
  if (!cli_input_read(&in, "exec", o->path, TX_ASM_TEXT_MAX)) return false;
  bool good = tx_asm(program, o->path, in.data, in.size);
  for (size_t i = 0; i < program->error_count; i++) {
    tx_asm_explain(&program->errors[i], in.data, in.size, text, sizeof text);
    fputs(text, stderr);
  }
  cli_input_free(&in);
  return good;
}

static void trace_line(void *context, const struct sim_event *e) {
  char text[256];
  tx_dis(e->a, text, sizeof text);
  fprintf(context, "%llu thread%u 0x%08x %s ; %s\n", (unsigned long long)e->at, e->agent, e->a, text,
          obs_unit_name((unsigned)e->c));
}

static void print_dumps(const struct options *o, const struct tx_tile *t) {
  for (int i = 0; i < o->dump_count; i++) {
    for (uint32_t k = 0; k < o->dumps[i].length; k++) {
      uint32_t address = o->dumps[i].address + k;
      if (k % 16 == 0) printf("%s%05x:", k ? "\n" : "", address);
      printf(" %02x", t->l1[address]);
    }
    putchar('\n');
  }
}

static bool write_sarif(const struct options *o, const struct obs_report *r, char *text, size_t size) {
  FILE *file = fopen(o->sarif, "w");
  bool good = file && obs_report_sarif(r, text, size) < size && fputs(text, file) >= 0;
  if (file && fclose(file) != 0) good = false;
  if (!good) cli_bad_input("exec", "%s: could not be written to its end", o->sarif);
  return good;
}

static int run(const struct options *o, struct tx_tile *t, const struct tx_script scripts[TX_THREADS]) {
  FILE *trace = NULL;
  static const uint32_t step = 1u << 22;
  tx_tile_reset(t, o->timing);
  t->params = o->params;
  t->diag.strict = o->strict;
  t->diag.quiet = o->quiet;
  if (o->trace) {
    trace = fopen(o->trace, "w");
    if (!trace) return cli_bad_input("exec", "%s: cannot be written", o->trace);
    sim_log_attach(&t->unsaved.log, trace_line, trace, 1u << TX_EVENT_ISSUE);
  }
  for (unsigned i = 0; i < TX_THREADS; i++) tx_script_attach(t, i, &scripts[i]);
  enum sim_end end;
  do {
    sim_time until = o->max_cycles - t->engine.now > step ? t->engine.now + step : o->max_cycles;
    end = tx_tile_run(t, until);
    if (end == SIM_END_TIME) cli_progress("%llu cycles", (unsigned long long)t->engine.now);
  } while (end == SIM_END_TIME && t->engine.now < o->max_cycles);
  cli_progress_clear();
  if (trace && fclose(trace) != 0) return cli_bad_input("exec", "%s: could not be written to its end", o->trace);
  static char report[REPORT_BYTES];
  struct dbg_program program = {.script = o->path};
  struct obs_report r = {.t = t, .program = &program, .end = end, .verbose = o->verbose};
  (o->json ? obs_report_json : obs_report_text)(&r, report, sizeof report);
  fputs(report, stdout);
  print_dumps(o, t);
  if (o->sarif && !write_sarif(o, &r, report, sizeof report)) return CLI_BAD_INPUT;
  return obs_report_code(&r);
}

int cli_exec(int argc, char **argv) {
  struct options o = {.timing = true, .max_cycles = 100000000, .params = tx_params_default()};
  struct tx_script scripts[TX_THREADS] = {{0}};
  struct tx_asm program;
  int result = CLI_BAD_INPUT;
  if (cli_wants_help(argc, argv)) {
    fputs(help, stdout);
    return CLI_OK;
  }
  if (argc == 2 && strcmp(argv[1], "--params") == 0) {
    list_params();
    return CLI_OK;
  }
  if (!parse_options(argc, argv, &o)) return CLI_BAD_INPUT;
  memset(&program, 0, sizeof program);
  struct tx_tile *t = malloc(sizeof *t);
  bool ready = t && assemble(&o, &program);
  for (unsigned i = 0; ready && i < TX_THREADS; i++) {
    scripts[i].ops = make_script(&program.threads[i], &scripts[i].count);
    ready = scripts[i].ops != NULL;
  }
  if (ready) result = run(&o, t, scripts);
  for (unsigned i = 0; i < TX_THREADS; i++) free((void *)scripts[i].ops);
  tx_asm_free(&program);
  free(t);
  return result;
}
