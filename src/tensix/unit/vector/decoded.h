/* Decoded instructions of the vector unit: loops repeat the same words, and each is decoded once. */
#ifndef TESSERA_TENSIX_VECTOR_DECODED_H
#define TESSERA_TENSIX_VECTOR_DECODED_H

#include "sim/keep.h"
#include "tensix/machine.h"

/* Fast paths of an instruction, valid when no lane configuration, no macro, no undefined value and no pending result affects it. */
enum tx_plain_path { TX_PLAIN_NOT, TX_PLAIN_ONE_CYCLE, TX_PLAIN_TWO_CYCLES };

/* How an instruction becomes steps. */
enum tx_batch_kind {
  TX_BATCH_NOT,
  TX_BATCH_STEP,
  TX_BATCH_TWO_CYCLES, /* hides the old value of its register */
  TX_BATCH_SORT,       /* the next cycle accepts only SFPNOP */
  TX_BATCH_ROUND,      /* also a step of the generators */
  TX_BATCH_LOAD,
  TX_BATCH_STORE,
};

/* The decoded instruction of this word; NULL: it is not among them. */
static inline const struct tx_vector_word *tx_vector_find(struct tx_tile *t, uint32_t word) {
  _Static_assert(TX_VECTOR_DECODED == 2u << 7, "the top bits of the product are the pair");
  const struct tx_vector_word *words = sim_keep(t->unsaved.vector.words), *w = &words[(word * 0x9e3779b1u >> 25) * 2];
  if (__builtin_expect(w->word == word, 1)) return w;
  return w[1].word == word ? w + 1 : NULL;
}
/* Decodes it, and replaces another. */
const struct tx_vector_word *tx_vector_decode(struct tx_tile *t, uint32_t word);
static inline const struct tx_vector_word *tx_vector_decoded(struct tx_tile *t, uint32_t word) {
  const struct tx_vector_word *w = tx_vector_find(t, word);
  return w ? w : tx_vector_decode(t, word);
}

#endif
