/* Conformance cases (format version 1): one at a time. */
#ifndef TESSERA_LOAD_CASEFILE_H
#define TESSERA_LOAD_CASEFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/case_text.h"
#include "tensix/tile/script.h"

/* A range of L1: `length` bytes at `address`, from `data` (an offset into the case's bytes) or all equal to `fill`. */
struct case_range {
  uint32_t address, length;
  size_t data;
  uint8_t fill;
  bool is_fill;
};

struct case_ops {
  struct tx_script_op *ops;
  size_t count, capacity;
  bool seen;
};

struct case_ranges {
  struct case_range *items;
  size_t count, capacity;
};

struct conform_case {
  char name[128];
  char tags[512]; /* words separated by single spaces */
  unsigned line;  /* of the `case` statement */
  struct case_ranges initial, expected;
  struct case_ops core[3];
  struct case_bytes bytes;
};

struct case_reader; /* opaque */

/* NULL: out of memory. `name` must outlive the reader. */
struct case_reader *case_open(const char *name, case_read_fn *read, void *context);
void case_close(struct case_reader *reader);
/* 1: a case was read, 0: end of the file, -1: the file is malformed (`error` gives line and reason). */
int case_next(struct case_reader *reader, struct conform_case *out, char *error, size_t error_size);
void case_free(struct conform_case *c);
/* Does a word of --only or --except select this case? KEY=VALUE as in its tags, a VALUE of its inst, or its name. */
bool case_matches(const struct conform_case *c, const char *selector);

#endif
