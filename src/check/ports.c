/* The ports of the tile with a checker above them: loads and stores of the cores to registers, by which cores synchronise. */
#include "check/ports.h"

#include "check/atomics.h"
#include "check/buffers.h"
#include "check/flags.h"
#include "check/host.h"
#include "check/l1.h"
#include "check/local.h"
#include "check/own.h"
#include "check/pulls.h"
#include "check/registers.h"
#include "check/replay.h"
#include "check/report.h"
#include "check/sync.h"
#include "check/tiles.h"
#include "noc/niu.h"
#include "observe/hang/poll.h"
#include "tensix/frontend/frontend.h"

static struct chk *of(const struct tx_tile *t) { return t->unsaved.check; }

/* The words that a T core has pushed by now. A push that the store queue would still hold may be in FIFO 1 ahead of its cycle; an effect comes before the pushes
 * of its cycle. */
static uint64_t pushed_by_now(const struct chk *c, unsigned core, bool effect) {
  const struct tx_frontend *fe = &c->t->frontend[core];
  const sim_time now = c->t->engine.now - effect;
  uint32_t early = 0;
  for (; early < fe->fifo1.count; early++) {
    const uint32_t slot = (fe->fifo1.head + fe->fifo1.count - 1 - early) % TX_FIFO_SLOTS;
    if (!(fe->fifo1.slot[slot].flags & TX_WORD_QUEUED) || fe->pushed_at[slot] <= now) break;
  }
  return fe->pushed - early;
}

/* Stages the vector of a T core: its thread joins it with the words pushed from now on. */
static void stage(struct chk *c, unsigned core, bool effect) {
  if (core >= TX_THREADS) return;
  struct chk_thread *s = &c->thread[core];
  if (s->core_version == c->clocks.version[CHK_CORE + core]) return;
  s->core_version = c->clocks.version[CHK_CORE + core];
  uint64_t pushed = pushed_by_now(c, core, effect);
  unsigned newest = (s->staged_first + s->staged_count - 1) % CHK_STAGED;
  if (s->staged_count && (s->staged[newest].pushed == pushed || s->staged_count == CHK_STAGED)) {
    s->staged[newest].vector = c->clocks.of[CHK_CORE + core]; /* it has grown */
    return;
  }
  struct chk_staged *place = &s->staged[(s->staged_first + s->staged_count++) % CHK_STAGED];
  place->pushed = pushed;
  place->vector = c->clocks.of[CHK_CORE + core];
}

/* Before an access of a core: orders it after the words that the core pushed earlier. */
static void core_acts(struct chk *c, unsigned core) {
  chk_lines_note(c, core);
  if (core >= TX_THREADS) return;
  const uint64_t pushed = pushed_by_now(c, core, false);
  if (c->thread[core].pushed == pushed) return;
  c->thread[core].pushed = pushed;
  chk_step(&c->clocks, CHK_CORE + core);
}

/* --- a thread is idle --- */

static void join_and_step(struct chk *c, unsigned to, unsigned from) {
  chk_join(&c->clocks, to, from);
  chk_step(&c->clocks, from);
}

static void wait_for_thread(struct chk *c, unsigned core, unsigned thread) {
  unsigned to = CHK_CORE + core;
  join_and_step(c, to, CHK_THREAD + thread);
  for (unsigned unit = 0; unit < CHK_UNITS; unit++) join_and_step(c, to, chk_unit_of(thread, unit));
  join_and_step(c, to, CHK_LATE + thread);
  join_and_step(c, to, CHK_MOVER);
  c->thread[thread].mop_known = UINT64_MAX; /* until the next MOP appears */
}

/* `to` works for the core from now on and is ordered after the core's actions so far, not after later ones. */
static void hand_over(struct chk *c, unsigned core, unsigned to) {
  chk_join(&c->clocks, to, CHK_CORE + core);
  chk_step(&c->clocks, CHK_CORE + core);
}

/* --- the sync region: semaphores, TTSync, PC buffers --- */

static void load_sync(struct chk *c, unsigned core, uint32_t address) {
  unsigned buffer = (address - TX_ADDR_PC_BUF) >> 16;
  if (core == 3) { /* BRISC's end of a PC buffer: thread and core are idle */
    if (buffer < TX_THREADS) wait_for_thread(c, core, buffer), join_and_step(c, CHK_CORE + core, CHK_CORE + buffer);
    return;
  }
  if (core >= TX_THREADS) return;
  if (address == TX_ADDR_TTSYNC) wait_for_thread(c, core, core);
  else if (address == TX_ADDR_MOPSYNC) c->thread[core].mop_known = UINT64_MAX;
  else if (address == TX_ADDR_PC_BUF) chk_join_vector(&c->clocks, CHK_CORE + core, &c->mailbox[4 + core]);
  else if (address >= TX_ADDR_SEMAPHORE && address < TX_ADDR_SEMAPHORE + 4 * TX_SEMAPHORES)
    chk_semaphore_read(c, CHK_CORE + core, (address - TX_ADDR_SEMAPHORE) / 4);
}

static void release_to(struct chk *c, unsigned core, struct chk_vector *to) {
  chk_add(to, &c->clocks.of[CHK_CORE + core]);
  chk_step(&c->clocks, CHK_CORE + core);
}

static void store_sync(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  unsigned buffer = (address - TX_ADDR_PC_BUF) >> 16, index = (address - TX_ADDR_SEMAPHORE) / 4;
  if (core == 3 && buffer < TX_THREADS) release_to(c, core, &c->mailbox[4 + buffer]);
  if (core >= TX_THREADS || address < TX_ADDR_SEMAPHORE || index >= TX_SEMAPHORES) return;
  if (value & 1u) chk_semaphore_get(c, CHK_CORE + core, index);
  else chk_semaphore_post(c, CHK_CORE + core, index);
}

/* --- NoC --- */

static bool none_of(const struct noc_niu *n, unsigned first) {
  for (unsigned id = 0; id < 16; id++)
    if (n->counter[first + id]) return false;
  return true;
}

/* No request of this kind is outstanding. One counter counts the outstanding requests of all kinds: while others are
 * outstanding, the counters of this kind decide. */
static bool all_answered(const struct noc_niu *n, unsigned kind, unsigned started, unsigned answered) {
  for (unsigned i = 0; i < NOC_LOOPS; i++)
    if (n->loop[i].used && n->loop[i].packet.kind == kind) return false;
  if (none_of(n, NOC_MST_OUTSTANDING)) return true;
  for (unsigned i = 0; i < NOC_INITIATORS; i++)
    if (n->busy[i]) return false;
  return n->counter[started] <= n->counter[answered];
}

/* The program waits for this value of the counter and for no smaller one. */
static bool waits_for(const struct chk *c, unsigned core, uint32_t value) {
  if (c->t->core[core].state == TX_CORE_HELD) return true; /* a scripted core */
  uint32_t pc = c->t->current.pc;
  return obs_poll_ends(c->t, core, pc, value) && !obs_poll_ends(c->t, core, pc, value - 1);
}

/* The core has waited for the requests with this transaction number and not for others: what they have read and written
 * counts as done by the core itself. */
static void number_ends(struct chk *c, unsigned core, unsigned number) {
  chk_step(&c->clocks, CHK_CORE + core);
  /* requests under way to the same page are not against the order */
  chk_join(&c->clocks, CHK_NOC_IN + core, CHK_CORE + core);
  chk_join(&c->clocks, CHK_NOC_OUT + core, CHK_CORE + core);
  for (unsigned i = 0; i < CHK_FLIGHTS; i++) {
    struct chk_flight *f = &c->flight[core][i];
    if (!f->open || f->number != number) continue;
    f->open = false;
    chk_l1_adopt(c, core, f->address, f->length);
    if (!f->write || c->clocks.of[CHK_CORE + core].at[CHK_NOC_FAR + core] >= f->clock) continue;
    c->clocks.of[CHK_CORE + core].at[CHK_NOC_FAR + core] = f->clock;
    c->clocks.version[CHK_CORE + core]++;
  }
}

/* The writes with this number have left: their sources may be overwritten. */
static void number_leaves(struct chk *c, unsigned core, unsigned number) {
  chk_step(&c->clocks, CHK_CORE + core);
  chk_join(&c->clocks, CHK_NOC_OUT + core, CHK_CORE + core);
  for (unsigned i = 0; i < CHK_FLIGHTS; i++) {
    struct chk_flight *f = &c->flight[core][i];
    if (!f->open || !f->write || f->number != number) continue;
    f->left = true;
    chk_l1_adopt(c, core, f->address, f->length);
  }
}

static void close_flights(struct chk *c, unsigned core, bool write) {
  for (unsigned i = 0; i < CHK_FLIGHTS; i++)
    if (c->flight[core][i].write == write) c->flight[core][i].open = false;
}

/* The counters of a transaction number. A program without such numbers waits for all requests at once, by those of number 0. */
static void load_number(struct chk *c, unsigned core, unsigned counter) {
  unsigned number = counter % 16u;
  bool answered = counter < NOC_MST_OUTGOING;
  if (answered) chk_pull_answered(c, core), chk_own_answered(c, core);
  if (c->numbered[core] && answered) number_ends(c, core, number);
  else if (c->numbered[core]) number_leaves(c, core, number);
  if (c->numbered[core] || number) return;
  join_and_step(c, CHK_CORE + core, CHK_NOC_OUT + core);
  if (!answered) return;
  join_and_step(c, CHK_CORE + core, CHK_NOC_IN + core);
  join_and_step(c, CHK_CORE + core, CHK_NOC_FAR + core);
  chk_tiles_barrier(c, core);
}

/* The core has loaded this value of a counter of an NIU; `waits`: and needs it to go on. */
static void read_counter(struct chk *c, unsigned core, uint32_t address, uint32_t value, bool waits) {
  const struct noc_niu *n = &c->t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES];
  uint32_t offset = address % TX_NOC_BYTES, counter = (offset - NOC_REG_COUNTERS) / 4;
  bool read = false, sent = false, written = false, added = false, number = false;
  if (offset < NOC_REG_COUNTERS || offset >= NOC_REG_COUNTERS + 4 * NOC_COUNTERS) return;
  if (counter == NOC_MST_RD_RESP) read = all_answered(n, NOC_READ, NOC_MST_RD_STARTED, NOC_MST_RD_RESP);
  else if (counter == NOC_MST_WR_ACK) written = all_answered(n, NOC_WRITE, NOC_MST_NP_WR_STARTED, NOC_MST_WR_ACK);
  else if (counter == NOC_MST_ATOMIC_RESP)
    added = all_answered(n, NOC_ATOMIC, NOC_MST_NP_ATOMIC_STARTED, NOC_MST_ATOMIC_RESP);
  else if (counter == NOC_MST_NP_WR || counter == NOC_MST_P_WR) sent = none_of(n, NOC_MST_OUTGOING);
  else if (counter >= NOC_MST_OUTSTANDING && counter < NOC_MST_OUTGOING + 16) number = !value;
  if (!(read || sent || written || added || number) || !(waits || waits_for(c, core, value))) return;
  if (added) chk_pull_answered(c, core), chk_own_answered(c, core);
  if (number) load_number(c, core, counter);
  if (read) join_and_step(c, CHK_CORE + core, CHK_NOC_IN + core), close_flights(c, core, false);
  if (sent || written) join_and_step(c, CHK_CORE + core, CHK_NOC_OUT + core);
  if (written)
    join_and_step(c, CHK_CORE + core, CHK_NOC_FAR + core), chk_tiles_barrier(c, core), close_flights(c, core, true);
}

static void note_flight(struct chk *c, unsigned core, const uint32_t *place, bool write) {
  unsigned number = place[2] >> 10 & 15u;
  if (number) c->numbered[core] = true;
  struct chk_flight *f = &c->flight[core][c->flights[core]++ % CHK_FLIGHTS];
  if (f->open && c->numbered[core]) number_ends(c, core, f->number); /* more requests than the table holds */
  *f = (struct chk_flight){.address = place[write ? 0 : 1],
                           .length = place[3],
                           .clock = c->clocks.of[CHK_NOC_FAR + core].at[CHK_NOC_FAR + core],
                           .number = (uint8_t)number,
                           .write = write,
                           .open = true};
}

/* Records a store to the NIU. The request is not ordered after the core's later actions. */
static void store_noc(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  uint32_t offset = address % TX_NOC_BYTES, initiator = offset / NOC_INITIATOR_STRIDE;
  if (initiator >= NOC_INITIATORS) return;
  unsigned noc = (address - TX_ADDR_NOC) / TX_NOC_BYTES % NOC_NOCS;
  uint32_t *ctrl = &c->noc_ctrl[noc][initiator], *place = c->noc_place[noc][initiator];
  if (offset % NOC_INITIATOR_STRIDE == 4 * NOC_CTRL) *ctrl = value;
  if (offset % NOC_INITIATOR_STRIDE == 0) place[0] = value;
  if (offset % NOC_INITIATOR_STRIDE == 0xC) place[1] = value;
  if (offset % NOC_INITIATOR_STRIDE == 0x18) place[2] = value;
  if (offset % NOC_INITIATOR_STRIDE == 0x20) place[3] = value;
  if (offset % NOC_INITIATOR_STRIDE != NOC_REG_CMD_CTRL) return;
  bool writes = (*ctrl & NOC_CTRL_TYPE) != NOC_READ;
  unsigned entity = (writes ? CHK_NOC_OUT : CHK_NOC_IN) + core;
  chk_join(&c->clocks, entity, CHK_CORE + core);
  if (writes) chk_join(&c->clocks, CHK_NOC_FAR + core, CHK_CORE + core);
  c->noc[core][writes] = chk_now(c, entity);
  c->noc_linked[core][noc] = *ctrl & NOC_CTRL_LINKED ? c->noc[core][writes] : (struct chk_mark){0};
  if ((*ctrl & NOC_CTRL_TYPE) != NOC_ATOMIC && !(*ctrl & NOC_CTRL_INLINE))
    chk_pages_request(c, core, place[writes ? 0 : 1], writes), note_flight(c, core, place, writes);
  if (!writes) chk_pages_tag(c, place[1], 1, 0);
  if ((*ctrl & NOC_CTRL_TYPE) == NOC_ATOMIC && *ctrl & NOC_CTRL_ANSWERED) chk_pull_atomic(c, core, place[1]);
  if ((*ctrl & NOC_CTRL_TYPE) == NOC_WRITE) c->noc_write[core] = c->noc[core][1];
  chk_tiles_request(c, core, noc, initiator, *ctrl);
  chk_step(&c->clocks, CHK_CORE + core);
}

/* --- MOP templates --- */

/* The MOP that expands now or expanded last, or, before it, one that is still queued. */
static struct chk_mark mop_of(const struct tx_frontend *fe, unsigned core) {
  struct chk_mark mop = {.clock = 1, .pc = fe->mop.pc, .word = fe->mop.word, .agent = (uint8_t)tx_agent_of_thread(core)};
  for (uint32_t i = 0; !fe->mop.active && i < fe->fifo1.count; i++) {
    const struct tx_word *w = &fe->fifo1.slot[(fe->fifo1.head + i) % TX_FIFO_SLOTS];
    if (w->word >> 24 == TX_MOP) mop.pc = w->pc, mop.word = w->word;
  }
  return mop;
}

static void store_mop(struct chk *c, unsigned core) {
  if (core >= TX_THREADS || !chk_on(c, CHK_B)) return;
  const struct tx_frontend *fe = &c->t->frontend[core];
  struct chk_thread *s = &c->thread[core];
  s->template = chk_now_called(c, CHK_CORE + core);
  if (s->mop_known == UINT64_MAX) { /* the first store after a sync */
    s->mop_known = fe->expanded;
    return;
  }
  if (fe->expanded == s->mop_known && tx_frontend_mop_idle(c->t, core)) return;
  struct chk_mark mop = mop_of(fe, core);
  chk_report(c, TX_DIAG_MOP_RACE, &mop, "the template changes and no mop_sync or tensix_sync is between the MOP and it");
  s->mop_known = fe->expanded;
}

/* --- the doors --- */

static void after_load(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  if (address >= TX_ADDR_PC_BUF && address < TX_ADDR_PC_BUF + TX_PC_BUF_BYTES) load_sync(c, core, address);
  else if (address >= TX_ADDR_STREAM && address < TX_ADDR_STREAM + TX_STREAMS * TX_STREAM_BYTES)
    chk_counter_load(c, core, address, value);
  else if (address >= TX_ADDR_NOC && address < TX_ADDR_STREAM) read_counter(c, core, address, value, false);
  else if (address >= TX_ADDR_MAILBOX && address < TX_ADDR_MAILBOX + 0x4000u) {
    if (!(address & 4u)) chk_join_vector(&c->clocks, CHK_CORE + core, &c->mailbox[(address - TX_ADDR_MAILBOX) / 0x1000u]);
  } else if ((address >= TX_ADDR_CONFIG && core < 4) || (address >= TX_ADDR_GPR && address < TX_ADDR_PUSH))
    join_and_step(c, CHK_CORE + core, CHK_CONFIG + core); /* after its own stores to the region */
  else if (address >= TX_ADDR_TDMA && address < TX_ADDR_TDMA + 0x1000u) join_and_step(c, CHK_CORE + core, CHK_MOVER);
}

static void after_store(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  if (address >= TX_ADDR_PC_BUF && address < TX_ADDR_PC_BUF + TX_PC_BUF_BYTES) store_sync(c, core, address, value);
  else if (address >= TX_ADDR_STREAM && address < TX_ADDR_STREAM + TX_STREAMS * TX_STREAM_BYTES)
    chk_counter_store(c, CHK_CORE + core, core, address, value);
  else if (address >= TX_ADDR_NOC && address < TX_ADDR_STREAM) store_noc(c, core, address, value);
  else if (address >= TX_ADDR_MAILBOX && address < TX_ADDR_MAILBOX + 0x4000u)
    release_to(c, core, &c->mailbox[core == 3 ? 0 : core + 1]);
  else if (address >= TX_ADDR_CONFIG && chk_on(c, CHK_B)) chk_config_store(c, core, address, value);
  else if (address >= TX_ADDR_GPR && address < TX_ADDR_PUSH && chk_on(c, CHK_B)) chk_gpr_store(c, core, address);
  else if (address >= TX_ADDR_MOP_CFG && address < TX_ADDR_MOP_CFG + 0x24u) store_mop(c, core);
  else if (address >= TX_ADDR_TDMA && address < TX_ADDR_TDMA + 0x1000u) hand_over(c, core, CHK_MOVER);
  else if (core == 3 && address >= TX_ADDR_PUSH && address < TX_ADDR_PUSH + TX_PUSH_BYTES) /* BRISC pushes to a thread */
    hand_over(c, core, CHK_THREAD + ((address - TX_ADDR_PUSH) >> 16));
}

static struct tx_bus_answer load(struct tx_tile *t, unsigned agent, uint32_t address, unsigned bytes) {
  struct chk *c = of(t);
  struct tx_bus_answer answer = c->below->load(t, agent, address, bytes);
  unsigned core = agent - TX_AGENT_TRISC0;
  if (answer.result != TX_BUS_DONE) return answer;
  core_acts(c, core);
  after_load(c, core, address, answer.value);
  stage(c, core, false);
  return answer;
}

static struct tx_bus_answer store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value, unsigned bytes) {
  struct chk *c = of(t);
  unsigned core = agent - TX_AGENT_TRISC0;
  struct tx_bus_answer answer = c->below->store(t, agent, address, value, bytes);
  if (answer.result != TX_BUS_DONE) return answer;
  core_acts(c, core);
  after_store(c, core, address, value);
  stage(c, core, false);
  return answer;
}

static void l1_access(struct tx_tile *t, const struct tx_range *r) {
  unsigned core = (unsigned)r->agent - TX_AGENT_TRISC0;
  if (core < TX_CORES && !r->write) core_acts(of(t), core);
  chk_l1_access(t, r);
  if (core < TX_THREADS) stage(of(t), core, r->write);
}

static void l1_atomic(struct tx_tile *t, const struct tx_atomic *a, bool done) {
  struct chk *c = of(t);
  const struct tx_range r = {.base = a->address,
                             .width = 4,
                             .rows = 1,
                             .word = t->current.word,
                             .pc = t->current.pc,
                             .agent = (uint16_t)t->current.agent};
  if (done && a->value != a->old) chk_atomic_done(c, a);
  if (done) return;
  core_acts(c, a->core);
  if (!c->writer[a->address / 4]) c->writer[a->address / 4] = CHK_HOST; /* as a store, it defines the word */
  if (c->unread) chk_stored_read(c);
  chk_atomic_starts(c, a->address);
  if (a->value == a->old) return; /* its access is checked as a load */
  chk_flag_load(c, a->core, &r);
  chk_atomic_readers(c, a);
}

static void fence(struct tx_tile *t, unsigned core) {
  core_acts(of(t), core);
  chk_lines_fenced(of(t), core);
}

/* A what-if's wait behind its loop has no instruction that polls. */
static void noc_waited(struct tx_tile *t, unsigned core, uint32_t address) {
  struct chk *c = of(t);
  uint32_t value = 0;
  if (noc_niu_read(&t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES], c->ports.noc, t, address % TX_NOC_BYTES, &value))
    read_counter(c, core, address, value, true);
}

static void l1_cached(struct tx_tile *t, unsigned core, uint32_t address) {
  if (!of(t)->writer[address / 4]) chk_load_undefined(of(t), core, address);
}

static void l1_written(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (t->ethernet.on) of(t)->below->l1_written(t, address, length);
  chk_l1_written(t, address, length);
}

void chk_ports_make(struct chk *c) {
  c->ports = *c->below;
  c->ports.load = load;
  c->ports.store = store;
  c->ports.l1_access = l1_access;
  c->ports.l1_atomic = l1_atomic;
  c->ports.l1_written = l1_written;
  c->ports.fence = fence;
  c->ports.host_wrote = chk_host_wrote;
  if (chk_on(c, CHK_D)) c->ports.shadow = c->shadow, c->ports.instruction = chk_instruction, c->ports.l1_cached = l1_cached;
  c->ports.noc_waited = noc_waited;
  c->ports.noc_sent = chk_tiles_sent;
  c->ports.noc_arrives = chk_tiles_arrives;
  c->ports.noc_looped = chk_tiles_looped;
  if (chk_on(c, CHK_B)) c->ports.replay = chk_replay;
}
