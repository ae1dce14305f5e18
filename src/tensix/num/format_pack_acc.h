/* Accumulation in L1: the packer's output is added to the content of L1 (Pack_L1_Acc). Defined for FP32, BF16 and FP16.
 *
 * No document gives the bits; they follow the golden model, including its anomalies. Integers only. */
#ifndef TESSERA_NUM_FORMAT_PACK_ACC_H
#define TESSERA_NUM_FORMAT_PACK_ACC_H

#include <stdbool.h>
#include <stdint.h>

bool num_acc_exists(unsigned format);

/* IEEE sum, nearest even, denormals in and out are signed zeros, every NaN is 7FC00000. */
uint32_t num_acc_fp32(uint32_t old, uint32_t added);
/* Nearest even. Infinities of opposite sign give 7FC0. A NaN in L1 counts as larger than every finite number; an added NaN
 * counts as a number with exponent 255. */
uint16_t num_acc_bf16(uint16_t old, uint16_t added);
/* Exponent 31 is an ordinary number; overflow gives 7FFF. *bug: set if the result is 7FFF although the sum was too small (or
 * zero) rather than too large. */
uint16_t num_acc_fp16(uint16_t old, uint16_t added, bool *bug);

/* `length` bytes (whole datums; a multiple of sixteen is fastest) of `added` onto `l1`. Returns the number of datums with the FP16 bug. */
unsigned num_acc_bytes(unsigned format, uint8_t *l1, const uint8_t *added, unsigned length);
unsigned num_acc_bytes_plain(unsigned format, uint8_t *l1, const uint8_t *added, unsigned length); /* datum by datum */
/* The same in vectors (format_pack_acc_avx2.c); only on x86-64. `length` is a multiple of sixteen. */
void num_acc_bf16_avx2(uint8_t *l1, const uint8_t *added, unsigned length);
void num_acc_fp32_avx2(uint8_t *l1, const uint8_t *added, unsigned length);

#endif
