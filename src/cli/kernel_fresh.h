/* Is an executable up to date with its sources and its command lines? Decided by what the files were when they were
 * compiled: another date or size is a change, an older one too. */
#ifndef TESSERA_CLI_KERNEL_FRESH_H
#define TESSERA_CLI_KERNEL_FRESH_H

#include <stdint.h>

#include "cli/kernel_spawn.h"

/* OUT/CORE.elf is not older than the files `also`, and OUT/CORE.made holds these command lines and the stamp of the files of OUT/CORE.d
 * (gcc -MMD). */
bool kernel_is_fresh(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                     const char *const *also, size_t also_count);
/* Writes OUT/CORE.made; on failure, or if one of the files has changed since the build started, the next build runs again. */
void kernel_made(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                 uint64_t started);
uint64_t kernel_now(void); /* nanoseconds, as files have them */

#endif
