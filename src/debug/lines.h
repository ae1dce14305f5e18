/* DWARF line tables. */
#ifndef TESSERA_DEBUG_LINES_H
#define TESSERA_DEBUG_LINES_H

#include "debug/dwarf.h"

bool dbg_line_unit_read(const struct dbg_dwarf *d, size_t at, struct dbg_line_unit *u);
bool dbg_line_run(const struct dbg_line_unit *u, dbg_line_fn *fn, void *context);
/* The same for every row that begins a statement, also one that covers no address: the next row has its instruction. */
bool dbg_line_statements(const struct dbg_line_unit *u, dbg_line_fn *fn, void *context);
/* false: the table has no such file. `comp_dir` may be NULL. */
bool dbg_line_path(const struct dbg_line_unit *u, uint32_t file, const char *comp_dir, struct dbg_path *out);

/* The same with the paths of the first files kept: each lookup reads the table from its start. Zero: none is known. */
#define DBG_FILES_KEPT 128u
struct dbg_files {
  struct dbg_path path[DBG_FILES_KEPT];
  uint8_t known[DBG_FILES_KEPT]; /* 1: found, 2: no such file */
};
bool dbg_files_path(struct dbg_files *files, const struct dbg_line_unit *u, uint32_t file, const char *comp_dir,
                    struct dbg_path *out);

#endif
