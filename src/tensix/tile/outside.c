/* The tile as the NoC, the host and debuggers address it, and the slow path to the local RAMs. */
#include "tensix/tile/outside.h"

#include <string.h>

#include "tensix/machine.h"
#include "tensix/mem/l1.h"
#include "tensix/regs/streams.h"
#include "tensix/riscv/core.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/bus_region.h"
#include "tensix/tile/control.h"
#include "tensix/tile/ethernet.h"
#include "tensix/tile/link.h"
#include "tensix/tile/noc.h"
#include "tensix/tile/pic.h"

/* 0xFFB14000 BRISC, 0xFFB16000 NCRISC, then T0, T1, T2; a T core's 4 KiB appear twice in its 8 KiB.
 * ISA: BabyRISCV/README.md, "Memory map" (Blackhole). */
bool tx_local_find(uint32_t address, unsigned *core, uint32_t *at) {
  static const uint8_t order[TX_CORES] = TX_LOCAL_SLOW_ORDER;
  uint32_t offset = address - TX_ADDR_LOCAL_SLOW;
  if (offset >= TX_LOCAL_SLOW_BYTES) return false;
  *core = order[offset / TX_LOCAL_SLOW_STRIDE];
  *at = offset % tx_core_local_bytes(*core);
  return true;
}

void tx_local_write(struct tx_tile *t, unsigned core, uint32_t at, const uint8_t *bytes, uint32_t length) {
  tx_core_end_aside(t, core); /* what it reads there next is news to it */
  memcpy(&t->core[core].local[at], bytes, length);
  struct tx_shadow *shadow = t->unsaved.ports->shadow;
  for (uint32_t i = at; shadow && i < at + length; i++) shadow[core].bits[i / 4] &= ~(0xffu << 8 * (i % 4));
  if (!t->engine.parked) return;
  for (uint32_t word = at & ~3u; word < at + length; word += 4) sim_poke(&t->engine, TX_LOCAL_BASE + word);
}

enum part { NOTHING, MEMORY_L1, MEMORY_LOCAL, REGISTERS };

static enum part part_of(bool ethernet, uint32_t address, uint32_t length) {
  unsigned core = 0;
  uint32_t at = 0;
  uint64_t end = (uint64_t)address + length;
  if (end <= (ethernet ? TX_ETH_L1_BYTES : TX_L1_BYTES)) return MEMORY_L1;
  if (!ethernet && tx_local_find(address, &core, &at) && at + (uint64_t)length <= tx_core_local_bytes(core))
    return MEMORY_LOCAL;
  if ((address | length) & 3u || length == 0) return NOTHING;
  if (address >= TX_ADDR_CONTROL && end <= TX_ADDR_CONTROL + TX_CONTROL_BYTES) return REGISTERS;
  if (address >= TX_ADDR_PIC && end <= TX_ADDR_PIC + TX_PIC_BYTES) return REGISTERS;
  if (ethernet && address >= TX_ADDR_ETH_CORES && end <= TX_ADDR_ETH_CORES + TX_ETH_CORE_BYTES) return REGISTERS;
  if (ethernet && address >= TX_ADDR_ETH_LINK && length == 4) return tx_link_has(address) ? REGISTERS : NOTHING;
  uint32_t streams = ethernet ? TX_ETH_STREAMS : TX_STREAMS;
  return address >= TX_ADDR_NOC && end <= (uint64_t)TX_ADDR_STREAM + streams * TX_STREAM_BYTES ? REGISTERS : NOTHING;
}

bool tx_outside_visible(uint32_t address, uint32_t length) { return part_of(false, address, length) != NOTHING; }

bool tx_outside_visible_in(const struct tx_tile *t, uint32_t address, uint32_t length) {
  return part_of(t->ethernet.on, address, length) != NOTHING;
}

static bool read_register(struct tx_tile *t, uint32_t address, uint32_t *value) {
  if (address < TX_ADDR_PIC) return tx_control_read(t, address, value);
  if (t->ethernet.on && address >= TX_ADDR_ETH_CORES && address < TX_ADDR_NOC)
    return tx_ethernet_register_read(t, address, value);
  if (address < TX_ADDR_NOC) return tx_pic_read(t, address, value);
  if (address < TX_ADDR_STREAM) return tx_noc_read(t, address, value);
  if (address >= TX_ADDR_ETH_LINK) return tx_link_read(t, address, value);
  uint32_t offset = address - TX_ADDR_STREAM;
  return tx_stream_register_read(t, offset / TX_STREAM_BYTES, offset % TX_STREAM_BYTES / 4, value);
}

static bool write_register(struct tx_tile *t, uint32_t address, uint32_t value) {
  uint32_t offset = address - TX_ADDR_STREAM;
  if (address >= TX_ADDR_ETH_LINK) return tx_link_write(t, address, value);
  if (address >= TX_ADDR_STREAM)
    return tx_stream_register_write(t, offset / TX_STREAM_BYTES, offset % TX_STREAM_BYTES / 4, value, 0xfu);
  bool ethernet = t->ethernet.on && address >= TX_ADDR_ETH_CORES && address < TX_ADDR_NOC;
  bool done = address < TX_ADDR_PIC   ? tx_control_write(t, address, value)
              : ethernet              ? tx_ethernet_register_write(t, address, value)
              : address < TX_ADDR_NOC ? tx_pic_write(t, address, value)
                                      : tx_noc_write(t, address, value);
  if (done) sim_poke(&t->engine, address);
  return done;
}

bool tx_outside_read(struct tx_tile *t, uint32_t address, void *bytes, uint32_t length) {
  uint8_t *out = bytes;
  unsigned core = 0;
  uint32_t at = 0, value = 0;
  switch (part_of(t->ethernet.on, address, length)) {
    case NOTHING: return false;
    case MEMORY_L1:
      if (t->ethernet.on) tx_ethernet_reading(t, address, length);
      memcpy(out, &t->l1[address], length);
      return true;
    case MEMORY_LOCAL:
      tx_local_find(address, &core, &at);
      memcpy(out, &t->core[core].local[at], length);
      return true;
    default: break;
  }
  for (uint32_t i = 0; i < length; i += 4) {
    if (!read_register(t, address + i, &value)) return false;
    for (unsigned k = 0; k < 4; k++) out[i + k] = (uint8_t)(value >> (8 * k));
  }
  return true;
}

bool tx_outside_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length) {
  const uint8_t *in = bytes;
  unsigned core = 0;
  uint32_t at = 0;
  switch (part_of(t->ethernet.on, address, length)) {
    case NOTHING: return false;
    case MEMORY_L1: tx_l1_write(t, address, in, length); return true;
    case MEMORY_LOCAL:
      tx_local_find(address, &core, &at);
      tx_local_write(t, core, at, in, length);
      return true;
    default: break;
  }
  for (uint32_t i = 0; i < length; i += 4) {
    uint32_t value = (uint32_t)in[i] | (uint32_t)in[i + 1] << 8 | (uint32_t)in[i + 2] << 16 | (uint32_t)in[i + 3] << 24;
    if (!write_register(t, address + i, value)) return false;
  }
  return true;
}

/* For a checker that is attached later: zeros count as written too. */
static void note_given(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (t->engine.now || !length || address >= TX_L1_BYTES || length > TX_L1_BYTES - address) return;
  for (uint32_t page = address / TX_L1_PAGE; page <= (address + length - 1) / TX_L1_PAGE; page++)
    t->unsaved.l1_given[page / 64] |= UINT64_C(1) << page % 64;
}

bool tx_host_write(struct tx_tile *t, uint32_t address, const void *bytes, uint32_t length) {
  struct tx_current before = t->current;
  t->current = (struct tx_current){.agent = SIM_NO_AGENT};
  bool done = tx_outside_write(t, address, bytes, length);
  note_given(t, address, length);
  if (done && t->unsaved.ports->host_wrote) t->unsaved.ports->host_wrote(t, address, length);
  t->current = before;
  return done;
}
