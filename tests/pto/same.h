/* Comparison of two programs: tests of the spellings use it. */
#ifndef TESSERA_TESTS_PTO_SAME_H
#define TESSERA_TESTS_PTO_SAME_H

#include <string.h>

#include "pto/program/program.h"

static inline bool same_instr(const struct pto_instr *x, const struct pto_instr *y) {
  struct pto_instr a = *x, b = *y;
  a.line = b.line = a.column = b.column = 0;
  /* pto_instr_make clears all bytes, and the numbers must be identical bit by bit */
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
  return memcmp(&a, &b, sizeof a) == 0;
}

static inline bool same_tile(const struct pto_tile *a, const struct pto_tile *b) {
  return a->loc == b->loc && a->dtype == b->dtype && a->rows == b->rows && a->cols == b->cols &&
         a->valid_rows == b->valid_rows && a->valid_cols == b->valid_cols && a->at == b->at && a->bound == b->bound;
}

static inline bool same_function(const struct pto_function *a, const struct pto_function *b) {
  if (a->vector != b->vector || a->tile_count != b->tile_count || a->instr_count != b->instr_count) return false;
  if (a->view_count != b->view_count || memcmp(a->views, b->views, sizeof a->views) != 0) return false;
  for (unsigned i = 0; i < a->tile_count; i++)
    if (!same_tile(&a->tiles[i], &b->tiles[i])) return false;
  for (unsigned i = 0; i < a->instr_count; i++)
    if (!same_instr(&a->instrs[i], &b->instrs[i])) return false;
  return true;
}

static inline bool same_pipe_end(const struct pto_pipe_config *x, const struct pto_pipe_config *y) {
  struct pto_pipe_config a = *x, b = *y;
  if (a.multi && (!same_tile(&a.prod, &b.prod) || !same_tile(&a.cons, &b.cons))) return false;
  a.line = b.line = a.column = b.column = 0;
  a.form = b.form = 0;
  memset(a.room, 0, sizeof a.room);
  memset(b.room, 0, sizeof b.room);
  memset(&a.prod, 0, sizeof a.prod);
  memset(&b.prod, 0, sizeof b.prod);
  memset(&a.cons, 0, sizeof a.cons);
  memset(&b.cons, 0, sizeof b.cons);
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): configurations are cleared before they are filled */
  return memcmp(&a, &b, sizeof a) == 0;
}

/* Ignores lines, columns and names. */
static inline bool pto_same_program(const struct pto_program *a, const struct pto_program *b) {
  if (a->profile != b->profile || a->function_count != b->function_count || a->pipe_count != b->pipe_count) return false;
  for (unsigned f = 0; f < a->function_count; f++)
    if (!same_function(&a->functions[f], &b->functions[f])) return false;
  for (unsigned p = 0; p < a->pipe_count; p++)
    for (unsigned core = 0; core < PTO_CORES; core++)
      if (a->pipes[p].has[core] != b->pipes[p].has[core] ||
          (a->pipes[p].has[core] && !same_pipe_end(&a->pipes[p].end[core], &b->pipes[p].end[core])))
        return false;
  return true;
}

#endif
