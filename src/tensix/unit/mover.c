/* The mover and TDMA-RISC of mover.h. */
#include "tensix/unit/mover.h"

#include <string.h>

#include "tensix/tile/bus.h"
#include "tensix/tile/tile.h"

#define UNIT 16u /* bytes; everything is a multiple of it */

/* An address register counts units; one that leaves 32 bits is outside of everything. */
static uint32_t bytes_of(uint32_t units) { return units > UINT32_MAX / UNIT ? UINT32_MAX - UNIT + 1 : units * UNIT; }

/* --- one transfer --- */

bool tx_mover_busy(const struct tx_tile *t) { return t->mover.busy; }

void tx_mover_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  (void)thread, (void)word;
  if (!t->mover.busy) return;
  *answer = (struct tx_answer){.retry_at = SIM_NEVER,
                               .channels = TX_CH(TX_CH_UNIT + TX_UNIT_MOVER),
                               .wait = {.kind = TX_BLOCKED_UNIT, .object = TX_UNIT_MOVER}};
}

static bool reads_l1(const struct tx_move *m) { return m->mode == TX_MOVE_L1_TO_L1 || m->mode == TX_MOVE_L1_TO_CONFIG; }
static bool writes_l1(const struct tx_move *m) { return m->mode == TX_MOVE_L1_TO_L1 || m->mode == TX_MOVE_CLEAR_L1; }

static unsigned list_range(struct tx_tile *t, const struct tx_move *m, uint32_t base, bool write) {
  struct tx_range range = {.base = base,
                           .width = m->length,
                           .rows = 1,
                           .word = m->word,
                           .agent = (uint16_t)m->agent,
                           .unit = TX_UNIT_MOVER,
                           .write = write};
  return tx_inflight_add(t, &range);
}

/* Inside one region: all of it, or (Mover.md) undefined. */
static bool check_target(struct tx_tile *t, const struct tx_move *m) {
  if (writes_l1(m)) return tx_l1_check(t, m->target, m->length, "mover");
  if ((m->target & 0xffffu) + m->length <= 0x10000u) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, "Mover.md", "mover: 0x%x bytes from 0x%x on leave the target's 64 KiB", m->length,
           m->target);
  return false;
}

static void start(struct tx_tile *t, const struct tx_move *m) {
  struct tx_mover *mover = &t->mover;
  if (!check_target(t, m) || (reads_l1(m) && !tx_l1_check(t, m->source, m->length, "mover"))) return;
  mover->move = *m;
  mover->busy = 1;
  if (reads_l1(m)) mover->range[0] = (uint8_t)list_range(t, m, m->source, false);
  if (writes_l1(m)) mover->range[1] = (uint8_t)list_range(t, m, m->target, true);
  uint32_t per_128 = reads_l1(m) ? t->params.mover_copy_cycles : t->params.mover_clear_cycles;
  uint32_t cycles = t->params.mover_start_cycles + (uint32_t)(((uint64_t)m->length * per_128 + 127) / 128);
  uint32_t w[SIM_EFFECT_WORDS] = {0};
  mover->done_at = tx_now(t) + (t->timing ? cycles : 1);
  tx_later(t, cycles, TX_EFFECT_MOVER_DONE, w);
}

/* Config as the cores see it: bank 0, bank 1, an alias that writes both; ThreadConfig behind them takes no stores. */
static void write_config(struct tx_tile *t, uint32_t offset, uint32_t value) {
  uint32_t index = offset / 4;
  if (index < 2 * TX_CFG_WORDS) {
    tx_config_write(t, index / TX_CFG_WORDS, index % TX_CFG_WORDS, value);
  } else if (index < 3 * TX_CFG_WORDS) {
    tx_config_write(t, 0, index % TX_CFG_WORDS, value);
    tx_config_write(t, 1, index % TX_CFG_WORDS, value);
  } else {
    tx_fault(t, SIM_FAULT_UNDEFINED, "BackendConfiguration.md",
             "mover writes word %u of Config: ThreadConfig takes no stores", index);
  }
}

static void to_config(struct tx_tile *t, const struct tx_move *m) {
  if (m->target > 0xffffu) { /* nowhere */
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "mover to 0x%x: Blackhole has nothing there, the writes are lost", m->target);
    return;
  }
  for (uint32_t at = 0; at < m->length && !t->fault.kind; at += 4)
    write_config(t, m->target + at, reads_l1(m) ? tx_l1_read(t, m->source + at, 4) : 0);
}

static void to_l1(struct tx_tile *t, const struct tx_move *m) {
  for (uint32_t at = 0; at < m->length; at += UNIT) { /* in order, so that overlapping copies come out as in hardware */
    uint8_t unit[UNIT] = {0};
    if (reads_l1(m)) memcpy(unit, &t->l1[m->source + at], UNIT);
    tx_l1_write(t, m->target + at, unit, UNIT);
  }
}

static void look_at_queue(struct tx_tile *t);

void tx_effect_MOVER_DONE(struct tx_tile *t, const struct sim_effect *e) {
  (void)e;
  struct tx_mover *mover = &t->mover;
  struct tx_move move = mover->move;
  t->current = (struct tx_current){.agent = move.agent, .word = move.word, .pc = move.pc, .unit = TX_UNIT_MOVER};
  for (unsigned i = 0; i < 2; i++) tx_inflight_remove(t, mover->range[i]);
  memset(&mover->move, 0, sizeof mover->move);
  memset(mover->range, 0, sizeof mover->range);
  mover->busy = 0;
  if (writes_l1(&move)) to_l1(t, &move);
  else to_config(t, &move);
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_MOVER) | TX_CH(TX_CH_IDLE), tx_now(t));
  look_at_queue(t);
}

/* ISA: XMOV.md */
void tx_exec_XMOV(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  uint32_t size = TX_CFG_GET(t, thread, THCON_SEC0_REG6_Buffer_size) & 0xffffu;
  struct tx_move move = {.source = bytes_of(TX_CFG_GET(t, thread, THCON_SEC0_REG6_Source_address)),
                         .target = bytes_of(TX_CFG_GET(t, thread, THCON_SEC0_REG6_Destination_address)),
                         .length = size << 4,
                         .mode = TX_CFG_GET(t, thread, THCON_SEC0_REG6_Transfer_direction),
                         .word = word,
                         .pc = t->current.pc,
                         .agent = tx_agent_of_thread(thread)};
  start(t, &move);
}

/* --- the command processor --- */

/* MovCmdBase is kept for B, T0, T1 and T2; anyone else sees T0's. */
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
    move.source = bytes_of(t->mover.base[base_of(c->agent)] + (cmd >> 8 & 0xffu));
    move.target = (cmd >> 16 & 0xffu) << 4;
    move.length = (cmd >> 24 & 0x3fu) << 4;
    move.mode = cmd >> 30 & 1u ? TX_MOVE_L1_TO_L1 : TX_MOVE_L1_TO_CONFIG;
  } else {
    move.source = bytes_of(c->parameter[0]);
    move.target = bytes_of(c->parameter[1]);
    move.length = (c->parameter[2] & 0xffffu) << 4;
    move.mode = c->parameter[3] & 3u;
  }
  start(t, &move);
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

/* Does the command at the head of the queue; false: it has to wait for the mover. */
static bool do_command(struct tx_tile *t, const struct tx_tdma_command *c) {
  t->current = (struct tx_current){.agent = c->agent, .unit = TX_UNIT_MOVER};
  switch (c->command & 0xffu) {
    case 0x40:
      if (t->mover.busy) return false;
      start_command(t, c);
      return true;
    case 0x46: return !t->mover.busy;
    case 0x66: write_l1_command(t, c); return true;
    case 0x89: return true;
    default:
      tx_fault(t, SIM_FAULT_UNDEFINED, "TDMA-RISC.md", "TDMA command 0x%08x: no such opcode", c->command);
      return true;
  }
}

static void look_at_queue(struct tx_tile *t) {
  struct tx_mover *mover = &t->mover;
  if (!mover->commands || mover->command_pending) return;
  uint32_t w[SIM_EFFECT_WORDS] = {0};
  mover->command_pending = 1;
  tx_later(t, 1, TX_EFFECT_TDMA_COMMAND, w);
}

/* One command a cycle (inferred). A command that waits for the mover is looked at again when the mover is done. */
void tx_effect_TDMA_COMMAND(struct tx_tile *t, const struct sim_effect *e) {
  (void)e;
  struct tx_mover *mover = &t->mover;
  mover->command_pending = 0;
  if (!mover->commands) return;
  struct tx_tdma_command head = mover->queue[0];
  if (!do_command(t, &head)) return;
  mover->commands--;
  memmove(&mover->queue[0], &mover->queue[1], mover->commands * sizeof head);
  memset(&mover->queue[mover->commands], 0, sizeof head);
  if (!(head.command >> 31)) mover->credits_used--;
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_MOVER), tx_now(t));
  look_at_queue(t);
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
  mover->queue[mover->commands++] = c;
  look_at_queue(t);
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

/* SetRegHiScaler, and whether the packer has something of thread 2. */
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

/* Registers that come once for each of four packers, 0x100 apart, and (size and accumulated size) for each of three threads,
 * 0x40 apart. Blackhole has packer 0. */
static enum tx_tdma_result read_packer(struct tx_tile *t, uint32_t offset, uint32_t *value) {
  unsigned packer = offset >> 8, thread = offset >> 6 & 3u;
  const struct tx_pack_stats_of *stats = &t->pack_stats.packer[packer & 3u];
  uint32_t flags;
  if (packer > 3 || thread > 2) return TX_TDMA_NONE;
  switch (offset & 0x3fu) {
    case 0x18: *value = stats->last_thread == thread ? stats->last_tile_size : 0; return TX_TDMA_DONE;
    case 0x1c: *value = stats->acc_tile_size[thread]; return TX_TDMA_DONE;
    default: break;
  }
  if (thread) return TX_TDMA_NONE;
  switch (offset & 0x3fu) {
    case 0x20: *value = stats->all_zero_flags; return TX_TDMA_DONE;
    case 0x30:
      if (packer) return TX_TDMA_WAIT; /* that FIFO stays empty for ever */
      return tx_pack_metadata(t, false, value, &flags) ? TX_TDMA_DONE : TX_TDMA_WAIT;
    case 0x34: {
      uint32_t size;
      *value = 0; /* empty: undefined data */
      if (!packer && tx_pack_metadata(t, true, &size, &flags)) *value = flags;
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
    case 0x00:
    case 0x04:
    case 0x08:
    case 0x0c:
    case 0x10: return TX_TDMA_DONE;
    case 0x14: *value = status(t); return TX_TDMA_DONE;
    case 0x24: *value = mover->unpack_register_raw; return TX_TDMA_DONE;
    case 0x28: *value = mover->hysteresis_raw; return TX_TDMA_DONE;
    case 0x2c: *value = mover->base[base_of(agent)]; return TX_TDMA_DONE;
    case 0x38: *value = metadata_status(t); return TX_TDMA_DONE;
    case 0x3c:
    case 0x13c: *value = scalers_and_status(t); return TX_TDMA_DONE;
    default: return read_packer(t, offset, value);
  }
}

static enum tx_tdma_result write_packer(struct tx_tile *t, uint32_t offset, uint32_t value) {
  unsigned packer = offset >> 8, thread = offset >> 6 & 3u;
  uint32_t size, flags;
  if (packer > 3 || thread > 2) return TX_TDMA_NONE;
  switch (offset & 0x3fu) {
    case 0x18: return TX_TDMA_DONE; /* no effect */
    case 0x1c: tx_pack_set_dest_offset(t, value); return TX_TDMA_DONE;
    case 0x20:
    case 0x30: return thread ? TX_TDMA_NONE : TX_TDMA_DONE;
    case 0x34:
      if (thread) return TX_TDMA_NONE;
      if (!packer) (void)tx_pack_metadata(t, true, &size, &flags);
      return TX_TDMA_DONE;
    default: return TX_TDMA_NONE;
  }
}

enum tx_tdma_result tx_tdma_write(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  struct tx_mover *mover = &t->mover;
  uint32_t offset = address - TX_ADDR_TDMA;
  if (offset >= TX_TDMA_BYTES || offset % 4) return TX_TDMA_NONE;
  switch (offset) {
    case 0x00:
    case 0x04:
    case 0x08:
    case 0x0c: mover->parameter[offset / 4] = value; return TX_TDMA_DONE;
    case 0x10: return enqueue(t, agent, value);
    case 0x14: return TX_TDMA_DONE;
    case 0x24: mover->unpack_register_raw = value & 0xffffff7fu; return TX_TDMA_DONE;
    case 0x28:
      mover->hysteresis_raw = value & 0x01ff007fu;
      set_scalers(mover, 3, value >> 16);
      return TX_TDMA_DONE;
    case 0x2c: mover->base[base_of(agent)] = value; return TX_TDMA_DONE;
    case 0x38: mover->pack_register_raw = value; return TX_TDMA_DONE;
    case 0x3c:
    case 0x13c: set_scalers(mover, 0, value); return TX_TDMA_DONE;
    default: return write_packer(t, offset, value);
  }
}
