/* See count.h. */
#include "pto/program/count.h"

#include <string.h>

#define WALK_MAX 4000000u

static int64_t value_of(const int64_t *regs, struct pto_value v) { return v.reg >= 0 ? regs[v.reg] : v.imm; }

/* Evaluates for the first block, which represents all. */
static int64_t scalar(const struct pto_program *program, unsigned core, const struct pto_instr *i, const int64_t *regs) {
  if (i->op == PTO_OP_LANE) return core == PTO_AIV1;
  if (i->op == PTO_OP_BLOCK) return 0;
  if (i->op == PTO_OP_BLOCK_NUM) return program->blocks;
  return pto_arith(i->op, value_of(regs, i->a), value_of(regs, i->b));
}

static void walk(const struct pto_program *program, unsigned core, struct pto_counts *counts) {
  const struct pto_function *fn = &program->functions[program->core_function[core]];
  int64_t regs[PTO_REGS_MAX] = {0};
  uint32_t pc = 0, steps = 0;
  while (pc < fn->instr_count) {
    const struct pto_instr *i = &fn->instrs[pc++];
    if (++steps > WALK_MAX) {
      counts->exact = false;
      return;
    }
    if (i->op >= PTO_OP_SET && i->op <= PTO_OP_LANE) regs[i->dst] = scalar(program, core, i, regs);
    if (i->op == PTO_OP_JUMP || (i->op == PTO_OP_BRANCH_ZERO && value_of(regs, i->a) == 0)) pc = i->target;
    if (i->op == PTO_OP_TPUSH || i->op == PTO_OP_TPUSH_VIEW) counts->push[i->pipe][core]++;
    if (i->op == PTO_OP_TPOP || i->op == PTO_OP_TPOP_VIEW) counts->pop[i->pipe][core]++;
    if (i->op == PTO_OP_TFREE || i->op == PTO_OP_TFREE_VIEW) counts->freed[i->pipe][core]++;
    if (i->op == PTO_OP_TPOP && i->event >= 0) counts->exact = false; /* its value is data */
  }
}

void pto_count(const struct pto_program *program, struct pto_counts *counts) {
  memset(counts, 0, sizeof *counts);
  counts->exact = true;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (program->core_function[core] >= 0) walk(program, core, counts);
}
