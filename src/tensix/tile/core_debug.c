/* The debug interface of core_debug.h. */
#include "tensix/tile/core_debug.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/riscv/queue.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/reset_vector.h"

enum { STATUS, COMMAND, ARGUMENT0, ARGUMENT1, RESULT, BREAK_MODES, BREAK_ADDRESS = 10 };
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

static bool refuse(struct tx_tile *t, unsigned core, const char *why) {
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "DebugInterface.md", "debug interface of %s: %s", tx_core_name(core), why);
  return false;
}

static bool is_paused(const struct tx_tile *t, const struct tx_core *c) {
  return c->state == TX_CORE_EBREAK && !c->waiting.kind && !tx_queue_occupied(c, t->engine.now);
}

static uint32_t status(const struct tx_tile *t, unsigned which) {
  const struct tx_core *c = &t->core[core_of(which)];
  if (!is_paused(t, c)) return 0;
  return t->core_debug.paused[which] ? 1u : 1u | 1u << 3;
}

/* --- commands --- */

static void pause(struct tx_tile *t, unsigned which) {
  struct tx_core *c = &t->core[core_of(which)];
  if (c->state != TX_CORE_RUNNING) return;
  c->state = TX_CORE_EBREAK;
  c->flush = 1; /* its store queue empties */
  t->core_debug.paused[which] = 1;
  sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core_of(which), t->engine.now + 1);
}

/* Resumes after an ebreak, which counts as executed, like a nop. */
static void resume(struct tx_tile *t, unsigned which) {
  struct tx_core *c = &t->core[core_of(which)];
  if (!t->core_debug.paused[which]) c->pc += 4;
  t->core_debug.paused[which] = 0;
  c->state = TX_CORE_RUNNING;
  c->stop_word = 0;
  if (c->clock <= t->engine.now) c->clock = t->engine.now + 1;
  sim_unblock(&t->engine, TX_AGENT_TRISC0 + core_of(which));
  sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core_of(which), c->clock);
}

static bool access_registers(struct tx_tile *t, unsigned which, uint32_t command) {
  struct tx_core *c = &t->core[core_of(which)];
  uint32_t *dr = t->core_debug.dr[which], index = dr[ARGUMENT0];
  if (command & (READ_REGISTER | WRITE_REGISTER) && index > 32)
    return refuse(t, core_of(which), "there are registers 0 to 31, and pc as 32");
  if (command & READ_REGISTER) dr[RESULT] = index == 32 ? c->pc : c->x[index];
  if (command & WRITE_REGISTER && index >= 1 && index < 32) c->x[index] = dr[ARGUMENT1];
  if (command & CLEAR_REGISTERS) memset(c->x, 0, sizeof c->x);
  return true;
}

/* Performs lw or sw for the core. */
static bool access_memory(struct tx_tile *t, unsigned which, bool store) {
  uint32_t *dr = t->core_debug.dr[which];
  unsigned agent = TX_AGENT_TRISC0 + core_of(which);
  struct tx_bus_answer answer = store ? t->unsaved.ports->store(t, agent, dr[ARGUMENT0], dr[ARGUMENT1], 4)
                                      : t->unsaved.ports->load(t, agent, dr[ARGUMENT0], 4);
  if (answer.result == TX_BUS_WAIT) return refuse(t, core_of(which), "the access would have to wait");
  if (!store) dr[RESULT] = answer.value;
  return answer.result == TX_BUS_DONE;
}

static bool command(struct tx_tile *t, unsigned which, uint32_t value) {
  struct tx_core *c = &t->core[core_of(which)];
  uint32_t *dr = t->core_debug.dr[which];
  if (value & PAUSE) pause(t, which);
  if (!(value & 0x1feu)) return true;
  if (!is_paused(t, c)) return refuse(t, core_of(which), "a command for a paused core, and it is not paused");
  if ((value & STEP) && !(value & (RESUME | WRITE_PC))) return refuse(t, core_of(which), "single-step is not modelled");
  if (!access_registers(t, which, value)) return false;
  if (value & READ_MEMORY && !access_memory(t, which, false)) return false;
  if (value & WRITE_MEMORY && !access_memory(t, which, true)) return false;
  if (value & WRITE_PC) { /* in slow execution from DR(4), else the reset vector */
    c->pc = value >> 31 ? dr[RESULT] : tx_control_reset_pc(t, core_of(which));
    t->core_debug.paused[which] = 1; /* an ebreak no longer has an effect */
  }
  if (value & RESUME) resume(t, which);
  return true;
}

/* --- DR registers --- */

static bool write_dr(struct tx_tile *t, unsigned which, uint32_t index, uint32_t value) {
  if (index == STATUS || index == RESULT || index >= TX_DR_COUNT || (index > BREAK_MODES && index < BREAK_ADDRESS))
    return true;
  for (unsigned i = 0; index == BREAK_MODES && i < 8; i++)
    if ((value >> (4 * i) & 15u) >= 8 && (value >> (4 * i) & 15u) <= 11)
      return refuse(t, core_of(which), "hardware breakpoints and watchpoints are not modelled");
  t->core_debug.dr[which][index] = value;
  return index != COMMAND || command(t, which, value);
}

bool tx_core_debug_control(struct tx_tile *t, uint32_t before, uint32_t value) {
  struct tx_core_debug *d = &t->core_debug;
  uint32_t index = value & 0x7ffu, is_write = value >> 16 & 1u, which = value >> 17 & 3u;
  bool done = true;
  if (value & ~before & 0x80000000u) {
    if (is_write) {
      done = write_dr(t, which, index, t->control.word[TX_CONTROL_RISC_DBG_CNTL_1 / 4]);
      d->status[0] = 0;
    } else {
      d->status[1] = index == STATUS ? status(t, which) : index < TX_DR_COUNT ? d->dr[which][index] : 0;
      d->status[0] = 1u << 30;
    }
  }
  d->status[0] = (d->status[0] & 1u << 30) | index | is_write << (13 + which) | (value & 0x80000000u);
  return done;
}

void tx_core_debug_reset(struct tx_tile *t, unsigned core) {
  if (core == TX_CORE_NCRISC) return; /* has no debug interface */
  unsigned which = core == TX_CORE_BRISC ? 0 : core + 1, bit = 2 * core + 1;
  t->core_debug.paused[which] = 0;
  if (!(t->control.word[TX_CONTROL_DISABLE_RESET / 4] >> bit & 1u))
    memset(t->core_debug.dr[which], 0, sizeof t->core_debug.dr[which]);
}
