/* C = f(A op B) on the five cores of a tile, bf16, checked against the host.
 *
 * eltwise PROGRAM_DIRECTORY [add|sub|mul] [none|col|row|scalar] [relu|sigmoid|gelu|exp]        B is broadcast tile by tile
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../host/numbers.h"
#include "../host/run.h"

#define TOLERANCE 0.02
#define BF16_STEP (1.0 / 128) /* largest difference between neighbouring numbers */

enum { BF16 = 5, TILE = 2048, ROWS = 64, COLUMNS = 96, TILES = ROWS / 32 * (COLUMNS / 32) };

static double a[ROWS * COLUMNS], b[ROWS * COLUMNS], c[ROWS * COLUMNS];
static uint8_t in_a[TILES * TILE], in_b[TILES * TILE], out[TILES * TILE];

static int find(const char *name, const char *const *names) {
  for (int i = 0; names[i]; i++)
    if (strcmp(name, names[i]) == 0) return i;
  return -1;
}

/* Numbers as kernels/include/sfpu.h counts the functions. */
static const char *const functions[] = {"exp",  "recip", "sqrt", "rsqrt", "sigmoid", "tanh",
                                        "gelu", "silu",  "relu", "abs",   "square",  NULL};

static double function(int f, double x) {
  switch (f) {
    case 0: return exp(x);
    case 1: return 1 / x;
    case 2: return sqrt(x);
    case 3: return 1 / sqrt(x);
    case 4: return 1 / (1 + exp(-x));
    case 5: return tanh(x);
    case 6: return 0.5 * x * (1 + erf(x / sqrt(2)));
    case 7: return x / (1 + exp(-x));
    case 8: return fmax(x, 0);
    case 9: return fabs(x);
    default: return x * x;
  }
}

/* The largest error that one bf16 rounding of the function's argument may cause: exp(10) changes by 4 %, sqrt near 0 by
 * its whole value. */
static double argument_error(int f, double x) {
  if (f < 0) return 0;
  double here = function(f, x), below = function(f, x * (1 - BF16_STEP)), above = function(f, x * (1 + BF16_STEP));
  return fmax(fabs(below - here), fabs(above - here));
}

/* The worst error of any element, relative to the allowed error: TOLERANCE plus the error of the argument's rounding. Where the function is
 * undefined (the square root of a negative number) the kernel must return NaN too. */
static double worst_error(int op, int broadcast, int f) {
  double worst = 0;
  for (unsigned i = 0; i < ROWS; i++)
    for (unsigned j = 0; j < COLUMNS; j++) {
      unsigned row = broadcast >= 2 ? i / 32 * 32 : i, column = broadcast == 1 || broadcast == 3 ? j / 32 * 32 : j;
      double x = a[i * COLUMNS + j], y = b[row * COLUMNS + column], got = c[i * COLUMNS + j];
      double argument = op == 0 ? x + y : op == 1 ? x - y : x * y;
      double expected = f >= 0 ? function(f, argument) : argument;
      if (isnan(expected) && !isfinite(got)) continue;
      double allowed = TOLERANCE * fmax(fabs(expected), 1) + argument_error(f, argument);
      double error = fabs(got - expected) / allowed;
      if (!(error <= worst)) worst = error;
    }
  return worst;
}

static const char help[] =
    "usage: eltwise DIRECTORY [add|sub|mul] [none|col|row|scalar] [FUNCTION]\n\n"
    "f(A op B) for 64 x 96 numbers with the kernels in DIRECTORY; B's first column, row or number may be repeated in each\n"
    "tile. Functions: exp recip sqrt rsqrt sigmoid tanh gelu silu relu abs square.\n\n"
    "example: build/examples/eltwise build/kernels/eltwise mul row gelu\n";

int main(int argc, char **argv) {
  static const char *const ops[] = {"add", "sub", "mul", NULL}, *const broadcasts[] = {"none", "col", "row", "scalar", NULL};
  int op = argc > 2 ? find(argv[2], ops) : 0, broadcast = argc > 3 ? find(argv[3], broadcasts) : 0,
      f = argc > 4 ? find(argv[4], functions) : -1;
  if (example_wants_help(argc, argv)) {
    fputs(help, stdout);
    return 0;
  }
  if (argc < 2) return example_complain("eltwise", "no directory with kernels given");
  if (op < 0) return example_complain("eltwise", "add, sub or mul, not '%s'", argv[2]);
  if (broadcast < 0) return example_complain("eltwise", "none, col, row or scalar, not '%s'", argv[3]);
  if (argc > 4 && f < 0) return example_complain("eltwise", "no function '%s'", argv[4]);
  if (argc > 5) return example_complain("eltwise", "too many arguments from '%s' on", argv[5]);
  uint64_t seed = 9;
  for (unsigned i = 0; i < ROWS * COLUMNS; i++)
    a[i] = 3 + 2 * next_number(&seed), b[i] = 2 * next_number(&seed) * (f == 2 || f == 3 ? 0.1 : 1);
  tiles_from_matrix(BF16, a, ROWS, COLUMNS, in_a);
  tiles_from_matrix(BF16, b, ROWS, COLUMNS, in_b);
  matrix_from_tiles(BF16, in_a, ROWS, COLUMNS, a);
  matrix_from_tiles(BF16, in_b, ROWS, COLUMNS, b);
  struct launch l;
  uint32_t heap = 0;
  memset(&l, 0, sizeof l);
  for (unsigned i = 0; i < 3; i++)
    l.buffer[i == 2 ? 16 : i] = (struct launch_buffer){kernel_alloc(&heap, 2 * TILE), TILE, 2, BF16};
  uint32_t args[] = {TILES,
                     0,
                     0,
                     0,
                     0,
                     0,
                     0,
                     (uint32_t)op,
                     kernel_alloc(&heap, sizeof in_a),
                     kernel_alloc(&heap, sizeof in_b),
                     kernel_alloc(&heap, sizeof out),
                     (uint32_t)broadcast,
                     (uint32_t)(f + 1)};
  memcpy(l.args, args, sizeof args);
  l.launches = 1;
  struct region ins[] = {{args[8], in_a, sizeof in_a}, {args[9], in_b, sizeof in_b}}, outs = {args[10], out, sizeof out};
  int code = example_run("eltwise", argv[1], &l, ins, 2, &outs);
  if (code) return code;
  matrix_from_tiles(BF16, out, ROWS, COLUMNS, c);
  double worst = worst_error(op, broadcast, f);
  printf("%s %s %s: worst error %.2g of what is allowed: %s\n", ops[op], broadcasts[broadcast], f < 0 ? "" : functions[f],
         worst, worst <= 1 ? "good" : "WRONG");
  return worst <= 1 ? 0 : 1;
}
