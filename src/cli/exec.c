/* tessera exec: assembles a program for the three threads, runs it on a tile and reports. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/assembly.h"
#include "cli/input.h"
#include "cli/output.h"
#include "cli/report_html.h"
#include "cli/session.h"
#include "cli/verb.h"

struct dump {
  uint32_t address, length;
};

struct settings {
  struct cli_session session; /* first */
  const char *path;
  bool json, list_params, list_schema;
  const char *report_path; /* HTML */
  FILE *report;
  struct cli_report html;
  struct dump *dumps;
  size_t dump_count;
};

/* --- options --- */

static bool set_json(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->json = true;
}

static bool set_report(void *settings, const char *value) {
  struct settings *s = settings;
  s->report_path = value;
  s->session.account = true;
  return cli_is_file("exec", "--report", value);
}

static bool set_list_params(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->list_params = true;
}

static bool set_list_schema(void *settings, const char *value) {
  (void)value;
  return ((struct settings *)settings)->list_schema = true;
}

static bool add_dump(void *settings, const char *text) {
  struct settings *s = settings;
  const char *colon = strchr(text, ':');
  struct dump d;
  if (!colon || !cli_parse_u32(text, (size_t)(colon - text), &d.address) ||
      !cli_parse_u32(colon + 1, strlen(colon + 1), &d.length) || !d.length || d.address >= TESSERA_L1_BYTES ||
      d.length > TESSERA_L1_BYTES - d.address)
    return cli_bad_input("exec", "--dump takes ADDR:LEN inside L1 (0x%x bytes), not '%s'", TESSERA_L1_BYTES, text), false;
  struct dump *moved = cli_grow("exec", s->dumps, &s->dump_count, sizeof *moved);
  if (!moved) return false;
  s->dumps = moved;
  moved[s->dump_count - 1] = d;
  return true;
}

static bool set_path(void *settings, const char *text) {
  struct settings *s = settings;
  if (s->path) return cli_bad_input("exec", "one file at a time: '%s' and '%s'", s->path, text), false;
  s->path = text;
  return true;
}

/* --- the run --- */

static int list_params(void) {
  struct tessera_param p;
  for (size_t i = 0; tessera_param_info(i, &p) == TESSERA_OK; i++)
    printf("%-24s %6u  %-9s %s (%s)\n", p.name, p.initial, p.evidence, p.what, p.source);
  return CLI_OK;
}

static int list_schema(void) {
  static char text[32768];
  tessera_trace_schema(text, sizeof text);
  fputs(text, stdout);
  return CLI_OK;
}

static bool load(struct settings *s) {
  struct cli_input in;
  if (!cli_input_read(&in, "exec", s->path, CLI_ASM_MAX)) return false;
  struct tessera_asm *program = tessera_assemble(s->path, in.data, in.size);
  cli_input_free(&in);
  if (!program) return cli_bad_input("exec", "out of memory"), false;
  if (!cli_assembled(program, s->session.verbose)) return tessera_asm_destroy(program), false;
  if (cli_is_empty(program))
    return tessera_asm_destroy(program), cli_bad_input("exec", "%s: no instruction in it", s->path), false;
  enum tessera_result result = tessera_tile_load_asm(s->session.tile, program);
  tessera_asm_destroy(program);
  if (result == TESSERA_NO_MEMORY) cli_bad_input("exec", "out of memory");
  return result == TESSERA_OK;
}

static void print_dumps(struct settings *s, FILE *out) {
  for (size_t i = 0; i < s->dump_count; i++) {
    for (uint32_t k = 0; k < s->dumps[i].length; k++) {
      uint32_t address = s->dumps[i].address + k;
      uint8_t byte = 0;
      tessera_tile_read(s->session.tile, address, &byte, 1);
      if (k % 16 == 0) fprintf(out, "%s%05x:", k ? "\n" : "", address);
      fprintf(out, " %02x", byte);
    }
    fputc('\n', out);
  }
}

/* Opens the report's file before the run and records the marks of its timeline. */
static bool begin_report(struct settings *s) {
  if (!s->report_path) return true;
  if (!(s->report = cli_create(s->report_path)))
    return cli_bad_input("exec", "%s: could not be written: %s", s->report_path, strerror(errno)), false;
  return cli_report_begin(&s->html, s->session.tile);
}

static bool write_report(struct settings *s) {
  FILE *file = s->report;
  if (!file) return true;
  s->report = NULL;
  if (cli_finish(file, s->report_path, cli_report_write(&s->html, s->session.tile, file))) return true;
  return cli_not_written("exec", s->report_path), false;
}

static int report(struct settings *s, enum tessera_result result) {
  struct tessera_tile *tile = s->session.tile;
  bool sarif = s->session.sarif == stdout, text = !s->json && !sarif;
  int code = cli_session_code(&s->session);
  if (!sarif) fputs(tessera_tile_report(tile, s->json ? TESSERA_REPORT_JSON : TESSERA_REPORT_TEXT), stdout);
  if (result == TESSERA_LIMIT && text) printf("\nwhere the threads are\n%s", tessera_tile_where(tile));
  print_dumps(s, text ? stdout : stderr); /* then standard output has only one document */
  bool good = cli_session_write_sarif(&s->session) && cli_session_write_profile(&s->session);
  return write_report(s) && good ? code : CLI_BAD_INPUT;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct settings s = {
      .session = {.verb = "exec", .timing = TESSERA_TIMING_CYCLE, .max_cycles = 100000000, .check = TESSERA_CHECK_DEFAULT}};
  int code = CLI_BAD_INPUT;
  bool good = cli_parse(verb, argc, argv, &s, set_path);
  if (good && s.list_params) code = list_params();
  else if (good && s.list_schema) code = list_schema();
  else if (good && !s.path) cli_bad_input("exec", "no file given; tessera exec --help shows an example");
  else if (good && cli_session_open(&s.session) && cli_session_begin_account(&s.session) && load(&s) && begin_report(&s) &&
           cli_session_open_files(&s.session)) {
    enum tessera_result result = cli_session_run(&s.session, s.session.max_cycles);
    if (cli_session_close_trace(&s.session)) code = report(&s, result);
  }
  cli_discard(s.report, s.report_path);
  cli_report_free(&s.html);
  cli_session_free(&s.session);
  free(s.dumps);
  return code;
}

static const struct cli_opt options[] = {
    CLI_SESSION_OPTIONS,
    {"--dump", "ADDR:LEN", "print LEN bytes of L1 from ADDR afterwards; may be repeated", CLI_NOTHING, add_dump},
    {"--report", "FILE", "write one HTML file: verdict, timeline, where the cycles go, findings; no network", CLI_OUTPUT,
     set_report},
    {"--json", NULL, "the report as one JSON object", CLI_NOTHING, set_json},
    {"--trace-schema", NULL, "print docs/reference/trace-schema.md: the events and the categories, run nothing", CLI_NOTHING,
     set_list_schema},
    {"--params", NULL, "list the parameters of the model with their sources, run nothing", CLI_NOTHING, set_list_params},
};

const struct cli_verb cli_exec = {
    .name = "exec",
    .what = "assemble and run a program on a tile, and report",
    .usage = "[OPTIONS] FILE.tta",
    .about = "Assembles FILE (docs/reference/assembler.md), lets the three cores push its words, runs until all of them "
             "have completed, and\n"
             "reports: cycles, instructions and waits of each thread, load of the units, findings.",
    CLI_OPTIONS(options),
    .notes = "",
    .example = "tessera exec examples/mop_and_replay.tta",
    .operands = CLI_FILE,
    .run = run,
};
