/* The verdict of why.h. */
#include "observe/why.h"

#include <string.h>

#include "debug/place.h"
#include "observe/words.h"

#define LAUNCH_BUFFERS_AT 0x88u /* launch.h: struct launch_buffer[32] */
#define CHAIN_MAX 12u
#define LINES_MAX 256u
#define NO_AGENT 0xffu
#define NO_UNIT TX_UNIT_COUNT

/* --- what an agent does most --- */

static const struct obs_account_row *row_of(const struct obs_account *a, unsigned agent) {
  return agent <= TX_AGENT_THREAD2 ? &a->thread[agent] : &a->core[agent - TX_AGENT_TRISC0];
}

/* The largest category in which the agent is there at all. */
static unsigned most_of(const struct obs_account_row *row) {
  unsigned best = OBS_ISSUE;
  for (unsigned i = 1; i < OBS_CATEGORIES; i++)
    if (i != OBS_RESET && i != OBS_STOPPED && i != OBS_BOOT && i != TX_BLOCKED_LATCH && row->cycles[i] > row->cycles[best])
      best = i;
  return best;
}

static double share(uint64_t part, uint64_t whole) { return whole ? 100.0 * (double)part / (double)whole : 0.0; }

/* --- lines --- */

struct line {
  const char *file, *function, *call;
  uint32_t line, object;
  uint64_t cycles;
};

static bool place_of(const struct dbg_program *program, unsigned agent, uint32_t pc, struct dbg_place *place) {
  unsigned core = agent <= TX_AGENT_THREAD2 ? agent : agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES || !program->loaded[core]) return false;
  dbg_place_find(&program->elf[core], pc - program->moved[core], place);
  return place->file != NULL;
}

static bool waits_for_others(const struct obs_profile_row *r) {
  return r->agent >= TX_AGENT_TRISC0 && r->category < TX_BLOCKED_COUNT && r->category != TX_BLOCKED_LOAD;
}

/* The line at which the agent spends most, in one category or (OBS_CATEGORIES) in all in which it does not wait for somebody else. The library's own lines count for nobody. */
static bool hottest(const struct obs_profile *p, const struct dbg_program *program, unsigned agent, unsigned category,
                    struct line *best) {
  static const struct line none;
  struct line lines[LINES_MAX];
  unsigned count = 0;
  *best = none;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &p->rows[i];
    struct dbg_place place;
    unsigned k = 0;
    if (!r->used || r->agent != agent || (category == OBS_CATEGORIES ? waits_for_others(r) : r->category != category))
      continue;
    if (!place_of(program, agent, r->pc, &place) || place.library) continue;
    while (k < count && (lines[k].line != place.line || strcmp(lines[k].file, place.file) != 0)) k++;
    if (k == LINES_MAX) continue;
    if (k == count) lines[count++] = (struct line){.file = place.file, .line = place.line};
    lines[k].function = place.function;
    if (place.call) lines[k].call = place.call;
    lines[k].cycles += r->cycles;
    lines[k].object = r->object;
  }
  for (unsigned k = 0; k < count; k++)
    if (lines[k].cycles > best->cycles) *best = lines[k];
  return best->cycles != 0;
}

static uint32_t object_of(const struct obs_profile *p, unsigned agent, unsigned category) {
  const struct obs_profile_row *best = NULL;
  for (uint32_t i = 0; i < OBS_PROFILE_ROWS; i++) {
    const struct obs_profile_row *r = &p->rows[i];
    if (r->used && r->agent == agent && r->category == category && (!best || r->cycles > best->cycles)) best = r;
  }
  return best ? best->object : 0;
}

/* --- who could have ended the wait --- */

static bool buffer_of(uint32_t address, unsigned *buffer, unsigned *pushes) {
  uint32_t reg = address % TX_STREAM_BYTES / 4;
  if (address < TX_ADDR_STREAM || address >= TX_ADDR_STREAM + 32 * TX_STREAM_BYTES || (reg != 8 && reg != 10)) return false;
  *buffer = (address - TX_ADDR_STREAM) / TX_STREAM_BYTES;
  *pushes = reg == 10;
  return true;
}

static unsigned other_side(const struct tx_tile *t, unsigned agent, uint32_t semaphores) {
  uint32_t agents = 0;
  for (uint32_t left = semaphores & ((1u << TX_SEMAPHORES) - 1u); left; left &= left - 1)
    agents |= t->sync.posters[__builtin_ctz(left)] | t->sync.takers[__builtin_ctz(left)];
  agents &= ~(1u << agent);
  return agents ? (unsigned)__builtin_ctz(agents) : NO_AGENT;
}

static unsigned unit_of_condition(uint32_t conditions) {
  if (conditions & (1u << TX_C1_UNPACK0 | 1u << TX_C2_UNPACK1)) return TX_UNIT_UNPACK;
  if (conditions & 1u << TX_C3_PACK) return TX_UNIT_PACK;
  if (conditions & 1u << TX_C4_MATRIX) return TX_UNIT_MATRIX;
  return conditions & 1u << TX_C11_VECTOR ? TX_UNIT_VECTOR : NO_UNIT;
}

struct step {
  unsigned agent, category;
  uint32_t object;
  unsigned next; /* NO_AGENT: it waits for nobody */
  unsigned unit; /* that it waits for, or works in; NO_UNIT */
};

static void follow_thread(const struct tx_tile *t, struct step *s) {
  switch (s->category) {
    case OBS_EMPTY: s->next = TX_AGENT_TRISC0 + s->agent; break;
    case TX_BLOCKED_SRCA:
    case TX_BLOCKED_SRCB: s->next = TX_AGENT_THREAD0; break;
    case TX_BLOCKED_UNPACK_BANK: s->next = TX_AGENT_THREAD1; break;
    case TX_BLOCKED_SEMAPHORE: s->next = other_side(t, s->agent, s->object); break;
    case TX_BLOCKED_CONDITION:
      s->unit = unit_of_condition(s->object);
      if (s->object & (1u << TX_C7_SRCA_VALID | 1u << TX_C8_SRCB_VALID)) s->next = TX_AGENT_THREAD0;
      if (s->object & (1u << TX_C5_SRCA_CLEARED | 1u << TX_C6_SRCB_CLEARED)) s->next = TX_AGENT_THREAD1;
      break;
    case TX_BLOCKED_UNIT: s->unit = s->object; break;
    case TX_BLOCKED_HAZARD: s->unit = s->object; break;
    default: break;
  }
}

static void follow_core(const struct tx_tile *t, struct step *s) {
  unsigned buffer, pushes;
  switch (s->category) {
    case TX_BLOCKED_FIFO:
    case TX_BLOCKED_TTSYNC:
    case TX_BLOCKED_MOPSYNC:
    case TX_BLOCKED_TRACKED:
      s->next = s->agent - TX_AGENT_TRISC0 < TX_THREADS ? s->agent - TX_AGENT_TRISC0 : NO_AGENT;
      break;
    case TX_BLOCKED_ADDRESS:
      if (!buffer_of(s->object, &buffer, &pushes)) break;
      s->next = t->buffer_writer[buffer][pushes].known ? t->buffer_writer[buffer][pushes].agent : NO_AGENT;
      if (s->next <= TX_AGENT_THREAD2)
        s->next += TX_AGENT_TRISC0; /* its instruction counts the page; its core decides when */
      break;
    default: break;
  }
}

static struct step step_at(const struct obs_profile *p, unsigned agent) {
  const struct tx_tile *t = p->account.t;
  struct step s = {.agent = agent, .category = most_of(row_of(&p->account, agent)), .next = NO_AGENT, .unit = NO_UNIT};
  s.object = object_of(p, agent, s.category);
  if (agent <= TX_AGENT_THREAD2) follow_thread(t, &s);
  else follow_core(t, &s);
  if (s.next > TX_AGENT_NCRISC) s.next = NO_AGENT;
  return s;
}

/* The math thread; without one the thread or core that issued most. */
static unsigned first_agent(const struct obs_account *a) {
  if (a->thread[1].cycles[OBS_ISSUE] > 100) return TX_AGENT_THREAD1;
  unsigned best = TX_AGENT_TRISC0;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (a->core[core].cycles[OBS_ISSUE] > row_of(a, best)->cycles[OBS_ISSUE]) best = TX_AGENT_TRISC0 + core;
  return best;
}

/* --- words --- */

static void add_line(struct sim_text *out, const struct line *l) {
  sim_text_add(out, "%s:%u", l->file, l->line);
  if (l->function) sim_text_add(out, " (%s%s%s)", l->function, l->call ? ", in " : "", l->call ? l->call : "");
}

static void add_wait(struct sim_text *out, const struct step *s) {
  unsigned buffer, pushes;
  if (s->category == TX_BLOCKED_ADDRESS && buffer_of(s->object, &buffer, &pushes))
    sim_text_add(out, "waits for %s CB %u", pushes ? "a page in" : "room in", buffer);
  else if (s->category == TX_BLOCKED_SEMAPHORE && s->object)
    sim_text_add(out, "waits for semaphore %s", obs_semaphore_name((unsigned)__builtin_ctz(s->object)));
  else if (s->category == OBS_EMPTY) sim_text_add(out, "has nothing to issue");
  else if (s->category == OBS_ISSUE) sim_text_add(out, "issues instructions");
  else if (s->category == TX_BLOCKED_UNIT) sim_text_add(out, "waits for the %s", obs_unit_name(s->object));
  else sim_text_add(out, "waits: %s", obs_category_name(s->category));
}

static void add_step(struct sim_text *out, const struct obs_profile *p, const struct dbg_program *program,
                     const struct step *s) {
  struct line line;
  uint64_t cycles = p->account.t->engine.now - p->account.from;
  sim_text_add(out, "  %s ", obs_agent_name(s->agent));
  add_wait(out, s);
  sim_text_add(out, " %.1f%% of the cycles", share(row_of(&p->account, s->agent)->cycles[s->category], cycles));
  if (hottest(p, program, s->agent, s->category, &line)) {
    sim_text_add(out, ", most at ");
    add_line(out, &line);
  }
  sim_text_add(out, "\n");
}

static uint32_t pages_of(const struct tx_tile *t, unsigned buffer) {
  return tx_l1_read(t, LAUNCH_BUFFERS_AT + 16 * buffer + 8, 4);
}

/* A buffer of one page in the chain: producer and consumer take turns. */
static bool single_buffer(const struct tx_tile *t, const struct step *chain, unsigned count, unsigned *buffer) {
  unsigned pushes;
  for (unsigned i = 0; i < count; i++)
    if (chain[i].category == TX_BLOCKED_ADDRESS && buffer_of(chain[i].object, buffer, &pushes) && pages_of(t, *buffer) == 1)
      return true;
  return false;
}

static const char *advice_for_unit(unsigned unit) {
  switch (unit) {
    case TX_UNIT_MATRIX: return "fewer fidelity phases (MATH_FIDELITY), no throttle, or fewer products";
    case TX_UNIT_VECTOR: return "fewer or cheaper SFPU instructions per tile, or SFPLOADMACRO to overlap them";
    case TX_UNIT_UNPACK: return "unpack less: keep an operand in SrcA or SrcB, or let both unpackers work at once";
    case TX_UNIT_PACK: return "pack less: a narrower format, or fewer rows per PACR";
    default: return "give this unit less to do";
  }
}

static const char *advice_for_core(unsigned agent, unsigned category, const char *call) {
  bool copies = call && strstr(call, "copy");
  if (copies || category == TX_REASON_LOAD || category == TX_REASON_PORT)
    return "it moves data by itself: let the NoC or the mover copy whole pages, and keep several requests under way";
  if (category == TX_REASON_FETCH) return "its loop does not fit into the instruction cache, or jumps too far";
  if (agent >= TX_AGENT_BRISC)
    return "do less per page on this core, share the work with the other one, or move larger pieces at once";
  return "push fewer words: a MOP or the replay buffer issues many instructions for one word";
}

/* A thread that issues all the time keeps some unit busy. */
static unsigned busiest(const struct obs_account *a) {
  unsigned best = 0;
  for (unsigned unit = 1; unit < TX_UNIT_COUNT; unit++)
    if (a->unit[unit].cycles[OBS_BUSY] > a->unit[best].cycles[OBS_BUSY]) best = unit;
  return best;
}

/* The part of the chain that waits for nobody. */
static void add_verdict(struct sim_text *out, const struct obs_profile *p, const struct dbg_program *program,
                        const struct step *chain, unsigned count) {
  const struct step *last = &chain[count - 1];
  uint64_t cycles = p->account.t->engine.now - p->account.from;
  unsigned buffer, unit = last->unit;
  struct line line;
  if (last->next != NO_AGENT && single_buffer(p->account.t, chain, count, &buffer)) {
    sim_text_add(out, "bound by a single buffer: CB %u has one page, and its two sides take turns", buffer);
    if (hottest(p, program, last->agent, last->category, &line)) sim_text_add(out, " at "), add_line(out, &line);
    sim_text_add(out, "\n  change: give CB %u two pages\n", buffer);
    return;
  }
  if (unit == NO_UNIT && last->agent <= TX_AGENT_THREAD2 && last->category != OBS_EMPTY) unit = busiest(&p->account);
  if (unit < TX_UNIT_COUNT) {
    sim_text_add(out, "bound by the %s, busy %.1f%% of the cycles", obs_unit_name(unit),
                 share(p->account.unit[unit].cycles[OBS_BUSY], cycles));
    if (hottest(p, program, last->agent, OBS_CATEGORIES, &line)) sim_text_add(out, ": "), add_line(out, &line);
    sim_text_add(out, "\n  change: %s\n", advice_for_unit(unit));
    return;
  }
  sim_text_add(out, "bound by %s", obs_agent_name(last->agent));
  if (hottest(p, program, last->agent, OBS_CATEGORIES, &line)) {
    sim_text_add(out, ": ");
    add_line(out, &line);
    sim_text_add(out, " takes %.1f%% of the cycles", share(line.cycles, cycles));
  }
  if (last->category != OBS_ISSUE) sim_text_add(out, ", most of them: %s", obs_category_name(last->category));
  sim_text_add(out, "\n  change: %s\n", advice_for_core(last->agent, last->category, line.call));
}

/* A closed chain: the member that issues most is the one that the others wait for. */
static void turn_chain(const struct obs_account *a, struct step *chain, unsigned count, unsigned from) {
  unsigned best = from;
  for (unsigned i = from; i < count; i++) {
    const struct obs_account_row *row = row_of(a, chain[i].agent), *most = row_of(a, chain[best].agent);
    if (row->cycles[chain[i].category] < most->cycles[chain[best].category]) best = i;
  }
  struct step last = chain[best];
  chain[best] = chain[count - 1];
  chain[count - 1] = last;
}

void obs_why_text(const struct obs_profile *p, const struct dbg_program *program, struct sim_text *out) {
  struct step chain[CHAIN_MAX];
  unsigned count = 0, agent = first_agent(&p->account);
  uint32_t seen = 0;
  while (agent != NO_AGENT && count < CHAIN_MAX && !(seen >> agent & 1u)) {
    chain[count] = step_at(p, agent);
    seen |= 1u << agent;
    agent = chain[count++].next;
  }
  sim_text_add(out, "\nwhy: ");
  if (agent != NO_AGENT) {
    unsigned from = 0;
    while (from < count && chain[from].agent != agent) from++;
    turn_chain(&p->account, chain, count, from < count ? from : 0);
  }
  add_verdict(out, p, program, chain, count);
  sim_text_add(out, "  because\n");
  for (unsigned i = 0; i < count; i++) add_step(out, p, program, &chain[i]);
}
