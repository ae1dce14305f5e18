/* Compiled firmware of the kernel library, one object per core, kept in the user's cache (TESSERA_CACHE, else XDG_CACHE_HOME/tessera or
 * ~/.cache/tessera): its text does not depend on the kernel, and compiling it is a third of the time of a small kernel's build. */
#ifndef TESSERA_CLI_KERNEL_FIRMWARE_H
#define TESSERA_CLI_KERNEL_FIRMWARE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "cli/kernel_spawn.h"

struct kernel_firmware {
  char object[4096];    /* in the cache; "": there is no cache */
  char part[4096 + 64]; /* what is being compiled; it gets its name when it is whole */
  pid_t process;
};

/* A sum of the library's firmware and headers in these two directories; 0: they cannot be read. */
uint64_t kernel_firmware_sum(const char *root, const char *isa);
/* The object for this core and this command, which is without sources and output. Starts the compiler if the cache does not have it. */
void kernel_firmware_begin(struct kernel_firmware *f, uint64_t sum, const char *root, const struct kernel_words *command,
                           const char *core);
/* Waits for the compiler. False: there is no object, and the firmware is to be compiled with the kernel. */
bool kernel_firmware_end(struct kernel_firmware *f);

#endif
