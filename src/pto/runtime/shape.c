/* See shape.h. */
#include "pto/runtime/shape.h"

#include "pto/runtime/direction.h"
#include "pto/runtime/report.h"

void pto_shape_push(struct pto_machine *m, unsigned core, const struct pto_item *item, struct pto_slot_use *use) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  const struct pto_end *e = &m->cores[core].ends[item->pipe];
  bool again = use->shape.version == item->tile && use->shape.line; /* another part of the same tile */
  bool whole = i->op == PTO_OP_TPUSH && item->ref_count && !again && item->recorded && !e->prod_offset && i->lane < 0 &&
               i->layout == PTO_NZ2ND && !pto_config(m, (unsigned)item->pipe, core)->multi;
  use->shape = (struct pto_slot_shape){.version = item->tile, .line = item->line, .split = item->split, .known = whole};
  if (!whole) return;
  use->shape.rows = item->src[0].rows;
  use->shape.cols = item->src[0].cols;
  use->shape.dtype = item->dst.dtype;
}

/* The part of a whole tile that a lane has. */
static void part_of(unsigned split, unsigned lane, uint32_t *rows, uint32_t *cols) {
  if (split == PTO_UP_DOWN || split == PTO_UP_DOWN_ODD) *rows = lane ? *rows / 2 : (*rows + 1) / 2;
  if (split == PTO_LEFT_RIGHT || split == PTO_LEFT_RIGHT_ODD) *cols = lane ? *cols / 2 : (*cols + 1) / 2;
}

static bool same_type(unsigned a, unsigned b) {
  return a == b || (a >= PTO_I32 && b >= PTO_I32 && pto_dtype_bytes(a) == pto_dtype_bytes(b));
}

void pto_shape_pop(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                   const struct pto_slot_use *use) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  const struct pto_slot_shape *s = &use->shape;
  if (i->op != PTO_OP_TPOP || i->dst < 0 || i->lane >= 0 || !s->known || s->version != item->tile ||
      s->split != item->split || m->cores[core].ends[item->pipe].cons_offset)
    return;
  const struct pto_ref *popped = &item->dst;
  uint32_t rows = s->rows, cols = s->cols, own_rows = popped->rows, own_cols = popped->cols;
  if (item->direction == PTO_DIRECTION_C2V) part_of(item->split, m->cores[core].lane, &rows, &cols);
  else if (item->split == PTO_UP_DOWN) rows *= 2;
  else if (item->split == PTO_LEFT_RIGHT) cols *= 2;
  if (same_type(popped->dtype, s->dtype) && own_rows == rows && own_cols == cols) return;
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_TYPE,
                                   .core = (uint8_t)core,
                                   .unit = (uint8_t)unit,
                                   .pipe = item->pipe,
                                   .direction = item->direction,
                                   .lane = popped->dtype,
                                   .flag = s->dtype,
                                   .slot = item->slot,
                                   .detail = item->split,
                                   .line = item->line,
                                   .other_line = s->line,
                                   .tile = (uint64_t)own_rows << 32 | own_cols,
                                   .other_tile = (uint64_t)rows << 32 | cols});
}
