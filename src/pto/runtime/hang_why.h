/* The wait of one agent: its operation, its resource in words, and why no agent releases it. */
#ifndef TESSERA_PTO_RUNTIME_HANG_WHY_H
#define TESSERA_PTO_RUNTIME_HANG_WHY_H

#include "pto/runtime/hang_value.h"

/* The operation at which an agent waits. */
struct pto_wait_site {
  unsigned core, unit, flag, role;
  int pipe;
  uint32_t line;
  uint64_t tile;
  const char *op;
  uint32_t count, taken;
};

struct pto_wait_site pto_wait_site(const struct pto_machine *machine, unsigned agent);
void pto_wait_what(const struct pto_machine *machine, unsigned agent, const struct sim_wait *wait, char *text, size_t size);
/* Fills resource, index, value and wanted. */
void pto_wait_resource(const struct pto_machine *machine, unsigned agent, const struct sim_wait *wait,
                       struct pto_waiter *to);
/* hopeless: no agent can release it. */
void pto_wait_why(const struct pto_machine *machine, unsigned agent, const struct sim_wait *wait, bool hopeless, char *text,
                  size_t size);
/* Cores that have to set this flag, bit per core. */
unsigned pto_flag_setters(const struct pto_machine *machine, unsigned core, unsigned flag);
/* The unit of `setter` that would set the flag of `core`; PTO_UNITS: none will. */
unsigned pto_flag_setting_unit(const struct pto_machine *machine, unsigned core, unsigned flag, unsigned setter);

#endif
