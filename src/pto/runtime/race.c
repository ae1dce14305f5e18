/* See race.h. */
#include "pto/runtime/race.h"

#include <stdlib.h>
#include <string.h>

#include "pto/runtime/order.h"
#include "pto/runtime/report.h"

#define BUCKETS 64u
#define ACCESSES_MAX 16384u
#define NONE UINT32_MAX

/* Rows of bytes at equal distances. */
struct area {
  uint64_t begin, stride;
  uint32_t rows, bytes;
};

struct access {
  struct area area;
  struct pto_moment moment;
  uint64_t content; /* of a store: content.h */
  uint32_t block, dispatch, next;
  uint8_t write, atomic, pad[2];
};

struct tensor {
  uint32_t watched;
  uint32_t bucket[BUCKETS]; /* the first access that begins in this part of the tensor */
  uint64_t extent;          /* of the longest access */
};

struct pto_races {
  uint32_t count, any;
  struct tensor tensors[PTO_GLOBALS_MAX];
  struct access accesses[ACCESSES_MAX];
};

/* --- which tensors are checked --- */

/* Pipes that use a tensor: bit per agent; and whether one of them stores. */
struct usage {
  uint32_t agents;
  bool stored;
};

static void count_uses(const struct pto_program *p, struct usage uses[PTO_GLOBALS_MAX]) {
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (p->core_function[core] < 0) continue;
    const struct pto_function *fn = &p->functions[p->core_function[core]];
    for (uint32_t n = 0; n < fn->instr_count; n++) {
      const struct pto_instr *i = &fn->instrs[n];
      if ((i->op != PTO_OP_LOAD && i->op != PTO_OP_STORE) || fn->views[i->view].global < 0) continue;
      struct usage *u = &uses[fn->views[i->view].global];
      bool acc = i->op == PTO_OP_STORE && fn->tiles[i->src[0]].loc == PTO_ACC;
      u->agents |= 1u << pto_agent(core, i->op == PTO_OP_LOAD ? PTO_MTE2 : acc ? PTO_FIX : PTO_MTE3);
      u->stored = u->stored || i->op == PTO_OP_STORE;
    }
  }
}

struct pto_races *pto_races_new(const struct pto_program *const *programs, uint32_t program_count, uint32_t blocks) {
  struct usage uses[PTO_GLOBALS_MAX] = {{0, false}};
  struct pto_races *r = calloc(1, sizeof *r);
  if (!r) return NULL;
  for (uint32_t i = 0; i < program_count; i++) count_uses(programs[i], uses);
  for (unsigned g = 0; g < programs[0]->global_count; g++) {
    const struct usage *u = &uses[g];
    r->tensors[g].watched = u->stored && (blocks > 1 || (u->agents & (u->agents - 1)));
    r->any |= r->tensors[g].watched;
  }
  pto_races_reset(r);
  return r;
}

void pto_races_free(struct pto_races *races) { free(races); }

bool pto_races_watch(const struct pto_races *races) { return races->any; }

void pto_races_reset(struct pto_races *r) {
  r->count = 0;
  if (!r->any) return;
  for (unsigned g = 0; g < PTO_GLOBALS_MAX; g++) {
    if (!r->tensors[g].watched) continue;
    r->tensors[g].extent = 0;
    memset(r->tensors[g].bucket, 0xff, sizeof r->tensors[g].bucket);
  }
}

/* --- areas --- */

static uint64_t end_of(const struct area *a) { return a->begin + (a->rows - 1) * a->stride + a->bytes; }

static struct area area_at(const struct pto_ref *ref, uint64_t begin, uint32_t cols) {
  unsigned size = pto_dtype_bytes(ref->dtype);
  struct area a = {begin, (uint64_t)ref->row_stride * size, ref->rows, cols * size};
  if (ref->col_stride != 1) { /* column by column: its rows are the areas */
    a = (struct area){begin, (uint64_t)ref->col_stride * size, cols, ref->rows * size};
    if (ref->row_stride != 1) a.bytes = size; /* neither is contiguous: only the first element of each column is compared */
  }
  if (a.rows > 1 && a.stride == a.bytes) a = (struct area){begin, 0, 1, a.rows * a.bytes};
  return a;
}

/* The first byte that both have; NONE as 64 bits: none. */
static uint64_t common_byte(const struct area *a, const struct area *b) {
  if (end_of(a) <= b->begin || end_of(b) <= a->begin) return UINT64_MAX;
  if (b->rows > a->rows) {
    const struct area *t = a;
    a = b;
    b = t;
  }
  for (uint32_t row = 0; row < b->rows; row++) { /* the rows of b among those of a */
    uint64_t low = b->begin + row * b->stride, high = low + b->bytes;
    if (high <= a->begin || low >= end_of(a)) continue;
    uint64_t first = low > a->begin && a->stride ? (low - a->begin) / a->stride : 0;
    for (uint64_t k = first; k < a->rows && k <= first + 1; k++) {
      uint64_t at = a->begin + k * a->stride;
      if (at < high && low < at + a->bytes) return at > low ? at : low;
    }
  }
  return UINT64_MAX;
}

/* --- accesses --- */

static bool same_area(const struct area *a, const struct area *b) {
  return a->begin == b->begin && a->rows == b->rows && a->bytes == b->bytes && a->stride == b->stride;
}

static bool same_place(const struct access *a, const struct access *b) {
  return same_area(&a->area, &b->area) && a->moment.agent == b->moment.agent && a->block == b->block &&
         a->write == b->write && a->atomic == b->atomic && a->moment.line == b->moment.line;
}

/* Both Vectors store the same data to the same bytes: a tile without split is for both. */
static bool same_data(const struct access *a, const struct access *b) {
  return a->write && b->write && a->block == b->block && a->content == b->content && same_area(&a->area, &b->area);
}

static bool races(const struct pto_machine *m, const struct access *now, const struct access *earlier) {
  if (!(now->write | earlier->write) || (now->atomic & earlier->atomic) || same_data(now, earlier)) return false;
  if (now->block != earlier->block) return now->dispatch == earlier->dispatch;
  return now->moment.agent != earlier->moment.agent && !pto_order_after(m, now->moment.agent, &earlier->moment);
}

static void report(struct pto_machine *m, int global, const struct access *now, const struct access *earlier,
                   uint64_t byte) {
  unsigned kinds = (now->write ? PTO_RACE_WRITES : 0u) | (earlier->write ? PTO_RACE_WROTE : 0u);
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_RACE,
                                   .core = (uint8_t)(now->moment.agent / PTO_UNITS),
                                   .unit = (uint8_t)(now->moment.agent % PTO_UNITS),
                                   .other_core = (uint8_t)(earlier->moment.agent / PTO_UNITS),
                                   .lane = (uint8_t)(earlier->moment.agent % PTO_UNITS),
                                   .pipe = -1,
                                   .flag = (uint8_t)global,
                                   .detail = (uint16_t)kinds,
                                   .slot = (uint16_t)(earlier->block == now->block ? 0 : earlier->block + 1),
                                   .line = now->moment.line,
                                   .other_line = earlier->moment.line,
                                   .tile = byte - m->program->globals[global].addr,
                                   .other_tile = now->block});
}

static unsigned bucket_of(const struct pto_global *g, uint64_t addr) {
  uint64_t at = addr - g->addr;
  return g->bytes <= BUCKETS ? 0 : (unsigned)(at / ((g->bytes + BUCKETS - 1) / BUCKETS));
}

/* Compares with the accesses that begin at most `extent` before it. One race per access is enough. */
static void compare(struct pto_machine *m, int global, struct tensor *t, const struct access *now, bool *known) {
  const struct pto_global *g = &m->program->globals[global];
  uint64_t from = now->area.begin - g->addr > t->extent ? now->area.begin - t->extent : g->addr;
  unsigned last = bucket_of(g, end_of(&now->area) - 1);
  bool found = false;
  for (unsigned b = bucket_of(g, from); b <= last && b < BUCKETS; b++)
    for (uint32_t i = t->bucket[b]; i != NONE; i = m->races->accesses[i].next) {
      struct access *a = &m->races->accesses[i];
      if (same_place(a, now)) {
        a->moment = now->moment;
        a->dispatch = now->dispatch;
        a->content = now->content;
        *known = true;
      } else if (!found && races(m, now, a)) {
        uint64_t byte = common_byte(&now->area, &a->area);
        if (byte == UINT64_MAX) continue;
        report(m, global, now, a, byte);
        found = true;
      }
    }
}

static void one_access(struct pto_machine *m, int global, const struct access *now) {
  struct pto_races *r = m->races;
  const struct pto_global *g = &m->program->globals[global];
  struct tensor *t = &r->tensors[global];
  bool known = false;
  if (!now->area.rows || !now->area.bytes || now->area.begin < g->addr || end_of(&now->area) > g->addr + g->bytes) return;
  compare(m, global, t, now, &known);
  if (known || r->count == ACCESSES_MAX) return;
  struct access *kept = &r->accesses[r->count];
  unsigned bucket = bucket_of(g, now->area.begin);
  *kept = *now;
  kept->next = t->bucket[bucket];
  t->bucket[bucket] = r->count++;
  if (end_of(&now->area) - now->area.begin > t->extent) t->extent = end_of(&now->area) - now->area.begin;
}

void pto_race_access(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  bool write = i->op == PTO_OP_STORE;
  if (!write && i->op != PTO_OP_LOAD) return;
  int global = m->function[core]->views[i->view].global;
  if (global < 0 || !m->races->tensors[global].watched) return;
  const struct pto_ref *ref = write ? &item->dst : &item->src[0];
  struct access now = {.moment = pto_order_now(m, pto_agent(core, unit), item->line, 0),
                       .content = item->content,
                       .block = m->block,
                       .dispatch = m->dispatch,
                       .write = write,
                       .atomic = write && i->atomic_add};
  if (!ref->block_cols) {
    now.area = area_at(ref, ref->addr, ref->cols);
    one_access(m, global, &now);
    return;
  }
  for (uint32_t col = 0; col < ref->cols; col += ref->block_cols) { /* NZ: one area for each block of columns */
    uint64_t at = ref->addr + (uint64_t)(col / ref->block_cols) * ref->block_stride * pto_dtype_bytes(ref->dtype);
    now.area = area_at(ref, at, ref->cols - col < ref->block_cols ? ref->cols - col : ref->block_cols);
    one_access(m, global, &now);
  }
}
