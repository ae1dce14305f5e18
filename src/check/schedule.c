/* The schedules of schedule.h. */
#include "check/schedule.h"

#include <stdlib.h>
#include <string.h>

uint64_t chk_random(uint64_t *state) { /* splitmix64, public domain */
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void chk_schedule_add(struct chk_schedule *s, uint32_t tile, sim_time cycle, unsigned target, sim_time cycles) {
  if (s->count < CHK_DELAYS && cycles)
    s->delay[s->count++] = (struct chk_delay){.cycle = cycle, .target = target, .cycles = (uint32_t)cycles, .tile = tile};
}

static int by_cycle(const void *a, const void *b) {
  const struct chk_delay *x = a, *y = b;
  return x->cycle < y->cycle ? -1 : x->cycle > y->cycle;
}

void chk_schedule_sort(struct chk_schedule *s) { qsort(s->delay, s->count, sizeof *s->delay, by_cycle); }

/* --- the smallest one --- */

struct search {
  bool (*breaks)(void *context, const struct chk_schedule *s);
  void *context;
};

/* Removes delays that are not needed: first large groups, then single ones. */
static void leave_out(const struct search *x, struct chk_schedule *s) {
  for (uint32_t part = s->count; part >= 1; part /= 2)
    for (uint32_t from = 0; from < s->count && s->count > 1;) {
      struct chk_schedule less = *s;
      uint32_t gone = part < s->count - from ? part : s->count - from;
      memmove(&less.delay[from], &s->delay[from + gone], (s->count - from - gone) * sizeof *s->delay);
      less.count -= gone;
      if (less.count && x->breaks(x->context, &less)) *s = less;
      else from += part;
    }
}

/* Replaces two delays of the same target by one long one. */
static void merge(const struct search *x, struct chk_schedule *s) {
  for (uint32_t i = 0; i < s->count; i++)
    for (uint32_t j = i + 1; j < s->count;) {
      struct chk_schedule less = *s;
      bool same = s->delay[i].target == s->delay[j].target && s->delay[i].tile == s->delay[j].tile;
      less.delay[i].cycles = (uint32_t)(s->delay[j].cycle + s->delay[j].cycles - s->delay[i].cycle);
      memmove(&less.delay[j], &s->delay[j + 1], (s->count - j - 1) * sizeof *s->delay);
      less.count--;
      if (same && x->breaks(x->context, &less)) *s = less;
      else j++;
    }
}

static void shorten(const struct search *x, struct chk_schedule *s) {
  for (uint32_t i = 0; i < s->count; i++)
    while (s->delay[i].cycles > 1) {
      struct chk_schedule less = *s;
      less.delay[i].cycles /= 2;
      if (!x->breaks(x->context, &less)) break;
      *s = less;
    }
}

void chk_schedule_reduce(struct chk_schedule *s, bool (*breaks)(void *context, const struct chk_schedule *s),
                         void *context) {
  const struct search x = {breaks, context};
  leave_out(&x, s);
  merge(&x, s);
  leave_out(&x, s);
  shorten(&x, s);
}
