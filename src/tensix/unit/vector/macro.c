/* SFPLOADMACRO: a load that schedules up to four further instructions, one for each of the simple, MAD, round and store
 * sub-units, and the counting and execution of those.
 *
 *   sequence byte of a sub-unit    7        6         5   3   2      0
 *                                +--------+---------+-------+--------+     select: 0 nothing, 2 SFPNOP, 3 SFPSTORE,
 *                                | VB/VC  | LReg 16 | delay | select |             4..7 template 0..3
 *                                +--------+---------+-------+--------+
 *
 * Delay 0 executes in the next cycle. Counters step every cycle; but as long as one of the waiting instructions is of
 * the kind WaitForElapsedInstructions, all step with every instruction issued to the unit instead. In a cycle all
 * instructions read the registers and flags from before it. ISA: SFPLOADMACRO.md (Blackhole).
 *
 * With timing off a stream has pauses that hardware does not have: a core fills its FIFO, and continues after the thread has emptied it; a turn
 * ends. The macros of a stream rely on instructions that follow each other. So time stands still for the unit in such a pause: a tick
 * that is due in it waits for the thread's next word, and what happened shortly before it is moved towards that.
 *
 * Against the page's model, a sub-unit byte that selects nothing does not cancel the sub-unit's pending instruction: the
 * vendor's kernels that run on silicon interleave such macros. */
#include "tensix/unit/vector/macro.h"

#include <string.h>

#include "tensix/lap_notes.h"
#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/lanes.h"
#include "tensix/unit/vector/op.h"
#include "tensix/unit/vector/run.h"
#include "tensix/unit/vector/simple.h"
#include "tensix/unit/vector/vector.h"

enum { SELECT_NOTHING, SELECT_UNDEFINED, SELECT_NOP, SELECT_STORE, SELECT_TEMPLATE };
#define USES_VB 0x80u
#define USES_STAGING 0x40u

static struct tx_scheduled *slot_of(struct tx_vector *v, unsigned sub, unsigned delay) {
  tx_assert(sub < TX_SUB_SCHEDULED && delay < 8 && v->slot_base < 8);
  return v->slots[sub][(v->slot_base + delay) & 7u];
}

static uint32_t slot_bit(const struct tx_vector *v, unsigned delay) { return 1u << ((v->slot_base + delay) & 7u); }

static bool any_by_instructions(const struct tx_vector *v) {
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++)
    for (uint32_t left = v->occupied[sub]; left; left &= left - 1)
      for (unsigned i = 0; i < TX_VECTOR_COLUMNS; i++) {
        const struct tx_scheduled *s = &v->slots[sub][__builtin_ctz(left)][i];
        if (s->columns && s->by_instructions) return true;
      }
  return false;
}

static void want_tick(struct tx_tile *t) {
  static const uint32_t nothing[SIM_EFFECT_WORDS];
  if (t->vector.tick_at == tx_now(t) + 1) return;
  t->vector.tick_at = tx_now(t) + 1;
  tx_later(t, 1, TX_EFFECT_VECTOR_TICK, nothing);
}

#define DRAIN_CYCLES 10u /* the longest delay, and a result of two cycles */

static void stay_busy(struct tx_tile *t, unsigned thread, sim_time until) {
  sim_time *drained = &t->units[TX_UNIT_VECTOR].drained_at[thread];
  if (*drained < until) *drained = until;
}

static uint32_t due_next(const struct tx_vector *v) {
  uint32_t bit = slot_bit(v, 0), due = 0;
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++) due |= v->occupied[sub] & bit;
  return due;
}

static void step(struct tx_vector *v) { v->slot_base = (v->slot_base + 1) & 7u; }

void tx_macro_instruction_issued(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  if (any_by_instructions(v)) step(v);
  if (due_next(v) || !t->timing) want_tick(t);
}

bool tx_macro_collides(struct tx_tile *t, const struct tx_vop *op) {
  const struct tx_vector *v = &t->vector;
  unsigned sub = tx_vector_ops[op->opcode].sub_unit;
  if (v->executing_at != tx_now(t) || sub == TX_SUB_LOAD || !(v->executing >> sub & 1u)) return false;
  tx_diag(t, TX_DIAG_SFPU_MACRO_COLLISION, "%s is lost: a scheduled instruction has its sub-unit", tx_ops[op->opcode].name);
  return true;
}

/* --- scheduling --- */

struct request { /* one SFPLOADMACRO */
  struct tx_vexec *x;
  uint32_t word;
  unsigned macro;
  uint16_t address;
};

/* SFPAND and SFPOR encode a VB that is used only with a modifier. */
static bool names_vb(const struct tx_vop *op) {
  bool by_modifier = op->opcode == TX_SFPAND || op->opcode == TX_SFPOR;
  return tx_vector_ops[op->opcode].has_vb && !(by_modifier && !(op->mod & 1u));
}

static void override_registers(struct tx_vop *op, uint32_t bits, uint8_t vd) {
  uint8_t encoded = op->vd;
  if (bits & USES_VB) {
    op->vb = vd;
    if (!tx_vector_ops[op->opcode].has_vc) op->vc = encoded;
  } else {
    op->vc = vd;
    if (!names_vb(op)) op->vb = encoded;
  }
  op->vd = bits & USES_STAGING ? TX_LREG_STAGING : vd;
}

static void override_store(const struct request *q, struct tx_vop *op, uint32_t bits, unsigned column) {
  uint32_t misc = q->x->v->macro.misc[column];
  if (bits & USES_STAGING) op->vd = TX_LREG_STAGING;
  else if (!(bits & USES_VB)) op->vd = q->x->op->vd;
  op->mod = misc >> (4 + q->macro) & 1u ? q->x->op->mod : (uint8_t)(misc & 15u);
}

static bool can_execute(unsigned sub, uint8_t opcode) {
  const struct tx_vector_op *kind = &tx_vector_ops[opcode];
  if (opcode == TX_SFPNOP) return sub != TX_SUB_STORE;
  return kind->run && kind->sub_unit == sub;
}

/* The instruction for a sub-unit in a column; false: the program requested an undefined one. */
static bool chosen_instruction(const struct request *q, unsigned sub, uint32_t bits, unsigned column, struct tx_vop *op) {
  struct tx_vector *v = q->x->v;
  uint32_t select = bits & 7u;
  *op = (struct tx_vop){.opcode = TX_SFPNOP};
  if (select == SELECT_STORE) op->opcode = TX_SFPSTORE;
  if (select >= SELECT_TEMPLATE) *op = tx_vop_decode(v->macro.instruction[select - SELECT_TEMPLATE][column]);
  if (!can_execute(sub, op->opcode)) *op = (struct tx_vop){.opcode = TX_SFPNOP};
  if (select == SELECT_UNDEFINED || !can_execute(sub, op->opcode)) {
    tx_fault(q->x->t, SIM_FAULT_UNDEFINED, "SFPLOADMACRO.md", "macro %u, sequence 0x%08x: undefined for sub-unit %u",
             q->macro, v->macro.sequence[q->macro][column], sub);
    return false;
  }
  if (sub == TX_SUB_STORE) override_store(q, op, bits, column);
  else override_registers(op, bits, q->x->op->vd);
  return true;
}

static void forget(struct tx_vector *v, unsigned sub, unsigned delay, uint32_t columns) {
  struct tx_scheduled *slot = slot_of(v, sub, delay);
  uint32_t left = 0;
  for (unsigned i = 0; i < TX_VECTOR_COLUMNS; i++) left |= slot[i].columns &= (uint8_t)~columns;
  if (!left) v->occupied[sub] &= ~slot_bit(v, delay);
}

static void put(const struct request *q, unsigned sub, unsigned delay, uint32_t columns, const struct tx_vop *op,
                bool by_instructions) {
  struct tx_vector *v = q->x->v;
  struct tx_scheduled *s = slot_of(v, sub, delay);
  while (s->columns) s++; /* columns are disjoint: one of the eight is free */
  tx_assert(s < slot_of(v, sub, delay) + TX_VECTOR_COLUMNS && columns && columns <= 0xffu);
  *s = (struct tx_scheduled){.op = *op,
                             .word = q->word,
                             .pc = q->x->t->current.pc,
                             .address = q->address,
                             .columns = (uint8_t)columns,
                             .thread = (uint8_t)q->x->thread,
                             .by_instructions = by_instructions};
  v->occupied[sub] |= slot_bit(v, delay);
  if (!by_instructions) stay_busy(q->x->t, q->x->thread, tx_now(q->x->t) + 1 + delay + (op->two_cycles ? 2 : 1));
}

/* Columns of `among` whose sequence schedules the same instruction on sub-unit `sub` as that of `column`. */
static uint32_t like_columns(const struct tx_vector *v, unsigned macro, unsigned sub, unsigned column, uint32_t among) {
  uint32_t bits = v->macro.sequence[macro][column] >> sub * 8 & 0xffu, same = 0;
  unsigned template = bits & 3u; /* of selections 4..7 */
  for (unsigned c = column; c < TX_VECTOR_COLUMNS; c++) {
    bool like = (v->macro.sequence[macro][c] >> sub * 8 & 0xffu) == bits && v->macro.misc[c] == v->macro.misc[column] &&
                v->macro.instruction[template][c] == v->macro.instruction[template][column];
    same |= (uint32_t)like << c;
  }
  return same & among;
}

static void schedule_sub_unit(const struct request *q, unsigned sub) {
  struct tx_vector *v = q->x->v;
  for (uint32_t left = 0xffu; left;) {
    unsigned column = (unsigned)__builtin_ctz(left);
    uint32_t columns = like_columns(v, q->macro, sub, column, left);
    uint32_t bits = v->macro.sequence[q->macro][column] >> sub * 8 & 0xffu;
    unsigned delay = bits >> 3 & 7u;
    struct tx_vop op;
    left &= ~columns;
    if ((bits & 7u) == SELECT_NOTHING) continue;
    if (delay != 7) forget(v, sub, delay, columns);
    if (!chosen_instruction(q, sub, bits, column, &op)) return;
    put(q, sub, delay, columns, &op, v->macro.misc[column] >> (8 + sub) & 1u);
  }
}

void tx_macro_schedule(struct tx_vexec *x, uint32_t word, uint16_t address) {
  struct request q = {.x = x, .word = word, .macro = TX_FIELD(word, SFPLOADMACRO, lreg_ind) >> 2, .address = address};
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++) schedule_sub_unit(&q, sub);
  x->v->macro_thread = x->thread;
  if (due_next(x->v) || (tx_macro_waiting(x->v) && !any_by_instructions(x->v))) want_tick(x->t);
}

/* --- executing --- */

static struct tx_vexec context(struct tx_tile *t, const struct tx_vop *op, unsigned thread) {
  struct tx_vector *v = &t->vector;
  struct tx_vexec x = {.t = t, .v = v, .op = op, .flags = v->view_flags, .thread = thread, .scheduled = true};
  x.in = x.in_late = (const tx_row *)v->view;
  x.ops = v->scalar_only || !t->unsaved.lane_ops ? &tx_lanes_scalar : t->unsaved.lane_ops;
  return x;
}

static void run_scheduled(struct tx_tile *t, const struct tx_scheduled *s) {
  struct tx_vector *v = &t->vector;
  struct tx_vexec x = context(t, &s->op, s->thread);
  t->current =
      (struct tx_current){.agent = tx_agent_of_thread(s->thread), .word = s->word, .pc = s->pc, .unit = TX_UNIT_VECTOR};
  x.address = s->address;
  x.lanes = tx_column_lanes(s->columns);
  x.enabled = x.lanes & v->view_enabled;
  tx_vector_report_too_soon(&x);
  tx_vector_run(&x);
  stay_busy(t, s->thread, tx_now(t) + (s->op.two_cycles ? 2 : 1));
}

/* One-cycle instructions first: if both write one register, the two-cycle result is written later. */
static void run_due(struct tx_tile *t, bool two_cycles) {
  struct tx_vector *v = &t->vector;
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++) {
    if (!(v->occupied[sub] & slot_bit(v, 0))) continue;
    struct tx_scheduled *slot = slot_of(v, sub, 0);
    for (unsigned i = 0; i < TX_VECTOR_COLUMNS; i++)
      if (slot[i].columns && slot[i].op.two_cycles == two_cycles) run_scheduled(t, &slot[i]);
    v->executing |= 1u << sub;
  }
}

static void clear_due(struct tx_vector *v) {
  for (unsigned sub = 0; sub < TX_SUB_SCHEDULED; sub++) {
    memset(slot_of(v, sub, 0), 0, sizeof v->slots[sub][0]);
    v->occupied[sub] &= ~slot_bit(v, 0);
  }
}

/* Simple and round results share a write port: one of the two has to go to LReg 16. */
static void report_write_port(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const struct tx_scheduled *simple = slot_of(v, TX_SUB_SIMPLE, 0), *round = slot_of(v, TX_SUB_ROUND, 0);
  if (!(v->occupied[TX_SUB_SIMPLE] & v->occupied[TX_SUB_ROUND] & slot_bit(v, 0))) return;
  if (simple->op.opcode == TX_SFPNOP || round->op.opcode == TX_SFPNOP) return;
  if ((simple->op.vd == TX_LREG_STAGING) != (round->op.vd == TX_LREG_STAGING)) return;
  t->current = (struct tx_current){
      .agent = tx_agent_of_thread(simple->thread), .word = simple->word, .pc = simple->pc, .unit = TX_UNIT_VECTOR};
  tx_diag(t, TX_DIAG_SFPU_MACRO_COLLISION, "simple and round in one cycle: just one of them may write LReg16");
}

static void tick(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const bool swap = v->swap_at == tx_now(t);
  if (due_next(v) || swap) {
    tx_vector_begin_cycle(t);
    report_write_port(t);
    if (swap) {
      struct tx_vop op = v->swap;
      struct tx_vexec x = context(t, &op, 0);
      tx_vector_finish_swap(&x, v->swap_enabled);
    }
    run_due(t, false);
    run_due(t, true);
    clear_due(v);
  }
  const bool by_cycles = tx_macro_waiting(v) && !any_by_instructions(v);
  if (by_cycles) step(v);
  if (by_cycles || v->swap_at == tx_now(t) + 1) want_tick(t);
}

/* --- pauses of a stream, with timing off --- */

/* Between two looks at whether the stream continues: as long as the pause, and at least so many. */
#define LOOK_CYCLES 32u
#define PAUSE_CYCLES 4096u /* a core may compute for so long before it pushes again */

static bool has_words(const struct tx_frontend *fe) {
  return fe->fifo1.count | fe->fifo2.count | fe->fifo3.count | fe->mop.active | fe->replay.playing | fe->brisc_count;
}

/* Is the unit in the middle of a stream: does the thread have words, or is its core about to push some? `*acts`: it acts in
 * this cycle. */
static bool continues(const struct tx_tile *t, bool *acts) {
  const struct tx_vector *v = &t->vector;
  const struct sim_engine *engine = &t->engine;
  const unsigned agent = tx_agent_of_thread(v->macro_thread);
  const struct sim_agent *thread = &engine->agents[agent], *core = &engine->agents[tx_agent_of_trisc(v->macro_thread)];
  const bool words = has_words(&t->frontend[v->macro_thread]);
  *acts = words && engine->turn == agent + 1 && thread->at <= engine->now && engine->now < engine->turn_end;
  if (words) return thread->at != SIM_NEVER && !thread->wait.kind;
  if (engine->now - v->tick_at >= PAUSE_CYCLES) return false;
  return core->wait.kind == TX_BLOCKED_FIFO || (core->at != SIM_NEVER && !core->wait.kind);
}

/* A look of wait_for_stream, not a tick; the pause that it was scheduled in may have ended before. */
static bool is_look(const struct sim_effect *e) { return e->w[0]; }
static bool is_of_pause(const struct tx_tile *t, const struct sim_effect *e) {
  return e->w[1] == (uint32_t)t->vector.tick_at;
}

static void wait_for_stream(struct tx_tile *t) {
  const unsigned thread = t->vector.macro_thread;
  const sim_time pause = tx_now(t) - t->vector.tick_at;
  const struct sim_effect look = {.at = tx_now(t) + (pause > LOOK_CYCLES ? pause : LOOK_CYCLES),
                                  .kind = TX_EFFECT_VECTOR_TICK,
                                  .agent = (uint16_t)tx_agent_of_thread(thread),
                                  .w = {1, (uint32_t)t->vector.tick_at}};
  stay_busy(t, thread, look.at + DRAIN_CYCLES);
  if (!sim_effect_at(&t->engine, look))
    tx_fault(t, SIM_FAULT_CAPACITY, "engine.h", "more than %u effects pending at once", SIM_EFFECTS_MAX);
  if (tx_lap_noting(t)) tx_lap_refuse(t, "the vector unit pauses");
}

/* The pause ends with this cycle. What happened within two cycles before it may still be seen. */
static void end_pause(struct tx_tile *t) {
  struct tx_vector *v = &t->vector;
  const sim_time tick_at = v->tick_at, pause = tx_now(t) - tick_at;
  sim_time *times[] = {&v->executing_at, &v->swap_at, &v->backdoor_changed_at, &v->hidden[0].at, &v->hidden[1].at};
  for (unsigned i = 0; i < sizeof times / sizeof *times; i++)
    if (*times[i] <= tick_at && tick_at - *times[i] <= 2) *times[i] += pause;
  if (pause & 1u) { /* `hidden` is by parity */
    const struct tx_hidden first = v->hidden[0];
    v->hidden[0] = v->hidden[1];
    v->hidden[1] = first;
  }
  v->tick_at = SIM_NEVER;
}

void tx_macro_go_on(struct tx_tile *t, unsigned thread) {
  sim_time *drained = &t->units[TX_UNIT_VECTOR].drained_at[thread];
  if (thread != t->vector.macro_thread || !has_words(&t->frontend[thread])) return;
  const struct tx_current current = t->current;
  end_pause(t);
  tick(t);
  if (*drained > tx_now(t) + DRAIN_CYCLES) *drained = tx_now(t) + DRAIN_CYCLES;
  t->current = current;
  if (tx_lap_noting(t)) tx_lap_refuse(t, "the vector unit paused");
}

/* Laps are repeated outside turns, and have no pauses. */
void tx_effect_VECTOR_TICK(struct tx_tile *t, const struct sim_effect *e) {
  struct tx_vector *v = &t->vector;
  if (!t->timing) {
    bool acts;
    if (v->tick_at > tx_now(t) || (is_look(e) && !is_of_pause(t, e))) return; /* it has been done since */
    if (t->engine.in_turns && tx_macro_waiting(v) && continues(t, &acts) && !acts) {
      wait_for_stream(t);
      return;
    }
    end_pause(t);
  }
  tick(t);
}
