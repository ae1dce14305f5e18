/* Writes of the host while the program runs. The host is not an agent of the tile and no document orders it: a write counts
 * as ordered after everything that the tile has done before it, and a core that reads a word of the host as ordered after
 * the host's last write. Words that the host has written race with nothing earlier. */
#include "check/host.h"

#include <string.h>

#include "check/buffers.h"
#include "check/flags.h"
#include "check/peers.h"

/* --- order --- */

static void host_acts(struct chk *c) {
  struct chk_clocks *clocks = &c->clocks;
  for (unsigned i = 0; i < CHK_NETWORK; i++) chk_add(&c->host, &clocks->of[i]);
  c->host.at[CHK_NETWORK] = chk_admit_all(c);
  /* the clock of a core's stores is that of the line that arrived last */
  for (unsigned i = 0; i < CHK_STORES; i++) chk_step(clocks, i);
  c->host_writes++;
}

/* The host changes registers: it starts and stops cores, and may reset the semaphores. */
static void registers_written(struct chk *c) {
  for (unsigned core = 0; core < TX_CORES; core++) chk_after_host(c, core);
  for (unsigned i = 0; i < TX_SEMAPHORES; i++) {
    struct chk_semaphore *s = &c->semaphore[i];
    bool was_reset = !(c->t->sync.initialised >> i & 1u) && !c->t->sync.sem[i].value;
    if (was_reset && s->posts != s->gets) *s = (struct chk_semaphore){.init = c->host};
  }
}

/* --- words --- */

static void forget(struct chk_mark *m, uint8_t parts) {
  if (!m->clock) return;
  uint8_t all = (1u << CHK_LINE / CHK_PART) - 1u;
  m->parts = (uint8_t)((m->parts ? m->parts : all) & ~parts);
  if (!m->parts) m->clock = 0;
}

static void forget_cell(struct chk_cell *cell, uint8_t parts) {
  forget(&cell->write, parts);
  forget(&cell->older, parts);
  for (unsigned i = 0; i < CHK_READERS; i++) forget(&cell->read[i], parts);
}

static void forget_page(struct chk *c, uint32_t address) {
  const struct chk_buffer *b = chk_buffer_at(c, address);
  if (!b) return;
  uint32_t cell = b->first_cell + (address - b->base) / b->page_bytes;
  memset(&c->page[cell], 0, sizeof c->page[cell]);
  c->page_tag[cell] = 0;
}

void chk_host_wrote(struct tx_tile *t, uint32_t address, uint32_t length) {
  struct chk *c = t->unsaved.check;
  if (!t->engine.now) return; /* nothing is earlier; chk_l1_written has marked the words */
  host_acts(c);
  if (c->tiles.chip) c->tiles.chip->host_cycle = (uint32_t)t->engine.now, chk_dram_forget(c->tiles.chip->dram);
  if (address >= TX_L1_BYTES) registers_written(c);
  for (uint32_t word = address / 4; address < TX_L1_BYTES && word < (address + length + 3) / 4; word++) {
    c->writer[word] = CHK_HOST;
    forget_cell(&c->line[4 * word / CHK_LINE], (uint8_t)(3u << 2 * (word % (CHK_LINE / 4))));
    forget_page(c, 4 * word);
  }
}
