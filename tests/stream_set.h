/* Sets a stream register as the overlay's engine, which is not modelled, would, and wakes the agents that wait for it. */
#ifndef TESSERA_TESTS_STREAM_SET_H
#define TESSERA_TESTS_STREAM_SET_H

#include "tensix/machine.h"
#include "tensix/regs/streams.h"

static inline void stream_set(struct tx_tile *t, unsigned stream, enum noc_stream_slot slot, uint32_t value) {
  t->streams.reg[stream][slot] = value;
  tx_signal(t, TX_CH_STREAM);
  if (t->engine.parked) sim_poke(&t->engine, TX_ADDR_STREAM + stream * TX_STREAM_BYTES + noc_stream_index(slot) * 4u);
}

#endif
