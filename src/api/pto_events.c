/* The C API: events of a run. */
#include <string.h>

#include "api/pto_machine.h"
#include "pto/runtime/events.h"

static void work(const struct pto_machine *m, const struct sim_event *e, struct tessera_pto_event *out) {
  out->kind = TESSERA_PTO_EVENT_WORK;
  out->begin = e->c;
  out->core = e->agent / (unsigned)PTO_UNITS;
  out->unit = e->agent % (unsigned)PTO_UNITS;
  const struct pto_instr *i = &m->program->functions[m->program->core_function[out->core]].instrs[e->a];
  out->operation = pto_op_name(i->op);
  out->line = i->line;
  out->tile = e->b;
}

static void sink(void *context, const struct sim_event *e) {
  const struct pto_api_hook *hook = context;
  const struct tessera_pto_machine *m = hook->machine;
  const struct pto_machine *block = m->grid->blocks[hook->block];
  struct tessera_pto_event event;
  memset(&event, 0, sizeof event);
  event.begin = event.end = e->at;
  event.operation = event.pipe = event.direction = "";
  if (e->kind == PTO_EV_WORK) {
    work(block, e, &event);
  } else {
    event.kind = TESSERA_PTO_EVENT_OCCUPANCY;
    event.pipe = block->program->pipes[e->agent].name;
    event.direction = e->a == PTO_DIRECTION_C2V ? "C2V" : "V2C";
    event.slots = e->b;
  }
  event.block = hook->block;
  m->hook(m->hook_context, &event);
}

enum tessera_pto_result tessera_pto_set_hook(struct tessera_pto_machine *m, tessera_pto_hook_fn *hook, void *context) {
  if (!pto_api_is_machine(m)) return TESSERA_PTO_INVALID;
  const bool had = m->hook != NULL;
  m->hook = hook;
  m->hook_context = context;
  for (uint32_t i = 0; i < m->grid->count; i++) {
    struct sim_log *log = &m->grid->blocks[i]->log;
    struct pto_api_hook *h = &m->hooks[i];
    if (had) sim_log_detach(log, h->handle);
    *h = (struct pto_api_hook){.machine = m, .block = i};
    if (hook) h->handle = sim_log_attach(log, sink, h, 1u << PTO_EV_WORK | 1u << PTO_EV_OCCUPANCY);
  }
  return TESSERA_PTO_OK;
}

uint32_t tessera_pto_clock_mhz(const struct tessera_pto_machine *m) {
  return pto_api_is_machine(m) ? (uint32_t)m->machine->profile->clock_mhz : 0;
}
