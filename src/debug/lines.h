/* DWARF line tables. */
#ifndef TESSERA_DEBUG_LINES_H
#define TESSERA_DEBUG_LINES_H

#include "debug/dwarf.h"

bool dbg_line_unit_read(const struct dbg_dwarf *d, size_t at, struct dbg_line_unit *u);
bool dbg_line_run(const struct dbg_line_unit *u, dbg_line_fn *fn, void *context);
/* false: the table has no such file. `comp_dir` may be NULL. */
bool dbg_line_path(const struct dbg_line_unit *u, uint32_t file, const char *comp_dir, struct dbg_path *out);

#endif
