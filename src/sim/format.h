/* A printf for traces with one line per event: several times faster than vsnprintf. Supports %d %i %u %x %X %c %s %% with the flags
 * - and 0, a width, a precision of strings, and the lengths l, ll and z; calls vsnprintf for the rest. */
#ifndef TESSERA_SIM_FORMAT_H
#define TESSERA_SIM_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

/* Returns the full length, as snprintf does; writes at most size - 1 bytes and a 0; size 0: writes nothing. */
size_t sim_format(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
size_t sim_format_list(char *out, size_t size, const char *format, va_list args) __attribute__((format(printf, 3, 0)));

#endif
