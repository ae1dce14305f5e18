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

static inline void larger(uint32_t *restrict to, const uint32_t *restrict from) {
  for (unsigned i = 0; i < CHK_PLACES; i++) to[i] = to[i] < from[i] ? from[i] : to[i];
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void larger_avx2(uint32_t *restrict to, const uint32_t *restrict from) {
  larger(to, from);
}
#endif

void chk_add(struct chk_vector *to, const struct chk_vector *from) {
  if (to == from) return;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) {
    larger_avx2(to->at, from->at);
    return;
  }
#endif
  larger(to->at, from->at);
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
