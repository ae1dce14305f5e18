/* The products of chip_product.h. */
#include "cli/chip_product.h"

#include <stdint.h>
#include <string.h>

#define COLUMNS CHIP_BLOCK_COLUMNS
#define STRIPS CHIP_BLOCK_STRIPS
#define DEPTH CHIP_BLOCK_DEPTH

/* The sums of a row of the result in a strip, which stay in registers. */
struct sums {
  const double *factor; /* a row of the first operand */
  double sum[COLUMNS], size[COLUMNS];
};

/* Each sum grows by one product at a time, as in a loop over a single column: the result does not depend on the host. */
typedef double numbers __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t number_bits __attribute__((vector_size(32)));
#define LOW(array) (*(numbers *)&(array)[0])
#define HIGH(array) (*(numbers *)&(array)[COLUMNS / 2])
#define ADD(product, sum, size) (sum += (product), size += (numbers)((number_bits)(product)&INT64_MAX))
static inline __attribute__((always_inline)) void multiply_any(const double (*number)[COLUMNS], size_t depth, struct sums *a,
                                                               struct sums *b) {
  numbers a_low = LOW(a->sum), a_high = HIGH(a->sum), a_low_size = LOW(a->size), a_high_size = HIGH(a->size);
  numbers b_low = LOW(b->sum), b_high = HIGH(b->sum), b_low_size = LOW(b->size), b_high_size = HIGH(b->size);
  for (size_t k = 0; k < depth; k++) {
    const numbers low = *(const numbers *)&number[k][0], high = *(const numbers *)&number[k][COLUMNS / 2];
    numbers product = low * a->factor[k];
    ADD(product, a_low, a_low_size);
    product = high * a->factor[k];
    ADD(product, a_high, a_high_size);
    product = low * b->factor[k];
    ADD(product, b_low, b_low_size);
    product = high * b->factor[k];
    ADD(product, b_high, b_high_size);
  }
  LOW(a->sum) = a_low, HIGH(a->sum) = a_high, LOW(a->size) = a_low_size, HIGH(a->size) = a_high_size;
  LOW(b->sum) = b_low, HIGH(b->sum) = b_high, LOW(b->size) = b_low_size, HIGH(b->size) = b_high_size;
}

typedef void multiply_fn(const double (*number)[COLUMNS], size_t depth, struct sums *a, struct sums *b);
static void multiply_rows(const double (*number)[COLUMNS], size_t depth, struct sums *a, struct sums *b) {
  multiply_any(number, depth, a, b);
}

#if defined(__x86_64__)
/* AVX2 without FMA: the product is rounded before it is added. */
__attribute__((target("avx2"))) static void multiply_rows_avx2(const double (*number)[COLUMNS], size_t depth, struct sums *a,
                                                               struct sums *b) {
  multiply_any(number, depth, a, b);
}
#endif

static multiply_fn *best_multiply(void) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return multiply_rows_avx2;
#endif
  return multiply_rows;
}

/* Columns beyond the matrix stay zero. */
static void take_block(const struct chip_product *p, size_t row, size_t column, struct chip_block *b) {
  b->depth = p->inner - row < DEPTH ? p->inner - row : DEPTH;
  memset(b->number, 0, sizeof b->number);
  for (size_t k = 0; k < b->depth; k++)
    for (size_t i = 0; i < STRIPS && column + i * COLUMNS < p->columns; i++) {
      const size_t first = column + i * COLUMNS, left = p->columns - first;
      memcpy(b->number[i][k], &p->b[(row + k) * p->columns + first], (left < COLUMNS ? left : COLUMNS) * sizeof(double));
    }
}

/* A last row that is alone is computed twice. */
static void multiply_strip(const struct chip_product *p, const double (*number)[COLUMNS], size_t depth, size_t k,
                           size_t column) {
  multiply_fn *add = best_multiply();
  const size_t left = p->columns - column, bytes = (left < COLUMNS ? left : COLUMNS) * sizeof(double);
  for (size_t r = 0; r < p->rows; r += 2) {
    struct sums sums[2] = {{0}};
    size_t at[2];
    for (size_t i = 0; i < 2; i++) {
      const size_t one = r + i < p->rows ? r + i : r;
      at[i] = one * p->columns + column;
      sums[i].factor = &p->a[one * p->inner + k];
      memcpy(sums[i].sum, &p->want[at[i]], bytes);
      memcpy(sums[i].size, &p->scale[at[i]], bytes);
    }
    add(number, depth, &sums[0], &sums[1]);
    for (size_t i = 0; i < 2; i++) {
      memcpy(&p->want[at[i]], sums[i].sum, bytes);
      memcpy(&p->scale[at[i]], sums[i].size, bytes);
    }
  }
}

void chip_product_add(const struct chip_product *p, struct chip_block *block) {
  for (size_t column = 0; column < p->columns; column += STRIPS * COLUMNS)
    for (size_t k = 0; k < p->inner; k += DEPTH) {
      take_block(p, k, column, block);
      for (size_t i = 0; i < STRIPS && column + i * COLUMNS < p->columns; i++)
        multiply_strip(p, (const double(*)[COLUMNS])block->number[i], block->depth, k, column + i * COLUMNS);
    }
}
