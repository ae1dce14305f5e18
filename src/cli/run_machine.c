/* tessera run: the tile with its programs, memory and conditions, and the run to its end (run.h). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/input.h"
#include "cli/interrupt.h"
#include "cli/output.h"
#include "cli/run.h"
#include "cli/what_if.h"

#define FILE_MAX ((size_t)96 << 20) /* read into memory that grows by doubling: below 256 MiB in all */

static bool refuse(const struct run_settings *s, const char *what) {
  cli_bad_input(s->session.verb, "%s: %s", what, tessera_tile_error(s->session.tile));
  return false;
}

static bool load_elfs(struct run_settings *s) {
  struct tessera_tile *tile = s->session.tile;
  for (unsigned core = 0; core < TESSERA_CORES; core++) {
    struct cli_input in;
    if (!s->elf[core]) continue;
    if (!cli_input_read(&in, s->session.verb, s->elf[core], FILE_MAX)) return false;
    enum tessera_result result = tessera_tile_load_elf(tile, (enum tessera_core)core, in.data, in.size);
    cli_input_free(&in);
    if (result != TESSERA_OK) return refuse(s, s->elf[core]);
  }
  cli_print_load_notes(s->session.verb, "", tile);
  return true;
}

static bool load_images(struct run_settings *s) {
  for (size_t i = 0; i < s->load_count; i++) {
    struct cli_input in;
    const struct run_load *load = &s->loads[i];
    if (!cli_input_read(&in, s->session.verb, load->path, FILE_MAX)) return false;
    enum tessera_result result = tessera_tile_write(s->session.tile, load->address, in.data, in.size);
    size_t size = in.size;
    cli_input_free(&in);
    if (result != TESSERA_OK)
      return cli_bad_input(s->session.verb, "%s: %zu bytes at 0x%08x do not fit into L1 or a local RAM", load->path, size,
                           load->address),
             false;
  }
  return true;
}

static bool restore(struct run_settings *s) {
  struct cli_input in;
  if (!s->restore_path) return true;
  if (!cli_input_read(&in, s->session.verb, s->restore_path, FILE_MAX)) return false;
  enum tessera_result result = tessera_tile_restore(s->session.tile, in.data, in.size);
  cli_input_free(&in);
  if (result != TESSERA_OK) return refuse(s, s->restore_path);
  return tessera_tile_unwatch(s->session.tile, -1) == TESSERA_OK; /* this command has its own conditions */
}

static bool poke(struct run_settings *s, struct run_poke *p) {
  const uint8_t raw[4] = {(uint8_t)p->value, (uint8_t)(p->value >> 8), (uint8_t)(p->value >> 16), (uint8_t)(p->value >> 24)};
  p->done = true;
  enum tessera_result result = tessera_tile_write(s->session.tile, p->address, raw, 4);
  if (result == TESSERA_OK || result == TESSERA_FAULT) return true; /* a fault is reported later */
  return cli_bad_input(s->session.verb, "--poke: no register at 0x%08x", p->address), false;
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

#define BREAK_PLACES 16u /* of one name: overloads, and where the function is inlined */

static bool set_break(struct run_settings *s, const struct run_break *b) {
  uint32_t at[BREAK_PLACES];
  size_t count = 1;
  if (!cli_parse_u32(b->symbol, strlen(b->symbol), &at[0]))
    count = tessera_tile_entries(s->session.tile, b->core, b->symbol, at, BREAK_PLACES);
  if (!count)
    return cli_bad_input("run", "--break: %s's executable has no symbol '%s'", tessera_core_name(b->core), b->symbol), false;
  for (size_t i = 0; i < count && i < BREAK_PLACES; i++)
    if (tessera_tile_break(s->session.tile, b->core, at[i], NULL) != TESSERA_OK) return refuse(s, "--break");
  return true;
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
  if (!s->session.from && (s->why || s->report_path)) s->session.from = CLI_REGION;
  return cli_session_begin_account(&s->session);
}

static FILE *open_file(const char *path) {
  FILE *file = cli_create(path);
  if (!file) cli_bad_input("run", "%s: could not be written: %s", path, strerror(errno));
  return file;
}

static bool open_files(struct run_settings *s) {
  bool to_stdout = s->json_path && strcmp(s->json_path, "-") == 0;
  if (s->json_path && !(s->json = to_stdout ? stdout : open_file(s->json_path))) return false;
  if (s->save_path && !(s->save = open_file(s->save_path))) return false;
  for (size_t i = 0; i < s->dump_count; i++)
    if (!(s->dumps[i].file = open_file(s->dumps[i].path))) return false;
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
  if (s->what_if && !cli_what_if_set(tile, s->what_if)) return false;
  if (s->cores) tessera_tile_start(tile, s->cores);
  return true;
}

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

/* After a write the tile may be at rest: running on would only advance its clock. */
static enum tessera_result run_on(struct run_settings *s, uint64_t until, bool written) {
  const enum tessera_result result = written ? tessera_tile_run(s->session.tile, 0) : TESSERA_LIMIT;
  return result == TESSERA_LIMIT ? cli_session_run(&s->session, until) : result;
}

enum tessera_result run_all(struct run_settings *s, bool *good) {
  struct tessera_tile *tile = s->session.tile;
  uint64_t until = tessera_tile_cycle(tile) + s->session.max_cycles;
  enum tessera_result result;
  bool written = false;
  do {
    struct run_poke *next = next_write(s);
    int alarm = -1;
    if (next && next->cycle <= until && tessera_tile_until_cycle(tile, next->cycle, &alarm) != TESSERA_OK) {
      *good = refuse(s, "--poke");
      return TESSERA_INVALID;
    }
    result = run_on(s, until, written);
    if (alarm >= 0) tessera_tile_unwatch(tile, alarm);
    written = result == TESSERA_STOPPED && !cli_stopped() && write_and_go_on(s, good);
  } while (written);
  return result;
}
