/* The hang of a PTO program as a value (include/tessera/pto.h), from pto/runtime/hang.h. */
#include <stdio.h>
#include <string.h>

#include "api/pto_machine.h"
#include "observe/pto/hang.h"
#include "pto/runtime/hang.h"

static bool find(const struct tessera_pto_machine *m, struct pto_hang *hang) {
  return pto_api_is_machine(m) && obs_pto_hang_of(m->grid, m->end, hang);
}

int tessera_pto_hang(const struct tessera_pto_machine *m, struct tessera_hang *hang) {
  struct pto_hang found;
  if (!hang) return 0;
  memset(hang, 0, sizeof *hang);
  if (!find(m, &found)) return 0;
  hang->cycle = found.cycle;
  hang->deadlock = found.deadlock;
  hang->waiter_count = found.waiter_count;
  for (uint32_t i = 0; i < found.chain_count && i < TESSERA_WAITERS_MAX; i++)
    hang->chain[hang->chain_count++] = found.chain[i];
  memcpy(hang->cause, found.cause, sizeof hang->cause);
  return 1;
}

static void copy_place(struct tessera_source *to, const struct pto_waiter *w, const char *program) {
  to->line = w->line;
  snprintf(to->path, sizeof to->path, "%s", program);
  snprintf(to->file, sizeof to->file, "%s", sim_base_name(program));
  snprintf(to->function, sizeof to->function, "%s", w->function);
  snprintf(to->call, sizeof to->call, "%s", w->op);
}

static void copy_releasers(struct tessera_waiter *to, const struct pto_waiter *w) {
  for (uint64_t left = w->release; left && to->releaser_count < TESSERA_RELEASERS_MAX; left &= left - 1) {
    struct tessera_releaser *r = &to->releasers[to->releaser_count++];
    pto_agent_words((unsigned)__builtin_ctzll(left), r->name, sizeof r->name);
    snprintf(r->role, sizeof r->role, "%s", w->role);
    r->state = "waiting";
  }
}

enum tessera_pto_result tessera_pto_waiter(const struct tessera_pto_machine *m, size_t index,
                                           struct tessera_waiter *waiter) {
  struct pto_hang found;
  if (!waiter || !find(m, &found) || index >= found.waiter_count) return TESSERA_PTO_INVALID;
  const struct pto_waiter *w = &found.waiters[index];
  memset(waiter, 0, sizeof *waiter);
  waiter->tile_x = waiter->tile_y = waiter->other_x = waiter->other_y = -1;
  waiter->core = w->core;
  snprintf(waiter->name, sizeof waiter->name, "%s", w->name);
  waiter->since = w->since;
  memcpy(waiter->what, w->what, sizeof w->what);
  memcpy(waiter->resource, w->resource, sizeof w->resource);
  waiter->kind = obs_pto_wait_name(w->kind);
  waiter->index = w->index;
  waiter->value = w->value;
  waiter->wish = w->wanted ? "at_least" : "unknown";
  waiter->wanted = w->wanted;
  copy_place(&waiter->place, w, m->name);
  waiter->waits_for = w->waits_for;
  copy_releasers(waiter, w);
  memcpy(waiter->why, w->why, sizeof w->why);
  return TESSERA_PTO_OK;
}
