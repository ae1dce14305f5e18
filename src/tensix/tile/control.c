/* The control registers of control.h: the table of the registers, and soft reset. */
#include "tensix/tile/control.h"

#include <string.h>

#include "tensix/frontend/frontend.h"
#include "tensix/machine.h"
#include "tensix/riscv/core.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/core_debug.h"
#include "tensix/tile/debug_bus.h"
#include "tensix/tile/ethernet.h"
#include "tensix/tile/mailbox.h"
#include "tensix/tile/perf.h"
#include "tensix/tile/reset_vector.h"
#include "tensix/tile/timestamp.h"
#include "tensix/tile/watchdog.h"
#include "tensix/tile/windows.h"
#include "tensix/unit/config.h"
#include "tensix/unit/vector/vector.h"

enum kind {
  PLAIN,
  READ_ONLY,
  REFUSED,
  PERF,
  PERF_OUT,
  CREG_READ,
  DEBUG_BUS,
  FEATURE,
  ARRAY,
  CORE_DEBUG,
  CORE_STATUS,
  PC_BUF,
  PUSH,
  FIFO_STATUS,
  STICKY,
  SOFT_RESET,
  WALL_CLOCK,
  WATCHDOG,
  TIMESTAMP
};

struct control_register {
  uint16_t offset;
  uint8_t kind;
  const char *name;
};

static const struct control_register registers[TX_CONTROL_WORDS] = {
#define CONTROL(offset, name, kind) [(offset) / 4] = {offset, kind, #name},
#include "chips/blackhole/control.def"
#undef CONTROL
};

static const struct control_register *find(uint32_t address) {
  uint32_t offset = address - TX_ADDR_CONTROL;
  if (offset >= TX_CONTROL_BYTES || (offset & 3u) || !registers[offset / 4].name) return NULL;
  return &registers[offset / 4];
}

static bool register_exists(uint32_t address) { return find(address) != NULL; }

bool tx_control_moves(uint32_t address) {
  const struct control_register *r = find(address);
  return r && (r->kind == WALL_CLOCK || r->kind == PERF_OUT || r->kind == FIFO_STATUS || r->kind == TIMESTAMP ||
               r->kind == WATCHDOG);
}

void tx_control_reset(struct tx_tile *t) {
  memset(&t->control, 0, sizeof t->control);
  t->control.word[TX_CONTROL_SOFT_RESET_0 / 4] = TX_SOFT_RESET_CORES;
  t->control.word[TX_CONTROL_TIMESTAMP_DUMP_CNTL / 4] = 3;
  tx_watchdog_reset(t);
}

/* --- soft reset: cores --- */

/* DISABLE_RESET: T0, T1, T2, BRISC, NCRISC at bits 0, 2, 4, 6, 8: local RAM keeps its contents. */
static bool keeps_local_ram(const struct tx_tile *t, unsigned core) {
  return t->control.word[TX_CONTROL_DISABLE_RESET / 4] >> (2 * core) & 1u;
}

/* Words that a T core pushed and its MOP expander has not expanded are lost; the expander's configuration is kept. */
static void drop_pushes(struct tx_tile *t, unsigned thread) {
  struct tx_frontend *fe = &t->frontend[thread];
  tx_frontend_settle(t, thread, t->engine.now);
  memset(&fe->fifo1, 0, sizeof fe->fifo1);
  memset(fe->pushed_at, 0, sizeof fe->pushed_at);
  fe->mop.active = fe->mop.word = fe->mop.pc = 0;
  tx_signal(t, TX_CH_FIFO + thread);
  tx_signal(t, TX_CH_IDLE);
}

static void hold_core(struct tx_tile *t, unsigned core) {
  tx_core_stop(t, core);
  if (core < TX_THREADS) drop_pushes(t, core);
  t->port[core].load_since = 0; /* it no longer waits */
  t->port[core].load_address = 0;
  tx_mailbox_core_reset(t, core);
  tx_core_debug_reset(t, core);
}

static void release_core(struct tx_tile *t, unsigned core) {
  uint8_t local[TX_LOCAL_BYTES];
  bool keep = keeps_local_ram(t, core);
  tx_pcbuf_core_release(t, core);
  if (keep) memcpy(local, t->core[core].local, sizeof local);
  tx_core_start(t, core, tx_control_reset_pc(t, core));
  if (!keep) return;
  memcpy(t->core[core].local, local, sizeof local);
  t->core[core].local_ready = t->engine.now;
}

/* --- soft reset: blocks of the coprocessor --- */

static void clear_src_columns(struct tx_tile *t, enum tx_src_which which, unsigned first, unsigned count) {
  for (unsigned bank = 0; bank < 2; bank++) {
    for (unsigned row = 0; row < TX_SRC_ROWS; row++)
      for (unsigned column = first; column < first + count; column++) t->src.bank[which][bank].datum[row][column] = 0;
    t->src.bank[which][bank].version++;
  }
}

static void reset_clients(struct tx_tile *t, enum tx_src_which which) {
  t->src.matrix_bank[which] = t->src.unpack_bank[which] = 0;
  for (unsigned bank = 0; bank < 2; bank++) t->src.bank[which][bank].owner = TX_CLIENT_UNPACKERS;
  tx_signal(t, TX_CH_BANK);
}

static void clear_thcon_config(struct tx_tile *t) {
  for (unsigned bank = 0; bank < 2; bank++)
    for (unsigned i = TX_CFG_THCON_BASE; i < TX_CFG_GLOBAL_BASE; i++)
      if (t->config.words[bank][i]) tx_config_write(t, bank, i, 0);
}

/* Clears the command queue; a command that has reached the mover continues. */
static void reset_tdma(struct tx_tile *t) {
  memset(t->mover.queue, 0, sizeof t->mover.queue);
  memset(t->mover.parameter, 0, sizeof t->mover.parameter);
  t->mover.commands = t->mover.credits_used = 0;
}

static void revert_dst(struct tx_tile *t) {
  for (unsigned row = 0; row < TX_DST_ROWS; row++)
    if (t->dst.valid[row] == TX_DST_UNDEFINED) t->dst.valid[row] = TX_DST_VALID;
}

/* The unit of a bit; TX_UNIT_COUNT: none. */
static unsigned unit_of_bit(unsigned bit) {
  static const uint8_t units[] = {TX_UNIT_UNPACK, TX_UNIT_UNPACK, TX_UNIT_PACK,  TX_UNIT_PACK,
                                  TX_UNIT_PACK,   TX_UNIT_PACK,   TX_UNIT_MOVER, TX_UNIT_UNPACK,
                                  TX_UNIT_SCALAR, TX_UNIT_SCALAR, TX_UNIT_MATRIX};
  return bit < sizeof units ? units[bit] : TX_UNIT_COUNT;
}

static uint64_t accepted(const struct tx_tile *t, unsigned unit) {
  const uint64_t *a = t->units[unit].accepted;
  return a[0] + a[1] + a[2] + (unit == TX_UNIT_MATRIX ? accepted(t, TX_UNIT_VECTOR) : 0);
}

static bool at_work(const struct tx_tile *t, unsigned unit) {
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (t->units[unit].drained_at[thread] > t->engine.now) return true;
  return unit == TX_UNIT_MOVER && t->mover.busy;
}

static void enter_block(struct tx_tile *t, unsigned bit) {
  unsigned unit = unit_of_bit(bit);
  if (unit < TX_UNIT_COUNT) {
    t->control.accepted_at_hold[bit] = accepted(t, unit);
    if (at_work(t, unit))
      tx_fault(t, SIM_FAULT_UNSUPPORTED, "SoftReset.md", "SOFT_RESET_0 bit %u set while the block is at work: not modelled",
               bit);
  }
  switch (bit) {
    case 8: reset_tdma(t); break;
    case 9: clear_thcon_config(t); break;
    case 10: clear_src_columns(t, TX_SRCA, 0, 16); break;
    case 15: reset_clients(t, TX_SRCA); break;
    case 16: reset_clients(t, TX_SRCB), clear_src_columns(t, TX_SRCB, 0, 16); break;
    case 17: revert_dst(t); break;
    case 19:
    case 20:
    case 21:
    case 22: clear_src_columns(t, TX_SRCA, 4 * (bit - 19), 4); break;
    default: break;
  }
}

static void leave_block(struct tx_tile *t, unsigned bit) {
  unsigned unit = unit_of_bit(bit);
  if (unit < TX_UNIT_COUNT && accepted(t, unit) != t->control.accepted_at_hold[bit])
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "SoftReset.md",
             "a block was given instructions while SOFT_RESET_0 bit %u held it: not modelled (hardware may lose them)", bit);
  if (unit < TX_UNIT_COUNT) t->control.accepted_at_hold[bit] = 0;
  if (bit == 10) tx_vector_reset(t);
}

static void hold_or_release(struct tx_tile *t, unsigned core, uint32_t bit, uint32_t old, uint32_t value) {
  if (value & ~old & bit) hold_core(t, core);
  if (old & ~value & bit) release_core(t, core);
}

/* The cores of a Tensix tile that an Ethernet tile has not got have no bits. */
static void soft_reset_ethernet(struct tx_tile *t, uint32_t value) {
  uint32_t *now = &t->control.word[TX_CONTROL_SOFT_RESET_0 / 4], old = *now;
  *now = value & TX_ETH_SOFT_RESET;
  hold_or_release(t, TX_CORE_BRISC, TX_ETH_SOFT_RESET_0, old, *now);
  hold_or_release(t, TX_CORE_NCRISC, TX_ETH_SOFT_RESET_1, old, *now);
}

static void soft_reset(struct tx_tile *t, uint32_t value) {
  if (t->ethernet.on) {
    soft_reset_ethernet(t, value);
    return;
  }
  uint32_t *now = &t->control.word[TX_CONTROL_SOFT_RESET_0 / 4], old = *now;
  *now = value;
  for (unsigned core = 0; core < TX_CORES; core++) hold_or_release(t, core, 1u << tx_control_reset_bit(core), old, value);
  for (unsigned bit = 0; bit < 24; bit++) {
    if (TX_SOFT_RESET_CORES >> bit & 1u) continue;
    if ((value & ~old) >> bit & 1u) enter_block(t, bit);
    if ((old & ~value) >> bit & 1u) leave_block(t, bit);
  }
}

/* --- the other registers with an effect --- */

static bool refuse(struct tx_tile *t, const struct control_register *r, const char *why) {
  tx_fault(t, SIM_FAULT_UNSUPPORTED, "TileControlDebugStatus.md", "%s: %s", r->name, why);
  return false;
}

/* TENSIX_CREG_READ: a few cycles later RDDATA holds a word of the configuration space. */
static void read_config(struct tx_tile *t, uint32_t index) {
  uint32_t *out = &t->control.word[TX_CONTROL_TENSIX_CREG_RDDATA / 4];
  index &= 0x7ffu;
  if (index < 2 * TX_CFG_WORDS) *out = t->config.words[index / TX_CFG_WORDS][index % TX_CFG_WORDS];
  else if (index < 3 * TX_CFG_WORDS) *out = t->config.words[0][index % TX_CFG_WORDS];
  else if (index < 3 * TX_CFG_WORDS + 3 * TX_THREAD_CFG_WORDS)
    *out = t->config.thread_words[(index - 3 * TX_CFG_WORDS) / TX_THREAD_CFG_WORDS]
                                 [(index - 3 * TX_CFG_WORDS) % TX_THREAD_CFG_WORDS];
  else *out = 0;
}

/* DBG_INSTRN_BUF_CTRL0: bits 0..2 connect a thread's mux to the debug bus, a rising edge of bits 4..6 pushes CTRL1's word. The loss
 * of BRISC's and the T core's words meanwhile is not modelled: such a word faults only if it collides at the mux. */
static bool push_word(struct tx_tile *t, const struct control_register *r, uint32_t value) {
  uint32_t rising = value & ~t->control.word[r->offset / 4];
  t->control.word[r->offset / 4] = value;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    if (!(rising >> (4 + thread) & 1u)) continue;
    if (!(value >> thread & 1u)) return refuse(t, r, "a push without control of the FIFO");
    if (!tx_frontend_push_brisc(t, thread, t->control.word[TX_CONTROL_DBG_INSTRN_BUF_CTRL1 / 4], 0))
      return refuse(t, r, "a push to a full FIFO is forbidden");
  }
  return true;
}

static uint32_t fifo_status(struct tx_tile *t) {
  uint32_t value = 0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    tx_frontend_settle(t, thread, t->engine.now);
    uint32_t held = t->frontend[thread].fifo2.count + t->frontend[thread].brisc_count;
    if (held < t->params.fifo2_capacity) value |= 1u << thread;
    if (held == 0) value |= 1u << (4 + thread);
  }
  return value;
}

bool tx_control_write(struct tx_tile *t, uint32_t address, uint32_t value) {
  const struct control_register *r = find(address);
  if (!r) return false;
  switch (r->kind) {
    case READ_ONLY:
    case CORE_STATUS:
    case PERF_OUT:
    case WALL_CLOCK:
    case DEBUG_BUS:
    case FIFO_STATUS: /* discarded; a write to WALL_CLOCK_0 latches */
      if (r->offset == TX_CONTROL_WALL_CLOCK_0) tx_wall_clock_read(t, r->offset);
      return true;
    case REFUSED:
      if (value) return refuse(t, r, "not modelled");
      break;
    case FEATURE:
      if (value >> 11 & 1u) return refuse(t, r, "bit 11 (16-bit Dst rows in the 32-bit layout) is unsupported (Dst.md)");
      break;
    case CORE_DEBUG: {
      uint32_t before = t->control.word[r->offset / 4];
      t->control.word[r->offset / 4] = value;
      tx_core_debug_control(t, before, value);
      return true;
    }
    case PERF: tx_perf_write(t, r->offset, value); return !t->fault.kind;
    case WATCHDOG: return tx_watchdog_write(t, r->offset, value);
    case CREG_READ: read_config(t, value); break;
    case PUSH: return push_word(t, r, value);
    case SOFT_RESET: soft_reset(t, value); return !t->fault.kind;
    case TIMESTAMP: tx_timestamp_write(t, r->offset, value); return !t->fault.kind;
    case PC_BUF: tx_signal(t, TX_CH_CORE); break;
    default: break;
  }
  t->control.word[r->offset / 4] = value;
  return true;
}

bool tx_control_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  const struct control_register *r = find(address);
  if (!r) return false;
  switch (r->kind) {
    case CORE_STATUS: *value = t->core_debug.status[r->offset == TX_CONTROL_RISC_DBG_STATUS_1]; return true;
    case WALL_CLOCK: *value = tx_wall_clock_read(t, r->offset); return true;
    case TIMESTAMP: *value = tx_timestamp_read(t, r->offset); return true;
    case WATCHDOG: *value = tx_watchdog_read(t, r->offset); return true;
    case PERF_OUT: return tx_perf_read(t, r->offset, value);
    case FIFO_STATUS: *value = fifo_status(t); return true;
    case DEBUG_BUS: *value = tx_debug_bus_read(t, t->control.word[TX_CONTROL_DBG_BUS_CTRL / 4]); return true;
    case ARRAY: return refuse(t, r, "reading register files through the debug array port is not modelled");
    case STICKY: return refuse(t, r, "the matrix unit's sticky bits are not modelled");
    default: *value = t->control.word[r->offset / 4]; return true;
  }
}

/* --- accesses by cores --- */

static uint32_t round_trip(const struct tx_tile *t) { return 2 * t->params.mmio_request_cycles + 1; }

bool tx_control_load_clock(struct tx_tile *t, unsigned agent, uint32_t address, struct tx_bus_answer *answer) {
  const struct tx_core_port *port = tx_bus_port(t, agent);
  if (!tx_is_wall_clock(address) || port->pending[TX_REGION_CONTROL] || port->load_since || port->load_address) return false;
  *answer = tx_bus_done(tx_wall_clock_read(t, address - TX_ADDR_CONTROL), round_trip(t));
  answer->moves = true;
  return true;
}

struct tx_bus_answer tx_access_control(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value = 0;
  if (!register_exists(r->address & ~3u)) return tx_bus_unmapped();
  if (r->store) return tx_bus_emit(t, r, TX_REGION_CONTROL);
  if (tx_bus_behind_stores(t, r, TX_REGION_CONTROL, &answer)) return answer;
  if (!tx_control_read(t, r->address & ~3u, &value)) return (struct tx_bus_answer){.result = TX_BUS_FAULT};
  answer = tx_bus_finish_load(t, r, value, t->params.mmio_request_cycles, round_trip(t));
  answer.moves = tx_control_moves(r->address & ~3u);
  return answer;
}

bool tx_arrive_control(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_control_write(t, r->address, r->value);
  sim_poke(&t->engine, r->address);
  return true;
}
