/* The scalar unit's entry rule: an instruction that uses the GPR of an unfinished RDCFG waits for it.
 *
 * RDCFG.md leaves the distance to software. Silicon delivers the new value to an ADDDMAREG directly after the RDCFG, 64 times of
 * 64 (mesham/tt-sim, perfbench, tensix-rdcfg), and LLK's matmul advances its tile address in this way. Modelled as an interlock; that
 * it also covers the GPR an instruction writes, and all instructions of the unit, is inferred. The other reader of GPRs, WRCFG, has
 * not been measured and follows the page. */
#include "tensix/machine.h"
#include "tensix/unit/scalar.h"

static uint64_t one(unsigned reg) { return UINT64_C(1) << reg; }
static uint64_t group_of_four(unsigned reg) { return UINT64_C(0xf) << (reg & 0x3cu); }

static uint64_t setdmareg_gprs(uint32_t word) {
  unsigned reg = TX_FIELD(word, SETDMAREG, reg_index_16b) / 2;
  bool wide = TX_FIELD(word, SETDMAREG, set_signals_mode) && TX_FIELD(word, SETDMAREG, payload_sig_sel_size) >= 2;
  return wide ? group_of_four(reg) : one(reg);
}

static uint64_t arithmetic_gprs(uint32_t word) {
  uint64_t right = TX_FIELD(word, ADDDMAREG, op_b_is_const) ? 0 : one(TX_FIELD(word, ADDDMAREG, op_b_reg_index));
  return right | one(TX_FIELD(word, ADDDMAREG, op_a_reg_index)) | one(TX_FIELD(word, ADDDMAREG, result_reg_index));
}

/* The data register (or its group of four) and the address register have the same positions in all of them. */
static uint64_t memory_gprs(uint32_t word) {
  return group_of_four(TX_FIELD(word, LOADIND, data_reg_index)) | one(TX_FIELD(word, LOADIND, addr_reg_index));
}

/* Every GPR that the instruction may read or write. */
static uint64_t gprs_of(uint32_t word) {
  switch (word >> 24) {
    case TX_SETDMAREG: return setdmareg_gprs(word);
    case TX_REG2FLOP: return group_of_four(TX_FIELD(word, REG2FLOP, reg_index));
    case TX_ADDDMAREG:
    case TX_SUBDMAREG:
    case TX_MULDMAREG:
    case TX_BITWOPDMAREG:
    case TX_SHIFTDMAREG:
    case TX_CMPDMAREG: return arithmetic_gprs(word);
    case TX_LOADIND:
    case TX_STOREIND: return memory_gprs(word) | one(TX_FIELD(word, LOADIND, offset_index) / 2);
    case TX_ATINCGET:
    case TX_ATINCGETPTR:
    case TX_ATSWAP: return memory_gprs(word);
    case TX_ATCAS: return one(TX_FIELD(word, ATCAS, addr_reg_index));
    case TX_LOADREG:
    case TX_STOREREG: return one(TX_FIELD(word, LOADREG, tdma_data_reg_index));
    default: return 0;
  }
}

_Static_assert((int)TX_ATINCGET_data_reg_index_LO == (int)TX_LOADIND_data_reg_index_LO &&
                   (int)TX_ATSWAP_data_reg_index_LO == (int)TX_LOADIND_data_reg_index_LO &&
                   (int)TX_STOREIND_offset_index_LO == (int)TX_LOADIND_offset_index_LO &&
                   (int)TX_STOREREG_tdma_data_reg_index_LO == (int)TX_LOADREG_tdma_data_reg_index_LO,
               "the memory instructions share their layout");

void tx_scalar_ready(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_answer *answer) {
  const struct tx_scalar *s = &t->scalar;
  if (s->rdcfg_lands_at[thread] <= t->engine.now || !(gprs_of(word) >> s->rdcfg_gpr[thread] & 1u)) return;
  *answer = (struct tx_answer){.retry_at = s->rdcfg_lands_at[thread],
                               .wait = {.kind = TX_BLOCKED_HAZARD, .object = TX_UNIT_CONFIG}};
}
