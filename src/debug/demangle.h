/* Demangles names of C++ functions: the part of the Itanium ABI's mangling that kernels use.
 *
 *   _ZN7ckernel17t6_semaphore_waitILj8EEEvh   ->   ckernel::t6_semaphore_wait<8u>
 *
 * Parameters and return type are left out: a kernel is identified by its name and template arguments. An unsupported name,
 * or one that does not fit, is not translated. Time, depth and memory are bounded for any input. */
#ifndef TESSERA_DEBUG_DEMANGLE_H
#define TESSERA_DEBUG_DEMANGLE_H

#include <stdbool.h>
#include <stddef.h>

/* false: `name` is not mangled or not supported; `text` is then "". */
bool dbg_demangle(const char *name, char *text, size_t size);
/* The translated name, or the name itself; always terminated. */
void dbg_readable_name(const char *name, char *text, size_t size);

#endif
