/* Features of TMPipe alone: wide tiles in column blocks, the unit flag, tile ids that do not advance; and slots that overlap tiles. */
#include "pto/util.h"

static char source[16384];

static struct pto_machine *ran(const char *text, bool data, const char *policy, enum pto_end_kind *end) {
  struct pto_machine *m = pto_machine_new(util_parse(text), data);
  assert_non_null(m);
  if (policy) pto_machine_set_policy(m, pto_policy_find(policy));
  *end = pto_machine_run(m, UINT64_C(1) << 40);
  return m;
}

static void done(struct pto_machine *m) {
  struct pto_program *program = (struct pto_program *)(uintptr_t)m->program;
  pto_machine_free(m);
  pto_program_free(program);
}

/* --- wide tiles: kTileFactor blocks of the Cube's columns in one slot --- */

static const char *const tile_in_four_parts = "    pto.set_%s_tile_id %%p, %%t\n    scf.for %%b = 0 to 4 step 1 {\n"
                                              "      %%first = arith.cmpi eq, %%b, 0 : index\n      %%last = arith.cmpi eq, "
                                              "%%b, 3 : index\n      %%at = arith.muli %%b, 1024 : index\n"
                                              "      %%c0 = arith.muli %%b, 16 : index\n      pto.set_%s_tile_id %%p, %%t\n"
                                              "      pto.set_%s_status %%p, %%first\n      pto.set_%s_status %%p, %%last\n"
                                              "      pto.set_%s_entry_offset %%p, %%at\n";

static void wide_source(const char *arch, bool c2v, bool split) {
  unsigned lane = split ? 8 : 16;
  char parts[1024], pipe[256];
  snprintf(parts, sizeof parts, tile_in_four_parts, c2v ? "prod" : "cons", c2v ? "prod" : "cons", c2v ? "allocate" : "wait",
           c2v ? "record" : "free", c2v ? "prod" : "cons");
  snprintf(
      pipe, sizeof pipe,
      c2v ? "  %%p = pto.tmpipe : !pto.tmpipe<0, GM_FIFO, 2, 1, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, %u, 64>, "
            "false, 2, V2C1_VECS>\n"
          : "  %%p = pto.tmpipe : !pto.tmpipe<0, GM_FIFO, 2, 1, !pto.tile<vec, f32, %u, 64>, !pto.tile<mat, f32, 16, 16>, "
            "false, 2, V2C1_VECS>\n",
      lane);
  const char *head = "module attributes {pto.target_arch = \"%s\"} {\n"
                     "  pto.global @A : tensor<80x64xf32> {init = \"iota\"}\n  pto.global @C : tensor<80x64xf32>\n"
                     "  pto.global @I : tensor<16x16xf32> {values = [%s]}\n"
                     "func.func @c() attributes {pto.core = \"aic\"} {\n%s"
                     "  %%i = pto.tload @I : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n"
                     "  %%r = pto.tmov %%i : (!pto.tile<f32, 16, 16>) -> !pto.tile<right, f32, 16, 16>\n"
                     "  scf.for %%t = 0 to 5 step 1 {\n    %%r0 = arith.muli %%t, 16 : index\n%s";
  char ones[1024] = "";
  for (unsigned i = 0; i < 256; i++) util_append(ones, sizeof ones, i % 17 ? (i ? ", 0" : "0") : (i ? ", 1" : "1"));
  size_t used = (size_t)snprintf(source, sizeof source, head, arch, ones, pipe, parts);
  const char *load = "      %v = pto.partition_view @A, offsets = [%r0, %c0], sizes = [16, 16]\n"
                     "      %x = pto.tload %v : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 16, 16>\n";
  const char *pop = "      %x = pto.tpop %p : (!pto.tmpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n";
  const char *multiply =
      "      %l = pto.tmov %x : (!pto.tile<f32, 16, 16>) -> !pto.tile<left, f32, 16, 16>\n"
      "      %acc = pto.tmatmul %l, %r : (!pto.tile<f32, 16, 16>, !pto.tile<f32, 16, 16>) -> !pto.tile<acc, f32, 16, 16>\n";
  const char *push = "      pto.tpush %acc, %p : (!pto.tile<f32, 16, 16>, !pto.tmpipe<...>)\n";
  const char *store = "      %v = pto.partition_view @C, offsets = [%r0, %c0], sizes = [16, 16]\n"
                      "      pto.tstore %acc, %v : (!pto.tile<f32, 16, 16>, !pto.ptr<f32>)\n";
  used += (size_t)snprintf(source + used, sizeof source - used,
                           "%s%s%s    }\n  }\n}\n"
                           "func.func @v() attributes {pto.core = \"aiv\"} {\n%s  %%lane = pto.get_subblock_idx : index\n"
                           "  %%dr = arith.muli %%lane, %u : index\n  scf.for %%t = 0 to 5 step 1 {\n"
                           "    %%r0 = arith.muli %%t, 16 : index\n    %%r1 = arith.addi %%r0, %%dr : index\n"
                           "    %%v = pto.partition_view @%s, offsets = [%%r1, 0], sizes = [%u, 64]\n",
                           c2v ? load : pop, multiply, c2v ? push : store, pipe, split ? lane : 0, c2v ? "C" : "A", lane);
  snprintf(source + used, sizeof source - used,
           c2v ? "    %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> !pto.tile<vec, f32, %u, 64>\n"
                 "    pto.tstore %%x, %%v : (!pto.tile<f32, 1, 1>, !pto.ptr<f32>)\n  }\n}\n}\n"
               : "    %%x = pto.tload %%v : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, 64>\n"
                 "    pto.tpush %%x, %%p : (!pto.tile<f32, 1, 1>, !pto.tmpipe<...>)\n  }\n}\n}\n",
           lane);
}

static void column_blocks(void **state) {
  (void)state;
  for (unsigned k = 0; k < 8; k++) {
    enum pto_end_kind end;
    wide_source(k & 4 ? "a5" : "a2a3", k & 1, k & 2);
    if ((k & 4) && !(k & 2)) continue; /* A5 without split reaches one lane only */
    struct pto_machine *m = ran(source, true, NULL, &end);
    util_expect_clean(m, end);
    assert_int_equal(m->program->pipes[0].end[PTO_AIC].slot_size, 16 * 64 * 4);
    for (size_t i = 0; i < 80 * 64; i++)
      if (util_get(m, "C", i) != (double)i) fail_msg("case %u: C[%zu] is %g", k, i, util_get(m, "C", i));
    if (!(k & 1)) {                                               /* the slot's bytes: block by block, each 16 rows of 16 */
      const uint8_t *slot = m->gm + m->program->pipes[0].gm_addr; /* slot 0 holds tile 4 at the end */
      for (unsigned i = 0; i < 1024; i++) {
        unsigned row = i % 256 / 16, col = i / 256 * 16 + i % 16;
        assert_true(pto_dtype_load(PTO_F32, slot + (size_t)i * 4) == (double)((64 + row) * 64 + col));
      }
    }
    done(m);
  }
}

static void wide_tiles_need_gm(void **state) {
  (void)state;
  static const char *const texts[] = {
      "%p = pto.tmpipe : !pto.tmpipe<0, VEC_FIFO, 2, 1, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 8, 64>>\n",
      "%p = pto.tmpipe : !pto.tmpipe<0, GM_FIFO, 2, 1, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 8, 40>>\n"};
  for (unsigned i = 0; i < 2; i++) {
    struct pto_ir_error error;
    snprintf(source, sizeof source, "module {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n  %s}\n}\n", texts[i]);
    assert_null(pto_ir_parse_with(source, strlen(source), PTO_A5, NULL, 0, &error));
    util_assert_words(error.text, "whole number of column blocks");
    assert_int_equal(error.line, 3);
  }
}

/* --- EN_UNIT_FLAG: M passes the accumulator to FIX without set_flag and wait_flag --- */

static struct pto_machine *product_stream(const char *arch, const char *unit_flag, enum pto_end_kind *end) {
  snprintf(
      source, sizeof source,
      "module attributes {pto.target_arch = \"%s\"} {\n"
      "func.func @c() attributes {pto.core = \"aic\", pto.sync = \"manual\"} {\n"
      "  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2, true, %s>\n"
      "  %%l = pto.alloc_tile : !pto.tile_buf<left, f32, 16, 16>\n  %%r = pto.alloc_tile : !pto.tile_buf<right, f32, 16, "
      "16>\n  %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n  scf.for %%i = 0 to 6 step 1 {\n"
      "    pto.tmatmul ins(%%l, %%r : !pto.tile_buf<f32, 16, 16>, !pto.tile_buf<f32, 16, 16>) outs(%%acc : "
      "!pto.tile_buf<f32, 16, 16>) {cost = 500}\n"
      "    pto.tpush %%acc, %%p {cost = 300} : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
      "func.func @v() attributes {pto.core = \"%s\"} {\n  %%p = pto.tpipe : !pto.tpipe<0, C2V, 1024, 2, 2, true, %s>\n"
      "  scf.for %%i = 0 to 6 step 1 {\n    %%x = pto.tpop %%p {cost = 1} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, "
      "16, 16>\n    pto.tfree %%p : !pto.tpipe<...>\n  }\n}\n}\n",
      arch, unit_flag, strcmp(arch, "a5") == 0 ? "aiv0" : "aiv", unit_flag);
  return ran(source, false, NULL, end);
}

static void unit_flag(void **state) {
  (void)state;
  static const char *const arch[] = {"a2a3", "a5"};
  for (unsigned i = 0; i < 2; i++) {
    enum pto_end_kind end;
    char words[1024];
    struct pto_machine *m = product_stream(arch[i], "false", &end);
    assert_int_equal(end, PTO_RAN);
    assert_true(util_found(m, PTO_FIND_UNSYNCED)); /* the push reads a tile that M has not finished */
    pto_explain_finding(m, &m->findings[0], words, sizeof words);
    util_assert_words(words, "set_flag/wait_flag is missing");
    assert_true(m->engine.now < 6 * 800);
    done(m);
    m = product_stream(arch[i], "true", &end);
    util_expect_clean(m, end);
    assert_true(m->engine.now >= 6 * 800 && m->engine.now < 6 * 800 + 400); /* product and store alternate */
    assert_true(m->stats.stalled[pto_agent(PTO_AIC, PTO_FIX)][PTO_WAIT_DEP] > 5 * 400);
    assert_true(m->stats.stalled[pto_agent(PTO_AIC, PTO_M)][PTO_WAIT_DEP] > 4 * 250);
    done(m);
  }
}

/* --- A5 TMPipe upstream: push and pop do not advance the tile id --- */

static void id_source(bool set_ids) {
  const char *prod = set_ids ? "    pto.set_prod_tile_id %p, %i\n" : "",
             *cons = set_ids ? "    pto.set_cons_tile_id %p, %i\n" : "";
  const char *pipe =
      "  %p = pto.tmpipe : !pto.tmpipe<0, VEC_FIFO, 4, 1, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 8, "
      "16>>\n  scf.for %i = 0 to 7 step 1 {\n";
  snprintf(
      source, sizeof source,
      "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
      "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n%s%s    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n"
      "  }\n}\nfunc.func @v() attributes {pto.core = \"aiv\"} {\n%s%s    %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> "
      "!pto.tile<vec, f32, 8, 16>\n    pto.tfree %%p : !pto.tmpipe<...>\n  }\n}\n}\n",
      pipe, prod, pipe, cons);
}

static void tile_ids(void **state) {
  (void)state;
  enum pto_end_kind end;
  static struct pto_explore_result found;
  id_source(false);
  struct pto_machine *m = ran(source, false, NULL, &end); /* ours: it advances */
  util_expect_clean(m, end);
  assert_int_equal(m->cores[PTO_AIC].ends[0].prod_tile, 7);
  assert_int_equal(m->directions[0][PTO_DIRECTION_C2V].ring[0].slots[2].version, 6);
  done(m);
  m = ran(source, false, "tmpipe", &end); /* upstream: everything goes through slot 0 */
  util_expect_clean(m, end);
  assert_int_equal(m->cores[PTO_AIC].ends[0].prod_tile, 0);
  assert_int_equal(m->cores[PTO_AIV0].ends[0].cons_tile, 0);
  struct pto_program *p = util_parse(source); /* with more than one credit that is an overwrite */
  assert_true(pto_explore(p, &(struct pto_explore_options){.schedules = 100, .policy = pto_policy_find("a5-head")}, &found));
  assert_true(found.broken);
  assert_int_equal(found.finding.kind, PTO_FIND_OVERWRITE);
  pto_program_free(p);
  done(m);
  id_source(true); /* setTileId on both sides, as the kernels do */
  m = ran(source, false, "tmpipe", &end);
  util_expect_clean(m, end);
  assert_int_equal(m->cores[PTO_AIC].ends[0].prod_tile, 6);
  assert_int_equal(m->directions[0][PTO_DIRECTION_C2V].ring[0].slots[2].version, 6);
  done(m);
}

/* The headers' flags on A5 always go to both Vectors: with one Vector they wait for the other. */
static void headers_pair_the_vectors(void **state) {
  (void)state;
  static const char *const pipe =
      "!pto.tmpipe<4, GM_FIFO, 4, 1, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 16, 16>, false, 2, V1C1_VEC0>";
  snprintf(source, sizeof source,
           "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
           "  %%p = pto.tmpipe : %s\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
           "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n}\nfunc.func @v() attributes {pto.core = \"aiv0\"} {\n"
           "  %%p = pto.tmpipe : %s\n  %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n}\n}\n",
           pipe, pipe);
  enum pto_end_kind end;
  char words[2048];
  struct pto_machine *m = ran(source, false, NULL, &end);
  util_expect_clean(m, end);
  done(m);
  m = ran(source, false, "tmpipe", &end);
  assert_int_equal(end, PTO_DEADLOCKED);
  pto_explain_deadlock(m, words, sizeof words);
  util_assert_words(words, "AIC FIX has been waiting since cycle");
  util_assert_words(words, "flag 21 of AIC should be set by AIV1: it runs no program");
  done(m);
}

/* A MAT_FIFO slot in two parts: the headers place the second part over the first. */
static void headers_forget_the_offset(void **state) {
  (void)state;
  static const char *const pipe =
      "!pto.tmpipe<0, MAT_FIFO, 2, 1, !pto.tile<vec, f32, 8, 16>, !pto.tile<mat, f32, 16, 16>, false, 2, V2C1_VECS>";
  for (unsigned headers = 0; headers < 2; headers++) {
    snprintf(source, sizeof source,
             "module attributes {pto.target_arch = \"a5\"} {\nfunc.func @v() attributes {pto.core = \"aiv\"} {\n"
             "  %%p = pto.tmpipe (v2c_consumer_buf = 0x1000) : %s\n  %%t = pto.alloc_tile : !pto.tile_buf<vec, f32, 4, 16>\n"
             "  %%k = arith.constant 256 : index\n  pto.texpands ins() outs(%%t : !pto.tile_buf<f32, 4, 16>) {value = 5.0}\n"
             "  pto.set_prod_entry_offset %%p, %%k\n  pto.tpush %%t, %%p : (!pto.tile<f32, 4, 16>)\n}\n"
             "func.func @c() attributes {pto.core = \"aic\"} {\n  %%p = pto.tmpipe (v2c_consumer_buf = 0x1000) : %s\n"
             "  %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> !pto.tile<mat, f32, 16, 16>\n  pto.tfree %%p : !pto.tmpipe<...>\n"
             "}\n}\n",
             pipe, pipe);
    enum pto_end_kind end;
    struct pto_machine *m = ran(source, true, headers ? "tmpipe" : NULL, &end);
    util_expect_clean(m, end);
    const uint8_t *slot = m->local[PTO_AIC][PTO_MAT] + 0x1000;
    assert_true(pto_dtype_load(PTO_F32, slot) == (headers ? 5.0 : 0.0));
    assert_true(pto_dtype_load(PTO_F32, slot + 256) == 5.0); /* lane 1 of the headers' layout, or lane 0 of ours */
    assert_true(pto_dtype_load(PTO_F32, slot + 512) == (headers ? 0.0 : 5.0));
    done(m);
  }
}

/* Depth 8, period 4, statuses set by the kernel as its authors do: the constructor's credit allows the Cube to be 12 tiles ahead. */
static void headers_lead(void **state) {
  (void)state;
  static const char *const pipe =
      "!pto.tmpipe<0, GM_FIFO, 8, 4, !pto.tile<acc, f32, 16, 16>, !pto.tile<vec, f32, 16, 16>, false, 2, V2C1_VECS>";
  snprintf(
      source, sizeof source,
      "module attributes {pto.target_arch = \"a2a3\"} {\nfunc.func @c() attributes {pto.core = \"aic\"} {\n"
      "  %%p = pto.tmpipe : %s\n  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
      "  scf.for %%i = 0 to 24 step 1 {\n    %%r = arith.remsi %%i, 4 : index\n    %%a = arith.cmpi eq, %%r, 0 : index\n"
      "    %%b = arith.cmpi sge, %%i, 8 : index\n    %%w = arith.andi %%a, %%b : index\n"
      "    pto.set_allocate_status %%p, %%w\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n  }\n}\n"
      "func.func @v() attributes {pto.core = \"aiv\"} {\n  %%p = pto.tmpipe : %s\n"
      "  scf.for %%i = 0 to 24 step 1 {\n    %%r = arith.remsi %%i, 4 : index\n    %%n = arith.cmpi eq, %%r, 3 : index\n"
      "    pto.set_free_status %%p, %%n\n"
      "    %%x = pto.tpop %%p : (!pto.tmpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n  }\n}\n}\n",
      pipe, pipe);
  struct pto_program *p = util_parse(source);
  struct pto_machine *m = pto_machine_new(p, false);
  pto_machine_set_policy(m, pto_policy_find("tmpipe"));
  m->schedule.count = 2; /* both Vectors asleep */
  for (unsigned lane = 0; lane < 2; lane++)
    m->schedule.delays[lane] =
        (struct pto_delay){.agent = (uint16_t)pto_agent(PTO_AIV0 + lane, PTO_S), .item = 2, .cycles = 100000};
  pto_machine_run(m, 50000);
  assert_int_equal(m->cores[PTO_AIC].ends[0].pushed, 12); /* in 8 slots */
  assert_true(util_found(m, PTO_FIND_OVERWRITE));
  pto_machine_free(m);
  pto_program_free(p);
}

/* --- a pipe's slots on a tile's bytes --- */

static void overlap_source(const char *arch, unsigned tile_addr, const char *between, const char *after) {
  bool a5 = strcmp(arch, "a5") == 0;
  snprintf(source, sizeof source,
           "module attributes {pto.target_arch = \"%s\"} {\n  pto.global @C : tensor<16x16xf32>\n"
           "func.func @c() attributes {pto.core = \"aic\"} {\n"
           "  %%p = pto.tpipe (c2v_consumer_buf = 0x2000) {nosplit} : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
           "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
           "  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n  pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>)\n}\n"
           "func.func @v() attributes {pto.core = \"%s\"} {\n"
           "  %%p = pto.tpipe (c2v_consumer_buf = 0x2000) {nosplit} : !pto.tpipe<0, C2V, 1024, 2, 2>\n"
           "  %%k = pto.alloc_tile {addr = %u} : !pto.tile_buf<vec, f32, 16, 16>\n"
           "  %%o = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, 16>\n"
           "  pto.texpands ins() outs(%%k : !pto.tile_buf<f32, 16, 16>) {value = 2.0}\n"
           "  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n%s"
           "  pto.trelu ins(%%x : !pto.tile_buf<f32, 16, 16>) outs(%%o : !pto.tile_buf<f32, 16, 16>)\n%s  pto.tfree %%p : "
           "!pto.tpipe<...>\n  %%y = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
           "  pto.tfree %%p : !pto.tpipe<...>\n}\n}\n",
           arch, a5 ? "aiv0" : "aiv", tile_addr, between, after);
}

static void slots_on_tiles(void **state) {
  (void)state;
  static const char *const read =
                               "  pto.tadd ins(%x, %k : !pto.tile_buf<f32, 16, 16>, !pto.tile_buf<f32, 16, 16>) outs(%o : "
                               "!pto.tile_buf<f32, 16, 16>)\n",
                           *const write = "  pto.texpands ins() outs(%k : !pto.tile_buf<f32, 16, 16>) {value = 3.0}\n";
  enum pto_end_kind end;
  char words[1024];
  static const char *const arch[] = {"a5", "a2a3"};
  for (unsigned i = 0; i < 2; i++) {
    overlap_source(arch[i], 0x2000, "", ""); /* on the bytes of slot 0, but no longer in use */
    struct pto_machine *m = ran(source, false, NULL, &end);
    if (i) util_expect_clean(m, end); /* A5: the tile may be written after the slot is */
    done(m);
    overlap_source(arch[i], 0x2200, read, ""); /* half of slot 0, half of slot 1 */
    m = ran(source, false, NULL, &end);
    assert_int_equal(end, PTO_RAN);
    assert_true(util_found(m, PTO_FIND_RING_TILE));
    pto_explain_finding(m, &m->findings[m->finding_count - 1], words, sizeof words);
    util_assert_words(words, "ring-over-tile");
    util_assert_words(words, "reads tile %k");
    util_assert_words(words, "of pipe %p lies on its bytes");
    done(m);
    overlap_source(arch[i], 0x2000, write, ""); /* over the popped tile before it is used */
    m = ran(source, false, NULL, &end);
    assert_true(util_found(m, i ? PTO_FIND_LANDING : PTO_FIND_RING_TILE));
    pto_explain_finding(m, &m->findings[0], words, sizeof words);
    util_assert_words(words, i ? "has written to the same local bytes" : "writes tile %k over slot 0 of pipe %p");
    done(m);
    overlap_source(arch[i], 0x2800, read, write); /* after the two slots: nothing shared */
    m = ran(source, false, NULL, &end);
    util_expect_clean(m, end);
    done(m);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(column_blocks),
      cmocka_unit_test(wide_tiles_need_gm),
      cmocka_unit_test(unit_flag),
      cmocka_unit_test(tile_ids),
      cmocka_unit_test(slots_on_tiles),
      cmocka_unit_test(headers_pair_the_vectors),
      cmocka_unit_test(headers_forget_the_offset),
      cmocka_unit_test(headers_lead),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
