/* Decoding of the vector unit's instructions, and the registers that each reads and writes: the actual ones, and those of
 * the stall logic. ISA: the pages' encodings; SFPMAD.md, "Instruction scheduling", for reads that the logic does not
 * detect. */
#include "tensix/unit/vector/op.h"

#include "tensix/unit/vector/config.h"
#include "tensix/unit/vector/exec.h"
#include "tensix/unit/vector/flags.h"
#include "tensix/unit/vector/loadstore.h"
#include "tensix/unit/vector/mad.h"
#include "tensix/unit/vector/round.h"
#include "tensix/unit/vector/simple.h"

enum tx_vop_format {
  FORMAT_NONE,
  FORMAT_LOAD,  /* vd, mod0, addr_mode, imm10 */
  FORMAT_LOADI, /* vd, mod0, imm16 */
  FORMAT_IMM16, /* imm16, vd, mod1 */
  FORMAT_IMM12, /* imm12 (its low 4 bits may be vb), vc, vd, mod1 */
  FORMAT_MAD,   /* va, vb, vc, vd, mod1 */
};

enum { INDIRECT_VA = 4, INDIRECT_VD = 8 }; /* mod1 of the MAD sub-unit */
enum { SHFT2_COPY4, SHFT2_CHAINED_COPY4, SHFT2_ROR1_AND_COPY4, SHFT2_ROR1, SHFT2_SHR1, SHFT2_LREG, SHFT2_IMM };

#define OP(name, function, sub, form, vb, vc, two) \
  [TX_##name] = {.run = (function), \
                 .sub_unit = TX_SUB_##sub, \
                 .format = FORMAT_##form, \
                 .has_vb = (vb), \
                 .has_vc = (vc), \
                 .two_cycles = (two)}

const struct tx_vector_op tx_vector_ops[256] = {
    OP(SFPLOAD, tx_run_load, LOAD, LOAD, 0, 0, 0),
    OP(SFPLOADI, tx_run_loadi, LOAD, LOADI, 0, 0, 0),
    OP(SFPLOADMACRO, tx_run_load, LOAD, LOAD, 0, 0, 0),
    OP(SFPNOP, tx_run_nop, LOAD, IMM12, 0, 0, 0),
    OP(SFPSTORE, tx_run_store, STORE, LOAD, 0, 0, 0),
    OP(SFPLUT, tx_run_lut, MAD, LOADI, 0, 0, 1),
    OP(SFPLUTFP32, tx_run_lut, MAD, IMM12, 0, 0, 1),
    OP(SFPMULI, tx_run_immediate, MAD, IMM16, 0, 0, 1),
    OP(SFPADDI, tx_run_immediate, MAD, IMM16, 0, 0, 1),
    OP(SFPMAD, tx_run_mad, MAD, MAD, 1, 1, 1),
    OP(SFPADD, tx_run_mad, MAD, MAD, 1, 1, 1),
    OP(SFPMUL, tx_run_mad, MAD, MAD, 1, 1, 1),
    OP(SFPMUL24, tx_run_mul24, MAD, MAD, 1, 1, 1),
    OP(SFP_STOCH_RND, tx_run_round, ROUND, MAD, 1, 1, 0),
    OP(SFPSHFT2, tx_run_shift2, ROUND, IMM12, 1, 1, 0), /* some modes: two cycles */
    OP(SFPDIVP2, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPEXEXP, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPEXMAN, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPIADD, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPSHFT, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPABS, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPAND, tx_run_simple, SIMPLE, IMM12, 1, 1, 0),
    OP(SFPOR, tx_run_simple, SIMPLE, IMM12, 1, 1, 0),
    OP(SFPXOR, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPNOT, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPLZ, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPSETEXP, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPSETMAN, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPSETSGN, tx_run_simple, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPMOV, tx_run_move, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPLE, tx_run_compare, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPGT, tx_run_compare, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPCAST, tx_run_cast, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPARECIP, tx_run_arecip, SIMPLE, IMM12, 1, 1, 0),
    OP(SFPSWAP, tx_run_swap, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPTRANSP, tx_run_transpose, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPSETCC, tx_run_setcc, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPENCC, tx_run_encc, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPCOMPC, tx_run_compc, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPPUSHC, tx_run_pushc, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPPOPC, tx_run_popc, SIMPLE, IMM12, 0, 1, 0),
    OP(SFPCONFIG, tx_run_config, SIMPLE, IMM16, 0, 0, 0),
};

struct tx_vop tx_vop_decode(uint32_t word) {
  struct tx_vop op = {.opcode = (uint8_t)(word >> 24)};
  op.two_cycles = tx_vector_ops[op.opcode].two_cycles;
  uint8_t format = tx_vector_ops[op.opcode].format;
  if (format == FORMAT_LOAD || format == FORMAT_LOADI) {
    op.vd = (uint8_t)TX_FIELD(word, SFPLOAD, lreg_ind);
    op.mod = (uint8_t)TX_FIELD(word, SFPLOAD, instr_mod0);
    op.imm = (uint16_t)(format == FORMAT_LOADI ? TX_FIELD(word, SFPLOADI, imm16) : TX_FIELD(word, SFPLOAD, dest_reg_addr));
    if (format == FORMAT_LOAD) op.addr_mode = (uint8_t)TX_FIELD(word, SFPLOAD, sfpu_addr_mode);
    return op;
  }
  op.vd = (uint8_t)TX_FIELD(word, SFPMAD, lreg_dest);
  op.mod = (uint8_t)TX_FIELD(word, SFPMAD, instr_mod1);
  if (format == FORMAT_IMM16) {
    op.imm = (uint16_t)TX_FIELD(word, SFPCONFIG, imm16_math);
    return op;
  }
  op.va = (uint8_t)TX_FIELD(word, SFPMAD, lreg_src_a);
  op.vb = (uint8_t)TX_FIELD(word, SFPMAD, lreg_src_b);
  op.vc = (uint8_t)TX_FIELD(word, SFPMAD, lreg_src_c);
  op.imm = (uint16_t)TX_FIELD(word, SFPIADD, imm12_math);
  if (op.opcode == TX_SFPSHFT2) op.two_cycles = op.mod >= SHFT2_ROR1_AND_COPY4 && op.mod <= SHFT2_SHR1;
  if (op.opcode == TX_SFP_STOCH_RND) {
    op.rounding = (uint8_t)TX_FIELD(word, SFP_STOCH_RND, rnd_mode);
    op.imm = (uint16_t)TX_FIELD(word, SFP_STOCH_RND, imm8_math);
  }
  return op;
}

/* The pages' "VB = VD" and "VC = VD". SFPAND and SFPOR encode a VB and use it only with USE_VB. */
void tx_vop_settle(struct tx_vop *op) {
  const struct tx_vector_op *kind = &tx_vector_ops[op->opcode];
  bool ignores_vb = (op->opcode == TX_SFPAND || op->opcode == TX_SFPOR) && !(op->mod & 1u);
  if (!kind->has_vb || ignores_vb) op->vb = op->vd;
  if (!kind->has_vc) op->vc = op->vd;
}

bool tx_vop_blocks_next(const struct tx_vop *op) {
  return op->opcode == TX_SFPSWAP || (op->opcode == TX_SFPSHFT2 && op->two_cycles);
}

#define REG(n) (1u << (n))
#define GENERAL 0xffu /* LReg 0..7 */

static uint32_t indirect_registers(const tx_row *regs) {
  uint32_t set = 0;
  for (unsigned l = 0; l < TX_LANES; l++) set |= REG(regs[7][l] & 15u);
  return set;
}

static uint32_t mad_reads(const struct tx_vop *op, const tx_row *regs) {
  uint32_t set = REG(op->vb) | REG(op->vc);
  set |= op->mod & INDIRECT_VA ? indirect_registers(regs) | REG(7) : REG(op->va);
  return op->mod & INDIRECT_VD ? set | REG(7) : set;
}

static uint32_t simple_reads(const struct tx_vop *op) {
  uint32_t vb = REG(op->vb), vc = REG(op->vc);
  switch (op->opcode) {
    case TX_SFPIADD: return op->mod & 1u ? vc : vb | vc;
    case TX_SFPSHFT: return (op->mod & 5u) == 5u ? vc : op->mod & 1u ? vb : vb | vc;
    case TX_SFPSETEXP:
    case TX_SFPSETMAN:
    case TX_SFPSETSGN: return op->mod & 1u ? vc : vb | vc;
    case TX_SFPMOV: return op->mod & 8u ? 0 : vc;
    case TX_SFPARECIP: return op->mod == 1 ? vb | vc : vc;
    case TX_SFPSETCC: return op->mod & 9u ? 0 : vc;
    case TX_SFPSWAP: return op->mod ? vb | vc : 0; /* a plain exchange reads in its second cycle */
    case TX_SFPTRANSP: return GENERAL;
    case TX_SFPCONFIG: return (op->mod & 1u) && op->vd > 3 ? 0 : REG(0);
    case TX_SFPAND:
    case TX_SFPOR:
    case TX_SFPXOR:
    case TX_SFPLE:
    case TX_SFPGT: return vb | vc;
    case TX_SFPENCC:
    case TX_SFPCOMPC:
    case TX_SFPPUSHC:
    case TX_SFPPOPC: return 0;
    default: return vc;
  }
}

static uint32_t round_reads(const struct tx_vop *op) {
  if (op->opcode == TX_SFP_STOCH_RND) {
    bool descale_by_vb = (op->mod & 6u) == 4u && !(op->mod & 8u);
    return descale_by_vb ? REG(op->vb) | REG(op->vc) : REG(op->vc);
  }
  switch (op->mod) {
    case SHFT2_COPY4: return REG(1) | REG(2) | REG(3);
    case SHFT2_CHAINED_COPY4: return REG(0) | REG(1) | REG(2) | REG(3);
    case SHFT2_ROR1_AND_COPY4: return REG(1) | REG(2) | REG(3) | REG(op->vc);
    case SHFT2_LREG: return REG(op->vb) | REG(op->vc);
    case SHFT2_IMM: return REG(op->vb);
    default: return REG(op->vc);
  }
}

uint32_t tx_vop_reads(const struct tx_vop *op, const tx_row *regs) {
  switch (tx_vector_ops[op->opcode].sub_unit) {
    case TX_SUB_STORE: return REG(op->vd);
    case TX_SUB_SIMPLE: return simple_reads(op);
    case TX_SUB_ROUND: return round_reads(op);
    case TX_SUB_LOAD:
      if (op->opcode == TX_SFPLOADI) return op->mod == 8 || op->mod == 10 ? REG(op->vd) : 0;
      return op->opcode != TX_SFPNOP && op->mod >= 14 ? REG(op->vd) : 0; /* keeps a half */
    default: break;
  }
  switch (op->opcode) {
    case TX_SFPADDI:
    case TX_SFPMULI: return op->mod & INDIRECT_VD ? REG(op->vc) | REG(7) : REG(op->vc);
    case TX_SFPLUT: return op->mod & INDIRECT_VD ? 0x8fu : 0x0fu;
    case TX_SFPLUTFP32: return (op->mod & 10u) == 10u ? 0x8fu : op->mod & INDIRECT_VD ? GENERAL : 0x7fu;
    default: return mad_reads(op, regs);
  }
}

/* SFPLUTFP32 has a second copy of Mod1 for the stall logic; its position is undocumented and the vendor's macro leaves it
 * 0: the logic treats the instruction as reading all but LReg 7 and writing VD (inferred). If no page describes such an
 * error, the logic uses the registers that the instruction reads. */
uint32_t tx_vop_known_reads(const struct tx_vop *op, uint32_t word) {
  uint32_t vc = REG(op->vc), vd = REG(op->vd);
  switch (op->opcode) {
    case TX_SFPAND:
    case TX_SFPOR: return vc | vd;
    case TX_SFPIADD:
    case TX_SFPSHFT: return vc;
    case TX_SFPCONFIG:
    case TX_SFPSWAP: return 0;
    case TX_SFP_STOCH_RND: return REG(TX_FIELD(word, SFP_STOCH_RND, lreg_src_b)) | vc; /* VB even if it is unused */
    case TX_SFPSHFT2:
      if (op->mod < SHFT2_ROR1_AND_COPY4) return round_reads(op);
      return op->mod == SHFT2_LREG ? vd | vc : op->mod == SHFT2_IMM ? vd : 0;
    case TX_SFPMAD:
    case TX_SFPADD:
    case TX_SFPMUL:
    case TX_SFPMUL24:
      if (op->mod & INDIRECT_VA) return GENERAL;
      return REG(op->va) | REG(op->vb) | vc | (op->mod & INDIRECT_VD ? REG(7) : 0);
    case TX_SFPLUTFP32: return 0x7fu;
    default: return tx_vop_reads(op, NULL);
  }
}

uint32_t tx_vop_writes(const struct tx_vop *op, const tx_row *regs) {
  uint32_t set = REG(op->vd);
  if (op->opcode == TX_SFPSHFT2) set = op->mod == SHFT2_ROR1_AND_COPY4 ? 0x0fu : set;
  else if ((op->mod & INDIRECT_VD) && op->vd != TX_LREG_STAGING) set = indirect_registers(regs);
  return set & (GENERAL | REG(TX_LREG_STAGING));
}

uint32_t tx_vop_known_writes(const struct tx_vop *op) {
  if (op->opcode == TX_SFPLUTFP32) return REG(op->vd) & GENERAL;
  return op->mod & INDIRECT_VD ? GENERAL : REG(op->vd) & GENERAL;
}
