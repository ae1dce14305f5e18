/* Stream registers of streams.h. */
#include "noc/streams.h"

#include "chips/blackhole/address_map.h"

static const struct {
  uint16_t index;
  uint8_t read_only;
  uint32_t mask;
} rows[NOC_STREAM_SLOTS] = {
#define STREAM_REGISTER(slot, index, read_only, mask, name) [NOC_STREAM_##slot] = {index, read_only, mask},
#include "chips/blackhole/streams.def"
};

unsigned noc_stream_index(enum noc_stream_slot slot) { return rows[slot].index; }

uint32_t noc_stream_changes(uint32_t address, uint32_t value) {
  uint32_t at = address - TX_ADDR_STREAM, index = at % NOC_STREAM_BYTES / 4, to = 0;
  if (at >= NOC_STREAMS_MAX * NOC_STREAM_BYTES) return address;
  if (index == NOC_STREAM_SPACE_UPDATE) to = value % NOC_STREAM_SPACES;
  else if (index != NOC_STREAM_INDEX_DEST_SIZE) return address;
  return address - at % NOC_STREAM_BYTES + 4 * (NOC_STREAM_SPACE + to);
}

static unsigned slot_of(unsigned index) {
  unsigned slot = 0;
  while (slot < NOC_STREAM_SLOTS && rows[slot].index != index) slot++;
  return slot;
}

bool noc_stream_read(const struct noc_streams *s, unsigned stream, unsigned index, uint32_t *value) {
  unsigned slot = slot_of(index);
  if (stream >= NOC_STREAMS_MAX) return false;
  if (index >= NOC_STREAM_SPACE && index < NOC_STREAM_SPACE + NOC_STREAM_SPACES) {
    *value = s->space[stream][index - NOC_STREAM_SPACE];
    return true;
  }
  if (slot == NOC_STREAM_SLOTS) return false;
  *value = s->reg[stream][slot];
  if (slot == NOC_STREAM_AUTO_CFG_PTR) *value = (*value - s->reg[stream][NOC_STREAM_AUTO_BASE]) & rows[slot].mask;
  return true;
}

/* An atomic increment by a plain store: a dispatcher uses it to detect that a worker is done. */
static bool add_space(struct noc_streams *s, unsigned stream, uint32_t value, uint32_t byte_mask,
                      noc_stream_changed *changed, void *tile) {
  unsigned i = value & 63u;
  if (!byte_mask) return true;
  if (byte_mask != 0xfu || i >= NOC_STREAM_SPACES) return false;
  s->space[stream][i] = (s->space[stream][i] + (value >> 6)) & NOC_STREAM_SPACE_MASK;
  changed(tile, stream, NOC_STREAM_SPACE + i);
  return true;
}

/* Side effects of a write on other stream registers. */
static void side_effects(struct noc_streams *s, unsigned stream, unsigned slot, noc_stream_changed *changed, void *tile) {
  if (slot == NOC_STREAM_DEST_START) {
    s->reg[stream][NOC_STREAM_DEST_WR_PTR] = 0;
    changed(tile, stream, rows[NOC_STREAM_DEST_WR_PTR].index);
  }
  if (slot != NOC_STREAM_DEST_SIZE) return;
  for (unsigned i = 0; i < NOC_STREAM_SPACES; i++) {
    s->space[stream][i] = s->reg[stream][slot] & NOC_STREAM_SPACE_MASK;
    changed(tile, stream, NOC_STREAM_SPACE + i);
  }
}

bool noc_stream_write(struct noc_streams *s, unsigned stream, unsigned index, uint32_t value, uint32_t byte_mask,
                      noc_stream_changed *changed, void *tile) {
  unsigned slot = slot_of(index);
  uint32_t bits = 0;
  if (stream >= NOC_STREAMS_MAX) return false;
  if (index == NOC_STREAM_SPACE_UPDATE) return add_space(s, stream, value, byte_mask, changed, tile);
  if (slot == NOC_STREAM_SLOTS || rows[slot].read_only) return false;
  if (!byte_mask) return true;
  for (unsigned i = 0; i < 4; i++)
    if (byte_mask >> i & 1u) bits |= 0xffu << (8 * i);
  if (slot == NOC_STREAM_AUTO_CFG_PTR) value += s->reg[stream][NOC_STREAM_AUTO_BASE];
  s->reg[stream][slot] = ((s->reg[stream][slot] & ~bits) | (value & bits)) & rows[slot].mask;
  changed(tile, stream, index);
  side_effects(s, stream, slot, changed, tile);
  return true;
}
