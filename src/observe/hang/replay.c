/* The repeated run of replay.h. */
#include "observe/hang/replay.h"

#include <stdlib.h>
#include <string.h>

#include "observe/hang/hang.h"
#include "tensix/tile/outside.h"

/* A caller that changes the tile between many short runs pays for a copy only occasionally. */
#define COPIES 16u
#define COPY_CYCLES (UINT64_C(1) << 20)

void obs_history_begin(struct obs_history *h, const struct tx_tile *t) {
  if (!h->start || (h->taken && h->whole)) return;
  if (h->taken >= COPIES && t->engine.now - h->start->engine.now < COPY_CYCLES) return;
  tx_tile_copy_state(h->start, t);
  h->taken++;
  h->whole = true;
  h->write_count = 0;
}

void obs_history_write(struct obs_history *h, sim_time cycle, uint32_t address, const void *bytes, uint32_t length) {
  if (!h->taken || !h->whole || !length) return;
  h->whole = length <= OBS_HOST_WRITE_BYTES && h->write_count < OBS_HOST_WRITES;
  if (!h->whole) return;
  struct obs_host_write *w = &h->writes[h->write_count++];
  *w = (struct obs_host_write){.cycle = cycle, .address = address, .length = length};
  memcpy(w->bytes, bytes, length);
}

/* --- which words --- */

static bool is_noted(const struct tx_writers *w, uint32_t address) {
  for (uint32_t i = 0; i < w->count; i++)
    if (w->of[i].address == address) return true;
  return false;
}

static void add_word(const struct obs_resource *r, struct tx_writers *out) {
  if (r->kind != OBS_RESOURCE_WORD || is_noted(out, r->address) || out->count == TX_WRITERS) return;
  out->of[out->count++] = (struct tx_writer){.address = r->address, .length = r->bytes};
}

static void find_words(const struct tx_tile *t, struct tx_writers *out) {
  memset(out, 0, sizeof *out);
  struct obs_hang *hang = obs_hang_new(t, NULL);
  for (uint32_t i = 0; hang && i < hang->waiter_count; i++) add_word(&hang->waiters[i].resource, out);
  for (uint32_t i = 0; hang && i < hang->waiter_count; i++)
    for (uint32_t k = 0; k < hang->waiters[i].word_count; k++) add_word(&hang->waiters[i].words[k].resource, out);
  free(hang);
}

bool obs_replay_wanted(const struct obs_history *h, const struct tx_tile *t) {
  struct tx_writers words;
  if (!h->start || !h->taken || !h->whole || t->engine.now - h->start->engine.now > OBS_REPLAY_CYCLES) return false;
  find_words(t, &words);
  return words.count != 0;
}

/* --- the repeated run --- */

/* The conditions of the first run stop this one too. */
static void run_to(struct tx_tile *t, sim_time until) {
  if (t->engine.now >= until || tx_tile_rest(t, until)) return;
  enum sim_end end;
  sim_time before;
  do {
    before = t->engine.now;
    end = tx_tile_run(t, until);
  } while (end == SIM_END_STOPPED && !t->fault.kind && t->engine.now < until && t->engine.now > before);
}

/* A write of the host has no agent: writers recorded without one are the host. */
static void host_writes(struct tx_tile *t, const struct obs_host_write *w) {
  t->current = (struct tx_current){.agent = SIM_NO_AGENT};
  tx_outside_write(t, w->address, w->bytes, w->length);
}

static bool same_words(const struct tx_tile *a, const struct tx_tile *b, const struct tx_writers *words) {
  for (uint32_t i = 0; i < words->count; i++)
    if (memcmp(&a->l1[words->of[i].address], &b->l1[words->of[i].address], words->of[i].length) != 0) return false;
  return true;
}

void obs_replay(const struct obs_history *h, struct tx_tile *t, struct tx_tile *scratch) {
  struct tx_writers words;
  find_words(t, &words);
  tx_tile_reset(scratch, t->timing != 0);
  scratch->unsaved.cores.code = t->unsaved.cores.code;
  tx_tile_copy_state(scratch, h->start);
  memcpy(scratch->unsaved.scripts, t->unsaved.scripts, sizeof scratch->unsaved.scripts);
  words.since = h->start->engine.now;
  scratch->unsaved.writers = words;
  sim_park_nobody(&scratch->engine);
  for (uint32_t i = 0; i < h->write_count; i++) {
    run_to(scratch, h->writes[i].cycle);
    host_writes(scratch, &h->writes[i]);
  }
  run_to(scratch, t->engine.now);
  if (same_words(t, scratch, &words)) t->unsaved.writers = scratch->unsaved.writers;
}
