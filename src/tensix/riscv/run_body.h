/* The loop over instructions, included by execute.c with TIMED 1 and 0, LOGGED 1 and 0, CHECKED 1 and 0, and RUN the name
 * of the function. One case per row of riscv.def; DO_<class> is the common code of a class.
 *
 * TIMED: an instruction enters EX1 in the first cycle in which its code has arrived, its operands are available and the one eight
 * before it has retired. Otherwise every instruction takes one cycle, and only an outstanding load can block it. */

#if TIMED
#define TAKES(busy, latency) \
  (c->ready[d->rd] = enter + (latency), tx_core_retire(c, enter + (latency)), c->clock = enter + (busy))
#define RESOLVE(taken, indirect) \
  if (tx_fetch_mispredicts(c, pc, taken, next, indirect)) c->clock += MISPREDICT_CYCLES
#else
#define TAKES(busy, latency) (c->clock = enter + 1)
#define RESOLVE(taken, indirect) (void)0
#endif

/* CHECKED: a checker observes local RAM; while events are logged there may be none. */
#if CHECKED
#define WATCHED (!LOGGED || shadow)
#define REPORT() (run->t->unsaved.ports->instruction(run->t, run->core, d), tainted = shadow->tainted != 0)
#define WATCH(when) \
  if (WATCHED && !tainted && (when)) REPORT()
#define WATCH_STACK(op) /* a frame may be reported twice */ \
  if (WATCHED && MOVES_STACK(op) && d->rd == 2 && d->rs1 == 2) REPORT()
#define TAINTED() tainted = WATCHED && shadow->tainted
#else
#define TAINTED() (void)0
#define WATCH(when) (void)0
#define WATCH_STACK(op) (void)0
#endif
#define MOVES_STACK(op) ((op) == TX_RV_ADDI || (op) == TX_RV_ADD || (op) == TX_RV_SUB)
#define WATCH_LOCAL WATCH(shadow->bits[(a + imm - TX_LOCAL_BASE) / 4])

/* The target is read from the cache, within the same line too. */
#define JUMPS() \
  if (__builtin_expect(tx_fetch_is_invalid(run), 0)) line = c->fetch.line = 0

#define STEP(call) \
  if ((call) != TX_STEP_DONE) return; \
  next = c->pc + 4; \
  line = 0; /* a store may have reached the core itself */
#define DO_ALU(op, what) \
  WATCH_STACK(op); \
  c->r[d->rd] = (what); \
  TAKES(1, 1);
/* Others see the event of a mark, so it happens in its own cycle. */
#define DO_MARK(op, what) \
  if (sim_log_wants(&run->t->unsaved.log, TX_EVENT_ZONE)) { \
    STEP(mark(run, d, enter)) \
  } \
  TAKES(1, 1);
#define DO_MUL(op, what) \
  c->r[d->rd] = (what); \
  TAKES(1, MUL_LATENCY);
#define DO_DIV(op, what) \
  { \
    uint32_t result = (what), cycles = TIMED ? divide_cycles(op, a, b) : 1; \
    c->r[d->rd] = result; \
    (void)cycles; \
    TAKES(cycles, cycles); \
  }
#define DO_BRANCH(op, what) \
  { \
    bool taken = (what); \
    if (taken) next = pc + imm; \
    if (next == pc && tx_spin_jump(run, enter)) return; \
    if (taken && misaligned(run, d, next, enter)) return; \
    if (taken) JUMPS(); \
    TAKES(1, 1); \
    RESOLVE(taken, false); \
  }
#define DO_JAL(op, what) \
  next = pc + imm; \
  if (next == pc && tx_spin_jump(run, enter)) return; \
  if (misaligned(run, d, next, enter)) return; \
  c->r[d->rd] = pc + 4; \
  JUMPS(); \
  TAKES(1, 1); \
  RESOLVE(true, false);
#define DO_JALR(op, what) \
  next = (a + imm) & ~1u; \
  if (misaligned(run, d, next, enter)) return; \
  c->r[d->rd] = pc + 4; \
  c->jump_from = pc; \
  c->jump_to = next; \
  JUMPS(); \
  TAKES(1, 1); \
  RESOLVE(true, true);
#define DO_FLOAT(op, what) \
  c->r[d->rd] = tx_float(op, a, b, c->r[d->rs3], c->csr[TX_CSR_CFG0]); \
  TAKES(1, MUL_LATENCY);
/* Local RAM is handled here, all other addresses and special cases by the functions. */
#define LOCAL(op) \
  (a + imm - TX_LOCAL_BASE < local_bytes && !((a + imm) & (tx_access_bytes(op) - 1)) && enter >= c->local_ready)
#define DO_LOAD(op, what) \
  if (LOCAL(op)) { \
    uint32_t raw = 0; \
    WATCH_LOCAL; \
    memcpy(&raw, &c->local[a + imm - TX_LOCAL_BASE], tx_access_bytes(op)); \
    c->r[d->rd] = tx_load_value(op, raw); \
    TAKES(1, LOCAL_LATENCY); \
  } else { \
    STEP(load(run, d, a + imm, enter)) \
    TAINTED(); \
  }
#define DO_STORE(op, what) \
  if (LOCAL(op)) { \
    WATCH_LOCAL; \
    memcpy(&c->local[a + imm - TX_LOCAL_BASE], &b, tx_access_bytes(op)); \
    c->spin.seen = 0; \
    TAKES(1, 1); \
  } else if (!TIMED && !LOGGED && (op) == TX_RV_SW && a + imm == TX_ADDR_PUSH && tx_queue_push_word(run, b)) { \
    TAKES(1, 1); \
  } else { \
    STEP(store(run, d, a + imm, b, enter)) \
  }
#define DO_AMO(op, what) STEP(atomic(run, d, enter))
#define DO_FENCE(op, what) STEP(fence(run, enter))
#define DO_CSR(op, what) STEP(csr(run, d, enter))
#define DO_SYSTEM(op, what) STEP(system(run, d, enter))
#define DO_VECTOR(op, what) STEP(refuse(run, d, enter))

void RUN(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  const uint32_t *words = sim_keep(c->fetch.words);
  const uint32_t local_bytes = tx_core_local_bytes(run->core);
  const uint32_t breaks = c->one_by_one ? UINT32_MAX : run->t->unsaved.breaks.filter[run->core];
#if CHECKED
  const struct tx_shadow *all = run->t->unsaved.ports->shadow, *shadow = !LOGGED || all ? &all[run->core] : NULL;
  bool tainted = WATCHED && shadow->tainted; /* only REPORT and a load from L1 change it */
#endif
#if LOGGED
  const bool waits = sim_log_wants(&run->t->unsaved.log, TX_EVENT_CORE_WAIT);
#endif
  uint32_t line = 0, first = 0; /* of the current line: address plus 1, index of its first word */
  for (;;) {
#if !LOGGED
#include "tensix/riscv/quick_body.h"
#endif
    const uint32_t pc = c->pc;
#if TIMED && LOGGED
    const bool unpaid = tx_core_is_unpaid(run, pc);
    const struct tx_core_bill bill = tx_core_bill(c);
#endif
    if ((pc & ~15u) + 1 != line) {
      if ((pc & ~15u) + 1 != c->fetch.line && !tx_fetch_present(run, pc) && !tx_fetch_line(run, pc)) return;
      line = c->fetch.line;
      first = c->fetch.slot * TX_IC_WORDS;
    }
    if (__builtin_expect(breaks != 0, 0) && breaks >> (pc >> 2 & 31u) & 1u && stop_at_break(run)) return;
    const uint32_t index = first + (pc >> 2 & 3u);
    const struct tx_insn *d = &tx_fetch_insns(run, first / TX_IC_WORDS)[pc >> 2 & 3u];
    tx_assert(d->word == words[index]);
    sim_time enter = c->clock;
#if TIMED
    enter = tx_later_of(enter, c->fetch.ready);
    enter = tx_later_of(enter, tx_later_of(c->ready[d->rs1], c->ready[d->rs2]));
    enter = tx_later_of(enter, tx_later_of(c->ready[d->rs3], c->retire[c->retire_next]));
#endif
#if TIMED && LOGGED
    if (unpaid) enter = tx_core_unpaid_enter(c, d, &bill);
#endif
    if (c->waiting.kind) {
      const struct tx_core_waiting *w = &c->waiting;
      bool uses = w->rd != TX_CORE_NOWHERE && (d->rd == w->rd || d->rs1 == w->rd || d->rs2 == w->rd || d->rs3 == w->rd);
      bool sync_all = TIMED && c->csr[TX_CSR_CFG0] & TX_CFG0_SYNC_ALL;
      if (uses || sync_all || w->behind >= TX_CORE_RETIRE - 1) {
        wait_for_load(run, enter);
        return;
      }
    }
    if (enter > run->horizon) {
      /* with turns, time advances with the core */
      if (!TIMED && run->limit) sim_turn_goes_to(&run->t->engine, run->horizon);
      run->wake = enter;
      return;
    }
#if LOGGED
    struct tx_core_late late = {.enter = enter};
    if (waits) late = tx_core_log_late(c, d, enter, &run->t->unsaved.cores.log[run->core]);
#endif
    const uint32_t a = c->r[d->rs1], b = c->r[d->rs2], imm = d->imm;
    uint32_t next = pc + 4;
#if TIMED && LOGGED
    if (unpaid && tx_core_unpaid_access(run, d)) {
      c->retired++;
      c->pc = next;
      continue;
    }
#endif
#if CHECKED
    if (__builtin_expect(tainted, 0)) REPORT();
#endif
    switch (d->op) {
#define RV(name, text, match, mask, format, class, what) \
  case TX_RV_##name: \
    DO_##class(TX_RV_##name, what) break;
#include "tensix/riscv/riscv.def"
#undef RV
      case TX_RV_TTINSN:
        if (!TIMED && !LOGGED && push_line(run, index)) {
          next = c->pc + 4;
          break;
        }
        STEP(push(run, d, enter)) break;
      default: STEP(refuse(run, d, enter)) break;
    }
    if (c->waiting.kind) c->waiting.behind++;
#if TIMED
    if (__builtin_expect(c->csr[TX_CSR_CFG0] & (TX_CFG0_SYNC_ALL | TX_CFG0_NO_FORWARDING), 0)) keep_order(c, d);
#endif
#if TIMED && LOGGED
    if (unpaid) tx_core_unpay(c, d, enter, &bill);
#endif
#if LOGGED
    if (waits) tx_core_log_instruction(run, d, pc, &late);
    else tx_core_log_plain(run, d, pc, tx_later_of(run->t->engine.now, enter));
#endif
    c->retired++;
    c->pc = next;
  }
}

#undef TAKES
#undef RESOLVE
#undef WATCHED
#undef REPORT
#undef MOVES_STACK
#undef TAINTED
#undef WATCH
#undef WATCH_STACK
#undef WATCH_LOCAL
#undef STEP
#undef DO_ALU
#undef DO_MARK
#undef DO_MUL
#undef DO_DIV
#undef DO_BRANCH
#undef DO_JAL
#undef DO_JALR
#undef DO_FLOAT
#undef DO_LOAD
#undef LOCAL
#undef DO_STORE
#undef DO_AMO
#undef DO_FENCE
#undef DO_CSR
#undef DO_SYSTEM
#undef DO_VECTOR
