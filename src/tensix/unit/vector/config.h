/* The vector unit's own configuration: SFPCONFIG. */
#ifndef TESSERA_TENSIX_VECTOR_CONFIG_H
#define TESSERA_TENSIX_VECTOR_CONFIG_H

#include "tensix/unit/vector/exec.h"

tx_vector_fn tx_run_config;
/* Lanes in whose column the LaneConfig bit is set. */
uint32_t tx_vector_config_lanes(const struct tx_vector *v, uint32_t bit);

#endif
