/* Shared by the files of the C API: the program being built, and the checks of its parts. */
#ifndef TESSERA_API_PTO_PROGRAM_H
#define TESSERA_API_PTO_PROGRAM_H

#include "api/handle.h"
#include "pto/program/program.h"
#include "tessera/pto.h"

#define PTO_API_BLOCKS_MAX 16u

struct tessera_pto_program {
  struct api_handle handle; /* first: API_PTO_PROGRAM */
  struct pto_program *program;
  char *name; /* name of its source; NULL: the program was built by calls */
  struct {
    uint32_t start;
    int16_t reg;
    uint8_t lane;
  } open[PTO_CORES][PTO_API_BLOCKS_MAX]; /* loops and lane blocks that are still open */
  unsigned open_count[PTO_CORES];
};

static inline bool pto_api_is(const struct tessera_pto_program *p) { return api_is(p, API_PTO_PROGRAM); }
/* Keeps the first error; always -1. */
int pto_api_fail(struct tessera_pto_program *p, const char *what);
/* Returns the instruction's index, or -1, also after an earlier failure. */
int pto_api_emit(struct tessera_pto_program *p, int function, struct pto_instr instr);
/* Places the program in memory; false: its error gives the reason. */
bool pto_api_finish(struct tessera_pto_program *p);
bool pto_api_function(const struct tessera_pto_program *p, int function);

#endif
