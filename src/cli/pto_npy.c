/* NumPy's .npy files, and the Chrome trace writer. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/npy.h"
#include "cli/pto_cli.h"

static bool complain(const char *path, const char *what) {
  cli_bad_input("pto", "%s: %s", path, what);
  return false;
}

static double npy_value(const struct npy *n, uint64_t i, unsigned dtype) {
  const uint8_t *at = n->data + i * n->size;
  if (n->kind == 'f' && n->size == 8) {
    double d;
    memcpy(&d, at, sizeof d);
    return d;
  }
  if (n->size == 8) {
    int64_t v;
    memcpy(&v, at, sizeof v);
    return n->kind == 'u' ? (double)(uint64_t)v : (double)v;
  }
  if (n->kind == 'f') return pto_dtype_load(n->size == 4 ? PTO_F32 : PTO_F16, at);
  if (n->size == 2 && dtype == PTO_BF16) return pto_dtype_load(PTO_BF16, at); /* NumPy has no bfloat16: raw words */
  static const uint8_t with_sign[] = {0, PTO_I8, PTO_I16, 0, PTO_I32}, plain[] = {0, PTO_U8, PTO_U16, 0, PTO_U32};
  return pto_dtype_load(n->kind == 'i' ? with_sign[n->size] : plain[n->size], at);
}

static bool fits(const struct npy *n, const char *path, const struct pto_global *g) {
  if (n->count == g->bytes / pto_dtype_bytes(g->dtype)) return true;
  cli_bad_input("pto", "%s has %llu elements, @%s has %llu", path, (unsigned long long)n->count, g->name,
                (unsigned long long)(g->bytes / pto_dtype_bytes(g->dtype)));
  return false;
}

bool pto_npy_load(const char *path, struct pto_machine *m, int global) {
  const struct pto_global *g = &m->program->globals[global];
  struct npy n;
  bool good = npy_open(&n, "pto", path) && fits(&n, path, g);
  for (uint64_t i = 0; good && i < n.count; i++)
    pto_dtype_store(g->dtype, pto_gm_at(m, g->addr) + i * pto_dtype_bytes(g->dtype), npy_value(&n, i, g->dtype));
  cli_input_free(&n.file);
  return good;
}

int pto_npy_compare(const char *path, const struct pto_machine *m, int global, double tolerance) {
  const struct pto_global *g = &m->program->globals[global];
  struct npy n;
  bool good = npy_open(&n, "pto", path) && fits(&n, path, g);
  uint64_t different = 0, first = 0;
  for (uint64_t i = 0; good && i < n.count; i++) {
    double want = npy_value(&n, i, g->dtype),
           got = pto_dtype_load(g->dtype, pto_gm_at(m, g->addr) + i * pto_dtype_bytes(g->dtype));
    if (fabs(want - got) <= tolerance * (1 + fabs(want)) || (isnan(want) && isnan(got))) continue;
    if (!different++) first = i;
  }
  if (good && different)
    printf("@%s: %llu of %llu elements differ from %s; the first is [%llu]: %g, expected %g\n", g->name,
           (unsigned long long)different, (unsigned long long)n.count, path, (unsigned long long)first,
           pto_dtype_load(g->dtype, pto_gm_at(m, g->addr) + first * pto_dtype_bytes(g->dtype)),
           npy_value(&n, first, g->dtype));
  cli_input_free(&n.file);
  return !good ? -1 : different != 0;
}

bool pto_npy_save(const char *path, const struct pto_machine *m, int global) {
  static const char *const descr[] = {"<f4", "<f2", "<u2", "<i4", "<i2", "|i1", "<u4", "<u2", "|u1"};
  const struct pto_global *g = &m->program->globals[global];
  uint64_t shape[NPY_RANK] = {g->bytes / pto_dtype_bytes(g->dtype)};
  for (unsigned i = 0; i < g->rank && i < NPY_RANK; i++) shape[i] = g->shape[i];
  return npy_save("pto", path, descr[g->dtype], shape, g->rank ? g->rank : 1, pto_gm_at(m, g->addr), g->bytes);
}

/* --- trace --- */

struct pto_trace {
  FILE *file;
  const char *path;
  struct pto_machine *machine;
  bool first;
};

static void sink(void *context, const struct sim_event *e) {
  struct pto_trace *t = context;
  const struct pto_machine *m = t->machine;
  double us = 1.0 / m->profile->clock_mhz;
  fputs(t->first ? "" : ",\n", t->file);
  t->first = false;
  if (e->kind == PTO_EV_OCCUPANCY) {
    fprintf(t->file, "{\"name\":\"%s %s\",\"ph\":\"C\",\"pid\":9,\"ts\":%.4f,\"args\":{\"slots\":%u}}",
            m->program->pipes[e->agent].name, e->a == PTO_WAY_C2V ? "C2V" : "V2C", (double)e->at * us, e->b);
    return;
  }
  const struct pto_function *fn = &m->program->functions[m->program->core_function[e->agent / PTO_UNITS]];
  const struct pto_instr *i = &fn->instrs[e->a];
  fprintf(t->file,
          "{\"name\":\"%s\",\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%.4f,\"dur\":%.4f,\"args\":{\"line\":%u,\"tile\":%u}}",
          pto_op_name(i->op), e->agent / (unsigned)PTO_UNITS, e->agent % (unsigned)PTO_UNITS, (double)e->c * us,
          (double)(e->at - e->c) * us, i->line, e->b);
}

struct pto_trace *pto_trace_open(const char *path, struct pto_machine *m) {
  struct pto_trace *t = calloc(1, sizeof *t);
  FILE *file = t ? fopen(path, "w") : NULL;
  if (!file) {
    cli_bad_input("pto", "%s: %s", path, strerror(errno));
    free(t);
    return NULL;
  }
  *t = (struct pto_trace){file, path, m, false};
  fputs("[\n", file);
  for (unsigned core = 0; core < PTO_CORES; core++) {
    fprintf(file, "%s{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%u,\"args\":{\"name\":\"%s\"}}", core ? ",\n" : "",
            core, pto_core_name(core));
    for (unsigned unit = 0; unit < PTO_UNITS; unit++)
      fprintf(file, ",\n{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":\"%s\"}}", core,
              unit, pto_unit_name(unit));
  }
  fputs(",\n{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":9,\"args\":{\"name\":\"FIFOs\"}}", file);
  sim_log_attach(&m->log, sink, t, 1u << PTO_EV_WORK | 1u << PTO_EV_OCCUPANCY);
  return t;
}

bool pto_trace_close(struct pto_trace *t) {
  fputs("\n]\n", t->file);
  bool good = fclose(t->file) == 0;
  if (!good) complain(t->path, "cannot write");
  sim_log_detach(&t->machine->log, 0);
  free(t);
  return good;
}
