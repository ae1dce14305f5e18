/* The allocator of the command: notes that an allocation has failed, so that no end of the command can hide it. The linker replaces malloc,
 * calloc and realloc of the command and of the library in it by these (--wrap); the library alone has libc's. */
#include <stddef.h>

#include "cli/cli.h"
#include "cli/interrupt.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);

static void *noted(void *memory, bool wanted) {
  if (!memory && wanted) {
    cli_memory_failed = 1;
    cli_stop();
  }
  return memory;
}

void *__wrap_malloc(size_t size) { return noted(__real_malloc(size), size != 0); }
void *__wrap_calloc(size_t count, size_t size) { return noted(__real_calloc(count, size), count && size); }
void *__wrap_realloc(void *old, size_t size) { return noted(__real_realloc(old, size), size != 0); }
