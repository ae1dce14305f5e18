/* Findings and hangs in words: of a finding both operations with their lines, slot and tile versions; of a hang the text of hang.h. */
#ifndef TESSERA_PTO_RUNTIME_EXPLAIN_H
#define TESSERA_PTO_RUNTIME_EXPLAIN_H

#include "pto/runtime/state.h"

/* All return the full length, as snprintf does. */
size_t pto_explain_finding(const struct pto_machine *machine, const struct pto_finding *finding, char *text, size_t size);
/* The line of the wait that is the cause of a hang. */
uint32_t pto_deadlock_line(const struct pto_machine *m);
size_t pto_explain_deadlock(const struct pto_machine *machine, char *text, size_t size);

#endif
