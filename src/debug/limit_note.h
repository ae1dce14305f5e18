/* Which limit (limits.h) an executable exceeds: for a note when it is loaded. */
#ifndef TESSERA_DEBUG_LIMIT_NOTE_H
#define TESSERA_DEBUG_LIMIT_NOTE_H

#include "debug/elf.h"

/* "more than 4096 units in .debug_info" for the first limit that is exceeded; false: none. Reads the debug sections once. */
bool dbg_limit_note(const struct dbg_elf *elf, char *text, size_t size);

#endif
