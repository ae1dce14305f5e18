/* Texts about a tile (include/tessera/tile.h): rendered by observe/ and debug/ into a buffer that the tile keeps. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/tile.h"
#include "observe/report.h"
#include "observe/words.h"
#include "sim/text.h"

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

/* Two executables in one place: legal, and almost always a mistake of the link (headers in the first segment: -Wl,-N leaves them out). */
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
  for (unsigned core = 0; core < TX_CORES; core++) add_overlaps(&out, &tile->program, core);
  return out.length;
}

const char *tessera_tile_load_notes(struct tessera_tile *tile) {
  return api_is_tile(tile) ? api_text(tile, render_notes) : "";
}

static size_t render_where(const struct tessera_tile *tile, char *text, size_t size) {
  return dbg_program_cores(&tile->program, &tile->tile, text, size);
}

const char *tessera_tile_where(struct tessera_tile *tile) { return api_is_tile(tile) ? api_text(tile, render_where) : ""; }

/* The hang or the fault, and then where the cores stand in their sources. */
static size_t render_explanation(const struct tessera_tile *tile, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  char line[1024], where[256];
  if (tile->tile.fault.kind) {
    obs_fault_line(&tile->tile, line, sizeof line);
    dbg_program_fault_place(&tile->program, &tile->tile, where, sizeof where);
    sim_text_add(&out, "%s\n%s%s%s", line, where[0] ? "  in " : "", where, where[0] ? "\n" : "");
  } else if (tile->end == SIM_END_BLOCKED) {
    out.length = obs_hang_report(&tile->tile, text, size);
    size_t used = out.length < size ? out.length : size;
    out.length += dbg_program_cores(&tile->program, &tile->tile, used < size ? text + used : NULL, size - used);
  }
  return out.length;
}

const char *tessera_tile_explain(struct tessera_tile *tile) {
  return api_is_tile(tile) ? api_text(tile, render_explanation) : "";
}

static size_t render_report(const struct tessera_tile *tile, char *text, size_t size) {
  return obs_report_text(&tile->tile, tile->end, text, size);
}

static size_t render_json(const struct tessera_tile *tile, char *text, size_t size) {
  return obs_report_json(&tile->tile, tile->end, text, size);
}

const char *tessera_tile_report(struct tessera_tile *tile, enum tessera_report format) {
  if (!api_is_tile(tile) || (unsigned)format >= TESSERA_REPORTS) return "";
  return api_text(tile, format == TESSERA_REPORT_JSON ? render_json : render_report);
}
