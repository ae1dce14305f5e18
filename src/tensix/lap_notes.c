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
  if (!t->unsaved.lap->refusal) t->unsaved.lap->refusal = why;
}

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

struct tx_lap_note *tx_lap_add(struct tx_tile *t, enum tx_lap_note_kind kind, unsigned by) {
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
  if (!(repeated >> region & 1u)) tx_lap_refuse(t, "a core stores to another region");
  struct tx_lap_note *note = tx_lap_add(t, TX_NOTE_STORE, core);
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
  if (!is_repeated(address) || answer->moves) tx_lap_refuse(t, "a core loads another register");
  struct tx_lap_note *note = tx_lap_add(t, TX_NOTE_LOAD, core);
  if (!note) return;
  note->pc = pc;
  note->address = address;
  note->word = answer->value;
  note->bytes = (uint8_t)bytes;
}

void tx_lap_note_line(struct tx_tile *t, unsigned core, const struct sim_effect *e) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (n->lines == TX_LAP_LINES) {
    tx_lap_refuse(t, "it has too many stores to L1");
    return;
  }
  struct tx_lap_note *note = tx_lap_add(t, TX_NOTE_LINE, core);
  if (!note) return;
  note->pc = e->pc;
  note->address = e->w[0];
  note->word = n->lines;
  n->line[n->lines++] = (struct tx_lap_line){.data = {e->w[1], e->w[2], e->w[3], e->w[4]},
                                             .mask = e->w[5],
                                             .ahead = e->extra,
                                             .arrives = (uint32_t)(e->at - n->since)};
}

void tx_lap_note_value(struct tx_tile *t, unsigned core, uint32_t pc, uint32_t address, unsigned bytes, uint32_t value) {
  struct tx_lap_notes *n = t->unsaved.lap;
  if (n->loads[core] == TX_LAP_LOADS) {
    tx_lap_refuse(t, "it has too many loads");
    return;
  }
  n->load[core][n->loads[core]++] = (struct tx_lap_load){
      .pc = pc, .address = address, .value = value, .bytes = (uint8_t)bytes, .from_l1 = address < t->l1_bytes};
}
