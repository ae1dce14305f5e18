/* MVMULs per second of ttsim, if its library is available (TTSIM_LIB): the same 32x32 matmul of 16 MVMULs by MOP and replay buffer,
 * pushed by a small program on TRISC1 of one tile. */
#ifndef TESSERA_BENCH_TTSIM_MVMUL_H
#define TESSERA_BENCH_TTSIM_MVMUL_H

#include <stdint.h>
#include <stdio.h>

#include "tensix/isa/isa.h"
#include "tensix/num/format.h"
#include "ttsim.h"

/* The RV32I instructions that are needed. */
enum { X0 = 0, RA0 = 10, RA1, RA2, RA3, RA4, RA5 };
static inline uint32_t rv_lui(unsigned rd, uint32_t value) { return (value & 0xfffff000u) | rd << 7 | 0x37; }
static inline uint32_t rv_addi(unsigned rd, unsigned rs, uint32_t imm) {
  return (imm & 0xfffu) << 20 | rs << 15 | rd << 7 | 0x13;
}
static inline uint32_t rv_lw(unsigned rd, unsigned rs, uint32_t imm) {
  return (imm & 0xfffu) << 20 | rs << 15 | 2u << 12 | rd << 7 | 3;
}
static inline uint32_t rv_sw(unsigned value, unsigned rs) { return value << 20 | rs << 15 | 2u << 12 | 0x23; }
static inline uint32_t rv_bne(unsigned a, unsigned b, int32_t offset) {
  uint32_t o = (uint32_t)offset;
  return (o >> 12 & 1u) << 31 | (o >> 5 & 63u) << 25 | b << 20 | a << 15 | 1u << 12 | (o >> 1 & 15u) << 8 |
         (o >> 11 & 1u) << 7 | 0x63;
}

static inline uint32_t rv_load(uint32_t *code, unsigned rd, uint32_t value) {
  code[0] = rv_lui(rd, value + 0x800u);
  code[1] = rv_addi(rd, rd, value);
  return 2;
}

#define TTSIM_TABLE 0x20000u /* pairs of address and value to store first */
#define TTSIM_CODE 0x10000u
#define TTSIM_DONE 0x30000u

/* Stores the table, pushes `last` `count` times, each time waiting until the thread is idle, and then writes TTSIM_DONE. */
static inline uint32_t ttsim_code(uint32_t *code, uint32_t pairs, uint32_t last, uint32_t count) {
  uint32_t n = 0;
  n += rv_load(code + n, RA0, TTSIM_TABLE);
  n += rv_load(code + n, RA1, TTSIM_TABLE + 8 * pairs);
  code[n++] = rv_lw(RA2, RA0, 0);
  code[n++] = rv_lw(RA3, RA0, 4);
  code[n++] = rv_sw(RA3, RA2);
  code[n++] = rv_addi(RA0, RA0, 8);
  code[n++] = rv_bne(RA0, RA1, -16);
  n += rv_load(code + n, RA2, 0xffe40000u);
  n += rv_load(code + n, RA3, last);
  n += rv_load(code + n, RA4, count);
  n += rv_load(code + n, RA5, 0xffe80004u);
  code[n++] = rv_sw(RA3, RA2);
  code[n++] = rv_lw(RA0, RA5, 0); /* until the tile is done: its queue has no back-pressure */
  code[n++] = rv_addi(RA4, RA4, 0xfffu);
  code[n++] = rv_bne(RA4, X0, -12);
  n += rv_load(code + n, RA2, TTSIM_DONE);
  code[n++] = rv_addi(RA3, X0, 1);
  code[n++] = rv_sw(RA3, RA2);
  code[n++] = 0x6f; /* j . */
  return n;
}

/* Operands: SrcA is set to all ones (an ordinary large number to this unit), and goes through Dst to SrcB. */
static inline uint32_t ttsim_table(uint32_t (*pair)[2], const uint32_t *matmul, const uint32_t mop[9],
                                   uint32_t replay_load) {
  const uint32_t push = 0xffe40000u, config = 0xffef0000u;
  uint32_t n = 0;
#define TTSIM_STORE(address, value) (pair[n][0] = (address), pair[n][1] = (value), n++)
  TTSIM_STORE(config + 4 * TX_CFG_THCON_SEC0_REG2_Out_data_format_ADDR, NUM_BF16);
  TTSIM_STORE(config + 4 * TX_CFG_THCON_SEC1_REG2_Out_data_format_ADDR, NUM_BF16);
  for (unsigned i = 0; i < 9; i++) TTSIM_STORE(0xffb80000u + 4 * i, mop[i]);
  uint32_t clear = (uint32_t)TX_UNPACR_NOP << 24 | TX_PUT(UNPACR_NOP, set_dvalid, 1) | TX_PUT(UNPACR_NOP, unpack_pop, 1);
  TTSIM_STORE(push, clear | TX_PUT(UNPACR_NOP, src_clr_val_ctrl, 1));
  TTSIM_STORE(push, clear | TX_PUT(UNPACR_NOP, unpacker_select, 1));
  for (uint32_t row = 0; row < 64; row += 8)
    TTSIM_STORE(push, (uint32_t)TX_MOVA2D << 24 | TX_PUT(MOVA2D, instr_mod, 2) | TX_PUT(MOVA2D, src, row) |
                          TX_PUT(MOVA2D, dst, row));
  for (uint32_t row = 0; row < 64; row += 4)
    TTSIM_STORE(push, (uint32_t)TX_MOVD2B << 24 | TX_PUT(MOVD2B, instr_mod, 2) | TX_PUT(MOVD2B, src, row) |
                          TX_PUT(MOVD2B, dst, row));
  static const uint16_t ab[8] = {
      8 << 8, 16 | 1 << 14, 1 << 6 | 32 << 8 | 1 << 14, 0, 32 | 1 << 6 | 48 << 8 | 1 << 14, 1 << 7 | 1 << 15};
  static const uint16_t dst[8] = {8, 8, 8, 0, 1 << 10, 1 << 11};
  for (uint32_t i = 0; i < 6; i++) {
    TTSIM_STORE(push, (uint32_t)TX_SETC16 << 24 | TX_PUT(SETC16, setc16_reg, TX_CFG_ADDR_MOD_AB_SEC0_SrcAIncr_ADDR + i) |
                          TX_PUT(SETC16, setc16_value, ab[i]));
    TTSIM_STORE(push, (uint32_t)TX_SETC16 << 24 | TX_PUT(SETC16, setc16_reg, TX_CFG_ADDR_MOD_DST_SEC0_DestIncr_ADDR + i) |
                          TX_PUT(SETC16, setc16_value, dst[i]));
  }
  TTSIM_STORE(push, (uint32_t)TX_SETRWC << 24 | TX_PUT(SETRWC, bit_mask, 15));
  TTSIM_STORE(push, replay_load);
  for (unsigned i = 0; i < 16; i++) TTSIM_STORE(push, matmul[i]);
#undef TTSIM_STORE
  return n;
}

/* MVMULs per second, or 0. */
static inline double ttsim_mvmul_rate(const char *path, const uint32_t *matmul, const uint32_t mop[9], uint32_t replay_load,
                                      uint32_t mop_word, uint32_t tiles, double (*seconds)(void)) {
  struct ttsim sim;
  if (!ttsim_open(&sim, path)) return 0;
  uint32_t pairs[128][2], code[64];
  uint32_t count = ttsim_table(pairs, matmul, mop, replay_load), words = ttsim_code(code, count, mop_word, tiles);
  for (uint32_t i = 0; i < words; i++) ttsim_poke(&sim, TTSIM_CODE + 4 * i, code[i]);
  for (uint32_t i = 0; i < 2 * count; i++) ttsim_poke(&sim, TTSIM_TABLE + 4 * i, pairs[i / 2][i % 2]);
  ttsim_poke(&sim, TTSIM_DONE, 0);
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC + 4, TTSIM_CODE);
  ttsim_poke(&sim, TTSIM_TRISC_RESET_PC + 12, 2);
  double begin = seconds();
  ttsim_poke(&sim, TTSIM_SOFT_RESET, 0x47800u & ~0x2000u); /* SOFT_RESET_0: all but TRISC1 */
  for (uint32_t limit = 0; limit < 100000000u && ttsim_peek(&sim, TTSIM_DONE) != 1; limit += 100) sim.clock(100);
  double took = seconds() - begin;
  return ttsim_peek(&sim, TTSIM_DONE) == 1 ? 16.0 * tiles / took : 0;
}

#endif
