/* Symbols of symbols.h. */
#include "debug/symbols.h"

#include <string.h>

#define SYMBOL_BYTES 16u /* an Elf32_Sym */
#define STT_NOTYPE 0u
#define STT_OBJECT 1u
#define STT_FUNC 2u
#define SHN_UNDEF 0u
#define SHN_ABS 0xfff1u

struct symbol {
  const char *name;
  uint32_t value, size;
  unsigned type, section;
};

static struct symbol read_symbol(struct dbg_bytes table, struct dbg_bytes names, size_t i) {
  size_t at = i * SYMBOL_BYTES;
  return (struct symbol){.name = dbg_string(names, dbg_u32(table, at)),
                         .value = dbg_u32(table, at + 4),
                         .size = dbg_u32(table, at + 8),
                         .type = dbg_u8(table, at + 12) & 15u,
                         .section = dbg_u16(table, at + 14)};
}

/* The rank of a symbol for an address: first a function that covers it, then the nearest label below it. Local labels of
 * compiler and assembler begin with '.', '$' or '_' and digits; mapping symbols with '$'. */
static int fit(const struct symbol *s, uint32_t address) {
  if (!s->name[0] || s->name[0] == '.' || s->name[0] == '$' || s->section == SHN_UNDEF || s->section == SHN_ABS) return 0;
  if (address < s->value) return 0;
  if (s->type == STT_FUNC && s->size && address - s->value < s->size) return 3;
  if (s->type == STT_FUNC && !s->size) return 2;
  return s->type == STT_NOTYPE ? 1 : 0;
}

static const char *find_function(const struct dbg_elf *elf, uint32_t address, uint32_t *offset) {
  struct dbg_bytes table = dbg_elf_section(elf, ".symtab"), names = dbg_elf_linked_section(elf, ".symtab");
  struct symbol best = {0};
  int best_fit = 0;
  for (size_t i = 0; i < table.size / SYMBOL_BYTES; i++) {
    struct symbol s = read_symbol(table, names, i);
    int f = fit(&s, address);
    if (f == 0 || f < best_fit || (f == best_fit && s.value <= best.value && best.name)) continue;
    best = s;
    best_fit = f;
  }
  if (best.name) *offset = address - best.value;
  return best.name;
}

const char *dbg_symbol_at(const struct dbg_elf *elf, uint32_t address, uint32_t *offset) {
  *offset = 0;
  return dbg_elf_executes(elf, address) ? find_function(elf, address, offset) : NULL;
}

bool dbg_symbol_find(const struct dbg_elf *elf, const char *name, uint32_t *address) {
  struct dbg_bytes table = dbg_elf_section(elf, ".symtab"), names = dbg_elf_linked_section(elf, ".symtab");
  if (!name[0]) return false;
  for (size_t i = 0; i < table.size / SYMBOL_BYTES; i++) {
    struct symbol s = read_symbol(table, names, i);
    if (s.section == SHN_UNDEF || strcmp(s.name, name) != 0) continue;
    *address = s.value;
    return true;
  }
  return false;
}

/* "checksum.constprop.0" is a copy of "checksum" that the compiler made; "checksum.cold" is a part of it. */
static bool is_copy(const char *symbol, const char *name) {
  size_t length = strlen(name);
  return strncmp(symbol, name, length) == 0 && symbol[length] == '.' && !strstr(symbol + length, ".cold");
}

bool dbg_symbol_find_copy(const struct dbg_elf *elf, const char *name, uint32_t *address) {
  struct dbg_bytes table = dbg_elf_section(elf, ".symtab"), names = dbg_elf_linked_section(elf, ".symtab");
  for (size_t i = 0; name[0] && i < table.size / SYMBOL_BYTES; i++) {
    struct symbol s = read_symbol(table, names, i);
    if (s.section == SHN_UNDEF || !is_copy(s.name, name)) continue;
    *address = s.value;
    return true;
  }
  return false;
}

const char *dbg_object_find(const struct dbg_elf *elf, uint32_t address) {
  struct dbg_bytes table = dbg_elf_section(elf, ".symtab"), names = dbg_elf_linked_section(elf, ".symtab");
  for (size_t i = 0; i < table.size / SYMBOL_BYTES; i++) {
    struct symbol s = read_symbol(table, names, i);
    if (s.type == STT_OBJECT && s.section != SHN_UNDEF && s.name[0] && address - s.value < s.size) return s.name;
  }
  return NULL;
}
