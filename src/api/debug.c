/* Conditions, watchpoints, breakpoints, steps, symbols and places (include/tessera/debug.h). */
#include "tessera/debug.h"

#include <string.h>

#include "api/tile.h"
#include "api/tile_error.h"
#include "debug/entry.h"
#include "debug/place.h"
#include "tensix/riscv/breaks.h"

static bool good_core(enum tessera_core core) { return (unsigned)core < TX_CORES; }

static enum tessera_result numbered(struct tessera_tile *tile, int number, int *out) {
  if (out) *out = number;
  return api_ok(tile);
}

/* --- conditions and watchpoints --- */

static bool is_full(const struct tessera_tile *tile) {
  unsigned used = 0;
  while (used < TX_WATCHES && tile->tile.watch[used].kind) used++;
  return used == TX_WATCHES;
}

static enum tessera_result refuse_more(struct tessera_tile *tile) {
  return api_refuse(tile, TESSERA_INVALID, "a tile has at most %u conditions and watchpoints", TX_WATCHES);
}

enum tessera_result tessera_tile_until_all(struct tessera_tile *tile, const struct tessera_word *words, size_t count,
                                           int *number) {
  struct tx_watch_word w[TX_WATCH_WORDS];
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (is_full(tile)) return refuse_more(tile);
  if (!words || count == 0 || count > TX_WATCH_WORDS)
    return api_refuse(tile, TESSERA_INVALID, "a condition has 1 to %u words", TX_WATCH_WORDS);
  for (size_t i = 0; i < count; i++) {
    if (words[i].value & ~words[i].mask)
      return api_refuse(tile, TESSERA_INVALID, "the value 0x%x lies outside its mask 0x%x", words[i].value, words[i].mask);
    if (words[i].address & 3u || !tx_watch_range_fits(words[i].address, 4))
      return api_refuse(tile, TESSERA_INVALID, "0x%08x is not an aligned word of L1 or a register that can be watched",
                        words[i].address);
    w[i] = (struct tx_watch_word){.address = words[i].address, .mask = words[i].mask, .value = words[i].value};
  }
  return numbered(tile, tx_watch_condition(&tile->tile, w, (unsigned)count), number);
}

enum tessera_result tessera_tile_until(struct tessera_tile *tile, uint32_t address, uint32_t mask, uint32_t value,
                                       int *number) {
  struct tessera_word word = {.address = address, .mask = mask, .value = value};
  return tessera_tile_until_all(tile, &word, 1, number);
}

enum tessera_result tessera_tile_until_cycle(struct tessera_tile *tile, uint64_t cycle, int *number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (is_full(tile)) return refuse_more(tile);
  if (cycle >= TESSERA_FOREVER)
    return api_refuse(tile, TESSERA_INVALID, "cycle %llu is out of reach", (unsigned long long)cycle);
  return numbered(tile, tx_watch_timer(&tile->tile, cycle), number);
}

enum tessera_result tessera_tile_watch(struct tessera_tile *tile, uint32_t address, uint32_t length, int *number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (is_full(tile)) return refuse_more(tile);
  if (!tx_watch_range_fits(address, length))
    return api_refuse(tile, TESSERA_INVALID, "%u bytes at 0x%08x are not L1 or registers that can be watched", length,
                      address);
  return numbered(tile, tx_watch_range(&tile->tile, address, length), number);
}

enum tessera_result tessera_tile_unwatch(struct tessera_tile *tile, int number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (number < -1 || number >= (int)TX_WATCHES || (number >= 0 && !tile->tile.watch[number].kind))
    return api_refuse(tile, TESSERA_INVALID, "no condition or watchpoint %d", number);
  for (unsigned i = 0; i < TX_WATCHES; i++)
    if (number < 0 || i == (unsigned)number) tx_watch_remove(&tile->tile, i);
  return api_ok(tile);
}

/* --- breakpoints and steps --- */

enum tessera_result tessera_tile_break(struct tessera_tile *tile, enum tessera_core core, uint32_t pc, int *number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!good_core(core)) return api_refuse(tile, TESSERA_INVALID, "no such core");
  if ((pc & 3u) || pc >= TX_L1_BYTES) return api_refuse(tile, TESSERA_INVALID, "0x%08x is not an aligned address in L1", pc);
  int made = tx_break_add(&tile->tile, core, pc);
  if (made < 0) return api_refuse(tile, TESSERA_INVALID, "there are %u breakpoints", TX_BREAKS);
  return numbered(tile, made, number);
}

enum tessera_result tessera_tile_unbreak(struct tessera_tile *tile, int number) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  const struct tx_breaks *b = &tile->tile.unsaved.breaks;
  if (number < -1 || (number >= 0 && ((unsigned)number >= b->used || b->at[number].core == TX_CORES)))
    return api_refuse(tile, TESSERA_INVALID, "no breakpoint %d", number);
  for (unsigned i = 0; i < TX_BREAKS; i++)
    if (number < 0 || i == (unsigned)number) tx_break_remove(&tile->tile, i);
  return api_ok(tile);
}

enum tessera_result tessera_tile_step(struct tessera_tile *tile, enum tessera_core core, uint64_t cycles) {
  if (!api_is_tile(tile)) return TESSERA_INVALID;
  if (!good_core(core)) return api_refuse(tile, TESSERA_INVALID, "no such core");
  if (tile->tile.core[core].state != TX_CORE_RUNNING)
    return api_refuse(tile, TESSERA_INVALID, "%s does not run", tx_core_name(core));
  if (!api_enter_tile(tile)) return TESSERA_INVALID;
  tx_break_step(&tile->tile, core, true);
  api_run(tile, cycles);
  tx_break_step(&tile->tile, core, false);
  api_leave(&tile->handle);
  return api_run_result(tile);
}

/* --- symbols and lines --- */

enum tessera_result tessera_tile_symbol(const struct tessera_tile *tile, enum tessera_core core, const char *name,
                                        uint32_t *address) {
  if (!api_is_tile(tile) || !good_core(core) || !name || !address || !tile->program.loaded[core]) return TESSERA_INVALID;
  return dbg_name_find(&tile->program.elf[core], name, address) ? TESSERA_OK : TESSERA_INVALID;
}

size_t tessera_tile_entries(const struct tessera_tile *tile, enum tessera_core core, const char *name, uint32_t *entries,
                            size_t room) {
  uint32_t found[DBG_ENTRIES];
  if (!api_is_tile(tile) || !good_core(core) || !name || (room && !entries) || !tile->program.loaded[core]) return 0;
  const unsigned count = dbg_names_find(&tile->program.elf[core], name, found);
  for (unsigned i = 0; i < count && i < room; i++) entries[i] = found[i];
  return count;
}

enum tessera_result tessera_tile_place(const struct tessera_tile *tile, enum tessera_core core, uint32_t pc,
                                       struct tessera_place *place) {
  if (!api_is_tile(tile) || !good_core(core) || !place) return TESSERA_INVALID;
  struct dbg_place found = {0};
  /* the core's own program first, then those of the others */
  for (unsigned i = 0; i <= TX_CORES && !found.function && !found.file; i++) {
    unsigned other = i ? i - 1 : (unsigned)core;
    if (tile->program.loaded[other]) dbg_place_find(&tile->program.elf[other], pc, &found);
  }
  *place =
      (struct tessera_place){.function = found.function, .offset = found.offset, .file = found.file, .line = found.line};
  return found.function || found.file ? TESSERA_OK : TESSERA_INVALID;
}

/* The last parts of a path: "compute.c" and "softmax/compute.c" are "/home/me/softmax/compute.c". */
static bool path_ends_with(const char *path, const char *wanted) {
  size_t length = strlen(path), end = strlen(wanted);
  if (end == 0 || end > length || strcmp(path + length - end, wanted) != 0) return false;
  return end == length || path[length - end - 1] == '/';
}

struct line_search {
  const char *file;
  uint32_t line;
  uint32_t address, next; /* the lowest address of the line; the next line with code */
  bool found, file_found;
};

static void search_segment(struct tessera_tile *tile, unsigned core, const struct dbg_segment *s,
                           struct line_search *search) {
  for (uint32_t at = 0; at + 4 <= s->bytes.size; at += 4) {
    struct dbg_source place = {0};
    dbg_program_source(&tile->program, core, s->run_address + at, &place);
    if (!path_ends_with(place.path[0] ? place.path : place.file, search->file)) continue;
    search->file_found = true;
    if (place.line == search->line && (!search->found || s->run_address + at < search->address)) {
      search->found = true;
      search->address = s->run_address + at;
    }
    if (place.line > search->line && (!search->next || place.line < search->next)) search->next = place.line;
  }
}

enum tessera_result tessera_tile_line(struct tessera_tile *tile, enum tessera_core core, const char *file, uint32_t line,
                                      uint32_t *address) {
  struct dbg_segment segment;
  if (!api_is_read_tile(tile)) return TESSERA_INVALID;
  if (!good_core(core) || !file || !address) return api_refuse(tile, TESSERA_INVALID, "no such core, file or place");
  if (!tile->program.loaded[core]) return api_refuse(tile, TESSERA_INVALID, "%s has no executable", tx_core_name(core));
  struct line_search search = {.file = file, .line = line};
  for (unsigned i = 0; dbg_elf_segment(&tile->program.elf[core], i, &segment); i++)
    if (segment.executable) search_segment(tile, core, &segment, &search);
  if (search.found) {
    *address = search.address;
    return api_ok(tile);
  }
  if (!search.file_found)
    return api_refuse(tile, TESSERA_INVALID, "%s's executable has no lines of '%s'", tx_core_name(core), file);
  if (!search.next)
    return api_refuse(tile, TESSERA_INVALID, "%s:%u has no code on %s, nor has a line after it", file, line,
                      tx_core_name(core));
  return api_refuse(tile, TESSERA_INVALID, "%s:%u has no code on %s; the next line that has is %u", file, line,
                    tx_core_name(core), search.next);
}

size_t tessera_tile_place_text(const struct tessera_tile *tile, enum tessera_core core, uint32_t pc, char *text,
                               size_t size) {
  char whole[512] = "";
  if (text && size) text[0] = '\0';
  if (!api_is_tile(tile) || !good_core(core) || (!text && size)) return 0;
  dbg_program_where(&tile->program, core, pc, whole, sizeof whole);
  size_t length = strlen(whole), part = length < size ? length : size ? size - 1 : 0;
  if (size) memcpy(text, whole, part), text[part] = '\0';
  return length;
}
