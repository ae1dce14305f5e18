/* Units, entries and attribute values of DWARF 2 to 5 (dwarf.h). DWARF 5, sections 7.5 (information entries and forms) and 7.26. */
#include "debug/dwarf.h"

#include <string.h>

/* --- cursor --- */

uint32_t dbg_take(struct dbg_cursor *c, unsigned size) {
  if (c->bad || c->at > c->bytes.size || c->bytes.size - c->at < size) {
    c->bad = true;
    return 0;
  }
  uint32_t value = 0;
  for (unsigned i = 0; i < size && i < 4; i++) value |= (uint32_t)c->bytes.data[c->at + i] << (8 * i);
  c->at += size;
  return value;
}

void dbg_skip(struct dbg_cursor *c, uint64_t size) {
  if (c->bad || c->at > c->bytes.size || c->bytes.size - c->at < size) c->bad = true;
  else c->at += (size_t)size;
}

uint64_t dbg_take_uleb(struct dbg_cursor *c) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += shift < 64 ? 7 : 0) {
    uint64_t byte = dbg_take(c, 1);
    if (shift < 64) value |= (byte & 0x7fu) << shift;
    if (!(byte & 0x80u) || c->bad) return value;
  }
}

int64_t dbg_take_sleb(struct dbg_cursor *c) {
  uint64_t value = 0, byte;
  unsigned shift = 0;
  do {
    byte = dbg_take(c, 1);
    if (shift < 64) {
      value |= (byte & 0x7fu) << shift;
      shift += 7;
    }
  } while ((byte & 0x80u) && !c->bad);
  if (shift < 64 && (byte & 0x40u)) value |= UINT64_MAX << shift;
  return (int64_t)value;
}

const char *dbg_take_string(struct dbg_cursor *c) {
  const char *text = dbg_string(c->bytes, c->at);
  size_t length = strlen(text);
  if (!length && c->at < c->bytes.size) { /* empty, or not to be shown: skipped in its whole length */
    const uint8_t *from = c->bytes.data + c->at, *zero = memchr(from, 0, c->bytes.size - c->at);
    if (zero) length = (size_t)(zero - from);
  }
  dbg_skip(c, length + 1);
  return text;
}

/* --- forms --- */

enum {
  FORM_ADDR = 0x01,
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4 = 0x04,
  FORM_DATA2 = 0x05,
  FORM_DATA4 = 0x06,
  FORM_DATA8 = 0x07,
  FORM_STRING = 0x08,
  FORM_BLOCK = 0x09,
  FORM_BLOCK1 = 0x0a,
  FORM_DATA1 = 0x0b,
  FORM_FLAG = 0x0c,
  FORM_SDATA = 0x0d,
  FORM_STRP = 0x0e,
  FORM_UDATA = 0x0f,
  FORM_REF_ADDR = 0x10,
  FORM_REF1 = 0x11,
  FORM_REF2 = 0x12,
  FORM_REF4 = 0x13,
  FORM_REF8 = 0x14,
  FORM_REF_UDATA = 0x15,
  FORM_INDIRECT = 0x16,
  FORM_SEC_OFFSET = 0x17,
  FORM_EXPRLOC = 0x18,
  FORM_FLAG_PRESENT = 0x19,
  FORM_STRX = 0x1a,
  FORM_ADDRX = 0x1b,
  FORM_REF_SUP4 = 0x1c,
  FORM_STRP_SUP = 0x1d,
  FORM_DATA16 = 0x1e,
  FORM_LINE_STRP = 0x1f,
  FORM_REF_SIG8 = 0x20,
  FORM_IMPLICIT_CONST = 0x21,
  FORM_LOCLISTX = 0x22,
  FORM_RNGLISTX = 0x23,
  FORM_REF_SUP8 = 0x24,
  FORM_STRX1 = 0x25,
  FORM_STRX2 = 0x26,
  FORM_STRX3 = 0x27,
  FORM_STRX4 = 0x28,
  FORM_ADDRX1 = 0x29,
  FORM_ADDRX2 = 0x2a,
  FORM_ADDRX3 = 0x2b,
  FORM_ADDRX4 = 0x2c,
};

static struct dbg_value number(uint64_t value) {
  return (struct dbg_value){.class = DBG_CLASS_NUMBER, .number = value > UINT32_MAX ? UINT32_MAX : (uint32_t)value};
}
static struct dbg_value text(const char *value) { return (struct dbg_value){.class = DBG_CLASS_STRING, .text = value}; }
static struct dbg_value address(uint32_t value) { return (struct dbg_value){.class = DBG_CLASS_ADDRESS, .number = value}; }
static struct dbg_value reference(const struct dbg_unit *u, uint64_t offset) {
  bool inside = offset < u->end - u->at;
  return (struct dbg_value){.class = inside ? DBG_CLASS_REFERENCE : DBG_CLASS_NONE,
                            .number = inside ? (uint32_t)(u->at + offset) : 0};
}
static struct dbg_value nothing(struct dbg_cursor *c, uint64_t bytes) {
  dbg_skip(c, bytes);
  return (struct dbg_value){0};
}

static uint32_t entry_of(struct dbg_bytes table, uint32_t base, uint64_t index) {
  uint64_t at = base + 4 * (index & UINT32_MAX);
  return at < table.size ? dbg_u32(table, (size_t)at) : 0;
}
/* A long name costs as many reads as an entry with many attributes. */
#define NAME_BYTES_PER_READ 32u
static struct dbg_value text_at(const struct dbg_dwarf *d, struct dbg_cursor *c, struct dbg_bytes names, uint32_t at) {
  const size_t room = at < names.size ? names.size - at : 0, most = room < DBG_NAME_MAX ? room : DBG_NAME_MAX;
  const uint8_t *zero = most ? memchr(names.data + at, 0, most) : NULL;
  const size_t length = zero ? (size_t)(zero - names.data) - at : most;
  if (!dbg_spend(d->work, DBG_LIMIT_ENTRIES, length / NAME_BYTES_PER_READ)) c->bad = true;
  return text(c->bad ? "" : dbg_string(names, at));
}
static struct dbg_value text_here(const struct dbg_dwarf *d, struct dbg_cursor *c) {
  const size_t from = c->at;
  const char *found = dbg_take_string(c);
  if (!dbg_spend(d->work, DBG_LIMIT_ENTRIES, (c->at - from) / NAME_BYTES_PER_READ)) c->bad = true;
  return text(found);
}
static struct dbg_value indexed_text(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_cursor *c,
                                     uint64_t index) {
  return text_at(d, c, d->str, entry_of(d->str_offsets, u->str_offsets_base, index));
}
static struct dbg_value indexed_address(const struct dbg_dwarf *d, const struct dbg_unit *u, uint64_t index) {
  return address(entry_of(d->addr, u->addr_base, index));
}

static struct dbg_value take_block(struct dbg_cursor *c, uint32_t form) {
  switch (form) {
    case FORM_BLOCK1: return nothing(c, dbg_take(c, 1));
    case FORM_BLOCK2: return nothing(c, dbg_take(c, 2));
    case FORM_BLOCK4: return nothing(c, dbg_take(c, 4));
    default: return nothing(c, dbg_take_uleb(c));
  }
}

static struct dbg_value take_reference(const struct dbg_unit *u, struct dbg_cursor *c, uint32_t form) {
  switch (form) {
    case FORM_REF1: return reference(u, dbg_take(c, 1));
    case FORM_REF2: return reference(u, dbg_take(c, 2));
    case FORM_REF4: return reference(u, dbg_take(c, 4));
    case FORM_REF8: return reference(u, dbg_take(c, 8));
    case FORM_REF_UDATA: return reference(u, dbg_take_uleb(c));
    default: return (struct dbg_value){.class = DBG_CLASS_REFERENCE, .number = dbg_take(c, 4)};
  }
}

static struct dbg_value take_number(struct dbg_cursor *c, uint32_t form) {
  switch (form) {
    case FORM_FLAG:
    case FORM_DATA1: return number(dbg_take(c, 1));
    case FORM_DATA2: return number(dbg_take(c, 2));
    case FORM_SEC_OFFSET:
    case FORM_DATA4: return number(dbg_take(c, 4));
    case FORM_DATA8: return number(dbg_take(c, 8));
    case FORM_SDATA: return number((uint64_t)dbg_take_sleb(c));
    default: return number(dbg_take_uleb(c));
  }
}

struct dbg_value dbg_take_form(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_cursor *c, uint32_t form,
                               int64_t implicit) {
  if (form == FORM_INDIRECT) form = (uint32_t)dbg_take_uleb(c); /* a second indirect form is unknown */
  switch (form) {
    case FORM_ADDR: return address(dbg_take(c, 4));
    case FORM_BLOCK1:
    case FORM_BLOCK2:
    case FORM_BLOCK4:
    case FORM_BLOCK:
    case FORM_EXPRLOC: return take_block(c, form);
    case FORM_FLAG:
    case FORM_DATA1:
    case FORM_DATA2:
    case FORM_DATA4:
    case FORM_DATA8:
    case FORM_SDATA:
    case FORM_UDATA:
    case FORM_SEC_OFFSET: return take_number(c, form);
    case FORM_REF1:
    case FORM_REF2:
    case FORM_REF4:
    case FORM_REF8:
    case FORM_REF_UDATA:
    case FORM_REF_ADDR: return take_reference(u, c, form);
    case FORM_STRING: return text_here(d, c);
    case FORM_STRP: return text_at(d, c, d->str, dbg_take(c, 4));
    case FORM_LINE_STRP: return text_at(d, c, d->line_str, dbg_take(c, 4));
    case FORM_STRX: return indexed_text(d, u, c, dbg_take_uleb(c));
    case FORM_STRX1: return indexed_text(d, u, c, dbg_take(c, 1));
    case FORM_STRX2: return indexed_text(d, u, c, dbg_take(c, 2));
    case FORM_STRX3: return indexed_text(d, u, c, dbg_take(c, 3));
    case FORM_STRX4: return indexed_text(d, u, c, dbg_take(c, 4));
    case FORM_ADDRX: return indexed_address(d, u, dbg_take_uleb(c));
    case FORM_ADDRX1: return indexed_address(d, u, dbg_take(c, 1));
    case FORM_ADDRX2: return indexed_address(d, u, dbg_take(c, 2));
    case FORM_ADDRX3: return indexed_address(d, u, dbg_take(c, 3));
    case FORM_ADDRX4: return indexed_address(d, u, dbg_take(c, 4));
    case FORM_FLAG_PRESENT: return number(1);
    case FORM_IMPLICIT_CONST: return number((uint64_t)implicit);
    case FORM_RNGLISTX: return (struct dbg_value){.class = DBG_CLASS_RANGE_INDEX, .number = (uint32_t)dbg_take_uleb(c)};
    case FORM_LOCLISTX: dbg_take_uleb(c); return (struct dbg_value){0};
    case FORM_REF_SUP4:
    case FORM_STRP_SUP: return nothing(c, 4);
    case FORM_REF_SIG8:
    case FORM_REF_SUP8: return nothing(c, 8);
    case FORM_DATA16: return nothing(c, 16);
    default: c->bad = true; return (struct dbg_value){0};
  }
}

/* --- abbreviations --- */

static void select_table(struct dbg_abbrevs *cache, uint32_t at) {
  if (cache->table == at + 1) return;
  memset(cache->at, 0, cache->end * sizeof cache->at[0]);
  cache->table = at + 1;
  cache->next = at;
  cache->end = 0;
}

static void skip_declaration(const struct dbg_dwarf *d, struct dbg_cursor *c) {
  dbg_take_uleb(c); /* tag */
  dbg_take(c, 1);   /* children */
  while (!c->bad) {
    uint64_t attribute = dbg_take_uleb(c), form = dbg_take_uleb(c);
    if (form == FORM_IMPLICIT_CONST) dbg_take_sleb(c);
    if (!attribute && !form) break;
    if (!dbg_spend(d->work, DBG_LIMIT_ENTRIES, 1)) c->bad = true;
  }
}

/* A cursor after the code of the declaration; bad when there is none. */
static struct dbg_cursor find_abbrev(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_abbrevs *cache,
                                     uint64_t code) {
  struct dbg_cursor c = {.bytes = d->abbrev, .at = u->abbrev_at, .bad = code >= DBG_ABBREVS_MAX};
  select_table(cache, u->abbrev_at);
  if (c.bad) dbg_spend(d->work, DBG_LIMIT_ABBREVS, DBG_ABBREVS_MAX);
  while (!c.bad && !cache->at[code] && cache->next != SIZE_MAX) {
    c.at = cache->next;
    uint64_t found = dbg_take_uleb(&c);
    if (found && found < DBG_ABBREVS_MAX && !cache->at[found] && !c.bad) cache->at[found] = (uint32_t)c.at;
    if (found < DBG_ABBREVS_MAX && found >= cache->end) cache->end = (uint32_t)found + 1;
    if (found) skip_declaration(d, &c);
    cache->next = found && !c.bad && dbg_spend(d->work, DBG_LIMIT_ENTRIES, 1) ? c.at : SIZE_MAX;
    c.bad = false; /* the declaration before the end of the table can be used */
  }
  if (!c.bad && cache->at[code]) c.at = cache->at[code];
  else c.bad = true;
  return c;
}

/* --- entries --- */

enum {
  AT_NAME = 0x03,
  AT_STMT_LIST = 0x10,
  AT_LOW_PC = 0x11,
  AT_HIGH_PC = 0x12,
  AT_LANGUAGE = 0x13,
  AT_COMP_DIR = 0x1b,
  AT_ABSTRACT_ORIGIN = 0x31,
  AT_DECL_FILE = 0x3a,
  AT_SPECIFICATION = 0x47,
  AT_ENTRY_PC = 0x52,
  AT_RANGES = 0x55,
  AT_CALL_FILE = 0x58,
  AT_CALL_LINE = 0x59,
  AT_LINKAGE_NAME = 0x6e,
  AT_STR_OFFSETS_BASE = 0x72,
  AT_ADDR_BASE = 0x73,
  AT_RNGLISTS_BASE = 0x74,
  AT_MIPS_LINKAGE_NAME = 0x2007,
};

/* The end of the code: an address, or a length from the start. */
static void set_high(struct dbg_die *die, struct dbg_value v, bool *relative) {
  die->has_high = v.class == DBG_CLASS_ADDRESS || v.class == DBG_CLASS_NUMBER;
  die->high = v.number;
  *relative = v.class == DBG_CLASS_NUMBER;
}

static void keep(struct dbg_die *die, uint64_t attribute, struct dbg_value v, bool *relative) {
  const bool string = v.class == DBG_CLASS_STRING, is_number = v.class == DBG_CLASS_NUMBER;
  switch (attribute) {
    case AT_NAME:
      if (string) die->name = v.text;
      break;
    case AT_LINKAGE_NAME:
    case AT_MIPS_LINKAGE_NAME:
      if (string) die->linkage = v.text;
      break;
    case AT_ABSTRACT_ORIGIN:
    case AT_SPECIFICATION:
      if (v.class == DBG_CLASS_REFERENCE) die->origin = v.number;
      break;
    case AT_LOW_PC:
      die->has_low = v.class == DBG_CLASS_ADDRESS;
      die->low = v.number;
      break;
    case AT_HIGH_PC: set_high(die, v, relative); break;
    case AT_ENTRY_PC:
      die->has_entry = v.class == DBG_CLASS_ADDRESS || is_number;
      die->entry_relative = is_number;
      die->entry = v.number;
      break;
    case AT_RANGES:
      die->has_ranges = is_number || v.class == DBG_CLASS_RANGE_INDEX;
      die->ranges_indexed = v.class == DBG_CLASS_RANGE_INDEX;
      die->ranges = v.number;
      break;
    case AT_DECL_FILE: die->decl_file = is_number ? v.number : 0; break;
    case AT_CALL_FILE: die->call_file = is_number ? v.number : 0; break;
    case AT_CALL_LINE: die->call_line = is_number ? v.number : 0; break;
    case AT_LANGUAGE: die->language = v; break;
    case AT_STMT_LIST: die->stmt_list = v; break;
    case AT_COMP_DIR: die->comp_dir = v; break;
    case AT_ADDR_BASE: die->addr_base = v; break;
    case AT_STR_OFFSETS_BASE: die->str_offsets_base = v; break;
    case AT_RNGLISTS_BASE: die->rnglists_base = v; break;
    default: break;
  }
}

bool dbg_die_read(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_abbrevs *abbrevs, size_t at,
                  struct dbg_die *die) {
  struct dbg_cursor c = {.bytes = d->info, .at = at};
  bool relative = false;
  memset(die, 0, sizeof *die);
  if (u->end > c.bytes.size || at < u->dies || at >= u->end) return false;
  c.bytes.size = u->end;
  die->at = at;
  uint64_t code = dbg_take_uleb(&c);
  die->next = c.at;
  if (code == 0) return !c.bad && dbg_spend(d->work, DBG_LIMIT_ENTRIES, 1);
  struct dbg_cursor a = find_abbrev(d, u, abbrevs, code);
  die->tag = (uint32_t)dbg_take_uleb(&a);
  die->children = dbg_take(&a, 1) != 0;
  while (!a.bad && !c.bad) {
    uint64_t attribute = dbg_take_uleb(&a), form = dbg_take_uleb(&a);
    int64_t implicit = form == FORM_IMPLICIT_CONST ? dbg_take_sleb(&a) : 0;
    if (!dbg_spend(d->work, DBG_LIMIT_ENTRIES, 1)) return false;
    if (!attribute && !form) break;
    keep(die, attribute, dbg_take_form(d, u, &c, form > UINT32_MAX ? 0 : (uint32_t)form, implicit), &relative);
  }
  if (relative) die->high += die->low;
  die->next = c.at;
  return !a.bad && !c.bad && die->tag != 0;
}

/* --- units --- */

void dbg_dwarf_open(struct dbg_dwarf *d, const struct dbg_elf *elf, struct dbg_work *work) {
  *d = (struct dbg_dwarf){.elf = elf,
                          .work = work,
                          .info = dbg_elf_section(elf, ".debug_info"),
                          .abbrev = dbg_elf_section(elf, ".debug_abbrev"),
                          .str = dbg_elf_section(elf, ".debug_str"),
                          .line_str = dbg_elf_section(elf, ".debug_line_str"),
                          .line = dbg_elf_section(elf, ".debug_line"),
                          .ranges = dbg_elf_section(elf, ".debug_ranges"),
                          .rnglists = dbg_elf_section(elf, ".debug_rnglists"),
                          .addr = dbg_elf_section(elf, ".debug_addr"),
                          .str_offsets = dbg_elf_section(elf, ".debug_str_offsets")};
}

/* DW_UT_compile, DW_UT_partial, DW_UT_skeleton; the others describe no code here. */
static bool header_of_version_5(struct dbg_cursor *c, struct dbg_unit *u) {
  u->type = dbg_take(c, 1);
  uint32_t address_bytes = dbg_take(c, 1);
  u->abbrev_at = dbg_take(c, 4);
  if (u->type == 4) dbg_skip(c, 8);
  return address_bytes == 4 && (u->type == 1 || u->type == 3 || u->type == 4);
}

static uint32_t base_of(struct dbg_value v) { return v.class == DBG_CLASS_NUMBER ? v.number : 8; }

/* Reads the unit's root entry. Its strings may be indexed through a base in the same entry, so it is read twice. */
void dbg_unit_root(const struct dbg_dwarf *d, struct dbg_unit *u, struct dbg_abbrevs *abbrevs) {
  struct dbg_die root;
  if (u->dies == u->end) return;
  for (unsigned pass = 0; pass < 2; pass++) {
    if (!dbg_die_read(d, u, abbrevs, u->dies, &root)) return;
    u->addr_base = base_of(root.addr_base);
    u->str_offsets_base = base_of(root.str_offsets_base);
    u->rnglists_base = base_of(root.rnglists_base);
  }
  u->language = root.language.class == DBG_CLASS_NUMBER ? root.language.number : 0;
  u->low = root.has_low ? root.low : 0;
  u->comp_dir = root.comp_dir.class == DBG_CLASS_STRING ? root.comp_dir.text : NULL;
  if (root.stmt_list.class == DBG_CLASS_NUMBER) u->line_at = root.stmt_list.number;
}

bool dbg_unit_header(const struct dbg_dwarf *d, size_t at, struct dbg_unit *unit) {
  struct dbg_cursor c = {.bytes = d->info, .at = at};
  memset(unit, 0, sizeof *unit);
  uint32_t length = dbg_take(&c, 4);
  if (c.bad || length >= 0xfffffff0u || length > d->info.size - c.at) return false;
  if (!dbg_spend(d->work, DBG_LIMIT_ENTRIES, 1)) return false;
  unit->at = at;
  unit->end = unit->dies = c.at + length;
  unit->line_at = SIZE_MAX;
  unit->version = dbg_take(&c, 2);
  if (unit->version < 2 || unit->version > 5) return true;
  if (unit->version == 5) {
    if (!header_of_version_5(&c, unit)) return true;
  } else {
    unit->abbrev_at = dbg_take(&c, 4);
    if (dbg_take(&c, 1) != 4) return true;
  }
  if (c.bad || c.at > unit->end) return true;
  unit->dies = c.at;
  return true;
}

bool dbg_unit_read(const struct dbg_dwarf *d, size_t at, struct dbg_unit *unit, struct dbg_abbrevs *abbrevs) {
  if (!dbg_unit_header(d, at, unit)) return false;
  dbg_unit_root(d, unit, abbrevs);
  return true;
}
