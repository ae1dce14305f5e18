/* Global memory's own bandwidth, which the blocks of a grid share. */
#ifndef TESSERA_PTO_RUNTIME_LINK_H
#define TESSERA_PTO_RUNTIME_LINK_H

#include "pto/runtime/state.h"

/* The end of a transfer that starts now and whose own route ends at `route_end`. */
sim_time pto_link_serve(struct pto_machine *m, uint32_t bytes, sim_time route_end);

#endif
