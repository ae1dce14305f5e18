/* The listeners of reads.h. */
#include "gdb/reads.h"

#include <stdlib.h>

#include "gdb/writer.h"
#include "noc/packet.h"
#include "tensix/mem/inflight.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"

struct listener {
  struct tx_ports ports; /* first: the ports of the tile while it is listened to */
  const struct tx_ports *below;
  struct tessera_debugger *d;
  struct tx_tile *t;
  unsigned unit;
  enum gdb_reads_which which;
  int sink;
  /* the watchpoint that the core's next instruction reads, + 1; 0: none */
  unsigned next[TX_CORES];
  bool found;
  unsigned watch;
  struct tx_trail by;
  struct tx_shadow shadow[TX_CORES];
};

struct gdb_reads {
  unsigned count;
  struct listener of[GDB_WATCHES]; /* each watchpoint is on one tile */
};

static struct listener *of(const struct tx_tile *t) { return (struct listener *)(uintptr_t)t->unsaved.ports; }

/* The watchpoint that covers one of these bytes, + 1; 0: none. `core`: whose local RAM; TX_CORES: of no core. */
static unsigned watched(const struct listener *l, unsigned core, uint64_t address, uint64_t length) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &l->d->watches[i];
    if (!w->used || !(w->access & GDB_READS) || w->where.unit != l->unit || (w->local && w->where.core != core)) continue;
    if (address < (uint64_t)w->address + w->length && address + length > w->address) return i + 1;
  }
  return 0;
}

static void note(struct listener *l, unsigned watch, struct tx_trail by) {
  if (!watch || (l->found && l->which == GDB_FIRST_READ)) return;
  l->found = true;
  l->watch = watch - 1;
  l->by = by;
  if (l->which == GDB_FIRST_READ) sim_stop(&l->t->engine);
}

static struct tx_trail now_by(const struct tx_tile *t, unsigned agent, uint32_t pc) {
  return (struct tx_trail){.cycle = t->engine.now, .pc = pc, .agent = (uint16_t)agent, .known = 1};
}

/* --- cores --- */

/* Before an instruction, which may still have to wait: the event of its execution follows. */
static void instruction(struct tx_tile *t, unsigned core, const struct tx_insn *d) {
  struct listener *l = of(t);
  uint32_t base = t->core[core].r[d->rs1];
  l->next[core] = 0;
  if (d->class == TX_RV_CLASS_LOAD) l->next[core] = watched(l, core, base + d->imm, tx_access_bytes(d->op));
  else if (d->class == TX_RV_CLASS_AMO) l->next[core] = watched(l, core, base, 4);
}

static void executed(void *context, const struct sim_event *e) {
  struct listener *l = context;
  unsigned core = e->agent - TX_AGENT_TRISC0;
  note(l, l->next[core], (struct tx_trail){.cycle = e->at, .pc = (uint32_t)e->b, .agent = (uint16_t)e->agent, .known = 1});
  l->next[core] = 0;
}

/* --- units and the NoC --- */

static bool is_load(const struct tx_range *r) {
  bool noc = r->unit == TX_UNIT_FRONTEND && !r->pc && !r->word;
  return r->agent >= TX_AGENT_TRISC0 && r->agent < TX_AGENT_TRISC0 + TX_CORES && !noc;
}

static void l1_access(struct tx_tile *t, const struct tx_range *r) {
  struct listener *l = of(t);
  if (r->write || is_load(r)) return;
  for (uint32_t row = 0; row < r->rows; row++)
    note(l, watched(l, TX_CORES, r->base + (uint64_t)row * r->stride, r->width),
         now_by(t, r->agent, r->pc ? r->pc : t->current.pc));
}

static void l1_written(struct tx_tile *t, uint32_t address, uint32_t length) {
  if (t->ethernet.on) of(t)->below->l1_written(t, address, length);
}

static bool register_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  struct listener *l = of(t);
  note(l, watched(l, TX_CORES, address & ~3u, 4), now_by(t, t->current.agent, t->current.pc));
  return l->below->register_read(t, address, value);
}

static void noc_arrives(struct tx_tile *t, const struct noc_packet *p) {
  struct listener *l = of(t);
  if (p->kind != NOC_READ && p->kind != NOC_ATOMIC) return;
  note(l, watched(l, TX_CORES, p->address, p->kind == NOC_ATOMIC ? 4 : p->length), now_by(t, SIM_NO_AGENT, 0));
}

/* --- all tiles --- */

static bool is_wanted(const struct tessera_debugger *d, unsigned unit) {
  for (unsigned i = 0; i < GDB_WATCHES; i++)
    if (d->watches[i].used && d->watches[i].access & GDB_READS && d->watches[i].where.unit == unit) return true;
  return false;
}

static void listen(struct listener *l, struct tessera_debugger *d, unsigned unit, enum gdb_reads_which which) {
  *l = (struct listener){.d = d, .t = gdb_tile(&d->machine, unit), .unit = unit, .which = which};
  l->below = l->t->unsaved.ports;
  l->ports = *l->below;
  l->ports.instruction = instruction;
  l->ports.shadow = l->shadow;
  l->ports.l1_access = l1_access;
  l->ports.l1_written = l1_written;
  l->ports.register_read = register_read;
  l->ports.noc_arrives = noc_arrives;
  for (unsigned core = 0; core < TX_CORES; core++) l->shadow[core].tainted = TX_SHADOW_ALL;
  l->t->unsaved.ports = &l->ports;
  l->sink = sim_log_attach(&l->t->unsaved.log, executed, l, 1u << TX_EVENT_CORE);
  tx_inflight_watch(l->t, true);
}

bool gdb_reads_reserve(struct tessera_debugger *d) {
  if (!d->reads) d->reads = calloc(1, sizeof *d->reads);
  return d->reads != NULL;
}

void gdb_reads_begin(struct tessera_debugger *d, enum gdb_reads_which which) {
  if (!d->reads) return;
  d->reads->count = 0;
  for (unsigned u = 0; u < d->machine.count; u++)
    if (is_wanted(d, u)) listen(&d->reads->of[d->reads->count++], d, u, which);
}

static void take(struct listener *l, struct gdb_hit *hit, bool *found) {
  bool later = l->which == GDB_LAST_READ;
  if (!l->found || (*found && (later ? l->by.cycle <= hit->cycle : l->by.cycle >= hit->cycle))) return;
  const struct gdb_watch *w = &l->d->watches[l->watch];
  *hit = (struct gdb_hit){
      .kind = GDB_STOP_WATCH, .where = w->where, .cycle = l->by.cycle, .address = w->address, .access = w->access};
  gdb_access_text(l->d, l->unit, &l->by, "read", hit->text, sizeof hit->text);
  *found = true;
}

void gdb_reads_end(struct tessera_debugger *d, struct gdb_hit *hit, bool *found) {
  for (unsigned i = 0; d->reads && i < d->reads->count; i++) {
    struct listener *l = &d->reads->of[i];
    if (l->sink >= 0) sim_log_detach(&l->t->unsaved.log, l->sink);
    l->t->unsaved.ports = l->below;
    tx_inflight_watch(l->t, false);
    take(l, hit, found);
  }
}
