/* Addresses: tiles are placed in order of first use, after the buffers of pipes in the same memory; rings without
 * an address and global tensors are placed in GM after the rings that have one. */
#include "pto/program/place.h"

#include "pto/program/pipe.h"

#define ALIGN 64u

static uint64_t align(uint64_t value) { return (value + ALIGN - 1) & ~(uint64_t)(ALIGN - 1); }

static uint64_t gm_need(const struct pto_program *program, const struct pto_pipe_config *c) {
  uint64_t directions = 0;
  for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++)
    if (pto_pipe_direction_exists(c, direction) && pto_pipe_path(program, c, direction) == PTO_GM_FIFO) directions++;
  return directions * c->slot_num * (uint64_t)c->slot_size;
}

/* The global tensor that is a pipe's slot buffer, or PTO_NONE. */
static int slot_buffer(const struct pto_pipe *pipe) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pipe->has[core] && pipe->end[core].gm_global != PTO_NONE && !pipe->end[core].gm_inside)
      return pipe->end[core].gm_global;
  return PTO_NONE;
}

/* Places the ring after those already placed. Pipes with the same slot buffer overlap, as in hardware. */
static uint64_t place_ring(struct pto_program *program, unsigned index, uint64_t top) {
  struct pto_pipe *pipe = &program->pipes[index];
  int global = slot_buffer(pipe);
  for (unsigned i = 0; i < index && global != PTO_NONE; i++)
    if (slot_buffer(&program->pipes[i]) == global) {
      pipe->gm_addr = program->pipes[i].gm_addr;
      return pipe->gm_addr + pipe->gm_bytes > top ? pipe->gm_addr + pipe->gm_bytes : top;
    }
  uint64_t bytes = pipe->gm_bytes;
  for (unsigned i = index + 1; i < program->pipe_count && global != PTO_NONE; i++)
    if (slot_buffer(&program->pipes[i]) == global && program->pipes[i].gm_bytes > bytes) bytes = program->pipes[i].gm_bytes;
  pipe->gm_addr = align(top);
  return pipe->gm_addr + bytes;
}

static bool place_told_rings(struct pto_program *program, uint64_t *top) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    struct pto_pipe *pipe = &program->pipes[i];
    pipe->gm_bytes = gm_need(program, pto_pipe_any_end(pipe));
    pipe->gm_addr = UINT64_MAX;
    for (unsigned core = PTO_CORES;
         core-- > 0 && pipe->gm_bytes <= PTO_GM_LIMIT;) { /* the Cube's address takes precedence */
      uint64_t declared = pipe->has[core] ? pipe->end[core].gm_at : UINT64_MAX;
      if (declared == UINT64_MAX) continue;
      pipe->gm_addr = declared;
      if (declared > PTO_GM_LIMIT) break;
      if (declared + pipe->gm_bytes > *top) *top = declared + pipe->gm_bytes;
    }
    if (pipe->gm_bytes > PTO_GM_LIMIT || (pipe->gm_addr != UINT64_MAX && pipe->gm_addr > PTO_GM_LIMIT))
      return pto_program_fail(program, "the ring of pipe %s lies beyond the model's global memory", pipe->name), false;
  }
  return true;
}

static bool lies_inside(const struct pto_pipe *pipe) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pipe->has[core] && pipe->end[core].gm_inside) return true;
  return false;
}

/* Places rings inside a tensor, after the tensors. */
static bool place_inside(struct pto_program *program, struct pto_pipe *pipe) {
  for (unsigned core = PTO_CORES; core-- > 0;) {
    struct pto_pipe_config *c = &pipe->end[core];
    if (!pipe->has[core] || !c->gm_inside) continue;
    const struct pto_global *g = &program->globals[c->gm_global];
    if (c->gm_addr > g->bytes || pipe->gm_bytes > g->bytes - c->gm_addr)
      return pto_program_fail(program, "the ring of pipe %s needs %llu bytes from byte %llu of tensor %s, which has %llu",
                              pipe->name, (unsigned long long)pipe->gm_bytes, (unsigned long long)c->gm_addr, g->name,
                              (unsigned long long)g->bytes),
             false;
    pipe->gm_addr = c->gm_at = g->addr + c->gm_addr;
  }
  return true;
}

static bool place_rings(struct pto_program *program) {
  uint64_t top = 0;
  if (!place_told_rings(program, &top)) return false;
  for (unsigned i = 0; i < program->pipe_count; i++)
    if (program->pipes[i].gm_addr == UINT64_MAX && !lies_inside(&program->pipes[i])) top = place_ring(program, i, top);
  program->ring_bytes = align(top);
  for (unsigned i = 0; i < program->global_count; i++) {
    program->globals[i].addr = align(top);
    top = program->globals[i].addr + program->globals[i].bytes;
  }
  program->gm_bytes = align(top);
  if (program->gm_bytes > PTO_GM_LIMIT)
    return pto_program_fail(program, "the program needs more than the model's 256 MB of global memory"), false;
  for (unsigned i = 0; i < program->pipe_count; i++)
    if (lies_inside(&program->pipes[i]) && !place_inside(program, &program->pipes[i])) return false;
  return true;
}

/* The end of the pipes' buffers in a core's memory at `loc`. */
static uint64_t pipe_reach(const struct pto_program *program, int function, unsigned loc) {
  uint64_t reach = 0;
  unsigned direction = loc == PTO_VEC ? PTO_DIRECTION_C2V : PTO_DIRECTION_V2C;
  if (loc != PTO_VEC && loc != PTO_MAT) return 0;
  for (unsigned i = 0; i < program->pipe_count; i++) {
    for (unsigned core = 0; core < PTO_CORES; core++) {
      const struct pto_pipe_config *c = &program->pipes[i].end[core];
      if (!program->pipes[i].has[core] || program->core_function[core] != function ||
          !pto_pipe_direction_exists(c, direction))
        continue;
      if (program->functions[function].vector != (direction == PTO_DIRECTION_C2V)) continue; /* only the consumer owns it */
      uint32_t base = loc == PTO_VEC ? c->c2v_at : c->v2c_at;                                /* PTO_AUTO: not placed yet */
      if (base != PTO_AUTO) base %= pto_program_profile(program)->memory_bytes[loc];
      uint32_t slots = pto_own_slots(program, function, i, c, direction);
      uint64_t end = base + (uint64_t)slots * c->slot_size;
      if (base != PTO_AUTO && end > reach) reach = end;
    }
  }
  return align(reach);
}

/* Places buffers of pipes without an address first, then tiles. */
static void place_pipe_buffers(struct pto_program *program, int function, uint64_t next[PTO_LOCS]) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    for (unsigned direction = 0; direction < PTO_DIRECTIONS; direction++) {
      unsigned loc = direction == PTO_DIRECTION_C2V ? PTO_VEC : PTO_MAT;
      bool placed = false;
      uint64_t base = next[loc];
      for (unsigned core = 0; core < PTO_CORES; core++) {
        struct pto_pipe_config *c = &program->pipes[i].end[core];
        if (!program->pipes[i].has[core] || program->core_function[core] != function ||
            !pto_pipe_direction_exists(c, direction))
          continue;
        if (program->functions[function].vector != (direction == PTO_DIRECTION_C2V))
          continue; /* only the consumer owns it */
        if ((direction == PTO_DIRECTION_C2V ? c->c2v_at : c->v2c_at) != PTO_AUTO) continue;
        *(direction == PTO_DIRECTION_C2V ? &c->c2v_at : &c->v2c_at) = (uint32_t)base;
        uint32_t slots = pto_own_slots(program, function, i, c, direction);
        if (!placed) next[loc] = align(base + (uint64_t)slots * c->slot_size);
        placed = true;
      }
    }
  }
}

/* Overlapping tiles count as one tile for the order of operations. */
static void join_overlapping(struct pto_function *fn) {
  for (unsigned i = 0; i < fn->tile_count; i++) {
    struct pto_tile *t = &fn->tiles[i];
    t->record = i;
    uint64_t end = t->at + (uint64_t)t->rows * t->cols * pto_dtype_bytes(t->dtype);
    for (unsigned j = 0; j < i && !t->bound && t->record == i; j++) {
      const struct pto_tile *o = &fn->tiles[j];
      uint64_t other_end = o->at + (uint64_t)o->rows * o->cols * pto_dtype_bytes(o->dtype);
      if (!o->bound && o->loc == t->loc && t->at < other_end && o->at < end) t->record = o->record;
    }
  }
}

static bool place_tiles(struct pto_program *program, int function) {
  struct pto_function *fn = &program->functions[function];
  const struct pto_profile *profile = pto_program_profile(program);
  uint64_t next[PTO_LOCS];
  for (unsigned loc = 0; loc < PTO_LOCS; loc++) next[loc] = pipe_reach(program, function, loc);
  for (unsigned i = 0; i < fn->tile_count; i++) { /* tiles without an address follow those that have one */
    const struct pto_tile *t = &fn->tiles[i];
    uint64_t end = t->addr + (uint64_t)t->rows * t->cols * pto_dtype_bytes(t->dtype);
    if (!t->bound && t->addr != PTO_AUTO && end > next[t->loc]) next[t->loc] = align(end);
  }
  place_pipe_buffers(program, function, next);
  for (unsigned i = 0; i < fn->tile_count; i++) {
    struct pto_tile *t = &fn->tiles[i];
    uint64_t bytes = (uint64_t)t->rows * t->cols * pto_dtype_bytes(t->dtype);
    if (t->bound) continue;
    t->at = t->addr;
    if (t->addr == PTO_AUTO) {
      t->at = (uint32_t)(next[t->loc] < UINT32_MAX ? next[t->loc] : UINT32_MAX - 1);
      next[t->loc] = align(next[t->loc] + bytes);
    }
    if (t->at + bytes > profile->memory_bytes[t->loc]) {
      pto_program_fail(program, "line %u: tile %%%s (%u x %u %s) does not fit: %s has %u bytes, its end would be at %llu",
                       t->line, t->name, t->rows, t->cols, pto_dtype_name(t->dtype), pto_loc_name(t->loc),
                       profile->memory_bytes[t->loc], (unsigned long long)t->at + bytes);
      return false;
    }
  }
  join_overlapping(fn);
  return true;
}

/* An end without an address for the consumer's buffer takes it from the other end. */
static void share_addresses(struct pto_program *program) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    struct pto_pipe *pipe = &program->pipes[i];
    uint32_t c2v = pipe->has[PTO_AIV0]   ? pipe->end[PTO_AIV0].c2v_at
                   : pipe->has[PTO_AIV1] ? pipe->end[PTO_AIV1].c2v_at
                                         : PTO_AUTO;
    uint32_t v2c = pipe->has[PTO_AIC] ? pipe->end[PTO_AIC].v2c_at : PTO_AUTO;
    for (unsigned core = 0; core < PTO_CORES; core++) {
      struct pto_pipe_config *c = &pipe->end[core];
      if (!pipe->has[core]) continue;
      if (c->c2v_at == PTO_AUTO) c->c2v_at = c2v == PTO_AUTO ? 0 : c2v;
      if (c->v2c_at == PTO_AUTO) c->v2c_at = v2c == PTO_AUTO ? 0 : v2c;
    }
  }
}

static void forget_places(struct pto_program *program) {
  for (unsigned i = 0; i < program->pipe_count; i++)
    for (unsigned core = 0; core < PTO_CORES; core++) {
      struct pto_pipe_config *c = &program->pipes[i].end[core];
      c->c2v_at = c->c2v_addr;
      c->v2c_at = c->v2c_addr;
      c->gm_at = c->gm_inside ? UINT64_MAX : c->gm_addr;
    }
}

/* A ring in the consumer's own memory whose address only the producer gives. */
static void learn_from_producers(struct pto_program *program) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    struct pto_pipe *pipe = &program->pipes[i];
    struct pto_pipe_config *cube = &pipe->end[PTO_AIC];
    for (unsigned core = PTO_AIV0; core <= PTO_AIV1; core++) {
      struct pto_pipe_config *vector = &pipe->end[core];
      if (!pipe->has[PTO_AIC] || !pipe->has[core]) continue;
      if (pto_pipe_path(program, vector, PTO_DIRECTION_C2V) == PTO_VEC_FIFO && vector->c2v_at == PTO_AUTO)
        vector->c2v_at = cube->c2v_addr;
      if (pto_pipe_path(program, cube, PTO_DIRECTION_V2C) == PTO_MAT_FIFO && cube->v2c_at == PTO_AUTO)
        cube->v2c_at = vector->v2c_addr;
    }
  }
}

bool pto_program_finish(struct pto_program *program) {
  if (program->error[0]) return false;
  forget_places(program);
  learn_from_producers(program);
  if (!place_rings(program)) return false;
  for (int f = 0; f < (int)program->function_count; f++) {
    struct pto_function *fn = &program->functions[f];
    if (!place_tiles(program, f)) return false;
    fn->instrs[fn->instr_count] = pto_instr_make(PTO_OP_END, 0);
  }
  share_addresses(program);
  program->finished = 1;
  return true;
}
