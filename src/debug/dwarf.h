/* Shared by the DWARF readers of debug/: a bounded cursor, attribute values, units, line tables.
 *
 * Nothing in the sections is trusted. A read past the end returns 0 and marks the cursor bad; every loop consumes bytes of a
 * section and spends of the limits of limits.h. 32-bit DWARF versions 2 to 5. */
#ifndef TESSERA_DEBUG_DWARF_H
#define TESSERA_DEBUG_DWARF_H

#include "debug/elf.h"
#include "debug/limits.h"

/* --- cursor --- */

struct dbg_cursor {
  struct dbg_bytes bytes;
  size_t at;
  bool bad;
};

uint32_t dbg_take(struct dbg_cursor *c, unsigned size); /* little-endian; of more than 4 bytes the low 4 */
void dbg_skip(struct dbg_cursor *c, uint64_t size);
uint64_t dbg_take_uleb(struct dbg_cursor *c); /* bits beyond 64 are discarded */
int64_t dbg_take_sleb(struct dbg_cursor *c);
const char *dbg_take_string(struct dbg_cursor *c);

/* --- sections and units --- */

struct dbg_dwarf {
  const struct dbg_elf *elf;
  struct dbg_bytes info, abbrev, str, line_str, line, ranges, rnglists, addr, str_offsets;
  struct dbg_work *work; /* what the reads have used up */
};

/* A unit of .debug_info. */
struct dbg_unit {
  size_t at, dies, end; /* offsets of the header, of the first DIE, of the end */
  uint32_t version, type, abbrev_at;
  uint32_t language;
  uint32_t low; /* base of its range lists */
  uint32_t addr_base, str_offsets_base, rnglists_base;
  const char *comp_dir; /* NULL: none */
  size_t line_at;       /* SIZE_MAX: none */
};

/* The offset at which each abbreviation of a unit is declared, by its code; 0: not read so far. The table is read once, as far as its
 * codes are used. */
struct dbg_abbrevs {
  uint32_t table; /* offset + 1 of the table that is cached */
  size_t next;    /* the first declaration that is not read; SIZE_MAX: all are */
  uint32_t end;   /* 1 + the highest code read */
  uint32_t at[DBG_ABBREVS_MAX];
};

enum dbg_class {
  DBG_CLASS_NONE,
  DBG_CLASS_ADDRESS,
  DBG_CLASS_NUMBER,
  DBG_CLASS_STRING,
  DBG_CLASS_REFERENCE, /* offset in .debug_info */
  DBG_CLASS_RANGE_INDEX,
};

struct dbg_value {
  enum dbg_class class;
  uint32_t number;
  const char *text;
};

void dbg_dwarf_open(struct dbg_dwarf *d, const struct dbg_elf *elf, struct dbg_work *work);
/* Extent and abbreviations of the unit whose header is at `at`. false: the section ends here or is damaged, or a limit is reached. A unit
 * of an unknown version has dies == end. */
bool dbg_unit_header(const struct dbg_dwarf *d, size_t at, struct dbg_unit *unit);
/* The rest, from its root entry. */
void dbg_unit_root(const struct dbg_dwarf *d, struct dbg_unit *unit, struct dbg_abbrevs *abbrevs);
/* Both. */
bool dbg_unit_read(const struct dbg_dwarf *d, size_t at, struct dbg_unit *unit, struct dbg_abbrevs *abbrevs);
/* Reads the value of a form. An unknown form makes the cursor bad. */
struct dbg_value dbg_take_form(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_cursor *c, uint32_t form,
                               int64_t implicit);

/* --- entries --- */

/* The attributes of a DIE that source positions need. */
struct dbg_die {
  size_t at, next; /* its offset, and that of the DIE after it */
  uint32_t tag;    /* 0: the end of a list of children */
  bool children;
  const char *name, *linkage;
  size_t origin; /* abstract_origin or specification, 0: none */
  bool has_low, has_high, has_ranges, ranges_indexed;
  bool has_entry, entry_relative; /* relative: to its first range */
  uint32_t low, high, entry;
  uint32_t ranges;
  uint32_t call_file, call_line, decl_file;
  struct dbg_value language, stmt_list, comp_dir, addr_base, str_offsets_base, rnglists_base;
};

enum { DBG_TAG_COMPILE_UNIT = 0x11, DBG_TAG_INLINED = 0x1d, DBG_TAG_SUBPROGRAM = 0x2e, DBG_TAG_PARTIAL_UNIT = 0x3c };

/* false: the unit is damaged here. */
bool dbg_die_read(const struct dbg_dwarf *d, const struct dbg_unit *u, struct dbg_abbrevs *abbrevs, size_t at,
                  struct dbg_die *die);

/* --- line tables --- */

/* Parts of a path as stored in the table; "" for a missing part. */
struct dbg_path {
  const char *base, *directory, *file;
};

struct dbg_line_unit {
  const struct dbg_dwarf *dwarf;
  struct dbg_cursor program;
  size_t files_at; /* in .debug_line */
  size_t at, end;
  uint32_t version, address_bytes, min_instruction, line_range, opcode_base;
  bool statements; /* the first rows of a sequence begin statements (default_is_stmt) */
  int32_t line_base;
  uint8_t operands[256];
};

struct dbg_line_row {
  uint32_t address, file, line;
  bool statement; /* is_stmt: the instruction begins a statement; else it is another part of it, or was moved */
};

/* Runs the unit's line number program. Each pair of rows that covers addresses [row->address, end) goes to `fn`; it returns true
 * to stop. */
typedef bool dbg_line_fn(void *context, const struct dbg_line_row *row, uint32_t end);

#endif
