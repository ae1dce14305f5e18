/* DWARF line tables (dwarf.h): headers, file names, and the line number program. DWARF 2 to 5, section 6.2. */
#include "debug/lines.h"

#include <string.h>

/* standard opcodes, extended opcodes and content types: DWARF 5, sections 6.2.5 and 6.2.4.1 */
enum {
  LNS_COPY = 1,
  LNS_ADVANCE_PC,
  LNS_ADVANCE_LINE,
  LNS_SET_FILE,
  LNS_SET_COLUMN,
  LNS_NEGATE_STMT,
  LNS_SET_BASIC_BLOCK,
  LNS_CONST_ADD_PC,
  LNS_FIXED_ADVANCE_PC,
  LNE_END_SEQUENCE = 1,
  LNE_SET_ADDRESS = 2,
  LNCT_PATH = 1,
  LNCT_DIRECTORY_INDEX = 2,
};

#define HEADER_READS 16u

bool dbg_line_unit_read(const struct dbg_dwarf *d, size_t at, struct dbg_line_unit *u) {
  struct dbg_cursor c = {.bytes = d->line, .at = at};
  memset(u, 0, sizeof *u);
  uint32_t length = dbg_take(&c, 4);
  if (c.bad || length >= 0xfffffff0u || length > d->line.size - c.at) return false;
  if (!dbg_spend(d->work, DBG_LIMIT_OPCODES, HEADER_READS)) return false;
  u->dwarf = d;
  u->at = at;
  u->end = c.at + length;
  c.bytes.size = u->end;
  u->version = dbg_take(&c, 2);
  if (u->version < 2 || u->version > 5) return true; /* a unit to be skipped */
  u->address_bytes = u->version >= 5 ? dbg_take(&c, 1) : 4;
  if (u->version >= 5) dbg_skip(&c, 1);
  uint32_t header = dbg_take(&c, 4);
  size_t program_at = c.at + header;
  if (c.bad || header > u->end - c.at) return false;
  u->min_instruction = dbg_take(&c, 1);
  if (u->version >= 4) dbg_skip(&c, 1);
  u->statements = dbg_take(&c, 1) != 0;
  uint32_t base = dbg_take(&c, 1);
  u->line_base = base < 0x80u ? (int32_t)base : (int32_t)base - 256;
  u->line_range = dbg_take(&c, 1);
  u->opcode_base = dbg_take(&c, 1);
  for (uint32_t i = 1; i < u->opcode_base; i++) u->operands[i] = (uint8_t)dbg_take(&c, 1);
  u->files_at = c.at;
  u->program = (struct dbg_cursor){.bytes = c.bytes, .at = program_at};
  return !c.bad;
}

/* --- file names --- */

#define FILE_BYTES_PER_READ 32u /* a long name costs as many reads as many short ones */

static bool spend(const struct dbg_line_unit *u, size_t reads) {
  return dbg_spend(u->dwarf->work, DBG_LIMIT_OPCODES, reads);
}

/* The string at the cursor, and its cost. */
static const char *take_name(const struct dbg_line_unit *u, struct dbg_cursor *c) {
  const size_t from = c->at;
  const char *name = dbg_take_string(c);
  if (!spend(u, 1 + (c->at - from) / FILE_BYTES_PER_READ)) c->bad = true;
  return name;
}

struct entry {
  const char *path; /* NULL: none */
  uint32_t directory;
};

/* One of version 5's two tables (directories, files): entry `wanted`, and the cursor after the table. */
static struct entry table_entry(const struct dbg_line_unit *u, struct dbg_cursor *c, uint32_t wanted) {
  enum { FORMATS_MAX = 8 };
  uint32_t type[FORMATS_MAX] = {0}, form[FORMATS_MAX] = {0}, formats = dbg_take(c, 1);
  const struct dbg_unit no_unit = {.version = 5, .str_offsets_base = 8, .addr_base = 8};
  struct entry found = {0};
  if (formats > FORMATS_MAX) c->bad = true;
  for (uint32_t i = 0; i < formats && !c->bad; i++) {
    type[i] = (uint32_t)dbg_take_uleb(c);
    form[i] = (uint32_t)dbg_take_uleb(c);
  }
  uint64_t count = dbg_take_uleb(c);
  if (formats == 0) return found;
  for (uint64_t entry = 0; entry < count && !c->bad; entry++) {
    size_t before = c->at;
    for (uint32_t i = 0; i < formats && !c->bad; i++) {
      struct dbg_value v = dbg_take_form(u->dwarf, &no_unit, c, form[i], 0);
      if (entry != wanted || c->bad) continue;
      if (type[i] == LNCT_PATH && v.class == DBG_CLASS_STRING) found.path = v.text;
      if (type[i] == LNCT_DIRECTORY_INDEX && v.class == DBG_CLASS_NUMBER) found.directory = v.number;
    }
    if (!spend(u, 1 + (c->at - before) / FILE_BYTES_PER_READ)) c->bad = true;
    if (c->at == before) c->bad = true; /* entries without bytes: their number is unbounded */
  }
  return found;
}

static bool path_5(const struct dbg_line_unit *u, uint32_t file, struct dbg_path *out) {
  struct dbg_cursor directories = {.bytes = u->program.bytes, .at = u->files_at}, files = directories;
  table_entry(u, &files, UINT32_MAX);
  struct entry found = table_entry(u, &files, file);
  if (!found.path) return false;
  struct entry directory = table_entry(u, &directories, found.directory);
  out->file = found.path;
  out->directory = directory.path ? directory.path : "";
  return true;
}

static struct entry file_4(const struct dbg_line_unit *u, struct dbg_cursor *c, uint32_t file) {
  for (uint32_t i = 1; !c->bad && dbg_u8(c->bytes, c->at); i++) {
    struct entry e = {.path = take_name(u, c)};
    e.directory = (uint32_t)dbg_take_uleb(c);
    dbg_take_uleb(c), dbg_take_uleb(c); /* time, length */
    if (i == file && !c->bad) return e;
  }
  return (struct entry){0};
}

static bool path_4(const struct dbg_line_unit *u, uint32_t file, struct dbg_path *out) {
  struct dbg_cursor c = {.bytes = u->program.bytes, .at = u->files_at}, directories = c;
  while (!c.bad && dbg_u8(c.bytes, c.at)) take_name(u, &c);
  dbg_skip(&c, 1);
  struct entry found = file_4(u, &c, file);
  if (!found.path) return false;
  out->file = found.path;
  out->directory = "";
  for (uint32_t i = 1; i <= found.directory && !directories.bad && dbg_u8(directories.bytes, directories.at); i++) {
    const char *directory = take_name(u, &directories);
    if (i == found.directory) out->directory = directory;
  }
  return true;
}

bool dbg_line_path(const struct dbg_line_unit *u, uint32_t file, const char *comp_dir, struct dbg_path *out) {
  *out = (struct dbg_path){.base = "", .directory = "", .file = ""};
  if (!(u->version >= 5 ? path_5(u, file, out) : path_4(u, file, out)) || !out->file[0]) return false;
  if (out->file[0] == '/') out->directory = "";
  else if (out->directory[0] != '/' && comp_dir) out->base = comp_dir;
  return true;
}

bool dbg_files_path(struct dbg_files *files, const struct dbg_line_unit *u, uint32_t file, const char *comp_dir,
                    struct dbg_path *out) {
  if (file >= DBG_FILES_KEPT) return dbg_line_path(u, file, comp_dir, out);
  if (!files->known[file]) files->known[file] = dbg_line_path(u, file, comp_dir, &files->path[file]) ? 1 : 2;
  *out = files->path[file];
  return files->known[file] == 1;
}

/* --- the line number program --- */

struct machine {
  struct dbg_line_row now, before;
  bool first;      /* no row of this sequence yet */
  bool statements; /* only rows that begin a statement, of any length */
  dbg_line_fn *fn;
  void *context;
};

static void reset(const struct dbg_line_unit *u, struct machine *m) {
  m->now = (struct dbg_line_row){.file = 1, .line = 1, .statement = u->statements};
  m->first = true;
}

static bool emit(struct machine *m) {
  const bool wanted = m->statements ? m->before.statement : m->before.address < m->now.address;
  if (!m->first && wanted && m->fn(m->context, &m->before, m->now.address)) return true;
  m->before = m->now;
  m->first = false;
  return false;
}

static bool extended(const struct dbg_line_unit *u, struct dbg_cursor *c, struct machine *m) {
  uint64_t length = dbg_take_uleb(c);
  if (c->bad || length == 0 || length > c->bytes.size - c->at) {
    c->bad = true;
    return false;
  }
  size_t next = c->at + (size_t)length;
  uint32_t opcode = dbg_take(c, 1);
  bool found = false;
  if (opcode == LNE_END_SEQUENCE) {
    found = emit(m);
    if (!found) reset(u, m);
  } else if (opcode == LNE_SET_ADDRESS && length - 1 <= 8 && u->address_bytes) {
    m->now.address = dbg_take(c, (unsigned)length - 1);
  }
  c->at = next;
  return found;
}

static uint32_t advance(const struct dbg_line_unit *u, uint64_t operations) {
  return (uint32_t)operations * u->min_instruction;
}

static void standard(const struct dbg_line_unit *u, struct dbg_cursor *c, struct machine *m, uint32_t opcode) {
  switch (opcode) {
    case LNS_ADVANCE_PC: m->now.address += advance(u, dbg_take_uleb(c)); break;
    case LNS_ADVANCE_LINE: m->now.line += (uint32_t)dbg_take_sleb(c); break;
    case LNS_NEGATE_STMT: m->now.statement = !m->now.statement; break;
    case LNS_SET_FILE: m->now.file = (uint32_t)dbg_take_uleb(c); break;
    case LNS_CONST_ADD_PC: m->now.address += advance(u, (255 - u->opcode_base) / u->line_range); break;
    case LNS_FIXED_ADVANCE_PC: m->now.address += dbg_take(c, 2); break;
    default:
      for (unsigned i = 0; i < u->operands[opcode]; i++) dbg_take_uleb(c); /* columns, other flags, unknown opcodes */
      break;
  }
}

static bool run(const struct dbg_line_unit *u, bool statements, dbg_line_fn *fn, void *context) {
  struct dbg_cursor c = u->program;
  struct machine m = {.statements = statements, .fn = fn, .context = context};
  if (u->line_range == 0 || u->opcode_base == 0) return false;
  reset(u, &m);
  while (c.at < u->end && !c.bad && spend(u, 1)) {
    uint32_t opcode = dbg_take(&c, 1);
    bool found = false;
    if (opcode >= u->opcode_base) {
      uint32_t adjusted = opcode - u->opcode_base;
      m.now.address += advance(u, adjusted / u->line_range);
      m.now.line += (uint32_t)(u->line_base + (int32_t)(adjusted % u->line_range));
      found = emit(&m);
    } else if (opcode == 0) {
      found = extended(u, &c, &m);
    } else if (opcode == LNS_COPY) {
      found = emit(&m);
    } else {
      standard(u, &c, &m, opcode);
    }
    if (found) return true;
  }
  return false;
}

bool dbg_line_run(const struct dbg_line_unit *u, dbg_line_fn *fn, void *context) { return run(u, false, fn, context); }

bool dbg_line_statements(const struct dbg_line_unit *u, dbg_line_fn *fn, void *context) { return run(u, true, fn, context); }
