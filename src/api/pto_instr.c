/* The C API: instructions. Each function checks its arguments and adds one instruction to a core's program. */
#include "api/pto_instr.h"

#include <string.h>

#include "api/pto_program.h"

static bool has_pipe(const struct tessera_pto_program *p, int function, int pipe) {
  if (!pto_api_function(p, function) || pipe < 0 || (uint32_t)pipe >= p->program->pipe_count) return false;
  for (unsigned core = 0; core < PTO_CORES; core++)
    if (p->program->core_function[core] == function) return p->program->pipes[pipe].has[core];
  return false;
}

static bool has_tile(const struct tessera_pto_program *p, int function, int tile) {
  return pto_api_function(p, function) && tile >= 0 && tile < (int)p->program->functions[function].tile_count;
}

int tessera_pto_push(struct tessera_pto_program *p, int function, int pipe, int tile, enum tessera_pto_split split,
                     uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_pipe(p, function, pipe) || !has_tile(p, function, tile) || (unsigned)split >= PTO_SPLITS)
    return pto_api_fail(p, "push: no such pipe or tile");
  struct pto_instr i = pto_instr_make(PTO_OP_TPUSH, line);
  i.pipe = (int16_t)pipe;
  i.src[0] = (int16_t)tile;
  i.split = (uint8_t)split;
  return pto_api_emit(p, function, i);
}

int tessera_pto_pop(struct tessera_pto_program *p, int function, int pipe, int tile, enum tessera_pto_split split,
                    uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_pipe(p, function, pipe) || !has_tile(p, function, tile) || (unsigned)split >= PTO_SPLITS)
    return pto_api_fail(p, "pop: no such pipe or tile");
  struct pto_instr i = pto_instr_make(PTO_OP_TPOP, line);
  i.pipe = (int16_t)pipe;
  i.dst = (int16_t)tile;
  i.split = (uint8_t)split;
  p->program->functions[function].tiles[tile].bound = 1;
  return pto_api_emit(p, function, i);
}

int tessera_pto_free(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_split split, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_pipe(p, function, pipe) || (unsigned)split >= PTO_SPLITS) return pto_api_fail(p, "free: no such pipe");
  struct pto_instr i = pto_instr_make(PTO_OP_TFREE, line);
  i.pipe = (int16_t)pipe;
  i.split = (uint8_t)split;
  return pto_api_emit(p, function, i);
}

static int lifetime(struct tessera_pto_program *p, int function, unsigned op, int pipe, uint32_t line) {
  if (!has_pipe(p, function, pipe)) return pto_api_fail(p, "no such pipe");
  struct pto_instr i = pto_instr_make(op, line);
  i.pipe = (int16_t)pipe;
  return pto_api_emit(p, function, i);
}

int tessera_pto_end_pipe(struct tessera_pto_program *p, int function, int pipe, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return lifetime(p, function, PTO_OP_PIPE_END, pipe, line);
}
int tessera_pto_build_pipe(struct tessera_pto_program *p, int function, int pipe, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return lifetime(p, function, PTO_OP_PIPE_INIT, pipe, line);
}

int tessera_pto_set_status(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_status which, int value,
                           uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_pipe(p, function, pipe) || (unsigned)which > TESSERA_PTO_FREE) return pto_api_fail(p, "status: no such pipe");
  struct pto_instr i = pto_instr_make(PTO_OP_SET_ALLOCATE + (unsigned)which, line);
  i.pipe = (int16_t)pipe;
  i.a.imm = value != 0;
  return pto_api_emit(p, function, i);
}

int tessera_pto_set_field(struct tessera_pto_program *p, int function, int pipe, enum tessera_pto_field which, int64_t value,
                          uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_pipe(p, function, pipe) || (unsigned)which > TESSERA_PTO_CONS_TILE || value < 0 || value > INT32_MAX)
    return pto_api_fail(p, "field: no such pipe or value");
  struct pto_instr i = pto_instr_make(PTO_OP_PROD_OFFSET + (unsigned)which, line);
  i.pipe = (int16_t)pipe;
  i.a.imm = (int32_t)value;
  return pto_api_emit(p, function, i);
}

static int new_reg(struct tessera_pto_program *p, int function) {
  struct pto_function *fn = &p->program->functions[function];
  if (fn->reg_count >= PTO_REGS_MAX) return pto_api_fail(p, "too many scalar values");
  return fn->reg_count++;
}

/* dst = op(a, imm) into a new register; its number, or -1. a < 0: the operation has no register operand. */
static int emit_scalar(struct tessera_pto_program *p, int function, unsigned op, int a, int32_t imm) {
  int dst = new_reg(p, function);
  if (dst < 0) return -1;
  struct pto_instr i = pto_instr_make(op, 0);
  i.dst = (int16_t)dst;
  if (a >= 0) {
    i.a.reg = (int16_t)a;
    i.b.imm = imm;
  }
  return pto_api_emit(p, function, i) < 0 ? -1 : dst;
}

/* lane * per_lane + base, as a register when it depends on the lane. */
static bool lane_offset(struct tessera_pto_program *p, int function, uint32_t base, uint32_t per_lane,
                        struct pto_value *out) {
  *out = (struct pto_value){.imm = (int32_t)base, .reg = -1};
  if (!per_lane) return true;
  int lane = emit_scalar(p, function, PTO_OP_LANE, -1, 0);
  int scaled = lane < 0 ? -1 : emit_scalar(p, function, PTO_OP_MUL, lane, (int32_t)per_lane);
  int sum = scaled < 0 ? -1 : emit_scalar(p, function, PTO_OP_ADD, scaled, (int32_t)base);
  if (sum < 0) return false;
  *out = (struct pto_value){.reg = (int16_t)sum};
  return true;
}

/* Reuses the view of an identical part of a tensor or slot. */
static int same_view(struct tessera_pto_program *p, int function, const struct pto_view *v) {
  const struct pto_function *fn = &p->program->functions[function];
  for (int k = 0; k < (int)fn->view_count; k++)
    if (memcmp(&fn->views[k], v, sizeof *v) == 0) return k;
  return pto_program_view(p->program, function, v);
}

/* Adds the load or store of a tile through a view. */
static int move_tile(struct tessera_pto_program *p, int function, struct pto_instr i, int tile) {
  if (i.view < 0) return -1;
  if (i.op == PTO_OP_LOAD) i.dst = (int16_t)tile;
  else i.src[0] = (int16_t)tile;
  return pto_api_emit(p, function, i);
}

static int transfer(struct tessera_pto_program *p, int function, unsigned op, const struct tessera_pto_transfer *what) {
  if (!what || !has_tile(p, function, what->tile) || what->tensor < 0 ||
      (uint32_t)what->tensor >= p->program->global_count || what->row > INT32_MAX || what->col > INT32_MAX)
    return pto_api_fail(p, "transfer: no such tile or tensor");
  const struct pto_tile *t = &p->program->functions[function].tiles[what->tile];
  const struct pto_global *g = &p->program->globals[what->tensor];
  if (t->dtype != g->dtype && t->loc != PTO_ACC) return pto_api_fail(p, "transfer: tile and tensor have different formats");
  struct pto_view v;
  memset(&v, 0, sizeof v);
  v.global = (int16_t)what->tensor;
  v.slot = PTO_NONE;
  v.dtype = g->dtype;
  v.rows = t->valid_rows;
  v.cols = t->valid_cols;
  v.row_stride = g->shape[1];
  v.col_stride = 1;
  struct pto_instr i = pto_instr_make(op, what->line);
  i.view = (int16_t)same_view(p, function, &v);
  if (!lane_offset(p, function, what->row, what->lane_rows, &i.a) ||
      !lane_offset(p, function, what->col, what->lane_cols, &i.b))
    return -1;
  return move_tile(p, function, i, what->tile);
}

int tessera_pto_load(struct tessera_pto_program *p, int function, const struct tessera_pto_transfer *what) {
  if (!pto_api_is(p) || !what) return -1;
  return transfer(p, function, PTO_OP_LOAD, what);
}

int tessera_pto_store(struct tessera_pto_program *p, int function, const struct tessera_pto_transfer *what) {
  if (!pto_api_is(p) || !what) return -1;
  return transfer(p, function, PTO_OP_STORE, what);
}

/* Windows that differ only in their first element share a view. The instruction holds the offset, in a dimension of stride 1
 * if there is one. */
static int window_transfer(struct tessera_pto_program *p, int function, unsigned op, int tile,
                           const struct tessera_pto_window *w, uint32_t line) {
  if (!w || !has_tile(p, function, tile) || w->tensor < 0 || (uint32_t)w->tensor >= p->program->global_count ||
      (unsigned)w->dtype >= PTO_DTYPES || !w->rows || !w->cols || w->offset % pto_dtype_bytes((unsigned)w->dtype) ||
      w->offset / pto_dtype_bytes((unsigned)w->dtype) > INT32_MAX)
    return pto_api_fail(p, "window: no such tile or tensor, or no such rectangle");
  const struct pto_tile *t = &p->program->functions[function].tiles[tile];
  if (t->dtype != (unsigned)w->dtype && t->loc != PTO_ACC)
    return pto_api_fail(p, "window: tile and window have different formats");
  uint64_t first = w->offset / pto_dtype_bytes((unsigned)w->dtype);
  struct pto_view v;
  memset(&v, 0, sizeof v);
  v.global = (int16_t)w->tensor;
  v.slot = PTO_NONE;
  v.dtype = (uint8_t)w->dtype;
  v.rows = w->rows;
  v.cols = w->cols;
  v.row_stride = w->row_stride;
  v.col_stride = w->col_stride;
  v.block_cols = w->block_cols;
  v.block_stride = w->block_stride;
  struct pto_instr i = pto_instr_make(op, line);
  if (w->col_stride == 1) i.b.imm = (int32_t)first;
  else if (w->row_stride == 1) i.a.imm = (int32_t)first;
  else v.offset = first;
  i.view = (int16_t)same_view(p, function, &v);
  return move_tile(p, function, i, tile);
}

int tessera_pto_load_window(struct tessera_pto_program *p, int function, int tile, const struct tessera_pto_window *w,
                            uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return window_transfer(p, function, PTO_OP_LOAD, tile, w, line);
}

int tessera_pto_store_window(struct tessera_pto_program *p, int function, const struct tessera_pto_window *w, int tile,
                             uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return window_transfer(p, function, PTO_OP_STORE, tile, w, line);
}

/* --- global-tensor forms --- */

static bool has_view(const struct tessera_pto_program *p, int function, int view) {
  return pto_api_function(p, function) && view >= 0 && view < (int)p->program->functions[function].view_count &&
         p->program->functions[function].views[view].global == PTO_NONE;
}

int tessera_pto_add_view(struct tessera_pto_program *p, int function, enum tessera_pto_dtype dtype, uint32_t rows,
                         uint32_t cols, enum tessera_pto_split split) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || (unsigned)dtype >= PTO_DTYPES || (unsigned)split >= PTO_SPLITS || !rows || !cols ||
      rows > 65536 || cols > 65536)
    return pto_api_fail(p, "a view needs a function, a format and a shape");
  struct pto_view v;
  memset(&v, 0, sizeof v);
  v.global = v.slot = PTO_NONE;
  v.dtype = (uint8_t)dtype;
  v.split = (uint8_t)split;
  v.rows = rows;
  v.cols = cols;
  v.row_stride = split == TESSERA_PTO_LEFT_RIGHT && p->program->functions[function].vector ? 2 * cols : cols;
  v.col_stride = 1;
  return pto_program_view(p->program, function, &v);
}

static int slot_op(struct tessera_pto_program *p, int function, unsigned op, int pipe, int view, uint32_t line) {
  if (!has_pipe(p, function, pipe) || !has_view(p, function, view)) return pto_api_fail(p, "no such pipe or view");
  struct pto_instr i = pto_instr_make(op, line);
  i.pipe = (int16_t)pipe;
  i.view = (int16_t)view;
  i.split = p->program->functions[function].views[view].split;
  return pto_api_emit(p, function, i);
}

int tessera_pto_alloc(struct tessera_pto_program *p, int function, int pipe, int view, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_op(p, function, PTO_OP_TALLOC, pipe, view, line);
}
int tessera_pto_push_view(struct tessera_pto_program *p, int function, int pipe, int view, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_op(p, function, PTO_OP_TPUSH_VIEW, pipe, view, line);
}
int tessera_pto_pop_view(struct tessera_pto_program *p, int function, int pipe, int view, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_op(p, function, PTO_OP_TPOP_VIEW, pipe, view, line);
}
int tessera_pto_free_view(struct tessera_pto_program *p, int function, int pipe, int view, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_op(p, function, PTO_OP_TFREE_VIEW, pipe, view, line);
}

/* The part of a slot that a tile covers gets its own view, bound together with the view of the whole slot. */
static int slot_transfer(struct tessera_pto_program *p, int function, struct pto_instr i, int tile, int view) {
  uint32_t row = (uint32_t)i.a.imm, col = (uint32_t)i.b.imm;
  if (!has_tile(p, function, tile) || !has_view(p, function, view) || row > INT32_MAX || col > INT32_MAX)
    return pto_api_fail(p, "transfer: no such tile or view");
  const struct pto_tile *t = &p->program->functions[function].tiles[tile];
  struct pto_view part = p->program->functions[function].views[view];
  if (t->dtype != part.dtype && t->loc != PTO_ACC) return pto_api_fail(p, "transfer: tile and view have different formats");
  if (row > part.rows || t->valid_rows > part.rows - row || col > part.cols || t->valid_cols > part.cols - col)
    return pto_api_fail(p, "transfer: the tile reaches beyond the view");
  part.rows = t->valid_rows;
  part.cols = t->valid_cols;
  i.view = (int16_t)same_view(p, function, &part);
  return move_tile(p, function, i, tile);
}

static struct pto_instr move_at(unsigned op, uint32_t row, uint32_t col, uint32_t line) {
  struct pto_instr i = pto_instr_make(op, line);
  i.a.imm = (int32_t)row;
  i.b.imm = (int32_t)col;
  return i;
}

int tessera_pto_load_view(struct tessera_pto_program *p, int function, int tile, int view, uint32_t row, uint32_t col,
                          uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_transfer(p, function, move_at(PTO_OP_LOAD, row, col, line), tile, view);
}

int tessera_pto_store_view(struct tessera_pto_program *p, int function, int view, uint32_t row, uint32_t col, int tile,
                           uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return slot_transfer(p, function, move_at(PTO_OP_STORE, row, col, line), tile, view);
}

/* --- events and bare flags --- */

int tessera_pto_record_event(struct tessera_pto_program *p, int function, int push) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || push < 0 || (uint32_t)push >= p->program->functions[function].instr_count)
    return pto_api_fail(p, "record_event: no such instruction");
  struct pto_function *fn = &p->program->functions[function];
  struct pto_instr *i = &fn->instrs[push];
  if (i->op != PTO_OP_TPUSH && i->op != PTO_OP_TPUSH_VIEW) return pto_api_fail(p, "record_event: only a push has one");
  if (i->event >= 0) return i->event;
  if (fn->event_count >= PTO_EVENTS_MAX) return pto_api_fail(p, "too many record events in one function");
  i->event = (int16_t)fn->event_count++;
  return i->event;
}

int tessera_pto_wait_event(struct tessera_pto_program *p, int function, int event, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || event < 0 || event >= (int)p->program->functions[function].event_count)
    return pto_api_fail(p, "wait_event: no such event");
  struct pto_instr i = pto_instr_make(PTO_OP_WAIT_EVENT, line);
  i.event = (int16_t)event;
  return pto_api_emit(p, function, i);
}

static int sync_op(struct tessera_pto_program *p, int function, unsigned op, unsigned unit, unsigned unit2, unsigned id,
                   uint32_t line) {
  bool local = op == PTO_OP_SET_FLAG || op == PTO_OP_WAIT_FLAG;
  unsigned units = op == PTO_OP_BARRIER ? (unsigned)PTO_UNITS : (unsigned)PTO_UNITS - 1;
  if (!pto_api_function(p, function) || unit > units || unit2 >= PTO_UNITS || id >= (local ? 8u : PTO_FLAGS))
    return pto_api_fail(p, "flag: no such function, pipe or id");
  struct pto_instr i = pto_instr_make(op, line);
  i.unit = (uint8_t)unit;
  i.unit2 = (uint8_t)unit2;
  i.a.imm = (int32_t)id;
  return pto_api_emit(p, function, i);
}

int tessera_pto_cross_set(struct tessera_pto_program *p, int function, enum tessera_pto_unit unit, unsigned id,
                          uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return sync_op(p, function, PTO_OP_CROSS_SET, (unsigned)unit, 0, id, line);
}
int tessera_pto_cross_wait(struct tessera_pto_program *p, int function, enum tessera_pto_unit unit, unsigned id,
                           uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return sync_op(p, function, PTO_OP_CROSS_WAIT, (unsigned)unit, 0, id, line);
}
int tessera_pto_pipe_set(struct tessera_pto_program *p, int function, enum tessera_pto_unit src, enum tessera_pto_unit dst,
                         unsigned event, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return sync_op(p, function, PTO_OP_SET_FLAG, (unsigned)src, (unsigned)dst, event, line);
}
int tessera_pto_pipe_wait(struct tessera_pto_program *p, int function, enum tessera_pto_unit src, enum tessera_pto_unit dst,
                          unsigned event, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return sync_op(p, function, PTO_OP_WAIT_FLAG, (unsigned)src, (unsigned)dst, event, line);
}
int tessera_pto_barrier(struct tessera_pto_program *p, int function, enum tessera_pto_unit unit, uint32_t line) {
  if (!pto_api_is(p)) return -1;
  return sync_op(p, function, PTO_OP_BARRIER, (unsigned)unit, 0, 0, line);
}

int tessera_pto_manual_sync(struct tessera_pto_program *p, int function) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function)) return pto_api_fail(p, "no such function");
  p->program->functions[function].manual_sync = 1;
  return 0;
}

/* --- tile operations --- */

int tessera_pto_set_valid(struct tessera_pto_program *p, int function, int tile, uint32_t rows, uint32_t cols,
                          uint32_t line) {
  if (!pto_api_is(p)) return -1;
  if (!has_tile(p, function, tile) || rows > p->program->functions[function].tiles[tile].rows ||
      cols > p->program->functions[function].tiles[tile].cols)
    return pto_api_fail(p, "no such tile, or it is smaller");
  struct pto_instr i = pto_instr_make(PTO_OP_SET_VALID, line);
  i.dst = (int16_t)tile;
  i.a.imm = (int32_t)rows;
  i.b.imm = (int32_t)cols;
  return pto_api_emit(p, function, i);
}

/* The machine's operation, and how many operands it needs. */
static const struct {
  uint8_t op, sources;
} ops[TESSERA_PTO_OPS] = {
    {PTO_OP_MOV, 1},           {PTO_OP_MATMUL, 2},        {PTO_OP_MATMUL_ACC, 3},    {PTO_OP_MATMUL_BIAS, 3},
    {PTO_OP_TADD, 2},          {PTO_OP_TSUB, 2},          {PTO_OP_TMUL, 2},          {PTO_OP_TDIV, 2},
    {PTO_OP_TMAX, 2},          {PTO_OP_TMIN, 2},          {PTO_OP_TADDS, 1},         {PTO_OP_TSUBS, 1},
    {PTO_OP_TMULS, 1},         {PTO_OP_TDIVS, 1},         {PTO_OP_TEXP, 1},          {PTO_OP_TRELU, 1},
    {PTO_OP_TCVT, 1},          {PTO_OP_TFILL, 0},         {PTO_OP_ROWMAX, 1},        {PTO_OP_ROWSUM, 1},
    {PTO_OP_ROWEXPAND_SUB, 2}, {PTO_OP_ROWEXPAND_MUL, 2}, {PTO_OP_ROWEXPAND_DIV, 2}, {PTO_OP_DEQUANT, 2}};

unsigned pto_api_op(enum tessera_pto_op op) { return ops[op].op; }

int tessera_pto_emit(struct tessera_pto_program *p, int function, const struct tessera_pto_operation *o) {
  if (!pto_api_is(p)) return -1;
  if (!o || (unsigned)o->op >= TESSERA_PTO_OPS || !has_tile(p, function, o->dst))
    return pto_api_fail(p, "no such operation or tile");
  struct pto_instr i = pto_instr_make(ops[o->op].op, o->line);
  for (unsigned k = 0; k < 3; k++) {
    if (o->src[k] < 0 && k >= ops[o->op].sources) continue;
    if (!has_tile(p, function, o->src[k])) return pto_api_fail(p, "an operand is missing");
    i.src[k] = (int16_t)o->src[k];
  }
  i.dst = (int16_t)o->dst;
  i.number = o->number;
  return pto_api_emit(p, function, i);
}

static struct pto_instr *last_of(struct tessera_pto_program *p, int function) {
  if (!pto_api_function(p, function) || !p->program->functions[function].instr_count) return NULL;
  return &p->program->functions[function].instrs[p->program->functions[function].instr_count - 1];
}

/* The format that the conversion produces from the accumulator's; PTO_DTYPES: it cannot convert it. */
static unsigned converted(unsigned quant, unsigned from) {
  bool integers = quant == PTO_DEQF16 || quant == PTO_VDEQF16;
  if (from != (integers ? PTO_I32 : PTO_F32)) return PTO_DTYPES;
  return quant == PTO_F322BF16 ? PTO_BF16 : PTO_F16;
}

int tessera_pto_set_fixpipe(struct tessera_pto_program *p, int function, const struct tessera_pto_fixpipe *options) {
  if (!pto_api_is(p) || !options) return -1;
  struct pto_instr *i = last_of(p, function);
  if (!i || (i->op != PTO_OP_TPUSH && i->op != PTO_OP_STORE) || (unsigned)options->quant >= PTO_QUANTS ||
      (unsigned)options->layout >= PTO_LAYOUTS)
    return pto_api_fail(p, "fixpipe: the last instruction is not a push or store, or there is no such option");
  const struct pto_function *fn = &p->program->functions[function];
  const struct pto_tile *from = &fn->tiles[i->src[0]];
  if (from->loc != PTO_ACC) return pto_api_fail(p, "fixpipe: the tile is not in the accumulator");
  if (options->layout == TESSERA_PTO_NZ2DN && (i->op != PTO_OP_TPUSH || i->split))
    return pto_api_fail(p, "fixpipe: NZ2DN goes with a push without split");
  unsigned to = options->quant ? converted((unsigned)options->quant, from->dtype) : from->dtype;
  if (to == PTO_DTYPES) return pto_api_fail(p, "fixpipe: the conversion does not accept the accumulator's format");
  if (options->quant && i->op == PTO_OP_STORE && fn->views[i->view].dtype != to)
    return pto_api_fail(p, "fixpipe: the conversion does not produce the tensor's format");
  if (options->quant == TESSERA_PTO_VDEQF16) {
    if (!has_tile(p, function, options->scales) || fn->tiles[options->scales].valid_cols < from->valid_cols)
      return pto_api_fail(p, "fixpipe: VDEQF16 needs a tile with one scale for each column");
    i->src[1] = (int16_t)options->scales;
  }
  i->quant = (uint8_t)options->quant;
  i->layout = (uint8_t)options->layout;
  i->relu = options->relu != 0;
  i->atomic_add = options->atomic_add != 0;
  i->number = options->scale;
  return 0;
}

int tessera_pto_set_subblock(struct tessera_pto_program *p, int function, unsigned lane) {
  if (!pto_api_is(p)) return -1;
  struct pto_instr *i = last_of(p, function);
  if (!i || lane > 1 || i->op < PTO_OP_TALLOC || i->op > PTO_OP_TPOP_VIEW)
    return pto_api_fail(p, "subblock: the last instruction is not a push or pop, or there is no such lane");
  i->lane = (int8_t)lane;
  return 0;
}

int tessera_pto_set_pad_zero(struct tessera_pto_program *p, int function) {
  if (!pto_api_is(p)) return -1;
  struct pto_instr *i = last_of(p, function);
  if (!i || i->op != PTO_OP_LOAD) return pto_api_fail(p, "pad: the last instruction is not a load");
  i->pad_zero = 1;
  return 0;
}

int tessera_pto_cost(struct tessera_pto_program *p, int function, uint32_t cycles) {
  if (!pto_api_is(p)) return -1;
  struct pto_instr *i = last_of(p, function);
  if (!i) return pto_api_fail(p, "no instruction to set a cost for");
  i->cost = cycles;
  return 0;
}

static int open_block(struct tessera_pto_program *p, int function, uint32_t start, int reg, bool lane) {
  if (p->open_count[function] == PTO_API_BLOCKS_MAX) return pto_api_fail(p, "blocks are nested too deep");
  p->open[function][p->open_count[function]].start = start;
  p->open[function][p->open_count[function]].reg = (int16_t)reg;
  p->open[function][p->open_count[function]++].lane = lane;
  return reg;
}

int tessera_pto_loop_begin(struct tessera_pto_program *p, int function, uint32_t count) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || count > INT32_MAX) return pto_api_fail(p, "no such function or count");
  int reg = new_reg(p, function), test = new_reg(p, function);
  if (test < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_SET, 0);
  i.dst = (int16_t)reg;
  pto_api_emit(p, function, i);
  uint32_t start = p->program->functions[function].instr_count;
  i = pto_instr_make(PTO_OP_LT, 0);
  i.dst = (int16_t)test;
  i.a.reg = (int16_t)reg;
  i.b.imm = (int32_t)count;
  pto_api_emit(p, function, i);
  i = pto_instr_make(PTO_OP_BRANCH_ZERO, 0);
  i.a.reg = (int16_t)test;
  if (pto_api_emit(p, function, i) < 0) return -1;
  return open_block(p, function, start, reg, false);
}

int tessera_pto_loop_end(struct tessera_pto_program *p, int function) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || !p->open_count[function] || p->open[function][p->open_count[function] - 1].lane)
    return pto_api_fail(p, "no loop is open");
  unsigned k = --p->open_count[function];
  struct pto_instr i = pto_instr_make(PTO_OP_ADD, 0);
  i.dst = i.a.reg = p->open[function][k].reg;
  i.b.imm = 1;
  pto_api_emit(p, function, i);
  i = pto_instr_make(PTO_OP_JUMP, 0);
  i.target = p->open[function][k].start;
  int at = pto_api_emit(p, function, i);
  if (at >= 0) p->program->functions[function].instrs[p->open[function][k].start + 1].target = (uint32_t)at + 1;
  return at < 0 ? -1 : 0;
}

int tessera_pto_lane_begin(struct tessera_pto_program *p, int function, unsigned lane) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || lane > 1) return pto_api_fail(p, "lane 0 or 1");
  int id = emit_scalar(p, function, PTO_OP_LANE, -1, 0);
  int test = id < 0 ? -1 : emit_scalar(p, function, PTO_OP_EQ, id, (int32_t)lane);
  if (test < 0) return -1;
  struct pto_instr i = pto_instr_make(PTO_OP_BRANCH_ZERO, 0);
  i.a.reg = (int16_t)test;
  int at = pto_api_emit(p, function, i);
  return at < 0 || open_block(p, function, (uint32_t)at, 0, true) < 0 ? -1 : 0;
}

int tessera_pto_lane_end(struct tessera_pto_program *p, int function) {
  if (!pto_api_is(p)) return -1;
  if (!pto_api_function(p, function) || !p->open_count[function] || !p->open[function][p->open_count[function] - 1].lane)
    return pto_api_fail(p, "no lane block is open");
  unsigned k = --p->open_count[function];
  p->program->functions[function].instrs[p->open[function][k].start].target = p->program->functions[function].instr_count;
  return 0;
}
