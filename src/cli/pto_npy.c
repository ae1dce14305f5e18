/* NumPy's .npy files, and the Chrome trace writer. */
#include "cli/pto_npy.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "cli/output.h"

static bool complain(const char *path, const char *what) {
  cli_bad_input("pto", "%s: %s", path, what);
  return false;
}

static double value_of(const struct npy *n, uint64_t i, enum tessera_pto_dtype dtype) {
  bool words = n->kind != 'f' && n->size == 2 && dtype == TESSERA_PTO_BF16;
  return words ? npy_bfloat16(n, i) : npy_number(n, i);
}

/* The header of a file for the tensor. */
static bool open_file(struct npy *n, const char *path, const struct pto_cli_tensor *t) {
  if (!npy_open(n, "pto", path)) return false;
  if (n->count == t->info.elements) return true;
  cli_bad_input("pto", "%s has %llu elements, @%s has %llu", path, (unsigned long long)n->count, t->info.name,
                (unsigned long long)t->info.elements);
  return false;
}

/* The file's numbers, converted to the tensor's format; NULL after one line on stderr. */
static double *read_file(const char *path, const struct pto_cli_tensor *t) {
  struct npy n;
  double *values = NULL;
  if (open_file(&n, path, t) && npy_read(&n, "pto", path) && !(values = calloc((size_t)n.count, sizeof *values)))
    complain(path, "out of memory");
  for (uint64_t i = 0; values && i < n.count; i++) values[i] = value_of(&n, i, t->info.dtype);
  npy_close(&n);
  return values;
}

bool pto_npy_load(const char *path, const struct pto_cli_tensor *t) {
  double *values = read_file(path, t);
  bool good = values && tessera_pto_write(t->machine, t->index, values, (size_t)t->info.elements) == TESSERA_PTO_OK;
  free(values);
  return good;
}

bool pto_npy_fits(const char *path, const struct pto_cli_tensor *t) {
  struct npy n;
  bool good = open_file(&n, path, t) && npy_read(&n, "pto", path);
  npy_close(&n);
  return good;
}

int pto_npy_compare(const char *path, const struct pto_cli_tensor *t, double tolerance, FILE *out) {
  size_t count = (size_t)t->info.elements;
  double *want = read_file(path, t), *got = want ? calloc(count, sizeof *got) : NULL;
  uint64_t different = 0, first = 0;
  bool good = got && tessera_pto_read(t->machine, t->index, got, count) == TESSERA_PTO_OK;
  for (size_t i = 0; good && i < count; i++) {
    if (fabs(want[i] - got[i]) <= tolerance * (1 + fabs(want[i])) || (isnan(want[i]) && isnan(got[i]))) continue;
    if (!different++) first = i;
  }
  if (good && different)
    fprintf(out, "@%s: %llu of %llu elements differ from %s; the first is [%llu]: %g, expected %g\n", t->info.name,
            (unsigned long long)different, (unsigned long long)count, path, (unsigned long long)first, got[first],
            want[first]);
  if (want && !got) complain(path, "out of memory");
  free(want), free(got);
  return !good ? -1 : different != 0;
}

bool pto_npy_save(const char *path, const struct pto_cli_tensor *t) {
  static const char *const descr[] = {"<f4", "<f2", "<u2", "<i4", "<i2", "|i1", "<u4", "<u2", "|u1"};
  uint64_t shape[NPY_RANK] = {t->info.elements};
  for (unsigned i = 0; i < t->info.rank; i++) shape[i] = t->info.shape[i];
  void *bytes = malloc((size_t)t->info.bytes + 1);
  if (!bytes) return complain(path, "out of memory");
  bool good =
      tessera_pto_read_bytes(t->machine, t->index, 0, bytes, (size_t)t->info.bytes) == TESSERA_PTO_OK &&
      npy_save("pto", path, descr[t->info.dtype], shape, t->info.rank ? t->info.rank : 1, bytes, (size_t)t->info.bytes);
  free(bytes);
  return good;
}
