/* Races over global tensors: two accesses to the same bytes, one of them a write, that nothing orders. Nothing orders two blocks of a
 * launch. Checked are tensors that a program stores to and that a second pipe, core or block uses too; two atomic additions do not race. */
#ifndef TESSERA_PTO_RUNTIME_RACE_H
#define TESSERA_PTO_RUNTIME_RACE_H

#include "pto/runtime/state.h"

/* The accesses of all blocks that share the tensors. The programs of the blocks declare the same tensors. NULL: out of memory. */
struct pto_races *pto_races_new(const struct pto_program *const *programs, uint32_t program_count, uint32_t blocks);
void pto_races_free(struct pto_races *races);
bool pto_races_watch(const struct pto_races *races); /* is a tensor checked? */
void pto_races_reset(struct pto_races *races);
/* A load or store has started: reports it if it races with an earlier access, and keeps it. */
void pto_race_access(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

#endif
