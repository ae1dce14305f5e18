/* The critical path of path.h. */
#include "observe/why/path.h"

#include <string.h>

void obs_waits_add(struct obs_waits *w, const struct obs_wait *wait) {
  if (wait->agent >= OBS_PATH_AGENTS || wait->end <= wait->begin) return;
  uint32_t last = w->last[wait->agent];
  if (last && last + OBS_WAITS > w->count) {
    struct obs_wait *before = &w->ring[(last - 1) % OBS_WAITS];
    if (before->end == wait->begin && before->category == wait->category && before->object == wait->object) {
      before->end = wait->end;
      before->sender = wait->sender;
      return;
    }
  }
  struct obs_wait *entry = &w->ring[w->count % OBS_WAITS];
  *entry = *wait;
  entry->before = last;
  w->last[wait->agent] = ++w->count;
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

/* Where the path is. */
struct walk {
  struct obs_path_tile *tiles;
  unsigned count, tile, agent;
  sim_time at;
  bool sent;      /* the agent has just sent or written what ends the wait that the path comes from */
  unsigned still; /* moves without progress in time: agents that wait for each other in the same cycle */
};

/* The agent has the cycles since `since`; the path stays with it. */
static sim_time go_back(struct walk *k, sim_time since) {
  struct obs_path_tile *tile = &k->tiles[k->tile];
  if (since < tile->from) since = tile->from;
  if (since > k->at) since = k->at;
  sim_time cycles = k->at - since;
  tile->path.cycles[k->agent] += cycles;
  k->at = since;
  k->still = 0;
  return cycles;
}

static void own_wait(struct walk *k, const struct obs_wait *wait, sim_time since) {
  struct obs_path *path = &k->tiles[k->tile].path;
  sim_time cycles = go_back(k, since);
  path->own_wait[k->agent][wait->category] += cycles;
  for (unsigned i = 0; i < OBS_OWN_WAITS; i++) {
    struct obs_own_wait *own = &path->own[i];
    if (own->cycles &&
        (own->pc != wait->pc || own->object != wait->object || own->agent != k->agent || own->category != wait->category))
      continue;
    *own = (struct obs_own_wait){own->cycles + cycles, wait->pc, wait->object, (uint16_t)k->agent, wait->category};
    return;
  }
}

/* The tile that sent the packet, if its waits are recorded; `count`: none. */
static unsigned sender_of(const struct walk *k, const struct obs_wait *wait) {
  unsigned i = 0;
  if (!wait->sender.tile || wait->sender.tile == OBS_OWN_TILE || wait->sender.agent >= OBS_PATH_AGENTS) return k->count;
  while (i < k->count && k->tiles[i].number != wait->sender.tile - 1u) i++;
  return i != k->tile ? i : k->count;
}

/* From the write on, the wait is the waiter's own; before it, the path is on the writer. */
static void go_to_writer(struct walk *k, const struct obs_wait *wait) {
  struct obs_path *path = &k->tiles[k->tile].path;
  const sim_time written = wait->end - wait->sender.flight;
  if (written >= k->at) { /* what the path comes from was still on its way when the wait began */
    own_wait(k, wait, wait->begin);
    return;
  }
  for (unsigned i = 0; i < OBS_HANDED; i++) {
    struct obs_handed *h = &path->handed[i];
    if (h->cycles &&
        (h->pc != wait->pc || h->object != wait->object || h->agent != k->agent || h->from != wait->sender.agent))
      continue;
    *h = (struct obs_handed){.cycles = h->cycles + (wait->end - wait->begin),
                             .times = h->times + 1,
                             .pc = wait->pc,
                             .object = wait->object,
                             .agent = (uint16_t)k->agent,
                             .from = wait->sender.agent};
    break;
  }
  own_wait(k, wait, written);
  k->agent = wait->sender.agent;
  k->sent = true;
}

/* A wait that ends now. The cycles of the packet's flight belong to the wait. */
static void leave_wait(struct walk *k, const struct obs_wait *wait, obs_ender_fn *ender) {
  struct obs_path_tile *tile = &k->tiles[k->tile];
  unsigned sender = sender_of(k, wait);
  if (sender < k->count) {
    sim_time departed = wait->end - wait->sender.flight;
    own_wait(k, wait, departed < k->at ? departed : k->at - 1);
    k->tile = sender;
    k->agent = wait->sender.agent;
    return;
  }
  unsigned other = ender(tile->t, k->agent, wait->category, wait->object, wait->end - wait->begin);
  if (other >= OBS_PATH_AGENTS && wait->sender.tile == OBS_OWN_TILE) {
    go_to_writer(k, wait);
    return;
  }
  if (other >= OBS_PATH_AGENTS || k->still > OBS_PATH_AGENTS) {
    own_wait(k, wait, wait->begin);
    return;
  }
  struct obs_turns *turns = &tile->path.turns[k->agent][other];
  turns->times++;
  turns->object = wait->object;
  turns->category = wait->category;
  k->agent = other;
  k->still++;
}

void obs_path_find(struct obs_path_tile *tiles, unsigned count, unsigned last, unsigned agent, obs_ender_fn *ender) {
  struct walk k = {.tiles = tiles, .count = count, .tile = last, .agent = agent, .at = tiles[last].until};
  const sim_time until = k.at;
  bool lost = false;
  for (unsigned i = 0; i < count; i++) {
    memset(&tiles[i].path, 0, sizeof tiles[i].path);
    memcpy(tiles[i].cursor, tiles[i].waits->last, sizeof tiles[i].cursor);
  }
  while (k.at > tiles[k.tile].from) {
    struct obs_path_tile *tile = &tiles[k.tile];
    const struct obs_wait *wait = wait_before(tile->waits, &tile->cursor[k.agent], k.at, &lost);
    if (lost) break;
    const bool sent = k.sent;
    k.sent = false;
    if (!wait || wait->end < k.at) go_back(&k, wait ? wait->end : 0); /* it has worked since its last wait */
    else if (sent && wait->end > k.at) go_back(&k, wait->begin);      /* before that it sent; it has not waited for this */
    else leave_wait(&k, wait, ender);
  }
  for (unsigned i = 0; i < count; i++) {
    tiles[i].path.from = k.at;
    tiles[i].path.until = until;
  }
}

uint64_t obs_path_own(const struct obs_path *path, unsigned agent, unsigned category,
                      bool (*is)(const void *context, const struct obs_own_wait *own), const void *context) {
  uint64_t cycles = 0;
  for (unsigned i = 0; i < OBS_OWN_WAITS; i++) {
    const struct obs_own_wait *own = &path->own[i];
    if (own->cycles && own->agent == agent && own->category == category && is(context, own)) cycles += own->cycles;
  }
  return cycles;
}
