/* C = A x B on the five cores of a tile, checked against a multiplication on the host.
 *
 * matmul PROGRAM_DIRECTORY [M K N] [--format bf16|tf32|fp32|fp16|bfp8|int8] [--out FORMAT] [--fidelity 0|2|3|4] [--throttle
 * 0..5]
 *          [--dst32] [--dst-full] [--timing off] [--launches N]
 *
 * M, K, N are multiples of 32. The reader (NCRISC) feeds tiles into circular buffers of two pages, the T cores unpack,
 * multiply and pack, the writer (BRISC) takes the result away. Exit code 0: every element is within the tolerance of the
 * formats. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kernels/host/kernel_host.h"
#include "../host/numbers.h"
#include "../host/run.h"

struct options {
  const char *directory;
  unsigned m, k, n;
  int format, out;
  unsigned fidelity, throttle, dst32, full, launches;
  enum tessera_timing timing;
};

static const char help[] =
    "usage: matmul DIRECTORY [M K N] [OPTIONS]\n\n"
    "Multiplies an M x K by a K x N matrix with the kernels in DIRECTORY; multiples of 32 up to 512 (64 128 64).\n"
    "All three matrices lie in L1: in bf16 480 480 480 is the largest product of equal sizes.\n\n"
    "  --format F      of the inputs: bf16 (default), tf32, fp32, fp16, bfp8, int8\n"
    "  --out F         of the result (as the inputs; tf32: fp32, int8: int32)\n"
    "  --fidelity N    0 LoFi, 2, 3 or 4 (default)\n"
    "  --throttle N    0 (default) to 5\n"
    "  --dst32         Dst holds 32 bits; int8 always does\n"
    "  --dst-full      math and pack take turns on all of Dst\n"
    "  --timing off    one cycle an instruction\n"
    "  --launches N    run it N times without a reset\n\n"
    "example: build/examples/matmul build/kernels/matmul 64 128 64 --format bfp8 --fidelity 2\n";

#define complain(...) example_complain("matmul", __VA_ARGS__)

static int parse_value(struct options *o, const char *name, const char *value) {
  if (strcmp(name, "--format") == 0 || strcmp(name, "--out") == 0) {
    int format = format_by_name(value);
    if (format < 0) return complain("formats are bf16, tf32, fp32, fp16, bfp8, int8 and int32, not '%s'", value);
    *(name[2] == 'f' ? &o->format : &o->out) = format;
  } else if (strcmp(name, "--fidelity") == 0) {
    if (!example_number(value, 4, &o->fidelity) || o->fidelity == 1)
      return complain("--fidelity takes 0, 2, 3 or 4, not '%s'", value);
  } else if (strcmp(name, "--throttle") == 0) {
    if (!example_number(value, 5, &o->throttle)) return complain("--throttle takes 0 to 5, not '%s'", value);
  } else if (strcmp(name, "--launches") == 0) {
    if (!example_number(value, 1000000, &o->launches) || !o->launches)
      return complain("--launches takes 1 to 1000000, not '%s'", value);
  } else if (strcmp(name, "--timing") == 0) {
    o->timing = strcmp(value, "off") == 0 ? TESSERA_TIMING_OFF : TESSERA_TIMING_CYCLE;
    if (o->timing == TESSERA_TIMING_CYCLE && strcmp(value, "cycle") != 0)
      return complain("--timing takes off or cycle, not '%s'", value);
  } else {
    return complain("unknown option '%s'", name);
  }
  return 0;
}

/* 0, or the exit code after a complaint. */
static int parse(int argc, char **argv, struct options *o) {
  unsigned sizes[3] = {64, 128, 64}, count = 0;
  *o = (struct options){.format = 5, .out = -1, .fidelity = 4, .launches = 1, .timing = TESSERA_TIMING_CYCLE};
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "--dst32") == 0) o->dst32 = 1;
    else if (strcmp(argv[i], "--dst-full") == 0) o->full = 1;
    else if (argv[i][0] == '-') {
      if (i + 1 == argc) return complain("'%s' is unknown or needs a value", argv[i]);
      int code = parse_value(o, argv[i], argv[i + 1]);
      if (code) return code;
      i++;
    } else if (o->directory == NULL) o->directory = argv[i];
    else if (count == 3 || !example_size(argv[i], 512, &sizes[count++]))
      return complain("M, K and N are three multiples of 32 up to 512, not '%s'", argv[i]);
  }
  if (!o->directory) return complain("no directory with kernels given");
  if (count != 0 && count != 3) return complain("give all of M, K and N, or none");
  o->m = sizes[0], o->k = sizes[1], o->n = sizes[2];
  if (o->format == 14) o->dst32 = 1;
  if (o->format == 8) return complain("the matrix unit takes no int32");
  if (o->out < 0) o->out = o->format == 14 ? 8 : o->format == 4 ? 0 : o->format;
  return 0;
}

struct data {
  double *a, *b, *c; /* as the formats hold them */
  uint8_t *tiles_a, *tiles_b, *tiles_c;
  unsigned bytes_a, bytes_b, bytes_c;
};

static void *allocate(size_t bytes) {
  void *p = calloc(1, bytes);
  if (p == NULL) {
    fprintf(stderr, "matmul: out of memory\n");
    exit(3);
  }
  return p;
}

static void make_matrix(int format, unsigned rows, unsigned columns, uint64_t seed, double **matrix, uint8_t **tiles,
                        unsigned *bytes) {
  *bytes = rows / 32 * (columns / 32) * format_bytes(format);
  *matrix = allocate(rows * columns * sizeof **matrix);
  *tiles = allocate(*bytes);
  for (unsigned i = 0; i < rows * columns; i++) (*matrix)[i] = next_number(&seed) * (format == 14 ? 127 : 1);
  tiles_from_matrix(format, *matrix, rows, columns, *tiles);
  matrix_from_tiles(format, *tiles, rows, columns, *matrix); /* what was rounded away is no error of the multiplication */
}

/* How far a result may be off: the bits that a phase leaves out of each factor, and the rounding of Dst and of the output.
 */
static double tolerance(const struct options *o) {
  double step = o->fidelity == 0 ? 1.0 / 16 : o->fidelity == 2 ? 1.0 / 64 : 1.0 / 128;
  if (o->format == 14) return o->fidelity == 4 ? 0 : 1;
  if (o->format == 5 || o->format == 6)
    return (o->fidelity >= 3 ? 0 : step) + (o->dst32 && o->out == 0 ? 1e-5 : o->out == 6 ? 1.0 / 64 : 1.0 / 128);
  return step + (o->dst32 ? 1.0 / 1024 : 1.0 / 128);
}

/* The largest error in units of the sum of |a b|; `at` is where. */
static double worst_error(const struct options *o, const struct data *d, unsigned *at) {
  double worst = 0;
  for (unsigned i = 0; i < o->m; i++)
    for (unsigned j = 0; j < o->n; j++) {
      double sum = 0, size = 0;
      for (unsigned k = 0; k < o->k; k++) {
        double product = d->a[i * o->k + k] * d->b[k * o->n + j];
        sum += product;
        size += fabs(product);
      }
      double error = fabs(d->c[i * o->n + j] - sum) / (size > 0 ? size : 1);
      if (!(error <= worst)) worst = error, *at = i * o->n + j;
    }
  return worst;
}

static void fill_launch(const struct options *o, struct data *d, uint32_t *heap, struct launch *l) {
  memset(l, 0, sizeof *l);
  uint32_t in = format_bytes(o->format), out = format_bytes(o->out);
  l->buffer[0] = (struct launch_buffer){kernel_alloc(heap, 2 * in), in, 2, (uint32_t)o->format};
  l->buffer[1] = (struct launch_buffer){kernel_alloc(heap, 2 * in), in, 2, (uint32_t)o->format};
  l->buffer[16] = (struct launch_buffer){kernel_alloc(heap, 2 * out), out, 2, (uint32_t)o->out};
  uint32_t args[] = {o->m / 32,
                     o->k / 32,
                     o->n / 32,
                     o->fidelity,
                     o->throttle,
                     o->dst32,
                     o->full,
                     0,
                     kernel_alloc(heap, d->bytes_a),
                     kernel_alloc(heap, d->bytes_b),
                     kernel_alloc(heap, d->bytes_c)};
  memcpy(l->args, args, sizeof args);
  l->launches = o->launches;
}

static int run(const struct options *o, struct data *d, struct tessera_tile *tile) {
  struct launch l;
  uint32_t heap = 0;
  char why[4096];
  fill_launch(o, d, &heap, &l);
  if (l.args[10] == 0) {
    fprintf(stderr, "matmul: the matrices do not fit into L1\n");
    return 2;
  }
  tessera_tile_write(tile, l.args[8], d->tiles_a, d->bytes_a);
  tessera_tile_write(tile, l.args[9], d->tiles_b, d->bytes_b);
  if (kernel_load(tile, o->directory) != 0) return 2;
  enum tessera_result result = kernel_launch(tile, &l, UINT64_C(1000000000), why, sizeof why);
  if (result != TESSERA_DONE) {
    fprintf(stderr, "matmul: %s\n", why);
    return result == TESSERA_HANG ? 4 : result == TESSERA_LIMIT ? 6 : 3;
  }
  tessera_tile_read(tile, l.args[10], d->tiles_c, d->bytes_c);
  matrix_from_tiles(o->out, d->tiles_c, o->m, o->n, d->c);
  fputs(tessera_tile_report(tile, TESSERA_REPORT_TEXT), stdout);
  if (*kernel_throttle_line(tile)) puts(kernel_throttle_line(tile));
  unsigned at = 0;
  double worst = worst_error(o, d, &at), allowed = tolerance(o);
  printf("matmul %ux%ux%u: %llu cycles, worst error %.2g of the sum of |products| (allowed %.2g): %s\n", o->m, o->k, o->n,
         (unsigned long long)tessera_tile_cycle(tile), worst, allowed, worst <= allowed ? "good" : "WRONG");
  return worst <= allowed ? 0 : 1;
}

int main(int argc, char **argv) {
  struct options o;
  struct data d;
  if (example_wants_help(argc, argv)) {
    fputs(help, stdout);
    return 0;
  }
  int bad = parse(argc, argv, &o);
  if (bad) return bad;
  make_matrix(o.format, o.m, o.k, 1, &d.a, &d.tiles_a, &d.bytes_a);
  make_matrix(o.format, o.k, o.n, 2, &d.b, &d.tiles_b, &d.bytes_b);
  d.bytes_c = o.m / 32 * (o.n / 32) * format_bytes(o.out);
  d.c = allocate(o.m * o.n * sizeof *d.c);
  d.tiles_c = allocate(d.bytes_c);
  struct tessera_tile *tile = tessera_tile_create(o.timing);
  int code = tile ? run(&o, &d, tile) : 3;
  tessera_tile_destroy(tile);
  free(d.a), free(d.b), free(d.c), free(d.tiles_a), free(d.tiles_b), free(d.tiles_c);
  return code;
}
