/* The listeners of reads.h. */
#include "gdb/reads.h"

#include <stdlib.h>

#include "gdb/breaks.h"
#include "gdb/values.h"
#include "gdb/writer.h"
#include "noc/packet.h"
#include "tensix/mem/inflight.h"
#include "tensix/riscv/breaks.h"
#include "tensix/riscv/decode.h"
#include "tensix/riscv/run.h"
#include "tensix/tile/watch.h"

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
  struct gdb_exact *exact;      /* NULL: reads alone */
  int registers[GDB_WATCHES];   /* exact: watches of the tile for writes to registers; -1: none */
  uint64_t values[GDB_WATCHES]; /* exact: of local RAM */
  struct tx_shadow shadow[TX_CORES];
};

struct gdb_reads {
  unsigned count;
  struct listener of[GDB_WATCHES]; /* each watchpoint is on one tile */
};

static struct listener *of(const struct tx_tile *t) { return (struct listener *)(uintptr_t)t->unsaved.ports; }

/* The watchpoint that covers one of these bytes, + 1; 0: none. `core`: whose local RAM; TX_CORES: of no core. */
static unsigned watched(const struct listener *l, unsigned access, unsigned core, uint64_t address, uint64_t length) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &l->d->watches[i];
    if (!w->used || !(w->access & access) || w->where.unit != l->unit || (w->local && w->where.core != core)) continue;
    if (address < (uint64_t)w->address + w->length && address + length > w->address) return i + 1;
  }
  return 0;
}

/* `core`: whose instruction made the access; TX_CORES: none did. */
static void note_exactly(struct listener *l, unsigned watch, struct tx_trail by, unsigned core, bool write) {
  struct gdb_exact *x = l->exact;
  if (x->halted) return;
  if (by.cycle != x->cycle) x->cycle = by.cycle, x->ordinal = 0;
  x->last = (struct gdb_event){.kind = GDB_STOP_WATCH,
                               .core = core,
                               .number = core < TX_CORES ? l->t->core[core].retired + 1 : 0,
                               .cycle = by.cycle,
                               .ordinal = ++x->ordinal,
                               .watch = watch - 1,
                               .write = write,
                               .by = by};
  if (!x->halt || (by.cycle == x->skip_cycle && x->ordinal <= x->skip)) return;
  x->halted = true;
  sim_halt(&l->t->engine);
  if (core < TX_CORES) tx_break_before(l->t, core, l->t->core[core].retired + 2);
}

static void note(struct listener *l, unsigned watch, struct tx_trail by, unsigned core) {
  if (watch && l->exact) note_exactly(l, watch, by, core, false);
  if (!watch || l->exact || (l->found && l->which == GDB_FIRST_READ)) return;
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
  if (d->class == TX_RV_CLASS_LOAD) l->next[core] = watched(l, GDB_READS, core, base + d->imm, tx_access_bytes(d->op));
  else if (d->class == TX_RV_CLASS_AMO) l->next[core] = watched(l, GDB_READS, core, base, 4);
}

/* A breakpoint at an instruction that was executed. */
static void note_break(struct listener *l, unsigned core, const struct tx_trail *by) {
  struct gdb_exact *x = l->exact;
  if (x->halted || !gdb_has_break(l->d, (struct gdb_where){l->unit, core}, by->pc)) return;
  x->passed[core] = l->t->core[core].retired + 1;
  x->last = (struct gdb_event){.kind = GDB_STOP_BREAK, .core = core, .number = x->passed[core], .cycle = by->cycle};
}

/* The instruction has changed watched bytes of the core's local RAM. */
static void look_at_local(struct listener *l, unsigned core, const struct tx_trail *by) {
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &l->d->watches[i];
    const uint64_t value = w->local && w->where.core == core ? gdb_watch_value(l->d, i) : l->values[i];
    if (value == l->values[i]) continue;
    l->values[i] = value;
    note_exactly(l, i + 1, *by, core, true);
  }
}

static void park(struct listener *l, unsigned watch) {
  const struct gdb_watch *w = &l->d->watches[watch];
  const unsigned agent = TX_AGENT_WATCH + (unsigned)l->registers[watch];
  const uint32_t first = w->address & ~3u, end = (w->address + w->length + 3u) & ~3u;
  sim_park_range(&l->t->engine, agent, first, end - first);
  l->t->engine.agents[agent].park_period = SIM_PARK_HALTS;
}

/* A write to watched registers wakes their agent and halts the run, after the effect or the word of a thread that wrote. A core goes on:
 * `core` has executed an instruction. TX_CORES: the run has stopped. */
static void look_at_registers(struct listener *l, unsigned core, const struct tx_trail *by) {
  struct sim_engine *engine = &l->t->engine;
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    if (l->registers[i] < 0 || engine->agents[TX_AGENT_WATCH + (unsigned)l->registers[i]].at == SIM_NEVER) continue;
    park(l, i);
    note_exactly(l, i + 1, *by, core, true);
    if (!l->exact->halted) engine->stop = 0;
  }
}

static void executed(void *context, const struct sim_event *e) {
  struct listener *l = context;
  unsigned core = e->agent - TX_AGENT_TRISC0;
  const struct tx_trail by = {.cycle = e->at, .pc = (uint32_t)e->b, .agent = (uint16_t)e->agent, .known = 1};
  if (l->exact) note_break(l, core, &by);
  if (l->exact) look_at_registers(l, core, &by);
  note(l, l->next[core], by, core);
  l->next[core] = 0;
  if (l->exact) look_at_local(l, core, &by);
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
    note(l, watched(l, GDB_READS, TX_CORES, r->base + (uint64_t)row * r->stride, r->width),
         now_by(t, r->agent, r->pc ? r->pc : t->current.pc), TX_CORES);
}

static void l1_written(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct listener *l = of(t);
  const unsigned watch = l->exact ? watched(l, GDB_WRITES, TX_CORES, address, length) : 0;
  if (watch) note_exactly(l, watch, now_by(t, t->current.agent, t->current.pc), TX_CORES, true);
  if (t->ethernet.on) of(t)->below->l1_written(t, address, length);
}

static bool register_read(struct tx_tile *t, uint32_t address, uint32_t *value) {
  struct listener *l = of(t);
  note(l, watched(l, GDB_READS, TX_CORES, address & ~3u, 4), now_by(t, t->current.agent, t->current.pc), TX_CORES);
  return l->below->register_read(t, address, value);
}

static void noc_arrives(struct tx_tile *t, const struct noc_packet *p) {
  struct listener *l = of(t);
  if (p->kind != NOC_READ && p->kind != NOC_ATOMIC) return;
  note(l, watched(l, GDB_READS, TX_CORES, p->address, p->kind == NOC_ATOMIC ? 4 : p->length), now_by(t, SIM_NO_AGENT, 0),
       TX_CORES);
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

static void forget(struct listener *l) {
  if (l->sink >= 0) sim_log_detach(&l->t->unsaved.log, l->sink);
  l->t->unsaved.ports = l->below;
  tx_inflight_watch(l->t, false);
}

void gdb_reads_end(struct tessera_debugger *d, struct gdb_hit *hit, bool *found) {
  for (unsigned i = 0; d->reads && i < d->reads->count; i++) {
    struct listener *l = &d->reads->of[i];
    forget(l);
    take(l, hit, found);
  }
}

/* --- exactly, with timing off --- */

static void begin_exactly(struct listener *l, struct tessera_debugger *d, struct gdb_exact *x) {
  listen(l, d, 0, GDB_LAST_READ);
  l->exact = x;
  gdb_watch_values(d, l->values);
  for (unsigned i = 0; i < GDB_WATCHES; i++) {
    const struct gdb_watch *w = &d->watches[i];
    const bool signalled = w->used && w->registers && w->access & GDB_WRITES;
    l->registers[i] = signalled ? tx_watch_range(l->t, w->address, w->length) : -1;
    if (l->registers[i] >= 0) park(l, i);
  }
  l->t->engine.urgent = 0; /* a write must not end the writer's turn: the order would change */
}

bool gdb_exact_run(struct tessera_debugger *d, uint64_t until, const struct gdb_inside *to, struct gdb_exact *x) {
  if (!gdb_reads_reserve(d)) return false;
  struct listener *l = &d->reads->of[0];
  struct tx_tile *t = gdb_tile(&d->machine, 0);
  begin_exactly(l, d, x);
  for (unsigned core = 0; core < TX_CORES; core++) tx_break_before(t, core, UINT64_MAX);
  if (to && to->number) tx_break_before(t, to->where.core, to->number);
  while (tx_tile_run(t, until) == SIM_END_STOPPED && !t->fault.kind) {
    const struct tx_trail by = now_by(t, t->current.agent, t->current.pc);
    look_at_registers(l, TX_CORES, &by);
    if (x->halted || t->unsaved.breaks.stopped) break;
  }
  for (unsigned core = 0; core < TX_CORES; core++) tx_break_before(t, core, 0);
  forget(l);
  return true;
}

void gdb_exact_hit(struct tessera_debugger *d, const struct gdb_exact *x, struct gdb_hit *hit) {
  const struct gdb_watch *w = &d->watches[x->last.watch];
  *hit = (struct gdb_hit){.kind = GDB_STOP_WATCH,
                          .where = w->where,
                          .cycle = x->last.cycle,
                          .address = w->address,
                          .access = w->access,
                          .ordinal = x->last.ordinal};
  if (x->last.by.known) gdb_access_text(d, 0, &x->last.by, x->last.write ? "written" : "read", hit->text, sizeof hit->text);
}
