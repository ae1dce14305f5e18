/* Symbols of symbols.h. */
#include "debug/symbols.h"

#include <stdio.h>
#include <string.h>

#include "debug/demangle.h"
#include "debug/frames.h"

#define SYMBOL_BYTES 16u /* an Elf32_Sym */
#define STT_NOTYPE 0u
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

/* How well a symbol names an address: a function that covers it, then the nearest label below it. Labels that the compiler and
 * the assembler make for themselves begin with '.', '$' or '_' and digits; mapping symbols with '$'. */
static int fit(const struct symbol *s, uint32_t address) {
  if (!s->name[0] || s->name[0] == '.' || s->name[0] == '$' || s->section == SHN_UNDEF || s->section == SHN_ABS) return 0;
  if (address < s->value) return 0;
  if (s->type == STT_FUNC && s->size && address - s->value < s->size) return 3;
  if (s->type == STT_FUNC && !s->size) return 2;
  return s->type == STT_NOTYPE ? 1 : 0;
}

static void find_function(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out) {
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
  out->function = best.name;
  out->offset = best.name ? address - best.value : 0;
}

/* Only what a segment of the program covers has a name. */
static bool in_program(const struct dbg_elf *elf, uint32_t address) {
  struct dbg_segment s;
  for (unsigned i = 0; dbg_elf_segment(elf, i, &s); i++)
    if (s.executable && address - s.run_address < s.memory_size) return true;
  return false;
}

void dbg_place_symbol(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out) {
  memset(out, 0, sizeof *out);
  if (in_program(elf, address)) find_function(elf, address, out);
}

void dbg_place_find(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out) {
  struct dbg_frame frames[DBG_FRAMES_MAX];
  dbg_place_symbol(elf, address, out);
  if (!in_program(elf, address)) return;
  unsigned count = dbg_frames_find(elf, address, frames, DBG_FRAMES_MAX), user = dbg_frames_user(frames, count);
  if (count == 0) return;
  const struct dbg_frame *shown = &frames[user < count ? user : 0];
  out->file = dbg_path_base(&shown->path);
  out->line = shown->line;
  out->library = user == count && shown->path.file && dbg_path_is_library(&shown->path);
  if (user == count || user == 0) return;
  out->call = frames[user - 1].function;
}

int dbg_place_words(const struct dbg_elf *elf, uint32_t address, char *text, size_t size) {
  struct dbg_place p;
  char function[256] = "", call[256] = "";
  dbg_place_find(elf, address, &p);
  if (size) text[0] = '\0';
  if (p.function) dbg_readable_name(p.function, function, sizeof function);
  if (p.call) dbg_readable_name(p.call, call, sizeof call);
  if (p.function && p.file && p.call)
    return snprintf(text, size, "%s+0x%x (%s:%u, in %s)", function, p.offset, p.file, p.line, call);
  if (p.function && p.file) return snprintf(text, size, "%s+0x%x (%s:%u)", function, p.offset, p.file, p.line);
  if (p.function) return snprintf(text, size, "%s+0x%x", function, p.offset);
  if (p.file) return snprintf(text, size, "%s:%u", p.file, p.line);
  return 0;
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
