/* The instructions of the baby cores. The loop is compiled six times from run_body.h: with the scoreboard and with one
 * cycle per instruction, without and with events. Results of ALU, MUL, DIV and BRANCH rows are in riscv.def. ISA:
 * BabyRISCV/README.md, "EX1", "EX2". */
#include "tensix/riscv/execute.h"

#include <string.h>

#include "sim/keep.h"
#include "tensix/riscv/breaks.h"
#include "tensix/riscv/core_log.h"
#include "tensix/riscv/csr.h"
#include "tensix/riscv/fetch.h"
#include "tensix/riscv/float.h"
#include "tensix/riscv/halt.h"
#include "tensix/riscv/integer.h"
#include "tensix/riscv/interrupt.h"
#include "tensix/riscv/memory.h"
#include "tensix/riscv/polls.h"
#include "tensix/riscv/queue.h"
#include "tensix/riscv/spin.h"
#include "tensix/riscv/unpaid.h"

#define MISPREDICT_CYCLES 4u /* ISA: README.md, "EX1": a bubble of four */
#define MUL_LATENCY 2u       /* EX1 and EX2 */
#define LOCAL_LATENCY 2u     /* a load from local RAM */
#define CSR_CYCLES 4u        /* silicon: four reads in a row take 12 cycles from the first to the last */

/* ISA: README.md: 2 for a divisor of 0 or 1 and for -2^31 / -1, else 6 to 33 by the magnitude of the dividend. Silicon: 14 for one of
 * 12 bits, 33 for one of 29. A divider of four bits per step, with one cycle per bit and two more, matches all of these (inferred). */
static uint32_t divide_cycles(unsigned op, uint32_t a, uint32_t b) {
  bool is_signed = op == TX_RV_DIV || op == TX_RV_REM;
  if (b <= 1 || (is_signed && a == 0x80000000u && b == UINT32_MAX)) return 2;
  uint32_t magnitude = is_signed && a >> 31 ? 0u - a : a;
  uint32_t cycles = ((32u - leading_zeros(magnitude) + 3u) & ~3u) + 2u;
  return cycles < 6 ? 6 : cycles > 33 ? 33 : cycles;
}

/* --- instructions that are rare or end a stretch --- */

static void name_current(struct tx_core_run *run, const struct tx_insn *d) {
  run->t->current = (struct tx_current){.agent = run->agent, .word = d->word, .pc = run->c->pc, .unit = TX_UNIT_FRONTEND};
}

/* A fault belongs to the cycle of its instruction: a core that runs ahead waits for that cycle, because another agent may
 * fault before. */
static enum tx_step refuse(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  struct tx_tile *t = run->t;
  if (!tx_core_reach(run, enter)) return tx_step_at(run, enter);
  name_current(run, d);
  const char *core = tx_core_name_in(run->t, run->core);
  if (d->class == TX_RV_CLASS_VECTOR && run->core == 2)
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "InstructionSet.md",
             "%s: %s (V extension) at 0x%x, word 0x%08x: the vector extension is not simulated", core, tx_rv_name(d->op),
             run->c->pc, d->word);
  else if (d->op == TX_RV_ECALL)
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "InstructionSet.md",
             "%s: ecall at 0x%x: the cores have no execution environment to call", core, run->c->pc);
  else
    tx_fault(t, SIM_FAULT_BAD_INSTRUCTION, "InstructionSet.md", "%s: illegal instruction 0x%08x at 0x%x", core, d->word,
             run->c->pc);
  return TX_STEP_LATER;
}

/* ebreak pauses the core; its stores still leave. ISA: InstructionSet.md, "Base Instruction Set" */
static enum tx_step stop_at_ebreak(struct tx_core_run *run, const struct tx_insn *d) {
  struct tx_core *c = run->c;
  c->state = TX_CORE_EBREAK;
  c->stop_word = d->word;
  c->flush = c->queue_count != 0;
  struct tx_breaks *b = &run->t->unsaved.breaks;
  if (b->at_ebreak) {
    b->paused |= 1u << run->core;
    sim_pause(&run->t->engine);
  }
  return TX_STEP_LATER;
}

static bool is_break(const struct tx_core_run *run) {
  const struct tx_breaks *b = &run->t->unsaved.breaks;
  if (b->stepping >> run->core & 1u && run->c->retired != b->step_from[run->core]) return true;
  if (b->before[run->core] && run->c->retired + 1 >= b->before[run->core]) return true;
  return tx_core_has_break(run);
}

static bool stop_at_break(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  if (c->one_by_one & TX_TESTS_INTERRUPTS && (c->clock <= run->now || !run->t->timing) && tx_interrupt_take(run)) {
    run->wake = c->clock;
    return true;
  }
  if (c->one_by_one & TX_TESTS_DEBUG && tx_halt_stops(run)) return true;
  const struct tx_breaks *b = &run->t->unsaved.breaks;
  if (b->awaited >> run->core & 1u && c->pc == b->kernel[run->core]) tx_break_enter(run->t, run->core, c->clock);
  if (c->passed_break > c->retired || !is_break(run)) return false;
  if (c->clock > run->now) { /* the machine stops in the cycle of the instruction, not when the core runs ahead */
    run->wake = c->clock;
    return true;
  }
  c->passed_break = c->retired + 1;
  c->spin.seen = 0; /* a loop with a break in it is not parked */
  run->t->unsaved.breaks.stopped |= 1u << run->core;
  run->wake = run->now + 1;
  sim_stop(&run->t->engine);
  return true;
}

static enum tx_step system(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  if (enter <= run->now && tx_core_steps_back(run)) return tx_step_at(run, enter);
  if (d->op == TX_RV_MRET) {
    name_current(run, d);
    return enter > run->now ? tx_step_ahead(run, enter) : tx_interrupt_return(run, enter);
  }
  if (d->op != TX_RV_EBREAK) return refuse(run, d, enter);
  if (enter > run->now) return tx_step_ahead(run, enter);
  return stop_at_ebreak(run, d);
}

/* ISA: CSRs.md, cfg0. SyncAllOps: the next instruction leaves the front end when this one has retired; DisRegForwarding: the same for an
 * instruction that reads its result. The path from the front end through EX1 to retirement takes as long as for a CSR access (inferred). */
__attribute__((noinline)) static void keep_order(struct tx_core *c, const struct tx_insn *d) {
  sim_time retired = c->retire[(c->retire_next + TX_CORE_RETIRE - 1) % TX_CORE_RETIRE];
  if (d->class == TX_RV_CLASS_CSR || retired == SIM_NEVER) return;
  sim_time next = retired + CSR_CYCLES - 1;
  if (c->csr[TX_CSR_CFG0] & TX_CFG0_SYNC_ALL) c->clock = tx_later_of(c->clock, next);
  else if (d->rd != TX_CORE_NOWHERE) c->ready[d->rd] = tx_later_of(c->ready[d->rd], next);
}

/* A CSR instruction executes alone: the next one waits until it has retired. */
static enum tx_step csr(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  struct tx_core *c = run->c;
  if (!tx_core_reach(run, enter)) return tx_step_at(run, enter); /* status CSRs read the tile */
  name_current(run, d);
  c->spin.seen = 0;
  run->t->unsaved.cores.acts++;
  if (!tx_csr_access(run, d, enter)) return TX_STEP_LATER;
  sim_time ready = enter + (run->t->timing ? CSR_CYCLES : 1);
  c->ready[d->rd] = ready;
  tx_core_retire(c, ready);
  c->clock = enter + 1;
  sim_time retired = c->retire[(c->retire_next + TX_CORE_RETIRE - 1) % TX_CORE_RETIRE];
  if (run->t->timing && !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_CSR_SYNC) && retired != SIM_NEVER)
    c->clock = tx_later_of(c->clock, retired);
  return TX_STEP_DONE;
}

/* A mark of the kernel library: a zone begins or ends, its name is at the address in the register. */
static enum tx_step mark(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  if (!tx_core_reach(run, enter)) return tx_step_at(run, enter);
  if (d->imm == TX_MARK_BEGIN || d->imm == TX_MARK_END)
    tx_emit(run->t, TX_EVENT_ZONE, run->agent, d->imm == TX_MARK_BEGIN, run->c->r[d->rs1], run->c->pc);
  return TX_STEP_DONE;
}

static enum tx_step fence(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  enum tx_step step = tx_core_fence(run, enter);
  if (step != TX_STEP_DONE) return step;
  if (run->t->unsaved.ports->fence) run->t->unsaved.ports->fence(run->t, run->core);
  enter = tx_later_of(enter, run->now);
  tx_core_retire(c, enter + 2);
  c->clock = enter + (run->t->timing && !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_CSR_SYNC) ? 2 : 1);
  return TX_STEP_DONE;
}

/* .ttinsn: a store to the core's own push address; with fusion on, up to four of one line in one cycle.
 * ISA: PushTensixInstruction.md */
static enum tx_step push(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  struct tx_core *c = run->c;
  uint32_t words[TX_IC_WORDS] = {d->imm};
  unsigned count = 1;
  if (run->t->timing && run->t->params.ttinsn_fusion && run->core < TX_THREADS &&
      !(c->csr[TX_CSR_CFG0] & TX_CFG0_NO_FUSION)) {
    const uint32_t *line = &c->fetch.words[c->fetch.slot * TX_IC_WORDS];
    for (unsigned i = (c->pc >> 2 & 3u) + 1; i < TX_IC_WORDS && (line[i] & 3u) != 3u; i++)
      words[count++] = line[i] >> 2 | line[i] << 30;
  }
  run->t->unsaved.cores.acts++;
  enum tx_step step = tx_queue_push(run, words, count, enter);
  if (step != TX_STEP_DONE) return step;
  for (unsigned i = 0; i < count; i++) tx_core_retire(c, enter + 1);
  c->clock = enter + 1;
  c->pc += 4 * (count - 1); /* the caller counts one of them */
  c->retired += count - 1;
  return TX_STEP_DONE;
}

/* An observer requires the instructions of this line one by one. */
static bool break_in_line(const struct tx_core_run *run) {
  const struct tx_breaks *b = &run->t->unsaved.breaks;
  if (!b->filter[run->core]) return false;
  if (tx_core_stepped(run)) return true;
  if (b->awaited >> run->core & 1u && ((b->kernel[run->core] ^ run->c->pc) & ~15u) == 0) return true;
  for (unsigned i = 0; i < b->used; i++)
    if (b->at[i].core == run->core && ((b->at[i].pc ^ run->c->pc) & ~15u) == 0) return true;
  return false;
}

/* Timing off: pushes all .ttinsn up to the end of the line or of the turn, one cycle each; false: to be pushed one by one. The
 * caller counts one. */
static bool push_line(struct tx_core_run *run, uint32_t index) {
  struct tx_core *c = run->c;
  if (run->core >= TX_THREADS || c->one_by_one || break_in_line(run)) return false;
  tx_assert(c->clock <= run->horizon);
  sim_time cycles = run->horizon - c->clock + 1;
  unsigned most = TX_IC_WORDS - index % TX_IC_WORDS;
  if (c->waiting.kind && most > TX_CORE_RETIRE - 1u - c->waiting.behind) most = TX_CORE_RETIRE - 1u - c->waiting.behind;
  unsigned count = tx_queue_push_at_once(run, &c->fetch.words[index], cycles < most ? (unsigned)cycles : most);
  if (!count) return false;
  c->clock += count;
  c->pc += 4 * (count - 1);
  c->retired += count - 1;
  if (c->waiting.kind) c->waiting.behind = (uint8_t)(c->waiting.behind + count - 1);
  return true;
}

/* Timing off: pushes the .ttinsn from the start of the line at `pc` on, and of the lines after it, as tx_queue_push_on does. Returns their number, and above 16
 * bits that of the lines entered; 0: none. */
__attribute__((noinline)) static uint32_t push_lines(struct tx_core_run *run, sim_time clock, uint32_t pc) {
  struct tx_tile *t = run->t;
  struct tx_core_fetch *f = &run->c->fetch;
  struct tx_frontend *fe = run->fe;
  const sim_time begin = clock, end = run->pushes_until + 2 < run->horizon ? run->pushes_until + 2 : run->horizon;
  sim_time at = 0; /* of the first word of the last line */
  uint32_t lines = 0;
  for (unsigned pushed = TX_IC_WORDS; pushed == TX_IC_WORDS && tx_frontend_places(t, fe) && clock + 2 < end; lines++) {
    const uint32_t set = pc >> 4 & (TX_IC_SETS - 1), *tag = &f->tag[set * TX_IC_WAYS];
    const bool second = tag[0] != pc + 1;
    const uint32_t *line = &f->words[(set * TX_IC_WAYS + second) * TX_IC_WORDS];
    if (tag[second] != pc + 1 || (line[0] & 3u) == 3u || memcmp(line, &t->l1[pc], 4 * TX_IC_WORDS) != 0) break;
    pushed = tx_frontend_push_line(t, fe, line, TX_IC_WORDS, pc, clock);
    f->recent[set] = second;
    at = clock;
    clock += pushed;
    pc += 4 * pushed;
  }
  if (at > run->now) run->now = t->engine.now = at;
  t->port[run->core].stores += (uint32_t)(clock - begin);
  t->unsaved.memo.last_tile_access[run->core] = clock - 1;
  return lines << 16 | (uint32_t)(clock - begin);
}

/* --- timing off: a loop of .ttinsn and integer instructions --- */

#define LOOP_INSNS 29u /* in a longer one FIFO 1 has no room for two rounds */

struct push_loop {
  unsigned length, words, integers; /* instructions of a round, with its branch; of these */
  unsigned last, last_word; /* their places: the first .ttinsn of the last that follow each other in a line, the last one */
  const struct tx_insn *branch;
  const struct tx_insn *integer[LOOP_INSNS];
  uint32_t integer_pc[LOOP_INSNS];
  struct tx_word word[LOOP_INSNS];
};

static inline uint32_t integer_result(const struct tx_insn *d, const uint32_t *r, uint32_t pc) {
  const uint32_t a = r[d->rs1], b = r[d->rs2], imm = d->imm;
  switch (d->op) {
#define RESULT_ALU(op, what) \
  case op: \
    return (what);
#define RESULT_MUL RESULT_ALU
#define RESULT_BRANCH RESULT_ALU
#define RESULT_NONE(op, what)
#define RESULT_MARK RESULT_NONE
#define RESULT_DIV RESULT_NONE
#define RESULT_JAL RESULT_NONE
#define RESULT_JALR RESULT_NONE
#define RESULT_LOAD RESULT_NONE
#define RESULT_STORE RESULT_NONE
#define RESULT_AMO RESULT_NONE
#define RESULT_FENCE RESULT_NONE
#define RESULT_CSR RESULT_NONE
#define RESULT_SYSTEM RESULT_NONE
#define RESULT_FLOAT RESULT_NONE
#define RESULT_VECTOR RESULT_NONE
#define RV(name, text, match, mask, format, class, what) RESULT_##class(TX_RV_##name, what)
#include "tensix/riscv/riscv.def"
#undef RV
    default: __builtin_unreachable();
  }
}

/* The line of code at `pc` if fetching it would change nothing: it is in the cache, used last of its set, equal to L1 and decoded in the store. */
static const struct tx_insn *line_in_use(const struct tx_core_run *run, uint32_t pc) {
  const struct tx_core_fetch *f = &run->c->fetch;
  const uint32_t line = pc & ~15u, set = line >> 4 & (TX_IC_SETS - 1), slot = set * TX_IC_WAYS + f->recent[set];
  if (f->tag[slot] != line + 1 || memcmp(&f->words[slot * TX_IC_WORDS], &run->t->l1[line], 16) != 0) return NULL;
  return tx_fetch_decoded(run->t, run->core, slot);
}

/* The instructions from `head` to the branch at `end`. false: others are among them. */
static bool find_push_loop(const struct tx_core_run *run, uint32_t head, uint32_t end, struct push_loop *l) {
  const struct tx_insn *line = NULL;
  bool follows = false; /* a .ttinsn of the same line */
  l->words = l->integers = l->last = l->last_word = 0;
  l->length = (end - head) / 4 + 1;
  for (uint32_t pc = head;; pc += 4) {
    if (!line || !(pc & 15u)) {
      line = line_in_use(run, pc);
      follows = false;
    }
    if (!line) return false;
    const struct tx_insn *d = &line[pc >> 2 & 3u];
    l->branch = d;
    if (pc == end) return l->words != 0;
    if (d->op == TX_RV_TTINSN) {
      l->word[l->words++] = (struct tx_word){d->imm, pc, TX_WORD_PLAIN};
      if (!follows) l->last = (pc - head) / 4;
      l->last_word = (pc - head) / 4;
      follows = true;
    } else if (d->class == TX_RV_CLASS_ALU || d->class == TX_RV_CLASS_MUL) {
      l->integer[l->integers] = d;
      l->integer_pc[l->integers++] = pc;
      follows = false;
    } else {
      return false;
    }
  }
}

/* A round. true: the branch at its end is taken. */
static inline bool run_round(const struct push_loop *l, struct tx_core *c, struct tx_frontend *fe, sim_time at) {
  for (unsigned i = 0; i < l->words; i++) tx_frontend_put(fe, i, l->word[i].word, l->word[i].pc, l->word[i].flags, at);
  tx_frontend_enter(fe, l->words);
  for (unsigned i = 0; i < l->integers; i++) {
    const struct tx_insn *d = l->integer[i];
    c->r[d->rd] = integer_result(d, c->r, l->integer_pc[i]);
  }
  return integer_result(l->branch, c->r, 0);
}

/* Whole rounds of a loop, from `head` to the branch at `end`, for which FIFO 1 has room; its pushes follow others (tx_queue_goes_on). Returns the
 * instructions executed, beginning in cycle `clock`; the one that follows depends on run->loop_left. */
__attribute__((noinline)) static uint32_t run_push_loop(struct tx_core_run *run, sim_time clock, uint32_t head,
                                                        uint32_t end) {
  struct tx_tile *t = run->t;
  struct tx_frontend *fe = sim_keep(&t->frontend[run->core]);
  struct push_loop l;
  if (!find_push_loop(run, head, end, &l)) {
    run->no_loop = end;
    return 0;
  }
  const uint64_t cycles = run->pushes_until - clock;
  uint32_t room = tx_frontend_places(t, fe), rounds = 0;
  const uint32_t most = cycles / l.length < room / l.words ? (uint32_t)(cycles / l.length) : room / l.words;
  bool taken = true;
  while (rounds < most && taken) {
    taken = run_round(&l, run->c, fe, clock);
    rounds++;
  }
  run->loop_left = !taken;
  if (!rounds) return 0;
  t->port[run->core].stores += rounds * l.words;
  const sim_time at = clock + (rounds - 1) * l.length + l.last;
  if (at > run->now) run->now = t->engine.now = at;
  t->unsaved.memo.last_tile_access[run->core] = clock + (rounds - 1) * l.length + l.last_word;
  return rounds * l.length;
}

/* Timing off: the core waits for room in FIFO 1, as after an attempt to push. */
static enum tx_room await_room(struct tx_core_run *run, const struct tx_insn *d, bool drains) {
  struct tx_core *c = run->c;
  const sim_time at = c->clock;
  const enum tx_room room = tx_queue_await_room(run, d->imm, drains);
  if (room == TX_ROOM_UNKNOWN) return room;
  c->spin.seen = 0;
  tx_poll_forget(c);
  run->t->unsaved.memo.last_tile_access[run->core] = at;
  return room;
}

/* pmacfg0 or pmacfg1: as with a fence before every load and store. ISA: CSRs.md */
static enum tx_step order(struct tx_core_run *run, sim_time enter) {
  const struct tx_core *c = run->c;
  return (c->csr[TX_CSR_PMACFG0] | c->csr[TX_CSR_PMACFG1]) & 1u ? tx_core_fence(run, enter) : TX_STEP_DONE;
}

static enum tx_step store(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, uint32_t value,
                          sim_time enter) {
  struct tx_core *c = run->c;
  unsigned bytes = tx_access_bytes(d->op);
  name_current(run, d);
  run->t->unsaved.cores.acts++;
  if (!tx_core_aligned(run, d, address, bytes, enter)) return TX_STEP_LATER;
  if (address - TX_LOCAL_BASE < tx_core_local_bytes(run->core)) {
    if (enter < c->local_ready) return tx_core_wait_local(run);
    memcpy(&c->local[address - TX_LOCAL_BASE], &value, bytes); /* little endian, like the supported hosts */
  } else {
    enum tx_step step = order(run, enter);
    if (step == TX_STEP_DONE) step = tx_queue_store(run, address, value, bytes, enter);
    if (step != TX_STEP_DONE) return step;
    tx_poll_forget(c);
    run->t->unsaved.memo.last_tile_access[run->core] = enter;
    tx_interrupt_store(run, address);
  }
  c->spin.seen = 0;
  tx_core_retire(c, enter + 1);
  c->clock = enter + 1;
  return TX_STEP_DONE;
}

/* The first look of a wait is followed at once by the rest of its loop. */
static void look_at_clock(struct tx_core *c, sim_time enter) {
  if (c->polls.clock_pc == c->pc) c->clock = enter + TX_LOOK_CYCLES;
  c->polls.clock_pc = c->pc;
}

static enum tx_step load(struct tx_core_run *run, const struct tx_insn *d, uint32_t address, sim_time enter) {
  name_current(run, d);
  if (run->t->timing) enter = tx_core_lsu_enter(run->c, enter);
  enum tx_step step = order(run, enter);
  if (step == TX_STEP_DONE) step = tx_core_load(run, d, address, enter);
  if (step != TX_STEP_DONE) return step;
  run->c->clock = enter + 1;
  if (tx_core_is_aside(run) && address == TX_ADDR_CONTROL + TX_CONTROL_WALL_CLOCK_0) look_at_clock(run->c, enter);
  return step;
}

static enum tx_step atomic(struct tx_core_run *run, const struct tx_insn *d, sim_time enter) {
  name_current(run, d);
  if (run->t->timing) enter = tx_later_of(enter, run->c->lsu_free);
  enum tx_step step = tx_core_atomic(run, d, enter);
  if (step == TX_STEP_DONE) run->c->clock = tx_later_of(enter, run->now) + 1;
  return step;
}

/* The load that blocks the core from cycle `enter` on; the core tries again when its value may have arrived. */
static void wait_for_load(struct tx_core_run *run, sim_time enter) {
  if (enter == SIM_NEVER) /* all slots of the retire-order queue wait */
    enter = tx_later_of(run->c->clock, run->t->timing ? run->c->fetch.ready : 0);
  if (enter > run->now) tx_step_ahead(run, enter);
  else tx_step_held(run, SIM_NEVER, &run->c->waiting.wait);
}

static bool misaligned(struct tx_core_run *run, const struct tx_insn *d, uint32_t target, sim_time enter) {
  if (!(target & 3u)) return false;
  if (!tx_core_reach(run, enter)) {
    run->wake = enter;
    return true;
  }
  name_current(run, d);
  tx_fault(run->t, SIM_FAULT_ADDRESS, "InstructionSet.md",
           "%s: jump from 0x%x to 0x%x: instructions are four bytes, aligned", tx_core_name_in(run->t, run->core),
           run->c->pc, target);
  return true;
}

#define LOGGED 0
#define CHECKED 0
#define TIMED 1
#define RUN tx_core_run_timed
#include "tensix/riscv/run_body.h"
#undef RUN
#undef TIMED
#define TIMED 0
#define RUN tx_core_run_plain
#include "tensix/riscv/run_body.h"
#undef RUN
#undef TIMED
#undef CHECKED

#define CHECKED 1
#define TIMED 1
#define RUN tx_core_run_timed_checked
#include "tensix/riscv/run_body.h"
#undef RUN
#undef TIMED
#define TIMED 0
#define RUN tx_core_run_plain_checked
#include "tensix/riscv/run_body.h"
#undef RUN
#undef TIMED
#undef LOGGED

#define LOGGED 1
#define TIMED 1
#define RUN tx_core_run_timed_logged
#include "tensix/riscv/run_body.h"
#undef RUN
#undef TIMED
#define TIMED 0
#define RUN tx_core_run_plain_logged
#include "tensix/riscv/run_body.h"
