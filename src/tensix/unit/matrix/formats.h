/* The formats and styles of an instruction of the matrix unit. */
#ifndef TESSERA_TENSIX_MATRIX_FORMATS_H
#define TESSERA_TENSIX_MATRIX_FORMATS_H

#include "tensix/machine.h"
#include "tensix/num/num_fpu.h"

enum tx_style tx_matrix_style(uint32_t format);
uint32_t tx_matrix_format_a(struct tx_tile *t, unsigned thread);
uint32_t tx_matrix_format_b(struct tx_tile *t, unsigned thread);
bool tx_matrix_format_known(struct tx_tile *t, uint32_t format); /* else a fault */
static inline bool tx_matrix_format_exists(uint32_t format) { return format != 12 && format != 13; }
/* It exists, and its style is TX_STYLE_BF16. */
static inline bool tx_matrix_is_bf16(uint32_t format) {
  const uint32_t others = 1u << NUM_FP16 | 1u << NUM_FP8 | 1u << NUM_BFP8A | 1u << NUM_BFP4A | 1u << NUM_BFP2A |
                          1u << NUM_INT8 | 1u << NUM_TF32 | 1u << 12 | 1u << 13;
  return !(others >> (format & 15u) & 1u);
}

/* The bank that the matrix unit uses. */
static inline struct tx_src_bank *tx_matrix_bank(struct tx_tile *t, enum tx_src_which which) {
  tx_assert(which <= TX_SRCB && t->src.matrix_bank[which] < 2);
  return &t->src.bank[which][t->src.matrix_bank[which]];
}

/* Counts the writes to configuration that formats and styles depend on (unit/config.c). */
static inline uint64_t tx_matrix_version(const struct tx_tile *t) {
  return t->config.version + 1 - t->unsaved.harmless_to_matrix;
}

/* Setup and mode of an instruction that computes; NULL when it faulted (a code that names no format). Valid until the next call. */
const struct tx_matrix_known *tx_matrix_resolve(struct tx_tile *t, unsigned thread, uint32_t key);
static inline const struct tx_matrix_known *tx_matrix_know(struct tx_tile *t, unsigned thread) {
  const struct tx_matrix_known *known = &t->unsaved.matrix.known;
  const struct tx_src_bank *a = tx_matrix_bank(t, TX_SRCA), *b = tx_matrix_bank(t, TX_SRCB);
  const uint32_t key =
      thread | (uint32_t)a->format << 8 | (uint32_t)b->format << 16 | (uint32_t)t->rwc[thread].fidelity << 24;
  if (known->version == tx_matrix_version(t) && known->key == key && a->filled && b->filled) return known;
  return tx_matrix_resolve(t, thread, key);
}

/* The same for moves. */
const struct tx_matrix_moves *tx_matrix_resolve_moves(struct tx_tile *t, unsigned thread);
static inline const struct tx_matrix_moves *tx_matrix_moves(struct tx_tile *t, unsigned thread) {
  const struct tx_matrix_moves *moves = &t->unsaved.matrix.moves;
  return moves->version == tx_matrix_version(t) && moves->thread == thread ? moves : tx_matrix_resolve_moves(t, thread);
}

#endif
