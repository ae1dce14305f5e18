/* What-if reruns of include/tessera/profile.h: their names, and the change that each makes to the machine
 * (tensix/state/what_if.h). */
#include "api/what_if.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "api/history.h"
#include "api/texts.h"
#include "api/tile_error.h"
#include "debug/place.h"
#include "observe/why.h"
#include "tessera/profile.h"

#define AT_ONCE 0x10000u /* bytes or rows per cycle: more than one instruction moves */

typedef enum tessera_result apply_fn(struct tessera_tile *tile);

/* Requests of these agents. NIUs take no time for those of others either. */
static void answer_at_once(struct tessera_tile *tile, uint32_t agents) {
  for (unsigned noc = 0; noc < TX_NOCS; noc++) tile->tile.niu[noc].times = noc_times_off();
  tile->what_if->answered = agents;
}

/* "NCRISC@reader.c:9", parsed. */
struct line_of {
  unsigned core;
  char file[256];
  uint32_t line; /* 0: every line of the user's code, but not of the firmware */
};

static bool is_of_line(const struct dbg_place *place, const struct line_of *line) {
  if (!place->file || place->library) return false;
  if (!line->line) return strcmp(place->file, "firmware.c") != 0;
  return place->line == line->line && strcmp(place->file, line->file) == 0;
}

/* Marks every instruction of the line, including library functions inlined there. */
static bool mark_line_of(struct tessera_tile *tile, const struct line_of *line) {
  const struct dbg_program *p = &tile->program;
  struct dbg_segment segment;
  bool any = false;
  for (unsigned n = 0; p->loaded[line->core] && dbg_elf_segment(&p->elf[line->core], n, &segment); n++) {
    if (!segment.executable) continue;
    for (uint32_t at = 0; at + 4 <= segment.bytes.size; at += 4) {
      struct dbg_place place;
      uint32_t pc = segment.run_address + at + p->moved[line->core];
      dbg_place_find(&p->elf[line->core], segment.run_address + at, &place);
      if (pc >= TX_L1_BYTES || !is_of_line(&place, line)) continue;
      tile->what_if->code[line->core][pc / 128u] |= 1u << (pc / 4u % 32u);
      any = true;
    }
  }
  return any;
}

/* The T cores run one source: a line of one of them is a line of all. */
static bool mark_line(struct tessera_tile *tile, const struct line_of *line) {
  bool any = false;
  if (line->core >= TX_THREADS) return mark_line_of(tile, line);
  for (unsigned core = 0; core < TX_THREADS; core++) {
    struct line_of other = *line;
    other.core = core;
    any = mark_line_of(tile, &other) || any;
  }
  return any;
}

static enum tessera_result apply_core(struct tessera_tile *tile, unsigned core) {
  if (!mark_line(tile, &(struct line_of){.core = core}))
    return api_refuse(tile, TESSERA_INVALID, "%s has no program with source lines",
                      tessera_core_name((enum tessera_core)core));
  answer_at_once(tile, 1u << (TX_AGENT_TRISC0 + core));
  tile->tile.params.mmio_request_cycles = 1; /* a NoC request takes about ten accesses to the NIU */
  return TESSERA_OK;
}

static enum tessera_result apply_reader(struct tessera_tile *tile) { return apply_core(tile, TX_CORE_NCRISC); }
static enum tessera_result apply_writer(struct tessera_tile *tile) { return apply_core(tile, TX_CORE_BRISC); }

static enum tessera_result apply_noc(struct tessera_tile *tile) {
  answer_at_once(tile, UINT32_MAX);
  return TESSERA_OK;
}

static enum tessera_result apply_lofi(struct tessera_tile *tile) {
  tile->what_if->lofi = 1;
  return TESSERA_OK;
}

static enum tessera_result apply_throttle(struct tessera_tile *tile) {
  tile->what_if->throttle = 1;
  return TESSERA_OK;
}

static enum tessera_result apply_matrix(struct tessera_tile *tile) {
  tile->what_if->units = 1u << TX_UNIT_MATRIX;
  return TESSERA_OK;
}

static enum tessera_result apply_vector(struct tessera_tile *tile) {
  tile->what_if->units = 1u << TX_UNIT_VECTOR;
  return TESSERA_OK;
}

static enum tessera_result apply_unpack(struct tessera_tile *tile) {
  struct tx_params *p = &tile->tile.params;
  p->unpack_x1_bytes = p->unpack_wide_bytes = AT_ONCE;
  p->unpack_fill_cycles = p->unpack_row_start_cycles = 0;
  return TESSERA_OK;
}

static enum tessera_result apply_pack(struct tessera_tile *tile) {
  struct tx_params *p = &tile->tile.params;
  p->pack_rows_per_cycle = p->pack_l1_bytes_per_cycle = AT_ONCE;
  p->pack_latency = p->pack_accumulate_slowdown = 1;
  return TESSERA_OK;
}

/* Finds room for pages outside the launch block's buffers: from the end of L1 downwards, in unused memory. */
static bool room_for(const struct tessera_tile *tile, const struct launch *block, uint32_t bytes, uint32_t *end) {
  uint32_t lowest = LAUNCH_HEAP;
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    uint32_t above = block->buffer[i].address + block->buffer[i].page_bytes * block->buffer[i].pages;
    if (block->buffer[i].pages && above > lowest && above < *end) lowest = above;
  }
  if (bytes > *end - lowest) return false;
  for (uint32_t at = *end - bytes; at < *end; at++)
    if (tile->tile.l1[at]) return false;
  *end -= bytes;
  return true;
}

/* Every buffer of one page gets two. */
static enum tessera_result apply_buffers(struct tessera_tile *tile) {
  struct launch block;
  uint32_t end = LAUNCH_L1_BYTES;
  memcpy(&block, &tile->tile.l1[LAUNCH_ADDRESS], sizeof block);
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    struct launch_buffer *b = &block.buffer[i];
    if (b->pages != 1) continue;
    if (b->page_bytes > LAUNCH_L1_BYTES || !room_for(tile, &block, 2 * b->page_bytes, &end))
      return api_refuse(tile, TESSERA_INVALID, "no room in L1 for two pages of buffer %u", i);
    memcpy(&tile->tile.l1[end], &tile->tile.l1[b->address], b->page_bytes);
    b->address = end;
    b->pages = 2;
  }
  memcpy(&tile->tile.l1[LAUNCH_ADDRESS], &block, sizeof block);
  return TESSERA_OK;
}

static const struct what_if {
  const char *name, *text;
  apply_fn *apply;
} what_ifs[] = {
    {"reader", "NCRISC and its requests take no time", apply_reader},
    {"writer", "BRISC and its requests take no time", apply_writer},
    {"noc", "the NoC answers at once", apply_noc},
    {"buffers", "circular buffers of one page have two", apply_buffers},
    {"lofi", "the matrix unit does the first fidelity phase only", apply_lofi},
    {"throttle", "no NOPs between instructions", apply_throttle},
    {"matrix", "the matrix unit takes no time", apply_matrix},
    {"vector", "the vector unit takes no time", apply_vector},
    {"unpack", "the unpackers move a tile in one cycle", apply_unpack},
    {"pack", "the packer moves a tile in one cycle", apply_pack},
};
#define WHAT_IFS (sizeof what_ifs / sizeof what_ifs[0])

const char *tessera_what_if_name(unsigned index) { return index < WHAT_IFS ? what_ifs[index].name : NULL; }

static bool parse_line(const char *what, struct line_of *out) {
  const char *at = strchr(what, '@'), *colon = strrchr(what, ':');
  char *end;
  if (!at || !colon || colon < at || colon == at + 1 || (size_t)(colon - at) > sizeof out->file) return false;
  int core = dbg_core_number(what, (size_t)(at - what));
  unsigned long line = strtoul(colon + 1, &end, 10);
  if (core < 0 || *end || end == colon + 1 || !line || line > UINT32_MAX) return false;
  *out = (struct line_of){.core = (unsigned)core, .line = (uint32_t)line};
  memcpy(out->file, at + 1, (size_t)(colon - at) - 1);
  return true;
}

static bool parse_semaphore(const char *what, unsigned *semaphore) {
  return sscanf(what, "semaphore %u", semaphore) == 1 && *semaphore < TX_SEMAPHORES;
}

static const char *spends(unsigned core) {
  return core < TX_THREADS ? "the T cores spend" : core == TX_CORE_BRISC ? "BRISC spends" : "NCRISC spends";
}

int tessera_what_if_text(const char *what, char *text, size_t size) {
  struct line_of line;
  unsigned semaphore;
  for (unsigned i = 0; what && i < WHAT_IFS; i++)
    if (strcmp(what_ifs[i].name, what) == 0) return snprintf(text, size, "%s", what_ifs[i].text);
  if (what && parse_line(what, &line))
    return snprintf(text, size, "%s no time at %s:%u", spends(line.core), line.file, line.line);
  if (what && parse_semaphore(what, &semaphore))
    return snprintf(text, size, "no thread waits for semaphore %s", tessera_semaphore_name(semaphore));
  return -1;
}

static enum tessera_result apply_line(struct tessera_tile *tile, const struct line_of *line) {
  if (mark_line(tile, line)) return TESSERA_OK;
  return api_refuse(tile, TESSERA_INVALID, "the program of %s has no instruction of %s:%u",
                    tessera_core_name((enum tessera_core)line->core), line->file, line->line);
}

static enum tessera_result apply(struct tessera_tile *tile, const char *what) {
  struct line_of line;
  unsigned semaphore;
  for (unsigned i = 0; i < WHAT_IFS; i++)
    if (strcmp(what_ifs[i].name, what) == 0) return what_ifs[i].apply(tile);
  if (parse_line(what, &line)) return apply_line(tile, &line);
  if (!parse_semaphore(what, &semaphore)) return api_refuse(tile, TESSERA_INVALID, "no what-if '%s'", what);
  tile->what_if->semaphores = 1u << semaphore;
  return TESSERA_OK;
}

enum tessera_result tessera_tile_set_what_if(struct tessera_tile *tile, const char *what) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!what) return api_refuse(tile, TESSERA_INVALID, "no what-if given");
  api_changed(tile);
  if (!tile->what_if && !(tile->what_if = calloc(1, sizeof *tile->what_if)))
    return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
  tile->tile.unsaved.what_if = tile->what_if;
  enum tessera_result result = apply(tile, what);
  return result == TESSERA_OK ? api_ok(tile) : result;
}

void api_forget_what_if(struct tessera_tile *tile) {
  free(tile->what_if);
  tile->what_if = NULL;
  tile->tile.unsaved.what_if = NULL;
}

static size_t render(const struct tessera_tile *tile, char *text, size_t size) {
  return (size_t)snprintf(text, size, "%s", obs_why_what_if(tile->profile, &tile->program).text);
}

const char *tessera_tile_why_what_if(struct tessera_tile *tile) {
  return api_is_tile(tile) && tile->profile ? api_text(tile, render) : "";
}
