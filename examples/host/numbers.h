/* Numbers for the examples: tiles in L1 from floats and back, in every format the examples use. */
#ifndef TESSERA_EXAMPLES_NUMBERS_H
#define TESSERA_EXAMPLES_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* Names as on the command line; code as in kernels/include/data_format.h; -1: no such name. */
int format_by_name(const char *name);
unsigned format_bytes(int format); /* of a 32x32 tile */

/* rows x columns, multiples of 32, in row-major order, to tiles that follow each other row by row; faces 0 1 / 2 3 within a
 * tile. What the format cannot hold is rounded to nearest, ties away from zero. */
void tiles_from_matrix(int format, const double *matrix, unsigned rows, unsigned columns, uint8_t *tiles);
void matrix_from_tiles(int format, const uint8_t *tiles, unsigned rows, unsigned columns, double *matrix);

/* Numbers in -1..1, always the same. */
double next_number(uint64_t *state);

#endif
