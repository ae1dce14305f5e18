/* Instruction words of the vector unit for tests. */
#ifndef TESSERA_TESTS_VECTOR_WORDS_H
#define TESSERA_TESTS_VECTOR_WORDS_H

#include <stdint.h>

#include "tensix/isa/isa.h"

#define V_NOP ((uint32_t)TX_SFPNOP << 24)

static inline uint32_t v_load(unsigned vd, unsigned mod, unsigned addr_mode, unsigned imm10) {
  return (uint32_t)TX_SFPLOAD << 24 | vd << 20 | mod << 16 | addr_mode << 13 | (imm10 & 0x3ffu);
}
static inline uint32_t v_store(unsigned vd, unsigned mod, unsigned addr_mode, unsigned imm10) {
  return (uint32_t)TX_SFPSTORE << 24 | vd << 20 | mod << 16 | addr_mode << 13 | (imm10 & 0x3ffu);
}
static inline uint32_t v_loadi(unsigned vd, unsigned mod, unsigned imm16) {
  return (uint32_t)TX_SFPLOADI << 24 | vd << 20 | mod << 16 | (imm16 & 0xffffu);
}
/* macro 0..3, VD 0..7, and an even Dst address */
static inline uint32_t v_loadmacro(unsigned macro, unsigned vd, unsigned mod, unsigned addr_mode, unsigned address) {
  return (uint32_t)TX_SFPLOADMACRO << 24 | (macro << 2 | (vd & 3u)) << 20 | mod << 16 | addr_mode << 13 |
         (address & 0x3feu) | vd >> 2;
}
/* SFPMAD, SFPADD, SFPMUL, SFPMUL24 */
static inline uint32_t v_mad(unsigned opcode, unsigned va, unsigned vb, unsigned vc, unsigned vd, unsigned mod) {
  return (uint32_t)opcode << 24 | va << 16 | vb << 12 | vc << 8 | vd << 4 | mod;
}
/* those with a 12-bit immediate, or VB in its low bits */
static inline uint32_t v_imm12(unsigned opcode, unsigned imm12, unsigned vc, unsigned vd, unsigned mod) {
  return (uint32_t)opcode << 24 | (imm12 & 0xfffu) << 12 | vc << 8 | vd << 4 | mod;
}
/* SFPADDI, SFPMULI, SFPCONFIG */
static inline uint32_t v_imm16(unsigned opcode, unsigned imm16, unsigned vd, unsigned mod) {
  return (uint32_t)opcode << 24 | (imm16 & 0xffffu) << 8 | vd << 4 | mod;
}
static inline uint32_t v_round(unsigned rounding, unsigned imm5, unsigned vb, unsigned vc, unsigned vd, unsigned mod) {
  return (uint32_t)TX_SFP_STOCH_RND << 24 | rounding << 21 | imm5 << 16 | vb << 12 | vc << 8 | vd << 4 | mod;
}

#endif
