/* Data formats of tensors: their names, the hardware's numbers for them, and pages of numbers as bytes in DRAM or L1.
 *
 * Element e of a data tile's page is element e of its faces (16 x 16, 0 1 / 2 3, row by row). Block formats hold 64
 * exponents, one per row of a face, then the mantissas. Integers of 32 bits are two's complement; INT8 is sign and
 * magnitude, as in the matrix unit. */
#ifndef TESSERA_CLI_CHIP_FORMAT_H
#define TESSERA_CLI_CHIP_FORMAT_H

#include <stdbool.h>
#include <stdint.h>

#include "cli/npy.h"

enum chip_format {
  CHIP_BF16,
  CHIP_FP32,
  CHIP_INT32,
  CHIP_U8,
  CHIP_UINT32,
  CHIP_UINT16,
  CHIP_INT8,
  CHIP_FP16,
  CHIP_TF32,
  CHIP_BFP8,
  CHIP_BFP4,
  CHIP_BFP2,
  CHIP_INT32SM, /* INT32 in sign and magnitude: what the matrix unit makes of INT8 */
  CHIP_FORMATS
};

#define CHIP_FORMAT_NAMES "bf16, fp32, tf32, fp16, bfp8, bfp4, bfp2, int32, int32sm, uint32, uint16, int8 and u8"

/* enum chip_format, or -1. */
int chip_format_number(const char *name);
const char *chip_format_name(unsigned format);
uint32_t chip_format_code(unsigned format); /* kernels/include/data_format.h */
/* Integers that the compute kernel holds in a 32-bit Dst. */
bool chip_format_is_wide_integer(unsigned format);
bool chip_format_is_integer(unsigned format);
bool chip_format_is_block(unsigned format);
/* Bytes of `elements` numbers; for a block format a multiple of 16. */
size_t chip_format_bytes(unsigned format, size_t elements);
/* The least and the largest integer that an integer format holds. */
void chip_format_range(unsigned format, double *least, double *most);

/* Converts `elements` numbers to bytes, rounded to nearest, ties to even; and back. */
void chip_format_encode(unsigned format, const double *values, uint32_t elements, uint8_t *bytes);
void chip_format_decode(unsigned format, const uint8_t *bytes, uint32_t elements, double *values);

/* Can a file of such numbers fill a tensor of the format? Float formats need floats (or words of 16 bits that hold
 * bfloat16), integer formats integers. */
bool chip_format_takes(unsigned format, const struct npy *n);
/* The type for npy_save, and the format of its bytes. */
const char *chip_format_saved(unsigned format, unsigned *as);

#endif
