/* The interrupts of interrupt.h. */
#include "tensix/riscv/interrupt.h"

#include "sim/keep.h"
#include "tensix/machine.h"

enum { SW_ENABLE, HW_ENABLE, NUMBER, CORE_WORDS }; /* of BRISC; NCRISC's follow */
#define REFILL_CYCLES 4u                           /* ISA: README.md, "EX1" */

static unsigned place_of(unsigned core) { return core == TX_CORE_BRISC ? 0 : 1; }
static bool can_be_interrupted(unsigned core) { return core >= TX_THREADS; }

void tx_interrupt_enabled(struct tx_tile *t, unsigned core) {
  const uint32_t *word = &t->pic.word[place_of(core) * CORE_WORDS];
  struct tx_core *c = sim_keep(&t->core[core]);
  bool enabled = word[SW_ENABLE] || word[HW_ENABLE];
  c->one_by_one = (c->one_by_one & ~(uint32_t)TX_TESTS_INTERRUPTS) | (enabled ? TX_TESTS_INTERRUPTS : 0);
  if (!enabled) return;
  c->spin.seen = 0; /* a parked spin continues in phase, and polls */
  if (c->spin.parked) sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core, t->engine.now + 1);
}

void tx_interrupt_reset(struct tx_tile *t, unsigned core) {
  if (!can_be_interrupted(core)) return;
  t->pic.in_handler[place_of(core)] = 0;
  tx_interrupt_enabled(t, core);
}

bool tx_interrupt_handled(const struct tx_tile *t, unsigned core) {
  return can_be_interrupted(core) && t->pic.in_handler[place_of(core)];
}

static bool is_raised(const struct tx_pic *pic, const uint32_t *enables, unsigned number) {
  bool enabled = number < 32 ? enables[SW_ENABLE] >> number & 1u : enables[HW_ENABLE] >> (number - 32) & 1u;
  return enabled && pic->word[TX_PIC_SW_INT + number]; /* hardware's words follow software's */
}

bool tx_interrupt_take(struct tx_core_run *run) {
  struct tx_pic *pic = &run->t->pic;
  struct tx_core *c = run->c;
  unsigned place = place_of(run->core);
  uint32_t *own = &pic->word[place * CORE_WORDS];
  if (pic->in_handler[place]) return false;
  for (unsigned i = 1; i <= TX_PIC_INTERRUPTS; i++) {
    unsigned number = (pic->last[place] + i) % TX_PIC_INTERRUPTS;
    if (!is_raised(pic, own, number)) continue;
    pic->last[place] = own[NUMBER] = number;
    pic->in_handler[place] = 1;
    pic->restore_pc[place] = c->csr[TX_CSR_RESTORE_PC] = c->pc;
    c->pc = pic->word[TX_PIC_PC + number] & ~3u;
    c->clock = tx_later_of(c->clock, run->now) + (run->t->timing ? REFILL_CYCLES : 1);
    c->spin.seen = 0;
    c->passed_break = 0;
    return true;
  }
  return false;
}

enum tx_step tx_interrupt_return(struct tx_core_run *run, sim_time enter) {
  struct tx_core *c = run->c;
  unsigned place = place_of(run->core);
  if (!can_be_interrupted(run->core) || !run->t->pic.in_handler[place]) {
    tx_fault(run->t, SIM_FAULT_BAD_INSTRUCTION, "PIC.md", "%s: mret at 0x%x: no interrupt handler runs",
             tx_core_name_in(run->t, run->core), c->pc);
    return TX_STEP_LATER;
  }
  run->t->pic.in_handler[place] = 0;
  c->pc = run->t->pic.restore_pc[place] - 4; /* the caller continues at the next instruction */
  tx_core_retire(c, enter + 1);
  c->clock = enter + 1 + (run->t->timing ? REFILL_CYCLES : 0);
  c->spin.seen = 0;
  return TX_STEP_DONE;
}

void tx_interrupt_store(struct tx_core_run *run, uint32_t address) {
  if (!can_be_interrupted(run->core) || address - TX_ADDR_PIC >= 8 * CORE_WORDS) return;
  run->c->one_by_one |= TX_TESTS_INTERRUPTS;
  if (run->t->timing) run->horizon = run->now;
}
