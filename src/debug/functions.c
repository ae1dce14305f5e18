/* The walk over functions of functions.h. DWARF 5, sections 2.17 (addresses and ranges) and 3.3 (subroutines). */
#include "debug/functions.h"

#include <string.h>

#define ORIGINS_MAX 8u

/* --- ranges --- */

static bool spend(struct dbg_walk *w) { return dbg_spend(w->dwarf->work, DBG_LIMIT_ENTRIES, 1); }

/* false: enough of them. */
static bool give_range(struct dbg_walk *w, uint32_t low, uint32_t high) {
  if (low >= high) return true;
  if (!dbg_spend(w->dwarf->work, DBG_LIMIT_RANGES, 1)) return false;
  w->range(w, low, high);
  return true;
}

/* .debug_ranges: pairs of addresses relative to a base; (0, 0) ends the list, (~0, base) changes the base. */
static void ranges_4(struct dbg_walk *w, uint32_t at) {
  struct dbg_cursor c = {.bytes = w->dwarf->ranges, .at = at};
  uint32_t base = w->unit.low;
  while (!c.bad && spend(w)) {
    uint32_t low = dbg_take(&c, 4), high = dbg_take(&c, 4);
    if (c.bad || (!low && !high)) return;
    if (low == UINT32_MAX) base = high;
    else if (!give_range(w, base + low, base + high)) return;
  }
}

static uint32_t indexed(const struct dbg_walk *w, uint64_t index) {
  uint64_t at = w->unit.addr_base + 4 * (index & UINT32_MAX);
  return at < w->dwarf->addr.size ? dbg_u32(w->dwarf->addr, (size_t)at) : 0;
}

/* Entry kinds of .debug_rnglists: DWARF 5, section 7.25. */
enum { RLE_END, RLE_BASE_X, RLE_START_X_END_X, RLE_START_X_LENGTH, RLE_OFFSETS, RLE_BASE, RLE_START_END, RLE_START_LENGTH };

static void ranges_5(struct dbg_walk *w, uint32_t at) {
  struct dbg_cursor c = {.bytes = w->dwarf->rnglists, .at = at};
  uint32_t base = w->unit.low, low, high;
  while (!c.bad && spend(w)) {
    uint32_t kind = dbg_take(&c, 1);
    low = high = 0;
    switch (kind) {
      case RLE_BASE_X: base = indexed(w, dbg_take_uleb(&c)); break;
      case RLE_START_X_END_X:
        low = indexed(w, dbg_take_uleb(&c));
        high = indexed(w, dbg_take_uleb(&c));
        break;
      case RLE_START_X_LENGTH:
        low = indexed(w, dbg_take_uleb(&c));
        high = low + (uint32_t)dbg_take_uleb(&c);
        break;
      case RLE_OFFSETS:
        low = base + (uint32_t)dbg_take_uleb(&c);
        high = base + (uint32_t)dbg_take_uleb(&c);
        break;
      case RLE_BASE: base = dbg_take(&c, 4); break;
      case RLE_START_END:
        low = dbg_take(&c, 4);
        high = dbg_take(&c, 4);
        break;
      case RLE_START_LENGTH:
        low = dbg_take(&c, 4);
        high = low + (uint32_t)dbg_take_uleb(&c);
        break;
      default: return; /* the end of the list, or damage */
    }
    if (!c.bad && !give_range(w, low, high)) return;
  }
}

static void ranges_of(struct dbg_walk *w, const struct dbg_die *die) {
  if (!die->has_ranges) {
    if (die->has_low && die->has_high) give_range(w, die->low, die->high);
    return;
  }
  if (w->unit.version < 5) {
    ranges_4(w, die->ranges);
    return;
  }
  uint32_t at = die->ranges;
  if (die->ranges_indexed) {
    uint64_t slot = w->unit.rnglists_base + 4 * (uint64_t)die->ranges;
    if (slot >= w->dwarf->rnglists.size) return;
    at = w->unit.rnglists_base + dbg_u32(w->dwarf->rnglists, (size_t)slot);
  }
  ranges_5(w, at);
}

/* --- names --- */

/* The unit that holds an offset of .debug_info: this one, or after LTO another. */
static bool find_other(struct dbg_walk *w, size_t at) {
  if (at >= w->other.at && at < w->other.end) return true;
  for (size_t header = 0; header < w->dwarf->info.size; header = w->other.end) {
    if (!dbg_unit_header(w->dwarf, header, &w->other)) break;
    if (at >= w->other.end) continue;
    dbg_unit_root(w->dwarf, &w->other, &w->other_abbrevs);
    return true;
  }
  w->other.end = 0;
  return false;
}

void dbg_walk_names(struct dbg_walk *w, const struct dbg_die *die, const char **name, const char **linkage) {
  struct dbg_die at = *die;
  *name = die->name;
  *linkage = die->linkage;
  for (unsigned hops = 0; at.origin && (!*name || !*linkage) && hops < ORIGINS_MAX; hops++) {
    size_t origin = at.origin;
    if (origin >= w->unit.at && origin < w->unit.end) {
      if (!dbg_die_read(w->dwarf, &w->unit, &w->abbrevs, origin, &at)) return;
    } else {
      if (!find_other(w, origin) || !dbg_die_read(w->dwarf, &w->other, &w->other_abbrevs, origin, &at)) return;
      at.origin = 0; /* one hop to another unit suffices for the output of linkers */
    }
    if (!*name) *name = at.name;
    if (!*linkage) *linkage = at.linkage;
  }
}

bool dbg_walk_call_path(struct dbg_walk *w, const struct dbg_die *die, struct dbg_path *path) {
  *path = (struct dbg_path){.base = "", .directory = ""};
  return w->has_lines && dbg_files_path(&w->files, &w->lines, die->call_file, w->unit.comp_dir, path);
}

bool dbg_walk_own_path(struct dbg_walk *w, const struct dbg_die *die, struct dbg_path *path) {
  struct dbg_die at = *die;
  *path = (struct dbg_path){.base = "", .directory = ""};
  for (unsigned hops = 0; at.origin && !at.decl_file && hops < ORIGINS_MAX; hops++) {
    size_t origin = at.origin;
    if (origin < w->unit.at || origin >= w->unit.end) return false; /* its files have other numbers */
    if (!dbg_die_read(w->dwarf, &w->unit, &w->abbrevs, origin, &at)) return false;
  }
  return at.decl_file && w->has_lines && dbg_files_path(&w->files, &w->lines, at.decl_file, w->unit.comp_dir, path);
}

/* DW_LANG_C_plus_plus and its later versions: the languages of kernels that mangle names. */
bool dbg_walk_in_cxx(const struct dbg_walk *w) {
  uint32_t l = w->unit.language;
  return l == 0x04 || l == 0x1a || l == 0x21 || l == 0x2b || l == 0x3a;
}

/* --- the walk --- */

uint32_t dbg_walk_caller(const struct dbg_walk *w, uint32_t depth) {
  for (uint32_t i = depth; i-- > 0;)
    if (w->scope[i].open) return i;
  return depth;
}

static void visit(struct dbg_walk *w, uint32_t level, const struct dbg_die *die) {
  struct dbg_scope *s = &w->scope[level];
  s->open = die->tag == DBG_TAG_SUBPROGRAM || die->tag == DBG_TAG_INLINED;
  if (s->open && !dbg_spend(w->dwarf->work, DBG_LIMIT_FUNCTIONS, 1)) s->open = false;
  if (!s->open) return;
  s->die = *die;
  s->number = w->functions++;
  w->depth = level;
  if (w->function) w->function(w);
  ranges_of(w, &s->die);
}

static bool is_full(const struct dbg_walk *w) {
  const struct dbg_work *work = w->dwarf->work;
  return work->over[DBG_LIMIT_FUNCTIONS] || work->over[DBG_LIMIT_RANGES];
}

static void walk_unit(struct dbg_walk *w) {
  struct dbg_die die;
  uint32_t level = 0;
  for (size_t at = w->unit.dies; at < w->unit.end && !is_full(w); at = die.next) {
    if (!dbg_die_read(w->dwarf, &w->unit, &w->abbrevs, at, &die)) return;
    if (die.tag == 0) {
      if (level) level--;
      continue;
    }
    if (level < DBG_DEPTH_MAX) visit(w, level, &die);
    if (die.children) level++;
  }
}

void dbg_walk_functions(struct dbg_walk *w) {
  w->functions = 0;
  memset(&w->abbrevs, 0, sizeof w->abbrevs);
  for (size_t at = 0; at < w->dwarf->info.size && !is_full(w); at = w->unit.end) {
    if (!dbg_spend(w->dwarf->work, DBG_LIMIT_UNITS, 1)) return;
    if (!dbg_unit_read(w->dwarf, at, &w->unit, &w->abbrevs)) return;
    memset(w->files.known, 0, sizeof w->files.known);
    w->has_lines = w->unit.line_at != SIZE_MAX && dbg_line_unit_read(w->dwarf, w->unit.line_at, &w->lines);
    walk_unit(w);
  }
}
