/* A stretch of instructions that concern only their core (integers, jumps, local RAM, pushes), with the state of the core in local variables;
 * included by run_body.h at the start of its loop, unless events are logged. QUICK_<class> is what DO_<class> is there. A load or store of the tile
 * goes from here to its function. Every other instruction, and whatever is unusual, ends the stretch and is left to the code after it. */
#if TIMED
#define QUICK_TAKES(busy, latency) \
  { \
    const sim_time complete = enter + (latency); \
    c->ready[q->rd] = complete; \
    last = last >= complete ? last + 1 : complete; \
    c->retire[slot] = last; \
    slot = (slot + 1) % TX_CORE_RETIRE; \
    clock = enter + (busy); \
  }
#define QUICK_RESOLVE(taken, indirect) \
  if (tx_fetch_mispredicts(c, pc, taken, next, indirect)) clock += MISPREDICT_CYCLES
#else
#define QUICK_TAKES(busy, latency) clock = enter + 1;
#define QUICK_RESOLVE(taken, indirect) (void)0
#endif
#if CHECKED
#define QUICK_WATCH(when) \
  if (when) goto leave;
#define QUICK_STACK(op) QUICK_WATCH(MOVES_STACK(op) && q->rd == 2 && q->rs1 == 2)
#define QUICK_TAINTED tainted
#else
#define QUICK_TAINTED false
#define QUICK_WATCH(when)
#define QUICK_STACK(op)
#endif
/* The state of the core, as far as it is in variables; without its pc. */
#if TIMED
#define QUICK_SAVE() \
  if (pushes.count) { \
    tx_queue_note_run(run, &pushes); \
    pushes.count = 0; \
    pushes.first_queued = 0; \
    pushes.store = 0; \
  } \
  c->clock = clock; \
  c->retire_next = slot; \
  c->fetch.line = line; \
  c->fetch.slot = first / TX_IC_WORDS;
#else
#define QUICK_SAVE() \
  c->clock = clock; \
  c->fetch.line = line; \
  c->fetch.slot = first / TX_IC_WORDS;
#endif
#define QUICK_PC (line - 1 + (uint32_t)(q - from) * 4)
#define QUICK_OPERANDS const uint32_t a = c->r[q->rs1], b = c->r[q->rs2], imm = q->imm;
#define QUICK_STEP(call, then) \
  { \
    c->pc = QUICK_PC; \
    QUICK_SAVE() \
    if ((call) != TX_STEP_DONE) return; \
    goto then; \
  }
#define QUICK_LOCAL(op, otherwise, then) \
  if (a + imm - TX_LOCAL_BASE >= local_bytes || (a + imm) & (tx_access_bytes(op) - 1) || enter < c->local_ready) \
    QUICK_STEP(otherwise, then) \
  QUICK_WATCH(shadow->bits[(a + imm - TX_LOCAL_BASE) / 4])
#define QUICK_ALU(op, what) \
  case op: { \
    QUICK_OPERANDS \
    const uint32_t pc = QUICK_PC; \
    (void)a, (void)b, (void)imm, (void)pc; \
    QUICK_STACK(op) \
    c->r[q->rd] = (what); \
    QUICK_TAKES(1, 1) \
  } break;
#define QUICK_MUL(op, what) \
  case op: { \
    QUICK_OPERANDS(void) imm; \
    c->r[q->rd] = (what); \
    QUICK_TAKES(1, MUL_LATENCY) \
  } break;
#if !TIMED && !CHECKED
#define QUICK_REPEAT(pc) \
  if (streams && (pc)-to < 4 * LOOP_INSNS) goto repeat;
#else
#define QUICK_REPEAT(pc)
#endif
#define QUICK_BRANCH(op, what) \
  case op: { \
    QUICK_OPERANDS \
    const bool taken = (what); \
    const uint32_t pc = QUICK_PC, next = taken ? pc + imm : pc + 4; \
    if (next == pc || next & 3u) goto leave; \
    QUICK_TAKES(1, 1) \
    QUICK_RESOLVE(taken, false); \
    c->retired++; \
    to = next; \
    QUICK_REPEAT(pc) \
    goto jump; \
  }
#define QUICK_JAL(op, what) \
  case op: { \
    const uint32_t pc = QUICK_PC, next = pc + q->imm; \
    if (next == pc || next & 3u) goto leave; \
    c->r[q->rd] = pc + 4; \
    QUICK_TAKES(1, 1) \
    QUICK_RESOLVE(true, false); \
    c->retired++; \
    to = next; \
    goto jump; \
  }
#define QUICK_JALR(op, what) \
  case op: { \
    const uint32_t pc = QUICK_PC, next = (c->r[q->rs1] + q->imm) & ~1u; \
    if (next & 3u) goto leave; \
    c->r[q->rd] = pc + 4; \
    c->jump_from = pc; \
    c->jump_to = next; \
    QUICK_TAKES(1, 1) \
    QUICK_RESOLVE(true, true); \
    c->retired++; \
    to = next; \
    goto jump; \
  }
#define QUICK_LOAD(op, what) \
  case op: { \
    const uint32_t a = c->r[q->rs1], imm = q->imm; \
    uint32_t raw = 0; \
    QUICK_LOCAL(op, load(run, q, a + imm, enter), loaded) \
    memcpy(&raw, &c->local[a + imm - TX_LOCAL_BASE], tx_access_bytes(op)); \
    c->r[q->rd] = tx_load_value(op, raw); \
    QUICK_TAKES(1, LOCAL_LATENCY) \
  } break;
#if TIMED /* nothing is written to ready[]: it is no result */
#define QUICK_PUSHED() \
  room--; \
  clock = enter + 1; \
  last = last >= clock ? last + 1 : clock; \
  c->retire[slot] = last; \
  slot = (slot + 1) % TX_CORE_RETIRE; \
  break;
#define QUICK_PUSH() \
  if (room && pushes.stores && tx_queue_push_next(c, &pushes, b, QUICK_PC, enter, q->word)) { \
    QUICK_PUSHED() \
  }
#else
#define QUICK_FULL (streams && !tx_frontend_places(run->t, run->fe))
#define QUICK_AWAIT_ROOM(call) \
  const enum tx_room freed = (call); \
  if (freed == TX_ROOM_UNKNOWN) goto leave; \
  if (freed == TX_ROOM_AWAITED) return; \
  clock = c->clock; \
  horizon = run->horizon; \
  streams = true; \
  to = c->pc; \
  goto jump;
#define QUICK_PUSH() \
  if (streams && tx_queue_goes_on(run, clock) && !((c->csr[TX_CSR_PMACFG0] | c->csr[TX_CSR_PMACFG1]) & 1u)) { \
    tx_queue_store_on(run, clock, b, QUICK_PC); \
    QUICK_TAKES(1, 1) break; \
  } \
  c->pc = QUICK_PC; \
  c->clock = clock; \
  if (QUICK_FULL || !tx_queue_push_word(run, b)) { \
    if ((c->csr[TX_CSR_PMACFG0] | c->csr[TX_CSR_PMACFG1]) & 1u) goto leave; \
    QUICK_SAVE() \
    QUICK_AWAIT_ROOM(tx_queue_await_room(run, b, !CHECKED)) \
  } \
  streams = true; \
  horizon = run->horizon; \
  QUICK_TAKES(1, 1) break;
#endif
#define QUICK_STORE(op, what) \
  case op: { \
    QUICK_OPERANDS \
    if ((op) == TX_RV_SW && a + imm == TX_ADDR_PUSH) { \
      QUICK_PUSH() \
    } \
    QUICK_LOCAL(op, store(run, q, a + imm, b, enter), stepped) \
    memcpy(&c->local[a + imm - TX_LOCAL_BASE], &b, tx_access_bytes(op)); \
    c->spin.seen = 0; \
    QUICK_TAKES(1, 1) \
  } break;
#define QUICK_OTHER(op, what) \
  case op: \
    goto leave;
#define QUICK_MARK QUICK_OTHER
#define QUICK_DIV QUICK_OTHER
#define QUICK_FLOAT QUICK_OTHER
#define QUICK_AMO QUICK_OTHER
#define QUICK_FENCE QUICK_OTHER
#define QUICK_CSR QUICK_OTHER
#define QUICK_SYSTEM QUICK_OTHER
#define QUICK_VECTOR QUICK_OTHER

bool quick = !breaks && !c->waiting.kind && !(c->pc & 3u) && !tx_fetch_is_invalid(run) && !run->t->fault.kind;
#if TIMED
uint32_t slot = c->retire_next;
sim_time last = c->retire[(slot + TX_CORE_RETIRE - 1) % TX_CORE_RETIRE];
quick &= c->fetch.ready <= c->clock; /* the first instruction of a line that is being fetched is left to the code after it */
quick &= last != SIM_NEVER && !(c->csr[TX_CSR_CFG0] & (TX_CFG0_SYNC_ALL | TX_CFG0_NO_FORWARDING));
#endif
#if CHECKED
quick &= !tainted;
#endif
if (quick) {
  uint32_t to = c->pc; /* the instruction that follows */
#if TIMED
  struct tx_push_run pushes = {0};
  uint32_t room = run->pushed ? tx_queue_room_ahead(run, &pushes) : 0; /* for pushes that follow others */
#else
  bool streams = false; /* a push, and since then no load from the tile: what a push forgets is forgotten */
#endif
  const struct tx_insn *q, *from;
  sim_time clock = c->clock, horizon = run->horizon;
  line = c->fetch.line;
  first = c->fetch.slot * TX_IC_WORDS;
jump:
#if !TIMED /* an instruction takes one cycle: for all of a line at once; near the horizon one by one */
  if (clock + (TX_IC_WORDS - 1) > horizon) goto outside;
#endif
  if ((to & ~15u) + 1 != line) {
    const uint32_t set = to >> 4 & (TX_IC_SETS - 1), *tag = &c->fetch.tag[set * TX_IC_WAYS];
    const bool second = tag[0] != (to & ~15u) + 1;
    if (second && tag[1] != (to & ~15u) + 1) goto outside;
    const uint32_t found = (set * TX_IC_WAYS + second) * TX_IC_WORDS;
    if (memcmp(&words[found], &run->t->l1[to & ~15u], 16) != 0) goto outside; /* as tx_fetch_present */
    c->fetch.recent[set] = second;
    line = (to & ~15u) + 1;
    first = found;
#if TIMED
    c->fetch.ready = 0;
#endif
  }
  from = tx_fetch_insns(run, first / TX_IC_WORDS);
  for (q = from + (to >> 2 & 3u);;) {
    sim_time enter = clock;
#if TIMED
    enter = tx_later_of(enter, tx_later_of(c->ready[q->rs1], c->ready[q->rs2]));
    enter = tx_later_of(enter, c->retire[slot]);
#endif
#if TIMED
    if (enter > horizon) goto leave;
#endif
    switch (q->op) {
#define RV(name, text, match, mask, format, class, what) QUICK_##class(TX_RV_##name, what)
#include "tensix/riscv/riscv.def"
#undef RV
      case TX_RV_TTINSN:
#if TIMED
        if (room && tx_queue_push_next(c, &pushes, q->imm, QUICK_PC, enter, 0)) {
          QUICK_PUSHED()
        }
#else
        if (streams && tx_queue_goes_on(run, clock)) {
          const unsigned pushed = tx_queue_push_on(run, clock, &words[first + (uint32_t)(q - from)],
                                                   (unsigned)(from + TX_IC_WORDS - q), QUICK_PC);
          clock += pushed;
          c->retired += pushed;
          q += pushed;
          if (q != from + TX_IC_WORDS) continue;
          to = line + 15;
          if (pushed != TX_IC_WORDS) goto jump;
          const uint32_t next = push_lines(run, clock, to);
          if (next >> 16) {
            clock += next & 0xffffu;
            c->retired += next & 0xffffu;
            to += 4 * (next & 0xffffu);
            line += 16 * (next >> 16);
            const uint32_t set = line >> 4 & (TX_IC_SETS - 1);
            first = (set * TX_IC_WAYS + c->fetch.recent[set]) * TX_IC_WORDS;
          }
          goto jump;
        }
#endif
        c->pc = QUICK_PC;
        QUICK_SAVE()
#if TIMED
        if (push(run, q, enter) != TX_STEP_DONE) return;
        room = tx_queue_room_ahead(run, &pushes);
#else
        if (QUICK_FULL || !push_line(run, first + (uint32_t)(q - from))) {
          QUICK_AWAIT_ROOM(await_room(run, q, !CHECKED))
        }
        streams = true;
#endif
        goto resume;
      case TX_RV_ILLEGAL: goto leave;
      default: __builtin_unreachable(); /* no other number is decoded */
    }
    c->retired++;
    if (++q != from + TX_IC_WORDS) continue;
    to = line + 15; /* the next line */
    goto jump;
  }
#if !TIMED && !CHECKED
repeat:
  if (run->no_loop != QUICK_PC && tx_queue_goes_on(run, clock)) {
    const uint32_t steps = run_push_loop(run, clock, to, QUICK_PC);
    clock += steps;
    c->retired += steps;
    to = steps && run->loop_left ? QUICK_PC + 4 : to;
  }
  goto jump;
#endif
loaded:
#if TIMED
  room = 0; /* time may have advanced */
#else
  streams = false;
#endif
  TAINTED();
  if (c->waiting.kind || QUICK_TAINTED) goto stepped;
resume: /* after a push or a load, which change no line of code */
#if TIMED
  slot = c->retire_next;
  last = c->retire[(slot + TX_CORE_RETIRE - 1) % TX_CORE_RETIRE];
  if (last == SIM_NEVER) goto stepped;
#endif
  c->retired++;
  to = c->pc + 4;
  clock = c->clock;
  horizon = run->horizon;
  if (__builtin_expect(run->t->fault.kind != 0, 0)) goto outside;
  goto jump;
stepped:
  TAINTED();
  if (c->waiting.kind) c->waiting.behind++;
  c->retired++;
  c->pc += 4;
  line = 0; /* a store may have reached the core itself */
  continue;
leave:
  to = QUICK_PC;
outside:
  c->pc = to;
  QUICK_SAVE()
}

#undef QUICK_TAKES
#undef QUICK_RESOLVE
#undef QUICK_WATCH
#undef QUICK_TAINTED
#undef QUICK_STACK
#undef QUICK_SAVE
#undef QUICK_PC
#undef QUICK_OPERANDS
#undef QUICK_OTHER
#undef QUICK_STEP
#undef QUICK_LOCAL
#undef QUICK_PUSH
#undef QUICK_PUSHED
#undef QUICK_AWAIT_ROOM
#undef QUICK_FULL
#undef QUICK_ALU
#undef QUICK_MUL
#undef QUICK_BRANCH
#undef QUICK_REPEAT
#undef QUICK_JAL
#undef QUICK_JALR
#undef QUICK_LOAD
#undef QUICK_STORE
#undef QUICK_MARK
#undef QUICK_DIV
#undef QUICK_FLOAT
#undef QUICK_AMO
#undef QUICK_FENCE
#undef QUICK_CSR
#undef QUICK_SYSTEM
#undef QUICK_VECTOR
