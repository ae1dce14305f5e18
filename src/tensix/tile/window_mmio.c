/* The window on the stream registers, and the other registers that the coprocessor accesses from 0xFFB11000 on. */
#include "tensix/tile/window_mmio.h"

#include "tensix/machine.h"
#include "tensix/mem/memo.h"
#include "tensix/mem/paged.h"
#include "tensix/regs/streams.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/outside.h"
#include "tensix/tile/windows.h"

static bool find_stream(uint32_t address, unsigned *stream, unsigned *index) {
  uint32_t offset = address - TX_ADDR_STREAM;
  *stream = offset / TX_STREAM_BYTES;
  *index = offset % TX_STREAM_BYTES / 4;
  return address >= TX_ADDR_STREAM && *stream < TX_STREAMS;
}

bool tx_mmio_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  unsigned stream, index;
  if (find_stream(address, &stream, &index)) return tx_stream_register_read(t, stream, index, value);
  uint8_t raw[4];
  if (address < TX_L1_BYTES || !tx_outside_read(t, address, raw, 4)) return false;
  *value = (uint32_t)raw[0] | (uint32_t)raw[1] << 8 | (uint32_t)raw[2] << 16 | (uint32_t)raw[3] << 24;
  return true;
}

bool tx_mmio_write(struct tx_tile *t, uint32_t address, uint32_t value, uint32_t byte_mask) {
  unsigned stream, index;
  if (find_stream(address, &stream, &index)) return tx_stream_register_write(t, stream, index, value, byte_mask);
  if (address < TX_L1_BYTES || !tx_outside_visible_in(t, address, 4)) return false;
  if (!byte_mask) return true;
  if (byte_mask != 0xfu) return false; /* registers are written whole */
  const uint8_t raw[4] = {(uint8_t)value, (uint8_t)(value >> 8), (uint8_t)(value >> 16), (uint8_t)(value >> 24)};
  return tx_outside_write(t, address, raw, 4) || t->fault.kind;
}

/* Kernels count the pages of circular buffers in two registers of a stream: a producer reads one, a consumer the other. */
static void note_buffer(struct tx_tile *t, const struct tx_request *r) {
  unsigned stream, index;
  if (!find_stream(r->address, &stream, &index)) return;
  bool acked = index == noc_stream_index(NOC_STREAM_DEST_START), received = index == noc_stream_index(NOC_STREAM_DEST_SIZE);
  if (acked || received) tx_memo_buffer_read(t, stream, received, r->agent);
}

static uint32_t count_of_pages(struct tx_tile *t, const struct tx_request *r, uint32_t value) {
  unsigned stream, index;
  if (!find_stream(r->address, &stream, &index) || index != noc_stream_index(NOC_STREAM_DEST_SIZE)) return value;
  return tx_paged_count(t, r->agent, stream, value);
}

struct tx_bus_answer tx_access_mmio(struct tx_tile *t, const struct tx_request *r) {
  struct tx_bus_answer answer;
  uint32_t value;
  if (r->store) return tx_mmio_write(t, r->address, 0, 0) ? tx_bus_emit(t, r, TX_REGION_MMIO) : tx_bus_unmapped();
  if (!tx_mmio_read(t, r->address, &value)) return tx_bus_unmapped();
  if (tx_bus_behind_stores(t, r, TX_REGION_MMIO, &answer)) return answer;
  note_buffer(t, r);
  if (__builtin_expect(t->unsaved.what_if != NULL, 0)) value = count_of_pages(t, r, value);
  return tx_bus_finish_load(t, r, value, t->params.mmio_request_cycles, 2 * t->params.mmio_request_cycles + 1);
}

bool tx_arrive_mmio(struct tx_tile *t, const struct tx_request *r, const struct sim_effect *e) {
  (void)e;
  tx_mmio_write(t, r->address, r->value, 0xfu);
  return true;
}
