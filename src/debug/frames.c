/* Chains of inlined calls (frames.h). */
#include "debug/frames.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debug/functions.h"
#include "debug/lines.h"
#include "debug/symbols.h"

/* --- one question --- */

struct row_search {
  uint32_t address;
  struct dbg_line_row row;
};

static bool row_covers(void *context, const struct dbg_line_row *row, uint32_t end) {
  struct row_search *s = context;
  if (s->address < row->address || s->address >= end) return false;
  s->row = *row;
  return true;
}

/* The compilation directory of the unit that owns a line table. The search begins at `*from`, after the unit that was found before:
 * linkers write both sections in the same order. */
static const char *comp_dir_of(const struct dbg_dwarf *d, size_t line_at, size_t *from) {
  struct dbg_unit unit;
  struct dbg_abbrevs abbrevs = {0};
  const size_t begin = *from < d->info.size ? *from : 0;
  for (unsigned pass = 0; pass < 2; pass++)
    for (size_t at = pass ? 0 : begin, end = pass ? begin : d->info.size; at < end && dbg_unit_read(d, at, &unit, &abbrevs);
         at = unit.end) {
      if (unit.line_at != line_at) continue;
      *from = unit.end;
      return unit.comp_dir;
    }
  return NULL;
}

static bool find_row(const struct dbg_dwarf *d, uint32_t address, struct dbg_path *path, uint32_t *line) {
  struct dbg_line_unit u;
  struct row_search s = {.address = address};
  for (size_t at = 0; at < d->line.size && dbg_line_unit_read(d, at, &u); at = u.end) {
    if (u.version < 2 || u.version > 5 || !dbg_line_run(&u, row_covers, &s)) continue;
    size_t from = 0;
    *line = s.row.line;
    return dbg_line_path(&u, s.row.file, comp_dir_of(d, u.at, &from), path);
  }
  return false;
}

struct chain {
  uint32_t address;
  uint64_t best; /* length of the smallest range so far */
  struct dbg_frame frames[DBG_FRAMES_MAX];
  unsigned count;
};

/* Frame i+1 is at the call of frame i. */
static void copy_chain(struct dbg_walk *w, struct chain *chain) {
  chain->count = 0;
  for (uint32_t depth = w->depth; chain->count < DBG_FRAMES_MAX;) {
    struct dbg_frame *f = &chain->frames[chain->count++];
    const struct dbg_die *die = &w->scope[depth].die;
    f->in_cxx = dbg_walk_in_cxx(w);
    dbg_walk_names(w, die, &f->function, &f->linkage);
    uint32_t caller = dbg_walk_caller(w, depth);
    if (die->tag != DBG_TAG_INLINED || caller == depth || chain->count == DBG_FRAMES_MAX) return;
    dbg_walk_call_path(w, die, &f[1].path);
    f[1].line = die->call_line;
    depth = caller;
  }
}

static void range_of_chain(struct dbg_walk *w, uint32_t low, uint32_t high) {
  struct chain *chain = w->context;
  if (chain->address < low || chain->address >= high || high - low > chain->best) return;
  chain->best = high - low;
  copy_chain(w, chain);
}

/* Shared by both lookups: if there is no function, the symbol, and the innermost line. */
static unsigned finish(const struct dbg_elf *elf, uint32_t address, struct dbg_frame *frames, unsigned count,
                       bool has_line) {
  if (count == 0) {
    uint32_t offset;
    frames[0].function = dbg_symbol_at(elf, address, &offset);
    frames[0].linkage = NULL;
    count = frames[0].function || has_line ? 1 : 0;
  }
  return count;
}

unsigned dbg_frames_find(const struct dbg_elf *elf, uint32_t address, struct dbg_frame *frames, unsigned max) {
  struct dbg_dwarf d;
  struct dbg_work work = {.used = {0}}, lines_work = {.used = {0}};
  struct chain chain = {.address = address, .best = UINT64_MAX};
  struct dbg_walk walk = {.dwarf = &d, .context = &chain, .range = range_of_chain};
  if (max == 0) return 0;
  memset(frames, 0, max * sizeof *frames);
  dbg_dwarf_open(&d, elf, &work);
  dbg_walk_functions(&walk);
  d.work = &lines_work; /* the line is found whatever the functions have used up */
  unsigned count = chain.count < max ? chain.count : max;
  if (count) memcpy(frames, chain.frames, count * sizeof *frames);
  bool has_line = find_row(&d, address, &frames[0].path, &frames[0].line);
  return finish(elf, address, frames, count, has_line);
}

/* --- many questions --- */

struct build {
  struct dbg_index *index; /* counts of 0: count only */
  bool looks_up;           /* also look names and paths up when there is no place for them */
  uint32_t rows, ranges, functions, paths;
  const struct dbg_line_unit *lines;
  const char *comp_dir;
  uint32_t path_of[DBG_FILES_KEPT]; /* of this unit's files: 1 + index in paths; 0: not added so far */
  uint32_t file, path;              /* the path that was added last in this unit */
};

static void build_function(struct dbg_walk *w) {
  struct build *b = w->context;
  const bool fills = b->functions < b->index->function_count;
  if (fills || b->looks_up) {
    struct dbg_index_function unused, *f = fills ? &b->index->functions[b->functions] : &unused;
    const struct dbg_die *die = &w->scope[w->depth].die;
    uint32_t caller = dbg_walk_caller(w, w->depth);
    *f = (struct dbg_index_function){.call_line = die->call_line, .in_cxx = dbg_walk_in_cxx(w)};
    dbg_walk_names(w, die, &f->name, &f->linkage);
    dbg_walk_own_path(w, die, &f->own);
    if (die->tag == DBG_TAG_INLINED && caller != w->depth) {
      f->caller = w->scope[caller].number + 1;
      dbg_walk_call_path(w, die, &f->call_path);
    }
  }
  b->functions++;
}

static void build_range(struct dbg_walk *w, uint32_t low, uint32_t high) {
  struct build *b = w->context;
  if (b->ranges < b->index->range_count) b->index->ranges[b->ranges] = (struct dbg_index_range){low, high, b->functions - 1};
  b->ranges++;
}

static void set_path(struct build *b, uint32_t file) {
  struct dbg_path unused;
  const bool kept = file < DBG_FILES_KEPT;
  b->file = file;
  b->path = kept && b->path_of[file] ? b->path_of[file] - 1 : b->paths++;
  if (kept && b->path_of[file]) return;
  if (kept) b->path_of[file] = b->path + 1;
  if (b->path < b->index->path_count) dbg_line_path(b->lines, file, b->comp_dir, &b->index->paths[b->path]);
  else if (b->looks_up) dbg_line_path(b->lines, file, b->comp_dir, &unused);
}

static bool build_row(void *context, const struct dbg_line_row *row, uint32_t end) {
  struct build *b = context;
  if (!dbg_spend(b->lines->dwarf->work, DBG_LIMIT_ROWS, 1)) return true;
  if (b->path == UINT32_MAX || b->file != row->file) set_path(b, row->file);
  if (b->rows < b->index->row_count) b->index->rows[b->rows] = (struct dbg_index_row){row->address, end, row->line, b->path};
  b->rows++;
  return false;
}

static void build_all(struct dbg_index *index, struct build *b, struct dbg_work *work) {
  struct dbg_dwarf d;
  struct dbg_line_unit u;
  size_t from = 0;
  struct dbg_walk walk = {.dwarf = &d, .context = b, .function = build_function, .range = build_range};
  dbg_dwarf_open(&d, index->elf, work);
  b->index = index;
  dbg_walk_functions(&walk);
  for (size_t at = 0; at < d.line.size && dbg_line_unit_read(&d, at, &u); at = u.end) {
    if (u.version < 2 || u.version > 5) continue;
    b->lines = &u;
    b->comp_dir = comp_dir_of(&d, u.at, &from);
    b->path = UINT32_MAX;
    memset(b->path_of, 0, sizeof b->path_of);
    if (dbg_line_run(&u, build_row, b)) return;
  }
}

struct statements {
  const struct dbg_line_unit *lines;
  const char *comp_dir;
  struct dbg_files files;
  dbg_statement_fn *fn;
  void *context;
};

static bool state(void *context, const struct dbg_line_row *row, uint32_t end) {
  struct statements *s = context;
  struct dbg_path path;
  (void)end;
  if (dbg_files_path(&s->files, s->lines, row->file, s->comp_dir, &path)) s->fn(s->context, &path, row->line, row->address);
  return false;
}

void dbg_statements(const struct dbg_elf *elf, dbg_statement_fn *fn, void *context) {
  struct dbg_dwarf d;
  struct dbg_line_unit u;
  struct dbg_work work = {.used = {0}};
  struct statements s = {.lines = &u, .fn = fn, .context = context};
  size_t from = 0;
  dbg_dwarf_open(&d, elf, &work);
  for (size_t at = 0; at < d.line.size && dbg_line_unit_read(&d, at, &u); at = u.end) {
    if (u.version < 2 || u.version > 5) continue;
    s.comp_dir = comp_dir_of(&d, u.at, &from);
    memset(&s.files, 0, sizeof s.files);
    dbg_line_statements(&u, state, &s);
  }
}

void dbg_index_measure(const struct dbg_elf *elf, struct dbg_work *work) {
  struct dbg_index index = {.elf = elf};
  struct build b = {.looks_up = true};
  build_all(&index, &b, work);
}

static size_t spans_of(const struct dbg_index *index) {
  return index->row_count > index->range_count ? index->row_count : index->range_count;
}

static size_t bytes_of(const struct dbg_index *index) {
  return index->function_count * sizeof(struct dbg_index_function) + index->path_count * sizeof(struct dbg_path) +
         index->row_count * sizeof(struct dbg_index_row) + index->range_count * sizeof(struct dbg_index_range) +
         dbg_cover_bytes(index->row_count) + dbg_cover_bytes(index->range_count) + spans_of(index) * sizeof(struct dbg_span);
}

/* The shortest range is the best, of two the later one. */
static int by_length(const void *a, const void *b) {
  const struct dbg_span *x = a, *y = b;
  const uint32_t of_x = x->high - x->low, of_y = y->high - y->low;
  return of_x < of_y ? -1 : of_x > of_y ? 1 : x->item > y->item ? -1 : 1;
}

/* The first row is the best. `memory`: for both covers, and then for the spans. */
static void build_covers(struct dbg_index *index, char *memory) {
  char *second = memory + dbg_cover_bytes(index->row_count);
  struct dbg_span *spans = (struct dbg_span *)(void *)(second + dbg_cover_bytes(index->range_count));
  for (uint32_t i = 0; i < index->row_count; i++) spans[i] = (struct dbg_span){index->rows[i].low, index->rows[i].high, i};
  dbg_cover_make(&index->row_at, spans, index->row_count, memory);
  for (uint32_t i = 0; i < index->range_count; i++)
    spans[i] = (struct dbg_span){index->ranges[i].low, index->ranges[i].high, i};
  qsort(spans, index->range_count, sizeof *spans, by_length);
  dbg_cover_make(&index->range_at, spans, index->range_count, second);
}

size_t dbg_index_bytes(struct dbg_index *index, const struct dbg_elf *elf) {
  struct build count = {.rows = 0};
  struct dbg_work work = {.used = {0}};
  *index = (struct dbg_index){.elf = elf};
  build_all(index, &count, &work);
  index->function_count = count.functions;
  index->path_count = count.paths;
  index->row_count = count.rows;
  index->range_count = count.ranges;
  return bytes_of(index);
}

bool dbg_index_build(struct dbg_index *index, void *memory, size_t bytes) {
  struct build b = {.rows = 0};
  struct dbg_work work = {.used = {0}};
  if (bytes_of(index) > bytes) return false;
  index->functions = memory; /* structures with pointers first, so that all are aligned */
  index->paths = (struct dbg_path *)(index->functions + index->function_count);
  index->rows = (struct dbg_index_row *)(index->paths + index->path_count);
  index->ranges = (struct dbg_index_range *)(index->rows + index->row_count);
  if (bytes) memset(memory, 0, bytes);
  /* Looking names up uses more of the limits, so that less may be filled than was counted: the rest stays zero. */
  if (bytes_of(index)) build_all(index, &b, &work);
  build_covers(index, (char *)(index->ranges + index->range_count));
  return true;
}

static unsigned index_chain(const struct dbg_index *index, uint32_t function, struct dbg_frame *frames, unsigned max) {
  unsigned count = 0;
  while (count < max) {
    const struct dbg_index_function *f = &index->functions[function];
    struct dbg_frame *frame = &frames[count++];
    frame->function = f->name;
    frame->linkage = f->linkage;
    frame->in_cxx = f->in_cxx;
    frame->instance = function + 1;
    frame->own = f->own.file ? &f->own : NULL;
    if (!f->caller || count == max) break;
    frame[1].path = f->call_path;
    frame[1].line = f->call_line;
    function = f->caller - 1;
  }
  return count;
}

unsigned dbg_index_frames(const struct dbg_index *index, uint32_t address, struct dbg_frame *frames, unsigned max) {
  if (max == 0) return 0;
  memset(frames, 0, max * sizeof *frames);
  const uint32_t range = dbg_cover_find(&index->range_at, address), row = dbg_cover_find(&index->row_at, address);
  unsigned count = range == UINT32_MAX ? 0 : index_chain(index, index->ranges[range].function, frames, max);
  if (row != UINT32_MAX) {
    frames[0].path = index->paths[index->rows[row].path];
    frames[0].line = index->rows[row].line;
  }
  return finish(index->elf, address, frames, count, row != UINT32_MAX && frames[0].path.file);
}

/* --- paths --- */

/* "/a/b/../c" becomes "/a/c": a file has one name, whatever the folder of the compiler was. */
static int shorten(char *text, int length) {
  for (char *up = strstr(text, "/../"); up; up = strstr(text, "/../")) {
    char *before = up;
    while (before > text && before[-1] != '/') before--;
    if (before == text || before == up || strncmp(before, "../", 3) == 0 || strncmp(before, "./", 2) == 0) break;
    memmove(before, up + 4, strlen(up + 4) + 1);
    length = (int)strlen(text);
  }
  return length;
}

int dbg_path_text(const struct dbg_path *path, char *text, size_t size) {
  const char *base = path->base ? path->base : "", *directory = path->directory ? path->directory : "";
  int length = snprintf(text, size, "%s%s%s%s%s", base, base[0] ? "/" : "", directory, directory[0] ? "/" : "",
                        path->file ? path->file : "");
  return length >= 0 && (size_t)length < size ? shorten(text, length) : length;
}

const char *dbg_path_base(const struct dbg_path *path) {
  const char *slash = path->file ? strrchr(path->file, '/') : NULL;
  return slash ? slash + 1 : path->file;
}

/* Directories of kernel libraries: this project's in its tree and where it is installed; the vendor's device code, low-level kernels
 * and compiler headers. */
static const char *const library_directories[] = {
    "/kernels/include/", "/kernels/firmware/", "/tessera/kernels/", "/tt_metal/hw/",      "/tt_metal/include/",
    "/tt_metal/impl/",   "/tt_llk/",           "/tt-llk/",          "/tt_llk_blackhole/", "/sfpi/",
    "/riscv-tt-elf/",    "/libgcc/",
};

bool dbg_path_is_library(const struct dbg_path *path) {
  char text[1024] = "/";
  dbg_path_text(path, text + 1, sizeof text - 1);
  for (size_t i = 0; i < sizeof library_directories / sizeof *library_directories; i++)
    if (strstr(text, library_directories[i])) return true;
  return false;
}

unsigned dbg_frames_user(const struct dbg_frame *frames, unsigned count) {
  for (unsigned i = 0; i < count; i++)
    if (frames[i].path.file && !dbg_path_is_library(&frames[i].path)) return i;
  return count;
}
