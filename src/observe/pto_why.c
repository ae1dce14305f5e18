/* The sentence of pto_why.h, from the pipes' busy cycles, the cores' busy cycles and the waits for tiles and free slots.
 *
 * In this order: global memory that has no bandwidth left; a policy whose credits keep both ends of a TPipe waiting although it has slots; pipes that are busy nearly all the time; a core whose pipes work in turn, so
 * that it is busy while none of them is; else cores that work in turn, with the longest wait of one for another. A core waits for a
 * flag while none of its pipes works: its scalar unit waits in advance most of the time. */
#include "observe/pto_why.h"

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

static void add_wait(struct sim_text *out, const struct pto_machine *m, const struct flag_wait *w) {
  sim_text_add(out, "%s waits %u %% of the time for a %s of %%%s %s", pto_core_name(w->core), percent_of(w->cycles, m),
               w->for_tile ? "tile" : "free slot", m->program->pipes[w->pipe].name, direction_of(w));
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

static void bound_by_memory(const struct pto_grid *g, const struct pto_machine *m, struct sim_text *out) {
  unsigned top = busiest_pipe(m);
  sim_text_add(
      out,
      "bound by global memory: the %u blocks use %u %% of its bandwidth, and %s %s is busy %u %% of the time; move fewer "
      "bytes: more blocks are not faster",
      g->count, pto_grid_gm_use(g) / 10u, core_of(top), pipe_name(top), percent_of(m->stats.busy[top], m));
}

/* Slots that the credits of the policy let the producer fill, and slots that one credit frees. */
static bool limits_slots(const struct pto_policy *policy, const struct pto_direction_info *info, uint32_t *usable) {
  const bool counted = policy->wait == PTO_WAIT_EVERY && !policy->per_slot; /* a credit for each push */
  *usable = counted ? pto_policy_initial(policy, info->slots, info->period) : info->slots;
  return info->slots > 1 && (*usable < info->slots || 2 * info->period > info->slots);
}

/* Both ends of a TPipe wait for each other although it has several slots: its policy hands them over one by one, or all at once. */
static bool bound_by_credits(const struct pto_machine *m, struct sim_text *out) {
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
      add_wait(out, m, &slot);
      sim_text_add(out, ", and ");
      add_wait(out, m, &tile);
      sim_text_add(out, "; to change: %s",
                   usable < info->slots ? "another policy, such as exact: more slots do nothing"
                                        : "a shorter period of credits (sync_period, or another policy, such as exact)");
      return true;
    }
  return false;
}

static void bound_by_pipes(const struct pto_machine *m, unsigned top, struct sim_text *out) {
  const unsigned most = percent_of(m->stats.busy[top], m);
  unsigned count = 0, named = 0;
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) count += percent_of(m->stats.busy[agent], m) + ALIKE_PERCENT >= most;
  sim_text_add(out, "bound by");
  for (unsigned agent = 0; agent < PTO_AGENTS; agent++) {
    if (percent_of(m->stats.busy[agent], m) + ALIKE_PERCENT < most) continue;
    sim_text_add(out, "%s %s %s", !named ? "" : named + 1 < count ? "," : " and", core_of(agent), pipe_name(agent));
    named++;
  }
  sim_text_add(out, ",%s busy %u %% of the time", count > 1 ? " each" : "", most);
  const struct flag_wait wait = longest_wait(m);
  if (count == 1 && wait.cycles && wait.core != top / PTO_UNITS) {
    sim_text_add(out, "; ");
    add_wait(out, m, &wait);
  }
  sim_text_add(out, "; to change: %s", change_of(top % PTO_UNITS, count > 1));
}

static void bound_by_core(const struct pto_machine *m, unsigned core, struct sim_text *out) {
  const char *comma = " (";
  sim_text_add(out, "bound by %s, busy %u %% of the time: its pipes work in turn", pto_core_name(core),
               percent_of(m->stats.core_busy[core], m));
  for (unsigned unit = PTO_S + 1; unit < PTO_UNITS; unit++) {
    uint64_t busy = m->stats.busy[core * PTO_UNITS + unit];
    if (!busy) continue;
    sim_text_add(out, "%s%s %u %%", comma, pto_unit_name(unit), percent_of(busy, m));
    comma = ", ";
  }
  sim_text_add(out, "); to change: use two tiles in turn, so that one pipe fills the next tile while another uses this one");
}

static void bound_by_waits(const struct pto_machine *m, unsigned core, struct sim_text *out) {
  const struct flag_wait wait = longest_wait(m);
  sim_text_add(out, "bound by waits: the busiest core, %s, works %u %% of the time", pto_core_name(core),
               percent_of(m->stats.core_busy[core], m));
  if (!wait.cycles) {
    sim_text_add(out, "; to change: give its pipes more work at once, with larger tiles");
    return;
  }
  sim_text_add(out, "; ");
  add_wait(out, m, &wait);
  const struct flag_wait slot = wait.for_tile ? wait_opposite(m, &wait, false, false) : wait;
  const struct flag_wait tile = wait_opposite(m, &wait, true, wait.for_tile);
  if (percent_of(slot.cycles, m) >= ALSO_WAITS_PERCENT) {
    const struct flag_wait *other = wait.for_tile ? &slot : &tile;
    if (percent_of(other->cycles, m) >= ALSO_WAITS_PERCENT) {
      sim_text_add(out, ", and ");
      add_wait(out, m, other);
    }
    sim_text_add(out, "; to change: give %%%s more slots, or free them earlier", m->program->pipes[slot.pipe].name);
  } else if (percent_of(tile.cycles, m) >= ALSO_WAITS_PERCENT) {
    sim_text_add(out, ", and ");
    add_wait(out, m, &tile);
    sim_text_add(out, "; to change: push the next tile before the result of this one is popped");
  } else {
    sim_text_add(out, "; to change: push smaller tiles, so that both ends work at once");
  }
}

void obs_pto_why(const struct pto_grid *grid, const struct pto_machine *m, struct sim_text *out) {
  const unsigned top = busiest_pipe(m), core = busiest_core(m);
  if (!m->engine.now || !m->stats.busy[top]) return;
  if (grid->count > 1 && pto_grid_gm_use(grid) >= FULL_PER_MILLE) bound_by_memory(grid, m, out);
  else if (bound_by_credits(m, out)) return;
  else if (percent_of(m->stats.busy[top], m) >= BUSY_PERCENT) bound_by_pipes(m, top, out);
  else if (percent_of(m->stats.core_busy[core], m) >= BUSY_PERCENT) bound_by_core(m, core, out);
  else bound_by_waits(m, core, out);
}
