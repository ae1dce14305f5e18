#include "tensix/riscv/halt.h"

#include "sim/keep.h"

#define NONE 4u

unsigned tx_halt_number(unsigned core) { return core == TX_CORE_BRISC ? 0 : core == TX_CORE_NCRISC ? NONE : core + 1; }

static unsigned mode_of(const uint32_t *dr, unsigned i) { return dr[TX_DR_MODES] >> (4 * i) & 15u; }

void tx_halt_arm(struct tx_tile *t, unsigned core) {
  struct tx_core *c = sim_keep(&t->core[core]);
  unsigned number = tx_halt_number(core);
  if (number == NONE) return;
  bool on = t->core_debug.until[number] != 0;
  for (unsigned i = 0; i < TX_DR_BREAKS; i++) {
    unsigned mode = mode_of(t->core_debug.dr[number], i);
    on |= mode >= TX_DR_BREAK && mode <= TX_DR_ACCESS;
  }
  c->one_by_one = (c->one_by_one & ~(uint32_t)TX_TESTS_DEBUG) | (on ? TX_TESTS_DEBUG : 0);
  if (!on) return;
  c->spin.seen = 0; /* a parked spin continues in phase */
  if (c->spin.parked) sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core, t->engine.now + 1);
}

/* The bytes of memory that the instruction at pc accesses; 0: none. */
static unsigned accessed(const struct tx_core *c, const struct tx_insn *d, uint32_t *address) {
  bool atomic = d->class == TX_RV_CLASS_AMO, known = !c->waiting.kind || c->waiting.rd != d->rs1;
  if ((!atomic && d->class != TX_RV_CLASS_LOAD && d->class != TX_RV_CLASS_STORE) || !known) return 0;
  *address = c->r[d->rs1] + (atomic ? 0 : d->imm);
  return tx_access_bytes(d->op);
}

static bool watches(unsigned mode, const struct tx_insn *d) {
  bool loads = d->class != TX_RV_CLASS_STORE, stores = d->class != TX_RV_CLASS_LOAD;
  return (mode == TX_DR_READ && loads) || (mode == TX_DR_WRITE && stores) || mode == TX_DR_ACCESS;
}

/* The bits of DR(0) for the instruction at pc. */
static uint32_t hits(const struct tx_core *c, const uint32_t *dr) {
  const struct tx_insn d = tx_rv_decode(c->fetch.words[c->fetch.slot * TX_IC_WORDS + (c->pc >> 2 & 3u)]);
  uint32_t address = 0, found = 0;
  unsigned bytes = accessed(c, &d, &address);
  for (unsigned i = 0; i < TX_DR_BREAKS; i++) {
    unsigned mode = mode_of(dr, i);
    uint32_t at = dr[TX_DR_ADDRESS + i];
    if (mode == TX_DR_BREAK && at == c->pc) found |= TX_DR_HIT_PC | (uint32_t)TX_DR_HIT_FIRST << i;
    if (watches(mode, &d) && at - address < bytes) found |= TX_DR_HIT_MEMORY | (uint32_t)TX_DR_HIT_FIRST << i;
  }
  return found;
}

bool tx_halt_stops(struct tx_core_run *run) {
  struct tx_core *c = run->c;
  struct tx_core_debug *debug = &run->t->core_debug;
  unsigned number = tx_halt_number(run->core);
  uint64_t *until = &debug->until[number];
  if (*until && c->retired >= *until) {
    if (c->clock > run->now) { /* it pauses in the cycle of the instruction, not when it runs ahead */
      run->wake = c->clock;
      return true;
    }
    c->state = TX_CORE_EBREAK;
    c->stop_word = 0;
    c->flush = c->queue_count != 0; /* its store queue empties */
    c->spin.seen = 0;
    *until = 0;
    debug->paused[number] = 1;
    return true;
  }
  uint32_t found = hits(c, debug->dr[number]);
  if (found) {
    debug->dr[number][TX_DR_STATUS] = found;
    *until = c->retired + 1;
  }
  return false;
}
