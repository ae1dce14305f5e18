/* Checker b: Dst, GPRs, configuration and MOP templates, between a thread's units, its core and the other threads. */
#include "check/registers.h"

#include "check/operation.h"
#include "check/order.h"
#include "check/report.h"
#include "sim/keep.h"
#include "tensix/num/format.h"
#include "tensix/unit/config.h"
#include "tensix/unit/config_space.h"
#include "tensix/unit/matrix/access.h"

/* --- Dst: by tiles of 64 rows, counted in the view in use --- */

enum dst_use { NO_DST, READS, WRITES, CLEARS, PACKS, LOADS, STORES, UNPACKS };

static enum dst_use dst_use_of(unsigned opcode) {
  switch (opcode) {
    case TX_MVMUL:
    case TX_DOTPV:
    case TX_ELWADD:
    case TX_ELWSUB:
    case TX_ELWMUL:
    case TX_GAPOOL:
    case TX_GMPOOL:
    case TX_MOVA2D:
    case TX_MOVB2D:
    case TX_MOVDBGA2D:
    case TX_MOVDBGB2D: return WRITES;
    case TX_MOVD2A:
    case TX_MOVD2B: return READS;
    case TX_ZEROACC: return CLEARS;
    case TX_PACR: return PACKS;
    case TX_UNPACR: return UNPACKS;
    case TX_SFPLOAD: return LOADS;
    case TX_SFPSTORE: return STORES;
    default: return NO_DST;
  }
}

/* Units of one thread that hardware keeps in order at Dst: matrix and vector unit by the distance of their instructions (too small a
 * distance is a separate finding), the packer after the matrix unit by Dst's interlock. */
static bool interlocked(const struct chk_mark *a, const struct chk_mark *b) {
  unsigned first = a->entity - CHK_UNIT, second = b->entity - CHK_UNIT;
  if (a->entity < CHK_UNIT || b->entity < CHK_UNIT || first >= 3 * CHK_UNITS || second >= 3 * CHK_UNITS) return false;
  if (first / CHK_UNITS != second / CHK_UNITS) return false;
  return first % CHK_UNITS != CHK_PACK; /* no interlock waits for a PACR that still reads */
}

/* A unit accepts instructions in issue order, regardless of their thread: being ordered after the issue suffices. ZEROACC takes one cycle (ISA:
 * MatrixUnit.md): what waits for a bank that its thread filled after it is ordered too. */
static bool same_unit(const struct chk *c, const struct chk_mark *first, const struct chk_mark *second) {
  unsigned a = first->entity - CHK_UNIT, b = second->entity - CHK_UNIT;
  bool at_once = first->word >> 24 == TX_ZEROACC;
  if (a >= 3 * CHK_UNITS || b >= 3 * CHK_UNITS || (a % CHK_UNITS != b % CHK_UNITS && !at_once)) return false;
  const struct chk_vector *known = &c->clocks.of[at_once ? second->entity : CHK_THREAD + b / CHK_UNITS];
  return known->at[CHK_THREAD + a / CHK_UNITS] >= first->issued;
}

static void use_dst(struct chk *c, unsigned entity, unsigned from, unsigned to, bool write) {
  const struct chk_cell *first = &c->dst[from % CHK_DST_TILES];
  bool again = write && to == from + 1 && first->write.entity == entity && !first->read[0].clock && !first->older.clock &&
               first->write.clock == c->clocks.of[entity].at[entity];
  if (again) return; /* a repetition of the instruction before it */
  struct chk_mark now = chk_now(c, entity), other;
  now.locks = 0; /* a mutex separates two writers of the zero flags and does not order them */
  for (unsigned tile = from; tile < to; tile++) {
    if (!chk_use(&c->clocks, &c->dst[tile % CHK_DST_TILES], &now, write, &other)) continue;
    if (interlocked(&other, &now) || same_unit(c, &other, &now)) continue;
    if (now.word >> 24 == TX_ZEROACC && other.word >> 24 == TX_ZEROACC) { /* in any order, but before the next use */
      c->dst[tile % CHK_DST_TILES].older = other;
      continue;
    }
    chk_report(c, TX_DIAG_DST_RACE, &other, "tile %u of Dst: %s %s it and nothing makes %s wait for %s",
               tile % CHK_DST_TILES, tx_ops[now.word >> 24].name, write ? "writes" : "reads", chk_entity_name(entity),
               tx_ops[other.word >> 24].name ? tx_ops[other.word >> 24].name : chk_entity_name(other.entity));
  }
}

static bool is_wide(const struct tx_tile *t, unsigned thread) {
  return TX_CFG_GET(t, thread, ALU_ACC_CTRL_Fp32_enabled) || TX_CFG_GET(t, thread, ALU_ACC_CTRL_INT8_math_enabled);
}

/* Checker e: the matrix unit writes a data tile with 16 or 32 bits per number; the packer must read it with as many. */
static void tag_dst(struct chk *c, unsigned thread, unsigned tile) {
  c->dst_width[tile % CHK_DST_TILES] = is_wide(c->t, thread) ? 32 : 16;
}

static void check_dst_tag(struct chk *c, unsigned thread, unsigned tile) {
  unsigned read = TX_CFG_GET(c->t, thread, PCK_DEST_RD_CTRL_Read_32b_data) ? 32 : 16,
           width = c->dst_width[tile % CHK_DST_TILES];
  if (!width || width == read) return;
  chk_report(c, TX_DIAG_DST_FORMAT, &c->dst[tile % CHK_DST_TILES].write,
             "tile %u of Dst holds numbers of %u bits, the packer is set to %u", tile % CHK_DST_TILES, width, read);
}

/* Bits per number of SFPLOAD's and SFPSTORE's modes: FP32 and INT32 are 32, FP16 and BF16 16; for the others (0) the width
 * is not known, since a kernel may access parts of a number. ISA: SFPLOAD.md */
static unsigned vector_width(unsigned mode) {
  return mode == 3 || mode == 4 || mode == 12 ? 32 : mode == 1 || mode == 2 ? 16 : 0;
}

static void check_vector_tag(struct chk *c, unsigned tile, unsigned mode, bool store) {
  uint8_t *width = &c->dst_width[tile % CHK_DST_TILES];
  unsigned bits = vector_width(mode);
  if (!*width || !bits || *width == bits) return;
  if (!store)
    chk_report(c, TX_DIAG_DST_FORMAT, &c->dst[tile % CHK_DST_TILES].write,
               "tile %u of Dst holds numbers of %u bits, the vector unit loads %u", tile % CHK_DST_TILES, *width, bits);
  else *width = 0; /* rows of both widths from here on */
}

static void clear_dst(struct chk *c, unsigned thread, uint32_t word) {
  unsigned entity = chk_unit_of(thread, CHK_MATRIX), where = TX_FIELD(word, ZEROACC, where);
  unsigned half = CHK_DST_TILES / (is_wide(c->t, thread) ? 4 : 2);
  switch (TX_FIELD(word, ZEROACC, clear_mode)) {
    case 0: {
      unsigned tile = tx_matrix_dst_row(c->t, thread, where) >> 6;
      use_dst(c, entity, tile, tile + 1, true);
      break;
    }
    case 1: {
      unsigned offset = TX_THREAD_CFG_GET(c->t, thread, DEST_TARGET_REG_CFG_MATH_Offset) + c->t->rwc[thread].dst;
      unsigned tile = (where & 0xffu) / 4 + (offset >= 64 * half && (where & 0xffu) < 4 * half ? half : 0);
      use_dst(c, entity, tile, tile + 1, true);
      break;
    }
    case 2: use_dst(c, entity, half * (where & 1u), half * ((where & 1u) + 1), true); break;
    default: use_dst(c, entity, 0, CHK_DST_TILES, true); break;
  }
}

/* The first row that the packer reads. ISA: Packers/InputAddressGenerator.md */
static unsigned packed_row(const struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned adc = thread;
  if (TX_FIELD(word, PACR, ovrd_thread_id)) adc = TX_FIELD(word, PACR, addr_cnt_context) % 3;
  const uint32_t *n = t->adc[adc].unit[TX_ADC_PACKER][0].c;
  unsigned size = TX_CFG_GET(t, thread, THCON_SEC0_REG1_In_data_format) & 3u, shift = size == 0 ? 2 : size == 1 ? 1 : 0;
  uint32_t address = TX_CFG_GET(t, thread, PCK0_ADDR_BASE_REG_0_Base) +
                     n[TX_ADC_Y] * TX_CFG_GET(t, thread, PCK0_ADDR_CTRL_XY_REG_0_Ystride) +
                     n[TX_ADC_Z] * TX_CFG_GET(t, thread, PCK0_ADDR_CTRL_ZW_REG_0_Zstride) +
                     n[TX_ADC_W] * TX_CFG_GET(t, thread, PCK0_ADDR_CTRL_ZW_REG_0_Wstride);
  return ((address >> shift >> 4) + TX_CFG_GET(t, thread, DEST_TARGET_REG_CFG_PACK_SEC0_Offset)) & 0x3ffu;
}

/* Checker d: reports a data tile that was not written since it was cleared. Single unwritten rows are legal: a reduction
 * fills few of them. Programs without the kernel library pack cleared data tiles on purpose: they read as zero. */
static void check_packed(struct chk *c, unsigned thread, unsigned row) {
  bool wide = TX_CFG_GET(c->t, thread, PCK_DEST_RD_CTRL_Read_32b_data);
  for (unsigned i = 0; i < 64; i++)
    if (tx_dst_row_valid(c->t, row + i, wide)) return;
  chk_report(c, TX_DIAG_DST_CLEARED, NULL, "tile %u of Dst", row / 64);
}

static unsigned vector_row(const struct tx_tile *t, unsigned thread, uint32_t word) {
  return ((word & 0x3ffu) + TX_THREAD_CFG_GET(t, thread, DEST_TARGET_REG_CFG_MATH_Offset) + t->rwc[thread].dst) & 0x3ffu;
}

/* The context that the unpacker selects. ISA: UNPACR_Regular.md */
static unsigned context_of(const struct tx_tile *t, unsigned thread, uint32_t word) {
  unsigned unpacker = word >> 23 & 1u;
  unsigned offset = unpacker ? TX_THREAD_CFG_GET(t, thread, UNPACK_MISC_CFG_CfgContextOffset_1)
                             : TX_THREAD_CFG_GET(t, thread, UNPACK_MISC_CFG_CfgContextOffset_0);
  if (!TX_FIELD(word, UNPACR, ovrd_thread_id)) return 0;
  unsigned own = TX_FIELD(word, UNPACR, auto_inc_context_id) ? t->unpack.context_counter[unpacker][thread]
                                                             : TX_FIELD(word, UNPACR, cfg_context_id);
  return (own + offset) % CHK_CONTEXTS;
}

/* Unpacker 0 bypasses SrcA: the data tile of Dst that contains its output address. */
static void unpack_dst(struct chk *c, unsigned thread, uint32_t word) {
  const struct tx_tile *t = c->t;
  unsigned context = context_of(t, thread, word), half = context & 3u;
  bool multi = TX_FIELD(word, UNPACR, ovrd_thread_id);
  if (word >> 23 & 1u) return;
  uint32_t selected = tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_ADDR);
  unsigned shift = context < 4 ? TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx0_SHIFT + context
                               : TX_CFG_THCON_SEC0_REG2_Unpack_if_sel_cntx4_SHIFT + context - 4;
  if (!(multi ? selected >> shift & 1u : TX_CFG_GET(t, thread, THCON_SEC0_REG2_Unpack_If_Sel))) return;
  const uint32_t *n = t->adc[thread].unit[TX_ADC_UNPACKER0][1].c;
  uint32_t bytes = num_format_bits(TX_CFG_GET(t, thread, THCON_SEC0_REG2_Out_data_format)) / 8;
  uint32_t out = TX_CFG_GET(t, thread, UNP0_ADDR_BASE_REG_1_Base) +
                 n[TX_ADC_Y] * TX_CFG_GET(t, thread, UNP0_ADDR_CTRL_XY_REG_1_Ystride) +
                 n[TX_ADC_Z] * TX_CFG_GET(t, thread, UNP0_ADDR_CTRL_ZW_REG_1_Zstride) +
                 n[TX_ADC_W] * TX_CFG_GET(t, thread, UNP0_ADDR_CTRL_ZW_REG_1_Wstride);
  if (bytes > 1) out /= bytes;
  if (multi)
    out += tx_config_word(t, thread, TX_CFG_THCON_SEC0_REG5_Dest_cntx0_address_ADDR + half / 2) >> 16 * (half % 2) & 0xffffu;
  unsigned tile = ((out / 16 - 4) & 0x3ffu) / 64; /* unpacker 0 subtracts four rows */
  c->dst_width[tile % CHK_DST_TILES] = 0;
  use_dst(c, chk_unit_of(thread, CHK_UNPACK0), tile, tile + 1, true);
}

static void issue_dst(struct chk *c, unsigned thread, uint32_t word) {
  enum dst_use use = dst_use_of(word >> 24);
  unsigned entity = chk_unit_of(thread, CHK_MATRIX), row;
  switch (use) {
    case NO_DST: return;
    case CLEARS:
      chk_step(&c->clocks, CHK_THREAD + thread); /* banks filled before do not tell of it */
      clear_dst(c, thread, word);
      return;
    case UNPACKS: unpack_dst(c, thread, word); return;
    case WRITES:
      row = tx_matrix_dst_row(c->t, thread, word & 0x3ffu);
      tag_dst(c, thread, row >> 6);
      if (c->library && chk_on(c, CHK_E)) chk_operation(c, thread, word);
      break;
    case PACKS:
      if (TX_FIELD(word, PACR, zero_write)) return;
      entity = chk_unit_of(thread, CHK_PACK);
      row = packed_row(c->t, thread, word);
      if (chk_on(c, CHK_D) && c->library && row % 64 == 0) check_packed(c, thread, row);
      if (chk_on(c, CHK_E)) check_dst_tag(c, thread, row >> 6);
      break;
    case LOADS:
    case STORES:
      entity = chk_unit_of(thread, CHK_VECTOR);
      row = vector_row(c->t, thread, word);
      if (chk_on(c, CHK_E)) check_vector_tag(c, row >> 6, TX_FIELD(word, SFPLOAD, instr_mod0), use == STORES);
      break;
    default:
      row = tx_matrix_dst_row(c->t, thread, word & 0x3ffu);
      if (c->library) chk_reduction_moves(c); /* turned, or about to be */
      break;
  }
  use_dst(c, entity, row >> 6, (row >> 6) + 1, use == WRITES || use == STORES);
}

/* --- order of pushes --- */

/* Was the word at the gate certainly pushed after the store? MOPs and REPLAYs expand one word into several, so words
 * between FIFO 1 and the gate may be older. */
static bool behind(const struct chk *c, unsigned thread, uint64_t pushed) {
  const struct tx_frontend *fe = &c->t->frontend[thread];
  return fe->pushed - fe->fifo1.count > pushed + fe->fifo2.count + fe->fifo3.count;
}

/* Was it certainly pushed before the store? The core does not wait for what it has pushed: the store overtakes it. */
static bool overtaken(const struct chk *c, unsigned thread, uint64_t pushed) {
  const struct tx_frontend *fe = &c->t->frontend[thread];
  return pushed && fe->pushed - fe->fifo1.count - fe->plain_behind <= pushed;
}

/* --- GPRs --- */

/* ISA: ScalarUnit.md: no instruction of the thread passes before one in the scalar unit is complete. Loads and atomics are complete when
 * their request has left; the loaded data arrives later (CHK_LATE). A core's stores do not wait for instructions. */
static bool completes(const struct chk_mark *first, const struct chk_mark *second) {
  bool unit = first->entity < CHK_CORE || (first->entity >= CHK_UNIT && first->entity < CHK_MOVER);
  return unit && second->entity < CHK_CONFIG; /* CHK_LATE: the request follows what was read before */
}

#define STORES_ON_THE_WAY \
  32u /* more than the path to the GPRs holds; inferred: the store queue has four entries, and each region processes requests in order */

/* So many stores of the core to GPRs after the one to this GPR that it has its value, all of them before the push of the word at the gate? */
static bool has_arrived(const struct chk *c, unsigned thread, unsigned reg) {
  const struct chk_thread *s = &c->thread[thread];
  uint64_t last = s->gpr_number[reg] + STORES_ON_THE_WAY;
  if (!s->gpr_number[reg] || s->gpr_stores < last) return false;
  if (last + CHK_GPR_STORES <= s->gpr_stores) last = s->gpr_stores - CHK_GPR_STORES + 1;
  return behind(c, thread, s->gpr_store_pushed[last % CHK_GPR_STORES]);
}

static void use_gpr(struct chk *c, unsigned entity, unsigned thread, unsigned reg, bool write) {
  struct chk_mark now = chk_now(c, entity), other;
  struct chk_thread *s = &c->thread[thread];
  if (write)
    s->gpr_written |= UINT64_C(1) << reg, s->gpr_half[0] &= ~(UINT64_C(1) << reg), s->gpr_half[1] &= ~(UINT64_C(1) << reg);
  else if (chk_on(c, CHK_D) && !(s->gpr_written >> reg & 1u))
    chk_report(c, TX_DIAG_GPR_UNDEFINED, NULL, "GPR %u of thread %u", reg, thread), s->gpr_written |= UINT64_C(1) << reg;
  struct chk_mark store = s->gpr[reg].write;
  bool early = entity < CHK_CONFIG && store.entity >= CHK_CONFIG && overtaken(c, thread, s->gpr_pushed[reg]);
  if (early && chk_on(c, CHK_B))
    chk_report(c, TX_DIAG_GPR_RACE, &store, "GPR %u of thread %u: the core's store overtakes %s, which it has pushed before",
               reg, thread, tx_ops[now.word >> 24].name);
  if (!chk_use(&c->clocks, &s->gpr[reg], &now, write, &other) || early) return;
  if (completes(&other, &now)) {
    chk_report(c, TX_DIAG_GPR_UNWAITED, &other, "GPR %u of thread %u", reg, thread);
    return;
  }
  if (other.entity == CHK_CONFIG + thread && has_arrived(c, thread, reg)) return;
  chk_report(c, TX_DIAG_GPR_RACE, &other, "GPR %u of thread %u: %s it with no STALLWAIT for THCON%s in between", reg, thread,
             write ? "written" : "read", other.entity >= CHK_CONFIG && other.entity < CHK_NOC_IN ? " or TRISC_CFG" : "");
}

/* Two operands and a result: ADDDMAREG and the like. */
static void use_three(struct chk *c, unsigned entity, unsigned thread, uint32_t word) {
  use_gpr(c, entity, thread, TX_FIELD(word, ADDDMAREG, op_a_reg_index), false);
  if (!TX_FIELD(word, ADDDMAREG, op_b_is_const))
    use_gpr(c, entity, thread, TX_FIELD(word, ADDDMAREG, op_b_reg_index), false);
  use_gpr(c, entity, thread, TX_FIELD(word, ADDDMAREG, result_reg_index), true);
}

static void use_gprs(struct chk *c, unsigned entity, unsigned thread, unsigned first, unsigned count, bool write) {
  for (unsigned i = 0; i < count && first + i < TX_GPRS; i++) use_gpr(c, entity, thread, first + i, write);
}

/* All 32 bits are read, and SETDMAREG has written 16 of them. */
static void check_halves(struct chk *c, unsigned thread, unsigned reg) {
  struct chk_thread *s = &c->thread[thread];
  uint64_t bit = UINT64_C(1) << reg;
  if (!chk_on(c, CHK_D) || !((s->gpr_half[0] | s->gpr_half[1]) & bit)) return;
  chk_report(c, TX_DIAG_GPR_UNDEFINED, &s->gpr[reg].write, "the %s half of GPR %u of thread %u",
             s->gpr_half[0] & bit ? "upper" : "lower", reg, thread);
  s->gpr_half[0] &= ~bit, s->gpr_half[1] &= ~bit;
}

/* STOREIND of 128 or 32 bits. */
static bool stores_words(uint32_t word) { return (word >> TX_STOREIND_reg_size_sel_LO & 3u) < 2; }

/* Instructions that access L1. All have the address in bits 0 to 5 and the data in bits 6 to 11; the results of loads arrive
 * later. ISA: LOADIND.md, STOREIND_{L1,MMIO,Src}.md, ATINCGET.md, ATSWAP.md, ATINCGETPTR.md */
static void issue_memory(struct chk *c, unsigned thread, uint32_t word) {
  unsigned scalar = chk_unit_of(thread, CHK_SCALAR), opcode = word >> 24;
  unsigned data = TX_FIELD(word, LOADIND, data_reg_index), four = 0; /* reads or writes four GPRs */
  bool in_l1 = opcode != TX_STOREIND || TX_FIELD(word, STOREIND, mem_hier_sel);
  use_gpr(c, scalar, thread, TX_FIELD(word, LOADIND, addr_reg_index), false);
  if (in_l1) check_halves(c, thread, TX_FIELD(word, LOADIND, addr_reg_index));
  if (opcode == TX_LOADIND || opcode == TX_STOREIND) {
    unsigned offset = TX_FIELD(word, LOADIND, offset_index) / 2;
    use_gpr(c, scalar, thread, offset, false);
    if (TX_FIELD(word, LOADIND, auto_inc_spec)) use_gpr(c, scalar, thread, offset, true);
  }
  switch (opcode) {
    case TX_LOADIND: four = TX_FIELD(word, LOADIND, size_sel) == 0; break;
    case TX_STOREIND:
    case TX_ATSWAP:
      four = opcode == TX_ATSWAP ? !TX_FIELD(word, ATSWAP, single_data_reg)
                                 : TX_FIELD(word, STOREIND, mem_hier_sel) && !(word >> TX_STOREIND_reg_size_sel_LO & 3u);
      use_gprs(c, scalar, thread, four ? data & 0x3cu : data, four ? 4 : 1, false);
      if (opcode == TX_STOREIND && in_l1 && stores_words(word))
        for (unsigned i = 0; i < (four ? 4 : 1); i++) check_halves(c, thread, (four ? data & 0x3cu : data) + i);
      return;
    case TX_ATCAS: return;
    case TX_ATINCGETPTR: use_gpr(c, scalar, thread, data, true); return; /* the unit waits for the result */
    case TX_ATINCGET: use_gpr(c, scalar, thread, data, false); break;
    default: break;
  }
  use_gprs(c, CHK_LATE + thread, thread, four ? data & 0x3cu : data, four ? 4 : 1, true);
}

/* SETDMAREG writes 16 bits. */
static void set_half(struct chk *c, unsigned thread, unsigned index) {
  struct chk_thread *s = &c->thread[thread];
  unsigned reg = index / 2, upper = index & 1u;
  uint64_t bit = UINT64_C(1) << reg, other = s->gpr_half[upper ^ 1u] & bit, same = s->gpr_half[upper] & bit;
  bool first = !(s->gpr_written & bit);
  use_gpr(c, chk_unit_of(thread, CHK_SCALAR), thread, reg, true);
  if (!other && (first || same)) s->gpr_half[upper] |= bit;
}

static void issue_wrcfg(struct chk *c, unsigned thread, uint32_t word) {
  unsigned count = TX_FIELD(word, WRCFG, wr128b) ? 4 : 1;
  for (unsigned i = 0; i < count; i++) {
    unsigned reg = (TX_FIELD(word, WRCFG, gpr_address) & (count == 4 ? 0x3cu : 0x3fu)) + i;
    use_gpr(c, CHK_THREAD + thread, thread, reg, false);
    check_halves(c, thread, reg);
  }
}

static void issue_gpr(struct chk *c, unsigned thread, uint32_t word) {
  unsigned scalar = chk_unit_of(thread, CHK_SCALAR);
  switch (word >> 24) {
    case TX_SETDMAREG:
      if (!TX_FIELD(word, SETDMAREG, set_signals_mode)) set_half(c, thread, TX_FIELD(word, SETDMAREG, reg_index_16b));
      else c->thread[thread].gpr_written = ~UINT64_C(0);
      break;
    case TX_STOREREG: use_gpr(c, scalar, thread, TX_FIELD(word, STOREREG, tdma_data_reg_index), false); break;
    case TX_LOADREG: use_gpr(c, CHK_LATE + thread, thread, TX_FIELD(word, LOADREG, tdma_data_reg_index), true); break;
    case TX_LOADIND:
    case TX_STOREIND:
    case TX_ATINCGET:
    case TX_ATSWAP:
    case TX_ATCAS:
    case TX_ATINCGETPTR: issue_memory(c, thread, word); break;
    case TX_REG2FLOP: use_gpr(c, scalar, thread, TX_FIELD(word, REG2FLOP, reg_index), false); break;
    case TX_ADDDMAREG:
    case TX_SUBDMAREG:
    case TX_MULDMAREG:
    case TX_BITWOPDMAREG:
    case TX_SHIFTDMAREG:
    case TX_CMPDMAREG: use_three(c, scalar, thread, word); break;
    case TX_WRCFG: issue_wrcfg(c, thread, word); break;
    case TX_RDCFG: c->thread[thread].gpr_written |= UINT64_C(1) << TX_FIELD(word, RDCFG, gpr_address); break;
    default: break;
  }
}

void chk_gpr_store(struct chk *c, unsigned core, uint32_t address) {
  unsigned index = (address - TX_ADDR_GPR) / 4, thread = core < TX_THREADS ? core : index / TX_GPRS;
  if (thread >= TX_THREADS) return;
  chk_join(&c->clocks, CHK_CONFIG + core, CHK_CORE + core);
  use_gpr(c, CHK_CONFIG + core, thread, index % TX_GPRS, true);
  struct chk_thread *s = &c->thread[thread];
  s->gpr_pushed[index % TX_GPRS] = core == thread ? c->t->frontend[thread].pushed : 0;
  s->gpr_number[index % TX_GPRS] = core == thread ? ++s->gpr_stores : 0;
  if (core == thread) s->gpr_store_pushed[s->gpr_stores % CHK_GPR_STORES] = c->t->frontend[thread].pushed;
}

/* --- configuration --- */

static uint32_t readers_of(unsigned index) {
  static const uint32_t probe[][2] = {{TX_UNIT_MATRIX, TX_MVMUL},
                                      {TX_UNIT_VECTOR, TX_SFPLOAD},
                                      {TX_UNIT_PACK, TX_PACR},
                                      {TX_UNIT_UNPACK, TX_UNPACR},
                                      {TX_UNIT_MOVER, TX_XMOV}};
  uint32_t units = 0;
  for (unsigned i = 0; i < sizeof probe / sizeof *probe; i++)
    if (tx_config_reads(probe[i][1] << 24, index)) units |= 1u << probe[i][0];
  return units;
}

static bool is_context(unsigned index, unsigned *unpacker, unsigned *context) {
  *unpacker = index >= 124;
  *context = index - (*unpacker ? 124 : 76);
  return (index >= 76 && index <= 83) || (index >= 124 && index <= 131);
}

static const uint8_t entity_unit[TX_UNIT_COUNT] = {
    [TX_UNIT_MATRIX] = 1 + CHK_MATRIX, [TX_UNIT_VECTOR] = 1 + CHK_VECTOR, [TX_UNIT_PACK] = 1 + CHK_PACK};

/* A word that one kind of unit reads is checked against all threads. A shared word is checked against the writer's own
 * thread only: the other threads read other fields of it. PACR reads its output address when it enters the packer: the
 * vendor's LLK (program_packer_destination) writes the next address while the packer runs, after a wait for the scalar unit
 * only. */
static void check_readers(struct chk *c, unsigned entity, unsigned writer, unsigned index) {
  if (index == TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR) return;
  uint32_t units = readers_of(index);
  bool shared = (units & (units - 1)) != 0;
  for (unsigned thread = 0; thread < TX_THREADS; thread++) {
    if (shared && thread != writer) continue;
    for (uint32_t left = units; left; left &= left - 1) {
      unsigned unit = (unsigned)__builtin_ctz(left);
      const struct chk_mark *read = &c->thread[thread].config_read[unit];
      if (unit >= TX_UNIT_COUNT || chk_knows(&c->clocks, entity, read)) continue;
      chk_report(c, TX_DIAG_CFG_RACE, read, "Config word %u changes while %s of thread %u may still use it", index,
                 tx_ops[read->word >> 24].name, thread);
    }
  }
}

/* A word that one kind of unit reads: instructions of other threads in that unit must wait for the change. */
static void note_written(struct chk *c, unsigned writer, unsigned bank, unsigned index, const struct chk_mark *now) {
  uint32_t units = readers_of(index);
  c->config_written[bank][index] = *now;
  const struct chk_mark *copied = &c->config_copied[bank][index];
  if (!chk_knows(&c->clocks, now->entity, copied) && !(copied->locks & now->locks))
    chk_report(c, TX_DIAG_CFG_RACE, copied, "Config word %u changes and nothing makes the change wait for RDCFG of %s",
               index, chk_entity_name(copied->entity));
  if (!units || (units & (units - 1)) || index == TX_CFG_THCON_SEC0_REG1_L1_Dest_addr_ADDR) return;
  for (unsigned thread = 0; thread < TX_THREADS; thread++)
    if (thread != writer) c->thread[thread].foreign[(unsigned)__builtin_ctz(units)] = *now;
}

/* RDCFG after a change by another agent. */
static void read_config_word(struct chk *c, unsigned thread, uint32_t word) {
  unsigned index = TX_FIELD(word, RDCFG, cfg_reg), bank = TX_CFG_BANK(c->t, thread);
  if (index >= TX_CFG_WORDS) return;
  const struct chk_mark *last = &c->config_written[bank][index];
  struct chk_mark now = chk_now(c, CHK_THREAD + thread);
  c->config_copied[bank][index] = now;
  if (chk_knows(&c->clocks, CHK_THREAD + thread, last) || (last->locks & now.locks)) return;
  chk_report(c, TX_DIAG_CFG_RACE, last, "Config word %u: RDCFG reads it and nothing makes it wait for the change by %s",
             index, chk_entity_name(last->entity));
}

static void note_format(struct chk *c, unsigned entity, unsigned index) {
  int which = index == TX_CFG_THCON_SEC0_REG0_TileDescriptor_ADDR    ? 0
              : index == TX_CFG_THCON_SEC1_REG0_TileDescriptor_ADDR  ? 1
              : index == TX_CFG_THCON_SEC0_REG1_Out_data_format_ADDR ? 2
                                                                     : -1;
  if (which >= 0) c->format[which] = chk_now_called(c, entity);
}

/* Instructions of this unit that are pushed from now on must wait for the store. */
static void note_store(struct chk *c, unsigned core, unsigned unit, const struct chk_mark *now) {
  struct chk_thread *s = &c->thread[core];
  s->unsynced |= 1u << unit;
  s->stored[unit] = *now;
  s->stored_pushed[unit] = c->t->frontend[core].pushed;
}

void chk_config_store(struct chk *c, unsigned core, uint32_t address, uint32_t value) {
  unsigned bank, index, unpacker, context;
  enum tx_config_part part = tx_config_find(address, &bank, &index);
  if (core >= TX_THREADS || (part != TX_CONFIG_BANKS && part != TX_CONFIG_DUAL)) return;
  struct chk_thread *s = &c->thread[core];
  unsigned entity = CHK_CONFIG + core;
  struct chk_mark other, now;
  chk_join(&c->clocks, entity, CHK_CORE + core);
  note_format(c, entity, index);
  now = chk_now(c, entity);
  if (is_context(index, &unpacker, &context)) {
    if (chk_use(&c->clocks, &s->context[unpacker][context], &now, true, &other))
      chk_report(c, TX_DIAG_CFG_RACE, &other, "base address of context %u of unpacker %u changes while %s may still need it",
                 context, unpacker, tx_ops[other.word >> 24].name ? tx_ops[other.word >> 24].name : "an instruction");
    s->context_pushed[unpacker][context] = c->t->frontend[core].pushed;
    note_store(c, core, TX_UNIT_UNPACK, &now);
    s->stored_context = true;
    return;
  }
  if (c->t->config.words[bank][index] == (value & c->t->config.assigned[index])) return;
  check_readers(c, entity, core, index);
  note_written(c, core, bank, index, &now);
  for (uint32_t left = readers_of(index); left; left &= left - 1) {
    unsigned unit = (unsigned)__builtin_ctz(left);
    if (unit == TX_UNIT_UNPACK) s->stored_context = false;
    if (unit < TX_UNIT_COUNT) note_store(c, core, unit, &now);
  }
}

/* A configuration write by an instruction: the words it will write, and whether it changes any. */
static void issue_config_write(struct chk *c, unsigned thread, uint32_t word) {
  const struct tx_tile *t = c->t;
  unsigned opcode = word >> 24, index, bank = TX_CFG_BANK(t, thread);
  uint32_t mask = UINT32_MAX, value;
  if (opcode == TX_WRCFG && !TX_FIELD(word, WRCFG, wr128b)) {
    index = TX_FIELD(word, WRCFG, cfg_reg);
    value = t->scalar.gpr[thread][TX_FIELD(word, WRCFG, gpr_address)];
  } else if (opcode == TX_RDCFG) {
    read_config_word(c, thread, word);
    return;
  } else if (opcode >= TX_RMWCIB0 && opcode <= TX_RMWCIB3) {
    unsigned shift = 8 * (opcode - TX_RMWCIB0);
    index = TX_FIELD(word, RMWCIB0, cfg_reg_addr);
    mask = TX_FIELD(word, RMWCIB0, mask) << shift;
    value = TX_FIELD(word, RMWCIB0, data) << shift;
  } else {
    return;
  }
  if (index >= TX_CFG_WORDS || !((t->config.words[bank][index] ^ value) & mask & t->config.assigned[index])) return;
  struct chk_mark now = chk_now(c, CHK_THREAD + thread);
  note_format(c, CHK_THREAD + thread, index);
  note_written(c, thread, bank, index, &now);
  check_readers(c, CHK_THREAD + thread, thread, index);
}

static void check_foreign(struct chk *c, unsigned thread, uint32_t word, unsigned unit) {
  struct chk_mark *last = &c->thread[thread].foreign[unit];
  if (!chk_knows(&c->clocks, CHK_THREAD + thread, last))
    chk_report(c, TX_DIAG_CFG_RACE, last, "%s uses configuration that %s changes, and nothing makes it wait",
               tx_ops[word >> 24].name, chk_entity_name(last->entity));
  last->clock = 0;
}

/* The matrix unit has read its configuration since its entity's clock moved, and no store to it came after: another read adds nothing. */
static inline bool has_read(const struct chk *c, unsigned thread) {
  const struct chk_thread *s = sim_keep(&c->thread[thread]);
  const unsigned unit = TX_UNIT_MATRIX, entity = chk_unit_of(thread, CHK_MATRIX);
  const struct chk_mark *last = &s->config_read[unit];
  return !(s->unsynced >> unit & 1u) && !s->foreign[unit].clock && last->entity == entity &&
         last->clock == c->clocks.of[entity].at[entity];
}

/* The unpackers read their configuration when they accept the instruction, the other units during execution. */
static void issue_config_read(struct chk *c, unsigned thread, uint32_t word, unsigned unit) {
  struct chk_thread *s = &c->thread[thread];
  unsigned entity = entity_unit[unit] ? chk_unit_of(thread, entity_unit[unit] - 1u) : CHK_THREAD + thread;
  bool unsynced = s->unsynced >> unit & 1u;
  struct chk_mark now = chk_now(c, entity), other;
  if (s->foreign[unit].clock) check_foreign(c, thread, word, unit);
  if (unsynced && !(unit == TX_UNIT_UNPACK && s->stored_context) && overtaken(c, thread, s->stored_pushed[unit]))
    chk_report(c, TX_DIAG_CFG_RACE, &s->stored[unit], "the core's store overtakes %s, which it has pushed before",
               tx_ops[word >> 24].name);
  else if (unsynced && behind(c, thread, s->stored_pushed[unit])) {
    if (!chk_knows(&c->clocks, CHK_THREAD + thread, &s->stored[unit]))
      chk_report(c, TX_DIAG_CFG_RACE, &s->stored[unit],
                 "%s may read configuration that its core's store has not reached: no STALLWAIT for TRISC_CFG in between",
                 tx_ops[word >> 24].name);
    s->unsynced &= ~(1u << unit);
  }
  s->config_read[unit] = now;
  if (word >> 24 != TX_UNPACR) return;
  unsigned unpacker = word >> 23 & 1u, context = context_of(c->t, thread, word);
  const struct chk_mark *store = &s->context[unpacker][context].write;
  if (store->clock && overtaken(c, thread, s->context_pushed[unpacker][context]))
    chk_report(c, TX_DIAG_CFG_RACE, store,
               "base address of context %u of unpacker %u: the core's store overtakes UNPACR, which it has pushed before",
               context, unpacker);
  (void)chk_use(&c->clocks, &s->context[unpacker][context], &now, false, &other);
}

/* ZEROACC uses two bits of it, which kernels set once. */
static bool reads_config(uint32_t word) {
  return (tx_config_reads(word, 1) && word >> 24 != TX_ZEROACC) || word >> 24 == TX_XMOV;
}

void chk_registers_issue(struct chk *c, unsigned thread, uint32_t word) {
  unsigned unit = tx_ops[word >> 24].unit;
  issue_dst(c, thread, word);
  if (unit == TX_UNIT_SCALAR || unit == TX_UNIT_CONFIG) issue_gpr(c, thread, word);
  if (unit == TX_UNIT_CONFIG) issue_config_write(c, thread, word);
  if (unit == TX_UNIT_MATRIX && has_read(c, thread)) return;
  if (reads_config(word)) issue_config_read(c, thread, word, unit);
}
