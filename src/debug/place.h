/* The place of an address in a program: the function of the symbol table, and the line of the innermost frame outside
 * the kernel library (frames.h). Read in place, on demand and without memory of its own. */
#ifndef TESSERA_DEBUG_PLACE_H
#define TESSERA_DEBUG_PLACE_H

#include "debug/elf.h"

struct dbg_place {
  const char *function; /* NULL: no symbol covers the address */
  uint32_t offset;      /* from the start of the function */
  const char *file;     /* NULL: no line information */
  uint32_t line;
  const char *call; /* the inlined library function that contains the address; NULL: none */
  bool library;     /* every frame of the chain belongs to the library */
};

/* The place of `address`. The strings are inside the file's buffer. */
void dbg_place_find(const struct dbg_elf *elf, uint32_t address, struct dbg_place *out);
/* "main+0x14 (kernel.c:31, in cb_wait_front)", "main+0x14 (kernel.c:31)", "main+0x14", "kernel.c:31" or "" when nothing is known.
 * Returns the length, as snprintf does. */
int dbg_place_words(const struct dbg_elf *elf, uint32_t address, char *text, size_t size);

#endif
