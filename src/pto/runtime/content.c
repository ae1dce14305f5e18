/* See content.h. */
#include "pto/runtime/content.h"

#include <string.h>

#include "pto/runtime/direction.h"
#include "pto/runtime/order.h"
#include "pto/runtime/report.h"
#include "pto/runtime/request.h"
#include "pto/runtime/tile.h"

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 29;
}

/* Tiles that overlap have one number. */
static uint64_t *place(struct pto_machine *m, unsigned core, int tile) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  return &m->cores[core].content[t->bound ? (unsigned)tile : t->record];
}

uint64_t pto_content(const struct pto_machine *m, unsigned core, int tile) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  return m->cores[core].content[t->bound ? (unsigned)tile : t->record];
}

static uint64_t mix_ref(uint64_t hash, const struct pto_ref *r) {
  hash = mix(hash, r->addr);
  hash = mix(hash, (uint64_t)r->rows << 32 | r->cols);
  return mix(hash, (uint64_t)r->row_stride << 32 | r->col_stride);
}

/* The data of an operation: what it is, its number, its sources and their shapes. */
static uint64_t result_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i,
                          const struct pto_item *item) {
  uint64_t number = 0, hash = mix(i->op, (uint64_t)item->dst.rows << 32 | item->dst.cols);
  memcpy(&number, &i->number, sizeof number);
  hash = mix(hash, number);
  if (i->op == PTO_OP_LOAD) {
    const struct pto_ref *from = &item->src[0];
    hash = mix_ref(hash, from);
    return from->pipe >= 0 ? mix(hash, from->version + ((uint64_t)from->pipe << 48)) : hash;
  }
  for (unsigned k = 0; k < 3 && i->src[k] >= 0; k++)
    hash = mix(mix(hash, pto_content(m, core, i->src[k])), (uint64_t)item->src[k].rows << 32 | item->src[k].cols);
  if (i->op != PTO_OP_EXTRACT && i->op != PTO_OP_INSERT) return hash;
  hash = mix(hash, (uint64_t)pto_scalar(&m->cores[core], i->a));
  return mix(hash, (uint64_t)pto_scalar(&m->cores[core], i->b));
}

void pto_content_issue(struct pto_machine *m, unsigned core, const struct pto_instr *i, struct pto_item *item) {
  if (i->dst >= 0) {
    uint64_t *to = place(m, core, i->dst), before = i->op == PTO_OP_INSERT ? *to : 0;
    *to = mix(before, result_of(m, core, i, item));
    return;
  }
  if (i->op != PTO_OP_STORE) return;
  item->content = pto_content(m, core, i->src[0]);
  if (item->dst.pipe >= 0 && core != PTO_AIC && m->function[core]->views[i->view].split == PTO_NO_SPLIT)
    pto_content_push(m, core, PTO_MTE3, i, &item->dst, item->content);
}

void pto_content_pop(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned split, uint64_t version) {
  const struct pto_end *e = &m->cores[core].ends[i->pipe];
  uint64_t lane = split == PTO_NO_SPLIT ? 0 : pto_lane_of(m, core, i) + 1;
  uint64_t hash = mix(mix(PTO_OP_TPOP, version), (uint64_t)i->pipe << 8 | lane);
  *place(m, core, i->dst) = mix(hash, (uint64_t)e->cons_offset);
}

void pto_content_push(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_instr *i,
                      const struct pto_ref *ref, uint64_t content) {
  if (m->lanes_present[ref->pipe] != 3 || pto_direction_lanes(m, (unsigned)ref->pipe, PTO_NO_SPLIT) != 3) return;
  unsigned lane = m->cores[core].lane, direction = PTO_DIRECTION_V2C;
  struct pto_slot_use *own = pto_order_slot(m, (unsigned)ref->pipe, direction, lane, ref->slot),
                      *other = pto_order_slot(m, (unsigned)ref->pipe, direction, 1 - lane, ref->slot);
  uint64_t begin = ref->addr, end = ref->addr + pto_ref_extent(ref);
  own->content = (struct pto_content_write){content, ref->version, begin, end, i->line, true};
  const struct pto_content_write *w = &other->content;
  if (!w->known || w->version != ref->version || end <= w->begin || w->end <= begin) return;
  if (w->content == content && w->begin == begin && w->end == end) return;
  pto_find(m, (struct pto_finding){.kind = PTO_FIND_WRITERS,
                                   .core = (uint8_t)core,
                                   .unit = (uint8_t)unit,
                                   .other_core = (uint8_t)(lane ? PTO_AIV0 : PTO_AIV1),
                                   .pipe = ref->pipe,
                                   .direction = (uint8_t)direction,
                                   .slot = ref->slot,
                                   .line = i->line,
                                   .other_line = w->line,
                                   .tile = ref->version});
}
