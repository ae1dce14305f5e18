/* Addresses of operands, and dependencies of an operation on the other pipes of its core. */
#include "pto/runtime/tile.h"

#include "pto/runtime/report.h"

bool pto_set_valid(struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  const struct pto_tile *t = &m->function[core]->tiles[i->dst];
  int64_t rows = pto_scalar(&m->cores[core], i->a), cols = pto_scalar(&m->cores[core], i->b);
  if (rows < 0 || rows > t->rows || cols < 0 || cols > t->cols) {
    sim_fault_set(&m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
                  "line %u, %s: valid shape %lld x %lld of tile %%%s, which has %u x %u", i->line, pto_core_name(core),
                  (long long)rows, (long long)cols, t->name, t->rows, t->cols);
    m->fault.pc = i->line;
    sim_stop(&m->engine);
    return false;
  }
  m->cores[core].valid[i->dst][0] = (uint32_t)rows + 1;
  m->cores[core].valid[i->dst][1] = (uint32_t)cols + 1;
  return true;
}

struct pto_ref pto_tile_ref(const struct pto_machine *m, unsigned core, int tile) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  const struct pto_binding *b = &m->cores[core].tile_binding[tile];
  struct pto_ref ref = {.core = (uint8_t)core,
                        .loc = t->loc,
                        .dtype = t->dtype,
                        .pipe = -1,
                        .row_stride = t->cols,
                        .col_stride = 1,
                        .addr = t->at};
  pto_tile_valid(m, core, tile, &ref.rows, &ref.cols);
  if (!t->bound) return ref;
  ref.addr = b->addr;
  ref.row_stride = ref.cols; /* a pop delivers exactly the valid part */
  ref.pipe = (int8_t)b->pipe;
  ref.direction = (int8_t)b->direction;
  ref.slot = b->slot;
  ref.zero_copy = b->zero_copy;
  ref.lanes = b->lanes;
  ref.version = b->version;
  return ref;
}

struct pto_ref pto_view_ref(const struct pto_machine *m, unsigned core, int view, int64_t row, int64_t col) {
  const struct pto_view *v = &m->function[core]->views[view];
  struct pto_ref ref = {.core = (uint8_t)core,
                        .loc = PTO_GM,
                        .dtype = v->dtype,
                        .pipe = -1,
                        .rows = v->rows,
                        .cols = v->cols,
                        .row_stride = v->row_stride,
                        .col_stride = v->col_stride,
                        .block_cols = v->block_cols,
                        .block_stride = v->block_stride};
  uint64_t base;
  if (v->global >= 0) {
    base = m->program->globals[v->global].addr;
  } else {
    const struct pto_binding *b = &m->cores[core].view_binding[v->slot];
    base = b->addr;
    ref.pipe = (int8_t)b->pipe;
    ref.direction = (int8_t)b->direction;
    ref.slot = b->slot;
    ref.zero_copy = 1;
    ref.lanes = b->lanes;
    ref.version = b->version;
  }
  int64_t elements = row * v->row_stride + col * v->col_stride + (int64_t)v->offset;
  ref.addr =
      base + (uint64_t)(elements * (int64_t)pto_dtype_bytes(v->dtype)); /* wraps if negative: detected as out of range */
  return ref;
}

uint8_t *pto_ref_bytes(const struct pto_machine *m, const struct pto_ref *ref) {
  return ref->loc == PTO_GM ? pto_gm_at(m, ref->addr) : m->local[ref->core][ref->loc] + ref->addr;
}

void pto_ref_outside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line, const char *what) {
  uint64_t size = pto_memory_bytes(m, ref->loc), bytes = pto_ref_extent(ref);
  sim_fault_set(&m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
                "line %u, %s: %s reaches byte 0x%llx of %s, which has 0x%llx", line, pto_core_name(core), what,
                (unsigned long long)ref->addr + bytes, pto_loc_name(ref->loc), (unsigned long long)size);
  m->fault.pc = line;
  sim_stop(&m->engine);
}

/* "row 17 (byte 0x440)" of a tensor; bytes before it are negative. */
static void beyond(struct pto_machine *m, const struct pto_ref *ref, const struct pto_global *g, unsigned core,
                   const struct pto_instr *i) {
  uint64_t row_bytes = (uint64_t)g->shape[g->rank - 1] * pto_dtype_bytes(g->dtype), end = ref->addr + pto_ref_extent(ref);
  const char *does = i->op == PTO_OP_STORE ? "stores to" : "loads from", *name = pto_core_name(core);
  m->fault.pc = i->line;
  sim_stop(&m->engine);
  if (ref->addr < g->addr || (int64_t)ref->addr < 0)
    sim_fault_set(&m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
                  "line %u, %s: %s %llu bytes before tensor @%s: its rows begin at 0", i->line, name, does,
                  (unsigned long long)(g->addr - ref->addr), g->name);
  else if (end > g->addr + g->bytes)
    sim_fault_set(&m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
                  "line %u, %s: %s row %llu of tensor @%s, up to byte 0x%llx: it has %llu rows, 0x%llx bytes", i->line, name,
                  does, (unsigned long long)((end - g->addr - 1) / row_bytes), g->name, (unsigned long long)(end - g->addr),
                  (unsigned long long)(g->bytes / row_bytes), (unsigned long long)g->bytes);
  else
    sim_fault_set(
        &m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
        "line %u, %s: %s columns %llu to %llu of tensor @%s, row %llu: it has %u columns, so each row runs into the "
        "next",
        i->line, name, does, (unsigned long long)((ref->addr - g->addr) % row_bytes / pto_dtype_bytes(ref->dtype)),
        (unsigned long long)((ref->addr - g->addr) % row_bytes / pto_dtype_bytes(ref->dtype) + ref->cols - 1), g->name,
        (unsigned long long)((ref->addr - g->addr) / row_bytes), g->shape[g->rank - 1]);
}

/* A transfer names the tensor itself: the valid part of the tile is in it. */
bool pto_tile_in_tensor(struct pto_machine *m, const struct pto_view *v, unsigned core, const struct pto_instr *i) {
  const struct pto_global *g = &m->program->globals[v->global];
  uint32_t rows, cols;
  pto_tile_valid(m, core, i->op == PTO_OP_STORE ? i->src[0] : i->dst, &rows, &cols);
  if ((rows <= v->rows && cols <= v->cols) || !g->bytes) return true;
  sim_fault_set(&m->fault, SIM_FAULT_ADDRESS, m->engine.now, "",
                "line %u, %s: %s a tile of %u x %u, but tensor @%s has %u x %u: %s %u (byte 0x%llx) lies beyond it", i->line,
                pto_core_name(core), i->op == PTO_OP_STORE ? "stores" : "loads", rows, cols, g->name, v->rows, v->cols,
                rows > v->rows ? "row" : "column", rows > v->rows ? v->rows : v->cols,
                (unsigned long long)(rows > v->rows ? g->bytes : v->cols * pto_dtype_bytes(g->dtype)));
  m->fault.pc = i->line;
  sim_stop(&m->engine);
  return false;
}

bool pto_ref_in_tensor(struct pto_machine *m, const struct pto_ref *ref, const struct pto_view *v, unsigned core,
                       const struct pto_instr *i) {
  const struct pto_global *g = &m->program->globals[v->global];
  uint64_t bytes = pto_ref_extent(ref);
  bool good = ref->addr >= g->addr && ref->addr - g->addr <= g->bytes && bytes <= g->bytes - (ref->addr - g->addr);
  /* rows of the tensor itself: a part of a row ends within it */
  unsigned size = pto_dtype_bytes(ref->dtype);
  uint64_t row_bytes = (uint64_t)g->shape[g->rank - 1] * pto_dtype_bytes(g->dtype);
  if (good && ref->rows > 1 && g->rank > 1 && !ref->block_cols && ref->col_stride == 1 &&
      (uint64_t)ref->row_stride * size == row_bytes)
    good = (ref->addr - g->addr) % row_bytes + (uint64_t)ref->cols * size <= row_bytes;
  if (!good) beyond(m, ref, g, core, i);
  return good;
}

/* --- dependencies --- */

static struct pto_record *record_of(struct pto_machine *m, unsigned core, int tile) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  struct pto_core_state *c = &m->cores[core];
  return &c->records[t->bound ? c->tile_binding[tile].record : t->record];
}

static void need(struct pto_item *item, unsigned own, unsigned unit, uint32_t ticket) {
  if (unit == own || ticket <= item->need[unit]) return;
  item->need[unit] = ticket;
  item->needs = 1;
}

void pto_need_read(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile) {
  const struct pto_record *r = record_of(m, core, tile);
  need(item, unit, r->write_unit, r->write_ticket);
}

void pto_need_write(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile) {
  const struct pto_record *r = record_of(m, core, tile);
  need(item, unit, r->write_unit, r->write_ticket);
  for (uint32_t left = r->readers; left; left &= left - 1) {
    unsigned u = (unsigned)__builtin_ctz(left);
    need(item, unit, u, r->read_ticket[u]);
  }
}

void pto_note_read(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line) {
  struct pto_record *r = record_of(m, core, tile);
  r->read_ticket[unit] = m->queues[pto_agent(core, unit)].issued;
  r->readers |= 1u << unit;
  r->read_line = line;
}

void pto_note_write(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line) {
  struct pto_record *r = record_of(m, core, tile);
  r->write_unit = unit;
  r->write_ticket = m->queues[pto_agent(core, unit)].issued;
  r->write_line = line;
}

/* The unit flag orders M and FIX on one accumulator, independent of the program's flags. inferred: the granularity is the whole tile;
 * a store without a preceding product does not hang. */
void pto_unit_flag_store(struct pto_machine *m, unsigned core, struct pto_item *item, int tile, bool last) {
  struct pto_record *r = record_of(m, core, tile);
  item->unit_flag = 1;
  if (last) r->unit_ticket = m->queues[pto_agent(core, PTO_FIX)].issued;
}

void pto_unit_flag_matmul(struct pto_machine *m, unsigned core, struct pto_item *item, int tile) {
  const struct pto_record *r = record_of(m, core, tile);
  item->unit_flag = r->unit_ticket != 0 && r->unit_ticket == item->need[PTO_FIX];
}

/* In program order: does this tile still hold the data to which it was bound? */
void pto_check_use(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  const struct pto_binding *b = &m->cores[core].tile_binding[tile];
  if (!t->bound) return;
  struct pto_finding f = {.core = (uint8_t)core,
                          .unit = (uint8_t)unit,
                          .pipe = (int8_t)b->pipe,
                          .direction = b->direction,
                          .slot = b->slot,
                          .line = line,
                          .other_line = b->line,
                          .tile = b->version,
                          .other_tile = b->version};
  if (b->pipe < 0) {
    f.kind = PTO_FIND_STALE;
    f.detail = SIM_RING_READ_EMPTY;
    pto_find(m, f);
  } else if (b->zero_copy && b->pop < m->cores[core].ends[b->pipe].freed) {
    f.kind = PTO_FIND_USE_AFTER_FREE;
    pto_find(m, f);
  } else if (b->overwritten_line) {
    f.kind = PTO_FIND_LANDING;
    f.other_line = b->overwritten_line;
    pto_find(m, f);
  }
}
