/* The vector clocks of clock.h. */
#include "check/clock.h"

#include <string.h>

void chk_clocks_reset(struct chk_clocks *c) {
  memset(c, 0, sizeof *c);
  for (unsigned i = 0; i < CHK_ENTITIES; i++) {
    c->of[i].at[i] = 1;
    c->version[i] = 1;
  }
}

void chk_add(struct chk_vector *to, const struct chk_vector *from) {
  typedef int32_t lanes __attribute__((vector_size(4 * CHK_LANES))); /* clocks stay below 2^31 */
  for (unsigned i = 0; i < CHK_PLACES; i += CHK_LANES) {
    lanes a, b, newer;
    memcpy(&a, &to->at[i], sizeof a);
    memcpy(&b, &from->at[i], sizeof b);
    newer = a > b;
    a = (a & newer) | (b & ~newer);
    memcpy(&to->at[i], &a, sizeof a);
  }
}

void chk_join_vector(struct chk_clocks *c, unsigned to, const struct chk_vector *from) {
  chk_add(&c->of[to], from);
  c->version[to]++;
}

void chk_join_slow(struct chk_clocks *c, unsigned to, unsigned from) {
  chk_join_vector(c, to, &c->of[from]);
  c->seen[to][from] = c->version[from];
}

void chk_step(struct chk_clocks *c, unsigned entity) {
  c->of[entity].at[entity]++;
  c->version[entity]++;
}
