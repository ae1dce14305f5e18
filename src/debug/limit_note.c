/* The note of limit_note.h. */
#include "debug/limit_note.h"

#include <stdio.h>
#include <string.h>

#include "debug/frames.h"
#include "debug/symbols.h"

static bool has_long_name(struct dbg_bytes names) {
  for (size_t at = 0; at < names.size;) {
    const uint8_t *zero = memchr(names.data + at, 0, names.size - at);
    if (!zero) return names.size - at > DBG_NAME_MAX;
    if ((size_t)(zero - names.data) - at > DBG_NAME_MAX) return true;
    at = (size_t)(zero - names.data) + 1;
  }
  return false;
}

bool dbg_limit_note(const struct dbg_elf *elf, char *text, size_t size) {
  struct dbg_work work = {.used = {0}};
  if (elf->sections_over) return snprintf(text, size, "more than %u sections", DBG_SECTIONS_MAX), true;
  if (dbg_symbol_count(elf) > DBG_SYMBOLS_MAX) return snprintf(text, size, "more than %u symbols", DBG_SYMBOLS_MAX), true;
  dbg_index_measure(elf, &work);
  if (dbg_work_words(&work, text, size)) return true;
  if (has_long_name(dbg_elf_linked_section(elf, ".symtab")) || has_long_name(dbg_elf_section(elf, ".debug_str")) ||
      has_long_name(dbg_elf_section(elf, ".debug_line_str")))
    return snprintf(text, size, "a name of more than %u bytes", DBG_NAME_MAX), true;
  return false;
}
