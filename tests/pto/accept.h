/* The public acceptance programs, re-created: each case writes its own IR and computes its own expected result. Inputs are small integers
 * wherever the result is to be exact. */
#ifndef TESSERA_TESTS_PTO_ACCEPT_H
#define TESSERA_TESTS_PTO_ACCEPT_H

#include <math.h>

#include "util.h"

struct accept {
  char name[80];
  bool a5;
  unsigned kind; /* which family */
  unsigned m, k, n;
  const char *dtype, *qtype;
  const char *split;
  unsigned slots, dispatches;
  double tolerance; /* relative and absolute; 0: exact */
};

static char accept_buffer[1 << 16];
static size_t accept_used;

__attribute__((format(printf, 1, 2))) static void sb(const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(accept_buffer + accept_used, sizeof accept_buffer - accept_used, format, args);
  va_end(args);
  accept_used += (size_t)n;
}

static void accept_module(const struct accept *c) {
  accept_used = 0;
  sb("module attributes {pto.target_arch = \"%s\", pto.dispatches = %u} {\n", c->a5 ? "a5" : "a2a3",
     c->dispatches ? c->dispatches : 1);
}

static void accept_input(const char *name, unsigned rows, unsigned cols, const char *dtype, int low, int high,
                         unsigned seed) {
  sb("  pto.global @%s : tensor<%ux%ux%s> {init = \"ints\", low = %d, high = %d, seed = %u}\n", name, rows, cols, dtype, low,
     high, seed);
}

static bool is_split(const struct accept *c, const char *s) { return strcmp(c->split, s) == 0; }
static bool nosplit(const struct accept *c) { return is_split(c, "NO_SPLIT"); }
static bool rows_split(const struct accept *c) { return strncmp(c->split, "UP", 2) == 0; }
static bool cols_split(const struct accept *c) { return strncmp(c->split, "LE", 2) == 0; }

/* A lane's part of rows x cols. */
static unsigned lane_rows(const struct accept *c, unsigned rows, unsigned lane) {
  return rows_split(c) ? (lane ? rows / 2 : (rows + 1) / 2) : rows;
}
static unsigned lane_cols(const struct accept *c, unsigned cols, unsigned lane) {
  return cols_split(c) ? (lane ? cols / 2 : (cols + 1) / 2) : cols;
}

/* One Vector function for both lanes, or (odd splits) one for each; on A5 without split only lane 0 works. */
static unsigned accept_vector_functions(const struct accept *c) { return strstr(c->split, "ODD") ? 2 : 1; }

static void accept_vector(const struct accept *c, unsigned lane, const char *name) {
  const char *core = accept_vector_functions(c) == 2 ? (lane ? "aiv1" : "aiv0") : c->a5 && nosplit(c) ? "aiv0" : "aiv";
  sb("func.func @%s%u() attributes {pto.core = \"%s\"} {\n", name, lane, core);
  sb("  %%lane = pto.get_subblock_idx : index\n");
}

static void accept_pipe(const struct accept *c, const char *dir, unsigned slot_bytes, unsigned slots, unsigned local) {
  sb("  %%p = pto.tpipe {%s} : !pto.tpipe<0, %s, %u, %u, %u>\n", nosplit(c) ? "nosplit" : "", dir, slot_bytes, slots, local);
}

static void accept_matmul(unsigned m, unsigned k, unsigned n, const char *dtype, const char *id) {
  sb("    %%l%s = pto.tmov %%a%s : (!pto.tile<mat, %s, %u, %u>) -> !pto.tile<left, %s, %u, %u>\n", id, id, dtype, m, k,
     dtype, m, k);
  sb("    %%r%s = pto.tmov %%b%s : (!pto.tile<mat, %s, %u, %u>) -> !pto.tile<right, %s, %u, %u>\n", id, id, dtype, k, n,
     dtype, k, n);
}

/* --- cv: Cube multiplies, Vectors add the bias --- */

static void write_cv(const struct accept *c) {
  unsigned tiles = (c->m + 15) / 16, tm = c->m < 16 ? c->m : 16;
  unsigned whole = tm * c->n * 4, slot = c->a5 && !nosplit(c) ? lane_rows(c, tm, 0) * lane_cols(c, c->n, 0) * 4 : whole;
  accept_module(c);
  accept_input("A", c->m, c->k, c->dtype, -4, 4, 1);
  accept_input("B", c->k, c->n, c->dtype, -4, 4, 2);
  accept_input("bias", c->m, c->n, "f32", -9, 9, 3);
  sb("  pto.global @C : tensor<%ux%uxf32>\n", c->m, c->n);
  sb("func.func @cube() attributes {pto.core = \"aic\"} {\n");
  accept_pipe(c, "C2V", slot, c->slots, 2);
  sb("  %%b = pto.tload @B : (!pto.ptr<f16>) -> !pto.tile<mat, %s, %u, %u>\n", c->dtype, c->k, c->n);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%r0 = arith.muli %%i, 16 : index\n", tiles);
  sb("    %%va = pto.partition_view @A, offsets = [%%r0, 0], sizes = [%u, %u]\n", tm, c->k);
  sb("    %%a = pto.tload %%va : (!pto.partition_tensor_view<1x1xf32>) -> !pto.tile<mat, %s, %u, %u>\n", c->dtype, tm, c->k);
  accept_matmul(tm, c->k, c->n, c->dtype, "");
  sb("    %%acc = pto.tmatmul %%l, %%r : (!pto.tile<left, f32, 1, 1>, !pto.tile<right, f32, 1, 1>) -> !pto.tile<acc, f32, "
     "%u, %u>\n",
     tm, c->n);
  sb("    pto.tpush %%acc, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n  }\n}\n", c->split);
  for (unsigned lane = 0; lane < accept_vector_functions(c); lane++) {
    unsigned r = lane_rows(c, tm, lane), n = lane_cols(c, c->n, lane);
    accept_vector(c, lane, "vec");
    accept_pipe(c, "C2V", slot, c->slots, 2);
    sb("  %%odd = arith.constant %u : index\n", lane);
    sb("  %%dr0 = arith.muli %%lane, %u : index\n  %%dc0 = arith.muli %%lane, %u : index\n",
       rows_split(c) ? lane_rows(c, tm, 0) : 0, cols_split(c) ? lane_cols(c, c->n, 0) : 0);
    sb("  scf.for %%i = 0 to %u step 1 {\n    %%r0 = arith.muli %%i, 16 : index\n    %%r1 = arith.addi %%r0, %%dr0 : "
       "index\n",
       tiles);
    sb("    %%vb = pto.partition_view @bias, offsets = [%%r1, %%dc0], sizes = [%u, %u]\n", r, n);
    sb("    %%bias = pto.tload %%vb : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", r, n);
    sb("    %%x = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, %u, %u>\n", c->split, r, n);
    sb("    %%y = pto.tadd %%x, %%bias : (!pto.tile<f32, 1, 1>, !pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, %u, %u>\n", r,
       n);
    sb("    pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
    sb("    %%vc = pto.partition_view @C, offsets = [%%r1, %%dc0], sizes = [%u, %u]\n", r, n);
    if (nosplit(c) && !c->a5) sb("    %%one = arith.cmpi eq, %%lane, 0 : index\n    scf.if %%one {\n");
    sb("    pto.tstore %%y, %%vc : (!pto.tile<f32, 1, 1>, !pto.ptr<f32>)\n%s  }\n}\n",
       nosplit(c) && !c->a5 ? "    }\n" : "");
  }
  sb("}\n");
}

static double dot(const struct pto_machine *m, const char *a, const char *b, unsigned r, unsigned col, unsigned k,
                  unsigned n) {
  double sum = 0;
  for (unsigned i = 0; i < k; i++) sum += util_get(m, a, (size_t)r * k + i) * util_get(m, b, (size_t)i * n + col);
  return sum;
}

static double expect_cv(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  return dot(m, "A", "B", r, col, c->k, c->n) + util_get(m, "bias", (size_t)r * c->n + col);
}

/* --- vc: Vectors dequantise B, Cube multiplies and accumulates over K --- */

static void write_vc(const struct accept *c) {
  unsigned steps = c->k / 64;
  accept_module(c);
  accept_input("A", c->m, c->k, "f16", -3, 3, 4);
  accept_input("Bq", c->k, c->n, c->qtype, -8, 8, 5);
  accept_input("scale", c->k, 1, "f32", 1, 2, 6);
  accept_input("off", c->k, 1, "f32", -2, 2, 7);
  sb("  pto.global @C : tensor<%ux%uxf32>\n", c->m, c->n);
  sb("func.func @cube() attributes {pto.core = \"aic\"} {\n");
  accept_pipe(c, "V2C", 64 * c->n * 2, c->slots, 2);
  sb("  %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, %u, %u>\n", c->m, c->n);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%k0 = arith.muli %%i, 64 : index\n", steps);
  sb("    %%va = pto.partition_view @A, offsets = [0, %%k0], sizes = [%u, 64]\n", c->m);
  sb("    %%a = pto.tload %%va : (!pto.ptr<f16>) -> !pto.tile<mat, f16, %u, 64>\n", c->m);
  sb("    %%b = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f16, 64, %u>\n", c->split, c->n);
  accept_matmul(c->m, 64, c->n, "f16", "");
  sb("    pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
  sb("    %%first = arith.cmpi eq, %%i, 0 : index\n    scf.if %%first {\n");
  sb("      pto.tmatmul ins(%%l, %%r : !pto.tile_buf<f16, 1, 1>, !pto.tile_buf<f16, 1, 1>) outs(%%acc : !pto.tile_buf<f32, "
     "1, 1>)\n    } else {\n");
  sb("      pto.tmatmul.acc ins(%%acc, %%l, %%r : !pto.tile_buf<f16, 1, 1>, !pto.tile_buf<f16, 1, 1>, !pto.tile_buf<f16, 1, "
     "1>) outs(%%acc : !pto.tile_buf<f32, 1, 1>)\n    }\n  }\n");
  sb("  pto.tstore %%acc, @C : (!pto.tile<f32, 1, 1>, !pto.ptr<f32>)\n}\n");
  unsigned r = lane_rows(c, 64, 0), n = lane_cols(c, c->n, 0);
  accept_vector(c, 0, "vec");
  accept_pipe(c, "V2C", 64 * c->n * 2, c->slots, 2);
  sb("  %%dr = arith.muli %%lane, %u : index\n  %%dc = arith.muli %%lane, %u : index\n", rows_split(c) ? r : 0,
     cols_split(c) ? n : 0);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%k0 = arith.muli %%i, 64 : index\n    %%k1 = arith.addi %%k0, %%dr : index\n",
     steps);
  sb("    %%vq = pto.partition_view @Bq, offsets = [%%k1, %%dc], sizes = [%u, %u]\n", r, n);
  sb("    %%vs = pto.partition_view @scale, offsets = [%%k1, 0], sizes = [%u, 1]\n", r);
  sb("    %%vo = pto.partition_view @off, offsets = [%%k1, 0], sizes = [%u, 1]\n", r);
  sb("    %%q = pto.tload %%vq : (!pto.ptr<f32>) -> !pto.tile<vec, %s, %u, %u>\n", c->qtype, r, n);
  sb("    %%s = pto.tload %%vs : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, 1>\n", r);
  sb("    %%o = pto.tload %%vo : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, 1>\n", r);
  sb("    %%d = pto.tdequant %%q, %%s, %%o : (!pto.tile<f32, 1, 1>) -> !pto.tile<vec, f16, %u, %u>\n", r, n);
  sb("    pto.tpush %%d, %%p {split = \"%s\"} : (!pto.tile<f16, 1, 1>, !pto.tpipe<...>)\n  }\n}\n}\n", c->split);
}

static double expect_vc(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  double sum = 0;
  for (unsigned k = 0; k < c->k; k++)
    sum += util_get(m, "A", (size_t)r * c->k + k) *
           ((util_get(m, "Bq", (size_t)k * c->n + col) - util_get(m, "off", k)) * util_get(m, "scale", k));
  return sum;
}

/* --- (s0 + s1) @ s2 with explicit subblock --- */

static void write_sub(const struct accept *c) {
  accept_module(c);
  accept_input("A", c->m, c->k, "f32", -4, 4, 8);
  accept_input("A2", c->m, c->k, "f32", -4, 4, 9);
  accept_input("B", c->k, c->n, "f32", -4, 4, 10);
  sb("  pto.global @C : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  accept_pipe(c, "V2C", c->m * c->k * 4, c->slots, 2);
  sb("  %%b = pto.tload @B : (!pto.ptr<f32>) -> !pto.tile<mat, f32, %u, %u>\n", c->k, c->n);
  sb("  %%a = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->split, c->m, c->k);
  accept_matmul(c->m, c->k, c->n, "f32", "");
  sb("  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, %u, %u>\n  pto.tstore %%acc, @C : "
     "(!pto.tile<f32, 1, 1>)\n}\n",
     c->m, c->n);
  for (unsigned lane = 0; lane < 2; lane++) {
    sb("func.func @vec%u() attributes {pto.core = \"aiv%u\"} {\n", lane, lane);
    accept_pipe(c, "V2C", c->m * c->k * 4, c->slots, 2);
    unsigned r = c->m / 2;
    for (unsigned i = 0; i < 2; i++) {
      sb("  %%v%u = pto.partition_view @A%s, offsets = [%u, 0], sizes = [%u, %u]\n", i, i ? "2" : "", lane * r, r, c->k);
      sb("  %%s%u = pto.tload %%v%u : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", i, i, r, c->k);
    }
    sb("  %%d = pto.tadd %%s0, %%s1 : (!pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, %u, %u>\n", r, c->k);
    sb("  pto.tpush %%d, %%p {split = \"UP_DOWN\", subblock = %u} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n}\n", lane);
  }
  sb("}\n");
}

static double expect_sub(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  return dot(m, "A", "B", r, col, c->k, c->n) + dot(m, "A2", "B", r, col, c->k, c->n);
}

/* --- dir_both: G = (A + B) @ D - F --- */

static void write_both(const struct accept *c) {
  unsigned slot = c->m * c->n * 4;
  if (c->a5) slot = slot / 2; /* the half tile in UB; also the size of A + B in L1 */
  accept_module(c);
  accept_input("A", c->m, c->k, "f32", -3, 3, 11);
  accept_input("A2", c->m, c->k, "f32", -3, 3, 12);
  accept_input("B", c->k, c->n, "f32", -3, 3, 13);
  accept_input("F", c->m, c->n, "f32", -9, 9, 14);
  sb("  pto.global @C : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  accept_pipe(c, "BOTH", slot, c->slots, 1);
  sb("  %%b = pto.tload @B : (!pto.ptr<f32>) -> !pto.tile<mat, f32, %u, %u>\n", c->k, c->n);
  sb("  %%a = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->split, c->m, c->k);
  accept_matmul(c->m, c->k, c->n, "f32", "");
  sb("  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, %u, %u>\n", c->m, c->n);
  sb("  pto.tpush %%acc, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n}\n", c->split);
  unsigned r = lane_rows(c, c->m, 0), k = lane_cols(c, c->k, 0), n = lane_cols(c, c->n, 0);
  accept_vector(c, 0, "vec");
  accept_pipe(c, "BOTH", slot, c->slots, 1);
  sb("  %%dr = arith.muli %%lane, %u : index\n  %%dk = arith.muli %%lane, %u : index\n  %%dn = arith.muli %%lane, %u : "
     "index\n",
     rows_split(c) ? r : 0, cols_split(c) ? k : 0, cols_split(c) ? n : 0);
  for (unsigned i = 0; i < 2; i++) {
    sb("  %%v%u = pto.partition_view @A%s, offsets = [%%dr, %%dk], sizes = [%u, %u]\n", i, i ? "2" : "", r, k);
    sb("  %%s%u = pto.tload %%v%u : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", i, i, r, k);
  }
  sb("  pto.tadd ins(%%s0, %%s1 : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%s0 : !pto.tile_buf<f32, 1, "
     "1>)\n");
  sb("  pto.tpush %%s0, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n", c->split);
  sb("  %%vf = pto.partition_view @F, offsets = [%%dr, %%dn], sizes = [%u, %u]\n", r, n);
  sb("  %%f = pto.tload %%vf : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", r, n);
  sb("  %%x = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, %u, %u>\n", c->split, r, n);
  sb("  pto.tsub ins(%%x, %%f : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%f : !pto.tile_buf<f32, 1, 1>)\n");
  sb("  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
  sb("  %%vc = pto.partition_view @C, offsets = [%%dr, %%dn], sizes = [%u, %u]\n  pto.tstore %%f, %%vc : (!pto.tile<f32, 1, "
     "1>)\n}\n}\n",
     r, n);
}

static double expect_both(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  return expect_sub(c, m, r, col) - util_get(m, "F", (size_t)r * c->n + col);
}

/* --- dir_both_concurrent: E = A @ D - F at the Vectors while the Cube computes (A + B) @ D --- */

static void write_concurrent(const struct accept *c) {
  unsigned slot = c->m * c->n * 4 > c->m * c->k * 4 ? c->m * c->n * 4 : c->m * c->k * 4;
  accept_module(c);
  accept_input("A", c->m, c->k, "f32", -3, 3, 21);
  accept_input("A2", c->m, c->k, "f32", -3, 3, 22);
  accept_input("B", c->k, c->n, "f32", -3, 3, 23);
  accept_input("F", c->m, c->n, "f32", -9, 9, 24);
  sb("  pto.global @C : tensor<%ux%uxf32>\n  pto.global @H : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = "
     "\"aic\"} {\n",
     c->m, c->n, c->m, c->n);
  accept_pipe(c, "BOTH", slot, c->slots, 1);
  sb("  %%b = pto.tload @B : (!pto.ptr<f32>) -> !pto.tile<mat, f32, %u, %u>\n", c->k, c->n);
  sb("  %%a = pto.tload @A : (!pto.ptr<f32>) -> !pto.tile<mat, f32, %u, %u>\n", c->m, c->k);
  accept_matmul(c->m, c->k, c->n, "f32", "");
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, %u, %u>\n", c->m, c->n);
  sb("  pto.tpush %%acc, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n", c->split);
  sb("  %%s = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->split, c->m, c->k);
  sb("  pto.tmov ins(%%s : !pto.tile_buf<f32, 1, 1>) outs(%%l : !pto.tile_buf<f32, 1, 1>)\n  pto.tfree %%p {split = \"%s\"} "
     ": !pto.tpipe<...>\n",
     c->split);
  sb("  pto.tmatmul ins(%%l, %%r : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%acc : !pto.tile_buf<f32, 1, "
     "1>)\n");
  sb("  pto.tstore %%acc, @H : (!pto.tile<f32, 1, 1>)\n}\n");
  unsigned r = lane_rows(c, c->m, 0);
  accept_vector(c, 0, "vec");
  accept_pipe(c, "BOTH", slot, c->slots, 1);
  sb("  %%dr = arith.muli %%lane, %u : index\n", r);
  for (unsigned i = 0; i < 2; i++) {
    sb("  %%v%u = pto.partition_view @A%s, offsets = [%%dr, 0], sizes = [%u, %u]\n", i, i ? "2" : "", r, c->k);
    sb("  %%s%u = pto.tload %%v%u : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", i, i, r, c->k);
  }
  sb("  pto.tadd ins(%%s0, %%s1 : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%s0 : !pto.tile_buf<f32, 1, "
     "1>)\n");
  sb("  pto.tpush %%s0, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n", c->split);
  sb("  %%vf = pto.partition_view @F, offsets = [%%dr, 0], sizes = [%u, %u]\n  %%f = pto.tload %%vf : (!pto.ptr<f32>) -> "
     "!pto.tile<vec, f32, %u, %u>\n",
     r, c->n, r, c->n);
  sb("  %%x = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, %u, %u>\n", c->split, r, c->n);
  sb("  pto.tsub ins(%%x, %%f : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%f : !pto.tile_buf<f32, 1, 1>)\n");
  sb("  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split);
  sb("  %%vc = pto.partition_view @C, offsets = [%%dr, 0], sizes = [%u, %u]\n  pto.tstore %%f, %%vc : (!pto.tile<f32, 1, "
     "1>)\n}\n}\n",
     r, c->n);
}

static double expect_concurrent(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  double h = expect_sub(c, m, r, col), got = util_get(m, "H", (size_t)r * c->n + col);
  if (h != got) fail_msg("%s: H[%u][%u] is %g, not %g", c->name, r, col, got, h);
  return dot(m, "A", "B", r, col, c->k, c->n) - util_get(m, "F", (size_t)r * c->n + col);
}

/* --- mixed_tile_size: both operands through one pipe, popped before either is used (#521) --- */

static void write_mixed(const struct accept *c) {
  bool both = is_split(c, "NO_SPLIT") && c->kind == 6;
  unsigned big = c->m * c->k > c->k * c->n ? c->m * c->k : c->k * c->n, slot = 4 * big;
  accept_module(c);
  accept_input("A", c->m, c->k, "f32", -4, 4, 31);
  accept_input("B", c->k, c->n, "f32", -4, 4, 32);
  sb("  pto.global @C : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  accept_pipe(c, both ? "BOTH" : "V2C", slot, c->slots, 2);
  sb("  %%a = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->split, c->m, c->k);
  sb("  %%b = pto.tpop %%p {split = \"%s\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->split, c->k, c->n);
  accept_matmul(c->m, c->k, c->n, "f32", "");
  sb("  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n  pto.tfree %%p {split = \"%s\"} : !pto.tpipe<...>\n", c->split,
     c->split);
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, %u, %u>\n  pto.tstore %%acc, @C : "
     "(!pto.tile<f32, 1, 1>)\n}\n",
     c->m, c->n);
  unsigned ra = lane_rows(c, c->m, 0), rb = lane_rows(c, c->k, 0);
  accept_vector(c, 0, "vec");
  accept_pipe(c, both ? "BOTH" : "V2C", slot, c->slots, 2);
  sb("  %%da = arith.muli %%lane, %u : index\n  %%db = arith.muli %%lane, %u : index\n", rows_split(c) ? ra : 0,
     rows_split(c) ? rb : 0);
  sb("  %%va = pto.partition_view @A, offsets = [%%da, 0], sizes = [%u, %u]\n  %%vb = pto.partition_view @B, offsets = "
     "[%%db, 0], sizes = [%u, %u]\n",
     ra, c->k, rb, c->n);
  sb("  %%ta = pto.tload %%va : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n  %%tb = pto.tload %%vb : (!pto.ptr<f32>) "
     "-> !pto.tile<vec, f32, %u, %u>\n",
     ra, c->k, rb, c->n);
  sb("  pto.tpush %%ta, %%p {split = \"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n  pto.tpush %%tb, %%p {split = "
     "\"%s\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n}\n}\n",
     c->split, c->split);
}

static double expect_product(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  return dot(m, "A", "B", r, col, c->k, c->n);
}

/* --- subtile: four stores fill one slot, Vectors read it in slices --- */

static void write_subtile(const struct accept *c) {
  accept_module(c);
  accept_input("A", c->m, c->k, "f16", -2, 2, 41);
  accept_input("B", c->k, c->n, "f16", -2, 2, 42);
  sb("  pto.global @C : tensor<%ux%uxf16>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  accept_pipe(c, c->a5 ? "C2V_GM" : "C2V", c->m * c->n * 2, c->slots, 2);
  sb("  %%a = pto.tload @A : (!pto.ptr<f16>) -> !pto.tile<mat, f16, %u, %u>\n", c->m, c->k);
  sb("  %%g = pto.talloc %%p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tensor_view<%ux%uxf16>\n", c->m, c->n);
  sb("  scf.for %%i = 0 to 4 step 1 {\n    %%c0 = arith.muli %%i, 128 : index\n    %%vb = pto.partition_view @B, offsets = "
     "[0, %%c0], sizes = [%u, 128]\n",
     c->k);
  sb("    %%b = pto.tload %%vb : (!pto.ptr<f16>) -> !pto.tile<mat, f16, %u, 128>\n", c->k);
  accept_matmul(c->m, c->k, 128, "f16", "");
  sb("    %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f16, 1, 1>) -> !pto.tile<acc, f32, %u, 128>\n", c->m);
  sb("    %%gp = pto.partition_view %%g, offsets = [0, %%c0], sizes = [%u, 128]\n    pto.tstore %%acc, %%gp : "
     "(!pto.tile<f32, 1, 1>)\n  }\n",
     c->m);
  sb("  pto.tpush %%g, %%p {split = \"UP_DOWN\"} : (!pto.tensor_view<1x1xf16>, !pto.tpipe<...>)\n}\n");
  accept_vector(c, 0, "vec");
  accept_pipe(c, c->a5 ? "C2V_GM" : "C2V", c->m * c->n * 2, c->slots, 2);
  sb("  %%dr = arith.muli %%lane, %u : index\n", c->m / 2);
  sb("  %%g = pto.tpop %%p {split = \"UP_DOWN\"} : (!pto.tpipe<...>) -> !pto.tensor_view<%ux%uxf16>\n", c->m / 2, c->n);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%r0 = arith.muli %%i, 16 : index\n    %%r1 = arith.addi %%r0, %%dr : index\n",
     c->m / 32);
  sb("    %%gp = pto.partition_view %%g, offsets = [%%r0, 0], sizes = [16, %u]\n    %%x = pto.tload %%gp : (!pto.ptr<f16>) "
     "-> !pto.tile<vec, f16, 16, %u>\n",
     c->n, c->n);
  sb("    %%y = pto.tadds %%x, 3.14 : (!pto.tile<f16, 1, 1>) -> !pto.tile<vec, f16, 16, %u>\n", c->n);
  sb("    %%vc = pto.partition_view @C, offsets = [%%r1, 0], sizes = [16, %u]\n    pto.tstore %%y, %%vc : (!pto.tile<f16, "
     "1, 1>)\n  }\n",
     c->n);
  sb("  pto.tfree %%g, %%p {split = \"UP_DOWN\"} : (!pto.tensor_view<1x1xf16>, !pto.tpipe<...>)\n}\n}\n");
}

static double expect_subtile(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  return expect_product(c, m, r, col) + 3.14;
}

/* --- fixpipe: the push converts --- */

static void write_fixpipe(const struct accept *c) {
  const char *in = strcmp(c->dtype, "i8") == 0 ? "i8" : "f16", *acc = strcmp(c->dtype, "i8") == 0 ? "i32" : "f32";
  const char *out = strcmp(c->qtype, "F322BF16") == 0 ? "bf16" : "f16";
  bool vector = strcmp(c->qtype, "VDEQF16") == 0;
  accept_module(c);
  accept_input("A", c->m, c->k, in, -3, 3, 51);
  accept_input("B", c->k, c->n, in, -3, 3, 52);
  accept_input("scale", 1, c->n, "f32", 1, 4, 53);
  sb("  pto.global @C : tensor<%ux%ux%s>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n, out);
  accept_pipe(c, "C2V", c->m * c->n * 2, c->slots, 2);
  sb("  %%a = pto.tload @A : (!pto.ptr<f16>) -> !pto.tile<mat, %s, %u, %u>\n", in, c->m, c->k);
  sb("  %%b = pto.tload @B : (!pto.ptr<f16>) -> !pto.tile<mat, %s, %u, %u>\n", in, c->k, c->n);
  if (vector) sb("  %%s = pto.tload @scale : (!pto.ptr<f32>) -> !pto.tile<mat, f32, 1, %u>\n", c->n);
  accept_matmul(c->m, c->k, c->n, in, "");
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f16, 1, 1>) -> !pto.tile<acc, %s, %u, %u>\n", acc, c->m, c->n);
  sb("  pto.tpush %%acc%s, %%p {quant = \"%s\", scale = 2.0} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n}\n",
     vector ? ", %s" : "", c->qtype);
  accept_vector(c, 0, "vec");
  accept_pipe(c, "C2V", c->m * c->n * 2, c->slots, 2);
  sb("  %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, %s, %u, %u>\n", out, c->m, c->n);
  sb("  %%y = pto.tadds %%x, 1.0 : (!pto.tile<f16, 1, 1>) -> !pto.tile<vec, %s, %u, %u>\n  pto.tfree %%p : "
     "!pto.tpipe<...>\n",
     out, c->m, c->n);
  sb("  %%one = arith.cmpi eq, %%lane, 0 : index\n  scf.if %%one {\n    pto.tstore %%y, @C : (!pto.tile<f16, 1, 1>)\n  "
     "}\n}\n}\n");
}

/* Rounded to nearest even, as a bf16 tile holds it. */
static double bf16(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  bits = (bits + 0x7fffu + (bits >> 16 & 1u)) & 0xffff0000u;
  memcpy(&f, &bits, sizeof bits);
  return (double)f;
}

static double expect_fixpipe(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  double value = expect_product(c, m, r, col);
  if (strcmp(c->qtype, "DEQF16") == 0) value *= 2;
  if (strcmp(c->qtype, "VDEQF16") == 0) value *= util_get(m, "scale", col);
  return strcmp(c->qtype, "F322BF16") == 0 ? bf16(bf16(value) + 1) : value + 1;
}

/* --- tpush_a3: DIR_BOTH, LEFT_RIGHT, C += (A + 1) @ B over K blocks, 32 x 64 x 512 --- */

static void write_chain(const struct accept *c) {
  unsigned block = 64;
  accept_module(c);
  accept_input("A", c->m, c->k, "f32", -3, 3, 61);
  accept_input("B", c->k, c->n, "f32", -3, 3, 62);
  sb("  pto.global @C : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  accept_pipe(c, "BOTH", 8192, c->slots, 2);
  sb("  %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, %u, %u>\n", c->m, c->n);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%k0 = arith.muli %%i, %u : index\n    %%vb = pto.partition_view @B, offsets = "
     "[%%k0, 0], sizes = [%u, %u]\n",
     c->k / block, block, block, c->n);
  sb("    %%b = pto.tload %%vb : (!pto.ptr<f32>) -> !pto.tile<mat, f32, %u, %u>\n", block, c->n);
  sb("    %%a = pto.tpop %%p {split = \"LEFT_RIGHT\"} : (!pto.tpipe<...>) -> !pto.tile<mat, f32, %u, %u>\n", c->m, block);
  accept_matmul(c->m, block, c->n, "f32", "");
  sb("    pto.tfree %%p {split = \"LEFT_RIGHT\"} : !pto.tpipe<...>\n");
  sb("    pto.tmatmul ins(%%l, %%r : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%acc : !pto.tile_buf<f32, 1, "
     "1>)\n");
  sb("    pto.tpush %%acc, %%p {split = \"LEFT_RIGHT\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n  }\n}\n");
  accept_vector(c, 0, "vec");
  accept_pipe(c, "BOTH", 8192, c->slots, 2);
  sb("  %%dk = arith.muli %%lane, %u : index\n  %%dn = arith.muli %%lane, %u : index\n", block / 2, c->n / 2);
  sb("  %%sum = pto.alloc_tile : !pto.tile_buf<vec, f32, %u, %u>\n  pto.texpands ins() outs(%%sum : !pto.tile_buf<f32, 1, "
     "1>) {value = 0.0}\n",
     c->m, c->n / 2);
  sb("  scf.for %%i = 0 to %u step 1 {\n    %%k0 = arith.muli %%i, %u : index\n    %%k1 = arith.addi %%k0, %%dk : index\n",
     c->k / block, block);
  sb("    %%va = pto.partition_view @A, offsets = [0, %%k1], sizes = [%u, %u]\n    %%t = pto.tload %%va : (!pto.ptr<f32>) "
     "-> !pto.tile<vec, f32, %u, %u>\n",
     c->m, block / 2, c->m, block / 2);
  sb("    %%u = pto.tadds %%t, 1.0 : (!pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, %u, %u>\n    pto.tpush %%u, %%p {split = "
     "\"LEFT_RIGHT\"} : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n",
     c->m, block / 2);
  sb("    %%x = pto.tpop %%p {split = \"LEFT_RIGHT\"} : (!pto.tpipe<...>) -> !pto.tile<vec, f32, %u, %u>\n", c->m, c->n / 2);
  sb("    pto.tadd ins(%%sum, %%x : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%sum : !pto.tile_buf<f32, 1, "
     "1>)\n    pto.tfree %%p {split = \"LEFT_RIGHT\"} : !pto.tpipe<...>\n  }\n");
  sb("  %%vc = pto.partition_view @C, offsets = [0, %%dn], sizes = [%u, %u]\n  pto.tstore %%sum, %%vc : (!pto.tile<f32, 1, "
     "1>)\n}\n}\n",
     c->m, c->n / 2);
}

static double expect_chain(const struct accept *c, const struct pto_machine *m, unsigned r, unsigned col) {
  double sum = 0;
  for (unsigned k = 0; k < c->k; k++)
    sum += (util_get(m, "A", (size_t)r * c->k + k) + 1) * util_get(m, "B", (size_t)k * c->n + col);
  return sum;
}

/* --- the assembler's samples test4 and test5: product and add, in its own spelling --- */

static void write_assembler(const struct accept *c) {
  unsigned slot = c->m * c->n * 4 / (c->a5 ? 2 : 1), split = rows_split(c) ? 1 : 2;
  unsigned r = lane_rows(c, c->m, 0), n = lane_cols(c, c->n, 0);
  accept_module(c);
  accept_input("A", c->m, c->k, c->dtype, -4, 4, 71);
  accept_input("B", c->k, c->n, c->dtype, -4, 4, 72);
  accept_input("bias", c->m, c->n, "f32", -9, 9, 73);
  sb("  pto.global @C : tensor<%ux%uxf32>\nfunc.func @cube() attributes {pto.core = \"aic\"} {\n", c->m, c->n);
  sb("  pto.aic_initialize_pipe {dir_mask = 1, slot_size = %u} ()\n", slot);
  sb("  %%a = pto.tload @A : (!pto.ptr<f32>) -> !pto.tile<mat, %s, %u, %u>\n", c->dtype, c->m, c->k);
  sb("  %%b = pto.tload @B : (!pto.ptr<f32>) -> !pto.tile<mat, %s, %u, %u>\n", c->dtype, c->k, c->n);
  accept_matmul(c->m, c->k, c->n, c->dtype, "");
  sb("  %%acc = pto.tmatmul %%l, %%r : (!pto.tile<f32, 1, 1>) -> !pto.tile<acc, f32, %u, %u>\n", c->m, c->n);
  sb("  pto.tpush_to_aiv(%%acc : !pto.tile_buf<loc=acc, dtype=f32, rows=%u, cols=%u, v_row=%u, v_col=%u>) {split = %u}\n}\n",
     c->m, c->n, c->m, c->n, split);
  accept_vector(c, 0, "vec");
  sb("  pto.aiv_initialize_pipe {dir_mask = 1, slot_size = %u} ()\n", slot);
  sb("  %%dr = arith.muli %%lane, %u : index\n  %%dc = arith.muli %%lane, %u : index\n", rows_split(c) ? r : 0,
     cols_split(c) ? n : 0);
  sb("  %%vb = pto.partition_view @bias, offsets = [%%dr, %%dc], sizes = [%u, %u]\n", r, n);
  sb("  %%bias = pto.tload %%vb : (!pto.ptr<f32>) -> !pto.tile<vec, f32, %u, %u>\n", r, n);
  sb("  %%x = pto.tpop_from_aic {split = %u} -> !pto.tile_buf<loc=vec, dtype=f32, rows=%u, cols=%u, v_row=%u, v_col=%u>\n",
     split, r, n, r, n);
  sb("  %%y = pto.tadd %%x, %%bias : (!pto.tile<f32, 1, 1>, !pto.tile<f32, 1, 1>) -> !pto.tile<vec, f32, %u, %u>\n", r, n);
  sb("  pto.tfree_from_aic {split = %u}\n", split);
  sb("  %%vc = pto.partition_view @C, offsets = [%%dr, %%dc], sizes = [%u, %u]\n", r, n);
  sb("  pto.tstore %%y, %%vc : (!pto.tile<f32, 1, 1>, !pto.ptr<f32>)\n}\n}\n");
}

/* --- valid-shape strip: tiles of 16 rows, the last one valid in part; the rows are known at run time only --- */

static void accept_valid(const char *tile, unsigned cols) { sb("    pto.set_validshape %%%s, %%rows, %u\n", tile, cols); }

static void write_strip(const struct accept *c) {
  const char *f = c->dtype;
  accept_module(c);
  accept_input("A", c->m, c->k, f, -4, 4, 81);
  accept_input("B", c->k, c->n, f, -4, 4, 82);
  accept_input("bias", c->m, c->n, "f32", -9, 9, 83);
  sb("  pto.global @C : tensor<%ux%uxf32>\n", c->m, c->n);
  for (unsigned vec = 0; vec < 2; vec++) {
    if (vec) accept_vector(c, 0, "vec");
    else sb("func.func @cube() attributes {pto.core = \"aic\"} {\n");
    accept_pipe(c, "C2V", 16 * c->n * 4, c->slots, 2);
    if (!vec) {
      sb("  %%b = pto.tload @B : (!pto.ptr<f32>) -> !pto.tile<mat, %s, %u, %u>\n", f, c->k, c->n);
      sb("  %%r = pto.tmov %%b : (!pto.tile<f32, 1, 1>) -> !pto.tile<right, %s, %u, %u>\n", f, c->k, c->n);
      sb("  %%a = pto.alloc_tile : !pto.tile_buf<mat, %s, 16, %u>\n  %%l = pto.alloc_tile : !pto.tile_buf<left, %s, 16, "
         "%u>\n",
         f, c->k, f, c->k);
      sb("  %%acc = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, %u>\n", c->n);
    } else {
      sb("  %%x = pto.declare_tile : !pto.tile_buf<vec, f32, 16, %u>\n", c->n);
      sb("  %%y = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, %u>\n  %%w = pto.alloc_tile : !pto.tile_buf<vec, f32, 16, "
         "%u>\n",
         c->n, c->n);
    }
    sb("  scf.for %%i = 0 to %u step 1 {\n    %%r0 = arith.muli %%i, 16 : index\n", (c->m + 15) / 16);
    sb("    %%m = arith.constant %u : index\n    %%left_rows = arith.subi %%m, %%r0 : index\n", c->m);
    sb("    %%less = arith.cmpi slt, %%left_rows, 16 : index\n    %%full = arith.xori %%less, 1 : index\n");
    sb("    %%p0 = arith.muli %%less, %%left_rows : index\n    %%p1 = arith.muli %%full, 16 : index\n"
       "    %%rows = arith.addi %%p0, %%p1 : index\n");
    if (!vec) {
      accept_valid("a", c->k), accept_valid("l", c->k), accept_valid("acc", c->n);
      sb("    %%va = pto.partition_view @A, offsets = [%%r0, 0], sizes = [16, %u]\n", c->k);
      sb("    pto.tload ins(%%va : !pto.ptr<f32>) outs(%%a : !pto.tile_buf<%s, 1, 1>)\n", f);
      sb("    pto.tmov ins(%%a : !pto.tile_buf<f32, 1, 1>) outs(%%l : !pto.tile_buf<f32, 1, 1>)\n");
      sb("    pto.tmatmul ins(%%l, %%r : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%acc : "
         "!pto.tile_buf<f32, "
         "1, 1>)\n    pto.tpush %%acc, %%p : (!pto.tile<f32, 1, 1>, !pto.tpipe<...>)\n  }\n}\n");
      continue;
    }
    accept_valid("x", c->n), accept_valid("y", c->n), accept_valid("w", c->n);
    sb("    %%vb = pto.partition_view @bias, offsets = [%%r0, 0], sizes = [16, %u]\n    %%vc = pto.partition_view @C, "
       "offsets = [%%r0, 0], sizes = [16, %u]\n",
       c->n, c->n);
    sb("    pto.tload ins(%%vb : !pto.ptr<f32>) outs(%%w : !pto.tile_buf<f32, 1, 1>)\n");
    sb("    pto.tpop(%%x, %%p : !pto.tile_buf<f32, 1, 1>, !pto.pipe)\n");
    sb("    pto.tadd ins(%%x, %%w : !pto.tile_buf<f32, 1, 1>, !pto.tile_buf<f32, 1, 1>) outs(%%y : !pto.tile_buf<f32, 1, "
       "1>)\n    pto.tfree %%p : !pto.tpipe<...>\n");
    sb("    pto.tstore %%y, %%vc : (!pto.tile<f32, 1, 1>, !pto.ptr<f32>)\n  }\n}\n");
  }
  sb("}\n");
}

/* --- the list --- */

typedef void write_fn(const struct accept *);
typedef double expect_fn(const struct accept *, const struct pto_machine *, unsigned, unsigned);
static const struct {
  write_fn *write;
  expect_fn *expect;
  const char *name;
} accept_families[] = {{write_cv, expect_cv, "cv"},
                       {write_vc, expect_vc, "vc"},
                       {write_sub, expect_sub, "vc_subblock"},
                       {write_both, expect_both, "dir_both"},
                       {write_concurrent, expect_concurrent, "dir_both_concurrent"},
                       {write_mixed, expect_product, "mixed_v2c"},
                       {write_mixed, expect_product, "mixed_both"},
                       {write_subtile, expect_subtile, "subtile"},
                       {write_fixpipe, expect_fixpipe, "fixpipe"},
                       {write_chain, expect_chain, "tpush_a3"},
                       {write_assembler, expect_cv, "assembler"},
                       {write_strip, expect_cv, "strip"}};

static struct accept accept_cases[128];
static unsigned accept_count;

static void accept_add(bool a5, unsigned kind, unsigned m, unsigned k, unsigned n, const char *dtype, const char *qtype,
                       const char *split, unsigned slots, unsigned dispatches, double tolerance) {
  struct accept *c = &accept_cases[accept_count++];
  *c = (struct accept){.a5 = a5,
                       .kind = kind,
                       .m = m,
                       .k = k,
                       .n = n,
                       .dtype = dtype,
                       .qtype = qtype,
                       .split = split,
                       .slots = slots,
                       .dispatches = dispatches,
                       .tolerance = tolerance};
  snprintf(c->name, sizeof c->name, "%s %s %ux%ux%u %s %s %s", a5 ? "a5" : "a2a3", accept_families[kind].name, m, k, n,
           dtype, qtype, split);
}

__attribute__((unused)) static void accept_list(void) {
  static const char *const splits[] = {"UP_DOWN", "LEFT_RIGHT"};
  static const unsigned ks[] = {64, 128, 256};
  accept_count = 0;
  for (unsigned a5 = 0; a5 < 2; a5++) {
    unsigned slots = a5 ? 2 : 1;
    for (unsigned s = 0; s < 2; s++) { /* cv 1-8 */
      accept_add(a5, 0, 16, 32, 32, "f16", "", splits[s], slots, 1, 0);
      accept_add(a5, 0, 32, 32, 32, "f16", "", splits[s], slots, 1, 0);
      accept_add(a5, 0, 16, 32, 32, "f32", "", splits[s], slots, 1, 0);
      accept_add(a5, 0, 64, 32, 32, "f16", "", splits[s], slots, 1, 0);
    }
    if (!a5) accept_add(a5, 0, 5, 32, 128, "f32", "", "UP_DOWN_ODD", slots, 1, 0);
    if (!a5) accept_add(a5, 0, 5, 32, 127, "f32", "", "LEFT_RIGHT_ODD", slots, 1, 0);
    accept_add(a5, 0, 16, 32, 32, "f16", "", "NO_SPLIT", 2, 1, 0); /* cv_nosplit */
    accept_add(a5, 0, 32, 32, 32, "f16", "", "NO_SPLIT", 2, 1, 0);
    accept_add(a5, 0, 16, 32, 32, "f32", "", "NO_SPLIT", 2, 1, 0);
    accept_add(a5, 0, 640, 32, 64, "f16", "", "NO_SPLIT", 8, 80, 0); /* #248: 40 tiles, 80 dispatches */
    for (unsigned q = 0; q < 2; q++)
      for (unsigned i = 0; i < 3; i++) {
        const char *type = q ? "i16" : "i8";
        accept_add(a5, 1, 16, ks[i], 32, "f16", type, "UP_DOWN", 2, 1, 0);
        accept_add(a5, 1, 16, ks[i], q ? 32 : 64, "f16", type, "LEFT_RIGHT", 2, 1, 0);
        accept_add(a5, 1, 16, ks[i], 32, "f16", type, "NO_SPLIT", 2, 1, 0);
      }
    accept_add(a5, 2, 64, 64, 64, "f32", "", "UP_DOWN", 2, 1, 0);
    accept_add(a5, 3, 128, 64, 128, "f32", "", "UP_DOWN", 2, 1, 0);
    accept_add(a5, 3, 128, 64, 128, "f32", "", "LEFT_RIGHT", 2, 1, 0);
    static const char *const quants[] = {"F322F16", "F322BF16", "DEQF16", "VDEQF16"};
    for (unsigned i = 0; i < 4; i++) accept_add(a5, 8, 16, 32, 32, i < 2 ? "f32" : "i8", quants[i], "NO_SPLIT", 2, 1, 0);
    accept_add(a5, 7, 128, 128, 512, "f16", "", "UP_DOWN", 2, 1, 1e-3);
    accept_add(a5, 5, 64, 64, 32, "f32", "", "UP_DOWN", 8, 1, 0);
  }
  accept_add(false, 4, 128, 64, 128, "f32", "", "UP_DOWN", 2, 1, 0);
  static const unsigned mixed[3][3] = {{64, 64, 32}, {64, 64, 64}, {32, 32, 16}};
  for (unsigned i = 0; i < 3; i++) {
    if (i) accept_add(false, 5, mixed[i][0], mixed[i][1], mixed[i][2], "f32", "", "UP_DOWN", 8, 1, 0);
    accept_add(false, 6, mixed[i][0], mixed[i][1], mixed[i][2], "f32", "", "NO_SPLIT", 8, 1, 0);
  }
  accept_add(false, 9, 32, 512, 64, "f32", "", "LEFT_RIGHT", 4, 1, 0);
  accept_add(true, 9, 32, 512, 64, "f32", "", "LEFT_RIGHT", 4, 1, 0);
  for (unsigned a5 = 0; a5 < 2; a5++) {
    accept_add(a5, 10, 16, 64, 128, "bf16", "", "UP_DOWN", 8, 1, 0);   /* test4 */
    accept_add(a5, 10, 16, 64, 128, "f32", "", "LEFT_RIGHT", 8, 1, 0); /* test5 */
    accept_add(a5, 11, 40, 32, 32, "f16", "", "NO_SPLIT", 2, 1, 0);    /* 16, 16 and 8 rows */
    accept_add(a5, 11, 51, 32, 48, "f32", "", "NO_SPLIT", 2, 1, 0);    /* 16, 16, 16 and 3 rows */
  }
}

__attribute__((unused)) static struct pto_program *accept_program(const struct accept *c) {
  accept_families[c->kind].write(c);
  return util_parse(accept_buffer);
}

#endif
