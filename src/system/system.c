#include "system/system.h"

#include <stdlib.h>

#include "chip/service.h"

struct system {
  struct system_plan plan;
  struct chip *chip[SYSTEM_CHIPS];
};

struct system *system_create(const struct system_plan *plan, const struct chip_config *chip,
                             void (*configure)(void *context, unsigned number, struct chip_config *chip), void *context,
                             const char **why) {
  struct system *s = calloc(1, sizeof *s);
  *why = "no memory for the system";
  if (!s) return NULL;
  s->plan = *plan;
  for (unsigned i = 0; i < plan->chips; i++) {
    struct chip_config config = *chip;
    config.harvest = plan->chip[i].harvest;
    config.identity = plan->chip[i].identity;
    if (configure) configure(context, i, &config);
    s->chip[i] = chip_create(&config, why);
    if (s->chip[i]) continue;
    system_destroy(s);
    return NULL;
  }
  return s;
}

void system_destroy(struct system *s) {
  if (!s) return;
  for (unsigned i = 0; i < s->plan.chips; i++) chip_destroy(s->chip[i]);
  free(s);
}

const struct system_plan *system_plan(const struct system *s) { return &s->plan; }
struct chip *system_chip(const struct system *s, unsigned number) {
  return s->chip[number];
}
sim_time system_now(const struct system *s) { return chip_now(s->chip[0]); }

bool system_faulted(const struct system *s) {
  for (unsigned i = 0; i < s->plan.chips; i++)
    if (chip_fault(s->chip[i], NULL)) return true;
  return false;
}

/* Larger is stronger. */
static unsigned strength(enum chip_end end) {
  static const uint8_t of[] = {
      [CHIP_END_DONE] = 0, [CHIP_END_BLOCKED] = 1, [CHIP_END_TIME] = 2, [CHIP_END_STOPPED] = 3, [CHIP_END_FAULT] = 4};
  return of[end];
}

enum chip_end system_run(struct system *s, sim_time until) {
  enum chip_end end = CHIP_END_DONE;
  for (unsigned i = 0; i < s->plan.chips; i++) {
    enum chip_end of = chip_run(s->chip[i], until);
    if (strength(of) > strength(end)) end = of;
  }
  return end;
}
