/* See order.h. */
#include "pto/runtime/order.h"

#include <stdlib.h>
#include <string.h>

#define WORDS 24u      /* PTO_AGENTS, rounded up for vector code */
#define HISTORY 64u    /* clocks of an agent's latest items: at least two queues */
#define EPOCHS 256u    /* clocks of a scalar unit after its latest waits */
#define CREDITS 16u    /* sets of a flag that are not taken */
#define SENT_MAX 2048u /* latest sets: those in flight (SIM_EFFECTS_MAX), and those that no wait has taken */

_Static_assert(PTO_AGENTS <= WORDS, "a clock has a word for each agent");
_Static_assert(HISTORY >= 2 * PTO_QUEUE_MAX, "an item's needs are in the history");

/* Signed, since vector code compares signed words in one instruction. */
struct clock {
  int32_t at[WORDS];
};

struct taken {
  uint32_t agent;
  int32_t tick;
};

struct flag_order {
  uint16_t set[2][CREDITS]; /* numbers in pto_order.sent */
  uint32_t sets[2], takes, pad;
  struct taken taken[CREDITS];
};

/* An older clock than the oldest one kept is replaced by that one: then a race may be missed, but none is invented. */
struct pto_order {
  struct clock now[PTO_AGENTS];
  int32_t base[PTO_AGENTS];  /* items before this launch */
  uint32_t seen[PTO_AGENTS]; /* the last epoch that the agent's clock includes */
  uint32_t sent_next;
  struct flag_order flags[PTO_CORES][PTO_FLAGS];
  struct pto_slot_use slots[PTO_PIPES_MAX][PTO_DIRECTIONS][2][PTO_SLOTS_MAX];
  /* --- written before they are read: not cleared by a reset --- */
  struct clock history[PTO_AGENTS][HISTORY];
  uint32_t line[PTO_AGENTS][HISTORY]; /* of these items */
  struct clock issued[PTO_CORES][EPOCHS];
  struct clock local[PTO_CORES][PTO_UNITS][PTO_UNITS][PTO_LOCAL_EVENTS];
  struct clock sent[SENT_MAX];
};

struct pto_order *pto_order_new(void) {
  return calloc(1, sizeof(struct pto_order));
}

static void join(struct clock *c, const struct clock *other) {
  for (unsigned i = 0; i < WORDS; i++) c->at[i] = c->at[i] > other->at[i] ? c->at[i] : other->at[i];
}

/* The clock of a scalar unit; its own word is the number of its instruction. */
static struct clock *scalar_clock(const struct pto_machine *m, unsigned core) {
  struct clock *c = &m->order->now[pto_agent(core, PTO_S)];
  c->at[pto_agent(core, PTO_S)] = (int32_t)m->cores[core].tick;
  return c;
}

void pto_order_reset(struct pto_machine *m) {
  struct pto_order *o = m->order;
  memset(o, 0, offsetof(struct pto_order, flags));
  for (unsigned core = 0; core < PTO_CORES; core++) {
    o->issued[core][0] = o->now[0];
    m->cores[core].epoch = m->cores[core].tick = 0;
    for (unsigned flag = 0; flag < PTO_FLAGS; flag++) {
      struct flag_order *f = &o->flags[core][flag];
      f->sets[0] = f->sets[1] = f->takes = 0;
    }
  }
  memset(o->slots, 0, m->program->pipe_count * sizeof o->slots[0]);
}

void pto_order_dispatch(struct pto_machine *m) {
  struct pto_order *o = m->order;
  for (unsigned core = 0; core < PTO_CORES; core++) scalar_clock(m, core);
  struct clock all = o->now[0];
  for (unsigned agent = 1; agent < PTO_AGENTS; agent++) join(&all, &o->now[agent]);
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    o->now[agent] = all;
    o->base[agent] = all.at[agent];
    o->seen[agent] = m->cores[agent / PTO_UNITS].epoch;
  }
  for (unsigned core = 0; core < PTO_CORES; core++) o->issued[core][m->cores[core].epoch % EPOCHS] = all;
}

/* --- the scalar unit --- */

static void acquire(struct pto_machine *m, unsigned core) {
  m->order->issued[core][++m->cores[core].epoch % EPOCHS] = *scalar_clock(m, core);
}

/* The clock of item `ticket` of this launch. */
static const struct clock *item_clock(const struct pto_machine *m, unsigned agent, uint32_t ticket) {
  const struct pto_order *o = m->order;
  uint32_t done = m->queues[agent].done, oldest = done > HISTORY - 1 ? done - (HISTORY - 1) : 1;
  if (ticket < oldest) ticket = oldest;
  return &o->history[agent][((uint32_t)o->base[agent] + ticket) % HISTORY];
}

void pto_order_wait_item(struct pto_machine *m, unsigned core, unsigned unit, uint32_t ticket) {
  unsigned agent = pto_agent(core, unit);
  if (!ticket || ticket > m->queues[agent].done) return;
  join(&m->order->now[pto_agent(core, PTO_S)], item_clock(m, agent, ticket));
  acquire(m, core);
}

void pto_order_wait_all(struct pto_machine *m, unsigned core) {
  struct clock *s = &m->order->now[pto_agent(core, PTO_S)];
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) join(s, &m->order->now[pto_agent(core, unit)]);
  acquire(m, core);
}

/* --- items --- */

void pto_order_start(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  struct pto_order *o = m->order;
  unsigned agent = pto_agent(core, unit), scalar = pto_agent(core, PTO_S);
  struct clock *now = &o->now[agent];
  if (item->epoch != o->seen[agent]) {
    join(now, &o->issued[core][item->epoch % EPOCHS]);
    o->seen[agent] = item->epoch;
  }
  if (now->at[scalar] < (int32_t)item->issued) now->at[scalar] = (int32_t)item->issued;
  if (item->needs && !m->function[core]->manual_sync)
    for (unsigned u = 0; u < PTO_UNITS; u++)
      if (item->need[u]) join(now, item_clock(m, pto_agent(core, u), item->need[u]));
  if (item->unit_flag) {
    unsigned partner = unit == PTO_FIX ? PTO_M : PTO_FIX;
    if (item->need[partner]) join(now, item_clock(m, pto_agent(core, partner), item->need[partner]));
  }
  now->at[agent] = o->base[agent] + (int32_t)m->queues[agent].done + 1;
}

void pto_order_end(struct pto_machine *m, unsigned agent, uint32_t line) {
  struct pto_order *o = m->order;
  unsigned at = (unsigned)o->now[agent].at[agent] % HISTORY;
  o->history[agent][at] = o->now[agent];
  o->line[agent][at] = line;
}

/* The line of an item that has ended, or that waits in its queue. */
static uint32_t item_line(const struct pto_machine *m, unsigned agent, uint32_t ticket) {
  const struct pto_queue *q = &m->queues[agent];
  if (ticket <= q->done) return m->order->line[agent][((uint32_t)m->order->base[agent] + ticket) % HISTORY];
  return q->items[(q->head + ticket - q->done - 1) % PTO_QUEUE_MAX].line;
}

unsigned pto_order_missing(const struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item,
                           uint32_t *line) {
  const struct pto_order *o = m->order;
  const struct clock *now = &o->now[pto_agent(core, unit)];
  for (unsigned u = 0; u < PTO_UNITS; u++) {
    unsigned agent = pto_agent(core, u);
    if (!item->need[u] || now->at[agent] >= o->base[agent] + (int32_t)item->need[u]) continue;
    *line = item_line(m, agent, item->need[u]);
    return u;
  }
  return PTO_UNITS;
}

/* --- flags --- */

uint32_t pto_order_send(struct pto_machine *m, unsigned core, unsigned unit) {
  struct pto_order *o = m->order;
  uint32_t sent = o->sent_next++ % SENT_MAX;
  o->sent[sent] = unit == PTO_S ? *scalar_clock(m, core) : o->now[pto_agent(core, unit)];
  return sent;
}

bool pto_order_post(struct pto_machine *m, unsigned core, unsigned flag, unsigned source, uint32_t sent) {
  struct flag_order *f = &m->order->flags[core][flag];
  uint32_t before = f->sets[source]++;
  f->set[source][before % CREDITS] = (uint16_t)sent;
  if (before < PTO_FLAG_MAX) return true;
  uint32_t needed = before - PTO_FLAG_MAX; /* the wait that must have passed */
  const struct taken *taken = &f->taken[needed % CREDITS];
  return f->takes <= needed || f->takes > needed + CREDITS || m->order->sent[sent].at[taken->agent] >= taken->tick;
}

void pto_order_take(struct pto_machine *m, unsigned core, unsigned flag, unsigned unit) {
  struct pto_order *o = m->order;
  struct flag_order *f = &o->flags[core][flag];
  unsigned agent = pto_agent(core, unit);
  struct clock *now = unit == PTO_S ? scalar_clock(m, core) : &o->now[agent];
  uint32_t take = f->takes++;
  f->taken[take % CREDITS] =
      (struct taken){agent, unit == PTO_S ? now->at[agent] : o->base[agent] + (int32_t)m->queues[agent].done + 1};
  for (unsigned source = 0; source < 2; source++)
    if (f->sets[source] - take - 1 < CREDITS) join(now, &o->sent[f->set[source][take % CREDITS]]);
  if (unit == PTO_S) acquire(m, core);
}

void pto_order_signal(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event) {
  m->order->local[core][from][to][event] = from == PTO_S ? *scalar_clock(m, core) : m->order->now[pto_agent(core, from)];
}

void pto_order_await(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event) {
  join(&m->order->now[pto_agent(core, to)], &m->order->local[core][from][to][event]);
  if (to == PTO_S) acquire(m, core);
}

/* --- moments --- */

struct pto_moment pto_order_now(const struct pto_machine *m, unsigned agent, uint32_t line, uint32_t tile) {
  const struct clock *c = agent % PTO_UNITS == PTO_S ? scalar_clock(m, agent / PTO_UNITS) : &m->order->now[agent];
  return (struct pto_moment){(uint32_t)c->at[agent], line, tile, agent};
}

bool pto_order_after(const struct pto_machine *m, unsigned agent, const struct pto_moment *earlier) {
  return m->order->now[agent].at[earlier->agent] >= (int32_t)earlier->tick;
}

struct pto_slot_use *pto_order_slot(const struct pto_machine *m, unsigned pipe, unsigned direction, unsigned lane,
                                    unsigned slot) {
  return &m->order->slots[pipe][direction][lane][slot];
}
