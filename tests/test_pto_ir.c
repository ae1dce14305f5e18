/* PTO IR: the three spellings, errors with line and caret, and malformed inputs. */
#include "pto/accept.h"
#include "pto/ir/ops.h"
#include "pto/program/check.h"
#include "tessera/pto.h"

/* --- spellings --- */

/* What docs/reference/pto-ir.md prints in the column "written" is read, where it stands for itself: without an ellipsis. */
static void the_reference_parses(void **state) {
  (void)state;
  unsigned count = 0;
  for (unsigned n = 0; n < pto_ir_row_count(); n++) {
    const struct ir_row *row = pto_ir_row(n);
    bool cube = row->core == IR_CORE_CUBE;
    struct pto_ir_error error = {0};
    if (row->builder != IR_B_CONSTANT && row->builder != IR_B_SCALAR && row->builder != IR_B_COMPARE &&
        row->builder != IR_B_IDENTITY && row->builder != IR_B_SYNC)
      continue;
    snprintf(util_text, sizeof util_text,
             "module {\nfunc.func @f() attributes {pto.core = \"%s\"} {\n  scf.for %%i = 0 to 1 step 1 {\n"
             "    %%a = arith.constant 4 : i32\n%s    %s\n  }\n}\n}\n",
             cube ? "aic" : "aiv0", strstr(row->syntax, "%b =") ? "" : "    %b = arith.constant 5 : i32\n", row->syntax);
    struct pto_program *p = pto_ir_parse_with(util_text, strlen(util_text), -1, NULL, 0, &error);
    if (!p) fail_msg("%s: %s", row->name, error.text);
    pto_program_free(p);
    count++;
  }
  assert_in_range(count, 24, 64);
}

static void the_assembler_s_forms(void **state) {
  (void)state;
  /* 16x16 f32, C2V, split 1, four tiles; frontend form */
  struct pto_program *front = util_program(
      "module attributes {pto.target_arch = \"a3\"} {\n"
      "func.func @cube(%%gm: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n"
      "  %%c2v = pto.import_reserved_buffer {name = \"fifo\", peer_func = @vec} -> i32\n  %%zero = arith.constant 0 : i32\n"
      "  pto.aic_initialize_pipe {dir_mask = 1, slot_size = 1024}\n      (gm_slot_buffer = %%gm : !pto.ptr<f32>, "
      "c2v_consumer_buf = %%c2v : i32, v2c_consumer_buf = %%zero : i32)\n"
      "  %%acc = pto.alloc_tile : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16, v_row=16, v_col=16, "
      "blayout=col_major, slayout=row_major, fractal=1024, pad=0>\n"
      "  scf.for %%i = 0 to 4 step 1 {\n    pto.tpush_to_aiv(%%acc : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16>) "
      "{split = 1}\n  }\n  return\n}\n"
      "func.func @vec(%%gm: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<vector>} {\n"
      "  %%c2v = pto.reserve_buffer {name = \"fifo\", size = 8192, location = #pto.address_space<vec>, auto = true} -> "
      "i32\n  %%zero = arith.constant 0 : i32\n"
      "  pto.aiv_initialize_pipe {dir_mask = 1, slot_size = 1024} (gm_slot_buffer = %%gm : !pto.ptr<f32>, c2v_consumer_buf "
      "= %%c2v : i32, v2c_consumer_buf = %%zero : i32)\n"
      "  scf.for %%i = 0 to 4 step 1 {\n    %%t = pto.tpop_from_aic {split = 1} -> !pto.tile_buf<loc=vec, dtype=f32, "
      "rows=8, cols=16, v_row=8, v_col=16, blayout=row_major, slayout=none_box, fractal=512, pad=0>\n"
      "    pto.tfree_from_aic {split = 1}\n  }\n  return\n}\n}\n");
  /* and what it is lowered to */
  struct pto_program *low = util_program(
      "module attributes {pto.target_arch = \"a3\"} {\n"
      "func.func @cube(%%gm: !pto.ptr<f32>) attributes {pto.core = \"aic\"} {\n  %%zero = arith.constant 0 : i32\n"
      "  %%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (gm_slot_buffer = "
      "%%gm : !pto.ptr<f32>, v2c_consumer_buf = %%zero : i32) -> !pto.pipe\n"
      "  %%acc = pto.declare_tile -> !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16>\n"
      "  scf.for %%i = 0 to 4 step 1 {\n    pto.tpush(%%acc, %%p : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16>, "
      "!pto.pipe) {split = 1}\n  }\n}\n"
      "func.func @vec(%%gm: !pto.ptr<f32>) attributes {pto.core = \"aiv\"} {\n  %%zero = arith.constant 0 : i32\n"
      "  %%p = pto.initialize_l2g2l_pipe {dir_mask = 1, slot_size = 1024, slot_num = 8, flag_base = 0} (gm_slot_buffer = "
      "%%gm : !pto.ptr<f32>, v2c_consumer_buf = %%zero : i32) -> !pto.pipe\n"
      "  scf.for %%i = 0 to 4 step 1 {\n    %%t = pto.declare_tile -> !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16>\n"
      "    pto.tpop(%%t, %%p : !pto.tile_buf<loc=vec, dtype=f32, rows=8, cols=16>, !pto.pipe) {split = 1}\n    "
      "pto.tfree(%%p : !pto.pipe) {split = 1}\n  }\n}\n}\n");
  assert_true(pto_same_program(front, low));
  assert_int_equal(front->pipes[0].end[PTO_AIC].slot_num, 8); /* one direction */
  struct pto_machine *m = pto_machine_new(front, true);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  util_expect_clean(m, end);
  assert_int_equal(m->cores[PTO_AIV1].ends[0].popped, 4);
  pto_machine_free(m);
  pto_program_free(front);
  pto_program_free(low);
}

static void round_trip_of_the_assembler(void **state) {
  (void)state;
  struct pto_program *p =
      util_program(/* identity round trip, both directions, no split, A5: initialize_l2l_pipe */
                   "module attributes {pto.target_arch = \"a5\"} {\n  pto.global @A : tensor<16x16xf32> {init = \"iota\"}\n "
                   " pto.global @I : tensor<16x16xf32>\n  pto.global @C : tensor<16x16xf32>\n"
                   "func.func @cube(%%I: !pto.ptr<f32>) attributes {pto.kernel_kind = #pto.kernel_kind<cube>} {\n"
                   "  pto.aic_initialize_pipe {dir_mask = 3, slot_size = 1024, nosplit = true} ()\n"
                   "  %%i = pto.tload %%I : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n  %%r = pto.tmov %%i : "
                   "(!pto.tile<f32, 16, 16>) -> !pto.tile<right, f32, 16, 16>\n"
                   "  %%t = pto.tpop_from_aiv {split = 0} -> !pto.tile_buf<loc=mat, dtype=f32, rows=16, cols=16>\n"
                   "  %%l = pto.tmov %%t : (!pto.tile<f32, 16, 16>) -> !pto.tile<left, f32, 16, 16>\n  pto.tfree_from_aiv "
                   "{split = 0}\n"
                   "  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 16, 16>, !pto.tile<f32, 16, 16>) -> !pto.tile<acc, "
                   "f32, 16, 16>\n"
                   "  pto.tpush_to_aiv(%%acc : !pto.tile_buf<loc=acc, dtype=f32, rows=16, cols=16>) {split = 0}\n}\n"
                   "func.func @vec(%%A: !pto.ptr<f32>, %%C: !pto.ptr<f32>) attributes {pto.core = \"aiv0\"} {\n"
                   "  pto.aiv_initialize_pipe {dir_mask = 3, slot_size = 1024, nosplit = true} ()\n"
                   "  %%a = pto.tload %%A : (!pto.ptr<f32>) -> !pto.tile<vec, f32, 16, 16>\n  pto.tpush_to_aic(%%a : "
                   "!pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16>) {split = 0}\n"
                   "  %%t = pto.tpop_from_aic {split = 0} -> !pto.tile_buf<loc=vec, dtype=f32, rows=16, cols=16>\n  %%o = "
                   "pto.tmov %%t : (!pto.tile<f32, 16, 16>) -> !pto.tile<vec, f32, 16, 16>\n"
                   "  pto.tfree_from_aic {split = 0}\n  pto.tstore %%o, %%C : (!pto.tile<f32, 16, 16>)\n}\n}\n");
  assert_int_equal(p->pipes[0].end[PTO_AIC].slot_num, 4); /* both directions */
  struct pto_machine *m = pto_machine_new(p, true);
  for (unsigned i = 0; i < 16; i++) util_put(m, "I", i * 17, 1);
  enum pto_end_kind end = pto_machine_run(m, 1000000);
  util_expect_clean(m, end);
  for (unsigned i = 0; i < 256; i++) assert_true(util_get(m, "C", i) == i);
  pto_machine_free(m);
  pto_program_free(p);
}

static void both_levels_with_loops_and_views(void **state) {
  (void)state;
  struct pto_program *ssa = util_program(
      "module {\n  pto.global @A : tensor<64x16xf32>\nfunc.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = \"aiv\"} {\n"
      "  %%p = pto.tpipe : !pto.tpipe<0, V2C, 1024, 4>\n  %%c16 = arith.constant 16 : index\n  scf.for %%i = 0 to 4 step 1 "
      "{\n    %%r = arith.muli %%i, %%c16 : index\n"
      "    %%v = pto.partition_view %%A, offsets = [%%r, 0], sizes = [16, 16]\n    %%a = pto.tload %%v : (!pto.ptr<f32>) -> "
      "!pto.tile<f32, 16, 16>\n"
      "    %%b = pto.tadds %%a, 1.5 : (!pto.tile<f32, 16, 16>) -> !pto.tile<f32, 16, 16>\n    %%e = pto.tpush %%b, %%p : "
      "(!pto.tile<f32, 16, 16>, !pto.tpipe<...>) -> !pto.record_event\n  }\n}\n}\n");
  struct pto_program *dps = util_program(
      "module {\n  pto.global @A : tensor<64x16xf32>\nfunc.func @v(%%A: !pto.ptr<f32>) attributes {pto.core = \"aiv\"} {\n"
      "  %%y = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n  %%x = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
      "  %%p = pto.tpipe : !pto.tpipe<0, V2C, 1024, 4, 2>\n  scf.for %%i = 0 to 4 step 1 {\n    %%r = arith.muli %%i, 16 : "
      "index\n"
      "    %%v = pto.partition_view %%A, offsets = [%%r, 0], sizes = [16, 16]\n    pto.tload ins(%%v : !pto.ptr<f32>) "
      "outs(%%x : !pto.tile_buf<f32, 16, 16>)\n"
      "    pto.tadds ins(%%x, 1.5 : !pto.tile_buf<f32, 16, 16>, f32) outs(%%y : !pto.tile_buf<f32, 16, 16>)\n"
      "    %%e = pto.tpush ins(%%y : !pto.tile_buf<f32, 16, 16>) pipe(%%p : !pto.tpipe<...>)\n  }\n}\n}\n");
  assert_true(pto_same_program(ssa, dps));
  pto_program_free(ssa);
  pto_program_free(dps);
}

/* --- errors --- */

static void expect_error(const char *text, uint32_t line, uint32_t column, const char *words) {
  struct pto_ir_error error;
  struct pto_program *p = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  if (p) {
    pto_program_free(p);
    fail_msg("no error in: %s", text);
  }
  if (!strstr(error.text, words)) fail_msg("said: %s, not: %s", error.text, words);
  assert_int_equal(error.line, line);
  assert_int_equal(error.column, column);
}

#define IN(body) "module {\nfunc.func @f(%A: !pto.ptr<f32>) attributes {pto.core = \"aic\"} {\n" body "}\n}\n"

/* reserve_buffer and import_reserved_buffer; `import` and `size` vary. */
static void buffers_pair(void **state) {
  (void)state;
  static const char *const good = "{name = \"fifo\", peer_func = @vec}";
  static const char *const source =
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n"
      "  %%c2v = pto.import_reserved_buffer %s -> i32\n"
      "  %%p = pto.initialize_%s_pipe {dir_mask = 1, slot_size = 1024, nosplit} (%%c2v) -> !pto.pipe\n}\n"
      "func.func @vec() attributes {pto.core = \"aiv0\"} {\n"
      "  %%c2v = pto.reserve_buffer {name = \"fifo\", size = %u, location = #pto.address_space<vec>, auto} -> i32\n"
      "  %%p = pto.initialize_%s_pipe {dir_mask = 1, slot_size = 1024, nosplit} (%%c2v) -> !pto.pipe\n}\n}\n";
  static struct pto_notes notes;
  struct pto_program *p = util_program(source, good, "l2l", 8192u, "l2l");
  pto_check(p, -1, &notes);
  assert_int_equal(notes.errors + notes.warnings, 0);
  pto_program_free(p);
  p = util_program(source, good, "l2l", 4096u, "l2l");
  pto_check(p, -1, &notes);
  assert_int_equal(notes.errors, 1);
  util_assert_words(notes.notes[0].text, "8 slots of 1024 bytes in vec, but 4096 bytes are reserved");
  pto_program_free(p);
  p = util_program(source, good, "l2g2l", 8192u, "l2g2l");
  pto_check(p, -1, &notes);
  assert_int_equal(notes.warnings, 1);
  util_assert_words(notes.notes[0].text, "initialize_l2g2l_pipe belongs to A2/A3");
  pto_program_free(p);
  snprintf(util_text, sizeof util_text, source, "{name = \"other\", peer_func = @vec}", "l2l", 8192u, "l2l");
  expect_error(util_text, 3, 10, "no buffer \"other\" is reserved in @vec");
  snprintf(util_text, sizeof util_text, source, "{name = \"fifo\", peer_func = @cube}", "l2l", 8192u, "l2l");
  expect_error(util_text, 3, 10, "no buffer \"fifo\" is reserved in @cube");
}

static void errors_point_at_their_place(void **state) {
  (void)state;
  expect_error(IN("  pto.tfree_from_aic {split = 0}\n"), 3, 3, "belongs to a Vector's function");
  expect_error(IN("  pto.talloc_to_aic {split = 0}\n"), 3, 3, "belongs to a Vector's function");
  expect_error("module {\nfunc.func @f() attributes {pto.core = \"aiv\"} {\n  pto.tfree_from_aiv {split = 0}\n}\n}\n", 3, 3,
               "belongs to the Cube's function");
  expect_error("module {\nfunc.func @f() attributes {pto.core = \"aiv\"} {\n  pto.talloc_to_aiv {split = 0}\n}\n}\n", 3, 3,
               "belongs to the Cube's function");
  expect_error(IN("  pto.nonsense\n"), 3, 3, "unknown operation 'pto.nonsense'");
  expect_error(IN("  pto.tpush %x, %p\n"), 3, 13, "unknown value %x");
  expect_error(IN("  %t = pto.alloc_tile : !pto.tile_buf<acc, f99, 4, 4>\n"), 3, 25, "unknown type");
  expect_error(IN("  %p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 0, 2>\n"), 3, 8, "SlotNum 0");
  expect_error(IN("  %p = pto.tpipe : !pto.tpipe<0, X2Y, 1024, 4, 2>\n"), 3, 20, "unknown type");
  expect_error(IN("  %p = pto.tpipe {policy = \"best\"} : !pto.tpipe<0, C2V, 1024, 4, 2>\n"), 3, 28, "no policy best");
  expect_error(IN("  pto.tpop_from_aic {split = 0}\n"), 3, 3, "belongs to a Vector's function");
  expect_error(IN("  pto.tfree {split = 0}\n"), 3, 3, "no pipe");
  expect_error(IN("  %a = arith.constant\n"), 3, 8, "needs a value");
  expect_error(IN("  scf.for %i = 0 to 4 step 0 {\n  }\n"), 3, 3, "must be positive");
  expect_error(IN("  pto.tload %A,\n"), 4, 1, "expected an operand");
  expect_error(IN("  $\n"), 3, 3, "not a token");
  expect_error("module {\nfunc.func @f() {\n}\n}\n", 2, 1, "needs attributes");
  expect_error("module {\n", 2, 1, "expected '}'");
  expect_error("}\n", 1, 1, "unexpected '}'");
  expect_error("", 1, 1, "no function");
  expect_error(IN("  %l = pto.alloc_tile : !pto.tile_buf<left, f32, 16, 8>\n  %r = pto.alloc_tile : !pto.tile_buf<right, "
                  "f32, 16, 16>\n"
                  "  %a = pto.tmatmul %l, %r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, 16, 16>\n"),
               5, 8, "matmul of 16x8 by 16x16");
  expect_error(IN("  %a = pto.tload %A : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n"), 3, 8, "no shape");
  expect_error("module attributes {pto.target_arch = \"a9\"} {\n}\n", 1, 38, "no profile a9");
}

static void the_caret_stands_below_the_error(void **state) {
  (void)state;
  static const char text[] = IN("  pto.tpush %x, %p\n");
  struct pto_ir_error error;
  char words[512];
  assert_null(pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error));
  pto_ir_error_text(&error, "a.pto", text, strlen(text), words, sizeof words);
  assert_string_equal(words, "a.pto:3:13: error: unknown value %x\n    pto.tpush %x, %p\n              ^\n");
}

/* --- fuzz: parts of valid programs, truncated, duplicated, swapped and corrupted; a program that parses is also checked and run for some cycles --- */

static uint64_t fuzz_state;
static uint32_t draw(uint32_t below) {
  fuzz_state = fuzz_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (uint32_t)(fuzz_state >> 33) % (below ? below : 1);
}

static size_t mutate(char *text, size_t length, size_t room) {
  static const char dirt[] = "%@!#<>(){}[],:=-0123456789abcxX\"\n .?";
  static const char *const words[] = {"pto.tpush",
                                      "pto.tpop",
                                      "scf.for",
                                      "scf.if",
                                      "!pto.tpipe<0, C2V, 64, 4, 2>",
                                      "!pto.tile<vec, f32, 4, 4>",
                                      "{split = 1}",
                                      "18446744073709551616",
                                      "-1",
                                      "pto.talloc",
                                      "pto.tfree",
                                      "%p",
                                      "%t",
                                      "module",
                                      "func.func",
                                      "-> ",
                                      "ins(",
                                      "outs("};
  for (unsigned n = 1 + draw(6); n; n--) {
    size_t at = draw((uint32_t)length + 1), span = draw(24);
    switch (draw(5)) {
      case 0:
        if (at < length) text[at] = dirt[draw(sizeof dirt - 1)];
        break;
      case 1: /* cut */
        if (at + span > length) span = length - at;
        memmove(text + at, text + at + span, length - at - span);
        length -= span;
        break;
      case 2: /* double */
        if (at + span > length || length + span >= room) break;
        memmove(text + at + span, text + at, length - at);
        length += span;
        break;
      case 3: { /* a word */
        const char *w = words[draw(sizeof words / sizeof words[0])];
        size_t size = strlen(w);
        if (length + size >= room) break;
        memmove(text + at + size, text + at, length - at);
        memcpy(text + at, w, size);
        length += size;
        break;
      }
      default: /* a number */
        if (at < length && text[at] >= '0' && text[at] <= '9') text[at] = (char)('0' + draw(10));
    }
  }
  return length;
}

static void fuzzed_inputs_do_no_harm(void **state) {
  (void)state;
  static char text[1 << 14], seeds[12][1 << 13];
  unsigned parsed = 0, count = util_scale(20000), seed_count = 0;
  accept_list();
  for (unsigned i = 0; i < 12; i++) {
    accept_families[accept_cases[i * 7].kind].write(&accept_cases[i * 7]);
    if (accept_used < sizeof seeds[0]) memcpy(seeds[seed_count++], accept_buffer, accept_used + 1);
  }
  fuzz_state = 42;
  for (unsigned n = 0; n < count; n++) {
    const char *seed = seeds[draw(seed_count)];
    size_t length = strlen(seed);
    memcpy(text, seed, length);
    length = mutate(text, length, sizeof text);
    char *exact = malloc(length ? length : 1); /* the end of the buffer is the end of the text */
    memcpy(exact, text, length);
    struct pto_ir_error error;
    struct pto_program *p = pto_ir_parse_with(exact, length, (int)draw(3) - 1, NULL, 0, &error);
    if (!p) {
      char words[512];
      assert_true(error.text[0] != '\0' && error.line > 0);
      pto_ir_error_text(&error, "fuzz", exact, length, words, sizeof words);
    } else if (parsed++ % 16 == 0 && p->gm_bytes < 1 << 20) {
      struct pto_machine *m = pto_machine_new(p, parsed % 32 == 1);
      p->dispatches = 1;
      enum pto_end_kind end = pto_machine_run(m, 200000);
      char words[4096];
      if (end == PTO_DEADLOCKED) pto_explain_deadlock(m, words, sizeof words);
      for (uint32_t i = 0; i < m->finding_count; i++) pto_explain_finding(m, &m->findings[i], words, sizeof words);
      pto_machine_free(m);
    }
    pto_program_free(p);
    free(exact);
  }
  print_message("%u of %u inputs parsed\n", parsed, count);
  assert_true(parsed > count / 100);
}

/* --- the C API builds the same programs --- */

static void the_c_api_runs_a_program(void **state) {
  (void)state;
  struct tessera_pto_program *p = tessera_pto_create("a2a3");
  int a = tessera_pto_add_tensor(p, "A", TESSERA_PTO_F32, 64, 16),
      c = tessera_pto_add_tensor(p, "C", TESSERA_PTO_F32, 64, 16);
  int id = tessera_pto_add_tensor(p, "I", TESSERA_PTO_F32, 16, 16);
  struct tessera_pto_pipe pipe = {.flag_id = 2,
                                  .dir = TESSERA_PTO_V2C,
                                  .slot_size = 4096,
                                  .slot_num = 2,
                                  .local_slot_num = 2,
                                  .gm_addr = UINT64_MAX,
                                  .c2v_addr = TESSERA_PTO_AUTO,
                                  .v2c_addr = TESSERA_PTO_AUTO};
  struct tessera_pto_tile tile = {TESSERA_PTO_VEC, TESSERA_PTO_F32, 8, 16, 0, 0, TESSERA_PTO_AUTO, 0};
  int vec = tessera_pto_add_function(p, "vec", TESSERA_PTO_VECTORS);
  int vp = tessera_pto_add_pipe(p, vec, "p", &pipe), vt = tessera_pto_add_tile(p, vec, "t", &tile),
      vu = tessera_pto_add_tile(p, vec, "u", &tile);
  int cube = tessera_pto_add_function(p, "cube", TESSERA_PTO_CUBE);
  int cp = tessera_pto_add_pipe(p, cube, "p", &pipe);
  tile.rows = 16;
  tile.loc = TESSERA_PTO_MAT;
  int cm = tessera_pto_add_tile(p, cube, "m", &tile), ci = tessera_pto_add_tile(p, cube, "i", &tile);
  tile.loc = TESSERA_PTO_LEFT;
  int cl = tessera_pto_add_tile(p, cube, "l", &tile);
  tile.loc = TESSERA_PTO_RIGHT;
  int cr = tessera_pto_add_tile(p, cube, "r", &tile);
  tile.loc = TESSERA_PTO_ACC;
  int ca = tessera_pto_add_tile(p, cube, "acc", &tile);
  assert_true(vp >= 0 && vp == cp && ca >= 0);
  tessera_pto_load(p, cube, &(struct tessera_pto_transfer){ci, id, 0, 0, 0, 0, 1});
  tessera_pto_emit(p, cube, &(struct tessera_pto_operation){TESSERA_PTO_MOV, cr, {ci, -1, -1}, 0, 2});
  for (uint32_t i = 0; i < 4; i++) {
    tessera_pto_load(p, vec, &(struct tessera_pto_transfer){vt, a, i * 16, 0, 8, 0, 10 + i});
    tessera_pto_emit(p, vec, &(struct tessera_pto_operation){TESSERA_PTO_MULS, vu, {vt, -1, -1}, 3.0, 20 + i});
    tessera_pto_push(p, vec, vp, vu, TESSERA_PTO_UP_DOWN, 30 + i);
    tessera_pto_pop(p, cube, cp, cm, TESSERA_PTO_UP_DOWN, 40 + i);
    tessera_pto_emit(p, cube, &(struct tessera_pto_operation){TESSERA_PTO_MOV, cl, {cm, -1, -1}, 0, 50 + i});
    tessera_pto_emit(p, cube, &(struct tessera_pto_operation){TESSERA_PTO_MATMUL, ca, {cl, cr, -1}, 0, 60 + i});
    tessera_pto_store(p, cube, &(struct tessera_pto_transfer){ca, c, i * 16, 0, 0, 0, 70 + i});
  }
  assert_string_equal(tessera_pto_error(p), "");
  char text[1024];
  assert_int_equal(tessera_pto_check(p, text, sizeof text), 0);
  assert_int_equal(tessera_pto_explore(p, 200, text, sizeof text), 0);
  struct tessera_pto_machine *m = tessera_pto_start(p, NULL);
  double values[1024], eye[256] = {0};
  for (unsigned i = 0; i < 1024; i++) values[i] = i;
  for (unsigned i = 0; i < 16; i++) eye[i * 17] = 1;
  assert_int_equal(tessera_pto_write(m, a, values, 1024), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_write(m, id, eye, 256), TESSERA_PTO_OK);
  assert_int_equal(tessera_pto_write(m, id, values, 257), TESSERA_PTO_INVALID);
  assert_int_equal(tessera_pto_run(m, UINT64_MAX), TESSERA_PTO_RAN);
  assert_string_equal(tessera_pto_report(m), "");
  assert_int_equal(tessera_pto_hazards(m), 0);
  tessera_pto_read(m, c, values, 1024);
  for (unsigned i = 0; i < 1024; i++) assert_true(values[i] == 3.0 * i);
  tessera_pto_stop(m);
  tessera_pto_destroy(p);
}

/* The hang of a machine as a value, and its text, JSON and SARIF. */
static void expect_hang_value(struct tessera_pto_machine *m) {
  struct tessera_hang hang;
  struct tessera_waiter waiter;
  assert_int_equal(tessera_pto_hang(m, &hang), 1);
  assert_true(hang.cycle == tessera_pto_cycles(m) && !hang.deadlock);
  assert_int_equal(hang.chain_count, hang.waiter_count);
  assert_int_equal(tessera_pto_waiter(m, hang.chain[0], &waiter), TESSERA_PTO_OK);
  assert_string_equal(waiter.kind, "flag");
  assert_true(waiter.place.line == 7 && waiter.core == 0 && waiter.waits_for == -1 && waiter.tile_x == -1);
  assert_string_equal(waiter.place.call, "tpush");
  assert_true(waiter.releaser_count == 0 && waiter.value == 0 && waiter.wanted == 1 && waiter.since <= hang.cycle);
  util_assert_words(waiter.resource, " of AIC");
  util_assert_words(hang.cause, waiter.what);
  util_assert_words(hang.cause, waiter.why);
  for (unsigned format = TESSERA_PTO_REPORT_TEXT; format <= TESSERA_PTO_REPORT_SARIF; format++)
    util_assert_words(tessera_pto_run_report(m, (enum tessera_pto_report_format)format), hang.cause);
  for (size_t i = 1; i < hang.chain_count; i++) { /* the others wait for the first or for one before them */
    assert_int_equal(tessera_pto_waiter(m, hang.chain[i], &waiter), TESSERA_PTO_OK);
    assert_true(waiter.waits_for >= 0 && waiter.releaser_count > 0);
    assert_string_equal(waiter.releasers[0].state, "waiting");
  }
  assert_int_equal(tessera_pto_waiter(m, hang.waiter_count, &waiter), TESSERA_PTO_INVALID);
  assert_int_equal(tessera_pto_hang(m, NULL), 0);
}

static void the_c_api_says_what_is_wrong(void **state) {
  (void)state;
  char error[512];
  assert_null(tessera_pto_parse("module {\n  what\n}\n", 18, NULL, error, sizeof error));
  util_assert_words(error, "input:2:3: error: expected a module, a global or a function");
  assert_null(tessera_pto_parse("", 0, "b1", error, sizeof error));
  util_assert_words(error, "no profile b1");
  struct tessera_pto_program *p = tessera_pto_create("a5");
  assert_int_equal(tessera_pto_push(p, 0, 0, 0, TESSERA_PTO_NO_SPLIT, 1), -1);
  util_assert_words(tessera_pto_error(p), "push: no such pipe");
  assert_null(tessera_pto_start(p, NULL));
  tessera_pto_destroy(p);
  p = tessera_pto_create("a2a3");
  int fn = tessera_pto_add_function(p, "c", TESSERA_PTO_CUBE);
  struct tessera_pto_pipe pipe = {.flag_id = 0,
                                  .dir = TESSERA_PTO_C2V,
                                  .slot_size = 1024,
                                  .slot_num = 2,
                                  .gm_addr = UINT64_MAX,
                                  .c2v_addr = TESSERA_PTO_AUTO,
                                  .v2c_addr = TESSERA_PTO_AUTO};
  struct tessera_pto_tile tile = {TESSERA_PTO_ACC, TESSERA_PTO_F32, 16, 16, 0, 0, TESSERA_PTO_AUTO, 0};
  int cp = tessera_pto_add_pipe(p, fn, "p", &pipe), t = tessera_pto_add_tile(p, fn, "t", &tile);
  assert_true(tessera_pto_loop_begin(p, fn, 5) >= 0);
  tessera_pto_push(p, fn, cp, t, TESSERA_PTO_NO_SPLIT, 7);
  tessera_pto_cost(p, fn, 50);
  assert_int_equal(tessera_pto_loop_end(p, fn), 0);
  struct tessera_pto_machine *m = tessera_pto_start(p, NULL); /* no core pops */
  assert_int_equal(tessera_pto_run(m, UINT64_MAX), TESSERA_PTO_DEADLOCK);
  util_assert_words(tessera_pto_report(m), "tpush at line 7, tile 2");
  util_assert_words(tessera_pto_report(m), "it runs no program");
  expect_hang_value(m);
  tessera_pto_stop(m);
  tessera_pto_destroy(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_assembler_s_forms),
      cmocka_unit_test(the_reference_parses),
      cmocka_unit_test(round_trip_of_the_assembler),
      cmocka_unit_test(both_levels_with_loops_and_views),
      cmocka_unit_test(buffers_pair),
      cmocka_unit_test(errors_point_at_their_place),
      cmocka_unit_test(the_caret_stands_below_the_error),
      cmocka_unit_test(fuzzed_inputs_do_no_harm),
      cmocka_unit_test(the_c_api_runs_a_program),
      cmocka_unit_test(the_c_api_says_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
