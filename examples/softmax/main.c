/* Softmax of each row of a matrix on the five cores of a tile, bf16, checked against the host.
 *
 *   softmax PROGRAM_DIRECTORY [ROWS COLUMNS]        multiples of 32; columns at most 256 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../host/numbers.h"
#include "../host/run.h"

enum { BF16 = 5, TILE = 2048 };

static double matrix[256 * 256], result[256 * 256];
static uint8_t in[64 * TILE], out[64 * TILE], constants[2 * TILE];

static void fill(unsigned rows, unsigned columns) {
  static double ones[2][32 * 32];
  uint64_t seed = 5;
  for (unsigned i = 0; i < rows * columns; i++) matrix[i] = 6 * next_number(&seed);
  tiles_from_matrix(BF16, matrix, rows, columns, in);
  matrix_from_tiles(BF16, in, rows, columns, matrix);
  for (unsigned i = 0; i < 32; i++) {
    if (i < 16) ones[0][i] = 1; /* the scaler of reduce: row 0 of the first face */
    ones[1][32 * i] = 1;        /* column 0 */
  }
  tiles_from_matrix(BF16, ones[0], 32, 32, constants);
  tiles_from_matrix(BF16, ones[1], 32, 32, constants + TILE);
}

/* The largest relative error; small probabilities count by the size of 1 / columns. */
static double worst_error(unsigned rows, unsigned columns) {
  double worst = 0;
  for (unsigned r = 0; r < rows; r++) {
    const double *x = &matrix[r * columns];
    double most = x[0], sum = 0;
    for (unsigned c = 0; c < columns; c++) most = fmax(most, x[c]);
    for (unsigned c = 0; c < columns; c++) sum += exp(x[c] - most);
    for (unsigned c = 0; c < columns; c++) {
      double expected = exp(x[c] - most) / sum;
      double error = fabs(result[r * columns + c] - expected) / fmax(expected, 1.0 / columns);
      if (!(error <= worst)) worst = error;
    }
  }
  return worst;
}

static const char help[] =
    "usage: softmax DIRECTORY [ROWS COLUMNS]\n\n"
    "Softmax along each row with the kernels in DIRECTORY; multiples of 32 up to 256 (64 128).\n\n"
    "example: build/examples/softmax build/kernels/softmax 64 160\n";

int main(int argc, char **argv) {
  unsigned rows = 64, columns = 128;
  if (example_wants_help(argc, argv)) {
    fputs(help, stdout);
    return 0;
  }
  if (argc < 2) return example_complain("softmax", "no directory with kernels given");
  if (argc != 2 && argc != 4) return example_complain("softmax", "give both rows and columns, or neither");
  for (int i = 2; i < argc; i++)
    if (!example_size(argv[i], 256, i == 2 ? &rows : &columns))
      return example_complain("softmax", "rows and columns are multiples of 32 up to 256, not '%s'", argv[i]);
  uint32_t ht = rows / 32, wt = columns / 32, heap = 0;
  struct launch l;
  memset(&l, 0, sizeof l);
  static const uint32_t buffers[] = {0, 1, 2, 16, 24, 25, 26};
  for (unsigned i = 0; i < 7; i++) {
    uint32_t pages = buffers[i] == 0 || buffers[i] == 25 ? wt : 1;
    l.buffer[buffers[i]] = (struct launch_buffer){kernel_alloc(&heap, pages * TILE), TILE, pages, BF16};
  }
  l.launches = 1;
  uint32_t args[] = {ht * wt,
                     ht,
                     wt,
                     0,
                     0,
                     0,
                     0,
                     0,
                     kernel_alloc(&heap, ht * wt * TILE),
                     kernel_alloc(&heap, 2 * TILE),
                     kernel_alloc(&heap, ht * wt * TILE)};
  memcpy(l.args, args, sizeof args);
  fill(rows, columns);
  struct region ins[] = {{args[8], in, ht * wt * TILE}, {args[9], constants, 2 * TILE}},
                outs = {args[10], out, ht * wt * TILE};
  int code = example_run("softmax", argv[1], &l, ins, 2, &outs);
  if (code) return code;
  matrix_from_tiles(BF16, out, rows, columns, result);
  double worst = worst_error(rows, columns);
  printf("softmax %ux%u: worst error %.2g of max(p, 1/columns) (allowed 0.03): %s\n", rows, columns, worst,
         worst <= 0.03 ? "good" : "WRONG");
  return worst <= 0.03 ? 0 : 1;
}
