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

/* A word for each agent by its number in the engine: pipes that never receive work cost no time. Signed, since vector code compares signed
 * words in one instruction. */
typedef int32_t four_words __attribute__((vector_size(16)));
struct clock {
  union {
    int32_t at[WORDS];
    four_words four[WORDS / 4];
  };
};

struct taken {
  uint32_t id; /* of the agent in the engine */
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

/* Groups of words that the agents of this machine need. */
static inline unsigned groups(const struct pto_machine *m) { return (m->engine.agent_count + 3) / 4; }

static inline void join(const struct pto_machine *m, struct clock *c, const struct clock *other) {
  for (unsigned i = 0; i < groups(m); i++) {
    four_words later = other->four[i] > c->four[i];
    c->four[i] = (other->four[i] & later) | (c->four[i] & ~later);
  }
}

static inline void copy(const struct pto_machine *m, struct clock *to, const struct clock *from) {
  for (unsigned i = 0; i < groups(m); i++) to->four[i] = from->four[i];
}

static inline int32_t *own_word(const struct pto_machine *m, struct clock *c, unsigned agent) {
  return &c->at[m->engine_id[agent]];
}

/* The clock of a scalar unit; its own word is the number of its instruction. */
static struct clock *scalar_clock(const struct pto_machine *m, unsigned core) {
  struct clock *c = &m->order->now[pto_agent(core, PTO_S)];
  *own_word(m, c, pto_agent(core, PTO_S)) = (int32_t)m->cores[core].tick;
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
  memset(m->slot_uses, 0, pto_slot_use_count(m) * sizeof *m->slot_uses);
}

void pto_order_dispatch(struct pto_machine *m) {
  struct pto_order *o = m->order;
  for (unsigned core = 0; core < PTO_CORES; core++) scalar_clock(m, core);
  struct clock all = o->now[0];
  for (unsigned agent = 1; agent < PTO_AGENTS; agent++) join(m, &all, &o->now[agent]);
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    o->now[agent] = all;
    o->base[agent] = m->engine_id[agent] == PTO_NO_ENGINE_ID ? 0 : all.at[m->engine_id[agent]];
    o->seen[agent] = m->cores[agent / PTO_UNITS].epoch;
  }
  for (unsigned core = 0; core < PTO_CORES; core++) o->issued[core][m->cores[core].epoch % EPOCHS] = all;
}

/* --- the scalar unit --- */

static void acquire(struct pto_machine *m, unsigned core) {
  copy(m, &m->order->issued[core][++m->cores[core].epoch % EPOCHS], scalar_clock(m, core));
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
  join(m, &m->order->now[pto_agent(core, PTO_S)], item_clock(m, agent, ticket));
  acquire(m, core);
}

void pto_order_wait_all(struct pto_machine *m, unsigned core) {
  struct clock *s = &m->order->now[pto_agent(core, PTO_S)];
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) join(m, s, &m->order->now[pto_agent(core, unit)]);
  acquire(m, core);
}

/* --- items --- */

void pto_order_start(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item) {
  struct pto_order *o = m->order;
  unsigned agent = pto_agent(core, unit), scalar = pto_agent(core, PTO_S);
  struct clock *now = &o->now[agent];
  if (item->epoch != o->seen[agent]) {
    join(m, now, &o->issued[core][item->epoch % EPOCHS]);
    o->seen[agent] = item->epoch;
  }
  int32_t *issued = own_word(m, now, scalar);
  if (*issued < (int32_t)item->issued) *issued = (int32_t)item->issued;
  if (item->needs && !m->function[core]->manual_sync)
    for (unsigned u = 0; u < PTO_UNITS; u++)
      if (item->need[u]) join(m, now, item_clock(m, pto_agent(core, u), item->need[u]));
  if (item->unit_flag) {
    unsigned partner = unit == PTO_FIX ? PTO_M : PTO_FIX;
    if (item->need[partner]) join(m, now, item_clock(m, pto_agent(core, partner), item->need[partner]));
  }
  *own_word(m, now, agent) = o->base[agent] + (int32_t)m->queues[agent].done + 1;
}

void pto_order_end(struct pto_machine *m, unsigned agent, uint32_t line) {
  struct pto_order *o = m->order;
  unsigned at = (unsigned)*own_word(m, &o->now[agent], agent) % HISTORY;
  copy(m, &o->history[agent][at], &o->now[agent]);
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
    if (!item->need[u] || now->at[m->engine_id[agent]] >= o->base[agent] + (int32_t)item->need[u]) continue;
    *line = item_line(m, agent, item->need[u]);
    return u;
  }
  return PTO_UNITS;
}

/* --- flags --- */

uint32_t pto_order_send(struct pto_machine *m, unsigned core, unsigned unit) {
  struct pto_order *o = m->order;
  uint32_t sent = o->sent_next++ % SENT_MAX;
  copy(m, &o->sent[sent], unit == PTO_S ? scalar_clock(m, core) : &o->now[pto_agent(core, unit)]);
  return sent;
}

bool pto_order_post(struct pto_machine *m, unsigned core, unsigned flag, unsigned source, uint32_t sent) {
  struct flag_order *f = &m->order->flags[core][flag];
  uint32_t before = f->sets[source]++;
  f->set[source][before % CREDITS] = (uint16_t)sent;
  if (before < PTO_FLAG_MAX) return true;
  uint32_t needed = before - PTO_FLAG_MAX; /* the wait that must have passed */
  const struct taken *taken = &f->taken[needed % CREDITS];
  return f->takes <= needed || f->takes > needed + CREDITS || m->order->sent[sent].at[taken->id] >= taken->tick;
}

void pto_order_take(struct pto_machine *m, unsigned core, unsigned flag, unsigned unit) {
  struct pto_order *o = m->order;
  struct flag_order *f = &o->flags[core][flag];
  unsigned agent = pto_agent(core, unit);
  struct clock *now = unit == PTO_S ? scalar_clock(m, core) : &o->now[agent];
  uint32_t take = f->takes++;
  f->taken[take % CREDITS] = (struct taken){
      m->engine_id[agent], unit == PTO_S ? *own_word(m, now, agent) : o->base[agent] + (int32_t)m->queues[agent].done + 1};
  for (unsigned source = 0; source < 2; source++)
    if (f->sets[source] - take - 1 < CREDITS) join(m, now, &o->sent[f->set[source][take % CREDITS]]);
  if (unit == PTO_S) acquire(m, core);
}

void pto_order_signal(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event) {
  copy(m, &m->order->local[core][from][to][event],
       from == PTO_S ? scalar_clock(m, core) : &m->order->now[pto_agent(core, from)]);
}

void pto_order_await(struct pto_machine *m, unsigned core, unsigned from, unsigned to, unsigned event) {
  join(m, &m->order->now[pto_agent(core, to)], &m->order->local[core][from][to][event]);
  if (to == PTO_S) acquire(m, core);
}

/* --- moments --- */

struct pto_moment pto_order_now(const struct pto_machine *m, unsigned agent, uint32_t line, uint32_t tile) {
  struct clock *c = agent % PTO_UNITS == PTO_S ? scalar_clock(m, agent / PTO_UNITS) : &m->order->now[agent];
  return (struct pto_moment){(uint32_t)*own_word(m, c, agent), line, tile, agent};
}

bool pto_order_after(const struct pto_machine *m, unsigned agent, const struct pto_moment *earlier) {
  return m->order->now[agent].at[m->engine_id[earlier->agent]] >= (int32_t)earlier->tick;
}
