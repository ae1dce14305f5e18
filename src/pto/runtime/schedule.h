/* A schedule: delays beyond the costs of the profile. */
#ifndef TESSERA_PTO_RUNTIME_SCHEDULE_H
#define TESSERA_PTO_RUNTIME_SCHEDULE_H

#include "pto/program/types.h"

#define PTO_DELAYS_MAX 32u

struct pto_delay {
  uint16_t agent;
  uint16_t pad;
  uint32_t item; /* PTO_EVERY_ITEM: all of them */
  uint32_t cycles;
  uint32_t line; /* set by the run: the line that was delayed first */
};
#define PTO_EVERY_ITEM UINT32_MAX

struct pto_schedule {
  uint32_t seed;       /* 0: no delay is random */
  uint32_t max_cycles; /* longest random delay */
  uint64_t random_agents;
  uint32_t count;
  struct pto_delay delays[PTO_DELAYS_MAX];
};

uint32_t pto_schedule_late(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line);
static inline uint32_t pto_schedule_delay(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line) {
  return s->count || s->seed ? pto_schedule_late(s, agent, item, line) : 0;
}

#endif
