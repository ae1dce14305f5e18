/* Memory and registers as a core addresses them. */
#include "gdb/access.h"

#include <string.h>

#include "gdb/debugger.h"
#include "gdb/middle.h"
#include "gdb/place.h"
#include "tensix/riscv/breaks.h"
#include "tensix/tile/outside.h"

/* Local RAM of the core at its own address, or NULL. */
static uint8_t *local_at(struct tessera_debugger *d, struct gdb_where w, uint32_t address, size_t length) {
  uint32_t offset = address - TX_LOCAL_BASE;
  if (offset >= TX_LOCAL_BYTES || length > TX_LOCAL_BYTES - offset) return NULL;
  return &gdb_core(d, w)->local[offset];
}

static uint8_t *l1_at(struct tessera_debugger *d, struct gdb_where w, uint32_t address, size_t length) {
  if (address >= TX_L1_BYTES || length > TX_L1_BYTES - address) return NULL;
  return &gdb_tile(&d->machine, w.unit)->l1[address];
}

/* Reading a register can have side effects: they are undone. */
static bool read_registers(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint8_t *bytes, size_t length) {
  struct gdb_snapshot p;
  struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  uint32_t first = address & ~3u, word;
  bool good = true;
  if (length > 4096 || !tx_outside_visible(first, (uint32_t)(length + (address - first) + 3u) & ~3u)) return false;
  if (!gdb_take(&d->machine, &p, gdb_history_before(&d->history, d->cycle))) return false;
  for (size_t i = 0; i < length && good; i++) {
    uint32_t at = address + (uint32_t)i;
    if (i == 0 || at % 4 == 0) good = tx_outside_read(t, at & ~3u, (uint8_t *)&word, 4) && !t->fault.kind;
    bytes[i] = (uint8_t)(word >> 8 * (at % 4));
  }
  gdb_put(&d->machine, &p);
  gdb_pages_drop(&d->machine.pool, &p);
  return good;
}

bool gdb_read(struct tessera_debugger *d, struct gdb_where w, uint32_t address, void *bytes, size_t length) {
  const uint8_t *at = local_at(d, w, address, length);
  if (!at) at = l1_at(d, w, address, length);
  if (!at) return read_registers(d, w, address, bytes, length);
  memcpy(bytes, at, length);
  return true;
}

/* Restores the state of a run without stops, applies the change, and discards later snapshots. */
static bool changed(struct tessera_debugger *d) {
  d->end = GDB_END_TIME;
  d->plain = true;
  d->trail.to = 0;
  return gdb_history_cut(&d->history, &d->machine);
}

bool gdb_write(struct tessera_debugger *d, struct gdb_where w, uint32_t address, const void *bytes, size_t length) {
  struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  if (!length) return true;
  gdb_settle(d);
  uint8_t *local = local_at(d, w, address, length);
  if (local) {
    memcpy(local, bytes, length);
    tx_core_invalidate(t, w.core);
    return changed(d);
  }
  bool visible = length <= UINT32_MAX && tx_outside_visible(address, (uint32_t)length);
  if (!visible || t->fault.kind || !tx_outside_write(t, address, bytes, (uint32_t)length)) {
    if (visible) gdb_put(&d->machine, gdb_history_before(&d->history, d->cycle)), d->plain = false, gdb_go_to(d, d->cycle);
    return false;
  }
  return changed(d);
}

bool gdb_set_register(struct tessera_debugger *d, struct gdb_where w, enum tessera_file file, unsigned index, unsigned item,
                      uint32_t value) {
  gdb_settle(d);
  if (tessera_tile_set_register(d->machine.unit[w.unit].tile, file, index, item, value) != TESSERA_OK) return false;
  return changed(d);
}
