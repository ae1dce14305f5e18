/* Tessera, Tensix tile: conformance cases. Text in, one case at a time, result out.
 *
 *   struct tessera_cases *cases = tessera_cases_text("my.case", text, length);
 *   while (tessera_cases_next(cases) == TESSERA_OK) {
 *     struct tessera_case_result result;
 *     tessera_cases_run(cases, tile, NULL, &result);
 *     if (!result.passed) puts(tessera_cases_why(cases));
 *   }
 *   tessera_cases_close(cases); */
#ifndef TESSERA_CONFORM_H
#define TESSERA_CONFORM_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_cases;

/* Reads the next bytes: returns their number, 0 at the end, -1 when the source cannot be read. */
typedef long tessera_read_fn(void *context, char *bytes, size_t size);
/* `name` is the prefix of error lines. NULL: out of memory, or name or source is NULL. */
struct tessera_cases *tessera_cases_open(const char *name, tessera_read_fn *read, void *context);
struct tessera_cases *tessera_cases_text(const char *name, const char *text, size_t length); /* the text is copied */
void tessera_cases_close(struct tessera_cases *cases);
/* TESSERA_OK: the next case has been read. TESSERA_DONE: there are no more. TESSERA_REFUSED: the text is malformed
 * (tessera_cases_error). */
enum tessera_result tessera_cases_next(struct tessera_cases *cases);
const char *tessera_cases_error(const struct tessera_cases *cases); /* "name:line: reason" or "" */

struct tessera_case {
  const char *name, *tags; /* valid until the next case */
  unsigned line;
  int noc;      /* 1: a NoC case, which runs on a fresh chip instead of the tile */
  int document; /* 1: its bytes come from a document, not from the golden model (NoC cases) */
};
enum tessera_result tessera_cases_current(const struct tessera_cases *cases, struct tessera_case *current);
/* 1: the case has this tag (KEY=VALUE), instruction (of its inst tag) or name. */
int tessera_cases_match(const struct tessera_cases *cases, const char *selector);

struct tessera_case_options {
  enum tessera_timing timing;
  int riscv;           /* 1: the op lists run as RISC-V code on the T cores */
  int scalar;          /* 1: plain scalar arithmetic */
  uint64_t max_cycles; /* 0: 10,000,000 */
  unsigned threads;    /* host threads for the chip of a NoC case; 0: all cores */
  uint32_t check; /* checkers, TESSERA_CHECK_...; a case with one of their warnings or errors fails. Not for NoC cases */
};
struct tessera_case_result {
  int passed;
  uint64_t cycles;
};
/* Resets the tile, runs the current case on it and compares L1; a NoC case does not touch the tile. options NULL: timing on, one thread.
 * TESSERA_REFUSED: riscv is for cases of one tile. */
enum tessera_result tessera_cases_run(struct tessera_cases *cases, struct tessera_tile *tile,
                                      const struct tessera_case_options *options, struct tessera_case_result *result);
/* The reason why the last case failed: the first byte that differs, a fault, a hang; "" when it passed. */
const char *tessera_cases_why(const struct tessera_cases *cases);

#ifdef __cplusplus
}
#endif
#endif
