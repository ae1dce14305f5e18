/* The expected contents of L1 after a kernel, computed independently: tiles are unpacked, multiplied in the order of the documents'
 * tables and packed with the scalar routines of src/tensix/num, which do not depend on address modes, MOPs or configuration words. */
#ifndef TESSERA_TESTS_GOLDEN_H
#define TESSERA_TESTS_GOLDEN_H

#include <string.h>

#include "tensix/num/format_pack.h"
#include "tensix/num/num_fpu.h"

#define GOLDEN_TILE_ROWS 64u /* four faces of 16 rows */

struct golden_src {
  uint32_t datum[GOLDEN_TILE_ROWS][16];
};
struct golden_dst {
  uint32_t value[GOLDEN_TILE_ROWS][16]; /* as num_fpu_load returns them */
};

static inline unsigned golden_tile_bytes(unsigned format) {
  return 1024 * num_format_bits(format) / 8 + (num_format_is_block(format) ? 64 : 0);
}

/* The format a buffer's tiles have in SrcA and SrcB. */
static inline unsigned golden_src_format(unsigned format, bool wide) {
  return format == NUM_FP32 ? (wide ? NUM_TF32 : NUM_BF16) : format;
}

static inline void golden_unpack(unsigned format, bool wide, const uint8_t *tile, struct golden_src *src) {
  struct num_unpack how = {.in = (uint8_t)(format == NUM_TF32 ? NUM_FP32 : format),
                           .out = (uint8_t)golden_src_format(format, wide)};
  const uint8_t *exponents = tile;
  if (num_format_is_block(format)) tile += 64;
  num_unpack_rows(&how, tile, exponents, 1, GOLDEN_TILE_ROWS, src->datum);
}

static inline bool golden_is_fp16(unsigned format) {
  return format == NUM_FP16 || format == NUM_FP8 || format == NUM_BFP8A || format == NUM_BFP4A || format == NUM_BFP2A;
}

static inline struct num_fpu_mode golden_mode(unsigned a, unsigned b, bool wide, unsigned phase) {
  struct num_fpu_mode m = {.phase = phase, .exp8 = !golden_is_fp16(a)};
  m.mask_a = golden_is_fp16(a)                        ? NUM_FPU_SRC_FP16
             : golden_src_format(a, wide) == NUM_TF32 ? NUM_FPU_SRC_TF32
                                                      : NUM_FPU_SRC_BF16;
  m.mask_b = golden_is_fp16(b)                        ? NUM_FPU_SRC_FP16
             : golden_src_format(b, wide) == NUM_TF32 ? NUM_FPU_SRC_TF32
                                                      : NUM_FPU_SRC_BF16;
  m.dst = a == NUM_INT8       ? NUM_FPU_DST_INT32
          : wide              ? NUM_FPU_DST_FP32
          : golden_is_fp16(a) ? NUM_FPU_DST_FP16
                              : NUM_FPU_DST_BF16;
  m.bias = num_fpu_bias(&m);
  return m;
}

static inline uint32_t golden_dot_int8(const uint32_t a[16], const uint32_t b[16], uint32_t dst, unsigned phase) {
  int64_t sum = 0;
  for (unsigned k = 0; k < 16; k++)
    sum += (int64_t)num_fpu_int8(a[k], num_fpu_int8_mask_a(phase), false) *
           num_fpu_int8(b[k], num_fpu_int8_mask_b(phase), false);
  return num_fpu_add_int32(sum, dst);
}

/* Dst face (i, j) += in0 face (i, k) x in1 face (k, j), phase by phase, k = 0 before k = 1. in1 is what MVMUL calls SrcA. */
static inline void golden_matmul(unsigned format0, unsigned format1, bool wide, unsigned fidelity,
                                 const struct golden_src *in0, const struct golden_src *in1, struct golden_dst *dst) {
  for (unsigned phase = 0; phase < (fidelity ? fidelity : 1); phase++) {
    struct num_fpu_mode mode = golden_mode(format1, format0, wide, phase);
    for (unsigned k = 0; k < 2; k++)
      for (unsigned row = 0; row < 64; row++)
        for (unsigned column = 0; column < 16; column++) {
          unsigned i = row / 32, j = row / 16 % 2;
          uint32_t a[16], b[16];
          for (unsigned n = 0; n < 16; n++) {
            a[n] = in1->datum[16 * (2 * k + j) + n][column];
            b[n] = in0->datum[16 * (2 * i + k) + row % 16][n];
          }
          uint32_t *d = &dst->value[row][column];
          *d = format0 == NUM_INT8 ? golden_dot_int8(a, b, *d, phase) : num_fpu_dot(a, b, *d, &mode);
        }
  }
}

/* Dst to a tile in L1. relu: mode and threshold of the packer, 0: none. */
static inline bool golden_pack(unsigned in, unsigned out, bool wide, unsigned relu, const struct golden_dst *dst,
                               uint8_t *tile) {
  struct num_fpu_mode mode = golden_mode(in, in, wide, 0);
  unsigned from = in == NUM_INT8    ? NUM_INT32
                  : !wide           ? (golden_is_fp16(in) ? NUM_FP16 : NUM_BF16)
                  : out == NUM_BF16 ? NUM_BF16
                  : out == NUM_FP16 ? NUM_FP16
                                    : NUM_FP32;
  struct num_pack_request request = {.wide = wide,
                                     .round10 = wide && from == NUM_FP16,
                                     .intermediate = (uint8_t)from,
                                     .from = (uint8_t)from,
                                     .to = (uint8_t)(out == NUM_TF32 ? NUM_FP32 : out)};
  struct num_pack how;
  if (!num_pack_make(&request, &how)) return false;
  uint8_t *exponents = tile;
  if (how.block) tile += 64;
  for (unsigned row = 0; row < 64; row++) {
    uint16_t high[16], low[16];
    for (unsigned i = 0; i < 16; i++) {
      uint32_t stored = num_fpu_store(dst->value[row][i], mode.dst);
      high[i] = (uint16_t)(wide ? stored >> 16 : stored);
      low[i] = (uint16_t)stored;
    }
    union num_pack_row intermediate;
    uint8_t bytes[NUM_PACK_ROW_BYTES];
    num_pack_early(&how, high, low, &intermediate);
    if (!num_pack_relu(&how, relu, 0, &intermediate)) return false;
    if (how.block) exponents[row] = num_pack_block(&how, &intermediate, 16, bytes);
    else num_pack_late(&how, &intermediate, bytes);
    memcpy(tile + row * 2 * how.bits, bytes, 2 * (size_t)how.bits);
  }
  return true;
}

#endif
