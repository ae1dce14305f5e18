/* Names and source lines of addresses, from an executable's symbol table and its DWARF.
 *
 * Both are read in place, on demand and without memory of their own: questions are asked when a report is written, not in the run.
 * The line is the user's: that of the innermost frame outside the kernel library (frames.h). Follows the System V gABI (symbol
 * table). */
#ifndef TESSERA_DEBUG_SYMBOLS_H
#define TESSERA_DEBUG_SYMBOLS_H

#include "debug/elf.h"

struct dbg_place {
  const char *function; /* NULL: no symbol covers the address */
  uint32_t offset;      /* from the start of the function */
  const char *file;     /* NULL: no line information */
  uint32_t line;
  const char *call; /* the library function inlined there that holds the address; NULL: none */
  bool library;     /* the whole chain of calls is the library's */
};

/* What lies at `address`. The strings are inside the file's buffer. */
void dbg_place_find(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out);
/* Only what the symbol table knows. */
void dbg_place_symbol(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out);
/* "main+0x14 (kernel.c:31, in cb_wait_front)", "main+0x14 (kernel.c:31)", "main+0x14", "kernel.c:31" or "" when nothing is known.
 * Returns the length, as snprintf does. */
int dbg_place_words(const struct dbg_elf *elf, uint32_t address, char *text, size_t size);
/* The value of the symbol with this name. */
bool dbg_symbol_find(const struct dbg_elf *elf, const char *name, uint32_t *address);

/* The line of the innermost frame alone, from the line table. */
bool dbg_line_find(const struct dbg_elf *elf, uint32_t address, const char **file, uint32_t *line);

#endif
