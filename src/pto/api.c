/* The C API of include/tessera/pto.h over the program builder and the machine. */
#include "tessera/pto.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/check.h"
#include "pto/explain.h"
#include "pto/explore.h"
#include "pto/ir.h"

#define LOOPS_MAX 16u
#define REPORT_MAX 65536u

struct tessera_pto_program {
  struct pto_program *program;
  struct {
    uint32_t start;
    int16_t reg;
    uint8_t lane;
  } open[PTO_CORES][LOOPS_MAX]; /* loops and lane blocks not closed yet */
  unsigned open_count[PTO_CORES];
};

struct tessera_pto_machine {
  struct pto_machine *machine;
  char report[REPORT_MAX];
};

_Static_assert((int)TESSERA_PTO_BIAS == (int)PTO_BIAS && (int)TESSERA_PTO_U8 == (int)PTO_U8,
               "the public enums are the machine's own");
_Static_assert((int)TESSERA_PTO_BOTH_GM == (int)PTO_BOTH_GM && (int)TESSERA_PTO_V1C1_VEC1 == (int)PTO_V1C1_VEC1, "likewise");
_Static_assert((int)TESSERA_PTO_LEFT_RIGHT_ODD == (int)PTO_LEFT_RIGHT_ODD && (int)TESSERA_PTO_LIMIT == (int)PTO_TIME_LIMIT,
               "likewise");

static int fail(struct tessera_pto_program *p, const char *what) {
  if (!p->program->error[0]) snprintf(p->program->error, sizeof p->program->error, "%s", what);
  return -1;
}

static struct tessera_pto_program *wrap(struct pto_program *program) {
  struct tessera_pto_program *p = program ? calloc(1, sizeof *p) : NULL;
  if (p) p->program = program;
  else pto_program_free(program);
  return p;
}

struct tessera_pto_program *tessera_pto_parse(const char *text, size_t length, const char *profile, char *error,
                                              size_t error_size) {
  struct pto_ir_error why;
  int id = profile ? pto_profile_find(profile) : -1;
  if (error_size) error[0] = '\0';
  if (profile && id < 0) {
    snprintf(error, error_size, "no profile %s", profile);
    return NULL;
  }
  struct pto_program *program = pto_ir_parse(text, length, id, &why);
  if (!program) pto_ir_error_text(&why, "input", text, length, error, error_size);
  return wrap(program);
}

struct tessera_pto_program *tessera_pto_create(const char *profile) {
  int id = pto_profile_find(profile ? profile : "a2a3");
  return id < 0 ? NULL : wrap(pto_program_new((unsigned)id));
}

void tessera_pto_destroy(struct tessera_pto_program *p) {
  if (!p) return;
  pto_program_free(p->program);
  free(p);
}

const char *tessera_pto_error(const struct tessera_pto_program *p) { return p->program->error; }

int tessera_pto_set_policy(struct tessera_pto_program *p, const char *policy) {
  int id = pto_policy_find(policy);
  if (id < 0) return fail(p, "no such policy");
  p->program->policy = (uint8_t)id;
  return 0;
}

int tessera_pto_set_dispatches(struct tessera_pto_program *p, uint32_t dispatches) {
  if (dispatches < 1 || dispatches > 100000) return fail(p, "1 to 100000 dispatches");
  p->program->dispatches = dispatches;
  return 0;
}

int tessera_pto_add_tensor(struct tessera_pto_program *p, const char *name, enum tessera_pto_dtype dtype, uint32_t rows,
                           uint32_t cols) {
  uint32_t shape[2] = {rows, cols};
  if ((unsigned)dtype >= PTO_DTYPES || !rows || !cols) return fail(p, "a tensor needs a format and a shape");
  return pto_program_global(p->program, name, (unsigned)dtype, shape, 2);
}

int tessera_pto_find_tensor(const struct tessera_pto_program *p, const char *name) {
  for (uint32_t i = 0; i < p->program->global_count; i++)
    if (strcmp(p->program->globals[i].name, name) == 0) return (int)i;
  return -1;
}

int tessera_pto_add_function(struct tessera_pto_program *p, const char *name, unsigned cores) {
  if (!cores || cores > 7 || ((cores & 1u) && cores != 1)) return fail(p, "a function runs on the Cube or on Vectors");
  return pto_program_function(p->program, name, cores, 0);
}

static bool function_exists(const struct tessera_pto_program *p, int function) {
  return function >= 0 && (uint32_t)function < p->program->function_count;
}

static bool convert_tile(const struct tessera_pto_tile *from, struct pto_tile *to) {
  memset(to, 0, sizeof *to);
  to->loc = (uint8_t)from->loc;
  to->dtype = (uint8_t)from->dtype;
  to->rows = from->rows;
  to->cols = from->cols;
  to->valid_rows = from->valid_rows ? from->valid_rows : from->rows;
  to->valid_cols = from->valid_cols ? from->valid_cols : from->cols;
  to->addr = from->addr;
  return (unsigned)from->loc >= PTO_MAT && (unsigned)from->loc < PTO_LOCS && (unsigned)from->dtype < PTO_DTYPES &&
         to->valid_rows <= to->rows && to->valid_cols <= to->cols;
}

int tessera_pto_add_tile(struct tessera_pto_program *p, int function, const char *name,
                         const struct tessera_pto_tile *tile) {
  struct pto_tile t;
  if (!function_exists(p, function) || !convert_tile(tile, &t))
    return fail(p, "a tile needs a function, a location, a format and a shape");
  snprintf(t.name, sizeof t.name, "%s", name);
  return pto_program_tile(p->program, function, &t);
}

static int emit(struct tessera_pto_program *p, int function, struct pto_instr instr) {
  if (p->program->error[0]) return -1;
  return pto_program_emit(p->program, function, &instr);
}

static bool complete_multi(struct pto_pipe_config *c) {
  bool c2v = c->prod.loc == PTO_ACC;
  const struct pto_tile *whole = c2v ? &c->prod : &c->cons, *part = c2v ? &c->cons : &c->prod;
  uint32_t factor = part->cols > whole->cols ? part->cols / whole->cols : 1;
  if (c->fifo == PTO_VEC_FIFO) whole = part, factor = 1;
  c->slot_size = c->fifo == PTO_CTRL_FIFO ? 4 : factor * whole->rows * whole->cols * pto_dtype_bytes(whole->dtype);
  c->dir = c->fifo == PTO_CTRL_FIFO ? PTO_V2C_CTRL : c2v ? PTO_C2V : PTO_V2C;
  return c->prod.loc == PTO_ACC || c->prod.loc == PTO_VEC;
}

int tessera_pto_add_pipe(struct tessera_pto_program *p, int function, const char *name,
                         const struct tessera_pto_pipe *pipe) {
  struct pto_pipe_config c;
  memset(&c, 0, sizeof c);
  if (!function_exists(p, function)) return fail(p, "no such function");
  c.flag_id = (uint16_t)pipe->flag_id;
  c.dir = (uint8_t)pipe->dir;
  c.slot_size = pipe->slot_size;
  c.slot_num = pipe->slot_num;
  c.local_slot_num = pipe->local_slot_num ? pipe->local_slot_num : 2;
  c.no_split = pipe->no_split != 0;
  c.unit_flag = pipe->unit_flag != 0;
  c.multi = pipe->multi != 0;
  c.fifo = (uint8_t)pipe->fifo;
  c.ratio = (uint8_t)pipe->ratio;
  c.sync_period = pipe->sync_period;
  c.gm_addr = pipe->gm_addr;
  c.gm_global = PTO_NONE;
  c.c2v_addr = pipe->c2v_addr;
  c.v2c_addr = pipe->v2c_addr;
  if (c.multi && (!convert_tile(&pipe->prod, &c.prod) || !convert_tile(&pipe->cons, &c.cons) || !complete_multi(&c)))
    return fail(p, "a TMPipe needs its two tile types");
  if (!c.slot_num || c.slot_num > PTO_SLOTS_MAX || c.local_slot_num > PTO_SLOTS_MAX || !c.slot_size ||
      c.slot_size > 1u << 24 || c.dir < PTO_C2V || c.dir > PTO_BOTH_GM || pipe->flag_id > 1000 || c.fifo > PTO_CTRL_FIFO ||
      c.ratio > PTO_V1C1_VEC1 || c.sync_period > 64)
    return fail(p, "a pipe needs a direction, 1 to 64 slots and their size");
  int index = pto_program_pipe(p->program, function, &c, name);
  if (index < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_PIPE_INIT, 0);
  i.pipe = (int16_t)index;
  return emit(p, function, i) < 0 ? -1 : index;
}

/* --- instructions --- */

static bool has_pipe(const struct tessera_pto_program *p, int function, int pipe) {
  if (!function_exists(p, function) || pipe < 0 || (uint32_t)pipe >= p->program->pipe_count) return false;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (p->program->core_function[core] == function) return p->program->pipes[pipe].has[core];
  return false;
}

static bool has_tile(const struct tessera_pto_program *p, int function, int tile) {
  return function_exists(p, function) && tile >= 0 && tile < (int)p->program->functions[function].tile_count;
}

int tessera_pto_push(struct tessera_pto_program *p, int function, int pipe, int tile, enum tessera_pto_split split,
                     uint32_t line) {
  if (!has_pipe(p, function, pipe) || !has_tile(p, function, tile) || (unsigned)split >= PTO_SPLITS)
    return fail(p, "push: no such pipe or tile");
  struct pto_instr i = pto_instr_make(PTO_OP_TPUSH, line);
  i.pipe = (int16_t)pipe;
  i.src[0] = (int16_t)tile;
  i.split = (uint8_t)split;
  return emit(p, function, i);
}

int tessera_pto_pop(struct tessera_pto_program *p, int function, int pipe, int tile, enum tessera_pto_split split,
                    uint32_t line) {
  if (!has_pipe(p, function, pipe) || !has_tile(p, function, tile) || (unsigned)split >= PTO_SPLITS)
    return fail(p, "pop: no such pipe or tile");
  struct pto_instr i = pto_instr_make(PTO_OP_TPOP, line);
  i.pipe = (int16_t)pipe;
  i.dst = (int16_t)tile;
  i.split = (uint8_t)split;
  p->program->functions[function].tiles[tile].bound = 1;
  return emit(p, function, i);
}

int tessera_pto_free(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_split split, uint32_t line) {
  if (!has_pipe(p, function, pipe) || (unsigned)split >= PTO_SPLITS) return fail(p, "free: no such pipe");
  struct pto_instr i = pto_instr_make(PTO_OP_TFREE, line);
  i.pipe = (int16_t)pipe;
  i.split = (uint8_t)split;
  return emit(p, function, i);
}

int tessera_pto_set_status(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_status which, int value,
                           uint32_t line) {
  if (!has_pipe(p, function, pipe) || (unsigned)which > TESSERA_PTO_FREE) return fail(p, "status: no such pipe");
  struct pto_instr i = pto_instr_make(PTO_OP_SET_ALLOCATE + (unsigned)which, line);
  i.pipe = (int16_t)pipe;
  i.a.imm = value != 0;
  return emit(p, function, i);
}

int tessera_pto_set_field(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_field which, int64_t value,
                          uint32_t line) {
  if (!has_pipe(p, function, pipe) || (unsigned)which > TESSERA_PTO_CONS_TILE || value < 0 || value > INT32_MAX)
    return fail(p, "field: no such pipe or value");
  struct pto_instr i = pto_instr_make(PTO_OP_PROD_OFFSET + (unsigned)which, line);
  i.pipe = (int16_t)pipe;
  i.a.imm = (int32_t)value;
  return emit(p, function, i);
}

static int new_reg(struct tessera_pto_program *p, int function) {
  struct pto_function *fn = &p->program->functions[function];
  if (fn->reg_count >= PTO_REGS_MAX) return fail(p, "too many scalar values");
  return fn->reg_count++;
}

/* lane * per_lane + base, as a register when it depends on the lane. */
static bool lane_offset(struct tessera_pto_program *p, int function, uint32_t base, uint32_t per_lane,
                        struct pto_value *out) {
  *out = (struct pto_value){.imm = (int32_t)base, .reg = -1};
  if (!per_lane) return true;
  int lane = new_reg(p, function), scaled = new_reg(p, function), sum = new_reg(p, function);
  if (sum < 0) return false;
  struct pto_instr i = pto_instr_make(PTO_OP_LANE, 0);
  i.dst = (int16_t)lane;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_MUL, 0);
  i.dst = (int16_t)scaled;
  i.a.reg = (int16_t)lane;
  i.b.imm = (int32_t)per_lane;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_ADD, 0);
  i.dst = (int16_t)sum;
  i.a.reg = (int16_t)scaled;
  i.b.imm = (int32_t)base;
  emit(p, function, i);
  *out = (struct pto_value){.reg = (int16_t)sum};
  return true;
}

static int transfer(struct tessera_pto_program *p, int function, unsigned op, int tile, int tensor, uint32_t row,
                    uint32_t col, uint32_t lane_rows, uint32_t lane_cols, uint32_t line) {
  if (!has_tile(p, function, tile) || tensor < 0 || (uint32_t)tensor >= p->program->global_count || row > INT32_MAX ||
      col > INT32_MAX)
    return fail(p, "transfer: no such tile or tensor");
  const struct pto_tile *t = &p->program->functions[function].tiles[tile];
  const struct pto_global *g = &p->program->globals[tensor];
  if (t->dtype != g->dtype && t->loc != PTO_ACC) return fail(p, "transfer: tile and tensor have different formats");
  struct pto_view v;
  memset(&v, 0, sizeof v);
  v.global = (int16_t)tensor;
  v.slot = PTO_NONE;
  v.dtype = g->dtype;
  v.rows = t->valid_rows;
  v.cols = t->valid_cols;
  v.row_stride = g->shape[1];
  v.col_stride = 1;
  int view = -1; /* the same part of a tensor needs one view only */
  const struct pto_function *fn = &p->program->functions[function];
  for (int k = 0; k < (int)fn->view_count && view < 0; k++)
    if (memcmp(&fn->views[k], &v, sizeof v) == 0) view = k;
  if (view < 0) view = pto_program_view(p->program, function, &v);
  struct pto_instr i = pto_instr_make(op, line);
  if (view < 0 || !lane_offset(p, function, row, lane_rows, &i.a) || !lane_offset(p, function, col, lane_cols, &i.b))
    return -1;
  i.view = (int16_t)view;
  if (op == PTO_OP_LOAD) i.dst = (int16_t)tile;
  else i.src[0] = (int16_t)tile;
  return emit(p, function, i);
}

int tessera_pto_load(struct tessera_pto_program *p, int function, int tile, int tensor, uint32_t row, uint32_t col,
                     uint32_t lane_rows, uint32_t lane_cols, uint32_t line) {
  return transfer(p, function, PTO_OP_LOAD, tile, tensor, row, col, lane_rows, lane_cols, line);
}

int tessera_pto_store(struct tessera_pto_program *p, int function, int tensor, uint32_t row, uint32_t col,
                      uint32_t lane_rows, uint32_t lane_cols, int tile, uint32_t line) {
  return transfer(p, function, PTO_OP_STORE, tile, tensor, row, col, lane_rows, lane_cols, line);
}

int tessera_pto_emit(struct tessera_pto_program *p, int function, enum tessera_pto_op op, int dst, int src0, int src1,
                     int src2, double number, uint32_t line) {
  static const struct {
    uint8_t op, sources;
  } ops[TESSERA_PTO_OPS] = {
      {PTO_OP_MOV, 1},           {PTO_OP_MATMUL, 2},        {PTO_OP_MATMUL_ACC, 3},    {PTO_OP_MATMUL_BIAS, 3},
      {PTO_OP_TADD, 2},          {PTO_OP_TSUB, 2},          {PTO_OP_TMUL, 2},          {PTO_OP_TDIV, 2},
      {PTO_OP_TMAX, 2},          {PTO_OP_TMIN, 2},          {PTO_OP_TADDS, 1},         {PTO_OP_TSUBS, 1},
      {PTO_OP_TMULS, 1},         {PTO_OP_TDIVS, 1},         {PTO_OP_TEXP, 1},          {PTO_OP_TRELU, 1},
      {PTO_OP_TCVT, 1},          {PTO_OP_TFILL, 0},         {PTO_OP_ROWMAX, 1},        {PTO_OP_ROWSUM, 1},
      {PTO_OP_ROWEXPAND_SUB, 2}, {PTO_OP_ROWEXPAND_MUL, 2}, {PTO_OP_ROWEXPAND_DIV, 2}, {PTO_OP_DEQUANT, 2}};
  const int sources[3] = {src0, src1, src2};
  if ((unsigned)op >= TESSERA_PTO_OPS || !has_tile(p, function, dst)) return fail(p, "no such operation or tile");
  struct pto_instr i = pto_instr_make(ops[op].op, line);
  for (unsigned k = 0; k < 3; k++) {
    if (sources[k] < 0 && k >= ops[op].sources) continue;
    if (!has_tile(p, function, sources[k])) return fail(p, "an operand is missing");
    i.src[k] = (int16_t)sources[k];
  }
  i.dst = (int16_t)dst;
  i.number = number;
  return emit(p, function, i);
}

int tessera_pto_cost(struct tessera_pto_program *p, int function, uint32_t cycles) {
  if (!function_exists(p, function) || !p->program->functions[function].instr_count)
    return fail(p, "no instruction to give a cost");
  p->program->functions[function].instrs[p->program->functions[function].instr_count - 1].cost = cycles;
  return 0;
}

static int open_block(struct tessera_pto_program *p, int function, uint32_t start, int reg, bool lane) {
  if (p->open_count[function] == LOOPS_MAX) return fail(p, "blocks are nested too deep");
  p->open[function][p->open_count[function]].start = start;
  p->open[function][p->open_count[function]].reg = (int16_t)reg;
  p->open[function][p->open_count[function]++].lane = lane;
  return reg;
}

int tessera_pto_loop_begin(struct tessera_pto_program *p, int function, uint32_t count) {
  if (!function_exists(p, function) || count > INT32_MAX) return fail(p, "no such function or count");
  int reg = new_reg(p, function), test = new_reg(p, function);
  if (test < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_SET, 0);
  i.dst = (int16_t)reg;
  emit(p, function, i);
  uint32_t start = p->program->functions[function].instr_count;
  i = pto_instr_make(PTO_OP_LT, 0);
  i.dst = (int16_t)test;
  i.a.reg = (int16_t)reg;
  i.b.imm = (int32_t)count;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_BRANCH_ZERO, 0);
  i.a.reg = (int16_t)test;
  if (emit(p, function, i) < 0) return -1;
  return open_block(p, function, start, reg, false);
}

int tessera_pto_loop_end(struct tessera_pto_program *p, int function) {
  if (!function_exists(p, function) || !p->open_count[function] || p->open[function][p->open_count[function] - 1].lane)
    return fail(p, "no loop is open");
  unsigned k = --p->open_count[function];
  struct pto_instr i = pto_instr_make(PTO_OP_ADD, 0);
  i.dst = i.a.reg = p->open[function][k].reg;
  i.b.imm = 1;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_JUMP, 0);
  i.target = p->open[function][k].start;
  int at = emit(p, function, i);
  if (at >= 0) p->program->functions[function].instrs[p->open[function][k].start + 1].target = (uint32_t)at + 1;
  return at < 0 ? -1 : 0;
}

int tessera_pto_lane_begin(struct tessera_pto_program *p, int function, unsigned lane) {
  if (!function_exists(p, function) || lane > 1) return fail(p, "lane 0 or 1");
  int id = new_reg(p, function), test = new_reg(p, function);
  if (test < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_LANE, 0);
  i.dst = (int16_t)id;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_EQ, 0);
  i.dst = (int16_t)test;
  i.a.reg = (int16_t)id;
  i.b.imm = (int32_t)lane;
  emit(p, function, i);
  i = pto_instr_make(PTO_OP_BRANCH_ZERO, 0);
  i.a.reg = (int16_t)test;
  int at = emit(p, function, i);
  return at < 0 || open_block(p, function, (uint32_t)at, 0, true) < 0 ? -1 : 0;
}

int tessera_pto_lane_end(struct tessera_pto_program *p, int function) {
  if (!function_exists(p, function) || !p->open_count[function] || !p->open[function][p->open_count[function] - 1].lane)
    return fail(p, "no lane block is open");
  unsigned k = --p->open_count[function];
  p->program->functions[function].instrs[p->open[function][k].start].target = p->program->functions[function].instr_count;
  return 0;
}

/* --- looking and running --- */

static bool finish(struct tessera_pto_program *p) {
  for (unsigned i = 0; i < PTO_CORES; i++)
    if (p->open_count[i]) return fail(p, "a loop or lane block is not closed"), false;
  if (!p->program->function_count) return fail(p, "the program has no function"), false;
  return pto_program_finish(p->program);
}

int tessera_pto_check(struct tessera_pto_program *p, char *text, size_t size) {
  static const char *const severities[] = {"note", "warning", "error"};
  struct pto_notes *notes = finish(p) ? malloc(sizeof *notes) : NULL;
  size_t used = 0;
  if (size) text[0] = '\0';
  if (!notes) return -1;
  pto_check(p->program, -1, notes);
  for (uint32_t i = 0; i < notes->count; i++) {
    int n = snprintf(used < size ? text + used : NULL, used < size ? size - used : 0, "line %u: %s: %s\n",
                     notes->notes[i].line, severities[notes->notes[i].severity], notes->notes[i].text);
    if (n > 0) used += (size_t)n;
  }
  int result = notes->errors != 0;
  free(notes);
  return result;
}

int tessera_pto_explore(struct tessera_pto_program *p, uint32_t schedules, char *text, size_t size) {
  struct pto_explore_result *r = finish(p) ? malloc(sizeof *r) : NULL;
  if (size) text[0] = '\0';
  if (!r || !pto_explore(p->program, &(struct pto_explore_options){.schedules = schedules, .policy = -1}, r)) {
    free(r);
    return -1;
  }
  if (r->broken) snprintf(text, size, "%s%s\n", r->schedule_text, r->text);
  int result = r->broken != 0;
  free(r);
  return result;
}

struct tessera_pto_machine *tessera_pto_start(struct tessera_pto_program *p, const char *policy) {
  int id = policy ? pto_policy_find(policy) : -1;
  if (policy && id < 0) return fail(p, "no such policy"), NULL;
  if (!finish(p)) return NULL;
  struct tessera_pto_machine *m = calloc(1, sizeof *m);
  if (m) m->machine = pto_machine_new(p->program, true);
  if (!m || !m->machine) {
    free(m);
    fail(p, "out of memory");
    return NULL;
  }
  pto_machine_set_policy(m->machine, id);
  return m;
}

void tessera_pto_stop(struct tessera_pto_machine *m) {
  if (!m) return;
  pto_machine_free(m->machine);
  free(m);
}

static uint64_t elements(const struct tessera_pto_machine *m, int tensor) {
  const struct pto_program *p = m->machine->program;
  if (tensor < 0 || (uint32_t)tensor >= p->global_count) return 0;
  return p->globals[tensor].bytes / pto_dtype_bytes(p->globals[tensor].dtype);
}

enum tessera_pto_result tessera_pto_write(struct tessera_pto_machine *m, int tensor, const double *values, size_t count) {
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    pto_dtype_store(g->dtype, m->machine->gm + g->addr + i * pto_dtype_bytes(g->dtype), values[i]);
  return TESSERA_PTO_RAN;
}

enum tessera_pto_result tessera_pto_read(const struct tessera_pto_machine *m, int tensor, double *values, size_t count) {
  if (!count || count > elements(m, tensor)) return TESSERA_PTO_INVALID;
  const struct pto_global *g = &m->machine->program->globals[tensor];
  for (size_t i = 0; i < count; i++)
    values[i] = pto_dtype_load(g->dtype, m->machine->gm + g->addr + i * pto_dtype_bytes(g->dtype));
  return TESSERA_PTO_RAN;
}

enum tessera_pto_result tessera_pto_run(struct tessera_pto_machine *m, uint64_t cycle_limit) {
  return (enum tessera_pto_result)pto_machine_run(m->machine,
                                                  cycle_limit > UINT64_C(1) << 60 ? UINT64_C(1) << 60 : cycle_limit);
}

uint64_t tessera_pto_cycles(const struct tessera_pto_machine *m) { return m->machine->engine.now; }

uint64_t tessera_pto_hazards(const struct tessera_pto_machine *m) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < PTO_FIND_KINDS; k++) sum += m->machine->finding_total[k];
  return sum;
}

const char *tessera_pto_report(struct tessera_pto_machine *m) {
  size_t used = 0;
  m->report[0] = '\0';
  for (uint32_t i = 0; i < m->machine->finding_count && used + 1024 < REPORT_MAX; i++) {
    used += pto_explain_finding(m->machine, &m->machine->findings[i], m->report + used, REPORT_MAX - used);
    used += (size_t)snprintf(m->report + used, REPORT_MAX - used, "\n");
  }
  if (m->machine->deadlocked) used += pto_explain_deadlock(m->machine, m->report + used, REPORT_MAX - used);
  if (m->machine->fault.kind && used < REPORT_MAX)
    snprintf(m->report + used, REPORT_MAX - used, "fault (%s): %s\n", sim_fault_kind_name(m->machine->fault.kind),
             m->machine->fault.why);
  return m->report;
}
