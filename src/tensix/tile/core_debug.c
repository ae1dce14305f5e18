/* The debug interface of core_debug.h. */
#include "tensix/tile/core_debug.h"

#include <stdio.h>
#include <string.h>

#include "tensix/machine.h"
#include "tensix/riscv/halt.h"
#include "tensix/riscv/queue.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/reset_vector.h"

/* commands */
enum {
  PAUSE = 1u << 0,
  STEP = 1u << 1,
  RESUME = 1u << 2,
  READ_REGISTER = 1u << 3,
  WRITE_REGISTER = 1u << 4,
  READ_MEMORY = 1u << 5,
  WRITE_MEMORY = 1u << 6,
  CLEAR_REGISTERS = 1u << 7,
  WRITE_PC = 1u << 8
};

static unsigned core_of(unsigned which) { return which == 0 ? TX_CORE_BRISC : which - 1; }

/* The command has no effect. The host prints the reason, a constant text; for a debugger on the NoC it is a note. */
static void refuse(struct tx_tile *t, unsigned core, const char *why, const char *detail) {
  t->unsaved.debug_refusal = why;
  t->current = (struct tx_current){.agent = TX_AGENT_TRISC0 + core, .pc = t->core[core].pc, .unit = TX_UNIT_FRONTEND};
  tx_diag(t, TX_DIAG_UNTESTED_MODE, "debug interface of %s: %s", tx_core_name(core), detail ? detail : why);
}

/* Stores that have not left the queue do not delay a pause; a load without its value does. */
static bool is_paused(const struct tx_core *c) { return c->state == TX_CORE_EBREAK && !c->waiting.kind; }

static uint32_t status(const struct tx_tile *t, unsigned which) {
  if (!is_paused(&t->core[core_of(which)])) return 0;
  if (!t->core_debug.paused[which]) return TX_DR_PAUSED | TX_DR_HIT_EBREAK;
  return TX_DR_PAUSED | t->core_debug.dr[which][TX_DR_STATUS];
}

uint32_t tx_core_debug_pc(const struct tx_tile *t, unsigned core) {
  const struct tx_core *c = &t->core[core];
  if (c->state == TX_CORE_HELD) return 0;
  return c->state == TX_CORE_EBREAK && c->stop_word ? c->pc + 4 : c->pc;
}

/* --- commands --- */

static void pause(struct tx_tile *t, unsigned which) {
  struct tx_core *c = &t->core[core_of(which)];
  if (c->state != TX_CORE_RUNNING) return;
  c->state = TX_CORE_EBREAK;
  c->stop_word = 0;
  c->flush = 1; /* its store queue empties */
  t->core_debug.paused[which] = 1;
  t->core_debug.until[which] = 0;
  t->core_debug.dr[which][TX_DR_STATUS] = 0; /* an instruction that was hit has not executed */
  sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core_of(which), t->engine.now + 1);
}

/* Resumes after an ebreak, which counts as executed, like a nop. `count`: pauses again after so many instructions; 0: does not. */
static void resume(struct tx_tile *t, unsigned which, unsigned count) {
  struct tx_core_debug *d = &t->core_debug;
  struct tx_core *c = &t->core[core_of(which)];
  c->pc = tx_core_debug_pc(t, core_of(which));
  d->paused[which] = d->half_step[which] = 0;
  d->dr[which][TX_DR_STATUS] = 0;
  d->until[which] = count ? c->retired + count : 0;
  c->state = TX_CORE_RUNNING;
  c->stop_word = 0;
  tx_halt_arm(t, core_of(which));
  if (c->clock <= t->engine.now) c->clock = t->engine.now + 1;
  sim_unblock(&t->engine, TX_AGENT_TRISC0 + core_of(which));
  sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core_of(which), c->clock);
}

/* A defect of Blackhole: only the second of two commands steps (inferred from tt-exalens, which gives the command twice per step). */
static void step(struct tx_tile *t, unsigned which) {
  t->core_debug.half_step[which] ^= 1u;
  if (!t->core_debug.half_step[which]) resume(t, which, 1);
}

static void access_registers(struct tx_tile *t, unsigned which, uint32_t command) {
  struct tx_core *c = &t->core[core_of(which)];
  uint32_t *dr = t->core_debug.dr[which], index = dr[TX_DR_ARGUMENT0];
  if (command & CLEAR_REGISTERS) memset(c->x, 0, sizeof c->x);
  if (!(command & (READ_REGISTER | WRITE_REGISTER))) return;
  if (index > 32) {
    refuse(t, core_of(which), "there are registers 0 to 31, and pc as 32", NULL);
    return;
  }
  if (command & READ_REGISTER) dr[TX_DR_RESULT] = index == 32 ? tx_core_debug_pc(t, core_of(which)) : c->x[index];
  if (command & WRITE_REGISTER && index >= 1 && index < 32) c->x[index] = dr[TX_DR_ARGUMENT1];
}

/* Performs lw or sw for the core. An access that would be a fault of the core is refused, and the chip runs on; a load then reads all ones. */
static void access_memory(struct tx_tile *t, unsigned which, bool store) {
  uint32_t *dr = t->core_debug.dr[which], address = dr[TX_DR_ARGUMENT0], stop = t->engine.stop;
  unsigned core = core_of(which), agent = TX_AGENT_TRISC0 + core;
  const struct tx_core *c = &t->core[core];
  struct tx_bus_answer answer = {.result = TX_BUS_WAIT};
  if (!store) dr[TX_DR_RESULT] = UINT32_MAX;
  if (t->fault.kind) return;
  if (!tx_queue_occupied(c, t->engine.now) || !tx_queue_overlaps(c, address, 4, t->engine.now))
    answer = store ? t->unsaved.ports->store(t, agent, address, dr[TX_DR_ARGUMENT1], 4)
                   : t->unsaved.ports->load(t, agent, address, 4);
  if (answer.result == TX_BUS_WAIT) refuse(t, core, "the access would have to wait", NULL);
  if (answer.result == TX_BUS_FAULT) {
    char why[SIM_WHY_MAX];
    snprintf(why, sizeof why, "%s", t->fault.why);
    memset(&t->fault, 0, sizeof t->fault);
    t->engine.stop = stop;
    refuse(t, core, "the access would be a fault of the core", why);
  }
  if (answer.result == TX_BUS_DONE && !store) dr[TX_DR_RESULT] = answer.value;
}

/* Bit 31 is slow execution: the new pc is the second argument, as tt-exalens writes it; else the reset vector. */
static void write_pc(struct tx_tile *t, unsigned which, uint32_t value) {
  struct tx_core *c = &t->core[core_of(which)];
  c->pc = value >> 31 ? t->core_debug.dr[which][TX_DR_ARGUMENT1] & ~3u : tx_control_reset_pc(t, core_of(which));
  c->stop_word = 0; /* an ebreak no longer has an effect */
  t->core_debug.paused[which] = 1;
  t->core_debug.dr[which][TX_DR_STATUS] = 0;
}

static void command(struct tx_tile *t, unsigned which, uint32_t value) {
  if (value & PAUSE) pause(t, which);
  if (!(value & 0x1feu)) return;
  if (!is_paused(&t->core[core_of(which)])) {
    refuse(t, core_of(which), "it needs a paused core, and the core is not paused", NULL);
    return;
  }
  access_registers(t, which, value);
  if (value & READ_MEMORY) access_memory(t, which, false);
  if (value & WRITE_MEMORY) access_memory(t, which, true);
  if (value & WRITE_PC) write_pc(t, which, value);
  if (value & RESUME) resume(t, which, 0);
  else if (value & STEP && !(value & WRITE_PC)) step(t, which);
}

/* --- DR registers --- */

static void write_dr(struct tx_tile *t, unsigned which, uint32_t index, uint32_t value) {
  if (index == TX_DR_STATUS || index == TX_DR_RESULT || index >= TX_DR_COUNT) return;
  if (index > TX_DR_MODES && index < TX_DR_ADDRESS) return;
  t->core_debug.dr[which][index] = value;
  if (index == TX_DR_COMMAND) command(t, which, value);
  if (index == TX_DR_MODES) tx_halt_arm(t, core_of(which));
}

void tx_core_debug_control(struct tx_tile *t, uint32_t before, uint32_t value) {
  struct tx_core_debug *d = &t->core_debug;
  uint32_t index = value & 0x7ffu, is_write = value >> 16 & 1u, which = value >> 17 & 3u;
  t->unsaved.debug_refusal = NULL;
  if (value & ~before & 0x80000000u) {
    if (is_write) {
      write_dr(t, which, index, t->control.word[TX_CONTROL_RISC_DBG_CNTL_1 / 4]);
      d->status[0] = 0;
    } else {
      d->status[1] = index == TX_DR_STATUS ? status(t, which) : index < TX_DR_COUNT ? d->dr[which][index] : 0;
      d->status[0] = 1u << 30;
    }
  }
  d->status[0] = (d->status[0] & 1u << 30) | index | is_write << (13 + which) | (value & 0x80000000u);
}

void tx_core_debug_reset(struct tx_tile *t, unsigned core) {
  unsigned which = tx_halt_number(core), bit = 2 * core + 1;
  if (core == TX_CORE_NCRISC) return; /* has no debug interface */
  t->core_debug.paused[which] = t->core_debug.half_step[which] = 0;
  t->core_debug.until[which] = 0;
  t->core_debug.dr[which][TX_DR_STATUS] = 0;
  if (!(t->control.word[TX_CONTROL_DISABLE_RESET / 4] >> bit & 1u))
    memset(t->core_debug.dr[which], 0, sizeof t->core_debug.dr[which]);
}
