/* The DWARF line table of symbols.h: the line number program of each unit is run until a row covers the address. */
#include <string.h>

#include "debug/symbols.h"

/* standard opcodes, extended opcodes, content types and forms: DWARF 5, sections 6.2.5, 6.2.4.1 and 7.5.6 */
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
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4 = 0x04,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_BLOCK = 0x09,
  FORM_BLOCK1 = 0x0a,
  FORM_DATA1 = 0x0b,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
};

/* A place in a section. Reads behind the end give 0 and set `bad`; nothing goes on after that. */
struct cursor {
  struct dbg_bytes bytes;
  size_t at;
  bool bad;
};

static uint32_t take(struct cursor *c, unsigned size) {
  if (c->bad || c->bytes.size - c->at < size) {
    c->bad = true;
    return 0;
  }
  uint32_t value = 0;
  for (unsigned i = 0; i < size && i < 4; i++) value |= (uint32_t)c->bytes.data[c->at + i] << (8 * i);
  c->at += size;
  return value;
}

static void skip(struct cursor *c, uint32_t size) {
  if (c->bad || c->bytes.size - c->at < size) c->bad = true;
  else c->at += size;
}

/* LEB128, kept to 32 bits: what is behind them is read and lost. */
static uint32_t take_uleb(struct cursor *c) {
  uint32_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    uint32_t byte = take(c, 1);
    if (shift < 32) value |= (byte & 0x7fu) << shift;
    if (!(byte & 0x80u) || c->bad) return value;
  }
}

static int32_t take_sleb(struct cursor *c) {
  uint32_t value = 0, byte;
  unsigned shift = 0;
  do {
    byte = take(c, 1);
    if (shift < 32) value |= (byte & 0x7fu) << shift;
    shift += 7;
  } while ((byte & 0x80u) && !c->bad);
  if (shift < 32 && (byte & 0x40u)) value |= UINT32_MAX << shift;
  return (int32_t)value;
}

static const char *take_string(struct cursor *c) {
  const char *text = dbg_string(c->bytes, c->at);
  skip(c, (uint32_t)strlen(text) + 1);
  return text;
}

/* One unit of the section: its header, with the place of its file names. */
struct unit {
  struct cursor program;
  size_t files_at; /* in .debug_line */
  size_t end;
  uint32_t version, address_bytes, min_instruction, line_range, opcode_base;
  int32_t line_base;
  uint8_t operands[256];
};

struct row {
  uint32_t address, file, line;
};

static bool read_header(struct dbg_bytes section, size_t at, struct unit *u) {
  struct cursor c = {.bytes = section, .at = at};
  memset(u, 0, sizeof *u);
  uint32_t length = take(&c, 4);
  if (c.bad || length >= 0xfffffff0u || length > section.size - c.at) return false;
  u->end = c.at + length;
  c.bytes.size = u->end;
  u->version = take(&c, 2);
  if (u->version < 2 || u->version > 5) return true; /* a unit to pass over */
  u->address_bytes = u->version >= 5 ? take(&c, 1) : 4;
  if (u->version >= 5) skip(&c, 1);
  uint32_t header = take(&c, 4);
  size_t program_at = c.at + header;
  if (c.bad || header > u->end - c.at) return false;
  u->min_instruction = take(&c, 1);
  if (u->version >= 4) skip(&c, 1);
  skip(&c, 1);
  uint32_t base = take(&c, 1);
  u->line_base = base < 0x80u ? (int32_t)base : (int32_t)base - 256;
  u->line_range = take(&c, 1);
  u->opcode_base = take(&c, 1);
  for (uint32_t i = 1; i < u->opcode_base; i++) u->operands[i] = (uint8_t)take(&c, 1);
  u->files_at = c.at;
  u->program = (struct cursor){.bytes = c.bytes, .at = program_at};
  return !c.bad;
}

/* --- file names --- */

/* Reads a value of a form; gives its string if it is one. An unknown form ends the reading. */
static const char *take_form(const struct dbg_elf *elf, struct cursor *c, uint32_t form) {
  switch (form) {
    case FORM_STRING: return take_string(c);
    case FORM_LINE_STRP: return dbg_string(dbg_elf_section(elf, ".debug_line_str"), take(c, 4));
    case FORM_STRP: return dbg_string(dbg_elf_section(elf, ".debug_str"), take(c, 4));
    case FORM_UDATA: take_uleb(c); break;
    case FORM_DATA1: skip(c, 1); break;
    case FORM_DATA2: skip(c, 2); break;
    case FORM_DATA4: skip(c, 4); break;
    case FORM_DATA8: skip(c, 8); break;
    case FORM_DATA16: skip(c, 16); break;
    case FORM_BLOCK1: skip(c, take(c, 1)); break;
    case FORM_BLOCK2: skip(c, take(c, 2)); break;
    case FORM_BLOCK4: skip(c, take(c, 4)); break;
    case FORM_BLOCK: skip(c, take_uleb(c)); break;
    default: c->bad = true; break;
  }
  return NULL;
}

/* One of version 5's two tables (directories, files): the path of entry `wanted`, and the cursor behind the table. */
static const char *table_entry(const struct dbg_elf *elf, struct cursor *c, uint32_t wanted) {
  enum { FORMATS_MAX = 8 };
  uint32_t type[FORMATS_MAX] = {0}, form[FORMATS_MAX] = {0}, formats = take(c, 1);
  const char *found = NULL;
  if (formats > FORMATS_MAX) c->bad = true;
  for (uint32_t i = 0; i < formats && !c->bad; i++) {
    type[i] = take_uleb(c);
    form[i] = take_uleb(c);
  }
  uint32_t count = take_uleb(c);
  if (formats == 0) return NULL;
  for (uint32_t entry = 0; entry < count && !c->bad; entry++)
    for (uint32_t i = 0; i < formats && !c->bad; i++) {
      const char *text = take_form(elf, c, form[i]);
      if (entry == wanted && type[i] == LNCT_PATH && !c->bad) found = text;
    }
  return found;
}

static const char *file_name_5(const struct dbg_elf *elf, const struct unit *u, struct cursor *c, uint32_t file) {
  (void)u;
  table_entry(elf, c, UINT32_MAX); /* directories */
  return c->bad ? NULL : table_entry(elf, c, file);
}

static const char *file_name_4(struct cursor *c, uint32_t file) {
  while (!c->bad && dbg_u8(c->bytes, c->at)) take_string(c); /* directories */
  skip(c, 1);
  for (uint32_t i = 1; !c->bad && dbg_u8(c->bytes, c->at); i++) {
    const char *name = take_string(c);
    take_uleb(c), take_uleb(c), take_uleb(c); /* directory, time, length */
    if (i == file && !c->bad) return name;
  }
  return NULL;
}

/* The last part of a path: reports name files as people do. */
static const char *base_name(const char *path) {
  const char *slash = path ? strrchr(path, '/') : NULL;
  return slash ? slash + 1 : path;
}

static const char *file_name(const struct dbg_elf *elf, const struct unit *u, uint32_t file) {
  struct cursor c = {.bytes = u->program.bytes, .at = u->files_at};
  const char *name = base_name(u->version >= 5 ? file_name_5(elf, u, &c, file) : file_name_4(&c, file));
  return name && name[0] ? name : NULL;
}

/* --- the line number program --- */

/* Two rows follow each other: does the first cover the address? */
static bool covers(const struct row *before, const struct row *now, bool first, uint32_t address) {
  return !first && before->address <= address && address < now->address;
}

struct machine {
  struct row now, before;
  bool first; /* no row of this sequence yet */
};

static void reset(struct machine *m) { *m = (struct machine){.now = {.file = 1, .line = 1}, .first = true}; }

static bool emit(struct machine *m, uint32_t address) {
  if (covers(&m->before, &m->now, m->first, address)) return true;
  m->before = m->now;
  m->first = false;
  return false;
}

static bool extended(const struct unit *u, struct cursor *c, struct machine *m, uint32_t address) {
  uint32_t length = take_uleb(c);
  size_t next = c->at + length;
  if (c->bad || length == 0 || length > c->bytes.size - c->at) {
    c->bad = true;
    return false;
  }
  uint32_t opcode = take(c, 1);
  bool found = false;
  if (opcode == LNE_END_SEQUENCE) {
    found = emit(m, address);
    if (!found) reset(m);
  } else if (opcode == LNE_SET_ADDRESS && length - 1 <= 8 && u->address_bytes) {
    m->now.address = take(c, length - 1);
  }
  c->at = next;
  return found;
}

static uint32_t advance(const struct unit *u, uint32_t operations) { return operations * u->min_instruction; }

static void standard(const struct unit *u, struct cursor *c, struct machine *m, uint32_t opcode) {
  switch (opcode) {
    case LNS_ADVANCE_PC: m->now.address += advance(u, take_uleb(c)); break;
    case LNS_ADVANCE_LINE: m->now.line += (uint32_t)take_sleb(c); break;
    case LNS_SET_FILE: m->now.file = take_uleb(c); break;
    case LNS_CONST_ADD_PC: m->now.address += advance(u, (255 - u->opcode_base) / u->line_range); break;
    case LNS_FIXED_ADVANCE_PC: m->now.address += take(c, 2); break;
    default:
      for (unsigned i = 0; i < u->operands[opcode]; i++) take_uleb(c); /* columns, flags, opcodes to come */
      break;
  }
}

static bool run_unit(const struct unit *u, uint32_t address, struct row *out) {
  struct cursor c = u->program;
  struct machine m;
  if (u->line_range == 0 || u->opcode_base == 0) return false;
  reset(&m);
  while (c.at < u->end && !c.bad) {
    uint32_t opcode = take(&c, 1);
    bool found = false;
    if (opcode >= u->opcode_base) {
      uint32_t adjusted = opcode - u->opcode_base;
      m.now.address += advance(u, adjusted / u->line_range);
      m.now.line += (uint32_t)(u->line_base + (int32_t)(adjusted % u->line_range));
      found = emit(&m, address);
    } else if (opcode == 0) {
      found = extended(u, &c, &m, address);
    } else if (opcode == LNS_COPY) {
      found = emit(&m, address);
    } else {
      standard(u, &c, &m, opcode);
    }
    if (found && !c.bad) {
      *out = m.before;
      return true;
    }
  }
  return false;
}

bool dbg_line_find(const struct dbg_elf *elf, uint32_t address, const char **file, uint32_t *line) {
  struct dbg_bytes section = dbg_elf_section(elf, ".debug_line");
  struct unit u;
  struct row row;
  for (size_t at = 0; at < section.size && read_header(section, at, &u); at = u.end) {
    if (u.version < 2 || u.version > 5 || !run_unit(&u, address, &row)) continue;
    *file = file_name(elf, &u, row.file);
    *line = row.line;
    return *file != NULL;
  }
  return false;
}
