/* tessera run: runs executables for the hardware on a tile, and reports. */
#include "cli/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/gdb.h"
#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/verb.h"

#define FILE_MAX ((size_t)96 << 20) /* read into memory that grows by doubling: below 256 MiB in all */

/* --- setting up --- */

static bool refuse(const struct run_settings *s, const char *what) {
  cli_bad_input("run", "%s: %s", what, tessera_tile_error(s->session.tile));
  return false;
}

static bool load_elfs(struct run_settings *s) {
  struct tessera_tile *tile = s->session.tile;
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    struct cli_input in;
    if (!s->elf[core]) continue;
    if (!cli_input_read(&in, "run", s->elf[core], FILE_MAX)) return false;
    enum tessera_result result = tessera_tile_load_elf(tile, (enum tessera_core)core, in.data, in.size);
    cli_input_free(&in);
    if (result != TESSERA_OK) return refuse(s, s->elf[core]);
  }
  for (const char *line = tessera_tile_load_notes(tile); *line;) {
    int length = (int)strcspn(line, "\n");
    fprintf(stderr, "tessera run: note: %.*s\n", length, line);
    line += length + (line[length] == '\n');
  }
  return true;
}

static bool load_images(struct run_settings *s) {
  for (size_t i = 0; i < s->load_count; i++) {
    struct cli_input in;
    const struct run_load *load = &s->loads[i];
    if (!cli_input_read(&in, "run", load->path, FILE_MAX)) return false;
    enum tessera_result result = tessera_tile_write(s->session.tile, load->address, in.data, in.size);
    size_t size = in.size;
    cli_input_free(&in);
    if (result != TESSERA_OK)
      return cli_bad_input("run", "%s: %zu bytes at 0x%08x do not fit into L1 or a local RAM", load->path, size,
                           load->address),
             false;
  }
  return true;
}

static bool restore(struct run_settings *s) {
  struct cli_input in;
  if (!s->restore_path) return true;
  if (!cli_input_read(&in, "run", s->restore_path, FILE_MAX)) return false;
  enum tessera_result result = tessera_tile_restore(s->session.tile, in.data, in.size);
  cli_input_free(&in);
  return result == TESSERA_OK || refuse(s, s->restore_path);
}

static bool poke(struct run_settings *s, struct run_poke *p) {
  const uint8_t raw[4] = {(uint8_t)p->value, (uint8_t)(p->value >> 8), (uint8_t)(p->value >> 16), (uint8_t)(p->value >> 24)};
  p->done = true;
  enum tessera_result result = tessera_tile_write(s->session.tile, p->address, raw, 4);
  if (result == TESSERA_OK || result == TESSERA_FAULT) return true; /* a fault is reported later */
  return cli_bad_input("run", "--poke: no register at 0x%08x", p->address), false;
}

static bool poke_first(struct run_settings *s) {
  for (size_t i = 0; i < s->poke_count; i++) {
    struct run_poke *p = &s->pokes[i];
    if (p->when == RUN_BEFORE && !poke(s, p)) return false;
    if (p->when == RUN_AT_CONDITION && tessera_tile_until_all(s->session.tile, &p->condition, 1, &p->number) != TESSERA_OK)
      return refuse(s, "--when");
  }
  return true;
}

static bool set_break(struct run_settings *s, const struct run_break *b) {
  uint32_t address;
  if (!cli_parse_u32(b->symbol, strlen(b->symbol), &address) &&
      tessera_tile_symbol(s->session.tile, b->core, b->symbol, &address) != TESSERA_OK)
    return cli_bad_input("run", "--break: %s's executable has no symbol '%s'", tessera_core_name(b->core), b->symbol), false;
  return tessera_tile_break(s->session.tile, b->core, address, NULL) == TESSERA_OK || refuse(s, "--break");
}

/* The account of a run begins with its kernels: when the first core enters the function. */
static bool set_region(struct run_settings *s) {
  bool any = false;
  if (!s->from && (s->why || s->report_path)) s->from = RUN_REGION;
  bool whole = !s->from || strcmp(s->from, "start") == 0;
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    uint32_t address;
    s->region[core] = -1;
    if (whole || tessera_tile_symbol(s->session.tile, (enum tessera_core)core, s->from, &address) != TESSERA_OK) continue;
    if (tessera_tile_break(s->session.tile, (enum tessera_core)core, address, &s->region[core]) != TESSERA_OK)
      return refuse(s, "--from");
    any = true;
  }
  if (!whole && !any && strcmp(s->from, RUN_REGION) != 0)
    return cli_bad_input("run", "--from: no core's executable has a symbol '%s'", s->from), false;
  return any || cli_session_begin_account(&s->session);
}

static bool set_stops(struct run_settings *s) {
  struct tessera_tile *tile = s->session.tile;
  for (size_t i = 0; i < s->break_count; i++)
    if (!set_break(s, &s->breaks[i])) return false;
  for (size_t i = 0; i < s->until_count; i++) {
    struct run_until *u = &s->untils[i];
    if (tessera_tile_until_all(tile, u->words, u->count, &u->number) != TESSERA_OK) return refuse(s, "--until");
  }
  for (size_t i = 0; i < s->watch_count; i++)
    if (tessera_tile_watch(tile, s->watches[i].address, s->watches[i].length, NULL) != TESSERA_OK)
      return refuse(s, "--watch");
  return set_region(s);
}

static FILE *open_file(const char *path) {
  FILE *file = cli_create(path);
  if (!file) cli_bad_input("run", "%s: could not be written: %s", path, strerror(errno));
  return file;
}

static bool open_files(struct run_settings *s) {
  bool to_stdout = s->json_path && strcmp(s->json_path, "-") == 0;
  if (to_stdout && s->session.sarif_path && strcmp(s->session.sarif_path, "-") == 0)
    return cli_bad_input("run", "--json and --sarif cannot both go to standard output"), false;
  if (s->json_path && !(s->json = to_stdout ? stdout : open_file(s->json_path))) return false;
  if (s->save_path && !(s->save = open_file(s->save_path))) return false;
  for (size_t i = 0; i < s->dump_count; i++)
    if (!(s->dumps[i].file = open_file(s->dumps[i].path))) return false;
  if (s->report_path && s->session.trace_path) return cli_bad_input("run", "--report and --trace cannot be combined"), false;
  if (s->report_path && (!(s->report = open_file(s->report_path)) || !cli_report_begin(&s->html, s->session.tile)))
    return false;
  return cli_session_open_files(&s->session);
}

bool run_set_up(struct run_settings *s) {
  if (!cli_session_open(&s->session)) return false;
  struct tessera_tile *tile = s->session.tile;
  if (!load_elfs(s) || !restore(s) || !load_images(s)) return false;
  for (unsigned core = 0; core < TESSERA_CORES; core++)
    if (s->has_reset_pc[core]) tessera_tile_set_reset_pc(tile, (enum tessera_core)core, s->reset_pc[core]);
  if (!poke_first(s) || !set_stops(s) || !open_files(s)) return false;
  if (s->what_if && tessera_tile_set_what_if(tile, s->what_if) != TESSERA_OK) return false;
  if (s->cores) tessera_tile_start(tile, s->cores);
  return true;
}

/* --- running --- */

/* The earliest write that is still pending for a later cycle, or NULL. */
static struct run_poke *next_write(struct run_settings *s) {
  struct run_poke *next = NULL;
  for (size_t i = 0; i < s->poke_count; i++) {
    struct run_poke *p = &s->pokes[i];
    if (p->when == RUN_AT_CYCLE && !p->done && (!next || p->cycle < next->cycle)) next = p;
  }
  return next;
}

/* The stop was for a write: performs it. false: it was not, or the write was rejected. */
static bool write_and_go_on(struct run_settings *s, bool *good) {
  struct tessera_stop_info stop;
  bool any = false;
  if (tessera_tile_stop_info(s->session.tile, &stop) != TESSERA_OK || stop.reason != TESSERA_STOP_CONDITION) return false;
  for (size_t i = 0; i < s->poke_count && *good; i++) {
    struct run_poke *p = &s->pokes[i];
    bool now = p->when == RUN_AT_CONDITION ? p->number == stop.number : p->when == RUN_AT_CYCLE && p->cycle <= stop.cycle;
    if (p->done || !now) continue;
    *good = poke(s, p);
    any = true;
  }
  return any && *good;
}

/* The stop was the entry of the region: removes its breakpoints and starts the account. */
static bool enter_region(struct run_settings *s, bool *good) {
  struct tessera_stop_info stop;
  bool here = false;
  if (s->entered || tessera_tile_stop_info(s->session.tile, &stop) != TESSERA_OK || stop.reason != TESSERA_STOP_BREAKPOINT)
    return false;
  for (unsigned core = 0; core < TESSERA_CORES; core++)
    here = here || (s->region[core] >= 0 && s->region[core] == stop.number);
  for (unsigned core = 0; here && core < TESSERA_CORES; core++)
    if (s->region[core] >= 0) tessera_tile_unbreak(s->session.tile, s->region[core]);
  s->entered = here;
  if (here) s->entered_at = tessera_tile_cycle(s->session.tile);
  return here && (*good = cli_session_begin_account(&s->session));
}

enum tessera_result run_all(struct run_settings *s, bool *good) {
  struct tessera_tile *tile = s->session.tile;
  uint64_t until = tessera_tile_cycle(tile) + s->session.max_cycles;
  enum tessera_result result;
  do {
    struct run_poke *next = next_write(s);
    int alarm = -1;
    if (next && tessera_tile_until_cycle(tile, next->cycle, &alarm) != TESSERA_OK) {
      *good = refuse(s, "--poke");
      return TESSERA_INVALID;
    }
    result = cli_session_run(&s->session, until);
    if (alarm >= 0) tessera_tile_unwatch(tile, alarm);
  } while (result == TESSERA_STOPPED && !cli_interrupted() && (write_and_go_on(s, good) || enter_region(s, good)));
  return result;
}

/* --- telling --- */

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
  if (!good) cli_bad_input("run", "%s: could not be written completely", path);
  return good;
}

static bool write_json(struct run_settings *s) {
  FILE *file = s->json;
  s->json = NULL;
  return !file ||
         finish_file(file, s->json_path, fputs(tessera_tile_report(s->session.tile, TESSERA_REPORT_JSON), file) >= 0);
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
  char *what_ifs = s->why ? run_what_ifs(s, result) : NULL;
  int code = cli_session_code(&s->session);
  if (s->json != stdout && s->session.sarif != stdout) {
    print_heading(s, &stop);
    fputs(tessera_tile_report(s->session.tile, TESSERA_REPORT_TEXT), stdout);
    if (s->why) fputs(tessera_tile_why(s->session.tile), stdout);
    if (what_ifs) fputs(what_ifs, stdout);
    print_cores(s, result);
    run_show(stdout, s->session.tile, s->shows);
  }
  bool good = write_json(s);
  good = cli_session_write_sarif(&s->session) && good;
  good = cli_session_write_profile(&s->session) && good;
  s->html.what_ifs = what_ifs;
  good = write_report(s) && good;
  free(what_ifs);
  good = write_state(s) && good;
  good = write_dumps(s) && good;
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

static int run(const struct cli_verb *verb, int argc, char **argv) {
  struct run_settings s = {
      .session = {.verb = "run", .timing = TESSERA_TIMING_CYCLE, .max_cycles = 1000000000, .check = TESSERA_CHECK_DEFAULT}};
  int code = CLI_BAD_INPUT;
  bool good = true;
  if (run_parse(verb, argc, argv, &s) && (!s.gdb || run_can_debug(&s)) && run_set_up(&s) && debug(&s, &code)) {
    enum tessera_result result = run_all(&s, &good);
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
    .notes = "Options that name one place or thing may be given again.\n\n" CLI_EXIT_CODES,
    .example = "tessera run --elf trisc0=unpack.elf --elf trisc1=math.elf --elf trisc2=pack.elf --until 0x1fff0=0xff",
    .operands = CLI_NOTHING,
    .run = run,
};
