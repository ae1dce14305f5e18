/* The PTO program being built: its first error, its instructions, its end (pto_program.h). */
#include "api/pto_program.h"

#include <stdio.h>

#include "pto/program/place.h"

int pto_api_fail(struct tessera_pto_program *p, const char *what) {
  if (!pto_api_is(p)) return -1;
  if (!p->program->error[0]) snprintf(p->program->error, sizeof p->program->error, "%s", what);
  return -1;
}

bool pto_api_function(const struct tessera_pto_program *p, int function) {
  return pto_api_is(p) && function >= 0 && (uint32_t)function < p->program->function_count;
}

int pto_api_emit(struct tessera_pto_program *p, int function, struct pto_instr instr) {
  if (p->program->error[0]) return -1;
  return pto_program_emit(p->program, function, &instr);
}

bool pto_api_finish(struct tessera_pto_program *p) {
  for (unsigned i = 0; i < PTO_CORES; i++)
    if (p->open_count[i]) return pto_api_fail(p, "a loop or lane block is not closed"), false;
  if (!p->program->function_count) return pto_api_fail(p, "the program has no function"), false;
  return pto_program_finish(p->program);
}
