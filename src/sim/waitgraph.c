/* The wait-for graph of waitgraph.h.
 *
 * A wait ends when any one of its releasers acts. So an agent is stuck when each of its releasers is done, off, or stuck itself;
 * that is computed by removing, until nothing changes, every agent with a releaser that may still act. Among the stuck ones the
 * graph names closed chains (cycles) and those whose every releaser is gone (hopeless). Pending effects are ignored: build the graph
 * after SIM_END_BLOCKED, or read it as a snapshot. */
#include "sim/waitgraph.h"

#include <string.h>

#include "sim/assert.h"

static uint64_t bit(unsigned agent) { return UINT64_C(1) << agent; }

static bool gone(const struct sim_agent *a) { return a->state == SIM_AGENT_DONE || a->state == SIM_AGENT_OFF; }

/* Agents that may still act: those that are not blocked and have a time. If there is one, it may wake idle agents, which
 * then count too. */
static uint64_t find_live(const struct sim_engine *engine) {
  uint64_t moving = 0, idle = 0;
  for (unsigned i = 0; i < engine->agent_count; i++) {
    const struct sim_agent *a = &engine->agents[i];
    if (gone(a) || a->wait.kind != 0) continue;
    if (a->at != SIM_NEVER) moving |= bit(i);
    else idle |= bit(i);
  }
  return moving ? moving | idle : 0;
}

static uint64_t find_stuck(const struct sim_waitgraph *graph, uint64_t live) {
  uint64_t stuck = graph->blocked;
  for (uint64_t before = 0; before != stuck;) {
    before = stuck;
    for (uint64_t left = stuck; left; left &= left - 1) {
      unsigned i = (unsigned)__builtin_ctzll(left);
      uint64_t helpers = live | (graph->blocked & ~stuck);
      if (graph->releasers[i] & helpers) stuck &= ~bit(i);
    }
  }
  return stuck;
}

/* Every agent reachable from `agent` over waits, within `within`. */
static uint64_t reachable(const struct sim_waitgraph *graph, unsigned agent, uint64_t within) {
  uint64_t reached = graph->releasers[agent] & within;
  for (uint64_t before = 0; before != reached;) {
    before = reached;
    for (uint64_t left = reached; left; left &= left - 1) reached |= graph->releasers[__builtin_ctzll(left)] & within;
  }
  return reached;
}

void sim_waitgraph_build(struct sim_waitgraph *graph, const struct sim_engine *engine, const struct sim_words *words,
                         const void *machine) {
  memset(graph, 0, sizeof *graph);
  sim_assert(engine->agent_count <= SIM_AGENTS_MAX);
  for (unsigned i = 0; i < engine->agent_count; i++) {
    const struct sim_agent *a = &engine->agents[i];
    if (gone(a) || a->wait.kind == 0) continue;
    graph->blocked |= bit(i);
    graph->releasers[i] = words->releasers(machine, i, &a->wait);
  }
  uint64_t stuck = find_stuck(graph, find_live(engine));
  sim_assert(!(stuck & ~graph->blocked));
  for (uint64_t left = stuck; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    if (!(graph->releasers[i] & stuck)) graph->hopeless |= bit(i);
    if (reachable(graph, i, stuck) & bit(i)) graph->in_cycle |= bit(i);
  }
}

/* Breadth first from `start` until an agent is found that waits for it. */
unsigned sim_waitgraph_cycle(const struct sim_waitgraph *graph, unsigned start, unsigned path[SIM_AGENTS_MAX]) {
  unsigned from[SIM_AGENTS_MAX] = {0}, queue[SIM_AGENTS_MAX], head = 0, tail = 0, last = start;
  uint64_t seen = bit(start);
  queue[tail++] = start;
  while (head < tail) {
    unsigned at = queue[head++];
    if (graph->releasers[at] & bit(start)) {
      last = at;
      break;
    }
    for (uint64_t left = graph->releasers[at] & graph->in_cycle & ~seen; left; left &= left - 1) {
      unsigned next = (unsigned)__builtin_ctzll(left);
      seen |= bit(next);
      from[next] = at;
      queue[tail++] = next;
    }
  }
  sim_assert(tail <= SIM_AGENTS_MAX && (graph->in_cycle & bit(start)));
  unsigned length = 0, back[SIM_AGENTS_MAX];
  for (unsigned at = last;; at = from[at]) {
    sim_assert(length < SIM_AGENTS_MAX);
    back[length++] = at;
    if (at == start) break;
  }
  for (unsigned i = 0; i < length; i++) path[i] = back[length - 1 - i];
  return length;
}
