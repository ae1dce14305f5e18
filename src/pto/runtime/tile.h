/* Addresses of operands, and dependencies of an operation on the other pipes of its core. */
#ifndef TESSERA_PTO_RUNTIME_TILE_H
#define TESSERA_PTO_RUNTIME_TILE_H

#include "pto/runtime/state.h"

/* The present valid part. */
static inline void pto_tile_valid(const struct pto_machine *m, unsigned core, int tile, uint32_t *rows, uint32_t *cols) {
  const struct pto_tile *t = &m->function[core]->tiles[tile];
  const uint32_t *now = m->cores[core].valid[tile];
  *rows = now[0] ? now[0] - 1 : t->valid_rows;
  *cols = now[1] ? now[1] - 1 : t->valid_cols;
}
bool pto_set_valid(struct pto_machine *m, unsigned core, const struct pto_instr *i);
struct pto_ref pto_tile_ref(const struct pto_machine *m, unsigned core, int tile);
struct pto_ref pto_view_ref(const struct pto_machine *m, unsigned core, int view, int64_t row, int64_t col);
void pto_need_read(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_need_write(struct pto_machine *m, unsigned core, struct pto_item *item, unsigned unit, int tile);
void pto_note_read(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_note_write(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
void pto_check_use(struct pto_machine *m, unsigned core, unsigned unit, int tile, uint32_t line);
/* EN_UNIT_FLAG: the store waits for M in hardware; the last store returns the accumulator to M in the same way. */
void pto_unit_flag_store(struct pto_machine *m, unsigned core, struct pto_item *item, int tile, bool last);
void pto_unit_flag_matmul(struct pto_machine *m, unsigned core, struct pto_item *item, int tile);
/* Bytes from the first element to the end of the last. */
static inline uint64_t pto_ref_extent(const struct pto_ref *r) {
  if (!r->rows || !r->cols) return 0;
  uint64_t cols = r->cols - 1, last = (uint64_t)(r->rows - 1) * r->row_stride + cols * r->col_stride;
  if (r->block_cols && r->cols > r->block_cols)
    last = (uint64_t)(r->rows - 1) * r->row_stride + (uint64_t)(r->block_cols - 1) * r->col_stride +
           cols / r->block_cols * r->block_stride;
  return (last + 1) * pto_dtype_bytes(r->dtype);
}
static inline uint64_t pto_memory_bytes(const struct pto_machine *m, unsigned loc) {
  return loc == PTO_GM ? m->program->gm_bytes : m->profile->memory_bytes[loc];
}
/* A load or store reaches beyond its tensor, or beyond its row of it: a fault has been recorded. */
bool pto_ref_in_tensor(struct pto_machine *m, const struct pto_ref *ref, const struct pto_view *v, unsigned core,
                       const struct pto_instr *i);
bool pto_tile_in_tensor(struct pto_machine *m, const struct pto_view *v, unsigned core, const struct pto_instr *i);
void pto_ref_outside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line, const char *what)
    __attribute__((cold));
/* false: a fault has been recorded. */
static inline bool pto_ref_inside(struct pto_machine *m, const struct pto_ref *ref, unsigned core, uint32_t line,
                                  const char *what) {
  uint64_t size = pto_memory_bytes(m, ref->loc), bytes = pto_ref_extent(ref);
  if (ref->addr <= size && bytes <= size - ref->addr) return true;
  pto_ref_outside(m, ref, core, line, what);
  return false;
}
uint8_t *pto_ref_bytes(const struct pto_machine *m, const struct pto_ref *ref);

#endif
