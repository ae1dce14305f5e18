/* Atomics of the NoC. `result`: the old word at the target's address. false: rejected. */
#ifndef TESSERA_NOC_ATOMIC_H
#define TESSERA_NOC_ATOMIC_H

#include "noc/at.h"

bool noc_do_atomic(const struct noc_at *at, const struct noc_packet *p, uint32_t *result);

#endif
