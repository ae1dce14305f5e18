/* Whole instructions of the matrix unit, in several versions: the scalar reference and one per vector width. All compute the
 * same bits; a test compares them. The caller selects a table once. */
#ifndef TESSERA_NUM_FPU_VEC_H
#define TESSERA_NUM_FPU_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tensix/num/num_fpu.h"

#define NUM_FPU_GROUP 8u /* rows of SrcB; an instruction uses rows of one group only */
#define NUM_FPU_PAIRS 40 /* pairs of rows of SrcA: 32, and the first eight again, so that 16 rows never wrap */

/* A SrcA bank decoded for dot products. Rows are paired, because two 16-bit products share a 32-bit lane: exp[row /
 * 2][2 * column + (row & 1)]. sig[0] and sig[1] are the slices of even and odd fidelity phases; the sign is 0 or -2. */
struct num_fpu_bank_a {
  int16_t exp[NUM_FPU_PAIRS][32];
  int16_t sig[2][NUM_FPU_PAIRS][32];
  int16_t sign[NUM_FPU_PAIRS][32];
};

/* A SrcB bank, row by row: slices doubled (the vector code rounds by halving), sig[0] for phases 0 and 1, sig[1] for 2
 * and 3; the sign is 1 or -1, so that sign of SrcA ^ sign of SrcB is 1 or -1. */
struct num_fpu_bank_b {
  int16_t exp[64][16];
  int16_t sig[2][64][16];
  int16_t sign[64][16];
};

/* Up to eight rows of Dst. `low` is used in the 32-bit view only; undefined rows read as 0. */
struct num_fpu_rows {
  uint16_t *high[8];
  uint16_t *low[8];
  uint8_t defined[8];
  uint32_t count;
};

struct num_fpu_dot_job {
  struct num_fpu_mode mode;
  const uint32_t (*a)[16]; /* the whole SrcA bank, raw and decoded: the reference uses one, vector code the other */
  const uint32_t (*b)[16];
  const struct num_fpu_bank_a *bank_a;
  const struct num_fpu_bank_b *bank_b;
  uint32_t row_a; /* even; 16 rows from here, wrapping at 64 */
  uint32_t row_b;
  uint32_t step_b; /* 1, or 0 to use one row of SrcB for all rows of Dst */
  uint32_t *prng;  /* stochastic rounding: a generator for each column (scalar version only) */
  struct num_fpu_rows rows;
};

enum num_fpu_op { NUM_FPU_MUL, NUM_FPU_ADD, NUM_FPU_SUB };

struct num_fpu_elementwise_job {
  struct num_fpu_mode mode;
  enum num_fpu_op op;
  bool accumulate;
  bool column0; /* column 0 of SrcB for all columns */
  uint32_t *prng;
  const uint32_t (*a)[16]; /* contiguous rows */
  const uint32_t (*b)[16];
  uint32_t step_b; /* 1, or 0 to use one row of SrcB for all rows of Dst */
  struct num_fpu_rows rows;
};

/* MOVA2D, MOVB2D: whole rows of 16-bit datums into the high halves. */
struct num_fpu_to_dst_job {
  const uint32_t (*from)[16]; /* contiguous rows */
  uint32_t step;              /* 1, or 0 to use one row for all */
  uint32_t mask;              /* bits of the source datum that are used */
  bool column0;               /* column 0 for all columns */
  bool flush;                 /* exponent 0 is zero */
  bool exp8;
  struct num_fpu_rows rows;
};

/* MOVD2A, MOVD2B: rows of the 16-bit view. */
struct num_fpu_from_dst_job {
  uint32_t (*to)[16];
  bool exp8;
  struct num_fpu_rows rows;
};

/* GMPOOL of floating-point numbers without argmax: the maximum of row 0 and of 16 scaled rows of SrcA goes to row 0, zeros to the
 * others. */
struct num_fpu_pool_job {
  const uint32_t (*a)[16]; /* the 16 rows */
  const uint32_t *b;       /* the row whose exponents scale them */
  uint32_t mask_a;         /* mantissa bits of SrcA that are used, of ten */
  uint32_t dst;            /* NUM_FPU_DST_BF16, NUM_FPU_DST_FP16, or NUM_FPU_DST_FP32 for TF32 in the 32-bit view */
  bool exp8;
  struct num_fpu_rows rows;
};

struct num_fpu_ops {
  const char *name;
  bool uses_banks; /* requires bank_a and bank_b */
  void (*decode_a)(const uint32_t datum[64][16], uint32_t mask, struct num_fpu_bank_a *out);
  /* NUM_FPU_GROUP rows from `row` on: a pool uses the same few of them for all rows of SrcA. */
  void (*decode_b)(const uint32_t datum[64][16], unsigned row, uint32_t mask, bool keep, struct num_fpu_bank_b *out);
  void (*dot)(const struct num_fpu_dot_job *job);
  void (*dot_int)(const struct num_fpu_dot_job *job);
  void (*elementwise)(const struct num_fpu_elementwise_job *job);
  void (*elementwise_int)(const struct num_fpu_elementwise_job *job);
  /* NULL in the scalar version: the loops of the instructions are the reference. */
  void (*to_dst)(const struct num_fpu_to_dst_job *job);
  /* The most common case of to_dst and from_dst: four or eight rows that follow each other, with exponents of eight bits. */
  void (*to_rows)(const uint32_t (*from)[16], uint16_t (*to)[16], unsigned rows, bool flush);
  void (*from_rows)(const uint16_t (*from)[16], uint32_t (*to)[16], unsigned rows);
  void (*from_dst)(const struct num_fpu_from_dst_job *job);
  void (*pool)(const struct num_fpu_pool_job *job);
};

extern const struct num_fpu_ops num_fpu_scalar;
extern const struct num_fpu_ops num_fpu_baseline;
#if defined(__x86_64__)
extern const struct num_fpu_ops num_fpu_avx2;
extern const struct num_fpu_ops num_fpu_avx512;
extern const struct num_fpu_ops num_fpu_avx512vnni;
#endif

/* The fastest version for this machine. */
const struct num_fpu_ops *num_fpu_best(void);
/* All versions that this machine supports, the reference first; NULL after the last. */
const struct num_fpu_ops *num_fpu_nth(size_t n);

#endif
