/* An endpoint's turn in a window. */
#ifndef TESSERA_CHIP_TURN_H
#define TESSERA_CHIP_TURN_H

#include "chip/internal.h"

/* Passes the packets of its inbox to an endpoint and runs it, up to and including `until`. On any host thread. */
void chip_run_endpoint(struct chip_endpoint *endpoint, sim_time until);
/* The time at which an endpoint acts next: by itself, or because a packet arrives. */
sim_time chip_endpoint_next(const struct chip_endpoint *endpoint);

#endif
