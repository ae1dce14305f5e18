/* Addresses of the slots of pipes, pipes that overlap, and mismatches between the two ends of a pipe.
 *
 * A pipe has slots in global memory, in the consumer's own memory (the ring itself, or the landing slots of a GM path), or
 * both. The program gives the addresses, and hardware does not compare them: two overlapping pipes overwrite each other's tiles, unless
 * one is torn down before the other is built. */
#include "pto/program/regions.h"

#include "pto/program/pipe.h"

static bool differ(uint64_t a, uint64_t b, uint64_t *cube_at, uint64_t *vector_at) {
  *cube_at = a;
  *vector_at = b;
  return a != b;
}

/* Compares the addresses that both ends declare for slots that both use. */
static bool addresses_differ(const struct pto_program *program, const struct pto_pipe_config *cube,
                             const struct pto_pipe_config *vector, uint64_t *cube_at, uint64_t *vector_at) {
  for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++) {
    if (!pto_pipe_direction_exists(cube, direction)) continue;
    unsigned path = pto_pipe_path(program, cube, direction);
    if (path == PTO_GM_FIFO && cube->gm_at != UINT64_MAX && vector->gm_at != UINT64_MAX &&
        differ(cube->gm_at, vector->gm_at, cube_at, vector_at))
      return true;
    if (path == PTO_VEC_FIFO && differ(cube->c2v_at, vector->c2v_at, cube_at, vector_at)) return true;
    if (path == PTO_MAT_FIFO && differ(cube->v2c_at, vector->v2c_at, cube_at, vector_at)) return true;
  }
  return false;
}

enum pto_mismatch pto_ends_differ(const struct pto_program *program, unsigned pipe, unsigned vector, uint64_t *cube_at,
                                  uint64_t *vector_at) {
  const struct pto_pipe *p = &program->pipes[pipe];
  const struct pto_pipe_config *c = &p->end[PTO_AIC], *v = &p->end[vector];
  if (!p->has[PTO_AIC] || !p->has[vector]) return PTO_ENDS_AGREE;
  if (differ(c->dir, v->dir, cube_at, vector_at)) return PTO_ENDS_DIR;
  if (differ(c->fifo, v->fifo, cube_at, vector_at)) return PTO_ENDS_FIFO;
  if (differ(c->slot_num, v->slot_num, cube_at, vector_at)) return PTO_ENDS_SLOT_NUM;
  if (differ(c->slot_size, v->slot_size, cube_at, vector_at)) return PTO_ENDS_SLOT_SIZE;
  if (differ(c->sync_period, v->sync_period, cube_at, vector_at)) return PTO_ENDS_PERIOD;
  if (c->multi && differ(c->ratio, v->ratio, cube_at, vector_at)) return PTO_ENDS_RATIO;
  if (addresses_differ(program, c, v, cube_at, vector_at)) return PTO_ENDS_ADDRESS;
  return PTO_ENDS_AGREE;
}

const char *pto_mismatch_name(unsigned mismatch) {
  static const char *const names[] = {"nothing",  "direction",   "FIFO type", "SlotNum",
                                      "SlotSize", "sync period", "VCRatio",   "the slots' address"};
  return mismatch < sizeof names / sizeof names[0] ? names[mismatch] : "?";
}

bool pto_own_region(const struct pto_program *program, unsigned pipe, unsigned core, struct pto_region *region) {
  const struct pto_pipe *p = &program->pipes[pipe];
  const struct pto_pipe_config *c = &p->end[core];
  unsigned direction = core == PTO_AIC ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V;
  if (!p->has[core] || !pto_pipe_direction_exists(c, direction)) return false;
  uint32_t slots = pto_own_slots(program, program->core_function[core], pipe, c, direction);
  region->core = (uint8_t)core;
  region->loc = core == PTO_AIC ? PTO_MAT : PTO_VEC;
  region->begin = (core == PTO_AIC ? c->v2c_at : c->c2v_at) % pto_program_profile(program)->memory_bytes[region->loc];
  region->end = region->begin + (uint64_t)slots * c->slot_size;
  return slots != 0;
}

static bool gm_region(const struct pto_program *program, unsigned pipe, struct pto_region *region) {
  const struct pto_pipe *p = &program->pipes[pipe];
  *region = (struct pto_region){.core = PTO_AIC, .loc = PTO_GM, .begin = p->gm_addr, .end = p->gm_addr + p->gm_bytes};
  return p->gm_bytes != 0;
}

static bool meet(const struct pto_region *a, const struct pto_region *b, struct pto_region *common) {
  *common = *b;
  if (a->begin > b->begin) common->begin = a->begin;
  if (a->end < b->end) common->end = a->end;
  return common->begin < common->end;
}

/* Index of a pipe's constructor or destructor in a function; instr_count: none. */
static uint32_t place_of(const struct pto_function *fn, unsigned op, unsigned pipe) {
  uint32_t i = 0;
  while (i < fn->instr_count && !(fn->instrs[i].op == op && fn->instrs[i].pipe == (int)pipe)) i++;
  return i;
}

/* Is pipe a always destroyed on this core while pipe b exists? A backward jump may build a again: then b must be destroyed
 * too. */
static bool comes_before(const struct pto_function *fn, unsigned a, unsigned b) {
  uint32_t built = place_of(fn, PTO_OP_PIPE_INIT, a), gone = place_of(fn, PTO_OP_PIPE_END, a);
  uint32_t next = place_of(fn, PTO_OP_PIPE_INIT, b), end = place_of(fn, PTO_OP_PIPE_END, b);
  if (gone >= next) return false;
  for (uint32_t i = next; i < fn->instr_count && i < end; i++)
    if (fn->instrs[i].op == PTO_OP_JUMP && fn->instrs[i].target <= built) return false;
  return true;
}

/* Pipes without a common core cannot take turns: nothing orders them. */
static bool take_turns(const struct pto_program *program, unsigned a, unsigned b) {
  bool shared = false, before = true, after = true;
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!program->pipes[a].has[core] || !program->pipes[b].has[core]) continue;
    const struct pto_function *fn = &program->functions[program->core_function[core]];
    shared = true;
    before = before && comes_before(fn, a, b);
    after = after && comes_before(fn, b, a);
  }
  return shared && (before || after);
}

/* A constant entry offset beyond the slot moves the ring away from its declared address. */
static bool moved(const struct pto_program *program, unsigned pipe) {
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (!program->pipes[pipe].has[core]) continue;
    const struct pto_function *fn = &program->functions[program->core_function[core]];
    for (uint32_t n = 0; n < fn->instr_count; n++) {
      const struct pto_instr *i = &fn->instrs[n];
      if ((i->op != PTO_OP_PROD_OFFSET && i->op != PTO_OP_CONS_OFFSET) || i->pipe != (int)pipe || i->a.reg >= 0) continue;
      if (i->a.imm < 0 || (uint32_t)i->a.imm >= program->pipes[pipe].end[core].slot_size) return true;
    }
  }
  return false;
}

bool pto_pipes_meet(const struct pto_program *program, unsigned a, unsigned b, struct pto_region *common) {
  struct pto_region x, y;
  bool found = gm_region(program, a, &x) && gm_region(program, b, &y) && meet(&x, &y, common);
  for (unsigned core = 0; core < PTO_CORES && !found; core++)
    found = pto_own_region(program, a, core, &x) && pto_own_region(program, b, core, &y) && meet(&x, &y, common);
  return found && !take_turns(program, a, b) && !moved(program, a) && !moved(program, b);
}
