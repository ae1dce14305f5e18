/* The breaks of breaks.h. */
#include "tensix/riscv/breaks.h"

#include "tensix/state.h"

static void set_filter(struct tx_breaks *b, unsigned core) {
  uint32_t filter = b->stepping >> core & 1u || b->before[core] ? UINT32_MAX : 0;
  if (b->awaited >> core & 1u) filter |= 1u << (b->kernel[core] >> 2 & 31u);
  for (unsigned i = 0; i < b->used; i++)
    if (b->at[i].core == core) filter |= 1u << (b->at[i].pc >> 2 & 31u);
  b->filter[core] = filter;
}

/* Wakes a parked spin in phase, so that it reaches the break. */
static void unpark(struct tx_tile *t, unsigned core) {
  if (t->core[core].spin.parked) sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core, t->engine.now + 1);
}

int tx_break_add(struct tx_tile *t, unsigned core, uint32_t pc) {
  struct tx_breaks *b = &t->unsaved.breaks;
  unsigned number = 0;
  while (number < b->used && b->at[number].core != TX_CORES) number++;
  if (number == TX_BREAKS) return -1;
  if (number == b->used) b->used++;
  b->at[number].pc = pc;
  b->at[number].core = core;
  set_filter(b, core);
  unpark(t, core);
  return (int)number;
}

void tx_break_remove(struct tx_tile *t, unsigned number) {
  struct tx_breaks *b = &t->unsaved.breaks;
  if (number >= b->used || b->at[number].core == TX_CORES) return;
  unsigned core = b->at[number].core;
  b->at[number].core = TX_CORES;
  set_filter(b, core);
}

void tx_break_kernel(struct tx_tile *t, unsigned core, uint32_t pc) {
  struct tx_breaks *b = &t->unsaved.breaks;
  b->awaited |= 1u << core;
  b->kernel[core] = pc;
  b->entered[core] = 0;
  set_filter(b, core);
}

void tx_break_enter(struct tx_tile *t, unsigned core, sim_time at) {
  struct tx_breaks *b = &t->unsaved.breaks;
  b->awaited &= ~(1u << core);
  b->entered[core] = at;
  set_filter(b, core);
}

void tx_break_step(struct tx_tile *t, unsigned core, bool on) {
  struct tx_breaks *b = &t->unsaved.breaks;
  b->stepping = (b->stepping & ~(1u << core)) | (on ? 1u << core : 0);
  b->step_from[core] = t->core[core].retired;
  set_filter(b, core);
  if (on) unpark(t, core);
}

void tx_break_before(struct tx_tile *t, unsigned core, uint64_t number) {
  t->unsaved.breaks.before[core] = number;
  set_filter(&t->unsaved.breaks, core);
}

void tx_core_invalidate(struct tx_tile *t, unsigned core) {
  unpark(t, core);
  t->core[core].spin.seen = 0;
  t->core[core].passed_break = 0;
}
