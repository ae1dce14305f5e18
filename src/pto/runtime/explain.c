/* See explain.h. The wait-for graph itself is the one of src/sim; this file supplies the names of flags, tiles and pipes. */
#include "pto/runtime/explain.h"

#include <stdio.h>
#include <string.h>

#include "pto/program/regions.h"
#include "pto/runtime/direction.h"
#include "sim/text.h"
#include "sim/waitgraph.h"

static const char *direction_name(unsigned direction) { return direction == PTO_DIRECTION_C2V ? "C2V" : "V2C"; }

static const char *pipe_name(const struct pto_machine *m, int pipe) {
  return pipe >= 0 && (unsigned)pipe < m->program->pipe_count ? m->program->pipes[pipe].name : "?";
}

static void say_version(struct sim_text *o, uint64_t version) {
  if (version == SIM_RING_EMPTY) sim_text_add(o, "nothing");
  else sim_text_add(o, "tile %llu", (unsigned long long)version);
}

static void explain_ring(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const char *core = pto_core_name(f->core), *other = pto_core_name(f->other_core);
  const char *pipe = pipe_name(m, f->pipe), *direction = direction_name(f->direction);
  if (f->kind == PTO_FIND_OVERWRITE && f->detail == SIM_RING_OVERWRITE_READING)
    sim_text_add(
        o, "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s) while %s (line %u) still reads tile %llu there",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction, other, f->other_line,
        (unsigned long long)f->other_tile);
  else if (f->kind == PTO_FIND_OVERWRITE && f->detail == PTO_ALIASED_RING)
    sim_text_add(o,
                 "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s), but the ring of the other direction "
                 "starts at the same "
                 "address: "
                 "tile %llu that line %u put there is lost",
                 core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
                 (unsigned long long)f->other_tile, f->other_line);
  else if (f->kind == PTO_FIND_OVERWRITE)
    sim_text_add(
        o,
        "%s %s (line %u) writes tile %llu into slot %u of pipe %%%s (%s) although tile %llu (written at line %u) has not "
        "been "
        "read by %s",
        core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction,
        (unsigned long long)f->other_tile, f->other_line,
        f->direction == PTO_DIRECTION_C2V ? pto_core_name(PTO_AIV0 + (unsigned)f->lane) : "AIC");
  else if (f->kind == PTO_FIND_STALE) {
    sim_text_add(o, "%s %s (line %u) reads tile %llu from slot %u of pipe %%%s (%s), but the slot holds ", core,
                 pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction);
    if (f->detail == SIM_RING_READ_EMPTY) sim_text_add(o, "nothing yet");
    else if (f->detail == SIM_RING_READ_PARTIAL) sim_text_add(o, "a tile that line %u is still writing", f->other_line);
    else say_version(o, f->other_tile), sim_text_add(o, " (line %u)", f->other_line);
  } else if (f->kind == PTO_FIND_USE_AFTER_FREE) {
    sim_text_add(o, "%s %s (line %u) uses tile %llu of slot %u of pipe %%%s (%s) after its TFREE; the slot now holds ", core,
                 pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, f->slot, pipe, direction);
    say_version(o, f->other_tile);
    sim_text_add(o, " (line %u)", f->other_line);
  } else {
    sim_text_add(
        o,
        "%s (line %u) frees slot %u of pipe %%%s (%s) which is not held: one credit too many, a later push will overwrite "
        "(last pop at line %u)",
        core, f->line, f->slot, pipe, direction, f->other_line);
  }
}

static void explain_ring_tile(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const char *tile = m->function[f->core]->tiles[f->tile].name;
  if (f->detail)
    sim_text_add(
        o, "%s %s (line %u) writes tile %%%s over slot %u of pipe %%%s, which still holds tile %llu (written at line %u)",
        pto_core_name(f->core), pto_unit_name(f->unit), f->line, tile, f->slot, pipe_name(m, f->pipe),
        (unsigned long long)f->other_tile, f->other_line);
  else
    sim_text_add(
        o, "%s %s (line %u) reads tile %%%s, but slot %u of pipe %%%s lies on its bytes and line %u has filled it since",
        pto_core_name(f->core), pto_unit_name(f->unit), f->line, tile, f->slot, pipe_name(m, f->pipe), f->other_line);
}

static void explain_ring_ring(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  sim_text_add(o, "pipes %%%s (line %u) and %%%s (line %u) both have slots in %s", pipe_name(m, f->detail), f->other_line,
               pipe_name(m, f->pipe), f->line, pto_loc_name(f->slot));
  if (f->slot != PTO_GM) sim_text_add(o, " of %s", pto_core_name(f->core));
  sim_text_add(o, " from 0x%llx to 0x%llx: each overwrites the other's tiles", (unsigned long long)f->tile,
               (unsigned long long)f->other_tile);
}

static void explain_ends(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const uint64_t says[] = {f->tile, f->other_tile};
  sim_text_add(o, "pipe %%%s: %s is ", pipe_name(m, f->pipe), pto_mismatch_name(f->detail));
  for (unsigned i = 0; i < 2; i++) {
    if (f->detail == PTO_ENDS_DIR) sim_text_add(o, "%s", pto_dir_name((unsigned)says[i]));
    else sim_text_add(o, f->detail == PTO_ENDS_ADDRESS ? "0x%llx" : "%llu", (unsigned long long)says[i]);
    if (i == 0) sim_text_add(o, " on the Cube (line %u), but ", f->other_line);
  }
  sim_text_add(o, " on %s (line %u)", pto_core_name(f->core), f->line);
}

static void explain_other(const struct pto_machine *m, const struct pto_finding *f, struct sim_text *o) {
  const char *core = pto_core_name(f->core), *pipe = pipe_name(m, f->pipe);
  switch (f->kind) {
    case PTO_FIND_LANDING:
      sim_text_add(o, "%s %s (line %u) uses tile %llu of pipe %%%s, but line %u has written to the same local bytes since",
                   core, pto_unit_name(f->unit), f->line, (unsigned long long)f->tile, pipe, f->other_line);
      break;
    case PTO_FIND_OVERFLOW:
      sim_text_add(o, "flag %u of %s goes beyond %u: set once more by %s (line %u, pipe %%%s); the 4-bit counter loses it",
                   f->flag, core, PTO_FLAG_MAX, pto_core_name(f->other_core), f->line, pipe);
      break;
    case PTO_FIND_COLLISION:
      sim_text_add(
          o,
          "%s %s (line %u) takes a credit of flag %u for pipe %%%s that line %u gave for pipe %%%s: their flag ids overlap",
          core, pto_unit_name(f->unit), f->line, f->flag, pipe, f->other_line, pipe_name(m, f->detail));
      break;
    case PTO_FIND_SPLIT:
      sim_text_add(o, "%s (line %u) pops from slot %u of pipe %%%s with %s what line %u pushed with %s", core, f->line,
                   f->slot, pipe, pto_split_name((unsigned)f->tile), f->other_line, pto_split_name((unsigned)f->other_tile));
      break;
    case PTO_FIND_SLOT_SIZE:
      sim_text_add(
          o, "%s (line %u) touches %llu bytes from the start of slot %u of pipe %%%s (line %u), whose slots have %llu", core,
          f->line, (unsigned long long)f->tile, f->slot, pipe, f->other_line, (unsigned long long)f->other_tile);
      break;
    case PTO_FIND_LEAK:
      sim_text_add(
          o,
          "%llu credit%s left in flag %u of %s at the end of dispatch %u (pipe %%%s, set at line %u): the next launch "
          "starts with "
          "%s",
          (unsigned long long)f->tile, f->tile == 1 ? "" : "s", f->flag, core, f->dispatch + 1, pipe, f->line,
          f->tile == 1 ? "it" : "them");
      break;
    case PTO_FIND_RING_TILE: explain_ring_tile(m, f, o); break;
    case PTO_FIND_RING_RING: explain_ring_ring(m, f, o); break;
    case PTO_FIND_ENDS: explain_ends(m, f, o); break;
    case PTO_FIND_UNSYNCED:
      sim_text_add(
          o, "%s %s (line %u) starts before %s has finished line %u, on which it depends: set_flag/wait_flag is missing",
          core, pto_unit_name(f->unit), f->line, pto_unit_name(f->detail), f->other_line);
      break;
    default: break;
  }
}

size_t pto_explain_finding(const struct pto_machine *m, const struct pto_finding *f, char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  sim_text_add(&o, "%s at cycle %llu: ", pto_finding_name(f->kind), (unsigned long long)f->cycle);
  if (f->kind >= PTO_FIND_OVERWRITE && f->kind <= PTO_FIND_DOUBLE_FREE) explain_ring(m, f, &o);
  else explain_other(m, f, &o);
  return o.length;
}

/* --- deadlocks --- */

struct waiting {
  unsigned core, unit, flag, role;
  int pipe;
  uint32_t line;
  uint64_t tile;
  const char *op;
  uint32_t count, taken;
};

/* The next operation of the agent. */
static struct waiting describe(const struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &m->engine.agents[m->engine_id[agent]].wait;
  struct waiting d = {
      .core = agent / PTO_UNITS, .unit = agent % PTO_UNITS, .flag = w->object % PTO_FLAGS, .pipe = -1, .count = 1};
  const struct pto_core_state *c = &m->cores[d.core];
  const struct pto_instr *i = pto_instr_at(m, d.core, (uint32_t)(w->detail >> 32));
  d.line = i->line;
  d.op = pto_op_name(i->op);
  d.tile = (uint32_t)w->detail;
  d.pipe = i->pipe;
  if (d.unit != PTO_S) {
    const struct pto_queue *q = &m->queues[agent];
    const struct pto_item *item = &q->items[q->head];
    d.pipe = item->pipe;
    d.role = item->role;
    d.count = item->count;
    d.taken = q->taken;
  } else {
    bool pops = i->op == PTO_OP_TPOP || i->op == PTO_OP_TPOP_VIEW;
    d.role = i->op == PTO_OP_CROSS_WAIT ? PTO_ROLE_BARE : pops ? PTO_ROLE_READY : PTO_ROLE_FREE;
    if (i->op == PTO_OP_END || i->op == PTO_OP_PIPE_END) {
      d.role = PTO_ROLE_DRAIN;
      d.taken = c->taken;
      if (i->op == PTO_OP_END && c->teardown >= 2) d.pipe = (int)c->teardown - 2;
    }
  }
  if (d.role == PTO_ROLE_DRAIN && d.pipe >= 0) {
    const struct pto_pipe_config *config = pto_config(m, (unsigned)d.pipe, d.core);
    d.op = "pipe destructor";
    d.line = config->line;
    d.count = (uint32_t)pto_policy_drain(m->policy[d.pipe], c->ends[d.pipe].prod_tile, c->ends[d.pipe].waited,
                                         config->slot_num, pto_period(m, (unsigned)d.pipe, d.core));
  }
  return d;
}

static const char *role_name(unsigned role) {
  static const char *const names[] = {"", "ready", "free", "free, drained by the destructor", "bare"};
  return names[role];
}

/* The wait-for graph uses the engine's numbers of agents. */
static void agent_words(const void *machine, unsigned engine_id, char *text, size_t size) {
  unsigned agent = ((const struct pto_machine *)machine)->agent_at[engine_id];
  snprintf(text, size, "%s %s", pto_core_name(agent / PTO_UNITS), pto_unit_name(agent % PTO_UNITS));
}

/* Finds the agent of a wait. */
static unsigned owner(const struct pto_machine *m, const struct sim_wait *wait) {
  for (unsigned engine_id = 0; engine_id < m->engine.agent_count; engine_id++)
    if (&m->engine.agents[engine_id].wait == wait) return m->agent_at[engine_id];
  return 0;
}

static void wait_words(const void *machine, const struct sim_wait *w, char *text, size_t size) {
  const struct pto_machine *m = machine;
  struct waiting d = describe(m, owner(m, w));
  switch (w->kind) {
    case PTO_WAIT_FLAG:
      snprintf(text, size, "flag %u (%s%s%s): counter %u, %s at line %u, tile %llu", d.flag, role_name(d.role),
               d.pipe >= 0 ? " of pipe %" : "", d.pipe >= 0 ? pipe_name(m, d.pipe) : "", m->flags[d.core][d.flag].sem.value,
               d.op, d.line, (unsigned long long)d.tile);
      break;
    case PTO_WAIT_DEP:
      snprintf(text, size, "%s to finish what %s at line %u needs", pto_unit_name(w->object % PTO_UNITS), d.op, d.line);
      break;
    case PTO_WAIT_QUEUE:
      snprintf(text, size, "room in the queue of %s for %s at line %u", pto_unit_name(w->object % PTO_UNITS), d.op, d.line);
      break;
    case PTO_WAIT_LOCAL:
      snprintf(text, size, "event %u from %s, wait_flag at line %u", w->object % 8, pto_unit_name(w->object / 64), d.line);
      break;
    case PTO_WAIT_DRAIN:
      snprintf(text, size, "%s to run empty at the end of the program", pto_unit_name(w->object % PTO_UNITS));
      break;
    case PTO_WAIT_POOL:
      snprintf(text, size, "a free slot in the pool that both directions of pipe %%%s share, %s at line %u, tile %llu",
               pipe_name(m, (int)w->object), d.op, d.line, (unsigned long long)d.tile);
      break;
    default: snprintf(text, size, "nothing"); break;
  }
}

/* Cores that have to set this flag. */
static unsigned setters(const struct pto_machine *m, unsigned core, unsigned flag) {
  if (core != PTO_AIC) return 1u << PTO_AIC;
  if (m->profile->point_to_point) return flag < 16 ? 1u << PTO_AIV0 : 1u << PTO_AIV1;
  const struct sim_csem *sem = &m->flags[core][flag].sem;
  if (sem->sources < 2) return 1u << PTO_AIV0 | 1u << PTO_AIV1;
  unsigned both = 0; /* only the lane that is behind can release it */
  for (unsigned lane = 0; lane < 2; lane++)
    if (sem->posted[lane] == 0) both |= 1u << (PTO_AIV0 + lane);
  return both;
}

/* The id by which the setter names this flag. */
static unsigned named_by(const struct pto_machine *m, unsigned core, unsigned flag, unsigned setter) {
  if (!m->profile->point_to_point) return flag;
  if (setter == PTO_AIC) return flag + (core == PTO_AIV1 ? 16u : 0u);
  return flag % 16;
}

static unsigned setting_unit(const struct pto_machine *m, unsigned setter, unsigned flag) {
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) {
    const struct pto_queue *q = &m->queues[pto_agent(setter, unit)];
    for (uint32_t k = 0; k < q->count; k++) {
      const struct pto_item *item = &q->items[(q->head + k) % PTO_QUEUE_MAX];
      if (item->kind == PTO_ITEM_SET && item->flag == flag) return unit;
    }
  }
  return PTO_S;
}

static uint64_t engine_bit(const struct pto_machine *m, unsigned core, unsigned unit) {
  unsigned engine_id = m->engine_id[pto_agent(core, unit)];
  return engine_id == PTO_NO_ENGINE_ID ? 0 : UINT64_C(1) << engine_id;
}

static uint64_t releasers(const void *machine, unsigned engine_id, const struct sim_wait *w) {
  const struct pto_machine *m = machine;
  unsigned core = m->agent_at[engine_id] / PTO_UNITS;
  uint64_t set = 0;
  if (w->kind == PTO_WAIT_DEP || w->kind == PTO_WAIT_QUEUE || w->kind == PTO_WAIT_DRAIN)
    return engine_bit(m, core, w->object % PTO_UNITS);
  if (w->kind == PTO_WAIT_LOCAL) {
    unsigned from = w->object / 64; /* its pipe if the queue holds an item, else the scalar unit, never the waiter itself */
    unsigned who = m->queues[pto_agent(core, from)].count ? from : PTO_S;
    return m->agent_at[engine_id] == pto_agent(core, who) ? 0 : engine_bit(m, core, who);
  }
  if (w->kind == PTO_WAIT_POOL) { /* a pop of the other side's tile, or a pop of this core's tile by the other side */
    for (unsigned other = 0; other < PTO_CORES; other++)
      if (other != core && m->cores[other].present) set |= engine_bit(m, other, PTO_S);
    return set;
  }
  unsigned flag = w->object % PTO_FLAGS, who = setters(m, core, flag);
  for (unsigned setter = 0; setter < PTO_CORES; setter++)
    if (who >> setter & 1u) set |= engine_bit(m, setter, setting_unit(m, setter, named_by(m, core, flag, setter)));
  return set;
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* A call is issued when the scalar unit has queued it, done when its data has moved. */
static void say_pushes(const struct pto_end *e, struct sim_text *o) {
  sim_text_add(o, "it has done %llu push%s", (unsigned long long)e->pushes_done, e->pushes_done == 1 ? "" : "es");
  if (e->pushed > e->pushes_done) {
    uint64_t queued = e->pushed - e->pushes_done;
    sim_text_add(o, "; %llu more %s in its queue", (unsigned long long)queued, queued == 1 ? "is" : "are");
  }
}

static void report_pops(const struct pto_end *e, struct sim_text *o) {
  sim_text_add(o, "it has done %llu pop%s and given %llu credit%s", (unsigned long long)e->pops_done, plural(e->pops_done),
               (unsigned long long)e->free_done, plural(e->free_done));
  if (e->popped > e->pops_done) {
    uint64_t queued = e->popped - e->pops_done;
    sim_text_add(o, "; %llu more pop%s in its queue", (unsigned long long)queued, queued == 1 ? " is" : "s are");
  }
}

static void why_no_ready(const struct pto_machine *m, const struct waiting *d, unsigned setter, struct sim_text *o) {
  const struct pto_end *e = &m->cores[setter].ends[d->pipe];
  if (e->unrecorded)
    sim_text_add(o, "it pushed %llu tile%s with isRecord off, so only %llu of %llu pushes were signalled",
                 (unsigned long long)e->unrecorded, plural(e->unrecorded), (unsigned long long)(e->pushed - e->unrecorded),
                 (unsigned long long)e->pushed);
  else if (e->ready_done > d->tile && e->pushes_done > d->tile)
    sim_text_add(
        o, "it has done %llu pushes, but for another lane (split and no-split disagree) or the credit was taken elsewhere",
        (unsigned long long)e->pushes_done);
  else if (e->pushed == e->pushes_done && (m->cores[setter].finished || m->cores[setter].teardown))
    sim_text_add(o, "its program ended after %llu push%s, this is pop number %llu: push and pop counts differ",
                 (unsigned long long)e->pushes_done, e->pushes_done == 1 ? "" : "es", (unsigned long long)d->tile + 1);
  else say_pushes(e, o), sim_text_add(o, " and is blocked itself");
}

static void why_no_free(const struct pto_machine *m, const struct waiting *d, unsigned setter, struct sim_text *o) {
  const struct pto_end *e = &m->cores[setter].ends[d->pipe], *mine = &m->cores[d->core].ends[d->pipe];
  uint32_t period = pto_period(m, (unsigned)d->pipe, setter);
  if (e->unfreed)
    sim_text_add(o, "it freed %llu time%s with isFree off and gave %llu credit%s", (unsigned long long)e->unfreed,
                 plural(e->unfreed), (unsigned long long)e->free_done, plural(e->free_done));
  else if (e->popped > e->freed &&
           (e->pops_done >= pto_config(m, (unsigned)d->pipe, setter)->slot_num || m->cores[setter].finished))
    sim_text_add(o, "it popped %llu tiles but freed %llu: TFREE is missing", (unsigned long long)e->pops_done,
                 (unsigned long long)e->freed);
  else if (d->role == PTO_ROLE_DRAIN)
    sim_text_add(
        o,
        "policy %s makes the destructor take %u, but after %llu pushes that took %llu it has given %llu (one for each %u "
        "pops): %s",
        m->policy[d->pipe]->name, d->count, (unsigned long long)mine->pushes_done, (unsigned long long)mine->waited,
        (unsigned long long)e->free_done, period, m->cores[setter].finished ? "no more will come" : "and it is blocked");
  else if (e->popped == e->pops_done && (m->cores[setter].finished || m->cores[setter].teardown))
    sim_text_add(o, "its program ended after %llu pop%s, this is push number %llu: push and pop counts differ",
                 (unsigned long long)e->pops_done, plural(e->pops_done), (unsigned long long)d->tile + 1);
  else report_pops(e, o), sim_text_add(o, " and is blocked itself");
}

/* Names the agent that should have set the flag, and why it cannot. */
static void report_setters(const struct pto_machine *m, unsigned agent, struct sim_text *o) {
  struct waiting d = describe(m, agent);
  unsigned who = setters(m, d.core, d.flag);
  for (unsigned setter = 0; setter < PTO_CORES; setter++) {
    if (!(who >> setter & 1u)) continue;
    sim_text_add(o, "  flag %u of %s should be set by %s: ", d.flag, pto_core_name(d.core), pto_core_name(setter));
    if (!m->cores[setter].present)
      sim_text_add(o, "it runs no program%s",
                   d.core == PTO_AIC && !m->profile->point_to_point
                       ? ", and the Cube gets a credit only when both Vectors have set"
                       : "");
    else if (d.pipe < 0)
      sim_text_add(o, "it has set it %llu times", (unsigned long long)m->flags[d.core][d.flag].sets[setter]);
    else if (!m->program->pipes[d.pipe].has[setter])
      sim_text_add(o, "its function declares no end of pipe %%%s", pipe_name(m, d.pipe));
    else if (d.role == PTO_ROLE_READY) why_no_ready(m, &d, setter, o);
    else why_no_free(m, &d, setter, o);
    sim_text_add(o, "\n");
  }
}

size_t pto_explain_deadlock(const struct pto_machine *m, char *text, size_t size) {
  static const struct sim_words words = {agent_words, wait_words, releasers};
  struct sim_waitgraph graph;
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  sim_waitgraph_build(&graph, &m->engine, &words, m);
  sim_text_add(&o, "hang at cycle %llu", (unsigned long long)m->engine.now);
  if (m->program->dispatches > 1) sim_text_add(&o, " in dispatch %u", m->dispatch + 1);
  if (graph.in_cycle) sim_text_add(&o, ": deadlock"); /* the chain of waits closes */
  sim_text_add(&o, "\n");
  size_t room = o.length < size ? size - o.length : 0;
  o.length += sim_waitgraph_explain(&graph, &m->engine, &words, m, room ? text + o.length : NULL, room);
  for (uint64_t left = graph.blocked; left; left &= left - 1) {
    unsigned engine_id = (unsigned)__builtin_ctzll(left);
    if (m->engine.agents[engine_id].wait.kind == PTO_WAIT_FLAG) report_setters(m, m->agent_at[engine_id], &o);
  }
  return o.length;
}
