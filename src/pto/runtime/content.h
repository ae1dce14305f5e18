/* What a tile holds, as a number: two tiles of the two Vectors with the same number hold the same data, because both cores have made
 * them by the same operations from the same loads and pops. So a run without data knows whether both Vectors write the same bytes. */
#ifndef TESSERA_PTO_RUNTIME_CONTENT_H
#define TESSERA_PTO_RUNTIME_CONTENT_H

#include "pto/runtime/state.h"

uint64_t pto_content(const struct pto_machine *m, unsigned core, int tile);
/* An operation on tiles, a load or a store is issued; in program order. */
void pto_content_issue(struct pto_machine *m, unsigned core, const struct pto_instr *i, struct pto_item *item);
/* Tile `version` of a pipe is popped. */
void pto_content_pop(struct pto_machine *m, unsigned core, const struct pto_instr *i, unsigned split, uint64_t version);
/* A Vector writes `ref`, a part of tile `version` of a pipe without split, which the other Vector writes as well. */
void pto_content_push(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_instr *i,
                      const struct pto_ref *ref, uint64_t content);

#endif
