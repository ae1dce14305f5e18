#include "tensix/unit/pack/rounding.h"

#include "tensix/machine.h"
#include "tensix/num/format_pack.h"
#include "tensix/num/prng.h"

void tx_pack_prepare_rounding(struct tx_tile *t) {
  struct tx_pack *p = &t->pack;
  if (!p->config.random_early && !p->config.random_late) return;
  tx_diag(t, TX_DIAG_STOCHASTIC_INFERRED, "packer");
  if (p->seedings == t->config.prng_seedings) return;
  p->seedings = t->config.prng_seedings;
  num_prng_seed(p->early_prng, NUM_PACK_ROW, t->config.prng_seed);
  num_prng_seed(p->late_prng, NUM_PACK_ROW, t->config.prng_seed);
}

static void draw(uint32_t prng[NUM_PACK_ROW], uint32_t random[NUM_PACK_ROW]) {
  for (unsigned i = 0; i < NUM_PACK_ROW; i++) random[i] = num_prng_next(&prng[i]);
}

void tx_pack_early(struct tx_pack *p, const uint16_t *high, const uint16_t *low, union num_pack_row *row) {
  uint32_t random[NUM_PACK_ROW];
  if (!p->config.random_early) {
    num_pack_early(&p->config.how, high, low, row);
    return;
  }
  draw(p->early_prng, random);
  num_pack_early_random(&p->config.how, high, low, random, row);
}

uint8_t tx_pack_block(struct tx_pack *p, const union num_pack_row *row, unsigned count, uint8_t bytes[NUM_PACK_ROW_BYTES]) {
  uint32_t random[NUM_PACK_ROW];
  if (!p->config.random_late) return num_pack_block(&p->config.how, row, count, bytes);
  draw(p->late_prng, random);
  return num_pack_block_random(&p->config.how, row, count, random, bytes);
}
