/* The configuration unit of config.h: storage, pipeline, the bodies of its nine instructions. */
#include "tensix/unit/config.h"

#include "tensix/body.h"
#include "tensix/machine.h"
#include "tensix/regs/context.h"
#include "tensix/regs/gpr.h"
#include "tensix/regs/streams.h"

enum { STATE_RESET_INDEX = TX_CFG_STATE_RESET_EN_ADDR };

/* --- storage --- */

/* Bits without a row in config.def are not implemented: they read as 0 (golden; undocumented). Words without any row are
 * unknown and store all bits: the golden model rejects them. */
void tx_config_reset(struct tx_config *c) {
  for (size_t i = 0; i < tx_config_field_count; i++) {
    const struct tx_config_field *f = &tx_config_fields[i];
    if (f->thread) continue;
    for (unsigned bit = f->shift, end = f->shift + f->width; bit < end; bit = (bit / 32 + 1) * 32) { /* word by word */
      unsigned in_word = end - bit < 32 - bit % 32 ? end - bit : 32 - bit % 32;
      c->assigned[f->addr + bit / 32] |= (0xffffffffu >> (32 - in_word)) << bit % 32;
    }
  }
  for (unsigned i = 0; i < TX_CFG_WORDS; i++)
    if (!c->assigned[i]) c->assigned[i] = 0xffffffffu;
}

static void poke_word(struct tx_tile *t, unsigned bank, unsigned index) {
  if (t->engine.parked) sim_poke(&t->engine, TX_ADDR_CONFIG + 4 * (bank * TX_CFG_WORDS + index));
}

static void store_word(struct tx_tile *t, unsigned bank, unsigned index, uint32_t value) {
  tx_assert(bank < 2 && index < TX_CFG_WORDS);
  t->config.words[bank][index] = value & t->config.assigned[index];
  poke_word(t, bank, index);
}

/* Any write except RMWCIB's to STATE_RESET_EN clears the banked part of its bank (BackendConfiguration.md). */
static void reset_bank(struct tx_tile *t, unsigned bank) {
  for (unsigned i = 0; i < TX_CFG_GLOBAL_BASE; i++) store_word(t, bank, i, 0);
}

/* RISCV_IC_INVALIDATE. A core that is parked in a loop fetches it again. */
static void invalidate(struct tx_tile *t, uint32_t cores) {
  t->config.ic_invalidate |= cores;
  for (unsigned core = 0; core < TX_CORES; core++)
    if (t->core[core].spin.parked && cores & tx_core_cache_bit(core))
      sim_sleep_until(&t->engine, TX_AGENT_TRISC0 + core, t->engine.now + 1);
}

/* The words above 180 with a side effect of a write. */
static void trigger(struct tx_tile *t, unsigned index, uint32_t value) {
  if (index == TX_CFG_PRNG_SEED_Seed_Val_ADDR) {
    t->config.prng_seed = value;
    t->config.prng_seedings++;
  } else if (index == TX_CFG_RISCV_IC_INVALIDATE_InvalidateAll_ADDR) {
    invalidate(t, value & ((1u << TX_CFG_RISCV_IC_INVALIDATE_InvalidateAll_WIDTH) - 1u));
  }
}

/* Words that kernels write for every tile. A write to one of them leaves what PACR, UNPACR and the matrix unit have decoded as it is, except for the addresses
 * that they always read again. */
static inline void note_harmless(struct tx_unsaved *u, unsigned index) {
  u->harmless_to_matrix += index > TX_CFG_ALU_ACC_CTRL_Zero_Flag_disabled_src_ADDR; /* it reads words 0 to 2 */
  switch (index) {
    case TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR:
    case TX_CFG_DEST_TARGET_REG_CFG_PACK_SEC0_Offset_ADDR:
    case TX_CFG_THCON_SEC0_REG3_Base_address_ADDR:
    case TX_CFG_THCON_SEC0_REG3_Base_cntx1_address_ADDR:
    case TX_CFG_THCON_SEC0_REG3_Base_cntx2_address_ADDR:
    case TX_CFG_THCON_SEC0_REG3_Base_cntx3_address_ADDR:
    case TX_CFG_THCON_SEC1_REG3_Base_address_ADDR:
    case TX_CFG_THCON_SEC1_REG3_Base_cntx1_address_ADDR:
    case TX_CFG_THCON_SEC1_REG3_Base_cntx2_address_ADDR:
    case TX_CFG_THCON_SEC1_REG3_Base_cntx3_address_ADDR:
      u->pack.harmless++;
      u->harmless_to_unpack++;
      break;
    case TX_CFG_THCON_SEC0_REG7_Offset_address_ADDR:
    case TX_CFG_THCON_SEC0_REG7_Offset_cntx1_address_ADDR:
    case TX_CFG_THCON_SEC0_REG7_Offset_cntx2_address_ADDR:
    case TX_CFG_THCON_SEC0_REG7_Offset_cntx3_address_ADDR:
    case TX_CFG_THCON_SEC1_REG7_Offset_address_ADDR:
    case TX_CFG_THCON_SEC1_REG7_Offset_cntx1_address_ADDR:
    case TX_CFG_THCON_SEC1_REG7_Offset_cntx2_address_ADDR:
    case TX_CFG_THCON_SEC1_REG7_Offset_cntx3_address_ADDR: u->pack.harmless++; break;
    default: break;
  }
}

static void write_plain(struct tx_tile *t, unsigned bank, unsigned index, uint32_t value) {
  t->config.version++;
  note_harmless(&t->unsaved, index);
  if (bank && index < TX_CFG_GLOBAL_BASE) t->config.bank1_used = 1;
  store_word(t, bank, index, value);
  if (index < TX_CFG_GLOBAL_BASE) return;
  store_word(t, bank ^ 1u, index, value);
  trigger(t, index, value);
}

void tx_config_write(struct tx_tile *t, unsigned bank, unsigned index, uint32_t value) {
  if (index == STATE_RESET_INDEX) {
    t->config.version++;
    reset_bank(t, bank);
  } else {
    write_plain(t, bank, index, value);
  }
}

/* --- the pipeline: bit 0 is stage -4, bit 4 stage 0 --- */

static uint32_t stage_bit(int stage) { return 1u << (stage + 4); }

/* The stages of the configuration pipeline that are occupied in cycle `at` if no further write enters. */
static uint32_t occupied_at(const struct tx_config *c, sim_time at) {
  tx_assert(at >= c->pipe_at);
  sim_time steps = at - c->pipe_at;
  uint32_t pipe = steps < 5 ? (c->pipe & ~1u) << steps & 0x1fu : 0;
  if (c->pipe & 1u) { /* STREAMWRCFG may stay in -4 for some time */
    if (at < c->stream_leaves_at) pipe |= 1u;
    else if (at - c->stream_leaves_at < 4) pipe |= 2u << (at - c->stream_leaves_at);
  }
  return pipe;
}

static void settle(struct tx_tile *t) {
  struct tx_config *c = &t->config;
  if (c->pipe_at == t->engine.now) return;
  c->pipe = c->pipe_old = occupied_at(c, t->engine.now);
  c->pipe_at = t->engine.now;
}

/* The stage itself must be free, and no older instruction may be between -3 and it. An instruction that enters a lower
 * stage in the same cycle does not conflict. */
static bool fits(uint32_t pipe, uint32_t pipe_old, int stage, bool twice) {
  uint32_t own = stage_bit(stage) | (twice ? stage_bit(0) : 0);
  uint32_t below = (stage_bit(stage) - 1u) & ~1u;
  return !(pipe & own) && !(pipe_old & below);
}

static bool can_enter(struct tx_tile *t, int stage) {
  if (!t->timing) return true;
  settle(t);
  return fits(t->config.pipe, t->config.pipe_old, stage, false);
}

void tx_config_enter(struct tx_tile *t, int stage, bool twice) {
  struct tx_config *c = &t->config;
  if (!t->timing) return;
  settle(t);
  tx_assert(stage >= -4 && stage <= 0 && !(c->pipe & stage_bit(stage))); /* checked by the gate */
  c->pipe |= stage_bit(stage) | (twice ? stage_bit(0) : 0);
  sim_time leaves_0_at = t->engine.now + (sim_time)(1 - stage);
  if (stage == -4) {
    uint32_t prepare = t->params.stream_prepare_cycles;
    c->stream_leaves_at = t->engine.now + (prepare ? prepare : 1);
    leaves_0_at = c->stream_leaves_at + 4;
  }
  /* Silicon: {STALLWAIT C12; NOP} beside two threads of {RMWCIB0; NOP} takes 313 cycles for 64: busy one cycle beyond stage 0. */
  if (c->busy_until < leaves_0_at + 1) c->busy_until = leaves_0_at + 1;
}

bool tx_config_core_enter(struct tx_tile *t) {
  if (!can_enter(t, 0)) return false;
  if (t->timing) t->config.pipe |= stage_bit(0); /* not an instruction: C12 ignores it */
  return true;
}

int tx_config_entry_stage(uint8_t opcode) {
  switch (opcode) {
    case TX_SETC16: return 1;
    case TX_STREAMWRCFG: return -4;
    case TX_WRCFG:
    case TX_CFGSHIFTMASK: return -1;
    default: return 0;
  }
}

void tx_config_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  (void)thread;
  uint8_t opcode = (uint8_t)(word >> 24);
  int stage = tx_config_entry_stage(opcode);
  if (stage > 0 || !t->timing) return;
  bool twice = opcode == TX_CFGSHIFTMASK;
  settle(t);
  if (fits(t->config.pipe, t->config.pipe_old, stage, twice)) return;
  sim_time at = t->engine.now + 1;
  for (;; at++) { /* terminates: the pipeline drains */
    uint32_t pipe = occupied_at(&t->config, at);
    if (fits(pipe, pipe, stage, twice)) break;
  }
  *answer = (struct tx_answer){.retry_at = at, .wait = {.kind = TX_BLOCKED_CONFIG}};
}

/* --- effects: actions in stage 0 --- */

enum action { WRITE_ONE, WRITE_FOUR, MODIFY_BYTE, SHIFT_MASK, COPY_STREAM };

static uint32_t rotate_right(uint32_t value, unsigned by) { return by ? value >> by | value << (32 - by) : value; }

/* ISA: CFGSHIFTMASK.md */
static uint32_t shift_mask(const struct tx_tile *t, unsigned thread, unsigned bank, uint32_t word) {
  unsigned section = TX_FIELD(word, CFGSHIFTMASK, scratch_sel), by = TX_FIELD(word, CFGSHIFTMASK, right_cshift_amt);
  uint32_t mask = (uint32_t)((UINT64_C(2) << TX_FIELD(word, CFGSHIFTMASK, mask_width)) - 1u);
  uint32_t scratch = t->config.words[bank][TX_CFG_SCRATCH_SEC0_val_ADDR + (section < 3 ? section : thread)];
  uint32_t operand = rotate_right(scratch & mask, by);
  uint32_t value = t->config.words[bank][TX_FIELD(word, CFGSHIFTMASK, cfg_reg)];
  if (!TX_FIELD(word, CFGSHIFTMASK, disable_mask_on_old_val)) value &= ~rotate_right(mask, by);
  switch (TX_FIELD(word, CFGSHIFTMASK, operation)) {
    case 0: return value | operand;
    case 1: return value & operand;
    case 2: return value ^ operand;
    case 3: return value + operand;
    case 4: return value | ~operand;
    case 5: return value & ~operand;
    case 6: return value ^ ~operand;
    default: return value - operand;
  }
}

/* w[0] = action | bank << 8 | thread << 16, w[1] = index, w[2..5] = operands */
static void act(struct tx_tile *t, const uint32_t w[SIM_EFFECT_WORDS]) {
  enum action action = (enum action)(w[0] & 0xffu);
  unsigned bank = w[0] >> 8 & 1u, thread = w[0] >> 16, index = w[1];
  switch (action) {
    case WRITE_ONE: tx_config_write(t, bank, index, w[2]); break;
    case WRITE_FOUR: /* a reset among them takes effect first (inferred: STATE_RESET_EN is the first of its four) */
      for (unsigned i = 0; i < 4; i++) tx_config_write(t, bank, index + i, w[2 + i]);
      break;
    case MODIFY_BYTE: write_plain(t, bank, index, (t->config.words[bank][index] & ~w[2]) | (w[3] & w[2])); break;
    case SHIFT_MASK: tx_config_write(t, bank, index, shift_mask(t, thread, bank, w[2])); break;
    case COPY_STREAM: {
      uint32_t value = 0; /* the register exists: checked by the body */
      tx_stream_register_read(t, w[2], w[3], &value);
      tx_config_write(t, bank, index, value);
      break;
    }
  }
}

void tx_effect_CFG_WRITE(struct tx_tile *t, const struct sim_effect *e) { act(t, e->w); }

/* With timing off at once: no other instruction of the thread comes between, and an effect would end the turn of the thread. */
static void act_later(struct tx_tile *t, enum action action, unsigned thread, unsigned index, const uint32_t operands[4],
                      uint32_t cycles) {
  tx_assert(thread < TX_THREADS && index < TX_CFG_WORDS);
  uint32_t bank = TX_CFG_BANK(t, thread);
  const uint32_t w[SIM_EFFECT_WORDS] = {
      (uint32_t)action | bank << 8 | thread << 16, index, operands[0], operands[1], operands[2], operands[3]};
  if (t->timing) tx_later(t, cycles, TX_EFFECT_CFG_WRITE, w);
  else act(t, w);
}

/* --- diagnostics --- */

#define UNIT(name) (1u << TX_UNIT_##name)

/* Units that read a word of Config. */
static uint32_t consumers(unsigned index) {
#define CONFIG_READERS(first, last, units) \
  if (index - (first) <= (last) - (first)) return (units);
#include "chips/blackhole/config_readers.def"
  return 0;
}

/* Instructions that read Config during execution; those that read only ThreadConfig or nothing are excluded. */
static bool reads_config(uint32_t word) {
  switch (word >> 24) {
    case TX_MVMUL:
    case TX_DOTPV:
    case TX_ELWADD:
    case TX_ELWSUB:
    case TX_ELWMUL:
    case TX_GAPOOL:
    case TX_GMPOOL:
    case TX_MOVA2D:
    case TX_MOVB2D:
    case TX_MOVD2A:
    case TX_MOVD2B:
    case TX_MOVB2A:
    case TX_MOVDBGA2D:
    case TX_MOVDBGB2D:
    case TX_ZEROACC:
    case TX_SFPLOAD:
    case TX_SFPSTORE:
    case TX_SFPLOADMACRO:
    case TX_UNPACR:
    case TX_PACR:
    case TX_XMOV: return true;
    default: return false;
  }
}

/* The base address of one of the unpackers' eight contexts. An UNPACR selects its context at issue: kernels write the next
 * address while it is queued. */
static bool is_context_address(unsigned index) {
  return index - TX_CFG_THCON_SEC0_REG3_Base_address_ADDR < TX_CFG_CONTEXTS ||
         index - TX_CFG_THCON_SEC1_REG3_Base_address_ADDR < TX_CFG_CONTEXTS;
}

bool tx_config_reads(uint32_t word, unsigned index) {
  if (word >> 24 == TX_UNPACR && is_context_address(index)) return false;
  return reads_config(word) && (consumers(index) >> tx_ops[word >> 24].unit & 1u);
}

/* A write of this thread that instructions of other units do not see before `at`. */
static void note_pending(struct tx_tile *t, unsigned thread, unsigned index, sim_time at) {
  struct tx_config *c = &t->config;
  if (!t->timing) return; /* all writes take effect in the next cycle */
  if (c->pending_until[thread] <= t->engine.now) c->pending_units[thread] = 0;
  c->pending_units[thread] |= consumers(index);
  if (c->pending_until[thread] < at) c->pending_until[thread] = at;
}

void tx_config_check_reader(struct tx_tile *t, unsigned thread, uint32_t word) {
  const struct tx_op *op = &tx_ops[word >> 24];
  if (!(t->config.pending_units[thread] >> op->unit & 1u) || !reads_config(word)) return;
  tx_diag(t, TX_DIAG_CFG_READ_TOO_SOON, "%s passes %u cycles before the write lands", op->name,
          (unsigned)(t->config.pending_until[thread] - t->engine.now));
}

void tx_config_note_read(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index) {
  t->config.reads[reader] = (struct tx_config_read){
      .value = t->config.words[bank][index], .index = (uint16_t)index, .bank = (uint8_t)bank, .valid = 1};
}

/* A reader's own write ends its read-modify-write. */
static const struct tx_config_read *take_read(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index) {
  tx_assert(reader < TX_CONFIG_READERS && bank < 2);
  struct tx_config_read *r = &t->config.reads[reader];
  if (!r->valid || r->index != index || (r->bank != bank && index < TX_CFG_GLOBAL_BASE)) return NULL;
  r->valid = 0;
  return r;
}

void tx_config_check_lost_update(struct tx_tile *t, unsigned reader, unsigned bank, unsigned index, uint32_t value) {
  const struct tx_config_read *r = take_read(t, reader, bank, index);
  if (!r) return;
  uint32_t changed = r->value ^ t->config.words[bank][index], lost = changed & ~(value ^ r->value);
  if (lost) tx_diag(t, TX_DIAG_CFG_SHARED_RMW, "Config[%u][%u]: bits 0x%08x go back to their old value", bank, index, lost);
}

/* --- shared by the bodies --- */

static bool index_exists(struct tx_tile *t, unsigned index, const char *page) {
  if (index < TX_CFG_WORDS) return true;
  tx_fault(t, SIM_FAULT_UNDEFINED, page, "Config index %u: there are %u words", index, TX_CFG_WORDS);
  return false;
}

/* SETC16.md requires CFG_STATE_ID to be written once after reset, for Auto TTSync. The vendor's kernels leave it at the
 * reset value as long as all of them use bank 0, which has no effect; words from 180 on are in both banks. It affects a
 * thread that never wrote it while the other bank is in use. */
static void check_choice(struct tx_tile *t, unsigned thread, unsigned index) {
  struct tx_config *c = &t->config;
  if (c->state_id_set[thread] || !c->bank1_used || index >= TX_CFG_GLOBAL_BASE) return;
  tx_diag(t, TX_DIAG_STATE_ID_UNSET, "thread %u uses word %u of bank 0, bank 1 is in use", thread, index);
  c->state_id_set[thread] = 1;
}

/* Before a body uses a word of Config: findings that apply to any use. */
static void note_use(struct tx_tile *t, unsigned thread, unsigned index) {
  struct tx_config *c = &t->config;
  check_choice(t, thread, index);
  if (!t->timing) return;
  settle(t);
  if ((c->pipe_old & 1u) && c->stream_thread == thread && t->current.word >> 24 != TX_STREAMWRCFG)
    tx_diag(t, TX_DIAG_STREAMWRCFG_OVERTAKEN, "it has waited %u cycles in stage -4", t->params.stream_prepare_cycles);
}

static void note_write(struct tx_tile *t, unsigned index) {
  if (index == STATE_RESET_INDEX) tx_diag(t, TX_DIAG_STATE_RESET, NULL);
}

/* --- bodies --- */

/* Words of ThreadConfig that formats and styles of the matrix unit depend on (unit/matrix/formats.c). */
static inline bool matrix_reads(unsigned index) {
  switch (index) {
    case TX_CFG_CFG_STATE_ID_StateID_ADDR:
    case TX_CFG_DISABLE_IMPLIED_SRCA_FMT_Base_ADDR:
    case TX_CFG_DISABLE_IMPLIED_SRCB_FMT_Base_ADDR:
    case TX_CFG_FIDELITY_BASE_Phase_ADDR:
    case TX_CFG_FP16A_FORCE_Enable_ADDR: return true;
    default: return false;
  }
}

void tx_thread_config_write(struct tx_tile *t, unsigned thread, unsigned index, uint16_t value) {
  struct tx_config *c = &t->config;
  /* Only this thread reads it, in order: it may change now. */
  c->thread_words[thread][index] = value;
  c->version++;
  t->unsaved.pack.harmless += index != TX_CFG_ENABLE_ACC_STATS_Enable_ADDR;
  t->unsaved.harmless_to_unpack +=
      index != TX_CFG_CFG_STATE_ID_StateID_ADDR && index != TX_CFG_SRCA_SET_SetOvrdWithAddr_ADDR;
  t->unsaved.harmless_to_matrix += !matrix_reads(index);
  if (index == TX_CFG_CFG_STATE_ID_StateID_ADDR) {
    c->state_id_set[thread] = 1;
    c->bank1_used |= value & 1u;
  }
  if (index == TX_CFG_UNPACK_MISC_CFG_CfgContextCntReset_0_ADDR) tx_context_misc_written(t, thread, value);
  if (index >= TX_CFG_ADDR_MOD_AB2_SEC0_SrcAIncr_ADDR && index < TX_CFG_ADDR_MOD_AB2_SEC0_SrcAIncr_ADDR + 8 && value)
    tx_diag(t, TX_DIAG_ADDR_MOD_AB2, "section %u = 0x%04x", index - TX_CFG_ADDR_MOD_AB2_SEC0_SrcAIncr_ADDR, value);
  if (index == TX_CFG_DEST_TARGET_REG_CFG_MATH_Offset_ADDR && (value & 0xfffu) >= TX_DST_ROWS)
    tx_diag(t, TX_DIAG_DST_BEYOND, "rows from %u", value & 0xfffu);
  if (t->engine.parked) sim_poke(&t->engine, TX_ADDR_CONFIG + 4 * (3 * TX_CFG_WORDS + thread * TX_THREAD_CFG_WORDS + index));
}

void tx_exec_SETC16(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, SETC16, setc16_reg);
  uint16_t value = (uint16_t)TX_FIELD(word, SETC16, setc16_value);
  if (index >= TX_THREAD_CFG_WORDS) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "SETC16.md", "ThreadConfig index %u: there are %u words", index, TX_THREAD_CFG_WORDS);
    return;
  }
  tx_thread_config_write(t, thread, index, value);
}

/* One word of a WRCFG: the value, which is written later. */
static inline uint32_t take_word(struct tx_tile *t, unsigned thread, unsigned index, unsigned reg) {
  const uint32_t value = tx_gpr_read(t, thread, reg);
  tx_config_check_lost_update(t, thread, TX_CFG_BANK(t, thread), index, value);
  note_write(t, index);
  note_pending(t, thread, index, t->engine.now + 2);
  return value;
}

/* Out of line: keeps the usual WRCFG, of one word, short. */
__attribute__((noinline)) static void write_four(struct tx_tile *t, unsigned thread, unsigned index, unsigned reg) {
  uint32_t values[4];
  if (index % 4) tx_diag(t, TX_DIAG_WRCFG_UNALIGNED, "index %u, hardware takes %u", index, index & ~3u);
  index &= ~3u, reg &= ~3u;
  for (unsigned i = 0; i < 4; i++) values[i] = take_word(t, thread, index + i, reg + i);
  tx_config_enter(t, -1, false);
  act_later(t, WRITE_FOUR, thread, index, values, 2);
}

void tx_exec_WRCFG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, WRCFG, cfg_reg), reg = TX_FIELD(word, WRCFG, gpr_address);
  if (!index_exists(t, index, "WRCFG.md")) return;
  note_use(t, thread, index);
  if (TX_FIELD(word, WRCFG, wr128b)) {
    write_four(t, thread, index, reg);
    return;
  }
  const uint32_t value = take_word(t, thread, index, reg);
  tx_config_enter(t, -1, false);
  if (t->timing) act_later(t, WRITE_ONE, thread, index, (const uint32_t[4]){value}, 2);
  else tx_config_write(t, TX_CFG_BANK(t, thread), index, value);
}

void tx_config_write_later(struct tx_tile *t, unsigned thread, unsigned index, const uint32_t *values, unsigned count,
                           uint32_t cycles) {
  uint32_t operands[4] = {0};
  for (unsigned i = 0; i < count; i++) {
    operands[i] = values[i];
    take_read(t, thread, TX_CFG_BANK(t, thread), index + i);
    note_pending(t, thread, index + i, t->engine.now + cycles);
  }
  act_later(t, count == 4 ? WRITE_FOUR : WRITE_ONE, thread, index, operands, cycles);
}

/* Reads in stage 0, in this cycle; writes the GPR after stage +1. */
void tx_exec_RDCFG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, RDCFG, cfg_reg);
  if (!index_exists(t, index, "RDCFG.md")) return;
  note_use(t, thread, index);
  tx_config_enter(t, 0, false);
  if (t->config.busy_until < t->engine.now + 2) t->config.busy_until = t->engine.now + 2; /* stage +1 */
  tx_config_note_read(t, thread, TX_CFG_BANK(t, thread), index);
  unsigned reg = TX_FIELD(word, RDCFG, gpr_address);
  tx_gpr_write_later(t, thread, reg, tx_config_word(t, thread, index), 0xfu, 2, false);
  t->scalar.rdcfg_gpr[thread] = (uint8_t)reg;
  t->scalar.rdcfg_lands_at[thread] = t->engine.now + (t->timing ? 2 : 1);
}

static void modify_byte(struct tx_tile *t, unsigned thread, uint32_t word, unsigned byte) {
  unsigned index = TX_FIELD(word, RMWCIB0, cfg_reg_addr);
  if (!index_exists(t, index, "RMWCIB.md")) return;
  note_use(t, thread, index);
  tx_config_enter(t, 0, false);
  take_read(t, thread, TX_CFG_BANK(t, thread), index);
  uint32_t mask = TX_FIELD(word, RMWCIB0, mask) << (8 * byte), data = TX_FIELD(word, RMWCIB0, data) << (8 * byte);
  act_later(t, MODIFY_BYTE, thread, index, (const uint32_t[4]){mask, data}, 1);
}

void tx_exec_RMWCIB0(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  modify_byte(t, thread, word, 0);
}

void tx_exec_RMWCIB1(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  modify_byte(t, thread, word, 1);
}

void tx_exec_RMWCIB2(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  modify_byte(t, thread, word, 2);
}

void tx_exec_RMWCIB3(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  modify_byte(t, thread, word, 3);
}

/* No other instruction is in stage 0 between its read and its write, so both are performed at the write. */
void tx_exec_CFGSHIFTMASK(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  unsigned index = TX_FIELD(word, CFGSHIFTMASK, cfg_reg);
  if (!index_exists(t, index, "CFGSHIFTMASK.md")) return;
  note_use(t, thread, index);
  note_write(t, index);
  tx_config_enter(t, -1, true);
  take_read(t, thread, TX_CFG_BANK(t, thread), index);
  note_pending(t, thread, index, t->engine.now + 2);
  act_later(t, SHIFT_MASK, thread, index, (const uint32_t[4]){word}, 2);
}

/* The register is sampled at the write (inferred: the page only states that the read is issued in stage -3). */
void tx_exec_STREAMWRCFG(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  unsigned index = TX_FIELD(word, STREAMWRCFG, cfg_reg), reg = TX_FIELD(word, STREAMWRCFG, stream_reg_addr);
  unsigned section = TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_ADDR + TX_FIELD(word, STREAMWRCFG, stream_id_sel);
  unsigned stream = t->config.thread_words[thread][section] & ((1u << TX_CFG_STREAM_ID_SYNC_SEC0_BankSel_WIDTH) - 1u);
  uint32_t value;
  if (!index_exists(t, index, "STREAMWRCFG.md")) return;
  if (!tx_stream_register_read(t, stream, reg, &value)) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "STREAMWRCFG.md", "register %u of stream %u is not modelled (streams.h)", reg,
             stream);
    return;
  }
  note_use(t, thread, index);
  note_write(t, index);
  tx_config_enter(t, -4, false);
  uint32_t cycles = t->timing ? (uint32_t)(t->config.stream_leaves_at - t->engine.now) + 4 : 1;
  t->config.stream_thread = thread;
  cost->latency = cycles;
  take_read(t, thread, TX_CFG_BANK(t, thread), index);
  note_pending(t, thread, index, t->engine.now + cycles);
  act_later(t, COPY_STREAM, thread, index, (const uint32_t[4]){stream, reg}, cycles);
}
