/* The agents of a hang: their cores, the last actor on a resource, its place as text. */
#include <stdio.h>
#include <string.h>

#include "observe/hang/hang_internal.h"
#include "observe/words.h"

unsigned obs_core_of_agent(unsigned agent) {
  return agent <= TX_AGENT_THREAD2                              ? agent
         : agent >= TX_AGENT_TRISC0 && agent <= TX_AGENT_NCRISC ? agent - TX_AGENT_TRISC0
                                                                : TX_CORES;
}

void obs_actor_set(const struct obs_finder *f, const struct tx_trail *trail, struct obs_actor *out) {
  memset(out, 0, sizeof *out);
  if (!trail->known) return;
  out->known = true;
  out->agent = trail->agent;
  out->cycle = trail->cycle;
  out->pc = trail->pc;
  bool from_host = trail->agent >= TX_AGENT_COUNT;
  snprintf(out->name, sizeof out->name, "%s",
           trail->agent == TX_AGENT_NETWORK ? "a packet from the NoC"
           : from_host                      ? "the host"
                                            : obs_agent_name(trail->agent));
  if (!from_host) dbg_program_source(f->program, obs_core_of_agent(trail->agent), trail->pc, &out->place);
}

void obs_few_words(struct obs_waiter *w, const char *who, unsigned cores, uint32_t adds) {
  const struct obs_resource *r = &w->resource;
  bool pages = r->kind == OBS_RESOURCE_BUFFER_PAGES, room = r->kind == OBS_RESOURCE_BUFFER_ROOM;
  uint32_t missing = pages || room ? (r->wanted - r->value) & 0xffffu : r->wanted - r->value;
  const char *verb = pages ? "push" : room ? "pop" : "add", *be = missing == 1 ? "is" : "are";
  char several[48];
  w->few[0] = '\0';
  if (!cores || !adds || (!pages && !room && r->value > r->wanted)) return; /* past the value: nothing is missing */
  snprintf(several, sizeof several, "%u cores that wait", cores);
  if (cores > 1) who = several;
  const char *of = !pages && !room ? "" : missing == 1 ? " page" : " pages";
  if (adds < missing)
    snprintf(w->few, sizeof w->few, "%s would %s %u of the %u%s that %s missing", who, verb, adds, missing, of, be);
  else if (r->wish == OBS_WISH_EQUAL && adds > missing && !pages && !room)
    snprintf(w->few, sizeof w->few, "%s would add %u where %u %s missing, and step over the value", who, adds, missing, be);
  else snprintf(w->few, sizeof w->few, "%s would %s enough only after a wait that lasts, or on some paths", who, verb);
}

const struct tx_writer *obs_writer_of(const struct tx_tile *t, uint32_t address) {
  const struct tx_writers *w = &t->unsaved.writers;
  for (uint32_t i = 0; i < w->count; i++)
    if (w->of[i].address == address) return &w->of[i];
  return NULL;
}

void obs_at_words(const struct dbg_source *place, char *text, size_t size) {
  char line[160];
  dbg_source_text(place, line, sizeof line);
  if (!line[0] && place->function[0]) snprintf(text, size, " in %s", place->function);
  else snprintf(text, size, "%s%s", line[0] ? " at " : "", line);
}
