/* Auto TTSync for the windows that it tracks. */
#ifndef TESSERA_TENSIX_BUS_ORDER_H
#define TESSERA_TENSIX_BUS_ORDER_H

#include "tensix/tile/bus_region.h"

/* An access to a region that Auto TTSync tracks. */
struct tx_bus_answer tx_bus_in_order(struct tx_tile *t, const struct tx_request *r, tx_region_fn *access);

#endif
