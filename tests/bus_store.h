/* A 32-bit store of a core. */
#ifndef TESSERA_TESTS_BUS_STORE_H
#define TESSERA_TESTS_BUS_STORE_H

#include "tensix/tile/bus.h"

static inline struct tx_bus_answer bus_store(struct tx_tile *t, unsigned agent, uint32_t address, uint32_t value) {
  return tx_bus_store_sized(t, agent, address, value, 4);
}

#endif
