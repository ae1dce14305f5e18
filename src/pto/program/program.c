/* Building a program: functions, tiles, views, tensors, pipes, instructions. */
#include "pto/program/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int pto_program_fail(struct pto_program *program, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!program->error[0]) vsnprintf(program->error, sizeof program->error, format, args);
  va_end(args);
  return PTO_NONE;
}

void pto_program_set_profile(struct pto_program *program, unsigned profile) {
  program->profile = (uint8_t)profile;
  program->figures = *pto_profile_get(profile);
}

struct pto_program *pto_program_new(unsigned profile) {
  struct pto_program *program = calloc(1, sizeof *program);
  if (!program) return NULL;
  pto_program_set_profile(program, profile);
  program->policy = PTO_POLICY_EXACT;
  program->dispatches = program->blocks = 1;
  for (unsigned i = 0; i < PTO_CORES; i++) program->core_function[i] = PTO_NONE;
  return program;
}

void pto_program_free(struct pto_program *program) {
  if (!program) return;
  free(program->data);
  free(program);
}

int pto_program_function(struct pto_program *program, const char *name, unsigned core_mask, uint32_t line) {
  if (program->function_count >= PTO_CORES) return pto_program_fail(program, "more than %u functions", (unsigned)PTO_CORES);
  for (unsigned core = 0; core < PTO_CORES; core++)
    if ((core_mask >> core & 1u) && program->core_function[core] != PTO_NONE)
      return pto_program_fail(program, "core %s already has a function", pto_core_name(core));
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
  if (fn->tile_count >= PTO_TILES_MAX) return pto_program_fail(program, "more than %u tiles in one function", PTO_TILES_MAX);
  if (tile->rows == 0 || tile->cols == 0 || tile->rows > 65536 || tile->cols > 65536)
    return pto_program_fail(program, "a tile of %u x %u elements", tile->rows, tile->cols);
  fn->tiles[fn->tile_count] = *tile;
  return fn->tile_count++;
}

int pto_program_view(struct pto_program *program, int function, const struct pto_view *view) {
  struct pto_function *fn = &program->functions[function];
  if (fn->view_count >= PTO_VIEWS_MAX) return pto_program_fail(program, "more than %u views in one function", PTO_VIEWS_MAX);
  fn->views[fn->view_count] = *view;
  if (view->global == PTO_NONE && view->slot == PTO_NONE) fn->views[fn->view_count].slot = (int16_t)fn->view_count;
  return fn->view_count++;
}

int pto_program_global(struct pto_program *program, const char *name, unsigned dtype, const uint32_t *shape, unsigned rank) {
  if (program->global_count >= PTO_GLOBALS_MAX)
    return pto_program_fail(program, "more than %u global tensors", PTO_GLOBALS_MAX);
  if (rank > 5) return pto_program_fail(program, "global tensor of rank %u", rank);
  struct pto_global *g = &program->globals[program->global_count];
  memset(g, 0, sizeof *g);
  snprintf(g->name, sizeof g->name, "%s", name);
  g->dtype = (uint8_t)dtype;
  g->rank = rank;
  g->bytes = rank ? pto_dtype_bytes(dtype) : 0;
  for (unsigned i = 0; i < rank; i++) {
    g->shape[i] = shape[i];
    g->bytes *= shape[i];
    if (g->bytes > PTO_GM_LIMIT)
      return pto_program_fail(program, "global tensor %.31s is larger than the model's memory", name);
  }
  return (int)program->global_count++;
}

bool pto_program_data(struct pto_program *program, int global, const void *bytes, size_t count) {
  if (program->data_bytes + count + 1 > program->data_room) {
    size_t room = (program->data_bytes + count + 1) * 2;
    uint8_t *grown = realloc(program->data, room);
    if (!grown) return pto_program_fail(program, "out of memory"), false;
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

/* The ends of a pipe are matched by flag id, as in hardware: they share nothing else. */
int pto_program_pipe(struct pto_program *program, int function, const struct pto_pipe_config *config, const char *name) {
  unsigned first = PTO_CORES;
  for (unsigned core = PTO_CORES; core-- > 0;)
    if (program->core_function[core] == function) first = core;
  if (first == PTO_CORES) return pto_program_fail(program, "pipe in a function that no core runs");
  unsigned i = 0;
  while (i < program->pipe_count && !(same_pipe(&program->pipes[i], config) && !program->pipes[i].has[first])) i++;
  if (i == program->pipe_count) {
    if (program->pipe_count >= PTO_PIPES_MAX) return pto_program_fail(program, "more than %u pipes", PTO_PIPES_MAX);
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
    return pto_program_fail(program, "more than %u instructions in one function", PTO_INSTRS_MAX - 1);
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

static const char *const op_names[PTO_OPS] = {
    [PTO_OP_END] = "end",
    [PTO_OP_SET] = "set",
    [PTO_OP_ADD] = "add",
    [PTO_OP_SUB] = "sub",
    [PTO_OP_MUL] = "mul",
    [PTO_OP_DIV] = "div",
    [PTO_OP_REM] = "rem",
    [PTO_OP_DIVU] = "divu",
    [PTO_OP_REMU] = "remu",
    [PTO_OP_AND] = "and",
    [PTO_OP_OR] = "or",
    [PTO_OP_XOR] = "xor",
    [PTO_OP_EQ] = "eq",
    [PTO_OP_NE] = "ne",
    [PTO_OP_LT] = "lt",
    [PTO_OP_LE] = "le",
    [PTO_OP_GT] = "gt",
    [PTO_OP_GE] = "ge",
    [PTO_OP_ULT] = "ult",
    [PTO_OP_ULE] = "ule",
    [PTO_OP_UGT] = "ugt",
    [PTO_OP_UGE] = "uge",
    [PTO_OP_BLOCK] = "get_block_idx",
    [PTO_OP_BLOCK_NUM] = "get_block_num",
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

const char *pto_quant_name(unsigned quant) {
  static const char *const names[] = {"none", "F322F16", "F322BF16", "DEQF16", "VDEQF16"};
  return quant < PTO_QUANTS ? names[quant] : "?";
}

const char *pto_layout_name(unsigned layout) {
  static const char *const names[] = {"NZ2ND", "NZ2DN", "NZ2NZ"};
  return layout < PTO_LAYOUTS ? names[layout] : "?";
}
