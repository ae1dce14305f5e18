/* The critical path of path.h. */
#include "observe/path.h"

#include <string.h>

void obs_waits_add(struct obs_waits *w, unsigned agent, unsigned category, uint32_t pc, uint32_t object, sim_time end,
                   uint64_t cycles) {
  if (agent >= OBS_PATH_AGENTS || !cycles) return;
  sim_time begin = end - cycles;
  uint32_t last = w->last[agent];
  if (last && last + OBS_WAITS > w->count) {
    struct obs_wait *before = &w->ring[(last - 1) % OBS_WAITS];
    if (before->end == begin && before->category == category && before->object == object) {
      before->end = end;
      return;
    }
  }
  w->ring[w->count % OBS_WAITS] = (struct obs_wait){.begin = begin,
                                                    .end = end,
                                                    .pc = pc,
                                                    .object = object,
                                                    .agent = (uint16_t)agent,
                                                    .category = (uint16_t)category,
                                                    .before = last};
  w->last[agent] = ++w->count;
}

/* The last wait of the agent that begins before `at`; NULL: none is recorded. `lost` is set if the ring has overwritten it. */
static const struct obs_wait *wait_before(const struct obs_waits *w, uint32_t *cursor, sim_time at, bool *lost) {
  while (*cursor) {
    if (*cursor + OBS_WAITS <= w->count) {
      *lost = true;
      return NULL;
    }
    const struct obs_wait *wait = &w->ring[(*cursor - 1) % OBS_WAITS];
    if (wait->begin < at) return wait;
    *cursor = wait->before;
  }
  return NULL;
}

static void work(struct obs_path *path, unsigned agent, sim_time from, sim_time until) {
  if (until > from) path->cycles[agent] += until - from;
}

void obs_path_find(struct obs_path *path, const struct obs_waits *w, const struct tx_tile *t, sim_time from, unsigned agent,
                   obs_ender_fn *ender) {
  uint32_t cursor[OBS_PATH_AGENTS];
  sim_time at = t->engine.now;
  bool lost = false;
  memset(path, 0, sizeof *path);
  memcpy(cursor, w->last, sizeof cursor);
  path->until = at;
  unsigned still = 0; /* steps without progress in time: agents that wait for each other in the same cycle */
  while (at > from) {
    const struct obs_wait *wait = wait_before(w, &cursor[agent], at, &lost);
    if (lost) break;
    sim_time end = wait ? wait->end : from;
    if (!wait || end < at) { /* it has worked since its last wait */
      sim_time since = end > from ? end : from;
      work(path, agent, since, at);
      at = since;
      still = 0;
      if (!wait) break;
      continue;
    }
    unsigned other = ender(t, agent, wait->category, wait->object, wait->end - wait->begin);
    if (other >= OBS_PATH_AGENTS || still > OBS_PATH_AGENTS) { /* its own time */
      sim_time since = wait->begin > from ? wait->begin : from;
      work(path, agent, since, at);
      path->own_wait[agent][wait->category] += at - since;
      at = since;
      still = 0;
      continue;
    }
    struct obs_turns *turns = &path->turns[agent][other];
    turns->times++;
    turns->object = wait->object;
    turns->category = wait->category;
    agent = other;
    still++;
  }
  path->from = at;
}
