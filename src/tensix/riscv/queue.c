/* The store queue: four entries, emitted in order whenever possible. Stores to the same 16 bytes of L1 merge with the entry at the
 * rear; such an entry waits for more until it is full, another store comes after it, or cfg0's merge timer has run out. A write
 * of less than 16 bytes occupies the port to L1 for five cycles. ISA: BabyRISCV/README.md "Load/Store Unit", MemoryOrdering.md,
 * CSRs.md.
 *
 * A store that the bus does not accept (a full FIFO) stays at the head, and no further store enters until it is accepted;
 * after a store that Auto TTSync holds, stores enter while there is room. A T core does not begin a push for which FIFO 1
 * has no room (inferred: with pushes waiting in the queue a core could push 36 instructions before it stalls, where silicon
 * shows 32).
 *
 * With timing off there is no queue: a store goes to the bus at once. */
#include "tensix/riscv/queue.h"
#include "sim/keep.h"
#include "tensix/lap_notes.h"
#include "tensix/riscv/polls.h"

#include <string.h>

#include "tensix/frontend/autosync.h"
#include "tensix/frontend/autosync_access.h"
#include "tensix/frontend/frontend.h"
#include "tensix/frontend/turn.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"

#define GAP_CYCLES 4u /* timing off: a push further from the one before waits for its cycle */

static struct tx_core_store *entry(struct tx_core *c, uint32_t place) {
  tx_assert(place < TX_CORE_STORES);
  return &c->queue[place];
}

static const struct tx_core_store *peek(const struct tx_core *c, uint32_t place) {
  tx_assert(place < c->queue_count && c->queue_count <= TX_CORE_STORES);
  return &c->queue[place];
}

/* The other entries move up, and free places are zero: the queue's bytes depend only on the stores in it, not on the number
 * that passed through it, which differs when pushes go ahead of time. */
static void pop(struct tx_core *c) {
  tx_assert(c->queue_count > 0 && c->queue_count <= TX_CORE_STORES);
  uint32_t rest = --c->queue_count;
  for (uint32_t i = 0; i < rest; i++) c->queue[i] = c->queue[i + 1];
  memset(&c->queue[rest], 0, sizeof c->queue[rest]);
  if (!rest) c->flush = 0;
}

bool tx_queue_occupied(const struct tx_core *c, sim_time at) { return c->queue_count || at < c->push_left; }

static uint32_t access_mask(uint32_t address, unsigned bytes) {
  tx_assert((address & 15u) + bytes <= 16);
  return ((1u << bytes) - 1u) << (address & 15u);
}

bool tx_queue_overlaps(const struct tx_core *c, uint32_t address, unsigned bytes, sim_time at) {
  if (at < c->push_left && (address & ~3u) == TX_ADDR_PUSH) return true;
  for (uint32_t i = 0; i < c->queue_count; i++) {
    const struct tx_core_store *s = peek(c, i);
    uint32_t line = s->is_l1 ? s->address : s->address & ~15u;
    uint32_t mask = s->is_l1 ? s->mask : (uint32_t)s->mask << (s->address & 15u);
    if ((address & ~15u) == line && (mask & access_mask(address, bytes))) return true;
  }
  return false;
}

uint32_t tx_queue_writes(const struct tx_core_run *run) {
  uint32_t resources = 0;
  for (uint32_t i = 0; i < run->c->queue_count; i++)
    for (unsigned k = 0; k < peek(run->c, i)->pushes; k++)
      resources |= tx_autosync_writes(run->t, run->core, peek(run->c, i)->data[k]);
  return resources;
}

/* The time at which an entry leaves if the port is free: one that may still grow leaves when its timer expires or another
 * store enters after it, whichever is first. Every merge restarts the timer, but the queue is guaranteed to progress (ISA:
 * MemoryOrdering.md): after one timer per byte of the line the entry leaves in any case. No document has that number. */
static sim_time leaves_at(const struct tx_core *c, uint32_t place) {
  const struct tx_core_store *s = peek(c, place);
  sim_time at = s->enter + 1;
  bool open = s->is_l1 && s->mask != 0xffffu && !c->flush && !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_MERGE);
  if (!open) return at;
  sim_time timer = tx_later_of(1, TX_CFG0_MERGE_TIMER(c->csr[TX_CSR_CFG0])), timeout = s->enter + timer;
  if (timeout > s->first + 16 * timer) timeout = s->first + 16 * timer;
  if (place + 1 == c->queue_count) return timeout;
  sim_time pushed = tx_later_of(at, peek(c, place + 1)->first + 1);
  return pushed < timeout ? pushed : timeout;
}

sim_time tx_queue_due(const struct tx_core *c) {
  if (!c->queue_count || c->refused) return SIM_NEVER;
  return tx_later_of(leaves_at(c, 0), c->port_free);
}

static sim_time port_cycles(const struct tx_tile *t, const struct tx_core_store *s) {
  return s->is_l1 && s->mask != 0xffffu ? t->params.l1_narrow_write_cycles : 1;
}

/* The present departure time of the last entry: a core that runs ahead of the engine has not yet seen the entries before it
 * leave. */
static sim_time rear_due(const struct tx_core_run *run) {
  const struct tx_core *c = run->c;
  if (c->refused) return SIM_NEVER;
  sim_time port = c->port_free, at = 0;
  for (uint32_t i = 0; i < c->queue_count; i++) {
    at = tx_later_of(leaves_at(c, i), port);
    port = at + port_cycles(run->t, peek(c, i));
  }
  return at;
}

/* Neither Auto TTSync nor the debug register holds what a T core pushes. */
static bool pushes_are_free(const struct tx_tile *t, unsigned core) {
  return !TX_AUTOSYNC_ON(t, core) && !(t->control.word[TX_CONTROL_DBG_INSTRN_BUF_CTRL0 / 4] >> core & 1u);
}

/* May a push that could be in the queue enter FIFO 1 ahead of time? Not while a log records departures (a checker observes words at the gates only), nor for
 * instructions without cost (unpaid.h). It is gone before a later store could find the queue full. */
static bool may_go_ahead(const struct tx_tile *t) {
  return !(t->unsaved.log.mask & ~(1u << TX_EVENT_ISSUE)) && !t->unsaved.what_if && tx_push_cycles(t) <= TX_CORE_STORES;
}

/* --- emission --- */

/* A load may have fetched the line again while the store was in the queue: the line is flushed when the store enters and
 * when it leaves. */
static void flush_l0_line(struct tx_core *c, uint32_t address) {
  for (unsigned i = 0; i < TX_L0_LINES; i++)
    if (c->l0_tag[i] == (address & ~15u) + 1) c->l0_tag[i] = 0;
}

/* `granted`: the time at which its port accepts it. */
static void emit_line(struct tx_core_run *run, const struct tx_core_store *s, sim_time granted) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  tx_assert(s->is_l1 && !(s->address & 15u) && s->mask && s->address < TX_L1_BYTES);
  uint32_t cycles = t->timing ? t->params.l1_request_cycles : 1, ahead;
  memcpy(&ahead, s->ahead, sizeof ahead);
  struct sim_effect e = {.at = granted + cycles,
                         .kind = TX_EFFECT_CORE_LINE,
                         .agent = (uint16_t)run->agent,
                         .pc = s->pc,
                         .extra = ahead,
                         .w = {s->address, s->data[0], s->data[1], s->data[2], s->data[3], s->mask}};
  if (!sim_effect_at(&t->engine, e))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
  flush_l0_line(c, s->address);
  c->l1_arrival = e.at;
  c->l1_under_way++;
  t->port[run->core].stores++;
  if (tx_lap_noting(t)) tx_lap_note_line(t, run->core, &e);
}

/* The instruction that stored this byte of the line. */
static uint32_t pc_of_byte(const struct sim_effect *e, uint32_t byte) {
  return e->pc + 4u * (uint32_t)(int8_t)(e->extra >> 8 * (byte / 4));
}

/* Word by word if writers are recorded: each word has its own instruction. */
static void write_piece(struct tx_tile *t, const struct sim_effect *e, uint32_t from, uint32_t length) {
  const unsigned char *bytes = (const unsigned char *)&e->w[1];
  t->current.pc = pc_of_byte(e, from);
  tx_inflight_touch(t, e->w[0] + from, length, true);
  while ((t->unsaved.writers.count || t->unsaved.memo.on) && from / 4 != (from + length - 1) / 4) {
    uint32_t part = 4 - from % 4;
    tx_l1_write(t, e->w[0] + from, bytes + from, part);
    from += part;
    length -= part;
    t->current.pc = pc_of_byte(e, from);
  }
  tx_l1_write(t, e->w[0] + from, bytes + from, length);
}

/* The contiguous pieces of a line, lowest first. */
void tx_effect_CORE_LINE(struct tx_tile *t, const struct sim_effect *e) {
  t->current = (struct tx_current){.agent = e->agent, .pc = e->pc, .unit = TX_UNIT_FRONTEND};
  for (uint32_t mask = e->w[5], from; mask; mask &= ~0u << from) {
    from = (uint32_t)__builtin_ctz(mask);
    uint32_t length = (uint32_t)__builtin_ctz(~(mask >> from));
    write_piece(t, e, from, length);
    from += length;
  }
  tx_assert(t->core[e->agent - TX_AGENT_TRISC0].l1_under_way > 0);
  t->core[e->agent - TX_AGENT_TRISC0].l1_under_way--;
  sim_signal(&t->engine, TX_CH(TX_CH_CORE), t->engine.now);
}

static struct tx_bus_answer emit_other(struct tx_core_run *run, const struct tx_core_store *s) {
  struct tx_tile *t = run->t;
  t->current = (struct tx_current){.agent = run->agent, .word = s->data[0], .pc = s->pc, .unit = TX_UNIT_FRONTEND};
  tx_assert(!s->is_l1 && s->pushes <= 4);
  unsigned bytes = (unsigned)__builtin_popcount(s->mask);
  struct tx_bus_answer answer = t->unsaved.ports->store(t, run->agent, s->address, s->data[0], bytes > 4 ? 4 : bytes);
  if (answer.result == TX_BUS_DONE) {
    if (tx_lap_noting(t)) tx_lap_note_store(t, s->address);
    for (unsigned i = 1; i < s->pushes; i++) tx_frontend_push_fused(t, run->core, s->data[i], s->pc + 4 * i);
  }
  return answer;
}

static void note_refusal(struct tx_core *c, const struct tx_bus_answer *answer) {
  c->refused = 1;
  c->refused_channels = answer->channels;
  c->refused_retry = answer->retry_at;
  c->refused_wait = answer->wait;
}

static void forget_refusal(struct tx_core *c) {
  static const struct tx_bus_answer none;
  note_refusal(c, &none);
  c->refused = 0;
}

static void emit_head(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  const struct tx_core_store *s = peek(c, 0);
  if (s->is_l1) {
    uint32_t hold = (uint32_t)port_cycles(run->t, s);
    struct tx_l1_request request = {.core = run->core, .address = s->address, .since = run->now, .hold = hold};
    sim_time at;
    if (!tx_l1_grant(run->t, &request, &at)) {
      c->port_free = at;
      return;
    }
    emit_line(run, s, at);
    c->port_free = at + hold;
  } else {
    struct tx_bus_answer answer = emit_other(run, s);
    if (answer.result == TX_BUS_WAIT) {
      note_refusal(c, &answer);
      if (!c->waiting.kind) run->t->engine.agents[run->agent].woken_at = 0; /* earlier signals do not end this wait */
      return;
    }
    c->port_free = run->now + 1;
    if (s->pushes) c->push_left = run->now;
  }
  pop(c);
}

void tx_queue_ask_again(struct tx_core *c) { forget_refusal(c); }

/* Only pushes are left, each of which leaves as soon as it can, which only FIFO 1 could prevent: they go there at once, each for its own cycle, as if
 * they had passed the queue (push_ahead). */
static void emit_pushes_ahead(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  sim_time port = c->port_free;
  uint32_t words = 0;
  for (uint32_t i = 0; i < c->queue_count; i++) {
    const struct tx_core_store *s = peek(c, i);
    if (!s->pushes || s->address != TX_ADDR_PUSH || s->mask != 0xfu || port > s->enter + 1) return;
    words += s->pushes;
    port = s->enter + 2;
  }
  if (run->core >= TX_THREADS || c->refused || c->flush || c->held || c->waiting.kind || c->one_by_one ||
      !pushes_are_free(t, run->core) || !may_go_ahead(t) || tx_frontend_room(t, run->core) < words)
    return;
  while (c->queue_count) {
    const struct tx_core_store *s = peek(c, 0);
    const sim_time at = s->enter + 1;
    for (unsigned i = 0; i < s->pushes; i++) tx_frontend_push_queued(t, run->core, s->data[i], s->pc + 4 * i, at);
    t->port[run->core].stores++;
    c->port_free = at + 1;
    run->pushed = c->push_left = at;
    pop(c);
  }
}

void tx_queue_drain(struct tx_core_run *run) {
  const uint32_t before = run->c->queue_count;
  while (tx_queue_due(run->c) <= run->now && !run->t->fault.kind) emit_head(run);
  if (run->c->queue_count && run->c->queue_count != before && !run->t->fault.kind) emit_pushes_ahead(run);
}

/* --- entering --- */

static enum tx_step wait_for_room(struct tx_core_run *run) {
  if (!run->c->refused) return tx_step_held(run, tx_queue_due(run->c), NULL);
  return tx_step_held(run, SIM_NEVER, &run->c->refused_wait); /* repeated by tx_queue_drain */
}

static enum tx_step append(struct tx_core_run *run, const struct tx_core_store *s) {
  struct tx_core *c = run->c;
  bool stuck = c->refused && c->refused_wait.kind != TX_BLOCKED_TRACKED;
  if (c->queue_count == TX_CORE_STORES || stuck) return wait_for_room(run);
  tx_assert(c->queue_count < TX_CORE_STORES);
  *entry(c, c->queue_count++) = *s;
  return TX_STEP_DONE;
}

/* Words in the queue for FIFO 1. */
static uint32_t queued_pushes(const struct tx_core *c) {
  uint32_t words = 0;
  for (uint32_t i = 0; i < c->queue_count; i++) words += peek(c, i)->pushes;
  return words;
}

/* Pushes of a T core to its own thread that only FIFO 1 can block. BRISC, which may push to the same thread and wait for
 * its FIFOs, is idle. */
static bool push_is_private(const struct tx_core_run *run) {
  const struct tx_tile *t = run->t;
  const struct sim_agent *brisc = &t->engine.agents[TX_AGENT_BRISC];
  if (brisc->at != SIM_NEVER || brisc->channels || t->unsaved.scripts[TX_CORE_BRISC] || run->c->refused) return false;
  return pushes_are_free(t, run->core);
}

/* The queue holds only pushes, those that leave up to `enter` find room, and none of them could be the next word to leave
 * FIFO 1 before its own push: at most one leaves per cycle. */
static bool can_emit_ahead(const struct tx_core_run *run, sim_time enter) {
  const struct tx_core *c = run->c;
  const struct tx_frontend *fe = sim_keep(&run->t->frontend[run->core]);
  sim_time port = c->port_free;
  uint32_t words = fe->fifo1.count, stay = 0;
  for (uint32_t i = 0; i < c->queue_count; i++) {
    const struct tx_core_store *s = peek(c, i);
    if (!s->pushes || s->address != TX_ADDR_PUSH || s->mask != 0xfu) return false;
    sim_time at = tx_later_of(s->enter + 1, port);
    if (at > enter) stay++;
    else if (words < at - run->now) return false;
    words += s->pushes;
    port = at + 1;
  }
  if (!stay || stay == TX_CORE_STORES) return false; /* with an empty queue push_ahead handles the push, in its own cycle */
  return words - fe->fifo1.count < tx_frontend_places(run->t, fe);
}

/* A push enters later than now: words that leave the queue until then go to FIFO 1 ahead of time, each for its own cycle.
 * This saves a turn of the core for every word. false: the core has to wait. */
static bool make_room_ahead(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  if (!push_is_private(run)) return false;
  tx_frontend_settle(t, run->core, t->engine.now);
  if (!can_emit_ahead(run, enter)) return false;
  while (c->queue_count) {
    const struct tx_core_store *s = peek(c, 0);
    sim_time at = tx_later_of(s->enter + 1, c->port_free);
    if (at > enter) break;
    for (unsigned i = 0; i < s->pushes; i++) tx_frontend_push_at(t, run->core, s->data[i], s->pc + 4 * i, at);
    t->port[run->core].stores++;
    c->port_free = at + 1;
    c->push_left = at;
    pop(c);
  }
  return true;
}

/* The next departure from the queue of the pushes that are in FIFO 1 ahead of time: a core that is held in EX1 tries again
 * then. A departure now wakes the front end. */
static sim_time next_departure(const struct tx_core_run *run) {
  struct tx_frontend *fe = sim_keep(&run->t->frontend[run->core]);
  sim_time next = SIM_NEVER;
  for (uint32_t i = fe->fifo1.count; i > 0 && run->now <= run->c->push_left; i--) {
    uint32_t slot = (fe->fifo1.head + i - 1) % TX_FIFO_SLOTS;
    if (fe->pushed_at[slot] < run->now) break;
    if (!(fe->fifo1.slot[slot].flags & TX_WORD_QUEUED)) continue;
    if (fe->pushed_at[slot] > run->now) next = fe->pushed_at[slot];
    else if (!fe->moving) fe->moving = TX_MOVING_LATER;
  }
  return next;
}

uint32_t tx_queue_hide(const struct tx_core_run *run) {
  uint32_t slots = 0;
  if (run->core >= TX_THREADS || run->now > run->c->push_left) return 0;
  struct tx_frontend *fe = sim_keep(&run->t->frontend[run->core]);
  for (uint32_t i = 0; i < fe->fifo1.count; i++) {
    uint32_t slot = (fe->fifo1.head + i) % TX_FIFO_SLOTS;
    if (!(fe->fifo1.slot[slot].flags & TX_WORD_QUEUED) || fe->pushed_at[slot] != run->now) continue;
    fe->pushed_at[slot]++;
    slots |= 1u << slot;
  }
  return slots;
}

void tx_queue_show(const struct tx_core_run *run, uint32_t slots) {
  for (; slots; slots &= slots - 1) run->t->frontend[run->core].pushed_at[__builtin_ctz(slots)]--;
}

static enum tx_step wait_for_fifo(struct tx_core_run *run) {
  struct sim_wait wait = {.kind = TX_BLOCKED_FIFO, .object = run->core};
  run->channels |= TX_CH(TX_CH_FIFO + run->core);
  sim_time departure = next_departure(run), at = tx_frontend_drains_at(run->t, run->core);
  return tx_step_held(run, at && at < departure ? at : departure, &wait);
}

static enum tx_step append_push(struct tx_core_run *run, const struct tx_core_store *s, sim_time enter) {
  struct tx_tile *t = run->t;
  if (run->core >= TX_THREADS) return append(run, s);
  if (enter > run->now) return !run->c->flush && make_room_ahead(run, enter) ? append(run, s) : tx_step_at(run, enter);
  if (tx_frontend_room(t, run->core) > queued_pushes(run->c)) return append(run, s);
  return wait_for_fifo(run);
}

/* `uncertain`: the entry may have left by then, unless its port delays it: a core that runs ahead cannot know. */
static bool can_merge(const struct tx_core_run *run, uint32_t address, sim_time enter, bool *uncertain) {
  const struct tx_core *c = run->c;
  if (!c->queue_count || c->flush || (c->csr[TX_CSR_CFG0] & TX_CFG0_NO_MERGE)) return false;
  const struct tx_core_store *rear = peek(c, c->queue_count - 1);
  uint32_t distance = address > rear->last ? address - rear->last : rear->last - address;
  if (!rear->is_l1 || rear->address != (address & ~15u) || distance > 4 || rear->mask == 0xffffu) return false;
  *uncertain = enter >= rear_due(run);
  return !*uncertain;
}

static void put_bytes(struct tx_core_store *s, uint32_t address, uint32_t value, unsigned bytes) {
  memcpy((unsigned char *)s->data + (address & 15u), &value, bytes);
  s->mask = (uint16_t)(s->mask | access_mask(address, bytes));
  s->last = address;
}

static enum tx_step store_l1(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes, sim_time enter) {
  struct tx_core *c = run->c;
  bool uncertain = false, merges = run->t->timing && can_merge(run, address, enter + 1, &uncertain);
  if (uncertain && enter > run->now) return tx_step_at(run, enter);
  struct tx_core_store s = {.address = address & ~15u, .pc = c->pc, .is_l1 = 1, .first = enter + 1, .enter = enter + 1};
  put_bytes(&s, address, value, bytes);
  flush_l0_line(c, address);
  if (!run->t->timing) {
    emit_line(run, &s, run->now);
    return TX_STEP_DONE;
  }
  if (!merges) return append(run, &s);
  struct tx_core_store *rear = entry(c, c->queue_count - 1);
  put_bytes(rear, address, value, bytes);
  int32_t ahead = (int32_t)(c->pc - rear->pc) / 4;
  rear->ahead[address >> 2 & 3u] = (int8_t)(ahead == (int8_t)ahead ? ahead : 0);
  rear->enter = enter + 1;
  return TX_STEP_DONE;
}

/* The bus accepts it now or the core waits. */
static enum tx_step store_now(struct tx_core_run *run, const struct tx_core_store *s) {
  run->pushes_until = 0; /* it may write what a push depends on */
  struct tx_bus_answer answer = emit_other(run, s);
  if (answer.result == TX_BUS_DONE) return TX_STEP_DONE;
  run->channels |= answer.channels;
  return tx_step_held(run, answer.result == TX_BUS_WAIT && answer.retry_at ? answer.retry_at : SIM_NEVER, &answer.wait);
}

/* The bus accepts this store of a T core whenever it leaves: a word for the configuration or a semaphore, with room on its path for all of the queue. Not
 * where a finding would stop the run. */
static bool bus_accepts(const struct tx_core_run *run, const struct tx_core_store *s) {
  const struct tx_tile *t = run->t;
  if (run->core >= TX_THREADS || run->c->refused || s->mask != 0xfu || t->diag.strict || TX_AUTOSYNC_ON(t, run->core))
    return false;
  const bool config = s->address - TX_ADDR_CONFIG < 4 * 3 * TX_CFG_WORDS;
  if (!config && s->address - TX_ADDR_SEMAPHORE >= 4 * TX_SEMAPHORES) return false;
  return t->port[run->core].pending[config ? TX_REGION_CONFIG : TX_REGION_SYNC] + TX_CORE_STORES <= TX_BUS_PENDING_MAX;
}

/* The queue holds a store that the bus may reject, and a later entry depends on the result; or it is being emptied, which an entry made ahead of
 * time would prolong. */
static bool must_wait_and_see(const struct tx_core_run *run, sim_time enter) {
  const struct tx_core *c = run->c;
  if (!run->t->timing || enter <= run->now) return false;
  if (c->flush) return true;
  for (uint32_t i = 0; i < c->queue_count; i++)
    if (!peek(c, i)->is_l1 && (c->queue_count == TX_CORE_STORES || !bus_accepts(run, peek(c, i)))) return true;
  return false;
}

/* Only FIFO 1 itself can block a T core's push. */
static bool push_is_plain(const struct tx_core_run *run) {
  if (run->core >= TX_THREADS || run->c->queue_count || run->c->refused) return false;
  return pushes_are_free(run->t, run->core);
}

bool tx_queue_fifo_is_full(struct tx_core_run *run) {
  struct tx_tile *t = run->t;
  if (!push_is_plain(run) || tx_frontend_room(t, run->core)) return false;
  t->unsaved.cores.acts++;
  t->unsaved.memo.last_tile_access[run->core] = run->now;
  wait_for_fifo(run);
  return true;
}

/* Timing off: the store of a word by a T core to its own FIFO, if only a full FIFO could block it. */
static bool store_is_push(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes) {
  struct tx_tile *t = run->t;
  if (address != TX_ADDR_PUSH || bytes != 4 || !push_is_plain(run) || !tx_frontend_places(t, &t->frontend[run->core]))
    return false;
  tx_frontend_push_at(t, run->core, value, run->c->pc, t->engine.now);
  tx_frontend_wake(t, run->core);
  t->port[run->core].stores++;
  return true;
}

/* Whether a push by a store may bypass the queue: if no earlier entry occupies the port. */
static bool may_pass_queue(const struct tx_core_run *run, sim_time enter) {
  return run->c->port_free <= enter + tx_push_cycles(run->t) && may_go_ahead(run->t);
}

/* A push as an entry of the store queue. */
__attribute__((noinline)) static enum tx_step push_slowly(struct tx_core_run *run, const uint32_t *words, unsigned count,
                                                          sim_time enter) {
  struct tx_core_store s = {.address = TX_ADDR_PUSH,
                            .pc = run->c->pc,
                            .mask = 0xfu,
                            .pushes = (uint8_t)count,
                            .first = enter + 1,
                            .enter = enter + 1 + run->t->params.push_request_cycles};
  memcpy(s.data, words, count * sizeof *words);
  if (run->t->timing) return append_push(run, &s, enter);
  if (!tx_core_reach(run, enter)) return tx_step_at(run, enter);
  return store_now(run, &s);
}

/* A run of plain pushes for which FIFO 1 has room goes there at once, each for its own later cycle: the same as through the queue, without a
 * turn of the core for every word. `queued`: instructions that wait for an empty queue also wait for the push; the gate ignores it before its cycle,
 * so that it need not follow another. */
static enum tx_step push_ahead(struct tx_core_run *run, const uint32_t *words, unsigned count, sim_time enter, bool queued) {
  struct tx_tile *t = run->t;
  struct tx_core *c = run->c;
  bool follows = (t->timing && queued) || (run->pushed && enter <= run->pushed + (t->timing ? TX_PUSH_MOVES : GAP_CYCLES));
  if (!follows && !tx_core_reach(run, enter)) return tx_step_at(run, enter);
  if (tx_frontend_room(t, run->core) == 0) {
    if (!t->timing) return push_slowly(run, words, count, enter);
    return enter > run->now ? tx_step_at(run, enter) : wait_for_fifo(run);
  }
  sim_time at = t->timing ? tx_later_of(enter + tx_push_cycles(t), c->port_free) : enter;
  /* Time may have advanced in this stretch (tx_core_run_sole): the front end has consumed the earlier words and is idle. */
  if (!queued && (!run->pushed || !t->frontend[run->core].moving)) tx_frontend_wake(t, run->core);
  for (unsigned i = 0; i < count; i++)
    (queued ? tx_frontend_push_queued : tx_frontend_push_at)(t, run->core, words[i], c->pc + 4 * i, at);
  t->port[run->core].stores++;
  c->port_free = at + 1;
  if (queued) c->push_left = at;
  run->pushed = at;
  return TX_STEP_DONE;
}

enum tx_step tx_queue_store(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes, sim_time enter) {
  if (tx_lap_noting(run->t) && !tx_lap_may_act(run->t, run->core)) return tx_step_at(run, enter + 1);
  if (!run->t->timing) {
    if (!tx_core_reach(run, enter)) return tx_step_at(run, enter);
    if (store_is_push(run, address, value, bytes)) return TX_STEP_DONE;
  }
  if (must_wait_and_see(run, enter)) return tx_step_at(run, enter);
  if (tx_in_l1(run->t, address)) return store_l1(run, address, value, bytes, enter);
  if (address == TX_ADDR_PUSH && bytes == 4 && run->t->timing && push_is_plain(run) && may_pass_queue(run, enter))
    return push_ahead(run, &value, 1, enter, true);
  struct tx_core_store s = {.address = address,
                            .pc = run->c->pc,
                            .data = {value},
                            .mask = (uint16_t)((1u << bytes) - 1u),
                            .pushes = address >> 16 == TX_ADDR_PUSH >> 16,
                            .first = enter + 1,
                            .enter = enter + 1};
  if (s.pushes) s.enter += run->t->params.push_request_cycles;
  if (!run->t->timing) return store_now(run, &s);
  return s.pushes ? append_push(run, &s, enter) : append(run, &s);
}

/* FIFO 1 has room: wakes the thread and notes up to when that holds. */
static void begin_pushes(struct tx_core_run *run) {
  struct sim_engine *engine = &run->t->engine;
  if (!run->pushed) tx_frontend_wake(run->t, run->core);
  run->pushed = 1;
  run->pushes_until = run->drains_until = 0;
  if (!engine->in_turns || engine->stop || !run->limit) return;
  sim_time until = run->limit < engine->turn_end ? run->limit : engine->turn_end;
  if (engine->effect_count && engine->effects[0].at < until) until = engine->effects[0].at;
  run->pushes_until = until <= run->horizon ? until : run->horizon + 1;
  engine->schedule_changed = 0;
}

/* The first push of a stretch, or the first after a change. */
__attribute__((noinline)) static bool begin_push_slowly(struct tx_core_run *run) {
  if (!push_is_plain(run) || !tx_frontend_places(run->t, run->fe) || !tx_core_reach(run, run->c->clock)) return false;
  begin_pushes(run);
  return true;
}

/* Timing off: a push enters FIFO 1 in the core's present cycle. false: it cannot, or not by a short path. */
static inline bool begin_push(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  const bool holds = !c->waiting.kind && tx_queue_goes_on(run, c->clock);
  if (holds && c->clock > run->now) run->now = run->t->engine.now = c->clock;
  if (!holds && !begin_push_slowly(run)) return false;
  tx_poll_forget(c);
  run->t->unsaved.memo.last_tile_access[run->core] = c->clock;
  c->spin.seen = 0;
  return true;
}

unsigned tx_queue_push_at_once(struct tx_core_run *run, const uint32_t *line, unsigned count) {
  struct tx_tile *t = run->t;
  if (!begin_push(run)) return 0;
  unsigned pushed = tx_frontend_push_line(t, sim_keep(&t->frontend[run->core]), line, count, run->c->pc, t->engine.now);
  t->port[run->core].stores += pushed;
  t->unsaved.memo.last_tile_access[run->core] = run->c->clock + pushed - 1;
  return pushed;
}

bool tx_queue_push_word(struct tx_core_run *run, uint32_t word) {
  struct tx_tile *t = run->t;
  struct tx_core *c = run->c;
  if (run->core >= TX_THREADS || (c->csr[TX_CSR_PMACFG0] | c->csr[TX_CSR_PMACFG1]) & 1u) return false;
  struct tx_frontend *fe = sim_keep(&t->frontend[run->core]);
  if (!begin_push(run)) return false;
  tx_frontend_put(fe, 0, word, c->pc, TX_WORD_PLAIN, t->engine.now);
  tx_frontend_enter(fe, 1);
  t->port[run->core].stores++;
  return true;
}

/* Only FIFO 1 can block the push, and it has no room; the core is in the cycle of the push. */
static bool lacks_room(struct tx_core_run *run) {
  const struct tx_core *c = run->c;
  const bool follows = run->pushed && c->clock <= run->pushed + GAP_CYCLES; /* push_ahead does not wait for its cycle */
  if (run->core >= TX_THREADS || tx_frontend_places(run->t, &run->t->frontend[run->core]) || !push_is_plain(run) || follows)
    return false;
  return tx_core_reach(run, c->clock);
}

/* The core slept from cycle `began` on, was signalled in the thread's first cycle, and is next. */
static void begin_new_turn(struct tx_core_run *run, sim_time began) {
  struct tx_core *c = run->c;
  struct sim_engine *engine = &run->t->engine;
  struct sim_agent *a = sim_keep(&engine->agents[run->agent]);
  if (c->retired != run->retired) sim_unblock(engine, run->agent);
  run->wait.since = a->wait.kind == run->wait.kind && a->wait.object == run->wait.object ? a->wait.since : began;
  a->wait = run->wait;
  a->state = SIM_AGENT_EVENT;
  a->channels = TX_CH(TX_CH_FIFO + run->core);
  a->at = began + 1;
  a->woken_at = 0;
  engine->turn = run->agent + 1;
  engine->turn_end = engine->now + TX_TURN_CYCLES;
  c->held = 0;
  c->clock = tx_later_of(c->clock, engine->now);
  tx_lap_begin_turn(run->t, run->core);
  run->now = engine->now;
  run->limit = sim_turn_limit(engine);
  run->horizon = tx_core_horizon(run->t);
  run->retired = c->retired;
  run->pushed = 0;
  run->wake = run->channels = 0;
  run->wait = (struct sim_wait){.kind = 0};
  const sim_time drains_until = engine->schedule_changed ? 0 : run->drains_until;
  begin_pushes(run);
  run->drains_until = drains_until;
}

enum tx_room tx_queue_await_room(struct tx_core_run *run, uint32_t word, bool drains) {
  struct tx_tile *t = run->t;
  struct tx_core *c = run->c;
  struct sim_engine *engine = &t->engine;
  const bool again = run->drains_until && c->clock < run->pushes_until && !engine->schedule_changed;
  if (again && c->clock > run->now) run->now = engine->now = c->clock;
  if (!again && !lacks_room(run)) return TX_ROOM_UNKNOWN;
  const sim_time began = engine->now;
  t->current = (struct tx_current){.agent = run->agent, .word = word, .pc = c->pc, .unit = TX_UNIT_FRONTEND};
  t->unsaved.cores.acts++;
  t->frontend[run->core].stepped = began;
  run->pushes_until = 0;
  run->channels |= TX_CH(TX_CH_FIFO + run->core);
  tx_step_held(run, SIM_NEVER, &(struct sim_wait){.kind = TX_BLOCKED_FIFO, .object = run->core});
  if (!drains || !engine->in_turns || !run->limit) return TX_ROOM_AWAITED;
  if (!again) run->drains_until = tx_gate_drains_until(t, run->core);
  const enum tx_drain drained = tx_gate_drain(t, run->core, run->drains_until);
  if (drained == TX_DRAIN_BEGUN) run->handed = began;
  if (drained != TX_DRAIN_DONE) return TX_ROOM_AWAITED;
  begin_new_turn(run, began);
  return TX_ROOM_FREED;
}

uint32_t tx_queue_room_ahead(struct tx_core_run *run, struct tx_push_run *pushes) {
  struct tx_tile *t = run->t;
  const struct tx_core *c = run->c;
  if (!run->pushed || c->waiting.kind || c->one_by_one || t->params.ttinsn_fusion || !push_is_plain(run)) return 0;
  pushes->fe = sim_keep(&t->frontend[run->core]);
  pushes->cycles = tx_push_cycles(t);
  pushes->stores = !c->flush && !((c->csr[TX_CSR_PMACFG0] | c->csr[TX_CSR_PMACFG1]) & 1u) && may_go_ahead(t);
  return tx_frontend_room(t, run->core);
}

void tx_queue_note_run(struct tx_core_run *run, const struct tx_push_run *pushes) {
  struct tx_tile *t = run->t;
  struct tx_core *c = run->c;
  if (pushes->first_queued && !pushes->fe->moving) pushes->fe->moving = TX_MOVING_LATER;
  if (pushes->first_queued)
    sim_wake_agent(&t->engine, tx_agent_of_thread(run->core), TX_CH(TX_CH_FIFO + run->core), pushes->first_queued + 3);
  if (pushes->store)
    t->current =
        (struct tx_current){.agent = run->agent, .word = pushes->store, .pc = pushes->store_pc, .unit = TX_UNIT_FRONTEND};
  t->unsaved.memo.last_tile_access[run->core] = pushes->last_enter;
  t->port[run->core].stores += pushes->count;
  t->unsaved.cores.acts += pushes->count;
  run->pushed = c->port_free - 1;
  c->spin.seen = 0;
  tx_poll_forget(c);
}

enum tx_step tx_queue_push(struct tx_core_run *run, const uint32_t *words, unsigned count, sim_time enter) {
  run->c->spin.seen = 0;
  tx_poll_forget(run->c);
  run->t->unsaved.memo.last_tile_access[run->core] = enter;
  if (!push_is_plain(run)) return push_slowly(run, words, count, enter);
  return push_ahead(run, words, count, enter, enter < run->c->push_left);
}
