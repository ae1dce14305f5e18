/* Types of PTO IR: tiles in the TPUSH page's short form and in the assembler's long one, views, pointers, pipes. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pto/ir/type.h"

#define PARAMS_MAX 16u

struct param {
  struct ir_slice key, value;
};

static struct ir_slice trim(struct ir_slice s) {
  while (s.length && isspace((unsigned char)s.at[0])) s.at++, s.length--;
  while (s.length && isspace((unsigned char)s.at[s.length - 1])) s.length--;
  return s;
}

/* Splits name<a, b = c, ...> into its parameters; nested brackets stay together. */
static unsigned split_params(struct ir_slice text, struct ir_slice *name, struct param params[PARAMS_MAX]) {
  const char *open = memchr(text.at, '<', text.length);
  *name = trim((struct ir_slice){text.at, open ? (uint32_t)(open - text.at) : text.length});
  if (!open) return 0;
  const char *at = open + 1, *end = text.at + text.length - 1;
  unsigned count = 0, depth = 0;
  for (const char *start = at; at <= end && count < PARAMS_MAX; at++) {
    if (at < end && (*at == '<' || *at == '(' || *at == '[')) depth++;
    if (at < end && (*at == '>' || *at == ')' || *at == ']') && depth) depth--;
    if (at < end && (*at != ',' || depth)) continue;
    struct ir_slice whole = trim((struct ir_slice){start, (uint32_t)(at - start)});
    const char *eq = memchr(whole.at, '=', whole.length);
    const char *angle = memchr(whole.at, '<', whole.length);
    if (angle && eq && eq > angle) eq = NULL;
    params[count].key = eq ? trim((struct ir_slice){whole.at, (uint32_t)(eq - whole.at)}) : (struct ir_slice){"", 0};
    params[count].value = eq ? trim((struct ir_slice){eq + 1, (uint32_t)(whole.at + whole.length - eq - 1)}) : whole;
    if (whole.length) count++;
    start = at + 1;
  }
  return count;
}

static bool to_number(struct ir_slice s, int64_t *out) {
  char digits[32], *end;
  if (s.length == 0 || s.length >= sizeof digits || !(isdigit((unsigned char)s.at[0]) || s.at[0] == '-')) return false;
  memcpy(digits, s.at, s.length);
  digits[s.length] = '\0';
  *out = strtoll(digits, &end, 0);
  return *end == '\0';
}

static int find_dtype(struct ir_slice s) {
  static const struct {
    const char *name;
    uint8_t dtype;
  } more[] = {{"float", PTO_F32}, {"half", PTO_F16}, {"bfloat16", PTO_BF16}, {"si8", PTO_I8},  {"si16", PTO_I16},
              {"si32", PTO_I32},  {"ui8", PTO_U8},   {"ui16", PTO_U16},      {"ui32", PTO_U32}};
  for (unsigned i = 0; i < PTO_DTYPES; i++)
    if (pto_ir_is(s, pto_dtype_name(i))) return (int)i;
  for (unsigned i = 0; i < sizeof more / sizeof more[0]; i++)
    if (pto_ir_is(s, more[i].name)) return more[i].dtype;
  return -1;
}

static int find_loc(struct ir_slice s) {
  static const struct {
    const char *name;
    uint8_t loc;
  } more[] = {{"Acc", PTO_ACC},   {"Vec", PTO_VEC}, {"Mat", PTO_MAT}, {"Left", PTO_LEFT}, {"Right", PTO_RIGHT},
              {"Bias", PTO_BIAS}, {"ub", PTO_VEC},  {"l1", PTO_MAT},  {"l0c", PTO_ACC}};
  for (unsigned i = PTO_MAT; i < PTO_LOCS; i++)
    if (pto_ir_is(s, pto_loc_name(i))) return (int)i;
  for (unsigned i = 0; i < sizeof more / sizeof more[0]; i++)
    if (pto_ir_is(s, more[i].name)) return more[i].loc;
  return -1;
}

/* 16x32xf16, ?x?xf32: sizes (0: unknown) and the format. */
static bool parse_shape(struct ir_slice s, uint32_t shape[5], uint32_t *rank, uint8_t *dtype) {
  *rank = 0;
  while (s.length) {
    const char *x = memchr(s.at, 'x', s.length);
    bool number = isdigit((unsigned char)s.at[0]) || s.at[0] == '?';
    if (!number) {
      int d = find_dtype(s);
      if (d < 0) return false;
      *dtype = (uint8_t)d;
      return *rank > 0;
    }
    int64_t n = 0;
    struct ir_slice part = {s.at, x ? (uint32_t)(x - s.at) : s.length};
    if (part.at[0] != '?' && (!to_number(part, &n) || n < 1 || n > 1 << 28)) return false;
    if (*rank == 5) return false;
    shape[(*rank)++] = (uint32_t)n;
    if (!x) return false;
    s.length -= (uint32_t)(x - s.at) + 1;
    s.at = x + 1;
  }
  return false;
}

static bool tile_number(struct pto_tile *t, struct ir_slice key, int64_t n, unsigned *position) {
  uint32_t *places[] = {&t->rows, &t->cols, &t->valid_rows, &t->valid_cols};
  static const char *const keys[] = {"rows", "cols", "v_row", "v_col"};
  if (key.length == 0) {
    if (n < 1 || n > 65536 || *position > 3) return false;
    *places[(*position)++] = (uint32_t)n;
    return true;
  }
  for (unsigned i = 0; i < 4; i++) {
    if (!pto_ir_is(key, keys[i])) continue;
    if (n < 1 || n > 65536) return false;
    *places[i] = (uint32_t)n;
  }
  return true; /* fractal, pad ...: layouts are not modelled */
}

static bool parse_tile(struct param *params, unsigned count, struct ir_type *type) {
  struct pto_tile *t = &type->tile;
  unsigned position = 0;
  int found_dtype = -1;
  for (unsigned i = 0; i < count; i++) {
    int64_t n;
    uint32_t shape[5], rank;
    struct ir_slice v = params[i].value;
    bool plain = params[i].key.length == 0;
    if (to_number(v, &n)) {
      if (!tile_number(t, params[i].key, n, &position)) return false;
    } else if ((plain || pto_ir_is(params[i].key, "loc")) && find_loc(v) >= 0) {
      t->loc = (uint8_t)find_loc(v);
    } else if ((plain || pto_ir_is(params[i].key, "dtype")) && find_dtype(v) >= 0) {
      found_dtype = find_dtype(v);
    } else if (plain && parse_shape(v, shape, &rank, &type->dtype) && rank == 2) {
      t->rows = shape[0];
      t->cols = shape[1];
      found_dtype = type->dtype;
    } else if (plain || pto_ir_is(params[i].key, "loc") || pto_ir_is(params[i].key, "dtype")) {
      return false;
    }
  }
  if (found_dtype < 0 || !t->rows || !t->cols) return false;
  t->dtype = type->dtype = (uint8_t)found_dtype;
  if (!t->valid_rows) t->valid_rows = t->rows;
  if (!t->valid_cols) t->valid_cols = t->cols;
  return t->valid_rows <= t->rows && t->valid_cols <= t->cols;
}

static int find_dir(struct ir_slice s) {
  static const char *const prefixes[] = {"", "DIR_", "Direction::DIR_", "Direction::"};
  char name[48];
  for (unsigned p = 0; p < 4; p++)
    for (int d = PTO_C2V; d <= PTO_BOTH_GM; d++) {
      snprintf(name, sizeof name, "%s%s", prefixes[p], pto_dir_name((unsigned)d));
      if (pto_ir_is(s, name)) return d;
    }
  int64_t n;
  return to_number(s, &n) && n >= PTO_C2V && n <= PTO_BOTH_GM ? (int)n : -1;
}

static bool to_bool(struct ir_slice s, uint8_t *out) {
  *out = pto_ir_is(s, "true") || pto_ir_is(s, "1");
  return *out || pto_ir_is(s, "false") || pto_ir_is(s, "0");
}

/* tpipe<FlagID, Dir, SlotSize, SlotNum [, LocalSlotNum [, IsNoSplit [, EN_UNIT_FLAG]]]> */
static bool parse_tpipe(struct param *p, unsigned count, struct ir_type *type) {
  struct pto_pipe_config *c = &type->pipe;
  int64_t n[5] = {0, 0, 0, 0, 2};
  if (count < 4 || count > 7) return false;
  for (unsigned i = 0; i < 5 && i < count; i++)
    if (i != 1 && (!to_number(p[i].value, &n[i]) || n[i] < 0 || n[i] > 1 << 28)) return false;
  int dir = find_dir(p[1].value);
  if (dir < 0 || n[0] > 1000 || n[3] > 1000) return false;
  c->flag_id = (uint16_t)n[0];
  c->dir = (uint8_t)dir;
  c->slot_size = (uint32_t)n[2];
  c->slot_num = (uint32_t)n[3];
  c->local_slot_num = (uint32_t)n[4];
  if (count > 5 && !to_bool(p[5].value, &c->no_split)) return false;
  if (count > 6 && !to_bool(p[6].value, &c->unit_flag)) return false;
  return true;
}

static int find_word(struct ir_slice s, const char *(*name)(unsigned), unsigned count, const char *prefix) {
  size_t skip = strlen(prefix);
  if (s.length > skip && memcmp(s.at, prefix, skip) == 0) s = (struct ir_slice){s.at + skip, s.length - (uint32_t)skip};
  for (unsigned i = 0; i < count; i++)
    if (pto_ir_is(s, name(i))) return (int)i;
  return -1;
}

static bool parse_tile_param(struct ir_slice text, struct pto_tile *tile) {
  struct ir_type inner;
  char why[64];
  if (text.length && text.at[0] == '!') text.at++, text.length--;
  if (!memchr(text.at, '<', text.length)) return false;
  const char *open = memchr(text.at, '<', text.length);
  struct ir_slice name = {text.at, (uint32_t)(open - text.at)};
  if (!pto_ir_is(name, "pto.tile") && !pto_ir_is(name, "pto.tile_buf")) return false; /* no deeper nesting */
  if (!pto_ir_type_parse(text, &inner, why, sizeof why)) return false;
  *tile = inner.tile;
  return true;
}

/* tmpipe<FlagID, FIFO, Depth, SyncT, Prod, Cons [, EN_UNIT_FLAG [, LocalDepth [, VCRatio]]]> */
static bool parse_tmpipe(struct param *p, unsigned count, struct ir_type *type) {
  struct pto_pipe_config *c = &type->pipe;
  int64_t flag, depth, period, local = 2;
  if (count < 6 || count > 9) return false;
  int fifo = find_word(p[1].value, pto_fifo_name, PTO_FIFOS, "FIFOType::"), ratio = 0;
  if (!to_number(p[0].value, &flag) || !to_number(p[2].value, &depth) || !to_number(p[3].value, &period) || fifo < 0)
    return false;
  if (flag < 0 || flag > 1000 || depth < 0 || depth > 1000 || period < 0 || period > 1000) return false;
  if (!parse_tile_param(p[4].value, &c->prod) || !parse_tile_param(p[5].value, &c->cons)) return false;
  if (count > 6 && !to_bool(p[6].value, &c->unit_flag)) return false;
  if (count > 7 && (!to_number(p[7].value, &local) || local < 0 || local > 1000)) return false;
  if (count > 8 && (ratio = find_word(p[8].value, pto_ratio_name, PTO_RATIOS, "VecCubeRatio::")) < 0) return false;
  c->multi = 1;
  c->flag_id = (uint16_t)flag;
  c->fifo = (uint8_t)fifo;
  c->slot_num = (uint32_t)depth;
  c->sync_period = (uint32_t)period;
  c->local_slot_num = (uint32_t)local;
  c->ratio = (uint8_t)ratio;
  return true;
}

/* The parameters of a type of this kind, for its error message. */
static const char *known_parts(unsigned kind) {
  if (kind == IR_T_TILE)
    return ": mat, acc, vec, left, right, bias or scaling; f32, f16, bf16, i32, i16, i8, u32, u16 or u8; rows, cols";
  if (kind == IR_T_PIPE) return ": FlagID, C2V, V2C, BOTH, V2C_CTRL, C2V_GM, V2C_GM or BOTH_GM, SlotSize, SlotNum";
  if (kind == IR_T_MPIPE) return ": FlagID, GM_FIFO, VEC_FIFO, MAT_FIFO or CTRL_FIFO, Depth, SyncPeriod, Prod, Cons";
  return ": sizes and f32, f16, bf16, i32, i16, i8, u32, u16 or u8";
}

bool pto_ir_type_parse(struct ir_slice text, struct ir_type *type, char *why, size_t size) {
  struct param params[PARAMS_MAX];
  struct ir_slice name;
  memset(type, 0, sizeof *type);
  type->tile.addr = type->pipe.c2v_addr = type->pipe.v2c_addr = PTO_AUTO;
  type->pipe.gm_addr = UINT64_MAX;
  type->pipe.gm_global = PTO_NONE;
  if (size) why[0] = '\0';
  if (text.length && text.at[0] == '!') text.at++, text.length--;
  unsigned count = split_params(text, &name, params);
  bool good = true;
  if (pto_ir_is(name, "pto.tile") || pto_ir_is(name, "pto.tile_buf")) {
    type->kind = IR_T_TILE;
    good = parse_tile(params, count, type);
  } else if (pto_ir_is(name, "pto.tensor_view") || pto_ir_is(name, "pto.partition_tensor_view") ||
             pto_ir_is(name, "tensor") || pto_ir_is(name, "memref")) {
    type->kind = IR_T_VIEW;
    good = count >= 1 && parse_shape(params[0].value, type->shape, &type->rank, &type->dtype);
  } else if (pto_ir_is(name, "pto.ptr")) {
    type->kind = IR_T_PTR;
    int d = count ? find_dtype(params[0].value) : -1;
    good = d >= 0;
    type->dtype = (uint8_t)(d < 0 ? 0 : d);
  } else if (pto_ir_is(name, "pto.tpipe") || pto_ir_is(name, "pto.tmpipe") || pto_ir_is(name, "pto.pipe")) {
    bool multi = pto_ir_is(name, "pto.tmpipe");
    type->kind = multi ? IR_T_MPIPE : IR_T_PIPE;
    type->complete = count > 1;
    if (count > 1) good = multi ? parse_tmpipe(params, count, type) : parse_tpipe(params, count, type);
  } else if (pto_ir_is(name, "pto.record_event")) {
    type->kind = IR_T_EVENT;
  } else if (find_dtype(name) >= 0 || pto_ir_is(name, "index") || pto_ir_is(name, "i1") || pto_ir_is(name, "i64")) {
    type->kind = IR_T_SCALAR;
    type->dtype = (uint8_t)(find_dtype(name) < 0 ? PTO_I32 : find_dtype(name));
  }
  if (!good)
    snprintf(why, size, "unknown type !%.*s%s", (int)(text.length < 40 ? text.length : 40), text.at,
             known_parts(type->kind));
  return good;
}
