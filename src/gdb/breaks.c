/* Breakpoints of a session, and groups of .ttinsn. */
#include "gdb/breaks.h"

#include <string.h>

#include "gdb/debugger.h"
#include "tensix/riscv/breaks.h"

static bool is_ttinsn(uint32_t word) { return (word & 3u) != 3u; }

static bool word_at(const struct tx_tile *t, uint32_t address, uint32_t *word) {
  if (address > TX_L1_BYTES - 4) return false;
  memcpy(word, &t->l1[address], sizeof *word);
  return true;
}

/* The number of breaks of the tile that this breakpoint needs. */
static unsigned places_of(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc) {
  const struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  uint32_t word;
  unsigned count = 1;
  if (w.core >= TX_THREADS || !t->timing || !t->params.ttinsn_fusion || !word_at(t, pc, &word) || !is_ttinsn(word)) return 1;
  for (; pc % 16 && word_at(t, pc - 4, &word) && is_ttinsn(word); pc -= 4) count++;
  return count;
}

static bool has_room(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc) {
  unsigned count = places_of(d, w, pc);
  for (unsigned i = 0; i < GDB_BREAKS; i++)
    if (d->breaks[i].uses && d->breaks[i].where.unit == w.unit) count += places_of(d, d->breaks[i].where, d->breaks[i].pc);
  return count <= TX_BREAKS;
}

static struct gdb_break *find(struct tessera_debugger *d, struct gdb_where w, uint32_t address) {
  for (unsigned i = 0; i < GDB_BREAKS; i++)
    if (d->breaks[i].uses && gdb_same(d->breaks[i].where, w) && d->breaks[i].address == address) return &d->breaks[i];
  return NULL;
}

bool gdb_has_break_at(const struct tessera_debugger *d, struct gdb_where w, uint32_t address) {
  return find((struct tessera_debugger *)(uintptr_t)d, w, address) != NULL;
}

bool gdb_has_break(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc) {
  for (unsigned i = 0; i < GDB_BREAKS; i++)
    if (d->breaks[i].uses && gdb_same(d->breaks[i].where, w) && d->breaks[i].pc == pc) return true;
  return false;
}

/* gdb decodes a .ttinsn as a compressed instruction of two bytes and expects the end of a step in its middle. */
bool gdb_break_add(struct tessera_debugger *d, struct gdb_where w, uint32_t address) {
  struct gdb_break *b = find(d, w, address);
  uint32_t pc = (address + 3u) & ~3u;
  for (unsigned i = 0; !b && i < GDB_BREAKS; i++)
    if (!d->breaks[i].uses) b = &d->breaks[i];
  if (!b || address & 1u || (!b->uses && !has_room(d, w, pc))) return false;
  b->where = w;
  b->address = address;
  b->pc = pc;
  b->uses++;
  return true;
}

bool gdb_break_remove(struct tessera_debugger *d, struct gdb_where w, uint32_t address) {
  struct gdb_break *b = find(d, w, address);
  if (b) b->uses--;
  return b != NULL;
}

void gdb_clear_points(struct tessera_debugger *d) {
  memset(d->breaks, 0, sizeof d->breaks);
  memset(d->watches, 0, sizeof d->watches);
}

/* --- groups --- */

/* ISA: PushTensixInstruction.md: up to four of one aligned line. */
unsigned gdb_group(const struct tessera_debugger *d, struct gdb_where w, uint32_t pc) {
  const struct tx_tile *t = gdb_tile(&d->machine, w.unit);
  uint32_t word;
  unsigned count = 1;
  if (w.core >= TX_THREADS || !t->timing || !t->params.ttinsn_fusion || t->core[w.core].csr[TX_CSR_CFG0] & TX_CFG0_NO_FUSION)
    return 1;
  if (!word_at(t, pc, &word) || !is_ttinsn(word)) return 1;
  while ((pc + 4 * count) % 16 && word_at(t, pc + 4 * count, &word) && is_ttinsn(word)) count++;
  return count;
}

uint32_t gdb_pc(const struct tessera_debugger *d, struct gdb_where w) {
  return gdb_core(d, w)->pc + (d->sub && gdb_same(d->sub_of, w) ? 4 * d->sub : 0);
}

/* --- in the tiles --- */

/* A group is pushed in one cycle, so a break inside a group is set before it, and before every instruction from which the
 * group is reached. */
static void arm_one(const struct tessera_debugger *d, struct tx_tile *t, const struct gdb_break *b) {
  unsigned count = places_of(d, b->where, b->pc);
  for (unsigned i = 0; i < count; i++) tx_break_add(t, b->where.core, b->pc - 4 * i);
}

/* tx_break_add wakes a parked core; the changed state is restored. */
void gdb_arm(struct tessera_debugger *d, bool on) {
  for (unsigned u = 0; u < d->machine.count; u++) {
    struct tx_tile *t = gdb_tile(&d->machine, u);
    for (unsigned i = 0; i < TX_BREAKS; i++) tx_break_remove(t, i);
    t->unsaved.breaks.stopped = 0;
  }
  for (unsigned i = 0; on && i < GDB_BREAKS; i++) {
    if (!d->breaks[i].uses) continue;
    struct tx_tile *t = gdb_tile(&d->machine, d->breaks[i].where.unit);
    struct sim_engine *engine = &t->engine;
    unsigned agent = TX_AGENT_TRISC0 + d->breaks[i].where.core;
    uint64_t parked = engine->parked;
    uint32_t used = engine->agents_used, changed = engine->schedule_changed;
    struct sim_agent was = engine->agents[agent];
    arm_one(d, t, &d->breaks[i]);
    engine->agents[agent] = was;
    engine->parked = parked;
    engine->agents_used = used;
    engine->schedule_changed = changed;
  }
}
