/* See reference.h. */
#include "pto/ir/reference.h"

#include <string.h>

#include "pto/ir/ops.h"
#include "pto/program/program.h"
#include "sim/text.h"

static const char grammar[] =
    "# PTO IR\n\n"
    "Written by `tessera pto ops --markdown` from src/pto/ir/ops.def; do not edit. How programs work is in "
    "[pto.md](../guide/pto.md).\n\n"
    "## Grammar\n\n"
    "```\n"
    "file        = { module | item }\n"
    "module      = \"module\" [ \"attributes\" dict ] \"{\" { item } \"}\"\n"
    "item        = param | global | function\n"
    "param       = \"pto.param\" \"@\" NAME \"=\" INTEGER                          a value for ${...}, see below\n"
    "global      = \"pto.global\" \"@\" NAME \":\" tensor [ dict ]\n"
    "function    = \"func.func\" \"@\" NAME \"(\" [ \"%\" NAME \":\" type { \",\" ... } ] \")\" \"attributes\" dict region\n"
    "region      = \"{\" { operation } \"}\"\n"
    "operation   = [ \"%\" NAME { \",\" \"%\" NAME } \"=\" ] NAME { operand | group | dict } [ \":\" types ] { region }\n"
    "operand     = \"%\" NAME | \"@\" NAME | INTEGER | FLOAT | \"true\" | \"false\"\n"
    "group       = ( \"ins\" | \"outs\" | \"pipe\" ) \"(\" operand { \",\" operand } [ \":\" type { \",\" type } ] \")\"\n"
    "            | \"(\" [ NAME \"=\" ] operand [ \":\" type ] { \",\" ... } \")\"\n"
    "            | NAME \"=\" \"[\" operand { \",\" operand } \"]\"\n"
    "dict        = \"{\" NAME [ \"=\" value ] { \",\" ... } \"}\"\n"
    "types       = type [ \"to\" type ] | \"(\" [ type { \",\" type } ] \")\" [ \"->\" type ] | \"->\" type\n"
    "```\n"
    "An operation ends where a line begins with a result, with a dotted name or with a closing brace. `//` begins a "
    "comment. Level 1 (SSA:\n"
    "results with `%x = ...`), level 2 (`ins(...) outs(...)`) and the assembler's forms mean the same program.\n\n"
    "`${expression}` stands for a number anywhere in the text, computed from parameters with + - * / % and parentheses:\n"
    "`!pto.tile<vec, f32, ${M / 2}, ${N}>`. `pto.param @M = 64` declares a parameter; `--set M=128` gives it another value, "
    "and\n"
    "`tessera pto sweep --set M=32,64,128` tries several.\n\n"
    "## Types\n\n"
    "| type | meaning |\n|------|---------|\n"
    "| `!pto.tile<[loc,] dtype, rows, cols[, valid rows, valid cols]>` | a tile; loc is mat, acc, vec, left, right, bias or "
    "scaling |\n"
    "| `!pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16, v_row=8, v_col=16, blayout=..., slayout=..., fractal=..., "
    "pad=...>` | the assembler's form |\n"
    "| `!pto.tpipe<FlagID, Dir, SlotSize, SlotNum[, LocalSlotNum[, IsNoSplit[, UnitFlag]]]>` | Dir is C2V, V2C, BOTH, "
    "V2C_CTRL, C2V_GM, V2C_GM or BOTH_GM |\n"
    "| `!pto.tmpipe<FlagID, Fifo, Depth, SyncPeriod, Prod, Cons[, UnitFlag[, LocalDepth[, Ratio]]]>` | Fifo is GM_FIFO, "
    "VEC_FIFO, MAT_FIFO or CTRL_FIFO |\n"
    "| `!pto.pipe`, `!pto.tpipe<...>` | a pipe that was declared before |\n"
    "| `!pto.tensor_view<8x16xf32>`, `tensor<8x16xf32>`, `memref<...>` | a part of global memory |\n"
    "| `!pto.ptr<f32>` | a pointer to global memory |\n"
    "| `!pto.record_event` | what a push gives |\n"
    "| `index`, `i1`, `i32`, `i64`, `f32` | scalars |\n\n"
    "Number formats: f32, f16, bf16, i32, i16, i8, u32, u16, u8.\n\n"
    "## Attributes\n\n"
    "| of | attribute | meaning |\n|----|-----------|---------|\n"
    "| module | `pto.target_arch` | profile: \"a2a3\" (default) or \"a5\" |\n"
    "| module | `pto.policy` | credit policy (`tessera pto policies`) |\n"
    "| module | `pto.dispatches` | launches one after the other; flags survive |\n"
    "| module | `pto.blocks` | blocks of a launch |\n"
    "| function | `pto.core`, `pto.kernel_kind` | whose it is: \"aic\", \"aiv\", \"aiv0\", \"aiv1\", \"cube\", \"vector\" "
    "|\n"
    "| function | `pto.sync` | \"manual\": nothing orders its pipes but its own flags |\n"
    "| global | `init`, `seed`, `low`, `high`, `value`, `values`, `file` | content: \"zero\", \"iota\", \"random\", "
    "\"ints\", \"fill\", a list, an .npy file |\n"
    "| pipe | `policy`, `sync_period`, `nosplit` | of this pipe |\n"
    "| push, pop | `split` | 0 to 4 or \"NO_SPLIT\", \"UP_DOWN\", \"LEFT_RIGHT\", \"UP_DOWN_ODD\", \"LEFT_RIGHT_ODD\" |\n"
    "| push, pop | `subblock` | the lane, whatever core it is on |\n"
    "| push, store | `quant`, `scale`, `relu`, `atomic_add`, `layout` | the fixpipe: F322F16, F322BF16, DEQF16, VDEQF16; "
    "NZ2ND, NZ2DN, NZ2NZ |\n"
    "| any operation on a pipe | `cost` | cycles, instead of the profile's |\n\n";

static const char *heading(unsigned builder) {
  static const struct {
    uint8_t last;
    const char *words;
  } groups[] = {{IR_B_CONTROL, "Control"},
                {IR_B_IDENTITY, "Scalars"},
                {IR_B_EVENT, "Pipes"},
                {IR_B_SYNC, "Flags and barriers"},
                {IR_B_STORE, "Tiles, views, global memory"},
                {IR_B_DATA, "Data"}};
  for (unsigned i = 0; i < sizeof groups / sizeof groups[0]; i++)
    if (builder <= groups[i].last) return groups[i].words;
  return "";
}

static void add_row(struct sim_text *o, const struct ir_row *r) {
  static const char *const cores[] = {"", "Cube: ", "Vector: "};
  sim_text_add(o, "| `%s` | `", r->name);
  /* a bar would end the table cell */
  for (const char *c = r->syntax; *c; c++) sim_text_add(o, *c == '|' ? "\\%c" : "%c", *c);
  sim_text_add(o, "` | %s%s |\n", cores[r->core], r->meaning);
}

size_t pto_ir_reference(char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  const char *last = "";
  if (size) text[0] = '\0';
  sim_text_add(&o, "%s## Operations\n", grammar);
  for (unsigned i = 0; i < pto_ir_row_count(); i++) {
    const struct ir_row *r = pto_ir_row(i);
    const char *words = heading(r->builder);
    if (strcmp(words, last) != 0)
      sim_text_add(&o, "\n### %s\n\n| operation | written | meaning |\n|-----------|---------|---------|\n", words);
    last = words;
    add_row(&o, r);
  }
  return o.length;
}

size_t pto_ir_list(char *text, size_t size) {
  struct sim_text o = {text, size, 0};
  if (size) text[0] = '\0';
  for (unsigned i = 0; i < pto_ir_row_count(); i++)
    sim_text_add(&o, "%-26s %s\n", pto_ir_row(i)->name, pto_ir_row(i)->meaning);
  return o.length;
}
