/* NumPy's .npy files, versions 1 to 3, little endian. */
#ifndef TESSERA_CLI_NPY_H
#define TESSERA_CLI_NPY_H

#include <stdint.h>
#include <stdio.h>

#include "cli/input.h"

#define NPY_RANK 8u

struct npy {
  struct cli_stream stream;
  struct cli_input file; /* what is read of it so far */
  size_t start;          /* of the numbers */
  const uint8_t *data;   /* NULL before npy_read */
  char kind;             /* f, i, u, V */
  bool fortran;          /* the first index changes fastest */
  unsigned size;         /* bytes of one element */
  uint64_t count;        /* elements */
  unsigned rank;
  uint64_t shape[NPY_RANK];
};

/* Reads the header; its type and shape are checked by the caller before the numbers are read. false after one line on stderr; npy_close in
 * any case. */
bool npy_open(struct npy *n, const char *verb, const char *path);
/* Reads the numbers, and nothing that follows them. */
bool npy_read(struct npy *n, const char *verb, const char *path);
void npy_close(struct npy *n);
/* Element i as a number, after npy_read. */
double npy_number(const struct npy *n, uint64_t i);
/* The same for 2-byte integers that hold bfloat16, for which NumPy has no type. */
double npy_bfloat16(const struct npy *n, uint64_t i);
/* A file with its header; the caller writes the numbers. `descr` as NumPy writes it ("<f4"). NULL after one line on stderr. */
FILE *npy_create(const char *verb, const char *path, const char *descr, const uint64_t *shape, unsigned rank);
/* `good`: all are written. false after one line on stderr. */
bool npy_finish(FILE *file, const char *verb, const char *path, bool good);
/* Both, with all numbers. */
bool npy_save(const char *verb, const char *path, const char *descr, const uint64_t *shape, unsigned rank, const void *bytes,
              size_t length);

#endif
