/* The cause of why/word.h. */
#include "observe/why/word.h"

#include <stdio.h>
#include <string.h>

#include "observe/why/propose.h"
#include "observe/words.h"
#include "tensix/mem/memo.h"

#define HANDED_MIN 4u         /* waits on the path: fewer occur at the start and end only */
#define HANDED_SHARE_MIN 10.0 /* per cent of the cycles */

static uint64_t cycles_of(const struct why_verdict *v) { return obs_account_cycles(&v->p->account); }

/* The longest waits. That the path moves to the writer again and again shows that the writer waits in turn for what this agent hands over
 * behind the wait: a writer that is only slow keeps the path. */
static const struct obs_handed *find_handed(const struct why_verdict *v) {
  const struct obs_handed *best = NULL;
  for (unsigned i = 0; i < OBS_HANDED; i++) {
    const struct obs_handed *h = &v->path->handed[i];
    if (h->agent < TX_AGENT_TRISC0 || h->times < HANDED_MIN || obs_why_share(h->cycles, cycles_of(v)) < HANDED_SHARE_MIN)
      continue;
    if (!best || h->cycles > best->cycles) best = h;
  }
  return best;
}

/* The waiter itself may have reset the word since then. */
static bool find_writer(const struct why_verdict *v, const struct obs_handed *h, struct why_line *line) {
  const struct tx_tile *t = v->p->account.t;
  struct tx_memo_writer writer;
  bool found = tx_memo_find(t, h->object & ~3u, 4, &writer) && writer.last.agent == h->from;
  found = found || (tx_memo_find_other(t, h->object & ~3u, &writer) && writer.last.agent == h->from);
  return found && obs_why_line_at(v->tile, h->from, writer.last.pc, line);
}

static void add_word(struct sim_text *out, uint32_t address) {
  unsigned index;
  if (obs_is_noc_semaphore(address, &index)) sim_text_add(out, "NoC semaphore %u", index);
  else sim_text_add(out, "the word at 0x%08x", address);
}

bool obs_why_bound_by_word(const struct why_verdict *v) {
  const struct obs_handed *h = find_handed(v);
  struct why_line line, writer;
  if (!h || !obs_why_line_at(v->tile, h->agent, h->pc, &line)) return false;
  const char *waits = obs_agent_name(h->agent), *writes = obs_agent_name(h->from);
  sim_text_add(v->out, "bound by two cores that wait for each other: %s waits at ", waits);
  obs_why_add_line(v->out, &line);
  sim_text_add(v->out, " %.1f%% of the cycles for ", obs_why_share(h->cycles, cycles_of(v)));
  add_word(v->out, h->object);
  sim_text_add(v->out, ", which %s changes", writes);
  if (find_writer(v, h, &writer)) sim_text_add(v->out, " at "), obs_why_add_line(v->out, &writer);
  sim_text_add(
      v->out,
      " after it has waited for %s in turn\n  change: do not wait at %s:%u for each page: let %s run ahead of %s by "
      "several, with a slot of memory for each; the rerun has no wait there, and is the limit of this\n",
      waits, line.file, line.line, waits, writes);
  struct dbg_extent extent = {.first = line.line, .last = line.line};
  snprintf(extent.name, sizeof extent.name, "%s", line.file);
  obs_why_propose_extent(v, h->agent, &extent);
  const size_t used = strlen(v->what_if->text);
  snprintf(v->what_if->text + used, sizeof v->what_if->text - used, " without its wait");
  return true;
}
