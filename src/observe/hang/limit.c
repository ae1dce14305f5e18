/* The texts of limit.h. */
#include "observe/hang/limit.h"

#include <stdlib.h>

#include "observe/hang/hang.h"
#include "observe/hang/hang_internal.h"

#define WAITERS_NAMED 3u /* in the words; JSON has all */
#define OWN_MEMORY_CYCLES \
  65536u /* a core that has computed for longer than this without an access to the tile is reported as running on its own memory */

struct running {
  const char *name;
  struct dbg_source place;
  bool only_own_memory;
  sim_time since;
  bool polls; /* a loop that also stores or sends branches on a word */
  struct obs_loop loop;
};

/* A scripted core that has not reached the end of its script, and does not wait. */
static bool look_at_script(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct running *out) {
  const struct tx_script *script = t->unsaved.scripts[core];
  uint32_t next = t->script[core].next;
  if (!script || next >= script->count || t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind) return false;
  *out = (struct running){.name = tx_core_name(core)};
  dbg_program_source(program, core, script->ops[next].line, &out->place);
  return out->place.line != 0;
}

#define SHORT_CYCLES 4096u /* a wait of a core that goes on */

/* A core that has just begun to wait may be in a loop over a longer time: for the response of a read whose data it polls. */
static bool waits_for_long(const struct tx_tile *t, unsigned core) {
  const struct sim_wait *w = &t->engine.agents[TX_AGENT_TRISC0 + core].wait;
  return w->kind && t->engine.now - w->since >= SHORT_CYCLES;
}

/* Is the core inside its kernel, neither waiting nor polling? */
static bool look_at(const struct tx_tile *t, const struct dbg_program *program, unsigned core, struct running *out) {
  const struct tx_core *c = &t->core[core];
  if (c->state == TX_CORE_HELD) return look_at_script(t, program, core, out);
  bool waits = t->engine.agents[TX_AGENT_TRISC0 + core].wait.kind != 0;
  if (c->state != TX_CORE_RUNNING || waits_for_long(t, core)) return false;
  *out = (struct running){.name = tx_core_name(core), .since = t->unsaved.memo.last_tile_access[core]};
  dbg_program_source(program, core, c->pc, &out->place);
  if (!out->place.pc) out->place.pc = c->pc;
  if (out->place.library && !out->place.call[0]) return false; /* the firmware */
  if (out->since < c->started_at) out->since = c->started_at;
  out->only_own_memory = t->engine.now > out->since && t->engine.now - out->since >= OWN_MEMORY_CYCLES;
  out->polls = !out->only_own_memory && obs_hang_polls(t, program, core, &out->loop);
  return out->polls || !waits;
}

static void add_running(const struct running *r, struct sim_text *out) {
  char line[160];
  dbg_source_text(&r->place, line, sizeof line);
  sim_text_add(out, "%s still runs at ", r->name);
  if (line[0]) sim_text_add(out, "%s", line);
  else sim_text_add(out, "0x%08x", r->place.pc);
  if (r->polls) {
    char at[176];
    obs_at_words(&r->loop.wait.place, at, sizeof at);
    sim_text_add(out,
                 r->loop.ends ? ", and its loop has been polling%s for %s since cycle %llu: %s"
                              : ", and its loop has been reading%s, for a branch, %s since cycle %llu: %s",
                 at, r->loop.wait.what, (unsigned long long)r->loop.wait.since, r->loop.past);
  }
  if (r->only_own_memory)
    sim_text_add(out, ", and has read and written only its own memory since cycle %llu", (unsigned long long)r->since);
}

/* The cause of a hang first, if the run is about to become one. */
static void sort_waiters(const struct obs_hang *h, uint32_t *order) {
  uint32_t count = 0;
  bool used[OBS_WAITERS_MAX] = {false};
  for (uint32_t i = 0; i < h->chain_count; i++) {
    order[count++] = h->chain[i];
    used[h->chain[i]] = true;
  }
  for (uint32_t i = 0; i < h->waiter_count; i++)
    if (!used[i]) order[count++] = i;
}

/* `running`: cores that are named already, bit per core. */
static void add_waiters(const struct obs_hang *h, unsigned running, const char *between, struct sim_text *out) {
  uint32_t order[OBS_WAITERS_MAX];
  sort_waiters(h, order);
  for (uint32_t i = 0; i < h->waiter_count && i < WAITERS_NAMED; i++) {
    const struct obs_waiter *w = &h->waiters[order[i]];
    char who[192];
    if (w->agent >= TX_AGENT_TRISC0 && running >> w->core & 1u) continue;
    obs_place_words(w, who, sizeof who);
    sim_text_add(out, "%s%s has been waiting for %s since cycle %llu", between, who, w->what, (unsigned long long)w->since);
    between = "; ";
  }
  if (h->waiter_count > WAITERS_NAMED) sim_text_add(out, "; %u more wait", h->waiter_count - WAITERS_NAMED);
}

/* No kernel runs or waits: the cores that run have their firmware. */
static void add_firmware(const struct tx_tile *t, struct sim_text *out) {
  unsigned count = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (t->core[core].state != TX_CORE_RUNNING) continue;
    sim_text_add(out, "%s%s", count++ ? ", " : "", tx_core_name(core));
  }
  if (count) sim_text_add(out, "%s in the firmware, and no kernel runs", count == 1 ? " is" : " are");
}

bool obs_limit_runs(const struct tx_tile *t, const struct dbg_program *program) {
  struct running r;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (look_at(t, program, core, &r)) return true;
  return false;
}

void obs_limit_words(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out) {
  const char *between = "";
  struct running r;
  unsigned running = 0;
  for (unsigned core = 0; core < TX_CORES; core++) {
    if (!look_at(t, program, core, &r)) continue;
    sim_text_add(out, "%s", between);
    add_running(&r, out);
    between = "; ";
    running |= 1u << core;
  }
  struct obs_hang *h = obs_hang_new(t, program);
  if (h) add_waiters(h, running, between, out);
  if (h && !running && !h->waiter_count) add_firmware(t, out);
  free(h);
}

void obs_limit_place(const struct tx_tile *t, const struct dbg_program *program, struct dbg_source *out) {
  struct running r;
  uint32_t order[OBS_WAITERS_MAX];
  *out = (struct dbg_source){0};
  for (unsigned core = 0; core < TX_CORES; core++)
    if (look_at(t, program, core, &r)) {
      *out = r.place;
      return;
    }
  struct obs_hang *h = obs_hang_new(t, program);
  if (h) sort_waiters(h, order);
  if (h && h->waiter_count) *out = h->waiters[order[0]].place;
  free(h);
}

static void running_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out) {
  const char *between = "";
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct running r;
    if (!look_at(t, program, core, &r)) continue;
    sim_text_add(out, "%s{\"core\":\"%s\",\"place\":", between, r.name);
    obs_source_json(&r.place, out);
    sim_text_add(out, ",\"alone_since\":");
    if (r.only_own_memory) sim_text_add(out, "%llu", (unsigned long long)r.since);
    else sim_text_add(out, "null");
    sim_text_add(out, ",\"polls\":");
    if (r.polls) sim_text_add(out, "{");
    if (r.polls) obs_waiter_json(&r.loop.wait, out);
    if (r.polls) sim_text_add(out, ",\"ends\":%s}}", r.loop.ends ? "true" : "false");
    else sim_text_add(out, "null}");
    between = ",";
  }
}

void obs_limit_json(const struct tx_tile *t, const struct dbg_program *program, struct sim_text *out) {
  sim_text_add(out, ",\"running\":[");
  running_json(t, program, out);
  sim_text_add(out, "],\"waiting\":[");
  struct obs_hang *h = obs_hang_new(t, program);
  for (uint32_t i = 0; h && i < h->waiter_count; i++) {
    sim_text_add(out, "%s{", i ? "," : "");
    obs_waiter_json(&h->waiters[i], out);
    sim_text_add(out, "}");
  }
  free(h);
  sim_text_add(out, "]");
}
