/* What-if reruns of include/tessera/profile.h: their names, and the change that each makes to the machine
 * (tensix/state/what_if.h). */
#include "api/what_if.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../kernels/include/launch.h"
#include "api/history.h"
#include "api/profile.h"
#include "api/tile_error.h"
#include "chip/grid.h"
#include "debug/entry.h"
#include "debug/extent.h"
#include "debug/loop.h"
#include "debug/symbols.h"
#include "noc/route.h"
#include "observe/words.h"
#include "tessera/chip.h"
#include "tessera/profile.h"

#define AT_ONCE 0x10000u /* bytes or rows per cycle: more than one instruction moves */

typedef enum tessera_result apply_fn(struct tessera_tile *tile);

/* Requests of these agents. NIUs take no time for those of others either. */
static void answer_at_once(struct tessera_tile *tile, uint32_t agents) {
  for (unsigned noc = 0; noc < TX_NOCS; noc++) tile->tile.niu[noc].times = noc_times_off();
  tile->what_if->answered = agents;
}

/* "NCRISC@reader.c:9", parsed. */
struct part {
  unsigned core;
  bool executed; /* "... executed": words for unpackers and matrix unit have their effect */
  bool behind;   /* "... behind its loop": a barrier that waits once, behind the innermost loop around it */
  bool once;     /* "... in one turn": the turns of its loop after the first take no time */
  bool passes;   /* "... without its wait": a loop there that polls is left at once */
  bool all;      /* every line of the user's code, but not of the firmware */
  struct dbg_extent extent;
};

static bool is_of_part(const struct part *part, const struct dbg_frame *frames, unsigned count) {
  if (!part->all) return dbg_extent_has(&part->extent, frames, count);
  unsigned user = dbg_frames_user(frames, count);
  return user < count && frames[user].path.file && strcmp(dbg_path_base(&frames[user].path), "firmware.c") != 0;
}

static void mark(struct tessera_tile *tile, unsigned core, uint32_t pc, bool calls) {
  tile->what_if->code[core][pc / 128u] |= 1u << (pc / 4u % 32u);
  if (calls) tile->what_if->calls[core][pc / 128u] |= 1u << (pc / 4u % 32u);
}

static bool mark_segment(struct tessera_tile *tile, const struct part *part, const struct dbg_index *index,
                         const struct dbg_segment *segment) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  bool any = false;
  for (uint32_t at = 0; at + 4 <= segment->bytes.size; at += 4) {
    uint32_t address = segment->run_address + at, pc = address + tile->program.moved[part->core], target;
    unsigned count = dbg_index_frames(index, address, frames, DBG_FRAMES_MAX);
    if (pc >= TX_L1_BYTES || !is_of_part(part, frames, count)) continue;
    mark(tile, part->core, pc, dbg_is_call(index->elf, address, dbg_u32(segment->bytes, at), &target));
    any = true;
  }
  return any;
}

/* --- a barrier behind its loop --- */

/* Are all of these instructions of the part, or none? A loop of the part alone is the one that polls. */
static bool is_mixed(const struct part *part, const struct dbg_index *index, const struct dbg_loop *loop) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  bool any = false, all = true;
  for (uint32_t address = loop->function; address < loop->end; address += 4) {
    if (!dbg_loop_has(loop, address)) continue;
    bool is = is_of_part(part, frames, dbg_index_frames(index, address, frames, DBG_FRAMES_MAX));
    any = any || is;
    all = all && is;
  }
  return any && !all;
}

/* The innermost loop around an instruction of the part; others may be before it. */
static bool find_loop(const struct part *part, const struct dbg_index *index, const struct dbg_segment *segment,
                      struct dbg_loop *best) {
  struct dbg_loop loop;
  best->count = 0;
  for (uint32_t at = 0; at + 4 <= segment->bytes.size; at += 4) {
    uint32_t address = segment->run_address + at, target;
    if (!dbg_jumps_back(address, dbg_u32(segment->bytes, at), &target) || !dbg_loop_of(index->elf, address, &loop)) continue;
    if ((!best->count || loop.count < best->count) && is_mixed(part, index, &loop)) *best = loop;
  }
  return best->count != 0;
}

static void mark_loop_of(struct tessera_tile *tile, unsigned core, const struct dbg_loop *loop) {
  struct tx_what_if *w = tile->what_if;
  const uint32_t moved = tile->program.moved[core];
  for (uint32_t pc = loop->function + moved; pc < loop->end + moved && pc < TX_L1_BYTES; pc += 4)
    if (dbg_loop_has(loop, pc - moved)) w->looped[core][pc / 128u] |= 1u << (pc / 4u % 32u);
  w->loop[core].function = loop->function + moved;
  w->loop[core].function_end = loop->end + moved;
}

static bool mark_loop(struct tessera_tile *tile, const struct part *part, const struct dbg_index *index,
                      const struct dbg_segment *segment) {
  struct dbg_loop loop;
  if (!find_loop(part, index, segment, &loop)) return false;
  mark_loop_of(tile, part->core, &loop);
  return true;
}

/* The requests of the turns are one: the core waits for them behind the loop, if it waits for each in the loop. */
static bool mark_turns(struct tessera_tile *tile, const struct part *part, const struct dbg_index *index) {
  struct dbg_loop loop;
  if (!dbg_loop_of_extent(index, &part->extent, &loop)) return false;
  mark_loop_of(tile, part->core, &loop);
  tile->what_if->loop[part->core].first = loop.first + tile->program.moved[part->core];
  return true;
}

/* What is left of the waits at the part is due when the kernel returns: no more data arrives than links and memories can carry. */
static void mark_end(struct tessera_tile *tile, const struct part *part, const struct dbg_index *index,
                     const struct dbg_segment *segment) {
  struct tx_what_if *w = tile->what_if;
  const uint32_t moved = tile->program.moved[part->core];
  uint32_t first, offset;
  if (!dbg_kernel_find(index->elf, &first) || !dbg_symbol_at(index->elf, first, &offset)) return;
  first -= offset; /* of the function into which it is inlined */
  for (uint32_t at = first; at - segment->run_address < segment->bytes.size; at += 4) {
    const uint32_t pc = at + moved;
    if (!dbg_symbol_at(index->elf, at, &offset) || at - offset != first || pc >= TX_L1_BYTES) break;
    w->loop[part->core].function = first + moved;
    w->loop[part->core].function_end = pc + 4;
    if (!dbg_is_return(dbg_u32(segment->bytes, at - segment->run_address)))
      w->looped[part->core][pc / 128u] |= 1u << (pc / 4u % 32u);
  }
}

/* --- a loop that polls, without its wait --- */

enum { OP_LOAD = 0x03, OP_STORE = 0x23, OP_BRANCH = 0x63, OP_AMO = 0x2f, NOP = 0x13 };

/* The instructions from the target of a jump back to that jump. An outer loop may begin at the same target (debug/loop.h has both as one). */
struct turn {
  uint32_t first, last;
};

static bool is_in(const struct turn *turn, uint32_t address) { return address >= turn->first && address <= turn->last; }

/* Has it loads and no effects, and does all of it belong to the part? Then its condition is all that it is for. */
static bool is_poll(const struct part *part, const struct dbg_index *index, const struct dbg_segment *segment,
                    const struct turn *turn) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  bool loads = false;
  for (uint32_t address = turn->first; address <= turn->last; address += 4) {
    uint32_t target;
    if (!is_of_part(part, frames, dbg_index_frames(index, address, frames, DBG_FRAMES_MAX))) return false;
    const uint32_t word = dbg_u32(segment->bytes, address - segment->run_address), opcode = word & 0x7fu;
    if (opcode == OP_STORE || opcode == OP_AMO || dbg_is_call(index->elf, address, word, &target)) return false;
    loads = loads || opcode == OP_LOAD;
  }
  return loads;
}

/* A jump without condition and without link. */
static uint32_t jump_by(uint32_t offset) {
  return 0x6fu | (offset >> 20 & 1u) << 31 | (offset >> 1 & 0x3ffu) << 21 | (offset >> 11 & 1u) << 20 |
         (offset >> 12 & 0xffu) << 12;
}

/* Each branch that may leave the loop does so. */
static bool leave_loop(struct tessera_tile *tile, const struct part *part, const struct dbg_segment *segment,
                       const struct turn *turn) {
  bool any = false;
  for (uint32_t address = turn->first; address <= turn->last; address += 4) {
    const uint32_t pc = address + tile->program.moved[part->core],
                   word = dbg_u32(segment->bytes, address - segment->run_address);
    uint32_t target, now;
    if (pc > TX_L1_BYTES - 4 || (word & 0x7fu) != OP_BRANCH || !dbg_jumps(address, word, &target)) continue;
    memcpy(&now, &tile->tile.l1[pc], 4);
    if (is_in(turn, address + 4) == is_in(turn, target) || now != word) continue;
    const uint32_t leaves = is_in(turn, target) ? NOP : jump_by(target - address);
    memcpy(&tile->tile.l1[pc], &leaves, 4);
    any = true;
  }
  return any;
}

static bool leave_polls(struct tessera_tile *tile, const struct part *part, const struct dbg_index *index,
                        const struct dbg_segment *segment) {
  bool any = false;
  for (uint32_t at = 0; at + 4 <= segment->bytes.size; at += 4) {
    struct turn turn = {.last = segment->run_address + at};
    if (!dbg_jumps_back(turn.last, dbg_u32(segment->bytes, at), &turn.first) || turn.first < segment->run_address) continue;
    if (is_poll(part, index, segment, &turn)) any = leave_loop(tile, part, segment, &turn) || any;
  }
  return any;
}

/* Marks every instruction of the part, including functions inlined there. */
static bool mark_part_of(struct tessera_tile *tile, const struct part *part) {
  struct dbg_index index;
  struct dbg_segment segment;
  bool any = false;
  void *memory = api_line_index(&tile->program, part->core, &index);
  if (part->once) {
    any = mark_turns(tile, part, &index);
    free(memory);
    return any;
  }
  for (unsigned n = 0; index.elf && dbg_elf_segment(index.elf, n, &segment); n++)
    if (segment.executable && mark_segment(tile, part, &index, &segment)) {
      if (part->core >= TX_THREADS && !part->all && !part->behind) mark_end(tile, part, &index, &segment);
      if (part->passes) any = leave_polls(tile, part, &index, &segment) || any;
      else any = !part->behind || mark_loop(tile, part, &index, &segment);
    }
  free(memory);
  return any;
}

/* The T cores run one source: a line of one of them is a line of all. */
static bool mark_part(struct tessera_tile *tile, const struct part *part) {
  bool any = false;
  if (part->core >= TX_THREADS) return mark_part_of(tile, part);
  tile->what_if->removes = !part->executed;
  for (unsigned core = 0; core < TX_THREADS; core++) {
    struct part other = *part;
    other.core = core;
    any = mark_part_of(tile, &other) || any;
  }
  return any;
}

static enum tessera_result apply_core(struct tessera_tile *tile, unsigned core) {
  if (!mark_part(tile, &(struct part){.core = core, .all = true}))
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

static enum tessera_result apply_links(struct tessera_tile *tile) {
  tile->what_if->links = 1;
  return TESSERA_OK;
}

static enum tessera_result apply_dram(struct tessera_tile *tile) {
  if (!tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "a tile alone has no DRAM");
  tile->what_if->spread_dram = UINT32_MAX;
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

/* These buffers get twice their pages, and new places. */
static enum tessera_result double_buffers(struct tessera_tile *tile, struct launch *block, uint32_t buffers) {
  uint32_t end = tile->tile.l1[LAUNCH_OWN_MARK] ? LAUNCH_OWN_AT : LAUNCH_L1_BYTES; /* arguments may lie at the end */
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++) {
    struct launch_buffer *b = &block->buffer[i];
    if (!(buffers >> i & 1u)) continue;
    const bool fits = b->page_bytes && b->pages <= LAUNCH_L1_BYTES / 2 / b->page_bytes;
    if (!fits || !room_for(tile, block, 2 * b->pages * b->page_bytes, &end))
      return api_refuse(tile, TESSERA_INVALID, "no room in L1 for %u pages of buffer %u", 2 * b->pages, i);
    memcpy(&tile->tile.l1[end], &tile->tile.l1[b->address], (size_t)b->pages * b->page_bytes);
    b->address = end;
    b->pages *= 2;
  }
  memcpy(&tile->tile.l1[LAUNCH_ADDRESS], block, sizeof *block);
  return TESSERA_OK;
}

static enum tessera_result apply_buffers(struct tessera_tile *tile) {
  struct launch block;
  uint32_t single = 0;
  memcpy(&block, &tile->tile.l1[LAUNCH_ADDRESS], sizeof block);
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++)
    if (block.buffer[i].pages == 1) single |= 1u << i;
  return double_buffers(tile, &block, single);
}

/* "buffers 0,16": a kernel on part of a grid may not have all of them. */
static enum tessera_result apply_listed(struct tessera_tile *tile, uint32_t buffers) {
  struct launch block;
  memcpy(&block, &tile->tile.l1[LAUNCH_ADDRESS], sizeof block);
  for (unsigned i = 0; i < LAUNCH_BUFFERS; i++)
    if (!block.buffer[i].pages) buffers &= ~(1u << i);
  return double_buffers(tile, &block, buffers);
}

/* Calls that count pages, on every core that has a program with lines. */
static bool mark_hand_overs(struct tessera_tile *tile, unsigned core) {
  struct dbg_hand_overs lines = {.count = 0};
  struct dbg_frame frames[DBG_FRAMES_MAX];
  struct dbg_index index;
  struct dbg_segment segment;
  bool any = false;
  void *memory = api_line_index(&tile->program, core, &index);
  for (unsigned pass = 0; pass < 2; pass++)
    for (unsigned n = 0; index.elf && dbg_elf_segment(index.elf, n, &segment); n++)
      for (uint32_t at = 0; segment.executable && at + 4 <= segment.bytes.size; at += 4) {
        const uint32_t address = segment.run_address + at, pc = address + tile->program.moved[core];
        const unsigned count = dbg_index_frames(&index, address, frames, DBG_FRAMES_MAX);
        if (!pass) dbg_hand_overs_add(&lines, frames, count);
        if (!pass || pc >= TX_L1_BYTES || !dbg_hand_overs_have(&lines, frames, count)) continue;
        mark(tile, core, pc, false);
        any = true;
      }
  free(memory);
  return any;
}

static enum tessera_result apply_hand_overs(struct tessera_tile *tile) {
  bool any = false;
  for (unsigned core = 0; core < TX_CORES; core++) any = mark_hand_overs(tile, core) || any;
  if (!any) return api_refuse(tile, TESSERA_INVALID, "no core has a program with source lines that count pages");
  tile->what_if->hand_overs = 1;
  return TESSERA_OK;
}

static const struct what_if {
  const char *name, *text;
  apply_fn *apply;
} what_ifs[] = {
    {"reader", "NCRISC and its requests take no time", apply_reader},
    {"writer", "BRISC and its requests take no time", apply_writer},
    {"noc", "the NoC answers at once", apply_noc},
    {"links", "links and memories carry any amount of data at once", apply_links},
    {"dram", "requests to DRAM go to all banks in turn", apply_dram},
    {"buffers", "circular buffers of one page have two", apply_buffers},
    {"hand-overs", "counting pages of circular buffers takes no time", apply_hand_overs},
    {"lofi", "the matrix unit does the first fidelity phase only", apply_lofi},
    {"throttle", "no NOPs between instructions", apply_throttle},
    {"matrix", "the matrix unit takes no time", apply_matrix},
    {"vector", "the vector unit takes no time", apply_vector},
    {"unpack", "the unpackers move a tile in one cycle", apply_unpack},
    {"pack", "the packer moves a tile in one cycle", apply_pack},
};
#define WHAT_IFS (sizeof what_ifs / sizeof what_ifs[0])

const char *tessera_what_if_name(unsigned index) { return index < WHAT_IFS ? what_ifs[index].name : NULL; }

/* Removes the ending, if the text has it. */
static bool ends_with(char *text, const char *ending) {
  size_t length = strlen(text), end = strlen(ending);
  if (length <= end || strcmp(text + length - end, ending) != 0) return false;
  text[length - end] = '\0';
  return true;
}

static bool parse_part(const char *what, struct part *out) {
  char extent[320];
  const char *at = strchr(what, '@');
  int core = at ? dbg_core_number(what, (size_t)(at - what)) : -1;
  if (core < 0 || strlen(at + 1) >= sizeof extent) return false;
  strcpy(extent, at + 1);
  *out = (struct part){.core = (unsigned)core};
  out->executed = ends_with(extent, " executed");
  out->behind = core >= (int)TX_THREADS && ends_with(extent, " behind its loop");
  out->once = core >= (int)TX_THREADS && !out->behind && ends_with(extent, " in one turn");
  out->passes = !out->executed && !out->behind && !out->once && ends_with(extent, " without its wait");
  return dbg_extent_parse(extent, &out->extent);
}

/* "TRISC0 page by page" */
static bool parse_paged(const char *what, unsigned *core) {
  const char *space = strchr(what, ' ');
  int number = space && strcmp(space, " page by page") == 0 ? dbg_core_number(what, (size_t)(space - what)) : -1;
  *core = number < 0 ? 0 : (unsigned)number;
  return number >= 0;
}

static bool parse_semaphore(const char *what, unsigned *semaphore) {
  return sscanf(what, "semaphore %u", semaphore) == 1 && *semaphore < TX_SEMAPHORES;
}

static bool parse_bank(const char *what, unsigned *bank) {
  return sscanf(what, "dram %u", bank) == 1 && *bank < TESSERA_DRAM_BANKS;
}

#define HAND_OVER_MAX 128u /* pages at once */

static bool parse_hand_overs(const char *what, unsigned *pages) {
  int used = 0;
  return sscanf(what, "hand-overs %u%n", pages, &used) == 1 && !what[used] && *pages >= 2 && *pages <= HAND_OVER_MAX;
}

/* "link 0 1,2 out": of NoC 0, out of the tile at (1,2) of it. */
struct link_name {
  unsigned noc, x, y, link; /* enum noc_link */
};
static const char *const link_names[] = {
    [NOC_LINK_TO_TILE] = "in", [NOC_LINK_X] = "x", [NOC_LINK_Y] = "y", [NOC_LINK_FROM_TILE] = "out"};
static const char *const link_texts[] = {[NOC_LINK_TO_TILE] = "into the tile",
                                         [NOC_LINK_X] = "along x behind the tile",
                                         [NOC_LINK_Y] = "along y behind the tile",
                                         [NOC_LINK_FROM_TILE] = "out of the tile"};

static bool parse_link(const char *what, struct link_name *out) {
  char way[8];
  int used = 0;
  if (sscanf(what, "link %u %u,%u %7s%n", &out->noc, &out->x, &out->y, way, &used) != 4 || what[used]) return false;
  for (out->link = 0; out->link <= NOC_LINK_FROM_TILE; out->link++)
    if (strcmp(link_names[out->link], way) == 0) return out->noc < NOC_NOCS && out->x < NOC_GRID_X && out->y < NOC_GRID_Y;
  return false;
}

_Static_assert(LAUNCH_BUFFERS == 32, "a bit per buffer");
static bool parse_buffers(const char *what, uint32_t *buffers) {
  static const char name[] = "buffers ";
  *buffers = 0;
  if (strncmp(what, name, sizeof name - 1) != 0) return false;
  for (const char *at = what + sizeof name - 1;; at++) {
    char *end;
    const unsigned long number = *at >= '0' && *at <= '9' ? strtoul(at, &end, 10) : LAUNCH_BUFFERS;
    if (number >= LAUNCH_BUFFERS) return false;
    *buffers |= 1u << number;
    if (!*(at = end)) return true;
    if (*at != ',') return false;
  }
}

static int buffers_text(uint32_t buffers, char *text, size_t size) {
  struct sim_text out = {.data = text, .size = size};
  obs_add_buffers(&out, buffers);
  sim_text_add(&out, " %s twice as many pages", buffers & (buffers - 1) ? "have" : "has");
  return (int)out.length;
}

static const char *name_of(unsigned core) { return core == TX_CORE_BRISC ? "BRISC" : "NCRISC"; }

static const char *spends(unsigned core) {
  return core < TX_THREADS ? "the T cores spend" : core == TX_CORE_BRISC ? "BRISC spends" : "NCRISC spends";
}

static int part_text(const struct part *part, char *text, size_t size) {
  char name[300];
  dbg_extent_text(&part->extent, name, sizeof name);
  if (part->behind) return snprintf(text, size, "%s waits behind the loop instead of at %s", name_of(part->core), name);
  if (part->once)
    return snprintf(text, size, "%s makes the requests of the loop at %s in one turn of it", name_of(part->core), name);
  if (part->passes)
    return snprintf(text, size, "%s not wait at %s",
                    part->core < TX_THREADS       ? "the T cores do"
                    : part->core == TX_CORE_BRISC ? "BRISC does"
                                                  : "NCRISC does",
                    name);
  return snprintf(text, size, "%s no time %s %s", spends(part->core), part->extent.first ? "at" : "in", name);
}

int tessera_what_if_text(const char *what, char *text, size_t size) {
  struct part part;
  struct link_name link;
  unsigned semaphore, bank, core, pages;
  uint32_t buffers;
  for (unsigned i = 0; what && i < WHAT_IFS; i++)
    if (strcmp(what_ifs[i].name, what) == 0) return snprintf(text, size, "%s", what_ifs[i].text);
  if (what && parse_part(what, &part)) return part_text(&part, text, size);
  if (what && parse_paged(what, &core))
    return snprintf(text, size, "%s waits for each page where it uses it", tessera_core_name((enum tessera_core)core));
  if (what && parse_buffers(what, &buffers)) return buffers_text(buffers, text, size);
  if (what && parse_semaphore(what, &semaphore))
    return snprintf(text, size, "no thread waits for semaphore %s", tessera_semaphore_name(semaphore));
  if (what && parse_bank(what, &bank)) return snprintf(text, size, "requests to DRAM bank %u go to all banks in turn", bank);
  if (what && parse_hand_overs(what, &pages))
    return snprintf(text, size, "pages of circular buffers are counted %u at once", pages);
  if (what && parse_link(what, &link))
    return snprintf(text, size, "what passes the link of NoC %u %s at (%u,%u) loads no link and no memory", link.noc,
                    link_texts[link.link], link.x, link.y);
  return -1;
}

static enum tessera_result apply_part(struct tessera_tile *tile, const struct part *part) {
  char name[300];
  if (mark_part(tile, part)) return TESSERA_OK;
  dbg_extent_text(&part->extent, name, sizeof name);
  if (part->once || part->passes)
    return api_refuse(tile, TESSERA_INVALID, "the program of %s has no loop %sat %s",
                      tessera_core_name((enum tessera_core)part->core), part->passes ? "that only polls " : "", name);
  return api_refuse(tile, TESSERA_INVALID, "the program of %s has no instruction of %s",
                    tessera_core_name((enum tessera_core)part->core), name);
}

static enum tessera_result apply_paged(struct tessera_tile *tile, unsigned core) {
  struct launch block;
  memcpy(&block, &tile->tile.l1[LAUNCH_ADDRESS], sizeof block);
  tile->what_if->paged.cores |= 1u << core;
  for (unsigned i = 0; i < LAUNCH_BUFFERS && i < TX_WHAT_IF_BUFFERS; i++) {
    const struct launch_buffer *b = &block.buffer[i];
    const bool fits = b->page_bytes && b->pages <= LAUNCH_L1_BYTES / b->page_bytes;
    tile->what_if->paged.buffer[i].address = b->address;
    tile->what_if->paged.buffer[i].page_bytes = b->page_bytes;
    tile->what_if->paged.buffer[i].pages = fits ? b->pages : 0;
  }
  return TESSERA_OK;
}

/* The coordinates of the text are those of NoC 0. */
static enum tessera_result apply_link(struct tessera_tile *tile, const struct link_name *link) {
  unsigned x, y;
  if (!tile->in_chip) return api_refuse(tile, TESSERA_INVALID, "a tile alone has no links");
  chip_raw_of_tile(link->noc, link->y * NOC_GRID_X + link->x, &x, &y);
  tile->what_if->link.known = 1;
  tile->what_if->link.noc = link->noc;
  tile->what_if->link.link = link->link;
  tile->what_if->link.at = (struct noc_place){(uint8_t)x, (uint8_t)y};
  return TESSERA_OK;
}

static enum tessera_result apply(struct tessera_tile *tile, const char *what) {
  struct part part;
  struct link_name link;
  unsigned semaphore, bank, core, pages;
  uint32_t buffers;
  for (unsigned i = 0; i < WHAT_IFS; i++)
    if (strcmp(what_ifs[i].name, what) == 0) return what_ifs[i].apply(tile);
  if (parse_buffers(what, &buffers)) return apply_listed(tile, buffers);
  if (parse_part(what, &part)) return apply_part(tile, &part);
  if (parse_paged(what, &core)) return apply_paged(tile, core);
  if (parse_link(what, &link)) return apply_link(tile, &link);
  if (parse_hand_overs(what, &pages)) {
    tile->what_if->paid_of = pages;
    return apply_hand_overs(tile);
  }
  if (parse_bank(what, &bank)) {
    enum tessera_result result = apply_dram(tile);
    if (result == TESSERA_OK) tile->what_if->spread_dram = 1u << bank;
    return result;
  }
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
