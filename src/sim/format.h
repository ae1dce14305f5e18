/* A printf for text that is written a line per event: several times faster than vsnprintf. Knows %d %i %u %x %X %c %s %% with the flags
 * - and 0, a width, a precision of strings, and the lengths l, ll and z; gives the rest of the work to vsnprintf. */
#ifndef TESSERA_SIM_FORMAT_H
#define TESSERA_SIM_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* The length of the whole text, as snprintf's: cut to size - 1 bytes and ended with 0; size 0: nothing is written. */
size_t sim_format(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t sim_format_list(char *out, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

#endif
