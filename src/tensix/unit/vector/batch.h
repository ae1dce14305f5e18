/* A batch: instructions of the vector unit that follow each other with nothing between them that could observe the registers. Each is entered in its
 * own cycle with everything but its arithmetic; the operations of the lanes are executed together at the end, or before an
 * instruction that the batch cannot take. */
#ifndef TESSERA_TENSIX_VECTOR_BATCH_H
#define TESSERA_TENSIX_VECTOR_BATCH_H

#include "tensix/body.h"
#include "tensix/unit/vector/decoded.h"
#include "tensix/unit/vector/loadstore.h"

#define TX_BATCH_STEPS 64u
#define TX_BATCH_OWN 32u

/* The steps of a batch, for those who would execute them again. */
struct tx_vector_tape {
  const struct tx_lane_step **step;
  uint32_t count, room;
  bool lost; /* there was no room (`full` too), a lane was not enabled, or an instruction was executed outside the batch */
  bool full;
  const struct tx_lane_step *(*keep)(void *owner, const struct tx_lane_step *step); /* a copy that stays; NULL: no room */
  void *owner;
};

struct tx_vector_batch {
  struct tx_tile *t;
  struct tx_vector_tape *tape; /* NULL: none */
  unsigned thread;
  unsigned count, owned; /* steps in use */
  unsigned open;         /* kinds below that may enter: the state of the unit allows them, and the mask is current */
  uint32_t mask;         /* lanes enabled */
  const struct tx_lane_step *steps[TX_BATCH_STEPS]; /* of the decoded instructions, or of `own` */
  struct tx_lane_step own[TX_BATCH_OWN];            /* of instructions whose operands are not in the word alone */
};

static inline void tx_vector_batch_begin(struct tx_vector_batch *b, struct tx_tile *t, unsigned thread) {
  b->t = t;
  b->tape = NULL;
  b->thread = thread;
  b->count = b->owned = 0;
  b->open = 0;
}
/* With timing off: the words of a FIFO from slot `head` on, at most `limit`, one per cycle from now on, up to the first that the batch does not take or that
 * is not as its core has pushed it. Returns how many. */
unsigned tx_vector_batch_words(struct tx_vector_batch *b, const struct tx_fifo *fifo, uint32_t head, unsigned limit);
/* An instruction that takes its place in an open batch as one step, in one cycle, or none. `h`: results that are not visible yet; NULL: none. false: it is
 * another, no change. */
static inline bool tx_vector_batch_step(struct tx_vector_batch *b, const struct tx_vector_word *w,
                                        const struct tx_hidden *h) {
  if ((w->kind != TX_BATCH_STEP && w->kind != TX_BATCH_ROUND) || w->kind - 1u >= b->open || b->count == TX_BATCH_STEPS)
    return false;
  if (h && (w->reads & h->rows)) return false;
  b->steps[b->count] = &w->step;
  b->count += w->steps;
  b->t->vector.written = w->writes;
  b->t->vector.unread |= w->writes;
  return true;
}
/* As the body of the instruction, now; its arithmetic may follow later. */
void tx_vector_batch_word(struct tx_vector_batch *b, const struct tx_vector_word *w, struct tx_cost *cost);
/* Decodes a word that is not among the decoded ones. */
const struct tx_vector_word *tx_vector_batch_decode(struct tx_vector_batch *b, uint32_t word);
/* Executes what is left. */
void tx_vector_batch_end(struct tx_vector_batch *b);

#endif
