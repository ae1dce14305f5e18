/* Ahead of a core (ahead.h): all ways of its code are followed without executing it. */
#include "observe/ahead.h"

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
