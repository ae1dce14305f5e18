/* The .npy reader and writer of npy.h. */
#include "cli/npy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/output.h"

#define ELEMENTS_MAX (UINT64_C(1) << 28) /* of a file; what reads it has lower limits */
#define HEADER_MAX 1024u

static bool complain(const char *verb, const char *path, const char *what) {
  cli_bad_input(verb, "%s: %s", path, what);
  return false;
}

static bool parse_shape(struct npy *n, const char *at) {
  n->count = 1;
  while (at && *at && *at != ')') {
    at++;
    char *end;
    unsigned long long d = strtoull(at, &end, 10);
    if (end == at) {
      if (*at == ' ') continue;
      break;
    }
    if (d > ELEMENTS_MAX || n->count * d > ELEMENTS_MAX || n->rank == NPY_RANK) return false;
    n->shape[n->rank++] = d;
    n->count *= d;
    at = end;
  }
  return true;
}

static bool parse_header(struct npy *n, const char *verb, const char *path, const char *header, size_t length) {
  char text[HEADER_MAX];
  memcpy(text, header, length);
  text[length] = '\0';
  const char *descr = strstr(text, "'descr'"), *shape = strstr(text, "'shape'"), *order = strstr(text, "'fortran_order'");
  if (!descr || !shape || !order) return complain(verb, path, "not a .npy header: descr, shape or fortran_order is missing");
  n->fortran = strstr(order, "True") && strstr(order, "True") < order + 24;
  descr = strchr(descr + 7, '\'');
  if (!descr || strlen(descr) < 4 || descr[1] == '>')
    return complain(verb, path, "only little-endian numbers are supported");
  n->kind = descr[2];
  n->size = (unsigned)strtoul(descr + 3, NULL, 10);
  if (!strchr("fiuV", n->kind) || (n->size != 1 && n->size != 2 && n->size != 4 && n->size != 8))
    return cli_bad_input(verb, "%s holds '%.*s': only floats and integers of NumPy, and bfloat16, can be read", path,
                         (int)strcspn(descr + 1, "'"), descr + 1),
           false;
  return parse_shape(n, strchr(shape, '(')) || complain(verb, path, "the tensor is too large");
}

bool npy_open(struct npy *n, const char *verb, const char *path) {
  memset(n, 0, sizeof *n);
  if (!cli_stream_open(&n->stream, verb, path) || !cli_stream_take(&n->stream, &n->file, 12, verb, path)) return false;
  const uint8_t *bytes = (const uint8_t *)n->file.data;
  if (n->file.size < 12 || memcmp(bytes, "\x93NUMPY", 6) != 0) return complain(verb, path, "this is not a .npy file");
  size_t begin = bytes[6] == 1 ? 10 : 12;
  size_t length = bytes[8] | (size_t)bytes[9] << 8;
  if (bytes[6] > 1) length |= (size_t)bytes[10] << 16 | (size_t)bytes[11] << 24;
  if (length >= HEADER_MAX) return complain(verb, path, "the .npy header is too long");
  n->start = begin + length;
  if (n->start > n->file.size && !cli_stream_take(&n->stream, &n->file, n->start - n->file.size, verb, path)) return false;
  if (n->start > n->file.size) return complain(verb, path, "the file is truncated");
  return parse_header(n, verb, path, n->file.data + begin, length);
}

bool npy_read(struct npy *n, const char *verb, const char *path) {
  const size_t wanted = n->start + (size_t)n->count * n->size;
  if (wanted > n->file.size && !cli_stream_take(&n->stream, &n->file, wanted - n->file.size, verb, path)) return false;
  if (wanted > n->file.size) return complain(verb, path, "the file is truncated");
  n->data = (const uint8_t *)n->file.data + n->start;
  return true;
}

void npy_close(struct npy *n) {
  cli_stream_close(&n->stream);
  cli_input_free(&n->file);
  n->data = NULL;
}

/* --- elements --- */

/* In the file's order: the first index changes fastest in Fortran's. */
static uint64_t element_of(const struct npy *n, uint64_t i) {
  uint64_t place = 0, stride = n->count;
  for (unsigned k = n->rank; k-- > 0; i /= n->shape[k]) place += i % n->shape[k] * (stride /= n->shape[k]);
  return place;
}

static uint64_t bits_of(const struct npy *n, uint64_t i) {
  uint64_t bits = 0;
  if (n->fortran) i = element_of(n, i);
  for (unsigned k = 0; k < n->size; k++) bits |= (uint64_t)n->data[i * n->size + k] << (8 * k);
  return bits;
}

static double from_single(uint32_t bits) {
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

/* IEEE 754 binary16 */
static double from_half(uint32_t bits) {
  int exponent = (int)(bits >> 10 & 31u);
  double mantissa = bits & 1023u, sign = bits >> 15 ? -1 : 1;
  if (exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
  return sign * (exponent ? ldexp(mantissa + 1024, exponent - 25) : ldexp(mantissa, -24));
}

double npy_number(const struct npy *n, uint64_t i) {
  uint64_t bits = bits_of(n, i);
  if (n->kind == 'f') {
    double d;
    if (n->size == 2) return from_half((uint32_t)bits);
    if (n->size == 4) return from_single((uint32_t)bits);
    memcpy(&d, &bits, sizeof d);
    return d;
  }
  if (n->kind != 'i') return (double)bits;
  unsigned shift = 64 - 8 * n->size;
  return (double)((int64_t)(bits << shift) >> shift);
}

double npy_bfloat16(const struct npy *n, uint64_t i) { return from_single((uint32_t)bits_of(n, i) << 16); }

FILE *npy_create(const char *verb, const char *path, const char *descr, const uint64_t *shape, unsigned rank) {
  char header[256], text[96] = "";
  size_t used = 0;
  for (unsigned i = 0; i < rank && used < sizeof text - 24; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%llu, ", (unsigned long long)shape[i]);
  int have = snprintf(header, sizeof header, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, text);
  unsigned padded = ((unsigned)have + 1 + 10 + 63) / 64 * 64 - 10;
  FILE *file = cli_create(path);
  if (!file) return complain(verb, path, strerror(errno)), NULL;
  fwrite("\x93NUMPY\x01\x00", 1, 8, file);
  fputc((int)(padded & 255u), file);
  fputc((int)(padded >> 8), file);
  fprintf(file, "%-*s\n", (int)padded - 1, header);
  return file;
}

bool npy_finish(FILE *file, const char *verb, const char *path, bool good) {
  return cli_finish(file, path, good) || (cli_not_written(verb, path), false);
}

bool npy_save(const char *verb, const char *path, const char *descr, const uint64_t *shape, unsigned rank, const void *bytes,
              size_t length) {
  FILE *file = npy_create(verb, path, descr, shape, rank);
  return file && npy_finish(file, verb, path, fwrite(bytes, 1, length, file) == length);
}
