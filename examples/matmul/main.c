/* C = A x B on the five cores of a tile, checked against a multiplication on the host.
 *
 * matmul PROGRAM_DIRECTORY [M K N] [--format bf16|tf32|fp32|fp16|bfp8|int8] [--out FORMAT] [--fidelity 0|2|3|4] [--throttle
 * 0..5]
 *          [--dst32] [--dst-full] [--timing off] [--launches N]
 *
 * M, K, N are multiples of 32. The reader (NCRISC) feeds tiles into circular buffers of two pages, the T cores unpack,
 * multiply and pack, the writer (BRISC) stores the result. Exit code 0: every element is within the tolerance of the
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

/* 0, or the exit code after an error message. */
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
  /* the rounding of the inputs is not an error of the multiplication */
  matrix_from_tiles(format, *tiles, rows, columns, *matrix);
}

/* How far a result may be off, element by element (docs/reference/matrix-unit.md, "The arithmetic"). Truncated bits count in
 * full; roundings to nearest are independent of each other and count as six standard deviations of their sum, each being spread
 * evenly over one unit in the last place.
 *
 *   factors   what the phases leave out of SrcA (5 and 5 bits) and of SrcB (7 and 4 bits), of the sum of |a b|
 *   products  each is aligned to the largest of eight, to 2^-10 of it
 *   sums      two of eight products and the old Dst are aligned to the largest of the three: a 16-bit Dst to 2^-10 of it, else to 2^-23
 *   dst       the new Dst is rounded, once per phase and half tile of K
 *   out       the packer rounds a 32-bit Dst to the format of the result; BFP8: to the exponent that sixteen numbers share */
struct tolerance {
  double factors, sums, dst, out; /* the last three: one unit in the last place */
  bool shared;                    /* BFP8 */
  unsigned phases;
};
#define PRODUCTS (1.0 / 1024)

static double left_out(unsigned fidelity, int format) {
  double srcb = format == 6 ? 0 : 1.0 / 64;                  /* BFP8 has six bits of fraction */
  double last = format == 5 || format == 6 ? 0 : 1.0 / 1024; /* SrcA's tenth bit of fraction is never used */
  double tf32 = format == 0 ? 2.0 / 1024 : 0;                /* FP32 is truncated to TF32 in both */
  if (fidelity == 0) return 1.0 / 16 + srcb + tf32;          /* upper parts alone */
  return (fidelity == 2   ? srcb
          : fidelity == 3 ? srcb / 16
                          : 0) +
         last + tf32; /* without SrcB's lower part; without low times low */
}

static struct tolerance tolerance_of(const struct options *o) {
  double bf16 = 1.0 / 128, fp16 = 1.0 / 1024;
  if (o->format == 14) return (struct tolerance){.factors = o->fidelity == 4 ? 0 : 1};
  return (struct tolerance){.factors = left_out(o->fidelity, o->format),
                            .sums = o->dst32 ? 1.0 / (1 << 23) : 1.0 / 1024,
                            .dst = o->dst32         ? 1.0 / (1 << 23)
                                   : o->format == 1 ? fp16
                                                    : bf16,
                            .out = o->out == 6                ? bf16
                                   : !o->dst32 || o->out == 0 ? 0
                                   : o->out == 1              ? fp16
                                                              : bf16,
                            .shared = o->out == 6,
                            .phases = o->fidelity ? o->fidelity : 1};
}

/* An element of the result, computed here. */
struct element {
  double sum, size; /* of a b, and of |a b| */
  double variance;  /* of the roundings */
};

static struct element expected(const struct options *o, const struct data *d, const struct tolerance *t, unsigned i,
                               unsigned j) {
  struct element e = {0, 0, 0};
  for (unsigned tile = 0; tile < o->k; tile += 32) {
    double before = e.size, sum = 0, largest = 0;
    for (unsigned k = tile; k < tile + 32; k++) {
      double product = d->a[i * o->k + k] * d->b[k * o->n + j];
      e.sum += product;
      e.size += fabs(product);
      largest = fmax(largest, fabs(product));
      if (k % 16 == 15) sum = fmax(sum, fabs(e.sum));
    }
    sum += (e.size - before) * (1.0 / 16 + 1.0 / 64); /* the later phases contribute at most this */
    double products = PRODUCTS * largest, sums = t->sums * fmax(sum, largest), dst = t->dst * sum;
    e.variance += t->phases * (32 * products * products + 2 * (3 * sums * sums + dst * dst)) / 12;
  }
  return e;
}

/* `block`: the largest of the sixteen numbers that share an exponent with it, in BFP8. */
static double allowed_of(const struct tolerance *t, const struct element *e, double block) {
  return t->factors * e->size + 6 * sqrt(e->variance) + t->out / 2 * (t->shared ? 2 * block : fabs(e->sum));
}

/* Of the element that is nearest to its tolerance, or furthest beyond it: error and tolerance in units of the sum of |a b|. */
static bool check(const struct options *o, const struct data *d, double *error, double *allowed) {
  struct tolerance t = tolerance_of(o);
  struct element e[16];
  double worst = -1;
  bool good = true;
  for (unsigned at = 0; at < o->m * o->n; at++) {
    double block = 0;
    if (at % 16 == 0)
      for (unsigned k = 0; k < 16; k++) e[k] = expected(o, d, &t, at / o->n, at % o->n + k);
    for (unsigned k = 0; k < 16; k++) block = fmax(block, fabs(e[k].sum));
    double off = fabs(d->c[at] - e[at % 16].sum), most = allowed_of(&t, &e[at % 16], block);
    bool within = off <= most; /* false for NaN */
    double share = within ? (most > 0 ? off / most : 0) : 2 + off, size = e[at % 16].size > 0 ? e[at % 16].size : 1;
    good &= within;
    if (share <= worst) continue;
    worst = share, *error = off / size, *allowed = most / size;
  }
  return good;
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
  double error = 0, allowed = 0;
  bool good = check(o, d, &error, &allowed);
  printf("matmul %ux%ux%u: %llu cycles, worst error %.2g of the sum of |products| (allowed %.2g): %s\n", o->m, o->k, o->n,
         (unsigned long long)tessera_tile_cycle(tile), error, allowed, good ? "good" : "WRONG");
  return good ? 0 : 1;
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
