/* NumPy's .npy files, and the Chrome trace writer. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "cli/output.h"
#include "cli/pto_cli.h"

static bool complain(const char *path, const char *what) {
  cli_bad_input("pto", "%s: %s", path, what);
  return false;
}

static double value_of(const struct npy *n, uint64_t i, enum tessera_pto_dtype dtype) {
  bool words = n->kind != 'f' && n->size == 2 && dtype == TESSERA_PTO_BF16;
  return words ? npy_bfloat16(n, i) : npy_number(n, i);
}

/* All numbers of the file as the tensor's format has them; NULL after a complaint. */
static double *read_file(const char *path, const struct pto_cli_tensor *t) {
  struct npy n;
  double *values = NULL;
  bool good = npy_open(&n, "pto", path);
  if (good && n.count != t->info.elements)
    good = (cli_bad_input("pto", "%s has %llu elements, @%s has %llu", path, (unsigned long long)n.count, t->info.name,
                          (unsigned long long)t->info.elements),
            false);
  if (good && !(values = calloc((size_t)n.count, sizeof *values))) complain(path, "out of memory");
  for (uint64_t i = 0; values && i < n.count; i++) values[i] = value_of(&n, i, t->info.dtype);
  cli_input_free(&n.file);
  return values;
}

bool pto_npy_load(const char *path, const struct pto_cli_tensor *t) {
  double *values = read_file(path, t);
  bool good = values && tessera_pto_write(t->machine, t->index, values, (size_t)t->info.elements) == TESSERA_PTO_RAN;
  free(values);
  return good;
}

int pto_npy_compare(const char *path, const struct pto_cli_tensor *t, double tolerance) {
  size_t count = (size_t)t->info.elements;
  double *want = read_file(path, t), *got = want ? calloc(count, sizeof *got) : NULL;
  uint64_t different = 0, first = 0;
  bool good = got && tessera_pto_read(t->machine, t->index, got, count) == TESSERA_PTO_RAN;
  for (size_t i = 0; good && i < count; i++) {
    if (fabs(want[i] - got[i]) <= tolerance * (1 + fabs(want[i])) || (isnan(want[i]) && isnan(got[i]))) continue;
    if (!different++) first = i;
  }
  if (good && different)
    printf("@%s: %llu of %llu elements differ from %s; the first is [%llu]: %g, expected %g\n", t->info.name,
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
      tessera_pto_read_bytes(t->machine, t->index, 0, bytes, (size_t)t->info.bytes) == TESSERA_PTO_RAN &&
      npy_save("pto", path, descr[t->info.dtype], shape, t->info.rank ? t->info.rank : 1, bytes, (size_t)t->info.bytes);
  free(bytes);
  return good;
}

/* --- trace --- */

#define FIFOS_PID 9

struct pto_trace {
  FILE *file;
  const char *path;
  struct tessera_pto_machine *machine;
  double cycle_us;
};

static void add_event(void *context, const struct tessera_pto_event *e) {
  struct pto_trace *t = context;
  fputs(",\n", t->file);
  if (e->kind == TESSERA_PTO_EVENT_OCCUPANCY)
    fprintf(t->file, "{\"name\":\"%s %s\",\"ph\":\"C\",\"pid\":%d,\"ts\":%.4f,\"args\":{\"slots\":%u}}", e->pipe, e->way,
            FIFOS_PID, (double)e->end * t->cycle_us, e->slots);
  else
    fprintf(t->file,
            "{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.4f,\"dur\":%.4f,\"args\":{\"line\":%u,"
            "\"tile\":%u}}",
            e->operation, e->core, e->unit, (double)e->begin * t->cycle_us, (double)(e->end - e->begin) * t->cycle_us,
            e->line, e->tile);
}

struct pto_trace *pto_trace_open(const char *path, struct tessera_pto_machine *machine) {
  struct pto_trace *t = calloc(1, sizeof *t);
  FILE *file = t ? cli_create(path) : NULL;
  if (!file) {
    cli_bad_input("pto", "%s: %s", path, strerror(errno));
    free(t);
    return NULL;
  }
  *t = (struct pto_trace){file, path, machine, 1.0 / tessera_pto_clock_mhz(machine)};
  fputs("[\n", file);
  for (unsigned core = 0; core < TESSERA_PTO_CORES; core++) {
    fprintf(file, "%s{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s\"}}", core ? ",\n" : "",
            core, tessera_pto_core_name(core));
    for (unsigned unit = 0; unit < TESSERA_PTO_ALL_UNITS; unit++)
      fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", core,
              unit, tessera_pto_unit_name((enum tessera_pto_unit)unit));
  }
  fprintf(file, ",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":\"FIFOs\"}}", FIFOS_PID);
  tessera_pto_set_hook(machine, add_event, t);
  return t;
}

bool pto_trace_close(struct pto_trace *t) {
  tessera_pto_set_hook(t->machine, NULL, NULL);
  fputs("\n]\n", t->file);
  bool good = !ferror(t->file);
  good = cli_finish(t->file, t->path, good);
  if (!good) complain(t->path, "cannot write");
  free(t);
  return good;
}
