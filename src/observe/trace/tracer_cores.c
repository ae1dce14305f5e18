/* The tracks of the cores (tracer.h): every cycle of a core that runs is in one slice, "run" or the reason why no instruction began, the
 * same cycles as in its row of the account (account.h).
 *
 * The reason of a stall in the core's own pipeline is known when the stall ends, and a core may run ahead of the tile. Marks of all
 * tracks are therefore held back to the first cycle that is not on the track of each core yet. A wait that may be long is open from its
 * begin on, which is in the machine's state, and holds nothing back. */
#include "observe/account/account.h"
#include "observe/trace/tracer.h"
#include "observe/words.h"

/* The circular buffer whose counter is polled; -1: another address. */
static int32_t polled_buffer(uint32_t reason, uint32_t object) {
  bool buffer = reason == TX_BLOCKED_ADDRESS && object >= TX_ADDR_STREAM && object < TX_ADDR_STREAM + 32 * TX_STREAM_BYTES;
  return buffer ? (int32_t)((object - TX_ADDR_STREAM) / TX_STREAM_BYTES) : -1;
}

/* The slice that is open on the track goes on, or a new one begins; reason 0: the core runs. */
static void show(struct obs_tracer *w, unsigned core, uint32_t reason, uint32_t object) {
  struct obs_core_track *c = &w->cores[core];
  const unsigned track = TX_AGENT_TRISC0 + core;
  const int32_t number = polled_buffer(reason, object);
  if (w->open[track] && c->reason == reason && c->number == number) return;
  c->reason = reason;
  c->number = number;
  obs_tracer_state(w, c->next, track,
                   !reason       ? "run"
                   : number >= 0 ? "polling CB"
                                 : obs_reason_name(reason),
                   number, reason != 0);
}

/* From `next` on the core does nothing, or what it does is not known. */
static void leave(struct obs_tracer *w, unsigned core) {
  struct obs_core_track *c = &w->cores[core];
  if (w->open[TX_AGENT_TRISC0 + core]) obs_tracer_state(w, c->next, TX_AGENT_TRISC0 + core, NULL, -1, false);
  c->waits = c->asks = false;
}

static void spend(struct obs_tracer *w, unsigned core, sim_time until, uint32_t reason, uint32_t object) {
  struct obs_core_track *c = &w->cores[core];
  if (until <= c->next) return;
  show(w, core, reason, object);
  c->next = until;
}

/* The core has left reset. */
static void begin(struct obs_tracer *w, unsigned core) {
  struct obs_core_track *c = &w->cores[core];
  const sim_time from = w->t->core[core].started_at;
  if (c->next >= from) return;
  leave(w, core);
  c->next = from;
}

void obs_tracer_core(struct obs_tracer *w, const struct sim_event *e) {
  const unsigned core = e->agent - TX_AGENT_TRISC0;
  if (core >= TX_CORES) return;
  struct obs_core_track *c = &w->cores[core];
  if (w->t->core[core].started_at <= e->at) begin(w, core);
  if (e->kind == TX_EVENT_CORE_WAIT) {
    /* not from `next` on: cycles before a wait are on the track since the wait began */
    sim_time until = w->t->unsaved.cores.log[core].next + (uint32_t)e->c;
    spend(w, core, until < e->at ? until : e->at, e->a, (uint32_t)(e->c >> 32));
    return;
  }
  c->waits = c->asks = false;
  if (c->next < e->at) { /* not logged */
    leave(w, core);
    c->next = e->at;
  }
  spend(w, core, e->at + 1, 0, 0);
}

void obs_tracer_core_blocks(struct obs_tracer *w, const struct sim_event *e) {
  struct obs_core_track *c = &w->cores[e->agent - TX_AGENT_TRISC0];
  c->waits = false;
  c->asks = e->a != 0;
}

/* The cycles before the wait belong to the instruction before it. */
static void open_wait(struct obs_tracer *w, unsigned core) {
  struct obs_core_track *c = &w->cores[core];
  const struct sim_wait *wait = &w->t->engine.agents[TX_AGENT_TRISC0 + core].wait;
  uint32_t object, busy = obs_core_before_wait(w->t, core, &object);
  c->asks = false;
  if (!wait->kind) return;
  begin(w, core);
  spend(w, core, wait->since, busy, object);
  show(w, core, wait->kind, wait->object);
  c->waits = true;
}

sim_time obs_tracer_cores_until(struct obs_tracer *w, sim_time at) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    struct obs_core_track *c = &w->cores[core];
    if (!(w->options.agents >> (TX_AGENT_TRISC0 + core) & 1u)) continue;
    if (w->t->core[core].state != TX_CORE_RUNNING) {
      if (c->waits && c->next < at) c->next = at; /* the wait was written up to here */
      leave(w, core);
      continue;
    }
    if (c->asks) open_wait(w, core);
    if (c->waits) continue;
    sim_time next = c->next < w->t->core[core].started_at ? w->t->core[core].started_at : c->next;
    if (next < at) at = next;
  }
  return at;
}

void obs_tracer_cores_end(struct obs_tracer *w, sim_time at) {
  for (unsigned core = 0; core < TX_CORES; core++) {
    const struct tx_core *c = &w->t->core[core];
    const struct sim_wait *wait = &w->t->engine.agents[TX_AGENT_TRISC0 + core].wait;
    uint32_t object, busy = obs_core_before_wait(w->t, core, &object);
    if (!(w->options.agents >> (TX_AGENT_TRISC0 + core) & 1u)) continue;
    if (c->state == TX_CORE_RUNNING && c->started_at < at) {
      begin(w, core);
      if (wait->kind) spend(w, core, wait->since < at ? wait->since : at, busy, object);
      spend(w, core, at, wait->kind ? wait->kind : (uint32_t)TX_REASON_PIPELINE, wait->object);
    }
    leave(w, core);
  }
}
