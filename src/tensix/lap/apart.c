/* The cores apart of apart.h. */
#include "tensix/lap/apart.h"

#include <string.h>

#include "tensix/tile/tile.h"

/* Of the cores apart, in their order: BRISC and NCRISC come last. */
static unsigned core_of(unsigned i) { return TX_CORES - TX_LAP_APART + i; }

static void save(struct tx_lap_apart *a, const struct tx_tile *t) {
  a->begin = t->engine.now;
  a->ports = t->l1_ports;
  a->wall_high = t->control.wall_high;
  for (unsigned i = 0; i < TX_LAP_APART; i++) {
    const unsigned core = core_of(i);
    if (!(a->cores >> core & 1u)) continue;
    a->core[i] = t->core[core];
    a->agent[i] = t->engine.agents[tx_agent_of_trisc(core)];
    a->port[i] = t->port[core];
    a->last_access[i] = t->unsaved.memo.last_tile_access[core];
  }
}

static void restore_ports(const struct tx_lap_apart *a, struct tx_tile *t) {
  memcpy(t->l1_ports.port_free, a->ports.port_free, sizeof t->l1_ports.port_free);
  memcpy(t->l1_ports.bank_free, a->ports.bank_free, sizeof t->l1_ports.bank_free);
  memcpy(t->l1_ports.read_back, a->ports.read_back, sizeof t->l1_ports.read_back);
  memcpy(t->l1_ports.read_next, a->ports.read_next, sizeof t->l1_ports.read_next);
  memcpy(t->l1_ports.bank_last, a->ports.bank_last, sizeof t->l1_ports.bank_last);
}

/* With the ports of L1: no other core has used them since. */
static void restore(const struct tx_lap_apart *a, struct tx_tile *t, bool ports) {
  if (ports) restore_ports(a, t);
  t->control.wall_high = a->wall_high;
  for (unsigned i = 0; i < TX_LAP_APART; i++) {
    const unsigned core = core_of(i);
    if (!(a->cores >> core & 1u)) continue;
    t->core[core] = a->core[i];
    t->engine.agents[tx_agent_of_trisc(core)] = a->agent[i];
    t->port[core] = a->port[i];
    t->l1_ports.client[core] = a->ports.client[core];
    t->unsaved.memo.last_tile_access[core] = a->last_access[i];
  }
}

/* Nothing of it is under way. With timing off it is aside: in a turn it would have its place in the order of the others. */
bool tx_lap_may_be_apart(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  if (!t->timing && !(t->engine.aside >> tx_agent_of_trisc(core) & 1u)) return false;
  return c->state == TX_CORE_RUNNING && !c->spin.parked && !c->waiting.kind && !c->queue_count && !c->l1_under_way;
}

/* Everything that it did concerns only itself. */
static bool has_only_read(const struct tx_lap_apart *a, const struct tx_tile *t) {
  for (unsigned i = 0; i < TX_LAP_APART; i++) {
    const struct tx_core *c = &t->core[core_of(i)];
    if (!(a->cores >> core_of(i) & 1u)) continue;
    if (!tx_lap_may_be_apart(t, core_of(i)) || memcmp(c->csr, a->core[i].csr, sizeof c->csr) != 0) return false;
  }
  return true;
}

void tx_lap_apart_begin(struct tx_lap_apart *a, const struct tx_tile *t) {
  a->behind = t->timing || !a->cores ? 0 : t->engine.now - t->engine.caught_up;
}

static bool run_on(struct tx_lap_apart *a, struct tx_tile *t, struct tx_lap_notes *notes, const uint64_t *unwritten,
                   sim_time cycles) {
  const struct tx_current current = t->current;
  const char *const refusal = notes->refusal;
  const sim_time begin = t->engine.now - a->behind;
  sim_time reached = begin;
  bool good = true;
  a->ran = 0;
  for (unsigned i = 0; i < TX_LAP_APART && good; i++)
    good = !(a->cores >> core_of(i) & 1u) || tx_lap_may_be_apart(t, core_of(i));
  if (!good) return false;
  notes->refusal = NULL;
  notes->alone = 1;
  notes->unwritten = unwritten;
  t->unsaved.lap = notes;
  good =
      tx_tile_run_alone(t, a->cores, begin + cycles, &reached) && !notes->refusal && !t->fault.kind && has_only_read(a, t);
  t->unsaved.lap = NULL;
  notes->alone = 0;
  notes->refusal = refusal;
  t->current = current;
  a->ran = reached > begin ? reached - begin : 0;
  if (good) return true;
  memset(&t->fault, 0, sizeof t->fault); /* it happens again in its own cycle */
  restore(a, t, true);
  return false;
}

bool tx_lap_apart_run(struct tx_lap_apart *a, struct tx_tile *t, struct tx_lap_notes *notes, const uint64_t *unwritten,
                      sim_time cycles) {
  save(a, t);
  return run_on(a, t, notes, unwritten, cycles);
}

void tx_lap_apart_return(struct tx_lap_apart *a, struct tx_tile *t, struct tx_lap_notes *notes, const uint64_t *unwritten) {
  const sim_time now = t->engine.now;
  restore(a, t, !notes->ports); /* else the cores apart have not used them */
  if (now == a->begin || t->fault.kind) return;
  t->engine.now = a->begin;
  const bool good = run_on(a, t, notes, unwritten, now - a->begin);
  t->engine.now = now;
  tx_assert(good);
  (void)good;
}
