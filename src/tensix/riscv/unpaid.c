/* The instructions of unpaid.h. */
#include "tensix/riscv/unpaid.h"

#include <string.h>

#include "noc/niu.h"
#include "tensix/frontend/free.h"
#include "tensix/frontend/frontend.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/paged.h"
#include "tensix/riscv/csr.h"
#include "tensix/riscv/queue.h"

enum { TX_REG_RA = 1, TX_REG_SP = 2 };
#define MOVES_MAX 16u       /* moves of the front end's stages until a word reaches the gate */
#define FREE_MAX (1u << 24) /* instructions of one core in one cycle: more indicate a loop that waits */
#define PAID_CYCLES 256u    /* for which such a loop without a load then takes its time: it would never end otherwise */
#define PAID_TWICE_MAX 8u   /* this time doubles so often: few of these cycles are simulated */
#define AHEAD_FIRST 16u     /* cycles by which the clock of a core without time runs ahead; they double with each read */
#define AHEAD_MAX (UINT64_C(1) << 40)

/* Words that take no time free room for words that the core pushes. */
static void make_room(struct tx_core_run *run) {
  const struct tx_fifo *fifo = &run->t->frontend[run->core].fifo3;
  for (unsigned i = 0; i < MOVES_MAX && !fifo->count && tx_frontend_hurry(run->t, run->core); i++) continue;
  tx_gate_pass_free(run->t, run->core);
  /* The thread may now have another word at the gate than the one it waits with. */
  sim_signal(&run->t->engine, TX_CH(TX_CH_FIFO + run->core), run->now + 1);
}

/* A call of a function, with the link register, or without one as the last instruction of its own function. */
static void enter_call(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  bool links = tx_l1_read(run->t, pc, 4) >> 7 & 31u;
  w->call[run->core].from = pc;
  w->call[run->core].until = links ? pc + 4 : run->c->r[TX_REG_RA];
  w->call[run->core].stack = run->c->r[TX_REG_SP];
}

static bool is_looped(const struct tx_what_if *w, unsigned core, uint32_t pc) {
  return pc < TX_L1_BYTES && w->looped[core][pc / 128u] >> (pc / 4u % 32u) & 1u;
}

/* Is this the execution that was tried last? An instruction that has to wait is tried again. */
static bool is_same_turn(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  bool same = w->turn[run->core].pc == pc && w->turn[run->core].retired == run->c->retired;
  w->turn[run->core].pc = pc;
  w->turn[run->core].retired = run->c->retired;
  return same;
}

/* Is the core in a turn of the loop after the first, or in a function that is called there? */
static bool is_in_later_turn(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  const unsigned core = run->core;
  const bool begins = pc == w->loop[core].first && !is_same_turn(run, pc);
  if (begins) {
    w->loop[core].again = w->loop[core].inside;
    w->loop[core].inside = 1;
  } else if (pc >= w->loop[core].function && pc < w->loop[core].function_end && !is_looped(w, core, pc)) {
    w->loop[core].inside = w->loop[core].again = 0;
  }
  return w->loop[core].again;
}

/* Is the instruction one of those without time, or executed by a call of one? */
static bool is_covered(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  if (w->loop[run->core].first) return is_in_later_turn(run, pc);
  if (tx_what_if_in_call(w, run->core)) {
    if (pc != w->call[run->core].until || run->c->r[TX_REG_SP] != w->call[run->core].stack) return true;
    w->call[run->core].until = 0;
  }
  if (!tx_what_if_code(w, run->core, pc)) return false;
  if (w->calls[run->core][pc / 128u] >> (pc / 4u % 32u) & 1u) enter_call(run, pc);
  return true;
}

static bool when_complete(const struct tx_core_run *run, const struct noc_niu *niu, uint32_t offset, uint32_t *value);

static struct noc_niu *niu_of(struct tx_tile *t, uint32_t address) {
  return &t->niu[(address - TX_ADDR_NOC) / TX_NOC_BYTES];
}

/* Have all requests arrived that the barrier in the loop would have waited for? */
static bool are_complete(struct tx_core_run *run) {
  const struct tx_what_if *w = run->t->unsaved.what_if;
  for (uint32_t i = 0; i < w->loop[run->core].polled_count; i++) {
    const uint32_t address = w->loop[run->core].polled[i], offset = address % TX_NOC_BYTES;
    const struct noc_niu *niu = niu_of(run->t, address);
    uint32_t value;
    if (when_complete(run, niu, offset, &value) && value != niu->counter[(offset - NOC_REG_COUNTERS) / 4]) return false;
  }
  return true;
}

static void has_waited(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  const struct tx_ports *ports = run->t->unsaved.ports;
  w->loop[run->core].owes = 0;
  for (uint32_t i = 0; ports->noc_waited && i < w->loop[run->core].polled_count; i++)
    ports->noc_waited(run->t, run->core, w->loop[run->core].polled[i]);
}

/* The core has left a loop whose barrier took no time: here it waits. Functions that the loop calls are outside too. */
static void wait_behind_loop(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  if (pc < w->loop[run->core].function || pc >= w->loop[run->core].function_end) return;
  if (is_looped(w, run->core, pc)) return;
  if (are_complete(run)) has_waited(run);
  else if (run->c->clock <= run->now) run->c->clock = run->now + 1;
}

static void note_poll(struct tx_core_run *run, uint32_t address) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  uint32_t *count = &w->loop[run->core].polled_count, i = 0;
  if (!w->loop[run->core].function_end) return;
  w->loop[run->core].owes = 1;
  while (i < *count && w->loop[run->core].polled[i] != address) i++;
  if (i == *count && i < TX_WHAT_IF_POLLED) w->loop[run->core].polled[(*count)++] = address;
}

/* NIU: the first register of an initiator is the address that a write reads from. */
static bool is_source(uint32_t address) {
  const uint32_t offset = (address - TX_ADDR_NOC) % TX_NOC_BYTES;
  return address >= TX_ADDR_NOC && address < TX_ADDR_NOC + TX_NOC_WINDOWS_BYTES &&
         offset < NOC_INITIATORS * NOC_INITIATOR_STRIDE && offset % NOC_INITIATOR_STRIDE == 0;
}

/* Does the instruction load from a page that is not there yet (mem/paged.h), or give its address to the NIU? */
static bool awaits_page(const struct tx_core_run *run, uint32_t pc) {
  const struct tx_what_if *w = run->t->unsaved.what_if;
  const struct tx_core *c = run->c;
  if (!(w->paged.cores >> run->core & 1u) || pc > TX_L1_BYTES - 4) return false;
  const struct tx_insn d = tx_rv_decode(tx_l1_read(run->t, pc, 4));
  const uint32_t address = c->r[d.rs1] + d.imm;
  if (d.class == TX_RV_CLASS_LOAD) return tx_in_l1(run->t, address) && !tx_paged_there(run->t, address);
  return d.class == TX_RV_CLASS_STORE && is_source(address) && !tx_paged_there(run->t, c->r[d.rs2]);
}

/* Does this execution take its time, one of several that do not? */
static bool pays(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  if (!is_same_turn(run, pc)) {
    uint8_t *executed = &w->executed[run->core][pc / 4u];
    w->turn[run->core].pays = *executed == 0;
    *executed = (uint8_t)((*executed + 1u) % w->paid_of);
  }
  return w->turn[run->core].pays;
}

/* What the core does from here on is not known from its state at an earlier load. */
static void forget_state(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  w->guard[run->core].marked = w->guard[run->core].steps = w->guard[run->core].most = 0;
}

/* Too many instructions without time in one cycle: the load among them takes its time from now on, or all of them for a while. */
static bool is_endless(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  const unsigned core = run->core;
  const sim_time clock = run->c->clock;
  if (w->guard[core].clock != clock) {
    w->guard[core].clock = clock;
    w->guard[core].count = w->guard[core].load_pc = 0;
  }
  if (++w->guard[core].count <= FREE_MAX) return false;
  const uint32_t load = w->guard[core].load_pc;
  w->guard[core].count = 0;
  if (load && load < TX_L1_BYTES) {
    w->waits[core][load / 128u] |= 1u << (load / 4u % 32u);
    return false;
  }
  w->guard[core].paid_until = clock + (PAID_CYCLES << w->guard[core].trips);
  if (w->guard[core].trips < PAID_TWICE_MAX) w->guard[core].trips++;
  return true;
}

static bool takes_no_time(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  if (!is_covered(run, pc)) return false;
  if (w->paid_of && pc < TX_L1_BYTES && pays(run, pc)) return false;
  return w->guard[run->core].paid_until <= run->c->clock && !is_endless(run);
}

bool tx_core_comes_free(struct tx_core_run *run, uint32_t pc) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  if (w->loop[run->core].owes) wait_behind_loop(run, pc);
  if (w->paged.buffers && run->c->clock <= run->now && awaits_page(run, pc)) run->c->clock = run->now + 1;
  if (!takes_no_time(run, pc)) {
    forget_state(run);
    w->time[run->core].ahead = w->time[run->core].last = 0;
    return false;
  }
  if (run->core < TX_THREADS && tx_frontend_room(run->t, run->core) == 0) make_room(run);
  return true;
}

sim_time tx_core_unpaid_enter(struct tx_core *c, const struct tx_insn *d, const struct tx_core_bill *bill) {
  c->fetch.arrival = bill->arrival;
  c->fetch.ready = 0;
  return tx_later_of(tx_later_of(c->clock, c->ready[d->rs1]), tx_later_of(c->ready[d->rs2], c->ready[d->rs3]));
}

/* Will the loop that the core is in end only when another agent changes something? Its registers, its pc and the words of memory decide
 * what it does next, and time stands still: it is, if it comes to a load with the same of all these. A loop with a counter does not: it is
 * executed to its end, as is a poll with a bound. */
static bool polls(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  const struct tx_core *c = run->c;
  const unsigned core = run->core;
  const uint32_t pc = c->pc;
  if (w->guard[core].judged && w->guard[core].retired == c->retired) return w->guard[core].polls;
  w->guard[core].judged = 1;
  w->guard[core].retired = c->retired;
  w->guard[core].load_pc = pc;
  const bool waits = pc < TX_L1_BYTES && w->waits[core][pc / 128u] >> (pc / 4u % 32u) & 1u;
  const bool again =
      w->guard[core].marked && w->guard[core].pc == pc && memcmp(w->guard[core].r, c->r, sizeof w->guard[core].r) == 0;
  w->guard[core].polls = waits || again;
  if (w->guard[core].polls || w->guard[core].steps++ < w->guard[core].most) return w->guard[core].polls;
  w->guard[core].marked = 1;
  w->guard[core].pc = pc;
  w->guard[core].most = w->guard[core].most * 2 + 1;
  w->guard[core].steps = 0;
  memcpy(w->guard[core].r, c->r, sizeof w->guard[core].r);
  return false;
}

static uint32_t bytes_in_line(uint32_t address, unsigned bytes) { return ((1u << bytes) - 1u) << (address & 15u); }

/* Has the core stored to these bytes, and the store has not arrived? It precedes this access; all others may be later than it, which
 * no one can tell from a core that was faster. */
static bool is_behind_store(const struct tx_core_run *run, uint32_t address, unsigned bytes) {
  const struct sim_engine *engine = &run->t->engine;
  if (tx_queue_overlaps(run->c, address, bytes, run->now)) return true;
  for (uint32_t i = 0; run->c->l1_under_way && i < engine->effect_count; i++) {
    const struct sim_effect *e = &engine->effects[i];
    if (e->kind == TX_EFFECT_CORE_LINE && e->agent == run->agent && e->w[0] == (address & ~15u) &&
        e->w[5] & bytes_in_line(address, bytes))
      return true;
  }
  return false;
}

static bool load_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, unsigned bytes) {
  struct tx_core *c = run->c;
  if (polls(run) || is_behind_store(run, address, bytes)) return false;
  uint32_t raw = 0;
  memcpy(&raw, &run->t->l1[address], bytes);
  c->r[d->rd] = tx_load_value(d->op, raw);
  c->ready[d->rd] = 0;
  return true;
}

static void acts(struct tx_core_run *run) {
  run->t->current = (struct tx_current){.agent = run->agent, .pc = run->c->pc, .unit = TX_UNIT_FRONTEND};
}

static bool store_at_once(struct tx_core_run *run, uint32_t address, uint32_t value, unsigned bytes) {
  struct tx_core *c = run->c;
  const bool waits = is_behind_store(run, address, bytes);
  if (waits || memcmp(&run->t->l1[address], &value, bytes) != 0) forget_state(run);
  if (waits) return false;
  acts(run);
  tx_l1_write(run->t, address, &value, bytes);
  for (unsigned i = 0; i < TX_L0_LINES; i++)
    if (c->l0_tag[i] == (address & ~15u) + 1) c->l0_tag[i] = 0;
  return true;
}

/* --- the clock: it runs ahead, so that a delay by it ends within a few reads --- */

/* It begins with the machine's time where the core begins to take no time. */
static uint64_t next_time(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  uint64_t *ahead = &w->time[run->core].ahead;
  w->time[run->core].last = tx_later_of(run->now, run->c->clock) + *ahead;
  if (*ahead < AHEAD_MAX) *ahead = *ahead ? *ahead * 2 : AHEAD_FIRST;
  return w->time[run->core].last;
}

/* The upper half belongs to the lower one that was read last. */
static uint64_t same_time(const struct tx_core_run *run) {
  return tx_later_of(run->t->unsaved.what_if->time[run->core].last, tx_later_of(run->now, run->c->clock));
}

static bool clock_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  uint32_t *out = &run->c->r[d->rd];
  if (d->op != TX_RV_LW) return false;
  switch (address) {
    case TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0: *out = (uint32_t)next_time(run); break;
    case TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_1:
    case TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_1_AT: *out = (uint32_t)(same_time(run) >> 32); break;
    default: return false;
  }
  run->c->ready[d->rd] = 0;
  return true;
}

/* Cycles, and instructions retired. */
static bool counter_at_once(struct tx_core_run *run, const struct tx_insn *d) {
  struct tx_core *c = run->c;
  const uint32_t number = d->imm & 0xfffu;
  uint32_t value;
  if ((d->op != TX_RV_CSRRS && d->op != TX_RV_CSRRC) || d->word >> 15 & 31u) return false; /* it also writes */
  if (!tx_csr_counts(c, number, tx_csr_is_clock(number) ? next_time(run) : same_time(run), &value)) return false;
  c->r[d->rd] = value;
  c->ready[d->rd] = 0;
  return true;
}

/* Is this store of the core the command for a request of this kind? */
static bool is_command(const struct noc_niu *niu, uint32_t address, unsigned kind) {
  uint32_t offset = address - TX_ADDR_NOC - niu->noc * TX_NOC_BYTES, i = offset / NOC_INITIATOR_STRIDE;
  return i < NOC_INITIATORS && offset % NOC_INITIATOR_STRIDE == NOC_REG_CMD_CTRL && noc_niu_asks(niu, i, kind);
}

/* Requests of the kind whose commands the core has stored and the NIU has not received yet. */
static uint32_t commanded(const struct tx_core_run *run, const struct noc_niu *niu, unsigned kind) {
  const struct sim_engine *engine = &run->t->engine;
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->c->queue_count; i++) {
    const struct tx_core_store *s = &run->c->queue[i];
    count += !s->is_l1 && is_command(niu, s->address, kind);
  }
  for (uint32_t i = 0; i < engine->effect_count; i++) {
    const struct sim_effect *e = &engine->effects[i];
    count += e->kind == TX_EFFECT_CORE_REQUEST && e->agent == run->agent && is_command(niu, e->w[1], kind);
  }
  return count;
}

/* Answers of this kind that the tile still waits for. */
static uint32_t awaited(const struct tx_core_run *run, const struct noc_niu *niu, unsigned kind) {
  return commanded(run, niu, kind) + noc_niu_pending(niu, kind) +
         run->t->unsaved.what_if->under_way[niu->noc][noc_answer_kind(kind)];
}

/* A counter as it is when every request of the tile is complete: a barrier without time does not wait. false: not such a counter. */
static bool when_complete(const struct tx_core_run *run, const struct noc_niu *niu, uint32_t offset, uint32_t *value) {
  if (offset < NOC_REG_COUNTERS || offset >= NOC_REG_COUNTERS + 4 * NOC_COUNTERS) return false;
  uint32_t counter = (offset - NOC_REG_COUNTERS) / 4;
  *value = niu->counter[counter];
  switch (counter) {
    case NOC_MST_RD_RESP: *value += awaited(run, niu, NOC_READ); return true;
    case NOC_MST_WR_ACK: *value += awaited(run, niu, NOC_WRITE); return true;
    case NOC_MST_ATOMIC_RESP: *value += awaited(run, niu, NOC_ATOMIC); return true;
    case NOC_MST_NP_WR:
      *value = niu->counter[NOC_MST_NP_WR_STARTED] + noc_niu_queued(niu, NOC_WRITE) + commanded(run, niu, NOC_WRITE);
      return true;
    default: *value = 0; return counter >= NOC_MST_OUTSTANDING && counter < NOC_MST_OUTGOING;
  }
}

/* A register of an NIU, behind no store that is still under way. */
static bool noc_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  struct noc_niu *niu = niu_of(t, address);
  uint32_t value;
  if (address & 3u) return false;
  if (d->op == TX_RV_LW && when_complete(run, niu, address % TX_NOC_BYTES, &value)) {
    if (polls(run)) return false; /* it waits for something else */
    note_poll(run, address);
    c->r[d->rd] = value;
    c->ready[d->rd] = 0;
    return true;
  }
  if (c->queue_count || c->l1_under_way) return false;
  acts(run);
  if (d->op == TX_RV_SW) {
    if (!noc_niu_write(niu, t->unsaved.ports->noc, t, address % TX_NOC_BYTES, c->r[d->rs2]) || t->fault.kind) return false;
    noc_niu_hurry(niu, t->unsaved.ports->noc, t);
    return true;
  }
  if (d->op != TX_RV_LW || polls(run)) return false;
  if (!noc_niu_read(niu, t->unsaved.ports->noc, t, address % TX_NOC_BYTES, &value)) return false;
  c->r[d->rd] = value;
  c->ready[d->rd] = 0;
  return true;
}

/* A counter of a circular buffer, for code that counts pages. */
static bool stream_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  uint32_t value;
  if (!t->unsaved.what_if->hand_overs || address & 3u || address - TX_ADDR_STREAM >= TX_WHAT_IF_BUFFERS * TX_STREAM_BYTES)
    return false;
  if (d->op == TX_RV_SW && !c->queue_count && !c->l1_under_way) {
    acts(run);
    return t->unsaved.ports->register_write(t, address, c->r[d->rs2], 0xfu);
  }
  if (d->op != TX_RV_LW || polls(run) || !t->unsaved.ports->register_read(t, address, &value)) return false;
  c->r[d->rd] = value;
  c->ready[d->rd] = 0;
  return true;
}

/* Has the core tried this instruction before and had to wait? */
static bool is_retried(struct tx_core_run *run) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  bool same = w->tried[run->core].pc == run->c->pc && w->tried[run->core].retired == run->c->retired;
  w->tried[run->core].pc = run->c->pc;
  w->tried[run->core].retired = run->c->retired;
  return same;
}

/* Has the core executed this instruction before? */
static bool comes_again(struct tx_core_run *run) {
  const uint32_t pc = run->c->pc, bit = 1u << (pc / 4u % 32u);
  uint32_t *pushed = &run->t->unsaved.what_if->pushed[run->core][pc / 128u];
  bool before = *pushed & bit;
  *pushed |= bit;
  return before;
}

/* GPRs, Config and the configuration of MOPs. */
static bool is_set_up(uint32_t address) {
  return (address >= TX_ADDR_GPR && address - TX_ADDR_GPR < TX_GPR_BYTES) ||
         (address >= TX_ADDR_CONFIG && address - TX_ADDR_CONFIG < TX_CONFIG_WINDOW_BYTES) ||
         (address >= TX_ADDR_MOP_CFG && address - TX_ADDR_MOP_CFG < TX_MOP_CFG_BYTES);
}

/* A semaphore that the line posts from the core and takes in its thread (UNPACK_SYNC): without the line neither happens, and its SEMGET
 * would wait behind the thread's other words. */
static bool semaphore_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  uint32_t *posted = &run->t->unsaved.what_if->posted[run->core];
  const uint32_t bit = 1u << (address - TX_ADDR_SEMAPHORE) / 4;
  if (d->op == TX_RV_SW && !(run->c->r[d->rs2] & 1u)) {
    *posted |= bit;
    return true;
  }
  if (d->op != TX_RV_LW || !(*posted & bit)) return false;
  run->c->r[d->rd] = 0;
  run->c->ready[d->rd] = 0;
  return true;
}

/* A T core's wait for its thread, or a register that it sets up. Without the line there is no such wait; the line configures its thread
 * once, as if it were before its loop. */
static bool own_register_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  struct tx_core *c = run->c;
  struct tx_tile *t = run->t;
  if (run->core >= TX_THREADS || !t->unsaved.what_if->removes || address & 3u) return false;
  if (address - TX_ADDR_SEMAPHORE < 4 * TX_SEMAPHORES) return semaphore_at_once(run, d, address);
  bool syncs = address == TX_ADDR_TTSYNC || address == TX_ADDR_MOPSYNC;
  if (syncs && d->op == TX_RV_SW) return true;
  if (syncs && d->op == TX_RV_LW) {
    c->r[d->rd] = 0;
    c->ready[d->rd] = 0;
    return true;
  }
  return d->op == TX_RV_SW && is_set_up(address) && c->pc < TX_L1_BYTES && !is_retried(run) && comes_again(run);
}

/* Is the word one that the gate would leave out (free.c)? */
static bool is_removed_word(uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  return op->name && (TX_WHAT_IF_REMOVED >> op->unit & 1u || op->opcode == TX_STALLWAIT || op->opcode == TX_NOP);
}

/* An expansion of only such words. */
static bool expands_to_removed(const struct tx_frontend *fe, uint32_t word) {
  const struct tx_mop *mop = &fe->mop;
  bool is_mop = word >> 24 == TX_MOP;
  for (unsigned i = 2; is_mop && i < TX_MOP_REGISTERS; i++)
    if (mop->cfg[i] >> 24 != TX_REPLAY && !is_removed_word(mop->cfg[i])) return false;
  for (unsigned i = 0; i < TX_REPLAY_SLOTS; i++)
    if (fe->replay.loaded >> i & 1u && tx_ops[fe->replay.slot[i] >> 24].unit == TX_UNIT_SYNC &&
        !is_removed_word(fe->replay.slot[i]))
      return false;
  return true;
}

/* Words that set up units, and those that the gate would leave out: in FIFO 1 they would wait behind the thread's other words. */
static bool is_left_out(const struct tx_frontend *fe, uint32_t word) {
  const uint32_t set_up = 1u << TX_UNIT_CONFIG | 1u << TX_UNIT_MISC | 1u << TX_UNIT_SCALAR, opcode = word >> 24;
  if (opcode == TX_MOP || opcode == TX_REPLAY) return expands_to_removed(fe, word);
  return tx_ops[opcode].name && (set_up >> tx_ops[opcode].unit & 1u || opcode == TX_SEMINIT || is_removed_word(word));
}

/* Set-up words that the line has pushed before are left out, with what a REPLAY among them records. */
static bool is_repeated(struct tx_core_run *run, uint32_t word) {
  struct tx_what_if *w = run->t->unsaved.what_if;
  const uint32_t opcode = word >> 24;
  if (!w->removes || run->core >= TX_THREADS || run->c->pc >= TX_L1_BYTES || is_retried(run)) return false;
  if (w->recorded[run->core]) {
    w->recorded[run->core]--;
    return true;
  }
  bool before = comes_again(run);
  if (w->kept[run->core]) {
    w->kept[run->core]--;
    return false;
  }
  if (opcode == TX_REPLAY && TX_FIELD(word, REPLAY, load_mode)) {
    bool executes = TX_FIELD(word, REPLAY, execute_while_loading), leaves = before && !executes;
    (leaves ? w->recorded : w->kept)[run->core] = TX_FIELD(word, REPLAY, len);
    return leaves;
  }
  if (opcode == TX_SEMGET && !(TX_FIELD(word, SEMGET, sem_sel) & ~w->posted[run->core])) return true;
  return before && is_left_out(&run->t->frontend[run->core], word);
}

/* The stages may have become idle since the first push of this stretch. */
static bool push_at_once(struct tx_core_run *run, uint32_t word) {
  const struct tx_what_if *w = run->t->unsaved.what_if;
  const uint32_t pc = run->c->pc;
  if (is_repeated(run, word)) return true;
  if (tx_what_if_in_call(w, run->core)) run->c->pc = w->call[run->core].from; /* by it the word is known to take no time */
  bool done = tx_queue_push_word(run, word);
  run->c->pc = pc;
  if (!done) return false;
  tx_frontend_wake(run->t, run->core);
  return true;
}

static bool local_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t local, unsigned bytes) {
  struct tx_core *c = run->c;
  uint32_t raw = 0;
  if (c->clock < c->local_ready) return false;
  if (d->class == TX_RV_CLASS_STORE) {
    if (memcmp(&c->local[local], &c->r[d->rs2], bytes) != 0) forget_state(run);
    memcpy(&c->local[local], &c->r[d->rs2], bytes);
    return true;
  }
  memcpy(&raw, &c->local[local], bytes);
  c->r[d->rd] = tx_load_value(d->op, raw);
  c->ready[d->rd] = 0;
  return true;
}

/* Accesses to memory, which are complete at once if no earlier store of the core precedes them. */
static bool memory_at_once(struct tx_core_run *run, const struct tx_insn *d, uint32_t address) {
  struct tx_core *c = run->c;
  const unsigned bytes = tx_access_bytes(d->op);
  if (address & (bytes - 1)) return false;
  if (address - TX_LOCAL_BASE < tx_core_local_bytes(run->core)) return local_at_once(run, d, address - TX_LOCAL_BASE, bytes);
  if (!tx_in_l1(run->t, address)) return false;
  bool done =
      d->class == TX_RV_CLASS_LOAD ? load_at_once(run, d, address, bytes) : store_at_once(run, address, c->r[d->rs2], bytes);
  if (done) c->spin.seen = 0;
  return done;
}

bool tx_core_unpaid_access(struct tx_core_run *run, const struct tx_insn *d) {
  struct tx_core *c = run->c;
  const uint32_t address = c->r[d->rs1] + d->imm;
  const bool load = d->class == TX_RV_CLASS_LOAD, store = d->class == TX_RV_CLASS_STORE;
  if (d->class == TX_RV_CLASS_CSR) return counter_at_once(run, d);
  if (store || d->class == TX_RV_CLASS_AMO || d->class == TX_RV_CLASS_TTINSN) {
    const bool memory = store && (tx_in_l1(run->t, address) || address - TX_LOCAL_BASE < tx_core_local_bytes(run->core));
    if (!memory) forget_state(run);
  }
  if (d->class == TX_RV_CLASS_TTINSN) return push_at_once(run, d->imm);
  if (d->op == TX_RV_SW && address == TX_ADDR_PUSH) return push_at_once(run, c->r[d->rs2]);
  if (!load && !store) return false;
  if (address >= TX_ADDR_NOC && address < TX_ADDR_NOC + TX_NOC_WINDOWS_BYTES) return noc_at_once(run, d, address);
  if (stream_at_once(run, d, address) || own_register_at_once(run, d, address) || clock_at_once(run, d, address))
    return true;
  return memory_at_once(run, d, address);
}

void tx_core_unpay(struct tx_core *c, const struct tx_insn *d, sim_time enter, const struct tx_core_bill *bill) {
  const uint32_t others = 1u << TX_RV_CLASS_AMO | 1u << TX_RV_CLASS_FENCE | 1u << TX_RV_CLASS_CSR | 1u << TX_RV_CLASS_SYSTEM;
  if (others >> d->class & 1u || c->waiting.kind) return;
  bool answered = d->class == TX_RV_CLASS_LOAD && c->loads_ready > enter && c->ready[d->rd] == c->loads_ready;
  if (answered) return; /* from a register beyond L1 */
  if (d->class != TX_RV_CLASS_STORE && d->class != TX_RV_CLASS_TTINSN) c->ready[d->rd] = enter;
  c->clock = enter;
  c->port_free = bill->port_free;
  c->retire_next = bill->retire_next;
  c->retire[bill->retire_next] = bill->retires;
}
