/* GPRs: 64 general purpose registers per thread, for the scalar unit's arithmetic and the configuration unit.
 *
 * A delayed write marks its register: a reader that does not wait reads the old value and causes a finding. ISA: ScalarUnit.md */
#ifndef TESSERA_TENSIX_GPR_H
#define TESSERA_TENSIX_GPR_H

#include <stdbool.h>
#include <stdint.h>

#include "tensix/state/scalar.h"

struct tx_tile;
struct sim_effect;

/* Writes the bytes of `byte_mask` (bit per byte) of a GPR now and wakes a core that polls it. */
void tx_gpr_write(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask);
/* Reads a GPR for an instruction; reports GPR_READ_TOO_SOON. */
uint32_t tx_gpr_read(struct tx_tile *t, unsigned thread, unsigned reg);
/* A write that takes effect `cycles` from now. */
void tx_gpr_write_later(struct tx_tile *t, unsigned thread, unsigned reg, uint32_t value, uint32_t byte_mask,
                        uint32_t cycles, bool ends_request);

void tx_effect_GPR_WRITE(struct tx_tile *t, const struct sim_effect *e);

#endif
