#include "host/settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECKERS 63u /* a to f */
#define NAME_MAX_LENGTH 32u

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
  char wanted[96] = "one of";
  for (at = words; at; at = strchr(at, ' ') ? strchr(at, ' ') + 1 : NULL) {
    size_t used = strlen(wanted);
    snprintf(wanted + used, sizeof wanted - used, "%s %.*s", at == words ? "" : ",", (int)strcspn(at, " "), at);
  }
  refuse(r, name, value, wanted);
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
  options->system = read_text(&r, "TESSERA_SYSTEM");
  options->links = read_text(&r, "TESSERA_LINKS");
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

/* --- names of variables --- */

/* Fewest letters to insert, remove or replace to make one name of the other. */
static unsigned distance(const char *a, size_t a_length, const char *b) {
  unsigned row[NAME_MAX_LENGTH + 1];
  size_t b_length = strlen(b);
  for (unsigned j = 0; j <= b_length; j++) row[j] = j;
  for (unsigned i = 1; i <= a_length; i++) {
    unsigned corner = row[0];
    row[0] = i;
    for (unsigned j = 1; j <= b_length; j++) {
      unsigned best = corner + (a[i - 1] != b[j - 1]);
      corner = row[j];
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      row[j] = best;
    }
  }
  return row[b_length];
}

/* Variables of the project's other programs and of its tests; one that ends with _ is the beginning of several. */
static bool is_other(const char *name, size_t length) {
  static const char *const others[] = {
      "TESSERA_LIB",         "TESSERA_LIBRARY",     "TESSERA_SFPI",      "TESSERA_CACHE",
      "TESSERA_KERNELS",     "TESSERA_RISCV_CC",    "TESSERA_JOBS",      "TESSERA_PROGRESS_SECONDS",
      "TESSERA_ROOT",        "TESSERA_BUILD",       "TESSERA_DATADIR",   "TESSERA_FORWARD",
      "TESSERA_WRITE_TABLE", "TESSERA_DEBIAN_ROOT", "TESSERA_FUZZ_SEED", "TESSERA_FIRST_SEED",
      "TESSERA_TEST_",       "TESSERA_TTNN_",       "TESSERA_FAIL_",     "TESSERA_FORWARD_"};
  for (unsigned i = 0; i < sizeof others / sizeof *others; i++) {
    size_t other = strlen(others[i]);
    bool begins = length >= other && !strncmp(name, others[i], other);
    if (begins && (length == other || others[i][other - 1] == '_')) return true;
  }
  return false;
}

/* The known name that was probably meant; NULL: none is near. `least` becomes 0 if it is that name. */
static const char *nearest(const char *name, size_t length, const char *const *known, unsigned *least) {
  const char *near = NULL;
  if (length > NAME_MAX_LENGTH) return NULL;
  for (unsigned i = 0; known[i]; i++) {
    unsigned differ = distance(name, length, known[i]);
    if (differ < *least) *least = differ, near = known[i];
  }
  return near;
}

char *const *host_options_unknown(char *const *environment, const char *const *known, char *line, size_t size) {
  static const char prefix[] = "TESSERA_";
  for (; *environment; environment++) {
    size_t length = strcspn(*environment, "="), skip = sizeof prefix - 1;
    unsigned least = length > skip + 5 ? 3 : 2;
    if (strncmp(*environment, prefix, skip) != 0 || length == skip || is_other(*environment, length)) continue;
    const char *near = nearest(*environment, length, known, &least);
    if (near && !least) continue;
    snprintf(line, size,
             near ? "%.*s: there is no such variable; is it %s?" : "%.*s: there is no such variable; %s lists them",
             length > 64 ? 64 : (int)length, *environment, near ? near : "tessera sim --help");
    return environment + 1;
  }
  return NULL;
}
