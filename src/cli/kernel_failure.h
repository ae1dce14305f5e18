/* What the compiler and the linker say about a kernel, as one line with the user's place. */
#ifndef TESSERA_CLI_KERNEL_FAILURE_H
#define TESSERA_CLI_KERNEL_FAILURE_H

#include "cli/kernel.h"

struct kernel_failure {
  const struct kernel_library *library;
  const char *core;   /* "trisc0" */
  unsigned role;      /* enum chip_role */
  const char *source; /* "": the empty kernel */
  const char *log_path;
};
/* Prints the first error of the log; returns false. */
bool kernel_failure_print(const struct kernel_failure *f);
/* Warnings of one kernel, printed once for all cores for which it is compiled. */
void kernel_failure_warnings(const struct kernel_failure *f);
/* The linker misses a function that the compiler calls for copies of structs and the like (firmware/memory.c). */
bool kernel_failure_of_memory(const char *log_path);

#endif
