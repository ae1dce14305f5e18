/* make bench: push/pop pairs per second without data, and the 40-tile, 80-dispatch program. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "pto/ir/parse.h"
#include "pto/runtime/machine.h"

/* Processor time of one thread, independent of other load. */
static double seconds(void) { return (double)clock() / CLOCKS_PER_SEC; }

static const char stream[] =
    "module attributes {pto.target_arch = \"%s\", pto.dispatches = %u} {\n"
    "func.func @c() attributes {pto.core = \"aic\"} {\n"
    "  %%p = %s\n"
    "  %%t = pto.alloc_tile : !pto.tile_buf<acc, f32, 16, 16>\n"
    "  scf.for %%i = 0 to %u step 1 {\n    pto.tpush %%t, %%p : (!pto.tile<f32, 16, 16>, !pto.tpipe<...>)\n  }\n}\n"
    "func.func @v() attributes {pto.core = \"%s\"} {\n"
    "  %%p = %s\n"
    "  scf.for %%i = 0 to %u step 1 {\n    %%x = pto.tpop %%p : (!pto.tpipe<...>) -> !pto.tile<vec, f32, 16, 16>\n"
    "    pto.tfree %%p : !pto.tpipe<...>\n  }\n}\n}\n";

static const char whole_tile[] = "pto.tpipe {nosplit} : !pto.tpipe<0, C2V, 1024, 8, 2>",
                  one_vector[] = "pto.tmpipe : !pto.tmpipe<0, GM_FIFO, 8, 1, !pto.tile<acc, f32, 16, 16>, "
                                 "!pto.tile<vec, f32, 16, 16>, false, 2, V1C1_VEC0>";

static int run(const char *what, const char *arch, const char *lanes, const char *pipe, unsigned tiles,
               unsigned dispatches) {
  char text[4096];
  struct pto_ir_error error;
  snprintf(text, sizeof text, stream, arch, dispatches, pipe, tiles, lanes, pipe, tiles);
  struct pto_program *program = pto_ir_parse_with(text, strlen(text), -1, NULL, 0, &error);
  if (!program) return fprintf(stderr, "%s\n", error.text), 1;
  struct pto_machine *m = pto_machine_new(program, false);
  double start = seconds();
  enum pto_end_kind end = pto_machine_run(m, UINT64_C(1) << 50);
  double took = seconds() - start;
  double pairs = (double)tiles * dispatches;
  printf("pto %-24s %9.0f pairs in %6.3f s: %6.2f million pairs/s%s\n", what, pairs, took, pairs / took * 1e-6,
         end == PTO_RAN && !m->finding_count ? "" : " (BROKEN)");
  pto_machine_free(m);
  pto_program_free(program);
  return end != PTO_RAN;
}

int main(void) {
  return run("a5 one lane", "a5", "aiv0", whole_tile, 1000000, 1) |
         run("a2a3 one lane", "a2a3", "aiv0", one_vector, 1000000, 1) |
         run("a2a3 two lanes", "a2a3", "aiv", whole_tile, 1000000, 1) |
         run("a2a3 40 tiles x 80", "a2a3", "aiv", whole_tile, 40, 80);
}
