/* The steps and words of why/step.h. */
#include "observe/why/step.h"

#include "observe/words.h"

/* --- the largest category of an agent --- */

const struct obs_account_row *obs_why_row(const struct obs_account *a, unsigned agent) {
  return agent <= TX_AGENT_THREAD2 ? &a->thread[agent] : &a->core[agent - TX_AGENT_TRISC0];
}

/* The largest category in which the agent is active. */
static unsigned most_of(const struct obs_account_row *row) {
  unsigned best = OBS_ISSUE;
  for (unsigned i = 1; i < OBS_CATEGORIES; i++)
    if (i != OBS_RESET && i != OBS_STOPPED && i != OBS_BOOT && i != TX_BLOCKED_LATCH && row->cycles[i] > row->cycles[best])
      best = i;
  return best;
}

uint32_t obs_why_object(const struct obs_profile *p, unsigned agent, unsigned category) {
  const struct obs_profile_row *best = NULL;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &p->rows[i];
    if (r->cycles && r->agent == agent && r->category == category && (!best || r->cycles > best->cycles)) best = r;
  }
  return best ? best->object : 0;
}

/* --- possible releasers of a wait --- */

static unsigned other_side(const struct tx_tile *t, unsigned agent, uint32_t semaphores) {
  uint32_t agents = 0;
  for (uint32_t left = semaphores & ((1u << TX_SEMAPHORES) - 1u); left; left &= left - 1)
    agents |= t->sync.posters[__builtin_ctz(left)] | t->sync.takers[__builtin_ctz(left)];
  agents &= ~(1u << agent);
  return agents ? (unsigned)__builtin_ctz(agents) : WHY_NO_AGENT;
}

unsigned obs_why_unit_of(uint32_t conditions) {
  if (conditions & (1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1)) return TX_UNIT_UNPACK;
  if (conditions & 1u << TX_C3_PACK) return TX_UNIT_PACK;
  if (conditions & 1u << TX_C4_MATRIX) return TX_UNIT_MATRIX;
  return conditions & 1u << TX_C11_VECTOR ? TX_UNIT_VECTOR : WHY_NO_UNIT;
}

void obs_why_follow_thread(const struct tx_tile *t, struct why_step *s) {
  switch (s->category) {
    case OBS_EMPTY: s->next = TX_AGENT_TRISC0 + s->agent; break;
    case TX_BLOCKED_SRCA:
    case TX_BLOCKED_SRCB: s->next = TX_AGENT_THREAD0; break;
    case TX_BLOCKED_UNPACK_BANK: s->next = TX_AGENT_THREAD1; break;
    case TX_BLOCKED_SEMAPHORE: s->next = other_side(t, s->agent, s->object); break;
    case TX_BLOCKED_CONDITION:
      s->unit = obs_why_unit_of(s->object);
      if (s->object & (1u << TX_C7_SRCA_VALID | 1u << TX_C8_SRCB_VALID)) s->next = TX_AGENT_THREAD0;
      if (s->object & (1u << TX_C5_SRCA_CLEARED | 1u << TX_C6_SRCB_CLEARED)) s->next = TX_AGENT_THREAD1;
      break;
    case TX_BLOCKED_UNIT: s->unit = s->object; break;
    case TX_BLOCKED_HAZARD: s->unit = s->object; break;
    default: break;
  }
}

void obs_why_follow_core(const struct tx_tile *t, struct why_step *s) {
  unsigned buffer, pushes;
  switch (s->category) {
    case TX_BLOCKED_FIFO:
    case TX_BLOCKED_TTSYNC:
    case TX_BLOCKED_MOPSYNC:
    case TX_BLOCKED_TRACKED:
      s->next = s->agent - TX_AGENT_TRISC0 < TX_THREADS ? s->agent - TX_AGENT_TRISC0 : WHY_NO_AGENT;
      break;
    case TX_BLOCKED_ADDRESS:
      s->noc = obs_why_polls_noc(s->object);
      if (!obs_profile_buffer(s->object, &buffer, &pushes)) break;
      s->next = t->buffer_writer[buffer][pushes].known ? t->buffer_writer[buffer][pushes].agent : WHY_NO_AGENT;
      if (s->next <= TX_AGENT_THREAD2)
        s->next += TX_AGENT_TRISC0; /* its instruction counts the page, and its core determines when */
      break;
    default: break;
  }
}

struct why_step obs_why_step(const struct obs_profile *p, unsigned agent) {
  const struct tx_tile *t = p->account.t;
  struct why_step s = {
      .agent = agent, .category = most_of(obs_why_row(&p->account, agent)), .next = WHY_NO_AGENT, .unit = WHY_NO_UNIT};
  s.object = obs_why_object(p, agent, s.category);
  if (agent <= TX_AGENT_THREAD2) obs_why_follow_thread(t, &s);
  else obs_why_follow_core(t, &s);
  if (s.next > TX_AGENT_NCRISC) s.next = WHY_NO_AGENT;
  return s;
}

/* The math thread; without one the thread or core that issued most. */
unsigned obs_why_first_agent(const struct obs_account *a) {
  if (a->thread[1].cycles[OBS_ISSUE] > 100) return TX_AGENT_THREAD1;
  unsigned best = TX_AGENT_TRISC0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (a->core[core].cycles[OBS_ISSUE] > obs_why_row(a, best)->cycles[OBS_ISSUE]) best = TX_AGENT_TRISC0 + core;
  return best;
}

/* --- words --- */

static void add_function(struct sim_text *out, const char *function, const char *call) {
  if (function) sim_text_add(out, " (%s%s%s)", function, call ? ", in " : "", call ? call : "");
}

void obs_why_add_line(struct sim_text *out, const struct why_line *l) {
  sim_text_add(out, "%s:%u", l->file, l->line);
  add_function(out, l->function, l->call);
}

/* "reader.c:16 (kernel_main, in scrub)", "the loop at reader.c:16-20 (kernel_main)", "the function scrub (most at reader.c:16)" */
void obs_why_add_part(struct sim_text *out, const struct why_part *part) {
  char name[300];
  dbg_extent_text(&part->extent, name, sizeof name);
  sim_text_add(out, "%s%s", part->loop ? "the loop at " : part->extent.first ? "" : "the function ", name);
  if (part->extent.first) add_function(out, part->function, part->call);
  else if (part->line.file) sim_text_add(out, " (most at %s:%u)", part->line.file, part->line.line);
}

static void add_wait(struct sim_text *out, const struct why_step *s) {
  unsigned buffer, pushes;
  if (s->category == TX_BLOCKED_ADDRESS && obs_profile_buffer(s->object, &buffer, &pushes))
    sim_text_add(out, "waits for %s CB %u", pushes ? "a page in" : "room in", buffer);
  else if (s->noc) sim_text_add(out, "waits for the NoC");
  else if (s->category == TX_BLOCKED_SEMAPHORE && s->object)
    sim_text_add(out, "waits for semaphore %s", obs_semaphore_name((unsigned)__builtin_ctz(s->object)));
  else if (s->category == OBS_EMPTY) sim_text_add(out, "has nothing to issue");
  else if (s->category == OBS_ISSUE) sim_text_add(out, "issues instructions");
  else if (s->category == TX_BLOCKED_UNIT) sim_text_add(out, "waits for the %s", obs_unit_name(s->object));
  else sim_text_add(out, "waits: %s", obs_category_name(s->category));
}

void obs_why_add_step(struct sim_text *out, const struct obs_why_tile *tile, const struct why_step *s) {
  struct why_line line;
  uint64_t cycles = obs_account_cycles(&tile->p->account);
  sim_text_add(out, "  %s ", obs_agent_name(s->agent));
  add_wait(out, s);
  sim_text_add(out, " %.1f%% of the cycles",
               obs_why_share(obs_why_row(&tile->p->account, s->agent)->cycles[s->category], cycles));
  if (obs_why_hottest(tile, s->agent, s->category, &line)) {
    sim_text_add(out, ", most at ");
    obs_why_add_line(out, &line);
  }
  sim_text_add(out, "\n");
}

void obs_why_add_place(struct sim_text *out, const struct obs_why_tile *tile, unsigned agent, unsigned category,
                       const char *before) {
  struct why_line line;
  if (!obs_why_hottest(tile, agent, category, &line)) return;
  sim_text_add(out, "%s", before);
  obs_why_add_line(out, &line);
}
