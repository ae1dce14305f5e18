/* The scalar unit's instructions that access memory, and those that wait inside the unit: LOADIND, STOREIND, LOADREG,
 * STOREREG, ATINCGET, ATSWAP, ATCAS, ATINCGETPTR, FLUSHDMA. Wormhole pages of these names; L1 is Blackhole's 1536 KiB.
 *
 * A request leaves the unit two cycles after it was accepted (three cycles of occupation, inferred) and reaches L1
 * l1_request_cycles later; a load's value is in its GPR another l1_request_cycles later: ten cycles in all, consistent
 * with LOADIND.md's advice of seven DMANOPs. A request waits for port 2 and its bank (mem/l1_ports.h). */
#include "tensix/unit/scalar_memory.h"

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/mem/inflight.h"
#include "tensix/mem/l1.h"
#include "tensix/mem/l1_ports.h"
#include "tensix/regs/gpr.h"
#include "tensix/regs/src.h"
#include "tensix/unit/conditions.h"
#include "tensix/unit/scalar.h"

enum { EMIT_CYCLES = 2 };

enum request { LOAD, STORE, INCREMENT, LOAD_REGISTER, STORE_REGISTER };

static const uint8_t bytes_of_size[4] = {16, 4, 2, 1};

/* w[0] = request | thread << 8 | a << 16 | b << 24, w[1] = address, w[2..5] = operands */
static void emit(struct tx_tile *t, enum request request, unsigned thread, uint32_t ab, uint32_t address,
                 const uint32_t operands[4], uint32_t cycles) {
  tx_assert(thread < TX_THREADS && ab <= 0xffffu);
  t->scalar.outstanding[thread]++;
  const uint32_t w[SIM_EFFECT_WORDS] = {
      (uint32_t)request | thread << 8 | ab << 16, address, operands[0], operands[1], operands[2], operands[3]};
  tx_later(t, cycles, TX_EFFECT_SCALAR_MEMORY, w);
}

/* false: outside L1, a fault. Races with streams of units are reported here, where the instruction is known. */
static bool touch_l1(struct tx_tile *t, uint32_t address, uint32_t bytes, const char *what, bool write) {
  if (!tx_l1_check(t, address, bytes, what)) return false;
  tx_inflight_touch(t, address, bytes, write);
  return true;
}

/* The request waits for port 2 and for its bank; the unit accepts nothing else meanwhile. An atomic and a write of less
 * than a line occupy both. */
static uint32_t take_port(struct tx_tile *t, uint32_t address, bool narrow_write, struct tx_cost *cost) {
  uint32_t wait = tx_l1_request_of_unit(t, TX_L1_PORT_2, address, narrow_write ? t->params.l1_narrow_write_cycles : 1);
  cost->hold += wait;
  return wait;
}

static uint32_t l1_cycles(const struct tx_tile *t) { return EMIT_CYCLES + t->params.l1_request_cycles; }
static uint32_t mmio_cycles(const struct tx_tile *t) { return EMIT_CYCLES + t->params.mmio_request_cycles; }

/* --- a request reaches its memory --- */

static void finish_request(struct tx_tile *t, unsigned thread) {
  tx_assert(t->scalar.outstanding[thread] > 0);
  t->scalar.outstanding[thread]--;
  tx_perf_touch(t);
  sim_signal(&t->engine, TX_CH(TX_CH_MEMORY), t->engine.now);
}

/* The registers are marked when the request is emitted; the write itself does not mark them again. */
static void return_value(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask,
                         uint32_t cycles, bool last) {
  tx_assert(reg < TX_GPRS && t->scalar.gpr_pending[thread][reg] > 0);
  t->scalar.gpr_pending[thread][reg]--;
  tx_gpr_write_later(t, thread, reg, value, byte_mask, cycles, last);
}

static void load_arrives(struct tx_tile *t, unsigned thread, unsigned size, uint32_t address, unsigned reg) {
  uint32_t cycles = t->params.l1_request_cycles;
  static const uint8_t byte_mask[4] = {0xf, 0xf, 0x3, 0x1};
  if (size == 0) {
    for (unsigned i = 0; i < 4; i++)
      return_value(t, thread, reg + i, tx_l1_read(t, address + 4 * i, 4), 0xf, cycles, i == 3);
  } else {
    return_value(t, thread, reg, tx_l1_read(t, address, bytes_of_size[size]), byte_mask[size], cycles, true);
  }
}

/* Sixteen-bit granules of up to 16 bytes, or one byte. */
static void store_arrives(struct tx_tile *t, uint32_t granules, unsigned bytes, uint32_t address, const uint32_t data[4]) {
  uint8_t raw[16];
  for (unsigned i = 0; i < 16; i++) raw[i] = (uint8_t)(data[i / 4] >> (8 * (i % 4)));
  if (bytes) {
    tx_l1_write(t, address, raw, bytes);
    return;
  }
  for (unsigned i = 0; i < 8; i++)
    if (granules >> i & 1u) tx_l1_write(t, address + 2 * i, raw + 2 * i, 2);
}

static void write_l1_word(struct tx_tile *t, uint32_t address, uint32_t value) {
  store_arrives(t, 0, 4, address, (const uint32_t[4]){value});
}

static void increment_arrives(struct tx_tile *t, unsigned thread, uint32_t address, unsigned reg, uint32_t by,
                              uint32_t mask) {
  uint32_t old = tx_l1_read(t, address, 4);
  write_l1_word(t, address, ((old + by) & mask) | (old & ~mask));
  return_value(t, thread, reg, old, 0xf, t->params.scalar_atomic_return_cycles, true);
}

bool tx_scalar_request_valid(const struct sim_effect *e) {
  unsigned thread = e->w[0] >> 8 & 0xffu, a = e->w[0] >> 16 & 0xffu, reg = e->w[2];
  uint32_t address = e->w[1], bytes = a < 4 ? bytes_of_size[a] : 0;
  if (thread >= TX_THREADS) return false;
  switch ((enum request)(e->w[0] & 0xffu)) {
    case LOAD:
      return a < 4 && reg <= TX_GPRS - (a ? 1u : 4u) && address % bytes == 0 && (uint64_t)address + bytes <= TX_L1_BYTES;
    case STORE: return a <= 16 && (uint64_t)address + (a ? a : 16u) <= TX_L1_BYTES;
    case INCREMENT: return reg < TX_GPRS && address % 4 == 0 && (uint64_t)address + 4 <= TX_L1_BYTES;
    case LOAD_REGISTER: return reg < TX_GPRS;
    case STORE_REGISTER: return true;
  }
  return false;
}

unsigned tx_scalar_request_marks(const struct sim_effect *e, unsigned *first) {
  *first = e->w[2];
  switch ((enum request)(e->w[0] & 0xffu)) {
    case LOAD: return e->w[0] >> 16 & 0xffu ? 1 : 4;
    case INCREMENT:
    case LOAD_REGISTER: return 1;
    default: return 0;
  }
}

void tx_effect_SCALAR_MEMORY(struct tx_tile *t, const struct sim_effect *e) {
  enum request request = (enum request)(e->w[0] & 0xffu);
  unsigned thread = e->w[0] >> 8 & 0xffu, a = e->w[0] >> 16 & 0xffu, b = e->w[0] >> 24;
  uint32_t address = e->w[1], value = 0;
  switch (request) {
    case LOAD: load_arrives(t, thread, a, address, e->w[2]); break;
    case STORE:
      store_arrives(t, b, a, address, &e->w[2]);
      finish_request(t, thread);
      break;
    case INCREMENT: increment_arrives(t, thread, address, e->w[2], e->w[3], e->w[4]); break;
    case LOAD_REGISTER:
      t->unsaved.ports->register_read(t, address, &value); /* it exists: checked by the body */
      return_value(t, thread, e->w[2], value, 0xf, t->params.mmio_request_cycles, true);
      break;
    case STORE_REGISTER:
      t->unsaved.ports->register_write(t, address, e->w[2], 0xf);
      finish_request(t, thread);
      break;
  }
}

/* --- addresses from two GPRs --- */

struct indirect {
  uint32_t base;   /* the address GPR */
  uint32_t offset; /* the 16-bit offset, before its increment */
};

/* LOADIND and STOREIND have these fields at the same positions. */
static struct indirect take_indirect(struct tx_tile *t, unsigned thread, uint32_t word) {
  static const uint8_t increment[4] = {0, 2, 4, 16};
  unsigned half = TX_FIELD(word, LOADIND, offset_index), high = half & 1u;
  uint32_t gpr = tx_gpr_read(t, thread, half / 2), offset = gpr >> (16 * high) & 0xffffu;
  struct indirect in = {.base = tx_gpr_read(t, thread, TX_FIELD(word, LOADIND, addr_reg_index)), .offset = offset};
  uint32_t next = (offset + increment[TX_FIELD(word, LOADIND, auto_inc_spec)]) & 0xffffu;
  if (next != offset) tx_gpr_write(t, thread, half / 2, next << (16 * high), high ? 0xcu : 0x3u);
  return in;
}

static void mark_pending(struct tx_tile *t, unsigned thread, unsigned reg, unsigned count) {
  tx_assert(reg + count <= TX_GPRS);
  for (unsigned i = 0; i < count; i++) t->scalar.gpr_pending[thread][reg + i]++;
}

/* --- loads and stores --- */

void tx_exec_LOADIND(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 3);
  unsigned size = TX_FIELD(word, LOADIND, size_sel), bytes = bytes_of_size[size];
  unsigned reg = TX_FIELD(word, LOADIND, data_reg_index) & (size ? 0x3fu : 0x3cu);
  struct indirect in = take_indirect(t, thread, word);
  uint32_t address = (in.base * 16 + in.offset) & ~(bytes - 1u);
  if (!touch_l1(t, address, bytes, "LOADIND", false)) return;
  uint32_t wait = take_port(t, address, false, cost);
  emit(t, LOAD, thread, size, address, (const uint32_t[4]){reg}, wait + l1_cycles(t));
  mark_pending(t, thread, reg, size ? 1 : 4);
}

static void store_to_l1(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  unsigned size = word >> TX_STOREIND_reg_size_sel_LO & 3u,
           bytes = bytes_of_size[size]; /* size_sel and reg_size_sel together */
  unsigned reg = TX_FIELD(word, STOREIND, data_reg_index) & (size ? 0x3fu : 0x3cu);
  uint32_t data[4] = {0};
  for (unsigned i = 0; i < (size ? 1u : 4u); i++) data[i] = tx_gpr_read(t, thread, reg + i);
  struct indirect in = take_indirect(t, thread, word);
  uint32_t address = (in.base * 16 + in.offset) & ~(bytes - 1u);
  if (!touch_l1(t, address, bytes, "STOREIND", true)) return;
  uint32_t wait = take_port(t, address, bytes < 16, cost);
  emit(t, STORE, thread, bytes, address, data, wait + l1_cycles(t));
}

static bool register_exists(struct tx_tile *t, const char *name, const char *page, uint32_t address, bool known) {
  if (address < TX_ADDR_TDMA)
    tx_fault(t, SIM_FAULT_UNDEFINED, page, "%s: address 0x%08x is below 0x%08x", name, address, TX_ADDR_TDMA);
  else if (!known) tx_fault(t, SIM_FAULT_UNSUPPORTED, page, "%s: no register is modelled at 0x%08x", name, address);
  return address >= TX_ADDR_TDMA && known;
}

static void store_to_register(struct tx_tile *t, unsigned thread, const char *name, const char *page, uint32_t address,
                              uint32_t value) {
  if (!register_exists(t, name, page, address, t->unsaved.ports->register_write(t, address, 0, 0))) return;
  emit(t, STORE_REGISTER, thread, 0, address, (const uint32_t[4]){value}, mmio_cycles(t));
}

static void store_to_mmio(struct tx_tile *t, unsigned thread, uint32_t word) {
  if (TX_FIELD(word, STOREIND, reg_size_sel)) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "STOREIND_MMIO.md",
             "STOREIND to a register with reg_size_sel 1: no document defines it");
    return;
  }
  uint32_t value = tx_gpr_read(t, thread, TX_FIELD(word, STOREIND, data_reg_index));
  struct indirect in = take_indirect(t, thread, word);
  uint32_t address = TX_ADDR_REGISTERS + ((in.base + (in.offset >> 4)) & 0x000FFFFCu);
  store_to_register(t, thread, "STOREIND", "STOREIND_MMIO.md", address, value);
}

void tx_exec_LOADREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 3);
  uint32_t address = TX_ADDR_REGISTERS + TX_FIELD(word, LOADREG, reg_addr) * 4, value;
  unsigned reg = TX_FIELD(word, LOADREG, tdma_data_reg_index);
  if (!register_exists(t, "LOADREG", "LOADREG.md", address, t->unsaved.ports->register_read(t, address, &value))) return;
  emit(t, LOAD_REGISTER, thread, 0, address, (const uint32_t[4]){reg}, mmio_cycles(t));
  mark_pending(t, thread, reg, 1);
}

void tx_exec_STOREREG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 3);
  uint32_t address = TX_ADDR_REGISTERS + TX_FIELD(word, STOREREG, reg_addr) * 4;
  uint32_t value = tx_gpr_read(t, thread, TX_FIELD(word, STOREREG, tdma_data_reg_index));
  store_to_register(t, thread, "STOREREG", "STOREREG.md", address, value);
}

/* --- atomics that do not wait --- */

/* At most one every scalar_atomic_interval cycles; the unit is held until then. */
static void hold_for_atomic(struct tx_tile *t, struct tx_cost *cost) {
  sim_time *free_at = &t->scalar.atomic_free_at;
  if (t->timing && *free_at > t->engine.now) cost->hold = (uint32_t)(*free_at - t->engine.now);
  *free_at = t->engine.now + cost->hold + t->params.scalar_atomic_interval;
  tx_scalar_takes(t, cost, 3);
}

void tx_exec_ATINCGET(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  hold_for_atomic(t, cost);
  unsigned reg = TX_FIELD(word, ATINCGET, data_reg_index);
  uint32_t base = tx_gpr_read(t, thread, TX_FIELD(word, ATINCGET, addr_reg_index)), by = tx_gpr_read(t, thread, reg);
  uint32_t address = base * 16 + TX_FIELD(word, ATINCGET, sel_32b) * 4;
  uint32_t mask = (uint32_t)((UINT64_C(2) << TX_FIELD(word, ATINCGET, wrap_val)) - 1u);
  if (!touch_l1(t, address, 4, "ATINCGET", true)) return;
  t->scalar.atomic_free_at += take_port(t, address, true, cost);
  emit(t, INCREMENT, thread, 0, address, (const uint32_t[4]){reg, by, mask}, cost->hold + l1_cycles(t));
  mark_pending(t, thread, reg, 1);
}

void tx_exec_ATSWAP(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  hold_for_atomic(t, cost);
  unsigned reg = TX_FIELD(word, ATSWAP, data_reg_index);
  bool single = TX_FIELD(word, ATSWAP, single_data_reg);
  uint32_t address = tx_gpr_read(t, thread, TX_FIELD(word, ATSWAP, addr_reg_index)) * 16, data[4] = {0};
  for (unsigned i = 0; i < 4; i++)
    if (!single || i == (reg & 3u)) data[i] = tx_gpr_read(t, thread, (reg & 0x3cu) + i);
  if (!touch_l1(t, address, 16, "ATSWAP", true)) return;
  t->scalar.atomic_free_at += take_port(t, address, true, cost);
  emit(t, STORE, thread, TX_FIELD(word, ATSWAP, swap_mask) << 8, address, data, cost->hold + l1_cycles(t));
}

/* --- waiting inside the unit --- */

/* The first attempt of a conditional atomic. ISA: L1.md: it occupies port and bank whether the comparison holds or not.
 * Later attempts, every scalar_retry_cycles while the words are unchanged, use no cycle of a port here: the unit is parked. */
static uint32_t first_attempt(struct tx_tile *t, uint32_t address, struct tx_cost *cost) {
  return l1_cycles(t) + (address < t->l1_bytes ? take_port(t, address, true, cost) : 0);
}

static void wait_inside(struct tx_tile *t, unsigned thread, uint32_t word, uint32_t cycles) {
  struct tx_unit_state *unit = &t->units[TX_UNIT_SCALAR];
  tx_assert(!t->scalar.waiting_word); /* one instruction at a time */
  t->scalar.waiting_word = word;
  t->scalar.waiting_thread = thread;
  t->scalar.waiting_pc = t->current.pc;
  unit->free_at = unit->drained_at[thread] = t->scalar.hold_until[thread] = SIM_NEVER;
  sim_sleep_until(&t->engine, TX_AGENT_SCALAR, t->engine.now + (t->timing ? cycles : 1));
}

static void leave(struct tx_tile *t, uint32_t cycles) {
  tx_assert(t->scalar.waiting_word && t->scalar.waiting_thread < TX_THREADS);
  unsigned thread = t->scalar.waiting_thread;
  struct tx_unit_state *unit = &t->units[TX_UNIT_SCALAR];
  sim_time at = t->engine.now + (t->timing ? cycles : 1);
  unit->free_at = unit->drained_at[thread] = t->scalar.hold_until[thread] = at;
  tx_emit(t, TX_EVENT_RETIRE, tx_agent_of_thread(thread), t->scalar.waiting_word, t->scalar.waiting_pc,
          TX_UNIT_SCALAR | (at - t->engine.now) << 16);
  t->scalar.waiting_word = t->scalar.waiting_thread = t->scalar.waiting_pc = 0;
  sim_done(&t->engine, TX_AGENT_SCALAR);
  sim_signal(&t->engine, TX_CH(TX_CH_UNIT + TX_UNIT_SCALAR) | TX_CH(TX_CH_IDLE), at);
}

/* Cycles from the arrival of an attempt at L1 until the unit has the result and is free again. */
static uint32_t attempt_rest(const struct tx_tile *t) {
  uint32_t before = l1_cycles(t), whole = t->params.scalar_retry_cycles;
  return whole > before ? whole - before : 1;
}

/* The next attempts follow every scalar_retry_cycles, but the result can only change when one of the words changes. */
static void retry(struct tx_tile *t, const uint32_t *keys, unsigned count, uint32_t value) {
  uint32_t period = t->timing ? t->params.scalar_retry_cycles : 1;
  sim_block(&t->engine, TX_AGENT_SCALAR,
            (struct sim_wait){.kind = TX_BLOCKED_ADDRESS, .object = keys[0], .detail = 0xffffffffu | (uint64_t)value << 32});
  sim_park(&t->engine, TX_AGENT_SCALAR, keys, count, t->engine.now + period, period);
}

/* ISA: ATCAS.md. The address GPR is read again at every attempt. */
static void attempt_cas(struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned reg = TX_FIELD(word, ATCAS, addr_reg_index);
  uint32_t address = t->scalar.gpr[thread][reg] * 16 + TX_FIELD(word, ATCAS, sel_32b) * 4;
  if (!touch_l1(t, address, 4, "ATCAS", true)) return;
  if (tx_l1_read(t, address, 4) != TX_FIELD(word, ATCAS, cmp_val)) {
    retry(t, (const uint32_t[2]){address, TX_ADDR_GPR + 4 * reg}, 2, TX_FIELD(word, ATCAS, cmp_val));
    return;
  }
  write_l1_word(t, address, TX_FIELD(word, ATCAS, swap_val));
  leave(t, attempt_rest(t));
}

/* ISA: ATINCGETPTR.md: words Rd and Wr of a FIFO; an odd selector pushes, an even one pops. */
static void attempt_pointer(struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned reg = TX_FIELD(word, ATINCGETPTR, addr_reg_index), width = TX_FIELD(word, ATINCGETPTR, wrap_val);
  unsigned selector = TX_FIELD(word, ATINCGETPTR, sel_32b);
  uint32_t address = t->scalar.gpr[thread][reg] * 16, mask = (1u << width) - 1u;
  if (!touch_l1(t, address, 16, "ATINCGETPTR", true)) return;
  uint32_t used = tx_l1_read(t, address + 4, 4) - tx_l1_read(t, address, 4);
  uint32_t capacity = width ? 1u << (width - 1) : 0x8000u;
  bool refused = selector & 1u ? used != 0 && used % capacity == 0 : used == 0;
  if (refused) {
    retry(t,
          (const uint32_t[3]){address + (selector & 1u ? 0 : 4), address + (selector & 1u ? 4 : 0), TX_ADDR_GPR + 4 * reg},
          3, 0);
    return;
  }
  uint32_t by = TX_FIELD(word, ATINCGETPTR, no_incr) ? 0 : 1u << TX_FIELD(word, ATINCGETPTR, incr_val);
  uint32_t old = tx_l1_read(t, address + 4 * selector, 4);
  write_l1_word(t, address + 4 * selector, ((old + by) & mask) | (old & ~mask));
  tx_gpr_write(t, thread, TX_FIELD(word, ATINCGETPTR, data_reg_index), old, 0xf);
  leave(t, attempt_rest(t));
}

void tx_exec_ATCAS(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, t->params.scalar_retry_cycles);
  uint32_t line = tx_gpr_read(t, thread, TX_FIELD(word, ATCAS, addr_reg_index));
  wait_inside(t, thread, word, first_attempt(t, line * 16, cost));
}

void tx_exec_ATINCGETPTR(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, t->params.scalar_retry_cycles);
  uint32_t line = tx_gpr_read(t, thread, TX_FIELD(word, ATINCGETPTR, addr_reg_index));
  wait_inside(t, thread, word, first_attempt(t, line * 16, cost));
}

static uint32_t flush_mask(uint32_t word) {
  uint32_t mask = TX_FIELD(word, FLUSHDMA, flush_spec);
  return mask ? mask : 0xfu;
}

static void look_at_flush(struct tx_tile *t, unsigned thread, uint32_t word) {
  uint32_t unmet = tx_conditions_unmet(t, thread, flush_mask(word));
  if (!unmet) {
    leave(t, 1);
    return;
  }
  uint64_t channels = TX_CH(TX_CH_MEMORY) | TX_CH(TX_CH_UNIT + TX_UNIT_UNPACK) | TX_CH(TX_CH_UNIT + TX_UNIT_PACK);
  sim_time latest = unmet >> TX_C3_PACK & 1u ? t->units[TX_UNIT_PACK].drained_at[thread] : SIM_NEVER;
  sim_block(&t->engine, TX_AGENT_SCALAR, (struct sim_wait){.kind = TX_BLOCKED_CONDITION, .object = unmet});
  sim_sleep_on(&t->engine, TX_AGENT_SCALAR, channels, latest);
}

void tx_exec_FLUSHDMA(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 2);
  cost->thread = 2; /* stalls the thread */
  if (tx_conditions_unmet(t, thread, flush_mask(word))) wait_inside(t, thread, word, 1);
}

/* --- STOREIND to SrcA or SrcB --- */

/* BF16 as sign, mantissa, exponent in the low half, as sign, exponent, mantissa in the high half (STOREIND_Src.md). */
static uint32_t bf16_low(uint32_t x) { return (x & 0xff00u) << 3 | (x & 0xffu); }
static uint32_t bf16_high(uint32_t x) { return x >> 31 << 18 | (x >> 16 & 0x7fu) << 11 | (x >> 23 & 0xffu); }

static bool src_row(struct tx_tile *t, unsigned thread, enum tx_src_which which, uint32_t index, int *row) {
  *row = (int)(index >> 2) - (which == TX_SRCA ? 4 : 0); /* SrcA's first four rows do not exist */
  bool whole = which == TX_SRCA && TX_THREAD_CFG_GET(t, thread, SRCA_SET_SetOvrdWithAddr);
  if (*row >= (whole ? 64 : 16)) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "STOREIND_Src.md", "STOREIND to Src%c: row %d is out of range", which ? 'B' : 'A',
             *row);
    return false;
  }
  if (*row >= 0 && !whole) *row += t->unpack.src_row[which][thread];
  return true;
}

static void write_src(struct tx_tile *t, unsigned thread, enum tx_src_which which) {
  const uint32_t *waiting = t->scalar.waiting_data;
  int row;
  if (!src_row(t, thread, which, waiting[0], &row) || row < 0) return;
  struct tx_src_bank *bank = &t->src.bank[which][t->src.unpack_bank[which]];
  uint32_t *datum = &bank->datum[(unsigned)row % TX_SRC_ROWS][(waiting[0] & 3u) * 4];
  datum[0] = bf16_low(waiting[1]);
  datum[1] = bf16_high(waiting[1]);
  datum[2] = bf16_low(waiting[2]);
  datum[3] = bf16_high(waiting[2]);
  bank->version++;
}

static void store_to_src(struct tx_tile *t, unsigned thread, uint32_t word) {
  enum tx_src_which which = TX_FIELD(word, STOREIND, reg_size_sel) ? TX_SRCB : TX_SRCA;
  unsigned reg = TX_FIELD(word, STOREIND, data_reg_index) & 0x3cu;
  uint32_t *waiting = t->scalar.waiting_data;
  waiting[1] = tx_gpr_read(t, thread, reg);
  waiting[2] = tx_gpr_read(t, thread, reg + 1);
  struct indirect in = take_indirect(t, thread, word);
  waiting[0] = (in.base + (in.offset >> 4)) & 0xfffffu;
  if (waiting[0] & 0xf0000u) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "STOREIND_Src.md", "STOREIND to Src: index 0x%05x is out of range", waiting[0]);
  } else if (tx_src_unpack_owns(&t->src, which)) {
    write_src(t, thread, which);
  } else {
    wait_inside(t, thread, word, 1);
  }
}

static void look_at_bank(struct tx_tile *t, unsigned thread, uint32_t word) {
  enum tx_src_which which = TX_FIELD(word, STOREIND, reg_size_sel) ? TX_SRCB : TX_SRCA;
  if (tx_src_unpack_owns(&t->src, which)) {
    write_src(t, thread, which);
    leave(t, 1);
    return;
  }
  sim_block(&t->engine, TX_AGENT_SCALAR, (struct sim_wait){.kind = TX_BLOCKED_UNPACK_BANK, .object = which});
  sim_sleep_on(&t->engine, TX_AGENT_SCALAR, TX_CH(TX_CH_BANK), SIM_NEVER);
}

void tx_exec_STOREIND(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  tx_scalar_takes(t, cost, 3);
  if (TX_FIELD(word, STOREIND, mem_hier_sel)) store_to_l1(t, thread, word, cost);
  else if (TX_FIELD(word, STOREIND, size_sel)) store_to_mmio(t, thread, word);
  else store_to_src(t, thread, word);
}

/* --- the unit's turn --- */

bool tx_scalar_waits(uint32_t word) {
  return word >> 24 == TX_ATCAS || word >> 24 == TX_ATINCGETPTR || word >> 24 == TX_FLUSHDMA || word >> 24 == TX_STOREIND;
}

void tx_scalar_issue(struct tx_tile *t) {
  uint32_t word = t->scalar.waiting_word;
  unsigned thread = t->scalar.waiting_thread;
  t->current = (struct tx_current){
      .agent = tx_agent_of_thread(thread), .word = word, .pc = t->scalar.waiting_pc, .unit = TX_UNIT_SCALAR};
  switch (word >> 24) {
    case TX_ATCAS: attempt_cas(t, thread, word); break;
    case TX_ATINCGETPTR: attempt_pointer(t, thread, word); break;
    case TX_FLUSHDMA: look_at_flush(t, thread, word); break;
    default: look_at_bank(t, thread, word); break;
  }
}
