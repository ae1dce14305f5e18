/* Cross-core flags: 4-bit counters with the setters of their credits. */
#ifndef TESSERA_PTO_RUNTIME_FLAGS_H
#define TESSERA_PTO_RUNTIME_FLAGS_H

#include "pto/runtime/state.h"

void pto_flags_init(struct pto_machine *m);
void pto_flag_use(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit, uint32_t line);
/* Takes one credit. false: there is none. */
static inline bool pto_flag_take(struct pto_machine *m, unsigned core, unsigned flag, int pipe, unsigned unit,
                                 uint32_t line) {
  if (!m->flags[core][flag].sem.value) return false;
  pto_flag_use(m, core, flag, pipe, unit, line);
  return true;
}
/* The pipe `unit` of the core sets the flag `count` times. */
void pto_flag_set(struct pto_machine *m, unsigned core, unsigned unit, unsigned flag, int pipe, uint32_t line,
                  uint32_t count);
void pto_flag_effect(struct pto_machine *m, const struct sim_effect *effect);

#endif
