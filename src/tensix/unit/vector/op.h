/* Inside the vector unit: decoding, what an instruction reads and writes, and the context in which one executes. */
#ifndef TESSERA_TENSIX_VECTOR_OP_H
#define TESSERA_TENSIX_VECTOR_OP_H

#include "tensix/tile/tile.h"
#include "tensix/unit/vector/vector.h"

/* An instruction that executes. Everything it reads is as it was at the start of the cycle. */
struct tx_vexec {
  struct tx_tile *t;
  struct tx_vector *v;
  const struct tx_vop *op;
  const tx_row *in;              /* LRegs to read from */
  const tx_row *in_late;         /* SFPSWAP's second cycle */
  const struct tx_lane_ops *ops; /* the lanes' arithmetic */
  struct tx_flags flags;         /* before */
  uint32_t lanes;   /* lanes in which the instruction exists: all but where it loads a template or a macro differs */
  uint32_t enabled; /* of those, the lanes that LaneEnabled lets write */
  unsigned thread;
  uint16_t address; /* scheduled SFPSTORE */
  bool scheduled;   /* by SFPLOADMACRO */
};

typedef void tx_vector_fn(struct tx_vexec *x);

/* What the unit knows about an opcode. */
struct tx_vector_op {
  tx_vector_fn *run;
  uint8_t sub_unit;
  uint8_t format;     /* enum tx_vop_format */
  uint8_t has_vb : 1; /* the encoding names VB */
  uint8_t has_vc : 1;
  uint8_t two_cycles : 1; /* result in the cycle after next */
};

extern const struct tx_vector_op tx_vector_ops[256];

struct tx_vop tx_vop_decode(uint32_t word); /* as encoded */
void tx_vop_settle(struct tx_vop *op);      /* VB = VD and the like, for instructions that software issues */
uint32_t tx_vop_reads(const struct tx_vop *op, const tx_row *regs);  /* LRegs it reads in its first cycle, a bit each */
uint32_t tx_vop_known_reads(const struct tx_vop *op, uint32_t word); /* what the stall logic believes it reads */
uint32_t tx_vop_writes(const struct tx_vop *op, const tx_row *regs); /* LRegs a two-cycle instruction writes */
uint32_t tx_vop_known_writes(const struct tx_vop *op);
bool tx_vop_blocks_next(const struct tx_vop *op); /* after it only SFPNOP: SFPSWAP, lane moves of SFPSHFT2 */

static inline struct tx_hidden *tx_hidden_of(struct tx_vector *v, sim_time at) { return &v->hidden[at & 1u]; }

/* The row to write LReg `index` in, NULL when it cannot be written. A result of one cycle that lands before an earlier
 * started one of two cycles goes into what that one hides. */
static inline uint32_t *tx_vector_out(struct tx_vexec *x, unsigned index) {
  if (index >= 8 && index != TX_LREG_STAGING) return NULL;
  struct tx_hidden *h = tx_hidden_of(x->v, tx_now(x->t));
  x->v->unread |= 1u << index;
  x->v->written |= 1u << index;
  if (h->at != tx_now(x->t) || !(h->rows >> index & 1u) || x->op->two_cycles) return x->v->lreg[index];
  h->fresh_rows |= 1u << index;
  return h->old[index];
}
/* LReg[VD] = lanes' operation, in the enabled lanes. b and c come from VB and VC. */
void tx_vector_lanes(struct tx_vexec *x, enum tx_lane_op op, uint32_t i, uint32_t j);
uint32_t tx_vector_bits(struct tx_vexec *x, enum tx_lane_op op, const uint32_t *b, const uint32_t *c, uint32_t i);
void tx_vector_set_flags(struct tx_vexec *x, uint32_t lanes, uint32_t flags);
/* The random words of the lanes; the generator moves on in the lanes of the mask. */
void tx_vector_random(struct tx_vexec *x, uint32_t mask, uint32_t words[TX_LANES]);

/* Lanes in whose column the LaneConfig bit is set. */
uint32_t tx_vector_config_lanes(const struct tx_vector *v, uint32_t bit);
uint32_t tx_vector_enabled(const struct tx_vector *v, const struct tx_flags *flags);
static inline uint32_t tx_column_lanes(uint32_t columns) { return columns * 0x01010101u; }

/* Dst address of a load or store, with its side effect on the stack pointer; steps RWCs when asked. (loadstore.c) */
uint16_t tx_vector_load(struct tx_vexec *x);

/* Bookkeeping of SFPLOADMACRO (macro.c): an instruction was issued; one starts to execute. */
void tx_macro_instruction_issued(struct tx_tile *t);
void tx_macro_schedule(struct tx_vexec *x, uint32_t word, uint16_t address);
bool tx_macro_waiting(const struct tx_vector *v);
bool tx_macro_collides(struct tx_tile *t, const struct tx_vop *op);

/* SFPSWAP by a macro: its second cycle. */
void tx_vector_finish_swap(struct tx_vexec *x, uint32_t lanes);
/* A cycle in which scheduled instructions execute: everybody reads what is there now. (issue.c) */
void tx_vector_begin_cycle(struct tx_tile *t);
void tx_vector_report_too_soon(struct tx_vexec *x);
/* Runs one instruction with registers hidden as they must be. (issue.c) */
void tx_vector_run(struct tx_vexec *x);

tx_vector_fn tx_run_load, tx_run_loadi, tx_run_store, tx_run_mad, tx_run_mul24, tx_run_lut, tx_run_immediate;
tx_vector_fn tx_run_simple, tx_run_move, tx_run_compare, tx_run_cast, tx_run_arecip, tx_run_swap, tx_run_transpose;
tx_vector_fn tx_run_setcc, tx_run_encc, tx_run_compc, tx_run_pushc, tx_run_popc;
tx_vector_fn tx_run_round, tx_run_shift2, tx_run_config, tx_run_nop;

#endif
