/* Instruction words to text: lower-case mnemonic with the prefix tt, decimal operands, as the vendor's objdump writes them.
 * The assembler reads every line back to the same word. All functions write at most `size` bytes including the terminator and
 * return the full length, as snprintf does. */
#ifndef TESSERA_TENSIX_DIS_H
#define TESSERA_TENSIX_DIS_H

#include "tensix/isa/isa.h"

#define TX_DIS_MAX 1024u /* room for the longest text and its terminator */

/* "ttmvmul 0,0,5,0". A word that is not an instruction, or sets bits that its instruction does not use, becomes a raw word
 * with the reason: ".ttinsn 0x26ffffff ; MVMUL: unused bits 0x0037fc00 are set". */
size_t tx_dis(uint32_t word, char *text, size_t size);

/* Every field by name, and the configuration registers by theirs: "setc16_reg=1 setc16_value=512
 * (DEST_TARGET_REG_CFG_MATH_Offset=512)". Empty for an instruction without fields and for a raw word. */
size_t tx_dis_fields(uint32_t word, char *text, size_t size);

/* Does tx_dis print an instruction, not a raw word? */
static inline bool tx_is_instruction(uint32_t word) { return tx_ops[word >> 24].name != NULL && tx_unused_bits(word) == 0; }

#endif
