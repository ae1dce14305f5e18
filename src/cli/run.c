/* tessera run: runs executables for the hardware on a tile, and reports. */
#include "cli/run.h"

#include <stdlib.h>
#include <string.h>

#include "cli/gdb.h"
#include "cli/output.h"
#include "cli/verb.h"

static void print_condition(const struct run_settings *s, int number) {
  for (size_t i = 0; i < s->until_count; i++) {
    const struct run_until *u = &s->untils[i];
    if (u->number != number) continue;
    printf("condition met:");
    for (size_t k = 0; k < u->count; k++)
      printf("%s the word at 0x%08x is 0x%x%s", k ? " and" : "", u->words[k].address, u->words[k].value,
             u->words[k].mask == UINT32_MAX ? "" : " under its mask");
    putchar('\n');
  }
}

static void print_heading(const struct run_settings *s, const struct tessera_stop_info *stop) {
  char where[256] = "";
  if (stop->reason == TESSERA_STOP_CONDITION) print_condition(s, stop->number);
  if (stop->reason == TESSERA_STOP_WATCHPOINT) printf("watchpoint: a word from 0x%08x on was written\n", stop->address);
  if (stop->reason != TESSERA_STOP_BREAKPOINT) return;
  tessera_tile_place_text(s->session.tile, (enum tessera_core)stop->core, stop->pc, where, sizeof where);
  printf("break: %s at 0x%08x %s\n", tessera_core_name((enum tessera_core)stop->core), stop->pc, where);
}

static void print_cores(struct run_settings *s, enum tessera_result result) {
  if (result == TESSERA_DONE || (result == TESSERA_HANG && !s->session.verbose)) return;
  const char *where = tessera_tile_where(s->session.tile);
  if (where[0]) printf("\nwhere the cores are\n%s", where);
}

/* Closes the file. */
static bool finish_file(FILE *file, const char *path, bool good) {
  if (file != stdout) good = cli_finish(file, path, good);
  if (!good) cli_not_written("run", path);
  return good;
}

static bool write_json(struct run_settings *s, const struct cli_reruns *reruns) {
  FILE *file = s->json;
  s->json = NULL;
  if (!file) return true;
  const struct cli_verdict verdict = {.tile = s->session.tile};
  const char *text = tessera_tile_report(s->session.tile, TESSERA_REPORT_JSON);
  char *report = malloc(strlen(text) + 1); /* the verdict's text shares its buffer */
  bool good = report != NULL;
  if (good) strcpy(report, text);
  if (good && s->why) good = cli_why_json_write(file, report, &verdict, cli_session_cycles(&s->session), reruns);
  else good = good && fputs(report, file) >= 0;
  free(report);
  return finish_file(file, s->json_path, good);
}

static bool write_state(struct run_settings *s) {
  FILE *file = s->save;
  if (!file) return true;
  size_t size = tessera_tile_state_size(s->session.tile);
  void *state = malloc(size);
  bool good = state && tessera_tile_save(s->session.tile, state, size) == TESSERA_OK && fwrite(state, 1, size, file) == size;
  free(state);
  s->save = NULL;
  return finish_file(file, s->save_path, good);
}

static bool write_report(struct run_settings *s) {
  FILE *file = s->report;
  if (!file) return true;
  s->report = NULL;
  return finish_file(file, s->report_path, cli_report_write(&s->html, s->session.tile, file));
}

static bool write_dumps(struct run_settings *s) {
  for (size_t i = 0; i < s->dump_count; i++) {
    struct run_dump *d = &s->dumps[i];
    FILE *file = d->file;
    uint8_t *bytes = malloc(d->length);
    bool good = bytes && tessera_tile_read(s->session.tile, d->address, bytes, d->length) == TESSERA_OK &&
                fwrite(bytes, 1, d->length, file) == d->length;
    free(bytes);
    d->file = NULL;
    if (!finish_file(file, d->path, good)) return false;
  }
  return true;
}

static int report_result(struct run_settings *s, enum tessera_result result) {
  struct tessera_stop_info stop;
  tessera_tile_stop_info(s->session.tile, &stop);
  struct cli_reruns reruns = {.text = NULL};
  if (cli_session_awaits_kernel(&s->session, s->session.tile)) {
    tessera_tile_account_from(s->session.tile, CLI_START);
    cli_session_keep_account(&s->session);
  }
  cli_session_note_account(&s->session);
  if (s->why) reruns = run_what_ifs(s, result);
  if (cli_memory_failed) return free(reruns.text), free(reruns.json), cli_bad_input("run", "out of memory");
  int code = cli_session_code(&s->session);
  if (s->json != stdout && s->session.sarif != stdout) {
    print_heading(s, &stop);
    fputs(tessera_tile_report(s->session.tile, TESSERA_REPORT_TEXT), stdout);
    if (s->why) fputs(tessera_tile_why(s->session.tile), stdout);
    if (s->why) fputs(cli_verdict_timing(s->session.timing != TESSERA_TIMING_OFF), stdout);
    if (reruns.text) fputs(reruns.text, stdout);
    print_cores(s, result);
    run_show(stdout, s->session.tile, s->shows);
  }
  bool good = write_json(s, &reruns);
  good = cli_session_write_sarif(&s->session) && good;
  good = cli_session_write_profile(&s->session) && good;
  s->html.what_ifs = reruns.text;
  good = write_report(s) && good;
  free(reruns.text);
  free(reruns.json);
  good = write_state(s) && good;
  good = write_dumps(s) && good;
  good = cli_session_region_began(&s->session) && good;
  return good ? code : CLI_BAD_INPUT;
}

/* true: the run continues without the debugger; otherwise *code is set. */
static bool debug(struct run_settings *s, int *code) {
  if (!s->gdb) return true;
  uint64_t limit = tessera_tile_cycle(s->session.tile) + s->session.max_cycles;
  struct tessera_debugger *debugger = cli_debugger_open("run", s->session.tile, NULL, limit);
  int end = debugger ? cli_gdb_serve("run", debugger, s->gdb) : -1;
  tessera_debugger_close(debugger);
  *code = end < 0 ? CLI_BAD_INPUT : CLI_OK;
  return end > 0;
}

/* The run has ended under the debugger: running on would only advance the clock. */
static bool has_ended(const struct run_settings *s) {
  return s->gdb && tessera_tile_run(s->session.tile, 0) == TESSERA_DONE;
}

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct run_settings s = {
      .session = {.verb = "run", .timing = TESSERA_TIMING_CYCLE, .max_cycles = 1000000000, .check = TESSERA_CHECK_DEFAULT}};
  int code = CLI_BAD_INPUT;
  bool good = true;
  if (run_parse(verb, argc, argv, &s) && (!s.gdb || run_can_debug(&s)) && run_set_up(&s) && run_what_ifs_apply(&s) &&
      debug(&s, &code)) {
    enum tessera_result result = has_ended(&s) ? TESSERA_DONE : run_all(&s, &good);
    good = cli_session_close_trace(&s.session) && good;
    if (good) code = report_result(&s, result);
  }
  run_free(&s);
  return code;
}

const struct cli_verb cli_run = {
    .name = "run",
    .what = "run the binaries of the five cores on a tile, and report",
    .usage = "--elf CORE=FILE [OPTIONS]",
    .about =
        "Loads executables for the cores (brisc, ncrisc, trisc0, trisc1, trisc2), releases the cores from reset, runs "
        "until they\n"
        "stop (ebreak), a condition is met, an error occurs or no agent can continue, and reports. docs/guide/running.md "
        "has more.",
    .options = run_option_table,
    .option_count = RUN_OPTION_COUNT,
    .notes = "Options that name an address, a core or a file to load may be repeated.\n\n" CLI_EXIT_CODES,
    .example = "tessera run --elf trisc0=unpack.elf --elf trisc1=math.elf --elf trisc2=pack.elf --until 0x1fff0=0xff",
    .operands = CLI_NOTHING,
    .run = run,
};
