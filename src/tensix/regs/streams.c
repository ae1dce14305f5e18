/* Stream registers of streams.h. */
#include "tensix/regs/streams.h"

#include "tensix/machine.h"

/* Kernels count the pages of circular buffers in these two registers. */
static void counted(struct tx_tile *t, unsigned stream, enum noc_stream_slot slot, unsigned pushes) {
  t->buffer_writer[stream][pushes] = tx_trail_now(t);
  tx_emit(t, TX_EVENT_BUFFER, t->current.agent, stream, pushes, t->streams.reg[stream][slot] & 0xffffu);
}

static void changed(void *tile, unsigned stream, unsigned index) {
  struct tx_tile *t = tile;
  if (index == noc_stream_index(NOC_STREAM_DEST_START)) counted(t, stream, NOC_STREAM_DEST_START, 0);
  if (index == noc_stream_index(NOC_STREAM_DEST_SIZE)) counted(t, stream, NOC_STREAM_DEST_SIZE, 1);
  tx_signal(t, TX_CH_STREAM);
  if (t->engine.parked) sim_poke(&t->engine, TX_ADDR_STREAM + stream * TX_STREAM_BYTES + index * 4u);
}

uint32_t tx_stream_read(const struct tx_tile *t, unsigned stream, unsigned slot) { return t->streams.reg[stream][slot]; }

bool tx_stream_register_read(const struct tx_tile *t, unsigned stream, unsigned index, uint32_t *value) {
  return noc_stream_read(&t->streams, stream, index, value);
}

bool tx_stream_register_write(struct tx_tile *t, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask) {
  return noc_stream_write(&t->streams, stream, index, value, byte_mask, changed, t);
}
