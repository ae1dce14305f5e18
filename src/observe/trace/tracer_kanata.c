/* Kanata 0004, which Konata shows: one row per instruction of a thread, with its stages.
 *
 *   W  its thread's next instruction, waits at the gate     H  accepted, held in the unit     X  executes, until it retires
 *
 * What has not retired where the trace ends is flushed there. Format: Konata's docs/kanata-log-format.md. */
#include <string.h>

#include "observe/trace/tracer.h"
#include "observe/words.h"
#include "tensix/isa/dis.h"

static void go_to(struct obs_tracer *w, sim_time at) {
  if (w->first) obs_tracer_printf(w, "Kanata\t0004\nC=\t%llu\n", (unsigned long long)at);
  else if (at > w->last) obs_tracer_printf(w, "C\t%llu\n", (unsigned long long)(at - w->last));
  w->first = false;
}

/* id is 1 + the number in the file. */
void obs_kanata_mark(struct obs_tracer *w, const struct obs_mark *m) {
  go_to(w, m->at);
  if (m->type == OBS_MARK_BEGIN) {
    char text[256];
    tx_dis((uint32_t)m->flow, text, sizeof text);
    obs_tracer_printf(w, "I\t%u\t%u\t%u\n", m->id - 1, m->id - 1, m->track);
    obs_tracer_printf(w, "L\t%u\t0\t%08llx: %s\n", m->id - 1, (unsigned long long)m->value, text);
  } else if (m->type == OBS_MARK_STAGE) {
    obs_tracer_printf(w, "S\t%u\t0\t%s\n", m->id - 1, m->name);
    if (m->number > 0) obs_tracer_printf(w, "L\t%u\t1\twaits: %s\\n\n", m->id - 1, obs_wait_name((uint32_t)m->number));
  } else if (m->type == OBS_MARK_RETIRE) {
    obs_tracer_printf(w, "R\t%u\t%u\t%u\n", m->id - 1, w->retired++, m->number > 0); /* 1: flushed */
  }
}

static void stage(struct obs_tracer *w, sim_time at, uint32_t id, const char *name, uint32_t kind) {
  obs_tracer_mark(w, (struct obs_mark){.at = at, .type = OBS_MARK_STAGE, .id = id, .name = name, .number = (int32_t)kind});
}

static uint32_t appear(struct obs_tracer *w, sim_time at, unsigned thread, uint32_t word, uint32_t pc) {
  uint32_t id = ++w->next_id;
  obs_tracer_mark(w, (struct obs_mark){
                         .at = at, .type = OBS_MARK_BEGIN, .track = (uint16_t)thread, .id = id, .value = pc, .flow = word});
  return id;
}

static void on_block(struct obs_tracer *w, const struct sim_event *e) {
  const struct tx_fifo *fifo = &w->t->frontend[e->agent].fifo3;
  if (!e->a || e->a == TX_BLOCKED_LATCH || !fifo->count) return;
  const struct tx_word *head = &fifo->slot[fifo->head];
  if (!w->open_id[e->agent]) w->open_id[e->agent] = appear(w, e->at, e->agent, head->word, head->pc);
  stage(w, e->at, w->open_id[e->agent], "W", e->a);
}

/* The queue of the unit that a word or a retirement is of. */
static struct obs_inside *queue_of(struct obs_tracer *w, unsigned unit, unsigned unpacker) {
  return &w->queue[unit == TX_UNIT_UNPACK && unpacker ? TX_UNIT_COUNT : unit];
}

static void retire(struct obs_tracer *w, sim_time at, uint32_t id, bool flushed) {
  obs_tracer_mark(w, (struct obs_mark){.at = at, .type = OBS_MARK_RETIRE, .id = id, .number = flushed});
}

/* `id` 0: it began before the trace. */
static void enter(struct obs_tracer *w, const struct sim_event *e, uint32_t id) {
  const unsigned unit = e->a & 0xffu;
  if (unit >= TX_UNIT_COUNT) return;
  struct obs_inside *q = queue_of(w, unit, w->word[e->agent] >> 23 & 1u);
  if (q->count == OBS_INSIDE_MAX) { /* more than a unit holds */
    if (id) retire(w, e->at, id, true);
    return;
  }
  q->id[(q->first + q->count++) % OBS_INSIDE_MAX] = id;
}

static uint32_t leave(struct obs_inside *q) {
  if (!q->count) return 0;
  const uint32_t id = q->id[q->first];
  q->first = (q->first + 1) % OBS_INSIDE_MAX;
  q->count--;
  return id;
}

static void on_unit(struct obs_tracer *w, const struct sim_event *e) {
  uint32_t id = w->open_id[e->agent], hold = e->a >> 8;
  uint64_t retires = (uint32_t)e->c ? (uint32_t)e->c : e->b;
  if (!id) id = appear(w, e->at, e->agent, w->word[e->agent], w->pc[e->agent]);
  w->open_id[e->agent] = 0;
  if (hold) stage(w, e->at, id, "H", 0);
  stage(w, e->at + hold, id, "X", 0);
  if (retires) retire(w, e->at + retires, id, false);
  else enter(w, e, id);
}

void obs_kanata_event(struct obs_tracer *w, const struct sim_event *e) {
  const unsigned unit = (unsigned)(e->c & 0xffu);
  const bool before = e->at < w->options.from;
  if (e->kind == TX_EVENT_RETIRE && unit < TX_UNIT_COUNT) {
    const uint32_t id = leave(queue_of(w, unit, (unsigned)(e->c >> 8) & 1u));
    if (id) retire(w, e->at + (e->c >> 16), id, false);
  }
  if (e->agent >= TX_THREADS) return;
  if (e->kind == TX_EVENT_BLOCK && !before) on_block(w, e);
  if (e->kind == TX_EVENT_UNIT && !before) on_unit(w, e);
  if (e->kind == TX_EVENT_UNIT && before && !(uint32_t)e->c && !e->b) enter(w, e, 0);
  if (e->kind != TX_EVENT_ISSUE) return;
  w->word[e->agent] = e->a;
  w->pc[e->agent] = e->b;
}

void obs_kanata_end(struct obs_tracer *w, sim_time at) {
  for (unsigned i = 0; i <= TX_UNIT_COUNT; i++)
    while (w->queue[i].count) {
      const uint32_t id = leave(&w->queue[i]);
      if (id) retire(w, at, id, true);
    }
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (w->open_id[thread]) retire(w, at, w->open_id[thread], true);
  obs_tracer_catch_up(w, SIM_NEVER);
  if (w->first) go_to(w, w->options.from > at ? at : w->options.from); /* no instruction: the header alone */
}
