/* Mailboxes and PC buffers of mailbox.h. */
#include "tensix/tile/mailbox.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/idle.h"
#include "tensix/tile/windows.h"

static unsigned place_of(unsigned agent) { return agent == TX_AGENT_BRISC ? 0 : 1 + tx_core_of(agent); }
static unsigned place_of_core(unsigned core) { return core == 3 ? 0 : 1 + core; }

/* A FIFO changed: its waiters try again in the next cycle; in the effects phase, in this one. */
static void changed(struct tx_tile *t) { tx_signal(t, TX_CH_CORE); }

static void drop_first(struct tx_backlog *b) {
  tx_assert(b->count > 0 && b->count <= TX_BACKLOG_WORDS);
  memmove(&b->word[0], &b->word[1], sizeof b->word - sizeof b->word[0]);
  memmove(&b->to[0], &b->to[1], sizeof b->to - sizeof b->to[0]);
  b->count--;
  b->word[TX_BACKLOG_WORDS - 1] = b->to[TX_BACKLOG_WORDS - 1] = 0;
}

/* --- mailboxes --- */

static uint32_t written_by(const struct tx_mailboxes *m, unsigned from) {
  uint32_t sum = 0;
  for (unsigned to = 0; to < TX_MAILBOX_CORES; to++) sum += m->box[from][to].count;
  tx_assert(from < TX_MAILBOX_CORES && sum <= TX_MAILBOX_WORDS);
  return sum;
}

static void settle_mailboxes(struct tx_tile *t, unsigned from) {
  struct tx_mailboxes *m = &t->mailboxes;
  struct tx_backlog *b = &m->backlog[from];
  while (b->count && written_by(m, from) < TX_MAILBOX_WORDS) {
    tx_assert(b->to[0] < TX_MAILBOX_CORES);
    struct tx_mailbox *box = &m->box[from][b->to[0]];
    box->word[(box->head + box->count++) % TX_MAILBOX_WORDS] = b->word[0];
    drop_first(b);
    sim_poke(&t->engine, TX_ADDR_MAILBOX + 0x1000u * from + 4); /* "is there a word" for the reader */
    changed(t);
  }
}

static uint32_t pop_mailbox(struct tx_tile *t, struct tx_mailbox *box, unsigned from) {
  tx_assert(box->count > 0 && box->head < TX_MAILBOX_WORDS);
  uint32_t value = box->word[box->head];
  box->word[box->head] = 0;
  box->head = (box->head + 1) % TX_MAILBOX_WORDS;
  box->count--;
  settle_mailboxes(t, from);
  changed(t);
  return value;
}

struct tx_bus_answer tx_access_mailbox(struct tx_tile *t, const struct tx_request *r) {
  unsigned self = place_of(r->agent), other = (r->address - TX_ADDR_MAILBOX) / 0x1000u;
  uint32_t there = t->params.sync_request_cycles, round_trip = 2 * there + 1;
  if (r->store) {
    const struct tx_core_port *port = &t->port[tx_core_of(r->agent)];
    if (t->mailboxes.backlog[self].count + port->pending[TX_REGION_MAILBOX] >= TX_BACKLOG_WORDS)
      return tx_bus_wait(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_MAILBOX, r->address);
    return tx_bus_emit(t, r, TX_REGION_MAILBOX);
  }
  struct tx_mailbox *box = &t->mailboxes.box[other][self];
  if (r->address & 4u) return tx_bus_finish_load(t, r, box->count != 0, there, round_trip);
  if (!box->count) return tx_bus_wait_load(t, r, TX_CH(TX_CH_CORE), 0, TX_BLOCKED_MAILBOX, r->address);
  return tx_bus_finish_load(t, r, pop_mailbox(t, box, other), there, round_trip);
}

bool tx_arrive_mailbox(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  unsigned from = place_of(r->agent);
  tx_assert(t->mailboxes.backlog[from].count < TX_BACKLOG_WORDS);
  struct tx_backlog *b = &t->mailboxes.backlog[from];
  b->word[b->count] = r->value;
  b->to[b->count++] = (r->address - TX_ADDR_MAILBOX) / 0x1000u;
  settle_mailboxes(t, from);
  return true;
}

void tx_mailbox_core_reset(struct tx_tile *t, unsigned core) {
  if (core >= TX_MAILBOX_CORES) return; /* NCRISC has none */
  unsigned from = place_of_core(core);
  memset(t->mailboxes.box[from], 0, sizeof t->mailboxes.box[from]);
  memset(&t->mailboxes.backlog[from], 0, sizeof t->mailboxes.backlog[from]);
  changed(t);
}

/* --- PC buffers --- */

uint32_t tx_pcbuf_override(const struct tx_tile *t, unsigned thread) {
  return t->control.word[TX_CONTROL_TRISC_PC_BUF_OVERRIDE / 4] >> (10 * thread) & 0x3ffu;
}

static void settle_pcbufs(struct tx_tile *t) {
  struct tx_pcbufs *p = &t->pcbufs;
  while (p->backlog.count && p->buf[p->backlog.to[0]].count < TX_PCBUF_WORDS) {
    tx_assert(p->backlog.to[0] < TX_THREADS);
    struct tx_pcbuf *buf = &p->buf[p->backlog.to[0]];
    buf->word[(buf->head + buf->count++) % TX_PCBUF_WORDS] = p->backlog.word[0];
    drop_first(&p->backlog);
    changed(t);
  }
}

static uint32_t pop_pcbuf(struct tx_tile *t, struct tx_pcbuf *buf) {
  tx_assert(buf->count > 0 && buf->head < TX_PCBUF_WORDS);
  uint32_t value = buf->word[buf->head];
  buf->word[buf->head] = 0;
  buf->head = (buf->head + 1) % TX_PCBUF_WORDS;
  buf->count--;
  settle_pcbufs(t);
  changed(t);
  return value;
}

/* The T core waits at its empty PC buffer. */
static bool core_waits(const struct tx_tile *t, unsigned thread) {
  const struct tx_core_port *port = &t->port[thread];
  return port->load_since && port->load_address == TX_ADDR_PC_BUF;
}

/* BRISC's side: 0xFFE80000, 0xFFE90000, 0xFFEA0000. */
static struct tx_bus_answer access_as_brisc(struct tx_tile *t, const struct tx_request *r) {
  unsigned thread = (r->address - TX_ADDR_PC_BUF) >> 16;
  uint32_t there = t->params.sync_request_cycles;
  struct tx_bus_answer answer;
  if (r->store) {
    if (t->pcbufs.backlog.count + t->port[tx_core_of(r->agent)].pending[TX_REGION_PCBUF] >= TX_BACKLOG_WORDS)
      return tx_bus_wait(TX_CH(TX_CH_CORE), 0, TX_BLOCKED_PCBUF, r->address);
    return tx_bus_emit(t, r, TX_REGION_PCBUF);
  }
  if (tx_bus_behind_stores(t, r, TX_REGION_PCBUF, &answer)) return answer;
  bool override = (tx_pcbuf_override(t, thread) & 3u) == (TX_PCBUF_OVERRIDE_EN | TX_PCBUF_OVERRIDE_BUSY);
  if (!override && (t->pcbufs.buf[thread].count || t->pcbufs.backlog.count || !core_waits(t, thread)))
    return tx_bus_wait_load(t, r, TX_CH(TX_CH_CORE), 0, TX_BLOCKED_PCBUF, r->address);
  sim_time idle_at = tx_tile_idle_at(t, thread);
  if (!override && idle_at > t->engine.now)
    return tx_bus_wait_load(t, r, tx_bus_idle_channels() | TX_CH(TX_CH_CORE), idle_at == SIM_NEVER ? 0 : idle_at,
                            TX_BLOCKED_TTSYNC, thread);
  return tx_bus_finish_load(t, r, 0, there, 2 * there + 1);
}

struct tx_bus_answer tx_access_pcbuf(struct tx_tile *t, const struct tx_request *r) {
  unsigned core = tx_core_of(r->agent);
  uint32_t there = t->params.sync_request_cycles;
  if (r->agent == TX_AGENT_BRISC) return access_as_brisc(t, r);
  if (r->store) return tx_bus_done(0, 1); /* discarded */
  struct tx_pcbuf *buf = &t->pcbufs.buf[core];
  if (buf->count) return tx_bus_finish_load(t, r, pop_pcbuf(t, buf), there, 2 * there + 1);
  uint32_t override = tx_pcbuf_override(t, core);
  if (override & TX_PCBUF_OVERRIDE_EN) return tx_bus_finish_load(t, r, override >> 2, there, 2 * there + 1);
  if (!core_waits(t, core)) changed(t); /* BRISC may wait for this */
  return tx_bus_wait_load(t, r, TX_CH(TX_CH_CORE), 0, TX_BLOCKED_PCBUF, r->address);
}

bool tx_arrive_pcbuf(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_assert(t->pcbufs.backlog.count < TX_BACKLOG_WORDS);
  struct tx_backlog *b = &t->pcbufs.backlog;
  b->word[b->count] = r->value;
  b->to[b->count++] = (r->address - TX_ADDR_PC_BUF) >> 16;
  settle_pcbufs(t);
  return true;
}

void tx_pcbuf_core_release(struct tx_tile *t, unsigned core) {
  if (core >= 3) return;
  memset(&t->pcbufs.buf[core], 0, sizeof t->pcbufs.buf[core]);
  settle_pcbufs(t);
}
