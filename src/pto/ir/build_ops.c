/* PTO IR: tiles, views and the operations on data. */
#include "pto/ir/build_ops.h"

#include <string.h>

#include "pto/ir/operands.h"

static bool on_cube(const struct ir_builder *b) { return !b->program->functions[b->function].vector; }

/* --- tiles and views --- */

static bool build_alloc(struct ir_builder *b, const struct ir_op *op) {
  struct ir_type type;
  if (op->result_count != 1 || !pto_ir_result_type(b, op, &type))
    return pto_ir_fail_op(b, op, "a tile needs a result and its type");
  if (type.kind != IR_T_TILE) return pto_ir_fail_op(b, op, "this gives a !pto.tile_buf<...>");
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_TILE, op->line);
  if (!s) return false;
  s->type = type;
  int64_t addr = pto_ir_attr_int(b, op, "addr", -1);
  if (addr >= 0 && addr < 1 << 30) s->addr = (uint32_t)addr;
  return true;
}

/* A global tensor as a matrix: its last two dimensions, the others flattened into rows. */
static bool whole_view(const struct ir_builder *b, int global, struct pto_view *v) {
  const struct pto_global *g = &b->program->globals[global];
  memset(v, 0, sizeof *v);
  v->global = (int16_t)global;
  v->slot = PTO_NONE;
  v->dtype = g->dtype;
  v->rows = v->cols = 1;
  for (unsigned i = 0; i + 1 < g->rank; i++) v->rows *= g->shape[i];
  if (g->rank) v->cols = g->shape[g->rank - 1];
  v->row_stride = v->cols;
  v->col_stride = 1;
  return g->rank > 0;
}

static bool list_value(struct ir_builder *b, const struct ir_arg *list, uint32_t at, struct pto_value *value) {
  *value = (struct pto_value){.reg = -1};
  if (at >= list->list_count) return pto_ir_fail(b, list->line, list->column, "the list is too short");
  return pto_ir_scalar_arg(b, &b->tree->args[list->list + at], value);
}

static bool constant_value(struct ir_builder *b, const struct ir_arg *list, uint32_t at, uint32_t *out) {
  struct pto_value v;
  if (!list_value(b, list, at, &v)) return false;
  if (v.reg >= 0 || v.imm < 0) return pto_ir_fail(b, list->line, list->column, "sizes and strides must be constant");
  *out = (uint32_t)v.imm;
  return true;
}

/* The last two elements of a list; leading ones must be constants (0 for offsets, 1 for sizes). */
static bool last_two(struct ir_builder *b, const struct ir_arg *list, uint32_t out[2]) {
  if (list->kind != IR_PUNCT || list->list_count < 2 || list->list_count > 64)
    return pto_ir_fail(b, list->line, list->column, "expected a list of at least two values");
  return constant_value(b, list, list->list_count - 2, &out[0]) && constant_value(b, list, list->list_count - 1, &out[1]);
}

static bool add_view(struct ir_builder *b, const struct ir_op *op, const struct pto_view *v, struct pto_value row,
                     struct pto_value col) {
  int index = pto_program_view(b->program, b->function, v);
  if (index < 0) return pto_ir_fail_op(b, op, b->program->error);
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_VIEW, op->line);
  if (!s) return false;
  s->index = (int16_t)index;
  s->value = row;
  s->column = col;
  return true;
}

/* The views define the size of an argument without a shape. */
static void grow_global(struct ir_builder *b, const struct pto_view *v) {
  struct pto_global *g = &b->program->globals[v->global];
  if (g->rank || !v->rows || !v->cols) return;
  uint64_t elements = (uint64_t)(v->rows - 1) * v->row_stride + (uint64_t)(v->cols - 1) * v->col_stride + 1;
  uint64_t bytes = elements * pto_dtype_bytes(g->dtype);
  if (bytes > g->bytes && bytes < UINT64_C(1) << 28) {
    g->bytes = bytes;
    g->shape[0] = v->rows; /* used when the tensor is written to a file */
    g->shape[1] = v->cols;
  }
}

static bool build_make_view(struct ir_builder *b, const struct ir_op *op, const struct ir_operands *o) {
  const struct ir_arg *shape = pto_ir_attr(b, op, "shape"), *strides = pto_ir_attr(b, op, "strides");
  struct pto_view v = {0};
  uint32_t size[2] = {0, 0}, stride[2] = {0, 0};
  if (op->result_count != 1 || o->in_count != 1 || o->in[0]->kind != IR_S_GLOBAL)
    return pto_ir_fail_op(b, op, "make_tensor_view takes a pointer and gives a view");
  whole_view(b, o->in[0]->index, &v);
  if (shape) {
    if (!last_two(b, shape, size)) return false;
    v.rows = size[0];
    v.cols = size[1];
    v.row_stride = size[1];
  }
  if (strides) {
    if (!last_two(b, strides, stride)) return false;
    v.row_stride = stride[0];
    v.col_stride = stride[1];
  }
  if (v.rows > 1u << 24 || v.cols > 1u << 24 || v.row_stride > 1u << 24 || v.col_stride > 1u << 24)
    return pto_ir_fail_op(b, op, "this view is larger than the model's memory");
  grow_global(b, &v);
  const struct pto_value none = {.reg = -1};
  return add_view(b, op, &v, none, none);
}

static bool base_view(struct ir_builder *b, const struct ir_op *op, struct ir_symbol *s, struct pto_view *v) {
  if (s->kind == IR_S_GLOBAL) {
    if (!whole_view(b, s->index, v)) return pto_ir_fail_op(b, op, "this pointer has no shape: use make_tensor_view");
    return true;
  }
  if (s->kind != IR_S_VIEW) return pto_ir_fail_op(b, op, "expected a view or a global tensor");
  *v = b->program->functions[b->function].views[s->index];
  return true;
}

static bool build_partition(struct ir_builder *b, const struct ir_op *op, const struct ir_operands *o) {
  const struct ir_arg *offsets = pto_ir_attr(b, op, "offsets"), *sizes = pto_ir_attr(b, op, "sizes");
  struct pto_view v = {0};
  struct pto_value row = {.reg = -1}, col = {.reg = -1};
  uint32_t size[2] = {0, 0};
  struct ir_type type;
  if (op->result_count != 1 || o->in_count != 1)
    return pto_ir_fail_op(b, op, "partition_view takes a view and gives a view");
  if (!base_view(b, op, o->in[0], &v)) return false;
  if (offsets) {
    if (offsets->list_count < 2 || offsets->list_count > 64)
      return pto_ir_fail(b, offsets->line, offsets->column, "offsets needs two values");
    if (!list_value(b, offsets, offsets->list_count - 2, &row) || !list_value(b, offsets, offsets->list_count - 1, &col))
      return false;
  }
  if (sizes) {
    if (!last_two(b, sizes, size)) return false;
    v.rows = size[0];
    v.cols = size[1];
  } else {
    if (!pto_ir_result_type(b, op, &type) || type.kind != IR_T_VIEW || type.rank < 2 || !type.shape[type.rank - 1])
      return pto_ir_fail_op(b, op, "sizes is missing");
    v.rows = type.shape[type.rank - 2];
    v.cols = type.shape[type.rank - 1];
  }
  if (o->in[0]->kind == IR_S_VIEW) {
    row = pto_ir_arith(b, op, PTO_OP_ADD, o->in[0]->value, row);
    col = pto_ir_arith(b, op, PTO_OP_ADD, o->in[0]->column, col);
    if (v.global == PTO_NONE && v.slot == PTO_NONE) v.slot = o->in[0]->index;
  }
  if (b->failed) return false;
  return add_view(b, op, &v, row, col);
}

/* --- operations --- */

static unsigned default_loc(const struct ir_builder *b, unsigned code, unsigned input) {
  if (code >= PTO_OP_MATMUL && code <= PTO_OP_MATMUL_BIAS)
    return input == 0 ? PTO_LEFT : input == 1 ? PTO_RIGHT : code == PTO_OP_MATMUL_BIAS ? PTO_BIAS : PTO_ACC;
  if (code >= PTO_OP_MOV && code <= PTO_OP_INSERT && on_cube(b)) return PTO_MAT;
  return on_cube(b) ? PTO_ACC : PTO_VEC;
}

static bool output_tile(struct ir_builder *b, const struct ir_op *op, struct ir_operands *o, unsigned loc, int16_t *index) {
  struct ir_symbol *s = o->out;
  struct ir_type type;
  if (!s && op->result_count) {
    if (!pto_ir_result_type(b, op, &type)) return false;
    if (type.kind != IR_T_TILE) return pto_ir_fail_op(b, op, "the result must be a tile");
    s = pto_ir_add(b, op->results[0], IR_S_TILE, op->line);
    if (!s) return false;
    s->type = type;
  }
  if (!s) return pto_ir_fail_op(b, op, "no result: name one, or give outs(...)");
  if (s->kind != IR_S_TILE) return pto_ir_fail_op(b, op, "outs must be a tile");
  *index = (int16_t)pto_ir_use_tile(b, s, loc);
  return !b->failed;
}

static const struct pto_tile *tile_at(const struct ir_builder *b, int index) {
  return &b->program->functions[b->function].tiles[index];
}

static bool check_shapes(struct ir_builder *b, const struct ir_op *op, const struct ir_row *t, const struct pto_instr *i) {
  const struct pto_tile *d = i->dst >= 0 ? tile_at(b, i->dst) : NULL, *x = i->src[0] >= 0 ? tile_at(b, i->src[0]) : NULL;
  const struct pto_tile *y = i->src[1] >= 0 ? tile_at(b, i->src[1]) : NULL;
  if (!d) return true;
  if (t->shapes == IR_SHAPES_MATMUL && x && y) {
    if (x->valid_cols != y->valid_rows || d->valid_rows != x->valid_rows || d->valid_cols != y->valid_cols)
      return pto_ir_fail(b, op->line, op->column, "matmul of %ux%u by %ux%u into %ux%u", x->valid_rows, x->valid_cols,
                         y->valid_rows, y->valid_cols, d->valid_rows, d->valid_cols);
    if (x->loc != PTO_LEFT || y->loc != PTO_RIGHT || d->loc != PTO_ACC)
      return pto_ir_fail_op(b, op, "matmul takes a left and a right tile and gives an acc tile (move them with tmov)");
  }
  if (t->shapes == IR_SHAPES_ELEMENTWISE) {
    if (x && (x->valid_rows != d->valid_rows || x->valid_cols != d->valid_cols))
      return pto_ir_fail(b, op->line, op->column, "operand is %ux%u, result %ux%u", x->valid_rows, x->valid_cols,
                         d->valid_rows, d->valid_cols);
    if (y && (y->valid_rows != d->valid_rows || y->valid_cols != d->valid_cols))
      return pto_ir_fail(b, op->line, op->column, "second operand is %ux%u, result %ux%u", y->valid_rows, y->valid_cols,
                         d->valid_rows, d->valid_cols);
  }
  if (t->shapes == IR_SHAPES_ROWS && x && (x->valid_rows != d->valid_rows || (y && y->valid_rows != d->valid_rows)))
    return pto_ir_fail_op(b, op, "operands and result must have the same number of rows");
  if (t->shapes == IR_SHAPES_ANY && t->code == PTO_OP_COLEXPAND_MUL && y && y->valid_cols < d->valid_cols)
    return pto_ir_fail_op(b, op, "the row of factors is too short");
  if ((t->shapes == IR_SHAPES_ELEMENTWISE || t->shapes == IR_SHAPES_ROWS) &&
      (d->loc != PTO_VEC || (x && x->loc != PTO_VEC) || (y && y->loc != PTO_VEC)))
    return pto_ir_fail_op(b, op, "vector operations work on vec tiles");
  if (t->code >= PTO_OP_MOV && t->code <= PTO_OP_INSERT && x && x->dtype != d->dtype && x->loc != PTO_ACC)
    return pto_ir_fail_op(b, op, "a move keeps the number format (use tcvt)");
  return true;
}

static bool build_data_op(struct ir_builder *b, const struct ir_op *op, const struct ir_row *t, struct ir_operands *o) {
  struct pto_instr i = pto_instr_make(t->code, op->line);
  int64_t cost = pto_ir_attr_int(b, op, "cost", -1);
  unsigned inputs = t->tiles;
  if (cost >= 0 && cost < 1 << 30) i.cost = (uint32_t)cost;
  if (t->code == PTO_OP_DEQUANT && o->in_count > 2) inputs = 3;
  if (t->code == PTO_OP_COMPUTE) inputs = o->in_count < 3 ? o->in_count : 3;
  if (t->code == PTO_OP_MATMUL_ACC && o->in_count == 3) { /* written (acc, left, right) */
    struct ir_symbol *acc = o->in[0];
    o->in[0] = o->in[1];
    o->in[1] = o->in[2];
    o->in[2] = acc;
  }
  if (o->in_count < inputs)
    return pto_ir_fail(b, op->line, op->column, "%s needs %u tile%s: %s", t->name, inputs, inputs == 1 ? "" : "s",
                       t->syntax);
  if (t->number && !o->has_number) return pto_ir_fail(b, op->line, op->column, "a number is missing: %s", t->syntax);
  for (unsigned k = 0; k < inputs; k++) {
    if (o->in[k]->kind != IR_S_TILE) return pto_ir_fail_op(b, op, "the operands must be tiles");
    i.src[k] = (int16_t)pto_ir_use_tile(b, o->in[k], default_loc(b, t->code, k));
  }
  i.number = o->number;
  if (!t->number && t->code != PTO_OP_DEQUANT) i.number = 0;
  if (t->code == PTO_OP_EXTRACT || t->code == PTO_OP_INSERT) {
    if (o->scalar_count > 0) i.a = o->scalars[0];
    if (o->scalar_count > 1) i.b = o->scalars[1];
  }
  if (t->code == PTO_OP_COMPUTE) {
    const struct ir_arg *unit = pto_ir_attr(b, op, "unit");
    i.unit = PTO_UNITS;
    for (unsigned u = PTO_MTE2; unit && u < PTO_UNITS; u++)
      if (pto_ir_is(unit->text, pto_unit_name(u))) i.unit = (uint8_t)u;
    if (i.unit == PTO_UNITS)
      return pto_ir_fail_op(b, op, "compute needs unit = \"V\", \"M\", \"MTE2\", ... and cost = cycles");
    if (!o->out && !op->result_count) {
      pto_ir_emit(b, op, &i);
      return !b->failed;
    }
  }
  unsigned loc = t->shapes == IR_SHAPES_MATMUL ? PTO_ACC : on_cube(b) ? PTO_MAT : PTO_VEC;
  if (!output_tile(b, op, o, loc, &i.dst) || !check_shapes(b, op, t, &i)) return false;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_load(struct ir_builder *b, const struct ir_op *op, struct ir_operands *o) {
  struct pto_instr i = pto_instr_make(PTO_OP_LOAD, op->line);
  struct pto_view v = {0};
  int64_t cost = pto_ir_attr_int(b, op, "cost", -1);
  if (cost >= 0 && cost < 1 << 30) i.cost = (uint32_t)cost;
  if (!o->in_count || !base_view(b, op, o->in[0], &v)) return pto_ir_fail_op(b, op, "tload needs a view");
  if (o->in[0]->kind == IR_S_GLOBAL) {
    v.whole = 1;
    int index = pto_program_view(b->program, b->function, &v);
    if (index < 0) return pto_ir_fail_op(b, op, b->program->error);
    i.view = (int16_t)index;
  } else {
    i.view = o->in[0]->index;
    i.a = o->in[0]->value;
    i.b = o->in[0]->column;
  }
  if (!o->out && o->in_count > 1 && o->in[1]->kind == IR_S_TILE) o->out = o->in[1];
  if (!output_tile(b, op, o, on_cube(b) ? PTO_MAT : PTO_VEC, &i.dst)) return false;
  if (tile_at(b, i.dst)->dtype != v.dtype)
    return pto_ir_fail(b, op->line, op->column, "the view holds %s, the tile %s", pto_dtype_name(v.dtype),
                       pto_dtype_name(tile_at(b, i.dst)->dtype));
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_store(struct ir_builder *b, const struct ir_op *op, struct ir_operands *o) {
  struct pto_instr i = pto_instr_make(PTO_OP_STORE, op->line);
  struct pto_view v = {0};
  int64_t cost = pto_ir_attr_int(b, op, "cost", -1);
  struct ir_symbol *target = o->out ? o->out : o->in_count > 1 ? o->in[1] : NULL;
  if (cost >= 0 && cost < 1 << 30) i.cost = (uint32_t)cost;
  if (!o->in_count || o->in[0]->kind != IR_S_TILE || !target) return pto_ir_fail_op(b, op, "tstore needs a tile and a view");
  if (!base_view(b, op, target, &v)) return false;
  i.src[0] = (int16_t)pto_ir_use_tile(b, o->in[0], on_cube(b) ? PTO_ACC : PTO_VEC);
  if (target->kind == IR_S_GLOBAL) {
    v.whole = 1;
    int index = pto_program_view(b->program, b->function, &v);
    if (index < 0) return pto_ir_fail_op(b, op, b->program->error);
    i.view = (int16_t)index;
  } else {
    i.view = target->index;
    i.a = target->value;
    i.b = target->column;
  }
  const struct pto_tile *t = tile_at(b, i.src[0]);
  if (t->loc != PTO_ACC && t->loc != PTO_VEC) return pto_ir_fail_op(b, op, "tstore takes an acc or a vec tile");
  if (t->dtype != v.dtype && t->loc != PTO_ACC)
    return pto_ir_fail(b, op->line, op->column, "the tile holds %s, the view %s", pto_dtype_name(t->dtype),
                       pto_dtype_name(v.dtype));
  i.atomic_add = (uint8_t)pto_ir_attr_int(b, op, "atomic_add", 0);
  i.relu = (uint8_t)pto_ir_attr_int(b, op, "relu", 0);
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_valid(struct ir_builder *b, const struct ir_op *op, const struct ir_operands *o) {
  struct pto_instr i = pto_instr_make(PTO_OP_SET_VALID, op->line);
  if (o->in_count != 1 || o->in[0]->kind != IR_S_TILE || o->scalar_count != 2)
    return pto_ir_fail_op(b, op, "set_validshape needs a tile, its rows and its columns");
  i.dst = (int16_t)pto_ir_use_tile(b, o->in[0], on_cube(b) ? PTO_ACC : PTO_VEC);
  i.a = o->scalars[0];
  i.b = o->scalars[1];
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

bool pto_ir_build_tile_op(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row) {
  struct ir_operands o;
  if (row->builder == IR_B_TILE_DECL) return build_alloc(b, op);
  if (!pto_ir_operands(b, op, &o)) return !b->failed;
  switch (row->builder) {
    case IR_B_VIEW: return build_make_view(b, op, &o);
    case IR_B_PARTITION: return build_partition(b, op, &o);
    case IR_B_LOAD: return build_load(b, op, &o);
    case IR_B_VALID: return build_valid(b, op, &o);
    case IR_B_STORE: return build_store(b, op, &o);
    default: return build_data_op(b, op, row, &o);
  }
}
