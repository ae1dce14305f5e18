/* Ahead of a core (ahead.h): all ways of its code are followed without executing it. */
#include "observe/hang/ahead.h"

#define AHEAD_MAX 1024u /* instructions */
#define AHEAD_WAYS 64u

struct ahead {
  uint32_t first;           /* address of the first entry of `seen` */
  uint32_t seen[AHEAD_MAX]; /* the registers with which a way has met each instruction around the begin */
  uint32_t pc[AHEAD_WAYS], live[AHEAD_WAYS];
  unsigned count;
};

#define REGISTERS(first, last) ((2u << (last)) - (1u << (first)))
#define CALL_RESULTS REGISTERS(10, 11)                                        /* a0, a1 */
#define CALL_ARGUMENTS REGISTERS(10, 17)                                      /* a0 to a7 */
#define CALL_LOST (REGISTERS(5, 7) | REGISTERS(10, 17) | ~(REGISTERS(0, 27))) /* t and a: a function may change them */

static void go_ahead(struct ahead *w, uint32_t pc, uint32_t live) {
  if (live && w->count < AHEAD_WAYS) w->pc[w->count] = pc, w->live[w->count++] = live;
}

static uint32_t registers_read(const struct tx_insn *d) {
  bool second = d->class == TX_RV_CLASS_BRANCH || d->class == TX_RV_CLASS_STORE || d->class == TX_RV_CLASS_ALU ||
                d->class == TX_RV_CLASS_MUL || d->class == TX_RV_CLASS_DIV || d->class == TX_RV_CLASS_AMO;
  uint32_t read = d->rs1 < 32 ? 1u << d->rs1 : 0;
  return (second && d->rs2 < 32 ? read | 1u << d->rs2 : read) & ~1u;
}

/* One instruction of a way; true: it reads a register of `live`, or where it goes is not known. */
static bool reads_ahead(struct ahead *w, const struct tx_insn *d, uint32_t pc, uint32_t live) {
  uint32_t written = d->rd > 0 && d->rd < 32 ? 1u << d->rd : 0;
  bool calls = d->class == TX_RV_CLASS_JAL && written, returns = d->class == TX_RV_CLASS_JALR && !written && d->rs1 == 1;
  if (returns) return live & CALL_RESULTS; /* others are restored or lost */
  if (d->class == TX_RV_CLASS_JALR || d->class == TX_RV_CLASS_ILLEGAL) return true;
  if (calls && live & CALL_ARGUMENTS) return true;
  if (calls) return go_ahead(w, pc + 4, live & ~CALL_LOST), false;
  if (d->class != TX_RV_CLASS_JAL && registers_read(d) & live) return true;
  if (d->class == TX_RV_CLASS_BRANCH || d->class == TX_RV_CLASS_JAL) go_ahead(w, pc + d->imm, live);
  if (d->class != TX_RV_CLASS_JAL && d->class != TX_RV_CLASS_SYSTEM) go_ahead(w, pc + 4, live & ~written);
  return false;
}

bool obs_reads_ahead(const struct tx_tile *t, unsigned core, uint32_t from, uint32_t registers) {
  struct ahead w = {.first = from - 4 * (AHEAD_MAX / 2)};
  go_ahead(&w, from, registers);
  while (w.count) {
    uint32_t pc = w.pc[--w.count], at = (pc - w.first) / 4, live = w.live[w.count];
    if (pc & 3u || pc > TX_L1_BYTES - 4 || at >= AHEAD_MAX || w.count + 2 > AHEAD_WAYS) return true;
    if (!(live & ~w.seen[at])) continue;
    w.seen[at] |= live;
    struct tx_insn d = obs_insn_at(t, &t->core[core], pc);
    if (reads_ahead(&w, &d, pc, live)) return true;
  }
  return false;
}

/* --- what depends on a load --- */

/* Registers, and in the upper half words of the stack frame, that hold what was computed from the load. */
#define SLOT(imm) (UINT64_C(1) << (32 + ((imm) / 4 & 31u)))

struct derived {
  uint32_t pc[AHEAD_WAYS];
  uint64_t live[AHEAD_WAYS], seen[AHEAD_MAX];
  unsigned count;
};

static void derive(struct derived *w, uint32_t pc, uint64_t live) {
  if (live && w->count < AHEAD_WAYS) w->pc[w->count] = pc, w->live[w->count++] = live;
}

/* One instruction of a way; true: it is a branch on the value, or returns the value. */
static bool decides(struct derived *w, const struct tx_insn *d, uint32_t pc, uint64_t live) {
  uint64_t written = d->rd > 0 && d->rd < 32 ? UINT64_C(1) << d->rd : 0, after = live & ~written;
  bool reads = registers_read(d) & live, on_stack = d->rs1 == 2;
  switch (d->class) {
    case TX_RV_CLASS_BRANCH:
      if (reads) return true;
      derive(w, pc + d->imm, live);
      break;
    case TX_RV_CLASS_ALU:
    case TX_RV_CLASS_MUL:
    case TX_RV_CLASS_DIV: after |= reads ? written : 0; break;
    case TX_RV_CLASS_LOAD: after |= on_stack && live & SLOT(d->imm) ? written : 0; break;
    case TX_RV_CLASS_STORE:
      if (on_stack) after = live >> d->rs2 & 1u ? live | SLOT(d->imm) : live & ~SLOT(d->imm);
      break;
    case TX_RV_CLASS_JAL:
      if (!written) return derive(w, pc + d->imm, live), false;
      if (live & CALL_ARGUMENTS) derive(w, pc + d->imm, live & CALL_ARGUMENTS);
      after &= ~(uint64_t)CALL_LOST;
      break;
    case TX_RV_CLASS_JALR: return !written && d->rs1 == 1 && live & CALL_RESULTS;
    case TX_RV_CLASS_SYSTEM:
    case TX_RV_CLASS_ILLEGAL: return false;
    default: break;
  }
  derive(w, pc + 4, after);
  return false;
}

bool obs_decides(const struct tx_tile *t, unsigned core, uint32_t load) {
  struct derived w = {.count = 0};
  uint32_t first = load - 4 * (AHEAD_MAX / 2);
  if (load & 3u || load > TX_L1_BYTES - 4) return false;
  struct tx_insn d = obs_insn_at(t, &t->core[core], load);
  if (d.rd > 0 && d.rd < 32) derive(&w, load + 4, UINT64_C(1) << d.rd);
  while (w.count) {
    uint32_t pc = w.pc[--w.count], at = (pc - first) / 4;
    uint64_t live = w.live[w.count];
    if (pc & 3u || pc > TX_L1_BYTES - 4 || at >= AHEAD_MAX || !(live & ~w.seen[at])) continue;
    w.seen[at] |= live;
    d = obs_insn_at(t, &t->core[core], pc);
    if (decides(&w, &d, pc, live)) return true;
  }
  return false;
}

/* --- loads of a word that was stored --- */

/* One instruction of a way on which the register of the store's address is unchanged; true: a load of the same word. */
static bool loads_again(struct ahead *w, const struct tx_insn *d, const struct tx_insn *store, uint32_t pc) {
  bool jump = d->class == TX_RV_CLASS_JAL, calls = jump && d->rd > 0 && d->rd < 32;
  uint32_t base = 1u << store->rs1;
  if (d->class == TX_RV_CLASS_LOAD && d->rs1 == store->rs1 && d->imm == store->imm) return true;
  if (d->class == TX_RV_CLASS_JALR || d->class == TX_RV_CLASS_ILLEGAL || d->class == TX_RV_CLASS_SYSTEM) return false;
  if (d->class == TX_RV_CLASS_BRANCH || (jump && !calls)) go_ahead(w, pc + d->imm, base);
  if (jump && !calls) return false;
  bool lost = d->rd == store->rs1 || (calls && base & CALL_LOST);
  if (!lost) go_ahead(w, pc + 4, base);
  return false;
}

bool obs_compares_stored(const struct tx_tile *t, unsigned core, uint32_t at) {
  struct ahead w = {.first = at - 4 * (AHEAD_MAX / 2)};
  if (at & 3u || at > TX_L1_BYTES - 4) return false;
  struct tx_insn store = obs_insn_at(t, &t->core[core], at);
  if (store.class != TX_RV_CLASS_STORE || store.rs1 >= 32) return false;
  go_ahead(&w, at + 4, 1u << store.rs1);
  while (w.count) {
    uint32_t pc = w.pc[--w.count], place = (pc - w.first) / 4;
    if (pc & 3u || pc > TX_L1_BYTES - 4 || place >= AHEAD_MAX || w.seen[place]) continue;
    w.seen[place] = 1;
    struct tx_insn d = obs_insn_at(t, &t->core[core], pc);
    if (loads_again(&w, &d, &store, pc)) {
      if (obs_decides(t, core, pc)) return true;
      if (d.rd != store.rs1) go_ahead(&w, pc + 4, 1u << store.rs1);
    }
  }
  return false;
}
