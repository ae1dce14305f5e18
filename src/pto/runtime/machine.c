/* A machine from creation to the end of its last dispatch. Flags are hardware state and persist from one dispatch to
 * the next; all other state of a kernel restarts. */
#include "pto/runtime/machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/program/check.h"
#include "pto/program/pipe.h"
#include "pto/runtime/agent.h"
#include "pto/runtime/cost.h"
#include "pto/runtime/direction.h"
#include "pto/runtime/flags.h"
#include "pto/runtime/order.h"
#include "pto/runtime/overlap.h"
#include "pto/runtime/queue.h"
#include "pto/runtime/race.h"
#include "pto/runtime/report.h"
#include "pto/runtime/scalar.h"

static void effect(void *machine, const struct sim_effect *e) { pto_flag_effect(machine, e); }
static void request(void *machine, unsigned agent) {
  (void)machine, (void)agent;
} /* a pipe belongs to one core: no arbitration */
static void arbitrate(void *machine, uint64_t due) { (void)machine, (void)due; }
/* The engine stops at the end of the cycle in which an agent faults. After a fault no agent acts: an item with operands
 * outside their memory is already queued and must not execute, and the first fault is reported. */
static void issue(void *machine, unsigned agent) {
  const struct pto_machine *m = machine;
  if (m->fault.kind) return;
  unsigned core = m->core_at[agent], unit = m->unit_at[agent];
  if (unit == PTO_S) pto_scalar_turn(machine, core);
  else pto_pipe_turn(machine, core, unit);
}
static const struct sim_machine ops = {.effect = effect, .request = request, .arbitrate = arbitrate, .issue = issue};

static bool allocate_spent(struct pto_machine *m) {
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!m->function[core]) continue;
    m->spent[core] = calloc(m->function[core]->instr_count + 1u, sizeof *m->spent[core]);
    if (!m->spent[core]) return false;
  }
  return true;
}

static bool allocate(struct pto_machine *m, const struct pto_memory *shared) {
  m->gm_owned = !shared;
  m->gm = shared ? shared->rings : calloc(m->program->gm_bytes + 64, 1);
  m->gm_tensors = shared ? shared->tensors : m->gm ? m->gm + m->program->ring_bytes : NULL;
  m->scratch = calloc((size_t)3 * PTO_SCRATCH, sizeof *m->scratch);
  if (!m->gm || !m->scratch) return false;
  for (unsigned core = 0; core < PTO_CORES; core++)
    for (unsigned loc = PTO_MAT; loc < PTO_LOCS; loc++) {
      m->local[core][loc] = calloc(m->profile->memory_bytes[loc] + 64, 1);
      if (!m->local[core][loc]) return false;
    }
  return true;
}

static bool has_events(const struct pto_program *program) {
  for (unsigned f = 0; f < program->function_count; f++)
    if (program->functions[f].event_count) return true;
  return false;
}

struct pto_machine *pto_machine_new_in(const struct pto_program *program, bool with_data, const struct pto_memory *shared) {
  if (!program->finished) return NULL;
  struct pto_machine *m = calloc(1, sizeof *m);
  if (!m) return NULL;
  m->program = program;
  m->profile = pto_program_profile(program);
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (program->core_function[core] >= 0) m->function[core] = &program->functions[program->core_function[core]];
  m->with_data = with_data;
  m->block = shared ? shared->block : 0;
  m->blocks = shared ? shared->blocks : 1;
  m->order = pto_order_new();
  m->races_owned = !shared;
  m->races = shared ? shared->races : pto_races_new(&program, 1, 1);
  m->slot_uses = calloc(pto_slot_use_count(m) + 1, sizeof *m->slot_uses);
  if (!m->slot_uses || !m->order || !m->races || !allocate_spent(m) || (with_data && !allocate(m, shared))) {
    pto_machine_free(m);
    return NULL;
  }
  m->races_watched = pto_races_watch(m->races);
  m->events_used = has_events(program);
  pto_machine_set_policy(m, -1);
  pto_machine_reset(m);
  return m;
}

void pto_machine_free(struct pto_machine *m) {
  if (!m) return;
  if (m->gm_owned) free(m->gm);
  if (m->races_owned) pto_races_free(m->races);
  free(m->order);
  free(m->slot_uses);
  free(m->scratch);
  for (unsigned core = 0; core < PTO_CORES; core++) free(m->spent[core]);
  for (unsigned core = 0; core < PTO_CORES; core++)
    for (unsigned loc = 0; loc < PTO_LOCS; loc++) free(m->local[core][loc]);
  free(m);
}

void pto_machine_set_policy(struct pto_machine *m, int policy) {
  m->policy_asked = policy;
  for (unsigned i = 0; i < m->program->pipe_count; i++) m->policy[i] = pto_pipe_policy(m->program, i, policy);
  pto_direction_prepare(m);
  pto_overlap_prepare(m);
  struct pto_note why;
  m->refused = pto_check_refuses(m->program, policy, &why);
  if (!m->refused) return;
  m->refused_line = why.line;
  snprintf(m->refused_why, sizeof m->refused_why, "%s", why.text);
}

/* --- initial data --- */

static uint32_t next_random(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(*state >> 33);
}

static void fill_global(struct pto_machine *m, const struct pto_global *g) {
  uint8_t *at = pto_gm_at(m, g->addr);
  unsigned size = pto_dtype_bytes(g->dtype);
  uint64_t random = g->seed * UINT64_C(2654435761) + 1;
  if (g->init == PTO_INIT_BYTES) {
    memcpy(at, m->program->data + g->data, g->data_bytes < g->bytes ? g->data_bytes : g->bytes);
    return;
  }
  for (uint64_t n = 0; n < g->bytes / size; n++) {
    double value = 0;
    uint32_t r = next_random(&random);
    if (g->init == PTO_INIT_IOTA) value = (double)n;
    if (g->init == PTO_INIT_FILL) value = g->low;
    if (g->init == PTO_INIT_RANDOM) value = g->low + (g->high - g->low) * (double)r / 2147483648.0;
    if (g->init == PTO_INIT_INTS) value = g->low + (double)(r % (uint32_t)(g->high - g->low + 1));
    pto_dtype_store(g->dtype, at + n * size, value);
  }
}

static void reset_data(struct pto_machine *m) {
  if (!m->with_data) return;
  memset(m->gm, 0, m->program->ring_bytes);
  if (m->block == 0) memset(m->gm_tensors, 0, m->program->gm_bytes - m->program->ring_bytes);
  for (unsigned core = 0; core < PTO_CORES; core++)
    for (unsigned loc = PTO_MAT; loc < PTO_LOCS; loc++) memset(m->local[core][loc], 0, m->profile->memory_bytes[loc]);
  for (unsigned i = 0; i < m->program->global_count && m->block == 0; i++)
    if (m->program->globals[i].init != PTO_INIT_ZERO && m->program->globals[i].init != PTO_INIT_FILE)
      fill_global(m, &m->program->globals[i]);
}

/* --- engine numbers --- */

/* The pipes of its core to which an instruction can give work, as bits. */
static unsigned units_of(const struct pto_machine *m, unsigned core, const struct pto_instr *i) {
  if (i->op >= PTO_OP_LOAD) return 1u << pto_unit_of(m, core, i);
  if (i->op >= PTO_OP_WAIT_EVENT) return 1u << i->unit | 1u << i->unit2;
  if (i->op < PTO_OP_PIPE_INIT) return 0;
  const struct pto_direction_info *down = &m->direction_info[i->pipe][PTO_DIRECTION_C2V][core],
                                  *up = &m->direction_info[i->pipe][PTO_DIRECTION_V2C][core];
  const struct pto_direction_info *push = core == PTO_AIC ? down : up, *pop = core == PTO_AIC ? up : down;
  unsigned pushes = 1u << push->push_unit | 1u << push->wait_free_unit | 1u << push->set_ready_unit;
  unsigned pops = 1u << pop->pop_unit | 1u << pop->wait_ready_unit | 1u << pop->set_free_unit;
  if (i->op == PTO_OP_TALLOC || i->op == PTO_OP_TPUSH || i->op == PTO_OP_TPUSH_VIEW) return pushes;
  if (i->op >= PTO_OP_TPOP && i->op <= PTO_OP_TFREE_VIEW) return pops;
  if (i->op != PTO_OP_PIPE_INIT) return 0;
  const struct pto_pipe_config *c =
      pto_config(m, (unsigned)i->pipe, core); /* the pipes that the destructor uses count too */
  return (pto_pipe_direction_exists(c, core == PTO_AIC ? PTO_DIRECTION_C2V : PTO_DIRECTION_V2C) ? pushes : 0) |
         (pto_pipe_direction_exists(c, core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V) ? pops : 0);
}

/* The engine visits every agent in every cycle, so only pipes that can receive work get an engine number, in their order.
 * All scalar units get one, even of a core without a program: a hang report names them. */
static void assign_engine_ids(struct pto_machine *m) {
  unsigned count = 0;
  for (unsigned core = 0; core < PTO_CORES; core++) {
    const struct pto_function *fn = m->function[core];
    unsigned used = 1u << PTO_S;
    for (uint32_t i = 0; fn && i < fn->instr_count; i++) used |= units_of(m, core, &fn->instrs[i]);
    for (unsigned unit = 0; unit < PTO_UNITS; unit++) {
      unsigned agent = pto_agent(core, unit);
      m->engine_id[agent] = (uint8_t)(used >> unit & 1u ? count : PTO_NO_ENGINE_ID);
      if (!(used >> unit & 1u)) continue;
      m->core_at[count] = (uint8_t)core;
      m->unit_at[count] = (uint8_t)unit;
      m->agent_at[count++] = (uint8_t)agent;
    }
  }
  m->engine.agent_count = count;
}

/* --- a dispatch --- */

static void reset_core(struct pto_machine *m, unsigned core) {
  struct pto_core_state *c = &m->cores[core];
  uint32_t epoch = c->epoch, tick = c->tick;
  memset(c, 0, sizeof *c);
  c->epoch = epoch;
  c->tick = tick;
  c->present = m->program->core_function[core] >= 0;
  c->lane = core == PTO_AIV1;
  for (unsigned i = 0; i < PTO_TILES_MAX; i++) c->tile_binding[i].pipe = -1;
  for (unsigned i = 0; i < PTO_VIEWS_MAX; i++) c->view_binding[i].pipe = -1;
  for (unsigned unit = 0; unit < PTO_UNITS; unit++) {
    struct pto_queue *q = &m->queues[pto_agent(core, unit)];
    uint32_t started = m->dispatch ? q->started : 0;
    memset(q, 0, offsetof(struct pto_queue, items));
    q->started = started;
  }
}

static void start_dispatch(struct pto_machine *m) {
  sim_time now = m->engine.now;
  pto_order_dispatch(m);
  uint32_t started[PTO_CORES];
  for (unsigned core = 0; core < PTO_CORES; core++) started[core] = m->cores[core].started;
  for (unsigned core = 0; core < PTO_CORES; core++) {
    reset_core(m, core);
    if (m->dispatch) m->cores[core].started = started[core];
    if (!m->cores[core].present) continue;
    pto_sleep_until(m, pto_agent(core, PTO_S), now + 1);
    for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++)
      if (m->engine_id[pto_agent(core, unit)] != PTO_NO_ENGINE_ID) pto_sleep(m, pto_agent(core, unit));
  }
  for (unsigned i = 0; i < m->program->pipe_count; i++)
    for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++) {
      struct pto_direction_state *w = &m->directions[i][direction];
      for (unsigned core = 0; core < PTO_CORES; core++)
        if (m->program->pipes[i].has[core])
          for (unsigned lane = 0; lane < 2; lane++) sim_ring_init(&w->ring[lane], m->program->pipes[i].end[core].slot_num);
      w->occupied = w->reserved = 0;
      w->changed = now;
    }
}

void pto_machine_reset(struct pto_machine *m) {
  sim_engine_init(&m->engine, PTO_AGENTS);
  pto_flags_init(m);
  pto_order_reset(m);
  if (m->block == 0) pto_races_reset(m->races);
  memset(&m->stats, 0, sizeof m->stats);
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (m->spent[core]) memset(m->spent[core], 0, m->function[core]->instr_count * sizeof *m->spent[core]);
  memset(&m->fault, 0, sizeof m->fault);
  memset(m->finding_total, 0, sizeof m->finding_total);
  memset(m->findings, 0, sizeof m->findings);
  for (unsigned i = 0; i < m->program->pipe_count; i++) memset(m->directions[i], 0, sizeof m->directions[i]);
  m->finding_count = m->dispatch = 0;
  m->waiting = m->work = m->elements = 0;
  m->deadlocked = 0;
  reset_data(m);
}

static void close_occupancy(struct pto_machine *m) {
  for (unsigned i = 0; i < m->program->pipe_count; i++)
    for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++) {
      struct pto_direction_state *w = &m->directions[i][direction];
      w->occupied_cycles[w->occupied < PTO_SLOTS_MAX ? w->occupied : PTO_SLOTS_MAX] += m->engine.now - w->changed;
      w->changed = m->engine.now;
    }
}

/* Credits left in a counter at the end of a dispatch remain for the next one. */
static void find_leaks(struct pto_machine *m) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    for (unsigned id = 0; id < PTO_FLAGS; id++) {
      const struct pto_flag *f = &m->flags[core][id];
      unsigned left = f->sem.value + f->sem.posted[0] + f->sem.posted[1];
      if (!left || !m->cores[core].present) continue;
      int pipe = f->origin_count ? f->origin_pipe[f->origin_head] : -1;
      pto_find(m, (struct pto_finding){.kind = PTO_FIND_LEAK,
                                       .core = (uint8_t)core,
                                       .pipe = (int16_t)pipe,
                                       .flag = (uint8_t)id,
                                       .tile = left,
                                       .line = f->origin_count ? f->origin_line[f->origin_head] : 0});
    }
}

static void account_stalls(struct pto_machine *m) {
  for (unsigned engine_id = 0; engine_id < m->engine.agent_count; engine_id++) pto_count_wait(m, m->agent_at[engine_id]);
}

/* The run ends before its program: waits and work that have begun count up to here. */
static void account_open(struct pto_machine *m) {
  account_stalls(m);
  for (unsigned engine_id = 0; engine_id < m->engine.agent_count; engine_id++)
    if (m->unit_at[engine_id] != PTO_S) pto_count_work(m, m->core_at[engine_id], m->unit_at[engine_id]);
}

static uint32_t dispatches(const struct pto_machine *m) {
  uint32_t count = m->program->dispatches;
  return m->dispatch_limit && m->dispatch_limit < count ? m->dispatch_limit : count;
}

enum pto_end_kind pto_machine_begin(struct pto_machine *m) {
  assign_engine_ids(m);
  if (m->refused) {
    sim_fault_set(&m->fault, SIM_FAULT_UNSUPPORTED, m->engine.now, "", "line %u: %s", m->refused_line, m->refused_why);
    m->fault.pc = m->refused_line;
    return PTO_FAULTED;
  }
  pto_setup_report(m);
  if (m->strict && m->finding_count) return PTO_HAZARD_STOP;
  m->dispatch = 0;
  start_dispatch(m);
  return PTO_GOING_ON;
}

enum pto_end_kind pto_machine_advance(struct pto_machine *m, sim_time until) {
  for (;;) {
    enum sim_end end = sim_run(&m->engine, until, &ops, m);
    if (end == SIM_END_TIME && !m->fault.kind) return PTO_GOING_ON;
    close_occupancy(m);
    if (m->fault.kind || end == SIM_END_STOPPED) account_open(m);
    if (m->fault.kind) return PTO_FAULTED;
    if (end == SIM_END_STOPPED) return PTO_HAZARD_STOP;
    if (end == SIM_END_BLOCKED) {
      account_stalls(m);
      m->deadlocked = 1;
      return PTO_DEADLOCKED;
    }
    find_leaks(m);
    if (++m->dispatch >= dispatches(m)) return PTO_RAN;
    start_dispatch(m);
  }
}

enum pto_end_kind pto_machine_give_up(struct pto_machine *m) {
  close_occupancy(m);
  account_open(m);
  return PTO_TIME_LIMIT;
}
