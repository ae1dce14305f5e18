/* The host's side of kernels: five programs on a tile, buffers, arguments, launch. It uses the public C API only. */
#ifndef TESSERA_KERNEL_HOST_H
#define TESSERA_KERNEL_HOST_H

#include <stddef.h>
#include <stdint.h>
#include <tessera/tensix.h>

#include "../include/launch.h"

/* Loads DIRECTORY/brisc.elf, ncrisc.elf, trisc0.elf, trisc1.elf and trisc2.elf and starts the cores, which then wait for a
 * launch. 0, or -1 after one line on stderr. */
int kernel_load(struct tessera_tile *tile, const char *directory);

/* Reserves memory in L1 from LAUNCH_HEAP on, 32-aligned. 0: none is left. */
uint32_t kernel_alloc(uint32_t *heap, uint32_t bytes);

/* Writes the launch block and GO, and runs for at most `cycles`. TESSERA_DONE: all launches are done. Otherwise `why` (size
 * n) gives the reason: a kernel's own check, a fault, a hang with its waits, or the limit. */
enum tessera_result kernel_launch(struct tessera_tile *tile, const struct launch *launch, uint64_t cycles, char *why,
                                  size_t n);

/* "throttled: static level 3", "throttled: dynamic" or "". */
const char *kernel_throttle_line(struct tessera_tile *tile);

#endif
