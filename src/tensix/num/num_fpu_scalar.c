/* Whole instructions of the matrix unit, element by element (num_fpu_vec.h): the reference. */
#include "tensix/num/num_fpu_vec.h"

#include "tensix/num/prng.h"

static uint32_t load_element(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t dst) {
  if (!rows->defined[i]) return 0;
  bool wide = dst == NUM_FPU_DST_FP32 || dst == NUM_FPU_DST_INT32;
  return num_fpu_load(rows->high[i][column], wide ? rows->low[i][column] : 0, dst);
}

static void store_element(const struct num_fpu_rows *rows, unsigned i, unsigned column, uint32_t value, uint32_t dst) {
  uint32_t bits = num_fpu_store(value, dst);
  if (dst == NUM_FPU_DST_FP32 || dst == NUM_FPU_DST_INT32) {
    rows->high[i][column] = (uint16_t)(bits >> 16);
    rows->low[i][column] = (uint16_t)bits;
  } else {
    rows->high[i][column] = (uint16_t)bits;
  }
}

/* The mode of one element: with stochastic rounding each draws from its column's generator. */
static struct num_fpu_mode mode_of(const struct num_fpu_mode *common, uint32_t *prng, unsigned column) {
  struct num_fpu_mode mode = *common;
  if (mode.stochastic) mode.random = num_prng_next(&prng[column]);
  return mode;
}

static void dot_scalar(const struct num_fpu_dot_job *job) {
  for (unsigned i = 0; i < job->rows.count; i++) {
    for (unsigned column = 0; column < 16; column++) {
      uint32_t a[16];
      for (unsigned k = 0; k < 16; k++) a[k] = job->a[(job->row_a + k) & 63u][column];
      uint32_t dst = load_element(&job->rows, i, column, job->mode.dst);
      struct num_fpu_mode mode = mode_of(&job->mode, job->prng, column);
      uint32_t sum = num_fpu_dot(a, job->b[(job->row_b + i * job->step_b) & 63u], dst, &mode);
      store_element(&job->rows, i, column, sum, job->mode.dst);
    }
  }
}

static void dot_int_scalar(const struct num_fpu_dot_job *job) {
  uint32_t mask_a = num_fpu_int8_mask_a(job->mode.phase), mask_b = num_fpu_int8_mask_b(job->mode.phase);
  for (unsigned i = 0; i < job->rows.count; i++) {
    const uint32_t *b = job->b[(job->row_b + i * job->step_b) & 63u];
    for (unsigned column = 0; column < 16; column++) {
      int64_t sum = 0;
      for (unsigned k = 0; k < 16; k++)
        sum += num_fpu_int8(job->a[(job->row_a + k) & 63u][column], mask_a, false) *
               num_fpu_int8(b[k], mask_b, job->mode.keep_b);
      uint32_t dst = load_element(&job->rows, i, column, NUM_FPU_DST_INT32);
      store_element(&job->rows, i, column, num_fpu_add_int32(sum, dst), NUM_FPU_DST_INT32);
    }
  }
}

static void elementwise_scalar(const struct num_fpu_elementwise_job *job) {
  for (unsigned i = 0; i < job->rows.count; i++) {
    for (unsigned column = 0; column < 16; column++) {
      uint32_t a = job->a[i][column], b = job->b[i * job->step_b][job->column0 ? 0 : column];
      uint32_t dst = job->accumulate ? load_element(&job->rows, i, column, job->mode.dst) : 0;
      struct num_fpu_mode mode = mode_of(&job->mode, job->prng, column);
      uint32_t value =
          job->op == NUM_FPU_MUL ? num_fpu_mul(a, b, dst, &mode) : num_fpu_add(a, b, job->op == NUM_FPU_SUB, dst, &mode);
      store_element(&job->rows, i, column, value, job->mode.dst);
    }
  }
}

static void elementwise_int_scalar(const struct num_fpu_elementwise_job *job) {
  bool mul = job->op == NUM_FPU_MUL;
  uint32_t mask_a = mul ? num_fpu_int8_mask_a(job->mode.phase) : 0x3ffu;
  uint32_t mask_b = mul ? num_fpu_int8_mask_b(job->mode.phase) : 0x3ffu;
  for (unsigned i = 0; i < job->rows.count; i++) {
    for (unsigned column = 0; column < 16; column++) {
      int32_t a = num_fpu_int8(job->a[i][column], mask_a, false);
      int32_t b = num_fpu_int8(job->b[i * job->step_b][job->column0 ? 0 : column], mask_b, job->mode.keep_b);
      int32_t result = mul ? a * b : job->op == NUM_FPU_SUB ? a - b : a + b;
      uint32_t dst = job->accumulate ? load_element(&job->rows, i, column, NUM_FPU_DST_INT32) : 0;
      store_element(&job->rows, i, column, num_fpu_add_int32(result, dst), NUM_FPU_DST_INT32);
    }
  }
}

const struct num_fpu_ops num_fpu_scalar = {.name = "scalar",
                                           .dot = dot_scalar,
                                           .dot_int = dot_int_scalar,
                                           .elementwise = elementwise_scalar,
                                           .elementwise_int = elementwise_int_scalar};
