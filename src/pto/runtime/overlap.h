/* Slots and tiles that overlap. */
#ifndef TESSERA_PTO_RUNTIME_OVERLAP_H
#define TESSERA_PTO_RUNTIME_OVERLAP_H

#include "pto/runtime/state.h"

void pto_overlap_prepare(struct pto_machine *m);
void pto_setup_report(struct pto_machine *m);
void pto_overlap_issue(struct pto_machine *m, unsigned core, int tile, uint32_t line);
void pto_overlap_tiles(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);
void pto_overlap_written(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);
void pto_overlap_read(struct pto_machine *m, unsigned core, unsigned unit, const struct pto_item *item);

#endif
