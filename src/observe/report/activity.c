/* The words of activity.h. */
#include "observe/report/activity.h"

#include "chips/blackhole/address_map.h"
#include "observe/hang/poll.h"
#include "observe/report/chip_figures.h"
#include "observe/words.h"

#define WAITS_NAMED 2u
#define LOADS_MAX 8u /* of a loop that polls */

enum state { STATE_OFF, STATE_RUNS, STATE_POLLS, STATE_WAITS };

static bool has_script(const struct tx_tile *t, unsigned core) {
  const struct tx_script *script = t->unsaved.scripts[core];
  return script && t->script[core].next < script->count;
}

static bool in_noc(uint32_t address) { return address >= TX_ADDR_NOC && address - TX_ADDR_NOC < TX_NOC_WINDOWS_BYTES; }

/* `noc`: it waits for a register of the tile's own NIUs, a counter of responses or a command buffer. */
static enum state state_of(const struct tx_tile *t, unsigned agent, bool *noc) {
  const struct sim_wait *w = &t->engine.agents[agent].wait;
  struct obs_polled polled[LOADS_MAX];
  *noc = false;
  if (agent < TX_AGENT_TRISC0) return w->kind && w->kind != TX_BLOCKED_LATCH ? STATE_WAITS : STATE_OFF;
  const unsigned core = agent - TX_AGENT_TRISC0;
  const bool scripted = t->core[core].state == TX_CORE_HELD && has_script(t, core);
  if (t->core[core].state != TX_CORE_RUNNING && !scripted) return STATE_OFF;
  *noc = (w->kind == TX_BLOCKED_ADDRESS || w->kind == TX_BLOCKED_LOAD) && in_noc(w->object);
  if (w->kind) return w->kind == TX_BLOCKED_ADDRESS || w->kind == TX_BLOCKED_LOOP ? STATE_POLLS : STATE_WAITS;
  if (scripted) return STATE_RUNS;
  const unsigned loads = obs_poll_round(t, core, polled, LOADS_MAX); /* not every loop that polls is parked */
  for (unsigned i = 0; i < loads && i < LOADS_MAX; i++) *noc |= in_noc(polled[i].address);
  return loads ? STATE_POLLS : STATE_RUNS;
}

/* "TRISC0 runs" or "3 cores run" */
static void add_cores(struct sim_text *out, const struct tx_tile *t, enum state state, const char *verb) {
  unsigned count = 0, last = 0;
  bool noc;
  for (unsigned agent = TX_AGENT_TRISC0; agent <= TX_AGENT_NCRISC; agent++)
    if (state_of(t, agent, &noc) == state) count++, last = agent;
  const char *between = out->length ? "; " : "";
  if (count == 1) sim_text_add(out, "%s%s %ss", between, obs_agent_name(last), verb);
  else if (count) sim_text_add(out, "%s%u cores %s", between, count, verb);
}

void obs_tile_activity(const struct tx_tile *t, struct sim_text *out) {
  unsigned waits = 0;
  bool noc;
  add_cores(out, t, STATE_RUNS, "run");
  for (unsigned agent = 0; agent <= TX_AGENT_NCRISC; agent++) {
    if (state_of(t, agent, &noc) != STATE_WAITS || ++waits > WAITS_NAMED) continue;
    sim_text_add(out, "%s%s waits: %s", out->length ? "; " : "", obs_agent_name(agent),
                 obs_wait_name(t->engine.agents[agent].wait.kind));
  }
  if (waits > WAITS_NAMED) sim_text_add(out, "; %u more wait", waits - WAITS_NAMED);
  add_cores(out, t, STATE_POLLS, "poll");
}

void obs_chip_activity(struct chip *c, struct sim_text *out) {
  unsigned tiles = 0, run = 0, noc = 0, wait = 0;
  for (unsigned tile = 0; tile < CHIP_TILES; tile++) {
    const struct tx_tile *t = obs_chip_cores(c, tile);
    bool runs = false, on = false, for_noc = false;
    for (unsigned agent = TX_AGENT_TRISC0; t && agent <= TX_AGENT_NCRISC; agent++) {
      bool of_noc;
      const enum state state = state_of(t, agent, &of_noc);
      on |= state != STATE_OFF;
      runs |= state == STATE_RUNS;
      for_noc |= of_noc;
    }
    tiles += on;
    run += runs;
    noc += for_noc;
    wait += on && !runs && !for_noc;
  }
  if (!tiles) return;
  sim_text_add(out, "%u of %u tile%s run%s", run, tiles, tiles == 1 ? "" : "s", tiles == 1 ? "s" : "");
  if (noc) sim_text_add(out, ", %u wait%s for the NoC", noc, noc == 1 ? "s" : "");
  if (wait) sim_text_add(out, ", %u only wait%s", wait, wait == 1 ? "s" : "");
}
