/* Clearing, shifting, transposing and the remaining instructions: ZEROACC, ZEROSRC, SHIFTXA, SHIFTXB, TRNSPSRCB, CLEARDVALID, GATESRCRST,
 * CLREXPHIST. ISA: the pages of these names; ZEROACC's half on Blackhole: docs/evidence/errata.md A14, A67, A68. */
#include <string.h>

#include "tensix/num/turn.h"
#include "tensix/regs/dst.h"
#include "tensix/regs/rwc.h"
#include "tensix/regs/src.h"
#include "tensix/unit/matrix/access.h"
#include "tensix/unit/pack/metadata.h"

/* --- ZEROACC --- */

enum { ONE_ROW, SIXTEEN_ROWS, HALF, ALL };

static void mark(struct tx_tile *t, unsigned physical_row, bool valid) {
  t->dst.valid[physical_row] = valid ? TX_DST_VALID : TX_DST_UNDEFINED;
}

/* `where` counts blocks of 16 rows; hardware uses eight bits and adds the current half itself. Rows are those of the chosen view, as for the
 * other instructions (inferred: LLK leaves remap_addrs on after pack_untilize and clears faces as before). */
static void clear_16_rows(struct tx_tile *t, unsigned thread, uint32_t where, bool wide, bool valid) {
  bool absolute = t->config.words[0][TX_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_ADDR] >>
                      TX_CFG_DEST_ACCESS_CFG_zeroacc_absolute_tile_mode_SHIFT &
                  1u;
  uint32_t offset = TX_THREAD_CFG_GET(t, thread, DEST_TARGET_REG_CFG_MATH_Offset) + t->rwc[thread].dst;
  uint32_t block = where & 0xffu;
  if (!absolute && (offset & (wide ? 768u : 512u))) block += wide ? 16 : 32;
  if (block >= (wide ? 32u : 64u)) {
    tx_diag(t, TX_DIAG_ZEROACC_OUT_OF_RANGE, "block %u of %u", block, wide ? 32 : 64);
    return;
  }
  struct tx_dst_map map = tx_dst_map(t);
  for (unsigned row = block * 16; row < block * 16 + 16; row++)
    mark(t, wide ? tx_dst_map32(map, row) : tx_dst_map16(map, row), valid);
}

static void clear_one_row(struct tx_tile *t, unsigned thread, uint32_t where) {
  uint32_t row = tx_matrix_dst_row(t, thread, where);
  bool wide = TX_CFG_GET(t, thread, ALU_ACC_CTRL_Fp32_enabled) || TX_CFG_GET(t, thread, ALU_ACC_CTRL_INT8_math_enabled);
  mark(t, wide ? tx_dst_adj32(t, row) : tx_dst_adj16(t, row), false);
}

void tx_exec_ZEROACC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  uint32_t mode = TX_FIELD(word, ZEROACC, clear_mode), where = TX_FIELD(word, ZEROACC, where);
  bool wide = TX_FIELD(word, ZEROACC, use_32_bit_mode), revert = TX_FIELD(word, ZEROACC, clear_zero_flags);
  if (revert && (mode != SIXTEEN_ROWS || !wide)) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "ZEROACC.md",
             "clear_zero_flags is defined by no document but for 16 rows of the 32-bit view");
    return;
  }
  if (t->dst.unpack_at == tx_now(t) + 1) tx_diag(t, TX_DIAG_ZEROACC_UNPACK_RACE, "budabackend#2730");
  t->dst.zeroacc_at = tx_now(t) + 1;
  switch (mode) {
    case ONE_ROW: clear_one_row(t, thread, where); break;
    case SIXTEEN_ROWS: clear_16_rows(t, thread, where, wide, revert); break;
    case HALF:
      if (where > 1) tx_diag(t, TX_DIAG_ZEROACC_INDEX, "half %u; only bit 0 is used", where);
      memset(t->dst.valid + (where & 1u) * (TX_DST_ROWS / 2), TX_DST_UNDEFINED, TX_DST_ROWS / 2);
      break;
    default:
      if (where) tx_diag(t, TX_DIAG_ZEROACC_INDEX, "where %u with all of Dst", where);
      memset(t->dst.valid, TX_DST_UNDEFINED, TX_DST_ROWS);
  }
  if (mode == ONE_ROW || mode == SIXTEEN_ROWS) tx_rwc_apply(t, thread, TX_FIELD(word, ZEROACC, addr_mode), true);
}

/* --- ZEROSRC --- */

void tx_exec_ZEROSRC(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread;
  (void)cost;
  uint32_t selected = TX_FIELD(word, ZEROSRC, src_mask);
  bool both = TX_FIELD(word, ZEROSRC, bank_mask), matrix = TX_FIELD(word, ZEROSRC, write_mode);
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++) {
    if (!(selected & 1u << which)) continue;
    const char *name = which == TX_SRCA ? "SrcA" : "SrcB";
    uint32_t value = which == TX_SRCA && TX_FIELD(word, ZEROSRC, zero_val) ? 0x7ffffu : 0;
    if ((both || matrix) && t->src.clear_at[which] == tx_now(t) + 1) tx_diag(t, TX_DIAG_ZEROSRC_STEAL, "%s", name);
    if (!both && matrix && !tx_src_matrix_owns(&t->src, (enum tx_src_which)which))
      tx_diag(t, TX_DIAG_BANK_TOUCH_FOREIGN, "%s bank %u", name, t->src.matrix_bank[which]);
    for (unsigned index = 0; index < 2; index++)
      if (both || index == (matrix ? t->src.matrix_bank[which] : t->src.unpack_bank[which]))
        tx_src_fill(&t->src.bank[which][index], value);
  }
}

/* --- shifts and the transpose --- */

/* A hardware bug: shifts the rows of the last instruction that had a SrcA row, not those of RWC.SrcA. */
void tx_exec_SHIFTXA(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  enum { RIGHT = 2, LEFT = 3 };
  uint32_t direction = TX_FIELD(word, SHIFTXA, shift_mode);
  if (direction != RIGHT && direction != LEFT) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "SHIFTXA.md", "shift_mode %u is defined by no document", direction);
    return;
  }
  uint32_t first = t->matrix.srca_row & 0x30u;
  if (first != (t->rwc[thread].srca & 0x30u))
    tx_diag(t, TX_DIAG_SHIFTXA_BUG_ROW, "shifts rows from %u, RWC.SrcA is %u", first, t->rwc[thread].srca);
  struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCA);
  for (unsigned i = 0; i < 16; i++) {
    uint32_t row[TX_SRC_COLUMNS] = {0};
    const uint32_t *from = bank->datum[first + i];
    if (direction == RIGHT) memcpy(row + 1, from, 15 * sizeof *from);
    else memcpy(row, from + 1, 15 * sizeof *from);
    memcpy(bank->datum[i], row, sizeof row);
  }
  bank->version++;
}

void tx_exec_SHIFTXB(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)cost;
  struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCB);
  uint32_t *row = bank->datum[(TX_FIELD(word, SHIFTXB, shift_row) + t->rwc[thread].srcb) & 63u];
  uint32_t first = row[0];
  memmove(row, row + 1, 15 * sizeof *row);
  row[15] = TX_FIELD(word, SHIFTXB, rot_shift) ? 0 : first;
  bank->version++;
  tx_rwc_apply(t, thread, TX_FIELD(word, SHIFTXB, addr_mode), true);
}

void tx_exec_TRNSPSRCB(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread;
  (void)word;
  (void)cost;
  struct tx_src_bank *bank = tx_matrix_bank(t, TX_SRCB);
  uint32_t turned[16][TX_SRC_COLUMNS];
  num_turn_block(turned, (const uint32_t(*)[TX_SRC_COLUMNS]) & bank->datum[16]);
  memcpy(&bank->datum[16], turned, sizeof turned);
  bank->version++;
}

/* --- banks, histogram --- */

void tx_exec_CLEARDVALID(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread;
  (void)cost;
  enum { RESET = 1, KEEP_READING = 2 };
  uint32_t how = TX_FIELD(word, CLEARDVALID, reset);
  if (how & RESET) {
    tx_fault(t, SIM_FAULT_UNSUPPORTED, "CLEARDVALID.md", "reset drops Src banks on Blackhole: tt-metal#22383");
    return;
  }
  if (how & KEEP_READING) tx_diag(t, TX_DIAG_UNTESTED_MODE, "CLEARDVALID that keeps reading the same bank");
  for (unsigned which = TX_SRCA; which <= TX_SRCB; which++)
    if (TX_FIELD(word, CLEARDVALID, cleardvalid) & 1u << which)
      tx_src_release_after(t, (enum tx_src_which)which, 1,
                           how & KEEP_READING ? TX_RELEASE_GIVE : TX_RELEASE_GIVE | TX_RELEASE_FLIP);
}

/* The operand cache that it clears mirrors the bank: no change is visible to a program. ISA: GATESRCRST.md */
void tx_exec_GATESRCRST(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)t;
  (void)thread;
  (void)word;
  (void)cost;
}

void tx_exec_CLREXPHIST(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  (void)thread;
  (void)word;
  (void)cost;
  tx_pack_clear_histogram(t);
}
