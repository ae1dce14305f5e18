/* See hang.h. The wait-for graph is the one of src/sim; this file supplies its edges. */
#include "pto/runtime/hang.h"

#include <stdio.h>
#include <string.h>

#include "pto/runtime/future.h"
#include "pto/runtime/hang_why.h"
#include "sim/waitgraph.h"

void pto_agent_words(unsigned agent, char *text, size_t size) {
  snprintf(text, size, "%s %s", pto_core_name(agent / PTO_UNITS), pto_unit_name(agent % PTO_UNITS));
}

static uint64_t engine_bit(const struct pto_machine *m, unsigned core, unsigned unit) {
  unsigned engine_id = m->engine_id[pto_agent(core, unit)];
  return engine_id == PTO_NO_ENGINE_ID ? 0 : UINT64_C(1) << engine_id;
}

/* Where several cores have to set the flag, one that never will makes the wait endless. */
static uint64_t flag_releasers(const struct pto_machine *m, unsigned core, unsigned flag) {
  unsigned who = pto_flag_setters(m, core, flag);
  uint64_t set = 0;
  for (unsigned setter = 0; setter < PTO_CORES; setter++) {
    if (!(who >> setter & 1u)) continue;
    unsigned unit = pto_flag_setting_unit(m, core, flag, setter);
    if (unit == PTO_UNITS) return 0;
    set |= engine_bit(m, setter, unit);
  }
  return set;
}

static uint64_t event_releasers(const struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event) {
  const struct pto_queue *q = &m->queues[pto_agent(core, from)];
  for (uint32_t k = 0; from != PTO_S && k < q->count; k++) {
    const struct pto_item *item = &q->items[(q->head + k) % PTO_QUEUE_MAX];
    if (item->kind == PTO_ITEM_LOCAL_SET && item->flag == (to << 3 | event)) return engine_bit(m, core, from);
  }
  if (to == PTO_S) return 0; /* the waiter itself would have to continue */
  return pto_future_act(m, core, (struct pto_act){PTO_ACT_EVENT, event, from, to}) ? engine_bit(m, core, PTO_S) : 0;
}

static bool pops_queued(const struct pto_machine *m, unsigned core, unsigned unit, unsigned pipe) {
  const struct pto_queue *q = &m->queues[pto_agent(core, unit)];
  for (uint32_t k = 0; k < q->count; k++) {
    const struct pto_item *item = &q->items[(q->head + k) % PTO_QUEUE_MAX];
    unsigned op = pto_instr_at(m, core, item->instr)->op;
    if (item->pipe == (int)pipe && op >= PTO_OP_TPOP && op <= PTO_OP_TFREE_VIEW) return true;
  }
  return false;
}

/* A pop of the other side's tile, or a pop of this core's tile by the other side. */
static uint64_t pool_releasers(const struct pto_machine *m, unsigned core, unsigned pipe) {
  uint64_t set = 0;
  for (unsigned other = 0; other < PTO_CORES; other++) {
    for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++)
      if (pops_queued(m, other, unit, pipe)) set |= engine_bit(m, other, unit);
    if (other != core && pto_future_act(m, other, (struct pto_act){.kind = PTO_ACT_POP, .id = pipe}))
      set |= engine_bit(m, other, PTO_S);
  }
  return set;
}

static uint64_t releasers(const void *machine, unsigned engine_id, const struct sim_wait *w) {
  const struct pto_machine *m = machine;
  unsigned agent = m->agent_at[engine_id], core = agent / PTO_UNITS, unit = agent % PTO_UNITS;
  switch (w->kind) {
    case PTO_WAIT_FLAG: return flag_releasers(m, core, w->object % PTO_FLAGS);
    case PTO_WAIT_LOCAL: return event_releasers(m, core, w->object / 64, unit, w->object % 8);
    case PTO_WAIT_POOL: return pool_releasers(m, core, w->object);
    default: /* the pipe, if it has work; an event that was not recorded has none */
      return m->queues[pto_agent(core, w->object % PTO_UNITS)].count ? engine_bit(m, core, w->object % PTO_UNITS) : 0;
  }
}

static const char *role_of(const struct sim_wait *w, unsigned role) {
  if (w->kind == PTO_WAIT_POOL) return "pops";
  if (w->kind == PTO_WAIT_LOCAL) return "sets";
  if (w->kind != PTO_WAIT_FLAG) return "executes";
  return role == PTO_ROLE_READY ? "pushes" : role == PTO_ROLE_BARE ? "sets" : "pops";
}

static void add_waiter(const struct pto_machine *m, const struct sim_waitgraph *graph, unsigned engine_id,
                       struct pto_waiter *to) {
  unsigned agent = m->agent_at[engine_id];
  const struct sim_wait *w = &m->engine.agents[engine_id].wait;
  struct pto_wait_site d = pto_wait_site(m, agent);
  to->agent = (uint8_t)agent;
  to->core = (uint8_t)d.core;
  to->unit = (uint8_t)d.unit;
  to->kind = (uint8_t)w->kind;
  pto_agent_words(agent, to->name, sizeof to->name);
  to->since = w->since;
  to->line = d.line;
  to->op = d.op;
  to->function = m->function[d.core]->name;
  to->role = role_of(w, d.role);
  to->waits_for = -1;
  for (uint64_t left = graph->releasers[engine_id]; left; left &= left - 1)
    to->release |= UINT64_C(1) << m->agent_at[__builtin_ctzll(left)];
  pto_wait_what(m, agent, w, to->what, sizeof to->what);
  pto_wait_resource(m, agent, w, to);
  pto_wait_why(m, agent, w, !to->release, to->why, sizeof to->why);
}

static int waiter_of(const struct pto_hang *h, unsigned agent) {
  for (uint32_t i = 0; i < h->waiter_count; i++)
    if (h->waiters[i].agent == agent) return (int)i;
  return -1;
}

/* Does `waiter` wait, directly or behind others, for `root`? */
static bool leads_to(const struct pto_hang *h, uint32_t waiter, uint32_t root) {
  int at = (int)waiter;
  for (uint32_t steps = 0; at >= 0 && steps <= h->waiter_count; steps++) {
    if (at == (int)root) return true;
    at = h->waiters[at].waits_for;
  }
  return false;
}

/* The cause: of the waits that no agent can release, the one for which most others wait, then the earliest. -1: none. */
static int find_root(const struct pto_hang *h) {
  int best = -1;
  uint32_t most = 0;
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    uint32_t behind = 0;
    if (h->waiters[i].release) continue;
    for (uint32_t k = 0; k < h->waiter_count; k++) behind += leads_to(h, k, i);
    if (best >= 0 && (behind < most || (behind == most && h->waiters[i].since >= h->waiters[best].since))) continue;
    best = (int)i;
    most = behind;
  }
  return best;
}

static void find_chain(const struct pto_machine *m, const struct sim_waitgraph *graph, struct pto_hang *h) {
  int root = find_root(h);
  if (root >= 0) {
    h->chain[h->chain_count++] = (uint32_t)root;
    for (uint32_t at = 0; at < h->chain_count; at++)
      for (uint32_t i = 0; i < h->waiter_count; i++)
        if (h->waiters[i].waits_for == (int)h->chain[at]) h->chain[h->chain_count++] = i;
    return;
  }
  if (!graph->in_cycle) return;
  unsigned path[SIM_AGENTS_MAX];
  unsigned length = sim_waitgraph_cycle(graph, (unsigned)__builtin_ctzll(graph->in_cycle), path);
  h->deadlock = true;
  for (unsigned i = 0; i < length; i++) h->chain[h->chain_count++] = (uint32_t)waiter_of(h, m->agent_at[path[i]]);
  for (unsigned i = 0; i < length; i++) h->waiters[h->chain[i]].waits_for = (int)h->chain[(i + 1) % length];
}

static void say_wait(const struct pto_waiter *w, struct sim_text *out) {
  sim_text_add(out, "%s has been waiting since cycle %llu for %s", w->name, (unsigned long long)w->since, w->what);
}

static void find_cause(struct pto_hang *h) {
  struct sim_text out = {h->cause, sizeof h->cause, 0};
  if (!h->chain_count) {
    sim_text_add(&out, "no agent can continue");
    return;
  }
  if (!h->deadlock) {
    const struct pto_waiter *w = &h->waiters[h->chain[0]];
    say_wait(w, &out);
    sim_text_add(&out, "; %s", w->why);
    return;
  }
  sim_text_add(&out, "deadlock: ");
  for (uint32_t i = 0; i <= h->chain_count; i++)
    sim_text_add(&out, "%s%s", i ? " -> " : "", h->waiters[h->chain[i % h->chain_count]].name);
  for (uint32_t i = 0; i < h->chain_count && i < 3; i++) {
    sim_text_add(&out, "%s", i ? ", and " : "; ");
    say_wait(&h->waiters[h->chain[i]], &out);
  }
}

void pto_hang_find(const struct pto_machine *m, struct pto_hang *h) {
  static const struct sim_words words = {.releasers = releasers};
  struct sim_waitgraph graph;
  memset(h, 0, sizeof *h);
  h->cycle = m->engine.now;
  h->block = m->block;
  h->dispatch = m->program->dispatches > 1 ? m->dispatch + 1 : 0;
  sim_waitgraph_build(&graph, &m->engine, &words, m);
  for (uint64_t left = graph.blocked; left; left &= left - 1)
    add_waiter(m, &graph, (unsigned)__builtin_ctzll(left), &h->waiters[h->waiter_count++]);
  for (uint32_t i = 0; i < h->waiter_count; i++)
    for (uint64_t left = h->waiters[i].release; left && h->waiters[i].waits_for < 0; left &= left - 1)
      h->waiters[i].waits_for = waiter_of(h, (unsigned)__builtin_ctzll(left));
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!m->cores[core].present) h->absent |= (uint8_t)(1u << core);
    else if (m->cores[core].finished) h->ended |= (uint8_t)(1u << core);
  }
  find_chain(m, &graph, h);
  find_cause(h);
}

/* --- text --- */

static void waiter_line(const struct pto_hang *h, const struct pto_waiter *w, bool in_cause, struct sim_text *out) {
  sim_text_add(out, "  %s: waiting since cycle %llu for %s", w->name, (unsigned long long)w->since, w->what);
  if (w->waits_for >= 0) sim_text_add(out, ", behind %s", h->waiters[w->waits_for].name);
  if (w->why[0] && !in_cause) sim_text_add(out, "; %s", w->why);
  sim_text_add(out, "\n");
}

static bool in_chain(const struct pto_hang *h, uint32_t waiter) {
  for (uint32_t i = 0; i < h->chain_count; i++)
    if (h->chain[i] == waiter) return true;
  return false;
}

void pto_hang_text(const struct pto_hang *h, struct sim_text *out) {
  sim_text_add(out, "hang after %llu cycles", (unsigned long long)h->cycle);
  if (h->dispatch) sim_text_add(out, " in dispatch %u", h->dispatch);
  sim_text_add(out, ": %s\n", h->cause);
  if (h->chain_count) sim_text_add(out, h->deadlock ? "each waits for the next, the last for the first\n" : "waiting\n");
  for (uint32_t i = 0; i < h->chain_count; i++) waiter_line(h, &h->waiters[h->chain[i]], i == 0 && !h->deadlock, out);
  const char *heading = "waiting besides\n";
  for (uint32_t i = 0; i < h->waiter_count; i++) {
    if (in_chain(h, i)) continue;
    sim_text_add(out, "%s", heading);
    heading = "";
    waiter_line(h, &h->waiters[i], false, out);
  }
  const char *between = "have ended: ";
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!(h->ended >> core & 1u)) continue;
    sim_text_add(out, "%s%s", between, pto_core_name(core));
    between = ", ";
  }
  if (h->ended) sim_text_add(out, "\n");
}
