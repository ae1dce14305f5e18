/* A schedule: delays in the order of their cycles. Random numbers for it, and the search for a smaller one that still breaks a program. */
#ifndef TESSERA_CHECK_SCHEDULE_H
#define TESSERA_CHECK_SCHEDULE_H

#include "check/delay.h"

#define CHK_DELAYS 64u
#define CHK_ALL_TILES UINT32_MAX

struct chk_schedule {
  uint32_t count;
  struct chk_delay delay[CHK_DELAYS];
};

uint64_t chk_random(uint64_t *state);
/* Ignored if the schedule is full or `cycles` is 0. */
void chk_schedule_add(struct chk_schedule *s, uint32_t tile, sim_time cycle, unsigned target, sim_time cycles);
void chk_schedule_sort(struct chk_schedule *s);
/* Removes, merges and shortens delays as long as the program still breaks. */
void chk_schedule_reduce(struct chk_schedule *s, bool (*breaks)(void *context, const struct chk_schedule *s), void *context);

#endif
