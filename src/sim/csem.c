/* Counting semaphores of csem.h.
 *
 * Reduce-min follows Ascend's mode 2 (AIC.cnt = min(sets by AIV0, sets by AIV1) - waits): a post of one source is held
 * until every source has posted; then the semaphore gains one credit. inferred: the range of the counter holds for each source's own
 * count as well, since the minimum is taken over counters of that width. */
#include "sim/csem.h"

#include <string.h>

#include "sim/assert.h"

struct sim_csem sim_csem_make(uint8_t width, uint16_t max, enum sim_csem_on_full on_full, enum sim_csem_on_zero on_zero,
                              enum sim_csem_fan fan, uint8_t sources) {
  struct sim_csem sem;
  sim_assert(width > 0 && width <= 16);
  memset(&sem, 0, sizeof sem);
  sem.width = width;
  sem.max = max;
  sem.on_full = (uint8_t)on_full;
  sem.on_zero = (uint8_t)on_zero;
  sem.fan = (uint8_t)fan;
  sem.sources = sources > SIM_CSEM_SOURCES_MAX ? (uint8_t)SIM_CSEM_SOURCES_MAX : sources;
  return sem;
}

uint16_t sim_csem_full(const struct sim_csem *sem) { return (uint16_t)((1u << sem->width) - 1u); }

static enum sim_csem_result at_full(const struct sim_csem *sem) {
  if (sem->on_full == SIM_FULL_SATURATE) return SIM_CSEM_SATURATED;
  return sem->on_full == SIM_FULL_ERROR ? SIM_CSEM_OVERFLOW : SIM_CSEM_WOULD_BLOCK;
}

/* Every source has posted: turns one post of each into a credit. */
static void make_credit(struct sim_csem *sem) {
  sim_assert(sem->sources <= SIM_CSEM_SOURCES_MAX);
  for (unsigned i = 0; i < sem->sources; i++)
    if (sem->posted[i] == 0) return;
  for (unsigned i = 0; i < sem->sources; i++) sem->posted[i]--;
  sem->value++;
}

enum sim_csem_result sim_csem_post(struct sim_csem *sem, unsigned source) {
  bool reduce = sem->fan == SIM_FAN_REDUCE_MIN && sem->sources > 1;
  if (reduce && source >= sem->sources) return SIM_CSEM_SATURATED;
  uint32_t outstanding = sem->value + (reduce ? sem->posted[source] : 0u);
  if (outstanding >= sim_csem_full(sem)) return at_full(sem);
  sim_assert(sem->value < sim_csem_full(sem));
  sem->posts++;
  if (reduce) {
    sem->posted[source]++;
    make_credit(sem);
  } else {
    sem->value++;
  }
  return SIM_CSEM_OK;
}

enum sim_csem_result sim_csem_get(struct sim_csem *sem) {
  if (sem->value == 0) return sem->on_zero == SIM_ZERO_BLOCK ? SIM_CSEM_WOULD_BLOCK : SIM_CSEM_SATURATED;
  sim_assert(sem->value <= sim_csem_full(sem));
  sem->value--;
  sem->gets++;
  return SIM_CSEM_OK;
}
