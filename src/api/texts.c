/* Texts about a tile (include/tessera/tile.h): rendered by observe/ and debug/ into a buffer owned by the tile. */
#include "api/texts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/chip_hang.h"
#include "api/hang.h"
#include "api/tile_value.h"
#include "debug/limit_note.h"
#include "observe/account/profile.h"
#include "observe/hang/hang.h"
#include "observe/hang/limit.h"
#include "observe/report/activity.h"
#include "observe/report/json.h"
#include "observe/report/sarif.h"
#include "observe/words.h"
#include "sim/text.h"

void api_reserve_text(struct tessera_tile *tile, size_t size) {
  char *larger = tile->text_size < size ? realloc(tile->text, size) : NULL;
  if (!larger) return;
  tile->text = larger;
  tile->text_size = size;
}

const char *api_text(struct tessera_tile *tile, api_render_fn *render) {
  for (;;) {
    if (tile->text_size) tile->text[0] = '\0';
    size_t needed = render(tile, tile->text, tile->text_size) + 1;
    if (needed <= tile->text_size) return tile->text;
    if (needed < 4096) needed = 4096;
    char *larger = realloc(tile->text, needed);
    if (!larger) return "";
    tile->text = larger;
    tile->text_size = needed;
  }
}

static bool overlap(const struct dbg_segment *a, const struct dbg_segment *b) {
  if (a->address >= TX_L1_BYTES || b->address >= TX_L1_BYTES) return false; /* local RAMs are private */
  return a->address < b->address + b->memory_size && b->address < a->address + a->memory_size;
}

/* Two executables that overlap: legal, and almost always a link error (file headers in the first segment: -Wl,-N omits
 * them). */
static void add_overlaps(struct sim_text *out, const struct dbg_program *p, unsigned core) {
  struct dbg_segment a, b;
  for (unsigned i = 0; p->loaded[core] && dbg_elf_segment(&p->elf[core], i, &a); i++)
    for (unsigned other = 0; other < core; other++)
      for (unsigned k = 0; p->loaded[other] && dbg_elf_segment(&p->elf[other], k, &b); k++)
        if (overlap(&a, &b))
          sim_text_add(out, "%s's segment at 0x%x overwrites a part of %s's at 0x%x\n", tx_core_name(core), a.address,
                       tx_core_name(other), b.address);
}

static size_t render_notes(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  for (unsigned core = 0; core < TX_CORES; core++) {
    add_overlaps(&out, &tile->program, core);
    if (tile->program.loaded[core] && dbg_elf_is_compressed(&tile->program.elf[core], ".debug_line"))
      sim_text_add(&out, "%s's debug sections are compressed and are not read: compile with -gz=none to see lines\n",
                   tx_core_name(core));
    char over[96];
    if (tile->program.loaded[core] && dbg_limit_note(&tile->program.elf[core], over, sizeof over))
      sim_text_add(&out, "%s's executable has %s: what is beyond is not read, and names and lines may be missing\n",
                   tx_core_name(core), over);
  }
  return out.length;
}

const char *tessera_tile_load_notes(struct tessera_tile *tile) {
  if (!api_is_read_tile(tile)) return "";
  api_reserve_text(tile, 4096); /* one rendering: it reads the debug sections */
  return api_text(tile, render_notes);
}

static size_t render_where(const struct tessera_tile *tile, char *text, size_t size) {
  bool hangs = tile->end == SIM_END_BLOCKED && !tile->tile.fault.kind;
  struct obs_hang *hang = hangs ? obs_hang_new(&tile->tile, &tile->program) : NULL;
  size_t length = dbg_program_cores(&tile->program, &tile->tile, hang ? obs_hang_core_words : NULL, hang, text, size);
  free(hang);
  return length;
}

const char *tessera_tile_where(struct tessera_tile *tile) {
  return api_is_read_tile(tile) ? api_text(tile, render_where) : "";
}

/* The failed check, the fault or the hang, with its place in the source; at the cycle limit the cores that still run. */
static size_t render_explanation(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  struct dbg_failure failure;
  char line[1024], where[256];
  if (dbg_program_failure(&tile->program, &tile->tile, &failure)) {
    dbg_source_text(&failure.place, where, sizeof where);
    sim_text_add(&out, "%s%s%s stopped: %s\n", where, where[0] ? ": " : "", tx_core_name(failure.core), failure.text);
  } else if (tile->tile.fault.kind) {
    obs_fault_words(&tile->tile, &tile->program, line, sizeof line);
    dbg_program_fault_place(&tile->program, &tile->tile, where, sizeof where);
    sim_text_add(&out, "%s\n%s%s%s", line, where[0] ? "  in " : "", where, where[0] ? "\n" : "");
  } else if (tile->end == SIM_END_BLOCKED) {
    struct obs_hang *hang = obs_hang_new(&tile->tile, &tile->program);
    if (hang) obs_hang_text(hang, false, &out);
    free(hang);
  } else if (tile->stop.reason == TESSERA_STOP_LIMIT) {
    obs_limit_words(&tile->tile, &tile->program, &out);
    if (out.length) sim_text_add(&out, "\n");
  }
  return out.length;
}

const char *tessera_tile_explain(struct tessera_tile *tile) {
  return api_is_read_tile(tile) ? api_text(tile, render_explanation) : "";
}

size_t tessera_tile_activity(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = text ? size : 0};
  if (out.size) text[0] = '\0';
  if (api_is_tile(tile)) obs_tile_activity(&tile->tile, &out);
  return out.length;
}

struct obs_report api_report_of(const struct tessera_tile *tile) {
  bool wanted = tile->stop.reason >= TESSERA_STOP_CONDITION && tile->stop.reason <= TESSERA_STOP_REQUEST;
  struct obs_report r = {.t = &tile->tile,
                         .program = &tile->program,
                         .end = tile->end,
                         .wanted = wanted,
                         .verbose = tile->verbose != 0,
                         .code = tile->code,
                         .checked_from = tile->check ? chk_since(tile->check) : 0,
                         .peer = tile->check ? chk_peer_program : NULL,
                         .peers = tile->check};
  if (tile->chip && tile->end == SIM_END_DONE) r.ended = tile->ended;
  if (tile->chip) r.at = ((tile->logical >> 6 & 63u) << 16 | (tile->logical & 63u)) + 1;
  if (tile->chip && tile->end == SIM_END_BLOCKED) api_chip_of_hang(tile, &r);
  return r;
}

/* After a fault or a hang the clock goes on: the account ends with the fault, or with the last progress. */
sim_time api_account_end(const struct tessera_tile *tile, sim_time last) {
  const struct obs_report r = api_report_of(tile);
  struct dbg_failure failure;
  bool early = tile->end == SIM_END_BLOCKED || tile->tile.fault.kind || obs_report_failed(&r, &failure);
  uint64_t cycles = early ? obs_report_cycles(&r) : last;
  return cycles < last ? cycles : last;
}

static size_t render_report(const struct tessera_tile *tile, char *text, size_t size) {
  struct obs_report r = api_report_of(tile);
  struct sim_text out = {.data = text, .size = size, .length = obs_report_text(&r, text, size)};
  if (obs_profile_begun(tile->profile)) obs_account_text(&tile->profile->account, &out);
  return out.length;
}

/* The report, with the reason why the run stopped. */
size_t api_render_json(const struct tessera_tile *tile, const struct obs_report *r, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size, .length = obs_report_json(r, text, size)};
  out.length -= out.length > 2 ? 2 : 0; /* without the closing "}\n" */
  if (obs_profile_begun(tile->profile)) obs_account_json(&tile->profile->account, &out);
  sim_text_add(&out, ",\"stop\":\"%s\",\"condition_met\":%s,\"at_break\":%s}\n", tessera_stop_name(tile->stop.reason),
               tile->stop.reason == TESSERA_STOP_CONDITION ? "true" : "false",
               tile->stop.reason == TESSERA_STOP_BREAKPOINT ? "true" : "false");
  return out.length;
}

static size_t render_json(const struct tessera_tile *tile, char *text, size_t size) {
  struct obs_report r = api_report_of(tile);
  return api_render_json(tile, &r, text, size);
}

static size_t render_sarif(const struct tessera_tile *tile, char *text, size_t size) {
  struct obs_report r = api_report_of(tile);
  return obs_report_sarif(&r, text, size);
}

size_t tessera_tile_finding_text(const struct tessera_tile *tile, size_t index, char *text, size_t size) {
  if (text && size) text[0] = '\0';
  if (index >= tessera_tile_finding_count(tile)) return 0;
  struct obs_report r = api_report_of(tile);
  return obs_finding_text(&r, &tile->tile.diag.findings[index], text, text ? size : 0);
}

const char *tessera_tile_report(struct tessera_tile *tile, enum tessera_report format) {
  if (!api_is_read_tile(tile) || (unsigned)format >= TESSERA_REPORTS) return "";
  static api_render_fn *const renders[TESSERA_REPORTS] = {
      [TESSERA_REPORT_TEXT] = render_report, [TESSERA_REPORT_JSON] = render_json, [TESSERA_REPORT_SARIF] = render_sarif};
  return api_text(tile, renders[format]);
}

void tessera_tile_set_exit_code(struct tessera_tile *tile, int code) {
  if (api_is_tile(tile)) tile->code = code < 0 ? 0 : code + 1;
}

int tessera_tile_exit_code(const struct tessera_tile *tile) {
  if (!api_is_tile(tile)) return 0;
  struct obs_report r = api_report_of(tile);
  return obs_report_code(&r);
}
