/* Watchpoints of a session. */
#include "gdb/watches.h"

#include "gdb/reads.h"
#include "tensix/tile/watch.h"

static bool is_local(uint32_t address, uint32_t length) {
  return address >= TX_LOCAL_BASE && address - TX_LOCAL_BASE < TX_LOCAL_BYTES &&
         length <= TX_LOCAL_BYTES - (address - TX_LOCAL_BASE);
}

static bool is_l1(uint32_t address, uint32_t length) { return address < TX_L1_BYTES && length <= TX_L1_BYTES - address; }

const char *gdb_watch_name(unsigned access) {
  return access == GDB_READS ? "rwatch" : access == GDB_WRITES ? "watch" : "awatch";
}

/* Do the bytes lie in L1, in a core's local RAM or in registers? Writes are found in registers that the NoC can address. */
static bool fits(uint32_t address, uint32_t length, unsigned access) {
  if (!length || is_local(address, length) || is_l1(address, length)) return length != 0;
  if (address < TX_ADDR_TDMA || length > UINT32_MAX - address) return false;
  return !(access & GDB_WRITES) || tx_watch_range_fits(address, length);
}

enum gdb_watch_result gdb_watch_add(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length,
                                    unsigned access) {
  bool local = is_local(address, length), registers = !local && !is_l1(address, length);
  if (!fits(address, length, access)) return GDB_WATCH_UNFIT;
  if (access & GDB_READS && !gdb_reads_reserve(d)) return GDB_WATCH_NO_MEMORY;
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    if (d->watches[i].used) continue;
    d->watches[i] = (struct gdb_watch){.where = w,
                                       .address = address,
                                       .length = length,
                                       .access = access,
                                       .used = true,
                                       .local = local,
                                       .registers = registers};
    return GDB_WATCH_SET;
  }
  return GDB_WATCH_FULL;
}

bool gdb_watch_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t address, uint32_t length, unsigned access) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    struct gdb_watch *p = &d->watches[i];
    if (!p->used || !gdb_same(p->where, w) || p->address != address || p->length != length || p->access != access) continue;
    p->used = false;
    return true;
  }
  return false;
}
