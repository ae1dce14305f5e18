/* Is an executable up to date with its sources and its command lines? Decided by the dates of the files, as in make. */
#ifndef TESSERA_CLI_KERNEL_FRESH_H
#define TESSERA_CLI_KERNEL_FRESH_H

#include "cli/kernel_spawn.h"

/* OUT/CORE.elf is not older than the files of OUT/CORE.d (gcc -MMD) and `also`, and OUT/CORE.made holds these command
 * lines. */
bool kernel_is_fresh(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                     const char *const *also, size_t also_count);
/* Writes OUT/CORE.made; on failure writes nothing, and the next build runs again. */
void kernel_made(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link);

#endif
