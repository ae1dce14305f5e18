/* tests/kernels/ops.c on a rig: one operation of the library on a few tiles. */
#ifndef TESSERA_TESTS_OP_CASE_H
#define TESSERA_TESTS_OP_CASE_H

#include "golden.h"
#include "layout.h"
#include "record.h"

/* Objects made from the kernels by kernels/kernels.mk. */
#define KERNEL(name) \
  void name##_unpack(void); \
  void name##_math(void); \
  void name##_pack(void);
KERNEL(ops)

#define IN0 0x30000u
#define IN1 0x80000u
#define OUT 0xe0000u

static inline void buffer(struct launch *l, unsigned cb, uint32_t address, unsigned format, unsigned pages) {
  l->buffer[cb] =
      (struct launch_buffer){.address = address, .page_bytes = golden_tile_bytes(format), .pages = pages, .format = format};
}

struct op_case {
  unsigned op, p, q, in0, in1, out, fidelity;
  bool wide, full;
  unsigned relu, accumulate, tiles;
  unsigned depth;     /* of a reduction; 0: one tile */
  unsigned threshold; /* of ReLU */
  bool to_dst;        /* UNPACK_TO_DST */
};

/* Records and runs; the caller frees the rig. `fill` writes buffers 0 and 1 (and the output, which accumulation reads). */
static inline struct rig *run_op(const struct op_case *c, bool timing, void (*fill)(struct rig *, const struct op_case *)) {
  struct launch l;
  struct rig *r = rig_new(timing);
  memset(&l, 0, sizeof l);
  buffer(&l, 0, IN0, c->in0, 64);
  buffer(&l, 1, IN1, c->in1, 64);
  buffer(&l, 16, OUT, c->out, 64);
  uint32_t args[] = {c->tiles, c->depth, c->threshold, c->fidelity, 0,       c->wide,      c->full, c->op, 0,
                     0,        0,        c->p,         c->q,        c->relu, c->accumulate};
  memcpy(l.args, args, sizeof args);
  l.args[18] = c->to_dst;
  fill(r, c);
  record_kernel(r, 0, ops_unpack, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 1, ops_math, &l);
  assert_string_equal(record_failure(), "");
  record_kernel(r, 2, ops_pack, &l);
  assert_string_equal(record_failure(), "");
  rig_run_well(r);
  for (unsigned i = 0; i < r->t->diag.finding_count && rig_findings(r); i++)
    print_message("%s: %s\n", tx_diag_infos[r->t->diag.findings[i].id].name, r->t->diag.findings[i].why);
  assert_int_equal(rig_findings(r), 0);
  return r;
}

#endif
