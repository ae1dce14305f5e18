/* PTO IR: pipes in all spellings, push, pop, alloc, free, statuses, flags. */
#include "pto/ir/build_pipe.h"

#include <stdio.h>
#include <string.h>

#include "pto/ir/operands.h"
#include "pto/program/pipe.h"

/* --- declaring pipes --- */

static bool on_cube(const struct ir_builder *b) { return !b->program->functions[b->function].vector; }

static void assembler_config(struct ir_builder *b, const struct ir_op *op, struct pto_pipe_config *c) {
  int64_t mask = pto_ir_attr_int(b, op, "dir_mask", 0), id = pto_ir_attr_int(b, op, "id", 0);
  c->dir = (uint8_t)(mask >= 1 && mask <= 7 ? mask : 0);
  c->slot_size = (uint32_t)pto_ir_attr_int(b, op, "slot_size", 0);
  c->slot_num = (uint32_t)pto_ir_attr_int(b, op, "slot_num", mask == 3 ? 4 : 8);
  c->local_slot_num = (uint32_t)pto_ir_attr_int(b, op, "local_slot_num", 2);
  c->flag_id = (uint16_t)pto_ir_attr_int(b, op, "flag_base", 4 * id); /* inferred: ids are four flags apart */
  c->no_split = pto_ir_attr_int(b, op, "nosplit", 0) != 0;
}

static bool slot_buffer(struct ir_builder *b, const struct ir_arg *a, struct pto_pipe_config *c) {
  if (a->kind == IR_INT) {
    c->gm_addr = (uint64_t)a->integer;
    return true;
  }
  struct ir_symbol *s = a->kind == IR_AT ? pto_ir_global_symbol(b, a) : pto_ir_find(b, a->text);
  if (b->failed) return false;
  if (s && s->kind == IR_S_GLOBAL) c->gm_global = s->index; /* the program itself places the ring */
  else if (s && s->kind == IR_S_SCALAR && s->value.reg < 0) c->gm_addr = (uint64_t)(uint32_t)s->value.imm;
  else return pto_ir_fail(b, a->line, a->column, "gm_slot_buffer must be a pointer or an address");
  return true;
}

static bool buffer_addr(struct ir_builder *b, const struct ir_arg *a, struct pto_pipe_config *c, unsigned direction) {
  struct pto_value v;
  struct ir_symbol *s = a->kind == IR_PERCENT ? pto_ir_find(b, a->text) : NULL;
  uint32_t *addr = direction == PTO_DIRECTION_C2V ? &c->c2v_addr : &c->v2c_addr;
  if (s && s->kind == IR_S_BUFFER) {
    *addr = s->addr;
    c->room[direction] = s->size;
    return true;
  }
  if (!pto_ir_scalar_arg(b, a, &v)) return false;
  if (v.reg >= 0) return pto_ir_fail(b, a->line, a->column, "a consumer buffer needs a constant address");
  *addr = (uint32_t)v.imm;
  return true;
}

static bool pipe_buffers(struct ir_builder *b, const struct ir_op *op, struct pto_pipe_config *c) {
  unsigned position = 0;
  for (uint32_t i = 0; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->role != IR_OPERAND) continue;
    bool good;
    if (pto_ir_is(a->key, "gm_slot_buffer") || pto_ir_is(a->key, "gm")) good = slot_buffer(b, a, c);
    else if (pto_ir_is(a->key, "c2v_consumer_buf")) good = buffer_addr(b, a, c, PTO_DIRECTION_C2V);
    else if (pto_ir_is(a->key, "v2c_consumer_buf")) good = buffer_addr(b, a, c, PTO_DIRECTION_V2C);
    else if (pto_ir_is(a->key, "local_buf") ||
             (a->key.length == 0 && position > 0)) { /* lowered form: (gm, local [, peer]) */
      bool up = c->dir == PTO_V2C || c->dir == PTO_V2C_GM || position > 1;
      good = buffer_addr(b, a, c, up ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V);
      position++;
    } else if (a->key.length == 0) {
      struct ir_symbol *s = a->kind == IR_PERCENT ? pto_ir_find(b, a->text) : NULL;
      bool local = s && (s->kind == IR_S_BUFFER);
      if (local) good = buffer_addr(b, a, c, c->dir == PTO_V2C ? PTO_DIRECTION_V2C : PTO_DIRECTION_C2V);
      else good = slot_buffer(b, a, c);
      position++;
    } else good = pto_ir_fail(b, a->line, a->column, "a pipe has gm_slot_buffer, c2v_consumer_buf and v2c_consumer_buf");
    if (!good) return false;
  }
  return true;
}

static bool pipe_limits(struct ir_builder *b, const struct ir_op *op, const struct pto_pipe_config *c) {
  if (c->slot_num < 1 || c->slot_num > PTO_SLOTS_MAX)
    return pto_ir_fail(b, op->line, op->column, "SlotNum %u: the model has 1 to %u slots", c->slot_num, PTO_SLOTS_MAX);
  if (c->local_slot_num < 1 || c->local_slot_num > PTO_SLOTS_MAX)
    return pto_ir_fail(b, op->line, op->column, "LocalSlotNum %u: 1 to %u", c->local_slot_num, PTO_SLOTS_MAX);
  if (c->slot_size < 1 || c->slot_size > 1u << 24)
    return pto_ir_fail(b, op->line, op->column, "SlotSize %u bytes", c->slot_size);
  if (c->dir == PTO_DIR_NONE) return pto_ir_fail_op(b, op, "the pipe has no direction (dir_mask is 1, 2 or 3)");
  return true;
}

static bool build_pipe_decl(struct ir_builder *b, const struct ir_op *op, bool assembler) {
  struct ir_type type;
  if (assembler) {
    struct ir_slice none = {"pto.pipe", 8};
    char why[8];
    pto_ir_type_parse(none, &type, why, sizeof why);
    assembler_config(b, op, &type.pipe);
    if (pto_ir_is(op->name, "pto.initialize_l2g2l_pipe")) type.pipe.form = PTO_FORM_L2G2L;
    if (pto_ir_is(op->name, "pto.initialize_l2l_pipe")) type.pipe.form = PTO_FORM_L2L;
  } else {
    if (!pto_ir_result_type(b, op, &type)) return false;
    if ((type.kind != IR_T_PIPE && type.kind != IR_T_MPIPE) || !type.complete)
      return pto_ir_fail_op(b, op, "write the pipe's type out: !pto.tpipe<FlagID, Dir, SlotSize, SlotNum, LocalSlotNum>");
  }
  struct pto_pipe_config *c = &type.pipe;
  c->line = op->line;
  c->column = op->column;
  const char *why = "";
  if (c->multi && !pto_pipe_complete(c, &why)) return pto_ir_fail_op(b, op, why);
  c->no_split = (uint8_t)pto_ir_attr_int(b, op, "nosplit", c->no_split);
  c->sync_period = (uint32_t)pto_ir_attr_int(b, op, "sync_period", c->sync_period);
  if (c->sync_period > 64) return pto_ir_fail_op(b, op, "sync_period is at most 64");
  const struct ir_arg *policy = pto_ir_attr(b, op, "policy");
  if (policy) {
    char word[40];
    snprintf(word, sizeof word, "%.*s", (int)(policy->text.length < 39 ? policy->text.length : 39), policy->text.at);
    int found = pto_policy_find(word);
    if (found < 0)
      return pto_ir_fail(b, policy->line, policy->column, "no policy %s (tessera pto policies lists them)", word);
    c->policy = (uint8_t)(found + 1);
  }
  if (!pipe_buffers(b, op, c) || !pipe_limits(b, op, c)) return false;
  char name[PTO_NAME_MAX] = "pipe";
  if (op->result_count)
    snprintf(name, sizeof name, "%.*s", (int)(op->results[0].length < 31 ? op->results[0].length : 31), op->results[0].at);
  int pipe = pto_program_pipe(b->program, b->function, c, name);
  if (pipe < 0) return pto_ir_fail_op(b, op, b->program->error);
  struct pto_instr i = pto_instr_make(PTO_OP_PIPE_INIT, op->line);
  i.pipe = (int16_t)pipe;
  pto_ir_emit(b, op, &i);
  if (op->result_count) {
    struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_PIPE, op->line);
    if (!s) return false;
    s->index = (int16_t)pipe;
  }
  if (b->pipe_id_count < PTO_PIPES_MAX) {
    b->pipe_ids[b->pipe_id_count] = (int)pto_ir_attr_int(b, op, "id", 0);
    b->pipe_of_id[b->pipe_id_count++] = pipe;
  }
  return !b->failed;
}

static bool build_buffer(struct ir_builder *b, const struct ir_op *op) {
  if (op->result_count != 1) return pto_ir_fail_op(b, op, "the buffer needs a result");
  if (b->buffer_count == IR_BUFFERS_MAX) return pto_ir_fail_op(b, op, "too many reserved buffers");
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_BUFFER, op->line);
  if (!s) return false;
  const struct ir_arg *name = pto_ir_attr(b, op, "name"), *peer = pto_ir_attr(b, op, "peer_func");
  struct ir_buffer *buffer = &b->buffers[b->buffer_count++];
  *buffer = (struct ir_buffer){.line = op->line,
                               .column = op->column,
                               .function = b->function,
                               .imported = pto_ir_is(op->name, "pto.import_reserved_buffer")};
  if (name) buffer->name = name->text;
  if (peer) buffer->peer = peer->text;
  int64_t size = pto_ir_attr_int(b, op, "size", 0);
  s->size = size > 0 && size < 1 << 28 ? (uint32_t)size : 0;
  int64_t base = pto_ir_attr_int(b, op, "base", -1);
  /* imported buffers get the address from the peer when the program is placed */
  s->addr = base >= 0 ? (uint32_t)base : PTO_AUTO;
  return true;
}

static bool reserves(const struct ir_builder *b, const struct ir_buffer *r, const struct ir_buffer *import) {
  if (r->imported || r->function == import->function || r->name.length != import->name.length ||
      memcmp(r->name.at, import->name.at, r->name.length) != 0)
    return false;
  return !import->peer.length || pto_ir_is(import->peer, b->program->functions[r->function].name);
}

bool pto_ir_buffers_pair(struct ir_builder *b) {
  for (unsigned i = 0; i < b->buffer_count; i++) {
    const struct ir_buffer *import = &b->buffers[i];
    bool found = !import->imported || !import->name.length;
    for (unsigned k = 0; k < b->buffer_count && !found; k++) found = reserves(b, &b->buffers[k], import);
    if (found) continue;
    return pto_ir_fail(b, import->line, import->column, "no buffer \"%.*s\" is reserved in %s%.*s",
                       (int)(import->name.length < 40 ? import->name.length : 40), import->name.at,
                       import->peer.length ? "@" : "another function",
                       (int)(import->peer.length < 40 ? import->peer.length : 40),
                       import->peer.length ? import->peer.at : "");
  }
  return true;
}

/* --- push, pop, alloc, free --- */

static int pipe_of(struct ir_builder *b, const struct ir_op *op, const struct ir_operands *o) {
  if (o->pipe) return o->pipe->index;
  int64_t id = pto_ir_attr_int(b, op, "id", -1);
  for (unsigned i = 0; i < b->pipe_id_count; i++)
    if (id < 0 || b->pipe_ids[i] == id) return b->pipe_of_id[i];
  pto_ir_fail_op(b, op, "no pipe: give one as operand, or initialise one in this function first");
  return PTO_NONE;
}

static bool take_split(struct ir_builder *b, const struct ir_op *op, struct pto_instr *i) {
  const struct ir_arg *a = pto_ir_attr(b, op, "split");
  if (!a) return true;
  if (a->kind == IR_INT && a->integer >= 0 && a->integer < PTO_SPLITS) {
    i->split = (uint8_t)a->integer;
    return true;
  }
  struct ir_slice word = a->text;
  if (word.length > 5 && memcmp(word.at, "TILE_", 5) == 0) word = (struct ir_slice){word.at + 5, word.length - 5};
  for (unsigned k = 0; k < PTO_SPLITS; k++)
    if (a->kind != IR_INT && pto_ir_is(word, pto_split_name(k))) {
      i->split = (uint8_t)k;
      return true;
    }
  return pto_ir_fail(b, a->line, a->column, "split is NO_SPLIT, UP_DOWN, LEFT_RIGHT, UP_DOWN_ODD or LEFT_RIGHT_ODD");
}

static bool take_fixpipe(struct ir_builder *b, const struct ir_op *op, struct pto_instr *i) {
  const struct ir_arg *a = pto_ir_attr(b, op, "quant"), *scale = pto_ir_attr(b, op, "scale");
  i->relu = (uint8_t)pto_ir_attr_int(b, op, "relu", 0);
  i->atomic_add = (uint8_t)pto_ir_attr_int(b, op, "atomic_add", 0);
  i->number = scale ? scale->number : 0;
  const struct ir_arg *layout = pto_ir_attr(b, op, "layout");
  if (layout) {
    while (i->layout < PTO_LAYOUTS && !pto_ir_is(layout->text, pto_layout_name(i->layout))) i->layout++;
    if (i->layout == PTO_LAYOUTS) return pto_ir_fail(b, layout->line, layout->column, "layout is NZ2ND, NZ2DN or NZ2NZ");
    if (i->layout == PTO_NZ2DN && i->split) return pto_ir_fail_op(b, op, "NZ2DN goes with NO_SPLIT only");
  }
  if (!a) return true;
  for (unsigned k = 0; k < PTO_QUANTS; k++)
    if (pto_ir_is(a->text, pto_quant_name(k))) {
      i->quant = (uint8_t)k;
      return true;
    }
  return pto_ir_fail(b, a->line, a->column, "quant is F322F16, F322BF16, DEQF16 or VDEQF16");
}

static void common_attrs(struct ir_builder *b, const struct ir_op *op, struct pto_instr *i) {
  int64_t cost = pto_ir_attr_int(b, op, "cost", -1), lane = pto_ir_attr_int(b, op, "subblock", -1);
  if (cost >= 0 && cost < 1 << 30) i->cost = (uint32_t)cost;
  if (lane == 0 || lane == 1) i->lane = (int8_t)lane;
}

static bool new_event(struct ir_builder *b, const struct ir_op *op, struct pto_instr *i) {
  struct pto_function *fn = &b->program->functions[b->function];
  if (!op->result_count) return true;
  if (fn->event_count >= PTO_EVENTS_MAX) return pto_ir_fail_op(b, op, "too many record events in one function");
  i->event = (int16_t)fn->event_count++;
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_EVENT, op->line);
  if (s) s->index = i->event;
  return s != NULL;
}

static bool build_push(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct pto_instr i = pto_instr_make(PTO_OP_TPUSH, op->line);
  if (!pto_ir_operands(b, op, &o) || !take_split(b, op, &i) || !take_fixpipe(b, op, &i)) return false;
  common_attrs(b, op, &i);
  int pipe = pipe_of(b, op, &o);
  if (pipe < 0) return false;
  i.pipe = (int16_t)pipe;
  if (!o.in_count) return pto_ir_fail_op(b, op, "tpush needs a tile");
  if (o.in[0]->kind == IR_S_VIEW) {
    i.op = PTO_OP_TPUSH_VIEW;
    i.view = o.in[0]->index;
    if (b->program->functions[b->function].views[i.view].global >= 0)
      return pto_ir_fail(b, o.in_arg[0]->line, o.in_arg[0]->column, "this view comes from no talloc");
  } else if (o.in[0]->kind == IR_S_TILE) {
    i.src[0] = (int16_t)pto_ir_use_tile(b, o.in[0], on_cube(b) ? PTO_ACC : PTO_VEC);
    if (i.quant == PTO_VDEQF16) {
      if (o.in_count < 2 || o.in[1]->kind != IR_S_TILE)
        return pto_ir_fail_op(b, op, "VDEQF16 needs the tile of scales as second operand");
      i.src[1] = (int16_t)pto_ir_use_tile(b, o.in[1], PTO_VEC);
    }
  } else return pto_ir_fail(b, o.in_arg[0]->line, o.in_arg[0]->column, "tpush takes a tile or a view");
  if (!new_event(b, op, &i)) return false;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

/* A new view bound to a slot: talloc and the global-tensor form of tpop. */
static bool slot_view(struct ir_builder *b, const struct ir_op *op, const struct ir_operands *o, struct pto_instr *i,
                      const struct ir_type *type) {
  if (type->rank < 2 || !type->shape[type->rank - 1] || !type->shape[type->rank - 2])
    return pto_ir_fail_op(b, op, "a slot's view needs constant rows and columns");
  struct pto_view v = {.global = PTO_NONE,
                       .slot = PTO_NONE,
                       .dtype = type->dtype,
                       .split = i->split,
                       .rows = type->shape[type->rank - 2],
                       .cols = type->shape[type->rank - 1],
                       .row_stride = type->shape[type->rank - 1],
                       .col_stride = 1};
  /* a lane's columns in the whole tile's rows, in both directions */
  if (i->split == PTO_LEFT_RIGHT && !on_cube(b)) v.row_stride *= 2;
  int index = pto_program_view(b->program, b->function, &v);
  if (index < 0) return pto_ir_fail_op(b, op, b->program->error);
  i->view = (int16_t)index;
  struct ir_symbol *s = pto_ir_add(b, o->result, IR_S_VIEW, op->line);
  if (s) s->index = (int16_t)index;
  return s != NULL;
}

static bool build_talloc(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct ir_type type;
  struct pto_instr i = pto_instr_make(PTO_OP_TALLOC, op->line);
  if (!pto_ir_operands(b, op, &o) || !take_split(b, op, &i)) return false;
  int pipe = pipe_of(b, op, &o);
  if (pipe < 0) return false;
  i.pipe = (int16_t)pipe;
  if (!op->result_count || !pto_ir_result_type(b, op, &type))
    return pto_ir_fail_op(b, op, "talloc needs a result of type !pto.tensor_view<...>");
  if (type.kind != IR_T_VIEW) return pto_ir_fail_op(b, op, "talloc gives a !pto.tensor_view<...>");
  if (!slot_view(b, op, &o, &i, &type)) return false;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool pop_register(struct ir_builder *b, const struct ir_op *op, struct pto_instr *i) {
  struct pto_function *fn = &b->program->functions[b->function];
  if (fn->reg_count >= PTO_REGS_MAX) return pto_ir_fail_op(b, op, "too many scalar values in one function");
  i->event = (int16_t)fn->reg_count++; /* CTRL: the word goes to a register */
  struct ir_symbol *s = pto_ir_add(b, op->results[0], IR_S_SCALAR, op->line);
  if (!s) return false;
  s->value = (struct pto_value){.reg = i->event};
  pto_ir_emit(b, op, i);
  return !b->failed;
}

static bool build_pop(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct ir_type type;
  struct pto_instr i = pto_instr_make(PTO_OP_TPOP, op->line);
  if (!pto_ir_operands(b, op, &o) || !take_split(b, op, &i)) return false;
  common_attrs(b, op, &i);
  int pipe = pipe_of(b, op, &o);
  if (pipe < 0) return false;
  i.pipe = (int16_t)pipe;
  struct ir_symbol *s = o.out ? o.out : o.in_count ? o.in[0] : NULL;
  if (!s) {
    if (!op->result_count || !pto_ir_result_type(b, op, &type)) return pto_ir_fail_op(b, op, "tpop needs a tile");
    if (type.kind == IR_T_SCALAR) return pop_register(b, op, &i);
    if (type.kind == IR_T_VIEW) {
      i.op = PTO_OP_TPOP_VIEW;
      if (!slot_view(b, op, &o, &i, &type)) return false;
      pto_ir_emit(b, op, &i);
      return !b->failed;
    }
    if (type.kind != IR_T_TILE) return pto_ir_fail_op(b, op, "tpop gives a tile, a view or an i32");
    s = pto_ir_add(b, op->results[0], IR_S_TILE, op->line);
    if (!s) return false;
    s->type = type;
  }
  if (s->kind != IR_S_TILE) return pto_ir_fail_op(b, op, "tpop needs a tile");
  i.dst = (int16_t)pto_ir_use_tile(b, s, on_cube(b) ? PTO_MAT : PTO_VEC);
  struct pto_function *fn = &b->program->functions[b->function];
  if (!b->failed) fn->tiles[i.dst].bound = 1;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_free(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct pto_instr i = pto_instr_make(PTO_OP_TFREE, op->line);
  if (!pto_ir_operands(b, op, &o) || !take_split(b, op, &i)) return false;
  int pipe = pipe_of(b, op, &o);
  if (pipe < 0) return false;
  i.pipe = (int16_t)pipe;
  if (o.in_count && o.in[0]->kind == IR_S_VIEW) {
    i.op = PTO_OP_TFREE_VIEW;
    i.view = o.in[0]->index;
  }
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

/* --- statuses, events, flags --- */

static bool build_status(struct ir_builder *b, const struct ir_op *op, unsigned code) {
  struct ir_operands o;
  struct pto_instr i = pto_instr_make(code, op->line);
  if (!pto_ir_operands(b, op, &o)) return false;
  int pipe = pipe_of(b, op, &o);
  if (pipe < 0) return false;
  const struct ir_arg *value = pto_ir_attr(b, op, "value");
  if (!o.scalar_count && (!value || !pto_ir_scalar_arg(b, value, &i.a))) return pto_ir_fail_op(b, op, "a value is missing");
  if (o.scalar_count) i.a = o.scalars[0];
  i.pipe = (int16_t)pipe;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static int find_unit(struct ir_slice s) {
  if (s.length > 5 && memcmp(s.at, "PIPE_", 5) == 0) s = (struct ir_slice){s.at + 5, s.length - 5};
  for (unsigned u = 0; u < PTO_UNITS; u++)
    if (pto_ir_is(s, pto_unit_name(u))) return (int)u;
  return pto_ir_is(s, "ALL") || pto_ir_is(s, "all") ? (int)PTO_UNITS : -1;
}

static bool take_unit(struct ir_builder *b, const struct ir_op *op, const char *key, uint8_t *unit) {
  const struct ir_arg *a = pto_ir_attr(b, op, key);
  int found = a ? find_unit(a->text) : -1;
  if (found < 0)
    return pto_ir_fail(b, a ? a->line : op->line, a ? a->column : op->column,
                       "attribute %s names a pipe: S, MTE2, MTE1, M, V, MTE3, FIX", key);
  *unit = (uint8_t)found;
  return true;
}

static bool build_sync(struct ir_builder *b, const struct ir_op *op, unsigned code) {
  struct pto_instr i = pto_instr_make(code, op->line);
  bool local = code == PTO_OP_SET_FLAG || code == PTO_OP_WAIT_FLAG;
  if (local && (!take_unit(b, op, "src", &i.unit) || !take_unit(b, op, "dst", &i.unit2))) return false;
  if (!local && !take_unit(b, op, "pipe", &i.unit)) return false;
  if ((local && (i.unit == PTO_UNITS || i.unit2 == PTO_UNITS)) || (code != PTO_OP_BARRIER && i.unit == PTO_UNITS))
    return pto_ir_fail_op(b, op, "one pipe, not all of them");
  int64_t id = pto_ir_attr_int(b, op, local ? "event" : "id", 0);
  if (id < 0 || id >= (local ? 8 : 32)) return pto_ir_fail_op(b, op, local ? "event is 0 to 7" : "id is 0 to 31");
  i.a.imm = (int32_t)id;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_wait_event(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct pto_instr i = pto_instr_make(PTO_OP_WAIT_EVENT, op->line);
  if (!pto_ir_operands(b, op, &o)) return false;
  if (o.in_count != 1 || o.in[0]->kind != IR_S_EVENT) return pto_ir_fail_op(b, op, "wait_event needs a !pto.record_event");
  i.event = o.in[0]->index;
  pto_ir_emit(b, op, &i);
  return !b->failed;
}

static bool build_destroy(struct ir_builder *b, const struct ir_op *op) {
  struct ir_operands o;
  struct pto_instr i = pto_instr_make(PTO_OP_PIPE_END, op->line);
  if (!pto_ir_operands(b, op, &o)) return false;
  int pipe = pipe_of(b, op, &o);
  i.pipe = (int16_t)pipe;
  if (pipe >= 0) pto_ir_emit(b, op, &i);
  return !b->failed;
}

bool pto_ir_build_pipe(struct ir_builder *b, const struct ir_op *op, const struct ir_row *row) {
  /* The assembler's names include the core. */
  if (row->core != IR_CORE_ANY && (row->core == IR_CORE_CUBE) != on_cube(b))
    return pto_ir_fail_op(b, op,
                          row->core == IR_CORE_CUBE ? "this operation belongs to the Cube's function"
                                                    : "this operation belongs to a Vector's function");
  switch (row->builder) {
    case IR_B_PIPE_DECL: return build_pipe_decl(b, op, false);
    case IR_B_PIPE_ASM: return build_pipe_decl(b, op, true);
    case IR_B_BUFFER: return build_buffer(b, op);
    case IR_B_PUSH: return build_push(b, op);
    case IR_B_ALLOC: return build_talloc(b, op);
    case IR_B_POP: return build_pop(b, op);
    case IR_B_FREE: return build_free(b, op);
    case IR_B_STATUS: return build_status(b, op, row->code);
    case IR_B_EVENT: return build_wait_event(b, op);
    case IR_B_SYNC: return build_sync(b, op, row->code);
    default: return build_destroy(b, op);
  }
}
