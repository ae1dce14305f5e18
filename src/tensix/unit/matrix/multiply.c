/* Arithmetic onto Dst: MVMUL, DOTPV, GAPOOL; ELWADD, ELWSUB, ELWMUL.
 * ISA: MVMUL.md, DOTPV.md, GAPOOL.md, ELWADD.md, ELWSUB.md, ELWMUL.md; rows as in docs/evidence/errata.md A12, A27. */
#include "tensix/num/prng.h"
#include "tensix/unit/matrix/access.h"

static uint64_t row_bits(uint32_t first, uint32_t count) {
  uint64_t bits = (UINT64_C(1) << count) - 1;
  return bits << first | (first ? bits >> (64 - first) : 0); /* rows wrap at 64 */
}

/* Only the scalar version supports stochastic rounding. Inferred: there is a generator for each column, and each row draws
 * in turn; SoftReset.md only states that the matrix unit has generators. */
static const struct num_fpu_ops *ops_for(struct tx_tile *t, const struct tx_matrix_setup *setup) {
  struct tx_matrix *m = &t->matrix;
  if (!setup->stochastic) return tx_matrix_ops(t);
  if (m->seedings != t->config.prng_seedings) num_prng_seed(m->prng, 16, t->config.prng_seed);
  m->seedings = t->config.prng_seedings;
  tx_diag(t, TX_DIAG_STOCHASTIC_INFERRED, "matrix unit");
  return &num_fpu_scalar;
}

static inline void use_rows(struct tx_tile *t, const struct tx_dst_request *request, struct tx_cost *cost,
                            struct num_fpu_rows *rows) {
  if (request->step != 1 || !tx_matrix_use_alike(t, request, cost, rows)) tx_matrix_use_rows(t, request, cost, rows);
}

/* --- dot products --- */

struct dot_shape {
  uint32_t rows;      /* of Dst */
  uint32_t dst_mask;  /* alignment of its row */
  uint32_t dst_step;  /* rows to the next: 2 when one row of SrcB is broadcast */
  uint32_t dst_align; /* required alignment of the row */
  bool broadcast;
};

static const struct dot_shape mvmul = {8, 0x3f8, 1, 8, false};
static const struct dot_shape mvmul_broadcast = {4, 0x3f9, 2, 1, true}; /* rows 0, 2, 4, 6: docs/evidence/errata.md A12 */
static const struct dot_shape gapool = {4, 0x3fc, 1, 4, false};

static void dot_product(struct tx_tile *t, unsigned thread, uint32_t dst, uint32_t clear_dvalid, uint32_t addr_mode,
                        const struct dot_shape *shape, struct tx_cost *cost) {
  const struct tx_matrix_known *known = tx_matrix_know(t, thread);
  if (!known) return;
  const struct tx_matrix_setup setup = known->setup;
  struct num_fpu_dot_job job; /* without an initializer: use_rows sets its rows */
  job.mode = known->mode;
  job.step_b = !shape->broadcast;
  job.prng = t->matrix.prng;
  job.row_a = tx_matrix_src_row(t, TX_SRCA, t->rwc[thread].srca, 0x30, 16); /* a card: docs/evidence/errata.md A27 */
  job.row_b = tx_matrix_src_row(t, TX_SRCB, t->rwc[thread].srcb, shape->broadcast ? 0x3f : 0x38, shape->broadcast ? 1 : 8);
  uint32_t row = tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, dst), shape->dst_mask, shape->dst_align);
  tx_matrix_check_data(t, &setup, row_bits(job.row_a, 16), row_bits(job.row_b, shape->broadcast ? 1 : shape->rows));
  struct tx_dst_request request = {row, shape->dst_step, shape->rows, setup.wide, TX_DST_READS | TX_DST_WRITES};
  use_rows(t, &request, cost, &job.rows);
  job.a = (const uint32_t(*)[16])tx_matrix_bank(t, TX_SRCA)->datum;
  job.b = (const uint32_t(*)[16])tx_matrix_bank(t, TX_SRCB)->datum;
  const struct num_fpu_ops *ops = ops_for(t, &setup);
  if (setup.style == TX_STYLE_INT8) {
    ops->dot_int(&job);
  } else {
    job.bank_a = ops->uses_banks ? tx_matrix_bank_a(t, &job.mode) : NULL;
    job.bank_b = ops->uses_banks ? tx_matrix_bank_b(t, &job.mode, job.row_b) : NULL;
    ops->dot(&job);
  }
  tx_matrix_finish(t, thread, clear_dvalid, addr_mode, cost);
}

void tx_exec_MVMUL(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  bool broadcast = TX_FIELD(word, MVMUL, instr_mod19);
  if (broadcast) tx_diag(t, TX_DIAG_UNTESTED_MODE, "MVMUL with a broadcast row of SrcB");
  dot_product(t, thread, TX_FIELD(word, MVMUL, dst), TX_FIELD(word, MVMUL, clear_dvalid), TX_FIELD(word, MVMUL, addr_mode),
              broadcast ? &mvmul_broadcast : &mvmul, cost);
}

void tx_exec_DOTPV(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  dot_product(t, thread, TX_FIELD(word, DOTPV, dst), TX_FIELD(word, DOTPV, clear_dvalid), TX_FIELD(word, DOTPV, addr_mode),
              &mvmul, cost);
}

void tx_exec_GAPOOL(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (TX_FIELD(word, GAPOOL, instr_mod19) != 1 || TX_FIELD(word, GAPOOL, max_pool_index_en))
    tx_diag(t, TX_DIAG_UNTESTED_MODE, "GAPOOL: instr_mod19 %u, max_pool_index_en %u", TX_FIELD(word, GAPOOL, instr_mod19),
            TX_FIELD(word, GAPOOL, max_pool_index_en));
  dot_product(t, thread, TX_FIELD(word, GAPOOL, dst), TX_FIELD(word, GAPOOL, clear_dvalid),
              TX_FIELD(word, GAPOOL, pool_addr_mode), &gapool, cost);
}

/* --- element by element --- */

enum { BROADCAST_COLUMN0 = 1, BROADCAST_ROW = 2 };

static void elementwise(struct tx_tile *t, unsigned thread, uint32_t word, enum num_fpu_op op, struct tx_cost *cost) {
  const struct tx_matrix_known *known = tx_matrix_know(t, thread);
  if (!known) return;
  const struct tx_matrix_setup setup = known->setup;
  uint32_t broadcast = TX_FIELD(word, ELWADD, instr_mod19);
  bool one_row = broadcast & BROADCAST_ROW;
  struct num_fpu_elementwise_job job; /* without an initializer: use_rows sets its rows */
  job.mode = known->mode;
  job.op = op;
  job.accumulate = op == NUM_FPU_MUL || TX_FIELD(word, ELWADD, dest_accum_en);
  job.column0 = broadcast & BROADCAST_COLUMN0;
  job.prng = t->matrix.prng;
  job.step_b = !one_row;
  uint32_t row_a = tx_matrix_src_row(t, TX_SRCA, t->rwc[thread].srca, 0x38, 8);
  uint32_t row_b = tx_matrix_src_row(t, TX_SRCB, t->rwc[thread].srcb, one_row ? 0x3f : 0x38, one_row ? 1 : 8);
  uint32_t row = tx_matrix_dst_aligned(t, tx_matrix_dst_row(t, thread, TX_FIELD(word, ELWADD, dst)), 0x3f8, 8);
  if (op != NUM_FPU_MUL && setup.phase && setup.style != TX_STYLE_INT8)
    tx_diag(t, TX_DIAG_FIDELITY_IN_ADD, "phase %u divides the sum by %u", setup.phase,
            (setup.phase & 1u ? 32u : 1u) * (setup.phase & 2u ? 128u : 1u));
  tx_matrix_check_data(t, &setup, row_bits(row_a, 8), row_bits(row_b, one_row ? 1 : 8));
  struct tx_dst_request request = {row, 1, 8, setup.wide, TX_DST_WRITES | (job.accumulate ? TX_DST_READS : 0u)};
  use_rows(t, &request, cost, &job.rows);
  job.a = (const uint32_t(*)[16]) & tx_matrix_bank(t, TX_SRCA)->datum[row_a];
  job.b = (const uint32_t(*)[16]) & tx_matrix_bank(t, TX_SRCB)->datum[row_b];
  const struct num_fpu_ops *ops = ops_for(t, &setup);
  if (setup.style == TX_STYLE_INT8) ops->elementwise_int(&job);
  else ops->elementwise(&job);
  tx_matrix_finish(t, thread, TX_FIELD(word, ELWADD, clear_dvalid), TX_FIELD(word, ELWADD, addr_mode), cost);
}

/* The three have one layout of fields. */
_Static_assert((int)TX_ELWADD_dst_LO == (int)TX_ELWMUL_dst_LO &&
                   (int)TX_ELWADD_addr_mode_LO == (int)TX_ELWMUL_addr_mode_LO &&
                   (int)TX_ELWADD_instr_mod19_LO == (int)TX_ELWMUL_instr_mod19_LO &&
                   (int)TX_ELWADD_dest_accum_en_LO == (int)TX_ELWSUB_dest_accum_en_LO &&
                   (int)TX_ELWADD_clear_dvalid_LO == (int)TX_ELWSUB_clear_dvalid_LO,
               "ELWADD, ELWSUB and ELWMUL share their layout");

void tx_exec_ELWADD(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  elementwise(t, thread, word, NUM_FPU_ADD, cost);
}

void tx_exec_ELWSUB(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  elementwise(t, thread, word, NUM_FPU_SUB, cost);
}

void tx_exec_ELWMUL(struct tx_tile *t, unsigned thread, uint32_t word, struct tx_cost *cost) {
  if (TX_FIELD(word, ELWMUL, dest_accum_en)) tx_diag(t, TX_DIAG_ELWMUL_ACCUM, "ELWMUL accumulates in any case");
  elementwise(t, thread, word, NUM_FPU_MUL, cost);
}
