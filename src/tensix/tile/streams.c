/* Stream registers of streams.h. */
#include "tensix/tile/streams.h"

#include "tensix/tile/tile.h"

static const uint16_t register_index[TX_STREAM_SLOTS] = {
    [TX_STREAM_PHASE] = 29,     [TX_STREAM_MESSAGES] = 259,    [TX_STREAM_DEST_START] = 8,
    [TX_STREAM_DEST_SIZE] = 10, [TX_STREAM_AUTO_CFG_PTR] = 31, [TX_STREAM_SPACE] = 297,
};

#define SPACE_UPDATE 270u   /* STREAM_REMOTE_DEST_BUF_SPACE_AVAILABLE_UPDATE: [5:0] destination, [22:6] how much more */
#define SPACE_MASK 0x1ffffu /* the counter has 17 bits. ISA: NoC/Overlay/AsGeneralUse.md */

static unsigned slot_of(unsigned index) {
  unsigned slot = 0;
  while (slot < TX_STREAM_SLOTS && register_index[slot] != index) slot++;
  return slot;
}

uint32_t tx_stream_read(const struct tx_tile *t, unsigned stream, unsigned slot) { return t->streams.reg[stream][slot]; }

void tx_stream_set(struct tx_tile *t, unsigned stream, enum tx_stream_slot slot, uint32_t value) {
  t->streams.reg[stream][slot] = value;
  tx_signal(t, TX_CH_STREAM);
  sim_poke(&t->engine, TX_ADDR_STREAM + stream * TX_STREAM_BYTES + register_index[slot] * 4u);
}

bool tx_stream_register_read(const struct tx_tile *t, unsigned stream, unsigned index, uint32_t *value) {
  unsigned slot = slot_of(index);
  if (stream >= TX_STREAMS || slot == TX_STREAM_SLOTS) return false;
  *value = t->streams.reg[stream][slot];
  return true;
}

/* An atomic increment by a plain store: how dispatchers are told that a worker is done. Only destination 0 exists here. */
static bool add_space(struct tx_tile *t, unsigned stream, uint32_t value, uint32_t byte_mask) {
  if (!byte_mask) return true;
  if (byte_mask != 0xfu || (value & 63u)) return false;
  tx_stream_set(t, stream, TX_STREAM_SPACE, (t->streams.reg[stream][TX_STREAM_SPACE] + (value >> 6)) & SPACE_MASK);
  return true;
}

bool tx_stream_register_write(struct tx_tile *t, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask) {
  unsigned slot = slot_of(index);
  if (stream < TX_STREAMS && index == SPACE_UPDATE) return add_space(t, stream, value, byte_mask);
  if (stream >= TX_STREAMS || slot == TX_STREAM_SLOTS || slot == TX_STREAM_MESSAGES || slot == TX_STREAM_SPACE) return false;
  if (!byte_mask) return true;
  uint32_t bits = 0;
  for (unsigned i = 0; i < 4; i++)
    if (byte_mask >> i & 1u) bits |= 0xffu << (8 * i);
  tx_stream_set(t, stream, (enum tx_stream_slot)slot, (t->streams.reg[stream][slot] & ~bits) | (value & bits));
  if (slot == TX_STREAM_DEST_SIZE) tx_stream_set(t, stream, TX_STREAM_SPACE, t->streams.reg[stream][slot] & SPACE_MASK);
  return true;
}
