/* The command processor and the registers of tdma.h. */
#include "tensix/unit/tdma.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/unit/mover.h"
#include "tensix/unit/pack/metadata.h"

/* --- the command processor --- */

/* B, T0, T1 and T2 have a MovCmdBase each; other agents use T0's. */
static unsigned base_of(unsigned agent) {
  switch (agent) {
    case TX_AGENT_BRISC: return 0;
    case TX_AGENT_TRISC1: return 2;
    case TX_AGENT_TRISC2: return 3;
    default: return 1;
  }
}

static void start_command(struct tx_tile *t, const struct tx_tdma_command *c) {
  uint32_t cmd = c->command;
  struct tx_move move = {.agent = c->agent};
  if (cmd >> 31) { /* compact */
    move.source = tx_move_bytes(t->mover.base[base_of(c->agent)] + (cmd >> 8 & 0xffu));
    move.target = (cmd >> 16 & 0xffu) << 4;
    move.length = (cmd >> 24 & 0x3fu) << 4;
    move.mode = cmd >> 30 & 1u ? TX_MOVE_L1_TO_L1 : TX_MOVE_L1_TO_CONFIG;
  } else {
    move.source = tx_move_bytes(c->parameter[0]);
    move.target = tx_move_bytes(c->parameter[1]);
    move.length = (c->parameter[2] & 0xffffu) << 4;
    move.mode = c->parameter[3] & 3u;
  }
  tx_mover_start(t, &move);
}

static void write_l1_command(struct tx_tile *t, const struct tx_tdma_command *c) {
  uint32_t length = c->command & 0x100u ? 8 : 4;
  if (c->command >> 31 || (c->command & 0x600u) != 0x600u) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "TDMA-RISC.md", "TDMA command 0x%08x: L1 write with bits 31, 10, 9 not 0, 1, 1",
             c->command);
    return;
  }
  if (!tx_l1_check(t, c->parameter[0], length, "TDMA-RISC L1 write")) return;
  tx_inflight_touch(t, c->parameter[0], length, true);
  tx_l1_write(t, c->parameter[0], &c->parameter[2], length); /* low word first: the host is little endian */
}

/* Executes the command at the head of the queue; false: it has to wait for the mover. */
static bool do_command(struct tx_tile *t, const struct tx_tdma_command *c) {
  t->current = (struct tx_current){.agent = c->agent, .unit = TX_UNIT_MOVER};
  switch (c->command & 0xffu) {
    case TX_TDMA_OP_MOVE:
      if (t->mover.busy) return false;
      start_command(t, c);
      return true;
    case TX_TDMA_OP_WAIT: return !t->mover.busy;
    case TX_TDMA_OP_WRITE: write_l1_command(t, c); return true;
    case TX_TDMA_OP_NOP: return true;
    default:
      tx_fault(t, SIM_FAULT_UNDEFINED, "TDMA-RISC.md", "TDMA command 0x%08x: no such opcode", c->command);
      return true;
  }
}

/* One command per cycle (inferred). A command that waits for the mover is tried again when the mover is done. */
void tx_effect_TDMA_COMMAND(struct tx_tile *t, const struct sim_effect *e) {
  (void)e;
  struct tx_mover *mover = &t->mover;
  mover->command_pending = 0;
  if (!mover->commands) return;
  struct tx_tdma_command head = mover->queue[0];
  tx_assert(mover->commands <= TX_TDMA_COMMANDS && mover->credits_used <= TX_TDMA_CREDITS);
  if (!do_command(t, &head)) return;
  mover->commands--;
  memmove(&mover->queue[0], &mover->queue[1], mover->commands * sizeof head);
  memset(&mover->queue[mover->commands], 0, sizeof head);
  tx_assert(head.command >> 31 || mover->credits_used > 0);
  if (!(head.command >> 31)) mover->credits_used--;
  tx_mover_poke_status(t);
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_MOVER), tx_now(t));
  tx_mover_look_at_queue(t);
}

static enum tx_tdma_result enqueue(struct tx_tile *t, unsigned agent, uint32_t command) {
  struct tx_mover *mover = &t->mover;
  if (mover->commands == TX_TDMA_COMMANDS) return TX_TDMA_WAIT;
  struct tx_tdma_command c = {.command = command, .agent = agent};
  if (!(command >> 31)) {
    if (mover->credits_used == TX_TDMA_CREDITS) {
      tx_fault(t, SIM_FAULT_UNDEFINED, "TDMA-RISC.md",
               "TDMA command 0x%08x: two commands with parameters are queued already; hardware does not wait", command);
      return TX_TDMA_DONE;
    }
    mover->credits_used++;
    memcpy(c.parameter, mover->parameter, sizeof c.parameter);
  }
  tx_assert(mover->commands < TX_TDMA_COMMANDS);
  mover->queue[mover->commands++] = c;
  tx_mover_poke_status(t);
  tx_mover_look_at_queue(t);
  return TX_TDMA_DONE;
}

/* --- registers --- */

static uint32_t status(const struct tx_tile *t) {
  const struct tx_mover *m = &t->mover;
  return (uint32_t)m->busy | (uint32_t)(m->commands == TX_TDMA_COMMANDS) << 2 | (uint32_t)(m->commands == 0) << 3 |
         (uint32_t)(m->credits_used == TX_TDMA_CREDITS) << 4 | (uint32_t)(m->credits_used == 0) << 5 |
         (TX_TDMA_COMMANDS - m->commands) << 8;
}

static void set_scalers(struct tx_mover *mover, unsigned first, uint32_t values) {
  for (unsigned i = first; i < 4 && i < first + 3; i++, values >>= 9) mover->scaler[i] = values & 0x1ffu;
}

/* SetRegHiScaler, and whether a PACR of thread 2 is in the packer. */
static uint32_t scalers_and_status(const struct tx_tile *t) {
  uint32_t value = 0;
  for (unsigned i = 0; i < 3; i++) value |= t->mover.scaler[i] << (9 * i);
  return value | (uint32_t)(t->units[TX_UNIT_PACK].drained_at[2] > tx_now(t)) << 27;
}

static uint32_t metadata_status(const struct tx_tile *t) {
  uint32_t value = t->mover.pack_register_raw << 8 | 0x55u; /* packers 1 to 3 do not exist: always empty */
  if (t->pack.metadata_count) value &= ~1u;
  if (t->pack.metadata_count == TX_PACK_METADATA) value |= 2u;
  return value;
}

uint32_t tx_tdma_register_base(uint32_t raw, unsigned which) {
  return (raw >> (20 + 2 * which) & 3u) << 18 | (raw >> (10 * which) & 0x3ffu) << 2;
}

/* Registers that exist for each of four packers, 0x100 apart, and (size and accumulated size) for each of three threads, 0x40
 * apart. Blackhole has packer 0. */
static enum tx_tdma_result read_packer(struct tx_tile *t, uint32_t offset, uint32_t *value) {
  unsigned packer = offset >> 8, thread = offset >> 6 & 3u;
  const struct tx_pack_stats_of *stats = &t->pack_stats.packer[packer & 3u];
  uint32_t flags;
  if (packer > 3 || thread > 2) return TX_TDMA_NONE;
  switch (offset & TX_TDMA_OF_PACKER) {
    case TX_TDMA_TILE_SIZE: *value = stats->last_thread == thread ? stats->last_tile_size : 0; return TX_TDMA_DONE;
    case TX_TDMA_ACC_TILE_SIZE: *value = stats->acc_tile_size[thread]; return TX_TDMA_DONE;
    default: break;
  }
  if (thread) return TX_TDMA_NONE;
  switch (offset & TX_TDMA_OF_PACKER) {
    case TX_TDMA_ALL_ZERO_FLAGS: *value = stats->all_zero_flags; return TX_TDMA_DONE;
    case TX_TDMA_METADATA_SIZE:
      if (packer) return TX_TDMA_WAIT; /* that FIFO is always empty */
      return tx_pack_metadata_read(t, false, value, &flags) ? TX_TDMA_DONE : TX_TDMA_WAIT;
    case TX_TDMA_METADATA_FLAGS: {
      uint32_t size;
      *value = 0; /* empty: undefined data */
      if (!packer && tx_pack_metadata_read(t, true, &size, &flags)) *value = flags;
      return TX_TDMA_DONE;
    }
    default: return TX_TDMA_NONE;
  }
}

enum tx_tdma_result tx_tdma_read(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t *value) {
  const struct tx_mover *mover = &t->mover;
  uint32_t offset = address - TX_ADDR_TDMA;
  *value = 0;
  if (offset >= TX_TDMA_BYTES || offset % 4) return TX_TDMA_NONE;
  switch (offset) {
    case TX_TDMA_PARAMETER_0:
    case TX_TDMA_PARAMETER_1:
    case TX_TDMA_PARAMETER_2:
    case TX_TDMA_PARAMETER_3:
    case TX_TDMA_COMMAND: return TX_TDMA_DONE;
    case TX_TDMA_STATUS: *value = status(t); return TX_TDMA_DONE;
    case TX_TDMA_UNPACK_REGISTER: *value = mover->unpack_register_raw; return TX_TDMA_DONE;
    case TX_TDMA_HYSTERESIS: *value = mover->hysteresis_raw; return TX_TDMA_DONE;
    case TX_TDMA_BASE: *value = mover->base[base_of(agent)]; return TX_TDMA_DONE;
    case TX_TDMA_PACK_REGISTER: *value = metadata_status(t); return TX_TDMA_DONE;
    case TX_TDMA_SCALERS:
    case TX_TDMA_SCALERS_1: *value = scalers_and_status(t); return TX_TDMA_DONE;
    default: return read_packer(t, offset, value);
  }
}

static enum tx_tdma_result write_packer(struct tx_tile *t, uint32_t offset, uint32_t value) {
  unsigned packer = offset >> 8, thread = offset >> 6 & 3u;
  uint32_t size, flags;
  if (packer > 3 || thread > 2) return TX_TDMA_NONE;
  switch (offset & TX_TDMA_OF_PACKER) {
    case TX_TDMA_TILE_SIZE: return TX_TDMA_DONE; /* no effect */
    case TX_TDMA_ACC_TILE_SIZE: tx_pack_metadata_set_offset(t, value); return TX_TDMA_DONE;
    case TX_TDMA_ALL_ZERO_FLAGS:
    case TX_TDMA_METADATA_SIZE: return thread ? TX_TDMA_NONE : TX_TDMA_DONE;
    case TX_TDMA_METADATA_FLAGS:
      if (thread) return TX_TDMA_NONE;
      if (!packer) (void)tx_pack_metadata_read(t, true, &size, &flags);
      return TX_TDMA_DONE;
    default: return TX_TDMA_NONE;
  }
}

enum tx_tdma_result tx_tdma_write(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  struct tx_mover *mover = &t->mover;
  uint32_t offset = address - TX_ADDR_TDMA;
  if (offset >= TX_TDMA_BYTES || offset % 4) return TX_TDMA_NONE;
  switch (offset) {
    case TX_TDMA_PARAMETER_0:
    case TX_TDMA_PARAMETER_1:
    case TX_TDMA_PARAMETER_2:
    case TX_TDMA_PARAMETER_3: mover->parameter[offset / 4] = value; return TX_TDMA_DONE;
    case TX_TDMA_COMMAND: return enqueue(t, agent, value);
    case TX_TDMA_STATUS: return TX_TDMA_DONE;
    case TX_TDMA_UNPACK_REGISTER: mover->unpack_register_raw = value & TX_TDMA_UNPACK_WRITABLE; return TX_TDMA_DONE;
    case TX_TDMA_HYSTERESIS:
      mover->hysteresis_raw = value & TX_TDMA_HYSTERESIS_WRITABLE;
      set_scalers(mover, 3, value >> 16);
      return TX_TDMA_DONE;
    case TX_TDMA_BASE: mover->base[base_of(agent)] = value; return TX_TDMA_DONE;
    case TX_TDMA_PACK_REGISTER: mover->pack_register_raw = value; return TX_TDMA_DONE;
    case TX_TDMA_SCALERS:
    case TX_TDMA_SCALERS_1: set_scalers(mover, 0, value); return TX_TDMA_DONE;
    default: return write_packer(t, offset, value);
  }
}
