/* The wall clock and the timestamp events of control.h. ISA: DebugTimestamper.md.
 *
 * The 64-bit counter is the cycle of the simulation. An event goes to L1 sixteen bytes at a time through one of two buffers. */
#include "tensix/tile/timestamp.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/l1.h"

uint32_t tx_wall_clock_read(struct tx_tile *t, uint32_t offset) {
  uint64_t counter = t->engine.now;
  switch (offset) {
    case TX_CONTROL_WALL_CLOCK_0: t->control.wall_high = (uint32_t)(counter >> 32); return (uint32_t)counter;
    case TX_CONTROL_WALL_CLOCK_1: return (uint32_t)(counter >> 32);
    default: return t->control.wall_high;
  }
}

/* --- events --- */

static bool set_event_bits(struct tx_tile *t, uint32_t bits) {
  struct tx_control *c = &t->control;
  if (c->event_bits && c->event_bits != bits) {
    tx_fault(t, SIM_FAULT_UNDEFINED, "DebugTimestamper.md",
             "timestamp event of %u bits while one of %u bits is not written out", bits, c->event_bits);
    return false;
  }
  c->event_bits = bits;
  return true;
}

static uint32_t buffer_word(const struct tx_control *c, unsigned i, bool end) {
  return c->word[(TX_CONTROL_TIMESTAMP_DUMP_BUF0_START_ADDR + 8u * i + (end ? 4u : 0u)) / 4];
}

static void write_out(struct tx_tile *t) {
  struct tx_control *c = &t->control;
  uint32_t event[4];
  memcpy(event, c->event, sizeof event);
  memset(c->event, 0, sizeof c->event);
  c->event_position = c->event_bits = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct tx_timestamp_buffer *b = &c->buffer[i];
    uint32_t start = buffer_word(c, i, false), end = buffer_word(c, i, true);
    uint64_t at = (uint64_t)start + b->position;
    if (b->invalid || at > end) continue;
    if (at > TX_L1_BYTES / 16 - 1) {
      tx_fault(t, SIM_FAULT_ADDRESS, "DebugTimestamper.md", "timestamp buffer %u: L1 address 0x%llx", i,
               (unsigned long long)at * 16);
      return;
    }
    uint8_t raw[16];
    for (unsigned k = 0; k < 16; k++) raw[k] = (uint8_t)(event[k / 4] >> (8 * (k % 4)));
    tx_l1_write(t, (uint32_t)at * 16, raw, 16);
    b->position++;
    if (at + 1 > end) b->full = 1;
    return;
  }
  for (unsigned i = 0; i < 2; i++)
    if (!c->buffer[i].invalid) c->buffer[i].overflow = 1;
}

static void append(struct tx_tile *t, uint32_t value) {
  struct tx_control *c = &t->control;
  c->event[c->event_position++] = value;
  if (c->event_position == 4) write_out(t);
}

static void command(struct tx_tile *t, uint32_t value) {
  enum { APPEND_128, APPEND_64, APPEND_32, FLUSH_64, APPEND_96, FLUSH_96 = 7 };
  uint64_t now = t->engine.now;
  uint32_t low = (uint32_t)now, high = (uint32_t)(now >> 32);
  switch (value & 7u) {
    case APPEND_32:
      if (set_event_bits(t, 32)) append(t, (value & 0xffffu) | (low & 0x001fffe0u) << 11);
      break;
    case APPEND_64:
      if (set_event_bits(t, 64)) append(t, value), append(t, low);
      break;
    case APPEND_96:
      if (set_event_bits(t, 96)) append(t, value), append(t, low), append(t, high);
      break;
    case APPEND_128:
      if (set_event_bits(t, 128)) append(t, value), append(t, low), append(t, high), append(t, 0);
      break;
    case FLUSH_64:
      if (set_event_bits(t, 64)) write_out(t);
      break;
    case FLUSH_96:
      if (set_event_bits(t, 96)) write_out(t);
      break;
    default: tx_fault(t, SIM_FAULT_UNDEFINED, "DebugTimestamper.md", "timestamp command %u is undefined", value & 7u); break;
  }
}

static void clear_streams(struct tx_control *c) {
  for (unsigned i = 0; i < 2; i++) c->buffer[i].full = c->buffer[i].overflow = 0;
  memset(c->event, 0, sizeof c->event);
  c->event_position = c->event_bits = 0;
}

void tx_timestamp_write(struct tx_tile *t, uint32_t offset, uint32_t value) {
  struct tx_control *c = &t->control;
  if (offset == TX_CONTROL_TIMESTAMP_DUMP_CMD) {
    command(t, value);
    if (c->timestamps_held) clear_streams(c);
  } else if (offset == TX_CONTROL_TIMESTAMP_DUMP_CNTL) {
    c->word[offset / 4] = value;
    c->buffer[0].invalid = !(value & 1u);
    c->buffer[1].invalid = !(value & 2u);
    c->timestamps_held = value >> 31;
    if (c->timestamps_held) clear_streams(c);
  } else { /* status: sticky bits are cleared by writing 1 */
    for (unsigned i = 0; i < 2; i++) {
      if (value >> i & 1u) c->buffer[i].full = 0, c->buffer[i].position = 0;
      if (value >> (4 + i) & 1u) c->buffer[i].overflow = 0;
    }
  }
}

uint32_t tx_timestamp_read(const struct tx_tile *t, uint32_t offset) {
  const struct tx_control *c = &t->control;
  if (offset == TX_CONTROL_TIMESTAMP_DUMP_CMD) return 0;
  if (offset == TX_CONTROL_TIMESTAMP_DUMP_CNTL) return c->word[offset / 4];
  uint32_t pos = c->event_position, bits = c->event_bits;
  return (uint32_t)c->buffer[0].full | (uint32_t)c->buffer[1].full << 1 | (uint32_t)c->buffer[0].overflow << 4 |
         (uint32_t)c->buffer[1].overflow << 5 | (bits == 64 ? pos / 2 : 0) << 8 | (bits == 32 ? pos : 0) << 9 |
         (bits == 96 ? (4 - pos) & 3u : 0) << 11 | (c->buffer[0].position & 0x3ffffu) << 14;
}
