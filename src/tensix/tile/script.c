/* Scripted cores of script.h. Each is an agent that executes its operations in order through the bus, like a core's loop of
 * stores and loads. */
#include "tensix/tile/script.h"

#include <string.h>

#include "tensix/frontend/autosync.h"
#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/tile/bus.h"

#define BURST_WORDS 64u      /* docs/evidence/time.md: the probes are loops over 64 unrolled instructions */
#define BURST_IDLE_CYCLES 2u /* addi + bne */
#define POLL_CYCLES 4u       /* load, mask, compare, branch; inferred */

static unsigned agent_of(unsigned core) { return TX_AGENT_TRISC0 + core; }

void tx_script_attach(struct tx_tile *t, unsigned core, const struct tx_script *script) {
  unsigned agent = agent_of(core);
  t->unsaved.scripts[core] = script;
  memset(&t->script[core], 0, sizeof t->script[core]);
  if (script && script->count) sim_sleep_until(&t->engine, agent, t->engine.now + 1);
  else sim_done(&t->engine, agent);
}

void tx_script_continue(struct tx_tile *t, unsigned core) {
  unsigned agent = agent_of(core);
  if (t->engine.agents[agent].state == SIM_AGENT_DONE && t->script[core].next < t->unsaved.scripts[core]->count)
    sim_sleep_until(&t->engine, agent, t->engine.now + 1);
}

static void finish_op(struct tx_tile *t, unsigned core, uint32_t cycles) {
  struct tx_script_state *s = &t->script[core];
  unsigned agent = agent_of(core);
  sim_unblock(&t->engine, agent);
  s->next++;
  if (s->next < t->unsaved.scripts[core]->count) sim_sleep_until(&t->engine, agent, t->engine.now + cycles);
  else sim_done(&t->engine, agent);
}

static void wait_for(struct tx_tile *t, unsigned core, const struct tx_bus_answer *answer) {
  unsigned agent = agent_of(core);
  sim_block(&t->engine, agent, answer->wait);
  sim_time latest = answer->retry_at ? answer->retry_at : SIM_NEVER;
  sim_sleep_on(&t->engine, agent, answer->channels, latest);
}

/* One store; true: the bus accepted it. */
static bool store(struct tx_tile *t, unsigned core, uint32_t address, uint32_t value) {
  struct tx_bus_answer answer = t->unsaved.ports->store(t, agent_of(core), address, value, 4);
  if (answer.result == TX_BUS_WAIT) wait_for(t, core, &answer);
  return answer.result == TX_BUS_DONE;
}

/* Pushes as many words as FIFO 1 certainly accepts, each for its own later cycle, and sleeps until the last is pushed. */
static void push(struct tx_tile *t, unsigned thread, const struct tx_script_op *op) {
  struct tx_script_state *s = &t->script[thread];
  const struct tx_script *script = t->unsaved.scripts[thread];
  uint32_t room = tx_frontend_room(t, thread);
  if (room == 0 || TX_AUTOSYNC_ON(t, thread)) { /* the bus sets the wait */
    if (store(t, thread, TX_ADDR_PUSH, op->a)) finish_op(t, thread, 1);
    return;
  }
  sim_time at = t->engine.now;
  tx_frontend_wake(t, thread);
  for (;; op++) {
    tx_frontend_push_at(t, thread, op->a, op->line, at);
    s->last_push = at;
    bool pause = ++s->burst == BURST_WORDS;
    if (pause) s->burst = 0;
    at += t->timing && pause ? 1 + BURST_IDLE_CYCLES : 1;
    if (--room == 0 || s->next + 1 >= script->count || op[1].kind != TX_SCRIPT_PUSH) break;
    s->next++;
  }
  finish_op(t, thread, (uint32_t)(at - t->engine.now));
}

/* A load in two steps: the request, and the response when the value is available. true: s->value is the value of `address`. */
static bool load(struct tx_tile *t, unsigned core, uint32_t address) {
  struct tx_script_state *s = &t->script[core];
  if (s->loaded) {
    s->loaded = 0;
    return true;
  }
  struct tx_bus_answer answer = t->unsaved.ports->load(t, agent_of(core), address, 4);
  if (answer.result == TX_BUS_WAIT) wait_for(t, core, &answer);
  if (answer.result != TX_BUS_DONE) return false;
  s->value = answer.value;
  if (!t->timing || answer.cycles <= 1) return true;
  s->loaded = 1;
  sim_sleep_until(&t->engine, agent_of(core), t->engine.now + answer.cycles);
  return false;
}

static void poll(struct tx_tile *t, unsigned core, const struct tx_script_op *op) {
  struct tx_script_state *s = &t->script[core];
  unsigned agent = agent_of(core);
  if (s->polling != s->next + 1) {
    s->polling = s->next + 1;
    s->since = t->engine.now;
  }
  if (!load(t, core, op->a)) return;
  if ((s->value & op->b) == op->c) {
    finish_op(t, core, 1);
    return;
  }
  /* The loaded value is some cycles old: a write since then would not wake a parked core, so it polls once more. */
  struct tx_bus_answer fresh = tx_bus_load(t, agent, op->a);
  if (fresh.result != TX_BUS_DONE || fresh.value != s->value) {
    sim_sleep_until(&t->engine, agent, t->engine.now + POLL_CYCLES);
    return;
  }
  sim_block(&t->engine, agent,
            (struct sim_wait){.kind = TX_BLOCKED_ADDRESS, .object = op->a, .detail = op->b | (uint64_t)op->c << 32});
  sim_park(&t->engine, agent, &op->a, 1, t->engine.now + POLL_CYCLES, POLL_CYCLES);
}

static void copy(struct tx_tile *t, unsigned core, const struct tx_script_op *op) {
  struct tx_script_state *s = &t->script[core];
  if (!s->in_copy) {
    if (!load(t, core, op->a)) return;
    s->in_copy = 1;
  }
  if (!store(t, core, op->b, s->value)) return;
  s->in_copy = 0;
  finish_op(t, core, 1);
}

void tx_script_issue(struct tx_tile *t, unsigned core) {
  struct tx_script_state *s = &t->script[core];
  const struct tx_script_op *op = &t->unsaved.scripts[core]->ops[s->next];
  t->current = (struct tx_current){.agent = agent_of(core), .word = op->a, .pc = op->line, .unit = TX_UNIT_FRONTEND};
  switch (op->kind) {
    case TX_SCRIPT_PUSH: push(t, core, op); break;
    case TX_SCRIPT_STORE:
      if (store(t, core, op->a, op->b)) finish_op(t, core, 1);
      break;
    case TX_SCRIPT_WAIT: poll(t, core, op); break;
    case TX_SCRIPT_SYNC:
      if (load(t, core, TX_ADDR_TTSYNC)) finish_op(t, core, 1);
      break;
    default: copy(t, core, op); break;
  }
}
