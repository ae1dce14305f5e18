/* Settings of the library for host programs, from environment variables. */
#ifndef TESSERA_HOST_SETTINGS_H
#define TESSERA_HOST_SETTINGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum host_log { HOST_LOG_QUIET, HOST_LOG_ERROR, HOST_LOG_INFO };

struct host_options {
  bool timing;
  bool exit_on_error;
  unsigned threads; /* 0: as many as the host has cores */
  enum host_log log;
  uint64_t cycles_per_clock, poll_cycles;
  const char *system;  /* a board or box by name, or a cluster descriptor; NULL: one chip */
  const char *links;   /* options of its links; NULL: none */
  const char *product; /* NULL: all 140 tiles */
  const char *report;  /* directory; NULL: none */
  const char *kernels; /* directory; NULL: tt-metal's cache */
  uint32_t check;      /* checkers, a bit per letter; 0: none */
  const char *trace;   /* directory; NULL: none */
  const char *trace_tiles;
  unsigned trace_format; /* enum obs_trace_format */
  const char *gdb;       /* address at which gdb connects; NULL: none */
  const char *gdb_tiles;
};

/* Reads the variables with `get` (getenv, or a test's). False: a value is invalid, and `error` has one line about it. */
bool host_options_read(struct host_options *options, char *(*get)(const char *name), char *error, size_t error_size);

/* Finds the first NAME=VALUE, of a name TESSERA_*, that is neither one of the known names, which end with NULL, nor a variable of another
 * program of the project; writes one line about it. Returns the position after it; NULL: there is none. */
char *const *host_options_unknown(char *const *environment, const char *const *known, char *line, size_t size);

#endif
