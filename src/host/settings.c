#include "host/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKERS 63u /* a to f */

struct reader {
  char *(*get)(const char *name);
  char *error;
  size_t error_size;
  bool good;
};

static void refuse(struct reader *r, const char *name, const char *value, const char *wanted) {
  if (r->good) snprintf(r->error, r->error_size, "%s=%s: must be %s", name, value, wanted);
  r->good = false;
}

/* The index of the value among `words`, separated by spaces. */
static unsigned read_word(struct reader *r, const char *name, const char *words, unsigned standard) {
  const char *value = r->get(name), *at = words;
  if (!value || !*value) return standard;
  for (unsigned index = 0; at; index++) {
    size_t length = strcspn(at, " ");
    if (strlen(value) == length && !strncmp(value, at, length)) return index;
    at = at[length] ? at + length + 1 : NULL;
  }
  refuse(r, name, value, words);
  return standard;
}

static uint64_t read_number(struct reader *r, const char *name, uint64_t low, uint64_t high, uint64_t standard) {
  const char *value = r->get(name);
  char *end, wanted[64];
  if (!value || !*value) return standard;
  errno = 0;
  unsigned long long number = strtoull(value, &end, 10);
  if (!errno && !*end && *value != '-' && number >= low && number <= high) return number;
  snprintf(wanted, sizeof wanted, "a number from %llu to %llu", (unsigned long long)low, (unsigned long long)high);
  refuse(r, name, value, wanted);
  return standard;
}

/* "a" to "f" with or without commas, all, none. */
static uint32_t read_checkers(struct reader *r, const char *name) {
  const char *value = r->get(name);
  uint32_t kinds = 0;
  if (!value || !*value || !strcmp(value, "none")) return 0;
  if (!strcmp(value, "all")) return CHECKERS;
  for (const char *p = value; *p; p++) {
    if (*p >= 'a' && *p <= 'f') kinds |= 1u << (*p - 'a');
    else if (*p != ',') refuse(r, name, value, "letters of a to f with commas, all or none");
  }
  return kinds;
}

static const char *read_text(struct reader *r, const char *name) {
  const char *value = r->get(name);
  return value && *value ? value : NULL;
}

bool host_options_read(struct host_options *options, char *(*get)(const char *name), char *error, size_t error_size) {
  struct reader r = {get, error, error_size, true};
  memset(options, 0, sizeof *options);
  options->timing = read_word(&r, "TESSERA_TIMING", "off cycle", 1) == 1;
  options->threads = (unsigned)read_number(&r, "TESSERA_THREADS", 0, 256, 0);
  options->product = read_text(&r, "TESSERA_PRODUCT");
  options->cycles_per_clock = read_number(&r, "TESSERA_CLOCK_CYCLES", 1, 1000000, 1);
  options->poll_cycles = read_number(&r, "TESSERA_POLL_CYCLES", 0, 1000000000, 10000);
  options->report = read_text(&r, "TESSERA_REPORT");
  options->kernels = read_text(&r, "TESSERA_KERNEL_CACHE");
  options->check = read_checkers(&r, "TESSERA_CHECK");
  options->trace = read_text(&r, "TESSERA_TRACE");
  options->trace_tiles = read_text(&r, "TESSERA_TRACE_TILES");
  options->trace_format = read_word(&r, "TESSERA_TRACE_FORMAT", "text perfetto chrome kanata compact vcd", 1);
  options->gdb = read_text(&r, "TESSERA_GDB");
  options->gdb_tiles = read_text(&r, "TESSERA_GDB_TILES");
  options->exit_on_error = read_word(&r, "TESSERA_ON_ERROR", "freeze exit", 0) == 1;
  options->log = (enum host_log)read_word(&r, "TESSERA_LOG", "quiet error info", HOST_LOG_ERROR);
  return r.good;
}
