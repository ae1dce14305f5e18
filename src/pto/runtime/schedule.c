/* See schedule.h. */
#include "pto/runtime/schedule.h"

static uint64_t mix(uint64_t x) {
  x += UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

/* Random schedules: a quarter of the items is late, by a time whose magnitude is random as well. */
uint32_t pto_schedule_late(struct pto_schedule *s, unsigned agent, uint32_t item, uint32_t line) {
  uint32_t cycles = 0;
  for (uint32_t i = 0; i < s->count; i++) {
    struct pto_delay *d = &s->delays[i];
    if (d->agent != agent || (d->item != item && d->item != PTO_EVERY_ITEM)) continue;
    cycles += d->cycles;
    if (!d->line) d->line = line;
  }
  if (!s->seed || !(s->random_agents >> agent & 1u)) return cycles;
  uint64_t r = mix((uint64_t)s->seed << 32 ^ (uint64_t)agent << 24 ^ item);
  if ((r & 3u) != 0) return cycles;
  uint32_t span = s->max_cycles >> (r >> 2 & 7u);
  return cycles + (span ? (uint32_t)((r >> 8) % span) + 1 : 1);
}
