/* The reference of a matrix product, in double precision. */
#ifndef TESSERA_CLI_CHIP_PRODUCT_H
#define TESSERA_CLI_CHIP_PRODUCT_H

#include <stddef.h>

/* A block of the second operand in strips of columns: a strip stays in the cache of the first level for all rows. */
#define CHIP_BLOCK_COLUMNS 8u
#define CHIP_BLOCK_STRIPS 8u
#define CHIP_BLOCK_DEPTH 256u
struct chip_block {
  double number[CHIP_BLOCK_STRIPS][CHIP_BLOCK_DEPTH][CHIP_BLOCK_COLUMNS];
  size_t depth;
};

struct chip_product {
  const double *a, *b; /* rows x inner, inner x columns */
  size_t rows, inner, columns;
  double *want, *scale; /* rows x columns */
};

/* Adds a b to `want` and |a| |b| to `scale`; `block` is scratch. */
void chip_product_add(const struct chip_product *p, struct chip_block *block);

#endif
