/* The sentence of pto/why.h, from the pipes' busy cycles, the cores' busy cycles and the waits for tiles and free slots.
 *
 * In this order: global memory that has no bandwidth left; a policy whose credits keep both ends of a TPipe waiting although it has slots; pipes that are busy nearly all the time; a core whose pipes work in turn, so
 * that it is busy while none of them is; else cores that work in turn, with the longest wait of one for another. A core waits for a
 * flag while none of its pipes works: its scalar unit waits in advance most of the time.
 *
 * A place is the line with the most cycles of what the sentence names. */
#include "observe/pto/why.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define BUSY_PERCENT 80u       /* a pipe or a core from here on bounds the program */
#define ALIKE_PERCENT 2u       /* pipes that differ by at most this bound it together */
#define FULL_PER_MILLE 900u    /* of global memory's bandwidth */
#define ALSO_WAITS_PERCENT 10u /* the other end of a TPipe waits too */

static unsigned percent_of(uint64_t part, const struct pto_machine *m) {
  return (unsigned)((part * 100 + m->engine.now / 2) / m->engine.now);
}

static const char *pipe_name(unsigned agent) { return pto_unit_name(agent % PTO_UNITS); }
static const char *core_of(unsigned agent) { return pto_core_name(agent / PTO_UNITS); }

static unsigned busiest_pipe(const struct pto_machine *m) {
  unsigned top = 0;
  for (unsigned agent = 1; agent < PTO_AGENTS; agent++)
    if (m->stats.busy[agent] > m->stats.busy[top]) top = agent;
  return top;
}

static unsigned busiest_core(const struct pto_machine *m) {
  unsigned top = 0;
  for (unsigned core = 1; core < PTO_CORES; core++)
    if (m->stats.core_busy[core] > m->stats.core_busy[top]) top = core;
  return top;
}

/* --- places --- */

static uint64_t cycles_of(const struct pto_spent *s, unsigned unit, bool waits) {
  return waits ? s->waited : s->unit == unit ? s->busy : 0;
}

/* The line of a core with the most cycles of this pipe, or of waits for flags; `part`: its cycles of all. 0: none. */
static uint32_t line_of(const struct pto_machine *m, unsigned core, unsigned unit, bool waits, unsigned *part) {
  const struct pto_function *fn = m->function[core];
  uint64_t most = 0, all = 0;
  uint32_t line = 0;
  for (uint32_t i = 0; fn && i < fn->instr_count; i++) {
    uint64_t sum = 0;
    all += cycles_of(&m->spent[core][i], unit, waits);
    if (!cycles_of(&m->spent[core][i], unit, waits)) continue;
    for (uint32_t k = 0; k < fn->instr_count; k++)
      if (fn->instrs[k].line == fn->instrs[i].line) sum += cycles_of(&m->spent[core][k], unit, waits);
    if (sum <= most) continue;
    most = sum;
    line = fn->instrs[i].line;
  }
  *part = all ? (unsigned)((most * 100 + all / 2) / all) : 0;
  return line;
}

/* "stages.pto:9"; "line 9" of a program without a file */
static void add_line(struct sim_text *out, const struct pto_machine *m, uint32_t line) {
  if (m->file) sim_text_add(out, "%s:%u", m->file, line);
  else sim_text_add(out, "line %u", line);
}

/* " (stages.pto:9)" after the name of a pipe, with the line's part of its cycles if it is not all. */
static void add_place(struct obs_pto_why *why, const struct pto_machine *m, unsigned agent) {
  unsigned part, line = line_of(m, agent / PTO_UNITS, agent % PTO_UNITS, false, &part);
  if (!line) return;
  if (!why->line) why->line = line;
  sim_text_add(&why->out, " (");
  add_line(&why->out, m, line);
  if (part < 95) sim_text_add(&why->out, " has %u %% of it", part);
  sim_text_add(&why->out, ")");
}

/* --- waits for the other core --- */

struct flag_wait {
  unsigned pipe, core;
  bool for_tile; /* else for a free slot */
  uint64_t cycles;
};

static struct flag_wait longest_wait(const struct pto_machine *m) {
  struct flag_wait longest = {.cycles = 0};
  for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++)
    for (unsigned core = 0; core < PTO_CORES; core++)
      for (unsigned tile = 0; tile < 2; tile++)
        if (m->stats.waited[pipe][core][tile] > longest.cycles)
          longest = (struct flag_wait){pipe, core, tile != 0, m->stats.waited[pipe][core][tile]};
  return longest;
}

/* The Cube pops what goes up and pushes what goes down. */
static const char *direction_of(const struct flag_wait *w) { return (w->core == PTO_AIC) == w->for_tile ? "V2C" : "C2V"; }

/* The line of the pushes or pops with the most cycles of the wait. */
static uint32_t line_of_wait(const struct pto_machine *m, const struct flag_wait *w) {
  const struct pto_function *fn = m->function[w->core];
  uint64_t most = 0;
  uint32_t line = 0;
  for (uint32_t i = 0; fn && i < fn->instr_count; i++) {
    const bool pops = fn->instrs[i].op == PTO_OP_TPOP || fn->instrs[i].op == PTO_OP_TPOP_VIEW;
    if (fn->instrs[i].pipe != (int)w->pipe || pops != w->for_tile || m->spent[w->core][i].waited <= most) continue;
    most = m->spent[w->core][i].waited;
    line = fn->instrs[i].line;
  }
  return line;
}

static void add_wait(struct obs_pto_why *why, const struct pto_machine *m, const struct flag_wait *w) {
  const uint32_t line = line_of_wait(m, w);
  sim_text_add(&why->out, "%s waits %u %% of the time for a %s of %%%s %s", pto_core_name(w->core), percent_of(w->cycles, m),
               w->for_tile ? "tile" : "free slot", m->program->pipes[w->pipe].name, direction_of(w));
  if (!line) return;
  if (!why->line) why->line = line;
  sim_text_add(&why->out, " at ");
  add_line(&why->out, m, line);
}

/* The rerun: `change` and the words for it. */
__attribute__((format(printf, 3, 4))) static void propose(struct obs_pto_why *why, struct pto_change change,
                                                          const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(why->what, sizeof why->what, format, args);
  va_end(args);
  why->change = change;
}

/* The longest wait of a core at the other end. `any_pipe`: of every TPipe, else of this one. */
static struct flag_wait wait_opposite(const struct pto_machine *m, const struct flag_wait *w, bool for_tile, bool any_pipe) {
  struct flag_wait longest = {.cycles = 0};
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if ((core == PTO_AIC) == (w->core == PTO_AIC)) continue;
    for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++)
      if ((any_pipe || pipe == w->pipe) && m->stats.waited[pipe][core][for_tile] > longest.cycles)
        longest = (struct flag_wait){pipe, core, for_tile, m->stats.waited[pipe][core][for_tile]};
  }
  return longest;
}

/* --- the sentences --- */

static const char *change_of(unsigned unit, bool several) {
  if (several) return "give all of them less work, or use more blocks";
  switch (unit) {
    case PTO_S: return "issue fewer instructions, with larger tiles";
    case PTO_M: return "give it fewer or smaller products, or use more blocks";
    case PTO_V: return "give it fewer operations per tile, or use more blocks";
    default: return "move fewer bytes through it, or use more blocks";
  }
}

static void bound_by_memory(const struct pto_grid *g, const struct pto_machine *m, struct obs_pto_why *why) {
  unsigned top = busiest_pipe(m);
  struct pto_change change = pto_change_none();
  sim_text_add(&why->out, "bound by global memory: the %u blocks use %u %% of its bandwidth, and %s %s", g->count,
               pto_grid_gm_use(g) / 10u, core_of(top), pipe_name(top));
  add_place(why, m, top);
  sim_text_add(&why->out, " is busy %u %% of the time; move fewer bytes: more blocks are not faster",
               percent_of(m->stats.busy[top], m));
  change.all_bandwidth = true;
  propose(why, change, "global memory serves all blocks at once");
}

/* Slots that the credits of the policy let the producer fill, and slots that one credit frees. */
static bool limits_slots(const struct pto_policy *policy, const struct pto_direction_info *info, uint32_t *usable) {
  const bool counted = policy->wait == PTO_WAIT_EVERY && !policy->per_slot; /* a credit for each push */
  *usable = counted ? pto_policy_initial(policy, info->slots, info->period) : info->slots;
  return info->slots > 1 && (*usable < info->slots || 2 * info->period > info->slots);
}

/* Both ends of a TPipe wait for each other although it has several slots: its policy hands them over one by one, or all at once. */
static bool bound_by_credits(const struct pto_machine *m, struct obs_pto_why *why) {
  struct sim_text *out = &why->out;
  for (unsigned pipe = 0; pipe < m->program->pipe_count; pipe++)
    for (unsigned core = 0; core < PTO_CORES; core++) {
      const struct flag_wait slot = {pipe, core, false, m->stats.waited[pipe][core][false]};
      const struct flag_wait tile = wait_opposite(m, &slot, true, false);
      const struct pto_direction_info *info =
          &m->direction_info[pipe][core == PTO_AIC ? PTO_DIRECTION_C2V : PTO_DIRECTION_V2C][core];
      uint32_t usable;
      if (percent_of(slot.cycles, m) < ALSO_WAITS_PERCENT || percent_of(tile.cycles, m) < ALSO_WAITS_PERCENT) continue;
      if (!limits_slots(m->policy[pipe], info, &usable)) continue;
      sim_text_add(out, "bound by the credits of policy %s: ", m->policy[pipe]->name);
      if (usable < info->slots)
        sim_text_add(out, "%%%s has %u slots, of which its %u credit%s one end fill %u; ", m->program->pipes[pipe].name,
                     info->slots, usable, usable == 1 ? " lets" : "s let", usable);
      else
        sim_text_add(out, "it frees the %u slots of %%%s %u at a time; ", info->slots, m->program->pipes[pipe].name,
                     info->period);
      add_wait(why, m, &slot);
      sim_text_add(out, ", and ");
      add_wait(why, m, &tile);
      sim_text_add(out, "; to change: %s",
                   usable < info->slots ? "another policy, such as exact: more slots do nothing"
                                        : "a shorter period of credits (sync_period, or another policy, such as exact)");
      struct pto_change change = pto_change_none();
      change.policy = (int)PTO_POLICY_EXACT;
      propose(why, change, "policy %s", pto_policy_get(PTO_POLICY_EXACT)->name);
      return true;
    }
  return false;
}

static void bound_by_pipes(const struct pto_machine *m, unsigned top, struct obs_pto_why *why) {
  struct sim_text *out = &why->out;
  struct pto_change change = pto_change_none();
  char names[120] = "";
  const unsigned most = percent_of(m->stats.busy[top], m);
  unsigned count = 0, named = 0;
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) count += percent_of(m->stats.busy[agent], m) + ALIKE_PERCENT >= most;
  sim_text_add(out, "bound by");
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (percent_of(m->stats.busy[agent], m) + ALIKE_PERCENT < most) continue;
    const char *between = !named ? "" : named + 1 < count ? "," : " and";
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s %s %s", between, core_of(agent), pipe_name(agent));
    sim_text_add(out, "%s %s %s", between, core_of(agent), pipe_name(agent));
    add_place(why, m, agent);
    change.machine.no_time |= 1u << agent;
    named++;
  }
  sim_text_add(out, ",%s busy %u %% of the time", count > 1 ? " each" : "", most);
  const struct flag_wait wait = longest_wait(m);
  if (count == 1 && wait.cycles && wait.core != top / PTO_UNITS) {
    sim_text_add(out, "; ");
    add_wait(why, m, &wait);
  }
  sim_text_add(out, "; to change: %s", change_of(top % PTO_UNITS, count > 1));
  propose(why, change, "%s work%s in no time", names + 1, count > 1 ? "" : "s");
}

static void bound_by_core(const struct pto_machine *m, unsigned core, struct obs_pto_why *why) {
  struct sim_text *out = &why->out;
  struct pto_change change = pto_change_none();
  const char *comma = " (";
  uint64_t most = 0;
  sim_text_add(out, "bound by %s, busy %u %% of the time: its pipes work in turn", pto_core_name(core),
               percent_of(m->stats.core_busy[core], m));
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) {
    uint64_t busy = m->stats.busy[core * PTO_UNITS + unit];
    if (!busy) continue;
    unsigned part, line = line_of(m, core, unit, false, &part);
    sim_text_add(out, "%s%s %u %%", comma, pto_unit_name(unit), percent_of(busy, m));
    if (line) {
      sim_text_add(out, ", most at ");
      add_line(out, m, line);
    }
    if (busy > most) most = busy, why->line = line;
    comma = "; ";
  }
  sim_text_add(out, "); to change: use two tiles in turn, so that one pipe fills the next tile while another uses this one");
  change.machine.no_dependencies = (uint8_t)(1u << core | (core != PTO_AIC ? 1u << PTO_AIV0 | 1u << PTO_AIV1 : 0));
  propose(why, change, "the pipes of %s do not wait for each other", core == PTO_AIC ? "AIC" : "AIV0 and AIV1");
}

static void bound_by_waits(const struct pto_machine *m, unsigned core, struct obs_pto_why *why) {
  struct sim_text *out = &why->out;
  struct pto_change change = pto_change_none();
  const struct flag_wait wait = longest_wait(m);
  sim_text_add(out, "bound by waits: the busiest core, %s, works %u %% of the time", pto_core_name(core),
               percent_of(m->stats.core_busy[core], m));
  if (!wait.cycles) {
    sim_text_add(out, "; to change: give its pipes more work at once, with larger tiles");
    return;
  }
  sim_text_add(out, "; ");
  add_wait(why, m, &wait);
  const struct flag_wait slot = wait.for_tile ? wait_opposite(m, &wait, false, false) : wait;
  const struct flag_wait tile = wait_opposite(m, &wait, true, wait.for_tile);
  if (percent_of(slot.cycles, m) >= ALSO_WAITS_PERCENT) {
    const struct flag_wait *other = wait.for_tile ? &slot : &tile;
    if (percent_of(other->cycles, m) >= ALSO_WAITS_PERCENT) {
      sim_text_add(out, ", and ");
      add_wait(why, m, other);
    }
    sim_text_add(out, "; to change: give %%%s more slots, or free them earlier", m->program->pipes[slot.pipe].name);
    change.double_slots = (int)slot.pipe;
    propose(why, change, "%%%s has twice the slots", m->program->pipes[slot.pipe].name);
    return;
  }
  if (percent_of(tile.cycles, m) >= ALSO_WAITS_PERCENT) {
    sim_text_add(out, ", and ");
    add_wait(why, m, &tile);
    sim_text_add(out, "; to change: push the next tile before the result of this one is popped");
  } else {
    sim_text_add(out, "; to change: push smaller tiles, so that both ends work at once");
  }
  const bool vectors = wait.core != PTO_AIC; /* run one program */
  change.machine.no_wait = vectors ? 1u << PTO_AIV0 | 1u << PTO_AIV1 : 1u << PTO_AIC;
  change.machine.wait_for_tile = wait.for_tile;
  change.machine.wait_pipe = (int16_t)wait.pipe;
  propose(why, change, "%s not wait for %s of %%%s %s", vectors ? "AIV0 and AIV1 do" : "AIC does",
          wait.for_tile ? "tiles" : "free slots", m->program->pipes[wait.pipe].name, direction_of(&wait));
}

void obs_pto_why(const struct pto_grid *grid, const struct pto_machine *m, struct obs_pto_why *why) {
  memset(why, 0, sizeof *why);
  why->out = (struct sim_text){.data = why->text, .size = sizeof why->text};
  const unsigned top = busiest_pipe(m), core = busiest_core(m);
  if (!m->engine.now || !m->stats.busy[top]) return;
  if (grid->count > 1 && pto_grid_gm_use(grid) >= FULL_PER_MILLE) bound_by_memory(grid, m, why);
  else if (bound_by_credits(m, why)) return;
  else if (percent_of(m->stats.busy[top], m) >= BUSY_PERCENT) bound_by_pipes(m, top, why);
  else if (percent_of(m->stats.core_busy[core], m) >= BUSY_PERCENT) bound_by_core(m, core, why);
  else bound_by_waits(m, core, why);
}
