/* Names that kernel.chip gives to arguments, circular buffers, semaphores, tensors and scratchpads: the constants args::NAME, dfb::NAME,
 * sem::NAME, tensor::NAME and scratch::NAME of a C++ kernel (kernels/include/api_names.h); and compile-time arguments. */
#ifndef TESSERA_CLI_KERNEL_NAMES_H
#define TESSERA_CLI_KERNEL_NAMES_H

#include "cli/chip_file.h"
#include "cli/kernel_spawn.h"

/* Checks the names, and adds the common arguments with the addresses of named tensors and scratchpads. Call it once, after all other
 * statements. false after one line on stderr. */
bool kernel_names_describe(struct chip_description *d);
/* Adds the definitions for the compiler of this role's kernel; false after one line on stderr. */
bool kernel_names_add(const struct chip_description *d, unsigned role, struct kernel_words *w);

#endif
