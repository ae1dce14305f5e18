/* Is an executable as its sources and its command lines would make it? As make would see it: by the dates of the files. */
#ifndef TESSERA_CLI_KERNEL_FRESH_H
#define TESSERA_CLI_KERNEL_FRESH_H

#include "cli/kernel_spawn.h"

/* OUT/CORE.elf is not older than what OUT/CORE.d (gcc -MMD) and `also` name, and OUT/CORE.made holds these command lines. */
bool kernel_is_fresh(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link,
                     const char *const *also, size_t also_count);
/* Writes OUT/CORE.made, or nothing: then it is built again next time. */
void kernel_made(const char *out, const char *core, const struct kernel_words *compile, const struct kernel_words *link);

#endif
