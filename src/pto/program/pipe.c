/* See pipe.h. */
#include "pto/program/pipe.h"

#define SLOT_MAX (1u << 24) /* bytes */

/* The Cube's tile is the whole one, a Vector's may be a lane's part of it, or wider: then it is split into column blocks. */
uint32_t pto_pipe_factor(const struct pto_pipe_config *c) {
  uint32_t cube = c->prod.loc == PTO_ACC ? c->prod.cols : c->cons.cols;
  uint32_t vector = c->prod.loc == PTO_ACC ? c->cons.cols : c->prod.cols;
  return c->multi && c->fifo == PTO_GM_FIFO && cube && vector > cube ? vector / cube : 1;
}

bool pto_pipe_complete(struct pto_pipe_config *c, const char **why) {
  bool c2v = c->prod.loc == PTO_ACC;
  const struct pto_tile *cube = c2v ? &c->prod : &c->cons, *vector = c2v ? &c->cons : &c->prod;
  *why = "the producer's tile of a TMPipe must be in acc or vec";
  if (c->prod.loc != PTO_ACC && c->prod.loc != PTO_VEC) return false;
  *why = "the tiles of a TMPipe must have rows and columns, and a slot at most 16 MiB";
  if (!cube->rows || !cube->cols || !vector->rows || !vector->cols) return false;
  c->dir = c->fifo == PTO_CTRL_FIFO ? PTO_V2C_CTRL : c2v ? PTO_C2V : PTO_V2C;
  const struct pto_tile *slot = c->fifo == PTO_VEC_FIFO ? vector : cube;
  if (slot->rows > SLOT_MAX || slot->cols > SLOT_MAX) return false;
  uint64_t bytes = (uint64_t)slot->rows * slot->cols * pto_dtype_bytes(slot->dtype);
  if (bytes > SLOT_MAX || bytes * pto_pipe_factor(c) > SLOT_MAX) return false;
  c->slot_size = c->fifo == PTO_CTRL_FIFO ? 4 : (uint32_t)bytes * pto_pipe_factor(c);
  *why = "a Vector's tile wider than the Cube's needs a GM_FIFO and a whole number of column blocks";
  if (c->fifo == PTO_CTRL_FIFO || vector->cols <= cube->cols) return true;
  return c->fifo == PTO_GM_FIFO && vector->cols % cube->cols == 0;
}

bool pto_pipe_direction_exists(const struct pto_pipe_config *config, unsigned direction) {
  switch (config->dir) {
    case PTO_C2V:
    case PTO_C2V_GM: return direction == PTO_DIRECTION_C2V;
    case PTO_V2C:
    case PTO_V2C_GM:
    case PTO_V2C_CTRL: return direction == PTO_DIRECTION_V2C;
    case PTO_BOTH:
    case PTO_BOTH_GM: return true;
    default: return false;
  }
}

unsigned pto_pipe_path(const struct pto_program *program, const struct pto_pipe_config *config, unsigned direction) {
  if (config->multi) return config->fifo;
  if (config->dir == PTO_V2C_CTRL) return PTO_CTRL_FIFO;
  if (!pto_program_profile(program)->local_fifos || config->dir >= PTO_C2V_GM) return PTO_GM_FIFO;
  return direction == PTO_DIRECTION_C2V ? PTO_VEC_FIFO : PTO_MAT_FIFO;
}

const struct pto_pipe_config *pto_pipe_any_end(const struct pto_pipe *pipe) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pipe->has[core]) return &pipe->end[core];
  return NULL;
}

const struct pto_policy *pto_pipe_policy(const struct pto_program *program, unsigned pipe, int policy) {
  const struct pto_pipe *p = &program->pipes[pipe];
  unsigned own = 0;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (p->has[core] && p->end[core].policy) own = p->end[core].policy;
  return pto_policy_get(policy >= 0 ? (unsigned)policy : own ? own - 1 : program->policy);
}

/* Slots of a pipe in the consumer's own memory: the ring itself, or the landing slots for tile pops from GM. */
uint32_t pto_own_slots(const struct pto_program *program, int function, unsigned pipe, const struct pto_pipe_config *c,
                       unsigned direction) {
  const struct pto_function *fn = &program->functions[function];
  unsigned path = pto_pipe_path(program, c, direction);
  if (path == PTO_CTRL_FIFO) return 0; /* words in a separate buffer */
  if (path != PTO_GM_FIFO) return c->slot_num;
  for (uint32_t i = 0; i < fn->instr_count; i++)
    if (fn->instrs[i].op == PTO_OP_TPOP && fn->instrs[i].pipe == (int)pipe) return c->local_slot_num;
  return 0;
}
