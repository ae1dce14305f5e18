/* Building and placing a program. Addresses: tiles get theirs in order of first use, behind the buffers that pipes
 * claim in the same memory; rings without an address and global tensors are placed in GM behind the rings that have
 * one. */
#include "pto/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GM_LIMIT (UINT64_C(256) << 20)
#define ALIGN 64u

__attribute__((format(printf, 2, 3))) static int fail(struct pto_program *program, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!program->error[0]) vsnprintf(program->error, sizeof program->error, format, args);
  va_end(args);
  return PTO_NONE;
}

struct pto_program *pto_program_new(unsigned profile) {
  struct pto_program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->profile = (uint8_t)profile;
  program->policy = PTO_POLICY_EXACT;
  program->dispatches = 1;
  for (unsigned i = 0; i < PTO_CORES; i++) program->core_function[i] = PTO_NONE;
  return program;
}

void pto_program_free(struct pto_program *program) {
  if (!program) return;
  free(program->data);
  free(program);
}

int pto_program_function(struct pto_program *program, const char *name, unsigned core_mask, uint32_t line) {
  if (program->function_count >= PTO_CORES) return fail(program, "more than %u functions", (unsigned)PTO_CORES);
  for (unsigned core = 0; core < PTO_CORES; core++)
    if ((core_mask >> core & 1u) && program->core_function[core] != PTO_NONE)
      return fail(program, "core %s has a function already", pto_core_name(core));
  int index = (int)program->function_count++;
  struct pto_function *fn = &program->functions[index];
  snprintf(fn->name, sizeof fn->name, "%s", name);
  fn->vector = (core_mask & 1u) == 0;
  fn->present = 1;
  fn->line = line;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (core_mask >> core & 1u) program->core_function[core] = (int8_t)index;
  return index;
}

int pto_program_tile(struct pto_program *program, int function, const struct pto_tile *tile) {
  struct pto_function *fn = &program->functions[function];
  if (fn->tile_count >= PTO_TILES_MAX) return fail(program, "more than %u tiles in one function", PTO_TILES_MAX);
  if (tile->rows == 0 || tile->cols == 0 || tile->rows > 65536 || tile->cols > 65536)
    return fail(program, "a tile of %u x %u elements", tile->rows, tile->cols);
  fn->tiles[fn->tile_count] = *tile;
  return fn->tile_count++;
}

int pto_program_view(struct pto_program *program, int function, const struct pto_view *view) {
  struct pto_function *fn = &program->functions[function];
  if (fn->view_count >= PTO_VIEWS_MAX) return fail(program, "more than %u views in one function", PTO_VIEWS_MAX);
  fn->views[fn->view_count] = *view;
  if (view->global == PTO_NONE && view->slot == PTO_NONE) fn->views[fn->view_count].slot = (int16_t)fn->view_count;
  return fn->view_count++;
}

int pto_program_global(struct pto_program *program, const char *name, unsigned dtype, const uint32_t *shape, unsigned rank) {
  if (program->global_count >= PTO_GLOBALS_MAX) return fail(program, "more than %u global tensors", PTO_GLOBALS_MAX);
  if (rank > 5) return fail(program, "global tensor of rank %u", rank);
  struct pto_global *g = &program->globals[program->global_count];
  memset(g, 0, sizeof *g);
  snprintf(g->name, sizeof g->name, "%s", name);
  g->dtype = (uint8_t)dtype;
  g->rank = rank;
  g->bytes = rank ? pto_dtype_bytes(dtype) : 0;
  for (unsigned i = 0; i < rank; i++) {
    g->shape[i] = shape[i];
    g->bytes *= shape[i];
    if (g->bytes > GM_LIMIT) return fail(program, "global tensor %.31s is larger than the model's memory", name);
  }
  return (int)program->global_count++;
}

bool pto_program_data(struct pto_program *program, int global, const void *bytes, size_t count) {
  if (program->data_bytes + count + 1 > program->data_room) {
    size_t room = (program->data_bytes + count + 1) * 2;
    uint8_t *grown = realloc(program->data, room);
    if (!grown) return fail(program, "out of memory"), false;
    program->data = grown;
    program->data_room = room;
  }
  struct pto_global *g = &program->globals[global];
  g->data = program->data_bytes;
  g->data_bytes = count;
  if (count) memcpy(program->data + g->data, bytes, count);
  program->data_bytes += count;
  program->data[program->data_bytes++] = 0;
  return true;
}

static bool same_pipe(const struct pto_pipe *pipe, const struct pto_pipe_config *c) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pipe->has[core]) return pipe->end[core].flag_id == c->flag_id && pipe->end[core].multi == c->multi;
  return false;
}

/* Ends of one pipe find each other by flag id, as they do in hardware: nothing else is shared. */
int pto_program_pipe(struct pto_program *program, int function, const struct pto_pipe_config *config, const char *name) {
  unsigned first = PTO_CORES;
  for (unsigned core = PTO_CORES; core-- > 0;)
    if (program->core_function[core] == function) first = core;
  if (first == PTO_CORES) return fail(program, "pipe in a function that no core runs");
  unsigned i = 0;
  while (i < program->pipe_count && !(same_pipe(&program->pipes[i], config) && !program->pipes[i].has[first])) i++;
  if (i == program->pipe_count) {
    if (program->pipe_count >= PTO_PIPES_MAX) return fail(program, "more than %u pipes", PTO_PIPES_MAX);
    program->pipe_count++;
    snprintf(program->pipes[i].name, sizeof program->pipes[i].name, "%s", name);
  }
  for (unsigned core = 0; core < PTO_CORES; core++) {
    if (program->core_function[core] != function) continue;
    program->pipes[i].has[core] = 1;
    program->pipes[i].end[core] = *config;
  }
  return (int)i;
}

int pto_program_emit(struct pto_program *program, int function, const struct pto_instr *instr) {
  struct pto_function *fn = &program->functions[function];
  if (fn->instr_count + 1 >= PTO_INSTRS_MAX)
    return fail(program, "more than %u instructions in one function", PTO_INSTRS_MAX - 1);
  fn->instrs[fn->instr_count] = *instr;
  return (int)fn->instr_count++;
}

struct pto_instr pto_instr_make(unsigned op, uint32_t line) {
  struct pto_instr i;
  memset(&i, 0, sizeof i);
  i.op = (uint8_t)op;
  i.line = line;
  i.lane = -1;
  i.dst = i.view = i.pipe = i.event = PTO_NONE;
  for (unsigned k = 0; k < 3; k++) i.src[k] = PTO_NONE;
  i.a.reg = i.b.reg = -1;
  i.cost = PTO_COST_MODEL;
  return i;
}

/* --- derived facts --- */

/* The Cube's tile is the whole one, a Vector's may be a lane's part of it, or wider: then it is cut in column blocks. */
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
  c->dir = c->fifo == PTO_CTRL_FIFO ? PTO_V2C_CTRL : c2v ? PTO_C2V : PTO_V2C;
  const struct pto_tile *slot = c->fifo == PTO_VEC_FIFO ? vector : cube;
  c->slot_size = c->fifo == PTO_CTRL_FIFO ? 4 : pto_pipe_factor(c) * slot->rows * slot->cols * pto_dtype_bytes(slot->dtype);
  *why = "a Vector's tile wider than the Cube's needs a GM_FIFO and a whole number of column blocks";
  if (c->fifo == PTO_CTRL_FIFO || vector->cols <= cube->cols) return true;
  return c->fifo == PTO_GM_FIFO && vector->cols % cube->cols == 0;
}

bool pto_pipe_way_exists(const struct pto_pipe_config *config, unsigned way) {
  switch (config->dir) {
    case PTO_C2V:
    case PTO_C2V_GM: return way == PTO_WAY_C2V;
    case PTO_V2C:
    case PTO_V2C_GM:
    case PTO_V2C_CTRL: return way == PTO_WAY_V2C;
    case PTO_BOTH:
    case PTO_BOTH_GM: return true;
    default: return false;
  }
}

unsigned pto_pipe_path(const struct pto_program *program, const struct pto_pipe_config *config, unsigned way) {
  if (config->multi) return config->fifo;
  if (config->dir == PTO_V2C_CTRL) return PTO_CTRL_FIFO;
  if (!pto_profile_get(program->profile)->local_fifos || config->dir >= PTO_C2V_GM) return PTO_GM_FIFO;
  return way == PTO_WAY_C2V ? PTO_VEC_FIFO : PTO_MAT_FIFO;
}

/* --- placing --- */

static uint64_t align(uint64_t value) { return (value + ALIGN - 1) & ~(uint64_t)(ALIGN - 1); }

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

static uint64_t gm_need(const struct pto_program *program, const struct pto_pipe_config *c) {
  uint64_t ways = 0;
  for (unsigned way = 0; way < PTO_WAYS; way++)
    if (pto_pipe_way_exists(c, way) && pto_pipe_path(program, c, way) == PTO_GM_FIFO) ways++;
  return ways * c->slot_num * (uint64_t)c->slot_size;
}

/* The global tensor that a pipe was given as slot buffer, or PTO_NONE. */
static int slot_buffer(const struct pto_pipe *pipe) {
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (pipe->has[core] && pipe->end[core].gm_global != PTO_NONE) return pipe->end[core].gm_global;
  return PTO_NONE;
}

/* Behind what is placed; pipes that were given the same slot buffer lie on each other, as they do in hardware. */
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

static bool place_rings(struct pto_program *program) {
  uint64_t top = 0;
  for (unsigned i = 0; i < program->pipe_count; i++) {
    struct pto_pipe *pipe = &program->pipes[i];
    const struct pto_pipe_config *c = pto_pipe_any_end(pipe);
    pipe->gm_bytes = gm_need(program, c);
    pipe->gm_addr = UINT64_MAX;
    for (unsigned core = PTO_CORES; core-- > 0 && pipe->gm_bytes <= GM_LIMIT;) { /* the Cube's word counts */
      uint64_t told = pipe->has[core] ? pipe->end[core].gm_addr : UINT64_MAX;
      if (told == UINT64_MAX) continue;
      pipe->gm_addr = told;
      if (told > GM_LIMIT) break;
      if (told + pipe->gm_bytes > top) top = told + pipe->gm_bytes;
    }
    if (pipe->gm_bytes > GM_LIMIT || (pipe->gm_addr != UINT64_MAX && pipe->gm_addr > GM_LIMIT))
      return fail(program, "the ring of pipe %s lies beyond the model's global memory", pipe->name), false;
  }
  for (unsigned i = 0; i < program->pipe_count; i++)
    if (program->pipes[i].gm_addr == UINT64_MAX) top = place_ring(program, i, top);
  for (unsigned i = 0; i < program->global_count; i++) {
    program->globals[i].addr = align(top);
    top = program->globals[i].addr + program->globals[i].bytes;
  }
  program->gm_bytes = align(top);
  if (program->gm_bytes > GM_LIMIT)
    return fail(program, "the program needs more than the model's 256 MB of global memory"), false;
  return true;
}

/* Slots that a pipe keeps in the consumer's own memory: the ring itself, or the landing slots that tile pops from GM
 * need. */
uint32_t pto_own_slots(const struct pto_program *program, int function, unsigned pipe, const struct pto_pipe_config *c,
                       unsigned way) {
  const struct pto_function *fn = &program->functions[function];
  unsigned path = pto_pipe_path(program, c, way);
  if (path == PTO_CTRL_FIFO) return 0; /* words in a buffer of their own */
  if (path != PTO_GM_FIFO) return c->slot_num;
  for (uint32_t i = 0; i < fn->instr_count; i++)
    if (fn->instrs[i].op == PTO_OP_TPOP && fn->instrs[i].pipe == (int)pipe) return c->local_slot_num;
  return 0;
}

/* How far the buffers of pipes reach in a core's memory at `loc`. */
static uint64_t pipe_reach(const struct pto_program *program, int function, unsigned loc) {
  uint64_t reach = 0;
  unsigned way = loc == PTO_VEC ? PTO_WAY_C2V : PTO_WAY_V2C;
  if (loc != PTO_VEC && loc != PTO_MAT) return 0;
  for (unsigned i = 0; i < program->pipe_count; i++) {
    for (unsigned core = 0; core < PTO_CORES; core++) {
      const struct pto_pipe_config *c = &program->pipes[i].end[core];
      if (!program->pipes[i].has[core] || program->core_function[core] != function || !pto_pipe_way_exists(c, way)) continue;
      if (program->functions[function].vector != (way == PTO_WAY_C2V)) continue; /* only the consumer owns it */
      uint32_t base = loc == PTO_VEC ? c->c2v_at : c->v2c_at;                    /* PTO_AUTO: not placed yet */
      if (base != PTO_AUTO) base %= pto_profile_get(program->profile)->memory_bytes[loc];
      uint32_t slots = pto_own_slots(program, function, i, c, way);
      uint64_t end = base + (uint64_t)slots * c->slot_size;
      if (base != PTO_AUTO && end > reach) reach = end;
    }
  }
  return align(reach);
}

/* Buffers of pipes that have no address come first, then tiles. */
static void place_pipe_buffers(struct pto_program *program, int function, uint64_t next[PTO_LOCS]) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    for (unsigned way = 0; way < PTO_WAYS; way++) {
      unsigned loc = way == PTO_WAY_C2V ? PTO_VEC : PTO_MAT;
      bool placed = false;
      uint64_t base = next[loc];
      for (unsigned core = 0; core < PTO_CORES; core++) {
        struct pto_pipe_config *c = &program->pipes[i].end[core];
        if (!program->pipes[i].has[core] || program->core_function[core] != function || !pto_pipe_way_exists(c, way))
          continue;
        if (program->functions[function].vector != (way == PTO_WAY_C2V)) continue; /* only the consumer owns it */
        if ((way == PTO_WAY_C2V ? c->c2v_at : c->v2c_at) != PTO_AUTO) continue;
        *(way == PTO_WAY_C2V ? &c->c2v_at : &c->v2c_at) = (uint32_t)base;
        uint32_t slots = pto_own_slots(program, function, i, c, way);
        if (!placed) next[loc] = align(base + (uint64_t)slots * c->slot_size);
        placed = true;
      }
    }
  }
}

/* Tiles that overlap in memory are one for the order of operations. */
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
  const struct pto_profile *profile = pto_profile_get(program->profile);
  uint64_t next[PTO_LOCS];
  for (unsigned loc = 0; loc < PTO_LOCS; loc++) next[loc] = pipe_reach(program, function, loc);
  for (unsigned i = 0; i < fn->tile_count; i++) { /* behind those that have an address */
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
      fail(program, "line %u: tile %%%s (%u x %u %s) does not fit: %s has %u bytes, its end would be at %llu", t->line,
           t->name, t->rows, t->cols, pto_dtype_name(t->dtype), pto_loc_name(t->loc), profile->memory_bytes[t->loc],
           (unsigned long long)t->at + bytes);
      return false;
    }
  }
  join_overlapping(fn);
  return true;
}

/* An end that was not told where the consumer's buffer lies learns it from the other end. */
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
      program->pipes[i].end[core].c2v_at = program->pipes[i].end[core].c2v_addr;
      program->pipes[i].end[core].v2c_at = program->pipes[i].end[core].v2c_addr;
    }
}

/* A ring in the consumer's own memory of which only the producer was told where it lies. */
static void learn_from_producers(struct pto_program *program) {
  for (unsigned i = 0; i < program->pipe_count; i++) {
    struct pto_pipe *pipe = &program->pipes[i];
    struct pto_pipe_config *cube = &pipe->end[PTO_AIC];
    for (unsigned core = PTO_AIV0; core <= PTO_AIV1; core++) {
      struct pto_pipe_config *vector = &pipe->end[core];
      if (!pipe->has[PTO_AIC] || !pipe->has[core]) continue;
      if (pto_pipe_path(program, vector, PTO_WAY_C2V) == PTO_VEC_FIFO && vector->c2v_at == PTO_AUTO)
        vector->c2v_at = cube->c2v_addr;
      if (pto_pipe_path(program, cube, PTO_WAY_V2C) == PTO_MAT_FIFO && cube->v2c_at == PTO_AUTO)
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

/* --- comparing --- */

static bool same_instr(const struct pto_instr *x, const struct pto_instr *y) {
  struct pto_instr a = *x, b = *y;
  a.line = b.line = a.column = b.column = 0;
  /* pto_instr_make clears everything, and the number must be the same to the bit */
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison) */
  return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_tile(const struct pto_tile *a, const struct pto_tile *b) {
  return a->loc == b->loc && a->dtype == b->dtype && a->rows == b->rows && a->cols == b->cols &&
         a->valid_rows == b->valid_rows && a->valid_cols == b->valid_cols && a->at == b->at && a->bound == b->bound;
}

static bool same_function(const struct pto_function *a, const struct pto_function *b) {
  if (a->vector != b->vector || a->tile_count != b->tile_count || a->instr_count != b->instr_count) return false;
  if (a->view_count != b->view_count || memcmp(a->views, b->views, sizeof a->views) != 0) return false;
  for (unsigned i = 0; i < a->tile_count; i++)
    if (!same_tile(&a->tiles[i], &b->tiles[i])) return false;
  for (unsigned i = 0; i < a->instr_count; i++)
    if (!same_instr(&a->instrs[i], &b->instrs[i])) return false;
  return true;
}

static bool same_pipe_end(const struct pto_pipe_config *x, const struct pto_pipe_config *y) {
  struct pto_pipe_config a = *x, b = *y;
  if (a.multi && (!same_tile(&a.prod, &b.prod) || !same_tile(&a.cons, &b.cons))) return false;
  a.line = b.line = a.column = b.column = 0;
  a.form = b.form = 0;
  memset(a.room, 0, sizeof a.room);
  memset(b.room, 0, sizeof b.room);
  memset(&a.prod, 0, sizeof a.prod);
  memset(&b.prod, 0, sizeof b.prod);
  memset(&a.cons, 0, sizeof a.cons);
  memset(&b.cons, 0, sizeof b.cons);
  /* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): configurations are cleared before they are filled */
  return memcmp(&a, &b, sizeof a) == 0;
}

bool pto_same_program(const struct pto_program *a, const struct pto_program *b) {
  if (a->profile != b->profile || a->function_count != b->function_count || a->pipe_count != b->pipe_count) return false;
  for (unsigned f = 0; f < a->function_count; f++)
    if (!same_function(&a->functions[f], &b->functions[f])) return false;
  for (unsigned p = 0; p < a->pipe_count; p++)
    for (unsigned core = 0; core < PTO_CORES; core++)
      if (a->pipes[p].has[core] != b->pipes[p].has[core] ||
          (a->pipes[p].has[core] && !same_pipe_end(&a->pipes[p].end[core], &b->pipes[p].end[core])))
        return false;
  return true;
}

static const char *const op_names[PTO_OPS] = {
    [PTO_OP_END] = "end",
    [PTO_OP_SET] = "set",
    [PTO_OP_ADD] = "add",
    [PTO_OP_SUB] = "sub",
    [PTO_OP_MUL] = "mul",
    [PTO_OP_DIV] = "div",
    [PTO_OP_REM] = "rem",
    [PTO_OP_AND] = "and",
    [PTO_OP_OR] = "or",
    [PTO_OP_XOR] = "xor",
    [PTO_OP_EQ] = "eq",
    [PTO_OP_NE] = "ne",
    [PTO_OP_LT] = "lt",
    [PTO_OP_LE] = "le",
    [PTO_OP_GT] = "gt",
    [PTO_OP_GE] = "ge",
    [PTO_OP_LANE] = "get_subblock_idx",
    [PTO_OP_JUMP] = "jump",
    [PTO_OP_BRANCH_ZERO] = "branch",
    [PTO_OP_PIPE_INIT] = "pipe constructor",
    [PTO_OP_PIPE_END] = "pipe destructor",
    [PTO_OP_TALLOC] = "talloc",
    [PTO_OP_TPUSH] = "tpush",
    [PTO_OP_TPUSH_VIEW] = "tpush",
    [PTO_OP_TPOP] = "tpop",
    [PTO_OP_TPOP_VIEW] = "tpop",
    [PTO_OP_TFREE] = "tfree",
    [PTO_OP_TFREE_VIEW] = "tfree",
    [PTO_OP_SET_ALLOCATE] = "set_allocate",
    [PTO_OP_SET_RECORD] = "set_record",
    [PTO_OP_SET_WAIT] = "set_wait",
    [PTO_OP_SET_FREE] = "set_free",
    [PTO_OP_PROD_OFFSET] = "set_prod_offset",
    [PTO_OP_CONS_OFFSET] = "set_cons_offset",
    [PTO_OP_PROD_TILE] = "set_prod_tile",
    [PTO_OP_CONS_TILE] = "set_cons_tile",
    [PTO_OP_WAIT_EVENT] = "wait_event",
    [PTO_OP_SET_FLAG] = "set_flag",
    [PTO_OP_WAIT_FLAG] = "wait_flag",
    [PTO_OP_BARRIER] = "pipe_barrier",
    [PTO_OP_CROSS_SET] = "cross_set",
    [PTO_OP_CROSS_WAIT] = "cross_wait",
    [PTO_OP_SET_VALID] = "set_validshape",
    [PTO_OP_LOAD] = "tload",
    [PTO_OP_STORE] = "tstore",
    [PTO_OP_MOV] = "tmov",
    [PTO_OP_EXTRACT] = "textract",
    [PTO_OP_INSERT] = "tinsert",
    [PTO_OP_MATMUL] = "tmatmul",
    [PTO_OP_MATMUL_ACC] = "tmatmul.acc",
    [PTO_OP_MATMUL_BIAS] = "tmatmul.bias",
    [PTO_OP_TADD] = "tadd",
    [PTO_OP_TSUB] = "tsub",
    [PTO_OP_TMUL] = "tmul",
    [PTO_OP_TDIV] = "tdiv",
    [PTO_OP_TMAX] = "tmax",
    [PTO_OP_TMIN] = "tmin",
    [PTO_OP_TADDS] = "tadds",
    [PTO_OP_TSUBS] = "tsubs",
    [PTO_OP_TMULS] = "tmuls",
    [PTO_OP_TDIVS] = "tdivs",
    [PTO_OP_TMAXS] = "tmaxs",
    [PTO_OP_TMINS] = "tmins",
    [PTO_OP_TEXP] = "texp",
    [PTO_OP_TRELU] = "trelu",
    [PTO_OP_TNEG] = "tneg",
    [PTO_OP_TSQRT] = "tsqrt",
    [PTO_OP_TCVT] = "tcvt",
    [PTO_OP_TFILL] = "texpands",
    [PTO_OP_ROWMAX] = "trowmax",
    [PTO_OP_ROWSUM] = "trowsum",
    [PTO_OP_ROWEXPAND_SUB] = "trowexpandsub",
    [PTO_OP_ROWEXPAND_MUL] = "trowexpandmul",
    [PTO_OP_ROWEXPAND_DIV] = "trowexpanddiv",
    [PTO_OP_COLEXPAND_MUL] = "tcolexpandmul",
    [PTO_OP_DEQUANT] = "tdequant",
    [PTO_OP_COMPUTE] = "compute",
};

const char *pto_op_name(unsigned op) { return op < PTO_OPS && op_names[op] ? op_names[op] : "?"; }
