/* The wait-for graph of waitgraph.h.
 *
 * A wait ends when any one of its releasers acts. So an agent is stuck when each of its releasers is done, off, or stuck itself;
 * that is computed by removing, until nothing changes, every agent with a releaser that may still act. Among the stuck ones the
 * graph names closed chains (cycles) and those whose every releaser is gone (hopeless). Pending effects are ignored: build the graph
 * after SIM_END_BLOCKED, or read it as a snapshot. */
#include "sim/waitgraph.h"

#include <stdio.h>
#include <string.h>

#include "sim/assert.h"
#include "sim/text.h"

#define WORDS_MAX 192u

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

/* --- words --- */

static const char *standing(const struct sim_engine *engine, unsigned agent) {
  const struct sim_agent *a = &engine->agents[agent];
  if (a->state == SIM_AGENT_DONE) return " (done)";
  if (a->state == SIM_AGENT_OFF) return " (off)";
  if (a->wait.kind != 0) return " (blocked)";
  return a->at == SIM_NEVER ? " (idle)" : "";
}

static void say_agents(struct sim_text *out, uint64_t agents, const struct sim_engine *engine, const struct sim_words *words,
                       const void *machine) {
  const char *between = "";
  for (uint64_t left = agents; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    char name[WORDS_MAX] = "";
    words->agent(machine, i, name, sizeof name);
    sim_text_add(out, "%s%s%s", between, name, standing(engine, i));
    between = ", ";
  }
}

static void say_wait(struct sim_text *out, const struct sim_waitgraph *graph, unsigned i, const struct sim_engine *engine,
                     const struct sim_words *words, const void *machine) {
  char name[WORDS_MAX] = "", wait[WORDS_MAX] = "";
  words->agent(machine, i, name, sizeof name);
  words->wait(machine, &engine->agents[i].wait, wait, sizeof wait);
  sim_text_add(out, "%s has been waiting since cycle %llu for %s; ", name, (unsigned long long)engine->agents[i].wait.since,
               wait);
  if (graph->releasers[i]) {
    sim_text_add(out, "could be released by ");
    say_agents(out, graph->releasers[i], engine, words, machine);
  } else {
    sim_text_add(out, "no agent can release it");
  }
  sim_text_add(out, "\n");
}

/* The shortest closed chain through `start`: breadth first from it until an agent is found that waits for it. */
static unsigned shortest_cycle(const struct sim_waitgraph *graph, unsigned start, unsigned path[SIM_AGENTS_MAX]) {
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

static void say_cycles(struct sim_text *out, const struct sim_waitgraph *graph, const struct sim_words *words,
                       const void *machine) {
  for (uint64_t left = graph->in_cycle; left;) {
    unsigned path[SIM_AGENTS_MAX];
    unsigned length = shortest_cycle(graph, (unsigned)__builtin_ctzll(left), path);
    sim_text_add(out, "cycle: ");
    for (unsigned i = 0; i <= length; i++) {
      char name[WORDS_MAX] = "";
      words->agent(machine, path[i % length], name, sizeof name);
      sim_text_add(out, "%s%s", i ? " waits for " : "", name);
      left &= ~bit(path[i % length]);
    }
    sim_text_add(out, "\n");
  }
}

size_t sim_waitgraph_explain(const struct sim_waitgraph *graph, const struct sim_engine *engine,
                             const struct sim_words *words, const void *machine, char *text, size_t size) {
  struct sim_text out = {text, size, 0};
  if (size) text[0] = '\0';
  for (uint64_t left = graph->blocked; left; left &= left - 1)
    say_wait(&out, graph, (unsigned)__builtin_ctzll(left), engine, words, machine);
  say_cycles(&out, graph, words, machine);
  for (uint64_t left = graph->hopeless; left; left &= left - 1) {
    unsigned i = (unsigned)__builtin_ctzll(left);
    char name[WORDS_MAX] = "";
    words->agent(machine, i, name, sizeof name);
    sim_text_add(&out, "no agent that still runs can release %s\n", name);
  }
  return out.length;
}
