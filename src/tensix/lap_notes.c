/* The notes of lap_notes.h. Of a core's accesses to registers, those to front ends and TTSync concern only what is not executed again in a
 * repeated lap; those to semaphores, GPRs, configuration and mailboxes are noted; no lap with any other can be repeated. */
#include "tensix/lap_notes.h"

#include "chips/blackhole/address_map.h"

/* Without a pc, the turn of a T core after as many others as anchor_core says becomes the anchor: the first ones after the start of a run depend on where it was
 * divided. */
void tx_lap_look_at_anchor(struct tx_tile *t, unsigned core) {
  struct tx_core_cache *cores = &t->unsaved.cores;
  if (!cores->anchor_pc && core < TX_THREADS && !cores->anchor_core--) {
    cores->anchor_core = core;
    cores->anchor_pc = t->core[core].pc + 1;
  }
  if (!cores->anchor_pc || cores->anchor_core != core || cores->anchor_pc != t->core[core].pc + 1) return;
  cores->anchor_on = TX_ANCHOR_REACHED;
  sim_pause(&t->engine);
}

void tx_lap_refuse(struct tx_tile *t, const char *why) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (!n->refusal) n->refusal = why;
  if (n->alone) sim_pause(&t->engine);
}

static bool is_apart(const struct tx_tile *t, unsigned core) { return t->unsaved.lap->apart >> core & 1u; }

/* A core that reads the clock does not do the same in every lap: it may be simulated beside them, if it only reads. */
bool tx_lap_may_act(struct tx_tile *t, unsigned core) {
  struct tx_lap_notes *n = t->unsaved.lap;
  n->acted |= 1u << core;
  if ((n->apart | n->clocked) >> core & 1u) tx_lap_refuse(t, "a core that reads the clock acts");
  return !n->alone;
}

bool tx_lap_may_load(struct tx_tile *t, unsigned core, uint32_t address) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (core < TX_THREADS) return true;
  if (!tx_is_wall_clock(address)) return tx_lap_may_act(t, core);
  n->clocked |= 1u << core;
  if (n->acted >> core & 1u) tx_lap_refuse(t, "a core that acts reads the clock");
  return true;
}

/* NULL: there is no room, and the lap cannot be repeated. */
static struct tx_lap_note *add_at(struct tx_tile *t, enum tx_lap_note_kind kind, unsigned by, sim_time at) {
  struct tx_lap_notes *n = t->unsaved.lap;
  const sim_time after = at - n->since;
  if (n->count == TX_LAP_NOTES || after > INT32_MAX) {
    tx_lap_refuse(t, "it is too long");
    return NULL;
  }
  struct tx_lap_note *note = &n->note[n->count++];
  *note = (struct tx_lap_note){.after = (uint32_t)after, .kind = (uint8_t)kind, .by = (uint8_t)by};
  return note;
}

static struct tx_lap_note *add_now(struct tx_tile *t, enum tx_lap_note_kind kind, unsigned by) {
  return add_at(t, kind, by, t->engine.now);
}

/* Data in L1, or what the packer has found out about data, gets into GPRs or the configuration: then it may decide what happens next. */
static bool depends_on_data(uint32_t word) {
  switch (word >> 24) {
    case TX_LOADIND:
    case TX_LOADREG:
    case TX_ATINCGET:
    case TX_ATINCGETPTR:
    case TX_ATSWAP:
    case TX_ATCAS:
    case TX_XMOV: return true;
    case TX_SETDMAREG: return TX_FIELD(word, SETDMAREG, set_signals_mode);
    default: return false;
  }
}

void tx_lap_note_word(struct tx_tile *t, unsigned thread, const struct tx_word *w, sim_time at) {
  struct tx_lap_note *note = add_at(t, TX_NOTE_WORD, thread, at);
  if (depends_on_data(w->word)) tx_lap_refuse(t, "an instruction depends on data");
  if (!note) return;
  note->word = w->word;
  note->pc = w->pc;
  note->unit = (uint8_t)tx_ops[w->word >> 24].unit;
}

static bool is_in(uint32_t address, uint32_t base, uint32_t bytes) { return address - base < bytes; }

/* Registers whose owner executes again what happens to it. */
static bool is_repeated(uint32_t address) {
  return is_in(address, TX_ADDR_SEMAPHORE, 4 * TX_SEMAPHORES) || is_in(address, TX_ADDR_GPR, TX_GPR_BYTES) ||
         is_in(address, TX_ADDR_CONFIG, TX_CONFIG_WINDOW_BYTES) || is_in(address, TX_ADDR_MAILBOX, TX_MAILBOX_BYTES);
}

/* Registers whose state is that of the end of the lap in any case. */
static bool is_kept(uint32_t address) {
  return is_in(address, TX_ADDR_PUSH, TX_PUSH_BYTES) || is_in(address, TX_ADDR_MOP_CFG, TX_MOP_CFG_BYTES) ||
         address == TX_ADDR_TTSYNC || address == TX_ADDR_MOPSYNC;
}

void tx_lap_note_store(struct tx_tile *t, uint32_t address) {
  if (!is_kept(address) && !is_repeated(address)) tx_lap_refuse(t, "a core stores to another register");
}

void tx_lap_note_sent(struct tx_tile *t, unsigned core, enum tx_bus_region region, uint32_t address, uint32_t value,
                      uint32_t bytes) {
  const uint32_t repeated = 1u << TX_REGION_SYNC | 1u << TX_REGION_GPR | 1u << TX_REGION_CONFIG | 1u << TX_REGION_MAILBOX;
  if (is_apart(t, core)) return;
  if (!(repeated >> region & 1u)) tx_lap_refuse(t, "a core stores to another region");
  struct tx_lap_note *note = add_now(t, TX_NOTE_STORE, core);
  if (!note) return;
  note->pc = t->current.pc;
  note->address = address;
  note->word = value;
  note->bytes = (uint8_t)bytes;
  note->unit = (uint8_t)region;
}

void tx_lap_note_load(struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, unsigned bytes,
                      const struct tx_bus_answer *answer) {
  if (answer->result != TX_BUS_DONE || is_kept(address) || is_in(address, TX_ADDR_SEMAPHORE, 4 * TX_SEMAPHORES)) return;
  if (is_apart(t, core) || (core >= TX_THREADS && tx_is_wall_clock(address))) return;
  if (!is_repeated(address) || answer->moves) tx_lap_refuse(t, "a core loads another register");
  struct tx_lap_note *note = add_now(t, TX_NOTE_LOAD, core);
  if (!note) return;
  note->pc = pc;
  note->address = address;
  note->word = answer->value;
  note->bytes = (uint8_t)bytes;
}

/* A load takes one cycle from streams of the mover only (mem/l1_ports.c). */
static bool mover_streams(const struct tx_tile *t, sim_time at) {
  for (unsigned unit = TX_L1_OWN_PORTS; unit < TX_L1_STREAMERS; unit++)
    for (unsigned i = 0; i < TX_L1_PLANNED; i++)
      if (t->l1_ports.stream[unit][i].until > at) return true;
  return false;
}

void tx_lap_note_grant(struct tx_tile *t, unsigned core, uint32_t address, uint32_t cycles, bool load, sim_time at) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (is_apart(t, core)) {
    n->apart_ports++;
    if (mover_streams(t, at)) n->ports++;
    if (n->alone && n->ports) tx_lap_refuse(t, "a core apart competes for L1");
    return;
  }
  n->ports++;
  struct tx_lap_note *note = add_now(t, TX_NOTE_GRANT, core);
  if (!note) return;
  note->address = address;
  note->word = (uint32_t)(at - n->since);
  note->bytes = (uint8_t)cycles;
  note->unit = load;
}

bool tx_lap_note_request(struct tx_tile *t) {
  if (t->unsaved.lap->alone) tx_lap_refuse(t, "a core apart competes for L1");
  else t->unsaved.lap->ports++;
  return !t->unsaved.lap->alone;
}

void tx_lap_note_line(struct tx_tile *t, unsigned core, const struct sim_effect *e) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (is_apart(t, core)) return;
  if (n->lines == TX_LAP_LINES) {
    tx_lap_refuse(t, "it has too many stores to L1");
    return;
  }
  struct tx_lap_note *note = add_now(t, TX_NOTE_LINE, core);
  if (!note) return;
  note->pc = e->pc;
  note->address = e->w[0];
  note->word = n->lines;
  n->line[n->lines++] = (struct tx_lap_line){.data = {e->w[1], e->w[2], e->w[3], e->w[4]},
                                             .mask = e->w[5],
                                             .ahead = e->extra,
                                             .arrives = (uint32_t)(e->at - n->since)};
}

/* Also a load without a request: a core before it in the order of the cores lets it go first in its cycle. */
static void note_apart_load(struct tx_tile *t, uint32_t address) {
  struct tx_lap_notes *n = t->unsaved.lap;
  const uint32_t page = address / TX_L1_PAGE;
  if (t->timing) n->apart_ports++;
  if (!n->alone) return;
  if (n->ports) tx_lap_refuse(t, "a core apart competes for L1");
  if (!(n->unwritten[page / 64] >> page % 64 & 1u)) tx_lap_refuse(t, "a core apart loads from a page of L1 that is written");
}

void tx_lap_note_value(struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, unsigned bytes, uint32_t value) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (is_apart(t, core)) {
    if (address < t->l1_bytes) note_apart_load(t, address);
    return;
  }
  if (t->timing && core >= TX_THREADS && address < t->l1_bytes) n->ports++;
  if (n->loads[core] == TX_LAP_LOADS) {
    tx_lap_refuse(t, "it has too many loads");
    return;
  }
  n->load[core][n->loads[core]++] = (struct tx_lap_load){
      .pc = pc, .address = address, .value = value, .bytes = (uint8_t)bytes, .from_l1 = address < t->l1_bytes};
}
