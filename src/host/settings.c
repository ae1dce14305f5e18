#include "host/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct host_variable host_variables[] = {
    {"TESSERA_TIMING", "cycle, off", "cycle", "documented and measured costs, or the fast functional mode"},
    {"TESSERA_THREADS", "0..256", "0", "host threads; 0 is one per core of the PC. Results do not depend on it"},
    {"TESSERA_PRODUCT", "full, p150, galaxy, p100", "full", "which tiles are fused off"},
    {"TESSERA_CLOCK_CYCLES", "1..1000000", "1", "cycles of the chip per clock of the host"},
    {"TESSERA_POLL_CYCLES", "0..1000000000", "10000",
     "a clock call runs on for at most that long while a polled word does not change"},
    {"TESSERA_REPORT", "a directory", "none", "writes the report there at an error, at exit and at signal USR1"},
    {"TESSERA_KERNELS", "a directory", "TT_METAL_CACHE, then ~/.cache",
     "where reports look for the ELF files of kernels, to name functions and lines"},
    {"TESSERA_ON_ERROR", "freeze, exit", "freeze",
     "after an error the chip answers all ones, or the process ends with status 3"},
    {"TESSERA_LOG", "quiet, error, info", "error", "lines on stderr"},
    {NULL, NULL, NULL, NULL},
};

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
  options->kernels = read_text(&r, "TESSERA_KERNELS");
  options->exit_on_error = read_word(&r, "TESSERA_ON_ERROR", "freeze exit", 0) == 1;
  options->log = (enum host_log)read_word(&r, "TESSERA_LOG", "quiet error info", HOST_LOG_ERROR);
  return r.good;
}
