/* Conformance cases (include/tessera/conform.h) over load/casefile.h. */
#include "tessera/conform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/noc_run.h"
#include "api/tile.h"
#include "api/tile_error.h"
#include "load/casefile.h"
#include "load/conform_riscv.h"
#include "observe/hang/hang.h"
#include "observe/words.h"

#define WHY_BYTES 8192u
#define FIRST_BYTES 65536u /* holds the first case of a NoC text; a text whose first case is longer is one of tile cases */
#define MAX_CYCLES 10000000u

/* A text of tile cases or of NoC cases: the first case decides which. */
struct tessera_cases {
  struct api_handle handle; /* API_CASES */
  tessera_read_fn *read;
  void *context;
  char first[FIRST_BYTES]; /* bytes read to find the first case */
  size_t first_length, first_used;
  bool is_noc;
  struct case_reader *reader; /* one of these two is in use */
  struct noc_case_reader *noc_reader;
  struct conform_case current;
  struct noc_case noc;
  bool has_case;
  char *name, *text; /* text: a copy, if the source is a text */
  size_t length, used;
  char error[512], why[WHY_BYTES];
};

static bool is_cases(const struct tessera_cases *c) { return api_is(c, API_CASES); }

static long read_copy(void *context, char *bytes, size_t size) {
  struct tessera_cases *c = context;
  size_t left = c->length - c->used, part = left < size ? left : size;
  memcpy(bytes, c->text + c->used, part);
  c->used += part;
  return (long)part;
}

static long read_first(void *context, char *bytes, size_t size) {
  struct tessera_cases *c = context;
  size_t left = c->first_length - c->first_used, part = left < size ? left : size;
  if (!left) return c->read(c->context, bytes, size);
  memcpy(bytes, c->first + c->first_used, part);
  c->first_used += part;
  return (long)part;
}

/* Does the first case have the name of a NoC case? */
static bool begins_with_noc_case(const char *text, size_t length) {
  for (size_t i = 0; i + 9 <= length; i++)
    if ((i == 0 || text[i - 1] == '\n') && memcmp(text + i, "case ", 5) == 0) return memcmp(text + i + 5, "noc_", 4) == 0;
  return false;
}

static bool start_reading(struct tessera_cases *c) {
  while (c->first_length < sizeof c->first) {
    long got = c->read(c->context, c->first + c->first_length, sizeof c->first - c->first_length);
    if (got <= 0) break; /* the next read reports the end or the error */
    c->first_length += (size_t)got;
  }
  c->is_noc = begins_with_noc_case(c->first, c->first_length);
  if (c->is_noc) c->noc_reader = noc_case_open(c->name, read_first, c);
  else c->reader = case_open(c->name, read_first, c);
  return c->reader || c->noc_reader;
}

struct tessera_cases *tessera_cases_open(const char *name, tessera_read_fn *read, void *context) {
  struct tessera_cases *c = name && read ? calloc(1, sizeof *c) : NULL;
  if (!c) return NULL;
  c->handle.magic = API_CASES;
  c->name = malloc(strlen(name) + 1);
  if (c->name) memcpy(c->name, name, strlen(name) + 1);
  c->read = read;
  c->context = context;
  return c;
}

struct tessera_cases *tessera_cases_text(const char *name, const char *text, size_t length) {
  struct tessera_cases *c = text ? tessera_cases_open(name, read_copy, NULL) : NULL;
  if (!c) return NULL;
  c->context = c;
  c->text = malloc(length ? length : 1);
  if (!c->text) {
    tessera_cases_close(c);
    return NULL;
  }
  memcpy(c->text, text, length);
  c->length = length;
  return c;
}

static void free_current(struct tessera_cases *c) {
  case_free(&c->current);
  noc_case_free(&c->noc);
  c->has_case = false;
}

void tessera_cases_close(struct tessera_cases *c) {
  if (!is_cases(c)) return;
  c->handle.magic = 0;
  free_current(c);
  if (c->reader) case_close(c->reader);
  if (c->noc_reader) noc_case_close(c->noc_reader);
  free(c->name);
  free(c->text);
  free(c);
}

enum tessera_result tessera_cases_next(struct tessera_cases *c) {
  if (!is_cases(c)) return TESSERA_INVALID;
  if (c->error[0]) return TESSERA_REFUSED;
  if (!c->name || (!c->reader && !c->noc_reader && !start_reading(c))) return TESSERA_NO_MEMORY;
  free_current(c);
  int result = c->is_noc ? noc_case_next(c->noc_reader, &c->noc, c->error, sizeof c->error)
                         : case_next(c->reader, &c->current, c->error, sizeof c->error);
  c->has_case = result > 0;
  if (result >= 0) c->error[0] = '\0'; /* a reader may write a message and then succeed */
  return result > 0 ? TESSERA_OK : result == 0 ? TESSERA_DONE : TESSERA_REFUSED;
}

const char *tessera_cases_error(const struct tessera_cases *c) { return is_cases(c) ? c->error : ""; }
const char *tessera_cases_why(const struct tessera_cases *c) { return is_cases(c) ? c->why : ""; }

enum tessera_result tessera_cases_current(const struct tessera_cases *c, struct tessera_case *current) {
  if (!is_cases(c) || !c->has_case || !current) return TESSERA_INVALID;
  if (c->is_noc)
    *current = (struct tessera_case){
        .name = c->noc.name, .tags = c->noc.tags, .line = c->noc.line, .noc = 1, .document = c->noc.document};
  else *current = (struct tessera_case){.name = c->current.name, .tags = c->current.tags, .line = c->current.line};
  return TESSERA_OK;
}

int tessera_cases_match(const struct tessera_cases *c, const char *selector) {
  if (!is_cases(c) || !c->has_case || !selector) return 0;
  return c->is_noc ? noc_case_matches(&c->noc, selector) : case_matches(&c->current, selector);
}

/* --- running one --- */

static void fill_l1(struct tx_tile *t, const struct conform_case *c) {
  for (size_t i = 0; i < c->initial.count; i++) {
    const struct case_range *r = &c->initial.items[i];
    if (r->is_fill) memset(t->l1 + r->address, r->fill, r->length);
    else memcpy(t->l1 + r->address, c->bytes.data + r->data, r->length);
  }
}

/* Writes the first byte that differs to `why`. */
static bool compare(const struct tx_tile *t, const struct conform_case *c, char *why, size_t size) {
  for (size_t i = 0; i < c->expected.count; i++) {
    const struct case_range *r = &c->expected.items[i];
    for (uint32_t k = 0; k < r->length; k++) {
      uint8_t want = r->is_fill ? r->fill : c->bytes.data[r->data + k], got = t->l1[r->address + k];
      if (want == got) continue;
      snprintf(why, size, "L1 byte 0x%05x: expected %02x, got %02x", r->address + k, want, got);
      return false;
    }
  }
  return true;
}

static bool judge(struct tessera_cases *c, struct tessera_tile *tile, uint64_t max_cycles) {
  struct tx_tile *t = &tile->tile;
  switch (tile->end) {
    case SIM_END_DONE: return compare(t, &c->current, c->why, sizeof c->why);
    case SIM_END_BLOCKED: {
      int n = snprintf(c->why, sizeof c->why, "hangs at cycle %llu\n", (unsigned long long)t->engine.now);
      obs_hang_report(t, c->why + n, sizeof c->why - (size_t)n);
      return false;
    }
    case SIM_END_STOPPED: obs_fault_line(t, c->why, sizeof c->why); return false;
    default: snprintf(c->why, sizeof c->why, "not finished after %llu cycles", (unsigned long long)max_cycles); return false;
  }
}

static enum tessera_result take_ops(struct tessera_tile *tile, const struct conform_case *c) {
  for (unsigned i = 0; i < TX_THREADS; i++) {
    const struct case_ops *list = &c->core[i];
    if (!api_reserve(tile, i, list->count)) return api_refuse(tile, TESSERA_NO_MEMORY, "out of memory");
    if (list->count) memcpy(tile->ops[i], list->ops, list->count * sizeof *list->ops);
    tile->script[i].count = (uint32_t)list->count;
    tx_script_attach(&tile->tile, i, &tile->script[i]);
  }
  return TESSERA_OK;
}

static enum tessera_result run_noc(struct tessera_cases *c, const struct tessera_case_options *o,
                                   struct tessera_case_result *result) {
  const struct noc_run_options run = {
      .timing = o->timing == TESSERA_TIMING_CYCLE, .threads = o->threads, .max_cycles = o->max_cycles};
  if (o->riscv) return TESSERA_REFUSED;
  result->passed = noc_run_case(&run, &c->noc, &result->cycles, c->why, sizeof c->why);
  if (result->passed) c->why[0] = '\0';
  return TESSERA_OK;
}

/* Memory that a case sets up counts as written, zeros included. */
static bool attach_checker(struct tessera_tile *tile, uint32_t kinds) {
  if (!kinds) return true;
  if (tessera_tile_set_option(tile, TESSERA_OPTION_CHECK, kinds) != TESSERA_OK) return false;
  chk_all_written(tile->check);
  return true;
}

/* The first warning or error of a checker. */
static bool check_found(struct tessera_cases *c, const struct tx_tile *t) {
  for (uint32_t i = 0; i < t->diag.finding_count; i++) {
    const struct tx_finding *f = &t->diag.findings[i];
    const struct tx_diag_info *info = &tx_diag_infos[f->id];
    if (strncmp(info->where, "check", 5) != 0 || info->severity < SIM_WARNING) continue;
    snprintf(c->why, sizeof c->why, "%s: %s: %s (cycle %llu)", info->name, info->what, f->why,
             (unsigned long long)f->first_cycle);
    return true;
  }
  return false;
}

enum tessera_result tessera_cases_run(struct tessera_cases *c, struct tessera_tile *tile,
                                      const struct tessera_case_options *options, struct tessera_case_result *result) {
  struct tessera_case_options o = {.timing = TESSERA_TIMING_CYCLE, .threads = 1};
  if (!is_cases(c) || !c->has_case || !result || !api_is_tile(tile)) return TESSERA_INVALID;
  if (options) o = *options;
  if (!o.max_cycles) o.max_cycles = MAX_CYCLES;
  *result = (struct tessera_case_result){0};
  c->why[0] = '\0';
  if (c->is_noc) return run_noc(c, &o, result);
  if (tessera_tile_reset(tile, o.timing) != TESSERA_OK) return TESSERA_INVALID;
  if (o.scalar) tx_tile_use_scalar(&tile->tile);
  fill_l1(&tile->tile, &c->current);
  if (!o.riscv && take_ops(tile, &c->current) != TESSERA_OK) return TESSERA_NO_MEMORY;
  if (!attach_checker(tile, o.check)) return TESSERA_NO_MEMORY;
  if (o.riscv && !conform_riscv_start(&tile->tile, &c->current, c->why, sizeof c->why)) return TESSERA_OK;
  api_end(tile, tx_tile_run(&tile->tile, o.max_cycles));
  result->passed = judge(c, tile, o.max_cycles) && !(o.check && check_found(c, &tile->tile));
  result->cycles = tile->tile.engine.now;
  return TESSERA_OK;
}
