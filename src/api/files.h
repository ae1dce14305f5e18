/* Executables that tiles hold: the tiles of a chip mostly run the same ones, and each is kept once. A pool belongs to a chip, or to a tile that is
 * alone; it is a list without an order, as there are few distinct executables. */
#ifndef TESSERA_API_FILES_H
#define TESSERA_API_FILES_H

#include <stddef.h>
#include <stdint.h>

#include "debug/frames.h"

struct api_file_pool {
  struct api_file *first;
};

struct api_file {
  struct api_file_pool *pool;
  struct api_file *next;
  unsigned holders; /* cores with this executable */
  size_t size;
  uint8_t *bytes;         /* with names that can be shown (dbg_elf_clean_names) */
  struct dbg_elf elf;     /* of `bytes`, for the index; not open: it is refused */
  struct dbg_lines lines; /* read at the first profile, coverage or verdict */
  uint8_t *given;         /* as the caller gave it: to find it again; `bytes` if no name was changed */
};

/* A copy of the executable, shared by the cores that hold the same one; NULL: out of memory. */
struct api_file *api_file_hold(struct api_file_pool *pool, const void *file, size_t size);
void api_file_drop(struct api_file *file); /* NULL: nothing */

#endif
