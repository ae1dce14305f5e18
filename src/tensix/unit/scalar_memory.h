/* The part of the scalar unit (scalar.h) that accesses memory or waits inside the unit. */
#ifndef TESSERA_TENSIX_SCALAR_MEMORY_H
#define TESSERA_TENSIX_SCALAR_MEMORY_H

struct tx_tile;
struct sim_effect;

/* The unit's turn while an instruction waits inside it. */
void tx_scalar_issue(struct tx_tile *t);
void tx_effect_SCALAR_MEMORY(struct tx_tile *t, const struct sim_effect *e);

#endif
