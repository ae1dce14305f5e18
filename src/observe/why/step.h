/* One step of the chain of waits that a verdict follows: what an agent mostly does, and who ends its wait; and the words for agents, lines
 * and parts in a verdict. */
#ifndef TESSERA_OBSERVE_WHY_STEP_H
#define TESSERA_OBSERVE_WHY_STEP_H

#include "observe/why/part.h"
#include "sim/text.h"

#define WHY_NO_AGENT 0xffu
#define WHY_NO_UNIT TX_UNIT_COUNT

struct why_step {
  unsigned agent, category;
  uint32_t object;
  unsigned next; /* WHY_NO_AGENT: it does not wait */
  unsigned unit; /* the unit that it waits for, or works in; WHY_NO_UNIT */
  bool noc;      /* it polls a register of a NIU */
};

static inline double obs_why_share(uint64_t part, uint64_t whole) {
  return whole ? 100.0 * (double)part / (double)whole : 0.0;
}

const struct obs_account_row *obs_why_row(const struct obs_account *a, unsigned agent);
uint32_t obs_why_object(const struct obs_profile *p, unsigned agent,
                        unsigned category); /* of its longest wait of this category */
unsigned obs_why_unit_of(uint32_t conditions);
/* Set the awaited agent and unit, by category and object. */
void obs_why_follow_thread(const struct tx_tile *t, struct why_step *s);
void obs_why_follow_core(const struct tx_tile *t, struct why_step *s);
struct why_step obs_why_step(const struct obs_profile *p, unsigned agent);
unsigned obs_why_first_agent(const struct obs_account *a);

void obs_why_add_line(struct sim_text *out, const struct why_line *l);
void obs_why_add_part(struct sim_text *out, const struct why_part *part);
void obs_why_add_step(struct sim_text *out, const struct obs_why_tile *tile, const struct why_step *s);
/* `before` and the agent's line with the most cycles of the category; nothing if there is none. */
void obs_why_add_place(struct sim_text *out, const struct obs_why_tile *tile, unsigned agent, unsigned category,
                       const char *before);

#endif
