/* See hang_why.h. */
#include "pto/runtime/hang_why.h"

#include <stdio.h>
#include <string.h>

#include "pto/runtime/direction.h"
#include "pto/runtime/future.h"
#include "sim/text.h"

static const char *pipe_name(const struct pto_machine *m, int pipe) {
  return pipe >= 0 && (unsigned)pipe < m->program->pipe_count ? m->program->pipes[pipe].name : "?";
}

/* The next operation of the agent. */
struct pto_wait_site pto_wait_site(const struct pto_machine *m, unsigned agent) {
  const struct sim_wait *w = &m->engine.agents[m->engine_id[agent]].wait;
  struct pto_wait_site d = {
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

/* Cores that have to set this flag. */
unsigned pto_flag_setters(const struct pto_machine *m, unsigned core, unsigned flag) {
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

unsigned pto_flag_setting_unit(const struct pto_machine *m, unsigned core, unsigned flag, unsigned setter) {
  unsigned id = named_by(m, core, flag, setter);
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) {
    const struct pto_queue *q = &m->queues[pto_agent(setter, unit)];
    for (uint32_t k = 0; k < q->count; k++) {
      const struct pto_item *item = &q->items[(q->head + k) % PTO_QUEUE_MAX];
      if (item->kind == PTO_ITEM_SET && item->flag == id) return unit;
    }
  }
  return pto_future_act(m, setter, (struct pto_act){.kind = PTO_ACT_FLAG, .id = id}) ? PTO_S : PTO_UNITS;
}

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* " (the last at line 12)" */
static void say_last(struct sim_text *o, uint32_t line) {
  if (line) sim_text_add(o, " (the last at line %u)", line);
}

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

/* The scalar unit of the setter has passed the last instruction of its program. */
static bool ended(const struct pto_machine *m, unsigned core) { return m->cores[core].finished || m->cores[core].teardown; }

static void why_no_ready(const struct pto_machine *m, const struct pto_wait_site *d, unsigned setter, bool will,
                         struct sim_text *o) {
  const struct pto_end *e = &m->cores[setter].ends[d->pipe];
  if (e->unrecorded)
    sim_text_add(o, "it pushed %llu tile%s with isRecord off, so only %llu of %llu pushes were signalled",
                 (unsigned long long)e->unrecorded, plural(e->unrecorded), (unsigned long long)(e->pushed - e->unrecorded),
                 (unsigned long long)e->pushed),
        say_last(o, e->last_push_line);
  else if (e->ready_done > d->tile && e->pushes_done > d->tile)
    sim_text_add(
        o, "it has done %llu pushes, but for another lane (split and no-split disagree) or the credit was taken elsewhere",
        (unsigned long long)e->pushes_done);
  else if (e->pushed == e->pushes_done && (ended(m, setter) || !will)) {
    sim_text_add(o, "%s %llu push%s",
                 ended(m, setter) ? "its program ended after" : "the rest of its program has no push after its",
                 (unsigned long long)e->pushes_done, e->pushes_done == 1 ? "" : "es");
    say_last(o, e->last_push_line);
    sim_text_add(o, ", this is pop number %llu: push and pop counts differ", (unsigned long long)d->tile + 1);
  } else say_pushes(e, o), sim_text_add(o, " and is blocked itself");
}

static void why_no_free(const struct pto_machine *m, const struct pto_wait_site *d, unsigned setter, bool will,
                        struct sim_text *o) {
  const struct pto_end *e = &m->cores[setter].ends[d->pipe], *mine = &m->cores[d->core].ends[d->pipe];
  uint32_t period = pto_period(m, (unsigned)d->pipe, setter);
  if (e->unfreed)
    sim_text_add(o, "it freed %llu time%s with isFree off and gave %llu credit%s", (unsigned long long)e->unfreed,
                 plural(e->unfreed), (unsigned long long)e->free_done, plural(e->free_done)),
        say_last(o, e->last_pop_line);
  else if (e->popped > e->freed && !will &&
           (e->pops_done >= pto_config(m, (unsigned)d->pipe, setter)->slot_num || ended(m, setter)))
    sim_text_add(o, "it popped %llu tiles but freed %llu", (unsigned long long)e->pops_done, (unsigned long long)e->freed),
        say_last(o, e->last_pop_line), sim_text_add(o, ": TFREE is missing");
  else if (d->role == PTO_ROLE_DRAIN)
    sim_text_add(
        o,
        "policy %s makes the destructor take %u, but after %llu pushes that took %llu it has given %llu (one for each %u "
        "pops): %s",
        m->policy[d->pipe]->name, d->count, (unsigned long long)mine->pushes_done, (unsigned long long)mine->waited,
        (unsigned long long)e->free_done, period, will ? "and it is blocked" : "no more will come");
  else if (e->popped == e->pops_done && (ended(m, setter) || !will))
    sim_text_add(o, "%s %llu pop%s",
                 ended(m, setter) ? "its program ended after" : "the rest of its program gives no credit after its",
                 (unsigned long long)e->pops_done, plural(e->pops_done)),
        say_last(o, e->last_pop_line),
        sim_text_add(o, ", this is push number %llu: push and pop counts differ", (unsigned long long)d->tile + 1);
  else report_pops(e, o), sim_text_add(o, " and is blocked itself");
}

static void why_not_set(const struct pto_machine *m, const struct pto_wait_site *d, unsigned setter, bool will,
                        struct sim_text *o) {
  uint64_t sets = m->flags[d->core][d->flag].sets[setter];
  sim_text_add(o, "it has set it %llu time%s", (unsigned long long)sets, plural(sets));
  if (sets) say_last(o, m->flags[d->core][d->flag].set_line[setter]);
  sim_text_add(o, " and %s",
               will               ? "is blocked itself"
               : ended(m, setter) ? "its program has ended"
                                  : "the rest of its program does not set it");
}

/* The Vector that has set the flag, when the other one does not. */
static void say_other_lane(const struct pto_machine *m, const struct pto_wait_site *d, unsigned setter, struct sim_text *o) {
  unsigned other = setter == PTO_AIV0 ? PTO_AIV1 : PTO_AIV0;
  const struct pto_flag *f = &m->flags[d->core][d->flag];
  if (setter == PTO_AIC || !f->sets[other]) return;
  sim_text_add(o, "; %s has set it", pto_core_name(other));
  say_last(o, f->set_line[other]);
}

static void why_setter(const struct pto_machine *m, const struct pto_wait_site *d, unsigned setter, char *text,
                       size_t size) {
  struct sim_text o = {text, size, 0};
  text[0] = '\0';
  bool will = pto_flag_setting_unit(m, d->core, d->flag, setter) < PTO_UNITS;
  if (!m->cores[setter].present)
    sim_text_add(&o, "it runs no program%s",
                 d->core == PTO_AIC && !m->profile->point_to_point
                     ? ", and the Cube gets a credit only when both Vectors have set"
                     : ""),
        say_other_lane(m, d, setter, &o);
  else if (d->pipe < 0) why_not_set(m, d, setter, will, &o);
  else if (!m->program->pipes[d->pipe].has[setter])
    sim_text_add(&o, "its function declares no end of pipe %%%s", pipe_name(m, d->pipe));
  else if (d->role == PTO_ROLE_READY) why_no_ready(m, d, setter, will, &o);
  else why_no_free(m, d, setter, will, &o);
}

/* Names the cores that should have set the flag, and why they cannot; cores with the same reason together. */
static void why_flag(const struct pto_machine *m, const struct pto_wait_site *d, char *text, size_t size) {
  char reason[PTO_CORES][256];
  unsigned who = pto_flag_setters(m, d->core, d->flag);
  struct sim_text o = {text, size, 0};
  for (unsigned setter = 0; setter < PTO_CORES; setter++)
    if (who >> setter & 1u) why_setter(m, d, setter, reason[setter], sizeof reason[setter]);
  for (unsigned setter = 0; setter < PTO_CORES; setter++) {
    if (!(who >> setter & 1u)) continue;
    if (o.length && o.length + strlen(reason[setter]) + 48 > size) return; /* no half sentences */
    sim_text_add(&o, "%sflag %u of %s should be set by %s", o.length ? "; " : "", d->flag, pto_core_name(d->core),
                 pto_core_name(setter));
    for (unsigned other = setter + 1; other < PTO_CORES; other++) {
      if (!(who >> other & 1u) || strcmp(reason[setter], reason[other]) != 0) continue;
      sim_text_add(&o, " and %s", pto_core_name(other));
      who &= ~(1u << other);
    }
    sim_text_add(&o, ": %s", reason[setter]);
  }
}

void pto_wait_why(const struct pto_machine *m, unsigned agent, const struct sim_wait *w, bool hopeless, char *text,
                  size_t size) {
  struct pto_wait_site d = pto_wait_site(m, agent);
  text[0] = '\0';
  if (w->kind == PTO_WAIT_FLAG) why_flag(m, &d, text, size);
  else if (!hopeless) return;
  else if (w->kind == PTO_WAIT_LOCAL)
    snprintf(text, size, "no agent can release it: no set_flag for it is left in the program of %s", pto_core_name(d.core));
  else if (w->kind == PTO_WAIT_POOL)
    snprintf(text, size, "no agent can release it: no other core pops from the pipe any more");
  else if (w->kind == PTO_WAIT_DEP && d.unit == PTO_S)
    snprintf(text, size, "no agent can release it: the push or pop that names the event has not recorded it");
  else snprintf(text, size, "no agent can release it");
}

/* "stages.pto:12", or "line 12" of a program without a file. */
static void place_words(const struct pto_machine *m, uint32_t line, char *text, size_t size) {
  if (m->file) snprintf(text, size, "%s:%u", m->file, line);
  else snprintf(text, size, "line %u", line);
}

void pto_wait_what(const struct pto_machine *m, unsigned agent, const struct sim_wait *w, char *text, size_t size) {
  struct pto_wait_site d = pto_wait_site(m, agent);
  char place[80];
  place_words(m, d.line, place, sizeof place);
  switch (w->kind) {
    case PTO_WAIT_FLAG:
      snprintf(text, size, "flag %u (%s%s%s): counter %u, %s at %s, tile %llu", d.flag, role_name(d.role),
               d.pipe >= 0 ? " of pipe %" : "", d.pipe >= 0 ? pipe_name(m, d.pipe) : "", m->flags[d.core][d.flag].sem.value,
               d.op, place, (unsigned long long)d.tile);
      break;
    case PTO_WAIT_DEP:
      snprintf(text, size, "%s to finish what %s at %s needs", pto_unit_name(w->object % PTO_UNITS), d.op, place);
      break;
    case PTO_WAIT_QUEUE:
      snprintf(text, size, "room in the queue of %s for %s at %s", pto_unit_name(w->object % PTO_UNITS), d.op, place);
      break;
    case PTO_WAIT_LOCAL:
      snprintf(text, size, "event %u from %s, wait_flag at %s", w->object % 8, pto_unit_name(w->object / 64), place);
      break;
    case PTO_WAIT_DRAIN:
      snprintf(text, size, "%s to run empty at the end of the program", pto_unit_name(w->object % PTO_UNITS));
      break;
    case PTO_WAIT_POOL:
      snprintf(text, size, "a free slot in the pool that both directions of pipe %%%s share, %s at %s, tile %llu",
               pipe_name(m, (int)w->object), d.op, place, (unsigned long long)d.tile);
      break;
    default: snprintf(text, size, "nothing"); break;
  }
}

void pto_wait_resource(const struct pto_machine *m, unsigned agent, const struct sim_wait *w, struct pto_waiter *to) {
  const char *core = pto_core_name(agent / PTO_UNITS), *unit = pto_unit_name(w->object % PTO_UNITS);
  struct pto_wait_site d = pto_wait_site(m, agent);
  size_t size = sizeof to->resource;
  to->index = w->object % PTO_UNITS;
  switch (w->kind) {
    case PTO_WAIT_FLAG:
      snprintf(to->resource, size, "flag %u of %s", d.flag, core);
      to->index = d.flag;
      to->value = m->flags[d.core][d.flag].sem.value;
      to->wanted = d.count > d.taken ? d.count - d.taken : 1;
      break;
    case PTO_WAIT_QUEUE: snprintf(to->resource, size, "queue of %s of %s", unit, core); break;
    case PTO_WAIT_LOCAL:
      snprintf(to->resource, size, "event %u from %s to %s of %s", w->object % 8, pto_unit_name(w->object / 64),
               pto_unit_name(agent % PTO_UNITS), core);
      to->index = w->object % 8;
      to->wanted = 1;
      break;
    case PTO_WAIT_POOL:
      snprintf(to->resource, size, "slots of pipe %%%s", pipe_name(m, (int)w->object));
      to->index = w->object;
      break;
    default: snprintf(to->resource, size, "%s of %s", unit, core); break;
  }
}
