/* Symbols of symbols.h. */
#include "debug/symbols.h"

#include <string.h>

#include "debug/demangle.h"
#include "debug/limits.h"

#define SYMBOL_BYTES 16u /* an Elf32_Sym */
#define STT_NOTYPE 0u
#define STT_OBJECT 1u
#define STT_FUNC 2u
#define SHN_UNDEF 0u
#define SHN_ABS 0xfff1u

/* Bytes of names that one lookup reads: a hostile table has a long name, or one that cannot be shown, for every symbol. */
#define NAME_BYTES_MAX (1u << 20)

struct table {
  struct dbg_bytes symbols, names;
  size_t count;
  size_t bytes_left;
};

struct symbol {
  uint32_t name, value, size; /* name: its offset */
  unsigned type, section;
};

size_t dbg_symbol_count(const struct dbg_elf *elf) { return dbg_elf_section(elf, ".symtab").size / SYMBOL_BYTES; }

static struct table open_table(const struct dbg_elf *elf) {
  struct table t = {.symbols = dbg_elf_section(elf, ".symtab"),
                    .names = dbg_elf_linked_section(elf, ".symtab"),
                    .bytes_left = NAME_BYTES_MAX};
  t.count = t.symbols.size / SYMBOL_BYTES;
  if (t.count > DBG_SYMBOLS_MAX) t.count = DBG_SYMBOLS_MAX;
  return t;
}

static struct symbol read_symbol(const struct table *t, size_t i) {
  size_t at = i * SYMBOL_BYTES;
  return (struct symbol){.name = dbg_u32(t->symbols, at),
                         .value = dbg_u32(t->symbols, at + 4),
                         .size = dbg_u32(t->symbols, at + 8),
                         .type = dbg_u8(t->symbols, at + 12) & 15u,
                         .section = dbg_u16(t->symbols, at + 14)};
}

/* Reads a name only for a symbol that is wanted; "": it has none, or one that cannot be shown. */
static const char *name_of(struct table *t, const struct symbol *s) {
  if (s->name >= t->names.size) return "";
  const size_t room = t->names.size - s->name, most = t->bytes_left < room ? t->bytes_left : room;
  const uint8_t *from = t->names.data + s->name, *zero = memchr(from, 0, most);
  t->bytes_left -= zero ? (size_t)(zero - from) : most;
  return zero ? dbg_string(t->names, s->name) : "";
}

/* The rank of a symbol for an address: first a function that covers it, then the nearest label below it. Local labels of
 * compiler and assembler begin with '.', '$' or '_' and digits; mapping symbols with '$'. */
static int fit(const struct table *t, const struct symbol *s, uint32_t address) {
  if (address < s->value || s->section == SHN_UNDEF || s->section == SHN_ABS) return 0;
  const uint8_t first = dbg_u8(t->names, s->name);
  if (!first || first == '.' || first == '$') return 0;
  if (s->type == STT_FUNC && s->size && address - s->value < s->size) return 3;
  if (s->type == STT_FUNC && !s->size) return 2;
  return s->type == STT_NOTYPE ? 1 : 0;
}

static const char *find_function(const struct dbg_elf *elf, uint32_t address, uint32_t *offset) {
  struct table t = open_table(elf);
  const char *best = NULL;
  uint32_t best_value = 0;
  int best_fit = 0;
  for (size_t i = 0; i < t.count; i++) {
    struct symbol s = read_symbol(&t, i);
    int f = fit(&t, &s, address);
    if (f == 0 || f < best_fit || (f == best_fit && s.value <= best_value && best)) continue;
    const char *name = name_of(&t, &s);
    if (!name[0]) continue;
    best = name;
    best_value = s.value;
    best_fit = f;
  }
  if (best) *offset = address - best_value;
  return best;
}

const char *dbg_symbol_at(const struct dbg_elf *elf, uint32_t address, uint32_t *offset) {
  *offset = 0;
  return dbg_elf_executes(elf, address) ? find_function(elf, address, offset) : NULL;
}

bool dbg_symbol_find(const struct dbg_elf *elf, const char *name, uint32_t *address) {
  const struct table t = open_table(elf);
  const size_t length = strlen(name);
  for (size_t i = 0; length && i < t.count; i++) {
    struct symbol s = read_symbol(&t, i);
    if (s.section == SHN_UNDEF || !dbg_is_string(t.names, s.name, name, length)) continue;
    *address = s.value;
    return true;
  }
  return false;
}

size_t dbg_last_part(const char *name, const char **from) {
  size_t length = 0, depth = 0;
  *from = name;
  for (const char *at = name; *at; at++) {
    if (*at == '<') depth++;
    else if (*at == '>' && depth) depth--;
    else if (*at == ':' && !depth) *from = at + 1, length = 0;
    else if (!depth) length++;
  }
  return length;
}

static bool has_part(const char *name, const char *part, size_t length) {
  for (const char *at = name; (at = strchr(at, part[0])) != NULL; at++)
    if (strncmp(at, part, length) == 0) return true;
  return false;
}

bool dbg_symbol_next_readable(const struct dbg_elf *elf, const char *name, size_t *at, uint32_t *address) {
  struct table t = open_table(elf);
  char readable[512];
  const char *part;
  const size_t length = dbg_last_part(name, &part);
  while (length && *at < t.count) {
    struct symbol s = read_symbol(&t, (*at)++);
    const char *mangled = s.section == SHN_UNDEF ? "" : name_of(&t, &s);
    if (!has_part(mangled, part, length) || !dbg_demangle(mangled, readable, sizeof readable)) continue;
    if (strcmp(readable, name) != 0) continue;
    *address = s.value;
    return true;
  }
  return false;
}

/* "checksum.constprop.0" is a copy of "checksum" that the compiler made; "checksum.cold" is a part of it. */
static bool is_copy(struct table *t, const struct symbol *s, const char *name, size_t length) {
  if (s->name >= t->names.size || t->names.size - s->name <= length) return false;
  const uint8_t *from = t->names.data + s->name;
  if (memcmp(from, name, length) != 0 || from[length] != '.') return false;
  const char *whole = name_of(t, s);
  return whole[0] && !strstr(whole + length, ".cold");
}

bool dbg_symbol_find_copy(const struct dbg_elf *elf, const char *name, uint32_t *address) {
  struct table t = open_table(elf);
  const size_t length = strlen(name);
  for (size_t i = 0; length && i < t.count; i++) {
    struct symbol s = read_symbol(&t, i);
    if (s.section == SHN_UNDEF || !is_copy(&t, &s, name, length)) continue;
    *address = s.value;
    return true;
  }
  return false;
}

const char *dbg_object_find(const struct dbg_elf *elf, uint32_t address) {
  struct table t = open_table(elf);
  for (size_t i = 0; i < t.count; i++) {
    struct symbol s = read_symbol(&t, i);
    if (s.type != STT_OBJECT || s.section == SHN_UNDEF || address - s.value >= s.size) continue;
    const char *name = name_of(&t, &s);
    if (name[0]) return name;
  }
  return NULL;
}
