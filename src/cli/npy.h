/* NumPy's .npy files, versions 1 to 3, little endian. */
#ifndef TESSERA_CLI_NPY_H
#define TESSERA_CLI_NPY_H

#include <stdint.h>

#include "cli/input.h"

#define NPY_RANK 8u

struct npy {
  struct cli_input file;
  const uint8_t *data;
  char kind;      /* f, i, u, V */
  bool fortran;   /* the first index changes fastest */
  unsigned size;  /* bytes of one element */
  uint64_t count; /* elements */
  unsigned rank;
  uint64_t shape[NPY_RANK];
};

/* false after one line on stderr; free n->file in any case. */
bool npy_open(struct npy *n, const char *verb, const char *path);
/* Element i as a number. */
double npy_number(const struct npy *n, uint64_t i);
/* The same for 2-byte integers that hold bfloat16, for which NumPy has no type. */
double npy_bfloat16(const struct npy *n, uint64_t i);
/* `descr` as NumPy writes it ("<f4"). false after one line on stderr. */
bool npy_save(const char *verb, const char *path, const char *descr, const uint64_t *shape, unsigned rank, const void *bytes,
              size_t length);

#endif
