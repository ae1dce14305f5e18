/* The state of a system, between two runs: that of every chip (chip.h), which has the frames on their way to it. */
#ifndef TESSERA_SYSTEM_STATE_H
#define TESSERA_SYSTEM_STATE_H

#include "system/system.h"

/* Of a system of one chip: that of the chip. */
uint64_t system_hash(const struct system *system);
/* false: out of memory. */
bool system_save(const struct system *system, struct chip_stream *to);
/* NULL, or the reason why the bytes are rejected; a chip before the rejected one may have changed. */
const char *system_restore(struct system *system, struct chip_stream *from);

#endif
