/* NoC cases: programs over several tiles of the chip. The reader of that format, one case at a time; noc_run.h runs one.
 *
 * A file whose first case is named noc_... is of this format. Expected values are of two kinds, by the tag src: golden (read out of the
 * field's golden model) and document (from the ISA pages). */
#ifndef TESSERA_LOAD_NOC_CASE_H
#define TESSERA_LOAD_NOC_CASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "load/case_text.h"
#include "tensix/tile/script.h"

#define NOC_CASE_HOST 0xffu /* x of an item in host memory */

enum noc_item_kind {
  NOC_ITEM_BYTES,   /* memory: bytes of the case */
  NOC_ITEM_FILL,    /* memory: all equal to `value` */
  NOC_ITEM_PATTERN, /* memory: pattern `value` from byte `offset` on */
  NOC_ITEM_REG,     /* a register: write `value`, or (read & mask) == value */
  NOC_ITEM_HW,      /* host: word through a window */
  NOC_ITEM_HMW,     /* host: word to a rectangle */
  NOC_ITEM_HWAIT,   /* host: until (word & mask) == value */
  NOC_ITEM_BAR,     /* bytes through BAR x */
};

struct noc_item {
  uint8_t kind, x, y, x_end, y_end;
  uint32_t mask, value;
  uint32_t length, offset;
  uint64_t address;
  size_t data; /* offset into the case's bytes */
};

struct noc_items {
  struct noc_item *items;
  size_t count, capacity;
};

struct noc_program {
  uint8_t x, y;
  uint8_t core; /* 'B' or 'N' */
  struct tx_script_op *ops;
  size_t count, capacity;
};

struct noc_case {
  char name[128];
  char tags[512];
  unsigned line;
  bool document;          /* src=document */
  struct noc_items setup; /* memory and registers, in file order */
  struct noc_items host, until, expected;
  struct noc_program *programs;
  size_t program_count, program_capacity;
  struct case_bytes bytes;
};

struct noc_case_reader;                                                                     /* opaque */
struct noc_case_reader *noc_case_open(const char *name, case_read_fn *read, void *context); /* NULL without memory */
void noc_case_close(struct noc_case_reader *reader);
/* 1: a case was read, 0: end of the file, -1: the file is malformed. */
int noc_case_next(struct noc_case_reader *reader, struct noc_case *out, char *error, size_t error_size);
void noc_case_free(struct noc_case *c);
bool noc_case_matches(const struct noc_case *c, const char *selector);
/* Byte `k` of an item in memory. */
uint8_t noc_case_byte(const struct noc_case *c, const struct noc_item *item, uint32_t k);

#endif
