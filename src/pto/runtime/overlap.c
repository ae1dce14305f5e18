/* Slots and tiles that overlap in one core's memory: overwritten data, and reads of it.
 *
 * The consumer's slots (a ring in UB or L1, or the landing slots of a GM path) have addresses from the program, and
 * hardware does not keep them apart from tiles. An overlap alone is not an error: the bytes may be used by one after the
 * other. Reported are the read of a tile after a slot's write has overwritten it, and the write of a tile over a slot that
 * is still in use. */
#include "pto/runtime/overlap.h"

#include "pto/program/pipe.h"
#include "pto/program/regions.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/order.h"
#include "pto/runtime/report.h"
#include "pto/runtime/tile.h"

struct span {
  uint64_t begin, end;
};

static bool meet(struct span a, struct span b) { return a.begin < b.end && b.begin < a.end; }

static struct span tile_span(const struct pto_tile *t) {
  return (struct span){t->at, t->at + (uint64_t)t->rows * t->cols * pto_dtype_bytes(t->dtype)};
}

static struct span ref_span(const struct pto_ref *r) { return (struct span){r->addr, r->addr + pto_ref_extent(r)}; }

/* Does a pipe have slots in this core's own memory at `loc`? Sets their range. */
static bool own_slots(const struct pto_machine *m, unsigned core, unsigned pipe, unsigned loc, struct span *where) {
  struct pto_region region;
  if (!pto_own_region(m->program, pipe, core, &region) || region.loc != loc) return false;
  *where = (struct span){region.begin, region.end};
  return true;
}

void pto_overlap_prepare(struct pto_machine *m) {
  struct pto_region common;
  m->rings_meet = 0;
  for (unsigned b = 1; b < m->program->pipe_count; b++)
    for (unsigned a = 0; a < b; a++) m->rings_meet |= pto_pipes_meet(m->program, a, b, &common);
  for (unsigned core = 0; core < PTO_CORES; core++) {
    m->overlaps[core] = m->tiles_meet[core] = 0;
    if (core == 0) m->any_overlap = 0;
    if (m->program->core_function[core] < 0) continue;
    const struct pto_function *fn = m->function[core];
    struct span ring;
    for (unsigned t = 0; t < fn->tile_count; t++) m->tiles_meet[core] |= !fn->tiles[t].bound && fn->tiles[t].record != t;
    for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++)
      for (unsigned t = 0; t < fn->tile_count; t++)
        if (!fn->tiles[t].bound && own_slots(m, core, pipe, fn->tiles[t].loc, &ring) && meet(ring, tile_span(&fn->tiles[t])))
          m->overlaps[core] = m->any_overlap = 1;
  }
}

/* A push or a pop has filled a slot of this core: finds the tiles that it overwrites. */
static void slot_written(struct pto_machine *m, unsigned core, const struct pto_item *item, uint32_t line) {
  if (!m->overlaps[core]) return;
  const struct pto_function *fn = m->function[core];
  for (unsigned t = 0; t < fn->tile_count; t++)
    if (!fn->tiles[t].bound && fn->tiles[t].loc == item->dst.loc && meet(ref_span(&item->dst), tile_span(&fn->tiles[t])))
      m->cores[core].lost[t] = (struct pto_lost){.line = line, .pipe = item->pipe, .slot = item->slot};
}

/* A tile was written: does it overwrite a slot in use? */
static void tile_written(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line) {
  const struct pto_function *fn = m->function[core];
  unsigned direction = core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V, lane = core == PTO_AIV1;
  struct span mine = tile_span(&fn->tiles[tile]), ring;
  m->cores[core].lost[tile] = (struct pto_lost){0};
  for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++) {
    if (!own_slots(m, core, pipe, fn->tiles[tile].loc, &ring) || !m->direction_info[pipe][direction][core].zero_copy)
      continue;
    const struct pto_pipe_config *c = pto_config(m, pipe, core);
    for (uint32_t slot = 0; slot < c->slot_num; slot++) {
      const struct sim_slot *s = &m->directions[pipe][direction].ring[lane].slots[slot];
      struct span bytes = {ring.begin + (uint64_t)slot * c->slot_size, ring.begin + (uint64_t)(slot + 1) * c->slot_size};
      if (s->state == SIM_SLOT_FREE || !meet(mine, bytes)) continue;
      pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_TILE,
                                       .core = (uint8_t)core,
                                       .unit = (uint8_t)unit,
                                       .pipe = (int16_t)pipe,
                                       .direction = (uint8_t)direction,
                                       .slot = (uint16_t)slot,
                                       .detail = 1,
                                       .line = line,
                                       .other_line = s->writer,
                                       .tile = (uint64_t)tile,
                                       .other_tile = s->version});
    }
  }
}

/* In program order, like the checks of uses: popped copies that this write of a tile overwrites. */
void pto_overlap_issue(struct pto_machine *m, unsigned core, int tile, uint32_t line) {
  if (!m->overlaps[core]) return;
  const struct pto_function *fn = m->function[core];
  for (unsigned t = 0; t < fn->tile_count && !fn->tiles[tile].bound; t++) {
    struct pto_binding *b = &m->cores[core].tile_binding[t];
    if (!fn->tiles[t].bound || b->pipe < 0 || b->zero_copy || fn->tiles[t].loc != fn->tiles[tile].loc) continue;
    if (meet(tile_span(&fn->tiles[tile]), (struct span){b->addr, b->addr + b->bytes}) && !b->overwritten_line)
      b->overwritten_line = line;
  }
}

void pto_overlap_written(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  if (i->op == PTO_OP_TPUSH && item->dst.loc == PTO_VEC) { /* both UBs at once */
    for (unsigned lane = 0; lane < 2; lane++)
      if ((item->dst.lanes >> lane & 1u) && m->cores[PTO_AIV0 + lane].present)
        slot_written(m, PTO_AIV0 + lane, item, i->line);
  } else if (i->op == PTO_OP_TPUSH || i->op == PTO_OP_TPOP) {
    if (item->dst.loc != PTO_GM && m->cores[item->dst.core].present) slot_written(m, item->dst.core, item, i->line);
  } else if (i->dst >= 0 && m->overlaps[core] && !m->function[core]->tiles[i->dst].bound) {
    tile_written(m, core, unit, i->dst, i->line);
  }
}

/* A tile on the bytes of slots that the other core writes: its use and those writes must be ordered. */
static void use_tile(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  unsigned direction = core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V;
  struct span ring;
  for (unsigned pipe = 0; pipe < m->program->pipe_count && !t->bound; pipe++) {
    if (!own_slots(m, core, pipe, t->loc, &ring) || !m->direction_info[pipe][direction][core].zero_copy ||
        !meet(tile_span(t), ring) || !m->cores[core].ends[pipe].built)
      continue;
    const struct pto_pipe_config *c = pto_config(m, pipe, core);
    unsigned lanes = core == PTO_AIC ? 3u : core == PTO_AIV0 ? 1u : 2u;
    for (uint32_t slot = 0; slot < 2 * c->slot_num; slot++) {
      unsigned lane = slot & 1u;
      uint64_t begin = ring.begin + (uint64_t)(slot / 2) * c->slot_size;
      if (!(lanes >> lane & 1u) || !meet(tile_span(t), (struct span){begin, begin + c->slot_size})) continue;
      struct pto_slot_use *use = pto_order_slot(m, pipe, direction, lane, slot / 2);
      unsigned agent = pto_agent(core, unit);
      if (use->write.tick && !pto_order_after(m, agent, &use->write))
        pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_TILE,
                                         .core = (uint8_t)(use->write.agent / PTO_UNITS),
                                         .unit = (uint8_t)(use->write.agent % PTO_UNITS),
                                         .other_core = (uint8_t)core,
                                         .pipe = (int16_t)pipe,
                                         .slot = (uint16_t)(slot / 2),
                                         .detail = PTO_UNORDERED,
                                         .line = use->write.line,
                                         .other_line = line,
                                         .tile = (uint64_t)tile,
                                         .other_tile = use->write.tile});
      use->tile = pto_order_now(m, agent, line, (uint32_t)tile);
    }
  }
}

void pto_overlap_read(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  if (m->overlaps[core] && i->op >= PTO_OP_LOAD) {
    if (i->dst >= 0) use_tile(m, core, unit, i->dst, i->line);
    for (unsigned k = 0; k < 3; k++)
      if (i->src[k] >= 0) use_tile(m, core, unit, i->src[k], i->line);
  }
  if (!m->overlaps[core] || i->op == PTO_OP_TPOP) return;
  for (unsigned k = 0; k < 3; k++) {
    if (i->src[k] < 0) continue;
    const struct pto_lost *lost = &m->cores[core].lost[i->src[k]];
    if (!lost->line) continue;
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_TILE,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .pipe = lost->pipe,
                                     .slot = lost->slot,
                                     .line = i->line,
                                     .other_line = lost->line,
                                     .tile = (uint64_t)i->src[k]});
  }
}

/* In program order: a tile is written over another one that was written before. */
void pto_overlap_tiles(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  const struct pto_instr *i = pto_instr_at(m, core, item->instr);
  const struct pto_function *fn = m->function[core];
  struct pto_written *written = m->cores[core].written;
  if (!m->tiles_meet[core]) return;
  for (unsigned k = 0; k < 3; k++) {
    if (i->src[k] < 0 || !written[i->src[k]].line || !written[i->src[k]].end) continue;
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_TILE_TILE,
                                     .core = (uint8_t)core,
                                     .unit = (uint8_t)unit,
                                     .pipe = -1,
                                     .line = i->line,
                                     .other_line = written[i->src[k]].line,
                                     .tile = (uint64_t)i->src[k],
                                     .other_tile = (uint64_t)written[i->src[k]].by});
  }
  if (i->dst < 0 || fn->tiles[i->dst].bound) return;
  struct span now = ref_span(&item->dst);
  for (int t = 0; t < (int)fn->tile_count; t++) {
    struct pto_written *w = &written[t];
    if (t == i->dst || !w->end || w->line || fn->tiles[t].loc != fn->tiles[i->dst].loc) continue;
    if (meet(now, (struct span){w->begin, w->end})) *w = (struct pto_written){w->begin, w->end, i->line, i->dst};
  }
  if (i->op != PTO_OP_INSERT) written[i->dst] = (struct pto_written){.begin = now.begin, .end = now.end};
}

static void report_ends(struct pto_machine *m, unsigned pipe) {
  for (unsigned core = PTO_AIV0; core <= PTO_AIV1; core++) {
    uint64_t cube_at, vector_at;
    unsigned what = pto_ends_differ(m->program, pipe, core, &cube_at, &vector_at);
    if (what == PTO_ENDS_AGREE) continue;
    pto_find(m, (struct pto_finding){.kind = PTO_FIND_ENDS,
                                     .core = (uint8_t)core,
                                     .pipe = (int16_t)pipe,
                                     .detail = (uint16_t)what,
                                     .line = pto_config(m, pipe, core)->line,
                                     .other_line = pto_config(m, pipe, PTO_AIC)->line,
                                     .tile = cube_at,
                                     .other_tile = vector_at});
  }
}

/* Once, before any data moves: reports pipes whose ends differ, and pipes that overlap. */
void pto_setup_report(struct pto_machine *m) {
  for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++) report_ends(m, pipe);
  struct pto_region common;
  for (unsigned a = 0; a < m->program->pipe_count && m->rings_meet; a++)
    for (unsigned b = a + 1; b < m->program->pipe_count; b++) {
      if (!pto_pipes_meet(m->program, a, b, &common)) continue;
      const struct pto_pipe_config *x = pto_pipe_any_end(&m->program->pipes[a]),
                                   *y = pto_pipe_any_end(&m->program->pipes[b]);
      pto_find(m, (struct pto_finding){.kind = PTO_FIND_RING_RING,
                                       .core = common.core,
                                       .pipe = (int16_t)b,
                                       .slot = common.loc,
                                       .detail = (uint16_t)a,
                                       .line = y->line,
                                       .other_line = x->line,
                                       .tile = common.begin,
                                       .other_tile = common.end});
    }
}
