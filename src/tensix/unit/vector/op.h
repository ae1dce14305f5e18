/* The instructions of the vector unit: decoding, and the registers that each reads and writes. */
#ifndef TESSERA_TENSIX_VECTOR_OP_H
#define TESSERA_TENSIX_VECTOR_OP_H

#include "tensix/unit/vector/exec.h"

/* Static properties of an opcode of the vector unit. */
struct tx_vector_op {
  tx_vector_fn *run;
  uint8_t sub_unit;
  uint8_t format;     /* enum tx_vop_format */
  uint8_t has_vb : 1; /* the encoding names VB */
  uint8_t has_vc : 1;
  uint8_t two_cycles : 1; /* result in the cycle after next */
};

extern const struct tx_vector_op tx_vector_ops[256];

struct tx_vop tx_vop_decode(uint32_t word); /* as encoded */
void tx_vop_settle(struct tx_vop *op);      /* VB = VD and the like, for instructions that software issues */
uint32_t tx_vop_reads(const struct tx_vop *op, const tx_row *regs);  /* LRegs it reads in its first cycle, a bit each */
uint32_t tx_vop_known_reads(const struct tx_vop *op, uint32_t word); /* LRegs that the stall logic treats as read */
uint32_t tx_vop_writes(const struct tx_vop *op, const tx_row *regs); /* LRegs a two-cycle instruction writes */
uint32_t tx_vop_known_writes(const struct tx_vop *op);
bool tx_vop_blocks_next(const struct tx_vop *op); /* after it only SFPNOP: SFPSWAP, lane moves of SFPSHFT2 */

#endif
