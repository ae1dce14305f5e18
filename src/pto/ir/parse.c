/* Builds a program from generic operations: modules, functions, global tensors, loops and conditions. */
#include "pto/ir/parse.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/ir/build_ops.h"
#include "pto/ir/build_pipe.h"
#include "pto/ir/build_scalar.h"
#include "pto/program/place.h"

/* --- regions --- */

static bool build_region(struct ir_builder *b, uint32_t first);

static uint32_t here(const struct ir_builder *b) { return b->program->functions[b->function].instr_count; }

static void patch(struct ir_builder *b, uint32_t at, uint32_t target) {
  if (!b->failed) b->program->functions[b->function].instrs[at].target = target;
}

static bool build_for(struct ir_builder *b, const struct ir_op *op) {
  const struct ir_arg *a = &b->tree->args[op->first_arg];
  struct pto_value bound[3] = {{.reg = -1}, {.reg = -1}, {.imm = 1, .reg = -1}};
  for (unsigned k = 0; k + 1 < op->arg_count && k < 3; k++)
    if (a[k + 1].role == IR_OPERAND && !pto_ir_scalar_arg(b, &a[k + 1], &bound[k])) return false;
  if (bound[2].reg < 0 && bound[2].imm < 1)
    return pto_ir_fail(b, op->line, op->column, "the step of a loop must be positive");
  int reg = pto_ir_new_reg(b, op);
  struct pto_instr i = pto_instr_make(PTO_OP_SET, op->line);
  i.dst = (int16_t)reg;
  i.a = bound[0];
  pto_ir_emit(b, op, &i);
  uint32_t top = here(b);
  i = pto_instr_make(PTO_OP_LT, op->line);
  i.dst = (int16_t)pto_ir_new_reg(b, op);
  i.a = (struct pto_value){.reg = (int16_t)reg};
  i.b = bound[1];
  pto_ir_emit(b, op, &i);
  struct pto_instr branch = pto_instr_make(PTO_OP_BRANCH_ZERO, op->line);
  branch.a = (struct pto_value){.reg = i.dst};
  uint32_t exit_at = here(b);
  pto_ir_emit(b, op, &branch);
  uint32_t scope = b->symbol_count;
  struct ir_symbol *s = pto_ir_add(b, a[0].text, IR_S_SCALAR, op->line);
  if (!s) return false;
  s->value = (struct pto_value){.reg = (int16_t)reg};
  if (!build_region(b, op->first_child)) return false;
  b->symbol_count = scope;
  i = pto_instr_make(PTO_OP_ADD, op->line);
  i.dst = (int16_t)reg;
  i.a = (struct pto_value){.reg = (int16_t)reg};
  i.b = bound[2];
  pto_ir_emit(b, op, &i);
  i = pto_instr_make(PTO_OP_JUMP, op->line);
  i.target = top;
  pto_ir_emit(b, op, &i);
  patch(b, exit_at, here(b));
  return !b->failed;
}

static bool build_if(struct ir_builder *b, const struct ir_op *op) {
  struct pto_instr branch = pto_instr_make(PTO_OP_BRANCH_ZERO, op->line);
  if (!pto_ir_scalar_arg(b, &b->tree->args[op->first_arg], &branch.a)) return false;
  uint32_t skip = here(b), scope = b->symbol_count;
  pto_ir_emit(b, op, &branch);
  if (!build_region(b, op->first_child)) return false;
  b->symbol_count = scope;
  if (op->else_count) {
    struct pto_instr jump = pto_instr_make(PTO_OP_JUMP, op->line);
    uint32_t over = here(b);
    pto_ir_emit(b, op, &jump);
    patch(b, skip, here(b));
    if (!build_region(b, op->else_child)) return false;
    b->symbol_count = scope;
    patch(b, over, here(b));
  } else {
    patch(b, skip, here(b));
  }
  return !b->failed;
}

static bool unknown_op(struct ir_builder *b, const struct ir_op *op) {
  char nearest[120];
  pto_ir_row_nearest(op->name, nearest, sizeof nearest);
  return pto_ir_fail(b, op->line, op->column, "unknown operation '%.*s'; the nearest are %s (tessera pto ops lists all)",
                     (int)(op->name.length < 40 ? op->name.length : 40), op->name.at, nearest);
}

static bool build_op(struct ir_builder *b, const struct ir_op *op) {
  const struct ir_row *row = pto_ir_row_find(op->name);
  if (!row) return unknown_op(b, op);
  if (pto_ir_is(op->name, "scf.for")) return build_for(b, op);
  if (pto_ir_is(op->name, "scf.if")) return build_if(b, op);
  if (row->builder == IR_B_CONTROL) return true;
  bool good;
  if (row->builder <= IR_B_IDENTITY) good = pto_ir_build_scalar(b, op, row);
  else if (row->builder <= IR_B_SYNC) good = pto_ir_build_pipe(b, op, row);
  else good = pto_ir_build_tile_op(b, op, row);
  return good && !b->failed;
}

static bool build_region(struct ir_builder *b, uint32_t first) {
  for (uint32_t i = first; i != IR_NO_OP; i = b->tree->ops[i].next)
    if (!build_op(b, &b->tree->ops[i]) || b->failed) return false;
  return true;
}

/* --- module level --- */

static bool build_global(struct ir_builder *b, const struct ir_op *op) {
  struct ir_type type;
  char name[PTO_NAME_MAX], why[160];
  const struct ir_arg *symbol = NULL, *shape = NULL;
  for (uint32_t i = 0; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    if (a->kind == IR_AT && !symbol) symbol = a;
    if (a->role == IR_OPERAND_TYPE) shape = a;
  }
  if (!symbol || !shape) return pto_ir_fail(b, op->line, op->column, "a global needs a name and a tensor type");
  if (!pto_ir_type_parse(shape->text, &type, why, sizeof why) || type.kind != IR_T_VIEW)
    return pto_ir_fail(b, shape->line, shape->column, "a global needs a type such as tensor<16x32xf16>");
  snprintf(name, sizeof name, "%.*s", (int)(symbol->text.length < 31 ? symbol->text.length : 31), symbol->text.at);
  for (unsigned i = 0; i < type.rank; i++)
    if (!type.shape[i]) return pto_ir_fail(b, shape->line, shape->column, "a global needs constant sizes");
  int index = pto_program_global(b->program, name, type.dtype, type.shape, type.rank);
  if (index < 0) return pto_ir_fail_program(b, op);
  struct pto_global *g = &b->program->globals[index];
  g->line = op->line;
  const struct ir_arg *init = pto_ir_attr(b, op, "init"), *file = pto_ir_attr(b, op, "file"),
                      *values = pto_ir_attr(b, op, "values");
  const struct ir_arg *low = pto_ir_attr(b, op, "low"), *high = pto_ir_attr(b, op, "high"),
                      *value = pto_ir_attr(b, op, "value");
  g->seed = (uint32_t)pto_ir_attr_int(b, op, "seed", 1);
  g->low = low ? low->number : init && pto_ir_is(init->text, "ints") ? -4 : -1;
  g->high = high ? high->number : init && pto_ir_is(init->text, "ints") ? 4 : 1;
  if (value) g->low = value->number;
  static const char *const names[] = {"zero", "iota", "random", "ints", "fill"};
  for (unsigned i = 0; init && i < 5; i++)
    if (pto_ir_is(init->text, names[i])) g->init = (uint8_t)i;
  if (init && g->init == PTO_INIT_ZERO && !pto_ir_is(init->text, "zero"))
    return pto_ir_fail(b, init->line, init->column, "init is zero, iota, random, ints or fill");
  if (g->init == PTO_INIT_INTS && !(g->high >= g->low && g->high - g->low < 2147483647.0))
    return pto_ir_fail(b, op->line, op->column, "low must not be above high");
  if (file) {
    g->init = PTO_INIT_FILE;
    if (!pto_program_data(b->program, index, file->text.at, file->text.length)) return pto_ir_fail_program(b, op);
  }
  if (values) {
    unsigned size = pto_dtype_bytes(g->dtype);
    uint8_t *bytes = calloc(values->list_count + 1u, size);
    for (uint32_t i = 0; bytes && i < values->list_count; i++)
      pto_dtype_store(g->dtype, bytes + (size_t)i * size, b->tree->args[values->list + i].number);
    bool good = bytes && pto_program_data(b->program, index, bytes, (size_t)values->list_count * size);
    free(bytes);
    if (!good) return pto_ir_fail_program(b, op);
    g->init = PTO_INIT_BYTES;
  }
  return true;
}

static int find_global(const struct ir_builder *b, struct ir_slice name) {
  for (uint32_t i = 0; i < b->program->global_count; i++)
    if (pto_ir_is(name, b->program->globals[i].name)) return (int)i;
  return PTO_NONE;
}

/* Arguments are global tensors: those of the same name at module level, or new ones whose size the views define. */
static bool bind_arguments(struct ir_builder *b, const struct ir_op *op) {
  char why[160], name[PTO_NAME_MAX];
  for (uint32_t i = 1; i < op->arg_count; i++) {
    const struct ir_arg *a = &b->tree->args[op->first_arg + i];
    struct ir_type type;
    if (a->role != IR_OPERAND) continue;
    if (!pto_ir_type_parse(a->type, &type, why, sizeof why)) return pto_ir_fail(b, a->line, a->column, "%s", why);
    if (type.kind == IR_T_SCALAR) {
      struct ir_symbol *scalar = pto_ir_add(b, a->text, IR_S_SCALAR, a->line);
      if (!scalar) return false;
      continue;
    }
    int global = find_global(b, a->text);
    if (global < 0) {
      bool sized = type.kind == IR_T_VIEW;
      for (unsigned k = 0; k < type.rank; k++) sized = sized && type.shape[k];
      snprintf(name, sizeof name, "%.*s", (int)(a->text.length < 31 ? a->text.length : 31), a->text.at);
      global = pto_program_global(b->program, name, type.dtype, type.shape, sized ? type.rank : 0);
      if (global < 0) return pto_ir_fail_program(b, op);
    }
    struct ir_symbol *s = pto_ir_add(b, a->text, IR_S_GLOBAL, a->line);
    if (!s) return false;
    s->index = (int16_t)global;
  }
  return true;
}

static unsigned cores_of(struct ir_builder *b, const struct ir_op *op) {
  const struct ir_arg *core = pto_ir_attr(b, op, "pto.core"), *kind = pto_ir_attr(b, op, "pto.kernel_kind");
  static const struct {
    const char *name;
    uint8_t mask;
  } words[] = {{"aic", 1},
               {"cube", 1},
               {"aiv", 6},
               {"vector", 6},
               {"aiv0", 2},
               {"aiv1", 4},
               {"pto.kernel_kind<cube>", 1},
               {"pto.kernel_kind<vector>", 6}};
  const struct ir_arg *a = core ? core : kind;
  for (unsigned i = 0; a && i < sizeof words / sizeof words[0]; i++)
    if (pto_ir_is(a->text, words[i].name)) return words[i].mask;
  return 0;
}

static bool build_function(struct ir_builder *b, const struct ir_op *op) {
  char name[PTO_NAME_MAX];
  const struct ir_arg *symbol = &b->tree->args[op->first_arg], *sync = pto_ir_attr(b, op, "pto.sync");
  unsigned mask = cores_of(b, op);
  if (!mask)
    return pto_ir_fail(b, op->line, op->column,
                       "the function needs attributes {pto.core = \"aic\"}, \"aiv\", \"aiv0\" or \"aiv1\"");
  snprintf(name, sizeof name, "%.*s", (int)(symbol->text.length < 31 ? symbol->text.length : 31), symbol->text.at);
  b->function = pto_program_function(b->program, name, mask, op->line);
  if (b->function < 0) return pto_ir_fail_program(b, op);
  b->program->functions[b->function].manual_sync = sync && pto_ir_is(sync->text, "manual");
  b->symbol_count = 0;
  b->pipe_id_count = 0;
  return bind_arguments(b, op) && build_region(b, op->first_child);
}

static bool unknown_policy(struct ir_builder *b, const struct ir_arg *at, const char *word) {
  char list[160] = "";
  size_t used = 0;
  for (unsigned k = 0; k < pto_policy_count() && used < sizeof list; k++)
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", k ? ", " : "", pto_policy_get(k)->name);
  return pto_ir_fail(b, at->line, at->column, "no policy %s: %s", word, list);
}

static bool module_attributes(struct ir_builder *b, const struct ir_op *op, int profile) {
  const struct ir_arg *arch = pto_ir_attr(b, op, "pto.target_arch"), *policy = pto_ir_attr(b, op, "pto.policy");
  char word[40];
  if (arch && profile < 0) {
    snprintf(word, sizeof word, "%.*s", (int)(arch->text.length < 39 ? arch->text.length : 39), arch->text.at);
    int found = pto_profile_find(word);
    if (found < 0) return pto_ir_fail(b, arch->line, arch->column, "no profile %s: a2a3 or a5", word);
    pto_program_set_profile(b->program, (unsigned)found);
  }
  if (policy) {
    snprintf(word, sizeof word, "%.*s", (int)(policy->text.length < 39 ? policy->text.length : 39), policy->text.at);
    int found = pto_policy_find(word);
    if (found < 0) return unknown_policy(b, policy, word);
    b->program->policy = (uint8_t)found;
  }
  int64_t dispatches = pto_ir_attr_int(b, op, "pto.dispatches", 1);
  if (dispatches < 1 || dispatches > 100000) return pto_ir_fail(b, op->line, op->column, "pto.dispatches is 1 to 100000");
  b->program->dispatches = (uint32_t)dispatches;
  int64_t blocks = pto_ir_attr_int(b, op, "pto.blocks", 1);
  if (blocks < 1 || blocks > PTO_BLOCKS_MAX)
    return pto_ir_fail(b, op->line, op->column, "pto.blocks is 1 to %u", PTO_BLOCKS_MAX);
  b->program->blocks = (uint32_t)blocks;
  return true;
}

static bool build_module(struct ir_builder *b, uint32_t first, int profile, unsigned depth) {
  for (uint32_t i = first; i != IR_NO_OP && !b->failed; i = b->tree->ops[i].next) {
    const struct ir_op *op = &b->tree->ops[i];
    bool good;
    if (pto_ir_is(op->name, "module") && depth == 0)
      good = module_attributes(b, op, profile) && build_module(b, op->first_child, profile, 1);
    else if (pto_ir_is(op->name, "pto.global")) good = build_global(b, op);
    else if (pto_ir_is(op->name, "func.func")) good = build_function(b, op);
    else good = pto_ir_fail(b, op->line, op->column, "expected a module, a global or a function");
    if (!good) return false;
  }
  return !b->failed;
}

static struct pto_program *parse(const char *text, size_t length, int profile, struct pto_ir_error *error) {
  struct ir_tree tree;
  struct ir_builder *b = calloc(1, sizeof *b);
  struct pto_program *program = pto_program_new(profile < 0 ? PTO_A2A3 : (unsigned)profile);
  memset(error, 0, sizeof *error);
  bool good = b && program && pto_ir_read(&tree, text, length, error);
  if (good) {
    b->tree = &tree;
    b->program = program;
    b->error = error;
    good = build_module(b, tree.ops[0].first_child, profile, 0);
    if (good && !program->function_count) good = pto_ir_fail(b, 1, 1, "no function in this file");
    good = good && pto_ir_buffers_pair(b);
    if (good && !pto_program_finish(program)) good = pto_ir_fail(b, 1, 1, "%s", program->error);
  }
  if (b && program) pto_ir_tree_free(&tree);
  free(b);
  if (good) return program;
  pto_program_free(program);
  return NULL;
}

struct pto_program *pto_ir_parse_with(const char *text, size_t length, int profile, const struct pto_setting *settings,
                                      unsigned count, struct pto_ir_error *error) {
  size_t expanded;
  char *whole = pto_ir_expand(text, length, settings, count, &expanded, error);
  if (!whole) return NULL;
  struct pto_program *program = parse(whole, expanded, profile, error);
  free(whole);
  return program;
}
