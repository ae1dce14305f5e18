/* Tessera, Tensix tile: the diagnostics that findings name, each with its meaning, its reason and its remedy. */
#ifndef TESSERA_DIAGNOSTICS_H
#define TESSERA_DIAGNOSTICS_H

#include "tessera/tile.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tessera_diagnostic {
  const char *name; /* the `id` of its findings */
  enum tessera_severity severity;
  const char *what, *document; /* the rule, and its source: a public page, "inferred" or "check a" */
  const char *why, *mend;      /* the reason in the hardware, and how to change the program */
};
size_t tessera_diagnostic_count(void);
enum tessera_result tessera_diagnostic(size_t index, struct tessera_diagnostic *diagnostic);

#ifdef __cplusplus
}
#endif

#endif
