/* Answers about an executable that is shared by several cores: the tiles of a chip ask the same questions about the same file, and each is
 * answered once per file. Any thread may ask. The owner of the file frees the answers with it. */
#ifndef TESSERA_DEBUG_KEPT_H
#define TESSERA_DEBUG_KEPT_H

#include "debug/frames.h"

/* dbg_frames_find, for any number of frames. */
unsigned dbg_kept_frames(const struct dbg_elf *elf, uint32_t address, struct dbg_frame frames[DBG_FRAMES_MAX]);
/* dbg_symbol_at without the offset. */
const char *dbg_kept_symbol(const struct dbg_elf *elf, uint32_t address);
void dbg_kept_free(struct dbg_lines *lines);

#endif
