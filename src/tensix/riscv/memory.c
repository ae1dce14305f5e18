/* Loads, atomics and fences of a baby core. ISA: MemoryOrdering.md, BabyRISCV/README.md "Load/Store Unit".
 *
 * A load reads the tile in the cycle in which it enters EX1, and the core has the value after the region's latency. A load
 * that cannot complete yet (TTSync, an empty mailbox) becomes `waiting`: the core continues until an instruction needs its
 * register, writes it, or the retire-order queue is full. There is one such load at a time; while it waits, other loads to
 * regions other than L1 wait after it (inferred: hardware orders them within a region only).
 *
 * A load passes earlier stores in the store queue unless their bytes overlap. Stores to L1 in flight precede it: it waits until they have
 * arrived, which costs nothing because its own request would arrive later.
 *
 * The L0 data cache (timing on and cfg0 bit 3 clear) holds four lines and is not coherent. Hardware flushes it with a probability of
 * 0.8 % per hit; here every 125th hit does (inferred). */
#include "tensix/riscv/memory.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/frontend/autosync_access.h"
#include "tensix/lap_notes.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/riscv/fetch.h"
#include "tensix/riscv/polls.h"
#include "tensix/riscv/queue.h"
#include "tensix/riscv/spin.h"

#define L0_LATENCY 2u
#define LOCAL_LATENCY 2u

/* --- the instruction's side --- */

bool tx_core_aligned(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, unsigned bytes, sim_time enter) {
  if (!(address & (bytes - 1))) return true;
  if (!tx_core_reach(run, enter)) { /* a fault belongs to the cycle of its instruction */
    run->wake = enter;
    return false;
  }
  tx_fault(run->t, SIM_FAULT_ADDRESS, "BabyRISCV/README.md", "%s: %s at pc 0x%x: %u bytes at 0x%08x, which is not aligned",
           tx_core_name_in(run->t, run->core), tx_rv_name(d->op), run->c->pc, bytes, address);
  return false;
}

/* --- values arrive --- */

static enum tx_step finish(struct tx_core *c, const struct tx_insn *d, uint32_t raw, sim_time ready) {
  tx_assert(d->rd < TX_CORE_REGISTERS);
  c->r[d->rd] = tx_load_value(d->op, raw);
  c->ready[d->rd] = ready;
  if (ready > c->loads_ready) c->loads_ready = ready;
  tx_core_retire(c, ready);
  return TX_STEP_DONE;
}

/* --- the load/store unit: four loads in flight, one request at the port --- */

sim_time tx_core_lsu_enter(const struct tx_core *c, sim_time enter) {
  return tx_later_of(enter, tx_later_of(c->lsu_free, c->lsu_slot[c->lsu_next]));
}

static void take_slot(struct tx_core *c, sim_time granted, sim_time until) {
  c->lsu_free = granted + 1;
  c->lsu_slot[c->lsu_next] = until;
  c->lsu_next = (c->lsu_next + 1) % TX_CORE_LOADS;
}

/* --- */

/* The value of the waiting load has arrived: it and the instructions after it can retire. */
static void finish_waiting(struct tx_core *c, uint32_t raw, sim_time ready) {
  tx_assert(c->waiting.kind && c->waiting.slot < TX_CORE_RETIRE);
  struct tx_core_waiting *w = &c->waiting;
  c->r[w->rd] = tx_load_value(w->op, raw);
  c->ready[w->rd] = w->rd == TX_CORE_NOWHERE ? 0 : ready;
  if (ready > c->loads_ready) c->loads_ready = ready;
  for (uint32_t i = 0; i <= w->behind && i < TX_CORE_RETIRE; i++) {
    uint32_t slot = (w->slot + i) % TX_CORE_RETIRE;
    if (i) ready = tx_later_of(ready + 1, w->enter + w->complete[slot]);
    c->retire[slot] = ready;
  }
  memset(w, 0, sizeof *w);
}

static void start_waiting(struct tx_core *c, const struct tx_insn *d, enum tx_core_waiting_kind kind, uint32_t address,
                          sim_time enter) {
  tx_assert(!c->waiting.kind); /* one load waits at a time */
  c->waiting = (struct tx_core_waiting){.kind = kind,
                                        .address = address,
                                        .op = d->op,
                                        .rd = d->rd,
                                        .slot = (uint8_t)c->retire_next,
                                        .behind = (uint8_t)-1, /* incremented directly after this instruction */
                                        .pc = c->pc,
                                        .enter = enter};
  tx_core_retire(c, SIM_NEVER);
}

/* --- the bus --- */

static void keep_waiting(struct tx_core *c, const struct tx_bus_answer *answer) {
  tx_assert(answer->channels || answer->retry_at); /* something wakes it */
  c->waiting.channels = answer->channels;
  c->waiting.retry_at = answer->retry_at;
  c->waiting.wait = answer->wait;
}

/* A load of a register that is complete with this answer, or has to wait. */
__attribute__((cold)) static void note_load(struct tx_core_run *run, uint32_t pc, unsigned op, uint32_t address,
                                            const struct tx_bus_answer *answer) {
  const unsigned bytes = tx_access_bytes(op);
  tx_lap_note_load(run->t, run->core, pc, address, bytes, answer);
  if (answer->result == TX_BUS_DONE)
    tx_lap_note_value(run->t, run->core, pc, address, bytes, tx_load_value(op, answer->value));
}

void tx_core_retry_load(struct tx_core_run *run) {
  struct tx_core_waiting *w = &run->c->waiting;
  run->t->current = (struct tx_current){.agent = run->agent, .word = w->address, .pc = w->pc, .unit = TX_UNIT_FRONTEND};
  uint32_t hidden = tx_queue_hide(run);
  struct tx_bus_answer answer = run->t->unsaved.ports->load(run->t, run->agent, w->address, tx_access_bytes(w->op));
  tx_queue_show(run, hidden);
  if (tx_lap_noting(run->t)) note_load(run, w->pc, w->op, w->address, &answer);
  if (answer.result == TX_BUS_WAIT) keep_waiting(run->c, &answer);
  if (answer.result == TX_BUS_DONE) finish_waiting(run->c, answer.value, run->now + answer.cycles);
}

static bool is_sync_or_mailbox(uint32_t address) {
  return address >> 16 == TX_ADDR_PC_BUF >> 16 || address >> 14 == TX_ADDR_MAILBOX >> 14;
}

/* ISA: ManualTTSync.md: the hardware bug. */
static void check_overlap(struct tx_core_run *run, uint32_t address) {
  uint32_t waiting = run->c->waiting.address;
  if (is_sync_or_mailbox(address) && (waiting == TX_ADDR_TTSYNC || waiting == TX_ADDR_MOPSYNC))
    tx_diag(run->t, TX_DIAG_TTSYNC_OVERLAP, "load of 0x%08x while that of 0x%08x waits", address, waiting);
}

/* ISA: AutoTTSync.md, the hardware bug: a load is not held by an instruction that has not left the store queue. */
static void check_overtaken(struct tx_core_run *run, uint32_t address) {
  uint32_t resources = tx_autosync_resources(run->t, run->agent, address);
  if (resources && (resources & tx_queue_writes(run)))
    tx_diag(run->t, TX_DIAG_AUTOSYNC_OVERTAKEN, "load of 0x%08x: a fence before it would suffice", address);
}

static enum tx_step behind_waiting(struct tx_core_run *run) { return tx_step_held(run, SIM_NEVER, &run->c->waiting.wait); }

static enum tx_step load_bus(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter) {
  struct tx_core *c = run->c;
  run->t->unsaved.cores.acts++;
  if (c->waiting.kind) {
    check_overlap(run, address);
    return behind_waiting(run);
  }
  if (c->queue_count && run->core < TX_THREADS) check_overtaken(run, address);
  if (tx_lap_noting(run->t) && !tx_lap_may_load(run->t, run->core, address)) return tx_step_at(run, enter + 1);
  struct tx_bus_answer answer = run->t->unsaved.ports->load(run->t, run->agent, address, tx_access_bytes(d->op));
  if (answer.result == TX_BUS_FAULT) return TX_STEP_LATER;
  if (answer.result == TX_BUS_DONE) {
    if (tx_lap_noting(run->t)) tx_lap_note_load(run->t, run->core, c->pc, address, tx_access_bytes(d->op), &answer);
    if (answer.moves) c->spin.seen = 0;
    else if (tx_spin_load(run, c->pc, address, answer.value, enter)) return TX_STEP_PARKED;
    if (tx_lap_noting(run->t))
      tx_lap_note_value(run->t, run->core, c->pc, address, tx_access_bytes(d->op), tx_load_value(d->op, answer.value));
    sim_time ready = tx_later_of(enter + answer.cycles, run->now + 1);
    take_slot(c, enter, ready - 1);
    if (!answer.moves) tx_poll_value(c, answer.value);
    return finish(c, d, answer.value, ready);
  }
  c->spin.seen = 0;
  start_waiting(c, d, TX_WAITING_LOAD, address, enter);
  keep_waiting(c, &answer);
  if (!c->refused) run->t->engine.agents[run->agent].woken_at = 0; /* earlier signals do not end this wait */
  return TX_STEP_DONE;
}

/* --- L1 --- */

static void flush_l0(struct tx_core *c) { memset(c->l0_tag, 0, sizeof c->l0_tag); }

/* true: *raw holds the bytes. */
static bool look_in_l0(struct tx_core *c, uint32_t address, unsigned bytes, uint32_t *raw) {
  for (unsigned i = 0; i < TX_L0_LINES; i++) {
    if (c->l0_tag[i] != (address & ~15u) + 1) continue;
    memcpy(raw, (const unsigned char *)&c->l0_words[4 * i] + (address & 15u), bytes);
    c->l0_hits++;
    if (c->l0_hits % TX_L0_HITS_PER_FLUSH == 0 && !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_L0_FLUSH)) flush_l0(c);
    return true;
  }
  return false;
}

static void fill_l0(struct tx_core_run *run, uint32_t address) {
  struct tx_core *c = run->c;
  uint32_t i = c->l0_next;
  c->l0_tag[i] = (address & ~15u) + 1;
  memcpy(&c->l0_words[4 * i], &run->t->l1[address & ~15u], 16);
  c->l0_next = (i + 1) % TX_L0_LINES;
}

/* Will this core, which acts later in this cycle, request a word of L1 now? */
static bool requests_now(const struct tx_tile *t, unsigned core, sim_time now) {
  const struct tx_core *c = sim_keep(&t->core[core]);
  if (t->engine.agents[TX_AGENT_TRISC0 + core].at != now || c->state != TX_CORE_RUNNING || c->spin.parked || c->waiting.kind)
    return false;
  sim_time fetched = (c->pc & ~15u) + 1 == c->fetch.line ? c->fetch.ready : 0;
  int slot = tx_fetch_slot(c, c->pc); /* a core that runs ahead may already be in another line: test the cache */
  if (slot < 0) return false;
  const struct tx_insn *known = tx_fetch_decoded(t, core, (uint32_t)slot);
  const uint32_t place = c->pc >> 2 & 3u;
  const struct tx_insn d = known ? known[place] : tx_rv_decode(c->fetch.words[(uint32_t)slot * TX_IC_WORDS + place]);
  if (d.class != TX_RV_CLASS_LOAD || !tx_in_l1(t, c->r[d.rs1] + d.imm)) return false;
  sim_time enter = tx_later_of(tx_later_of(c->clock, fetched), tx_later_of(c->ready[d.rs1], c->retire[c->retire_next]));
  return tx_core_lsu_enter(c, enter) == now;
}

/* Round robin: a core that makes its first request in this cycle and was granted the port longer ago takes precedence.
 * Cores with lower numbers have already acted in this cycle. */
static bool others_first(const struct tx_core_run *run, sim_time now) {
  const struct tx_tile *t = run->t;
  for (unsigned other = run->core + 1; other < TX_CORES; other++) {
    if (t->engine.agents[TX_AGENT_TRISC0 + other].at != now || tx_l1_port_of(other) != tx_l1_port_of(run->core)) continue;
    if (t->l1_ports.client[other].granted < t->l1_ports.client[run->core].granted && requests_now(t, other, now))
      return true;
  }
  return false;
}

/* false: not in this cycle; `step` holds the time of the next request. */
static bool reach_l1(struct tx_core_run *run, const struct tx_l1_request *request, sim_time *at, enum tx_step *step) {
  if (request->since == run->now && others_first(run, run->now)) {
    *at = run->now + 1;
    tx_l1_yield(run->t, run->core, *at);
  } else if (tx_l1_grant(run->t, request, at)) {
    run->c->lsu_again = 0;
    return true;
  }
  run->c->lsu_again = 1;
  *step = tx_step_held(run, *at, NULL);
  return false;
}

__attribute__((noinline)) static void pause_at_anchor(struct tx_core_run *run) {
  const struct tx_core_cache *cores = &run->t->unsaved.cores;
  if (cores->anchor_core == run->core && cores->anchor_pc == run->c->pc + 1) sim_pause(&run->t->engine);
}

static enum tx_step load_l1(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  unsigned bytes = tx_access_bytes(d->op);
  bool cached = t->timing && !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_L0);
  uint32_t raw = 0, there = t->params.l1_request_cycles;
  if (c->waiting.kind == TX_WAITING_ATOMIC) return behind_waiting(run);
  if (c->l1_under_way) return tx_step_at(run, c->l1_arrival);
  if (cached && look_in_l0(c, address, bytes, &raw)) {
    tx_spin_hit(c, address);
    tx_poll_value(c, raw);
    if (tx_lap_noting(t)) tx_lap_note_value(t, run->core, c->pc, address, bytes, tx_load_value(d->op, raw));
    if (t->unsaved.ports->l1_cached) t->unsaved.ports->l1_cached(t, run->core, address);
    return finish(c, d, raw, enter + L0_LATENCY);
  }
  memcpy(&raw, &t->l1[address], bytes);
  if (!c->lsu_again && tx_spin_load(run, c->pc, address, raw, enter)) return TX_STEP_PARKED;
  sim_time at = enter;
  enum tx_step step;
  if (t->timing) {
    struct tx_l1_request request = {.core = run->core, .address = address, .since = enter, .hold = 1, .load = true};
    if (!reach_l1(run, &request, &at, &step)) return step;
    take_slot(c, at, at + t->params.l1_load_slot_cycles);
    if (t->unsaved.cores.anchor_on == TX_ANCHOR_LOAD) pause_at_anchor(run);
  }
  tx_inflight_touch(t, address, bytes, false);
  if (cached) fill_l0(run, address);
  tx_poll_value(c, raw);
  if (tx_lap_noting(t)) tx_lap_note_value(t, run->core, c->pc, address, bytes, tx_load_value(d->op, raw));
  return finish(c, d, raw, t->timing ? tx_later_of(at + 2 * there, run->now + 1) : at + 2 * there);
}

/* Local RAM is cleared after reset. */
enum tx_step tx_core_wait_local(struct tx_core_run *run) {
  run->c->clock = run->c->local_ready;
  return tx_step_at(run, run->c->local_ready);
}

/* Waits until the store queue has drained; the core detects this when the instruction is in EX1, not before. */
static enum tx_step wait_for_queue(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  if (enter > run->now) return tx_step_ahead(run, enter);
  if (!c->queue_count) return tx_step_held(run, c->push_left, NULL);
  c->flush = 1;
  if (c->refused) return tx_step_held(run, SIM_NEVER, &c->refused_wait);
  return tx_step_held(run, tx_later_of(enter, tx_queue_due(c)), NULL);
}

/* The last execution of this load had another value, or is forgotten. A core aside may be behind the agent that wrote it: in a turn it knows the value no earlier than that. */
static bool is_news(const struct tx_tile *t, const struct tx_core *c, uint32_t address, unsigned bytes) {
  uint32_t raw = 0, i = 0;
  memcpy(&raw, &t->l1[address], bytes);
  while (i < TX_CORE_POLLS && (c->polls.pc[i] != c->pc || c->polls.address[i] != address)) i++;
  return i == TX_CORE_POLLS || c->polls.value[i] != raw;
}

/* Timing off: agents that are behind act before a register is read. Else a core that waits for the clock would be a turn ahead whenever the others have done a
 * little, and one that reads what its thread is about to write would read the old value. BRISC and NCRISC wait for the clock aside. */
static bool may_load_register(struct tx_core_run *run, uint32_t address, sim_time enter) {
  struct sim_engine *engine = &run->t->engine;
  if (!engine->in_turns || !run->limit) return true;
  if (tx_is_wall_clock(address)) {
    if (tx_core_is_aside(run)) return true;
    if (tx_core_steps_aside(run)) return false;
  } else if (tx_core_steps_back(run)) {
    return false;
  }
  return !sim_turn_gives_way(engine, enter);
}

enum tx_step tx_core_load(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter) {
  struct tx_core *c = run->c;
  unsigned bytes = tx_access_bytes(d->op);
  uint32_t local = address - TX_LOCAL_BASE;
  if (!tx_core_aligned(run, d, address, bytes, enter)) return TX_STEP_LATER;
  if (local < tx_core_local_bytes(run->core)) {
    uint32_t raw = 0;
    if (enter < c->local_ready) return tx_core_wait_local(run);
    memcpy(&raw, &c->local[local], bytes);
    return finish(c, d, raw, enter + LOCAL_LATENCY);
  }
  bool ordered = c->csr[TX_CSR_CFG0] & TX_CFG0_NO_LOAD_BYPASS;
  if (tx_queue_occupied(c, enter) && (ordered || tx_queue_overlaps(c, address, bytes, enter)))
    return wait_for_queue(run, enter);
  if (!tx_core_reach_load(run, enter)) return tx_step_at(run, enter);
  if (!tx_in_l1(run->t, address)) {
    if (!may_load_register(run, address, enter)) return tx_step_at(run, tx_later_of(enter, c->clock));
  } else if (tx_core_is_aside(run) && is_news(run->t, c, address, bytes)) {
    tx_core_step_back(run);
    return tx_step_at(run, enter);
  }
  tx_poll_note(c, c->pc, address, tx_later_of(enter, run->now)); /* as a log has it, also of a core that is behind */
  run->t->unsaved.memo.last_tile_access[run->core] = enter;
  return tx_in_l1(run->t, address) ? load_l1(run, d, address, enter) : load_bus(run, d, address, enter);
}

/* --- fences and atomics: wait until the store queue is empty and all loads have their values --- */

static enum tx_step drained(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  if (c->waiting.kind) return enter > run->now ? tx_step_ahead(run, enter) : behind_waiting(run);
  if (tx_queue_occupied(c, enter)) return wait_for_queue(run, enter);
  sim_time at = run->t->timing ? tx_later_of(enter, c->loads_ready) : enter;
  return at > run->now ? tx_step_ahead(run, at) : TX_STEP_DONE;
}

enum tx_step tx_core_fence(struct tx_core_run *run, sim_time enter) {
  enum tx_step step = drained(run, enter);
  if (step != TX_STEP_DONE) return step;
  flush_l0(run->c);
  return step;
}

uint32_t tx_atomic_result(unsigned op, uint32_t old, uint32_t value) {
  switch (op) {
    case TX_RV_AMOSWAP: return value;
    case TX_RV_AMOADD: return old + value;
    case TX_RV_AMOXOR: return old ^ value;
    case TX_RV_AMOAND: return old & value;
    case TX_RV_AMOOR: return old | value;
    case TX_RV_AMOMIN: return (int32_t)old < (int32_t)value ? old : value;
    case TX_RV_AMOMAX: return (int32_t)old < (int32_t)value ? value : old;
    case TX_RV_AMOMINU: return old < value ? old : value;
    default: return old < value ? value : old;
  }
}

void tx_effect_CORE_ATOMIC(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_core *c = &t->core[e->agent - TX_AGENT_TRISC0];
  uint32_t address = e->w[0], old = tx_l1_read(t, address, 4), value = tx_atomic_result(e->w[1], old, e->w[2]);
  const struct tx_ports *ports = t->unsaved.ports;
  struct tx_atomic a = {address, e->w[2], old, value, (unsigned)e->agent - TX_AGENT_TRISC0, e->w[1]};
  t->current = (struct tx_current){.agent = e->agent, .pc = e->pc, .word = e->word, .unit = TX_UNIT_FRONTEND};
  if (ports->l1_atomic) ports->l1_atomic(t, &a, false);
  tx_inflight_touch(t, address, 4, value != old);
  if (ports->l1_atomic) ports->l1_atomic(t, &a, true);
  if (value != old) tx_l1_write(t, address, &value, 4);
  if (t->unsaved.atomics) t->unsaved.atomics->note(t->unsaved.atomics, &a, e->pc);
  sim_signal(&t->engine, TX_CH(TX_CH_CORE), t->engine.now);
  if (c->waiting.kind != TX_WAITING_ATOMIC) return; /* the core was reset meanwhile */
  if (value == old) tx_poll_value(c, old);          /* it reads like a load */
  else tx_poll_forget(c);
  finish_waiting(c, old, t->timing ? c->waiting.enter + t->params.l1_atomic_cycles : t->engine.now);
}

enum tx_step tx_core_atomic(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  uint32_t address = c->r[d->rs1], value = c->r[d->rs2];
  if (!tx_core_aligned(run, d, address, 4, enter)) return TX_STEP_LATER;
  if (!tx_in_l1(run->t, address)) {
    if (!tx_core_reach(run, enter)) return tx_step_at(run, enter);
    tx_fault(t, SIM_FAULT_ADDRESS, "InstructionSet.md", "%s: %s of 0x%08x: atomics reach L1 only",
             tx_core_name_in(run->t, run->core), tx_rv_name(d->op), address);
    return TX_STEP_LATER;
  }
  enum tx_step step = drained(run, enter);
  if (step != TX_STEP_DONE) return step;
  if (tx_core_steps_back(run)) return tx_step_at(run, enter);
  if (tx_lap_noting(t) && !tx_lap_may_act(t, run->core)) return tx_step_at(run, enter + 1);
  sim_time granted = run->now;
  struct tx_l1_request request = {
      .core = run->core, .address = address, .since = run->now, .hold = t->params.l1_narrow_write_cycles};
  if (t->timing && !reach_l1(run, &request, &granted, &step)) return step;
  flush_l0(c);
  c->spin.seen = 0;
  tx_poll_note(c, c->pc, address, granted);
  t->unsaved.memo.last_tile_access[run->core] = granted;
  struct sim_effect e = {.at = granted + (t->timing ? t->params.l1_request_cycles : 1),
                         .kind = TX_EFFECT_CORE_ATOMIC,
                         .agent = (uint16_t)run->agent,
                         .pc = c->pc,
                         .word = d->word,
                         .w = {address, d->op, value}};
  if (!sim_effect_at(&t->engine, e))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
  start_waiting(c, d, TX_WAITING_ATOMIC, address, granted);
  c->lsu_free = granted + 1;
  c->waiting.channels = TX_CH(TX_CH_CORE);
  c->waiting.wait = (struct sim_wait){.kind = TX_BLOCKED_LOAD, .object = address};
  return TX_STEP_DONE;
}
