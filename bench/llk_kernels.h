/* The kernels of tests/llk-like as the benches run them: their formats, buffers and contents. */
#ifndef TESSERA_BENCH_LLK_KERNELS_H
#define TESSERA_BENCH_LLK_KERNELS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "../kernels/include/launch.h"

#define LLK_BF16 5u
#define LLK_INT32 8u
#define LLK_BUFFER_BYTES 0x10000u

struct llk_kernel {
  const char *name;
  unsigned format, tiles; /* tiles: of one pass */
};

static const struct llk_kernel llk_kernels[] = {
    {"matmul_lofi", LLK_BF16, 32},    {"matmul_hifi4", LLK_BF16, 32},   {"eltwise_add", LLK_BF16, 8},
    {"eltwise_mul_col", LLK_BF16, 8}, {"eltwise_add_row", LLK_BF16, 8}, {"sfpu_exp", LLK_BF16, 8},
    {"sfpu_typecast", LLK_BF16, 8},   {"reduce_col", LLK_BF16, 8},      {"reduce_row", LLK_BF16, 8},
    {"transpose", LLK_BF16, 8},       {"tilize", LLK_BF16, 8},          {"untilize", LLK_BF16, 8},
    {"pack_untilize", LLK_BF16, 16},  {"datacopy", LLK_BF16, 8},        {"int32_add", LLK_INT32, 8},
};
#define LLK_KERNELS (sizeof llk_kernels / sizeof llk_kernels[0])

/* Addresses of the buffers, their initial contents, and the number of passes over them. */
static inline void llk_describe(const struct llk_kernel *k, unsigned loops, struct launch *l) {
  memset(l, 0, sizeof *l);
  for (unsigned i = 0; i < 3; i++)
    l->buffer[i == 2 ? 16 : i] = (struct launch_buffer){
        LAUNCH_HEAP + i * LLK_BUFFER_BYTES, k->format == LLK_INT32 ? 4096 : 2048, LLK_BUFFER_BYTES / 4096, k->format};
  l->args[0] = loops;
  l->go = RUN_SYNC_MSG_GO;
}

static inline void llk_fill(const struct llk_kernel *k, unsigned buffer, uint16_t to[LLK_BUFFER_BYTES / 2]) {
  bool scaler = buffer == 1 && strncmp(k->name, "reduce", 6) == 0;
  for (unsigned i = 0; i < LLK_BUFFER_BYTES / 2; i++)
    to[i] =
        scaler ? (i % 256 < 16 ? 0x3f80u : 0) : (uint16_t)((k->format == LLK_INT32 ? 0x20u : 0x3f00u) + (i * 37u) % 256u);
}

#endif
