/* The multiply-add of the Blackhole vector unit (SFPMAD and its family) and of the baby cores' fma.s family, on FP32 bit
 * patterns: partially fused, rounded once to nearest even. ISA: SFPMAD.md, Miscellaneous/FMA/README.md.
 *
 * Where it differs from IEEE 754:
 *   - a denormal operand counts as zero of its sign; a denormal result (after rounding) becomes zero of its sign
 *   - every NaN result is 0x7fc00000
 *   - the product keeps 28 of its 48 bits, the last one sticky; a product exponent of 255 or more is an infinity even if the
 *     sum would be finite, one below 0 is a zero
 *   - a term that alignment shifts out completely leaves no trace in the sticky bit */
#ifndef TESSERA_NUM_FMA_H
#define TESSERA_NUM_FMA_H

#include <stdint.h>

uint32_t num_fma32(uint32_t x, uint32_t y, uint32_t z); /* x * y + z */

#endif
