/* Data formats of buffers in L1 and their conversions by the unpackers, the matrix unit and the packer.
 * Codes: as in the vendor's tensix_types.h; conversions: Unpackers/FormatConversion.md and Packers/FormatConversion.md. */
#ifndef TENSIX_DATA_FORMAT_H
#define TENSIX_DATA_FORMAT_H

#include <stdint.h>

#include "tensix_io.h"

enum data_format {
  DATA_FORMAT_FLOAT32 = 0, /* 32 bits in L1; SrcA and SrcB hold it as TF32 */
  DATA_FORMAT_FLOAT16 = 1,
  DATA_FORMAT_BFP8_A = 2,
  DATA_FORMAT_BFP4_A = 3,
  DATA_FORMAT_TF32 = 4, /* L1 holds it as FLOAT32 */
  DATA_FORMAT_BFLOAT16 = 5,
  DATA_FORMAT_BFP8 = 6,
  DATA_FORMAT_BFP4 = 7,
  DATA_FORMAT_INT32 = 8,
  DATA_FORMAT_UINT16 = 9,
  DATA_FORMAT_FP8 = 10, /* E5M2 */
  DATA_FORMAT_BFP2_A = 11,
  DATA_FORMAT_INT8 = 14,
  DATA_FORMAT_BFP2 = 15,
  DATA_FORMAT_UINT8 = 30, /* INT8 without a sign: the unpackers and the packer have a flag for it */
};

#define TILE_ROWS 32u
#define TILE_COLUMNS 32u
#define FACE_ROWS 16u
#define FACE_COLUMNS 16u
#define TILE_FACES 4u

TT_INLINE uint32_t format_is_bfp(uint32_t format) {
  return format == DATA_FORMAT_BFP8 || format == DATA_FORMAT_BFP4 || format == DATA_FORMAT_BFP2 ||
         format == DATA_FORMAT_BFP8_A || format == DATA_FORMAT_BFP4_A || format == DATA_FORMAT_BFP2_A;
}

/* A 32x32 tile in L1. Block formats: 64 exponents (one per row of a face), then the mantissas. 0: no such format. */
TT_INLINE uint32_t format_tile_bytes(uint32_t format) {
  switch (format) {
    case DATA_FORMAT_FLOAT32:
    case DATA_FORMAT_TF32:
    case DATA_FORMAT_INT32: return 4096;
    case DATA_FORMAT_FLOAT16:
    case DATA_FORMAT_BFLOAT16:
    case DATA_FORMAT_UINT16: return 2048;
    case DATA_FORMAT_FP8:
    case DATA_FORMAT_INT8:
    case DATA_FORMAT_UINT8: return 1024;
    case DATA_FORMAT_BFP8:
    case DATA_FORMAT_BFP8_A: return 64 + 1024;
    case DATA_FORMAT_BFP4:
    case DATA_FORMAT_BFP4_A: return 64 + 512;
    case DATA_FORMAT_BFP2:
    case DATA_FORMAT_BFP2_A: return 64 + 256;
    default: return 0;
  }
}

/* The code in the tile descriptor: TF32 is stored in L1 as FLOAT32. */
TT_INLINE uint32_t format_in_l1(uint32_t format) {
  if (format == DATA_FORMAT_UINT8) return DATA_FORMAT_INT8;
  return format == DATA_FORMAT_TF32 ? (uint32_t)DATA_FORMAT_FLOAT32 : format;
}

/* The unpacker's output format for SrcA and SrcB. FLOAT32 becomes TF32 with a 32-bit Dst, BFLOAT16 with a 16-bit one. */
TT_INLINE uint32_t format_in_src(uint32_t format, uint32_t dst_32b) {
  if (format == DATA_FORMAT_TF32) return DATA_FORMAT_TF32;
  if (format == DATA_FORMAT_FLOAT32) return dst_32b ? DATA_FORMAT_TF32 : DATA_FORMAT_BFLOAT16;
  return format_in_l1(format);
}

/* The format for MOVA2D, MOVB2D and MOVD2B: with TF32 in a source register they treat Dst as 32 bits wide. */
TT_INLINE uint32_t format_of_moves(uint32_t format) {
  return format == DATA_FORMAT_TF32 ? (uint32_t)DATA_FORMAT_FLOAT32 : format;
}

TT_INLINE uint32_t format_is_int8(uint32_t format) { return format == DATA_FORMAT_INT8 || format == DATA_FORMAT_UINT8; }

/* What Dst holds: floats; 32-bit integers in two's complement, as INT32 in L1; 16 bits that SrcA and Dst transfer as they are; 32-bit
 * integers in sign and magnitude, as the matrix unit makes them of INT8 (Dst.md). A 32-bit Dst has UINT16 in both halves of a number: the
 * vector unit reads the lower one, the packer the upper one. */
enum dst_kind { DST_FLOATS = 0, DST_INTEGERS = 1, DST_UINT16 = 2, DST_SIGNED = 3 };
TT_INLINE uint32_t format_kind(uint32_t format) {
  if (format == DATA_FORMAT_UINT16) return DST_UINT16;
  if (format_is_int8(format)) return DST_SIGNED;
  return format == DATA_FORMAT_INT32 ? DST_INTEGERS : DST_FLOATS;
}

/* Five exponent bits in the registers: FLOAT16 and what unpacks to it. */
TT_INLINE uint32_t format_is_a(uint32_t format) {
  return format == DATA_FORMAT_FLOAT16 || format == DATA_FORMAT_FP8 || format == DATA_FORMAT_BFP8_A ||
         format == DATA_FORMAT_BFP4_A || format == DATA_FORMAT_BFP2_A;
}

#endif
