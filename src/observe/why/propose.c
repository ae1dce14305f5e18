/* The reruns of why/propose.h. */
#include "observe/why/propose.h"

#include <stdio.h>

#include "observe/words.h"

void obs_why_propose(const struct why_verdict *v, const char *what_if) {
  snprintf(v->what_if->text, sizeof v->what_if->text, "%s", what_if);
}

void obs_why_propose_extent(const struct why_verdict *v, unsigned agent, const struct dbg_extent *extent) {
  unsigned core = agent <= TX_AGENT_THREAD2 ? agent + TX_AGENT_TRISC0 : agent;
  char name[300];
  dbg_extent_text(extent, name, sizeof name);
  snprintf(v->what_if->text, sizeof v->what_if->text, "%.8s@%.300s", obs_agent_name(core), name);
}

void obs_why_propose_line(const struct why_verdict *v, const struct why_line *line) {
  struct dbg_extent extent = {.first = line->line, .last = line->line};
  snprintf(extent.name, sizeof extent.name, "%s", line->file);
  obs_why_propose_extent(v, v->main, &extent);
}
