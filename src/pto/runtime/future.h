/* The rest of a core's program: does it contain the act that another agent waits for? The walk executes the scalar instructions
 * and passes over all waits, so it finds what the core would do if nothing stopped it. */
#ifndef TESSERA_PTO_RUNTIME_FUTURE_H
#define TESSERA_PTO_RUNTIME_FUTURE_H

#include "pto/runtime/state.h"

enum pto_act_kind {
  PTO_ACT_FLAG,  /* sets flag `id`, as the setting core names it */
  PTO_ACT_EVENT, /* set_flag from pipe `src` to pipe `dst`, event `id` */
  PTO_ACT_POP,   /* pops from pipe `id` */
};
struct pto_act {
  enum pto_act_kind kind;
  unsigned id, src, dst;
};

/* The first instruction of the rest of the program that does it; NULL: there is none. Where the path depends on data, or is
 * longer than the walk, any such instruction of the function counts. */
const struct pto_instr *pto_future_act(const struct pto_machine *machine, unsigned core, struct pto_act act);

#endif
